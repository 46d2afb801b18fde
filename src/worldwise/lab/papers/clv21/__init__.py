"""CLV21's experiments: alpha-mu's switches, declarers, curves and threads."""

EXPERIMENTS = {
    "clv21/table-1": "switches:TABLE_1",
    "clv21/table-2": "switches:TABLE_2",
    "clv21/table-3": "switches:TABLE_3",
    "clv21/table-4": "declarers:TABLE_4",
    "clv21/table-4-pimc": "declarers:TABLE_4_PIMC",
    "clv21/contracts": "declarers:CONTRACTS",
    "clv21/contracts-pimc": "declarers:CONTRACTS_PIMC",
    "clv21/fig-6": "curves:FIG_6",
    "clv21/fig-7": "curves:FIG_7",
    "clv21/table-5": "threads:TABLE_5",
    "beyond/calibration": "calibration:CALIBRATION",
}
"""The module of this folder, and the name in it, of every experiment by its id."""
