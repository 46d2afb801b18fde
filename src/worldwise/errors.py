"""Everything worldwise raises on purpose, in one picture.

::

    WorldwiseError
    ├── InputError          bad input: what was expected, what was found, where (``PlacedError`` has it as ``place``)
    │   ├── TreeError       a possible-world tree that breaks a rule
    │   ├── GameError       an extensive-form game, or a file of one, that breaks a rule
    │   └── UnknownNameError   no algorithm, catalog entry ... of that name
    ├── TooDeepError        deeper than the Python passes can recurse
    ├── SolverError         a solver that is not ours, such as DDS, refused a question
    ├── TooManyBoardsError  more boards fit what was heard than were allowed
    └── LimitReachedError   a limit ran out before there was any answer

The command line turns an ``InputError`` into exit code 2, the others into exit code 1.
"""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from difflib import get_close_matches

LONGEST_NAME = 200
"""Characters of an unknown name that an error repeats."""


class WorldwiseError(Exception):
    """The root of the tree above."""


class InputError(WorldwiseError):
    """Bad input; the message says what was expected, what was found and where."""


class PlacedError(InputError):
    """A fault at a known ``place``."""

    def __init__(self, message: str, place: str = "") -> None:
        super().__init__(f"{place}: {message}" if place else message)
        self.place = place


@contextmanager
def say_where(place: str) -> Iterator[None]:
    """Say where an error is, in front of what it says itself, unless it begins with that.

    >>> with say_where("line 7"):
    ...     raise InputError("expected a card, found 'H1'")
    Traceback (most recent call last):
    worldwise.errors.PlacedError: line 7: expected a card, found 'H1'
    """
    try:
        yield
    except InputError as error:
        if str(error).startswith(place):
            raise
        raise PlacedError(str(error), place) from None


def expect_at_least_one(what: str, number: object) -> None:
    """Refuse what is no whole number from 1 on.

    >>> expect_at_least_one("a depth", 0)
    Traceback (most recent call last):
    worldwise.errors.InputError: expected a depth of at least 1, found 0
    """
    if not isinstance(number, int) or number < 1:
        raise InputError(f"expected {what} of at least 1, found {_number_text(number)}")


def expect_whole(what: str, number: object, least: int, most: int) -> None:
    """Refuse what is no whole number within bounds.

    >>> expect_whole("columns", 1.5, 1, 100)
    Traceback (most recent call last):
    worldwise.errors.InputError: expected columns to be a whole number from 1 to 100, found 1.5
    """
    if not isinstance(number, int) or not least <= number <= most:
        raise InputError(
            f"expected {what} to be a whole number from {least:,} to {most:,}, found {_number_text(number)}"
        )


def _name_text(name: str) -> str:
    """What somebody took for a name; of a whole file that is taken for one, the beginning."""
    return repr(name) if len(name) <= LONGEST_NAME else f"{name[:LONGEST_NAME]!r}..."


def _number_text(number: object) -> str:
    """What somebody took for a number; Python itself refuses to write out the longest ones."""
    is_long = isinstance(number, int) and number.bit_length() > 64
    return f"one of {number.bit_length():,} bits" if is_long else repr(number)[:100]  # type: ignore[attr-defined]


@contextmanager
def refuse_failures(what: str) -> Iterator[None]:
    """Whatever fails on values that come from a file is bad input: somebody may have changed them.

    >>> with refuse_failures("the row of a game"):
    ...     {"mate": 1}["bored"]
    Traceback (most recent call last):
    worldwise.errors.InputError: expected the row of a game, found something else (KeyError: 'bored')
    """
    try:
        yield
    except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as error:
        found = f"something else ({type(error).__name__}: {error})"
        raise InputError(f"expected {what}, found {found}") from error


class TreeError(PlacedError):
    """A possible-world tree that breaks a rule; ``place`` is the path of the fault."""


class GameError(PlacedError):
    """An extensive-form game that breaks a rule; ``place`` is the path, or the line of the file."""


MOST_NAMES = 60
"""Names that an error lists."""

FAR = 0.2
"""How little a name may resemble one of a long list and still be among its nearest three."""


class UnknownNameError(InputError):
    """A name that is not in the list it should be in; the nearest are named, and all if they are not too many.

    >>> raise UnknownNameError("algorithm", "ivn", ["ivm", "prm"])
    Traceback (most recent call last):
    worldwise.errors.UnknownNameError: unknown algorithm 'ivn' (did you mean 'ivm'?); known: ivm, prm
    """

    def __init__(self, kind: str, name: str, known: Iterable[str]) -> None:
        names = list(known)
        few = len(names) <= MOST_NAMES
        close = get_close_matches(name, names, n=1, cutoff=0.6) if few else get_close_matches(name, names, 3, FAR)
        hint = f" (did you mean {' or '.join(map(repr, close))}?)" if close else ""
        known_words = f"known: {', '.join(names)}" if few else f"{len(names)} are known"
        super().__init__(f"unknown {kind} {_name_text(name)}{hint}; {known_words}")


class TooDeepError(WorldwiseError):
    """The game is deeper than Python recursion reaches; the compiled kernels have no such bound."""

    def __init__(self) -> None:
        super().__init__(
            "the game is deeper than Python can recurse: install worldwise with a C++ compiler "
            "(compiled tree searches have no such bound) or raise sys.setrecursionlimit"
        )


@contextmanager
def deep() -> Iterator[None]:
    """Turns Python's recursion error into ours."""
    try:
        yield
    except RecursionError:
        raise TooDeepError from None


class SolverError(WorldwiseError):
    """A library that solves for us refused a question which should have been good."""


class TooManyBoardsError(WorldwiseError):
    """More boards fit what a kriegspiel player has heard than he is ready to hold."""

    def __init__(self, most: int) -> None:
        super().__init__(f"more than {most:,} boards fit")


class LimitReachedError(WorldwiseError):
    """The limit ran out before there was any answer to give."""

    def __init__(self, algorithm: str, limit: object) -> None:
        super().__init__(f"{algorithm} found no answer within {limit}")
