"""The atlas in a real browser: the map, filters, one suit, links, and a hard one for the drill."""

from browser import assert_good_to_use


def listed(page):
    """Wait until map and list are there."""
    page.assert_soon("document.querySelector('#map .field') && document.querySelector('#status').innerText")
    return page


def test_first_load_shows_map_and_suits(open_page):
    page = listed(open_page("atlas"))
    assert page.js("document.title") == "Atlas – worldwise"
    page.assert_text_soon("#about", "All 159,093 suit combinations there are")
    assert page.count("#found tbody tr") == 50
    assert page.js("document.querySelector('#suit').hidden")
    assert_good_to_use(page)


def test_from_the_map_to_a_suit_and_back(open_page):
    page = listed(open_page("atlas?tricks=4"))
    page.click('#map .field[aria-label^="8 cards, Q missing"]')
    page.assert_soon("location.search.includes('missing=Q')")
    page.assert_soon("[...document.querySelectorAll('#found td:nth-child(3)')].every(e => e.innerText === '4')")
    page.click("#found tbody tr:first-child a")
    page.assert_text_soon("#suit-title", "opposite")
    page.assert_soon("document.querySelector('#goals tbody tr')")
    assert_good_to_use(page)
    again = listed(open_page(page.js("location.pathname + location.search")[1:]))
    again.assert_soon("document.querySelector('#goals tbody tr')")
    for part in ("#map", "#found", "#suit"):
        assert again.text(part) == page.text(part)
    page.js("history.back()")
    page.assert_soon("document.querySelector('#suit').hidden")


def test_filters_and_order(open_page):
    page = listed(open_page("atlas"))
    page.rewrite("#missing", "K J")
    page.rewrite("#length", "8")
    page.rewrite("#goal", "4")
    page.rewrite("#chance", "45..55")
    page.assert_soon("location.search.includes('chance=45')")
    page.assert_text_soon("#status", "1 to ")
    page.choose("#sort", "hardest")
    page.assert_soon("location.search.includes('sort=hardest')")
    page.rewrite("#chance", "a lot")
    page.assert_text_soon("#fault", "Expected per cents from 0 to 100")
    page.excuse("400")


def test_a_hard_one_for_the_drill(open_page):
    page = listed(open_page("atlas"))
    page.click("#random")
    page.assert_soon("location.pathname === '/suits' && location.search.includes('drill=')")
    page.assert_text_soon("#drill", "You want")
