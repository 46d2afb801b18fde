"""Information-set search: what to do when histories look alike, given a model of the opponent (PNS06).

The player who searches is a1, and every other is a2. An *information set* I is a set of histories that look the same to
a1. Where a1 is to move he makes one move in all of I; where a2 is to move, a model says what he does. Whatever happens,
a1 then observes something, and that parts the histories into the children C(I). So a value is not backed up from
position to position but from set to set. Equation 2 takes the mean of what may come, equation 3 the worst.

Histories are folded into a tree of information sets one after another, each with everything that can follow it, and the
value is read off the tree at the end. So the search can stop after any history, as if there had been no others.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from dataclasses import dataclass, field, fields
from itertools import repeat
from math import inf
from numbers import Real
from sys import float_info
from typing import TYPE_CHECKING, Any

from worldwise.core.belief import NUMBERS, check_function, draws, probabilities
from worldwise.core.move_values import AnyMove, MoveValues, first_best
from worldwise.core.result import NO_LIMIT, Clock, Limit, Stats, Tally
from worldwise.errors import InputError, deep

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from random import Random

    from worldwise.core.belief import Belief, Phi
    from worldwise.core.game import AnyGame
    from worldwise.core.vector import Weight

    Histories = Iterable[tuple[Any, Weight]]
    """Positions of one information set, each with its probability up to a common factor."""

Evaluate = Callable[[Any], float]
"""PNS06's script E, of one history: what a position looks worth to a1."""

LEAST, MOST = float_info.min, 1e100
"""Weights that are not 0 stay so, however long a history is, and do not grow out of the numbers there are; values
neither, and nor do sums of one by the other."""


# ---------------------------------------------------------------------- the opponent


def _short_repr(record: Any) -> str:
    """A repr in which functions go by their names: where they lie in memory is another place in every run."""
    values = ((part.name, getattr(record, part.name)) for part in fields(record))
    parts = (f"{name}={getattr(value, '__qualname__', None) or repr(value)}" for name, value in values)
    return f"{type(record).__qualname__}({', '.join(parts)})"


@dataclass(frozen=True, repr=False)
class Model:
    """What a1 takes a2 for: how his moves are ``chances`` (None: all are equally likely), and how much they are feared.

    Of things that may come, a ``caution`` of 0 takes the mean, 1 the worst of those that can come at all, and what is
    between them mixes the two.

    >>> mixed(0.25)
    Model(caution=0.25, chances=None)
    >>> mixed(0.25).value(mean=4, worst=0)
    3.0
    """

    caution: float = 0.0
    chances: Phi | None = None

    def __post_init__(self) -> None:
        if not isinstance(self.caution, Real) or not 0 <= self.caution <= 1:
            raise InputError(f"expected a caution from 0 (the mean) to 1 (the worst), found {self.caution!r}")
        if self.chances is not None:
            check_function("chances", self.chances)

    def value(self, mean: float, worst: float) -> float:
        """What things of this mean and worst value are worth."""
        return (1 - self.caution) * mean + self.caution * worst

    def phi(self, position: Any, moves: Sequence[Any]) -> Sequence[Weight]:
        """The probability of each of a2's moves; the uniform ones are floats, because a search asks often."""
        if self.chances is None:
            return (1 / len(moves),) * len(moves)
        return probabilities(self.chances, position, moves)

    def __repr__(self) -> str:
        return _short_repr(self)


OVERCONFIDENT = Model()
"""Equation 2 with uniform phi: a2 moves at random."""

PARANOID = Model(1.0)
"""Equation 3: a2 knows everything, has played well from the first move on, and hits upon the worst."""


def mixed(caution: float) -> Model:
    """A model between the two: 0 is overconfident, 1 is paranoid."""
    return Model(caution)


# ---------------------------------------------------------------------- the tree


@dataclass(slots=True)
class _Leaf:
    """An information set that is searched no further, because its histories are over or depth is used up."""

    weight: float = 0.0
    total: float = 0.0
    worst: float = inf

    def add(self, value: float, weight: float) -> None:
        self.weight += weight
        self.total += weight * value
        self.worst = min(self.worst, value)

    def value(self, model: Model) -> float:
        return model.value(self.total / self.weight, self.worst)


@dataclass(slots=True)
class _Children:
    """Information sets of which one will be the next, by what a1 observes; in ``passed`` he is not to move again."""

    sets: dict[Hashable, _Leaf | _Inner] = field(default_factory=dict)
    passed: float = 0.0

    @property
    def weight(self) -> float:
        return sum(child.weight for child in self.sets.values())

    def value(self, model: Model) -> float:
        """The mean and the worst over C(I): in equation 2 by P(I'), in equation 3 whatever that is."""
        values = [(child.weight, child.value(model)) for child in self.sets.values()]
        mean = sum(weight * value for weight, value in values) / self.weight
        return model.value(mean, min(value for _, value in values))


