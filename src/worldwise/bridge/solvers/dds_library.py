"""The DDS library of Bo Haglund and Soren Hein: where it is found, how it is loaded, and its records.

It is looked for at a path that is given, then at ``WORLDWISE_DDS``, then inside the package endplay, which is never
imported since it takes seconds, then where the system keeps its libraries. The names and the layout of the records are
those of the library's own header, version 2.9.

The library keeps one memory for each of its threads, chosen by the caller's number: two calls at once must not use the
same one, and calls for many boards use them all. ``Library`` hands the numbers out.
"""

from __future__ import annotations

import os
from contextlib import contextmanager
from ctypes import CDLL, POINTER, Array, Structure, c_char, c_int, c_uint, create_string_buffer
from ctypes.util import find_library
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from queue import SimpleQueue
from threading import Lock
from typing import TYPE_CHECKING, Any

from worldwise.errors import InputError, SolverError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

VARIABLE = "WORLDWISE_DDS"
"""The environment variable with the path of the library."""

BOARDS = 200
"""The most boards in one call."""

TABLES = 32
"""The most double-dummy tables in one call; the records have room for more in some versions."""

_ROOM = 200
"""Places in the records of tables: five strains for each of 40."""


# ---------------------------------------------------------------------- the library's records

_Hands = (c_uint * 4) * 4


class BoardRecord(Structure):
    """A position: hands by seat and suit, and the trick on the table."""

    _fields_ = (
        ("trump", c_int),
        ("first", c_int),
        ("currentTrickSuit", c_int * 3),
        ("currentTrickRank", c_int * 3),
        ("remainCards", _Hands),
    )


class AnswerRecord(Structure):
    """The cards that were looked at, with their scores; ``equals`` has the lower ranks that are worth the same."""

    _fields_ = (
        ("nodes", c_int),
        ("cards", c_int),
        ("suit", c_int * 13),
        ("rank", c_int * 13),
        ("equals", c_int * 13),
        ("score", c_int * 13),
    )


class BoardsRecord(Structure):
    """Many positions, each with its question."""

    _fields_ = (
        ("noOfBoards", c_int),
        ("deals", BoardRecord * BOARDS),
        ("target", c_int * BOARDS),
        ("solutions", c_int * BOARDS),
        ("mode", c_int * BOARDS),
    )


class AnswersRecord(Structure):
    """The answers to ``BoardsRecord``."""

    _fields_ = (("noOfBoards", c_int), ("solvedBoard", AnswerRecord * BOARDS))


class DealRecord(Structure):
    """Four hands."""

    _fields_ = (("cards", _Hands),)


class DealsRecord(Structure):
    """Many deals."""

    _fields_ = (("noOfTables", c_int), ("deals", DealRecord * _ROOM))


class TableRecord(Structure):
    """Tricks by strain and declarer."""

    _fields_ = (("resTable", (c_int * 4) * 5),)


class TablesRecord(Structure):
    """The tables of ``DealsRecord``."""

    _fields_ = (("noOfBoards", c_int), ("results", TableRecord * _ROOM))


class ParContractRecord(Structure):
    """A par contract; strains are counted from notrump down, seats 4 and 5 are both players of a side."""

    _fields_ = (
        ("underTricks", c_int),
        ("overTricks", c_int),
        ("level", c_int),
        ("denom", c_int),
        ("seats", c_int),
    )


class ParRecord(Structure):
    """The par score, as North and South count it, and the contracts that reach it."""

    _fields_ = (("score", c_int), ("number", c_int), ("contracts", ParContractRecord * 10))


class InfoRecord(Structure):
    """What the library says about itself."""

    _fields_ = (
        ("major", c_int),
        ("minor", c_int),
        ("patch", c_int),
        ("versionString", c_char * 10),
        ("system", c_int),
        ("numBits", c_int),
        ("compiler", c_int),
        ("constructor", c_int),
        ("numCores", c_int),
        ("threading", c_int),
        ("noOfThreads", c_int),
        ("threadSizes", c_char * 128),
        ("systemString", c_char * 1024),
    )


