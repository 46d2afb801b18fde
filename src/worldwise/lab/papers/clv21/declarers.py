"""CLV21 Table 4: alpha-mu and PIMC play the same deals; and beyond the paper, contracts in which tricks may be lost.

The rows with WBridge5, a closed program, cannot be measured again.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from worldwise.lab.experiment import Claim, Experiment
from worldwise.lab.papers.clv21 import claims
from worldwise.lab.papers.clv21.claims import declarers_of, on_deals
from worldwise.lab.papers.clv21.duels import duel_picture, duel_table
from worldwise.lab.papers.clv21.games import PLAYERS, numbers, papers_declarer, start_of
from worldwise.lab.papers.clv21.newcomers import GAIN, MORE, duel_contests
from worldwise.lab.papers.clv21.playouts import PlayOut
from worldwise.lab.table import NOTHING, DataTable, published_numbers, side_by_side, summary_alone
from worldwise.runs.rows import Setting

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from worldwise.bridge.players.seats import AnyPlayer
    from worldwise.runs.rows import Row


DEPTHS = (2, 3)
"""M of the declarers that are set against PIMC: the paper does not say which M its Table 4 is for."""


def measure_together(setting: Setting, seed: int, defence: AnyPlayer | None = None) -> Row:
    """One deal, played by every declarer of the setting's ``depths`` and ``worlds``, with the same chances.

    The defenders are those of the setting, if nobody brings others.

    ``made`` has a 1 or a 0 for each declarer, and ``parted``, for each number of worlds, how many cards had been played
    when two of its declarers first chose differently, or a dash. A row is short, because thousands of them are kept.
    """
    depths, samples = numbers(setting, "depths"), numbers(setting, "worlds")
    deal = PlayOut(start_of(setting, seed), defence or PLAYERS[str(setting["defence"])], seed, max(samples))
    joint = [deal.play_together([papers_declarer(worlds, depth) for depth in depths]) for worlds in samples]
    made = {player: outcome for one in joint for player, outcome in one.made.items()}
    return {
        "made": "".join(str(int(made[papers_declarer(name.worlds, name.depth)])) for name in declarers_of(setting)),
        "parted": " ".join("-" if one.parted is None else str(one.parted) for one in joint),
    }


# ---------------------------------------------------------------------- Table 4


def _compare(summary: DataTable, published: DataTable) -> DataTable:
    return side_by_side(summary, published, ("depth", "versus", "defence"), "winrate")


PAPER_DEALS = 10_000


def _published(defence: str) -> DataTable:
    """The paper's row for a defence, once for each M: it may be meant for either."""
    table = published_numbers("worldwise.lab.published", "clv21-table-4.csv")
    rows = [row for row, one in zip(table.rows, table.column("defence"), strict=True) if one == defence]
    return DataTable(("depth", *table.columns), tuple((depth, *row) for depth in DEPTHS for row in rows))


