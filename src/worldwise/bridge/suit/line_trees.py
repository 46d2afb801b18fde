"""A whole line of play as a tree for programs: written, read back, and played against every layout and every defence.

The tree is a list of nodes; the first is the beginning, and a node names others by their place in the list, always a
later one. What can come about in several ways is written once. A node is one of these:

``{"play": "S2", "also": ["NA"], "next": 1}``
    Declarer plays the two from South, or any card of ``also``: these keep all that the line wins too, though perhaps
    not by the same nodes. Of cards that touch, the lowest is named. ``SR`` is a ruff, ``S-`` a discard.
``{"defence": {"WK": 37, "WJ": 14, "W-": 2}}``
    A defender plays; ``-`` is showing out. A card stands for all that touch it (``classes``), none of declarer's being
    between them. What no layout allows is not listed.
``{"tricks": 3}``
    It is over, with so many tricks won.

A hand of declarer's that has no card left, and cannot ruff, has nothing to choose and is not in the tree.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from math import inf
from typing import TYPE_CHECKING, Any

from worldwise.bridge.rules.cards import holding_name
from worldwise.bridge.suit.rules import FREE, Suit, SuitGame
from worldwise.core.game import Side
from worldwise.core.reading import read_exact, shorten
from worldwise.errors import InputError, LimitReachedError

if TYPE_CHECKING:
    from collections.abc import Mapping
    from fractions import Fraction

    from worldwise.bridge.suit.rules import SuitMove, SuitTable
    from worldwise.bridge.suit.solver import SuitLine
    from worldwise.bridge.suit.weighing import Mask
    from worldwise.core.vector import Number

Node = dict[str, Any]

MOST_PLACES = 300_000
"""That a line may come to, each at one of its nodes: a few nodes can lead to the same cards in very many ways."""


def line_tree(line: SuitLine) -> list[Node]:
    """The nodes of a line.

    >>> from worldwise.bridge.suit.rules import Suit
    >>> from worldwise.bridge.suit.solver import SuitSolver
    >>> nodes = line_tree(SuitSolver(Suit.of("AQ", "2")).line(2))
    >>> nodes[0], nodes[1]
    ({'play': 'S2', 'also': [], 'next': 1}, {'defence': {'WK': 37, 'WJ': 14, 'W-': 2}})
    """
    return _Writer(line).nodes


class _Writer:
    """Walks through a line; a table that is met again is the node that it was."""

    def __init__(self, line: SuitLine) -> None:
        self.line, self.rules, self.clock = line, line.solver.rules, line.solver.clock
        self.places: dict[SuitTable, int] = {}
        self.order: list[SuitTable] = []
        self._visit(line.solver.root)
        # Whoever is left last comes before all that can follow.
        self.order.reverse()
        self.places = {table: place for place, table in enumerate(self.order)}
        self.nodes = list(map(self._node, self.order))

    def _visit(self, table: SuitTable) -> None:
        self.places[table] = len(self.places)
        if len(self.places) % 64 == 0 and self.clock.ran_out(len(self.places)):
            raise LimitReachedError("the tree of a line", self.clock.limit)
        for after in self._tables_after(table):
            if after not in self.places:
                self._visit(after)
        self.order.append(table)

    def _tables_after(self, table: SuitTable) -> list[SuitTable]:
        side = self.rules.side(table)
        if side is None:
            return []
        moves = [self.line.play(table)] if side is Side.MAX else self.rules.options(table)
        return [self.rules.after(table, move) for move in moves]

    def _node(self, table: SuitTable) -> Node:
        side = self.rules.side(table)
        if side is None:
            return {"tricks": table.tricks}
        if side is Side.MIN:
            moves = self.rules.options(table)
            return {"defence": {str(move): self.places[self.rules.after(table, move)] for move in moves}}
        play, *also = self.line.plays(table)
        return {"play": str(play), "also": list(map(str, also)), "next": self.places[self.rules.after(table, play)]}


def line_tree_json(line: SuitLine) -> dict[str, Any]:
    """A line with all that is needed to play it: the hands, what is known of the others, and its nodes.

    ``read_line_json`` reads it back.

    >>> from worldwise.bridge.suit.rules import Suit
    >>> from worldwise.bridge.suit.solver import SuitSolver
    >>> written = line_tree_json(SuitSolver(Suit.of("AQ", "2", west="K")).line(2))
    >>> written["north"], written["south"], written["given"], written["classes"], written["at_least"]
    ('AQ', '2', {'west': 'K'}, ['K', 'JT9876543'], {'1': 1.0, '2': 1.0})
    """
    suit = line.solver.suit
    return {
        "north": holding_name(suit.north),
        "south": holding_name(suit.south),
        "given": _unusual_settings(suit, line.solver.entries),
        "classes": list(map(holding_name, suit.classes)),
        "tricks": line.goal,
        "at_least": {str(tricks): float(chance) for tricks, chance in line.at_least.items()},
        "average": float(line.average),
        "nodes": line_tree(line),
    }


def _unusual_settings(suit: Suit, entries: tuple[float, float]) -> Node:
    """All that is not as usual, as ``Suit.of`` takes it; entries are numbers, or null for any number."""
    usual = Suit(suit.north, suit.south, gone=suit.gone)
    found: Node = {name: getattr(suit, name) for name in _PLAIN if getattr(suit, name) != getattr(usual, name)}
    found |= {name: holding_name(getattr(suit, name)) for name in _HOLDINGS if getattr(suit, name)}
    if suit.west_length != usual.west_length:
        found["west_length"] = "{}-{}".format(*suit.west_length)
    if suit.splits is not None:
        found["splits"] = {str(cards): str(chance) for cards, chance in suit.splits}
    if entries != FREE:
        found["entries"] = [None if count == inf else int(count) for count in entries]
    return found


_PLAIN = ("west_cards", "east_cards", "ruffs", "defenders_lead")
_HOLDINGS = ("gone", "west", "east")


# ---------------------------------------------------------------------- reading


def read_line_json(data: object) -> LineTree:
    """The line that ``line_tree_json`` has written; ``InputError`` if it is none.

    >>> from worldwise.bridge.suit.rules import Suit
    >>> from worldwise.bridge.suit.solver import SuitSolver
    >>> line = SuitSolver(Suit.of("AKQ9", "32"), entries=(1, 1)).line(4)
    >>> read_line_json(line_tree_json(line)).at_least == line.at_least
    True
    """
    hands = [data.get(name) for name in ("north", "south")] if isinstance(data, dict) else []
    if not isinstance(data, dict) or not all(isinstance(hand, str) for hand in hands):
        raise InputError("expected an object with the hands north and south, found something else")
    given = data.get("given", {})
    if not isinstance(given, dict) or not set(given) <= set(_KINDS):
        raise InputError(f"given: expected an object with some of {', '.join(_KINDS)}, found {shorten(str(given))}")
    for name, value in given.items():
        if type(value) is not _KINDS[name]:
            raise InputError(f"given.{name}: expected {_KIND_WORDS[_KINDS[name]]}, found {shorten(str(value))}")
    options = {name: value for name, value in given.items() if name not in ("splits", "entries")}
    splits = _read_splits(given["splits"]) if "splits" in given else None
    suit = Suit.of(*map(str, hands), splits=splits, **options)
    return LineTree.read(suit, data.get("nodes"), _read_entries(given.get("entries", [None, None])))


_KINDS: dict[str, type] = {
    **dict.fromkeys(("gone", "west", "east", "west_length", "defenders_lead"), str),
    **dict.fromkeys(("west_cards", "east_cards", "ruffs"), int),
    "splits": dict,
    "entries": list,
}
_KIND_WORDS = {str: "a text", int: "a whole number", dict: "an object", list: "a list"}


def _read_splits(splits: Node) -> dict[int, Number]:
    if not all(re.fullmatch(r"\d|1[0-3]", key, re.ASCII) and isinstance(value, str) for key, value in splits.items()):
        raise InputError(f"given.splits: expected numbers of cards and chances, found {shorten(str(splits))}")
    return {int(key): read_exact(value) for key, value in splits.items()}


def _read_entries(entries: list[object]) -> tuple[float, float]:
    if len(entries) != 2 or not all(count is None or (type(count) is int and 0 <= count <= 999) for count in entries):
        raise InputError(f"given.entries: expected two numbers or nulls, found {shorten(str(entries))}")
    north, south = (inf if count is None else float(str(count)) for count in entries)
    return north, south


@dataclass(frozen=True)
class LineTree:
    """A line read from its nodes: how to play a suit, whoever has worked it out.

    >>> from worldwise.bridge.suit.rules import Suit
    >>> from worldwise.bridge.suit.solver import SuitSolver
    >>> solver = SuitSolver(Suit.of("AKQ9", "32"))
    >>> tree = LineTree.read(solver.suit, line_tree(solver.line(4)))
    >>> tree.at_least == solver.line(4).at_least
    True
    """

    rules: SuitGame
    nodes: tuple[Node, ...]

    @classmethod
    def read(cls, suit: Suit, nodes: object, entries: tuple[float, float] = FREE) -> LineTree:
        """The line that nodes write down; ``InputError`` if they do not, or if they break the rules."""
        if not isinstance(nodes, list) or not nodes or not all(isinstance(node, dict) for node in nodes):
            raise InputError("expected a list of nodes, each an object, found something else")
        for place, node in enumerate(nodes):
            _check_node(place, node, len(nodes))
        return cls(SuitGame(suit, None, entries), tuple(nodes))

    @cached_property
    def levels(self) -> tuple[Mask, ...]:
        """The worlds in which it wins 1, 2 ... tricks or more, whatever the defenders do."""
        known: dict[tuple[SuitTable, int], tuple[Mask, ...]] = {}
        return self._play_out(self.rules.root.table, 0, known)

    @property
    def at_least(self) -> dict[int, Fraction]:
        """How likely it wins at least so many tricks, for every number of them."""
        worlds = range(self.rules.worlds)
        chance = self.rules.suit.chance
        return {
            tricks: chance([world for world in worlds if mask >> world & 1])
            for tricks, mask in enumerate(self.levels, 1)
        }

    def _play_out(
        self, table: SuitTable, place: int, known: dict[tuple[SuitTable, int], tuple[Mask, ...]]
    ) -> tuple[Mask, ...]:
        key = table, place
        if key not in known:
            if len(known) >= MOST_PLACES:
                raise InputError(f"expected a line of at most {MOST_PLACES:,} places, found more")
            node, side = self.nodes[place], self.rules.side(table)
            here, length = self.rules.possible(table), self.rules.suit.length
            moves = {str(move): move for move in self.rules.options(table)} if side is not None else {}
            left = (here,) * length if side is not None else tuple(here * (n < table.tricks) for n in range(length))
            for move, then in self._answers(place, node, side, table, moves).items():
                after = self.rules.after(table, move)
                elsewhere = here & ~self.rules.possible(after)
                below = self._play_out(after, then, known)
                left = tuple(a & (b | elsewhere) for a, b in zip(left, below, strict=True))
            known[key] = left
        return known[key]

    def _answers(
        self, place: int, node: Node, side: Side | None, table: SuitTable, moves: Mapping[str, SuitMove]
    ) -> dict[SuitMove, int]:
        """What may be played at a node, and the nodes that follow."""
        if side is None:
            found, expected = node.get("tricks"), table.tricks
            if found != expected:
                raise InputError(f"nodes[{place}]: expected the end with tricks {expected}, found {node}")
            return {}
        told: dict[str, int] = node.get("defence", {})
        if side is Side.MAX:
            told = {str(node.get("play")): node.get("next", 0)}
        wrong = set(told) - set(moves) if side is Side.MAX else set(told) ^ set(moves)
        if wrong:
            raise InputError(f"nodes[{place}]: expected {_expected(side, moves)}, found {list(told)}")
        return {moves[name]: then for name, then in told.items()}


def _expected(side: Side, moves: Mapping[str, SuitMove]) -> str:
    return f"{'a play' if side is Side.MAX else 'every answer'} of {', '.join(moves)}"


def _check_node(place: int, node: Node, count: int) -> None:
    """A node is one of three kinds, and names only later ones: so every play comes to an end."""
    if set(node) not in ({"play", "also", "next"}, {"play", "next"}, {"defence"}, {"tricks"}):
        raise InputError(
            f"nodes[{place}]: expected play and next, defence, or tricks, found {', '.join(map(str, node))}"
        )
    defence = node.get("defence", {})
    if not isinstance(defence, dict):
        raise InputError(f"nodes[{place}].defence: expected an object, found {defence!r}")
    later = [node["next"]] if "next" in node else list(defence.values())
    for then in later:
        if type(then) is not int or not place < then < count:
            raise InputError(f"nodes[{place}]: expected the place of a later node, below {count}, found {then!r}")
    if "tricks" in node and type(node["tricks"]) is not int:
        raise InputError(f"nodes[{place}].tricks: expected a whole number, found {node['tricks']!r}")
