"""The commands for games in extensive form: ``worldwise game --help``.

Numbers are exact. In JSON a whole number is a number and any other one a string such as "1/2".
"""

from __future__ import annotations

import os
import sys
from fractions import Fraction
from io import TextIOWrapper
from math import log2
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.padding import Padding
from rich.text import Text

from worldwise import catalog
from worldwise.cli.group import CommandGroup
from worldwise.cli.output import SafeConsole, print_json, print_text, speaks_unicode
from worldwise.core.durable_files import write_file
from worldwise.core.reading import read_exact, read_whole
from worldwise.core.result import NO_LIMIT, Limit
from worldwise.errors import InputError, UnknownNameError, deep, placed
from worldwise.extensive import ImpModel, efg_text, from_world_game, write_efg, written_out
from worldwise.extensive.building import MOST_NODES
from worldwise.extensive.efg import efg_from_text, read_efg
from worldwise.extensive.imp_model import Uniform
from worldwise.extensive.judging import DEVIATION_LIMIT, judge_solution, report_on
from worldwise.extensive.recall import split
from worldwise.extensive.reductions import three_partition_game
from worldwise.extensive.sampling import check_sampler
from worldwise.extensive.solving import GAME_ALGORITHMS, solve_game
from worldwise.extensive.views.json import game_json, report_json, solution_json
from worldwise.extensive.views.svg import game_svg
from worldwise.extensive.views.text import game_text, report_table, solution_table
from worldwise.openspiel.games import OpenSpielForm, OpenSpielSampler, load_open_spiel
from worldwise.search.knowledge import known_worlds
from worldwise.trees.notation import read_tree

if TYPE_CHECKING:
    from collections.abc import Callable

    from rich.console import RenderableType

    from worldwise.extensive import ExtensiveGame
    from worldwise.extensive.judging import JudgedSolution
    from worldwise.trees.world_tree import WorldTree

game_app = typer.Typer(
    cls=CommandGroup, help="Games in extensive form: chance, players, information sets.", no_args_is_help=True
)

SOURCES = (
    "a .efg file, a game or tree by name, a .json tree, openspiel:NAME, imp-model:k=2,b=2,d=3, three-partition:6,8,7"
)

Source = Annotated[str, typer.Argument(metavar="GAME", help=f"{SOURCES[0].upper()}{SOURCES[1:]}; or - for stdin.")]
Knowledge = Annotated[
    str | None, typer.Option(help="Of a tree: how much MIN knows, i/(n-1) for i of n worlds; all if not said.")
]
Seed = Annotated[int | None, typer.Option(help="Of a tree with --knowledge: draws which worlds MIN knows.")]
Json = Annotated[bool, typer.Option("--json", help='Print JSON; numbers that are not whole are strings: "1/2".')]


