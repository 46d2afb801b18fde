"""A drill on single suits: you play every card of both hands, and it stops at the first one that costs.

**Your chance** is that of the best line that has played as you have. Of what you would have done had the defenders
played otherwise nothing is known, so you are given credit for the best: a line is fixed where you have played, and free
everywhere else. Its chance is counted over all layouts, as before the first card, so nothing that the defenders play
changes it, and what a card *costs* is what it takes away. Looking at the layouts alone that still fit the cards would
mislead (FB01's non-locality): in some of them no good defender would have played so.

**The defenders** have no cards until they play them: nothing is dealt beforehand. The layouts that fit the cards are
those that may still be, and a defender may play whatever one of them allows. Of these answers he gives the one after
which careless players put most at risk; ``sharp_defence`` says how that is counted. Only answers count that leave a
layout which your line wins, so the question does not end before you could go wrong.

**The layout** that is shown in the end fits every card played. If no card has cost anything, it is the likeliest one
that your line wins, and no defence beats you there. After a card that costs it is the likeliest one that the card gives
up, and there the defenders beat you from now on. So in the layout that is shown they have defended as well as can be.
Now and then a card costs nothing because another line is as good that wins nothing here, but more elsewhere; then it is
over, and the layout is one that this line gives up.

**Cards that play themselves** are those that make no difference, or no good one: a hand's only card, or cards that
touch; and opposite a card that wins, or under one that cannot be beaten, the lowest. It is over when none of the cards
still to be played can cost anything, or the goal is reached.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from random import Random
from typing import TYPE_CHECKING, NamedTuple

from worldwise.bridge.rules.cards import RANKS, holding_name, rank_name
from worldwise.bridge.suit.drill_cards import deal_layout, deal_rounds
from worldwise.bridge.suit.most_wins import MostWins
from worldwise.bridge.suit.outlook import Outlook
from worldwise.bridge.suit.phrases import CARD_NAMES
from worldwise.bridge.suit.rules import NORTH, SOUTH, Suit, SuitMove
from worldwise.bridge.suit.sharp_defence import SharpDefence
from worldwise.bridge.suit.solver import SuitSolver
from worldwise.bridge.suit.steps import hand
from worldwise.core.game import Side
from worldwise.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from worldwise.bridge.rules.cards import Holding
    from worldwise.bridge.suit.rules import SuitGame, SuitTable
    from worldwise.bridge.suit.solver import GoalAnswer
    from worldwise.bridge.suit.weighing import Mask

_SEATS = {"n": NORTH, "north": NORTH, "s": SOUTH, "south": SOUTH}
_WORDS = dict(zip(CARD_NAMES, RANKS, strict=True))


# ---------------------------------------------------------------------- plays


def play_words(move: SuitMove) -> str:
    """A lead as people say it.

    >>> play_words(SuitMove(SOUTH, 2))
    'lead the 2 from South'
    """
    names = {letter: word for word, letter in _WORDS.items() if letter in "TJQKA"}
    rank = rank_name(move.card)
    return f"lead the {names.get(rank, rank)} from {'North' if move.seat == NORTH else 'South'}"


def read_play(text: str, suit: Suit, plays: Iterable[SuitMove]) -> SuitMove:
    """The first play that a person means: ``S2``, ``NA`` or words; of cards that touch, any names them all.

    >>> suit = Suit.of("AKQ9", "32")
    >>> plays = list(SuitSolver(suit).goal(4).plays)
    >>> str(read_play("lead the 3 from South", suit, plays)), str(read_play("NA", suit, plays))
    ('S2', 'NQ')
    """
    options = list(plays)
    seat, card = read_seat_and_rank(text)
    held = suit.north if seat == NORTH else suit.south
    lower = [move for move in options if move.seat == seat and card in held and move.card <= card]
    if not lower:
        known = ", ".join(f"{move} ({play_words(move)})" for move in options)
        raise InputError(f"expected one of the plays {known or '(there are none)'}, found {text.strip()!r}")
    return max(lower, key=lambda move: move.card)


def read_seat_and_rank(text: str) -> tuple[int | None, int]:
    """The seat and the rank in a text; None and 0 for what is not there.

    >>> read_seat_and_rank("the nine from North"), read_seat_and_rank("SA"), read_seat_and_rank("10")
    ((0, 9), (2, 14), (None, 10))
    """
    words = re.findall(r"10|[a-z]+|[2-9]", text.lower())
    if len(words) == 1 and len(words[0]) == 2 and words[0][0] in _SEATS:
        words = list(words[0])
    seats = [_SEATS[word] for word in words if word in _SEATS]
    ranks = [rank for word in words if (rank := _rank(word))]
    return seats[0] if len(seats) == 1 else None, ranks[0] if len(ranks) == 1 else 0


def _rank(word: str) -> int:
    letter = "T" if word == "10" else _WORDS.get(word, word.upper())
    return RANKS.index(letter) + 2 if len(letter) == 1 and letter in RANKS else 0


# ---------------------------------------------------------------------- questions


@dataclass(frozen=True)
class DrillQuestion:
    """A combination and a goal: play it to the end so that no card costs.

    ``level`` says how hard it is, from 1 to 3, if it comes from the catalog.

    >>> question = DrillQuestion(SuitSolver(Suit.of("AKQ9", "32")), 4)
    >>> play = question.begin()
    >>> verdict = play.judge(SuitMove(NORTH, 14))
    >>> verdict.costs, float(verdict.before), round(float(verdict.after), 4)
    (True, 0.24, 0.1034)
    >>> play = play.judge(SuitMove(SOUTH, 2)).then
    >>> [str(card) for card in play.cards], [str(card) for card in play.choices]
    (['S2', 'WT'], ['NA', 'NK', 'NQ', 'N9'])
    """

    solver: SuitSolver
    tricks: int
    level: int | None = None

    @cached_property
    def answer(self) -> GoalAnswer:
        """The best chance, and the line for it."""
        return self.solver.goal(self.tricks)

    @cached_property
    def is_one(self) -> bool:
        """Whether there is a card with which one can go wrong: as a rule the first, which is soon found out."""
        if len(set(self.answer.plays.values())) > 1:
            return True
        return bool(self.answer.chance) and self.defence(self.answer.wins).can_go_wrong(self.solver.root)

    @cached_property
    def most(self) -> MostWins:
        """Finds what can still be won."""
        return MostWins(self.solver, self.tricks)

    def defence(self, target: Mask) -> SharpDefence:
        """The defence against a line that wins the layouts of a target."""
        if target not in self._defences:
            levels = (0,) * (self.tricks - 1) + (target,)
            self._defences[target] = SharpDefence(Outlook(self.solver, levels, self.tricks))
        return self._defences[target]

    @cached_property
    def _defences(self) -> dict[Mask, SharpDefence]:
        return {}

    def begin(self) -> DrillPlay:
        """Where the first choice is to be made."""
        return DrillPlay(self, (), self.solver.root, self.answer.wins).go_on()


def questions_about(solver: SuitSolver, tricks: int | None = None) -> list[DrillQuestion]:
    """The goals of a combination with which one can go wrong, or one of them; there may be none."""
    goals = range(1, solver.suit.length + 1) if tricks is None else [solver.goal(tricks).tricks]
    return [question for goal in goals if (question := DrillQuestion(solver, goal)).is_one]


def own_questions(solver: SuitSolver, tricks: int | None) -> list[DrillQuestion]:
    """The questions about one combination; ``InputError`` if there is none."""
    found = questions_about(solver, tricks)
    if not found:
        what = "a combination" if tricks is None else f"a combination and a goal other than {tricks}"
        hands = " opposite ".join(map(holding_name, (solver.suit.north, solver.suit.south)))
        raise InputError(f"expected {what} in which a card can cost something, found {hands}")
    return found


class DrillEntry(NamedTuple):
    """A question as the catalog has it."""

    north: str
    south: str
    tricks: int
    level: int


def draw_questions(entries: Sequence[DrillEntry], seed: int | None) -> Iterator[DrillQuestion]:
    """Questions drawn by a seed without end: each once before any comes again, and either hand may be North.

    >>> from worldwise.catalog import drill_entries
    >>> next(draw_questions(drill_entries(), 1)).solver.suit
    Suit.of('KT2', 'AJ9')
    """
    rng = Random(seed)
    while True:
        for entry in rng.sample(entries, len(entries)):
            hands = rng.sample((entry.north, entry.south), 2)
            yield DrillQuestion(SuitSolver(Suit.of(*hands)), entry.tricks, entry.level)


# ---------------------------------------------------------------------- one question, card by card


@dataclass(frozen=True)
class DrillPlay:
    """How far a question has been played without a card that costs: at your next choice, or at the end.

    ``moves`` has the defenders' cards by their classes, and not the discards of a hand of yours that is out; ``target``
    is what a best line wins that has played so.
    """

    question: DrillQuestion
    moves: tuple[SuitMove, ...]
    table: SuitTable
    target: Mask

    # ------------------------------------------------------------------ what there is to choose

    @cached_property
    def defence(self) -> SharpDefence:
        """Who plays against you, and knows what you can still win."""
        return self.question.defence(self.target)

    @property
    def is_over(self) -> bool:
        """Whether no card can cost anything any more."""
        return not (self.defence.can_go_wrong(self.table) if self.moves else self.question.is_one)

    @property
    def seats(self) -> list[int]:
        """The hands that may play: both if it is your lead, unless entries or cards have run out."""
        return list(dict.fromkeys(move.seat for move in self._options))

    @property
    def choices(self) -> list[SuitMove]:
        """The cards that you may play, all of them."""
        return [SuitMove(seat, card) for seat in self.seats for card in hand(self.table, seat)]

    @cached_property
    def _options(self) -> list[SuitMove]:
        """Those that differ."""
        return [] if self.is_over else self._rules.options(self.table)

    # ------------------------------------------------------------------ playing on

    def judge(self, move: SuitMove) -> DrillVerdict:
        """What a card of yours costs, and where it leads if it costs nothing; ``InputError`` if it cannot be played."""
        if move not in self.choices:
            may = ", ".join(map(str, self.choices)) or "no card, since it is over"
            raise InputError(f"expected one of {may}, found {move}")
        after = self._rules.after(self.table, move)
        target = self.target
        if not self.defence.view.secures(after):
            target = self.question.most.after([*self._elsewhere, after], liked=target)
        return DrillVerdict(self, move, DrillPlay(self.question, (*self.moves, move), after, target))

    @property
    def _elsewhere(self) -> list[SuitTable]:
        """The tables to which the defenders have not gone, though they could: what you win there counts as before."""
        rules, table = self._rules, self.question.solver.root
        found = []
        for move in self.moves:
            if rules.side(table) is Side.MIN:
                found += [rules.after(table, other) for other in rules.options(table) if other != move]
            table = rules.after(table, move)
        return found

    def go_on(self) -> DrillPlay:
        """The same after the defenders' cards and those that play themselves."""
        play = self
        while move := play._automatic_move():
            table = play._rules.after(play.table, move)
            play = DrillPlay(play.question, (*play.moves, move), table, play.target)
        return play

    def _automatic_move(self) -> SuitMove | None:
        if self.is_over:
            return None
        if self._rules.side(self.table) is Side.MIN:
            return self.defence.answer(self.table)
        return self._options[0] if len(self._options) == 1 else None

    @property
    def _rules(self) -> SuitGame:
        return self.question.solver.rules

    # ------------------------------------------------------------------ what can be said of it

    @property
    def possible(self) -> Mask:
        """The layouts that fit the cards."""
        return self.defence.view.possible(self.table)

    @property
    def best_move(self) -> SuitMove:
        """A card that costs nothing: that of the line for the goal, as long as you are on it."""
        view, rules, line = self.defence.view, self._rules, self.question.answer.line
        right = [move for move in self._options if view.secures(rules.after(self.table, move))]
        on_line = [move for move in right if line.solver.secures(rules.after(self.table, move), line.levels, None)]
        return view.spoken_move(self.table, (on_line or right)[0])

    @cached_property
    def cards(self) -> tuple[SuitMove, ...]:
        """All cards as they were played, ``OUT`` where a hand had none; of defenders' cards that touch, the lowest."""
        return tuple(card for trick in self.rounds for card in trick)

    @cached_property
    def rounds(self) -> tuple[tuple[SuitMove, ...], ...]:
        """The same by rounds; the last may be unfinished."""
        return deal_rounds(self.question.solver, self.moves)

    @property
    def won_here(self) -> Mask:
        """The layouts that fit the cards and that you win; none if you have gone over to a line that wins elsewhere."""
        return self.target & self.possible

    def layout(self, among: Mask) -> tuple[Holding, Holding]:
        """West's and East's cards at the beginning: the likeliest layout of a set that fits all cards played.

        If none of the set does, it is the likeliest that fits.
        """
        return deal_layout(self.question.solver.suit, among & self.possible or self.possible, self.cards)


