"""Declarer's desk in a real browser: a deal from start to end, other lines, errors, a phone, the dark, the keyboard."""

import re
from urllib.parse import urlencode, urljoin

import pytest

from browser import assert_good_to_use
from worldwise.bridge.files.any_format import boards_text
from worldwise.bridge.files.lin import read_cards
from worldwise.bridge.rules.deal import card_name
from worldwise.catalog import deal, deals

GUESS = deal("deals/two-way-guess").board
READY = "document.querySelector('#choices tr') && document.querySelector('#stop').hidden"
PIECE = "N:AQ4... K53... 876... JT9..."


def link(board=GUESS, **more):
    cards = "".join(map(card_name, board.cards))
    return f"desk?{urlencode({'deal': str(board.deal), 'contract': str(board.contract), 'cards': cards, **more})}"


def piece(cards="", **more):
    """An ending with three cards a hand; the finesse is on."""
    return f"desk?{urlencode({'deal': PIECE, 'contract': '1NT by S', 'cards': cards, **more})}"


@pytest.fixture
def open_advised(open_page):
    """Opens the desk of somebody who wants advice at once."""

    def go(path, **options):
        page = open_page("api/openapi.json", **options)
        page.js("localStorage.setItem('advice', 'always')")
        page.go(urljoin(page.js("location.origin"), path))
        return page

    return go


def advised(page):
    page.assert_soon(READY)
    return page


# ---------------------------------------------------------------------- at the table


def test_first_load_shows_a_lesson_and_advice(open_advised):
    page = advised(open_advised("desk"))
    assert page.js("document.title") == "Desk – worldwise"
    assert page.text("#name") == "Discovery: cash the side suits before you guess"
    assert page.text("#contract") == "6NT by South"
    assert page.text("#standing") == "8 won, 1 lost; 4 more make it"
    assert page.text("#looking") == "South to play: all 70 layouts."
    assert page.count("#choices tr") == 3
    assert page.count(".backs") == 2, "hidden hands stay hidden"
    assert page.count("#lessons li") == len(deals())


def test_figures_get_better_while_one_looks(open_advised, needs_kernels):
    # Nobody has asked so before: what is answered from memory comes in one step.
    page = advised(open_advised(link(deal("deals/discovery").board, known="W.hcp:0+")))
    assert page.count("#steps li") >= 4, "M = 1 once, with a plan and without"
    first, last = (page.text(f"#steps li:{which}-child") for which in ("first", "last"))
    assert ("all 70 layouts, M = 1" in first, "up to 78.0 %" in first) == (True, True)
    assert ("M = 1" in last, " 66.0 %" in last, "up to" in last) == (False, True, False)
    said = page.js("[...document.querySelectorAll('#steps li > span')].map(e => e.innerText)")
    assert all(re.fullmatch(r"M = \d+", words) for words in said[1:]), "the layouts are the same all the time"
    assert len(set(said)) == len(said)
    assert page.text("#why .headline") == "Play the ♥A"
    assert "Sampling claims 78.0 % for it" in page.text("#why")
    assert page.js("[...document.querySelectorAll('.pimc.hoped')].map(e => e.innerText)") == ["78.0 %"] * 3
    assert page.text("#how").startswith("After the ♥8 from West")
    assert page.count('#compass .best[data-card="HA"]') == 1


def test_a_deal_from_start_to_end(open_advised):
    """Declarer plays what is advised, the defenders by themselves, until the result is known."""
    page = open_advised(piece())
    over = "document.querySelectorAll('.played').length === 12"
    page.assert_soon("document.querySelector('#choices button')")
    while not page.js(over):
        before = page.count(".played")
        page.press("b")
        page.assert_soon(f"document.querySelectorAll('.played').length > {before}")
        page.assert_soon(f"document.querySelector('#choices button') || {over}")
    page.assert_text_soon("#looking", "The play is over.")
    assert re.match(r"\d down", page.text("#standing"))
    assert page.count("#compass button.chip, #choices button.chip") == 0


def test_another_line_and_back(open_advised):
    page = advised(open_advised(piece("SJSQ", at=1)))
    page.click('#compass button[data-card="S4"]')
    page.assert_soon("!document.querySelector('#what-if').hidden")
    page.assert_text_soon("#play", "♠4")
    page.assert_soon("document.querySelector('#choices tr')")
    page.click("#undo")
    page.assert_soon("document.querySelector('.played.later')")
    assert "♠4" in page.text("#play"), "the line that is tried is still there"
    page.click("#return")
    page.assert_soon("document.querySelector('#what-if').hidden")
    page.assert_text_soon("#play", "♠Q")
    assert page.js("new URLSearchParams(location.search).get('cards')") == "SJSQ"
    assert page.js("new URLSearchParams(location.search).get('at')") == "1"
    advised(page)


