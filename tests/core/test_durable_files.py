"""What is written to: a file is replaced whole, a link stays a link, and a pipe or a socket stays what it is."""

import errno
import os
import socket
import stat
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import pytest

from worldwise import extensive
from worldwise.catalog import game
from worldwise.core import durable_files
from worldwise.core.durable_files import open_locked, open_to_write, write_file
from worldwise.errors import InputError
from worldwise.runs.row_files import read_file

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="pipes and sockets have no names there")


@pytest.fixture
def pipe(tmp_path):
    path = tmp_path / "pipe"
    os.mkfifo(path)
    return path


@pytest.fixture
def bound(tmp_path, monkeypatch):
    """A socket with a name; the name is short, as the system wants it."""
    monkeypatch.chdir(tmp_path)
    with socket.socket(socket.AF_UNIX) as server:
        server.bind("socket")
        yield tmp_path / "socket"


@pytest.mark.parametrize("write", [write_file, lambda path, _: extensive.write_efg(game("bmv96/fig-2-g2"), path)])
def test_a_pipe_gets_what_is_written_and_stays_a_pipe(pipe, tmp_path, write):
    write(tmp_path / "file", "drawn\n")
    with ThreadPoolExecutor(1) as reader:
        found = reader.submit(pipe.read_bytes)
        write(pipe, "drawn\n")
        assert found.result(20) == (tmp_path / "file").read_bytes()
    assert stat.S_ISFIFO(pipe.stat().st_mode)


def test_a_reader_that_leaves_is_an_error_of_ours(pipe):
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    opened = open_to_write(pipe)
    opened.__enter__().write(b"drawn\n")
    os.close(reader)
    with pytest.raises(InputError, match="pipe: Broken pipe"):
        opened.__exit__(None, None, None)
    assert stat.S_ISFIFO(pipe.stat().st_mode)


def test_what_has_no_room_left_is_an_error_of_ours(pipe, monkeypatch):
    def refuse(_handle):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "fsync", refuse)
    with ThreadPoolExecutor(1) as reader:
        reader.submit(pipe.read_bytes)
        with pytest.raises(InputError, match="pipe: No space left on device"):
            write_file(pipe, b"drawn\n")


def test_a_socket_stays_one_and_is_refused(bound):
    with pytest.raises(InputError, match=r"socket: \w"):
        write_file(bound, b"drawn\n")
    assert stat.S_ISSOCK(bound.stat().st_mode)


def test_a_folder_is_refused(tmp_path):
    (tmp_path / "folder").mkdir()
    with pytest.raises(InputError, match="folder: Is a directory"):
        write_file(tmp_path / "folder", b"drawn\n")


@pytest.mark.parametrize("there", [True, False])
def test_a_link_stays_one_and_its_target_is_written(tmp_path, there):
    link, target = tmp_path / "link", tmp_path / "elsewhere" / "file"
    target.parent.mkdir()
    if there:
        target.write_text("old")
    link.symlink_to(target)
    write_file(link, "new")
    assert (link.readlink(), target.read_text()) == (target, "new")
    assert sorted(path.name for path in tmp_path.rglob("*")) == ["elsewhere", "file", "link"]


def test_a_link_to_a_pipe_leaves_both(pipe, tmp_path):
    link = tmp_path / "link"
    link.symlink_to(pipe)
    with ThreadPoolExecutor(1) as reader:
        found = reader.submit(pipe.read_bytes)
        write_file(link, "new")
        assert found.result(20) == b"new"
    assert (link.readlink(), stat.S_ISFIFO(pipe.stat().st_mode)) == (pipe, True)


def test_links_in_a_circle_are_refused_and_stay(tmp_path):
    link = tmp_path / "link"
    link.symlink_to(link)
    with pytest.raises(InputError, match="link: "):
        write_file(link, "new")
    assert link.readlink() == link


def test_a_file_is_replaced_whole(tmp_path):
    path = tmp_path / "file"
    path.write_text("old")
    with path.open() as opened:
        write_file(path, "new")
        assert (opened.read(), path.read_text()) == ("old", "new")


WRITE_AND_PRINT = """
import sys
from pathlib import Path
from worldwise.core.durable_files import write_file
print("first", flush=True)
write_file(Path(sys.argv[1]), "drawn\\n")
print("last", flush=True)
"""


def write_and_print(path, output):
    """A process that prints before and after it writes to a name of its own output."""
    return subprocess.run([sys.executable, "-c", WRITE_AND_PRINT, str(path)], stdout=output, check=True).stdout


@pytest.mark.skipif(not os.path.exists("/proc/self/fd/1"), reason="a process's own output has no name there")
def test_own_output_by_its_name():
    assert write_and_print("/proc/self/fd/1", subprocess.PIPE) == b"first\ndrawn\nlast\n"


def test_own_output_in_a_file_loses_nothing(tmp_path):
    with (tmp_path / "file").open("wb") as file:
        write_and_print(tmp_path / "file", file)
    assert (tmp_path / "file").read_text() == "first\ndrawn\nlast\n"


# ---------------------------------------------------------------------- what is read first, or appended to


@pytest.mark.parametrize("use", [open_locked, read_file])
def test_rows_are_not_kept_in_a_pipe(pipe, bound, use):
    """Reading a pipe would wait for a writer, and a device may never end."""
    for path in (pipe, bound):
        with pytest.raises(InputError, match="expected a regular file"):
            use(path)


def test_only_what_the_disk_refuses_to_force_is_passed_over(monkeypatch, tmp_path):
    def refuse(_handle):
        raise OSError(errno.EIO, os.strerror(errno.EIO))

    monkeypatch.setattr(os, "fsync", refuse)
    with pytest.raises(OSError, match="Input/output error"):
        durable_files.sync_folder(tmp_path)
