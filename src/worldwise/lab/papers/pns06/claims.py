"""What PNS06 says of overconfidence and paranoia, as questions that games answer.

Players are compared by expected utility (EU), of different games. Where the paper speaks of all its cells at once
("usually", "overall"), so do we: a claim is about the mean of the cells, each counting alike however many games it has.
Every threshold is a constant below; where an interval contains it, the claim is undecided; how several comparisons go
together, ``lab.comparisons`` says.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from worldwise.core.statistics import CONFIDENCE, Estimate, average, difference
from worldwise.lab.comparisons import ClaimCheck, above, all_of, at_most, more, sure, together
from worldwise.lab.experiment import Verdict
from worldwise.lab.papers.pns06.scores import Score, scores

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from worldwise.lab.experiment import Judge
    from worldwise.lab.papers.pns06.scores import Key
    from worldwise.runs.rows import Row, Rows, Scalar

OVERCONFIDENT, PARANOID, MIXED = "overconfident", "paranoid", "mixed"

DEPTHS = (1, 2, 3)

SHORT, LONG = 30, 90
"""Seconds a move, which are the paper's names of sample sizes."""

NO_LONG = "one column measured"

CELL = ("player", "depth", "seconds")
"""What tells the cells of Figs 2 and 3 apart."""

LITTLE = 0.08
"""EU that is no more than chance in the paper: two of its intervals of "at most 4" percentage points."""

ABOUT = 0.04
"""How far from the paper's number still is about it: its own interval."""

ENOUGH_GAMES = 100
"""The fewest games that can show that a rate is about the paper's."""

FEW_GAMES = 10
"""Of fewer games nothing is concluded, however one-sided they are."""


# ---------------------------------------------------------------------- cells that differ in one thing


class ScorePair(NamedTuple):
    """Two scores, and what they have in common."""

    what: str
    one: Score
    other: Score


def beside(rows: Rows, along: str, one: Scalar, other: Scalar, names: Sequence[str] = CELL) -> list[ScorePair]:
    """The cells that have the one under a name, each with that which has the other and is like it in all else.

    >>> rows = [{"player": player, "depth": 2, "score": 1} for player in ("overconfident", "paranoid")]
    >>> [pair.what for pair in beside(rows, "player", "overconfident", "paranoid", ("player", "depth"))]
    ['depth 2: overconfident less paranoid']
    """
    shared = [name for name in names if name != along]
    found = scores(rows, along, *shared)
    keys = dict.fromkeys(key[1:] for key in found)
    there = [key for key in keys if (one, *key) in found and (other, *key) in found]
    less = f"{_word(along, one)} less {_word(along, other)}"
    return [ScorePair(_join_words(_words(shared, key), less), found[one, *key], found[other, *key]) for key in there]


def _join_words(cell: str, less: str) -> str:
    return f"{cell}: {less}" if cell else less


def gains(
    pairs: Sequence[ScorePair], judged: Callable[[Estimate], bool | None], confidence: float = CONFIDENCE
) -> list[ClaimCheck]:
    """How much more EU the one has than the other, for each pair."""
    found = [(pair, pair.one.gain(pair.other, sure(len(pairs), confidence))) for pair in pairs]
    return [_check(pair.what, gain, judged, pair.one, pair.other) for pair, gain in found]


def utilities(
    found: Mapping[str, Score], judged: Callable[[Estimate], bool | None], confidence: float = CONFIDENCE
) -> list[ClaimCheck]:
    """The EU of each cell."""
    figures = [(what, score, score.utility(sure(len(found), confidence))) for what, score in found.items()]
    return [_check(what, figure, judged, score) for what, score, figure in figures]


def _check(what: str, figure: Estimate, judged: Callable[[Estimate], bool | None], *scores: Score) -> ClaimCheck:
    """A comparison; of few games nothing is concluded."""
    check, games = ClaimCheck.of(what, figure, judged), min(score.games for score in scores)
    if games >= FEW_GAMES or (check.truth is None and check.times is None):
        return check
    return check._replace(truth=None, times=max(check.times or 1.0, FEW_GAMES / games))


def helps(gain: Estimate) -> bool | None:
    """Whether something helps: not if it gains a little at most, which is no more than chance in the paper."""
    return more(gain, LITTLE)


def gains_little(gain: Estimate) -> bool | None:
    """Whether something gains a little at most."""
    return at_most(gain, LITTLE)


