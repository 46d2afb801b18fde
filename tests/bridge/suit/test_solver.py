"""A single suit at bridge: the published values, the definition, and the kernel's twin."""

from fractions import Fraction
from functools import cache
from itertools import pairwise, product
from math import inf
from random import Random
from time import process_time

import pytest

import oracle
from suits import some_suit
from worldwise.bridge.rules.cards import RANKS, read_holdings
from worldwise.bridge.suit.rules import FREE, Suit, SuitGame
from worldwise.bridge.suit.solver import CompiledFronts, ReadableFronts, SuitSolver
from worldwise.catalog import suit_facts
from worldwise.core.game import Side
from worldwise.core.result import Limit
from worldwise.errors import InputError, LimitReachedError
from worldwise.search.exact import Exact
from worldwise.search.strategy import strategies
from worldwise.testing import check_world_game
from worldwise.trees import unroll
from worldwise.trees.solving import solve


@cache
def solver(north, south):
    return SuitSolver(Suit.of(north, south))


def small_suit(rng):
    """Up to seven cards of declarer's and five of the defenders', any ranks; the others are gone."""
    cards = rng.sample(RANKS, 13)
    north, south, missing = rng.randint(2, 4), rng.randint(1, 3), rng.randint(3, 5)
    hands = cards[:north], cards[north : north + south], cards[north + south + missing :]
    return Suit.of("".join(hands[0]), "".join(hands[1]), gone="".join(hands[2]) or "-")


# ---------------------------------------------------------------------- published values


@pytest.mark.parametrize("fact", suit_facts(), ids=lambda fact: f"{fact.north}-{fact.south}-{fact.tricks}")
def test_facts(needs_kernels, fact):
    """152 values, each confirmed elsewhere by two independent solvers: chances to 4 decimals of a percent."""
    found = solver(fact.north, fact.south)
    if fact.tricks is None:
        assert float(found.expected.tricks) == pytest.approx(fact.expected_tricks, abs=5.1e-5)
    else:
        assert 100 * float(found.goal(fact.tricks).chance) == pytest.approx(fact.percent, abs=5.1e-5)


def test_fb01_fig_3():
    """Ace, queen opposite the two: 20 worlds; with a king, a low card or none to play, 76 leaves."""
    game = SuitGame(Suit.of("AQ", "2"), lean=False)
    tree = unroll(game)
    assert (tree.worlds, tree.leaves) == (20, 76)
    found = SuitSolver(Suit.of("AQ", "2"))
    table = found.root
    line = found.line(2)
    for move, answers in [("S2", {"WK": "NA", "W3": "NQ"})]:
        assert str(line.play(table)) == move
        after = found.rules.after(table, line.play(table))
        for defence in found.rules.options(after):
            answer = line.play(found.rules.after(after, defence))
            assert str(answer) == answers.get(str(defence), str(answer))


@pytest.mark.parametrize(
    ("north", "south", "tricks", "exact", "monte_carlo"),
    [("QJ98", "32", 2, 0.507267, 0.2893), ("AKQ9", "32", 4, 0.24, 0.0543)],
    ids=["fig-13", "fig-14"],
)
def test_fb01_figs_13_and_14(north, south, tricks, exact, monte_carlo):
    """The paper says 0.51 and 0.289, 0.24 and 0.054."""
    tree = unroll(SuitGame(Suit.of(north, south), tricks))
    assert solve(tree, "exact").value == pytest.approx(exact, abs=1e-6)
    assert float(SuitSolver(Suit.of(north, south)).goal(tricks).chance) == pytest.approx(exact, abs=1e-6)
    assert solve(tree, "monte-carlo").value == pytest.approx(monte_carlo, abs=5e-5)
    # Monte Carlo finds the right first play, a low card from South, and goes wrong later.
    assert str(SuitGame(Suit.of(north, south), tricks).moves(SuitGame(Suit.of(north, south), tricks).root)[-1]) == "S2"


