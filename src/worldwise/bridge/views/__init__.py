"""Bridge as text, pictures and JSON."""
