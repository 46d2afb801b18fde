"""The drill: what a card costs by brute force, the defence and its layouts, and who gets through without judgement."""

from __future__ import annotations

import re
import time
from fractions import Fraction
from itertools import islice
from random import Random

import pytest

from drill_players import (
    LEADS,
    PLAYERS,
    chance_of_luck,
    gets_through,
    leads_through,
    sampling_gets_through,
    starts_right,
)
from suit_lines import random_suits
from worldwise.bridge.rules.cards import RANKS
from worldwise.bridge.suit.drill import (
    DrillAttempt,
    DrillEntry,
    DrillQuestion,
    draw_questions,
    own_questions,
    questions_about,
)
from worldwise.bridge.suit.drill_levels import LEVELS, level_of, rivals
from worldwise.bridge.suit.drill_reader import read_drill_card, read_wish
from worldwise.bridge.suit.drill_words import (
    end_words,
    hint_words,
    longest_streak,
    review_words,
    rivals_words,
    rounds_words,
    score_words,
    streak_now,
    turn_words,
    verdict_words,
)
from worldwise.bridge.suit.monte_carlo import MonteCarloLine
from worldwise.bridge.suit.rules import EAST, NORTH, SOUTH, WEST, Suit, SuitGame, SuitMove
from worldwise.bridge.suit.rules_of_thumb import RULES_OF_THUMB, ThumbLine
from worldwise.bridge.suit.solver import SuitSolver
from worldwise.bridge.suit.views.drill import end_json, review_json, turn_json, verdict_json
from worldwise.catalog import drill_entries
from worldwise.core.game import Side
from worldwise.errors import InputError
from worldwise.search.transposed import Fronts


def ask(north, south, tricks):
    return DrillQuestion(SuitSolver(Suit.of(north, south)), tricks)


def question_of(entry):
    return DrillQuestion(SuitSolver(Suit.of(entry.north, entry.south)), entry.tricks, entry.level)


def plays_of(question, rng, chosen=None):
    """Every choice on one way through a question, on which no card costs."""
    play = question.begin()
    while not play.is_over:
        yield play
        right = [verdict for card in play.choices if not (verdict := play.judge(card)).costs]
        play = rng.choice(right).then
    if chosen is not None:
        chosen.append(play)


def cards(texts):
    return [SuitMove("NESW".index(text[0]), RANKS.index(text[1]) + 2) for text in texts.split()]


def put(attempt, texts):
    for card in cards(texts):
        attempt.put(card)
    return attempt


# ---------------------------------------------------------------------- what a card costs


class OnPath:
    """The readable game of a suit, in which declarer has no choice where he has already played; no play is left out.

    A position is a table and how much of the path has been followed; None once the defenders have left it.
    """

    def __init__(self, suit, goal, path):
        self.game, self.path = SuitGame(suit, goal, lean=False), path
        self.worlds, self.weights, self.root = self.game.worlds, self.game.weights, (self.game.root.table, 0)

    def to_move(self, position):
        return self.game.side(position[0])

    def moves(self, position):
        table, made = position
        on_path = made is not None and made < len(self.path)
        if on_path and self.game.side(table) is Side.MAX:
            return [self.path[made]]
        return self.game.options(table)

    def play(self, position, move):
        table, made = position
        on_path = made is not None and made < len(self.path) and move == self.path[made]
        return self.game.after(table, move), made + 1 if on_path else None

    def payoffs(self, position):
        won = self.game.score(position[0])
        return [won if self.game.fits(position[0], world) else None for world in self.game.suit.worlds]

    def key(self, position):
        return position

    @property
    def value(self):
        """The best chance, from the whole front."""
        vectors = Fronts(self).at(self.root)
        won = [sum(w for w, payoff in zip(self.weights, vector, strict=True) if payoff) for vector in vectors]
        return Fraction(max(won), sum(self.weights))


