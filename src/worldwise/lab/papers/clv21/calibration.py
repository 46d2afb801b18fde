"""Beyond CLV21: is our seventy percent seventy percent? Chances given to experts, against what became of them.

A forecast that is right for best play may be too hopeful at the table, because experts err too. So nothing here is a
promise of the search; it is how far its figures can be believed at a table of experts.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, cast

from worldwise.bridge.advice.calibration import FIFTHS
from worldwise.bridge.advice.review_record import CardVerdict
from worldwise.core.statistics import CONFIDENCE, clopper_pearson, mean
from worldwise.lab.comparisons import ClaimCheck, all_of, at_least, at_most, more, sure, within
from worldwise.lab.experiment import Claim, Experiment
from worldwise.lab.papers.clv21.table_chances import DUMMY, LATER, measure_ours, read_finals
from worldwise.lab.plotting import new_figure, styles
from worldwise.lab.table import DataTable, Share, table_of
from worldwise.runs.rows import grid

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from worldwise.core.statistics import Estimate
    from worldwise.lab.experiment import Verdict
    from worldwise.lab.table import Cell
    from worldwise.runs.rows import Row, Rows, Setting

FORECASTS = ("alphamu", "alphamu, no auction", "pimc", "pimc, no auction", "double dummy")
"""``alphamu`` is what ``advise`` says; ``double dummy`` sees no auction either."""

ADVISE, DEAF = FORECASTS[:2]

NEAR = 0.03
"""How far a fifth may be off."""

GOOD = 0.130
"""The Brier score to reach."""

# ---------------------------------------------------------------------- figures


def _asked(rows: Rows, moment: str | None = None, half: str | None = None) -> list[Row]:
    return [row for row in rows if row["asked"] and moment in (None, row["moment"]) and half in (None, row["half"])]


def _chance(row: Row, forecast: str) -> float:
    return float(cast("float", row[forecast]))


def _errors(rows: Rows, forecast: str) -> list[float]:
    return [(_chance(row, forecast) - bool(row["made"])) ** 2 for row in rows]


def _fifth_rows(rows: Rows, forecast: str, fifth: int) -> list[Row]:
    return [row for row in rows if min(FIFTHS - 1, int(FIFTHS * _chance(row, forecast))) == fifth]


def _said(rows: Rows, forecast: str) -> float:
    return sum(_chance(row, forecast) for row in rows) / len(rows)


def _made(rows: Rows, confidence: float = CONFIDENCE) -> Estimate:
    return clopper_pearson(sum(bool(row["made"]) for row in rows), len(rows), confidence)


def _less_said(rows: Rows, forecast: str, confidence: float) -> Estimate:
    """How much oftener contracts were made than was said."""
    made, said = _made(rows, confidence), _said(rows, forecast)
    return type(made)(made.value - said, made.low - said, made.high - said, made.count)


# ---------------------------------------------------------------------- tables


def chances_table(rows: Rows) -> DataTable:
    """For each moment and forecast: what was said and made, the Brier score, and by fifths of the chance."""
    return table_of(
        (
            _record(_asked(rows, moment), moment, forecast)
            for moment in (DUMMY, LATER)
            for forecast in FORECASTS
            if _asked(rows, moment)
        ),
        "chances given to experts, and what they made; in each fifth what was said on average, and what was made",
    )


def _record(rows: Rows, moment: str, forecast: str) -> dict[str, Cell]:
    return {
        "asked": "when dummy appears" if moment == DUMMY else moment,
        "forecast": forecast,
        "choices": len(rows),
        "said": Share(_said(rows, forecast)),
        "made": Share(_made(rows).value),
        "Brier": mean(_errors(rows, forecast)),
        **{f"{20 * fifth}-{20 * fifth + 20} %": _fifth_words(rows, forecast, fifth) for fifth in range(FIFTHS)},
    }


def _fifth_words(rows: Rows, forecast: str, fifth: int) -> str:
    inside = _fifth_rows(rows, forecast, fifth)
    if not inside:
        return ""
    made = _made(inside)
    bounds = f"{100 * made.low:.0f}-{100 * made.high:.0f}"
    return f"{100 * _said(inside, forecast):.0f}: {100 * made.value:.0f} ({bounds}) of {len(inside)}"


def chances_picture(rows: Rows) -> Figure:
    """What was made over what was said, a line for each forecast."""
    figure, panels = new_figure(9, 4, 2)
    for axes, moment, title in zip(panels, (DUMMY, LATER), ("when dummy appears", "later in the play"), strict=True):
        axes.plot([0, 100], [0, 100], color="#888888", linestyle=":", linewidth=0.8)
        for forecast, style in zip(FORECASTS, styles(), strict=False):
            bins = [_fifth_rows(_asked(rows, moment), forecast, fifth) for fifth in range(FIFTHS)]
            said = [100 * _said(one, forecast) for one in bins if one]
            made = [100 * _made(one).value for one in bins if one]
            axes.plot(said, made, label=forecast, **style)
        axes.set(title=title, xlabel="chance that was given (%)", ylabel="made (%)", xlim=(0, 100), ylim=(0, 100))
    panels[-1].legend(frameon=False, fontsize="small")
    return figure


# ---------------------------------------------------------------------- claims


def near_in_every_fifth(rows: Rows, confidence: float = CONFIDENCE) -> Verdict:
    """The share made is as said, in every fifth."""
    asked, each = _asked(rows, DUMMY, "judging"), sure(FIFTHS, confidence)
    bins = {fifth: _fifth_rows(asked, ADVISE, fifth) for fifth in range(FIFTHS)}
    checks = [
        ClaimCheck.of(
            f"{20 * fifth}-{20 * fifth + 20} %",
            _less_said(inside, ADVISE, each),
            lambda figure: within(figure, -NEAR, NEAR),
        )
        for fifth, inside in bins.items()
        if inside
    ]
    return all_of(checks, "not measured")


def good_score(rows: Rows, confidence: float = CONFIDENCE) -> Verdict:
    """The Brier score is as good as was hoped."""
    errors = _errors(_asked(rows, DUMMY, "judging"), ADVISE)
    checks = [_score_check("Brier score", mean(errors, confidence))] if errors else []
    return all_of(checks, "not measured")


def _score_check(what: str, score: Estimate) -> ClaimCheck:
    return ClaimCheck.of(f"{what} {score.value:.3f},", score, lambda figure: at_most(figure, GOOD))


def listening_helps(rows: Rows, confidence: float = CONFIDENCE) -> Verdict:
    """The score with the auction is better than without, choice by choice."""
    asked = _asked(rows, DUMMY, "judging")
    errors = zip(_errors(asked, DEAF), _errors(asked, ADVISE), strict=True)
    gains = [without - heard for without, heard in errors]
    checks = [ClaimCheck.of("lower by", mean(gains, confidence), more)] if gains else []
    return all_of(checks, "not measured")


def experts_play_well(rows: Rows, confidence: float = CONFIDENCE) -> Verdict:
    """Hardly any card of an expert's is called a mistake."""
    asked = _asked(rows)
    if not asked:
        return all_of([], "not measured")
    verdicts = Counter(str(row["verdict"]) for row in asked)
    fine = len(asked) - verdicts[CardVerdict.MISTAKE]
    rate = clopper_pearson(fine, len(asked), confidence)
    shares = {name: verdicts[name] / len(asked) for name in CardVerdict if verdicts[name]}
    told = ", ".join(f"{name} {share:.1%}" for name, share in shares.items())
    lost = {name: _lost(asked, name) for name in (CardVerdict.MISTAKE, CardVerdict.CLOSE)}
    costs = "; ".join(f"{name} {share:.2%} of a contract a choice" for name, share in lost.items())
    return all_of([ClaimCheck.of(f"{told}; lost by {costs}; no mistake", rate, lambda one: at_least(one, 0.9))], "")


