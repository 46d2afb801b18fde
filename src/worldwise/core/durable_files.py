"""Files that survive a kill and a power cut, and that two processes never write at once.

A whole file is written beside its place, forced to the disk, and only then takes its name: whoever reads it finds the
old content or the new, never a part. A link keeps pointing where it did: its target is written. Pipes, devices and the
program's own output are written straight through. A lock belongs to a process and goes with it, however that ends.
"""

from __future__ import annotations

import errno
import os
import stat
import sys
from contextlib import contextmanager, suppress
from glob import escape
from hashlib import sha256
from pathlib import Path
from secrets import token_hex
from shutil import copymode
from typing import IO, TYPE_CHECKING

from worldwise.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterator

PRIVATE_FILE, PRIVATE_FOLDER = 0o600, 0o700
"""For their owner alone."""


def checksum(data: bytes) -> str:
    """Sixteen digits that tell damaged bytes from whole ones; no protection against a forger.

    >>> checksum(b"e2e4"), checksum(b"e2e5")
    ('3e8db43daed3851a', '8615ef6da04138ba')
    """
    return sha256(data).hexdigest()[:16]


# ---------------------------------------------------------------------- writing


def write_file(path: Path, data: bytes | str, *, private: bool = False) -> None:
    """Write a file whole or not at all, whatever interrupts it; when this returns it is on the disk."""
    with open_to_write(path, private=private) as file:
        file.write(data.encode() if isinstance(data, str) else data)


def write_into(folder: Path, name: str, data: bytes | str) -> Path:
    """The same in a folder that is made if it is not there; where the file is."""
    with _tell_refusals(folder):
        make_folder(folder)
    write_file(folder / name, data)
    return folder / name


@contextmanager
def _tell_refusals(path: Path) -> Iterator[None]:
    """What the system refuses is told as bad input, by the path that was asked for."""
    try:
        yield
    except OSError as error:
        raise InputError(f"{path}: {error.strerror}") from None


@contextmanager
def open_to_write(path: Path, *, private: bool = False) -> Iterator[IO[bytes]]:
    """A file to write to, which takes the place of another when this is left, and is on the disk then.

    If anything goes wrong meanwhile, the file that was there stays as it was. What is no regular file is never
    replaced: a pipe or a device gets what is written as it comes.
    """
    with (
        _tell_refusals(path),
        _pass_through(path) if is_passed_through(path) else _replace(path, private=private) as file,
    ):
        yield file


def is_passed_through(path: Path) -> bool:
    """Whether writing goes to what is there, a pipe, a device or our own output, instead of replacing it."""
    try:
        there = path.stat()
    except FileNotFoundError:
        return False
    return not stat.S_ISREG(there.st_mode) or _own_output(path) is not None


def _own_output(path: Path) -> int | None:
    """The descriptor, if this is where the process prints: two that write to one file must share their place in it."""
    for descriptor in (1, 2):
        with suppress(OSError):
            if os.path.samestat(os.fstat(descriptor), path.stat()):
                return descriptor
    return None


@contextmanager
def _pass_through(path: Path) -> Iterator[IO[bytes]]:
    own = _own_output(path)
    with open(path if own is None else os.dup(own), "wb") as file:
        yield file
        file.flush()
        _sync(file.fileno())


@contextmanager
def _replace(path: Path, *, private: bool) -> Iterator[IO[bytes]]:
    target = Path(os.path.realpath(path))  # a link stays one
    part = part_of(target)
    try:
        with open(part, "xb", opener=_open_private if private else None) as file:
            with suppress(FileNotFoundError):
                copymode(target, part)  # what was private stays so
            yield file
            file.flush()
            os.fsync(file.fileno())
        part.replace(target)
        sync_folder(target.parent)
    finally:
        with suppress(OSError):
            part.unlink(missing_ok=True)


def _sync(handle: int) -> None:
    """Force to the disk what can be: pipes have none, and some file systems cannot do it for folders."""
    try:
        os.fsync(handle)
    except OSError as error:
        if error.errno not in (errno.EINVAL, errno.ENOTSUP, errno.EROFS):
            raise


