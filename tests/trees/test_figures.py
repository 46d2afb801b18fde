"""The papers' own examples: what they say each algorithm does, it does."""

import networkx
import pytest

from worldwise import ALGORITHMS, Exact, Ties, Vector, algorithm, evaluate, game, solve, solve_game, tree
from worldwise.catalog import digits, figure, figures
from worldwise.core.game import CHANCE, Side
from worldwise.errors import InputError, UnknownNameError
from worldwise.extensive import measures
from worldwise.extensive.conversions import from_world_game
from worldwise.search import BruteForce, known_worlds
from worldwise.search.backup import Guess, passes
from worldwise.search.monte_carlo import MonteCarlo
from worldwise.search.random_ties import FIRST
from worldwise.testing import check_world_game
from worldwise.trees import clique_of, clique_tree
from worldwise.trees.solving import judge

ANSWERS = [(name, answer) for name, entry in figures().items() for answer in entry.answers]


def choices(shape, strategy):
    return {shape.label(node): shape.move_label(node, move) for node, move in strategy.items()}


@pytest.mark.parametrize(("name", "answer"), ANSWERS, ids=lambda x: x if isinstance(x, str) else x.algorithm)
def test_published_answer(name, answer, engine):
    shape = tree(name)
    searcher = algorithm(answer.algorithm)
    if answer.knowledge < 1:
        searcher = Exact(known=frozenset(known_worlds(shape.worlds, answer.knowledge)))
    result = searcher.search(engine(shape))
    made = choices(shape, result.strategy)
    assert {node: made.get(node) for node in answer.choices} == answer.choices
    if answer.vector:
        assert result.vector == digits(answer.vector)
    if answer.believed:
        assert result.believed == digits(answer.believed).expected(shape.weights)


@pytest.mark.parametrize("name", figures())
def test_every_figure_is_a_game_and_exact_is_brute_force(name, engine):
    shape = tree(name)
    assert check_world_game(shape).complete
    assert Exact().search(engine(shape)).value == BruteForce().search(shape).value


@pytest.mark.parametrize("alias", [alias for entry in figures().values() for alias in entry.aliases])
def test_figures_have_the_names_of_both_papers(alias):
    assert alias in figure(alias).aliases


def test_an_unknown_figure_suggests_a_known_one():
    with pytest.raises(UnknownNameError, match=r"unknown figure 'fb01/fig-42' \(did you mean 'fb01/fig-24'\?\)"):
        figure("fb01/fig-42")


# ---------------------------------------------------------------------- FB01 Figs 1, 2, 5 and 6: one game


def test_fig_5_the_minimax_values_below_a_are_the_same_in_both_worlds(engine):
    """FB01 section 3: what Monte Carlo finds below the root in w1 is unchanged in w2; so it goes right."""
    walk = passes(engine(tree("fb01/fig-5")))
    backup = walk.fuse(walk.scale, FIRST)
    assert [walk.scale.vector(backup.first[move]) for move in (0, 1)] == [digits("00"), digits("11")]


def test_fig_6_ties_at_c_and_d_are_broken_at_random(engine):
    """FB01 section 3, FBM97 section 3.2: at these two nodes alone both branches score the same."""
    shape = tree("fb01/fig-6")
    walk = passes(engine(shape))
    chosen = [walk.fuse(walk.scale, Ties(seed)).chosen for seed in SEEDS]
    nodes = [node for node in range(len(shape)) if shape.to_move(node) is Side.MAX]
    assert [shape.label(node) for node in nodes if len({int(moves[node]) for moves in chosen}) > 1] == ["c", "d"]


def test_fig_2_is_fig_1_in_extensive_form():
    """One set for MAX's first move, four for his last, and MIN knows where he is (FB01 section 2.1)."""
    written, drawn = from_world_game(tree("fb01/fig-1")), game("fb01/fig-2")
    assert measures(written) == measures(drawn)
    assert measures(drawn).information_sets == (5, 4)
    for node in range(len(drawn)):
        assert drawn.to_move(node) == written.to_move(node)
        if drawn.to_move(node) is None:
            assert drawn.payoffs(node) == written.payoffs(node)
        elif drawn.to_move(node) != CHANCE:
            assert drawn.information_set(node) == written.information_set(node)
    assert solve_game(drawn, "brute-force").value == 1


