"""The command that reviews a game of kriegspiel: ``worldwise kriegspiel review --help``."""

from __future__ import annotations

from pathlib import Path  # noqa: TC003 - typer reads it
from typing import Annotated

import typer

from worldwise.cli.kriegspiel.saved_games import GameFiles
from worldwise.cli.output import print_json, print_text
from worldwise.errors import InputError
from worldwise.kriegspiel.players.advice import BOARDS, review_tries
from worldwise.kriegspiel.rules.squares import BLACK, WHITE
from worldwise.kriegspiel.views.advice import review_json, review_words

COLOURS = {str(colour): colour for colour in (WHITE, BLACK)}
WORST = 5


def review_command(
    path: Annotated[Path, typer.Argument(metavar="FILE", help="A game, .pgn or .json.")],
    seen_by: Annotated[
        str | None, typer.Option("--as", metavar="COLOUR", help="Whose tries; both if not said.")
    ] = None,
    game: Annotated[int | None, typer.Option(metavar="N", min=1, help="Which game of a PGN file with many.")] = None,
    boards: Annotated[int, typer.Option(metavar="B", min=1, help="Boards that a rating rests on.")] = BOARDS,
    worst: Annotated[int, typer.Option(metavar="N", min=0, help="How many of the dearest tries are shown.")] = WORST,
    as_json: Annotated[bool, typer.Option("--json", help="Print every try as JSON.")] = False,
) -> None:
    """Where a game was lost: what each try cost, by what its player could know.

    Costs are in pawns, found as the default opponent finds its own tries; the true board is not used.
    """
    if seen_by is not None and seen_by.lower() not in COLOURS:
        raise InputError(f"--as: expected white or black, found {seen_by!r}")
    record = GameFiles().read_game(path, game)
    colours = [WHITE, BLACK] if seen_by is None else [COLOURS[seen_by.lower()]]
    reviews = {colour: list(review_tries(record, colour, boards)) for colour in colours}
    geometry = record.first.geometry
    if as_json:
        print_json({str(colour): review_json(tries, geometry) for colour, tries in reviews.items()})
        return
    for colour, tries in reviews.items():
        print_text(review_words(tries, colour, geometry, worst))
