"""How a player knows that a bare king is all that is left, where he may be, and where his own pieces have stood."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import numpy as np

from worldwise.kriegspiel.rules.board import EMPTY
from worldwise.kriegspiel.rules.packing import KINDS
from worldwise.kriegspiel.search.bare_king import bare_king_values, can_mate

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from worldwise.kriegspiel.belief.weighted_boards import WeightedBoards
    from worldwise.kriegspiel.rules.game import Event
    from worldwise.kriegspiel.rules.squares import ChessMove, Colour, Square
    from worldwise.kriegspiel.rules.umpire import Rules
    from worldwise.kriegspiel.rules.view import PlayerView


def ending_values(
    view: PlayerView, boards: WeightedBoards, events: Sequence[Event], rules: Rules
) -> dict[ChessMove, float]:
    """What tries are worth against a bare king; none if other pieces may be left, or the player's own cannot mate."""
    own = [piece.upper() for piece in view.pieces if piece != EMPTY]
    if not view.geometry.is_full or not can_mate(own):
        return {}
    kings = bare_kings(boards, view.colour.other)
    return bare_king_values(view, kings, rules, own_pieces_before(view, events)) if kings else {}


def bare_kings(boards: WeightedBoards, colour: Colour) -> list[Square]:
    """The squares on which a king may be who has nothing else on any board; none if he has on some."""
    if not boards.is_packed:
        return _readable_bare_kings(boards, colour)
    pieces = boards.items[:, len(KINDS) + colour]
    if not len(pieces) or (pieces & (pieces - np.uint64(1))).any():
        return []
    return sorted({int(one).bit_length() - 1 for one in pieces})


def _readable_bare_kings(boards: WeightedBoards, colour: Colour) -> list[Square]:
    each = [list(board.pieces_of(colour)) for board in boards]
    return sorted({army[0][0] for army in each}) if all(len(army) == 1 for army in each) else []


def own_pieces_before(view: PlayerView, events: Sequence[Event]) -> Iterator[str]:
    """Where the player's own pieces stood after each of his moves, back to the last that cannot be undone."""
    pieces = list(view.pieces)
    for event in reversed(events):
        if event.message is None:
            continue
        if event.colour is view.colour:
            assert event.move is not None
            yield "".join(pieces)
            origin, target, _ = event.move
            if pieces[target] in "Pp" or event.move.promotion:
                return
            pieces[origin], pieces[target] = pieces[target], EMPTY
        if event.message.taken is not None:
            return


def times_before(view: PlayerView, events: Sequence[Event]) -> Counter[str]:
    """How often the player's own pieces have stood where, since the last move that cannot be undone."""
    return Counter(own_pieces_before(view, events))


def pieces_after(view: PlayerView, move: ChessMove) -> str:
    """The player's own pieces after a move of one of them; of castling, without the rook's part."""
    pieces = list(view.pieces)
    becomes = view.colour.piece(move.promotion) if move.promotion else pieces[move.origin]
    pieces[move.target], pieces[move.origin] = becomes, EMPTY
    return "".join(pieces)
