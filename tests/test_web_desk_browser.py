"""Declarer's desk in a real browser: a deal from start to end, other lines, errors, a phone, the dark, the keyboard."""

import json
import os
import re
import subprocess
import sys
from urllib.parse import urlencode

import pytest

from browser import Browser, find_chromium
from test_web_browser import TEXTS, contrast
from worldwise.catalog import deal, deals
from worldwise.games.bridge.deal import card_name
from worldwise.games.bridge.files import boards_text

# Where it must be there, as in CI, tests without one fail.
pytestmark = pytest.mark.skipif(
    find_chromium() is None and not os.environ.get("WORLDWISE_REQUIRE_BROWSER"),
    reason="there is no Chromium on this machine; `make browser` installs Debian's",
)

GUESS = deal("deals/two-way-guess").board
READY = "document.querySelector('#choices tr') && document.querySelector('#stop').hidden"
PIECE = "N:AQ4... K53... 876... JT9..."


def link(board=GUESS, **more):
    cards = "".join(map(card_name, board.cards))
    return f"desk?{urlencode({'deal': str(board.deal), 'contract': str(board.contract), 'cards': cards, **more})}"


def piece(cards="", **more):
    """An ending with three cards a hand; the finesse is on."""
    return f"desk?{urlencode({'deal': PIECE, 'contract': '1NT by S', 'cards': cards, **more})}"


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

    def go(path="desk", **options):
        page = chromium.page(**options)
        pages.append(page)
        page.go(address + path)
        return page

    yield go
    assert [fault for page in pages for fault in page.faults] == []


def advised(page):
    page.wait(READY)
    return page


# ---------------------------------------------------------------------- at the table


def test_first_load_shows_a_lesson_and_advice(open_page):
    page = advised(open_page())
    assert page.js("document.title") == "Desk – worldwise"
    assert page.text("#name") == "Discovery: cash the side suits before you guess"
    assert page.text("#contract") == "6NT by South"
    assert page.text("#standing") == "8 won, 1 lost; 4 more make it"
    assert page.text("#looking") == "South to play: all 70 layouts."
    assert page.count("#choices tr") == 3
    assert page.count(".backs") == 2, "hidden hands stay hidden"
    assert page.count("#lessons li") == len(deals())


def test_figures_get_better_while_one_looks(open_page, needs_kernels):
    # Nobody has asked so before: what is answered from memory comes in one step.
    page = advised(open_page(link(deal("deals/discovery").board, known="W.hcp:0+")))
    assert page.count("#steps li") >= 4
    first, last = (page.text(f"#steps li:{which}-child") for which in ("first", "last"))
    assert ("M = 1" in first, "78.6 %" in first) == (True, True)
    assert ("M = 1" in last, "65.7 %" in last) == (False, True)
    assert page.text("#why .headline") == "Play the ♥A"
    assert "PIMC expects 55 of 70" in page.text("#why")
    assert page.js("[...document.querySelectorAll('.pimc.hoped')].map(e => e.innerText)") == ["78.6 %"] * 3
    assert page.text("#how").startswith("After the ♥8 from West")
    assert page.count('#compass .best[data-card="HA"]') == 1


def test_a_deal_from_start_to_end(open_page):
    """Declarer plays what is advised, the defenders by themselves, until the result is known."""
    page = open_page(piece())
    over = "document.querySelectorAll('.played').length === 12"
    while page.wait(f"document.querySelector('#choices button') || {over}") or not page.js(over):
        before = page.count(".played")
        page.press("b")
        page.wait(f"document.querySelectorAll('.played').length > {before}")
    page.wait_text("#looking", "The play is over.")
    assert re.match(r"\d down", page.text("#standing"))
    assert page.count("button.chip") == 0


def test_another_line_and_back(open_page):
    page = advised(open_page(piece("SJSQ", at=1)))
    page.click('#compass button[data-card="S4"]')
    page.wait("!document.querySelector('#what-if').hidden")
    page.wait_text("#play", "♠4")
    page.wait("document.querySelector('#choices tr')")
    page.click("#undo")
    page.wait("document.querySelector('.played.now, .played.later')")
    page.click("#return")
    page.wait("document.querySelector('#what-if').hidden")
    page.wait_text("#play", "♠Q")
    assert page.js("new URLSearchParams(location.search).get('cards')") == "SJSQ"
    assert page.js("new URLSearchParams(location.search).get('at')") == "1"
    advised(page)


