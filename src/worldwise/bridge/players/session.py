"""A board played by a person and others: whose turn it is, what was taken back, what was claimed."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from worldwise.bridge.players.world_sample import legal_cards
from worldwise.bridge.rules.cards import RANKS, rank_name
from worldwise.bridge.rules.deal import SEATS, Seat, card_name, read_card
from worldwise.bridge.rules.view import view_of
from worldwise.bridge.solvers.double_dummy import can_take
from worldwise.errors import InputError

if TYPE_CHECKING:
    from worldwise.bridge.players.table import BridgeTable
    from worldwise.bridge.rules.board import Board
    from worldwise.bridge.rules.deal import Card
    from worldwise.bridge.rules.play import Play
    from worldwise.bridge.rules.view import View


@dataclass(frozen=True)
class BridgeSession:
    """Where a board stands for the person in seat ``you``, or for one who only looks on; a value, nothing changes.

    ``tricks`` is declarer's result once somebody has claimed.

    >>> from worldwise.bridge.rules.board import Board
    >>> from worldwise.bridge.rules.contract import Contract
    >>> from worldwise.bridge.rules.deal import Deal
    >>> board = Board(Deal.read("N:AQ4... K53... 876... JT9..."), contract=Contract.read("1NT by S"))
    >>> session = BridgeSession.of(board.with_cards([read_card("SJ")]), Seat.SOUTH)
    >>> session.yours, card_name(session.card("q")), session.then(session.card("q")).yours
    (True, 'SQ', False)
    """

    board: Board
    play: Play
    you: Seat | None = None
    tricks: int | None = None

    @classmethod
    def of(cls, board: Board, you: Seat | None = None, *, again: bool = False) -> BridgeSession:
        """Where the record of a board stands; or ``again`` from the opening lead, whatever the record says."""
        if not board.deal.complete:
            raise InputError(f"expected a board with all four hands, found {board.deal}")
        board = board.with_cards(()) if again else board
        return cls(board, board.play, you, board.tricks)

    @property
    def over(self) -> bool:
        """Whether the result is known."""
        return self.tricks is not None or self.play.position.over

    @property
    def yours(self) -> bool:
        """Whether the person plays next: his own card, or dummy's if he is declarer."""
        return not self.over and self.play.turn == self.you

    @property
    def view(self) -> View:
        """What the player on turn sees."""
        return view_of(self.play, self.play.turn, self.board.auction)

    @property
    def seen(self) -> tuple[Seat, ...]:
        """Whose hands the person sees: when it is over, or if he only looks on, all."""
        if self.you is None or self.over:
            return SEATS
        return tuple(view_of(self.play, self.you).faced)

    @property
    def record(self) -> Board:
        """The board as played so far."""
        ended = self.play.declarer_tricks if self.play.position.over else None
        return replace(self.board, cards=self.play.cards, tricks=self.tricks if ended is None else ended)

    # ------------------------------------------------------------------ what happens next

    def then(self, card: Card) -> BridgeSession:
        """A card is played."""
        return replace(self, play=self.play.then(card))

    def others_play(self, table: BridgeTable) -> BridgeSession:
        """Another player's card."""
        return replace(self, play=table.next_play(self.play))

    def card(self, text: str) -> Card:
        """The card a person means: ``SA``, ``10d``, or a rank alone if only one card he may play has it."""
        legal = legal_cards(self.view)
        rank = text.strip().upper().replace("10", "T")
        if len(rank) == 1 and rank in RANKS:
            found = [card for card in legal if rank_name(card & 15) == rank]
            if len(found) != 1:
                raise InputError(f"expected {_one_of(legal)}, found {text!r}")
            return found[0]
        card = read_card(text)
        if card not in legal:
            raise InputError(f"expected {_one_of(legal)}, found {card_name(card)}")
        return card

    def undo(self) -> BridgeSession:
        """Back to the person's turn before this one."""
        play = self.play
        while play.cards:
            play = play.back(1)
            if play.turn == self.you:
                return replace(self, play=play, tricks=None)
        raise InputError("expected a card of yours to take back, found none")

    def claim(self, tricks: int) -> BridgeSession:
        """The person's side claims so many of the tricks that are left, and gives up the others.

        It is accepted if the side can take them whatever the others do, all hands being seen.
        """
        if self.you is None:
            raise InputError("expected a player to claim, found somebody who looks on")
        left = self.play.position.tricks_left
        if not 0 <= tricks <= left:
            raise InputError(f"expected a claim from 0 to {left} tricks, found {tricks}")
        if not can_take(self.play.position, tricks, self.you):
            raise InputError(f"expected a claim that holds against best defence, found {tricks} of {left} tricks")
        declares = (self.you ^ self.play.contract.declarer) & 1 == 0
        return replace(self, tricks=self.play.declarer_tricks + (tricks if declares else left - tricks))


def _one_of(cards: list[Card]) -> str:
    return "one of " + ", ".join(map(card_name, cards))


def read_you(text: str, declarer: Seat) -> Seat | None:
    """The seat a person takes: a seat, ``declarer``, or ``none``.

    >>> read_you("declarer", Seat.WEST), read_you("n", Seat.WEST), read_you("none", Seat.WEST)
    (Seat.WEST, Seat.NORTH, None)
    """
    word = text.strip().lower()
    if word in ("declarer", "none"):
        return declarer if word == "declarer" else None
    if not re.fullmatch(r"[nesw]|north|east|south|west", word):
        raise InputError(f"expected N, E, S, W, declarer or none, found {text!r}")
    return Seat.of(word)
