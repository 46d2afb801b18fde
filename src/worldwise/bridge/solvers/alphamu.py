"""alpha-mu at the bridge table: worlds in, a value for every card out.

``BridgeAlphaMu`` runs the compiled search of ``native/bridge/alphamu.cpp`` where it is built, and otherwise the
readable one of ``search/alphamu.py`` over ``DealGame``, with double dummy at its leaves: the same answers,
node for node.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from worldwise.bridge.rules.deal import card_name
from worldwise.bridge.rules.goal import Aim, Goal
from worldwise.bridge.solvers.card_values import CardValues, choices_of, value_of_each_card
from worldwise.bridge.solvers.deal_game import DealGame
from worldwise.bridge.solvers.double_dummy import CompiledDoubleDummy
from worldwise.bridge.solvers.pimc import SolverCache
from worldwise.core.front import Front
from worldwise.core.result import NO_LIMIT, Clock, Limit, Stats, Tally
from worldwise.core.weights import integer_weights
from worldwise.errors import InputError, expect_at_least_one
from worldwise.kernels import native, pick, watch
from worldwise.search.alphamu import AlphaMu, Walk
from worldwise.search.alphamu_root import MoveValue, Root, RootSearch, ValueKind

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from worldwise.bridge.rules.deal import Card, Deal
    from worldwise.bridge.rules.view import View
    from worldwise.bridge.solvers.card_values import Choice
    from worldwise.bridge.solvers.deal_game import DealNode
    from worldwise.core.vector import Weight

    _AnyWalk: TypeAlias = "_CompiledWalk | Walk"
    _ForKernel = tuple[NDArray[np.uint64], int, int, int, tuple[int, int, int], int, bool, int, NDArray[np.int64]]

COUNTED = ("early", "alpha", "worlds", "win", "empty entry", "score")
"""The cuts, in the order the kernel counts them."""

MOST_BITS = 2048
"""The longest outcomes the kernel takes: worlds times tricks, or worlds if only the contract counts."""


MOST_DEPTH = 52
"""No search looks further ahead: there are no more cards."""


@dataclass(frozen=True)
class CardValue:
    """What is known of a choice of equal cards: its ``value``, what kind of figure that is, and its front.

    A front's outcomes are what each world is worth under one plan, and the value is the average of the best of them.
    ``depth`` is how many of declarer's cards ahead this choice was searched; of a bound, when it was last not cut.
    """

    value: float
    kind: ValueKind
    depth: int
    front: tuple[tuple[int, ...], ...] = field(repr=False)


@dataclass(frozen=True, kw_only=True)
class AlphaMuValues(CardValues):
    """What alpha-mu ``found`` for each choice of equal cards, and beside it PIMC's rosier ``pimc``.

    ``best`` is the card to play: the best of the choices whose value is no bound; of equals the one that was best a
    card less far ahead, then the one PIMC likes better, then as ``BridgeAlphaMu`` says.

    Not all ``values`` are alike: ``found_of`` says which are bounds. After a search to decide all but one may be; to
    compare cards by their values, ask for ``Root.COMPARE``.
    """

    found: tuple[CardValue, ...]
    pimc: tuple[float, ...]
    cuts: Mapping[str, int]

    @property
    def fronts(self) -> tuple[tuple[tuple[int, ...], ...], ...]:
        """Each choice's front."""
        return tuple(found.front for found in self.found)

    def found_of(self, card: Card) -> CardValue:
        """What was found of the choice that a card belongs to."""
        for choice, found in zip(self.choices, self.found, strict=True):
            if card in choice:
                return found
        raise InputError(f"expected one of the cards that were searched, found {card_name(card)}")


