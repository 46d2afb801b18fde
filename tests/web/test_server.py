"""The frame of ``worldwise web`` and the suit explorer's interface, in this process and without a socket."""

import asyncio
import http.client
import json
import os
import re
import signal
import socket
import subprocess
import sys
from itertools import islice
from pathlib import Path
from random import Random
from time import monotonic
from urllib.parse import quote, urlencode
from xml.etree import ElementTree

import pytest

from patience import PATIENCE
from web_client import Client, opened, visit
from web_toys import TOYS
from worldwise.bridge.layouts.deals_for_contract import deal_for
from worldwise.bridge.rules.contract import Contract
from worldwise.bridge.rules.deal import Seat, card_name, cards_in
from worldwise.bridge.suit.drill import DrillAttempt, draw_questions
from worldwise.bridge.suit.drill_words import question_name, review_words, score_words, verdict_words
from worldwise.bridge.suit.reasons import comparisons
from worldwise.bridge.suit.rules import Suit
from worldwise.bridge.suit.solver import SuitSolver
from worldwise.bridge.suit.views.drill import turn_json
from worldwise.bridge.suit.views.json import suit_json
from worldwise.bridge.suit.words import line_in_words
from worldwise.catalog import drill_entries
from worldwise.web import guard
from worldwise.web.answers import MOST_FIELDS
from worldwise.web.app import create_app
from worldwise.web.doors import DOORS
from worldwise.web.files import packaged_files
from worldwise.web.pages import HOME, PAGES
from worldwise.web.searches import Searches

STATIC = Path(guard.__file__).parent / "static"
GARBAGE = 100
"""Requests of each kind."""


@pytest.fixture(scope="module")
def client():
    client = Client(create_app())
    yield client
    client.close()


@pytest.fixture(scope="module")
def toys():
    client = Client(create_app(pages=(TOYS,), searches=Searches(at_once=1)))
    yield client
    client.close()


def query(path, **inputs):
    return f"{path}?{urlencode(inputs)}"


def suit(path="", north="AKQ9", south="32", **inputs):
    return query(f"/api/suit{path}", north=north, south=south, **inputs)


# ---------------------------------------------------------------------- pages and files


@pytest.mark.parametrize("page", [HOME, *PAGES], ids=lambda page: page.path)
def test_a_page_links_to_nothing_that_is_not_there(client, page):
    html = client.ask(page.path)
    assert html.status == 200
    assert html.headers["content-type"] == "text/html; charset=utf-8"
    links = re.findall(r'(?:href|src)="([^"#]+)"', html.text)
    assert f"/static/{page.files}.js" in links
    assert [link for link in links if client.ask(link).status not in (200, 307)] == []
    assert not re.search(r"https?://(?!www\.w3\.org)", html.text)


@pytest.mark.parametrize("page", [HOME, *PAGES], ids=lambda page: page.path)
def test_a_page_has_no_script_or_style_inside(client, page):
    html = client.ask(page.path).text
    assert not re.search(r"<script(?![^>]* src=)|<style|\sstyle=|\son\w+=|javascript:", html)
    assert html.count("<h1") == 1
    assert html.count('aria-current="page"') == (page is not HOME)


def test_the_navigation_has_the_pages_that_there_are(client):
    nav = re.search(r"<nav.*?</nav>", client.ask("/suits").text, re.DOTALL)[0]
    assert re.findall(r'<a href="([^"]+)"[^>]*>([^<]+)<', nav) == [(page.path, page.title) for page in PAGES]


def test_modules_import_what_is_there_and_nothing_is_left_over(client):
    """Every file of ours is reached from a page, through links and imports."""
    texts = {name: kept.content.decode() for name, kept in packaged_files().items()}
    html = "".join(client.ask(page.path).text for page in [HOME, *PAGES])
    reached = set(re.findall(r"/static/([\w.-]+)", html))
    waiting = list(reached)
    while waiting:
        found = set(re.findall(r'from "\./([\w.-]+)"', texts[waiting.pop()])) - reached
        reached |= found
        waiting += found
    assert {name for name in texts if not name.endswith(".html")} == reached
    assert {path.name for path in STATIC.iterdir()} == set(texts)


def test_nothing_is_loaded_from_elsewhere():
    for path in STATIC.iterdir():
        assert not re.search(r"@import|url\(|https?://(?!www\.w3\.org)", path.read_text("utf-8")), path.name


