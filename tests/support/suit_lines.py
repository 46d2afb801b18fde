"""Suits to try, and whether a line in words wins what it promises."""

from __future__ import annotations

from random import Random

from worldwise.bridge.rules.cards import RANKS
from worldwise.bridge.suit.rules import EAST, NORTH, OUT, WEST, Suit, SuitMove


def lost(place, wanted):
    """The layouts in which some defence stops the text from winning the tricks that are wanted."""
    wanted = {world: tricks for world, tricks in wanted.items() if tricks > place.table.tricks}
    rules, table = place.line.rules, place.table
    if not wanted or rules.side(table) is None:
        return wanted
    seat = (table.trick[0].seat + len(table.trick)) % 4 if table.trick else None
    if seat not in (EAST, WEST):
        move = place.play()
        assert move.card in (table.north if move.seat == NORTH else table.south)
        assert seat in (move.seat, None)
        return lost(place.after(move), wanted)
    is_out = table.west_out if seat == WEST else table.east_out
    found = {}
    for card in [OUT] if is_out else [*(cards[0] for cards in rules.suit.classes), OUT]:
        after = rules.after(table, SuitMove(seat, card))
        possible = {world: tricks for world, tricks in wanted.items() if rules.fits(after, world)}
        if possible:
            found |= lost(place.after(SuitMove(seat, card)), possible)
    return found


def wanted_by(solver, levels, goal):
    """How many tricks the line is to win in every world."""
    if goal is None:
        return {world: sum(mask >> number & 1 for mask in levels) for number, world in enumerate(solver.suit.worlds)}
    return {world: goal * (levels[goal - 1] >> number & 1) for number, world in enumerate(solver.suit.worlds)}


def random_suits(seed, count, most):
    rng = Random(seed)
    for _ in range(count):
        cards = rng.sample(RANKS, rng.randint(1, most))
        cut = rng.randint(0, len(cards))
        yield rng, Suit.of("".join(cards[:cut]) or "-", "".join(cards[cut:]) or "-")
