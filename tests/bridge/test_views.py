"""Diagrams of deals: text, SVG and JSON say the same, and hide what is hidden."""

import json
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import pytest
from hypothesis import given, settings

from bridge_strategies import boards
from worldwise.bridge.files.any_format import read_boards
from worldwise.bridge.rules.board import Board
from worldwise.bridge.rules.cards import holding_name
from worldwise.bridge.rules.contract import Contract
from worldwise.bridge.rules.deal import SEATS, Deal, Seat, card_name, holding_in
from worldwise.bridge.views.deal_json import board_json, boards_json
from worldwise.bridge.views.deal_picture import DealPicture, result_words, symbols_in
from worldwise.bridge.views.deal_svg import board_svg
from worldwise.bridge.views.deal_text import auction_text, board_text, trick_lines

DATA = Path(__file__).parents[1] / "data" / "bridge"


@pytest.fixture
def board():
    """In the eighth trick, North and East have played."""
    return replace(read_boards(DATA / "export.pbn").board(2), tricks=None)


def test_diagram(board):
    assert str(board_text(board)).split("\n") == [
        "Board 2                       North Birch",
        "East deals                    ♠ Q",
        "North-South vulnerable        ♥ 986",
        "4♠ by East                    ♦ J",
        "                              ♣ -",
        "West Alder                    ┌─────────┐    East Cedar",
        "♠ 2                           │   ♦T    │    ♠ 853",
        "♥ T7                          │ W    ♦4 │    ♥ 2",
        "♦ K75                         │    S    │    ♦ -",
        "♣ -                           └─────────┘    ♣ Q",
        "North-South 1, East-West 6    South Dogwood",
        "South to play                 ♠ -",
        "                              ♥ AQ5",
        "                              ♦ 962",
        "                              ♣ -",
    ]


def test_diagram_as_dealt(board):
    shown = str(board_text(board, dealt=True))
    assert all(holding_name(holding_in(board.deal[seat], suit)) in shown for seat in SEATS for suit in range(4))
    assert "♦T" not in shown


def test_ascii_is_ascii(board):
    assert str(board_text(replace(board, names=("",) * 4), tricks=True, ascii=True)).isascii()
    assert str(auction_text(board.auction, ascii=True)).isascii()


def test_red_suits_are_red(board):
    shown = board_text(board)
    assert {shown.plain[span.start] for span in shown.spans if span.style == "red"} == {"♥", "♦"}


def test_tricks(board):
    lines = list(trick_lines(board))
    assert (lines[0], lines[4], lines[7]) == (" 1. S: ♦8 ♦A ♦Q ♦3  West", " 5. E: ♣3 ♣8 ♠7 ♣6  West", " 8. N: ♦T ♦4")


def test_hidden_hands_are_blank(board):
    shown = str(board_text(board, seen=[Seat.EAST, Seat.WEST]))
    assert shown.count("♠") == 3
    assert "AQ5" not in shown
    picture = board_svg(board, seen=[Seat.EAST, Seat.WEST])
    assert picture.count('class="hand') == 2
    assert "AQ5" not in picture
    assert "South Dogwood: hidden" in picture


def test_names_that_are_wide():
    board = Board(Deal.read("N:A2... K3... Q4... J5..."), names=("", "", "", "東京"))
    lines = str(board_text(board)).split("\n")
    assert lines[5].startswith("West 東京        ")


def test_words():
    assert [result_words(over) for over in (-2, 0, 1)] == ["2 down", "Made", "Made with 1 over"]
    assert [symbols_in(text) for text in ("3", "1S", "7NTXX", "3 down")] == ["3", "1♠", "7NTXX", "3 down"]


@settings(max_examples=40, deadline=None)
@given(boards())
def test_every_board_can_be_shown(board):
    shown = str(board_text(board, tricks=True))
    assert f"{board.dealer} deals" in shown
    svg = ElementTree.fromstring(board_svg(board))
    names = {element.get("class") for element in svg.iter()}
    assert {f"hand {str(seat).lower()}" for seat in SEATS if board.deal[seat]} <= names
    told = json.loads(json.dumps(board_json(board)))
    assert [card["card"] for card in told["play"]] == [card_name(card) for card in board.cards]
    assert [told["deal"][str(seat).lower()] is None for seat in SEATS] == [not board.deal[seat] for seat in SEATS]


def test_svg_cards_on_the_table(board):
    assert board_svg(board).count('class="card"') == 2
    assert board_svg(board, dealt=True).count('class="card"') == 0


def test_nothing_is_outside_the_figure(board):
    wide = replace(board, names=("A very long name indeed",) * 4)
    svg = ElementTree.fromstring(board_svg(wide))
    width = float(svg.get("width"))
    assert all(float(element.get("x")) < width for element in svg.iter() if element.get("x"))


def test_json(board):
    told = board_json(board)
    assert (told["board"], told["dealer"], told["vulnerable"], told["to_play"]) == (2, "E", "north-south", "S")
    assert told["contract"] == {"contract": "4S", "level": 4, "strain": "S", "declarer": "E", "doubled": 0}
    assert told["auction"][2] == {"seat": "W", "call": "3S", "alert": "limit raise, four trumps"}
    assert told["play"][4] == {"seat": "W", "card": "C7"}
    assert told["deal"]["south"] == "T.AQ53.9862.JT84"
    assert (told["tricks"], told["score"], told["passed_out"]) == (None, None, False)


def test_json_of_a_file():
    told = boards_json(read_boards(DATA / "broken.pbn"))
    assert [board["board"] for board in told["boards"]] == [1, *range(3, 12)]
    assert [fault["place"] for fault in told["faults"]] == ["broken.pbn, line 10, board 2"]
    assert told["warnings"][0]["place"] == "broken.pbn, line 30, board 4"


def test_a_board_without_much():
    board = Board(Deal((0, 0, 0, 0)), contract=Contract.read("3NT by S"))
    assert DealPicture.of(board).hands == (None,) * 4
    assert "3NT by South" in str(board_text(board))
