"""What a game is to a search: the protocols everything else is written against.

``WorldGame`` is the view most of worldwise works on: one side (MAX) does not know which of n numbered *worlds* is the
true one, the other side (MIN) may know more, and every move is seen by both. A game needs no base class: give your
class these seven members, then let ``worldwise.testing.check_world_game`` tell you whether they fit together.

``Game`` is the referee's view of the same thing: the true state, and what each player gets to observe.

``ExtensiveForm`` is the game theorist's view: a tree with chance moves, any number of players, and information sets.

An optional power is a protocol of its own (``Coded``, ``Labelled`` ...), never a method that raises.
"""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING, Any, Protocol, TypeVar, runtime_checkable

from worldwise.core.scale import AnyScale, Code, Reals, Scale

if TYPE_CHECKING:
    from collections.abc import Callable, Container, Hashable, Iterable, Sequence
    from fractions import Fraction
    from random import Random

    from worldwise.core.vector import Payoff, Weight

    Rational = int | Fraction
    """An exact number."""


class Side(Enum):
    """Who is to move: MAX, who cannot see the world, or MIN, who may."""

    MAX = "max"
    MIN = "min"

    def __repr__(self) -> str:
        return f"Side.{self.name}"


Position = TypeVar("Position", bound="Hashable")
Move = TypeVar("Move", bound="Hashable")


@runtime_checkable
class WorldGame(Protocol[Position, Move]):
    """A game as MAX sees it, over worlds numbered 0 to ``worlds - 1``.

    A position is a node of the game tree: two histories are two positions, because the best move may depend on
    what could have happened elsewhere (FB01 calls this non-locality). Where a move of MIN is open in some worlds only,
    payoffs below it are None in the others; MAX's moves are open in all worlds or none.
    """

    @property
    def worlds(self) -> int:
        """How many worlds there are."""

    @property
    def weights(self) -> Sequence[Weight]:
        """Each world's probability, up to a common factor: not negative, not all zero."""

    @property
    def root(self) -> Position:
        """Where the game begins."""

    def to_move(self, position: Position) -> Side | None:
        """Whose turn it is; None when the game is over."""

    def moves(self, position: Position) -> Sequence[Move]:
        """The moves of the side to move, at least one, each once, in a fixed order."""

    def play(self, position: Position, move: Move) -> Position:
        """The position after a move."""

    def payoffs(self, position: Position) -> Sequence[Payoff]:
        """At the end of the game: what MAX gets in each world, None where this end cannot be reached."""


AnyWorldGame = WorldGame[Any, Any]


@runtime_checkable
class Coded(Protocol[Code]):
    """An optional power: the game codes its own payoffs, which makes every search on it faster."""

    @property
    def scale(self) -> Scale[Code]:
        """How payoffs are coded."""

    def code(self, position: Any) -> Code:
        """The payoffs at the end of the game, coded."""


class SelfCoded:
    """The power of ``Coded`` for a game that lacks it: vectors code themselves."""

    def __init__(self, game: AnyWorldGame) -> None:
        self.game = game
        self.scale: AnyScale = Reals(tuple(game.weights))

    def code(self, position: Any) -> Any:
        """The payoffs of the game, as a vector."""
        return self.scale.code(self.game.payoffs(position))


def as_coded(game: AnyWorldGame) -> Coded[Any]:
    """The game itself if it codes its payoffs, otherwise a helper that does."""
    return game if isinstance(game, Coded) else SelfCoded(game)


@runtime_checkable
class Transposing(Protocol):
    """An optional power: positions with equal keys have the same moves, news and payoffs from here on."""

    def key(self, position: Any) -> Hashable:
        """What the future depends on."""


def key_of(game: AnyWorldGame) -> Callable[[Any], Hashable]:
    """The game's own key for a position if it has one, otherwise the position itself."""
    return game.key if isinstance(game, Transposing) else _itself


def _itself(position: Any) -> Any:
    return position


