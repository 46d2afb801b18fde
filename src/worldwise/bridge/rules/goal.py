"""What a side plays for: to make or beat the contract, for tricks, or for the score."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING

from worldwise.bridge.rules.contract import Contract, Vulnerability
from worldwise.bridge.rules.scoring import score

if TYPE_CHECKING:
    from worldwise.bridge.rules.deal import Seat
    from worldwise.bridge.rules.view import View


class Aim(Enum):
    """What is counted."""

    MAKE = "make"
    TRICKS = "tricks"
    SCORE = "score"


@dataclass(frozen=True)
class Goal:
    """An aim in a contract, as one player's side sees it.

    >>> from worldwise.bridge.rules.deal import Seat
    >>> contract = Contract.read("3NT by S")
    >>> declarer, defender = Goal(Aim.MAKE, contract, Seat.SOUTH), Goal(Aim.MAKE, contract, Seat.WEST)
    >>> declarer.payoff(9), defender.payoff(9), Goal(Aim.SCORE, contract, Seat.WEST).payoff(8)
    (1, 0, 50)
    """

    aim: Aim
    contract: Contract
    seat: Seat
    vulnerability: Vulnerability = Vulnerability.NONE
    tricks: int = 13
    """How many tricks there are in all; fewer in an ending."""

    @classmethod
    def seen_by(cls, view: View, aim: Aim, vulnerability: Vulnerability = Vulnerability.NONE) -> Goal:
        """The goal of the player whose view it is, with as many tricks as there are."""
        return cls(aim, view.contract, view.seat, vulnerability, view.pack.bit_count() // 4)

    @property
    def declares(self) -> bool:
        """Whether the player is on declarer's side."""
        return (self.seat ^ self.contract.declarer) & 1 == 0

    def payoff(self, taken: int) -> int:
        """What so many tricks for declarer's side are worth to this player's side."""
        if self.aim is Aim.MAKE:
            return int((taken >= self.contract.tricks) == self.declares)
        if self.aim is Aim.TRICKS:
            return taken if self.declares else self.tricks - taken
        points = score(self.contract, taken, self.vulnerability)
        return points if self.declares else -points