def test_go_through_the_play_and_show_all_hands(open_advised):
    page = advised(open_advised(link()))
    page.click("#play li:first-child button:nth-of-type(2)")
    page.assert_text_soon("#turn", "play from North, dummy")
    assert page.text("#felt").split() == ["Q", "♥"]
    page.click("#first")
    page.assert_text_soon("#turn", "West is to play.")
    assert page.text("#looking") == "Advice comes when it is your turn."
    assert page.count(".backs") == 3, "dummy is faced after the lead"
    page.click("#reveal")
    page.assert_soon("!document.querySelector('.backs')")
    page.click("#reveal")
    page.assert_soon("document.querySelector('.backs')")
    page.click("#defend")
    page.assert_text_soon("#turn", "Your turn")
    page.click("#last")
    advised(page)


def test_leave_and_come_back(open_advised, address):
    page = advised(open_advised(link(name="Mine")))
    page.click("#known summary")
    page.rewrite("#known-W-hcp", "6")
    page.assert_text_soon("#looking", "South to play: all 5 layouts.")
    advised(page)
    shown = {part: page.text(part) for part in ("#play", "#name", "#looking", "#choices", "#contract")}
    page.go(address + "suits")
    page.go(address + "desk")
    advised(page)
    assert {part: page.text(part) for part in shown} == shown
    assert page.js("document.querySelector('#known-W-hcp').value") == "6"
    again = advised(open_advised(page.js("location.pathname + location.search")[1:]))
    assert {part: again.text(part) for part in shown} == shown


def test_every_line_on_the_figures_says_what_changed(open_advised, needs_kernels):
    page = open_advised(link(deal("deals/avoidance").board, known="W.hcp:0+"))
    page.assert_soon("document.querySelectorAll('#steps li').length >= 3")
    page.click("#stop")
    said = page.js("[...document.querySelectorAll('#steps li > span')].map(e => e.innerText)")
    assert said[:3] == ["6 layouts, M = 1", "20 layouts", "M = 2"]


def test_what_is_said_is_said_of_this_deal(open_advised):
    page = advised(open_advised(link()))
    assert "10 of the 15 layouts" in page.js("document.querySelector('#said').textContent")
    page.click("#first")
    page.assert_text_soon("#turn", "West is to play.")
    assert page.js("document.querySelector('#said').textContent") == ""


def test_another_deal_is_another_entry_of_the_history(open_advised):
    """Cards are not: back leads to the deal before, as it stood, and forward to this one."""
    page = advised(open_advised(link()))
    entries = page.js("history.length")
    page.click("#undo")
    page.assert_soon("document.querySelector('.played.later')")
    advised(page)
    assert page.js("history.length") == entries
    before, shown = page.js("location.search"), page.text("#play")
    page.click("#to-open")
    page.assert_text_soon("#lessons", "Discovery")
    page.js("[...document.querySelectorAll('#lessons button')].find(e => e.innerText.startsWith('Discovery')).click()")
    page.assert_text_soon("#name", "Discovery")
    advised(page)
    after = page.js("location.search")
    assert (page.js("history.length"), before != after) == (entries + 1, True)
    page.js("history.back()")
    page.assert_soon("document.querySelector('#name').innerText === '' && document.querySelector('.played.later')")
    advised(page)
    assert (page.js("location.search"), page.text("#play")) == (before, shown)
    page.js("history.forward()")
    page.assert_text_soon("#name", "Discovery")
    advised(page)
    assert (page.js("location.search"), page.js("history.length")) == (after, entries + 1)
    page.js("location.hash = 'advice'")
    assert page.text("#looking") == "South to play: all 70 layouts.", "a jump within the page asks for nothing"


def test_stop_and_go_on(open_advised, needs_kernels):
    page = open_advised(link(deal("deals/unblocking").board))
    page.assert_soon("document.querySelector('#choices tr')")
    page.click("#stop")
    page.assert_text_soon("#looking", "Stopped: ")
    count = page.count("#steps li")
    assert (page.text("#stop"), count < 6) == ("Go on", True)
    page.click("#stop")
    page.assert_soon("document.querySelector('#choices tr') && document.querySelector('#stop').innerText === 'Stop'")