@dataclass(slots=True)
class _Inner:
    """An information set from which the search goes on: by any of a1's ``moves``, or by whatever a2 does (None)."""

    moves: tuple[Any, ...] | None
    ways: tuple[_Children, ...]
    weight: float = 0.0

    def value(self, model: Model) -> float:
        """The last line of equations 2 and 3; a1 has no choice where a2 is to move."""
        return max(way.value(model) for way in self.ways)


# ---------------------------------------------------------------------- folding


def no_opinion(_position: Any) -> float:
    """The evaluation that finds nothing to choose between positions in which the game goes on."""
    return 0.0


def _is_value(value: object) -> bool:
    try:
        return isinstance(value, NUMBERS) and -MOST <= float(value) <= MOST
    except OverflowError:  # a whole number beyond all floats
        return False


class _Folding:
    """A tree that grows by one history after another."""

    def __init__(
        self, search: InformationSetSearch, game: AnyGame, player: Hashable, clock: Clock | None = None
    ) -> None:
        self.search, self.game, self.player = search, game, player
        self.tree, self.tally, self.histories = _Children(), Tally(clock), 0
        self.seen: Hashable = None

    @property
    def root(self) -> _Leaf | _Inner:
        (root,) = self.tree.sets.values()
        return root

    def begin(self, position: Any, weight: float) -> None:
        """Fold one more history into the tree."""
        mover, seen = self.game.to_move(position), self.game.observe(position, self.player)
        if mover != self.player:
            raise InputError(f"expected histories with {self.player} to move, found {mover} to move at {position!r}")
        if self.histories and seen != self.seen:
            raise InputError(f"expected histories that look the same to {self.player}, found another: {position!r}")
        self.seen = seen
        self.fold(self.tree, position, weight, self.search.depth)
        self.histories += 1

    def fold(self, among: _Children, position: Any, weight: float, depth: int) -> None:
        """Add a history to its information set, and all that can follow it to the sets below."""
        self.tally.node()
        mover, seen = self.game.to_move(position), self.game.observe(position, self.player)
        among.passed += 0 if mover == self.player else weight
        if depth == 0:
            self.end(among, seen, position, weight, over=mover is None)
        elif mover is None:  # he notices the end, even if what he observes does not tell
            self.end(among, (seen, None), position, weight, over=True)
        elif moves := tuple(self.game.moves(position)):
            self.go_on(among, (seen, mover == self.player), position, weight, depth, moves)
        else:  # nothing is left to try: no such history can be, but who guesses may guess wrong
            self.end(among, (seen, "stuck"), position, weight, over=False)

    def end(self, among: _Children, key: Hashable, position: Any, weight: float, *, over: bool) -> None:
        """Add a history's value to a leaf: its utility if the game is over, otherwise what it is evaluated at."""
        value = self.utility(position) if over else self.search.evaluate(position)
        if not _is_value(value):
            raise InputError(f"expected a number from {-MOST:g} to {MOST:g} as value, found {value!r}, at {position!r}")
        self.tally.leaf()
        leaf = among.sets.setdefault(key, _Leaf())
        assert isinstance(leaf, _Leaf)
        leaf.add(value, weight)

    def utility(self, position: Any) -> float:
        given = self.search.utility
        return self.game.payoff(position, self.player) if given is None else given(position)

    def go_on(
        self,
        among: _Children,
        key: tuple[Hashable, bool],
        position: Any,
        weight: float,
        depth: int,
        moves: tuple[Any, ...],
    ) -> None:
        """Fold everything that a move can lead to: a1's moves into sets of their own, a2's all together."""
        _, is_own = key
        inner = among.sets.get(key) or among.sets.setdefault(key, _new_inner(moves, is_own=is_own))
        assert isinstance(inner, _Inner)
        if is_own and inner.moves != moves:
            raise InputError(f"expected the same moves in histories that look the same, found others at {position!r}")
        inner.weight += weight
        ways = inner.ways if is_own else repeat(inner.ways[0])
        chances = repeat(1.0) if is_own else self.search.model.phi(position, moves)
        for move, way, chance in zip(moves, ways, chances, strict=False):
            if chance:  # what cannot come is not there, however bad it is
                self.fold(way, self.game.play(position, move), max(weight * chance, LEAST), depth - 1)


def _new_inner(moves: tuple[Any, ...], *, is_own: bool) -> _Inner:
    return _Inner(moves, tuple(_Children() for _ in moves)) if is_own else _Inner(None, (_Children(),))


# ---------------------------------------------------------------------- the search


@dataclass(frozen=True, kw_only=True)
class InformationSetValues(MoveValues[AnyMove]):
    """What an information-set search answers: ``worlds_searched`` is how many histories or boards were folded.

    ``value`` is what the information set is worth. ``chances`` is how likely each move is to end the player's turn:
    where moves can be refused, to be made. A search to depth 0 has a value, but no moves.
    """

    value: float
    chances: Mapping[AnyMove, float]


