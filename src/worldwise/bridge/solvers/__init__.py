"""Solvers of bridge play: double dummy, PIMC and alpha-mu."""
