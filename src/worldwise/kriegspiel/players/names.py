"""Players of kriegspiel from texts: ``rand``, ``greedy:boards=50``, ``overconfident:2``, ``mixed:2,0.3``; and back."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from worldwise.errors import InputError
from worldwise.kriegspiel.players.board_vote import VotePlayer
from worldwise.kriegspiel.players.engine_vote import EnginePlayer
from worldwise.kriegspiel.players.random_and_greedy import GreedyPlayer, RandomTriesPlayer
from worldwise.kriegspiel.players.searchers import (
    VARIED,
    HSPlayer,
    MixedPlayer,
    OverconfidentPlayer,
    ParanoidPlayer,
    SearchingPlayer,
    WaryPlayer,
)
from worldwise.kriegspiel.players.simple_heuristics import SimpleHeuristicsPlayer
from worldwise.players.names import PlayerNames, share, switch, word

if TYPE_CHECKING:
    from worldwise.kriegspiel.players.player import KriegspielPlayer

NamedPlayer = (
    RandomTriesPlayer
    | SimpleHeuristicsPlayer
    | GreedyPlayer
    | HSPlayer
    | OverconfidentPlayer
    | ParanoidPlayer
    | MixedPlayer
    | WaryPlayer
    | VotePlayer
    | EnginePlayer
)

PLAYERS: dict[str, type[NamedPlayer]] = {
    player.name: player
    for player in (
        RandomTriesPlayer,
        SimpleHeuristicsPlayer,
        GreedyPlayer,
        HSPlayer,
        OverconfidentPlayer,
        ParanoidPlayer,
        MixedPlayer,
        WaryPlayer,
        VotePlayer,
        EnginePlayer,
    )
}
"""Every kind of player, by name; a kind's options are its fields."""

FORMS = (
    "rand",
    "simple",
    "greedy",
    "HS:D",
    "overconfident:D",
    "paranoid:D",
    "mixed:D,CAUTION",
    "wary:D",
    "vote:D",
    "engine",
)
"""How they are written, D being a depth; as help has it."""

STRONGEST = "vote:2"
"""Who plays against people if nobody says."""

LEVELS = {"beginner": "simple", "casual": "greedy", "club": "overconfident:2", "expert": STRONGEST}
"""How strong an opponent is to be, for people: who that is."""

EXAMPLE = "greedy:boards=50"


def _amount(text: str) -> float:
    if not re.fullmatch(r"[0-9]{1,3}(\.[0-9]{1,20})?", text):
        raise InputError(f"expected a number from 0 to 999, found {text!r}")
    return float(text)


_NAMES = PlayerNames(
    PLAYERS,
    EXAMPLE,
    readers={
        "caution": share,
        "fear": share,
        "mates": switch,
        "refill": switch,
        "again": share,
        "leaf": word,
        "vary": share,
        "greed": _amount,
        "seconds": _amount,
    },
    unnamed={
        "HS": ("depth",),
        "overconfident": ("depth",),
        "paranoid": ("depth",),
        "mixed": ("depth", "caution"),
        "wary": ("depth",),
        "vote": ("depth",),
    },
    seldom=("refill", "again", "leaf", "vary", "fear", "greed", "caution"),
)


def read_player(text: str) -> KriegspielPlayer:
    """The player of a text: a name, and after a colon options with commas between; depth needs no name. Or a level.

    >>> read_player("greedy:boards=50")
    GreedyPlayer(boards=50, pool=1000)
    >>> read_player("mixed:2,0.3").caution
    0.3
    >>> read_player("beginner")
    SimpleHeuristicsPlayer()
    >>> read_player("greedy:board=50")
    Traceback (most recent call last):
    worldwise.errors.UnknownNameError: unknown option of greedy 'board' (did you mean 'boards'?); known: boards, pool
    """
    return _NAMES.player(LEVELS.get(text.strip(), text))


def read_opponent(text: str) -> KriegspielPlayer:
    """The same for who plays against people: if he searches, and it is not said by how much, he varies.

    >>> read_opponent("overconfident:2").vary, read_opponent("overconfident:2,vary=0").vary
    (0.05, 0.0)
    """
    player = read_player(text)
    if isinstance(player, (SearchingPlayer, HSPlayer, VotePlayer, EnginePlayer)) and player.vary is None:
        return replace(player, vary=VARIED)
    return player


def player_name(player: KriegspielPlayer) -> str:
    """A player as a text with all that matters for what it plays; ``read_player`` reads it.

    >>> player_name(GreedyPlayer(boards=50)), player_name(RandomTriesPlayer()), player_name(MixedPlayer(3))
    ('greedy:boards=50,pool=1000', 'rand', 'mixed:3,0.3,pool=1000,mates=on')
    """
    return _NAMES.text(player)


def short_name(player: KriegspielPlayer) -> str:
    """The same for people, without what is as usual.

    >>> short_name(GreedyPlayer(boards=50)), short_name(MixedPlayer(3))
    ('greedy:boards=50', 'mixed:3,0.3')
    """
    return _NAMES.short(player)
