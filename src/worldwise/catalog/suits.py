"""Chances of single suits that are known for certain: ``suit_facts.json``."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache

from worldwise.catalog.shelf import data


@dataclass(frozen=True)
class SuitFact:
    """What is known of a single suit: the best chance of ``tricks`` in percent; or, without a goal, of most tricks."""

    north: str
    south: str
    tricks: int | None
    percent: float | None = None
    expected_tricks: float | None = None
    published: str | None = None


@cache
def suit_facts() -> tuple[SuitFact, ...]:
    """Combinations that two independent solvers agree on, some of them in print: ``suit_facts.json``.

    >>> len(suit_facts()), suit_facts()[0]
    (152, SuitFact(north='AQ', south='32', tricks=2, percent=50.0, expected_tricks=None, published=None))
    """
    entries = json.loads(data("suit_facts.json").read_text("utf-8"))["facts"]
    return tuple(SuitFact(**{**entry, "tricks": _goal(entry["tricks"])}) for entry in entries)


def suit_combinations() -> list[tuple[str, str]]:
    """North's and South's cards of every suit there is a fact about, each once.

    >>> suit_combinations()[:2], len(suit_combinations())
    ([('AQ', '32'), ('KJ', '32')], 56)
    """
    return list(dict.fromkeys((fact.north, fact.south) for fact in suit_facts()))


def _goal(tricks: int | str) -> int | None:
    """A number of tricks; the file says ``expected`` where there is no goal."""
    return tricks if isinstance(tricks, int) else None
