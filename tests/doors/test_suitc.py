"""The drop-in for SuitC: its shapes, its numbers, and side by side with itself where it is at hand."""

import json
import os
import subprocess
import sys
from random import Random

import pytest

from suitc_library import ask
from worldwise.doors.suitc import CARDS, SuitCCall, SuitCLib, SuitCTimeout, analyse
from worldwise.errors import InputError

LIBRARY = os.environ.get("SUITC_LIBRARY", "")


def answers(text):
    found = analyse(SuitCCall.read(text), trees=False)
    return {one["Tricks"]: one["Percentage"] for one in found["OptimalResults"]}, found["Result"]


# ---------------------------------------------------------------------- SuitC's own figures


@pytest.mark.parametrize(
    ("text", "chances", "average"),
    [
        ("-F1 -u -c100 -ls1 KT63 972 AQJ854", {2: 42.0062, 1: 96.7702}, 1.3474),
        ("AQT98 5432 KJ76", {5: 26.5652, 4: 82.7826}, 4.0313),
        ("AK543 J92 QT876", {5: 27.1304, 4: 87.6087, 3: 98.0435}, 4.0148),
        ("-ls1 K83 AJ942 QT765", {5: 39.5652, 4: 95.2174}, 4.2913),
        ("-ls0 KT6 943 J85", {3: 39.0}, 2.39),
        ("-F1 -u -c100 AKQ9 32 JT87654", {4: 24.0}, 3.24),
        ("-ls1 AQJ4 K32 T98765", {}, 4.0),
        ("AKQJ . T98765432", {}, 4.0),
        (". . AKQJT98765432", {}, 0.0),
        ("AK 32 .", {}, 2.0),
        ("AK32 J98", {}, 4.0),
    ],
)
def test_figures(needs_kernels, text, chances, average):
    """As SuitC printed them."""
    assert answers(text) == (chances, average)


def test_the_first_lead_is_free(needs_kernels):
    """AKJT9 opposite 432: between one entry to South and two."""
    assert answers("-ls1 AKJT9 432 Q8765")[0][5] == 48.0435


def test_the_line_at_matchpoints(needs_kernels):
    found = analyse(SuitCCall.read("-M AQT98 5432 KJ76"), trees=False)
    plays = {play["OptimumPlayFor"]: play["Plays"] for play in found["OptimumPlays"]}
    assert [one["Percentage"] for one in plays["MP"]] == [24.0, 52.5652, 23.4348]
    assert [one["Percentage"] for one in plays["MAX, N5"]] == [26.5652, 50.0, 23.4348]


# ---------------------------------------------------------------------- shapes


def test_the_shape_of_an_answer(needs_kernels):
    output, details = SuitCLib(verbose=False).make_suitc_call(" -F1 -u -c100 AKQ9 32 JT87654")
    found = json.loads(output)["SuitCAnalysis"]
    assert list(found) == ["OptimalResults", "Result", "OptimumPlays"]
    (play,) = found["OptimumPlays"]
    assert list(play) == ["OptimumPlayFor", "Plays", "Result", "GameTree", "Error"]
    assert (play["OptimumPlayFor"], play["Error"]) == ("MAX, N4", "No errors")
    assert sum(one["Percentage"] for one in play["Plays"]) == pytest.approx(100)
    assert details == "MAX, N4: 3.2400"


def walk(nodes, depth=0):
    for node in nodes:
        assert list(node) == ["T", "Vs"]
        yield depth, node
        yield from walk(node["Vs"], depth + 1)


def test_the_game_tree(needs_kernels):
    """Declarer's cards alone, the defenders' run together, every fourth with its hand."""
    (play,) = analyse(SuitCCall.read("AQ 32 KJT987654"))["OptimumPlays"]
    assert [node["T"] for node in play["GameTree"]] == ["S:3"]
    second = {node["T"]: [then["T"] for then in node["Vs"]] for node in play["GameTree"][0]["Vs"]}
    assert second == {"K": ["A"], "J": ["Q"], "-": ["Q"]}
    for depth, node in walk(play["GameTree"]):
        assert (":" in node["T"]) == (depth % 4 == 0)


def test_a_tree_that_is_too_large_is_cut(needs_kernels, monkeypatch):
    monkeypatch.setattr("worldwise.doors.suitc.MOST_NODES", 3)
    (play,) = analyse(SuitCCall.read("AQ 32 KJT987654"))["OptimumPlays"]
    assert max(depth for depth, _ in walk(play["GameTree"])) == 3


def test_what_bots_call(needs_kernels):
    suitc = SuitCLib(True, 60)
    assert suitc.version().startswith("worldwise ")
    assert suitc.get_suit_tricks("32", "AKQ9", "JT87654") == 3.24
    assert suitc.get_suit_tricks("", "", "AKQJT98765432") == 0
    assert suitc.get_trick_potential("AQ32.K..5432", "K4.AQ32..A976") == [3.0, 3.0, 0.0, 1.68]
    assert suitc.calculate(4, "K83", "AJ942", "QT765") == ["K"]
    assert suitc.calculate(4, "KT63", "972", "AQJ854") == []
    assert suitc.calculate(4, "AQJ4", "K32", "T98765", 10, 12, trump=True) == ["4", "A"]


