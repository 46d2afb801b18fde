"""Defenders who err, as their definition has it: every card, every layout, nothing kept and nothing equal. An oracle.

Nothing here is taken from ``bridge.suit``. Hands are sets of ranks by seat, N E S W.
"""

from __future__ import annotations

from itertools import combinations
from math import comb

SEATS = "NESW"
OUT = 0


def tricks_face_up(hands, trick=()):
    """What declarer takes if all cards are seen; ``trick`` has (seat, card) pairs."""
    if len(trick) == 4:
        winner = max(trick, key=lambda played: played[1])[0]
        return (winner in "NS") + tricks_face_up(hands)
    if trick:
        seat = SEATS[(SEATS.index(trick[0][0]) + len(trick)) % 4]
        cards = hands[seat] or {OUT}
        found = [tricks_face_up(without(hands, seat, card), (*trick, (seat, card))) for card in cards]
        return max(found) if seat in "NS" else min(found)
    leads = [(seat, card) for seat in "NS" for card in hands[seat]]
    return max((tricks_face_up(without(hands, *lead), (lead,)) for lead in leads), default=0)


def without(hands, seat, card):
    return {one: held - {card} if one == seat else held for one, held in hands.items()}


def honest_card(seat, hands, trick, _dealt, _played, _vacant):
    values = {card: tricks_face_up(without(hands, seat, card), (*trick, (seat, card))) for card in hands[seat]}
    return min(values, key=lambda card: (values[card], card))


def single_dummy_card(seat, hands, trick, dealt, played, vacant):
    """``dealt`` are the hands at the beginning; ``played`` who has played what, 0 for showing out."""
    partner = {"E": "W", "W": "E"}[seat]
    unseen = dealt["S"] | dealt[partner]
    totals = dict.fromkeys(hands[seat], 0)
    for count in range(len(unseen) + 1):
        for cards in combinations(sorted(unseen), count):
            guess = {"S": set(cards), partner: unseen - set(cards)}
            others = 13 + vacant[partner] - len(unseen)
            room = 13 - count
            if not all(fits(guess[one], played[one]) for one in guess) or not 0 <= room <= others:
                continue
            left = {**hands, **{one: guess[one] - set(played[one]) for one in guess}}
            for card in totals:
                after = tricks_face_up(without(left, seat, card), (*trick, (seat, card)))
                totals[card] += comb(others, room) * after
    return min(totals, key=lambda card: (totals[card], card))


def fits(hand, played):
    """Whether a hand can have played so: its own cards, and a discard only when it had none left."""
    shown = set(played) - {OUT}
    return shown <= hand and (OUT not in played or hand == shown)


CHOOSE = {"honest": honest_card, "single-dummy": single_dummy_card}


def tricks_of_line(line, west, east, defence, vacant):
    """How many tricks a line takes in one layout, card by card."""
    rules = line.solver.rules
    suit, table = rules.suit, line.solver.root
    hands = {"N": set(suit.north), "S": set(suit.south), "E": set(east), "W": set(west)}
    dealt, played = dict(hands), {seat: [] for seat in SEATS}
    trick, won = (), 0
    while hands["N"] or hands["S"] or trick:
        seat = SEATS[(SEATS.index(trick[0][0]) + len(trick)) % 4] if trick else None
        if seat is None or (seat in "NS" and hands[seat]):
            move = line.play(table)
            seat, card = SEATS[move.seat], move.card
        elif not hands[seat]:
            card, move = OUT, None if seat in "NS" else type(rules.options(table)[0])(SEATS.index(seat), OUT)
        else:
            card = CHOOSE[defence](seat, hands, trick, dealt, played, vacant)
            top = max(cards for cards in suit.classes if card in cards)[0]
            move = type(rules.options(table)[0])(SEATS.index(seat), top)
        if move is not None:  # the rules leave out a hand of declarer's that has nothing to choose
            table = rules.after(table, move)
        hands, trick = without(hands, seat, card), (*trick, (seat, card))
        played[seat] = [*played[seat], card]
        if len(trick) == 4:
            won += max(trick, key=lambda one: one[1])[0] in "NS"
            trick = ()
    return won


def most_of_any_line(layouts, goal, defence, vacant, cards_of):
    """The weight of the layouts that the best line wins; ``cards_of`` says which of his cards declarer considers."""
    return _Best(goal, defence, vacant, cards_of).at(tuple(layouts), (), 0)


class _Best:
    """Layouts are (dealt, hands, played, weight); all of them look alike to declarer."""

    def __init__(self, goal, defence, vacant, cards_of):
        self.goal, self.choose, self.vacant, self.cards_of = goal, CHOOSE[defence], vacant, cards_of

    def at(self, layouts, trick, won):
        if won >= self.goal:
            return sum(weight for *_, weight in layouts)
        _, hands, _, _ = layouts[0]
        if len(trick) == 4:
            return self.at(layouts, (), won + (max(trick, key=lambda one: one[1])[0] in "NS"))
        if not trick:
            leads = [(seat, card) for seat in "NS" for card in self.cards_of(hands, seat, trick)]
            return max((self.after(layouts, trick, won, *lead) for lead in leads), default=0)
        seat = SEATS[(SEATS.index(trick[0][0]) + len(trick)) % 4]
        if seat in "NS":
            cards = self.cards_of(hands, seat, trick) or [OUT]
            return max(self.after(layouts, trick, won, seat, card) for card in cards)
        groups = {}
        for layout in layouts:
            dealt, held, played, _ = layout
            card = self.choose(seat, held, trick, dealt, played, self.vacant) if held[seat] else OUT
            groups.setdefault(card, []).append(layout)
        return sum(self.after(group, trick, won, seat, card) for card, group in groups.items())

    def after(self, layouts, trick, won, seat, card):
        found = [
            (dealt, without(hands, seat, card), {**played, seat: [*played[seat], card]}, weight)
            for dealt, hands, played, weight in layouts
        ]
        return self.at(tuple(found), (*trick, (seat, card)), won)
