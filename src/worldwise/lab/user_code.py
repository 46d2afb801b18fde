"""What users bring along, by the place where it stands: ``mymodule:MySearch`` or ``folder/file.py:MySearch``.

A place is a text, so it goes to other processes and machines, and what stands there is loaded where it is needed. What
goes wrong in somebody's own code is told in one line, with the line of their file.
"""

from __future__ import annotations

import re
import sys
import traceback
from contextlib import contextmanager
from hashlib import sha256
from importlib import import_module
from importlib.machinery import SourceFileLoader
from importlib.util import module_from_spec, spec_from_file_location
from inspect import signature
from pathlib import Path
from types import CodeType, FunctionType, ModuleType
from typing import TYPE_CHECKING, Any, cast

from worldwise.core.game import AnyWorldGame, WorldGame
from worldwise.errors import InputError, UnknownNameError
from worldwise.search.random_ties import FIRST, Ties

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from worldwise.core.result import Searcher

FILE = ".py"

_MODULE = re.compile(r"[^\W\d]\w*(\.[^\W\d]\w*)*")


def is_place(text: str) -> bool:
    """Whether a text names something of the user's own: no id of an experiment has a colon.

    >>> is_place("mylab.py:EXPERIMENT"), is_place("fb01/fig-7")
    (True, False)
    """
    return ":" in text


def load_object(place: str) -> Any:
    """What stands at a place: under a name in a module, or in a file; ``InputError`` if there is no such thing.

    >>> load_object("worldwise.search.exact:Exact").__name__
    'Exact'
    """
    source, name = split_place(place)
    module = _load_file(place) if source.endswith(FILE) else _load_module(source)
    if not hasattr(module, name):
        raise UnknownNameError(f"name in {source}", name, _own_names(module))
    return getattr(module, name)


def split_place(place: str) -> tuple[str, str]:
    """The module or file, and the name in it.

    >>> split_place("labs/coin.py:COIN")
    ('labs/coin.py', 'COIN')
    """
    source, _, name = place.rpartition(":")
    if not name.isidentifier() or not (source.endswith(FILE) or _MODULE.fullmatch(source)):
        raise InputError(f"expected MODULE:NAME or FILE.py:NAME, found {place!r:.80}")
    return source, name


def absolute(place: str) -> str:
    """The same place for a process that runs in another folder."""
    source, name = split_place(place)
    return f"{_path(source)}:{name}" if source.endswith(FILE) else place


def _path(source: str) -> Path:
    return Path(source).expanduser().resolve()


class _SourceLoader(SourceFileLoader):
    """Always compiles the source: Python's cache takes two files of one second and one size for the same."""

    def get_code(self, fullname: str) -> CodeType:  # noqa: ARG002
        """The code of the file as it is now."""
        return self.source_to_code(self.get_data(self.path), self.path)


def _load_file(place: str) -> ModuleType:
    """A file as a module; one that has changed is loaded anew."""
    source, _ = split_place(place)
    path = _path(source)
    try:
        fingerprint = sha256(bytes(path) + path.read_bytes()).hexdigest()[:16]
    except OSError as error:
        raise InputError(f"{source}: {error.strerror}") from None
    name = f"_{path.stem}_{fingerprint}"
    if name not in sys.modules:
        _make_importable(path.parent)
        spec = spec_from_file_location(name, path, loader=_SourceLoader(name, str(path)))
        assert spec is not None
        assert spec.loader is not None
        sys.modules[name] = module_from_spec(spec)  # before it runs: dataclasses look for their module
        try:
            with blame(place):
                spec.loader.exec_module(sys.modules[name])
        except InputError:
            del sys.modules[name]
            raise
    return sys.modules[name]


def _load_module(source: str) -> ModuleType:
    _make_importable(Path.cwd())
    try:
        return import_module(source)
    except ModuleNotFoundError as error:
        if not f"{source}.".startswith(f"{error.name}."):
            raise InputError(f"{source} could not be imported: {error}") from None
        raise InputError(f"no module {source!r}, neither in {Path.cwd()} nor installed") from None
    except Exception as error:
        raise InputError(f"{source} could not be imported: {type(error).__name__}: {error}") from None


