"""The line that is best for a value, in IMPs or at matchpoints, for people and for programs."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING, Any

from worldwise.bridge.rules.cards import holding_name
from worldwise.bridge.suit.aims import Match, Matchpoints, Stakes, Values
from worldwise.bridge.suit.phrases import count_words, percent, percent_difference
from worldwise.bridge.suit.views.json import line_wins_json
from worldwise.bridge.suit.views.text import wins_words
from worldwise.bridge.suit.words import line_words
from worldwise.core.game import Side
from worldwise.views.tables import plain_table

if TYPE_CHECKING:
    from collections.abc import Sequence
    from fractions import Fraction

    from rich.table import Table

    from worldwise.bridge.suit.aims import AimedLine, Scoring
    from worldwise.bridge.suit.solver import SuitLine


def aim_words(found: AimedLine, stakes: Stakes | None, against: str) -> str:
    """What a line is best for; ``against`` says against whom, where that matters."""
    if isinstance(found.aim, Match):
        what = "matchpoints" if stakes is None else f"IMPs in {stakes_words(stakes)}"
        return f"{what}, against {against}"
    values = values_words(found.aim)
    if stakes is None:
        return f"a value for each number of tricks: {values}"
    return f"IMPs in {stakes_words(stakes)}, against a table that just makes it: {values}"


def stakes_words(stakes: Stakes) -> str:
    """A contract, and how many tricks of the suit make it.

    >>> stakes_words(Stakes.of("3NT", makes=4))
    '3NT, not vulnerable, which 4 tricks here make'
    """
    need = f"which {count_words(stakes.makes, 'trick')} here {'makes' if stakes.makes == 1 else 'make'}"
    return f"{stakes.contract.bid}, {'vulnerable' if stakes.vulnerable else 'not vulnerable'}, {need}"


def values_words(values: Values) -> str:
    """What numbers of tricks are worth, those that are worth the same together.

    >>> values_words(Values.of({3: 0, 4: 10, 5: "21/2"}, 5))
    '0 to 3 tricks 0, 4 tricks 10, 5 tricks 10.5'
    """
    found = []
    for value, group in groupby(enumerate(values.worth), key=lambda pair: pair[1]):
        counts = [tricks for tricks, _ in group]
        several = f"{counts[0]} to " if len(counts) > 1 else ""
        found.append(f"{several}{count_words(counts[-1], 'trick')} {_number(value)}")
    return ", ".join(found)


def _number(value: Fraction) -> str:
    return f"{float(value):.4f}".rstrip("0").rstrip(".")


def score_words(scoring: Scoring | None, worth: Fraction) -> str:
    """What a line is worth: a share of the matchpoints, IMPs, or a value on average."""
    if isinstance(scoring, Matchpoints):
        return f"{percent(worth)} of the matchpoints"
    return f"{float(worth):+.4f} IMPs on average" if scoring is not None else f"{float(worth):.4f} on average"


def aim_table(found: AimedLine, aim: str, stakes: Stakes | None) -> Table:
    """The best line for an aim, and in a match how it does against each of the others."""
    table = plain_table()
    scoring = found.aim.scoring if isinstance(found.aim, Match) else stakes
    table.add_row("aim", aim)
    table.add_row("worth", score_words(scoring, found.worth))
    table.add_row("line", line_words(found.line).text)
    table.add_row("wins", wins_words(found.line))
    if isinstance(found.aim, Match):
        if len(found.aim.others) > 1:
            table.add_row("field", "\n".join(_rival_words(found.aim, found.line)))
        table.add_row("rival", rival_words(found, found.aim.scoring))
    return table


def _rival_words(match: Match, line: SuitLine) -> list[str]:
    """A line of text for every line of the field."""
    return [
        f"{score_words(match.scoring, match.against(line, other))} against: {line_words(other).summary}"
        for other in match.others
    ]


def rival_words(found: AimedLine, scoring: Scoring) -> str:
    """Whether any line beats this one head to head."""
    if found.rival is None:
        return "no line beats it head to head"
    summary, worth = line_words(found.rival.line).summary.removesuffix("."), found.rival.worth
    shares = f"{percent(worth)} to {percent_difference(1, worth)}"
    return f"{summary}: wins {shares if isinstance(scoring, Matchpoints) else score_words(scoring, worth)} head to head"


def aim_json(found: AimedLine, name: str, aim: str, stakes: Stakes | None) -> dict[str, Any]:
    """The same as plain values."""
    suit = found.line.solver.suit
    match = found.aim if isinstance(found.aim, Match) else None
    return {
        "north": holding_name(suit.north),
        "south": holding_name(suit.south),
        "aim": name,
        "words": aim,
        "contract": None if stakes is None else stakes_words(stakes),
        "values": None if match else list(map(float, _worth(found))),
        "worth": float(found.worth),
        **_line_json(found.line),
        "field": [{**_line_json(other), "worth": float(match.against(found.line, other))} for other in match.others]
        if match
        else None,
        "rival": {**_line_json(found.rival.line), "worth": float(found.rival.worth)} if found.rival else None,
    }


def _worth(found: AimedLine) -> Sequence[Fraction]:
    return found.aim.worth if isinstance(found.aim, Values) else ()


def _line_json(line: SuitLine) -> dict[str, Any]:
    solver = line.solver
    first = line.plays(solver.root) if solver.rules.side(solver.root) is Side.MAX else []
    return {**line_wins_json(line), "first_plays": list(map(str, first)), "line": line_words(line).text}
