"""The command for a single suit: answers, exit codes, one clear line on bad input."""

import json
from functools import partial
from xml.etree import ElementTree

import pytest

from command_alone import run as run_alone
from worldwise.bridge.suit.line_trees import read_line_json
from worldwise.kernels import SWITCH
from worldwise.search.algorithms import ALGORITHMS

KEYS = ["north", "south", "goals", "expected_tricks", "double_dummy"]
CHANCES = ["chance", "probability", "double_dummy_chance", "double_dummy_probability"]
GOAL_KEYS = ["tricks", *CHANCES, "at_least", "average", "overtrick_line", "first_plays", "line", "winning_layouts"]


@pytest.fixture
def run(worldwise_command):
    return partial(worldwise_command, "suit")


# ---------------------------------------------------------------------- answers


def test_a_table_over_goals(run):
    done = run("AKQ9", "32")
    assert done.returncode == 0
    assert "24.00 %" in done.stdout
    assert "30.14 %" in done.stdout
    assert "3.2400" in done.stdout
    assert "price of strategy fusion" in done.stdout
    assert "Finesse the nine" in done.stdout
    assert "the defenders have JT 87654" in done.stdout


def test_json_has_the_keys_programs_rely_on(run):
    answer = run("AKQ9", "32", "--json").json
    assert list(answer) == KEYS
    assert (answer["north"], answer["south"]) == ("AKQ9", "32")
    assert [goal["tricks"] for goal in answer["goals"]] == [1, 2, 3, 4]
    assert all(list(goal) == GOAL_KEYS for goal in answer["goals"])
    best = answer["goals"][3]
    assert (best["probability"], best["first_plays"]) == (0.24, ["S2"])
    assert best["line"].startswith("Finesse the nine")
    assert answer["expected_tricks"] == pytest.approx(3.24)
    assert answer["double_dummy"] == pytest.approx(3.301366, abs=1e-6)


def test_layouts_in_json_add_up(run):
    for goal in run("AQT98", "5432", "--json").json["goals"]:
        layouts = goal["winning_layouts"]
        assert sum(layout["probability"] for layout in layouts) == pytest.approx(goal["probability"])
    assert layouts[0].keys() == {"west", "east", "ways", "chance", "probability"}


def test_one_goal_is_at_the_top_too(run):
    answer = run("AJ98", "K32", "--tricks", 4, "--json").json
    assert answer["tricks"] == 4
    assert answer["probability"] == pytest.approx(0.29, abs=5e-4)
    assert answer["double_dummy_probability"] == pytest.approx(0.647, abs=5e-4)
    assert [{key: answer[key] for key in GOAL_KEYS}] == answer["goals"]


def test_one_goal(run):
    done = run("QJ98", "32", "--tricks", 2)
    assert done.returncode == 0
    assert "50.73 %; 64.45 % if you saw all cards" in done.stdout
    assert "S2 50.73 %" in done.stdout
    assert "expected" not in done.stdout


def test_spots_tens_voids_and_small_letters(run):
    assert run("akq9", "xx", "--json").json == run("AKQ9", "32", "--json").json
    assert run("A10x", "-", "--json").json["north"] == "AT2"
    assert run("-", "A", "--json").json["goals"][0]["probability"] == 1


def test_layouts(run):
    done = run("AKQ9", "32", "--tricks", 4, "--layouts")
    assert "JTxx–xxx" in done.stdout
    assert "x: any of 87654" in done.stdout
    lines = [line for line in done.stdout.splitlines() if line.startswith("│")]
    assert len(lines) == 8
    assert "all" in lines[0]
    assert "none" in lines[-1]
    # Without a goal, those that are neither sure nor out of reach.
    assert run("AKQ9", "32", "--layouts").stdout.count("can be won") == 1


def test_vacant_places(run):
    """With all but seven of East's cards known, West's share grows."""
    usual = run("AQ", "32", "--tricks", 2, "--json").json["probability"]
    told = run("AQ", "32", "--tricks", 2, "--west-cards", 13, "--east-cards", 7, "--json").json["probability"]
    assert (usual, told) == (0.5, pytest.approx(13 / 20))
    assert "vacant places: West 13, East 7" in run("AQ", "32", "--east-cards", 7).stdout


