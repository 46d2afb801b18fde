"""What CLV21 says of alpha-mu at the table, as questions that rows answer.

Times are compared as ratios of sums over the same decisions, because the paper's seconds are those of another machine.
Declarers are compared on the same deals: a difference is the share of deals that only the one made less the share that
only the other made. How many deals decide is fixed beforehand, see ``on_deals``. Every threshold is a constant below;
where an interval contains it, the claim is undecided; how several comparisons go together, ``lab.comparisons`` says.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple, TypeAlias, cast

import numpy as np

from worldwise.core.reading import read_whole
from worldwise.core.statistics import (
    CONFIDENCE,
    Estimate,
    clopper_pearson,
    mean_of_losses,
    paired_difference,
    rate_difference,
    ratio_of_sums,
)
from worldwise.lab.comparisons import MARGIN, ClaimCheck, all_of, at_most, least_times, more, points, sure, within
from worldwise.lab.experiment import Verdict
from worldwise.lab.papers.clv21.games import numbers

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from worldwise.lab.experiment import Judge
    from worldwise.lab.table import Cell
    from worldwise.runs.rows import Row, Rows

ABOUT = 0.13
"""How far a ratio of times may be off to be "about" a number: the paper itself calls 3.38 three and 2.19 two."""

SPEED_MARGIN = 0.02
"""The smallest difference of two times worth speaking of; the smallest the paper reports is 2.5 %."""

LITTLE = 0.02
"""Contracts of a hundred that are "little": two."""

CLOSE = 4.0
"""How many times PIMC's time is "close" to it: the paper's own figures are 3.5 at 20 worlds and 4.0 at 80."""

ENOUGH_WORLDS = 80
"""Where the curves are to have levelled off."""

ENOUGH_GAMES = 10
"""The fewest games whose ratio of times decides anything: with fewer its interval is too narrow."""

IDLE = 0.9
"""What one thread must have had of a core, for threads to be compared: on a busy machine there is no second core."""


def about(ratio: Estimate, number: float) -> bool | None:
    """Whether a ratio of times is about a number, if there are games enough to tell.

    >>> [about(Estimate(value, value - 0.1, value + 0.1, 20), 3) for value in (2.9, 2.6, 1.5)]
    [True, None, False]
    """
    return within(ratio, (1 - ABOUT) * number, (1 + ABOUT) * number) if ratio.count >= ENOUGH_GAMES else None


def slower(ratio: Estimate) -> bool | None:
    """Whether what takes so many times as long is slower, by more than the margin if by so little that it is in doubt.

    >>> [slower(Estimate(value, value - 0.01, value + 0.01, 20)) for value in (1.2, 1.015, 1.0)]
    [True, True, False]
    """
    gain = replace(ratio, value=ratio.value - 1, low=ratio.low - 1, high=ratio.high - 1)
    return more(gain, SPEED_MARGIN) if ratio.count >= ENOUGH_GAMES else None


def _times(figure: Estimate) -> str:
    return f"{figure.value:.2f} ({figure.low:.2f} to {figure.high:.2f})"


def _group_rows(rows: Rows, *names: str) -> list[list[Row]]:
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
        return [cls(group) for group in _group_rows(rows, "cards", "worlds")]

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


def three_times_as_fast(rows: Rows, confidence: float = CONFIDENCE) -> Verdict:
    """Whether in each table none takes about three times the time of all."""
    tables = Configurations.of(rows)
    found = {str(games): games.ratio("none", "all", sure(len(tables), confidence)) for games in tables}
    words = "; ".join(f"{name}: {_times(ratio)} over {ratio.count} games" for name, ratio in found.items())
    checks = [ClaimCheck.of(name, ratio, lambda one: about(one, 3)) for name, ratio in found.items()]
    return replace(all_of(checks, ""), because=words)


def all_are_fastest(rows: Rows, confidence: float = CONFIDENCE) -> Verdict:
    """Whether in each table every other configuration takes longer, beyond doubt; one that is as fast refutes it."""
    tables, others = Configurations.of(rows), [name for name in SWITCHES if name != "all"]
    each = sure(len(tables) * len(others), confidence)
    checks, words = list[ClaimCheck](), []
    for games in tables:
        ratios = {name: games.ratio(name, "all", each) for name in others}
        checks += [ClaimCheck.of(name, ratio, slower) for name, ratio in ratios.items()]
        nearest = min(ratios, key=lambda name: ratios[name].value)
        words.append(f"{games}: the next is {nearest}, {_times(ratios[nearest])} times the time")
    return replace(all_of(checks, ""), because="; ".join(words))


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


NEWCOMER = "newcomer"
"""How rows and claims name a declarer of the user's own, who plays beside the others."""

