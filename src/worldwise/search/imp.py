"""IMP-minimax and IMP-alpha-beta: minimax for games with information sets (BMV96 Figs 6 and 10).

Minimax asks what a node is worth; these ask what a *set of nodes* is worth at once, because a player who cannot tell
them apart must do the same at all of them. A node travels with its ``prob``, the product of the chances above it, so
values are sums and need no dividing. Names are the paper's: a PI-set is a part of an information set, ``extend``
replaces chance nodes by their children, ``partition`` sorts nodes into leaves and PI-sets.

The games' nodes are made on demand: what is held at any time is the sets on the current path.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import inf
from typing import TYPE_CHECKING, Any

from worldwise.core.game import CHANCE, AnyExtensiveForm, Bounded
from worldwise.core.result import NO_LIMIT, Clock, Limit, Stats, Tally
from worldwise.core.solution import Prunings, Solution
from worldwise.errors import InputError, deep, expect_at_least_one
from worldwise.search.profiles import complete_profile, expected_payoffs, whole

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Mapping, Sequence

    from worldwise.core.game import Rational
    from worldwise.core.solution import Profile

Nodes = list[tuple[Any, "Rational"]]
"""Nodes with the probability that chance lets each be reached."""


def extend(game: AnyExtensiveForm, nodes: Nodes) -> Nodes:
    """Replace chance nodes by their children until none is left.

    >>> from worldwise.catalog import game
    >>> [str(prob) for _, prob in extend(game("bmv96/fig-2-g1"), [(0, 1)])]
    ['1/2', '1/2']
    """
    done: Nodes = []
    waiting = nodes[::-1]
    while waiting:
        node, prob = waiting.pop()
        if game.to_move(node) != CHANCE:
            done.append((node, prob))
            continue
        below = [
            (game.play(node, move), prob * chance)
            for move, chance in zip(game.moves(node), game.chances(node), strict=True)
        ]
        waiting.extend(reversed(below))
    return done


def partition(game: AnyExtensiveForm, nodes: Nodes) -> tuple[Nodes, dict[Hashable, Nodes]]:
    """Separate the leaves, then part the other nodes into their information sets."""
    leaves: Nodes = []
    pi_sets: dict[Hashable, Nodes] = {}
    for node, prob in nodes:
        if game.to_move(node) is None:
            leaves.append((node, prob))
        else:
            pi_sets.setdefault(game.information_set(node), []).append((node, prob))
    return leaves, pi_sets


def child(game: AnyExtensiveForm, pi_set: Nodes, alternative: int) -> Nodes:
    """The nodes that an alternative leads to from a PI-set (BMV96's ``move``)."""
    return [(game.play(node, game.moves(node)[alternative]), prob) for node, prob in pi_set]


def prob(nodes: Nodes) -> Rational:
    """The probability that chance lets one of these nodes be reached."""
    return sum(own for _, own in nodes)


@dataclass(frozen=True)
class Horizon:
    """How many decisions ahead to look, and what a node there is worth to the first player, by a static evaluator."""

    depth: int
    evaluate: Callable[[Any], Rational]

    def __post_init__(self) -> None:
        expect_at_least_one("a depth", self.depth)

    def estimate(self, nodes: Nodes) -> Rational:
        """A set of nodes is worth the sum, like leaves."""
        return sum(own * self.evaluate(node) for node, own in nodes)


@dataclass(frozen=True)
class ImpBelief:
    """What IMP-minimax believes the root is worth, and its choices; ``is_final`` if it came to no horizon.

    ``torn`` are the sets that it met in several parts and decided in several ways, each with its moves; where there are
    none, the profile is truly worth the value. Of a pruned search they are all that it met in several parts.
    """

    value: Rational
    profile: Profile
    torn: Mapping[Hashable, Sequence[Any]]
    is_final: bool
    stats: Stats


def believe(
    game: AnyExtensiveForm,
    tally: Tally | None = None,
    horizon: Horizon | None = None,
    bounds: tuple[Rational, Rational] | None = None,
) -> ImpBelief:
    """IMP-minimax as far as a horizon, and no judgement of what it finds: the game may be too large for one.

    With ``bounds``, the least and the most that anything can be worth, IMP-alpha-beta does it, and believes the same.

    >>> from worldwise.catalog import game
    >>> [str(believe(game("bmv96/fig-9"), horizon=Horizon(depth, lambda node: 9)).value) for depth in (1, 2, 3)]
    ['35/4', '35/4', '8']
    >>> pruned = believe(game("bmv96/fig-8"), horizon=Horizon(2, lambda node: 5), bounds=(0, 10))
    >>> plain = believe(game("bmv96/fig-8"), horizon=Horizon(2, lambda node: 5))
    >>> pruned.value == plain.value, pruned.stats.nodes < plain.stats.nodes
    (True, True)
    """
    counts = tally or Tally()
    walk = _TwoSided(game, counts, bounds, horizon) if bounds else _Minimax(game, counts, horizon)
    with deep():
        value = walk.value(extend(game, [(game.root, 1)]))
    return ImpBelief(whole(value), walk.profile, walk.torn, walk.is_final, counts.stats)


class _Search:
    """What the algorithms share: counting, the strategy being found, and noticing when a set is met twice."""

    def __init__(self, game: AnyExtensiveForm, tally: Tally) -> None:
        self.game, self.tally = game, tally
        self.profile: dict[Hashable, Any] = {}
        self.met: set[Hashable] = set()
        self.met_twice = False

    def meet(self, known: Hashable) -> None:
        """Wilson: if no information set is met twice, no choice made in one place is undone in another."""
        self.met_twice |= known in self.met
        self.met.add(known)

    def choose(self, known: Hashable, pi_set: Nodes, alternative: int) -> None:
        self.profile[known] = self.game.moves(pi_set[0][0])[alternative]

    def alternatives(self, pi_set: Nodes) -> range:
        return range(len(self.game.moves(pi_set[0][0])))

    def count(self, nodes: Nodes) -> Nodes:
        for _ in nodes:
            self.tally.node()
        return nodes

    def payoff(self, leaf: Any) -> Rational:
        self.tally.leaf()
        payoffs = self.game.payoffs(leaf)
        if len(payoffs) == 2 and payoffs[0] + payoffs[1]:
            raise InputError(f"a search with two players expects zero sum, found a leaf that pays {payoffs}")
        return payoffs[0]


class _Minimax(_Search):
    """BMV96 Fig 6, with min for max at the second player's PI-sets; sets at the horizon are worth an estimate."""

    def __init__(self, game: AnyExtensiveForm, tally: Tally, horizon: Horizon | None = None) -> None:
        super().__init__(game, tally)
        self.horizon = horizon
        self.is_final = True
        self.torn: dict[Hashable, Sequence[Any]] = {}

    def value(self, nodes: Nodes, depth: int = 0) -> Rational:
        """V of any set of nodes, so many decisions deep: the leaves' payoffs plus V of each PI-set."""
        leaves, pi_sets = partition(self.game, self.count(nodes))
        paid: Rational = sum(own * self.payoff(leaf) for leaf, own in leaves)
        if self.horizon and depth == self.horizon.depth:
            self.is_final &= not pi_sets
            return paid + sum(map(self.horizon.estimate, pi_sets.values()))
        return paid + sum(self.best(known, pi_set, depth) for known, pi_set in pi_sets.items())

    def best(self, known: Hashable, pi_set: Nodes, depth: int) -> Rational:
        """V of a PI-set: its best child."""
        self.meet(known)
        below = (extend(self.game, child(self.game, pi_set, a)) for a in self.alternatives(pi_set))
        values = [self.value(nodes, depth + 1) for nodes in below]
        best = (min if self.game.to_move(pi_set[0][0]) else max)(values)
        before = self.profile.get(known, self)  # no move is the search itself
        self.choose(known, pi_set, values.index(best))
        if before not in (self, self.profile[known]):
            self.torn.setdefault(known, self.game.moves(pi_set[0][0]))
        return best


class _AlphaBeta(_Search):
    """BMV96 Fig 10: V, or P if V is not greater, with an upper bound U on payoffs."""

    def __init__(self, game: AnyExtensiveForm, tally: Tally, upper: Rational) -> None:
        super().__init__(game, tally)
        self.upper = upper
        self.immediate = self.information_set = 0

    def max_set(self, known: Hashable, x: Nodes, p: Rational | float) -> Rational | float:
        self.meet(known)
        best, most = p, self.upper * prob(x)
        for alternative in self.alternatives(x):
            temp = self.mixed_set(extend(self.game, child(self.game, x, alternative)), best)
            if temp > best:
                best = temp
                self.choose(known, x, alternative)
                if temp == most and alternative < len(self.alternatives(x)) - 1:
                    self.immediate += 1  # nothing can be better: the other alternatives need no look
                    break
        return best

    def mixed_set(self, nodes: Nodes, p: Rational | float) -> Rational | float:
        total: Rational | float = 0
        prob_left = prob(self.count(nodes))
        leaves, pi_sets = partition(self.game, nodes)
        members: list[tuple[Hashable, Nodes]] = [(None, [leaf]) for leaf in leaves]
        members += pi_sets.items()
        for number, (known, x) in enumerate(members, 1):
            prob_left -= prob(x)
            if number <= len(leaves):
                total += x[0][1] * self.payoff(x[0][0])
            else:
                total += self.max_set(known, x, p - total - self.upper * prob_left)
            if total + self.upper * prob_left <= p:
                # Even if all that is left paid the upper bound, this alternative would not beat the best one.
                self.information_set += number < len(members)
                return p
        return total

    def payoff(self, leaf: Any) -> Rational:
        payoff = super().payoff(leaf)
        if payoff > self.upper:
            raise bound_error(self.upper, payoff)
        return payoff


class _TwoSided(_Search):
    """Fig 10 for two players of a zero-sum game: a window, as in alpha-beta, and bounds on payoffs from both sides.

    A set of nodes is worth a *sum*, so it is pruned as Ballard prunes chance nodes: as soon as what is left, at its
    best or its worst, cannot bring the sum into the window. So V is exact if it lies inside the window, and otherwise
    on the same side of it; the window at the root is open. Figure 10 is the case in which nobody minimises.
    """

    def __init__(
        self,
        game: AnyExtensiveForm,
        tally: Tally,
        bounds: tuple[Rational, Rational],
        horizon: Horizon | None = None,
    ) -> None:
        super().__init__(game, tally)
        (self.lower, self.upper), self.horizon = bounds, horizon
        self.is_final = True
        self.torn: dict[Hashable, Sequence[Any]] = {}
        self.immediate = self.information_set = 0

    def value(self, nodes: Nodes) -> Rational:
        """V of the root: no window leaves it out, so it is exact."""
        value = self.mixed_set(nodes, -inf, inf)
        assert not isinstance(value, float)
        return value

    def mixed_set(
        self, nodes: Nodes, alpha: Rational | float, beta: Rational | float, depth: int = 0
    ) -> Rational | float:
        total: Rational | float = 0
        left = prob(self.count(nodes))
        leaves, pi_sets = partition(self.game, nodes)
        members: list[tuple[Hashable, Nodes]] = [(None, [leaf]) for leaf in leaves]
        members += pi_sets.items()
        for number, (known, x) in enumerate(members, 1):
            left -= prob(x)
            if number <= len(leaves):
                total += x[0][1] * self.payoff(x[0][0])
            elif self.horizon and depth == self.horizon.depth:
                total += self.estimate(self.horizon, x)
            else:
                window = alpha - total - self.upper * left, beta - total - self.lower * left
                total += self.best_set(known, x, *window, depth)
            if total + self.upper * left <= alpha or total + self.lower * left >= beta:
                self.information_set += number < len(members)
                return alpha if total + self.upper * left <= alpha else beta
        return total

    def estimate(self, horizon: Horizon, x: Nodes) -> Rational:
        """What is beyond the horizon must keep to the bounds too."""
        self.is_final = False
        for node, _ in x:
            self._check(horizon.evaluate(node))
        return horizon.estimate(x)

    def best_set(
        self, known: Hashable, x: Nodes, alpha: Rational | float, beta: Rational | float, depth: int
    ) -> Rational | float:
        """Both players at once: for the second everything is turned over."""
        if known in self.met:
            self.torn[known] = self.game.moves(x[0][0])
        self.meet(known)
        sign = -1 if self.game.to_move(x[0][0]) else 1
        best, enough = (alpha, beta) if sign > 0 else (-beta, -alpha)
        most = prob(x) * (self.upper if sign > 0 else -self.lower)
        for alternative in self.alternatives(x):
            window = (best, enough) if sign > 0 else (-enough, -best)
            temp = sign * self.mixed_set(extend(self.game, child(self.game, x, alternative)), *window, depth + 1)
            if temp > best or known not in self.profile:
                self.choose(known, x, alternative)
            best = max(best, temp)
            if best >= min(enough, most):
                self.immediate += alternative < len(self.alternatives(x)) - 1
                break
        return sign * best

    def payoff(self, leaf: Any) -> Rational:
        return self._check(super().payoff(leaf))

    def _check(self, worth: Rational) -> Rational:
        if not self.lower <= worth <= self.upper:
            raise bound_error(self.upper if worth > self.upper else self.lower, worth)
        return worth


def bound_error(upper: Rational, payoff: Rational) -> InputError:
    """The bound given does not hold, so what it would prune may matter."""
    side = "at most the upper" if payoff > upper else "at least the lower"
    return InputError(f"expected payoffs of {side} bound {upper}, found {payoff}")


@dataclass(frozen=True)
class ImpMinimax:
    """IMP-minimax (Wilson's algorithm): optimal with one player and perfect recall, a heuristic with two and zero sum.

    >>> from worldwise.catalog import game
    >>> answer = ImpMinimax().search(game("bmv96/fig-2-g2"))
    >>> answer.believed, answer.payoffs, answer.proven
    ((1,), (Fraction(-99, 2),), False)
    """

    name = "imp-minimax"

    def search(self, game: AnyExtensiveForm, limit: Limit = NO_LIMIT) -> Solution:
        """Find a profile."""
        expect_players(self.name, game, 2)
        tally = Tally(Clock(limit, self.name))
        walk = _Minimax(game, tally)
        with deep():
            value = walk.value(extend(game, [(game.root, 1)]))
        return _solution(self.name, walk, value, Prunings())


@dataclass(frozen=True)
class ImpAlphaBeta:
    """IMP-alpha-beta: IMP-minimax's value for one player, skipping what an upper bound on payoffs shows to be useless.

    With two players and zero sum it needs a lower bound too, and believes what IMP-minimax believes; where a set is met
    in several parts its choices may be others. Without a bound the game's own is taken, if it knows one. A bound that
    some payoff exceeds is refused: for a whole game before the search, for a game made on demand when such a leaf is
    met (the bound is a promise about the others).

    >>> from worldwise.catalog import game
    >>> answer = ImpAlphaBeta(upper=10).search(game("bmv96/fig-8"))
    >>> answer.value, answer.stats.leaves, answer.stats.information_set
    (8, 20, 3)
    """

    upper: Rational | None = None
    lower: Rational | None = None

    name = "imp-alpha-beta"

    def search(self, game: AnyExtensiveForm, limit: Limit = NO_LIMIT) -> Solution:
        """Find an optimal strategy of a one-player game with perfect recall, or a profile for two."""
        expect_players(self.name, game, 2)
        tally, upper = Tally(Clock(limit, self.name)), upper_bound(game, self.upper)
        walk: _AlphaBeta | _TwoSided
        with deep():
            nodes = extend(game, [(game.root, 1)])
            if len(game.players) == 1:
                walk = _AlphaBeta(game, tally, upper)
                value = walk.mixed_set(nodes, -inf)
            else:
                walk = _TwoSided(game, tally, (lower_bound(game, self.lower), upper))
                value = walk.mixed_set(nodes, -inf, inf)
        assert not isinstance(value, float)
        counts = Prunings(cuts=walk.immediate + walk.information_set, immediate=walk.immediate)
        return _solution(self.name, walk, value, replace(counts, information_set=walk.information_set))


def upper_bound(game: AnyExtensiveForm, upper: Rational | None) -> Rational:
    """The bound to prune with: the one given, checked against the game's own if it knows one."""
    own = game.highest_payoff(0) if isinstance(game, Bounded) else None
    if upper is None and own is None:
        raise InputError("imp-alpha-beta expects an upper bound on payoffs, and this game does not know its own")
    if upper is None:
        assert own is not None
        return own
    if own is not None and own > upper:
        raise bound_error(upper, own)
    return upper


def lower_bound(game: AnyExtensiveForm, lower: Rational | None) -> Rational:
    """The same from below: with zero sum, what the second player wins at most the first loses at most."""
    own = -game.highest_payoff(1) if isinstance(game, Bounded) else None
    if lower is None and own is None:
        raise InputError(
            "imp-alpha-beta with two players expects a lower bound on payoffs too, and this game does not know its own"
        )
    if lower is None:
        assert own is not None
        return own
    if own is not None and own < lower:
        raise bound_error(lower, own)
    return lower


def expect_players(name: str, game: AnyExtensiveForm, most: int) -> None:
    """Refuse a game with more players than an algorithm knows what to do with."""
    if len(game.players) > most:
        wanted = "one player" if most == 1 else "one player, or two with zero sum"
        raise InputError(f"{name} expects {wanted}, found {len(game.players)}")


def _solution(name: str, walk: _Search, value: Rational, counts: Prunings) -> Solution:
    seen = walk.tally.stats
    stats = replace(counts, nodes=seen.nodes, leaves=seen.leaves, seconds=seen.seconds)
    value = whole(value)
    believed = (value,) if len(walk.game.players) == 1 else (value, -value)
    return make_solution(name, walk.game, believed, walk.profile, stats, once=not walk.met_twice)


def make_solution(
    name: str, game: AnyExtensiveForm, believed: tuple[Rational, ...], profile: Profile, stats: Prunings, *, once: bool
) -> Solution:
    """The solution, with what its profile is truly worth: with one player, what the search believes if it met ``once``
    each information set that it met."""
    if once and len(game.players) == 1:
        return Solution(name, believed, believed, profile, stats, proven=True)
    full = complete_profile(game, profile)
    return Solution(name, believed, expected_payoffs(game, full), full, stats, proven=False)
