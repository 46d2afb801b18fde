"""The rows that come with the package: packed without loss, whole, and in the place of nothing that was run here."""

import lzma
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lab_coin import COIN
from worldwise.errors import InputError
from worldwise.lab import results as lab_results
from worldwise.lab.papers import load_all
from worldwise.lab.plan import Plan, carry_out
from worldwise.lab.results import find_runs, packed_name, read_results, shipped_results
from worldwise.runs.job import Pair
from worldwise.runs.packed_rows import pack, unpack
from worldwise.runs.row_files import read_run
from worldwise.runs.rows import Setting
from worldwise.runs.runners import Serial

FILES = sorted(Path(str(lab_results.SHIPPED)).glob("*.xz"))
LARGEST = 1_500_000
SMOKE, LAPTOP = Plan(COIN, "smoke"), Plan(COIN, "laptop")

names = st.text("abc.-", min_size=1, max_size=3)
scalars = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text()
settings = st.dictionaries(names, scalars, max_size=3).map(lambda items: Setting(**items))


@given(
    st.dictionaries(
        st.builds(Pair, settings, st.integers(0, 3)), st.dictionaries(names, scalars, max_size=3), max_size=8
    )
)
def test_what_is_packed_comes_out_the_same(rows):
    """Types too: 1, 1.0 and True are equal in Python, and different rows."""
    provenance, found = unpack(pack({"version": "1"}, rows))
    assert provenance == {"version": "1"}
    told, given = ({(pair.setting.key, pair.number): repr(row) for pair, row in some.items()} for some in (found, rows))
    assert told == given


@pytest.fixture
def shipped_coin(tmp_path, monkeypatch):
    """A laptop run of the coin, shipped; where results are kept, there is nothing yet."""
    carry_out(LAPTOP, tmp_path, Serial())
    stored = read_run(tmp_path / LAPTOP.file_name, LAPTOP)
    shipped = tmp_path / "shipped"
    shipped.mkdir()
    (shipped / packed_name(LAPTOP)).write_bytes(pack(stored.provenance, stored.rows))
    monkeypatch.setattr(lab_results, "SHIPPED", shipped)
    return shipped / packed_name(LAPTOP)


def test_shipped_rows_are_the_rows_of_the_run(tmp_path, shipped_coin):
    shipped, run = shipped_results(COIN), read_results(LAPTOP, tmp_path)
    assert (shipped.rows, shipped.provenance, shipped.verdicts) == (run.rows, run.provenance, run.verdicts)
    assert (shipped.shipped, run.shipped) == (True, False)


def test_a_machine_that_has_run_nothing_has_something_to_show(tmp_path, shipped_coin, here):
    """Every command works where there is no folder of results yet; the two that write make it."""
    out = tmp_path / "not" / "there"
    for command in (("list",), ("verdicts",), ("compare", "coin/fig-1")):
        shown = here(*command, out=out)
        assert (shown.returncode, "shipped" in shown.stdout) == (0, True)
        assert not out.exists()
    for command in (("plot", "coin/fig-1"), ("report",)):
        assert here(*command, out=out).returncode == 0
    assert sorted(path.name for path in out.iterdir()) == [
        "coin-fig-1.png",
        "coin-fig-1.svg",
        "report.html",
        "report.md",
    ]


def test_a_folder_that_cannot_be_made_is_told(tmp_path, shipped_coin, here):
    (tmp_path / "file").write_text("")
    for command in (("plot", "coin/fig-1"), ("report",)):
        told = here(*command, out=tmp_path / "file" / "below")
        assert (told.returncode, told.stderr.count("\n")) == (2, 1)
        assert "Not a directory" in told.stderr


def test_a_run_of_this_machine_takes_the_place_of_what_is_shipped(tmp_path, shipped_coin):
    """Even a smaller one; asking for the scale that is shipped finds it again."""
    local = tmp_path / "lab-results"
    assert find_runs(COIN, local).best.shipped
    carry_out(SMOKE, local, Serial())
    assert find_runs(COIN, local).best.plan == SMOKE
    assert find_runs(COIN, local, "laptop").best.shipped
    assert find_runs(COIN, local, seed=1).best is None


