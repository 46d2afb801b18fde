"""Games in extensive form and their solutions as dictionaries for programs.

One rule for numbers: a whole number is a JSON number, any other exact number a string such as ``"1/2"``. The numbers of
pure strategies, which may have thousands of digits, are strings such as ``"8.4e1643"`` above 2^53, with their logarithm
beside them. Only measured seconds are floats.
"""

from __future__ import annotations

from math import log10
from typing import TYPE_CHECKING, Any

from worldwise.core.game import CHANCE
from worldwise.extensive.views.words import (
    agents_words,
    belief_words,
    count_word,
    exact_word,
    forgotten_words,
    named_moves,
    player_word,
    verdict_words,
)

if TYPE_CHECKING:
    from collections.abc import Iterable

    from worldwise.core.game import Rational
    from worldwise.core.solution import Profile
    from worldwise.extensive.game import ExtensiveGame
    from worldwise.extensive.judging import GameReport, JudgedSolution, Recall

_LARGEST = 2**53
"""The largest whole number that every reader of JSON takes."""


def number_json(number: Rational) -> int | str:
    """A number by the rule above.

    >>> from fractions import Fraction
    >>> number_json(3), number_json(Fraction(-99, 2)), number_json(10**60)
    (3, '-99/2', '1e60')
    """
    whole = number.denominator == 1 and -_LARGEST <= number <= _LARGEST
    return int(number) if whole else exact_word(number)


def report_json(report: GameReport) -> dict[str, Any]:
    """What kind of game it is."""
    game, sizes = report.game, report.measures
    return {
        "title": game.title,
        "players": list(game.players),
        "nodes": sizes.nodes,
        "leaves": sizes.leaves,
        "depth": sizes.depth,
        "chance_nodes": sizes.chance_nodes,
        "information_sets": list(sizes.information_sets),
        "pure_strategies": [count if count <= _LARGEST else count_word(count) for count in sizes.pure_strategies],
        "log10_pure_strategies": [round(log10(count), 3) for count in sizes.pure_strategies],
        "zero_sum": sizes.zero_sum,
        "perfect_information": sizes.perfect_information,
        "perfect_recall": report.perfect_recall,
        "forgetful": [_recall_json(game, recall) for recall in report.forgetful],
    }


def _recall_json(game: ExtensiveGame, recall: Recall) -> dict[str, Any]:
    witness, earlier = recall.witness, game.nodes_of[recall.witness.earlier][0]
    return {
        "player": player_word(game, witness.player),
        "earlier": game.set_label(witness.earlier),
        "later": game.set_label(witness.later),
        "nodes": [game.place(node) for node in witness.nodes],
        "actions": [None if action is None else game.move_label(earlier, action) for action in witness.actions],
        "absent_minded": witness.absent_minded,
        "words": forgotten_words(game, witness),
        "kinds": [
            {"kind": one.kind.name.lower().replace("_", "-"), "words": forgotten_words(game, one)}
            for one in recall.kinds
        ],
        "agents": None if recall.agents is None else [list(map(game.set_label, sets)) for sets in recall.agents],
        "agents_words": agents_words(game, recall),
    }


def solution_json(result: JudgedSolution) -> dict[str, Any]:
    """A solution with the keys that programs rely on; ``value`` is what the first player gets.

    >>> from worldwise.catalog import game
    >>> from worldwise.extensive.solving import solve_game
    >>> from worldwise.extensive.judging import judge_solution
    >>> g2 = game("bmv96/fig-2-g2")
    >>> answer = solution_json(judge_solution(g2, "imp-minimax", solve_game(g2, "imp-minimax")))
    >>> answer["value"], answer["believed"], answer["gain"]["gain"]
    ('-99/2', [1], 50)
    """
    gain = result.gain
    return {
        "algorithm": result.algorithm,
        "answer": result.answer,
        "value": None if result.payoffs is None else number_json(result.payoffs[0]),
        "payoffs": _numbers(result.payoffs),
        "believed": _numbers(result.believed),
        "why": belief_words(result) or None,
        "profile": None if result.profile is None else profile_json(result.game, result.profile),
        "proven": result.proven,
        "holds": result.holds,
        "verdict": verdict_words(result),
        "gain": gain
        and {
            "player": player_word(result.game, gain.player),
            "gain": number_json(gain.gain),
            "profile": profile_json(result.game, gain.strategy),
        },
        "complete": result.complete,
        **({"source": result.source} if result.source else {}),
        "leaves": result.game.leaves,
        "stats": vars(result.stats),
    }


def _numbers(numbers: Iterable[Rational] | None) -> list[int | str] | None:
    return None if numbers is None else list(map(number_json, numbers))


def profile_json(game: ExtensiveGame, profile: Profile) -> list[dict[str, Any]]:
    """Choices by information set."""
    return [
        {"player": player_word(game, game.events[number].player), "set": game.set_label(number), "action": action}
        for number, action in named_moves(game, profile)
    ]


def game_json(game: ExtensiveGame) -> dict[str, Any]:
    """A whole game: its information sets and chance moves, and its nodes in preorder."""
    return {
        "title": game.title,
        "comment": game.comment,
        "players": list(game.players),
        "events": [_event_json(game, number) for number in range(len(game.events))],
        "nodes": [_node_json(game, node) for node in range(len(game))],
    }


def _event_json(game: ExtensiveGame, number: int) -> dict[str, Any]:
    event = game.events[number]
    labels = {"set": game.set_label(number), "actions": list(event.actions)}
    if event.player == CHANCE:
        chances = game.chances(game.nodes_of[number][0])
        return {"player": None, **labels, "probabilities": _numbers(chances)}
    return {"player": event.player + 1, **labels}


def _node_json(game: ExtensiveGame, node: int) -> dict[str, Any]:
    above = int(game.parent[node])
    name = {"name": game.names[node]} if node in game.names else {}
    place = {"parent": above, "action": game.action_to(node)} if node else {}
    if game.to_move(node) is None:
        return {**name, **place, "payoffs": _numbers(game.payoffs(node))}
    return {**name, **place, "event": game.information_set(node)}
