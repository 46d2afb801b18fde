"""How well calls describe the hands behind them, on boards whose hands are known.

Two questions are asked. *Does the hand fit?* A call is right if the hand that made it is inside what it shows, and it
says the more the fewer hands fit at all (``CallFit``). *How much does a player learn?* The auction gives every layout a
weight. The share of the true layout in all of them, compared with the share it has if nobody listens, is the *gain*, in
bits: with one bit the truth has become twice as likely, and below zero the auction has misled (``layout_gain``).
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from hashlib import sha256
from math import log2
from random import Random
from typing import TYPE_CHECKING

from worldwise.bridge.layouts.auction import hear_auction, meanings_of
from worldwise.bridge.layouts.bidding_systems import bidding_system
from worldwise.bridge.layouts.drawing import draw_rings
from worldwise.bridge.layouts.meanings import HandFeatures, Sureness, share_outside
from worldwise.bridge.layouts.sampler import Layouts
from worldwise.bridge.rules.deal import PACK, Deal
from worldwise.bridge.rules.view import View
from worldwise.core.statistics import Estimate, mean, wilson

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from worldwise.bridge.layouts.auction import AuctionBelief
    from worldwise.bridge.rules.board import Board

LISTENERS = ("leader", "declarer")
"""Who listens: the opening leader, who sees his own hand, and declarer once dummy is on the table."""

HALVES = ("tuning", "judging")
"""The events that numbers may be chosen on, and those that judge them."""

LAYOUTS = 2048
"""How many layouts stand for all."""


@dataclass(frozen=True)
class CallFit:
    """A call with a meaning: whether the hand was ``inside``, and the share of random hands that are ``outside``."""

    name: str
    sure: Sureness
    inside: bool
    outside: float


def call_fits(board: Board, system: str) -> list[CallFit]:
    """How the calls of a board fit the hands behind them."""
    if board.auction is None:
        return []
    found = []
    for meaning in meanings_of(board.auction, bidding_system(system)):
        inside = not meaning.description.steps(HandFeatures.of([board.deal[meaning.seat]]))[0]
        found.append(CallFit(meaning.name, meaning.sure, inside, share_outside(meaning.description)))
    return found


def listening_views(board: Board) -> dict[str, View]:
    """What each listener knows before he plays a card."""
    contract = board.play.contract
    seats = {"leader": (contract.leader, None), "declarer": (contract.declarer, board.deal[contract.dummy])}
    return {
        name: View(seat, contract, board.deal[seat], dummy, (), PACK, board.auction)
        for name, (seat, dummy) in seats.items()
    }


def layout_gain(view: View, deal: Deal, belief: AuctionBelief, rng: Random, layouts: int = LAYOUTS) -> float:
    """How many bits more likely the true layout is by the auction; what all layouts weigh is estimated from some."""
    drawn, often = draw_rings(Layouts(view), layouts, rng, belief)
    average = float((belief.weights(drawn) / often).sum()) / Layouts(view).count
    return log2(float(belief.weights([deal])[0]) / average)


def board_gains(board: Board, system: str, seed: int = 0) -> dict[str, float]:
    """What every listener gains at a table; 0 where the auction says nothing to him."""
    heard = {name: (view, hear_auction(view, system)) for name, view in listening_views(board).items()}
    return {
        name: layout_gain(view, board.deal, belief, Random(f"{seed} {board.deal}")) if belief else 0.0
        for name, (view, belief) in heard.items()
    }


_MATCH_TAGS = ("Stage", "HomeTeam", "VisitTeam")
_EVENT_TAGS = ("Event", "Date", *_MATCH_TAGS)


def events_of(boards: Iterable[Board]) -> list[str]:
    """The match each board belongs to: all its segments are one, and what is told once holds for the boards after it.

    Where neither stage nor teams are told, every deal is an event of its own.

    >>> from worldwise.bridge.rules.board import Board, Tag
    >>> first = Board(Deal((0, 0, 0, 0)), tags=(Tag("Event", "Club cup"), Tag("Stage", "Final:1")))
    >>> events_of([first, Board(first.deal), Board(first.deal, tags=(Tag("Stage", "Final:2"),))])
    ['Club cup, Final', 'Club cup, Final', 'Club cup, Final']
    """
    last: dict[str, str] = dict.fromkeys(_EVENT_TAGS, "")
    found = []
    for board in boards:
        last |= {name: board.tag(name).partition(":")[0] for name in _EVENT_TAGS if board.tag(name)}
        found.append(", ".join(filter(None, last.values())) if any(map(last.get, _MATCH_TAGS)) else str(board.deal))
    return found


def half_of(event: str) -> str:
    """Which half an event belongs to, by its name alone.

    >>> [half_of(event) for event in ("Club cup, Final", "Club cup, Semifinal")]
    ['tuning', 'judging']
    """
    return HALVES[sha256(event.encode()).digest()[0] & 1]


# ---------------------------------------------------------------------- what many boards come to


@dataclass(frozen=True)
class CallGroup:
    """Calls of one kind: how often the hand was inside, and the share of random hands outside on average."""

    name: str
    sure: Sureness
    inside: Estimate
    outside: float

    @classmethod
    def of(cls, name: str, fits: list[CallFit]) -> CallGroup:
        """Of some calls, equally sure."""
        right, outside = sum(fit.inside for fit in fits), sum(fit.outside for fit in fits)
        return cls(name, fits[0].sure, wilson(right, len(fits)), outside / len(fits))


@dataclass(frozen=True)
class AuctionScores:
    """What some boards say of a system: ``sure`` tells calls by how sure they are, ``kinds`` by their names.

    ``gains`` are bits a deal, by listener: the tables of a deal count as one.
    """

    tables: int
    sure: tuple[CallGroup, ...]
    kinds: tuple[CallGroup, ...]
    gains: Mapping[str, Estimate]


def score_auctions(boards: Iterable[Board], system: str, seed: int = 0) -> AuctionScores:
    """How well a system describes the hands of some boards."""
    fits: list[CallFit] = []
    gains: dict[str, dict[Deal, list[float]]] = {name: defaultdict(list) for name in LISTENERS}
    tables = 0
    for board in boards:
        tables += 1
        fits += call_fits(board, system)
        for name, gain in board_gains(board, system, seed).items():
            gains[name][board.deal].append(gain)
    means = {name: mean([sum(one) / len(one) for one in by.values()]) for name, by in gains.items() if by}
    return AuctionScores(tables, _group(fits, named=False), _group(fits, named=True), means)


def _group(fits: Iterable[CallFit], *, named: bool) -> tuple[CallGroup, ...]:
    """The calls by how sure they are, and by name; the surest first, then the most frequent."""
    found: dict[tuple[Sureness, str], list[CallFit]] = defaultdict(list)
    for fit in fits:
        found[fit.sure, fit.name if named else ""].append(fit)
    order = sorted(found, key=lambda key: (list(Sureness).index(key[0]), -len(found[key])))
    return tuple(CallGroup.of(key[1] or key[0].value, found[key]) for key in order)
