"""What pytest leaves out: examples in modules whose optional package, or whose kernels, are not installed."""

from importlib.util import find_spec

OF_OPEN_SPIEL = [f"src/worldwise/openspiel/{name}.py" for name in ("games", "bots", "own_rules")]

collect_ignore = [] if find_spec("pyspiel") else OF_OPEN_SPIEL
if not find_spec("pettingzoo"):
    collect_ignore += ["src/worldwise/doors/pettingzoo.py"]
if not find_spec("worldwise._kernels"):
    collect_ignore += ["src/worldwise/bridge/advice/review.py"]  # its example sees a whole deal double dummy