@pytest.mark.parametrize(
    ("north", "south", "tricks", "best", "double_dummy"),
    [
        ("AJ98", "K32", 4, 29.0, 64.7),
        ("AQT98", "5432", 5, 26.6, 50.0),
        ("AT54", "932", 2, 57.5, 76.2),
        ("KJ9", "432", 2, 24.7, 37.5),
        ("AK32", "J98", 3, 78.3, 100),
    ],
)
def test_the_price_of_strategy_fusion(north, south, tricks, best, double_dummy):
    answer = SuitSolver(Suit.of(north, south)).goal(tricks)
    assert 100 * float(answer.chance) == pytest.approx(best, abs=0.05)
    assert 100 * float(answer.double_dummy) == pytest.approx(double_dummy, abs=0.05)


@pytest.mark.parametrize(
    ("north", "south", "tricks", "size"), [("J964", "Q", 1, 1734), ("AJ93", "75", 2, 962), ("Q982", "K64", 2, 824)]
)
def test_exploding_fronts(needs_kernels, north, south, tricks, size):
    found = SuitSolver(Suit.of(north, south))
    assert len(found.front(found.root, tricks)) == size


# ---------------------------------------------------------------------- the definition, exhaustively


def six_cards(top):
    """Every suit of six cards or fewer: each is North's, South's, or a defender's, the top card ``top``'s."""
    for count in range(1, 7):
        ranks = RANKS[-count:]
        for owners in product("NSD", repeat=count):
            if owners[-1] != top:
                continue
            north, south = ("".join(r for r, o in zip(ranks, owners, strict=True) if o == who) for who in "NS")
            if north or south:
                yield Suit.of(north or "-", south or "-", gone=RANKS[:-count] or "-")


def brute_force(tree):
    """The definition: every strategy of declarer's, worth what it wins when every layout is defended at its best."""
    best = 0
    for strategy in strategies(tree):
        won = oracle.best_defence(tree, strategy)
        best = max(best, sum(weight for weight, wins in zip(tree.weights, won, strict=True) if wins))
    return Fraction(best, sum(tree.weights))


def few_strategies(tree, most=25):
    """How many strategies a tree has, as far as ``most``."""
    counts = {}
    for node in range(len(tree) - 1, -1, -1):
        below = [counts[tree.play(node, move)] for move in tree.moves(node)]
        side = tree.to_move(node)
        total = sum(below) if side is Side.MAX else 1
        if side is Side.MIN:
            for count in below:
                total = min(total * count, most + 1)
        counts[node] = min(total, most + 1)
    return counts[0] <= most


@pytest.mark.parametrize("top", "NSD")
def test_every_suit_of_six_cards_exactly(needs_kernels, top):
    """1,092 suits, every goal: the kernel, its Python twin, ``exact`` on the tree, and where feasible brute force."""
    checked = brute = 0
    for suit in six_cards(top):
        quick, slow = SuitSolver(suit, fronts=CompiledFronts), SuitSolver(suit, fronts=ReadableFronts)
        for tricks in range(1, suit.length + 1):
            answer = quick.goal(tricks)
            tree = unroll(SuitGame(suit, tricks, lean=False))
            assert answer == slow.goal(tricks)
            assert float(answer.chance) == pytest.approx(Exact().search(tree).value)
            checked += 1
            if few_strategies(tree):
                assert brute_force(tree) == answer.chance
                brute += 1
    assert checked > 600
    assert brute > 500


@pytest.mark.parametrize("seed", range(4))
def test_random_suits_on_the_tree(needs_kernels, seed):
    """Thirteen-card suits: the kernel against ``exact`` on the whole tree, dominated plays included."""
    rng = Random(seed)
    for _ in range(4):
        suit = some_suit(rng, (1, 3), (1, 1))
        quick = SuitSolver(suit)
        for tricks in range(1, suit.length + 1):
            tree = unroll(SuitGame(suit, tricks, lean=False))
            assert float(quick.goal(tricks).chance) == pytest.approx(solve(tree, "exact").value)


