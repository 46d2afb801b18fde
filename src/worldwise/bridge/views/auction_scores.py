"""How well calls describe the hands behind them: as tables, as plain data."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rich.table import Table

from worldwise.views.estimates import count_words

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from worldwise.bridge.layouts.auction_scores import AuctionScores, CallGroup
    from worldwise.core.statistics import Estimate

_LISTENER_WORDS = {"leader": "the opening leader", "declarer": "declarer, with dummy on the table"}


def scores_words(scores: AuctionScores) -> Iterator[str]:
    """What listeners gain, a line for each."""
    yield count_words(scores.tables, "table")
    for name, gain in scores.gains.items():
        yield (
            f"For {_LISTENER_WORDS[name]} the auction makes the true layout {2**gain.value:.1f} times as likely: "
            f"{gain.value:+.2f} bits a deal ({gain.low:+.2f} to {gain.high:+.2f})"
        )


def scores_table(groups: Sequence[CallGroup]) -> Table:
    """Calls by kind: how often the hand was inside the range, and how many random hands are not."""
    table = Table()
    for name in ("call", "how sure"):
        table.add_column(name, no_wrap=True)
    for name in ("calls", "hand inside", "95 %", "random hands outside"):
        table.add_column(name, justify="right")
    for group in groups:
        inside = group.inside
        spread = f"{100 * inside.low:.0f}-{100 * inside.high:.0f}"
        figures = (str(inside.count), f"{100 * inside.value:.1f} %", spread, f"{100 * group.outside:.0f} %")
        table.add_row(group.name, group.sure.value, *figures)
    return table


def scores_json(scores: AuctionScores) -> dict[str, Any]:
    """All of it."""
    return {
        "tables": scores.tables,
        "bits": {name: _estimate_json(gain) for name, gain in scores.gains.items()},
        "sure": list(map(_group_json, scores.sure)),
        "kinds": list(map(_group_json, scores.kinds)),
    }


def _group_json(group: CallGroup) -> dict[str, Any]:
    inside = group.inside
    told = {"call": group.name, "sure": group.sure.value, "calls": inside.count, "inside": inside.value}
    return {**told, "low": inside.low, "high": inside.high, "random_outside": group.outside}


def _estimate_json(estimate: Estimate) -> dict[str, float]:
    return {name: getattr(estimate, name) for name in ("value", "low", "high", "count")}
