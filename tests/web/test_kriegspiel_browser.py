"""The kriegspiel table in a real browser: a game from start to end, help, errors, every way to look and to use."""

import json

import pytest

from browser import assert_good_to_use
from worldwise.kriegspiel.players.game_so_far import Opponent, StoredGame
from worldwise.kriegspiel.players.game_so_far_json import stored_json
from worldwise.kriegspiel.players.names import read_player
from worldwise.kriegspiel.players.player import NO_BUDGET
from worldwise.kriegspiel.rules.fen import read_fen
from worldwise.kriegspiel.rules.squares import BLACK
from worldwise.kriegspiel.rules.umpire import BERKELEY
from worldwise.web.pages import kriegspiel as umpire

PIECES = """[...document.querySelectorAll('#board .square')].filter(e => e.ariaLabel.includes('{}'))
  .map(e => e.dataset.square)"""
CHANCES = "document.querySelectorAll('#board .chance').length"


def seated(page, player="rand", colour="white", rules="wild16", seconds="0.1"):
    """Sit down at a table and wait for your turn."""
    page.js(f"[...player.options].some((one) => one.value === '{player}') || player.add(new Option('{player}'))")
    page.choose("#player", player)
    page.choose("#rules", rules)
    page.choose("#seconds", seconds)
    page.click(f'.radios label:has([value="{colour}"])')
    page.click("#start")
    return on_turn(page, 0)


def on_turn(page, tries):
    """Wait until so many tries have been made and it is your turn, or you have to try again."""
    page.assert_soon(f"document.querySelectorAll('#log .you').length >= {tries}")
    page.assert_soon("/Your turn|refused/.test(document.querySelector('#turn').innerText)")
    return page


def tried(page, text):
    made = page.count("#log .you")
    page.rewrite("#move", text)
    page.press("Enter")
    on_turn(page, made + 1)


def resigned(page):
    page.click("#resign")
    page.assert_text_soon("#resign", "Really resign?")
    page.click("#resign")
    page.assert_soon("!story.hidden")


# ---------------------------------------------------------------------- a game


def test_a_game_from_start_to_end(open_page, needs_kernels):
    page = open_page("kriegspiel")
    page.assert_text_soon("#rules-words", "Refused tries are not heard.")
    assert "The game is a draw after 600 plies." in page.text("#rules-words")
    seated(page, "greedy")
    assert page.text("#who") == "You against greedy"
    page.click('[data-square="e2"]')
    assert page.js(PIECES.format("can be tried")) == ["e4", "e3"]
    page.click('[data-square="e4"]')
    on_turn(page, 1)
    assert "White moves e2e4: black has" in page.text("#log")
    assert page.js(PIECES.format("your pawn")).count("e4") or "taken on e4" in page.text("#log")
    tried(page, "Na3")
    assert "b1a3" in page.text("#log")
    assert page.js(PIECES.format("black")) == []
    resigned(page)
    assert page.text("#who") == "You have lost"
    assert len(page.js(PIECES.format("black"))) == 16
    assert page.js(CHANCES) > 16
    assert "What greedy believed after" in page.text("#story-believed")
    page.click("#earlier")
    page.click("#earlier")
    assert page.js("Number(at.value)") == page.js("Number(at.max)") - 2
    page.choose("#story-heat", "off")
    assert page.js(CHANCES) == 0
    page.js("document.getElementById('at').value = 0; at.dispatchEvent(new Event('input'))")
    assert page.text("#story-words") == "The beginning"
    assert page.js(PIECES.format("white pawn")) == [f"{file}2" for file in "abcdefgh"]
    page.click("#new")
    page.assert_text_soon("#setup", "A new game")


def test_black_has_his_men_below_and_hears_refusals(open_page):
    page = seated(open_page("kriegspiel"), colour="black", rules="berkeley")
    assert page.js("document.querySelector('#board .square').dataset.square") == "h1"
    assert page.js("document.querySelector('#board [tabindex=\"0\"]').dataset.square") == "e7"
    assert "White moves: nothing is said" in page.text("#log")
    assert page.text("#enemy").startswith("You have black, rules of berkeley; the enemy has 16 pieces and pawns left")
    assert page.js("[...document.querySelectorAll('#phantoms button')].map(e => e.dataset.piece).join('')") == "KQRBNP"


