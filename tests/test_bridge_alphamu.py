"""alpha-mu at the bridge table: the compiled search and the readable one, PIMC at one end and the exact answer at the
other, and nothing but the view and the worlds in between."""

from itertools import product
from random import Random

import pytest

from worldwise.core.result import NO_LIMIT, Limit
from worldwise.engines.alphamu import BridgeAlphaMu, _choices, _readable
from worldwise.engines.pimc import Pimc, Solvers
from worldwise.errors import InputError
from worldwise.games.bridge.contract import Contract, Strain
from worldwise.games.bridge.deal import PACK, Deal, Seat, cards_in, read_card, set_of
from worldwise.games.bridge.deal_game import DealGame
from worldwise.games.bridge.goal import Aim, Goal
from worldwise.games.bridge.play import Play
from worldwise.games.bridge.sampler import Layouts
from worldwise.games.bridge.view import view_of
from worldwise.search.exact import Exact
from worldwise.testing import check_world_game


def ending(rng, size, worlds, aim):
    """Declarer's view of a random ending after some cards, some layouts, and what he plays for."""
    pack = rng.sample(list(cards_in(PACK)), 4 * size)
    deal = Deal(tuple(set_of(pack[place : place + size]) for place in range(0, 4 * size, size)))
    contract = Contract(1, rng.choice(list(Strain)), rng.choice([Seat.SOUTH, Seat.EAST]))
    play = Play(deal, contract)
    for _ in range(rng.choice([1, 3, 5])):
        play = play.then(rng.choice(list(cards_in(play.position.legal))))
    while play.turn != contract.declarer:
        play = play.then(rng.choice(list(cards_in(play.position.legal))))
    view = view_of(play, contract.declarer)
    return view, Layouts(view).sample_different(rng, worlds), Goal(aim, contract, contract.declarer, tricks=size)


def endings(seed, number, size, worlds=6):
    rng = Random(seed)
    for _ in range(number):
        view, layouts, goal = ending(rng, size, worlds, rng.choice([Aim.TRICKS, Aim.SCORE]))
        yield view, layouts, goal


def in_python(how, view, worlds, goal):
    """The readable search."""
    game = DealGame(view, tuple(worlds), goal)
    return how._searched(
        game, _readable(how, game, Solvers(view.contract.strain), NO_LIMIT), NO_LIMIT, _choices(game, None)
    )


@pytest.mark.parametrize("depth", [1, 2, 3])
def test_compiled_as_the_readable_search(needs_kernels, depth):
    """The same fronts, the same cuts, the same nodes."""
    for view, worlds, goal in endings(depth, 12, 4):
        how = BridgeAlphaMu(depth)
        compiled, readable = how.evaluate(view, worlds, goal=goal), in_python(how, view, worlds, goal)
        assert compiled == readable
        assert (compiled.stats.nodes, compiled.stats.leaves) == (readable.stats.nodes, readable.stats.leaves)


def test_all_switches_one_value(needs_kernels):
    """The 32 subsets of the five switches: the same value of the root, and of the best card."""
    for view, worlds, goal in endings(7, 60, 5):
        for depth in 2, 3:
            plain = BridgeAlphaMu(depth, Aim.MAKE, 1, *[False] * 5).evaluate(view, worlds, goal=goal)
            for switches in product([False, True], repeat=5):
                found = BridgeAlphaMu(depth, Aim.MAKE, 1, *switches).evaluate(view, worlds, goal=goal)
                assert max(found.averages) == max(plain.averages), switches
                assert found.values[found.best] == max(plain.averages), switches


def test_one_move_ahead_is_pimc(kernels):
    """Card by card, for every goal."""
    for view, worlds, goal in endings(3, 25, 4):
        pimc = Pimc().evaluate(view, worlds, goal=goal)
        found = BridgeAlphaMu(1).evaluate(view, worlds, goal=goal)
        assert found.choices == pimc.choices
        assert found.averages == pytest.approx(pimc.averages)
        assert found.pimc == pytest.approx(pimc.averages)


def test_deeper_is_never_worth_more_and_in_the_end_exact(needs_kernels):
    """The exact search of possible-world games over the same worlds is the last word."""
    for view, worlds, goal in endings(5, 25, 3, worlds=5):
        game = DealGame(view, tuple(worlds), goal)
        values = [max(BridgeAlphaMu(depth).evaluate(view, worlds, goal=goal).averages) for depth in range(1, 8)]
        assert values == sorted(values, reverse=True)
        assert values[-1] == pytest.approx(Exact("fronts").search(game).value)


