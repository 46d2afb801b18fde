"""PNS06's experiments: the paper's tables, who plays whom by which rules, rows that resume, claims that can fail."""

from functools import cache
from itertools import product
from math import comb

import pytest

from worldwise.errors import InputError
from worldwise.kriegspiel.players.names import player_name, read_player
from worldwise.kriegspiel.players.searchers import MixedPlayer, OverconfidentPlayer, ParanoidPlayer
from worldwise.kriegspiel.rules.squares import WHITE
from worldwise.lab.experiment import ClaimOutcome, Verdict
from worldwise.lab.papers.pns06 import claims
from worldwise.lab.papers.pns06.budgets import (
    BUDGETS,
    beats_paranoid,
    more_boards_do_not_help,
    more_boards_help,
    three_catches_up,
)
from worldwise.lab.papers.pns06.caution import CAUTION, CAUTIONS, costs_less_against_hs, some_is_better
from worldwise.lab.papers.pns06.choices import CHANGES, CHOICES, WITH, puts_ahead
from worldwise.lab.papers.pns06.claims import DEPTHS, LONG, OVERCONFIDENT, PARANOID, SHORT
from worldwise.lab.papers.pns06.games import SAMPLES, Contender, contenders, measure_game, number_games, rules_of
from worldwise.lab.papers.pns06.overconfidence import FIG_2, FIG_3, FIG_5, duel
from worldwise.lab.papers.pns06.rand import RAND, colours_win_about_as_often, measure_result
from worldwise.lab.papers.pns06.sampler import SAMPLER, against
from worldwise.lab.papers.pns06.scores import Score
from worldwise.lab.papers.pns06.speed import FIG_4, as_many_as_wanted, falls_with_depth, measure_boards, moment
from worldwise.lab.plan import Plan, carry_out
from worldwise.lab.results import read_results
from worldwise.runs.rows import Setting
from worldwise.runs.runners import Serial

HOLDS, FAILS, UNDECIDED = ClaimOutcome.HOLDS, ClaimOutcome.FAILS, ClaimOutcome.UNDECIDED
ALL = (FIG_2, FIG_3, FIG_5, FIG_4, RAND, BUDGETS, CAUTION, CHOICES, SAMPLER)


# ---------------------------------------------------------------------- the paper's tables, in its own layout

PAPER_2 = """
1 48 1 47 47 1 46
2 50 1 49 55 2 53
3 32 5 27 43 6 37
1 5 2 3 4 4 0
2 29 3 26 31 1 30
3 22 4 18 27 4 23
"""

PAPER_3 = """
1 19 5 14 26 2 24
2 16 7 8 18 5 12
3 10 18 -8 13 14 -1
1 2 7 -5 1 6 -4
2 5 5 0 7 4 3
3 4 14 -10 5 13 -9
"""

PAPER_5 = """
1 8 1 15 2 12 2
2 22 4 19 5 16 17
3 24 4 31 4 16 14
"""


def numbers(text):
    return [list(map(int, line.split())) for line in text.strip().splitlines()]


def percent(*rates):
    return [round(100 * rate) for rate in rates]


@pytest.mark.parametrize(("experiment", "paper"), [(FIG_2, PAPER_2), (FIG_3, PAPER_3)], ids=["fig-2", "fig-3"])
def test_figs_2_and_3_are_the_papers(experiment, paper):
    cells = {}
    for player, (depth, *row) in zip([OVERCONFIDENT] * 3 + [PARANOID] * 3, numbers(paper), strict=True):
        cells |= {(player, depth, SHORT): row[:3], (player, depth, LONG): row[3:]}
    records = experiment.published.records()
    found = {(r["player"], r["depth"], r["seconds"]): percent(r["w"], r["l"], r["EU"]) for r in records}
    assert found == cells
    assert len(records) == 12
    assert all(abs(w - lost - eu) <= 1 for w, lost, eu in found.values())


def test_fig_5_is_the_papers():
    cells = {}
    for other, *row in numbers(PAPER_5):
        cells |= {(depth, other): row[2 * depth - 2 : 2 * depth] for depth in DEPTHS}
    found = {(r["depth"], r["against_depth"]): percent(r["w"], r["l"]) for r in FIG_5.published.records()}
    assert found == cells
    assert all(r["EU"] == pytest.approx(r["w"] - r["l"]) for r in FIG_5.published.records())


