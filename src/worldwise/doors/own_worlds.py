"""Worlds and weights in, a value for every card out: for programs that draw layouts of the hidden hands themselves."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from worldwise.bridge.players.world_sample import fits
from worldwise.bridge.rules.deal import Deal, card_name
from worldwise.bridge.rules.goal import Aim, Goal
from worldwise.bridge.solvers.alphamu import BridgeAlphaMu
from worldwise.bridge.solvers.pimc import Pimc
from worldwise.bridge.views.deal_json import contract_json
from worldwise.core.result import NO_LIMIT, Limit
from worldwise.errors import InputError, say_where
from worldwise.search.alphamu_root import Root, ValueKind

if TYPE_CHECKING:
    from collections.abc import Sequence

    from worldwise.bridge.rules.contract import Vulnerability
    from worldwise.bridge.rules.view import View
    from worldwise.bridge.solvers.alphamu import AlphaMuValues
    from worldwise.bridge.solvers.pimc import PimcValues
    from worldwise.core.vector import Weight

MOST_OWN_WORLDS = 2000
"""Worlds of a question."""

DEPTH, MOST_DEPTH = 2, 52
"""How many cards of his own declarer looks ahead, unless the question says otherwise; and the most."""


def read_worlds(view: View, texts: Sequence[str], weights: Sequence[float] | None = None) -> list[Deal]:
    """The worlds of a question, as dealt; each must fit what the player has seen.

    >>> from worldwise.catalog import deal
    >>> read_worlds(deal("deals/two-way-guess").view, [])
    Traceback (most recent call last):
    worldwise.errors.PlacedError: worlds: expected 1 to 2000 deals, found 0
    """
    with say_where("worlds"):
        if not 1 <= len(texts) <= MOST_OWN_WORLDS:
            raise InputError(f"expected 1 to {MOST_OWN_WORLDS} deals, found {len(texts)}")
        worlds = [_read_world(view, number, text) for number, text in enumerate(texts)]
    check_weights(weights, len(worlds))
    return worlds


def check_weights(weights: Sequence[float] | None, worlds: int) -> None:
    """Refuse weights that are too few or too many, or all nothing."""
    with say_where("weights"):
        if weights is not None and len(weights) != worlds:
            raise InputError(f"expected one for each of the {worlds} worlds, found {len(weights)}")
        if weights is not None and not any(weights):
            raise InputError("expected some world to count for something, found none")


def _read_world(view: View, number: int, text: str) -> Deal:
    with say_where(f"number {number}"):
        world = Deal.read(text)
        if world.cards != view.pack or not world.complete or not fits(view, world):
            raise InputError(f"expected a whole deal that fits what {view.seat} has seen, found {world}")
    return world


def own_worlds_json(
    view: View,
    worlds: Sequence[Deal],
    weights: Sequence[Weight] | None,
    aim: Aim,
    vulnerability: Vulnerability,
    algorithm: str = "alphamu",
    limit: Limit = NO_LIMIT,
) -> dict[str, Any]:
    """What every card is worth over these worlds, and what kind of figure that is; the best first.

    alpha-mu is for declarer once dummy is faced. Otherwise, and for defenders, every card's figure is PIMC's: exact for
    one card ahead, with everything seen after it.
    """
    goal = Goal.seen_by(view, aim, vulnerability)
    if algorithm == "alphamu" and view.seat == view.contract.declarer and view.dummy is not None:
        depth = limit.depth or DEPTH
        plans = BridgeAlphaMu(depth, aim, root=Root.COMPARE).evaluate(view, worlds, limit, weights=weights, goal=goal)
        return _values_json(view, aim, plans, _plan_figures(plans))
    seen = Pimc(aim).evaluate(view, worlds, limit, weights=weights, goal=goal)
    figures = [{"value": value, "kind": ValueKind.DEPTH.value, "depth": 1, "pimc": value} for value in seen.averages]
    return _values_json(view, aim, seen, figures)


def _plan_figures(plans: AlphaMuValues) -> list[dict[str, Any]]:
    return [
        {"value": found.value, "kind": found.kind.value, "depth": found.depth, "pimc": hoped}
        for found, hoped in zip(plans.found, plans.pimc, strict=True)
    ]


def _values_json(
    view: View, aim: Aim, found: AlphaMuValues | PimcValues, figures: Sequence[dict[str, Any]]
) -> dict[str, Any]:
    choices = [
        {"cards": list(map(card_name, cards)), **figure} for cards, figure in zip(found.choices, figures, strict=True)
    ]
    best = card_name(found.best)
    return {
        "seat": view.seat.letter,
        "to_play": view.to_move.letter,
        "contract": contract_json(view.contract),
        "aim": aim.value,
        "algorithm": found.algorithm,
        "depth": found.depth,
        "best": best,
        "choices": sorted(choices, key=lambda one: (best not in one["cards"], -one["value"])),
        "worlds_searched": found.worlds_searched,
        "complete": found.complete,
    }
