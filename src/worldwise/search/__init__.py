"""Algorithms that know no game, and the parts to build your own from."""

from worldwise.lazy_exports import export

NAMES = {
    "algorithms": ("ALGORITHMS", "algorithm"),
    "alphamu": ("AlphaMu",),
    "alphamu_root": ("Root", "ValueKind"),
    "backup": ("Guess", "passes"),
    "chance_minimax": ("ChanceMinimax",),
    "equilibrium": ("PureEquilibrium", "is_equilibrium"),
    "exact": ("Exact",),
    "face_up": ("FaceUp",),
    "heuristics": ("AlphaBeta", "VectorMinimax"),
    "imp": ("ImpAlphaBeta", "ImpMinimax"),
    "information_set": ("OVERCONFIDENT", "PARANOID", "InformationSetSearch", "Model", "mixed"),
    "knowledge": ("known_worlds",),
    "monte_carlo": ("MonteCarlo",),
    "profiles": ("expected_payoffs",),
    "random_ties": ("FIRST", "Ties"),
    "responses": ("ExtensiveBruteForce", "best_response"),
    "strategy": ("BruteForce", "conclude", "evaluate", "strategies"),
}
"""Where each public name is defined; ``__init__.pyi`` tells the same to type checkers."""

__all__, __getattr__, __dir__ = export(__name__, NAMES)
