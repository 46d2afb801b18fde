"""BMV96's experiments: pruning in the IMP-model."""

EXPERIMENTS = {
    "bmv96/average-case": "pruning:AVERAGE_CASE",
    "bmv96/strategies": "strategies:STRATEGIES",
}
"""The module of this folder, and the name in it, of every experiment by its id."""
