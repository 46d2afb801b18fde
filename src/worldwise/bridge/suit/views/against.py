"""What lines win against defenders who err, for people and for programs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rich.table import Table

from worldwise.bridge.rules.cards import holding_name
from worldwise.bridge.suit.phrases import percent
from worldwise.bridge.suit.views.json import at_least_json, chance_json
from worldwise.bridge.suit.views.text import combination_name

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from worldwise.bridge.suit.against import GoalAgainst
    from worldwise.bridge.suit.defenders import DefenceName
    from worldwise.bridge.suit.rules import Suit

WHO: Mapping[DefenceName, str] = {
    "best": "best defence",
    "honest": "defenders who see all the cards but never falsecard",
    "single-dummy": "defenders who see their own cards and dummy (North)",
}
"""What the defenders are called."""

NOTE = "these defenders: what the line wins against them; made for them: what the best line against them wins"


def against_table(suit: Suit, defence: DefenceName, goals: Sequence[GoalAgainst], lines: Sequence[str]) -> Table:
    """A row for every goal: what its line wins against best defence and against them, and what the best line would."""
    table = Table(title=f"{combination_name(suit)}, against {WHO[defence]}", title_justify="left")
    for heading in ("tricks", "best defence", "these defenders", "made for them"):
        table.add_column(heading, justify="right", no_wrap=True)
    table.add_column("line")
    for goal, line in zip(goals, lines, strict=True):
        tricks = goal.answer.tricks
        table.add_row(str(tricks), *map(percent, (goal.answer.chance, goal.won.at_least[tricks], goal.most)), line)
    return table


def against_json(
    suit: Suit, defence: DefenceName, goals: Sequence[GoalAgainst], lines: Sequence[str]
) -> dict[str, Any]:
    """The same as plain values, with all that the lines win."""
    hands = {"north": holding_name(suit.north), "south": holding_name(suit.south)}
    found = [_goal_json(goal, line) for goal, line in zip(goals, lines, strict=True)]
    return {**hands, "defence": defence, "goals": found}


def _goal_json(goal: GoalAgainst, line: str) -> dict[str, Any]:
    tricks = goal.answer.tricks
    return {
        "tricks": tricks,
        **chance_json(goal.won.at_least[tricks]),
        **chance_json(goal.answer.chance, "best_defence_"),
        **chance_json(goal.most, "made_for_them_"),
        "at_least": at_least_json(goal.won),
        "average": float(goal.won.average),
        "line": line,
    }
