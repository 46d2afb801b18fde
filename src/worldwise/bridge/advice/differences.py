"""Why the best card is the best: which card to compare it with, what tells the two apart, and what is in doubt.

Two cards differ by the layouts in which one succeeds and the other does not, and by what these have in common.

A *sign* is something simple that is true of some layouts and not of others: where a card lies, or how many cards of a
suit a hand has left. The best one is true of most layouts in question and of few others. It describes the layouts that
were looked at; it proves nothing.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from worldwise.bridge.advice.techniques import technique_between
from worldwise.bridge.rules.deal import SUIT_CARDS, Card, Deal, Seat, cards_in, rank_of, set_of
from worldwise.bridge.solvers.pimc import SolverCache
from worldwise.search.alphamu_root import ValueKind

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from worldwise.bridge.advice.record import Advice, CardChoice
    from worldwise.bridge.advice.techniques import NamedTechnique
    from worldwise.bridge.rules.view import View

CLEAR = 0.6
"""A sign's share of the layouts in question exceeds its share of the others by at least this, or it is none."""

ROUNDING = 1e-9
"""What equal averages may be apart."""

FEWEST = 4
"""Fewer sampled layouts than this, on either side, show nothing in common that may not be accident."""


@dataclass(frozen=True)
class Holds:
    """A hand has a card."""

    seat: Seat
    card: Card

    def __call__(self, deal: Deal) -> bool:
        """Whether it is so in a deal."""
        return bool(deal[self.seat] >> self.card & 1)


@dataclass(frozen=True)
class Left:
    """A hand has from ``least`` to ``most`` cards of a suit left; ``played`` are gone."""

    seat: Seat
    suit: int
    least: int
    most: int
    played: int

    def __call__(self, deal: Deal) -> bool:
        """Whether it is so in a deal."""
        return self.least <= (deal[self.seat] & SUIT_CARDS[self.suit] & ~self.played).bit_count() <= self.most


Sign = Holds | Left


@dataclass(frozen=True)
class Difference:
    """Worlds, by number, where only the one choice succeeds, and where only the other does.

    ``sign`` is what the first have in common, true of ``inside`` of them and of ``outside`` other worlds. If they are
    ``too_few``, what they have in common may well be accident, and there is none.
    """

    gains: tuple[int, ...]
    losses: tuple[int, ...]
    sign: Sign | None = None
    inside: int = 0
    outside: int = 0
    too_few: bool = False


@dataclass(frozen=True)
class Reasons:
    """What speaks for the best choice, and what against it.

    ``rival`` is the best of the others that does not succeed in the same layouts, and ``difference`` what tells the two
    apart. If there is none, ``equal`` is the best of the others: it succeeds wherever the best one does. ``close`` are
    more choices that a sample like this cannot tell from the best. ``too_hopeful`` is PIMC's favourite, if PIMC claims
    more for it than a single plan can have. ``technique`` is what the best card is, where the rival is clearly worse.

    Where tricks or points count, averages are compared, not layouts: there is no ``difference``.
    """

    rival: CardChoice | None
    difference: Difference | None
    equal: CardChoice | None
    close: tuple[CardChoice, ...]
    too_hopeful: CardChoice | None
    technique: NamedTechnique | None = None


def reasons_of(advice: Advice) -> Reasons:
    """Why the best choice is the best; a choice that is only known by a bound is compared with nothing."""
    if advice.aims_elsewhere:
        return _reasons_on_average(advice)
    best = advice.best
    others = [choice for choice in advice.choices[1:] if choice.kind is not ValueKind.BOUND]
    rival = next((choice for choice in others if choice.loses != best.loses), None)
    equal = others[0] if others and rival is None else None
    favourite = max(advice.choices, key=lambda choice: choice.pimc)
    why = None if rival is None else difference(advice, best, rival)
    return Reasons(
        rival=rival,
        difference=why,
        equal=equal,
        close=tuple(choice for choice in advice.close if choice != equal),
        too_hopeful=favourite if favourite.pimc > favourite.chance + ROUNDING else None,
        technique=_technique(advice, rival, why),
    )


