"""A board: the record of a deal at a table, as far as it is known.

``BoardFile`` is what a file gave: the boards that could be read, and for each of the others an error that says why not.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

from worldwise.bridge.rules.contract import Contract, Vulnerability
from worldwise.bridge.rules.deal import PACK, SEATS, Card, Deal, Seat, card_name, cards_in
from worldwise.bridge.rules.play import Play, check_card, winning_place
from worldwise.bridge.rules.scoring import north_south_score
from worldwise.bridge.rules.view import View
from worldwise.errors import InputError, PlacedError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from worldwise.bridge.rules.auction import Auction
    from worldwise.bridge.rules.play import Position

Names = tuple[str, str, str, str]
"""The players, North first and clockwise; an empty name is not known."""

NOBODY: Names = ("", "", "", "")

_FIRST_TAGS = ("Event", "Site", "Date", "Scoring")


@dataclass(frozen=True)
class Tag:
    """Anything else that is told of a board, as PBN tells it: a name, a value, perhaps rows of a table."""

    name: str
    value: str
    rows: tuple[str, ...] = ()


@dataclass(frozen=True)
class Board:
    """A deal, its number, dealer and vulnerability, and what happened: auction, contract, cards in order, tricks.

    Only the deal must be given; a hand that is not known is empty. The contract follows from a complete auction, and
    declarer's ``tricks`` from a complete play; where both are given they must agree. ``tricks`` without all cards
    played is a claim, or a result that somebody wrote down.

    >>> from worldwise.bridge.rules.auction import Auction
    >>> deal = Deal.read("N:A2... K3... Q4... J5...")
    >>> board = Board(deal, number=7, auction=Auction.read("S: 1NT AP"), dealer=Seat.SOUTH)
    >>> str(board.contract), board.play.turn, board.tricks
    ('1NT by S', Seat.WEST, None)
    """

    deal: Deal
    number: int | None = None
    dealer: Seat = Seat.NORTH
    vulnerability: Vulnerability = Vulnerability.NONE
    auction: Auction | None = None
    contract: Contract | None = None
    cards: tuple[Card, ...] = ()
    tricks: int | None = None
    names: Names = NOBODY
    tags: tuple[Tag, ...] = ()
    comment: str = ""

    def __post_init__(self) -> None:
        check_hands(self.deal)
        self._settle("contract", agree_contract(self.dealer, self.auction, self.contract))
        if self.cards:
            self.__dict__["play"] = check_play(self.deal, self.contract, self.cards)
        self._settle("tricks", self._check_tricks())
        self._settle("tags", tuple(sorted(self.tags, key=_tag_place)))

    def _settle(self, name: str, value: object) -> None:
        object.__setattr__(self, name, value)

    def _check_tricks(self) -> int | None:
        if self.tricks is not None and not 0 <= self.tricks <= 13:
            raise InputError(f"expected from 0 to 13 tricks, found {self.tricks!r}")
        if not self.cards or not self.play.position.over or len(self.cards) < 52:
            return self.tricks
        won = self.play.declarer_tricks
        if self.tricks not in (None, won):
            raise InputError(f"expected the {won} tricks that the play gives declarer, found {self.tricks!r}")
        return won

    # ------------------------------------------------------------------ what follows from it

    @property
    def passed_out(self) -> bool:
        """Whether nobody bid."""
        return self.auction is not None and self.auction.passed_out

    @cached_property
    def play(self) -> Play:
        """The play so far, by the rules; a hand that is not known counts as the cards it has played."""
        if self.contract is None:
            raise InputError("expected a board with a contract, found none" + (", passed out" * self.passed_out))
        return Play(told_deal(self.deal, self.contract, self.cards), self.contract, self.cards)

    def view(self, seat: Seat) -> View:
        """What a seat knows: it does not depend on hands this seat cannot see, so these may be missing.

        >>> from worldwise.bridge.rules.deal import read_card
        >>> deal = Deal.read("N:AKQ2.A2.K432.432 - J43.KQJ.AQ5.AKQ5 -")
        >>> board = Board(deal, contract=Contract.read("6NT by S"), cards=(read_card("H9"),))
        >>> board.view(Seat.SOUTH).hidden
        (Seat.EAST, Seat.WEST)
        """
        contract = self.play.contract
        dummy = self.deal[contract.dummy] if self.cards else None
        if not self.deal[seat] or dummy == 0:
            raise InputError(f"expected to know {seat if not self.deal[seat] else 'dummy'}'s hand, found it hidden")
        return View(seat, contract, self.deal[seat], dummy, self.cards, self._pack(), self.auction)

    def _pack(self) -> int:
        """All cards that were dealt."""
        longest = max(hand.bit_count() for hand in self.deal.hands)
        if not self.deal.complete and longest < 13:
            raise InputError(f"expected all four hands of an ending, or hands of 13 cards, found {self.deal}")
        return self.deal.cards if self.deal.complete else PACK

    @property
    def score(self) -> int | None:
        """North-South's points; None as long as the result is not known."""
        if self.passed_out:
            return 0
        if self.contract is None or self.tricks is None:
            return None
        return north_south_score(self.contract, self.tricks, self.vulnerability)

    def tag(self, name: str) -> str:
        """The value of a tag, empty if there is none.

        >>> Board(Deal((0, 0, 0, 0)), tags=(Tag("Event", "Club night"),)).tag("Event")
        'Club night'
        """
        return next((tag.value for tag in self.tags if tag.name == name), "")

    def with_cards(self, cards: Sequence[Card]) -> Board:
        """The same board with another play, not yet claimed."""
        return replace(self, cards=tuple(cards), tricks=None)


