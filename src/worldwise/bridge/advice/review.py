"""Review of a played board: what every card was worth from what its player could see, and what it cost.

A choice is judged in two steps, so that no figure flatters itself. On a first sample of layouts ``advise`` finds the
best card. That card and the one that was played are then compared on *fresh* layouts, the same for both: the
difference, layout by layout, is what the card cost, with its interval. More layouts are taken while it matters and is
in doubt. What is not clear then is too close to call.

Declarer's chances are alpha-mu's, which look so far ahead and take the rest as seen. A card that puts off a guess looks
better so than it is. Declarer is therefore blamed only if the search went to the end, or if the better card also does
better when both are played out. A defender's chances are PIMC's: everybody plays on double dummy, with layouts weighed
by the cards that were played.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from random import Random
from typing import TYPE_CHECKING, TypeVar

from worldwise.bridge.advice.advise import advise
from worldwise.bridge.advice.claims import check_claim, claimed_tricks
from worldwise.bridge.advice.comparing import CONFIDENCE, CardComparison, compare_cards
from worldwise.bridge.advice.differences import difference
from worldwise.bridge.advice.hindsight import look_back
from worldwise.bridge.advice.play_out import play_out
from worldwise.bridge.advice.review_record import BoardReview, CardReview, CardVerdict, Reviewed
from worldwise.bridge.advice.techniques import technique_between
from worldwise.bridge.layouts.bidding_systems import DEFAULT_SYSTEM
from worldwise.bridge.layouts.carding import Carding
from worldwise.bridge.layouts.drawing import WeightedWorlds
from worldwise.bridge.layouts.evidence import Evidence
from worldwise.bridge.rules.board import players_of
from worldwise.bridge.rules.deal import SEATS, Seat
from worldwise.bridge.rules.goal import Aim
from worldwise.bridge.solvers.card_values import choices_of
from worldwise.bridge.solvers.pimc import SolverCache
from worldwise.core.result import NO_LIMIT, Clock, Limit
from worldwise.core.statistics import weighted_difference
from worldwise.errors import InputError
from worldwise.search.alphamu_root import ValueKind

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from worldwise.bridge.advice.claim_record import TrickClaim
    from worldwise.bridge.advice.comparing import CardOutcome
    from worldwise.bridge.advice.hindsight import Hindsight
    from worldwise.bridge.advice.record import Advice
    from worldwise.bridge.layouts.constraints import Constraint
    from worldwise.bridge.layouts.sampler import Layouts
    from worldwise.bridge.rules.board import Board
    from worldwise.bridge.rules.deal import Card, Deal
    from worldwise.bridge.rules.view import View
    from worldwise.core.statistics import Estimate

Entry = TypeVar("Entry")

WORLDS, NODES = 40, 40_000
"""How many layouts the best card is found on, and how many nodes each search may visit, unless one says otherwise."""

SHARES = ((12, Fraction(1, 6)), (10, Fraction(1, 2)), (7, Fraction(1)), (0, Fraction(10)))
"""With at least so many cards a hand, a search may visit this share of the nodes: a node is dear early in the play."""

DEEPER = ((12, 3), (0, 20))
"""With at least so many cards a hand, so many times the nodes are spent before declarer is blamed."""

FRESH = ((12, (30, 60)), (10, (60, 160)), (0, (80, 240)))
"""With at least so many cards a hand, on how many fresh layouts two cards are compared: at first, and if in doubt."""

PLAYED_OUT = ((12, 12), (10, 30), (0, 60))
"""With at least so many cards a hand, on how many layouts two cards of declarer's are played out."""

LEAST_COST = {True: 0.03, False: 0.08}
"""What a card must cost to be called a mistake, declarer's and a defender's: a defender's figures know less."""

ODDS = {True: 1.5, False: 2.0}
"""How many times as likely the layouts must be in which the better card gains as those in which it loses: how likely
layouts are is itself an estimate, and a mistake should not hang on it."""

TELLING = 3
"""How many of the layouts that tell are kept."""

ENOUGH_FIT = 8
"""If so many layouts contradict no call, a mistake must be one among these too."""


