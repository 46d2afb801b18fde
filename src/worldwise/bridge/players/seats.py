"""What it is to sit at a bridge table: to hear what the seat sees, and nothing else, and to say which card to play.

A player is a frozen dataclass of its parameters, whose repr is what experiments log; a text such as
``pimc:worlds=40,aim=tricks`` means the same. For a board it takes a seat, and what it remembers from move to move it
remembers there. A player who sees all four hands is another kind of thing, ``SeesAll``: the referee must know which
of the two he has before him.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol, runtime_checkable

from worldwise.bridge.rules.contract import Vulnerability

if TYPE_CHECKING:
    from worldwise.bridge.rules.deal import Card
    from worldwise.bridge.rules.play import Play
    from worldwise.bridge.rules.view import View


class SeatedPlayer(Protocol):
    """A player at the table, for one board."""

    def choose(self, view: View) -> Card:
        """The card to play next, by what the seat has seen so far; it is this player's turn."""


class SeatedSeeing(Protocol):
    """A player at the table who is shown everything."""

    def choose_seeing(self, play: Play) -> Card:
        """The card to play next."""


@runtime_checkable
class BridgePlayer(Protocol):
    """A player who hears observations only."""

    def sit(self, seed: int, vulnerability: Vulnerability = Vulnerability.NONE) -> SeatedPlayer:
        """Take a seat for one board; the same seed and the same views give the same cards."""


@runtime_checkable
class SeesAll(Protocol):
    """A player who looks into all hands: no player, but a measure of how well one could do."""

    def sit_seeing(self, seed: int) -> SeatedSeeing:
        """Take a seat for one board."""


AnyPlayer = BridgePlayer | SeesAll
