"""How many kriegspiel boards an information-set search folds in 30 seconds of one core, beside PNS06's Fig 4.

Mixed play works out KS and the umpire's message at every edge. Where all is mean or all is least nobody hears the last
message, so it is asked only whether the game is over there, and last boards like others are not looked at. ``make
bench`` prints the figures. Seconds are those of the processor, so that what else runs does not count.
"""

from random import Random
from time import process_time

import numpy as np
import pytest

from worldwise.kernels import BUILT
from worldwise.kriegspiel.belief.sampled import SampledBelief
from worldwise.kriegspiel.belief.weighted_boards import WeightedBoards
from worldwise.kriegspiel.rules.board import START
from worldwise.kriegspiel.rules.compiled_board import fastest_board
from worldwise.kriegspiel.rules.game import Kriegspiel
from worldwise.kriegspiel.rules.squares import WHITE
from worldwise.kriegspiel.search.information_sets import BoardSearch

pytestmark = pytest.mark.skipif(not BUILT, reason="the compiled kernels were not built on this machine")

SECONDS = 30
FLOORS = {1: 1_000_000, 2: 50_000, 3: 1_500}
PUBLISHED = {1: 1683, 2: 321, 3: 67}
BOARDS = {1: 10_000, 2: 1_000, 3: 50}
PLIES = 24

FASTER = 50
"""How many times faster than the generic search the kernel must be."""


@pytest.fixture(scope="module", params=range(3), ids="game {}".format)
def middle(request):
    """White's belief and view in the middle of a game of tries at random."""
    game, rng = Kriegspiel(), Random(request.param)
    state, belief = game.start(fastest_board(START)), SampledBelief.start(WHITE, game.rules, exact=2000)
    while state.plies < PLIES:
        state = game.play(state, rng.choice(game.moves(state)))
        if event := state.events[-1].heard_by(WHITE, game.rules):
            belief = belief.after(event)
    return game.rules, belief.boards, state.view(WHITE)


def timed(search, boards, view, rules):
    start = process_time()
    found = search.search(boards, view, rules)
    return process_time() - start, found


@pytest.mark.parametrize("depth", FLOORS)
@pytest.mark.parametrize("caution", [0.0, 1.0, 0.3], ids=["overconfident", "paranoid", "mixed"])
def test_boards_in_thirty_seconds(middle, depth, caution):
    rules, boards, view = middle
    some = boards.select(np.arange(min(len(boards), BOARDS[depth])))
    took, found = timed(BoardSearch(depth, caution), some, view, rules)
    reached = found.worlds_searched / took * SECONDS
    print(f"\ndepth {depth}, {len(view.tries)} tries: {reached:,.0f} boards in {SECONDS} s, ", end="")
    print(f"{found.stats.leaves / took / 1e6:.1f} million leaves a second (paper: {PUBLISHED[depth]} boards)", end="")
    assert reached >= FLOORS[depth]


def test_kernel_and_generic_search(middle):
    rules, boards, view = middle
    few = boards.select(np.arange(min(len(boards), 20)))
    plain = WeightedBoards.of(list(few), kernel=False).select(np.arange(len(few)), few.weights)
    took, found = min((timed(BoardSearch(1), few, view, rules) for _ in range(20)), key=lambda one: one[0])
    generic, expected = timed(BoardSearch(1), plain, view, rules)
    assert found.values == pytest.approx(expected.values, rel=1e-9)
    print(f"\ndepth 1: {1e6 * took / len(few):.0f} us a board, generic search {generic / took:.0f} times that", end="")
    assert generic / took >= FASTER