@pytest.mark.parametrize("seed", range(4))
def test_the_kernel_and_its_twin(needs_kernels, seed):
    rng = Random(seed)
    for _ in range(5):
        suit = some_suit(rng, (1, 3), (1, 1))
        entries = (rng.choice([0, 1, 2, inf]), rng.choice([0, 1, 2, inf]))
        quick, slow = (SuitSolver(suit, entries=entries, fronts=fronts) for fronts in (CompiledFronts, ReadableFronts))
        for tricks in range(1, suit.length + 1):
            assert quick.goal(tricks) == slow.goal(tricks)
            assert sorted(quick.front(quick.root, tricks)) == sorted(slow.front(slow.root, tricks))


@pytest.mark.parametrize("seed", range(3))
def test_the_most_tricks_on_average(needs_kernels, seed):
    """With its bounds and its guesses, against the plain search over all outcomes."""
    rng = Random(seed)
    for _ in range(4):
        suit = some_suit(rng, (1, 2), (1, 2))
        tree = unroll(SuitGame(suit))
        assert float(SuitSolver(suit).expected.tricks) == pytest.approx(solve(tree, "exact").value)


@pytest.mark.parametrize("seed", range(4))
def test_the_most_tricks_of_the_kernel_and_its_twin(needs_kernels, seed):
    """The twin has neither bounds nor guesses; entries make plays differ that are otherwise the same."""
    rng = Random(seed)
    for _ in range(4):
        suit = small_suit(rng)
        entries = rng.choice([FREE, (1, inf), (1, 1), (0, 0)])
        quick, slow = (SuitSolver(suit, entries=entries, fronts=fronts) for fronts in (CompiledFronts, ReadableFronts))
        assert quick.expected.tricks == slow.expected.tricks
        assert quick.expected.double_dummy == slow.expected.double_dummy
        assert quick.worth(quick.expected.levels) == slow.worth(slow.expected.levels)


@pytest.mark.parametrize(
    ("north", "south", "tricks"),
    [("T83", "AQ75", 2.3270186335), ("KJ864", "9", 1.7921118012), ("A983", "KJ6", 3.0444099379), ("AK", "-", 2)],
)
def test_the_most_tricks_where_fronts_explode(needs_kernels, north, south, tricks):
    """Bounded by the sum of the goals' chances, which some of these do not reach."""
    found = SuitSolver(Suit.of(north, south))
    assert float(found.expected.tricks) == pytest.approx(tricks, abs=1e-9)
    assert found.expected.tricks <= sum(answer.chance for answer in found.goals)


@pytest.mark.parametrize("seed", range(4))
def test_what_can_be_secured(needs_kernels, seed):
    """The kernel's search for one outcome, which needs no fronts, against the fronts of the twin."""
    rng = Random(seed)
    for _ in range(3):
        suit = small_suit(rng)
        quick, slow = (SuitSolver(suit, fronts=fronts) for fronts in (CompiledFronts, ReadableFronts))
        best = quick.expected.levels
        more = tuple(mask | rng.getrandbits(len(quick.suit.weights)) & rng.getrandbits(160) for mask in best)
        for levels, goal in [(best, None), (more, None), (best, 1), (more, 1), (more, 2)]:
            for lead in quick.rules.options(quick.root):
                table = quick.rules.after(quick.root, lead)
                assert quick.secures(table, levels, goal) == slow.secures(table, levels, goal)


# ---------------------------------------------------------------------- lines of play


def played_out(solver, line):
    """For each world, the fewest tricks that a line wins against any defence: rules and line alone, no fronts."""
    rules = solver.rules
    chosen = cache(line.play)

    @cache
    def fewest(table, world):
        if rules.side(table) is None:
            return table.tricks
        if rules.side(table) is Side.MAX:
            return fewest(rules.after(table, chosen(table)), world)
        answers = (rules.after(table, move) for move in rules.options(table))
        return min(fewest(answer, world) for answer in answers if rules.fits(answer, world))

    return [fewest(solver.root, world) for world in solver.suit.worlds]


