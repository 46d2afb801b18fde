"""A match at kriegspiel for a terminal and for programs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rich.table import Table

from worldwise.kriegspiel.players.names import player_name
from worldwise.kriegspiel.records.record import end_name, rules_line
from worldwise.kriegspiel.rules.squares import BLACK, WHITE
from worldwise.views.estimates import count_words, estimate_json, mean_words, rate_words

if TYPE_CHECKING:
    from worldwise.kriegspiel.match import KriegspielMatch, KriegspielSummary, MatchGame


def match_table(match: KriegspielMatch, summary: KriegspielSummary) -> Table:
    """Who won how often; intervals are for 95 %."""
    shown = Table(title=f"{rules_line(match.rules)}, {count_words(summary.wins.count, 'game')}", title_justify="left")
    for heading in ("", "games", "share"):
        shown.add_column(heading, justify="right" if heading else "left")
    rates = {
        f"won by the first, {player_name(match.first)}": summary.wins,
        f"won by the second, {player_name(match.second)}": summary.losses,
        "drawn": summary.draws,
        "won by White": summary.won_by(WHITE),
        "won by Black": summary.won_by(BLACK),
    }
    for words, rate in rates.items():
        shown.add_row(words, f"{round(rate.value * rate.count):,}", rate_words(rate))
    return shown


def match_words(summary: KriegspielSummary) -> list[str]:
    """What the table has no row for."""
    ends = ", ".join(f"{end.value} {count:,}" for end, count in summary.ends.items())
    plies, tries = mean_words(summary.plies), mean_words(summary.tries)
    return [f"{plies} plies a game, {tries} tries", f"how games ended: {ends}"]


def match_json(match: KriegspielMatch, summary: KriegspielSummary, seed: int) -> dict[str, Any]:
    """The settings, the figures, and a row for every game."""
    return {
        **match.settings,
        "seed": seed,
        "games": summary.wins.count,
        "wins": estimate_json(summary.wins),
        "losses": estimate_json(summary.losses),
        "draws": estimate_json(summary.draws),
        "white": estimate_json(summary.won_by(WHITE)),
        "black": estimate_json(summary.won_by(BLACK)),
        "plies": estimate_json(summary.plies),
        "tries": estimate_json(summary.tries),
        "ends": {end_name(end): count for end, count in summary.ends.items()},
        "rows": [_game_json(game) for game in summary.games],
    }


def _game_json(game: MatchGame) -> dict[str, Any]:
    return {"game": game.number, "first_colour": str(game.first_colour), **game.row}
