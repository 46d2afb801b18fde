"""Why one line is better than another in a single suit, and where Monte Carlo sampling goes wrong.

A *first line* is what a player would call one: the lead, and the card from opposite if second hand plays low. All that
comes after it is played as well as can be.

Monte Carlo's error (FB01 section 5.2) is looked for along its own line. As long as its plays secure a best line's wins,
there is none; the first play that does not is an error, and the one that costs most is shown. To say what did it, the
choice is made once more without fusing strategies: each play is worth what a single line can win after it, in all
layouts that are possible there. If Monte Carlo's play is no longer the best, it had counted on layouts that no single
line wins together: *strategy fusion*. If it still is, looking at this position alone misleads: some of the layouts are
lost elsewhere, where the defenders would rather go. That is *non-locality*.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Literal, NamedTuple

from worldwise.bridge.suit.layouts import SuitLayout, layouts_of
from worldwise.bridge.suit.monte_carlo import MonteCarloLine
from worldwise.bridge.suit.most_wins import MostWins
from worldwise.bridge.suit.outlook import LOW, Outlook, TrickPlan
from worldwise.bridge.suit.phrases import SEAT_NAMES, Language, card_name, count_words, percent
from worldwise.bridge.suit.words import LineText, levels_in_words, line_in_words
from worldwise.core.game import Side
from worldwise.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from fractions import Fraction

    from worldwise.bridge.suit.rules import SuitMove, SuitTable
    from worldwise.bridge.suit.solver import SuitSolver
    from worldwise.bridge.suit.weighing import Mask

MOST_SHOWN = 4
"""How many layouts are named before the rest is summed up."""

Cause = Literal["strategy fusion", "non-locality"]

History = tuple["SuitMove", ...]
"""What has been played, card by card."""


# ---------------------------------------------------------------------- first lines


@dataclass(frozen=True)
class FirstLine:
    """A way to start, its best chance, and the worlds it then wins; ``third`` is None if nothing is to be chosen."""

    name: str
    lead: SuitMove
    third: SuitMove | None
    chance: Fraction
    wins: Mask


def first_lines(solver: SuitSolver, tricks: int) -> list[FirstLine]:
    """Every way to start that differs, the best first; of equals, the one that ``line_in_words`` goes on to explain.

    >>> from worldwise.bridge.suit.solver import SuitSolver
    >>> from worldwise.bridge.suit.rules import Suit
    >>> for line in first_lines(SuitSolver(Suit.of("AQT", "32")), 2):
    ...     print(line.name, percent(line.chance))
    Finesse the ten 76.00 %
    Finesse the queen 76.00 %
    Cash the ace 52.50 %
    Lead low to the ace 52.50 %
    Lead the ten 50.18 %
    Lead the queen 50.18 %
    """
    starts = _Starts(solver, tricks)
    return starts.rank(map(starts.line, starts.every()))


class _Start(NamedTuple):
    """A first line that has not been valued: the defenders choose between the tables."""

    name: str
    lead: SuitMove
    third: SuitMove | None
    tables: tuple[SuitTable, ...]


class _Starts:
    """Works out first lines, and no more of them than are asked for."""

    def __init__(self, solver: SuitSolver, tricks: int) -> None:
        self.solver, self.rules = solver, solver.rules
        self.answer = solver.goal(tricks)
        self.view = Outlook(solver, (0,) * (tricks - 1) + (self.answer.wins,), tricks)
        self.language, self.most = Language(solver.suit), MostWins(solver, tricks)

    # ------------------------------------------------------------------ which there are

    def every(self) -> list[_Start]:
        """All of them."""
        return [start for lead in self.answer.plays for start in self._with_lead(lead)]

    def _with_lead(self, lead: SuitMove) -> Iterator[_Start]:
        """The first lines with a lead, one for each card from opposite."""
        led = self.rules.after(self.solver.root, lead)
        seconds = [self.rules.after(led, move) for move in self.rules.options(led)]
        low = [table for table in seconds if table[2:4] != led[2:4]][-1:] or [led]
        thirds = self.rules.options(low[0]) if len(low[0].trick) == 2 else []
        if len(thirds) < 2:
            third = thirds[0] if thirds else None
            yield _Start(self._name(lead, third, low[0]), lead, third, (led,))
            return
        others = [table for table in seconds if table != low[0]]
        for third in thirds:
            tables = (*others, self.rules.after(low[0], third))
            yield _Start(self._name(lead, third, low[0]), lead, third, tables)

    def _name(self, lead: SuitMove, third: SuitMove | None, low: SuitTable) -> str:
        root = self.solver.root
        card = self.view.third_card(low, third) if third else None
        return self.language.step([root], TrickPlan(lead.seat, self.view.lead_card(root, lead), card), self.view).short

    # ------------------------------------------------------------------ what they win

    def line(self, start: _Start) -> FirstLine:
        """A first line and what it wins; among equals as much as can be of what the best line wins.

        So only true differences are shown, and a start that the best line may have wins just what that does.
        """
        best = self.answer.wins
        wins = best if self._is_best(start) else self.most.after(start.tables, liked=best)
        return FirstLine(start.name, start.lead, start.third, self.solver.chance(self.solver.weight(wins)), wins)

    def best(self) -> FirstLine:
        """The best one; if it can be, the one that is explained."""
        starts = [start for lead in self.answer.first_plays for start in self._with_lead(lead)]
        return self.rank(map(self.line, list(filter(self._is_best, starts)) or starts))[0]

    def rank(self, lines: Iterable[FirstLine]) -> list[FirstLine]:
        """The best first; of equals, the one that is explained, which takes a while to find out."""
        found = sorted(lines, key=lambda line: -line.chance)
        if len({line.name for line in found if line.chance == found[0].chance}) > 1:
            found.sort(key=lambda line: (-line.chance, line.name != self.explained))
        return found

    @cached_property
    def explained(self) -> str:
        """How the best line begins, in words."""
        return line_in_words(self.solver, self.answer.tricks).start

    def _is_best(self, start: _Start) -> bool:
        return all(map(self.view.secures, start.tables))


def first_line_in_words(solver: SuitSolver, tricks: int, line: FirstLine) -> LineText:
    """How to go on after a first line, in words."""
    return levels_in_words(solver, (0,) * (tricks - 1) + (line.wins,), tricks, line.name)


# ---------------------------------------------------------------------- why


@dataclass(frozen=True)
class Comparison:
    """A first line beside the best: the layouts that only the one wins, and those that only the other does."""

    line: FirstLine
    best: FirstLine
    gains: tuple[SuitLayout, ...]
    losses: tuple[SuitLayout, ...]

    @property
    def costs(self) -> Fraction:
        """What it gives away."""
        return self.best.chance - self.line.chance

    @property
    def words(self) -> str:
        """The comparison in a few lines."""
        start = f"{self.line.name}: {percent(self.line.chance)}"
        if not self.costs:
            start += ", the best there is" if not (self.gains or self.losses) else f", as good as: {self.best.name}"
        else:
            start += f", {percent(self.costs)} less than: {self.best.name}"
        lists = [("only this wins", self.gains), ("only the best wins", self.losses)]
        return "\n".join([f"{start}.", *(f"  {what}: {layouts_words(found)}" for what, found in lists if found)])


def compare(solver: SuitSolver, tricks: int, play: SuitMove | str) -> Comparison:
    """Why a first play, or a first line by its name, is not the best, or that it is.

    >>> from worldwise.bridge.suit.solver import SuitSolver
    >>> from worldwise.bridge.suit.rules import NORTH, SuitMove, Suit
    >>> print(compare(SuitSolver(Suit.of("AKQ9", "32")), 4, SuitMove(NORTH, 12)).words)
    Cash the ace: 10.34 %, 13.66 % less than: Finesse the nine.
      only this wins: xxxx–JTx 4.44 %, xxxxx–JT 0.73 %
      only the best wins: JTxx–xxx 8.88 %, JTxxx–xx 7.27 %, JTxxxx–x 2.42 %, JTxxxxx–void 0.26 %
    """
    starts = _Starts(solver, tricks)
    every = starts.every()
    asked = [start for start in every if play in (start.lead, start.name)]
    if not asked:
        known = ", ".join(dict.fromkeys(str(start.lead) for start in every))
        raise InputError(f"expected one of the first plays {known or '(there are none)'}, found {play}")
    return _compare(solver, starts.rank(map(starts.line, asked))[0], starts.best())


def first_line_names(solver: SuitSolver, tricks: int) -> list[str]:
    """What the first lines are called, each once."""
    return list(dict.fromkeys(start.name for start in _Starts(solver, tricks).every()))


def comparisons(solver: SuitSolver, tricks: int) -> list[Comparison]:
    """Every first line beside the best, the best first."""
    lines = first_lines(solver, tricks)
    return [_compare(solver, line, lines[0]) for line in lines]


def _compare(solver: SuitSolver, line: FirstLine, best: FirstLine) -> Comparison:
    gains, losses = line.wins & ~best.wins, best.wins & ~line.wins
    return Comparison(line, best, likeliest(solver, gains), likeliest(solver, losses))


def likeliest(solver: SuitSolver, mask: Mask) -> tuple[SuitLayout, ...]:
    """The layouts of a set of worlds, the likeliest first."""
    return tuple(sorted(layouts_of(solver.suit, mask), key=lambda layout: -layout.chance))


def layouts_words(layouts: Sequence[SuitLayout], most: int = MOST_SHOWN) -> str:
    """The likeliest layouts with their chances, and how much the rest comes to."""
    shown = layouts if len(layouts) <= most + 1 else layouts[:most]
    parts = [f"{layout.name()} {percent(layout.chance)}" for layout in shown]
    if rest := layouts[len(shown) :]:
        parts.append(f"and {count_words(len(rest), 'other')} {percent(sum(layout.chance for layout in rest))}")
    return ", ".join(parts)


# ---------------------------------------------------------------------- Monte Carlo


@dataclass(frozen=True)
class MonteCarloError:
    """Where Monte Carlo leaves the best line: what has been played, its play, a better one, the loss, and the cause."""

    believed: Fraction
    chance: Fraction
    best: Fraction
    history: History
    table: SuitTable
    played: SuitMove
    better: SuitMove
    loss: Fraction
    cause: Cause
    words: str


def monte_carlo_error(solver: SuitSolver, tricks: int) -> MonteCarloError | None:
    """Monte Carlo's costliest error; None if its line is as good as the best.

    >>> from worldwise.bridge.suit.solver import SuitSolver
    >>> from worldwise.bridge.suit.rules import Suit
    >>> print(monte_carlo_error(SuitSolver(Suit.of("AKQ9", "32")), 4).words)
    Monte Carlo believes in 30.14 %; its line wins 5.43 %, the best one 24.00 %.
    After South the two, West the jack or ten, North the queen, East a low card; South the three, West a low card:
    it would play the king, giving up 18.57 %; right is to play the nine (non-locality).
    """
    line = MonteCarloLine(solver, tricks)
    if line.chance == solver.goal(tricks).chance:
        return None
    found = [error for target in _targets(line) if (error := _Errors(line, target).worst())]
    # Of equally good lines, the one that Monte Carlo follows best.
    return min(found, key=lambda error: error.loss)


def _targets(line: MonteCarloLine) -> list[Mask]:
    """What best lines win, if possible after Monte Carlo's first play; they win what it wins if they can."""
    solver, answer, own = line.solver, line.solver.goal(line.tricks), line.play(line.solver.root)
    leads = [own] if own in answer.first_plays else answer.first_plays
    tables = [solver.rules.after(solver.root, lead) for lead in leads]
    return list(dict.fromkeys(line.most.after([table], liked=line.wins(solver.root)) for table in tables))