def small_suits(seed, count):
    """Hands of a few cards, the others being gone."""
    rng = Random(seed)
    for _ in range(count):
        ranks = rng.sample(RANKS, 13)
        north, south, missing = rng.randint(2, 3), rng.randint(1, 2), rng.randint(3, 4)
        hands = ranks[:north], ranks[north : north + south], ranks[north + south + missing :]
        yield rng, Suit.of(*map("".join, hands[:2]), gone="".join(hands[2]))


@pytest.mark.parametrize("seed", range(3))
def test_chances_are_those_of_the_best_line_that_has_played_so(kernels, seed):
    """By brute force over the whole tree: what was played is fixed, everything else is free."""
    judged = 0
    for rng, suit in small_suits(seed, 12):
        for question in questions_about(SuitSolver(suit)):
            for play in plays_of(question, rng):
                for card in play.choices:
                    verdict = play.judge(card)
                    assert verdict.after == OnPath(suit, question.tricks, (*play.moves, card)).value
                    assert verdict.costs == (verdict.after < question.answer.chance == verdict.before)
                    judged += 1
    assert judged > 20


@pytest.mark.parametrize("seed", range(2))
def test_the_sum_comes_out(needs_kernels, seed):
    """What is given up and won instead, here and elsewhere, is what the chance falls by."""
    for rng, suit in random_suits(seed, 10, 6):
        for question in questions_about(SuitSolver(suit))[-1:]:
            solver = question.solver
            for play in plays_of(question, rng):
                for card in play.choices:
                    verdict = play.judge(card)
                    lost, won = (
                        sum(solver.chance(solver.weight(mask)) for mask in masks)
                        for masks in (
                            (verdict.given_up, verdict.given_up_elsewhere),
                            (verdict.gained, verdict.gained_elsewhere),
                        )
                    )
                    assert verdict.before - lost + won == verdict.after
                    assert bool(verdict.given_up) or not verdict.costs


@pytest.mark.parametrize("seed", range(2))
def test_the_best_card_costs_nothing_and_touching_cards_are_alike(needs_kernels, seed):
    for rng, suit in random_suits(seed, 10, 6):
        for question in questions_about(SuitSolver(suit))[-1:]:
            for play in plays_of(question, rng):
                after = {card: play.judge(card).after for card in play.choices}
                assert after[play.best_move] == question.answer.chance
                for card, above in zip(play.choices[1:], play.choices, strict=False):
                    if card.seat == above.seat and not play.defence.view.is_between(play.table, card.card, above.card):
                        assert after[card] == after[above]


def test_sampling_goes_wrong_where_fb01_says():
    """Figs 13 and 14: QJ98 opposite 32 and AKQ9 opposite 32, in the second round."""
    for north, tricks, wrong, right in (("QJ98", 2, 12, (8, 9)), ("AKQ9", 4, 13, (9,))):
        question = ask(north, "32", tricks)
        line, play = MonteCarloLine(question.solver, tricks), question.begin()
        while not (verdict := play.judge(line.play(play.table))).costs:
            play = verdict.then
        assert (len(play.rounds), len(play.table.trick)) == (2, 2)
        assert play.best_move.card in right
        assert play.judge(SuitMove(NORTH, wrong)).costs


def test_a_card_that_cannot_be_played():
    play = ask("AKQ9", "32", 4).begin()
    for text in ("NJ", "S9", "W5"):
        with pytest.raises(InputError, match="expected one of NA, NK, NQ, N9, S3, S2, found"):
            play.judge(*cards(text))


# ---------------------------------------------------------------------- the defence and the layouts


@pytest.mark.parametrize("seed", range(2))
def test_layouts_fit_all_cards_and_the_defence_is_best_there(needs_kernels, seed):
    for rng, suit in random_suits(seed, 10, 6):
        for question in questions_about(SuitSolver(suit))[-1:]:
            solver, ends = question.solver, []
            for play in plays_of(question, rng, ends):
                assert len(solver.rules.options(play.table)) > 1, "cards that make no difference play themselves"
                for verdict in map(play.judge, play.choices):
                    if verdict.costs:
                        world = _check_layout(play, verdict.given_up)
                        assert not verdict.next.target >> world & 1
            (end,) = ends
            if not end.won_here:  # another line is as good, and wins elsewhere
                continue
            world = _check_layout(end, end.target)
            front = solver.front(end.table, question.tricks) if end.table.tricks < question.tricks else [end.target]
            assert any(not end.target & end.possible & ~mask and mask >> world & 1 for mask in front)


