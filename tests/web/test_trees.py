"""The trees page: its interface, and the steps of a search in words."""

import json
from urllib.parse import urlencode
from xml.etree import ElementTree

import pytest
from hypothesis import given

from strategies import world_trees
from web_client import Client
from worldwise import catalog
from worldwise.extensive import efg_text
from worldwise.extensive.solving import GAME_ALGORITHMS
from worldwise.search.algorithms import ALGORITHMS, algorithm
from worldwise.search.strategy import trace
from worldwise.trees.generator import random_tree
from worldwise.trees.notation import write_tree
from worldwise.trees.preorder import LEAF
from worldwise.trees.solving import judge
from worldwise.trees.views.steps import backup_steps, summary_words
from worldwise.web.app import create_app
from worldwise.web.pages.trees import LONGEST_TEXT, TREES

SVG = "{http://www.w3.org/2000/svg}svg"


@pytest.fixture(scope="module")
def client():
    client = Client(create_app(pages=(TREES,)))
    yield client
    client.close()


def tree(client, name, **inputs):
    return client.ask(f"/api/tree?{urlencode({'name': name, **inputs})}")


def own(client, body):
    chunk = body if isinstance(body, bytes) else json.dumps(body).encode()
    return client.ask("/api/tree/own", method="POST", chunks=(chunk,))


def steps_of(name, search):
    fig = catalog.tree(name)
    (verdict,) = judge(fig, [search])
    best = None if verdict.optimal else trace(algorithm("exact"), fig)
    return backup_steps(fig, trace(algorithm(search), fig), best)


# ---------------------------------------------------------------------- the words of a search


def test_monte_carlo_fuses_where_no_branch_offers_what_it_believes():
    steps = steps_of("fb01/fig-10", "monte-carlo")
    assert [(step.node, step.fault) for step in steps] == [(2, "fused"), (5, "fused"), (1, None), (0, "misled")]
    assert steps[-1].words == (
        "At a, MAX takes left and expects the best of every world: 11111. "
        "The best strategy, which looks at the whole tree, takes right here."
    )


def test_non_locality_shows_where_the_best_strategy_goes_another_way():
    steps = steps_of("fb01/fig-18", "vector-mm")
    assert [(step.node, step.chosen, step.fault) for step in steps if step.fault] == [(3, 5, "misled")]
    assert steps[0].words.startswith("At e, MAX takes right: 011, 0.667 on average. ")


def test_a_reduced_leaf_is_a_step():
    steps = steps_of("fb01/fig-18", "prm")
    assert (steps[0].node, steps[0].words) == (5, "At the leaf right of e, payoffs are cut to 000.")
    assert not any(step.fault for step in steps)


@pytest.mark.parametrize("name", catalog.figures())
@pytest.mark.parametrize("search", ALGORITHMS)
def test_no_optimal_search_is_misled_and_every_other_is_somewhere(name, search):
    (verdict,) = judge(catalog.tree(name), [search])
    misled = [step for step in steps_of(name, search) if step.fault]
    if verdict.optimal is False:
        assert misled
    elif search != "monte-carlo":
        assert not misled


@given(world_trees())
def test_steps_come_from_below(found):
    """Every inner node once, after whatever of it was searched below."""
    result = trace(algorithm("vector-mm"), found)
    inner = [step.node for step in backup_steps(found, result) if found.kind[step.node] != LEAF]
    assert sorted(inner) == [node for node in range(len(found)) if found.kind[node] != LEAF]
    for place, node in enumerate(inner):
        assert all(not node < later < found.end[node] for later in inner[place:])


def test_what_comes_of_it():
    fig = catalog.tree("fb01/fig-11-b")
    result, best = (trace(algorithm(search), fig) for search in ("vector-mm", "exact"))
    assert summary_words(best, None, best) == "exact believes in 0.4 and gets it, the best there is."
    assert summary_words(result, "non-locality", best).endswith("the best is 0.4, missed because of non-locality.")
    assert "took too long" in summary_words(result, None, None)


# ---------------------------------------------------------------------- the interface


def test_the_list_has_every_figure_and_game(client):
    told = client.ask("/api/trees").json
    assert [one["name"] for one in told["trees"]] == list(catalog.figures())
    assert [one["name"] for one in told["games"]] == list(catalog.games())
    assert told["algorithms"] == {"tree": list(ALGORITHMS), "game": list(GAME_ALGORITHMS)}


def test_a_tree_with_its_verdicts_steps_and_figures(client):
    told = tree(client, "fb01/fig-10", algorithm="monte-carlo").json
    expected = {verdict.result.algorithm: verdict for verdict in judge(catalog.tree("fb01/fig-10"))}
    assert [row["name"] for row in told["algorithms"]] == list(expected)
    assert {row["name"]: row["optimal"] for row in told["algorithms"]} == {
        name: verdict.optimal for name, verdict in expected.items()
    }
    assert told["algorithms"][0]["verdict"] == "strategy fusion"
    assert [step["node"] for step in told["chosen"]["steps"]] == [2, 5, 1, 0]
    for part in ("chosen", "exact"):
        assert ElementTree.fromstring(told[part]["svg"]).tag == SVG