class _Errors:
    """Monte Carlo's errors, measured by what a best line wins."""

    def __init__(self, line: MonteCarloLine, target: Mask) -> None:
        self.line, self.target, self.solver, self.rules = line, target, line.solver, line.rules
        self.view = Outlook(self.solver, (0,) * (line.tricks - 1) + (target,), line.tricks)
        self.seen: set[SuitTable] = set()

    def worst(self) -> MonteCarloError | None:
        """The costliest one."""
        errors = [(self._loss(table), history, table) for history, table in self._first_errors((), self.solver.root)]
        if not errors:
            return None
        loss, history, table = max(errors, key=lambda error: error[0])
        return self._error(loss, history, table)

    def _first_errors(self, history: History, table: SuitTable) -> Iterator[tuple[History, SuitTable]]:
        """The first errors on every way through Monte Carlo's line."""
        if table in self.seen or not self.view.open(table):
            return
        self.seen.add(table)
        if self.rules.side(table) is Side.MIN:
            moves = list(self.view.defences(table))
        else:
            moves = [self.view.spoken_move(table, self.line.play(table))]
            if not self.view.secures(self.view.after(table, moves[0])):
                yield history, table
                return
        for move in moves:
            yield from self._first_errors((*history, move), self.view.after(table, move))

    def _loss(self, table: SuitTable) -> int:
        wanted, after = self.view.open(table), self.view.after(table, self.line.play(table))
        return self.solver.weight(wanted & ~self.line.most.after([after], wanted))

    def _error(self, loss: int, history: History, table: SuitTable) -> MonteCarloError:
        played = self.view.spoken_move(table, self.line.play(table))
        better = next(move for move in self.rules.options(table) if self.view.secures(self.view.after(table, move)))
        cause, lost = self._cause(table, played), self.solver.chance(loss)
        believed, chance, best = self.line.believed, self.line.chance, self.solver.goal(self.line.tricks).chance
        wrong, right = play_words(self.view, table, played), play_words(self.view, table, better)
        words = (
            f"Monte Carlo believes in {percent(believed)}; its line wins {percent(chance)}, the best one "
            f"{percent(best)}.\n{history_words(self.solver, history)}: it would {wrong}, giving up {percent(lost)}; "
            f"right is to {right} ({cause})."
        )
        return MonteCarloError(believed, chance, best, history, table, played, better, lost, cause, words)

    def _cause(self, table: SuitTable, played: SuitMove) -> Cause:
        honest = {
            move: self._most_of_one_line(self.view.after(table, move)) for move in (played, *self.rules.options(table))
        }
        return "strategy fusion" if honest[played] < max(honest.values()) else "non-locality"

    def _most_of_one_line(self, table: SuitTable) -> int:
        """The most layouts that a single line wins from a table on."""
        return self.solver.weight(self.line.most.after([table], self.view.possible(table)))


# ---------------------------------------------------------------------- words


def play_words(view: Outlook, table: SuitTable, move: SuitMove) -> str:
    """One of declarer's plays in words: a lead, or third hand's card."""
    if table.trick:
        card = view.third_card(table, move)
        return f"play {card_name(card) if card else 'low'}"
    card = view.lead_card(table, move)
    if card == LOW:
        return f"lead low from {SEAT_NAMES[move.seat]}"
    return f"{'cash' if view.is_winner(table, card) else 'lead'} {card_name(card)}"


def history_words(solver: SuitSolver, history: Sequence[SuitMove]) -> str:
    """What has been played, card by card; a new trick starts after a semicolon."""
    if not history:
        return "At once"
    language, table = Language(solver.suit), solver.root
    tricks: list[list[str]] = []
    for move in history:
        if not table.trick:
            tricks.append([])
        tricks[-1].append(f"{SEAT_NAMES[move.seat]} {language.played_words(move)}")
        table = solver.rules.after(table, move)
    return "After " + "; ".join(map(", ".join, tricks))
