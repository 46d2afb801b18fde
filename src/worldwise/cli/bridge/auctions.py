"""The command that measures what calls say: ``worldwise bridge auctions --help``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from worldwise.bridge.layouts.auction_scores import HALVES, events_of, half_of, score_auctions
from worldwise.bridge.layouts.bidding_systems import DEFAULT_SYSTEM
from worldwise.bridge.views.auction_scores import scores_json, scores_table, scores_words
from worldwise.cli.bridge.boards import boards_of
from worldwise.cli.bridge.hearing import System, system_asked_for
from worldwise.cli.output import SafeConsole, print_json, warn
from worldwise.cli.progress import show_progress
from worldwise.errors import InputError, UnknownNameError

if TYPE_CHECKING:
    from worldwise.bridge.rules.board import Board

Half = Annotated[
    str | None,
    typer.Option(metavar="|".join(HALVES), help="One half of the events: the system was tuned on the other."),
]


def auctions_command(
    file: Annotated[str, typer.Argument(metavar="FILE|-", help="Boards with auctions, in PBN or LIN.")],
    system: System = DEFAULT_SYSTEM,
    half: Half = None,
    every: Annotated[int, typer.Option(min=1, metavar="N", help="One table in so many.")] = 1,
    seed: Annotated[int, typer.Option(help="The same seed looks at the same layouts.")] = 0,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON instead of text.")] = False,
) -> None:
    """How well calls describe the hands behind them: how many fit, and how much likelier the true layout becomes."""
    system_asked_for(system, no_auction=False)
    boards = bid_boards(file, half)[::every]
    with show_progress(boards, "auctions", len(boards)) as going:
        scores = score_auctions(going, system, seed)
    if as_json:
        print_json(scores_json(scores))
        return
    for line in scores_words(scores):
        SafeConsole().print(line, highlight=False, markup=False)
    for groups in (scores.sure, scores.kinds):
        SafeConsole().print(scores_table(groups))


def bid_boards(file: str, half: str | None) -> list[Board]:
    """The boards that were bid, with all hands known."""
    bid = [board for board in boards_of_half(file, half) if board.auction and board.contract and board.deal.complete]
    if not bid:
        raise InputError("expected boards with all four hands, an auction and a contract, found none")
    return bid


def boards_of_half(file: str, half: str | None) -> list[Board]:
    """The boards of a file; of one half of the events, if asked for."""
    if half not in (None, *HALVES):
        raise UnknownNameError("half of the events", half, HALVES)
    found = boards_of(file, None)
    for fault in found.faults:
        warn(f"skipped: {fault}")
    boards = list(found)
    return [board for board, event in zip(boards, events_of(boards), strict=True) if half in (None, half_of(event))]
