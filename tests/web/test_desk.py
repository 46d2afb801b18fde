"""Declarer's desk for programs: what it opens, what it shows and hides, and advice that gets better."""

import asyncio
import json
from random import Random
from urllib.parse import urlencode

import pytest

from web_client import Client, opened, visit
from worldwise.bridge.advice.advise import advise
from worldwise.bridge.advice.stages import STAGES, advise_in_stages
from worldwise.bridge.files.any_format import boards_text
from worldwise.bridge.layouts.deals_for_contract import deal_for
from worldwise.bridge.rules.board import Board
from worldwise.bridge.rules.contract import Contract
from worldwise.bridge.rules.deal import Deal, Seat, card_name, cards_in, hand_name, read_card, set_of
from worldwise.bridge.views.advice_reasons import why_words
from worldwise.bridge.views.advice_text import heading, plan_words
from worldwise.bridge.views.table_json import table_json
from worldwise.catalog import deal, deals
from worldwise.core.result import Limit
from worldwise.web.app import create_app
from worldwise.web.pages.desk import DESK
from worldwise.web.searches import Searches

GUESS = deal("deals/two-way-guess")
HOLD_UP = deal("deals/hold-up")


@pytest.fixture(scope="module")
def client():
    client = Client(create_app(pages=(DESK,)))
    yield client
    client.close()


def query(path, board, **inputs):
    state = {"deal": str(board.deal), "contract": str(board.contract), "cards": "".join(map(card_name, board.cards))}
    return f"/api/desk/{path}?{urlencode({**state, **inputs})}"


def posted(client, text):
    return client.ask("/api/desk/open", method="POST", chunks=(json.dumps({"text": text}).encode(),))


# ---------------------------------------------------------------------- which deal


@pytest.mark.parametrize("form", ["pbn", "lin", "links"])
def test_boards_are_opened_and_can_be_asked_about(client, form):
    boards = [lesson.board for lesson in deals().values()]
    told = posted(client, boards_text(boards, form)).json
    assert told["faults"] == []
    assert [one["deal"] for one in told["boards"]] == [str(board.deal) for board in boards]
    first = told["boards"][0]
    state = {name: first[name] for name in ("deal", "contract", "cards")}
    assert client.ask(f"/api/desk/table?{urlencode(state)}").json["yours"]


def test_a_board_that_cannot_be_read_costs_the_others_nothing(client):
    text = '[Board "1"]\n[Deal "N:A2... A2... Q4... J5..."]\n\n[Board "2"]\n[Deal "N:A2... K3... Q4... J5..."]\n'
    told = posted(client, text).json
    assert [(one["name"], one["contract"]) for one in told["boards"]] == [
        ("Board 2, East deals, North-South vulnerable", None)
    ]
    assert len(told["faults"]) == 1


@pytest.mark.parametrize(
    "text", ["nonsense", " ", "[Deal", '[Board "1"]\n[Deal "N:A2... A2... Q4... J5..."]', "md|3SAA|"]
)
def test_what_is_no_board_is_refused(client, text):
    answer = posted(client, text)
    assert (answer.status, answer.json["where"]) == (400, "text")
    assert "expected" in answer.json["error"]


def test_lessons_are_those_of_the_catalog(client):
    told = client.ask("/api/desk/lessons?name=deals/").json["lessons"]
    assert [(one["lesson"], one["name"]) for one in told] == [(name, one.title) for name, one in deals().items()]
    assert [one["constraints"] for one in told if one["constraints"]] == ["15 <= hcp(west) <= 17"]
    assert client.ask("/api/desk/lessons?name=xyz").status == 400


def test_a_seed_draws_the_same_deal_again(client):
    contract = Contract.read("4S by E")
    state = {"deal": "random 17", "contract": str(contract), "reveal": 1}
    shown = client.ask(f"/api/desk/table?{urlencode(state)}").json
    dealt = deal_for(contract, Random(17))
    assert shown["hands"] == {seat.letter: hand_name(dealt[seat]) for seat in Seat}


# ---------------------------------------------------------------------- the table


def test_hidden_hands_stay_hidden_unless_asked():
    board = HOLD_UP.board
    for at in range(len(board.cards) + 1):
        table = table_json(board, at)
        gone = set_of(board.cards[:at])
        shown = {letter for letter, hand in table["hands"].items() if hand is not None}
        assert shown == ({"S"} if at == 0 else {"N", "S"})
        west, east = (set(map(card_name, cards_in(board.deal[seat] & ~gone))) for seat in (Seat.WEST, Seat.EAST))
        if table["to_play"] in "WE":
            assert set(table["playable"]) >= west | east, "only what both may have"
    revealed = table_json(board, reveal=True)["hands"]
    assert revealed["W"] == hand_name(board.deal[Seat.WEST] & ~set_of(board.cards))


