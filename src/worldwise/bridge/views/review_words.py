"""What a review says of a card, in sentences."""

from __future__ import annotations

from typing import TYPE_CHECKING

from worldwise.bridge.advice.differences import Holds
from worldwise.bridge.advice.review_record import CardVerdict
from worldwise.bridge.rules.deal import set_of
from worldwise.bridge.views.advice_amounts import KIND_WORDS
from worldwise.bridge.views.advice_reasons import SUIT_NAMES, sign_words
from worldwise.bridge.views.deal_picture import card_sign, contract_words, hand_words, result_words
from worldwise.bridge.views.technique_words import technique_words
from worldwise.views.words import number_word

if TYPE_CHECKING:
    from collections.abc import Iterator

    from worldwise.bridge.advice.review_record import BoardReview, CardReview, Reviewed
    from worldwise.bridge.rules.board import Board


def heading_words(board: Board) -> str:
    """Which board, and how it went."""
    number = "" if board.number is None else f"Board {board.number}: "
    ended = "" if board.tricks is None else f", {result_words(board.tricks - board.play.contract.tricks).lower()}"
    return f"{number}{contract_words(board)}{ended}"


def who_words(told: CardReview) -> str:
    """Who chose the card, and from where."""
    return str(told.seat) if told.hand == told.seat else f"{told.seat} (dummy)"


def percent_words(chance: float) -> str:
    """A chance, as players say it."""
    return f"{100 * chance:.0f} %"


def chance_words(figures: Reviewed, chance: float) -> str:
    """One of the two chances, with the kind of figure it is."""
    return KIND_WORDS[figures.kind] + percent_words(chance)


def verdict_words(found: BoardReview, *, ascii: bool = False) -> Iterator[str]:  # noqa: A002
    """The decisive moment, and what is to be said of the rest in a line."""
    decisive = found.decisive
    if decisive is None:
        yield "No mistake: nothing that was played cost a clear share of the chances that its player could see."
    else:
        name = card_sign(decisive.card, ascii=ascii)
        yield f"Decisive moment: trick {decisive.trick}, {who_words(decisive)}'s {name}."
    turned = found.turning_point
    if turned is not None and turned is not decisive:
        name = card_sign(turned.card, ascii=ascii)
        whose = f"{who_words(turned)}'s {name}"
        yield f"Double dummy, the contract last changed hands at trick {turned.trick}, with {whose}."


def mistake_words(found: BoardReview, told: CardReview, *, ascii: bool = False) -> Iterator[str]:  # noqa: A002
    """What it cost, why, and what double dummy thinks of it."""
    figures = told.figures
    assert figures is not None
    declares = told.seat == found.board.play.contract.declarer
    card, best = (card_sign(one, ascii=ascii) for one in (told.card, told.best))
    verb = "make" if declares else "beat"
    had, before = chance_words(figures, figures.chance), chance_words(figures, figures.before)
    yield (
        f"Trick {told.trick}: {who_words(told)} played the {card}: {had} to {verb} it. "
        f"The {best} was better: {before}. "
        f"Cost: {percent_words(told.cost)} and {told.score_cost:.0f} points on average."
    )
    if told.technique is not None:
        yield f"The {best} was {technique_words(told.technique, ascii=ascii)}."
    yield from _why(found, told, best, card, "makes" if declares else "beats", ascii=ascii)
    yield from hindsight_words(told, ascii=ascii)


def _why(
    found: BoardReview,
    told: CardReview,
    best: str,
    card: str,
    verb: str,
    *,
    ascii: bool,  # noqa: A002
) -> Iterator[str]:
    why, figures = told.why, told.figures
    if why is None or figures is None or not why.gains:
        return
    gains, rest = len(why.gains), figures.layouts - len(why.gains)
    sign = ""
    if why.sign is not None:
        every = "there" if gains == 1 else f"in all {gains}"
        inside = every if why.inside == gains else f"in {why.inside} of these"
        sign = f": {sign_words(why.sign, ascii=ascii)} {inside}, and in {why.outside or 'none'} of the other {rest}"
    back = f" Only the {card} does in {len(why.losses)}." if why.losses else ""
    yield f"Only the {best} {verb} it in {gains} of {figures.layouts} layouts{sign}.{back}"
    if told.telling:
        yield f"For instance: {layout_words(found, told)}."


def layout_words(found: BoardReview, told: CardReview, place: int = 0) -> str:
    """What the hidden hands have left in one of the layouts that tell."""
    gone = set_of(found.board.cards[: told.place])
    hidden = found.board.with_cards(found.board.cards[: told.place]).view(told.seat).hidden
    return "; ".join(f"{seat} {hand_words(told.telling[place][seat] & ~gone)}" for seat in hidden)


def hindsight_words(told: CardReview, *, ascii: bool = False) -> Iterator[str]:  # noqa: A002
    """What double dummy thinks, where there is something to say."""
    seen, blamed = told.hindsight, told.verdict is CardVerdict.MISTAKE
    if seen is None:
        return
    tricks = f"{number_word(seen.cost)} trick{'s' * (seen.cost != 1)}"
    if blamed and seen.cost == 0:
        yield f"Double dummy sees no difference: {_same_words(told, ascii=ascii)}."
    elif blamed:
        yield f"Double dummy agrees: it cost {tricks}{', and the contract' if seen.turned else ''} as the cards lay."
    elif seen.cost and told.chosen:
        best = card_sign(seen.best, ascii=ascii)
        yield f"Double dummy plays the {best}, worth {tricks} more: it {_knows(told, ascii=ascii)}."


def _same_words(told: CardReview, *, ascii: bool) -> str:  # noqa: A002
    """Why a mistake costs nothing with all cards seen."""
    if told.why is None or told.why.sign is None:
        return "as the cards lay, the one does as well as the other"
    return f"it {_knows(told, ascii=ascii)}"


def _knows(told: CardReview, *, ascii: bool) -> str:  # noqa: A002
    """What double dummy knows that the player did not."""
    sign = told.why.sign if told.why else None
    if sign is None:
        return "sees all four hands"
    if isinstance(sign, Holds):
        return f"knows where the {card_sign(sign.card, ascii=ascii)} is"
    return f"knows how the {SUIT_NAMES[sign.suit]}s lie"
