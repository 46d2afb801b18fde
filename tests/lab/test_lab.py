"""The laboratory: rows are never lost or doubled, whatever is killed, and come out the same whichever way they came."""

import json
import math
import os
import pickle
import random
import re
import signal
import subprocess
import sys
import time
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from html import escape
from multiprocessing import active_children
from pathlib import Path
from xml.etree import ElementTree

import psutil
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import lab_coin
from lab_coin import ANOTHER, COIN, DIE
from older_files import without_seals
from patience import PATIENCE
from worldwise.cli.lab import write_report
from worldwise.core import durable_files
from worldwise.core.durable_files import write_file
from worldwise.core.statistics import Estimate, mean, mean_of_sums, wilson
from worldwise.errors import InputError, UnknownNameError, WorldwiseError
from worldwise.extras import import_extra
from worldwise.lab.experiment import ClaimOutcome, Verdict
from worldwise.lab.papers import EXPERIMENTS, load_all
from worldwise.lab.plan import Plan, carry_out
from worldwise.lab.results import find_runs, read_results
from worldwise.lab.table import DataTable, published_numbers, side_by_side
from worldwise.lab.views.report import picture, pictures, report_html, report_markdown
from worldwise.lab.views.text import cell_words, table_json
from worldwise.runs.cluster import Cluster
from worldwise.runs.job import Measured, Pair, chunks, row_seed
from worldwise.runs.pool import Pool
from worldwise.runs.row_files import RunFile, read_run
from worldwise.runs.row_lines import open_seal, seal
from worldwise.runs.rows import Setting, grid, plain
from worldwise.runs.runners import Serial, runner
from worldwise.web.pages.laboratory import listing

SUPPORT = Path(__file__).parents[1] / "support"
SMOKE, LAPTOP = Plan(COIN, "smoke"), Plan(COIN, "laptop")


def lines(folder, plan):
    path = folder / plan.file_name
    return path.read_bytes().splitlines(keepends=True) if path.exists() else []


def measured(folder, plan):
    return read_results(plan, folder).rows


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory):
    """The rows of an uninterrupted serial run."""
    folder = tmp_path_factory.mktemp("undisturbed")
    assert carry_out(LAPTOP, folder, Serial()) == 300
    return measured(folder, LAPTOP)


# ---------------------------------------------------------------------- statistics


def test_one_observation_tells_nothing_of_the_spread():
    assert mean([3.0]).low == mean_of_sums(3.0, 9.0, 1).low == -math.inf
    assert cell_words(mean([3.0])) == "3 [?]"
    assert table_json(DataTable(("m",), ((mean([3.0]),),)))[0]["m"]["low"] is None


@pytest.mark.parametrize(
    ("cell", "words"),
    [
        (mean([80412.0]), "80,412 [?]"),
        (Estimate(1000.0, 998.04, 1001.96, 2), "1,000 [998, 1,002]"),
        (Estimate(1.0, 0.02, 1.98, 2), "1 [0.02, 1.98]"),
        (999.7, "999.7"),
        (123456.7, "123,457"),
        (3145, "3145"),
        (23_939_472, "23,939,472"),
        (-80412, "-80,412"),
    ],
)
def test_large_numbers_are_readable(cell, words):
    assert cell_words(cell) == words


@pytest.mark.parametrize(
    ("ours", "said"),
    [
        (wilson(1, 1), "too few"),
        (mean([0.03]), "too few"),
        (wilson(2, 2), "too few"),
        (wilson(1, 4), "agrees, but of 4 only"),
        (wilson(9, 9), "ours is higher, but of 9 only"),
        (wilson(1, 10), "agrees"),
        (wilson(9, 10), "ours is higher"),
        (1, "ours is higher"),
        (0.1, "agrees"),
    ],
)
def test_few_observations_agree_with_nothing(ours, said):
    summary, paper = DataTable(("depth", "error"), ((1, ours),)), DataTable(("depth", "error"), ((1, 0.1),))
    assert side_by_side(summary, paper, ["depth"], "error").column("note") == (said,)


# ---------------------------------------------------------------------- values


def test_settings_are_values():
    setting = Setting(depth=5, similarity=0.25)
    assert {setting: 1}[Setting(similarity=0.25, depth=5)] == 1
    assert pickle.loads(pickle.dumps(setting)) == setting
    assert Setting(depth=1) != Setting(depth=1.0)
    assert setting != {"depth": 5, "similarity": 0.25}
    assert (str(setting), dict(setting), len(setting)) == ("depth=5, similarity=0.25", {**setting}, 2)
    with pytest.raises(AttributeError):
        setting.key = "other"


@pytest.mark.parametrize("value", [math.nan, math.inf, [1], {"a": 1}, object()])
def test_what_json_cannot_hold_is_refused(value):
    with pytest.raises(InputError, match="expected a finite number"):
        plain(value)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"id": "Coin Fig"}, "expected an experiment's id"),
        ({"seeds": {"smoke": 1}}, "expected settings and seeds by scale"),
        ({"settings": {"huge": ()}, "seeds": {"huge": 1}}, "expected settings and seeds by scale"),
    ],
)
def test_experiments_are_checked(change, message):
    with pytest.raises(InputError, match=message):
        replace(COIN, **change)


def test_a_plan_names_every_row_once():
    twice = replace(COIN, settings={"smoke": grid(bias=(1, 1))}, seeds={"smoke": 1})
    with pytest.raises(InputError, match="expected every setting once, found one twice at scale smoke"):
        _ = Plan(twice, "smoke").pairs


def test_seeds_are_pinned_and_differ():
    assert row_seed(0, Pair(Setting(bias=0.5), 0)) == 3019129022917012580
    seeds = {row_seed(master, pair) for master in (0, 1) for pair in LAPTOP.pairs}
    assert len(seeds) == 600
    assert all(0 <= seed < 2**63 for seed in seeds)


@given(st.integers(0, 3000), st.integers(1, 64))
def test_chunks_hold_every_row_once(count, workers):
    pairs = [Pair(Setting(), number) for number in range(count)]
    parts = list(chunks(pairs, workers))
    assert [pair for part in parts for pair in part] == pairs
    assert all(1 <= len(part) <= 256 for part in parts)


