"""How chances compare with results: as a table, as plain data."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rich.table import Table

from worldwise.views.estimates import estimate_json

if TYPE_CHECKING:
    from collections.abc import Sequence

    from worldwise.bridge.advice.calibration import Calibration


def calibration_table(found: Sequence[Calibration]) -> Table:
    """A row for each forecaster: what was said and what came, and the Brier score."""
    table = _table("forecast", "said", "made", "Brier score", "better than without auction")
    for one in found:
        better = f"{one.better.value:+.4f} ({one.better.low:+.4f} to {one.better.high:+.4f})"
        said, made = f"{100 * one.said:.1f} %", f"{100 * one.made.value:.1f} %"
        table.add_row(one.name, said, made, f"{one.brier.value:.4f}", better)
    return table


def fifths_table(found: Sequence[Calibration]) -> Table:
    """The same by fifths: a row for each forecaster and fifth that has tables."""
    table = _table("forecast", "chance", "tables", "said", "made", "95 %")
    for one in found:
        for number, fifth in enumerate(one.fifths):
            if fifth is not None:
                name = f"{20 * number}-{20 * number + 20} %"
                made = fifth.made
                spread = f"{100 * made.low:.0f}-{100 * made.high:.0f}"
                said = f"{100 * fifth.said:.1f} %"
                table.add_row(one.name, name, str(made.count), said, f"{100 * made.value:.1f} %", spread)
    return table


def _table(first: str, *others: str) -> Table:
    table = Table()
    table.add_column(first, no_wrap=True)
    for name in others:
        table.add_column(name, justify="right")
    return table


def calibration_json(found: Sequence[Calibration]) -> list[dict[str, Any]]:
    """The same for programs."""
    return [
        {
            "forecast": one.name,
            "said": one.said,
            "made": estimate_json(one.made),
            "brier": estimate_json(one.brier),
            "better": estimate_json(one.better),
            "fifths": [fifth and {"said": fifth.said, "made": estimate_json(fifth.made)} for fifth in one.fifths],
        }
        for one in found
    ]
