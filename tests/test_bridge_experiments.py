"""CLV21's experiments: games with fewer cards, rows of declarers on the same deal, claims that can fail."""

import pytest

from worldwise.lab import bridge_claims as claims
from worldwise.lab.bridge_claims import SWITCHES, Configurations, Deals, Declarer, Speedups
from worldwise.lab.bridge_declarers import FIG_6, TABLE_4, curve_table, duel_table, measure_declarers
from worldwise.lab.bridge_games import PLAYERS, questions, start_of
from worldwise.lab.bridge_switches import SWITCHED, TABLE_1, measure_switches
from worldwise.lab.bridge_threads import TABLE_5, measure_threads
from worldwise.lab.experiment import Outcome, Setting
from worldwise.lab.ratios import ratio_of_sums
from worldwise.players.bridge_players import AlphaMuPlayer

HOLDS, FAILS, UNDECIDED = Outcome.HOLDS, Outcome.FAILS, Outcome.UNDECIDED


# ---------------------------------------------------------------------- games


def test_games_start_with_so_many_cards():
    setting = Setting(contract="3NT", cards=16, opening="random")
    start = start_of(setting, 5)
    assert sum(hand.bit_count() for hand in start.position.hands) == 16
    assert str(start.contract) == "3NT by S"
    assert start.cards == start_of(setting, 5).cards != start_of(setting, 6).cards


def test_questions_are_declarers_choices_and_never_hold_a_world_twice():
    start = start_of(Setting(contract="3NT", cards=16, opening="random"), 5)
    asked = questions(start, AlphaMuPlayer(4, 2), PLAYERS["random"], 5)
    assert asked
    assert all(view.on_turn and view.seat == start.contract.declarer for view, _ in asked)
    assert all(0 < len(set(worlds)) == len(worlds) <= 4 for _, worlds in asked)


@pytest.mark.parametrize(
    ("experiment", "measure"),
    [
        (TABLE_1, measure_switches),
        (TABLE_4, measure_declarers),
        (FIG_6, measure_declarers),
        (TABLE_5, measure_threads),
    ],
    ids=lambda value: getattr(value, "id", ""),
)
def test_all_but_the_times_depends_on_setting_and_seed_alone(experiment, measure):
    def counted(seed):
        row = measure(experiment.settings["smoke"][0], seed)
        return {key: value for key, value in row.items() if not key.endswith(("seconds", "processor"))}

    assert counted(3) == counted(3)


def test_a_row_has_every_declarer():
    setting = FIG_6.settings["smoke"][0]
    deals = Deals([{**setting, **measure_declarers(setting, 1)}])
    assert deals.declarers == [Declarer(1, 3), Declarer(2, 3), Declarer(1, 6), Declarer(2, 6)]
    assert deals.pimc == Declarer(1, 3)
    assert set(deals.column(Declarer(2, 6), "moves")) == {8}


def test_configurations_are_the_papers():
    assert SWITCHES["all but W"] == (True, True, True, False, True)
    for experiment in SWITCHED:
        (setting,) = experiment.settings["paper"]
        assert experiment.published.column("switches") == tuple(SWITCHES)
        assert set(experiment.published.column("cards")) == {setting["cards"]}
        assert set(experiment.published.column("worlds")) == {setting["worlds"]}


def test_ratio_of_sums_knows_its_spread():
    ratio = ratio_of_sums([3.0, 5.0, 4.0, 4.0], [1.0, 1.0, 1.0, 1.0])
    assert ratio.value == 4
    assert 3 < ratio.low < 4 < ratio.high < 5


# ---------------------------------------------------------------------- claims on made-up rows


def switch_rows(times, games=20):
    """Games in which each configuration takes so long, a little more every other time."""
    return [
        {"cards": 52, "worlds": 20, "moves": 10}
        | {f"{name}.seconds": times.get(name, 2.0) * (1 + 0.01 * (game % 2)) for name in SWITCHES}
        | {f"{name}.nodes": 100 for name in SWITCHES}
        for game in range(games)
    ]


@pytest.mark.parametrize(
    ("none", "outcome"), [(3.0, HOLDS), (2.0, FAILS), (2.5, HOLDS)], ids=["three times", "twice", "just"]
)
def test_three_times_as_fast(none, outcome):
    assert claims.three_times_as_fast(switch_rows({"none": none, "all": 1.0})).outcome is outcome


def test_one_game_decides_nothing():
    rows = switch_rows({"none": 3.0, "all": 1.0}, games=1)
    assert claims.three_times_as_fast(rows).outcome is UNDECIDED
    assert claims.all_are_fastest(rows).outcome is UNDECIDED


@pytest.mark.parametrize(("other", "outcome"), [(1.5, HOLDS), (0.5, FAILS)])
def test_all_are_fastest(other, outcome):
    verdict = claims.all_are_fastest(switch_rows({"all": 1.0, "all but W": other}))
    assert verdict.outcome is outcome
    assert "the next is all but W" in verdict.because


