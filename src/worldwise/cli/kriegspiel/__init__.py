"""The commands for kriegspiel."""
