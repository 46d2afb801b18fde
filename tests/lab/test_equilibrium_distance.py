"""beyond/equilibrium: the games are what their names say, and the rows are NashConv by its definition."""

import pytest

from worldwise.lab.papers import load
from worldwise.lab.papers.bmv96.equilibrium import distance, distance_table, measure_distance
from worldwise.runs.rows import Setting

EXPERIMENT = load("beyond/equilibrium")


def row(game, player, asked=2):
    setting = Setting(game=game, player=player, asked=asked)
    return {**setting, **measure_distance(setting, 0)}


@pytest.mark.parametrize("player", ["random", "alphamu", "imp-minimax", "mixed-equilibrium"])
@pytest.mark.parametrize("game", ["phantom 4 x 1", "AQ / 32, two tricks"])
def test_a_row_is_nash_conv(game, player):
    """What both seats are sure of falls short of the value by NashConv, and never exceeds it."""
    found = row(game, player)
    assert found["nash_conv"] == pytest.approx(-(found["sure_first"] + found["sure_second"]), abs=1e-9)
    assert found["sure_first"] <= found["value"] + 1e-7
    assert found["sure_second"] <= -found["value"] + 1e-7
    assert found["value"] == pytest.approx({"phantom 4 x 1": 1, "AQ / 32, two tricks": 0.5}[game], abs=1e-6)


def test_random_play_gives_a_won_game_away():
    rows = [row("phantom 4 x 1", player) for player in ("random", "alphamu")]
    assert distance(rows, "phantom 4 x 1", "random").value == pytest.approx(0.4375)
    assert distance_table(rows).records()[0]["alphamu"] == 0
    verdicts = EXPERIMENT.verdicts([*rows, row("phantom 4 x 1", "mixed-equilibrium")])
    assert [verdict.outcome.value for verdict in verdicts] == ["holds", "undecided", "holds"]


def test_the_guess_is_worth_what_the_programme_says():
    """Four tricks with the one that was won, whoever has the queen: South sees a round first, then finesses."""
    assert row("a two-way guess", "mixed-equilibrium")["value"] == pytest.approx(4)


@pytest.mark.parametrize("name", ["Kuhn poker", "liar's dice, three sides"])
def test_games_of_openspiel(name):
    pytest.importorskip("pyspiel", reason="OpenSpiel's games need the extra openspiel")
    known = {"Kuhn poker": -1 / 18, "liar's dice, three sides": 1 / 9}
    assert row(name, "mixed-equilibrium")["value"] == pytest.approx(known[name], abs=1e-6)
