"""Records of games in PGN, the form that chess programs read: the umpire's, and what one player has heard of it.

Moves are written as in chess. After every move there is a comment on the turn, ``{(K:tries:info)}``:

    comment  = "(K:" tries ":" info ")"   a turn
             | "(K:" tries ")"            tries that were refused when the game broke off
    tries    = [try {"," try}]            refused before the move, such as e2e4 or e7e8q
    info     = [item {"," item}]          what the umpire said of the move
    item     = "T" square ["=" piece]     a piece was taken: "pawn", "piece" or its letter, if the rules say so
             | "CR" | "CF" | "CK"         check on the rank, on the file, by a knight
             | "CL" | "CS" | "CD"         on the long, on the short diagonal, on a diagonal
             | "P" number | "P+" | "P-"   so many captures for the pawns of the player to move, or some, or none
             | "E" end                    the game is over: mate, stalemate, dead, fifty, repetition, quiet, plies

In what one player has heard, the opponent's moves are ``??``, and each of his refused tries is ``?`` if it was heard.
The rest is written from that player's own pieces: even which of two knights needs its file depends on what he cannot
see.
"""

from __future__ import annotations

from dataclasses import replace
from textwrap import wrap
from typing import TYPE_CHECKING, NamedTuple

from worldwise.kriegspiel.records.record import Record, end_name, replay, rules_line
from worldwise.kriegspiel.records.san import plain_san, san
from worldwise.kriegspiel.rules.board import EMPTY, START, ChessBoard
from worldwise.kriegspiel.rules.fen import fen, placement
from worldwise.kriegspiel.rules.game import Kriegspiel
from worldwise.kriegspiel.rules.squares import uci
from worldwise.kriegspiel.rules.umpire import CheckDirection, End, Message
from worldwise.kriegspiel.rules.view import PlayerView

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from worldwise.kriegspiel.rules.game import Event, Observed
    from worldwise.kriegspiel.rules.squares import ChessMove, Colour, Geometry

ROSTER = {"Event": "?", "Site": "?", "Date": "????.??.??", "Round": "?"}
"""Tags that every game of a PGN file has, and what stands there if nothing is known."""

CHECKS = {
    CheckDirection.RANK: "CR",
    CheckDirection.FILE: "CF",
    CheckDirection.LONG: "CL",
    CheckDirection.SHORT: "CS",
    CheckDirection.DIAGONAL: "CD",
    CheckDirection.KNIGHT: "CK",
}

HIDDEN = "??"
"""A move of the opponent's."""


class PgnTurn(NamedTuple):
    """A turn as it is written: the move ("" if the game broke off), the tries before it, and what was said."""

    move: str
    tries: tuple[str, ...] = ()
    info: str | None = None

    def __str__(self) -> str:
        comment = ":".join(["K", ",".join(self.tries), *([] if self.info is None else [self.info])])
        return f"{self.move} {{({comment})}}".lstrip()


def info(message: Message, geometry: Geometry) -> str:
    """What the umpire has said, as in a comment.

    >>> from worldwise.kriegspiel.rules.squares import CHESS
    >>> info(Message(28, "pawn", (CheckDirection.RANK, CheckDirection.KNIGHT), 2), CHESS)
    'Te4=pawn,CR,CK,P2'
    """
    items = [CHECKS[check] for check in message.checks]
    if message.taken is not None:
        items.insert(0, f"T{geometry.name(message.taken)}" + (f"={message.piece}" if message.piece else ""))
    if message.tries is not None:
        items.append(f"P{'-+'[message.tries] if isinstance(message.tries, bool) else message.tries}")
    return ",".join([*items, *([f"E{end_name(message.end)}"] if message.end else [])])


def _turns(events: Iterable[Event]) -> Iterator[tuple[list[Event], Event | None]]:
    """Refused tries, and the move that was made after them; none if the game broke off."""
    refused: list[Event] = []
    for event in events:
        if event.is_refusal:
            refused.append(event)
        else:
            yield refused, event
            refused = []
    if refused:
        yield refused, None


# ---------------------------------------------------------------------- writing


def pgn(record: Record) -> str:
    """A record as the umpire knows it.

    >>> print(pgn(Record(white="Ann", black="Bob", result="1/2-1/2")))  # doctest: +ELLIPSIS
    [Event "?"]
    ...
    [White "Ann"]
    [Black "Bob"]
    [Result "1/2-1/2"]
    [Rules "wild16"]
    <BLANKLINE>
    1/2-1/2
    <BLANKLINE>
    """
    tags = _public_tags(record)
    if record.first != START:
        tags += [("SetUp", "1"), ("FEN", fen(record.first))]
    if told := _termination(record):
        tags.append(("Termination", told))
    tags += [(name, value) for name, value in record.tags if name not in ROSTER]
    return _game_text(tags, _umpire_turns(record), record.first.turn, record.first.number)


