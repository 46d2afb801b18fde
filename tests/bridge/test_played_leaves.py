"""The example that plays alpha-mu's leaves out: against alpha-mu itself, and against cards that are played out."""

from pathlib import Path
from random import Random
from runpy import run_path

import pytest

from worldwise.bridge import Aim, BridgeAlphaMu, Goal, Layouts, Pimc
from worldwise.bridge.advice.play_out import SeeingDefence, play_out
from worldwise.bridge.layouts.drawing import draw_worlds
from worldwise.bridge.layouts.evidence import Evidence
from worldwise.bridge.solvers.deal_game import DealGame
from worldwise.bridge.solvers.pimc import SolverCache
from worldwise.catalog import problems
from worldwise.core.result import NO_LIMIT, Clock
from worldwise.search.alphamu_root import Root, ValueKind

EXAMPLE = run_path(str(Path(__file__).parents[2] / "examples" / "played_leaves.py"))
BY_NAME = {problem.name: problem for problem in problems()}
TO_THE_END = 26


class Asked:
    """A problem's game over all its layouts, how alpha-mu compares its cards, and what they are worth played out."""

    def __init__(self, name):
        problem = BY_NAME[name]
        view, self.evidence = problem.view, Evidence(problem.constraints)
        drawn = draw_worlds(Layouts(view, problem.constraints), 40, Random(0))
        assert drawn.exact
        self.game = DealGame(view, drawn.worlds, Goal.seen_by(view, Aim.MAKE), tuple(drawn.weights))

    def compared(self, depth):
        """What alpha-mu finds of every choice."""
        search = BridgeAlphaMu(depth, root=Root.COMPARE)
        found = search.evaluate(self.game.view, self.game.deals, weights=self.game.weights, goal=self.game.goal)
        return {choice[0]: value for choice, value in zip(found.choices, found.found, strict=True)}

    def played(self, card, depth, later=None):
        """What a card is worth if it is played on as the usual declarer does, or one who asks somebody else."""
        solvers = SolverCache(self.game.view.contract.strain)
        table = SeeingDefence(solvers, 0, self.evidence, search=later)
        return EXAMPLE["PlayedLeaves"](self.game, table).value(card, depth)


@pytest.mark.parametrize("name", ["restricted-twice", "double-last-winner", "coup-grand", "entries-unblock"])
def test_where_nothing_is_left_to_play_it_is_alphamu(needs_kernels, name):
    asked = Asked(name)
    ended = {card: found for card, found in asked.compared(TO_THE_END).items() if found.kind is ValueKind.FINAL}
    soon = {card: found for card, found in ended.items() if found.depth <= 3}
    assert soon
    for card, found in soon.items():
        assert asked.played(card, found.depth) == pytest.approx(found.value)


@pytest.mark.parametrize("later", [Pimc(), BridgeAlphaMu(2)], ids=lambda later: later.name)
def test_nobody_plays_better_than_if_he_saw_all_cards(needs_kernels, later):
    asked, short = Asked("combining-1"), 0
    for depth in (1, 2):
        for card, found in asked.compared(depth).items():
            value = asked.played(card, depth, later)
            assert value <= found.value + 1e-9
            short += value < found.value - 1e-9
    assert short


@pytest.mark.parametrize("name", ["combining-1", "discovery-4"])
def test_one_card_ahead_is_the_card_played_out(needs_kernels, name):
    asked = Asked(name)
    for card in asked.compared(1):
        made = play_out(asked.game.view, card, asked.game.deals, 0, Clock(NO_LIMIT), asked.evidence)
        weights = asked.game.weights
        share = sum(weight for weight, won in zip(weights, made, strict=True) if won) / sum(weights)
        assert asked.played(card, 1) == pytest.approx(share)
