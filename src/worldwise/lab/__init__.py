"""The laboratory: the papers' experiments as values, run at any scale, resumed, spread over processes or a cluster."""
