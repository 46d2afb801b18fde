"""The laboratory's page: its interface, a folder that is only read, and smoke runs that are kept nowhere."""

import json
from base64 import b64decode

import pytest

from lab_coin import COIN, NOTHING_ELSE
from web_client import Client
from worldwise.errors import InputError
from worldwise.lab.papers import EXPERIMENTS, load
from worldwise.lab.plan import Plan, carry_out
from worldwise.lab.results import find_runs, read_results, rehearsal, shipped_results
from worldwise.lab.scoreboard import judge_claims
from worldwise.lab.views.json import experiment_json, run_json
from worldwise.lab.views.report import picture
from worldwise.runs.runners import Serial
from worldwise.web.app import create_app
from worldwise.web.pages import LABORATORY, PAGES, pages_with
from worldwise.web.pages.laboratory import laboratory, report

QUICK, OTHER = "bmv96/strategies", "bmv96/average-case"


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """One good file and one that is none."""
    folder = tmp_path_factory.mktemp("results")
    carry_out(Plan(load(QUICK), "smoke"), folder, Serial())
    (folder / Plan(load(OTHER), "smoke").file_name).write_text("no rows\n")
    return folder


@pytest.fixture(scope="module")
def client(folder):
    client = Client(create_app(pages=(laboratory(folder),)))
    yield client
    client.close()


def post(client, path, **inputs):
    return client.ask(path, method="POST", chunks=(json.dumps(inputs).encode(),))


def stream(client, path, **inputs):
    return client.stream(path, method="POST", chunks=(json.dumps(inputs).encode(),)).events


def contents(folder):
    return {path.name: (path.read_bytes(), path.stat().st_mtime_ns) for path in folder.iterdir()}


# ---------------------------------------------------------------------- views


def test_a_rehearsal_is_the_run_without_its_file(tmp_path):
    plan = Plan(COIN, "smoke")
    told = list(rehearsal(plan))
    assert [len(results.rows) for results in told] == list(range(1, len(plan.pairs) + 1))
    assert list(tmp_path.iterdir()) == []
    carry_out(plan, tmp_path, Serial())
    assert told[-1].rows == read_results(plan, tmp_path).rows
    assert told[-1].complete


def test_a_run_in_full():
    *_, results = rehearsal(Plan(COIN, "laptop"))
    told = run_json(results)
    assert told["counts"] == {"holds": 1, "fails": 1, "open": 1}
    assert told["score"] == "1 hold, 1 fail, 1 undecided"
    assert [verdict["kind"] for verdict in told["verdicts"]] == ["holds", "fails", "open"]
    assert len(told["table"]["rows"]) == len(results.comparison.rows)
    assert all(isinstance(cell, str) for row in told["table"]["rows"] for cell in row)
    assert json.loads(json.dumps(told)) == told


def test_an_experiment_that_has_not_been_run():
    told = experiment_json(COIN, None)
    assert (told["run"], told["counts"]) == (None, {"holds": 0, "fails": 0, "open": 0})
    assert told["rows"] == {"smoke": 10, "laptop": 300, "paper": 10_000}


def test_the_picture_is_that_of_the_report():
    *_, results = rehearsal(Plan(COIN, "smoke"))
    assert b64decode(run_json(results)["picture"]) == picture(results, "png")


def test_without_matplotlib_the_page_says_so(monkeypatch):
    monkeypatch.setattr("worldwise.lab.views.json.can_plot", lambda: False)
    *_, results = rehearsal(Plan(COIN, "smoke"))
    told = run_json(results)
    assert (told["picture"], told["no_picture"][:38]) == (None, "No picture: matplotlib is not installe")


# ---------------------------------------------------------------------- the interface


def test_the_list_comes_as_files_are_read_and_a_bad_one_hides_no_other(client, folder):
    *steps, end = stream(client, "/api/lab")
    assert end == ("end", {})
    assert [len(step["experiments"]) for _, step in steps] == list(range(1, len(EXPERIMENTS) + 1))
    told = {one["id"]: one for one in steps[-1][1]["experiments"]}
    assert list(told) == list(EXPERIMENTS)
    assert steps[-1][1]["folder"] == str(folder)
    assert told[QUICK]["run"].startswith("scale smoke, seed 0, 4 rows, worldwise")
    assert "expected rows of bmv96/average-case, found something else" in told[OTHER]["fault"]
    assert [name for name, one in told.items() if one["run"] and "shipped" not in one["run"]] == [QUICK]


def test_the_report_of_a_run(client, folder):
    told = post(client, "/api/lab/report", experiment=QUICK).json
    expected = read_results(Plan(load(QUICK), "smoke"), folder)
    assert [one["because"] for one in told["verdicts"]] == [verdict.because for verdict in expected.verdicts]
    assert b64decode(told["picture"]).startswith(b"\x89PNG")
    assert (told["scale"], told["fault"]) == ("smoke", None)