AnyDeclarer: TypeAlias = "Declarer | str"
Pairs: TypeAlias = "Sequence[tuple[Declarer, Declarer]]"


def declarer_words(depth: int | str) -> str:
    """What people call the declarer who looks so many moves ahead.

    >>> declarer_words(1), declarer_words(3)
    ('PIMC', 'M = 3')
    """
    return "PIMC" if depth == 1 else f"M = {depth}" if isinstance(depth, int) else depth


@dataclass(frozen=True)
class Deals:
    """Deals that several declarers have played; a row's ``made`` has a 1 for each who made the contract, or a 0."""

    rows: Sequence[Row]

    @cached_property
    def declarers(self) -> list[Declarer]:
        """Who played them all."""
        return declarers_of(self.rows[0]) if self.rows else []

    @classmethod
    def of(cls, rows: Rows) -> list[Deals]:
        """One for every contract, and for all who play it."""
        return [cls(group) for group in _group_rows(rows, "contract", "depths")]

    @property
    def contract(self) -> str:
        """What they play."""
        return str(self.rows[0]["contract"])

    @property
    def pimc(self) -> Declarer:
        """PIMC with the fewest worlds."""
        return min(self.declarers)

    def outcomes(self, name: AnyDeclarer) -> list[bool]:
        """Whether the declarer made the contract, deal by deal."""
        if not isinstance(name, Declarer):
            return [bool(row[f"{name}.made"]) for row in self.rows]
        place = self.declarers.index(name)
        return [str(row["made"])[place] == "1" for row in self.rows]

    def made(self, name: AnyDeclarer) -> Estimate:
        """How often the contract was made."""
        return clopper_pearson(sum(self.outcomes(name)), len(self.rows))

    def parted(self) -> Estimate:
        """How often declarers with equally many worlds chose differently before the outcome was decided."""
        return clopper_pearson(sum(set(str(row["parted"]).split()) != {"-"} for row in self.rows), len(self.rows))

    def duel(self, one: AnyDeclarer, other: AnyDeclarer) -> tuple[int, int]:
        """Deals that only the one made, and only the other."""
        made = list(zip(self.outcomes(one), self.outcomes(other), strict=True))
        return made.count((True, False)), made.count((False, True))

    def were_played_at(self, one: int | str, other: int, contract: str) -> bool:
        """Whether both M played these deals, and the contract is this one, or any; a newcomer plays them all."""
        asked = {depth for depth in (one, other) if isinstance(depth, int)}
        return asked <= {name.depth for name in self.declarers} and contract in ("", self.contract)

    def duel_at(self, one: int | str, other: int) -> tuple[int, int, int]:
        """The same for two M with PIMC's worlds, or a newcomer, and how many deals there are."""
        first = self.pimc._replace(depth=one) if isinstance(one, int) else one
        return *self.duel(first, self.pimc._replace(depth=other)), len(self.rows)

    def differ(self, one: AnyDeclarer, other: AnyDeclarer, confidence: float = CONFIDENCE) -> Estimate:
        """The share of deals that one of them made and the other did not."""
        return clopper_pearson(sum(self.duel(one, other)), len(self.rows), confidence)

    def gain(self, one: AnyDeclarer, other: AnyDeclarer, confidence: float = CONFIDENCE) -> Estimate:
        """How much more often one makes the contract than the other, by the deals that differ."""
        return paired_difference(*self.duel(one, other), len(self.rows), confidence)

    def mean_gain(self, pairs: Pairs, confidence: float = CONFIDENCE) -> Estimate:
        """The gain on average over several pairs of declarers, who all met the same deals."""
        made = {name: np.array(self.outcomes(name), dtype=float) for pair in pairs for name in pair}
        gains = np.mean([made[one] - made[other] for one, other in pairs], axis=0)
        mean = mean_of_losses(float(gains.sum()), float(gains @ gains), len(gains), confidence=confidence)
        return replace(mean, percent=True)

    def winrate(self, one: AnyDeclarer, other: AnyDeclarer, confidence: float = CONFIDENCE) -> Estimate | None:
        """The share of the deals that differ that the one made; None if none differs."""
        won, lost = self.duel(one, other)
        return clopper_pearson(won, won + lost, confidence) if won + lost else None


def on_deals(deals: int, verdict: Judge) -> Judge:
    """A verdict on so many deals, fixed beforehand.

    There is none before all are played: who looks every now and then, and stops when he likes what he sees, finds what
    he looks for more often than an interval says.
    """

    def judged(rows: Rows, confidence: float = CONFIDENCE) -> Verdict:
        played = len(rows)
        if played < deals:
            return Verdict.of(None, f"not complete: {played:,} of {deals:,} deals", deals / played)
        return verdict(rows, confidence)

    return judged


