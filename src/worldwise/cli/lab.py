"""The laboratory's commands: ``worldwise lab --help``."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console

from worldwise.cli.output import print_json
from worldwise.errors import WorldwiseError
from worldwise.lab.papers import load, load_all
from worldwise.lab.plan import Plan, carry_out
from worldwise.lab.results import RESULTS, Results, best_results, find_runs, read_results
from worldwise.lab.views.report import picture, picture_name, pictures, report_html, report_markdown
from worldwise.lab.views.text import list_json, list_text, progress_bar, results_json, results_text, table_json
from worldwise.runs.runners import runner
from worldwise.runs.store import write_whole

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from worldwise.lab.experiment import Experiment
    from worldwise.runs.runners import Runner

lab_app = typer.Typer(help="The papers' experiments, and their numbers beside ours.", no_args_is_help=True)

Id = Annotated[str, typer.Argument(metavar="ID", help="An experiment, as lab list names it.")]
Out = Annotated[Path, typer.Option(metavar="DIR", help="The folder of results.")]
Scale = Annotated[str | None, typer.Option(help="smoke, laptop or paper; the best run there is if not said.")]
Seed = Annotated[int | None, typer.Option(help="The master seed of the run; the best run there is if not said.")]
Json = Annotated[bool, typer.Option("--json", help="Print JSON instead of text.")]


@lab_app.command("list", epilog="Example: `worldwise lab list`")
def list_command(out: Out = RESULTS, as_json: Json = False) -> None:
    """The experiments there are, and what has been run of them."""
    experiments = load_all()
    found = [find_runs(experiment, out) for experiment in experiments]
    if as_json:
        print_json(list_json(experiments, found))
        return
    Console().print(list_text(experiments, [one.best for one in found]))
    _warn(fault for one in found for fault in one.faults)


@lab_app.command(epilog="Example: `worldwise lab run fb01/fig-7 --scale laptop --jobs 4`")
def run(
    name: Annotated[
        str, typer.Argument(metavar="ID", help="An experiment, as lab list names it, a paper such as fb01, or all.")
    ],
    scale: Annotated[str, typer.Option(help="smoke, laptop or paper.")] = "laptop",
    jobs: Annotated[int | None, typer.Option(help="How many processes; all cores if not said.")] = None,
    cluster: Annotated[
        str | None, typer.Option(metavar="local|ADDRESS", help="Run on Dask: a local cluster, or a scheduler's.")
    ] = None,
    out: Out = RESULTS,
    seed: Annotated[int, typer.Option(min=0, help="The master seed: the same gives the same rows.")] = 0,
    quiet: Annotated[bool, typer.Option("--quiet", help="Show no progress.")] = False,
    as_json: Json = False,
) -> None:
    """Run experiments, or what is missing of them: interrupted at any moment, the same command resumes."""
    how = runner(jobs, cluster)
    chosen = load_all(name)
    done = [_run_missing(Plan(experiment, scale, seed), out, how, quiet) for experiment in chosen]
    if as_json:
        told = [results_json(results) for results in done]
        print_json(told[0] if [experiment.id for experiment in chosen] == [name] else told)
        return
    for results in done:
        _print_results(results, comparison=False)


def _run_missing(plan: Plan, out: Path, how: Runner, quiet: bool) -> Results:
    """Run what is missing; Ctrl-C ends the command, not the run."""
    errors = Console(stderr=True)
    try:
        with progress_bar(errors, plan.experiment.id, quiet) as progress:
            carry_out(plan, out, how, progress)
    except KeyboardInterrupt:
        left = read_results(plan, out)
        rows = f"{len(left.rows) if left else 0:,} of {len(plan.pairs):,} rows are in {out / plan.file_name}"
        sys.stderr.write(f"worldwise: interrupted; {rows}; the same command resumes\n")
        raise typer.Exit(130) from None
    results = read_results(plan, out)
    if results is None:
        raise WorldwiseError(f"{plan.experiment.id} has no rows at scale {plan.scale}")
    return results


@lab_app.command(epilog="Example: `worldwise lab compare fb01/fig-7`")
def compare(name: Id, scale: Scale = None, seed: Seed = None, out: Out = RESULTS, as_json: Json = False) -> None:
    """The paper's numbers and ours side by side, and what becomes of its claims."""
    results = _results_of(load(name), out, scale, seed)
    if as_json:
        print_json({**results_json(results), "comparison": table_json(results.comparison)})
    else:
        _print_results(results, comparison=True)


@lab_app.command(epilog="Example: `worldwise lab plot fb01/fig-7`")
def plot(name: Id, scale: Scale = None, seed: Seed = None, out: Out = RESULTS, as_json: Json = False) -> None:
    """The experiment's picture, as SVG and PNG in the folder of results."""
    results = _results_of(load(name), out, scale, seed)
    files = {form: out / picture_name(results, form) for form in ("svg", "png")}
    for form, path in files.items():
        write_whole(path, picture(results, form))
    _print_files(files, as_json)


@lab_app.command(epilog="Example: `worldwise lab report --out lab-results`")
def report(out: Out = RESULTS, as_json: Json = False) -> None:
    """One page, as HTML and as Markdown, with every experiment run so far: claims, verdicts, tables, pictures."""
    found = [find_runs(experiment, out).judge_best() for experiment in load_all()]
    runs, faults = [one.best for one in found if one.best], [fault for one in found for fault in one.faults]
    _warn(faults)
    if not runs:
        raise WorldwiseError(f"there are no results in {out} that can be read: worldwise lab run ID --out {out}")
    _print_files(write_report(runs, out, faults), as_json)


def write_report(runs: Sequence[Results], out: Path, faults: Sequence[str] = ()) -> dict[str, Path]:
    """Write the pages and the pictures; where the pages are. ``faults`` says what is wrong with files left out."""
    images = pictures(runs)
    for name, image in images.items():
        write_whole(out / name, image)
    pages = {"html": report_html(runs, images, faults), "markdown": report_markdown(runs, images, faults)}
    files = {"html": out / "report.html", "markdown": out / "report.md"}
    for form, path in files.items():
        write_whole(path, pages[form].encode())
    return files


def _results_of(experiment: Experiment, out: Path, scale: str | None, seed: int | None) -> Results:
    results = best_results(experiment, out, scale, seed)
    if results is None:
        raise WorldwiseError(f"{experiment.id} has no rows in {out} yet: worldwise lab run {experiment.id} --out {out}")
    return results


def _warn(faults: Iterable[str]) -> None:
    for fault in faults:
        sys.stderr.write(f"worldwise: left out: {fault}\n")


def _print_results(results: Results, comparison: bool) -> None:
    console, parts = Console(), list(results_text(results, comparison))  # an error should not stand below half of them
    for part in parts:
        console.print(part, highlight=False)


def _print_files(files: dict[str, Path], as_json: bool) -> None:
    if as_json:
        print_json({form: str(path) for form, path in files.items()})
        return
    for path in files.values():
        sys.stdout.write(f"wrote {path}\n")