def _check_layout(play, among):
    """The number of the world that is shown: one of those, and all cards played were there."""
    west, east = play.layout(among)
    suit = play.question.solver.suit
    assert sorted(west + east) == sorted(card for members in suit.classes for card in members)
    for card in play.cards:
        assert card.seat not in (WEST, EAST) or not card.card or card.card in (west if card.seat == WEST else east)
    for seat, hand in ((WEST, west), (EAST, east)):
        out = next((place for place, card in enumerate(play.cards) if card == SuitMove(seat, 0)), len(play.cards))
        played = {card.card for card in play.cards[:out] if card.seat == seat}
        assert out == len(play.cards) or played == set(hand), "who shows out has no card left"
    world = suit.worlds.index(tuple(sum(card in west for card in members) for members in suit.classes))
    assert among >> world & 1
    return world


def test_a_line_that_is_as_good_may_win_elsewhere():
    """KJ9 opposite 3 for two tricks: the king on the ten is as good over all, but wins nowhere that West plays it."""
    attempt = put(DrillAttempt(ask("KJ9", "3", 2)), "S3 NK")
    assert (attempt.is_clean, attempt.play.won_here) == (True, 0)
    told = end_words(attempt)[1]
    assert told.endswith("you go down: your line wins elsewhere, and as often.")
    _check_layout(attempt.play, attempt.play.possible)


def test_cards_that_are_placed_are_where_they_were_placed():
    solver = SuitSolver(Suit.of("AKQ9", "32", west="T8"))
    end = []
    list(plays_of(DrillQuestion(solver, 4), Random(1), end))
    west, east = end[0].layout(end[0].target)
    assert {10, 8} <= set(west)
    assert not {10, 8} & set(east)


def test_the_same_cards_meet_the_same_defence():
    one, other = (put(DrillAttempt(ask("AKQ9", "32", 4)), "S2 NQ S3 N9").play for _ in range(2))
    assert (one.cards, one.is_over) == (other.cards, True)
    assert " ".join(map(str, one.cards)) == "S2 WT NQ E4 S3 W5 N9"


def test_defenders_go_where_one_can_go_wrong():
    """A low card of West's in the first round would make the nine right and what comes after it easy."""
    play = ask("AKQ9", "32", 4).begin()
    low = play.question.solver.rules.after(play.table, SuitMove(SOUTH, 2))
    answers = {answer: play.defence.danger(play._rules.after(low, answer)).total for answer in play._rules.options(low)}
    assert play.defence.answer(low) == max(answers, key=answers.get) == SuitMove(WEST, 11)


# ---------------------------------------------------------------------- questions


def test_questions_are_those_in_which_a_card_can_cost():
    solver = SuitSolver(Suit.of("AKQ9", "32"))
    assert [question.tricks for question in questions_about(solver)] == [4]
    with pytest.raises(InputError, match="in which a card can cost something, found AKQ"):
        own_questions(SuitSolver(Suit.of("AKQ", "32")), None)
    with pytest.raises(InputError, match="a goal other than 3 in which a card can cost something"):
        own_questions(solver, 3)


def test_a_seed_draws_the_same_questions_and_no_other():
    entries = [DrillEntry("AKQ9", "32", 4, 3), DrillEntry("AQ", "32", 2, 1), DrillEntry("KJ9", "432", 1, 1)]
    first, again, other = (
        [(str(question.solver.suit), question.level) for question in islice(draw_questions(entries, seed), 12)]
        for seed in (1, 1, 2)
    )
    assert first == again != other
    assert all(len(set(first[start : start + 3])) == 3 for start in range(0, 12, 3)), "each once before any comes again"
    assert len({suit for suit, _ in first}) > 3, "either hand may be North"


