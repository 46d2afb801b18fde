"""The suit explorer in a real browser: what a person sees, clicks and types, and that nothing goes wrong unseen."""

import pytest

from browser import assert_good_to_use, is_dark

EXPLORER = "suits?north=AKQ9&south=32&tricks=4"
WON, LOST = "#tiles .tile.won", "#tiles .tile.lost"


def settled(page):
    """Wait until all words are there."""
    page.assert_soon("document.querySelector('#tiles .tile') && !document.querySelector('#results.stale')")
    page.assert_soon("![...document.querySelectorAll('td.line, #line')].some(e => e.innerText === '…')")
    return page


# ---------------------------------------------------------------------- explore


def test_first_load_shows_an_answer(open_page):
    page = settled(open_page("suits"))
    assert page.js("document.title") == "Suits – worldwise"
    assert page.text("#goals-title") == "AKQ9 opposite 32"
    assert page.text("#goal-title") == "4 tricks: 24.00 %"
    assert "Finesse the nine" in page.text("#line")
    assert [page.count(WON), page.count(LOST)] == [6, 12]
    assert page.text("#defenders") == "The defenders have JT 87654"


def test_type_a_combination_and_ask_why_not(open_page):
    page = open_page("suits?north=-&south=-")
    page.assert_text_soon("#empty", "Which cards do you hold?")
    page.rewrite("#north", "AQ10xx")
    page.rewrite("#south", "xxxx")
    page.assert_text_soon("#goals-title", "AQT76 opposite 5432")
    settled(page)
    assert page.count('[data-hand="north"] .card[aria-pressed="true"]') == 5
    page.click('tr[data-tricks="5"]')
    page.assert_text_soon("#goal-title", "5 tricks: 26.57 %")
    page.assert_soon("document.querySelectorAll('#first-lines button').length > 3")
    assert page.js("[...document.querySelectorAll('#bars .figure')].map(e => e.innerText)") == ["26.57 %", "45.22 %"]
    widths = page.js("[...document.querySelectorAll('#bars .fill')].map(e => parseFloat(e.style.inlineSize))")
    assert widths == pytest.approx([26.57, 45.22], abs=0.01)
    page.click("#first-lines li:nth-child(4) button")
    page.assert_text_soon("#comparison", "How it goes on")
    assert "against 26.57 % for finessing the queen" in page.text("#comparison")
    assert page.count("#tiles .tile.best") > 0
    page.press("Escape")
    page.assert_soon("!document.querySelector('#comparison').innerText && !document.querySelector('#tiles .tile.best')")


def test_a_link_reproduces_the_state(open_page):
    page = settled(open_page(f"{EXPLORER}&suit=h"))
    page.click("#first-lines li:nth-child(2) button")
    page.assert_text_soon("#comparison", "How it goes on")
    page.click("#assumptions summary")
    page.rewrite("#west_cards", "11")
    page.assert_text_soon("#assumed", "vacant places: West 11, East 13")
    page.assert_text_soon("#comparison", "Cash the ace: 10.23 %")
    page.assert_text_soon("#comparison", "How it goes on")
    settled(page)
    again = settled(open_page(page.js("location.pathname + location.search")[1:]))
    again.assert_text_soon("#comparison", "How it goes on")
    for part in ("#goals", "#goal", "#layouts", "#combination"):
        assert again.text(part) == page.text(part)
    assert again.count('.card[data-suit="h"]') == 26


def test_back_leads_to_the_combination_before(open_page):
    """Another combination is an entry of the history, what is typed is none."""
    page = settled(open_page("suits?north=AKQ9&south=32"))
    page.click("#examples li:nth-child(3) button")
    page.assert_text_soon("#goals-title", "AJ98 opposite K32")
    settled(page).rewrite("#south", "K54")
    page.assert_text_soon("#goals-title", "AJ98 opposite K54")
    settled(page).click("#clear")
    page.assert_text_soon("#empty", "Which cards do you hold?")
    for title, way in (("AJ98 opposite K54", "back"), ("AKQ9 opposite 32", "back"), ("AJ98 opposite K54", "forward")):
        page.js(f"history.{way}()")
        page.assert_text_soon("#goals-title", title)
        page.assert_soon("document.querySelector('#empty').hidden")
        assert page.js("`${north.value} opposite ${south.value}`") == title
    page.js("history.forward()")
    page.assert_text_soon("#empty", "Which cards do you hold?")


def test_back_leads_to_the_drill(open_page):
    page = open_page("suits?drill=7")
    page.click('[data-wish="next"]')
    page.assert_text_soon("#drill", "Better:")
    page.click(".drill .row button.quiet")
    settled(page)
    page.js("history.back()")
    page.assert_text_soon("#drill", "Better:")
    assert page.js("document.querySelector('#explore').hidden")