def _reasons_on_average(advice: Advice) -> Reasons:
    """Why the best choice is the best for tricks or points: what it has on average, and what the next best has."""
    best = advice.best
    others = (choice for choice in advice.choices[1:] if choice.worth.kind is not ValueKind.BOUND)
    next_best = next(others, None)
    equal = next_best if next_best and abs(best.worth.value - next_best.worth.value) < ROUNDING else None
    rival = None if equal else next_best
    favourite = max(advice.choices, key=advice.hoped)
    why = None if rival is None else difference(advice, best, rival)
    return Reasons(
        rival=rival,
        difference=None,
        equal=equal,
        close=tuple(choice for choice in advice.close if choice != equal),
        too_hopeful=favourite if advice.hoped(favourite) > favourite.worth.value + ROUNDING else None,
        technique=_technique(advice, rival, why),
    )


def _technique(advice: Advice, rival: CardChoice | None, why: Difference | None) -> NamedTechnique | None:
    if rival is None or why is None or rival in advice.close:
        return None
    solvers = SolverCache(advice.view.contract.strain)
    return technique_between(advice.view, advice.worlds, advice.card, rival.card, why, solvers)


class Compared(Protocol):
    """What was looked at: layouts, as a player sees them, all of them or a sample."""

    @property
    def view(self) -> View:
        """The player's view."""

    @property
    def worlds(self) -> tuple[Deal, ...]:
        """The layouts."""

    @property
    def exact(self) -> bool:
        """Whether they are all there are."""


class Tried(Protocol):
    """A card, or equal cards, by the layouts in which it does not succeed."""

    @property
    def loses(self) -> tuple[int, ...]:
        """Their numbers."""


def difference(compared: Compared, one: Tried, other: Tried) -> Difference:
    """Where one choice does better than another, and how to know these layouts.

    >>> from worldwise.catalog import deal
    >>> from worldwise.bridge.advice.advise import advise
    >>> advice = advise(deal("deals/two-way-guess").view)
    >>> found = difference(advice, advice.choices[0], advice.choices[-1])
    >>> len(found.gains), len(found.losses), found.sign, found.outside
    (10, 5, Holds(seat=Seat.EAST, card=12), 0)
    """
    gains = tuple(sorted(set(other.loses) - set(one.loses)))
    losses = tuple(sorted(set(one.loses) - set(other.loses)))
    rest = [world for world in range(len(compared.worlds)) if world not in gains]
    if not gains or (not compared.exact and min(len(gains), len(rest)) < FEWEST):
        return Difference(gains, losses, too_few=True)
    sign, inside, outside = _clearest_sign(compared, gains, rest)
    clear = inside / len(gains) - (outside / len(rest) if rest else 1) >= CLEAR
    return Difference(gains, losses, sign, inside, outside) if clear else Difference(gains, losses)


def _clearest_sign(compared: Compared, gains: Sequence[int], rest: Sequence[int]) -> tuple[Sign, int, int]:
    """The sign that tells the worlds apart best; the first of equals, and cards come before lengths."""
    counted = []
    for sign in signs_of(compared.view):
        inside, outside = (sum(sign(compared.worlds[world]) for world in some) for some in (gains, rest))
        counted.append((sign, inside, outside))
    return max(counted, key=lambda count: count[1] * len(rest) - count[2] * len(gains))


def signs_of(view: View) -> Iterator[Sign]:
    """All that may be said of the hidden hands: the highest cards first, then the longest suits."""
    cards = sorted(cards_in(view.unseen), key=rank_of, reverse=True)
    yield from (Holds(seat, card) for card in cards for seat in view.hidden)
    played = set_of(view.played)
    for suit in range(4):
        left = (view.unseen & SUIT_CARDS[suit]).bit_count()
        ranges = [(number, left) for number in range(1, left + 1)] + [(number, number) for number in range(left + 1)]
        yield from (Left(seat, suit, *limits, played) for limits in ranges for seat in view.hidden)
