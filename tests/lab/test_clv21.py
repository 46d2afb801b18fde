"""CLV21's experiments: games with fewer cards, rows of declarers on the same deal, claims that can fail."""

import pytest

from worldwise.bridge.players.searchers import AlphaMuPlayer
from worldwise.bridge.rules.goal import Aim
from worldwise.lab.experiment import ClaimOutcome
from worldwise.lab.papers.clv21 import claims
from worldwise.lab.papers.clv21.claims import SWITCHES, Configurations, Deals, Declarer, Speedups, Times, on_deals
from worldwise.lab.papers.clv21.curves import FIG_6, FIG_7, curve_table, measure_alone, time_table
from worldwise.lab.papers.clv21.declarers import DUELS, TABLE_4, TABLE_4_PIMC, duel_table, measure_together
from worldwise.lab.papers.clv21.games import PLAYERS, play_game, questions, start_of
from worldwise.lab.papers.clv21.playouts import PlayOut
from worldwise.lab.papers.clv21.switches import SWITCHED, TABLE_1, measure_switches
from worldwise.lab.papers.clv21.threads import TABLE_5, measure_threads
from worldwise.runs.rows import Setting

HOLDS, FAILS, UNDECIDED = ClaimOutcome.HOLDS, ClaimOutcome.FAILS, ClaimOutcome.UNDECIDED


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
        (TABLE_4, measure_together),
        (FIG_7, measure_alone),
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
    together, alone = measure_together(setting, 1), measure_alone(setting, 1)
    deals, times = Deals([{**setting, **together}]), Times([{**setting, **alone}])
    assert deals.declarers == times.declarers == [Declarer(1, 3), Declarer(2, 3), Declarer(1, 6), Declarer(2, 6)]
    assert deals.pimc == Declarer(1, 3)
    assert len(together["made"]) == 4
    assert len(together["parted"].split()) == 2
    assert times.column(Declarer(2, 6), "moves") == [10.0]


# ---------------------------------------------------------------------- declarers who play together

TRIO = [AlphaMuPlayer(5, depth) for depth in (1, 2, 3)]
FOR_TRICKS = [AlphaMuPlayer(5, depth, Aim.TRICKS) for depth in (1, 2)]
"""They play for something else than the trio, and so part from it."""


def together_and_alone(cards, defence, seed, opening):
    start = start_of(Setting(contract="3NT", cards=cards, opening=opening), seed)
    joint = PlayOut(start, PLAYERS[defence], seed, most=5).play_together([*TRIO, *FOR_TRICKS])
    return joint, {player: play_game(start, player, PLAYERS[defence], seed).made for player in (*TRIO, *FOR_TRICKS)}


@pytest.mark.parametrize("defence", PLAYERS)
@pytest.mark.parametrize("opening", ["random", "dds"])
@pytest.mark.parametrize("seed", range(4))
def test_who_plays_with_others_makes_what_he_makes_alone(defence, seed, opening):
    joint, alone = together_and_alone(20, defence, seed, opening)
    assert joint.made == alone


def test_declarers_part_where_they_choose_differently_and_each_goes_his_own_way():
    games = [together_and_alone(28, "random", seed, "dds") for seed in range(6)]
    assert all(joint.made == alone for joint, alone in games)
    assert any(joint.parted is not None for joint, _ in games)
    assert any(len(set(joint.made.values())) == 2 for joint, _ in games)


def test_declarers_who_all_think_alike_never_part():
    start = start_of(Setting(contract="3NT", cards=28), 1)
    same = [AlphaMuPlayer(5, 1, threads=threads) for threads in (1, 2, 3)]
    joint = PlayOut(start, PLAYERS["random"], 1, most=5).play_together(same)
    assert joint.parted is None
    assert set(joint.made) == set(same)


def test_a_contract_that_double_dummy_beats_is_not_played_out():
    class Silent(AlphaMuPlayer):
        def best(self, *asked):
            raise AssertionError(asked)

    setting = Setting(contract="7NT")
    seed = next(seed for seed in range(20) if "1" not in measure_together(TABLE_4.settings["paper"][0], seed)["made"])
    joint = PlayOut(start_of(setting, seed), PLAYERS["dds"], seed, most=20).play_together([Silent()])
    assert joint.made == {Silent(): False}