def test_tables_are_told_apart():
    rows = switch_rows({}) + [{**row, "cards": 32} for row in switch_rows({})]
    assert [str(games) for games in Configurations.of(rows)] == ["52 cards, 20 worlds", "32 cards, 20 worlds"]


def deal_rows(made, deals=1000, defence="dds", seconds=None):
    """Deals of which each declarer, by M and worlds, makes the first so many of a thousand."""
    rates = {Declarer(*name): rate for name, rate in made.items()}
    return [
        {"defence": defence, "contract": "7NT"}
        | {f"{name}.made": deal < rate * deals / 1000 for name, rate in rates.items()}
        | {f"{name}.moves": 26 for name in rates}
        | {f"{name}.seconds": (seconds or {}).get(name, 0.1) for name in rates}
        for deal in range(deals)
    ]


DUELS = [
    ({(1, 20): 800, (2, 20): 830, (3, 20): 830}, HOLDS),
    ({(1, 20): 830, (2, 20): 800, (3, 20): 830}, FAILS),
    ({(1, 20): 800, (2, 20): 802, (3, 20): 830}, UNDECIDED),
    ({(1, 20): 800, (2, 20): 800, (3, 20): 830}, UNDECIDED),
]


@pytest.mark.parametrize(("made", "outcome"), DUELS)
def test_beats_pimc(made, outcome):
    assert claims.beats_pimc("dds")(deal_rows(made)).outcome is outcome
    assert claims.beats_pimc("pimc")(deal_rows(made)).outcome is UNDECIDED


def test_duel_table_counts_the_deals_that_differ():
    first, second = duel_table(deal_rows({(1, 20): 800, (2, 20): 830, (3, 20): 790})).records()
    assert (first["declarer"], first["differ"], first["winrate"].value) == ("alpha-mu", 30, 1.0)
    assert (second["declarer"], second["differ"], second["winrate"].value) == ("M=3,worlds=20", 10, 0.0)


CURVES = [
    (claims.more_moves_add_little, {(2, 80): 800, (3, 80): 803, (4, 80): 799}, HOLDS),
    (claims.more_moves_add_little, {(2, 80): 800, (3, 80): 803, (4, 80): 860}, FAILS),
    (claims.more_moves_add_little, {(2, 80): 800, (3, 80): 820}, UNDECIDED),
    (claims.levels_off, {(1, 20): 700, (1, 80): 800, (1, 160): 803, (1, 320): 804}, HOLDS),
    (claims.levels_off, {(1, 80): 700, (1, 160): 800, (1, 320): 804}, FAILS),
    (claims.levels_off, {(1, 20): 800, (1, 40): 700, (1, 80): 700, (1, 160): 700}, FAILS),
    (claims.levels_off, {(1, 20): 800, (1, 40): 800}, UNDECIDED),
    (claims.higher_asymptote, {(1, 20): 900, (1, 80): 800, (2, 80): 830, (3, 80): 840}, HOLDS),
    (claims.higher_asymptote, {(1, 80): 800, (2, 80): 700}, FAILS),
    (claims.higher_asymptote, {(1, 80): 800, (2, 80): 800}, UNDECIDED),
    (claims.higher_asymptote, {(1, 40): 800, (2, 40): 900}, UNDECIDED),
]


@pytest.mark.parametrize(("claim", "made", "outcome"), CURVES, ids=lambda value: getattr(value, "__name__", ""))
def test_claims_about_curves(claim, made, outcome):
    assert claim(deal_rows(made)).outcome is outcome


def test_few_deals_that_never_differ_decide_nothing():
    assert claims.more_moves_add_little(deal_rows({(2, 80): 800, (3, 80): 800}, deals=20)).outcome is UNDECIDED


@pytest.mark.parametrize(("seconds", "outcome"), [(0.3, HOLDS), (0.9, FAILS)])
def test_close_in_time(seconds, outcome):
    rows = deal_rows({(1, 20): 800, (2, 20): 800}, seconds={Declarer(2, 20): seconds})
    assert claims.close_in_time(rows).outcome is outcome
    assert curve_table(rows).records()[1]["times PIMC"] == pytest.approx(10 * seconds)


@pytest.mark.parametrize(
    ("two", "processor", "outcome"), [(0.5, 0.99, HOLDS), (0.9, 0.99, FAILS), (0.5, 0.6, UNDECIDED)]
)
def test_two_threads(two, processor, outcome):
    rows = [
        {"cards": 52, "worlds": worlds, "2.1.seconds": 1.0, "2.2.seconds": two + 0.001 * game}
        | {"2.1.processor": processor, "2.2.processor": processor}
        for worlds in (40, 80)
        for game in range(10)
    ]
    assert claims.two_threads(rows).outcome is outcome
    assert claims.two_threads(rows[:10]).outcome is UNDECIDED
    assert [games.depths for games in Speedups.of(rows)] == [[2], [2]]