def test_claims_without_rows_are_undecided():
    assert [verdict.outcome for verdict in COIN.verdicts(())] == [ClaimOutcome.UNDECIDED] * 3
    assert Verdict.of(False, "").outcome == ClaimOutcome.FAILS


def test_published_numbers_are_typed(tmp_path, monkeypatch):
    package = tmp_path / "published_coin"
    package.mkdir()
    (package / "__init__.py").touch()
    (package / "fig.csv").write_text('# remark\nbias,heads,note\n1,0.5,\n0.25,,"read off, roughly"\n', "utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    table = published_numbers("published_coin", "fig.csv")
    assert table == DataTable(("bias", "heads", "note"), ((1, 0.5, None), (0.25, None, "read off, roughly")))


# ---------------------------------------------------------------------- the store


def test_every_prefix_of_a_file_resumes_to_the_same_rows(tmp_path):
    """A run may be killed at any byte: what is complete is kept, the rest is measured again."""
    carry_out(SMOKE, tmp_path, Serial())
    path, rows = tmp_path / SMOKE.file_name, measured(tmp_path, SMOKE)
    whole = path.read_bytes()
    cuts = random.Random(1).sample(range(len(whole)), 60)
    for cut in [0, 1, len(whole) - 1, *cuts]:
        path.write_bytes(whole[:cut])
        complete = max(0, whole[:cut].count(b"\n") - 1)
        assert carry_out(SMOKE, tmp_path, Serial()) == 10 - complete
        assert measured(tmp_path, SMOKE) == rows
        assert len(lines(tmp_path, SMOKE)) == 11


def test_a_last_line_of_zeros_is_cut(tmp_path):
    """What a power cut leaves on some file systems."""
    carry_out(SMOKE, tmp_path, Serial())
    path, rows = tmp_path / SMOKE.file_name, measured(tmp_path, SMOKE)
    path.write_bytes(b"".join(lines(tmp_path, SMOKE)[:-1]) + bytes(40) + b"\n")
    assert len(measured(tmp_path, SMOKE)) == 9
    assert carry_out(SMOKE, tmp_path, Serial()) == 1
    assert measured(tmp_path, SMOKE) == rows


def test_provenance(tmp_path):
    carry_out(SMOKE, tmp_path, Serial())
    first, sealed = open_seal(lines(tmp_path, SMOKE)[0])
    assert sealed
    assert first == read_run(tmp_path / SMOKE.file_name, SMOKE).provenance
    assert (first["experiment"], first["scale"], first["seed"]) == ("coin/fig-1", "smoke", 0)
    assert set(first) >= {"version", "kernels", "machine", "started"}
    assert "cpus" in first["machine"]


def _changed(name, value):
    """Another value in the first line, as if the run had begun so."""

    def change(text):
        first, _, rest = text.partition("\n")
        return seal({**open_seal(first.encode())[0], name: value}).decode() + rest

    return change


def _row_changed(number, **values):
    """Another value in a row, or none of a name, where no checksum tells."""

    def change(text):
        listed = without_seals(text).splitlines(keepends=True)
        entry = json.loads(listed[number])
        row = {name: value for name, value in (entry["row"] | values).items() if value is not None}
        listed[number] = json.dumps({**entry, "row": row}) + "\n"
        return "".join(listed)

    return change


def _spoil(path, change):
    path.write_text(change(path.read_text("utf-8")), "utf-8")


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda text: "hello\n", "expected rows of coin/fig-1, found something else"),
        (lambda text: "hello", "expected rows of coin/fig-1, found something else"),
        (lambda text: "[1]\n" + text, "expected rows of coin/fig-1, found something else"),
        (
            _changed("worldwise-lab", 99),
            "expected format 2 or older, found 99: another version of worldwise wrote this",
        ),
        (_changed("worldwise-lab", True), "expected format 2 or older, found True"),
        (_changed("experiment", "coin/fig-2"), "expected experiment 'coin/fig-1', found 'coin/fig-2'"),
        (_changed("revision", 2), "expected revision 1, found 2"),
        (_changed("version", "0.0.1"), "expected version .* found '0.0.1'"),
        (lambda text: without_seals(text).replace("0.75", "0.76"), "has no row at bias=0.76"),
        (lambda text: without_seals(text).replace('"seed":4', '"seed":-5'), "has no row at bias=0.5, seed -5"),
        (lambda text: text.replace("coin", "join", 1), "line 1: expected a line that fits its checksum, found one"),
        (lambda text: text.replace('"check"', '"chekc"', 1), "line 1: expected a line with its checksum, found none"),
        (_changed("machine", None), "line 1: expected where the rows come from, found no cpus, platform, python"),
        (lambda text: without_seals(text).replace('"started"', '"strated"'), "line 1: .* found no started"),
    ],
)
def test_a_wrong_file_is_refused_and_left_alone(tmp_path, change, message):
    carry_out(SMOKE, tmp_path, Serial())
    path = tmp_path / SMOKE.file_name
    path.write_text(changed := change(path.read_text("utf-8")), "utf-8")
    with pytest.raises(InputError, match=message):
        carry_out(SMOKE, tmp_path, Serial())
    assert path.read_text("utf-8") == changed


