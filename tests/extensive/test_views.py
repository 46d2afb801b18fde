"""Figures and texts of games in extensive form: everything is there, nothing overlaps, no name or size breaks them."""

import io
import json
from fractions import Fraction
from itertools import combinations, pairwise
from xml.etree import ElementTree

import pytest
from hypothesis import given, settings
from rich.console import Console

from strategies import extensive_games
from svg_boxes import HOSTILE, box, of_class, text_box
from worldwise import catalog
from worldwise.core.game import CHANCE
from worldwise.errors import InputError
from worldwise.extensive import GameBuilder, ImpModel, write_out
from worldwise.extensive.judging import judge_solution, report_on
from worldwise.extensive.recall import find_forgotten
from worldwise.extensive.solving import solve_game
from worldwise.extensive.views.json import game_json, number_json, report_json, solution_json
from worldwise.extensive.views.svg import game_svg
from worldwise.extensive.views.text import game_text, report_table, solution_table
from worldwise.extensive.views.words import belief_words, forgotten_words, verdict_words
from worldwise.search.profiles import expected_payoffs, pure_strategies
from worldwise.trees.views.figure import MOST_LEAVES
from worldwise.trees.views.layout import NODE
from worldwise.views.lettering import SMALL, TEXT

SVG = "{http://www.w3.org/2000/svg}"
G2 = "bmv96/fig-2-g2"


def solved(game, algorithm):
    return judge_solution(game, algorithm, solve_game(game, algorithm))


def drawn(game, result=None):
    return ElementTree.fromstring(game_svg(game, result))


def printed(thing):
    out = io.StringIO()
    Console(file=out, width=100).print(thing)
    return out.getvalue()


def chain(length, *, one_set=False):
    builder = GameBuilder(["Ann", "Bob"])
    for level in range(length):
        builder.decision(level % 2, (0,) if one_set and level % 2 else (1, level), ["on", "off"])
    for _ in range(length + 1):
        builder.leaf([1, -1])
    return builder.game(absent_minded=True)


# ---------------------------------------------------------------------- figures


def polygon_box(element):
    points = [tuple(map(float, pair.split(","))) for pair in element.get("points").split()]
    xs, ys = zip(*points, strict=True)
    return min(xs), min(ys), max(xs), max(ys)


def node_shapes(svg):
    """The shape of each inner node, by its number."""
    shapes = {}
    for group in of_class(svg, "node"):
        for shape in group:
            if shape.tag in (SVG + "circle", SVG + "polygon"):
                shapes[int(group.get("data-node"))] = shape
    return shapes


def shape_box(shape):
    return box(shape) if shape.tag == SVG + "circle" else polygon_box(shape)


def words_and_nodes(svg):
    """The boxes of everything that stands on its own."""
    boxes = [shape_box(shape) for shape in node_shapes(svg).values()]
    boxes += [text_box(word, SMALL, "middle") for kind in ("move", "set-name") for word in of_class(svg, kind)]
    boxes += [text_box(word, SMALL, "end") for word in of_class(svg, "world")]
    boxes += [text_box(word, TEXT, "middle") for kind in ("payoff", "title") for word in of_class(svg, kind)]
    boxes += [shape_box(shape) for group in of_class(svg, "key") for shape in group]
    for group in of_class(svg, "node"):
        for name in group.findall(SVG + "text"):
            if name.get("font-size"):  # a long name, not one inside its node
                boxes.append(text_box(name, SMALL, name.get("text-anchor", "middle")))
    return boxes


def overlap(one, other, slack=0.25):
    apart = one[2] <= other[0] + slack or other[2] <= one[0] + slack or one[3] <= other[1] or other[3] <= one[1]
    return not apart


def points(path):
    return [tuple(map(float, pair.split())) for pair in path.get("d")[1:].split(" L")]


def along(line, step=2.0):
    """Points close to each other all along a path."""
    for (x0, y0), (x1, y1) in pairwise(line):
        count = max(1, int((abs(x1 - x0) + abs(y1 - y0)) / step))
        for number in range(count + 1):
            yield x0 + (x1 - x0) * number / count, y0 + (y1 - y0) * number / count


