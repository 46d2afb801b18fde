"""The commands for games in extensive form: ``worldwise game --help``.

Numbers are exact. In JSON a whole number is a number and any other one a string such as "1/2".
"""

from __future__ import annotations

import sys
from contextlib import contextmanager
from io import TextIOWrapper
from pathlib import Path  # noqa: TC003 typer reads the annotations
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.padding import Padding
from rich.text import Text

from worldwise import catalog
from worldwise.cli.exploit import exploit_command
from worldwise.cli.game_sources import Source, load_game, read_number, read_whole_number
from worldwise.cli.group import CommandGroup
from worldwise.cli.output import SafeConsole, print_json, print_text, speaks_unicode
from worldwise.core.durable_files import write_file
from worldwise.core.result import NO_LIMIT, Clock, Limit
from worldwise.errors import InputError, LimitReachedError, UnknownNameError, deep
from worldwise.extensive import efg_text, write_efg
from worldwise.extensive.judging import DEVIATION_LIMIT, judge_solution, report_on
from worldwise.extensive.recall import merge, split
from worldwise.extensive.sampling import check_sampler
from worldwise.extensive.solving import GAME_ALGORITHMS, MIXED_ALGORITHMS, solve_game, solve_mixed
from worldwise.extensive.views.json import game_json, report_json, solution_json
from worldwise.extensive.views.mixed import equilibria_json, equilibria_table, mixed_json, mixed_table
from worldwise.extensive.views.svg import game_svg
from worldwise.extensive.views.text import game_text, report_table, solution_table
from worldwise.openspiel.games import OpenSpielForm, OpenSpielSampler
from worldwise.search.equilibrium import PureEquilibrium

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from fractions import Fraction

    from rich.console import RenderableType

    from worldwise.extensive import ExtensiveGame
    from worldwise.extensive.judging import JudgedSolution

game_app = typer.Typer(
    cls=CommandGroup,
    help="Games in extensive form: chance, players, information sets.",
    epilog="Example: `worldwise game solve bmv96/fig-2-g2`",
    no_args_is_help=True,
)
game_app.command("exploit", epilog="Example: `worldwise game exploit openspiel:kuhn_poker alphamu random`")(
    exploit_command
)

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
            help=f"One of: {', '.join(GAME_ALGORITHMS)}; in mixed strategies {', '.join(MIXED_ALGORITHMS)}. If not "
            "said: imp-minimax for one player, chance-minimax for perfect information, otherwise pure-equilibrium."
        ),
    ] = None,
    upper: Annotated[
        str | None,
        typer.Option(help="imp-alpha-beta: no payoff is greater (10, 0.5, 1/3); the game's own if not said."),
    ] = None,
    lower: Annotated[
        str | None, typer.Option(help="imp-alpha-beta, two players: no payoff is less; the game's own if not said.")
    ] = None,
    list_all: Annotated[bool, typer.Option("--all", help="List all equilibria in pure strategies.")] = False,
    knowledge: Knowledge = None,
    seed: Seed = None,
    seconds: Annotated[float | None, typer.Option(min=0, help="Stop after this many seconds.")] = None,
    nodes: Annotated[int | None, typer.Option(min=1, help="Stop after this many nodes.")] = None,
    as_json: Json = False,
) -> None:
    """What to play, what it is worth, and whether that is the best; exit code 1 if there is no answer, or it is no."""
    bounds = _bound("--upper", upper), _bound("--lower", lower)
    _check_algorithm(algorithm, (*GAME_ALGORITHMS, *MIXED_ALGORITHMS))
    clock = Clock(Limit(seconds, nodes))
    with _one_limit(algorithm or "the algorithm", clock):
        game = load_game(source, knowledge, seed, clock.limit)
        if list_all:
            _list_all(game, algorithm, clock.rest, as_json=as_json)
        elif algorithm in MIXED_ALGORITHMS:
            mixed = solve_mixed(game, algorithm, limit=clock.rest)
            _show(mixed_json(game, mixed) if as_json else mixed_table(game, mixed))
        else:
            _tell(_solve_and_judge(game, algorithm or default_algorithm(game), bounds, clock.rest), as_json=as_json)


