"""What BMV96 leaves open: how good IMP-minimax is where it is a heuristic only (section 5.3).

With one player who forgets nothing it is exact. With two players, or with one who forgets, it may be wrong, and the
paper does not say by how much. Here it is measured on small random games, whose pure strategies can all be tried: what
its strategy is sure of, beside what the best one is sure of, and what a strategy drawn at random is sure of on average.
Payoffs are the whole numbers from 0 to 10, each equally likely; what is lost is told as a share of 10.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, replace
from fractions import Fraction
from random import Random
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from worldwise.core.statistics import CONFIDENCE, Estimate, Sums, clopper_pearson, mean_of_losses, paired_mean
from worldwise.extensive.imp_model import Uniform
from worldwise.lab.comparisons import ClaimCheck, above, all_of, sure
from worldwise.lab.experiment import Verdict
from worldwise.lab.papers.bmv96.small_games import (
    HIGHEST,
    Forgetful,
    Judged,
    TwoSecrets,
    judge_forgetful,
    judge_two_players,
)
from worldwise.lab.plotting import new_figure, styles
from worldwise.lab.table import DataTable, table_of
from worldwise.search.equilibrium import PureEquilibrium, is_equilibrium
from worldwise.search.imp import ImpMinimax

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from matplotlib.figure import Figure

    from worldwise.lab.experiment import Judge
    from worldwise.runs.rows import Row, Rows, Setting

    Beside = Callable[[dict[str, float], Any, Judged], None]
    """Who else is measured on a game, and adds to the row."""

ENOUGH = 100
"""Fewer games of a kind decide nothing."""


# ---------------------------------------------------------------------- measuring


def _nobody(_row: dict[str, float], _game: Any, _judged: Judged) -> None:
    """Nobody plays the games beside IMP-minimax."""


def measure_two_players(setting: Setting, seed: int, beside: Beside = _nobody) -> Row:
    """As many games as the setting says; where they are small, pure equilibria are looked for too."""
    k, b, d, games = (_int(setting[name]) for name in ("k", "b", "d", "games"))
    rng, row = Random(seed), defaultdict[str, float](float)
    for _ in range(games):
        game = TwoSecrets.random(k, b, d, rng)
        judged = judge_two_players(game)
        _add(row, judged)
        beside(row, game, judged)
        if setting["searched"] and PureEquilibrium().search(game).answer == "yes":
            row["equilibria"] += 1
            row["reached"] += is_equilibrium(game, ImpMinimax().search(game).profile)
    return _round_sums(row)


def measure_forgetting(setting: Setting, seed: int, beside: Beside = _nobody) -> Row:
    """As many games as the setting says, of a player who forgets what it says."""
    k, b, d, games = (_int(setting[name]) for name in ("k", "b", "d", "games"))
    rng, row = Random(seed), defaultdict[str, float](float)
    for _ in range(games):
        game = Forgetful(k, b, d, Uniform(HIGHEST, rng.getrandbits(60)), forgets=str(setting["forgets"]))
        judged = judge_forgetful(game)
        _add(row, judged)
        beside(row, game, judged)
    return _round_sums(row)


def _add(row: dict[str, float], game: Judged) -> None:
    """What IMP-minimax loses, what a random strategy loses, what is believed too much: shares of 10, and squares."""
    lost, by_chance, excess = (
        float(Fraction(amount) / HIGHEST)
        for amount in (game.best - game.found, game.best - game.mean, game.believed - game.found)
    )
    row["wrong"] += game.found < game.best
    for name, amount in (("lost", lost), ("by_chance", by_chance), ("excess", excess)):
        row[name] += amount
        row[f"{name}_squares"] += amount * amount
    row["products"] += lost * by_chance


def _round_sums(row: dict[str, float]) -> dict[str, float]:
    """Sums to nine digits, which is more than enough; zeros are said too."""
    return {name: round(row[name], 9) for name in dict.fromkeys((*SUMS, *row))}


SUMS = (
    "wrong",
    "lost",
    "lost_squares",
    "by_chance",
    "by_chance_squares",
    "excess",
    "excess_squares",
    "products",
    "equilibria",
    "reached",
)

NEWCOMER = "newcomer."
"""How the sums of a solver of the user's own begin."""


def _int(value: object) -> int:
    return int(cast("int", value))


# ---------------------------------------------------------------------- reading rows


class Sizes(NamedTuple):
    """A kind of game: its parameters, and what is forgotten."""

    k: int
    b: int
    d: int
    forgets: str = "nothing"

    def __str__(self) -> str:
        size = f"k = {self.k}, b = {self.b}, d = {self.d}"
        return size if self.forgets == "nothing" else f"{size}, forgets {self.forgets}"


