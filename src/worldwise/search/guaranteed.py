"""Guaranteed wins: can a player win within so many of his turns, whatever is hidden from him?

A belief is a set of states that he cannot tell apart. On his turn he tries moves. Some states may refuse a try, which
changes nothing but what he knows; the others accept it, and the turn is over. After the reply he again knows only what
he has observed, and states that look the same stay together. A win is guaranteed if one strategy wins in all of them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from worldwise.core.result import NO_LIMIT, Clock, Limit, Stats, Tally
from worldwise.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterator, Sequence

    from worldwise.core.game import AnyGame

    States = Sequence[Any]


@dataclass(frozen=True)
class Guarantee:
    """Whether a player wins for certain, and with which first moves."""

    wins: bool
    keys: tuple[Any, ...]
    stats: Stats


def find_guarantee(game: AnyGame, states: States, player: Hashable, turns: int, limit: Limit = NO_LIMIT) -> Guarantee:
    """Whether a player, on turn in states that he cannot tell apart, wins for certain within so many of his turns.

    A move that leaves the turn where it is counts as a refused try. ``keys`` are the first moves that some state
    accepts and after which the win is still certain, wherever it is accepted or refused.

    >>> from worldwise.kriegspiel.rules.fen import read_fen
    >>> from worldwise.kriegspiel.rules.game import Kriegspiel
    >>> from worldwise.kriegspiel.rules.squares import WHITE, uci
    >>> boards = [read_fen(f"{king}/7R/1K6/8/8/8/8/8 w") for king in ("k7", "1k6")]
    >>> game = Kriegspiel()
    >>> found = find_guarantee(game, [game.start(board) for board in boards], WHITE, 1)
    >>> found.wins, [uci(key) for key in found.keys]
    (True, ['h7h8'])
    """
    for state in states:
        if game.to_move(state) != player:
            raise InputError(f"expected states with {player} to move, found {game.to_move(state)} to move")
    search = _Search(game, player, Tally(Clock(limit, "the search for a guaranteed win")))
    wins = bool(states) and turns > 0 and search.wins(states, turns)
    keys = tuple(search.keys(states, turns)) if wins else ()
    return Guarantee(wins, keys, search.tally.stats)


class _Search:
    def __init__(self, game: AnyGame, player: Hashable, tally: Tally) -> None:
        self.game, self.player, self.tally = game, player, tally

    def wins(self, states: States, turns: int) -> bool:
        """Whether the player, on turn, wins all of these states.

        A strategy for a set of states works for each part of it, so being won is handed down to subsets. If a try is
        won where it is accepted, nothing is lost by making it first: whatever strategy there is for all states still
        works for those that refuse it. So no order of tries is ever taken back. And if there is no such try, there is
        no strategy: its first try that some state accepts would be one.
        """
        left = states
        while left:
            refusing = self.after_a_won_try(left, turns)
            if refusing is None:
                return False
            left = refusing
        return True

    def after_a_won_try(self, states: States, turns: int) -> States | None:
        """The states that refuse a try which is won where it is accepted; None if there is no such try."""
        for move in self.game.moves(states[0]):
            accepting, refusing = self.try_move(states, move, turns)
            if accepting and self.is_won(accepting, turns):
                return refusing
        return None

    def keys(self, states: States, turns: int) -> Iterator[Any]:
        """The states being won: those that refuse a try are won as part of them, so only the others need a look."""
        for move in self.game.moves(states[0]):
            accepting, _ = self.try_move(states, move, turns)
            if accepting and self.is_won(accepting, turns):
                yield move

    def try_move(self, states: States, move: Any, turns: int) -> tuple[States, States]:
        """The states after a try that accept it, and those that refuse it; nothing if it plainly does not win."""
        accepting, refusing = [], []
        for state in states:
            after = self.play(state, move)
            if self.game.to_move(after) == self.player:
                refusing.append(after)
            elif turns == 1 and not self.is_win(after):
                return (), ()
            else:
                accepting.append(after)
        return accepting, refusing

    def is_win(self, state: Any) -> bool:
        """Whether the game is over and won."""
        return self.game.to_move(state) is None and self.game.payoff(state, self.player) > 0

    def is_won(self, states: States, turns: int) -> bool:
        """Whether the player wins all of these states, his turn being over."""
        open_ = [state for state in states if not self.is_win(state)]
        if open_ and (turns == 1 or any(self.game.to_move(state) is None for state in open_)):
            return False
        return all(self.is_answered(group, turns - 1) for group in self.tell_apart(open_))

    def is_answered(self, states: States, turns: int) -> bool:
        """Whether the player wins after whatever the other does."""
        open_ = [reply for state in states for reply in self.replies(state) if not self.is_win(reply)]
        if any(self.game.to_move(state) is None for state in open_):
            return False
        return all(self.wins(group, turns) for group in self.tell_apart(open_))

    def replies(self, state: Any) -> Iterator[Any]:
        """What the other can make of his turn; to be refused gains him nothing, and at best tells us more."""
        for move in self.game.moves(state):
            after = self.play(state, move)
            if self.game.to_move(after) != self.game.to_move(state):
                yield after

    def tell_apart(self, states: States) -> list[States]:
        """The states in sets that look the same to the player."""
        groups: dict[Hashable, list[Any]] = {}
        for state in states:
            groups.setdefault(self.game.observe(state, self.player), []).append(state)
        return list(groups.values())

    def play(self, state: Any, move: Any) -> Any:
        self.tally.node()
        return self.game.play(state, move)
