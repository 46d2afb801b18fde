"""Every search keeps to its limit, compiled or not, and says whether it was cut short."""

from contextlib import suppress
from itertools import pairwise
from time import process_time

import numpy as np
import pytest

from own_games import MiniWhist
from whist import KeyedWhist, Seen, Whist
from worldwise import ALGORITHMS, AlphaMu, Exact, Limit, MonteCarlo, VectorMinimax, algorithm, judge, random_tree, solve
from worldwise.core.front import COMPARISONS_PER_LOOK, Front, drop_dominated
from worldwise.core.result import Clock
from worldwise.core.worlds import OpenWorlds
from worldwise.errors import InputError, LimitReachedError
from worldwise.extensive import write_out
from worldwise.extensive.conversions import GameForm
from worldwise.search import BruteForce, ExtensiveBruteForce, PureEquilibrium
from worldwise.search.backup import passes
from worldwise.search.equilibrium import deviation
from worldwise.search.exact import best_outcome
from worldwise.search.face_up import Solved
from worldwise.search.profiles import complete_profile
from worldwise.search.random_ties import FIRST
from worldwise.search.strategy import strategies
from worldwise.testing import check_world_game
from worldwise.trees.compiled import CompiledTree

TREE = random_tree(9, 6, seed=3, similarity=0.8)
ITERATED = [name for name in ALGORITHMS if name.startswith("i")]


def outcome(search, game, limit):
    """What a search answers within a limit, or what it says instead."""
    try:
        result = search.search(game, limit)
    except LimitReachedError as error:
        return str(error)
    return result.value, result.move, dict(result.strategy), result.stats, result.complete


def seconds_taken(call):
    """Seconds of work in a call, whether or not it has an answer: those of the processor, less than a clock's if others
    work too."""
    start = process_time()
    with suppress(LimitReachedError):
        call()
    return process_time() - start


# ---------------------------------------------------------------------- the algorithms of FB01


@pytest.mark.parametrize("name", ALGORITHMS)
@pytest.mark.parametrize("limit", [Limit(nodes=10), Limit(nodes=0), Limit(seconds=0), Limit(seconds=-1)], ids=str)
def test_no_answer_within_a_short_limit(kernels, name, limit):
    with pytest.raises(LimitReachedError, match=rf"{name}( search)? found no answer within {limit}"):
        solve(TREE, name, limit=limit)


@pytest.mark.parametrize("name", ALGORITHMS)
def test_the_whole_answer_within_a_limit_that_suffices(kernels, name):
    whole = solve(TREE, name)
    enough = solve(TREE, name, limit=Limit(nodes=whole.stats.nodes + 1, seconds=600))
    assert enough == whole
    assert enough.complete


@pytest.mark.parametrize("name", ALGORITHMS)
def test_one_node_too_few(kernels, name):
    whole = solve(TREE, name)
    short = Limit(nodes=whole.stats.nodes)
    if name not in ITERATED:
        with pytest.raises(LimitReachedError):
            solve(TREE, name, limit=short)
        return
    result = solve(TREE, name, limit=short)
    assert not result.complete
    assert result.stats.nodes < whole.stats.nodes
    assert result.value <= whole.value


