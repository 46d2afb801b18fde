"""Speed of the tree searches, each as a ratio to a plain implementation (``peers``) in the same run.

``make bench`` prints the table; the ratios are asserted, seconds never are. Both sides start from a tree that is
already in memory in their own form, and both return the vector and the strategy (or the front).
"""

import io
from time import process_time

import numpy as np
import pytest

import peers
from worldwise import Exact, VectorMinimax, WorldTree, algorithm, random_tree
from worldwise.extensive import ImpModel, efg_text, write_out
from worldwise.extensive.compiled_efg import compiled_scan
from worldwise.extensive.efg import efg_from_text
from worldwise.extensive.efg_scan import head, scan
from worldwise.kernels import BUILT
from worldwise.trees import compile_game
from worldwise.trees.generator import complete_shape

needs_kernels = pytest.mark.skipif(not BUILT, reason="ratios are promised for the compiled kernels, not built here")

COMPILED = 10
"""How many times faster than the readable passes the compiled ones must be, whatever the algorithm."""

CHOSEN = 1.5
"""At most so many times as long as the better of its two methods: the one that the exact search chooses by itself."""


def seconds(action, repeats):
    """The least time of the processor in some repeats: what the machine can do when nothing disturbs it."""
    times = []
    for _ in range(repeats):
        start = process_time()
        action()
        times.append(process_time() - start)
    return min(times)


def wide_tree(chance, depth=9, worlds=40, seed=1):
    """A binary tree with fronts as large as the chance of winning a leaf makes them: 0.65 gives hundreds."""
    kind, end = complete_shape(depth, 2)
    wins = np.random.default_rng(seed).random((2**depth, worlds)) < chance
    return WorldTree(kind, end, wins.astype(np.float64), (1,) * worlds)


def compare(record, name, tree, fast, slow, at_least, repeats=(20, 3)):
    game, plain = compile_game(tree), peers.nested(tree)
    assert fast(game) is not None  # codes and arrays are made once, as the peer's nested tuples are
    ours, theirs = seconds(lambda: fast(game), repeats[0]), seconds(lambda: slow(plain), repeats[1])
    record(name, ours, theirs)
    assert theirs / ours >= at_least


@pytest.fixture(scope="module")
def record():
    rows = []
    yield lambda *row: rows.append(row)
    print(f"\n\n{'':44}{'worldwise':>12}{'plain':>12}{'ratio':>9}")
    for name, ours, theirs in rows:
        print(f"{name:44}{1000 * ours:9.3f} ms{1000 * theirs:9.1f} ms{theirs / ours:8.0f}x")


@needs_kernels
def test_vector_mm(record):
    tree = random_tree(13, 10, seed=1)
    compare(
        record,
        "vector-mm, depth 13, 10 worlds",
        tree,
        VectorMinimax().search,
        lambda plain: peers.vector_mm(plain, tree.weights),
        at_least=20,
    )


@needs_kernels
@pytest.mark.parametrize("method", ["fronts", "tables"])
def test_exact(record, method):
    tree = random_tree(13, 10, seed=1)
    name = f"exact by {method}, depth 13, 10 worlds"
    compare(record, name, tree, Exact(method).search, peers.exact_front, at_least=10)


@needs_kernels
def test_exact_with_large_fronts(record):
    tree = wide_tree(0.7)
    assert len(Exact("fronts").search(compile_game(tree)).front) > 1000
    name = "exact, depth 9, 40 worlds, front of 2,070"
    compare(record, name, tree, Exact("fronts").search, peers.exact_front, at_least=100, repeats=(5, 1))


@needs_kernels
@pytest.mark.parametrize("name", ["monte-carlo", "vm-alphabeta", "vm-beta", "prm", "prm-beta", "ivm", "iprm-beta"])
def test_every_algorithm_on_both_engines(record, name):
    """The compiled passes against the readable ones."""
    tree, searcher = random_tree(13, 10, seed=1), algorithm(name)
    game = compile_game(tree)
    searcher.search(game)
    ours, theirs = seconds(lambda: searcher.search(game), 10), seconds(lambda: searcher.search(tree), 2)
    record(f"{name}, compiled against Python", ours, theirs)
    assert theirs / ours >= COMPILED


@pytest.mark.parametrize("worlds", [4, 6, 8, 10, 12, 14])
def test_tables_against_fronts(record, worlds):
    """Where the automatic choice should change from tables to fronts."""
    game = compile_game(random_tree(11, worlds, seed=2))
    ours, theirs, chosen = (
        seconds(lambda m=method: Exact(m).search(game), 20) for method in ("tables", "fronts", "auto")
    )
    record(f"tables against fronts, {worlds} worlds", ours, theirs)
    assert chosen <= CHOSEN * min(ours, theirs)


# ---------------------------------------------------------------------- .efg files

LEAVES = {
    "few outcomes": None,
    "an outcome a leaf": 't "" {0} "Outcome {0}" {{ {1}.0 }}\n',
    "no payoff twice": 't "" {0} "" {{ {0} }}\n',
}
"""What stands at the leaves: as we write them, as OpenSpiel's own export does, and the worst there is."""


@pytest.fixture(scope="module", params=LEAVES)
def efg(request):
    """The text of a file of 137,201 nodes, and what to call it."""
    lines = efg_text(write_out(ImpModel(7, 7, 4)), portable=True).splitlines(keepends=True)
    leaf = LEAVES[request.param]
    if leaf:
        lines = [leaf.format(at, at % 7) if line.startswith("t") else line for at, line in enumerate(lines)]
    return "".join(lines), f".efg, {request.param}"


def rate(name, nodes, ours, theirs):
    print(f"\n{name}: {nodes / ours / 1e6:.2f} million nodes a second, {nodes / theirs / 1e6:.2f}", end="")


@needs_kernels
@pytest.mark.parametrize("peer", ["pygambit", "pyspiel"])
def test_reading_efg(record, efg, peer):
    """Against Gambit's reader, and OpenSpiel's, which is compiled throughout and keeps floats: no ratio is promised."""
    module = pytest.importorskip(peer, reason=f"the ratio to {peer} needs it installed")
    text, name = efg
    read = {
        "pygambit": lambda: module.read_efg(io.BytesIO(text.encode())),
        "pyspiel": lambda: module.load_efg_game(text),
    }[peer]
    ours, theirs = seconds(lambda: efg_from_text(text), 5), seconds(read, 2)
    record(f"{name}, against {peer}", ours, theirs)
    rate(f"{name}, against {peer}", len(efg_from_text(text)), ours, theirs)
    assert peer == "pyspiel" or theirs / ours >= 1


@needs_kernels
def test_scanning_efg_on_both_engines(record, efg):
    text, name = efg
    body = text[head(text).end() :]
    ours, theirs = seconds(lambda: compiled_scan(body), 5), seconds(lambda: scan(body), 2)
    record(f"{name}, scanner, and in Python", ours, theirs)
    assert theirs / ours >= 3
