"""How a line begins, for suits that the sentences of ``words`` are not made for: with ruffs, or led by the defenders.

Only the first trick is said. The rest depends on the cards that fall; as a program, ``SuitLine.play`` has all of it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from worldwise.bridge.suit.phrases import SEAT_NAMES, Language, capital, card_name
from worldwise.bridge.suit.rules import OUT, RUFF
from worldwise.bridge.suit.steps import EITHER, LOW, TEN, Step, group_touching, hand
from worldwise.core.game import Side

if TYPE_CHECKING:
    from worldwise.bridge.rules.cards import Rank
    from worldwise.bridge.suit.rules import SuitMove, SuitTable
    from worldwise.bridge.suit.solver import SuitLine


def first_trick_in_words(line: SuitLine) -> str:
    """What is led and played from opposite, or what is played to each lead of the defenders'.

    >>> from worldwise.bridge.suit.rules import Suit
    >>> from worldwise.bridge.suit.solver import SuitSolver
    >>> print(first_trick_in_words(SuitSolver(Suit.of("AQ", "32", defenders_lead="west")).line(2)))
    If West leads the king, play the ace from North. If West leads a low card, play the queen from North.
    >>> print(first_trick_in_words(SuitSolver(Suit.of("AK2", "3", ruffs=1)).line(3)))
    Cash the ace. The rest depends on the fall of the cards.
    """
    solver = line.solver
    if solver.rules.side(solver.root) is Side.MAX:
        return f"{capital(_lead_words(line))}. The rest depends on the fall of the cards."
    answers: dict[tuple[int, str], list[SuitMove]] = {}
    for move in solver.rules.options(solver.root):
        answers.setdefault((move.seat, _answer(line, solver.rules.after(solver.root, move))), []).append(move)
    leaders = [seat for seat, _ in answers]
    language = Language(solver.suit)
    return " ".join(
        f"If {SEAT_NAMES[seat]} leads{_led(language, moves) if leaders.count(seat) > 1 else ''}, {words}."
        for (seat, words), moves in answers.items()
    )


def _led(language: Language, moves: list[SuitMove]) -> str:
    return f" {language.defenders_cards([move.card for move in moves])}"


def _lead_words(line: SuitLine) -> str:
    """The first trick, if second hand plays low."""
    rules, root = line.solver.rules, line.solver.root
    lead = line.play(root)
    led = rules.after(root, lead)
    lowest = min(rules.options(led), key=lambda move: move.card or TEN)
    table = rules.after(led, lowest)
    third = line.play(table).card if table.trick else LOW
    if third in (RUFF, OUT):
        what = "ruff" if third == RUFF else "discard"
        return f"lead {_name(root, line, lead)} from {SEAT_NAMES[lead.seat]} and {what}"
    step = Step(lead.seat, _called(root, line, lead.seat, lead.card), _called(root, line, 2 - lead.seat, third))
    return str(Language(line.solver.suit).step(step if any(step[1:3]) else Step(EITHER, LOW), root))


def _called(root: SuitTable, line: SuitLine, seat: int, card: Rank) -> Rank:
    """A card of declarer's as it is called: the highest of those that touch, or low."""
    if card == LOW or card == hand(root, seat)[-1] < TEN:
        return LOW
    return next(cards[0] for cards in group_touching(root, line.solver.suit, seat) if card in cards)


def _name(root: SuitTable, line: SuitLine, move: SuitMove) -> str:
    called = _called(root, line, move.seat, move.card)
    return card_name(called) if called else "low"


def _answer(line: SuitLine, table: SuitTable) -> str:
    if line.solver.rules.side(table) is not Side.MAX:
        return "see what comes"
    move = line.play(table)
    if move.card in (OUT, RUFF):
        return f"{'ruff' if move.card else 'discard'} in {SEAT_NAMES[move.seat]}"
    return f"play {_name(line.solver.root, line, move)} from {SEAT_NAMES[move.seat]}"