def test_cards_and_lengths_that_are_known(run):
    found = run("AQT9", "432", "--west", "K", "--west-length", "3+")
    assert "West has K\nWest has at least 3 cards of the suit" in found.stdout
    assert run("AQ", "32", "--east", "K", "--tricks", 2, "--json").json["probability"] == pytest.approx(13 / 10925)
    assert run("AQ", "32", "--east", "K", "--json").json["assumptions"] == ["East has K"]


def test_ruffs_and_suits_that_the_defenders_lead(run):
    assert "a hand that is out of the suit can ruff: 2 ruffs" in run("A5432", "6", "--ruffs", 2).stdout
    led = run("Q32", "J54", "--defenders-lead", "always", "--tricks", 1)
    assert "chance  100.00 %" in led.stdout
    assert "plays" not in led.stdout


def test_splits(run):
    sure = run("AK", "32", "--splits", "4=1", "--layouts", "--tricks", 2)
    assert "West holds 4 with 100.00 %" in sure.stdout
    half = run("AQT98", "5432", "--tricks", 5, "--splits", "2=0.4,3=3/5", "--json").json
    assert {len(layout["west"]) for layout in half["winning_layouts"]} <= {2, 3}


def test_gone(run):
    done = run("AJ76", "5432", "--gone", "KT", "--json")
    assert done.json["goals"][3]["probability"] > run("AJ76", "5432", "--json").json["goals"][3]["probability"]
    assert "played already: KT" in run("AJ76", "5432", "--gone", "KT").stdout


def test_entries_may_make_a_goal_impossible_which_is_an_answer(run):
    done = run("AKQ9", "32", "--tricks", 4, "--entries", "N=inf,S=0", "--json")
    assert (done.returncode, done.json["probability"]) == (0, pytest.approx(0.103354, abs=1e-6))
    done = run("AKQ9", "32", "--tricks", 4, "--entries", "N=0,S=0", "--json")
    assert (done.returncode, done.json["probability"], done.json["first_plays"]) == (0, 0, [])
    done = run("AKQ9", "32", "--entries", "n=0,s=0")
    assert done.returncode == 0
    assert "No line wins so many tricks." in done.stdout
    assert "entries outside the suit: North 0, South 0" in done.stdout
    assert run("AQ", "32", "--entries", "S=1", "--tricks", 2, "--json").json["probability"] == 0.5


def test_a_goal_that_cannot_be_reached_is_an_answer(run):
    done = run("QJ98", "32", "--tricks", 4, "--json")
    assert (done.returncode, done.json["probability"]) == (0, 0)


def test_mixed_strategies(run):
    pytest.importorskip("scipy")
    assert "24.00 % if you toss coins" in run("AKQ9", "32", "--tricks", 4, "--mixed").stdout
    assert "mixed" in run("AKQ9", "32", "--mixed").stdout
    assert run("AKQ9", "32", "--mixed", "--json").json["mixed_probabilities"]["4"] == pytest.approx(0.24)


# ---------------------------------------------------------------------- algorithms


def test_all_algorithms(run):
    rows = run("AKQ9", "32", "--algorithm", "all", "--json").json
    assert [row["algorithm"] for row in rows] == list(ALGORITHMS)
    assert {row["tricks"] for row in rows} == {4}
    monte_carlo, exact = rows[0], rows[-1]
    assert monte_carlo["believed"] == pytest.approx(0.301366, abs=1e-6)
    assert monte_carlo["probability"] == pytest.approx(0.0543, abs=5e-5)
    assert (monte_carlo["optimal"], exact["optimal"], exact["probability"]) == (False, True, 0.24)
    table = run("AKQ9", "32", "--algorithm", "all").stdout
    assert "5.43 %" in table
    assert "optimal" in table


def test_one_algorithm(run):
    row = run("QJ98", "32", "--algorithm", "monte-carlo", "--tricks", 2, "--json").json
    assert row["first_play"] == "S2"
    assert row["probability"] == pytest.approx(0.289, abs=5e-4)


