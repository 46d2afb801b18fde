"""A line as a tree: written, read back, and played; what is not such a tree is refused."""

import json
from random import Random

import pytest

from suit_by_cards import small
from suit_lines import random_suits
from worldwise.bridge.suit import line_trees
from worldwise.bridge.suit.line_trees import LineTree, line_tree, line_tree_json, read_line_json
from worldwise.bridge.suit.rules import Suit
from worldwise.bridge.suit.solver import SuitSolver
from worldwise.errors import InputError


def there_and_back(line):
    return read_line_json(json.loads(json.dumps(line_tree_json(line))))


def check(solver):
    for goal in (None, *range(1, solver.suit.length + 1)):
        line = solver.line(goal)
        tree = there_and_back(line)
        assert tree.rules == solver.rules
        assert tree.levels == line.levels
        assert list(tree.nodes) == line_tree(line)


@pytest.mark.parametrize("seed", range(8))
def test_there_and_back(kernels, seed):
    rng = Random(seed)
    north, south, _, gone = small(rng)
    options = rng.choice([{}, {"ruffs": 1}, {"defenders_lead": "always"}, {"west_length": "1-2"}, {"west_cards": 9}])
    check(SuitSolver(Suit.of(north, south, gone=gone or "-", **options)))


def test_catalogue_sizes(needs_kernels):
    for _, suit in random_suits(1, 3, 4):
        check(SuitSolver(suit))


def test_all_that_is_known_goes_with_it(kernels):
    suit = Suit.of("AQT", "2", gone="543", west="K", east="9", west_length="2-4", splits={2: "1/3", 3: "2/3"}, ruffs=1)
    line = SuitSolver(suit, entries=(1, float("inf"))).line(2)
    written = line_tree_json(line)
    assert written["given"] == {
        "ruffs": 1,
        "gone": "543",
        "west": "K",
        "east": "9",
        "west_length": "2-4",
        "splits": {"2": "1/3", "3": "2/3"},
        "entries": [1, None],
    }
    assert there_and_back(line).at_least == line.at_least


def test_a_worse_line_wins_less(kernels):
    """Cash the ace, whatever the line says: what a tree wins is played out, not believed."""
    solver = SuitSolver(Suit.of("AQ", "2", gone="9876543"))
    best = LineTree.read(solver.suit, line_tree(solver.line(2)))
    worse = LineTree.read(solver.suit, line_tree(solver.line(2, solver.leads[solver.rules.options(solver.root)[1]])))
    assert worse.at_least[2] < best.at_least[2] == solver.goal(2).chance


# ---------------------------------------------------------------------- bad input


def spoilt(**changes):
    return {**line_tree_json(SuitSolver(Suit.of("A", "2", gone="987654")).line(1)), **changes}


@pytest.mark.parametrize(
    ("data", "words"),
    [
        ([], "expected an object with the hands north and south, found something else"),
        (spoilt(north=3), "expected an object with the hands north and south, found something else"),
        (spoilt(given=[]), "given: expected an object with some of gone, west, east"),
        (spoilt(given={"wets": "K"}), "given: expected an object with some of gone, west, east"),
        (spoilt(given={"ruffs": "1"}), "given.ruffs: expected a whole number, found '1'"),
        (spoilt(given={"ruffs": True}), "given.ruffs: expected a whole number, found 'True'"),
        (spoilt(given={"entries": [1]}), "given.entries: expected two numbers or nulls"),
        (spoilt(given={"splits": {"3": 1}}), "given.splits: expected numbers of cards and chances"),
        (spoilt(nodes=[]), "expected a list of nodes, each an object, found something else"),
        (spoilt(nodes=[{"play": "NA", "next": 0}]), "nodes[0]: expected the place of a later node, below 1, found 0"),
        (spoilt(nodes=[{"play": "NA"}]), "nodes[0]: expected play and next, defence, or tricks, found play"),
        (spoilt(nodes=[{"defence": []}]), "nodes[0].defence: expected an object, found []"),
        (spoilt(nodes=[{"tricks": "1"}]), "nodes[0].tricks: expected a whole number, found '1'"),
        (spoilt(nodes=[{"tricks": 1}]), "nodes[0]: expected a play of NA, S2, found"),
        (spoilt(nodes=[{"play": "N7", "next": 1}, {"tricks": 1}]), "nodes[0]: expected a play of NA, S2, found ['N7']"),
        (spoilt(nodes=[{"play": "NA", "next": 1}, {"tricks": 1}]), "nodes[1]: expected every answer of"),
    ],
)
def test_what_is_no_line(data, words):
    with pytest.raises(InputError) as fault:
        assert read_line_json(data).levels
    assert words in str(fault.value)


def test_a_few_nodes_that_lead_to_everything(monkeypatch):
    """Cards that can be met at any of many nodes: a line is followed so far and no further."""
    monkeypatch.setattr(line_trees, "MOST_PLACES", 10)
    with pytest.raises(InputError, match="expected a line of at most 10 places, found more"):
        assert there_and_back(SuitSolver(Suit.of("AQ", "2", gone="9876543")).line(2)).levels
