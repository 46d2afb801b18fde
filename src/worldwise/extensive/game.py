"""``ExtensiveGame``: a whole game tree with chance moves, players and information sets (BMV96 section 3).

The tree lies flat, in preorder, as in a ``.efg`` file: node 0 is the root and a node's first child follows it. What
stands at a node is the number of an *event* (an information set or a chance move, one record for all the nodes that
share it) and the number of an *outcome*. So a million leaves take about 25 MB, no depth is too deep, and the compiled
kernels read the same arrays. A position is a node's number, a move the number of an action.

An outcome may stand at an inner node too, as Gambit allows: a leaf pays the sum of the outcomes on its path.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from worldwise.core.game import CHANCE
from worldwise.errors import GameError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from fractions import Fraction

    from numpy.typing import NDArray

    from worldwise.core.game import Rational

NONE = -1
"""No event (a leaf), no outcome, no parent (the root)."""


@dataclass(frozen=True)
class InformationSet:
    """What a player can tell apart: the same actions at each of its nodes."""

    player: int
    actions: tuple[str, ...]
    name: str = ""


@dataclass(frozen=True)
class ChanceMove:
    """What chance may do, and how likely each is."""

    actions: tuple[str, ...]
    probabilities: tuple[Fraction, ...]
    name: str = ""

    @property
    def player(self) -> int:
        """``CHANCE``."""
        return CHANCE


Event = InformationSet | ChanceMove


class Outcome(NamedTuple):
    """What each player gets."""

    payoffs: tuple[Rational, ...]
    name: str = ""


@dataclass(frozen=True, eq=False)
class ExtensiveGame:
    """A game in extensive form, all of it; see the module's text for its layout. It is an ``ExtensiveForm``.

    Built by ``read_efg``, ``game_of`` (from nested Python), ``write_out`` (from any game), ``from_world_game``,
    ``load_open_spiel`` or a ``GameBuilder``. A node and its ancestor in one information set (a player who forgets that
    he has moved) contradict the definition and are refused, unless ``absent_minded`` allows them. ``bounds`` is what no
    payoff of each player exceeds by the rules that the game was written out from, if they say so; files have none.

    >>> from worldwise.extensive import chance, decision, game_of, leaf
    >>> coin = {side: ("1/2", decision("Ann", {"stop": leaf(0), "bet": leaf(win)}, knows="the stake"))
    ...         for side, win in [("heads", 3), ("tails", -1)]}
    >>> game = game_of(chance(coin), players=["Ann"])
    >>> len(game), game.leaves, game.to_move(1), game.place(6), game.payoffs(6)
    (7, 4, 0, 'root/tails/bet', (-1,))
    """

    players: tuple[str, ...]
    events: tuple[Event, ...]
    outcomes: tuple[Outcome, ...]
    event: NDArray[np.int32]
    outcome: NDArray[np.int32]
    names: Mapping[int, str] = field(default_factory=lambda: MappingProxyType({}))
    title: str = ""
    comment: str = ""
    absent_minded: bool = False
    bounds: tuple[Rational, ...] | None = field(default=None, repr=False)

    def __post_init__(self) -> None:
        _ = self._shape  # refuses what is no tree
        for event, known in enumerate(self.events):
            fault = event_fault(known, len(self.players))
            if fault:
                raise GameError(fault, self._place_of_event(event))
        for outcome, given in enumerate(self.outcomes):
            if len(given.payoffs) != len(self.players):
                fault = f"expected {_count(len(self.players), 'payoff')}, one a player, found {len(given.payoffs)}"
                raise GameError(fault, self._place_of_outcome(outcome))
        if not self.absent_minded:
            self._refuse_absent_mindedness()

    # ------------------------------------------------------------------ the game

    @property
    def root(self) -> int:
        """Node 0."""
        return 0

    def to_move(self, position: int) -> int | None:
        """The player to move, or ``CHANCE``; None for a leaf."""
        event = self._event[position]
        return None if event == NONE else self.events[event].player

    def moves(self, position: int) -> range:
        """The numbers of the actions, from 0."""
        return range(self._offsets[position + 1] - self._offsets[position])

    def play(self, position: int, move: int) -> int:
        """The node an action leads to."""
        return self._children[self._offsets[position] + move]

    def chances(self, position: int) -> tuple[Fraction, ...]:
        """At a chance node: the probabilities."""
        event = self.events[self._event[position]]
        assert isinstance(event, ChanceMove)
        return event.probabilities

    def information_set(self, position: int) -> int:
        """The number of the node's information set among ``events``."""
        return self._event[position]

    def payoffs(self, position: int) -> tuple[Rational, ...]:
        """At a leaf: what each player gets, the outcomes on the way included."""
        if not self.has_inner_outcomes:
            return self._own_payoffs(position)
        path = [position, *self.ancestors(position)]
        return tuple(map(sum, zip(*map(self._own_payoffs, path), strict=True)))

    def leaf_payoffs(self) -> Iterator[tuple[Rational, ...]]:
        """Everything that some leaf pays, each at least once; quickly, if nothing is paid before the end."""
        leaves = self.event == NONE
        if self.has_inner_outcomes:
            yield from (self.payoffs(node) for node in np.flatnonzero(leaves).tolist())
            return
        for number in np.unique(self.outcome[leaves]).tolist():
            yield self._nothing if number == NONE else self.outcomes[number].payoffs

    def highest_payoff(self, player: int) -> Rational:
        """What no payoff of a player exceeds: by the rules the game was written out from, or else the most there is."""
        return self.bounds[player] if self.bounds else self.most_paid(player)

    def most_paid(self, player: int) -> Rational:
        """The most a player can get."""
        return max(payoffs[player] for payoffs in self.leaf_payoffs())

    # ------------------------------------------------------------------ shape

    def __len__(self) -> int:
        return len(self.event)

    @cached_property
    def leaves(self) -> int:
        """How many leaves there are."""
        return int((self.event == NONE).sum())

    @property
    def parent(self) -> NDArray[np.int32]:
        """Each node's parent; -1 for the root."""
        return self._shape[0]

    @property
    def end(self) -> NDArray[np.int32]:
        """For each node, the first node after its subtree."""
        return self._shape[1]

    @cached_property
    def depths(self) -> NDArray[np.int32]:
        """How many moves lead to each node."""
        depths = np.zeros(len(self), dtype=np.int32)
        above = self.parent.copy()
        above[0] = 0
        # Jumping over twice as many ancestors each time: as many steps as the depth has binary digits.
        depths[1:] = 1
        while above.any():
            depths += depths[above]
            above = above[above]
        return depths

    @property
    def depth(self) -> int:
        """The greatest number of moves from the root to a leaf."""
        return int(self.depths.max())

    @cached_property
    def has_inner_outcomes(self) -> bool:
        """Whether something is paid before the end."""
        return bool(((self.event != NONE) & (self.outcome != NONE)).any())

    @cached_property
    def nodes_of(self) -> tuple[tuple[int, ...], ...]:
        """For every event, its nodes, in preorder."""
        order = np.argsort(self.event, kind="stable")
        starts = np.searchsorted(self.event[order], np.arange(len(self.events) + 1))
        return tuple(tuple(order[start:end].tolist()) for start, end in pairwise(starts))

    def information_sets(self, player: int | None = None) -> Iterator[int]:
        """The numbers of the information sets, of one player or of all."""
        return (
            number
            for number, event in enumerate(self.events)
            if event.player != CHANCE and (player is None or event.player == player)
        )

    def ancestors(self, position: int) -> Iterator[int]:
        """The nodes above a node, from its parent to the root."""
        above = int(self.parent[position])
        while above != NONE:
            yield above
            above = int(self.parent[above])

    def action_to(self, position: int) -> int:
        """Which action of its parent leads to a node."""
        above = int(self.parent[position])
        return self._children.index(position, self._offsets[above]) - self._offsets[above]

    # ------------------------------------------------------------------ words

    def place(self, position: int) -> str:
        """Where a node stands: the actions that lead to it."""
        path = [position, *self.ancestors(position)][:-1]
        steps = (self.move_label(int(self.parent[node]), self.action_to(node)) for node in reversed(path))
        return "/".join(["root", *steps])

    def move_label(self, position: int, move: int) -> str:
        """An action's name, or its number from 1."""
        return self.events[self._event[position]].actions[move] or str(move + 1)

    def set_label(self, number: int) -> str:
        """An information set's name, or the player's name and the set's number in the order of the tree, from 1."""
        event = self.events[number]
        if event.name:
            return event.name
        who = "chance" if event.player == CHANCE else self.players[event.player] or f"player {event.player + 1}"
        return f"{who} {self.number_of(number)}"

    def number_of(self, number: int) -> int:
        """An event's number among those of its player, from 1, as ``.efg`` files count them."""
        return self._numbers[number]

    # ------------------------------------------------------------------ inside

    @cached_property
    def _shape(self) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
        return shape(self.event, [len(event.actions) for event in self.events])

    @cached_property
    def _event(self) -> list[int]:
        return list(self.event.tolist())

    @cached_property
    def _outcome(self) -> list[int]:
        return list(self.outcome.tolist())

    @cached_property
    def offsets(self) -> NDArray[np.int32]:
        """Where each node's children begin in ``children``; one number more than there are nodes."""
        counts = np.bincount(self.parent[1:], minlength=len(self)) if len(self) > 1 else np.zeros(1, dtype=np.int64)
        return np.concatenate([[0], np.cumsum(counts)]).astype(np.int32)

    @cached_property
    def children(self) -> NDArray[np.int32]:
        """The children of all nodes, one node's after another's."""
        return (np.argsort(self.parent[1:], kind="stable") + 1).astype(np.int32)

    @cached_property
    def _offsets(self) -> list[int]:
        return list(self.offsets.tolist())

    @cached_property
    def _children(self) -> list[int]:
        return list(self.children.tolist())

    @cached_property
    def _numbers(self) -> list[int]:
        count: dict[int, int] = {}
        numbers = []
        for event in self.events:
            count[event.player] = count.get(event.player, 0) + 1
            numbers.append(count[event.player])
        return numbers

    @cached_property
    def _nothing(self) -> tuple[Rational, ...]:
        return (0,) * len(self.players)

    def _own_payoffs(self, position: int) -> tuple[Rational, ...]:
        outcome = self._outcome[position]
        return self._nothing if outcome == NONE else self.outcomes[outcome].payoffs

    def _place_of_event(self, event: int) -> str:
        nodes = self.nodes_of[event]
        return self.place(nodes[0]) if nodes else ""

    def _place_of_outcome(self, outcome: int) -> str:
        nodes = np.flatnonzero(self.outcome == outcome)
        return self.place(int(nodes[0])) if len(nodes) else ""

    def _refuse_absent_mindedness(self) -> None:
        fault = forgetful_node(self)
        if fault:
            node, above = fault
            raise GameError(
                f"a node and its ancestor {self.place(above)} are in one information set "
                f"({self.set_label(self._event[node])}): its player would not know whether he has moved",
                self.place(node),
            )

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, ExtensiveGame)
            and (self.players, self.events, self.title, self.comment)
            == (other.players, other.events, other.title, other.comment)
            and np.array_equal(self.event, other.event)
            and dict(self.names) == dict(other.names)
            and self._outcomes_in_order == other._outcomes_in_order
        )

    @property
    def _outcomes_in_order(self) -> list[Outcome | None]:
        return [None if number == NONE else self.outcomes[number] for number in self._outcome]

    def __repr__(self) -> str:
        return f"ExtensiveGame({self.title!r}, {len(self)} nodes, players {', '.join(map(repr, self.players))})"