def test_a_damaged_packed_file_is_told_and_nothing_of_it_is_believed(tmp_path, shipped_coin):
    data = bytearray(shipped_coin.read_bytes())
    for place in (0, len(data) // 2, len(data) - 40):
        data[place] ^= 1
        shipped_coin.write_bytes(data)
        found = find_runs(COIN, tmp_path / "nothing")
        assert (found.runs, len(found.faults)) == ((), 1)
        assert found.faults[0].startswith(f"{shipped_coin}: expected packed rows")
        data[place] ^= 1
    shipped_coin.write_bytes(lzma.compress(b"[]"))
    assert "expected packed rows" in find_runs(COIN, tmp_path / "nothing").faults[0]


def test_rows_of_another_revision_are_refused(tmp_path, shipped_coin, monkeypatch):
    stored = unpack(shipped_coin.read_bytes())
    shipped_coin.write_bytes(pack({**stored[0], "revision": 7}, stored[1]))
    with pytest.raises(InputError, match="expected revision 1, found 7"):
        shipped_results(COIN)


def test_everything_shipped_belongs_to_an_experiment_and_can_be_judged():
    """One file an experiment, as it is now: a revision that was raised wants a new run."""
    found = [results for experiment in load_all() if (results := shipped_results(experiment))]
    assert sorted(results.path for results in found) == FILES
    assert all(results.verdicts and results.summary.rows for results in found)


OPEN, OPEN_AT_KRIEGSPIEL = 5, 7
"""Claims that may be open, and those of kriegspiel, where a game takes minutes."""


UNDER_WAY = {"fb01/all-suits"}
"""Ten thousand problems take three quarters of an hour of a core. The first are shipped; some claims are open."""


def test_few_claims_are_open_and_each_says_how_many_rows_would_decide_it():
    shipped = (results for experiment in load_all() if (results := shipped_results(experiment)))
    judged = [(results.experiment, verdict) for results in shipped for verdict in results.verdicts]
    undecided = [(experiment, verdict) for experiment, verdict in judged if not verdict.decided]
    whole = [experiment.id for experiment, _ in undecided if experiment.id not in UNDER_WAY]
    kriegspiel = sum(name.startswith("pns06/") for name in whole)
    assert (kriegspiel <= OPEN_AT_KRIEGSPIEL, len(whole) - kriegspiel <= OPEN) == (True, True)
    assert [verdict.because for _, verdict in undecided if not verdict.needed] == []


MINUTES = {"clv21/table-1", "clv21/table-5", "clv21/fig-7"}
"""A row of these plays whole deals by the clock, a dozen times and more."""

UNFINISHED = {"pns06/sampler", "fb01/all-suits"}
"""Stopped after a whole round; the command beside its verdicts measures these rows first, and then goes on."""


@pytest.mark.parametrize(
    "experiment", [one for one in load_all() if one.id not in MINUTES and shipped_results(one)], ids=lambda one: one.id
)
def test_the_command_beside_a_verdict_measures_its_rows_again(experiment):
    """All the rows that are shipped and no others, and the first of them bit for bit, but for times."""
    results = shipped_results(experiment)
    assert results.until_decided or len(results.measured) == len(results.plan.pairs) or experiment.id in UNFINISHED
    pair, row = next(iter(results.measured.items()))
    again = results.plan.task(pair).row
    assert experiment.timed == any(map(_is_time, row))
    assert {name: row[name] for name in row if not _is_time(name)} == {
        name: again[name] for name in again if not _is_time(name)
    }


def _is_time(name):
    return name.endswith(("seconds", "processor"))


def test_the_package_stays_small():
    assert sum(path.stat().st_size for path in FILES) < LARGEST