def _is_no_gain(gain: Estimate) -> bool | None:
    """Whether nothing is gained that is worth speaking of."""
    truth = more(gain)
    return None if truth is None else not truth


# ---------------------------------------------------------------------- Table 4


def _judge_duel(
    one: int | str, other: int, judged: Callable[[Estimate], bool | None], contract: str = "", name: str = ""
) -> Judge:
    """How many more contracts one M makes than another, over the deals of all contracts, or one, that both played."""

    def verdict(rows: Rows, confidence: float = CONFIDENCE) -> Verdict:
        duels = [deals.duel_at(one, other) for deals in Deals.of(rows) if deals.were_played_at(one, other, contract)]
        if not duels:
            return Verdict.of(None, "not measured")
        won, lost, deals = (sum(column) for column in zip(*duels, strict=True))
        gain = paired_difference(won, lost, deals, confidence)
        who = name or declarer_words(one)
        words = f"{points(gain)}; of {deals:,} deals {won + lost} differ, and {who} makes {won} of these"
        return replace(all_of([ClaimCheck.of("", gain, judged)], ""), because=words)

    return verdict


def makes_more(depth: int, than: int = 1, contract: str = "") -> Judge:
    """Whether alpha-mu makes more contracts looking so many moves ahead than looking fewer, or than PIMC."""
    return _judge_duel(depth, than, more, contract)


def newcomer_makes_more(name: str, than: int) -> Judge:
    """Whether a newcomer of this name makes more contracts than the declarer of an M."""
    return _judge_duel(NEWCOMER, than, more, name=name)


def makes_no_more(depth: int, than: int) -> Judge:
    """Whether looking further ahead makes no more contracts."""
    return _judge_duel(depth, than, _is_no_gain)


def differs_as_often(depth: int, differ: int, of: int) -> Judge:
    """Whether as many deals differ as in the paper, whose share is itself that of a sample."""

    def verdict(rows: Rows, confidence: float = CONFIDENCE) -> Verdict:
        deals = Deals(rows)
        name = deals.pimc._replace(depth=depth)
        found, paper = deals.differ(name, deals.pimc, confidence), differ / of
        ours = sum(deals.duel(name, deals.pimc))

        def less(times: float) -> Estimate:
            """With so many times our deals; the paper's remain as many as they are."""
            return rate_difference(round(times * ours), round(times * len(rows)), differ, of, confidence)

        now = less(1)
        words = (
            f"{found.value:.2%} ({found.low:.2%} to {found.high:.2%}) of {len(rows):,} deals; the paper {paper:.2%}; "
            f"the difference, with the paper's own chance, {now.value:+.2%} ({now.low:+.2%} to {now.high:+.2%})"
        )
        return Verdict.of(_is_the_same(now), words, least_times(lambda times: _is_the_same(less(times))))

    return verdict


def _is_the_same(difference: Estimate) -> bool | None:
    """Whether two shares are alike up to the margin; not if they are shown to differ and may do so by more."""
    truth = within(difference, -MARGIN, MARGIN)
    return False if truth is None and 0 not in difference else truth


# ---------------------------------------------------------------------- Figs 6 and 7


def _judge_curves(
    deals: Deals, groups: Mapping[str, Pairs], judged: Callable[[Estimate], bool | None], confidence: float
) -> Verdict:
    """The mean gains of some groups of pairs, all together."""
    gains = {what: deals.mean_gain(pairs, sure(len(groups), confidence)) for what, pairs in groups.items() if pairs}
    checks = [ClaimCheck.of(what, gain, judged) for what, gain in gains.items()]
    words = "; ".join(map(str, checks))
    return replace(all_of(checks, ""), because=f"{len(deals.rows)} deals; {words}" if checks else "not measured")


