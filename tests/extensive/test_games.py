"""Games in extensive form: building, validation, recall, and what they are made from."""

from fractions import Fraction
from itertools import combinations

import pytest
from hypothesis import given, settings

from peek_game import Peek
from strategies import extensive_games, world_trees
from worldwise.catalog import game, games, tree
from worldwise.core.game import ExtensiveForm
from worldwise.errors import GameError, InputError
from worldwise.extensive import (
    GameBuilder,
    ImpModel,
    chance,
    decision,
    from_game,
    from_world_game,
    game_of,
    leaf,
    write_out,
)
from worldwise.extensive.recall import agents, find_forgotten, perfect_recall, split
from worldwise.extensive.size import measures
from worldwise.search.exact import Exact
from worldwise.search.knowledge import known_worlds
from worldwise.search.responses import ExtensiveBruteForce

# ---------------------------------------------------------------------- building


def test_every_form_is_an_extensive_form():
    for form in (game("bmv96/fig-3"), ImpModel(2, 2, 2)):
        assert isinstance(form, ExtensiveForm)


def test_nodes_that_know_the_same_share_a_set():
    two = game_of(
        chance({side: ("1/2", decision("Ann", {"a": leaf(0), "b": leaf(1)}, knows="X")) for side in "lr"}), ["Ann"]
    )
    assert two.information_set(1) == two.information_set(4)
    assert two.set_label(1) == "X"
    assert two.chances(0) == (Fraction(1, 2), Fraction(1, 2))


def test_outcomes_on_the_way_add_up():
    text = 'EFG 2 R "" { "A" } p "" 1 1 "" { "l" "r" } 1 "" { 1/2 } t "" 2 "" { 3 } t "" 0'
    from worldwise.extensive import efg_from_text

    paid = efg_from_text(text)
    assert (paid.payoffs(1), paid.payoffs(2)) == ((Fraction(7, 2),), (Fraction(1, 2),))
    assert paid.highest_payoff(0) == Fraction(7, 2)


def test_place_and_labels():
    fig = game("bmv96/fig-3")
    assert [fig.place(node) for node in range(4)] == ["root", "root/left", "root/left/.8", "root/left/.8/left"]
    assert fig.action_to(0 + 1) == 0


@given(extensive_games(inner_outcomes=True))
def test_the_flat_arrays_agree_with_walking(entry):
    walked, depths, ends = [], {}, {}

    def walk(node, depth):
        walked.append(node)
        depths[node] = depth
        for move in entry.moves(node):
            below = entry.play(node, move)
            assert (entry.parent[below], entry.action_to(below)) == (node, move)
            walk(below, depth + 1)
        ends[node] = len(walked)

    walk(0, 0)
    assert walked == list(range(len(entry)))
    assert entry.depths.tolist() == [depths[node] for node in walked]
    assert entry.end.tolist() == [ends[node] for node in walked]
    assert entry.leaves == sum(entry.to_move(node) is None for node in walked)
    assert max(depths.values()) == entry.depth
    assert {entry.payoffs(node) for node in walked if entry.to_move(node) is None} == set(entry.leaf_payoffs())


@given(extensive_games(labels=True))
def test_writing_out_a_written_game_gives_the_same_tree(entry):
    again = write_out(entry)
    assert again.event.shape == entry.event.shape
    assert [again.to_move(node) for node in range(len(again))] == [entry.to_move(node) for node in range(len(entry))]
    leaves = [node for node in range(len(entry)) if entry.to_move(node) is None]
    assert [again.payoffs(node) for node in leaves] == [entry.payoffs(node) for node in leaves]
    assert sorted(map(len, again.nodes_of)) == sorted(map(len, entry.nodes_of))


# ---------------------------------------------------------------------- faults and their places


def bad(build):
    with pytest.raises(GameError) as fault:
        build()
    return str(fault.value)


def test_children_counts_that_differ_inside_a_set():
    def build():
        one = decision("Ann", {"a": leaf(0), "b": leaf(1)}, knows="X")
        other = decision("Ann", {"a": leaf(0)}, knows="X")
        return game_of(chance({"l": ("1/2", one), "r": ("1/2", other)}), ["Ann"])

    assert bad(build) == ("node 5: expected the actions its information set has at node 2, 2 ('a', 'b'), found 1 ('a')")


def test_a_node_and_its_ancestor_in_one_set():
    def build():
        below = decision("Ann", {"a": leaf(0), "b": leaf(1)}, knows="X")
        return game_of(decision("Ann", {"a": below, "b": leaf(2)}, knows="X"), ["Ann"])

    message = bad(build)
    assert message.startswith("root/a: a node and its ancestor root are in one information set (X)")


