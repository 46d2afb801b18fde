"""Is my game a game? A conformance check that any ``WorldGame`` can be put through.

>>> from worldwise import tree
>>> check_world_game(tree("fb01/fig-3"))
Conformance(positions=14, leaves=7, complete=True)
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field
from math import isfinite
from typing import TYPE_CHECKING, Any

from worldwise.core.game import Coded, Side, WorldGame
from worldwise.core.vector import Vector
from worldwise.errors import WorldwiseError

if TYPE_CHECKING:
    from worldwise.core.game import AnyWorldGame


class ConformanceError(WorldwiseError, AssertionError):
    """The game breaks a rule of ``WorldGame``; the message says which, and where."""


@dataclass(frozen=True)
class Conformance:
    """What was checked; ``complete`` if that is the whole game."""

    positions: int
    leaves: int
    complete: bool


def check_world_game(game: AnyWorldGame, most_positions: int = 20_000) -> Conformance:
    """Walk the game, or as much of it as allowed, and check every rule of ``WorldGame`` and of ``Coded``.

    Raises ``ConformanceError`` at the first rule broken. Rules about whole subtrees (MAX's moves are open in the same
    worlds, every world can be reached) are checked if the walk is complete.
    """
    _need(isinstance(game, WorldGame), "the members of WorldGame", f"a {type(game).__name__} without some", "the game")
    walk = _Walk(game, most_positions)
    walk.check_worlds()
    walk.check_positions()
    if walk.complete:
        walk.check_open_worlds()
    return Conformance(len(walk.order), walk.leaves, walk.complete)


def _need(holds: bool, expected: str, found: Any, where: Any) -> None:
    if not holds:
        raise ConformanceError(f"at {where}: expected {expected}, found {found}")


@dataclass
class _Walk:
    """A walk over a game, in preorder; ``order`` and ``children`` are by the number of the position."""

    game: AnyWorldGame
    most: int
    order: list[Any] = field(default_factory=list)
    children: dict[int, list[int]] = field(default_factory=dict)
    open_worlds: dict[int, frozenset[int]] = field(default_factory=dict)
    leaves: int = 0
    complete: bool = True

    def check_worlds(self) -> None:
        worlds, weights = self.game.worlds, list(self.game.weights)
        _need(isinstance(worlds, int) and worlds >= 1, "at least one world", worlds, "worlds")
        _need(len(weights) == worlds, f"{worlds} weights", len(weights), "weights")
        good = all(isfinite(weight) and weight >= 0 for weight in weights) and any(weights)
        _need(good, "finite weights, none negative, not all zero", weights, "weights")

    def check_positions(self) -> None:
        ahead: list[tuple[Any, int | None]] = [(self.game.root, None)]
        seen: set[Any] = set()
        while ahead:
            if len(self.order) >= self.most:
                self.complete = False
                return
            position, parent = ahead.pop()
            _need(isinstance(position, Hashable), "a hashable position", type(position).__name__, repr(position))
            _need(position not in seen, "every history to be a position of its own", "it twice", repr(position))
            seen.add(position)
            number = len(self.order)
            self.order.append(position)
            if parent is not None:
                self.children[parent].append(number)
            ahead.extend((child, number) for child in reversed(self.check_position(number, position)))

    def check_position(self, number: int, position: Any) -> list[Any]:
        """Check one position and return those after it."""
        side = self.game.to_move(position)
        _need(side is None or isinstance(side, Side), "Side.MAX, Side.MIN or None to move", side, repr(position))
        self.children[number] = []
        if side is None:
            self.leaves += 1
            self.check_payoffs(number, position)
            return []
        moves = list(self.game.moves(position))
        _need(bool(moves), "at least one move", "none", repr(position))
        _need(len(set(moves)) == len(moves), "each move once", moves, repr(position))
        _need(moves == list(self.game.moves(position)), "the same moves when asked again", "others", repr(position))
        after = [self.game.play(position, move) for move in moves]
        again = [self.game.play(position, move) for move in moves]
        _need(after == again, "the same position when a move is played again", "another", repr(position))
        _need(self.game.to_move(position) is side, "play to leave its position alone", "it changed", repr(position))
        return after

    def check_payoffs(self, number: int, position: Any) -> None:
        payoffs = self.game.payoffs(position)
        where = repr(position)
        _need(isinstance(payoffs, Sequence), "a sequence of payoffs", type(payoffs).__name__, where)
        _need(len(payoffs) == self.game.worlds, f"{self.game.worlds} payoffs", len(payoffs), where)
        for payoff in payoffs:
            good = payoff is None or (isinstance(payoff, (int, float)) and isfinite(payoff))
            _need(good, "finite numbers or None as payoffs", payoff, where)
        self.open_worlds[number] = frozenset(world for world, payoff in enumerate(payoffs) if payoff is not None)
        if isinstance(self.game, Coded):
            self.check_code(self.game, payoffs, position)

    def check_code(self, game: Coded[Any], payoffs: Sequence[float | None], position: Any) -> None:
        code, scale = game.code(position), game.scale
        _need(code == scale.code(payoffs), "the scale's code of the payoffs", code, repr(position))
        defined = [payoff is not None for payoff in payoffs]
        back = Vector(p if known else None for p, known in zip(scale.vector(code), defined, strict=True))
        _need(back == Vector(payoffs), f"{Vector(payoffs)} back from the code", back, repr(position))

    def check_open_worlds(self) -> None:
        for number in reversed(range(len(self.order))):
            if not self.children[number]:
                continue
            below = [self.open_worlds[child] for child in self.children[number]]
            self.open_worlds[number] = frozenset().union(*below)
            if self.game.to_move(self.order[number]) is Side.MAX:
                same = all(worlds == below[0] for worlds in below)
                found = [sorted(worlds) for worlds in below]
                _need(same, "MAX's moves to be open in the same worlds", found, repr(self.order[number]))
        everywhere = frozenset(range(self.game.worlds))
        missing = sorted(everywhere - self.open_worlds[0])
        _need(not missing, "every world to have a payoff somewhere", f"none in {missing}", "the root")