def test_configurations_are_the_papers():
    assert SWITCHES["all but W"] == (True, True, True, False, True)
    for experiment in SWITCHED:
        (setting,) = experiment.settings["paper"]
        assert experiment.published.column("switches") == tuple(SWITCHES)
        assert set(experiment.published.column("cards")) == {setting["cards"]}
        assert set(experiment.published.column("worlds")) == {setting["worlds"]}


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
    ("none", "outcome"),
    [(3.0, HOLDS), (2.0, FAILS), (2.65, HOLDS), (3.5, FAILS)],
    ids=["three times", "twice", "just", "more"],
)
def test_three_times_as_fast(none, outcome):
    assert claims.three_times_as_fast(switch_rows({"none": none, "all": 1.0})).outcome is outcome


def test_one_game_decides_nothing():
    rows = switch_rows({"none": 3.0, "all": 1.0}, games=1)
    assert claims.three_times_as_fast(rows).outcome is UNDECIDED
    assert claims.all_are_fastest(rows).outcome is UNDECIDED


@pytest.mark.parametrize(("other", "outcome"), [(1.5, HOLDS), (0.5, FAILS), (1.0, FAILS), (1.015, HOLDS)])
def test_all_are_fastest(other, outcome):
    verdict = claims.all_are_fastest(switch_rows({"all": 1.0, "all but W": other}))
    assert verdict.outcome is outcome
    assert "the next is all but W" in verdict.because


def test_tables_are_told_apart():
    rows = switch_rows({}) + [{**row, "cards": 32} for row in switch_rows({})]
    assert [str(games) for games in Configurations.of(rows)] == ["52 cards, 20 worlds", "32 cards, 20 worlds"]


def deal_rows(made, deals=1000, defence="dds"):
    """Deals of which each declarer, by M and worlds, makes the first so many of a thousand."""
    depths, worlds = (sorted({name[place] for name in made}) for place in (0, 1))
    names = [(depth, one) for one in worlds for depth in depths]
    return [
        {"defence": defence, "contract": "7NT", "parted": "-"}
        | {"depths": " ".join(map(str, depths)), "worlds": " ".join(map(str, worlds))}
        | {"made": "".join(str(int(deal < made.get(name, 0) * deals / 1000)) for name in names)}
        for deal in range(deals)
    ]


def clock_rows(seconds, deals=20):
    """Deals on which each declarer, by M and 20 worlds, takes so long for his 26 moves, now and then a little more."""
    return [
        {"depths": " ".join(map(str, seconds)), "worlds": "20"}
        | {f"{Declarer(depth, 20)}.moves": 26 for depth in seconds}
        | {f"{Declarer(depth, 20)}.seconds": time * (1 + 0.01 * (deal % 2)) for depth, time in seconds.items()}
        for deal in range(deals)
    ]


DUEL_VERDICTS = [
    ({(1, 20): 800, (2, 20): 830, (3, 20): 830}, HOLDS),
    ({(1, 20): 830, (2, 20): 800, (3, 20): 830}, FAILS),
    ({(1, 20): 800, (2, 20): 802, (3, 20): 830}, FAILS),  # too little to speak of
    ({(1, 20): 800, (2, 20): 804, (3, 20): 830}, UNDECIDED),
]


@pytest.mark.parametrize(("made", "outcome"), DUEL_VERDICTS)
def test_makes_more(made, outcome):
    assert claims.makes_more(2)(deal_rows(made)).outcome is outcome


def test_level_declarers_are_told_with_deals_enough():
    """A gain that is shown to be below one contract in a hundred is none to speak of."""
    level = {(1, 20): 800, (2, 20): 800}
    few, many = deal_rows(level, deals=200), deal_rows(level, deals=2000)
    assert claims.makes_more(2)(few).outcome is UNDECIDED
    assert claims.makes_more(2)(many).outcome is FAILS
    assert claims.makes_no_more(2, 1)(many).outcome is HOLDS


