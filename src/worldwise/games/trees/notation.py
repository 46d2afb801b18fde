"""Trees as JSON: ``{"worlds": n, "probabilities": [...], "root": NODE}``.

A NODE is ``{"max": [NODE, ...]}``, ``{"min": [NODE, ...]}`` or ``{"payoff": [x or null, ...]}``, each with an optional
``"name"`` and ``"moves"`` (names of the branches). Optional at the top: ``"probabilities"``, ``"world_names"``, ``"title"``.

The reader goes through the text once, without recursion and straight into the tree's flat arrays, so that depth is no
danger and a million leaves need little memory; and it knows at every moment where it is, for the error message.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from math import isfinite
from typing import TYPE_CHECKING, Any, NoReturn

from worldwise.core.game import Side
from worldwise.errors import TreeError
from worldwise.games.trees.world_tree import LEAF, MAX, TreeBuilder, WorldTree, check_weights

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import IO

MOST_CHARACTERS = 256 * 2**20
"""The longest text that is read; ten million leaves of ten worlds."""

_NAN = float("nan")


def read_tree(source: str | IO[str] | IO[bytes]) -> WorldTree:
    """The tree in a text or an open file.

    >>> read_tree('{"worlds": 2, "root": {"max": [{"payoff": [1, 0]}, {"payoff": [0, 3]}]}}')
    <WorldTree: 3 nodes, 2 leaves, 2 worlds>
    >>> read_tree('{"worlds": 2, "root": {"max": [{"payoff": [1, 0, 1]}]}}')
    Traceback (most recent call last):
    worldwise.errors.TreeError: line 1, column 32, at root.max[0].payoff: expected 2 payoffs, found 3
    """
    text = source if isinstance(source, str) else _text(source)
    if len(text) > MOST_CHARACTERS:
        _refuse_size()
    return _Reader(text).tree()


def tree_from_dict(tree: dict[str, Any]) -> WorldTree:
    """The tree in the notation's Python form; a bare NODE may stand for the whole.

    >>> tree_from_dict({"min": [{"payoff": [1, None]}, {"payoff": [0, 1]}]}).worlds
    2
    """
    whole = tree if "root" in tree else {"root": tree}
    try:
        return _Reader(json.dumps(whole)).tree(need_worlds=False)
    except (TypeError, ValueError, RecursionError) as error:
        raise TreeError(f"expected a tree of dicts, lists and numbers, found {error}") from None


def write_tree(tree: WorldTree) -> str:
    """The tree as a text that ``read_tree`` reads back.

    >>> print(write_tree(tree_from_dict({"max": [{"payoff": [1, 0], "name": "a"}]})))
    {"worlds": 2, "root": {"max": [{"payoff": [1, 0], "name": "a"}]}}
    """
    head: list[str] = [f'"worlds": {tree.worlds}']
    if len(set(tree.weights)) > 1:
        head.append(f'"probabilities": {json.dumps(list(map(_number, tree.weights)))}')
    if tree.world_names:
        head.append(f'"world_names": {json.dumps(tree.world_names)}')
    if tree.title:
        head.append(f'"title": {json.dumps(tree.title)}')
    return f'{{{", ".join(head)}, "root": {"".join(_node_parts(tree))}}}'


def _node_parts(tree: WorldTree) -> Iterator[str]:
    closing: list[tuple[int, str]] = []  # where open nodes end, and what is still to be written of them
    for node, (kind, end) in enumerate(zip(tree.kind.tolist(), tree.end.tolist(), strict=True)):
        while closing and closing[-1][0] == node:
            yield closing.pop()[1]
        if node and tree.end[node - 1] == node:  # the node before was a leaf, so this one has an elder sibling
            yield ", "
        tail = _node_tail(tree, node)
        if kind == LEAF:
            yield f'{{"payoff": {json.dumps(tree.payoffs(node))}{tail}}}'
        else:
            yield '{"max": [' if kind == MAX else '{"min": ['
            closing.append((end, f"]{tail}}}"))
    yield from (text for _, text in reversed(closing))


def _node_tail(tree: WorldTree, node: int) -> str:
    name = f', "name": {json.dumps(tree.names[node])}' if node in tree.names else ""
    moves = f', "moves": {json.dumps(tree.move_names[node])}' if node in tree.move_names else ""
    return name + moves


def _number(weight: Any) -> float:
    """Fractions as floats, the rest as they are."""
    return weight if isinstance(weight, (int, float)) else float(weight)


def _text(file: IO[str] | IO[bytes]) -> str:
    content = file.read(MOST_CHARACTERS + 1)
    if len(content) > MOST_CHARACTERS:
        _refuse_size()
    if isinstance(content, str):
        return content
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise TreeError(f"expected UTF-8 text, found byte 0x{content[error.start]:02x} at offset {error.start}") from None


def _refuse_size() -> NoReturn:
    raise TreeError(f"expected at most {MOST_CHARACTERS // 2**20} MiB of text, found more")


_SPACE = re.compile(r"[ \t\n\r]*")
_TOKEN = re.compile(
    r"""(?P<mark>[{}\[\]:,])
    |(?P<string>"(?:[^"\\\x00-\x1f]|\\.)*")
    |(?P<number>-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?(?![\w.]))
    |(?P<word>null|true|false)\b""",
    re.VERBOSE | re.ASCII,
)
_PLAIN_LEAF = re.compile(r'\{\s*"payoff"\s*:\s*\[([-+.\deE,nul\s]*)\]\s*\}')
_PAYOFF_LIST = re.compile(r"\[([-+.\deE,nul\s]*)\]")


@dataclass
class _Open:
    """An object or a list of children being read."""

    node: int
    keys: set[str] = field(default_factory=set)
    side: Side | None = None
    children: int = 0
    moves_at: int = 0


class _Reader:
    """One text being read: ``at`` is where, ``stack`` the nodes that are open there."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0
        self.stack: list[_Open] = []
        self.key = ""
        self.worlds: int | None = None
        self.builder = TreeBuilder()
        self.rows: dict[str, tuple[float, ...]] = {}

    # ------------------------------------------------------------------ the whole

    def tree(self, need_worlds: bool = True) -> WorldTree:
        parts: dict[str, Any] = {}
        readers = {
            "worlds": self.read_worlds,
            "probabilities": self.read_flat,
            "world_names": self.read_names,
            "title": self.read_string,
            "root": self.read_root,
        }
        for key in self.read_object(set(readers)):
            self.key = key
            parts[key] = (self.skip_space(), readers[key]())
        self.key = ""
        if self.skip_space() < len(self.text):
            self.fail("expected the end of the text", found=True)
        for key in ("worlds", "root") if need_worlds else ("root",):
            if key not in parts:
                self.fail(f'expected the key "{key}", found {self.listed(parts)}')
        return self.finish(parts)

    def finish(self, parts: dict[str, Any]) -> WorldTree:
        assert self.worlds is not None  # a root has leaves, and leaves have payoffs
        where, weights = parts.get("probabilities", (0, [1] * self.worlds))
        self.at, self.key = where, ""
        for world, weight in enumerate(weights):
            if not isinstance(weight, (int, float)) or isinstance(weight, bool):
                self.fail(f"expected a number, found {json.dumps(weight)}", f"probabilities[{world}]")
        where, names = parts.get("world_names", (0, None))
        if names is not None and len(names) != self.worlds:
            self.at = where
            self.fail(f"expected {self.worlds} names, found {len(names)}", "world_names")
        check_weights(weights, self.worlds)
        title = parts.get("title", (0, None))[1]
        return self.builder.tree(weights, world_names=names, title=title)

    def read_worlds(self) -> int:
        where = self.at
        value = self.read_value()
        if not isinstance(value, int) or isinstance(value, bool) or value < 1:
            self.at = where
            self.fail(f"expected a whole number of at least 1, found {_short(value)}")
        if self.worlds not in (None, value):
            self.at = where
            self.fail(f"expected {self.worlds}, as many as the payoffs above, found {value}")
        self.worlds = value
        return value

    # ------------------------------------------------------------------ nodes

    def read_root(self) -> None:
        """Read nodes until the root is closed. One turn of the loop reads one key, or one child."""
        self.open_node()
        while self.stack:
            node = self.stack[-1]
            if node.side is not None and node.children >= 0:
                self.next_child(node)
            elif self.next_key(node, {"max", "min", "payoff", "name", "moves"}):
                self.read_node_key(node)
            else:
                self.close_node(node)

    def open_node(self) -> None:
        leaf = _PLAIN_LEAF.match(self.text, self.at)
        if leaf:  # the common case, at full speed
            self.builder.open()
            self.stack.append(_Open(len(self.stack), {"payoff"}))
            self.builder.fill(self.row(leaf.start(1), leaf.group(1)))
            self.stack.pop()
            self.builder.close()
            self.at = leaf.end()
            return
        if not self.take("{"):
            self.fail('expected a node, {"max": ...}, {"min": ...} or {"payoff": ...}', found=True)
        self.stack.append(_Open(self.builder.open()))

    def next_child(self, node: _Open) -> None:
        if self.take("]"):
            if not node.children:
                self.at -= 1
                self.fail("expected at least one child, found none", self.place(node.side))
            node.children = -node.children  # the list is closed
        else:
            if node.children and not self.take(","):
                self.fail('expected "," or "]"', self.place(node.side), found=True)
            self.skip_space()
            node.children += 1
            self.open_node()

    def read_node_key(self, node: _Open) -> None:
        if self.key in ("max", "min", "payoff") and len(node.keys & {"max", "min", "payoff"}) > 1:
            self.fail(f'expected one of "max", "min" and "payoff", found {self.listed(sorted(node.keys - {"name"}))}')
        if self.key in ("max", "min"):
            node.side = Side(self.key)
            self.builder.turn(node.side)
            if not self.take("["):
                self.fail("expected a list of nodes", found=True)
        elif self.key == "payoff":
            match = _PAYOFF_LIST.match(self.text, self.skip_space())
            if match:
                self.builder.fill(self.row(match.start(1), match.group(1)))
                self.at = match.end()
            else:
                self.builder.fill(self.checked_row(self.read_flat()))
        elif self.key == "name":
            self.builder.names[node.node] = self.read_string()
        else:
            node.moves_at = self.skip_space()
            self.builder.move_names[node.node] = self.read_names()

    def close_node(self, node: _Open) -> None:
        if not node.keys & {"max", "min", "payoff"}:
            self.at -= 1
            self.fail('expected "max", "min" or "payoff"' + f", found {self.listed(sorted(node.keys))}", self.place())
        children, moves = abs(node.children), self.builder.move_names.get(node.node, ())
        if "moves" in node.keys and len(moves) != children:
            self.at = node.moves_at
            self.fail(f"expected {children} names of moves, found {len(moves)}", self.place() + ".moves")
        self.builder.close()
        self.stack.pop()

    # ------------------------------------------------------------------ payoffs

    def row(self, start: int, body: str) -> tuple[float, ...]:
        """A leaf's payoffs; rows repeat, so each is parsed once."""
        row = self.rows.get(body)
        if row is None:
            self.at = start - 1
            self.key = "payoff"
            row = self.checked_row(self.read_flat())
            if len(self.rows) < 1 << 16:
                self.rows[body] = row
        elif len(row) != self.worlds:
            self.checked_row(list(row))
        return row

    def checked_row(self, values: list[Any]) -> tuple[float, ...]:
        if self.worlds is None:
            self.worlds = len(values)
        if len(values) != self.worlds or not values:
            self.at = self.text.rindex("[", 0, self.at)
            self.fail(f"expected {self.worlds or 'at least 1'} payoffs, found {len(values)}")
        return tuple(self.payoff(value, world) for world, value in enumerate(values))

    def payoff(self, value: Any, world: int) -> float:
        if value is None:
            return _NAN
        if not isinstance(value, (int, float)) or isinstance(value, bool):
            self.fail(f"expected a number or null, found {_short(value)}", f"{self.place('payoff')}[{world}]")
        try:
            number = float(value)
        except OverflowError:
            number = float("inf")
        if not isfinite(number) or number != value:
            self.fail(
                f"expected a finite number of at most 53 bits, found {_short(value)}", f"{self.place('payoff')}[{world}]"
            )
        return number

    # ------------------------------------------------------------------ plain JSON

    def read_object(self, known: set[str]) -> Iterator[str]:
        """The keys of an object, one after the other; the caller reads each value."""
        if not self.take("{"):
            self.fail('expected {"worlds": ..., "root": ...}', found=True)
        whole = _Open(0)
        while self.next_key(whole, known):
            yield self.key

    def next_key(self, node: _Open, known: set[str]) -> bool:
        """Step to the value of the next key; False if the object ends here."""
        self.key = ""
        if self.take("}"):
            return False
        if node.keys and not self.take(","):
            self.fail('expected "," or "}"', found=True)
        where = self.skip_space()
        key = self.read_string()
        if key not in known or key in node.keys:
            self.at = where
            trouble = "found it twice" if key in node.keys else f"found {_short(key)}"
            self.fail(f"expected each of {', '.join(sorted(known))} at most once, {trouble}")
        if not self.take(":"):
            self.fail('expected ":"', found=True)
        node.keys.add(key)
        self.key = key
        return True

    def read_flat(self) -> list[Any]:
        """A list of plain values."""
        if not self.take("["):
            self.fail("expected a list", found=True)
        values: list[Any] = []
        while not self.take("]"):
            if values and not self.take(","):
                self.fail('expected "," or "]"', found=True)
            values.append(self.read_value())
        return values

    def read_names(self) -> tuple[str, ...]:
        where = self.skip_space()
        names = self.read_flat()
        if not all(isinstance(name, str) for name in names):
            self.at = where
            self.fail("expected a list of strings, found other values in it")
        return tuple(names)

    def read_string(self) -> str:
        where = self.skip_space()
        value = self.read_value()
        if not isinstance(value, str):
            self.at = where
            self.fail(f"expected a string, found {_short(value)}")
        return value

    def read_value(self) -> Any:
        """A string, a number, true, false or null."""
        token = _TOKEN.match(self.text, self.skip_space())
        if token is None or token.lastgroup == "mark":
            self.fail("expected a value", found=True)
        try:
            value = json.loads(token.group())
        except ValueError:
            self.fail("expected a value", found=True)
        self.at = token.end()
        return value

    def take(self, mark: str) -> bool:
        """Whether this mark comes next; if so, step over it."""
        if not self.text.startswith(mark, self.skip_space()):
            return False
        self.at += 1
        return True

    def skip_space(self) -> int:
        self.at = _SPACE.match(self.text, self.at).end()  # type: ignore[union-attr]
        return self.at

    # ------------------------------------------------------------------ complaints

    def place(self, last: str | Side | None = None) -> str:
        """The path of what is being read; of deep paths, the end."""
        steps = [f"{node.side.value}[{node.children - 1}]" for node in self.stack[:-1] if node.side]
        steps = ["root", *steps] if len(steps) <= 20 else ["root", "...", *steps[-20:]]
        if last is not None:
            steps.append(last.value if isinstance(last, Side) else last)
        return ".".join(steps)

    def fail(self, message: str, place: str | None = None, *, found: bool = False) -> NoReturn:
        """Complain of what stands here."""
        if found:
            rest = self.text[self.at : self.at + 24]
            message += f", found {rest!r}" if rest else ", found the end of the text"
        if place is None:
            place = self.place(self.key or None) if self.stack else self.key
        line = self.text.count("\n", 0, self.at) + 1
        column = self.at - self.text.rfind("\n", 0, self.at)
        raise TreeError(message, f"line {line}, column {column}" + (f", at {place}" if place else ""))

    @staticmethod
    def listed(keys: Any) -> str:
        return ", ".join(f'"{key}"' for key in keys) or "no key"


def _short(value: Any) -> str:
    """A value as JSON, cut if it is long."""
    text = json.dumps(value)
    return text if len(text) <= 40 else text[:37] + "..."
