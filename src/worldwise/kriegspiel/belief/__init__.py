"""What a kriegspiel player believes: the boards that explain what was heard."""
