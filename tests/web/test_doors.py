"""What other programs ask over HTTP: values over their own worlds, and BEN's /play and /lead."""

import json
from urllib.parse import urlencode

import pytest

from web_client import Client
from worldwise.bridge.advice.advise import advise
from worldwise.bridge.players.simple import RandomPlayer
from worldwise.bridge.players.table import BridgeTable
from worldwise.bridge.rules.auction import Auction
from worldwise.bridge.rules.board import Board
from worldwise.bridge.rules.contract import Vulnerability
from worldwise.bridge.rules.deal import Deal, Seat, card_name, cards_in, hand_name
from worldwise.bridge.rules.play import Play
from worldwise.doors.questions import answer_question
from worldwise.web.app import create_app

pytestmark = pytest.mark.usefixtures("needs_kernels")

FINESSE = {
    "deal": "N:AQ... 32... 54... K6...",
    "contract": "1NT by S",
    "cards": "S6",
    "aim": "tricks",
    "worlds": ["N:AQ... 32... 54... K6...", "N:AQ... K2... 54... 63..."],
    "weights": [3, 1],
    "depth": 4,
}

DEAL = Deal.read("N:AK84.K75.A64.K32 J97.QJ93.KT8.QJ9 QT62.A4.QJ5.AT75 53.T862.9732.864")
CALLS = "1N--3N------"
AUCTION = Auction.read("S: 1NT P 3NT AP")
PLAYED = BridgeTable.of(AUCTION.contract, RandomPlayer(), RandomPlayer()).play_out(Play(DEAL, AUCTION.contract)).cards


def played_until(seat):
    """The play until late in it a seat is on turn."""
    return next(
        PLAYED[:size] for size in range(34, 48) if Play(DEAL, AUCTION.contract, PLAYED[:size]).position.to_move == seat
    )


@pytest.fixture(scope="module")
def client():
    client = Client(create_app(pages=()))
    yield client
    client.close()


def values(client, **changed):
    question = {name: value for name, value in {**FINESSE, **changed}.items() if value is not None}
    return client.ask("/api/v1/values", method="POST", chunks=(json.dumps(question).encode(),))


def hand(seat):
    return hand_name(DEAL[seat]).replace(".", "_")


def ben(client, path, who, **changed):
    asked = {"hand": hand(who), "seat": who.letter, "dealer": "S", "vul": "@v", "ctx": CALLS}
    cards = "".join(map(card_name, played_until(Seat.SOUTH)))
    asked |= {"dummy": hand(Seat.NORTH), "played": cards} if path == "play" else {}
    told = {name: value for name, value in {**asked, **changed}.items() if value is not None}
    return client.ask(f"/{path}?{urlencode(told)}")


# ---------------------------------------------------------------------- values


def test_values_are_those_of_every_other_door(client):
    answer = values(client)
    assert answer.status == 200
    assert answer.json == answer_question("values", {**FINESSE, "seconds": 10})
    assert {(one["kind"], one["value"]) for one in answer.json["choices"]} == {("final", 1.75), ("final", 1.0)}


def test_without_weights_all_worlds_count_alike(client):
    best = values(client, weights=None).json["choices"][0]
    assert (best["cards"], best["value"]) == (["SQ"], 1.5)


@pytest.mark.parametrize(
    ("changed", "where", "words"),
    [
        ({"worlds": None}, "worlds", "found nothing"),
        ({"worlds": []}, "worlds", "expected a list of 1 to 1000 texts, found 0"),
        ({"worlds": "N:AQ... 32... 54... K6..."}, "worlds", "expected a list"),
        ({"worlds": [3]}, "worlds", "expected a text"),
        ({"worlds": FINESSE["worlds"] * 501}, "worlds", "found 1002"),
        ({"worlds": ["N:AK... 32... 54... Q6..."]}, "worlds", "number 0: expected a whole deal that fits"),
        ({"weights": [1]}, "weights", "expected one for each of the 2 worlds, found 1"),
        ({"weights": [1, -1]}, "weights", "expected numbers from 0"),
        ({"weights": [0, 0]}, "weights", "expected some world to count"),
        ({"weights": [1, "2"]}, "weights", "expected numbers from 0"),
        ({"source": "/etc/passwd"}, "source", "unknown input"),
        ({"seconds": 3600}, "seconds", "from 1 to 20"),
        ({"depth": 53}, "depth", "from 1 to 52"),
        ({"deal": "N:AQ... 32... - K6..."}, "", "expected"),
    ],
)
def test_bad_questions_are_refused_by_field(client, changed, where, words):
    answer = values(client, **changed)
    assert answer.status == 400
    assert words in answer.json["error"]
    assert answer.json["where"].startswith(where)


def test_a_text_longer_than_any_body_may_be_is_refused(client):
    assert values(client, deal="N:" + "A" * 300_000).status == 413


