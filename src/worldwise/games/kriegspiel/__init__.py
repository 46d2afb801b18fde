"""Kriegspiel: chess in which neither player sees the other's men, and an umpire who says what may be known."""