# ---------------------------------------------------------------------- nobody gets through without judgement

MOST = {"all cards": 0.25, "all leads": 0.4, "first lead": 0.4, "luck": 0.1}
"""What docs/games/suit.md promises: no rule of thumb is right more often, in any level."""


def test_the_pool():
    entries = drill_entries()
    assert [len(drill_entries(level)) for level in LEVELS] == [40, 40, 40]
    assert len({frozenset((entry.north, entry.south)) for entry in entries}) == len(entries) == 120


@pytest.mark.parametrize("level", LEVELS)
def test_no_rule_of_thumb_gets_through(needs_kernels, level):
    """All questions of a level; who plays every other card right is let off all but the leads, or the first lead."""
    questions = [question_of(entry) for entry in drill_entries(level)]
    for rule in PLAYERS.values():
        assert share(gets_through, questions, rule) <= MOST["all cards"]
    for rule in LEADS.values():
        assert share(leads_through, questions, rule) < MOST["all leads"]
        assert share(starts_right, questions, rule) < MOST["first lead"]


def share(test, questions, rule):
    return sum(test(question, rule) for question in questions) / len(questions)


@pytest.mark.parametrize("level", LEVELS)
def test_luck_is_not_enough(needs_kernels, level):
    questions = [question_of(entry) for entry in drill_entries(level)[::4]]
    assert sum(chance_of_luck(question.begin()) for question in questions) / len(questions) < MOST["luck"]


@pytest.mark.parametrize("level", LEVELS)
def test_levels_say_how_far_others_fall_behind(needs_kernels, level):
    for entry in drill_entries(level)[::10]:
        solver = SuitSolver(Suit.of(entry.north, entry.south))
        assert level_of(solver, entry.tricks) == level
        behind = [solver.goal(entry.tricks).chance - chance for chance in rivals(solver, entry.tricks).values()]
        assert min(behind) == 0 if level == 1 else 0 < min(behind) <= Fraction(6, 100) if level == 2 else True
        assert level < 3 or min(behind) > Fraction(6, 100)


def test_sampling_is_beaten_above_level_1(needs_kernels):
    for level in (2, 3):
        questions = [question_of(entry) for entry in drill_entries(level)]
        assert sum(map(sampling_gets_through, questions)) / len(questions) < 0.4


def test_a_question_is_there_in_a_blink(needs_kernels):
    """Chosen, solved and ready for the first card; the median, by the processor's clock."""
    questions, taken = draw_questions(drill_entries(), 1), []
    for _ in range(15):
        started = time.process_time()
        next(questions).begin()
        taken.append(time.process_time() - started)
    assert sorted(taken)[7] < 0.2


@pytest.mark.parametrize("seed", range(3))
def test_rules_of_thumb_are_played_to_the_end(needs_kernels, seed):
    """Their lines exist for every suit, and win no more than the best."""
    for rng, suit in random_suits(seed, 10, 7):
        solver, tricks = SuitSolver(suit), rng.randint(1, suit.length)
        for rule in RULES_OF_THUMB.values():
            assert ThumbLine(solver, tricks, rule).chance <= solver.goal(tricks).chance


def test_natural_finesses():
    for north, south, tricks, chance in (("AQ", "32", 2, 0.5), ("AJT", "432", 2, 0.76), ("AQJ", "432", 3, 0.5)):
        line = ThumbLine(SuitSolver(Suit.of(north, south)), tricks, RULES_OF_THUMB["finesse"])
        assert float(line.chance) == pytest.approx(chance, abs=0.2)
        assert line.play(line.solver.root).seat == SOUTH


# ---------------------------------------------------------------------- an attempt


