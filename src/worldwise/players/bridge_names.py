"""Players from texts: ``pimc:worlds=40,aim=tricks``, ``alphamu:worlds=20,depth=2``, ``dds``, ``random``; and back."""

from __future__ import annotations

import re
from dataclasses import fields
from typing import TYPE_CHECKING, Any

from worldwise.errors import InputError, UnknownNameError
from worldwise.games.bridge.constraints import read_constraint
from worldwise.games.bridge.goal import Aim
from worldwise.players.bridge_players import AlphaMuPlayer, DoubleDummyPlayer, PimcPlayer, RandomPlayer

if TYPE_CHECKING:
    from collections.abc import Callable

    from worldwise.players.bridge_players import AnyPlayer

NamedPlayer = PimcPlayer | AlphaMuPlayer | DoubleDummyPlayer | RandomPlayer

PLAYERS: dict[str, type[NamedPlayer]] = {
    player.name: player for player in (PimcPlayer, AlphaMuPlayer, DoubleDummyPlayer, RandomPlayer)
}
"""Every kind of player, by name; a kind's options are its fields."""

EXAMPLE = "pimc:worlds=40,aim=tricks"

_BETWEEN = re.compile(r",(?=\s*\w+\s*=[^=])")
"""The commas between options: one inside a constraint is not followed by a name and an equals sign."""


def read_player(text: str) -> AnyPlayer:
    """The player of a text: a name, and after a colon options with commas between; constraints have ``;`` between.

    >>> read_player("pimc:worlds=10,aim=tricks")
    PimcPlayer(worlds=10, aim=<Aim.TRICKS: 'tricks'>, constraints=(), threads=1)
    >>> read_player("pimc:world=10")
    Traceback (most recent call last):
    worldwise.errors.UnknownNameError: unknown option of pimc 'world' (did you mean 'worlds'?); known: worlds, aim,
    constraints, threads
    """
    name, colon, rest = text.strip().partition(":")
    if name not in PLAYERS:
        raise UnknownNameError("player", name, PLAYERS)
    options = _BETWEEN.split(rest) if colon else []
    return PLAYERS[name](**dict(_option(name, option, text) for option in options))


def _option(name: str, option: str, text: str) -> tuple[str, Any]:
    key, equals, value = (part.strip() for part in option.partition("="))
    known = [field.name for field in fields(PLAYERS[name])]
    if not equals or not value:
        raise InputError(f"expected options as in {EXAMPLE}, found {option!r} in {text!r}")
    if key not in known:
        raise UnknownNameError(f"option of {name}", key, known)
    try:
        return key, _READERS[key](value)
    except InputError as error:
        raise InputError(f"{name}, {key}: {error}") from None


def _number(text: str) -> int:
    if not re.fullmatch(r"[0-9]{1,6}", text):
        raise InputError(f"expected a whole number, found {text!r}")
    return int(text)


def _aim(text: str) -> Aim:
    if text not in [aim.value for aim in Aim]:
        raise UnknownNameError("aim", text, [aim.value for aim in Aim])
    return Aim(text)


def _constraints(text: str) -> tuple[str, ...]:
    parts = tuple(part.strip() for part in text.split(";"))
    for part in parts:
        read_constraint(part)
    return parts


_READERS: dict[str, Callable[[str], object]] = {
    "worlds": _number,
    "depth": _number,
    "threads": _number,
    "aim": _aim,
    "constraints": _constraints,
}
"""How the values of options are read."""

_WITHOUT_EFFECT = ("threads",)
"""What changes how long a player thinks, and not what it plays."""


def player_name(player: AnyPlayer) -> str:
    """A player as a text with all that matters for what it plays; ``read_player`` reads it.

    >>> player_name(PimcPlayer(worlds=10, threads=2)), player_name(DoubleDummyPlayer())
    ('pimc:worlds=10,aim=make', 'dds')
    """
    if not isinstance(player, NamedPlayer):
        return repr(player)
    values = {field.name: getattr(player, field.name) for field in fields(player)}
    options = [f"{key}={_written(value)}" for key, value in values.items() if key not in _WITHOUT_EFFECT and value]
    return player.name + (":" + ",".join(options) if options else "")


def _written(value: object) -> str:
    if isinstance(value, Aim):
        return value.value
    return "; ".join(map(str, value)) if isinstance(value, tuple) else str(value)
