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
from functools import reduce
from operator import or_
from typing import TYPE_CHECKING, Literal

from worldwise.core.front import undominated
from worldwise.core.game import Side
from worldwise.errors import InputError
from worldwise.views.suit_phrases import LOW, SEAT_NAMES, Language, Outlook, Plan, card_name
from worldwise.views.suit_text import Layout, count_words, layouts_of, percent
from worldwise.views.suit_words import LineText, levels_in_words, line_in_words

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from fractions import Fraction

    from worldwise.engines.suit import Mask, SuitSolver
    from worldwise.games.bridge.suit import Move, Table

MOST_SHOWN = 4
"""How many layouts are named before the rest is summed up."""

MOST_PAIRS = 200_000
"""Fronts with more pairs than this are not combined: first lines that differ only in third hand's card become one."""

Cause = Literal["strategy fusion", "non-locality"]


# ---------------------------------------------------------------------- first lines


@dataclass(frozen=True)
class FirstLine:
    """A way to start, its best chance, and the worlds it then wins; ``third`` is None if nothing is to be chosen."""

    name: str
    lead: Move
    third: Move | None
    chance: Fraction
    wins: Mask


def first_lines(solver: SuitSolver, tricks: int) -> list[FirstLine]:
    """Every way to start that differs, the best first; of equals, the one that ``line_in_words`` goes on to explain.

    >>> from worldwise.engines.suit import SuitSolver
    >>> from worldwise.games.bridge.suit import Suit
    >>> for line in first_lines(SuitSolver(Suit.of("AQT", "32")), 2):
    ...     print(line.name, percent(line.chance))
    Finesse the queen 76.00 %
    Finesse the ten 76.00 %
    Cash the ace 52.50 %
    Lead low to the ace 52.50 %
    Lead the ten 50.18 %
    Lead the queen 50.18 %
    """
    starts = _Starts(solver, tricks)
    lines = [line for lead in solver.rules.options(solver.root) for line in starts.with_lead(lead)]
    start = line_in_words(solver, tricks).start
    return sorted(lines, key=lambda line: (-line.chance, line.name != start))


class _Starts:
    """Works out first lines."""

    def __init__(self, solver: SuitSolver, tricks: int) -> None:
        self.solver, self.tricks, self.rules = solver, tricks, solver.rules
        self.best = solver.goal(tricks).wins
        self.view = Outlook(solver, (0,) * (tricks - 1) + (self.best,), tricks)
        self.language = Language(solver.suit)

    def with_lead(self, lead: Move) -> list[FirstLine]:
        """The first lines with a lead, one for each card from opposite."""
        led = self.rules.after(self.solver.root, lead)
        *others, low = [self.rules.after(led, move) for move in self.rules.options(led) if move.card] or [led]
        thirds = self.rules.options(low) if len(low.trick) == 2 else []
        rest = self._all([self._front(table) for table in (*others, *self._shown_out(led))]) if thirds else None
        if rest is None or len(thirds) == 1:
            return [self._line(lead, thirds[0] if len(thirds) == 1 else None, low, self._front(led))]
        fronts = [self._all([rest, self._front(self.rules.after(low, third))]) for third in thirds]
        if None in fronts:
            return [self._line(lead, None, low, self._front(led))]
        return [self._line(lead, third, low, front or []) for third, front in zip(thirds, fronts, strict=True)]

    def _shown_out(self, led: Table) -> list[Table]:
        return [self.rules.after(led, move) for move in self.rules.options(led) if not move.card]

    def _front(self, table: Table) -> list[Mask]:
        """A table's front, in which worlds that it excludes count as won."""
        every = (1 << len(self.solver.suit.worlds)) - 1
        elsewhere = every & ~self.view.possible(table)
        return [mask | elsewhere for mask in self.solver.front(table, self.tricks)]

    def _all(self, fronts: Sequence[list[Mask]]) -> list[Mask] | None:
        """What can be won whichever of the tables the defenders choose; None if there is too much of it."""
        found = [(1 << len(self.solver.suit.worlds)) - 1]
        for front in fronts:
            if len(found) * len(front) > MOST_PAIRS:
                return None
            found = list(undominated({one & other for one in found for other in front}))
        return found

    def _line(self, lead: Move, third: Move | None, low: Table, front: list[Mask]) -> FirstLine:
        # Among equals the one most like the best line, so that only true differences are shown.
        wins = max(front, key=lambda mask: (self.solver.weight(mask), self.solver.weight(mask & self.best)))
        return FirstLine(self._name(lead, third, low), lead, third, self.solver.chance(self.solver.weight(wins)), wins)

    def _name(self, lead: Move, third: Move | None, low: Table) -> str:
        root = self.solver.root
        card = self.view.third_card(low, third) if third else None
        return self.language.step([root], Plan(lead.seat, self.view.lead_card(root, lead), card), self.view).short


def first_line_in_words(solver: SuitSolver, tricks: int, line: FirstLine) -> LineText:
    """How to go on after a first line, in words."""
    return levels_in_words(solver, (0,) * (tricks - 1) + (line.wins,), tricks, line.name)


