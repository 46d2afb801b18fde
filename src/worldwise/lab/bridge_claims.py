"""What CLV21 says of alpha-mu at the table, as questions that rows answer.

Times are compared as ratios of sums over the same decisions, because the paper's seconds are those of another machine.
Declarers are compared on the same deals: a difference is the share of deals that only the one made less the share that
only the other made. Every threshold is a constant below; where an interval contains it, there is not enough data;
how several comparisons go together, ``lab.comparisons`` says.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple, cast

from worldwise.core.statistics import CONFIDENCE, Estimate, rate_difference, wilson
from worldwise.lab.comparisons import above, at_least, points, sure, together
from worldwise.lab.experiment import Verdict
from worldwise.lab.ratios import ratio_of_sums

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from worldwise.lab.experiment import Row, Rows
    from worldwise.lab.table import Cell

ABOUT_THREE = 2.5
"""What still is "about three times as fast"."""

LITTLE = 0.02
"""Contracts of a hundred that are "little": two."""

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


# ---------------------------------------------------------------------- Table 4, Figs 6 and 7


class Declarer(NamedTuple):
    """alpha-mu with so many moves ahead (1 is PIMC) and worlds; its text is how rows name it."""

    depth: int
    worlds: int

    def __str__(self) -> str:
        return f"M={self.depth},worlds={self.worlds}"

    @classmethod
    def named(cls, text: str) -> Declarer:
        """From its text.

        >>> Declarer.named("M=2,worlds=40")
        Declarer(depth=2, worlds=40)
        """
        depth, worlds = (int(part.partition("=")[2]) for part in text.split(","))
        return cls(depth, worlds)


PIMC, MAIN = Declarer(1, 20), Declarer(2, 20)
"""The yardstick, and the declarer by which Table 4's verdicts go."""


@dataclass(frozen=True)
class Deals:
    """Deals that several declarers have played."""

    rows: Sequence[Row]

    @classmethod
    def by_defence(cls, rows: Rows) -> list[Deals]:
        """One for every defence."""
        return [cls(group) for group in _grouped(rows, "defence")]

    @property
    def defence(self) -> str:
        """Who defended."""
        return str(self.rows[0]["defence"])

    @cached_property
    def declarers(self) -> list[Declarer]:
        """Who played them all."""
        keys = self.rows[0] if self.rows else ()
        return [Declarer.named(key.removesuffix(".made")) for key in keys if key.endswith(".made")]

    @property
    def pimc(self) -> Declarer:
        """PIMC with the fewest worlds."""
        return min(self.declarers)

    def column(self, name: Declarer, key: str) -> list[float]:
        """A number of every deal."""
        return [float(cast("float", row[f"{name}.{key}"])) for row in self.rows]

    def made(self, name: Declarer) -> Estimate:
        """How often the contract was made."""
        return wilson(int(sum(self.column(name, "made"))), len(self.rows))

    def duel(self, one: Declarer, other: Declarer) -> tuple[int, int]:
        """Deals that only the one made, and only the other."""
        made = list(zip(self.column(one, "made"), self.column(other, "made"), strict=True))
        return made.count((1.0, 0.0)), made.count((0.0, 1.0))

    def gain(self, one: Declarer, other: Declarer, confidence: float = CONFIDENCE) -> Estimate:
        """How much more often one makes the contract than the other, by the deals that differ."""
        won, lost = self.duel(one, other)
        return rate_difference(won, len(self.rows), lost, len(self.rows), confidence)

    def winrate(self, one: Declarer, other: Declarer) -> Estimate | None:
        """The share of the deals that differ that the one made; None if none differs."""
        won, lost = self.duel(one, other)
        return wilson(won, won + lost) if won + lost else None

    def seconds(self, name: Declarer) -> Estimate:
        """Processor time of a move, moves without a choice included."""
        return ratio_of_sums(self.column(name, "seconds"), self.column(name, "moves"))

    def times(self, one: Declarer, other: Declarer, confidence: float = CONFIDENCE) -> Estimate:
        """How many times the other's time the one takes."""
        return ratio_of_sums(self.column(one, "seconds"), self.column(other, "seconds"), confidence)


