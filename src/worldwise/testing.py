"""Is my game a game? Conformance checks that any ``WorldGame`` and any ``Game`` can be put through.

>>> from worldwise import tree
>>> check_world_game(tree("fb01/fig-3"))
Conformance(positions=14, leaves=7, complete=True)
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field
from itertools import islice
from math import isclose, isfinite
from numbers import Real
from random import Random
from typing import TYPE_CHECKING, Any

from worldwise.core.game import CHANCE, Chancy, Coded, Dealt, Redealing, Side, Transposing, WorldGame
from worldwise.core.vector import Vector
from worldwise.errors import WorldwiseError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from worldwise.core.game import AnyGame, AnyWorldGame


class ConformanceError(WorldwiseError, AssertionError):
    """The game breaks a rule of its protocol; the message says which, and where."""


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


# ---------------------------------------------------------------------- the referee's view


@dataclass(frozen=True)
class Playouts:
    """What was checked: games played at random, those that came to an end, and positions looked at."""

    games: int
    ended: int
    positions: int


def check_game(
    game: AnyGame,
    players: Sequence[Hashable],
    *,
    seeds: Iterable[int] = range(10),
    most_moves: int = 1000,
    branches: int = 3,
    zero_sum: bool = False,
) -> Playouts:
    """Play at random and check every rule of ``Game``; raises ``ConformanceError`` at the first rule broken.

    At every position some ``branches`` that are not played are looked at too: that is where a player cannot tell two
    positions apart, and must have the same moves in both. What he has observed must tell what he had observed before
    (he forgets nothing), and his own moves.
    """
    check = _Playouts(game, tuple(players), branches, zero_sum)
    for seed in seeds:
        check.play(Random(seed), most_moves)
    if isinstance(game, Dealt):
        check.check_deals(game)
    return Playouts(check.games, check.ended, check.positions)


def _is_hashable(value: Any) -> bool:
    try:
        hash(value)
    except TypeError:
        return False
    return True


MOST_DEALS = 20_000
"""Of a game that lists more, the deals are not looked through."""

_OVER, _WAITING = "over", "waiting"
"""It is nobody's turn, or another's."""

_BEGINNING = object()
"""What a player knew before he knew anything."""


@dataclass
class _Playouts:
    """Games played at random; what each player knew is kept, with his moves and with what he knew before."""

    game: AnyGame
    players: tuple[Hashable, ...]
    branches: int
    zero_sum: bool
    games: int = 0
    ended: int = 0
    positions: int = 0
    turns: dict[Any, Any] = field(default_factory=dict)
    before: dict[Any, Any] = field(default_factory=dict)
    futures: dict[Any, Any] = field(default_factory=dict)
    firsts: list[Any] = field(default_factory=list)

    def need(self, holds: bool, expected: str, found: Any, position: Any) -> None:
        """A position is written only if there is something to say of it: it may be long."""
        if not holds:
            _need(False, expected, found, repr(position))

    def play(self, rng: Random, most_moves: int) -> None:
        first = position = self.game.deal(rng)
        self.games += 1
        self.firsts.append(first)
        self.check_position(position)
        for player in self.players:
            self.check_memory(player, self.game.observe(position, player), _BEGINNING, position)
        for _ in range(most_moves):
            if self.game.to_move(position) is None:
                self.ended += 1
                return
            moves = list(self.game.moves(position))
            ways = [self.step(position, move) for move in rng.sample(moves, min(len(moves), 1 + self.branches))]
            position = ways[0]
            if isinstance(self.game, Redealing):
                self.check_redeal(self.game, first, position)

    def step(self, position: Any, move: Any) -> Any:
        """Check what comes of a move."""
        mover, after = self.game.to_move(position), self.game.play(position, move)
        again = self.game.play(position, move)
        self.need(after == again, "the same position when a move is played again", "another", position)
        self.need(self.game.to_move(position) == mover, "play to leave its position alone", "it changed", position)
        self.check_position(after)
        for player in self.players:
            known, now = self.game.observe(position, player), self.game.observe(after, player)
            if player == mover:
                self.need(now != known, f"{player!r} to have observed a move of his own", "nothing new", after)
                self.check_memory(player, now, (known, move), after)
            elif now != known:
                self.check_memory(player, now, (known, None), after)
        return after

    def check_memory(self, player: Hashable, now: Any, before: Any, position: Any) -> None:
        same = self.before.setdefault((player, now), before) == before
        self.need(same, f"{player!r} to know what he knew before, and his moves", "two ways to know the same", position)

    def check_position(self, position: Any) -> None:
        self.positions += 1
        self.need(_is_hashable(position), "a hashable position", type(position).__name__, position)
        mover = self.game.to_move(position)
        moves = None if mover is None else self.check_moves(position)
        if mover == CHANCE and isinstance(self.game, Chancy):
            self.check_chances(self.game, len(moves or ()), position)
        else:
            self.need(mover is None or mover in self.players, f"one of {self.players} or None to move", mover, position)
        for player in self.players:
            known = self.game.observe(position, player)
            self.need(_is_hashable(known), "a hashable observation", type(known).__name__, position)
            again = self.game.observe(position, player)
            self.need(known == again, "the same observation when asked again", "another", position)
            self.check_turn(player, known, _OVER if mover is None else moves if player == mover else _WAITING, position)
        if isinstance(self.game, Transposing):
            self.check_key(self.game, (mover, moves), position)
        if mover is None:
            self.check_payoffs(position)

    def check_turn(self, player: Hashable, known: Any, turn: Any, position: Any) -> None:
        """Positions that look alike to a player: in both it is his turn with the same moves, or in neither."""
        before = self.turns.setdefault((player, known), turn)
        told = f"what {player!r} has observed to tell"
        if turn == before or {str(turn), str(before)} == {_OVER, _WAITING}:
            return
        self.need(_OVER not in (turn, before), f"{told} that the game is over", "the same where it goes on", position)
        self.need(_WAITING not in (turn, before), f"{told} that it is his turn", "the same where it is not", position)
        found = f"{turn}, and {before} where it looks the same"
        self.need(False, f"the moves of {player!r} to follow from what was observed", found, position)

    def check_key(self, game: Transposing, turn: tuple[Any, Any], position: Any) -> None:
        """Positions with equal keys have the same future: whose turn it is, his moves, and what they lead to."""
        key, (mover, moves) = game.key(position), turn
        self.need(_is_hashable(key), "a hashable key", type(key).__name__, position)
        if mover is None:
            future: Any = [self.game.payoff(position, player) for player in self.players]
        else:
            future = mover, {move: game.key(self.game.play(position, move)) for move in moves}
        same = self.futures.setdefault(key, future) == future
        self.need(same, "positions with equal keys to have the same future", f"two of the key {key!r:.200}", position)

    def check_redeal(self, game: Redealing, first: Any, position: Any) -> None:
        """First positions that are drawn to fit must look to the player as his own did."""
        for player in self.players:
            drawn = game.redeal(self.game.observe(position, player), player, Random(self.positions))
            same = self.game.observe(drawn, player) == self.game.observe(first, player)
            same &= self.game.to_move(drawn) == self.game.to_move(first)
            self.need(same, f"redeal to draw what {player!r} takes for his own deal", f"{drawn!r:.200}", position)

    def check_moves(self, position: Any) -> list[Any]:
        moves = list(self.game.moves(position))
        self.need(bool(moves), "at least one move", "none", position)
        self.need(len(set(moves)) == len(moves), "each move once", moves, position)
        self.need(moves == list(self.game.moves(position)), "the same moves when asked again", "others", position)
        return moves

    def check_chances(self, game: Chancy, moves: int, position: Any) -> None:
        chances = [float(chance) for chance in game.chances(position)]
        good = len(chances) == moves and min(chances) > 0 and isclose(sum(chances), 1, abs_tol=1e-9)
        self.need(good, f"{moves} probabilities above 0 that sum to one", chances, position)

    def check_payoffs(self, position: Any) -> None:
        payoffs = [self.game.payoff(position, player) for player in self.players]
        good = all(isinstance(payoff, Real) and isfinite(payoff) for payoff in payoffs)
        self.need(good, "finite payoffs", payoffs, position)
        good = not self.zero_sum or isclose(sum(payoffs), 0, abs_tol=1e-9)
        self.need(good, "payoffs that sum to nothing", payoffs, position)

    def check_deals(self, game: Dealt) -> None:
        deals = list(islice(game.deals(), MOST_DEALS + 1))
        if len(deals) > MOST_DEALS:
            return
        total = sum(chance for _, chance in deals)
        _need(total == 1, "deals whose probabilities sum to one", total, "the deals")
        for position, _ in deals:
            self.check_position(position)
        listed = {position for position, chance in deals if chance}
        for first in self.firsts:
            _need(first in listed, "deal to draw one of the deals listed", repr(first), "the deals")
