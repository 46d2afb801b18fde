"""Kriegspiel for programs: what a player may know, what he may believe, and when it is over, the whole story.

What a player may know is made of ``Observed``, which has no board of the umpire's in it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from worldwise.kriegspiel.records.pgn import HIDDEN, heard_moves
from worldwise.kriegspiel.rules.squares import uci
from worldwise.kriegspiel.views.text import belief_words, event_words, rules_words, said_words

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from worldwise.kriegspiel.belief.summary import BeliefSummary
    from worldwise.kriegspiel.rules.board import ChessBoard
    from worldwise.kriegspiel.rules.game import Event, Observed
    from worldwise.kriegspiel.rules.squares import Geometry
    from worldwise.kriegspiel.rules.umpire import Rules
    from worldwise.kriegspiel.rules.view import PlayerView

Json = dict[str, Any]


def rules_json(rules: Rules) -> Json:
    """What the umpire says by a rule set, and when he stops a game that would not end.

    >>> from dataclasses import replace
    >>> from worldwise.kriegspiel.rules.umpire import UMD
    >>> told = rules_json(replace(UMD, ply_limit=160))
    >>> told["words"][-36:], told["plies"]
    (' The game is a draw after 160 plies.', 160)
    """
    return {"rules": rules.name, "words": rules_words(rules), "plies": rules.ply_limit}


def observed_json(observed: Observed, *, on_turn: bool) -> Json:
    """A player's own pieces from a1 on, his tries, and the log of all that he has heard.

    >>> from worldwise.kriegspiel.rules.game import Kriegspiel
    >>> from worldwise.kriegspiel.rules.board import START
    >>> from worldwise.kriegspiel.rules.squares import WHITE
    >>> game = Kriegspiel()
    >>> told = observed_json(game.observe(game.start(START), WHITE), on_turn=True)
    >>> told["pieces"][:8], told["tries"][:3], told["log"]
    ('RNBQKBNR', ['a2a3', 'a2a4', 'b1a3'], [])
    """
    view = observed.view
    log = list(log_json(observed.events, view.geometry))
    moves = iter(heard_moves(observed))
    for line in log:
        line["san"] = _own_san(next(moves)) if line["by"] and not line["refused"] else None
    return {
        "colour": str(view.colour),
        "pieces": view.pieces,
        "tries": _tries(view) if on_turn else [],
        "refused": sorted(uci(move, view.geometry) for move in view.refused),
        "log": log,
    }


def _own_san(move: str) -> str | None:
    """A move as chess players write it, if it was for our ears."""
    return None if move == HIDDEN else move


def _tries(view: PlayerView) -> list[str]:
    return sorted(uci(move, view.geometry) for move in view.tries)


def log_json(events: Iterable[Event], geometry: Geometry, number: int = 1) -> Iterator[Json]:
    """Everything that was heard, with the number of its move; ``move`` is None if it was not for our ears.

    ``words`` is the whole line, ``said`` what the umpire said, ``checks`` where a check comes from.
    """
    for event in events:
        message = event.message
        yield {
            "number": number,
            "by": str(event.colour),
            "move": uci(event.move, geometry) if event.move else None,
            "refused": event.is_refusal,
            "taken": geometry.name(message.taken) if message and message.taken is not None else None,
            "checks": [check.value for check in message.checks] if message else [],
            "said": said_words(event, geometry),
            "words": event_words(event, geometry),
        }
        number += bool(event.colour) and not event.is_refusal


def belief_json(belief: BeliefSummary, geometry: Geometry) -> Json:
    """Where the enemy's pieces may be: for each piece the chances of the squares from a1 on, in thousandths.

    >>> from worldwise.kriegspiel.belief.weighted_boards import WeightedBoards
    >>> from worldwise.kriegspiel.belief.summary import summary
    >>> from worldwise.kriegspiel.rules.fen import read_fen
    >>> from worldwise.kriegspiel.rules.squares import WHITE
    >>> boards = [read_fen("k1/2/1K w"), read_fen("1k/2/1K w")]
    >>> belief_json(summary(WeightedBoards.of(boards), WHITE), boards[0].geometry)["chances"]["k"]
    [0, 0, 0, 0, 500, 500]
    """
    chances = {piece: [round(1000 * chance) for chance in squares] for piece, squares in belief.chances.items()}
    return {"boards": belief.boards, "exact": belief.exact, "words": belief_words(belief, geometry), "chances": chances}


def story_json(first: ChessBoard, events: Iterable[Event]) -> list[Json]:
    """The umpire's log: every try with its answer, and the true board after it.

    >>> from worldwise.kriegspiel.rules.board import START
    >>> from worldwise.kriegspiel.rules.game import Kriegspiel
    >>> from worldwise.kriegspiel.rules.squares import read_uci
    >>> game = Kriegspiel()
    >>> state = game.play(game.start(START), read_uci("e2e4"))
    >>> story_json(START, state.events)[0]["board"][24:32]
    '....P...'
    """
    told, board = [], first
    events = tuple(events)
    for event, line in zip(events, log_json(events, first.geometry, first.number), strict=True):
        if event.move and not event.is_refusal:
            board = board.after(event.move)
        told.append({**line, "board": board.pieces})
    return told
