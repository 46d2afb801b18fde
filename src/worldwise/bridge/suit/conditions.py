"""Finds facts that tell some situations from others, in few words."""

from __future__ import annotations

from functools import reduce
from itertools import combinations
from operator import or_
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from worldwise.bridge.suit.facts import bits_of
from worldwise.bridge.suit.texts import STUCK

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from worldwise.bridge.suit.facts import Bits
    from worldwise.bridge.suit.line_play import LinePlay
    from worldwise.bridge.suit.situations import Key, Keys

PAIRED = 40
"""As many facts, the plainest, are told together with one another."""

USUAL_TEXT = 7.0
"""The words of an exception but for its facts, until it is known what to say."""


class Condition(NamedTuple):
    """Facts, the situations in which they are true, and what it may cost to tell them."""

    estimate: float
    group: tuple[Key, ...]
    facts: Bits


class Conditions:
    """Facts for a chain that is stuck in some of the situations that it leads to."""

    def __init__(self, play: LinePlay, reached: Sequence[Key], stuck: Keys) -> None:
        self.play, self.facts, self.reached = play, play.facts, reached
        self.stuck = sum(1 << place for place, here in enumerate(reached) if here in stuck)

    def find_promising(self) -> Iterator[Condition]:
        """One fact or two that are true where the chain is stuck, the most promising first."""
        plainest = self._plainest_facts().items()
        found = {group: (self.facts.cost(fact), fact) for group, fact in plainest if group & self.stuck}
        cheap = sorted(found, key=lambda group: (self.facts.weight(found[group][1]), group))[:PAIRED]
        singles = {group: found[group][1] for group in cheap}
        for one, other in combinations(cheap, 2):
            group = one & other
            if group & self.stuck and group not in (one, other):
                cost = self.facts.weight(singles[one]) + self.facts.weight(singles[other]) + 1
                if group not in found or cost < found[group][0]:
                    found[group] = cost, singles[one] | singles[other]
        for estimate, group in sorted((self._estimate(group, cost), group) for group, (cost, _) in found.items()):
            yield Condition(estimate, self._members(group), found[group][1])

    def _estimate(self, group: int, cost: float) -> float:
        left, needless = (self.stuck & ~group).bit_count(), (group & ~self.stuck).bit_count()
        return USUAL_TEXT + cost + STUCK * (left + needless / 2)

    def left_by(self, condition: Condition) -> int:
        """How many situations a condition leaves in which the chain is stuck."""
        return self.stuck.bit_count() - sum(self.stuck >> self.reached.index(here) & 1 for here in condition.group)

    def _members(self, group: int) -> tuple[Key, ...]:
        return tuple(here for place, here in enumerate(self.reached) if group >> place & 1)

    def _plainest_facts(self) -> dict[int, Bits]:
        """For every set of situations that one fact tells from the others, the plainest such fact.

        What is true in no situation in which the chain is stuck does not help it.
        """
        helpful = reduce(or_, map(self.play.true, self._members(self.stuck)), 0)
        members = _members_of_bits([self.play.true(here) & helpful for here in self.reached], helpful)
        dearest_first = sorted(members, key=lambda bit: (-self.facts.weight(bit), -bit))
        return {members[bit]: bit for bit in dearest_first}

    def of_one(self) -> Bits:
        """Facts that are true of a single situation: the last resort."""
        return self._single_out(self._members(self.stuck), self.reached)

    def _single_out(self, some: Sequence[Key], among: Sequence[Key]) -> Bits:
        """Facts for that of some situations of which most is true, telling it from all others."""
        here = max(some, key=lambda here: (self.play.true(here).bit_count(), here))
        others = [other for other in among if other != here]
        told: Bits = 0
        while others:
            bit, left = min(self._ways_to_tell(here, others), key=self._badness)
            if len(left) == len(others):
                # Of these all of it is true, and more: they are told first.
                return self._single_out(others, others)
            told, others = told | bit, left
        return told

    def _ways_to_tell(self, here: Key, others: Sequence[Key]) -> Iterator[tuple[Bits, list[Key]]]:
        """Each fact that is true of a situation, and the others of which it is true too."""
        for bit in bits_of(self.play.true(here)):
            yield bit, [other for other in others if self.play.true(other) & bit]

    def _badness(self, way: tuple[Bits, list[Key]]) -> tuple[float, Bits]:
        bit, left = way
        return (len(left) + 1) * self.facts.weight(bit), bit


def _members_of_bits(sets: Sequence[Bits], every: Bits) -> dict[Bits, int]:
    """For every bit, of which sets it is a member: their numbers as bits. A table is turned on its side at once.

    >>> {bit: bin(places) for bit, places in _members_of_bits([0b11, 0b10, 0b01], 0b11).items()}
    {1: '0b101', 2: '0b11'}
    """
    width = (every.bit_length() + 7) // 8
    rows = np.frombuffer(b"".join(one.to_bytes(width, "little") for one in sets), np.uint8).reshape(len(sets), width)
    columns = np.packbits(np.unpackbits(rows, axis=1, bitorder="little").T, axis=1, bitorder="little")
    return {bit: int.from_bytes(columns[bit.bit_length() - 1].tobytes(), "little") for bit in bits_of(every)}