def test_the_table_tells_turns_tricks_and_what_is_needed():
    board = HOLD_UP.board
    table = table_json(board, 5)
    assert (table["to_play"], table["yours"], table["playable"]) == ("N", True, ["H5"])
    assert table["standing"] == "0 won, 1 lost; 9 more make it"
    assert table["turns"] == [1, 3, 5, 7]
    assert [trick["winner"] for trick in table["tricks"]] == ["W", None]
    assert [card["number"] for trick in table["tricks"] for card in trick["cards"]] == list(range(7))
    assert table["left"] == {"N": 12, "E": 12, "S": 12, "W": 11}
    assert (table["dummy"], table["defenders"], table["told"]) == ("N", ["W", "E"], ["N", "E", "S", "W"])


def test_a_play_to_the_end():
    board = Board(Deal.read("N:AQ... K5... 87... JT..."), contract=Contract.read("1NT by S"))
    board = board.with_cards([read_card(name) for name in ("SJ", "SQ", "SK", "S7", "S5", "S8", "ST", "SA")])
    table = table_json(board)
    assert (table["to_play"], table["yours"], table["playable"], table["result"]) == (None, False, [], "6 down")
    assert table["turns"] == [1, 3, 5, 7]
    assert table_json(board, 3)["result"] is None


def test_hands_that_nobody_knows():
    """At a real table declarer sees two hands, and says what the others play."""
    known = Deal((HOLD_UP.board.deal[Seat.NORTH], 0, HOLD_UP.board.deal[Seat.SOUTH], 0))
    table = table_json(Board(known, contract=HOLD_UP.board.contract), reveal=True)
    assert len(table["playable"]) == 26
    assert (table["hands"]["W"], table["told"]) == (None, ["N", "S"])
    later = table_json(Board(known, contract=HOLD_UP.board.contract, cards=HOLD_UP.board.cards[:2]))
    assert len(later["playable"]) == 25


@pytest.mark.parametrize("unknown", [(Seat.WEST,), (Seat.EAST,), (Seat.EAST, Seat.WEST)])
def test_whatever_a_hand_that_nobody_knows_is_offered_can_be_played(unknown):
    """The lead is made before dummy is faced, and another hand may be told without being seen."""
    deal, contract = HOLD_UP.board.deal, HOLD_UP.board.contract
    board = Board(Deal(tuple(0 if seat in unknown else deal[seat] for seat in Seat)), contract=contract)
    for cards in (HOLD_UP.board.cards[:number] for number in range(len(HOLD_UP.board.cards))):
        now = board.with_cards(cards)
        if now.play.position.to_move in unknown:
            offered = table_json(now)["playable"]
            assert set(map(read_card, offered)) >= set(cards_in(deal[now.play.position.to_move] & ~set_of(cards)))
            assert all(table_json(now.with_cards((*cards, read_card(card))))["tricks"] for card in offered)


def test_a_defender_plays_by_what_he_sees(client):
    start = Board(GUESS.board.deal, contract=GUESS.board.contract, cards=(*GUESS.board.cards, read_card("S3")))
    told = client.ask(query("defender", start, seed=3)).json
    view = start.view(Seat.WEST)
    assert told == {"seat": "W", "card": card_name(advise(view, worlds=10, algorithm="pimc", seed=3).card)}


# ---------------------------------------------------------------------- advice


def test_advice_comes_in_steps_that_are_those_of_the_engine(client):
    events = client.stream(query("advice", GUESS.board)).events
    *steps, end = events
    expected = list(advise_in_stages(GUESS.view))
    assert end == ("end", {})
    assert [(step["depth"], step["exact"]) for _, step in steps] == [(one.depth, one.exact) for one in expected]
    last, best = steps[-1][1], expected[-1]
    assert (last["best"], last["heading"], last["to_the_end"]) == (card_name(best.card), heading(best), best.to_the_end)
    assert (last["why"], last["how"]) == (list(why_words(best)), list(plan_words(best)))
    assert client.ask(query("advice", GUESS.board)).json["choices"] == last["choices"]