# ---------------------------------------------------------------------- which deal


def test_a_file_is_dropped_and_a_board_chosen(open_advised):
    page = advised(open_advised("desk"))
    page.drop(boards_text([one.board for one in deals().values()], "pbn"), "deals.pbn")
    page.assert_text_soon("#boards-title", f"{len(deals())} boards")
    page.click("#board-list li:nth-child(10) button")
    page.assert_text_soon("#contract", "6NT")
    page.assert_soon("document.querySelector('#open').hidden && document.querySelectorAll('.played').length > 20")
    page.click("#last")
    page.assert_text_soon("#looking", "all 15 layouts")
    advised(page)


def test_a_file_is_chosen(open_advised, tmp_path):
    """One board with a contract is played at once."""
    (tmp_path / "guess.pbn").write_text(boards_text([GUESS], "pbn"))
    page = advised(open_advised("desk"))
    page.click("#to-open")
    page.choose_file("#file", tmp_path / "guess.pbn")
    page.assert_soon("document.querySelector('#open').hidden")
    page.assert_soon(f"document.querySelectorAll('.played').length === {len(GUESS.cards)}")
    assert page.text("#contract") == "6NT by South"


def test_a_board_without_a_contract_asks_for_one(open_advised):
    page = advised(open_advised("desk"))
    page.click("#to-open")
    page.rewrite("#text", f'[Board "1"]\n[Deal "{PIECE}"]')
    page.click("#paste button")
    page.assert_text_soon("#board-list", "Which contract?")
    page.rewrite("#board-list input", "1NT by S")
    page.press("Enter")
    page.assert_text_soon("#contract", "1NT by South")
    advised(page)


def test_hands_that_nobody_knows(open_advised, needs_kernels):
    """As at a real table: one says what the defenders play."""
    north, east, south, west = str(deal("deals/hold-up").board.deal).removeprefix("N:").split()
    assert east != west
    page = open_advised(f"desk?{urlencode({'deal': f'N:{north} - {south} -', 'contract': '3NT by S'})}")
    page.assert_text_soon("#picker", "What does West play?")
    assert page.js("document.querySelector('#defend').hidden")
    page.click('#picker [data-card="HK"]')
    page.assert_soon("document.querySelector('#choices tr')")
    assert page.js("document.querySelector('#picker').hidden")


def test_the_lead_of_a_hand_that_nobody_knows(open_advised, needs_kernels):
    """It is made before dummy is faced, and is none of dummy's cards."""
    page = open_advised("desk?deal=N%3AAKQJ2.AK2.432.32+-+543.543.KQJ.AKQJ+-&contract=6S+by+N")
    page.assert_text_soon("#picker", "What does East play?")
    assert page.count("#picker button") == 26
    assert page.count('#picker [data-card="S4"]') == 0
    page.click('#picker [data-card="ST"]')
    page.assert_soon("document.querySelector('#choices tr')")


def test_a_deal_at_random(open_advised, needs_kernels):
    page = advised(open_advised("desk"))
    page.click("#to-open")
    page.click("#random button")
    page.assert_text_soon("#contract", "3NT by South")
    page.assert_soon("document.querySelector('#choices tr')")
    assert (page.count(".backs"), page.count(".played")) == (2, 1)
    assert page.js("new URLSearchParams(location.search).get('deal')").startswith("random ")


# ---------------------------------------------------------------------- what goes wrong


def test_what_is_no_deal(open_advised):
    page = advised(open_advised("desk"))
    page.click("#to-open")
    page.rewrite("#text", "nonsense")
    page.click("#paste button")
    page.assert_text_soon("#open-fault", "found 'nonsense'")
    page.drop(" " * 200_001, "blank.pbn")
    page.assert_text_soon("#open-fault", "at most 200000 bytes, found 200001")
    assert page.text("#contract") == "6NT by South", "what was there is there still"


def test_a_bad_link_shows_what_is_wrong(open_advised):
    page = open_advised(piece("SA"))
    page.assert_text_soon("#fault", "a card of West's, found SA")
    assert page.js("document.querySelector('#before').hidden"), "there was no deal before"
    page.click("#elsewhere")
    page.click("#lessons li:nth-child(10) button")
    advised(page)
    assert page.js("document.querySelector('#fault').hidden && document.querySelector('#way-out').hidden")


