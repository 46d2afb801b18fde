"""Players for any ``Game``: they are told the rules, what they have observed, and nothing else.

A player is a frozen dataclass of his options. ``choose`` is given a ``Turn``: the game, who he is, and a belief to draw
worlds from. Nobody peeks: the belief is made of observations (``core/tracking.py``). A player who needs none says so
with ``believes = False``, which saves time.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, ClassVar, Protocol

from worldwise.core.belief import Belief, probabilities
from worldwise.core.game import CHANCE, Chancy
from worldwise.core.result import NO_LIMIT, Clock, Limit, Tally
from worldwise.errors import InputError, LimitReachedError, TooDeepError, expect_whole
from worldwise.players.names import PlayerNames, share
from worldwise.search.alphamu import AlphaMu
from worldwise.search.epimc import PostponedPimc
from worldwise.search.information_set import InformationSetSearch, Model
from worldwise.search.ismcts import Ismcts
from worldwise.search.seat_view import SeatFaceUp, SeatView

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence
    from dataclasses import Field
    from random import Random

    from worldwise.core.belief import History, Phi
    from worldwise.core.game import AnyGame
    from worldwise.core.vector import Weight

MOST_WORLDS = 1000
"""That a player samples for a move."""

MOST_SIMULATIONS = 1_000_000


class HistoryBelief(Belief[Any], Protocol):
    """A belief that holds its histories, and draws from them."""

    @property
    def histories(self) -> tuple[History, ...]:
        """Positions with their weights."""


@dataclass(frozen=True)
class Turn:
    """All a player has to decide by."""

    game: AnyGame
    player: Hashable
    moves: Sequence[Any]
    belief: HistoryBelief
    rng: Random
    limit: Limit = NO_LIMIT

    def histories(self, most: int) -> tuple[History, ...]:
        """All that the belief holds, or so many drawn from it."""
        held = self.belief.histories
        return held if len(held) <= most else tuple((self.belief.sample(self.rng), 1) for _ in range(most))

    def view(self, worlds: int) -> SeatView:
        """The possible-worlds view. Where chance moves later, a history is several worlds, each with its luck."""
        held = self.histories(worlds)
        copies = worlds // len(held) if isinstance(self.game, Chancy) else 1
        positions, weights = zip(*held * copies, strict=True)
        return SeatView(self.game, self.player, positions, weights)

    def pick(self, values: dict[Any, float]) -> Any:
        """The best move; ties fall at random, by the turn's seed."""
        best = max(values.values())
        return self.rng.choice([move for move, value in values.items() if value >= best - 1e-12])


class GamePlayer(Protocol):
    """A player of any game."""

    name: ClassVar[str]
    __dataclass_fields__: ClassVar[dict[str, Field[Any]]]

    def choose(self, turn: Turn) -> Any:
        """One of the moves of the turn."""


@dataclass(frozen=True)
class RandomGamePlayer:
    """Any move, all equally likely."""

    name: ClassVar[str] = "random"
    believes: ClassVar[bool] = False

    def choose(self, turn: Turn) -> Any:
        """Draw one."""
        return turn.rng.choice(turn.moves)


@dataclass(frozen=True)
class PimcGamePlayer:
    """Perfect-information Monte Carlo: the move with the best mean over ``worlds`` that are solved face up."""

    worlds: int = 20
    name: ClassVar[str] = "pimc"

    def __post_init__(self) -> None:
        expect_whole("worlds", self.worlds, 1, MOST_WORLDS)

    def choose(self, turn: Turn) -> Any:
        """Average, never vote."""
        return _look_ahead(turn, PostponedPimc(1), self.worlds)


@dataclass(frozen=True)
class EpimcGamePlayer:
    """PIMC that sees everything only ``depth`` moves of its own later."""

    depth: int = 2
    worlds: int = 20
    name: ClassVar[str] = "epimc"

    def __post_init__(self) -> None:
        expect_whole("depth", self.depth, 1, 100)
        expect_whole("worlds", self.worlds, 1, MOST_WORLDS)

    def choose(self, turn: Turn) -> Any:
        """Search, then average."""
        return _look_ahead(turn, PostponedPimc(self.depth), self.worlds)


def _look_ahead(turn: Turn, search: PostponedPimc | AlphaMu, worlds: int) -> Any:
    """PIMC first, then as deep as the limit allows.

    A game too large to be solved face up in half the time, or too deep for it, is left to IS-MCTS.
    """
    clock, view = Clock(turn.limit, search.name), turn.view(worlds)
    face_up = SeatFaceUp(view)
    try:
        values = PostponedPimc(1).move_values(view, _half(turn.limit), face_up)
    except (LimitReachedError, TooDeepError):
        return _leave_to_ismcts(turn, clock)
    try:
        return _deepen(turn, search, view, face_up, clock)
    except (LimitReachedError, TooDeepError):
        return turn.pick(values)


def _leave_to_ismcts(turn: Turn, clock: Clock) -> Any:
    search = Ismcts() if clock.seconds_left is None else Ismcts(MOST_SIMULATIONS)
    return search.search(turn.game, turn.player, turn.belief, turn.rng, clock.rest)[0]