def test_every_step_has_its_vector_in_the_figure(client):
    for name in catalog.figures():
        chosen = tree(client, name, algorithm="vm-beta").json["chosen"]
        for step in chosen["steps"]:
            assert f'data-node="{step["node"]}"' in chosen["svg"]


def test_another_name_of_the_same_tree(client):
    assert tree(client, "fbm97/fig-9").json["name"] == "fb01/fig-10"


@pytest.mark.parametrize("name", catalog.games())
def test_a_game_with_what_every_algorithm_makes_of_it(client, name):
    told = tree(client, name).json
    assert [row["name"] for row in told["algorithms"]] == list(GAME_ALGORITHMS)
    assert (told["kind"], told["chosen"]["steps"], told["chosen"]["name"]) == ("game", [], "chance-minimax")
    assert ElementTree.fromstring(told["chosen"]["svg"]).tag == SVG
    exact = "brute-force" if told["sizes"].endswith("1 player") else "pure-equilibrium"
    assert (told["exact"]["name"], told["exact"]["optimal"]) == (exact, True)


def test_why_a_search_of_a_game_believes_too_much(client):
    chosen = tree(client, "bmv96/fig-2-g2", algorithm="imp-minimax").json["chosen"]
    assert (chosen["optimal"], chosen["why"][:61]) == (
        False,
        "It believes otherwise, because it takes for granted that noth",
    )


def test_ones_own_tree_and_game_are_those_of_the_catalog(client):
    by_name = tree(client, "fb01/fig-18", algorithm="prm").json
    by_text = own(client, {"text": write_tree(catalog.tree("fb01/fig-18")), "algorithm": "prm"}).json
    assert by_text["chosen"]["steps"] == by_name["chosen"]["steps"]
    game = own(client, {"text": efg_text(catalog.game("bmv96/fig-7"))}).json
    assert game["chosen"]["words"] == tree(client, "bmv96/fig-7").json["chosen"]["words"]


def test_a_tree_too_large_to_draw_has_its_verdicts(client):
    told = own(client, {"text": write_tree(random_tree(8, 4, seed=1))}).json
    assert (told["chosen"]["svg"], told["exact"]["svg"]) == (None, None)
    assert told["chosen"]["undrawn"] == "expected a tree of at most 200 leaves to draw, found 256"
    assert len(told["algorithms"]) == len(ALGORITHMS)


@pytest.mark.parametrize(
    ("inputs", "where"),
    [
        ({}, "name"),
        ({"name": "fb01/fig-99"}, "name"),
        ({"name": "fb01/fig-10", "algorithm": "ivn"}, "algorithm"),
        ({"name": "bmv96/fig-7", "algorithm": "ivm"}, "algorithm"),
        ({"name": "fb01/fig-10", "step": 3}, "step"),
    ],
)
def test_bad_names_are_said_where_they_are(client, inputs, where):
    answer = client.ask(f"/api/tree?{urlencode(inputs)}")
    assert (answer.status, answer.json["where"]) == (400, where)


@pytest.mark.parametrize(
    ("body", "where"),
    [
        (b"nothing", "body"),
        ({}, "text"),
        ({"text": ""}, "text"),
        ({"text": 7}, "text"),
        ({"text": "{"}, "text"),
        ({"text": "{" * 50_000}, "text"),
        ({"text": '{"worlds": 2, "root": {"max": [{"payoff": [1, 0, 1]}]}}'}, "text"),
        ({"text": "no tree"}, "text"),
        ({"text": 'EFG 2 R "x" {'}, "text"),
        ({"text": "\ud800"}, "text"),
        ({"text": '{"worlds": 1, "root": {"payoff": [1]}}', "algorithm": "ivn"}, "algorithm"),
        ({"text": " " * (LONGEST_TEXT + 1)}, "text"),
    ],
)
def test_a_bad_text_is_said_to_be(client, body, where):
    answer = own(client, body)
    assert (answer.status, answer.json["where"]) == (400, where), answer.text


@pytest.mark.parametrize("kind", ["tree", "game"])
def test_what_is_too_deep_is_said_in_words(client, kind):
    """And of what is not, no search says how to install a compiler."""
    refused = own(client, {"text": DEEP[kind](3000)})
    assert (refused.status, refused.json["where"]) == (400, "text")
    assert refused.json["error"] == "expected at most 200 moves in a row, found 3,000"
    rows = own(client, {"text": DEEP[kind](200)}).json["algorithms"]
    assert {row["optimal"] for row in rows} == {True}


DEEP = {
    "tree": lambda moves: '{"worlds": 1, "root": ' + '{"max": [' * moves + '{"payoff": [1]}' + "]}" * moves + "}",
    "game": lambda moves: "\n".join(
        [
            'EFG 2 R "Deep" { "Ann" } ""',
            *(f'p "" 1 {one} "" {{ "out" "on" }} 0\nt "" 1 "" {{ 1 }}' for one in range(1, moves + 1)),
            't "" 2 "" { 0 }',
        ]
    ),
}
