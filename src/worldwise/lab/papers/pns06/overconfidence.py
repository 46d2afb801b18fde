"""PNS06 Figs 2, 3 and 5: overconfident and paranoid play against rand, against HS, and against each other.

The paper gives each move 30 or 90 seconds; here a move has the boards that the paper's programs had time for
(Fig 4), so the columns keep its names. The evaluation's weights, the sampler and HS's parameters are ours.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from worldwise.core.statistics import Estimate, mean
from worldwise.lab.experiment import Claim, Experiment
from worldwise.lab.papers.pns06 import claims
from worldwise.lab.papers.pns06.claims import CELL, DEPTHS, LONG, OVERCONFIDENT, PARANOID, SHORT
from worldwise.lab.papers.pns06.games import SAMPLES, measure_game, number_games
from worldwise.lab.papers.pns06.newcomers import CONTESTS
from worldwise.lab.papers.pns06.pictures import utility_bars
from worldwise.lab.papers.pns06.scores import Score, column, group_rows
from worldwise.lab.table import DataTable, published_numbers, side_by_side, table_of
from worldwise.runs.rows import Setting

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from worldwise.lab.papers.pns06.scores import Key
    from worldwise.lab.table import Cell
    from worldwise.runs.rows import Rows

CAPTION = "games won and lost, expected utility (wins less losses by games), and how long games were, in plies"


def score_table(*names: str) -> Callable[[Rows], DataTable]:
    """A table with a row for every cell, which these names of settings tell apart."""

    def summary(rows: Rows) -> DataTable:
        cells = group_rows(rows, *names)
        return table_of(
            (
                {
                    **dict(zip(names, key, strict=True)),
                    "games": len(games),
                    "won": (score := Score.of(games)).won(),
                    "lost": score.lost(),
                    "EU": score.utility(),
                    "plies": mean(column(games, "plies")).value,
                }
                for key, games in cells.items()
            ),
            CAPTION,
        )

    return summary


def beside_the_papers(*names: str) -> Callable[[DataTable, DataTable], DataTable]:
    """A comparison of EU, with the wins and losses of both, in whole percent, in its notes."""

    def compare(summary: DataTable, published: DataTable) -> DataTable:
        ours = {tuple(record[name] for name in names): record for record in summary.records()}
        keys = [tuple(record[name] for name in names) for record in published.records()]
        notes = [
            f"w-l {_score(record, 'w', 'l')}" + (f", ours {_score(ours[key], 'won', 'lost')}" if key in ours else "")
            for key, record in zip(keys, published.records(), strict=True)
        ]
        noted = zip(published.records(), notes, strict=True)
        return side_by_side(summary, table_of({**record, "note": note} for record, note in noted), names, "EU")

    return compare


def _score(record: Mapping[str, Cell], won: str, lost: str) -> str:
    cells = [record.get(name) for name in (won, lost)]
    rates = [cell.value if isinstance(cell, Estimate) else cell for cell in cells]
    return "-".join("?" if rate is None else f"{100 * cast('float', rate):.0f}" for rate in rates)


def _label(key: Key) -> str:
    player, depth, seconds = key
    return f"{player} {depth}, {seconds} s" if depth else str(player)


# ---------------------------------------------------------------------- settings


def cell(player: str, depth: int, seconds: int, against: str) -> Setting:
    """A player of the paper with its sample size, against somebody who has no depth."""
    return Setting(player=player, depth=depth, seconds=seconds, boards=SAMPLES[depth, seconds], against=against)


def _columns(against: str, *seconds: int) -> tuple[Setting, ...]:
    return tuple(
        cell(player, depth, column, against)
        for column in seconds
        for player in (OVERCONFIDENT, PARANOID)
        for depth in DEPTHS
    )


def quick(**setting: str | float) -> Setting:
    """A cell for tests: few boards, few plies."""
    return Setting(**{"depth": 1, "seconds": SHORT, "boards": 10, "ply_limit": 8, **setting})


_RAND = Setting(player="rand", depth=0, seconds=0, against="rand")


# ---------------------------------------------------------------------- Fig 2

FIG_2_PUBLISHED = published_numbers("worldwise.lab.published", "pns06-fig-2.csv")

FIG_2 = Experiment(
    id="pns06/fig-2",
    title="Overconfident and paranoid play against rand",
    source="PNS06 Fig 2: 500 games a cell, 30 and 90 seconds a move; ours the boards of Fig 4 a move",
    claims=(
        Claim(
            "Against rand overconfident play does better at each depth",
            "PNS06 Fig 2",
            claims.better_at_each_depth,
            f"overconfident and paranoid, at each depth: {claims.MORE_EU}",
        ),
        Claim(
            "Overconfident play at depth 2 wins about 50 % of games against rand and loses about 1 %",
            "PNS06 Fig 2, 30 seconds",
            claims.about(OVERCONFIDENT, 2, 0.50, 0.01),
            claims.ABOUT_RATE,
        ),
        Claim(
            "Paranoid play at depth 2 wins about 29 % of games against rand and loses about 3 %",
            "PNS06 Fig 2, 30 seconds",
            claims.about(PARANOID, 2, 0.29, 0.03),
            claims.ABOUT_RATE,
        ),
        Claim(
            "Depth 2 helps overconfident play little",
            "PNS06 Fig 2, conclusion",
            claims.depth_helps_little,
            f"depth 2 and depth 1, whatever the time: {claims.HELPS_NOT}",
        ),
        Claim(
            "Going from depth 2 to 3 makes play worse",
            "PNS06 Fig 2, conclusion",
            claims.three_is_worse_than_two,
            f"depth 2 and depth 3, both players: {claims.MORE_EU}",
        ),
        Claim(
            "At depth 1 more time does not help",
            "PNS06, results",
            claims.depth_one_needs_no_time,
            f"90 seconds and 30, {claims.ON_AVERAGE}: {claims.HELPS_NOT}",
        ),
        Claim(
            "At depths 2 and 3 more time helps overconfident play",
            "PNS06, results",
            claims.more_time_helps(2, 3),
            f"90 seconds and 30, {claims.ON_AVERAGE}: {claims.HELPS}",
        ),
        Claim(
            "More time does not help paranoid play",
            "PNS06, results",
            claims.more_time_does_not_help,
            f"90 seconds and 30, {claims.ON_AVERAGE}: {claims.HELPS_NOT}",
        ),
    ),
    settings={
        "smoke": number_games(
            [quick(player=OVERCONFIDENT, against="rand"), quick(player=PARANOID, against="rand"), _RAND], games=2
        ),
        "laptop": number_games([*_columns("rand", SHORT), _RAND], games=100)
        + number_games(_columns("rand", LONG), games=20),
        "paper": number_games([*_columns("rand", SHORT, LONG), _RAND], games=500),
    },
    seeds={"smoke": 1, "laptop": 1, "paper": 1},
    measure=measure_game,
    unit="games",
    counter="game",
    summary=score_table(*CELL),
    plot=utility_bars(CELL, _label, FIG_2_PUBLISHED),
    published=FIG_2_PUBLISHED,
    compare=beside_the_papers(*CELL),
    contests=CONTESTS,
)


# ---------------------------------------------------------------------- Fig 3

FIG_3_PUBLISHED = published_numbers("worldwise.lab.published", "pns06-fig-3.csv")

FIG_3 = Experiment(
    id="pns06/fig-3",
    title="Overconfident and paranoid play against HS",
    source="PNS06 Fig 3: 500 games a cell, 30 and 90 seconds a move; ours the boards of Fig 4, and an HS of ours",
    claims=(
        Claim(
            "Against HS overconfident play usually does better",
            "PNS06, abstract",
            claims.usually_better,
            f"EU of overconfident less EU of paranoid play, whatever the time, {claims.USUALLY}",
        ),
        Claim(
            "Overconfident play beats HS at depths 1 and 2",
            "PNS06 Fig 3",
            claims.overconfident_beats,
            "EU of overconfident play at each depth and time: holds above 0, fails below",
        ),
        Claim(
            "Both usually beat HS",
            "PNS06, conclusion",
            claims.both_usually_beat,
            f"EU of each player {claims.USUALLY}",
        ),
        Claim(
            "The deeper overconfident play looks, the worse against HS",
            "PNS06, results",
            claims.worse_with_depth,
            "EU of depth 1 less EU of depth 3: holds above 0; fails if a step from depth to depth is clearly upwards",
        ),
        Claim(
            "More time does not help paranoid play",
            "PNS06, results",
            claims.more_time_does_not_help,
            f"90 seconds and 30, {claims.ON_AVERAGE}: {claims.HELPS_NOT}",
        ),
    ),
    settings={
        "smoke": number_games([quick(player=player, against="HS") for player in (OVERCONFIDENT, PARANOID)], games=2),
        "laptop": number_games(_columns("HS", SHORT), games=100) + number_games(_columns("HS", LONG), games=20),
        "paper": number_games(_columns("HS", SHORT, LONG), games=500),
    },
    seeds={"smoke": 1, "laptop": 1, "paper": 1},
    measure=measure_game,
    unit="games",
    counter="game",
    summary=score_table(*CELL),
    plot=utility_bars(CELL, _label, FIG_3_PUBLISHED),
    published=FIG_3_PUBLISHED,
    compare=beside_the_papers(*CELL),
    revision=2,
    contests=CONTESTS,
)


# ---------------------------------------------------------------------- Fig 5

FIG_5_PUBLISHED = published_numbers("worldwise.lab.published", "pns06-fig-5.csv")

DUEL = ("player", "depth", "against_depth")


def duel(depth: int, other: int, times: int = 1) -> Setting:
    """Overconfident play of one depth against paranoid play of another, with so many times the 30-second boards."""
    return Setting(
        player=OVERCONFIDENT,
        depth=depth,
        boards=times * SAMPLES[depth, SHORT],
        against=PARANOID,
        against_depth=other,
        against_boards=times * SAMPLES[other, SHORT],
    )


def _duel_label(key: Key) -> str:
    player = f"{key[0]} {key[1]}" if key[1] else str(key[0])
    return f"{player}, paranoid {key[2]}"


_DIAGONAL = [duel(depth, depth) for depth in DEPTHS]
_OFF_DIAGONAL = [duel(depth, other) for other in DEPTHS for depth in DEPTHS if depth != other]

FIG_5 = Experiment(
    id="pns06/fig-5",
    title="Overconfident against paranoid play",
    source="PNS06 Fig 5: 500 games a cell, 30 seconds a move; ours the boards of Fig 4 a move",
    claims=(
        Claim(
            "Head to head overconfident play usually beats paranoid play",
            "PNS06",
            claims.usually_beats_paranoid,
            f"EU of overconfident play {claims.USUALLY}",
        ),
        Claim(
            "Depth 2 does best against paranoid play",
            "PNS06, results",
            claims.two_does_best,
            f"depth 2 and each other depth, {claims.ON_AVERAGE}: {claims.MORE_EU}",
        ),
    ),
    settings={
        "smoke": number_games(
            [quick(player=OVERCONFIDENT, against=PARANOID, against_depth=1, against_boards=10)], games=2
        ),
        "laptop": number_games(_DIAGONAL, games=100) + number_games(_OFF_DIAGONAL, games=20),
        "paper": number_games([*_DIAGONAL, *_OFF_DIAGONAL], games=500),
    },
    seeds={"smoke": 1, "laptop": 1, "paper": 1},
    measure=measure_game,
    unit="games",
    counter="game",
    summary=score_table(*DUEL),
    plot=utility_bars(DUEL, _duel_label, FIG_5_PUBLISHED),
    published=FIG_5_PUBLISHED,
    compare=beside_the_papers(*DUEL),
    contests={"algorithm": CONTESTS["algorithm"]},
)
