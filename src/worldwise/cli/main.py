"""The command line: ``worldwise --help``. It reads, calls and prints; what is computed is computed elsewhere.

Exit codes: 0 fine, 1 a negative answer (or none within the limit), 2 bad input.
"""

from __future__ import annotations

import os
import re
import sys
from contextlib import nullcontext, suppress
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NoReturn

import typer
from rich.padding import Padding
from rich.text import Text

import worldwise
from worldwise import catalog, kernels
from worldwise.bridge.advice.advise import advise
from worldwise.bridge.suit.rules import Suit
from worldwise.bridge.suit.solver import SuitSolver
from worldwise.bridge.suit.trees import suit_algorithms
from worldwise.bridge.suit.views.json import algorithm_json
from worldwise.bridge.views.advice_json import advice_json
from worldwise.cli.any_game import match_command, play_command
from worldwise.cli.batch import batch_command
from worldwise.cli.bridge.advise import advise_command
from worldwise.cli.bridge.atlas import atlas_app
from worldwise.cli.bridge.commands import bridge_app
from worldwise.cli.bridge.drill import drill_command
from worldwise.cli.bridge.suit import suit_command
from worldwise.cli.demo import demo_text
from worldwise.cli.exploit import exploit_command
from worldwise.cli.game import game_app
from worldwise.cli.group import CommandGroup
from worldwise.cli.kriegspiel.commands import kriegspiel_app
from worldwise.cli.lab import lab_app
from worldwise.cli.output import SafeConsole, forgive_letters, print_json, print_text, speaks_unicode, warn
from worldwise.cli.web import web_command
from worldwise.core.durable_files import write_file
from worldwise.core.reading import read_exact, read_whole, shorten
from worldwise.core.result import Limit
from worldwise.errors import InputError, LimitReachedError, UnknownNameError, WorldwiseError, say_where
from worldwise.extensive.judging import judge_solution
from worldwise.extensive.solving import solve_game
from worldwise.extensive.views.json import solution_json
from worldwise.lab.user_code import blame, is_place, ready_searcher
from worldwise.search.algorithms import ALGORITHMS, algorithm
from worldwise.search.knowledge import known_worlds
from worldwise.search.monte_carlo import MonteCarlo
from worldwise.search.random_ties import Ties
from worldwise.search.strategy import trace
from worldwise.trees.generator import random_tree
from worldwise.trees.notation import MOST_CHARACTERS, read_tree, write_tree
from worldwise.trees.solving import judge
from worldwise.trees.views.figure import MOST_LEAVES
from worldwise.trees.views.results import comparison_table, reason_lines, result_json, result_table
from worldwise.trees.views.svg import MOST_WORLDS, tree_svg
from worldwise.trees.views.text import tree_text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from worldwise.bridge.advice.record import Advice
    from worldwise.bridge.rules.board import Board
    from worldwise.bridge.suit.trees import SuitResult
    from worldwise.core.result import Searcher, SearchResult
    from worldwise.extensive.judging import JudgedSolution
    from worldwise.trees.solving import Judgement
    from worldwise.trees.world_tree import WorldTree

app = typer.Typer(
    cls=CommandGroup,
    no_args_is_help=True,
    rich_markup_mode="markdown",
    pretty_exceptions_enable=False,
)
tree_app = typer.Typer(
    cls=CommandGroup,
    help="Possible-world game trees.",
    epilog="Example: `worldwise tree solve fb01/fig-24 --algorithm all`",
    no_args_is_help=True,
)
app.add_typer(tree_app, name="tree")
app.add_typer(game_app, name="game")
app.command("suit", epilog="Example: `worldwise suit AKQ9 32 --tricks 4`")(suit_command)
app.command("drill", epilog="Example: `worldwise drill --level 2`")(drill_command)
app.add_typer(atlas_app, name="atlas")
app.command("advise", epilog="Example: `worldwise advise deals/two-way-guess`")(advise_command)
app.add_typer(bridge_app, name="bridge")
app.add_typer(kriegspiel_app, name="kriegspiel")
app.add_typer(lab_app, name="lab")
game_app.command("exploit", epilog="Example: `worldwise game exploit openspiel:kuhn_poker alphamu random`")(
    exploit_command
)
app.command("play", epilog="Example: `worldwise play examples/mini_whist.py:MiniWhist --against alphamu`")(play_command)
app.command("match", epilog="Example: `worldwise match openspiel:kuhn_poker alphamu random --deals 50`")(match_command)
app.command("batch", epilog="Example: `worldwise batch suit < suits.txt`")(batch_command)
app.command("web", epilog="Example: `worldwise web`")(web_command)

