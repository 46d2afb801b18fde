"""The problems that advice is measured by: right is right by search to the end, and advice beats sampling at them."""

import pytest

from worldwise.bridge.advice.advise import advise
from worldwise.bridge.layouts.sampler import Layouts
from worldwise.bridge.rules.goal import Aim
from worldwise.bridge.solvers.alphamu import BridgeAlphaMu
from worldwise.bridge.solvers.pimc import Pimc
from worldwise.catalog import problems
from worldwise.core.result import Limit
from worldwise.lab.problems import answers, right_by_technique
from worldwise.search.alphamu_root import Root, ValueKind

EVERY = [*problems(), *problems(aside=True)]
PROVEN = [problem for problem in EVERY if problem.proof == "search"]
DEFENCE = problems(defence=True)
BY_NAME = {problem.name: problem for problem in (*EVERY, *DEFENCE)}

MARGIN = 0.03
"""Every right card is worth so much more than every other, or it would be no problem."""


@pytest.mark.parametrize("name", BY_NAME)
def test_a_problem_is_whole(name):
    """All 52 cards, the right player on turn, right cards that may be played, a true deal that fits what is known."""
    problem = BY_NAME[name]
    board = problem.board
    assert board.deal.complete
    assert board.deal.cards.bit_count() == 52
    assert problem.view.on_turn
    assert (problem.view.seat == board.play.contract.declarer) == (problem not in DEFENCE)
    assert problem.right
    assert all(board.play.position.legal >> card & 1 for card in problem.right)
    assert any(card not in problem.right for card in range(64) if board.play.position.legal >> card & 1)
    assert Layouts(problem.view, [*problem.constraints, lambda deal: deal == board.deal]).count
    assert problem.technique
    assert problem.title
    assert len(problem.comment) > 40


def test_the_set_is_as_large_as_it_says():
    assert len(problems()) >= 40
    assert len(problems(aside=True)) == 20
    assert len(DEFENCE) == 20
    assert sum(not problem.board.cards for problem in DEFENCE) == 10
    assert len(BY_NAME) == len(EVERY) + len(DEFENCE)
    small = [one for one in problems() if one.proof == "search"]
    assert len(small) >= 25
    assert all(one.view.cards_left <= 8 for one in PROVEN)
    assert "ben-173" in BY_NAME


@pytest.mark.parametrize("problem", PROVEN, ids=lambda problem: problem.name)
def test_right_is_right_by_search_to_the_end(needs_kernels, problem):
    """Over all layouts, whatever the defenders do."""
    worlds, good = Layouts(problem.view, problem.constraints).enumerate(), set(problem.right)
    found = BridgeAlphaMu(26, root=Root.COMPARE).evaluate(problem.view, worlds, Limit(nodes=10_000_000))
    values = list(zip(found.choices, found.found, strict=True))
    right = [value for choice, value in values if good & set(choice)]
    wrong = [value for choice, value in values if not good & set(choice)]
    assert all(value.kind is ValueKind.FINAL for value in right)
    assert min(value.value for value in right) >= max(value.value for value in wrong) + MARGIN - 1e-9


@pytest.mark.parametrize("problem", [one for one in DEFENCE if one.proof == "search"], ids=lambda problem: problem.name)
def test_a_defender_is_right_over_all_layouts(needs_kernels, problem):
    """With all cards face up, which is the model for defenders."""
    worlds = Layouts(problem.view).enumerate()
    values = Pimc(Aim.MAKE).evaluate(problem.view, worlds).values
    right = {card: value for card, value in values.items() if card in problem.right}
    assert min(right.values()) >= max(value for card, value in values.items() if card not in right) + MARGIN


def test_advice_for_defenders(needs_kernels):
    """Opening leads are looked at on few layouts here; docs/problems.md has the score."""
    found = list(answers([one for one in DEFENCE if one.board.cards], ["advise"]))
    assert sum(answer.right for answer in found) == len(found)
    by_name = {problem.name: problem for problem in DEFENCE}
    for name in ("lead-sequence", "lead-partners-overcall"):
        problem = by_name[name]
        led = advise(problem.view, worlds=24, trying=False).card
        assert led in problem.right, name


def test_advice_finds_what_sampling_does_not(needs_kernels):
    """In these PIMC plays a wrong card; advice searches them to the end."""
    names = ["combining-1", "combining-2", "strip-1", "squeeze-before-guess"]
    found = list(answers([BY_NAME[name] for name in names], ["PIMC", "advise"]))
    assert [answer.right for answer in found] == [False, True] * len(names)
    counted = right_by_technique(found)
    assert counted["combining chances"] == {"PIMC": 0, "advise": 2}


def test_the_command(needs_kernels, worldwise_command):
    asked = ("bridge", "problems", "--problem", "hold-up-2", "--adviser")
    (answer,) = worldwise_command(*asked, "advise", "--json").json
    assert (answer["problem"], answer["right"], answer["adviser"]) == ("hold-up-2", True, "advise")
    assert "hold-up" in worldwise_command(*asked, "PIMC").stdout


def test_unknown_names_are_told(worldwise_command):
    unknown = worldwise_command("bridge", "problems", "--problem", "hold-up-22")
    assert unknown.returncode == 2
    assert "did you mean" in unknown.stderr
    assert "unknown adviser" in worldwise_command("bridge", "problems", "--adviser", "pimcc").stderr


def test_advice_is_nearly_always_right(needs_kernels):
    """The floor is 36 of 40; docs/problems.md has the score."""
    found = list(answers(problems(), ["advise"]))
    assert sum(answer.right for answer in found) >= 40
