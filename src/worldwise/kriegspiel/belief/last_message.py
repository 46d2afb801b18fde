"""Boards that explain the last message and no more: what HS (PNS06) goes on with when it knows nothing better.

The player's own pieces are known, and how many of the enemy's he has taken. The enemy's others are put anywhere, and
the board is kept if the last message could have been said about it and the tries refused since are not legal: it need
not be possible in the light of all that was heard before, and as a rule it is not.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from worldwise.kernels import native, pick
from worldwise.kriegspiel.belief.weighted_boards import WeightedBoards
from worldwise.kriegspiel.rules.board import EMPTY, START, ChessBoard
from worldwise.kriegspiel.rules.packing import KINDS, pack_board, pack_message, pack_move, pack_rules
from worldwise.kriegspiel.rules.umpire import Message, Rules, board_end, checks, pawn_tries

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from random import Random

    from worldwise.kriegspiel.rules.game import Event
    from worldwise.kriegspiel.rules.squares import Colour, Square
    from worldwise.kriegspiel.rules.view import PlayerView

ATTEMPTS = 2_000
"""Placements tried for each board before the last message is given up as too unlikely."""


@dataclass(frozen=True)
class LastMessage:
    """What is known besides one's own pieces: how many the enemy has lost, and what was said about his last move.

    ``officers_lost`` counts pieces that are not pawns, ``unknown_lost`` those of which it was not said what they were;
    ``pawns`` and ``officers`` are what he began with, besides his king.
    """

    view: PlayerView
    rules: Rules
    said: Message
    pawns_lost: int = 0
    officers_lost: int = 0
    unknown_lost: int = 0
    pawns: int = 8
    officers: str = "QRRBBNN"

    @classmethod
    def of(cls, view: PlayerView, rules: Rules, events: Sequence[Event], first: ChessBoard = START) -> LastMessage:
        """From all that a player has heard since a game began, it being his turn."""
        own = [event.message for event in events if event.colour is view.colour and event.message]
        pieces = [message.piece for message in own if message.taken is not None]
        pawns, unknown = sum(piece in ("pawn", "P") for piece in pieces), pieces.count("")
        last = next((event.message for event in reversed(events) if event.message), None) or Message()
        kinds = Counter(piece.upper() for _, piece in first.pieces_of(view.colour.other))
        lost = pawns, len(pieces) - pawns - unknown, unknown
        return cls(view, rules, last, *lost, kinds["P"], "".join(kind * kinds[kind] for kind in "QRBN"))

    # ------------------------------------------------------------------ guesses

    def draw_guesses(self, rng: Random, count: int) -> WeightedBoards:
        """As many boards as asked for, or fewer if the message is hard to explain."""
        return pick(self._compiled, self._readable, fits=self.view.geometry.is_full)(rng, count)

    def _readable(self, rng: Random, count: int) -> WeightedBoards:
        found = (self._guess(rng) for _ in range(count))
        return WeightedBoards.of([board for board in found if board is not None])

    def _compiled(self, rng: Random, count: int) -> WeightedBoards:
        own = pack_board(ChessBoard(self.view.pieces, self.view.colour, self.view.castling))
        army = (self.pawns, np.array([KINDS.index(kind) for kind in self.officers], dtype=np.uint8))
        lost = (self.pawns_lost, self.officers_lost, self.unknown_lost)
        rules = native.UmpireRules(*pack_rules(self.rules))
        refused = np.array([pack_move(move) for move in self.view.refused], dtype=np.uint16)
        seed = rng.getrandbits(64)
        found = native.kriegspiel_guesses(own, pack_message(self.said), refused, *army, *lost, rules, count, seed)
        return WeightedBoards.of_items(found)

    def _guess(self, rng: Random) -> ChessBoard | None:
        """Pawn tries and refusals are the hardest to meet by chance: if nothing fits, what misses fewest will do."""
        nearest, fewest = None, 0
        for _ in range(ATTEMPTS):
            board = self._place_enemies(rng)
            if board is not None and self._fits(board):
                misses = self.misses(board)
                if not misses:
                    return board
                if nearest is None or misses < fewest:
                    nearest, fewest = board, misses
        return nearest

    def misses(self, board: ChessBoard) -> int:
        """How many refused tries would be legal on a board; one more if something else would be said about pawns."""
        allowed = sum(map(board.is_legal, self.view.refused))
        return allowed + (pawn_tries(board, self.rules) != self.said.tries)

    def _fits(self, board: ChessBoard) -> bool:
        """Whether the game could stand like this after the last message."""
        if checks(board, self.rules) != self.said.checks or board.checkers(board.turn.other):
            return False
        return board_end(board, self.rules) is None

    def _place_enemies(self, rng: Random) -> ChessBoard | None:
        """The enemy's pieces put at random, one of them where he has just taken; None if they do not fit."""
        pieces = list(self.view.pieces)
        army = self._army(rng)
        if self.said.taken is not None and pieces[self.said.taken] == EMPTY:
            piece = rng.choice(army)
            army.remove(piece)
            if not self._may_stand(piece, self.said.taken):
                return None
            pieces[self.said.taken] = piece
        for piece in army:
            free = [square for square in self._free_squares(pieces) if self._may_stand(piece, square)]
            if not free:
                return None
            pieces[rng.choice(free)] = piece
        return ChessBoard("".join(pieces), self.view.colour, self.view.castling, geometry=self.view.geometry)

    def _army(self, rng: Random) -> list[str]:
        """The king first, then what is left of the others, those lost drawn at random where nobody said which."""
        enemy: Colour = self.view.colour.other
        pawns, officers = ["P"] * self.pawns, list(self.officers)
        rng.shuffle(officers)
        left = pawns[self.pawns_lost :] + officers[self.officers_lost :]
        rng.shuffle(left)
        return [enemy.piece(kind) for kind in ["K", *left[self.unknown_lost :]]]

    def _free_squares(self, pieces: list[str]) -> Iterator[Square]:
        return (square for square, piece in enumerate(pieces) if piece == EMPTY)

    def _may_stand(self, piece: str, square: Square) -> bool:
        return piece not in "Pp" or 0 < self.view.geometry.place(square)[1] < self.view.geometry.ranks - 1
