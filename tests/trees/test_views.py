"""Figures and texts of trees: everything is there, nothing overlaps, no name or size breaks them."""

import io
import re
from collections import Counter
from itertools import combinations, pairwise
from time import process_time
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console

from svg_boxes import HOSTILE, SVG, box, of_class, text_box
from worldwise import Side, algorithm, random_tree, solve, tree, tree_from_dict
from worldwise.catalog import figures
from worldwise.errors import InputError
from worldwise.search.strategy import trace
from worldwise.trees.preorder import LEAF, MAX, MIN
from worldwise.trees.views.figure import MOST_DEPTH, MOST_LEAVES
from worldwise.trees.views.svg import MOST_WORLDS, tree_svg
from worldwise.trees.views.text import tree_text
from worldwise.trees.views.wording import payoff_word
from worldwise.trees.world_tree import TreeBuilder
from worldwise.views.lettering import SMALL, TEXT

RUNS = [None, "monte-carlo", "vector-mm", "prm", "exact"]


def run(name, shape):
    return trace(algorithm(name), shape) if name else None


def chain(length, worlds=1):
    builder = TreeBuilder()
    for level in range(length):
        builder.open(Side.MIN if level % 2 else Side.MAX)
    builder.leaf([1.0] * worlds)
    for _ in range(length):
        builder.close()
    return builder.tree((1,) * worlds)


def fan(leaves, worlds=1):
    return tree_from_dict({"max": [{"payoff": [1] * worlds}] * leaves})


@st.composite
def odd_trees(draw):
    """Trees of any shape, with names long and short on anything."""
    worlds = draw(st.integers(1, 14))
    name = st.sampled_from(["a", "v10", "East after discard", "日本語", "x" * 40])
    payoff = st.lists(st.sampled_from([0, 1, 1, 12, -3.25]), min_size=worlds, max_size=worlds)
    leaf = st.fixed_dictionaries({"payoff": payoff}, optional={"name": name})

    def inner(below):
        return st.one_of(
            st.fixed_dictionaries({side: st.lists(below, min_size=1, max_size=4)}, optional={"name": name})
            for side in ("max", "min")
        )

    root = draw(inner(inner(leaf) | st.recursive(leaf, inner, max_leaves=12)))
    moves = draw(st.sampled_from([None, "K", "a long move name"]))
    return tree_from_dict({"root": with_moves(root, moves)})


def with_moves(node, name):
    """The same notation, every branch named alike."""
    for side in {"max", "min"} & node.keys():
        below = [with_moves(child, name) for child in node[side]]
        return {**node, side: below, **({"moves": [name] * len(below)} if name else {})}
    return node


# ---------------------------------------------------------------------- reading a figure back


def drawn(shape, result=None):
    return ElementTree.fromstring(tree_svg(shape, result))


def node_of(element):
    return int(element.get("data-node"))


def node_boxes(svg):
    """Everything that stands on its own: shapes, names beside them, vectors, names of branches, payoffs, words."""
    boxes = [box(shape) for kind in ("max", "min") for shape in of_class(svg, kind)]
    boxes += [box(group.find(SVG + "rect")) for group in of_class(svg, "vector")]
    boxes += [text_box(move, SMALL, "middle") for move in of_class(svg, "move")]
    boxes += [text_box(word, SMALL, "end") for word in of_class(svg, "world")]
    boxes += [text_box(word, TEXT, "middle") for kind in ("payoff", "title") for word in of_class(svg, kind)]
    boxes += [text_box(word, TEXT, "start") for word in of_class(svg, "cut")]
    for group in of_class(svg, "node"):
        for name in group.findall(SVG + "text"):
            if name.get("font-size"):  # a long name, not one inside its node
                boxes.append(text_box(name, SMALL, name.get("text-anchor", "middle")))
    return boxes


def overlap(one, other, slack=0.3):
    apart_across = one[2] <= other[0] + slack or other[2] <= one[0] + slack
    apart_down = one[3] <= other[1] + slack or other[3] <= one[1] + slack
    return not (apart_across or apart_down)


def corners(path):
    return [tuple(map(float, pair.split())) for pair in path.get("d")[1:].split(" L")]


def crosses(start, stop, target):
    """Whether a line from one point to another comes inside a box: it does if it is between all sides at one time."""
    enter, leave = 0.0, 1.0
    for axis in (0, 1):
        low, high, move = target[axis] + 1, target[axis + 2] - 1, stop[axis] - start[axis]
        if not move:
            if not low < start[axis] < high:
                return False
            continue
        times = sorted(((low - start[axis]) / move, (high - start[axis]) / move))
        enter, leave = max(enter, times[0]), min(leave, times[1])
    return enter < leave


