"""What a review says: every card somebody chose, what it was worth from what he could see, and what it cost."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from worldwise.bridge.advice.claim_record import TrickClaim
    from worldwise.bridge.advice.differences import Difference
    from worldwise.bridge.advice.hindsight import Hindsight
    from worldwise.bridge.advice.techniques import NamedTechnique
    from worldwise.bridge.rules.board import Board
    from worldwise.bridge.rules.deal import Card, Deal, Seat
    from worldwise.core.statistics import Estimate
    from worldwise.search.alphamu_root import ValueKind


class CardVerdict(StrEnum):
    """What is to be said of a card.

    ``FORCED``   there was no choice: one legal card, or touching ones
    ``DECIDED``  the contract was made or beaten already
    ``BEST``     nothing was better
    ``EQUAL``    another card was chosen, and this one does as well in every layout looked at
    ``CLOSE``    too close to call
    ``MISTAKE``  it cost something
    """

    FORCED = "forced"
    DECIDED = "decided"
    BEST = "best"
    EQUAL = "equal"
    CLOSE = "close"
    MISTAKE = "mistake"


@dataclass(frozen=True)
class Reviewed:
    """The figures of a choice: the best card's and the played card's, over the same ``layouts``.

    ``chance`` is that of making the contract, for a defender of beating it, with the card that was played; ``before``
    it was that of the best card. ``difference`` is what the layouts say the card cost, with its interval. ``score`` and
    ``score_before`` are the points of the player's side on average. ``kind`` says what the chances are: final, exact
    for ``depth`` cards ahead and never too little, or one of them no more than a bound. ``fresh`` layouts had no part
    in finding the best card; if ``exact``, they are all there are. ``played_out`` is the difference when both cards
    were played to the end against defenders who see every card; None if they were not.
    """

    best: Card
    before: float
    chance: float
    difference: Estimate
    score_before: float
    score: float
    kind: ValueKind
    depth: int
    layouts: int
    exact: bool
    fresh: bool
    played_out: Estimate | None = None


@dataclass(frozen=True)
class CardReview:
    """One card: after how many others (``place``), who chose it (``seat``), and from which ``hand`` it came.

    ``figures`` are None where there was nothing to choose. ``why`` has the layouts, by number, that tell the two cards
    apart, and ``telling`` some of them. ``technique`` is what the best card would have been, if that has a name.
    ``hindsight`` is double dummy's opinion; None if not all hands are known.
    """

    place: int
    seat: Seat
    hand: Seat
    card: Card
    verdict: CardVerdict
    figures: Reviewed | None = None
    why: Difference | None = None
    telling: tuple[Deal, ...] = field(default=(), repr=False)
    technique: NamedTechnique | None = None
    hindsight: Hindsight | None = None

    @property
    def trick(self) -> int:
        """The trick it was played to, from 1 on."""
        return self.place // 4 + 1

    @property
    def best(self) -> Card:
        """The card that should have been played: the one that was, unless another was chosen as better."""
        return self.card if self.figures is None else self.figures.best

    @property
    def cost(self) -> float:
        """What the card cost in chance, never less than nothing."""
        return 0.0 if self.figures is None else max(0.0, self.figures.before - self.figures.chance)

    @property
    def score_cost(self) -> float:
        """What it cost in points on average."""
        return 0.0 if self.figures is None else max(0.0, self.figures.score_before - self.figures.score)

    @property
    def close(self) -> bool:
        """Whether it is too close to call."""
        return self.verdict is CardVerdict.CLOSE

    @property
    def blamed(self) -> bool:
        """Whether it is called a mistake."""
        return self.verdict is CardVerdict.MISTAKE

    @property
    def chosen(self) -> bool:
        """Whether there was something to decide."""
        return self.verdict not in (CardVerdict.FORCED, CardVerdict.DECIDED)


@dataclass(frozen=True)
class BoardReview:
    """A board, and what is to be said of its cards, in order; and of the claim with which the play ended, if it did."""

    board: Board
    decisions: tuple[CardReview, ...]
    claim: TrickClaim | None = None

    @property
    def mistakes(self) -> tuple[CardReview, ...]:
        """The cards that cost something, in order."""
        return tuple(decision for decision in self.decisions if decision.blamed)

    @cached_property
    def decisive(self) -> CardReview | None:
        """The decisive moment: the mistake that cost the most; the first of equals."""
        return max(self.mistakes, key=lambda decision: (decision.cost, decision.score_cost), default=None)

    @cached_property
    def turning_point(self) -> CardReview | None:
        """The last card with which, double dummy, the contract was given to the other side."""
        turned = [decision for decision in self.decisions if decision.hindsight and decision.hindsight.turned]
        return turned[-1] if turned else None

    def by(self, seat: Seat) -> Iterator[CardReview]:
        """What somebody chose, dummy's cards with declarer's."""
        return (decision for decision in self.decisions if decision.seat == seat)
