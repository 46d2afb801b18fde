"""Where Monte Carlo sampling goes wrong in a single suit, and why.

Monte Carlo's error (FB01 section 5.2) is looked for along its own line. As long as its plays secure a best line's wins,
there is none; the first play that does not is an error, and the one that costs most is shown. To say what did it, the
choice is made once more without fusing strategies: each play is worth what a single line can win after it, in all
layouts that are possible there. If Monte Carlo's play is no longer the best, it had counted on layouts that no single
line wins together: *strategy fusion*. If it still is, looking at this position alone misleads: some of the layouts are
lost elsewhere, where the defenders would rather go. That is *non-locality*.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from worldwise.bridge.suit.monte_carlo import MonteCarloLine
from worldwise.bridge.suit.outlook import Outlook
from worldwise.bridge.suit.phrases import SEAT_NAMES, Language, card_name, percent
from worldwise.bridge.suit.sampling import won_by_sampling
from worldwise.bridge.suit.steps import LOW
from worldwise.core.game import Side

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from fractions import Fraction

    from worldwise.bridge.suit.rules import SuitMove, SuitTable
    from worldwise.bridge.suit.solver import SuitSolver
    from worldwise.bridge.suit.weighing import Mask

Cause = Literal["strategy fusion", "non-locality"]

History = tuple["SuitMove", ...]
"""What has been played, card by card."""


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
    Sampling expects 30.14 %, but its line wins 5.43 %; the best line wins 24.00 %.
    After South the two, West the jack or ten, North the queen, East a low card; South the three, West a low card, it
    would play the king and give up 18.57 %; it is right to play the nine (non-locality).
    """
    won = won_by_sampling(solver, tricks)
    if solver.chance(solver.weight(won)) == solver.goal(tricks).chance:
        return None
    line = MonteCarloLine(solver, tricks)
    found = [error for target in _targets(line, won) if (error := _Errors(line, won, target).worst())]
    # Of equally good lines, the one that Monte Carlo follows best.
    return min(found, key=lambda error: error.loss)


def _targets(line: MonteCarloLine, won: Mask) -> list[Mask]:
    """What best lines win, if possible after Monte Carlo's first play; they win what it has won if they can."""
    solver, answer, own = line.solver, line.solver.goal(line.tricks), line.play(line.solver.root)
    leads = [own] if own in answer.first_plays else answer.first_plays
    tables = [solver.rules.after(solver.root, lead) for lead in leads]
    return list(dict.fromkeys(line.most.after([table], liked=won) for table in tables))


class _Errors:
    """Monte Carlo's errors, measured by what a best line wins."""

    def __init__(self, line: MonteCarloLine, won: Mask, target: Mask) -> None:
        self.line, self.won, self.target, self.solver, self.rules = line, won, target, line.solver, line.rules
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
        self.solver.clock.check()
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
        believed, best = self.line.believed, self.solver.goal(self.line.tricks).chance
        chance = self.solver.chance(self.solver.weight(self.won))
        wrong, right = play_words(self.view, table, played), play_words(self.view, table, better)
        words = (
            f"Sampling expects {percent(believed)}, but its line wins {percent(chance)}; the best line wins "
            f"{percent(best)}.\n{history_words(self.solver, history)}, it would {wrong} and give up {percent(lost)}; "
            f"it is right to {right} ({cause})."
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
