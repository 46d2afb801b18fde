"""What moves the result: choices that PNS06 leaves open, or makes otherwise than we would, one changed at a time,
and at last three at once.

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
from worldwise.lab.experiment import Claim, Experiment, Verdict
from worldwise.lab.papers.pns06.claims import A_LITTLE, LITTLE, OVERCONFIDENT, PARANOID, SHORT, any_of, beside, gains
from worldwise.lab.papers.pns06.games import CHESS, measure_game, number_games
from worldwise.lab.papers.pns06.overconfidence import cell, duel, quick, score_table
from worldwise.lab.papers.pns06.pictures import utility_bars
from worldwise.runs.rows import Setting

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from worldwise.core.statistics import Estimate
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


def moves_the_result(change: str) -> Judge:
    """Whether a choice moves the EU of anybody; it fails if it can move none by more than a little."""

    def verdict(rows: Rows, confidence: float = CONFIDENCE) -> Verdict:
        checks = gains(beside(rows, "change", change, NOTHING, NAMES), _has_moved, confidence)
        return any_of(checks, _has_moved, "; ".join(map(str, checks)) or "not measured")

    return verdict


def _has_moved(gain: Estimate) -> bool | None:
    if gain.low > 0 or gain.high < 0:
        return True
    return False if gain.low >= -LITTLE and gain.high <= LITTLE else None


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

_TEST = f"EU with the change less EU without: holds if one cell is not 0, fails if all are within {A_LITTLE}"

CHOICES = Experiment(
    id="pns06/choices",
    title="What moves the result: mates, draws, the umpire's words, the evaluation, and the boards",
    source="ours: PNS06 Fig 2 at depth 2 and Fig 5 at depth 3, 30 seconds, one choice changed at a time, then three",
    claims=(
        Claim("Guaranteed mates move the result", "ours", moves_the_result("guaranteed mates"), _TEST),
        Claim("The draws of chess move the result", "ours", moves_the_result("chess's draws"), _TEST),
        Claim("What the umpire says moves the result", "ours", moves_the_result("the umpire's words"), _TEST),
        Claim("What KS adds to material moves the result", "ours", moves_the_result("material alone"), _TEST),
        Claim("A sampler whose boards run out moves the result", "ours", moves_the_result("boards run out"), _TEST),
        Claim("Few boards after a refused try move the result", "ours", moves_the_result("few after refusals"), _TEST),
        Claim(
            "The umpire's words, boards that run out and few of them after refusals together move the result",
            "ours",
            moves_the_result("words, boards, refusals"),
            _TEST,
        ),
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
