"""The command that holds chances against results: ``worldwise bridge calibration --help``."""

from __future__ import annotations

from typing import Annotated

import typer

from worldwise.bridge.advice.calibration import WORLDS, calibrate, can_be_judged, forecast
from worldwise.bridge.layouts.bidding_systems import DEFAULT_SYSTEM
from worldwise.bridge.views.calibration import calibration_json, calibration_table, fifths_table
from worldwise.cli.bridge.auctions import Half, boards_of_half
from worldwise.cli.bridge.hearing import System, system_asked_for
from worldwise.cli.output import SafeConsole, print_json
from worldwise.cli.progress import show_progress
from worldwise.errors import InputError
from worldwise.views.estimates import count_words


def calibration_command(
    file: Annotated[str, typer.Argument(metavar="FILE|-", help="Played boards with auctions, in PBN or LIN.")],
    system: System = DEFAULT_SYSTEM,
    half: Half = None,
    every: Annotated[int, typer.Option(min=1, metavar="N", help="One table in so many.")] = 1,
    worlds: Annotated[int, typer.Option(min=1, help="On how many layouts a chance rests.")] = WORLDS,
    seed: Annotated[int, typer.Option(help="The same seed looks at the same layouts.")] = 0,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON instead of text.")] = False,
) -> None:
    """Is our seventy percent seventy percent? Declarer's chances after the lead, against what happened at the table."""
    heard = system_asked_for(system, no_auction=False)
    boards = [board for board in boards_of_half(file, half) if can_be_judged(board)][::every]
    if not boards:
        raise InputError("expected boards with hands, auction, contract, a lead and a result, found none")
    with show_progress(boards, "tables", len(boards)) as going:
        found = calibrate([forecast(board, worlds, heard, seed) for board in going])
    if as_json:
        print_json({"tables": len(boards), "half": half, "forecasts": calibration_json(found)})
        return
    SafeConsole().print(count_words(len(boards), "table"), highlight=False)
    SafeConsole().print(calibration_table(found))
    SafeConsole().print(fifths_table(found))
