"""Whatever is passed to a kernel, or to an object that asks one, is answered or refused: no crash, no hang."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from worldwise import AlphaMu, Limit, MonteCarlo, WorldTree, solve, tree_from_dict
from worldwise.bridge import BridgeAlphaMu, Deal, Pimc, Position, Seat, Strain
from worldwise.bridge.solvers import double_dummy as double_dummy_module
from worldwise.bridge.solvers.double_dummy import can_take, double_dummy, tricks
from worldwise.core.result import NO_LIMIT
from worldwise.errors import InputError, LimitReachedError, TreeError
from worldwise.extensive.compiled_imp import imp_model_counts
from worldwise.extensive.imp_model import ImpModel, Uniform
from worldwise.kernels import BUILT, kernel_limit, native
from worldwise.kriegspiel.search.evaluation import KS, BoardEvaluation
from worldwise.search import monte_carlo
from worldwise.trees.batches import Batch, optimum
from worldwise.trees.compiled import CompiledTree
from worldwise.trees.generator import complete_shape

SUPPORT = Path(__file__).parent / "support"

# ---------------------------------------------------------------------- the compiled module


def run_script(name, *arguments):
    """Run a script of the tests' own in a process that may die; all that it says."""
    command = [sys.executable, "-X", "faulthandler", str(SUPPORT / name), *arguments]
    # Python's own allocator hides from a sanitizer what is out of bounds.
    environment = os.environ | {"PYTHONMALLOC": "malloc"}
    return subprocess.run(
        command, capture_output=True, encoding="utf-8", errors="replace", timeout=900, check=False, env=environment
    )


def last_words(done):
    """What a process said before it died: the last call, and its complaint."""
    return "\n".join([*done.stdout.splitlines()[-2:], *done.stderr.splitlines()[-40:]])


GROUPS = ("trees", "extensive", "suits", "double dummy", "alpha-mu", "chess", "beliefs", "searches")


@pytest.mark.usefixtures("needs_kernels")
@pytest.mark.parametrize("group", GROUPS)
def test_no_call_crashes_or_hangs(group):
    """Hundreds of kinds of call: odd, huge, negative, empty, swapped, shared, inconsistent."""
    done = run_script("kernel_calls.py", group)
    assert done.returncode == 0, last_words(done)
    kind, count, _ = done.stdout.splitlines()[-1].split()
    assert kind == "made"
    assert int(count) >= 200


@pytest.mark.usefixtures("needs_kernels")
def test_every_kernel_is_called():
    """A binding that the table has no call for would escape."""
    import kernel_calls

    assert set(kernel_calls.GROUPS) == set(GROUPS)
    covered = {call.public_name for calls in kernel_calls.GROUPS.values() for call in calls()}
    public = [name for name in dir(native) if not name.startswith("_")]
    kernels = {name for name in public if callable(getattr(native, name))}
    classes = [name for name in kernels if isinstance(getattr(native, name), type)]
    members = {f"{name}.{member}" for name in classes for member in vars(getattr(native, name)) if member[0] != "_"}
    assert kernels | members == covered
    assert all(isinstance(getattr(native, name), int | float | str | tuple) for name in set(public) - kernels)


@pytest.mark.usefixtures("needs_kernels")
def test_every_object_may_be_used_by_several_threads():
    """Suit solvers used to be freed twice, or to answer wrongly, when four threads asked them."""
    done = run_script("kernel_threads.py")
    assert (done.returncode, done.stdout.splitlines()[-1:]) == (0, ["all alike"]), last_words(done)


@pytest.mark.usefixtures("needs_kernels")
def test_thousands_of_threads_are_a_few(view_and_worlds):
    """Each used to be made, and the process ended where the system had no more of them."""
    view, worlds = view_and_worlds
    many, one = (BridgeAlphaMu(depth=2, threads=threads).evaluate(view, worlds) for threads in (5000, 1))
    assert many.values == one.values
    assert 4 <= native.MOST_THREADS <= 64


@pytest.mark.usefixtures("needs_kernels")
def test_where_the_system_gives_no_threads_there_are_none():
    done = run_script("kernel_without_threads.py")
    assert (done.returncode, done.stdout) == (0, "answered\n"), last_words(done)


COMPILER = shutil.which(os.environ.get("CXX", "c++"))


