"""Random values for property tests: possible-world trees and extensive-form games of every shape.

Hypothesis takes its time by the choice, and whatever it chooses should be a tree. So a node's kind and number of moves
are one choice, a row of payoffs is one word, and what does not fit is made to: nothing is filtered, nothing given up.
"""

from dataclasses import replace
from fractions import Fraction
from functools import cache
from itertools import product

import numpy as np
from hypothesis import strategies as st

from worldwise.core.game import Side
from worldwise.core.vector import exact_number
from worldwise.extensive.building import GameBuilder
from worldwise.extensive.game import Outcome
from worldwise.trees.world_tree import TreeBuilder


def _fractions(least, most, largest_denominator):
    """Every fraction in lowest terms between two whole numbers, the simplest first."""
    all_of_them = {
        Fraction(above, below)
        for below in range(1, largest_denominator + 1)
        for above in range(least * below, most * below + 1)
    }
    return tuple(sorted(all_of_them, key=lambda number: (number.denominator, abs(number), number < 0)))


WINS = (0, 1)
"""Payoffs of games that are won or lost."""

INTEGERS = (0, 1, -1, 2, -2, 3, -3, 4, 5, 6, 7, 8, 9)
"""Payoffs that a thermometer codes."""

REALS = st.floats(-100, 100).map(lambda payoff: payoff + 0.0)
"""Payoffs that are rarely whole; -0 is left out."""

NAMES = st.text(st.characters(exclude_categories=["Cs"]), max_size=5)
"""Names of anything; lone surrogates are left out, since two of them would be read as one character."""

_WEIGHTS = (*(*range(6), 0.0, 0.1, 0.25, 1 / 3, 0.5, 2.5) * 8, *_fractions(0, 2, 12))
"""Weights of worlds; whole numbers and floats are there several times, because there are so many fractions."""


@cache
def rows(values, length):
    """So many of these values, in any order: a strategy's, or those of a tuple, the simplest first.

    Of a tuple a row is one word, each of whose letters stands for a value: a fifth of the time of a list.
    """
    if not isinstance(values, tuple):
        return st.lists(values, min_size=length, max_size=length)
    meant = {chr(ord("0") + number): value for number, value in enumerate(values)}
    return st.text(list(meant), min_size=length, max_size=length).map(lambda word: [meant[letter] for letter in word])


@cache
def _any_of(*ranges):
    """One of each; the choice is a single one."""
    return st.sampled_from([*product(*ranges)])


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

    ``payoffs``           what to draw payoffs from: ``INTEGERS``, ``WINS``, ``REALS``, any tuple or strategy of finite
                          numbers
    ``most_worlds``       worlds are 1 to this many
    ``most_depth``        moves from the root to a leaf are at most this many
    ``most_children``     moves at a node are 1 to this many
    ``most_strategies``   MAX has at most this many strategies, so that all of them can be tried
    ``undefined``         whether MIN's moves may be open in some worlds only; payoffs below are undefined in the others
    ``weighted``          whether worlds may differ in weight, and weigh nothing; weights are ints, floats or Fractions
    ``named``             whether nodes, moves, worlds and the tree may have names

    Trees are well-formed: MAX's moves are open in the same worlds, and every world is reached somewhere.
    """
    worlds = draw(_numbers(1, most_worlds))
    builder = TreeBuilder()
    # Leaf, MAX and MIN are as likely as each other; where he can, MIN has moves that are open in some worlds only.
    kinds = _any_of(
        (None, None, Side.MAX, Side.MAX, Side.MIN, Side.MIN), (False, undefined), range(1, most_children + 1)
    )

    def add(depth, is_open, strategies):
        """Add a node that is open in these worlds and leaves MAX no more strategies than these."""
        side, shared, children = draw(kinds) if depth else (None, False, 0)
        node = builder.open(side)
        if side is None:
            children = 0
            row = draw(rows(payoffs, worlds))
            builder.fill(payoff if world in is_open else float("nan") for world, payoff in enumerate(row))
        elif side is Side.MAX:  # he adds up the strategies below
            children = min(children, strategies)
            for _ in range(children):
                add(depth - 1, is_open, strategies // children)
        else:  # he has to have an answer to every move, so they multiply
            for below in draw(_shares(is_open, children)) if shared else [is_open] * children:
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


@cache
def _numbers(least, most):
    return st.integers(least, most)


@cache
def weights_of(worlds):
    """Equal weights, or any others: not negative, not all zero."""
    equal = (1,) * worlds
    return st.just(equal) | rows(_WEIGHTS, worlds).map(lambda weights: tuple(weights) if any(weights) else equal)


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


@cache
def _shares(worlds, moves):
    """The worlds in which each of MIN's moves is open: each in some, and each world has some move."""
    inside = sorted(worlds)
    open_moves = tuple(moves_of_one for moves_of_one in product((True, False), repeat=moves) if any(moves_of_one))

    def by_move(row):
        """A move that no world has is open in the world that its number points to."""
        shares = [{world for world, has in zip(inside, row, strict=True) if has[move]} for move in range(moves)]
        return [frozenset(share or {inside[move % len(inside)]}) for move, share in enumerate(shares)]

    return rows(open_moves, len(inside)).map(by_move)


