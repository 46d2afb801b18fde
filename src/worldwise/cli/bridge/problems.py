"""The command that measures advice by problems with a known right card: ``worldwise bridge problems --help``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.table import Table

from worldwise import catalog
from worldwise.bridge.rules.deal import card_name
from worldwise.cli.output import SafeConsole, print_json
from worldwise.cli.progress import show_progress
from worldwise.errors import InputError, UnknownNameError
from worldwise.lab.problems import ADVISERS, DEFENDERS, answers, right_by_technique

if TYPE_CHECKING:
    from collections.abc import Sequence

    from worldwise.lab.problems import AdviserAnswer

Aside = Annotated[bool, typer.Option("--aside", help="The twenty that are kept aside: nothing is tuned on them.")]
Defence = Annotated[bool, typer.Option("--defence", help="Twenty problems for a defender, ten of them opening leads.")]
Who = Annotated[list[str] | None, typer.Option("--adviser", help=f"Only these: {', '.join(ADVISERS)}.")]
Name = Annotated[list[str] | None, typer.Option("--problem", help="Only the problems of these names.")]


def problems_command(
    aside: Aside = False,
    defence: Defence = False,
    adviser: Who = None,
    problem: Name = None,
    seed: Annotated[int, typer.Option(help="The same seed looks at the same layouts.")] = 0,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON instead of text.")] = False,
) -> None:
    """Who finds the right card? Problems by technique, for sampling, alpha-mu and advice."""
    advisers = DEFENDERS if defence else ADVISERS
    asked = [_expect_known("adviser", name, advisers) for name in adviser or advisers]
    if aside and defence:
        raise InputError("expected --aside or --defence, found both")
    every = {one.name: one for one in catalog.problems(aside=aside, defence=defence)}
    chosen = [every[_expect_known("problem", name, every)] for name in problem or every]
    with show_progress(answers(chosen, asked, seed=seed), "problems", len(chosen) * len(asked)) as going:
        found = list(going)
    if as_json:
        print_json([_answer_json(answer) for answer in found])
        return
    SafeConsole().print(_table(found, asked))
    for line in _wrong(found, asked[-1]):
        SafeConsole().print(line, highlight=False, markup=False)


def _expect_known(what: str, name: str, names: Any) -> str:
    if name not in names:
        raise UnknownNameError(what, name, list(names))
    return name


def _answer_json(answer: AdviserAnswer) -> dict[str, Any]:
    return {
        "problem": answer.problem.name,
        "technique": answer.problem.technique,
        "adviser": answer.adviser,
        "card": card_name(answer.card),
        "right": answer.right,
        "right_cards": list(map(card_name, answer.problem.right)),
        "proof": answer.problem.proof,
        "seconds": answer.seconds,
    }


def _table(found: Sequence[AdviserAnswer], advisers: Sequence[str]) -> Table:
    """A row for each technique, and one for all."""
    table = Table()
    table.add_column("technique", no_wrap=True)
    for name in ("problems", *advisers):
        table.add_column(name.replace(" = ", "="), justify="right", no_wrap=True)  # eighty columns are enough
    counted = right_by_technique(found)
    totals = [sum(right[name] for right in counted.values()) for name in advisers]
    for technique, right in counted.items():
        number = len({answer.problem.name for answer in found if answer.problem.technique == technique})
        table.add_row(technique, str(number), *(str(right[name]) for name in advisers))
    table.add_section()
    table.add_row("all", str(len({answer.problem.name for answer in found})), *map(str, totals))
    seconds = [max(answer.seconds for answer in found if answer.adviser == name) for name in advisers]
    table.add_row("longest, seconds", "", *(f"{longest:.1f}" for longest in seconds))
    return table


def _wrong(found: Sequence[AdviserAnswer], adviser: str) -> list[str]:
    """The problems that the last adviser got wrong."""
    return [
        f"{adviser} plays the {card_name(answer.card)} in {answer.problem.name}; "
        f"right is {' or '.join(map(card_name, answer.problem.right))}"
        for answer in found
        if answer.adviser == adviser and not answer.right
    ]
