"""How a line begins, for suits that the sentences of ``words`` are not made for: with ruffs, or led by the defenders.

Only the first trick is said. The rest depends on the cards that fall; as a program, ``SuitLine.play`` has all of it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from worldwise.bridge.suit.phrases import SEAT_NAMES, Language, card_name
from worldwise.bridge.suit.rules import OUT, RUFF
from worldwise.core.game import Side

if TYPE_CHECKING:
    from worldwise.bridge.suit.rules import SuitMove, SuitTable
    from worldwise.bridge.suit.solver import SuitLine


def first_trick_in_words(line: SuitLine) -> str:
    """What is led and played from opposite, or what is played to each lead of the defenders'.

    >>> from worldwise.bridge.suit.rules import Suit
    >>> from worldwise.bridge.suit.solver import SuitSolver
    >>> print(first_trick_in_words(SuitSolver(Suit.of("AQ", "32", defenders_lead="west")).line(2)))
    If West leads the king: play the ace from North. If West leads a low card: play the queen from North.
    """
    solver = line.solver
    if solver.rules.side(solver.root) is Side.MAX:
        lead = line.play(solver.root)
        return f"Lead {card_name(lead.card)} from {SEAT_NAMES[lead.seat]}{_third(line, lead)}. Then as the cards fall."
    answers: dict[tuple[int, str], list[SuitMove]] = {}
    for move in solver.rules.options(solver.root):
        answers.setdefault((move.seat, _answer(line, solver.rules.after(solver.root, move))), []).append(move)
    language = Language(solver.suit)
    return " ".join(
        f"If {SEAT_NAMES[seat]} leads {language.defenders_cards([move.card for move in moves])}: {words}."
        for (seat, words), moves in answers.items()
    )


def _third(line: SuitLine, lead: SuitMove) -> str:
    """What a hand that is out does, if it is the same whatever second hand plays; a card from opposite goes unsaid."""
    rules, solver = line.solver.rules, line.solver
    led = rules.after(solver.root, lead)
    replies = {line.play(table).card for move in rules.options(led) if (table := rules.after(led, move)).trick}
    return {frozenset([RUFF]): " and ruff", frozenset([OUT]): " and discard"}.get(frozenset(replies), "")


def _answer(line: SuitLine, table: SuitTable) -> str:
    if line.solver.rules.side(table) is not Side.MAX:
        return "see what comes"
    move = line.play(table)
    if move.card in (OUT, RUFF):
        return f"{'ruff' if move.card else 'discard'} in {SEAT_NAMES[move.seat]}"
    return f"play {card_name(move.card)} from {SEAT_NAMES[move.seat]}"
