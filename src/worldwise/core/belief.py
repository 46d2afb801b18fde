"""Beliefs: what a player holds possible, and how it changes with what the player hears."""

from __future__ import annotations

from collections.abc import Callable, Container, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import islice
from numbers import Real
from random import Random
from typing import TYPE_CHECKING, Any, Protocol, Self, TypeVar

from worldwise.core.game import Dealt, Peopled
from worldwise.core.vector import Weight
from worldwise.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterator

    from worldwise.core.game import AnyGame

State = TypeVar("State", covariant=True)

Phi = Callable[[Any], Sequence[Weight]]
"""How somebody plays: at a position where he is to move, the probability of each of his moves, in their order."""

NUMBERS = float, int, Real
"""What is a number; the usual ones come first, because searches ask often."""

MOST_DEALS = 200_000
"""That are listed: they take some 200 MB, and a pack of cards has many times more than any memory."""

ROUNDING = 1e-9
"""How far probabilities may be from summing to one."""


class Belief(Protocol[State]):
    """The states a player cannot rule out, weighted by how likely they are. A value: nothing changes in place."""

    def after(self, observation: Any) -> Self:
        """The belief once this has been heard."""

    def sample(self, rng: Random) -> State:
        """One state drawn by its probability; the same seed draws the same states."""


def draws(belief: Belief[State], rng: Random) -> Iterator[State]:
    """States drawn from a belief, one after another without an end."""
    if not hasattr(belief, "sample"):
        raise InputError(f"expected a belief, with a method sample, to draw from, found {type(belief).__name__}")
    if not isinstance(rng, Random):
        raise InputError(f"expected a random.Random to draw with, found {rng!r}")
    while True:
        yield belief.sample(rng)


def check_function(name: str, found: object) -> None:
    """What is no function would be called only deep in a search, where nobody knows any more who gave it."""
    if not callable(found):
        raise InputError(f"expected {name} to be a function of a position, found {found!r}")


def probabilities(phi: Phi | None, position: Any, moves: Sequence[Any]) -> Sequence[Weight]:
    """How likely each move is: what phi says if it is fit to be believed, or without one, all alike.

    >>> probabilities(None, "any position", ["left", "right"])
    (Fraction(1, 2), Fraction(1, 2))
    """
    if phi is None:
        return (Fraction(1, len(moves)),) * len(moves)
    chances = phi(position)
    if not hasattr(chances, "__getitem__") or isinstance(chances, Mapping):
        raise InputError(f"expected phi to give a sequence of probabilities, found {chances!r}, at {position!r}")
    if len(chances) != len(moves):
        raise InputError(f"expected phi to give {len(moves)} probabilities, found {len(chances)}, at {position!r}")
    fit = all(isinstance(chance, NUMBERS) and 0 <= chance <= 1 + ROUNDING for chance in chances)
    if not (fit and abs(sum(map(float, chances)) - 1) <= ROUNDING):
        raise InputError(f"expected {_unfit(chances)}, at {position!r}")
    return chances


def _unfit(chances: Sequence[Weight]) -> str:
    for chance in chances:
        if not isinstance(chance, NUMBERS):
            return f"probabilities as numbers (float, int or Fraction), found {chance!r}"
    return f"probabilities that are not negative and sum to 1, found {', '.join(map(str, chances))}"


def deals_of(game: AnyGame) -> tuple[tuple[Any, Fraction], ...]:
    """Every first position with its probability, of a game that has this power."""
    if not isinstance(game, Dealt):
        what = "a game that lists its deals (a method deals() -> positions with probabilities)"
        raise InputError(f"expected {what}, found {type(game).__name__}, which can only draw one")
    deals = tuple(islice(game.deals(), MOST_DEALS + 1))
    if len(deals) > MOST_DEALS:
        raise InputError(f"expected a game of at most {MOST_DEALS:,} deals, found more")
    total = sum(float(chance) for _, chance in deals)
    if abs(total - 1) > ROUNDING:
        found = ", ".join(str(chance) for _, chance in deals) if len(deals) < 10 else f"a sum of {total}"
        raise InputError(f"expected probabilities of deals that sum to 1, found {found or 'none'}")
    return deals


