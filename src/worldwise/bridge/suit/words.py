"""A line of play for a single suit in words, as a player would say it: complete, and regular enough to be read back.

``writer`` finds what to say, here it is said. The words leave out what goes without saying, and ``steps`` has what that
is: a step is repeated until its card has been played, second hand's high cards are beaten as cheaply as possible, and
in the end everything is played from the top. Layouts that the line gives up are not spoken of.
``tests/support/suit_reader.py`` plays the text; what its words mean is written down there.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, cast

from worldwise.bridge.suit.first_trick import first_trick_in_words
from worldwise.bridge.suit.phrases import ORDINALS, Language, capital
from worldwise.bridge.suit.steps import top_step
from worldwise.bridge.suit.writer import write_text

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from worldwise.bridge.suit.fronts import Levels
    from worldwise.bridge.suit.solver import SuitLine, SuitSolver
    from worldwise.bridge.suit.steps import Step
    from worldwise.bridge.suit.texts import Block, Case, Wording

NOTHING = "Nothing can be done"
"""All that can be said of a line that wins nowhere."""

MARKED = "If a defender shows out, the rest is marked."
"""Every card is known then: play as one who sees them."""

SHORT = 2
"""As many sentences are shown whole in an overview."""


@dataclass(frozen=True)
class LineText:
    """A line of play in words: ``start`` is its first trick, ``summary`` what fits a table, ``text`` all of it."""

    start: str
    summary: str
    text: str

    def __str__(self) -> str:
        return self.text


def line_in_words(solver: SuitSolver, tricks: int | None = None) -> LineText:
    """The best line for a goal, or for the most tricks on average, in words.

    >>> from worldwise.bridge.suit.solver import SuitSolver
    >>> from worldwise.bridge.suit.rules import Suit
    >>> print(line_in_words(SuitSolver(Suit.of("AQT", "32")), 2))
    Finesse the ten, then the queen.
    >>> print(line_in_words(SuitSolver(Suit.of("AKQT", "432")), 4))
    Play from the top. If East shows out, finesse the ten.
    """
    return line_words(solver.line(tricks))


def line_words(line: SuitLine) -> LineText:
    """Any line in words, whatever it is best for; lines that win the same worlds are one and have one text."""
    solver = line.solver
    if not solver.suit.is_plain:
        return LineText(*[first_trick_in_words(line)] * 3)
    if line.levels not in solver.texts:
        solver.texts[line.levels] = levels_in_words(solver, line.levels)
    text: LineText = solver.texts[line.levels]
    return text


def levels_in_words(solver: SuitSolver, levels: Levels, firsts: Sequence[Step] | None = None) -> LineText:
    """A line that wins in the worlds of ``levels`` in words; it may have to begin with one of some steps."""
    if not any(levels):
        return LineText(NOTHING, f"{NOTHING}.", f"{NOTHING}.")
    return _Printer(solver, write_text(solver, levels, firsts)).text()


class _Printer:
    """Says a text."""

    def __init__(self, solver: SuitSolver, text: Wording) -> None:
        self.solver, self.said, self.language = solver, text, Language(solver.suit)

    def text(self) -> LineText:
        """All of it, and its short forms."""
        block, root = self.said.block, self.solver.root
        first = block.chain[0] if block.chain else top_step(root, self.solver.suit)
        lines = [*self._lines(block), *[MARKED] * self.said.is_marked]
        whole = "\n".join(lines) if len(lines) > SHORT else " ".join(lines)
        begins = self._chain(block)
        summary = whole if len(lines) <= SHORT else f"{begins}, with exceptions."
        return LineText(capital(str(self.language.step(first._replace(instead=()), root))), summary, whole)

    def _chain(self, block: Block) -> str:
        return capital(self.language.chain(block.chain, block.table or self.solver.root))

    def _lines(self, block: Block) -> Iterator[str]:
        """The sentences; what hangs on a condition and has exceptions of its own is indented."""
        yield f"{self._chain(block)}."
        for case in block.exceptions:
            start = self._when(case, single=len(block.chain) == 1)
            if case.block.exceptions:
                yield f"{start}:"
                yield from (f"  {line}" for line in self._lines(case.block))
            else:
                yield f"{start}, {_small(self._chain(case.block))}."

    def _when(self, case: Case, *, single: bool) -> str:
        """Facts that are told apart, such as the round, may have the same words; these are said once."""
        told = [self.said.facts.read(bits) for bits in case.conditions]
        if [[fact[0] for fact in facts] for facts in told] == [["round"]]:
            return f"On the {ORDINALS[cast('int', told[0][0][1])]} round"
        return f"If {', or if '.join(dict.fromkeys(self.language.condition(facts, single=single) for facts in told))}"


def _small(words: str) -> str:
    return words[:1].lower() + words[1:]
