"""The laboratory's commands: ``worldwise lab --help``."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from worldwise.cli.group import CommandGroup
from worldwise.cli.output import SafeConsole, print_json, print_text, say_left_out, warn
from worldwise.cli.progress import progress_bar
from worldwise.core.durable_files import write_into
from worldwise.core.reading import read_duration, read_whole
from worldwise.errors import InputError, WorldwiseError, say_where
from worldwise.lab.newcomers import enter, enter_all
from worldwise.lab.own_experiments import find_experiment, find_experiments
from worldwise.lab.plan import Plan, carry_out
from worldwise.lab.results import RESULTS, Results, find_runs, pool_results, read_results
from worldwise.lab.scoreboard import judge_claims, run_command
from worldwise.lab.sequential import decide
from worldwise.lab.views.report import picture, picture_name, pictures, report_html, report_markdown
from worldwise.lab.views.scoreboard import list_json, list_text, scoreboard_json, scoreboard_text
from worldwise.lab.views.text import results_json, results_text, table_json
from worldwise.runs.repair import Repair, repair_folder
from worldwise.runs.runners import runner
from worldwise.views.estimates import count_words

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from rich.console import RenderableType

    from worldwise.cli.progress import Follow
    from worldwise.lab.experiment import Experiment
    from worldwise.lab.sequential import Decisions
    from worldwise.runs.runners import Runner

lab_app = typer.Typer(
    cls=CommandGroup,
    help="The papers' experiments, and their numbers beside ours.",
    epilog="Example: `worldwise lab verdicts clv21`",
    no_args_is_help=True,
)

OWN = "one of your own: FILE.py:NAME"
Id = Annotated[str, typer.Argument(metavar="ID", help=f"An experiment, as lab list names it, or {OWN}.")]
ToRun = Annotated[
    str, typer.Argument(metavar="ID", help=f"An experiment, as lab list names it, a paper such as fb01, all, or {OWN}.")
]
Ids = Annotated[
    str,
    typer.Argument(metavar="[ID]", help=f"An experiment, as lab list names it, a paper such as fb01, all, or {OWN}."),
]
Algorithm = Annotated[
    str | None,
    typer.Option(metavar="FILE.py:NAME", help="A searcher or player of your own, beside the paper's: its rows apart."),
]
Opponent = Annotated[
    str | None, typer.Option(metavar="FILE.py:NAME", help="An opponent of your own, in place of the paper's.")
]
Game = Annotated[
    str | None, typer.Option(metavar="FILE.py:NAME", help="A game of your own, in place of the paper's trees.")
]
Out = Annotated[Path, typer.Option(metavar="DIR", help="The folder of results.")]
Scale = Annotated[str | None, typer.Option(help="smoke, laptop or paper; the best run there is if not said.")]
Seed = Annotated[
    str | None,
    typer.Option(
        metavar="N[,N...]", help="The master seed of the run, or several to pool; the best run there is if not said."
    ),
]
Count = Annotated[int | None, typer.Option(min=1, metavar="N", help="How many at each setting, not as the scale says.")]
Json = Annotated[bool, typer.Option("--json", help="Print JSON instead of text.")]


@lab_app.command("list", epilog="Example: `worldwise lab list`")
def list_command(name: Ids = "all", out: Out = RESULTS, as_json: Json = False) -> None:
    """The experiments there are, how their claims fare, and by which rows: shipped ones, or your own."""
    experiments = find_experiments(name)
    found = [find_runs(experiment, out).judge_best() for experiment in experiments]
    if as_json:
        print_json(list_json(experiments, found))
        return
    SafeConsole().print(list_text(experiments, [one.best for one in found]))
    _warn(fault for one in found for fault in one.faults)


@lab_app.command(epilog="Example: `worldwise lab verdicts fb01`")
def verdicts(
    name: Ids = "all",
    algorithm: Algorithm = None,
    opponent: Opponent = None,
    game: Game = None,
    out: Out = RESULTS,
    as_json: Json = False,
) -> None:
    """Every claim: whether it holds, how it is tested, the figures, and the command that measures its rows again."""
    chosen = _find_and_enter_all(name, algorithm=algorithm, opponent=opponent, game=game)
    found = [find_runs(experiment, out).judge_best() for experiment in chosen]
    judged = [claim for pair in zip(chosen, found, strict=True) for claim in judge_claims(*pair)]
    if as_json:
        print_json(scoreboard_json(judged))
    else:
        _print_all(scoreboard_text(judged))
    _warn(fault for one in found for fault in one.faults)


@lab_app.command(epilog="Example: `worldwise lab run fb01/fig-7 --until-decided --budget 30m`")
def run(
    name: ToRun,
    algorithm: Algorithm = None,
    opponent: Opponent = None,
    game: Game = None,
    file: Annotated[
        Path | None, typer.Option(metavar="PATH", help="The file that an experiment reads and that is not shipped.")
    ] = None,
    scale: Annotated[str, typer.Option(help="smoke, laptop or paper.")] = "laptop",
    jobs: Annotated[int | None, typer.Option(help="How many processes; all cores if not said.")] = None,
    cluster: Annotated[
        str | None, typer.Option(metavar="local|ADDRESS", help="Run on Dask: a local cluster, or a scheduler's.")
    ] = None,
    out: Out = RESULTS,
    seed: Annotated[
        str, typer.Option(metavar="N[,N...]", help="The master seed: the same gives the same rows. Several are pooled.")
    ] = "0",
    until_decided: Annotated[
        bool, typer.Option("--until-decided", help="Go on, whatever the scale says, until every claim is decided.")
    ] = False,
    budget: Annotated[
        str | None, typer.Option(metavar="TIME", help="Stop a run until decided after 90s, 30m or 2h.")
    ] = None,
    trees: Count = None,
    deals: Count = None,
    games: Count = None,
    problems: Count = None,
    quiet: Annotated[bool, typer.Option("--quiet", help="Show no progress.")] = False,
    as_json: Json = False,
) -> None:
    """Run experiments, or what is missing of them: interrupted at any moment, the same command resumes."""
    how = runner(jobs, cluster)
    chosen = _find_and_enter_all(name, algorithm=algorithm, opponent=opponent, game=game)
    if file is not None:
        with say_where("--file"):
            chosen = tuple(experiment.with_file(file) for experiment in chosen)
    counts = {"trees": trees, "deals": deals, "games": games, "problems": problems}
    length = Length(until_decided, _seconds(budget, until_decided), counts)
    plans = [[length.plan(experiment, scale, one) for one in read_seeds(seed)] for experiment in chosen]
    done = [pool_results([_run_missing(plan, out, how, length.seconds, quiet) for plan in each]) for each in plans]
    if as_json:
        told = [results_json(results) for results in done]
        print_json(told[0] if [experiment.handle for experiment in chosen] == [name] else told)
        return
    for results in done:
        _print_results(results, comparison=False)


@dataclass(frozen=True)
class Length:
    """How long a run is to be: as its scale says, so many trees or games or whatever it counts, or until decided."""

    until_decided: bool
    seconds: float | None
    counts: Mapping[str, int | None]

    def __post_init__(self) -> None:
        if self.until_decided and self.asked:
            raise InputError(f"expected either --until-decided or --{next(iter(self.asked))}, found both")

    @property
    def asked(self) -> dict[str, int]:
        """The numbers somebody has asked for."""
        return {unit: count for unit, count in self.counts.items() if count is not None}

    def plan(self, experiment: Experiment, scale: str, seed: int) -> Plan:
        """The plan of an experiment; ``InputError`` if it does not count what was asked for."""
        plan = Plan(experiment, scale, seed, until_decided=self.until_decided)
        for unit, count in self.asked.items():
            if unit != experiment.unit:
                raise InputError(f"--{unit}: {experiment.id} counts {experiment.unit}, not {unit}")
            if plan.longest is not None and not experiment.counter:
                raise InputError(f"--{unit}: {experiment.id} has the {unit} of its scale, and no other number of them")
            if plan.longest is not None and count > plan.longest * plan.units:
                raise InputError(
                    f"--{unit}: {experiment.id} has {plan.longest * plan.units:,} at most, found {count:,}"
                )
            plan = replace(plan, length=-(-count // plan.units))
        return plan


def _seconds(budget: str | None, until_decided: bool) -> float | None:
    if budget is None:
        return None
    if not until_decided:
        raise InputError("--budget: expected --until-decided with it: other runs end by themselves, and resume")
    with say_where("--budget"):
        return read_duration(budget)


def read_seeds(text: str) -> tuple[int, ...]:
    """Master seeds, with commas between.

    >>> read_seeds("0,1,2")
    (0, 1, 2)
    """
    with say_where("--seed"):
        seeds = tuple(read_whole(part, least=0) for part in text.split(","))
        if len(set(seeds)) < len(seeds):
            raise InputError(f"expected each seed once, found {text!r}")
    return seeds


def _run_missing(plan: Plan, out: Path, how: Runner, seconds: float | None, quiet: bool) -> Results:
    """Run what is missing; Ctrl-C ends the command, not the run."""
    try:
        with progress_bar(plan.experiment.id, quiet=quiet, logged=True) as progress:
            if plan.until_decided:
                decide(plan, out, how, seconds, _tell_progress(progress), say_left_out)
            else:
                carry_out(plan, out, how, progress, say_left_out)
    except KeyboardInterrupt:
        warn(f"interrupted; {_rows_kept(plan, out)}; the same command resumes")
        raise typer.Exit(130) from None
    results = read_results(plan, out)
    if results is None:
        if plan.until_decided:
            raise WorldwiseError(f"{plan.experiment.id}: the budget was over before the first row came in")
        raise WorldwiseError(f"{plan.experiment.id} has no rows at scale {plan.scale}")
    return results


def _tell_progress(progress: Follow) -> Callable[[int, Decisions], None]:
    return lambda rows, decisions: progress(rows, max(rows, decisions.rows_wanted), str(decisions))


def _rows_kept(plan: Plan, out: Path) -> str:
    left = read_results(plan, out)
    of = "" if plan.until_decided else f" of {len(plan.pairs):,}"
    return f"{len(left.rows) if left else 0:,}{of} rows are in {out / plan.file_name}"


@lab_app.command(epilog="Example: `worldwise lab compare fb01/fig-7`")
def compare(
    name: Id,
    algorithm: Algorithm = None,
    opponent: Opponent = None,
    game: Game = None,
    scale: Scale = None,
    seed: Seed = None,
    out: Out = RESULTS,
    as_json: Json = False,
) -> None:
    """The paper's numbers and ours side by side, and what becomes of its claims."""
    results = _results_of(_find_and_enter(name, algorithm=algorithm, opponent=opponent, game=game), out, scale, seed)
    if as_json:
        print_json({**results_json(results), "comparison": table_json(results.comparison)})
    else:
        _print_results(results, comparison=True)