def test_every_first_play_is_told(needs_kernels):
    """All that keep the average, North's by their names."""
    assert set(SuitCLib(False).calculate(2, "AK952", "6", "QJT8743", trump=True)) >= {"A"}


@pytest.mark.parametrize("hands", [("AQ.K.Q.J", "K.Q.J"), ("AQ.K.Q", "K.Q.J"), ("A" * 9000, "K.Q.J.T"), ("", "")])
def test_hands_of_other_than_four_suits(hands):
    with pytest.raises(InputError, match="expected hands of four suits") as error:
        SuitCLib(False).get_trick_potential(*hands)
    assert len(str(error.value)) < 200


def test_time_is_kept(needs_kernels):
    with pytest.raises(SuitCTimeout, match="no answer within 0 s"):
        SuitCLib(False, timeout=0).calculate(4, "K83", "AJ942", "QT765")


# ---------------------------------------------------------------------- options


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("AK", "expected the cards of North, of South and of the defenders, found 'AK'"),
        ("A K Q J", "expected the cards of North, of South and of the defenders, found 'A K Q J'"),
        ("-D AK 2 QJ", "-D: in SuitC play ends when the defenders are out of the suit, here declarer then leads"),
        ("-I4:10 AK 2 QJ", "-I4:10: it has no counterpart here"),
        ("-t3 AK 2 QJ", "-t3: it has no counterpart here"),
        ("-ls AK 2 QJ", "-ls: expected a number after -ls, found ''"),
        ("-wvx AK 2 QJ", "-wvx: expected a number after -wv, found 'x'"),
        ("-x AK 2 QJ", "-x: expected an option of SuitC's that has a counterpart here"),
        ("-LnA AK 2 QJ", "-LnA: expected an option of SuitC's that has a counterpart here"),
        ("-- AK 2 QJ", "--: expected an option of SuitC's that has a counterpart here"),
        ("-M -ls1 AK 2 QJ", "-M goes with free leads from both hands"),
        ("A1 2 QJ", "north: expected cards such as AKQ9, A10x or - for none, found '1' in 'A1'"),
        ("AK A QJ", "expected every card once"),
        ("-WQ -EQ AK 2 QJ", "expected every card with one defender, found Q with both"),
        ("-wm14 AK 2 QJ", "west_length: expected a number of cards"),
    ],
)
def test_bad_input(text, words):
    with pytest.raises(InputError) as fault:
        analyse(SuitCCall.read(text))
    assert words in str(fault.value)


def test_only_the_short_hand_ruffs():
    assert SuitCCall.read("-Rn1 -Rs2 A5432 6 KQJT987").suit.ruffs == 2
    assert SuitCCall.read("-Rn1 A5432 6 KQJT987").suit.ruffs == 0


def test_the_command_line(needs_kernels):
    def run(*words):
        return subprocess.run(
            [sys.executable, "-m", "worldwise.doors.suitc", *words], capture_output=True, text=True, check=False
        )

    done = run("-ls1", "AQ", "32", "KJT987654")
    assert json.loads(done.stdout)["SuitCAnalysis"]["Result"] == 1.5
    wrong = run("AQ")
    assert (wrong.returncode, wrong.stdout, wrong.stderr.count("\n")) == (2, "", 1)


# ---------------------------------------------------------------------- side by side

SAME = ["", "-ls1", "-ls0", "-ln1", "-ln1 -ls2", "-Ln", "-Ls", "-Lw", "-Le", "-wv9 -ev12", "-wm2", "-em3", "-Rn1 -Rs1"]


@pytest.mark.skipif(not LIBRARY, reason="SuitC is not at hand: SUITC_LIBRARY names its shared library")
@pytest.mark.parametrize("option", SAME)
def test_side_by_side(needs_kernels, option):
    """Every chance and every average of random combinations."""
    rng, compared = Random(option), 0
    while compared < 5:
        cards = rng.sample(CARDS, rng.randint(5, 9))
        cut = rng.randint(1, len(cards) - 1)
        hands = [sorted(hand, key=CARDS.index) for hand in (cards[:cut], cards[cut:], set(CARDS) - set(cards))]
        text = " ".join([option, *map("".join, hands)])
        theirs = ask(LIBRARY, text)
        if theirs is None:
            continue
        compared += 1
        chances, average = answers(text)
        told = {one["Tricks"]: one["Percentage"] for one in theirs["OptimalResults"]}
        assert {tricks: chance for tricks, chance in told.items() if 0 < chance < 100} == pytest.approx(
            chances, abs=2e-4
        )
        assert theirs["Result"] == pytest.approx(average, abs=2e-4)
