"""Matches at kriegspiel: two players, many games, colours by turns; who wins how often?"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from worldwise.core.statistics import Estimate, mean, wilson
from worldwise.errors import InputError, refuse_failures, say_where
from worldwise.kriegspiel.players.names import player_name
from worldwise.kriegspiel.players.player import NO_BUDGET, Budget
from worldwise.kriegspiel.players.umpire_table import UmpireTable
from worldwise.kriegspiel.records.record import Record, end_name, rules_line
from worldwise.kriegspiel.rules.board import START, ChessBoard
from worldwise.kriegspiel.rules.compiled_board import fastest_board
from worldwise.kriegspiel.rules.fen import fen
from worldwise.kriegspiel.rules.game import Kriegspiel
from worldwise.kriegspiel.rules.squares import BLACK, WHITE, Colour, read_uci, uci
from worldwise.kriegspiel.rules.umpire import WILD16, End, Rules

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from worldwise.kriegspiel.players.player import KriegspielPlayer
    from worldwise.kriegspiel.rules.game import State
    from worldwise.runs.rows import Scalar


@dataclass(frozen=True)
class MatchGame:
    """A game of a match: its number, who had White (the first player in games 1, 3, 5 ...), and how it went.

    ``tries`` has every try of both, as in UCI; the umpire's answers follow from them.
    """

    number: int
    winner: Colour | None
    end: End
    plies: int
    tries: str

    @property
    def first_colour(self) -> Colour:
        """The first player's."""
        return BLACK if self.number % 2 == 0 else WHITE

    @property
    def score(self) -> int:
        """1 if the first player won, -1 if the second did, 0 for a draw."""
        if self.winner is None:
            return 0
        return 1 if self.winner is self.first_colour else -1

    @property
    def tried(self) -> int:
        """How many tries there were, refused ones included."""
        return len(self.tries.split())

    @property
    def row(self) -> dict[str, Any]:
        """The game as a row of plain values, from which ``MatchGame.of`` makes it again."""
        return {
            "winner": None if self.winner is None else str(self.winner),
            "end": end_name(self.end),
            "plies": self.plies,
            "tries": self.tries,
        }

    @classmethod
    def of(cls, number: int, row: Mapping[str, Any]) -> MatchGame:
        """The game that a row tells of; ``InputError`` if it tells of none."""
        with say_where(f"game {number}"), refuse_failures("the row of a game"):
            winner = None if row["winner"] is None else Colour[row["winner"].upper()]
            return cls(number, winner, End[row["end"].upper()], int(row["plies"]), str(row["tries"]))


@dataclass(frozen=True)
class KriegspielMatch:
    """Two players, the rules, the first board, and how much thought a try is worth.

    >>> from worldwise.kriegspiel.rules.fen import read_fen
    >>> from worldwise.kriegspiel.players.random_and_greedy import RandomTriesPlayer
    >>> match = KriegspielMatch(RandomTriesPlayer(), RandomTriesPlayer(), first_board=read_fen("rqkr/pppp/PPPP/RQKR w"))
    >>> match.play(number=1, seed=5) == match.play(number=1, seed=5)
    True
    """

    first: KriegspielPlayer
    second: KriegspielPlayer
    rules: Rules = WILD16
    first_board: ChessBoard = START
    budget: Budget = NO_BUDGET

    def __post_init__(self) -> None:
        if end := Kriegspiel(self.rules).start(self.first_board).end:
            raise InputError(f"expected a board to play from, found one where the game is over ({end.value})")

    @property
    def settings(self) -> dict[str, Scalar]:
        """What makes it this match, as plain values."""
        return {
            "first": player_name(self.first),
            "second": player_name(self.second),
            "rules": rules_line(self.rules),
            "fen": fen(self.first_board),
            "boards": self.budget.boards,
            "seconds": self.budget.seconds,
        }

    def names(self, number: int) -> tuple[str, str]:
        """Who has White and who has Black in a game."""
        one, other = player_name(self.first), player_name(self.second)
        return (one, other) if number % 2 else (other, one)

    def play(self, number: int, seed: int) -> MatchGame:
        """Play a game; it depends on its number, the seed and what the match is, and on nothing else."""
        game = Kriegspiel(self.rules, (fastest_board(self.first_board),))
        state = game.start(game.starts[0])
        players = (self.first, self.second) if number % 2 else (self.second, self.first)
        table = UmpireTable.of(game, state, dict(zip((WHITE, BLACK), players, strict=True)), seed, self.budget)
        return self._result(number, table.play_out(state))

    def _result(self, number: int, state: State) -> MatchGame:
        assert state.end is not None
        winner = state.board.turn.other if state.end is End.MATE else None
        tries = " ".join(uci(event.move, state.board.geometry) for event in state.events if event.move)
        return MatchGame(number, winner, state.end, state.plies, tries)

    def record(self, played: MatchGame) -> Record:
        """The record of a game, with every answer."""
        game = Kriegspiel(self.rules)
        state = game.start(fastest_board(self.first_board))
        for text in played.tries.split():
            state = game.play(state, read_uci(text, state.board.geometry))
        names = self.names(played.number)
        told = Record.of(state, self.rules, *names, (("Round", str(played.number)),))
        return Record(self.rules, self.first_board, told.events, told.result, told.end, *names, told.tags)


# ---------------------------------------------------------------------- what it comes to


@dataclass(frozen=True)
class KriegspielSummary:
    """What the games of a match come to; there is at least one."""

    games: Sequence[MatchGame]

    def __post_init__(self) -> None:
        if not self.games:
            raise InputError("expected at least one game that was played, found none")

    def _rate(self, score: int) -> Estimate:
        return wilson(sum(game.score == score for game in self.games), len(self.games))

    @cached_property
    def wins(self) -> Estimate:
        """How often the first player won."""
        return self._rate(1)

    @cached_property
    def losses(self) -> Estimate:
        """How often the second player won."""
        return self._rate(-1)

    @cached_property
    def draws(self) -> Estimate:
        """How often nobody did."""
        return self._rate(0)

    def won_by(self, colour: Colour) -> Estimate:
        """How often a colour won, whoever had it."""
        return wilson(sum(game.winner is colour for game in self.games), len(self.games))

    @property
    def plies(self) -> Estimate:
        """How long games were."""
        return mean([game.plies for game in self.games])

    @property
    def tries(self) -> Estimate:
        """How many tries a game had, refused ones included."""
        return mean([game.tried for game in self.games])

    @property
    def ends(self) -> dict[End, int]:
        """How often games ended in which way, the most frequent first."""
        return dict(Counter(game.end for game in self.games).most_common())
