"""The command that plays endings against a hidden king: ``worldwise kriegspiel convert --help``."""

from __future__ import annotations

from typing import Annotated

import typer

from worldwise.cli.output import print_json, print_text
from worldwise.cli.progress import progress_bar
from worldwise.errors import say_where
from worldwise.kriegspiel.endings import MOST_ENDING_MOVES, EndingRun, EndingSummary, check_material
from worldwise.kriegspiel.players.names import STRONGEST, read_player
from worldwise.kriegspiel.players.player import Budget
from worldwise.kriegspiel.rules.umpire import RULES, WILD16, rules_named
from worldwise.kriegspiel.views.endings import ending_json, ending_words

MOST_STARTS = 100_000
SECONDS = 0.2


def convert_command(
    pieces: Annotated[str, typer.Argument(metavar="PIECES", help="White's, as in KQ, KR, KRR, KQR, KBB or KP.")],
    starts: Annotated[int, typer.Option(metavar="N", min=1, max=MOST_STARTS, help="How many endings.")] = 20,
    player: Annotated[str, typer.Option(metavar="PLAYER", help="Who has the pieces.")] = STRONGEST,
    seconds: Annotated[float, typer.Option(metavar="S", help="Time for a try.")] = SECONDS,
    moves: Annotated[int, typer.Option(metavar="N", min=1, max=MOST_ENDING_MOVES, help="A draw after so many.")] = (
        MOST_ENDING_MOVES
    ),
    seed: Annotated[int, typer.Option(help="The same seed gives the same starts.")] = 0,
    rules: Annotated[str, typer.Option("--rules", metavar="NAME", help=f"The umpire's: {', '.join(RULES)}.")] = (
        WILD16.name
    ),
    quiet: Annotated[bool, typer.Option("--quiet", help="Show no progress.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON instead of text.")] = False,
) -> None:
    """Does a player mate a bare king whom he does not see? The king sees everything, and takes what he can.

    White's pieces begin anywhere, and the king on any square that they do not attack. Exit code 0 if all endings are
    won, 1 if not.
    """
    kinds = check_material(pieces)
    with say_where("--player"):
        plays = read_player(player)
    run = EndingRun(kinds, plays, Budget(seconds=seconds), rules_named(rules), moves)
    summary = _play(run, starts, seed, quiet)
    if as_json:
        print_json(ending_json(run, summary, seed))
    else:
        print_text(ending_words(run, summary))
    raise typer.Exit(0 if summary.results["won"] == starts else 1)


def _play(run: EndingRun, starts: int, seed: int, quiet: bool) -> EndingSummary:
    games = []
    with progress_bar("convert", "endings", quiet=quiet) as progress:
        for number in range(1, starts + 1):
            games.append(run.play(number, seed))
            progress(number, starts)
    return EndingSummary(games)
