"""Trees in a real browser: the papers' figures step by step, one's own, errors, every way to look and to use."""

import pytest

from browser import assert_good_to_use

FUSED = "trees?name=fb01/fig-10&algorithm=monte-carlo"
SEEN = "[...document.querySelectorAll('#chosen-figure .vector:not(.unseen)')].map(e => Number(e.dataset.node)).sort()"
BOLD = "document.querySelectorAll('#chosen-figure .branch.chosen:not(.waiting)').length"


def drawn(page):
    page.assert_soon("document.querySelector('#chosen-figure svg') && !document.querySelector('#results').hidden")
    return page


# ---------------------------------------------------------------------- trees


def test_first_load_shows_strategy_fusion_beside_the_best(open_page):
    page = drawn(open_page("trees"))
    assert page.js("document.title") == "Trees – worldwise"
    assert "the best is 0.8, missed because of strategy fusion. At a it plays left" in page.text("#summary")
    assert page.js(SEEN) == [0, 1, 2, 5]
    assert page.count("#chosen-figure .node.fused") == 2
    assert page.text("#exact-figure figcaption") == "exact: the best there is"
    assert page.count("#algorithms tr") == 12


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
    page.assert_text_soon("#summary", "non-locality")
    assert page.js("document.querySelector('.node.misled').dataset.node") == "3"
    assert page.js("document.activeElement.innerText") == "vector-mm"
    page.click('[data-algorithm="prm"] button')
    page.assert_text_soon("#summary", "prm believes in 0.3333 and gets it")
    page.click("#first")
    assert page.count("#chosen-figure .cut.unseen") == 2
    page.click("#next")
    assert page.count("#chosen-figure .cut:not(.unseen)") == 2


def test_a_link_reproduces_the_state(open_page):
    page = drawn(open_page("trees"))
    page.choose("#name", "fb01/fig-11-b")
    page.assert_text_soon("#search-title", "fb01/fig-11-b")
    page.click('[data-algorithm="vector-mm"] button')
    page.assert_text_soon("#summary", "vector-mm")
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
    page.js(
        "(() => { window.seen = []; new MutationObserver(() => seen.push(count.innerText)).observe(count,"
        " {childList: true}) })()"
    )
    page.press("p")
    page.assert_soon("seen.join() === '0 of 4,1 of 4,2 of 4,3 of 4,4 of 4' && play.innerText === 'Play'")
    page.press("p")
    page.assert_soon("seen.length > 5 && play.innerText === 'Pause'")
    page.press("p")
    page.assert_soon("play.innerText === 'Play'")


def test_ones_own_tree_and_game(open_page):
    page = drawn(open_page("trees"))
    page.click("#to-own")
    assert page.js("document.querySelector('#results').hidden")
    page.click("#example-tree")
    page.assert_text_soon("#summary", "missed because of strategy fusion")
    page.rewrite("#text", '{"worlds": 2, "root": {"max": [{"payoff": [1, 0, 1]}]}}')
    page.click("#search")
    page.assert_text_soon("#fault", "column 43, at root.max[0].payoff: expected 2 payoffs, found 3")
    assert page.js("document.querySelector('#results').hidden && text.getAttribute('aria-invalid') === 'true'")
    page.click("#example-game")
    page.assert_text_soon("#search-title", "Matching pennies")
    assert page.js("document.querySelector('#stepping').hidden && document.querySelector('#fault').hidden")


OWN = {
    "one.json": '{"worlds": 1, "title": "One leaf", "root": {"payoff": [1]}}',
    "one.efg": 'EFG 2 R "One choice" { "Ann" } ""\np "" 1 1 "" { "l" "r" } 0\nt "" 1 "" { 1 }\nt "" 2 "" { 0 }\n',
}