@pytest.mark.parametrize("bad", ["desk?deal=garbage&contract=3NT+by+S", piece("S2ZZ")])
def test_a_bad_link_costs_the_deal_before_nothing(open_advised, address, bad):
    page = advised(open_advised(link(name="Mine")))
    page.go(address + bad)
    page.assert_text_soon("#fault", "found ")
    page.click("#before")
    page.assert_text_soon("#name", "Mine")
    advised(page)
    page.go(address + bad)
    page.assert_text_soon("#fault", "found ")
    page.go(address + "desk")
    page.assert_text_soon("#name", "Mine")
    assert page.js("document.querySelector('#fault').hidden")
    advised(page)


def test_what_is_remembered_and_no_longer_a_deal_is_forgotten(open_advised, address):
    page = advised(open_advised(link()))
    page.js("localStorage.setItem('desk', '?deal=garbage&contract=3NT+by+S')")
    page.go(address + "desk")
    page.assert_text_soon("#name", "Discovery")
    assert "garbage" not in advised(page).js("localStorage.getItem('desk')")


def test_constraints_that_nothing_fits(open_advised):
    page = advised(open_advised(link()))
    page.click("#known summary")
    page.rewrite("#known-W-hcp", "30+")
    page.assert_text_soon("#known-fault", "found none for hcp(West) >= 30")
    assert page.text("#looking") == "There is no layout to look at."
    page.rewrite("#known-W-hcp", "many")
    page.assert_text_soon("#known-fault", "3, 5+ or 12-14, found many")
    page.click("#forget")
    advised(page)
    assert page.js("document.querySelector('#known-fault').hidden")


def test_what_is_known_in_words_and_by_the_lead(open_advised):
    page = advised(open_advised(link()))
    assert page.text("#looking") == "South to play: all 15 layouts."
    page.click("#known summary")
    page.rewrite("#words", "spades(east) <= 4")
    page.assert_text_soon("#looking", "South to play: all 10 layouts.")
    advised(page)
    page.rewrite("#words", "spades(nobody) = 4")
    page.assert_text_soon("#known-fault", "nobody")
    page.click("#forget")
    page.assert_text_soon("#looking", "South to play: all 15 layouts.")
    page.choose("#lead", "honours")
    page.assert_soon("new URLSearchParams(location.search).get('lead') === 'honours'")
    advised(page)
    again = advised(open_advised(page.js("location.pathname + location.search")[1:]))
    assert (again.js("lead.value"), again.text("#looking")) == ("honours", page.text("#looking"))


def test_a_contract_that_is_none_can_be_mended(open_advised):
    """The table is left as it was, and the form with what was pasted."""
    page = advised(open_advised("desk"))
    here = page.js("location.search")
    page.click("#to-open")
    page.rewrite("#text", f'[Board "1"]\n[Deal "{PIECE}"]')
    page.click("#paste button")
    page.rewrite("#board-list input", "7NTXXX by Q")
    page.press("Enter")
    page.assert_text_soon("#open-fault", "found '7NTXXX by Q'")
    assert (page.text("#contract"), page.js("location.search")) == ("6NT by South", here)
    assert PIECE in page.js("document.querySelector('#text').value")
    page.rewrite("#board-list input", "1NT by S")
    page.press("Enter")
    page.assert_text_soon("#contract", "1NT by South")
    assert page.js("document.querySelector('#open').hidden && document.querySelector('#fault').hidden")
    advised(page)


def test_a_deal_that_is_refused_does_not_end_the_search(open_advised, needs_kernels):
    page = open_advised(link(deal("deals/unblocking").board, known="W.hcp:0+"))
    page.assert_soon("document.querySelector('#choices tr')")
    page.drop(f'[Board "1"]\n[Deal "{PIECE}"]', "one.pbn")
    page.rewrite("#board-list input", "7NTXXX by Q")
    page.press("Enter")
    page.assert_text_soon("#open-fault", "found '7NTXXX by Q'")
    page.assert_soon("document.querySelectorAll('#steps li').length >= 2")
    page.js("document.querySelector('#stop').click()")
    stopped = "document.querySelector('#looking').innerText.startsWith('Stopped: ')"
    page.assert_soon(f"{stopped} || {READY}")  # on a busy machine it may be over before anybody can stop it


def test_a_server_that_has_gone(open_advised):
    page = advised(open_advised(link()))
    page.excuse("ERR_INTERNET_DISCONNECTED")
    page.go_offline()
    page.click("#undo")
    page.assert_text_soon("#fault", "The server does not answer")
    page.go_offline(False)
    page.click("#undo")
    page.assert_soon("document.querySelector('.played.later') && document.querySelector('#fault').hidden")
    advised(page)