DEEP = "[" * 100_000
DAMAGES = {
    "deep": lambda lines: [*lines[:3], DEEP + "\n", *lines[4:]],
    "deep at the end": lambda lines: [*lines[:-1], DEEP + "\n"],
    "half a line": lambda lines: [*lines[:3], lines[3][:30] + "\n", *lines[4:]],
    "no object": lambda lines: [*lines[:3], "17\n", *lines[4:]],
    "an empty line": lambda lines: [*lines[:3], "\n", *lines[4:]],
    "a changed figure": lambda lines: [*lines[:3], lines[3].replace('"flips":10', '"flips":11'), *lines[4:]],
    "a changed name": lambda lines: [*lines[:3], lines[3].replace('"seed":1', '"seed":9'), *lines[4:]],
    "a changed checksum": lambda lines: [*lines[:3], lines[3][:-5] + 'g"}\n', *lines[4:]],
    "no checksum": lambda lines: [*lines[:3], without_seals(lines[0] + lines[3]).splitlines(True)[1], *lines[4:]],
}
ROW = '{"setting":{"bias":0.5},"seed":1,"row":{"flips":10,"heads":3,"draw":0.5}}'
OLDER_DAMAGES = {
    "another word": ROW.replace("row", "rwo"),
    "a list as seed": ROW.replace(":1,", ":[1],"),
    "a list as row": '{"setting":{"bias":0.5},"seed":1,"row":[1]}',
    "text for a number": ROW.replace("3", '"x"'),
    "a list for a number": ROW.replace("0.5}}", "[0.5]}}"),
    "no number": ROW.replace("0.5}}", "NaN}}"),
    "too large a number": ROW.replace("0.5}}", "1e999}}"),
    "too long a number": ROW.replace("3", "3" * 5000),
}
DAMAGES |= {
    f"older: {name}": lambda lines, line=line: [
        *(older := without_seals("".join(lines)).splitlines(True))[:3],
        line + "\n",
        *older[4:],
    ]
    for name, line in OLDER_DAMAGES.items()
}


@pytest.fixture
def damaged(tmp_path, request):
    """A run with one damaged line, and its rows before that."""
    carry_out(SMOKE, tmp_path, Serial())
    path, rows = tmp_path / SMOKE.file_name, measured(tmp_path, SMOKE)
    path.write_text("".join(DAMAGES[request.param](path.read_text("utf-8").splitlines(keepends=True))), "utf-8")
    return path, rows


@pytest.mark.parametrize("damaged", DAMAGES, indirect=True)
def test_a_damaged_line_is_left_out_and_measured_again(tmp_path, damaged):
    path, rows = damaged
    left = read_results(SMOKE, tmp_path)
    assert len(left.rows) == 9
    assert set(map(str, left.rows)) < set(map(str, rows))
    assert re.search(rf"{re.escape(str(path))}, line (4|11): expected .*, found ", left.damage)
    before = path.read_bytes()
    with pytest.warns(RuntimeWarning, match=r"line (4|11): .*; what stood there is measured again"):
        assert carry_out(SMOKE, tmp_path, Serial()) == 1
    assert path.read_bytes().startswith(before)
    assert measured(tmp_path, SMOKE) == rows


@pytest.mark.parametrize("damaged", DAMAGES, indirect=True)
def test_a_damaged_file_is_repaired(tmp_path, here, damaged):
    path, rows = damaged
    listed = path.read_bytes().splitlines(keepends=True)
    (told,) = json.loads(here("repair", "--json", out=tmp_path).stdout)
    ((number,), beside) = told["lines"], tmp_path / f"{path.name}.damaged"
    assert told == {"file": str(path), "lines": [number], "kept": str(beside), "whole": False, "fault": None}
    assert beside.read_bytes() == listed[number - 1]
    assert path.read_bytes() == b"".join(listed[: number - 1] + listed[number:])
    assert read_results(SMOKE, tmp_path).damage == ""
    assert here("repair", out=tmp_path).stdout == f"no file in {tmp_path} is damaged\n"
    assert carry_out(SMOKE, tmp_path, Serial()) == 1
    assert measured(tmp_path, SMOKE) == rows


def test_a_row_that_is_there_twice_counts_once(tmp_path):
    carry_out(SMOKE, tmp_path, Serial())
    path, rows = tmp_path / SMOKE.file_name, measured(tmp_path, SMOKE)
    path.write_bytes(path.read_bytes() + lines(tmp_path, SMOKE)[-1])
    stored = read_results(SMOKE, tmp_path)
    assert "line 12: the row at bias=0.75, seed 4 is there twice" in stored.damage
    assert stored.rows == rows


def test_files_without_checksums_are_read_and_go_on(tmp_path):
    carry_out(SMOKE, tmp_path, Serial())
    path, rows = tmp_path / SMOKE.file_name, measured(tmp_path, SMOKE)
    older = without_seals(path.read_text("utf-8"))
    assert "check" not in older
    path.write_text("".join(older.splitlines(keepends=True)[:-3]), "utf-8")
    assert carry_out(SMOKE, tmp_path, Serial()) == 3
    assert path.read_text("utf-8").startswith("".join(older.splitlines(keepends=True)[:-3]))
    assert (measured(tmp_path, SMOKE), read_results(SMOKE, tmp_path).damage) == (rows, "")


def test_a_run_whose_every_row_is_damaged(tmp_path):
    carry_out(SMOKE, tmp_path, Serial())
    path = tmp_path / SMOKE.file_name
    path.write_bytes(lines(tmp_path, SMOKE)[0] + b"[]\n" * 20)
    (fault,) = find_runs(COIN, tmp_path).faults
    assert "line 2: expected a row with its checksum" in fault
    assert "(lines 3, 4, 5, 6, 7, 8, 9, 10 ... are damaged too)" in fault


def test_what_is_not_repaired(tmp_path, here):
    """Files of others, of a later version, and those that somebody is writing to; a damaged start takes all with it."""
    foreign, later = tmp_path / "notes.jsonl", tmp_path / "later.jsonl"
    foreign.write_text('{"a": 1}\nnonsense\n')
    later.write_bytes(seal({"worldwise-lab": 3}) + b"nonsense\n")
    carry_out(SMOKE, tmp_path, Serial())
    path = tmp_path / SMOKE.file_name
    _spoil(path, lambda text: text.replace("coin", "join"))
    spoilt = {file: file.read_bytes() for file in (foreign, later, path)}
    with RunFile(tmp_path / "running.jsonl", LAPTOP) as running:
        running._write([b"nonsense\n"])
        done = here("repair", out=tmp_path)
    assert done.returncode == 1
    assert "later.jsonl: expected format 2 or older, found 3" in done.stderr
    assert "running.jsonl: another process is writing to this file" in done.stderr
    assert done.stdout.count("\n") == 1
    assert f"{path}: its first line is damaged, so all of it is now {path}.damaged" in done.stdout
    assert (foreign.read_bytes(), later.read_bytes()) == (spoilt[foreign], spoilt[later])
    assert not path.exists()
    assert Path(f"{path}.damaged").read_bytes() == spoilt[path]
    assert carry_out(SMOKE, tmp_path, Serial()) == 10
    missing = here("repair", out=tmp_path / "nowhere")
    assert (missing.returncode, missing.stderr.count("\n")) == (2, 1)