@dataclass(frozen=True, repr=False)
class InformationSetSearch:
    """PNS06's search to a ``depth`` in moves, those of both players and refused ones too, by a ``model`` of the other.

    ``evaluate`` says what a position looks worth where depth is used up, ``utility`` what it is worth where the game is
    over; None is the game's own payoff.

    >>> from worldwise.phantom import Phantom
    >>> game = Phantom()
    >>> state = game.start()
    >>> found = InformationSetSearch(depth=1).search(game, game.to_move(state), [(state, 1)])
    >>> found.best, found.value, found.worlds_searched
    (0, 0.0, 1)
    """

    depth: int
    model: Model = OVERCONFIDENT
    evaluate: Evaluate = no_opinion
    utility: Evaluate | None = None

    name = "information-set"

    def __post_init__(self) -> None:
        if not isinstance(self.depth, int) or self.depth < 0:
            raise InputError(f"expected a depth in moves, 0 or more, found {self.depth!r}")
        if not isinstance(self.model, Model):
            what = "a Model, such as PARANOID, mixed(0.3) or Model(chances=...) with a function of yours"
            raise InputError(f"expected {what}, found {self.model!r}")
        check_function("evaluate", self.evaluate)
        if self.utility is not None:
            check_function("utility", self.utility)

    def __repr__(self) -> str:
        return _short_repr(self)

    def search(
        self, game: AnyGame, player: Hashable, histories: Histories, limit: Limit = NO_LIMIT
    ) -> InformationSetValues[Any]:
        """The best move of a player who is to move in histories that look the same to him.

        ``limit.nodes`` is how many histories are folded. A history once begun is finished, and one always is.
        """
        return self._search(game, player, histories, Clock(limit))

    def search_all(
        self, game: AnyGame, player: Hashable, histories: Histories, limit: Limit
    ) -> InformationSetValues[Any]:
        """The same for all histories or none: ``LimitReachedError`` even in the midst of one, if seconds run out."""
        clock = Clock(Limit(limit.seconds), self.name)
        with deep():
            folding = _Folding(self, game, player, clock)
            for position, weight in _read_histories(histories):
                folding.begin(position, weight)
            return self._read(folding, clock, complete=True)

    def _search(self, game: AnyGame, player: Hashable, histories: Histories, clock: Clock) -> InformationSetValues[Any]:
        folding, complete = _Folding(self, game, player), True
        with deep():
            for position, weight in _read_histories(histories):
                if folding.histories and clock.ran_out(folding.histories):
                    complete = False
                    break
                folding.begin(position, weight)
            if not folding.histories:
                raise InputError("expected at least one history whose weight is not 0, found none")
            return self._read(folding, clock, complete=complete)

    def search_belief(
        self,
        game: AnyGame,
        player: Hashable,
        belief: Belief[Any],
        rng: Random,
        limit: Limit,
        *,
        history: Callable[[Any], Any] | None = None,
    ) -> InformationSetValues[Any]:
        """The same for histories drawn from a belief until the limit; ``history`` makes a position of what is drawn."""
        clock = Clock(limit)
        if limit.seconds is None and limit.nodes is None:
            raise InputError(f"expected a limit in seconds or nodes, because draws do not end, found {limit}")
        drawn = draws(belief, rng)
        if history is not None:
            check_function("history", history)
            drawn = map(history, drawn)
        return self._search(game, player, zip(drawn, repeat(1), strict=False), clock)

    def _read(self, folding: _Folding, clock: Clock, *, complete: bool) -> InformationSetValues[Any]:
        root, seen = folding.root, folding.tally.stats
        ways = {} if isinstance(root, _Leaf) or root.moves is None else dict(zip(root.moves, root.ways, strict=True))
        values = {move: way.value(self.model) for move, way in ways.items()}
        return InformationSetValues(
            algorithm=self.name,
            values=values,
            best=first_best(values) if values else None,
            depth=self.depth,
            worlds_searched=folding.histories,
            complete=complete,
            stats=Stats(seen.nodes, seen.leaves, seconds=clock.seconds),
            value=max(values.values()) if values else root.value(self.model),
            chances={move: way.passed / way.weight for move, way in ways.items()},
        )


def _read_histories(histories: Histories) -> Iterator[tuple[Any, float]]:
    """The histories that are there at all."""
    if not isinstance(histories, Iterable):
        what = "histories with their weights (of a belief, its histories, or search_belief)"
        raise InputError(f"expected {what}, found {type(histories).__name__}")
    for history in histories:
        try:
            position, weight = history
        except (TypeError, ValueError):
            raise InputError(f"expected a history as a position and its weight, found {history!r}") from None
        if not isinstance(weight, Real) or not 0 <= weight <= MOST:
            raise InputError(f"expected weights from 0 to {MOST:g}, found {weight!r} for {position!r}")
        if weight:
            yield position, max(float(weight), LEAST)
