"""The positions other programs ask about: deal, contract and cards in fields, or a source, such as a file or a link.

============================  ===============================================================================
``deal``                      as PBN writes it; a hand nobody knows as ``-``
``contract``                  ``3NT by S``; may be left out where an ``auction`` is told
``cards``                     the cards played, in order: ``HQH3H2HA``, or a list of them
``auction``                   from the dealer on: ``N: 1NT P 3NT AP``
``vulnerable``                ``none``, ``north-south``, ``east-west`` or ``both``
``source``                    instead of these a file, a link to the hand viewer or a LIN text
``board``, ``after``          of a source the board of this number; as it stood after so many cards
============================  ===============================================================================
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING

from worldwise.bridge.files.any_format import boards_in, read_boards
from worldwise.bridge.files.bbo import is_link
from worldwise.bridge.files.lin import read_cards
from worldwise.bridge.rules.auction import Auction
from worldwise.bridge.rules.board import Board, BoardFile
from worldwise.bridge.rules.contract import Contract, Vulnerability
from worldwise.bridge.rules.deal import Deal, Seat
from worldwise.bridge.views.deal_json import VULNERABLE
from worldwise.errors import InputError, say_where

if TYPE_CHECKING:
    from worldwise.doors.fields import QuestionFields

Sources = Callable[[str], BoardFile]
"""What reads a source."""


def read_source(text: str) -> BoardFile:
    """The boards of a link, of a text in LIN or PBN, or of a file."""
    return boards_in(text) if is_link(text) or re.search(r"(?i)\bmd\s*\|", text) else read_boards(text)


def read_board(asked: QuestionFields, sources: Sources = read_source) -> Board:
    """The board that a question is about.

    >>> from worldwise.doors.fields import QuestionFields
    >>> told = {"deal": "N:AQ4... K53... 876... JT9...", "contract": "1NT by S", "cards": "SJ"}
    >>> board = read_board(QuestionFields(told))
    >>> board.play.turn
    Seat.SOUTH
    """
    if "source" in asked:
        boards = read_boards_asked_for(asked, sources)
        return _as_it_stood(boards[0], asked)
    return _told_board(asked)


def read_boards_asked_for(asked: QuestionFields, sources: Sources = read_source) -> tuple[Board, ...]:
    """The boards that a question is about: all of a source, if it does not say which."""
    if "source" not in asked:
        return (_told_board(asked),)
    with say_where("source"):
        found, number = sources(asked.text("source")), asked.whole_if_given("board")
        if number is not None or not found.boards:
            return (found.board(number),)
        return found.boards


def _told_board(asked: QuestionFields) -> Board:
    with say_where("deal"):
        deal = Deal.read(asked.text("deal"))
    with say_where("auction"):
        auction = Auction.read(asked.text("auction")) if "auction" in asked else None
    with say_where("contract"):
        contract = Contract.read(asked.text("contract")) if "contract" in asked else None
    with say_where("cards"):
        cards = tuple(read_cards("".join(asked.texts("cards"))))
    vulnerable = Vulnerability(VULNERABLE.index(asked.one_of("vulnerable", VULNERABLE, "none")))
    dealer = auction.dealer if auction else Seat.NORTH
    return Board(deal, dealer=dealer, vulnerability=vulnerable, auction=auction, contract=contract, cards=cards)


def _as_it_stood(board: Board, asked: QuestionFields) -> Board:
    after = asked.whole_if_given("after", most=52)
    if after is None:
        return board
    if after > len(board.cards):
        raise InputError(f"after: expected at most the {len(board.cards)} cards played, found {after}")
    return board.with_cards(board.cards[:after])
