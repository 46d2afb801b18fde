"""PNS06 Fig 4: how many boards a move can rest on in 30 and 90 seconds. It is about machines and programs, so ours is
another number by nature: boards a second of one core, measured on beliefs in the middle of games.
"""

from __future__ import annotations

from itertools import pairwise
from time import process_time
from typing import TYPE_CHECKING, NamedTuple, cast

import numpy as np

from worldwise.core.result import Limit
from worldwise.core.statistics import CONFIDENCE, ratio_of_sums
from worldwise.kriegspiel.players.belief_tracking import Tracker
from worldwise.kriegspiel.players.names import read_player
from worldwise.kriegspiel.players.player import Start
from worldwise.kriegspiel.players.umpire_table import UmpireTable
from worldwise.kriegspiel.rules.board import START
from worldwise.kriegspiel.rules.compiled_board import fastest_board
from worldwise.kriegspiel.rules.game import Kriegspiel
from worldwise.kriegspiel.rules.squares import BLACK, WHITE
from worldwise.kriegspiel.search.information_sets import BoardSearch
from worldwise.lab.experiment import Claim, Experiment, Verdict
from worldwise.lab.papers.pns06.claims import DEPTHS, LONG, SHORT
from worldwise.lab.papers.pns06.games import FIG_4_PUBLISHED, SAMPLES, rules_of
from worldwise.lab.papers.pns06.scores import column, group_rows
from worldwise.lab.plotting import new_figure, styles
from worldwise.lab.table import DataTable, side_by_side, table_of
from worldwise.runs.rows import grid

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from worldwise.core.statistics import Estimate
    from worldwise.kriegspiel.belief.weighted_boards import WeightedBoards
    from worldwise.kriegspiel.rules.game import State
    from worldwise.kriegspiel.rules.view import PlayerView
    from worldwise.runs.rows import Row, Rows, Setting

LEAST = {1: 1_000_000, 2: 50_000, 3: 1_500}
"""Boards in 30 seconds that we want of one core, by depth."""

SEVERAL = 2.0
"""Times as many boards that a depth less must have; the paper's are 5.2 and 4.8."""

ENOUGH_POSITIONS = 10

POOL = 2_000
"""Boards that the belief carries."""

CAUTION = 0.3
"""Mixed play hears the umpire at every edge and looks at every board; overconfident and paranoid play need not."""


class Moment(NamedTuple):
    """What a player sees in the middle of a game, and boards that explain all he has heard."""

    view: PlayerView
    boards: WeightedBoards


def moment(setting: Setting, seed: int) -> Moment:
    """White's, when so many plies have been played by overconfident play against rand; sooner if the game was over."""
    game = Kriegspiel(rules_of(setting), (fastest_board(START),))
    state = _turn_after(game, cast("int", setting["ply"]), seed)
    tracker = Tracker.of(Start(WHITE, game.rules, seed=seed), POOL)
    for event in state.events:
        if heard := event.heard_by(WHITE, game.rules):
            tracker.hear(heard)
    view = state.view(WHITE)
    boards = tracker.fitting_boards(view)
    return Moment(view, boards.select(np.random.default_rng(seed).permutation(len(boards))))


def _turn_after(game: Kriegspiel, plies: int, seed: int) -> State:
    """White's first try after so many plies, or his last turn."""
    state = turn = game.start(game.starts[0])
    players = {WHITE: read_player("overconfident:1,boards=50,mates=off"), BLACK: read_player("rand")}
    table = UmpireTable.of(game, state, players, seed)
    while state.plies < plies and game.to_move(state) is not None:
        turn = state if state.board.turn is WHITE and not state.refused else turn
        state = table.next_state(state)
    return turn if game.to_move(state) is None else state


def measure_boards(setting: Setting, seed: int) -> Row:
    """How many boards were searched, in how many seconds of the processor."""
    depth, rules, (view, boards) = cast("int", setting["depth"]), rules_of(setting), moment(setting, seed)
    limit = Limit(nodes=cast("int", setting["boards"]))
    started = process_time()
    found = BoardSearch(depth, CAUTION).search(boards, view, rules, limit)
    return {"searched": found.worlds_searched, "leaves": found.stats.leaves, "processor": process_time() - started}


# ---------------------------------------------------------------------- table and picture


def rates(rows: Rows) -> dict[int, Estimate]:
    """Boards a second, by depth."""
    groups = {cast("int", depth): group for (depth,), group in group_rows(rows, "depth").items()}
    return {
        depth: ratio_of_sums(column(group, "searched"), column(group, "processor")) for depth, group in groups.items()
    }