def test_boards_are_the_papers():
    assert [SAMPLES[depth, seconds] for seconds in (30, 90) for depth in DEPTHS] == [1683, 321, 67, 3145, 662, 190]
    cells = {(s["depth"], s["seconds"], s["boards"]) for s in FIG_3.settings["paper"]}
    assert cells == {(depth, seconds, boards) for (depth, seconds), boards in SAMPLES.items()}


@pytest.mark.parametrize("experiment", [FIG_2, FIG_3, FIG_5, SAMPLER], ids=lambda experiment: experiment.id)
def test_every_published_cell_is_played_500_times_with_both_colours(experiment):
    names = experiment.published.columns[:3]
    played = [tuple(s[name] for name in names) for s in experiment.settings["paper"] if s["player"] != "rand"]
    cells = [tuple(record[name] for name in names) for record in experiment.published.records()]
    assert {cell: played.count(cell) for cell in cells} == dict.fromkeys(cells, 500)
    assert sum(s["game"] % 2 for s in experiment.settings["paper"]) == len(experiment.settings["paper"]) / 2


# ---------------------------------------------------------------------- who plays whom


def test_contenders_are_players():
    one, other = contenders(duel(2, 1))
    assert read_player(one.text) == OverconfidentPlayer(depth=2, boards=321, pool=1000, mates=False)
    assert read_player(other.text) == ParanoidPlayer(depth=1, boards=1683, pool=1683, mates=False)
    mixed = contenders(CAUTION.settings["laptop"][1])[0]
    assert read_player(mixed.text) == MixedPlayer(depth=1, boards=1683, pool=1683, mates=False, caution=0.1)


@pytest.mark.parametrize("scale", ["laptop", "paper"])
@pytest.mark.parametrize("experiment", ALL, ids=lambda experiment: experiment.id)
def test_every_contender_can_be_read(experiment, scale):
    settings = [setting for setting in experiment.settings[scale] if setting.get("game") == 1]
    texts = {contender.text for setting in settings for contender in contenders(setting)}
    assert bool(texts) == (experiment is not FIG_4)
    assert all(player_name(read_player(text)) for text in texts)


def test_pools_grow_with_the_boards_up_to_a_bound():
    assert [Contender(OVERCONFIDENT, 1, boards).pool for boards in (67, 16_830, 168_300)] == [1000, 16_830, 20_000]


def test_each_choice_changes_both_who_search_and_nothing_else():
    duels = [setting for setting in CHOICES.settings["laptop"] if setting["game"] == 1 and setting["against"] == P]
    changed = {str(setting["change"]): contenders(setting) for setting in duels}
    assert changed.keys() == {"nothing", *CHANGES}
    options = {change: {contender.text.split("mates=")[1] for contender in both} for change, both in changed.items()}
    assert options.pop("guaranteed mates") == {"on"}
    assert options.pop("material alone") == {"off,leaf=material"}
    assert options.pop("boards run out") == {"off,refill=off"}
    assert options.pop("few after refusals") == {"off,again=0.067"}
    assert options.pop("words, boards, refusals") == {"off,refill=off,again=0.067"}
    assert all(found == {"off"} for found in options.values())


def test_boards_run_out_for_both_and_all_else_is_as_in_the_paper():
    """Fig 2's column of 30 seconds and the diagonal of Fig 5."""
    columns = {(r["player"], r["depth"]): r["EU"] for r in FIG_2.published.records() if r["seconds"] == SHORT}
    diagonal = {r["depth"]: r["EU"] for r in FIG_5.published.records() if r["depth"] == r["against_depth"]}
    found = {(r["player"], r["against"], r["depth"]): r["EU"] for r in SAMPLER.published.records()}
    assert found == {
        **{(player, "rand", depth): eu for (player, depth), eu in columns.items()},
        **{(OVERCONFIDENT, PARANOID, depth): eu for depth, eu in diagonal.items()},
    }
    like = {Setting(**{name: one[name] for name in one if name != "refill"}) for one in SAMPLER.settings["paper"]}
    column = {one for one in FIG_2.settings["paper"] if one["seconds"] == SHORT}
    assert like == column | {one for one in FIG_5.settings["paper"] if one["depth"] == one["against_depth"]}
    players = [one for setting in SAMPLER.settings["laptop"][:9] for one in contenders(setting) if one.depth]
    assert all(not read_player(one.text).refill for one in players)


