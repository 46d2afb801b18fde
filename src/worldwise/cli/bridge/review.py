"""The command that reviews played boards: ``worldwise bridge review --help``."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Annotated

import typer

from worldwise.bridge.advice.review import NODES, WORLDS, ReviewEffort, seats_named
from worldwise.bridge.advice.review_summary import summarise
from worldwise.bridge.layouts.bidding_systems import DEFAULT_SYSTEM
from worldwise.bridge.layouts.carding import Carding
from worldwise.bridge.review_run import ReviewRun
from worldwise.bridge.solvers.deal_tables import check_strength
from worldwise.bridge.views.deal_text import auction_text, board_text
from worldwise.bridge.views.review_html import review_html
from worldwise.bridge.views.review_json import review_json, summary_json
from worldwise.bridge.views.review_text import review_lines, review_table, summary_table
from worldwise.bridge.views.review_words import heading_words
from worldwise.cli.bridge.boards import Strict, boards_of
from worldwise.cli.bridge.hearing import NoAuction, System, system_asked_for
from worldwise.cli.output import (
    SafeConsole,
    check_distinct,
    check_writable,
    print_json,
    say_left_out,
    speaks_unicode,
    warn,
)
from worldwise.cli.progress import progress_bar
from worldwise.core.durable_files import write_file
from worldwise.errors import InputError
from worldwise.runs.pool import cores
from worldwise.runs.runners import check_jobs, complete_file, runner

if TYPE_CHECKING:
    from rich.console import RenderableType

    from worldwise.bridge.advice.review_record import BoardReview
    from worldwise.bridge.rules.board import Board, BoardFile

File = Annotated[
    str,
    typer.Argument(
        metavar="FILE|LINK|LIN|-", help="Played boards: a PBN or LIN file, a hand viewer link, a pasted LIN, or stdin."
    ),
]
SeatOption = Annotated[
    str, typer.Option("--seat", metavar="S|all", help="Whose cards: N, E, S, W, declarer, defence, or all.")
]


def review_command(
    file: File,
    number: Annotated[int | None, typer.Option("--board", metavar="N", help="The boards of this number only.")] = None,
    seat: SeatOption = "all",
    worlds: Annotated[int, typer.Option(min=1, help="On how many layouts the best card is found.")] = WORLDS,
    nodes: Annotated[int, typer.Option(min=1, help="How many nodes each search may visit.")] = NODES,
    constraints: Annotated[
        list[str] | None, typer.Option(help='What everybody knew of the hands: "hcp(west) >= 12".')
    ] = None,
    carding: Annotated[Carding, typer.Option(help="How to read the cards that were played.")] = Carding.EQUAL,
    system: System = DEFAULT_SYSTEM,
    no_auction: NoAuction = False,
    seed: Annotated[int, typer.Option(help="The same seed and effort give the same review.")] = 0,
    out: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Keep every card reviewed here; the same command resumes.")
    ] = None,
    processes: Annotated[
        int | None, typer.Option(metavar="P", help="How many processes; as many as there are processors.")
    ] = None,
    strict: Strict = False,
    quiet: Annotated[bool, typer.Option("--quiet", help="Show no progress.")] = False,
    html: Annotated[Path | None, typer.Option(metavar="OUT", help="Write the review as a page to this file.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON instead of text.")] = False,
) -> None:
    """What every card was worth from what its player could see: the best card, what was lost, and why.

    Declarer is judged by alpha-mu over layouts of the hidden hands, defenders by sampling: everybody plays on as if all
    cards were seen. Each figure rests on layouts that had no part in choosing the best card.
    """
    check_distinct({"--out": out, "--html": html})
    check_jobs(processes)
    if html:
        check_writable(html)
    boards = _choose_played(boards_of(file, number, strict=strict), number)
    effort = ReviewEffort(worlds, nodes, seed, carding, tuple(constraints or ()), system_asked_for(system, no_auction))
    run = ReviewRun(boards, effort, tuple(seats_named(seat, board) for board in boards))
    if not run.pairs:
        raise InputError(f"--seat: expected somebody who played a card, found {seat!r}")
    with TemporaryDirectory() as folder:
        path = out or Path(folder) / "review.jsonl"
        _carry_out(run, path, processes, quiet, kept=out is not None)
        found = run.read_reviews(path)
    if html:
        write_file(html, review_html(found))
    _print_reviews(found, as_json)


def _choose_played(found: BoardFile, number: int | None) -> tuple[Board, ...]:
    """The boards that were played, at least one; what is wrong with the file is said on stderr."""
    for fault in found.faults:
        warn(f"skipped: {fault}")
    for warning in found.warnings:
        warn(f"set aside: {warning}")
    chosen = [board for board in found if number in (None, board.number)] or [found.board(number)]
    played = tuple(board for board in chosen if board.cards)
    if not played:
        raise InputError("expected a board with cards played, found none")
    check_strength(max(board.deal.cards.bit_count() for board in played))
    return played


def _carry_out(run: ReviewRun, path: Path, processes: int | None, quiet: bool, *, kept: bool) -> None:
    """Review what is missing; Ctrl-C ends the command, not the review."""
    jobs = min(processes or cores(), len(run.pairs))
    try:
        with progress_bar(run.name, "cards", quiet=quiet) as progress:
            complete_file(path, run, runner(jobs), progress, say_left_out)
    except KeyboardInterrupt:
        warn(f"interrupted; {f'what was done is in {path}' if kept else 'nothing is kept without --out'}")
        raise typer.Exit(130) from None


def _print_reviews(found: list[BoardReview], as_json: bool) -> None:
    if as_json:
        told = list(map(review_json, found))
        several = {"boards": told, "players": summary_json(summarise(found))}
        print_json(told[0] if len(told) == 1 else several)
        return
    ascii_ = not speaks_unicode()
    for place, review in enumerate(found):
        _show("" if place else None, heading_words(review.board))
        _show(board_text(review.board, dealt=True, ascii=ascii_))
        if review.board.auction is not None and review.board.auction.calls:
            _show("", auction_text(review.board.auction, ascii=ascii_))
        _show(review_table(review, ascii=ascii_), *review_lines(review, ascii=ascii_))
    if len(found) > 1:
        _show("", summary_table(summarise(found)))


def _show(*things: RenderableType | None) -> None:
    for thing in things:
        if thing is not None:
            SafeConsole().print(thing, highlight=False, markup=False)
