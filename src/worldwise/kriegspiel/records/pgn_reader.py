"""Records of games from PGN, in the form that ``pgn`` writes: the umpire's, with a comment on every turn."""

from __future__ import annotations

import re
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from worldwise.errors import InputError, say_where
from worldwise.kriegspiel.records.pgn import HIDDEN, ROSTER, PgnTurn, info
from worldwise.kriegspiel.records.record import OWN_TAGS, Record, play_expecting, read_rules, turn_name, with_result
from worldwise.kriegspiel.records.san import read_san
from worldwise.kriegspiel.rules.board import START
from worldwise.kriegspiel.rules.fen import read_fen
from worldwise.kriegspiel.rules.game import Kriegspiel
from worldwise.kriegspiel.rules.squares import read_uci
from worldwise.kriegspiel.rules.umpire import WILD16

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from worldwise.kriegspiel.rules.game import State
    from worldwise.kriegspiel.rules.umpire import Rules

_TOKEN = re.compile(
    r"""
    \[ \s* (?P<tag>\w+) \s* "(?P<value>(?:[^"\\]|\\.)*)" \s* \]
    | \{ (?P<comment>[^}]*) \}
    | (?P<result>1-0|0-1|1/2-1/2|\*) (?![^\s{}\[\]();])
    | (?P<skipped>\s+ | ;[^\n]* | ^%[^\n]* | \$[0-9]+ | [0-9]+(?:\.+|(?=\s)))
    | (?P<move>[^\s{}\[\]();$]+)
    | (?P<fault>.)
    """,
    re.VERBOSE | re.MULTILINE,
)
_COMMENT = re.compile(r"\(K:([^:()]*)(?::([^:()]*))?\)")


class _ReadGame(NamedTuple):
    """A game as it stands in a file."""

    tags: dict[str, str]
    turns: list[PgnTurn]
    result: str | None = None


def read_pgn(text: str) -> tuple[Record, ...]:
    """The records of a file; comments on the tries may be missing, but what there is must be what the umpire says.

    >>> read_pgn('[White "Ann"] 1. e4 {(K:e2d3,e2f3:P0)} *')
    Traceback (most recent call last):
    worldwise.errors.PlacedError: game 1: move 1, white: expected one of white's tries, found e2d3
    >>> read_pgn('[White "Ann"] 1. e4 {(K::P0)} e5 *')
    (Record(white='Ann', black='', 2 tries, '*'),)
    """
    return tuple(_read_record(game, number) for number, game in enumerate(_read_games(text), 1))


def _read_games(text: str) -> Iterator[_ReadGame]:
    """Games end with a result, or where the tags of the next begin."""
    game = _ReadGame({}, [])
    for token in _TOKEN.finditer(text):
        if token["tag"] is not None and game.turns:
            yield game
            game = _ReadGame({}, [])
        if token["result"] is not None:
            yield game._replace(result=token["result"])
            game = _ReadGame({}, [])
        else:
            _take(game, token, text)
    if game.tags or game.turns:
        yield game


def read_pgn_beginning(text: str) -> Record | None:
    """As much of a damaged file's first game as makes sense; None if not even its first board and rules do.

    >>> read_pgn_beginning('[White "Ann"] 1. e4 {(K::P0)} e5 2. Ke8 *')
    Record(white='Ann', black='', 2 tries, '*')
    """
    game = _ReadGame({}, [])
    with suppress(InputError):
        for token in _TOKEN.finditer(text):
            if token["result"] is not None:
                break
            _take(game, token, text)
    try:
        rules, state = _start(game.tags)
        record = Record.of(state, rules, *_names(game.tags))
    except InputError:
        return None
    with suppress(InputError):
        for turn in game.turns:
            state = _replay_turn(Kriegspiel(rules), state, turn)
    return replace(record, events=state.events)


def _take(game: _ReadGame, token: re.Match[str], text: str) -> None:
    if token["tag"] is not None:
        game.tags[token["tag"]] = re.sub(r"\\(.)", r"\1", token["value"])
    elif token["move"] is not None:
        game.turns.append(PgnTurn(token["move"]))
    elif token["comment"] is not None:
        _take_comment(game.turns, "".join(token["comment"].split()))
    elif token["fault"] is not None:
        line = text.count("\n", 0, token.start()) + 1
        raise InputError(f"line {line}: expected tags, moves, comments and results, found {token['fault']!r}")


def _take_comment(turns: list[PgnTurn], comment: str) -> None:
    """Other people's comments are left out."""
    if not comment.startswith("(K:"):
        return
    found = _COMMENT.fullmatch(comment)
    if found is None or (found[2] is not None and not (turns and turns[-1].move and turns[-1].info is None)):
        raise InputError(f"expected a comment such as (K:e2e4:Te5,P0) after a move, found {comment!r:.80}")
    tries = tuple(filter(None, found[1].split(",")))
    if found[2] is None:
        turns.append(PgnTurn("", tries))
    else:
        turns[-1] = PgnTurn(turns[-1].move, tries, found[2])


def _read_record(read: _ReadGame, number: int) -> Record:
    tags = dict(read.tags)
    with say_where(f"game {number}"):
        rules, state = _start(tags)
        for turn in read.turns:
            with say_where(turn_name(state)):
                state = _replay_turn(Kriegspiel(rules), state, turn)
        other = tuple((name, value) for name, value in tags.items() if _is_told(name, value))
        record = Record.of(state, rules, *_names(tags), other)
        return with_result(record, _result(read, record))


def _start(tags: Mapping[str, str]) -> tuple[Rules, State]:
    rules = read_rules(tags["Rules"]) if "Rules" in tags else WILD16
    return rules, Kriegspiel(rules).start(read_fen(tags["FEN"]) if "FEN" in tags else START)


def _names(tags: Mapping[str, str]) -> tuple[str, str]:
    """White's and Black's."""
    white, black = ("" if tags.get(name, "?") == "?" else tags[name] for name in ("White", "Black"))
    return white, black


def _is_told(name: str, value: str) -> bool:
    """Whether a tag says something that a record has no field for."""
    return name not in OWN_TAGS and value != ROSTER.get(name)


def _result(read: _ReadGame, record: Record) -> str:
    """What stands after the moves, or in the tag; both must agree."""
    tag = read.tags.get("Result")
    if tag is not None and read.result is not None and tag != read.result:
        raise InputError(f"expected the result {tag} of the tag after the moves, found {read.result}")
    return read.result or tag or record.result


def _replay_turn(game: Kriegspiel, state: State, turn: PgnTurn) -> State:
    board = state.board
    for text in turn.tries:
        state = play_expecting(game, state, read_uci(text, board.geometry), refused=True)
    if not turn.move:
        return state
    if turn.move == HIDDEN:
        raise InputError(f"expected the umpire's record, found a move that one player has not seen ({HIDDEN})")
    state = play_expecting(game, state, read_san(board, turn.move), refused=False)
    said = state.events[-1].message
    expected = info(said, board.geometry) if said else ""
    if turn.info is not None and set(turn.info.split(",")) != set(expected.split(",")):
        raise InputError(f"expected the umpire to say {expected or 'nothing'}, found {turn.info or 'nothing'}")
    return state
