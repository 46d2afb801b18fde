"""Is our seventy percent seventy percent? Chances given to declarer after the opening lead, against what happened.

A forecaster looks at a played table when dummy appears, and says how likely the contract is. Afterwards his chances are
compared with the results: by fifths, and by the Brier score, the mean square of the error (0 is perfect, always saying
50 % has 0.25). What happened depends on players who err, so a forecast that is right for best play may still be off.

=====================  ================================================================================================
``pimc``               the best card's chance, with all cards face up after it, over layouts weighed by the auction
``pimc, no auction``   the same over uniform layouts
``double dummy``       the share of uniform layouts in which the contract can be made by who sees all cards
=====================  ================================================================================================
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from worldwise.bridge.advice.advise import advise
from worldwise.bridge.layouts.bidding_systems import DEFAULT_SYSTEM, NO_SYSTEM
from worldwise.core.statistics import Estimate, mean, wilson

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from worldwise.bridge.advice.record import Advice
    from worldwise.bridge.rules.board import Board

WORLDS = 24
"""On how many layouts a forecast rests."""

FIFTHS = 5

FORECASTERS = ("pimc", "pimc, no auction", "double dummy")


@dataclass(frozen=True)
class Forecast:
    """What was said of a table, and what became of it."""

    chances: Mapping[str, float]
    made: bool


def can_be_judged(board: Board) -> bool:
    """Whether a board says all that is needed: hands, auction, contract, a lead and a result."""
    told = board.auction is not None and board.contract is not None and board.tricks is not None
    return bool(told and board.cards and board.deal.complete)


def forecast(
    board: Board, worlds: int = WORLDS, system: str = DEFAULT_SYSTEM, seed: int = 0, place: int = 1
) -> Forecast:
    """What everybody says of a played table after so many cards: when dummy appears, or later."""
    view = board.with_cards(board.cards[:place]).view(board.play.contract.declarer)
    heard, deaf = (
        advise(view, worlds=worlds, algorithm="pimc", system=one, seed=seed, planning=False, trying=False)
        for one in (system, NO_SYSTEM)
    )
    said = (heard.best.chance, deaf.best.chance, _seen_chance(deaf))
    assert board.tricks is not None
    return Forecast(dict(zip(FORECASTERS, said, strict=True)), board.tricks >= board.play.contract.tricks)


def _seen_chance(advice: Advice) -> float:
    """How often some card makes it, the right one in each layout."""
    lost = set.intersection(*(set(choice.loses) for choice in advice.choices))
    return 1 - sum(advice.weights[world] for world in lost) / sum(advice.weights)


@dataclass(frozen=True)
class Fifth:
    """The tables with chances in one fifth: what was said on average, and how often the contract was made."""

    said: float
    made: Estimate


@dataclass(frozen=True)
class Calibration:
    """How a forecaster fared: what he said on average, how often that came true, his Brier score, and all by fifths.

    ``better`` is by how much his Brier score is lower than without the auction, compared table by table.
    """

    name: str
    said: float
    made: Estimate
    brier: Estimate
    better: Estimate
    fifths: tuple[Fifth | None, ...]


def calibrate(forecasts: Sequence[Forecast]) -> list[Calibration]:
    """All forecasters, on the same tables."""
    return [_calibration(name, forecasts) for name in FORECASTERS]


def _calibration(name: str, forecasts: Sequence[Forecast]) -> Calibration:
    chances = [one.chances[name] for one in forecasts]
    errors, others = _errors(forecasts, name), _errors(forecasts, FORECASTERS[1])
    fifths = tuple(_fifth(name, number, forecasts) for number in range(FIFTHS))
    better = mean([its - own for own, its in zip(errors, others, strict=True)])
    return Calibration(name, sum(chances) / len(chances), _rate_made(forecasts), mean(errors), better, fifths)


def _errors(forecasts: Iterable[Forecast], name: str) -> list[float]:
    return [(one.chances[name] - one.made) ** 2 for one in forecasts]


def _rate_made(forecasts: Sequence[Forecast]) -> Estimate:
    return wilson(sum(one.made for one in forecasts), len(forecasts))


def _fifth(name: str, number: int, forecasts: Iterable[Forecast]) -> Fifth | None:
    """The tables whose chance lies in a fifth, the last one to 100 %; None if there are none."""
    inside = [one for one in forecasts if min(FIFTHS - 1, int(FIFTHS * one.chances[name])) == number]
    return Fifth(sum(one.chances[name] for one in inside) / len(inside), _rate_made(inside)) if inside else None