@lab_app.command(epilog="Example: `worldwise lab plot fb01/fig-7`")
def plot(
    name: Id,
    algorithm: Algorithm = None,
    opponent: Opponent = None,
    game: Game = None,
    scale: Scale = None,
    seed: Seed = None,
    out: Out = RESULTS,
    as_json: Json = False,
) -> None:
    """The experiment's picture, as SVG and PNG in the folder of results."""
    results = _results_of(_find_and_enter(name, algorithm=algorithm, opponent=opponent, game=game), out, scale, seed)
    names = {form: picture_name(results, form) for form in ("svg", "png")}
    _print_files({form: write_into(out, name, picture(results, form)) for form, name in names.items()}, as_json)


@lab_app.command(epilog="Example: `worldwise lab report --out lab-results`")
def report(name: Ids = "all", out: Out = RESULTS, as_json: Json = False) -> None:
    """One page, as HTML and as Markdown, with every experiment that has rows: claims, verdicts, tables, pictures."""
    found = [find_runs(experiment, out).judge_best() for experiment in find_experiments(name)]
    runs, faults = [one.best for one in found if one.best], [fault for one in found for fault in one.faults]
    _warn(faults)
    if not runs:
        raise WorldwiseError(f"there are no results in {out} that can be read: worldwise lab run ID --out {out}")
    _print_files(write_report(runs, out, faults), as_json)


