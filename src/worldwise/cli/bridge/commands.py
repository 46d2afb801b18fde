"""The commands for whole deals of bridge: ``worldwise bridge --help``."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Annotated

import typer

from worldwise.bridge.files.any_format import FORMS, boards_text
from worldwise.bridge.match import BridgeMatch, BridgeSummary
from worldwise.bridge.match_run import BridgeMatchRun
from worldwise.bridge.players.names import EXAMPLE, PLAYERS, read_player
from worldwise.bridge.players.searchers import PimcPlayer
from worldwise.bridge.players.session import BridgeSession, read_you
from worldwise.bridge.players.simple import RandomPlayer
from worldwise.bridge.players.table import BridgeTable
from worldwise.bridge.rules.board import BoardFile
from worldwise.bridge.rules.contract import Contract
from worldwise.bridge.rules.deal import SEATS, Deal, Seat
from worldwise.bridge.solvers.deal_tables import NEEDS_DDS, check_strength, par_of, table_of
from worldwise.bridge.solvers.double_dummy import dds_found
from worldwise.bridge.views.deal_json import board_json, boards_json
from worldwise.bridge.views.deal_svg import board_svg
from worldwise.bridge.views.deal_text import auction_text, board_text
from worldwise.bridge.views.double_dummy_text import double_dummy_json, double_dummy_table, par_words
from worldwise.bridge.views.match import ceiling_words, match_json, match_table, match_words
from worldwise.cli.bridge.auctions import auctions_command
from worldwise.cli.bridge.boards import Strict, boards_of
from worldwise.cli.bridge.calibration import calibration_command
from worldwise.cli.bridge.claim import claim_command
from worldwise.cli.bridge.leads import leads_command
from worldwise.cli.bridge.play import Conversation
from worldwise.cli.bridge.problems import problems_command
from worldwise.cli.bridge.review import review_command
from worldwise.cli.bridge.table import client_command, table_command
from worldwise.cli.group import CommandGroup
from worldwise.cli.output import (
    SafeConsole,
    check_distinct,
    print_data,
    print_json,
    print_text,
    say_left_out,
    speaks_unicode,
    warn,
)
from worldwise.cli.progress import progress_bar
from worldwise.core.durable_files import write_file
from worldwise.errors import InputError
from worldwise.runs.runners import complete_file, runner

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from rich.console import RenderableType

    from worldwise.bridge.players.seats import AnyPlayer
    from worldwise.bridge.rules.board import Board

bridge_app = typer.Typer(
    cls=CommandGroup,
    help="Whole deals of bridge: diagrams, double dummy, matches, play.",
    epilog="Example: `worldwise bridge play deals/two-way-guess`",
    no_args_is_help=True,
)

File = Annotated[
    str,
    typer.Argument(
        metavar="FILE|NAME|LINK|-",
        help="A file in PBN, LIN or DDS's list, a shipped deal, a hand viewer link, or stdin.",
    ),
]
Number = Annotated[int | None, typer.Option("--board", metavar="N", help="The board of this number.")]
Json = Annotated[bool, typer.Option("--json", help="Print JSON instead of text.")]
Ascii = Annotated[bool, typer.Option("--ascii", help="Letters instead of suit symbols and lines.")]
PLAYER_HELP = f"{', '.join(PLAYERS)}, with options as in {EXAMPLE}; dds sees all hands"


@bridge_app.callback()
def bridge_command() -> None:
    """Whole deals of bridge: diagrams, double dummy, matches, play."""


bridge_app.command("auctions", epilog="Example: `worldwise bridge auctions club-night.pbn --system my.system`")(
    auctions_command
)
bridge_app.command("calibration", epilog="Example: `worldwise bridge calibration finals.pbn --every 100`")(
    calibration_command
)
bridge_app.command("claim", epilog="Example: `worldwise bridge claim played.lin --after 32`")(claim_command)
bridge_app.command("client", epilog="Example: `worldwise bridge client --seat South --name worldwise`")(client_command)
bridge_app.command("table", epilog="Example: `worldwise bridge table --boards 16 --out evening.pbn`")(table_command)
bridge_app.command("leads", epilog="Example: `worldwise bridge leads club-night.pbn --every 10`")(leads_command)
bridge_app.command("problems", epilog="Example: `worldwise bridge problems --adviser advise`")(problems_command)
bridge_app.command("review", epilog="Example: `worldwise bridge review played.lin --board 3 --seat declarer`")(
    review_command
)

# ---------------------------------------------------------------------- looking at boards


@bridge_app.command(epilog="Example: `worldwise bridge show deals.pbn --board 3 --hide EW`")
def show(
    file: File,
    number: Number = None,
    hide: Annotated[str, typer.Option(metavar="SEATS", help="Do not show these hands: EW, N ...")] = "",
    dealt: Annotated[bool, typer.Option("--dealt", help="The hands as dealt, not as the play stands.")] = False,
    ascii_only: Ascii = False,
    svg: Annotated[Path | None, typer.Option(help="Write a diagram of one board to this file.")] = None,
    strict: Strict = False,
    as_json: Json = False,
) -> None:
    """Diagrams of the boards of a file, or of one of them."""
    found = _read_wanted(file, number, strict)
    boards = [_hide_hands(board, _seats(hide)) for board in found]
    if svg:
        write_file(svg, board_svg(_only(boards), dealt=dealt))
    if as_json:
        print_json(
            board_json(boards[0])
            if number is not None
            else boards_json(BoardFile(tuple(boards), found.faults, found.warnings))
        )
    elif svg:
        print_text(f"wrote {svg}")
    else:
        _show_boards(boards, dealt, ascii_only or not speaks_unicode())


def _show_boards(boards: Sequence[Board], dealt: bool, ascii_only: bool) -> None:
    for place, board in enumerate(boards):
        _print("" if place else None, board_text(board, dealt=dealt, tricks=True, ascii=ascii_only))
        if board.auction is not None and board.auction.calls:
            _print("", auction_text(board.auction, ascii=ascii_only))


@bridge_app.command(epilog="Example: `worldwise bridge dd deals.pbn --board 3`")
def dd(file: File, number: Number = None, strict: Strict = False, as_json: Json = False) -> None:
    """How many tricks each declarer takes in each strain, everybody seeing all cards; and the par, which needs DDS."""
    boards = list(_read_wanted(file, number, strict))
    tables = [table_of(board.deal) for board in boards]
    pars = [par_of(board, table) for board, table in zip(boards, tables, strict=True)]
    if as_json:
        told = [double_dummy_json(table, par) for table, par in zip(tables, pars, strict=True)]
        rows = [{"board": board.number, **row} for board, row in zip(boards, told, strict=True)]
        print_json(rows[0] if number is not None else rows)
        return
    for board, table, par in zip(boards, tables, pars, strict=True):
        heading = "no number" if board.number is None else str(board.number)
        _print(
            f"Board {heading}", double_dummy_table(table, ascii=not speaks_unicode()), par_words(par) if par else None
        )
    if not dds_found():
        warn(f"no par: {NEEDS_DDS}")


@bridge_app.command(epilog="Example: `worldwise bridge convert deals.lin deals.pbn`")
def convert(
    file: File,
    out: Annotated[Path, typer.Argument(metavar="OUT", help="A name in .pbn, .lin, or .txt for links; - for stdout.")],
    to: Annotated[str | None, typer.Option(metavar="FORM", help="pbn, lin or links, whatever the name is.")] = None,
    strict: Strict = False,
    as_json: Json = False,
) -> None:
    """Boards from one form to another: PBN, LIN, and links to the hand viewer."""
    found = _read_wanted(file, None, strict)
    text = boards_text(found, to or _form(out))
    if str(out) == "-":
        print_data(text)
        return
    write_file(out, text)
    if as_json:
        said = {"faults": list(map(str, found.faults)), "warnings": list(map(str, found.warnings))}
        print_json({"out": str(out), "boards": len(found), **said})
    else:
        print_text(f"wrote {out}: {len(found)} board{'s' * (len(found) != 1)}")


def _form(path: Path) -> str:
    if path.suffix.lower() not in FORMS:
        raise InputError(f"expected a name that ends in .pbn, .lin or .txt, or --to, found {str(path)!r}")
    return FORMS[path.suffix.lower()]


# ---------------------------------------------------------------------- matches


@bridge_app.command(
    epilog="Example: `worldwise bridge match --declarer pimc:worlds=40 --versus pimc:worlds=10 --contract 3NT "
    "--deals 20 --out match.jsonl`"
)
def match(
    declarer: Annotated[str, typer.Option(metavar="PLAYER", help=f"The one declarer: {PLAYER_HELP}.")] = "pimc",
    versus: Annotated[str, typer.Option(metavar="PLAYER", help="The other declarer.")] = "pimc:worlds=10",
    defence: Annotated[str, typer.Option(metavar="PLAYER", help="Both defenders, at both tables.")] = "pimc",
    contract: Annotated[str, typer.Option(help="Of every deal: 3NT, 7NT, 4HX by W; by South if not said.")] = "3NT",
    deals: Annotated[int, typer.Option(metavar="N", help="How many deals.")] = 10,
    file: Annotated[
        str | None, typer.Option(metavar="FILE", help="Deals, auctions and contracts from here, not at random.")
    ] = None,
    seed: Annotated[int, typer.Option(help="The same seed gives the same deals, and the same match.")] = 0,
    out: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Keep every finished board here; the same command resumes.")
    ] = None,
    pbn: Annotated[Path | None, typer.Option(metavar="FILE", help="Write every board as played to this file.")] = None,
    processes: Annotated[int, typer.Option(metavar="P", help="How many processes play.")] = 1,
    quiet: Annotated[bool, typer.Option("--quiet", help="Show no progress.")] = False,
    as_json: Json = False,
) -> None:
    """Two declarers play the same deals against the same defence: who makes more contracts?"""
    check_distinct({"--out": out, "--pbn": pbn})
    players = (_player("--declarer", declarer), _player("--versus", versus), _player("--defence", defence))
    boards = _bid_boards(file, deals) if file else ()
    wanted = boards[0].play.contract if boards else _contract(contract, Seat.SOUTH)
    match_run = BridgeMatchRun(BridgeMatch(*players, wanted, boards), deals, seed)
    _check_strength(players, match_run.match.board(1, seed))
    with TemporaryDirectory() as folder:
        path = out or Path(folder) / "match.jsonl"
        _carry_out(match_run, path, processes, quiet, kept=out is not None)
        summary = BridgeSummary(match_run.read_games(path))
    if pbn:
        played = (side.board for duel in summary.duels for side in (duel.first, duel.second))
        write_file(pbn, boards_text(played, "pbn"))
    if as_json:
        print_json(match_json(match_run.match, summary))
        return
    _print(match_table(match_run.match, summary), *match_words(match_run.match, summary))
    for written in filter(None, (out, pbn)):
        _print(f"wrote {written}")


def _bid_boards(file: str, number: int) -> tuple[Board, ...]:
    """The boards of a file that were bid and can be played, at least so many of them."""
    found = [board for board in _read_wanted(file, None) if board.contract and board.auction and board.deal.complete]
    if len(found) < number:
        raise InputError(f"expected {number} boards with an auction and all hands, found {len(found)}")
    return tuple(found)


def _carry_out(run: BridgeMatchRun, path: Path, processes: int, quiet: bool, *, kept: bool) -> None:
    """Play what is missing; Ctrl-C ends the command, not the match."""
    how = runner(processes)
    try:
        with progress_bar(run.match.contracts, "boards", quiet=quiet) as progress:
            complete_file(path, run, how, progress, say_left_out)
    except KeyboardInterrupt:
        boards = f"{len(run.read_games(path))} of {run.count} boards are in {path}; the same command resumes"
        warn(f"interrupted; {boards if kept else 'nothing is kept without --out'}")
        raise typer.Exit(130) from None


# ---------------------------------------------------------------------- playing


@bridge_app.command(epilog="Example: `worldwise bridge play deals.pbn --board 3 --you S --others pimc:aim=score`")
def play(
    file: File,
    number: Number = None,
    you: Annotated[str, typer.Option(metavar="SEAT", help="N, E, S, W, declarer, or none to look on.")] = "declarer",
    others: Annotated[
        str, typer.Option(metavar="PLAYER", help=f"Who plays the other hands: {PLAYER_HELP}.")
    ] = "pimc:worlds=20,aim=score",
    declarer: Annotated[str | None, typer.Option(metavar="PLAYER", help="Who declares, if not you or others.")] = None,
    contract: Annotated[str | None, typer.Option(help="If the board has none, or another: 3NT by S.")] = None,
    seed: Annotated[int, typer.Option(help="The same seed, and the same cards of yours, give the same play.")] = 0,
    again: Annotated[bool, typer.Option("--again", help="From the opening lead, whatever the record says.")] = False,
    out: Annotated[Path | None, typer.Option(metavar="FILE", help="Write the board as played to this file.")] = None,
    ascii_only: Ascii = False,
    as_json: Json = False,
) -> None:
    """Play a board in the terminal, with undo, claim, save and resume: open the saved file again."""
    board = _in_contract(_read_wanted(file, number).boards[0], contract)
    session = BridgeSession.of(board, read_you(you, board.play.contract.declarer), again=again)
    if as_json and session.you is not None:
        raise InputError("playing is a conversation, --json goes with --you none")
    if session.over:
        raise InputError("expected a board with cards to play, found one that is over; --again plays it from the lead")
    players = dict.fromkeys(SEATS, _player("--others", others))
    if declarer is not None:
        players[board.play.contract.declarer] = _player("--declarer", declarer)
    _check_strength(players.values(), board)
    table = BridgeTable.seat_players(players, seed, board.vulnerability, board.auction)
    hints = BridgeTable.seat_players(dict.fromkeys(SEATS, PimcPlayer()), seed, board.vulnerability, board.auction)
    if not as_json:
        _print(*ceiling_words(players.values()))
    ended = Conversation(session, table, hints, ascii_only or not speaks_unicode(), silent=as_json).run()
    if out:
        write_file(out, boards_text([ended.record], _form(out)))
    if as_json:
        print_json(board_json(ended.record))


def _in_contract(board: Board, contract: str | None) -> Board:
    """The board in the contract that is asked for, played from the lead if that is another than the record's."""
    if contract is None:
        if board.contract is None:
            raise InputError("expected a board with a contract, found none; give one with --contract '3NT by S'")
        return board
    wanted = _contract(contract, board.contract.declarer if board.contract else None)
    if wanted == board.contract:
        return board
    return replace(board, auction=None, contract=wanted, cards=(), tricks=None)