@dataclass(frozen=True)
class BridgeAlphaMu:
    """alpha-mu(M = ``depth``) for declarer; the switches are those of ``AlphaMu``, ``threads`` solve worlds at leaves.

    There are never more than four threads for every processor, nor more than 64.

    ``root`` is to decide on a card, as players do, or to compare them all, as advice does. Of cards that are worth the
    same, ``RootSearch`` says which comes first; the last resort is the lower card, and of touching cards the lowest.

    >>> BridgeAlphaMu(depth=2).name
    'alpha-mu-2'
    """

    depth: int = 2
    aim: Aim = Aim.MAKE
    threads: int = 1
    useful: bool = True
    empty_entry: bool = True
    alpha: bool = True
    world_cuts: bool = True
    win: bool = True
    score: bool = True
    root: Root = Root.DECIDE

    def __post_init__(self) -> None:
        expect_at_least_one("a depth", self.depth)
        expect_at_least_one("a number of threads", self.threads)

    @property
    def name(self) -> str:
        """With the number of moves ahead."""
        return f"alpha-mu-{self.depth}"

    @property
    def switches(self) -> tuple[bool, bool, bool, bool, bool]:
        """In the paper's order: U, E, alpha, W, Win."""
        return self.useful, self.empty_entry, self.alpha, self.world_cuts, self.win

    def evaluate(
        self,
        view: View,
        worlds: Sequence[Deal],
        limit: Limit = NO_LIMIT,
        *,
        weights: Sequence[Weight] | None = None,
        goal: Goal | None = None,
        solvers: SolverCache | None = None,
        among: Sequence[Card] | None = None,
    ) -> AlphaMuValues:
        """Every card's value over these worlds; when the limit runs out, what was found by then.

        ``weights`` say what each world counts: any numbers from 0 on; without them all count alike. ``among`` are cards
        to choose from, if not all count.
        """
        view.expect_turn()
        goal = goal or Goal.seen_by(view, self.aim)
        game = DealGame(view, tuple(worlds), goal, _chances(weights, len(worlds)))
        kept = solvers or SolverCache(view.contract.strain, most=max(160, len(worlds)))
        start = pick(_compiled_walk, _readable_walk, fits=game.scale.bits <= MOST_BITS)
        return self._search(game, start(self, game, kept, limit), limit, among)

    def _search(
        self, game: DealGame, walk: _AnyWalk, limit: Limit, among: Sequence[Card] | None = None
    ) -> AlphaMuValues:
        clock, choices = Clock(limit), _choices(game, among)
        order = [choice[0] for choice in sorted(choices, key=_lowest_first)]
        root = RootSearch(walk, game.scale, order, self.root, score_cut=self.score)
        root.deepen(min(self.depth, limit.depth or self.depth, MOST_DEPTH))
        cuts = {name: count for name, count in (*walk.cuts.items(), ("root", root.cuts)) if count}
        stats = Stats(walk.stats.nodes, walk.stats.leaves, sum(cuts.values()), clock.seconds)
        each = tuple(_card_value(game, root.values[choice[0]]) for choice in choices)
        return AlphaMuValues(
            algorithm=self.name,
            goal=game.goal,
            values=value_of_each_card(choices, (found.value for found in each)),
            worlds_searched=len(game.deals),
            choices=choices,
            worlds=game.deals,
            weights=game.weights,
            found=each,
            pimc=tuple(_average(game, root.seen[choice[0]].score) for choice in choices),
            best=next(choice[-1] for choice in choices if choice[0] == root.best),
            depth=root.reached,
            complete=root.complete,
            cuts=cuts,
            stats=stats,
        )


def _choices(game: DealGame, among: Sequence[Card] | None) -> tuple[Choice, ...]:
    """The choices that there are, or those of them that some cards belong to."""
    choices = choices_of(game.view, game.deals[0])
    if among is None:
        return choices
    found = tuple(choice for choice in choices if any(card in choice for card in among))
    if not found:
        raise InputError(f"expected a card that {game.view.to_move} may play, found {', '.join(map(card_name, among))}")
    return found


def _lowest_first(choice: Choice) -> int:
    return choice[-1] & 15


def _card_value(game: DealGame, known: MoveValue) -> CardValue:
    outcomes = sorted((_ints(game.scale.vector(code)) for code in known.front), reverse=True)
    return CardValue(_average(game, known.score), known.kind, known.depth, tuple(outcomes))


def _average(game: DealGame, score: int) -> float:
    """The average payoff of outcomes that score so much: from the least that all worlds can pay to the most."""
    least, most = game.scale.levels[0][0], game.scale.levels[0][-1]
    whole = game.scale.score(game.scale.top)
    return least + (most - least) * score / whole if whole else float(least)