Source = Annotated[str, typer.Argument(metavar="FILE|NAME|-", help="A JSON file, a figure by name, or - for stdin.")]
Json = Annotated[bool, typer.Option("--json", help="Print JSON instead of text.")]
Seed = Annotated[int | None, typer.Option(help="Break ties at random, and draw what is drawn, by this seed.")]


def main() -> NoReturn:
    """Run the command line; every error of ours is one line on stderr."""
    forgive_letters()
    try:
        _check_completion()
        app(prog_name="worldwise")
    except WorldwiseError as error:
        warn(str(error))
        sys.exit(2 if isinstance(error, InputError) else 1)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # the reader has left: nothing more to say
        sys.exit(0)
    sys.exit(0)


def _check_completion() -> None:
    """A shell that wants a word completed says in its environment which."""
    asked, words, place = (os.environ.get(name, "") for name in ("_WORLDWISE_COMPLETE", "COMP_WORDS", "COMP_CWORD"))
    if asked == "complete_bash" and not (words and re.fullmatch("[0-9]{1,9}", place)):
        raise InputError(f"expected COMP_WORDS and COMP_CWORD as bash sets them, found {words!r} and {place!r}")


def _version(wanted: bool) -> None:
    if wanted:
        SafeConsole().print(f"worldwise {worldwise.__version__} ({kernels.describe()})", highlight=False)
        raise typer.Exit


@app.callback()
def worldwise_command(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Say the version and which kernels run.")
    ] = False,
) -> None:
    """What should I play when I cannot see everything?

    Example: `worldwise suit AQT9 432`
    """


@app.command(epilog="Example: `worldwise demo`")
def demo(as_json: Json = False) -> None:
    """A short guided show of what worldwise does, on shipped examples."""
    if as_json:
        results = [result_json(tree, verdict) for tree, verdicts in _demo_trees() for verdict in verdicts]
        solver, tried = _demo_suit()
        suits = [algorithm_json(solver.suit, solver.goal(4), result) for result in tried]
        print_json(results + list(map(solution_json, _demo_game())) + suits + [advice_json(_demo_deal()[1])])
    else:
        shown = demo_text(_demo_trees(), _demo_game(), *_demo_suit(), _demo_deal(), ascii=not speaks_unicode())
        _console().print(shown)


def _demo_trees() -> list[tuple[WorldTree, list[Judgement]]]:
    trees = [catalog.tree(name) for name in ("fb01/fig-10", "fb01/fig-24")]
    return [(tree, judge(tree)) for tree in trees]


def _demo_game() -> list[JudgedSolution]:
    g2 = catalog.game("bmv96/fig-2-g2")
    return [judge_solution(g2, name, solve_game(g2, name)) for name in ("chance-minimax", "brute-force")]


def _demo_suit() -> tuple[SuitSolver, list[SuitResult]]:
    suit = Suit.of("AKQ9", "32")
    return SuitSolver(suit), suit_algorithms(suit, 4, ("monte-carlo", "vector-mm", "iprm-beta", "exact"))


def _demo_deal() -> tuple[Board, Advice]:
    lesson = catalog.deal("deals/discovery")
    enough = Limit(nodes=20_000)  # with kernels and without: the same advice
    return lesson.board, advise(lesson.view, constraints=lesson.constraints, limit=enough, planning=False, trying=False)


