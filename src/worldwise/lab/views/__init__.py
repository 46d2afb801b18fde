"""The laboratory's results as text, JSON and a report."""
