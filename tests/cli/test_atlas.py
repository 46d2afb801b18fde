"""The commands for the atlas: what people and programs are shown, files, runs that resume, and bad input."""

import json
from functools import partial

import numpy as np
import pytest

from worldwise.bridge.suit.atlas.combinations import COMBINATIONS


@pytest.fixture
def run(worldwise_command):
    return partial(worldwise_command, "atlas")


def told(done):
    assert (done.returncode, done.stderr) == (0, "")
    return json.loads(done.stdout)


# ---------------------------------------------------------------------- one suit


def test_two_hands_stand_for_their_answer(run):
    shown = run("AQT9", "xxx")
    assert (shown.returncode, shown.stderr) == (0, "")
    assert "begin with" in shown.stdout
    assert shown.stdout == run("show", "AQT9", "432").stdout
    goals = told(run("AQT9", "xxx", "--json"))["goals"]
    assert [goal["tricks"] for goal in goals] == [1, 2, 3, 4]
    assert goals[0]["chance"] == 1
    assert goals[3]["numerator"] / 10_400_600 == goals[3]["chance"]


def test_a_void_first(run):
    assert told(run("-", "AKQ", "--json"))["expected_tricks"] == 3


@pytest.mark.parametrize(
    ("north", "south", "tricks", "percent"),
    [("AK543", "J92", 3, 98.04), ("AK543", "J92", 4, 87.61), ("AJT6", "5432", 3, 64.7), ("KJ9", "432", 2, 24.73)],
)
def test_well_known_chances(run, north, south, tricks, percent):
    goal = told(run(north, south, "--json"))["goals"][tricks - 1]
    assert round(100 * goal["chance"], 2) == percent


# ---------------------------------------------------------------------- all suits


def test_find(run):
    answer = told(run("find", "--missing", "K J", "--length", 8, "--goal", 4, "--chance", "45..55", "--json"))
    assert answer["total"] >= len(answer["found"]) == 20
    for row in answer["found"]:
        held = row["north"] + row["south"]
        assert (row["cards"], row["tricks"]) == (8, 4)
        assert 0.45 <= row["chance"] <= 0.55
        assert [card in held for card in "AKQJ"] == [True, False, True, False]
    shown = run("find", "--missing", "K J", "--length", 8, "--goal", 4, "--chance", "45..55", "--count", 3)
    assert f"3 shown; {answer['total']:,} goals fit" in shown.stdout


def test_nothing_fits(run):
    done = run("find", "--length", 1, "--goal", 3)
    assert (done.returncode, done.stdout) == (1, "nothing fits\n")


@pytest.mark.parametrize("by", ["fusion-gap", "pimc-loss", "safety-gain", "hardest"])
def test_top(run, by):
    rows = told(run("top", "--by", by, "--json"))["found"]
    name = "hardness" if by == "hardest" else by.replace("-", "_")
    values = [row[name] for row in rows]
    assert values == sorted(values, reverse=True)
    assert len(values) == 10
    assert values[-1] > 0
    assert len(run("top", "--by", by, "--count", 4).stdout.splitlines()) == 6


def test_statistics(run):
    groups = told(run("stats", "--by", "honours", "--weigh", "dealt", "--json"))
    assert groups[-1]["group"] == "all"
    assert sum(group["combinations"] for group in groups[:-1]) == COMBINATIONS
    assert run("stats").stdout.splitlines()[-1].split()[:2] == ["all", f"{COMBINATIONS:,}"]


def test_random(run):
    row = told(run("random", "--level", 2, "--seed", 5, "--json"))
    assert 0 < row["hardness"] <= 0.06
    shown = run("random", "--level", 2, "--seed", 5).stdout
    assert f"The answer: worldwise suit {row['north']} {row['south']} --tricks {row['tricks']}" in shown


def test_info(run):
    about = told(run("info", "--json"))
    assert about["combinations"] == COMBINATIONS
    assert {"built", "how", "version", "goals", "denominator", "algorithms"} <= about.keys()
    assert f"{COMBINATIONS:,} suit combinations" in run("info").stdout


# ---------------------------------------------------------------------- files


def test_export(run, tmp_path):
    assert told(run("export", "suits.csv", "--json")) == {"out": "suits.csv", "rows": COMBINATIONS}
    assert len((tmp_path / "suits.csv").read_text().splitlines()) == COMBINATIONS + 1


def test_a_small_atlas_is_built_and_asked(run, tmp_path):
    made = told(run("build", "--out", "mine", "--length", "12..13", "--jobs", 1, "--quiet", "--json"))
    assert (made["out"], made["combinations"]) == ("mine/atlas.npz", 7 + 231)
    again = run("build", "--out", "mine", "--length", "12..13", "--jobs", 1)
    assert "wrote mine/atlas.npz" in again.stdout
    mine = ("--atlas", "mine/atlas.npz")
    assert told(run("info", *mine, "--json"))["combinations"] == 238
    assert told(run("AKQJT98", "76543", *mine, "--json"))["goals"] == told(run("AKQJT98", "76543", "--json"))["goals"]
    missing = run("AQT9", "xxx", *mine)
    assert (missing.returncode, missing.stdout) == (2, "")
    assert "this atlas has no suits with 6 cards missing" in missing.stderr
    with np.load(tmp_path / "mine" / "atlas.npz") as file:
        assert len(file["01/code"]) == 231


# ---------------------------------------------------------------------- bad input


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("AQT9",), "SOUTH"),
        (("AQT9", "AKx"), "found A twice"),
        (("AQT9", "1"), "found"),
        (("fnd", "--length", "8"), "atlas: expected cards such as AQT9, or one of show, find, top, random"),
        (("find", "--length", "eight"), "--length: expected a number of cards from 1 to 13"),
        (("find", "--shape", "9-9"), "--shape: expected the lengths of two hands as in 4-3"),
        (("find", "--chance", "55..45"), "--chance: expected per cents from 0 to 100 as in 45..55"),
        (("find", "--goal", "14"), "--goal: expected 1 to 13 tricks, found 14"),
        (("find", "--missing", "Z"), "--missing: "),
        (("find", "--sort", "length"), "unknown order 'length'"),
        (("top", "--by", "hardst"), "did you mean 'hardest'"),
        (("stats", "--by", "colour"), "unknown grouping 'colour'"),
        (("random", "--level", "9"), "--level: expected a level from 1 to 3"),
        (("info", "--atlas", "nowhere.npz"), "nowhere.npz: No such file"),
        (("export", "suits.xlsx"), "expected a file that ends in .csv or .parquet"),
        (("build", "--jobs", "0"), "expected at least one job"),
        (("build", "--length", "0..3"), "expected a number of cards from 1 to 13"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else "",
)
def test_bad_input(run, arguments, words):
    done = run(*arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert words in done.stderr
    assert "Traceback" not in done.stderr
