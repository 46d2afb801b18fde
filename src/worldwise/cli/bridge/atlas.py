"""The commands for the atlas of suits: ``worldwise atlas --help``."""

from __future__ import annotations

import re
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from worldwise.bridge.suit.atlas.atlas import open_atlas
from worldwise.bridge.suit.atlas.building import ATLAS, EVERY, REVISIONS, AtlasRun, put_together
from worldwise.bridge.suit.atlas.exporting import export
from worldwise.bridge.suit.atlas.finding import EXTREMES, ORDERS, AtlasQuery, draw, find, read_length, top
from worldwise.bridge.suit.atlas.statistics import GROUPINGS, WEIGHINGS, group_statistics
from worldwise.bridge.suit.combination import Suit
from worldwise.bridge.suit.drill_levels import LEVELS
from worldwise.bridge.suit.views.atlas import (
    about_words,
    entry_json,
    entry_table,
    entry_words,
    found_json,
    found_table,
    row_json,
    statistics_json,
    statistics_table,
)
from worldwise.bridge.suit.views.text import suit_diagram
from worldwise.cli.group import CommandGroup
from worldwise.cli.output import SafeConsole, check_writable, print_json, print_text, say_left_out, speaks_unicode, warn
from worldwise.cli.progress import progress_bar
from worldwise.core.durable_files import make_folder
from worldwise.errors import InputError, PlacedError
from worldwise.lab.searched_suits import algorithms_json, algorithms_words, sample_json, sample_words
from worldwise.runs.runners import complete_file, runner

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rich.console import RenderableType

    from worldwise.bridge.suit.atlas.atlas import Atlas
    from worldwise.bridge.suit.atlas.finding import Found
    from worldwise.runs.runners import Runner


class AtlasGroup(CommandGroup):
    """A group in which two hands stand for the command that shows a suit."""

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """The command of the first word; cards are shown."""
        if args and args[0] not in self.commands:
            if not re.fullmatch(r"[-0-9TJQKAXtjqkax ]+", args[0]):
                known = ", ".join(self.commands)
                raise InputError(f"atlas: expected cards such as AQT9, or one of {known}, found {args[0]!r}")
            args = ["show", *args]
        return super().resolve_command(ctx, args)


atlas_app = typer.Typer(
    cls=AtlasGroup,
    help="Every suit combination there is, solved: `worldwise atlas AQT9 xxx`.",
    no_args_is_help=True,
    epilog="Example: `worldwise atlas AQT9 xxx`",
)

Json = Annotated[bool, typer.Option("--json", help="Print JSON instead of text.")]
File = Annotated[
    Path | None, typer.Option("--atlas", metavar="FILE", help="An atlas of your own; that of the package if not said.")
]
Missing = Annotated[
    str | None,
    typer.Option(metavar="CARDS", help='Of A K Q J the defenders have exactly these: "K J"; lower cards if named.'),
]
Length = Annotated[str | None, typer.Option(metavar="N", help="Your cards in both hands: 8, or 7..9.")]
Shape = Annotated[str | None, typer.Option(metavar="N-N", help="Your cards in each hand: 4-4.")]
Goal = Annotated[int | None, typer.Option(metavar="TRICKS", help="At least so many tricks.")]
Chance = Annotated[str | None, typer.Option(metavar="FROM..TO", help="The best chance in per cent: 45..55.")]

MOST_SHOWN = 10_000
"""Rows of a table in a terminal; ``atlas export`` has all of them."""


@atlas_app.command(epilog="Example: `worldwise atlas AQT9 xxx`")
def show(
    north: Annotated[str, typer.Argument(metavar="NORTH", help="North's cards: AQT9, A10x; x is a low card, - none.")],
    south: Annotated[str, typer.Argument(metavar="SOUTH", help="South's cards.")],
    file: File = None,
    as_json: Json = False,
) -> None:
    """One suit: every goal, exactly, how to begin, and what players without a plan get."""
    entry = open_atlas(file).entry(Suit.of(north, south))
    if as_json:
        print_json({**entry_json(entry), "algorithms": algorithms_json(entry.form.code)})
        return
    _print(suit_diagram(entry.suit, ascii=not speaks_unicode()), "", entry_table(entry), "", *entry_words(entry))
    if words := algorithms_words(entry.form.code):
        _print(words)


