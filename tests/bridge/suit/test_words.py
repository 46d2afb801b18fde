"""Lines in words: what is written is read back, and wins where the line says it does, whatever the defenders do."""

from __future__ import annotations

import re
from functools import cache
from statistics import median

import pytest

from suit_lines import lost, random_suits, wanted_by
from suit_reader import read_line
from worldwise.bridge.rules.cards import RANKS
from worldwise.bridge.suit.phrases import CARD_NAMES
from worldwise.bridge.suit.rules import OUT, SOUTH, Suit, SuitGame, SuitMove
from worldwise.bridge.suit.solver import ReadableFronts, SuitSolver
from worldwise.bridge.suit.steps import Step
from worldwise.bridge.suit.words import levels_in_words, line_in_words
from worldwise.catalog import suit_combinations
from worldwise.errors import InputError


@cache
def solver_of(north, south):
    return SuitSolver(Suit.of(north, south))


def check(solver, goal):
    """The text wins all that the line wins, for every number of tricks and in every layout."""
    text = line_in_words(solver, goal).text
    line = read_line(solver.suit, text, entries=solver.entries)
    assert lost(line.start, wanted_by(solver, solver.line(goal).levels, None)) == {}, text


def sentences(text):
    return len(re.findall(r"\.(?=\s|$)", text))


# ---------------------------------------------------------------------- the text says what the line does


@pytest.mark.parametrize(("north", "south"), suit_combinations())
def test_all_lines_of_known_combinations(needs_kernels, north, south):
    solver = solver_of(north, south)
    lines = {solver.line(goal).levels: goal for goal in (*range(1, solver.suit.length + 1), None)}
    for goal in lines.values():
        check(solver, goal)


@pytest.mark.parametrize("seed", range(4))
def test_goals_of_random_combinations(needs_kernels, seed):
    for rng, suit in random_suits(seed, 25, 7):
        check(SuitSolver(suit), rng.randint(1, suit.length))


@pytest.mark.parametrize("seed", range(2))
def test_most_tricks_of_random_combinations(needs_kernels, seed):
    for _, suit in random_suits(seed, 20, 6):
        check(SuitSolver(suit), None)


@pytest.mark.parametrize("entries", [(1, 1), (0, 2), (2, 1)])
def test_entries(needs_kernels, entries):
    for rng, suit in random_suits(sum(entries), 12, 6):
        check(SuitSolver(suit, entries=entries), rng.randint(1, suit.length))


def test_vacant_places(needs_kernels):
    check(SuitSolver(Suit.of("AQT9", "432", west_cards=6)), 3)


@pytest.mark.parametrize(
    ("north", "south", "tricks"), [("8", "QJ743", 1), ("JT97542", "-", 3), ("T86", "AQ74", 1), ("KJ742", "6", 1)]
)
def test_combinations_that_are_hard_to_tell(needs_kernels, north, south, tricks):
    check(SuitSolver(Suit.of(north, south)), tricks)


def test_slow_rules_say_the_same(needs_kernels):
    for suit in (Suit.of("AQ9", "432"), Suit.of("AKT", "9832")):
        readable = SuitSolver(suit, fronts=ReadableFronts)
        assert line_in_words(readable, 2) == line_in_words(SuitSolver(suit), 2)


# ---------------------------------------------------------------------- how long it is


def test_lines_of_known_combinations_are_short(needs_kernels):
    """Half of them are two sentences at most, none is more than eight; and nobody reads a sentence twice."""
    counts, words = [], []
    for names in suit_combinations():
        for answer in solver_of(*names).goals:
            if 0 < answer.chance < 1:
                text = line_in_words(solver_of(*names), answer.tricks).text
                counts.append(sentences(text))
                words.append(len(text.split()))
    assert len(counts) == 92
    assert median(counts) <= 2
    assert max(counts) <= 8
    assert median(words) <= 12
    assert max(words) <= 40


