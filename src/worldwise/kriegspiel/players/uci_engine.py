"""A chess engine in a process of its own, spoken to by UCI (the universal chess interface).

It is asked one thing: what every legal move of a position is worth. One that dies is started again, and the question
put to it once more; one that is not there, or keeps dying, is a ``SolverError`` that says so.
"""

from __future__ import annotations

import os
from collections import deque
from dataclasses import dataclass, field
from time import monotonic
from typing import TYPE_CHECKING

from worldwise.core.reading import read_whole
from worldwise.errors import InputError, SolverError
from worldwise.kriegspiel.players.line_process import LineProcess, ProcessDiedError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

VARIABLE = "WORLDWISE_CHESS_ENGINE"
"""The environment variable that names the engine: a program, and if need be its arguments."""

USUAL = "stockfish"
"""The engine if nobody names one."""

HOW_TO_GET = f"install Stockfish (Debian: apt-get install stockfish), or name an engine in {VARIABLE}"

TRIES = 3
"""How often a question is put before the engine is given up."""

PATIENCE = 20.0
"""Seconds without a word after which an engine counts as dead."""

MOST_SECONDS = 120.0
"""Seconds after which it counts as dead whatever it says: one that talks on and on never answers."""

MATE, MATE_LATER = 20.0, 0.1
"""In pawns: what a mate is worth, and what each move costs that it takes."""

MOST = 15.0
"""All else is worth no more than this, so that one board does not outvote the others."""

OPTIONS: Mapping[str, str] = {"Threads": "1", "Hash": "4", "MultiPV": "256"}
"""One thread and a small table make answers repeatable; as many lines as a position has moves."""


def engine_command() -> str:
    """The engine that is meant: what the environment names, or else Stockfish."""
    return os.environ.get(VARIABLE) or USUAL


@dataclass
class UciEngine:
    """An engine that is started when it is first asked.

    ``nodes`` is how many positions it looks at for an answer, which makes answers repeatable.
    """

    command: str
    nodes: int
    _process: LineProcess = field(init=False, repr=False)

    def __post_init__(self) -> None:
        self._process = LineProcess(self.command, "a chess engine that speaks UCI", HOW_TO_GET)

    def scores(self, fen: str) -> dict[str, float]:
        """What each legal move of a position is worth to the side to move, in pawns, by its UCI text."""
        for _ in range(TRIES):
            try:
                return self._ask(fen)
            except ProcessDiedError:
                self.stop()
        raise SolverError(f"the chess engine {self.command!r} stops without an answer; the position was {fen}")

    def stop(self) -> None:
        """End the process; the next question starts another."""
        self._process.stop()

    def _ask(self, fen: str) -> dict[str, float]:
        if not self._process.is_running:
            self._start()
        self._say("ucinewgame", f"position fen {fen}", f"go nodes {self.nodes}")
        return dict(filter(None, map(read_info, self._lines_until("bestmove"))))

    def _start(self) -> None:
        self._process.start()
        self._say("uci")
        deque(self._lines_until("uciok"), maxlen=0)
        self._say(*(f"setoption name {name} value {value}" for name, value in OPTIONS.items()), "isready")
        deque(self._lines_until("readyok"), maxlen=0)

    def _say(self, *lines: str) -> None:
        self._process.send(*lines, patience=PATIENCE)

    def _lines_until(self, word: str) -> Iterator[str]:
        end = monotonic() + MOST_SECONDS
        while (line := self._process.read_line(PATIENCE)).split()[:1] != [word]:
            if monotonic() > end:
                raise ProcessDiedError
            yield line


def read_info(line: str) -> tuple[str, float] | None:
    """The first move and the worth of one of the lines that an engine looks at; None if this is no such thing.

    >>> read_info("info depth 5 multipv 2 score cp 31 nodes 900 pv e2e4 e7e5")
    ('e2e4', 0.31)
    >>> read_info("info depth 5 score mate -2 pv a2a1q"), read_info("info string NNUE")
    (('a2a1q', -19.8), None)
    """
    words = line.split()
    if words[:1] != ["info"] or "score" not in words or "pv" not in words[:-1]:
        return None
    at = words.index("score")
    try:
        kind, number = words[at + 1], read_whole(words[at + 2])
    except (IndexError, InputError):
        return None
    return words[words.index("pv") + 1], _pawns(kind, number)


def _pawns(kind: str, number: int) -> float:
    if kind == "mate":
        worth = MATE - MATE_LATER * min(abs(number), 50)
        return worth if number > 0 else -worth
    return max(-MOST, min(MOST, number / 100))
