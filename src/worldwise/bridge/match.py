"""Duplicate matches: two declarers play the same deals in the same contract against the same defence (CLV21 Table 4).

A deal *differs* if one declarer makes the contract and the other does not. The share of these that the first one won
is the paper's win rate; a declarer who never differs from another is as good for the contract, and may still take
more tricks, which the IMPs show.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from random import Random
from typing import TYPE_CHECKING, Any

from worldwise.bridge.layouts.deals_for_contract import deal_for
from worldwise.bridge.players.names import player_name
from worldwise.bridge.players.table import BridgeTable, play_board
from worldwise.bridge.rules.board import Board, Tag, dealer_of_board
from worldwise.bridge.rules.contract import Contract, Vulnerability
from worldwise.bridge.rules.deal import Deal, card_name, read_card
from worldwise.bridge.rules.scoring import imps, score
from worldwise.core.statistics import Estimate, mean, wilson
from worldwise.errors import InputError, refuse_failures, say_where

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from worldwise.bridge.players.seats import AnyPlayer
    from worldwise.bridge.rules.board import Names


@dataclass(frozen=True)
class DeclarerResult:
    """How one declarer fared on a deal: the board as it was played, and how long this declarer thought."""

    board: Board
    moves: int
    seconds: float

    @property
    def tricks(self) -> int:
        """Declarer's tricks."""
        assert self.board.tricks is not None
        return self.board.tricks

    @property
    def made(self) -> bool:
        """Whether the contract was made."""
        return self.tricks >= self.board.play.contract.tricks

    @property
    def points(self) -> int:
        """The score of declarer's side."""
        return score(self.board.contract, self.tricks, self.board.vulnerability)


@dataclass(frozen=True)
class Duel:
    """A deal that both declarers have played: ``first`` by the one, ``second`` by the other."""

    first: DeclarerResult
    second: DeclarerResult

    @property
    def number(self) -> int:
        """The board's number."""
        return self.first.board.number or 0

    @property
    def winner(self) -> int:
        """1 if only the first declarer made it, 2 if only the second did, otherwise 0."""
        if self.first.made == self.second.made:
            return 0
        return 1 if self.first.made else 2

    @property
    def imps(self) -> int:
        """IMPs to the first declarer."""
        return imps(self.first.points - self.second.points)

    @property
    def row(self) -> dict[str, Any]:
        """The duel as a row of plain values, from which ``BridgeMatch.duel_of`` makes it again."""
        row: dict[str, Any] = {"deal": str(self.first.board.deal), "winner": self.winner, "imps": self.imps}
        for name, side in (("first", self.first), ("second", self.second)):
            row[f"{name}.tricks"], row[f"{name}.made"] = side.tricks, side.made
            row[f"{name}.cards"] = " ".join(map(card_name, side.board.cards))
            row[f"{name}.moves"], row[f"{name}.seconds"] = side.moves, side.seconds
        return row


