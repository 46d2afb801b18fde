"""How fast our double-dummy solver is, as a ratio to DDS in the same run on the same positions.

``make bench`` prints the figures. Seconds are those of the processor, so that what else runs does not count.
"""

from functools import partial
from random import Random
from statistics import median
from time import process_time

import pytest

from worldwise.bridge.rules.contract import Strain
from worldwise.bridge.rules.deal import PACK, SEATS, Seat, cards_in, set_of
from worldwise.bridge.rules.play import Position
from worldwise.bridge.solvers import double_dummy
from worldwise.bridge.solvers.dds import Dds
from worldwise.bridge.solvers.double_dummy import CompiledDoubleDummy, DdsSolver, can_take
from worldwise.kernels import BUILT

pytestmark = [
    pytest.mark.skipif(not BUILT, reason="the compiled kernels were not built on this machine"),
    pytest.mark.skipif(not double_dummy.dds_found(), reason="no DDS library on this machine (worldwise[bridge])"),
]

FLOORS = {2: 20, 3: 20, 4: 20, 5: 20, 6: 20, 7: 5, 8: 1}
"""How many times faster than DDS a single question must be, by cards a hand."""

SEQUENCE = 3
"""How many times faster 200 related questions about a deal must be."""


def random_position(rng, size):
    """An ending of so many cards a hand, with no to three cards on the table, and a target worth asking about."""
    pack = rng.sample(list(cards_in(PACK)), 4 * size)
    hands = tuple(set_of(pack[place : place + size]) for place in range(0, 4 * size, size))
    position = Position(hands, rng.choice(list(Strain)), rng.choice(SEATS))
    for _ in range(rng.randrange(4)):
        position = position.play(rng.choice(list(cards_in(position.legal))))
    return position, rng.randint(1, size) if size < 4 else size // 2 + rng.randint(-1, 1)


def related(root, most=200):
    """A position, its children, their children and so on, as a search asks for them."""
    positions = [root]
    for position in positions:
        room = most - len(positions)
        positions += [position.play(card) for card in list(cards_in(position.legal))[:room]]
        if len(positions) == most:
            return positions
    return positions


def seconds(work):
    start = process_time()
    answer = work()
    return process_time() - start, answer


@pytest.mark.parametrize("size", range(2, 14))
def test_a_single_question(size):
    rng, dds = Random(size), Dds()
    asked = [random_position(rng, size) for _ in range(1500 if size < 9 else 150)]
    for position, target in asked[:20]:
        can_take(position, target)
    kernel = [CompiledDoubleDummy(position.dealt, position.trumps) for position, _ in asked]
    ours, found = seconds(lambda: [can_take(*question) for question in asked])
    if size >= double_dummy.FRESH:  # who answers sooner is to be seen, so ask the solver itself
        ours, found = seconds(
            lambda: [solver.can_take(*question) for solver, question in zip(kernel, asked, strict=True)]
        )
    theirs, expected = seconds(lambda: [dds.can_take(*question) for question in asked])
    assert found == expected
    each = 1e6 / len(asked)
    print(f"\n{size} cards: {ours * each:.1f} us, DDS {theirs * each:.1f} us, ratio {theirs / ours:.1f}", end="")
    assert theirs / ours >= FLOORS.get(size, 0)


def related_questions(rng):
    """Of a deal: 200 positions, and how many tricks North and South are to take."""
    pack = rng.sample(list(cards_in(PACK)), 52)
    hands = tuple(set_of(pack[place : place + 13]) for place in range(0, 52, 13))
    root = Position(hands, rng.choice([Strain.NOTRUMP, *Strain]), Seat.WEST)
    return related(root), rng.randint(5, 9)


def asked_of_us(positions, target):
    solver = CompiledDoubleDummy(positions[0].hands, positions[0].trumps)
    return solver.can_take_all(positions, [target] * len(positions), Seat.NORTH)


def asked_of_dds(positions, target):
    solver = DdsSolver()
    return [solver.can_take(position, target, Seat.NORTH) for position in positions]


def test_two_hundred_related_questions():
    """Deals one after another; the ratio of the sums and the median ratio of a deal."""
    rng, spent = Random(1), []
    for _ in range(40):
        question = related_questions(rng)
        ours, found = seconds(partial(asked_of_us, *question))
        theirs, expected = seconds(partial(asked_of_dds, *question))
        assert found == expected
        spent.append((ours, theirs))
    our_sum, their_sum = map(sum, zip(*spent, strict=True))
    typical = median(theirs / ours for ours, theirs in spent)
    print(f"\n200 related questions: {25 * our_sum:.1f} ms a deal, DDS {25 * their_sum:.1f} ms, ", end="")
    print(f"ratio {their_sum / our_sum:.1f}, of the median deal {typical:.1f}", end="")
    assert their_sum / our_sum >= SEQUENCE