def check_figure(game, svg):
    """Every node is drawn as what it is; nothing overlaps; no line of a set crosses a node that is not in it."""
    shapes = node_shapes(svg)
    assert sorted(shapes) == [node for node in range(len(game)) if game.to_move(node) is not None]
    for node, shape in shapes.items():
        player = game.to_move(node)
        assert shape.get("class") == ("chance" if player == CHANCE else f"player-{player + 1}")
    assert len(of_class(svg, "payoff")) == game.leaves * len(game.players)
    for one, other in combinations(words_and_nodes(svg), 2):
        assert not overlap(one, other), (one, other)
    for path in of_class(svg, "set"):
        for x, y in along(points(path)):
            for node, shape in shapes.items():
                left, top, right, bottom = shape_box(shape)
                assert not (left < x < right and top < y < bottom), (path.get("data-set"), node)


@pytest.mark.parametrize("name", catalog.games())
def test_figures_of_the_catalog(name):
    game = catalog.game(name)
    check_figure(game, drawn(game))


@settings(max_examples=25)
@given(extensive_games(most_players=4, most_nodes=40, inner_outcomes=True))
def test_figures_of_any_game(game):
    check_figure(game, drawn(game))


@settings(max_examples=25)
@given(extensive_games(most_nodes=25, labels=True))
def test_no_name_breaks_anything(game):
    check_figure(game, drawn(game))
    text = game_text(game).plain
    assert text.count("\n") == len(game)
    assert game_text(game, ascii=True).plain.isascii()
    json.dumps([game_json(game), report_json(report_on(game))])
    printed(report_table(report_on(game)))


def test_sets_are_linked():
    """Straight, over several levels, and along a lane with a dot at each node."""
    assert [path.get("data-set") for path in of_class(drawn(catalog.game(G2)), "set")] == ["2"]
    assert [word.text for word in of_class(drawn(catalog.game("bmv96/fig-3")), "set-name")] == ["CD"]
    svg = drawn(catalog.game("bmv96/fig-4"))
    assert [word.text for word in of_class(svg, "set-name")] == ["I1", "I2"]
    assert len(of_class(svg, "dot")) == 14
    assert len(of_class(drawn(catalog.game("bmv96/fig-8")), "set")) == 12 + 1 + 2 + 1 + 4


def test_a_set_over_the_levels_of_one_path_is_no_straight_line():
    game = chain(4, one_set=True)
    svg = drawn(game)
    check_figure(game, svg)
    (path,) = of_class(svg, "set")
    assert len({x for x, _ in points(path)}) > 2


def test_chosen_branches_and_words():
    svg = drawn(catalog.game(G2), solved(catalog.game(G2), "imp-minimax"))
    ends = {(int(path.get("data-from")), int(path.get("data-to"))) for path in of_class(svg, "chosen")}
    assert ends == {(1, 2), (2, 3), (6, 7), (7, 8)}
    assert [word.text for word in of_class(svg, "title")] == ["G2 (BMV96 Fig 2, right)"]
    assert [word.text for word in of_class(svg, "move")] == ["A (1/2)", "B (1/2)"]
    assert [word.text for word in of_class(svg, "caption")] == ["imp-minimax: worth -99/2 (-49.5); believed 1"]


def test_shapes_of_players():
    game = write_out(ImpModel(k=2, b=2, d=3))
    shapes = node_shapes(drawn(game))
    assert shapes[0].get("class") == "chance"
    width = shape_box(shapes[1])[2] - shape_box(shapes[1])[0]
    assert width == pytest.approx(2 * NODE, abs=0.2)


def test_too_large_to_draw():
    with pytest.raises(InputError, match=f"at most {MOST_LEAVES} leaves to draw, found 256"):
        game_svg(write_out(ImpModel(k=2, b=2, d=5)))
    with pytest.raises(InputError, match="moves deep to draw, found 99"):
        game_svg(chain(99))


# ---------------------------------------------------------------------- texts


def test_text_shows_sets_and_choices():
    text = game_text(catalog.game("bmv96/fig-3"), {0: 0, 2: 1, 3: 1}).plain
    assert text.splitlines()[:4] == ["□ player 1  ○ player 2  ◇ chance", "□ A", "├─➤ left ◇", "│   ├── .8 □ C {CD}"]


def test_text_of_a_large_game_is_cut():
    text = game_text(write_out(ImpModel(k=3, b=3, d=5)), most_nodes=30).plain
    assert len(text.splitlines()) == 32
    assert "nodes of 9,802 left out" in text.splitlines()[-1]
    with pytest.raises(InputError, match="at least 1 node"):
        game_text(catalog.game(G2), most_nodes=0)


