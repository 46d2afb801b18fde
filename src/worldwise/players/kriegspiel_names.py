"""Players of kriegspiel from texts: ``rand``, ``greedy:boards=50``, ``overconfident:2``, ``mixed:2,0.3``; and back."""

from __future__ import annotations

import re
from dataclasses import fields
from typing import TYPE_CHECKING, Any

from worldwise.errors import InputError, UnknownNameError
from worldwise.players.kriegspiel_players import GreedyPlayer, RandomPlayer
from worldwise.players.kriegspiel_searchers import HSPlayer, MixedPlayer, OverconfidentPlayer, ParanoidPlayer

if TYPE_CHECKING:
    from collections.abc import Callable

    from worldwise.players.kriegspiel_seats import KriegspielPlayer

NamedPlayer = RandomPlayer | GreedyPlayer | HSPlayer | OverconfidentPlayer | ParanoidPlayer | MixedPlayer

PLAYERS: dict[str, type[NamedPlayer]] = {
    player.name: player
    for player in (RandomPlayer, GreedyPlayer, HSPlayer, OverconfidentPlayer, ParanoidPlayer, MixedPlayer)
}
"""Every kind of player, by name; a kind's options are its fields."""

FORMS = ("rand", "greedy", "HS:D", "overconfident:D", "paranoid:D", "mixed:D,CAUTION")
"""How they are written, D being a depth; as help has it."""

STRONGEST = "overconfident:2"
"""Who plays against people if nobody says."""

EXAMPLE = "greedy:boards=50"

_UNNAMED = {"HS": ("depth",), "overconfident": ("depth",), "paranoid": ("depth",), "mixed": ("depth", "caution")}
"""Options that may come first without their names, in this order."""


def read_player(text: str) -> KriegspielPlayer:
    """The player of a text: a name, and after a colon options with commas between; depth needs no name.

    >>> read_player("mixed:2,0.3,boards=50")
    MixedPlayer(depth=2, boards=50, pool=1000, mates=True, caution=0.3)
    >>> read_player("greedy:board=50")
    Traceback (most recent call last):
    worldwise.errors.UnknownNameError: unknown option of greedy 'board' (did you mean 'boards'?); known: boards, pool
    """
    name, colon, rest = text.strip().partition(":")
    if name not in PLAYERS:
        raise UnknownNameError("player", name, PLAYERS)
    options = rest.split(",") if colon else []
    return PLAYERS[name](**dict(_option(name, place, option, text) for place, option in enumerate(options)))


def _option(name: str, place: int, option: str, text: str) -> tuple[str, Any]:
    key, equals, value = (part.strip() for part in option.partition("="))
    unnamed = _UNNAMED.get(name, ())
    if key and not equals and place < len(unnamed):
        key, value = unnamed[place], key
    known = [field.name for field in fields(PLAYERS[name])]
    if not value:
        raise InputError(f"expected options as in {EXAMPLE}, found {option!r} in {text!r}")
    if key not in known:
        raise UnknownNameError(f"option of {name}", key, known)
    try:
        return key, _READERS.get(key, _number)(value)
    except InputError as error:
        raise InputError(f"{name}, {key}: {error}") from None


def _number(text: str) -> int:
    if not re.fullmatch(r"[0-9]{1,6}", text):
        raise InputError(f"expected a whole number, found {text!r}")
    return int(text)


def _share(text: str) -> float:
    if not re.fullmatch(r"[01]?\.?[0-9]{1,6}", text):
        raise InputError(f"expected a number from 0 to 1, found {text!r}")
    return float(text)


def _switch(text: str) -> bool:
    if text not in ("on", "off"):
        raise InputError(f"expected on or off, found {text!r}")
    return text == "on"


_READERS: dict[str, Callable[[str], object]] = {"caution": _share, "mates": _switch}
"""How options are read that are no whole numbers."""


def player_name(player: KriegspielPlayer) -> str:
    """A player as a text with all that matters for what it plays; ``read_player`` reads it.

    >>> player_name(GreedyPlayer(boards=50)), player_name(RandomPlayer()), player_name(MixedPlayer(3))
    ('greedy:boards=50,pool=1000', 'rand', 'mixed:3,0.3,pool=1000,mates=on')
    """
    if not isinstance(player, NamedPlayer):
        return repr(player)
    values = {field.name: getattr(player, field.name) for field in fields(player)}
    options = [_written(values.pop(key)) for key in _UNNAMED.get(player.name, ())]
    options += [f"{key}={_written(value)}" for key, value in values.items() if value is not None]
    return player.name + (":" + ",".join(options) if options else "")


def _written(value: object) -> str:
    return ("off", "on")[value] if isinstance(value, bool) else str(value)
