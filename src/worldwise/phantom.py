"""Phantom tic-tac-toe: neither player sees the other's marks, and a try on a taken square is refused.

It is kriegspiel in small: tries, refusals, a turn that lasts until a try is made, and a board that only the umpire
sees. But there are so few boards that an information set can be written down whole. So it is what searches through
information sets are explained with and tested on.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING

from worldwise.errors import InputError, expect_whole

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterator
    from random import Random

EMPTY, CROSS, NOUGHT = ".xo"
"""What a square may hold; a player is called by his mark, and the cross begins."""

MOST_COLUMNS = 100
"""And rows: there are four rows to win for every square, or nearly."""

Line = tuple[int, ...]
"""Squares in a row, by number: from 0, along the rows."""


@dataclass(frozen=True)
class Try:
    """A try and its answer; of the other's move a player hears only that it was made, so ``square`` is None."""

    player: str
    square: int | None
    made: bool

    def heard_by(self, player: str) -> Try | None:
        """All of one's own tries; of the other's that he has moved, and not that he was refused."""
        if player == self.player:
            return self
        return replace(self, square=None) if self.made else None


@dataclass(frozen=True)
class PhantomState:
    """The true board, whose turn it is, who has a row, and all that was tried."""

    board: str
    turn: str = CROSS
    winner: str = ""
    tries: tuple[Try, ...] = ()

    @property
    def is_over(self) -> bool:
        """Whether somebody has a row, or the board is full."""
        return bool(self.winner) or EMPTY not in self.board


@dataclass(frozen=True)
class Phantom:
    """The game on a board of any size, won by so many marks ``in_a_row``: along a row, a column or a diagonal.

    >>> game = Phantom()
    >>> state = game.start()
    >>> for square in (4, 4, 0):
    ...     state = game.play(state, square)
    >>> state.board, game.moves(state)
    ('o...x....', (0, 1, 2, 3, 5, 6, 7, 8))
    >>> game.observe(state, CROSS)[-1]
    Try(player='o', square=None, made=True)
    """

    columns: int = 3
    rows: int = 3
    in_a_row: int = 3

    players = (CROSS, NOUGHT)

    def __post_init__(self) -> None:
        for name in ("columns", "rows", "in_a_row"):
            expect_whole(name, getattr(self, name), 1, MOST_COLUMNS)
        if self.in_a_row > max(self.columns, self.rows):
            found = f"{self.columns} by {self.rows} and {self.in_a_row} in a row"
            raise InputError(f"expected a board with room for a row, found {found}")

    def start(self) -> PhantomState:
        """The empty board."""
        return PhantomState(EMPTY * (self.columns * self.rows))

    def deal(self, _rng: Random) -> PhantomState:
        """The empty board: there is nothing to draw."""
        return self.start()

    def deals(self) -> list[tuple[PhantomState, Fraction]]:
        """The empty board, for certain."""
        return [(self.start(), Fraction(1))]

    def to_move(self, state: PhantomState) -> str | None:
        """Whose turn it is; None when the game is over."""
        return None if state.is_over else state.turn

    def moves(self, state: PhantomState) -> tuple[int, ...]:
        """The squares on which the player to move has no mark, and has not found one of the other's."""
        known = {entry.square for entry in state.tries if entry.player == state.turn}
        return tuple(square for square in range(len(state.board)) if square not in known)

    def play(self, state: PhantomState, move: int) -> PhantomState:
        """After a try: the square is marked and the turn passed on, or only what the player knows has changed."""
        if move not in (moves := () if state.is_over else self.moves(state)):
            expected = f"one of the squares {', '.join(map(str, moves))}" if moves else "no try after the end"
            raise InputError(f"expected {expected}, found {move!r}")
        made = state.board[move] == EMPTY
        tries = (*state.tries, Try(state.turn, move, made))
        if not made:
            return replace(state, tries=tries)
        board = state.board[:move] + state.turn + state.board[move + 1 :]
        winner = state.turn if self._is_row(board, move) else ""
        return PhantomState(board, NOUGHT if state.turn == CROSS else CROSS, winner, tries)

    def payoff(self, state: PhantomState, player: Hashable) -> float:
        """One for a row, minus one for the other's, nothing for neither."""
        if not state.winner:
            return 0.0
        return 1.0 if state.winner == player else -1.0

    def observe(self, state: PhantomState, player: Hashable) -> tuple[Try | str | None, ...]:
        """One's own tries with their answers, that the other has moved, and when the game is over who has won."""
        assert isinstance(player, str)
        heard = tuple(entry for entry in (entry.heard_by(player) for entry in state.tries) if entry)
        return (*heard, state.winner) if state.is_over else heard

    # ------------------------------------------------------------------ rows

    def _is_row(self, board: str, square: int) -> bool:
        """Whether a mark completes a row."""
        return any(square in line and len({board[at] for at in line}) == 1 for line in self._lines)

    @cached_property
    def _lines(self) -> tuple[Line, ...]:
        """All rows that win."""
        return tuple(self._all_lines())

    def _all_lines(self) -> Iterator[Line]:
        for square in range(self.columns * self.rows):
            row, column = divmod(square, self.columns)
            for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
                last_row, last_column = row + down * (self.in_a_row - 1), column + right * (self.in_a_row - 1)
                if last_row < self.rows and 0 <= last_column < self.columns:
                    yield tuple((row + down * i) * self.columns + column + right * i for i in range(self.in_a_row))
