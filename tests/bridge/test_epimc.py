"""The example that plays EPIMC: its linear programme against alpha-mu's search."""

from pathlib import Path
from runpy import run_path

import pytest

from doubtful_contracts import situation
from worldwise.bridge.solvers.deal_game import DealGame
from worldwise.search.alphamu_root import Root

EPIMC = run_path(str(Path(__file__).parents[2] / "examples" / "epimc.py"))
SMALL = [15, 26, 59, 167, 258, 260, 438, 443]
"""Situations, two or three cards ahead, in which PIMC hopes for more than one plan has; some have weights."""


@pytest.mark.parametrize("number", SMALL)
def test_without_coins_it_is_alphamu(needs_kernels, number):
    """Whole weights are plans, so the best is alpha-mu's. Coins never cost, and gain no more than PIMC hopes for."""
    asked = situation(number)
    game = DealGame(asked.view, tuple(asked.layouts), asked.goal, tuple(asked.weights or ()))
    found = asked.searched(Root.COMPARE)
    for choice, known, hoped in zip(found.choices, found.found, found.pimc, strict=True):
        pure, mixed = (
            EPIMC["equilibrium_value"](game, asked.solvers, choice[0], asked.depth, pure=pure) for pure in (True, False)
        )
        assert pure == pytest.approx(known.value)
        assert known.value - 1e-6 <= mixed <= hoped + 1e-6
