"""What there is to say of a game in extensive form and of its solutions: exact numbers, and words.

The text, JSON and SVG of games all take what they say from here.
"""

from __future__ import annotations

from decimal import Decimal
from math import log10
from typing import TYPE_CHECKING, cast

import numpy as np

from worldwise.core.reading import read_exact
from worldwise.errors import InputError
from worldwise.extensive.game import NONE, ChanceMove
from worldwise.extensive.judging import MOST_SETS
from worldwise.trees.preorder import LEAF, MAX
from worldwise.trees.world_tree import WorldTree

if TYPE_CHECKING:
    from collections.abc import Mapping
    from fractions import Fraction

    from worldwise.core.game import Rational
    from worldwise.core.solution import Profile
    from worldwise.extensive.game import ExtensiveGame
    from worldwise.extensive.judging import JudgedSolution, Recall
    from worldwise.extensive.recall import Forgotten
    from worldwise.search.equilibrium import Deviation

_LONGEST_NUMBER = 40
"""Digits; a longer number is shown rounded."""


# ---------------------------------------------------------------------- numbers


def exact_word(number: Rational) -> str:
    """An exact number as people write it, unless it is too long to read.

    >>> from fractions import Fraction
    >>> exact_word(Fraction(-99, 2)), exact_word(10**50)
    ('-99/2', '1e50')
    """
    word = _round_number(number) if _digits(number) > _LONGEST_NUMBER else str(number)
    return word.removesuffix("/1")


def number_words(number: Rational) -> str:
    """An exact number, and its decimals if it is not whole.

    >>> from fractions import Fraction
    >>> number_words(Fraction(-99, 2)), number_words(3)
    ('-99/2 (-49.5)', '3')
    """
    exact = exact_word(number)
    return f"{exact} ({_round_number(number)})" if "/" in exact else exact


def count_word(number: int) -> str:
    """A number of things, however large.

    >>> count_word(1234567), count_word(7**2000)
    ('1,234,567', '1.6e1690')
    """
    if number < 10**12:
        return f"{number:,}"
    exponent = int(log10(number))
    return f"{10 ** (log10(number) - exponent):.1f}e{exponent}"


def _digits(number: Rational) -> float:
    """About how many digits it takes to write a number."""
    return (number.numerator.bit_length() + number.denominator.bit_length()) * log10(2)


def _round_number(number: Rational) -> str:
    """To six digits, however large."""
    if _digits(number) < 300:
        return f"{float(number):.6g}".replace("e+", "e")
    value = Decimal(number.numerator) / Decimal(number.denominator)
    return f"{value:.5e}".replace("e+", "e").replace(".00000e", "e")


# ---------------------------------------------------------------------- shape


def shape_of(game: ExtensiveGame) -> WorldTree:
    """The same tree without its rules, its players as worlds: what the layouts of trees need to know."""
    kind = np.where(game.event == NONE, LEAF, MAX).astype(np.uint8)
    payoffs = np.zeros((game.leaves, len(game.players)))
    return WorldTree(kind, game.end, payoffs, (1,) * len(game.players), title=game.title)


def player_word(game: ExtensiveGame, player: int) -> str:
    """A player's name, or number from 1."""
    return game.players[player] or f"player {player + 1}"


def set_word(game: ExtensiveGame, number: int, longest: int = 40) -> str:
    """An information set's label; of a long one the beginning and the end, by which such labels differ.

    >>> from worldwise.extensive import GameBuilder
    >>> builder = GameBuilder(["Ann"])
    >>> builder.decision(0, f"[{'hand ' * 20}card 7]", ["pass"])
    >>> builder.leaf([0])
    >>> set_word(builder.game(), 0)
    '[hand hand han…nd hand hand hand card 7]'
    """
    label = game.set_label(number)
    return label if len(label) <= longest else f"{label[:14]}…{label[15 - longest :]}"


