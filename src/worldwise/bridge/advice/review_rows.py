"""A reviewed card as plain data, and back: what files keep of a review, and what programs read.

=================  ==================================================================================================
``trick``          the trick it was played to, from 1 on; ``place`` is how many cards were played before
``seat``           who chose it, ``N`` to ``W``; ``hand`` is where it came from, dummy perhaps
``card``           the card, ``SA``; ``best`` is the one to play instead, or the card itself
``verdict``        ``forced``, ``decided``, ``best``, ``equal``, ``close`` or ``mistake``; ``close`` says so in one word
``chance``         of making the contract, for a defender of beating it, with this card; ``before`` with the best one;
                   both null where there was nothing to choose
``cost``           in chance, never below 0; ``interval`` is where it lies with 99 % confidence, if sampled
``score``          points of the player's side on average, and ``score_before``; ``score_cost``, never below 0
``kind``           what the chances are: ``final``; ``depth``: exact for ``depth`` cards ahead, never too little; or
                   ``bound``: one of them is no more than that
``layouts``        how many were looked at; if ``exact``, all; if ``fresh``, others than those that chose the best card
``played_out``     how much more often the best card made the contract, both played out; null if they were not
``double_dummy``   what sees all four hands: its ``best`` card, the tricks of the player's side with it (``most``) and
                   with the card played (``taken``), whether that ``turned`` the contract; null if hands are not known
``gains``          the layouts, by number, in which only the best card succeeds, ``losses`` those in which only this one
                   does, ``sign`` what the first have in common, true ``inside`` so many and ``outside``
``telling``        some of these layouts, as PBN writes a deal
``technique``      what the best card would have been, if that has a name: its ``name``, the ``seat`` and the ``card``
                   that it is about; null otherwise
=================  ==================================================================================================
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from worldwise.bridge.advice.claim_record import PlannedClaim, TrickClaim
from worldwise.bridge.advice.differences import Difference, Holds, Left
from worldwise.bridge.advice.hindsight import Hindsight
from worldwise.bridge.advice.review_record import CardReview, CardVerdict, Reviewed
from worldwise.bridge.advice.techniques import NamedTechnique, Technique
from worldwise.bridge.rules.deal import Deal, Seat, card_name, read_card
from worldwise.bridge.solvers.double_dummy import MOST_TRICKS
from worldwise.core.reading import shorten
from worldwise.core.statistics import Estimate
from worldwise.errors import refuse_failures
from worldwise.search.alphamu_root import ValueKind

if TYPE_CHECKING:
    from worldwise.bridge.advice.differences import Sign

_REALS = ("before", "chance", "score_before", "score")
_OTHERS: dict[str, tuple[type, ...]] = {"depth": (int,), "layouts": (int,), "exact": (bool,), "fresh": (bool,)}
_FIGURES = (*_REALS, *_OTHERS)
_NOTHING: dict[str, Any] = dict.fromkeys((*_FIGURES, "kind", "interval", "difference", "played_out"))


def card_review_json(told: CardReview) -> dict[str, Any]:
    """A reviewed card as plain data."""
    return {
        "trick": told.trick,
        "place": told.place,
        "seat": told.seat.letter,
        "hand": told.hand.letter,
        "card": card_name(told.card),
        "best": card_name(told.best),
        "verdict": told.verdict.value,
        "close": told.close,
        "cost": told.cost,
        "score_cost": told.score_cost,
        **(_NOTHING if told.figures is None else _figures_json(told.figures)),
        **_why_json(told.why),
        "telling": list(map(str, told.telling)),
        "technique": None if told.technique is None else technique_json(told.technique),
        "double_dummy": None if told.hindsight is None else _hindsight_json(told.hindsight),
    }


def claim_json(claim: TrickClaim) -> dict[str, Any]:
    """A claim as plain data: ``tricks`` of the ``left`` after ``place`` cards, and what one plan makes of it.

    ``fails`` is in how many of the ``layouts``, ``telling`` some of them; if ``final``, it cannot fail in more.
    These are null for claims of fewer than seven tricks in all. ``double_dummy`` takes so many on the deal as it lay.
    """
    planned = claim.planned
    return {
        "place": claim.place,
        "tricks": claim.tricks,
        "left": claim.left,
        "double_dummy": claim.seen,
        **(
            dict.fromkeys(("layouts", "exact", "fails", "chance", "final", "telling"))
            if planned is None
            else {
                **{name: getattr(planned, name) for name in ("layouts", "exact", "fails", "chance")},
                "final": planned.kind is ValueKind.FINAL,
                "telling": list(map(str, planned.telling)),
            }
        ),
    }


def read_claim(data: Any) -> TrickClaim:
    """A claim from its plain data; ``InputError`` if it is none."""
    with refuse_failures("a claim as a review keeps it"):
        place, tricks, left = (_number(data, name) for name in ("place", "tricks", "left"))
        planned = None if data["layouts"] is None else _read_planned(data)
        seen = None if data["double_dummy"] is None else _number(data, "double_dummy")
        if not 0 <= tricks <= left <= MOST_TRICKS:
            raise ValueError(f"{shorten(str(tricks))} tricks of {shorten(str(left))}")
        return TrickClaim(place, tricks, left, planned, seen)


def _read_planned(data: dict[str, Any]) -> PlannedClaim:
    layouts, fails = (_number(data, name) for name in ("layouts", "fails"))
    if not 0 <= fails <= layouts:
        raise ValueError(f"{shorten(str(fails))} of {shorten(str(layouts))} layouts")
    return PlannedClaim(
        layouts=layouts,
        exact=_number(data, "exact", (bool,)),
        fails=fails,
        chance=_real(data, "chance"),
        kind=ValueKind.FINAL if _number(data, "final", (bool,)) else ValueKind.DEPTH,
        telling=tuple(map(Deal.read, data["telling"])),
    )


def read_card_review(data: Any) -> CardReview:
    """A reviewed card from its plain data; ``InputError`` if it is none."""
    with refuse_failures("a card as a review keeps it"):
        return _read_card(data)


def _read_card(data: dict[str, Any]) -> CardReview:
    told = CardReview(
        place=_number(data, "place"),
        seat=Seat.of(data["seat"]),
        hand=Seat.of(data["hand"]),
        card=read_card(data["card"]),
        verdict=CardVerdict(data["verdict"]),
        figures=None if data["chance"] is None else _read_figures(data),
        why=None if data["gains"] is None else _read_why(data),
        telling=tuple(map(Deal.read, data["telling"])),
        technique=None if data["technique"] is None else _read_technique(data["technique"]),
        hindsight=None if data["double_dummy"] is None else _read_hindsight(data["double_dummy"]),
    )
    if told.chosen and told.figures is None:
        raise ValueError(f"{told.verdict.value} without a chance")
    return told


def _figures_json(figures: Reviewed) -> dict[str, Any]:
    return {
        **{name: getattr(figures, name) for name in _FIGURES},
        "kind": figures.kind.value,
        "interval": [figures.difference.low, figures.difference.high],
        "difference": figures.difference.value,
        "played_out": None if figures.played_out is None else _estimate_json(figures.played_out),
    }


def _number(data: dict[str, Any], name: str, kinds: tuple[type, ...] = (int,)) -> Any:
    """A number that is there, and of the right kind; flags are none."""
    if type(data[name]) not in kinds:
        raise TypeError(f"{name} is {shorten(str(data[name]))}")
    return data[name]


def _real(data: dict[str, Any], name: str) -> float:
    """The same for what may have decimals; a whole number of hundreds of digits is too large to be one."""
    return float(_number(data, name, (int, float)))


def _read_figures(data: dict[str, Any]) -> Reviewed:
    low, high = data["interval"]
    told = {"value": data["difference"], "low": low, "high": high, "count": data["layouts"]}
    return Reviewed(
        best=read_card(data["best"]),
        difference=_read_estimate(told),
        kind=ValueKind(data["kind"]),
        played_out=None if data["played_out"] is None else _read_estimate(data["played_out"]),
        **_read_figures_by_name(data),
    )


def _read_figures_by_name(data: dict[str, Any]) -> dict[str, Any]:
    reals = {name: _real(data, name) for name in _REALS}
    return reals | {name: _number(data, name, kinds) for name, kinds in _OTHERS.items()}


def _read_estimate(data: dict[str, Any]) -> Estimate:
    value, low, high = (_real(data, name) for name in ("value", "low", "high"))
    return Estimate(value, low, high, _number(data, "count"), percent=True)


def _estimate_json(estimate: Estimate) -> dict[str, float]:
    return {name: getattr(estimate, name) for name in ("value", "low", "high", "count")}


def _why_json(why: Difference | None) -> dict[str, Any]:
    if why is None:
        return dict.fromkeys(("gains", "losses", "sign", "inside", "outside"))
    return {
        "gains": list(why.gains),
        "losses": list(why.losses),
        "sign": None if why.sign is None else _sign_json(why.sign),
        "inside": why.inside,
        "outside": why.outside,
    }


def _read_why(data: dict[str, Any]) -> Difference:
    sign = None if data["sign"] is None else _read_sign(data["sign"])
    inside, outside = _number(data, "inside"), _number(data, "outside")
    return Difference(tuple(data["gains"]), tuple(data["losses"]), sign, inside, outside)


def _sign_json(sign: Sign) -> dict[str, Any]:
    if isinstance(sign, Holds):
        return {"seat": sign.seat.letter, "holds": card_name(sign.card)}
    return {
        "seat": sign.seat.letter,
        **{name: getattr(sign, name) for name in ("suit", "least", "most", "played")},
    }


def _read_sign(data: dict[str, Any]) -> Sign:
    seat = Seat.of(data["seat"])
    if "holds" in data:
        return Holds(seat, read_card(data["holds"]))
    suit, least, most, played = (_number(data, name) for name in ("suit", "least", "most", "played"))
    return Left(seat, range(4)[suit], least, most, played)


def technique_json(found: NamedTechnique) -> dict[str, str | None]:
    """A technique as plain data."""
    return {
        "name": found.technique.value,
        "seat": None if found.seat is None else found.seat.letter,
        "card": None if found.card is None else card_name(found.card),
    }


def _read_technique(data: Any) -> NamedTechnique:
    seat = None if data["seat"] is None else Seat.of(data["seat"])
    card = None if data["card"] is None else read_card(data["card"])
    return NamedTechnique(Technique(data["name"]), seat, card)


def _hindsight_json(told: Hindsight) -> dict[str, Any]:
    return {"best": card_name(told.best), "most": told.most, "taken": told.taken, "turned": told.turned}


def _read_hindsight(data: dict[str, Any]) -> Hindsight:
    most, taken = _number(data, "most"), _number(data, "taken")
    if not 0 <= taken <= most <= MOST_TRICKS:
        raise ValueError(f"{shorten(str(taken))} tricks of {shorten(str(most))}")
    return Hindsight(read_card(data["best"]), most, taken, _number(data, "turned", (bool,)))