def _make_importable(folder: Path) -> None:
    """Last, so that nobody's ``random.py`` takes the place of Python's."""
    if str(folder) not in sys.path:
        sys.path.append(str(folder))


def _own_names(module: ModuleType) -> list[str]:
    """What a module defines itself, and not what it imports."""
    found = {name: value for name, value in vars(module).items() if not name.startswith("_")}
    found.pop("TYPE_CHECKING", None)
    return [name for name, value in found.items() if not _is_imported(value, module)]


def _is_imported(value: object, module: ModuleType) -> bool:
    if isinstance(value, type | FunctionType):
        return value.__module__ != module.__name__
    return isinstance(value, ModuleType)


# ---------------------------------------------------------------------- what stands there


def ready_object(place: str, wanted: str, fits: Callable[[object], bool], **options: Any) -> Any:
    """What stands at a place, if it fits; a class is called, with those of the options that it has a name for.

    >>> ready_object("worldwise.search.exact:Exact", "a searcher", lambda one: hasattr(one, "search")).name
    'exact'
    >>> ready_object("math:pi", "a searcher", lambda one: hasattr(one, "search"))
    Traceback (most recent call last):
    worldwise.errors.InputError: math:pi: expected a searcher, found 3.141592653589793
    """
    found = load_object(place)
    if isinstance(found, type):
        known = {name: value for name, value in options.items() if name in getattr(found, "__dataclass_fields__", ())}
        with blame(place):
            found = found(**known)
    if not fits(found):
        raise InputError(f"{place}: expected {wanted}, found {found!r:.80}")
    return found


def ready_searcher(place: str, ties: Ties = FIRST) -> Searcher:
    """The searcher at a place; a class that has ``ties`` breaks them as it is told.

    >>> ready_searcher("worldwise.search.exact:Exact").name
    'exact'
    """
    wanted = "a searcher, with a method search(game, limit)"
    found = ready_object(place, wanted, lambda one: callable(getattr(one, "search", None)), ties=ties)
    return cast("Searcher", found)


def ready_game(place: str, seed: int = 0) -> AnyWorldGame:
    """The game at a place: a class or a function makes one, by the seed if it has a parameter of that name.

    >>> ready_game("math:pi")
    Traceback (most recent call last):
    worldwise.errors.InputError: math:pi: expected a WorldGame, or what makes one, found 3.141592653589793
    """
    found = load_object(place)
    if isinstance(found, type | FunctionType):
        with blame(place):
            found = found(**({"seed": seed} if "seed" in signature(found).parameters else {}))
    if not isinstance(found, WorldGame):
        raise InputError(f"{place}: expected a WorldGame, or what makes one, found {found!r:.80}")
    return found


def source_of(place: str) -> Path | None:
    """The file that a place is in; None if it has none, or has not been loaded."""
    source, _ = split_place(place)
    file = _path(source) if source.endswith(FILE) else getattr(sys.modules.get(source), "__file__", None)
    return Path(file) if file else None


def fingerprint_of(place: str) -> str:
    """Of the file that a place is in, empty if it has none; what the file imports is not looked at."""
    source = source_of(place)
    return sha256(source.read_bytes()).hexdigest()[:16] if source else ""


@contextmanager
def blame(place: str) -> Iterator[None]:
    """Whatever fails within is the fault of what stands at a place, and told with the line of its file."""
    source = source_of(place)
    try:
        yield
    except (Exception, SystemExit) as error:
        frames = traceback.extract_tb(error.__traceback__)
        lines = [frame.lineno for frame in frames if source and Path(frame.filename) == source]
        if isinstance(error, SyntaxError):
            lines.append(error.lineno)
        where = f" in line {lines[-1]}" if lines else ""
        said = next(iter(str(error).splitlines()), "")
        if isinstance(error, InputError) and not lines:  # said by us, of what the place gave
            raise InputError(f"{place}: {said}") from error
        raise InputError(f"{place} failed{where}: {type(error).__name__}: {said}") from error