def test_a_file_that_has_not_changed_is_not_sent_again(client):
    first = client.ask("/static/base.css")
    again = client.ask("/static/base.css", headers={"if-none-match": first.headers["etag"]})
    assert (first.status, again.status, again.body) == (200, 304, b"")
    assert first.headers["cache-control"] == "no-cache"


@pytest.mark.parametrize(
    "target",
    [
        "/static/../app.py",
        "/static/%2e%2e/app.py",
        "/static/",
        "/static/suits.html",
        "/static//etc/passwd",
        "//x/",
        "/%00",
    ],
)
def test_no_other_file_can_be_read(client, target):
    answer = client.ask(target)
    assert answer.status == 404
    assert b"create_app" not in answer.body


def test_what_is_not_there_is_said_in_the_frame(client):
    page, program = client.ask("/nothing"), client.ask("/api/nothing")
    assert page.status == program.status == 404
    assert "<h1>Not Found</h1>" in page.text
    assert "<nav" in page.text
    assert program.json == {"error": "Not Found; /api/openapi.json says what there is", "where": "/api/nothing"}


# ---------------------------------------------------------------------- headers and guards


@pytest.mark.parametrize(
    "target", ["/suits", "/static/base.css", "/api/openapi.json", suit(), suit(north="Z"), "/nothing", "/api/nothing"]
)
def test_every_answer_is_guarded(client, target):
    headers = client.ask(target).headers
    assert {name: headers.get(name.lower()) for name in guard.HEADERS} == guard.HEADERS


def test_the_policy_allows_our_own_files_only():
    policy = dict(part.split(" ", 1) for part in guard.HEADERS["Content-Security-Policy"].split("; "))
    assert policy["default-src"] == "'none'"
    assert {value for name, value in policy.items() if name.endswith("-src")} == {"'none'", "'self'"}


@pytest.mark.parametrize("host", ["127.0.0.1:8765", "localhost:1", "LOCALHOST", "[::1]:8765", "[::1]"])
def test_our_own_names(client, host):
    assert client.ask("/suits", headers={"host": host}).status == 200


@pytest.mark.parametrize(
    "host",
    [
        "evil.example",
        "127.0.0.1.evil.example",
        "localhost.evil.example:8765",
        "",
        "::1",
        "192.168.0.7",
        "127.0.0.1:x",
        "[",
        "]:1",
    ],
)
def test_names_that_could_be_rebound(client, host):
    answer = client.ask("/suits", headers={"host": host})
    assert (answer.status, answer.json["where"]) == (421, "Host")


@pytest.mark.parametrize(
    ("host", "status"),
    [
        ("192.168.0.7:8765", 200),
        ("[fe80::1]:8765", 200),
        ("localhost", 200),
        ("evil.example", 421),
        ("1.2.3.4.example", 421),
    ],
)
def test_a_server_open_to_others_has_addresses_but_not_any_name(host, status):
    async def asked():
        return await visit(create_app("0.0.0.0"), "/suits", headers={"host": host}).answer()

    assert asyncio.run(asked()).status == status


@pytest.mark.parametrize(
    "headers",
    [
        {"sec-fetch-site": "cross-site"},
        {"sec-fetch-site": "same-site"},
        {"origin": "https://evil.example"},
        {"origin": "null"},
        {"origin": "https://127.0.0.1:8765"},
        {"origin": "ftp://127.0.0.1:8765"},
        {"origin": "http://127.0.0.1:8766"},
        {"origin": "http://127.0.0.1"},
        {"origin": "127.0.0.1:8765"},
    ],
)
def test_other_sites_may_not_ask(client, headers):
    """A plain link to BEN's questions, in a page elsewhere, used to begin searches of a minute."""
    for target in (suit(), "/api/openapi.json", "/play?hand=x", "/lead?hand=x"):
        answer = client.ask(target, headers=headers)
        assert (answer.status, answer.json["where"]) == (403, "Origin")
    assert client.ask("/suits", headers=headers).status == 200


def test_our_own_pages_may_ask(client):
    headers = {"sec-fetch-site": "same-origin", "origin": "http://127.0.0.1:8765"}
    assert client.ask(suit(), headers=headers).status == 200