# ---------------------------------------------------------------------- every way to look and to use


@pytest.mark.parametrize("more", [{"reveal": 1, "at": 28}, {"known": "E.hcp:0+", "record": "HQ"}])
def test_anybody_can_use_it(open_advised, more):
    page = advised(open_advised(link(**more)))
    page.click("#to-open")
    page.click("#colours")
    page.js("document.querySelector('#known').open = true")
    assert_good_to_use(page)


def test_the_keyboard_is_enough(open_advised):
    page = advised(open_advised(link()))
    page.press("u")
    page.assert_soon("document.querySelector('.played.later')")
    advised(page)
    page.press("r")
    page.assert_soon("!document.querySelector('.backs')")
    page.press("ArrowLeft")
    page.assert_soon("document.querySelectorAll('.played.later').length === 2")
    page.press("ArrowRight")
    page.assert_soon("document.querySelectorAll('.played.later').length === 1")
    advised(page)
    page.js("document.querySelector('#choices button').focus()")
    page.press("Enter")
    page.assert_soon("!document.querySelector('.played.later')")


# ---------------------------------------------------------------------- think first, and look back


def test_the_advice_waits_until_you_have_thought(open_page):
    page = open_page(link())
    page.assert_text_soon("#looking", "all 15 layouts.")
    assert page.count("#choices tr") == 0, "nothing is given away"
    assert page.count("#compass .best") == 0
    page.press("a")
    page.assert_soon("document.querySelectorAll('#choices tr').length === 3")
    assert not page.js("document.querySelector('#found').hidden")


def test_a_card_played_unseen_is_judged_and_can_be_taken_back(open_page):
    page = open_page(link())
    page.assert_text_soon("#looking", "all 15 layouts.")
    page.click('#compass button[data-card="SA"]')
    page.assert_text_soon("#judged", "You played the ♠A: 32.3 %; the ♠3 has 67.7 %.")
    page.assert_text_soon("#looking", "all 5 layouts.")  # the defenders have played: nothing moves under the mouse
    page.click("#judged button")
    page.assert_soon("""document.querySelector('#compass button[data-card="S3"]')""")
    page.assert_soon("document.querySelector('#judged').hidden")
    page.assert_text_soon("#looking", "all 15 layouts.")
    page.click('#compass button[data-card="ST"]')
    page.assert_text_soon("#judged", "You played the ♠10: as good as any, 67.7 %.")


FINESSE_REFUSED = "SAS8CJH8C4SQHKH9S4DTS3S9S2S6HTSKS7ST"
"""How the guess goes wrong: the ace, and East's queen takes a trick."""

LAST_TRICK = "SJSQS3S8SAS5S7S9"
"""One card is left in each hand."""


def test_forced_cards_play_themselves_unless_you_say_no(open_page):
    page = open_page(piece(LAST_TRICK))
    page.assert_soon("document.querySelectorAll('.played').length === 12")
    page.click("#forced")
    page.go(urljoin(page.js("location.origin"), piece(LAST_TRICK)))
    page.assert_text_soon("#turn", "Your turn")
    page.assert_text_soon("#looking", "North's hand")
    assert page.count(".played") == 8


def test_the_end_is_a_debrief(open_page):
    """The full deal, what was missed and where, a way there, and the next deal."""
    cards = "".join(map(card_name, GUESS.cards))
    page = open_page(link(GUESS.with_cards(tuple(read_cards(cards + FINESSE_REFUSED)))))
    page.assert_text_soon("#debrief .headline", "2 down.")
    assert page.count(".backs") == 0
    assert page.text('.seat[data-seat="E"] [data-card="SQ"]') == "Q", "the full deal is on the table, as it was dealt"
    page.assert_text_soon("#debrief", "Trick 9: South played the ♠A: 32 % to make it. The ♠3 was better: 68 %.")
    assert "Decisive moment: trick" in page.text("#debrief")
    assert_good_to_use(page)
    page.click("#debrief .mistake button")
    page.assert_text_soon("#turn", "Your turn")
    page.click("#last")
    page.assert_soon("document.querySelector('#debrief .headline')")
    page.click("#debrief .row button")
    page.assert_soon("document.querySelector('#debrief').hidden && document.querySelector('#name').innerText")
    assert page.text("#name") != deal("deals/two-way-guess").title, "the next lesson"


