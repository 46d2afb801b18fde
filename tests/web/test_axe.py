"""Barriers that axe finds, on every page and in what its main task leads to, light and dark, wide and narrow."""

import json
import os
from pathlib import Path

import pytest

AXE = Path(__file__).parent / "js" / "node_modules" / "axe-core" / "axe.min.js"

pytestmark = pytest.mark.skipif(
    not AXE.exists() and not os.environ.get("WORLDWISE_REQUIRE_BROWSER"),
    reason="axe is not there: `make page` brings it",
)

RUN = """axe.run(document, {
  resultTypes: ['violations'],
  rules: {'label-content-name-mismatch': {enabled: false}},
}).then(({violations}) => violations.map(({id, impact, nodes}) =>
  [id, impact, nodes.map(({html}) => html.slice(0, 160))]))"""
"""All rules but one: a card is seen as a sign, ♥10, and heard as words, "ten of hearts"."""

PLACES = {
    "": "document.querySelector('#worlds li')",
    "suits?north=AQT9&south=432": "document.querySelector('table.goals tbody tr')",
    "suits?drill=1": "document.querySelector('#drill button')",
    "atlas": "document.querySelector('main table, main svg')",
    "desk?lesson=deals/two-way-guess": "document.querySelector('#play li button')",
    "kriegspiel": "document.querySelector('#board .piece')",
    "kriegspiel?play=beginner": "/Your turn/.test(document.querySelector('#turn').innerText)",
    "trees?name=fb01/fig-10&algorithm=monte-carlo": "document.querySelector('.drawing svg')",
    "laboratory": "document.querySelector('#experiments .experiment')",
}


def barriers(page):
    page.js(f"(() => {{ {AXE.read_text()} }})(); 1")
    return [tuple(found) for found in page.js(RUN)]


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize(("width", "dark"), [(1280, False), (390, True)])
def test_axe_finds_nothing(open_page, place, width, dark):
    page = open_page(place, width=width, dark=dark)
    page.assert_soon(PLACES[place])
    found = barriers(page)
    assert found == [], json.dumps(found, indent=1)


def test_axe_would_find_a_barrier(open_page):
    page = open_page("")
    page.js(
        "document.querySelector('main').append(Object.assign(document.createElement('img'), {src: '/static/icon.svg'}))"
    )
    assert "image-alt" in {rule for rule, *_ in barriers(page)}
