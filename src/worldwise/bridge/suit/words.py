"""A line of play for a single suit in words, as a player would say it: complete, and regular enough to be read back.

A line is written for *sets* of situations at once. As long as one plan for a trick secures the target in all of them,
it is one sentence, whatever the defenders play; only where no plan suits all does the text ask what has happened. Of
the plans that secure the same layouts, the one with the fewest words is taken. Layouts that the line gives up are not
spoken of. ``tests/support/suit_reader.py`` plays the text; what its words mean is written down there.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property, reduce
from itertools import combinations, islice
from operator import and_
from typing import TYPE_CHECKING

from worldwise.bridge.suit.first_trick import first_trick_in_words
from worldwise.bridge.suit.outlook import (
    BEAT,
    LOW,
    Outlook,
    Situation,
    TrickPlan,
    beating_card,
    hand,
    is_hopeless,
    top_lead,
)
from worldwise.bridge.suit.phrases import TOP, Atom, Language, Step
from worldwise.bridge.suit.rules import EAST, FREE, WEST, SuitMove, SuitTable
from worldwise.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from worldwise.bridge.rules.cards import Rank
    from worldwise.bridge.suit.fronts import Levels
    from worldwise.bridge.suit.solver import SuitSolver

NOTHING = "Nothing can be done"
"""All that can be said of a line that wins nowhere."""

EFFORT = 200
"""How many situations the search for few words looks at before it takes the first plan that will do."""


@dataclass(frozen=True)
class LineText:
    """A line of play in words: ``start`` is its first trick, ``summary`` a sentence, ``text`` all of it."""

    start: str
    summary: str
    text: str

    def __str__(self) -> str:
        return self.text


def line_in_words(solver: SuitSolver, tricks: int | None = None) -> LineText:
    """The best line for a goal, or for the most tricks on average, in words.

    >>> from worldwise.bridge.suit.solver import SuitSolver
    >>> from worldwise.bridge.suit.rules import Suit
    >>> print(line_in_words(SuitSolver(Suit.of("AQT", "32")), 2))
    Finesse the ten, but beat the king or jack.
    If West plays the king or jack: lead low to the ten, but beat the king or jack. Play from the top.
    If West plays a low card: lead low to the queen, but play the ace on the king. Play from the top.
    Otherwise: play from the top.
    """
    line = solver.line(tricks)
    if not solver.suit.is_plain:
        return LineText(*[first_trick_in_words(line)] * 3)
    return levels_in_words(solver, line.levels, None)


def levels_in_words(solver: SuitSolver, levels: Levels, tricks: int | None, first: str | None = None) -> LineText:
    """A line that wins in the worlds of ``levels`` in words; how it starts may be given."""
    block = _Writer(solver, levels, tricks).whole(first)
    if not block.steps:
        return LineText(NOTHING, f"{NOTHING}.", f"{NOTHING}.")
    return LineText(block.steps[0].short, block.summary, "\n".join(block.lines()))


# ---------------------------------------------------------------------- what is said


@dataclass(frozen=True)
class Block:
    """Steps one after the other, then perhaps branches, each with its condition; the last is for everything else."""

    steps: tuple[Step, ...] = ()
    branches: tuple[tuple[str, Block], ...] = ()
    main: Step | None = field(default=None, compare=False)

    @cached_property
    def cost(self) -> int:
        """Words, and a bit for every line."""
        below = sum(condition.count(" ") + 4 + block.cost for condition, block in self.branches)
        return sum(step.cost for step in self.steps) + below

    def after(self, step: Step) -> Block:
        """The block with a step before it."""
        return Block((step, *self.steps), self.branches, self.main)

    @property
    def summary(self) -> str:
        """The first step and what mainly follows it."""
        shorts = [step.short for step in self.steps]
        if self.main:
            shorts.append(self.main.short)
        again = " again" if shorts[1:2] == shorts[:1] else ""
        then = f", then {_small(shorts[1])}{again}" if len(shorts) > 1 else ""
        return f"{shorts[0]}{then}."

    def lines(self) -> Iterator[str]:
        """The text; what hangs on a condition is indented."""
        if self.steps:
            yield " ".join(f"{step.text}." for step in self.steps)
        for condition, block in self.branches:
            start = f"If {condition}:" if condition else "Otherwise:"
            if block.branches:
                yield start
                yield from (f"  {line}" for line in block.lines())
            else:
                yield f"{start} {_small(' '.join(block.lines()))}"


def _small(sentence: str) -> str:
    return sentence[:1].lower() + sentence[1:]


Situations = frozenset[Situation]
Lead = tuple[int, "Rank"]
Answers = dict["Rank", set["Rank"]]
"""For cards of second hand's, third hand's that secure the target, as they are said."""


Rules = list[tuple[tuple[Atom, ...], Situations]]
"""Facts, and the situations of which they are true and which no earlier rule has taken."""


class _Writer:
    """Finds a plan for every set of situations that the line can lead to."""

    def __init__(self, solver: SuitSolver, levels: Levels, goal: int | None) -> None:
        self.rules, self.levels, self.goal = solver.rules, levels, goal
        self.view = Outlook(solver, levels, goal)
        self.language = Language(solver.suit)
        self.effort = 0
        self.blocks: dict[Situations, Block] = {}
        self.atoms: dict[Situation, set[Atom]] = {}
        self.tops: dict[SuitTable, bool] = {}
        self.leads: dict[SuitTable, list[Lead]] = {}
        self.seconds: dict[tuple[SuitTable, int, Rank], list[SuitTable]] = {}
        self.answers: dict[tuple[SuitTable, int, Rank], Answers] = {}

    def whole(self, first: str | None) -> Block:
        """The line from the beginning; its first sentence may be given."""
        start = frozenset([Situation(self.rules.root.table)])
        if not self.view.open(self.rules.root.table):
            return Block()
        if first is None:
            return self.block(start)
        found = [self._follow(start, plan) for plan in self._plans(start)]
        return min(found, key=lambda block: (block.steps[0].short != first, block.cost))

    def block(self, situations: Situations) -> Block:
        """What to say about situations, all of them open."""
        if situations not in self.blocks:
            self.blocks[situations] = self._write(situations)
        return self.blocks[situations]

    def _write(self, situations: Situations) -> Block:
        if not situations:
            return Block()
        if all(self._top_will_do(here.table) for here in situations):
            return Block((Step(TOP, TOP),))
        self.effort += len(situations)
        plans = list(islice(self._plans(situations), 1 if self.effort > EFFORT else None))
        if not plans:
            return self._split(situations)
        return min((self._follow(situations, plan) for plan in plans), key=lambda block: block.cost)

    def _follow(self, situations: Situations, plan: TrickPlan) -> Block:
        after = frozenset(end for here in situations for end in self._ends(here.table, plan))
        return self.block(after).after(self.language.step([here.table for here in situations], plan, self.view))

    # ------------------------------------------------------------------ plans

    def _plans(self, situations: Situations) -> Iterator[TrickPlan]:
        """The plans that secure the target in all situations."""
        tables = [here.table for here in situations]
        leads = set.intersection(*(set(self._leads(table)) for table in tables))
        return (plan for lead in sorted(leads) for plan in self._with_lead(tables, *lead))

    def _leads(self, table: SuitTable) -> list[Lead]:
        if table not in self.leads:
            self.leads[table] = list(self._good_leads(table))
        return self.leads[table]

    def _good_leads(self, table: SuitTable) -> Iterator[Lead]:
        """The leads that secure the target, as they are said."""
        for move in self.rules.options(table):
            named = self.view.lead_card(table, move)
            for card in dict.fromkeys((named, max(self.view.touching(table, move)), move.card)):
                # A low card is called low; only one that is not so low may have its name as well.
                if (named != LOW or card == LOW or card > 8) and self.view.secures(self._led(table, move.seat, card)):
                    yield move.seat, card

    def _with_lead(self, tables: Sequence[SuitTable], seat: int, lead: Rank) -> Iterator[TrickPlan]:
        """The plans that start with a lead: one for each card from opposite that might be the usual one."""
        answers: Answers = {}
        for table in tables:
            for second, cards in self._answers(table, seat, lead).items():
                answers[second] = answers.get(second, cards) & cards
        if not all(answers.values()):
            return
        if not answers:
            yield TrickPlan(seat, lead, LOW if all(hand(table, 2 - seat) for table in tables) else None)
            return
        # The usual card is the one for low cards; exceptions are for honours.
        lowest = min(answers, key=lambda second: second or 15)
        for usual in sorted(answers[lowest] - {BEAT}, key=_by_rank):
            others = {second: cards for second, cards in answers.items() if usual not in cards}
            plan = TrickPlan(seat, lead, usual, _group(others))
            if len(tables) == 1 or all(self._works(table, plan) for table in tables):
                yield plan

    def _answers(self, table: SuitTable, seat: int, lead: Rank) -> Answers:
        key = table, seat, lead
        if key not in self.answers:
            self.answers[key] = dict(self._good_answers(*key))
        return self.answers[key]

    def _good_answers(self, table: SuitTable, seat: int, lead: Rank) -> Iterator[tuple[Rank, set[Rank]]]:
        for seen in self._seconds(table, seat, lead):
            cards = set(self._thirds(seen))
            # What cannot be beaten gets a low card: there is no need to say so.
            if not (LOW in cards and is_hopeless(seen)):
                yield seen.trick[1].card, cards

    def _works(self, table: SuitTable, plan: TrickPlan) -> bool:
        """Whether what another table needs can be said of this one, and does no harm."""
        if plan.third and plan.third not in hand(table, 2 - plan.seat):
            return False
        seen = self._seconds(table, plan.seat, plan.lead)
        return all(self.view.secures(self.view.after(trick, self._third(trick, plan))) for trick in seen)

    def _seconds(self, table: SuitTable, seat: int, lead: Rank) -> list[SuitTable]:
        """The tables at which third hand has something to choose."""
        key = table, seat, lead
        if key not in self.seconds:
            led = self._led(*key)
            seen = [self.view.after(led, second) for second in self.view.defences(led)]
            self.seconds[key] = [table for table in seen if len(table.trick) == 2]
        return self.seconds[key]

    def _led(self, table: SuitTable, seat: int, lead: Rank) -> SuitTable:
        return self.view.after(table, SuitMove(seat, lead or hand(table, seat)[-1]))

    def _thirds(self, table: SuitTable) -> Iterator[Rank]:
        """Third hand's cards that secure the target, as they are said."""
        seat = 2 - table.trick[0].seat
        for move in self.rules.options(table):
            card = self.view.third_card(table, move)
            if self.view.secures(self.view.after(table, SuitMove(seat, card or move.card))):
                yield card
            elif self.view.secures(self.view.after(table, move)):
                yield move.card
        beat = beating_card(table, seat)
        if beat and self.view.secures(self.view.after(table, SuitMove(seat, beat))):
            yield BEAT

    def _ends(self, table: SuitTable, plan: TrickPlan) -> Iterator[Situation]:
        """What a plan can lead to, where something is still to be won."""
        yield from self._finish(self._led(table, plan.seat, plan.lead), lambda seen: self._third(seen, plan))

    def _finish(self, table: SuitTable, third: Callable[[SuitTable], SuitMove]) -> Iterator[Situation]:
        for second in self.view.defences(table):
            seen = self.view.after(table, second)
            if len(seen.trick) == 2:
                seen = self.view.after(seen, third(seen))
            for fourth in self.view.defences(seen):
                end = self.view.after(seen, fourth)
                if self.view.open(end):
                    yield Situation(end, (*seen.trick, fourth))

    def _third(self, table: SuitTable, plan: TrickPlan) -> SuitMove:
        second, seat = table.trick[1].card, 2 - plan.seat
        named = next((card for card, on in plan.instead if second in on), None)
        if named is None:
            named = LOW if is_hopeless(table) else plan.third
        card = beating_card(table, seat) if named == BEAT else named
        return SuitMove(seat, card if card in hand(table, seat) else hand(table, seat)[-1])

    # ------------------------------------------------------------------ the rest

    def _top_will_do(self, table: SuitTable) -> bool:
        """Whether playing off the top cards secures the target."""
        if table not in self.tops:
            self.tops[table] = self._try_top(table)
        return self.tops[table]

    def _try_top(self, table: SuitTable) -> bool:
        if not self.view.open(table):
            return True
        if not table.north and not table.south:
            return False
        lead = top_lead(table)
        if self.rules.entries != FREE and lead not in self.rules.options(table):
            return False
        led = self.view.after(table, lead)
        if not self.view.secures(led):
            return False
        ends = self._finish(led, lambda seen: SuitMove(2 - lead.seat, hand(seen, 2 - lead.seat)[-1]))
        return all(self._top_will_do(end.table) for end in ends)

    # ------------------------------------------------------------------ conditions

    def _split(self, situations: Situations) -> Block:
        """A list of conditions: each has a plan for all that it applies to, and so has what is left."""
        if len({frozenset(self._atoms(here)) for here in situations}) == 1:
            raise InputError(f"expected situations that words can tell apart, found {sorted(situations)}")
        usuals = [None, *sorted({lead for here in situations for lead in self._leads(here.table)})]
        lists: list[tuple[Rules, Situations]] = []
        for usual in usuals:
            for spare in (0.05,) if self.effort > EFFORT else (0.05, 0.5):
                most = min((len(rules) for rules, _ in lists), default=99)
                lists += self._decisions(situations, usual, spare, most)
        lists.sort(key=lambda found: (_rules_cost(found[0]), -len(found[1])))
        tries = 1 if self.effort > EFFORT else 4
        return min((self._branches(*found) for found in lists[:tries]), key=lambda block: block.cost)

    def _branches(self, rules: Rules, rest: Situations) -> Block:
        rules = self._drop_needless(rules, self.block(rest))
        branches = [(self.language.condition(atoms), self.block(group)) for atoms, group in rules]
        main = min((rest, *(group for _, group in rules)), key=lambda group: min(map(_excitement, group)))
        return Block((), tuple(_merge_neighbours([*branches, ("", self.block(rest))])), self.block(main).steps[0])

    def _drop_needless(self, rules: Rules, rest: Block) -> Rules:
        """The rules without those that say what the rest does, where no later one steps in between."""
        kept: Rules = []
        for atoms, group in reversed(rules):
            taken = any(set(later) <= self._atoms(here) for later, _ in kept for here in group)
            if taken or self.block(group) != rest:
                kept.append((atoms, group))
        return kept[::-1]

    def _can(self, situations: Situations, lead: Lead | None) -> bool:
        """Whether a lead, or playing from the top, has a plan for all situations."""
        if not all(self._suits(here, lead) for here in situations):
            return False
        return lead is None or next(self._with_lead([here.table for here in situations], *lead), None) is not None

    def _suits(self, here: Situation, lead: Lead | None) -> bool:
        return self._top_will_do(here.table) if lead is None else lead in self._leads(here.table)

    def _has_plan(self, situations: Situations) -> bool:
        if all(self._top_will_do(here.table) for here in situations):
            return True
        return next(self._plans(situations), None) is not None

    def _decisions(
        self, situations: Situations, usual: Lead | None, spare: float, most: int
    ) -> list[tuple[Rules, Situations]]:
        """Conditions for situations that the usual lead does not suit, until it suits what is left; not too many."""
        rules: Rules = []
        while len(situations) > 1 and not self._can(situations, usual):
            if len(rules) == most:
                return []
            bad = frozenset(here for here in situations if not self._suits(here, usual))
            rules.append(self._condition(situations, bad, spare))
            situations -= rules[-1][1]
        return [(rules, situations)]

    def _atoms(self, here: Situation) -> set[Atom]:
        if here not in self.atoms:
            self.atoms[here] = set(self.language.atoms(here))
        return self.atoms[here]

    def _condition(self, situations: Situations, bad: Situations, spare: float) -> tuple[tuple[Atom, ...], Situations]:
        """The condition that takes most of the bad situations out, with few words, and has a plan for all it takes."""
        order = sorted(situations)
        facts = _facts_by_set([self._atoms(here) for here in order])
        every, wrong = (1 << len(order)) - 1, sum(1 << place for place, here in enumerate(order) if here in bad)
        for size in (1, 2, 3):
            found = []
            for sets in combinations(facts, size):
                group = reduce(and_, sets)
                if group and group != every and (group & wrong or not wrong):
                    atoms = tuple(facts[members] for members in sets)
                    merit = (group & wrong).bit_count() - spare * (group & ~wrong).bit_count()
                    found.append((2 * sum(map(_weight, atoms)) - merit, atoms, group))
            for _, atoms, group in sorted(found, key=lambda item: item[0]):
                chosen = frozenset(here for place, here in enumerate(order) if group >> place & 1)
                if self._has_plan(chosen):
                    return atoms, chosen
        # Of nobody else are all these facts true but of those with more of them.
        most = max(order, key=lambda here: len(self._atoms(here)))
        chosen = frozenset(here for here in order if self._atoms(most) <= self._atoms(here))
        return tuple(sorted(self._atoms(most), key=repr)), chosen


