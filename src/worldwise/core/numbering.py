"""A ``Game`` for programs that know numbers and texts only: its moves by number, its observations as text.

How large a game is has to be said beforehand there. ``survey`` looks: at every position, if the game lists its deals
and is small enough, otherwise at what comes up in plays at random.
"""

from __future__ import annotations

from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, fields, is_dataclass
from functools import cached_property
from itertools import islice
from math import isclose
from random import Random
from typing import TYPE_CHECKING, Any

from worldwise.core.game import CHANCE, Dealt
from worldwise.errors import GameError, InputError

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Iterator, Sequence

    from worldwise.core.game import AnyGame

MOST_POSITIONS = 20_000
"""A game with more positions is not walked through, but played at random."""

PLAYS = 200
"""How often it is played."""

LARGEST_NUMBER = 10_000
"""Moves that are whole numbers below this are their own numbers."""


# ---------------------------------------------------------------------- text


def text_of(value: Any) -> str:
    """A value as text: equal values of one kind have equal texts, and others have others, whatever order a set has.

    >>> text_of((frozenset({8, 1}), None, "x"))
    "({1, 8}, None, 'x')"
    """
    if isinstance(value, AbstractSet):
        return "{" + ", ".join(sorted(map(text_of, value), key=lambda text: (len(text), text))) + "}"
    if isinstance(value, Mapping):
        return "{" + ", ".join(sorted(f"{text_of(key)}: {text_of(found)}" for key, found in value.items())) + "}"
    if isinstance(value, (tuple, list)):
        return "(" + ", ".join(map(text_of, value)) + ")"
    if is_dataclass(value) and not isinstance(value, type):
        inside = (f"{one.name}={text_of(getattr(value, one.name))}" for one in fields(value) if one.compare)
        return f"{type(value).__name__}({', '.join(inside)})"
    if " object at 0x" in repr(value):
        raise GameError(f"expected observations that can be written, found a {type(value).__name__} without a __repr__")
    return repr(value)


# ---------------------------------------------------------------------- numbers


@dataclass(frozen=True)
class MoveNumbers:
    """Every move of the players, in the order of their numbers.

    >>> numbers = MoveNumbers(("pass", "bet"))
    >>> numbers.number("bet"), numbers.move(0), len(numbers)
    (1, 'pass', 2)
    """

    moves: Sequence[Hashable]

    @cached_property
    def _by_move(self) -> dict[Hashable, int]:
        return {move: number for number, move in enumerate(self.moves)}

    def __len__(self) -> int:
        return len(self.moves)

    def number(self, move: Hashable) -> int:
        """Of a move."""
        found = self._by_move.get(move)
        if found is None:
            raise GameError(f"{move!r} is none of the {len(self)} moves that came up at random: give them all as moves")
        return found

    def move(self, number: int) -> Any:
        """Of a number."""
        return self.moves[number]

    @classmethod
    def of(cls, moves: Iterable[Hashable]) -> MoveNumbers:
        """Whole numbers are their own; others are sorted by their texts, so that a game is numbered alike each time."""
        found = set(moves)
        if all(type(move) is int and 0 <= move < LARGEST_NUMBER for move in found):
            return cls(range(max((move for move in found if isinstance(move, int)), default=0) + 1))
        return cls(tuple(sorted(found, key=text_of)))


@dataclass(frozen=True)
class Survey:
    """What a game is like: moves, the longest play, payoffs, texts; of all if ``complete``, else of what was met."""

    numbers: MoveNumbers
    most_chances: int
    longest: int
    payoffs: tuple[float, float]
    is_zero_sum: bool
    longest_text: int
    complete: bool


def survey(game: AnyGame, players: Sequence[Hashable], moves: Iterable[Hashable] | None = None) -> Survey:
    """Look at a game; ``moves`` are all that its players have, if they are known."""
    if not players:
        raise InputError("expected a game that says who plays (players)")
    walked = list(islice(_all_positions(game), MOST_POSITIONS + 1)) if isinstance(game, Dealt) else []
    complete = 0 < len(walked) <= MOST_POSITIONS
    seen, most_chances, longest, texts = set[Any](), 1, 0, 0
    totals: list[tuple[float, ...]] = []
    for position, length in walked if complete else _random_positions(game):
        mover = game.to_move(position)
        texts = max(texts, *(len(text_of(game.observe(position, player))) for player in players))
        longest = max(longest, length)
        if mover is None:
            totals.append(tuple(float(game.payoff(position, player)) for player in players))
        elif mover == CHANCE:
            most_chances = max(most_chances, len(game.moves(position)))
        else:
            seen.update(game.moves(position))
    numbers = MoveNumbers.of(seen) if moves is None else MoveNumbers(tuple(moves))
    single = [payoff for payoffs in totals for payoff in payoffs] or [0.0]
    zero = all(isclose(sum(payoffs), 0, abs_tol=1e-9) for payoffs in totals)
    return Survey(numbers, most_chances, longest, (min(single), max(single)), zero, texts, complete)


def _all_positions(game: Any) -> Iterator[tuple[Any, int]]:
    """Every position, with the moves that led to it."""
    waiting = ((deal, 0) for deal, _ in game.deals())
    for first in waiting:
        below = [first]
        while below:
            position, length = below.pop()
            yield position, length
            if game.to_move(position) is not None:
                below.extend((game.play(position, move), length + 1) for move in game.moves(position))


MOST_MOVES = 10_000
"""A play that goes on longer is given up."""


def _random_positions(game: AnyGame) -> Iterator[tuple[Any, int]]:
    for seed in range(PLAYS):
        rng = Random(seed)
        position = game.deal(rng)
        for length in range(MOST_MOVES):
            yield position, length
            if game.to_move(position) is None:
                break
            position = game.play(position, rng.choice(list(game.moves(position))))