def test_a_game_is_found_again(open_page):
    page = seated(open_page("kriegspiel"))
    tried(page, "e4")
    page.click('[data-piece="q"]')
    page.click('[data-square="d6"]')
    page.click('[data-square="d5"]')
    page.click('[data-square="d5"]')
    assert page.js(PIECES.format("phantom queen")) == ["d6"]
    log, place = page.text("#log"), page.js("location.href")
    page.go(place)
    on_turn(page, 1)
    assert (page.text("#log"), page.js(PIECES.format("phantom queen"))) == (log, ["d6"])
    page.click("#clear")
    assert page.js(PIECES.format("phantom")) == []


def test_help_is_there_if_asked_for(open_page, needs_kernels):
    page = seated(open_page("kriegspiel"))
    tried(page, "e4")
    assert page.js(CHANCES) == 0
    page.choose("#heat", "pieces")
    page.assert_text_soon("#believed", "all there are; the king: e8")
    assert page.js(CHANCES) >= 16
    page.choose("#heat", "king")
    page.assert_soon(f"{CHANCES} < 4")
    tried(page, "d4")
    page.assert_text_soon("#believed", "the king")
    page.choose("#heat", "off")
    assert page.js(CHANCES) == 0


def test_records_are_saved(open_page, tmp_path):
    page = seated(open_page("kriegspiel"))
    files = [tmp_path / "heard", tmp_path / "whole"]
    for folder in files:
        folder.mkdir()
    ((name, heard),) = page.saved(files[0], "#record").items()
    assert (name, '[Side "white"]' in heard) == ("kriegspiel-as-heard.pgn", True)
    resigned(page)
    ((name, whole),) = page.saved(files[1], "#record").items()
    assert (name, '[Result "0-1"]' in whole) == ("kriegspiel.pgn", True)


def thinking(page, seconds="5"):
    """Sit down and try e4. Whom the page offers answers at once; who looks five deep thinks for as long as it may."""
    player = "overconfident:5"
    page.js(f"document.querySelector('#player').add(new Option('{player}'))")
    seated(page, player, seconds=seconds)
    page.rewrite("#move", "e4")
    page.press("Enter")
    page.assert_text_soon("#turn", f"{player} thinks")
    return page


def test_whoever_leaves_while_the_player_thinks_finds_it_thinking(open_page, address, needs_kernels):
    page = thinking(open_page("kriegspiel"), seconds="2")
    place = page.js("location.href")
    page.go(address + "suits")
    page.go(place)
    on_turn(page, 1)
    assert page.js("[...document.querySelectorAll('#log .enemy')].length") >= 1


def test_a_player_that_was_interrupted_goes_on(open_page, needs_kernels):
    page = thinking(open_page("kriegspiel"))
    page.js("window.stop()")  # what the browser's own button for stopping does
    page.assert_text_soon("#turn", "The player was interrupted.")
    page.click("#go-on")
    on_turn(page, 1)
    assert page.count("#log .enemy") >= 1
    assert page.js("document.querySelector('#again').hidden && fault.hidden")


# ---------------------------------------------------------------------- games that the test tells

# A server whose steps come one by one, when the test says so.
TOLD = """(() => { window.fetch = async (path) => { window.asked = path;
  return new Response(new ReadableStream({ start(stream) {
    const send = (event, data) => stream.enqueue(
      new TextEncoder().encode(`event: ${event}\\ndata: ${JSON.stringify(data)}\\n\\n`));
    window.step = (data) => { send('step', data); };
    window.end = () => { send('end', {}); stream.close(); };
  } })); }; })()"""

OPEN_FILE = "rnbqkbnr/pppp1ppp/8/8/8/8/8/K2R4 w"
"""After Re1 Black is in check: one who tries anything tries much in vain."""


def game_from(first, seed=5):
    """A game, as it is kept, from any board against one who tries anything and is heard when he is refused."""
    opponent = Opponent("rand", read_player("rand"), BLACK, BERKELEY, seed, NO_BUDGET)
    return json.dumps(stored_json(StoredGame.of(opponent, read_fen(first)))).encode()


def steps_of(kept, *moves):
    """All that is told of a game in which these are tried, and the game then."""
    steps = []
    for move in (None, *moves):
        steps += umpire.go(game="told", kept=kept, move=move)
        kept = steps[-1].kept
    return [step.told for step in steps], kept


def told(page, *tables):
    """Sit down at a table, and be told these."""
    page.js(TOLD)
    page.click("#start")
    page.assert_soon("window.asked?.endsWith('/start')")
    for table in tables:
        page.js(f"window.step({json.dumps(table)})")
    return page