def _deepen(turn: Turn, search: PostponedPimc | AlphaMu, view: SeatView, face_up: SeatFaceUp, clock: Clock) -> Any:
    if isinstance(search, PostponedPimc):
        return turn.pick(search.move_values(view, clock.rest, face_up))
    face_up.solver.tally = view.tally = Tally(Clock(clock.rest, search.name))
    return search.search(view, clock.rest, face_up).move


def _half(limit: Limit) -> Limit:
    return limit if limit.seconds is None else replace(limit, seconds=limit.seconds / 2)


@dataclass(frozen=True)
class AlphaMuGamePlayer:
    """alpha-mu (CLV21): fronts for ``depth`` moves of one's own over ``worlds``, then everything face up."""

    depth: int = 3
    worlds: int = 20
    name: ClassVar[str] = "alphamu"

    def __post_init__(self) -> None:
        expect_whole("depth", self.depth, 1, 100)
        expect_whole("worlds", self.worlds, 1, MOST_WORLDS)

    def choose(self, turn: Turn) -> Any:
        """The move that alpha-mu proves."""
        return _look_ahead(turn, AlphaMu(self.depth), self.worlds)


@dataclass(frozen=True)
class ExactGamePlayer:
    """Best defence solved to the end, over all worlds there are if they are at most ``worlds``; for small games."""

    worlds: int = 100
    name: ClassVar[str] = "exact"

    def __post_init__(self) -> None:
        expect_whole("worlds", self.worlds, 1, MOST_WORLDS)

    def choose(self, turn: Turn) -> Any:
        """alpha-mu without an end to its depth is the exact search."""
        return AlphaMuGamePlayer(100, self.worlds).choose(turn)


@dataclass(frozen=True)
class InformationSetGamePlayer:
    """PNS06's search to a ``depth`` in moves of all; ``caution`` 0 is overconfident, 1 paranoid, between them mixed.

    Where seconds are few, as deep as all worlds can be searched.
    """

    depth: int = 4
    caution: float = 0.0
    worlds: int = 20
    name: ClassVar[str] = "information-set"

    def __post_init__(self) -> None:
        expect_whole("depth", self.depth, 1, 100)
        expect_whole("worlds", self.worlds, 1, MOST_WORLDS)
        Model(self.caution)

    def choose(self, turn: Turn) -> Any:
        """The best information set to come to."""
        model, histories = Model(self.caution, chances_of(turn.game)), turn.histories(self.worlds)
        clock, values, nodes = Clock(turn.limit, self.name), dict[Any, float](), 0
        for depth in (self.depth,) if turn.limit.seconds is None else range(1, self.depth + 1):
            search = InformationSetSearch(depth, model)
            try:
                found = search.search_all(turn.game, turn.player, histories, clock.rest)
            except LimitReachedError:
                break
            if found.stats.nodes == nodes:  # nothing lies deeper
                break
            values, nodes = dict(found.values), found.stats.nodes
        return turn.pick(values) if values else _leave_to_ismcts(turn, clock)


def chances_of(game: AnyGame) -> Phi | None:
    """How likely moves are if all players move at random, and chance as the game says; None if there is no chance."""
    if not isinstance(game, Chancy):
        return None
    chancy = game

    def phi(position: Any) -> Sequence[Weight]:
        if game.to_move(position) == CHANCE:
            return chancy.chances(position)
        return probabilities(None, position, game.moves(position))

    return phi


@dataclass(frozen=True)
class IsmctsGamePlayer:
    """Information-set Monte Carlo tree search, the field's baseline."""

    simulations: int = 1000
    exploration: float = 0.7
    name: ClassVar[str] = "is-mcts"

    def __post_init__(self) -> None:
        expect_whole("simulations", self.simulations, 1, MOST_SIMULATIONS)

    def choose(self, turn: Turn) -> Any:
        """The move chosen most often."""
        search = Ismcts(self.simulations, self.exploration)
        return search.search(turn.game, turn.player, turn.belief, turn.rng, turn.limit)[0]


PLAYERS: PlayerNames[Any] = PlayerNames(
    {
        kind.name: kind
        for kind in (
            RandomGamePlayer,
            PimcGamePlayer,
            EpimcGamePlayer,
            AlphaMuGamePlayer,
            InformationSetGamePlayer,
            IsmctsGamePlayer,
            ExactGamePlayer,
        )
    },
    "alphamu:depth=3,worlds=20",
    readers={"caution": share, "exploration": share},
)
"""Every player by his name."""

SHORT_NAMES = {"overconfident": "information-set:caution=0", "paranoid": "information-set:caution=1"}


def game_player(text: str) -> GamePlayer:
    """The player of a text.

    >>> game_player("alphamu:depth=2"), game_player("paranoid")
    (AlphaMuGamePlayer(depth=2, worlds=20), InformationSetGamePlayer(depth=4, caution=1.0, worlds=20))
    """
    name, colon, rest = text.partition(":")
    full = SHORT_NAMES.get(name, name)
    found = PLAYERS.player(full + ("," if colon and name in SHORT_NAMES else colon) + rest)
    if not hasattr(found, "choose"):
        raise InputError(f"expected a player, found {text!r}")
    player: GamePlayer = found
    return player
