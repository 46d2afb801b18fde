"""What a kriegspiel player believes: every board that fits what he has heard, or when these are too many, a sample.

Boards multiply quickly (some 200 after four plies, millions after twenty), and a sample that is carried along dies: a
message comes that none of its boards can explain. So ``SampledBelief`` throws nothing away that it may need. It works
with a pool of boards and sets the others aside, each lot with the place in the story at which it was left. When the
pool runs short, lots are taken up again and brought forward through all that was heard since: the latest, which fit
best, and in turn with it any other, because what is wrong may have gone wrong long ago. If that does not help, all
that was heard is gone through again from its beginning, which is quick and different each time: now freely, now close
to a story that explains all but the last answer, of which perhaps one move was otherwise.

A pool drawn from many boards is weighted so that whatever is added up over it is right on average (Fearnhead and
Clifford's way of drawing: heavy boards are kept as they are, and of the light ones some stand for all).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from worldwise.core.result import NO_LIMIT, Clock, Limit
from worldwise.errors import LimitReachedError, TooManyBoardsError
from worldwise.kriegspiel.belief.drawing import LEAST, blend, draw_board, draw_sample
from worldwise.kriegspiel.belief.exact import nothing_fits
from worldwise.kriegspiel.belief.weighted_boards import NO_BOUND, WeightedBoards
from worldwise.kriegspiel.rules.board import START

if TYPE_CHECKING:
    from collections.abc import Sequence
    from random import Random

    from numpy.typing import NDArray

    from worldwise.kriegspiel.rules.board import ChessBoard
    from worldwise.kriegspiel.rules.game import Event
    from worldwise.kriegspiel.rules.squares import Colour
    from worldwise.kriegspiel.rules.umpire import Rules

    Floats = NDArray[np.float64]

POOL = 1_000
"""Boards that a sample works with."""

EXACT = 20_000
"""Boards up to which a belief is no sample but has them all."""

SET_ASIDE = 4
"""How many pools' worth of boards are set aside at each turn; of more, some are dropped."""

FEWEST = 0.1
"""A pool is short below this part of its size. Perhaps no more boards fit, so it is filled up once and left at that."""

AT_A_TIME = 2_000
"""Boards that are brought forward at a time, at most, to fill up a pool: it grows again by itself."""

ROUNDS = 4
"""How often boards set aside are taken up for an empty pool before more are worked on at a time."""

AHEAD = 200
"""How many answers ahead boards are judged by when they are brought forward."""

TILT = 2.0
"""How much likelier a board is to be chosen for each answer that it agrees with, as an exponent."""

LIKENESSES = (2.0, 1.0, 0.5, 0.25)
"""How much less likely for each square that differs from a board it is to be close to, as an exponent: in turn."""

DOUBLINGS = 5
"""How often the boards worked on are doubled while a pool is empty."""

LOOKED_BACK = 1_000_000
"""How many boards are brought forward, of those set aside, before an empty pool is given fresh starts as well."""

STARTS = 0.75
"""The part of the effort that goes into these from then on."""

MOST_ROUNDS = 400
"""After so many, nothing fits as far as anybody can tell."""