@pytest.mark.parametrize(
    ("numbers", "words"),
    [
        (("1/2", "1/3"), "sum to 1, found 5/6"),
        (("3/2", "-1/2"), "not negative, found -1/2"),
    ],
)
def test_probabilities(numbers, words):
    message = bad(
        lambda: game_of(
            decision("Ann", {"go": chance({"l": (numbers[0], leaf(0)), "r": (numbers[1], leaf(1))})}), ["Ann"]
        )
    )
    assert words in message
    assert message.startswith("root/go: ")


def test_payoffs_one_a_player():
    message = bad(lambda: game_of(decision("Ann", {"a": leaf(0, 1), "b": leaf(1)}), ["Ann"]))
    assert message == "root/a: expected 1 payoff, one a player, found 2"


def test_an_unknown_player():
    assert "expected one of the players 'Ann', found 'Bob'" in bad(
        lambda: game_of(decision("Bob", {"a": leaf(0)}), ["Ann"])
    )


def test_trees_that_end_early_or_late():
    builder = GameBuilder(["Ann"])
    assert bad(builder.game) == "the tree ends early, after 0 nodes: no root"
    builder.decision(0, "X", ["a", "b", "c"])
    builder.leaf([1])
    assert bad(builder.game) == "the tree ends early, after 2 nodes: node 1 lacks 2 children"
    for _ in range(3):
        builder.leaf([1])
    assert bad(builder.game) == "expected the tree to end after 4 nodes, found 5"


def test_numbers_that_are_none():
    with pytest.raises(InputError, match=r"expected a number such as 3, 0\.25 or 1/3, found 'much'"):
        game_of(decision("Ann", {"a": leaf("much")}), ["Ann"])


class Endless:
    """A game that never ends."""

    players, root = ("Ann",), 0

    def to_move(self, position):
        return 0

    def moves(self, position):
        return (0, 1)

    def play(self, position, move):
        return position + 1

    def information_set(self, position):
        return position


def test_an_infinite_game_is_refused():
    assert bad(lambda: write_out(Endless(), most_nodes=1000)) == (
        "expected a game of at most 1,000 nodes, found more, or an infinite one"
    )


# ---------------------------------------------------------------------- perfect recall


def follows(entry, later, earlier, action=None):
    """Whether a node is below another, by way of an action if one is given (BMV96 section 3)."""
    path = [later, *entry.ancestors(later)]
    if earlier not in path or earlier == later:
        return False
    below = path[path.index(earlier) - 1]
    return action is None or entry.action_to(below) == action


def thompson(entry):
    """BMV96's definition of perfect recall, word by word."""
    for player in range(len(entry.players)):
        sets = list(entry.information_sets(player))
        for r, s in ((r, s) for r in sets for s in sets if r != s):
            r_nodes, s_nodes = entry.nodes_of[r], entry.nodes_of[s]
            if not any(follows(entry, y, x) for x in r_nodes for y in s_nodes):
                continue
            if not any(
                all(any(follows(entry, y, x, i) for x in r_nodes) for y in s_nodes)
                for i in range(len(entry.events[r].actions))
            ):
                return False
    return True


@given(extensive_games(most_nodes=40))
def test_recall_is_thompson_s_definition(entry):
    assert perfect_recall(entry) == thompson(entry)


@given(extensive_games(perfect_recall=True))
def test_games_made_with_perfect_recall_have_it(entry):
    assert perfect_recall(entry)


@given(extensive_games(most_nodes=40))
def test_a_witness_shows_what_it_says(entry):
    witness = find_forgotten(entry)
    if witness is None:
        return
    assert entry.events[witness.earlier].player == entry.events[witness.later].player == witness.player
    assert {entry.information_set(node) for node in witness.nodes} == {witness.later}
    assert witness.actions[0] != witness.actions[1]
    for node, action in zip(witness.nodes, witness.actions, strict=True):
        above = [x for x in entry.nodes_of[witness.earlier] if follows(entry, node, x, action)]
        assert bool(above) == (action is not None)
        if action is None:
            assert not any(follows(entry, node, x) for x in entry.nodes_of[witness.earlier])


@given(extensive_games(most_nodes=40))
def test_agents_remember_everything(entry):
    apart = split(entry)
    assert perfect_recall(apart)
    assert (len(apart.players) == len(entry.players)) == perfect_recall(entry)
    for player in range(len(entry.players)):
        owned = sorted(number for team in agents(entry, player) for number in team)
        assert owned == sorted(entry.information_sets(player))


