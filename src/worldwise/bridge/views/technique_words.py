"""A technique in a few words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from worldwise.bridge.advice.techniques import NamedTechnique, Technique
from worldwise.bridge.views.deal_picture import card_sign

if TYPE_CHECKING:
    from collections.abc import Mapping

_WORDS: Mapping[Technique, str] = {
    Technique.FINESSE: "a finesse against the {card}",
    Technique.RUFFING_FINESSE: "a ruffing finesse against the {card}",
    Technique.TOWARDS: "a lead towards the {card}",
    Technique.DROP: "a play for the drop of the {card}",
    Technique.HOLD_UP: "a hold-up: the {card} can wait",
    Technique.DUCK: "a duck: the {card} keeps for later",
    Technique.UNBLOCK: "an unblock",
    Technique.THROW_IN: "a throw-in: {seat} gets the lead, and whatever he leads gives a trick away",
    Technique.AVOIDANCE: "an avoidance play: {seat} may have the lead, {partner} must not",
}


def technique_words(found: NamedTechnique, *, ascii: bool = False) -> str:  # noqa: A002
    """What a card is, after "it is".

    >>> from worldwise.bridge.rules.deal import Seat, read_card
    >>> technique_words(NamedTechnique(Technique.FINESSE, Seat.WEST, read_card("SQ")))
    'a finesse against the ♠Q'
    >>> technique_words(NamedTechnique(Technique.AVOIDANCE, Seat.WEST))
    'an avoidance play: West may have the lead, East must not'
    """
    return _WORDS[found.technique].format(
        card="" if found.card is None else card_sign(found.card, ascii=ascii),
        seat="" if found.seat is None else found.seat,
        partner="" if found.seat is None else found.seat.partner,
    )