@pytest.mark.parametrize("seed", range(4))
def test_a_line_is_worth_what_it_says(kernels, seed):
    rng = Random(seed)
    for _ in range(3):
        found = SuitSolver(some_suit(rng, (1, 2), (1, 2)))
        for tricks in range(1, found.suit.length + 1):
            answer = found.goal(tricks)
            won = played_out(found, found.line(tricks))
            wins = sum(1 << world for world, count in enumerate(won) if count >= tricks)
            assert answer.wins & ~wins == 0
            assert found.chance(found.weight(wins)) == answer.chance
        won = played_out(found, found.line())
        worth = sum(weight * count for weight, count in zip(found.suit.weights, won, strict=True))
        assert found.chance(worth) == found.expected.tricks


def test_a_long_line_is_worth_what_it_says(needs_kernels):
    """On average, where no line is the best for every goal."""
    found = SuitSolver(Suit.of("A983", "KJ6"))
    won = played_out(found, found.line())
    worth = sum(weight * count for weight, count in zip(found.suit.weights, won, strict=True))
    assert found.chance(worth) == found.expected.tricks < sum(answer.chance for answer in found.goals)


def test_the_first_plays_are_all_that_are_best(needs_kernels):
    """KJ9 opposite 432 for two: by definition, each lead's own best."""
    found = SuitSolver(Suit.of("KJ9", "432"))
    answer = found.goal(2)
    assert answer.chance == max(answer.plays.values())
    assert [str(move) for move in answer.first_plays] == ["S2"]


# ---------------------------------------------------------------------- invariants


@pytest.mark.parametrize("seed", range(5))
def test_invariants(needs_kernels, seed):
    rng = Random(seed)
    for _ in range(30):
        found = SuitSolver(some_suit(rng))
        chances = [answer.chance for answer in found.goals]
        assert all(0 <= chance <= answer.double_dummy <= 1 for chance, answer in zip(chances, found.goals, strict=True))
        assert chances == sorted(chances, reverse=True)


def test_swapping_the_hands_mirrors_the_table(needs_kernels):
    rng = Random(5)
    for _ in range(20):
        suit = some_suit(rng)
        mirror = Suit(suit.south, suit.north)
        assert [a.chance for a in SuitSolver(suit).goals] == [a.chance for a in SuitSolver(mirror).goals]


def test_fewer_entries_are_never_better(needs_kernels):
    rng = Random(6)
    for _ in range(15):
        suit = some_suit(rng, (2, 4), (1, 3))
        levels = [(0, 0), (1, 0), (1, 1), (2, 2), FREE]
        chances = [[a.chance for a in SuitSolver(suit, entries=entries).goals] for entries in levels]
        for fewer, more in pairwise(chances):
            assert all(low <= high for low, high in zip(fewer, more, strict=True))


def test_entries_that_make_the_goal_impossible():
    """Nobody can lead: no trick, which is an answer and no error."""
    found = SuitSolver(Suit.of("AK", "2"), entries=(0, 0))
    assert [answer.chance for answer in found.goals] == [0, 0]
    # One entry to South is enough to lead up to the ace-queen, and then North is in hand.
    assert SuitSolver(Suit.of("AQ", "2"), entries=(0, 1)).goal(2).chance == Fraction(1, 2)
    assert SuitSolver(Suit.of("AQ", "32"), entries=(1, 0)).goal(2).chance < Fraction(1, 2)


def test_vacant_places(kernels):
    """With West known to hold seven cards elsewhere, a finesse against East's honour is better than even."""
    even = SuitSolver(Suit.of("AQ", "32")).goal(2).chance
    west_full = SuitSolver(Suit.of("AQ", "32", west_cards=6)).goal(2).chance
    assert even == Fraction(1, 2)
    assert west_full == Fraction(6, 19)


