"""Options of commands that hear the auction: ``--system`` and ``--no-auction``."""

from __future__ import annotations

from typing import Annotated

import typer

from worldwise.bridge.layouts.bidding_systems import NO_SYSTEM, bidding_system, system_names

System = Annotated[
    str, typer.Option(metavar="NAME|FILE", help=f"What calls mean: {', '.join(system_names())}, or a file of your own.")
]
NoAuction = Annotated[bool, typer.Option("--no-auction", help="Leave the auction alone.")]


def system_asked_for(system: str, no_auction: bool) -> str:
    """The system to read calls by; one that cannot be read is an error even where nobody called."""
    if no_auction:
        return NO_SYSTEM
    if system != NO_SYSTEM:
        bidding_system(system)
    return system