def test_three_players_are_told_apart():
    builder = GameBuilder(["a", "b", "c"])
    for player in range(3):
        builder.decision(player, player, ["go"])
    builder.leaf([1, 2, 3])
    assert game_text(builder.game()).plain.splitlines()[3:] == ["    └── go △ (c) c 1", "        └── go • 1, 2, 3"]


def test_terminals_are_safe():
    builder = GameBuilder([HOSTILE])
    builder.decision(0, HOSTILE, [HOSTILE, "[bold]b"], name=HOSTILE)
    builder.leaf([0], name=HOSTILE)
    builder.leaf([1])
    game = builder.game(HOSTILE)
    for shown in (game_text(game), report_table(report_on(game)), solution_table(solved(game, "imp-minimax"))):
        assert "\x1b" not in printed(shown)
        assert "\x00" not in printed(shown)
    check_figure(game, drawn(game))


def test_a_profile_of_another_game_is_refused():
    for show in (game_text, lambda game, profile: game_svg(game, solved(catalog.game("bmv96/fig-4"), "brute-force"))):
        with pytest.raises(InputError, match="expected a profile of this game"):
            show(catalog.game(G2), {77: 0})


# ---------------------------------------------------------------------- words and numbers


def test_who_forgets_what():
    absent = chain(4, one_set=True)
    words = forgotten_words(absent, find_forgotten(absent))
    assert words.startswith("at set Bob 1 Bob cannot tell root/on from root/on/on/on, though the first never was at")
    assert words.endswith("whether a move was made at all is forgotten")
    assert report_on(absent).forgetful[0].agents is None
    assert report_on(catalog.game("bmv96/fig-2-g2-shared")).perfect_recall


def test_verdicts():
    g2, three, note = (catalog.game(name) for name in (G2, "bmv96/fig-3", "bmv96/footnote-21"))
    assert verdict_words(solved(g2, "brute-force")) == "optimal"
    assert verdict_words(solved(g2, "imp-minimax")) == "not optimal: player gains 50 by right at CD, right at B"
    assert verdict_words(solved(three, "imp-minimax")).startswith("an equilibrium: not by the algorithm's own promise")
    assert verdict_words(solved(three, "brute-force")) == "the best pure strategy of player 1 against best defence"
    assert "gains 99/2 (49.5) by right at AB" in verdict_words(solved(note, "imp-minimax"))
    assert belief_words(solved(note, "imp-minimax")).startswith("with two players it is a heuristic")
    assert belief_words(solved(g2, "brute-force")) == ""


@settings(max_examples=25)
@given(extensive_games(most_players=2, most_nodes=20, zero_sum=True))
def test_verdicts_are_true_of_any_game(game):
    """Somebody gains by leaving a profile just if trying all strategies says so, and never more than he is said to."""
    for algorithm in ("chance-minimax", "imp-minimax"):
        result = solved(game, algorithm)
        gains = [best_gain(game, player, result.profile) for player in range(2)]
        assert result.holds is (max(gains) == 0)
        assert result.gain is None or result.gain.gain == gains[result.gain.player]
        assert bool(belief_words(result)) == (result.believed != result.payoffs)
        answer = solution_json(result)
        assert (answer["value"], len(answer["profile"])) == (number_json(result.payoffs[0]), len(result.profile))
        printed(solution_table(result))


def best_gain(game, player, profile):
    worth = expected_payoffs(game, profile)[player]
    tried = (expected_payoffs(game, {**profile, **own})[player] for own in pure_strategies(game, player))
    return max(tried) - worth


def test_numbers_in_json():
    assert [number_json(number) for number in (3, Fraction(4, 2), Fraction(1, 3), 2**60)] == [3, 2, "1/3", str(2**60)]
    assert number_json(-(10**60)) == "-1e60"
    report = report_json(report_on(write_out(ImpModel(k=2, b=2, d=6))))
    assert report["pure_strategies"] == ["4.5e102"]
    assert report["log10_pure_strategies"] == [pytest.approx(102.65, abs=0.01)]


def test_json_of_a_game_has_everything():
    game = catalog.game("bmv96/fig-3")
    read = json.loads(json.dumps(game_json(game)))
    assert read["events"][1] == {
        "player": None,
        "set": "chance 1",
        "actions": [".8", ".2"],
        "probabilities": ["4/5", "1/5"],
    }
    assert read["nodes"][2] == {"name": "C", "parent": 1, "action": 0, "event": 2}
    assert next(node["payoffs"] for node in read["nodes"] if "payoffs" in node) == [10, -10]
