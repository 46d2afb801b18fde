"""A drill on single suits: questions to ask, a person's answer read, and what to say of it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction
from itertools import cycle
from random import Random
from typing import TYPE_CHECKING

from worldwise.bridge.rules.cards import RANKS, rank_name
from worldwise.bridge.suit.phrases import CARD_NAMES, count_words, percent
from worldwise.bridge.suit.rules import NORTH, SOUTH, Suit, SuitMove
from worldwise.bridge.suit.solver import SuitSolver
from worldwise.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from worldwise.bridge.suit.solver import GoalAnswer

_SEATS = {"n": NORTH, "north": NORTH, "s": SOUTH, "south": SOUTH}
_WORDS = dict(zip(CARD_NAMES, RANKS, strict=True))


# ---------------------------------------------------------------------- plays


def play_words(move: SuitMove) -> str:
    """A lead as people say it.

    >>> play_words(SuitMove(SOUTH, 2))
    'lead the 2 from South'
    """
    names = {letter: word for word, letter in _WORDS.items() if letter in "TJQKA"}
    rank = rank_name(move.card)
    return f"lead the {names.get(rank, rank)} from {'North' if move.seat == NORTH else 'South'}"


def read_play(text: str, suit: Suit, plays: Iterable[SuitMove]) -> SuitMove:
    """The first play that a person means: ``S2``, ``NA`` or words; of cards that touch, any names them all.

    >>> suit = Suit.of("AKQ9", "32")
    >>> plays = list(SuitSolver(suit).goal(4).plays)
    >>> str(read_play("lead the 3 from South", suit, plays)), str(read_play("NA", suit, plays))
    ('S2', 'NQ')
    """
    options = list(plays)
    seat, card = _read_seat_and_rank(text)
    held = suit.north if seat == NORTH else suit.south
    lower = [move for move in options if move.seat == seat and card in held and move.card <= card]
    if not lower:
        known = ", ".join(f"{move} ({play_words(move)})" for move in options)
        raise InputError(f"expected one of the plays {known or '(there are none)'}, found {text.strip()!r}")
    return max(lower, key=lambda move: move.card)


def _read_seat_and_rank(text: str) -> tuple[int | None, int]:
    """The seat and the rank in a text; None and 0 for what is not there."""
    words = re.findall(r"10|[a-z]+|[2-9]", text.lower())
    if len(words) == 1 and len(words[0]) == 2 and words[0][0] in _SEATS:
        words = list(words[0])
    seats = [_SEATS[word] for word in words if word in _SEATS]
    ranks = [rank for word in words if (rank := _rank(word))]
    return seats[0] if len(seats) == 1 else None, ranks[0] if len(ranks) == 1 else 0


def _rank(word: str) -> int:
    letter = "T" if word == "10" else _WORDS.get(word, word.upper())
    return RANKS.index(letter) + 2 if len(letter) == 1 and letter in RANKS else 0


# ---------------------------------------------------------------------- questions


@dataclass(frozen=True)
class DrillQuestion:
    """A combination, and a goal for which it matters how to begin."""

    solver: SuitSolver
    answer: GoalAnswer

    @property
    def words(self) -> str:
        """What is asked."""
        plays = ", ".join(map(str, self.answer.plays))
        return f"You want {count_words(self.answer.tricks, 'trick')}. What do you lead ({plays})?"

    def verdict(self, move: SuitMove) -> str:
        """Whether a play is the best, and what it is worth."""
        chance, best = self.answer.plays[move], self.answer.chance
        if chance == best:
            return f"Right: {percent(best)} is the best there is."
        better = " or ".join(play_words(one) for one in self.answer.first_plays)
        won = f"wins {percent(chance)} of the time" if chance else "never wins"
        return f"No: that {won}. To {better} wins {percent(best)} of the time."


def matters(answer: GoalAnswer) -> bool:
    """Whether some first plays are better than others."""
    return len(set(answer.plays.values())) > 1


def questions_about(solver: SuitSolver, tricks: int | None = None) -> list[DrillQuestion]:
    """The goals for which it matters how to begin; there may be none."""
    answers = solver.goals if tricks is None else [solver.goal(tricks)]
    return [DrillQuestion(solver, answer) for answer in answers if matters(answer)]


def own_questions(solver: SuitSolver, tricks: int | None) -> Iterator[DrillQuestion]:
    """Questions about one combination, over and over; ``InputError`` if there is none."""
    found = questions_about(solver, tricks)
    if not found:
        raise InputError(f"expected a combination in which the first play matters, found {solver.suit}")
    return cycle(found)


def draw_questions(combinations: Sequence[tuple[str, str]], seed: int | None) -> Iterator[DrillQuestion]:
    """Questions drawn by a seed without end: one about each combination before any comes again.

    >>> from worldwise.catalog import suit_combinations
    >>> next(draw_questions(suit_combinations(), 1)).solver.suit
    Suit.of('QJ9', '432')
    """
    rng = Random(seed)
    while True:
        for north, south in rng.sample(combinations, len(combinations)):
            if found := questions_about(SuitSolver(Suit.of(north, south))):
                yield rng.choice(found)


def score_words(questions: Sequence[DrillQuestion], moves: Sequence[SuitMove]) -> str:
    """How well it went: how many were right, and what the others cost."""
    if not moves:
        return "No answers."
    pairs = list(zip(questions, moves, strict=False))
    right = sum(question.answer.plays[move] == question.answer.chance for question, move in pairs)
    lost = sum((question.answer.chance - question.answer.plays[move] for question, move in pairs), Fraction(0))
    return f"{right} of {len(moves)} right; on average you gave away {percent(lost / len(moves))}."
