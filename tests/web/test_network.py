"""The page on a network: who may ask, and that nobody who connects and waits shuts others out. All at 127.0.0.1."""

import http.client
import json
import re
from time import sleep
from urllib.parse import urlencode

import pytest

from web_server import PATIENCE, command, serving
from web_toys import TOYS
from worldwise.web import connections, guard
from worldwise.web.app import create_app
from worldwise.web.connections import MOST_CONNECTIONS
from worldwise.web.pages.suits import SUITS
from worldwise.web.pages.trees import TREES

CROWD = 300
MOST = 128
"""Places, where a test is about who gets them: each takes two files of the process that runs the test."""
SUIT = "/api/suit?north=AQ&south=32"
TOKEN = "a-token-of-my-own-choice"
HEAD = b"GET /suits HTTP/1.1\r\nHost: 127.0.0.1\r\n"
POST = (
    b"POST /api/toys/post HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: 18\r\n\r\n"
)

HALF_OPEN = {"nothing": b"", "half a line": b"GET /su", "half the headers": HEAD, "half a body": POST + b'{"words"'}


@pytest.fixture(scope="module")
def toys():
    with serving(create_app(pages=(TOYS,))) as place:
        yield place


# ---------------------------------------------------------------------- many who wait


@pytest.mark.parametrize("sending", HALF_OPEN.values(), ids=HALF_OPEN)
def test_half_open_connections_shut_nobody_out(toys, monkeypatch, sending):
    monkeypatch.setattr(connections, "MOST_CONNECTIONS", MOST)
    with toys.crowd(CROWD, sending):
        assert [toys.ask("/api/toys/count?to=1").status for _ in range(5)] == [200] * 5


def test_the_command_serves_this_machine_without_a_token_and_shuts_nobody_out():
    with command() as place, place.crowd(MOST_CONNECTIONS + 100, HEAD):
        assert place.said == f"worldwise is at http://127.0.0.1:{place.port}/ (Ctrl-C ends it)\n"
        assert place.warned == ""
        assert [place.ask(SUIT).status for _ in range(5)] == [200] * 5


def test_those_who_have_been_idle_longest_go_first(toys, monkeypatch):
    monkeypatch.setattr(connections, "MOST_CONNECTIONS", MOST)
    with toys.crowd(CROWD, b"") as crowd:
        assert toys.ask("/api/toys/count?to=1").status == 200
        until(lambda: len(toys.server.server_state.connections) <= MOST)
        gone = [is_closed(one) for one in crowd]
    # One more went for the request: it was the last to come.
    assert gone == [True] * (CROWD + 1 - MOST) + [False] * (MOST - 1)


def test_who_is_being_answered_keeps_his_place(toys, monkeypatch):
    monkeypatch.setattr(connections, "MOST_CONNECTIONS", MOST)
    steps = b"GET /api/toys/count?to=2&pause=3000 HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept: text/event-stream\r\n"
    with toys.connect(sending=steps + b"Connection: close\r\n\r\n") as patient:
        heard = patient.recv(1)
        with toys.crowd(CROWD, HEAD):
            while piece := patient.recv(4096):
                heard += piece
    assert b'"number": 2' in heard
    assert b"event: end" in heard


def test_one_more_than_there_are_places_is_told_to_come_again(toys, monkeypatch):
    until(lambda: not toys.server.server_state.connections)
    monkeypatch.setattr(connections, "MOST_CONNECTIONS", 1)
    steps = b"GET /api/toys/count?to=2&pause=60000 HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept: text/event-stream\r\n\r\n"
    with toys.connect(sending=steps) as patient:
        assert patient.recv(8) == b"HTTP/1.1"
        answer = toys.ask("/suits")
    assert (answer.status, json.loads(answer.body)["error"]) == (
        503,
        "1 connections are being answered already: try again later",
    )


def test_half_a_request_is_given_up_whatever_comes_meanwhile(toys, monkeypatch):
    """A byte now and then does not set the clock back: the connection is closed while bytes still come."""
    monkeypatch.setattr(connections, "HEADER_SECONDS", 0.3)
    with toys.connect(sending=HEAD) as dripping:
        until(lambda: drips(dripping, b"X"))


def test_half_a_body_is_given_up_whatever_comes_meanwhile(toys, monkeypatch):
    monkeypatch.setattr(guard, "BODY_SECONDS", 0.3)
    with toys.connect(sending=POST) as dripping:
        assert dripping.recv(4096).startswith(b"HTTP/1.1 408 ")


