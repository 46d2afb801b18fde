"""BMV96's experiments: pruning in the IMP-model."""