def test_the_link_can_be_copied(open_page):
    """Where the browser does not allow that, the button says where the link is."""
    page = settled(open_page(EXPLORER))
    page.click("#copy")
    page.assert_soon("/Copied|address bar/.test(document.querySelector('#copy').innerText)")
    page.assert_text_soon("#copy", "Copy link")


def test_click_cards(open_page):
    page = settled(open_page(EXPLORER))
    page.click('[data-hand="south"] [data-rank="Q"]')
    page.assert_text_soon("#goals-title", "AK9 opposite Q32")
    assert page.js("[north.value, south.value]") == ["AK9", "Q32"]
    page.click('[data-hand="north"] [data-rank="A"]')
    page.assert_text_soon("#goals-title", "K9 opposite Q32")
    page.click("#swap")
    page.assert_text_soon("#goals-title", "Q32 opposite K9")
    page.click("#clear")
    page.assert_text_soon("#empty", "Which cards do you hold?")
    page.click("#examples li:nth-child(3) button")
    page.assert_text_soon("#goals-title", "AJ98 opposite K32")
    settled(page)


def test_the_average_and_sampling(open_page):
    page = settled(open_page("suits?north=QJ98&south=32&tricks=2"))
    page.click("#sampling summary")
    page.assert_text_soon("#sampling", "Sampling expects")
    page.click('tr[data-tricks="average"]')
    page.assert_text_soon("#goal-title", "tricks on average")
    assert page.count("#tiles .tile[class*=shade-]") == page.count("#tiles .tile")
    assert not page.js("document.querySelector('#ways').offsetHeight")


def test_a_figure_is_saved(open_page, tmp_path):
    page = settled(open_page(EXPLORER))
    ((name, figure),) = page.saved(tmp_path, "#figure").items()
    assert (name, figure[:4], "JT" in figure) == ("suit-AKQ9-32-4.svg", "<svg", True)


# ---------------------------------------------------------------------- errors


@pytest.mark.parametrize(
    ("north", "words", "invalid"),
    [("AKZ", "found 'Z' in 'AKZ'", [True, False]), ("AK3", "found 3 twice", [True, True])],
)
def test_cards_that_are_none(open_page, north, words, invalid):
    page = settled(open_page(EXPLORER))
    page.excuse("status of 400")
    page.rewrite("#north", north)
    page.assert_text_soon("#fault", words)
    assert page.js("[north, south].map(e => e.ariaInvalid === 'true')") == invalid
    assert page.js("document.querySelector('#results').className.includes('stale')")
    page.rewrite("#north", "AKJ")
    page.assert_text_soon("#goals-title", "AKJ opposite 32")
    assert page.js("document.querySelector('#fault').hidden")


def test_a_bad_link_shows_what_is_wrong(open_page):
    page = open_page("suits?north=AKQ9&south=32&west_cards=99")
    page.excuse("status of 400")
    page.assert_text_soon("#fault", "a whole number from 0 to 13, found 99")
    drill = open_page("suits?drill=3&plays=ZZ")
    drill.excuse("status of 400")
    drill.assert_text_soon("#drill", "steps such as S2, hint")
    drill.click("#drill button")
    drill.assert_text_soon("#drill", "Question 1 of 10")


def test_a_server_that_has_gone(open_page):
    page = settled(open_page(EXPLORER))
    page.excuse("ERR_INTERNET_DISCONNECTED")
    page.go_offline()
    page.rewrite("#north", "AK")
    page.assert_text_soon("#fault", "The server does not answer")
    page.go_offline(False)
    page.rewrite("#north", "AKJ")
    page.assert_text_soon("#goals-title", "AKJ opposite 32")
    assert page.js("document.querySelector('#fault').hidden")


def test_a_page_that_is_not_there(open_page):
    page = open_page("nothing")
    page.excuse("status of 404")
    assert page.text("h1") == "Not Found"
    page.click("nav a")
    settled(page)


# ---------------------------------------------------------------------- the drill


OWN = "suits?drill=1&north=AKQ9&south=32&tricks=4"


def test_a_suit_is_played_with_the_mouse(open_page):
    page = open_page(OWN)
    page.click('.fan button[data-rank="2"]')
    page.assert_text_soon(".said", "North to play, from AKQ9.")
    assert page.count(".trick .card") == 2
    page.click('.fan button[data-rank="9"]')
    page.assert_text_soon(".said", "Playing the nine cuts your chance from 24.00 % to 5.17 %.")
    assert (page.count(".trick .slipped"), page.count(".fan button")) == (1, 0)
    page.click('[data-wish="back"]')
    page.assert_text_soon(".said", "North to play, from AKQ9.")
    for rank, words in (("Q", "Your lead"), ("3", "North to play"), ("9", "To the end, with 1 slip.")):
        page.click(f'.fan button[data-rank="{rank}"]')
        page.assert_text_soon(".said", words)
    assert "If West has JT85 and East has 764, you take your 4 tricks." in page.text(".said")
    assert page.text(".rounds tbody tr:first-child").split() == ["1", "10", "Q", "4", "2"]
    page.click("#drill button.primary")
    page.assert_text_soon("#drill-title", "0 of 1 right to the end; on average you gave away 18.83 %.")
    assert "playing the nine cut your chance from 24.00 % to 5.17 %. Better: play the queen." in page.text(".review")


