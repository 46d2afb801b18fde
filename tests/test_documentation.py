"""What the documentation shows is what happens: console examples are run, pictures drawn and tables made again."""

import os
import re
import shlex
import shutil
import subprocess
import sys
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

import pytest

import worldwise
from patience import PATIENCE
from processes import worldwise as run_worldwise
from worldwise import ALGORITHMS, algorithm, game, solve_game
from worldwise.catalog import Figure, figures, tree
from worldwise.core.statistics import Estimate
from worldwise.extensive import GAME_ALGORITHMS
from worldwise.extensive.judging import judge_solution
from worldwise.extensive.views.svg import game_svg
from worldwise.lab.experiment import ClaimOutcome
from worldwise.lab.papers import load, load_all
from worldwise.lab.results import shipped_results
from worldwise.lab.table import FEW, DataTable, Share
from worldwise.lab.views.report import picture
from worldwise.lab.views.text import cell_words
from worldwise.search.strategy import trace
from worldwise.trees.solving import judge
from worldwise.trees.views.svg import tree_svg

ROOT = Path(__file__).parents[1]
PAGES = [
    ROOT / "README.md",
    ROOT / "CONTRIBUTING.md",
    *(page for page in sorted((ROOT / "docs").rglob("*.md")) if "_build" not in page.parts),
]
BLOCK = re.compile(r"^```console\n(.*?)^```$", re.DOTALL | re.MULTILINE)
ADVICE = re.compile(r"^```text\n(\$ worldwise advise .*?)^```$", re.DOTALL | re.MULTILINE)
"""Advice on whole deals, which only the kernels give in the time there is."""

TIME = re.compile(r"[\d.e+-]+(?= s$)|[\d.]+(?= │$)", re.MULTILINE)
"""The seconds of one result, and the last column of a table of results."""

ENVIRONMENT = {
    **{name: value for name, value in os.environ.items() if name not in ("FORCE_COLOR", "WORLDWISE_KERNELS")},
    "COLUMNS": "100",
    "NO_COLOR": "1",
    "PYTHONIOENCODING": "utf-8",
    "PYTHONPATH": "",
}
SET_UP = ("make", "pip")
"""Commands that are shown but not run: they are how this test came to run."""


def page_name(page):
    return str(page.relative_to(ROOT))


def steps(page, blocks=BLOCK):
    """The commands a page shows, in order, each with the output it shows."""
    for block in blocks.findall(page.read_text("utf-8")):
        for step in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            command, _, shown = step.partition("\n")
            yield command, shown


def run(command, folder):
    """What a command prints, errors included, and its exit code; ``printf TEXT |`` before it is what is typed."""
    typed, _, command = command.rpartition(" | ")
    stdin = shlex.split(typed)[1].replace("\\n", "\n").encode() if typed else b""
    words = shlex.split(command)
    switches = {}
    while "=" in words[0]:
        name, _, switches[name] = words.pop(0).partition("=")
    if words[0] == "worldwise":
        switches = {**ENVIRONMENT, **switches}
        done = run_worldwise(*words[1:], cwd=folder, environment=switches, stdin=stdin, together=True)
        return done.stdout, done.returncode
    assert words[0] == "python"
    done = subprocess.run(
        [sys.executable, *words[1:]],
        cwd=folder,
        env={**ENVIRONMENT, **switches},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        timeout=PATIENCE,
        check=False,
    )
    return done.stdout, done.returncode


def plain(text):
    """A text without what may differ from run to run: times, and widths that follow from them."""
    lines = "\n".join(line.rstrip() for line in text.strip("\n").splitlines())
    return re.sub(r"([━─ ])\1+", r"\1", TIME.sub("TIME", lines))


def same(shown, printed):
    """Whether this is what was printed, ``...`` standing for anything."""
    pattern = ".*".join(map(re.escape, plain(shown).split("...")))
    return re.fullmatch(pattern, plain(printed), re.DOTALL) is not None


@pytest.mark.parametrize("page", [page for page in PAGES if any(steps(page))], ids=page_name)
def test_console_examples(page, tmp_path):
    shutil.copytree(ROOT / "examples", tmp_path / "examples")
    code, failed = 0, ""
    for command, shown in steps(page):
        if command.split()[0] in SET_UP:
            continue
        if command == "echo $?":
            assert shown.strip() == str(code), failed
            code = 0
            continue
        assert code == 0, failed
        printed, code = run(command, tmp_path)
        failed = f"{page_name(page)}: $ {command}\nexit code {code}, printed:\n{printed}"
        assert same(shown, printed), failed
    assert code == 0, failed


