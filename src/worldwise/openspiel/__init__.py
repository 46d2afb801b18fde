"""Doors to OpenSpiel, both ways: its games here, and ours there."""

from worldwise.openspiel.games import OpenSpielForm, OpenSpielSampler, load_open_spiel, to_open_spiel

__all__ = ["OpenSpielForm", "OpenSpielSampler", "load_open_spiel", "to_open_spiel"]