def test_bridge_s_defenders_are_two_agents():
    """Each defender sees his own card; as one player they forget what the other has seen."""

    def east(west_card, east_card, led):
        return decision("defence", {"duck": leaf(0), "win": leaf(1)}, knows=f"East {east_card} after {led}")

    def west(west_card, east_card):
        plays = {led: east(west_card, east_card, led) for led in ("low", "high")}
        return decision("defence", plays, knows=f"West {west_card}")

    deals = {f"{w}{e}": ("1/4", west(w, e)) for w in "KQ" for e in "KQ"}
    entry = game_of(chance(deals), ["defence"])
    assert not perfect_recall(entry)
    teams = [{entry.set_label(number).split()[0] for number in team} for team in agents(entry, 0)]
    assert teams == [{"West"}, {"East"}]
    assert split(entry).players == ("defence (1)", "defence (2)")


def test_the_absent_minded_driver_cannot_be_split():
    from worldwise.extensive import efg_from_text

    driver = efg_from_text(
        'EFG 2 R "" { "D" } p "" 1 1 "" { "B" "E" } 0 p "" 1 1 "" { "B" "E" } 0 t "" 1 "" { 1 } t "" 2 "" { 4 } t "" 0'
    )
    witness = find_forgotten(driver)
    assert witness.absent_minded
    with pytest.raises(GameError, match="forgets that he has moved"):
        agents(driver, 0)
    assert ExtensiveBruteForce().search(driver).value == 1


@given(extensive_games(most_nodes=40))
def test_recall_agrees_with_gambit(entry):
    pygambit = pytest.importorskip("pygambit", reason="Gambit is a test oracle: pip install pygambit")
    from io import BytesIO

    from worldwise.extensive import efg_text

    theirs = pygambit.read_efg(BytesIO(efg_text(entry).encode()))
    assert theirs.is_perfect_recall == perfect_recall(entry)


# ---------------------------------------------------------------------- measures


def test_measures_of_every_game_in_the_catalog():
    assert {name: measures(entry).leaves for name, entry in games().items()} == {
        "bmv96/fig-2-g1": 6,
        "bmv96/fig-2-g2": 6,
        "bmv96/fig-2-g2-shared": 6,
        "bmv96/fig-3": 6,
        "bmv96/fig-4": 28,
        "bmv96/fig-7": 5,
        "bmv96/fig-8": 38,
        "bmv96/fig-9": 12,
        "bmv96/footnote-21": 6,
        "fb01/fig-2": 16,
    }


@pytest.mark.parametrize("model", [ImpModel(3, 2, 3), ImpModel(2, 3, 4), ImpModel(1, 2, 3), ImpModel(2, 2, 5)])
def test_the_imp_model_has_the_shape_it_says(model):
    found = measures(write_out(model))
    assert (found.leaves, found.information_sets) == (model.leaves, (model.information_sets,))
    assert found.depth == model.d
    assert perfect_recall(write_out(model))
    assert found.chance_nodes == 1


# ---------------------------------------------------------------------- made from other games


@settings(max_examples=60)
@given(world_trees(most_worlds=3, most_depth=3, most_strategies=40, undefined=True, weighted=True))
def test_a_world_tree_s_exact_value_is_the_extensive_form_s_brute_force(tree):
    """At every set of worlds that MIN may know."""
    for count in range(tree.worlds + 1):
        for known in combinations(range(tree.worlds), count):
            form = from_world_game(tree, known)
            exact = Exact(known=frozenset(known)).search(tree)
            assert float(ExtensiveBruteForce().search(form).value) == pytest.approx(exact.value)
            assert perfect_recall(form)


@pytest.mark.parametrize("name", ["fb01/fig-9", "fb01/fig-11", "fb01/fig-18", "fb01/fig-24"])
def test_the_figures_at_every_knowledge_level(name):
    shape = tree(name)
    for level in range(shape.worlds):
        known = known_worlds(shape.worlds, Fraction(level, shape.worlds - 1), seed=1)
        value = ExtensiveBruteForce().search(from_world_game(shape, known)).value
        assert float(value) == pytest.approx(Exact(known=frozenset(known)).search(shape).value)


def test_a_game_of_rules_is_written_out():
    entry = from_game(Peek(), ["Ann", "Bob"])
    found = measures(entry)
    assert (found.nodes, found.information_sets, found.zero_sum) == (15, (2, 2), True)
    assert perfect_recall(entry)
    assert {entry.payoffs(node)[0] for node in range(15) if entry.to_move(node) is None} == {Fraction(3, 2), 2, -2}


def test_a_game_that_cannot_list_its_deals_is_refused():
    class Closed(Peek):
        deals = None

    class Nothing:
        def deal(self, rng): ...

    with pytest.raises(InputError, match="expected a game that lists its deals"):
        from_game(Nothing(), ["Ann"])
