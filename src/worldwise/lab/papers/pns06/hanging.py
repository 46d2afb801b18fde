"""How often players of PNS06's games leave something to be taken, and how often it is taken at once.

A move *hangs* if it leaves the other two pawns or more to win by exchanges on the true board. It is *punished* if the
other's next move wins as much. All is counted on the games that the package ships: nothing is played.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import zip_longest
from typing import TYPE_CHECKING, Any

from worldwise.core.statistics import ratio_of_sums
from worldwise.kriegspiel.rules.board import START
from worldwise.kriegspiel.rules.compiled_board import fastest_board
from worldwise.kriegspiel.rules.squares import BLACK, WHITE, read_uci
from worldwise.kriegspiel.search.exchange import exchange, left_to_take
from worldwise.kriegspiel.search.greedy import VALUES

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from worldwise.core.statistics import Estimate
    from worldwise.kriegspiel.rules.board import ChessBoard
    from worldwise.kriegspiel.rules.squares import ChessMove, Colour

LOSS = 2.0
"""In pawns: what a move must leave to be taken."""

EARLY = 15
"""Plies within which a mate is an early one."""


@dataclass(frozen=True)
class Hanging:
    """A player's moves in a game, those that hang, and those of them that are punished."""

    moves: int = 0
    hanging: int = 0
    punished: int = 0


def hang_rate(games: Sequence[Hanging]) -> Estimate:
    """How often a move hangs; games differ, so the interval is by games and not by moves."""
    return ratio_of_sums([one.hanging for one in games], [one.moves for one in games], percent=True)


def punish_rate(games: Sequence[Hanging]) -> Estimate:
    """How often a move that hangs is punished."""
    return ratio_of_sums([one.punished for one in games], [one.hanging for one in games], percent=True)


def played_moves(tries: str, first: ChessBoard = START) -> list[tuple[ChessBoard, ChessMove]]:
    """The moves of a game with the boards before them; refused tries are left out.

    >>> [(str(board.turn), move.target) for board, move in played_moves("e2e4 d7d5 e4f5 e4d5")]
    [('white', 28), ('black', 35), ('white', 35)]
    """
    board, found = fastest_board(first), []
    for text in tries.split():
        move = read_uci(text)
        if board.is_legal(move):
            found.append((board, move))
            board = board.after(move)
    return found


def count_hanging(tries: str, colour: Colour) -> Hanging:
    """What one player of a game leaves to be taken; his last move is punished by nobody if it ends the game.

    >>> count_hanging("e2e4 d7d5 d1g4 c8g4", WHITE)
    Hanging(moves=2, hanging=1, punished=1)
    """
    moves, own, hanging, punished = played_moves(tries), 0, 0, 0
    for (board, move), following in zip_longest(moves, moves[1:]):
        if board.turn is colour:
            own += 1
            hangs = left_to_take(board, move) >= LOSS
            hanging += hangs
            punished += hangs and following is not None and _wins(*following)
    return Hanging(own, hanging, punished)


def _wins(board: ChessBoard, move: ChessMove) -> bool:
    """Whether a capture wins as much: the piece that it takes, less what is taken back."""
    taken = board.taken_at(move)
    if taken is None:
        return False
    return VALUES[board.pieces[taken].upper()] - exchange(board.after(move), move.target) >= LOSS


def count_games(rows: Iterable[Mapping[str, Any]]) -> tuple[list[Hanging], list[Hanging]]:
    """For every game what its first player leaves, and what its second; in odd games the first has White."""
    colours = [(WHITE if int(row["game"]) % 2 else BLACK, str(row["tries"])) for row in rows]
    first = [count_hanging(tries, colour) for colour, tries in colours]
    return first, [count_hanging(tries, colour.other) for colour, tries in colours]


def early_mates(rows: Iterable[Mapping[str, Any]], score: int) -> int:
    """How many games the first player has won (1) or lost (-1) by a mate within ``EARLY`` plies."""
    return sum(row["end"] == "mate" and int(row["plies"]) <= EARLY and row["score"] == score for row in rows)
