"""A program of anybody's as a player: it is told the state as a line of JSON, and answers with a move as in UCI.

The state has the names that kriegspiel.org gives its bots (``your_color``, ``your_fen``, ``allowed_moves`` ...), and
all that was heard so far, so a program need not remember anything and may be started again at any time::

    {"rule_variant": "wild16", "your_color": "white", "your_fen": "8/8/.../4K3 w - - 0 1", "move_number": 1,
     "possible_actions": ["move"], "allowed_moves": ["e2e4", ...], "next_turn_pawn_tries": 0,
     "heard": [{"actor": "opponent", "kind": "move", "move_uci": null, "capture_square": "d4",
                "captured_piece_announcement": "PAWN", "checks": ["on the file"]}, ...]}
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from worldwise.errors import InputError, SolverError, say_where
from worldwise.kriegspiel.players.line_process import LineProcess, ProcessDiedError
from worldwise.kriegspiel.rules.board import ChessBoard
from worldwise.kriegspiel.rules.fen import fen
from worldwise.kriegspiel.rules.squares import read_uci, uci

if TYPE_CHECKING:
    from worldwise.kriegspiel.players.player import KriegspielSeat, Start
    from worldwise.kriegspiel.rules.game import Event
    from worldwise.kriegspiel.rules.squares import ChessMove, Colour, Geometry
    from worldwise.kriegspiel.rules.view import PlayerView

TRIES = 2
"""How often a program is asked before it is given up: once more after it has died."""

PATIENCE = 60.0
"""Seconds that it has for an answer."""


@dataclass(frozen=True)
class OutsidePlayer:
    """A program that plays: what it is called, and the command that starts it."""

    title: str
    command: str

    def sit(self, start: Start) -> KriegspielSeat:
        """Take a seat; the program is started when it is first asked."""
        how = "name a program that reads a state as JSON and prints a move"
        return _SeatedProgram(start, LineProcess(self.command, "a program that plays kriegspiel", how))


@dataclass
class _SeatedProgram:
    start: Start
    process: LineProcess
    heard: list[Event] = field(default_factory=list)

    def hear(self, event: Event) -> None:
        self.heard.append(event)

    def choose(self, view: PlayerView) -> ChessMove:
        state = json.dumps(bot_state(view, self.start, self.heard))
        for _ in range(TRIES):
            try:
                return self._ask(state, view)
            except ProcessDiedError:
                self.process.stop()
        raise SolverError(f"the program {self.process.command!r} stops without an answer")

    def _ask(self, state: str, view: PlayerView) -> ChessMove:
        if not self.process.is_running:
            self.process.start()
        self.process.send(state, patience=PATIENCE)
        answer = self.process.read_line(PATIENCE).strip()
        with say_where(f"the program {self.process.command!r}"):
            move = read_uci(answer, view.geometry)
            if move not in view.tries:
                raise InputError(f"expected one of the allowed moves, found {answer!r}")
        return move


def bot_state(view: PlayerView, start: Start, heard: list[Event]) -> dict[str, Any]:
    """What a bot is told before a try.

    >>> from worldwise.kriegspiel.players.player import Start
    >>> from worldwise.kriegspiel.rules.board import START
    >>> from worldwise.kriegspiel.rules.squares import WHITE
    >>> from worldwise.kriegspiel.rules.umpire import WILD16
    >>> from worldwise.kriegspiel.rules.view import PlayerView
    >>> state = bot_state(PlayerView.of(START, WHITE, 0), Start(WHITE, WILD16), [])
    >>> state["your_fen"], len(state["allowed_moves"]), state["heard"]
    ('8/8/8/8/8/8/PPPPPPPP/RNBQKBNR w KQ - 0 1', 20, [])
    """
    own = ChessBoard(view.pieces, view.colour, view.castling, geometry=view.geometry)
    own_moves = sum(event.colour is view.colour and not event.is_refusal for event in heard)
    return {
        "rule_variant": start.rules.name,
        "your_color": str(view.colour),
        "your_fen": fen(own),
        "move_number": own_moves + 1,
        "possible_actions": ["move"],
        "allowed_moves": [uci(move, view.geometry) for move in view.tries],
        "next_turn_pawn_tries": view.pawn_tries,
        "heard": [_event_json(event, view.colour, view.geometry) for event in heard],
    }


def _event_json(event: Event, you: Colour, geometry: Geometry) -> dict[str, Any]:
    said = event.message
    told: dict[str, Any] = {
        "actor": "self" if event.colour is you else "opponent",
        "kind": "illegal_move" if said is None else "move",
        "move_uci": None if event.move is None else uci(event.move, geometry),
    }
    if said is not None:
        told["capture_square"] = None if said.taken is None else geometry.name(said.taken)
        told["captured_piece_announcement"] = said.piece.upper() or None
        told["checks"] = [check.value for check in said.checks]
    return told