@atlas_app.command("find", epilog='Example: `worldwise atlas find --missing "K J" --length 8 --goal 4 --chance 45..55`')
def find_command(
    missing: Missing = None,
    length: Length = None,
    shape: Shape = None,
    goal: Goal = None,
    chance: Chance = None,
    sort: Annotated[str, typer.Option(metavar="|".join(ORDERS), help="Which come first.")] = "dealt",
    count: Annotated[int, typer.Option(min=1, max=MOST_SHOWN, help="How many to show.")] = 20,
    skip: Annotated[int, typer.Option(min=0, help="How many to leave out before them.")] = 0,
    file: File = None,
    as_json: Json = False,
) -> None:
    """Suits and goals that fit a description; without --goal and --chance, of each the highest uncertain goal."""
    atlas, wanted = open_atlas(file), _wanted(missing, length, shape, goal, chance)
    found = find(atlas, wanted, order=sort, count=count, skip=skip)
    _show_found(atlas, found, None, as_json, f"{found.total:,} goals fit")


@atlas_app.command("top", epilog="Example: `worldwise atlas top --by safety-gain --length 7..9`")
def top_command(
    by: Annotated[str, typer.Option(metavar="|".join(EXTREMES), help="What to rank them by.")] = "hardest",
    missing: Missing = None,
    length: Length = None,
    shape: Shape = None,
    goal: Goal = None,
    chance: Chance = None,
    count: Annotated[int, typer.Option(min=1, max=MOST_SHOWN, help="How many to show.")] = 10,
    file: File = None,
    as_json: Json = False,
) -> None:
    """The extremes: what seeing all cards would add, what sampling loses, what safety plays gain, the hardest.

    A suit is as hard as even the best of three players without a plan finds it: one samples, one takes the natural
    finesse, one plays for the drop. The figure is what he gives up.
    """
    atlas, wanted = open_atlas(file), _wanted(missing, length, shape, goal, chance)
    found = top(atlas, by, wanted, count=count)
    _show_found(atlas, found, by, as_json, f"of {found.total:,} suits that have any of it")


@atlas_app.command("random", epilog="Example: `worldwise atlas random --level 3 --seed 7`")
def random_command(
    level: Annotated[int, typer.Option(metavar="|".join(map(str, LEVELS)), help="How hard, as in the drill.")] = 3,
    missing: Missing = None,
    length: Length = None,
    shape: Shape = None,
    seed: Annotated[int, typer.Option(help="The same seed gives the same suit.")] = 0,
    file: File = None,
    as_json: Json = False,
) -> None:
    """A hard suit at random, the more often dealt the likelier, with a goal: to try before you look."""
    atlas, wanted = open_atlas(file), _wanted(missing, length, shape, None, None)
    with placed_option():
        row = row_json(atlas, draw(atlas, seed, level, wanted))
    if as_json:
        print_json(row)
        return
    suit = Suit.of(row["north"], row["south"])
    _print(suit_diagram(suit, ascii=not speaks_unicode()), f"You want {row['tricks']} tricks. How do you begin?")
    _print(f"The answer: worldwise suit {row['north']} {row['south']} --tricks {row['tricks']}")


@atlas_app.command(epilog="Example: `worldwise atlas stats --by honours --weigh dealt`")
def stats(
    by: Annotated[str, typer.Option(metavar="|".join(GROUPINGS), help="What suits are put together by.")] = "length",
    weigh: Annotated[
        str, typer.Option(metavar="|".join(WEIGHINGS), help="Suits count alike, or as often as they are dealt.")
    ] = "alike",
    file: File = None,
    as_json: Json = False,
) -> None:
    """Averages over all suits: by your length, by the honours that are missing, or by the lengths of the two hands."""
    found = group_statistics(open_atlas(file), by, weigh)
    if as_json:
        print_json(statistics_json(found))
    else:
        _print(statistics_table(found, by))


