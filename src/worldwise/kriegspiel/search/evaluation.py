"""KS, what a kriegspiel board looks worth to a player: an evaluation for conservative play, after PNS06.

The paper names what KS looks at: pieces at kriegspiel's values, protected pieces, advanced pawns, threatened enemies,
and that a check which is not mate is the best way to lose the piece that gives it. It does not say what it gives for
these, so the weights are ours. What the player's own pieces do counts and what the enemy's do does not, so KS is not
the negative of what the enemy would say; it is the same for both colours.
"""

from __future__ import annotations

from dataclasses import astuple, dataclass
from math import isfinite
from typing import TYPE_CHECKING, Any

import numpy as np

from worldwise.errors import InputError
from worldwise.kernels import native, pick
from worldwise.kriegspiel.rules.board import STEPS
from worldwise.kriegspiel.rules.packing import KINDS, pack_board
from worldwise.kriegspiel.rules.squares import WHITE

if TYPE_CHECKING:
    from worldwise.kriegspiel.rules.board import ChessBoard
    from worldwise.kriegspiel.rules.squares import ChessMove, Colour, Square


@dataclass(frozen=True)
class BoardEvaluation:
    """Weights, in pawns.

    ``values``      pieces by kind, in the order of ``KINDS``; a king is never taken
    ``protected``   a part of its value for each own piece that another attacks
    ``threatened``  a part of its value for each enemy that an own piece attacks
    ``advance``     for each rank that an own pawn has gone
    ``check``       taken off if the enemy is in check
    ``mate``        a game that is won; lost is minus as much, drawn is nothing
    ``reach``       for each square that own pieces attack, less as much for each that the enemy's do
    ``siege``       for each of these next to the enemy's king, less as much for the enemy's next to the own king
    """

    values: tuple[float, float, float, float, float, float]
    protected: float
    threatened: float
    advance: float
    check: float
    mate: float
    reach: float = 0.0
    siege: float = 0.0

    def __post_init__(self) -> None:
        numbers = (
            *self.values,
            self.protected,
            self.threatened,
            self.advance,
            self.check,
            self.mate,
            self.reach,
            self.siege,
        )
        if len(self.values) != len(KINDS) or not all(map(isfinite, numbers)):
            raise InputError(f"expected {len(KINDS)} values of pieces and finite weights, found {numbers}")
        if self.values[-1]:
            raise InputError(f"expected a king, who is never taken, to be worth nothing, found {self.values[-1]}")

    def of(self, board: ChessBoard, player: Colour) -> float:
        """What a board on which the game goes on is worth to a player.

        >>> from worldwise.kriegspiel.rules.fen import read_fen
        >>> kings, rook = (read_fen(f"k7/8/8/8/8/8/8/{pieces} w") for pieces in ("K7", "K6R"))
        >>> KS.of(kings, WHITE), KS.of(rook, WHITE)
        (0.0, 5.0)
        """
        return pick(self.compiled, self.readable, fits=board.geometry.is_full)(board, player)

    def compiled(self, board: ChessBoard, player: Colour) -> float:
        """The kernel's answer, for boards of 8 by 8."""
        return float(native.chess_evaluated(pack_board(board), player, self.kernel))

    def readable(self, board: ChessBoard, player: Colour) -> float:
        """The same by the rules of ``ChessBoard``, on boards of any size."""
        own = sum(self._own(board, square, piece, player) for square, piece in board.pieces_of(player))
        enemy = sum(self._enemy(board, square, piece, player) for square, piece in board.pieces_of(player.other))
        contest = self._contest(board, player) - self._contest(board, player.other) if self.is_two_sided else 0.0
        return own - enemy - (self.check if board.checkers(player.other) else 0.0) + contest

    @property
    def is_two_sided(self) -> bool:
        """Whether it looks at what the enemy's pieces attack, and how far his pawns have gone, too."""
        return bool(self.reach or self.siege)

    def _contest(self, board: ChessBoard, player: Colour) -> float:
        """What counts for one side as it counts against the other."""
        reached = [square for square in range(board.geometry.squares) if board.attackers(square, player)]
        king = board.king(player.other)
        near = [] if king is None else set(reached) & set(board.geometry.steps(king, STEPS["K"]))
        return self.reach * len(reached) + self.siege * len(near)

    def _own(self, board: ChessBoard, square: Square, piece: str, player: Colour) -> float:
        worth = self._value(piece)
        kept = worth * self.protected if board.attackers(square, player) else 0.0
        return worth + kept + (self.advance * _ranks_gone(board, square, player) if piece in "Pp" else 0.0)

    def _enemy(self, board: ChessBoard, square: Square, piece: str, player: Colour) -> float:
        worth = self._value(piece)
        gone = self.advance * _ranks_gone(board, square, player.other) if self.is_two_sided and piece in "Pp" else 0.0
        return worth + gone - (worth * self.threatened if board.attackers(square, player) else 0.0)

    def gain(self, board: ChessBoard, move: ChessMove) -> float:
        """What a legal move wins at once: what it takes, and what a pawn becomes.

        >>> from worldwise.kriegspiel.rules.fen import read_fen
        >>> from worldwise.kriegspiel.rules.squares import read_uci
        >>> KS.gain(read_fen("1n5k/P7/8/8/8/8/8/K7 w"), read_uci("a7b8q"))
        10.5
        """
        taken = board.taken_at(move)
        won = 0.0 if taken is None else self._value(board.pieces[taken])
        return max(0.0, won + (self._value(move.promotion) - self._value("P") if move.promotion else 0.0))

    def _value(self, piece: str) -> float:
        return self.values[KINDS.index(piece.upper())]

    @property
    def kernel(self) -> Any:
        """As the kernel takes it."""
        values, *weights = astuple(self)
        return native.Evaluation(np.array(values), *weights)


def _ranks_gone(board: ChessBoard, square: Square, player: Colour) -> int:
    """Since the rank that pawns begin on."""
    rank = board.geometry.place(square)[1]
    return rank - 1 if player is WHITE else board.geometry.ranks - 2 - rank


KS = BoardEvaluation(
    (1.0, 2.5, 3.5, 5.0, 9.0, 0.0), protected=0.05, threatened=0.03, advance=0.04, check=0.3, mate=100.0
)
"""Bishops are worth more than knights in kriegspiel, as the paper says: what moves far finds out more."""

MATERIAL = BoardEvaluation(KS.values, protected=0.0, threatened=0.0, advance=0.0, check=0.0, mate=KS.mate)
"""Pieces at the same values and nothing else, which shows what the rest of KS is good for."""

CONTEST = BoardEvaluation(
    (1.0, 3.0, 3.3, 5.0, 9.5, 0.0),
    protected=0.0,
    threatened=0.0,
    advance=0.06,
    check=0.0,
    mate=100.0,
    reach=0.03,
    siege=0.1,
)
"""For chess in which nothing is hidden: what one side gains the other loses. Squares that pieces attack count, those
next to a king most."""

EVALUATIONS = {"KS": KS, "material": MATERIAL}
"""By name."""
