"""BMV96's IMP-model: one-player game trees of a regular shape, for measuring how much pruning saves (section 7).

Chance draws one of k^(d-1) first nodes, all in one information set. Every node has b children, and the nodes that an
alternative leads to part into k information sets of equal size. Leaves are at depth d. So a node is the number chance
drew, and the alternatives taken; the first digits of that number, in base k, are what the player has learnt. One
digit is never learnt; with ``unlearnt=0`` the last decision is fully informed, which gives the games of section 5.3.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Protocol

from worldwise.core.game import CHANCE
from worldwise.core.mixing import WORD, splitmix
from worldwise.errors import expect_whole

if TYPE_CHECKING:
    from collections.abc import Hashable

    from worldwise.core.game import Rational

MOST_BRANCHES, DEEPEST = 1_000_000, 1000
"""Of a model: beyond, the numbers of its nodes and leaves are themselves too long to work with."""

Leaf = tuple[int, tuple[int, ...]]
"""What chance drew, and the alternatives taken."""


class PayoffRule(Protocol):
    """Payoffs by any rule: a function of the model and the leaf, with a bound that no payoff exceeds."""

    @property
    def upper(self) -> Rational:
        """No payoff is greater."""

    def __call__(self, model: ImpModel, leaf: Leaf, /) -> Rational:
        """The payoff at a leaf."""


@dataclass(frozen=True)
class Uniform:
    """Independent payoffs, each of the whole numbers from 0 to ``highest`` equally likely."""

    highest: int = 10
    seed: int = 0

    def __post_init__(self) -> None:
        expect_whole("the highest payoff", self.highest, 0, WORD)
        expect_whole("a seed", self.seed, -WORD, WORD)

    @property
    def upper(self) -> int:
        """The highest payoff."""
        return self.highest

    def __call__(self, model: ImpModel, leaf: Leaf) -> int:
        """A function of the seed and the leaf's number, the same on every machine."""
        return splitmix(splitmix(self.seed & WORD) ^ model.number(leaf)) % (self.highest + 1)


@dataclass(frozen=True)
class Constant:
    """Every leaf pays nothing, and 1 is never reached: no alternative can be pruned (BMV96 Theorem 6, first part)."""

    upper: int = 1

    def __call__(self, _model: ImpModel, _leaf: Leaf) -> int:
        """Nothing."""
        return 0


@dataclass(frozen=True)
class BestFirst:
    """The first alternative is the best everywhere: the least that IMP-alpha-beta must look at (Theorem 6).

    With ``reaches_upper`` it pays the upper bound itself, so everything else is pruned at once; without, it stays just
    below, and the rest is refuted by what is known of one part of an information set.
    """

    reaches_upper: bool

    upper = 1

    def __call__(self, model: ImpModel, leaf: Leaf) -> int:
        """High along first alternatives; so low elsewhere that one leaf outweighs all others."""
        if any(leaf[1]):
            return -2 * model.draws
        return self.upper if self.reaches_upper else 0


@dataclass(frozen=True)
class ImpModel:
    """The IMP-model with its parameters k, b and d, and payoffs by a rule; an ``ExtensiveForm``, made on demand.

    >>> model = ImpModel(k=3, b=2, d=3)  # BMV96 Fig 11
    >>> model.draws, model.leaves, model.information_sets, model.payoffs((4, (0, 1)))
    (9, 36, 7, (9,))
    """

    k: int
    b: int
    d: int
    rule: PayoffRule = Uniform()
    unlearnt: int = 1

    players = ("player",)
    root = (-1, ())

    def __post_init__(self) -> None:
        expect_whole("k", self.k, 1, MOST_BRANCHES)
        expect_whole("b", self.b, 1, MOST_BRANCHES)
        expect_whole("d", self.d, 2, DEEPEST)
        expect_whole("unlearnt", self.unlearnt, 0, 1)

    # ------------------------------------------------------------------ the game

    def to_move(self, position: Leaf) -> int | None:
        """Chance at the root, then the player d - 1 times."""
        if position[0] < 0:
            return CHANCE
        return None if len(position[1]) == self.d - 1 else 0

    def moves(self, position: Leaf) -> range:
        """What chance may draw, or the b alternatives."""
        return range(self.draws if position[0] < 0 else self.b)

    def play(self, position: Leaf, move: int) -> Leaf:
        """The node below."""
        return (move, ()) if position[0] < 0 else (position[0], (*position[1], move))

    def chances(self, _position: Leaf) -> tuple[Fraction, ...]:
        """All equally likely."""
        return (Fraction(1, self.draws),) * self.draws

    def information_set(self, position: Leaf) -> Hashable:
        """The alternatives taken, and as many digits of what chance drew."""
        drawn, taken = position
        return taken, drawn // self.k ** (self.d - 2 + self.unlearnt - len(taken))

    def payoffs(self, position: Leaf) -> tuple[Rational]:
        """By the rule."""
        return (self.rule(self, position),)

    def highest_payoff(self, _player: int) -> Rational:
        """The bound that comes with the rule."""
        return self.rule.upper

    # ------------------------------------------------------------------ its size

    @property
    def draws(self) -> int:
        """How many nodes chance may draw: k^(d-1), one digit of which is never learnt."""
        return int(self.k ** (self.d - 2 + self.unlearnt))

    @property
    def leaves(self) -> int:
        """(kb)^(d-1), all of which IMP-minimax examines (BMV96 Theorem 5)."""
        return int(self.draws * self.b ** (self.d - 1))

    @property
    def information_sets(self) -> int:
        """1 + kb + (kb)^2 ... for the d - 1 levels of decisions."""
        return sum(int((self.k * self.b) ** level) for level in range(self.d - 1))

    @property
    def fewest_leaves(self) -> int:
        """The least IMP-alpha-beta can examine: k^(d-1) (Theorem 6, second part)."""
        return self.draws

    @property
    def fewest_leaves_without_immediate_pruning(self) -> int:
        """The least it can examine with none of the pruning immediate (Theorem 6, third part)."""
        k, b, d = self.k, self.b, self.d
        if k == b:
            return int(b ** (d - 2) * (b * d - d + 1))
        return int((b ** (d - 1) * (b - 1) - k ** (d - 1) * (k - 1)) // (b - k))

    def number(self, leaf: Leaf) -> int:
        """A leaf's number: what chance drew, then the alternatives as digits in base b."""
        drawn, taken = leaf
        for move in taken:
            drawn = drawn * self.b + move
        return drawn
