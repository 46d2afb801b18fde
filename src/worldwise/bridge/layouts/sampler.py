"""Layouts of the hidden hands: what may lie where, given all that a seat has seen and been told.

Here every layout that fits counts the same. What the cards tell that a defender chose to play (restricted choice) is
weighed by ``carding``, and ``drawing`` draws layouts by that weight; whoever knows more says so with a constraint.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, NoReturn, Self

from worldwise.bridge.layouts.constraints import Constraint, HandRange, Predicate, read_constraint
from worldwise.bridge.layouts.dealing import Cell, Dealing, TooManyError
from worldwise.bridge.layouts.expressions import Expression, Number
from worldwise.bridge.layouts.leads import LeadConvention
from worldwise.bridge.rules.deal import (
    SEATS,
    SUIT_CARDS,
    Card,
    Cards,
    Deal,
    Seat,
    card_name,
    cards_in,
    hand_name,
    set_of,
)
from worldwise.bridge.rules.view import View
from worldwise.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Iterator, Sequence
    from random import Random

FEW = 20_000
"""So many layouts are gone through one by one, if a test in Python must be asked."""

TRIES = 50_000
"""How many layouts are tried in vain before giving up; with some success 100 more for each that is wanted."""

MOST_CONDITIONS = 500
"""What may be asked of a layout: an auction comes to a few dozen, and each is looked at again and again."""

_BATCH = 1000


@dataclass(frozen=True)
class Layouts:
    """All layouts of the hands that a seat does not see; each is a whole deal, of the hands as dealt.

    They agree with the seat's own hand, with dummy's once faced, with every card played, with every suit shown out of,
    and with the constraints: texts, ranges, a convention for the opening lead (which is heeded if the leader is hidden
    and has led), or tests in Python. All but the tests are *counted*: a tight constraint costs nothing. What a test
    refuses is drawn again.

    >>> from random import Random
    >>> from worldwise.bridge.rules.contract import Contract
    >>> from worldwise.bridge.rules.play import Play
    >>> from worldwise.bridge.rules.view import view_of
    >>> play = Play(Deal.random(Random(1)), Contract.read("3NT by S"))
    >>> layouts = Layouts(view_of(play, Seat.WEST), ["hcp(north) >= 12", "spades(north) >= 5"])
    >>> layouts.count
    4500291652432800
    >>> layouts.sample(Random(2))[Seat.WEST] == play.deal[Seat.WEST]
    True
    """

    view: View
    constraints: Sequence[Constraint] = ()

    def __post_init__(self) -> None:
        alone = isinstance(self.constraints, str)
        object.__setattr__(self, "constraints", (self.constraints,) if alone else tuple(self.constraints))

    # ------------------------------------------------------------------ how many

    @property
    def count(self) -> int:
        """How many layouts there are, tests in Python left aside."""
        return self._plan[0].count

    @cached_property
    def exact(self) -> int:
        """How many layouts there are; where a test must be asked and there are many, an error."""
        return self.count if not self._tests else len(self._fitting)

    @property
    def counted(self) -> bool:
        """Whether many can be drawn quickly: no test must be asked, or about few layouts only."""
        return not self._tests or self.count <= FEW

    def chance(self, event: Constraint) -> Fraction:
        """How likely something is, exactly.

        >>> from worldwise.bridge.rules.contract import Contract
        >>> from worldwise.bridge.rules.deal import PACK, read_hand
        >>> south, north = read_hand("AK432.A32.A32.32"), read_hand("QJ5.K54.K54.A654")
        >>> view = View(Seat.SOUTH, Contract.read("4S by S"), south, north, (), PACK)
        >>> round(float(Layouts(view).chance("spades(west) == 2 || spades(east) == 2")), 4)
        0.6783
        """
        total = self.exact
        return Fraction(replace(self, constraints=(*self.constraints, event)).exact, total or self._fail())

    def enumerate(self) -> list[Deal]:
        """Every layout, in a fixed order: they are equally likely. More than 20,000 are refused."""
        if self.count > FEW:
            raise InputError(f"expected at most {FEW} layouts to enumerate, found {self.count}")
        return self._deals(self._fitting)

    # ------------------------------------------------------------------ drawing

    def sample(self, rng: Random) -> Deal:
        """One layout, each as likely as any other."""
        return self.sample_many(rng, 1)[0]

    def sample_many(self, rng: Random, number: int) -> list[Deal]:
        """So many layouts, each drawn from all: one may come twice."""
        if not self.counted:
            tried = self._draw_until_tired(rng, number)
            return [next(tried) for _ in range(number)]
        numbers = self._numbers
        return self._deals([numbers[rng.randrange(len(numbers))] for _ in range(number)])

    def sample_different(self, rng: Random, number: int) -> list[Deal]:
        """So many layouts that are all different; if there are fewer, all."""
        if not self.counted:
            tried, found = self._draw_until_tired(rng, number), dict[Deal, None]()
            while len(found) < number:
                found[next(tried)] = None
            return list(found)
        return self._deals(rng.sample(self._numbers, min(number, len(self._numbers))))

    def after(self, observation: Hashable) -> Self:
        """The layouts once the seat sees more: a new ``View``, or a card that was played."""
        if isinstance(observation, View):
            return replace(self, view=observation)
        if isinstance(observation, int):
            return replace(self, view=replace(self.view, played=(*self.view.played, observation)))
        raise InputError(f"expected a view or a card, found {observation!r}")

    # ------------------------------------------------------------------ inside

    @cached_property
    def _meanings(self) -> list[Expression | Predicate]:
        return [_meaning(constraint, self.view) for constraint in self.constraints]

    @cached_property
    def _wanted(self) -> tuple[Expression, ...]:
        """What must be true of a layout, as far as it can be counted."""
        expressions = [meaning for meaning in self._meanings if isinstance(meaning, Expression)]
        wanted = tuple(conjunct for expression in expressions for conjunct in expression.conjuncts)
        if len(wanted) > MOST_CONDITIONS:
            raise InputError(f"expected constraints of at most {MOST_CONDITIONS} conditions, found {len(wanted):,}")
        return wanted

    @cached_property
    def _free(self) -> Dealing:
        """All layouts that agree with the view."""
        return Dealing(_cells(self.view), tuple(self.view.faced.items()), self.view.unseen)

    @cached_property
    def _plan(self) -> tuple[Dealing, list[Predicate]]:
        """What is counted, and what is tested: expressions too, where they tell too many layouts apart."""
        counted = list(self._wanted)
        tests: list[Predicate] = [test for test in self._meanings if not isinstance(test, Expression)]
        while True:
            try:
                dealing = replace(self._free, wanted=tuple(counted))
                if dealing.count >= 0:
                    return dealing, tests
            except (TooManyError, OverflowError):
                hardest = max(counted, key=lambda expression: len(expression.features))
                counted.remove(hardest)
                tests.append(hardest)

    @property
    def _tests(self) -> list[Predicate]:
        return self._plan[1]

    @property
    def _numbers(self) -> Sequence[int]:
        """The numbers of the layouts that fit; there is at least one."""
        numbers = self._fitting if self._tests else range(self.count)
        return numbers or self._fail()

    @cached_property
    def _fitting(self) -> Sequence[int]:
        """The numbers of the layouts that pass all tests, by asking about each."""
        if self.count > FEW:
            raise InputError(f"expected at most {FEW} layouts to test one by one, found {self.count}")
        numbers = range(self.count)
        return [number for number, deal in zip(numbers, self._deals(numbers), strict=True) if self._passes(deal)]

    def _passes(self, deal: Deal) -> bool:
        return all(test(deal) for test in self._tests)

    def _deals(self, numbers: Sequence[int]) -> list[Deal]:
        """The layouts of these numbers."""
        hands = self._plan[0].hands(numbers)
        hands |= {seat: [hand] * len(numbers) for seat, hand in self.view.faced.items()}
        return [Deal(four) for four in zip(*(hands[seat] for seat in SEATS), strict=True)]

    def _draw_until_tired(self, rng: Random, number: int) -> Iterator[Deal]:
        """Layouts that pass the tests, as long as the tries last."""
        tries = found = 0
        while tries < TRIES + 100 * (found and number):
            tries += _BATCH
            deals = self._deals([rng.randrange(self.count) for _ in range(_BATCH)])
            passed = list(filter(self._passes, deals))
            found += len(passed)
            yield from passed
        raise InputError(
            f"expected {number} layouts that pass every test, "
            f"found {found} in {tries} tries of {self.count} layouts that fit the rest"
        )

    def _fail(self) -> NoReturn:
        """Say why nothing fits."""
        if self.count:
            raise InputError(f"expected a layout that passes every test, found none among all {self.count}")
        what = " together with ".join(map(str, self._core)) or "the cards played"
        where = f"with what {self.view.seat} has seen"
        raise InputError(f"expected constraints that some layout fits {where}, found none for {what}")

    @property
    def _core(self) -> list[Expression]:
        """Constraints that cannot all be true, and can if any of them is left out."""
        core = list(self._wanted)
        for expression in self._wanted:
            rest = [other for other in core if other is not expression]
            core = rest if _is_impossible(replace(self._free, wanted=tuple(rest))) else core
        return core


@lru_cache(maxsize=8)
def kept_layouts(view: View, constraints: tuple[Constraint, ...]) -> Layouts:
    """The layouts that fit; the last few are kept, for counting them takes most of the time, and is asked for again."""
    return Layouts(view, constraints)


def _is_impossible(dealing: Dealing) -> bool:
    """Whether nothing fits, as far as can be counted."""
    try:
        return dealing.count == 0
    except (TooManyError, OverflowError):
        return False


def _meaning(constraint: Constraint, view: View) -> Expression | Predicate:
    """What a constraint says about a deal."""
    if isinstance(constraint, str):
        return read_constraint(constraint)
    if isinstance(constraint, HandRange):
        return constraint.expression
    if isinstance(constraint, LeadConvention):
        return _lead(constraint, view)
    if callable(constraint):
        return constraint
    raise InputError(f"expected a constraint (text, a range, a lead convention or a function), found {constraint!r}")


def _lead(convention: LeadConvention, view: View) -> Expression:
    """What the opening lead says, if it was made by a hand that is not seen."""
    leader, strain = view.contract.leader, view.contract.strain
    heeded = view.played and leader in view.hidden
    return convention.meaning(leader, view.played[0], strain) if heeded else Number(1)


def _cells(view: View) -> tuple[Cell, ...]:
    """The hands that are not seen: what they have shown, what they may have, how many cards they miss."""
    _check(view)
    size, played, void = view.pack.bit_count() // 4, view.played_by(), view.void_in()
    return tuple(
        Cell(seat, played[seat], view.unseen & ~void[seat], size - played[seat].bit_count()) for seat in view.hidden
    )


def _check(view: View) -> None:
    """Raise an error if no deal can look like this."""
    size, played = view.pack.bit_count() // 4, view.played_by()
    if view.pack.bit_count() != 4 * size:
        raise InputError(f"expected a pack of four equal hands, found {view.pack.bit_count()} cards")
    _refuse("every card to be played once", {card for card in view.played if view.played.count(card) > 1})
    for seat, hand in view.faced.items():
        if hand.bit_count() != size or hand & ~view.pack:
            raise InputError(f"expected {size} cards of the pack in {seat}'s hand, found {hand_name(hand)}")
        _refuse(f"{seat} to play from his hand", cards_in(played[seat] & ~hand))
    if len(view.faced) == 2:
        _refuse(
            f"other cards in dummy than in {view.seat}'s hand", cards_in(view.hand & view.faced[view.contract.dummy])
        )
    shown = sum(played[seat] for seat in view.hidden)
    _refuse("hidden hands to play cards that are not seen", cards_in(shown & ~(view.pack & ~sum(view.faced.values()))))
    _check_suits(view, played)


def _refuse(expected: str, wrong: Iterable[Card]) -> None:
    """Raise an error if there are wrong cards."""
    names = ", ".join(map(card_name, wrong))
    if names:
        raise InputError(f"expected {expected}, found {names}")


def _check_suits(view: View, played: dict[Seat, Cards]) -> None:
    """Raise an error where a hand did not follow suit, and is known to have been able to."""
    kept = played | view.faced
    for number, (seat, card) in enumerate(view.history()):
        led = view.played[number - number % 4] >> 4
        if card >> 4 != led and kept[seat] & SUIT_CARDS[led]:
            held = ", ".join(map(card_name, cards_in(kept[seat] & SUIT_CARDS[led])))
            where = f"card {number % 4 + 1} of trick {number // 4 + 1}"
            raise InputError(f"{where}: expected one of {seat}'s {held}, found {card_name(card)}")
        kept[seat] &= ~set_of([card])