def test_others_need_the_token_of_the_server():
    client = Client(create_app(pages=(), token="a-token-of-my-own-choice"))
    try:
        assert values(client).status == 401
        assert ben(client, "lead", Seat.WEST).status == 401
        body = json.dumps(FINESSE).encode()
        headers = {"Authorization": "Bearer a-token-of-my-own-choice", "Content-Type": "application/json"}
        assert client.ask("/api/v1/values", method="POST", chunks=(body,), headers=headers).status == 200
    finally:
        client.close()


def test_they_are_described(client):
    paths = client.ask("/api/openapi.json").json["paths"]
    assert list(paths) == ["/api/v1/values", "/play", "/lead"]
    schema = paths["/api/v1/values"]["post"]["requestBody"]["content"]["application/json"]["schema"]
    assert schema["properties"]["worlds"]["type"] == "array"
    assert schema["required"] == ["deal", "worlds"]


# ---------------------------------------------------------------------- BEN's questions


@pytest.mark.parametrize(("seat", "player"), [(Seat.SOUTH, 3), (Seat.EAST, 2), (Seat.WEST, 0)])
def test_play_is_advice_in_bens_shape(client, seat, player):
    cards = played_until(seat)
    answer = ben(
        client, "play", seat, played="".join(map(card_name, cards)), details="true", user="me", dealno="7"
    ).json
    hands = [DEAL[one] if one in (seat, Seat.NORTH) else 0 for one in Seat]
    board = Board(Deal(tuple(hands)), dealer=Seat.SOUTH, auction=AUCTION, cards=cards)
    told = advise(board.view(seat), vulnerability=Vulnerability.NORTH_SOUTH, planning=False, trying=False)
    assert answer["card"] == card_name(told.card)
    assert (answer["who"], answer["player"], answer["matchpoint"]) == ("worldwise", player, False)
    assert [one["card"] for one in answer["candidates"]] == [card_name(one.card) for one in told.choices]
    first = answer["candidates"][0]
    assert set(first) >= {"card", "insta_score", "expected_tricks_sd", "p_make_contract", "expected_score_sd", "kind"}
    assert first["p_make_contract"] == pytest.approx(told.best.chance, abs=1e-4)
    assert first["expected_score_sd"] == round(told.best.score)
    assert (answer["samples"], answer["weights"]) == ([str(world) for world in told.worlds], list(told.weights))


def test_a_card_of_dummys_is_declarers_to_choose(client):
    cards = played_until(Seat.NORTH)
    answer = ben(client, "play", Seat.SOUTH, played="".join(map(card_name, cards))).json
    assert answer["card"] in map(card_name, cards_in(DEAL[Seat.NORTH]))


def test_the_leader_is_answered_too(client):
    answer = ben(client, "lead", Seat.WEST).json
    assert answer["card"] in map(card_name, cards_in(DEAL[Seat.WEST]))
    assert set(answer) == {"card", "who", "quality", "matchpoint"}


def test_at_matchpoints_tricks_are_played_for(client):
    by_tricks = ben(client, "play", Seat.SOUTH, tournament="mp", details="1").json
    assert by_tricks["matchpoint"] is True
    best = by_tricks["candidates"][0]
    assert best["expected_tricks_sd"] == max(one["expected_tricks_sd"] for one in by_tricks["candidates"])


@pytest.mark.parametrize(
    ("path", "seat", "changed", "words"),
    [
        ("play", Seat.NORTH, {"dummy": hand(Seat.SOUTH)}, "expected declarer's or a defender's, found dummy's"),
        ("play", Seat.SOUTH, {"ctx": "1N--3N----"}, "expected an auction that has ended"),
        ("play", Seat.SOUTH, {"ctx": "1N-3N"}, "expected calls such as"),
        ("play", Seat.SOUTH, {"ctx": "--------"}, "expected an auction that has ended in a contract"),
        ("play", Seat.SOUTH, {"ctx": "1NRd"}, "expected a redouble"),
        ("play", Seat.SOUTH, {"hand": "AKQ_K_xxx_432"}, "expected ranks"),
        ("play", Seat.SOUTH, {"hand": "AKQ_K_32_432"}, "expected the 13 cards"),
        ("play", Seat.SOUTH, {"hand": hand(Seat.NORTH)}, "expected every card once"),
        ("play", Seat.SOUTH, {"played": "H2H5"}, "expected South to be on turn"),
        ("play", Seat.SOUTH, {"played": "H2S4HJ"}, "revokes"),
        ("play", Seat.WEST, {}, "expected West to be on turn"),
        ("play", Seat.SOUTH, {"dummy": None}, "found nothing"),
        ("play", Seat.SOUTH, {"vul": "@w"}, "expected @v for North-South"),
        ("lead", Seat.EAST, {}, "expected East to be on turn"),
        ("lead", Seat.WEST, {"seat": "Q"}, "expected a seat"),
        ("lead", Seat.WEST, {"colour": "blue"}, "unknown input"),
    ],
)
def test_what_ben_would_answer_with_a_message_is_refused(client, path, seat, changed, words):
    answer = ben(client, path, seat, **changed)
    assert answer.status == 400
    assert words in answer.json["error"]
