"""Games in extensive form: trees with chance moves, any number of players, and information sets."""

from worldwise.lazy_exports import export

NAMES = {
    "building": ("GameBuilder", "chance", "decision", "game_of", "leaf", "write_out"),
    "conversions": ("from_game", "from_world_game"),
    "efg": ("efg_from_text", "efg_text", "read_efg", "write_efg"),
    "exploiting": ("Exploited", "Yardstick", "YardstickMaker", "behaviour_of"),
    "form_game": ("FormGame",),
    "game": ("ChanceMove", "ExtensiveGame", "InformationSet", "Outcome"),
    "imp_model": ("BestFirst", "Constant", "ImpModel", "Uniform"),
    "recall": (
        "Forgetting",
        "Forgotten",
        "agents",
        "find_forgotten",
        "kinds_of_forgetting",
        "merge",
        "perfect_recall",
        "split",
    ),
    "reductions": ("assignment_of", "partition_of", "satisfiability_game", "three_partition_game"),
    "sampling": ("ExactSampler", "SamplerReport", "check_sampler", "contradiction"),
    "size": ("Measures", "measures"),
    "solving": ("GAME_ALGORITHMS", "MIXED_ALGORITHMS", "solve_game", "solve_mixed"),
}
"""Where each public name is defined; ``__init__.pyi`` tells the same to type checkers."""

__all__, __getattr__, __dir__ = export(__name__, NAMES)
