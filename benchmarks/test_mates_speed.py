"""How fast guaranteed mates are found: published problems each in a moment, and the kernel as a ratio to its twin.

``make bench`` prints the figures. Seconds are those of the processor, so that what else runs does not count.
"""

import json
from dataclasses import replace
from pathlib import Path
from time import process_time

import pytest

from worldwise.kernels import BUILT, SWITCH
from worldwise.kriegspiel.rules.fen import read_fen
from worldwise.kriegspiel.rules.hidden_pieces import possible_boards
from worldwise.kriegspiel.rules.umpire import WILD16, PawnTries
from worldwise.kriegspiel.search.mates import guaranteed_mate
from yardstick import slowness

pytestmark = pytest.mark.skipif(not BUILT, reason="the compiled kernels were not built on this machine")

DATA = Path(__file__).parents[1] / "tests" / "data" / "kriegspiel" / "mates.json"
PROBLEMS = json.loads(DATA.read_text("utf-8"))["problems"]

MOST = 0.2
"""Seconds of the yardstick's machine that a problem may take, by one rule set."""

FASTER = 50
"""How many times faster than the search in Python the kernel must be."""

ANYWHERE = 20
"""Seconds of the yardstick's machine for a rook and a king who may be anywhere, 14 moves."""


def seconds(work):
    start = process_time()
    answer = work()
    return process_time() - start, answer


@pytest.mark.parametrize("problem", PROBLEMS, ids=lambda problem: problem["name"])
def test_problems(problem):
    board, spent = read_fen(problem["fen"]), []
    for pawns in PawnTries:
        rules = replace(WILD16, pawn_tries=pawns)
        took, _ = seconds(lambda rules=rules: guaranteed_mate([board], problem["mate_in"], rules))
        spent.append(took)
    print(f"\n{problem['name']}: {', '.join(f'{1000 * took:.1f}' for took in spent)} ms", end="")
    assert max(spent) < MOST * slowness()


def test_kernel_and_twin(monkeypatch):
    problem = next(problem for problem in PROBLEMS if problem["name"] == "Swart 686")
    board = read_fen(problem["fen"])
    ours, found = min((seconds(lambda: guaranteed_mate([board], 2)) for _ in range(5)), key=lambda timed: timed[0])
    monkeypatch.setenv(SWITCH, "off")
    theirs, expected = seconds(lambda: guaranteed_mate([board], 2))
    assert found.keys == expected.keys
    print(f"\nmate in two: {1000 * ours:.2f} ms, in Python {theirs:.2f} s, ratio {theirs / ours:.0f}", end="")
    assert theirs / ours >= FASTER


def test_a_king_who_may_be_anywhere():
    boards = possible_boards("8/8/8/4K3/8/8/7R/8 w", "k: *")
    took, found = seconds(lambda: guaranteed_mate(boards, 14))
    print(f"\nking and rook, 40 boards, 14 moves: {took:.2f} s, {found.stats.nodes:,} boards", end="")
    assert not found.is_mate
    assert took < ANYWHERE * slowness()
