"""The drill on single suits: ``worldwise drill --help``."""

from __future__ import annotations

import json
import sys
from contextlib import suppress
from itertools import cycle, islice
from typing import TYPE_CHECKING, Annotated, Any, Protocol

import typer

from worldwise.bridge.suit.drill import DrillAttempt, draw_questions, own_questions
from worldwise.bridge.suit.drill_levels import LEVELS, rivals
from worldwise.bridge.suit.drill_reader import read_drill_card, read_wish
from worldwise.bridge.suit.drill_words import (
    best_line_words,
    end_words,
    hint_words,
    review_words,
    rivals_words,
    rounds_words,
    score_words,
    streak_now,
    turn_words,
    verdict_words,
)
from worldwise.bridge.suit.phrases import count_words, signs
from worldwise.bridge.suit.rules import Suit
from worldwise.bridge.suit.solver import SuitSolver
from worldwise.bridge.suit.views.drill import end_json, question_json, review_json, turn_json, verdict_json
from worldwise.bridge.suit.views.text import suit_diagram
from worldwise.catalog import drill_entries
from worldwise.cli.input import read_line
from worldwise.cli.output import SafeConsole, print_text, speaks_unicode
from worldwise.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from rich.console import RenderableType

    from worldwise.bridge.suit.drill import DrillQuestion, DrillVerdict
    from worldwise.bridge.suit.drill_reader import Wish

ROUNDS = 10
"""How many questions a drill has if nothing is said."""

MOST_ROUNDS = 1000

North = Annotated[
    str | None, typer.Argument(metavar="NORTH", help="North's cards of a combination of your own: AKQ9, A10x.")
]
South = Annotated[str | None, typer.Argument(metavar="SOUTH", help="South's cards.")]
Tricks = Annotated[int | None, typer.Option(help="With cards of your own: this goal only.")]
Level = Annotated[
    int | None, typer.Option(min=min(LEVELS), max=max(LEVELS), help="How hard: 1, 2 or 3; all if left out.")
]
Rounds = Annotated[
    int | None,
    typer.Option(
        min=1, max=MOST_ROUNDS, help=f"How many questions; if left out {ROUNDS}, or each goal of your cards once."
    ),
]
Seed = Annotated[int | None, typer.Option(help="The same seed asks the same questions.")]
AsJson = Annotated[bool, typer.Option("--json", help="A JSON object a line, for programs that play; see the manual.")]


def drill_command(
    north: North = None,
    south: South = None,
    tricks: Tricks = None,
    level: Level = None,
    rounds: Rounds = None,
    seed: Seed = None,
    as_json: AsJson = False,
) -> None:
    """Play suits against best defence, every card of both hands; it stops at the first card that costs.

    Type a card (9, N9, the nine, low from South), hint, take back, next or quit.
    """
    if north is None and tricks is not None:
        raise InputError("expected cards to go with --tricks, found none")
    if north is not None and level is not None:
        raise InputError("expected --level or cards of your own, found both")
    run_drill(own_combination(north, south), tricks=tricks, level=level, rounds=rounds, seed=seed, as_json=as_json)


def own_combination(north: str | None, south: str | None) -> SuitSolver | None:
    """A combination of one's own, if any card is given."""
    if north is None:
        return None
    if south is None:
        raise InputError(f"expected two hands such as AKQ9 32 (- for none), found {north}")
    return SuitSolver(Suit.of(north, south))


def run_drill(
    solver: SuitSolver | None,
    *,
    tricks: int | None,
    level: int | None,
    rounds: int | None,
    seed: int | None,
    as_json: bool,
) -> None:
    """Ask about a combination, or draw from the catalog, until the rounds or the answers are over."""
    if solver is None:
        questions, usual = draw_questions(drill_entries(level), seed), ROUNDS
    else:
        own = own_questions(solver, tricks)
        questions, usual = cycle(own), len(own)
    count = usual if rounds is None else rounds
    _Conversation(_JsonTeller() if as_json else _TextTeller(), count).run(islice(questions, count))


# ---------------------------------------------------------------------- the conversation


class _Conversation:
    """Asks, reads and judges; a teller says it. Ctrl-C, the end of the input and ``quit`` all lead to the review."""

    def __init__(self, tell: _Teller, rounds: int) -> None:
        self.tell, self.rounds = tell, rounds
        self.attempts: list[DrillAttempt] = []

    def run(self, questions: Iterable[DrillQuestion]) -> None:
        """All questions, then the review."""
        with suppress(KeyboardInterrupt, EOFError):
            for number, question in enumerate(questions, 1):
                self._ask(DrillAttempt(question), number)
        self.tell.review(self.attempts)

    def _ask(self, attempt: DrillAttempt, number: int) -> None:
        self.tell.question(attempt, number, self.rounds)
        try:
            while not attempt.is_done:
                self.tell.turn(attempt)
                if self._answer(attempt) == "next":
                    break
        except (KeyboardInterrupt, EOFError):
            if attempt.slips or attempt.hints:
                self.attempts.append(attempt)
            raise
        self.attempts.append(attempt)
        self.tell.end(attempt, self.attempts)

    def _answer(self, attempt: DrillAttempt) -> Wish | None:
        """Do what is typed; it is asked again until it can be done."""
        while True:
            line = _read_line()
            try:
                return self._do(attempt, line)
            except InputError as error:
                self.tell.error(str(error))

    def _do(self, attempt: DrillAttempt, line: str) -> Wish | None:
        wish = read_wish(line)
        if wish is None:
            verdict = attempt.put(read_drill_card(line, attempt.play))
            if verdict.costs:
                self.tell.slip(verdict)
                return self._answer(attempt)
        elif wish == "hint":
            attempt.ask_for_help()
            self.tell.hint(hint_words(attempt))
            return self._answer(attempt)
        elif wish == "take back":
            attempt.take_back()
        elif wish == "quit":
            raise EOFError
        return wish


