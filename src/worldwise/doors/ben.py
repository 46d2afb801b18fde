"""BEN's plug-ins, by their call shapes: alpha-mu, SuitC, and the PIMC objects of declarer and defender.

``alphamju``     in place of ``alphamju/alphamju.py``
``SuitCLib``     in place of ``suitc/SuitC.py`` (``worldwise.doors.suitc``)
``BGADLL``       in place of ``pimc/PIMC.py``, and as ``ACEDLL`` of ``ace/ACE.py``
``BGADefDLL``    in place of ``pimc/PIMCDef.py``, and as ``ACEDefDLL`` of ``ace/ACEDef.py``

Nothing needs Windows, .NET or a process of its own. BEN counts cards from 0 (the ace of spades) to 51 (the two of
clubs), and players from declarer's left: 0 the leader, 1 dummy, 2 his partner, 3 declarer, who is always South here.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from math import ceil, floor
from random import Random
from typing import TYPE_CHECKING, Any

import worldwise
from worldwise.bridge.advice.advise import advise
from worldwise.bridge.layouts.constraints import HandRange
from worldwise.bridge.layouts.drawing import WeightedWorlds
from worldwise.bridge.layouts.sampler import Layouts
from worldwise.bridge.players.world_sample import legal_cards
from worldwise.bridge.rules.contract import Contract, Strain, Vulnerability
from worldwise.bridge.rules.deal import SEATS, Deal, Seat, card_name, card_of, read_card, read_hand, set_of
from worldwise.bridge.rules.view import View
from worldwise.bridge.solvers.alphamu import BridgeAlphaMu
from worldwise.core.result import Limit
from worldwise.core.weights import integer_weights
from worldwise.doors.own_worlds import check_weights, read_worlds
from worldwise.doors.suitc import SuitCLib, SuitCTimeout
from worldwise.errors import InputError, LimitReachedError, say_where
from worldwise.search.alphamu_root import Root, ValueKind

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from worldwise.bridge.advice.record import Advice, CardChoice
    from worldwise.bridge.rules.deal import Card
    from worldwise.bridge.solvers.alphamu import AlphaMuValues

__all__ = ["ACEDLL", "BGADLL", "ACEDefDLL", "BGADefDLL", "SuitCLib", "SuitCTimeout", "alphamju", "alphamju_values"]

MOST_WORLDS = 100
"""Of alpha-mu; of more, so many are drawn."""

LEAST_DEPTH, MOST_DEPTH = 2, 4
"""Between these, alpha-mu looks as many decisions ahead as it is asked to."""

TIMEOUT = 10.0
"""Seconds for a call."""


# ---------------------------------------------------------------------- cards


def card_from_52(number: int) -> Card:
    """A card by BEN's number.

    >>> card_name(card_from_52(0)), card_name(card_from_52(51)), card_to_52(read_card("H2"))
    ('SA', 'C2', 25)
    """
    if not 0 <= number < 52:
        raise InputError(f"expected a card's number from 0 to 51, found {number}")
    return card_of(number // 13, 14 - number % 13)


def card_to_52(card: Card) -> int:
    """BEN's number of a card."""
    return 13 * (card >> 4) + 14 - (card & 15)


# ---------------------------------------------------------------------- alpha-mu


@dataclass(frozen=True)
class EndingContract(Contract):
    """What is left of a contract: the tricks that declarer still needs, and who leads, or led, now."""

    needed: int = 0
    first: Seat = Seat.WEST

    @property
    def tricks(self) -> int:
        """How many tricks make it from here on."""
        return self.needed

    @property
    def leader(self) -> Seat:
        """Who leads the first trick that is left."""
        return self.first


def alphamju(
    decisions: int,
    tricks: int,
    suit: str,
    cards: Sequence[int | str],
    worlds: Sequence[str],
    rng: Any = None,
    verbose: bool = False,
    *,
    weights: Sequence[float] | None = None,
    seconds: float = TIMEOUT,
) -> list[tuple[str, int]]:
    """In how many of a hundred worlds a plan that begins with each card takes so many of the tricks left, best first.

    South is to play, or North if the lengths of the hands say so. ``worlds`` are ``W N E S``, the hands that are left,
    with or without the ``cards`` on the table. Without an answer in time the list is empty; figures that are no more
    than bounds are not in it. 100 means all worlds and 0 none. ``weights`` say what each world counts.

    >>> worlds = ["32... AQ... K6... 54...", "K2... AQ... 63... 54..."]
    >>> alphamju(2, 2, "N", [], worlds)
    [('S5', 50), ('S4', 50)]
    """
    try:
        found = alphamju_values(decisions, tricks, suit, cards, worlds, rng, weights=weights, seconds=seconds)
    except LimitReachedError:
        found = None
    told = [] if found is None else percentages(found)
    if verbose:
        said = "no answer in time" if found is None else f"depth {found.depth}, {len(found.worlds)} worlds: {told}"
        sys.stderr.write(f"worldwise alpha-mu: {said}\n")
    return told


