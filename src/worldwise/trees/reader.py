"""Taking the text of a tree apart.

The reader goes through the text once, without recursion and straight into the tree's flat arrays, so that depth is no
danger and a million leaves need little memory. It is quick by taking what is common in one bite (a run of leaves, the
beginning of a node) and turning payoffs into numbers by the thousand; whatever does not go down so easily is read again
bit by bit, which finds the fault and its place.
"""

from __future__ import annotations

import json
import re
import sys
from abc import ABC, abstractmethod
from math import nan
from typing import TYPE_CHECKING, Any, NoReturn, TypeVar

import numpy as np

from worldwise.core.game import Side
from worldwise.errors import TreeError
from worldwise.trees.world_tree import TreeBuilder, WorldTree, is_weight

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Sequence

    from numpy.typing import NDArray

    from worldwise.core.vector import Weight

EXACT = 2**53
"""Whole numbers below this are the same as floating-point numbers; of larger ones, only some."""

MOST_WORLDS = 2**28
"""More worlds than any text that is read could hold payoffs for."""

_BATCH = 2**20
"""How many characters of payoffs are turned into numbers at once."""

# Every repetition of single characters is possessive: nothing is ever tried twice.
_S = r"[ \t\n\r]*+"
_NUMBERS = r"\[[-+.0-9eEnul, \t\n\r]*+\]" + _S
_ENTRY = rf'\{{{_S}"(?:max|min)"{_S}:{_S}\[{_S}'
_LEAF = rf'\{{{_S}"payoff"{_S}:{_S}{_NUMBERS}\}}{_S}'

_SPACE = re.compile(_S)
_KEY = re.compile(rf'"([a-z_]++)"{_S}:{_S}')
_ROW = re.compile(_NUMBERS)
_SIDE = re.compile("max|min")
_NODES = re.compile(rf"(?P<entered>(?:{_ENTRY})*)(?P<leaves>{_LEAF}(?:,{_S}{_LEAF}){{0,999}})?")
_ENDS = re.compile(rf"(?:\]{_S}\}}{_S}){{1,99}}")
_WORD = re.compile(r'"[^"]*"?|[-+.\w]+|\\?.', re.DOTALL)

_NODE_KEYS = ("max", "min", "payoff", "name", "moves")
_KINDS_OF_NODE = _NODE_KEYS[:3]
_SIDES = {side.value: side for side in Side}

_Item = TypeVar("_Item")


def _whole_number(digits: str) -> float:
    """Python refuses to convert thousands of digits; to us, they are too many well before."""
    return int(digits) if len(digits) < 400 else float(digits)


_JSON = json.JSONDecoder(parse_int=_whole_number)


class _Scanner(ABC):
    """A place in a text, ``at``, and steps from there over JSON's small parts and the space behind them.

    ``item`` counts along the list that is being read; ``lines`` says whether to complain by line and column.
    """

    def __init__(self, text: str, at: int, lines: bool) -> None:
        self.text = text
        self.at = at
        self.lines = lines
        self.item: int | None = None

    @abstractmethod
    def path(self) -> str:
        """Where in the tree that is."""

    def step_to(self, at: int) -> None:
        """Go there, and on over any space."""
        space = _SPACE.match(self.text, at)
        self.at = space.end() if space else at

    def take(self, mark: str) -> bool:
        """Whether this mark stands here; if so, step over it."""
        found = self.text.startswith(mark, self.at)
        if found:
            self.step_to(self.at + 1)
        return found

    def expect(self, mark: str, expected: str) -> None:
        """Step over this mark."""
        if not self.take(mark):
            self.fail(expected)

    def value(self, kinds: tuple[type, ...], expected: str) -> Any:
        """A string, number, true, false or null, of one of these types."""
        if self.text.startswith(("{", "["), self.at):  # may be long, and is wrong anyway
            self.fail(expected)
        try:
            value, end = _JSON.raw_decode(self.text, self.at)
        except json.JSONDecodeError as error:
            self.fail(expected if error.pos == self.at else "a character or escape that JSON allows", at=error.pos)
        if type(value) not in kinds:
            self.fail(expected)
        self.step_to(end)
        return value

    def string(self) -> str:
        """A string."""
        return str(self.value((str,), "a string"))

    def weight(self) -> Weight:
        """A probability, up to a common factor."""
        at = self.at
        value: float = self.value((int, float), "a number")
        if not is_weight(value):
            self.fail("a finite number that is not negative", at=at)
        return value

    def items(self, names: str, item: Callable[[], _Item]) -> list[_Item]:
        """A list."""
        self.expect("[", f"a list of {names}")
        items: list[_Item] = []
        while not self.take("]"):
            if items:
                self.expect(",", '"," or "]"')
            self.item = len(items)
            items.append(item())
            self.item = None
        return items

    def fail(self, expected: str, found: str = "", *, at: int | None = None, path: str | None = None) -> NoReturn:
        """Complain of what stands here, or there."""
        raise self.error(expected, found, at, path)

    def error(self, expected: str, found: str, at: int | None, path: str | None) -> TreeError:
        """The complaint."""
        at = self.at if at is None else at
        path = self.path() if path is None else path
        item = "" if self.item is None else f"[{self.item}]"
        return TreeError(f"expected {expected}, found {found or self.excerpt(at)}", self.place(at, path + item))

    def place(self, at: int, path: str) -> str:
        """Line, column and path, as far as there are any."""
        line = line_and_column(self.text, at) if self.lines else ""
        return ", at ".join(filter(None, [line, path]))

    def excerpt(self, at: int) -> str:
        """The word or mark that stands there."""
        word = _WORD.match(self.text[at : at + 40])
        if word is None:
            return "the end of the text"
        return repr(word.group() if word.end() < 40 else word.group() + "...")