def test_it_stops_at_a_card_that_costs_until_it_is_taken_back():
    attempt = DrillAttempt(ask("AKQ9", "32", 4))
    with pytest.raises(InputError, match="expected a card to take back, found none"):
        attempt.take_back()
    put(attempt, "S2 N9")
    assert (attempt.slip.move, len(attempt.play.moves)) == (SuitMove(NORTH, 9), 2)
    attempt.take_back()
    assert (attempt.slip, len(attempt.slips), len(attempt.play.moves)) == (None, 1, 2)
    attempt.take_back()
    assert attempt.play.moves == ()
    put(attempt, "S3 NK S2 N9")
    assert (attempt.is_done, attempt.is_clean, attempt.lost > 0.18) == (True, False, True)


def test_a_card_that_costs_may_be_replaced_at_once():
    attempt = put(DrillAttempt(ask("AKQ9", "32", 4)), "NA S2 NQ S3 N9")
    assert (attempt.slip, attempt.is_done, len(attempt.slips)) == (None, True, 1)


def test_hints():
    attempt = DrillAttempt(ask("AKQ9", "32", 4))
    attempt.ask_for_help()
    assert hint_words(attempt).startswith("Layouts that you can still win: JTxx–xxx 8.88 %, JTxxx–xx 7.27 %")
    attempt.ask_for_help()
    assert hint_words(attempt) == "Lead low from South."
    put(attempt, "S2 NQ S3 N9")
    assert (attempt.is_done, attempt.is_clean, attempt.hints) == (True, False, 2)
    with pytest.raises(InputError, match="the question is over"):
        attempt.ask_for_help()


# ---------------------------------------------------------------------- words


def test_what_is_said_on_the_way():
    attempt = DrillAttempt(ask("AKQ9", "32", 4))
    assert turn_words(attempt.play) == "Your lead: North (AKQ9) or South (32). You have 0 of 4 tricks."
    put(attempt, "S2 NQ S3")
    assert rounds_words(attempt.play) == [
        "Round 1: South the two, West the ten, North the queen, East the four. North wins.",
        "Round 2: South the three, West the five.",
    ]
    assert rounds_words(attempt.play, 5) == ["Round 2: West the five."]
    assert turn_words(attempt.play) == "North to play, from AK9."


def test_what_is_said_of_a_card_that_costs():
    play = ask("AKQ9", "32", 4).begin()
    assert verdict_words(play.judge(SuitMove(NORTH, 14))) == [
        "Cashing the ace cuts your chance from 24.00 % to 10.34 %.",
        "It gives up JTxx–xxx 8.88 %, JTxxx–xx 7.27 %, JTxxxx–x 2.42 %, JTxxxxx–void 0.26 %.",
        "It wins instead xxxx–JTx 4.44 %, xxxxx–JT 0.73 %.",
        "If West has JT87 and East has 654, you are beaten now.",
    ]
    assert (
        verdict_words(play.judge(SuitMove(NORTH, 9)))[0] == "Leading the nine from North cuts your chance to nothing."
    )
    later = put(DrillAttempt(play.question), "S2 N9").slip
    assert verdict_words(later)[2].startswith("Had the defenders played otherwise, the best plan with this card would")


def test_what_is_said_in_the_end():
    clean = put(DrillAttempt(ask("AKQ9", "32", 4)), "S2 NQ S3 N9")
    words = [
        "Right to the end: 24.00 %, the best there is.",
        "If West has JT85 and East has 764, you take your 4 tricks.",
    ]
    assert end_words(clean) == words
    helped = put(DrillAttempt(clean.question), "NA S2")
    assert end_words(helped) == ["Better: play the queen."]
    helped.ask_for_help()
    assert end_words(put(helped, "NQ S3 N9"))[0] == "To the end, with 1 slip and 1 hint."
    best, others = clean.question.answer.chance, rivals(clean.question.solver, 4)
    assert rivals_words(best, others) == (
        "The best line wins 24.00 %, sampling 5.43 %, the natural finesse 24.00 %, the drop 10.34 %."
    )