def test_more_moves_may_be_worse_than_fewer():
    rows = deal_rows({(1, 20): 800, (2, 20): 840, (3, 20): 810})
    assert claims.makes_more(3)(rows).outcome is HOLDS
    assert claims.makes_more(3, than=2)(rows).outcome is FAILS
    assert claims.makes_no_more(3, 2)(rows).outcome is HOLDS
    assert claims.makes_no_more(3, 1)(rows).outcome is FAILS


def test_contracts_are_pooled_where_both_declarers_played():
    """4S says yes and 3NT no; M = 7 played 3NT alone."""
    spades = [{**row, "contract": "4S"} for row in deal_rows({(1, 20): 800, (3, 20): 850})]
    notrumps = [{**row, "contract": "3NT"} for row in deal_rows({(1, 20): 800, (3, 20): 790, (7, 20): 850})]
    verdict = claims.makes_more(3)(spades + notrumps)
    assert verdict.outcome is HOLDS
    assert "of 2,000 deals 60 differ, and M = 3 makes 50" in verdict.because
    assert claims.makes_more(3, contract="3NT")(spades + notrumps).outcome is FAILS
    assert "of 1,000 deals 50 differ" in claims.makes_more(7)(spades + notrumps).because
    assert claims.makes_more(2)(spades + notrumps).because == "not measured"


@pytest.mark.parametrize(("differ", "outcome"), [(47, HOLDS), (90, FAILS), (52, UNDECIDED), (38, FAILS)])
def test_differs_as_often(differ, outcome):
    """4.67 % of 10,000 in the paper; 3.8 % of 4,000 is beyond what chance allows, 5.2 % may be the same."""
    rows = deal_rows({(1, 20): 300, (2, 20): 300 + differ}, deals=4000)
    verdict = claims.differs_as_often(2, 467, 10_000)(rows)
    assert verdict.outcome is outcome
    assert f"{differ / 10:.2f}%" in verdict.because
    assert "the paper 4.67%" in verdict.because


def test_more_deals_of_ours_are_no_more_deals_of_the_papers():
    """What is said to decide decides, and hardly less does: the paper's share stays as doubtful as it is."""

    def judged(times):
        rows = deal_rows({(1, 20): 0, (2, 20): 43}, deals=round(1000 * times))
        return claims.differs_as_often(2, 467, 10_000)(rows)

    times = judged(1).times
    assert judged(1).outcome is judged(0.9 * times).outcome is UNDECIDED
    assert judged(1.01 * times).outcome is HOLDS


@pytest.mark.parametrize("experiment", [*DUELS, FIG_6], ids=lambda experiment: experiment.id)
def test_nobody_peeks(experiment):
    """Every claim has as many deals as the largest scale, and no verdict before."""
    each, rows = experiment.seeds["paper"], []
    for setting in experiment.settings["paper"]:
        depths = map(int, setting["depths"].split())
        made = {(depth, 80): number for depth, number in zip(depths, (500, 900, 600), strict=False)}
        rows += [{**row, "contract": setting["contract"]} for row in deal_rows(made, deals=each)]
    for verdict in experiment.verdicts(rows[1:]):
        assert verdict.outcome is UNDECIDED
        assert verdict.because == f"not complete: {len(rows) - 1:,} of {len(rows):,} deals"
        assert verdict.needed in (len(rows), len(rows) + 1)  # rounded up
    assert {HOLDS, FAILS} & {verdict.outcome for verdict in experiment.verdicts(rows)}


def test_a_verdict_falls_when_all_deals_are_played():
    rows = deal_rows({(1, 20): 800, (2, 20): 830}, deals=1000)
    assert on_deals(1000, claims.makes_more(2))(rows).outcome is HOLDS
    assert on_deals(1001, claims.makes_more(2))(rows).outcome is UNDECIDED


def test_duel_table_counts_the_deals_that_differ():
    first, second = duel_table(deal_rows({(1, 20): 800, (2, 20): 830, (3, 20): 790})).records()
    assert (first["depth"], first["differ"].value, first["winrate"].value, first["gain"].value) == (2, 0.03, 1.0, 0.03)
    assert (second["depth"], second["differ"].value, second["winrate"].value) == (3, 0.01, 0.0)


def test_papers_win_rate_is_beside_both_depths():
    summary = duel_table(deal_rows({(1, 20): 800, (2, 20): 830, (3, 20): 790}, defence="pimc"))
    compared = TABLE_4_PIMC.compare(summary, TABLE_4_PIMC.published).records()
    assert [(record["depth"], float(record["paper"])) for record in compared] == [(2, 0.551), (3, 0.551)]