def branch_word(game: ExtensiveGame, node: int, action: int, longest: int = 1000) -> str:
    """The name of a branch; of chance's, with its probability, unless that is the name.

    >>> from worldwise.catalog import game
    >>> branch_word(game("bmv96/fig-2-g2"), 0, 1), branch_word(game("bmv96/fig-3"), 1, 0)
    ('B (1/2)', '.8')
    """
    event, label = game.events[game.information_set(node)], game.move_label(node, action)
    label = label if len(label) <= longest else label[: longest - 1] + "…"
    if not isinstance(event, ChanceMove):
        return label
    chance = event.probabilities[action]
    if label == str(action + 1):
        return exact_word(chance)
    return label if _is_number(label, chance) else f"{label} ({exact_word(chance)})"


def _is_number(text: str, number: Fraction) -> bool:
    try:
        return read_exact(text) == number
    except InputError:
        return False


def chosen_children(game: ExtensiveGame, profile: Profile | None) -> frozenset[int]:
    """The branches that a profile chooses, each by the node it leads to; ``InputError`` if it is not of this game."""
    moves = cast("Mapping[int, int]", profile or {})
    for number, move in moves.items():
        if number not in range(len(game.events)) or move not in range(len(game.events[number].actions)):
            raise InputError(f"expected a profile of this game, found the move {move!r} at set {number!r}")
    return frozenset(game.play(node, move) for number, move in moves.items() for node in game.nodes_of[number])


# ---------------------------------------------------------------------- what kind of game it is


def forgotten_words(game: ExtensiveGame, witness: Forgotten) -> str:
    """Who forgets what, and where.

    >>> from worldwise.catalog import game
    >>> from worldwise.extensive.recall import find_forgotten
    >>> shared = game("bmv96/fig-2-g2")
    >>> forgotten_words(shared, find_forgotten(shared))  # doctest: +NORMALIZE_WHITESPACE
    'at set CD player cannot tell root/A/left from root/B/left, though the first follows left at A
     and the second never was at A'
    """
    one, other = (game.place(node) for node in witness.nodes)
    words = f"at set {set_word(game, witness.later)} {player_word(game, witness.player)} cannot tell {one} from {other}"
    first, second = (_past_words(game, witness, action) for action in witness.actions)
    words += f", though the first {first} and the second {second}"
    return f"{words}: whether a move was made at all is forgotten" if witness.absent_minded else words


def _past_words(game: ExtensiveGame, witness: Forgotten, action: int | None) -> str:
    earlier = set_word(game, witness.earlier)
    if action is None:
        return f"never was at {earlier}"
    return f"follows {game.move_label(game.nodes_of[witness.earlier][0], action)} at {earlier}"


def agents_words(game: ExtensiveGame, recall: Recall) -> str:
    """Which agents a forgetful player would have to be split into."""
    name = player_word(game, recall.witness.player)
    if recall.many:
        return f"{name} has too many sets to look for agents (more than {MOST_SETS:,}); convert --split does, slowly"
    if recall.agents is None:
        return f"no agents help: no split makes {name} know whether he has moved"
    heads = enumerate(recall.agents, 1)
    return "; ".join(f"{name} ({head}): {', '.join(set_word(game, number) for number in sets)}" for head, sets in heads)


# ---------------------------------------------------------------------- what a search found


def verdict_words(result: JudgedSolution) -> str:
    """What a solution is, in a sentence.

    >>> from worldwise.catalog import game
    >>> from worldwise.extensive.judging import judge_solution
    >>> from worldwise.extensive.solving import solve_game
    >>> note = game("bmv96/footnote-21")
    >>> verdict_words(judge_solution(note, "imp-minimax", solve_game(note, "imp-minimax")))
    'not an equilibrium: player 1 gains 99/2 (49.5) by right at AB'
    """
    alone = len(result.game.players) == 1
    noun = "optimal" if alone else "an equilibrium"
    if result.answer:
        return _answer_words(result)
    if result.algorithm == "brute-force" and not alone:
        return f"the best pure strategy of {player_word(result.game, 0)} against best defence"
    if result.algorithm == "branch-and-bound" and result.proven:
        return "optimal" if alone else "the best that the players can do together"
    if result.proven:
        return noun
    if result.gain:
        return f"not {noun}: {gain_words(result, result.gain)}"
    if result.holds is None:
        return f"not proven to be {noun}, and whether somebody gains by leaving it took too long to find out"
    return f"{noun}: not by the algorithm's own promise, but nobody gains by leaving it"


