"""Plays steps against every defence in all layouts that a line wins: where they lead, and where they give it up."""

from __future__ import annotations

from dataclasses import dataclass
from functools import reduce
from operator import or_
from typing import TYPE_CHECKING

from worldwise.bridge.suit.rules import FREE, NORTH, SOUTH, SuitMove
from worldwise.bridge.suit.situations import LAST, NONE, Packing, Situation, new_keeper
from worldwise.bridge.suit.steps import EITHER, LOW, Step, hand, possible_steps, top_step

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from worldwise.bridge.rules.cards import Rank
    from worldwise.bridge.suit.facts import Bits, Facts
    from worldwise.bridge.suit.fronts import Levels
    from worldwise.bridge.suit.rules import SuitTable
    from worldwise.bridge.suit.situations import Key, Keys
    from worldwise.bridge.suit.solver import SuitSolver


@dataclass(frozen=True)
class Course:
    """Where a chain leads: situations in which it is stuck, and those in which all of its steps are done."""

    stuck: Keys
    done: Keys


def _join(courses: Iterable[Course]) -> Course:
    found = list(courses)
    return Course(NONE.union(*(one.stuck for one in found)), NONE.union(*(one.done for one in found)))


class LinePlay:
    """Plays steps for one line, and keeps what comes of it.

    If ``marked``, nothing is followed after a defender has shown out.
    """

    def __init__(self, solver: SuitSolver, levels: Levels, facts: Facts, *, marked: bool) -> None:
        self.solver, self.suit, self.levels, self.marked = solver, solver.suit, levels, marked
        self.keeper, self.packing = new_keeper(solver, levels), Packing(solver.suit.length, len(solver.suit.classes))
        self.facts = facts
        self.start = self.packing.pack(Situation(solver.root))
        self._situations: dict[Key, Situation] = {}
        self._true: dict[Key, Bits] = {}
        self._ends: dict[tuple[Key, Step], list[Key] | None] = {}
        self._courses: dict[tuple[Key, Step], Course] = {}
        self._steps: dict[Key, list[list[Step]]] = {}
        self._tops: dict[Key, Keys] = {}
        self._amended: dict[bytes, list[list[Step]]] = {}
        self._top_steps: dict[bytes, Step | None] = {}

    @property
    def effort(self) -> int:
        """How many steps have been played."""
        return len(self._ends)

    def situation(self, here: Key) -> Situation:
        """What a key stands for."""
        if here not in self._situations:
            self._situations[here] = self.packing.unpack(here)
        return self._situations[here]

    def true(self, here: Key) -> Bits:
        """All facts that can be told of a situation."""
        if here not in self._true:
            self._true[here] = self.facts.of(self.situation(here))
        return self._true[here]

    def ends(self, here: Key, step: Step) -> list[Key] | None:
        """Where a step can lead; None if it gives something up."""
        place = here[: -LAST.size], step
        if place not in self._ends:
            self._ends[place] = self._play(here, step)
        return self._ends[place]

    def _play(self, here: Key, step: Step) -> list[Key] | None:
        table = self.situation(here).table
        if not self._may_lead(here, step.leader(table)):
            return None
        return self.keeper.ends(here, step.plan(table, self.suit), shown_out=self.marked)

    def _may_lead(self, here: Key, seat: int) -> bool:
        table = self.situation(here).table
        if self.solver.entries == FREE:
            return bool(hand(table, seat))
        return any(move.seat == seat for move in self.solver.rules.options(table))

    def course(self, here: Key, step: Step) -> Course:
        """Where a step leads that is repeated until it is done."""
        place = here, step
        if place not in self._courses:
            self._courses[place] = self._follow(here, step)
        return self._courses[place]

    def _follow(self, here: Key, step: Step) -> Course:
        if not step.applies(self.situation(here).table):
            return Course(NONE, frozenset([here]))
        ends = self.ends(here, step)
        if ends is None:
            return Course(frozenset([here]), NONE)
        done = frozenset(end for end in ends if step.is_done(self.situation(end).table))
        again = _join(self.course(end, step) for end in ends if end not in done)
        return Course(again.stuck, again.done | done)

    def share(self, places: Iterable[Key]) -> float:
        """How much of all that the line wins may be in one of some situations."""
        won = reduce(or_, self.levels, 0)
        mask = reduce(or_, (self.solver.possible(self.situation(here).table) for here in places), 0) & won
        return self.solver.weight(mask) / max(self.solver.weight(won), 1)

    # ------------------------------------------------------------------ from the top

    def top(self, here: Key) -> Step | None:
        """The next step from the top, if there is a card left."""
        place = here[: -LAST.size]
        if place not in self._top_steps:
            table = self.situation(here).table
            self._top_steps[place] = top_step(table, self.suit) if table.north or table.south else None
        return self._top_steps[place]

    def stuck_on_top(self, here: Key) -> Keys:
        """Where one who plays from the top is stuck."""
        if here not in self._tops:
            self._tops[here] = self._try_top(here)
        return self._tops[here]

    def _try_top(self, here: Key) -> Keys:
        step = self.top(here)
        ends = self.ends(here, step) if step else None
        return frozenset([here]) if ends is None else NONE.union(*map(self.stuck_on_top, ends))

    # ------------------------------------------------------------------ which steps will do

    def steps(self, here: Key) -> list[list[Step]]:
        """The steps that give nothing up, without exceptions if there are any such; those alike together."""
        table = here[: -LAST.size]
        if table not in self._steps:
            found = [alike for alike in self._possible_steps_at(here) if self.ends(here, alike[0]) is not None]
            self._steps[table] = found or self.amended_steps(here)
        return self._steps[table]

    def _possible_steps_at(self, here: Key) -> Iterator[list[Step]]:
        seats = [seat for seat in (NORTH, SOUTH) if self._may_lead(here, seat)]
        return possible_steps(self.situation(here).table, self.suit, seats)

    def amended_steps(self, here: Key) -> list[list[Step]]:
        """Steps that are right but for some cards of second hand's, with what is right there."""
        place = here[: -LAST.size]
        if place not in self._amended:
            found, lowest = list(self._find_amended(here)), self.suit.classes[-1][:1]
            # The usual card is the one for low cards; exceptions are for others.
            usual = [alike for alike in found if not any(set(on) & set(lowest) for _, on in alike[0].instead)]
            plain = usual or any(self.ends(here, alike[0]) is not None for alike in self._possible_steps_at(here))
            self._amended[place] = usual if plain else found
        return self._amended[place]

    def _find_amended(self, here: Key) -> Iterator[list[Step]]:
        table = self.situation(here).table
        for alike in self._possible_steps_at(here):
            if self.ends(here, alike[0]) is None:
                for seat in (NORTH, SOUTH) if alike[0].seat == EITHER else (alike[0].seat,):
                    step = alike[0]._replace(seat=seat)
                    if self._may_lead(here, seat) and (instead := self._amend(table, step)):
                        yield [one._replace(seat=seat, instead=instead) for one in alike]

    def _amend(self, table: SuitTable, step: Step) -> tuple[tuple[Rank, tuple[Rank, ...]], ...]:
        """Other cards of third hand's, for those of second hand's that need them; none if the lead is wrong."""
        rules, plan = self.solver.rules, step.plan(table, self.suit)
        led = rules.after(table, plan.lead)
        needed: dict[Rank, set[Rank]] = {}
        if not self._secures(led):
            return ()
        for second in rules.options(led):
            seen = rules.after(led, second)
            if len(seen.trick) == 2 and not self._is_settled(seen, table.tricks):
                usual = plan.thirds[self.suit.class_of[second.card] if second.card else -1]
                if not self._secures(rules.after(seen, SuitMove(2 - step.seat, usual))):
                    needed[second.card] = set(self._thirds(seen))
        return _group(needed)

    def _thirds(self, table: SuitTable) -> Iterator[Rank]:
        """Third hand's cards that give nothing up, as they are said."""
        rules, lowest = self.solver.rules, hand(table, 2 - table.trick[0].seat)[-1]
        for move in rules.options(table):
            if self._secures(rules.after(table, move)):
                yield LOW if move.card == lowest else move.card

    def _is_settled(self, table: SuitTable, won: int) -> bool:
        """Whether nothing is to be won any more, or it is marked how."""
        known = self.marked and (table.west_out or table.east_out)
        return known or not self.solver.possible(table) & self.levels[won]

    def _secures(self, table: SuitTable) -> bool:
        return self.solver.secures(table, self.levels, None)


def _group(needed: dict[Rank, set[Rank]]) -> tuple[tuple[Rank, tuple[Rank, ...]], ...]:
    """Cards for second hand's cards, as few different ones as come easily."""
    groups = []
    while needed:
        every = sorted({card for cards in needed.values() for card in cards})
        card = max(every, key=lambda card: (sum(card in cards for cards in needed.values()), card > 0, -card))
        groups.append((card, tuple(sorted((on for on, cards in needed.items() if card in cards), reverse=True))))
        needed = {on: cards for on, cards in needed.items() if card not in cards}
    return tuple(groups)
