"""One call to solve a game in extensive form, by the name of an algorithm, as fast as we can."""

from __future__ import annotations

from typing import TYPE_CHECKING

from worldwise.core.result import NO_LIMIT, Limit
from worldwise.errors import GameError, InputError, UnknownNameError
from worldwise.extensive.compiled_imp import CompiledImpAlphaBeta, CompiledImpMinimax
from worldwise.extensive.game import ExtensiveGame
from worldwise.extensive.recall import find_forgotten
from worldwise.search.cfr import CfrPlus
from worldwise.search.chance_minimax import ChanceMinimax
from worldwise.search.equilibrium import EquilibriumAnswer, PureEquilibrium
from worldwise.search.mixed_equilibrium import MixedEquilibrium
from worldwise.search.responses import ExtensiveBruteForce
from worldwise.search.team import TeamOptimum

if TYPE_CHECKING:
    from worldwise.core.game import AnyExtensiveForm, Rational
    from worldwise.core.solution import GameSolver, MixedSolution, Solution

GAME_ALGORITHMS = (
    "chance-minimax",
    "imp-minimax",
    "imp-alpha-beta",
    "brute-force",
    "branch-and-bound",
    "pure-equilibrium",
)
"""BMV96's, then the exact ones."""

MIXED_ALGORITHMS = (MixedEquilibrium.name, CfrPlus.name)
"""For mixed strategies: the exact one, and the one for large games."""


def solve_game(
    game: AnyExtensiveForm,
    search: str = "imp-minimax",
    *,
    upper: Rational | None = None,
    lower: Rational | None = None,
    limit: Limit = NO_LIMIT,
) -> Solution | EquilibriumAnswer:
    """Run an algorithm on a game in extensive form; ``upper`` and ``lower`` bound the payoffs for imp-alpha-beta.

    >>> from worldwise.catalog import game
    >>> solve_game(game("bmv96/fig-2-g2"), "brute-force").value
    Fraction(1, 2)
    """
    for side, bound in (("an upper", upper), ("a lower", lower)):
        if bound is not None and search != "imp-alpha-beta":
            raise InputError(f"{side} bound on payoffs is for imp-alpha-beta; {search} expects none, found {bound}")
    if search == "pure-equilibrium":
        return PureEquilibrium().search(game, limit)
    return _solver(search, upper, lower).search(game, limit)


def _solver(name: str, upper: Rational | None, lower: Rational | None) -> GameSolver:
    solvers: dict[str, GameSolver] = {
        "chance-minimax": ChanceMinimax(),
        "imp-minimax": CompiledImpMinimax(),
        "imp-alpha-beta": CompiledImpAlphaBeta(upper, lower),
        "brute-force": ExtensiveBruteForce(),
        "branch-and-bound": TeamOptimum(),
    }
    if name not in solvers:
        raise UnknownNameError("algorithm", name, GAME_ALGORITHMS)
    return solvers[name]


def solve_mixed(
    game: AnyExtensiveForm, search: str = MixedEquilibrium.name, *, limit: Limit = NO_LIMIT
) -> MixedSolution:
    """An equilibrium in mixed strategies of a zero-sum game of two players who forget nothing.

    >>> from worldwise.catalog import game
    >>> round(solve_mixed(game("bmv96/fig-4")).value, 6)
    0.0
    """
    if search not in MIXED_ALGORITHMS:
        raise UnknownNameError("algorithm", search, MIXED_ALGORITHMS)
    witness = find_forgotten(game) if isinstance(game, ExtensiveGame) else None
    if isinstance(game, ExtensiveGame) and witness:
        where = f"{game.players[witness.player]} forgets something at set {game.set_label(witness.later)}"
        raise GameError(f"{search} expects players who forget nothing, but {where}: worldwise game check says what")
    solver = CfrPlus() if search == CfrPlus.name else MixedEquilibrium()
    return solver.search(game, limit)
