"""The suit explorer in a real browser: what a person sees, clicks and types, and that nothing goes wrong unseen."""

import os
import re
import subprocess
import sys

import pytest

from browser import Browser, find_chromium

EXPLORER = "suits?north=AKQ9&south=32&tricks=4"
WON, LOST = "#tiles .tile.won", "#tiles .tile.lost"

# Where it must be there, as in CI, tests without one fail.
pytestmark = pytest.mark.skipif(
    find_chromium() is None and not os.environ.get("WORLDWISE_REQUIRE_BROWSER"),
    reason="there is no Chromium on this machine; `make browser` installs Debian's",
)


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

    def go(path="", **options):
        page = chromium.page(**options)
        pages.append(page)
        page.go(address + path)
        return page

    yield go
    assert [fault for page in pages for fault in page.faults] == []


def settled(page):
    """Wait until all words are there."""
    page.wait("document.querySelector('#tiles .tile') && !document.querySelector('#results.stale')")
    page.wait("![...document.querySelectorAll('td.line, #line')].some(e => e.innerText === '…')")
    return page


# ---------------------------------------------------------------------- explore


def test_first_load_shows_an_answer(open_page):
    page = settled(open_page())
    assert page.js("document.title") == "Suits – worldwise"
    assert page.text("#goals-title") == "AKQ9 opposite 32"
    assert page.text("#goal-title") == "4 tricks: 24.00 %"
    assert "Finesse the nine" in page.text("#line")
    assert [page.count(WON), page.count(LOST)] == [6, 12]
    assert page.text("#defenders") == "The defenders have JT 87654"


def test_type_a_combination_and_ask_why_not(open_page):
    page = open_page("suits?north=-&south=-")
    page.wait_text("#empty", "Which cards do you hold?")
    page.rewrite("#north", "AQ10xx")
    page.rewrite("#south", "xxxx")
    page.wait_text("#goals-title", "AQT76 opposite 5432")
    settled(page)
    assert page.count('[data-hand="north"] .card[aria-pressed="true"]') == 5
    page.click('tr[data-tricks="5"]')
    page.wait_text("#goal-title", "5 tricks: 26.57 %")
    page.wait("document.querySelectorAll('#first-lines button').length > 3")
    assert page.js("[...document.querySelectorAll('#bars .figure')].map(e => e.innerText)") == ["26.57 %", "45.22 %"]
    widths = page.js("[...document.querySelectorAll('#bars .fill')].map(e => parseFloat(e.style.inlineSize))")
    assert widths == pytest.approx([26.57, 45.22], abs=0.01)
    page.click("#first-lines li:nth-child(4) button")
    page.wait_text("#comparison", "How it goes on")
    assert "less than: Finesse the queen" in page.text("#comparison")
    assert page.count("#tiles .tile.best") > 0
    page.press("Escape")
    page.wait("!document.querySelector('#comparison').innerText && !document.querySelector('#tiles .tile.best')")


def test_a_link_reproduces_the_state(open_page):
    page = settled(open_page(f"{EXPLORER}&suit=h"))
    page.click("#first-lines li:nth-child(2) button")
    page.wait_text("#comparison", "How it goes on")
    page.click("#assumptions summary")
    page.rewrite("#west_cards", "11")
    page.wait_text("#assumed", "vacant places: West 11, East 13")
    page.wait_text("#comparison", "Cash the ace: 10.23 %")
    page.wait_text("#comparison", "How it goes on")
    settled(page)
    again = settled(open_page(page.js("location.pathname + location.search")[1:]))
    again.wait_text("#comparison", "How it goes on")
    for part in ("#goals", "#goal", "#layouts", "#combination"):
        assert again.text(part) == page.text(part)
    assert again.count('.card[data-suit="h"]') == 26