LINES = "[...document.querySelectorAll('#log li')].map((line) => line.innerText.replace(/\\s+/g, ' '))"


def test_refusals_of_the_other_are_counted_in_one_line(open_page):
    """While they are heard, and when he has moved; those who listen hear of them once."""
    (first, made, *refused, moved), _ = steps_of(game_from(OPEN_FILE), "Re1")
    count = len(refused)
    assert count > 5
    page = told(open_page("kriegspiel"), first, made)
    page.assert_soon(f"{LINES}.length === 1")
    spoken = page.text("#said")
    for number, table in enumerate(refused, 1):
        page.js(f"window.step({json.dumps(table)})")
        words = f"Black: {number} {'try' if number == 1 else 'tries'} refused"
        page.assert_text_soon("#log", words)
        assert page.js(f"{LINES}.slice(1)") == [f"1. {words}"]
        assert page.text("#last") == f"{words}."
        assert page.text("#said") == spoken
    page.js(f"window.step({json.dumps(moved)})")
    page.assert_text_soon("#log", "Black moves")
    assert page.js(f"{LINES}.slice(1)") == [f"1. Black: {count} tries refused", "1. Black moves: nothing is said"]
    assert page.text("#said") == f"black: {count} tries refused. black moves: nothing is said"


STOPS = "[Number(at.value), Number(at.max), document.querySelector('#story-words').innerText]"


def at_the_end(page, kept):
    """The story of a game that was given up."""
    (over,) = umpire.resign(game="told", kept=kept)
    (story,) = umpire.story(game="told", kept=over.kept)
    told(page, over.told)
    page.js("window.end()")
    page.assert_soon("window.asked.endsWith('/story')")
    page.js(f"window.step({json.dumps(story)}); window.end()")
    page.assert_soon("!story.hidden")
    return story["tries"]


def test_the_story_goes_from_move_to_move(open_page):
    """Refused tries are stopped at if one asks for them."""
    _, stored = steps_of(game_from(OPEN_FILE), "Re1", "Kb1")
    page = open_page("kriegspiel")
    tries = at_the_end(page, stored)
    made = [number for number, line in enumerate(tries, 1) if not line["refused"]]
    before = made[1] - made[0] - 1
    assert (len(made), before > 5) == (4, True)
    assert page.js(STOPS)[:2] == [4, 4]
    for button in ("#earlier", "#earlier", "#earlier", "#later"):
        page.click(button)
    words = f"1. {tries[made[1] - 1]['words']} ({before} tries refused before)"
    assert page.js(STOPS) == [2, 4, words]
    page.choose("#story-heat", "king")
    assert page.js(STOPS) == [2, 4, words]
    page.press("ArrowLeft")
    assert page.js(STOPS)[0] == 1
    page.js("at.focus()")
    page.press("ArrowRight")
    assert page.js(STOPS) == [2, 4, words]
    assert page.text("#refusals") == f"Refused tries too ({len(tries) - 4})"
    page.click("#refusals-too")
    assert page.js(STOPS) == [made[1], len(tries), f"1. {tries[made[1] - 1]['words']}"]
    page.press("ArrowLeft")
    assert page.js(STOPS) == [made[1] - 1, len(tries), f"1. {tries[made[1] - 2]['words']}"]
    assert_good_to_use(page)
    page.click("#refusals-too")
    assert page.js(STOPS) == [1, 4, f"1. {tries[0]['words']}"]
    page.press("End")
    assert page.js(STOPS)[:2] == [4, 4]
    page.js("document.querySelector('#board [tabindex=\"0\"]').focus()")
    page.press("ArrowLeft")
    assert page.js(STOPS)[0] == 4


def test_no_switch_where_nothing_was_refused(open_page):
    page = open_page("kriegspiel")
    at_the_end(page, game_from(OPEN_FILE))
    assert page.js(STOPS) == [0, 0, "The beginning"]
    assert page.js("refusals.hidden")


def test_a_pawn_becomes_a_queen_first_of_all(open_page):
    tables, _ = steps_of(game_from("7k/P7/8/8/8/8/8/K7 w"))
    page = told(open_page("kriegspiel"), *tables)
    page.click('[data-square="a7"]')
    page.click('[data-square="a8"]')
    offered = page.js("[...document.querySelectorAll('#promotions button')].map((button) => button.ariaLabel)")
    assert offered == ["queen", "rook", "bishop", "knight"]
    assert page.js("document.activeElement.ariaLabel") == "queen"


# ---------------------------------------------------------------------- one game after another


