"""The commands for kriegspiel: ``worldwise kriegspiel --help``."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Annotated

import typer

from worldwise.cli.group import CommandGroup
from worldwise.cli.kriegspiel.games import match_command, play_command, show_command
from worldwise.cli.output import print_json, print_text
from worldwise.core.result import Limit
from worldwise.errors import LimitReachedError, UnknownNameError
from worldwise.kriegspiel.rules.hidden_pieces import possible_boards
from worldwise.kriegspiel.rules.umpire import RULES, WILD16, PawnTries, rules_named
from worldwise.kriegspiel.search.mates import MOST_MOVES, guaranteed_mate
from worldwise.kriegspiel.views.mates import boards_picture, mate_json, mate_words, undecided_json

if TYPE_CHECKING:
    from worldwise.kriegspiel.rules.umpire import Rules

kriegspiel_app = typer.Typer(
    cls=CommandGroup, help="Kriegspiel: chess without seeing the other's men.", no_args_is_help=True
)

PAWN_TRIES = {said.name.lower(): said for said in PawnTries}
"""What may be said of pawns' captures, by name."""

Json = Annotated[bool, typer.Option("--json", help="Print JSON instead of text.")]
RuleSet = Annotated[str, typer.Option("--rules", help=f"The umpire's rules: {', '.join(RULES)}.")]


@kriegspiel_app.callback()
def kriegspiel_command() -> None:
    """Kriegspiel: chess without seeing the other's men."""


kriegspiel_app.command("play", epilog="Example: `worldwise kriegspiel play --you black --opponent greedy`")(
    play_command
)
kriegspiel_app.command(
    "match", epilog="Example: `worldwise kriegspiel match greedy rand --games 20 --boards 50 --output match.jsonl`"
)(match_command)
kriegspiel_app.command("show", epilog='Example: `worldwise kriegspiel show "4k3/8/8/8/8/8/4P3/4K3 w" --as white`')(
    show_command
)


@kriegspiel_app.command(
    epilog='Example: `worldwise kriegspiel mate "8/7R/1K6/8/8/8/8/8 w" --hidden "k: a8 b8" --moves 1`'
)
def mate(
    fen: Annotated[str, typer.Argument(metavar="FEN", help="The board; men that are hidden may be left out.")],
    moves: Annotated[int, typer.Option(min=1, max=MOST_MOVES, help="Mate in so many moves.")],
    hidden: Annotated[
        str,
        typer.Option(
            metavar="MEN",
            help='Where hidden men may be: "k: a8 b8; q: - d8". - is gone, a7-c8 a rectangle, * anywhere.',
        ),
    ] = "",
    rules: RuleSet = WILD16.name,
    pawn_tries: Annotated[
        str | None,
        typer.Option(help=f"What is said of pawns' captures, if not as in the rules: {', '.join(PAWN_TRIES)}."),
    ] = None,
    seconds: Annotated[float | None, typer.Option(min=0, help="Stop after this many seconds.")] = None,
    as_json: Json = False,
) -> None:
    """Can the player to move mate by force, whatever is hidden from him?

    Exit code 0 if so, 1 if not, and also 1 if that was not decided in time.
    """
    boards = possible_boards(fen, hidden)
    try:
        found = guaranteed_mate(boards, moves, _rules(rules, pawn_tries), Limit(seconds))
    except LimitReachedError as error:
        if as_json:
            print_json(undecided_json(boards, moves, str(error)))
        raise
    if as_json:
        print_json(mate_json(boards, found))
    else:
        print_text(f"{boards_picture(boards)}\n\n{mate_words(boards, found)}")
    raise typer.Exit(0 if found.is_mate else 1)


def _rules(name: str, pawn_tries: str | None) -> Rules:
    rules = rules_named(name)
    if pawn_tries is None:
        return rules
    if pawn_tries not in PAWN_TRIES:
        raise UnknownNameError("--pawn-tries", pawn_tries, PAWN_TRIES)
    return replace(rules, pawn_tries=PAWN_TRIES[pawn_tries])