# ---------------------------------------------------------------------- reading and printing


def _read_wanted(file: str, number: int | None, strict: bool = False) -> BoardFile:
    """The boards of a file, at least one, or the one of a number; what is wrong with boards read is said on stderr."""
    found = boards_of(file, number, strict=strict)
    chosen = (found.board(number),) if number is not None or not found.boards else found.boards
    for fault in found.faults:
        warn(f"skipped: {fault}")
    for warning in found.warnings:
        warn(f"set aside: {warning}")
    return BoardFile(chosen, found.faults, found.warnings)


def _only(boards: Sequence[Board]) -> Board:
    if len(boards) > 1:
        raise InputError(f"--svg shows one board: expected --board, found {len(boards)} boards")
    return boards[0]


def _seats(text: str) -> list[Seat]:
    return [Seat.of(letter) for letter in text]


def _hide_hands(board: Board, hidden: Sequence[Seat]) -> Board:
    """The board without some hands; what they have played stays known."""
    if not hidden:
        return board
    north, east, south, west = (0 if seat in hidden else board.deal[seat] for seat in SEATS)
    return replace(board, deal=Deal((north, east, south, west)))


def _player(option: str, text: str) -> AnyPlayer:
    try:
        return read_player(text)
    except InputError as error:
        raise InputError(f"{option}: {error}") from None


def _check_strength(players: Iterable[AnyPlayer], board: Board) -> None:
    """Who looks ahead needs a solver that is strong enough for the deal."""
    if any(not isinstance(player, RandomPlayer) for player in players):
        check_strength(board.deal.cards.bit_count())


def _contract(text: str, declarer: Seat | None) -> Contract:
    try:
        return Contract.read(text, declarer)
    except InputError as error:
        raise InputError(f"--contract: {error}") from None


def _print(*things: RenderableType | None) -> None:
    for thing in things:
        if thing is not None:
            SafeConsole().print(thing, highlight=False, markup=False, soft_wrap=isinstance(thing, str))
