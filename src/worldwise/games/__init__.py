"""Rules that know no algorithm."""