def _answer_words(result: JudgedSolution) -> str:
    return {
        "yes": "an equilibrium",
        "no": "there is no equilibrium in pure strategies",
        "unknown": "not known whether there is an equilibrium in pure strategies: the limit came first",
    }[result.answer or "unknown"]


def gain_words(result: JudgedSolution, gain: Deviation) -> str:
    """Who gains how much, and by playing what otherwise."""
    other = {number: move for number, move in gain.strategy.items() if (result.profile or {}).get(number) != move}
    gainer = player_word(result.game, gain.player)
    return f"{gainer} gains {number_words(gain.gain)} by {move_words(result.game, other)}"


def move_words(game: ExtensiveGame, profile: Profile, most: int = 6) -> str:
    """The moves of a profile in the order of the tree; the first of them, if they are many.

    >>> from worldwise.catalog import game
    >>> move_words(game("bmv96/fig-2-g2"), {1: 0, 2: 1, 3: 1}, most=2)
    'left at A, right at CD and 1 more'
    """
    moves = [f"{action} at {set_word(game, number)}" for number, action in named_moves(game, profile)]
    return ", ".join(moves[:most]) + (f" and {len(moves) - most:,} more" if len(moves) > most else "")


def named_moves(game: ExtensiveGame, profile: Profile) -> list[tuple[int, str]]:
    """The sets of a profile in the order of the tree, each with the name of the action."""
    moves = sorted(cast("Mapping[int, int]", profile).items())
    return [(number, game.move_label(game.nodes_of[number][0], move)) for number, move in moves]


def belief_words(result: JudgedSolution) -> str:
    """Why what a search believed is not what its profile is worth; nothing if it is.

    >>> from worldwise.catalog import game
    >>> from worldwise.extensive.judging import judge_solution
    >>> from worldwise.extensive.solving import solve_game
    >>> g2 = game("bmv96/fig-2-g2")
    >>> belief_words(judge_solution(g2, "chance-minimax", solve_game(g2, "chance-minimax")))
    'it chose at each node by itself, as if player could tell root/A/left from root/B/left (set CD)'
    """
    if result.believed is None or result.believed == result.payoffs:
        return ""
    if result.algorithm == "chance-minimax":
        return _blind_words(result.game)
    if result.forgotten:
        return f"it takes for granted that nothing is forgotten, but {forgotten_words(result.game, result.forgotten)}"
    return (
        "with two players it is a heuristic: a set that it meets in several parts is decided anew for each of them, "
        "and only the last choice stands"
    )


def _blind_words(game: ExtensiveGame) -> str:
    number = next(number for number in game.information_sets() if len(game.nodes_of[number]) > 1)
    one, other = map(game.place, game.nodes_of[number][:2])
    name = player_word(game, game.events[number].player)
    return f"it chose at each node by itself, as if {name} could tell {one} from {other} (set {set_word(game, number)})"


def payoff_words(game: ExtensiveGame, payoffs: tuple[Rational, ...]) -> str:
    """What each player gets, by name if there are several."""
    if len(payoffs) == 1:
        return number_words(payoffs[0])
    return ", ".join(f"{player_word(game, player)}: {number_words(payoff)}" for player, payoff in enumerate(payoffs))


def caption_words(result: JudgedSolution) -> str:
    """A solution in one line."""
    if result.payoffs is None:
        return f"{result.algorithm}: {verdict_words(result)}"
    words = f"{result.algorithm}: worth {payoff_words(result.game, result.payoffs)}"
    believed = result.believed not in (None, result.payoffs)
    return f"{words}; believed {payoff_words(result.game, result.believed or ())}" if believed else words