@dataclass(frozen=True)
class ReviewEffort:
    """How hard a review looks: the same effort and the same seed give the same answer."""

    worlds: int = WORLDS
    nodes: int = NODES
    seed: int = 0
    carding: Carding = Carding.EQUAL
    constraints: tuple[Constraint, ...] = ()
    system: str = DEFAULT_SYSTEM

    @property
    def evidence(self) -> Evidence:
        """What a player goes by."""
        return Evidence(self.constraints, self.carding, self.system)


DEFAULT_EFFORT = ReviewEffort()


def review(board: Board, seats: Collection[Seat] = SEATS, effort: ReviewEffort = DEFAULT_EFFORT) -> BoardReview:
    """What is to be said of the cards of some players, dummy's being declarer's.

    >>> from worldwise.catalog import deal
    >>> from worldwise.bridge.rules.deal import card_name, read_card
    >>> guess = deal("deals/two-way-guess").board
    >>> found = review(guess.with_cards((*guess.cards, read_card("SA"))), [guess.play.turn])
    >>> told = found.decisive
    >>> card_name(told.card), card_name(told.best), round(told.cost, 3)
    ('SA', 'S3', 0.354)
    """
    places = places_of(board, seats)
    told = look_back(board.play) if board.deal.complete else [None] * len(board.cards)
    decisions = tuple(review_card(board, place, effort, told[place]) for place in places)
    return BoardReview(board, decisions, review_claim(board, seats, effort))


def review_claim(
    board: Board, seats: Collection[Seat] = SEATS, effort: ReviewEffort = DEFAULT_EFFORT
) -> TrickClaim | None:
    """What is to be said of the claim that ended the play, if there was one and declarer is among the players."""
    tricks = claimed_tricks(board)
    if tricks is None or board.play.contract.declarer not in seats:
        return None
    return check_claim(board.with_cards(board.cards), tricks, _effort_for(board, effort).evidence, effort.seed)


def seats_named(text: str, board: Board) -> tuple[Seat, ...]:
    """Whose cards are meant: N, E, S or W, ``declarer``, ``defence`` or ``all`` whose hands are known.

    >>> from worldwise.catalog import deal
    >>> seats_named("declarer", deal("deals/two-way-guess").board)
    (Seat.SOUTH,)
    """
    declarer = board.play.contract.declarer
    named = {
        "all": SEATS,
        "declarer": (declarer,),
        "defence": (declarer.next, declarer.next.partner),
    }
    wanted = named[text] if text in named else (Seat.of(text),)
    seated = (declarer if one == declarer.partner else one for one in wanted)
    return tuple(dict.fromkeys(one for one in seated if text != "all" or board.deal[one]))


def places_of(board: Board, seats: Collection[Seat] = SEATS) -> list[int]:
    """The cards that were chosen by some players, by how many were played before; their hands must be known."""
    if not board.cards:
        raise InputError("expected a board with cards played, found none")
    dummy, declarer = board.play.contract.dummy, board.play.contract.declarer
    hands = players_of(board.play.contract, board.cards)
    return [place for place, hand in enumerate(hands) if (declarer if hand == dummy else hand) in seats]


def review_card(board: Board, place: int, effort: ReviewEffort, hindsight: Hindsight | None = None) -> CardReview:
    """What is to be said of the card that was played after so many others."""
    before = board.with_cards(board.cards[:place])
    seat, card = before.play.turn, board.cards[place]
    told = CardReview(place, seat, before.play.position.to_move, card, CardVerdict.FORCED, hindsight=hindsight)
    if before.play.position.legal.bit_count() == 1:
        return told
    return _Judge(before, before.view(seat), card, _effort_for(board, effort)).review(told)


def _effort_for(board: Board, effort: ReviewEffort) -> ReviewEffort:
    """The effort, with what the board itself says of the hidden hands, in a tag."""
    return replace(effort, constraints=(*filter(None, [board.tag("Constraints")]), *effort.constraints))