@dataclass(frozen=True)
class DrillVerdict:
    """What a card costs: chances are those of the best lines that have played so, over all layouts."""

    play: DrillPlay
    move: SuitMove
    next: DrillPlay

    @property
    def before(self) -> Fraction:
        """The chance as it was."""
        return _chance(self.play)

    @property
    def after(self) -> Fraction:
        """The chance that the card leaves."""
        return _chance(self.next)

    @property
    def costs(self) -> bool:
        """Whether it is less."""
        return self.after < self.before

    @cached_property
    def then(self) -> DrillPlay:
        """Where a card that costs nothing leads: your next choice, or the end."""
        return self.next.go_on()

    @property
    def given_up(self) -> Mask:
        """Layouts that fit the cards and are no longer won; there always are some if it costs."""
        return self._no_longer_won & self.play.possible

    @property
    def gained(self) -> Mask:
        """Layouts that fit the cards and are won instead."""
        return self._newly_won & self.play.possible

    @property
    def given_up_elsewhere(self) -> Mask:
        """Layouts in which the cards would have fallen otherwise, no longer won by the best plan with this card."""
        return self._no_longer_won & ~self.play.possible

    @property
    def gained_elsewhere(self) -> Mask:
        """Layouts in which the cards would have fallen otherwise, and which it wins instead."""
        return self._newly_won & ~self.play.possible

    @property
    def _no_longer_won(self) -> Mask:
        return self.play.target & ~self.next.target

    @property
    def _newly_won(self) -> Mask:
        return self.next.target & ~self.play.target

    @property
    def better(self) -> SuitMove:
        """A card that would have cost nothing."""
        return self.play.best_move


