"""The commands for bridge."""