def test_click_cards(open_page):
    page = settled(open_page(EXPLORER))
    page.click('[data-hand="south"] [data-rank="Q"]')
    page.wait_text("#goals-title", "AK9 opposite Q32")
    assert page.js("[north.value, south.value]") == ["AK9", "Q32"]
    page.click('[data-hand="north"] [data-rank="A"]')
    page.wait_text("#goals-title", "K9 opposite Q32")
    page.click("#swap")
    page.wait_text("#goals-title", "Q32 opposite K9")
    page.click("#clear")
    page.wait_text("#empty", "Which cards do you hold?")
    page.click("#examples li:nth-child(3) button")
    page.wait_text("#goals-title", "AJ98 opposite K32")
    settled(page)


def test_the_average_and_sampling(open_page):
    page = settled(open_page("suits?north=QJ98&south=32&tricks=2"))
    page.click("#sampling summary")
    page.wait_text("#sampling", "Monte Carlo believes in")
    page.click('tr[data-tricks="average"]')
    page.wait_text("#goal-title", "tricks on average")
    assert page.count("#tiles .tile[class*=shade-]") == page.count("#tiles .tile")
    assert not page.js("document.querySelector('#ways').offsetHeight")


# ---------------------------------------------------------------------- errors


@pytest.mark.parametrize(
    ("north", "words", "invalid"),
    [("AKZ", "found 'Z' in 'AKZ'", [True, False]), ("AK3", "found 3 twice", [True, True])],
)
def test_cards_that_are_none(open_page, north, words, invalid):
    page = settled(open_page(EXPLORER))
    page.rewrite("#north", north)
    page.wait_text("#fault", words)
    assert page.js("[north, south].map(e => e.ariaInvalid === 'true')") == invalid
    assert page.js("document.querySelector('#results').className.includes('stale')")
    page.rewrite("#north", "AKJ")
    page.wait_text("#goals-title", "AKJ opposite 32")
    assert page.js("document.querySelector('#fault').hidden")
    page.faults.clear()  # Chromium notes every answer that is a refusal


def test_a_bad_link_shows_what_is_wrong(open_page):
    page = open_page("suits?north=AKQ9&south=32&west_cards=99")
    page.wait_text("#fault", "a whole number from 0 to 13, found 99")
    drill = open_page("suits?drill=3&answers=ZZ")
    drill.wait_text("#drill", "plays such as S2")
    drill.click("#drill button")
    drill.wait_text("#drill", "Question 1 of 10")
    page.faults.clear()
    drill.faults.clear()


def test_a_server_that_has_gone(open_page):
    page = settled(open_page(EXPLORER))
    page.go_offline()
    page.rewrite("#north", "AK")
    page.wait_text("#fault", "The server does not answer")
    page.faults.clear()


def test_a_page_that_is_not_there(open_page):
    page = open_page("nothing")
    assert page.text("h1") == "Not Found"
    page.click("nav a")
    settled(page)
    page.faults.clear()


# ---------------------------------------------------------------------- the drill


def test_a_drill_from_start_to_end(open_page):
    page = settled(open_page(EXPLORER))
    page.click("#to-drill")
    for number in range(1, 11):
        page.wait_text("#drill", f"Question {number} of 10")
        if number == 1:
            page.click(".fan button")  # a card can be led, or a play chosen by its number
        else:
            page.press("1")
        page.wait("document.querySelector('#drill button.primary')")
        assert re.match("Right|No", page.text("#drill-title"))
        assert f"of {number} right" in page.text(".score")
        page.press("Enter")
    page.wait_text("#drill-title", "of 10 right; on average you gave away")
    assert page.count(".dots .right") + page.count(".dots .wrong") == 10
    again = open_page(page.js("location.pathname + location.search")[1:])
    again.wait_text("#drill-title", page.text("#drill-title"))
    again.click(".review button")
    settled(again)
    assert again.text("#goals-title") in again.js("`${north.value} opposite ${south.value}`")


# ---------------------------------------------------------------------- every way to look and to use


TALKATIVE = [f"{EXPLORER}&why=Cash+the+ace&suit=d", "suits?drill=3"]
SIZES = """[...document.querySelectorAll('main button, main input, main summary')].filter(e => e.offsetHeight > 1)
  .map(e => e.closest('tr, .segments, .suit-choice label') ?? e).map(e => Math.min(e.offsetHeight, e.offsetWidth))"""


