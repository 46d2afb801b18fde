"""Mixed strategies, lists of equilibria and the yardstick, as tables and for programs.

Numbers here come from linear programmes and sums of floats, so they are decimals, unlike those of pure strategies.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

from rich.table import Table
from rich.text import Text

from worldwise.extensive.views.json import number_json, profile_json
from worldwise.extensive.views.words import count_word, move_words, payoff_words, player_word, set_word
from worldwise.views.estimates import count_words, estimate_json, mean_words
from worldwise.views.tables import plain_table
from worldwise.views.words import printable

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from worldwise.core.solution import MixedSolution
    from worldwise.extensive.exploiting import Yardstick
    from worldwise.extensive.game import ExtensiveGame
    from worldwise.players.answering import SampledGain
    from worldwise.search.equilibrium import AllEquilibria

SHOWN_SETS = 8
"""Information sets of a player that a table shows."""

SHOWN_PROFILES = 10
"""Equilibria that a table shows."""

LIKELY = 0.0005
"""A move less likely is not shown in a table."""


def mixed_json(game: ExtensiveGame, found: MixedSolution) -> dict[str, Any]:
    """An equilibrium in mixed strategies; ``value`` is what the first player gets.

    >>> from worldwise.catalog import game
    >>> from worldwise.extensive.solving import solve_mixed
    >>> told = mixed_json(game("bmv96/fig-3"), solve_mixed(game("bmv96/fig-3")))
    >>> round(told["value"], 6), told["profile"][0]["set"], told["complete"]
    (17.0, 'A', True)
    """
    return {
        "algorithm": found.algorithm,
        "value": found.value,
        "low": found.low,
        "high": found.high,
        "nash_conv": found.nash_conv,
        "profile": [
            {
                "player": player_word(game, game.events[number].player),
                "set": game.set_label(number),
                "chances": dict(zip(_labels(game, number), shares, strict=True)),
            }
            for number, shares in sorted(found.profile.items())
        ],
        "complete": found.complete,
        "stats": vars(found.stats),
    }


def mixed_table(game: ExtensiveGame, found: MixedSolution) -> Table:
    """The same for people: the value, how sure it is, and how each player mixes."""
    table = plain_table()
    table.add_row("algorithm", found.algorithm)
    table.add_row("value", f"{_figure(found.value, '.6g')} to {printable(player_word(game, 0))}")
    table.add_row("verdict", _verdict(found))
    for player in range(len(game.players)):
        words = "; ".join(_mixture_words(game, found, player)) or "no choice to make"
        table.add_row("" if player else "strategy", Text(printable(f"{player_word(game, player)}: {words}")))
    table.add_row("searched", f"{count_word(found.stats.leaves)} ends of the game in {found.stats.seconds:.3g} s")
    return table


def _verdict(found: MixedSolution) -> str:
    near = f"an equilibrium to within {max(found.nash_conv, 0):.2g} (NashConv)"
    sure = f"the value lies between {_figure(found.low, '.6g')} and {_figure(found.high, '.6g')}"
    return f"{near}; {sure}" if found.complete else f"cut short by the limit: {near}; {sure}"


def _mixture_words(game: ExtensiveGame, found: MixedSolution, player: int) -> Iterator[str]:
    numbers = [number for number in sorted(found.profile) if game.events[number].player == player]
    for number in numbers[:SHOWN_SETS]:
        shares = zip(_labels(game, number), found.profile[number], strict=True)
        moves = [label if share > 1 - LIKELY else f"{label} {share:.3f}" for label, share in shares if share >= LIKELY]
        yield f"{' or '.join(moves)} at {set_word(game, number)}"
    if len(numbers) > SHOWN_SETS:
        yield f"{len(numbers) - SHOWN_SETS:,} more (--json has all)"


def _labels(game: ExtensiveGame, number: int) -> list[str]:
    node = game.nodes_of[number][0]
    return [game.move_label(node, move) for move in game.moves(node)]


# ---------------------------------------------------------------------- all equilibria


def equilibria_json(game: ExtensiveGame, found: AllEquilibria) -> dict[str, Any]:
    """Every equilibrium in pure strategies."""
    return {
        "algorithm": "pure-equilibrium",
        "count": len(found.equilibria),
        "equilibria": [
            {"payoffs": list(map(number_json, payoffs)), "profile": profile_json(game, profile)}
            for profile, payoffs in found.equilibria
        ],
        "complete": found.complete,
        "stats": vars(found.stats),
    }


def equilibria_table(game: ExtensiveGame, found: AllEquilibria) -> Table:
    """The same for people: those that pay the first player most come first."""
    table = plain_table()
    number = f"{len(found.equilibria):,}"
    table.add_row("equilibria", number if found.complete else f"{number} so far: the limit came first")
    counts = sorted(Counter(payoffs for _, payoffs in found.equilibria).items(), reverse=True)
    for payoffs, times in counts[:SHOWN_PROFILES]:
        table.add_row("", Text(printable(f"{times:,} with {payoff_words(game, payoffs)}")))
    for profile, payoffs in sorted(found.equilibria, key=lambda one: one[1], reverse=True)[:SHOWN_PROFILES]:
        words = f"{payoff_words(game, payoffs)}: {move_words(game, profile, SHOWN_SETS)}"
        table.add_row("", Text(printable(words)))
    if len(found.equilibria) > SHOWN_PROFILES:
        table.add_row("", f"{len(found.equilibria) - SHOWN_PROFILES:,} more (--json has all)")
    table.add_row("searched", f"{found.stats.nodes:,} partial profiles in {found.stats.seconds:.3g} s")
    return table


# ---------------------------------------------------------------------- the yardstick


def yardstick_json(found: Yardstick) -> dict[str, Any]:
    """How far each player is from an equilibrium."""
    return {
        "players": list(found.names),
        "value": found.value,
        "rows": [
            {
                "player": row.name,
                "nash_conv": row.nash_conv,
                "payoffs": list(row.payoffs),
                "best": list(row.best),
                "asked": row.asked,
                "remark": row.remark or None,
            }
            for row in found.rows
        ],
    }


def yardstick_table(found: Yardstick) -> Table:
    """The same for people."""
    table = Table(box=None, pad_edge=False)
    table.add_column("player", no_wrap=True)
    table.add_column("NashConv", justify="right")
    figure = "sure of" if found.is_zero_sum else "gains"
    for name in found.names:
        table.add_column(Text(printable(f"{figure} as {name}")), justify="right")
    for row in found.rows:
        if row.remark:
            table.add_row(Text(printable(row.name)), "-", *("-" for _ in found.names), Text(printable(row.remark)))
            continue
        shown = (_figure(one, "+.4f") for one in found.shown(row))
        table.add_row(Text(printable(row.name)), _figure(row.nash_conv, ".4f"), *shown)
    if found.value is not None:
        table.caption = f"value {_figure(found.value, '.6g')} to {printable(found.names[0])}"
    return table


def sampled_json(found: Sequence[SampledGain], deals: int) -> dict[str, Any]:
    """What answers to each player have gained, with intervals: a lower bound of NashConv."""
    return {
        "deals": deals,
        "rows": [
            {
                "player": one.name,
                "nash_conv_at_least": estimate_json(one.gain),
                "seats": [
                    {
                        "seat": str(seat.seat),
                        "answer": seat.answer,
                        "payoff": estimate_json(seat.own),
                        "best": estimate_json(seat.best),
                        "gain": estimate_json(seat.gain),
                    }
                    for seat in one.seats
                ],
            }
            for one in found
        ],
    }


def sampled_table(found: Sequence[SampledGain], deals: int) -> Table:
    """The same for people."""
    table = Table(box=None, pad_edge=False)
    table.add_column("player", no_wrap=True)
    table.add_column("NashConv at least", justify="right", no_wrap=True)
    table.add_column("as")
    table.add_column("gains", justify="right", no_wrap=True)
    table.add_column("answer")
    for one in found:
        for place, seat in enumerate(one.seats):
            of_all = ("", "") if place else (printable(one.name), mean_words(one.gain, ".3f"))
            gained = (printable(str(seat.seat)), _figure(seat.gain.value, "+.3f"), seat.answer)
            table.add_row(*map(Text, (*of_all, *gained)))
    table.caption = f"{count_words(deals, 'fresh deal')} a seat, with 95 % intervals; better answers may exist"
    return table


def _figure(number: float, form: str) -> str:
    """A number that is never minus nothing.

    >>> _figure(-0.0, "+.4f"), _figure(-0.00001, "+.4f"), _figure(-0.5, ".6g")
    ('+0.0000', '+0.0000', '-0.5')
    """
    words = f"{number:{form}}"
    return words if float(words) else f"{0.0:{form}}"