# ---------------------------------------------------------------------- why


@dataclass(frozen=True)
class Comparison:
    """A first line beside the best: the layouts that only the one wins, and those that only the other does."""

    line: FirstLine
    best: FirstLine
    gains: tuple[Layout, ...]
    losses: tuple[Layout, ...]

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


def compare(solver: SuitSolver, tricks: int, play: Move | FirstLine) -> Comparison:
    """Why a first play, or a first line, is not the best, or that it is.

    >>> from worldwise.engines.suit import SuitSolver
    >>> from worldwise.games.bridge.suit import NORTH, Move, Suit
    >>> print(compare(SuitSolver(Suit.of("AKQ9", "32")), 4, Move(NORTH, 12)).words)
    Cash the ace: 10.34 %, 13.66 % less than: Finesse the nine.
      only this wins: xxxx–JTx 4.44 %, xxxxx–JT 0.73 %
      only the best wins: JTxx–xxx 8.88 %, JTxxx–xx 7.27 %, JTxxxx–x 2.42 %, JTxxxxx–void 0.26 %
    """
    lines = first_lines(solver, tricks)
    line = play if isinstance(play, FirstLine) else next((one for one in lines if one.lead == play), None)
    if line is None:
        known = ", ".join(dict.fromkeys(str(line.lead) for line in lines))
        raise InputError(f"expected one of the first plays {known}, found {play}")
    return _compared(solver, line, lines[0])


def comparisons(solver: SuitSolver, tricks: int) -> list[Comparison]:
    """Every first line beside the best, the best first."""
    lines = first_lines(solver, tricks)
    return [_compared(solver, line, lines[0]) for line in lines]


def _compared(solver: SuitSolver, line: FirstLine, best: FirstLine) -> Comparison:
    gains, losses = line.wins & ~best.wins, best.wins & ~line.wins
    return Comparison(line, best, _likeliest(solver, gains), _likeliest(solver, losses))


def _likeliest(solver: SuitSolver, mask: Mask) -> tuple[Layout, ...]:
    return tuple(sorted(layouts_of(solver.suit, mask), key=lambda layout: -layout.chance))


def layouts_words(layouts: Sequence[Layout], most: int = MOST_SHOWN) -> str:
    """The likeliest layouts with their chances, and how much the rest comes to."""
    shown = layouts if len(layouts) <= most + 1 else layouts[:most]
    parts = [f"{layout.name()} {percent(layout.chance)}" for layout in shown]
    if rest := layouts[len(shown) :]:
        parts.append(f"and {count_words(len(rest), 'other')} {percent(sum(layout.chance for layout in rest))}")
    return ", ".join(parts)


# ---------------------------------------------------------------------- Monte Carlo


class MonteCarloLine:
    """What Monte Carlo sampling plays, all layouts being sampled: FB01's algorithm on tables.

    It solves every layout with the cards face up, and takes the play that wins most of them; the first of equals. A
    front holds every world that some line wins, so its union is what can be won with the cards face up.

    >>> from worldwise.engines.suit import SuitSolver
    >>> from worldwise.games.bridge.suit import Suit
    >>> line = MonteCarloLine(SuitSolver(Suit.of("AKQ9", "32")), 4)
    >>> percent(line.believed), percent(line.chance)
    ('30.14 %', '5.43 %')
    """

    def __init__(self, solver: SuitSolver, tricks: int) -> None:
        self.solver, self.tricks, self.rules = solver, tricks, solver.rules
        every = (1 << len(solver.suit.worlds)) - 1
        self.view = Outlook(solver, (every,) * tricks, tricks)
        self._wins: dict[Table, Mask] = {}

    def play(self, table: Table) -> Move:
        """Its play at a table."""
        return max(self.rules.options(table), key=lambda move: self.believes(self.rules.after(table, move)))

    def believes(self, table: Table) -> int:
        """How many layouts it expects to win from a table on."""
        face_up: Mask = reduce(or_, self.solver.front(table, self.tricks), 0)
        return self.solver.weight(face_up & self.view.possible(table))

    @property
    def believed(self) -> Fraction:
        """The chance that it expects."""
        root = self.solver.root
        return self.solver.chance(self.believes(self.rules.after(root, self.play(root))))

    @property
    def chance(self) -> Fraction:
        """The chance that its line has against best defence."""
        return self.solver.chance(self.solver.weight(self.wins(self.solver.root)))

    def wins(self, table: Table) -> Mask:
        """The worlds that its line wins from a table on."""
        if table not in self._wins:
            self._wins[table] = self._followed(table)
        return self._wins[table]

    def _followed(self, table: Table) -> Mask:
        here = self.view.possible(table)
        if table.tricks >= self.tricks:
            return here
        if not self.believes(table):
            return 0
        if self.rules.side(table) is Side.MAX:
            return self.wins(self.rules.after(table, self.play(table)))
        for move in self.view.defences(table):
            after = self.rules.after(table, move)
            here &= self.wins(after) | ~self.view.possible(after)
        return here


