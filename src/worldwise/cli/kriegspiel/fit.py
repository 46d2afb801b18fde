"""The command that finds out how greedy players are: ``worldwise kriegspiel fit --help``."""

from __future__ import annotations

from math import exp
from pathlib import Path  # noqa: TC003 - typer reads it
from typing import TYPE_CHECKING, Annotated

import typer

from worldwise.cli.output import print_json, print_text
from worldwise.core.reading import collect_bytes, decode_text
from worldwise.errors import InputError, say_where
from worldwise.kriegspiel.records.pgn_reader import read_pgn
from worldwise.kriegspiel.rules.compiled_board import fastest_board
from worldwise.kriegspiel.search.reply_model import GreedFit, fit_greed
from worldwise.views.estimates import estimate_json

if TYPE_CHECKING:
    from collections.abc import Iterator

    from worldwise.kriegspiel.records.record import Record
    from worldwise.kriegspiel.rules.board import ChessBoard
    from worldwise.kriegspiel.rules.squares import ChessMove


def fit_command(
    path: Annotated[Path, typer.Argument(metavar="FILE", help="Games in PGN, as match --pgn writes them.")],
    player: Annotated[str | None, typer.Option(metavar="NAME", help="Whose moves; everybody's if not said.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON instead of text.")] = False,
) -> None:
    """How greedy are players? The number that greed= takes, fitted to the moves of games by likelihood."""
    with say_where(str(path)):
        games = read_pgn(_text(path))
        moves = [one for game in games for one in _moves(game, player)]
        if not moves:
            raise InputError(f"expected moves of {player or 'anybody'}, found none")
        fit = fit_greed(moves)
    if as_json:
        likelier = round(exp(fit.gained), 4)
        counts = {"moves": fit.greed.count, "games": len(games)}
        print_json({"greed": estimate_json(fit.greed), "likelier": likelier, **counts})
    else:
        print_text(_words(fit))


def _words(fit: GreedFit) -> str:
    greed = fit.greed
    figures = f"greed {greed.value:.2f} ({greed.low:.2f} to {greed.high:.2f}), by {greed.count:,} moves"
    return f"{figures}\na move is {exp(fit.gained):.2f} times as likely by it, on average, as if all were alike"


def _text(path: Path) -> str:
    try:
        with path.open("rb") as file:
            return decode_text(collect_bytes(file))
    except OSError as error:
        raise InputError(str(error.strerror)) from None


def _moves(game: Record, player: str | None) -> Iterator[tuple[ChessBoard, ChessMove]]:
    """The moves of a game with the boards before them, refused tries left out."""
    board = fastest_board(game.first)
    for event in game.events:
        if event.is_refusal:
            continue
        assert event.move is not None
        if player in (None, (game.white, game.black)[event.colour]):
            yield board, event.move
        board = board.after(event.move)
