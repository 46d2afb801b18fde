"""What pytest leaves out: examples in modules whose optional package, or whose kernels, are not installed."""

from importlib.util import find_spec

collect_ignore = [] if find_spec("pyspiel") else ["src/worldwise/openspiel/games.py", "src/worldwise/openspiel/bots.py"]
if not find_spec("worldwise._kernels"):
    collect_ignore += ["src/worldwise/bridge/advice/review.py"]  # its example sees a whole deal double dummy