def _termination(record: Record) -> str:
    """Why a game is over; a game that was won on no board was given up."""
    if record.end:
        return record.end.value
    return {"1-0": "black resigned", "0-1": "white resigned"}.get(record.result, "")


def _public_tags(record: Record) -> list[tuple[str, str]]:
    """What both players may know of a game."""
    known = {**ROSTER, **dict(record.tags)}
    names = [("White", record.white or "?"), ("Black", record.black or "?"), ("Result", record.result)]
    return [*((name, known[name]) for name in ROSTER), *names, ("Rules", rules_line(record.rules))]


def _umpire_turns(record: Record) -> Iterator[PgnTurn]:
    board = record.first
    for refused, made in _turns(record.events):
        tries = tuple(_uci(event, board.geometry) for event in refused)
        if made is None or made.move is None or made.message is None:
            yield PgnTurn("", tries)
            return
        yield PgnTurn(san(board, made.move), tries, info(made.message, board.geometry))
        board = board.after(made.move)


def _uci(event: Event, geometry: Geometry) -> str:
    return uci(event.move, geometry) if event.move else "?"


def _game_text(tags: Sequence[tuple[str, str]], turns: Iterable[PgnTurn], colour: Colour, number: int) -> str:
    """Tags, an empty line, and the moves in lines of 80 characters."""
    lines = [f'[{name} "{_escape(value)}"]' for name, value in tags]
    words = []
    for turn in turns:
        words.append(f"{number}{'...' if colour else '.'} {turn}" if turn.move else str(turn))
        colour, number = colour.other, number + colour
    moves = " ".join([*words, dict(tags)["Result"]])
    return "\n".join([*lines, "", *wrap(moves, 80, break_long_words=False, break_on_hyphens=False), ""])


def _escape(value: str) -> str:
    return value.replace("\\", "\\\\").replace('"', '\\"')


def heard_pgn(record: Record, colour: Colour) -> str:
    """A record as one player could have written it: nothing in it tells more than he has heard.

    >>> from worldwise.kriegspiel.rules.squares import BLACK, read_uci
    >>> game = Kriegspiel()
    >>> state = game.play(game.start(START), read_uci("e2e4"))
    >>> heard_pgn(Record.of(state, game.rules), BLACK).splitlines()[-1]
    '1. ?? {(K::P0)} *'
    """
    observed = Kriegspiel(record.rules).observe(replay(record), colour)
    tags = [*_public_tags(record), ("Side", str(colour))]
    if observed.first.pieces != PlayerView.of(START, colour).pieces:
        tags.append(("Pieces", placement(observed.first.pieces, observed.first.geometry)))
    return _game_text(tags, _heard_turns(observed), observed.begins, 1)


def heard_moves(observed: Observed) -> list[str]:
    """All moves made, a player's own as chess players write them, the others as ``??``.

    >>> from worldwise.kriegspiel.rules.squares import WHITE, read_uci
    >>> game = Kriegspiel()
    >>> state = game.play(game.play(game.start(START), read_uci("g1f3")), read_uci("e7e5"))
    >>> heard_moves(game.observe(state, WHITE))
    ['Nf3', '??']
    """
    return [turn.move for turn in _heard_turns(observed) if turn.move]


def _heard_turns(observed: Observed) -> Iterator[PgnTurn]:
    # Who may castle is left out: castling needs telling apart from nothing.
    view = replace(observed.first, castling="")
    for refused, made in _turns(observed.events):
        tries = tuple(_uci(event, view.geometry) for event in refused)
        if made is None or made.message is None:
            yield PgnTurn("", tries)
            return
        move = HIDDEN if made.move is None else _own_move(view, made.move, made.message)
        yield PgnTurn(move, tries, info(made.message, view.geometry))
        view = _view_after(view, made.move, made.message)


def _own_move(view: PlayerView, move: ChessMove, message: Message) -> str:
    """Told apart from all that the player might have tried, legal or not: he cannot know which were."""
    sign = "#" if message.end is End.MATE else "+" if message.checks else ""
    board = ChessBoard(view.pieces, view.colour, geometry=view.geometry)
    return plain_san(board, move, view.tries, message.taken is not None) + sign


def _view_after(view: PlayerView, move: ChessMove | None, message: Message) -> PlayerView:
    """A player's own pieces after his move, or after the opponent's."""
    if move is not None:
        board = ChessBoard(view.pieces, view.colour, geometry=view.geometry)
        return replace(view, pieces=board.after(move).pieces)
    if message.taken is None:
        return view
    return replace(view, pieces=view.pieces[: message.taken] + EMPTY + view.pieces[message.taken + 1 :])
