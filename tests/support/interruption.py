"""A real Ctrl-C: a command in a process of its own, interrupted once it has kept some rows."""

import os
import signal
import subprocess
import sys
import time
from contextlib import contextmanager

from patience import PATIENCE

START = """
import signal
signal.signal(signal.SIGINT, signal.default_int_handler)
if hasattr(signal, "SIGHUP"):
    signal.signal(signal.SIGHUP, signal.SIG_DFL)
from worldwise.cli.main import main
main()
"""


def command_that_hears(*arguments):
    """A command that hears Ctrl-C and hang-ups, even if whoever started the tests ignores them.

    A child inherits what is ignored, as from nohup or a job in the background, and rightly goes on ignoring it.
    """
    return [sys.executable, "-c", START, *map(str, arguments)]


@contextmanager
def hearing_ctrl_c():
    """This process hears Ctrl-C, even if whoever started it ignores that."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def interrupted(arguments, folder, rows):
    """The exit code and the last words of a command that has written two lines to a file of the folder."""
    command, environment = command_that_hears(*arguments), {**os.environ, "PYTHONUTF8": "1"}
    with subprocess.Popen(command, cwd=folder, stderr=subprocess.PIPE, env=environment) as process:
        try:
            wait_for_lines(folder / rows)
            process.send_signal(signal.SIGINT)
            _, errors = process.communicate(timeout=PATIENCE)
        finally:
            process.kill()  # nothing is left behind, whatever went wrong
    return process.returncode, errors.decode()


def wait_for_lines(rows):
    end = time.monotonic() + PATIENCE
    while not rows.exists() or rows.read_bytes().count(b"\n") < 2:
        assert time.monotonic() < end, f"no rows in {rows}"
        time.sleep(0.05)