def test_a_suit_is_played_with_the_keyboard(open_page):
    page = open_page(OWN)
    page.assert_text_soon(".said", "Your lead")
    page.press("h")
    page.assert_text_soon(".said", "Layouts that you can still win: JTxx–xxx")
    for key, words in (("2", "North to play"), ("q", "Your lead"), ("3", "North to play"), ("b", "Your lead")):
        page.press(key)
        page.assert_text_soon(".said", words)
    page.press("3")
    page.assert_text_soon(".said", "North to play")
    page.press("9")
    page.assert_text_soon(".said", "To the end, with 1 hint.")
    assert page.js("document.activeElement.innerText") == "The review"
    page.press("Enter")
    page.assert_text_soon("#drill-title", "0 of 1 right to the end")


def test_a_link_keeps_the_state(open_page):
    """Of a question under way, one that was stopped, and a drill that is over."""
    for plays, selector, words in (
        ("S2,NQ", ".said", "Your lead: North (AK9) or South (3)"),
        ("S2,N9", ".said", "Playing the nine cuts"),
        ("S2,NQ,S3,N9", ".said", "Right to the end"),
        ("S2,NQ,S3,N9;", "#drill-title", "1 of 1 right to the end"),
    ):
        open_page(f"{OWN}&plays={plays}").assert_text_soon(selector, words)


def test_a_drill_from_start_to_end(open_page):
    page = settled(open_page(EXPLORER))
    page.click("#to-drill")
    page.assert_text_soon("#drill", "Question 1 of 10")
    page.click('.levels button[aria-label="Level 2"]')
    page.assert_soon("location.search.includes('level=2')")  # the question before may have been of level 2, too
    for number in range(1, 11):
        page.assert_text_soon("#drill", f"Question {number} of 10, level 2")
        page.assert_soon("document.querySelector('.fan button')")
        page.press("n")
        page.assert_text_soon(".said", "The line")
        assert page.count(".dots .wrong") == number
        page.press("Enter")
    page.assert_text_soon("#drill-title", "0 of 10 right to the end; on average you gave away 0.00 %.")
    assert page.count(".review li") == 10
    again = open_page(page.js("location.pathname + location.search")[1:])
    again.assert_text_soon("#drill-title", page.text("#drill-title"))
    again.click(".review button")
    settled(again)
    assert again.text("#goals-title") in again.js("`${north.value} opposite ${south.value}`")


def test_what_is_explored_can_be_played(open_page):
    page = settled(open_page(EXPLORER))
    page.click("#play-it")
    page.assert_text_soon("#drill-title", "You want 4 tricks")
    page.assert_text_soon(".said", "Your lead: North (AKQ9) or South (32)")
    page.js("history.back()")
    page.assert_text_soon("#goals-title", "AKQ9 opposite 32")
    settled(page).click('tr[data-tricks="3"]')
    page.assert_soon("document.querySelector('#play-it').hidden")


# ---------------------------------------------------------------------- every way to look and to use


@pytest.mark.parametrize(
    "path", [f"{EXPLORER}&why=Cash+the+ace&suit=d", "suits?drill=3", f"{OWN}&plays=S2,N9", f"{OWN}&plays=S2,NQ,S3,N9"]
)
def test_anybody_can_use_it(open_page, path):
    page = open_page(path)
    page.assert_soon("document.querySelector('#comparison > div, .said')?.innerText")
    page.click("#colours")
    assert_good_to_use(page)


def test_dark_and_four_colours_are_remembered(open_page, address):
    page = settled(open_page(EXPLORER))
    look = "[document.documentElement.dataset.theme ?? 'auto', document.documentElement.dataset.colours ?? 'two']"
    page.click("#theme")
    page.click("#theme")
    page.click("#colours")
    assert page.js(look) == ["dark", "four"]
    assert is_dark(page)
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
    page.assert_text_soon("#goals-title", "AKJ98 opposite 32")
    settled(page)
    page.js("document.querySelector('input[name=goal]:checked').focus()")
    page.press("ArrowDown")
    page.assert_text_soon("#goal-title", "tricks on average")
    assert page.js("document.activeElement.value") == "average"
