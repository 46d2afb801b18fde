"""Games in extensive form as figures: squares for player 1, circles for player 2, diamonds for chance (BMV96 Fig 3).

The layout is that of possible-world trees, with a row of payoffs for each player. The nodes of an information set are
linked by a dashed line in the player's colour. Where other nodes stand between them, the line runs above or below, and
has a dot where it meets the branch of one of its nodes. With a profile, the branches chosen are bold.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from worldwise.core.game import CHANCE
from worldwise.errors import InputError
from worldwise.extensive.views.words import (
    branch_word,
    caption_words,
    chosen_children,
    exact_word,
    player_word,
    shape_of,
)
from worldwise.trees.preorder import LEAF, MAX
from worldwise.trees.views.figure import (
    LONGEST_LINE,
    MOST_DEPTH,
    MOST_LEAVES,
    draw_branches,
    draw_captions,
    draw_payoffs,
)
from worldwise.trees.views.layout import NODE, ROW, Mark, TreeLayout, name_lines
from worldwise.views.lettering import GAP, LINE, MARGIN, SMALL, TEXT, shorten, text_width
from worldwise.views.svg import INK, PAPER, add, finish_svg, page, px, rectangle, write, write_lines

if TYPE_CHECKING:
    from collections.abc import Iterator
    from xml.etree.ElementTree import Element

    from numpy.typing import NDArray

    from worldwise.extensive.game import ExtensiveGame
    from worldwise.extensive.judging import JudgedSolution

MOST_PLAYERS = 10
"""Of the largest game that is drawn."""

_LOOKS = (("#d55e00", "#fdf0e6"), ("#009e73", "#e6f5f0"), ("#a0508a", "#f8ecf4"), ("#8a6d00", "#faf3dc"))
"""Line and fill of each player, after Okabe and Ito: told apart by all, and from the blue of chosen branches."""

_PLAIN = (INK, PAPER)
_LONGEST_NAME = 14
_MOST_PAIRS, _BENDS = 4, (0.0, 0.2, -0.2, 0.4, -0.4, 0.7, -0.7)
_Point = tuple[float, float]
_Box = tuple[float, float, float, float]


def game_svg(game: ExtensiveGame, result: JudgedSolution | None = None) -> str:
    """The figure of a game, and of what a search made of it; ``InputError`` if it is too large to draw.

    >>> from worldwise.catalog import game
    >>> game_svg(game("bmv96/fig-2-g2")).count('class="chance"')
    1
    """
    _check_size(game)
    chosen = chosen_children(game, result.profile if result else None)
    caption = shorten(caption_words(result), LONGEST_LINE) if result else ""
    layout = GameLayout(shape_of(game), None, shorten(game.title, LONGEST_LINE), caption, game)
    svg = page(layout.width, layout.heights.end, layout.title or "Game in extensive form", _description(layout))
    _draw_links(svg, layout)
    draw_branches(svg, layout, chosen)
    _draw_dots(svg, layout)
    _draw_nodes(svg, layout)
    draw_payoffs(svg, layout)
    _draw_key(svg, layout)
    draw_captions(svg, layout)
    return finish_svg(svg)


def _check_size(game: ExtensiveGame) -> None:
    sizes = (("leaves", game.leaves, MOST_LEAVES), ("players", len(game.players), MOST_PLAYERS))
    for noun, found, most in sizes:
        if found > most:
            raise InputError(f"expected a game of at most {most} {noun} to draw, found {found:,}")
    if game.depth > MOST_DEPTH:
        raise InputError(f"expected a game at most {MOST_DEPTH} moves deep to draw, found {game.depth:,}")


# ---------------------------------------------------------------------- where everything stands


@dataclass(frozen=True)
class SetLane:
    """A line that links the nodes of a set on one level, above or below the other nodes there."""

    number: int
    nodes: tuple[int, ...]
    place: int

    @property
    def shift(self) -> float:
        """How far from the middle of the band: lanes are taken below and above in turn."""
        away = NODE + LINE * (self.place // 2 + 0.75)
        return -away if self.place % 2 else away


@dataclass(frozen=True)
class GameLayout(TreeLayout):
    """The layout of a tree, with lanes for information sets."""

    game: ExtensiveGame

    @cached_property
    def marks(self) -> list[Mark]:
        """What stands at each node: its name, or that of its set."""
        return [self._mark(node) for node in range(len(self.game))]

    def _mark(self, node: int) -> Mark:
        name, player = self.game.names.get(node, ""), self.game.to_move(node)
        if player is None:
            return Mark(LEAF, beside=name_lines(name))
        if player != CHANCE:
            name = name or self.game.events[self.game.information_set(node)].name
            if text_width(name, TEXT) <= 2 * NODE - 4:
                return Mark(MAX, inside=name)
        return Mark(MAX, beside=name_lines(name))

    @cached_property
    def branch_names(self) -> dict[int, str]:
        """Actions and probabilities, each by the node it leads to; not where they are simply left and right."""
        pairs = ((int(self.game.parent[node]), node) for node in range(1, len(self.game)))
        named = ((above, node) for above, node in pairs if not self._is_plain(above))
        return {node: branch_word(self.game, above, self.game.action_to(node), _LONGEST_NAME) for above, node in named}

    def _is_plain(self, node: int) -> bool:
        """Whether the actions go without saying."""
        actions = self.game.events[self.game.information_set(node)].actions
        numbers = tuple(str(number + 1) for number in range(len(actions)))
        return self.game.to_move(node) != CHANCE and (actions in (("left", "right"), numbers) or not any(actions))

    @cached_property
    def world_names(self) -> list[str]:
        """The players, as the rows of payoffs are theirs."""
        return [shorten(player_word(self.game, player), 2 * _LONGEST_NAME) for player in range(len(self.game.players))]

    def cells(self, leaf: int) -> list[tuple[str, str]]:
        """A leaf's payoffs, exact."""
        return [(shorten(exact_word(payoff).replace("-", "−"), 12), "") for payoff in self.game.payoffs(leaf)]

    # ------------------------------------------------------------------ information sets

    @cached_property
    def parts(self) -> dict[int, list[tuple[int, ...]]]:
        """Each set of several nodes: its nodes level by level, from left to right."""
        sets = (number for number in self.game.information_sets() if len(self.game.nodes_of[number]) > 1)
        return {number: list(self._by_level(self.game.nodes_of[number])) for number in sets}

    def _by_level(self, nodes: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
        for level in sorted({self.level[node] for node in nodes}):
            yield tuple(node for node in nodes if self.level[node] == level)

    def stands_between(self, one: int, other: int) -> bool:
        """Whether something stands between two nodes of a level; preorder is the order from left to right."""
        between = range(one + 1, other)
        return any(self.level[node] == self.level[one] and self.marks[node].half for node in between)

    @cached_property
    def lanes(self) -> list[SetLane]:
        """The sets that cannot be linked straight, each with a lane that is free from end to end."""
        lanes: list[SetLane] = []
        taken: dict[tuple[int, int], int] = {}
        for number, parts in self.parts.items():
            for nodes in parts:
                if not any(self.stands_between(one, other) for one, other in pairwise(nodes)):
                    continue
                level, place = self.level[nodes[0]], 0
                while taken.get((level, place), -1) >= nodes[0]:
                    place += 1
                taken[level, place] = nodes[-1]
                lanes.append(SetLane(number, nodes, place))
        return lanes

    def shift(self, number: int, nodes: tuple[int, ...]) -> float:
        """How far below its nodes the line of a set runs on one level; 0 if it links them straight."""
        return next((lane.shift for lane in self.lanes if (lane.number, lane.nodes) == (number, nodes)), 0.0)

    @cached_property
    def half(self) -> list[float]:
        """Half the height of each band, with room for its lanes."""
        halves = list(super().half)
        for lane in self.lanes:
            level = self.level[lane.nodes[0]]
            halves[level] = max(halves[level], abs(lane.shift) + LINE / 2)
        return halves

    @cached_property
    def boxes(self) -> NDArray[np.float64]:
        """What no line may cross: nodes with their names, and the names of branches."""
        marks = [
            (self.x[node] - mark.left, self.y(node) - mark.half, self.x[node] + mark.right, self.y(node) + mark.half)
            for node, mark in enumerate(self.marks)
        ]
        return np.array(marks + [self._name_box(node, name) for node, name in self.branch_names.items()])

    def _name_box(self, node: int, name: str) -> _Box:
        _, (left, top), (right, bottom), _ = self.branch(node)
        return box_around((left + right) / 2, (top + bottom) / 2, text_width(name, SMALL))

    def bridge(self, upper: tuple[int, ...], lower: tuple[int, ...]) -> list[_Point]:
        """A curve from a set's nodes on one level to those on another that crosses nothing; none if there is none."""
        pairs = sorted((abs(self.x[one] - self.x[other]), one, other) for one in upper for other in lower)
        for _, one, other in pairs[:_MOST_PAIRS]:
            for bend in _BENDS:
                curve = self._curve(one, other, bend)
                if (bend or one not in self.game.ancestors(other)) and self._is_free(curve, one, other):
                    return [(float(x), float(y)) for x, y in curve]
        return []

    def _curve(self, one: int, other: int, bend: float) -> NDArray[np.float64]:
        """From the edge of one node to the edge of another, bent to the right or to the left."""
        start, end = (np.array([self.x[node], self.y(node)]) for node in (one, other))
        way = end - start
        middle = (start + end) / 2 + bend * np.array([way[1], -way[0]])
        t = np.linspace(0, 1, 12 + int(np.abs(way).sum() / 4))[:, None]
        points = (1 - t) ** 2 * start + 2 * t * (1 - t) * middle + t**2 * end
        away = np.minimum(*(np.hypot(*(points - node).T) for node in (start, end)))
        return np.asarray(points[away > NODE * 1.5])

    def _is_free(self, curve: NDArray[np.float64], one: int, other: int) -> bool:
        inside = (curve[:, 0] > MARGIN / 2) & (curve[:, 0] < self.width - MARGIN / 2)
        return bool(inside.all()) and not hits(curve, np.delete(self.boxes, [one, other], axis=0))


def box_around(x: float, y: float, width: float) -> _Box:
    """The box of a line of small type."""
    return x - width / 2, y - LINE / 2, x + width / 2, y + LINE / 2


def hits(points: NDArray[np.float64], boxes: NDArray[np.float64]) -> bool:
    """Whether some point is in, or very near, some box."""
    x, y = points[:, :1], points[:, 1:]
    left, top, right, bottom = boxes.T
    return bool(((x > left - 3) & (x < right + 3) & (y > top - 3) & (y < bottom + 3)).any())


# ---------------------------------------------------------------------- the parts of the figure


def _description(layout: GameLayout) -> str:
    game = layout.game
    words = f"A game of {len(game)} nodes and {game.leaves} leaves for {', '.join(layout.world_names)}."
    words += " Diamonds are chance nodes; dashed lines link the nodes of an information set."
    return f"{words} Bold branches are those chosen. {layout.caption}" if layout.caption else words


def _draw_links(svg: Element, layout: GameLayout) -> None:
    """Under everything else: the dashed lines of the sets, and their names."""
    group = add(svg, "g", fill="none", stroke_width="1.6", stroke_dasharray="5 4", stroke_linecap="butt")
    names = add(svg, "g", font_size=px(SMALL), text_anchor="middle")
    placed: list[_Box] = []
    for number, parts in layout.parts.items():
        lines = [line for nodes in parts for line in _level_lines(layout, number, nodes)]
        curves = list(filter(None, (layout.bridge(upper, lower) for upper, lower in pairwise(parts))))
        for line in lines + curves:
            path = "M" + " L".join(f"{px(x)} {px(y)}" for x, y in line)
            add(group, "path", d=path, class_="set", data_set=str(number), stroke=_colour(layout.game, number))
        _draw_set_name(names, layout, number, curves, placed)


def _level_lines(layout: GameLayout, number: int, nodes: tuple[int, ...]) -> Iterator[list[_Point]]:
    """The lines that link the nodes of a set on one level: along a lane, or straight from node to node."""
    shift = layout.shift(number, nodes)
    y = layout.y(nodes[0]) + shift
    if shift:
        yield [(layout.x[nodes[0]], y), (layout.x[nodes[-1]], y)]
        return
    for one, other in pairwise(nodes):
        left, right = layout.marks[one].right + 2, layout.marks[other].left + 2
        yield [(layout.x[one] + left, y), (layout.x[other] - right, y)]


def _draw_set_name(
    group: Element, layout: GameLayout, number: int, curves: list[list[_Point]], placed: list[_Box]
) -> None:
    """On the line, at the first place that has room, unless the nodes bear the name themselves."""
    name = shorten(layout.game.events[number].name, _LONGEST_NAME)
    if not name or any(node not in layout.game.names for node in layout.game.nodes_of[number]):
        return
    width = text_width(name, SMALL) + 4
    for x, y in _name_places(layout, number, width, curves):
        box = box_around(x, y, width)
        if not any(_overlap(box, other) for other in placed):
            placed.append(box)
            add(group, "rect", fill=PAPER, **rectangle(x - width / 2, y - LINE / 2, width, LINE))
            write(group, name, x, y, SMALL, class_="set-name", fill=_colour(layout.game, number))
            return


def _overlap(one: _Box, other: _Box) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


def _name_places(layout: GameLayout, number: int, width: float, curves: list[list[_Point]]) -> Iterator[_Point]:
    """Where a name of this width fits on the lines of a set."""
    for nodes in layout.parts[number]:
        shift = layout.shift(number, nodes)
        for left, right in _stretches(layout, nodes, shift):
            if right - left >= width + GAP:
                yield (left + right) / 2, layout.y(nodes[0]) + shift
    for curve in curves:
        x, y = curve[len(curve) // 2]
        left, top, right, bottom = box_around(x, y, width)
        edge = [(across, down) for across in np.arange(left, right + 4, 4) for down in (top, y, bottom)]
        if not hits(np.array(edge), layout.boxes):
            yield x, y


def _stretches(layout: GameLayout, nodes: tuple[int, ...], shift: float) -> Iterator[_Point]:
    """Where nothing crosses the line of a set: between the stems of branches and the leaders of leaves."""
    level, inner = layout.level[nodes[0]], range(nodes[0], nodes[-1] + 1)
    crossing = [node for node in inner if layout.level[node] == level or _passes(layout, node, level)]
    for one, other in pairwise(sorted(crossing, key=lambda node: layout.x[node])):
        left = 0.0 if shift or one not in nodes else layout.marks[one].right
        right = 0.0 if shift or other not in nodes else layout.marks[other].left
        yield layout.x[one] + left, layout.x[other] - right


def _passes(layout: GameLayout, node: int, level: int) -> bool:
    return layout.level[node] < level and layout.marks[node].kind == LEAF


def _draw_dots(svg: Element, layout: GameLayout) -> None:
    """Where the line of a set meets its own nodes' branches, and not those it only passes."""
    dots = add(svg, "g")
    for lane in layout.lanes:
        for node in lane.nodes:
            place = {"cx": px(layout.x[node]), "cy": px(layout.y(node) + lane.shift)}
            add(dots, "circle", class_="dot", r="3.2", fill=_colour(layout.game, lane.number), **place)


def _draw_nodes(svg: Element, layout: GameLayout) -> None:
    shapes = add(svg, "g", fill=INK, font_size=px(TEXT), font_style="italic", text_anchor="middle")
    for node, mark in enumerate(layout.marks):
        x, y, player = layout.x[node], layout.y(node), layout.game.to_move(node)
        group = add(shapes, "g", class_="node", data_node=str(node))
        add(group, "title", _node_title(layout.game, node))
        _draw_shape(group, player, x, y, NODE)
        write(group, mark.inside, x, y, TEXT)
        if player is None:
            write_lines(group, mark.beside, x, y)
        else:
            write_lines(group, mark.beside, x - NODE - GAP, y, text_anchor="end")


def _node_title(game: ExtensiveGame, node: int) -> str:
    player = game.to_move(node)
    if player is None or player == CHANCE:
        return game.place(node)
    return f"{game.place(node)}: {player_word(game, player)}, set {game.set_label(game.information_set(node))}"


def _draw_shape(group: Element, player: int | None, x: float, y: float, half: float) -> None:
    """A square, a circle, a hexagon for all further players, or chance's diamond."""
    if player is None:
        return
    stroke, fill = _PLAIN if player == CHANCE else _LOOKS[player % len(_LOOKS)]
    look = {"class_": "chance" if player == CHANCE else f"player-{player + 1}", "stroke": stroke, "fill": fill}
    look["stroke_width"] = "1.5"
    if player == 1:
        add(group, "circle", cx=px(x), cy=px(y), r=px(half), **look)
        return
    corners = {CHANCE: ((0, -1), (1, 0), (0, 1), (-1, 0)), 0: ((-1, -1), (1, -1), (1, 1), (-1, 1))}
    hexagon = ((-0.55, -1), (0.55, -1), (1, 0), (0.55, 1), (-0.55, 1), (-1, 0))
    points = ((x + half * across, y + half * down) for across, down in corners.get(player, hexagon))
    add(group, "polygon", points=" ".join(f"{px(a)},{px(b)}" for a, b in points), **look)


def _draw_key(svg: Element, layout: GameLayout) -> None:
    """The players' shapes beside their rows of payoffs."""
    group = add(svg, "g", class_="key")
    for player in range(len(layout.game.players)):
        middle = layout.heights.payoffs + ROW * (player + 0.5)
        _draw_shape(group, player, layout.rows_left + 6, middle, 3.5)


def _colour(game: ExtensiveGame, number: int) -> str:
    return _LOOKS[game.events[number].player % len(_LOOKS)][0]
