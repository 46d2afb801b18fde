"""One call to solve a game in extensive form, by the name of an algorithm, as fast as we can."""

from __future__ import annotations

from typing import TYPE_CHECKING

from worldwise.core.result import NO_LIMIT, Limit
from worldwise.errors import InputError, UnknownNameError
from worldwise.extensive.compiled_imp import CompiledImpAlphaBeta, CompiledImpMinimax
from worldwise.search.chance_minimax import ChanceMinimax
from worldwise.search.equilibrium import EquilibriumAnswer, PureEquilibrium
from worldwise.search.responses import ExtensiveBruteForce

if TYPE_CHECKING:
    from worldwise.core.game import AnyExtensiveForm, Rational
    from worldwise.core.solution import GameSolver, Solution

GAME_ALGORITHMS = ("chance-minimax", "imp-minimax", "imp-alpha-beta", "brute-force", "pure-equilibrium")
"""BMV96's, then the exact ones."""


def solve_game(
    game: AnyExtensiveForm,
    search: str = "imp-minimax",
    *,
    upper: Rational | None = None,
    limit: Limit = NO_LIMIT,
) -> Solution | EquilibriumAnswer:
    """Run an algorithm on a game in extensive form; ``upper`` bounds the payoffs for imp-alpha-beta.

    >>> from worldwise.catalog import game
    >>> solve_game(game("bmv96/fig-2-g2"), "brute-force").value
    Fraction(1, 2)
    """
    if upper is not None and search != "imp-alpha-beta":
        raise InputError(f"an upper bound on payoffs is for imp-alpha-beta; {search} expects none, found {upper}")
    if search == "pure-equilibrium":
        return PureEquilibrium().search(game, limit)
    return _solver(search, upper).search(game, limit)


def _solver(name: str, upper: Rational | None) -> GameSolver:
    solvers: dict[str, GameSolver] = {
        "chance-minimax": ChanceMinimax(),
        "imp-minimax": CompiledImpMinimax(),
        "imp-alpha-beta": CompiledImpAlphaBeta(upper),
        "brute-force": ExtensiveBruteForce(),
    }
    if name not in solvers:
        raise UnknownNameError("algorithm", name, GAME_ALGORITHMS)
    return solvers[name]