@pytest.mark.parametrize("sending", [b"", HEAD + b"\r\n"], ids=["at first", "after an answer"])
def test_silence_has_an_end(toys, monkeypatch, sending):
    monkeypatch.setattr(connections, "IDLE_SECONDS", 0.3)
    with toys.connect(sending=sending) as silent:
        while silent.recv(65536):
            pass


def test_a_connection_can_be_used_again_after_a_while(toys):
    """Closed after five seconds, as servers are used to, it would now and then be closed while the client sends."""
    connection = http.client.HTTPConnection("127.0.0.1", toys.port, timeout=PATIENCE)
    connection.connect()
    same = connection.sock
    for pause in (6, 0):
        connection.request("GET", "/api/toys/count?to=1")
        assert connection.getresponse().read()
        sleep(pause)
    assert connection.sock is same
    connection.close()


def test_a_body_after_the_answer_has_an_end_too(toys, monkeypatch):
    """The answer is there before the body, which then never ends."""
    monkeypatch.setattr(connections, "HEADER_SECONDS", 0.3)
    sending = b"GET /nothing HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 100000\r\n\r\n"
    with toys.connect(sending=sending) as dripping:
        assert dripping.recv(4096).startswith(b"HTTP/1.1 404 ")
        until(lambda: drips(dripping, b"X"))


def test_who_takes_nothing_of_what_he_is_sent_is_dropped(toys, monkeypatch):
    monkeypatch.setattr(connections, "SEND_SECONDS", 0.3)
    until(lambda: not toys.server.server_state.connections)
    page = HEAD.replace(b"/suits", b"/static/base.css") + b"\r\n"
    with toys.connect(receiving=4096) as deaf:
        until(lambda: is_refused(deaf, 2000 * page))
        until(lambda: not toys.server.server_state.connections)


def until(condition):
    """Wait for something that is bound to happen."""
    for _ in range(PATIENCE * 20):
        if condition():
            return
        sleep(0.05)
    raise AssertionError("it did not happen")


def drips(connection, piece):
    """Send something; whether the other side is gone."""
    try:
        connection.settimeout(1)
        connection.sendall(piece)
        return is_closed(connection)
    except (TimeoutError, OSError):
        return is_closed(connection)


def is_refused(connection, piece):
    """Send something; whether it cannot be sent any more. Not to be able to at this moment is something else."""
    try:
        connection.settimeout(1)
        connection.sendall(piece)
    except TimeoutError:
        return False
    except OSError:
        return True
    return False


def is_closed(connection):
    """Whether the other side has closed a connection, after what it has sent."""
    connection.setblocking(False)
    try:
        while connection.recv(65536):
            pass
        return True
    except BlockingIOError:
        return False
    except ConnectionError:
        return True
    finally:
        connection.settimeout(PATIENCE)


# ---------------------------------------------------------------------- bodies


def test_a_body_that_is_too_long_is_refused_and_the_refusal_arrives(toys):
    """Though most of the body is still to be sent when it is refused."""
    answer = toys.ask("/api/toys/post", "POST", b" " * 8_000_000, Content_Type="application/json")
    assert (answer.status, json.loads(answer.body)["where"]) == (413, "body")


@pytest.mark.parametrize("kind", ["text/plain", "application/x-www-form-urlencoded", "", "application/jsonp"])
def test_a_body_of_another_kind_is_refused(toys, kind):
    answer = toys.ask("/api/toys/post", "POST", b'{"words": "hear"}', Content_Type=kind)
    assert (answer.status, json.loads(answer.body)["where"]) == (415, "Content-Type")


@pytest.mark.parametrize("kind", ["application/json", "Application/JSON; charset=utf-8"])
def test_a_body_is_json(toys, kind):
    assert toys.ask("/api/toys/post", "POST", b'{"words": "hear"}', Content_Type=kind).status == 200


# ---------------------------------------------------------------------- a token


@pytest.fixture(scope="module")
def open_place():
    with command("--host", "0.0.0.0", lines=2) as place:
        yield place


def tokens(place):
    return re.findall(r"\?token=([\w-]+)", place.said)


def test_a_server_open_to_others_says_where_it_is_and_what_to_bring(open_place):
    first, second = open_place.said.splitlines()
    assert first.startswith("worldwise is at http://")
    assert second.startswith(f"and at http://127.0.0.1:{open_place.port}/?token=")
    assert "0.0.0.0" not in open_place.said
    assert len(set(tokens(open_place))) == 1
    assert len(tokens(open_place)[0]) == 43


