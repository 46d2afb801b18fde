"""Tricks that are planned, against every defence: the kernel against the readable rules, and keys that are whole."""

from __future__ import annotations

import pytest

from suit_lines import random_suits
from worldwise.bridge.suit.facts import Facts, bits_of
from worldwise.bridge.suit.rules import NORTH, SOUTH, Suit, SuitGame, SuitMove
from worldwise.bridge.suit.situations import CompiledTricks, Packing, ReadableTricks, Situation
from worldwise.bridge.suit.solver import SuitSolver
from worldwise.bridge.suit.steps import EITHER, LOW, Step, possible_steps, top_step


def packing_of(suit):
    return Packing(suit.length, len(suit.classes))


def steps_at(table, suit):
    seats = [seat for seat in (NORTH, SOUTH) if (table.north if seat == NORTH else table.south)]
    return [step for alike in possible_steps(table, suit, seats) for step in alike]


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("shown_out", [True, False])
def test_kernel_and_readable_rules_agree(needs_kernels, seed, shown_out):
    """From the start on, and from wherever the first steps lead."""
    compared = 0
    for rng, suit in random_suits(seed, 12, 5):
        solver = SuitSolver(suit)
        levels = solver.line(rng.randint(1, suit.length)).levels
        compiled, readable = CompiledTricks(solver, levels), ReadableTricks(solver, levels)
        packing, places = packing_of(suit), [packing_of(suit).pack(Situation(solver.root))]
        for here in places:
            table = packing.unpack(here).table
            for step in steps_at(table, suit) if len(places) < 40 else []:
                plan = step.plan(table, suit)
                ends = compiled.ends(here, plan, shown_out=shown_out)
                assert ends == readable.ends(here, plan, shown_out=shown_out)
                places += (ends or [])[:2]
                compared += 1
    assert compared > 100


@pytest.mark.parametrize("entries", [(float("inf"), float("inf")), (1, 0)])
def test_keys_are_read_back(entries):
    suit = Suit.of("AQT", "932")
    game, packing = SuitGame(suit, entries=entries), packing_of(suit)
    table = game.root.table
    for move in (SuitMove(NORTH, 14), SuitMove(1, 13), SuitMove(SOUTH, 2), SuitMove(3, 0)):
        table = game.after(table, move)
    last = (SuitMove(NORTH, 14), SuitMove(1, 13), SuitMove(SOUTH, 2), SuitMove(3, 0))
    for here in (Situation(game.root.table), Situation(table, last)):
        assert packing.unpack(packing.pack(here)) == here
    assert packing.unpack(packing.pack(Situation(table, last))).is_known


def test_steps_that_mean_the_same_stand_together():
    suit = Suit.of("AQT9", "432")
    found = list(possible_steps(SuitGame(suit).root.table, suit, (NORTH, SOUTH)))
    assert [Step(SOUTH, LOW, 10), Step(SOUTH, LOW, 9)] in found
    assert [Step(NORTH, 10), Step(NORTH, 9)] in found
    assert [Step(EITHER, LOW)] in found


def test_the_top_is_a_winner_of_the_shorter_hand():
    table = SuitGame(Suit.of("AKQ83", "J2")).root.table
    assert top_step(table, Suit.of("AKQ83", "J2")) == Step(SOUTH, 11)
    assert top_step(SuitGame(Suit.of("KQ83", "J2")).root.table, Suit.of("KQ83", "J2")) == Step(NORTH, 13)


def test_facts_are_kept_apart():
    suit = Suit.of("AQT", "432")
    facts = Facts(suit, SuitSolver(suit).entries)
    game = SuitGame(suit)
    table = game.root.table
    last = (SuitMove(SOUTH, 2), SuitMove(3, 11), SuitMove(NORTH, 12), SuitMove(1, 13))
    for move in last:
        table = game.after(table, move)
    true = facts.read(facts.of(Situation(table, last)))
    assert {("lost",), ("winner", 1), ("loses to", 13), ("falls", (11,)), ("plays", 3, (11,)), ("round", 1)} <= set(
        true
    )
    assert not {("won",), ("low",), ("out", 1)} & set(true)
    assert sum(bits_of(0b1011)) == 0b1011
