"""Algorithms that know no game, and the parts to build your own from."""

from worldwise.lazy_exports import export

NAMES = {
    "algorithms": ("ALGORITHMS", "algorithm"),
    "alphamu": ("AlphaMu",),
    "alphamu_root": ("Root", "ValueKind"),
    "backup": ("Guess", "passes"),
    "cfr": ("CfrPlus",),
    "chance_minimax": ("ChanceMinimax",),
    "epimc": ("PostponedPimc",),
    "equilibrium": ("PureEquilibrium", "is_equilibrium"),
    "exact": ("Exact",),
    "face_up": ("FaceUp",),
    "face_up_solver": ("FaceUpSolver",),
    "heuristics": ("AlphaBeta", "VectorMinimax"),
    "imp": ("Horizon", "ImpAlphaBeta", "ImpBelief", "ImpMinimax", "believe"),
    "information_set": ("OVERCONFIDENT", "PARANOID", "InformationSetSearch", "Model", "mixed"),
    "ismcts": ("Ismcts",),
    "knowledge": ("known_worlds",),
    "mixed_equilibrium": ("MixedEquilibrium",),
    "monte_carlo": ("MonteCarlo",),
    "profiles": ("expected_payoffs",),
    "random_ties": ("FIRST", "Ties"),
    "responses": ("ExtensiveBruteForce", "best_response"),
    "seat_view": ("SeatFaceUp", "SeatView"),
    "sequence_form": ("SequenceForm", "nash_conv"),
    "strategy": ("BruteForce", "conclude", "evaluate", "strategies"),
    "team": ("TeamOptimum",),
}
"""Where each public name is defined; ``__init__.pyi`` tells the same to type checkers."""

__all__, __getattr__, __dir__ = export(__name__, NAMES)