@pytest.mark.skipif(COMPILER is None or sys.platform == "win32", reason="no C++ compiler on this machine to build it")
def test_parts_that_fail_do_not_take_the_threads_with_them(tmp_path):
    """Nothing that Python passes makes a part fail, short of an end of all memory; so this is tried in C++."""
    options = ("-std=c++20", "-O1", "-pthread", f"-I{SUPPORT.parents[1] / 'native'}", "-o", tmp_path / "check")
    environment = {name: value for name, value in os.environ.items() if name != "LD_PRELOAD"}
    subprocess.run([COMPILER, *options, SUPPORT / "workers_check.cpp"], check=True, env=environment)
    done = subprocess.run(tmp_path / "check", capture_output=True, timeout=900, check=False, env=environment)
    assert (done.returncode, done.stdout) == (0, b"all jobs ended\n")


# ---------------------------------------------------------------------- double dummy

DEAL = Deal.read("N:AQ... 32... 54... KJ...")
NORTH, EAST, SOUTH, WEST = DEAL.hands
SPADE_ACE, SPADE_KING = 14, 13


def position(hands=DEAL.hands, trumps=Strain.NOTRUMP, leader=Seat.NORTH, trick=()):
    return Position(hands, trumps, leader, trick)


ODD_POSITIONS = {
    "a trick of four": position(trick=(2, 3, 4, 5)),
    "a leader below North": position(leader=-1),
    "a leader beyond West": position(leader=4),
    "trumps of no suit": position(trumps=77),
    "no trumps at all": position(trumps=None),
    "hands that overlap": position((NORTH, NORTH, SOUTH, WEST)),
    "hands of all cards": position(((1 << 28) - 1,) * 4),
    "hands of different sizes": position((NORTH, EAST, SOUTH, WEST | 1 << 29)),
    "cards of no pack": position((1, 2, 1 << 16, 1 << 17)),
    "a negative hand": position((-1, EAST, SOUTH, WEST)),
    "an endless hand": position((1 << 200, EAST, SOUTH, WEST)),
    "three hands": position((NORTH, EAST, SOUTH)),
    "words for hands": position(("AQ", "32", "54", "KJ")),
    "a card that is still held": position((NORTH, EAST, SOUTH, WEST & ~(1 << SPADE_KING)), trick=(SPADE_ACE,)),
    "a card that is none": position(trick=(-5,)),
    "a card of no suit": position((NORTH & ~(1 << SPADE_ACE), EAST, SOUTH, WEST), trick=(78,)),
}


@pytest.mark.parametrize("odd", ODD_POSITIONS.values(), ids=ODD_POSITIONS)
@pytest.mark.parametrize("dds", [True, False], ids=["with DDS", "without"])
def test_odd_positions_are_refused(kernels, monkeypatch, odd, dds):
    """They used to read what is beyond a table, or to recurse without end."""
    if not dds:
        monkeypatch.setattr(double_dummy_module, "dds_found", lambda: False)
    solver = double_dummy(DEAL, Strain.NOTRUMP)
    questions = [
        lambda: solver.can_take(odd, 1),
        lambda: solver.can_take(odd, 1, Seat.EAST),
        lambda: solver.can_take_all([odd], [1], Seat.NORTH),
        lambda: solver.tricks_of_all([odd], Seat.NORTH),
        lambda: can_take(odd, 1),
        lambda: tricks(odd),
    ]
    for question in questions:
        with pytest.raises(InputError, match="expected"):
            question()


@pytest.mark.parametrize(
    ("hands", "trumps"),
    [
        (((1 << 28) - 1,) * 4, Strain.NOTRUMP),
        ((NORTH, NORTH, SOUTH, WEST), Strain.SPADES),
        ((NORTH, EAST, SOUTH, 0), Strain.SPADES),
        ((-1, EAST, SOUTH, WEST), Strain.SPADES),
        (DEAL.hands, 77),
        (DEAL.hands, -1),
    ],
)
def test_odd_deals_are_refused(kernels, hands, trumps):
    with pytest.raises(InputError, match="expected"):
        double_dummy(hands, trumps)


def test_positions_of_another_deal_are_refused(needs_kernels):
    other = Deal.read("N:A3... Q2... 54... KJ...")
    with pytest.raises(InputError, match="expected a position of the deal"):
        double_dummy(DEAL, Strain.NOTRUMP).can_take(position(other.hands), 1)
    with pytest.raises(InputError, match="expected a position of the deal"):
        double_dummy(DEAL, Strain.NOTRUMP).tricks_of_all([position(trumps=Strain.HEARTS)], Seat.NORTH)


