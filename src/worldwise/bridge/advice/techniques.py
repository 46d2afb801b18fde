"""The name of what a card does, where it has one and the search bears it out: finesse, drop, hold-up, throw-in ...

A name is given for the difference between two cards, not for the looks of one: in every layout in which only the better
card succeeds, what the name promises must be true. A finesse against West's queen is one only if West has the queen in
all of these; a throw-in only if the contract would fail with anybody else on lead. So the name explains, and where
nothing can be verified there is none.

Double dummy verifies who must have the lead after the trick, everybody playing his best. All else follows from the
cards of the layouts.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TYPE_CHECKING

from worldwise.bridge.rules.deal import SUIT_CARDS, cards_in, set_of
from worldwise.bridge.rules.play import winning_place
from worldwise.bridge.solvers.double_dummy import card_tricks

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from worldwise.bridge.advice.differences import Difference
    from worldwise.bridge.rules.deal import Card, Cards, Deal, Seat
    from worldwise.bridge.rules.play import Position
    from worldwise.bridge.rules.view import View
    from worldwise.bridge.solvers.pimc import SolverCache

JACK = 11

SOLVED_FROM = 9
"""With more cards a hand than this, nobody looks into who must have the lead."""

MOST_SOLVED = 8
"""In so many of the layouts that tell, who must have the lead is looked into."""


class Technique(StrEnum):
    """What a card does.

    ``FINESSE``          it wins if ``seat``, who plays before the tenace, has ``card``
    ``RUFFING_FINESSE``  an honour is led through ``seat``'s ``card``, and ruffed out or let run
    ``TOWARDS``          it is led towards ``card``, which wins or lives if ``seat`` has the missing honour
    ``DROP``             it plays for ``card`` to fall
    ``HOLD_UP``          a suit that the other side leads is not won yet with ``card``
    ``DUCK``             a trick in a suit of one's own is lost that ``card`` could win
    ``UNBLOCK``          a high card goes where a low one would do, so as not to block the suit
    ``THROW_IN``         ``seat`` gets the lead, and any card he leads gives a trick away
    ``AVOIDANCE``        the lead is lost to ``seat``; the contract would fail if his partner got it
    """

    FINESSE = "finesse"
    RUFFING_FINESSE = "ruffing finesse"
    TOWARDS = "lead towards an honour"
    DROP = "drop"
    HOLD_UP = "hold-up"
    DUCK = "duck"
    UNBLOCK = "unblock"
    THROW_IN = "throw-in"
    AVOIDANCE = "avoidance"


@dataclass(frozen=True)
class NamedTechnique:
    """A technique, against whom it works or who gets the lead, and the card that it is about."""

    technique: Technique
    seat: Seat | None = None
    card: Card | None = None


def technique_between(
    view: View, worlds: Sequence[Deal], best: Card, other: Card, why: Difference, solvers: SolverCache
) -> NamedTechnique | None:
    """The technique by which one card succeeds where another does not; None if there is none that can be verified.

    >>> from worldwise.bridge.advice.advise import advise
    >>> from worldwise.bridge.advice.differences import difference
    >>> from worldwise.bridge.solvers.pimc import SolverCache
    >>> from worldwise.catalog import deal
    >>> found = advise(deal("deals/two-way-guess").view)
    >>> why, solvers = difference(found, found.choices[0], found.choices[-1]), SolverCache(found.view.contract.strain)
    >>> technique_between(found.view, found.worlds, found.card, found.choices[-1].card, why, solvers).technique.value
    'finesse'
    """
    gains = [worlds[world] for world in why.gains]
    rest = [world for number, world in enumerate(worlds) if number not in set(why.gains)]
    if not gains or not rest:
        return None
    table = _Table(view, gains, rest, best, other)
    if view.seat != view.contract.declarer:
        return table.refusal()
    named = table.refusal() or table.unblock() or table.guess()
    return named if named or view.cards_left > SOLVED_FROM else _lead_given(view, gains, best, solvers)


@dataclass(frozen=True)
class _Table:
    """Two cards of one player, the layouts in which only the first succeeds (``gains``), and the ``rest``."""

    view: View
    gains: Sequence[Deal]
    rest: Sequence[Deal]
    best: Card
    other: Card

    @property
    def position(self) -> Position:
        """Where the play stands: the same in all layouts, but for the hidden hands."""
        return self.view.position(self.gains[0])

    @property
    def trick(self) -> tuple[Card, ...]:
        return self.position.trick

    @property
    def mover(self) -> Seat:
        return self.view.to_move

    @property
    def suit(self) -> Cards:
        """All cards of the suit that is played."""
        return SUIT_CARDS[self.best >> 4]

    @property
    def missing(self) -> Cards:
        """The cards of it that the hidden hands have."""
        return self.view.unseen & self.suit

    def missing_over(self, card: Card) -> Card | None:
        """The highest card of a suit that the hidden hands have, if it beats a card."""
        missing = self.view.unseen & SUIT_CARDS[card >> 4]
        return missing.bit_length() - 1 if missing >> (card + 1) else None

    def holding(self, seat: Seat) -> Cards:
        """What a hand has left of it."""
        return self.position.hands[seat] & self.suit

    def wins_so_far(self, card: Card) -> bool:
        """Whether a card would be winning the trick once it is played."""
        return winning_place((*self.trick, card), self.view.contract.strain) == len(self.trick)

    # ------------------------------------------------------------------ winning or not

    def refusal(self) -> NamedTechnique | None:
        """A trick that could be won, and is not: a hold-up, or a duck in a suit of one's own."""
        if not self.trick or not self._same_suit or self.best >> 4 != self.trick[0] >> 4:
            return None
        if self.wins_so_far(self.best) or not self.wins_so_far(self.other) or self._partner_may_win:
            return None
        theirs = (self.position.leader ^ self.mover) & 1 == 1
        sure = not self.missing >> (self.other + 1)
        if not sure:
            return None
        return NamedTechnique(Technique.HOLD_UP if theirs else Technique.DUCK, None, self.other)

    @property
    def _same_suit(self) -> bool:
        return self.best >> 4 == self.other >> 4

    @property
    def _partner_may_win(self) -> bool:
        """Whether the other hand of the side has the trick, or can still win it."""
        after = (*self.trick, self.best)
        partner = self.mover.partner
        if len(self.trick) >= 2:
            return winning_place(after, self.view.contract.strain) == len(self.trick) - 2
        if partner not in self.view.faced:
            return False
        return any(winning_place((*after, card), self.view.contract.strain) == len(after) for card in self._answers())

    def _answers(self) -> Iterator[Card]:
        """What partner may play to the trick."""
        hand = self.position.hands[self.mover.partner]
        return cards_in(hand & self.suit or hand)

    def unblock(self) -> NamedTechnique | None:
        """An honour thrown under a card that wins anyway, or loses anyway."""
        if not self.trick or not self._same_suit or self.best < self.other or self.best & 15 < JACK:
            return None
        if self.wins_so_far(self.best) or self.wins_so_far(self.other):
            return None
        return NamedTechnique(Technique.UNBLOCK, None, self.best)

    # ------------------------------------------------------------------ guesses

    def guess(self) -> NamedTechnique | None:
        """A finesse, a lead towards an honour, or a play for the drop."""
        return next(self._finesses(self.best), None) or self._drop()

    def _drop(self) -> NamedTechnique | None:
        """The other card is a finesse that loses here, because the honour falls."""
        for finesse in self._tenaces(self.other):
            honour = finesse.card
            assert honour is not None
            if (
                finesse.technique is Technique.FINESSE
                and self.best >> 4 == honour >> 4
                and all(self._falls(honour, deal) for deal in self.gains)
            ):
                return NamedTechnique(Technique.DROP, None, honour)
        return None

    def _falls(self, honour: Card, deal: Deal) -> bool:
        """Whether an honour has so few cards beside it that the higher ones of declarer's side bring it down."""
        suit = SUIT_CARDS[honour >> 4]
        holder = next(seat for seat in self.view.hidden if deal[seat] >> honour & 1)
        left = deal[holder] & suit & ~set_of(self.view.played)
        sides = self.position.hands[self.mover] | self.position.hands[self.mover.partner]
        higher = sides & suit & ~((1 << (honour + 1)) - 1)
        return left.bit_count() <= higher.bit_count()

    def _finesses(self, card: Card) -> Iterator[NamedTechnique]:
        """Those that the layouts bear out: the honour lies in front wherever the card gains, and not everywhere.

        What the other card is too does not tell the two apart.
        """
        shared = set(self._tenaces(self.other))
        for found in (one for one in self._tenaces(card) if one not in shared):
            seat, honour = found.seat, found.card
            assert seat is not None
            assert honour is not None
            told = honour
            if found.technique is Technique.TOWARDS:
                told = (self.missing & ~((1 << (honour + 1)) - 1)).bit_length() - 1
            inside = all(deal[seat] >> told & 1 for deal in self.gains)
            if inside and not all(deal[seat] >> told & 1 for deal in self.rest):
                yield found

    def _tenaces(self, card: Card) -> Iterator[NamedTechnique]:
        """What a card might be, by the looks of it."""
        if not self.trick:
            yield from self._led(card)
        elif len(self.trick) == 2 and card >> 4 == self.trick[0] >> 4 and self.wins_so_far(card):
            # Partner led, and the defender in front has played.
            higher = self.holding(self.mover) & ~((1 << (card + 1)) - 1)
            honour = self._between(card, higher)
            if honour is not None:
                yield NamedTechnique(Technique.FINESSE, self.mover.after(3), honour)
        elif len(self.trick) == 2 and self._partner_may_win and self.missing_over(self.trick[0]):
            # Partner's card is left to run; the highest missing card is the one that was in front of it, or is not.
            yield NamedTechnique(Technique.FINESSE, self.mover.after(3), self.missing_over(self.trick[0]))

    def _led(self, card: Card) -> Iterator[NamedTechnique]:
        """What it may be to lead a card: the next hand is the one that is finessed."""
        suit = SUIT_CARDS[card >> 4]
        missing = self.view.unseen & suit
        partner, front = self.position.hands[self.mover.partner] & suit, self.mover.next
        above = missing & ~((1 << (card + 1)) - 1)
        if not above:
            return
        if not partner and self._can_ruff(card) and card & 15 >= JACK:
            yield NamedTechnique(Technique.RUFFING_FINESSE, front, above.bit_length() - 1)
            return
        for honour in cards_in(above):
            over = partner & ~((1 << (honour + 1)) - 1)
            under = (partner | 1 << card) & ((1 << honour) - 1)
            if over and under and self._beats_the_rest(under, missing & ~(1 << honour)):
                yield NamedTechnique(Technique.FINESSE, front, honour)
        top = partner.bit_length() - 1 if partner else 0
        if partner and top & 15 >= JACK and missing >> (top + 1):
            yield NamedTechnique(Technique.TOWARDS, front, top)

    def _can_ruff(self, card: Card) -> bool:
        trumps = self.view.contract.strain
        hand = self.position.hands[self.mover.partner]
        return trumps < 4 and trumps != card >> 4 and bool(hand & SUIT_CARDS[trumps])

    @staticmethod
    def _beats_the_rest(cards: Cards, missing: Cards) -> bool:
        """Whether the highest of some cards is an honour, or beats all missing ones but those above it."""
        return cards.bit_length() - 1 & 15 >= JACK or cards > missing

    def _between(self, card: Card, higher: Cards) -> Card | None:
        """The highest missing card above one card and below another."""
        if not higher:
            return None
        most = higher.bit_length() - 1
        between = self.missing & ((1 << most) - 1) & ~((1 << (card + 1)) - 1)
        return between.bit_length() - 1 if between else None


