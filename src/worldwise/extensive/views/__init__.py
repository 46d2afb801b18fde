"""Games in extensive form as text, pictures and JSON."""
