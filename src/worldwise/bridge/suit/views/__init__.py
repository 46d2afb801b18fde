"""Single suits as text, pictures and JSON."""