def test_no_hand_to_lead_from_is_an_answer(run):
    rows = run("AKQ9", "32", "--entries", "N=0,S=0", "--algorithm", "all", "--json").json
    assert {(row["probability"], row["first_play"], row["optimal"]) for row in rows} == {(0, None, True)}
    assert "none" in run("AKQ9", "32", "--entries", "N=0,S=0", "--algorithm", "all").stdout


# ---------------------------------------------------------------------- why


def test_why_not(run):
    words = " ".join(run("AKQ9", "32", "--why", "NA").stdout.split())
    assert "Cash the ace: 10.34 %, against 24.00 % for finessing the nine." in words
    assert "Cashing the ace picks up JTx or JT with East, finessing the nine picks up JTxx or longer" in words
    assert "only the best wins: JTxx–xxx 8.88 %" in words
    assert "non-locality" in words


def test_why_so(run):
    by_play, by_name = (run("AKQ9", "32", "--why", text, "--json").json for text in ("S2", "Finesse the nine."))
    assert by_play == by_name
    assert (by_play["probability"], by_play["only_this_wins"], by_play["only_the_best_wins"]) == (0.24, [], [])
    assert by_play["monte_carlo"]["cause"] == "non-locality"


def test_fb01_fig_13_is_strategy_fusion(run):
    found = run("QJ98", "32", "--tricks", 2, "--why", "S2", "--json").json["monte_carlo"]
    assert found["cause"] == "strategy fusion"
    assert found["probability"] == pytest.approx(0.289, abs=5e-4)


def test_why_has_a_limit_too(needs_kernels, run, monkeypatch):
    monkeypatch.delenv(SWITCH, raising=False)
    done = run("AJ93", "75", "--tricks", 2, "--why", "S5", "--seconds", 0)
    assert (done.returncode, done.stdout) == (1, "")
    assert "found no answer within 0 seconds" in done.stderr


# ---------------------------------------------------------------------- matchpoints


def test_two_goals_head_to_head(run):
    found = run("AJ98", "K32", "--compare", "3,4", "--json").json
    assert list(found)[:3] == ["north", "south", "lines"]
    assert [line["tricks"] for line in found["lines"]] == [3, 4]
    more, equal, fewer = (found[key] for key in ("first_takes_more", "equal", "second_takes_more"))
    assert more + equal + fewer == pytest.approx(1)
    assert found["score"] == pytest.approx(more + equal / 2) == pytest.approx(0.4132, abs=5e-5)
    for key, chance in (("first_takes_more_layouts", more), ("second_takes_more_layouts", fewer)):
        assert sum(layout["probability"] for layout in found[key]) == pytest.approx(chance)
    words = " ".join(run("AJ98", "K32", "--compare", "3,4").stdout.split())
    assert "score 41.32 % of the matchpoints for the first, 58.68 % for the second" in words
    assert "the first takes more: Txxx–Qx 6.46 %" in words


def test_average_and_first_plays_head_to_head(run):
    found = run("AQT98", "5432", "--compare", "average, 5", "--json").json
    assert found["lines"][0]["line"] == "the line for the most on average"
    assert found["lines"][0]["expected_tricks"] == pytest.approx(4.0313, abs=5e-5)
    found = run("AKQ9", "32", "--compare", "S2,NA", "--json").json
    assert [line["first_play"] for line in found["lines"]] == ["S2", "NQ"]
    assert found["score"] == pytest.approx(0.5683, abs=5e-5)


# ---------------------------------------------------------------------- figures


def test_the_line_at_matchpoints_is_called_that(run):
    found = json.loads(run("AQT98", "5432", "--compare", "average,matchpoints", "--json").stdout)
    assert [line["line"] for line in found["lines"]] == ["the line for the most on average", "the line for matchpoints"]
    assert found["score"] < 0.5


def test_svg(run, tmp_path):
    done = run("AKQ9", "32", "--tricks", 4, "--svg", "suit.svg")
    assert "wrote suit.svg" in done.stdout
    drawing = ElementTree.parse(tmp_path / "suit.svg").getroot()
    assert drawing.tag.endswith("svg")
    assert run("AKQ9", "32", "--svg", "all.svg").returncode == 0
    assert run("AKQ9", "32", "--svg", "no/such/folder.svg").returncode == 2


# ---------------------------------------------------------------------- bad input