@pytest.mark.parametrize(
    ("target", "options", "status"),
    [
        ("/api/suit?north=" + "A" * guard.MOST_QUERY, {}, 414),
        ("/" + "a" * guard.MOST_PATH, {}, 414),
        ("/api/toys/post", {"headers": {"content-length": str(guard.MOST_BODY + 1)}}, 413),
        ("/api/toys/post", {"headers": {"content-length": "9" * 5000}}, 413),
        ("/api/toys/post", {"headers": {"content-length": "-1"}}, 413),
        ("/api/toys/post", {"chunks": (b" " * guard.MOST_BODY, b" ")}, 413),
    ],
)
def test_too_much(toys, target, options, status):
    answer = toys.ask(target, method="POST", **options)
    assert (answer.status, set(answer.json)) == (status, {"error", "where"})


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "BREW"])
def test_methods_that_there_are_not(client, method):
    assert client.ask(suit(), method=method).status == 405
    assert client.ask("/suits", method=method).status == 405


# ---------------------------------------------------------------------- the suit explorer


def test_goals_are_those_of_the_solver(client):
    found, solver = client.ask(suit()).json, SuitSolver(Suit.of("AKQ9", "32"))
    assert [goal["probability"] for goal in found["goals"]] == [float(answer.chance) for answer in solver.goals]
    assert [goal["double_dummy_probability"] for goal in found["goals"]] == [
        float(answer.double_dummy) for answer in solver.goals
    ]
    assert found["goals"][3]["plays"] == {str(move): float(chance) for move, chance in solver.goal(4).plays.items()}
    assert found["expected_tricks"] == float(solver.expected.tricks)
    assert (found["name"], found["defenders"]) == ("AKQ9 opposite 32", "the defenders have JT 87654")


def test_what_the_command_tells_too_has_the_same_form(client):
    """Every key that both have means the same; lines and winning layouts have answers of their own."""
    found, solver = client.ask(suit()).json, SuitSolver(Suit.of("AKQ9", "32"))
    told = suit_json(solver, [""] * len(solver.goals))
    assert set(found) >= set(told)
    assert {key: found[key] for key in told if key != "goals"} == {key: told[key] for key in told if key != "goals"}
    for goal, same in zip(found["goals"], told["goals"], strict=True):
        shared = set(same) - {"line", "winning_layouts"}
        assert {key: goal[key] for key in shared} == {key: same[key] for key in shared}


def test_layouts_add_up(client):
    found = client.ask(suit(north="AJ98", south="K32")).json
    assert sum(layout["probability"] for layout in found["layouts"]) == pytest.approx(1)
    for goal in found["goals"]:
        won = [layout["probability"] for layout in found["layouts"] if goal["tricks"] in layout["wins"]]
        assert sum(won) == pytest.approx(goal["probability"])
    average = sum(layout["probability"] * layout["tricks"] for layout in found["layouts"])
    assert average == pytest.approx(found["expected_tricks"])


def test_low_cards_and_voids(client):
    assert client.ask(suit(north="AJx", south="10x")).json["north"] == "AJ3"
    assert client.ask(suit(north="AKQ", south="-")).json["south"] == "-"


def test_assumptions_count(client):
    found = client.ask(suit(west_cards=5, east_cards=13, gone="4", north_entries=0, south_entries=1)).json
    assert found["assumptions"] == [
        "played already: 4",
        "vacant places: West 5, East 13",
        "entries outside the suit: North 0, South 1",
    ]


def test_cards_placed_ruffs_and_leads_count(client):
    placed = client.ask(suit(north="AQT9", south="432", west="K", west_length="3+")).json
    assert placed["assumptions"] == ["West has K", "West has at least 3 cards of the suit"]
    assert placed["goals"][2]["probability"] == 1
    led = client.ask(suit(north="Q32", south="J54", ruffs=1, defenders_lead="first")).json
    assert led["goals"][0]["probability"] == 1
    assert led["goals"][0]["plays"] == {}
    line = client.ask(suit("/lines", north="AQ", south="32", defenders_lead="east", tricks=2)).json["lines"][0]
    assert line["text"].startswith("If East leads, ")
    assert client.ask(suit("/first-lines", ruffs=1, tricks=4)).json["first_lines"] == []


def test_lines_come_one_by_one_the_one_looked_at_first(client):
    solver = SuitSolver(Suit.of("AJ98", "K32"))
    events = client.stream(suit("/lines", north="AJ98", south="K32", tricks=3)).events
    *steps, end = events
    assert end == ("end", {})
    assert [len(step["lines"]) for _, step in steps] == [1, 2, 3, 4, 5]
    lines = steps[-1][1]["lines"]
    assert [line["tricks"] for line in lines] == [3, 4, 2, 1, None]
    assert lines[0]["text"] == line_in_words(solver, 3).text
    assert client.ask(suit("/lines", north="AJ98", south="K32", tricks=3)).json == steps[-1][1]


