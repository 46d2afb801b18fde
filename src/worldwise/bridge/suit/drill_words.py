"""What the drill says: of a question, of cards on the table, of a card that costs, and in the end."""

from __future__ import annotations

from fractions import Fraction
from itertools import groupby
from typing import TYPE_CHECKING

from worldwise.bridge.rules.cards import holding_name
from worldwise.bridge.suit.layouts import layouts_words, likeliest
from worldwise.bridge.suit.phrases import SEAT_NAMES, capital, card_name, count_words, percent
from worldwise.bridge.suit.rules import EAST, OUT, WEST
from worldwise.bridge.suit.steps import hand
from worldwise.bridge.suit.tutor import play_words
from worldwise.bridge.suit.words import line_in_words

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from worldwise.bridge.suit.drill import DrillAttempt, DrillPlay, DrillQuestion, DrillVerdict
    from worldwise.bridge.suit.rules import SuitMove
    from worldwise.bridge.suit.weighing import Mask


def question_name(question: DrillQuestion) -> str:
    """What is asked, in short.

    >>> from worldwise.bridge.suit.drill import DrillQuestion
    >>> from worldwise.bridge.suit.rules import Suit
    >>> from worldwise.bridge.suit.solver import SuitSolver
    >>> question_name(DrillQuestion(SuitSolver(Suit.of("AKQ9", "32")), 4))
    'AKQ9 opposite 32 for 4 tricks'
    """
    suit = question.solver.suit
    hands = " opposite ".join(map(holding_name, (suit.north, suit.south)))
    return f"{hands} for {count_words(question.tricks, 'trick')}"


# ---------------------------------------------------------------------- on the table


def rounds_words(play: DrillPlay, since: int = 0) -> list[str]:
    """The cards played, a line for each round; the first ``since`` cards are left out."""
    found = []
    for number, trick in enumerate(play.rounds, 1):
        fresh = trick[max(since, 0) :]
        since -= len(trick)
        if fresh:
            found.append(f"Round {number}: {', '.join(map(_card_played, fresh))}{_ending(trick)}")
    return found


def _card_played(card: SuitMove) -> str:
    name = SEAT_NAMES[card.seat]
    if card.card == OUT:
        return f"{name} {'shows out' if card.seat in (EAST, WEST) else 'discards'}"
    return f"{name} {card_name(card.card)}"


def _ending(trick: Sequence[SuitMove]) -> str:
    """Who has the trick, once all have played."""
    if len(trick) < 4:
        return "."
    winner = max(trick, key=lambda card: card.card)
    return f". {SEAT_NAMES[winner.seat]} wins."


def turn_words(play: DrillPlay) -> str:
    """Whose turn it is, and what the hands have left."""
    hands = {SEAT_NAMES[seat]: holding_name(hand(play.table, seat)) for seat in play.seats}
    if play.table.trick:
        return " ".join(f"{name} to play, from {cards}." for name, cards in hands.items())
    left = " or ".join(f"{name} ({cards})" for name, cards in hands.items())
    return f"Your lead: {left}. You have {play.table.tricks} of {count_words(play.question.tricks, 'trick')}."


def doing_words(play: DrillPlay, card: SuitMove) -> str:
    """What you do with a card of yours.

    >>> from worldwise.bridge.suit.drill import DrillQuestion
    >>> from worldwise.bridge.suit.rules import NORTH, SOUTH, Suit, SuitMove
    >>> from worldwise.bridge.suit.solver import SuitSolver
    >>> play = DrillQuestion(SuitSolver(Suit.of("AKQ9", "32")), 4).begin()
    >>> doing_words(play, SuitMove(NORTH, 14)), doing_words(play, SuitMove(SOUTH, 2))
    ('cashing the ace', 'leading the two from South')
    """
    if play.table.trick:
        return f"playing {card_name(card.card)}"
    if play.defence.view.is_winner(play.table, card.card):
        return f"cashing {card_name(card.card)}"
    return f"leading {card_name(card.card)} from {SEAT_NAMES[card.seat]}"


def best_words(play: DrillPlay) -> str:
    """What is right here."""
    return play_words(play.defence.view, play.table, play.best_move)


# ---------------------------------------------------------------------- of a card that costs


def verdict_words(verdict: DrillVerdict) -> list[str]:
    """How much a card costs, which layouts it gives up, and how the cards may lie."""
    play = verdict.play
    lines = [f"{capital(_cost_words(verdict, 'cuts'))}.", f"It gives up {_layouts(play, verdict.given_up)}."]
    if verdict.gained:
        lines.append(f"It wins instead {_layouts(play, verdict.gained)}.")
    if verdict.gained_elsewhere:
        lines.append(f"{_elsewhere_words(verdict)}.")
    return [*lines, f"If {layout_words(play, verdict.given_up)}, you are beaten now."]


