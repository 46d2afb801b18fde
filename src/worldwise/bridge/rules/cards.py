"""Ranks of cards, and holdings as people write them."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING

from worldwise.errors import InputError, PlacedError

if TYPE_CHECKING:
    from collections.abc import Iterable

Rank = int
"""2 to 14; the ace is 14."""

Holding = tuple[Rank, ...]
"""The cards of one suit in one hand, the highest first."""

RANKS = "23456789TJQKA"
"""What the ranks are called, from 2."""

_CARD = re.compile(r"10|[2-9TJQKAX]|-", re.IGNORECASE)


def rank_name(rank: Rank) -> str:
    """A rank's letter.

    >>> rank_name(14), rank_name(10)
    ('A', 'T')
    """
    return RANKS[rank - 2]


def holding_name(holding: Iterable[Rank]) -> str:
    """A holding as people write it; a void is a dash.

    >>> holding_name((14, 13, 9)), holding_name(())
    ('AK9', '-')
    """
    return "".join(map(rank_name, sorted(holding, reverse=True))) or "-"


def read_holdings(north: str, south: str, gone: str = "-") -> tuple[Holding, Holding, Holding]:
    """Two hands' cards of one suit, and those played already; ``10`` is the ten, ``-`` none, ``x`` the lowest free.

    >>> read_holdings("AKQ9", "xx"), read_holdings("A10", "-", "KQ")
    (((14, 13, 12, 9), (3, 2), ()), ((14, 10), (), (13, 12)))
    """
    words = [_words(north, "north"), _words(south, "south"), _words(gone, "gone")]
    named = [[RANKS.index(word) + 2 for word in hand if word != "X"] for hand in words]
    every = [rank for hand in named for rank in hand]
    shown = f"{north!r} and {south!r}" + (f", {gone!r} gone" if words[2] else "")
    twice = [rank for rank, times in Counter(every).items() if times > 1]
    if twice:
        raise InputError(f"expected every card once, found {holding_name(twice)} twice in {shown}")
    if sum(map(len, words)) > 13:
        raise InputError(f"expected at most 13 cards, found {sum(map(len, words))} in {shown}")
    if not words[0] and not words[1]:
        raise InputError("expected at least one card, found two voids")
    free = [rank for rank in range(2, 15) if rank not in every]
    # The hand that is written last takes the lower ones; among cards that touch it makes no difference.
    for hand, ranks in zip(reversed(words), reversed(named), strict=True):
        spots = hand.count("X")
        ranks += free[:spots]
        free = free[spots:]
    first, second, third = (tuple(sorted(ranks, reverse=True)) for ranks in named)
    return first, second, third


def read_cards(text: str, whose: str) -> Holding:
    """Cards that are known by name; ``-`` is none.

    >>> read_cards("10 K", "west"), read_cards("-", "east")
    ((13, 10), ())
    """
    words = _words(text, whose)
    if "X" in words:
        raise PlacedError(f"expected cards by name, such as KJ9, found x in {text!r}", whose)
    if len(set(words)) < len(words):
        raise PlacedError(f"expected every card once, found {text!r}", whose)
    return tuple(sorted((RANKS.index(word) + 2 for word in words), reverse=True))


def _words(text: str, whose: str) -> list[str]:
    """The cards in a text, as capital letters."""
    cards = _CARD.findall(text)
    rest = _CARD.sub("", text).strip()
    if rest or not cards or ("-" in cards and len(cards) > 1):
        found = f"{rest!r} in {text!r}" if rest else repr(text)
        raise PlacedError(f"expected cards such as AKQ9, A10x or - for none, found {found}", whose)
    return ["T" if card == "10" else card.upper() for card in cards if card != "-"]