def beats_pimc(defence: str) -> Callable[[Rows], Verdict]:
    """Whether alpha-mu wins more than half of the deals that differ, against this defence."""

    def verdict(rows: Rows) -> Verdict:
        deals = Deals([row for row in rows if row["defence"] == defence])
        names = [name for name in deals.declarers if name.depth > 1]
        if MAIN not in names or (rate := deals.winrate(MAIN, PIMC)) is None:
            return Verdict.of(None, f"no deal differs of {len(deals.rows)}")
        words = "; ".join(_duel(deals, name) for name in names)
        return Verdict.of(above(rate, 0.5), f"of {len(deals.rows):,} deals, {words}")

    return verdict


def _duel(deals: Deals, name: Declarer) -> str:
    won, lost = deals.duel(name, PIMC)
    rate = deals.winrate(name, PIMC)
    share = f" ({rate.value:.1%}, {rate.low:.1%} to {rate.high:.1%})" if rate else ""
    return f"M = {name.depth} wins {won} of the {won + lost} that differ{share}"


def _gains(deals: Deals, pairs: Sequence[tuple[Declarer, Declarer]]) -> dict[tuple[Declarer, Declarer], Estimate]:
    return {pair: deals.gain(*pair, confidence=sure(len(pairs))) for pair in pairs}


def _judged_gains(
    deals: Deals, pairs: Sequence[tuple[Declarer, Declarer]], truth: Callable[[Estimate], bool | None]
) -> Verdict:
    """All gains together; the words tell of the largest and the smallest."""
    gains = _gains(deals, pairs)
    if not gains:
        return Verdict.of(None, "not measured")
    ends = sorted({min(gains, key=lambda pair: gains[pair].value), max(gains, key=lambda pair: gains[pair].value)})
    words = "; ".join(f"{one} less {other} {points(gains[one, other])}" for one, other in ends)
    return Verdict.of(together(map(truth, gains.values())), f"{len(deals.rows)} deals; {words}")


def _is_little(gain: Estimate) -> bool | None:
    """Whether a gain is at most two in a hundred, either way."""
    if gain.low >= -LITTLE and gain.high <= LITTLE:
        return True
    return False if gain.low > LITTLE or gain.high < -LITTLE else None


def more_moves_add_little(rows: Rows) -> Verdict:
    """M = 3 and 4 make at most two contracts of a hundred more or fewer than M = 2, at every number of worlds."""
    deals = Deals(rows)
    pairs = [(name, Declarer(2, name.worlds)) for name in deals.declarers if name.depth > 2]
    return _judged_gains(deals, pairs, _is_little)


def levels_off(rows: Rows) -> Verdict:
    """From 80 worlds on, twice as many make at most two contracts of a hundred more or fewer; never clearly worse."""
    deals = Deals(rows)
    doublings = [pair for pair in pairwise(sorted(deals.declarers)) if pair[0].depth == pair[1].depth]
    pairs = [(more, fewer) for fewer, more in doublings if fewer.worlds >= ENOUGH_WORLDS]
    worse = [pair for pair, gain in _gains(deals, [(b, a) for a, b in doublings]).items() if gain.high < 0]
    if worse:
        return Verdict.of(False, "; ".join(f"{more} is worse than {fewer}" for more, fewer in worse))
    return _judged_gains(deals, pairs, _is_little)


def higher_asymptote(rows: Rows) -> Verdict:
    """At the most worlds, 80 or more, alpha-mu with M = 2 or more makes more contracts than PIMC."""
    deals = Deals(rows)
    most = max(name.worlds for name in deals.declarers)
    pairs = [(name, Declarer(1, most)) for name in deals.declarers if name.worlds == most and name.depth > 1]
    if most < ENOUGH_WORLDS:
        return Verdict.of(None, f"{most} worlds at most")
    return _judged_gains(deals, pairs, above)


def close_in_time(rows: Rows) -> Verdict:
    """M = 2 takes at most five times PIMC's time, at every number of worlds."""
    deals = Deals(rows)
    names = sorted(name for name in deals.declarers if name.depth == 2)
    found = {name.worlds: deals.times(name, Declarer(1, name.worlds), sure(len(names))) for name in names}
    inverse = [deals.times(Declarer(1, name.worlds), name, sure(len(names))) for name in names]
    words = "; ".join(f"{worlds} worlds: {_times(times)}" for worlds, times in found.items())
    return Verdict.of(together(_at_least(times, 1 / CLOSE) for times in inverse), f"times PIMC's time, {words}")


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