_CALLS: dict[str, list[Any]] = {
    "SolveBoard": [BoardRecord, c_int, c_int, c_int, POINTER(AnswerRecord), c_int],
    "SolveAllBoardsBin": [POINTER(BoardsRecord), POINTER(AnswersRecord)],
    "CalcAllTables": [POINTER(DealsRecord), c_int, POINTER(c_int), POINTER(TablesRecord), POINTER(c_char)],
    "DealerParBin": [POINTER(TableRecord), POINTER(ParRecord), c_int, c_int],
    "ErrorMessage": [c_int, POINTER(c_char)],
    "GetDDSInfo": [POINTER(InfoRecord)],
    "SetMaxThreads": [c_int],
}
"""The functions we call, with the types of their arguments."""

_NOTHING_BACK = ("ErrorMessage", "GetDDSInfo", "SetMaxThreads")


# ---------------------------------------------------------------------- the loaded library


class Library:
    """The loaded library, with the numbers of its threads that are free."""

    def __init__(self, path: str) -> None:
        self.path = path
        self._calls = _open(path)
        # Without this the library has no memory to search with, and crashes.
        self._calls.SetMaxThreads(0)
        info = InfoRecord()
        self._calls.GetDDSInfo(info)
        self.version: str = info.versionString.decode()
        self.threads = max(1, info.noOfThreads)
        self._free: SimpleQueue[int] = SimpleQueue()
        self._give_back(range(self.threads))
        self._collecting = Lock()

    def call(self, name: str, *arguments: Any) -> None:
        """Call a function that says whether it went well; ``SolverError`` if not."""
        code = getattr(self._calls, name)(*arguments)
        if code != 1:
            raise SolverError(f"the DDS library could not answer: {self._message(code)} (code {code})")

    @contextmanager
    def one_thread(self) -> Iterator[int]:
        """The number of a thread that nobody else uses meanwhile."""
        number = self._free.get()
        try:
            yield number
        finally:
            self._free.put(number)

    @contextmanager
    def all_threads(self) -> Iterator[None]:
        """The whole library for oneself."""
        numbers: list[int] = []
        try:
            # Two that collect at once would each wait for what the other has.
            with self._collecting:
                while len(numbers) < self.threads:
                    numbers.append(self._free.get())
            yield
        finally:
            self._give_back(numbers)

    def _give_back(self, numbers: Iterable[int]) -> None:
        for number in numbers:
            self._free.put(number)

    def _message(self, code: int) -> str:
        text: Array[c_char] = create_string_buffer(80)
        self._calls.ErrorMessage(code, text)
        return text.value.decode()


def load(path: str | os.PathLike[str] | None = None) -> Library:
    """The library, which a process loads once; ``InputError`` if there is none."""
    with _LOADING:
        return _load_once(find(path))


def find(path: str | os.PathLike[str] | None = None) -> str:
    """Where the library is; ``InputError`` that says how to get it if it is nowhere.

    >>> find("no_such_library")
    Traceback (most recent call last):
    worldwise.errors.InputError: expected the DDS library, found no file 'no_such_library'
    """
    given = path or os.environ.get(VARIABLE)
    if given:
        if not Path(given).is_file():
            raise InputError(f"expected the DDS library, found no file {os.fspath(given)!r}")
        return str(Path(given).resolve())
    found = _inside_endplay() or find_library("dds")
    if found is None:
        raise InputError(
            f"the DDS library is not installed: pip install 'worldwise[bridge]', or set {VARIABLE} to its path"
        )
    return found


_LOADING = Lock()


@cache
def _load_once(path: str) -> Library:
    return Library(path)


def _inside_endplay() -> str | None:
    spec = find_spec("endplay")
    folders = (spec and spec.submodule_search_locations) or ()
    files = (file for folder in folders for file in sorted(Path(folder, "_dds").glob("*dds.*")))
    return next((str(file) for file in files if file.suffix in (".so", ".dylib", ".dll")), None)


def _open(path: str) -> Any:
    """The library's functions, typed."""
    try:
        calls = CDLL(path)
        for name, types in _CALLS.items():
            call = getattr(calls, name)
            call.argtypes = types
            call.restype = None if name in _NOTHING_BACK else c_int
    except (OSError, AttributeError) as error:
        raise InputError(f"expected the DDS library, version 2.9, found {path!r}: {error}") from None
    return calls
