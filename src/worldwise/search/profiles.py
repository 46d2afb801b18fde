"""Profiles of pure strategies: what they earn, what a player faces when the others follow one, and all he has."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any, NamedTuple

from worldwise.core.game import CHANCE, AnyExtensiveForm
from worldwise.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence

    from worldwise.core.game import Rational
    from worldwise.core.solution import Profile


def expected_payoffs(game: AnyExtensiveForm, profile: Profile) -> tuple[Rational, ...]:
    """What each player gets on average if all follow the profile.

    >>> from worldwise.catalog import game
    >>> expected_payoffs(game("bmv96/fig-2-g2"), {1: 0, 2: 1, 3: 1})
    (Fraction(1, 2),)
    """
    total: list[Rational] = [0] * len(game.players)
    waiting: list[tuple[Any, Rational]] = [(game.root, 1)]
    while waiting:
        position, chance = waiting.pop()
        player = game.to_move(position)
        if player is None:
            for index, payoff in enumerate(game.payoffs(position)):
                total[index] += chance * payoff
        elif player == CHANCE:
            after = zip(game.moves(position), game.chances(position), strict=True)
            waiting.extend((game.play(position, move), chance * own) for move, own in after if own)
        else:
            waiting.append((game.play(position, _follow(game, profile, position)), chance))
    return tuple(map(whole, total))


def complete_profile(game: AnyExtensiveForm, profile: Profile) -> Profile:
    """A profile with the first move added at every information set that it reaches and says nothing about.

    Pruned searches leave such holes where a player forgets: what one part of the search skipped, another leads to.
    """
    full = dict(profile)
    waiting = [game.root]
    while waiting:
        position = waiting.pop()
        player = game.to_move(position)
        if player is None:
            continue
        moves = game.moves(position)
        if player != CHANCE:
            moves = (full.setdefault(game.information_set(position), moves[0]),)
        waiting.extend(game.play(position, move) for move in moves)
    return full


def _follow(game: AnyExtensiveForm, profile: Profile, position: Any) -> Any:
    known = game.information_set(position)
    if known not in profile:
        raise InputError(f"the profile has no move at information set {known!r}, which it can reach")
    return profile[known]


def whole(number: Rational) -> Rational:
    """The same number, as an ``int`` if it is one."""
    return number.numerator if number.denominator == 1 else number


@dataclass(frozen=True)
class Against:
    """The game that one player faces when the others follow a profile: their moves are chance without a choice."""

    game: AnyExtensiveForm
    player: int
    profile: Profile

    @property
    def players(self) -> Sequence[str]:
        """The one player left."""
        return (self.game.players[self.player],)

    @property
    def root(self) -> Any:
        """The same."""
        return self.game.root

    def to_move(self, position: Any) -> int | None:
        """Player 0 is the player; everyone else is chance."""
        player = self.game.to_move(position)
        return 0 if player == self.player else None if player is None else CHANCE

    def moves(self, position: Any) -> Sequence[Any]:
        """The others' moves are those of the profile."""
        if self.game.to_move(position) in (CHANCE, self.player):
            return self.game.moves(position)
        return (_follow(self.game, self.profile, position),)

    def play(self, position: Any, move: Any) -> Any:
        """The same."""
        return self.game.play(position, move)

    def chances(self, position: Any) -> Sequence[Fraction]:
        """Certainty, at the others' nodes."""
        return self.game.chances(position) if self.game.to_move(position) == CHANCE else (Fraction(1),)

    def information_set(self, position: Any) -> Hashable:
        """The same."""
        return self.game.information_set(position)

    def payoffs(self, position: Any) -> tuple[Rational, ...]:
        """What the player gets."""
        return (self.game.payoffs(position)[self.player],)


def pure_strategies(
    game: AnyExtensiveForm, player: int, look_up: Callable[[], object] = bool
) -> Iterator[dict[Hashable, Any]]:
    """Every pure strategy of a player: a move for each information set that his own moves leave within reach.

    Even the first may take long: ``look_up`` is called at every position, and may raise.

    >>> from worldwise.catalog import game
    >>> sum(1 for _ in pure_strategies(game("bmv96/fig-3"), 0))
    3
    """
    chosen: dict[Hashable, Any] = {}
    choices: list[_Choice] = []
    waiting: _Waiting = (game.root, None)
    while True:
        choice = _next_choice(game, player, waiting, chosen, look_up)
        if choice is None:
            yield dict(chosen)
        else:
            choices.append(choice)
        while choices and not choices[-1].moves:  # done with: back to the latest choice that has another move
            chosen.pop(choices.pop().known, None)
        if not choices:
            return
        position, known, rest, moves = choices[-1]
        chosen.pop(known, None)  # the latest choice stays the last in order
        chosen[known] = moves.pop()
        waiting = (game.play(position, chosen[known]), rest)


_Waiting = tuple[Any, "_Waiting"] | None
"""Positions still to be looked at, linked: nothing is copied, however many there are."""


class _Choice(NamedTuple):
    """A position whose move is chosen, the positions that wait, and the moves still to come, the next last."""

    position: Any
    known: Hashable
    rest: _Waiting
    moves: list[Any]


def _next_choice(
    game: AnyExtensiveForm,
    player: int,
    waiting: _Waiting,
    chosen: Mapping[Hashable, Any],
    look_up: Callable[[], object],
) -> _Choice | None:
    """The next position at which nothing has been chosen yet; None if there is none."""
    while waiting is not None:
        position, waiting = waiting
        look_up()
        mover = game.to_move(position)
        if mover is None:
            continue
        known = game.information_set(position) if mover == player else None
        if mover != player:
            for move in reversed(game.moves(position)):
                waiting = (game.play(position, move), waiting)
        elif known in chosen:
            waiting = (game.play(position, chosen[known]), waiting)
        else:
            return _Choice(position, known, waiting, list(reversed(game.moves(position))))
    return None