CURVES = [
    (claims.levels_off, {(1, 20): 700, (1, 80): 800, (1, 160): 803, (1, 320): 804}, HOLDS),
    (claims.levels_off, {(1, 80): 700, (1, 160): 800, (1, 320): 804}, FAILS),
    (claims.levels_off, {(1, 80): 700, (1, 160): 720}, UNDECIDED),
    (claims.levels_off, {(1, 20): 800, (1, 40): 800}, UNDECIDED),
    (claims.higher_asymptote, {(1, 20): 900, (1, 80): 800, (2, 80): 830, (3, 80): 840}, HOLDS),
    (claims.higher_asymptote, {(1, 80): 800, (2, 80): 700}, FAILS),
    (claims.higher_asymptote, {(1, 80): 800, (2, 80): 800}, FAILS),
    (claims.higher_asymptote, {(1, 80): 800, (2, 80): 804}, UNDECIDED),
    (claims.higher_asymptote, {(1, 40): 800, (2, 40): 900}, UNDECIDED),
]


@pytest.mark.parametrize(("claim", "made", "outcome"), CURVES, ids=lambda value: getattr(value, "__name__", ""))
def test_claims_about_curves(claim, made, outcome):
    assert claim(deal_rows(made)).outcome is outcome


def test_few_deals_that_never_differ_decide_nothing():
    assert claims.levels_off(deal_rows({(1, 80): 800, (1, 160): 800}, deals=20)).outcome is UNDECIDED


def test_a_mean_of_gains_is_surer_where_its_pairs_differ_on_different_deals():
    """M = 2 and M = 3 make deals that PIMC does not: the same ones, or each his own."""

    def made(second, third):
        rows = deal_rows({(1, 20): 0, (2, 20): 0, (3, 20): 0}, deals=200)
        for number, row in enumerate(rows):
            row["made"] = f"0{int(number in second)}{int(number in third)}"
        return Deals(rows)

    pairs = [(Declarer(depth, 20), Declarer(1, 20)) for depth in (2, 3)]
    same, apart = made(range(20), range(20)), made(range(20), range(20, 40))
    assert same.mean_gain(pairs) == same.mean_gain(pairs[:1])
    assert same.mean_gain(pairs).low == pytest.approx(same.gain(*pairs[0]).low)
    assert apart.mean_gain(pairs).value == pytest.approx(0.1)
    width = [one.high - one.low for one in (same.mean_gain(pairs), apart.mean_gain(pairs))]
    assert width[1] < 0.8 * width[0]


def test_curves_have_their_gain_on_pimc():
    records = curve_table(deal_rows({(1, 20): 700, (2, 20): 720, (1, 40): 710, (2, 40): 750})).records()
    gains = {(record["depth"], record["worlds"]): record["gain on PIMC"] for record in records}
    assert (gains[1, 40], gains[2, 40].value) == (None, 0.04)


@pytest.mark.parametrize(("seconds", "outcome"), [(0.3, HOLDS), (0.9, FAILS)])
def test_close_in_time(seconds, outcome):
    rows = clock_rows({1: 0.1, 2: seconds})
    assert claims.close_in_time(rows).outcome is outcome
    assert time_table(rows).records()[1]["times PIMC"] == pytest.approx(10 * seconds)


@pytest.mark.parametrize(
    ("two", "processor", "outcome"), [(0.5, 0.99, HOLDS), (0.62, 0.99, FAILS), (0.5, 0.6, UNDECIDED)]
)
def test_twice_as_fast(two, processor, outcome):
    rows = [
        {"cards": 52, "worlds": worlds, "2.1.seconds": 1.0, "2.2.seconds": two + 0.001 * game}
        | {"2.1.processor": processor, "2.2.processor": processor}
        for worlds in (40, 80)
        for game in range(10)
    ]
    assert claims.twice_as_fast(rows).outcome is outcome
    assert claims.twice_as_fast(rows[:10]).outcome is UNDECIDED
    assert [games.depths for games in Speedups.of(rows)] == [[2], [2]]