def test_a_new_game_does_not_wait_for_the_old_one(open_page, needs_kernels):
    page = thinking(open_page("kriegspiel"))
    page.click("#new")
    seated(page)
    assert (page.text("#who"), page.count("#log .you")) == ("You against Random", 0)
    tried(page, "d4")
    assert (page.text("#who"), page.count("#log .you")) == ("You against Random", 1)
    assert page.js("fault.hidden && again.hidden")


# Requests that cannot be broken off, as if the old game's steps had been on their way already.
STUBBORN = """(() => { const before = window.fetch; window.ended = 0;
  window.fetch = async (path, options) => { const answer = await before(path, {...options, signal: undefined});
    answer.clone().text().then(() => window.ended += path.endsWith('/go')); return answer; }; })()"""


def test_what_comes_late_from_an_old_game_is_not_shown(open_page, needs_kernels):
    page = open_page("kriegspiel")
    page.js(STUBBORN)
    thinking(page)
    page.click("#new")
    seated(page)
    page.assert_soon("window.ended === 1")
    page.js("new Promise(requestAnimationFrame)")
    assert (page.text("#who"), page.count("#log .you")) == ("You against Random", 0)


HELD = """(() => { const before = window.fetch; const told = new Promise((go) => window.tellIt = go);
  window.fetch = async (path, options) => { const answer = await before(path, options);
    if (path.endsWith('/story')) { window.held = true; await told; } return answer; }; })()"""


def test_the_story_of_an_old_game_is_not_told_at_a_new_table(open_page):
    page = open_page("kriegspiel")
    page.js(HELD)
    seated(page)
    page.click("#resign")
    page.assert_text_soon("#resign", "Really resign?")
    page.click("#resign")
    page.assert_soon("window.held")
    page.click("#new")
    assert page.js("document.querySelector('#left').hidden")
    seated(page)
    page.js("window.tellIt()")
    tried(page, "e4")
    assert page.js("story.hidden")
    assert page.text("#resign") == "Resign"


def test_a_game_that_was_left_can_be_gone_back_to(open_page):
    page = seated(open_page("kriegspiel"))
    tried(page, "e4")
    log = page.text("#log")
    page.click("#resign")
    page.click("#new")
    page.assert_text_soon("#left", "Your game against rand waits for you")
    assert page.js("document.activeElement.id") == "back"
    assert "waits for you" in page.js("document.getElementById(back.getAttribute('aria-describedby')).innerText")
    assert_good_to_use(page)
    page.press("Enter")
    on_turn(page, 1)
    assert (page.text("#log"), page.text("#resign")) == (log, "Resign")
    assert page.js("document.activeElement.dataset.square") == "e2"
    page.click("#new")
    seated(page)
    assert page.count("#log .you") == 0
    resigned(page)
    page.click("#new")
    assert page.js("document.querySelector('#left').hidden && document.activeElement.name") == "colour"


def test_a_game_is_there_again_after_another_page(open_page):
    page = seated(open_page("kriegspiel"))
    tried(page, "e4")
    log = page.text("#log")
    for path in ("/desk", "/kriegspiel"):
        page.click(f'nav a[href="{path}"]')
        page.assert_soon(f"location.pathname === '{path}' && document.readyState === 'complete'")
    on_turn(page, 1)
    assert page.text("#log") == log


def test_a_game_that_the_server_has_forgotten_is_forgotten_quietly(open_page, address):
    page = open_page("kriegspiel")
    page.excuse("status of 404")
    page.js("localStorage.setItem('kriegspiel', 'gone')")
    page.go(address + "kriegspiel")
    page.assert_soon("localStorage.getItem('kriegspiel') === null")
    page.assert_text_soon("#setup", "A new game")
    assert page.js("fault.hidden && turn.innerText === ''")


# ---------------------------------------------------------------------- two tabs


def elsewhere(page, path, **inputs):
    """What another tab does with the same game."""
    given = ", ".join(f"{name}: '{value}'" for name, value in inputs.items())
    page.js(
        "fetch('/api/kriegspiel/" + path + "', {method: 'POST', "
        "headers: {'Content-Type': 'application/json'}, body: JSON.stringify({"
        "game: new URLSearchParams(location.search).get('game'), " + given + "})}).then((answer) => answer.json())"
    )


