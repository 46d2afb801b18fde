"""Players from texts: ``pimc:worlds=40,aim=tricks``, ``alphamu:worlds=20,depth=2``, ``dds``, ``random``; and back."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from worldwise.bridge.layouts.bidding_systems import NO_SYSTEM, bidding_system
from worldwise.bridge.layouts.carding import Carding
from worldwise.bridge.layouts.constraints import read_constraint
from worldwise.bridge.players.searchers import AlphaMuPlayer, PimcPlayer
from worldwise.bridge.players.simple import DoubleDummyPlayer, RandomPlayer
from worldwise.bridge.rules.goal import Aim
from worldwise.errors import UnknownNameError
from worldwise.players.names import PlayerNames

if TYPE_CHECKING:
    from worldwise.bridge.players.seats import AnyPlayer

NamedPlayer = PimcPlayer | AlphaMuPlayer | DoubleDummyPlayer | RandomPlayer

PLAYERS: dict[str, type[NamedPlayer]] = {
    player.name: player for player in (PimcPlayer, AlphaMuPlayer, DoubleDummyPlayer, RandomPlayer)
}
"""Every kind of player, by name; a kind's options are its fields."""

EXAMPLE = "pimc:worlds=40,aim=tricks"


def read_player(text: str) -> AnyPlayer:
    """The player of a text: a name, and after a colon options with commas between; constraints have ``;`` between.

    >>> read_player("pimc:worlds=10,aim=tricks")
    PimcPlayer(worlds=10, aim=<Aim.TRICKS: 'tricks'>, constraints=(), carding=<Carding.EQUAL: 'equal'>, threads=1,
    system='sayc')
    >>> read_player("pimc:world=10")
    Traceback (most recent call last):
    worldwise.errors.UnknownNameError: unknown option of pimc 'world' (did you mean 'worlds'?); known: worlds, aim,
    constraints, carding, threads, system
    """
    return _NAMES.player(text)


def player_name(player: AnyPlayer) -> str:
    """A player as a text with all that matters for what it plays; ``read_player`` reads it.

    >>> player_name(PimcPlayer(worlds=10, threads=2)), player_name(DoubleDummyPlayer())
    ('pimc:worlds=10,aim=make,carding=equal', 'dds')
    """
    return _NAMES.text(player)


def _aim(text: str) -> Aim:
    if text not in [aim.value for aim in Aim]:
        raise UnknownNameError("aim", text, [aim.value for aim in Aim])
    return Aim(text)


def _carding(text: str) -> Carding:
    if text not in list(Carding):
        raise UnknownNameError("carding", text, list(Carding))
    return Carding(text)


def _system(text: str) -> str:
    if text != NO_SYSTEM:
        bidding_system(text)
    return text


def _constraints(text: str) -> tuple[str, ...]:
    parts = tuple(part.strip() for part in text.split(";"))
    for part in parts:
        read_constraint(part)
    return parts


_NAMES = PlayerNames(
    PLAYERS,
    EXAMPLE,
    readers={"aim": _aim, "carding": _carding, "constraints": _constraints, "system": _system},
    between=re.compile(r",(?=\s*+\w++\s*+=[^=])"),  # a comma inside a constraint has no name and equals sign after it
    seldom=("system",),  # without an auction it changes nothing
    unwritten=("threads",),  # it changes how long a player thinks, and not what it plays
)