@pytest.mark.parametrize(("wanted", "taken"), [(-(10**6), True), (0, True), (14, False), (10**6, False)])
def test_any_number_of_tricks_may_be_asked_for(kernels, wanted, taken):
    solver = double_dummy(DEAL, Strain.NOTRUMP)
    for seat in Seat:
        assert solver.can_take(position(), wanted, seat) is taken
        assert solver.can_take_all([position()], [wanted], seat) == [taken]
        assert can_take(position(), wanted, seat) is taken


# ---------------------------------------------------------------------- settings


@pytest.fixture(scope="module")
def view_and_worlds():
    from worldwise.bridge import Contract, Play, view_of
    from worldwise.bridge.layouts.sampler import Layouts
    from worldwise.bridge.rules.deal import read_card

    deal = Deal.read("N:AQ4... K53... 876... JT9...")
    view = view_of(Play(deal, Contract.read("1NT by S"), (read_card("SJ"),)), Seat.SOUTH)
    return view, list(Layouts(view).enumerate())


@pytest.mark.parametrize("number", [0, -1, 1.5, None])
def test_settings_that_make_no_sense_are_refused(number):
    for make in (lambda: BridgeAlphaMu(number), lambda: BridgeAlphaMu(threads=number), lambda: Pimc(threads=number)):
        with pytest.raises(InputError, match="of at least 1, found"):
            make()


@pytest.mark.parametrize("number", [0, -1, 1.5, "x", 10**30])
def test_so_many_samples_make_no_sense(number):
    """None at all used to be a division by zero, and very many an endless list."""
    with pytest.raises(InputError, match="expected the number of samples to be a whole number from 1 to"):
        MonteCarlo(number)


def test_samples_are_drawn_alike_in_whatever_portions(monkeypatch):
    whole = solve(TREE, MonteCarlo(1000, seed=3))
    monkeypatch.setattr(monte_carlo, "SAMPLES_AT_ONCE", 7)
    assert solve(TREE, MonteCarlo(1000, seed=3)) == whole
    with pytest.raises(LimitReachedError):
        MonteCarlo(1000).search(TREE, Limit(seconds=0))


@pytest.mark.parametrize("number", [0, -1, 1.5, None, "x"])
def test_settings_of_generic_searches_too(number):
    with pytest.raises(InputError, match="expected a depth of at least 1, found"):
        AlphaMu(number)


SIZES = {"far below": -(10**5000), "far above": 10**5000, "between": 1.5, "none": None, "words": "x" * 10_000}


@pytest.mark.parametrize("number", SIZES.values(), ids=SIZES)
def test_models_have_a_size_that_can_be_counted(number):
    """The number of their leaves used to be worked out, however long."""
    for make in (lambda: ImpModel(number, 2, 2), lambda: ImpModel(2, number, 2), lambda: ImpModel(2, 2, number)):
        with pytest.raises(InputError, match=r"to be a whole number from [12] to .*, found ") as error:
            make()
        assert len(str(error.value)) < 200
    with pytest.raises(InputError, match="expected the highest payoff to be a whole number from 0 to"):
        Uniform(number)


def test_huge_settings_are_as_good_as_large_ones(kernels, view_and_worlds):
    view, worlds = view_and_worlds
    limit = Limit(nodes=2**63 - 1)
    found = BridgeAlphaMu(depth=10**20, threads=3).evaluate(view, worlds, limit)
    assert found.values == BridgeAlphaMu(depth=20).evaluate(view, worlds).values
    assert Pimc(threads=10**6).evaluate(view, worlds, limit).values == Pimc().evaluate(view, worlds).values


def test_limits_fit_into_a_word():
    assert kernel_limit(Limit(nodes=2**63 - 1))[0] == 2**63 - 1
    assert kernel_limit(NO_LIMIT) == (-1, -1.0)


@pytest.mark.parametrize("weight", [float("nan"), float("inf"), float("-inf")])
def test_evaluations_are_finite(weight):
    with pytest.raises(InputError, match="finite"):
        BoardEvaluation(KS.values, protected=weight, threatened=0, advance=0, check=0, mate=100)
    with pytest.raises(InputError, match="finite"):
        BoardEvaluation((weight, 1, 1, 1, 1, 0), protected=0, threatened=0, advance=0, check=0, mate=100)