@dataclass(frozen=True)
class BridgeMatch:
    """Two declarers, the defence both of them meet, and the contract; ``deal_for`` says which deals are played.

    If there are ``boards``, these are played instead, each in its own contract, and everybody has heard its auction.

    >>> from worldwise.bridge.players.simple import RandomPlayer
    >>> match = BridgeMatch(RandomPlayer(), RandomPlayer(), RandomPlayer(), Contract.read("3NT by S"))
    >>> duel = match.duel(number=1, seed=5)
    >>> duel.first.board.cards == duel.second.board.cards, duel.winner, duel.imps
    (True, 0, 0)
    """

    declarer: AnyPlayer
    versus: AnyPlayer
    defence: AnyPlayer
    contract: Contract
    boards: tuple[Board, ...] = ()

    def __str__(self) -> str:
        declarer, versus, defence = map(player_name, (self.declarer, self.versus, self.defence))
        return f"{self.contracts}: {declarer} v {versus}, defence {defence}"

    @property
    def contracts(self) -> str:
        """What is played."""
        return "contracts as bid" if self.boards else str(self.contract)

    def board(self, number: int, seed: int) -> Board:
        """The board of a seed before it is played, with the dealer and vulnerability of its number."""
        return (
            self._bid_board(number) if self.boards else self._new_board(number, deal_for(self.contract, Random(seed)))
        )

    def _bid_board(self, number: int) -> Board:
        return replace(self.boards[number - 1], number=number, cards=(), tricks=None)

    def _new_board(self, number: int, deal: Deal) -> Board:
        return Board(deal, number, dealer_of_board(number), Vulnerability.of_board(number), contract=self.contract)

    def duel(self, number: int, seed: int) -> Duel:
        """Both declarers play a board; they and the defenders have the same chances at both tables."""
        board = self.board(number, seed)
        return Duel(
            self._play_board(board, self.declarer, "Open", seed), self._play_board(board, self.versus, "Closed", seed)
        )

    def _play_board(self, board: Board, declarer: AnyPlayer, room: str, seed: int) -> DeclarerResult:
        contract = board.play.contract
        table = BridgeTable.of(contract, declarer, self.defence, seed, board.vulnerability, auction=board.auction)
        played = play_board(self._in_room(board, declarer, room), table)
        chair = table.chairs[contract.declarer]
        return DeclarerResult(played, chair.moves, chair.seconds)

    def _in_room(self, board: Board, declarer: AnyPlayer, room: str) -> Board:
        """The board with the names of the players, and of the room, as records of matches have them."""
        ours = board.play.contract.declarer & 1
        one, other = player_name(declarer), player_name(self.defence)
        north, east = (one, other) if ours == 0 else (other, one)
        names: Names = (north, east, north, east)
        return replace(board, names=names, tags=(Tag("Scoring", "IMP"), Tag("Room", room)))

    def duel_of(self, number: int, row: Mapping[str, Any]) -> Duel:
        """The duel that a row tells of; ``InputError`` if it tells of none."""
        with say_where(f"board {number}"), refuse_failures("the row of a board"):
            deal = Deal.read(row["deal"])
            board = self._bid_board(number) if self.boards else self._new_board(number, deal)
            if board.deal != deal:
                raise InputError(f"expected the deal {board.deal}, found {deal}")
            return Duel(
                self._side_of(self._in_room(board, self.declarer, "Open"), row, "first"),
                self._side_of(self._in_room(board, self.versus, "Closed"), row, "second"),
            )

    def _side_of(self, board: Board, row: Mapping[str, Any], name: str) -> DeclarerResult:
        cards = tuple(map(read_card, row[f"{name}.cards"].split()))
        return DeclarerResult(board.with_cards(cards), int(row[f"{name}.moves"]), float(row[f"{name}.seconds"]))


# ---------------------------------------------------------------------- what it comes to


@dataclass(frozen=True)
class BridgeSummary:
    """What the duels of a match come to; there is at least one."""

    duels: Sequence[Duel]

    def __post_init__(self) -> None:
        if not self.duels:
            raise InputError("expected at least one deal that was played, found none")

    @property
    def deals(self) -> int:
        """How many deals were played."""
        return len(self.duels)

    @cached_property
    def won(self) -> int:
        """Deals that only the first declarer made."""
        return sum(duel.winner == 1 for duel in self.duels)

    @cached_property
    def lost(self) -> int:
        """Deals that only the second declarer made."""
        return sum(duel.winner == 2 for duel in self.duels)

    @property
    def differing(self) -> int:
        """Deals that one of them made."""
        return self.won + self.lost

    @property
    def win_rate(self) -> Estimate | None:
        """The first declarer's share of the deals that differ; None if none does."""
        return wilson(self.won, self.differing) if self.differing else None

    @property
    def make_rates(self) -> tuple[Estimate, Estimate]:
        """How often each of them made the contract."""
        return (
            wilson(sum(duel.first.made for duel in self.duels), self.deals),
            wilson(sum(duel.second.made for duel in self.duels), self.deals),
        )

    @property
    def imps(self) -> Estimate:
        """IMPs a deal to the first declarer."""
        return mean([duel.imps for duel in self.duels])

    @property
    def tricks(self) -> Estimate:
        """Tricks a deal that the first declarer took more."""
        return mean([duel.first.tricks - duel.second.tricks for duel in self.duels])

    @property
    def seconds(self) -> tuple[float, float]:
        """Seconds a move of each, moves without a choice included."""
        return _a_move([duel.first for duel in self.duels]), _a_move([duel.second for duel in self.duels])


def _a_move(sides: Sequence[DeclarerResult]) -> float:
    return sum(side.seconds for side in sides) / max(1, sum(side.moves for side in sides))
