"""Games of kriegspiel in writing: records, PGN, JSON and typed tries."""