def test_a_file_that_is_replaced_while_another_waits_for_it_is_opened_anew(tmp_path, monkeypatch):
    """Otherwise rows would go to a file that has no name any more."""
    path = tmp_path / "rows"
    path.write_bytes(b"old")
    lock = durable_files._lock

    def replace_first(file, guarded):
        monkeypatch.setattr(durable_files, "_lock", lock)
        write_file(path, b"new")
        lock(file, guarded)

    monkeypatch.setattr(durable_files, "_lock", replace_first)
    with durable_files.open_locked(path) as file:
        assert file.read() == b"new"


def test_timings_of_two_machines_are_not_mixed(tmp_path):
    timed = Plan(replace(COIN, timed=True), "smoke")
    for plan in (SMOKE, timed):
        carry_out(plan, tmp_path, Serial())
        path = tmp_path / plan.file_name
        machine = {"platform": "abacus", "cpus": 1, "python": "3.11.7"}
        path.write_text(_changed("machine", machine)(path.read_text("utf-8")), "utf-8")
        if plan is SMOKE:
            carry_out(plan, tmp_path, Serial())
            path.unlink()
    with pytest.raises(InputError, match="expected machine"):
        carry_out(timed, tmp_path, Serial())


def test_kinds_of_values_are_those_of_most_rows(tmp_path):
    """None goes with any kind, whole numbers and truth values with other numbers; names may differ by setting."""
    rows = [{"x": None, "y": 1}, {"x": "a", "y": 0.5}, {"x": "b", "y": True}, {"x": "c", "y": 2, "z": "q"}]
    pairs = LAPTOP.pairs[: len(rows)]
    with RunFile(tmp_path / LAPTOP.file_name, LAPTOP) as file:
        file.append(map(Measured, pairs, rows))
        assert read_run(tmp_path / LAPTOP.file_name, LAPTOP).rows == dict(zip(pairs, rows, strict=True))
        file.append([Measured(LAPTOP.pairs[4], {"x": 7, "y": 1})])
    stored = read_run(tmp_path / LAPTOP.file_name, LAPTOP)
    assert "line 6: expected text as x, found 7" in stored.damage
    assert list(stored.rows) == list(pairs)


def test_rows_that_lack_something_are_said_to_be_in_their_file(tmp_path):
    carry_out(SMOKE, tmp_path, Serial())
    path = tmp_path / SMOKE.file_name
    _spoil(path, _row_changed(3, heads=None))
    results = read_results(SMOKE, tmp_path)
    message = (
        rf"{path.name}, line 4: expected rows as coin/fig-1 measures them, found something else \(KeyError: 'heads'"
    )
    for ask in (lambda: results.comparison, lambda: results.verdicts, lambda: picture(results, "svg")):
        with pytest.raises(InputError, match=message):
            ask()
    path.write_text(
        without_seals("".join(path.read_text("utf-8").splitlines(keepends=True)[:2])).replace("heads", "tails")
    )
    with pytest.raises(InputError, match=rf"{path.name}: expected rows as .* \(KeyError: 'heads'"):
        _ = read_results(SMOKE, tmp_path).summary
    path.write_text(path.read_text("utf-8").replace('"tails":', '"heads":1'))
    with pytest.raises(InputError, match=rf"{path.name}: expected successes among at least one trial, found"):
        _ = read_results(SMOKE, tmp_path).summary


def test_two_processes_exclude_each_other(tmp_path):
    with RunFile(tmp_path / SMOKE.file_name, SMOKE):
        done = coin("run", "coin/fig-1", "--scale", "smoke", out=tmp_path)
        assert done.returncode == 2
        assert "another process is writing to this file" in done.stderr
    assert coin("run", "coin/fig-1", "--scale", "smoke", out=tmp_path).returncode == 0


def test_a_folder_that_is_no_folder(tmp_path):
    (tmp_path / "file").touch()
    with pytest.raises(InputError, match="file"):
        carry_out(SMOKE, tmp_path / "file", Serial())
    with pytest.raises(InputError, match="file"):
        write_file(tmp_path / "file" / "page", b"")
    (tmp_path / SMOKE.file_name).mkdir()
    with pytest.raises(InputError, match="Is a directory"):
        read_run(tmp_path / SMOKE.file_name, SMOKE)


def test_a_full_disk_keeps_what_was_there(tmp_path, monkeypatch):
    def full(handle):
        raise OSError(28, "No space left on device")

    with RunFile(tmp_path / SMOKE.file_name, SMOKE) as file:
        monkeypatch.setattr(os, "fsync", full)
        with pytest.raises(InputError, match="No space left"):
            file.append([SMOKE.task(SMOKE.pairs[0])])


# ---------------------------------------------------------------------- runners


def test_serial_pool_and_dask_give_the_same_rows_bit_for_bit(tmp_path, undisturbed):
    for name, how in {"pool": Pool(3), "dask": Cluster("local", 2)}.items():
        assert carry_out(LAPTOP, tmp_path / name, how) == 300
        assert json.dumps(measured(tmp_path / name, LAPTOP)) == json.dumps(undisturbed)
        assert carry_out(LAPTOP, tmp_path / name, how) == 0
        assert len(lines(tmp_path / name, LAPTOP)) == 301


def test_another_master_seed_is_another_run(tmp_path):
    other = Plan(COIN, "smoke", seed=7)
    carry_out(SMOKE, tmp_path, Serial())
    carry_out(other, tmp_path, Serial())
    assert measured(tmp_path, SMOKE) != measured(tmp_path, other)
    assert find_runs(COIN, tmp_path, seed=7).best_readable().plan == other


