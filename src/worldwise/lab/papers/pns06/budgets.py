"""Beyond PNS06: ten and a hundred times its boards a move. Was it the sample that held depth and caution back?

The paper could not tell: depth three, it says, either samples too few boards or models its opponent wrongly. A player
carries at most ``LARGEST_POOL`` boards from move to move, so where a belief is large, a hundred times the boards of
depth 1 are many replies to fewer boards.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, cast

from worldwise.core.statistics import CONFIDENCE
from worldwise.lab.comparisons import above, all_of
from worldwise.lab.experiment import Claim, Experiment, Verdict
from worldwise.lab.papers.pns06.claims import (
    A_LITTLE,
    DEPTHS,
    FEW_GAMES,
    HELPS,
    HELPS_NOT,
    HOLDS_IF_MORE,
    LITTLE,
    ON_AVERAGE,
    OVERCONFIDENT,
    PARANOID,
    SHORT,
    USUALLY,
    ScorePair,
    beside,
    cells,
    gains,
    gains_little,
    helps,
    only,
    overall_gain,
    overall_utility,
)
from worldwise.lab.papers.pns06.games import SAMPLES, measure_game, number_games
from worldwise.lab.papers.pns06.overconfidence import duel, quick, score_table
from worldwise.lab.papers.pns06.pictures import utility_bars
from worldwise.lab.papers.pns06.scores import Score, group_rows
from worldwise.runs.rows import Setting

if TYPE_CHECKING:
    from worldwise.lab.experiment import Judge
    from worldwise.lab.papers.pns06.scores import Key
    from worldwise.runs.rows import Row, Rows

NAMES = ("player", "against", "depth", "times")

ONE_BUDGET = "one budget measured"


# ---------------------------------------------------------------------- claims


def more_boards_help(rows: Rows, confidence: float = CONFIDENCE) -> Verdict:
    """Whether overconfident play at depths 2 and 3 has more EU against rand with most boards than with least."""
    pairs = _most_beside_least(only(rows, player=OVERCONFIDENT, against="rand", depth=(2, 3)))
    return all_of(overall_gain(pairs, helps, confidence), ONE_BUDGET)


def more_boards_do_not_help(rows: Rows, confidence: float = CONFIDENCE) -> Verdict:
    """Whether paranoid play has no more EU against rand with the most boards than with the least, within a little."""
    pairs = _most_beside_least(only(rows, player=PARANOID, against="rand"))
    return all_of(overall_gain(pairs, gains_little, confidence), ONE_BUDGET)


def _most_beside_least(rows: Rows) -> list[ScorePair]:
    """For each depth that has several budgets, of those with games enough to conclude from, if there are."""
    pairs = list[ScorePair]()
    for games in group_rows(rows, "depth").values():
        counts = Counter(map(_times, games))
        times = [time for time, count in counts.items() if count >= FEW_GAMES] or list(counts)
        least, most = min(counts), max(times)
        pairs += beside(games, "times", most, least, NAMES) if most > least else []
    return pairs


def _times(row: Row) -> int:
    return cast("int", row["times"])


def three_catches_up(rows: Rows, confidence: float = CONFIDENCE) -> Verdict:
    """Whether depth 3 with more boards has no less EU than depth 2 with the paper's, within a little."""
    games = only(rows, player=OVERCONFIDENT, against="rand")
    two, three = only(games, depth=2, times=1), _with_more(only(games, depth=3))
    if not two or not three:
        return Verdict.of(None, "not measured")
    pair = ScorePair("depth 3 with more boards less depth 2", Score.of(three), Score.of(two))
    return all_of(gains([pair], lambda gain: above(gain, -LITTLE), confidence), "")


def beats_paranoid(*depths: int) -> Judge:
    """Whether overconfident play, both with more than the paper's boards, wins more than it loses at these depths."""

    def verdict(rows: Rows, confidence: float = CONFIDENCE) -> Verdict:
        games = _with_more(only(rows, against=PARANOID, depth=depths))
        return all_of(overall_utility(cells(games, ("depth",)), helps, confidence), ONE_BUDGET)

    return verdict


def _with_more(rows: Rows) -> list[Row]:
    return [row for row in rows if _times(row) > 1]


# ---------------------------------------------------------------------- the experiment


def _against_rand(player: str, depth: int, times: int) -> Setting:
    boards = times * SAMPLES[depth, SHORT]
    return Setting(player=player, depth=depth, boards=boards, times=times, against="rand")


def _budget(times: int, *depths: int) -> list[Setting]:
    """The cells of a budget: both players against rand, and against each other."""
    alone = [_against_rand(player, depth, times) for player in (OVERCONFIDENT, PARANOID) for depth in depths]
    return alone + [_head_to_head(depth, times) for depth in depths]


def _head_to_head(depth: int, times: int) -> Setting:
    return Setting(**duel(depth, depth, times), times=times)


def _label(key: Key) -> str:
    player, against, depth, times = key
    return f"{player} {depth} against {against}, {times} x"


BUDGETS = Experiment(
    id="pns06/budgets",
    title="Ten and a hundred times the boards of PNS06",
    source="ours: PNS06 Figs 2 and 5, 30 seconds, with 1, 10 and 100 times the boards of its Fig 4",
    claims=(
        Claim(
            "More boards help overconfident play at depths 2 and 3",
            "PNS06, results, carried on",
            more_boards_help,
            f"against rand, most boards and least, {ON_AVERAGE}: {HELPS}",
        ),
        Claim(
            "More boards do not help paranoid play",
            "PNS06, results, carried on",
            more_boards_do_not_help,
            f"against rand, most boards and least, {ON_AVERAGE}: {HELPS_NOT}",
        ),
        Claim(
            "With more boards depth 3 is as good as depth 2",
            "PNS06, conclusion, carried on",
            three_catches_up,
            f"EU of depth 3 with more boards less EU of depth 2: holds above minus {A_LITTLE}",
        ),
        Claim(
            "With more boards overconfident play beats paranoid play at depths 1 and 2",
            "ours",
            beats_paranoid(1, 2),
            f"EU of overconfident play, ten and a hundred times the boards together, {USUALLY}",
        ),
        Claim(
            "With more boards overconfident play beats paranoid play at depth 3",
            "ours",
            beats_paranoid(3),
            f"EU of overconfident play, ten and a hundred times the boards together: {HOLDS_IF_MORE}",
        ),
    ),
    settings={
        "smoke": number_games(
            [quick(player=OVERCONFIDENT, against="rand", boards=times, times=times) for times in (1, 10)], games=1
        ),
        "laptop": number_games(_budget(1, 2) + _budget(10, 2), games=20)
        + number_games(_budget(1, 1, 3) + _budget(10, 1, 3) + _budget(100, 1, 2), games=10)
        + number_games([_head_to_head(3, 1), _head_to_head(3, 10)], games=10, first=11)
        + number_games(_budget(100, 3), games=2)
        + number_games([_against_rand(OVERCONFIDENT, depth, 1) for depth in (2, 3)], games=40, first=21),
        "paper": number_games(_budget(1, *DEPTHS) + _budget(10, *DEPTHS) + _budget(100, 1, 2), games=500)
        + number_games(_budget(100, 3), games=20),
    },
    seeds={"smoke": 1, "laptop": 1, "paper": 1},
    measure=measure_game,
    unit="games",
    counter="game",
    summary=score_table(*NAMES),
    plot=utility_bars(NAMES, _label),
    revision=2,
)
