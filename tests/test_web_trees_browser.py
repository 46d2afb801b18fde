"""Trees and the laboratory in a real browser: main tasks, errors, a narrow screen, the dark, the keyboard."""

import os
import re
import subprocess
import sys

import pytest

from browser import Browser, find_chromium
from worldwise.lab.catalogue import EXPERIMENTS
from worldwise.lab.experiment import find
from worldwise.lab.plan import Plan
from worldwise.lab.runners import Serial, carry_out

# Where it must be there, as in CI, tests without one fail.
pytestmark = pytest.mark.skipif(
    find_chromium() is None and not os.environ.get("WORLDWISE_REQUIRE_BROWSER"),
    reason="there is no Chromium on this machine; `make browser` installs Debian's",
)

FUSED = "trees?name=fb01/fig-10&algorithm=monte-carlo"
SEEN = "[...document.querySelectorAll('#chosen-figure .vector:not(.unseen)')].map(e => Number(e.dataset.node)).sort()"
BOLD = "document.querySelectorAll('#chosen-figure .branch.chosen:not(.waiting)').length"


@pytest.fixture(scope="module")
def address(tmp_path_factory):
    folder = tmp_path_factory.mktemp("results")
    carry_out(Plan(find(EXPERIMENTS, "fb01/fig-7"), "smoke"), folder, Serial())
    command = [sys.executable, "-m", "worldwise", "web", "--port", "0", "--no-browser", "--results", str(folder)]
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


def drawn(page):
    page.wait("document.querySelector('#chosen-figure svg') && !document.querySelector('#results').hidden")
    return page


def names_missing(page):
    """What is used but has no name for those who only hear it."""
    tree = page.call("Accessibility.getFullAXTree")["nodes"]
    used = [n for n in tree if n.get("role", {}).get("value") in ("button", "link", "textbox", "combobox", "slider")]
    assert len(used) > 10
    return [node for node in used if not node["name"].get("value")]


def contrast(page, selector):
    """Whether the letters are far enough from their ground, as a ratio."""
    return page.js(
        f"""(() => {{ const light = (c) => {{ const [r, g, b] = c.match(/[\\d.]+/g).map(v => v / 255)
            .map(v => v <= 0.04 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4); return 0.2126*r + 0.7152*g + 0.0722*b; }};
        let e = document.querySelector({selector!r}); const ink = light(getComputedStyle(e).color);
        while (/, 0\\)|transparent/.test(getComputedStyle(e).backgroundColor)) e = e.parentElement;
        const ground = light(getComputedStyle(e).backgroundColor);
        return (Math.max(ink, ground) + 0.05) / (Math.min(ink, ground) + 0.05); }})()"""
    )


# ---------------------------------------------------------------------- trees


def test_first_load_shows_strategy_fusion_beside_the_best(open_page):
    page = drawn(open_page("trees"))
    assert page.js("document.title") == "Trees – worldwise"
    assert page.text("#summary").endswith("the best is 0.8, missed because of strategy fusion.")
    assert page.js(SEEN) == [0, 1, 2, 5]
    assert page.count("#chosen-figure .node.fused") == 2
    assert page.text("#exact-figure figcaption") == "exact: the best there is"
    assert page.count("#algorithms tr") == 11


def test_step_through_a_search(open_page):
    page = drawn(open_page(FUSED))
    page.click("#first")
    assert (page.js(SEEN), page.js(BOLD)) == ([], 0)
    assert page.text("#step-words").startswith("Nothing is backed up yet")
    page.click("#next")
    assert (page.js(SEEN), page.js(BOLD), page.text("#count")) == ([2], 1, "1 of 4")
    assert "strategies are fused" in page.text("#step-words")
    page.click("#next")
    assert (page.js(SEEN), page.count(".node.fused"), page.js("location.search.slice(-7)")) == ([2, 5], 2, "&step=2")
    page.click("#last")
    assert (page.js(SEEN), page.js(BOLD), page.js("next.disabled")) == ([0, 1, 2, 5], 3, True)


def test_choose_an_algorithm_and_see_non_locality(open_page):
    page = drawn(open_page("trees?name=fb01/fig-18&algorithm=exact"))
    assert page.js("document.querySelector('#exact-figure').hidden")
    page.click('[data-algorithm="vector-mm"] button')
    page.wait_text("#summary", "non-locality")
    assert page.js("document.querySelector('.node.misled').dataset.node") == "3"
    assert page.js("document.activeElement.innerText") == "vector-mm"
    page.click('[data-algorithm="prm"] button')
    page.wait_text("#summary", "prm believes in 0.3333 and gets it")
    page.click("#first")
    assert page.count("#chosen-figure .cut.unseen") == 2
    page.click("#next")
    assert page.count("#chosen-figure .cut:not(.unseen)") == 2


def test_a_link_reproduces_the_state(open_page):
    page = drawn(open_page("trees"))
    page.js("document.getElementById('name').value = 'fb01/fig-11-b'")
    page.js("document.getElementById('name').dispatchEvent(new Event('change'))")
    page.wait_text("#search-title", "fb01/fig-11-b")
    page.click('[data-algorithm="vector-mm"] button')
    page.wait_text("#summary", "vector-mm")
    page.click("#back")
    again = drawn(open_page(page.js("location.pathname + location.search")[1:]))
    for part in ("main", "#step-words", "#count", "#chosen-figure"):
        assert again.text(part) == page.text(part)
    assert again.js(SEEN) == page.js(SEEN)


