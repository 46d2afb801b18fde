"""The commands for possible-world trees: ``worldwise tree --help``."""

from __future__ import annotations

import os
import sys
from contextlib import nullcontext, suppress
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.padding import Padding
from rich.text import Text

from worldwise import catalog
from worldwise.cli.group import CommandGroup
from worldwise.cli.output import SafeConsole, print_json, print_text, speaks_unicode
from worldwise.core.durable_files import write_file
from worldwise.core.reading import read_exact, read_whole, shorten
from worldwise.core.result import Limit
from worldwise.errors import InputError, LimitReachedError, UnknownNameError, say_where
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

    from worldwise.core.result import Searcher, SearchResult
    from worldwise.trees.world_tree import WorldTree

tree_app = typer.Typer(
    cls=CommandGroup,
    help="Possible-world game trees.",
    epilog="Example: `worldwise tree solve fb01/fig-24 --algorithm all`",
    no_args_is_help=True,
)

Source = Annotated[str, typer.Argument(metavar="FILE|NAME|-", help="A JSON file, a figure by name, or - for stdin.")]
Json = Annotated[bool, typer.Option("--json", help="Print JSON instead of text.")]
Seed = Annotated[int | None, typer.Option(help="Break ties at random, and draw what is drawn, by this seed.")]


@tree_app.command("list", epilog="Example: `worldwise tree list`")
def list_figures(as_json: Json = False) -> None:
    """The papers' figures that are known by name."""
    figures = catalog.figures().values()
    if as_json:
        print_json([{"name": figure.name, "aliases": figure.aliases, "caption": figure.caption} for figure in figures])
        return
    for figure in figures:
        names = ", ".join([figure.name, *figure.aliases])
        SafeConsole().print(Padding(Text(names, style="bold"), 0), Padding(Text(figure.caption), (0, 0, 0, 4)))


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
        SafeConsole().print(f"wrote {svg}", highlight=False)
    else:
        SafeConsole().print(tree_text(tree, result, ascii=not speaks_unicode()))


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
    worlds = worlds_known(tree, knowledge, known, seed)
    against = "best defence" if worlds is None else f"a MIN who knows {_world_list(tree, worlds)}"
    with blame(algorithm_name) if is_place(algorithm_name) else nullcontext():
        verdicts = judge(tree, searches, seed=seed, known=worlds, limit=limit)
    if as_json:
        rows = [result_json(tree, verdict) for verdict in verdicts]
        print_json(rows if algorithm_name == "all" else rows[0])
    elif algorithm_name == "all":
        SafeConsole().print(comparison_table(tree, verdicts, against))
        for line in reason_lines(tree, verdicts):
            SafeConsole().print(Text(line))
    else:
        SafeConsole().print(result_table(tree, verdicts[0], against))


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
        SafeConsole().print(
            f"wrote {out}: {len(tree):,} nodes, {tree.leaves:,} leaves, {worlds} worlds", highlight=False
        )


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


def worlds_known(tree: WorldTree, knowledge: str, known: str | None, seed: int | None) -> tuple[int, ...] | None:
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
