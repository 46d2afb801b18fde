"""The command for a single suit at bridge: ``worldwise suit --help``."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path  # noqa: TC003 typer reads the annotations
from typing import TYPE_CHECKING, Annotated

import typer

from worldwise.bridge.suit.against import AgainstDefenders
from worldwise.bridge.suit.compare import compare_lines
from worldwise.bridge.suit.first_lines import first_line_in_words
from worldwise.bridge.suit.line_trees import line_tree_json
from worldwise.bridge.suit.mixed import mixed_value
from worldwise.bridge.suit.phrases import signs
from worldwise.bridge.suit.reasons import compare
from worldwise.bridge.suit.solver import SuitSolver
from worldwise.bridge.suit.trees import suit_algorithms
from worldwise.bridge.suit.tutor import monte_carlo_error
from worldwise.bridge.suit.views.against import NOTE, against_json, against_table
from worldwise.bridge.suit.views.answers import answers_json, line_text
from worldwise.bridge.suit.views.comparison import head_to_head_json, head_to_head_table
from worldwise.bridge.suit.views.json import algorithm_json, why_json
from worldwise.bridge.suit.views.svg import suit_svg
from worldwise.bridge.suit.views.text import (
    algorithms_table,
    answer_table,
    assumption_words,
    expected_words,
    goals_notes,
    goals_table,
    splits_table,
    suit_diagram,
    why_table,
)
from worldwise.cli.bridge.drill import MOST_ROUNDS, run_drill
from worldwise.cli.bridge.suit_lines import AimAsked, most_tricks, named_line
from worldwise.cli.bridge.suit_options import (
    COMPARED,
    AgainstWhom,
    Aimed,
    Algorithm,
    Compared,
    Defence,
    DefendersLeading,
    Discards,
    East,
    EastLength,
    Entries,
    Mixed,
    North,
    PlayedContract,
    Ruffs,
    Splits,
    Tree,
    Valued,
    West,
    WestLength,
    Why,
    read_defence,
    read_entries,
    read_suit,
)
from worldwise.cli.output import SafeConsole, print_json, speaks_unicode
from worldwise.core.durable_files import write_file
from worldwise.core.result import Limit
from worldwise.errors import InputError, UnknownNameError
from worldwise.search.algorithms import ALGORITHMS

if TYPE_CHECKING:
    from rich.console import RenderableType

    from worldwise.bridge.suit.defenders import DefenceName
    from worldwise.bridge.suit.rules import Suit
    from worldwise.bridge.suit.solver import SuitLine


def suit_command(
    north: North = None,
    south: Annotated[str | None, typer.Argument(metavar="SOUTH", help="South's cards.")] = None,
    tricks: Annotated[int | None, typer.Option(help="Only this goal: at least so many tricks.")] = None,
    algorithm: Algorithm = None,
    layouts: Annotated[bool, typer.Option("--layouts", help="Show which splits and layouts win.")] = False,
    why: Why = None,
    compare_: Compared = None,
    aim: Aimed = None,
    value: Valued = None,
    against: AgainstWhom = None,
    contract: PlayedContract = None,
    vulnerable: Annotated[bool, typer.Option("--vulnerable", help="--aim imps: you are vulnerable.")] = False,
    defence: Defence = "best",
    tree: Tree = False,
    entries: Entries = None,
    west_cards: Annotated[int, typer.Option(help="Vacant places in West's hand: cards that are not known.")] = 13,
    east_cards: Annotated[int, typer.Option(help="Vacant places in East's hand.")] = 13,
    gone: Annotated[str, typer.Option(help="Cards of the suit that have been played already.")] = "-",
    splits: Splits = None,
    west: West = "-",
    east: East = "-",
    west_length: WestLength = "0+",
    east_length: EastLength = "0+",
    discards: Discards = "-",
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
    aims = AimAsked(aim, value, against, contract, vulnerable)
    who, drilled = read_defence(defence), (drill, rounds, seed)
    asked = _Asked(tricks, algorithm, layouts, why, compare_, aims, who, tree, *drilled, mixed, svg, as_json)
    if drill and north is None and south is None:
        asked.run_drill(None)
        return
    placed = {"west": west, "east": east, "west_length": west_length, "east_length": east_length}
    how = {"discards": discards, "ruffs": ruffs, "defenders_lead": defenders_lead}
    suit = read_suit(north, south, west_cards, east_cards, gone, splits, **placed, **how)
    asked.check(suit)
    _answer(SuitSolver(suit, entries=read_entries(entries), limit=Limit(seconds)), asked)


@dataclass(frozen=True)
class _Asked:
    """What is asked of a suit, and how it is to be told; refuses options of which one would be ignored."""

    tricks: int | None
    algorithm: str | None
    layouts: bool
    why: str | None
    compare: str | None
    aims: AimAsked
    defence: DefenceName
    tree: bool
    drill: bool
    rounds: int | None
    seed: int | None
    mixed: bool
    svg: Path | None
    as_json: bool

    def __post_init__(self) -> None:
        questions = {"--drill": self.drill, "--algorithm": self.algorithm, "--why": self.why, "--compare": self.compare}
        questions |= {self.aims.option or "--aim": self.aims.option, "--defence": self.defence != "best"}
        questions |= {"--tree": self.tree and not self.aims.option}
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
    elif asked.tree:
        print_json(line_tree_json(_asked_line(solver, asked)))
    elif asked.aims.option is not None:
        _show_aim(solver, asked)
    elif asked.defence != "best":
        _show_against(solver, asked.defence, asked)
    else:
        _show_answers(solver, asked)


# ---------------------------------------------------------------------- answers


def _show_answers(solver: SuitSolver, asked: _Asked) -> None:
    tricks, svg = asked.tricks, asked.svg
    answers = solver.goals if tricks is None else [solver.goal(tricks)]
    tossed = {answer.tricks: mixed_value(solver, answer.tricks) for answer in answers} if asked.mixed else {}
    if svg:
        write_file(svg, suit_svg(solver, tricks, line_text(solver, tricks)))
    if asked.as_json:
        _print_answers(solver, tricks, tossed)
        return
    _show_suit(solver)
    if tricks is None:
        lines = [line_text(solver, answer.tricks, short=True) for answer in answers]
        _show(goals_table(solver.suit, answers, lines, tossed), *goals_notes(answers), expected_words(solver.expected))
    else:
        _show(answer_table(answers[0], line_text(solver, tricks), tossed))
    for answer in answers if asked.layouts else []:
        if tricks is not None or 0 < answer.chance < 1:
            _show("", splits_table(solver.suit, answer, ascii=_is_ascii()))
    if svg:
        _show(f"wrote {svg}")


def _show_suit(solver: SuitSolver) -> None:
    _show(suit_diagram(solver.suit, ascii=_is_ascii()), *assumption_words(solver.suit, solver.entries), "")


def _print_answers(solver: SuitSolver, tricks: int | None, tossed: dict[int, float]) -> None:
    found = answers_json(solver, tricks)
    if tossed:
        found["mixed_chances"] = found["mixed_probabilities"] = tossed
    print_json(found)


def _show_algorithms(solver: SuitSolver, name: str, asked: _Asked) -> None:
    if name not in (*ALGORITHMS, "all"):
        raise UnknownNameError("algorithm", name, (*ALGORITHMS, "all"))
    answer = most_tricks(solver, asked.tricks)
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
    answer = most_tricks(solver, asked.tricks)
    try:
        found = compare(solver, answer.tricks, why)
    except InputError as unclear:
        raise InputError(f"--why: {unclear}") from None
    error = monte_carlo_error(solver, answer.tricks)
    if asked.as_json:
        print_json(why_json(answer, found, error))
        return
    line = first_line_in_words(solver, answer.tricks, found.line).text
    _show(why_table(answer, found, line, error.words if error else "", ascii=_is_ascii()))


def _show_match(solver: SuitSolver, text: str, asked: _Asked) -> None:
    names = [name.strip() for name in text.split(",")]
    if len(names) != 2:
        raise InputError(f"--compare: expected two lines as in {COMPARED}, found {text!r}")
    found = compare_lines(*(named_line(solver, "--compare", name, asked.tricks) for name in names))
    if asked.as_json:
        print_json(head_to_head_json(found))
    else:
        _show_suit(solver)
        _show(head_to_head_table(found, ascii=_is_ascii()))


def _show_aim(solver: SuitSolver, asked: _Asked) -> None:
    found = asked.aims.find(solver, asked.tricks)
    if asked.as_json:
        print_json(found.json)
    else:
        _show_suit(solver)
        _show(found.table)


def _asked_line(solver: SuitSolver, asked: _Asked) -> SuitLine:
    """The line for the aim, or for the goal, or the most tricks that are possible at all."""
    if asked.aims.option is not None:
        return asked.aims.find(solver, asked.tricks).found.line
    return most_tricks(solver, asked.tricks).line


def _show_against(solver: SuitSolver, defence: DefenceName, asked: _Asked) -> None:
    against = AgainstDefenders(solver, defence)
    tricks = range(1, solver.suit.length + 1) if asked.tricks is None else [solver.goal(asked.tricks).tricks]
    goals = [against.goal(goal) for goal in tricks]
    lines = [line_text(solver, goal, short=not asked.as_json) for goal in tricks]
    if asked.as_json:
        print_json(against_json(solver.suit, defence, goals, lines))
        return
    _show_suit(solver)
    _show(against_table(solver.suit, defence, goals, lines), NOTE)


# ---------------------------------------------------------------------- reading and printing


def _is_ascii() -> bool:
    return not speaks_unicode()


def _show(*things: RenderableType) -> None:
    for thing in things:
        shown = signs(thing, ascii=_is_ascii()) if isinstance(thing, str) else thing
        SafeConsole().print(shown, highlight=False, markup=False)
