"""FB01's question over all suits: problems from the atlas, rows against the solver, claims that can fail."""

from fractions import Fraction
from itertools import islice

import pytest

from worldwise.bridge.suit.atlas.atlas import open_atlas
from worldwise.bridge.suit.atlas.combinations import Form
from worldwise.bridge.suit.first_error import first_error
from worldwise.bridge.suit.monte_carlo import MonteCarloLine
from worldwise.bridge.suit.rules import NORTH, SOUTH, Suit, SuitMove
from worldwise.bridge.suit.solver import SuitSolver
from worldwise.bridge.suit.trees import suit_algorithms
from worldwise.lab.experiment import ClaimOutcome
from worldwise.lab.papers import load
from worldwise.lab.papers.fb01.all_suits import DEALT, DRAWN, PIMC, PLACES, UNIFORM, measure_problem, problems
from worldwise.lab.papers.fb01.errors import NINE
from worldwise.lab.plan import Plan
from worldwise.lab.results import shipped_results
from worldwise.lab.searched_suits import algorithms_json, algorithms_words, sample_json, searched_suits
from worldwise.lab.sequential import Decisions
from worldwise.runs.rows import Setting


@pytest.mark.parametrize("origin", [UNIFORM, DEALT])
def test_problems_are_highest_uncertain_goals(origin):
    assert len(problems(origin)) == DRAWN
    for problem in problems(origin)[::100]:
        entry = open_atlas().entry(Suit.of(problem.north, problem.south))
        assert entry.uncertain.tricks == problem.tricks


def test_what_is_dealt_often_is_drawn_often():
    """The average share of deals of a drawn suit; weights give the one, equal chances the other."""
    table = open_atlas().table
    dealt = {(row["north"], row["south"]): row["dealt"] for row in table}
    wanted = table["dealt"][table["goal"] > 0]
    found = {
        origin: sum(dealt[problem.north, problem.south] for problem in problems(origin)) / DRAWN
        for origin in (UNIFORM, DEALT)
    }
    assert found[UNIFORM] == pytest.approx(wanted.mean(), rel=0.2)
    assert found[DEALT] == pytest.approx((wanted**2).sum() / wanted.sum(), rel=0.2)


def test_a_row_says_what_lines_are_worth(needs_kernels):
    row = measure_problem(Setting(origin=DEALT, number=1), 7)
    solver, tricks = SuitSolver(Suit.of(row["north"], row["south"])), row["tricks"]
    best = solver.goal(tricks).chance
    assert row["chance"] == pytest.approx(float(best))
    assert row["pimc.lost"] == pytest.approx(float(best - MonteCarloLine(solver, tricks).chance), abs=1e-8)
    for result in suit_algorithms(solver.suit, tricks, NINE, seed=7):
        assert row[f"{result.algorithm}.lost"] == pytest.approx(float(best - result.chance), abs=1e-8)
        assert (row[f"{result.algorithm}.errs"] == "none") == (result.chance == best)


def test_where_a_line_first_errs(needs_kernels):
    """FB01 Fig 14: the queen first is wrong at once, the ace on South's two in third hand, sampling's king later."""
    solver = SuitSolver(Suit.of("AKQ9", "32"))
    results = {one.algorithm: one for one in suit_algorithms(solver.suit, 4, ["monte-carlo", "vector-mm", "prm"])}
    for name, place in (("monte-carlo", "later"), ("vector-mm", "lead"), ("prm", "none")):
        found = results[name]
        assert first_error(solver, 4, found.chance, found.move, found.begun) == place
    low, rules = SuitMove(SOUTH, 2), solver.rules
    led = rules.after(solver.root, low)
    aces = tuple(rules.after(rules.after(led, second), SuitMove(NORTH, 14)) for second in rules.options(led))
    assert first_error(solver, 4, Fraction(1, 10), low, aces) == "third hand"


def test_shipped_rows_are_of_the_sample():
    rows = shipped_results(load("fb01/all-suits")).rows
    assert sample_json()["combinations"] == len(searched_suits()) > 300
    for row in rows[::40]:
        assert (row["north"], row["south"], row["tricks"]) == tuple(problems(row["origin"])[row["number"]])
        code = Form.of(Suit.of(row["north"], row["south"])).canonical.code
        found = algorithms_json(code)
        assert found["tricks"] == row["tricks"]
        assert set(found["lines"]) == {PIMC, *(NINE if row["small"] else ())}
        for line in found["lines"].values():
            assert (line["first_error"] == "none") == (line["chance"] == pytest.approx(found["best"]))
            assert line["first_error"] in ("none", *PLACES)
        assert algorithms_words(code).startswith("Algorithms, for ")


def test_a_round_is_one_problem_of_either_kind():
    """So a run until decided looks after fifty problems of either kind, and not once all have been searched."""
    plan = Plan(load("fb01/all-suits"), "paper", until_decided=True)
    first = [
        [(pair.setting["origin"], pair.setting["number"]) for pair in pairs] for pairs in islice(plan.rounds(), 11)
    ]
    assert first == [[(UNIFORM, number), (DEALT, number)] for number in range(11)]
    assert (plan.longest, Decisions(plan).rows_wanted) == (DRAWN, 100)


def test_a_suit_that_was_not_searched():
    assert algorithms_json(-1) is None
    assert algorithms_words(-1) == ""


# ---------------------------------------------------------------------- claims


def row(origin, number, **lost):
    """A problem in which all lines are best but these."""
    names = {f"{name}.lost": lost.get(name.replace("-", "_"), 0.0) for name in (*NINE, PIMC)}
    return {"origin": origin, "number": number, "small": True, "chance": 0.5, **names}


def test_claims_go_by_the_uniform_problems():
    claims = load("fb01/all-suits").claims
    bad = [row(UNIFORM, number, monte_carlo=0.1) for number in range(200)]
    worse = [row(DEALT, number, vector_mm=0.1, iprm_beta=0.1) for number in range(400)]
    large = [{"origin": UNIFORM, "number": 999, "small": False, "pimc.lost": 0.0}]
    assert claims[0].judge([*bad, *worse, *large]).outcome == ClaimOutcome.HOLDS
    assert claims[3].judge([*bad, *worse, *large]).outcome in (ClaimOutcome.HOLDS, ClaimOutcome.UNDECIDED)
    wrong = [row(UNIFORM, number, vector_mm=0.1, iprm_beta=0.1) for number in range(200)]
    assert [claims[place].judge(wrong).outcome for place in (0, 3)] == [ClaimOutcome.FAILS] * 2
