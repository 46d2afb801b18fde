"""A card played out: what becomes of it if declarer plays on by what he sees, against defenders who see all cards.

What a search says of a card is what can be had at most: beyond its horizon every card lies open. Playing on to the end,
again and again by the same search, gives what was had. Against defenders who never err double dummy that is little
enough to count on, but no proof: other defenders may lead declarer astray with cards that cost them nothing.
"""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

from worldwise.bridge.layouts.evidence import USUAL, Evidence
from worldwise.bridge.rules.deal import cards_in
from worldwise.bridge.rules.goal import Aim, Goal
from worldwise.bridge.rules.play import Play
from worldwise.bridge.rules.view import view_of
from worldwise.bridge.solvers.alphamu import BridgeAlphaMu
from worldwise.bridge.solvers.card_values import choices_of
from worldwise.bridge.solvers.double_dummy import card_tricks
from worldwise.bridge.solvers.pimc import Pimc, SolverCache

if TYPE_CHECKING:
    from collections.abc import Sequence

    from worldwise.bridge.rules.auction import Auction
    from worldwise.bridge.rules.deal import Card, Deal
    from worldwise.bridge.rules.view import View
    from worldwise.core.result import Clock

DEPTH, WORLDS = 2, 20
"""How far ahead, and over how many layouts, declarer looks while he plays on, unless one says otherwise."""


def play_out(
    view: View,
    card: Card,
    deals: Sequence[Deal],
    seed: int,
    clock: Clock,
    evidence: Evidence = USUAL,
) -> list[bool]:
    """Whether declarer makes his contract in each deal if he begins with a card; fewer deals if the clock runs out."""
    made = []
    solvers = SolverCache(view.contract.strain, 3 * WORLDS + len(deals))
    table = SeeingDefence(solvers, seed, evidence, view.auction)
    for deal in deals:
        if clock.ran_out(0):
            break
        made.append(table.play_to_the_end(Play(deal, view.contract, (*view.played, card))))
    return made


class SeeingDefence:
    """Declarer, who samples so many ``worlds`` and asks a ``search`` for his card, and defenders who see everything."""

    def __init__(
        self,
        solvers: SolverCache,
        seed: int,
        evidence: Evidence = USUAL,
        auction: Auction | None = None,
        search: BridgeAlphaMu | Pimc | None = None,
        worlds: int = WORLDS,
    ) -> None:
        self.solvers, self.seed, self.evidence, self.auction = solvers, seed, evidence, auction
        self.search, self.worlds = search or BridgeAlphaMu(DEPTH), worlds
        self._chosen: dict[View, Card] = {}

    def play_to_the_end(self, play: Play) -> bool:
        """Play a deal out, as long as it is not decided."""
        solver = self.solvers(play.deal)
        while play.needed > 0 and solver.can_take(play.position, play.needed, play.contract.declarer):
            play = play.then(
                self._declarers_card(play) if play.turn == play.contract.declarer else self._defenders_card(play)
            )
        return play.needed <= 0

    def _defenders_card(self, play: Play) -> Card:
        """A card that takes the most tricks, the lowest of them."""
        legal = list(cards_in(play.position.legal))
        if len(legal) == 1:
            return legal[0]
        tricks = card_tricks(self.solvers(play.deal), play.position)
        most = max(tricks.values())
        return min((card for card in legal if tricks[card] == most), key=lambda card: card & 15)

    def _declarers_card(self, play: Play) -> Card:
        """What the search decides on, if there is a choice; the same whenever it sees the same."""
        if play.position.legal.bit_count() == 1:
            return play.position.legal.bit_length() - 1
        view = view_of(play, play.contract.declarer, self.auction)
        if view not in self._chosen:
            self._chosen[view] = self._decide(view)
        return self._chosen[view]

    def _decide(self, view: View) -> Card:
        rng = Random(f"{self.seed} {len(view.played)}")
        # A large pool would take most of the time, at every card of every deal.
        drawn = self.evidence.draw(view, self.worlds, rng, pool=0)
        choices = choices_of(view, drawn.worlds[0])
        if len(choices) == 1:
            return choices[0][-1]
        goal = Goal.seen_by(view, Aim.MAKE)
        return self.search.evaluate(view, drawn.worlds, weights=drawn.weights, goal=goal, solvers=self.solvers).best
