"""What every test may use: hypothesis profiles, each engine's twin, and a runner of commands."""

import io
import json
import os
import sys
from dataclasses import dataclass

import pytest
from hypothesis import HealthCheck, settings

from worldwise import cli
from worldwise.engines.trees import BUILT, SWITCH, CompiledTree

settings.register_profile("default", deadline=None, max_examples=60, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("quick", deadline=None, max_examples=10, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("thorough", deadline=None, max_examples=2000)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "default"))


@pytest.fixture(params=["python", "compiled"], scope="session")
def engine(request):
    """Turns a tree into what a searcher is given: the tree itself, or the tree with compiled passes."""
    if request.param == "python":
        return lambda tree: tree
    request.getfixturevalue("needs_kernels")
    return CompiledTree


@pytest.fixture(params=["python", "compiled"])
def kernels(request, monkeypatch):
    """Runs a test twice: with the kernels switched off, and with them."""
    if request.param == "python":
        monkeypatch.setenv(SWITCH, "off")
    else:
        request.getfixturevalue("needs_kernels")


@pytest.fixture(scope="session")
def needs_kernels():
    """Skips a test where the kernels were not built; where they must be, fails."""
    if not BUILT and os.environ.get("WORLDWISE_REQUIRE_KERNELS"):
        pytest.fail("the compiled kernels must be built here, and were not")
    if not BUILT:
        pytest.skip("the compiled kernels were not built on this machine")


@dataclass(frozen=True)
class Done:
    """What a command has done."""

    returncode: int
    stdout: str
    stderr: str

    @property
    def json(self):
        return json.loads(self.stdout)


@pytest.fixture
def worldwise_command(monkeypatch, capsys, tmp_path):
    """Runs a command in this process and an empty folder, in a hundredth of the time of a process of its own."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "120")

    def call(*arguments, stdin=""):
        content = stdin if isinstance(stdin, bytes) else stdin.encode()
        monkeypatch.setattr(sys, "argv", ["worldwise", *map(str, arguments)])
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(content), encoding="utf-8"))
        with pytest.raises(SystemExit) as end:
            cli.main()
        return Done(end.value.code, *capsys.readouterr())

    return call