def test_a_claim_is_judged_by_games_against_one_opponent():
    games = [{"against": "rand", "score": 1}, {"against": PARANOID, "score": -1}]
    judged = against("rand", lambda rows, confidence: Verdict.of(len(rows) == 1, "one game"))
    assert judged(games).outcome is HOLDS


def test_mates_are_off_unless_asked_for():
    settings = [*FIG_2.settings["laptop"], *FIG_3.settings["laptop"], *FIG_5.settings["laptop"]]
    texts = {contender.text for setting in settings for contender in contenders(setting)}
    assert {"rand", "HS:mates=off"} < texts
    assert all("mates=off" in text for text in texts - {"rand"})


def test_draws_are_the_papers_or_those_of_chess():
    ours, chess = rules_of(Setting()), rules_of(Setting(draws="chess", rules="umd"))
    assert (ours.name, ours.ply_limit, ours.quiet_limit, ours.fifty, ours.repetition) == (
        "wild16",
        160,
        50,
        False,
        False,
    )
    assert (chess.name, chess.ply_limit, chess.quiet_limit, chess.fifty, chess.repetition) == (
        "umd",
        None,
        None,
        True,
        True,
    )


def test_a_run_cut_short_has_as_many_games_of_every_cell():
    cells = [Setting(depth=depth) for depth in DEPTHS]
    assert [(s["game"], s["depth"]) for s in number_games(cells, games=2)] == [(g, d) for g in (1, 2) for d in DEPTHS]


@pytest.mark.parametrize(("seed", "winner"), [(2, "black"), (30, "white")])
def test_the_player_has_white_in_odd_games(seed, winner):
    odd, even = (measure_game(Setting(player="rand", against="rand", game=number), seed) for number in (3, 4))
    assert odd["winner"] == even["winner"] == winner
    assert odd["score"] == -even["score"] == (1 if winner == "white" else -1)


def test_games_end_by_the_papers_limits():
    game = measure_game(Setting(player="rand", against="rand", game=1), 0)
    assert (game["end"], game["plies"], game["score"]) == ("plies", 160, 0)


# ---------------------------------------------------------------------- smoke runs


@pytest.mark.parametrize("experiment", [FIG_5, CAUTION], ids=lambda experiment: experiment.id)
def test_a_run_resumes_where_it_was_cut(experiment, tmp_path):
    plan = Plan(experiment, "smoke")
    assert carry_out(plan, tmp_path, Serial()) == len(plan.pairs)
    whole, path = read_results(plan, tmp_path), tmp_path / plan.file_name
    path.write_text("".join(path.read_text().splitlines(keepends=True)[:-1]))
    assert not read_results(plan, tmp_path).complete
    assert carry_out(plan, tmp_path, Serial()) == 1
    assert read_results(plan, tmp_path).rows == whole.rows
    assert len(whole.comparison.rows)


# ---------------------------------------------------------------------- scores


def outcomes(games):
    return ((w, lost) for w in range(games + 1) for lost in range(games + 1 - w))


@pytest.mark.parametrize("games", [1, 2, 17])
def test_utility_lies_in_its_interval_and_turns_with_the_sides(games):
    for wins, losses in outcomes(games):
        eu, turned = Score(wins, losses, games).utility(), Score(losses, wins, games).utility()
        assert max(-eu.low, eu.high) <= 1 + 1e-9
        assert eu.low <= eu.value == wins / games - losses / games <= eu.high
        assert (turned.low, turned.high) == pytest.approx((-eu.high, -eu.low))


@pytest.mark.parametrize(("win", "lose"), [(0.5, 0.01), (0.16, 0.17), (0.05, 0.02), (0.45, 0.45)])
def test_utility_is_in_its_interval_as_often_as_it_says(win, lose):
    games, covered = 60, 0.0
    for wins, losses in outcomes(games):
        chance = comb(games, wins) * comb(games - wins, losses) * win**wins * lose**losses
        chance *= (1 - win - lose) ** (games - wins - losses)
        covered += chance * (win - lose in Score(wins, losses, games).utility())
    assert 0.93 < covered < 0.99


