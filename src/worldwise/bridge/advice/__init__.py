"""Advice at the table: which card, how likely, and why."""
