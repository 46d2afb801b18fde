"""How fast single suits are solved, as a ratio to the readable rules in the same run; and that thousands do no harm.

``make bench`` prints the figures. Seconds are those of the processor, on one core. Ratios are asserted, and seconds as
multiples of what the yardstick takes in the same run.
"""

from itertools import islice
from random import Random
from statistics import mean, median
from time import process_time

import pytest

from memory import resident
from worldwise.bridge.suit.monte_carlo import MonteCarloLine
from worldwise.bridge.suit.rules import Suit
from worldwise.bridge.suit.sampling import won_by_sampling
from worldwise.bridge.suit.solver import ReadableFronts, SuitSolver
from worldwise.bridge.suit.trees import suit_algorithms
from worldwise.errors import TreeError
from worldwise.kernels import BUILT
from worldwise.lab.papers.fb01.suit_problems import drawn_problems
from worldwise.search.algorithms import ALGORITHMS
from yardstick import slowness

pytestmark = pytest.mark.skipif(not BUILT, reason="the compiled kernels were not built on this machine")

COMBINATIONS = 2_000
STRESS = 10_000

PROMISED = 0.002
"""Seconds of the yardstick's machine that half of all combinations keep to."""

PAPER = 101
"""Seconds that iprm-beta took on a problem (FB01 Fig 28)."""


def random_suits(seed):
    """Two to six cards opposite one to five, any cards."""
    rng = Random(seed)
    while True:
        north, south = rng.randint(2, 6), rng.randint(1, 5)
        cards = rng.sample(range(2, 15), north + south)
        yield Suit(tuple(sorted(cards[:north], reverse=True)), tuple(sorted(cards[north:], reverse=True)))


def timed(work):
    start = process_time()
    answer = work()
    return process_time() - start, answer


def chances(suit, fronts=None):
    return [answer.chance for answer in SuitSolver(suit, fronts=fronts).goals]


def told(what, seconds):
    """The figures of many combinations, and the time that 99.9 % of them keep to."""
    times = sorted(seconds)
    late = times[len(times) - 1 - len(times) // 1000]
    print(f"\n{len(times):,} combinations, {what}: median {1000 * median(times):.2f} ms, ", end="")
    print(f"mean {1000 * mean(times):.2f} ms, 99.9 % within {late:.3f} s, the slowest {times[-1]:.3f} s", end="")
    return late


def test_random_combinations():
    """All goals, and after them the most tricks on average, which starts from what is known about the goals."""
    goals, average = [], []
    for suit in islice(random_suits(1), COMBINATIONS):
        solver = SuitSolver(suit)
        goals.append(timed(lambda solver=solver: solver.goals)[0])
        average.append(timed(lambda solver=solver: solver.expected)[0])
    slow = slowness()
    assert told("all goals", goals) < slow
    assert told("the most tricks on average", average) < slow
    assert told("both", map(sum, zip(goals, average, strict=True))) < slow
    assert median(goals) < PROMISED * slow


def test_compiled_against_the_readable_rules():
    """The same fronts from ``search.transposed`` on the Python rules: the same answers."""
    suits = random_suits(2)
    sample = list(islice((suit for suit in suits if suit.missing <= 6), 12))
    ours, compiled = timed(lambda: [chances(suit) for suit in sample])
    theirs, python = timed(lambda: [chances(suit, fronts=ReadableFronts) for suit in sample])
    assert compiled == python
    print(f"\n{len(sample)} combinations, all goals: compiled {1000 * ours / len(sample):.2f} ms each, ", end="")
    print(f"Python {1000 * theirs / len(sample):.0f} ms: {theirs / ours:.0f}x")
    assert theirs / ours >= 30


def test_sampling_against_its_twin():
    """What sampling wins, for every goal: the atlas asks for that of all suits."""
    solvers = [SuitSolver(suit) for suit in islice(random_suits(3), 20)]
    asked = [(solver, answer.tricks) for solver in solvers for answer in solver.goals]
    ours, compiled = timed(lambda: [won_by_sampling(*one) for one in asked])
    lines = [MonteCarloLine(SuitSolver(solver.suit), tricks) for solver, tricks in asked]
    theirs, python = timed(lambda: [line.wins(line.solver.root) for line in lines])
    assert compiled == python
    print(f"\nsampling's line, {len(asked)} goals: compiled {1000 * ours / len(asked):.2f} ms each, ", end="")
    print(f"Python {1000 * theirs / len(asked):.0f} ms: {theirs / ours:.0f}x")
    assert theirs / ours >= 15


@pytest.mark.parametrize(
    ("north", "south", "tricks", "size"), [("J964", "Q", 1, 1734), ("AJ93", "75", 2, 962), ("Q982", "K64", 2, 824)]
)
def test_hard_combinations(north, south, tricks, size):
    """Where fronts explode: 131 seconds for the second in plain Python."""
    solver, whole = SuitSolver(Suit.of(north, south)), SuitSolver(Suit.of(north, south))
    goal, _ = timed(lambda: solver.goal(tricks))
    rest, _ = timed(lambda: (solver.goals, solver.expected))
    seconds, front = timed(lambda: whole.front(whole.root, tricks))
    print(f"\n{north} opposite {south} for {tricks}: {goal:.3f} s, with all goals and the average ", end="")
    print(f"{goal + rest:.3f} s; the whole front of {len(front):,}: {seconds:.3f} s", end="")
    assert len(front) == size
    assert max(goal + rest, seconds) < 2 * slowness()


def test_iprm_beta_against_the_papers_machine():
    problems = drawn_problems()[:650:5]
    seconds = []
    for north, south, tricks in problems:
        (result,) = suit_algorithms(Suit.of(north, south), tricks, ["iprm-beta"])
        seconds.append(result.seconds)
    ours = mean(seconds)
    print(f"\niprm-beta on {len(problems)} problems: {1000 * ours:.1f} ms on average, ", end="")
    print(f"{PAPER / ours:,.0f} times as fast as in the paper ({PAPER} s at 200 MHz)")
    assert ours < slowness()


# ---------------------------------------------------------------------- thousands in one run


def check(suit, solver):
    answers, expected = solver.goals, solver.expected
    found = [answer.chance for answer in answers]
    assert all(0 <= chance <= 1 for chance in found), suit
    assert found == sorted(found, reverse=True), suit
    assert all(answer.chance <= answer.double_dummy for answer in answers), suit
    # The best line on average is a line for every goal, and at least as good as a line for any.
    assert max(found) <= expected.tricks <= sum(found) <= expected.double_dummy, suit
    return found


def check_algorithms(suit, tricks, best):
    """No line is worth more than the best; a tree too large is left out."""
    try:
        results = suit_algorithms(suit, tricks, ALGORITHMS[:-1], seed=1, most_nodes=100_000)
    except TreeError:
        return 0
    assert max(result.chance for result in results) <= best, suit
    return 1


def test_thousands_of_combinations():
    compared, memory, start = 0, {}, process_time()
    for number, suit in enumerate(islice(random_suits(3), STRESS), 1):
        found = check(suit, SuitSolver(suit))
        if number % 50 == 0:
            tricks = Random(number).randint(1, suit.length)
            compared += check_algorithms(suit, tricks, found[tricks - 1])
        if number >= STRESS // 2:
            memory.setdefault("half", resident())
    print(f"\n{STRESS:,} combinations in {process_time() - start:.0f} s, {compared} with all algorithms; ", end="")
    half, whole = memory["half"], resident()
    if half is not None:
        print(f"{half:.0f} MiB after half of them, {whole:.0f} MiB in the end")
        assert whole < half + 50