def hits(path, target):
    return any(crosses(start, stop, target) for start, stop in pairwise(corners(path)))


def check_tidy(svg):
    boxes = node_boxes(svg)
    assert not [pair for pair in combinations(boxes, 2) if overlap(*pair)]
    page = (0, 0, float(svg.get("width")), float(svg.get("height")))
    assert all(min(each[:2]) >= 0 and each[2] <= page[2] and each[3] <= page[3] for each in boxes)
    moves = [text_box(move, SMALL, "middle") for move in of_class(svg, "move")]
    targets = [target for target in boxes if target not in moves]  # names of branches do lie on their branches
    for line in of_class(svg, "branch") + of_class(svg, "leader"):
        assert not [target for target in targets if hits(line, target)]
        assert sum(hits(line, move) for move in moves) <= 1


# ---------------------------------------------------------------------- figures


@pytest.mark.parametrize("run_name", RUNS)
@pytest.mark.parametrize("name", figures())
class TestFigure:
    def test_every_node_is_drawn(self, name, run_name):
        shape = tree(name)
        svg = drawn(shape, run(run_name, shape))
        kinds = Counter(shape.kind.tolist())
        assert len(of_class(svg, "max")) == kinds[MAX]
        assert len(of_class(svg, "min")) == kinds[MIN]
        assert len(of_class(svg, "leaf")) == kinds[LEAF]
        ends = {(int(path.get("data-from")), int(path.get("data-to"))) for path in of_class(svg, "branch")}
        assert ends == {(int(shape.parent[node]), node) for node in range(1, len(shape))}

    def test_payoffs_stand_in_columns(self, name, run_name):
        shape = tree(name)
        svg = drawn(shape, run(run_name, shape))
        rows = [float(label.get("y")) for label in of_class(svg, "world")]
        assert [label.text for label in of_class(svg, "world")] == [*map(shape.world_label, range(shape.worlds))]
        for leaf in of_class(svg, "leaf"):
            column = of_class(leaf, "payoff")
            assert [word.text for word in column] == [*map(payoff_word, shape.payoffs(node_of(leaf)))]
            assert len({word.get("x") for word in column}) == 1
            assert [float(word.get("y")) for word in column] == pytest.approx(rows, abs=1.5)

    def test_bold_branches_are_the_strategy(self, name, run_name):
        shape = tree(name)
        result = run(run_name, shape)
        strategy = result.strategy if result else {}
        bold = {
            (int(path.get("data-from")), int(path.get("data-to"))) for path in of_class(drawn(shape, result), "chosen")
        }
        assert bold == {(node, shape.play(node, move)) for node, move in strategy.items()}

    def test_vectors_are_those_backed_up(self, name, run_name):
        shape = tree(name)
        result = run(run_name, shape)
        boxes = of_class(drawn(shape, result), "vector")
        shown = {node_of(group): "".join(text.text for text in group.iter(SVG + "text")) for group in boxes}
        values = result.values if result else {}
        inner = {node: vector for node, vector in values.items() if shape.to_move(node)}
        assert shown == {node: "".join(map(payoff_word, vector)) for node, vector in inner.items()}

    def test_nothing_overlaps(self, name, run_name):
        shape = tree(name)
        check_tidy(drawn(shape, run(run_name, shape)))


@pytest.mark.parametrize("run_name", RUNS)
def test_nothing_overlaps_in_a_large_figure(run_name):
    shape = random_tree(depth=6, worlds=10, seed=1)
    check_tidy(drawn(shape, run(run_name, shape)))


@given(odd_trees(), st.sampled_from(RUNS))
def test_nothing_overlaps_in_odd_figures(shape, run_name):
    check_tidy(drawn(shape, run(run_name, shape)))


@given(odd_trees())
def test_leaves_are_evenly_spaced_and_parents_centred(shape):
    svg = drawn(shape)
    middles = {node_of(leaf): float(of_class(leaf, "payoff")[0].get("x")) for leaf in of_class(svg, "leaf")}
    places = sorted(middles.values())
    gaps = {round(right - left) for left, right in pairwise(places)}
    assert len(gaps) <= 2  # coordinates are rounded
    assert list(middles) == sorted(middles, key=middles.get)
    for group in of_class(svg, "node"):
        for kind in ("max", "min"):
            for each in of_class(group, kind):
                middles[node_of(group)] = (box(each)[0] + box(each)[2]) / 2
    for node in set(range(len(shape))) - {node_of(leaf) for leaf in of_class(svg, "leaf")}:
        below = [middles[shape.play(node, move)] for move in shape.moves(node)]
        assert middles[node] == pytest.approx((below[0] + below[-1]) / 2, abs=0.5)