@dataclass(frozen=True)
class SampledBelief:
    """All boards that fit while they are few (``is_exact``), and then a weighted sample that does not die.

    Every board of the pool fits everything heard. ``lots`` are boards set aside, each with how many answers they fit;
    ``dropped`` tells whether any are lost. ``factors``, one for each answer, keep weights near one: they are those
    that the pool needed when it was heard, and all boards brought through it later get them too. The same ``seed``
    gives the same boards.

    >>> from worldwise.kriegspiel.rules.game import Kriegspiel
    >>> from worldwise.kriegspiel.rules.squares import BLACK, read_uci
    >>> game = Kriegspiel()
    >>> state = game.play(game.start(START), read_uci("e2e4"))
    >>> belief = SampledBelief.start(BLACK, game.rules)
    >>> belief = belief.after(game.observe(state, BLACK).events[0])
    >>> len(belief.boards), belief.is_exact
    (20, True)
    """

    player: Colour
    rules: Rules
    first: WeightedBoards
    boards: WeightedBoards
    size: int = POOL
    exact: int = EXACT
    seed: int = 0
    is_exact: bool = True
    dropped: bool = False
    events: tuple[Event, ...] = ()
    lots: tuple[tuple[int, WeightedBoards], ...] = ()
    factors: tuple[float, ...] = ()

    @classmethod
    def start(
        cls,
        player: Colour,
        rules: Rules,
        boards: Sequence[ChessBoard] = (START,),
        *,
        size: int = POOL,
        exact: int = EXACT,
        seed: int = 0,
        kernel: bool = True,
    ) -> SampledBelief:
        """The belief at the beginning of a game."""
        first = WeightedBoards.of(boards, kernel=kernel)
        return cls(player, rules, first, first, size, exact, seed)

    def after(self, event: Event, limit: Limit = NO_LIMIT) -> SampledBelief:
        """The belief once this has been heard; what takes longer than the limit raises ``LimitReachedError``.

        ``limit.nodes`` is how many boards are brought forward by an answer when the belief is a sample.
        """
        heard = replace(self, events=(*self.events, event))
        if event.is_refusal and event.colour is not self.player:
            return heard
        if self.is_exact:
            try:
                return heard._step_exactly(limit)
            except TooManyBoardsError:
                heard = replace(heard, is_exact=False)
        return _Sampling(heard, limit).run()

    def catch_up(self, events: Sequence[Event], limit: Limit = NO_LIMIT) -> SampledBelief:
        """The belief once all this has been heard, of which the first could not be explained within a limit."""
        heard = replace(self, events=(*self.events, *events), is_exact=False)
        return _Sampling(heard, limit, len(events)).run()

    def _step_exactly(self, limit: Limit) -> SampledBelief:
        boards = self._step(self.boards, len(self.events) - 1, limit, self.exact)
        if not len(boards):
            raise nothing_fits(len(self.events))
        return self._with(boards)

    def _with(self, boards: WeightedBoards) -> SampledBelief:
        """The belief with a pool that has heard everything."""
        factor = boards.towards_one
        between = (1.0,) * (len(self.events) - len(self.factors) - 1)  # answers since the last pool
        return replace(self, boards=boards.scale(factor), factors=(*self.factors, *between, factor))

    def _step(self, boards: WeightedBoards, place: int, limit: Limit, most: int = NO_BOUND) -> WeightedBoards:
        """The boards after the answer at a place in the story."""
        event = self.events[place]
        refusals = self._refusals_before(place) if self.rules.refusals_heard else None
        found = boards.after(event, self.player, self.rules, refusals=refusals, most=most, limit=limit)
        return found.scale(self.factors[place]) if place < len(self.factors) else found

    def _refusals_before(self, place: int) -> int:
        count = 0
        while count < place and self.events[place - count - 1].is_refusal:
            count += 1
        return count

    def sample(self, rng: Random) -> ChessBoard:
        """A board, drawn by its weight."""
        return draw_board(self.boards, rng)


