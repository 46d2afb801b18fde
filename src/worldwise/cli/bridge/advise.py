"""The command for advice at the bridge table: ``worldwise advise --help``."""

from __future__ import annotations

from enum import StrEnum
from functools import partial
from pathlib import Path  # noqa: TC003 typer reads the annotations
from typing import TYPE_CHECKING, Annotated

import typer
from rich.padding import Padding
from rich.text import Text

from worldwise import catalog
from worldwise.bridge.advice.advise import ADVISERS, LEAD_WORLDS, WORLDS, advise
from worldwise.bridge.advice.other_tables import FIELD, OtherTable
from worldwise.bridge.layouts.bidding_systems import DEFAULT_SYSTEM
from worldwise.bridge.layouts.carding import Carding
from worldwise.bridge.layouts.leads import LEADS, lead_convention
from worldwise.bridge.rules.deal import card_name
from worldwise.bridge.rules.goal import Aim
from worldwise.bridge.solvers.deal_tables import check_strength
from worldwise.bridge.views.advice_json import advice_json
from worldwise.bridge.views.advice_reasons import why_words
from worldwise.bridge.views.advice_text import advice_table, heading, losing_lines, plan_words, searched_words
from worldwise.bridge.views.auction_words import belief_lines
from worldwise.bridge.views.deal_svg import board_svg
from worldwise.bridge.views.deal_text import board_text
from worldwise.cli.bridge.boards import Strict, boards_of
from worldwise.cli.bridge.hearing import NoAuction, System, system_asked_for
from worldwise.cli.output import SafeConsole, print_json, speaks_unicode, warn
from worldwise.core.durable_files import write_file
from worldwise.core.result import Limit
from worldwise.errors import InputError
from worldwise.views.words import printable

if TYPE_CHECKING:
    from rich.console import RenderableType

    from worldwise.bridge.advice.other_tables import OtherTables
    from worldwise.bridge.advice.record import Advice
    from worldwise.bridge.layouts.constraints import Constraint
    from worldwise.bridge.rules.board import Board, BoardFile


class PlayFor(StrEnum):
    """What to play for: an aim that tricks alone decide, or a score that is compared with those of other tables."""

    MAKE = "make"
    TRICKS = "tricks"
    SCORE = "score"
    IMPS = "imps"
    MATCHPOINTS = "matchpoints"

    @property
    def aim(self) -> Aim:
        """What the player's own result is measured by."""
        return Aim.MAKE if self in (PlayFor.IMPS, PlayFor.MATCHPOINTS) else Aim(self.value)

    def others(self, score: int | None) -> OtherTables | None:
        """The other tables, of which one is known to have scored so much, perhaps."""
        if score is not None and self is not PlayFor.IMPS:
            raise InputError(f"--other-table: expected --aim imps with it, found --aim {self.value}")
        if self is PlayFor.IMPS:
            return OtherTable(score)
        return FIELD if self is PlayFor.MATCHPOINTS else None


Source = Annotated[
    str | None,
    typer.Argument(
        metavar="FILE|NAME|LINK|-", help="A PBN or LIN file, a shipped deal, a link to the hand viewer, or stdin."
    ),
]
After = Annotated[int | None, typer.Option(min=0, help="As it stood after so many cards, whatever was played later.")]
Constraints = Annotated[
    list[str] | None,
    typer.Option(help='What else is known of the hidden hands: "hcp(west) >= 12 && spades(west) >= 5".'),
]
OtherTableScore = Annotated[
    int | None,
    typer.Option(
        metavar="POINTS",
        help="With --aim imps: what the pair in your seats scored there, -50 or 620; the best possible if left out.",
    ),
]
Depth = Annotated[
    int | None, typer.Option(min=1, help="How many cards of your own alpha-mu looks ahead; as many as it can.")
]