def test_a_goal_out_of_reach_has_no_line(client):
    lines = client.ask(suit("/lines", north="2", south="3")).json["lines"]
    assert [line["text"] for line in lines if line["tricks"] == 1] == ["No line wins so many tricks."]


def test_why_not(client):
    found = client.ask(suit("/first-lines", tricks=4)).json["first_lines"]
    expected = comparisons(SuitSolver(Suit.of("AKQ9", "32")), 4)
    assert [line["words"] for line in found] == [one.words for one in expected]
    by_play, by_name = (client.ask(suit("/why", tricks=4, play=play)).json for play in ("NA", "cash the ace"))
    assert by_play == by_name
    assert by_play["words"].startswith("Cash the ace: 10.34 %, against 24.00 % for finessing the nine.")
    assert by_play["text"] == "Play from the top."


def test_where_sampling_goes_wrong(client):
    assert client.ask(suit("/sampling", tricks=4)).json["cause"] == "non-locality"
    right = client.ask(suit("/sampling", tricks=1)).json
    assert (right["cause"], right["words"]) == (None, "Nowhere: its line wins 100.00 %, the best there is.")


@pytest.mark.parametrize("tricks", [{"tricks": 4}, {}], ids=["goal", "average"])
def test_the_figure_is_a_picture(client, tricks):
    answer = client.ask(suit("/figure.svg", **tricks))
    assert answer.headers["content-type"] == "image/svg+xml"
    assert ElementTree.fromstring(answer.text).tag == "{http://www.w3.org/2000/svg}svg"


def drill(path="", **fields):
    return query(f"/api/suit/drill{path}", **{"seed": 7, **fields})


def test_a_whole_drill(client):
    """What the page is told is what the drill says; the seed and the plays are all that is sent."""
    plays = []
    for number, question in enumerate(islice(draw_questions(drill_entries(2), 7), 3), 1):
        attempt, steps = DrillAttempt(question), []
        while not attempt.is_done:
            told = client.ask(
                drill(level=2, number=number, plays=",".join(steps)) if steps else drill(level=2, number=number)
            ).json
            assert (told["question"], told["number"], told["end"]) == (question_name(question), number, None)
            assert told["turn"] == turn_json(attempt.play)
            steps.append(str(attempt.play.choices[0] if len(steps) == number else attempt.play.best_move))
            slip = attempt.put(next(card for card in attempt.play.choices if str(card) == steps[-1])).costs
            told = client.ask(drill(level=2, number=number, plays=",".join(steps))).json
            assert (told["slip"] and told["slip"]["words"]) == (verdict_words(attempt.slip) if slip else None)
        assert told["end"]["review"] == review_words(attempt)
        plays.append((",".join(steps), attempt))
    texts, attempts = zip(*plays, strict=True)
    review = client.ask(drill("/review", level=2, plays=";".join(texts))).json
    assert (review["score"], review["questions"][1]["words"]) == (score_words(attempts), review_words(attempts[1]))


def test_hints_steps_back_and_combinations_of_ones_own(client):
    own = {"north": "AKQ9", "south": "32", "tricks": 4}
    hinted = client.ask(drill(**own, plays="hint,hint")).json
    assert (hinted["hint"], hinted["rounds"], hinted["can_take_back"]) == ("Lead low from South.", 1, False)
    slipped = client.ask(drill(**own, plays="S2,N9")).json
    assert (slipped["slip"]["card"], slipped["can_take_back"]) == ("N9", True)
    back = client.ask(drill(**own, plays="S2,N9,back,back")).json
    assert (back["slip"], back["turn"]["rounds"]) == (None, [])
    left = client.ask(drill(**own, plays="S2,N9,next")).json
    assert (left["slip"], left["end"]["done"], left["end"]["words"]) == (None, False, ["Better: play the queen."])


