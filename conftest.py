"""What pytest leaves out: examples in modules whose optional package is not installed."""

from importlib.util import find_spec

collect_ignore = [] if find_spec("pyspiel") else ["src/worldwise/openspiel/games.py"]
