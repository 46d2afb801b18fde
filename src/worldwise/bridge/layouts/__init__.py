"""What the hidden hands can be: constraints, samplers, and what each layout weighs."""
