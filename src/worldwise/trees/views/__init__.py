"""Possible-world trees as text, pictures and JSON."""