@pytest.mark.parametrize("path", TALKATIVE)
def test_narrow_screens_need_no_scrolling_sideways(open_page, path):
    """And a thumb can hit everything: 24 pixels, as WCAG asks."""
    page = open_page(path, width=320, height=700)
    page.wait("document.querySelector('#comparison > div, .plays')?.innerText")
    for width in (320, 390, 768):
        page.resize(width, 700)
        assert page.js("document.documentElement.scrollWidth") <= width
        assert min(page.js(SIZES)) >= 24


def luminance(colour):
    channels = [int(part) / 255 for part in re.findall(r"\d+", colour)[:3]]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


TEXTS = """(() => {
  const solid = (e) => { const c = getComputedStyle(e).backgroundColor; return c.startsWith('rgb(') ? c : null; };
  const behind = (e) => { while (e && !solid(e)) e = e.parentElement; return e ? solid(e) : 'rgb(255, 255, 255)'; };
  const own = (e) => [...e.childNodes].some(n => n.nodeType === 3 && n.data.trim());
  const seen = (e) => e.checkVisibility({visibilityProperty: true}) && !e.closest('.only-heard, .skip, .elsewhere');
  return [...document.querySelectorAll('body *')].filter(e => own(e) && seen(e))
    .map(e => [e.className + ': ' + e.textContent.slice(0, 30), getComputedStyle(e).color, behind(e)]);
})()"""


@pytest.mark.parametrize("path", TALKATIVE)
def test_everything_can_be_read(open_page, path):
    """Contrast of at least 4.5 to 1, as WCAG asks, for every text on the page, light and dark."""
    page = open_page(path)
    page.wait("document.querySelector('#comparison > div, .plays')?.innerText")
    page.js("document.getElementById('colours').click()")
    for scheme in ("light", "dark"):
        page.prefer(scheme)
        assert (luminance(page.js("getComputedStyle(document.body).backgroundColor")) < 0.1) == (scheme == "dark")
        assert [text for text in page.js(TEXTS) if contrast(*text[1:]) < 4.5] == []


def contrast(ink, paper):
    high, low = sorted((luminance(ink), luminance(paper)), reverse=True)
    return (high + 0.05) / (low + 0.05)


def test_dark_and_four_colours_are_remembered(open_page, address):
    page = settled(open_page(EXPLORER))
    look = "[document.documentElement.dataset.theme ?? 'auto', document.documentElement.dataset.colours ?? 'two']"
    page.click("#theme")
    page.click("#theme")
    page.click("#colours")
    assert page.js(look) == ["dark", "four"]
    assert luminance(page.js("getComputedStyle(document.body).backgroundColor")) < 0.1
    page.go(address + EXPLORER)
    assert page.js(look) == ["dark", "four"]
    assert page.js("theme.getAttribute('aria-label')") == "Colours: dark. Change"
    page.click("#theme")
    assert page.js(look) == ["auto", "four"]


def test_the_keyboard_is_enough(open_page):
    page = settled(open_page(EXPLORER))
    page.press("Tab")
    assert page.js("document.activeElement.innerText") == "Skip to the page"
    page.press("/")
    assert page.js("document.activeElement.id") == "north"
    page.type("AJ98")
    page.press("Tab")
    assert page.js("document.activeElement.ariaLabel") == "ace, North"
    page.press("ArrowRight")
    page.press(" ")
    page.wait_text("#goals-title", "AKJ98 opposite 32")
    settled(page)
    page.js("document.querySelector('input[name=goal]:checked').focus()")
    page.press("ArrowDown")
    page.wait_text("#goal-title", "tricks on average")
    assert page.js("document.activeElement.value") == "average"


def test_everything_has_a_name(open_page):
    """What can be used says what it is to those who do not see it."""
    page = settled(open_page(EXPLORER))
    page.call("Accessibility.enable")
    nodes = page.call("Accessibility.getFullAXTree")["nodes"]
    used = [
        node
        for node in nodes
        if node.get("role", {}).get("value") in ("button", "link", "textbox", "radio", "spinbutton")
    ]
    assert len(used) > 40
    assert [node for node in used if not node["name"].get("value")] == []