def test_the_best_run_is_a_complete_one_of_the_largest_scale(tmp_path, undisturbed):
    assert find_runs(COIN, tmp_path).best_readable() is None
    carry_out(SMOKE, tmp_path, Serial())
    with RunFile(tmp_path / LAPTOP.file_name, LAPTOP) as file:
        file.append(map(LAPTOP.task, LAPTOP.pairs[:50]))
        assert find_runs(COIN, tmp_path).best_readable().plan == SMOKE
        assert not find_runs(COIN, tmp_path, "laptop").best_readable().complete
        file.append(map(LAPTOP.task, LAPTOP.pairs[50:]))
    assert find_runs(COIN, tmp_path).best_readable().rows == undisturbed
    with pytest.raises(UnknownNameError, match="unknown scale of coin/fig-1 'huge'"):
        find_runs(COIN, tmp_path, "huge").best_readable()


def test_a_bad_file_hides_no_better_and_no_worse_run(tmp_path, undisturbed):
    for plan in (SMOKE, LAPTOP, Plan(COIN, "smoke", seed=7)):
        carry_out(plan, tmp_path, Serial())
    _spoil(tmp_path / SMOKE.file_name, _changed("revision", 0))
    found = find_runs(COIN, tmp_path)
    assert [results.plan.scale for results in found.runs] == ["laptop", "smoke"]
    assert found.best.rows == undisturbed
    (fault,) = found.faults
    assert f"{SMOKE.file_name}: expected revision 1, found 0" in fault
    _spoil(tmp_path / LAPTOP.file_name, _row_changed(3, heads=None))
    judged = find_runs(COIN, tmp_path).judge_best()
    assert (judged.best.plan.seed, len(judged.faults)) == (7, 2)
    assert f"{LAPTOP.file_name}, line 4: expected rows" in judged.faults[1]
    assert find_runs(COIN, tmp_path, "smoke").best_readable().plan.seed == 7
    with pytest.raises(InputError, match="expected revision 1, found 0"):
        find_runs(COIN, tmp_path, seed=0, scale="smoke").best_readable()


def test_a_killed_pool_worker_loses_nothing(tmp_path, undisturbed, monkeypatch):
    monkeypatch.setenv("COIN_MS", "3")
    killed = []

    def kill_one(done, total):
        if done and not killed:
            killed.append(active_children()[0].pid)
            os.kill(killed[0], signal.SIGKILL)

    assert carry_out(LAPTOP, tmp_path, Pool(2), kill_one) == 300
    assert killed
    assert measured(tmp_path, LAPTOP) == undisturbed
    assert active_children() == []


def test_a_row_that_kills_every_worker_is_given_up(tmp_path):
    plan = Plan(replace(COIN, measure=lab_coin.deadly), "smoke")
    with pytest.raises(WorldwiseError, match=r"3 workers died \(exit code 3\) on the rows from bias="):
        carry_out(plan, tmp_path, Pool(2))
    assert active_children() == []


@pytest.mark.parametrize("how", [Serial(), Pool(1)])
def test_an_error_says_at_which_row_and_keeps_the_rows_before_it(tmp_path, how):
    faulty = {"measure": lab_coin.faulty, "settings": {"smoke": grid(bias=(1, 2, 0))}, "seeds": {"smoke": 3}}
    plan = Plan(replace(COIN, **faulty), "smoke")
    with pytest.raises(WorldwiseError, match="measuring at bias=0, seed 0 failed: ZeroDivisionError") as caught:
        carry_out(plan, tmp_path, how)
    assert "1 // setting" in caught.value.__notes__[0]
    assert [row["bias"] for row in measured(tmp_path, plan)] == [1, 2]


@pytest.mark.parametrize("row", [{"bias": 1}, {"seed": 1}, {"x": [1]}])
def test_rows_are_flat_and_have_names_of_their_own(row):
    plan = Plan(replace(COIN, measure=lambda setting, seed: row), "smoke")
    with pytest.raises(InputError, match=r"measuring at bias=0\.5, seed 0: expected a"):
        plan.task(plan.pairs[0])


def test_workers_of_another_version_are_refused():
    with pytest.raises(InputError, match=r"expected workers with worldwise 9\.9"):
        replace(SMOKE.task, version="9.9").some(SMOKE.pairs)


def test_runners_are_chosen():
    assert runner(jobs=1) == Serial()
    assert runner(jobs=3) == Pool(3)
    assert runner(jobs=2, cluster="local") == Cluster("local", 2)
    with pytest.raises(InputError, match="at least one job"):
        runner(jobs=0)


@pytest.mark.parametrize("module", ["distributed", "matplotlib"])
def test_a_missing_extra_is_named(monkeypatch, tmp_path, module):
    carry_out(SMOKE, tmp_path, Serial())
    for name in [name for name in sys.modules if name.split(".")[0] == module]:
        monkeypatch.setitem(sys.modules, name, None)
    monkeypatch.setitem(sys.modules, module, None)
    if module == "distributed":
        with pytest.raises(InputError, match=r"distributed is not installed: pip install 'worldwise\[cluster\]'"):
            carry_out(LAPTOP, tmp_path, Cluster("local", 1))
    else:
        results = read_results(SMOKE, tmp_path)
        with pytest.raises(InputError, match=r"matplotlib is not installed: pip install 'worldwise\[plot\]'"):
            picture(results, "svg")
        assert pictures([results]) == {}
        assert "No picture" in report_html([results], {})
        assert "No picture" in report_markdown([results], {})


# ---------------------------------------------------------------------- a cluster of real processes


@contextmanager
def process(*arguments, **environment):
    """A process of ours, gone when this is left."""
    with subprocess.Popen(
        [sys.executable, *map(str, arguments)],
        env={**os.environ, "PYTHONPATH": str(SUPPORT), **environment},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    ) as started:
        try:
            yield started
        finally:
            started.kill()


