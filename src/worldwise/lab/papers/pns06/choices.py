"""What turns the result: choices that PNS06 leaves open, or makes otherwise than we would, one changed at a time,
and at last three at once. In the paper overconfident play is ahead at depth 3, with us it is far behind: which choice
puts it ahead?

Depth 2 against rand is where the paper's players do best, and depth 3 against each other is where ours differ most
from them. Guaranteed mates are off in the reproduction and on in our own strength. The paper's draws end a game after
160 plies or 50 quiet ones, chess's after fifty moves or the third repetition. The paper's umpire was its authors' own;
``umd`` says less of captures and checks than ``wild16`` and nothing of pawns, and refusals are heard. An evaluation
that counts pieces alone, a sampler that cannot fill up its boards again, and few boards after a refused try are what
the paper's programs may have had, as far as its text tells.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from worldwise.core.statistics import CONFIDENCE
from worldwise.lab.comparisons import all_of
from worldwise.lab.experiment import Claim, Experiment, Verdict
from worldwise.lab.papers.pns06.claims import (
    HOLDS_IF_MORE,
    OVERCONFIDENT,
    PARANOID,
    SHORT,
    cells,
    helps,
    only,
    utilities,
)
from worldwise.lab.papers.pns06.games import CHESS, measure_game, number_games
from worldwise.lab.papers.pns06.overconfidence import cell, duel, quick, score_table
from worldwise.lab.papers.pns06.pictures import utility_bars
from worldwise.runs.rows import Setting

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from worldwise.lab.experiment import Judge
    from worldwise.lab.papers.pns06.scores import Key
    from worldwise.runs.rows import Rows

NAMES = ("player", "against", "depth", "change")

DEPTH, DUEL_DEPTH = 2, 3
"""Against rand, and against each other."""

NOTHING = "nothing"

CHANGES: Mapping[str, Mapping[str, Any]] = {
    "guaranteed mates": {"mates": "on"},
    "chess's draws": {"draws": CHESS},
    "the umpire's words": {"rules": "umd"},
    "material alone": {"leaf": "material"},
    "boards run out": {"refill": "off"},
    "few after refusals": {"again": 0.067},
    "words, boards, refusals": {"rules": "umd", "refill": "off", "again": 0.067},
}
"""What is changed, and how a setting says it; 0.067 of the boards is 2 seconds of 30. The last is three of the others
at once, as near to the paper's programs as we can guess."""

WITH = {
    "guaranteed mates": "with guaranteed mates",
    "chess's draws": "with the draws of chess",
    "the umpire's words": "by the rules of the authors' umpire",
    "material alone": "with an evaluation that counts pieces alone",
    "few after refusals": "with few boards after a refused try",
    "words, boards, refusals": "with their umpire, boards that run out and few of them after refusals together",
}
"""The same in a claim. Boards that run out have games of their own, and their claim there (``sampler``)."""


def puts_ahead(change: str) -> Judge:
    """Whether with a choice changed overconfident play wins more than it loses against paranoid play at depth 3."""

    def verdict(rows: Rows, confidence: float = CONFIDENCE) -> Verdict:
        found = cells(only(rows, against=PARANOID, change=change), ("change",))
        return all_of(utilities(found, helps, confidence), "not measured")

    return verdict


# ---------------------------------------------------------------------- the experiment


def _label(key: Key) -> str:
    player, against, depth, change = key
    return f"{player} {depth} against {against}: {'all as usual' if change == NOTHING else change}"


def _change_each(cells: Iterable[Setting], changes: Mapping[str, Mapping[str, Any]]) -> list[Setting]:
    """Each cell with nothing changed, and with each thing."""
    every = {NOTHING: {}, **changes}
    return [Setting(**one, change=name, **change) for one in cells for name, change in every.items()]


_PLAYERS = (OVERCONFIDENT, PARANOID)
_CELLS = [*(cell(player, DEPTH, SHORT, "rand") for player in _PLAYERS), duel(DUEL_DEPTH, DUEL_DEPTH)]
_QUICK = [quick(player=player, against="rand") for player in _PLAYERS]
_QUICK_CHANGES = {name: change for name, change in CHANGES.items() if "draws" not in change}

_TEST = f"EU of overconfident play against paranoid play, both at depth 3: {HOLDS_IF_MORE}"

CHOICES = Experiment(
    id="pns06/choices",
    title="What turns the result: mates, draws, the umpire's words, the evaluation, and the boards",
    source="ours: PNS06 Fig 2 at depth 2 and Fig 5 at depth 3, 30 seconds, one choice changed at a time, then three",
    claims=tuple(
        Claim(f"Overconfident play beats paranoid play at depth 3 {with_what}", "ours", puts_ahead(change), _TEST)
        for change, with_what in WITH.items()
    ),
    settings={
        "smoke": number_games(_change_each(_QUICK, _QUICK_CHANGES), games=1),
        "laptop": number_games(_change_each(_CELLS, CHANGES), games=12),
        "paper": number_games(_change_each(_CELLS, CHANGES), games=500),
    },
    seeds={"smoke": 1, "laptop": 1, "paper": 1},
    measure=measure_game,
    unit="games",
    counter="game",
    summary=score_table(*NAMES),
    plot=utility_bars(NAMES, _label),
    revision=2,
)
