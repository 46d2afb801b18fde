"""What every test may use: hypothesis profiles, each engine's twin, a runner of commands, and pages in a browser."""

import io
import json
import os
import sys
from dataclasses import dataclass
from urllib.parse import urljoin

import pytest
from hypothesis import HealthCheck, settings

from browser import Browser, find_chromium, served
from worldwise.cli import main as cli
from worldwise.kernels import BUILT, SWITCH
from worldwise.trees.compiled import CompiledTree

collect_ignore_glob = [] if BUILT else ["support/kernel_*.py"]  # examples there call the kernels

os.environ.setdefault("WORLDWISE_GAMES", "off")  # servers that tests start leave nothing in the user's folders

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
        content = stdin.encode() if isinstance(stdin, str) else stdin
        given = io.BytesIO(content) if isinstance(content, bytes) else content
        monkeypatch.setattr(sys, "argv", ["worldwise", *map(str, arguments)])
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(given, encoding="utf-8"))
        with pytest.raises(SystemExit) as end:
            cli.main()
        return Done(end.value.code, *capsys.readouterr())

    return call


@pytest.fixture(scope="session")
def chromium(tmp_path_factory):
    """A Chromium; skips a test where there is none, and where there must be one, as in CI, fails."""
    path = find_chromium()
    if path is None and os.environ.get("WORLDWISE_REQUIRE_BROWSER"):
        pytest.fail("expected a Chromium, found none: `make browser` installs Debian's")
    if path is None:
        pytest.skip("there is no Chromium on this machine; `make browser` installs Debian's")
    browser = Browser(path, tmp_path_factory.mktemp("chromium"))
    yield browser
    browser.close()


@pytest.fixture(scope="session")
def address():
    """Where the pages are; a module whose server needs options has its own."""
    with served() as address:
        yield address


@pytest.fixture
def open_page(request, chromium):
    """Opens pages; in the end none of them may have had anything to complain about, unless it was excused."""
    # Not before there is a Chromium: a server takes a second to start.
    address, pages = request.getfixturevalue("address"), []

    def go(path, **options):
        page = chromium.page(**options)
        pages.append(page)
        page.go(urljoin(address, path))
        return page

    yield go
    assert [fault for page in pages for fault in page.close()] == []
