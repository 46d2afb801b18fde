"""The ground floor: games, worlds, vectors, fronts, beliefs, limits and results."""

from worldwise.lazy_exports import export

NAMES = {
    "belief": ("AllHistories", "Belief"),
    "front": ("Front",),
    "game": ("CHANCE", "Chancy", "ExtensiveForm", "Game", "Redealing", "Shown", "Side", "WorldGame"),
    "move_values": ("MoveValues",),
    "result": ("NO_LIMIT", "Clock", "Limit", "SearchResult", "Stats"),
    "scale": ("Reals", "Thermometer"),
    "solution": ("Solution",),
    "tracking": ("TrackedBelief",),
    "vector": ("Vector",),
}
"""Where each public name is defined; ``__init__.pyi`` tells the same to type checkers."""

__all__, __getattr__, __dir__ = export(__name__, NAMES)
