"""Kriegspiel: rules, records, beliefs, search, players and views."""

from worldwise.lazy_exports import export

NAMES = {
    "belief.exact": ("ExactBelief",),
    "belief.sampled": ("SampledBelief",),
    "belief.summary": ("summary",),
    "players.names": ("read_player",),
    "records.pgn": ("heard_pgn", "pgn"),
    "records.pgn_reader": ("read_pgn",),
    "records.record": ("Record",),
    "rules.board": ("START",),
    "rules.fen": ("read_fen",),
    "rules.game": ("Kriegspiel",),
    "rules.hidden_pieces": ("possible_boards",),
    "rules.squares": ("BLACK", "WHITE", "read_uci"),
    "rules.umpire": ("BERKELEY", "WILD16"),
    "search.mates": ("guaranteed_mate",),
}
"""Where each public name is defined; ``__init__.pyi`` tells the same to type checkers."""

__all__, __getattr__, __dir__ = export(__name__, NAMES)