@pytest.mark.parametrize(
    ("target", "where"),
    [
        ("/api/suit?south=32", "north"),
        (suit(north=""), "north"),
        (suit(north="AKZ"), "north"),
        (suit(south="AKZ"), "south"),
        (suit(gone="AKZ"), "gone"),
        (suit(south="AKQ9"), "north, south"),
        (suit(north="-", south="-"), "north, south"),
        (suit(west_cards=14), "west_cards"),
        (suit(west="A"), "west"),
        (suit(east_length="many"), "east_length"),
        (suit(west_length="7", west="J", east="T"), "north, south"),
        (suit(ruffs=14), "ruffs"),
        (suit(defenders_lead="dummy"), "defenders_lead"),
        (suit("/why", ruffs=1, tricks=4, play="S2"), "ruffs, defenders_lead"),
        (suit(west_cards="many"), "west_cards"),
        (suit(west_cards=0, east_cards=0), "north, south"),
        (suit(trick=4), "trick"),
        (suit("/lines", tricks=0), "tricks"),
        (suit("/why", tricks=4), "play"),
        (suit("/why", tricks=4, play="H7"), "play"),
        (suit("/why", tricks=13, play="S2"), ""),
        (drill(plays="ZZ"), "plays"),
        (drill(plays="back"), "plays"),
        (drill(plays="next,next"), "plays"),
        (drill(plays=",".join(["hint"] * 81)), "plays"),
        (drill(level=4), "level"),
        (drill(number=11), "number"),
        (drill(north="AKQ9"), "south, tricks"),
        (drill(north="AKZ", south="32", tricks=1), "north"),
        (drill(north="AKQ9", south="32", tricks=3), "north, south, tricks"),
        (drill("/review", plays=";" * 10), "plays"),
        (suit() + "&north=A", "query"),
        (suit() + "&%ff=1", "query"),
        (suit() + "&" + "&".join(f"a{number}=1" for number in range(MOST_FIELDS)), "query"),
    ],
)
def test_bad_input_is_said_where_it_is(client, target, where):
    answer = client.ask(target)
    assert (answer.status, answer.json["where"]) == (400, where)
    assert re.match("expected|unknown", answer.json["error"])
    assert client.stream(target).status == 400 or client.stream(target).events[-1][0] == "error"


def test_the_same_question_is_answered_from_memory(client):
    assert client.ask(suit(north="AQT", south="432")).body == client.ask(suit(north="AQT", south="432")).body
    events = client.stream(suit("/lines")).events
    assert [name for name, _ in client.stream(suit("/lines")).events] == ["step", "end"]
    assert client.stream(suit("/lines")).events[-2] == events[-2]


# ---------------------------------------------------------------------- the description, and garbage made from it


def test_the_description_has_every_endpoint_and_its_inputs(client):
    paths = client.ask("/api/openapi.json").json["paths"]
    endpoints = [*(endpoint for page in PAGES for endpoint in page.endpoints), *DOORS]
    table = {endpoint.path: endpoint for endpoint in endpoints}
    assert list(paths) == list(table)
    for path, endpoint in table.items():
        parameters = inputs_of(paths[path])
        assert list(paths[path]) == [endpoint.method.lower()]
        assert [one["name"] for one in parameters] == [field.name for field in endpoint.fields]
        assert [one["schema"] for one in parameters] == [field.schema for field in endpoint.fields]


def inputs_of(operations):
    """What an endpoint takes, in its query or its body."""
    if "get" in operations:
        return operations["get"]["parameters"]
    schema = operations["post"]["requestBody"]["content"]["application/json"]["schema"]
    return [
        {
            "name": name,
            "required": name in schema["required"],
            "schema": {key: value for key, value in told.items() if key != "description"},
        }
        for name, told in schema["properties"].items()
    ]


def test_a_posted_body_is_described_too(toys):
    body = toys.ask("/api/openapi.json").json["paths"]["/api/toys/post"]["post"]["requestBody"]
    schema = body["content"]["application/json"]["schema"]
    assert schema["required"] == ["words"]
    assert schema["properties"]["mood"]["enum"] == ["plain", "loud"]


def good_value(rng, schema):
    """A value that a schema allows, though it may make no sense."""
    if "enum" in schema:
        return rng.choice(schema["enum"])
    if schema["type"] == "integer":
        return str(rng.randint(schema["minimum"], schema["maximum"]))
    if schema["type"] == "array":
        return rng.choice([[], ["Z"], [-1], [[]], [None], "Z"])
    return "".join(rng.choice("ZY!é♠ \\\"';<>&%\n") for _ in range(rng.randint(1, min(schema["maxLength"], 400))))


def bad_value(rng, schema):
    """A value that a schema forbids."""
    if "enum" in schema:
        return str(rng.choice(schema["enum"])) + rng.choice(["x", " ", "\0", "é"])
    if schema["type"] == "integer":
        outside = [schema["minimum"] - rng.randint(1, 9**9), schema["maximum"] + rng.randint(1, 9**9)]
        return str(rng.choice([*outside, "4.5", "1e3", "٣", "0x1", "four", "--1", "9" * 400, "true", " 3"]))
    if schema["type"] == "array":
        return rng.choice(["", "A", {}, 3, None, [], [True], [{}], ["A"] * (schema["maxItems"] + 1)])
    return "A" * (schema["maxLength"] + rng.randint(1, 50))


