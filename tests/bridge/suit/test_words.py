"""Lines in words: what is written is read back, and wins where the line says it does, whatever the defenders do."""

from __future__ import annotations

import pytest

from suit_lines import lost, random_suits, wanted_by
from suit_reader import read_line
from worldwise.bridge.rules.cards import RANKS
from worldwise.bridge.suit.rules import OUT, SOUTH, Suit, SuitGame, SuitMove
from worldwise.bridge.suit.solver import ReadableFronts, SuitSolver
from worldwise.bridge.suit.words import levels_in_words, line_in_words
from worldwise.catalog import suit_facts
from worldwise.errors import InputError

GOALS = [(fact.north, fact.south, fact.tricks) for fact in suit_facts() if fact.tricks is not None]
AVERAGES = [(fact.north, fact.south) for fact in suit_facts() if fact.tricks is None]


def check(solver, goal):
    text = line_in_words(solver, goal).text
    line = read_line(solver.suit, text, entries=solver.entries)
    assert lost(line.start, wanted_by(solver, solver.line(goal).levels, goal)) == {}, text


# ---------------------------------------------------------------------- the text says what the line does


@pytest.mark.parametrize(("north", "south", "tricks"), GOALS)
def test_goals_of_known_combinations(needs_kernels, north, south, tricks):
    check(SuitSolver(Suit.of(north, south)), tricks)


@pytest.mark.parametrize(("north", "south"), [pair for pair in AVERAGES if len("".join(pair)) < 9])
def test_most_tricks_of_known_combinations(needs_kernels, north, south):
    check(SuitSolver(Suit.of(north, south)), None)


@pytest.mark.parametrize("seed", range(4))
def test_goals_of_random_combinations(needs_kernels, seed):
    for rng, suit in random_suits(seed, 25, 7):
        check(SuitSolver(suit), rng.randint(1, suit.length))


@pytest.mark.parametrize("seed", range(2))
def test_most_tricks_of_random_combinations(needs_kernels, seed):
    for _, suit in random_suits(seed, 20, 5):
        check(SuitSolver(suit), None)


@pytest.mark.parametrize("entries", [(1, 1), (0, 2), (2, 1)])
def test_entries(needs_kernels, entries):
    for rng, suit in random_suits(sum(entries), 12, 6):
        check(SuitSolver(suit, entries=entries), rng.randint(1, suit.length))


def test_vacant_places(needs_kernels):
    check(SuitSolver(Suit.of("AQT9", "432", west_cards=6)), 3)


@pytest.mark.parametrize(("north", "south", "tricks"), [("8", "QJ743", 1), ("JT97542", "-", 3)])
def test_leads_of_middling_cards(needs_kernels, north, south, tricks):
    check(SuitSolver(Suit.of(north, south)), tricks)


def test_slow_rules_say_the_same(needs_kernels):
    suit = Suit.of("AQ9", "432")
    assert line_in_words(SuitSolver(suit, fronts=ReadableFronts), 2) == line_in_words(SuitSolver(suit), 2)


# ---------------------------------------------------------------------- the papers' examples, word for word


def test_fb01_fig_13():
    words = line_in_words(SuitSolver(Suit.of("QJ98", "32")), 2)
    assert words.summary == "Finesse the nine, then finesse the eight."
    assert words.text.splitlines() == [
        "Finesse the nine, but play the queen on the ten.",
        "If East plays the ten: play from the top.",
        "If West plays a low card: finesse the eight, but play the queen on the ten. Play from the top.",
        "If West wins: finesse the nine, but beat the ten. Play from the top.",
        "Otherwise: play from the top.",
    ]


def test_fb01_fig_14():
    words = line_in_words(SuitSolver(Suit.of("AKQ9", "32")), 4)
    assert words.start == "Finesse the nine"
    assert words.text.splitlines() == [
        "Finesse the nine, but play the queen on the jack or ten.",
        "If West plays the jack or ten: finesse the nine, but play the king on the jack or ten. Play from the top.",
        "Otherwise: play from the top.",
    ]


def test_certain_tricks_are_played_from_the_top():
    assert str(line_in_words(SuitSolver(Suit.of("AKQ", "432")), 3)) == "Play from the top."