def _readable_walk(how: BridgeAlphaMu, game: DealGame, solvers: SolverCache, limit: Limit) -> _AnyWalk:
    """The readable search, with double dummy at its leaves."""
    search = AlphaMu(how.depth, *how.switches, how.score, how.root)
    return Walk(search, game, DoubleDummyFaceUp(game, solvers), Tally(Clock(limit, how.name)))


def _compiled_walk(how: BridgeAlphaMu, game: DealGame, solvers: SolverCache, limit: Limit) -> _AnyWalk:
    """The compiled search, which asks the double-dummy kernels itself."""
    return _CompiledWalk(how, game, solvers, limit)


class _CompiledWalk:
    """The compiled search, asked about one card after the other as ``Walk`` is."""

    def __init__(self, how: BridgeAlphaMu, game: DealGame, solvers: SolverCache, limit: Limit) -> None:
        self.clock = Clock(limit, how.name)
        kernels = [_kernel_of(solvers(deal, game.view.gone)) for deal in game.deals]
        self.kernel = native.alpha_mu(*_for_kernel(game), how.switches, kernels, how.threads)

    def search(self, move: Card, depth: int, need: int | None, *, beside: Front[int]) -> tuple[Front[int], bool]:
        """The front of a card, and whether it is final."""
        size = 8 * self.kernel.words
        others = b"".join(code.to_bytes(size, "little") for code in beside)
        least = native.ANYTHING if need is None else need
        with watch(self.clock) as most:
            front, final = self.kernel.ask(move, depth, least, others, *most)
        places = range(0, len(front), size)
        return Front.of_undominated(int.from_bytes(front[at : at + size], "little") for at in places), final

    @property
    def cuts(self) -> dict[str, int]:
        """How often each cut was made."""
        return dict(zip(COUNTED, self.kernel.counts[3:], strict=True))

    @property
    def stats(self) -> Stats:
        """What was visited."""
        return Stats(*self.kernel.counts[:2])


def _chances(weights: Sequence[Weight] | None, worlds: int) -> tuple[int, ...]:
    return () if weights is None else integer_weights(weights, worlds)


class DoubleDummyFaceUp:
    """Double dummy at the leaves of the readable search."""

    def __init__(self, game: DealGame, solvers: SolverCache) -> None:
        self.game = game
        self.solvers = [solvers(deal, game.view.gone) for deal in game.deals]

    def open(self, position: DealNode) -> frozenset[int]:
        """The worlds in which the position can arise."""
        return position.open

    def code(self, position: DealNode, worlds: frozenset[int]) -> int:
        """What each of these worlds is worth double dummy."""
        return self.game.scale.code(
            self._worth(position, world) if world in worlds else None for world in range(self.game.worlds)
        )

    def _worth(self, position: DealNode, world: int) -> int:
        steps, declarer = self.game.steps, self.game.view.contract.declarer
        solver, seen = self.solvers[world], self.game.in_world(position, world)
        if self.game.goal.aim is not Aim.MAKE:
            return steps[position.taken + solver.tricks(seen, declarer)]
        if 1 not in steps:
            return 0
        return int(solver.can_take(seen, steps.index(1) - position.taken, declarer))


def _for_kernel(game: DealGame) -> _ForKernel:
    """A game as the kernel takes it: hands, trumps, the trick on the table, and what the tricks to come are worth."""
    start, declarer = game.starts[0], game.view.contract.declarer
    make = game.goal.aim is Aim.MAKE
    one, two, three, *_ = (*start.trick, 0, 0, 0)
    return (
        np.array([position.hands for position in game.starts], dtype=np.uint64),
        int(start.trumps),
        int(start.leader),
        declarer & 1,
        (one, two, three),
        len(start.trick),
        make,
        game.view.contract.tricks - start.won[declarer & 1] if make else 1,
        np.array(game.scale.gains, dtype=np.int64),
    )


def _kernel_of(solver: Any) -> Any:
    """The compiled part of a solver."""
    if not isinstance(solver, CompiledDoubleDummy):
        raise InputError("expected compiled double-dummy solvers")
    return solver.kernel


def _ints(vector: Any) -> tuple[int, ...]:
    return tuple(map(int, vector))
