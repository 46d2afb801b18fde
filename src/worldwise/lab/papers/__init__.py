"""The papers' experiments, a folder a paper; an experiment is found by its id."""
