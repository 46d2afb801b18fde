"""Why one way to begin a suit is better than another, in a sentence."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from worldwise.bridge.rules.cards import RANKS, rank_name
from worldwise.bridge.suit.first_lines import FirstLine, Starts
from worldwise.bridge.suit.layouts import VOID, SuitLayout, has_spots, layouts_words, likeliest
from worldwise.bridge.suit.phrases import CARD_NAMES, capital, count_words, percent
from worldwise.bridge.suit.rules import SuitMove
from worldwise.bridge.suit.step_reader import read_first_step
from worldwise.bridge.suit.steps import TEN
from worldwise.errors import InputError
from worldwise.views.words import join_words

if TYPE_CHECKING:
    from collections.abc import Sequence
    from fractions import Fraction

    from worldwise.bridge.suit.phrases import Phrase
    from worldwise.bridge.suit.rules import Suit, World
    from worldwise.bridge.suit.solver import SuitSolver
    from worldwise.bridge.suit.weighing import Mask

MOST_NAMED = 2
"""How many kinds of holdings are named in a sentence."""

EITHER_DEFENDER = "either defender"


@dataclass(frozen=True)
class Comparison:
    """A first line beside the best: what only the one wins, and what only the other does.

    ``gained``, ``lost``, ``both`` and ``neither``, which is what both win and what neither does, are the holdings in
    words.
    """

    line: FirstLine
    best: FirstLine
    gains: tuple[SuitLayout, ...]
    losses: tuple[SuitLayout, ...]
    gained: str = ""
    lost: str = ""
    both: str = ""
    neither: str = ""

    @property
    def costs(self) -> Fraction:
        """What it gives away."""
        return self.best.chance - self.line.chance

    @property
    def words(self) -> str:
        """What it is worth, and why."""
        return " ".join(filter(None, [self._headline, self.reason]))

    @property
    def _headline(self) -> str:
        start = f"{self.line.name}: {percent(self.line.chance)}"
        if self.costs:
            return f"{start}, against {percent(self.best.chance)} for {gerund(self.best.first.phrase)}."
        if self.gains or self.losses or self.line.name != self.best.name:
            return f"{start}, as good as {gerund(self.best.first.phrase)}."
        return f"{start}, the best there is."

    @property
    def reason(self) -> str:
        """Which holdings make the difference, in a sentence; none if it is the best line itself."""
        if self.line.name == self.best.name:
            return ""
        if not self.line.chance:
            return "It never works." if self.best.chance else ""
        this, other = _labels(self.line.first.phrase, self.best.first.phrase)
        if not self.gains and not self.losses:
            return self._what_both_win
        if not self.gains:
            both = f"both lose to {self.neither}; " if self.neither else ""
            return capital(f"{both}{other} also picks up {self.lost}.")
        if not self.losses:
            return capital(f"{this} also picks up {self.gained}.")
        return capital(f"{this} picks up {self.gained}, {other} picks up {self.lost}.")

    @property
    def _what_both_win(self) -> str:
        """By what they need or by what they lose to, whichever is shorter."""
        told = [f"Both need {self.both}."] if self.both and self.neither else []
        told += [f"Both win the same, and lose to {self.neither}."] if self.neither else []
        return min(told, key=len, default="Both win the same.")

    @property
    def lists(self) -> list[str]:
        """The layouts that make the difference, with their chances."""
        found = [("only this wins", self.gains), ("only the best wins", self.losses)]
        return [f"{what}: {layouts_words(layouts)}" for what, layouts in found if layouts]


def compare(solver: SuitSolver, tricks: int, play: SuitMove | str) -> Comparison:
    """Why a first play, or a first line in a player's words, is not the best, or that it is.

    >>> from worldwise.bridge.suit.solver import SuitSolver
    >>> from worldwise.bridge.suit.rules import NORTH, Suit
    >>> found = compare(SuitSolver(Suit.of("AKQ9", "32")), 4, "cash the ace")
    >>> print(found.reason)
    Cashing the ace picks up JTx or JT with East, finessing the nine picks up JTxx or longer with West.
    """
    starts = Starts(solver, tricks)
    asked = [first for first in starts.every if first.lead == play] if isinstance(play, SuitMove) else None
    asked = read_first_step(play, starts) if isinstance(play, str) else asked
    if not asked:
        known = ", ".join(map(str, starts.answer.plays))
        raise InputError(f"expected one of the first plays {known or '(there are none)'}, found {play}")
    return _compare(solver, starts.rank(map(starts.line, asked))[0], starts.best())


def comparisons(solver: SuitSolver, tricks: int) -> list[Comparison]:
    """Every first line beside the best, the best first."""
    starts = Starts(solver, tricks)
    lines = starts.rank(map(starts.line, starts.every))
    return [_compare(solver, line, lines[0]) for line in lines]


def _compare(solver: SuitSolver, line: FirstLine, best: FirstLine) -> Comparison:
    differ = line.wins & ~best.wins, best.wins & ~line.wins
    alike = line.wins & best.wins, solver.suit.every_world & ~(best.wins | line.wins)
    gains, losses = (likeliest(solver, mask) for mask in differ)
    gained, lost, both, neither = (holdings(solver.suit, mask) for mask in (*differ, *alike))
    # What both win, or neither, is worth a word only if it is one.
    both, neither = ("" if "other layout" in words else words for words in (both, neither))
    return Comparison(line, best, gains, losses, gained, lost, both, neither)


# ---------------------------------------------------------------------- what lines are called

_GERUNDS = {"cash": "cashing", "finesse": "finessing", "lead": "leading", "run": "running", "duck": "ducking"}


def gerund(phrase: Phrase) -> str:
    """A step as something that one does.

    >>> from worldwise.bridge.suit.phrases import Phrase
    >>> gerund(Phrase("lead low to", "the king"))
    'leading low to the king'
    """
    verb, *rest = str(phrase).split(" ")
    return " ".join([_GERUNDS[verb], *rest])


def _labels(this: Phrase, other: Phrase) -> tuple[str, str]:
    """What two lines are called beside each other: by their cards if the same is done to both."""
    same = {this.verb, other.verb} <= {"finesse", "lead low to"} or this.verb == other.verb
    return (this.object, other.object) if same and this.object != other.object else (gerund(this), gerund(other))


# ---------------------------------------------------------------------- what layouts are called


def holdings(suit: Suit, worlds: Mask, most: int = MOST_NAMED) -> str:
    """Layouts by the hand that tells them from others, the likeliest kinds first; H is one of several honours.

    >>> from worldwise.bridge.suit.rules import Suit
    >>> suit = Suit.of("AQT9", "5432")
    >>> holdings(suit, sum(1 << number for number, (king, jack, _) in enumerate(suit.worlds) if king and jack))
    'KJ or longer with West'
    >>> suit = Suit.of("AQ", "T976543")
    >>> holdings(suit, sum(1 << suit.worlds.index(held) for held in [(1, 1, 1, 0), (1, 1, 0, 1)]))
    'KJ8 or KJ2 with West'
    """
    if breaks := _breaks(suit, worlds):
        return breaks
    kinds = _kinds(suit, worlds)
    ranked = sorted(kinds, key=lambda kind: -sum(kinds[kind].values()))
    told = ranked[:most]
    named = [_kind_words(suit, *kind, sorted(kinds[kind])) for kind in told]
    seats = {seat for seat, _ in told}
    if len(named) > 1 and len(seats) == 1 and not any(" or " in name for name in named):
        with_whom = f" with {seats.pop()}"
        named = [f"{join_words([name.removesuffix(with_whom) for name in named], 'or')}{with_whom}"]
    rest = sum(len(kinds[kind]) for kind in ranked[most:])
    return join_words([*named, *[count_words(rest, "other layout")] * bool(rest)], "and" if rest else "or")


def _breaks(suit: Suit, worlds: Mask) -> str:
    """Layouts by how the cards divide, if that is all that tells them from the others."""
    lengths = {sum(world) for number, world in enumerate(suit.worlds) if worlds >> number & 1}
    others = {sum(world) for number, world in enumerate(suit.worlds) if not worlds >> number & 1}
    if lengths & others or not others or lengths != {suit.missing - length for length in lengths}:
        return ""
    splits = [f"{longer}-{suit.missing - longer}" for longer in sorted(lengths) if 2 * longer >= suit.missing]
    return f"{'an' if splits[0][0] == '8' else 'a'} {join_words(splits, 'or')} break" if splits else ""


def _kinds(suit: Suit, worlds: Mask) -> dict[tuple[str, str], dict[int, int]]:
    """Holdings but for their lowest cards, with the weight of each number of these."""
    kinds: dict[tuple[str, str], dict[int, int]] = {}
    for number, world in enumerate(suit.worlds):
        if worlds >> number & 1:
            seat, honours, spots = telling_hand(suit, world)
            kinds.setdefault((seat, honours), {})[spots] = suit.weights[number]
    for honours in dict.fromkeys(honours for _, honours in kinds):
        west, east = (kinds.get((seat, honours), {}) for seat in ("West", "East"))
        if west.keys() == east.keys() and 0 not in west:
            del kinds["West", honours], kinds["East", honours]
            kinds[EITHER_DEFENDER, honours] = {spots: west[spots] + east[spots] for spots in west}
    return kinds


def telling_hand(suit: Suit, world: World) -> tuple[str, str, int]:
    """The defender with more cards above the lowest; of equals who has the highest, or who is shorter.

    >>> from worldwise.bridge.suit.rules import Suit
    >>> telling_hand(Suit.of("AT9", "432"), (1, 2))
    ('East', 'HH', 2)
    """
    wests = list(zip(suit.classes, world, strict=True))
    easts = [(cards, len(cards) - count) for cards, count in wests]
    hands = [(seat, *_cards_held(suit, held)) for seat, held in (("West", wests), ("East", easts))]
    return max(hands, key=lambda hand: (len(hand[1]), [RANKS.find(card) for card in hand[1]], -hand[2]))


def _cards_held(suit: Suit, held: Sequence[tuple[Sequence[int], int]]) -> tuple[str, int]:
    """A hand's cards above the lowest, and how many of the lowest it has."""
    above = held[:-1] if has_spots(suit) else held
    return "".join(_class_name(cards, count) for cards, count in above), held[-1][1] if has_spots(suit) else 0


def _class_name(cards: Sequence[int], count: int) -> str:
    if 0 < count < len(cards) and cards[-1] >= TEN:
        return "H" * count
    return "".join(map(rank_name, cards[:count]))


def _kind_words(suit: Suit, seat: str, honours: str, spots: Sequence[int]) -> str:
    names = [(honours + "x" * count) or VOID for count in spots]
    longest = len(suit.classes[-1]) if has_spots(suit) else 0
    if len(names) > 1 and list(spots) == list(range(spots[0], longest + 1)):
        is_alone = names[0] == honours and sum(map(len, suit.classes[:-1])) == 1
        return f"the {_card_names(honours)} with {seat}" if is_alone else f"{names[0]} or longer with {seat}"
    if names == [honours] and len(honours) == 1:
        return f"a singleton {_card_names(honours)} with {seat}"
    return f"{join_words(names[::-1], 'or')} with {seat}"


def _card_names(letter: str) -> str:
    return "honour" if letter == "H" else CARD_NAMES[RANKS.index(letter)]
