"""What the kernels and their readable twins must agree on is typed in both languages: here it is compared."""

import pytest

from worldwise.bridge.solvers import alphamu
from worldwise.bridge.suit import rules as suit_rules
from worldwise.bridge.suit import situations
from worldwise.bridge.suit.combination import DEFENDERS_LEAD
from worldwise.kernels import native
from worldwise.kriegspiel.belief import last_message
from worldwise.kriegspiel.belief import weighted_boards as boards
from worldwise.kriegspiel.rules import packing, umpire
from worldwise.kriegspiel.rules.squares import CHESS
from worldwise.search import exact
from worldwise.trees import batches, preorder

pytestmark = pytest.mark.usefixtures("needs_kernels")


def test_trees():
    assert (preorder.LEAF, preorder.MAX, preorder.MIN) == native.KINDS_OF_NODES
    assert batches.MOST_KNOWN == native.MOST_KNOWN
    assert exact.MOST_TABLE_BITS <= native.MOST_TABLE_BITS


def test_bridge():
    assert alphamu.MOST_BITS == native.ALPHA_MU_BITS
    assert suit_rules.OUT == native.SUIT_OUT
    assert suit_rules.RUFF == native.SUIT_RUFF
    assert len(DEFENDERS_LEAD) == native.SUIT_LEADERS
    assert (situations.SIZE, situations.CLASSES) == (native.SUIT_SITUATION, native.SUIT_CLASSES)
    assert (situations.UNLIMITED, situations.NO_HAND) == (native.SUIT_UNLIMITED, native.SUIT_NOBODY)
    assert all(hasattr(native, f"SuitSolver{levels}") for levels in native.SUIT_LEVELS)


def test_boards():
    assert packing.KINDS == native.PIECES
    assert packing.WORDS == native.ROW_WORDS
    assert packing.QUIET_SHIFT == native.QUIET_SHIFT
    assert umpire.MOST_QUIET == native.MOST_QUIET
    assert CHESS.squares == native.NO_SQUARE


def test_messages():
    said = umpire.Message(None, "pawn", (next(iter(umpire.CheckDirection)),), 0, next(iter(umpire.End)))
    assert packing.pack_message(said) == sum(1 << shift for shift in native.MESSAGE_SHIFTS)
    assert packing.pack_message(umpire.Message(tries=254)) == native.PAWN_TRIES


def test_beliefs():
    assert (boards.REFUSED, boards.MADE, boards.OTHER_MADE) == native.HEARD
    assert boards.USUAL_MOVES == native.USUAL_MOVES
    assert (boards.LATER, boards.LEAST_WORTH, boards.WRONG_CAPTURE) == (
        native.LATER,
        native.LEAST_WORTH,
        native.WRONG_CAPTURE,
    )
    assert last_message.ATTEMPTS == native.ATTEMPTS
