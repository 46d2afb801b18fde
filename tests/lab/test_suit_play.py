"""FB01 Fig 28: the problems, rows that depend on setting and seed alone, claims that can fail."""

from itertools import islice

import pytest

from worldwise.bridge.suit.rules import Suit
from worldwise.bridge.suit.solver import SuitSolver
from worldwise.catalog import suit_facts
from worldwise.kernels import SWITCH
from worldwise.lab.experiment import ClaimOutcome
from worldwise.lab.papers.fb01 import suit_claims as claims
from worldwise.lab.papers.fb01.errors import NINE, TEN
from worldwise.lab.papers.fb01.suit_claims import DRAWN, FURTHER, PUBLIC, Lines
from worldwise.lab.papers.fb01.suit_play import FIG_28, line_table, measure_lines
from worldwise.lab.papers.fb01.suit_problems import (
    HIGH,
    LONGEST,
    STRATA,
    SuitProblem,
    draw,
    drawn_problems,
    public_problems,
)
from worldwise.runs.rows import Setting

HOLDS, FAILS, UNDECIDED = ClaimOutcome.HOLDS, ClaimOutcome.FAILS, ClaimOutcome.UNDECIDED


# ---------------------------------------------------------------------- the problems


@pytest.fixture
def switched_on(needs_kernels, monkeypatch):
    """For trees that take minutes in Python."""
    monkeypatch.delenv(SWITCH, raising=False)


def test_the_problems_are_what_the_rule_draws(switched_on):
    assert tuple(islice(draw(0), 200)) == drawn_problems()[:200]
    assert next(draw(1)) != drawn_problems()[0]


def test_the_problems_differ_and_are_those_of_the_strata():
    problems = drawn_problems()
    assert len(set(problems)) == len(problems) == 7150
    suits = [Suit.of(problem.north, problem.south) for problem in problems]
    strata = [(len(suit.north + suit.south), sum(card in HIGH for card in suit.north + suit.south)) for suit in suits]
    assert strata[: len(STRATA)] == list(STRATA)
    assert set(strata) == set(STRATA)
    assert all(LONGEST >= len(suit.north) >= len(suit.south) > 0 for suit in suits)


def test_goals_are_the_greatest_that_are_possible_and_not_certain(switched_on):
    for problem in drawn_problems()[::150]:
        solver = SuitSolver(Suit.of(problem.north, problem.south))
        assert 0 < solver.goal(problem.tricks).chance < 1
        assert not any(answer.chance for answer in solver.goals[problem.tricks :])


def test_public_problems_are_facts_with_a_goal():
    assert len(suit_facts()) == 152
    assert len(public_problems()) == 92
    assert SuitProblem("AKQ9", "32", 4) in public_problems()


@pytest.mark.parametrize("fact", suit_facts()[:8], ids=lambda fact: f"{fact.north}-{fact.south}-{fact.tricks}")
def test_facts_are_what_the_solver_finds(fact):
    solver = SuitSolver(Suit.of(fact.north, fact.south))
    if fact.tricks is None:
        assert float(solver.expected.tricks) == pytest.approx(fact.expected_tricks, abs=6e-5)
    else:
        assert 100 * float(solver.goal(fact.tricks).chance) == pytest.approx(fact.percent, abs=6e-5)


def test_scales():
    assert [len(FIG_28.settings[scale]) for scale in FIG_28.scales] == [3, 105, 7242]
    origins = [setting["origin"] for setting in FIG_28.settings["paper"]]
    assert [origins.count(origin) for origin in (DRAWN, FURTHER, PUBLIC)] == [650, 6500, 92]


# ---------------------------------------------------------------------- rows and the table


def test_a_row_depends_on_setting_and_seed_alone(kernels):
    setting = FIG_28.settings["smoke"][0]
    one, two = ({key: value for key, value in measure_lines(setting, 7).items() if "seconds" not in key} for _ in "12")
    assert one == two
    assert one["chance"] == pytest.approx(0.5)
    assert all(0 <= one[f"{name}.lost"] <= one["chance"] for name in TEN)


def test_times_are_kept_of_as_many_problems_as_the_paper_had():
    setting = FIG_28.settings["smoke"][0]
    assert any("seconds" in key for key in measure_lines(setting, 7))
    assert not any("seconds" in key for key in measure_lines(Setting(**{**setting, "origin": FURTHER}), 7))