def write_report(runs: Sequence[Results], out: Path, faults: Sequence[str] = ()) -> dict[str, Path]:
    """Write the pages and the pictures; where the pages are. ``faults`` says what is wrong with files left out."""
    images = pictures(runs)
    for name, image in images.items():
        write_into(out, name, image)
    return {
        "html": write_into(out, "report.html", report_html(runs, images, faults)),
        "markdown": write_into(out, "report.md", report_markdown(runs, images, faults)),
    }


def _find_and_enter(name: str, **newcomers: str | None) -> Experiment:
    return enter(find_experiment(name), newcomers)


def _find_and_enter_all(name: str, **newcomers: str | None) -> tuple[Experiment, ...]:
    return enter_all(find_experiments(name), newcomers)


def _results_of(experiment: Experiment, out: Path, scale: str | None, seed: str | None) -> Results:
    seeds = read_seeds(seed) if seed is not None else (None,)
    return pool_results([_one_run(experiment, out, scale, one) for one in seeds])


def _one_run(experiment: Experiment, out: Path, scale: str | None, seed: int | None) -> Results:
    found = find_runs(experiment, out, scale, seed)
    results = found.best_readable()
    if results is None:
        asked = (f"--{name} {value}" for name, value in (("scale", scale), ("seed", seed)) if value is not None)
        command = " ".join([run_command(experiment, None), f"--out {out}", *asked])
        raise WorldwiseError(f"{experiment.id} has no rows in {out} yet: {command}")
    _warn(found.faults)
    return results