def test_payoffs_that_a_search_cuts_down_are_struck_out():
    """FB01 Fig 20: below e only the 1 in w1 survives payoff-reduction."""
    shape = tree("fb01/fig-18")
    svg = drawn(shape, run("prm", shape))
    assert [cut.text for cut in of_class(svg, "cut")] == ["0", "0"]
    assert [word.text for word in svg.iter(SVG + "text") if word.get("text-decoration")] == ["1", "1"]


def test_caption_says_what_the_search_found():
    shape = tree("fb01/fig-10")
    result = run("monte-carlo", shape)
    svg = drawn(shape, result)
    (caption,) = of_class(svg, "caption")
    assert caption.text == "monte-carlo: believed 1, true value 0.6, vector 11100"
    assert [title.text for title in of_class(svg, "title")] == ["fb01/fig-10"]
    assert not of_class(drawn(shape), "caption")


def test_a_result_without_a_trace_has_bold_branches_only():
    shape = tree("fb01/fig-10")
    svg = drawn(shape, solve(shape, "monte-carlo"))
    assert len(of_class(svg, "chosen")) == 3
    assert not of_class(svg, "vector")


def test_a_figure_can_be_read_without_eyes():
    svg = drawn(tree("fb01/fig-10"), solve(tree("fb01/fig-10")))
    assert svg.get("role") == "img"
    assert [child.tag for child in svg][:2] == [SVG + "title", SVG + "desc"]
    assert "5 worlds" in svg.find(SVG + "desc").text
    assert "true value 0.8" in svg.find(SVG + "desc").text


def test_a_figure_brings_its_own_background():
    sheet = drawn(tree("fb01/fig-9")).find(SVG + "rect")
    assert (sheet.get("width"), sheet.get("height"), sheet.get("fill")) == ("100%", "100%", "#ffffff")


def test_branch_names_are_shown_where_they_say_something():
    assert not of_class(drawn(tree("fb01/fig-9")), "move")
    moves = [move.text for move in of_class(drawn(tree("fb01/fig-3")), "move")]
    assert Counter(moves) == Counter(["K", "x", "discard"] * 2 + ["A", "Q", "A", "x", "discard", "K", "x"])


def test_names_stand_in_nodes_and_long_ones_beside_them():
    svg = drawn(tree("fb01/fig-3"))
    first = next(group for group in of_class(svg, "node") if node_of(group) == 1)
    assert first.find(SVG + "text").get("text-anchor") == "end"
    letters = [group.find(SVG + "text") for group in of_class(drawn(tree("fb01/fig-9")), "node")]
    assert [letter.text for letter in letters if letter is not None] == ["a", "b", "c"]


def test_unequal_probabilities_are_told():
    shape = tree_from_dict({"probabilities": [3, 1], "root": {"payoff": [1, 0]}})
    assert [label.text for label in of_class(drawn(shape), "world")] == ["w1 (0.75)", "w2 (0.25)"]


def test_many_worlds_and_long_numbers():
    shape = random_tree(depth=1, worlds=14, seed=2)
    lines = of_class(drawn(shape, run("exact", shape)), "vector")[0].findall(SVG + "text")
    assert [len(line.text) for line in lines] == [5, 5, 4]
    shape = tree_from_dict({"max": [{"payoff": [10, -1]}]})
    lines = of_class(drawn(shape, run("exact", shape)), "vector")[0].findall(SVG + "text")
    assert [line.text for line in lines] == ["10", "−1"]


def hostile_tree():
    root = {"max": [{"payoff": [1, None], "name": HOSTILE}], "name": HOSTILE, "moves": [HOSTILE]}
    return tree_from_dict(
        {"title": HOSTILE, "world_names": [HOSTILE, "<"], "root": {"min": [root, {"payoff": [0, 1]}], "name": "&"}}
    )


def test_hostile_names_are_only_text():
    text = tree_svg(hostile_tree(), run("exact", hostile_tree()))
    text.encode("utf-8")
    svg = ElementTree.fromstring(text)
    assert {element.tag.removeprefix(SVG) for element in svg.iter()} <= {
        *("svg", "g", "title", "desc", "rect", "circle", "path", "text")
    }
    assert svg.find(SVG + "title").text.startswith("</text><script>alert('&\"')</script>[31m")


@pytest.mark.parametrize(
    ("shape", "message"),
    [
        (fan(MOST_LEAVES + 1), "at most 200 leaves to draw, found 201"),
        (fan(1, MOST_WORLDS + 1), "at most 40 worlds to draw, found 41"),
        (chain(MOST_DEPTH + 1), "at most 60 moves deep to draw, found 61"),
        (chain(100_000), "at most 60 moves deep to draw, found 100000"),
    ],
    ids=["leaves", "worlds", "depth", "great depth"],
)
def test_too_large_to_draw(shape, message):
    with pytest.raises(InputError, match=message):
        tree_svg(shape)


