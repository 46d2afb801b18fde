"""Hints and reviews for a terminal and for programs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from worldwise.kriegspiel.rules.squares import uci

if TYPE_CHECKING:
    from collections.abc import Sequence

    from worldwise.kriegspiel.players.advice import RatedTries, RatedTry, ReviewedTry
    from worldwise.kriegspiel.rules.squares import Colour, Geometry

HINTS = 3


def hint_words(rated: RatedTries, geometry: Geometry) -> str:
    """The best tries of a turn."""
    where = "the one board" if rated.boards == 1 else f"{rated.boards:,} boards"
    head = f"best on {where} that fit what you have heard:"
    return "\n".join([head, *(f"  {_rated_words(one, rated, geometry)}" for one in rated.tries[:HINTS])])


def _rated_words(one: RatedTry, rated: RatedTries, geometry: Geometry) -> str:
    worth = "forces mate" if one.move in rated.mates else "" if rated.ending else f"worth {one.worth:+.1f}"
    words = [uci(one.move, geometry), worth, f"legal on {100 * one.chance:.0f} % of them"]
    return ", ".join(filter(None, words))


def review_words(tries: Sequence[ReviewedTry], colour: Colour, geometry: Geometry, worst: int) -> str:
    """What a player's tries cost in all, the dearest of them, and how near the truth he could be."""
    costs = [one.cost for one in tries if one.cost is not None]
    lines = [f"{colour}: {len(tries)} tries, {len(costs)} of them rated in pawns; they cost {sum(costs):.1f} in all"]
    dear = sorted((one for one in tries if one.cost), key=lambda one: -(one.cost or 0))[:worst]
    lines += [_dear_words(one, geometry) for one in sorted(dear, key=lambda one: one.number)]
    lines += [_other_words(one, geometry) for one in tries if one.misses_mate or one.is_rash]
    return "\n".join([*lines, *_truth_words(tries)])


def _dear_words(one: ReviewedTry, geometry: Geometry) -> str:
    assert one.rated is not None
    assert one.own is not None
    refused = " (refused)" if one.refused else ""
    own = f"{uci(one.move, geometry)}{refused}, {_figures(one.own)}"
    best = f"{uci(one.rated.best.move, geometry)}, {_figures(one.rated.best)}"
    return f"  move {one.number}: {own}; best {best}: cost {one.cost:.1f}"


def _figures(one: RatedTry) -> str:
    return f"worth {one.worth:+.1f}, legal with {100 * one.chance:.0f} %"


def _other_words(one: ReviewedTry, geometry: Geometry) -> str:
    if one.misses_mate:
        assert one.rated is not None
        keys = " or ".join(uci(key, geometry) for key in sorted(one.rated.mates))
        return f"  move {one.number}: {uci(one.move, geometry)} misses a mate that {keys} forces"
    return f"  move {one.number}: {uci(one.move, geometry)} risks a piece or stalemate, and other tries do not"


def _truth_words(tries: Sequence[ReviewedTry]) -> list[str]:
    known = [one for one in tries if one.truth is not None]
    if not known:
        return []
    mean, low = sum(one.truth or 0 for one in known) / len(known), min(known, key=lambda one: one.truth or 0)
    said = f"a belief could give {100 * mean:.0f} % on average to each enemy piece where it really stood"
    return [f"{said}; least at move {low.number}, {100 * (low.truth or 0):.0f} %"]


def review_json(tries: Sequence[ReviewedTry], geometry: Geometry) -> list[dict[str, Any]]:
    """Every try for programs; what is not known is null."""
    return [_try_json(one, geometry) for one in tries]


def _try_json(one: ReviewedTry, geometry: Geometry) -> dict[str, Any]:
    rated = one.rated
    return {
        "move": one.number,
        "try": uci(one.move, geometry),
        "refused": one.refused,
        "worth": None if one.own is None or one.cost is None else round(one.own.worth, 4),
        "chance": None if rated is None else round(one.own.chance, 4) if one.own else 0.0,
        "best": None if rated is None else uci(rated.best.move, geometry),
        "best_worth": None if rated is None or one.cost is None else round(rated.best.worth, 4),
        "best_chance": None if rated is None else round(rated.best.chance, 4),
        "cost": None if one.cost is None else round(one.cost, 4),
        "mates": [] if rated is None else [uci(key, geometry) for key in sorted(rated.mates)],
        "truth": None if one.truth is None else round(one.truth, 4),
    }