# ---------------------------------------------------------------------- who must have the lead


def _lead_given(view: View, gains: Sequence[Deal], best: Card, solvers: SolverCache) -> NamedTechnique | None:
    """A throw-in or avoidance, if it is one in all layouts that are looked into."""
    found = {_given_in(view, deal, best, solvers) for deal in gains[:MOST_SOLVED]}
    return found.pop() if len(found) == 1 else None


def _given_in(view: View, deal: Deal, best: Card, solvers: SolverCache) -> NamedTechnique | None:
    """What it means in one layout that a defender gets the lead, everybody playing his best."""
    declarer, solver = view.contract.declarer, solvers(deal, set_of(view.played[: len(view.played) // 4 * 4]))
    position = view.position(deal).play(best)
    while position.trick:
        tricks = card_tricks(solver, position)
        position = position.play(max(tricks, key=lambda card: (tricks[card], -(card & 15))))
    leader, needed = position.leader, view.contract.tricks - position.won[declarer & 1]
    if (leader ^ declarer) & 1 == 0 or position.over or not 0 < needed <= position.tricks_left:
        return None
    made = {
        seat: solver.can_take(replace(position, leader=seat), needed, declarer)
        for seat in (leader, leader.partner, declarer, declarer.partner)
    }
    if not made[leader]:
        return None
    if not made[declarer] and not made[declarer.partner]:
        return NamedTechnique(Technique.THROW_IN, leader)
    return NamedTechnique(Technique.AVOIDANCE, leader) if not made[leader.partner] else None
