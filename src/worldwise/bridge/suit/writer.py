"""Finds the fewest words for a line of play.

A text is a *chain* of steps, each done in turn, and after the last one everything is played from the top; then perhaps
*exceptions*, each a fact about what has been played and a text of its own. Facts are looked at after every trick, in
order. So the usual course comes first, and what is rare after it.

A chain is followed against every defence in all layouts that the line wins. Where its next step would give something
up, it is *stuck*; exceptions are found for these situations, as few and as plain as possible. Once a defender has shown
out, every card is known, and what to do then goes without saying, or with a word (``Wording.is_marked``).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from worldwise.bridge.suit.chains import Chains
from worldwise.bridge.suit.conditions import Conditions
from worldwise.bridge.suit.facts import Facts
from worldwise.bridge.suit.line_play import LinePlay
from worldwise.bridge.suit.rules import EAST, WEST
from worldwise.bridge.suit.steps import highest_out
from worldwise.bridge.suit.texts import (
    NO_STEPS,
    STUCK,
    Block,
    Case,
    Wording,
    case_cost,
    chain_cost,
    condition_cost,
    shorter_blocks,
)
from worldwise.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from worldwise.bridge.suit.chains import Track
    from worldwise.bridge.suit.facts import Bits
    from worldwise.bridge.suit.fronts import Levels
    from worldwise.bridge.suit.rules import SuitTable
    from worldwise.bridge.suit.situations import Key, Keys
    from worldwise.bridge.suit.solver import SuitSolver
    from worldwise.bridge.suit.steps import Step
    from worldwise.bridge.suit.texts import Chain

GROWING = 10
"""How many chains are made longer at a time."""

WIDTH = 4
"""How many chains, and how many conditions, are tried before the best is taken."""

EFFORT = 5000
"""How many situations are looked at before the first text that will do is taken."""

ALTERNATIVES = 3
"""How many texts are compared by what they take to say of a defender who shows out."""

SPARE = 5.0
"""A text may be so many words longer than another to be compared so."""

MARKED = 8.0
"""The words for that in general."""

PLAINLY = 12.0
"""In so many words it is rather said what to do, which a reader need not work out."""

USUAL = 10.0
"""A text is as good as one with so many words less, if its exceptions are for what is rare."""

TOO_LONG = 1000.0


def write_text(solver: SuitSolver, levels: Levels, firsts: Sequence[Step] | None = None) -> Wording:
    """The text for a line that wins what ``levels`` say; it may have to begin with one of some steps."""
    facts = Facts(solver.suit, solver.entries)
    marked, plain = (Writer(LinePlay(solver, levels, facts, marked=marked)) for marked in (True, False))
    start = frozenset([plain.play.start])
    blocks = marked.write_some(start, firsts) or marked.write_some(start)
    if not blocks:
        raise InputError(f"expected a line that words can tell, found one for {solver.suit}")
    texts = [_tell(block, marked, plain, start) for block in blocks[: ALTERNATIVES if marked.is_patient else 1]]
    return min(texts, key=lambda text: text.block.cost + MARKED * text.is_marked)


def _tell(block: Block, marked: Writer, plain: Writer, start: Keys) -> Wording:
    """A text that was found without regard to who shows out, with as much about that as it takes."""
    told = block if plain.holds(block, start) else plain.amend(block, start)
    if told and told.cost <= block.cost + PLAINLY:
        return Wording(plain.simplify(told, start), plain.facts)
    return Wording(marked.simplify(block, start), marked.facts, is_marked=True)


@dataclass
class ChainWalk:
    """Where a chain with conditions leads: where it is stuck, all places where conditions are looked at, and groups.

    ``groups`` are the situations in which each condition is the first that is true.
    """

    stuck: set[Key]
    reached: set[Key]
    groups: list[set[Key]]


class Writer:
    """Finds texts for one line."""

    def __init__(self, play: LinePlay) -> None:
        self.play, self.facts = play, play.facts
        self._walked = 0
        self._places: dict[Chain, dict[tuple[Key, int], list[tuple[Key, int]] | None]] = {}
        self._blocks: dict[Keys, Block | None] = {}

    @property
    def is_patient(self) -> bool:
        """Whether there is time to look for something better."""
        return self.play.effort + self._walked < EFFORT

    # ------------------------------------------------------------------ writing

    def write(self, entries: Keys) -> Block | None:
        """What to say in some situations, the same in all of them; None if that was not found."""
        if entries not in self._blocks:
            self._blocks[entries] = next(iter(self.write_some(entries)), None)
        return self._blocks[entries]

    def write_some(self, entries: Keys, firsts: Sequence[Step] | None = None) -> list[Block]:
        """The same in several ways, the shortest first; the first step may have to be one of a few."""
        tops = {self.play.top(here) for here in entries}
        if not any(map(self.play.stuck_on_top, entries)) and (firsts is None or tops <= set(firsts)):
            return [Block(cost=chain_cost(NO_STEPS), table=self._table(entries))]
        found: list[Block] = []
        for track in _distinct(self._tracks(entries, firsts))[: WIDTH if self.is_patient else 1]:
            most = min((block.cost for block in found), default=TOO_LONG) + SPARE
            if track.least < most and (block := self._complete(track.chain, entries, most)):
                found.append(block)
        return sorted(found, key=lambda block: block.cost)

    def _tracks(self, entries: Keys, firsts: Sequence[Step] | None) -> list[Track]:
        """Chains that may do, the most promising first; exceptions within steps only if it takes some anyway."""
        chains, width = Chains(self.play, entries), GROWING if self.is_patient else 1
        found = chains.find(firsts, width)
        if found and found[0].promise <= STUCK + chain_cost(found[0].chain):
            return found
        names = None if firsts is None else {step[:3] for step in firsts}
        amended = [alike[0] for alike in self.play.amended_steps(min(entries))]
        others = chains.find([step for step in amended if names is None or step[:3] in names], width)
        return sorted([*found, *others], key=lambda track: track.promise)

    def _table(self, entries: Keys) -> SuitTable:
        """A table at which a text begins: the one where it is seen best what is finessed."""
        tables = [self.play.situation(here).table for here in sorted(entries)]
        return max(tables, key=lambda table: (len(table.north) + len(table.south), highest_out(table, self.play.suit)))

    # ------------------------------------------------------------------ following

    def _walk(self, chain: Chain, conditions: Sequence[Bits], entries: Keys) -> ChainWalk:
        """Follow a chain and play from the top, but leave it where a condition is true."""
        walk = ChainWalk(set(), set(), [set() for _ in conditions])
        places = self._places.setdefault(chain, {})
        work = [(here, 0) for here in sorted(entries)]
        seen = set(work)
        while work:
            place = work.pop()
            self._walked += 1
            if place not in places:
                places[place] = self._next_places(*place, chain)
            following = places[place]
            if following is None:
                walk.stuck.add(place[0])
            for after in following or ():
                walk.reached.add(after[0])
                case = _first_that_is_true(conditions, self.play.true(after[0]))
                if case is not None:
                    walk.groups[case].add(after[0])
                elif after not in seen:
                    seen.add(after)
                    work.append(after)
        return walk

    def _next_places(self, here: Key, at: int, chain: Chain) -> list[tuple[Key, int]] | None:
        """Where the next step leads, and the place in the chain there; None where it is stuck."""
        table = self.play.situation(here).table
        while at < len(chain) and not chain[at].applies(table):
            at += 1
        step = chain[at] if at < len(chain) else self.play.top(here)
        ends = self.play.ends(here, step) if step else None
        if ends is None:
            return None
        if at == len(chain):
            return [(end, at) for end in ends]
        return [(end, at + chain[at].is_done(self.play.situation(end).table)) for end in ends]

    # ------------------------------------------------------------------ exceptions

    def _complete(self, chain: Chain, entries: Keys, most: float) -> Block | None:
        """The chain with as many exceptions as it takes; None if it takes more words than are allowed."""
        conditions: list[Bits] = []
        cost = chain_cost(chain)
        while (walk := self._walk(chain, conditions, entries)).stuck:
            conditions.append(self._next_condition(walk))
            cost += condition_cost(conditions[-1], self.facts)
            if cost >= most:
                return None
        return self._fill(chain, conditions, walk, self._table(entries))

    def _next_condition(self, walk: ChainWalk) -> Bits:
        """The facts that get the chain out of as many situations in which it is stuck as possible, in few words."""
        conditions = Conditions(self.play, sorted(walk.reached.difference(*walk.groups)), frozenset(walk.stuck))
        best: tuple[float, Bits] | None = None
        for tried, condition in enumerate(conditions.find_promising()):
            if best and (condition.estimate > best[0] or tried >= (WIDTH if self.is_patient else 1)):
                break
            if block := self.write(frozenset(condition.group)):
                told = condition_cost(condition.facts, self.facts) + block.cost
                cost = told + STUCK * conditions.left_by(condition)
                best = min(best, (cost, condition.facts)) if best else (cost, condition.facts)
        return best[1] if best else conditions.of_one()

    def _fill(self, chain: Chain, conditions: Sequence[Bits], walk: ChainWalk, table: SuitTable) -> Block | None:
        """The block, when it is known what each condition is for; neighbours that say the same are one."""
        cases: list[Case] = []
        for facts, group in zip(conditions, walk.groups, strict=True):
            block = self.write(frozenset(group)) if group else None
            if group and block is None:
                return None
            if block and cases and cases[-1].block == block:
                cases[-1] = Case((*cases[-1].conditions, facts), block)
            elif block:
                cases.append(Case((facts,), block))
        # What is rare comes last: of texts that are about as long, the one whose exceptions are.
        rare = USUAL * self.play.share(here for group in walk.groups for here in group)
        cost = chain_cost(chain) + sum(case_cost(case, self.facts) for case in cases) + rare
        return Block(chain, tuple(cases), cost, table)

    # ------------------------------------------------------------------ texts that are there

    def holds(self, block: Block, entries: Keys) -> bool:
        """Whether a text gives nothing up."""
        walk = self._walk(block.chain, block.conditions, entries)
        below = zip(block.cases, walk.groups, strict=True)
        return not walk.stuck and all(self.holds(case, frozenset(group)) for case, group in below if group)

    def simplify(self, block: Block, entries: Keys) -> Block:
        """The same text without facts that need not be told."""
        for shorter in shorter_blocks(block, self.facts):
            if self.holds(shorter, entries):
                return self.simplify(shorter, entries)
        return block

    def amend(self, block: Block, entries: Keys) -> Block | None:
        """A text that also says in a few words what to do if one of the defenders shows out; None if it takes more."""
        stuck = sorted(self._walk(block.chain, block.conditions, entries).stuck)
        for seat in (EAST, WEST):
            out = self.facts.bit(("out", seat))
            if stuck and all(self.play.true(here) & out for here in stuck):
                for at in (len(block.exceptions), 0):
                    told = self._tell_out(block, out, at, entries)
                    if told and self.holds(told, entries):
                        return told
        return None

    def _tell_out(self, block: Block, out: Bits, at: int, entries: Keys) -> Block | None:
        """A text with one more exception, a single step; None if there is none for all situations that it is for."""
        place = len(Block((), block.exceptions[:at]).conditions)
        conditions = [*block.conditions[:place], out, *block.conditions[place:]]
        walk = self._walk(block.chain, conditions, entries)
        group = frozenset(walk.groups[place])
        if walk.stuck or not group:
            return None
        chains = Chains(self.play, group)
        able = [track for track in (chains.start, *chains.longer(chains.start)) if not track.all_stuck]
        if not able:
            return None
        chain = min(able, key=lambda track: track.promise).chain
        then = Block(chain, (), chain_cost(chain), self._table(group))
        beside = min(at, len(block.exceptions)) - (at > 0)
        if block.exceptions and (case := block.exceptions[beside]).block == then:
            facts = (*case.conditions, out) if at else (out, *case.conditions)
            return block.with_other_case(beside, Case(facts, then), condition_cost(out, self.facts))
        case = Case((out,), then)
        return block.with_case(at, case, case_cost(case, self.facts))


def _distinct(tracks: Sequence[Track]) -> list[Track]:
    """Of chains that come to the same, such as cashing the ace and leading low to it, the first."""
    found: dict[object, Track] = {}
    for track in tracks:
        found.setdefault((track.stuck, track.done, track.stuck_later), track)
    return list(found.values())


def _first_that_is_true(conditions: Sequence[Bits], true: Bits) -> int | None:
    """The number of the first condition whose facts are all true, if there is one."""
    for number, facts in enumerate(conditions):
        if facts & true == facts:
            return number
    return None
