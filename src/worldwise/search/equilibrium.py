"""Pure-strategy equilibria: the test, and a search that says yes with the profile, no with certainty, or unknown.

Finding one is NP-hard (BMV96 Theorem 2), so the search backtracks over information sets, one move at a time, the
players with the fewest sets first. If a first look does not settle it, it tries what is cheap (``candidates.py``), and
then goes on to the end. It lives on three ideas. A set matters only if it can be reached while at most one
player deviates from what is chosen so far; others are left open. A deviation that refuted one profile refutes many: it
is kept, and cuts off every unfinished profile in which it pays its player, at the worst, more than the profile pays him
at best. And once only one player's choices are open, his best response is settled: nothing that cannot match it is
looked at.
"""

from __future__ import annotations

from collections import Counter, deque
from contextlib import suppress
from dataclasses import dataclass
from math import inf, lcm
from typing import TYPE_CHECKING, Any, Literal

from worldwise.core.game import CHANCE, AnyExtensiveForm
from worldwise.core.result import NO_LIMIT, Clock, Limit, Stats, Tally
from worldwise.errors import LimitReachedError, deep
from worldwise.search.candidates import PARTS, cheap_profiles
from worldwise.search.profiles import expected_payoffs, whole
from worldwise.search.responses import best_response

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence

    from worldwise.core.game import Rational
    from worldwise.core.solution import Profile

FIRST_LOOK = 200_000
"""Nodes of the game that the search goes over before candidates are tried: a small game is settled by then. Best
answers take longer than their nodes tell, so the first look has no more than a part of the time either."""

MOST_DEVIATIONS = 24
"""How many refutations are kept for each player; the latest to be useful come first."""


@dataclass(frozen=True)
class Deviation:
    """A player who does better by leaving a profile: how, and by how much."""

    player: int
    strategy: Profile
    gain: Rational


def deviation(game: AnyExtensiveForm, profile: Profile, limit: Limit = NO_LIMIT) -> Deviation | None:
    """The first player who can gain by leaving a profile; None if it is an equilibrium.

    >>> from worldwise.catalog import game
    >>> deviation(game("bmv96/fig-3"), {0: 0, 2: 1, 3: 1}), deviation(game("bmv96/fig-3"), {0: 0, 2: 0, 3: 1})
    (None, Deviation(player=0, strategy={2: 1, 0: 0}, gain=8))
    """
    clock, worth = Clock(limit, "looking for a deviation"), expected_payoffs(game, profile)
    for player in range(len(game.players)):
        best, strategy = best_response(game, player, profile, clock.rest)
        if best > worth[player]:
            return Deviation(player, strategy, whole(best - worth[player]))
    return None


def is_equilibrium(game: AnyExtensiveForm, profile: Profile) -> bool:
    """Whether nobody gains by leaving a profile alone."""
    return deviation(game, profile) is None


@dataclass(frozen=True)
class EquilibriumAnswer:
    """Whether there is a pure-strategy equilibrium: ``profile`` and ``payoffs`` are one, if the answer is yes.

    ``source`` says which cheap candidate it was; empty if the search itself found it.
    """

    answer: Literal["yes", "no", "unknown"]
    profile: Profile | None
    payoffs: tuple[Rational, ...] | None
    stats: Stats
    source: str = ""


@dataclass(frozen=True)
class AllEquilibria:
    """Every pure-strategy equilibrium, each with its payoffs; ``complete`` is False if a limit came first.

    A profile says nothing of the sets that are reached only if two players or more deviate: whatever is chosen there,
    it is an equilibrium.
    """

    equilibria: tuple[tuple[Profile, tuple[Rational, ...]], ...]
    stats: Stats
    complete: bool = True


def cheap_equilibria(game: AnyExtensiveForm, tally: Tally) -> Iterator[tuple[str, Profile]]:
    """Those cheap candidates that are equilibria, each with the name of who proposed it; in a part of the time."""
    for source, profile in cheap_profiles(game, tally):
        with suppress(LimitReachedError):
            if deviation(game, profile, tally.share(PARTS)) is None:
                yield source, profile


