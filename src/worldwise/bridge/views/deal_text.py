"""A deal for a terminal: the compass diagram, the tricks played, the auction.

::

    Board 5              North
    South deals          ♠ 963
    Nobody vulnerable    ♥ 94
    3NT by South         ♦ 732
                         ♣ KJT98
    West                 ┌─────────┐    East
                         │    N    │
                         │ ♣5   E  │
                         │    S    │
                         └─────────┘
                         South
                         ♠ KQ
                         ♥ AQT
                         ♦ KQT96
                         ♣ A32

A hand that nobody has shown is left blank, a void is a dash. The trick on the table lies in the middle.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.cells import cell_len
from rich.text import Text

from worldwise.bridge.rules.auction import call_name
from worldwise.bridge.rules.board import players_of
from worldwise.bridge.rules.deal import SEATS, Seat
from worldwise.bridge.rules.play import winning_place
from worldwise.bridge.views.deal_picture import DealPicture, card_sign, holding_words, suit_sign, symbols_in

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from worldwise.bridge.rules.auction import Auction
    from worldwise.bridge.rules.board import Board

_FRAMES = {False: ("┌─────────┐", "│", "└─────────┘"), True: ("+---------+", "|", "+---------+")}
"""The table; Unicode or not."""

_GAP = 4
_COLUMNS = (Seat.WEST, Seat.NORTH, Seat.EAST, Seat.SOUTH)


def board_text(
    board: Board,
    *,
    seen: Collection[Seat] = SEATS,
    dealt: bool = False,
    tricks: bool = False,
    ascii: bool = False,  # noqa: A002
) -> Text:
    """The compass diagram of a board as it stands, or as it was ``dealt``, with the tricks played if one wants them.

    >>> from worldwise.bridge.rules.board import Board
    >>> from worldwise.bridge.rules.contract import Contract
    >>> from worldwise.bridge.rules.deal import Deal, read_card
    >>> deal = Deal.read("N:A2... K3... Q4... J5...")
    >>> board = Board(deal, number=1, contract=Contract.read("1NT by S"), cards=(read_card("SJ"),))
    >>> print(board_text(board, seen=[Seat.NORTH, Seat.SOUTH], ascii=True))
    Board 1                       North
    North deals                   S A2
    Nobody vulnerable             H -
    1NT by South                  D -
                                  C -
    West                          +---------+    East
                                  |    N    |
                                  | SJ   E  |
                                  |    S    |
                                  +---------+
    North-South 0, East-West 0    South
    North to play                 S Q4
                                  H -
                                  D -
                                  C -
    """
    picture = DealPicture.of(board, seen=seen, dealt=dealt)
    lines = list(_diagram(picture, ascii=ascii))
    if tricks and board.cards:
        lines += ["", *trick_lines(board, ascii=ascii)]
    return colour_suits("\n".join(line.rstrip() for line in lines))


def colour_suits(text: str) -> Text:
    """A text whose red suits are red."""
    shown = Text(text, no_wrap=True)
    shown.highlight_regex("[♥♦]", "red")
    return shown


def _diagram(picture: DealPicture, *, ascii: bool) -> Iterator[str]:  # noqa: A002
    north, east, south, west = (_hand_lines(picture, seat, ascii=ascii) for seat in SEATS)
    facts, standing = _five(picture.facts, ascii=ascii), _five(picture.standing, ascii=ascii)
    left = max(cell_len(line) for line in (*facts, *standing, *west)) + _GAP
    yield from (_pad(words, left) + line for words, line in zip(facts, north, strict=True))
    table = _table(picture, ascii=ascii)
    for one, middle, other in zip(west, table, east, strict=True):
        yield _pad(one, left) + middle + " " * _GAP + other
    yield from (_pad(words, left) + line for words, line in zip(standing, south, strict=True))


def _pad(text: str, width: int) -> str:
    return text + " " * (width - cell_len(text))


def _five(words: tuple[str, ...], *, ascii: bool) -> list[str]:  # noqa: A002
    """Words beside a hand, one a line."""
    lines = words if ascii else tuple(map(symbols_in, words))
    return [*lines, "", "", "", "", ""][:5]


def _hand_lines(picture: DealPicture, seat: Seat, *, ascii: bool) -> list[str]:  # noqa: A002
    """A name and four suits; blank if the hand is hidden."""
    hand = picture.hands[seat]
    if hand is None:
        return [picture.names[seat], "", "", "", ""]
    return [picture.names[seat], *(f"{suit_sign(suit, ascii=ascii)} {holding_words(hand, suit)}" for suit in range(4))]


def _table(picture: DealPicture, *, ascii: bool) -> list[str]:  # noqa: A002
    """The table with the trick on it; a letter where no card lies."""
    top, side, bottom = _FRAMES[ascii]
    north, east, south, west = (
        card_sign(picture.trick[seat], ascii=ascii) if seat in picture.trick else seat.letter for seat in SEATS
    )
    rows = (f"{north:^9}", f" {west:<2}   {east:<2} ", f"{south:^9}")
    return [top, *(f"{side}{row}{side}" for row in rows), bottom]


# ---------------------------------------------------------------------- tricks and calls


def trick_lines(board: Board, *, ascii: bool = False) -> Iterator[str]:  # noqa: A002
    """A line for every trick: who led, the cards in order, who won."""
    contract = board.play.contract
    players = list(players_of(contract, board.cards))
    for start in range(0, len(board.cards), 4):
        trick = board.cards[start : start + 4]
        cards = " ".join(card_sign(card, ascii=ascii) for card in trick)
        winner = players[start].after(winning_place(trick, contract.strain))
        won = f"  {winner}" if len(trick) == 4 else ""
        yield f"{start // 4 + 1:2}. {players[start].letter}: {cards}{won}"


def auction_text(auction: Auction, *, ascii: bool = False) -> Text:  # noqa: A002
    """The calls in columns, West first; explanations below.

    >>> from worldwise.bridge.rules.auction import Auction
    >>> print(auction_text(Auction.read("N: 1NT").alert("15-17").all_pass(), ascii=True))
    West    North   East    South
            1NT[1]  Pass    Pass
    Pass
    [1] 15-17
    """
    cells = [""] * _COLUMNS.index(auction.dealer)
    cells += [_call_cell(auction, place, ascii=ascii) for place in range(len(auction.calls))]
    rows = [cells[start : start + 4] for start in range(0, len(cells), 4)]
    lines = ["".join(f"{cell:<8}" for cell in row) for row in ([str(seat) for seat in _COLUMNS], *rows)]
    notes = [f"[{number}] {alert.text or 'alert'}" for number, alert in enumerate(auction.alerts, 1)]
    return colour_suits("\n".join(line.rstrip() for line in (*lines, *notes)))


def _call_cell(auction: Auction, place: int, *, ascii: bool) -> str:  # noqa: A002
    name = call_name(auction.calls[place])
    number = next((number for number, alert in enumerate(auction.alerts, 1) if alert.place == place), None)
    return (name if ascii else symbols_in(name)) + (f"[{number}]" if number else "")