def dealer_of_board(number: int) -> Seat:
    """The dealer that duplicate boards have by their number.

    >>> [dealer_of_board(number).letter for number in range(1, 6)]
    ['N', 'E', 'S', 'W', 'N']
    """
    return SEATS[(number - 1) % 4]


def _tag_place(tag: Tag) -> int:
    return _FIRST_TAGS.index(tag.name) if tag.name in _FIRST_TAGS else len(_FIRST_TAGS)


# ---------------------------------------------------------------------- does the record agree with itself


def check_hands(deal: Deal) -> None:
    """Raise an error if three hands are whole and the fourth lacks cards."""
    short = [seat for seat in SEATS if deal[seat].bit_count() != 13]
    if len(short) == 1 and deal[short[0]]:
        missing = ", ".join(map(card_name, cards_in(PACK & ~deal.cards)))
        count = deal[short[0]].bit_count()
        raise InputError(f"expected 13 cards in {short[0]}'s hand, found {count}; {missing} nowhere")


def agree_contract(dealer: Seat, auction: Auction | None, contract: Contract | None) -> Contract | None:
    """The contract, or, if that is not told, the one that a complete auction leads to; an error if the two differ."""
    if auction is None:
        return contract
    if auction.dealer != dealer:
        raise InputError(f"expected {dealer}, the dealer, to call first, found {auction.dealer}")
    if not auction.over:
        return contract
    if contract is not None and (auction.contract is None or _side_bid(contract) != _side_bid(auction.contract)):
        called = f"contract {auction.contract}" if auction.contract else "passes"
        raise InputError(f"expected the {called} of the auction, found {contract}")
    return contract or auction.contract


def _side_bid(contract: Contract) -> tuple[str, int]:
    """A contract without saying which partner declares: records of irregular auctions differ there."""
    return contract.bid, contract.declarer & 1


def players_of(contract: Contract, cards: Sequence[Card]) -> Iterator[Seat]:
    """Who played each card.

    >>> from worldwise.bridge.rules.deal import read_card
    >>> cards = [read_card(name) for name in ("H2", "HA", "H3", "H4", "S2")]
    >>> "".join(seat.letter for seat in players_of(Contract.read("1NT by S"), cards))
    'WNESN'
    """
    leader = contract.leader
    for place in range(0, len(cards), 4):
        trick = cards[place : place + 4]
        yield from (leader.after(step) for step in range(len(trick)))
        leader = leader.after(winning_place(trick, contract.strain))