def test_a_bad_file_hides_no_other_of_its_experiment(tmp_path):
    plan = Plan(load(QUICK), "smoke")
    carry_out(plan, tmp_path, Serial())
    bad = tmp_path / Plan(plan.experiment, "paper").file_name
    bad.write_text("no rows\n")
    client = Client(create_app(pages=(laboratory(tmp_path),)))
    try:
        *_, (_, last), _ = stream(client, "/api/lab")
        (listed,) = (one for one in last["experiments"] if one["id"] == QUICK)
        told = post(client, "/api/lab/report", experiment=QUICK).json
    finally:
        client.close()
    for one in (listed, told):
        assert one["run"].startswith("scale smoke, seed 0, 4 rows, worldwise")
        assert one["scale"] == "smoke"
        assert one["fault"] == f"{bad}: expected rows of {QUICK}, found something else"


def test_the_report_of_what_has_not_been_run(tmp_path, monkeypatch):
    monkeypatch.setattr("worldwise.lab.papers.EXPERIMENTS", NOTHING_ELSE)
    (told,) = report(experiment="coin/fig-1", folder=tmp_path)
    assert (told["run"], told["verdicts"], told["command"]) == (None, None, "worldwise lab run coin/fig-1")
    (tmp_path / Plan(COIN, "smoke").file_name).write_text("no rows\n")
    with pytest.raises(InputError, match="found something else"):
        list(report(experiment="coin/fig-1", folder=tmp_path))


def test_shipped_rows_are_judged_as_the_command_line_judges_them(client):
    """The same claims, verdicts and figures, marked for what they are."""
    name = "clv21/table-4"
    told, rows = post(client, "/api/lab/report", experiment=name).json, shipped_results(load(name))
    assert (told["shipped"], told["command"]) == (True, f"worldwise lab run {name} --scale paper")
    assert told["run"].endswith(", shipped")
    assert [(one["outcome"], one["because"]) for one in told["verdicts"]] == [
        (verdict.outcome, verdict.because) for verdict in rows.verdicts
    ]


def test_a_smoke_run_is_told_row_by_row_and_kept_nowhere(client, folder):
    before, known = contents(folder), post(client, "/api/lab/report", experiment="fb01/fig-7").json
    *steps, end = (data for _, data in stream(client, "/api/lab/smoke", experiment="fb01/fig-7"))
    assert end == {}
    assert [(step["done"], step["total"]) for step in steps] == [(0, 3), (1, 3), (2, 3), (3, 3), (3, 3)]
    assert [step["run"] is None for step in steps] == [True] * 4 + [False]
    assert (steps[-1]["run"]["id"], steps[-1]["run"]["scale"]) == ("fb01/fig-7", "smoke")
    assert contents(folder) == before
    assert post(client, "/api/lab/report", experiment="fb01/fig-7").json == known


def test_a_smoke_run_is_judged_as_the_command_line_judges_it(client, tmp_path):
    """The same rows, the same words: neither calls too few what is enough for the other."""
    *_, last, _ = (data for _, data in stream(client, "/api/lab/smoke", experiment=QUICK))
    plan = Plan(load(QUICK), "smoke")
    carry_out(plan, tmp_path, Serial())
    claims = judge_claims(plan.experiment, find_runs(plan.experiment, tmp_path))
    assert [(one["claim"], one["outcome"], one["because"]) for one in last["run"]["verdicts"]] == [
        (one.claim.text, one.verdict.outcome, one.verdict.because) for one in claims
    ]


def test_what_is_new_in_the_folder_is_seen(client, folder):
    name = "fb01/fig-29"
    assert post(client, "/api/lab/report", experiment=name).json["scale"] != "smoke"
    plan = Plan(load(name), "smoke")
    carry_out(plan, folder, Serial())
    assert post(client, "/api/lab/report", experiment=name).json["scale"] == "smoke"
    (folder / plan.file_name).unlink()


@pytest.mark.parametrize("path", ["/api/lab/report", "/api/lab/smoke"])
@pytest.mark.parametrize("name", ["nothing", "../../etc/passwd", "/etc/passwd", "fb01/fig-7\x00", "fb01", 7, ""])
def test_no_other_name_leads_anywhere(client, path, name):
    answer = post(client, path, experiment=name)
    assert (answer.status, answer.json["where"]) == (400, "experiment")


def test_no_request_names_the_folder(client):
    for inputs in ({"folder": "/etc"}, {"experiment": QUICK, "folder": "/etc"}):
        assert post(client, "/api/lab/report", **inputs).json["where"] == "folder"
    assert post(client, "/api/lab", folder="/etc").json["where"] == "folder"


def test_the_command_chooses_the_folder(tmp_path):
    pages = pages_with(tmp_path)
    assert [page.path for page in pages] == [page.path for page in PAGES]
    (page,) = (page for page in pages if page.path == LABORATORY.path)
    assert page.endpoints[0].work.keywords == {"folder": tmp_path}
