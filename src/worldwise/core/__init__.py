"""The algebra of outcomes and the protocols of games: what everything else is written in."""
