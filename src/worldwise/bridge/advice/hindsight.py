"""Hindsight: what double dummy, which sees all four hands, says of every card that was played."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from worldwise.bridge.solvers.double_dummy import card_tricks, double_dummy

if TYPE_CHECKING:
    from worldwise.bridge.rules.deal import Card
    from worldwise.bridge.rules.play import Play


@dataclass(frozen=True)
class Hindsight:
    """What the player's side takes in all, everybody seeing all cards: with the best card, and with the one played.

    ``turned`` says whether that is the contract, made by one and not by the other.
    """

    best: Card
    most: int
    taken: int
    turned: bool

    @property
    def cost(self) -> int:
        """The tricks that the card gave away."""
        return self.most - self.taken


def look_back(play: Play) -> list[Hindsight]:
    """Double dummy's opinion of every card of a play, of which all four hands are known.

    >>> from worldwise.bridge.rules.contract import Contract
    >>> from worldwise.bridge.rules.deal import Deal, read_card
    >>> from worldwise.bridge.rules.play import Play
    >>> deal, cards = Deal.read("N:AQ4... K53... 876... JT9..."), tuple(map(read_card, ["SJ", "SQ"]))
    >>> [told.cost for told in look_back(Play(deal, Contract.read("1NT by S"), cards))]
    [0, 0]
    """
    solver, told = double_dummy(play.deal, play.contract.strain), list[Hindsight]()
    position = play.start
    for card in play.cards:
        ours = position.to_move & 1
        tricks = {one: position.won[ours] + taken for one, taken in card_tricks(solver, position).items()}
        best = max(tricks, key=lambda one: (tricks[one], one == card, -(one & 15)))
        needed = _tricks_needed(play, ours)
        told.append(Hindsight(best, tricks[best], tricks[card], tricks[best] >= needed > tricks[card]))
        position = position.play(card)
    return told


def _tricks_needed(play: Play, side: int) -> int:
    """The tricks with which a side makes the contract, or beats it."""
    declares = (side ^ play.contract.declarer) & 1 == 0
    whole = play.deal.cards.bit_count() // 4
    return play.contract.tricks if declares else whole + 1 - play.contract.tricks
