"""Declarers and defenders of the user's own in CLV21's experiments.

A declarer plays the deals that alpha-mu and PIMC play, against the same defence with the same chances. A defence of
one's own takes the place of the paper's against all declarers.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, cast

from worldwise.bridge.players.seats import BridgePlayer, SeesAll
from worldwise.lab.experiment import Claim
from worldwise.lab.newcomers import Contest
from worldwise.lab.papers.clv21 import claims
from worldwise.lab.papers.clv21.claims import NEWCOMER, declarer_words
from worldwise.lab.papers.clv21.duels import duel_picture, duel_table
from worldwise.lab.papers.clv21.games import PLAYERS, numbers, play_game, start_of
from worldwise.lab.table import NOTHING, summary_alone
from worldwise.lab.user_code import ready_object

if TYPE_CHECKING:
    from collections.abc import Callable

    from matplotlib.figure import Figure

    from worldwise.bridge.players.seats import AnyPlayer
    from worldwise.lab.experiment import Experiment
    from worldwise.lab.newcomers import Newcomer
    from worldwise.lab.table import DataTable
    from worldwise.runs.rows import Row, Rows, Setting

    Measure = Callable[..., Row]
    Claimed = Callable[[Experiment, str], tuple[Claim, ...]]
    NewcomersTable = Callable[..., DataTable]
    NewcomersPicture = Callable[..., Figure]

TAKEN = ("PIMC", "alpha-mu")

GAIN = "contracts that only the one makes less those that only the other makes, of all deals"
MORE = f"{GAIN}: holds above 0, fails below 0 or wholly below 1 in 100"


def ready_player(place: str) -> AnyPlayer:
    """The player of bridge at a place."""
    player = ready_object(
        place, "a bridge player, with a method sit", lambda one: isinstance(one, BridgePlayer | SeesAll)
    )
    return cast("AnyPlayer", player)


# ---------------------------------------------------------------------- declarers


def measure_declarer(measure: Measure, newcomer: Newcomer, timed: bool, setting: Setting, seed: int) -> Row:
    """A deal as the paper's declarers play it, and as the newcomer does."""
    row, start, defence = measure(setting, seed), start_of(setting, seed), PLAYERS[str(setting["defence"])]
    with newcomer.blame():
        game = play_game(start, ready_player(newcomer.place), defence, seed)
    times = {f"{NEWCOMER}.moves": game.moves, f"{NEWCOMER}.seconds": game.seconds} if timed else {}
    return {**row, f"{NEWCOMER}.made": game.made, **times}


def enter_declarer(
    claimed: Claimed, table: NewcomersTable, picture: NewcomersPicture, experiment: Experiment, newcomer: Newcomer
) -> Experiment:
    """An experiment with a declarer of the user's own beside the others."""
    return replace(
        experiment,
        measure=partial(measure_declarer, experiment.measure, newcomer, experiment.timed),
        claims=claimed(experiment, newcomer.name),
        summary=partial(table, newcomer=newcomer.name),
        plot=partial(picture, newcomer=newcomer.name),
        published=NOTHING,
        compare=summary_alone,
    )


def more_contracts(experiment: Experiment, name: str) -> tuple[Claim, ...]:
    """That the newcomer makes more contracts than each of the others."""
    depths = sorted({depth for setting in experiment.settings["paper"] for depth in numbers(setting, "depths")})
    return tuple(
        Claim(
            f"{name} makes more contracts than {_rival(depth)}", "yours", claims.newcomer_makes_more(name, depth), MORE
        )
        for depth in depths
    )


def _rival(depth: int) -> str:
    return "PIMC" if depth == 1 else f"alpha-mu with {declarer_words(depth)}"


def faster(experiment: Experiment, name: str) -> tuple[Claim, ...]:
    """That the newcomer takes less time than PIMC."""
    del experiment
    test = "PIMC's time by its time, over the same deals: holds above 1, fails wholly below 1.02"
    return (Claim(f"{name} is faster than PIMC", "yours", claims.newcomer_is_faster, test),)


# ---------------------------------------------------------------------- defenders


def measure_against(measure: Measure, newcomer: Newcomer, setting: Setting, seed: int) -> Row:
    """A deal as the paper's declarers play it against the newcomer."""
    with newcomer.blame():
        return measure(setting, seed, ready_player(newcomer.place))


def enter_defence(experiment: Experiment, newcomer: Newcomer) -> Experiment:
    """An experiment whose declarers meet defenders of the user's own."""
    return replace(
        experiment,
        measure=partial(measure_against, experiment.measure, newcomer),
        claims=more_than_pimc(experiment, newcomer.name),
        published=NOTHING,
        compare=summary_alone,
        summary=partial(_table_against, experiment.summary, newcomer.name),
    )


def _table_against(summary: Callable[[Rows], DataTable], name: str, rows: Rows) -> DataTable:
    return summary([{**row, "defence": name} for row in rows])


def more_than_pimc(experiment: Experiment, name: str) -> tuple[Claim, ...]:
    """That alpha-mu makes more contracts than PIMC against the newcomer, for each M."""
    depths = sorted({depth for setting in experiment.settings["paper"] for depth in numbers(setting, "depths")})
    return tuple(
        Claim(f"Against {name} {_rival(depth)} makes more contracts than PIMC", "yours", claims.makes_more(depth), MORE)
        for depth in depths
        if depth > 1
    )


def declarer_contests(claimed: Claimed, table: NewcomersTable, picture: NewcomersPicture) -> dict[str, Contest]:
    """Who can enter where declarers are measured, and what is said of him."""
    return {"algorithm": Contest(ready_player, partial(enter_declarer, claimed, table, picture), TAKEN)}


def duel_contests(published: DataTable) -> dict[str, Contest]:
    """Who can enter where declarers play the same deals as PIMC."""
    declarer = declarer_contests(more_contracts, duel_table, partial(duel_picture, published))
    return {**declarer, "opponent": Contest(ready_player, enter_defence)}
