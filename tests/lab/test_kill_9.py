"""Runs until decided, killed at random moments: no row lost or doubled, and the verdicts of a run left alone.

``KILLED_RUNS=20 pytest tests/lab/test_kill_9.py`` does it twenty times with processes, and as often on Dask.
"""

import os
import random
import signal
import subprocess
import sys
import time
from contextlib import suppress
from itertools import islice
from pathlib import Path

import psutil
import pytest

from lab_coin import TOSSED
from patience import PATIENCE
from worldwise.lab.plan import Plan
from worldwise.lab.results import read_results
from worldwise.lab.sequential import decisions_of

TESTS = Path(__file__).parents[1]
PLAN = Plan(TOSSED, "laptop", until_decided=True)
PROGRAM = "import lab_coin; lab_coin.main({'coin/tossed': 'lab_coin:TOSSED'})"
POOL, DASK = ("--jobs", "2"), ("--cluster", "local", "--jobs", "2")
LONGEST = 6.0
"""Seconds within which a run is killed, once it has begun to write."""


def started(folder, options, milliseconds):
    command = [sys.executable, "-c", PROGRAM, "lab", "run", "coin/tossed", "--until-decided", "--quiet"]
    environment = {**os.environ, "PYTHONPATH": str(TESTS / "support"), "COIN_MS": str(milliseconds)}
    return subprocess.Popen(
        [*command, "--out", str(folder), *options],
        env=environment,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )


def kill_at_random(folder, options, dice, milliseconds):
    """Whether it was killed; it may have ended before."""
    with started(folder, options, milliseconds) as run:
        file, patience = folder / PLAN.file_name, time.monotonic() + PATIENCE
        while not file.exists() and run.poll() is None and time.monotonic() < patience:
            time.sleep(0.01)
        with suppress(subprocess.TimeoutExpired):
            run.wait(dice.uniform(0, LONGEST))
        killed = run.poll() is None
        helpers = psutil.Process(run.pid).children(recursive=True) if killed else []
        with suppress(ProcessLookupError):
            run.send_signal(signal.SIGKILL)
        run.wait()
        for helper in helpers:  # those of a cluster outlive their parent for a while
            with suppress(psutil.NoSuchProcess):
                helper.kill()
    psutil.wait_procs(helpers, timeout=PATIENCE)
    return killed


def left_alone():
    """What the rows of a run say that nobody disturbs; a row depends on its setting and seed alone."""
    rows = {pair: PLAN.task(pair).row for pairs in islice(PLAN.rounds(), 2000) for pair in pairs}
    return rows, decisions_of(PLAN, rows).verdicts


def check_killed(folder, options, seed, kills, milliseconds=10):
    """Kill a run so many times, resume it, and compare; how many kills found it alive."""
    dice, (rows, verdicts) = random.Random(seed), left_alone()
    hit = sum(kill_at_random(folder, options, dice, milliseconds) for _ in range(kills))
    with started(folder, options, 0) as run:
        errors = run.communicate(timeout=PATIENCE)[1]
        assert run.returncode == 0, errors
    results = read_results(PLAN, folder)
    assert (results.damage, results.complete, results.until_decided) == ("", True, True)
    assert results.verdicts == verdicts
    assert all(row == rows[pair] for pair, row in results.measured.items())
    lines = (folder / PLAN.file_name).read_bytes().splitlines()
    assert len(lines) == 1 + len(results.measured)  # none is there twice
    return hit


@pytest.mark.parametrize("seed", range(int(os.environ.get("KILLED_RUNS", "1"))))
@pytest.mark.parametrize("options", [POOL, DASK], ids=["pool", "dask"])
def test_killed_runs_decide_what_others_decide(tmp_path, options, seed):
    assert check_killed(tmp_path, options, seed, kills=2, milliseconds=40) >= 1