@contextmanager
def _one_limit(algorithm: str, clock: Clock) -> Iterator[None]:
    """What a part of the work says of its part of the limit is said of the whole."""
    try:
        yield
    except LimitReachedError:
        raise LimitReachedError(algorithm, clock.limit) from None


def _tell(result: JudgedSolution, *, as_json: bool) -> None:
    _show(solution_json(result) if as_json else solution_table(result))
    if result.is_negative:
        raise typer.Exit(1)


def _bound(option: str, text: str | None) -> int | Fraction | None:
    return None if text is None else read_number(option, text)


def _list_all(game: ExtensiveGame, algorithm: str | None, limit: Limit, *, as_json: bool) -> None:
    if algorithm not in (None, PureEquilibrium.name):
        raise InputError(f"--all lists what pure-equilibrium finds; expected no other algorithm, found {algorithm}")
    with deep():
        found = PureEquilibrium().list_all(game, limit)
    _show(equilibria_json(game, found) if as_json else equilibria_table(game, found))
    if not found.equilibria:
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
    _check_algorithm(solve_by, GAME_ALGORITHMS)
    clock = Clock(Limit(seconds))
    with _one_limit(solve_by or "the algorithm", clock):
        game = load_game(source, knowledge, seed, clock.limit if solve_by else NO_LIMIT)
        result = _solve_and_judge(game, solve_by, limit=clock.rest) if solve_by else None
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
    team: Annotated[
        str | None, typer.Option("--merge", metavar="1,2", help="Replace these players, paid alike, by one.")
    ] = None,
    knowledge: Knowledge = None,
    seed: Seed = None,
    as_json: Annotated[bool, typer.Option("--json", help="Describe as JSON what was written to a file.")] = False,
) -> None:
    """Write a game in Gambit's format; a file of that name is replaced."""
    if target == "-" and as_json:
        raise InputError("--json describes what was written to a file; expected a file, found - for stdout")
    game = load_game(source, knowledge, seed)
    game = merge(game, _players(team)) if team else game
    game = split(game) if split_players else game
    if target == "-":
        sys.stdout.flush()
        sys.stdout.buffer.write(
            efg_text(game, portable=portable).encode()
        )  # the format is UTF-8, whatever the terminal
        return
    write_efg(game, target, portable=portable)
    if as_json:
        print_json({"out": target, "nodes": len(game), "leaves": game.leaves, "players": list(game.players)})
    else:
        print_text(f"wrote {target}: {len(game):,} nodes, {game.leaves:,} leaves, {len(game.players)} players")


def _players(text: str) -> list[int]:
    """Players by their numbers from 1."""
    return [read_whole_number("--merge", part) - 1 for part in text.split(",")]


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


def _check_algorithm(name: str | None, known: Sequence[str]) -> None:
    """Refuse a wrong name before a game is loaded, which may take a while."""
    if name is not None and name not in known:
        raise UnknownNameError("algorithm", name, known)


def _solve_and_judge(
    game: ExtensiveGame, algorithm: str, bounds: tuple[Any, Any] = (None, None), limit: Limit = NO_LIMIT
) -> JudgedSolution:
    clock = Clock(limit)
    with deep():
        found = solve_game(game, algorithm, upper=bounds[0], lower=bounds[1], limit=limit)
        return judge_solution(game, algorithm, found, DEVIATION_LIMIT if limit == NO_LIMIT else clock.rest)


# ---------------------------------------------------------------------- writing


def _show(what: RenderableType | dict[str, Any]) -> None:
    if isinstance(what, dict):
        print_json(what)
    else:
        SafeConsole().print(what, highlight=False)
