"""Ways to begin beside each other: what they win, why one is better, and the words that players use for them."""

from __future__ import annotations

from functools import cache

import pytest

from suit_lines import lost, random_suits, wanted_by
from suit_reader import read_line
from worldwise.bridge.suit.drill import play_words
from worldwise.bridge.suit.first_lines import Starts, first_line_in_words, first_lines
from worldwise.bridge.suit.reasons import compare, comparisons, layouts_words
from worldwise.bridge.suit.rules import NORTH, Suit, SuitMove
from worldwise.bridge.suit.solver import SuitSolver
from worldwise.bridge.suit.step_reader import read_first_step
from worldwise.bridge.suit.words import line_in_words
from worldwise.catalog import suit_combinations
from worldwise.errors import InputError


@cache
def solver_of(north, south):
    return SuitSolver(Suit.of(north, south))


# ---------------------------------------------------------------------- first lines


@pytest.mark.parametrize("seed", range(4))
def test_first_lines_have_the_chances_of_their_leads(needs_kernels, seed):
    for rng, suit in random_suits(seed, 15, 6):
        solver = SuitSolver(suit)
        answer = solver.goal(rng.randint(1, suit.length))
        lines = first_lines(solver, answer.tricks)
        assert {move: max(line.chance for line in lines if line.lead == move) for move in answer.plays} == answer.plays
        assert lines[0].chance == answer.chance


@pytest.mark.parametrize(("north", "south", "tricks"), [("QJ98", "32", 2), ("AKQ9", "32", 4), ("KJ9", "432", 1)])
def test_first_lines_win_what_they_say(north, south, tricks):
    solver = solver_of(north, south)
    for line in first_lines(solver, tricks):
        words = first_line_in_words(solver, tricks, line)
        wanted = wanted_by(solver, (0,) * (tricks - 1) + (line.wins,), tricks)
        assert lost(read_line(solver.suit, words.text).start, wanted) == {}
        assert words.start == line.name or not line.chance


@pytest.mark.parametrize("seed", range(2))
def test_first_lines_of_random_combinations_win_what_they_say(needs_kernels, seed):
    for rng, suit in random_suits(seed, 8, 6):
        solver, tricks = SuitSolver(suit), rng.randint(1, suit.length)
        for line in first_lines(solver, tricks):
            text = first_line_in_words(solver, tricks, line).text
            wanted = wanted_by(solver, (0,) * (tricks - 1) + (line.wins,), tricks)
            assert lost(read_line(suit, text).start, wanted) == {}, text


@pytest.mark.parametrize(("north", "south"), suit_combinations())
def test_the_first_line_is_the_one_that_is_explained(needs_kernels, north, south):
    solver = solver_of(north, south)
    for answer in solver.goals:
        if answer.chance:
            best = Starts(solver, answer.tricks).best()
            assert (best.name, best.chance) == (line_in_words(solver, answer.tricks).start, answer.chance)
            assert best.lead in answer.first_plays


def test_names():
    names = [line.name for line in first_lines(solver_of("QJ98", "32"), 2)]
    assert names == ["Finesse the nine", "Lead low to the queen", "Lead the queen", "Lead the nine"]
    assert "Duck a round" in [line.name for line in first_lines(solver_of("KQJ54", "32"), 3)]


# ---------------------------------------------------------------------- why


@pytest.mark.parametrize("seed", range(4))
def test_gains_and_losses_make_the_difference(needs_kernels, seed):
    for rng, suit in random_suits(seed, 15, 6):
        for found in comparisons(SuitSolver(suit), rng.randint(1, suit.length)):
            gained, given = (sum(layout.chance for layout in part) for part in (found.gains, found.losses))
            assert found.costs == given - gained >= 0
            assert found.reason.count(".") <= 1


def test_cashing_in_fb01_fig_14():
    found = compare(solver_of("AKQ9", "32"), 4, SuitMove(NORTH, 12))
    assert [layout.name(ascii=True) for layout in found.gains] == ["xxxx-JTx", "xxxxx-JT"]
    assert found.losses[0].name(ascii=True) == "JTxx-xxx"
    assert found.words == (
        "Cash the ace: 10.34 %, against 24.00 % for finessing the nine. "
        "Cashing the ace picks up JTx or JT with East, finessing the nine picks up JTxx or longer with West."
    )
    assert found.lists[0].startswith("only this wins: xxxx–JTx 4.44 %")


REASONS = {
    "only the best gains": (
        *("AQT9", "5432", 4, "low to the ace"),
        "The ten also picks up KJx or longer with West.",
    ),
    "both lose": (
        *("KQJ54", "32", 3, "low to the king"),
        ("Both lose to Axxxx or longer with either defender; ducking a round also picks up a singleton ace with East."),
    ),
    "one honour of two": (
        *("AKT6", "5432", 3, "finesse the ten"),
        (
            "Both lose to QJxx or longer with East or a singleton honour with West; "
            "cashing the ace also picks up a singleton honour with East."
        ),
    ),
    "each has its own": (
        *("AQT9", "5432", 3, "cash the ace"),
        "Cashing the ace picks up KJ with East, finessing the ten picks up Kxx with West.",
    ),
    "the same": ("AQT9", "5432", 3, "finesse the queen", "Both win the same, and lose to KJ or longer with East."),
    "a break": ("AK7654", "32", 5, "duck", "Both need a 3-2 break."),
    "a holding": ("AKJ54", "32", 5, "finesse the jack", "Both need Qxx with West."),
    "the queen, however long": (
        *("AJ93", "KT2", 4, "run the jack"),
        "Running the jack picks up Qx or longer with East, cashing the king picks up the queen with West.",
    ),
    "nothing": ("AKQ9", "32", 4, "lead the nine", "It never works."),
    "itself": ("AKQ9", "32", 4, "finesse the nine", ""),
}
"""Two hands, a goal, a way to begin, and why it is no better than the best."""


