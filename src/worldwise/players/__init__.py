"""Players: a belief and a searcher make a player; the table they sit at; matches between them."""
