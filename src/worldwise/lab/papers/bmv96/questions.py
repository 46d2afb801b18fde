"""The experiments on what BMV96 leaves open: IMP-minimax with two players, and with one who forgets."""

from __future__ import annotations

from typing import TYPE_CHECKING

from worldwise.lab.experiment import Claim, Experiment
from worldwise.lab.papers.bmv96.newcomers import CONTESTS
from worldwise.lab.papers.bmv96.quality import (
    Quality,
    everywhere,
    loses_nothing,
    measure_forgetting,
    measure_two_players,
    quality_picture,
    quality_table,
)
from worldwise.lab.papers.bmv96.small_games import FORGETS
from worldwise.runs.rows import Setting

if TYPE_CHECKING:
    from collections.abc import Iterable


def _two_players(games: int, sizes: Iterable[tuple[int, int, int, bool]]) -> tuple[Setting, ...]:
    return tuple(Setting(k=k, b=b, d=d, searched=searched, games=games) for k, b, d, searched in sizes)


_SMALL = ((2, 2, 2, True), (2, 3, 2, True), (2, 2, 3, True))

TWO_PLAYERS = Experiment(
    id="bmv96/two-players",
    title="Two-player IMP-minimax beside the best pure strategy",
    source="BMV96 section 5.3 calls it a natural heuristic and measures nothing; small zero-sum games, in which each "
    "player has a secret and nobody forgets",
    claims=(
        Claim(
            "With two players IMP-minimax finds a best pure strategy in most games",
            "ours, of BMV96 section 5.3",
            everywhere(Quality.right, 0.5),
            "what its strategy is sure of is the max-min value of pure strategies in more than half of the games of "
            "each size",
        ),
        Claim(
            "Its strategy is nearer to the best pure one than to one drawn at random",
            "ours, of BMV96 section 5.3",
            everywhere(Quality.better_than_half),
            "the same games: what it is sure of falls short of the best by less than half of what a random pure "
            "strategy does, at each size",
        ),
        Claim(
            "Where there is a pure equilibrium, IMP-minimax finds one in most games",
            "ours, of BMV96 section 5.3",
            everywhere(Quality.reached, 0.5),
            "its profile is an equilibrium in more than half of the games that have one, at each size searched for "
            "equilibria",
        ),
    ),
    settings={
        "smoke": _two_players(5, _SMALL[:1]),
        "laptop": _two_players(50, _SMALL),
        "paper": _two_players(50, (*_SMALL, (3, 3, 2, False))) + _two_players(20, ((2, 2, 4, False), (3, 2, 3, False))),
    },
    seeds={"smoke": 1, "laptop": 4, "paper": 30},
    measure=measure_two_players,
    unit="games",
    contests=CONTESTS,
    summary=quality_table,
    plot=quality_picture,
)


def _forgetting(games: int, sizes: Iterable[tuple[int, int, int]]) -> tuple[Setting, ...]:
    return tuple(Setting(k=k, b=b, d=d, forgets=forgets, games=games) for k, b, d in sizes for forgets in FORGETS)


FORGETTING = Experiment(
    id="bmv96/forgetting",
    title="What IMP-minimax is worth to a player who forgets",
    source="BMV96 section 5.2: exact with perfect recall; here the IMP-model, whose player forgets what he did, what "
    "he knew, or both",
    claims=(
        Claim(
            "IMP-minimax loses nothing if nothing is forgotten",
            "BMV96 section 5.2",
            loses_nothing,
            "no game without forgetting has a better pure strategy",
        ),
        Claim(
            "Who forgets believes in more than he gets",
            "BMV96 section 2.2",
            everywhere(Quality.excess, forgetful=True),
            "what is believed less what is got, on average, is above 0 for each kind of forgetting",
        ),
        Claim(
            "Whatever is forgotten, its strategy is nearer to the best pure one than to one drawn at random",
            "ours",
            everywhere(Quality.better_than_half, forgetful=True),
            "the same games: it loses less than half of what a random pure strategy loses, for each kind of forgetting",
        ),
    ),
    settings={
        "smoke": _forgetting(3, ((2, 2, 4),)),
        "laptop": _forgetting(25, ((2, 2, 4),)),
        "paper": _forgetting(50, ((2, 2, 4),)) + _forgetting(20, ((2, 3, 4),)),
    },
    seeds={"smoke": 1, "laptop": 4, "paper": 10},
    measure=measure_forgetting,
    unit="games",
    contests=CONTESTS,
    summary=quality_table,
    plot=quality_picture,
)
