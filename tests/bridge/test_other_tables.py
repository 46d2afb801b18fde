"""What a score is worth beside other tables: IMPs against one, matchpoints against a field."""

from random import Random

import numpy as np
import pytest

from worldwise.bridge.advice.advise import advise
from worldwise.bridge.advice.other_tables import FIELD, OtherTable
from worldwise.bridge.rules.contract import Vulnerability
from worldwise.bridge.rules.deal import card_name
from worldwise.bridge.rules.goal import Aim
from worldwise.bridge.rules.scoring import imps, score
from worldwise.bridge.solvers.pimc import Pimc
from worldwise.catalog import deal

SAFETY = deal("deals/safety-play").view
GUESS = deal("deals/two-way-guess").view


def points_of(advice):
    """The player's points for every card in every layout, not vulnerable, worked out anew."""
    values = Pimc(Aim.TRICKS).evaluate(advice.view, advice.worlds)
    contract = advice.view.contract

    def points(tricks):
        made = score(contract, tricks if advice.declares else 13 - tricks, Vulnerability.NONE)
        return made if advice.declares else -made

    return values.choices, np.vectorize(points)(values.matrix)


def a_defender():
    """The view of whoever had played last in the two-way guess, before he did."""
    board = deal("deals/two-way-guess").board
    before = board.with_cards(board.cards[:-1])
    return before.view(before.play.turn)


@pytest.mark.usefixtures("needs_kernels")
def test_the_safety_play_is_for_teams_and_the_overtrick_for_pairs():
    best = {others: card_name(advise(SAFETY, others=others).card) for others in (FIELD, OtherTable())}
    assert best == {FIELD: "SK", OtherTable(): "S8"}


@pytest.mark.parametrize(("view", "there"), [(GUESS, 480), (GUESS, -50), (a_defender(), -990), (a_defender(), 50)])
def test_imps_are_those_of_the_layouts_one_by_one(needs_kernels, view, there):
    advice = advise(view, others=OtherTable(there))
    choices, points = points_of(advice)
    for column, cards in enumerate(choices):
        won = [imps(int(mine) - there) for mine in points[:, column]]
        expected = np.average(won, weights=advice.weights)
        assert advice.choice_of(cards[0]).beside == pytest.approx(expected)


def test_nobody_beats_the_best_possible():
    advice = advise(GUESS, others=OtherTable())
    worths = [choice.beside for choice in advice.choices]
    assert worths == sorted(worths, reverse=True)
    assert max(worths) < 0  # no card is best in every layout
    assert advice.exact
    assert not advice.close


def test_the_field_shares_out_all_points_among_those_who_do_not_see():
    rng = Random(5)
    for _ in range(200):
        points = np.array([[rng.choice((420, 450, -50)) for _ in range(4)] for _ in range(6)])
        worth = FIELD.worth(points)
        assert (worth >= 0).all()
        assert (worth <= 0.75).all()  # all of the blind half, and a tie with those who see
        best = points.max(axis=1, keepdims=True)
        assert ((worth < 0.5) | (points == best)).all()


def test_a_card_that_another_one_beats_is_nobody_s_in_the_field():
    with_it, without = np.array([[2, 1, 0], [1, 2, 0]]), np.array([[2, 1], [1, 2]])
    assert FIELD.worth(with_it)[:, :2].tolist() == FIELD.worth(without).tolist()


@pytest.mark.usefixtures("needs_kernels")
def test_the_command(worldwise_command):
    found = worldwise_command("advise", "deals/safety-play", "--aim", "matchpoints", "--json").json
    assert found["aim"] == "matchpoints"
    assert found["best"] == "SK"
    assert 0 < found["choices"][1]["beside"] < found["choices"][0]["beside"] < 1
    text = worldwise_command("advise", "deals/safety-play", "--aim", "imps", "--other-table", "920").stdout
    assert "IMPs on average" in text
    refused = worldwise_command("advise", "deals/safety-play", "--other-table", "920")
    assert refused.returncode == 2
    assert "--aim imps" in refused.stderr
