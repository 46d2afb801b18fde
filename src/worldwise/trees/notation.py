"""Trees as JSON: ``{"worlds": n, "probabilities": [...], "root": NODE}``.

A NODE is ``{"max": [NODE, ...]}``, ``{"min": [NODE, ...]}`` or ``{"payoff": [x or null, ...]}``, each with an optional
``"name"`` and ``"moves"`` (names of the branches). Optional at the top: ``"probabilities"``, ``"world_names"`` and
``"title"``. Keys come in any order.

How a text is taken apart is in ``reader``; here are the calls, the writer, and the way from files to text.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import numpy as np

from worldwise.core.vector import whole_weights
from worldwise.errors import TreeError
from worldwise.trees.preorder import LEAF, MAX
from worldwise.trees.reader import EXACT, TreeReader, line_and_column

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import IO

    from numpy.typing import NDArray

    from worldwise.core.vector import Weight
    from worldwise.trees.world_tree import WorldTree

MOST_CHARACTERS = 256 * 2**20
"""The longest text that is read; about six million leaves of ten worlds."""

_BATCH = 2**20
"""How many characters are dealt with at once where all at once would take too much memory."""


def read_tree(source: str | IO[str] | IO[bytes]) -> WorldTree:
    """The tree in a text or an open file.

    >>> read_tree('{"worlds": 2, "root": {"max": [{"payoff": [1, 0]}, {"payoff": [0, 3]}]}}')
    <WorldTree: 3 nodes, 2 leaves, 2 worlds>
    >>> read_tree('{"worlds": 2, "root": {"max": [{"payoff": [1, 0, 1]}]}}')
    Traceback (most recent call last):
    worldwise.errors.TreeError: line 1, column 43, at root.max[0].payoff: expected 2 payoffs, found 3
    """
    return TreeReader(_text(source)).tree()


def tree_from_dict(tree: dict[str, Any]) -> WorldTree:
    """The tree in the notation's Python form; a bare NODE may stand for the whole.

    >>> tree_from_dict({"min": [{"payoff": [1, None]}, {"payoff": [0, 1]}]}).worlds
    2
    """
    try:
        text = json.dumps(tree if "root" in tree else {"root": tree})
    except (TypeError, ValueError, RecursionError) as error:
        raise TreeError(f"expected a tree of dicts, lists, strings and numbers, found one with {error}") from None
    return TreeReader(text, from_dict=True).tree()


def write_tree(tree: WorldTree) -> str:
    """The tree as a text that ``read_tree`` reads back.

    >>> print(write_tree(tree_from_dict({"max": [{"payoff": [1, 0], "name": "a"}]})))
    {"worlds": 2, "root": {"max": [{"payoff": [1, 0], "name": "a"}]}}
    """
    return "".join(tree_parts(tree))


def tree_parts(tree: WorldTree) -> Iterator[str]:
    """The same text piece by piece, for ``file.writelines``."""
    head: dict[str, Any] = {"worlds": tree.worlds}
    if tree.weights != (1,) * tree.worlds:
        head["probabilities"] = _plain_weights(tree.weights)
    if tree.world_names is not None:
        head["world_names"] = tree.world_names
    if tree.title is not None:
        head["title"] = tree.title
    yield json.dumps(head)[:-1] + ', "root": '
    yield from _node_parts(tree)
    yield "}"


def _plain_weights(weights: tuple[Weight, ...]) -> Sequence[float]:
    """JSON knows no fractions, but whole numbers can say the same."""
    plain = [weight for weight in weights if isinstance(weight, (int, float))]
    return plain if len(plain) == len(weights) else whole_weights(weights)


def _node_parts(tree: WorldTree) -> Iterator[str]:
    rows = _row_texts(tree.payoffs_by_leaf)
    closing: list[tuple[int, str]] = []  # where open nodes end, and what is still to be written of them
    after_leaf = False
    for node, (kind, end) in enumerate(zip(tree.kind.data, tree.end.data, strict=True)):
        while closing and closing[-1][0] == node:
            yield closing.pop()[1]
        if after_leaf:  # what follows a leaf is its sibling, or that of a node that ended with it
            yield ", "
        tail = _node_tail(tree, node)
        after_leaf = kind == LEAF
        if after_leaf:
            yield f'{{"payoff": [{next(rows)}]{tail}}}'
        else:
            yield '{"max": [' if kind == MAX else '{"min": ['
            closing.append((end, f"]{tail}}}"))
    yield from (text for _, text in reversed(closing))


def _node_tail(tree: WorldTree, node: int) -> str:
    name = f', "name": {json.dumps(tree.names[node])}' if node in tree.names else ""
    moves = f', "moves": {json.dumps(tree.move_names[node])}' if node in tree.move_names else ""
    return name + moves


def _row_texts(payoffs: NDArray[np.float64]) -> Iterator[str]:
    """Every leaf's payoffs, some thousand leaves at a time; whole numbers without a point."""
    height = 1 + _BATCH // (8 * payoffs.shape[1])
    for start in range(0, len(payoffs), height):
        block = payoffs[start : start + height]
        values = block.astype(object)
        whole = (np.trunc(block) == block) & (np.abs(block) < EXACT)
        values[whole] = block[whole].astype(np.int64)
        values[np.isnan(block)] = None
        yield from json.dumps(values.tolist())[2:-2].split("], [")


# ---------------------------------------------------------------------- from files to text


def _text(source: str | IO[str] | IO[bytes]) -> str:
    content = source if isinstance(source, str) else _content(source)
    _check_size(len(content))
    return content if isinstance(content, str) else _decode(content)


def _check_size(size: int) -> None:
    if size > MOST_CHARACTERS:
        raise TreeError(f"expected at most {MOST_CHARACTERS} characters, found more")


def _content(file: IO[str] | IO[bytes]) -> str | bytes:
    """All there is in a file; some files, pipes among them, hand it out in small pieces."""
    pieces: list[Any] = []
    size = 0
    try:
        while piece := file.read(_BATCH):
            pieces.append(piece)
            size += len(piece)
            _check_size(size)
    except UnicodeError as error:
        raise TreeError(f"expected a file of text, found one where {error}") from None
    return type(pieces[0])().join(pieces) if pieces else ""


def _decode(content: bytes) -> str:
    """UTF-8, or UTF-16 as some Windows shells write."""
    try:
        return content.decode(json.detect_encoding(content))
    except UnicodeDecodeError as error:
        before = error.object[: error.start].decode(error.encoding, "replace")
        found = error.object[error.start]
        place = line_and_column(before, len(before))
        raise TreeError(f"expected {error.encoding.upper()} text, found the byte 0x{found:02x}", place) from None