def test_go_through_the_play_and_show_all_hands(open_page):
    page = advised(open_page(link()))
    page.click("#play li:first-child button:nth-of-type(2)")
    page.wait_text("#turn", "play from North, dummy")
    assert page.text("#felt").split() == ["Q", "♥"]
    page.click("#first")
    page.wait_text("#turn", "West is to play.")
    assert page.text("#looking") == "Advice comes when it is your turn."
    assert page.count(".backs") == 3, "dummy is faced after the lead"
    page.click("#reveal")
    page.wait("!document.querySelector('.backs')")
    page.click("#reveal")
    page.wait("document.querySelector('.backs')")
    page.click("#defend")
    page.wait_text("#turn", "Your turn")
    page.click("#last")
    advised(page)


def test_leave_and_come_back(open_page, address):
    page = advised(open_page(link(name="Mine")))
    page.click("#known summary")
    page.rewrite("#known-W-hcp", "6")
    page.wait_text("#looking", "South to play: all 5 layouts.")
    advised(page)
    shown = {part: page.text(part) for part in ("#play", "#name", "#looking", "#choices", "#contract")}
    page.go(address + "suits")
    page.go(address + "desk")
    advised(page)
    assert {part: page.text(part) for part in shown} == shown
    assert page.js("document.querySelector('#known-W-hcp').value") == "6"
    again = advised(open_page(page.js("location.pathname + location.search")[1:]))
    assert {part: again.text(part) for part in shown} == shown


def test_stop_and_go_on(open_page, needs_kernels):
    page = open_page(link(deal("deals/unblocking").board))
    page.wait("document.querySelector('#choices tr')")
    page.click("#stop")
    page.wait_text("#looking", "Stopped: ")
    count = page.count("#steps li")
    assert (page.text("#stop"), count < 6) == ("Go on", True)
    page.click("#stop")
    page.wait("document.querySelector('#choices tr') && document.querySelector('#stop').innerText === 'Stop'")


# ---------------------------------------------------------------------- which deal


def drop(page, text, name="deals.pbn"):
    page.js(
        f"""(() => {{ const files = new DataTransfer(); files.items.add(new File([{json.dumps(text)}], {name!r}));
        document.dispatchEvent(new DragEvent("drop", {{dataTransfer: files, bubbles: true}})) }})()"""
    )


def test_a_file_is_dropped_and_a_board_chosen(open_page):
    page = advised(open_page())
    drop(page, boards_text([one.board for one in deals().values()], "pbn"))
    page.wait_text("#boards-title", f"{len(deals())} boards")
    page.click("#board-list li:nth-child(10) button")
    page.wait_text("#contract", "6NT")
    page.wait("document.querySelector('#open').hidden && document.querySelectorAll('.played').length > 20")
    page.click("#last")
    page.wait_text("#looking", "all 15 layouts")
    advised(page)


def test_a_board_without_a_contract_asks_for_one(open_page):
    page = advised(open_page())
    page.click("#to-open")
    page.rewrite("#text", f'[Board "1"]\n[Deal "{PIECE}"]')
    page.click("#paste button")
    page.wait_text("#board-list", "Which contract?")
    page.rewrite("#board-list input", "1NT by S")
    page.press("Enter")
    page.wait_text("#contract", "1NT by South")
    advised(page)


def test_hands_that_nobody_knows(open_page, needs_kernels):
    """As at a real table: one says what the defenders play."""
    north, east, south, west = str(deal("deals/hold-up").board.deal).removeprefix("N:").split()
    assert east != west
    page = open_page(f"desk?{urlencode({'deal': f'N:{north} - {south} -', 'contract': '3NT by S'})}")
    page.wait_text("#picker", "What does West play?")
    assert page.js("document.querySelector('#defend').hidden")
    page.click('#picker [data-card="HK"]')
    page.wait("document.querySelector('#choices tr')")
    assert page.js("document.querySelector('#picker').hidden")