def percentages(found: AlphaMuValues) -> list[tuple[str, int]]:
    """Figures as BEN wants them; bounds are none."""
    pairs = [
        (card_name(card), _percent(value.value))
        for cards, value in zip(found.choices, found.found, strict=True)
        if value.kind is not ValueKind.BOUND
        for card in cards
    ]
    return sorted(pairs, key=lambda pair: -pair[1])


def _percent(chance: float) -> int:
    """A chance in whole percent: BEN takes 100 for certain, and 0 for hopeless, and asks for other tricks then.

    >>> _percent(0.999), _percent(0.001), _percent(1.0), _percent(0.0)
    (99, 1, 100, 0)
    """
    return int(chance * 100 + 1e-9) or int(chance > 0)


def alphamju_values(
    decisions: int,
    tricks: int,
    suit: str,
    cards: Sequence[int | str],
    worlds: Sequence[str],
    rng: Any = None,
    *,
    weights: Sequence[float] | None = None,
    seconds: float = TIMEOUT,
) -> AlphaMuValues:
    """The same with all that is known of each figure: whether it is final, how deep it was searched, which worlds."""
    if suit not in tuple("NSHDC"):
        raise InputError(f"expected a strain of NSHDC, found {suit!r}")
    check_weights(weights, len(worlds))
    trick = tuple(read_card(card) if isinstance(card, str) else card_from_52(int(card)) for card in cards)
    chosen = _choose_worlds(len(worlds), rng)
    deals = [_read_world(worlds[number], trick, number) for number in chosen]
    leader = _leader(worlds[chosen[0]], len(trick))
    whole = [_with_trick(deal, trick, leader) for deal in deals]
    contract = EndingContract(1, Strain.of(suit), Seat.SOUTH, 0, max(0, _read_whole("tricks", tricks)), leader)
    north, south = whole[0][Seat.NORTH], whole[0][Seat.SOUTH]
    view = View(Seat.SOUTH, contract, south, north, trick, whole[0].cards)
    _check_alike(whole, view)
    view.expect_turn()
    depth = min(max(_read_whole("decisions", decisions), LEAST_DEPTH), MOST_DEPTH)
    weighed = None if weights is None else [weights[number] for number in chosen]
    return BridgeAlphaMu(depth, root=Root.COMPARE).evaluate(view, whole, Limit(seconds), weights=weighed)


def _read_whole(name: str, number: Any) -> int:
    """A whole number of any type, numpy's say; of what is no number at all every plan would win enough."""
    try:
        whole = int(number)
    except (TypeError, ValueError, OverflowError):
        whole = None
    if whole is None or whole != number:
        raise InputError(f"{name}: expected a whole number, found {number!r}")
    return whole


def _choose_worlds(number: int, rng: Any) -> list[int]:
    """Which worlds are looked at: all, or as many as there may be, drawn by BEN's generator or our own."""
    if number < 1:
        raise InputError("expected at least one world, found none")
    if number <= MOST_WORLDS:
        return list(range(number))
    if rng is None:
        return sorted(Random(0).sample(range(number), MOST_WORLDS))
    return sorted(map(int, rng.choice(number, MOST_WORLDS, replace=False)))


def _read_world(text: str, trick: Sequence[Card], number: int) -> Deal:
    """The hands of a world without the cards on the table."""
    with say_where(f"world {number}"):
        deal = Deal.read(f"W:{text}")
        north, east, south, west = (hand & ~set_of(trick) for hand in deal.hands)
        return Deal((north, east, south, west))


def _leader(text: str, played: int) -> Seat:
    """Who led to the trick: the hands that have played to it are a card shorter; with no card played, South leads."""
    hands = Deal.read(f"W:{text}").hands
    longest = max(hand.bit_count() for hand in hands)
    shorter = [seat for seat in SEATS if hands[seat].bit_count() < longest]
    if played and len(shorter) == played:
        return next(seat for seat in shorter if seat.after(-1 & 3) not in shorter)
    return Seat.SOUTH.after(-played & 3)