@pytest.mark.parametrize("shape", [fan(MOST_LEAVES, MOST_WORLDS), chain(MOST_DEPTH, MOST_WORLDS), fan(1)])
def test_just_small_enough_to_draw(shape):
    svg = drawn(shape, run("monte-carlo", shape))
    assert len(of_class(svg, "leaf")) == shape.leaves


def test_a_lone_leaf_is_drawn():
    svg = drawn(tree_from_dict({"payoff": [1, 2]}))
    assert [word.text for word in of_class(svg, "payoff")] == ["1", "2"]


@pytest.mark.parametrize("view", [tree_svg, tree_text])
def test_a_result_of_another_tree_is_refused(view):
    with pytest.raises(InputError, match="the tree's 4 worlds, found one over 5"):
        view(tree("fb01/fig-9"), solve(tree("fb01/fig-10")))
    with pytest.raises(InputError, match="of searching this tree, found the move 0 at 0"):
        view(tree("fb01/fig-11-b"), solve(tree("fb01/fig-11"), "monte-carlo"))


# ---------------------------------------------------------------------- text


def test_text_of_a_figure():
    shape = tree("fb01/fig-18")
    assert tree_text(shape, run("prm", shape)).plain.splitlines() == [
        "□ a 100",
        "├─➤ left ○ b 100",
        "│   ├── left • d 100",
        "│   └── right □ e 100",
        "│       ├─➤ left • 100",
        "│       └── right • 011 → 000",
        "└── right ○ c 000",
        "    └── • f 000",
    ]


@pytest.mark.parametrize("name", figures())
def test_text_has_a_line_for_every_node_and_marks_the_strategy(name):
    shape = tree(name)
    for run_name in RUNS:
        result = run(run_name, shape)
        lines = tree_text(shape, result).plain.splitlines()
        assert len(lines) == len(shape)
        marked = {node for node, line in enumerate(lines) if "➤" in line}
        assert marked == {shape.play(*step) for step in (result.strategy if result else {}).items()}
        for node, vector in (result.values if result else {}).items():
            assert shape.to_move(node) is None or lines[node].endswith(f" {vector}")


def test_chosen_branches_are_bold():
    shape = tree("fb01/fig-9")
    text = tree_text(shape, solve(shape))
    bold = [text.plain[span.start : span.end] for span in text.spans if span.style == "bold"]
    assert bold == ["├─➤ ", "left ○ b"]


@pytest.mark.parametrize("most_nodes", [1, 2, 7, 50, 127, 500])
def test_large_trees_show_the_nodes_nearest_to_the_root(most_nodes):
    shape = random_tree(depth=6, worlds=2, seed=1)
    lines = tree_text(shape, most_nodes=most_nodes).plain.splitlines()
    shown = min(most_nodes, len(shape))
    if shown < len(shape):
        assert lines.pop() == f"… {len(shape) - shown} nodes of 127 left out"
        assert any(line.endswith("…") for line in lines)
    assert len(lines) == shown
    depths = [re.search("[□○•]", line).start() // 4 for line in lines]
    assert max(depths) == shown.bit_length() - 1


def test_at_least_one_node_is_asked_for():
    with pytest.raises(InputError, match="at least 1 node to show, found 0"):
        tree_text(fan(1), most_nodes=0)


def test_deep_trees_are_quick_and_small():
    deep = chain(100_000)
    start = process_time()
    text = tree_text(deep).plain
    assert process_time() - start < 2
    assert text.endswith("… 99,801 nodes of 100,001 left out")
    assert len(text) < 200 * 100
    assert len(tree_text(deep, most_nodes=2000).plain) < 2000 * 100
    assert "(199) └── ○ 199 …" in text


def test_wide_trees_are_quick():
    wide = fan(100_000)
    start = process_time()
    lines = tree_text(wide).plain.splitlines()
    assert process_time() - start < 2
    assert lines[0] == "□ 0 …"
    assert lines[-2:] == ["└── • 1", "… 99,801 nodes of 100,001 left out"]


@given(odd_trees(), st.sampled_from(RUNS))
def test_ascii_is_ascii(shape, run_name):
    result = run(run_name, shape)
    text = tree_text(shape, result, most_nodes=10, ascii=True)
    assert text.plain.isascii()
    Console(file=io.TextIOWrapper(io.BytesIO(), encoding="ascii")).print(text)
    assert text.plain.count("-> ") <= len(result.strategy if result else {})


def test_hostile_names_cannot_reach_the_terminal():
    for ascii_only in (False, True):
        lines = tree_text(hostile_tree(), ascii=ascii_only).plain.split("\n")
        assert len(lines) == len(hostile_tree())
        assert all(line.isprintable() for line in lines)
