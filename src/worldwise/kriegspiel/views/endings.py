"""Endings that were played out, for a terminal and for programs."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from worldwise.core.statistics import wilson
from worldwise.kriegspiel.players.names import player_name, short_name
from worldwise.views.estimates import count_words, estimate_json, rate_words

if TYPE_CHECKING:
    from worldwise.kriegspiel.endings import EndingRun, EndingSummary

RESULTS = ("won", "drawn", "lost")


def ending_words(run: EndingRun, summary: EndingSummary) -> str:
    """How many were won, in how many moves, and what became of the others."""
    starts = len(summary.games)
    rate = rate_words(wilson(summary.results["won"], starts))
    first = f"{short_name(run.player)} mates with {run.kinds} in {summary.results['won']} of {starts} endings: {rate}."
    moves = f"A mate takes {summary.moves.value:.1f} moves on average." if summary.moves else ""
    others = [
        f"{count_words(summary.results['drawn'], 'ending')} drawn" if summary.results["drawn"] else "",
        f"{count_words(summary.results['lost'], 'ending')} drawn after a piece was lost"
        if summary.results["lost"]
        else "",
    ]
    rest = ", ".join(filter(None, others))
    return "\n".join(filter(None, (first, moves, f"{rest}." if rest else "")))


def ending_json(run: EndingRun, summary: EndingSummary, seed: int) -> dict[str, Any]:
    """The settings, the figures, and a row for every ending."""
    return {
        "pieces": run.kinds,
        "player": player_name(run.player),
        "starts": len(summary.games),
        "seed": seed,
        "seconds": run.budget.seconds,
        **{result: summary.results[result] for result in RESULTS},
        "moves": None if summary.moves is None else estimate_json(summary.moves),
        "ends": dict(summary.ends),
        "rows": [{**asdict(game), "end": game.end_name, "result": game.result} for game in summary.games],
    }
