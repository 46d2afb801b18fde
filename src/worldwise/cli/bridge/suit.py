"""The command for a single suit at bridge: ``worldwise suit --help``."""

from __future__ import annotations

import re
from dataclasses import dataclass
from math import inf
from pathlib import Path  # noqa: TC003 typer reads the annotations
from typing import TYPE_CHECKING, Annotated, Any

import typer

from worldwise.bridge.suit.combination import DEFENDERS_LEAD, MOST_RUFFS
from worldwise.bridge.suit.compare import compare_lines
from worldwise.bridge.suit.drill import read_play
from worldwise.bridge.suit.mixed import mixed_value
from worldwise.bridge.suit.phrases import signs
from worldwise.bridge.suit.rules import FREE, Suit
from worldwise.bridge.suit.solver import SuitSolver
from worldwise.bridge.suit.trees import suit_algorithms
from worldwise.bridge.suit.tutor import compare, first_line_in_words, first_line_names, monte_carlo_error
from worldwise.bridge.suit.views.comparison import head_to_head_json, head_to_head_table
from worldwise.bridge.suit.views.json import algorithm_json, suit_json, why_json
from worldwise.bridge.suit.views.svg import suit_svg
from worldwise.bridge.suit.views.text import (
    algorithms_table,
    answer_table,
    assumption_words,
    expected_words,
    goals_table,
    splits_table,
    suit_diagram,
    why_table,
)
from worldwise.bridge.suit.words import line_in_words
from worldwise.cli.bridge.drill import MOST_ROUNDS, run_drill
from worldwise.cli.output import SafeConsole, print_json, speaks_unicode
from worldwise.core.durable_files import write_file
from worldwise.core.result import Limit
from worldwise.core.vector import exact_number
from worldwise.errors import InputError, PlacedError, UnknownNameError
from worldwise.search.algorithms import ALGORITHMS

if TYPE_CHECKING:
    from rich.console import RenderableType

    from worldwise.bridge.suit.rules import SuitMove
    from worldwise.bridge.suit.solver import GoalAnswer, SuitLine
    from worldwise.core.vector import Number

ENTRIES, SPLITS, COMPARED = "N=1,S=inf", "3=0.4,4=0.6", "3,4"
"""How these options are written."""

North = Annotated[
    str | None, typer.Argument(metavar="NORTH", help="North's cards: AKQ9, A10x; x is a low card, - none.")
]
Algorithm = Annotated[
    str | None,
    typer.Option(help=f"What this algorithm's line is worth: {', '.join(ALGORITHMS)}; or all, side by side."),
]
Why = Annotated[
    str | None,
    typer.Option(metavar="PLAY", help='Why (not) this: S2, NA, "lead the 2 from South", "finesse the nine".'),
]
Compared = Annotated[
    str | None,
    typer.Option(
        "--compare",
        metavar="LINE,LINE",
        help=f"Two lines head to head at matchpoints: {COMPARED}; a line is a goal, average, or a first play.",
    ),
]
Entries = Annotated[str | None, typer.Option(help=f"How often each hand can be reached outside the suit: {ENTRIES}.")]
Splits = Annotated[str | None, typer.Option(help=f"How likely it is that West holds so many cards: {SPLITS}.")]
West = Annotated[str, typer.Option("--west", metavar="CARDS", help="Cards that West is known to hold: K, QJ9.")]
East = Annotated[str, typer.Option("--east", metavar="CARDS", help="Cards that East is known to hold.")]
WestLength = Annotated[
    str, typer.Option(metavar="LENGTH", help="How many cards of the suit West holds: 3, 3+, 3- or 2-4.")
]
EastLength = Annotated[str, typer.Option(metavar="LENGTH", help="The same for East.")]
Ruffs = Annotated[int, typer.Option(min=0, max=MOST_RUFFS, help="How often a hand that is out of the suit can ruff.")]
DefendersLeading = Annotated[
    str,
    typer.Option(
        "--defenders-lead",
        metavar="|".join(DEFENDERS_LEAD),
        help="Who leads the suit: never the defenders; one of them, West or East to the first round; or always they.",
    ),
]
Mixed = Annotated[bool, typer.Option("--mixed", help="Also the chance of a declarer who tosses coins (needs SciPy).")]