@dataclass(frozen=True)
class Quality:
    """All games of one kind."""

    sizes: Sizes
    sums: Mapping[str, float]

    @classmethod
    def of(cls, rows: Rows) -> list[Quality]:
        """One for every kind, in the order of rows."""
        found: dict[Sizes, dict[str, float]] = {}
        for row in rows:
            sizes = Sizes(_int(row["k"]), _int(row["b"]), _int(row["d"]), str(row.get("forgets", "nothing")))
            sums = found.setdefault(sizes, defaultdict(float))
            for name in ("games", *SUMS, *(name for name in row if name.startswith(NEWCOMER))):
                sums[name] += float(cast("float", row[name]))
        return [cls(sizes, sums) for sizes, sums in found.items()]

    @property
    def games(self) -> int:
        """How many there are."""
        return int(self.sums["games"])

    def wrong(self, confidence: float = CONFIDENCE) -> Estimate:
        """How often there is a better pure strategy than IMP-minimax's."""
        return clopper_pearson(int(self.sums["wrong"]), self.games, confidence)

    def right(self, confidence: float = CONFIDENCE) -> Estimate:
        """How often there is none."""
        return clopper_pearson(self.games - int(self.sums["wrong"]), self.games, confidence)

    def excess(self, confidence: float = CONFIDENCE) -> Estimate:
        """How much more is believed than got, on average."""
        return self.mean("excess", confidence)

    def mean(self, name: str, confidence: float = CONFIDENCE) -> Estimate:
        """What is lost by IMP-minimax or by chance, or believed in excess, on average."""
        found = mean_of_losses(self.sums[name], self.sums[f"{name}_squares"], self.games, confidence=confidence)
        return replace(found, percent=True)

    def better_than_half(self, confidence: float = CONFIDENCE) -> Estimate:
        """Half of what is lost by chance, less what IMP-minimax loses: above 0 it is nearer to the best."""
        half = Sums(self.sums["by_chance"] / 2, self.sums["by_chance_squares"] / 4)
        lost = Sums(self.sums["lost"], self.sums["lost_squares"])
        found = paired_mean(half, lost, self.sums["products"] / 2, self.games, confidence=confidence)
        return replace(found, percent=True)

    def reached(self, confidence: float = CONFIDENCE) -> Estimate | None:
        """How often IMP-minimax finds a pure equilibrium where there is one; None if nobody looked."""
        found = int(self.sums["equilibria"])
        return clopper_pearson(int(self.sums["reached"]), found, confidence) if found else None


def quality_table(rows: Rows) -> DataTable:
    """Everything, by kind of game."""
    kinds = Quality.of(rows)
    searched = any(kind.reached() for kind in kinds)
    return table_of((_record(kind, searched) for kind in kinds), "IMP-minimax beside the best pure strategy")


def _record(kind: Quality, searched: bool) -> dict[str, Any]:
    """One kind; if equilibria were looked for anywhere, there is a column for them."""
    record = {
        "k": kind.sizes.k,
        "b": kind.sizes.b,
        "d": kind.sizes.d,
        "forgets": kind.sizes.forgets,
        "games": kind.games,
        "not the best": kind.wrong(),
        "lost": kind.mean("lost"),
        "lost by chance": kind.mean("by_chance"),
        "believed too much": kind.mean("excess"),
    }
    return {**record, "equilibrium found": kind.reached()} if searched else record


# ---------------------------------------------------------------------- claims


def everywhere(
    figure: Callable[[Quality, float], Estimate | None], bound: float = 0.0, forgetful: bool | None = None
) -> Judge:
    """Whether a figure is above the bound for every kind of game, or for those that forget, or do not."""

    def verdict(rows: Rows, confidence: float = CONFIDENCE) -> Verdict:
        kinds = [kind for kind in Quality.of(rows) if forgetful in (None, kind.sizes.forgets != "nothing")]
        figures = [(kind, figure(kind, sure(len(kinds), confidence))) for kind in kinds]
        checks = [ClaimCheck.of(str(kind.sizes), one, _above(bound)) for kind, one in figures if one]
        return all_of(checks, "nothing measured")

    return verdict


def _above(bound: float) -> Callable[[Estimate], bool | None]:
    return lambda figure: above(figure, bound) if figure.count >= ENOUGH else None


def loses_nothing(rows: Rows, _confidence: float = CONFIDENCE) -> Verdict:
    """BMV96 section 5: exact for a player who forgets nothing. One game to the contrary refutes it."""
    kinds = [kind for kind in Quality.of(rows) if kind.sizes.forgets == "nothing"]
    wrong, games = (int(sum(kind.sums[name] for kind in kinds)) for name in ("wrong", "games"))
    return Verdict.of(not wrong if games else None, f"{wrong} of {games:,} games with a better strategy")


# ---------------------------------------------------------------------- the picture


TOLD = (("lost", "by IMP-minimax"), ("by_chance", "by a strategy drawn at random"))


def quality_picture(rows: Rows, told: Iterable[tuple[str, str]] = TOLD) -> Figure:
    """What is lost by IMP-minimax and by chance, kind by kind."""
    kinds = Quality.of(rows)
    figure, (axes,) = new_figure(8, 1.6 + 0.4 * len(kinds))
    places = range(len(kinds))
    for (name, label), style in zip(told, styles(), strict=False):
        means = [kind.mean(name) for kind in kinds]
        axes.plot([100 * mean.value for mean in means], places, label=label, linestyle="none", **style)
        axes.hlines(places, [100 * mean.low for mean in means], [100 * mean.high for mean in means], style["color"])
    axes.set_yticks(places, [str(kind.sizes) for kind in kinds])
    axes.invert_yaxis()
    axes.set_xlabel("lost beside the best pure strategy (% of the range of payoffs)")
    axes.legend(frameon=False)
    return figure
