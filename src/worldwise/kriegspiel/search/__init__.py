"""Search at kriegspiel: information sets, evaluation, minimax, greed and guaranteed mates."""