def _is_nobody(game: AnyGame, player: Hashable, position: Any) -> bool:
    """Whether a game that says who plays knows of no such player; of others only the whole tree tells.

    What it says holds once somebody of these is to move: in an ``ExtensiveForm`` they are names, and numbers move.
    """
    players = game.players if isinstance(game, Peopled) else ()
    if not isinstance(players, Container) or player in players:
        return False
    while (mover := game.to_move(position)) not in (None, player) and mover not in players:
        position = game.play(position, game.moves(position)[0])
    return mover in players


History = tuple[Any, Weight]
"""A position, and how likely the deal and the others' moves that led to it are."""


@dataclass(frozen=True)
class AllHistories:
    """Every history after which a player is to move and has observed what he has, with its probability.

    It is exact, and for small games that list their deals (``Dealt``). The others play by ``phi``; None is at random.
    ``after`` is to be told what the player has observed at each of his turns: after a refused try too.

    >>> from worldwise.phantom import Phantom
    >>> game = Phantom()
    >>> first, second = game.players
    >>> state = game.play(game.start(), 4)
    >>> belief = AllHistories.start(game, second).after(game.observe(state, second))
    >>> len(belief.histories), belief.histories[0][1]
    (9, Fraction(1, 9))
    >>> refused = game.play(state, 4)
    >>> [position == refused for position, _ in belief.after(game.observe(refused, second)).histories]
    [True]
    """

    game: AnyGame
    player: Hashable
    histories: tuple[History, ...]
    phi: Phi | None = None

    def __post_init__(self) -> None:
        if self.phi is not None:
            check_function("phi", self.phi)

    @classmethod
    def start(cls, game: AnyGame, player: Hashable, phi: Phi | None = None) -> AllHistories:
        """The belief at the player's first turn, whatever he observes there."""
        deals: list[History] = [(position, chance) for position, chance in deals_of(game) if chance]
        begun = cls(game, player, (), phi)
        if not _is_nobody(game, player, deals[0][0]):
            begun = begun._until_turn(deals)
        if not begun.histories:
            raise InputError(f"expected a player who gets a turn, found {player!r}")
        return begun

    def after(self, observation: Hashable) -> AllHistories:
        """The belief once the player, at this turn or the next, has observed this."""
        fitting = self._select(observation) or self._until_turn(list(self._own_moves()))._select(observation)
        if not fitting:
            raise InputError(f"expected what {self.player} may observe at this turn or the next, found {observation!r}")
        return replace(self, histories=fitting)

    def _select(self, observation: Hashable) -> tuple[History, ...]:
        seen = ((history, self.game.observe(history[0], self.player)) for history in self.histories)
        return tuple(history for history, observed in seen if observed == observation)

    def sample(self, rng: Random) -> Any:
        """A position, drawn by its probability."""
        positions, chances = zip(*self.histories, strict=True)
        return rng.choices(positions, [float(chance) for chance in chances])[0]

    def _own_moves(self) -> Iterator[History]:
        """What the player does is his choice, and no matter of chance."""
        for position, chance in self.histories:
            for move in self.game.moves(position):
                yield self.game.play(position, move), chance

    def _until_turn(self, histories: list[History]) -> AllHistories:
        """The others move until it is the player's turn."""
        waiting, found = histories[::-1], []
        while waiting:
            position, chance = waiting.pop()
            mover = self.game.to_move(position)
            if mover == self.player:
                found.append((position, chance))
            elif mover is not None:
                waiting.extend(reversed(list(self._others_moves(position, chance))))
        return replace(self, histories=tuple(found))

    def _others_moves(self, position: Any, chance: Weight) -> Iterator[History]:
        moves = self.game.moves(position)
        for move, share in zip(moves, probabilities(self.phi, position, moves), strict=True):
            if share:
                yield self.game.play(position, move), chance * share