BAD = {
    "a card twice": (["AKQ9", "A2"], "expected every card once, found A twice"),
    "more than 13": (["AKQ9", "xxxxxxxxxx"], "expected at most 13 cards, found 14"),
    "a rank unknown": (["AKQ1", "32"], "north: expected cards such as AKQ9"),
    "two voids": (["-", "-"], "expected at least one card, found two voids"),
    "one hand": (["AKQ9"], "expected two hands such as AKQ9 32"),
    "no hand": ([], "expected two hands such as AKQ9 32"),
    "goal too high": (["AKQ9", "32", "--tricks", "5"], "expected a goal from 1 to 4 tricks, found 5"),
    "goal of nothing": (["AKQ9", "32", "--tricks", "0"], "expected a goal from 1 to 4 tricks, found 0"),
    "no room": (["AKQ9", "32", "--west-cards", "2", "--east-cards", "3"], "expected room for the defenders' 7 cards"),
    "too much room": (["AKQ9", "32", "--west-cards", "99"], "expected at most 13 vacant places in a hand, found 99"),
    "an unknown play": (["AKQ9", "32", "--why", "S7"], "--why: expected a way to begin, one of: Cash the ace (NQ)"),
    "no play": (["AKQ9", "32", "--why", "up"], "--why: expected a way to begin, one of: "),
    "two plays": (["AKQ9", "32", "--why", "the ace or king from North"], "--why: expected a way to begin"),
    "entries without a number": (["AKQ9", "32", "--entries", "N"], "--entries: expected each once as in N=1,S=inf"),
    "entries to East": (["AKQ9", "32", "--entries", "E=1"], "--entries: expected numbers for N and S"),
    "entries below 0": (["AKQ9", "32", "--entries", "N=-1"], "--entries: expected numbers for N and S"),
    "entries twice": (["AKQ9", "32", "--entries", "N=1,N=2"], "--entries: expected each once"),
    "a card placed that is not theirs": (["AQ", "32", "--west", "A"], "--west: expected cards of the defenders'"),
    "a length that is none": (["AQ", "32", "--east-length", "3*"], "--east-length: expected a number of cards"),
    "what cannot be": (["AQ", "32", "--west", "KJ", "--west-length", "1"], "found none in which West has KJ and West"),
    "who does not lead": (["AQ", "32", "--defenders-lead", "dummy"], "--defenders-lead: expected one of never, first"),
    "a ruff and a drill": (["AQ", "32", "--ruffs", "1", "--drill"], "--drill does not go with --ruffs"),
    "splits without chances": (["AKQ9", "32", "--splits", "3"], "--splits: expected each once as in 3=0.4,4=0.6"),
    "splits in words": (["AKQ9", "32", "--splits", "3=half"], "--splits: expected cards of West's and chances"),
    "splits below 0": (["AKQ9", "32", "--splits", "3=-1"], "--splits: expected cards of West's and chances"),
    "splits by nothing": (["AKQ9", "32", "--splits", "3=1/0"], "--splits: expected a number such as"),
    "splits of no sum": (["AKQ9", "32", "--splits", "3=0"], "not all zero"),
    "splits too long": (["AKQ9", "32", "--splits", "9=1"], "expected a way to deal the defenders' 7 cards"),
    "an unknown algorithm": (["AKQ9", "32", "--algorithm", "ivn"], "unknown algorithm 'ivn' (did you mean 'ivm'?)"),
    "one line": (["AKQ9", "32", "--compare", "3"], "--compare: expected two lines as in 3,4, found '3'"),
    "a line too far": (["AKQ9", "32", "--compare", "3,5"], "--compare: expected a goal from 1 to 4 tricks, found 5"),
    "no such line": (["AKQ9", "32", "--compare", "3,up"], "--compare: expected one of the plays N9"),
    "a match and a reason": (["AKQ9", "32", "--compare", "3,4", "--why", "S2"], "expected one question at a time"),
    "two questions": (["AKQ9", "32", "--why", "S2", "--algorithm", "ivm"], "expected one question at a time"),
    "a figure of a reason": (["AKQ9", "32", "--why", "S2", "--svg", "x.svg"], "expected one question at a time"),
    "nothing to drill": (["AKQ", "32", "--drill"], "in which a card can cost something"),
}


