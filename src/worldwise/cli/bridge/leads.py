"""The command that compares opening leads: ``worldwise bridge leads --help``."""

from __future__ import annotations

from typing import Annotated

import typer

from worldwise.bridge.advice.lead_duel import WORLDS, compare_leads, summarise_leads
from worldwise.bridge.layouts.bidding_systems import DEFAULT_SYSTEM
from worldwise.cli.bridge.auctions import bid_boards
from worldwise.cli.bridge.hearing import System, system_asked_for
from worldwise.cli.output import SafeConsole, print_json
from worldwise.cli.progress import show_progress
from worldwise.views.estimates import estimate_json, mean_words, rate_words


def leads_command(
    file: Annotated[str, typer.Argument(metavar="FILE|-", help="Boards with auctions, in PBN or LIN.")],
    system: System = DEFAULT_SYSTEM,
    every: Annotated[int, typer.Option(min=1, metavar="N", help="One board in so many.")] = 1,
    worlds: Annotated[int, typer.Option(min=1, help="On how many layouts a lead rests.")] = WORLDS,
    seed: Annotated[int, typer.Option(help="The same seed looks at the same layouts.")] = 0,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON instead of text.")] = False,
) -> None:
    """Does it pay to listen? The opening lead with the auction and without, both seen on the true deal."""
    heard = system_asked_for(system, no_auction=False)
    boards = bid_boards(file, None)[::every]
    with show_progress(boards, "leads", len(boards)) as going:
        found = summarise_leads([compare_leads(board, worlds, heard, seed) for board in going])
    if as_json:
        counts = {name: getattr(found, name) for name in ("boards", "differ", "won", "lost")}
        print_json({**counts, "beats": estimate_json(found.beats), "tricks": estimate_json(found.tricks)})
        return
    for line in (
        f"{found.boards} boards; the leads differ on {found.differ}",
        f"Only the lead with the auction beats the contract on {found.won}, only the other on {found.lost}",
        f"With the auction the contract is beaten {rate_words(found.beats)} more often",
        f"The defenders take {mean_words(found.tricks, '+.2f')} tricks more",
    ):
        SafeConsole().print(line, highlight=False, markup=False)