def test_it_plays_by_itself_and_from_the_keyboard(open_page):
    page = drawn(open_page(FUSED))
    for key, count in (("Home", "0 of 4"), ("ArrowRight", "1 of 4"), ("ArrowLeft", "0 of 4"), ("End", "4 of 4")):
        page.press(key)
        assert page.text("#count") == count
    page.press("p")
    assert (page.text("#count"), page.text("#play")) == ("0 of 4", "Pause")
    page.wait_text("#count", "1 of 4")
    page.press("p")
    assert page.text("#play") == "Play"
    assert names_missing(page) == []


def test_ones_own_tree_and_game(open_page):
    page = drawn(open_page("trees"))
    page.click("#to-own")
    assert page.js("document.querySelector('#results').hidden")
    page.click("#example-tree")
    page.wait_text("#summary", "missed because of strategy fusion")
    page.rewrite("#text", '{"worlds": 2, "root": {"max": [{"payoff": [1, 0, 1]}]}}')
    page.click("#search")
    page.wait_text("#fault", "column 43, at root.max[0].payoff: expected 2 payoffs, found 3")
    assert page.js("document.querySelector('#results').hidden && text.getAttribute('aria-invalid') === 'true'")
    page.click("#example-game")
    page.wait_text("#search-title", "Matching pennies")
    assert page.js("document.querySelector('#stepping').hidden && document.querySelector('#fault').hidden")


def test_a_file_is_dropped(open_page):
    page = drawn(open_page("trees"))
    page.js(
        """(() => { const files = new DataTransfer();
        const text = '{"worlds": 1, "title": "Dropped", "root": {"payoff": [1]}}';
        files.items.add(new File([text], "a.json")); dispatchEvent(new DragEvent("drop", {dataTransfer: files})) })()"""
    )
    page.wait_text("#search-title", "Dropped")
    assert page.js("document.querySelector('#own').hidden") is False


def test_what_is_not_there_and_what_is_too_long(open_page):
    page = open_page("trees?name=fb01/fig-99")
    page.wait_text("#fault", "nknown tree 'fb01/fig-99'")
    assert page.js("document.querySelector('#results').hidden")
    page.click("#to-own")
    page.js("text.value = ' '.repeat(200001)")
    page.click("#search")
    page.wait_text("#fault", "xpected a text of at most 200,000 characters, found 200,001")


@pytest.mark.parametrize("path", [FUSED, "trees?name=bmv96/fig-4", "trees?name=fb01/fig-15&algorithm=vm-beta"])
def test_trees_on_a_phone(open_page, path):
    page = drawn(open_page(path, width=360, height=740))
    assert page.js("document.documentElement.scrollWidth") <= 360


def test_trees_in_the_dark(open_page):
    page = drawn(open_page(FUSED, dark=True))
    for part in ("#summary", "#step-words", "#about", ".algorithms td.missed", ".algorithms td.optimal", "#legend"):
        assert contrast(page, part) >= 4.5, part
    ink = page.js("getComputedStyle(document.querySelector('.drawing text.payoff').parentElement.parentElement).fill")
    assert ink == "rgb(236, 232, 223)"


# ---------------------------------------------------------------------- the laboratory


def test_the_laboratory_shows_what_was_run(open_page):
    page = open_page("laboratory")
    page.wait("document.querySelector('#picture [data-painted]') && document.querySelector('#verdicts li')")
    assert page.text("#run-title") == "The error of Monte Carlo over depth and MIN's knowledge"
    assert page.text("#folder").startswith(f"1 of {len(EXPERIMENTS)} have been run")
    assert page.count(".experiment") == len(EXPERIMENTS)
    assert page.count("#verdicts li") == len(find(EXPERIMENTS, "fb01/fig-7").claims)
    assert page.js("document.querySelector('#picture [data-painted]').getBoundingClientRect().height") > 150
    assert names_missing(page) == []


def test_a_smoke_run_with_live_progress(open_page):
    page = open_page("laboratory?experiment=bmv96/strategies")
    page.wait_text("#run-words", "Not run yet")
    page.js(
        "(() => { window.seen = []; new MutationObserver(() => seen.push(progress.innerText)).observe(progress,"
        " {childList: true}) })()"
    )
    page.click("#smoke")
    page.wait_text("#run-words", "A smoke run, too few rows to judge a claim by: scale smoke, seed 0, 4 rows")
    page.wait("document.querySelector('#picture [data-painted]') && !smoke.disabled")
    assert page.js("document.querySelector('#progress').hidden")
    assert "4 of 4 rows" in page.js("seen")
    page.click("#again")
    page.wait_text("#run-words", "Not run yet")


def test_choose_from_the_list_with_the_keyboard(open_page):
    page = open_page("laboratory?experiment=fb01/fig-7")
    page.wait("document.querySelector('#picture [data-painted]')")
    page.js("document.querySelector('.experiment').focus()")
    page.press("ArrowDown")
    page.press("Enter")
    page.wait_text("#run-words", "Not run yet")
    assert page.js("location.search") == "?experiment=fb01%2Ffig-27"
    assert page.text('.experiment[aria-pressed="true"] .id') == "fb01/fig-27"


def test_an_experiment_that_there_is_not(open_page):
    page = open_page("laboratory?experiment=fb01/fig-99")
    page.wait_text("#fault", "nknown experiment 'fb01/fig-99'")


def test_the_laboratory_narrow_and_dark(open_page):
    page = open_page("laboratory", width=360, height=740, dark=True)
    page.wait("document.querySelector('#picture [data-painted]')")
    assert page.js("document.documentElement.scrollWidth") <= 360
    for part in ("#run-words", "#verdicts .outcome", "#verdicts .because", ".experiment .id", "#origin"):
        assert contrast(page, part) >= 4.5, part
