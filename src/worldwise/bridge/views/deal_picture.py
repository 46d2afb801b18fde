"""What a diagram of a deal shows, before it becomes text or lines: hands, the trick on the table, and a few words."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from worldwise.bridge.rules.cards import holding_name, rank_name
from worldwise.bridge.rules.contract import Strain
from worldwise.bridge.rules.deal import SEATS, SUITS, Seat, holding_in, rank_of, set_of, suit_of

if TYPE_CHECKING:
    from collections.abc import Collection

    from worldwise.bridge.rules.board import Board
    from worldwise.bridge.rules.deal import Card, Cards

SYMBOLS = "♠♥♦♣"
"""The suits, in the order of their numbers."""

SIDES = ("Nobody", "North-South", "East-West", "Everybody")
"""Who is vulnerable, by the number of the vulnerability."""


@dataclass(frozen=True)
class DealPicture:
    """Hands, None where one is hidden; the trick on the table; names; words for two corners.

    >>> from worldwise.bridge.rules.board import Board
    >>> from worldwise.bridge.rules.deal import Deal
    >>> picture = DealPicture.of(Board(Deal.read("N:A2... K3... - J5..."), number=7))
    >>> picture.hands[Seat.SOUTH], picture.facts
    (None, ('Board 7', 'North deals', 'Nobody vulnerable'))
    """

    hands: tuple[Cards | None, ...]
    trick: dict[Seat, Card]
    names: tuple[str, ...]
    facts: tuple[str, ...]
    standing: tuple[str, ...]

    @classmethod
    def of(cls, board: Board, *, seen: Collection[Seat] = SEATS, dealt: bool = False) -> DealPicture:
        """A board as it stands, or as it was dealt; hands of seats that are not ``seen`` are hidden."""
        played = bool(board.cards) and not dealt
        return cls(
            tuple(_hand(board, seat, played) if seat in seen else None for seat in SEATS),
            _trick(board) if played else {},
            tuple(f"{seat} {board.names[seat]}".strip() for seat in SEATS),
            tuple(_facts(board)),
            tuple(_standing(board)),
        )

    def words(self) -> str:
        """The picture for those who cannot see it."""
        hands = [f"{name}: {hand_words(hand)}" for name, hand in zip(self.names, self.hands, strict=True)]
        trick = [f"{seat} has played {card_sign(card, ascii=True)}" for seat, card in self.trick.items()]
        return ". ".join([*self.facts, *hands, *trick, *self.standing]) + "."


def _hand(board: Board, seat: Seat, played: bool) -> Cards | None:
    """The cards a player still has, or had; None if nobody knows."""
    if not board.deal[seat]:
        return None
    return board.deal[seat] & ~set_of(board.cards) if played else board.deal[seat]


def _trick(board: Board) -> dict[Seat, Card]:
    position = board.play.position
    return {position.leader.after(step): card for step, card in enumerate(position.trick)}


def _facts(board: Board) -> list[str]:
    """Number, dealer, vulnerability and contract."""
    number = [] if board.number is None else [f"Board {board.number}"]
    contract = [contract_words(board)] if board.contract is not None or board.passed_out else []
    return [*number, f"{board.dealer} deals", f"{SIDES[board.vulnerability]} vulnerable", *contract]


def contract_words(board: Board) -> str:
    """The contract, or that there is none."""
    if board.contract is None:
        return "Passed out" if board.passed_out else "No contract"
    return f"{board.contract.bid} by {board.contract.declarer}"


def _standing(board: Board) -> list[str]:
    """Tricks so far, and whose turn it is; or the result."""
    if board.contract is None:
        return []
    if board.tricks is not None:
        return [result_words(board.tricks - board.contract.tricks)]
    if not board.cards:
        return []
    position = board.play.position
    tricks = f"North-South {position.won[0]}, East-West {position.won[1]}"
    return [tricks, f"{position.to_move} to play"] if not position.over else [tricks]


def result_words(over: int) -> str:
    """How a contract went.

    >>> result_words(0), result_words(2), result_words(-1)
    ('Made', 'Made with 2 over', '1 down')
    """
    if over < 0:
        return f"{-over} down"
    return f"Made with {over} over" if over else "Made"


def holding_words(cards: Cards, suit: int) -> str:
    """The ranks of one suit, a dash for a void."""
    return holding_name(holding_in(cards, suit))


def hand_words(cards: Cards | None) -> str:
    """A hand on one line, in letters."""
    if cards is None:
        return "hidden"
    return " ".join(f"{letter} {holding_words(cards, suit)}" for suit, letter in enumerate(SUITS))


def suit_sign(suit: int, *, ascii: bool = False) -> str:  # noqa: A002
    """A suit's symbol, or its letter."""
    return (SUITS if ascii else SYMBOLS)[suit]


def card_sign(card: Card, *, ascii: bool = False) -> str:  # noqa: A002
    """A card's symbol and rank.

    >>> from worldwise.bridge.rules.deal import read_card
    >>> card_sign(read_card("HT")), card_sign(read_card("HT"), ascii=True)
    ('♥T', 'HT')
    """
    return suit_sign(suit_of(card), ascii=ascii) + rank_name(rank_of(card))


def symbols_in(text: str) -> str:
    """A contract or a call with the suit's symbol.

    >>> symbols_in("4HX"), symbols_in("3NT"), symbols_in("Pass")
    ('4♥X', '3NT', 'Pass')
    """
    if text[:1].isdigit() and text[1:2] in tuple(SUITS):
        return text[0] + Strain.of(text[1]).symbol + text[2:]
    return text