@contextmanager
def cluster_of_two(folder):
    """A scheduler and two workers: its address, and the three processes."""
    file = folder / "scheduler.json"
    local = ("--host", "127.0.0.1", "--port", 0, "--no-dashboard", "--scheduler-file", file)
    worker = ("-m", "dask", "worker", "--scheduler-file", file, "--no-nanny", "--nthreads", 1, "--no-dashboard")
    with ExitStack() as stack:
        scheduler = stack.enter_context(process("-m", "dask", "scheduler", *local))
        workers = [stack.enter_context(process(*worker, COIN_MS="10")) for _ in range(2)]
        _until(lambda: file.exists() and file.read_text("utf-8").endswith("}"))
        address = json.loads(file.read_text("utf-8"))["address"]
        with import_extra("distributed", "cluster").Client(address, set_as_default=False) as client:
            client.wait_for_workers(2, timeout=PATIENCE)
        yield address, scheduler, *workers


def test_a_real_scheduler_and_two_workers_one_of_them_killed(tmp_path, undisturbed):
    with cluster_of_two(tmp_path) as (address, _, worker, _):
        assert carry_out(LAPTOP, tmp_path, Cluster(address, 1), lambda done, total: done and worker.kill()) == 300
        assert worker.wait() == -signal.SIGKILL
    assert measured(tmp_path, LAPTOP) == undisturbed
    assert len(lines(tmp_path, LAPTOP)) == 301


def test_a_cluster_that_is_lost_keeps_what_was_measured(tmp_path, undisturbed):
    lost = pytest.raises(WorldwiseError, match="the cluster was lost")
    with cluster_of_two(tmp_path) as (address, scheduler, *_), lost:
        carry_out(LAPTOP, tmp_path, Cluster(address, 1), lambda done, total: done and scheduler.kill())
    stored = len(lines(tmp_path, LAPTOP)) - 1
    assert stored > 0
    assert carry_out(LAPTOP, tmp_path, Serial()) == 300 - stored
    assert measured(tmp_path, LAPTOP) == undisturbed


def test_no_scheduler_answers(monkeypatch, tmp_path):
    monkeypatch.setattr("worldwise.runs.cluster.CONNECT_TIMEOUT", "1s")
    with pytest.raises(InputError, match=r"no Dask scheduler answers at .tcp://127\.0\.0\.1:9."):
        carry_out(SMOKE, tmp_path, Cluster("tcp://127.0.0.1:9", 1))


def _until(condition):
    end = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < end, "waited too long"
        time.sleep(0.02)


# ---------------------------------------------------------------------- the command line, and killing it

COMMAND = [sys.executable, "-c", "import lab_coin; lab_coin.main()", "lab"]


def coin(*arguments, out=None, **environment):
    where = ("--out", out) if out else ()
    return subprocess.run(
        [*COMMAND, *map(str, (*arguments, *where))],
        env=_environment(**environment),
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )


def _environment(**more):
    plain = {"PYTHONPATH": str(SUPPORT), "COLUMNS": "140", "NO_COLOR": "1", "PYTHONIOENCODING": "utf-8"}
    return {**os.environ, **plain, **more}


@contextmanager
def under_way(folder, *options):
    """A run that has stored some rows and has more to do, as a terminal would start it."""
    arguments = [*COMMAND, "run", "coin/fig-1", "--out", str(folder), *map(str, options)]
    with subprocess.Popen(
        arguments, env=_environment(COIN_MS="30"), stderr=subprocess.PIPE, text=True, start_new_session=True
    ) as run:
        try:
            _until(lambda: len(lines(folder, LAPTOP)) > 20 or run.poll() is not None)
            assert run.poll() is None, run.stderr.read()
            yield run
        finally:
            run.kill()


@pytest.mark.parametrize("options", [("--jobs", 1), ("--jobs", 2)])
def test_kill_9_and_resume(tmp_path, undisturbed, options):
    with under_way(tmp_path, *options) as run:
        workers = psutil.Process(run.pid).children(recursive=True)
        run.send_signal(signal.SIGKILL)
        run.wait()
        _, alive = psutil.wait_procs(workers, timeout=PATIENCE)
        assert alive == []
    before = lines(tmp_path, LAPTOP)
    assert 20 < len(before) < 301
    done = coin("run", "coin/fig-1", "--json", out=tmp_path)
    assert done.returncode == 0, done.stderr
    assert lines(tmp_path, LAPTOP)[: len(before) - 1] == before[:-1]
    assert len(lines(tmp_path, LAPTOP)) == 301
    assert measured(tmp_path, LAPTOP) == undisturbed
    assert json.loads(done.stdout)["complete"] is True


@pytest.mark.parametrize("options", [("--jobs", 1), ("--jobs", 2), ("--cluster", "local", "--jobs", 2)])
def test_interrupt_and_resume(tmp_path, undisturbed, options):
    """Ctrl-C reaches every process of a terminal: ours says how to go on, the others say nothing."""
    with under_way(tmp_path, *options) as run:
        os.killpg(run.pid, signal.SIGINT)
        _, said = run.communicate(timeout=PATIENCE)
    assert run.returncode == 130, said
    stored = len(lines(tmp_path, LAPTOP)) - 1
    assert 20 <= stored < 300
    assert f"{stored} of 300 rows are in" in said
    assert "the same command resumes" in said
    assert "Traceback" not in said
    assert "KeyboardInterrupt" not in said
    assert carry_out(LAPTOP, tmp_path, Serial()) == 300 - stored
    assert measured(tmp_path, LAPTOP) == undisturbed


def test_a_cluster_of_our_own_listens_to_this_machine_alone(tmp_path):
    """Scheduler, dashboard, nannies and workers: whoever reached one of them could run programs here."""
    with under_way(tmp_path, "--cluster", "local", "--jobs", 2) as run:
        main = psutil.Process(run.pid)
        opened = [one for each in (main, *main.children(recursive=True)) for one in each.net_connections("inet")]
        addresses = [one.laddr.ip for one in opened if one.status == psutil.CONN_LISTEN]
    assert len(addresses) >= 4
    assert set(addresses) == {"127.0.0.1"}


