"""The simple players of bridge: one that plays anything, and one that sees all four hands."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from worldwise.bridge.players.world_sample import dice, legal_cards
from worldwise.bridge.rules.contract import Vulnerability
from worldwise.bridge.rules.deal import cards_in
from worldwise.bridge.solvers.double_dummy import card_tricks, double_dummy

if TYPE_CHECKING:
    from worldwise.bridge.players.seats import SeatedPlayer, SeatedSeeing
    from worldwise.bridge.rules.deal import Card, Deal
    from worldwise.bridge.rules.play import Play
    from worldwise.bridge.rules.view import View
    from worldwise.bridge.solvers.double_dummy import DoubleDummySolver


@dataclass(frozen=True)
class RandomPlayer:
    """Plays any card that the rules allow."""

    name: ClassVar[str] = "random"

    def sit(self, seed: int, vulnerability: Vulnerability = Vulnerability.NONE) -> SeatedPlayer:  # noqa: ARG002
        """Take a seat."""
        return _SeatedRandom(seed)


@dataclass(frozen=True)
class _SeatedRandom:
    seed: int

    def choose(self, view: View) -> Card:
        return dice(self.seed, view).choice(legal_cards(view))


@dataclass(frozen=True)
class DoubleDummyPlayer:
    """Sees all four hands and never errs against others who do: the ceiling for players who see less.

    It takes all the tricks it can. For the contract alone nobody does better as declarer; as defence it is as strong
    as the defenders of the best-defence model.
    """

    name: ClassVar[str] = "dds"

    def sit_seeing(self, seed: int) -> SeatedSeeing:  # noqa: ARG002
        """Take a seat."""
        return _SeatedDoubleDummy()


@dataclass
class _SeatedDoubleDummy:
    deal: Deal | None = None
    solver: DoubleDummySolver | None = None

    def choose_seeing(self, play: Play) -> Card:
        legal = list(cards_in(play.position.legal))
        if len(legal) == 1:
            return legal[0]
        if self.solver is None or self.deal != play.deal:
            self.deal, self.solver = play.deal, double_dummy(play.deal, play.contract.strain)
        tricks = card_tricks(self.solver, play.position)
        most = max(tricks.values())
        return min((card for card in legal if tricks[card] == most), key=lambda card: card & 15)
