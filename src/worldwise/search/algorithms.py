"""Every algorithm by the name the papers give it; ivm-tiebreak is ours."""

from __future__ import annotations

from typing import TYPE_CHECKING

from worldwise.errors import UnknownNameError
from worldwise.search.exact import Exact
from worldwise.search.heuristics import AlphaBeta, VectorMinimax
from worldwise.search.monte_carlo import MonteCarlo
from worldwise.search.random_ties import FIRST, Ties

if TYPE_CHECKING:
    from worldwise.core.result import Searcher

ALGORITHMS = (
    "monte-carlo",
    "vector-mm",
    "vm-alphabeta",
    "vm-beta",
    "ivm-tiebreak",
    "ivm",
    "prm",
    "prm-beta",
    "ivm-beta",
    "iprm",
    "iprm-beta",
    "exact",
)
"""In the order of FB01 Fig 28, weakest first."""


def algorithm(name: str, ties: Ties = FIRST) -> Searcher:
    """The searcher of this name.

    >>> algorithm("prm-beta")
    VectorMinimax(reduce=True, beta=True, iterate=False, ties=Ties(seed=None), tiebreak=False)
    """
    if name not in ALGORITHMS:
        raise UnknownNameError("algorithm", name, ALGORITHMS)
    if name == "monte-carlo":
        return MonteCarlo(ties=ties)
    if name == "vm-alphabeta":
        return AlphaBeta(ties)
    if name == "exact":
        return Exact(ties=ties)
    return VectorMinimax("prm" in name, "beta" in name, name.startswith("i"), ties, tiebreak="tiebreak" in name)
