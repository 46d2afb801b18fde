"""What CLV21 says of alpha-mu at the table, as questions that rows answer.

Times are compared as ratios of sums over the same decisions, because the paper's seconds are those of another machine.
Declarers are compared on the same deals: a difference is the share of deals that only the one made less the share that
only the other made. How many deals decide is fixed beforehand, see ``on_deals``. Every threshold is a constant below;
where an interval contains it, there is not enough data; how several comparisons go together, ``lab.comparisons`` says.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple, TypeAlias, cast

from worldwise.core.statistics import CONFIDENCE, Estimate, paired_difference, rate_difference, wilson
from worldwise.lab.comparisons import above, at_least, points, sure, together
from worldwise.lab.experiment import Verdict
from worldwise.lab.papers.clv21.games import numbers
from worldwise.lab.ratios import ratio_of_sums

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from worldwise.lab.table import Cell
    from worldwise.runs.rows import Row, Rows

ABOUT_THREE = 2.5
"""What still is "about three times as fast"."""

LITTLE = 0.02
"""Contracts of a hundred that are "little": two."""

AS_OFTEN = 0.01
"""How far two shares of deals may be apart to be about the same: one deal in a hundred."""

CLOSE = 5.0
"""How many times PIMC's time is "close" to it; the paper's own figures are 3.5 at 20 worlds and 4.0 at 80."""

ENOUGH_WORLDS = 80
"""Where the curves are to have levelled off."""

TWO_THREADS = 1.6
"""How many times as fast two threads are to be."""

ENOUGH_GAMES = 10
"""The fewest games whose ratio of times decides anything: with fewer its interval is too narrow."""

IDLE = 0.9
"""What one thread must have had of a core, for threads to be compared: on a busy machine there is no second core."""


def _at_least(ratio: Estimate, least: float) -> bool | None:
    """Whether a ratio of times is no less, if there are games enough to tell."""
    return at_least(ratio, least) if ratio.count >= ENOUGH_GAMES else None


def _times(figure: Estimate) -> str:
    return f"{figure.value:.2f} ({figure.low:.2f} to {figure.high:.2f})"


def _grouped(rows: Rows, *names: str) -> list[list[Row]]:
    """Rows that agree in these, in the order they come."""
    groups: dict[tuple[object, ...], list[Row]] = {}
    for row in rows:
        groups.setdefault(tuple(row[name] for name in names), []).append(row)
    return list(groups.values())


@dataclass(frozen=True)
class Games:
    """Rows of games with the same number of cards and worlds."""

    rows: Sequence[Row]

    @property
    def cards(self) -> int:
        """How many there are at the start."""
        return cast("int", self.rows[0]["cards"])

    @property
    def worlds(self) -> int:
        """How many declarer samples."""
        return cast("int", self.rows[0]["worlds"])

    def column(self, key: str) -> list[float]:
        """A number of every game."""
        return [float(cast("float", row[key])) for row in self.rows]


# ---------------------------------------------------------------------- Tables 1 to 3

_LETTERS = ("U", "E", "alpha", "W", "Win")
_EACH = tuple(tuple(place == one for place in range(5)) for one in range(5))

SWITCHES: dict[str, tuple[bool, ...]] = {
    "none": (False,) * 5,
    **dict(zip(_LETTERS, _EACH, strict=True)),
    "all": (True,) * 5,
    **{f"all but {name}": tuple(not on for on in one) for name, one in zip(_LETTERS, _EACH, strict=True)},
}
"""The paper's twelve configurations, in its order: which of U, E, alpha, W and Win are on."""


@dataclass(frozen=True)
class Configurations(Games):
    """The games of one of the tables, in which every configuration decided the same."""

    @classmethod
    def of(cls, rows: Rows) -> list[Configurations]:
        """One for every table, in the order of the settings."""
        return [cls(group) for group in _grouped(rows, "cards", "worlds")]

    def __str__(self) -> str:
        return f"{self.cards} cards, {self.worlds} worlds"

    def is_of(self, record: dict[str, Cell]) -> bool:
        """Whether a published number is of this table."""
        return (record["cards"], record["worlds"]) == (self.cards, self.worlds)

    def ratio(self, one: str, other: str, confidence: float = CONFIDENCE, *, percent: bool = False) -> Estimate:
        """How many times the other's time the one takes."""
        return ratio_of_sums(
            self.column(f"{one}.seconds"), self.column(f"{other}.seconds"), confidence, percent=percent
        )