@tree_app.command("list", epilog="Example: `worldwise tree list`")
def list_figures(as_json: Json = False) -> None:
    """The papers' figures that are known by name."""
    figures = catalog.figures().values()
    if as_json:
        print_json([{"name": figure.name, "aliases": figure.aliases, "caption": figure.caption} for figure in figures])
        return
    for figure in figures:
        names = ", ".join([figure.name, *figure.aliases])
        _console().print(Padding(Text(names, style="bold"), 0), Padding(Text(figure.caption), (0, 0, 0, 4)))


@tree_app.command(epilog="Example: `worldwise tree show fb01/fig-18 --algorithm vector-mm --svg fig18.svg`")
def show(
    source: Source,
    algorithm_name: Annotated[
        str | None,
        typer.Option("--algorithm", help="Show this algorithm's vectors and chosen branches (a figure: exact's)."),
    ] = None,
    svg: Annotated[Path | None, typer.Option(help="Write a figure like the papers' to this file.")] = None,
    seed: Seed = None,
    seconds: Annotated[float, typer.Option(min=0, help="Stop the algorithm after this many seconds.")] = 30,
    as_json: Json = False,
) -> None:
    """Draw a tree in the terminal, or as an SVG figure."""
    tree = _load(source)
    result = trace(algorithm(algorithm_name, Ties(seed)), tree, Limit(seconds)) if algorithm_name else None
    if svg:
        write_file(svg, tree_svg(tree, result or _best_if_small(tree, min(seconds, 5))))
    if as_json:
        print_text(write_tree(tree))
    elif svg:
        _console().print(f"wrote {svg}", highlight=False)
    else:
        _console().print(tree_text(tree, result, ascii=not speaks_unicode()))


def _best_if_small(tree: WorldTree, seconds: float) -> SearchResult | None:
    """What a figure shows if nothing else is asked for: the optimum; or the bare tree if that takes long."""
    if tree.leaves > MOST_LEAVES or tree.worlds > MOST_WORLDS:  # it will not be drawn
        return None
    try:
        return trace(algorithm("exact"), tree, Limit(seconds))
    except LimitReachedError:
        return None


@tree_app.command("solve", epilog="Example: `worldwise tree solve fb01/fig-24 --algorithm all`")
def solve_tree(
    source: Source,
    algorithm_name: Annotated[
        str,
        typer.Option(
            "--algorithm",
            help=f"One of: {', '.join(ALGORITHMS)}; all, side by side; or one of your own: FILE.py:NAME.",
        ),
    ] = "exact",
    knowledge: Annotated[
        str, typer.Option(help="How much MIN knows, i/(n-1) for i of n worlds: 0, 5/9, 1 ... Which ones, --seed draws.")
    ] = "1",
    known: Annotated[str | None, typer.Option(help="The worlds MIN knows, by name or number from 1: 1,3,4.")] = None,
    samples: Annotated[int | None, typer.Option(min=1, help="monte-carlo: sample this many worlds.")] = None,
    seed: Seed = None,
    seconds: Annotated[float | None, typer.Option(min=0, help="Stop after this many seconds.")] = None,
    nodes: Annotated[int | None, typer.Option(min=1, help="Stop after this many nodes.")] = None,
    as_json: Json = False,
) -> None:
    """What to play, what the algorithm believes it is worth, and what it is truly worth."""
    searches = _searches(algorithm_name, samples, seed)
    tree, limit = _load(source), Limit(seconds, nodes)
    worlds = _worlds_known(tree, knowledge, known, seed)
    against = "best defence" if worlds is None else f"a MIN who knows {_world_list(tree, worlds)}"
    with blame(algorithm_name) if is_place(algorithm_name) else nullcontext():
        verdicts = judge(tree, searches, seed=seed, known=worlds, limit=limit)
    if as_json:
        rows = [result_json(tree, verdict) for verdict in verdicts]
        print_json(rows if algorithm_name == "all" else rows[0])
    elif algorithm_name == "all":
        _console().print(comparison_table(tree, verdicts, against))
        for line in reason_lines(tree, verdicts):
            _console().print(Text(line))
    else:
        _console().print(result_table(tree, verdicts[0], against))


