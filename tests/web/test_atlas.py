"""The atlas of the page: what its interface answers, and what it refuses."""

from urllib.parse import urlencode

import pytest

from web_client import Client
from worldwise.bridge.suit.atlas.atlas import open_atlas
from worldwise.bridge.suit.atlas.combinations import COMBINATIONS
from worldwise.bridge.suit.atlas.finding import AtlasQuery, find
from worldwise.bridge.suit.atlas.statistics import chance_map
from worldwise.web.app import create_app
from worldwise.web.pages.atlas import ATLAS, SHOWN


@pytest.fixture(scope="module")
def client():
    client = Client(create_app(pages=(ATLAS,)))
    yield client
    client.close()


def ask(client, path, **inputs):
    return client.ask(f"/api/atlas{path}?{urlencode(inputs)}")


def test_about(client):
    assert ask(client, "").json["combinations"] == COMBINATIONS


def test_one_suit(client):
    suit = ask(client, "/suit", north="AKQ9", south="xx").json
    assert [goal["chance"] for goal in suit["goals"]] == [1, 1, 1, 0.24]
    assert suit["highest_uncertain_goal"] == 4
    assert suit["words"][0].startswith("3.2400 tricks on average")


def test_found_in_parts(client):
    wanted = {"missing": "K J", "length": "8", "goal": 4, "chance": "45..55"}
    rows = find(open_atlas(), AtlasQuery.of(**wanted), count=1000)
    parts = [ask(client, "/find", **wanted, skip=skip).json for skip in range(0, rows.total, SHOWN)]
    assert [part["total"] for part in parts] == [rows.total] * len(parts)
    assert sum(len(part["found"]) for part in parts) == rows.total


def test_the_map_and_statistics(client):
    cells = ask(client, "/map", tricks=4).json["cells"]
    assert len(cells) == len(chance_map(open_atlas(), 4))
    assert ask(client, "/stats", by="shape", weigh="alike").json["groups"][-1]["combinations"] == COMBINATIONS


def test_a_hard_one(client):
    assert ask(client, "/random", seed=3).json["hardness"] > 0.06
    assert ask(client, "/random", seed=3).json == ask(client, "/random", seed=3, level=3).json


@pytest.mark.parametrize(
    ("path", "inputs", "place"),
    [
        ("/suit", {"north": "AQ", "south": "AK"}, "north, south"),
        ("/suit", {"north": "AQ", "south": "Z"}, "south"),
        ("/find", {"length": "14"}, "length"),
        ("/find", {"chance": "a..b"}, "chance"),
        ("/find", {"goal": "99"}, "goal"),
        ("/find", {"sort": "age"}, "sort"),
        ("/map", {"tricks": "0"}, "tricks"),
        ("/random", {"seed": "1", "level": "4"}, "level"),
    ],
)
def test_refusals(client, path, inputs, place):
    answer = ask(client, path, **inputs)
    assert answer.status == 400
    assert answer.json["where"] == place
