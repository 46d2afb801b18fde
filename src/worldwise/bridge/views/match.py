"""A match at bridge for a terminal and for programs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rich.table import Table

from worldwise.bridge.players.names import player_name
from worldwise.bridge.players.seats import SeesAll
from worldwise.views.estimates import count_words, estimate_json, mean_words, rate_words

if TYPE_CHECKING:
    from collections.abc import Iterable

    from worldwise.bridge.match import BridgeMatch, BridgeSummary, Duel
    from worldwise.bridge.players.seats import AnyPlayer

CEILING = "sees all four hands: the reference ceiling, not a player"


def match_table(match: BridgeMatch, summary: BridgeSummary) -> Table:
    """Both declarers side by side; intervals are for 95 %."""
    first, second = summary.make_rates
    shown = Table(
        title=f"{match.contracts}, {count_words(summary.deals, 'deal')}, defence {player_name(match.defence)}"
    )
    shown.title_justify = "left"
    for heading in ("", "declarer", "versus"):
        shown.add_column(heading, justify="left" if not heading else "right")
    shown.add_row("player", player_name(match.declarer), player_name(match.versus))
    shown.add_row("made", rate_words(first), rate_words(second))
    shown.add_row("made alone", str(summary.won), str(summary.lost))
    shown.add_row("seconds a move", *(f"{seconds:.3f}" for seconds in summary.seconds))
    return shown


def match_words(match: BridgeMatch, summary: BridgeSummary) -> list[str]:
    """What the table has no column for: the comparison, in lines."""
    rate = summary.win_rate
    imps, tricks = (mean_words(number, "+.2f") for number in (summary.imps, summary.tricks))
    won = f"declarer won {rate_words(rate)} of them" if rate else "so there is no win rate"
    lines = [
        f"{summary.differing} of {summary.deals:,} deals differ: one made the contract, the other did not; {won}",
        f"declarer is ahead by {imps} IMPs a deal, {tricks} tricks a deal",
    ]
    return lines + ceiling_words((match.declarer, match.versus, match.defence))


def ceiling_words(players: Iterable[AnyPlayer]) -> list[str]:
    """What must be said of players who see everything, of each once.

    >>> from worldwise.bridge.players.simple import DoubleDummyPlayer, RandomPlayer
    >>> ceiling_words([RandomPlayer(), DoubleDummyPlayer(), DoubleDummyPlayer()])
    ['dds sees all four hands: the reference ceiling, not a player']
    """
    return list(dict.fromkeys(f"{player_name(player)} {CEILING}" for player in players if isinstance(player, SeesAll)))


def match_json(match: BridgeMatch, summary: BridgeSummary) -> dict[str, Any]:
    """The settings, the figures, and a row for every deal."""
    players = {"declarer": match.declarer, "versus": match.versus, "defence": match.defence}
    return {
        "contract": match.contracts,
        **{role: _player_json(player) for role, player in players.items()},
        "deals": summary.deals,
        "differing": summary.differing,
        "won": summary.won,
        "lost": summary.lost,
        "win_rate": estimate_json(summary.win_rate),
        "make_rates": dict(zip(("declarer", "versus"), map(estimate_json, summary.make_rates), strict=True)),
        "imps": estimate_json(summary.imps),
        "tricks": estimate_json(summary.tricks),
        "seconds_a_move": dict(zip(("declarer", "versus"), summary.seconds, strict=True)),
        "boards": [_duel_json(duel) for duel in summary.duels],
    }


def _player_json(player: AnyPlayer) -> dict[str, Any]:
    return {"player": player_name(player), "sees_all": isinstance(player, SeesAll)}


def _duel_json(duel: Duel) -> dict[str, Any]:
    row = {name.replace(".", "_"): value for name, value in duel.row.items()}
    return {"board": duel.number, **row}
