"""Chooses the questions of the drill, which come with the package.

    python tests/support/drill_pool.py 11 > src/worldwise/catalog/data/suit_drill.json      some ten minutes

They are combinations as books have them: honours, tens, nines and eights anywhere, and small cards; six to ten cards in
all, two or more in each hand; a goal that is neither nearly certain nor nearly hopeless; who plays at random gets
through at most one time in three; and the defence is soon found. Of these as many are taken for each level as keep
every player without judgement below its cap there: with all cards, with all leads, and with the first lead alone.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from random import Random

from drill_players import (
    LEADS,
    PLAYERS,
    chance_of_luck,
    gets_through,
    leads_through,
    sampling_gets_through,
    starts_right,
)
from worldwise.bridge.suit.drill import DrillEntry, DrillQuestion
from worldwise.bridge.suit.drill_levels import LEVELS, level_of
from worldwise.bridge.suit.rules import Suit
from worldwise.bridge.suit.solver import SuitSolver

SIZE = 40
"""How many questions a level has."""

CAPS = {"all cards": 0.25, "all leads": 0.36, "first lead": 0.38, "sampling": 0.36}
"""The share of a level's questions that a player without judgement may get right; sampling may have level 1."""

LEAST, MOST = 0.05, 0.97
"""Chances of a goal that is worth asking for."""

LUCK = 0.35
TABLES = 2000
"""How many tables the defence may have to look at: a tenth of a second."""

ABOUT = "Questions of the drill on single suits, by level; tests/support/drill_pool.py chooses them and says how."


def choose(seed):
    """The questions of all levels."""
    levels = {level: Level(level) for level in LEVELS}
    for entry, question in candidates(Random(seed)):
        levels[entry.level].offer(entry, question)
        if all(level.is_full for level in levels.values()):
            return [entry for level in levels.values() for entry in level.chosen]
    raise AssertionError("there is always another candidate")


class Level:
    """The questions of a level, and who gets how many of them right without judgement."""

    def __init__(self, number):
        self.number, self.chosen, self.counts = number, [], Counter()

    @property
    def is_full(self):
        return len(self.chosen) == SIZE

    def offer(self, entry, question):
        """Take a question, unless somebody would get too many right."""
        marks = []
        for mark in [] if self.is_full else self.marks(question):
            if self.counts[mark] == int(CAPS[mark[0]] * SIZE):
                return
            marks.append(mark)
        if not self.is_full and chance_of_luck(question.begin()) <= LUCK:
            self.chosen.append(entry)
            self.counts.update(marks)
            sys.stderr.write(f"level {self.number}: {len(self.chosen)}\n")

    def marks(self, question):
        """What players without judgement get right."""
        yield from (("first lead", name) for name, rule in LEADS.items() if starts_right(question, rule))
        yield from (("all leads", name) for name, rule in LEADS.items() if leads_through(question, rule))
        yield from (("all cards", name) for name, rule in PLAYERS.items() if gets_through(question, rule))
        if self.number > 1 and sampling_gets_through(question):
            yield "sampling", ""


def candidates(rng):
    seen = set()
    while True:
        north, south = draw_combination(rng)
        goals = [] if frozenset((north, south)) in seen else uncertain_goals(SuitSolver(Suit.of(north, south)))
        seen.add(frozenset((north, south)))
        if goals and is_worth_asking(question := rng.choice(goals)):
            level = level_of(question.solver, question.tricks)
            yield DrillEntry(north, south, question.tricks, level), question


def draw_combination(rng):
    while True:
        hands = ["", "", ""]
        for card in "AKQJT98":
            hands[rng.choice((0, 1, 2))] += card
        left = rng.randint(6, 10) - len(hands[0]) - len(hands[1])
        if not 0 <= left <= 5:
            continue
        small = rng.randint(0, left)
        north, south = hands[0] + "x" * small, hands[1] + "x" * (left - small)
        if min(len(north), len(south)) > 1:
            return north, south


def uncertain_goals(solver):
    return [DrillQuestion(solver, answer.tricks) for answer in solver.goals if LEAST < answer.chance < MOST]


def is_worth_asking(question):
    """Whether there is something to go wrong with, and the defence soon knows how."""
    defence = question.defence(question.answer.wins)
    return defence.can_go_wrong(question.solver.root) and defence.tables <= TABLES


def main(seed):
    lines = ",\n".join(map(json.dumps, choose(int(seed))))
    sys.stdout.write(f'{{\n"about": {json.dumps(ABOUT)},\n"questions": [\n{lines}\n]\n}}\n')


if __name__ == "__main__":
    main(*sys.argv[1:])
