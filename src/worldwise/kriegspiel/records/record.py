"""Records of games: who played by which rules, every try with its answer, and how it ended.

A record is told by nobody but the umpire: ``replay`` plays it again and refuses what he would not have said.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, fields, replace
from enum import Enum
from typing import TYPE_CHECKING, Any

from worldwise.errors import InputError, UnknownNameError, say_where
from worldwise.kriegspiel.rules.board import START, ChessBoard
from worldwise.kriegspiel.rules.game import Kriegspiel
from worldwise.kriegspiel.rules.squares import uci
from worldwise.kriegspiel.rules.umpire import RULES, WILD16, Captured, End, PawnTries, Rules

if TYPE_CHECKING:
    from worldwise.kriegspiel.rules.game import Event, State
    from worldwise.kriegspiel.rules.squares import ChessMove

MOST_TRIES = 20_000
"""Of one game in a file: more than the longest game of chess has, and few enough to be played again."""

RESULTS = ("1-0", "0-1", "1/2-1/2", "*")
"""White has won, Black has won, a draw, not over."""

OWN_TAGS = ("White", "Black", "Result", "Rules", "SetUp", "FEN", "Termination", "Format", "Checksum")
"""Tags of PGN that say what a record has fields for, or what its file is."""

Tags = tuple[tuple[str, str], ...]
"""Names and values."""


@dataclass(frozen=True)
class Record:
    """A game from a first board on; ``tags`` are what else is known of it, such as Date, Round or Seed, in any order.

    A game that was not played to its end may have any result: somebody resigned, or both agreed.

    >>> Record(white="Ann", result="1-0")
    Record(white='Ann', black='', 0 tries, '1-0')
    """

    rules: Rules = WILD16
    first: ChessBoard = START
    events: tuple[Event, ...] = ()
    result: str = "*"
    end: End | None = None
    white: str = ""
    black: str = ""
    tags: Tags = ()

    def __post_init__(self) -> None:
        for name, times in Counter(name for name, _ in self.tags).items():
            if not re.fullmatch("[A-Za-z0-9_]+", name) or name in OWN_TAGS or times > 1:
                raise InputError(f"expected a tag of one word that says something else of the game, found {name!r}")
        for text in (self.white, self.black, *(value for _, value in self.tags)):
            if not text.isprintable():
                raise InputError(f"expected printable names and tags, found {text!r}")
        if self.result not in RESULTS:
            raise InputError(f"expected a result ({', '.join(RESULTS)}), found {self.result!r}")
        object.__setattr__(self, "tags", tuple(sorted(self.tags)))

    def __repr__(self) -> str:
        return f"Record(white={self.white!r}, black={self.black!r}, {len(self.events)} tries, {self.result!r})"

    @classmethod
    def of(cls, state: State, rules: Rules, white: str = "", black: str = "", tags: Tags = ()) -> Record:
        """The record of a game so far.

        >>> from worldwise.kriegspiel.rules.squares import read_uci
        >>> game = Kriegspiel()
        >>> state = game.play(game.start(START), read_uci("e2e4"))
        >>> Record.of(state, game.rules, "Ann", "Bob")
        Record(white='Ann', black='Bob', 1 tries, '*')
        """
        return cls(rules, state.first, state.events, result_of(state), state.end, white, black, tags)


def result_of(state: State) -> str:
    """The result as PGN writes it."""
    if state.end is None:
        return "*"
    if state.end is not End.MATE:
        return "1/2-1/2"
    return RESULTS[state.board.turn.other]


def replay(record: Record) -> State:
    """The last position of a recorded game, every answer having been given again by the umpire.

    >>> replay(Record()).board.turn
    <Colour.WHITE: 0>
    """
    game = Kriegspiel(record.rules, (record.first,))
    state = game.start(record.first)
    for event in record.events:
        with say_where(turn_name(state)):
            state = _replay_event(game, state, event)
    _check_end(record, state)
    return state


def turn_name(state: State) -> str:
    """Where in a game we are, for errors."""
    return f"move {state.board.number}, {state.board.turn}"


def _replay_event(game: Kriegspiel, state: State, event: Event) -> State:
    if event.colour is not state.board.turn or event.move is None:
        raise InputError(f"expected a try of {state.board.turn}'s, found {event}")
    after = play_expecting(game, state, event.move, event.is_refusal)
    if after.events[-1] != event:
        raise InputError(f"expected the umpire to say {after.events[-1].message}, found {event.message}")
    return after


def play_expecting(game: Kriegspiel, state: State, move: ChessMove, refused: bool) -> State:
    """After a try whose answer is known."""
    if len(state.events) >= MOST_TRIES:
        raise InputError(f"expected a game of at most {MOST_TRIES:,} tries, found more")
    after = game.play(state, move)
    if after.events[-1].is_refusal is not refused:
        expected, found = ("made", "refused") if refused else ("refused", "made")
        raise InputError(f"expected {uci(move, state.board.geometry)} to be {expected}, found it {found}")
    return after


def _check_end(record: Record, state: State) -> None:
    if record.end is not state.end:
        raise InputError(f"expected the end to be {end_name(state.end)}, found {end_name(record.end)}")
    if state.end and record.result != result_of(state):
        raise InputError(f"expected the result {result_of(state)} ({state.end.value}), found {record.result!r}")


def end_name(end: End | None) -> str | None:
    """In one word."""
    return end.name.lower() if end else None


def with_result(record: Record, result: str) -> Record:
    """A record with the result that a file has; a game that is over allows one only."""
    if record.end and result != record.result:
        raise InputError(f"expected the result {record.result} ({record.end.value}), found {result!r}")
    return replace(record, result=result)


# ---------------------------------------------------------------------- rules in a line


def rules_line(rules: Rules) -> str:
    """The name of a rule set, and what is otherwise than in the one of that name.

    >>> rules_line(replace(WILD16, ply_limit=160, fifty=False))
    'wild16 fifty=no ply_limit=160'
    """
    base = RULES.get(rules.name)
    told = {field.name: getattr(rules, field.name) for field in fields(rules)[1:]}
    items = [
        f"{name}={_flag_text(value)}" for name, value in told.items() if base is None or value != getattr(base, name)
    ]
    return " ".join([rules.name, *items])


def read_rules(line: str) -> Rules:
    """The rule set that a line says; one of another name than ours must say everything.

    >>> read_rules("berkeley ply_limit=160").ply_limit
    160
    """
    name, *items = line.split() or [""]
    given = dict(_read_flag(item) for item in items)
    everything = {field.name for field in fields(Rules)[1:]}
    if name not in RULES and set(given) != everything:
        raise UnknownNameError("rule set", name, RULES)
    return replace(RULES.get(name, WILD16), name=name, **given)


def _flag_text(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return value.name.lower() if isinstance(value, Enum) else "none" if value is None else str(value)


def _read_flag(item: str) -> tuple[str, Any]:
    name, _, word = item.partition("=")
    allowed: dict[str, Any] = {"yes": True, "no": False}
    if name in ("captured", "pawn_tries"):
        allowed = {kind.name.lower(): kind for kind in (Captured if name == "captured" else PawnTries)}
    elif name in ("ply_limit", "quiet_limit"):
        allowed = {"none": None, **({word: int(word)} if re.fullmatch("[0-9]{1,6}", word) else {})}
    if name not in {field.name for field in fields(Rules)[1:]} or word not in allowed:
        raise InputError(f"expected rules such as 'wild16 ply_limit=160 fifty=no', found {item!r}")
    return name, allowed[word]
