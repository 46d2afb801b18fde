"""Players of kriegspiel from texts: ``rand``, ``greedy``, ``greedy:boards=50``; and back."""

from __future__ import annotations

import re
from dataclasses import fields
from typing import TYPE_CHECKING

from worldwise.errors import InputError, UnknownNameError
from worldwise.players.kriegspiel_players import GreedyPlayer, RandomPlayer

if TYPE_CHECKING:
    from worldwise.players.kriegspiel_players import KriegspielPlayer

NamedPlayer = RandomPlayer | GreedyPlayer

PLAYERS: dict[str, type[NamedPlayer]] = {player.name: player for player in (RandomPlayer, GreedyPlayer)}
"""Every kind of player, by name; a kind's options are its fields."""

EXAMPLE = "greedy:boards=50"


def read_player(text: str) -> KriegspielPlayer:
    """The player of a text: a name, and after a colon options with commas between.

    >>> read_player("greedy:boards=50")
    GreedyPlayer(boards=50, pool=1000)
    >>> read_player("greedy:board=50")
    Traceback (most recent call last):
    worldwise.errors.UnknownNameError: unknown option of greedy 'board' (did you mean 'boards'?); known: boards, pool
    """
    name, colon, rest = text.strip().partition(":")
    if name not in PLAYERS:
        raise UnknownNameError("player", name, PLAYERS)
    options = rest.split(",") if colon else []
    return PLAYERS[name](**dict(_option(name, option, text) for option in options))


def _option(name: str, option: str, text: str) -> tuple[str, int]:
    key, equals, value = (part.strip() for part in option.partition("="))
    known = [field.name for field in fields(PLAYERS[name])]
    if not equals or not value:
        raise InputError(f"expected options as in {EXAMPLE}, found {option!r} in {text!r}")
    if key not in known:
        raise UnknownNameError(f"option of {name}", key, known)
    if not re.fullmatch(r"[0-9]{1,6}", value):
        raise InputError(f"{name}, {key}: expected a whole number, found {value!r}")
    return key, int(value)


def player_name(player: KriegspielPlayer) -> str:
    """A player as a text with all that matters for what it plays; ``read_player`` reads it.

    >>> player_name(GreedyPlayer(boards=50)), player_name(RandomPlayer())
    ('greedy:boards=50,pool=1000', 'rand')
    """
    if not isinstance(player, NamedPlayer):
        return repr(player)
    values = {field.name: getattr(player, field.name) for field in fields(player)}
    options = [f"{key}={value}" for key, value in values.items() if value is not None]
    return player.name + (":" + ",".join(options) if options else "")
