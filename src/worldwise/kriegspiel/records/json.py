"""Records of games in JSON: what ``record_json`` makes of one, ``read_record_json`` reads, answer by answer."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from worldwise.errors import InputError, say_where
from worldwise.kriegspiel.records.record import (
    Record,
    end_name,
    play_expecting,
    read_rules,
    rules_line,
    turn_name,
    with_result,
)
from worldwise.kriegspiel.rules.fen import fen, read_fen
from worldwise.kriegspiel.rules.game import Kriegspiel
from worldwise.kriegspiel.rules.squares import read_uci, uci

if TYPE_CHECKING:
    from worldwise.kriegspiel.rules.game import Event, State
    from worldwise.kriegspiel.rules.squares import Geometry
    from worldwise.kriegspiel.rules.umpire import Message


def record_json(record: Record) -> dict[str, Any]:
    """A record in JSON's types.

    >>> record_json(Record(white="Ann"))["white"], record_json(Record())["rules"]
    ('Ann', 'wild16')
    """
    geometry = record.first.geometry
    return {
        "white": record.white,
        "black": record.black,
        "tags": dict(record.tags),
        "rules": rules_line(record.rules),
        "fen": fen(record.first),
        "tries": [_event_json(event, geometry) for event in record.events],
        "result": record.result,
        "end": end_name(record.end),
    }


def _event_json(event: Event, geometry: Geometry) -> dict[str, Any]:
    return {
        "by": str(event.colour),
        "move": uci(event.move, geometry) if event.move else None,
        "answer": message_json(event.message, geometry) if event.message else None,
    }


def message_json(message: Message, geometry: Geometry) -> dict[str, Any]:
    """What the umpire says, in JSON's types.

    >>> from worldwise.kriegspiel.rules.squares import CHESS
    >>> from worldwise.kriegspiel.rules.umpire import Message
    >>> message_json(Message(28, "pawn", tries=1), CHESS)
    {'taken': 'e4', 'man': 'pawn', 'checks': [], 'tries': 1, 'end': None}
    """
    return {
        "taken": None if message.taken is None else geometry.name(message.taken),
        "man": message.piece,
        "checks": [check.name.lower() for check in message.checks],
        "tries": message.tries,
        "end": end_name(message.end),
    }


def read_record_json(data: Any) -> Record:
    """The record that ``record_json`` has made; every answer must be the umpire's own.

    >>> read_record_json(record_json(Record(white="Ann"))).white
    'Ann'
    """
    return replay_record_json(data)[0]


def replay_record_json(data: Any) -> tuple[Record, State]:
    """The same, and where the game stands."""
    keys = record_json(Record())
    if not isinstance(data, dict) or set(data) != set(keys):
        raise InputError(f"expected a record with {', '.join(keys)}, found {data!r:.60}")
    for key, example in keys.items():
        if not isinstance(data[key], type(example)) and not (key == "end" and isinstance(data[key], str)):
            raise InputError(f"expected {key!r} in a record to be a {type(example).__name__}, found {data[key]!r:.60}")
    if not all(isinstance(value, str) for value in data["tags"].values()):
        raise InputError(f"expected the tags of a record to be text, found {data['tags']!r:.60}")
    game = Kriegspiel(read_rules(data["rules"]))
    state = game.start(read_fen(data["fen"]))
    for item in data["tries"]:
        with say_where(turn_name(state)):
            state = _read_event(game, state, item)
    found = Record.of(state, game.rules, data["white"], data["black"], tuple(data["tags"].items()))
    if data["end"] != end_name(state.end):
        raise InputError(f"expected the end to be {end_name(state.end)}, found {data['end']}")
    return with_result(found, data["result"]), state


def read_json_beginning(data: Any) -> Record | None:
    """As much of a damaged record as makes sense; None if not even its first board and rules do."""
    try:
        game = Kriegspiel(read_rules(data["rules"]))
        state, tries = game.start(read_fen(data["fen"])), list(data["tries"])
        record = Record.of(state, game.rules, str(data["white"]), str(data["black"]))
    except (InputError, LookupError, TypeError, AttributeError):
        return None
    with suppress(InputError):
        for item in tries:
            state = _read_event(game, state, item)
    return replace(record, events=state.events)


def _read_event(game: Kriegspiel, state: State, item: Any) -> State:
    geometry = state.board.geometry
    if not isinstance(item, dict) or set(item) != {"by", "move", "answer"} or not isinstance(item["move"], str):
        raise InputError(f"expected a try with by, move and answer, found {item!r:.60}")
    if item["by"] != str(state.board.turn):
        raise InputError(f"expected a try of {state.board.turn}'s, found {item!r:.60}")
    after = play_expecting(game, state, read_uci(item["move"], geometry), item["answer"] is None)
    expected = _event_json(after.events[-1], geometry)["answer"]
    if item["answer"] != expected:
        raise InputError(f"expected the umpire to say {expected}, found {item['answer']!r:.200}")
    return after