def three_times_as_fast(rows: Rows) -> Verdict:
    """Whether in each table none takes at least 2.5 times the time of all, beyond doubt."""
    tables = Configurations.of(rows)
    found = {str(games): games.ratio("none", "all", sure(len(tables))) for games in tables}
    words = "; ".join(f"{name}: {_times(ratio)} over {ratio.count} games" for name, ratio in found.items())
    return Verdict.of(together(_at_least(ratio, ABOUT_THREE) for ratio in found.values()), words)


def all_are_fastest(rows: Rows) -> Verdict:
    """Whether in each table every other configuration takes longer, beyond doubt; one that is faster decides."""
    tables, others = Configurations.of(rows), [name for name in SWITCHES if name != "all"]
    confidence = sure(len(tables) * len(others))
    truths, words = [], []
    for games in tables:
        ratios = {name: games.ratio(name, "all", confidence) for name in others}
        truths += [_at_least(ratio, 1.0) for ratio in ratios.values()]
        nearest = min(ratios, key=lambda name: ratios[name].value)
        words.append(f"{games}: the next is {nearest}, {_times(ratios[nearest])} times the time")
    return Verdict.of(together(truths), "; ".join(words))


# ---------------------------------------------------------------------- declarers on the same deals


class Declarer(NamedTuple):
    """alpha-mu with so many moves ahead (1 is PIMC) and worlds; its text is how rows name it."""

    depth: int
    worlds: int

    def __str__(self) -> str:
        return f"M={self.depth},worlds={self.worlds}"


def declarers_of(setting: Row) -> list[Declarer]:
    """Everybody who plays the deals of a setting, in the order of its rows.

    >>> declarers_of({"depths": "1 2", "worlds": "20 40"})[1:3]
    [Declarer(depth=2, worlds=20), Declarer(depth=1, worlds=40)]
    """
    return [Declarer(depth, worlds) for worlds in numbers(setting, "worlds") for depth in numbers(setting, "depths")]


@dataclass(frozen=True)
class Deals:
    """Deals that several declarers have played; a row's ``made`` has a 1 for each who made the contract, or a 0."""

    rows: Sequence[Row]

    @cached_property
    def declarers(self) -> list[Declarer]:
        """Who played them all."""
        return declarers_of(self.rows[0]) if self.rows else []

    @property
    def pimc(self) -> Declarer:
        """PIMC with the fewest worlds."""
        return min(self.declarers)

    def outcomes(self, name: Declarer) -> list[bool]:
        """Whether the declarer made the contract, deal by deal."""
        place = self.declarers.index(name)
        return [str(row["made"])[place] == "1" for row in self.rows]

    def made(self, name: Declarer) -> Estimate:
        """How often the contract was made."""
        return wilson(sum(self.outcomes(name)), len(self.rows))

    def parted(self) -> Estimate:
        """How often declarers with equally many worlds chose differently before the outcome was decided."""
        return wilson(sum(set(str(row["parted"]).split()) != {"-"} for row in self.rows), len(self.rows))

    def duel(self, one: Declarer, other: Declarer) -> tuple[int, int]:
        """Deals that only the one made, and only the other."""
        made = list(zip(self.outcomes(one), self.outcomes(other), strict=True))
        return made.count((True, False)), made.count((False, True))

    def differ(self, one: Declarer, other: Declarer) -> Estimate:
        """The share of deals that one of them made and the other did not."""
        return wilson(sum(self.duel(one, other)), len(self.rows))

    def gain(self, one: Declarer, other: Declarer, confidence: float = CONFIDENCE) -> Estimate:
        """How much more often one makes the contract than the other, by the deals that differ."""
        return paired_difference(*self.duel(one, other), len(self.rows), confidence)

    def winrate(self, one: Declarer, other: Declarer) -> Estimate | None:
        """The share of the deals that differ that the one made; None if none differs."""
        won, lost = self.duel(one, other)
        return wilson(won, won + lost) if won + lost else None


Judge: TypeAlias = "Callable[[Rows], Verdict]"


