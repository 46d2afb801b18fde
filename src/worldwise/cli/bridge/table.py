"""The table manager's protocol on the command line: ``worldwise bridge client`` and ``worldwise bridge table``."""

from __future__ import annotations

import socket
import sys
from pathlib import Path  # noqa: TC003 typer reads the annotations
from random import Random
from typing import TYPE_CHECKING, Annotated

import typer

from worldwise.bridge.files.any_format import boards_text
from worldwise.bridge.layouts.bidding_systems import DEFAULT_SYSTEM, NO_SYSTEM, bidding_system, system_names
from worldwise.bridge.players.bidder import SystemBidder
from worldwise.bridge.players.names import EXAMPLE, read_player
from worldwise.bridge.players.seats import SeesAll
from worldwise.bridge.rules.board import Board, dealer_of_board
from worldwise.bridge.rules.contract import Vulnerability
from worldwise.bridge.rules.deal import Deal, Seat
from worldwise.bridge.views.deal_json import board_json
from worldwise.cli.bridge.boards import boards_of
from worldwise.cli.output import check_writable, print_json, print_text, warn
from worldwise.core.durable_files import write_file
from worldwise.core.result import Limit
from worldwise.doors.table_client import ClockPlayer, TableClient
from worldwise.doors.table_manager import THINKING, TableManager
from worldwise.doors.table_protocol import PORT, LineSocket
from worldwise.errors import InputError, say_where

if TYPE_CHECKING:
    from collections.abc import Iterator

    from worldwise.bridge.players.seats import BridgePlayer

MOST_BOARDS = 10_000
MOST_SECONDS = 86_400
ANY = "any"

Host = Annotated[str, typer.Option(help="The table manager's address.")]
Port = Annotated[int, typer.Option(min=0, max=65535, help="Its port.")]


def client_command(
    seat: Annotated[str, typer.Option(metavar="SEAT", help="North, East, South, West, or any that is free.")] = ANY,
    host: Host = "127.0.0.1",
    port: Port = PORT,
    name: Annotated[str, typer.Option(help="What you are called at the table; partners use one name.")] = "worldwise",
    bidding: Annotated[
        str,
        typer.Option(metavar="NAME|FILE|none", help=f"A system to bid by: {', '.join(system_names())}; none passes."),
    ] = DEFAULT_SYSTEM,
    player: Annotated[
        str | None, typer.Option(metavar="PLAYER", help=f"Who plays the cards, as in {EXAMPLE}; advice if not said.")
    ] = None,
    seconds: Annotated[
        float, typer.Option(min=0.01, max=MOST_SECONDS, help="How long advice thinks about a card.")
    ] = 3,
    seed: Annotated[int, typer.Option(help="Draws the layouts.")] = 0,
) -> None:
    """Sit down at a table manager's table and play until the session ends."""
    if not 1 <= len(name) <= 60 or '"' in name or not name.isprintable():
        raise InputError(f"--name: expected 1 to 60 letters without quotes, found {name!r}")
    _check_seconds(seconds)
    with say_where("--seat"):
        wanted = None if seat.lower() == ANY else Seat.of(seat)
    with say_where("--bidding"):
        if bidding != NO_SYSTEM:
            bidding_system(bidding)
        bidder = None if bidding == NO_SYSTEM else SystemBidder(bidding)
    who = ClockPlayer(seconds) if player is None else _read_player(player)
    try:
        connection = socket.create_connection((host, port))
    except OSError as error:
        raise InputError(f"expected a table manager at {host} port {port}, found {error.strerror or error}") from None
    with connection:
        boards = TableClient(LineSocket(connection), name, wanted, who, bidder, seed).run()
    print_text(f"{boards} board{'s' * (boards != 1)} played")


def _read_player(text: str) -> BridgePlayer:
    with say_where("--player"):
        found = read_player(text)
        if isinstance(found, SeesAll):
            raise InputError(f"expected a player who sees his own cards and dummy's, found {text}")
        return found


def table_command(
    boards: Annotated[int, typer.Option(metavar="N", min=1, max=MOST_BOARDS, help="How many boards.")] = 16,
    file: Annotated[str | None, typer.Option(metavar="FILE", help="Deals from here, not at random.")] = None,
    host: Host = "127.0.0.1",
    port: Port = PORT,
    seconds: Annotated[
        float, typer.Option(min=0.1, max=MOST_SECONDS, help="How long a player may take for a call or a card.")
    ] = THINKING,
    seed: Annotated[int, typer.Option(help="The same seed gives the same deals.")] = 0,
    out: Annotated[Path | None, typer.Option(metavar="FILE", help="Write the boards as played, in PBN.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON instead of text.")] = False,
) -> None:
    """Keep a table: wait for four players, people's programs or ours, deal, check every card, and score.

    Whoever can reach the port can sit down; the protocol knows no passwords.
    """
    _check_seconds(seconds)
    if out:
        check_writable(out)
    deals = _boards_of_file(file, boards) if file else _random_boards(boards, Random(seed))
    try:
        listening = socket.create_server((host, port))
    except OSError as error:
        raise InputError(f"expected a port to listen on, found {host} port {port}: {error.strerror or error}") from None
    played = []
    with listening:
        warn(f"waiting for four players at {host} port {listening.getsockname()[1]}")
        for board in TableManager(listening, seconds, warn).run(deals):
            played.append(board)
            if out:
                write_file(out, boards_text(played, "pbn"))
            if not as_json:
                print_text(_result_words(board))
                sys.stdout.flush()  # whoever reads along through a pipe wants it now
    total = sum(board.score or 0 for board in played)
    if as_json:
        print_json({"boards": list(map(board_json, played)), "north_south": total})
    else:
        print_text(f"North-South: {total:+}")


def _check_seconds(seconds: float) -> None:
    """What is no number is neither too small nor too large."""
    with say_where("--seconds"):
        Limit(seconds)


def _random_boards(number: int, rng: Random) -> Iterator[Board]:
    for place in range(1, number + 1):
        yield Board(
            Deal.random(rng), number=place, dealer=dealer_of_board(place), vulnerability=Vulnerability.of_board(place)
        )


def _boards_of_file(file: str, number: int) -> list[Board]:
    found = [board for board in boards_of(file) if board.deal.complete and board.deal.cards.bit_count() == 52]
    if len(found) < number:
        raise InputError(f"--file: expected {number} boards with all hands, found {len(found)}")
    return found[:number]


def _result_words(board: Board) -> str:
    if board.contract is None:
        return f"board {board.number}: passed out"
    return f"board {board.number}: {board.contract}, {board.tricks} tricks, North-South {board.score:+}"