@dataclass(frozen=True)
class _Judge:
    """Who looks at one choice: the board before it, what the player saw, and what he played."""

    board: Board
    view: View
    card: Card
    effort: ReviewEffort

    @cached_property
    def layouts(self) -> Layouts:
        return self.effort.evidence.layouts(self.view)

    @cached_property
    def solvers(self) -> SolverCache:
        return SolverCache(self.view.contract.strain, 400)

    @property
    def declares(self) -> bool:
        return self.view.seat == self.view.contract.declarer

    @property
    def decided(self) -> bool:
        """Whether the contract is made already, or beaten."""
        needed, left = self.board.play.needed, self.board.play.position.tricks_left
        return not 0 < needed <= left

    @property
    def seed(self) -> str:
        """A seed for this choice alone."""
        return f"{self.effort.seed} {len(self.view.played)}"

    @property
    def nodes(self) -> int:
        """How many nodes a search may visit."""
        return max(1, int(self.effort.nodes * self._by_cards(SHARES)))

    def review(self, told: CardReview) -> CardReview:
        """The verdict, and the figures it rests on."""
        if len(choices_of(self.view, self.layouts.sample(Random(self.seed)))) == 1:
            return told
        advice = self._advise()
        best = self.card if self.card in advice.best.cards else advice.card
        compared = self._compare(advice, best)
        outcome, other = compared.outcomes[0], compared.outcomes[-1]
        figures = self._figures(advice, compared, outcome, other)
        if self.decided:
            return replace(told, verdict=CardVerdict.DECIDED, figures=figures)
        verdict = self._verdict(figures, compared)
        if verdict is CardVerdict.MISTAKE and figures.kind is not ValueKind.FINAL and self.declares:
            compared = self._look_deeper(compared, best)
            outcome, other = compared.outcomes[0], compared.outcomes[-1]
            figures = self._figures(advice, compared, outcome, other)
            verdict = self._verdict(figures, compared)
        if verdict is CardVerdict.MISTAKE and figures.kind is not ValueKind.FINAL and self.declares:
            figures = replace(figures, played_out=self._play_out(compared, best))
            verdict = self._verdict(figures, compared)
        why = difference(compared, outcome, other) if verdict in (CardVerdict.MISTAKE, CardVerdict.CLOSE) else None
        telling = self._most_likely(compared, why.gains)[:TELLING] if why else ()
        technique = None
        if why is not None and verdict is CardVerdict.MISTAKE:
            technique = technique_between(self.view, compared.worlds, figures.best, self.card, why, self.solvers)
        return replace(told, verdict=verdict, figures=figures, why=why, telling=telling, technique=technique)

    def _advise(self) -> Advice:
        """The best card, from layouts that its figures will not be taken from."""
        number = max(self.effort.worlds, self._fresh_layouts[1] if self._few else 0)
        return advise(
            self.view,
            worlds=number,
            constraints=self.effort.constraints,
            aim=Aim.SCORE if self.decided else Aim.MAKE,
            vulnerability=self.board.vulnerability,
            algorithm="pimc" if self.decided or not self.declares else "alphamu",
            limit=NO_LIMIT if self.decided or not self.declares else Limit(nodes=self.nodes),
            carding=self.effort.carding,
            system=self.effort.system,
            seed=self.effort.seed,
            planning=False,
            trying=False,
        )

    def _by_cards(self, table: Sequence[tuple[int, Entry]]) -> Entry:
        """What a table says for as many cards a hand as are left."""
        return next(entry for cards, entry in table if self.view.cards_left >= cards)

    @property
    def _fresh_layouts(self) -> tuple[int, int]:
        return self._by_cards(FRESH)

    @property
    def _few(self) -> bool:
        """Whether all layouts can be looked at."""
        return self.layouts.count <= self._fresh_layouts[1]

    def _compare(self, advice: Advice, best: Card) -> CardComparison:
        """Both cards on fresh layouts, and on more of them if that may change the verdict."""
        for number in self._fresh_layouts:
            drawn = self._draw(advice, number)
            compared = self._compare_on(drawn, best, advice.depth, self.nodes)
            if advice.exact or best == self.card or self._is_settled(compared):
                break
        return compared

    def _draw(self, advice: Advice, number: int) -> WeightedWorlds:
        """Fresh layouts; where all are looked at, or hardly any others are left, the same."""
        same = WeightedWorlds(advice.worlds, advice.weights, advice.exact)
        if advice.exact:
            return same
        rng = Random(f"{self.seed} fresh")
        return self.effort.evidence.draw_fresh(self.view, advice.worlds, number, rng) or same

    def _look_deeper(self, compared: CardComparison, best: Card) -> CardComparison:
        """The same layouts again, to the end if the nodes allow it."""
        return self._compare_on(compared.drawn, best, 2 * self.view.cards_left, self.nodes * self._by_cards(DEEPER))

    def _compare_on(self, drawn: WeightedWorlds, best: Card, depth: int, nodes: int) -> CardComparison:
        cards = list(dict.fromkeys((best, self.card)))
        return compare_cards(self.view, drawn, cards, depth, Limit(nodes=nodes), self.solvers)

    def _is_settled(self, compared: CardComparison) -> bool:
        """Whether more layouts can hardly change what will be said."""
        gain = compared.gain(*compared.outcomes)
        return self.decided or gain.low > 0 or gain.high < LEAST_COST[self.declares]

    def _figures(self, advice: Advice, compared: CardComparison, best: CardOutcome, played: CardOutcome) -> Reviewed:
        """What was found; if the card played does at least as well on fresh layouts, it is the best."""
        gain = compared.gain(best, played)
        if gain.value <= 0 and not self.decided:
            best = played
        kind = max(best.kind, played.kind, key=list(ValueKind).index)  # of both, what is known least
        vulnerability = self.board.vulnerability
        return Reviewed(
            best=best.card,
            before=compared.chance(best),
            chance=compared.chance(played),
            difference=gain,
            score_before=compared.score(best, vulnerability),
            score=compared.score(played, vulnerability),
            kind=kind,
            depth=min(best.depth, played.depth),
            layouts=len(compared.worlds),
            exact=compared.exact,
            fresh=not compared.exact and compared.worlds != advice.worlds,
        )

    def _verdict(self, figures: Reviewed, compared: CardComparison) -> CardVerdict:
        best, played = compared.outcomes[0], compared.outcomes[-1]
        if figures.best == self.card and best is played:
            return CardVerdict.BEST
        if best.succeeds == played.succeeds:
            return CardVerdict.EQUAL
        if figures.best == self.card:
            return CardVerdict.BEST
        return CardVerdict.MISTAKE if self._clearly_worse(figures, compared) else CardVerdict.CLOSE

    def _clearly_worse(self, figures: Reviewed, compared: CardComparison) -> bool:
        """Whether the card costs enough, beyond the doubts of sampling, of weights, and of what lies ahead."""
        if figures.exact and figures.kind is ValueKind.FINAL:
            return figures.difference.value > 0
        if figures.played_out is not None and figures.played_out.value <= 0:
            return False
        won, lost = compared.odds(compared.outcomes[0], compared.outcomes[-1])
        cost, likely = figures.difference, won >= ODDS[self.declares] * lost
        costly = cost.low > 0 and cost.value >= LEAST_COST[self.declares]
        return costly and likely and self._is_worse_where_calls_fit(compared)

    def _is_worse_where_calls_fit(self, compared: CardComparison) -> bool:
        """Whether the same is so in the layouts that contradict no call: nobody is blamed for trusting the bidding."""
        fit = [likelihood == 1 for likelihood in self._likelihoods(compared.worlds)]
        if sum(fit) < ENOUGH_FIT:
            return True
        won, lost = compared.odds(compared.outcomes[0], compared.outcomes[-1], fit)
        return won > 0 and won >= ODDS[self.declares] * lost

    def _most_likely(self, compared: CardComparison, among: Sequence[int]) -> tuple[Deal, ...]:
        """Some of the layouts, those first that fit the calls best: an example should be one that was bid so."""
        likelihoods = self._likelihoods(compared.worlds)
        return tuple(compared.worlds[world] for world in sorted(among, key=lambda world: -likelihoods[world]))

    def _likelihoods(self, worlds: Sequence[Deal]) -> list[float]:
        return self.effort.evidence.likelihoods(self.view, worlds)

    def _play_out(self, compared: CardComparison, best: Card) -> Estimate:
        """How much more often the best card makes the contract when both are played out on the same layouts."""
        number = self._by_cards(PLAYED_OUT)
        rng, drawn = Random(f"{self.seed} played out"), compared.drawn
        deals = rng.choices(drawn.worlds, drawn.weights, k=number)
        made = [
            play_out(self.view, card, deals, self.effort.seed, Clock(NO_LIMIT), self.effort.evidence)
            for card in (best, self.card)
        ]
        return _paired_difference(*made)


def _paired_difference(one: Sequence[bool], other: Sequence[bool]) -> Estimate:
    pairs = [int(mine) - int(its) for mine, its in zip(one, other, strict=True)]
    return weighted_difference(pairs, [1] * len(pairs), CONFIDENCE)