@dataclass(frozen=True)
class PureEquilibrium:
    """The search for a pure-strategy equilibrium; any-time: when the limit runs out the answer is unknown.

    >>> from worldwise.catalog import game
    >>> found = PureEquilibrium().search(game("bmv96/fig-3"))
    >>> found.answer, found.payoffs
    ('yes', (17, -17))
    """

    name = "pure-equilibrium"

    def search(self, game: AnyExtensiveForm, limit: Limit = NO_LIMIT) -> EquilibriumAnswer:
        """Look for an equilibrium of a game."""
        tally = Tally(Clock(limit, self.name))
        try:
            with deep():
                source, profile = _find(game, tally)
        except LimitReachedError:
            return EquilibriumAnswer("unknown", None, None, tally.stats)
        if profile is None:
            return EquilibriumAnswer("no", None, None, tally.stats)
        return EquilibriumAnswer("yes", profile, expected_payoffs(game, profile), tally.stats, source)

    def list_all(self, game: AnyExtensiveForm, limit: Limit = NO_LIMIT) -> AllEquilibria:
        """All equilibria, as many as are found within the limit.

        >>> from worldwise.catalog import game
        >>> [payoffs for _, payoffs in PureEquilibrium().list_all(game("bmv96/fig-3")).equilibria]
        [(17, -17)]
        """
        tally, found = Tally(Clock(limit, self.name)), list[tuple["Profile", tuple["Rational", ...]]]()
        try:
            with deep():
                for profile in _Backtracking(game, _Tree(game, tally), tally).equilibria():
                    found.append((profile, expected_payoffs(game, profile)))
                    tally.check()
        except LimitReachedError:
            return AllEquilibria(tuple(found), tally.stats, complete=False)
        return AllEquilibria(tuple(found), tally.stats)


