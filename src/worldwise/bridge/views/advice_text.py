"""Advice for a terminal: the cards with their chances, the plan, the layouts; ``advice_reasons`` says why.

::

    South to play: all 15 layouts
    ┏━━━━━━━┳━━━━━━━━━━┳━━━━━━━━┳━━━━━━━━┓
    ┃ card  ┃ makes it ┃   PIMC ┃ tricks ┃
    ┡━━━━━━━╇━━━━━━━━━━╇━━━━━━━━╇━━━━━━━━┩
    │ ♠3    │   67.7 % │ 67.7 % │  11.61 │
    │ ♠A    │   32.3 % │ 32.3 % │  11.32 │
    └───────┴──────────┴────────┴────────┘

Cards that are equal stand together, the lowest, which is the one to play, last.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.table import Table

from worldwise.bridge.advice.plan import played_since
from worldwise.bridge.rules.cards import rank_name
from worldwise.bridge.rules.deal import rank_of, set_of
from worldwise.bridge.rules.goal import Aim
from worldwise.bridge.views.advice_amounts import KIND_WORDS, UNITS, beside_words, figure
from worldwise.bridge.views.deal_picture import card_sign, hand_words
from worldwise.bridge.views.deal_text import colour_suits
from worldwise.search.alphamu_root import ValueKind
from worldwise.views.words import join_words

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from worldwise.bridge.advice.plan import PlanPlace, Reply
    from worldwise.bridge.advice.record import Advice, CardChoice
    from worldwise.bridge.rules.deal import Card, Deal, Seat
    from worldwise.bridge.solvers.alphamu import CardValue

MOST_LAYOUTS = 12
"""A longer list of layouts is cut."""

ALIKE = 0.95
"""Layouts whose weights hardly differ count as alike: they are worth at least this share of their number."""


def cards_words(choice: CardChoice, *, ascii: bool = False) -> str:  # noqa: A002
    """Equal cards of one suit, the highest first.

    >>> from worldwise.bridge.advice.record import CardChoice
    >>> from worldwise.bridge.rules.deal import read_card
    >>> cards_words(CardChoice((read_card("S9"), read_card("S8")), 1, (1, 1), 12, 990, ()))
    '♠98'
    """
    return _ranked_words(choice.cards, ascii=ascii)


def _ranked_words(cards: Sequence[Card], *, ascii: bool) -> str:  # noqa: A002
    return card_sign(cards[0], ascii=ascii) + "".join(rank_name(rank_of(card)) for card in cards[1:])


def chance_words(choice: CardChoice) -> str:
    """A chance, what kind of figure it is, and the interval of a sampled one, in percent.

    >>> from worldwise.bridge.advice.record import CardChoice
    >>> chance_words(CardChoice((), 1, (0.912, 1), 12, 990, ()))
    'up to 100.0 % (91-100)'
    """
    low, high = choice.interval
    interval = f" ({100 * low:.0f}-{100 * high:.0f})" if low < high else ""
    return f"{KIND_WORDS[choice.kind]}{100 * choice.chance:.1f} %{interval}"


def advice_table(advice: Advice, *, ascii: bool = False) -> Table:  # noqa: A002
    """Every choice, the best first."""
    table = Table()
    table.add_column("card", no_wrap=True)
    for name in _columns(advice):
        table.add_column(name, justify="right", no_wrap=True)
    for choice in advice.choices:
        cells = _cells(advice, choice)
        table.add_row(colour_suits(cards_words(choice, ascii=ascii)), *(cells[name] for name in _columns(advice)))
    return table


def _columns(advice: Advice) -> list[str]:
    """What is shown of a card: what counts first, then how far that was searched and what PIMC hopes for."""
    chance = "makes it" if advice.declares else "beats it"
    if advice.others:
        return [UNITS[advice.others.unit], chance, "tricks", "score"]
    counted, beside = (advice.aim.value, chance) if advice.aims_elsewhere else (chance, Aim.TRICKS.value)
    planned = [*(["searched"] if _says_how_far(advice) else []), "PIMC"] if advice.algorithm == "alphamu" else []
    return [counted, *planned, beside]


def _cells(advice: Advice, choice: CardChoice) -> dict[str, str]:
    """All that can be shown of a card, by the column; tricks and score are those that count, or with all cards seen."""
    aim, chance = advice.aim, chance_words(choice)
    known = {"makes it": chance, "beats it": chance, "searched": foresight_words(choice.worth)}
    if advice.others:
        beside = {UNITS[advice.others.unit]: beside_words(advice.others, choice.beside)}
        return {**known, **beside, "tricks": f"{choice.tricks:.2f}", "score": f"{choice.score:.0f}"}
    if not advice.aims_elsewhere:
        return {**known, "PIMC": f"{100 * choice.pimc:.1f} %", "tricks": f"{choice.tricks:.2f}"}
    worth = KIND_WORDS[choice.worth.kind] + figure(aim, choice.worth.value)
    return {**known, aim.value: worth, "PIMC": figure(aim, advice.hoped(choice))}


def _says_how_far(advice: Advice) -> bool:
    """Whether alpha-mu left some figure open."""
    return any(choice.worth.kind is not ValueKind.FINAL for choice in advice.choices)


def foresight_words(choice: CardChoice | CardValue) -> str:
    """How far ahead a figure was searched.

    >>> from worldwise.bridge.advice.record import CardChoice
    >>> foresight_words(CardChoice((), 1, (0.912, 1), 12, 990, (), depth=3))
    '3 cards ahead'
    """
    if choice.kind is ValueKind.DEPTH:
        return "1 card ahead" if choice.depth == 1 else f"{choice.depth} cards ahead"
    return "to the end" if choice.kind is ValueKind.FINAL else "cut short"


def heading(advice: Advice) -> str:
    """Who plays, and on how many layouts the figures rest; if some weigh more, as many alike as tell as much."""
    mover = advice.view.to_move
    who = f"{mover} to play" if mover == advice.view.seat else f"{advice.view.seat} to play from {mover}'s hand"
    number = len(advice.worlds)
    if advice.exact:
        return f"{who}: all {number} layouts" if number > 1 else f"{who}: everything is known"
    weighty = advice.effective < ALIKE * number
    alike = f", which tell as much as {advice.effective:.0f} of equal weight" if weighty else ""
    return f"{who}: {number} of {advice.layouts:,} layouts{alike}"


# ---------------------------------------------------------------------- the plan


def plan_words(advice: Advice, *, ascii: bool = False) -> Iterator[str]:  # noqa: A002
    """How the play goes on, a line for every place of the plan.

    >>> from worldwise.catalog import deal
    >>> from worldwise.bridge.advice.advise import advise
    >>> list(plan_words(advise(deal("deals/two-way-guess").view)))
    ['Plan: after the ♠6 from West and the ♠2 from North, whatever East plays, play the ♠A.']
    """
    before = None
    for place in advice.plan:
        words = ", ".join([*_since(advice, place, before, ascii=ascii), _replies(advice, place, ascii=ascii)])
        yield f"Plan: {words}." if before is None else f"{words[0].upper()}{words[1:]}."
        before = place


def _since(advice: Advice, place: PlanPlace, before: PlanPlace | None, *, ascii: bool) -> Iterator[str]:  # noqa: A002
    """What was played since the place before."""
    by: dict[Seat, list[str]] = {}
    for seat, card in played_since(advice.view, advice.card, place, before):
        by.setdefault(seat, []).append(card_sign(card, ascii=ascii))
    if by:
        yield f"after {join_words([f'the {join_words(cards)} from {seat}' for seat, cards in by.items()])}"


def _replies(advice: Advice, place: PlanPlace, *, ascii: bool) -> str:  # noqa: A002
    """What each card is answered with; the answer to most of them stands last, if no card is without one."""
    replies = sorted(place.replies, key=lambda reply: len(reply.when))
    told = [_play_words(advice, place, reply, ascii=ascii) for reply in replies]
    if place.by is None:
        return told[0]
    if len(told) == 1 and not place.others:
        return f"whatever {_does(advice, place)}, {told[0]}"
    cases = [f"if {_does(advice, place)} {_cards_words(reply.when, ascii=ascii)}" for reply in replies]
    if not place.others:
        cases[-1] = "otherwise"
    return "; ".join(
        f"{case}{' ' if case == 'otherwise' else ', '}{play}" for case, play in zip(cases, told, strict=True)
    )


def _does(advice: Advice, place: PlanPlace) -> str:
    """A defender who plays a card, or leads it."""
    return f"{place.by} {_verb(len(advice.view.played) + 1 + len(place.after))}s"


def _verb(played: int) -> str:
    """What is done with the next card after so many."""
    return "play" if played % 4 else "lead"


def _play_words(advice: Advice, place: PlanPlace, reply: Reply, *, ascii: bool) -> str:  # noqa: A002
    before = len(advice.view.played) + 1 + len(place.after) + (place.by is not None)
    hand = "" if reply.seat == advice.view.seat else f" from {reply.seat}"
    return f"{_verb(before)} the {card_sign(reply.play, ascii=ascii)}{hand}"


def _cards_words(cards: Sequence[Card], *, ascii: bool) -> str:  # noqa: A002
    """A card, or one of several, those of a suit together and the highest first."""
    if len(cards) == 1:
        return f"the {card_sign(cards[0], ascii=ascii)}"
    suits: dict[int, list[Card]] = {}
    for card in sorted(cards, key=lambda card: (card >> 4, -rank_of(card))):
        suits.setdefault(card >> 4, []).append(card)
    return "one of " + ", ".join(_ranked_words(suit, ascii=ascii) for suit in suits.values())


# ---------------------------------------------------------------------- layouts


def losing_lines(advice: Advice, *, ascii: bool = False) -> Iterator[str]:  # noqa: A002
    """The layouts in which the best card loses, a line each: what the hidden hands have left."""
    loses = advice.best.loses
    name = card_sign(advice.card, ascii=ascii)
    least = "at least " if loses and not advice.to_the_end else ""
    yield f"the {name} loses in {least}{len(loses) or 'none'} of {len(advice.worlds)} layouts" + (":" if loses else "")
    for world in loses[:MOST_LAYOUTS]:
        yield f"  {_hidden_words(advice, advice.worlds[world])}"
    if len(loses) > MOST_LAYOUTS:
        yield f"  ... and {len(loses) - MOST_LAYOUTS} more"


def _hidden_words(advice: Advice, deal: Deal) -> str:
    gone = set_of(advice.view.played)
    return "; ".join(f"{seat} {hand_words(deal[seat] & ~gone)}" for seat in advice.view.hidden)


def searched_words(advice: Advice) -> str:
    """How the figures came about.

    >>> from worldwise.catalog import deal
    >>> from worldwise.bridge.advice.advise import advise
    >>> searched_words(advise(deal("deals/two-way-guess").view, algorithm="pimc"))
    'PIMC solved every layout face up, as if nobody had to guess, in ... s'
    """
    drawn = "" if advice.exact else f", seed {advice.seed}"
    stopped = "" if advice.complete else ", stopped by the limit"
    return f"{_search_words(advice)}{drawn}{stopped}, in {advice.seconds:.2f} s"


def _search_words(advice: Advice) -> str:
    """How far the plan goes; beyond that all cards are taken as seen, which is never too little."""
    if advice.algorithm != "alphamu":
        return "PIMC solved every layout face up, as if nobody had to guess"
    if not _says_how_far(advice):
        return "alpha-mu searched one plan for all layouts to the end"
    cards = "1 card" if advice.depth == 1 else f"{advice.depth} cards"
    return f"alpha-mu looked {cards} ahead, yours and dummy's, and took the rest as seen"
