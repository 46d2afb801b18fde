"""A ``Game`` as one of its players sees it: the possible-worlds view that FB01's and CLV21's searches work on.

The worlds are positions that look the same to the player, who is MAX. Everybody else is MIN, and sees everything. MIN's
moves are the *news*: what MAX may observe next. Where MAX does not see what MIN does, several positions of one world go
on together, and MAX gets the worst of them, because MIN chooses knowing the world and MAX's plan. Chance on the way
belongs to the world: each world draws its own, once.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from random import Random
from typing import TYPE_CHECKING, Any

from worldwise.core.game import CHANCE, Side, Transposing
from worldwise.core.result import Tally
from worldwise.core.scale import Reals
from worldwise.core.tracking import MOST_UNSEEN
from worldwise.errors import InputError
from worldwise.search.face_up_solver import FaceUpSolver

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Sequence

    from worldwise.core.game import AnyGame
    from worldwise.core.vector import Payoff, Vector, Weight

    States = list[tuple[int, Any]]
    """Positions, each with its world."""


@dataclass(frozen=True, slots=True, eq=False)
class SeatNode:
    """What MAX knows: what he has observed, who is to move, and the positions that may be the true one.

    Two nodes of one view are the same if MAX has observed, and done since, the same.
    """

    side: Side | None
    seen: Hashable
    states: States
    worlds: frozenset[int]
    ways: dict[Hashable, SeatNode] = field(default_factory=dict)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, SeatNode) and (self.side, self.seen) == (other.side, other.seen)

    def __hash__(self) -> int:
        return hash(self.seen)

    def __repr__(self) -> str:
        return f"SeatNode({self.seen!r}, worlds {sorted(self.worlds)})"


class SeatView:
    """A ``WorldGame`` of any ``Game``: MAX is a player, the worlds are positions that look the same to him.

    >>> from worldwise.phantom import Phantom
    >>> game = Phantom(2, 2, 2)
    >>> first = game.start()
    >>> worlds = [game.play(first, square) for square in range(4)]
    >>> view = SeatView(game, "o", worlds)
    >>> view.worlds, view.to_move(view.root), view.moves(view.root)
    (4, Side.MAX, (0, 1, 2, 3))
    """

    tally: Tally
    """What a search counts: its limit also holds here, where a position may have very many moves or unseen ways."""

    def __init__(self, game: AnyGame, player: Hashable, states: Iterable[Any], weights: Sequence[Weight] = ()) -> None:
        self.game, self.player, self._rng = game, player, Random(0)
        self.tally = Tally()
        worlds = list(enumerate(states))
        self.worlds, self.weights = len(worlds), tuple(weights) or (1,) * len(worlds)
        if len(self.weights) != self.worlds:
            raise InputError(f"expected a weight for each of {self.worlds} worlds, found {len(self.weights)}")
        roots = list(self._split_by_news(worlds).values())
        if len(roots) != 1:
            raise InputError(f"expected positions that look the same to {player!r}, found {len(roots)} kinds")
        self.root: SeatNode = roots[0]

    def to_move(self, position: SeatNode) -> Side | None:
        """MAX at his turns, MIN while there is news to come, None at the end."""
        return position.side

    def moves(self, position: SeatNode) -> Sequence[Any]:
        """The player's moves, or what he may observe next."""
        if position.side is Side.MAX:
            return tuple(self.game.moves(position.states[0][1]))
        if not position.ways:
            position.ways.update(self._split_by_news(self._until_news(position)))
        return tuple(position.ways)

    def play(self, position: SeatNode, move: Any) -> SeatNode:
        """What the player knows next; if a move of his may be answered in several ways, MIN says which."""
        if position.side is not Side.MAX:
            self.moves(position)
            return position.ways[move]
        if move not in position.ways:
            self.tally.check()
            news = self._split_by_news([(world, self.game.play(state, move)) for world, state in position.states])
            several = SeatNode(Side.MIN, (position.seen, move), [], position.worlds, news)
            position.ways[move] = next(iter(news.values())) if len(news) == 1 else several
        return position.ways[move]

    def payoffs(self, position: SeatNode) -> list[Payoff]:
        """In each world the worst that MIN can have done unseen."""
        found: list[Payoff] = [None] * self.worlds
        for world, state in position.states:
            payoff, before = self.game.payoff(state, self.player), found[world]
            found[world] = payoff if before is None else min(before, payoff)
        return found

    def key(self, position: SeatNode) -> Hashable:
        """What the future depends on: what was observed, or less if the game knows which positions are alike."""
        if not isinstance(self.game, Transposing) or not position.states:
            return position.side, position.seen
        return position.side, tuple((world, self.game.key(state)) for world, state in position.states)

    # ------------------------------------------------------------------ what is observed

    def _split_by_news(self, states: States) -> dict[Hashable, SeatNode]:
        """Positions by what the player observes, and by whether it is his turn or the end."""
        parts: dict[Hashable, States] = {}
        for world, state in states:
            mover = self.game.to_move(state)
            side = None if mover is None else Side.MAX if mover == self.player else Side.MIN
            parts.setdefault((self.game.observe(state, self.player), side), []).append((world, state))
        return {news: _node(news, part) for news, part in parts.items()}

    def _until_news(self, position: SeatNode) -> States:
        """The others move until the player observes something."""
        waiting, found = list(position.states), list[tuple[int, Any]]()
        before, looked_at = self.game.observe(waiting[0][1], self.player), 0
        while waiting:
            world, state = waiting.pop()
            looked_at += 1
            self.tally.check()
            if looked_at > MOST_UNSEEN:
                raise InputError(f"expected at most {MOST_UNSEEN:,} unseen ways from turn to turn, found more")
            for move in self._others_moves(state):
                after = self.game.play(state, move)
                quiet = self.game.to_move(after) not in (None, self.player)
                unseen = quiet and self.game.observe(after, self.player) == before
                (waiting if unseen else found).append((world, after))
        return sorted(found, key=lambda one: one[0])

    def _others_moves(self, state: Any) -> Sequence[Any]:
        moves: Sequence[Any] = self.game.moves(state)
        if self.game.to_move(state) != CHANCE:
            return moves
        chances = [float(share) for share in self.game.chances(state)]  # type: ignore[attr-defined]
        return self._rng.choices(moves, chances)


def _node(news: Any, states: States) -> SeatNode:
    seen, side = news
    return SeatNode(side, seen, states, frozenset(world for world, _ in states))


class SeatFaceUp:
    """The leaves of alpha-mu for a ``SeatView``: every world solved face up, by one table for all.

    It sees what the others do unseen, too (``Clairvoyant``).
    """

    unseen_moves = True

    def __init__(self, view: SeatView, tally: Tally | None = None) -> None:
        self.view, self.scale = view, Reals(view.weights)
        self.solver = FaceUpSolver(view.game, view.player, tally)

    def open(self, position: SeatNode) -> frozenset[int]:
        """The worlds in which the node can arise."""
        return position.worlds

    def code(self, position: SeatNode, worlds: frozenset[int]) -> Vector:
        """What each world is worth: to the player who sees everything, the worst of its positions."""
        found: list[Payoff] = [None] * self.view.worlds
        for world, state in self._states(position):
            if world in worlds:
                value, before = self.solver.value(state), found[world]
                found[world] = value if before is None else min(before, value)
        return self.scale.code(found)

    def _states(self, position: SeatNode) -> Iterable[tuple[int, Any]]:
        return position.states or [state for way in position.ways.values() for state in way.states]