def told_deal(deal: Deal, contract: Contract, cards: Sequence[Card]) -> Deal:
    """The deal, where a hand that is not known whole is given the cards it has played."""
    whole = max(13 if not any(deal.hands) else 0, *(hand.bit_count() for hand in deal.hands))
    played = dict.fromkeys(SEATS, 0)
    for seat, card in zip(players_of(contract, cards), cards, strict=True):
        played[seat] |= 1 << card
    north, east, south, west = (
        deal[seat] if deal[seat].bit_count() == whole else deal[seat] | played[seat] for seat in SEATS
    )
    return Deal((north, east, south, west))


def check_play(deal: Deal, contract: Contract | None, cards: Sequence[Card], places: Sequence[str] = ()) -> Play:
    """The play of some cards, or an error at the first one against the rules; ``places`` says where each is written."""
    if contract is None:
        raise PlacedError(f"expected a contract before the play, found {card_name(cards[0])}", _at(places, 0))
    _check_pack(deal, contract, cards, places)
    play = Play(told_deal(deal, contract, cards), contract, tuple(cards))
    position: Position = play.start
    for number, card in enumerate(cards):
        try:
            check_card(position, card, number)
        except InputError as error:
            raise PlacedError(str(error), _at(places, number)) from None
        position = position.play(card)
    play.__dict__["position"] = position
    return play


def _check_pack(deal: Deal, contract: Contract, cards: Sequence[Card], places: Sequence[str]) -> None:
    """No card is played twice, nor by somebody else than the player who was dealt it."""
    for number, (seat, card) in enumerate(zip(players_of(contract, cards), cards, strict=True)):
        objection = ""
        if card in cards[:number]:
            objection = (
                f"a card that is still there, found {card_name(card)} of trick {cards.index(card) // 4 + 1} again"
            )
        elif deal.holder(card) not in (None, seat):
            objection = f"a card of {seat}'s, found {card_name(card)}, which {deal.holder(card)} was dealt"
        if objection:
            where = f"card {number % 4 + 1} of trick {number // 4 + 1}"
            raise PlacedError(f"{where}: expected {objection}", _at(places, number))


def _at(places: Sequence[str], number: int) -> str:
    return places[number] if number < len(places) else ""


# ---------------------------------------------------------------------- what a file gave


@dataclass(frozen=True)
class BoardFile:
    """The boards of a file, and for each one that could not be read an error with its place; nothing is raised.

    ``warnings`` say what was set aside of boards that could be read: an auction that makes no sense, say.
    """

    boards: tuple[Board, ...]
    faults: tuple[PlacedError, ...] = ()
    warnings: tuple[PlacedError, ...] = ()

    def __iter__(self) -> Iterator[Board]:
        return iter(self.boards)

    def __len__(self) -> int:
        return len(self.boards)

    def board(self, number: int | None = None) -> Board:
        """The first board, or the first of a number; an error that names those there are.

        >>> BoardFile((Board(Deal((0, 0, 0, 0)), number=3),)).board(4)
        Traceback (most recent call last):
        worldwise.errors.InputError: expected one of the boards 3, found no board 4
        """
        for board in self.boards:
            if number is None or board.number == number:
                return board
        if self.faults:
            raise self._fault(number)
        known = ", ".join(str(board.number) for board in self.boards if board.number is not None)
        raise InputError(f"expected one of the boards {known or '(none has a number)'}, found no board {number}")

    def _fault(self, number: int | None) -> PlacedError:
        """The error of the board that was asked for, as far as one can tell."""
        named = (fault for fault in self.faults if fault.place.endswith(f"board {number}"))
        return next(named, self.faults[0])
