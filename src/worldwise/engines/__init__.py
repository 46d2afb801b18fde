"""Searches bound to a game where speed needs it; the only importers of the compiled kernels."""
