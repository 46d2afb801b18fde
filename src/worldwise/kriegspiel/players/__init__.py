"""Players of kriegspiel and the table they sit at."""
