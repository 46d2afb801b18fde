"""Commands in processes of their own, without the second that Python and its imports take: forked from this one.

A child has its own folder, environment and files, and ends with its own exit code, so nothing of it is left behind.
Where there is no fork, an interpreter is started as users do.
"""

import io
import os
import subprocess
import sys
import tempfile
import warnings
from dataclasses import dataclass
from importlib import import_module
from time import monotonic, sleep

from patience import PATIENCE
from worldwise.cli import main as cli

# The command line imports a command when it is asked for; here every child would do so anew.
for place in cli.MainGroup.places.values():
    import_module(place.module)


@dataclass(frozen=True)
class Finished:
    """What a process has printed, and its exit code."""

    returncode: int
    stdout: str
    stderr: str


def worldwise(*arguments, stdin=b"", cwd=None, environment=None, together=False):
    """Run a command; with ``together`` errors are printed among the rest."""
    environment = dict(os.environ) if environment is None else environment
    run = _forked if hasattr(os, "fork") else _started
    return run([*map(str, arguments)], stdin, cwd or os.getcwd(), environment, together)


def _started(arguments, stdin, cwd, environment, together):
    done = subprocess.run(
        [sys.executable, "-m", "worldwise", *arguments],
        input=stdin,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT if together else subprocess.PIPE,
        cwd=cwd,
        env=environment,
        timeout=PATIENCE,
        check=False,
    )
    return Finished(done.returncode, done.stdout.decode("utf-8"), (done.stderr or b"").decode("utf-8"))


def _forked(arguments, stdin, cwd, environment, together):
    with tempfile.TemporaryFile() as given, tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        given.write(stdin)
        given.seek(0)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # later Pythons warn that a child has none of its parent's threads
            child = os.fork()
        if child == 0:
            _be_the_child(arguments, (given, out, out if together else err), cwd, environment)
        code = _exit_code(child)
        texts = []
        for file in (out, err):
            file.seek(0)
            texts.append(file.read().decode("utf-8"))
        return Finished(code, *texts)


def _be_the_child(arguments, files, cwd, environment):
    """Never returns."""
    code = 70
    try:
        os.chdir(cwd)
        os.environ.clear()
        os.environ.update(environment)
        for place, file in enumerate(files):
            os.dup2(file.fileno(), place)
        encoding = environment.get("PYTHONIOENCODING", "utf-8")
        sys.stdin = io.TextIOWrapper(io.BufferedReader(io.FileIO(0, closefd=False)), encoding=encoding)
        sys.stdout = io.TextIOWrapper(io.BufferedWriter(io.FileIO(1, "w", closefd=False)), encoding=encoding)
        sys.stderr = io.TextIOWrapper(
            io.BufferedWriter(io.FileIO(2, "w", closefd=False)), encoding=encoding, errors="backslashreplace"
        )
        sys.argv = ["worldwise", *arguments]
        code = _code_of_main()
        sys.stdout.flush()
        sys.stderr.flush()
    finally:
        os._exit(code)


def _code_of_main():
    try:
        cli.main()
    except SystemExit as end:
        return end.code or 0
    return 0


def _exit_code(child):
    end = monotonic() + PATIENCE
    while monotonic() < end:
        found, status = os.waitpid(child, os.WNOHANG)
        if found:
            return os.waitstatus_to_exitcode(status)
        sleep(0.005)
    os.kill(child, 9)
    os.waitpid(child, 0)
    raise TimeoutError(f"a command took longer than {PATIENCE} seconds")
