"""Ways to build an ``ExtensiveGame``: node by node in preorder, from nested Python, or from any game with rules."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np

from worldwise.core.game import CHANCE, AnyExtensiveForm, Bounded, Labelled, NamedSets
from worldwise.core.result import NO_LIMIT, Clock, Limit
from worldwise.core.vector import Number, exact_number
from worldwise.errors import GameError
from worldwise.extensive.game import (
    NONE,
    ChanceMove,
    Event,
    ExtensiveGame,
    InformationSet,
    Outcome,
)

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Mapping, Sequence

    from worldwise.core.game import Rational

MOST_NODES = 5_000_000
"""The largest tree that is written down unless a caller asks for more."""


@dataclass
class GameBuilder:
    """Builds a game in preorder: a node, then its first child with everything below it, and so on.

    Nodes with the same ``key`` (for one player) are one information set.

    >>> builder = GameBuilder(["Ann"])
    >>> builder.chance(["heads", "tails"], ["1/2", "1/2"])
    >>> for win in (3, -1):
    ...     builder.decision(0, "the stake", ["stop", "bet"])
    ...     builder.leaf([0])
    ...     builder.leaf([win])
    >>> builder.game(title="A coin").leaves
    4
    """

    players: Sequence[str]
    _events: list[Event] = field(default_factory=list)
    _numbers: dict[Hashable, int] = field(default_factory=dict)
    _chances: dict[ChanceMove, ChanceMove] = field(default_factory=dict)
    _outcomes: dict[Outcome, int] = field(default_factory=dict)
    _event: list[int] = field(default_factory=list)
    _outcome: list[int] = field(default_factory=list)
    _names: dict[int, str] = field(default_factory=dict)

    def chance(self, actions: Iterable[str], probabilities: Iterable[Number], *, name: str = "") -> None:
        """A chance node; each is an event of its own, because Gambit asks of chance too that it forget nothing."""
        move = ChanceMove(tuple(actions), tuple(Fraction(exact_number(chance)) for chance in probabilities))
        self._node(self._chances.setdefault(move, move), (CHANCE, len(self)), name)

    def decision(
        self, player: int, key: Hashable, actions: Iterable[str], *, set_name: str | None = None, name: str = ""
    ) -> None:
        """A player's node, in the information set of this key."""
        shown = (key if isinstance(key, str) else "") if set_name is None else set_name
        self._node(InformationSet(player, tuple(actions), shown), (player, key), name)

    def leaf(self, payoffs: Iterable[Number], *, outcome: str = "", name: str = "") -> None:
        """An end of the game."""
        result = Outcome(tuple(map(exact_number, payoffs)), outcome)
        self._event.append(NONE)
        self._outcome.append(self._outcomes.setdefault(result, len(self._outcomes)))
        self._name_last(name)

    def game(
        self,
        title: str = "",
        comment: str = "",
        *,
        absent_minded: bool = False,
        bounds: tuple[Rational, ...] | None = None,
    ) -> ExtensiveGame:
        """The finished game."""
        return ExtensiveGame(
            tuple(self.players),
            tuple(self._events),
            tuple(self._outcomes),
            np.array(self._event, dtype=np.int32),
            np.array(self._outcome, dtype=np.int32),
            self._names,
            title,
            comment,
            absent_minded,
            bounds,
        )

    def __len__(self) -> int:
        return len(self._event)

    def _node(self, event: Event, key: Hashable, name: str) -> None:
        number = self._numbers.setdefault(key, len(self._events))
        if number == len(self._events):
            self._events.append(event)
        elif self._events[number].actions != event.actions:
            first = self._event.index(number)
            raise GameError(
                f"expected the actions its information set has at node {first + 1}, "
                f"{_list_actions(self._events[number].actions)}, found {_list_actions(event.actions)}",
                f"node {len(self) + 1}",
            )
        self._event.append(number)
        self._outcome.append(NONE)
        self._name_last(name)

    def _name_last(self, name: str) -> None:
        if name:
            self._names[len(self._event) - 1] = name


def _list_actions(actions: Sequence[str]) -> str:
    return f"{len(actions)} ({', '.join(map(repr, actions))})"


# ---------------------------------------------------------------------- nested Python


@dataclass(frozen=True)
class Node:
    """A node of a game under construction: made by ``chance``, ``decision`` and ``leaf``, finished by ``game_of``."""

    player: str | None = None
    children: Mapping[str, Node] = field(default_factory=dict)
    probabilities: tuple[Number, ...] = ()
    knows: Hashable = None
    payoffs: tuple[Number, ...] = ()
    name: str = ""