def _read_line() -> str:
    """The next line; a prompt is for people only."""
    if sys.stdin.isatty():
        sys.stdout.write("> ")
        sys.stdout.flush()
    line = read_line()
    if not line:
        raise EOFError
    return line


class _Teller(Protocol):
    """Says what happens."""

    def question(self, attempt: DrillAttempt, number: int, rounds: int) -> None:
        """A new question."""

    def turn(self, attempt: DrillAttempt) -> None:
        """A card is to be chosen."""

    def slip(self, verdict: DrillVerdict) -> None:
        """A card costs."""

    def hint(self, words: str) -> None:
        """Help."""

    def error(self, words: str) -> None:
        """What was typed cannot be done."""

    def end(self, attempt: DrillAttempt, attempts: Sequence[DrillAttempt]) -> None:
        """A question is left."""

    def review(self, attempts: Sequence[DrillAttempt]) -> None:
        """It is over."""


# ---------------------------------------------------------------------- for people


class _TextTeller:
    """In words."""

    def __init__(self) -> None:
        self.shown = 0

    def question(self, attempt: DrillAttempt, number: int, rounds: int) -> None:
        """The hands and the goal."""
        question, self.shown = attempt.question, 0
        level = f", level {question.level}" if question.level else ""
        _show(f"Question {number} of {rounds}{level}", suit_diagram(question.solver.suit, ascii=not speaks_unicode()))
        _show(f"You want {count_words(question.tricks, 'trick')}.")

    def turn(self, attempt: DrillAttempt) -> None:
        """The cards that are new, and whose turn it is."""
        self._show_cards(attempt)
        _show(turn_words(attempt.play))

    def _show_cards(self, attempt: DrillAttempt) -> None:
        cards = len(attempt.play.cards)
        _show(*rounds_words(attempt.play, min(self.shown, cards)))
        self.shown = cards

    def slip(self, verdict: DrillVerdict) -> None:
        """What it costs."""
        _show(*verdict_words(verdict), 'Type another card, "take back", "hint" or "next".')

    def hint(self, words: str) -> None:
        """As it is."""
        _show(words)

    def error(self, words: str) -> None:
        """As it is."""
        _show(words)

    def end(self, attempt: DrillAttempt, attempts: Sequence[DrillAttempt]) -> None:
        """The last cards, the verdict, the line, what others win, and the streak."""
        self._show_cards(attempt)
        question = attempt.question
        others = rivals(question.solver, question.tricks)
        _show(
            *end_words(attempt), f"The line: {best_line_words(question)}", rivals_words(question.answer.chance, others)
        )
        if (streak := streak_now(attempts)) > 1:
            _show(f"{streak} in a row.")
        _show("")

    def review(self, attempts: Sequence[DrillAttempt]) -> None:
        """Every question in a line or two, and the score."""
        _show(*map(review_words, attempts), score_words(attempts))


def _show(*things: RenderableType) -> None:
    for thing in things:
        shown = signs(thing, ascii=not speaks_unicode()) if isinstance(thing, str) else thing
        SafeConsole().print(shown, highlight=False, markup=False)


# ---------------------------------------------------------------------- for programs


class _JsonTeller:
    """An object a line, ``event`` first; each is sent at once, before an answer is waited for."""

    def question(self, attempt: DrillAttempt, number: int, rounds: int) -> None:
        """The hands and the goal."""
        _tell("question", number=number, rounds=rounds, **question_json(attempt.question))

    def turn(self, attempt: DrillAttempt) -> None:
        """Cards played, left, and to be chosen from."""
        _tell("turn", **turn_json(attempt.play))

    def slip(self, verdict: DrillVerdict) -> None:
        """What it costs."""
        _tell("slip", **verdict_json(verdict))

    def hint(self, words: str) -> None:
        """As it is."""
        _tell("hint", words=words)

    def error(self, words: str) -> None:
        """As it is."""
        _tell("error", words=words)

    def end(self, attempt: DrillAttempt, attempts: Sequence[DrillAttempt]) -> None:
        """How it went."""
        _tell("end", **end_json(attempt), streak=streak_now(attempts))

    def review(self, attempts: Sequence[DrillAttempt]) -> None:
        """How all of it went."""
        _tell("review", **review_json(attempts))


def _tell(event: str, **about: Any) -> None:
    print_text(json.dumps({"event": event, **about}))
    sys.stdout.flush()