def test_gains_turn_with_the_sides():
    one, other = Score(50, 1, 100), Score(29, 3, 100)
    gain, loss = one.gain(other), other.gain(one)
    assert (gain.low, gain.value, gain.high) == pytest.approx((-loss.high, -loss.value, -loss.low))
    assert one.gain(other, 0.999).low < gain.low


def test_scores_add_up():
    assert Score.of([{"score": 1}, {"score": 0}]) + Score.of([{"score": -1}]) == Score(1, 1, 3)


@pytest.mark.parametrize("wrong", [(1, 1, 1), (0, 0, 0), (-1, 0, 3)])
def test_scores_are_of_games(wrong):
    with pytest.raises(InputError, match="among at least one game"):
        Score(*wrong)


# ---------------------------------------------------------------------- claims on made-up rows


def games(wins, losses, count=500, **names):
    """So many games of a cell, in percent won and lost."""
    won, lost = wins * count // 100, losses * count // 100
    points = [1] * won + [-1] * lost + [0] * (count - won - lost)
    return [{**names, "score": score, "plies": 100, "winner": None} for score in points]


def table(*cells, count=500, **names):
    """Rows of cells (player, depth, seconds, w, l)."""
    return [
        row
        for player, depth, seconds, w, lost in cells
        for row in games(w, lost, count, player=player, depth=depth, seconds=seconds, **{"against": "rand", **names})
    ]


@cache
def papers(experiment, count=500):
    """The paper's own numbers as rows."""
    records = experiment.published.records()
    return table(*((r["player"], r["depth"], r["seconds"], *percent(r["w"], r["l"])) for r in records), count=count)


def turned(rows):
    """The same with the players changed."""
    other = {OVERCONFIDENT: PARANOID, PARANOID: OVERCONFIDENT}
    return [{**row, "player": other[row["player"]]} for row in rows]


O, P = OVERCONFIDENT, PARANOID  # noqa: E741

CELLS = [
    (claims.better_at_each_depth, papers(FIG_2), HOLDS),
    (claims.better_at_each_depth, turned(papers(FIG_2)), FAILS),
    (claims.better_at_each_depth, papers(FIG_2, 20), UNDECIDED),
    (claims.better_at_each_depth, table((O, 1, 30, 50, 1)), UNDECIDED),
    (claims.usually_better, papers(FIG_3), HOLDS),
    (claims.usually_better, turned(papers(FIG_3)), FAILS),
    (claims.usually_better, papers(FIG_3, 8), UNDECIDED),
    (claims.about(O, 2, 0.50, 0.01), papers(FIG_2), HOLDS),
    (claims.about(O, 2, 0.50, 0.01), turned(papers(FIG_2)), FAILS),
    (claims.about(O, 2, 0.50, 0.01), papers(FIG_2, 20), UNDECIDED),
    (claims.about(O, 2, 0.50, 0.01), table((O, 2, 30, 50, 12)), FAILS),
    (claims.about(P, 2, 0.29, 0.03), table((O, 2, 30, 29, 3)), UNDECIDED),
    (claims.three_is_worse_than_two, table((O, 2, 30, 50, 1), (O, 3, 30, 32, 5)), HOLDS),
    (claims.three_is_worse_than_two, table((O, 2, 30, 32, 5), (O, 3, 30, 50, 1)), FAILS),
    (claims.three_is_worse_than_two, papers(FIG_2, 20), UNDECIDED),
    (claims.depth_one_needs_no_time, papers(FIG_2), HOLDS),
    (claims.depth_one_needs_no_time, table((O, 1, 30, 20, 5), (O, 1, 90, 50, 5)), FAILS),
    (claims.depth_one_needs_no_time, table((O, 1, 30, 20, 5), (O, 2, 90, 50, 5)), UNDECIDED),
    (claims.more_time_helps(3), papers(FIG_2), HOLDS),
    (claims.more_time_helps(3), table((O, 3, 90, 20, 5), (O, 3, 30, 50, 5)), FAILS),
    (claims.more_time_helps(2, 3), papers(FIG_2), HOLDS),
    (claims.more_time_helps(2, 3), table((O, 2, 30, 50, 1), (O, 2, 90, 51, 1)), FAILS),
    (claims.more_time_helps(2, 3), papers(FIG_2, 20), UNDECIDED),
    (claims.more_time_does_not_help, table((P, 2, 30, 29, 3), (P, 2, 90, 28, 3)), HOLDS),
    (claims.more_time_does_not_help, table((P, 2, 30, 29, 3), (P, 2, 90, 50, 3)), FAILS),
    (claims.more_time_does_not_help, table((P, 2, 30, 29, 3)), UNDECIDED),
    (claims.overconfident_beats, papers(FIG_3), HOLDS),
    (claims.overconfident_beats, table((O, 1, 30, 5, 19)), FAILS),
    (claims.overconfident_beats, table((P, 1, 30, 50, 0)), UNDECIDED),
    (claims.both_usually_beat, table((O, 1, 30, 19, 5), (P, 2, 30, 25, 5), (P, 3, 30, 4, 9)), HOLDS),
    (claims.both_usually_beat, table((O, 1, 30, 19, 5), (P, 2, 30, 5, 30)), FAILS),
    (claims.both_usually_beat, table((O, 1, 30, 19, 5), (P, 2, 30, 15, 5), count=20), UNDECIDED),
    (claims.both_usually_beat, table((O, 1, 30, 19, 5)), UNDECIDED),
    (claims.worse_with_depth, papers(FIG_3), HOLDS),
    (claims.worse_with_depth, table((O, 1, 30, 10, 18), (O, 2, 30, 16, 7), (O, 3, 30, 19, 5)), FAILS),
    (claims.worse_with_depth, table((O, 1, 30, 30, 5), (O, 2, 30, 60, 5), (O, 3, 30, 10, 5)), FAILS),
    (claims.worse_with_depth, table((O, 1, 30, 30, 5)), UNDECIDED),
    (claims.worse_with_depth, table((O, 1, 30, 0, 100), (O, 2, 30, 100, 0), count=10), FAILS),
    (claims.worse_with_depth, table((O, 1, 30, 0, 100), (O, 2, 30, 100, 0), count=1), UNDECIDED),
]