class _Sampling:
    """The work on the last ``fresh`` answers: bring the pool forward, and fill it up if it runs short.

    ``belief`` has heard them, but for its pool, and the lots that this takes up and sets aside.
    """

    def __init__(self, belief: SampledBelief, limit: Limit, fresh: int = 1) -> None:
        self.belief, self.clock, self.fresh = belief, Clock(limit), fresh
        self.brought = self.started = 0  # boards brought forward, in all and from fresh starts
        self.looks = self.starts = 0  # how often boards set aside were taken up, and how often all began again
        self.model: list[ChessBoard] = []  # what boards are to be close to, before each answer
        self.likeness = 0.0  # and how close
        self.rng = np.random.default_rng([belief.seed, len(belief.events)])
        self.lots, self.dropped = dict(belief.lots), belief.dropped

    def run(self) -> SampledBelief:
        """The belief with all that has been heard."""
        events = len(self.belief.events)
        size = self.belief.size if self.fresh == 1 else self.at_a_time
        pool = self.fill(self.bring_forward(self.belief.boards, events - self.fresh, size))
        if not len(pool):
            raise nothing_fits(events)
        lots = tuple(sorted(self.lots.items()))
        return replace(self.belief._with(pool), lots=lots, dropped=self.dropped)

    @property
    def at_a_time(self) -> int:
        """How many boards to go on with once something is missing: a large pool comes back as fast as a small one."""
        return min(self.belief.size, AT_A_TIME)

    def fill(self, pool: WeightedBoards) -> WeightedBoards:
        """Take up boards that were set aside: once if there are few, and until there are some if there are none."""
        rounds = 0
        while self.is_short(pool, rounds):
            more = self.start_again() if self.is_time_to_start() else self.take_up_lot()
            pool = blend(pool, more).merge_duplicates()
            rounds += 1
        return pool

    def is_short(self, pool: WeightedBoards, rounds: int) -> bool:
        """Between two tries of one turn any board will do: there may be many more, and the pool grows again after."""
        if not len(pool):
            return bool(self.lots or self.dropped) and rounds < MOST_ROUNDS
        few = not self.belief.events[-1].is_refusal and len(pool) < FEWEST * self.belief.size
        return few and not rounds and bool(self.lots)

    def take_up_lot(self) -> WeightedBoards:
        """What is wrong may have gone wrong long ago: the latest that were set aside and any others take turns."""
        places = sorted(self.lots)
        latest = (len(self.belief.events) + self.looks) % 2 == 0
        heard = places[-1] if latest else places[int(self.rng.integers(len(places)))]
        size = self.at_a_time << min(self.looks // ROUNDS, DOUBLINGS)
        self.looks += 1
        return self.bring_forward(self.lots.pop(heard), heard, size)

    def is_time_to_start(self) -> bool:
        """Once looking back has had its chance, most of the effort goes into starting again."""
        return not self.lots or (self.dropped and self.brought >= LOOKED_BACK and self.started <= STARTS * self.brought)

    def start_again(self) -> WeightedBoards:
        """Go through all that was heard again: other boards will be chosen on the way.

        Every other time they are kept close, now more and now less, to those of a story that fits all but the last: it
        may be one move of it that was otherwise, or a few.
        """
        before, (turn, freely) = self.brought, divmod(self.starts, 2)
        self.model = [] if freely else self.boards_of_story(self.draw_story())
        self.likeness = LIKENESSES[turn % len(LIKENESSES)]
        self.starts += 1
        found = self.bring_forward(self.belief.first, 0, self.at_a_time)
        self.model = []
        self.started += self.brought - before
        return found

    def draw_story(self) -> NDArray[np.uint16]:
        """The other's moves that led to a board of the pool before the last answers."""
        last = self.belief.boards
        story: NDArray[np.uint16] = last.stories[self.rng.choice(len(last), p=last.weights / last.weights.sum())]
        return story

    def boards_of_story(self, story: NDArray[np.uint16]) -> list[ChessBoard]:
        """The boards of a story, one before each answer."""
        places: list[ChessBoard] = []
        boards, moves = self.belief.first, iter(story)
        for place, event in enumerate(self.belief.events[: -self.fresh]):
            places.append(boards[0])
            boards = self.belief._step(boards, place, self.clock.rest)
            if event.colour is not self.belief.player and not event.is_refusal:
                boards = boards.select(boards.stories[:, -1] == next(moves))
            if not len(boards):
                break
        return places

    def bring_forward(self, boards: WeightedBoards, start: int, size: int) -> WeightedBoards:
        """Bring boards through all that was heard from ``start`` on.

        They are thinned before each move of the other's, when they multiply, and not after it: by then the answers to
        the player's own tries have done some of the work.
        """
        for place in range(start, len(self.belief.events)):
            self.brought += len(boards)
            if self.clock.ran_out(self.brought):
                raise LimitReachedError("the belief", self.clock.limit)
            event = self.belief.events[place]
            if event.colour is not self.belief.player and not event.is_refusal:
                boards = self.thin(boards, place, size)
            boards = self.belief._step(boards, place, self.clock.rest)
            if not len(boards):
                break
        return boards

    def thin(self, boards: WeightedBoards, heard: int, size: int) -> WeightedBoards:
        """A pool's worth; the others are set aside."""
        if len(boards) <= size:
            return boards
        chosen, others = draw_sample(boards, size, self.rng, self.tilts(boards, heard))
        if heard in self.lots:
            others = blend(self.lots[heard], others)  # a board that is in both does no harm
        kept = SET_ASIDE * self.belief.size
        if len(others) > kept:
            others, self.dropped = draw_sample(others, kept, self.rng)[0], True
        self.lots[heard] = others
        return chosen

    def tilts(self, boards: WeightedBoards, heard: int) -> Floats:
        """What makes a board likelier to be chosen than its weight.

        Half of the places go to boards with the enemy's pieces where few have them, so that there are some of every
        kind: what is heard next mostly depends on where one piece stands. Of what was heard since, if anything, boards
        are drawn that may explain it. Where boards are to be close to others, nothing else counts, not even weight.
        """
        if heard < len(self.model):
            close: Floats = np.exp(-self.likeness * boards.differences(self.model[heard]))
            return close / np.maximum(boards.weights, LEAST)
        rare = boards.rarities(self.belief.player.other)
        tilts = (1 + rare / np.average(rare, weights=boards.weights)) / 2
        later = self.belief.events[heard : heard + AHEAD]
        if len(later) >= 2:
            tilts *= np.exp(-TILT * boards.surprises(later, self.belief.player))
        return tilts
