"""Phantom tic-tac-toe: noughts and crosses in the dark, kriegspiel in small."""

from worldwise.games.phantom.game import CROSS, NOUGHT, Phantom, State, Try

__all__ = ["CROSS", "NOUGHT", "Phantom", "State", "Try"]