@pytest.mark.parametrize("seed", range(3))
def test_lines_of_random_combinations_are_short(needs_kernels, seed):
    for rng, suit in random_suits(100 + seed, 20, 8):
        assert sentences(line_in_words(SuitSolver(suit), rng.randint(1, suit.length)).text) <= 8


def test_an_overview_shows_a_line_whole_or_says_that_it_does_not(needs_kernels):
    for names in suit_combinations():
        for answer in solver_of(*names).goals:
            line = line_in_words(solver_of(*names), answer.tricks)
            assert line.summary == line.text or line.summary.endswith(", with exceptions.")


# ---------------------------------------------------------------------- as a good columnist would print it

STYLE = {
    "a finesse": ("AQ", "32", 2, "Finesse the queen."),
    "a finesse with a king": ("KJ", "32", 1, "Finesse the jack."),
    "a double finesse": ("AQT", "432", 2, "Finesse the ten, then the queen."),
    "a double finesse against two honours": ("AJT", "432", 2, "Finesse the jack, then the ten."),
    "a deep finesse": ("AQ9", "432", 2, "Finesse the nine, then the queen."),
    "a repeated finesse": ("AQJ", "432", 3, "Finesse the queen, then the jack."),
    "a finesse by running an honour": ("A32", "QJT9", 4, "Run the queen, then the jack."),
    "a finesse of a long suit, not a duck": ("KJT9876", "2", 6, "Finesse the jack."),
    "a finesse after a look": ("AKJ54", "32", 4, "Cash the ace, then finesse the jack."),
    "a finesse after a look, twice": ("AKJT", "432", 4, "Cash the ace, then finesse the jack, then the ten."),
    "a finesse either way": ("AJ93", "KT2", 4, "Cash the king, then run the ten, then finesse the jack."),
    "eight ever": ("AKJ65", "432", 4, "Cash the ace, then finesse the jack."),
    "nine never": ("AKJ76", "5432", 5, "Play from the top. If East shows out, finesse the jack."),
    "the drop": ("AK76", "5432", 3, "Play from the top."),
    "the drop, the short hand's honour first": ("AKQ83", "J2", 5, "Play from the top."),
    "a duck": ("KQJ54", "32", 3, "Duck a round."),
    "low to honours": ("KQ2", "543", 2, "Lead low to the king, then to the queen."),
    "low to honours without the ace and king": ("QJ9", "432", 1, "Lead low to the queen, then to the jack."),
    "low to a queen": ("Q32", "A54", 2, "Cash the ace, then lead low to the queen."),
    "low to three honours": ("KT9", "432", 1, "Finesse the ten, then the nine."),
    "an honour, then a finesse": ("KQT9", "432", 3, "Lead low to the king, then finesse the ten, then the nine."),
    "safety against four in one hand": ("A654", "KJ32", 3, "Cash the ace, then finesse the jack."),
    "safety for three of four tricks": ("AJ32", "K54", 3, "Cash the ace and king, then lead low to the jack."),
    "safety, the ace before the finesse": ("AQ76", "5432", 2, "Cash the ace, then lead low to the queen."),
    "safety against all five in one hand": (
        *("AKQ84", "J32", 5),
        "Play from the top. If East shows out, finesse the eight.",
    ),
    "the marked finesse": ("AKQT", "432", 4, "Play from the top. If East shows out, finesse the ten."),
    "a long way to go": (
        *("AQT9", "5432", 3),
        "Finesse the ten, then the nine. If a defender shows out, the rest is marked.",
    ),
    "an honour of the short hand, not whatever is led to it": ("AQ", "T976543", 6, "Finesse the queen."),
    "a finesse when the other hand has nothing lower": ("AKJ", "763", 3, "Cash the ace, then finesse the jack."),
    "a ten finesse after the ace": ("QT4", "A7", 2, "Cash the ace, then finesse the ten."),
    "a card that falls": (
        *("AK543", "J92", 4),
        "Cash the ace, then lead low to the jack. If the ten falls, run the jack.",
    ),
    "restricted choice, the usual course first": (
        *("AT93", "K8", 3),
        "Cash the king, then finesse the ten. If the queen or jack falls, play from the top.",
    ),
    "one reason to finesse, or another": (
        *("AKT6", "5432", 3),
        "Play from the top. If both follow low, or if East shows out, finesse the ten.",
    ),
    "the same on the next round, whatever happened": (
        *("K76543", "Q2", 3),
        "Lead low to the queen, then duck a round. On the third round, play from the top.",
    ),
    "several ducks": ("T754", "Q2", 1, "Lead low to the queen, then duck two rounds."),
    "one chance, then another": ("AQT65", "432", 4, "Finesse the queen, then the ten."),
    "a finesse against what is left, not low to a card": (
        *("AJ98", "K32", 4),
        (
            "Cash the king, then finesse the jack.\n"
            "If East has played the ten by the second round, finesse the nine.\n"
            "If a defender shows out, the rest is marked."
        ),
    ),
    "the eight of touching cards, not the six": (
        *("AJ876", "T54", 4),
        (
            "Run the ten, then finesse the eight.\n"
            "If you lose a trick, finesse the jack.\n"
            "If a defender shows out, the rest is marked."
        ),
    ),
    "what is marked need not be told": (
        *("AT9653", "Q2", 4),
        "Run the queen, then finesse the ten. If a defender shows out, the rest is marked.",
    ),
    "a duck, not low to the seven": ("KQ8532", "7", 3, "Duck a round."),
    "two facts about one defender": (
        *("K964", "Q753", 2),
        (
            "Finesse the nine.\n"
            "If East has played the eight and the two, play from the top.\n"
            "If West shows out, finesse the seven."
        ),
    ),
    "a king that covers": (
        *("AQ983", "J2", 5),
        "Run the jack, then finesse the queen. If West plays the king, finesse the nine.",
    ),
}
"""Known combinations, each with the sentence that a good columnist would print."""