def _with_trick(deal: Deal, trick: Sequence[Card], leader: Seat) -> Deal:
    """The hands with the cards on the table taken back."""
    hands = list(deal.hands)
    for step, card in enumerate(trick):
        hands[leader.after(step)] |= 1 << card
    north, east, south, west = hands
    return Deal((north, east, south, west))


def _check_alike(worlds: Sequence[Deal], view: View) -> None:
    for number, world in enumerate(worlds):
        seen = (world[Seat.NORTH], world[Seat.SOUTH]) == (view.dummy, view.hand)
        if not (seen and world.complete and world.cards == view.pack):
            raise InputError(f"world {number}: expected hands of one length, with the cards and hands of the others")


# ---------------------------------------------------------------------- PIMC


WORLDS = 60
"""How many layouts are looked at."""

SUIT_MARGINS, POINT_MARGINS = (3, 1), (5, 2)
"""By how much declarer widens what the auction says, if it is doubtful and if it is not, as BEN's plug-in does."""

DEFENDERS_SUIT_MARGINS = (2, 1)


def _hear_nothing(_self: object, *_told: object) -> None:
    """What this would say follows from the cards played."""


class _Pimc:
    """What declarer's and the defenders' objects have in common: they hear every card, and say what each is worth.

    ``others`` are the two hidden hands, in BEN's order. A caller with worlds of his own, whole deals as dealt with
    declarer South, hands them to ``nextplay``, and their weights.
    """

    seat: Seat
    others: tuple[Seat, Seat]
    margins = SUIT_MARGINS

    def __init__(self, models: Any, hands: Mapping[Seat, str], bid: str, is_decl_vuln: bool, verbose: bool) -> None:
        self.wait = float(getattr(models, "pimc_wait", TIMEOUT))
        self.autoplay = bool(getattr(models, "pimc_autoplaysingleton", False))
        self.worlds = WORLDS
        self.verbose = bool(verbose)
        self.vulnerability = Vulnerability.BOTH if is_decl_vuln else Vulnerability.NONE
        self.played: list[Card] = []
        self.points: dict[Seat, tuple[int, int]] = {}
        self.lengths: dict[Seat, list[tuple[int, int]]] = {}
        self.constraints_updated = False
        if bid is not None:  # without anything, BEN asks for the version only
            told = Contract.read(bid, Seat.SOUTH)
            self.contract = Contract(told.level, told.strain, Seat.SOUTH, told.doubled)
            self.hands = {seat: read_hand(hand) for seat, hand in hands.items()}

    def version(self) -> str:
        """Whose answers these are."""
        return f"worldwise {worldwise.__version__}"

    def set_hcp_constraints(
        self, one_min: float, one_max: float, two_min: float, two_max: float, quality: bool
    ) -> None:
        """The points of both hidden hands as dealt, each from the least to the most."""
        if not self.constraints_updated:
            given, margin = ((one_min, one_max), (two_min, two_max)), POINT_MARGINS[bool(quality)]
            self.points = {seat: _widen(*bounds, margin, 37) for seat, bounds in zip(self.others, given, strict=True)}

    def set_shape_constraints(
        self,
        one_min: Sequence[float],
        one_max: Sequence[float],
        two_min: Sequence[float],
        two_max: Sequence[float],
        quality: bool,
    ) -> None:
        """The lengths of their suits as dealt, spades first; from then on nothing more is taken in."""
        if not self.constraints_updated:
            given, margin = ((one_min, one_max), (two_min, two_max)), self.margins[bool(quality)]
            self.lengths = {
                seat: [_widen(least, most, margin, 13) for least, most in zip(*bounds, strict=True)]
                for seat, bounds in zip(self.others, given, strict=True)
            }
            self.constraints_updated = True

    def set_card_played(self, card52: int, playedBy: int, openinglead: bool = False) -> None:  # noqa: N803, ARG002 BEN's
        """A card, in the order of the play; whose it is follows from that."""
        self.played.append(card_from_52(int(card52)))

    def reset_trick(self) -> None:
        """A new trick: that follows from the cards played. So does all that the next three methods could say."""

    update_trick_needed = update_constraints = update_missing_cards = update_voids = _hear_nothing

    def nextplay(
        self,
        player_i: int,
        shown_out_suits: object = None,  # noqa: ARG002 it follows from the cards played
        missing_cards: object = None,  # noqa: ARG002
        *,
        worlds: Sequence[str] | None = None,
        weights: Sequence[float] | None = None,
    ) -> dict[int, tuple[float, float, float, str]]:
        """For every card the tricks still to come, the score, the chance to make or to beat the contract, and in words
        what kind of figure that is. Score and tricks are averages with all cards seen."""
        view = self._view()
        legal = legal_cards(view)
        if (view.to_move - Seat.WEST) & 3 != player_i:
            raise InputError(f"expected player {(view.to_move - Seat.WEST) & 3}, whose turn it is, found {player_i}")
        if self.autoplay and len(legal) == 1:
            return {card_to_52(legal[0]): (-1, -1, -1, "singleton - no calculation")}
        own = None if worlds is None else _weigh_own(view, worlds, weights)
        advice = self._advice(view, own)
        if self.verbose:
            sys.stderr.write(f"worldwise PIMC: {len(advice.worlds)} layouts, best {card_name(advice.card)}\n")
        won = view.position(advice.worlds[0]).won[self.seat & 1]
        return {card_to_52(card): _figures(choice, advice, won) for choice in advice.choices for card in choice.cards}

    def _view(self) -> View:
        dummy = self.hands[Seat.NORTH] if self.played else None
        return View(self.seat, self.contract, self.hands[self.seat], dummy, tuple(self.played))

    def _advice(self, view: View, own: WeightedWorlds | None) -> Advice:
        told = [self._range(seat) for seat in self.others]
        fits = Layouts(view, told).count > 0
        return advise(
            view,
            worlds=self.worlds,
            constraints=told if fits else (),  # of what cannot be, nothing is believed
            vulnerability=self.vulnerability,
            limit=Limit(self.wait),
            planning=False,
            trying=False,
            own=own,
        )

    def _range(self, seat: Seat) -> HandRange:
        spades, hearts, diamonds, clubs = self.lengths.get(seat, [(0, 13)] * 4)
        return HandRange(seat, self.points.get(seat, (0, 37)), spades, hearts, diamonds, clubs)