@dataclass(frozen=True)
class MonteCarloError:
    """Where Monte Carlo leaves the best line: what has been played, its play, a better one, the loss, and the cause."""

    believed: Fraction
    chance: Fraction
    best: Fraction
    history: tuple[Move, ...]
    table: Table
    played: Move
    better: Move
    loss: Fraction
    cause: Cause
    words: str


def monte_carlo_error(solver: SuitSolver, tricks: int) -> MonteCarloError | None:
    """Monte Carlo's costliest error; None if its line is as good as the best.

    >>> from worldwise.engines.suit import SuitSolver
    >>> from worldwise.games.bridge.suit import Suit
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
    """What best lines win, if possible after Monte Carlo's first play."""
    solver, root = line.solver, line.solver.root
    best = max(map(solver.weight, solver.front(root, line.tricks)))
    fronts = [solver.front(table, line.tricks) for table in (solver.rules.after(root, line.play(root)), root)]
    found = [[mask for mask in front if solver.weight(mask) == best] for front in fronts]
    return (found[0] or found[1])[:16]


class _Errors:
    """Monte Carlo's errors, measured by what a best line wins."""

    def __init__(self, line: MonteCarloLine, target: Mask) -> None:
        self.line, self.target, self.solver, self.rules = line, target, line.solver, line.rules
        self.view = Outlook(self.solver, (0,) * (line.tricks - 1) + (target,), line.tricks)
        self.seen: set[Table] = set()

    def worst(self) -> MonteCarloError | None:
        """The costliest one."""
        errors = [(self._loss(table), history, table) for history, table in self._found((), self.solver.root)]
        if not errors:
            return None
        loss, history, table = max(errors, key=lambda error: error[0])
        return self._error(loss, history, table)

    def _found(self, history: tuple[Move, ...], table: Table) -> Iterator[tuple[tuple[Move, ...], Table]]:
        """The first errors on every way through Monte Carlo's line."""
        if table in self.seen or not self.view.open(table):
            return
        self.seen.add(table)
        if self.rules.side(table) is Side.MIN:
            moves = list(self.view.defences(table))
        else:
            moves = [self.view.spoken(table, self.line.play(table))]
            if not self.view.secures(self.rules.after(table, moves[0])):
                yield history, table
                return
        for move in moves:
            yield from self._found((*history, move), self.rules.after(table, move))

    def _loss(self, table: Table) -> int:
        wanted, after = self.view.open(table), self.rules.after(table, self.line.play(table))
        kept = max(self.solver.weight(mask & wanted) for mask in self.solver.front(after, self.line.tricks))
        return self.solver.weight(wanted) - kept

    def _error(self, loss: int, history: tuple[Move, ...], table: Table) -> MonteCarloError:
        played = self.view.spoken(table, self.line.play(table))
        better = next(move for move in self.rules.options(table) if self.view.secures(self.rules.after(table, move)))
        cause, lost = self._cause(table, played), self.solver.chance(loss)
        believed, chance, best = self.line.believed, self.line.chance, self.solver.goal(self.line.tricks).chance
        wrong, right = play_words(self.view, table, played), play_words(self.view, table, better)
        words = (
            f"Monte Carlo believes in {percent(believed)}; its line wins {percent(chance)}, the best one "
            f"{percent(best)}.\n{history_words(self.solver, history)}: it would {wrong}, giving up {percent(lost)}; "
            f"right is to {right} ({cause})."
        )
        return MonteCarloError(believed, chance, best, history, table, played, better, lost, cause, words)

    def _cause(self, table: Table, played: Move) -> Cause:
        honest = {move: self._honest(self.rules.after(table, move)) for move in (played, *self.rules.options(table))}
        return "strategy fusion" if honest[played] < max(honest.values()) else "non-locality"

    def _honest(self, table: Table) -> int:
        """The most layouts that a single line wins from a table on."""
        here = self.view.possible(table)
        return max(self.solver.weight(mask & here) for mask in self.solver.front(table, self.line.tricks))


# ---------------------------------------------------------------------- words


def play_words(view: Outlook, table: Table, move: Move) -> str:
    """One of declarer's plays in words: a lead, or third hand's card."""
    if table.trick:
        card = view.third_card(table, move)
        return f"play {card_name(card) if card else 'low'}"
    card = view.lead_card(table, move)
    if card == LOW:
        return f"lead low from {SEAT_NAMES[move.seat]}"
    return f"{'cash' if view.is_winner(table, card) else 'lead'} {card_name(card)}"


def history_words(solver: SuitSolver, history: Sequence[Move]) -> str:
    """What has been played, card by card; a new trick starts after a semicolon."""
    if not history:
        return "At once"
    language, table = Language(solver.suit), solver.root
    tricks: list[list[str]] = []
    for move in history:
        if not table.trick:
            tricks.append([])
        tricks[-1].append(f"{SEAT_NAMES[move.seat]} {language.played(move)}")
        table = solver.rules.after(table, move)
    return "After " + "; ".join(map(", ".join, tricks))
