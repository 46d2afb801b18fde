"""Endings played out: your pieces against a bare king whom you do not see, and who sees everything.

An ending begins with the pieces anywhere, White to move, and the king on any square that they do not attack. White is
told no more than that, so he holds every such square possible. The defender takes what he can, and otherwise heads for
room: the middle of the board, and pieces that nothing protects.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from random import Random
from typing import TYPE_CHECKING

from worldwise.core.statistics import Estimate, mean
from worldwise.errors import InputError
from worldwise.kriegspiel.players.player import NO_BUDGET, Budget
from worldwise.kriegspiel.players.umpire_table import UmpireTable
from worldwise.kriegspiel.records.record import end_name
from worldwise.kriegspiel.rules.board import EMPTY, ChessBoard
from worldwise.kriegspiel.rules.compiled_board import fastest_board
from worldwise.kriegspiel.rules.game import Kriegspiel
from worldwise.kriegspiel.rules.squares import BLACK, CHESS, WHITE
from worldwise.kriegspiel.rules.umpire import WILD16, End, Rules

if TYPE_CHECKING:
    from collections.abc import Sequence

    from worldwise.kriegspiel.players.player import KriegspielPlayer
    from worldwise.kriegspiel.rules.game import State
    from worldwise.kriegspiel.rules.squares import ChessMove, Square

MOST_MEN = 8
"""Pieces of an ending, the king included."""

MOST_ENDING_MOVES = 50


def check_material(kinds: str) -> str:
    """The pieces of an ending as in KQ or KBB; ``InputError`` if they are none.

    >>> check_material("krr")
    'KRR'
    >>> check_material("KX")
    Traceback (most recent call last):
    worldwise.errors.InputError: expected pieces such as KQ, KR or KBB, found 'KX'
    """
    found = kinds.strip().upper()
    others = found[1:]
    if found[:1] != "K" or not others or set(others) - set("QRBNP") or len(found) > MOST_MEN:
        raise InputError(f"expected pieces such as KQ, KR or KBB, found {kinds!r}")
    if others in ("B", "N"):
        raise InputError(f"expected pieces that can mate a bare king, found {found}")
    return found


# ---------------------------------------------------------------------- the first board


def draw_start(kinds: str, dice: Random) -> tuple[ChessBoard, tuple[ChessBoard, ...]]:
    """The true board, and all that White holds possible: his pieces anywhere, the king wherever they do not attack."""
    while True:
        pieces = _draw_pieces(kinds, dice)
        boards = tuple(_boards_with_king(pieces))
        if boards and not boards[0].is_dead:
            return dice.choice(boards), boards


def _draw_pieces(kinds: str, dice: Random) -> str:
    """White's pieces on different squares, pawns not on the first or last rank."""
    pieces = [EMPTY] * CHESS.squares
    for kind in kinds:
        free = range(8, 56) if kind == "P" else range(64)
        pieces[dice.choice([square for square in free if pieces[square] == EMPTY])] = kind
    return "".join(pieces)


def _boards_with_king(pieces: str) -> list[ChessBoard]:
    filled = (f"{pieces[:square]}k{pieces[square + 1 :]}" for square in range(64) if pieces[square] == EMPTY)
    boards = (ChessBoard(each) for each in filled)
    return [board for board in boards if not board.checkers(BLACK)]


# ---------------------------------------------------------------------- the defender

ROOM, AWAY, WHIM = 0.5, 0.4, 0.5
"""For each square he could go on to, off for each step from a piece that nothing protects, and chance."""


def choose_defence(board: ChessBoard, dice: Random) -> ChessMove:
    """What a bare king does who sees everything: take the best piece, or else look for room.

    >>> from worldwise.kriegspiel.rules.fen import read_fen
    >>> from worldwise.kriegspiel.rules.squares import uci
    >>> uci(choose_defence(read_fen("8/8/8/3k4/4R3/8/8/K7 b"), Random(0)))
    'd5e4'
    """
    takes = [move for move in board.legal_moves if board.pieces[move.target] != EMPTY]
    if takes:
        return max(takes, key=lambda move: "PNBRQ".index(board.pieces[move.target]))
    return max(board.legal_moves, key=lambda move: _freedom(board.after(move), move.target, dice))


def _freedom(after: ChessBoard, king: Square, dice: Random) -> float:
    next_moves = replace(after, turn=BLACK, en_passant=None).legal_moves
    loose = [at for at, piece in after.pieces_of(WHITE) if piece != "K" and not after.attackers(at, WHITE)]
    far = min((_steps(king, at) for at in loose), default=0)
    return _centrality(king) + ROOM * len(next_moves) - AWAY * far + WHIM * dice.random()


def _steps(one: Square, other: Square) -> int:
    (file, rank), (to_file, to_rank) = CHESS.place(one), CHESS.place(other)
    return max(abs(file - to_file), abs(rank - to_rank))


def _centrality(square: Square) -> int:
    """Steps from the edge, and from a corner along both sides."""
    sides = [min(place, 7 - place) for place in CHESS.place(square)]
    return min(sides) + sum(sides)


# ---------------------------------------------------------------------- playing it out


@dataclass(frozen=True)
class EndingGame:
    """An ending that was played: how it ended, in how many moves of White's, and whether he lost a piece."""

    number: int
    end: End
    moves: int
    piece_lost: bool

    @property
    def result(self) -> str:
        """``won``; ``lost`` if a piece was lost and the game not won; ``drawn`` otherwise."""
        if self.end is End.MATE:
            return "won"
        return "lost" if self.piece_lost else "drawn"

    @property
    def end_name(self) -> str:
        """Why it was over, as records say it."""
        return str(end_name(self.end))


@dataclass(frozen=True)
class EndingRun:
    """Endings of one kind with one player: the same seed gives the same starts and the same defence."""

    kinds: str
    player: KriegspielPlayer
    budget: Budget = NO_BUDGET
    rules: Rules = WILD16
    moves: int = MOST_ENDING_MOVES

    def play(self, number: int, seed: int) -> EndingGame:
        """One of them."""
        board, boards = draw_start(self.kinds, Random(f"{self.kinds} {seed} {number} start"))
        game = Kriegspiel(replace(self.rules, ply_limit=2 * self.moves), tuple(map(fastest_board, boards)))
        state = game.start(fastest_board(board))
        table = UmpireTable.of(game, state, {WHITE: self.player}, seed, self.budget)
        dice = Random(f"{self.kinds} {seed} {number} defence")
        while game.to_move(state) is not None:
            state = self._next(table, state, dice)
        assert state.end is not None
        left = sum(1 for _ in state.board.pieces_of(WHITE))
        return EndingGame(number, state.end, (state.plies + 1) // 2, left < len(self.kinds))

    def _next(self, table: UmpireTable, state: State, dice: Random) -> State:
        if state.board.turn is WHITE:
            return table.next_state(state)
        return table.after(state, choose_defence(state.board, dice))


@dataclass(frozen=True)
class EndingSummary:
    """What endings come to."""

    games: Sequence[EndingGame]

    @property
    def results(self) -> Counter[str]:
        """How many were won, drawn and lost."""
        return Counter(game.result for game in self.games)

    @property
    def ends(self) -> Counter[str]:
        """Why they were over."""
        return Counter(game.end_name for game in self.games)

    @property
    def moves(self) -> Estimate | None:
        """How many moves a win took; None if there was none."""
        won = [game.moves for game in self.games if game.result == "won"]
        return mean(won) if won else None
