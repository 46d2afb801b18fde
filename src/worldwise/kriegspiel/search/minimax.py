"""Boards searched as if nothing were hidden, each by itself, and the mean over them: what HS does (PNS06).

It suffers from what Monte Carlo suffers from everywhere: on each board it assumes to know later what it cannot know.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from worldwise.core.move_values import MoveValues, first_best
from worldwise.core.result import NO_LIMIT, Clock, Limit, Stats
from worldwise.kernels import kernel_limit, native, pick
from worldwise.kriegspiel.rules.packing import pack_move, pack_rules
from worldwise.kriegspiel.rules.umpire import End, board_end
from worldwise.kriegspiel.search.evaluation import KS, BoardEvaluation

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from worldwise.kriegspiel.belief.weighted_boards import WeightedBoards
    from worldwise.kriegspiel.rules.board import ChessBoard
    from worldwise.kriegspiel.rules.squares import ChessMove, Colour
    from worldwise.kriegspiel.rules.umpire import Rules
    from worldwise.kriegspiel.rules.view import PlayerView

    Floats = NDArray[np.float64]


def mean_minimax(
    boards: WeightedBoards,
    view: PlayerView,
    rules: Rules,
    depth: int,
    limit: Limit = NO_LIMIT,
    evaluation: BoardEvaluation = KS,
    captures: int = 0,
) -> MoveValues[ChessMove]:
    """What each try is worth on average over the boards on which it is legal; what is legal on none comes last.

    A refused try costs nothing, so boards that refuse a try say nothing of its worth. Who has no time for a single
    board looks one ply ahead on all of them. With ``captures`` each line goes on for up to so many plies while somebody
    takes or promotes and gains by it.

    >>> from worldwise.kriegspiel.belief.weighted_boards import WeightedBoards
    >>> from worldwise.kriegspiel.rules.hidden_pieces import possible_boards
    >>> from worldwise.kriegspiel.rules.umpire import WILD16
    >>> from worldwise.kriegspiel.rules.view import PlayerView
    >>> boards = possible_boards("8/7R/1K6/8/8/8/8/8 w", "k: a8 b8")
    >>> view = PlayerView.of(boards[0], boards[0].turn)
    >>> found = mean_minimax(WeightedBoards.of(boards), view, WILD16, depth=1)
    >>> found.values[found.best], found.worlds_searched
    (100.0, 2)
    """
    search = pick(_compiled, _readable, fits=boards.is_packed)
    clock = Clock(limit)
    worth = search(boards, view.tries, rules, depth - 1, clock, evaluation, captures)
    if not len(worth):
        depth = 1
        worth = search(boards, view.tries, rules, 0, Clock(NO_LIMIT), evaluation, captures)
    legal = ~np.isnan(worth)
    weights = boards.weights[: len(worth)] @ legal
    total = boards.weights[: len(worth)] @ np.where(legal, worth, 0.0)
    means = np.where(weights > 0, total / np.where(weights > 0, weights, 1), -np.inf)
    values = dict(zip(view.tries, means.tolist(), strict=True))
    return MoveValues(
        algorithm="mean-minimax",
        values=values,
        best=first_best(values),
        depth=depth,
        worlds_searched=len(worth),
        complete=len(worth) == len(boards),
        stats=Stats(seconds=clock.seconds),
    )


def _compiled(
    boards: WeightedBoards,
    tries: tuple[ChessMove, ...],
    rules: Rules,
    plies: int,
    clock: Clock,
    evaluation: BoardEvaluation,
    captures: int,
) -> Floats:
    words = np.array([pack_move(move) for move in tries], dtype=np.uint16)
    umpire, rows = native.UmpireRules(*pack_rules(rules)), np.ascontiguousarray(boards.items)
    return native.chess_minimax(rows, words, plies, captures, umpire, evaluation.kernel, kernel_limit(clock.rest)[1])


def _readable(
    boards: WeightedBoards,
    tries: tuple[ChessMove, ...],
    rules: Rules,
    plies: int,
    clock: Clock,
    evaluation: BoardEvaluation,
    captures: int,
) -> Floats:
    found: list[list[float]] = []
    for board in boards:
        if found and clock.ran_out(0):
            break  # boards are searched whole or not at all, so the mean compares all tries on the same ones
        search = BoardMinimax(board.turn, rules, evaluation, captures)
        found.append([search.value(board, move, plies) if board.is_legal(move) else np.nan for move in tries])
    return np.array(found).reshape(-1, len(tries))


class BoardMinimax:
    """What moves are worth to a player if both see everything and play their best.

    It cuts nothing. The kernel leaves a position once whoever moved there has something at least as good elsewhere.
    That changes no value of a try, because every try begins with an open window.
    """

    def __init__(self, player: Colour, rules: Rules, evaluation: BoardEvaluation = KS, captures: int = 0) -> None:
        self.player, self.rules, self.evaluation, self.captures = player, rules, evaluation, captures

    def value(self, before: ChessBoard, move: ChessMove, plies: int) -> float:
        """What a legal move is worth, so many plies coming after it."""
        board = before.after(move)
        end = board_end(board, self.rules)
        # The end comes before the depth: a mate at the last ply is a mate, whatever the evaluation thinks of the check.
        if end is End.MATE:
            return self.evaluation.mate if before.turn is self.player else -self.evaluation.mate
        if end is not None:
            return 0.0
        if not plies:
            return self.quiet(board, self.captures)
        best = max if board.turn is self.player else min
        return best(self.value(board, reply, plies - 1) for reply in board.legal_moves)

    def quiet(self, board: ChessBoard, captures: int) -> float:
        """What a board is worth where the search ends: whoever is to move leaves it at that, takes or promotes."""
        standing = self.evaluation.of(board, self.player)
        if not captures:
            return standing
        best = max if board.turn is self.player else min
        loud = (move for move in board.legal_moves if move.promotion or board.taken_at(move) is not None)
        return best([standing, *(self.quiet(board.after(move), captures - 1) for move in loud)])
