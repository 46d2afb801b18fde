"""The papers' numbers, one CSV file an experiment."""