def _lost(rows: Rows, verdict: CardVerdict) -> float:
    return sum(float(cast("float", row["cost"])) for row in rows if row["verdict"] == verdict) / len(rows)


def _settings(boards: str, numbers: int) -> tuple[Setting, ...]:
    return grid(boards=(boards,), number=tuple(range(numbers)), moment=(LATER, DUMMY))


_JUDGED = "when dummy appears, judging half of the events"

CALIBRATION = Experiment(
    id="beyond/calibration",
    title="Is our seventy percent seventy percent?",
    source="beyond CLV21: finals of world and national championships, both tables of every board",
    claims=(
        Claim(
            "What advise says of a contract is within three points in every fifth",
            "ours",
            near_in_every_fifth,
            f"{_JUDGED}: the share made less the chance said lies within 3 % in every fifth of the chance",
        ),
        Claim("Its Brier score is 0.130 or better", "ours", good_score, f"{_JUDGED}: the mean is at most 0.130"),
        Claim(
            "It is a better forecast with the auction than without",
            "ours",
            listening_helps,
            f"{_JUDGED}: the Brier score is lower, choice by choice",
        ),
        Claim(
            "Nine cards of ten that experts play are best, as good as any, or too close to call",
            "ours",
            experts_play_well,
            "both moments, all events: the share of cards that a review calls no mistake is at least 90 %",
        ),
    ),
    settings={"smoke": _settings("ours", 1), "laptop": _settings("finals", 150), "paper": _settings("finals", 600)},
    seeds={"smoke": 1, "laptop": 1, "paper": 1},
    measure=measure_ours,
    summary=chances_table,
    plot=chances_picture,
    unit="choices",
    counter="number",
    endless=False,
    reads=read_finals,
)