def raw_bytes(rng, most=60):
    return bytes(rng.choice(b"&=%;+\x00\x7f\x80\xfe\xffAK9%41%zz%ff%u0041") for _ in range(rng.randint(1, most)))


def garbage(kind, rng, parameters):
    """What no good client sends as the inputs: pairs of names and values, or bytes; None if there is nothing such."""
    if not parameters:
        return [("anything", "A")] if kind == "unknown name" else None
    values = {one["name"]: good_value(rng, one["schema"]) for one in parameters}
    required = [one["name"] for one in parameters if one["required"]]
    chosen = rng.choice(parameters)
    name = chosen["name"]
    if kind == "nonsense":
        return [*values.items()] if any("maxLength" in one["schema"] for one in parameters) else None
    if kind == "forbidden value":
        return [*{**values, name: bad_value(rng, chosen["schema"])}.items()]
    if kind == "missing":
        left_out = rng.choice(required or [None])
        return [pair for pair in values.items() if pair[0] != left_out] if required else None
    if kind == "unknown name":
        return [*values.items(), (name + rng.choice(["_", "x", "[]", ".a"]), "A")]
    if kind == "twice":
        return [*values.items(), (name, "A"), (name, "B")]
    return raw_bytes(rng)


def sent(method, path, inputs):
    """How inputs are asked: the target, the method, and the body if there is one."""
    if method == "get":
        query = inputs if isinstance(inputs, bytes) else urlencode(inputs).encode()
        return path.encode() + b"?" + query, {}
    pairs = [] if isinstance(inputs, bytes) else [f"{json.dumps(name)}: {json.dumps(value)}" for name, value in inputs]
    body = inputs if isinstance(inputs, bytes) else f"{{{', '.join(pairs)}}}".encode()
    return path, {"method": "POST", "chunks": (body,)}


@pytest.mark.parametrize("kind", ["nonsense", "forbidden value", "missing", "unknown name", "twice", "raw bytes"])
def test_garbage_gets_a_clean_refusal(client, kind):
    """A hundred of every kind to every endpoint, made from the description."""
    described = client.ask("/api/openapi.json").json["paths"]
    rng = Random(kind)
    for path, operations in described.items():
        (method,) = operations
        made = [garbage(kind, rng, inputs_of(operations)) for _ in range(GARBAGE)]
        for inputs in made:
            if inputs is not None:
                target, options = sent(method, path, inputs)
                assert_clean_refusal(client.ask(target, **options), (target, options))


def test_garbage_paths_get_a_clean_refusal(client):
    rng = Random("path")
    for path in client.ask("/api/openapi.json").json["paths"]:
        targets = [path.encode() + b"/" + raw_bytes(rng) for _ in range(GARBAGE)]
        for target, answer in zip(targets, client.ask_all(targets), strict=True):
            assert_clean_refusal(answer, target)


def assert_clean_refusal(answer, target):
    assert 400 <= answer.status < 500, (target, answer.status, answer.text)
    assert set(answer.json) == {"error", "where"}, target
    assert answer.json["error"], target
    assert "Traceback" not in answer.text, target


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"[]",
        b"null",
        b"{",
        b"\xff",
        b"[" * 100_000,
        b"1" * 10_000,
        b'{"words": 7}',
        b'{"words": ""}',
        b'{"words": null}',
        b'{"mood": "loud"}',
        b'{"words": "a", "mood": "sad"}',
        b'{"words": "a", "mood": 1}',
        b'{"words": "a", "more": 1}',
        b'{"words": NaN}',
    ],
)
def test_garbage_bodies(toys, body):
    answer = toys.ask("/api/toys/post", method="POST", chunks=(body,))
    assert_clean_refusal(answer, body)
    assert answer.status == 400


def test_garbage_headers(client):
    rng = Random(5)
    for _ in range(GARBAGE):
        name = rng.choice(["accept", "if-none-match", "origin", "sec-fetch-site", "content-length", "cookie", "range"])
        value = raw_bytes(rng).decode("latin-1")
        answer = client.ask(suit(), headers={name: value})
        assert answer.status in (200, 403, 413), (name, value)


# ---------------------------------------------------------------------- searches: steps, queue, time, death


def test_a_body_is_posted(toys):
    answer = toys.ask("/api/toys/post", method="POST", chunks=(b'{"words": ', b'"hear \\ud800"}'))
    assert (answer.json["words"], answer.json["mood"]) == ("hear \ud800", "plain")


