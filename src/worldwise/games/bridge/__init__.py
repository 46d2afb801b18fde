"""Bridge: cards, and the play of a single suit."""
