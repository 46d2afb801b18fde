"""What moves the result: choices that PNS06 leaves open, or makes otherwise than we would, one changed at a time.

Guaranteed mates are off in the reproduction and on in our own strength. The paper's draws end a game after 160 plies
or 50 quiet ones, chess's after fifty moves or the third repetition. The umpire's rules are ``wild16`` here; the paper's
umpire was its authors' own. Under ``umd`` he says less of captures and checks and nothing of pawns, and refusals are
heard.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from worldwise.lab.experiment import Claim, Experiment, Setting, Verdict
from worldwise.lab.kriegspiel_claims import LITTLE, OVERCONFIDENT, PARANOID, SHORT, beside, gains
from worldwise.lab.kriegspiel_games import CHESS, PNS06, measure_game, numbered
from worldwise.lab.kriegspiel_overconfidence import cell, quick, score_table
from worldwise.lab.kriegspiel_pictures import utility_bars

if TYPE_CHECKING:
    from collections.abc import Callable

    from worldwise.core.statistics import Estimate
    from worldwise.lab.experiment import Rows
    from worldwise.lab.kriegspiel_scores import Key

NAMES = ("player", "rules", "draws", "mates")

DEPTH = 2
"""The depth that does best in the paper."""

USUAL = {"rules": "wild16", "draws": PNS06, "mates": "off"}
CHANGES = {"mates": "on", "draws": CHESS, "rules": "umd"}


def moves_the_result(name: str) -> Callable[[Rows], Verdict]:
    """Whether a choice moves the EU of either player; it fails if it can move neither by more than a little."""

    def verdict(rows: Rows) -> Verdict:
        checks = gains(beside(rows, name, CHANGES[name], USUAL[name], NAMES), _moved)
        words = "; ".join(map(str, checks)) or "not measured"
        truths = [check.truth for check in checks]
        return Verdict.of(True if True in truths else None if None in truths or not truths else False, words)

    return verdict


def _moved(gain: Estimate) -> bool | None:
    if gain.low > 0 or gain.high < 0:
        return True
    return False if gain.low >= -LITTLE and gain.high <= LITTLE else None


# ---------------------------------------------------------------------- the experiment


def _label(key: Key) -> str:
    player, rules, draws, mates = key
    return f"{player} {DEPTH}: {rules}, draws of {draws}, mates {mates}"


def _choices(like: Callable[[str], Setting]) -> list[Setting]:
    """Both players with everything as usual, and with each thing changed."""
    all_choices = [USUAL, *({**USUAL, name: value} for name, value in CHANGES.items())]
    return [Setting(**like(player), **choice) for player in (OVERCONFIDENT, PARANOID) for choice in all_choices]


def _papers(player: str) -> Setting:
    return cell(player, DEPTH, SHORT, "rand")


def _quick(player: str) -> Setting:
    return quick(player=player, against="rand")


CHOICES = Experiment(
    id="pns06/choices",
    title="What moves the result against rand: mates, draws, and the umpire's words",
    source="ours: PNS06 Fig 2 at depth 2, 30 seconds, with one choice changed at a time",
    claims=(
        Claim("Guaranteed mates move the result", "ours", moves_the_result("mates")),
        Claim("The draws of chess move the result", "ours", moves_the_result("draws")),
        Claim("What the umpire says moves the result", "ours", moves_the_result("rules")),
    ),
    settings={
        "smoke": numbered([one for one in _choices(_quick) if one["draws"] == PNS06][:3], games=1),
        "laptop": numbered(_choices(_papers), games=20),
        "paper": numbered(_choices(_papers), games=500),
    },
    seeds={"smoke": 1, "laptop": 1, "paper": 1},
    measure=measure_game,
    summary=score_table(*NAMES),
    plot=utility_bars(NAMES, _label),
)