def test_a_deal_at_random(open_page, needs_kernels):
    page = advised(open_page())
    page.click("#to-open")
    page.click("#random button")
    page.wait_text("#contract", "3NT by South")
    page.wait("document.querySelector('#choices tr')")
    assert (page.count(".backs"), page.count(".played")) == (2, 1)
    assert page.js("new URLSearchParams(location.search).get('deal')").startswith("random ")


# ---------------------------------------------------------------------- what goes wrong


def test_what_is_no_deal(open_page):
    page = advised(open_page())
    page.click("#to-open")
    page.rewrite("#text", "nonsense")
    page.click("#paste button")
    page.wait_text("#open-fault", "found 'nonsense'")
    drop(page, " " * 200_001)
    page.wait_text("#open-fault", "at most 200000 bytes, found 200001")
    assert page.text("#contract") == "6NT by South", "what was there is there still"


def test_a_bad_link_shows_what_is_wrong(open_page):
    page = open_page(piece("SA"))
    page.wait_text("#fault", "a card of West's, found SA")
    page.click("#to-open")
    page.click("#lessons li:nth-child(10) button")
    advised(page)
    assert page.js("document.querySelector('#fault').hidden")


def test_constraints_that_nothing_fits(open_page):
    page = advised(open_page(link()))
    page.click("#known summary")
    page.rewrite("#known-W-hcp", "30+")
    page.wait_text("#known-fault", "found none for hcp(West) >= 30")
    assert page.text("#looking") == "There is no layout to look at."
    page.rewrite("#known-W-hcp", "many")
    page.wait_text("#known-fault", "3, 5+ or 12-14, found many")
    page.click("#forget")
    advised(page)
    assert page.js("document.querySelector('#known-fault').hidden")


def test_a_server_that_has_gone(open_page):
    page = advised(open_page(link()))
    page.go_offline()
    page.click("#undo")
    page.wait_text("#fault", "The server does not answer")
    page.faults.clear()  # Chromium notes every request that nobody answers


# ---------------------------------------------------------------------- every way to look and to use


SIZES = """[...document.querySelectorAll('main button, main input, main summary, main select')]
  .filter(e => e.offsetHeight > 1).map(e => Math.min(e.offsetHeight, e.offsetWidth))"""


def test_narrow_screens_need_no_scrolling_sideways(open_page):
    """And a thumb can hit everything: 24 pixels, as WCAG asks."""
    page = advised(open_page(link(reveal=1, at=28), width=320, height=700))
    page.click("#known summary")
    page.click("#to-open")
    for width in (320, 390, 768):
        page.resize(width, 700)
        assert page.js("document.documentElement.scrollWidth") <= width
        assert min(page.js(SIZES)) >= 24


def test_everything_can_be_read(open_page):
    """Contrast of at least 4.5 to 1, as WCAG asks, for every text on the page, light and dark."""
    page = advised(open_page(link(known="E.hcp:0+", record="HQ")))
    page.click("#to-open")
    page.js("document.getElementById('colours').click()")
    for scheme in ("light", "dark"):
        page.prefer(scheme)
        assert [text for text in page.js(TEXTS) if contrast(*text[1:]) < 4.5] == []


def test_the_keyboard_is_enough(open_page):
    page = advised(open_page(link()))
    page.press("u")
    page.wait("document.querySelector('.played.now')")
    advised(page)
    page.press("r")
    page.wait("!document.querySelector('.backs')")
    page.press("ArrowLeft")
    page.wait("document.querySelectorAll('.played.later').length === 2")
    page.press("ArrowRight")
    page.wait("document.querySelectorAll('.played.later').length === 1")
    advised(page)
    page.js("document.querySelector('#choices button').focus()")
    page.press("Enter")
    page.wait("!document.querySelector('.played.later')")


def test_everything_has_a_name(open_page):
    page = advised(open_page(link()))
    page.click("#to-open")
    page.click("#known summary")
    nodes = page.call("Accessibility.getFullAXTree")["nodes"]
    kinds = ("button", "link", "textbox", "combobox")
    used = [node for node in nodes if node.get("role", {}).get("value") in kinds]
    assert len(used) > 50
    assert [node for node in used if not node["name"].get("value")] == []
