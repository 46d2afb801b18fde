"""Random values for property tests: possible-world trees and extensive-form games of every shape."""

from dataclasses import replace
from fractions import Fraction

import numpy as np
from hypothesis import strategies as st

from worldwise.core.game import Side
from worldwise.core.vector import exact_number
from worldwise.games.extensive.building import GameBuilder
from worldwise.games.extensive.game import Outcome
from worldwise.games.trees.world_tree import LEAF, MAX, MIN, TreeBuilder

WINS = st.integers(0, 1)
"""Payoffs of games that are won or lost."""

INTEGERS = st.integers(-3, 9)
"""Payoffs that a thermometer codes."""

REALS = st.floats(-100, 100).map(lambda payoff: payoff + 0.0)
"""Payoffs that are rarely whole; -0 is left out."""

NAMES = st.text(st.characters(exclude_categories=["Cs"]), max_size=5)
"""Names of anything; lone surrogates are left out, since two of them would be read as one character."""

_WEIGHTS = st.one_of(
    st.integers(0, 5),
    st.sampled_from([0.0, 0.1, 0.25, 1 / 3, 0.5, 2.5]),
    st.fractions(0, 2, max_denominator=12),
)


@st.composite
def world_trees(
    draw,
    *,
    payoffs=INTEGERS,
    most_worlds=6,
    most_depth=4,
    most_children=3,
    most_strategies=1000,
    undefined=True,
    weighted=True,
    named=False,
):
    """A ``WorldTree`` of any shape: unequal branching, MAX or MIN several times in a row, a single leaf.

    ``payoffs``           what to draw payoffs from: ``INTEGERS``, ``WINS``, ``REALS`` or any strategy of finite numbers
    ``most_worlds``       worlds are 1 to this many
    ``most_depth``        moves from the root to a leaf are at most this many
    ``most_children``     moves at a node are 1 to this many
    ``most_strategies``   MAX has at most this many strategies, so that all of them can be tried
    ``undefined``         whether MIN's moves may be open in some worlds only; payoffs below are undefined in the others
    ``weighted``          whether worlds may differ in weight, and weigh nothing; weights are ints, floats or Fractions
    ``named``             whether nodes, moves, worlds and the tree may have names

    Trees are well-formed: MAX's moves are open in the same worlds, and every world is reached somewhere.
    """
    worlds = draw(st.integers(1, most_worlds))
    builder = TreeBuilder()

    def add(depth, is_open, strategies):
        """Add a node that is open in these worlds and leaves MAX no more strategies than these."""
        kind = draw(st.sampled_from([LEAF, MAX, MIN])) if depth else LEAF
        node = builder.open({LEAF: None, MAX: Side.MAX, MIN: Side.MIN}[kind])
        children = 0
        if kind == LEAF:
            row = draw(st.lists(payoffs, min_size=worlds, max_size=worlds))
            builder.fill(payoff if world in is_open else float("nan") for world, payoff in enumerate(row))
        elif kind == MAX:  # he adds up the strategies below
            children = draw(st.integers(1, min(most_children, strategies)))
            for _ in range(children):
                add(depth - 1, is_open, strategies // children)
        else:  # he has to have an answer to every move, so they multiply
            children = draw(st.integers(1, most_children))
            for below in draw(_shares(is_open, children)) if undefined else [is_open] * children:
                add(depth - 1, below, _root(strategies, children))
        builder.close()
        if named:
            _name(draw, builder, node, children)

    add(most_depth, frozenset(range(worlds)), most_strategies)
    weights = draw(weights_of(worlds)) if weighted else (1,) * worlds
    if not named:
        return builder.tree(weights)
    world_names = draw(st.none() | st.lists(NAMES, min_size=worlds, max_size=worlds).map(tuple))
    return builder.tree(weights, world_names=world_names, title=draw(st.none() | NAMES))


def weights_of(worlds):
    """Equal weights, or any others: not negative, not all zero."""
    any_weights = st.lists(_WEIGHTS, min_size=worlds, max_size=worlds).map(tuple).filter(any)
    return st.just((1,) * worlds) | any_weights


def strategy_count(tree, node=0):
    """How many strategies MAX has."""
    below = [strategy_count(tree, tree.play(node, move)) for move in tree.moves(node)]
    if tree.to_move(node) is Side.MAX:
        return sum(below)
    product = 1
    for count in below:
        product *= count
    return product


def _root(number, degree):
    """The largest whole number whose power does not pass the number."""
    return max(root for root in range(1, 1 + round(number ** (1 / degree)) + 1) if root**degree <= number)


@st.composite
def _shares(draw, worlds, moves):
    """The worlds in which each of MIN's moves is open: each in some, and each world has some move."""
    if not draw(st.booleans()):
        return [worlds] * moves
    shares = [draw(st.sets(st.sampled_from(sorted(worlds)), min_size=1)) for _ in range(moves)]
    for world in sorted(worlds.difference(*shares)):
        shares[draw(st.integers(0, moves - 1))].add(world)
    return [frozenset(share) for share in shares]


def _name(draw, builder, node, children):
    if draw(st.booleans()):
        builder.names[node] = draw(NAMES)
    if draw(st.booleans()):
        builder.move_names[node] = tuple(draw(st.lists(NAMES, min_size=children, max_size=children)))


LABELS = st.text(
    st.sampled_from(list("ab,'\"\\{}\n é棋♠")) | st.characters(exclude_categories=["Cs", "Cc"]), max_size=4
)
"""Names that a file format may trip over: quotes, backslashes, braces, line ends, any alphabet, nothing."""

RATIONALS = st.integers(-9, 9) | st.fractions(-3, 3, max_denominator=7)
"""Payoffs of extensive-form games, exact."""


@st.composite
def extensive_games(
    draw,
    *,
    payoffs=RATIONALS,
    most_players=3,
    most_nodes=30,
    most_depth=5,
    most_actions=3,
    chance_moves=True,
    perfect_recall=False,
    zero_sum=False,
    inner_outcomes=False,
    labels=False,
):
    """An ``ExtensiveGame`` of any shape: a lone leaf, nodes with one action, sets that span depths, repeated payoffs.

    ``payoffs``           what to draw payoffs from: any strategy of exact numbers
    ``most_players``      players are 1 to this many (2 at least if ``zero_sum``)
    ``most_nodes``        nodes are 1 to this many
    ``most_depth``        moves from the root to a leaf are at most this many
    ``most_actions``      actions at a node are 1 to this many
    ``chance_moves``      whether there may be chance nodes; probabilities are exact, and may be 0
    ``perfect_recall``    whether nodes of one set must agree in what their player knew and did before; otherwise any
                          nodes of one player with as many actions may share a set, except a node and its ancestor
    ``zero_sum``          whether payoffs, at inner nodes too, sum to 0
    ``inner_outcomes``    whether something may be paid at inner nodes, and nothing be said at leaves
    ``labels``            whether everything has a name from ``LABELS``; without, actions are a, b, c and the rest is
                          unnamed
    """
    players = draw(st.integers(2 if zero_sum else 1, most_players))

    def label():
        """A name; where there are none, nothing is drawn, which takes time even if there is nothing to choose."""
        return draw(LABELS) if labels else ""

    builder = GameBuilder([label() for _ in range(players)])
    sets = []  # of each set: its player, its actions, and what its player knew and did before its first node
    kinds = ["leaf", "decision", "decision", "decision", *["chance"] * chance_moves]
    room = most_nodes - 1

    def add(depth, path):
        """Add a node and what is below; the path has a (player, set, action) for every decision above."""
        nonlocal room
        kind = draw(st.sampled_from(kinds)) if depth and room else "leaf"
        if kind == "leaf":
            builder.leaf(draw(_payments(players, payoffs, zero_sum)), outcome=label(), name=label())
            return
        count = draw(st.integers(1, min(most_actions, room)))
        room -= count
        actions = tuple(label() if labels else "abcdefghij"[number] for number in range(count))
        if kind == "chance":
            builder.chance(actions, draw(_probabilities(count)), name=label())
            steps = [path] * count
        else:
            player = draw(st.integers(0, players - 1))
            number = draw(st.sampled_from(sets_for(player, count, path)))
            if number == len(sets):
                sets.append((player, actions, own(player, path)))
            builder.decision(player, number, sets[number][1], set_name=label(), name=label())
            steps = [(*path, (player, number, move)) for move in range(count)]
        for step in steps:
            add(depth - 1, step)

    def own(player, path):
        return [step for step in path if step[0] == player]

    def sets_for(player, count, path):
        """A set of its own, or one that is there already."""
        above = {number for _, number, _ in path}
        return [len(sets)] + [
            number
            for number, (whose, actions, before) in enumerate(sets)
            if (whose, len(actions)) == (player, count)
            and (before == own(player, path) if perfect_recall else number not in above)
        ]

    add(most_depth, ())
    game = builder.game(label(), label())
    return draw(_with_inner_outcomes(game, payoffs, zero_sum, LABELS if labels else None)) if inner_outcomes else game


@st.composite
def _payments(draw, players, payoffs, zero_sum):
    """A payoff for each player."""
    amounts = draw(st.lists(payoffs, min_size=players, max_size=players))
    return [*amounts[:-1], -sum(amounts[:-1])] if zero_sum else amounts


@st.composite
def _probabilities(draw, count):
    """Exact probabilities of any size; some may be 0."""
    weights = draw(st.lists(st.integers(0, 6), min_size=count, max_size=count).filter(any))
    return [Fraction(weight, sum(weights)) for weight in weights]


@st.composite
def _with_inner_outcomes(draw, game, payoffs, zero_sum, label):
    """The game with some leaves' outcomes taken away, and something paid at some inner nodes."""
    outcomes, outcome = list(game.outcomes), game.outcome.tolist()
    for node in range(len(game)):
        if draw(st.booleans()):
            continue
        if outcome[node] >= 0:
            outcome[node] = -1
        else:
            outcome[node] = len(outcomes)
            amounts = draw(_payments(len(game.players), payoffs, zero_sum))
            name = "" if label is None else draw(label)
            outcomes.append(Outcome(tuple(map(exact_number, amounts)), name))
    return replace(game, outcomes=tuple(outcomes), outcome=np.array(outcome, dtype=np.int32))