def suit_command(
    north: North = None,
    south: Annotated[str | None, typer.Argument(metavar="SOUTH", help="South's cards.")] = None,
    tricks: Annotated[int | None, typer.Option(help="Only this goal: at least so many tricks.")] = None,
    algorithm: Algorithm = None,
    layouts: Annotated[bool, typer.Option("--layouts", help="Show which splits and layouts win.")] = False,
    why: Why = None,
    compare_: Compared = None,
    entries: Entries = None,
    west_cards: Annotated[int, typer.Option(help="Vacant places in West's hand: cards that are not known.")] = 13,
    east_cards: Annotated[int, typer.Option(help="Vacant places in East's hand.")] = 13,
    gone: Annotated[str, typer.Option(help="Cards of the suit that have been played already.")] = "-",
    splits: Splits = None,
    west: West = "-",
    east: East = "-",
    west_length: WestLength = "0+",
    east_length: EastLength = "0+",
    ruffs: Ruffs = 0,
    defenders_lead: DefendersLeading = "never",
    drill: Annotated[bool, typer.Option("--drill", help="The same as worldwise drill: play suits yourself.")] = False,
    rounds: Annotated[int | None, typer.Option(min=1, max=MOST_ROUNDS, help="--drill: how many questions.")] = None,
    seed: Annotated[int | None, typer.Option(help="Draws the drill's questions; breaks algorithms' ties.")] = None,
    mixed: Mixed = False,
    svg: Annotated[Path | None, typer.Option(help="Write a figure, every layout coloured, to this file.")] = None,
    seconds: Annotated[float | None, typer.Option(min=0, help="Stop after so many seconds; --algorithm: each.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON instead of text.")] = False,
) -> None:
    """How to play a suit at bridge: the best line for every goal against best defence, and its chance."""
    asked = _Asked(tricks, algorithm, layouts, why, compare_, drill, rounds, seed, mixed, svg, as_json)
    if drill and north is None and south is None:
        asked.run_drill(None)
        return
    placed = {"west": west, "east": east, "west_length": west_length, "east_length": east_length}
    how = {"ruffs": ruffs, "defenders_lead": defenders_lead}
    suit = _suit(north, south, west_cards, east_cards, gone, splits, **placed, **how)
    asked.check(suit)
    _answer(SuitSolver(suit, entries=_entries(entries), limit=Limit(seconds)), asked)


@dataclass(frozen=True)
class _Asked:
    """What is asked of a suit, and how it is to be told; refuses options of which one would be ignored."""

    tricks: int | None
    algorithm: str | None
    layouts: bool
    why: str | None
    compare: str | None
    drill: bool
    rounds: int | None
    seed: int | None
    mixed: bool
    svg: Path | None
    as_json: bool

    def __post_init__(self) -> None:
        questions = {"--drill": self.drill, "--algorithm": self.algorithm, "--why": self.why, "--compare": self.compare}
        ways = {"--svg": self.svg, "--layouts": self.layouts, "--mixed": self.mixed}
        given, more = ([option for option, value in found.items() if value] for found in (questions, ways))
        if len(given) > 1 or (given and more):
            raise InputError(f"expected one question at a time, found {' and '.join([*given, *more][:2])}")

    def run_drill(self, solver: SuitSolver | None) -> None:
        """Ask about a combination, or about those of the catalog."""
        run_drill(solver, tricks=self.tricks, level=None, rounds=self.rounds, seed=self.seed, as_json=self.as_json)

    def check(self, suit: Suit) -> None:
        """Refuse questions whose answers are put into words that know neither ruffs nor defenders' leads."""
        for option, value in (("--drill", self.drill), ("--why", self.why), ("--compare", self.compare)):
            if value and not suit.is_plain:
                raise InputError(f"{option} does not go with {'--ruffs' if suit.ruffs else '--defenders-lead'}")


def _answer(solver: SuitSolver, asked: _Asked) -> None:
    if asked.drill:
        asked.run_drill(solver)
    elif asked.algorithm is not None:
        _show_algorithms(solver, asked.algorithm, asked)
    elif asked.why is not None:
        _show_why(solver, asked.why, asked)
    elif asked.compare is not None:
        _show_match(solver, asked.compare, asked)
    else:
        _show_answers(solver, asked)