def test_deepening_looks_at_more_and_further(needs_kernels):
    found = list(advise_in_stages(HOLD_UP.view))
    assert [len(one.worlds) for one in found] == [worlds for worlds, _ in STAGES]
    assert [one.depth for one in found[:-1]] == [depth for _, depth in STAGES[:-1]]
    assert found[-1].depth > found[-2].depth
    assert set(found[0].worlds) < set(found[-1].worlds), "what was solved is not thrown away"
    assert found[3].choices == advise(HOLD_UP.view, worlds=40, limit=Limit(depth=3)).choices


def test_a_deeper_look_corrects_a_hope(needs_kernels):
    lesson = deal("deals/discovery")
    found = list(advise_in_stages(lesson.view))
    assert found[0].best.chance == pytest.approx(found[0].best.pimc)
    assert found[-1].best.chance < found[-1].best.pimc
    assert lesson.right in found[-1].best.cards
    assert found[-1].choices == advise(lesson.view).choices


def test_deepening_says_nothing_twice_but_with_a_plan(needs_kernels):
    found = list(advise_in_stages(GUESS.view, stages=((3, 1), (5, 1), (15, 1), (15, 2), (15, 2))))
    assert [(len(one.worlds), one.depth) for one in found] == [(15, 1), (15, 1), (15, 2)]
    assert [bool(one.plan) for one in found] == [False, True, True]
    assert found[0].choices == found[1].choices


def test_constraints_count(client):
    assert client.ask(query("advice", GUESS.board)).json["layouts"] == 15
    told = client.ask(query("advice", GUESS.board, constraints="hascard(east, SQ)")).json
    assert told["layouts"] == len(told["worlds"]) == 10
    assert all("Q" in world["east"].split(".")[0] for world in told["worlds"])


def test_a_lead_convention_counts(needs_kernels):
    """The king promises the queen, but from one or two cards."""
    board = HOLD_UP.board.with_cards(HOLD_UP.board.cards[:3])
    free, told = (first_step(query("advice", board, **known)) for known in ({}, {"lead": "honours"}))
    assert told["layouts"] < free["layouts"]
    hearts = [world["west"].split(".")[1] for world in told["worlds"]]
    assert all("Q" in held or len(held) < 3 for held in hearts)


def first_step(target, searches=None):
    """What comes first; then the client leaves."""

    async def asked():
        async with opened(create_app(pages=(DESK,), searches=searches)) as app:
            visitor = visit(app, target, headers={"accept": "text/event-stream"})
            await visitor.until(b"\n\n")
            await visitor.leave()
            return json.loads(visitor.body.partition(b"data: ")[2].partition(b"\n")[0])

    return asyncio.run(asked())


def test_a_search_ends_when_declarer_leaves(needs_kernels):
    searches = Searches(at_once=1)
    assert first_step(query("advice", deal("deals/unblocking").board), searches)["depth"] == 1
    assert (searches.running, searches.queue) == (0, [])


# ---------------------------------------------------------------------- what is refused


@pytest.mark.parametrize(
    ("path", "changed", "where"),
    [
        ("table", {"deal": "nonsense"}, "deal"),
        ("table", {"deal": "N:AK... - - -"}, "deal"),
        ("table", {"deal": "N:AK... Q... 32... -"}, "deal"),
        ("table", {"deal": "random x"}, "deal"),
        ("table", {"contract": "8NT by S"}, "contract"),
        ("table", {"contract": "3NT"}, "contract"),
        ("table", {"cards": "ZZ"}, "cards"),
        ("table", {"cards": "HKH4HTH3SA"}, "cards"),
        ("table", {"cards": "H9"}, "cards"),
        ("table", {"at": 8}, "at"),
        ("table", {"at": 53}, "at"),
        ("table", {"reveal": 2}, "reveal"),
        ("defender", {}, "cards"),
        ("defender", {"deal": "N:K54.54.AQJT9.432 - A32.A63.843.AK75 -", "cards": ""}, "deal"),
        ("advice", {"cards": "HKH4"}, "cards"),
        ("advice", {"constraints": "hcp(wst) > 3"}, "constraints"),
        ("advice", {"constraints": "hcp(west) > 30"}, "constraints"),
        ("advice", {"lead": "seventh-best"}, "lead"),
    ],
)
def test_bad_input_is_said_where_it_is(client, path, changed, where):
    answer = client.ask(query(path, HOLD_UP.board, **changed))
    assert (answer.status, answer.json["where"]) == (400, where)
    assert "expected" in answer.json["error"]