def test_explicit_splits(kernels):
    certain = Suit.of("AQ", "2", splits={0: 1})
    assert SuitSolver(certain).goal(2).chance == 0
    assert SuitSolver(Suit.of("AQ", "2", splits={10: 1})).goal(2).chance == 1
    assert SuitSolver(Suit.of("AQ", "2", splits={0: "1/4", 10: 0.75})).goal(2).chance == Fraction(3, 4)


def test_cards_that_are_gone():
    """Once the king has gone, ace and queen are two tricks."""
    assert SuitSolver(Suit.of("AQ", "2", gone="K")).goal(2).chance == 1
    assert Suit.of("AQ", "2", gone="K").classes == (tuple(range(11, 2, -1)),)


@pytest.mark.parametrize(("north", "south"), [("AQ", "2"), ("KJ", "32"), ("A", "-")])
def test_it_is_a_world_game(north, south):
    check_world_game(SuitGame(Suit.of(north, south), 1))
    check_world_game(SuitGame(Suit.of(north, south)))


def test_limits(needs_kernels):
    found = SuitSolver(Suit.of("AJ93", "75"), limit=Limit(nodes=100))
    with pytest.raises(LimitReachedError, match="the suit solver found no answer within 100 nodes"):
        found.goal(2)


def test_a_limit_in_seconds_is_kept(needs_kernels):
    """Also inside a front that is long."""
    found, start = SuitSolver(Suit.of("AJ93", "75"), limit=Limit(seconds=0.05)), process_time()
    with pytest.raises(LimitReachedError, match=r"the suit solver found no answer within 0.05 seconds"):
        found.front(found.root, 2)
    assert process_time() - start < 1  # of the processor: how busy others keep it does not count


# ---------------------------------------------------------------------- holdings and bad input


def test_holdings():
    assert read_holdings("AKQ9", "xx")[:2] == ((14, 13, 12, 9), (3, 2))
    assert read_holdings("a10x", "-")[:2] == ((14, 10, 2), ())
    assert read_holdings("xx", "xx")[:2] == ((5, 4), (3, 2))


@pytest.mark.parametrize(
    ("north", "south", "words"),
    [
        ("AK", "A2", "expected every card once, found A twice in 'AK' and 'A2'"),
        ("AKQJT98", "765432x", "expected at most 13 cards, found 14 in 'AKQJT98' and '765432x'"),
        ("AB", "2", "north: expected cards such as AKQ9, A10x or - for none, found 'B' in 'AB'"),
        ("", "2", "north: expected cards such as AKQ9, A10x or - for none, found ''"),
        ("A-", "2", "north: expected cards such as AKQ9, A10x or - for none, found 'A-'"),
        ("-", "-", "expected at least one card, found two voids"),
    ],
)
def test_bad_holdings(north, south, words):
    with pytest.raises(InputError) as fault:
        Suit.of(north, south)
    assert str(fault.value) == words


def test_other_bad_input():
    with pytest.raises(InputError, match="expected a goal from 1 to 2 tricks, found 3"):
        SuitSolver(Suit.of("AQ", "2")).goal(3)
    with pytest.raises(InputError, match="expected a goal from 1 to 2 tricks, found 3"):
        SuitGame(Suit.of("AQ", "2"), 3)
    with pytest.raises(InputError, match=r"expected room for the defenders' 10 cards, found 4 \+ 5 vacant places"):
        Suit.of("AQ", "2", west_cards=4, east_cards=5)
    with pytest.raises(InputError, match="not negative and not all zero"):
        Suit.of("AQ", "2", splits={3: 0})
    with pytest.raises(InputError, match="expected a way to deal the defenders' 10 cards, found none"):
        Suit.of("AQ", "2", splits={11: 1})
