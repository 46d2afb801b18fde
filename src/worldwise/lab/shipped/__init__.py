"""The rows behind the verdicts of the documentation, a packed file a run: see ``lab.shipped_runs``."""