# ---------------------------------------------------------------------- FB01 Fig 9: what MIN knows


def test_fig_9_c_is_worth_a_half_and_b_a_quarter_if_min_knows_nothing(engine):
    shape = engine(tree("fb01/fig-9"))
    assert [evaluate(shape, {0: move}, known=()).value for move in (0, 1)] == [0.25, 0.5]
    assert [evaluate(shape, {0: move}).value for move in (0, 1)] == [0.25, 0.0]


# ---------------------------------------------------------------------- FB01 Fig 11: the four strategies below b


@pytest.mark.parametrize(
    ("moves", "vector"), [((0, 0), "00100"), ((0, 1), "11000"), ((1, 0), "00011"), ((1, 1), "00000")]
)
def test_fig_11_strategies(moves, vector, engine):
    shape = tree("fb01/fig-11-b")
    assert evaluate(engine(shape), dict(zip((1, 4), moves, strict=True))).vector == digits(vector)


def test_fig_14_of_fbm97_the_undominated_strategies(engine):
    front = Exact().search(engine(tree("fbm97/fig-14"))).front
    assert set(front) == {digits("00100"), digits("11000"), digits("00011")}


# ---------------------------------------------------------------------- FB01 Fig 24: guess by guess


@pytest.mark.parametrize(
    ("world", "vector"), [(1, "11000"), (2, "11000"), (3, "00110"), (4, "00110"), (5, "00111")], ids="guess-{}".format
)
def test_fig_24_biased_by_a_guess(world, vector, engine):
    walk = passes(engine(tree("fb01/fig-24")))
    guess = Guess.payoff(walk.scale, world - 1, 1)
    assert walk.scale.vector(walk.choose(None, False, guess, FIRST).value) == digits(vector)


# ---------------------------------------------------------------------- FB01 Figs 15 and 26: CLIQUE

EDGES = [(1, 2), (1, 3), (2, 3), (3, 4), (4, 5)]
SEEDS = range(40)


def selected(shape, chosen):
    return "".join(shape.label(node)[1:] for node in sorted(chosen) if chosen[node] == 0)


def selections(name, engine, shape=None):
    """The vertices an algorithm selects, and the cliques it wins with, over many seeds."""
    shape = shape or tree("fb01/fig-15")
    results = [algorithm(name, Ties(seed)).search(engine(shape)) for seed in SEEDS]
    return (
        {selected(shape, result.strategy) for result in results},
        {len(clique_of(shape, result.strategy)) for result in results},
    )


def guessed(name, world, engine):
    """The vertices selected by one biased pass, over many seeds."""
    shape = tree("fb01/fig-15")
    walk = passes(engine(shape))
    guess = Guess.payoff(walk.scale, world - 1, 1)
    searcher = algorithm(name)
    bounds = walk.perfect_information().bounds if searcher.reduce else None
    passed = [walk.choose(bounds, searcher.beta, guess, Ties(seed)) for seed in SEEDS]
    return {selected(shape, walk.follow(backup.chosen, None).strategy) for backup in passed}


@pytest.mark.parametrize("name", ["vector-mm", "prm", "monte-carlo"])
def test_fig_26_vector_mm_and_prm_select_v3_half_the_time(name, engine):
    assert selections(name, engine) == ({"3", ""}, {1, 0})


@pytest.mark.parametrize("name", ["vm-beta", "prm-beta"])
def test_fig_26_beta_selects_v3_and_v4_or_v4_and_v5(name, engine):
    assert selections(name, engine) == ({"34", "45"}, {2})


@pytest.mark.parametrize("name", ["vm-beta", "prm-beta"])
def test_fig_26_beta_from_right_to_left_selects_v1_v2_v3(name, engine):
    assert selections(name, engine, clique_tree(EDGES, vertices=[5, 4, 3, 2, 1])) == ({"321"}, {3})


@pytest.mark.parametrize("name", ["ivm", "iprm"])
@pytest.mark.parametrize(
    ("world", "vertices"), [(1, {"1", "13"}), (2, {"2", "23"}), (3, {"3"}), (4, {"4", "34"}), (5, {"5"})]
)
def test_fig_26_biased_passes_select_the_guessed_vertex(name, world, vertices, engine):
    assert guessed(name, world, engine) == vertices


