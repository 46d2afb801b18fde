"""What a line of play says: steps one after the other, exceptions to them, and how much there is to read."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from worldwise.bridge.suit.facts import bits_of
from worldwise.bridge.suit.steps import LOW, NAMED, TEN

if TYPE_CHECKING:
    from collections.abc import Iterator

    from worldwise.bridge.suit.facts import Bits, Facts
    from worldwise.bridge.suit.rules import SuitTable
    from worldwise.bridge.suit.steps import Step

Chain = tuple["Step", ...]
"""Steps, each done in turn; after the last one everything is played from the top."""

NO_STEPS: Chain = ()


@dataclass(frozen=True)
class Case:
    """Several sets of facts, any of which is enough, and what to do then."""

    conditions: tuple[Bits, ...]
    block: Block


@dataclass(frozen=True)
class Block:
    """A chain and its exceptions, in order; ``table`` is one at which it begins."""

    chain: Chain = NO_STEPS
    exceptions: tuple[Case, ...] = ()
    cost: float = field(default=0.0, compare=False)
    table: SuitTable | None = field(default=None, compare=False)

    @property
    def conditions(self) -> list[Bits]:
        """Those of all exceptions, in order."""
        return [facts for case in self.exceptions for facts in case.conditions]

    @property
    def cases(self) -> list[Block]:
        """What to do, for each of the conditions."""
        return [case.block for case in self.exceptions for _ in case.conditions]

    def with_case(self, at: int, case: Case, cost: float) -> Block:
        """The same with one more exception."""
        return replace(self, exceptions=(*self.exceptions[:at], case, *self.exceptions[at:]), cost=self.cost + cost)

    def with_other_case(self, at: int, case: Case, cost: float = 0.0) -> Block:
        """The same with another exception in place of one."""
        return replace(
            self, exceptions=(*self.exceptions[:at], case, *self.exceptions[at + 1 :]), cost=self.cost + cost
        )


@dataclass(frozen=True)
class Wording:
    """A line: what to play, and whether it has to be said that it is marked what to do once somebody shows out."""

    block: Block
    facts: Facts
    is_marked: bool = False


def shorter_blocks(block: Block, facts: Facts) -> Iterator[Block]:
    """A block with one thing left out, or told more shortly, in all ways: a case, a step, a condition or a fact."""
    for number in range(len(block.exceptions)):
        yield replace(block, exceptions=(*block.exceptions[:number], *block.exceptions[number + 1 :]))
    if len(block.chain) > 1:
        yield replace(block, chain=block.chain[:-1])
    for number, case in enumerate(block.exceptions):
        for place, told in enumerate(case.conditions):
            others = case.conditions[:place], case.conditions[place + 1 :]
            if any(others):
                yield block.with_other_case(number, Case((*others[0], *others[1]), case.block))
            bits = sorted(bits_of(told), key=facts.weight, reverse=True)
            for bit in bits if len(bits) > 1 else ():
                yield block.with_other_case(number, Case((*others[0], told & ~bit, *others[1]), case.block))
            if (shorter := facts.whoever(told)) != told:
                yield block.with_other_case(number, Case((*others[0], shorter, *others[1]), case.block))
        for below in shorter_blocks(case.block, facts):
            yield block.with_other_case(number, Case(case.conditions, below))


# ---------------------------------------------------------------------- costs, in words

STUCK = 4.0
"""What a situation in which a chain is stuck costs, in words, until it is known what to say of it."""


def chain_cost(chain: Chain) -> float:
    """Roughly the words that a chain takes."""
    return sum(map(step_cost, chain)) if chain else 3.0


def step_cost(step: Step) -> float:
    """Roughly the words that a step takes; of two that come to the same, one about a spot card is not the plain one."""
    spot = 0.5 * (LOW < step.lead < TEN and not step.third) + 0.7 * (LOW < step.third < NAMED)
    return 3.5 + 2 * bool(step.lead and step.third) + spot + sum(5 + 2 * len(on) for _, on in step.instead)


def condition_cost(condition: Bits, facts: Facts) -> float:
    """Roughly the words that a condition takes, and that it is one more sentence."""
    return 3.0 + facts.cost(condition)


def case_cost(case: Case, facts: Facts) -> float:
    """Roughly the words of an exception; exceptions to it are hard to follow."""
    told = sum(condition_cost(condition, facts) for condition in case.conditions)
    return told + case.block.cost + 4 * bool(case.block.exceptions)