def _chance(play: DrillPlay) -> Fraction:
    solver = play.question.solver
    return solver.chance(solver.weight(play.target))


# ---------------------------------------------------------------------- an attempt, with slips and hints


@dataclass
class DrillAttempt:
    """A person at a question, who plays, takes back and asks for hints. A card that costs has to be taken back."""

    question: DrillQuestion
    slips: list[DrillVerdict] = field(default_factory=list)
    slip: DrillVerdict | None = None
    """The card that costs and has not been taken back."""

    def __post_init__(self) -> None:
        self._plays = [self.question.begin()]
        self._hints: Counter[tuple[SuitMove, ...]] = Counter()

    @property
    def play(self) -> DrillPlay:
        """Where the question stands."""
        return self._plays[-1]

    @property
    def is_done(self) -> bool:
        """Whether the question has been played to the end."""
        return self.play.is_over

    @property
    def hints(self) -> int:
        """How often help was asked for."""
        return self._hints.total()

    @property
    def hints_here(self) -> int:
        """How often at this choice."""
        return self._hints[self.play.moves]

    @property
    def is_clean(self) -> bool:
        """Whether it has been played to the end without help, and no card on the way cost anything."""
        return self.is_done and not self.slips and not self.hints

    @property
    def lost(self) -> Fraction:
        """What the first card that cost has given up."""
        return self.slips[0].before - self.slips[0].after if self.slips else Fraction(0)

    def put(self, move: SuitMove) -> DrillVerdict:
        """Play a card; one that costs stays until it is taken back, or another one is played instead."""
        verdict = self.play.judge(move)
        self.slip = verdict if verdict.costs else None
        if self.slip:
            self.slips.append(self.slip)
        else:
            self._plays.append(verdict.then)
        return verdict

    def ask_for_help(self) -> None:
        """Count a hint; ``InputError`` if there is nothing to choose."""
        if self.is_done:
            raise InputError("expected a card to be chosen, found none: the question is over")
        self._hints[self.play.moves] += 1

    @property
    def can_take_back(self) -> bool:
        """Whether there is a card of yours on the table, or one that was stopped."""
        return self.slip is not None or len(self._plays) > 1

    def take_back(self) -> None:
        """The card that costs, or else the last of your cards; ``InputError`` if there is none."""
        if not self.can_take_back:
            raise InputError("expected a card to take back, found none")
        if self.slip:
            self.slip = None
        else:
            self._plays.pop()
