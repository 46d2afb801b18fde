"""FB01's experiments: random trees and single suits."""

EXPERIMENTS = {
    "fb01/fig-7": "random_trees:FIG_7",
    "fb01/fig-27": "random_trees:FIG_27",
    "fb01/fig-29": "random_trees:FIG_29",
    "fb01/fig-30": "random_trees:FIG_30",
    "fb01/matching-q": "random_trees:MATCHING_Q",
    "fb01/measured-q": "measured_similarity:MEASURED_Q",
    "beyond/branching": "random_trees:BRANCHING",
    "beyond/worlds": "random_trees:MANY_WORLDS",
    "beyond/real-payoffs": "costs:REAL_PAYOFFS",
    "beyond/cost": "costs:COST",
    "fb01/fig-28": "suit_play:FIG_28",
    "fb01/all-suits": "all_suits:ALL_SUITS",
}
"""The module of this folder, and the name in it, of every experiment by its id."""