def overall_gain(
    pairs: Sequence[ScorePair], judged: Callable[[Estimate], bool | None], confidence: float = CONFIDENCE
) -> list[ClaimCheck]:
    """How much more EU the ones have than the others on average over the pairs, each counting alike; or nothing.

    >>> one, other = Score(40, 0, 100), Score(30, 0, 100)
    >>> pairs = [ScorePair("depth 1", one, other), ScorePair("depth 2", one, one)]
    >>> print(overall_gain(pairs, helps)[0])
    on average over 2 cells, depth 1 +10.0%, depth 2 +0.0%: +5.0% (-4.7% to +14.6%)
    """
    if not pairs:
        return []
    one, other = (
        average([score.utility(confidence) for score in scores]) for scores in zip(*(p[1:] for p in pairs), strict=True)
    )
    parts = {pair.what: pair.one.gain(pair.other).value for pair in pairs}
    return [_check(_mean_of(parts), difference(one, other), judged, *(score for pair in pairs for score in pair[1:]))]


def overall_utility(
    found: Mapping[str, Score], judged: Callable[[Estimate], bool | None], confidence: float = CONFIDENCE
) -> list[ClaimCheck]:
    """The EU on average over cells, each counting alike; nothing if there are none."""
    if not found:
        return []
    mean = average([score.utility(confidence) for score in found.values()])
    parts = {what: score.utility().value for what, score in found.items()}
    return [_check(_mean_of(parts), mean, judged, *found.values())]


def _mean_of(parts: Mapping[str, float]) -> str:
    """What a mean is of, each part with its own figure; one part alone is not."""
    if len(parts) == 1:
        return next(iter(parts))
    told = ", ".join(f"{what} {value:+.1%}" for what, value in parts.items())
    return f"on average over {len(parts)} cells, {told}:"


def cells(rows: Rows, names: Sequence[str] = CELL) -> dict[str, Score]:
    """Scores by their cells in words."""
    return {_words(names, key): score for key, score in scores(rows, *names).items()}


def only(rows: Rows, **wanted: Scalar | Sequence[Scalar]) -> list[Row]:
    """The rows that have one of the wanted values under each of the names.

    >>> only([{"depth": 1}, {"depth": 2}, {"depth": 3}], depth=(2, 3))
    [{'depth': 2}, {'depth': 3}]
    """
    sets = {name: values if isinstance(values, tuple) else (values,) for name, values in wanted.items()}
    return [row for row in rows if all(row[name] in values for name, values in sets.items())]


def _words(names: Sequence[str], key: Key) -> str:
    return ", ".join(_word(name, value) for name, value in zip(names, key, strict=True))


def _word(name: str, value: Scalar) -> str:
    forms = {"player": "{value}", "seconds": "{value} s", "times": "{value} x", "change": "{value}"}
    return forms.get(name, f"{name.replace('_', ' ')} {{value}}").format(value=value)


def searching(rows: Rows) -> list[Row]:
    """The games of the two players of the paper."""
    return only(rows, player=(OVERCONFIDENT, PARANOID))


# ---------------------------------------------------------------------- how each is tested, in a line

MORE_EU = "EU of the one less EU of the other: holds above 0, fails below"
A_LITTLE = "8 percentage points of EU, twice the paper's interval"
HOLDS_IF_MORE = f"holds above 0, fails below 0 or wholly below {A_LITTLE}"
HELPS = f"EU with more less EU with fewer: {HOLDS_IF_MORE}"
HELPS_NOT = f"EU with more less EU with fewer: holds wholly below {A_LITTLE}, fails above that"
ABOUT_RATE = (
    "both rates: fails if more than 4 percentage points, the paper's interval, outside ours; 100 games at least"
)
ON_AVERAGE = "on average over the cells, each counting alike"
USUALLY = f"{ON_AVERAGE}: {HOLDS_IF_MORE}"


# ---------------------------------------------------------------------- Figs 2 and 3


def better_at_each_depth(rows: Rows, confidence: float = CONFIDENCE) -> Verdict:
    """Whether overconfident play has more EU than paranoid play at each depth, whatever the time."""
    pairs = beside(rows, "player", OVERCONFIDENT, PARANOID, ("player", "depth"))
    return all_of(gains(pairs, above, confidence), "not measured")


def usually_better(rows: Rows, confidence: float = CONFIDENCE) -> Verdict:
    """The same on average over depths, whatever the time."""
    pairs = beside(rows, "player", OVERCONFIDENT, PARANOID, ("player", "depth"))
    return all_of(overall_gain(pairs, helps, confidence), "not measured")


def about(player: str, depth: int, wins: float, losses: float) -> Judge:
    """Whether a player wins and loses about as often, in the 30-second column."""

    def verdict(rows: Rows, confidence: float = CONFIDENCE) -> Verdict:
        games = only(rows, player=player, depth=depth, seconds=SHORT)
        if not games:
            return Verdict.of(None, "not measured")
        score = Score.of(games)
        each = sure(2, confidence)
        won, lost = score.won(each), score.lost(each)
        truths = [_is_about(rate, paper) for rate, paper in ((won, wins), (lost, losses))]
        words = f"{score}: {_rate(won)} won, {_rate(lost)} lost"
        return Verdict.of(together(truths), words, ENOUGH_GAMES / score.games)

    return verdict


