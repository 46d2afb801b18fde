"""Other views of a game, seen as an extensive form: a ``Game`` of rules, and a ``WorldGame`` at any MIN knowledge."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Any

from worldwise.core.belief import deals_of
from worldwise.core.game import CHANCE, AnyGame, AnyWorldGame, Labelled, Side
from worldwise.core.vector import exact_number, whole_weights
from worldwise.core.worlds import OpenWorlds
from worldwise.errors import InputError
from worldwise.extensive.building import MOST_NODES, write_out
from worldwise.trees.world_tree import WorldTree

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Sequence

    from worldwise.core.game import Rational
    from worldwise.extensive.game import ExtensiveGame

DEAL = None
"""The position before the deal."""


@dataclass(frozen=True)
class GameForm:
    """A ``Game`` that lists its deals, as an ``ExtensiveForm``: chance deals, players know what they have observed."""

    game: AnyGame
    player_keys: tuple[Hashable, ...]

    @cached_property
    def deals(self) -> tuple[tuple[Any, Fraction], ...]:
        """Every first position with its probability."""
        return deals_of(self.game)

    @property
    def players(self) -> tuple[str, ...]:
        """The players' names."""
        return tuple(map(str, self.player_keys))

    @property
    def root(self) -> Any:
        """Before the deal, or the only deal there is."""
        return self.deals[0][0] if len(self.deals) == 1 else DEAL

    def to_move(self, position: Any) -> int | None:
        """Chance before the deal, then the player to move."""
        if position is DEAL:
            return CHANCE
        player = self.game.to_move(position)
        return player if player is None or player == CHANCE else self.player_keys.index(player)

    def moves(self, position: Any) -> Sequence[Any]:
        """The numbers of the deals, then the game's moves."""
        return range(len(self.deals)) if position is DEAL else self.game.moves(position)

    def play(self, position: Any, move: Any) -> Any:
        """The position after a move."""
        return self.deals[move][0] if position is DEAL else self.game.play(position, move)

    def chances(self, position: Any) -> tuple[Fraction, ...]:
        """How likely each deal is, or each move of chance."""
        if position is not DEAL:
            return tuple(map(Fraction, self.game.chances(position)))  # type: ignore[attr-defined]
        return tuple(Fraction(probability) for _, probability in self.deals)

    def information_set(self, position: Any) -> Hashable:
        """What the player to move has observed."""
        player = self.game.to_move(position)
        return player, self.game.observe(position, player)

    def set_name(self, position: Any) -> str:
        """What the player to move has observed, in a line."""
        return _observation_words(self.game.observe(position, self.game.to_move(position)))

    def payoffs(self, position: Any) -> tuple[Rational, ...]:
        """What each player gets."""
        return tuple(exact_number(self.game.payoff(position, player)) for player in self.player_keys)


def _observation_words(seen: Any) -> str:
    """Without quotes, and sets in order, so that it is the same in every run.

    >>> _observation_words((frozenset({"b", "a"}), ((0, None),)))
    '({a, b}, ((0, None)))'
    """
    if isinstance(seen, (set, frozenset)):
        return f"{{{', '.join(sorted(map(_observation_words, seen)))}}}"
    return f"({', '.join(map(_observation_words, seen))})" if isinstance(seen, tuple) else str(seen)


@dataclass(frozen=True)
class WorldGameForm:
    """A ``WorldGame`` as an ``ExtensiveForm``: chance draws the world, MAX never sees it, MIN may.

    MIN tells the ``known`` worlds apart. Which moves are open to him tells him something too, where payoffs are
    undefined: worlds with different moves part, and stay parted.
    """

    game: AnyWorldGame
    known: frozenset[int]

    players = ("MAX", "MIN")
    root = ()

    @cached_property
    def _open(self) -> OpenWorlds:
        return OpenWorlds(self.game)

    def to_move(self, position: Any) -> int | None:
        """Chance, MAX (player 0) or MIN (player 1)."""
        if position == self.root:
            return CHANCE
        side = self.game.to_move(position[1])
        return None if side is None else int(side is Side.MIN)

    def moves(self, position: Any) -> Sequence[Any]:
        """The worlds, then the moves that are open in the world drawn."""
        if position == self.root:
            return range(self.game.worlds)
        world, node, _ = position
        return [move for move in self.game.moves(node) if world in self._open.at(self.game.play(node, move))]

    def play(self, position: Any, move: Any) -> Any:
        """A position is the world, the position of the game, and what MIN's choice has told him so far."""
        if position == self.root:
            return move, self.game.root, ()
        world, node, told = position
        if self.game.to_move(node) is Side.MIN:
            told = (*told, tuple(self.moves(position)))
        return world, self.game.play(node, move), told

    def chances(self, _position: Any) -> tuple[Fraction, ...]:
        """The worlds' probabilities."""
        weights = whole_weights(self.game.weights)
        return tuple(Fraction(weight, sum(weights)) for weight in weights)

    def information_set(self, position: Any) -> Hashable:
        """MAX knows the moves alone; MIN the world too, if it is one of those he knows."""
        world, node, told = position
        if self.game.to_move(node) is Side.MAX:
            return (node,)
        return (node, world) if world in self.known else (node, told, tuple(self.moves(position)))

    def move_label(self, position: Any, move: Any) -> str:
        """A world's name, or what the game calls the move."""
        if position == self.root:
            return self._world_name(move)
        return self.game.move_label(position[1], move) if isinstance(self.game, Labelled) else str(move)

    def set_name(self, position: Any) -> str:
        """The node's name, and the world if MIN knows it; nodes without a name share none."""
        world, node, _ = position
        name = self.game.names.get(node, "") if isinstance(self.game, WorldTree) else ""
        is_known = self.game.to_move(node) is Side.MIN and world in self.known
        return f"{name} in {self._world_name(world)}" if name and is_known else name

    def _world_name(self, world: int) -> str:
        return self.game.world_label(world) if isinstance(self.game, WorldTree) else f"w{world + 1}"

    def payoffs(self, position: Any) -> tuple[Rational, ...]:
        """MAX's payoff, and its opposite."""
        world, node, _ = position
        payoff = self.game.payoffs(node)[world]
        assert payoff is not None
        return exact_number(payoff), -exact_number(payoff)


def from_game(
    game: AnyGame, players: Iterable[Hashable], *, title: str = "", most_nodes: int = MOST_NODES
) -> ExtensiveGame:
    """The whole tree of a ``Game`` that lists its deals."""
    return write_out(GameForm(game, tuple(players)), title=title, most_nodes=most_nodes)


def from_world_game(
    game: AnyWorldGame, known: Iterable[int] | None = None, *, title: str = "", most_nodes: int = MOST_NODES
) -> ExtensiveGame:
    """The whole tree of a ``WorldGame``, zero-sum between MAX and a MIN who knows all worlds, or those given.

    >>> from worldwise import tree
    >>> from_world_game(tree("fb01/fig-9"), known=())
    ExtensiveGame('', 29 nodes, players 'MAX', 'MIN')
    """
    worlds = frozenset(range(game.worlds)) if known is None else frozenset(known)
    if not worlds <= set(range(game.worlds)):
        raise InputError(f"known worlds are numbers from 0 to {game.worlds - 1}, not {sorted(worlds)}")
    return write_out(WorldGameForm(game, worlds), title=title, most_nodes=most_nodes)
