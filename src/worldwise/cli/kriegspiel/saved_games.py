"""The files of a game that is played in the terminal: what another process has written there is never written over."""

from __future__ import annotations

from contextlib import ExitStack, contextmanager, nullcontext
from typing import TYPE_CHECKING

from worldwise.cli.output import check_writable
from worldwise.core.durable_files import checksum, hold_lock, write_file
from worldwise.core.reading import collect_bytes
from worldwise.errors import InputError, say_where
from worldwise.kriegspiel.records.game_text import game_text, read_game_text
from worldwise.kriegspiel.records.pgn_reader import read_pgn

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from worldwise.kriegspiel.records.record import Record


class GameFiles:
    """Where a game was read or written by this process, and what stood there then; one of them may be its own."""

    def __init__(self) -> None:
        self._known: dict[Path, str] = {}
        self._held: Path | None = None

    def __contains__(self, path: Path) -> bool:
        return path.resolve() in self._known or path.resolve() == self._held

    @contextmanager
    def hold(self, path: Path, resume: Path | None) -> Iterator[None]:
        """Have a file for this process alone; a game that is not the one to go on with is not written over."""
        with ExitStack() as stack:
            with say_where("--save"):
                _check_new(path, resume)
                check_writable(path)
                stack.enter_context(hold_lock(path))
            self._held = path.resolve()
            stack.callback(setattr, self, "_held", None)
            yield

    def read(self, path: Path) -> Record:
        """The one game of a file."""
        data = _content(path)
        if data is None:
            raise InputError(f"{path}: No such file or directory")
        try:
            record = read_game_text(_text(data), as_json=_is_json(path))
        except InputError as error:
            raise InputError(f"{path}: {error}") from None
        self._known[path.resolve()] = checksum(data)
        return record

    def read_game(self, path: Path, number: int | None = None) -> Record:
        """The one game of a file, or one of many in PGN."""
        if number is None or _is_json(path):
            return self.read(path)
        with say_where(str(path)):
            games = read_pgn(_text(_content(path) or b""))
            if not 1 <= number <= len(games):
                raise InputError(f"expected a game from 1 to {len(games)}, found {number}")
        return games[number - 1]

    def write(self, path: Path, record: Record) -> None:
        """A game in a file, as JSON if the name says so, otherwise as PGN; its folder is made."""
        check_writable(path)
        with nullcontext() if path.resolve() == self._held else hold_lock(path):
            self._check_own(path)
            data = game_text(record, as_json=_is_json(path)).encode()
            write_file(path, data)
        self._known[path.resolve()] = checksum(data)

    def _check_own(self, path: Path) -> None:
        known = self._known.get(path.resolve())
        if path.exists() and (known is None or not path.is_file()):
            raise InputError(f"expected a new file or one of this game, found {path}, which is there already")
        there = _content(path)
        if there is None or checksum(there) == known:
            return
        expected = f"expected {path} as this game has left it, found that somebody else has written to it"
        raise InputError(f"{expected}: another name keeps both")


def _check_new(path: Path, resume: Path | None) -> None:
    if path.exists() and (resume is None or path.resolve() != resume.resolve()):
        advice = f"--resume {path} goes on with the game in it, another name keeps both"
        raise InputError(f"expected a new file, found {path}, which is there already: {advice}")


def _content(path: Path) -> bytes | None:
    try:
        with path.open("rb") as file, say_where(str(path)):
            return collect_bytes(file)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise InputError(f"{path}: {error.strerror}") from None


def _text(data: bytes) -> str:
    """Lines end as the system of whoever has copied the file wants it."""
    try:
        return data.decode().replace("\r\n", "\n")
    except UnicodeDecodeError as error:
        raise InputError(f"expected text, found {error}") from None


def _is_json(path: Path) -> bool:
    return path.suffix.lower() == ".json"