def test_nothing_can_be_done():
    solver = SuitSolver(Suit.of("32", "4"))
    words = line_in_words(solver, 2)
    assert solver.goal(2).chance == 0
    assert words.text == words.summary == "Nothing can be done."
    assert read_line(solver.suit, words.text).play(solver.rules.root) == SuitMove(SOUTH, 4)


def test_another_start_can_be_asked_for():
    solver = SuitSolver(Suit.of("AQT", "32"))
    levels = solver.line(2).levels
    starts = [levels_in_words(solver, levels, 2, f"Finesse the {card}").start for card in ("queen", "ten")]
    assert starts == ["Finesse the queen", "Finesse the ten"]


# ---------------------------------------------------------------------- the reader


def played(north, south, text, *moves):
    """What the reader plays after some moves such as W9."""
    suit = Suit.of(north, south)
    game = SuitGame(suit)
    position = game.root
    for move in moves:
        position = game.play(
            position, SuitMove("NESW".index(move[0]), RANKS.index(move[1]) + 2 if move[1] != "-" else OUT)
        )
    return str(read_line(suit, text).play(position))


def test_lead_and_third_hand():
    text = "Finesse the nine, but play the queen on the ten and play low if West shows out."
    assert played("QJ98", "32", text) == "S2"
    assert played("QJ98", "32", text, "S2", "W7") == "N9"
    assert played("QJ98", "32", text, "S2", "WT") == "NQ"
    assert played("QJ98", "32", text, "S2", "W-") == "N8"


def test_a_card_that_cannot_be_beaten_gets_a_low_one():
    assert played("QJ98", "32", "Finesse the nine.", "S2", "WA") == "N8"


def test_beating_is_cheap():
    assert played("AQT", "32", "Finesse the ten, but beat the king or jack.", "S2", "WJ") == "NQ"


@pytest.mark.parametrize(
    ("text", "lead"),
    [
        ("Cash the ace.", "NA"),
        ("Run the ten.", "NT"),
        ("Lead the three to the queen.", "S3"),
        ("Lead low from North and duck.", "NT"),
        ("Play from the top.", "NA"),
        ("Cash the king.", "NA"),
    ],
)
def test_leads(text, lead):
    assert played("AQT", "32", text) == lead


@pytest.mark.parametrize(
    ("condition", "holds"),
    [
        ("West plays the jack", True),
        ("West plays the king, jack or a low card", True),
        ("West plays a low card", False),
        ("East shows out", False),
        ("the trick is lost", False),
        ("the trick is won", True),
        ("East wins", False),
        ("you have one trick", True),
        ("you have no tricks", False),
        ("North still has the ten", True),
        ("North still has the queen", False),
        ("West has played the jack and East has played a low card", True),
        ("West has played two low cards", False),
        ("East wins, or if the trick is won", True),
    ],
)
def test_conditions(condition, holds):
    text = f"Finesse the queen.\nIf {condition}: run the ten.\nOtherwise: cash the ace."
    assert played("AQT", "32", text, "S2", "WJ", "NQ", "E9") == ("NT" if holds else "NA")


def test_nested_branches_and_several_of_a_class():
    text = "\n".join(
        [
            "Cash the ace.",
            "If West has played two of QJT:",
            "  Lead low from South.",
            "If West has played the queen, jack or ten:",
            "  Lead low from North.",
            "  If East shows out: cash the king.",
            "Otherwise: play from the top.",
        ]
    )
    assert played("AK3", "42", text, "NA", "E5", "S2", "WQ") == "N3"
    assert played("AK3", "42", text, "NA", "E5", "S2", "WQ", "N3", "E-", "S4", "W5") == "NK"


@pytest.mark.parametrize("text", ["Squeeze the nine.", "Finesse the joker.", "Cash the ace, but sing on the ten."])
def test_what_is_not_understood(text):
    with pytest.raises(InputError, match="expected a"):
        read_line(Suit.of("AQ", "32"), text)


def test_a_condition_that_is_not_understood():
    with pytest.raises(InputError, match=r"West plays the ten.*West sneezes"):
        read_line(Suit.of("AQ", "32"), "Cash the ace.\nIf West sneezes: cash the queen.")
    with pytest.raises(InputError, match="line of play"):
        read_line(Suit.of("AQ", "32"), "Cash the ace.\nCash the queen.")
