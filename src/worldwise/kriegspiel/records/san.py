"""Moves as chess players write them (SAN): Nf3, exd5, O-O, e8=Q+."""

from __future__ import annotations

from typing import TYPE_CHECKING

from worldwise.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from worldwise.kriegspiel.rules.board import ChessBoard
    from worldwise.kriegspiel.rules.squares import ChessMove


def san(board: ChessBoard, move: ChessMove) -> str:
    """A legal move in the umpire's words: told apart from other legal moves, with + for check and # for mate.

    >>> from worldwise.kriegspiel.rules.board import START
    >>> from worldwise.kriegspiel.rules.squares import ChessMove
    >>> san(START, ChessMove(6, 21)), san(START, ChessMove(12, 28))
    ('Nf3', 'e4')
    """
    after = board.after(move)
    sign = "" if not after.checkers(after.turn) else "+" if after.legal_moves else "#"
    return plain_san(board, move, board.legal_moves, board.is_capture(move)) + sign


def plain_san(board: ChessBoard, move: ChessMove, rivals: Iterable[ChessMove], takes: bool) -> str:
    """A move without a sign for check, told apart from its ``rivals``."""
    kind, target = board.pieces[move.origin].upper(), board.geometry.name(move.target)
    if kind == "K" and abs(move.target - move.origin) == 2 and board.geometry.is_full:
        return "O-O" if move.target > move.origin else "O-O-O"
    if kind == "P":
        taking = f"{board.geometry.name(move.origin)[0]}x" if takes else ""
        return taking + target + (f"={move.promotion}" if move.promotion else "")
    return kind + _origin(board, move, rivals) + ("x" if takes else "") + target


def _origin(board: ChessBoard, move: ChessMove, rivals: Iterable[ChessMove]) -> str:
    """As much of the square where a move begins as tells it apart: the file if that does, else the rank, else both."""
    name = board.geometry.name(move.origin)
    like = (m for m in rivals if m.target == move.target and board.pieces[m.origin] == board.pieces[move.origin])
    others = {board.geometry.name(m.origin) for m in like if m.origin != move.origin}
    on_file, on_rank = (any(other[at] == name[at] for other in others) for at in (0, 1))
    by_file = bool(others) and (on_rank or not on_file)
    return (name[0] if by_file else "") + (name[1] if on_file else "")


def read_san(board: ChessBoard, text: str) -> ChessMove:
    """The legal move that is meant; signs for check and comment (+, #, !, ?) may be left out or added.

    >>> from worldwise.kriegspiel.rules.board import START
    >>> read_san(START, "Nf3!")
    ChessMove(origin=6, target=21, promotion='')
    """
    meant = _bare(text)
    for move in board.legal_moves:
        if plain_san(board, move, board.legal_moves, board.is_capture(move)) == meant:
            return move
    raise InputError(f"expected a legal move of {board.turn}'s, found {text!r}")


def _bare(text: str) -> str:
    """As ``plain_san`` writes it: castling may have been written with noughts."""
    bare = text.rstrip("+#!?")
    return bare.replace("0", "O") if bare in ("0-0", "0-0-0") else bare
