"""The kriegspiel table in a real browser: a game from start to end, help, errors, every way to look and to use."""

import os
import re
import subprocess
import sys

import pytest

from browser import Browser, find_chromium
from test_web_browser import TEXTS, contrast, luminance

# Where it must be there, as in CI, tests without one fail.
pytestmark = pytest.mark.skipif(
    find_chromium() is None and not os.environ.get("WORLDWISE_REQUIRE_BROWSER"),
    reason="there is no Chromium on this machine; `make browser` installs Debian's",
)

MEN = """[...document.querySelectorAll('#board .square')].filter(e => e.ariaLabel.includes('{}'))
  .map(e => e.dataset.square)"""
CHANCES = "document.querySelectorAll('#board .chance').length"


@pytest.fixture(scope="module")
def address():
    command = [sys.executable, "-m", "worldwise", "web", "--port", "0", "--no-browser"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        yield re.search(r"http://\S+/", server.stdout.readline())[0]
        server.terminate()


@pytest.fixture(scope="module")
def chromium(tmp_path_factory):
    assert find_chromium(), "expected a Chromium, found none: `make browser` installs Debian's"
    browser = Browser(find_chromium(), tmp_path_factory.mktemp("chromium"))
    yield browser
    browser.close()


@pytest.fixture
def open_page(chromium, address):
    """Opens a page; in the end none of them may have had anything to complain about."""
    pages = []

    def go(path="kriegspiel", **options):
        page = chromium.page(**options)
        pages.append(page)
        page.go(address + path)
        return page

    yield go
    assert [fault for page in pages for fault in page.faults] == []


def choose(page, selector, value):
    page.js(
        f"(() => {{ const e = document.querySelector({selector!r}); e.value = {value!r};"
        " e.dispatchEvent(new Event('change', {bubbles: true})); })()"
    )


def seated(page, player="rand", colour="white", rules="wild16"):
    """Sit down at a table and wait for your turn."""
    choose(page, "#player", player)
    choose(page, "#rules", rules)
    choose(page, "#seconds", "0.1")
    page.click(f'.radios label:has([value="{colour}"])')
    page.click("#start")
    return on_turn(page, 0)


def on_turn(page, tries):
    """Wait until so many tries have been made and it is your turn, or you have to try again."""
    page.wait(f"document.querySelectorAll('#log .you').length >= {tries}")
    page.wait("/Your turn|refused/.test(document.querySelector('#turn').innerText)")
    return page


def tried(page, text):
    made = page.count("#log .you")
    page.rewrite("#move", text)
    page.press("Enter")
    on_turn(page, made + 1)


def resigned(page):
    page.click("#resign")
    page.wait_text("#resign", "Really resign?")
    page.click("#resign")
    page.wait("!story.hidden")


# ---------------------------------------------------------------------- a game


def test_a_game_from_start_to_end(open_page, needs_kernels):
    page = open_page()
    page.wait_text("#rules-words", "Refused tries are not heard.")
    seated(page, "greedy")
    assert page.text("#who") == "You against greedy"
    page.click('[data-square="e2"]')
    assert page.js(MEN.format("can be tried")) == ["e4", "e3"]
    page.click('[data-square="e4"]')
    on_turn(page, 1)
    assert "White moves e2e4: black has" in page.text("#log")
    assert page.js(MEN.format("your pawn")).count("e4") or "taken on e4" in page.text("#log")
    tried(page, "Na3")
    assert "b1a3" in page.text("#log")
    assert page.js(MEN.format("black")) == []
    resigned(page)
    assert page.text("#who") == "You have lost"
    assert len(page.js(MEN.format("black"))) == 16
    assert page.js(CHANCES) > 16
    assert "What greedy believed after" in page.text("#story-believed")
    page.click("#earlier")
    page.click("#earlier")
    assert page.js("Number(at.value)") == page.js("Number(at.max)") - 2
    choose(page, "#story-heat", "off")
    assert page.js(CHANCES) == 0
    page.js("document.getElementById('at').value = 0; at.dispatchEvent(new Event('input'))")
    assert page.text("#story-words") == "The beginning"
    assert page.js(MEN.format("white pawn")) == [f"{file}2" for file in "abcdefgh"]
    page.click("#new")
    page.wait_text("#setup", "A new game")


def test_black_has_his_men_below_and_hears_refusals(open_page):
    page = seated(open_page(), colour="black", rules="berkeley")
    assert page.js("document.querySelector('#board .square').dataset.square") == "h1"
    assert "White moves: nothing is said" in page.text("#log")
    assert page.text("#enemy").startswith("You have black, rules of berkeley; the enemy has 16 men left")
    assert page.js("[...document.querySelectorAll('#phantoms button')].map(e => e.dataset.man).join('')") == "KQRBNP"


def test_a_game_is_found_again(open_page):
    page = seated(open_page())
    tried(page, "e4")
    page.click('[data-man="q"]')
    page.click('[data-square="d6"]')
    page.click('[data-square="d5"]')
    page.click('[data-square="d5"]')
    assert page.js(MEN.format("phantom queen")) == ["d6"]
    log, place = page.text("#log"), page.js("location.href")
    page.go(place)
    on_turn(page, 1)
    assert (page.text("#log"), page.js(MEN.format("phantom queen"))) == (log, ["d6"])
    page.click("#clear")
    assert page.js(MEN.format("phantom")) == []


def test_help_is_there_if_asked_for(open_page, needs_kernels):
    page = seated(open_page())
    tried(page, "e4")
    assert page.js(CHANCES) == 0
    choose(page, "#heat", "men")
    page.wait_text("#believed", "all there are; the king: e8")
    assert page.js(CHANCES) >= 16
    choose(page, "#heat", "king")
    page.wait(f"{CHANCES} < 4")
    tried(page, "d4")
    page.wait_text("#believed", "the king")
    choose(page, "#heat", "off")
    assert page.js(CHANCES) == 0


def test_records_are_saved(open_page):
    """What would be in the file; the download itself is the browser's."""
    page = seated(open_page())
    page.js("URL.createObjectURL = (blob) => (blob.text().then((text) => (window.saved = text)), '#')")
    page.js("HTMLAnchorElement.prototype.click = function () { window.called = this.download; }")
    page.click("#record")
    page.wait("window.saved")
    assert page.js("[called, saved.includes('[Side \"white\"]')]") == ["kriegspiel-as-heard.pgn", True]
    resigned(page)
    page.js("window.saved = null")
    page.click("#record")
    page.wait("window.saved")
    assert page.js("[called, saved.includes('[Result \"0-1\"]')]") == ["kriegspiel.pgn", True]


# ---------------------------------------------------------------------- errors


def test_what_goes_wrong_is_said(open_page):
    page = open_page()
    choose(page, "#player", "")
    page.rewrite("#written", "deep blue")
    page.click("#start")
    page.wait_text("#fault", "nknown player 'deep blue'")
    assert page.js("written.ariaInvalid") == "true"
    seated(page)
    assert page.js("fault.hidden")
    page.rewrite("#move", "e5")
    page.press("Enter")
    page.wait_text("#fault", "Expected one of your tries, found 'e5'")
    assert page.js("move.ariaInvalid") == "true"
    tried(page, "e4")
    assert page.js("fault.hidden")
    page.go_offline()
    page.rewrite("#move", "d4")
    page.press("Enter")
    page.wait_text("#fault", "The server does not answer")
    page.faults.clear()  # Chromium notes every answer that is a refusal


def test_a_game_that_is_not_remembered(open_page):
    page = open_page("kriegspiel?game=gone")
    page.wait_text("#fault", "Expected a game that is remembered, found none")
    seated(page)
    assert "gone" not in page.js("location.search")
    page.faults.clear()


# ---------------------------------------------------------------------- every way to look and to use


SIZES = """[...document.querySelectorAll('main button, main input[type=text], main select, main summary')]
  .filter(e => e.offsetHeight > 1).map(e => Math.min(e.offsetHeight, e.offsetWidth))"""


def test_narrow_screens_need_no_scrolling_sideways(open_page, needs_kernels):
    page = seated(open_page(width=320, height=700), "greedy")
    tried(page, "e4")
    choose(page, "#heat", "men")
    page.wait_text("#believed", "the king")
    for end in (False, True):
        if end:
            resigned(page)
        for width in (320, 390, 768):
            page.resize(width, 700)
            assert page.js("document.documentElement.scrollWidth") <= width
            assert min(page.js(SIZES)) >= 24


def test_everything_can_be_read(open_page):
    """Contrast of at least 4.5 to 1, light and dark; figures on warm squares have a shadow of their own."""
    page = open_page()
    page.wait_text("#rules-words", "Refused")
    for stage in (lambda: None, lambda: tried(seated(page), "e4"), lambda: resigned(page)):
        stage()
        for scheme in ("light", "dark"):
            page.prefer(scheme)
            assert (luminance(page.js("getComputedStyle(document.body).backgroundColor")) < 0.1) == (scheme == "dark")
            assert [text for text in page.js(TEXTS) if contrast(*text[1:]) < 4.5] == []


def test_the_keyboard_is_enough(open_page):
    page = seated(open_page())
    page.press("/")
    assert page.js("document.activeElement.id") == "move"
    page.js("document.querySelector('#board [tabindex=\"0\"]').focus()")
    assert page.js("document.activeElement.dataset.square") == "e2"
    page.press("Enter")
    assert page.js("document.activeElement.ariaSelected") == "true"
    page.press("Escape")
    assert page.count("#board .selected") == 0
    page.press("ArrowLeft")
    page.press(" ")
    assert page.js(MEN.format("can be tried")) == ["d4", "d3"]
    page.js("document.querySelector('[data-square=\"d3\"]').focus()")
    page.press("Enter")
    on_turn(page, 1)
    assert "d2d3" in page.text("#log")
    page.press("n")
    assert page.js(MEN.format("phantom")) == []
    page.js("document.querySelector('[data-square=\"d6\"]').focus()")
    page.press("n")
    assert page.js(MEN.format("phantom knight")) == ["d6"]
    page.press("Delete")
    assert page.js(MEN.format("phantom")) == []


def test_everything_has_a_name(open_page):
    page = seated(open_page())
    page.call("Accessibility.enable")
    nodes = page.call("Accessibility.getFullAXTree")["nodes"]
    roles = ("button", "link", "textbox", "radio", "combobox", "gridcell", "grid")
    used = [node for node in nodes if node.get("role", {}).get("value") in roles]
    assert len([node for node in used if node["role"]["value"] == "gridcell"]) == 64
    assert [node for node in used if not node["name"].get("value")] == []