def _cost_words(verdict: DrillVerdict, cuts: str) -> str:
    after = f"from {percent(verdict.before)} to {percent(verdict.after)}" if verdict.after else "to nothing"
    return f"{doing_words(verdict.play, verdict.move)} {cuts} your chance {after}"


def _elsewhere_words(verdict: DrillVerdict) -> str:
    """Where the sum would not come out otherwise: with another card another plan is best for what did not happen."""
    play, lost = verdict.play, verdict.given_up_elsewhere
    lost_words = f", but not {_layouts(play, lost)}" if lost else ""
    won = _layouts(play, verdict.gained_elsewhere)
    return f"Had the defenders played otherwise, the best plan with this card would win {won}{lost_words}"


def _layouts(play: DrillPlay, worlds: Mask) -> str:
    return layouts_words(likeliest(play.question.solver, worlds))


def layout_words(play: DrillPlay, among: Mask) -> str:
    """The defenders' hands: the likeliest that fit."""
    west, east = (f"has {holding_name(cards)}" if cards else "is void" for cards in play.layout(among))
    return f"West {west} and East {east}"


def hint_words(attempt: DrillAttempt) -> str:
    """Help: first the layouts that you can still win, and if that is not enough, the card."""
    play = attempt.play
    if attempt.hints_here == 1:
        return f"Layouts that you can still win: {_layouts(play, play.won_here)}."
    return f"{capital(best_words(play))}."


# ---------------------------------------------------------------------- in the end


def end_words(attempt: DrillAttempt) -> list[str]:
    """How well a question has been played to the end, and how the cards may lie; or what would have been right."""
    play, question = attempt.play, attempt.question
    if not attempt.is_done:
        return [f"Better: {best_words(play)}."]
    best, tricks = percent(question.answer.chance), count_words(question.tricks, "trick")
    clean = f"Right to the end: {best}, the best there is."
    said = clean if attempt.is_clean else f"To the end, {_help_words(attempt)}."
    told = f"you take your {tricks}" if play.won_here else "you go down: your line wins elsewhere, and as often"
    return [said, f"If {layout_words(play, play.target)}, {told}."]


def _help_words(attempt: DrillAttempt) -> str:
    """With how many slips and hints."""
    counts = {"slip": len(attempt.slips), "hint": attempt.hints}
    return "with " + " and ".join(count_words(count, what) for what, count in counts.items() if count)


def best_line_words(question: DrillQuestion) -> str:
    """The line that is best for the goal."""
    return line_in_words(question.solver, question.tricks).text


def rivals_words(best: Fraction, others: Mapping[str, Fraction]) -> str:
    """What the best line wins, and what others would."""
    found = [f"{name} {percent(chance)}" for name, chance in {"The best line wins": best, **others}.items()]
    return f"{', '.join(found)}."


# ---------------------------------------------------------------------- the review


def longest_streak(attempts: Sequence[DrillAttempt]) -> int:
    """The most questions in a row that were right to the end."""
    return max((len(list(run)) for clean, run in groupby(attempt.is_clean for attempt in attempts) if clean), default=0)


def streak_now(attempts: Sequence[DrillAttempt]) -> int:
    """How many of the last questions were right to the end."""
    return next((place for place, one in enumerate(reversed(attempts)) if not one.is_clean), len(attempts))


def score_words(attempts: Sequence[DrillAttempt]) -> str:
    """How well it went: how many were right, in a row even, and what the first slips have cost."""
    if not attempts:
        return "No answers."
    clean = sum(attempt.is_clean for attempt in attempts)
    lost = sum((attempt.lost for attempt in attempts), Fraction(0)) / len(attempts)
    streak = longest_streak(attempts)
    row = f", {streak} in a row" if streak > 1 else ""
    return f"{clean} of {len(attempts)} right to the end{row}; on average you gave away {percent(lost)}."


def review_words(attempt: DrillAttempt) -> str:
    """A question and how it went, in a few sentences without codes."""
    name, best = question_name(attempt.question), percent(attempt.question.answer.chance)
    if attempt.slips:
        slip = attempt.slips[0]
        return f"{name}: {_cost_words(slip, 'cut')}{_when(slip.play)}. Better: {best_words(slip.play)}."
    if not attempt.is_done:
        return f"{name}: not played to the end."
    return f"{name}: right, {best}." if attempt.is_clean else f"{name}: right, {best}, {_help_words(attempt)}."


def _when(play: DrillPlay) -> str:
    """In which round, after the first."""
    number = len(play.rounds) + (not play.table.trick)
    return "" if number == 1 else f" in round {number}"