def on_deals(deals: int, verdict: Judge) -> Judge:
    """A verdict on so many deals, fixed beforehand.

    There is none before all are played: who looks every now and then, and stops when he likes what he sees, finds what
    he looks for more often than an interval says.
    """

    def judged(rows: Rows) -> Verdict:
        played = len(rows)
        return verdict(rows) if played >= deals else Verdict.of(None, f"not complete: {played:,} of {deals:,} deals")

    return judged


# ---------------------------------------------------------------------- Table 4


def beats_pimc(depth: int) -> Judge:
    """Whether alpha-mu wins more than half of the deals that differ from PIMC's."""

    def verdict(rows: Rows) -> Verdict:
        deals = Deals(rows)
        name = deals.pimc._replace(depth=depth)
        rate, words = deals.winrate(name, deals.pimc), _duel(deals, name, deals.pimc)
        return Verdict.of(above(rate, 0.5) if rate else None, words)

    return verdict


def _duel(deals: Deals, one: Declarer, other: Declarer) -> str:
    won, lost = deals.duel(one, other)
    rate = deals.winrate(one, other)
    share = f" ({rate.value:.1%}, {rate.low:.1%} to {rate.high:.1%})" if rate else ""
    return f"of {len(deals.rows):,} deals {won + lost} differ, and M = {one.depth} makes {won} of these{share}"


def differs_as_often(depth: int, differ: int, of: int) -> Judge:
    """Whether about as many deals differ as in the paper, whose share is itself that of a sample."""

    def verdict(rows: Rows) -> Verdict:
        deals = Deals(rows)
        name = deals.pimc._replace(depth=depth)
        found, paper = deals.differ(name, deals.pimc), differ / of
        less = rate_difference(sum(deals.duel(name, deals.pimc)), len(rows), differ, of)
        words = f"{found.value:.2%} ({found.low:.2%} to {found.high:.2%}) of {len(rows):,} deals; the paper {paper:.2%}"
        return Verdict.of(_is_within(less, AS_OFTEN), words)

    return verdict


def makes_more(depth: int, than: int = 1) -> Judge:
    """Whether alpha-mu makes more contracts looking so many moves ahead than looking fewer, or than PIMC."""

    def verdict(rows: Rows) -> Verdict:
        deals = Deals(rows)
        one, other = deals.pimc._replace(depth=depth), deals.pimc._replace(depth=than)
        gain = deals.gain(one, other)
        return Verdict.of(above(gain), f"{points(gain)}; {_duel(deals, one, other)}")

    return verdict


# ---------------------------------------------------------------------- Figs 6 and 7


def _gains(deals: Deals, pairs: Sequence[tuple[Declarer, Declarer]]) -> dict[tuple[Declarer, Declarer], Estimate]:
    return {pair: deals.gain(*pair, confidence=sure(len(pairs))) for pair in pairs}


def _judge_gains(
    deals: Deals, pairs: Sequence[tuple[Declarer, Declarer]], truth: Callable[[Estimate], bool | None]
) -> Verdict:
    """All gains together; the words tell of the largest and the smallest."""
    gains = _gains(deals, pairs)
    if not gains:
        return Verdict.of(None, "not measured")
    ends = sorted({min(gains, key=lambda pair: gains[pair].value), max(gains, key=lambda pair: gains[pair].value)})
    words = "; ".join(f"{one} less {other} {points(gains[one, other])}" for one, other in ends)
    return Verdict.of(together(map(truth, gains.values())), f"{len(deals.rows)} deals; {words}")


def _is_within(difference: Estimate, bound: float = LITTLE) -> bool | None:
    """Whether a difference is no more than the bound, either way; two contracts of a hundred are little."""
    if difference.low >= -bound and difference.high <= bound:
        return True
    return False if difference.low > bound or difference.high < -bound else None


def more_moves_add_little(rows: Rows) -> Verdict:
    """M = 3 and 4 make at most two contracts of a hundred more or fewer than M = 2, at every number of worlds."""
    deals = Deals(rows)
    pairs = [(name, Declarer(2, name.worlds)) for name in deals.declarers if name.depth > 2]
    return _judge_gains(deals, pairs, _is_within)


def levels_off(rows: Rows) -> Verdict:
    """From 80 worlds on, twice as many make at most two contracts of a hundred more or fewer; never clearly worse."""
    deals = Deals(rows)
    doublings = [pair for pair in pairwise(sorted(deals.declarers)) if pair[0].depth == pair[1].depth]
    pairs = [(more, fewer) for fewer, more in doublings if fewer.worlds >= ENOUGH_WORLDS]
    worse = [pair for pair, gain in _gains(deals, [(b, a) for a, b in doublings]).items() if gain.high < 0]
    if worse:
        return Verdict.of(False, "; ".join(f"{more} is worse than {fewer}" for more, fewer in worse))
    return _judge_gains(deals, pairs, _is_within)