@pytest.mark.parametrize("name", ALGORITHMS)
def test_both_engines_stop_at_the_same_node(needs_kernels, name):
    for nodes in range(1, 9 * len(TREE), len(TREE) // 5):
        search, limit = algorithm(name), Limit(nodes=nodes)
        assert outcome(search, TREE, limit) == outcome(search, CompiledTree(TREE), limit)


@pytest.mark.parametrize("name", ALGORITHMS)
def test_seconds_hold_in_any_game(name):
    game = Whist(6)
    assert seconds_taken(lambda: solve(game, name, limit=Limit(seconds=0.2))) < 2.2


@pytest.mark.parametrize("name", ALGORITHMS)
def test_nodes_hold_in_any_game(name):
    game = Whist(6)
    with pytest.raises(LimitReachedError):
        solve(game, name, limit=Limit(nodes=1000))
    assert game.plays < 1000


def is_cut_short(search, tree, limit):
    try:
        return not search.search(tree, limit).complete
    except LimitReachedError:
        return True


@pytest.mark.parametrize("name", ALGORITHMS)
def test_seconds_hold_in_the_midst_of_a_compiled_pass(needs_kernels, name):
    """The first look at the clock is not the last: a part of the time is too little, though enough to begin.

    How small a part is another matter: of vm-alphabeta's time the pass itself takes only a quarter."""
    tree = CompiledTree(random_tree(18, 10, seed=1))
    whole = min(seconds_taken(lambda: algorithm(name).search(tree)) for _ in range(4))
    assert any(is_cut_short(algorithm(name), tree, Limit(seconds=whole / part)) for part in range(3, 23))


def test_an_iterated_search_counts_all_its_passes(kernels):
    """The worlds' values, then a guess: what is left after two passes is too little for a third."""
    limit = Limit(nodes=3 * len(TREE))
    result = solve(TREE, "ivm", limit=limit)
    assert (result.complete, result.stats.nodes) == (False, 2 * len(TREE))
    with pytest.raises(LimitReachedError, match="ivm found no answer"):
        solve(TREE, "ivm", limit=Limit(nodes=2 * len(TREE)))


def test_a_less_knowing_defender_is_no_excuse():
    """Which worlds a move is open in is looked up under the same clock."""
    game = Whist(6)
    assert seconds_taken(lambda: solve(game, "exact", known=[0, 1], limit=Limit(seconds=0.2))) < 2.2
    with pytest.raises(LimitReachedError, match="the exact search found no answer within 100 nodes"):
        solve(game, "exact", known=[0, 1], limit=Limit(nodes=100))


def rich_tree():
    """Payoffs from 0 to 99 in 60 worlds: hardly any outcome dominates another."""
    tree = random_tree(7, 60, seed=1)
    payoffs = np.random.default_rng(1).integers(0, 100, (tree.leaves, tree.worlds)).astype(float)
    return tree.with_payoffs(payoffs, tree.weights)


@pytest.mark.parametrize("method", ["fronts", "auto"])
def test_the_exact_search_looks_up_from_large_fronts(kernels, method):
    tree = rich_tree()
    assert seconds_taken(lambda: solve(tree, Exact(method), limit=Limit(seconds=0.3))) < 2.3


# ---------------------------------------------------------------------- trying everything


def test_brute_force_is_any_time():
    tree = random_tree(4, 3, seed=1)
    everything = BruteForce().search(tree)
    assert everything.complete
    some = BruteForce().search(tree, Limit(nodes=5))
    assert (some.complete, some.stats.nodes, some.front) == (False, 4, None)
    assert some.value <= everything.value
    with pytest.raises(LimitReachedError, match="brute-force found no answer within 1 nodes"):
        BruteForce().search(tree, Limit(nodes=1))


def test_brute_force_keeps_to_its_seconds():
    """Of so deep a tree not even the first strategy can be listed."""
    tree = random_tree(12, 3, seed=1)
    assert seconds_taken(lambda: BruteForce().search(tree, Limit(seconds=0.2))) < 2.2
    with pytest.raises(LimitReachedError):
        next(strategies(tree, Clock(Limit(seconds=0.1)).check))


# ---------------------------------------------------------------------- side by side


def test_what_has_no_answer_has_no_row(kernels):
    whole = solve(TREE, "vm-alphabeta").stats.nodes
    assert whole + 1 < len(TREE)  # it prunes
    verdicts = judge(TREE, limit=Limit(nodes=whole + 1))
    assert [verdict.result.algorithm for verdict in verdicts] == ["vm-alphabeta"]
    assert (verdicts[0].optimal, verdicts[0].failure) == (None, None)


def test_no_row_at_all_is_an_error(kernels):
    with pytest.raises(LimitReachedError, match="vm-alphabeta found no answer within 10 nodes"):
        judge(TREE, ["vector-mm", "vm-alphabeta"], limit=Limit(nodes=10))


# ---------------------------------------------------------------------- alpha-mu


def test_whist_is_a_game():
    check_world_game(Whist(2))
    check_world_game(KeyedWhist(3), most_positions=1000)


@pytest.mark.parametrize("game", [Whist(6), KeyedWhist(6)], ids=["whist", "with keys"])
def test_alpha_mu_keeps_to_its_seconds(game):
    """Neither which worlds are open nor what they are worth is found out before the clock starts."""
    assert seconds_taken(lambda: AlphaMu(1).search(game, Limit(seconds=1))) < 3


def test_alpha_mu_keeps_to_its_nodes():
    game = Whist(6)
    for _ in range(2):
        before = game.plays
        with pytest.raises(LimitReachedError, match="alpha-mu-1 found no answer within 1000 nodes"):
            AlphaMu(1).search(game, Limit(nodes=1000))
        assert game.plays - before < 1000


def test_alpha_mu_stopped_twice_at_a_node_answers_twice_the_same():
    whole = AlphaMu(3).search(Whist(3))
    first = AlphaMu(1).search(Whist(3)).stats.nodes
    for nodes in np.linspace(first + 1, whole.stats.nodes, 5, dtype=int).tolist():
        one, two = (AlphaMu(3).search(Whist(3), Limit(nodes=nodes)) for _ in range(2))
        assert one == two
        assert not one.complete
        assert one.stats.nodes <= nodes
        assert set(one.fronts) == set(whole.fronts)


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("depth", [1, 2, 4])
def test_how_a_position_is_seen_changes_no_answer(seed, depth):
    """Solved without keys or with them, or world by world."""
    game, keyed = Whist(3, seed), KeyedWhist(3, seed)
    found = solve(game, AlphaMu(depth), face_up=Seen(game))
    for other in AlphaMu(depth).search(game), AlphaMu(depth).search(keyed):
        assert (other.value, other.move, other.front, other.fronts) == (
            found.value,
            found.move,
            found.front,
            found.fronts,
        )
    assert AlphaMu(depth).search(keyed).stats.nodes < AlphaMu(depth).search(game).stats.nodes


def test_open_worlds_are_those_the_rules_leave():
    game = Whist(3)
    found, ahead = OpenWorlds(game), [game.root]
    while ahead:
        position = ahead.pop()
        assert found.at(position) == Solved(game).open(position) == position.open
        ahead += [game.play(position, move) for move in game.moves(position)[:2]] if game.to_move(position) else []


def test_an_evaluation_of_ones_own_makes_large_games_small():
    game = Whist(5)
    result = solve(game, AlphaMu(2), face_up=Seen(game), limit=Limit(seconds=60))
    assert result.complete
    assert result.stats.nodes < 100


@pytest.mark.parametrize("search", ["vector-mm", "exact", MonteCarlo(), VectorMinimax(iterate=True)], ids=str)
@pytest.mark.parametrize("known", [None, [0]])
def test_only_alpha_mu_asks_for_an_evaluation(search, known):
    game = Whist(2)
    with pytest.raises(InputError, match=r"face_up goes with alpha-mu, such as AlphaMu\(3\), found "):
        solve(game, search, face_up=Seen(game), known=known)


class Counted:
    """An outcome no better than any other; it counts how often two are compared."""

    compared = 0

    def __init__(self, number):
        self.number = number

    def __and__(self, other):
        Counted.compared += 1
        return

    def height(self):
        return self.number


def test_large_fronts_look_at_the_clock_after_so_many_comparisons():
    """Not after so many outcomes: each is compared with all that are kept, which may be a hundred thousand."""
    looks = []
    drop_dominated([Counted(number) for number in range(2000)], lambda: looks.append(Counted.compared))
    assert max(later - earlier for earlier, later in pairwise(looks)) <= COMPARISONS_PER_LOOK + 2000
    assert Counted.compared - looks[-1] <= COMPARISONS_PER_LOOK + 2000


def test_the_choice_from_a_large_front_looks_at_the_clock():
    """After a search has its front, weighing thousands of outcomes bit by bit may take far longer than the search."""
    tree = random_tree(2, 20)
    front = Front.of_undominated(range(1000))
    looks = []
    best_outcome(passes(tree), front, FIRST, lambda: looks.append(1))
    assert len(looks) >= 100


# ---------------------------------------------------------------------- games in extensive form


def whist_form(ranks=4):
    rules = MiniWhist(2, 3, ranks)
    return GameForm(rules, rules.players)


def test_a_tree_is_written_out_within_its_limit():
    """Before any algorithm begins, and so with a part of its time."""
    assert seconds_taken(lambda: write_out(whist_form(), limit=Limit(seconds=0.2))) < 1
    with pytest.raises(LimitReachedError, match="writing out the tree found no answer within 100 nodes"):
        write_out(whist_form(), limit=Limit(nodes=100))


def test_the_first_of_all_strategies_is_listed_within_the_limit():
    """A strategy for so many hands takes longer than the limit, before it can be judged."""
    assert seconds_taken(lambda: ExtensiveBruteForce().search(whist_form(), Limit(seconds=0.2))) < 1


def test_a_limit_is_for_all_players_who_may_deviate_together():
    form = whist_form()
    profile = complete_profile(form, {})
    assert seconds_taken(lambda: deviation(form, profile, Limit(seconds=0))) < 2
    with pytest.raises(LimitReachedError):
        deviation(form, profile, Limit(nodes=10))


def test_an_equilibrium_is_not_looked_for_beyond_the_limit():
    """Writing the game down for the search takes longer than the limit here."""
    form = whist_form(ranks=6)
    assert seconds_taken(lambda: PureEquilibrium().search(form, Limit(seconds=0.2))) < 2
    assert PureEquilibrium().search(form, Limit(seconds=0)).answer == "unknown"
    assert not PureEquilibrium().list_all(form, Limit(seconds=0)).complete