def advise_command(
    source: Source = None,
    list_: Annotated[bool, typer.Option("--list", help="The deals that are shipped, with what each is about.")] = False,
    board: Annotated[int | None, typer.Option(help="The board of this number; the first one if left out.")] = None,
    after: After = None,
    worlds: Annotated[
        int | None,
        typer.Option(
            min=1, help=f"How many layouts of the hidden hands to look at; {WORLDS}, or {LEAD_WORLDS} for a lead."
        ),
    ] = None,
    seconds: Annotated[float | None, typer.Option(min=0, help="Stop after this many seconds.")] = None,
    constraints: Constraints = None,
    lead: Annotated[str | None, typer.Option(help=f"What the opening lead promises: {', '.join(LEADS)}.")] = None,
    aim: Annotated[PlayFor, typer.Option(help="What to play for.")] = PlayFor.MAKE,
    other_table: OtherTableScore = None,
    algorithm: Annotated[str, typer.Option(help=f"One of: {', '.join(ADVISERS)}.")] = "alphamu",
    depth: Depth = None,
    carding: Annotated[Carding, typer.Option(help="How to read the cards that were played.")] = Carding.EQUAL,
    system: System = DEFAULT_SYSTEM,
    no_auction: NoAuction = False,
    seed: Annotated[int, typer.Option(help="The same seed looks at the same layouts.")] = 0,
    layouts: Annotated[bool, typer.Option("--layouts", help="Show the layouts in which the best card loses.")] = False,
    svg: Annotated[Path | None, typer.Option(help="Write the diagram, as the player sees it, to this file.")] = None,
    strict: Strict = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON instead of text.")] = False,
) -> None:
    """What to play, from what the player whose turn it is can know: each card's chance and tricks, and why."""
    if list_:
        _show_list(as_json)
        return
    found = boards_asked_for(source, board, strict=strict)
    asked = _as_it_stood(found.board(board), after)
    view, known = asked.view(asked.play.turn), _constraints(asked, constraints or [], lead)
    if seconds is None:
        check_strength(view.pack.bit_count() - len(view.played))
    adviser = partial(advise, worlds=worlds, aim=aim.aim, others=aim.others(other_table), algorithm=algorithm)
    heard = partial(adviser, carding=carding, system=system_asked_for(system, no_auction), seed=seed)
    limit = Limit(seconds, depth=depth)
    advice = heard(view, constraints=known, vulnerability=asked.vulnerability, limit=limit)
    if svg:
        write_file(svg, board_svg(asked, seen=tuple(view.faced)))
    _print_advice(asked, advice, layouts, svg, as_json)
    if board is None:
        _tell_faults(found)


def _print_advice(board: Board, advice: Advice, layouts: bool, svg: Path | None, as_json: bool) -> None:
    if as_json:
        print_json(advice_json(advice))
        return
    ascii_ = not speaks_unicode()
    _show(board_text(board, seen=tuple(advice.view.faced), ascii=ascii_), "")
    _show(*belief_lines(advice.belief), heading(advice))
    _show(advice_table(advice, ascii=ascii_))
    _show(*why_words(advice, ascii=ascii_), *plan_words(advice, ascii=ascii_))
    if layouts:
        _show(*losing_lines(advice, ascii=ascii_))
    _show(searched_words(advice), *([f"wrote {svg}"] if svg else []))


def _tell_faults(found: BoardFile) -> None:
    """Boards that could not be read cost the others nothing, but are bad input."""
    for warning in found.warnings:
        warn(f"set aside: {warning}")
    for fault in found.faults:
        warn(str(fault))
    if found.faults:
        raise typer.Exit(2)


def _show_list(as_json: bool) -> None:
    deals = catalog.deals().values()
    if as_json:
        print_json([_lesson_json(deal) for deal in deals])
        return
    for deal in deals:
        SafeConsole().print(Padding(Text(deal.name, style="bold"), 0), Padding(Text(deal.title), (0, 0, 0, 4)))


def _lesson_json(deal: catalog.LessonDeal) -> dict[str, str | None]:
    return {
        "name": deal.name,
        "title": deal.title,
        "right": card_name(deal.right),
        "pimc": None if deal.pimc is None else card_name(deal.pimc),
        "instruction": deal.instruction,
    }


# ---------------------------------------------------------------------- reading


def boards_asked_for(source: str | None, number: int | None, *, strict: bool = False) -> BoardFile:
    """The boards of a source, which must be given."""
    if source is None:
        raise InputError("expected a file, a link or the name of a deal (--list shows them), found nothing")
    return boards_of(source, number, strict=strict)


def _as_it_stood(board: Board, after: int | None) -> Board:
    """The board at the moment that is asked about."""
    if after is not None:
        if after > len(board.cards):
            raise InputError(f"--after: expected at most the {len(board.cards)} cards played, found {after}")
        board = board.with_cards(board.cards[:after])
    if board.play.position.over or board.tricks is not None:
        raise InputError("expected a board whose play goes on, found it over (--after N goes back to an earlier card)")
    return board


def _constraints(board: Board, texts: list[str], lead: str | None) -> list[Constraint]:
    """What the board itself says of the hidden hands, in a tag, and what is asked for."""
    told = [text for text in (board.tag("Constraints"), *texts) if text]
    return [*told, *([lead_convention(lead)] if lead else [])]


def _show(*shown: RenderableType) -> None:
    console = SafeConsole()
    for one in shown:
        console.print(printable(one) if isinstance(one, str) else one, highlight=False, markup=False)
