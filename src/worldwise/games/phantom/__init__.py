"""Phantom tic-tac-toe: noughts and crosses in the dark, kriegspiel in small."""

from worldwise.games.phantom.game import CROSS, NOUGHT, Phantom, PhantomState, Try

__all__ = ["CROSS", "NOUGHT", "Phantom", "PhantomState", "Try"]
