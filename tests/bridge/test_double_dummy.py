"""Our double-dummy solver against DDS, against plain Python, and against itself with and without its memory."""

import random

import pytest

from worldwise.bridge.rules.contract import Strain
from worldwise.bridge.rules.deal import PACK, SEATS, Seat, cards_in, set_of
from worldwise.bridge.rules.play import Position
from worldwise.bridge.solvers import double_dummy, readable_double_dummy
from worldwise.bridge.solvers.dds import Dds
from worldwise.bridge.solvers.double_dummy import CompiledDoubleDummy, DdsSolver, DoubleDummySolver, ReadableDoubleDummy
from worldwise.core.result import Limit
from worldwise.errors import InputError, LimitReachedError
from worldwise.kernels import SWITCH

needs_dds = pytest.mark.skipif(
    not double_dummy.dds_found(), reason="no DDS library on this machine (worldwise[bridge])"
)


def random_position(rng: random.Random, size: int, played: int | None = None) -> Position:
    """A random ending of so many cards a hand, some of the trick being on the table."""
    pack = list(cards_in(PACK))
    rng.shuffle(pack)
    hands = [set_of(pack[place * size : (place + 1) * size]) for place in range(4)]
    position = Position(tuple(hands), rng.choice(list(Strain)), rng.choice(SEATS))
    for _ in range(rng.randrange(4) if played is None else played):
        position = position.play(rng.choice(list(cards_in(position.legal))))
    return position


def solver_of(position: Position, entries: int = double_dummy.ENTRIES) -> CompiledDoubleDummy:
    return CompiledDoubleDummy(position.dealt, position.trumps, entries)


@needs_dds
@pytest.mark.parametrize("size", range(1, 14))
def test_as_dds_says(needs_kernels, size):
    """5,000 random positions in all, every strain, the trick on the table included."""
    rng, dds = random.Random(size), Dds()
    for _ in range(450 if size < 11 else 170):
        position = random_position(rng, size)
        if size < 10:
            assert solver_of(position).tricks(position) == dds.tricks(position), position
        else:
            target = size // 2 + rng.choice((-1, 0, 1))
            assert solver_of(position).can_take(position, target) == dds.can_take(position, target), position


@pytest.mark.parametrize("size", [1, 2, 3, 4])
def test_as_plain_python_says(needs_kernels, size):
    rng = random.Random(size)
    for _ in range(60):
        position = random_position(rng, size)
        solver = solver_of(position)
        assert solver.tricks(position) == readable_double_dummy.tricks(position), position
        assert double_dummy.card_tricks(solver, position) == readable_double_dummy.cards(position), position


@pytest.mark.parametrize("entries", [double_dummy.ENTRIES, 8])
def test_memory_changes_no_answer(needs_kernels, entries):
    """One solver asked about a whole game, every position and target, says what fresh ones say; so does one that
    keeps forgetting."""
    rng = random.Random(entries)
    for _ in range(6):
        position = random_position(rng, 7, played=0)
        kept = solver_of(position, entries)
        while not position.over:
            for target in range(position.tricks_left + 2):
                assert kept.can_take(position, target) == solver_of(position).can_take(position, target)
            position = position.play(rng.choice(list(cards_in(position.legal))))
        assert kept.entries <= entries


def both_sides(solver: DoubleDummySolver, position: Position) -> list[object]:
    """What a solver says about a position in every form."""
    answers: list[object] = [solver.tricks(position, seat) for seat in SEATS]
    answers += [solver.can_take(position, target, seat) for target in range(6) for seat in SEATS]
    answers.append(solver.can_take_all([position] * 2, [1, 2], Seat.EAST))
    return [*answers, double_dummy.card_tricks(solver, position)]


@pytest.mark.parametrize(
    "kind",
    [
        ReadableDoubleDummy,
        pytest.param(DdsSolver, marks=needs_dds),
        pytest.param(CompiledDoubleDummy, id="CompiledDoubleDummy"),
    ],
)
def test_three_kinds_one_answer(kind, request):
    if kind is CompiledDoubleDummy:
        request.getfixturevalue("needs_kernels")
    rng = random.Random(3)
    for _ in range(12):
        position = random_position(rng, 4)
        solver = solver_of(position) if kind is CompiledDoubleDummy else kind()
        tricks = readable_double_dummy.tricks(position)
        assert solver.tricks(position) == tricks
        assert both_sides(solver, position) == both_sides(ReadableDoubleDummy(), position)


def test_without_kernels_the_answers_are_the_same(monkeypatch):
    position = random_position(random.Random(1), 4)
    expected = double_dummy.tricks(position)
    monkeypatch.setenv(SWITCH, "off")
    assert double_dummy.tricks(position) == expected
    assert isinstance(double_dummy.double_dummy(position.hands, position.trumps), DdsSolver | ReadableDoubleDummy)
    monkeypatch.setattr(double_dummy, "dds_found", lambda: False)
    assert double_dummy.tricks(position) == expected
    assert double_dummy.can_take(position, expected)
    assert not double_dummy.can_take(position, expected + 1)


def test_limits_are_honoured(needs_kernels):
    position = random_position(random.Random(8), 13, played=0)
    with pytest.raises(LimitReachedError, match="double dummy found no answer within 10 nodes"):
        solver_of(position).tricks_of_all([position], Seat.NORTH, Limit(nodes=10))


def test_positions_of_another_deal_are_refused(needs_kernels):
    here, there = random_position(random.Random(1), 5, 0), random_position(random.Random(2), 5, 0)
    with pytest.raises(InputError, match="expected a position of the deal"):
        solver_of(here).tricks(there)


def test_the_search_is_pinned(needs_kernels):
    """Deterministic node counts: a change of the search shows here first."""
    counts = []
    for size in 4, 6, 8, 10:
        position = random_position(random.Random(size), size, played=0)
        solver = solver_of(position)
        counts.append((solver.tricks(position, Seat.NORTH), solver.nodes))
    assert counts == PINNED


PINNED = [(2, 27), (4, 50), (5, 526), (5, 1610)]
"""For endings of 4, 6, 8 and 10 cards: tricks of North and South, and tricks begun to find that out."""
