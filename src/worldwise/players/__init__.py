"""Players and matches for any game: a belief and a search make a player."""

from worldwise.lazy_exports import export

NAMES = {
    "answering": ("AnswerFinder", "SampledGain", "SeatGain"),
    "any_game": (
        "AlphaMuGamePlayer",
        "EpimcGamePlayer",
        "ExactGamePlayer",
        "GamePlayer",
        "InformationSetGamePlayer",
        "IsmctsGamePlayer",
        "PimcGamePlayer",
        "RandomGamePlayer",
        "Turn",
        "game_player",
    ),
    "game_match": (
        "GameMatch",
        "GameTable",
        "MatchSummary",
    ),
}
"""Where each public name is defined; ``__init__.pyi`` tells the same to type checkers."""

__all__, __getattr__, __dir__ = export(__name__, NAMES)