def _duels(
    name: str,
    title: str,
    source: str,
    contracts: Mapping[str, Sequence[str]],
    defence: str,
    deals: int,
    judged: Sequence[Claim],
    published: DataTable = NOTHING,
) -> Experiment:
    """PIMC and alpha-mu, as many moves ahead as is listed for a contract, with 20 worlds on so many deals of each."""
    pairs = [(contract, ahead) for contract, all_ahead in contracts.items() for ahead in all_ahead]
    settings = [Setting(contract=contract, depths=ahead, worlds="20", defence=defence) for contract, ahead in pairs]
    depths = dict.fromkeys(ahead for _, ahead in pairs)
    tiny = [Setting(contract="3NT", cards=20, depths=ahead, worlds="4", defence=defence) for ahead in depths]
    total = deals * len(settings)
    against = {"dds": "double dummy", "pimc": "PIMC"}[defence]
    return Experiment(
        id=f"clv21/{name}",
        title=f"alpha-mu and PIMC on the same deals {title} against {against}",
        source=f"{source}; ours {total:,} deals, fixed beforehand, 20 worlds",
        claims=tuple(replace(claim, verdict=on_deals(total, claim.verdict)) for claim in judged),
        settings={"smoke": tuple(tiny), "laptop": tuple(settings), "paper": tuple(settings)},
        seeds={"smoke": 3, "laptop": 200 // len(settings), "paper": deals},
        measure=measure_together,
        unit="deals",
        summary=duel_table,
        plot=partial(duel_picture, published),
        published=published,
        compare=_compare if published.rows else summary_alone,
        revision=2,
        contests=duel_contests(published),
    )


TOGETHER, FURTHER = "1 2 3", "1 3 7"
"""Who plays together: M of the paper's declarers, and of ours that looks further."""

NO_MORE = f"{GAIN}: holds wholly below 1 in 100, fails above 0"


def _papers_duels(name: str, defence: str, words: str, deals: int) -> Experiment:
    """One of the rows of Table 4."""
    published = _published(defence)
    differ = int(str(published.records()[0]["differ"]))
    same = (
        "our share less the paper's, both samples: holds within 1 deal in 100 either way, "
        "fails if it leaves out 0 and is not"
    )
    share, table = f"{100 * differ / PAPER_DEALS:.2f} %", "CLV21 Table 4"
    judged = [
        Claim(f"alpha-mu with M = {depth} beats PIMC against {words}", table, claims.makes_more(depth), MORE)
        for depth in DEPTHS
    ]
    for depth in DEPTHS:
        as_often = claims.differs_as_often(depth, differ, PAPER_DEALS)
        judged.append(Claim(f"{share} of deals differ, with M = {depth}", table, as_often, same))
    no_better = f"Against {words} going from M = 2 to 3 does not improve the results"
    judged.append(Claim(no_better, "CLV21, on Fig 6", claims.makes_no_more(3, 2), NO_MORE))
    source = f"{table}: {PAPER_DEALS:,} deals at 7NT"
    return _duels(name, "at 7NT", source, {"7NT": [TOGETHER]}, defence, deals, judged, published)


_POOLED = "over the deals of all contracts"

TABLE_4 = _papers_duels("table-4", "dds", "a double-dummy defence", deals=4000)
TABLE_4_PIMC = _papers_duels("table-4-pimc", "pimc", "a PIMC defence", deals=11_000)

CONTRACTS = _duels(
    "contracts",
    "at 3NT, 4S and 6NT",
    "ours",
    {"3NT": [TOGETHER, FURTHER], "4S": [TOGETHER], "6NT": [TOGETHER]},
    "dds",
    1000,
    (
        Claim(
            "alpha-mu with M = 3 makes more contracts than PIMC where tricks may be lost",
            "ours",
            claims.makes_more(3),
            f"{MORE}; {_POOLED}",
        ),
        Claim(
            "Where tricks may be lost, going from M = 2 to 3 does not improve the results",
            "CLV21, on Fig 6 at 7NT",
            claims.makes_no_more(3, 2),
            f"{NO_MORE}; {_POOLED} that both play",
        ),
        Claim(
            "alpha-mu with M = 7 makes more contracts than PIMC at 3NT",
            "ours",
            claims.makes_more(7, contract="3NT"),
            MORE,
        ),
    ),
)

CONTRACTS_PIMC = _duels(
    "contracts-pimc",
    "at 3NT, 4S and 6NT",
    "ours",
    {"3NT": [FURTHER], "4S": [TOGETHER], "6NT": [TOGETHER]},
    "pimc",
    500,
    (
        Claim(
            "Against a PIMC defence alpha-mu with M = 3 makes more contracts than PIMC where tricks may be lost",
            "ours",
            claims.makes_more(3),
            f"{MORE}; {_POOLED}",
        ),
    ),
)

DUELS = (TABLE_4, TABLE_4_PIMC, CONTRACTS, CONTRACTS_PIMC)