@pytest.mark.parametrize("late", ["a3", "h3"])
def test_a_try_on_an_old_board_is_not_made(open_page, late):
    """Neither one that is no longer there, nor one that still is: it was meant for another board."""
    page = seated(open_page("kriegspiel"))
    page.excuse("status of 4")
    elsewhere(page, "go", move="a3")
    page.rewrite("#move", late)
    page.press("Enter")
    page.assert_text_soon("#elsewhere", f"perhaps in another tab, so {late} was not tried.")
    on_turn(page, 1)
    assert (page.count("#log .you"), page.js("fault.hidden && move.ariaInvalid")) == (1, "false")
    assert "a3" in page.js(PIECES.format("your pawn"))
    tried(page, "b3")
    assert page.js("document.querySelector('#elsewhere').hidden")


def test_a_tab_that_is_looked_at_again_shows_the_game_as_it_stands(open_page):
    page = seated(open_page("kriegspiel"))
    page.js("document.dispatchEvent(new Event('visibilitychange'))")
    elsewhere(page, "go", move="a3")
    assert page.js("document.querySelector('#elsewhere').hidden")
    page.js("document.dispatchEvent(new Event('visibilitychange'))")
    page.assert_text_soon("#elsewhere", "The game went on elsewhere")
    assert page.count("#log .you") == 1


def test_a_game_that_was_given_up_elsewhere_is_over(open_page):
    page = seated(open_page("kriegspiel"))
    page.excuse("status of 400")
    elsewhere(page, "resign")
    page.click("#resign")
    page.assert_text_soon("#resign", "Really resign?")
    page.click("#resign")
    page.assert_soon("!story.hidden")
    assert page.text("#who") == "You have lost"
    assert "went on elsewhere" in page.text("#elsewhere")


# ---------------------------------------------------------------------- errors


def test_what_goes_wrong_is_said(open_page):
    page = open_page("kriegspiel")
    page.excuse("status of 400")
    page.choose("#player", "")
    page.rewrite("#written", "deep blue")
    page.click("#start")
    page.assert_text_soon("#fault", "nknown player 'deep blue'")
    assert page.js("written.ariaInvalid") == "true"
    seated(page)
    assert page.js("fault.hidden")
    page.rewrite("#move", "e5")
    page.press("Enter")
    page.assert_text_soon("#fault", "Expected one of your tries, found 'e5'")
    assert page.js("move.ariaInvalid") == "true"
    tried(page, "e4")
    assert page.js("fault.hidden")
    page.excuse("ERR_INTERNET_DISCONNECTED")
    page.go_offline()
    page.rewrite("#move", "d4")
    page.press("Enter")
    page.assert_text_soon("#fault", "The server does not answer")


def test_a_game_that_is_not_remembered(open_page):
    page = open_page("kriegspiel?game=gone")
    page.excuse("status of 404")
    page.assert_text_soon("#fault", "Expected a game that is remembered, found none")
    seated(page)
    assert "gone" not in page.js("location.search")


# ---------------------------------------------------------------------- every way to look and to use


def test_anybody_can_use_it(open_page, needs_kernels):
    """Before a game, in it with help on the board, and when its story is told."""
    page = open_page("kriegspiel")
    page.assert_text_soon("#rules-words", "Refused")
    assert_good_to_use(page)
    tried(seated(page, "greedy"), "e4")
    page.choose("#heat", "pieces")
    page.assert_text_soon("#believed", "the king")
    assert page.count("#board [role=gridcell]") == 64
    assert_good_to_use(page)
    resigned(page)
    assert_good_to_use(page)


COVERED = """[...document.querySelectorAll('#board .square')].flatMap((cell) => ['::before', '::after'].map((which) => {
  const style = getComputedStyle(cell, which), size = (name) => parseFloat(style[name]);
  const square = cell.getBoundingClientRect(), piece = cell.querySelector('.piece')?.getBoundingClientRect();
  const x = square.left + size('left'), y = square.top + size('top');
  const across = piece && x < piece.right && x + size('width') > piece.left;
  const meet = across && y < piece.bottom && y + size('height') > piece.top;
  return [style.content, size('width') > 0, meet];
})).filter(([content, wide]) => content !== '\"\"' && wide)"""


@pytest.mark.parametrize("colour", ["white", "black"])
def test_no_man_covers_a_letter_on_a_phone(open_page, colour):
    page = seated(open_page("kriegspiel", width=390, height=844), colour=colour)
    found = page.js(COVERED)
    assert sorted(content.strip('"') for content, _, _ in found) == list("12345678abcdefgh")
    assert [content for content, _, meet in found if meet] == []


