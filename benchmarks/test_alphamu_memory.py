"""What alpha-mu keeps in memory over hundreds of deals in one process: what it needs for one of them, and no more.

Double-dummy tables are by far the most of it. They live as long as a board, so the second hundred of deals must add
next to nothing to what the first hundred needed. DDS, which the defence asks at the first tricks where it is found,
stays out of it: it has tables of its own, which grow up to a limit of its own. ``make bench`` prints the figures.
"""

from random import Random

import pytest

from memory import in_use, peak
from worldwise.bridge.layouts.deals_for_contract import deal_for
from worldwise.bridge.players.searchers import AlphaMuPlayer
from worldwise.bridge.players.simple import DoubleDummyPlayer
from worldwise.bridge.players.table import BridgeTable
from worldwise.bridge.rules.contract import Contract
from worldwise.bridge.rules.play import Play
from worldwise.bridge.solvers import double_dummy
from worldwise.kernels import BUILT

pytestmark = [
    pytest.mark.skipif(not BUILT, reason="the compiled kernels were not built on this machine"),
    pytest.mark.skipif(peak() is None, reason="this system does not say how much memory a process has"),
]

DEALS = 200
CONTRACTS = [Contract.read(f"{bid} by S") for bid in ("3NT", "4S", "6H", "7NT")]

MOST, GROWTH = 1024, 10
"""MiB: at any moment, and added by the second half of the deals."""


def play_out(number):
    """A whole deal, declared by alpha-mu against a double-dummy defence."""
    contract = CONTRACTS[number % len(CONTRACTS)]
    table = BridgeTable.of(contract, AlphaMuPlayer(worlds=20, depth=2), DoubleDummyPlayer(), seed=number)
    play = table.play_out(Play(deal_for(contract, Random(number)), contract))
    assert len(play.cards) == 52


def test_hundreds_of_deals(monkeypatch):
    monkeypatch.setattr(double_dummy, "dds_found", lambda: False)
    memory = []
    for number in range(DEALS):
        if number % (DEALS // 2) == 0:
            memory.append((in_use(), peak()))
        play_out(number)
    (before, _), (half, first), (whole, most) = *memory, (in_use(), peak())
    print(
        f"\n{DEALS} deals, M = 2, 20 worlds: {before:.1f} MiB in use before, {half:.1f} MiB after half of them, ",
        end="",
    )
    print(f"{whole:.1f} MiB in the end; at most {first:.0f} MiB in the first half, {most:.0f} MiB in all", end="")
    assert most < MOST
    assert most <= first + GROWTH
    assert whole <= half + GROWTH