def test_steps_are_told_and_the_last_is_the_answer(toys):
    events = toys.stream("/api/toys/count?to=3").events
    assert [(name, data.get("number")) for name, data in events] == [
        ("step", 1),
        ("step", 2),
        ("step", 3),
        ("end", None),
    ]
    assert toys.ask("/api/toys/count?to=3").json["number"] == 3


@pytest.mark.parametrize(
    ("how", "status", "words"),
    [
        ("input", 400, "expected a toy, found none"),
        ("death", 503, "the search ended before its answer: perhaps it took too much memory"),
        ("fault", 500, "a fault of the program: ZeroDivisionError; its log says more"),
    ],
)
def test_what_goes_wrong_in_a_search_spoils_nothing(toys, how, status, words, capfd):
    answer = toys.ask(f"/api/toys/fail?how={how}")
    assert (answer.status, answer.json) == (status, {"error": words, "where": ""})
    assert toys.stream(f"/api/toys/fail?how={how}").events == [("error", {"error": words, "where": ""})]
    assert toys.ask("/api/toys/count?to=1").status == 200


def test_a_worker_that_died_in_its_sleep_is_replaced(toys):
    process = toys.ask("/api/toys/count?to=4").json["process"]
    os.kill(process, signal.SIGKILL)
    assert_ended(process)
    assert toys.ask("/api/toys/count?to=5").json["process"] != process


def test_what_is_posted_is_done_every_time(toys):
    body = (b'{"words": "again"}',)
    first, second = (toys.ask("/api/toys/post", method="POST", chunks=body).json["time"] for _ in range(2))
    assert first < second


def test_a_search_that_takes_too_long_is_ended(toys):
    started = toys.stream("/api/toys/hasty?to=2&pause=60000").events
    assert [name for name, _ in started] == ["step", "error"]
    assert started[1][1]["error"] == "expected an answer within 0.3 seconds, found none"
    assert_ended(started[0][1]["process"])


def assert_ended(process):
    """Processes end soon after they are killed; a zombie has ended."""
    end = monotonic() + PATIENCE
    while monotonic() < end:
        try:
            os.kill(process, 0)
        except ProcessLookupError:
            return
        asyncio.run(asyncio.sleep(0.01))
    raise AssertionError(f"process {process} still runs")


@pytest.mark.parametrize("accept", ["text/event-stream", "application/json"])
def test_a_search_ends_when_its_client_leaves(accept):
    async def left():
        searches = Searches(at_once=1)
        async with opened(create_app(pages=(TOYS,), searches=searches)) as app:
            slow = visit(app, "/api/toys/count?to=2&pause=60000", headers={"accept": accept})
            while not searches.running:
                await asyncio.sleep(0.005)
            if accept == "text/event-stream":
                await slow.until(b"step")
            await slow.leave()
            assert (searches.running, searches.queue) == (0, [])
            return slow, await visit(app, "/api/toys/count?to=1").answer()

    slow, after = asyncio.run(left())
    assert after.status == 200
    if accept == "text/event-stream":
        assert_ended(json.loads(slow.body.partition(b"data: ")[2])["process"])


def test_others_wait_and_are_told_so():
    async def queued():
        events = {"accept": "text/event-stream"}
        async with opened(create_app(pages=(TOYS,), searches=Searches(at_once=1, most_waiting=2))) as app:
            slow = visit(app, "/api/toys/count?to=2&pause=60000", headers=events)
            await slow.until(b"step")
            first, second = (visit(app, f"/api/toys/count?to={to}", headers=events) for to in (1, 2))
            await second.until(b'{"ahead": 1}')
            refused = await visit(app, "/api/toys/count?to=3").answer()
            await slow.leave()
            return (await first.answer()).events, (await second.answer()).events, refused

    first, second, refused = asyncio.run(queued())
    assert [name for name, _ in first] == ["waiting", "step", "end"]
    assert first[0] == ("waiting", {"ahead": 0})
    assert second[:2] == [("waiting", {"ahead": 1}), ("waiting", {"ahead": 0})]
    assert [name for name, _ in second[2:]] == ["step", "step", "end"]
    assert (refused.status, refused.json["error"]) == (503, "2 searches are waiting already: try again later")


