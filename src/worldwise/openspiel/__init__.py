"""Doors to OpenSpiel, both ways: its games here, and ours there."""

from worldwise.lazy_exports import export

NAMES = {
    "bots": ("make_bot", "make_resampler"),
    "games": ("OpenSpielForm", "OpenSpielSampler", "load_open_spiel", "to_open_spiel"),
    "own_rules": ("open_spiel_rules",),
}
"""Where each public name is defined; ``__init__.pyi`` tells the same to type checkers."""

__all__, __getattr__, __dir__ = export(__name__, NAMES)
