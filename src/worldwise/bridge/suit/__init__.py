"""Single suits: rules, the exact solver, words, a tutor and a drill."""