def test_what_is_lost_is_what_the_lines_are_worth():
    """FB01 Fig 14: the best line has 24 %, Monte Carlo's 5.4 %."""
    row = measure_lines(Setting(origin=PUBLIC, north="AKQ9", south="32", tricks=4), 1)
    assert row["chance"] == pytest.approx(0.24, abs=0.0001)
    assert row["chance"] - row["monte-carlo.lost"] == pytest.approx(0.0543, abs=0.0001)
    assert row["prm.lost"] == 0


def made_up(wrong, problems=1000, origin=DRAWN, lost=0.25):
    """Rows in which algorithms are wrong on these problems: a number stands for the first so many."""
    sets = {name: range(found) if isinstance(found, int) else found for name, found in wrong.items()}
    return [
        {"origin": origin, "north": "AQ", "south": "2", "tricks": 2, "seed": 0, "worlds": 20}
        | {"chance": 0.5}
        | {f"{name}.lost": lost * (problem in sets.get(name, ())) for name in TEN}
        | ({f"{name}.seconds": 0.5 for name in TEN} if origin != FURTHER else {})
        for problem in range(problems)
    ]


def test_the_table_is_fig_28s():
    rows = made_up({"monte-carlo": 338}) + made_up({"prm": 3}, 10, FURTHER) + made_up({}, 5, PUBLIC)
    table = line_table(rows)
    assert table.columns == ("origin", "algorithm", "problems", "optimal", "error", "loss", "seconds")
    first = table.records()[0]
    assert (first["origin"], first["algorithm"], first["optimal"], first["loss"]) == (DRAWN, "monte-carlo", 662, 84.5)
    assert first["error"].value == pytest.approx(0.338)
    assert table.column("origin").count(PUBLIC) == len(TEN)
    beside = FIG_28.compare(table, FIG_28.published).records()
    assert [record["algorithm"] for record in beside] == list(NINE)
    assert (beside[0]["paper"], beside[0]["note"]) == (0.338, "agrees")


def test_the_published_numbers_are_the_papers():
    records = {record["algorithm"]: record for record in FIG_28.published.records()}
    assert tuple(records) == NINE
    assert records["monte-carlo"]["loss"] == 17
    assert records["iprm-beta"]["optimal"] == 648


# ---------------------------------------------------------------------- claims on made-up rows

IN_ORDER = dict(zip(NINE, (300, 250, 200, 150, 100, 70, 40, 40, 10), strict=True))


@pytest.mark.parametrize(
    ("claim", "wrong", "outcome"),
    [
        (claims.vector_mm_is_better, {"monte-carlo": 300, "vector-mm": 250}, HOLDS),
        (claims.vector_mm_is_better, {"monte-carlo": 250, "vector-mm": 300}, FAILS),
        (claims.vector_mm_is_better, {"monte-carlo": range(300), "vector-mm": range(290, 580)}, UNDECIDED),
        (claims.vector_mm_is_better, {}, FAILS),  # no difference to speak of
        (claims.in_the_papers_order, IN_ORDER, HOLDS),
        (claims.in_the_papers_order, IN_ORDER | {"ivm-beta": 20}, HOLDS),  # level with iprm in the paper
        (claims.in_the_papers_order, IN_ORDER | {"prm": 180}, FAILS),
        (claims.in_the_papers_order, IN_ORDER | {"prm": 148}, UNDECIDED),
        (claims.reduction_is_best, IN_ORDER, HOLDS),
        (claims.reduction_is_best, IN_ORDER | {"ivm": 50}, FAILS),
        (claims.reduction_is_best, IN_ORDER | {"vm-beta": 100}, FAILS),
        (claims.reduction_is_best, IN_ORDER | {"vm-beta": range(80, 190)}, UNDECIDED),
        (claims.nearly_always_right, {"iprm-beta": 2}, HOLDS),
        (claims.nearly_always_right, {"iprm-beta": 30}, FAILS),
        (claims.nearly_always_right, {"iprm-beta": 9}, UNDECIDED),
    ],
)
def test_claims(claim, wrong, outcome):
    verdict = claim(made_up(wrong))
    assert verdict.outcome == outcome
    assert "%" in verdict.because


def test_verdicts_go_by_all_that_were_drawn():
    rows = made_up({"iprm-beta": 9}, 500) + made_up({}, 2000, FURTHER) + made_up({"iprm-beta": 50}, 50, PUBLIC)
    assert claims.nearly_always_right(rows).outcome == HOLDS
    assert len(Lines(rows).rows) == 2500
    assert len(Lines(rows, PUBLIC).rows) == 50


def test_a_scale_without_public_problems_is_drawn():
    assert FIG_28.plot(made_up(IN_ORDER)).axes
    assert FIG_28.plot(made_up(IN_ORDER) + made_up({}, 5, PUBLIC)).axes