@pytest.mark.parametrize("case", BAD)
def test_bad_input_is_one_line_and_exit_code_2(run, case):
    arguments, message = BAD[case]
    done = run(*arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert message in done.stderr
    assert done.stderr.startswith("worldwise: ")
    assert done.stderr.count("\n") == 1


# ---------------------------------------------------------------------- as users meet it


def test_no_time_is_no_answer(needs_kernels, run, monkeypatch):
    monkeypatch.delenv(SWITCH, raising=False)
    done = run("AJ93", "75", "--seconds", 0)
    assert (done.returncode, done.stdout) == (1, "")
    assert "the suit solver found no answer within 0 seconds" in done.stderr


def test_a_process_of_its_own():
    done = run_alone("suit", "AKQ9", "32", "--json")
    assert json.loads(done.stdout)["goals"][3]["probability"] == 0.24
    plain = run_alone("suit", "QJ98", "32", "--layouts", PYTHONIOENCODING="ascii")
    assert plain.returncode == 0
    assert plain.stdout.isascii()
    why = run_alone("suit", "AKQ9", "32", "--why", "NA", PYTHONIOENCODING="ascii")
    assert (why.returncode, why.stdout.isascii()) == (0, True)
    helped = run_alone("suit", "--help").stdout
    assert "Example: " in helped
    assert "--json" in helped


# ---------------------------------------------------------------------- what lines win


def test_the_table_says_what_every_line_wins(run):
    done = run("AK543", "J92").stdout
    rows = [
        [cell.strip() for cell in line.strip("│").split("│")] for line in done.splitlines() if line.startswith("│ ")
    ]
    figures = {row[0]: row[1:6] for row in rows if row[0].isdigit()}
    assert figures["3"] == ["98.04 %", "98.04 %", "98.04", "76.30", "27.13"]
    assert figures["4"] == ["87.61 %", "89.57 %", "98.04", "87.61", "3.39"]
    words = " ".join(done.split())
    assert "as good for 3 tricks, and better for 4:" in words
    assert "3 tricks 98.04 %, 4 tricks 87.61 %, 5 tricks 3.39 %; on average 3.8904 tricks" in words


def test_many_numbers_of_tricks_stand_below_the_line(run):
    assert "2+ 98.04, 3+ 89.57, 4+ 62.74, 5+ 13.57" in " ".join(run("AQT65", "432").stdout.replace("│", " ").split())


def test_one_goal_is_one_goal(run):
    found = run("AK543", "J92", "--tricks", 3, "--json").json
    assert [goal["tricks"] for goal in found["goals"]] == [3]
    assert found["at_least"]["4"] == pytest.approx(0.7630, abs=5e-5)
    assert found["overtrick_line"]["at_least"]["4"] == pytest.approx(0.8761, abs=5e-5)
    assert found["chance"] == found["probability"]


def test_differences_are_those_of_the_figures_shown(run):
    words = run("AQT98", "5432", "--tricks", 5).stdout
    assert "26.57 %; 50.00 % if you saw all cards, so the price of strategy fusion is 23.43 %" in " ".join(
        words.split()
    )


# ---------------------------------------------------------------------- aims


def test_values(run):
    found = run("AK543", "J92", "--value", "3=0,4=10,5=11", "--json").json
    assert (found["aim"], found["values"]) == ("value", [0, 0, 0, 0, 10, 11])
    assert found["worth"] == pytest.approx(8.7948, abs=5e-5)
    assert "worth 8.7948 on average" in " ".join(run("AK543", "J92", "--value", "3=0,4=10,5=11").stdout.split())


def test_matchpoints_against_the_field_and_a_line(run):
    found = run("AQT98", "5432", "--aim", "matchpoints", "--json").json
    assert (len(found["field"]), found["rival"]) == (3, None)
    assert found["average"] == pytest.approx(4.0057, abs=5e-5)
    other = run("AQT98", "5432", "--aim", "matchpoints", "--against", "average", "--json").json
    assert other["worth"] == pytest.approx(0.518261, abs=5e-7)
    beaten = " ".join(run("AJ98", "K32", "--aim", "matchpoints").stdout.split())
    assert "wins 55.14 % to 44.86 % head to head" in beaten


def test_imps_say_their_contract(run):
    words = " ".join(run("AQT98", "5432", "--aim", "imps", "--tricks", 4).stdout.split())
    assert "IMPs in 3NT, not vulnerable, which 4 tricks here make, against a table that just makes it" in words
    found = run("AQT98", "5432", "--aim", "imps", "--tricks", 5, "--contract", "6NT", "--vulnerable", "--json").json
    assert found["contract"] == "6NT, vulnerable, which 5 tricks here make"
    assert found["at_least"]["5"] == pytest.approx(0.265652, abs=5e-7)


def test_the_most_on_average(run):
    found = run("AK543", "J92", "--aim", "average", "--json").json
    assert found["worth"] == found["average"] == pytest.approx(4.0148, abs=5e-5)


# ---------------------------------------------------------------------- trees, defenders, discards


def test_the_whole_line_as_a_tree(run):
    goal = run("AKQ9", "32", "--tricks", 4, "--tree").json
    assert (goal["tricks"], goal["nodes"][0]["play"]) == (4, "S2")
    assert float(read_line_json(goal).at_least[4]) == goal["at_least"]["4"] == 0.24
    aimed = run("AQT98", "5432", "--aim", "matchpoints", "--tree").json
    assert aimed["tricks"] is None
    assert float(read_line_json(aimed).at_least[5]) == pytest.approx(0.24)


def test_defenders_who_err(run):
    found = run("AJ98", "K32", "--defence", "honest", "--tricks", 3, "--json").json
    (goal,) = found["goals"]
    assert goal["chance"] == goal["best_defence_chance"] == pytest.approx(0.8547, abs=5e-5)
    assert goal["made_for_them_chance"] == pytest.approx(0.9879, abs=5e-5)
    assert "defenders who see all the cards but never falsecard" in run("AQ", "32", "--defence", "honest").stdout
    assert "their own cards and dummy" in run("AQ", "J2", "--gone", "9876543", "--defence", "single-dummy").stdout


def test_discards(run):
    done = run("AJ92", "Q3", "--discards", "2")
    assert "thrown away: 2" in done.stdout
    assert "AJ9 opposite Q3" in done.stdout
    thrown, gone = run("AJ92", "Q3", "--discards", "2", "--json").json, run("AJ9", "Q3", "--gone", "2", "--json").json
    assert thrown["goals"] == gone["goals"]


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--aim", "rubber"], "--aim: expected one of average, matchpoints, imps, found 'rubber'"),
        (["--aim", "imps", "--value", "1=2"], "expected one aim, found --aim and --value"),
        (["--against", "2"], "--against goes with --aim matchpoints or --aim imps"),
        (["--contract", "4S"], "--contract goes with --aim imps"),
        (["--vulnerable", "--aim", "matchpoints"], "--vulnerable goes with --aim imps"),
        (["--aim", "imps", "--contract", "9S"], "--contract: expected one such as 3NT, 4S or 6HX, found '9S'"),
        (["--aim", "matchpoints", "--against", "9"], "--against: expected a goal from 1 to 2 tricks, found 9"),
        (["--value", "1"], "--value: expected each once as in 3=0,4=10,5=11, found '1'"),
        (["--value", "1=x"], "--value: expected tricks and what they are worth as in 3=0,4=10,5=11, found 1=x"),
        (["--value", "7=1"], "--value: expected values for numbers of tricks from 0 to 2, found {7: 1}"),
        (["--value", "1=2,2=1"], "--value: expected values that do not fall with more tricks, found some that do"),
        (["--defence", "kind"], "--defence: expected one of best, honest, single-dummy, found 'kind'"),
        (["--defence", "honest", "--ruffs", "1"], "honest defenders are for suits that declarer leads"),
        (["--defence", "honest", "--aim", "imps"], "expected one question at a time"),
        (["--tree", "--layouts"], "expected one question at a time, found --tree and --layouts"),
        (["--discards", "K"], "--discards: expected cards of North's or South's, found K"),
    ],
)
def test_what_makes_no_sense_about_lines(run, options, words):
    done = run("AQ", "32", *options)
    assert done.returncode == 2
    assert words in done.stderr
    assert done.stderr.count("\n") == 1
