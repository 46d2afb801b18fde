"""The rules of kriegspiel: boards, the umpire, and what a player sees."""
