"""How long tests wait for what must come: long enough for a busy machine; who waits for a condition loses nothing."""

PATIENCE = 300.0
"""Seconds until something counts as hanging; nothing needs ten on a quiet machine."""