def event_fault(event: Event, players: int) -> str | None:
    """What is wrong with an event, in words; None if nothing is."""
    if not event.actions:
        return "expected at least one action, found none"
    if isinstance(event, InformationSet):
        if not 0 <= event.player < players:
            return f"expected a player from 1 to {players}, found player {event.player + 1}"
        return None
    if len(event.probabilities) != len(event.actions):
        return f"expected {len(event.actions)} probabilities, one an action, found {len(event.probabilities)}"
    if min(event.probabilities) < 0:
        return f"expected probabilities that are not negative, found {min(event.probabilities)}"
    if sum(event.probabilities) != 1:
        return f"expected probabilities that sum to 1, found {sum(event.probabilities)}"
    return None


def forgetful_node(game: ExtensiveGame) -> tuple[int, int] | None:
    """A node and an ancestor of it in the same information set, or None.

    Nodes of one set at one depth cannot be each other's ancestors, so only sets that span several depths are looked at.
    """
    for number in game.information_sets():
        nodes = game.nodes_of[number]
        if len(nodes) < 2 or game.depths[nodes[0]] == game.depths[list(nodes)].max():
            continue
        members = set(nodes)
        for node in nodes:
            for above in game.ancestors(node):
                if above in members:
                    return node, above
    return None


def shape(event: NDArray[np.int32], sizes: Sequence[int]) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """Each node's parent and the end of its subtree, from the preorder list of events and how many actions each has."""
    above = [NONE] * len(event)
    end = list(range(1, len(event) + 1))
    open_nodes: list[int] = [NONE]
    room: list[int] = [1]  # how many children the root's place and each open node still lack
    for node, number in enumerate(event.tolist()):
        if not room:
            raise GameError(f"expected the tree to end after {_count(node, 'node')}, found {len(event)}")
        room[-1] -= 1
        above[node] = open_nodes[-1]
        if number != NONE:
            open_nodes.append(node)
            room.append(sizes[number])
        while room and not room[-1]:
            room.pop()
            end[open_nodes.pop()] = node + 1
    if room:
        lacking = (
            f"node {open_nodes[-1] + 1} lacks {_count(room[-1], 'child', 'children')}" if event.size else "no root"
        )
        raise GameError(f"the tree ends early, after {_count(len(event), 'node')}: {lacking}")
    return np.array(above, dtype=np.int32), np.array(end, dtype=np.int32)


def _count(number: int, noun: str, nouns: str = "") -> str:
    return f"{number} {noun if number == 1 else nouns or noun + 's'}"