@pytest.mark.parametrize("page", [page for page in PAGES if any(steps(page, ADVICE))], ids=page_name)
def test_advice_that_is_shown(needs_kernels, page, tmp_path):
    """A figure or a plan that advice no longer gives is out of date."""
    for command, shown in steps(page, ADVICE):
        printed, code = run(command, tmp_path)
        assert code == 0
        assert same(shown, printed), f"{page_name(page)}: $ {command}\nprinted:\n{printed}"


IMAGES = ROOT / "docs" / "images"


@pytest.mark.parametrize("picture", sorted(IMAGES.glob("fig-*.svg")), ids=lambda path: path.stem)
def test_pictures_are_what_the_command_draws(picture):
    """``fig-10-monte-carlo.svg`` is made by ``worldwise tree show fb01/fig-10 --algorithm monte-carlo --svg ...``."""
    number, name = re.fullmatch(r"(fig-\d+)-(.*)", picture.stem).groups()
    shape = tree(f"fb01/{number}")
    drawn = tree_svg(shape, trace(algorithm(name), shape))
    assert picture.read_text("utf-8") == drawn, (
        f"run: worldwise tree show fb01/{number} --algorithm {name} --svg {picture}"
    )


@pytest.mark.parametrize("picture", sorted(IMAGES.glob("bmv96-*.svg")), ids=lambda path: path.stem)
def test_pictures_of_games_are_what_the_command_draws(picture):
    """``bmv96-fig-3-imp-minimax.svg`` is made by ``worldwise game show bmv96/fig-3 --solve imp-minimax --svg ...``."""
    name = next(name for name in GAME_ALGORITHMS if picture.stem.endswith(f"-{name}"))
    source = picture.stem.removesuffix(f"-{name}").replace("-", "/", 1)
    drawn = game_svg(game(source), judge_solution(game(source), name, solve_game(game(source), name)))
    assert picture.read_text("utf-8") == drawn, f"run: worldwise game show {source} --solve {name} --svg {picture}"


@pytest.mark.parametrize("page", PAGES, ids=page_name)
def test_links_to_files_lead_somewhere(page):
    text = re.sub(r"^```.*?^```$", "", page.read_text("utf-8"), flags=re.DOTALL | re.MULTILINE)
    targets = re.findall(r"\]\(([^)#\s]+)[^)]*\)|src=\"([^\"]+)\"", text)
    local = [target for target in map("".join, targets) if not re.match(r"[a-z]+:", target)]
    assert [target for target in local if not (page.parent / target).exists()] == []


@pytest.mark.parametrize("page", ["docs/tour.md", "CONTRIBUTING.md"])
def test_every_room_that_is_named_is_there(page):
    """In the tables and walks a room is written as a path below the package, a module without its ending."""
    named = re.findall(r"`((?:[a-z_]+/)+[a-z_.]+?)(?:\.py)?/?`", (ROOT / page).read_text("utf-8"))
    source = Path(worldwise.__file__).parent
    known = {name for name in named for top in (source, ROOT) if (top / name).exists() or (top / f"{name}.py").exists()}
    assert len(named) > 5
    assert sorted(set(named) - known) == []


def test_the_four_walks_are_short():
    """From module to module, ten at most, each of which is there; only the room of the kernels is a single file."""
    part = (ROOT / "docs" / "tour.md").read_text("utf-8").partition("## Four walks")[2].partition("\n## ")[0]
    walks = [re.findall(r"`([\w/]+)`", walk) for walk in part.split("\n\n") if "` → `" in walk]
    assert [len(walk) for walk in walks if len(walk) > 10] == []
    assert len(walks) == 4
    source = Path(worldwise.__file__).parent
    assert [hop for walk in walks for hop in walk if not {source / hop, source / f"{hop}.py"} & set(modules())] == []


def modules():
    """Folders and files of the package."""
    return (path for path in Path(worldwise.__file__).parent.rglob("*") if path.is_dir() or path.suffix == ".py")


def test_the_picture_of_the_house_has_every_room():
    picture = (ROOT / "docs" / "images" / "house.svg").read_text("utf-8")
    drawn = set(re.findall(r'font-weight="bold"[^>]*>(\w+)<', picture))
    source = Path(worldwise.__file__).parent
    rooms = {path.parent.name for path in source.glob("*/__init__.py")}
    assert rooms <= drawn
    assert all((source / name).exists() or (source / f"{name}.py").exists() for name in drawn)


def test_every_public_name_is_documented():
    page = (ROOT / "docs" / "api.md").read_text("utf-8")
    listed = re.findall(r"^\.\. auto\w+:: (?:[\w.]+\.)?(\w+)$", page, re.MULTILINE)
    assert sorted(set(worldwise.__all__) - set(listed)) == []