def part_of(path: Path) -> Path:
    """Where a file is written before it takes its place; another one each time, for two may write at once."""
    return path.with_name(f".{path.name}.{token_hex(4)}.part")


def remove_parts(folder: Path, name: str) -> None:
    """Remove what processes that were killed have left of a file; nobody may be writing it."""
    for part in folder.glob(f".{name}.????????.part"):
        part.unlink(missing_ok=True)


def _open_private(name: str, flags: int) -> int:
    return os.open(name, flags, PRIVATE_FILE)


def make_folder(folder: Path, *, private: bool = False) -> None:
    """Make a folder, and those above it; each is on the disk when this returns."""
    missing = [one for one in (folder, *folder.parents) if not one.exists()]
    for one in reversed(missing):
        one.mkdir(PRIVATE_FOLDER if private else 0o777, exist_ok=True)
        sync_folder(one.parent)
    if not folder.is_dir():
        raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR), str(folder))


# ---------------------------------------------------------------------- locking


def open_locked(path: Path, guarded: Path | None = None) -> IO[bytes]:
    """A file to read and to append to, its folder being made; ``InputError`` while another process has it so.

    It may stand for another file that it guards, which the error names.
    """
    while True:
        file = _open(path)
        try:
            _lock(file, guarded or path)
            if _is_at(file, path):
                return file
        except BaseException:
            file.close()
            raise
        file.close()  # it was replaced or removed before the lock was ours: what is there now counts


@contextmanager
def hold_lock(path: Path) -> Iterator[None]:
    """A file that is replaced again and again is nobody else's meanwhile; ``InputError`` if it is.

    A small file beside it is locked, since the file itself is another one after each writing.
    """
    target = Path(os.path.realpath(path))  # so that two names of one file have one lock
    beside = target.with_name(f".{target.name}.lock")
    file = open_locked(beside, path)
    try:
        remove_parts(target.parent, escape(target.name))
        yield
    finally:
        if sys.platform == "win32":
            file.close()  # there nobody can remove what is open
        with suppress(OSError):
            beside.unlink()
        file.close()


def check_regular(path: Path) -> None:
    """Refuse a pipe or a device, which cannot be read from its start: some wait for ever, some never end."""
    if path.exists() and not (path.is_file() or path.is_dir()):
        raise InputError(f"{path}: expected a regular file, found a pipe, a device or the like")


def _open(path: Path) -> IO[bytes]:
    check_regular(path)
    with _tell_refusals(path):
        make_folder(path.parent)
        file = path.open("a+b", buffering=0)  # what is interrupted is not written later, out of turn
    file.seek(0)
    return file


def _is_at(file: IO[bytes], path: Path) -> bool:
    try:
        return os.path.samestat(os.fstat(file.fileno()), path.stat())
    except FileNotFoundError:
        return False


def _taken_error(path: Path) -> InputError:
    return InputError(f"{path}: another process is writing to this file; wait for it, or write to another place")


if sys.platform == "win32":
    import msvcrt

    def _lock(file: IO[bytes], path: Path) -> None:
        """Lock a byte far behind the end, so that others can read meanwhile."""
        file.seek(2**40)
        try:
            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
        except OSError:
            raise _taken_error(path) from None
        file.seek(0)

    def sync_folder(folder: Path) -> None:
        """Folders cannot be synchronised here."""

else:
    import fcntl

    def _lock(file: IO[bytes], path: Path) -> None:
        """Lock the file itself: the lock goes with the process, however that ends."""
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise _taken_error(path) from None
        except OSError as error:
            raise InputError(f"{path}: expected a file that can be locked, found {error.strerror}") from None

    def sync_folder(folder: Path) -> None:
        """A new name of a file is only safe once the folder that has it is."""
        handle = os.open(folder, os.O_RDONLY)
        try:
            _sync(handle)
        finally:
            os.close(handle)