@pytest.mark.parametrize(("name", "title"), [("one.json", "One leaf"), ("one.efg", "One choice")])
def test_files_of_ones_own(open_page, tmp_path, name, title):
    """Dropped anywhere on the page, chosen from the system's window, or pasted."""
    page = drawn(open_page("trees"))
    page.drop(OWN[name], name)
    page.assert_text_soon("#search-title", title)
    assert page.js("document.querySelector('#own').hidden") is False
    page.click("#example-game")
    page.assert_text_soon("#search-title", "Matching pennies")
    (tmp_path / name).write_text(OWN[name])
    page.choose_file("#file", tmp_path / name)
    page.assert_text_soon("#search-title", title)
    page.click("#example-tree")
    page.assert_text_soon("#search-title", "Guess later")
    page.rewrite("#text", OWN[name])
    page.click("#search")
    page.assert_text_soon("#search-title", title)


def test_a_figure_is_saved(open_page, tmp_path):
    page = drawn(open_page(FUSED))
    ((name, figure),) = page.saved(tmp_path, "#save").items()
    assert (name, "<svg" in figure) == ("fb01-fig-10-monte-carlo.svg", True)


def test_what_is_not_there_and_what_is_too_long(open_page):
    page = open_page("trees?name=fb01/fig-99")
    page.assert_text_soon("#fault", "nknown tree 'fb01/fig-99'")
    assert page.js("document.querySelector('#results').hidden")
    page.click("#to-own")
    page.js("text.value = ' '.repeat(200001)")
    page.click("#search")
    page.assert_text_soon("#fault", "xpected a text of at most 200,000 characters, found 200,001")


SHOWN = [FUSED, "trees?name=bmv96/fig-4", "trees?name=fb01/fig-15&algorithm=vm-beta", "trees?own=1"]


@pytest.mark.parametrize("path", SHOWN)
def test_anybody_can_use_it(open_page, path):
    page = open_page(path)
    if "own" in path:
        page.click("#example-tree")
    assert_good_to_use(drawn(page))


def test_a_figure_made_for_paper_follows_the_dark(open_page):
    page = drawn(open_page(FUSED, dark=True))
    ink = page.js("getComputedStyle(document.querySelector('.drawing text.payoff').parentElement.parentElement).fill")
    assert ink == "rgb(236, 232, 223)"


# ---------------------------------------------------------------------- editing and looking closer


def outlined(open_page):
    page = open_page("trees?own=1")
    page.click("#edit summary")
    page.click("#plain")
    return drawn(page)


def leaves(page):
    return page.js("document.querySelector('#text').value.split('payoff').length - 1")


def test_a_tree_is_edited_as_an_outline(open_page):
    page = outlined(open_page)
    assert page.count("#outline .payoffs") == leaves(page) == 2
    page.click("#outline > .outline > li > .node-line button")  # add a move
    page.assert_soon("document.querySelectorAll('#outline .payoffs').length === 3")
    page.rewrite("#outline ul ul li:last-child .payoffs", "1 1")
    page.press("Enter")
    page.assert_soon("JSON.parse(document.querySelector('#text').value).root.max[2].payoff.join() === '1,1'")
    page.assert_text_soon("#summary", "1")
    page.choose("#outline select", "min")
    page.assert_soon("'min' in JSON.parse(document.querySelector('#text').value).root")
    page.click("#outline ul ul li:first-child .node-line button")  # let somebody choose
    page.assert_soon("document.querySelectorAll('#outline select').length === 2")
    drawn(page)


def test_payoffs_that_do_not_fit_are_marked_and_not_taken(open_page):
    page = outlined(open_page)
    before = page.js("document.querySelector('#text').value")
    page.rewrite("#outline .payoffs", "1 2 x")
    page.press("Enter")
    page.assert_soon("document.querySelector('#outline .payoffs').getAttribute('aria-invalid') === 'true'")
    assert page.js("document.querySelector('#text').value") == before


def test_a_tree_of_ones_own_survives_a_reload(open_page):
    page = outlined(open_page)
    text = page.js("document.querySelector('#text').value")
    page.go(page.js("location.href"))
    drawn(page)
    assert page.js("document.querySelector('#text').value") == text


def test_a_drawing_is_seen_larger_and_as_it_fits(open_page):
    page = drawn(open_page(FUSED))
    wide = "document.querySelector('#chosen-figure svg').getBoundingClientRect().width"
    fits = page.js(wide)
    for _ in range(3):
        page.click("#larger")
    assert page.js(wide) > 1.5 * fits
    page.click("#fit")
    assert page.js(wide) == pytest.approx(fits)