@pytest.mark.parametrize("what", STYLE)
def test_style(needs_kernels, what):
    north, south, tricks, text = STYLE[what]
    assert line_in_words(SuitSolver(Suit.of(north, south)), tricks).text == text


def test_a_backward_finesse():
    """The queen is known to be on the wrong side."""
    text = line_in_words(SuitSolver(Suit.of("K32", "AJ9", west="Q")), 3).text
    assert text == "Run the jack. If the queen falls, finesse the nine."


def test_insert_and_finesse_are_no_ducks(needs_kernels):
    for names in suit_combinations():
        for answer in solver_of(*names).goals:
            text = line_in_words(solver_of(*names), answer.tricks).text
            assert "duck" not in text.lower() or text == "Duck a round.", (names, text)


@pytest.mark.parametrize("seed", range(3))
def test_a_card_is_run_past_a_lower_one(needs_kernels, seed):
    """From opposite AQ alone the seven is not run: the queen is finessed."""
    for rng, suit in random_suits(200 + seed, 40, 8):
        text = line_in_words(SuitSolver(suit), rng.randint(1, suit.length)).text
        for name in re.findall(r"[Rr]un the (\w+)", text):
            rank = CARD_NAMES.index(name) + 2
            opposite = suit.south if rank in suit.north else suit.north
            assert min(opposite) < rank or rank >= 10, (str(suit), text)


def test_nothing_is_said_that_never_happens(needs_kernels):
    """No exception has the condition of one before it."""
    for north, south, tricks in [("KQ87", "J65", 3), ("Q853", "AJ", 3), ("K983", "J6", 2), ("AQ86", "T52", 3)]:
        solver = SuitSolver(Suit.of(north, south))
        lines = line_in_words(solver, tricks).text.splitlines()
        conditions = [line.split(",")[0] for line in lines if line.startswith(("If", "On"))]
        assert len(set(conditions)) == len(conditions)


def test_a_low_card_is_any_low_card():
    """Not one of several kinds, and not a single card: the three has a name."""
    solver = SuitSolver(Suit.of("J54", "AK962"))  # the defenders have Q T 87 3
    text = line_in_words(solver, 4).text
    assert "both follow low" in text
    line = read_line(solver.suit, text)
    assert played_by(line, "SA", "W8", "N4", "E3") == played_by(line, "SA", "W3", "N4", "E8")