@pytest.mark.parametrize(("claim", "rows", "outcome"), CELLS)
def test_claims_about_cells(claim, rows, outcome):
    verdict = claim(rows)
    assert (verdict.outcome, bool(verdict.because)) == (outcome, True)


@pytest.mark.parametrize(
    ("white", "black", "count", "outcome"),
    [(6, 6, 20_000, HOLDS), (6, 4, 20_000, FAILS), (4, 4, 5_000, FAILS), (4, 4, 100, UNDECIDED)],
)
def test_rand_against_itself(white, black, count, outcome):
    won = [colour for colour, share in (("white", white), ("black", black)) for _ in range(share * count // 100)]
    rows = [{"player": "rand", "against": "rand", "winner": one} for one in [*won, *[None] * (count - len(won))]]
    assert colours_win_about_as_often(rows).outcome is outcome


def test_a_game_of_rand_can_be_played_again_from_its_number():
    """Its tries are not kept, for there are thousands of them."""
    setting = Setting(player="rand", against="rand", game=3)
    whole = measure_game(setting, 2)
    assert measure_result(setting, 2) == {name: whole[name] for name in whole if name != "tries"}


def duels(*cells, count=500):
    return [row for depth, other, w, lost in cells for row in games(w, lost, count, depth=depth, against_depth=other)]


PAPERS_DUELS = [(depth, other, *row[2 * depth - 2 : 2 * depth]) for other, *row in numbers(PAPER_5) for depth in DEPTHS]


def test_head_to_head():
    assert claims.usually_beats_paranoid(duels(*PAPERS_DUELS)).outcome is HOLDS
    assert claims.usually_beats_paranoid(duels(*((d, o, lost, w) for d, o, w, lost in PAPERS_DUELS))).outcome is FAILS
    assert claims.usually_beats_paranoid(duels(*PAPERS_DUELS, count=20)).outcome is HOLDS
    assert claims.usually_beats_paranoid(duels((1, 1, 40, 30), (2, 2, 40, 30), count=20)).outcome is UNDECIDED


def test_head_to_head_at_one_depth():
    rows = duels((2, 2, 10, 60), (3, 3, 60, 10), count=50)
    assert claims.beats_at_depth(3)(rows).outcome is HOLDS
    assert claims.beats_at_depth(2)(rows).outcome is FAILS
    assert claims.beats_at_depth(1)(rows).outcome is UNDECIDED


def test_every_cell_counts_alike_however_many_games_it_has():
    """One cell with most of the games does not speak for the others."""
    many, few = duels((1, 1, 60, 0), count=1000), duels((2, 2, 0, 60), (3, 3, 0, 60), count=50)
    assert claims.usually_beats_paranoid(many + few).outcome is FAILS
    assert "-20.0%" in claims.usually_beats_paranoid(many + few).because


def test_depth_two_does_best():
    clear = [(d, o, 40 if d == 2 else 10, 5) for d, o in product(DEPTHS, DEPTHS)]
    assert claims.two_does_best(duels(*clear)).outcome is HOLDS
    assert claims.two_does_best(duels(*((d, o, 45 - w, lost) for d, o, w, lost in clear))).outcome is FAILS
    assert claims.two_does_best(duels(*clear[:4])).because == "4 of 9 cells measured"


def test_no_depth_is_judged_by_easier_opponents():
    """Against each depth all do the same, but depth 2 has most of its games against the strongest."""
    cells = {(d, o): duels((d, o, 40 - 10 * o, 0), count=100) for d, o in product(DEPTHS, DEPTHS)}
    cells[2, 3] += 9 * cells[2, 3]
    uneven = [row for games in cells.values() for row in games]
    assert claims.two_does_best(uneven).because.count(": +0.0%") == 2


def budgets(*cells, count=500):
    """Rows of cells (player, against, depth, times, w, l)."""
    names = ("player", "against", "depth", "times")
    return [row for *key, w, lost in cells for row in games(w, lost, count, **dict(zip(names, key, strict=True)))]


BUDGET_CASES = [
    (more_boards_help, [(O, "rand", 2, 1, 30, 1), (O, "rand", 2, 100, 60, 1)], HOLDS),
    (more_boards_help, [(O, "rand", 2, 1, 60, 1), (O, "rand", 2, 100, 30, 1)], FAILS),
    (more_boards_help, [(O, "rand", 2, 1, 60, 1), (P, "rand", 2, 100, 30, 1)], UNDECIDED),
    (more_boards_do_not_help, [(P, "rand", 1, 1, 30, 1), (P, "rand", 1, 10, 30, 1)], HOLDS),
    (more_boards_do_not_help, [(P, "rand", 1, 1, 30, 1), (P, "rand", 1, 10, 60, 1)], FAILS),
    (more_boards_do_not_help, [(P, "rand", 1, 1, 30, 1)], UNDECIDED),
    (three_catches_up, [(O, "rand", 2, 1, 50, 1), (O, "rand", 3, 10, 52, 1)], HOLDS),
    (three_catches_up, [(O, "rand", 2, 1, 50, 1), (O, "rand", 3, 10, 20, 1)], FAILS),
    (three_catches_up, [(O, "rand", 2, 1, 50, 1), (O, "rand", 3, 1, 60, 1)], UNDECIDED),
    (beats_paranoid(1, 2), [(O, P, 2, 10, 30, 5), (O, P, 3, 10, 5, 60)], HOLDS),
    (beats_paranoid(1, 2), [(O, P, 2, 10, 5, 30)], FAILS),
    (beats_paranoid(1, 2), [(O, P, 2, 10, 30, 30)], FAILS),
    (beats_paranoid(1, 2), [(O, P, 2, 1, 30, 5)], UNDECIDED),
    (beats_paranoid(3), [(O, P, 3, 10, 30, 5), (O, P, 2, 10, 5, 60)], HOLDS),
    (beats_paranoid(3), [(O, P, 3, 10, 5, 30)], FAILS),
]


@pytest.mark.parametrize(("claim", "cells", "outcome"), BUDGET_CASES)
def test_claims_about_budgets(claim, cells, outcome):
    assert claim(budgets(*cells)).outcome is outcome


def test_a_few_games_with_most_boards_leave_those_with_more_to_speak():
    """Two games lost with a hundred times the boards say nothing, and do not keep 500 with ten times from speaking."""
    enough = budgets((O, "rand", 3, 1, 30, 1), (O, "rand", 3, 10, 60, 1))
    few = budgets((O, "rand", 3, 100, 0, 100), count=2)
    assert more_boards_help(enough + few) == more_boards_help(enough)
    assert "100 x less 1 x" in more_boards_help(enough[:9] + few).because


def cautious(wins, against="rand", depth=2, count=500):
    """Rows of one depth with so many percent won at each caution."""
    pairs = zip(CAUTIONS, wins, strict=True)
    return [row for caution, w in pairs for row in games(w, 5, count, against=against, depth=depth, caution=caution)]


@pytest.mark.parametrize(
    ("wins", "count", "outcome"),
    [
        ([30, 30, 60, 50, 40, 20], 500, HOLDS),
        ([60, 40, 40, 40, 40, 20], 500, FAILS),
        ([40, 40, 42, 40, 40, 60], 1_000, FAILS),
        ([40, 60, 40, 40, 40, 20], 50, UNDECIDED),
    ],
    ids=["some", "none", "alike", "few games"],
)
def test_some_caution_is_better(wins, count, outcome):
    assert some_is_better("rand")(cautious(wins, count=count)).outcome is outcome
    assert some_is_better("HS")(cautious(wins, count=count)).outcome is UNDECIDED


def test_costs_less_against_hs():
    much, little = [60, 50, 40, 30, 20, 10], [30, 30, 30, 30, 30, 28]
    assert costs_less_against_hs(cautious(much) + cautious(little, "HS")).outcome is HOLDS
    assert costs_less_against_hs(cautious(little) + cautious(much, "HS")).outcome is FAILS
    assert costs_less_against_hs(cautious(little) + cautious(little, "HS")).outcome is UNDECIDED
    assert costs_less_against_hs(cautious(much)).outcome is UNDECIDED


@pytest.mark.parametrize(
    ("w", "lost", "count", "outcome"),
    [(50, 20, 100, HOLDS), (20, 50, 100, FAILS), (30, 30, 1_000, FAILS), (50, 40, 20, UNDECIDED)],
)
def test_puts_overconfident_play_ahead(w, lost, count, outcome):
    like = {"player": O, "against": P, "depth": 3}
    rows = games(50, 1, 1000, **like, change="nothing") + games(w, lost, count, **like, change="guaranteed mates")
    assert puts_ahead("guaranteed mates")(rows).outcome is outcome
    assert puts_ahead("material alone")(rows).outcome is UNDECIDED


def test_every_change_has_a_claim():
    """Boards that run out have theirs where their games are."""
    assert {*WITH, "boards run out"} == {*CHANGES}


# ---------------------------------------------------------------------- Fig 4


def test_a_moment_is_whites_turn_in_the_middle_of_a_game():
    setting = Setting(depth=1, ply=8, boards=10)
    view, boards = moment(setting, 3)
    assert view.colour is WHITE
    assert len(boards) > 20
    assert all(board.turn is WHITE for board in list(boards)[:20])
    assert measure_boards(setting, 3)["searched"] == 10


def rates(*boards, positions=12):
    """Positions at which each depth searches so many boards in 30 seconds."""
    return [
        {"depth": depth, "searched": number, "processor": 30.0}
        for depth, number in enumerate(boards, 1)
        for _ in range(positions)
    ]


def test_boards_a_second():
    assert as_many_as_wanted(rates(2_000_000, 60_000, 2_000)).outcome is HOLDS
    assert as_many_as_wanted(rates(2_000_000, 60_000, 1_000)).outcome is FAILS
    assert as_many_as_wanted(rates(2_000_000, 60_000)).outcome is UNDECIDED
    assert as_many_as_wanted(rates(2_000, 60, 2, positions=3)).outcome is UNDECIDED
    assert falls_with_depth(rates(1683, 321, 67)).outcome is HOLDS
    assert falls_with_depth(rates(1683, 1600, 67)).outcome is FAILS
    assert falls_with_depth(rates(1683)).outcome is UNDECIDED
    assert FIG_4.summary(rates(1683, 321, 67)).column("boards") == (1683, 321, 67, 5049, 963, 201)