@atlas_app.command(epilog="Example: `worldwise atlas info --json`")
def info(file: File = None, as_json: Json = False) -> None:
    """How many combinations there are, and how and when the atlas was built."""
    about = {**open_atlas(file).about, "algorithms": sample_json()}
    if as_json:
        print_json(about)
    else:
        _print(*about_words(about), sample_words())


@atlas_app.command("export", epilog="Example: `worldwise atlas export suits.csv`")
def export_command(
    out: Annotated[Path, typer.Argument(metavar="FILE", help="Where to: .csv, or .parquet, which needs pyarrow.")],
    goals: Annotated[bool, typer.Option("--goals", help="A row for every goal, not for every combination.")] = False,
    file: File = None,
    as_json: Json = False,
) -> None:
    """The whole atlas as a table for other programs."""
    check_writable(out)
    rows = export(open_atlas(file), out, goals=goals)
    if as_json:
        print_json({"out": str(out), "rows": rows})
    else:
        _print(f"wrote {out}: {rows:,} rows")


# ---------------------------------------------------------------------- building


@atlas_app.command(epilog="Example: `worldwise atlas build --out my-atlas --jobs 2`")
def build(
    out: Annotated[Path, typer.Option(metavar="DIR", help="The folder of the work; the same command resumes.")] = Path(
        "atlas"
    ),
    jobs: Annotated[int | None, typer.Option(help="How many processes; all cores if not said.")] = None,
    cluster: Annotated[
        str | None, typer.Option(metavar="local|ADDRESS", help="Run on Dask: a local cluster, or a scheduler's.")
    ] = None,
    length: Annotated[str, typer.Option(metavar="N", help="Only suits of so many cards: 11..13.")] = "1..13",
    quiet: Annotated[bool, typer.Option("--quiet", help="Show no progress.")] = False,
    as_json: Json = False,
) -> None:
    """Solve every combination and play it without a plan: a quarter of an hour on two cores; it resumes."""
    shortest, longest = read_length(length)
    missing = tuple(cards for cards in EVERY if shortest <= 13 - cards <= longest)
    make_folder(out)
    check_writable(out / ATLAS)
    how = runner(jobs, cluster)
    for name in REVISIONS:
        _carry_out(AtlasRun(name, missing), out, how, quiet)
    about = put_together(out, missing)
    if as_json:
        print_json({"out": str(out / ATLAS), **about})
    else:
        _print(f"wrote {out / ATLAS}", *about_words(about))


def _carry_out(run: AtlasRun, out: Path, how: Runner, quiet: bool) -> None:
    """Work at what is missing; Ctrl-C ends the command, not the run."""
    path = out / run.file_name
    try:
        with progress_bar(run.of, "blocks", quiet=quiet) as progress:
            complete_file(path, run, how, progress, say_left_out)
    except KeyboardInterrupt:
        warn(f"interrupted; what is done is in {path}, and the same command resumes")
        raise typer.Exit(130) from None


# ---------------------------------------------------------------------- reading and printing


def _wanted(
    missing: str | None, length: str | None, shape: str | None, goal: int | None, chance: str | None
) -> AtlasQuery:
    with placed_option():
        return AtlasQuery.of(missing=missing, length=length, shape=shape, goal=goal, chance=chance)


@contextmanager
def placed_option() -> Iterator[None]:
    """Say what is wrong with an input as what is wrong with its option."""
    try:
        yield
    except PlacedError as error:
        raise InputError(f"--{error}") from None


def _show_found(atlas: Atlas, found: Found, by: str | None, as_json: bool, words: str) -> None:
    if as_json:
        print_json({"total": found.total, "found": found_json(atlas, found)})
    elif found.rows:
        _print(found_table(atlas, found, by), f"{len(found.rows)} shown; {words}")
    else:
        print_text("nothing fits")
    if not found.rows:
        raise typer.Exit(1)


def _print(*parts: RenderableType) -> None:
    console = SafeConsole()
    for part in parts:
        console.print(part, highlight=False)