# ---------------------------------------------------------------------- trees

TREE = tree_from_dict({"max": [{"min": [{"payoff": [1, 0]}, {"payoff": [0, 1]}]}, {"payoff": [1, 1]}]})


def changed(array, place, value):
    other = array.copy()
    other[place] = value
    return other


ODD_TREES = {
    "fewer rows than leaves": (TREE.kind, TREE.end, TREE.payoffs_by_leaf[:1]),
    "more rows than leaves": (TREE.kind, TREE.end, np.ones((9, 2))),
    "no nodes": (TREE.kind[:0], TREE.end[:0], TREE.payoffs_by_leaf),
    "fewer ends than nodes": (TREE.kind, TREE.end[:-1], TREE.payoffs_by_leaf),
    "a kind of its own": (changed(TREE.kind, 0, 7), TREE.end, TREE.payoffs_by_leaf),
    "a leaf with children": (changed(TREE.kind, 1, 0), TREE.end, np.ones((4, 2))),
    "a node without any": (changed(TREE.kind, 2, 1), TREE.end, np.ones((2, 2))),
    "a root that ends early": (TREE.kind, changed(TREE.end, 0, 4), TREE.payoffs_by_leaf),
    "a node that ends late": (TREE.kind, changed(TREE.end, 1, 9), TREE.payoffs_by_leaf),
    "a node that ends before it begins": (TREE.kind, changed(TREE.end, 3, -1), TREE.payoffs_by_leaf),
    "nodes that cross": (
        np.array([1, 1, 1, 0, 0], dtype=np.uint8),
        np.array([5, 4, 5, 4, 5], dtype=np.int32),
        np.ones((2, 2)),
    ),
    "payoffs without worlds": (TREE.kind, TREE.end, np.ones((3, 0))),
    "payoffs in one row": (TREE.kind, TREE.end, np.ones(3)),
    "an infinite payoff": (TREE.kind, TREE.end, changed(TREE.payoffs_by_leaf, (0, 0), np.inf)),
    "a payoff of minus infinity": (TREE.kind, TREE.end, changed(TREE.payoffs_by_leaf, (2, 1), -np.inf)),
}


@pytest.mark.parametrize("arrays", ODD_TREES.values(), ids=ODD_TREES)
def test_odd_trees_are_refused(arrays):
    """The compiled build used to answer from memory that it does not own."""
    with pytest.raises(TreeError, match="expected"):
        WorldTree(*arrays, (1, 1))


def test_a_tree_that_is_changed_is_refused(needs_kernels):
    """Arrays can be written to after the tree was checked; the kernel looks again."""
    tree = WorldTree(TREE.kind.copy(), TREE.end.copy(), TREE.payoffs_by_leaf.copy(), (1, 1))
    tree.end[1] = 99
    with pytest.raises(InputError, match="expected"):
        solve(CompiledTree(tree))


def test_odd_batches_are_refused(kernels):
    kind, end = complete_shape(2, 2)
    leaves = np.ones((4, 4), dtype=np.uint64)
    batch = Batch(kind, end, leaves, 5)
    for known in (-1, 21):
        with pytest.raises(InputError, match="known worlds"):
            optimum(batch, known)
    with pytest.raises(InputError, match="a row of payoffs for every leaf"):
        Batch(kind, end, leaves[:2], 5)
    with pytest.raises(InputError, match="1 to 64 worlds"):
        Batch(kind, end, leaves, 65)
    with pytest.raises(InputError, match="alike at the same distance"):
        Batch(TREE.kind, TREE.end, leaves[:3], 5)


# ---------------------------------------------------------------------- models


def test_models_beyond_the_kernel_are_left_to_python(kernels):
    """The highest payoff of all used to end the process: one more is none."""
    paying = ImpModel(k=2, b=2, d=3, rule=Uniform(highest=2**64 - 1))
    assert imp_model_counts(paying, prune=False)[0] <= 2**64 - 1


def test_the_kernels_are_tested_where_they_must_be():
    """Most of this module needs them, so it says if they are missing where they must be built."""
    assert BUILT or not os.environ.get("WORLDWISE_REQUIRE_KERNELS")