def test_list_run_compare_plot_report(tmp_path, here):
    """The whole way, as a user goes it."""
    (listed,) = json.loads(here("list", "--json", out=tmp_path).stdout)
    assert listed["rows"] == {"smoke": 10, "laptop": 300, "paper": 10_000}
    assert listed["run"] is None
    for command in ("compare", "plot"):
        nothing = here(command, "coin/fig-1", out=tmp_path)
        assert nothing.returncode == 1
        assert "has no rows" in nothing.stderr
    assert here("report", out=tmp_path).returncode == 1

    done = here("run", "all", "--scale", "smoke", "--jobs", 1, out=tmp_path)
    assert done.returncode == 0
    assert "heads by bias" in done.stdout
    assert "rows/s" in done.stderr
    quiet = here("run", "coin/fig-1", "--scale", "smoke", "--quiet", "--json", out=tmp_path)
    assert quiet.stderr == ""
    assert json.loads(quiet.stdout)["rows"] == 10
    assert re.search(r"coin/fig-1 +A biased coin +1 +1 +1 +10 smoke", here("list", out=tmp_path).stdout)

    compared = here("compare", "coin/fig-1", out=tmp_path).stdout
    assert "ours is higher; read off a picture" in compared
    assert "not measured" in compared
    assert "holds: A fair coin" in compared
    assert "fails: Heads" in compared
    answer = json.loads(here("compare", "coin/fig-1", "--json", out=tmp_path).stdout)
    assert [verdict["outcome"] for verdict in answer["verdicts"]] == ["holds", "fails", "undecided"]
    assert answer["comparison"][0]["ours"]["count"] == 50

    drawn = json.loads(here("plot", "coin/fig-1", "--json", out=tmp_path).stdout)
    assert Path(drawn["png"]).read_bytes().startswith(b"\x89PNG")
    assert ElementTree.parse(drawn["svg"]).getroot().tag.endswith("svg")
    reported = here("report", out=tmp_path)
    assert "report.html" in reported.stdout
    assert "report.md" in reported.stdout


def test_every_claim_with_its_verdict_and_the_command_that_measures_it_again(tmp_path, here):
    """What was run here by its file, and before that nothing; the same as compare says of the same rows."""
    before = json.loads(here("verdicts", "--json", out=tmp_path).stdout)
    assert {(one["verdict"], one["figures"], one["rows_from"]) for one in before} == {
        ("undecided", "not run yet", None)
    }
    assert here("run", "coin/fig-1", "--scale", "smoke", "--seed", 7, "--jobs", 1, out=tmp_path).returncode == 0
    told = json.loads(here("verdicts", "coin", "--json", out=tmp_path).stdout)
    compared = json.loads(here("compare", "coin/fig-1", "--json", out=tmp_path).stdout)["verdicts"]
    assert [(one["claim"], one["verdict"], one["figures"]) for one in told] == [
        (one["claim"], one["outcome"], one["because"]) for one in compared
    ]
    for one in told:
        assert one["experiment"] == "coin/fig-1"
        assert one["rows_from"] == str(tmp_path / "coin-fig-1.smoke.7.jsonl")
        assert one["command"] == "worldwise lab run coin/fig-1 --scale smoke --seed 7"
        assert (one["rows"], one["needed"]) == (10, None)
    shown = here("verdicts", out=tmp_path).stdout
    assert "again: worldwise lab run coin/fig-1 --scale smoke --seed 7" in shown
    assert shown.splitlines()[-1] == "3 claims: 1 hold, 1 fail, 1 undecided"
    assert here("verdicts", "dice", out=tmp_path).returncode == 2


