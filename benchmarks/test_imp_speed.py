"""How fast games in extensive form are searched, as ratios to plain code over OpenSpiel's states in the same run."""

import subprocess
import sys
from time import process_time

import pytest

from worldwise import solve_game
from worldwise.extensive import ImpModel, write_out
from worldwise.extensive.compiled_imp import imp_model_counts
from worldwise.kernels import BUILT
from worldwise.openspiel import to_open_spiel
from worldwise.search.imp import ImpAlphaBeta, ImpMinimax

needs_kernels = pytest.mark.skipif(not BUILT, reason="the compiled kernels were not built on this machine")


COMPILED = 10
"""How many times faster than the readable search the compiled one must be."""


def timed(work):
    start = process_time()
    answer = work()
    return process_time() - start, answer


def imp_minimax_over_states(state):
    """BMV96 Fig 6 as one would write it over OpenSpiel's states; the value, and the leaves examined."""
    leaves = 0

    def extend(states):
        for one, prob in states:
            if one.is_chance_node():
                yield from extend((one.child(action), prob * chance) for action, chance in one.chance_outcomes())
            else:
                yield one, prob

    def value(states):
        nonlocal leaves
        total, pi_sets = 0.0, {}
        for one, prob in extend(states):
            if one.is_terminal():
                leaves += 1
                total += prob * one.player_return(0)
            else:
                pi_sets.setdefault(one.information_state_string(), []).append((one, prob))
        for pi_set in pi_sets.values():
            actions = pi_set[0][0].legal_actions()
            total += max(value([(one.child(action), prob) for one, prob in pi_set]) for action in actions)
        return total

    return value([(state, 1.0)]), leaves


@needs_kernels
def test_imp_minimax_on_a_million_leaves():
    """b = k = 10, d = 4: the whole tree, and made on demand, against the same through OpenSpiel's Python states."""
    pytest.importorskip("pyspiel", reason="the ratio is to OpenSpiel: pip install open_spiel")
    model = ImpModel(k=10, b=10, d=4)
    whole = write_out(model)
    first, answer = timed(lambda: solve_game(whole, "imp-minimax"))
    again, _ = timed(lambda: solve_game(whole, "imp-minimax"))
    demand, (on_demand, stats) = timed(lambda: imp_model_counts(model, prune=False))
    theirs, (value, leaves) = timed(lambda: imp_minimax_over_states(to_open_spiel(whole).new_initial_state()))
    assert leaves == stats.leaves == answer.stats.leaves == 10**6
    assert float(answer.value) == float(on_demand) == pytest.approx(value)
    print(f"\n\nIMP-minimax, 10^6 leaves: OpenSpiel's states {theirs:.2f} s")
    for name, ours in [("whole tree, packing included", first), ("again", again), ("on demand", demand)]:
        print(f"  {name:30} {1000 * ours:8.1f} ms {theirs / ours:8.0f}x")
    assert theirs / first >= 20


@needs_kernels
@pytest.mark.parametrize(("k", "b", "d"), [(2, 10, 6), (2, 10, 5), (4, 4, 6), (10, 2, 5)])
def test_time_falls_with_the_leaves_that_are_skipped(k, b, d):
    model = ImpModel(k, b, d)
    full = min(timed(lambda: imp_model_counts(model, prune=False))[0] for _ in range(3))
    pruned, (_, stats) = min((timed(lambda: imp_model_counts(model, prune=True)) for _ in range(3)), key=lambda t: t[0])
    share = stats.leaves / model.leaves
    print(f"\nk={k} b={b} d={d}: {share:6.1%} of {model.leaves:,} leaves in {pruned / full:6.1%} of the time", end="")
    assert pruned / full < share + 0.35


@needs_kernels
def test_compiled_against_python():
    whole = write_out(ImpModel(k=4, b=4, d=4))
    for name, python in [("imp-minimax", ImpMinimax()), ("imp-alpha-beta", ImpAlphaBeta())]:
        solve_game(whole, name)
        ours = min(timed(lambda name=name: solve_game(whole, name))[0] for _ in range(5))
        theirs, _ = timed(lambda python=python: python.search(whole))
        print(f"\n{name}, 4,096 leaves, compiled against Python: {theirs / ours:.0f}x", end="")
        assert theirs / ours >= COMPILED


MEMORY = """
from worldwise import solve_game
from worldwise.extensive import ImpModel, write_out
from worldwise.extensive.compiled_imp import imp_model_counts
model = ImpModel(k=10, b=10, d=4)
{work}
print(next(line.split()[1] for line in open("/proc/self/status") if line.startswith("VmHWM")))
"""


@needs_kernels
@pytest.mark.skipif(sys.platform != "linux", reason="the peak of a process is read from Linux's /proc")
@pytest.mark.parametrize("work", ["imp_model_counts(model, prune=False)", "solve_game(write_out(model))"])
def test_memory_of_a_million_leaves(work):
    """The peak of a process that does nothing else, Python and numpy included."""
    program = MEMORY.format(work=work)
    peak = int(subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout)
    print(f"\n10^6 leaves, {work}: {peak / 1024:.0f} MiB", end="")
    assert peak < 200 * 1024