def chance(children: Mapping[str, tuple[Number, Node]], *, name: str = "") -> Node:
    """Chance moves: each action's name with its probability and what follows."""
    nodes = {action: node for action, (_, node) in children.items()}
    return Node(children=nodes, probabilities=tuple(number for number, _ in children.values()), name=name)


def decision(player: str, children: Mapping[str, Node], *, knows: Hashable = None, name: str = "") -> Node:
    """A player moves; nodes at which he ``knows`` the same are one information set, None is a set of its own."""
    return Node(player, children, knows=knows, name=name)


def leaf(*payoffs: Number, name: str = "") -> Node:
    """The game is over; a payoff for each player."""
    return Node(payoffs=payoffs, name=name)


def game_of(root: Node, players: Sequence[str], title: str = "", comment: str = "") -> ExtensiveGame:
    """The game that nested ``chance``, ``decision`` and ``leaf`` describe.

    >>> game = game_of(decision("Ann", {"left": leaf(1, -1), "right": leaf(0, 0)}), ["Ann", "Bob"])
    >>> game.set_label(0), game.payoffs(1)
    ('Ann 1', (1, -1))
    """
    builder = GameBuilder(players)
    waiting = [root]
    while waiting:
        node = waiting.pop()
        _add(builder, node)
        waiting.extend(reversed([*node.children.values()]))
    return builder.game(title, comment)


def _add(builder: GameBuilder, node: Node) -> None:
    if not node.children:
        builder.leaf(node.payoffs, name=node.name)
    elif node.player is None:
        builder.chance(node.children, node.probabilities, name=node.name)
    elif node.player not in builder.players:
        known = ", ".join(map(repr, builder.players))
        raise GameError(f"expected one of the players {known}, found {node.player!r}", f"node {len(builder) + 1}")
    else:
        key = ("alone", len(builder)) if node.knows is None else node.knows
        builder.decision(builder.players.index(node.player), key, node.children, name=node.name)


# ---------------------------------------------------------------------- any game with rules


def write_out(
    game: AnyExtensiveForm,
    *,
    title: str = "",
    comment: str = "",
    most_nodes: int = MOST_NODES,
    limit: Limit = NO_LIMIT,
) -> ExtensiveGame:
    """The whole tree of a game with rules, up to a number of nodes; an infinite game is refused on reaching it.

    >>> from worldwise.extensive import ImpModel
    >>> write_out(ImpModel(k=2, b=2, d=3)).leaves
    16
    """
    builder = GameBuilder(tuple(game.players))
    labels, clock = _Labels(game), Clock(limit, "writing out the tree")
    waiting = [game.root]
    while waiting:
        clock.check(len(builder))
        if len(builder) == most_nodes:
            raise GameError(f"expected a game of at most {most_nodes:,} nodes, found more, or an infinite one")
        position = waiting.pop()
        player = game.to_move(position)
        if player is None:
            builder.leaf(game.payoffs(position))
            continue
        moves = game.moves(position)
        if player == CHANCE:
            builder.chance(labels.at(position, moves), game.chances(position))
        else:
            known: Any = game.information_set(position)
            name = game.set_name(position) if isinstance(game, NamedSets) else None
            builder.decision(player, known, labels.in_set((player, known), position, moves), set_name=name)
        waiting.extend(game.play(position, move) for move in reversed(moves))
    bounds = tuple(map(game.highest_payoff, range(len(game.players)))) if isinstance(game, Bounded) else None
    return builder.game(title, comment, bounds=bounds)


class _Labels:
    """What moves are called. A name may say more than the player knows, so an information set keeps its first ones."""

    def __init__(self, game: AnyExtensiveForm) -> None:
        self.label = game.move_label if isinstance(game, Labelled) else lambda _, move: str(move)
        self.first: dict[Hashable, tuple[Sequence[Any], list[str]]] = {}

    def at(self, position: Any, moves: Sequence[Any]) -> list[str]:
        return [self.label(position, move) for move in moves]

    def in_set(self, key: Hashable, position: Any, moves: Sequence[Any]) -> list[str]:
        if key not in self.first:
            self.first[key] = moves, self.at(position, moves)
        before, labels = self.first[key]
        return labels if before == moves else self.at(position, moves)