def test_contracts_are_made_or_not(needs_kernels):
    """Whole deals in miniature: 1NT with all thirteen cards, from the sixth trick on."""
    rng = Random(11)
    play = Play(Deal.random(rng), Contract.read("1NT by S"))
    while len(play.cards) < 29 or play.turn != Seat.SOUTH:
        play = play.then(rng.choice(list(cards_in(play.position.legal))))
    view = view_of(play, Seat.SOUTH)
    worlds = Layouts(view).sample_different(rng, 12)
    how = BridgeAlphaMu(3)
    goal = Goal(Aim.MAKE, play.contract, Seat.SOUTH)
    assert how.evaluate(view, worlds) == in_python(how, view, worlds, goal)


def test_it_is_a_game_like_any_other():
    for view, worlds, goal in endings(2, 3, 3, worlds=4):
        check_world_game(DealGame(view, tuple(worlds), goal))


def test_only_the_view_and_the_worlds_count(kernels):
    """The hidden cards of the true deal are exchanged: nothing changes."""
    rng = Random(4)
    view, worlds, goal = ending(rng, 4, 5, Aim.TRICKS)
    other = view_of(Play(worlds[-1], view.contract, view.played), view.seat)
    assert other == view
    assert BridgeAlphaMu(2).evaluate(other, worlds, goal=goal) == BridgeAlphaMu(2).evaluate(view, worlds, goal=goal)


def test_threads_change_nothing(needs_kernels):
    for view, worlds, goal in endings(9, 6, 6, worlds=20):
        one = BridgeAlphaMu(2).evaluate(view, worlds, goal=goal)
        two = BridgeAlphaMu(2, threads=2).evaluate(view, worlds, goal=goal)
        assert one == two
        assert one.stats.nodes == two.stats.nodes


def test_a_world_may_come_twice(needs_kernels):
    """And be solved by two threads at a time."""
    view, worlds, goal = ending(Random(12), 6, 10, Aim.TRICKS)
    twice = [world for world in worlds for _ in range(2)]
    once = BridgeAlphaMu(2).evaluate(view, worlds, goal=goal)
    assert BridgeAlphaMu(2, threads=3).evaluate(view, twice, goal=goal).averages == pytest.approx(once.averages)
    assert Pimc(threads=3).evaluate(view, twice, goal=goal).averages == pytest.approx(once.pimc)


def test_the_search_is_pinned(needs_kernels):
    """Deterministic counts: a change of the search shows here first."""
    counts = []
    for view, worlds, goal in endings(1, 5, 5, worlds=10):
        found = BridgeAlphaMu(3).evaluate(view, worlds, goal=goal)
        counts.append((found.stats.nodes, found.stats.leaves, found.stats.cuts))
    assert counts == PINNED


PINNED = [(112, 63, 53), (168, 95, 87), (61, 40, 37), (49, 26, 28), (29, 18, 21)]


def test_a_limit_leaves_the_best_so_far(needs_kernels):
    view, worlds, goal = ending(Random(6), 6, 10, Aim.TRICKS)
    whole = BridgeAlphaMu(3).evaluate(view, worlds, goal=goal)
    part = BridgeAlphaMu(3).evaluate(view, worlds, Limit(nodes=whole.stats.nodes - 1), goal=goal)
    assert whole.complete
    assert not part.complete
    assert part.depth < 3
    assert part.choices == whole.choices


def test_a_limit_holds_where_fronts_explode(needs_kernels):
    """Four cards each, all 70 layouts: few nodes, but fronts whose meets would take hours if nobody watched them."""
    play = Play(Deal.read("N:KJ4.6..2 Q98.Q..3 AT3.A..A 765.J..4"), Contract(1, Strain.NOTRUMP, Seat.SOUTH))
    for name in ("C4", "C2", "C3", "CA"):
        play = play.then(read_card(name))
    view = view_of(play, Seat.SOUTH)
    worlds = Layouts(view).sample_different(Random(1), 70)
    goal = Goal(Aim.TRICKS, view.contract, Seat.SOUTH, tricks=5)
    found = BridgeAlphaMu(8).evaluate(view, worlds, Limit(nodes=3_000), goal=goal)
    assert not found.complete
    assert found.best in cards_in(play.position.legal)


def test_it_plays_for_declarer(kernels):
    rng = Random(1)
    play = Play(Deal.random(rng), Contract.read("3NT by S"))
    with pytest.raises(InputError, match="expected declarer's view once dummy is faced, found West's"):
        BridgeAlphaMu(2).evaluate(view_of(play, Seat.WEST), [play.deal])
    with pytest.raises(InputError, match="expected South to be on turn"):
        BridgeAlphaMu(2).evaluate(view_of(play, Seat.SOUTH), [play.deal])
