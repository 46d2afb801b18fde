"""Players without judgement who sit the drill: rules of thumb in several versions, sampling, and chance."""

from __future__ import annotations

from fractions import Fraction

from worldwise.bridge.suit.monte_carlo import MonteCarloLine
from worldwise.bridge.suit.rules import NORTH, SOUTH
from worldwise.bridge.suit.rules_of_thumb import RULES_OF_THUMB, drop, low
from worldwise.bridge.suit.steps import hand


def cheap(view, table):
    """Third hand plays the lowest card that wins so far."""
    best = max(move.card for move in table.trick)
    options = view.solver.rules.options(table)
    if table.trick[0].card == best >= 10:
        return options[0]
    return next((move for move in options if move.card > best), options[0])


def longer(view, table):
    """The lowest card of the longer hand, and third hand high."""
    if table.trick or not (table.north and table.south):
        return drop(view, table)
    seat = max((NORTH, SOUTH), key=lambda seat: (len(hand(table, seat)), seat))
    options = view.solver.rules.options(table)
    return next((move for move in options if move.seat == seat), options[0])


def stronger(view, table):
    """The lowest card of the stronger hand, and third hand high."""
    if table.trick or not (table.north and table.south):
        return drop(view, table)
    other = 2 - low(view, table).seat
    options = view.solver.rules.options(table)
    return next((move for move in options if move.seat == other), options[0])


def winners(view, table):
    """Cash what is high, and then low from the weaker hand."""
    top = drop(view, table)
    return top if table.trick or view.is_winner(table, top.card) else low(view, table)


LEADS = {"low": low, "longer": longer, "stronger": stronger, "drop": drop, "winners": winners}


def third_by(rule, third):
    """The leads of one rule, and third hand's cards of another."""
    return lambda view, table: third(view, table) if table.trick else rule(view, table)


PLAYERS = {
    **RULES_OF_THUMB,
    "low, then cheap": third_by(low, cheap),
    "longer": longer,
    "stronger": stronger,
    "winners": winners,
    "finesse deep": third_by(RULES_OF_THUMB["finesse"], cheap),
}
"""By name: what each plays at a table."""


def gets_through(question, rule):
    """Whether who plays by a rule never plays a card that costs."""
    return _gets_through(question, lambda play: rule(play.defence.view, play.table))


def leads_through(question, rule):
    """Whether who leads by a rule, and plays every other card right, never plays a card that costs."""
    return _gets_through(
        question, lambda play: play.best_move if play.table.trick else rule(play.defence.view, play.table)
    )


def sampling_gets_through(question):
    line = MonteCarloLine(question.solver, question.tricks)
    return _gets_through(question, lambda play: line.play(play.table))


def _gets_through(question, choose):
    play = question.begin()
    while not play.is_over:
        verdict = play.judge(choose(play))
        if verdict.costs:
            return False
        play = verdict.then
    return True


def starts_right(question, rule):
    """Whether the first lead by a rule costs nothing."""
    play = question.begin()
    return not play.judge(rule(play.defence.view, play.table)).costs


def chance_of_luck(play):
    """How likely who plays any of the cards that differ gets through."""
    if play.is_over:
        return Fraction(1)
    options = play.question.solver.rules.options(play.table)
    right = [verdict for move in options if not (verdict := play.judge(move)).costs]
    return sum((chance_of_luck(verdict.then) for verdict in right), Fraction(0)) / len(options)