def _widen(least: float, most: float, margin: int, highest: int) -> tuple[int, int]:
    """Whole bounds that hold these, with a margin."""
    return max(0, floor(least) - margin), min(highest, ceil(most) + margin)


def _weigh_own(view: View, worlds: Sequence[str], weights: Sequence[float] | None) -> WeightedWorlds:
    """The caller's own worlds; those that are the same are one that counts for all of them."""
    found: dict[Deal, float] = {}
    deals = read_worlds(view, worlds, weights)
    for deal, weight in zip(deals, weights or [1] * len(deals), strict=True):
        found[deal] = found.get(deal, 0) + weight
    found = {deal: weight for deal, weight in found.items() if weight}
    return WeightedWorlds(tuple(found), integer_weights(list(found.values()), len(found)), exact=False)


def _figures(choice: CardChoice, advice: Advice, won: int) -> tuple[float, float, float, str]:
    """What BEN wants of a card."""
    ahead = f" {choice.depth}" if choice.kind is ValueKind.DEPTH else ""
    words = f"{choice.kind.value}{ahead} - {len(advice.worlds)} of {advice.layouts} layouts"
    return round(choice.tricks - won, 2), round(choice.score), round(choice.chance, 2), words


class BGADLL(_Pimc):
    """Declarer's object: ``northhand`` is dummy's, ``southhand`` his own."""

    seat = Seat.SOUTH
    others = (Seat.WEST, Seat.EAST)

    def __init__(
        self,
        models: Any,
        northhand: str,
        southhand: str,
        contract: str,
        is_decl_vuln: bool,
        sampler: object = None,  # noqa: ARG002 layouts are drawn here
        verbose: bool = False,
    ) -> None:
        super().__init__(models, {Seat.NORTH: northhand, Seat.SOUTH: southhand}, contract, is_decl_vuln, verbose)


class BGADefDLL(_Pimc):
    """A defender's object: ``northhand`` is dummy's, ``southhand`` his own; he is player 0, who leads, or 2.

    What is told of hidden hands is told of his partner's first, then of declarer's.
    """

    margins = DEFENDERS_SUIT_MARGINS

    def __init__(
        self,
        models: Any,
        northhand: str,
        southhand: str,
        contract: str,
        is_decl_vuln: bool,
        player_i: int,
        sampler: object = None,  # noqa: ARG002
        verbose: bool = False,
    ) -> None:
        if contract is not None and player_i not in (0, 2):
            raise InputError(f"expected player 0 or 2 as a defender, found {player_i}")
        self.seat = Seat.WEST.after(player_i or 0)
        self.others = (self.seat.partner, Seat.SOUTH)
        super().__init__(models, {Seat.NORTH: northhand, self.seat: southhand}, contract, is_decl_vuln, verbose)


ACEDLL, ACEDefDLL = BGADLL, BGADefDLL