def board_table(rows: Rows) -> DataTable:
    """The boards of a second, and those of 30 and 90 seconds if they go on so."""
    return table_of(
        (
            {
                "depth": depth,
                "seconds": seconds,
                "positions": rate.count,
                "boards a second": rate,
                "boards": round(seconds * rate.value),
            }
            for seconds in (SHORT, LONG)
            for depth, rate in rates(rows).items()
        ),
        "boards searched by one core, measured on fewer and extrapolated",
    )


def _compare(summary: DataTable, published: DataTable) -> DataTable:
    return side_by_side(summary, published, ("depth", "seconds"), "boards")


def board_picture(rows: Rows) -> Figure:
    """Boards in 30 and 90 seconds over depth, the paper's dashed."""
    figure, (axes,) = new_figure(6.4, 4.2)
    found = rates(rows)
    for seconds, style in zip((SHORT, LONG), styles(), strict=False):
        axes.plot(list(found), [seconds * rate.value for rate in found.values()], label=f"ours, {seconds} s", **style)
        paper = [SAMPLES[depth, seconds] for depth in DEPTHS]
        dashed = {**style, "linestyle": "--", "markerfacecolor": "white"}
        axes.plot(DEPTHS, paper, label=f"PNS06, {seconds} s", **dashed)
    axes.set(xlabel="depth", ylabel="boards a move", yscale="log", xticks=DEPTHS)
    axes.legend(frameon=False)
    return figure


# ---------------------------------------------------------------------- claims


def falls_with_depth(rows: Rows, _confidence: float = CONFIDENCE) -> Verdict:
    """Whether each depth has at least twice the boards of the next."""
    found = sorted(rates(rows).items())
    ratios = {f"depth {low} to {high}": one.value / two.value for (low, one), (high, two) in pairwise(found)}
    words = ", ".join(f"{what} {ratio:.1f} times" for what, ratio in ratios.items())
    truth = min(ratios.values()) >= SEVERAL if ratios and _enough(rows) else None
    return Verdict.of(truth, words or "one depth measured")


def as_many_as_wanted(rows: Rows, _confidence: float = CONFIDENCE) -> Verdict:
    """Whether one core searches as many boards in 30 seconds as we want, at each depth."""
    found = {depth: SHORT * rate.value for depth, rate in rates(rows).items()}
    words = ", ".join(f"{boards:,.0f} at depth {depth}" for depth, boards in found.items())
    enough = [found[depth] >= least for depth, least in LEAST.items() if depth in found]
    open_yet = not _enough(rows) or (all(enough) and len(enough) < len(LEAST))
    return Verdict.of(None if open_yet else all(enough), words)


def _enough(rows: Rows) -> bool:
    """Whether there are ten positions or more at each depth: fewer may not be like the others."""
    return min(rate.count for rate in rates(rows).values()) >= ENOUGH_POSITIONS


# ---------------------------------------------------------------------- the experiment


def _settings(*plies: int) -> tuple[Setting, ...]:
    return tuple(
        setting for depth in DEPTHS for setting in grid(depth=(depth,), ply=plies, boards=(SAMPLES[depth, SHORT],))
    )


FIG_4 = Experiment(
    id="pns06/fig-4",
    title="Boards that a move can rest on",
    source="PNS06 Fig 4: boards sampled in 30 and 90 seconds, overconfident play against rand; ours mixed, on one core",
    claims=(
        Claim(
            "Boards fall by several times with each depth",
            "PNS06, statistical sampling",
            falls_with_depth,
            "boards a second at each depth by those at the next: twice or more; ten positions at least",
        ),
        Claim(
            "One core searches 1,000,000, 50,000 and 1,500 boards in 30 seconds at depths 1, 2 and 3",
            "ours",
            as_many_as_wanted,
            "thirty seconds at the measured rate, at each depth: as many or more; ten positions at least",
        ),
    ),
    settings={
        "smoke": grid(depth=(1, 2), ply=(6,), boards=(20,)),
        "laptop": _settings(20, 40, 60, 80),
        "paper": _settings(*range(10, 150, 10)),
    },
    seeds={"smoke": 1, "laptop": 10, "paper": 50},
    measure=measure_boards,
    unit="positions",
    summary=board_table,
    plot=board_picture,
    published=FIG_4_PUBLISHED,
    compare=_compare,
    timed=True,
    revision=2,
)