def _warn(faults: Iterable[str]) -> None:
    for fault in faults:
        say_left_out(fault)


@lab_app.command(epilog="Example: `worldwise lab repair --out lab-results`")
def repair(out: Out = RESULTS, as_json: Json = False) -> None:
    """Take damaged lines out of files of results; they are kept beside, and the next run measures their rows again."""
    if not out.is_dir():
        raise InputError(f"--out: expected a folder of results, found {str(out)!r}, which is none")
    done = list(repair_folder(out))
    if as_json:
        print_json([_repair_json(one) for one in done])
    else:
        _print_repairs(out, done)
    if any(one.fault for one in done):
        raise typer.Exit(1)


def _repair_json(done: Repair) -> dict[str, object]:
    kept = None if done.fault else str(done.beside)
    lines, fault = list(done.lines), done.fault or None
    return {"file": str(done.path), "lines": lines, "kept": kept, "whole": done.whole, "fault": fault}


def _print_repairs(out: Path, done: Sequence[Repair]) -> None:
    for one in done:
        if one.fault:
            warn(f"not repaired: {one.fault}")
        else:
            print_text(_repair_words(one))
    if not done:
        print_text(f"no file in {out} is damaged")


def _repair_words(done: Repair) -> str:
    if done.whole:
        return f"{done.path}: its first line is damaged, so all of it is now {done.beside}; the next run begins afresh"
    lines = count_words(len(done.lines), "damaged line")
    return f"{done.path}: {lines} moved to {done.beside}; the next run measures what is missing"


def _print_results(results: Results, comparison: bool) -> None:
    _print_all(results_text(results, comparison))


def _print_all(parts: Iterable[RenderableType]) -> None:
    console = SafeConsole()
    for part in list(parts):  # an error should not stand below half of them
        console.print(part, highlight=False)


def _print_files(files: dict[str, Path], as_json: bool) -> None:
    if as_json:
        print_json({form: str(path) for form, path in files.items()})
        return
    for path in files.values():
        print_text(f"wrote {path}")