def _facts_by_set(facts: Sequence[set[Atom]]) -> dict[int, Atom]:
    """The simplest fact for every set of situations that one fact tells from the others."""
    holders: dict[Atom, int] = {}
    for place, atoms in enumerate(facts):
        for atom in atoms:
            holders[atom] = holders.get(atom, 0) | 1 << place
    ordered = sorted(holders, key=lambda atom: (-_weight(atom), repr(atom)))
    return {holders[atom]: atom for atom in ordered}


def _group(answers: dict[Rank, set[Rank]]) -> tuple[tuple[Rank, tuple[Rank, ...]], ...]:
    """Cards for second hand's cards, as few different ones as come easily."""
    groups = []
    while answers:
        every = sorted({card for cards in answers.values() for card in cards})
        card = max(every, key=lambda card: (sum(card in cards for cards in answers.values()), card > 0, -card))
        on = tuple(sorted((second for second, cards in answers.items() if card in cards), reverse=True))
        groups.append((card, on))
        answers = {second: cards for second, cards in answers.items() if card not in cards}
    return tuple(groups)


def _excitement(here: Situation) -> int:
    """How high the defenders' cards are: the main case is that they play low."""
    return sum(move.card or 15 for move in here.last if move.seat in (EAST, WEST))


def _merge_neighbours(branches: Sequence[tuple[str, Block]]) -> list[tuple[str, Block]]:
    """Neighbours that say the same, as one."""
    found: list[tuple[str, Block]] = []
    for condition, block in branches:
        if found and found[-1][1] == block:
            earlier = found.pop()[0]
            condition = f"{earlier}, or if {condition}" if condition else ""
        found.append((condition, block))
    return found


def _rules_cost(rules: Rules) -> float:
    return sum(1 + sum(map(_weight, atoms)) for atoms, _ in rules)


def _weight(atom: Atom) -> float:
    """How hard a fact is to grasp."""
    match atom:
        case ("plays", _, tuple(cards)):
            return 1.0 + 0.1 * len(cards)
        case ("has", _, _, int(count)):
            return 1.5 + 0.3 * count
    return {"out": 0.9, "lost": 1.0, "won": 1.1, "winner": 1.1, "tricks": 1.7, "holds": 1.9}[str(atom[0])]


def _by_rank(card: Rank) -> tuple[bool, Rank]:
    """Low is the last resort."""
    return card == LOW, card
