"""PNS06's benchmark: rand against itself. Do umpire and draws work as the paper's did?

Games of rand cost next to nothing, so there are enough of them to tell 4 % from 6 %. Their tries are not kept: each
follows from its number and the seed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from worldwise.core.statistics import CONFIDENCE, clopper_pearson
from worldwise.lab.comparisons import sure, times_needed, together, within
from worldwise.lab.experiment import Claim, Experiment, Verdict
from worldwise.lab.papers.pns06.games import CHESS, measure_game, number_games
from worldwise.lab.papers.pns06.overconfidence import score_table
from worldwise.lab.papers.pns06.pictures import utility_bars
from worldwise.runs.rows import Setting

if TYPE_CHECKING:
    from worldwise.core.statistics import Estimate
    from worldwise.lab.papers.pns06.scores import Key
    from worldwise.runs.rows import Row, Rows

RATE, ROUNDING = 0.06, 0.005
"""How often either colour wins, and how far from it is still about it: what is rounded to a whole percent."""


def measure_result(setting: Setting, seed: int) -> Row:
    """One game: who won, why it ended, how long it was."""
    return {name: value for name, value in measure_game(setting, seed).items() if name != "tries"}


def colours_win_about_as_often(rows: Rows, confidence: float = CONFIDENCE) -> Verdict:
    """Whether White and Black each win about as often as the paper says."""
    winners, each = [row["winner"] for row in rows], sure(2, confidence)
    rates = {colour: clopper_pearson(winners.count(colour), len(winners), each) for colour in ("white", "black")}
    words = ", ".join(
        f"{colour} {rate.value:.1%} ({rate.low:.1%} to {rate.high:.1%})" for colour, rate in rates.items()
    )
    times = [times_needed(rate, _is_about) for rate in rates.values()]
    needed = max((one for one in times if one is not None), default=None)
    return Verdict.of(together(map(_is_about, rates.values())), f"{len(winners):,} games: {words}", needed)


def _is_about(rate: Estimate) -> bool | None:
    return within(rate, RATE - ROUNDING, RATE + ROUNDING)


def _label(key: Key) -> str:
    return f"{key[0]} against itself"


_RAND = Setting(player="rand", against="rand")

RAND = Experiment(
    id="pns06/rand",
    title="rand against itself",
    source="PNS06, experiments: how often White and Black win when rand plays itself",
    claims=(
        Claim(
            "When rand plays itself White and Black each win about 6 % of games",
            "PNS06, experiments",
            colours_win_about_as_often,
            "both rates: holds if they lie between 5.5 and 6.5 %, which is rounded to 6, fails if one lies outside",
        ),
    ),
    settings={
        "smoke": number_games([Setting(**_RAND, draws=CHESS)], games=2),
        "laptop": number_games([_RAND], games=5_000),
        "paper": number_games([_RAND], games=20_000),
    },
    seeds={"smoke": 1, "laptop": 1, "paper": 1},
    measure=measure_result,
    unit="games",
    counter="game",
    summary=score_table("player", "against"),
    plot=utility_bars(("player", "against"), _label),
)