@pytest.mark.parametrize("name", ["ivm", "iprm"])
def test_fig_26_iterating_finds_a_2_clique_or_a_1_clique(name, engine):
    assert selections(name, engine)[1] == {1, 2}


@pytest.mark.parametrize("name", ["ivm-beta", "iprm-beta"])
@pytest.mark.parametrize("world", [1, 2, 3, 4, 5])
def test_fig_26_with_beta_only_the_guess_of_w1_selects_three(name, world, engine):
    sizes = {len(vertices) for vertices in guessed(name, world, engine)}
    assert sizes == ({3} if world == 1 else {2})


@pytest.mark.parametrize("name", ["ivm-beta", "iprm-beta"])
def test_fig_26_iterating_with_beta_finds_the_3_clique(name, engine):
    assert selections(name, engine) == ({"123"}, {3})


@pytest.mark.parametrize("seed", range(8))
def test_cliques_of_random_graphs(seed, engine):
    graph = networkx.gnp_random_graph(9, 0.5, seed=seed)
    shape = clique_tree(graph.edges, graph.nodes)
    result = Exact().search(engine(shape))
    clique = [int(vertex) for vertex in clique_of(shape, result.strategy)]
    assert len(clique) == max(map(len, networkx.find_cliques(graph)))
    assert all(graph.has_edge(a, b) for a in clique for b in clique if a < b)
    assert result.value == len(clique) / len(graph)


def test_a_graph_needs_a_vertex():
    with pytest.raises(InputError, match="at least one vertex"):
        clique_tree([])


# ---------------------------------------------------------------------- what goes wrong, by name

BOTH = "strategy fusion and non-locality"


@pytest.mark.parametrize(
    ("name", "failures"),
    [
        ("fb01/fig-10", {"monte-carlo": "strategy fusion"}),
        ("fb01/fig-11", {"monte-carlo": "strategy fusion"}),
        (
            "fb01/fig-11-b",
            {
                "monte-carlo": BOTH,
                **dict.fromkeys(["vector-mm", "vm-alphabeta", "ivm-tiebreak", "prm"], "non-locality"),
            },
        ),
        ("fb01/fig-18", dict.fromkeys(["monte-carlo", "vector-mm", "ivm-tiebreak"], "non-locality")),
        (
            "fb01/fig-18-raised",
            dict.fromkeys(["monte-carlo", "vector-mm", "vm-alphabeta", "ivm-tiebreak"], "non-locality"),
        ),
        ("ours/ivm-worse", dict.fromkeys(["ivm", "ivm-beta", "iprm", "iprm-beta"], "a bad guess")),
        (
            "fb01/fig-24",
            {
                "monte-carlo": BOTH,
                **dict.fromkeys(
                    ["vector-mm", "vm-alphabeta", "ivm-tiebreak", "vm-beta", "prm", "prm-beta"], "non-locality"
                ),
            },
        ),
    ],
)
def test_failures_are_named(name, failures):
    found = {verdict.result.algorithm: verdict.failure for verdict in judge(tree(name)) if not verdict.optimal}
    assert found == failures


@pytest.mark.parametrize("name", figures())
def test_whoever_believes_more_than_any_strategy_gets_has_fused_some(name):
    verdicts = {verdict.result.algorithm: verdict for verdict in judge(tree(name))}
    best = verdicts["exact"].result.value
    for verdict in verdicts.values():
        if verdict.optimal is False and verdict.result.believed > best:
            assert "strategy fusion" in verdict.failure


def test_luck_in_the_draw_is_no_strategy_fusion():
    """Over all worlds Monte Carlo believes in no more than there is, over two of them that are good it does."""
    (verdict,) = judge(tree("fb01/fig-18-e-swapped"), [MonteCarlo(samples=2, seed=1)])
    assert (verdict.result.believed, verdict.optimal, verdict.failure) == (0.5, False, "non-locality")


def test_against_a_min_who_knows_nothing_best_defence_overrates_him():
    verdicts = judge(tree("fb01/fig-9"), ["monte-carlo", "exact"], known=())
    assert [(verdict.optimal, verdict.failure) for verdict in verdicts] == [(False, "overrating MIN"), (True, None)]


def test_undefined_payoffs_never_reach_the_root(engine):
    for name in ALGORITHMS:
        assert solve(engine(tree("fb01/fig-3")), name).vector == Vector([2, 1])
