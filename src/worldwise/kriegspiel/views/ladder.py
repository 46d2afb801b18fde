"""A ladder for a terminal and for programs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rich.table import Table

from worldwise.views.estimates import estimate_json

if TYPE_CHECKING:
    from collections.abc import Sequence

    from worldwise.kriegspiel.ladder import Rung


def ladder_table(rungs: Sequence[Rung], title: str) -> Table:
    """The players, the strongest first; intervals are for 95 %."""
    shown = Table(title=title, title_justify="left")
    for heading in ("player", "rating", "95 %", "games", "won", "drawn", "lost", "points"):
        shown.add_column(heading, justify="left" if heading == "player" else "right")
    for rung in rungs:
        rating, counts = rung.rating, (rung.games, rung.won, rung.drawn, rung.lost)
        shown.add_row(
            rung.name,
            f"{rating.value:.0f}",
            f"{rating.low:.0f} to {rating.high:.0f}",
            *(f"{count:,}" for count in counts),
            f"{100 * rung.points / max(rung.games, 1):.1f} %",
        )
    return shown


def ladder_json(rungs: Sequence[Rung]) -> list[dict[str, Any]]:
    """The same for programs."""
    return [
        {
            "player": rung.name,
            "rating": estimate_json(rung.rating),
            "games": rung.games,
            "won": rung.won,
            "drawn": rung.drawn,
            "lost": rung.lost,
        }
        for rung in rungs
    ]