# ---------------------------------------------------------------------- the papers' examples, word for word


def test_fb01_fig_13():
    words = line_in_words(SuitSolver(Suit.of("QJ98", "32")), 2)
    assert words.start == "Finesse the nine"
    assert words.text == "Finesse the nine, then the eight."


def test_fb01_fig_14():
    words = line_in_words(SuitSolver(Suit.of("AKQ9", "32")), 4)
    assert (words.start, words.text) == ("Finesse the nine", "Finesse the nine.")


def test_certain_tricks_are_played_from_the_top():
    words = line_in_words(SuitSolver(Suit.of("AKQ", "432")), 3)
    assert (words.start, words.text) == ("Cash the ace", "Play from the top.")


def test_nothing_can_be_done():
    solver = SuitSolver(Suit.of("32", "4"))
    words = line_in_words(solver, 2)
    assert solver.goal(2).chance == 0
    assert words.text == words.summary == "Nothing can be done."
    assert read_line(solver.suit, words.text).play(solver.rules.root) == SuitMove(SOUTH, 4)


def test_another_start_can_be_asked_for():
    solver = SuitSolver(Suit.of("AQT", "32"))
    levels = (solver.goal(2).wins,) * 2 + (0,)
    starts = [levels_in_words(solver, levels, [Step(SOUTH, 0, card)]).start for card in (12, 10)]
    assert starts == ["Finesse the queen", "Finesse the ten"]


# ---------------------------------------------------------------------- the reader


def move_of(text):
    return SuitMove("NESW".index(text[0]), RANKS.index(text[1]) + 2 if text[1] != "-" else OUT)


def played_by(line, *moves):
    """What a line that was read plays after some moves such as W9."""
    game = SuitGame(line.suit)
    position = game.root
    for move in moves:
        position = game.play(position, move_of(move))
    return str(line.play(position))


def played(north, south, text, *moves):
    return played_by(read_line(Suit.of(north, south), text), *moves)


def test_lead_and_third_hand():
    text = "Finesse the nine, but play the jack on the ten and play low if West shows out."
    assert played("QJ98", "32", text) == "S2"
    assert played("QJ98", "32", text, "S2", "W7") == "N9"
    assert played("QJ98", "32", text, "S2", "WT") == "NJ"
    assert played("QJ98", "32", text, "S2", "W-") == "N8"


def test_a_card_that_cannot_be_beaten_gets_a_low_one():
    assert played("QJ98", "32", "Finesse the nine.", "S2", "WA") == "N8"


def test_high_cards_are_beaten_cheaply():
    assert played("AQT", "32", "Finesse the ten.", "S2", "WJ") == "NQ"
    assert played("AQT", "32", "Finesse the ten.", "S2", "WK") == "NA"
    assert played("AQT", "J2", "Run the jack.", "SJ", "WK") == "NA"
    assert played("AQT", "J2", "Run the jack.", "SJ", "W9") == "NT"
    assert played("AQT", "32", "Finesse the ten, but duck the king.", "S2", "WK") == "NT"


def test_a_step_is_repeated_until_its_card_has_been_played():
    text = "Finesse the ten, then the queen."
    assert played("AQT", "432", text, "S2", "WK", "NA", "E5", "S3", "W5") == "NT"
    assert played("AQT", "432", text, "S2", "W5", "NT", "E6", "S3", "W7") == "NQ"


def test_the_short_hand_comes_first():
    assert played("AKQ83", "J2", "Play from the top.") == "SJ"
    assert played("AKQ83", "J2", "Play from the top.", "SJ", "W4", "N3", "E5") == "NA"


def test_several_ducks_and_what_comes_after():
    text = "Duck two rounds. On the third round, cash the king."
    assert played("AK32", "654", text, "N2", "E7", "S4", "W8") == "N3"
    assert played("AK32", "654", text, "N2", "E7", "S4", "W8", "N3", "E9", "S5", "WT") == "NK"
    assert played("K432", "-", "Lead low twice.", "N2", "E7", "W8") == "N3"


