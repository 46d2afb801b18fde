"""The commands for kriegspiel: ``worldwise kriegspiel --help``."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING, Annotated

import typer

from worldwise.cli.group import CommandGroup
from worldwise.cli.kriegspiel.endings import convert_command
from worldwise.cli.kriegspiel.fit import fit_command
from worldwise.cli.kriegspiel.games import match_command, play_command, show_command
from worldwise.cli.kriegspiel.ladder import ladder_command
from worldwise.cli.kriegspiel.review import review_command
from worldwise.cli.output import print_json, print_text
from worldwise.core.result import Clock, Limit
from worldwise.errors import LimitReachedError, UnknownNameError
from worldwise.kriegspiel.rules.hidden_pieces import possible_boards
from worldwise.kriegspiel.rules.umpire import RULES, WILD16, PawnTries, rules_named
from worldwise.kriegspiel.search.mates import MOST_MOVES, guaranteed_mate, tries_if_refused
from worldwise.kriegspiel.views.mates import boards_picture, mate_json, mate_words, undecided_json

if TYPE_CHECKING:
    from worldwise.kriegspiel.rules.umpire import Rules

kriegspiel_app = typer.Typer(
    cls=CommandGroup,
    help="Kriegspiel: chess without seeing the other side's pieces.",
    epilog="Example: `worldwise kriegspiel play`",
    no_args_is_help=True,
)

PAWN_TRIES = {said.name.lower(): said for said in PawnTries}
"""What may be said of pawns' captures, by name."""

Json = Annotated[bool, typer.Option("--json", help="Print JSON instead of text.")]
RuleSet = Annotated[str, typer.Option("--rules", help=f"The umpire's rules: {', '.join(RULES)}.")]


@kriegspiel_app.callback()
def kriegspiel_command() -> None:
    """Kriegspiel: chess without seeing the other's pieces."""


kriegspiel_app.command("play", epilog="Example: `worldwise kriegspiel play --you black --opponent greedy`")(
    play_command
)
kriegspiel_app.command(
    "match", epilog="Example: `worldwise kriegspiel match greedy rand --games 20 --boards 50 --output match.jsonl`"
)(match_command)
kriegspiel_app.command("show", epilog='Example: `worldwise kriegspiel show "4k3/8/8/8/8/8/4P3/4K3 w" --as white`')(
    show_command
)

kriegspiel_app.command("fit", epilog="Example: `worldwise kriegspiel fit match.pgn --player rand`")(fit_command)
kriegspiel_app.command("review", epilog="Example: `worldwise kriegspiel review game.pgn --as white`")(review_command)

kriegspiel_app.command(
    "ladder", epilog="Example: `worldwise kriegspiel ladder rand simple wary:2 --games 10 --out ladder`"
)(ladder_command)

kriegspiel_app.command("convert", epilog="Example: `worldwise kriegspiel convert KQ --starts 20 --seed 1`")(
    convert_command
)


@kriegspiel_app.command(
    epilog='Example: `worldwise kriegspiel mate "8/7R/1K6/8/8/8/8/8 w" --hidden "k: a8 b8" --moves 1`'
)
def mate(
    fen: Annotated[str, typer.Argument(metavar="FEN", help="The board; pieces that are hidden may be left out.")],
    moves: Annotated[int, typer.Option(min=1, max=MOST_MOVES, help="Mate in so many moves.")],
    hidden: Annotated[
        str,
        typer.Option(
            metavar="PIECES",
            help='Where hidden pieces may be: "k: a8 b8; q: - d8". - is gone, a7-c8 a rectangle, * anywhere.',
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
    boards, clock = possible_boards(fen, hidden), Clock(Limit(seconds))
    heard_by = _rules(rules, pawn_tries)
    try:
        found = guaranteed_mate(boards, moves, heard_by, Limit(seconds))
    except LimitReachedError as error:
        if as_json:
            print_json(undecided_json(boards, moves, str(error)))
        raise
    next_tries = {}
    with suppress(LimitReachedError):  # it is mate all the same
        next_tries = {key: tries_if_refused(boards, key, moves, heard_by, clock.rest) for key in found.keys}
    if as_json:
        print_json(mate_json(boards, found, next_tries))
    else:
        print_text(f"{boards_picture(boards)}\n\n{mate_words(boards, found, next_tries)}")
    raise typer.Exit(0 if found.is_mate else 1)


def _rules(name: str, pawn_tries: str | None) -> Rules:
    rules = rules_named(name)
    if pawn_tries is None:
        return rules
    if pawn_tries not in PAWN_TRIES:
        raise UnknownNameError("--pawn-tries", pawn_tries, PAWN_TRIES)
    return replace(rules, pawn_tries=PAWN_TRIES[pawn_tries])
