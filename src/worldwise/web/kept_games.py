"""Games on disk: what the server remembers survives its end, in a folder that only its user can read.

One file a game, versioned and with a checksum. What a file holds goes to workers alone, never to a client. There are at
most so many, for so many days; a damaged one is set aside, and only that game is lost.
"""

from __future__ import annotations

import logging
import os
import re
import sys
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from time import time
from typing import TYPE_CHECKING

from worldwise.core.durable_files import checksum, hold_lock, make_folder, remove_parts, write_file
from worldwise.errors import InputError
from worldwise.web.refusal import RefusedError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

LOG = logging.getLogger("worldwise.web")

FORMAT = 1
MOST, DAYS = 200, 30
"""Games that are kept, and for how long nobody need have asked about one."""

MOST_BYTES = 16 * 1024 * 1024
"""Of a file: the longest games have a twentieth of that."""

DAY = 24 * 3600.0
_NAME = re.compile("[A-Za-z0-9_-]{16,64}")
_FILE = re.compile(rb'\{"worldwise-game":([0-9]{1,9}),"checksum":"([0-9a-f]{16})","game":(.*)\}\n', re.DOTALL)


class KeptGames:
    """The games in a folder; ``clock`` tells the seconds that files are dated by."""

    def __init__(self, folder: Path, most: int = MOST, days: float = DAYS, clock: Callable[[], float] = time) -> None:
        self.folder, self.most, self.days, self.clock = folder, most, days, clock

    def write(self, name: str, data: bytes) -> None:
        """Keep a game. Where that cannot be done it goes on all the same, and the log says so."""
        path, head = self._path(name), b'{"worldwise-game":%d,"checksum":"%s","game":'
        try:
            if not path.exists():
                self.forget(self.most - 1)
            write_file(path, head % (FORMAT, checksum(data).encode()) + data + b"}\n", private=True)
        except (InputError, OSError) as error:
            LOG.warning("a game is not kept on disk: %s", error)

    def read(self, name: str) -> bytes | None:
        """A game; None if there is none of that name. ``RefusedError`` for a damaged one, or of a later version."""
        path = self._path(name)
        if not _NAME.fullmatch(name) or not path.is_file():
            return None
        try:
            found = _FILE.fullmatch(path.read_bytes()) if path.stat().st_size <= MOST_BYTES else None
        except OSError as error:
            LOG.warning("%s: %s", path, error.strerror)
            raise RefusedError(
                503, "the file that this game is kept in cannot be read; the log says why", "game"
            ) from None
        if found and int(found[1]) > FORMAT:
            words = f"expected a game of format {FORMAT}, found {int(found[1])}: a later version of worldwise keeps it"
            raise RefusedError(409, words, "game")
        if not found or found[2] != checksum(found[3]).encode():
            raise self._set_aside(path)
        return found[3]

    def _path(self, name: str) -> Path:
        return self.folder / f"{name}.json"

    def _set_aside(self, path: Path) -> RefusedError:
        aside = path.with_suffix(".damaged")
        with suppress(OSError):
            path.replace(aside)
        LOG.warning("%s is damaged, and is now %s", path, aside.name)
        return RefusedError(410, "expected a game that can be read, found its file damaged: it was set aside", "game")

    def forget(self, most: int | None = None) -> None:
        """Remove the eldest games of too many, and whatever is too old."""
        dated = sorted(((path.stat().st_mtime, path) for path in self.folder.iterdir() if _is_kept(path)), reverse=True)
        for place, (changed, path) in enumerate(dated):
            if place >= (self.most if most is None else most) or self.clock() - changed > self.days * DAY:
                path.unlink(missing_ok=True)


def _is_kept(path: Path) -> bool:
    """Whether a file is one of ours: in a folder that somebody has chosen there may be others."""
    return path.suffix in (".json", ".damaged") and bool(_NAME.fullmatch(path.stem))


@contextmanager
def open_games(folder: Path | None, say: Callable[[str], None]) -> Iterator[KeptGames | None]:
    """The games in a folder, for one server at a time; None, and ``say`` hears why, if it is not to be had."""
    with ExitStack() as stack:
        games = None
        try:
            games = _open(folder, stack) if folder else None
        except (InputError, OSError) as error:
            say(f"kriegspiel games are not kept on disk: {error}")
        yield games


def _open(folder: Path, stack: ExitStack) -> KeptGames:
    make_folder(folder.parent)
    make_folder(folder, private=True)
    stack.enter_context(hold_lock(folder / "games"))
    remove_parts(folder, "*.json")
    games = KeptGames(folder)
    games.forget()
    return games


def state_folder(platform: str = sys.platform, environment: Mapping[str, str] = os.environ) -> Path:
    """Where programs keep what they remember, by the custom of the system.

    >>> state_folder("linux", {"XDG_STATE_HOME": "/state"}).as_posix()
    '/state/worldwise'
    >>> state_folder("linux", {"HOME": "/home/ann", "XDG_STATE_HOME": "relative"}).as_posix()
    '/home/ann/.local/state/worldwise'
    """
    home = Path(environment.get("HOME") or os.path.expanduser("~"))
    if platform == "win32":
        return Path(environment.get("LOCALAPPDATA") or home / "AppData" / "Local") / "worldwise"
    if platform == "darwin":
        return home / "Library" / "Application Support" / "worldwise"
    given = Path(environment.get("XDG_STATE_HOME", ""))
    return (given if given.is_absolute() else home / ".local" / "state") / "worldwise"
