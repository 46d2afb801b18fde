"""Opening leads compared: the lead of one who has heard the auction, and of one who has not, on the same boards.

Both lead the card that does best over sampled layouts with all cards face up; only the layouts differ. What each lead
is worth is then seen on the true deal, everybody playing double dummy from there on.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from worldwise.bridge.advice.advise import advise
from worldwise.bridge.layouts.bidding_systems import DEFAULT_SYSTEM, NO_SYSTEM
from worldwise.bridge.solvers.double_dummy import card_tricks
from worldwise.bridge.solvers.pimc import SolverCache
from worldwise.core.statistics import Estimate, mean, paired_difference

if TYPE_CHECKING:
    from collections.abc import Sequence

    from worldwise.bridge.rules.board import Board
    from worldwise.bridge.rules.deal import Card

WORLDS = 20
"""On how many layouts a lead rests."""


@dataclass(frozen=True)
class LeadResult:
    """A lead, the tricks it leaves the defenders on the true deal, and whether these beat the contract."""

    card: Card
    tricks: int
    beats: bool


@dataclass(frozen=True)
class LeadDuel:
    """Two leads from the same hand."""

    heard: LeadResult
    deaf: LeadResult


def compare_leads(board: Board, worlds: int = WORLDS, system: str = DEFAULT_SYSTEM, seed: int = 0) -> LeadDuel:
    """The lead with the auction and the one without, on the true deal."""
    start = board.with_cards(())
    contract = start.play.contract
    view = start.view(contract.leader)
    taken = card_tricks(SolverCache(contract.strain, 1)(board.deal), start.play.position)
    results = []
    for one in (system, NO_SYSTEM):
        card = advise(view, worlds=worlds, algorithm="pimc", system=one, seed=seed, planning=False, trying=False).card
        results.append(LeadResult(card, taken[card], taken[card] > 13 - contract.tricks))
    return LeadDuel(*results)


@dataclass(frozen=True)
class LeadSummary:
    """What some duels come to: how often leads differ, how much oftener the first beats the contract, and tricks."""

    boards: int
    differ: int
    won: int
    lost: int
    beats: Estimate
    tricks: Estimate


def summarise_leads(duels: Sequence[LeadDuel]) -> LeadSummary:
    """All of them together; intervals are for 95 %, board by board."""
    won = sum(duel.heard.beats > duel.deaf.beats for duel in duels)
    lost = sum(duel.heard.beats < duel.deaf.beats for duel in duels)
    differ = sum(duel.heard.card != duel.deaf.card for duel in duels)
    tricks = mean([duel.heard.tricks - duel.deaf.tricks for duel in duels])
    return LeadSummary(len(duels), differ, won, lost, paired_difference(won, lost, len(duels)), tricks)