class Game(Protocol[Position, Move]):
    """The referee's view: the true state of play, and what each player may know of it.

    Players hear observations only, never states.
    """

    def deal(self, rng: Random) -> Position:
        """A first position, chance having spoken."""

    def to_move(self, position: Position) -> Hashable | None:
        """The player to move; None when the game is over."""

    def moves(self, position: Position) -> Sequence[Move]:
        """What the player to move may do."""

    def play(self, position: Position, move: Move) -> Position:
        """The position after a move."""

    def payoff(self, position: Position, player: Any) -> float:
        """What a player gets at the end."""

    def observe(self, position: Position, player: Any) -> Hashable:
        """Everything this player has seen and heard so far."""


AnyGame = Game[Any, Any]


@runtime_checkable
class Dealt(Protocol):
    """An optional power of a ``Game``: it lists its deals, so that its whole tree can be written down."""

    def deals(self) -> Iterable[tuple[Any, Fraction]]:
        """Every first position with its probability."""


@runtime_checkable
class Peopled(Protocol):
    """An optional power of a ``Game``: it says who plays, so that a name that is nobody's is noticed at once."""

    @property
    def players(self) -> Container[Hashable]:
        """All whom ``to_move`` names, but for chance."""


@runtime_checkable
class Redealing(Protocol):
    """An optional power of a ``Game`` with too many deals to list: it draws those that look alike to a player."""

    def redeal(self, observation: Any, player: Any, rng: Random) -> Any:
        """A first position that may have led to this observation, drawn as from the deals that can.

        Whether the play since fits too is looked at by whoever asks, so it need only fit the player's first sight.
        """


@runtime_checkable
class Shown(Protocol):
    """An optional power of a ``Game``: it says what a player has observed in words or as a picture."""

    def show(self, observation: Any, player: Any) -> str:
        """What the player sees, for people."""


CHANCE = -1
"""Who moves at a chance node: of an ``ExtensiveForm``, and of a ``Game`` that is ``Chancy``."""


@runtime_checkable
class Chancy(Protocol):
    """An optional power of a ``Game``: chance moves on the way too, and ``to_move`` says ``CHANCE`` where it does."""

    def chances(self, position: Any) -> Sequence[Weight]:
        """At a position where chance is to move: each move's probability, in the order of the moves."""


@runtime_checkable
class ExtensiveForm(Protocol[Position, Move]):
    """A game tree with chance moves and information sets (BMV96 section 3), its nodes made on demand.

    Positions of one information set belong to one player, have the same moves in the same order, and he makes the same
    move at all of them. Probabilities and payoffs are exact.
    """

    @property
    def players(self) -> Sequence[str]:
        """The players' names; a player is a place in this list, from 0."""

    @property
    def root(self) -> Position:
        """Where the game begins."""

    def to_move(self, position: Position) -> int | None:
        """The player to move, or ``CHANCE``; None when the game is over."""

    def moves(self, position: Position) -> Sequence[Move]:
        """The alternatives, at least one, each once, in a fixed order."""

    def play(self, position: Position, move: Move) -> Position:
        """The position after a move."""

    def chances(self, position: Position) -> Sequence[Fraction]:
        """At a chance node: each move's probability, in the order of the moves; they sum to one."""

    def information_set(self, position: Position) -> Hashable:
        """At a player's node: what the player knows, equal at all nodes he cannot tell apart."""

    def payoffs(self, position: Position) -> Sequence[Rational]:
        """At the end of the game: what each player gets."""


AnyExtensiveForm = ExtensiveForm[Any, Any]


@runtime_checkable
class Labelled(Protocol):
    """An optional power of a game whose moves are codes: it says what they are called."""

    def move_label(self, position: Any, move: Any) -> str:
        """A move's name, for people."""


@runtime_checkable
class NamedSets(Protocol):
    """An optional power of an ``ExtensiveForm``: it says what its information sets are called."""

    def set_name(self, position: Any) -> str:
        """The name of the information set of a player's node; may be empty."""


@runtime_checkable
class Bounded(Protocol):
    """An optional power of an ``ExtensiveForm``: it knows a bound on its payoffs, which is what pruning lives on."""

    def highest_payoff(self, player: int) -> Rational:
        """A number that no payoff of a player exceeds."""