class _Row(_Scanner):
    """The payoffs of one leaf, read number by number."""

    def __init__(self, reader: TreeReader, node: int, at: int) -> None:
        super().__init__(reader.text, at, reader.lines)
        self.builder = reader.builder
        self.node = node

    def path(self) -> str:
        """That of the leaf and its one key."""
        return f"{self.builder.place(self.node)}.payoff"

    def payoffs(self, worlds: int | None) -> list[float]:
        """One a world; as many as there are if nobody has said how many worlds there are."""
        at = self.at
        payoffs = self.items("payoffs", self.payoff)
        if not payoffs or len(payoffs) != (worlds or len(payoffs)):
            self.fail(f"{worlds or 'some'} payoffs", str(len(payoffs)), at=at)
        return payoffs

    def payoff(self) -> float:
        """A payoff, NaN for null."""
        at = self.at
        value = self.value((int, float, type(None)), "a number or null")
        if value is None:
            return nan
        if not abs(value) <= sys.float_info.max:
            self.fail("a finite number", at=at)
        if float(value) != value:
            self.fail("a whole number that fits into 53 bits", at=at)
        return float(value)


class TreeReader(_Scanner):
    """One text being read.

    ``top`` are the keys read of the whole, and where their values begin; ``keys``, those of each open node, unless they
    are just ``"max"`` or ``"min"``. ``runs`` are leaves whose payoffs are still to be turned into numbers: the first
    one's node, and from where to where they stand.
    """

    def __init__(self, text: str, *, from_dict: bool = False) -> None:
        super().__init__(text, 0, lines=not from_dict)
        self.needed = ("root",) if from_dict else ("worlds", "root")
        self.builder = TreeBuilder()
        self.worlds: int | None = None
        self.key = ""
        self.top: dict[str, int] = {}
        self.keys: dict[int, dict[str, int]] = {}
        self.runs: list[tuple[int, int, int]] = []

    # ------------------------------------------------------------------ the whole

    def tree(self) -> WorldTree:
        """The tree; there must be nothing else in the text."""
        readers: dict[str, Callable[[], Any]] = {
            "worlds": self.read_worlds,
            "probabilities": self.read_probabilities,
            "world_names": self.read_names,
            "title": self.string,
            "root": self.read_root,
        }
        parts: dict[str, Any] = {}
        self.step_to(0)
        self.expect("{", 'a tree, {"worlds": ..., "root": ...}')
        while key := self.next_key(self.top, readers):
            parts[key] = readers[key]()
        for key in self.needed:
            if key not in parts:
                self.fail(f'the key "{key}"', _list_keys(parts), at=self.closing_brace())
        if self.at < len(self.text):
            self.fail("the end of the text")
        return self.finish(parts)

    def finish(self, parts: dict[str, Any]) -> WorldTree:
        """The tree of these parts, if they fit together."""
        worlds = self.worlds or 0
        for key, things in (("probabilities", "probabilities"), ("world_names", "names")):
            if len(parts.get(key, range(worlds))) != worlds:
                self.fail(f"{worlds} {things}", str(len(parts[key])), at=self.top[key], path=key)
        names, weights = parts.get("world_names"), parts.get("probabilities", (1,) * worlds)
        try:
            return self.builder.tree(weights, world_names=names, title=parts.get("title"))
        except TreeError:  # the tree knew which node is wrong, we know where it stands
            fault = self.builder.fault(worlds, names)
            if fault is None:
                raise
            node, message = fault
            raise TreeError(message, self.place(self.start_of(node), self.builder.place(node))) from None

    def read_worlds(self) -> None:
        """How many worlds there are; the root, if it came first, has shown that already."""
        at, expected = self.at, f"a whole number from 1 to {MOST_WORLDS}"
        worlds: int = self.value((int,), expected)
        if not 1 <= worlds <= MOST_WORLDS:
            self.fail(expected, at=at)
        if self.worlds not in (None, worlds):
            self.fail(f"{self.worlds}, as many as a leaf has payoffs", at=at)
        self.worlds = worlds

    def read_probabilities(self) -> tuple[Weight, ...]:
        """One number a world."""
        at = self.at
        weights = tuple(self.items("numbers", self.weight))
        if weights and not any(weights):
            self.fail("at least one probability above zero", "none", at=at)
        return weights

    def read_names(self) -> tuple[str, ...]:
        """Names of worlds or moves: by JSON's own reader if it can, name by name if something is wrong."""
        try:
            names, end = _JSON.raw_decode(self.text, self.at)
        except (ValueError, RecursionError):
            names, end = None, self.at
        if type(names) is not list or not all(type(name) is str for name in names):
            return tuple(self.items("strings", self.string))
        self.step_to(end)
        return tuple(names)

    def next_key(self, keys: dict[str, int], known: Collection[str]) -> str:
        """Step to the value of an object's next key; no key if the object ends here."""
        self.key = ""
        if self.take("}"):
            return ""
        if keys:
            self.expect(",", '"," or "}"')
        at = self.at
        plain = _KEY.match(self.text, at)
        key = plain[1] if plain else self.string() if self.text.startswith('"', at) else ""
        if key not in known:
            self.fail(f"one of the keys {_list_keys(known)}", at=at)
        if key in keys:
            self.fail(f'the key "{key}" only once', "it again", at=at)
        if plain:
            self.at = plain.end()
        else:
            self.expect(":", '":"')
        keys[key] = self.at
        self.key = key
        return key

    # ------------------------------------------------------------------ nodes

    def read_root(self) -> None:
        """Read nodes until the root is closed. What leads ``inwards`` must be followed by a node."""
        inwards = True
        while inwards or self.builder.open_nodes:
            inwards = self.go_in() if inwards else self.go_on()
        self.flush()

    def go_in(self) -> bool:
        """Go into a node, or several; False if that led to a leaf and out again."""
        nodes = _NODES.match(self.text, self.at)
        if not nodes or nodes.end() == self.at:
            return self.enter_other_node()
        for side in _SIDE.findall(self.text, *nodes.span("entered")):
            self.builder.open(_SIDES[side])
        self.at = nodes.end()
        start, end = nodes.span("leaves")
        if start < 0:
            return True
        self.add_leaves(start, end)
        return False

    def enter_other_node(self) -> bool:
        """The same for a node that begins with another key, or is none."""
        at = self.at
        if not self.take("{"):
            path = self.builder.place(len(self.builder))
            if self.take("]") and path.endswith("[0]"):
                self.fail("at least one child", "none", at=at, path=path.removesuffix("[0]"))
            self.fail('a node, {"max": ...}, {"min": ...} or {"payoff": ...}', at=at, path=path)
        self.keys[self.builder.open()] = {}
        return self.read_keys()

    def go_on(self) -> bool:
        """Go on from the end of a node: True to its sibling, False out of the nodes around it."""
        if self.take(","):
            return True
        ends = _ENDS.match(self.text, self.at)
        count = self.text.count("}", self.at, ends.end()) if ends else 0
        if not ends or count > len(self.builder.open_nodes):
            self.key = self.builder.side
            self.expect("]", '"," or "]"')
            return self.read_keys()
        self.at = ends.end()
        for _ in range(count):
            self.leave_node()
        return False

    def leave_node(self) -> None:
        """Close a node, which must be complete."""
        keys = self.keys.pop(self.builder.node, None)
        if keys is not None and keys.keys().isdisjoint(_KINDS_OF_NODE):
            self.fail(f"one of the keys {_list_keys(_KINDS_OF_NODE)}", _list_keys(keys), at=self.closing_brace())
        if keys is not None and "moves" in keys:
            self.check_moves(keys["moves"])
        self.builder.close()

    def check_moves(self, at: int) -> None:
        """Names of moves must be as many as children."""
        children, moves = self.builder.children(), self.builder.move_names[self.builder.node]
        if len(moves) != children:
            self.key = "moves"
            self.fail(f"{children} names of moves", str(len(moves)), at=at)

    def read_keys(self) -> bool:
        """Read the keys of a node, from here to its children or its end; whether children come next."""
        node = self.builder.node
        keys = self.keys.setdefault(node, {self.builder.side: self.at})  # a node entered in passing has no entry yet
        while key := self.next_key(keys, _NODE_KEYS):
            if key in _KINDS_OF_NODE and len(keys.keys() & _KINDS_OF_NODE) > 1:
                self.fail(f"only one of {_list_keys(_KINDS_OF_NODE)}", f'"{key}" as well')
            if key in _SIDES:
                self.builder.turn(_SIDES[key])
                self.expect("[", "a list of nodes")
                return True
            if key == "payoff":
                self.read_payoffs(node)
            elif key == "name":
                self.builder.names[node] = self.string()
            else:
                self.builder.move_names[node] = self.read_names()
        self.leave_node()
        return False

    # ------------------------------------------------------------------ payoffs

    def add_leaves(self, start: int, end: int) -> None:
        """A run of leaves without names."""
        first = len(self.builder)
        self.builder.leaves(self.text.count("[", start, end))
        self.put_aside(first, start, end)

    def read_payoffs(self, node: int) -> None:
        """A single leaf's payoffs."""
        row = _ROW.match(self.text, self.at)
        if row is None:
            self.flush()
            _Row(self, node, self.at).payoffs(self.worlds)  # finds out what is wrong
        else:
            self.at = row.end()
            self.put_aside(node, *row.span())

    def put_aside(self, first: int, start: int, end: int) -> None:
        """Keep a run of leaves for later; but not too many."""
        self.runs.append((first, start, end))
        if end - self.runs[0][1] > _BATCH:
            self.flush()

    def flush(self) -> None:
        """Turn the payoffs put aside into numbers."""
        runs, self.runs = self.runs, []
        if runs:
            payoffs = self.all_at_once(runs)
            if payoffs is None:
                payoffs = np.array(list(self.one_by_one(runs)), dtype=np.float64)
            self.worlds = payoffs.shape[1]
            self.builder.fill_rows(payoffs)

    def all_at_once(self, runs: Sequence[tuple[int, int, int]]) -> NDArray[np.float64] | None:
        """The rows of these leaves; None if one of them may be wrong."""
        rows = [row for _, start, end in runs for row in _ROW.findall(self.text, start, end)]
        try:
            payoffs = np.array(json.loads(f"[{','.join(rows)}]"), dtype=np.float64)  # null becomes NaN
        except (ValueError, OverflowError):
            return None
        worlds = payoffs.shape[1]
        fits = worlds and worlds == (self.worlds or worlds)
        return payoffs if fits and not (np.abs(payoffs) >= EXACT).any() else None

    def one_by_one(self, runs: Sequence[tuple[int, int, int]]) -> Iterator[list[float]]:
        """The same rows, read number by number."""
        worlds = self.worlds
        for first, start, end in runs:
            for node, row in enumerate(_ROW.finditer(self.text, start, end), first):
                payoffs = _Row(self, node, row.start()).payoffs(worlds)
                worlds = len(payoffs)
                yield payoffs

    # ------------------------------------------------------------------ places

    def path(self) -> str:
        """That of the node and key being read."""
        nodes = self.builder.place(self.builder.node) if self.builder.open_nodes else ""
        return ".".join(filter(None, [nodes, self.key]))

    def closing_brace(self) -> int:
        """Where the object ended that ended last."""
        return self.text.rindex("}", 0, self.at)

    def start_of(self, node: int) -> int:
        """Where a node begins that is no leaf, found by reading as far once more."""
        again, inwards = TreeReader(self.text), True
        again.at = self.top["root"]
        while len(again.builder) <= node:
            at, before = again.at, len(again.builder)
            inwards = again.go_in() if inwards else again.go_on()
        for _ in range(node - before):  # nodes entered in the same step
            at = self.text.index("{", at) + 1
        return self.text.index("{", at)

    def fail(self, expected: str, found: str = "", *, at: int | None = None, path: str | None = None) -> NoReturn:
        """Complain of what stands here, unless there is something to complain of in the payoffs before."""
        error = self.error(expected, found, at, path)
        self.flush()
        raise error


def _list_keys(keys: Iterable[str]) -> str:
    return ", ".join(f'"{key}"' for key in keys) or "none"


def line_and_column(text: str, at: int) -> str:
    """Where a character stands, as people count.

    >>> line_and_column("ab\\ncd", 4)
    'line 2, column 2'
    """
    line, line_start = text.count("\n", 0, at) + 1, text.rfind("\n", 0, at) + 1
    return f"line {line}, column {at - line_start + 1}"
