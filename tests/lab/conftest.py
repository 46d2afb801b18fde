"""The laboratory's command line, where there is no experiment but the coin."""

import subprocess
import sys

import pytest

import lab_coin
import worldwise.cli.main


@pytest.fixture
def here(monkeypatch, capsys):
    """The same command line within this process, which is quicker."""

    def run(*arguments, out=None):
        where = ("--out", out) if out else ()
        monkeypatch.setattr(sys, "argv", ["worldwise", "lab", *map(str, (*arguments, *where))])
        with pytest.raises(SystemExit) as left:
            worldwise.cli.main.main()
        printed = capsys.readouterr()
        return subprocess.CompletedProcess(arguments, left.value.code, printed.out, printed.err)

    monkeypatch.setattr("worldwise.lab.papers.EXPERIMENTS", lab_coin.NOTHING_ELSE)
    monkeypatch.setenv("COLUMNS", "140")
    monkeypatch.setenv("NO_COLOR", "1")
    return run