# ---------------------------------------------------------------------- answers


def _show_answers(solver: SuitSolver, asked: _Asked) -> None:
    tricks, svg = asked.tricks, asked.svg
    answers = solver.goals if tricks is None else [solver.goal(tricks)]
    tossed = {answer.tricks: mixed_value(solver, answer.tricks) for answer in answers} if asked.mixed else {}
    if svg:
        write_file(svg, suit_svg(solver, tricks, _line(solver, tricks)))
    if asked.as_json:
        _print_answers(solver, tricks, tossed)
        return
    _show_suit(solver)
    if tricks is None:
        lines = [_line(solver, answer.tricks, short=True) for answer in answers]
        _show(goals_table(solver.suit, answers, lines, tossed), expected_words(solver.expected))
    else:
        _show(answer_table(answers[0], _line(solver, tricks), tossed))
    for answer in answers if asked.layouts else []:
        if tricks is not None or 0 < answer.chance < 1:
            _show("", splits_table(solver.suit, answer, ascii=_is_ascii()))
    if svg:
        _show(f"wrote {svg}")


def _show_suit(solver: SuitSolver) -> None:
    _show(suit_diagram(solver.suit, ascii=_is_ascii()), *assumption_words(solver.suit, solver.entries), "")


def _print_answers(solver: SuitSolver, tricks: int | None, tossed: dict[int, float]) -> None:
    goals = [answer.tricks for answer in solver.goals] if tricks is None else [tricks]
    found = suit_json(solver, [_line(solver, goal) for goal in goals], tricks)
    if tricks is not None:
        found |= found["goals"][0]
    if words := assumption_words(solver.suit, solver.entries):
        found["assumptions"] = words
    if tossed:
        found["mixed_chances"] = found["mixed_probabilities"] = tossed
    print_json(found)


def _line(solver: SuitSolver, tricks: int | None, *, short: bool = False) -> str:
    if tricks is not None and not solver.goal(tricks).chance:
        return "No line wins so many tricks."
    line = line_in_words(solver, tricks)
    return line.summary if short else line.text


def _most(solver: SuitSolver, tricks: int | None) -> GoalAnswer:
    """The goal asked for, or the most tricks that are possible at all, which is FB01's question."""
    if tricks is not None:
        return solver.goal(tricks)
    return next((answer for answer in reversed(solver.goals) if answer.chance), solver.goal(1))


def _show_algorithms(solver: SuitSolver, name: str, asked: _Asked) -> None:
    if name not in (*ALGORITHMS, "all"):
        raise UnknownNameError("algorithm", name, (*ALGORITHMS, "all"))
    answer = _most(solver, asked.tricks)
    names, limit = ALGORITHMS if name == "all" else (name,), solver.clock.limit
    results = suit_algorithms(solver.suit, answer.tricks, names, entries=solver.entries, seed=asked.seed, limit=limit)
    if asked.as_json:
        rows = [algorithm_json(solver.suit, answer, result) for result in results]
        print_json(rows if name == "all" else rows[0])
    else:
        _show(algorithms_table(solver.suit, answer, results))
        if (
            "monte-carlo" in names
            and answer.plays
            and solver.suit.is_plain
            and (error := monte_carlo_error(solver, answer.tricks))
        ):
            _show(error.words)


def _show_why(solver: SuitSolver, why: str, asked: _Asked) -> None:
    answer = _most(solver, asked.tricks)
    found = compare(solver, answer.tricks, _play(why, solver, answer))
    error = monte_carlo_error(solver, answer.tricks)
    if asked.as_json:
        print_json(why_json(answer, found, error))
        return
    line = first_line_in_words(solver, answer.tricks, found.line).text
    _show(why_table(answer, found, line, error.words if error else "", ascii=_is_ascii()))


def _play(text: str, solver: SuitSolver, answer: GoalAnswer) -> SuitMove | str:
    """A first play, or the name of a whole first line."""
    try:
        return read_play(text, solver.suit, answer.plays)
    except InputError as error:
        wanted = text.strip(" .").lower()
        for name in first_line_names(solver, answer.tricks):
            if name.lower() == wanted:
                return name
        raise InputError(f"--why: {error}") from None


