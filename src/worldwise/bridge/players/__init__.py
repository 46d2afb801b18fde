"""Players of bridge and the table they sit at."""
