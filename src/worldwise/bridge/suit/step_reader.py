"""Reads how a player would begin a suit: ``S2``, *finesse the nine*, *low to the queen*, *run the jack*, *duck*.

What the program says of a first play is understood, and what players say for it. A card stands for those that touch it.
A lead alone, such as ``S2`` or *lead low from South*, leaves it open what the other hand plays: all ways to go on are
meant. If words fit ways to begin that differ otherwise, the answer is what they can mean.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from worldwise.bridge.rules.cards import RANKS
from worldwise.bridge.suit.phrases import CARD_NAMES
from worldwise.bridge.suit.rules import NORTH, SOUTH
from worldwise.bridge.suit.steps import EITHER, LOW, hand, top_step
from worldwise.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from worldwise.bridge.suit.first_lines import FirstStep, Starts

ANY = -2
"""In place of a rank: it was not said which card."""

SEATS = {"n": NORTH, "north": NORTH, "s": SOUTH, "south": SOUTH}

CARDS = {
    **{name: rank for rank, name in enumerate(CARD_NAMES, start=2)},
    **{letter.lower(): rank for rank, letter in enumerate(RANKS[:-1], start=2)},
    "10": 10,
    "knave": 11,
    "low": LOW,
    "small": LOW,
}
"""Cards by all their names; the letter a is an article."""

VERBS = {
    **dict.fromkeys(["finesse", "hook", "insert"], "finesse"),
    **dict.fromkeys(["run", "float", "ride", "pass"], "run"),
    **dict.fromkeys(["cash", "lead", "play", "let"], "lead"),
    **dict.fromkeys(["duck"], "duck"),
    **dict.fromkeys(["drop", "top"], "top"),
}
"""What is done, by all the words for it."""

TOWARDS = ("to", "toward", "towards")

FILLERS = {"the", "a", "an", "card", "take", "from", "and", "round", "for", "up"}


class Asked(NamedTuple):
    """What was said of a first trick: what is done, who leads, the card led, and the one from opposite."""

    verb: str
    seat: int
    lead: int
    third: int


def read_first_step(text: str, starts: Starts) -> list[FirstStep]:
    """The ways to begin that a text means; ``InputError`` if none, or if it is not clear which.

    >>> from worldwise.bridge.suit.first_lines import Starts
    >>> from worldwise.bridge.suit.rules import Suit
    >>> from worldwise.bridge.suit.solver import SuitSolver
    >>> starts = Starts(SuitSolver(Suit.of("AJT9", "432")), 3)
    >>> [first.name for text in ("finesse the nine", "NA", "low to the ace") for first in read_first_step(text, starts)]
    ['Finesse the jack', 'Cash the ace', 'Lead low to the ace']
    """
    found = [first for first in starts.every if first.name.lower() == text.strip(" .!").lower()]
    if not found and (asked := _understand(list(_split(text)))):
        found = _find_meant(asked, starts)
    if not found:
        known = ", ".join(f"{first.name} ({first.lead})" for first in starts.every)
        raise InputError(f"expected a way to begin, one of: {known or '(there is none)'}; found {text.strip()!r}")
    if len({first.lead for first in found}) > 1:
        names = ", or: ".join(first.name for first in found)
        raise InputError(f"expected words for one way to begin, found {text.strip()!r}, which can be: {names}")
    return found


def _split(text: str) -> Iterator[str]:
    """The words, small but for the ace's letter; a play such as S2 or N10 is two words."""
    for word in re.findall(r"[A-Za-z]+\d*|\d+|\S", text):
        code = re.fullmatch("([NS])(10|[2-9TJQKA])", word, re.IGNORECASE)
        for part in code.groups() if code else (word,):
            if part not in ".!,":
                yield "ace" if part == "A" or (code and part == "a") else part.lower()


def _understand(words: Sequence[str]) -> Asked | None:
    """What was said; None if a word is not understood, or there is one too many."""
    if any(word not in known for known in [{*SEATS, *CARDS, *VERBS, *TOWARDS, *FILLERS}] for word in words):
        return None
    seats = [SEATS[word] for word in words if word in SEATS]
    verbs = {VERBS[word] for word in words if word in VERBS}
    cut = next((place for place, word in enumerate(words) if word in TOWARDS), len(words))
    led, to = ([CARDS[word] for word in part if word in CARDS] for part in (words[:cut], words[cut:]))
    if len(seats) > 1 or len(verbs - {"lead"}) > 1 or len(led) > 1 or len(to) != (cut < len(words)):
        return None
    verb = next(iter(verbs - {"lead"}), "lead" if verbs else "")
    if verb == "finesse" and led:
        led, to = [], [*led, *to]
    if not (verb or seats or led or to) or len(to) > 1:
        return None
    return Asked(
        "to" if to and verb != "finesse" else verb, (seats or [EITHER])[0], (led or [ANY])[0], (to or [ANY])[0]
    )


def _find_meant(asked: Asked, starts: Starts) -> list[FirstStep]:
    """The ways to begin that fit; low is led, if the lead was not said. A duck is one whichever hand leads."""
    found = [first for first in starts.every if _fits(asked, first, starts)]
    if asked.verb == "duck":
        return sorted(found, key=lambda first: first.alike[0].is_repeated)[:1]
    low = [first for first in found if first.alike[0].lead == LOW]
    return low if low and asked.third != ANY and asked.lead == ANY else found


def _fits(asked: Asked, first: FirstStep, starts: Starts) -> bool:
    step, root = first.alike[0], starts.solver.root
    if asked.seat not in (EITHER, step.leader(root)) and step.seat != EITHER:
        return False
    thirds = [one.third for one in first.alike]
    match asked.verb:
        case "top":
            return step == top_step(root, starts.solver.suit)
        case "duck":
            lowest = min(move.card for move in starts.answer.plays if move.seat == first.lead.seat)
            return step.third == LOW and first.lead.card == lowest
        case "finesse":
            return first.phrase.verb == "finesse" and asked.third in (ANY, *thirds)
        case "to":
            return asked.third in thirds and _is_led(asked.lead, first, starts)
        case "run":
            # Past a hand that has nothing lower, a card is not run: it is led to that hand's lowest.
            lowest = step.third and step.third == hand(root, 2 - step.leader(root))[-1]
            runs = step.third == LOW if step.lead != LOW else lowest and asked.lead not in (ANY, LOW)
            return bool(runs) and _is_led(asked.lead, first, starts)
    if asked.verb or asked.seat != EITHER:
        return _is_led(asked.lead, first, starts)
    return _is_led(asked.lead, first, starts) or asked.lead in thirds


def _is_led(card: int, first: FirstStep, starts: Starts) -> bool:
    """Whether a card, or one that touches it, is led; a low one is any that is called so."""
    if card in (ANY, LOW):
        return card == ANY or first.alike[0].lead == LOW
    same_hand = [move.card for move in starts.answer.plays if move.seat == first.lead.seat]
    cards = starts.solver.root.north if first.lead.seat == NORTH else starts.solver.root.south
    return card in cards and first.lead.card == max((lead for lead in same_hand if lead <= card), default=None)