def test_who_leaves_the_queue_is_forgotten():
    async def left():
        searches = Searches(at_once=1)
        async with opened(create_app(pages=(TOYS,), searches=searches)) as app:
            slow = visit(app, "/api/toys/count?to=2&pause=60000", headers={"accept": "text/event-stream"})
            await slow.until(b"step")
            waiting = visit(app, "/api/toys/count?to=1", headers={"accept": "text/event-stream"})
            await waiting.until(b"waiting")
            await waiting.leave()
            assert (searches.running, searches.queue) == (1, [])
            await slow.leave()

    asyncio.run(left())


def test_a_quick_question_does_not_wait_behind_long_ones():
    """Two declarers have asked for advice, which takes as long as a person waits."""

    async def asked():
        async with opened(create_app()) as app:
            advised = [visit(app, advice, headers={"accept": "text/event-stream"}) for advice in map(long_advice, "12")]
            for one in advised:
                await one.until(b"event: step")
            answer = await asyncio.wait_for(visit(app, suit(north="AQ97", south="T54")).answer(), timeout=PATIENCE)
            assert [one.task.done() for one in advised] == [False, False]
            third = visit(app, long_advice("3"), headers={"accept": "text/event-stream"})
            await third.until(b"event: waiting")
            for one in (third, *advised):
                await one.leave()
            return answer

    answer = asyncio.run(asked())
    assert (answer.status, answer.json["name"]) == (200, "AQ97 opposite T54")


def long_advice(seed):
    """A whole deal after the lead: there is always more to search."""
    deal = deal_for(Contract.read("3NT by S"), Random(7))
    lead = card_name(next(cards_in(deal[Seat.WEST])))
    return query("/api/desk/advice", deal="random 7", contract="3NT by S", cards=lead, seed=seed)


def test_what_thinks_as_long_as_a_person_waits_has_a_lane_of_its_own():
    long = {endpoint.path for page in PAGES for endpoint in page.endpoints if endpoint.long}
    desk = {f"/api/desk/{name}" for name in ("advice", "claim", "review")}
    assert long == desk | {"/api/kriegspiel/start", "/api/kriegspiel/go", "/api/lab/smoke"}


def test_both_lanes_have_an_end():
    """Quick ones wait behind quick ones, and nobody else."""

    async def queued():
        events = {"accept": "text/event-stream"}
        async with opened(create_app(pages=(TOYS,), searches=Searches(at_once=1))) as app:
            long, quick = (
                visit(app, f"/api/toys/{kind}?to=2&pause=60000", headers=events) for kind in ("long", "count")
            )
            for one in (long, quick):
                await one.until(b"event: step")
            others = [visit(app, f"/api/toys/{kind}?to=1", headers=events) for kind in ("long", "count")]
            for one in others:
                await one.until(b'{"ahead": 0}')
            await quick.leave()
            answered = await others[1].answer()
            waits = not others[0].task.done()
            await long.leave()
            return answered, waits, await others[0].answer()

    quick, waits, long = asyncio.run(queued())
    assert waits
    assert [[name for name, _ in one.events] for one in (quick, long)] == [["waiting", "step", "end"]] * 2


# ---------------------------------------------------------------------- the command


def test_without_the_extra_the_command_names_it(worldwise_command, monkeypatch):
    monkeypatch.setitem(sys.modules, "uvicorn", None)
    done = worldwise_command("web")
    assert (done.returncode, done.stderr) == (2, "worldwise: uvicorn is not installed: pip install 'worldwise[web]'\n")


def test_a_port_that_is_taken(worldwise_command):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        done = worldwise_command("web", "--port", port, "--no-browser")
    assert done.returncode == 2
    assert done.stderr.startswith(f"worldwise: expected an address to listen on, found '127.0.0.1' port {port}: ")


@pytest.mark.parametrize("host", ["192.0.2.1", "a" * 300, "\ud800"])
def test_a_host_that_is_none(worldwise_command, host):
    done = worldwise_command("web", "--host", host, "--no-browser")
    assert done.returncode == 2
    assert done.stderr.startswith("worldwise: expected an address to listen on")


def test_the_command_serves_until_it_is_interrupted():
    command = [sys.executable, "-m", "worldwise", "web", "--port", "0", "--no-browser"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as server:
        port = int(re.search(r"http://127\.0\.0\.1:(\d+)/", server.stdout.readline())[1])
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
        connection.request("GET", "/api/suit?north=AQ&south=" + quote("32"))
        answer = connection.getresponse()
        assert (answer.status, answer.headers["server"]) == (200, None)
        assert json.load(answer)["name"] == "AQ opposite 32"
        connection.close()
        server.send_signal(signal.SIGINT)
        assert (server.wait(PATIENCE), server.stderr.read()) == (0, "")
