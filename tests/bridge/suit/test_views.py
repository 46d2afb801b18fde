"""The views of a single suit: layouts that add up, tables, plays read back, figures that are whole."""

from fractions import Fraction
from functools import cache
from pathlib import Path
from random import Random
from xml.etree import ElementTree

import pytest
from rich.console import Console

from worldwise.bridge.rules.cards import RANKS, holding_name
from worldwise.bridge.suit.drill import play_words, read_play
from worldwise.bridge.suit.layouts import layouts_of
from worldwise.bridge.suit.phrases import percent
from worldwise.bridge.suit.rules import Suit
from worldwise.bridge.suit.solver import SuitSolver
from worldwise.bridge.suit.views.json import suit_json
from worldwise.bridge.suit.views.svg import suit_svg
from worldwise.bridge.suit.views.text import (
    assumption_words,
    expected_words,
    goals_table,
    price_words,
    splits_table,
    suit_diagram,
)
from worldwise.bridge.suit.words import line_in_words
from worldwise.errors import InputError

IMAGES = Path(__file__).parents[3] / "docs" / "images"
SUITS = ["AKQ9/32", "QJ98/32", "AQT98/5432", "A/-", "-/2", "AKQJT98765432/-", "3/2", "AT54/932"]


@cache
def solver(name):
    return SuitSolver(Suit.of(*name.split("/")))


def text_of(*things, width=100):
    console = Console(width=width, record=True, file=None, color_system=None)
    with console.capture() as captured:
        for thing in things:
            console.print(thing, highlight=False)
    return captured.get()


# ---------------------------------------------------------------------- layouts


@pytest.mark.parametrize("name", SUITS)
def test_layouts_are_all_there_is(name):
    suit = solver(name).suit
    layouts = layouts_of(suit)
    assert sum(layout.chance for layout in layouts) == 1
    assert sum(layout.ways for layout in layouts) == 2**suit.missing
    assert len({layout.name() for layout in layouts}) == len(layouts)


@pytest.mark.parametrize("seed", range(20))
def test_every_layout_has_all_the_cards(seed):
    """West's and East's cards are the defenders', x standing for the lowest that touch."""
    rng = Random(seed)
    cards = rng.sample(RANKS, 13)
    suit = Suit.of("".join(cards[:4]), "".join(cards[4 : 4 + rng.randint(1, 4)]))
    lowest = suit.classes[-1] if len(suit.classes[-1]) > 1 else ()
    named = [rank for group in suit.classes for rank in group if rank not in lowest]
    for layout in layouts_of(suit):
        both = (layout.west + layout.east).replace("void", "")
        assert both.count("x") == len(lowest)
        assert sorted(both.replace("x", "")) == sorted(holding_name(named).replace("-", ""))
        assert sum(layout.cards) == suit.missing


def test_names_of_layouts():
    suit = Suit.of("QJ98", "32")
    names = [layout.name() for layout in layouts_of(suit)]
    assert names[0] == "AKTxxxx–void"
    assert "Axxxx–KT ×2" in names
    assert "Axxxx-KT *2" in [layout.name(ascii=True) for layout in layouts_of(suit)]


def test_splits_list_what_is_shorter_and_add_up():
    found = solver("QJ98/32")
    text = text_of(splits_table(found.suit, found.goal(2)))
    assert "all but AKxxxx–T" in text
    assert "T–AKxxxx" in text
    rows = [line for line in text.splitlines() if line.startswith("│")]
    shares = [[float(cell.split()[0]) for cell in row.strip("│").split("│")[1:3]] for row in rows]
    assert sum(chance for chance, _ in shares) == pytest.approx(100, abs=0.05)
    assert sum(won for _, won in shares) == pytest.approx(50.73, abs=0.05)


def test_long_lists_are_cut(monkeypatch):
    monkeypatch.setattr("worldwise.bridge.suit.views.text.MOST_LAYOUTS", 2)
    found = solver("QJ98/32")
    text = text_of(splits_table(found.suit, found.goal(2)))
    assert "AKTx–xxx, ATxx–Kxx ×2 and 1 more (--json has all)" in text


# ---------------------------------------------------------------------- words


def test_percent_has_two_decimals():
    assert [percent(Fraction(part, 3)) for part in range(4)] == ["0.00 %", "33.33 %", "66.67 %", "100.00 %"]


def test_diagram():
    suit = Suit.of("AKQ9", "-")
    assert suit_diagram(suit).plain.splitlines()[0].strip() == "♠ AKQ9"
    assert suit_diagram(suit).plain.splitlines()[-1].strip() == "♠ -"
    assert suit_diagram(suit, ascii=True).plain.isascii()
    assert "the defenders have none" in suit_diagram(solver("AKQJT98765432/-").suit).plain


def test_prices():
    found = solver("AQT98/5432")
    assert "price of strategy fusion is 23.43 %" in price_words(found.goal(5))
    assert "nothing is lost" in price_words(found.goal(1))
    assert "4.0313; 4.3278 if you saw all cards" in expected_words(found.expected)