def _name(draw, builder, node, children):
    if draw(st.booleans()):
        builder.names[node] = draw(NAMES)
    if draw(st.booleans()):
        builder.move_names[node] = tuple(draw(st.lists(NAMES, min_size=children, max_size=children)))


LABELS = st.text("ab,'\"\\{}\n é棋♠", max_size=4) | st.text(
    st.characters(exclude_categories=["Cs", "Cc"], include_characters="\n"), max_size=4
)
"""Names that a file format may trip over: quotes, backslashes, braces, line ends, any alphabet, nothing."""

RATIONALS = (*(0, *(sign * number for number in range(1, 10) for sign in (1, -1))) * 5, *_fractions(-3, 3, 7))
"""Payoffs of extensive-form games, exact; whole numbers are there several times, as there are so many fractions."""


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

    ``payoffs``           what to draw payoffs from: a tuple or a strategy of exact numbers
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
    players = draw(_numbers(2 if zero_sum else 1, most_players))

    def label():
        """A name; where there are none, nothing is drawn, which takes time even if there is nothing to choose."""
        return draw(LABELS) if labels else ""

    builder = GameBuilder([label() for _ in range(players)])
    sets = []  # of each set: its player, its actions, and what its player knew and did before its first node
    paid = {}  # at inner nodes that pay, what; at leaves of which nothing is said, None
    kinds = ("leaf", "decision", "decision", "decision", *["chance"] * chance_moves)
    otherwise = (False, inner_outcomes)
    nodes = _any_of(kinds, range(1, most_actions + 1), range(most_players), otherwise)  # shrinks with any players
    payments = _payments(players, payoffs, zero_sum)
    room = most_nodes - 1

    def add(depth, path):
        """Add a node and what is below; the path has a (player, set, action) for every decision above."""
        nonlocal room
        kind, count, player, pays = draw(nodes if depth and room else _any_of(("leaf",), (0,), (0,), otherwise))
        if pays:
            paid[len(builder)] = None if kind == "leaf" else outcome()
        if kind == "leaf":
            builder.leaf(draw(payments), outcome=label(), name=label())
            return
        count, player = min(count, room), player % players
        room -= count
        actions = tuple(label() if labels else "abcdefghij"[number] for number in range(count))
        if kind == "chance":
            builder.chance(actions, draw(_probabilities(count)), name=label())
            steps = [path] * count
        else:
            number = _one_of(draw, sets_for(player, count, path))
            if number == len(sets):
                sets.append((player, actions, _own(player, path)))
            builder.decision(player, number, sets[number][1], set_name=label(), name=label())
            steps = [(*path, (player, number, move)) for move in range(count)]
        for step in steps:
            add(depth - 1, step)

    def outcome():
        return Outcome(tuple(map(exact_number, draw(payments))), label())

    def sets_for(player, count, path):
        """A set of its own, or one that is there already."""
        above = {number for _, number, _ in path}
        return [len(sets)] + [
            number
            for number, (whose, actions, before) in enumerate(sets)
            if (whose, len(actions)) == (player, count)
            and (before == _own(player, path) if perfect_recall else number not in above)
        ]

    add(most_depth, ())
    return _with_outcomes(builder.game(label(), label()), paid)


def _own(player, path):
    return [step for step in path if step[0] == player]


def _one_of(draw, numbers):
    return numbers[draw(_numbers(0, len(numbers) - 1))] if len(numbers) > 1 else numbers[0]


@cache
def _payments(players, payoffs, zero_sum):
    """A payoff for each player."""
    if not zero_sum:
        return rows(payoffs, players)
    return rows(payoffs, players - 1).map(lambda amounts: [*amounts, -sum(amounts)])


@cache
def _probabilities(count):
    """Exact probabilities of any size; some may be 0."""

    def of_weights(weights):
        return [Fraction(weight, sum(weights)) for weight in weights] if any(weights) else [Fraction(1, count)] * count

    return rows(tuple(range(7)), count).map(of_weights)


def _with_outcomes(game, paid):
    """The game with the outcomes of these nodes: none where it is None."""
    if not paid:
        return game
    outcomes, outcome = list(game.outcomes), game.outcome.tolist()
    for node, payment in sorted(paid.items()):
        outcome[node] = -1 if payment is None else len(outcomes)
        outcomes += [] if payment is None else [payment]
    return replace(game, outcomes=tuple(outcomes), outcome=np.array(outcome, dtype=np.int32))