def test_the_list_breaks_no_id_at_80_columns(tmp_path, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    done = subprocess.run(
        [sys.executable, "-m", "worldwise", "lab", "list"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=True,
    )
    first = [line.split()[0] for line in done.stdout.splitlines() if not line.startswith(" ")]
    assert first == ["id", *EXPERIMENTS]


@pytest.mark.parametrize(
    ("change", "reason", "refused"),
    [
        (_changed("revision", 0), ": expected revision 1, found 0", True),
        (lambda text: "hello\n", ": expected rows of coin/fig-1, found something else", True),
        (_row_changed(3, heads=None), ", line 4: expected rows as coin/fig-1 measures them", False),
    ],
)
def test_one_bad_file_spoils_neither_list_nor_report(tmp_path, here, monkeypatch, change, reason, refused):
    monkeypatch.setattr(
        "worldwise.lab.papers.EXPERIMENTS", {"coin/fig-1": "lab_coin:COIN", "coin/fig-2": "lab_coin:ANOTHER"}
    )
    assert here("run", "all", "--scale", "smoke", "--jobs", 1, out=tmp_path).returncode == 0
    _spoil(tmp_path / SMOKE.file_name, change)
    fault = f"{tmp_path / SMOKE.file_name}{reason}"
    shown = here("list", out=tmp_path)
    assert (shown.returncode, fault in shown.stderr) == (0, True)
    assert (shown.stdout.count("10 smoke"), shown.stdout.count("not run yet")) == (1, 1)
    first, second = json.loads(here("list", "--json", out=tmp_path).stdout)
    assert [fault in words for words in first["unreadable"]] == [True]
    assert (second["unreadable"], second["run"]["scale"], second["run"]["rows"]) == ([], "smoke", 10)
    judged = here("verdicts", "--json", out=tmp_path)
    assert (judged.returncode, fault in judged.stderr) == (0, True)
    assert [one["verdict"] for one in json.loads(judged.stdout)] == ["undecided"] * 3 + ["holds", "fails", "undecided"]

    reported = here("report", out=tmp_path)
    assert (reported.returncode, fault in reported.stderr) == (0, True)
    html, markdown = ((tmp_path / name).read_text("utf-8") for name in ("report.html", "report.md"))
    for page, quoted in ((html, escape(fault)), (markdown, fault)):
        assert "1 experiment. 1 file cannot be read in full. Claims: 1 hold" in page.replace("<strong>", "")
        assert "Files that cannot be read in full" in page
        assert quoted in page
        assert "coin/fig-2: A biased coin" in page
    for command in (("compare",), ("plot",), ("run", "--scale", "smoke"))[: 3 if refused else 2]:
        failed = here(command[0], "coin/fig-1", *command[1:], out=tmp_path)
        assert (failed.returncode, failed.stdout, reason in failed.stderr) == (2, "", True)
        assert here(command[0], "coin/fig-2", *command[1:], out=tmp_path).returncode == 0


@pytest.mark.parametrize("name", ["deep", "a changed figure"])
def test_one_damaged_line_is_told_everywhere_and_hides_nothing(tmp_path, here, monkeypatch, name):
    monkeypatch.setattr(
        "worldwise.lab.papers.EXPERIMENTS", {"coin/fig-1": "lab_coin:COIN", "coin/fig-2": "lab_coin:ANOTHER"}
    )
    assert here("run", "all", "--scale", "smoke", "--jobs", 1, out=tmp_path).returncode == 0
    path = tmp_path / SMOKE.file_name
    path.write_text("".join(DAMAGES[name](path.read_text("utf-8").splitlines(keepends=True))), "utf-8")
    fault = f"{path}, line 4: expected"
    for command in (("list",), ("report",), ("compare", "coin/fig-1"), ("plot", "coin/fig-1")):
        done = here(*command, out=tmp_path)
        assert (done.returncode, done.stderr.count(f"worldwise: left out: {fault}")) == (0, 1)
    first, second = json.loads(here("list", "--json", out=tmp_path).stdout)
    assert (first["run"]["rows"], second["run"]["rows"]) == (9, 10)
    assert (len(first["unreadable"]), second["unreadable"]) == (1, [])
    for page in ("report.html", "report.md"):
        assert fault in (tmp_path / page).read_text("utf-8")
    (entry,) = (one for one in [*listing(folder=tmp_path)][-1]["experiments"] if one["id"] == "coin/fig-1")
    assert fault in entry["fault"]
    again = here("run", "coin/fig-1", "--scale", "smoke", "--jobs", 1, "--json", out=tmp_path)
    assert (fault in again.stderr, json.loads(again.stdout)["rows"]) == (True, 10)


def test_a_report_of_nothing_but_bad_files(tmp_path, here):
    (tmp_path / SMOKE.file_name).write_text("hello\n")
    done = here("report", out=tmp_path)
    assert (done.returncode, done.stderr.count("\n")) == (1, 2)
    assert "found something else" in done.stderr
    assert "no results" in done.stderr


def test_a_paper_is_all_its_experiments(tmp_path, here, monkeypatch):
    table = {"coin/fig-1": "lab_coin:COIN", "die/fig-1": "lab_coin:DIE", "coin/fig-2": "lab_coin:ANOTHER"}
    monkeypatch.setattr("worldwise.lab.papers.EXPERIMENTS", table)
    options = ("--scale", "smoke", "--jobs", 1, "--quiet", "--json")
    for name, ids in {"coin": ["coin/fig-1", "coin/fig-2"], "die": ["die/fig-1"]}.items():
        assert [told["experiment"] for told in json.loads(here("run", name, *options, out=tmp_path).stdout)] == ids
    assert json.loads(here("run", "die/fig-1", *options, out=tmp_path).stdout)["experiment"] == "die/fig-1"
    assert load_all() == (COIN, DIE, ANOTHER)
    with pytest.raises(UnknownNameError, match="unknown experiment 'coi'"):
        load_all("coi")


def test_no_run_has_a_negative_seed(tmp_path, here):
    done = here("run", "coin/fig-1", "--seed", -1, out=tmp_path)
    assert (done.returncode, "--seed" in done.stderr, list(tmp_path.iterdir())) == (2, True, [])


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("run", "coin/fig-2"), "unknown experiment 'coin/fig-2' (did you mean 'coin/fig-1'?)"),
        (("compare", "dice"), "unknown experiment 'dice'"),
        (("run", "coin/fig-1", "--scale", "huge"), "unknown scale of coin/fig-1 'huge'"),
        (("run", "coin/fig-1", "--jobs", "0"), "expected at least one job"),
        (("plot", "coin/fig-1", "--scale", "huge"), "unknown scale"),
    ],
)
def test_bad_input_is_one_line_and_exit_code_2(tmp_path, here, arguments, message):
    done = here(*arguments, out=tmp_path)
    assert done.returncode == 2
    assert message in done.stderr
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize("command", ["list", "verdicts", "run", "compare", "plot", "report", "repair"])
def test_help_has_an_example(command, here):
    assert "worldwise lab" in here(command, "--help").stdout


# ---------------------------------------------------------------------- the report


def test_the_report_is_whole_honest_and_the_same_again(tmp_path):
    carry_out(SMOKE, tmp_path, Serial())
    runs = [read_results(SMOKE, tmp_path)]
    files = write_report(runs, tmp_path)
    html, markdown = (files[form].read_text("utf-8") for form in ("html", "markdown"))
    for page in (html, markdown):
        assert "1 hold, 1 fail, 1 undecided" in page
    assert "nobody &lt;knows&gt;" in html
    assert "Heads \\| always" in markdown
    assert html.count("<svg") == 1
    assert "<?xml" not in html
    assert "prefers-color-scheme: dark" in html
    assert "http" not in html.replace("http://www.w3.org", "").replace("http://purl.org", "").replace(
        "http://creativecommons.org", ""
    ).replace("https://matplotlib.org", "")
    assert "(coin-fig-1.svg)" in markdown
    assert (tmp_path / "coin-fig-1.svg").exists()
    assert list(tmp_path.glob("*.part")) == []
    write_report(runs, tmp_path)
    assert files["html"].read_text("utf-8") == html


@settings(max_examples=25)
@given(st.permutations(range(10)))
def test_reports_do_not_depend_on_the_order_of_arrival(tmp_path_factory, order):
    folder = tmp_path_factory.mktemp("order")
    with RunFile(folder / SMOKE.file_name, SMOKE) as file:
        file.append(SMOKE.task(SMOKE.pairs[index]) for index in order)
    rows = measured(folder, SMOKE)
    assert [(row["bias"], row["seed"]) for row in rows] == [(bias, seed) for bias in (0.5, 0.75) for seed in range(5)]
