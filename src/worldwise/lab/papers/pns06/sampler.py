"""PNS06's Figs 2 and 5 once more, by players whose boards run out.

Our sampler never loses a possibility for good; the paper does not say that its programs' did not, and HS, by the same
authors, is known for a pool that dwindles and for boards that explain the last message alone. With such a pool the same
players, evaluation and umpire may come nearer to the paper's numbers, or not.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from worldwise.core.statistics import CONFIDENCE
from worldwise.lab.experiment import Claim, Experiment
from worldwise.lab.papers.pns06 import claims
from worldwise.lab.papers.pns06.claims import DEPTHS, ENOUGH_GAMES, OVERCONFIDENT, PARANOID, SHORT, only
from worldwise.lab.papers.pns06.games import measure_game, number_games
from worldwise.lab.papers.pns06.overconfidence import (
    FIG_2_PUBLISHED,
    FIG_5_PUBLISHED,
    beside_the_papers,
    cell,
    duel,
    quick,
    score_table,
)
from worldwise.lab.papers.pns06.pictures import utility_bars
from worldwise.lab.table import DataTable, table_of
from worldwise.runs.rows import Setting

if TYPE_CHECKING:
    from worldwise.lab.experiment import Judge, Verdict
    from worldwise.lab.papers.pns06.scores import Key
    from worldwise.runs.rows import Rows

NAMES = ("player", "against", "depth")

RUN_OUT = {"refill": "off"}
"""The option that makes boards run out."""

PRINTED_DEPTH = 2
"""The depth whose rates against rand are claims: it has games enough to say that they are about the paper's."""


def _published() -> DataTable:
    """Fig 2's column of 30 seconds, and the diagonal of Fig 5."""
    against_rand = [{**record, "against": "rand"} for record in FIG_2_PUBLISHED.records() if record["seconds"] == SHORT]
    duels = [record for record in FIG_5_PUBLISHED.records() if record["depth"] == record["against_depth"]]
    records = [*against_rand, *({**record, "against": PARANOID} for record in duels)]
    return table_of({name: record[name] for name in (*NAMES, "EU", "tolerance", "w", "l")} for record in records)


def against(opponent: str, judge: Judge) -> Judge:
    """What a judge says of the games against one opponent."""

    def verdict(rows: Rows, confidence: float = CONFIDENCE) -> Verdict:
        return judge(only(rows, against=opponent), confidence)

    return verdict


def _label(key: Key) -> str:
    player, opponent, depth = key
    return f"{player} {depth} against {opponent}"


_RAND = [cell(player, depth, SHORT, "rand") for player in (OVERCONFIDENT, PARANOID) for depth in DEPTHS]
_CELLS = [Setting(**one, **RUN_OUT) for one in [*_RAND, *(duel(depth, depth) for depth in DEPTHS)]]
_PRINTED = [one for one in _CELLS if one["depth"] == PRINTED_DEPTH and one["against"] == "rand"]
_PUBLISHED = _published()

SAMPLER = Experiment(
    id="pns06/sampler",
    title="Overconfident and paranoid play whose boards run out",
    source="PNS06 Fig 2, 30 seconds, and the diagonal of Fig 5; ours the boards of Fig 4 a move, from a pool as HS has",
    claims=(
        Claim(
            "Against rand overconfident play does better at each depth",
            "PNS06 Fig 2",
            against("rand", claims.better_at_each_depth),
            f"overconfident and paranoid, at each depth: {claims.MORE_EU}",
        ),
        Claim(
            "Overconfident play at depth 2 wins about 50 % of games against rand and loses about 1 %",
            "PNS06 Fig 2, 30 seconds",
            against("rand", claims.about(OVERCONFIDENT, 2, 0.50, 0.01)),
            claims.ABOUT_RATE,
        ),
        Claim(
            "Paranoid play at depth 2 wins about 29 % of games against rand and loses about 3 %",
            "PNS06 Fig 2, 30 seconds",
            against("rand", claims.about(PARANOID, 2, 0.29, 0.03)),
            claims.ABOUT_RATE,
        ),
        Claim(
            "Going from depth 2 to 3 makes play worse",
            "PNS06 Fig 2, conclusion",
            against("rand", claims.three_is_worse_than_two),
            f"depth 2 and depth 3, both players: {claims.MORE_EU}",
        ),
        Claim(
            "Head to head overconfident play usually beats paranoid play",
            "PNS06",
            against(PARANOID, claims.usually_beats_paranoid),
            f"EU of overconfident play {claims.USUALLY}",
        ),
        Claim(
            "Head to head overconfident play beats paranoid play at depth 3",
            "PNS06 Fig 5",
            against(PARANOID, claims.beats_at_depth(3)),
            f"EU of overconfident play: {claims.HOLDS_IF_MORE}",
        ),
    ),
    settings={
        "smoke": number_games([quick(player=OVERCONFIDENT, against="rand", **RUN_OUT)], games=2),
        "laptop": number_games(_PRINTED, games=ENOUGH_GAMES)
        + number_games([one for one in _CELLS if one not in _PRINTED], games=54),
        "paper": number_games(_CELLS, games=500),
    },
    seeds={"smoke": 1, "laptop": 1, "paper": 1},
    measure=measure_game,
    unit="games",
    counter="game",
    summary=score_table(*NAMES),
    plot=utility_bars(NAMES, _label, _PUBLISHED),
    published=_PUBLISHED,
    compare=beside_the_papers(*NAMES),
)
