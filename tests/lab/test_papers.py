"""The papers' experiments: the table names each of them once, loads one alone, and every one runs."""

import pickle
import subprocess
import sys
from importlib import import_module
from pkgutil import walk_packages

import pytest

from patience import PATIENCE
from worldwise.lab import papers
from worldwise.lab.experiment import SCALES, Experiment
from worldwise.lab.papers import EXPERIMENTS, load, load_all
from worldwise.lab.plan import Plan

ALL = load_all()
OF_EXPERIMENT = pytest.mark.parametrize("experiment", ALL, ids=lambda experiment: experiment.id)


def test_the_table_names_every_experiment_that_a_module_defines():
    modules = [import_module(found.name) for found in walk_packages(papers.__path__, f"{papers.__name__}.")]
    defined = [value for module in modules for value in vars(module).values() if isinstance(value, Experiment)]
    assert sorted({experiment.id for experiment in defined}) == sorted(EXPERIMENTS)
    assert [experiment.id for experiment in ALL] == list(EXPERIMENTS)
    assert all(load(experiment.id) is experiment for experiment in defined)


@pytest.mark.parametrize(
    ("name", "others"),
    [("clv21/table-4", "pns06 fb01 bmv96"), ("pns06/fig-2", "clv21 fb01 bmv96"), ("fb01/fig-7", "clv21 pns06 bmv96")],
)
def test_asking_for_one_experiment_imports_no_other_paper(name, others, tmp_path):
    """As ``worldwise lab compare`` does, with rows that are shipped or without any."""
    program = (
        "import sys; from worldwise.cli.main import main\n"
        f"sys.argv = ['worldwise', 'lab', 'compare', {name!r}, '--out', {str(tmp_path)!r}]\n"
        "try: main()\n"
        "finally: print(*(name for name in sys.modules if name.startswith('worldwise.')))"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, timeout=PATIENCE, check=False
    )
    *_, loaded = done.stdout.splitlines()
    modules = (name.split(".") for name in loaded.split() if name.startswith("worldwise.lab.papers."))
    imported = {paper for _, _, _, paper, *inside in modules if inside}
    assert name.split("/")[0] in imported
    assert not imported & set(others.split())


@OF_EXPERIMENT
def test_every_experiment_is_sound(experiment):
    assert experiment.scales == SCALES
    for scale in SCALES:
        assert len(Plan(experiment, scale).pairs) == len(experiment.settings[scale]) * experiment.seeds[scale]
    assert pickle.loads(pickle.dumps(experiment.measure)) is experiment.measure
    assert experiment.claims
    assert all(claim.source and claim.test for claim in experiment.claims)


@OF_EXPERIMENT
def test_every_experiment_runs_at_smoke_scale(experiment):
    rows = [
        {**setting, "seed": number, **experiment.measure(setting, 1000 + number)}
        for setting in experiment.settings["smoke"]
        for number in range(experiment.seeds["smoke"])
    ]
    summary = experiment.summary(rows)
    assert summary.rows
    assert experiment.compare(summary, experiment.published).columns
    assert all(verdict.because for verdict in experiment.verdicts(rows))
    assert experiment.plot(rows).axes


DRAWN_BY_SETTING = {"fb01/all-suits", "beyond/equilibrium"}
"""Whose setting is the number of a problem in one list, drawn once and for all, or a game and a player who are reckoned
exactly: no chance is left for a seed."""


@pytest.mark.parametrize("experiment", [e for e in ALL if not e.timed], ids=lambda experiment: experiment.id)
def test_a_row_depends_on_setting_and_seed_alone(experiment):
    setting = experiment.settings["smoke"][0]
    assert experiment.measure(setting, 7) == experiment.measure(setting, 7)
    other = experiment.measure(experiment.settings["smoke"][-1] if experiment.id in DRAWN_BY_SETTING else setting, 8)
    assert experiment.measure(setting, 7) != other
