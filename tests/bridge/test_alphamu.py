"""alpha-mu at the bridge table: the compiled search and the readable one, PIMC at one end and the exact answer at the
other, and nothing but the view and the worlds in between."""

from collections import Counter
from dataclasses import replace
from random import Random

import pytest

from doubtful_contracts import ALL_ON, SWITCHES, Situation, contested, in_doubt
from worldwise.bridge.layouts.sampler import Layouts
from worldwise.bridge.rules.contract import Contract, Strain
from worldwise.bridge.rules.deal import PACK, Deal, Seat, cards_in, read_card, set_of
from worldwise.bridge.rules.goal import Aim, Goal
from worldwise.bridge.rules.play import Play
from worldwise.bridge.rules.view import view_of
from worldwise.bridge.solvers.alphamu import COUNTED, BridgeAlphaMu, _readable_walk
from worldwise.bridge.solvers.deal_game import DealGame
from worldwise.bridge.solvers.pimc import Pimc, SolverCache
from worldwise.core.result import NO_LIMIT, Limit
from worldwise.errors import InputError, LimitReachedError
from worldwise.search.alphamu_root import Root, ValueKind
from worldwise.search.exact import Exact
from worldwise.testing import check_world_game

CUT_SHORT = (9, 14, 21, 51, 54)
"""Contested situations whose searches are cut short."""

PINNED = {
    9: ((763, 440, 3, 2, 24, 239, 3, 17, 2), (7143, 4127, 9, 6, 1184, 2248, 9, 27, 0)),
    14: ((1066, 626, 0, 4, 172, 318, 0, 5, 2), (1445, 841, 10, 6, 221, 409, 8, 10, 0)),
    19: ((2068, 1032, 2, 0, 328, 797, 2, 18, 2), (9550, 4710, 10, 0, 1640, 3765, 10, 10, 0)),
    20: ((2978, 1701, 0, 0, 561, 945, 0, 2, 3), (9735, 5634, 13, 0, 1900, 3052, 13, 11, 0)),
    21: ((390, 227, 4, 6, 10, 95, 4, 5, 2), (498, 285, 4, 6, 16, 130, 4, 5, 0)),
    51: ((288, 162, 27, 0, 14, 63, 27, 4, 2), (1614, 995, 82, 3, 225, 318, 82, 18, 0)),
    54: ((542, 340, 32, 1, 34, 111, 32, 3, 1), (542, 340, 32, 1, 34, 111, 32, 3, 0)),
}
"""Counts by situation, to decide and to compare."""


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
    return how._search(game, _readable_walk(how, game, SolverCache(view.contract.strain), NO_LIMIT), NO_LIMIT)


@pytest.mark.parametrize("depth", [1, 2, 3])
def test_compiled_as_the_readable_search(needs_kernels, depth):
    """The same fronts, the same cuts, the same nodes."""
    for view, worlds, goal in endings(depth, 12, 4):
        how = BridgeAlphaMu(depth)
        compiled, readable = how.evaluate(view, worlds, goal=goal), in_python(how, view, worlds, goal)
        assert compiled == readable
        assert (compiled.stats.nodes, compiled.stats.leaves) == (readable.stats.nodes, readable.stats.leaves)


@pytest.mark.parametrize("root", Root)
@pytest.mark.parametrize("score", [True, False])
def test_compiled_as_the_readable_search_in_doubtful_contracts(needs_kernels, root, score):
    """With weights and without, whatever the root is for, and whatever is switched off."""
    rng, nodes = Random(5), 0
    for number in range(20):
        view, layouts, goal = in_doubt(rng, 4 + number % 4, 12, Aim.MAKE)
        weights = [rng.randint(0, 4) + (not world) for world in range(len(layouts))] if number % 2 else None
        asked = Situation(view, layouts, goal, weights, 2 + number % 3)
        for switches in ALL_ON, rng.choice(SWITCHES):
            compiled = asked.searched(root, switches, score=score)
            how, game = (
                asked.how(root, switches, score=score),
                DealGame(view, tuple(layouts), goal, tuple(weights or ())),
            )
            readable = how._search(game, _readable_walk(how, game, asked.solvers, NO_LIMIT), NO_LIMIT)
            assert compiled == readable
            assert replace(compiled.stats, seconds=0) == replace(readable.stats, seconds=0)
            nodes += compiled.stats.nodes
    assert nodes > 5_000


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


def counts_of(found):
    """Nodes, leaves, and every kind of cut."""
    return found.stats.nodes, found.stats.leaves, *(found.cuts.get(name, 0) for name in (*COUNTED, "root"))


@pytest.mark.parametrize("seed", PINNED)
def test_the_search_is_pinned(needs_kernels, seed):
    """Deterministic counts: a change of the search shows here first."""
    asked = contested(seed)
    assert (counts_of(asked.searched(Root.DECIDE)), counts_of(asked.searched(Root.COMPARE))) == PINNED[seed]


def test_every_kind_of_cut_is_pinned():
    for number, name in enumerate(("nodes", "leaves", *COUNTED), start=0):
        assert all(sum(counts[root][number] for counts in PINNED.values()) > 0 for root in (0, 1)), name


@pytest.mark.parametrize(("root", "score"), [(Root.DECIDE, True), (Root.DECIDE, False), (Root.COMPARE, True)])
def test_a_limit_leaves_the_depth_before_or_one_that_settles_it(needs_kernels, root, score):
    """Every number of nodes: what is left is the whole depth before, or the deeper one's own card at its own value.

    Who decides with the score cut skips what can no longer change the choice, so nothing is left to be cut short then.
    """
    seen = Counter()
    for seed in CUT_SHORT:
        asked = contested(seed, depth=3)
        whole = {depth: replace(asked, depth=depth).searched(root, score=score) for depth in (1, 2, 3)}
        most = whole[3].stats.nodes
        for nodes in range(whole[1].stats.nodes + 1, most, max(1, most // 60)):
            part = asked.searched(root, limit=Limit(nodes=nodes), score=score)
            assert part == asked.searched(root, limit=Limit(nodes=nodes), score=score)
            assert not part.complete
            full = whole[part.depth]
            assert part.best == full.best
            assert part.found_of(part.best).value == full.found_of(full.best).value
            kept = part.found == full.found
            seen["before" if kept else "settled"] += 1
            if not kept:
                assert part.found_of(part.best).kind is not ValueKind.BOUND
                assert all(one.value >= other.value for one, other in zip(part.found, full.found, strict=True))
    assert seen["before"] > 0
    assert (seen["settled"] > 0) != (root is Root.DECIDE and score)


def test_a_limit_before_anything_is_seen(needs_kernels):
    with pytest.raises(LimitReachedError):
        contested(5).searched(Root.DECIDE, limit=Limit(nodes=1))


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
