"""Kriegspiel as text, pictures and JSON."""