def test_declarer_sits_at_the_bottom(open_page):
    page = open_page(f"desk?{urlencode({'deal': 'random 5', 'contract': '3NT by E'})}")
    page.assert_soon("document.querySelector('.seat[data-seat]')")
    places = "Object.fromEntries([...document.querySelectorAll('.seat')].map(e => [e.dataset.place, e.dataset.seat]))"
    assert page.js(places) == {"bottom": "E", "left": "S", "top": "W", "right": "N"}


def test_a_claim_is_checked(open_page):
    page = open_page(link())
    page.assert_text_soon("#turn", "Your turn")
    page.click("#claim")
    page.assert_text_soon("#claimed", "No line takes them in every layout. The best one fails in 5 of 15 layouts")


def test_double_dummy_figures_are_on_the_cards_on_demand(open_page):
    page = open_page(link())
    page.assert_text_soon("#turn", "Your turn")
    page.click("#double")
    page.assert_soon("document.querySelectorAll('#compass sup').length === 3")
    figures = (
        "[...document.querySelectorAll('#compass .chip:has(sup)')].map(e => [e.dataset.card, e.lastChild.innerText])"
    )
    shown = f"Object.fromEntries({figures})"
    assert page.js(shown) == {"SA": "11", "ST": "12", "S3": "12"}


def test_a_hand_is_laid_out_card_by_card(open_page):
    page = open_page("desk")
    page.assert_soon("document.querySelector('#play li')")
    page.click("#to-open")
    page.click("#make summary")
    laid = {"N": "SA SQ S4", "S": "H8 H7 H6", "E": "SK SJ S2"}
    for seat, cards in laid.items():
        page.click(f'[data-whose="{seat}"]')
        for card in cards.split():
            page.click(f'[data-laid="{card}"]')
    page.rewrite("#bid", "1NT by S")
    page.click("#editor button[type=submit]")
    page.assert_text_soon("#open-fault", "Expected all four hands of an ending, or hands of 13 cards")
    page.click('[data-whose="W"]')
    for card in ("C2", "C3", "C4"):
        page.click(f'[data-laid="{card}"]')
    page.click("#editor button[type=submit]")
    page.assert_soon("new URLSearchParams(location.search).get('deal') === 'N:AQ4... KJ2... .876.. ...432'")
    page.assert_text_soon("#contract", "1NT by South")


def test_focus_stays_in_your_hand(open_page):
    page = open_page(link())
    page.assert_text_soon("#turn", "Your turn")
    page.js("""document.querySelector('#compass button[data-card="S3"]').focus()""")
    page.press("Enter")
    page.assert_soon("document.querySelectorAll('.played').length > 35")
    page.assert_soon("document.activeElement.matches('#compass button.chip')")


def test_tricks_and_points_are_shown_as_what_one_plan_is_worth(open_advised):
    page = advised(open_advised(link()))
    for aim, head, shown in (("tricks", "Tricks", r"1[12]\.\d\d"), ("score", "Points", r"-?\d+")):
        page.choose("#aim", aim)
        page.assert_text_soon("#aim-head", head)
        advised(page)
        figures = page.js("[...document.querySelectorAll('#choices .figure')].map(e => e.innerText)")
        assert len(figures) == 3
        assert all(re.fullmatch(f"(up to |at most )?{shown}", figure) for figure in figures), figures


# ---------------------------------------------------------------------- the auction

SPOKEN = "W: 2H Pass Pass 6NT Pass Pass Pass"


def test_the_auction_is_shown_and_what_it_says_can_be_changed(open_advised):
    page = advised(open_advised(link(auction=SPOKEN)))
    assert page.js("[...document.querySelectorAll('#auction td')].map(e => e.innerText)") == [
        *("2♥", "Pass", "Pass", "6NT", "Pass", "Pass", "Pass")
    ]
    page.assert_text_soon("#meanings", "West: ")
    assert "hearts (from 2" in page.text("#meanings")
    page.click("#own-meanings")
    page.assert_soon("document.querySelector('#known-W-hearts').value === '6+'")
    page.assert_soon("!document.querySelector('#listen').checked")
    advised(page)
    assert page.text("#meanings") == "", "the ranges count now, not the calls"
    assert page.js("new URLSearchParams(location.search).get('auction')") == SPOKEN
    assert_good_to_use(page)


def test_an_auction_that_led_to_another_contract_is_refused(open_page):
    page = open_page(link(auction="W: 2H Pass Pass 3NT Pass Pass Pass"))
    page.excuse("400")
    page.assert_text_soon("#fault", "Expected the contract 3NT by S of the auction, found 6NT by S")