def _find(game: AnyExtensiveForm, tally: Tally) -> tuple[str, Profile | None]:
    """An equilibrium, and which candidate it was if any; None if there is none."""
    tree = _Tree(game, tally)
    first = Tally(Clock(tally.share(PARTS), PureEquilibrium.name))
    try:
        return "", next(_Backtracking(game, tree, first, FIRST_LOOK // len(tree.mover)).equilibria(), None)
    except (LimitReachedError, _LookedLongEnoughError):
        pass
    finally:
        tally.nodes, tally.cuts = tally.nodes + first.nodes, tally.cuts + first.cuts
    for source, profile in cheap_equilibria(game, tally):
        return source, profile
    return "", next(_Backtracking(game, tree, tally).equilibria(), None)


class _LookedLongEnoughError(Exception):
    """The first look has not settled it."""


class _Backtracking:
    """A depth-first search over unfinished profiles; a node of it is one of those."""

    def __init__(self, game: AnyExtensiveForm, tree: _Tree, tally: Tally, most: float = inf) -> None:
        self.game, self.tally, self.tree, self.most = game, tally, tree, most
        self.refutations: list[deque[Profile]] = [deque(maxlen=MOST_DEVIATIONS) for _ in game.players]
        self.profile: dict[Hashable, Any] = {}

    def equilibria(self) -> Iterator[Profile]:
        """All equilibria, one after another."""
        open_sets = self.tree.open_sets(self.profile)
        if not open_sets:
            if self._is_equilibrium():
                yield dict(self.profile)
            return
        if len({self.tree.mover[node] for node in open_sets}) == 1:
            self._settle(self.tree.mover[open_sets[0]])
        node = min(open_sets, key=lambda node: self.tree.rank[self.tree.mover[node]])
        known = self.tree.known[node]
        for move in self.tree.moves[node]:
            self.profile[known] = move
            if self.tally.node() >= self.most:
                raise _LookedLongEnoughError
            if self._is_refuted():
                self.tally.cuts += 1
            else:
                yield from self.equilibria()
        del self.profile[known]

    def _settle(self, player: int) -> None:
        """Only this player is open: what he can get at best no longer depends on what is to be chosen."""
        _, strategy = best_response(self.game, player, self.profile, self.tally.share(1))
        self._keep(player, strategy)

    def _is_equilibrium(self) -> bool:
        gain = deviation(self.game, self.profile, self.tally.share(1))
        if gain is not None:
            self._keep(gain.player, gain.strategy)
        return gain is None

    def _keep(self, player: int, strategy: Profile) -> None:
        if strategy not in self.refutations[player]:
            self.refutations[player].appendleft(strategy)

    def _is_refuted(self) -> bool:
        for player, strategies in enumerate(self.refutations):
            self.tally.check()
            most = self.tree.bound(self.profile, player, max) if strategies else 0
            for strategy in strategies:
                self.tally.check()
                if self.tree.bound({**self.profile, **strategy}, player, min) > most:
                    strategies.remove(strategy)
                    strategies.appendleft(strategy)
                    return True
        return False


NOBODY = -2
"""Who moves when the game is over."""


def _mover(game: AnyExtensiveForm, position: Any) -> int:
    player = game.to_move(position)
    return NOBODY if player is None else player


class _Tree:
    """The game written down: numbered nodes, and at leaves whole numbers in proportion to chance times payoff."""

    def __init__(self, game: AnyExtensiveForm, tally: Tally) -> None:
        self.mover: list[int] = []
        self.known: list[Hashable] = []
        self.moves: list[Sequence[Any]] = []
        self.children: list[list[int]] = []
        worths: list[Sequence[Rational]] = []
        waiting: list[tuple[Any, Rational, int]] = [(game.root, 1, -1)]
        while waiting:
            tally.check()
            position, chance, parent = waiting.pop()
            node, mover = len(self.mover), _mover(game, position)
            if parent >= 0:
                self.children[parent].append(node)
            moves = () if mover == NOBODY else game.moves(position)
            chances: Sequence[Rational] = game.chances(position) if mover == CHANCE else (1,) * len(moves)
            below = [(game.play(position, move), chance * own, node) for move, own in zip(moves, chances, strict=True)]
            waiting.extend(reversed(below))
            self.mover.append(mover)
            self.known.append(None if mover in (NOBODY, CHANCE) else game.information_set(position))
            self.moves.append(moves)
            self.children.append([])
            worths.append(() if mover != NOBODY else [chance * payoff for payoff in game.payoffs(position)])
        scale = lcm(*(worth.denominator for leaf in worths for worth in leaf))
        self.worths = [[int(worth * scale) for worth in leaf] for leaf in worths]
        self.rank = self._fewest_sets_first()

    def _fewest_sets_first(self) -> dict[int, int]:
        owners = dict(zip(self.known, self.mover, strict=True))
        sets = Counter(mover for mover in owners.values())
        return {mover: number for number, mover in enumerate(sorted(sets, key=lambda mover: sets[mover]))}

    def open_sets(self, profile: Profile) -> list[int]:
        """A node of each set that has no move yet and is reached while at most one player deviates."""
        found: dict[Hashable, int] = {}
        waiting: deque[tuple[int, int]] = deque([(0, CHANCE)])
        while waiting:
            node, deviator = waiting.popleft()
            player, known = self.mover[node], self.known[node]
            if player == NOBODY:
                continue
            if player in (CHANCE, deviator) or known not in profile:
                if player not in (CHANCE, deviator):
                    found.setdefault(known, node)
                waiting.extend((child, deviator) for child in self.children[node])
                continue
            for move, child in zip(self.moves[node], self.children[node], strict=True):
                if move == profile[known]:
                    waiting.append((child, deviator))
                elif deviator == CHANCE:
                    waiting.append((child, player))
        return list(found.values())

    def bound(self, profile: Profile, player: int, pick: Callable[[Iterable[int]], int], node: int = 0) -> int:
        """The most, or least, a player can get however the open sets are filled in, node by node."""
        mover, children = self.mover[node], self.children[node]
        if mover == NOBODY:
            return self.worths[node][player]
        if mover == CHANCE:
            return sum(self.bound(profile, player, pick, child) for child in children)
        move = profile.get(self.known[node], self)  # no move is the tree itself
        if move is self:
            return pick([self.bound(profile, player, pick, child) for child in children])
        return self.bound(profile, player, pick, children[self.moves[node].index(move)])