def test_it_warns(open_place):
    assert open_place.warned.startswith("WARNING: worldwise listens on 0.0.0.0, where other machines can reach it.")
    assert "Nothing is encrypted" in open_place.warned


@pytest.mark.parametrize("target", ["/", "/suits", "/static/base.css", "/api/openapi.json", SUIT, "/nothing"])
def test_nothing_is_answered_without_the_token(open_place, target):
    answer = open_place.ask(target)
    assert (answer.status, answer.headers["www-authenticate"]) == (401, "Bearer")
    assert json.loads(answer.body)["error"].endswith("found none")


@pytest.mark.parametrize(
    "headers",
    [
        {"Authorization": "Bearer wrong"},
        {"Authorization": "Bearer "},
        {"Authorization": "Bearer é"},
        {"Authorization": "Basic {token}"},
        {"Authorization": "{token}"},
        {"Cookie": "worldwise-1={token}"},
        {"Cookie": "worldwise-{port}=wrong; worldwise-{port}"},
    ],
)
def test_another_token_is_none(open_place, headers):
    filled = {name: text.format(token=tokens(open_place)[0], port=open_place.port) for name, text in headers.items()}
    assert open_place.ask(SUIT, **filled).status == 401
    assert open_place.ask(f"{SUIT}&token=wrong").status == 401


def test_programs_bring_it_in_a_header(open_place):
    assert open_place.ask(SUIT, Authorization=f"Bearer {tokens(open_place)[0]}").status == 200


def test_a_person_brings_it_once(open_place):
    """In the address; then the browser has a cookie, and the address is the same without it."""
    (token, *_) = tokens(open_place)
    welcome = open_place.ask(f"/suits?north=A%22Q&token={token}&south=32")
    cookie, *attributes = welcome.headers["set-cookie"].split("; ")
    assert {"HttpOnly", "SameSite=Strict", "Path=/"} == set(attributes)
    assert (welcome.status, welcome.headers["cache-control"]) == (200, "no-store")
    assert b'content="0; url=/suits?north=A%22Q&amp;south=32"' in welcome.body
    assert token.encode() not in welcome.body
    assert open_place.ask("/suits", Cookie=f"other=1; {cookie}").status == 200


@pytest.mark.parametrize("path", ["//evil.example/", "/\\evil.example/", "/%5Cevil.example", '/"><script>'])
def test_the_way_in_leads_nowhere_else(open_place, path):
    welcome = open_place.ask(f"{path.replace(' ', '%20')}?token={tokens(open_place)[0]}")
    (target,) = re.findall(rb'url=([^"]*)"', welcome.body)
    assert re.match(rb"/(?![/\\])", target)
    assert b"<script" not in welcome.body


def test_other_sites_are_refused_with_the_token_too(open_place):
    headers = {"Authorization": f"Bearer {tokens(open_place)[0]}", "Origin": "http://evil.example"}
    assert open_place.ask(SUIT, **headers).status == 403


def test_a_token_may_be_chosen_and_is_asked_for_on_this_machine_too():
    with command(WORLDWISE_WEB_TOKEN=TOKEN) as place:
        assert place.said.endswith(f"/?token={TOKEN} (Ctrl-C ends it)\n")
        assert [place.ask(SUIT).status, place.ask(SUIT, Authorization=f"Bearer {TOKEN}").status] == [401, 200]


@pytest.mark.parametrize("token", ["", "short", "with space and more", "é" * 20, "a" * 201])
def test_a_token_that_would_not_do(worldwise_command, token):
    done = worldwise_command("web", "--no-browser", "--port", 0, "--token", token)
    assert done.returncode == 2
    assert done.stderr.startswith("worldwise: --token: expected 16 to 200 letters, digits, - and _, found ")
    assert not token or token not in done.stderr


# ---------------------------------------------------------------------- errors


@pytest.mark.parametrize("text", ["9" * 190_000, "[" * 190_000, '{"' + "a" * 190_000 + '": 1}'])
def test_what_was_wrong_does_not_come_back_whole(text):
    with serving(create_app(pages=(TREES, SUITS))) as place:
        efg = f'EFG 2 R "x" {{ }} c "" 1 "" {{ "a" {text} }} 0'
        for body in ({"text": text}, {"text": efg}, {text: text}):
            answer = place.ask("/api/tree/own", "POST", json.dumps(body), Content_Type="application/json")
            assert 400 <= answer.status < 500
            assert len(answer.body) < 20_000
        long = place.ask(f"/api/suit?{urlencode({'north': text[:3000], 'south': '2'})}")
        assert long.status in (400, 414)
        assert len(long.body) < 3000