def test_marked_plays():
    text = "Play from the top. If a defender shows out, the rest is marked."
    assert played("AKQT", "432", text, "NA", "E5", "S2", "W6", "NQ", "E-", "S3", "W7") == "S4"
    assert played("AKQT", "432", text, "NA", "E5", "S2", "W6", "NQ", "E-", "S3", "W7", "S4", "W8") == "NT"
    assert played("AKQT", "432", "Play from the top.", "NA", "E5", "S2", "W6", "NQ", "E-", "S3", "W7") == "NK"


@pytest.mark.parametrize(
    ("text", "lead"),
    [
        ("Cash the ace.", "NA"),
        ("Run the ten.", "NT"),
        ("Lead the three to the queen.", "S3"),
        ("Lead low from South and duck.", "S2"),
        ("Duck a round.", "NT"),
        ("Play from the top.", "NA"),
        ("Cash the king.", "NA"),
        ("Cash the king and ace.", "NA"),
        ("Finesse the king, then the queen.", "S2"),
        ("Duck two rounds.", "NT"),
    ],
)
def test_leads(text, lead):
    assert played("AQT", "32", text) == lead


@pytest.mark.parametrize(
    ("condition", "holds"),
    [
        ("West plays the jack", True),
        ("West plays the king, jack or a low card", True),
        ("West plays low", False),
        ("West plays anything but the king", True),
        ("West plays anything but the jack", False),
        ("the jack falls", True),
        ("the king falls", False),
        ("both follow low", False),
        ("East shows out", False),
        ("it loses", False),
        ("you lose a trick to the king", False),
        ("it wins", True),
        ("it wins on the first round", True),
        ("it wins on the second round", False),
        ("East wins", False),
        ("you have one trick", True),
        ("you have no tricks", False),
        ("the jack has gone", True),
        ("the king has gone", False),
        ("North still has the ten", True),
        ("North still has the queen", False),
        ("West has played the jack and East has played a low card", True),
        ("West has played two low cards", False),
        ("East wins, or if it wins", True),
    ],
)
def test_conditions(condition, holds):
    text = f"Finesse the queen, then cash the ace. If {condition}, run the ten."
    assert played("AQT", "32", text, "S2", "WJ", "NQ", "E9") == ("NT" if holds else "NA")


def test_nested_exceptions_and_several_of_a_class():
    text = "\n".join(
        [
            "Cash the ace, then lead low to the king.",
            "If West has played two of QJT, duck a round.",
            "If West has played the queen, jack or ten:",
            "  Duck a round.",
            "  If East shows out, cash the king.",
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
        read_line(Suit.of("AQ", "32"), "Cash the ace.\nIf West sneezes, cash the queen.")
    with pytest.raises(InputError, match="line of play"):
        read_line(Suit.of("AQ", "32"), "Cash the ace.\nCash the queen.")


# ---------------------------------------------------------------------- with ruffs, or led by the defenders


@pytest.mark.parametrize(
    ("north", "south", "how", "words"),
    [
        ("AKJ2", "3", {"ruffs": 2}, "Cash the ace. The rest depends on the fall of the cards."),
        ("A5432", "Q", {"ruffs": 2}, "Lead low to the queen. The rest depends on the fall of the cards."),
        ("AKJT9", "-", {"ruffs": 3}, "Lead low from North and ruff. The rest depends on the fall of the cards."),
        ("5432", "6", {"ruffs": 2}, "Duck a round. The rest depends on the fall of the cards."),
        ("KJ3", "A54", {"defenders_lead": "west"}, "If West leads, play low from North."),
        (
            *("KT2", "A43", {"defenders_lead": "east"}),
            "If East leads the queen or jack, play the ace from South. If East leads a low card, play low from South.",
        ),
    ],
)
def test_the_first_trick_alone(needs_kernels, north, south, how, words):
    assert line_in_words(SuitSolver(Suit.of(north, south, **how)), 1).text == words