def test_the_review_is_in_words_without_codes():
    question = ask("AKQ9", "32", 4)
    clean, slipped, left = (put(DrillAttempt(question), played) for played in ("S2 NQ S3 N9", "S2 NQ S3 NK", "S2"))
    helped = put(DrillAttempt(question), "S2 NQ S3")
    helped.ask_for_help()
    put(helped, "N9")
    told = [review_words(attempt) for attempt in (clean, slipped, left, helped)]
    name = "AKQ9 opposite 32 for 4 tricks"
    assert told == [
        f"{name}: right, 24.00 %.",
        f"{name}: playing the king cut your chance from 24.00 % to 10.34 % in round 2. Better: play the nine.",
        f"{name}: not played to the end.",
        f"{name}: right, 24.00 %, with 1 hint.",
    ]
    assert not any(re.search(r"\b[NESW][2-9TJQKA]\b", words) for words in told)


def test_streaks_and_the_score():
    question = ask("AKQ9", "32", 4)
    clean, slipped = put(DrillAttempt(question), "S2 NQ S3 N9"), put(DrillAttempt(question), "NA")
    attempts = [clean, clean, slipped, clean, clean, clean]
    assert (longest_streak(attempts), streak_now(attempts), streak_now([slipped]), longest_streak([])) == (3, 3, 0, 0)
    assert score_words(attempts) == "5 of 6 right to the end, 3 in a row; on average you gave away 2.28 %."
    assert score_words([]) == "No answers."
    assert review_json(attempts)["longest_streak"] == 3


def test_json_says_what_the_words_say():
    attempt = put(DrillAttempt(ask("AKQ9", "32", 4)), "S2 N9")
    turn, slip = turn_json(attempt.play), verdict_json(attempt.slip)
    assert (turn["rounds"], turn["to_play"], turn["choices"]) == ([["S2", "WT"]], ["N"], ["NA", "NK", "NQ", "N9"])
    assert (slip["card"], slip["before_chance"], round(slip["after_chance"], 4)) == ("N9", 0.24, 0.0517)
    assert slip["layout"] == {"west": "JT87", "east": "654"}
    end = end_json(put(attempt, "NQ S3 N9"))
    assert (end["done"], end["right"], end["slips"], end["layout"]) == (True, False, 1, {"west": "JT85", "east": "764"})
    assert turn_json(attempt.play)["choices"] == []


# ---------------------------------------------------------------------- what people type


TYPED = {
    "N9": ("9", "n9", "N 9", "the nine", "lead the nine from North", "north low", "a low card from North"),
    "NT": ("10", "t", "ten", "N10", "the 10"),
    "NA": ("A", "ace", "NA", "cash the ace", "top north"),
    "S2": ("2", "S2", "low from south", "low s", "small from South"),
    "S3": ("3", "the three", "high south"),
}


@pytest.mark.parametrize(("card", "text"), [(card, text) for card, texts in TYPED.items() for text in texts])
def test_cards_as_people_type_them(card, text):
    play = ask("AKT9", "32", 4).begin()
    assert str(read_drill_card(text, play)) == card


def test_low_is_enough_where_there_is_one_hand():
    play = put(DrillAttempt(ask("AKQ9", "32", 4)), "S2").play
    assert [str(read_drill_card(text, play)) for text in ("low", "top", "q", "king")] == ["N9", "NA", "NQ", "NK"]


NO_CARDS = {
    "low": "low from North or low from South",
    "J": "a card of North's AKQ9 or South's 32",
    "banana": "found 'banana'",
    "": "found ''",
    "S9": "a card of",
    "9 8": "a card of",
    "x" * 999: "(999 characters)",
}


@pytest.mark.parametrize(("text", "expected"), NO_CARDS.items(), ids=lambda text: text[:9] or "nothing")
def test_what_is_no_card(text, expected):
    with pytest.raises(InputError, match=re.escape(expected)):
        read_drill_card(text, ask("AKQ9", "32", 4).begin())


def test_wishes():
    assert [read_wish(text) for text in ("take  back", "Undo", "HINT\n", "skip", "exit", "q", "9")] == [
        *("take back", "take back", "hint", "next", "quit"),
        *(None, None),
    ]