def test_the_keyboard_is_enough(open_page):
    page = seated(open_page("kriegspiel"))
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
    assert page.js(PIECES.format("can be tried")) == ["d4", "d3"]
    page.js("document.querySelector('[data-square=\"d3\"]').focus()")
    page.press("Enter")
    on_turn(page, 1)
    assert "d2d3" in page.text("#log")
    page.press("n")
    assert page.js(PIECES.format("phantom")) == []
    page.js("document.querySelector('[data-square=\"d6\"]').focus()")
    page.press("n")
    assert page.js(PIECES.format("phantom knight")) == ["d6"]
    page.press("Delete")
    assert page.js(PIECES.format("phantom")) == []


# ---------------------------------------------------------------------- at the board


def middle(page, square):
    return page.js(
        f"(() => {{ const r = document.querySelector('#board [data-square={square}]').getBoundingClientRect();"
        " return [r.x + r.width / 2, r.y + r.height / 2]; })()"
    )


def drag(page, origin, target):
    """As a hand does it: press, move bit by bit, let go."""
    (x, y), (to_x, to_y) = middle(page, origin), middle(page, target)
    pressed = {"button": "left", "clickCount": 1}
    page.call("Input.dispatchMouseEvent", type="mousePressed", x=x, y=y, **pressed)
    for part in (0.25, 0.5, 0.75, 1):
        place = {"x": x + part * (to_x - x), "y": y + part * (to_y - y)}
        page.call("Input.dispatchMouseEvent", type="mouseMoved", **place, button="left", buttons=1)
    page.call("Input.dispatchMouseEvent", type="mouseReleased", x=to_x, y=to_y, **pressed)


def test_a_piece_is_dragged(open_page):
    page = seated(open_page("kriegspiel"))
    drag(page, "e2", "e5")
    drag(page, "g8", "f6")
    assert page.count("#log .you") == 0, "a pawn does not go so far, and there is nothing on g8 to be dragged"
    drag(page, "g1", "f3")
    on_turn(page, 1)
    assert "g1f3" in page.text("#log")
    drag(page, "e2", "e4")
    on_turn(page, 2)
    assert page.text("#score tr:first-child td").startswith("Nf3")
    assert page.text("#score tr:nth-child(2) td").startswith("e4")


def test_several_tries_are_made_in_order_until_one_is_accepted(open_page):
    """A pawn that takes what is not there is refused, so the knight moves, and the last is not tried."""
    page = seated(open_page("kriegspiel"), rules="berkeley")
    page.rewrite("#move", "exd3, Nf3 e4")
    page.press("Enter")
    on_turn(page, 2)
    assert page.js("[...document.querySelectorAll('#log .you')].map((line) => line.classList.contains('refused'))") == [
        True,
        False,
    ]
    assert "not e2d3" in page.text("#score tr:first-child td")
    assert page.text("#score tr:first-child td b") == "Nf3"


def test_what_is_not_understood_stays_where_it_was_typed(open_page):
    page = seated(open_page("kriegspiel"))
    page.rewrite("#move", "xyzzy e4")
    page.press("Enter")
    page.assert_text_soon("#fault", "found 'xyzzy'")
    assert page.js("move.value") == "xyzzy e4"
    assert page.js("fault.getBoundingClientRect().top < document.querySelector('#board').getBoundingClientRect().top")
    page.excuse("400")


def test_the_board_is_flipped_and_a_rematch_changes_colours(open_page):
    page = seated(open_page("kriegspiel"))
    first = "document.querySelector('#board .square').dataset.square"
    assert page.js(first) == "a8"
    page.click("#flip")
    assert page.js(first) == "h1"
    resigned(page)
    page.click("#rematch")
    page.assert_text_soon("#enemy", "You have black")
    assert page.text("#who") == "You against Random"


def test_what_was_heard_stays_marked_until_you_have_moved(open_page):
    """The scholar's mate, nearly: black's king is in check, and a refused try does not take the marks away."""
    page = open_page("kriegspiel")
    page.js("""(async () => {
      const { Board } = await import('/static/kriegspiel-board.js');
      window.shown = new Board(document.createElement('div'), { onSquare() {}, onDrag() {}, onKey() {} });
    })()""")
    page.assert_soon("window.shown")
    page.js("shown.show({ pieces: '.'.repeat(64), marks: { e8: 'check', d5: 'heard' } })")
    assert page.js(
        "[...shown.cells].filter((cell) => cell.matches('.check, .heard')).map((c) => c.dataset.square)"
    ) == [
        "d5",
        "e8",
    ]