def _searches(name: str, samples: int | None, seed: int | None) -> Sequence[str | Searcher]:
    """The algorithms that a user means: one of ours, all of them, or one of his own."""
    if samples is not None and name != "monte-carlo":
        raise InputError(f"--samples goes with --algorithm monte-carlo, found {name}")
    if is_place(name):
        with say_where("--algorithm"):
            return [ready_searcher(name, Ties(seed))]
    if name not in (*ALGORITHMS, "all"):
        raise UnknownNameError("algorithm", name, (*ALGORITHMS, "all"))
    if samples is not None:
        return [MonteCarlo(samples, seed or 0, Ties(seed))]
    return ALGORITHMS if name == "all" else [name]


@tree_app.command("random", epilog="Example: `worldwise tree random --depth 5 --worlds 10 --seed 1 --out tree.json`")
def random_command(
    depth: Annotated[int, typer.Option(help="Moves from the root to every leaf.")] = 5,
    worlds: Annotated[int, typer.Option(help="How many worlds.")] = 10,
    branching: Annotated[int, typer.Option(help="Branches at every node.")] = 2,
    similarity: Annotated[float, typer.Option(help="The chance that a world copies the common one (FB01's q).")] = 0.0,
    seed: Annotated[int, typer.Option(help="The same seed gives the same tree.")] = 0,
    out: Annotated[Path | None, typer.Option(help="Write to this file instead of the terminal.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="With --out: describe what was written as JSON.")] = False,
) -> None:
    """A random tree as in FB01 sections 4 and 8.3, in the JSON notation."""
    tree = random_tree(depth, worlds, branching=branching, similarity=similarity, seed=seed)
    if out is None:
        print_text(write_tree(tree))
        return
    write_file(out, write_tree(tree) + "\n")
    if as_json:
        print_json({"out": str(out), "nodes": len(tree), "leaves": tree.leaves, "worlds": worlds, "seed": seed})
    else:
        _console().print(f"wrote {out}: {len(tree):,} nodes, {tree.leaves:,} leaves, {worlds} worlds", highlight=False)


# ---------------------------------------------------------------------- reading and printing


def _load(source: str) -> WorldTree:
    """The tree a user means: standard input, a figure of the papers, or a file."""
    if source == "-":
        return read_tree(sys.stdin.buffer)
    path = Path(source)
    if not os.path.exists(source):  # unlike Path's, it takes a name that no file can have
        try:
            return catalog.tree(source)
        except UnknownNameError as error:
            raise InputError(f"no such file, and {error}") from None
    try:
        size = path.stat().st_size
        if size > MOST_CHARACTERS:
            raise InputError(f"expected at most {MOST_CHARACTERS >> 20} MiB, found {size >> 20}")
        with path.open("rb") as file:
            return read_tree(file)
    except OSError as error:
        raise InputError(f"{source}: {error.strerror}") from None
    except InputError as error:
        raise InputError(f"{source}: {error}") from None


def _worlds_known(tree: WorldTree, knowledge: str, known: str | None, seed: int | None) -> tuple[int, ...] | None:
    """The worlds MIN knows; None for all of them."""
    if known is not None:
        labels = [tree.world_label(world) for world in range(tree.worlds)]
        return tuple(sorted({_world(labels, name.strip()) for name in known.split(",") if name.strip()}))
    with say_where("--knowledge"):
        level = Fraction(read_exact(knowledge))
    return None if level == 1 else known_worlds(tree.worlds, level, seed or 0)


def _world(labels: list[str], name: str) -> int:
    if name in labels:
        return labels.index(name)
    with suppress(InputError):
        return read_whole(name, 1, len(labels)) - 1
    raise InputError(f"--known: expected worlds from {labels[0]} to {labels[-1]}, found {shorten(name)}")


def _world_list(tree: WorldTree, worlds: tuple[int, ...]) -> str:
    return ", ".join(tree.world_label(world) for world in worlds) or "nothing"


def _console() -> SafeConsole:
    return SafeConsole()
