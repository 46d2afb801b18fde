"""BMV96's experiments: pruning in the IMP-model; and what the paper leaves open."""

EXPERIMENTS = {
    "bmv96/average-case": "pruning:AVERAGE_CASE",
    "bmv96/strategies": "strategies:STRATEGIES",
    "bmv96/two-players": "questions:TWO_PLAYERS",
    "bmv96/forgetting": "questions:FORGETTING",
    "beyond/equilibrium": "equilibrium:EQUILIBRIUM",
}
"""The module of this folder, and the name in it, of every experiment by its id."""