def higher_asymptote(rows: Rows) -> Verdict:
    """At the most worlds, 80 or more, alpha-mu with M = 2 or more makes more contracts than PIMC."""
    deals = Deals(rows)
    most = max(name.worlds for name in deals.declarers)
    pairs = [(name, Declarer(1, most)) for name in deals.declarers if name.worlds == most and name.depth > 1]
    if most < ENOUGH_WORLDS:
        return Verdict.of(None, f"{most} worlds at most")
    return _judge_gains(deals, pairs, above)


@dataclass(frozen=True)
class Times:
    """Deals that each declarer has played alone, by the clock."""

    rows: Sequence[Row]

    @cached_property
    def declarers(self) -> list[Declarer]:
        """Who played them all."""
        return declarers_of(self.rows[0]) if self.rows else []

    def column(self, name: Declarer, key: str) -> list[float]:
        """A number of every deal."""
        return [float(cast("float", row[f"{name}.{key}"])) for row in self.rows]

    def seconds(self, name: Declarer) -> Estimate:
        """Processor time of a move, moves without a choice included."""
        return ratio_of_sums(self.column(name, "seconds"), self.column(name, "moves"))

    def ratio(self, one: Declarer, other: Declarer, confidence: float = CONFIDENCE) -> Estimate:
        """How many times the other's time the one takes."""
        return ratio_of_sums(self.column(one, "seconds"), self.column(other, "seconds"), confidence)


def close_in_time(rows: Rows) -> Verdict:
    """M = 2 takes at most five times PIMC's time, at every number of worlds."""
    times = Times(rows)
    names = sorted(name for name in times.declarers if name.depth == 2)
    found = {name.worlds: times.ratio(name, Declarer(1, name.worlds), sure(len(names))) for name in names}
    inverse = [times.ratio(Declarer(1, name.worlds), name, sure(len(names))) for name in names]
    words = "; ".join(f"{worlds} worlds: {_times(ratio)}" for worlds, ratio in found.items())
    return Verdict.of(together(_at_least(ratio, 1 / CLOSE) for ratio in inverse), f"times PIMC's time, {words}")


# ---------------------------------------------------------------------- Table 5

THREADS = (1, 2)


@dataclass(frozen=True)
class Speedups(Games):
    """The games of one number of worlds, in which one thread and two decided the same."""

    @classmethod
    def of(cls, rows: Rows) -> list[Speedups]:
        """One for every number of worlds."""
        return [cls(group) for group in _grouped(rows, "cards", "worlds")]

    @property
    def depths(self) -> list[int]:
        """The moves ahead that were tried."""
        return sorted({int(key.split(".")[0]) for key in self.rows[0] if key.endswith(".seconds")})

    def share(self, depth: int) -> Estimate:
        """What two threads need of one thread's time."""
        return ratio_of_sums(self.column(f"{depth}.2.seconds"), self.column(f"{depth}.1.seconds"), percent=True)

    def speedup(self, depth: int) -> Estimate:
        """How many times as fast two threads are."""
        return ratio_of_sums(self.column(f"{depth}.1.seconds"), self.column(f"{depth}.2.seconds"))

    def had(self, depth: int) -> float:
        """The share of a core that one thread had."""
        return ratio_of_sums(self.column(f"{depth}.1.processor"), self.column(f"{depth}.1.seconds")).value


def two_threads(rows: Rows) -> Verdict:
    """Whether two threads are at least 1.6 times as fast where M = 2 and there are 80 worlds, on an idle machine."""
    for games in Speedups.of(rows):
        if games.worlds == ENOUGH_WORLDS:
            speedup, had = games.speedup(2), games.had(2)
            words = f"{_times(speedup)} times as fast over {len(games.rows)} games"
            busy = f"; the machine was busy, one thread had {had:.0%} of a core" if had < IDLE else ""
            return Verdict.of(None if busy else _at_least(speedup, TWO_THREADS), words + busy)
    return Verdict.of(None, f"no games with {ENOUGH_WORLDS} worlds")
