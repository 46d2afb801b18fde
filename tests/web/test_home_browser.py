"""The first page in a real browser: a suit is solved on it, and every door leads to a result."""

import re
from importlib.resources import files

import pytest

from browser import assert_good_to_use
from worldwise.bridge import Layouts, advise
from worldwise.catalog import deal

SCRIPT = files("worldwise.web").joinpath("static/home.js").read_text("utf-8")


def test_the_picture_shows_the_layouts_of_the_deal():
    """Fifteen, ten of which the finesse wins: those that advice counts."""
    board = deal("deals/two-way-guess")
    layouts = list(Layouts(board.view).enumerate())
    holdings = [re.findall(r"(?:^|:| )([^. ]*)\.", str(layout)) for layout in layouts]
    shown = [tuple(world.split()) for world in re.findall(r'"([\dQ]+ [\dQ]+)"', SCRIPT)]
    assert sorted(shown) == sorted((west, east) for _, east, _, west in holdings)
    told = advise(board.view)
    won = {place for place in range(len(layouts)) if place not in told.choices[0].loses}
    assert won == {place for place, holding in enumerate(holdings) if holding[1].startswith("Q")}
    assert len(won) == 10


def test_a_suit_is_solved_where_you_stand(open_page):
    page = open_page("")
    page.assert_soon("document.querySelectorAll('#worlds li').length === 15")
    page.click("#ask-suit button")
    page.assert_text_soon("#suit-answer", "Finesse")
    page.assert_text_soon("#suit-answer", "%")
    assert_good_to_use(page)
    page.rewrite("#north", "AKQZ")
    page.click("#ask-suit button")
    page.assert_text_soon("#suit-answer", "Z")
    page.excuse("400")


@pytest.mark.parametrize(
    ("door", "path", "sign"),
    [
        ("two-way-guess", "/desk", "document.querySelector('#advice')?.innerText.includes('Play')"),
        ("throw-in", "/desk", "document.querySelector('#advice')?.innerText.includes('Play')"),
        ("play=beginner", "/kriegspiel", "document.querySelector('#typed')?.hidden === false"),
        ("fig-10", "/trees", "document.querySelector('main svg.tree, main svg')"),
        ("laboratory", "/laboratory", "document.querySelector('main')?.innerText.includes('hold')"),
    ],
)
def test_every_door_leads_to_a_result(open_page, door, path, sign):
    page = open_page("")
    page.click(f"main a[href*='{door}']")
    page.assert_soon(f"location.pathname === '{path}'")
    page.assert_soon(sign)


def test_it_fits_a_phone_and_the_dark(open_page):
    page = open_page("", width=390, dark=True)
    page.click("#ask-suit button")
    page.assert_text_soon("#suit-answer", "Finesse")
    assert_good_to_use(page)