@game_app.callback()
def game_command() -> None:
    """Games in extensive form: chance, players, information sets."""
    if isinstance(sys.stdout, TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")  # names may have letters that the terminal has not


@game_app.command("list", epilog="Example: `worldwise game list`")
def list_command(as_json: Json = False) -> None:
    """The papers' games that are known by name."""
    games = catalog.games()
    if as_json:
        print_json([{"name": name, "title": game.title, "comment": game.comment} for name, game in games.items()])
        return
    for name, game in games.items():
        lines = Text(f"{game.title}. {game.comment}")
        SafeConsole().print(Padding(Text(name, style="bold"), 0), Padding(lines, (0, 0, 0, 4)))


@game_app.command(epilog="Example: `worldwise game check bmv96/fig-2-g2`")
def check(source: Source, knowledge: Knowledge = None, seed: Seed = None, as_json: Json = False) -> None:
    """How large a game is, of what kind, and who forgets what; exit code 1 if somebody does."""
    report = report_on(load_game(source, knowledge, seed))
    _show(report_json(report) if as_json else report_table(report))
    if not report.perfect_recall:
        raise typer.Exit(1)


@game_app.command(epilog="Example: `worldwise game solve bmv96/fig-8 --algorithm imp-alpha-beta --upper 10`")
def solve(
    source: Source,
    algorithm: Annotated[
        str | None,
        typer.Option(
            help=f"One of: {', '.join(GAME_ALGORITHMS)}. If not said: imp-minimax for one player, chance-minimax for "
            "perfect information, otherwise pure-equilibrium."
        ),
    ] = None,
    upper: Annotated[
        str | None,
        typer.Option(help="imp-alpha-beta: no payoff is greater (10, 0.5, 1/3); the game's own if not said."),
    ] = None,
    knowledge: Knowledge = None,
    seed: Seed = None,
    seconds: Annotated[float | None, typer.Option(min=0, help="Stop after this many seconds.")] = None,
    nodes: Annotated[int | None, typer.Option(min=1, help="Stop after this many nodes.")] = None,
    as_json: Json = False,
) -> None:
    """What to play, what it is worth, and whether that is the best; exit code 1 if there is no answer, or it is no."""
    bound = None if upper is None else _number("--upper", upper)
    _check_algorithm(algorithm)
    game = load_game(source, knowledge, seed)
    result = _solve_and_judge(game, algorithm or default_algorithm(game), bound, Limit(seconds, nodes))
    _show(solution_json(result) if as_json else solution_table(result))
    if result.is_negative:
        raise typer.Exit(1)


@game_app.command(epilog="Example: `worldwise game show bmv96/fig-2-g2 --solve imp-minimax --svg g2.svg`")
def show(
    source: Source,
    svg: Annotated[Path | None, typer.Option(help="Write a figure like the paper's to this file.")] = None,
    solve_by: Annotated[
        str | None, typer.Option("--solve", metavar="ALGORITHM", help="Show what this algorithm chooses.")
    ] = None,
    knowledge: Knowledge = None,
    seed: Seed = None,
    seconds: Annotated[float, typer.Option(min=0, help="Stop the algorithm after this many seconds.")] = 30,
    as_json: Json = False,
) -> None:
    """Draw a game in the terminal, or as an SVG figure."""
    _check_algorithm(solve_by)
    game = load_game(source, knowledge, seed)
    result = _solve_and_judge(game, solve_by, limit=Limit(seconds)) if solve_by else None
    if svg:
        write_file(svg, game_svg(game, result))
    if as_json:
        print_json({**game_json(game), "solution": solution_json(result) if result else None})
    elif svg:
        print_text(f"wrote {svg}")
    else:
        _show(game_text(game, result.profile if result else None, ascii=not speaks_unicode()))


@game_app.command(epilog="Example: `worldwise game convert fb01/fig-11 fig-11.efg --knowledge 0`")
def convert(
    source: Source,
    target: Annotated[str, typer.Argument(metavar="FILE|-", help="The .efg file to write, or - for stdout.")],
    portable: Annotated[
        bool, typer.Option("--portable", help="Change names and the like so that Gambit and OpenSpiel both take it.")
    ] = False,
    split_players: Annotated[
        bool, typer.Option("--split", help="Replace each forgetful player by agents who forget nothing.")
    ] = False,
    knowledge: Knowledge = None,
    seed: Seed = None,
    as_json: Annotated[bool, typer.Option("--json", help="Describe as JSON what was written to a file.")] = False,
) -> None:
    """Write a game in Gambit's format; a file of that name is replaced."""
    if target == "-" and as_json:
        raise InputError("--json describes what was written to a file; expected a file, found - for stdout")
    game = load_game(source, knowledge, seed)
    game = split(game) if split_players else game
    if target == "-":
        sys.stdout.flush()
        sys.stdout.buffer.write(
            efg_text(game, portable=portable).encode()
        )  # the format is UTF-8, whatever the terminal
        return
    try:
        write_efg(game, target, portable=portable)
    except OSError as error:
        raise InputError(f"{target}: {error.strerror}") from None
    if as_json:
        print_json({"out": target, "nodes": len(game), "leaves": game.leaves, "players": list(game.players)})
    else:
        print_text(f"wrote {target}: {len(game):,} nodes, {game.leaves:,} leaves, {len(game.players)} players")


@game_app.command(epilog="Example: `worldwise game sampler openspiel:hearts --games 5`")
def sampler(
    source: Annotated[str, typer.Argument(metavar="openspiel:NAME", help="A game that OpenSpiel samples worlds of.")],
    games: Annotated[int, typer.Option(min=1, help="How many random games to play.")] = 20,
    samples: Annotated[int, typer.Option(min=1, help="How many samples to ask for at each turn.")] = 5,
    seed: Annotated[int, typer.Option(help="The same seed gives the same games and samples.")] = 0,
    as_json: Json = False,
) -> None:
    """Check a sampler of hidden worlds against the rules; exit code 1 if it is not good."""
    kind, _, name = source.partition(":")
    if kind != "openspiel" or not name:
        raise InputError(f"expected openspiel:NAME, whose sampler can be checked, found {source!r}")
    form = OpenSpielForm(name)
    report = check_sampler(form, OpenSpielSampler(form), games=games, samples=samples, seed=seed)
    if as_json:
        print_json(report.as_dict())
    else:
        print_text(str(report))
    if not report.is_good:
        raise typer.Exit(1)


# ---------------------------------------------------------------------- solving


def default_algorithm(game: ExtensiveGame) -> str:
    """What fits a game: the fast algorithm that is right for it, or else the search for an equilibrium."""
    if len(game.players) == 1:
        return "imp-minimax"
    perfect = all(len(game.nodes_of[number]) == 1 for number in game.information_sets())
    return "chance-minimax" if perfect else "pure-equilibrium"


def _check_algorithm(name: str | None) -> None:
    """Refuse a wrong name before a game is loaded, which may take a while."""
    if name is not None and name not in GAME_ALGORITHMS:
        raise UnknownNameError("algorithm", name, GAME_ALGORITHMS)


def _solve_and_judge(game: ExtensiveGame, algorithm: str, upper: Any = None, limit: Limit = NO_LIMIT) -> JudgedSolution:
    with deep():
        found = solve_game(game, algorithm, upper=upper, limit=limit)
        return judge_solution(game, algorithm, found, DEVIATION_LIMIT if limit == NO_LIMIT else limit)


# ---------------------------------------------------------------------- reading


def load_game(source: str, knowledge: str | None = None, seed: int | None = None) -> ExtensiveGame:
    """The game a user means: a file, a name, a rule with its parameters, or standard input."""
    found = _tree_or_game(source)
    if isinstance(found, tuple):
        tree, title = found
        return from_world_game(tree, _known_worlds(tree, knowledge, seed), title=tree.title or title)
    if knowledge is not None:
        raise InputError(f"--knowledge goes with a possible-world tree, and {source} is a game")
    return found


def _tree_or_game(source: str) -> ExtensiveGame | tuple[WorldTree, str]:
    """A game, or a tree with its name."""
    if source == "-":
        return _from_stdin()
    kind, _, rest = source.partition(":")
    is_there = os.path.exists(source)  # unlike Path's, it takes a name that no file can have
    if kind in _RULES and not is_there:
        return _RULES[kind](rest)
    path = Path(source)
    if path.suffix == ".json" and is_there:
        return _tree_file(path), path.stem
    if path.suffix == ".efg" or is_there:
        return read_efg(path)
    return _by_name(source)


def _from_stdin() -> ExtensiveGame | tuple[WorldTree, str]:
    """A tree in JSON begins with a brace, which no ``.efg`` text does."""
    try:
        text = sys.stdin.buffer.read().decode("utf-8")
    except UnicodeDecodeError as error:
        raise InputError(f"stdin: expected text in UTF-8, found the byte {error.object[error.start]:#04x}") from None
    if text.lstrip().startswith("{"):
        return read_tree(text), "tree"
    return efg_from_text(text, "stdin")


def _tree_file(path: Path) -> WorldTree:
    try:
        with path.open("rb") as file:
            return read_tree(file)
    except OSError as error:
        raise InputError(f"{path}: {error.strerror}") from None
    except InputError as error:
        raise InputError(f"{path}: {error}") from None


def _by_name(name: str) -> ExtensiveGame | tuple[WorldTree, str]:
    if name in catalog.game_names():
        return catalog.game(name)
    try:
        return catalog.tree(name), name
    except UnknownNameError:
        error = UnknownNameError("game", name, [*catalog.game_names(), *catalog.figure_names()])
        raise InputError(f"no such file, and {error}; or {', '.join(f'{rule}:...' for rule in _RULES)}") from None


def _known_worlds(tree: WorldTree, knowledge: str | None, seed: int | None) -> tuple[int, ...] | None:
    level = 1 if knowledge is None else _number("--knowledge", knowledge)
    return None if level == 1 else known_worlds(tree.worlds, Fraction(level), seed or 0)


def _number(option: str, text: str) -> int | Fraction:
    with placed(option):
        return read_exact(text)


def _imp_model(text: str) -> ExtensiveGame:
    """BMV96's model by its parameters."""
    given = {"highest": 10, "seed": 0}
    for part in text.split(","):
        key, equals, value = part.strip().partition("=")
        if key not in ("k", "b", "d", *given) or not equals:
            raise InputError(f"imp-model: expected k=2,b=2,d=3 and perhaps highest=10,seed=0, found {part.strip()!r}")
        given[key] = _whole("imp-model", value)
    if lacking := [key for key in "kbd" if key not in given]:
        raise InputError(f"imp-model: expected k=2,b=2,d=3, found no {lacking[0]}")
    with placed("imp-model"):
        model = ImpModel(given["k"], given["b"], given["d"], Uniform(given["highest"], given["seed"]))
    # Before anything is counted: such numbers may be very long.
    if (model.d - 1) * log2(model.k * model.b) > log2(MOST_NODES):
        raise InputError(f"imp-model: expected at most {MOST_NODES:,} nodes, found {text}")
    return written_out(model, title=f"IMP-model {text}")


def _three_partition(text: str) -> ExtensiveGame:
    sizes = [_whole("three-partition", part) for part in text.split(",")]
    if len(sizes) ** 2 > MOST_NODES:
        raise InputError(
            f"three-partition: expected a game of at most {MOST_NODES:,} nodes, found {len(sizes):,} sizes"
        )
    return three_partition_game(sizes)


def _whole(kind: str, text: str) -> int:
    with placed(kind):
        return read_whole(text)


def _load_open_spiel(name: str) -> ExtensiveGame:
    """The whole tree; what is far too large is refused at once, not after MOST_NODES of its nodes.

    The number of ways that a random play could have gone is on average the number of leaves (Knuth 1975). So it hardly
    ever is a million times greater.
    """
    form, rng, ways = OpenSpielForm(name), Random(0), 1
    position = form.root
    while form.to_move(position) is not None and ways <= MOST_NODES * 10**6:
        moves = form.moves(position)
        ways *= len(moves)
        position = form.play(position, rng.choice(moves))
    if ways > MOST_NODES * 10**6:
        raise InputError(f"openspiel:{name}: expected a game of at most {MOST_NODES:,} nodes, found far more")
    return load_open_spiel(name)


_RULES: dict[str, Callable[[str], ExtensiveGame]] = {
    "openspiel": _load_open_spiel,
    "imp-model": _imp_model,
    "three-partition": _three_partition,
}


# ---------------------------------------------------------------------- writing


def _show(what: RenderableType | dict[str, Any]) -> None:
    if isinstance(what, dict):
        print_json(what)
    else:
        SafeConsole().print(what, highlight=False)