def test_what_is_unusual_is_said():
    assert assumption_words(Suit.of("AQ", "2")) == []
    suit = Suit.of("AQ", "2", west_cards=9, gone="K", splits={4: 1, 5: 3})
    said = assumption_words(suit, (1, float("inf")))
    assert said == [
        "played already: K",
        "West holds 4 with 25.00 %, 5 with 75.00 %",
        "vacant places: West 9, East 13",
        "entries outside the suit: North 1, South any number",
    ]


def test_mixed_strategies_have_a_column():
    found = solver("AKQ9/32")
    plain = goals_table(found.suit, found.goals, ["..."] * 4)
    mixed = goals_table(found.suit, found.goals, ["..."] * 4, dict.fromkeys(range(1, 5), 0.25))
    assert ("mixed" in text_of(plain), "25.00 %" in text_of(mixed)) == (False, True)


# ---------------------------------------------------------------------- plays


@pytest.mark.parametrize(
    ("text", "play"),
    [
        ("S2", "S2"),
        ("s3", "S2"),
        ("NA", "NQ"),
        ("n9", "N9"),
        ("lead the 2 from South", "S2"),
        ("Lead the ace from North!", "NQ"),
        ("the nine from north", "N9"),
        ("king, North", "NQ"),
        ("south two", "S2"),
    ],
)
def test_plays_are_read(text, play):
    suit = solver("AKQ9/32").suit
    assert str(read_play(text, suit, solver("AKQ9/32").goal(4).plays)) == play


def test_tens_are_read():
    found = solver("AQT98/5432")
    assert {str(read_play(text, found.suit, found.goal(5).plays)) for text in ("NT", "N10", "the ten from North")} == {
        "N8"
    }


@pytest.mark.parametrize("text", ["", "S", "2", "S7", "E2", "N2", "S9", "north south 2", "lead low", "S22", "NAK"])
def test_other_words_are_no_play(text):
    found = solver("AKQ9/32")
    with pytest.raises(InputError, match="expected one of the plays N9"):
        read_play(text, found.suit, found.goal(4).plays)


@pytest.mark.parametrize("name", ["AKQ9/32", "AQT98/5432", "AT54/932"])
def test_what_is_said_is_read_back(name):
    found = solver(name)
    for move in found.goal(1).plays:
        for text in (str(move), play_words(move)):
            assert read_play(text, found.suit, found.goal(1).plays) == move


# ---------------------------------------------------------------------- JSON and SVG


@pytest.mark.parametrize("name", SUITS)
def test_json_adds_up(name):
    found = solver(name)
    answer = suit_json(found, [""] * found.suit.length)
    for goal in answer["goals"]:
        total = sum(layout["probability"] for layout in goal["winning_layouts"])
        assert total == pytest.approx(goal["probability"])
    assert answer["expected_tricks"] <= answer["double_dummy"] + 1e-9


@pytest.mark.parametrize("name", SUITS)
@pytest.mark.parametrize("goal", [None, 1])
def test_figures_are_whole(name, goal):
    """Every layout has a tile, every card its place, and all of it is on the page."""
    found = solver(name)
    drawing = ElementTree.fromstring(suit_svg(found, goal, "Play off the top cards. " * 20))
    tag = "{http://www.w3.org/2000/svg}"
    groups = drawing.findall(f"{tag}g")
    assert len(groups) == len(found.suit.worlds)
    cards = [rect for rect in drawing.iter(f"{tag}rect") if rect.get("class") == "card"]
    assert len(cards) == len(found.suit.north) + len(found.suit.south)
    width, height = float(drawing.get("width")), float(drawing.get("height"))
    for rect in drawing.iter(f"{tag}rect"):
        if rect.get("x"):
            assert 0 <= float(rect.get("x")) <= width - float(rect.get("width"))
            assert 0 <= float(rect.get("y")) <= height - float(rect.get("height"))
    assert all(float(text.get("y")) < height for text in drawing.iter(f"{tag}text"))


@pytest.mark.parametrize("picture", sorted(IMAGES.glob("suit-*.svg")), ids=lambda path: path.stem)
def test_pictures_are_what_the_command_draws(picture):
    """``suit-AKQ9-32-4.svg`` is made by ``worldwise suit AKQ9 32 --tricks 4 --svg ...``."""
    north, south, tricks = picture.stem.split("-")[1:]
    found = solver(f"{north}/{south}")
    drawn = suit_svg(found, int(tricks), line_in_words(found, int(tricks)).text)
    assert picture.read_text("utf-8") == drawn, f"run: worldwise suit {north} {south} --tricks {tricks} --svg {picture}"


def test_figures_colour_what_is_won():
    found = solver("AKQ9/32")
    text = suit_svg(found, 4, "")
    assert (text.count('class="won"'), text.count('class="lost"')) == (6, 12)
    drawing = suit_svg(found, None, "")
    assert "3 tricks" in drawing
    assert "4 tricks" in drawing