def levels_off(rows: Rows, confidence: float = CONFIDENCE) -> Verdict:
    """From 80 worlds on, twice as many make at most two contracts of a hundred more or fewer, on average over M."""
    deals = Deals(rows)
    worlds = sorted({name.worlds for name in deals.declarers if name.worlds > ENOUGH_WORLDS})
    doubled = {more: [name for name in deals.declarers if name.worlds == more] for more in worlds}
    groups = {
        f"{more} worlds less {more // 2}": [(name, Declarer(name.depth, more // 2)) for name in names]
        for more, names in doubled.items()
    }
    return _judge_curves(deals, groups, lambda gain: within(gain, -LITTLE, LITTLE), confidence)


def higher_asymptote(rows: Rows, confidence: float = CONFIDENCE) -> Verdict:
    """At the most worlds, 80 or more, alpha-mu makes more contracts than PIMC, on average over M of 2 and more."""
    deals = Deals(rows)
    most = max(name.worlds for name in deals.declarers)
    if most < ENOUGH_WORLDS:
        return Verdict.of(None, f"{most} worlds at most")
    pairs = [(name, Declarer(1, most)) for name in deals.declarers if name.worlds == most and name.depth > 1]
    return _judge_curves(deals, {f"{most} worlds, alpha-mu less PIMC": pairs}, more, confidence)


@dataclass(frozen=True)
class Times:
    """Deals that each declarer has played alone, by the clock."""

    rows: Sequence[Row]

    @cached_property
    def declarers(self) -> list[Declarer]:
        """Who played them all."""
        return declarers_of(self.rows[0]) if self.rows else []

    def column(self, name: AnyDeclarer, key: str) -> list[float]:
        """A number of every deal."""
        return [float(cast("float", row[f"{name}.{key}"])) for row in self.rows]

    def seconds(self, name: AnyDeclarer) -> Estimate:
        """Processor time of a move, moves without a choice included."""
        return ratio_of_sums(self.column(name, "seconds"), self.column(name, "moves"))

    def ratio(self, one: AnyDeclarer, other: AnyDeclarer, confidence: float = CONFIDENCE) -> Estimate:
        """How many times the other's time the one takes."""
        return ratio_of_sums(self.column(one, "seconds"), self.column(other, "seconds"), confidence)


def close_in_time(rows: Rows, confidence: float = CONFIDENCE) -> Verdict:
    """M = 2 takes at most four times PIMC's time, at every number of worlds."""
    times = Times(rows)
    names = sorted(name for name in times.declarers if name.depth == 2)
    each = sure(len(names), confidence)
    found = {name.worlds: times.ratio(name, Declarer(1, name.worlds), each) for name in names}
    checks = [ClaimCheck.of(str(worlds), ratio, _is_close) for worlds, ratio in found.items()]
    words = "; ".join(f"{worlds} worlds: {_times(ratio)}" for worlds, ratio in found.items())
    return replace(all_of(checks, ""), because=f"times PIMC's time, {words}")


def newcomer_is_faster(rows: Rows, confidence: float = CONFIDENCE) -> Verdict:
    """Whether PIMC with the fewest worlds takes longer than a newcomer, over the same deals."""
    times = Times(rows)
    ratio = times.ratio(min(times.declarers), NEWCOMER, confidence)
    words = f"PIMC takes {_times(ratio)} times its time over {len(rows)} deals"
    return replace(all_of([ClaimCheck.of("", ratio, slower)], ""), because=words)


def _is_close(ratio: Estimate) -> bool | None:
    return at_most(ratio, CLOSE) if ratio.count >= ENOUGH_GAMES else None


# ---------------------------------------------------------------------- Table 5

THREADS = (1, 2)


@dataclass(frozen=True)
class Speedups(Games):
    """The games of one number of worlds, in which one thread and two decided the same."""

    @classmethod
    def of(cls, rows: Rows) -> list[Speedups]:
        """One for every number of worlds."""
        return [cls(group) for group in _group_rows(rows, "cards", "worlds")]

    @property
    def depths(self) -> list[int]:
        """The moves ahead that were tried."""
        return sorted({read_whole(key.split(".")[0], least=1) for key in self.rows[0] if key.endswith(".seconds")})

    def share(self, depth: int) -> Estimate:
        """What two threads need of one thread's time."""
        return ratio_of_sums(self.column(f"{depth}.2.seconds"), self.column(f"{depth}.1.seconds"), percent=True)

    def speedup(self, depth: int, confidence: float = CONFIDENCE) -> Estimate:
        """How many times as fast two threads are."""
        return ratio_of_sums(self.column(f"{depth}.1.seconds"), self.column(f"{depth}.2.seconds"), confidence)

    def had(self, depth: int) -> float:
        """The share of a core that one thread had."""
        return ratio_of_sums(self.column(f"{depth}.1.processor"), self.column(f"{depth}.1.seconds")).value


def twice_as_fast(rows: Rows, confidence: float = CONFIDENCE) -> Verdict:
    """Whether two threads are about twice as fast where M = 2 and there are 80 worlds, on an idle machine."""
    for games in Speedups.of(rows):
        if games.worlds == ENOUGH_WORLDS:
            speedup, had = games.speedup(2, confidence), games.had(2)
            words = f"{_times(speedup)} times as fast over {len(games.rows)} games"
            if had < IDLE:
                return Verdict.of(None, f"{words}; the machine was busy, one thread had {had:.0%} of a core")
            return replace(all_of([ClaimCheck.of("", speedup, lambda one: about(one, 2))], ""), because=words)
    return Verdict.of(None, f"no games with {ENOUGH_WORLDS} worlds")