def _is_about(rate: Estimate, paper: float) -> bool | None:
    """Few games cannot show that a rate is the paper's, only that it is another."""
    if not rate.low - ABOUT <= paper <= rate.high + ABOUT:
        return False
    return True if rate.count >= ENOUGH_GAMES else None


def _rate(rate: Estimate) -> str:
    return f"{rate.value:.1%} ({rate.low:.1%} to {rate.high:.1%})"


def three_is_worse_than_two(rows: Rows, confidence: float = CONFIDENCE) -> Verdict:
    """Whether depth 3, with the boards there is time for, has less EU than depth 2, for both players."""
    return all_of(gains(beside(searching(rows), "depth", 2, 3), above, confidence), "not measured")


def depth_helps_little(rows: Rows, confidence: float = CONFIDENCE) -> Verdict:
    """Whether overconfident play has no more EU at depth 2 than at depth 1, within a little, whatever the time."""
    pairs = beside(only(rows, player=OVERCONFIDENT), "depth", 2, 1, ("player", "depth"))
    return all_of(gains(pairs, gains_little, confidence), "not measured")


def more_time_helps(*depths: int) -> Judge:
    """Whether overconfident play has more EU with 90 seconds than with 30, on average over these depths."""

    def verdict(rows: Rows, confidence: float = CONFIDENCE) -> Verdict:
        pairs = beside(only(rows, player=OVERCONFIDENT, depth=depths), "seconds", LONG, SHORT)
        return all_of(overall_gain(pairs, helps, confidence), NO_LONG)

    return verdict


def more_time_does_not_help(rows: Rows, confidence: float = CONFIDENCE) -> Verdict:
    """Whether paranoid play with 90 seconds has no more EU than with 30 over all depths, within a little."""
    pairs = beside(only(rows, player=PARANOID), "seconds", LONG, SHORT)
    return all_of(overall_gain(pairs, gains_little, confidence), NO_LONG)


def depth_one_needs_no_time(rows: Rows, confidence: float = CONFIDENCE) -> Verdict:
    """Whether depth 1 with 90 seconds has no more EU than with 30, within a little, on average over both players."""
    pairs = beside(only(searching(rows), depth=1), "seconds", LONG, SHORT)
    return all_of(overall_gain(pairs, gains_little, confidence), NO_LONG)


def overconfident_beats(rows: Rows, confidence: float = CONFIDENCE) -> Verdict:
    """Whether overconfident play has an EU above nothing at depths 1 and 2."""
    found = cells(only(rows, player=OVERCONFIDENT, depth=(1, 2)))
    return all_of(utilities(found, above, confidence), "not measured")


def both_usually_beat(rows: Rows, confidence: float = CONFIDENCE) -> Verdict:
    """Whether both players have an EU above nothing on average over depths and times."""
    players = [only(rows, player=player) for player in (OVERCONFIDENT, PARANOID)]
    each = sure(len(players), confidence)
    checks = [check for games in players for check in overall_utility(cells(games), helps, each)]
    return all_of(checks if all(players) else [], "not measured")


def worse_with_depth(rows: Rows, confidence: float = CONFIDENCE) -> Verdict:
    """Whether overconfident play has less EU at depth 3 than at depth 1, and at no step clearly more."""
    games = only(rows, player=OVERCONFIDENT)
    ends = gains(beside(games, "depth", 1, 3), above, sure(2, confidence))
    steps = [pair for low in (1, 2) for pair in beside(games, "depth", low, low + 1)]
    upwards = [check for check in gains(steps, above, sure(2, confidence)) if check.truth is False]
    return all_of([*ends, *upwards], "not measured")


# ---------------------------------------------------------------------- Fig 5

DUEL = ("depth", "against_depth")


def usually_beats_paranoid(rows: Rows, confidence: float = CONFIDENCE) -> Verdict:
    """Whether overconfident play wins more than it loses on average over the cells."""
    return all_of(overall_utility(cells(rows, DUEL), helps, confidence), "not measured")


def beats_at_depth(depth: int) -> Judge:
    """Whether overconfident play wins more than it loses at a depth."""

    def verdict(rows: Rows, confidence: float = CONFIDENCE) -> Verdict:
        return all_of(utilities(cells(only(rows, depth=depth), ("depth",)), helps, confidence), "not measured")

    return verdict


def two_does_best(rows: Rows, confidence: float = CONFIDENCE) -> Verdict:
    """Whether depth 2 has more EU against paranoid play than depths 1 and 3, each depth of it counting alike."""
    found = len(scores(rows, *DUEL))
    if found < len(DEPTHS) ** 2:
        return Verdict.of(None, f"{found} of {len(DEPTHS) ** 2} cells measured")
    each = [overall_gain(beside(rows, "depth", 2, low, DUEL), above, sure(2, confidence)) for low in (1, 3)]
    return all_of([check for checks in each for check in checks], "")
