"""The laboratory in a real browser: what was run, smoke runs as they go, errors, every way to look and to use."""

import re

import pytest

import coin_server
from browser import assert_good_to_use, served
from worldwise.lab.papers import EXPERIMENTS, load
from worldwise.lab.plan import Plan, carry_out
from worldwise.runs.runners import Serial

READ = "document.querySelector('#run').getAttribute('aria-busy') === 'false'"
"""Whether what was asked for is on the page."""


@pytest.fixture(scope="module")
def address(tmp_path_factory):
    """A server whose folder has the results of one experiment."""
    folder = tmp_path_factory.mktemp("results")
    carry_out(Plan(load("fb01/fig-7"), "smoke"), folder, Serial())
    with served("--results", str(folder)) as address:
        yield address


@pytest.fixture(scope="module")
def slow_address(tmp_path_factory):
    """A server of one experiment, each of whose rows takes two seconds."""
    with served("--results", str(tmp_path_factory.mktemp("none")), start=[coin_server.__file__]) as address:
        yield address


def test_the_laboratory_shows_what_was_run(open_page):
    page = open_page("laboratory")
    page.assert_soon("document.querySelector('#picture [data-painted]') && document.querySelector('#verdicts li')")
    assert page.text("#run-title") == "The error of Monte Carlo over depth and MIN's knowledge"
    assert "1 by rows in " in page.text("#folder")
    assert page.count(".experiment") == len(EXPERIMENTS)
    assert page.count("#verdicts li") == len(load("fb01/fig-7").claims)
    assert page.text('[data-experiment="fb01/fig-7"] .id') == "fb01/fig-7 · your smoke run"
    assert page.text('[data-experiment="clv21/table-4"] .id') == "clv21/table-4 · shipped"
    score = page.js("[...document.querySelectorAll('#score dd')].map(e => Number(e.innerText))")
    assert min(score) > 0
    assert page.js("document.querySelector('#picture [data-painted]').getBoundingClientRect().height") > 150


def test_a_smoke_run_with_live_progress(open_page):
    page = open_page("laboratory?experiment=bmv96/strategies")
    page.assert_soon(READ)
    page.js(
        "(() => { window.seen = []; new MutationObserver(() => seen.push(progress.innerText)).observe(progress,"
        " {childList: true}) })()"
    )
    page.click("#smoke")
    page.assert_text_soon("#run-words", "A smoke run, a few rows of everything: scale smoke, seed 0, 4 rows")
    page.assert_soon("document.querySelector('#picture [data-painted]') && !smoke.disabled")
    assert page.js("document.querySelector('#progress').hidden")
    assert "4 of 4 rows: judging …" in page.js("seen")
    assert page.js("[...document.querySelectorAll('.outcome')].map((e) => e.innerText)") == ["? undecided", "✓ holds"]
    page.click("#again")
    page.assert_soon(f"{READ} && !document.querySelector('#run-words').innerText.startsWith('A smoke run')")


def test_what_is_being_read_is_said_at_once(open_page):
    """An older report goes when another experiment is chosen, not when that is read."""
    page = open_page("laboratory?experiment=fb01/fig-7")
    page.assert_soon("document.querySelector('#picture [data-painted]')")
    said = "[byId('run-title'), byId('run-words')].map((e) => e.innerText)"
    state = "byId('told').hidden, byId('smoke').hidden, byId('run').getAttribute('aria-busy')"
    clicked = page.js(
        "(() => { const byId = (id) => document.getElementById(id);"
        f" document.querySelector('[data-experiment=\"bmv96/strategies\"]').click(); return [...{said}, {state}] }})()"
    )
    assert clicked == [load("bmv96/strategies").title, "Reading …", True, True, "true"]
    page.assert_soon(f"{READ} && !smoke.hidden")


def test_a_smoke_run_is_stopped(open_page, slow_address):
    """What is measured so far is said, what was known before stays, and one can begin again."""
    page = open_page(slow_address + "laboratory")
    page.assert_text_soon("#run-words", "Not run yet")
    page.click("#smoke")
    page.assert_text_soon("#progress", "1 of 10 rows")
    page.click("#cancel")
    page.assert_text_soon("#progress", "Stopped after ")
    assert re.match(r"Stopped after [1-9] of 10 rows\.", page.text("#progress"))
    assert page.js("[cancel.hidden, smoke.disabled, fault.hidden, told.hidden]") == [True, False, True, True]
    share = page.js("parseFloat(document.querySelector('#progress .fill').style.inlineSize)")
    assert 10 <= share <= 90
    page.click("#smoke")
    page.assert_text_soon("#progress", "1 of 10 rows")
    page.click('[data-experiment="coin/fig-1"]')
    page.assert_soon("document.querySelector('#progress').hidden && !smoke.disabled")


def test_choose_from_the_list_with_the_keyboard(open_page):
    page = open_page("laboratory?experiment=fb01/fig-7")
    page.assert_soon("document.querySelector('#picture [data-painted]')")
    page.js("document.querySelector('.experiment').focus()")
    page.press("ArrowDown")
    page.press("Enter")
    page.assert_soon(f"location.search === '?experiment=fb01%2Ffig-27' && {READ}")
    assert page.text('.experiment[aria-pressed="true"] .id').startswith("fb01/fig-27")


def test_an_experiment_that_there_is_not(open_page):
    page = open_page("laboratory?experiment=fb01/fig-99")
    page.assert_text_soon("#fault", "nknown experiment 'fb01/fig-99'")


@pytest.mark.parametrize("experiment", ["fb01/fig-7", "bmv96/strategies"])
def test_anybody_can_use_it(open_page, experiment):
    """One that has been run, and one that has not."""
    page = open_page(f"laboratory?experiment={experiment}")
    page.assert_soon("document.querySelector('#picture [data-painted], #run-words:not(:empty)')")
    assert_good_to_use(page)
