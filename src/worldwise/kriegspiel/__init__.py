"""Kriegspiel: rules, records, beliefs, search, players and views."""