def _show_match(solver: SuitSolver, text: str, asked: _Asked) -> None:
    names = [name.strip() for name in text.split(",")]
    if len(names) != 2:
        raise InputError(f"--compare: expected two lines as in {COMPARED}, found {text!r}")
    found = compare_lines(*(_named_line(solver, name, asked.tricks) for name in names))
    if asked.as_json:
        print_json(head_to_head_json(found))
    else:
        _show_suit(solver)
        _show(head_to_head_table(found, ascii=_is_ascii()))


def _named_line(solver: SuitSolver, name: str, tricks: int | None) -> SuitLine:
    """The line for a goal, for the average, or with a first play for the goal asked for."""
    if name.lower() == "average":
        return solver.line()
    try:
        if re.fullmatch(r"\d{1,3}", name, re.ASCII):
            return solver.line(solver.goal(int(name)).tricks)
        answer = _most(solver, tricks)
        return solver.line(answer.tricks, solver.leads[read_play(name, solver.suit, answer.plays)])
    except InputError as error:
        raise InputError(f"--compare: {error}") from None


# ---------------------------------------------------------------------- reading and printing


def _suit(
    north: str | None,
    south: str | None,
    west_cards: int,
    east_cards: int,
    gone: str,
    splits: str | None,
    **more: Any,
) -> Suit:
    if north is None or south is None:
        raise InputError(f"expected two hands such as AKQ9 32 (- for none), found {north or 'nothing'}")
    if max(west_cards, east_cards) > 13:
        raise InputError(f"expected at most 13 vacant places in a hand, found {max(west_cards, east_cards)}")
    given = None if splits is None else _splits(splits)
    try:
        return Suit.of(north, south, west_cards=west_cards, east_cards=east_cards, gone=gone, splits=given, **more)
    except PlacedError as error:
        if error.place not in more:
            raise
        option = f"--{error.place.replace('_', '-')}"
        raise InputError(f"{option}{str(error).removeprefix(error.place)}") from None


def _splits(text: str) -> dict[int, Number]:
    found: dict[int, Number] = {}
    for key, value in _pairs("--splits", text, SPLITS):
        if not re.fullmatch(r"\d|1[0-3]", key, re.ASCII) or not re.fullmatch(
            r"[\d.]{1,20}(/\d{1,20})?", value, re.ASCII
        ):
            raise InputError(f"--splits: expected cards of West's and chances as in {SPLITS}, found {key}={value}")
        found[int(key)] = _exact("--splits", value)
    return found


def _exact(option: str, value: str) -> Number:
    try:
        return exact_number(value)
    except InputError as error:
        raise InputError(f"{option}: {error}") from None


def _entries(text: str | None) -> tuple[float, float]:
    if text is None:
        return FREE
    counts = {"N": inf, "S": inf}
    for key, value in _pairs("--entries", text, ENTRIES):
        if key.upper() not in counts or not re.fullmatch(r"[0-9]{1,3}|inf", value.lower()):
            raise InputError(f"--entries: expected numbers for N and S as in {ENTRIES}, found {key}={value}")
        counts[key.upper()] = inf if value.lower() == "inf" else int(value)
    return counts["N"], counts["S"]


def _pairs(option: str, text: str, example: str) -> list[tuple[str, str]]:
    """What stands left and right of each equals sign."""
    pairs = [part.strip().partition("=") for part in text.split(",")]
    keys = [key.strip().upper() for key, _, _ in pairs]
    if not all(key and equals and value for key, equals, value in pairs) or len(set(keys)) < len(keys):
        raise InputError(f"{option}: expected each once as in {example}, found {text!r}")
    return [(key.strip(), value.strip()) for key, _, value in pairs]


def _is_ascii() -> bool:
    return not speaks_unicode()


def _show(*things: RenderableType) -> None:
    for thing in things:
        shown = signs(thing, ascii=_is_ascii()) if isinstance(thing, str) else thing
        SafeConsole().print(shown, highlight=False, markup=False)