@pytest.mark.parametrize("what", REASONS)
def test_a_reason_is_one_sentence(needs_kernels, what):
    north, south, tricks, play, reason = REASONS[what]
    assert compare(solver_of(north, south), tricks, play).reason == reason


def test_the_best_and_the_equally_good():
    words = [found.words for found in comparisons(solver_of("KJ9", "432"), 2)[:2]]
    equal = (
        "Finesse the jack: 24.73 %, as good as finessing the nine. "
        "The jack picks up AQx or longer with West, the nine picks up QTx or longer with West."
    )
    assert words == ["Finesse the nine: 24.73 %, the best there is.", equal]


def test_a_play_that_is_none():
    with pytest.raises(InputError, match="first plays N9, NQ, S2, found N3"):
        compare(solver_of("AKQ9", "32"), 4, SuitMove(NORTH, 3))


def test_the_rest_is_summed_up():
    found = compare(solver_of("AKQ9", "32"), 4, SuitMove(NORTH, 9))
    assert layouts_words(found.losses, 2) == "JTxx–xxx 8.88 %, JTxxx–xx 7.27 %, and 4 others 7.85 %"
    assert layouts_words(found.losses[:1], 2) == "JTxx–xxx 8.88 %"


# ---------------------------------------------------------------------- what players type


@pytest.mark.parametrize(("north", "south"), suit_combinations())
def test_what_the_program_says_is_understood(needs_kernels, north, south):
    """Names of first lines, how a line begins, plays in words and as codes: all over the catalog."""
    solver = solver_of(north, south)
    for answer in solver.goals:
        starts = Starts(solver, answer.tricks)
        for first in starts.every:
            assert read_first_step(first.name, starts) == [first]
            assert read_first_step(f"  {first.name.lower()}. ", starts) == [first]
        if answer.chance:
            start = line_in_words(solver, answer.tricks).start
            assert [first.name for first in read_first_step(start, starts)] == [start]
        for move in answer.plays:
            for text in (str(move), play_words(move)):
                assert {first.lead for first in read_first_step(text, starts)} == {move}


@pytest.mark.parametrize(("north", "south"), suit_combinations())
def test_names_are_understood_by_their_words(needs_kernels, north, south):
    """With a word before them, so that they are not just looked up."""
    starts = Starts(solver_of(north, south), 1)
    for first in starts.every:
        assert first in read_first_step(f"take {first.name}", starts)


SAID = {
    "finesse the nine": "Finesse the jack",
    "hook the ten": "Finesse the jack",
    "take the finesse": "Finesse the jack",
    "insert the jack": "Finesse the jack",
    "low to the jack": "Finesse the jack",
    "lead low to the ace": "Lead low to the ace",
    "small to the ace": "Lead low to the ace",
    "lead toward the ace": "Lead low to the ace",
    "lead up to the ace": "Lead low to the ace",
    "run the jack": "Lead the jack",
    "let the ten ride": "Lead the jack",
    "cash the ace": "Cash the ace",
    "play the ace": "Cash the ace",
    "lead the ace from North": "Cash the ace",
    "NA": "Cash the ace",
    "n10": "Lead the jack",
    "play for the drop": "Cash the ace",
    "play from the top": "Cash the ace",
    "lead the 2 from South": "Finesse the jack",
    "s3": "Finesse the jack",
}
"""What somebody may type about AJT9 opposite 432, and what is meant; of ways to go on after a lead, the best."""


@pytest.mark.parametrize("text", SAID)
def test_what_players_type(text):
    assert compare(solver_of("AJT9", "432"), 3, text).line.name == SAID[text]


@pytest.mark.parametrize("text", ["duck", "duck a round!", "lead low from South and duck", "Duck a round."])
def test_ducks(text):
    assert compare(solver_of("KQJ54", "32"), 3, text).line.lead == SuitMove(NORTH, 4)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("the jack", "which can be: Lead the jack, or: Finesse the jack"),
    ],
)
def test_what_is_not_clear_is_said_in_a_line(text, message):
    with pytest.raises(InputError, match=message) as error:
        compare(solver_of("AJT9", "432"), 3, text)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    "text", ["", "up", "S7", "E2", "the king", "north south 2", "cash the ace or jack", "S22", "NAK"]
)
def test_other_words_are_no_way_to_begin(text):
    with pytest.raises(InputError, match=r"one of: Cash the ace \(NA\), Lead the jack \(N9\)"):
        compare(solver_of("AJT9", "432"), 3, text)