# ---------------------------------------------------------------------- docs/papers/fb01.md


def figure_rows(entry: Figure):
    """The rows of one tree: who gets which outcome, best first, and why not more; of a figure, what the papers say."""
    by_outcome = {}
    for verdict in judge(entry.tree):
        by_outcome.setdefault((verdict.result.value, str(verdict.result.vector)), []).append(verdict)
    said = {answer.algorithm for answer in entry.answers if answer.knowledge == 1}
    first = f"`{entry.name}`"
    for (value, vector), verdicts in sorted(by_outcome.items(), reverse=True):
        names = [verdict.result.algorithm for verdict in verdicts]
        others = [name for name in ALGORITHMS if name not in names]
        who = ", ".join(names) if len(others) > 2 else f"all but {', '.join(others)}" if others else "all"
        row = [first, vector, f"{value:.3g}", who]
        if not entry.name.startswith("ours/"):
            why = sorted({verdict.failure for verdict in verdicts if verdict.failure})
            row += [", ".join(why) or "optimal", ", ".join(name for name in names if name in said)]
        yield f"| {' | '.join(row)} |"
        first = ""


@pytest.mark.parametrize("ours", [False, True], ids=["figures", "ours"])
def test_table_of_figures(ours):
    page = (ROOT / "docs" / "papers" / "fb01.md").read_text("utf-8")
    entries = [entry for entry in figures().values() if entry.name.startswith("ours/") == ours]
    rows = "\n".join(row for entry in entries for row in figure_rows(entry))
    assert rows in page, f"docs/papers/fb01.md should show:\n{rows}"


# ---------------------------------------------------------------------- the experiments, run at paper scale


LAB_PAGES = [*sorted((ROOT / "docs" / "papers").glob("*.md")), ROOT / "docs" / "laboratory.md"]
LAB_PICTURES = ROOT / "docs" / "images" / "lab"
EXPERIMENTS = load_all()
OF_EXPERIMENT = pytest.mark.parametrize("experiment", EXPERIMENTS, ids=lambda experiment: experiment.id)
LARGEST = 300_000
"""Bytes of a picture."""


def picture_stem(experiment):
    return experiment.id.replace("/", "-")


def lab_part(experiment):
    """What the documentation says of an experiment: from its picture to the next heading."""
    for page in LAB_PAGES:
        if found := re.search(
            rf"images/lab/{picture_stem(experiment)}\.\w+$(.*?)(?:^##|\Z)", page.read_text("utf-8"), re.M | re.S
        ):
            return found[1]
    raise AssertionError(f"no page shows the picture of {experiment.id}")


def table_rows(text):
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in text.splitlines() if line.startswith("|")]


def test_lab_pictures_are_those_of_the_experiments():
    pictures = sorted(LAB_PICTURES.iterdir())
    assert sorted(picture.stem for picture in pictures) == sorted(map(picture_stem, EXPERIMENTS))
    assert [picture.name for picture in pictures if picture.stat().st_size > LARGEST] == []
    shown = set(re.findall(r"images/lab/([\w.-]+)", "".join(page.read_text("utf-8") for page in PAGES)))
    assert shown == {picture.name for picture in pictures}


@OF_EXPERIMENT
def test_every_claim_has_its_verdict(experiment):
    """In the words and the order of the experiment, each with one of the three outcomes and figures."""
    rows = [row for row in table_rows(lab_part(experiment)) if len(row) == 3 and row[1] in set(ClaimOutcome)]
    assert [row[0] for row in rows] == [claim.text for claim in experiment.claims]
    assert all(figures for *_, figures in rows)


def published_table(text):
    """The table of a part that has the paper's figures and ours: its header, and its rows."""
    tables = [table_rows(table) for table in text.split("\n\n")]
    header, _rule, *rows = next(table for table in tables if table and table[0][3:5] == ["paper", "ours"])
    return header, rows


def are_rates(experiment):
    """Whether the published numbers are rates with a tolerance, not counts that are right or wrong."""
    return not experiment.published.rows or "tolerance" in experiment.published.columns


