"""Games in extensive form: trees with chance moves, any number of players, and information sets."""

from worldwise.lazy_exports import export

NAMES = {
    "building": ("GameBuilder", "chance", "decision", "game_of", "leaf", "written_out"),
    "conversions": ("from_game", "from_world_game"),
    "efg": ("efg_from_text", "efg_text", "read_efg", "write_efg"),
    "form_game": ("FormGame",),
    "game": ("ChanceMove", "ExtensiveGame", "InformationSet", "Outcome"),
    "imp_model": ("BestFirst", "Constant", "ImpModel", "Uniform"),
    "recall": ("Forgotten", "agents", "forgotten", "perfect_recall", "split"),
    "reductions": ("partition_of", "three_partition_game"),
    "sampling": ("ExactSampler", "SamplerReport", "check_sampler", "contradiction"),
    "size": ("Measures", "measures"),
    "solving": ("GAME_ALGORITHMS", "solve_game"),
}
"""Where each public name is defined; ``__init__.pyi`` tells the same to type checkers."""

__all__, __getattr__, __dir__ = export(__name__, NAMES)