@pytest.mark.parametrize(
    "experiment", [one for one in EXPERIMENTS if are_rates(one)], ids=lambda experiment: experiment.id
)
def test_published_numbers_are_those_of_the_csv(experiment):
    """And what is said of ours follows from the figures shown."""
    header, rows = published_table(lab_part(experiment)) if experiment.published.rows else ([], [])
    assert len(rows) == len(experiment.published.rows)
    for (*point, paper, ours, said), record in zip(rows, experiment.published.records(), strict=True):
        assert point == [str(record[name]) for name in header[:3]]
        *names, rate = list(record)[: list(record).index("tolerance")]
        assert paper == cell_words(Share(record[rate]))
        figures = [float(number) / 100 for number in re.findall(r"-?[\d.]+", ours)]  # none where nothing was measured
        estimates = [Estimate(*figures, FEW, percent=True)] if figures else []
        summary = DataTable((*names, rate), tuple((*(record[name] for name in names), one) for one in estimates))
        (note,) = experiment.compare(summary, DataTable(tuple(record), (tuple(record.values()),))).column("note")
        assert note.startswith(said), point


@pytest.mark.parametrize(
    "experiment", [one for one in EXPERIMENTS if not are_rates(one)], ids=lambda experiment: experiment.id
)
def test_published_counts_are_those_of_the_csv(experiment):
    rows = [row for row in table_rows(lab_part(experiment)) if row[-1] in ("agrees", "ours is higher", "ours is lower")]
    assert [row[:-2] for row in rows] == [[cell_words(cell) for cell in row] for row in experiment.published.rows]
    for *_, paper, ours, said in rows:
        if paper == ours:
            assert said == "agrees"
        else:
            less, more = sorted((paper, ours), key=lambda count: float(count.replace(",", "")))
            assert (less, more, said) in ((paper, ours, "ours is higher"), (ours, paper, "ours is lower"))


SHIPPED = [one for one in EXPERIMENTS if shipped_results(one)]


@pytest.mark.parametrize("experiment", SHIPPED, ids=lambda experiment: experiment.id)
def test_documents_say_what_the_shipped_rows_say(experiment):
    """Every figure and every verdict; if not, ``make results`` writes them anew."""
    results, rows = shipped_results(experiment), table_rows(lab_part(experiment))
    shown = [[cell_words(cell) for cell in row] for row in results.digest.rows]
    assert [row for row in shown if row not in rows] == []
    verdicts = [row[1] for row in rows if len(row) == 3 and row[1] in set(ClaimOutcome)]
    assert verdicts == [verdict.outcome for verdict in results.verdicts]


def test_generated_parts_are_what_the_shipped_rows_make(refresh):
    """``make results`` writes them; this says when they are stale."""
    results = [shipped_results(experiment) for experiment in SHIPPED]
    for page in (page for page in PAGES if page.suffix == ".md"):
        text = page.read_text("utf-8")
        stale = [one.experiment.id for one in results if refresh.refreshed(text, one) != text]
        assert not stale, f"{page_name(page)} is stale in {', '.join(stale)}: make results"


@pytest.mark.parametrize("experiment", SHIPPED, ids=lambda experiment: experiment.id)
def test_lab_pictures_are_what_the_shipped_rows_draw(experiment):
    """``make results`` draws them anew; every matplotlib draws a little differently, and a picture names its own."""
    text = (LAB_PICTURES / f"{picture_stem(experiment)}.svg").read_text("utf-8")
    drawn = picture(shipped_results(experiment), "svg").decode()
    (old,), (new,) = (re.findall(r"Matplotlib v[\d.]+", one) for one in (text, drawn))
    if old != new:
        pytest.skip(f"drawn by {old}, here is {new}")
    assert text == drawn, "stale: make results"


def test_a_stale_page_is_noticed(refresh):
    """A number of rows, or a verdict, that the rows do not bear out; refreshing it mends it."""
    text, results = (ROOT / "docs" / "papers" / "clv21.md").read_text("utf-8"), shipped_results(load("clv21/table-4"))
    before, line, after = text.partition("The run: 4,000 rows")
    assert line
    for changed in (f"{before}The run: 3,999 rows{after}", before + line + after.replace("| holds |", "| fails |", 1)):
        assert changed != text
        assert refresh.refreshed(changed, results) == text


@pytest.fixture(scope="module")
def refresh():
    """``docs/refresh.py``, which ``make results`` runs."""
    spec = spec_from_file_location("docs_refresh", ROOT / "docs" / "refresh.py")
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_score_is_the_sum_of_the_verdicts(refresh):
    verdicts = [
        row[1] for e in EXPERIMENTS for row in table_rows(lab_part(e)) if row[1:2] and row[1] in set(ClaimOutcome)
    ]
    counts = [verdicts.count(outcome) for outcome in ClaimOutcome]
    score = "of {} claims {} hold, {} fail, and {} are undecided".format(len(verdicts), *counts)
    text = (ROOT / "README.md").read_text("utf-8")
    assert score in " ".join(text.split()), "stale: make results"
    assert refresh.with_score(re.sub(r"\d+(?=\s+hold,)", "7", text), verdicts) == text
