"""``worldwise match`` and ``worldwise play``: any game, any players."""

from __future__ import annotations

import os
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache
from hashlib import sha256
from pathlib import Path
from random import Random
from secrets import randbits
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Annotated, Any, ClassVar

import typer

from worldwise.cli.game_sources import form_of, is_own_game, load_game, own_game
from worldwise.cli.input import read_line
from worldwise.cli.output import print_json, print_text, say_left_out, warn
from worldwise.cli.progress import progress_bar
from worldwise.core.game import Labelled, Shown
from worldwise.core.result import Limit
from worldwise.errors import InputError, WorldwiseError, refuse_failures, say_where
from worldwise.extensive.form_game import FormGame
from worldwise.lab.user_code import blame, fingerprint_of
from worldwise.openspiel.games import OpenSpielForm
from worldwise.players.any_game import PLAYERS, SHORT_NAMES, GamePlayer, Turn, game_player
from worldwise.players.game_match import GameMatch, GameTable, MatchSummary, seats_of
from worldwise.runs.match import MatchRun
from worldwise.runs.runners import complete_file, runner
from worldwise.views.estimates import count_words, estimate_json, mean_words

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterator

    from worldwise.core.game import AnyGame
    from worldwise.runs.rows import Row, Scalar

GAME_HELP = "FILE.py:NAME or MODULE:NAME of a game of your own, openspiel:NAME, a .efg file, or a game by name."
PLAYER_HELP = f"{', '.join([*PLAYERS.players, *SHORT_NAMES])}; with options: {PLAYERS.example}"

Source = Annotated[str, typer.Argument(metavar="GAME", help=GAME_HELP)]
Json = Annotated[bool, typer.Option("--json", help="Print JSON instead of text.")]


@lru_cache(maxsize=8)
def rules_of(source: str) -> AnyGame:
    """The game of rules that a text means."""
    kind, _, rest = source.partition(":")
    if kind == "openspiel":
        return FormGame(OpenSpielForm(rest))
    if not is_own_game(source):
        return FormGame(load_game(source))
    found = own_game(source)
    game: AnyGame = found if hasattr(found, "observe") else FormGame(form_of(found))
    return game


@contextmanager
def blame_owner(source: str) -> Iterator[None]:
    """What fails in a game of the user's own is told in one line; what worldwise says itself stays as it is."""
    try:
        yield
    except WorldwiseError:
        raise
    except Exception:
        if not is_own_game(source):
            raise
        with blame(source):
            raise


# ---------------------------------------------------------------------- matches


@dataclass(frozen=True)
class SourcedMatch:
    """A match by its texts, so that other processes can play parts of it."""

    source: str
    first: str
    second: str
    seconds: float | None

    def play(self, seed: int) -> tuple[float, ...]:
        """One deal, in every seat."""
        players = game_player(self.first), game_player(self.second)
        with blame_owner(self.source):
            return GameMatch(rules_of(self.source), *players, Limit(self.seconds)).play(seed)


class SourcedMatchRun(MatchRun[SourcedMatch, "tuple[float, ...]"]):
    """So many deals of a match."""

    timed: ClassVar[bool] = False
    unit: ClassVar[str] = "deal"
    column: ClassVar[str] = "deal"

    @property
    def identity(self) -> dict[str, Scalar]:
        """All but the number of deals: a match can be made longer, but not with a file that has changed."""
        match = self.match
        told = {"game": match.source, "first": match.first, "second": match.second, "seconds": match.seconds}
        return {"run": "match", **told, "seed": self.seed, "fingerprint": _fingerprint(match.source)}

    def play(self, number: int, seed: int) -> tuple[float, ...]:  # noqa: ARG002
        """One deal."""
        return self.match.play(seed)

    def row_of(self, played: tuple[float, ...]) -> Row:
        """What the first player got in each seat."""
        return {f"seat {seat}": payoff for seat, payoff in enumerate(played, 1)}

    def read(self, number: int, row: Row) -> tuple[float, ...]:  # noqa: ARG002
        """The same, from a file."""
        seats = range(1, len(seats_of(rules_of(self.match.source))) + 1)
        with refuse_failures("the row of a deal"):
            return tuple(float(row[f"seat {seat}"]) for seat in seats)  # type: ignore[arg-type]


def _fingerprint(source: str) -> str:
    """Of the file of a game, empty if it has none."""
    if is_own_game(source):
        rules_of(source)  # a module has no file before it is loaded
        return fingerprint_of(source)
    return sha256(Path(source).read_bytes()).hexdigest()[:16] if os.path.isfile(source) else ""


def match_command(
    source: Source,
    first: Annotated[str, typer.Argument(metavar="PLAYER", help=f"{PLAYER_HELP}.")],
    second: Annotated[str, typer.Argument(metavar="PLAYER", help="The other.")],
    deals: Annotated[int, typer.Option(metavar="N", help="How many deals; each is played once in every seat.")] = 20,
    seconds: Annotated[float | None, typer.Option(metavar="S", min=0, max=3600, help="Time for a move.")] = None,
    seed: Annotated[int, typer.Option(help="The same seed gives the same match.")] = 0,
    jobs: Annotated[int, typer.Option(metavar="P", help="How many processes play.")] = 1,
    output: Annotated[Path | None, typer.Option(metavar="FILE", help="Keep the deals here; a match resumes.")] = None,
    as_json: Json = False,
) -> None:
    """Two players at any game, the same deals for both, seats exchanged: who does better, and by how much?"""
    for player in (first, second):
        game_player(player)
    seats = seats_of(rules_of(source))
    run = SourcedMatchRun(SourcedMatch(source, first, second, seconds), deals, seed)
    with TemporaryDirectory() as folder:
        path = output or Path(folder) / "match.jsonl"
        _play_missing(run, path, jobs, kept=output is not None)
        summary = MatchSummary.of(run.read_games(path))
    _tell(run, summary, seats, as_json=as_json)


def _play_missing(run: SourcedMatchRun, path: Path, jobs: int, *, kept: bool) -> None:
    try:
        with progress_bar("match", "deals") as progress:
            complete_file(path, run, runner(jobs), progress, say_left_out)
    except KeyboardInterrupt:
        done = f"{len(run.read_games(path))} of {run.count:,} deals are in {path}; the same command resumes"
        warn(f"interrupted; {done if kept else 'nothing is kept without --output'}")
        raise typer.Exit(130) from None


def _tell(run: SourcedMatchRun, summary: MatchSummary, seats: tuple[Hashable, ...], *, as_json: bool) -> None:
    if as_json:
        by_seat = {str(seat): estimate_json(summary.by_seat(place)) for place, seat in enumerate(seats)}
        told = {"deals": run.count, "payoff": estimate_json(summary.payoff), "seats": by_seat}
        print_json({**run.identity, **told, "rows": [list(one) for one in summary.rounds]})
        return
    low, high = summary.payoff.low, summary.payoff.high
    said = f"{run.match.first} does better" if low > 0 else f"{run.match.second} does better"
    verdict = "too close to call" if low <= 0 <= high else said
    print_text(
        f"{run.match.first} against {run.match.second}, {count_words(run.count, 'deal')}, {len(seats)} seats each"
    )
    print_text(f"{run.match.first} gets {mean_words(summary.payoff, '+.3f')} a game: {verdict}")
    for place, seat in enumerate(seats):
        print_text(f"  as {seat}: {mean_words(summary.by_seat(place), '+.3f')}")


# ---------------------------------------------------------------------- playing


@dataclass(frozen=True)
class PersonPlayer:
    """Whoever sits at the terminal."""

    name: ClassVar[str] = "you"
    believes: ClassVar[bool] = False

    def choose(self, turn: Turn) -> Any:
        """Ask until a move is typed."""
        labels = _labels(turn.moves)
        while True:
            print_text(f"Your moves: {', '.join(labels)}")
            line = read_line()
            if not line:
                raise InputError("expected a move, found the end of the input")
            if line.strip() in labels:
                return labels[line.strip()]
            print_text(f"expected one of your moves, found {line.strip()!r:.60}")


def _labels(moves: Any) -> dict[str, Any]:
    return {str(move): move for move in moves}


def play_command(
    source: Source,
    you: Annotated[str | None, typer.Option("--as", metavar="SEAT", help="Your seat; the first if not said.")] = None,
    against: Annotated[str, typer.Option(metavar="PLAYER", help=f"Who has the other seats: {PLAYER_HELP}.")] = "pimc",
    seconds: Annotated[float, typer.Option(metavar="S", min=0, max=3600, help="Time for their moves.")] = 2,
    seed: Annotated[int | None, typer.Option(help="Of the deal and of chances; drawn if not said.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="At the end, print the payoffs as JSON.")] = False,
) -> None:
    """Play any game in the terminal; type your moves as they are listed."""
    game, opponent = rules_of(source), game_player(against)
    seats = {str(seat): seat for seat in seats_of(game)}
    with say_where("--as"):
        if you is not None and you not in seats:
            raise InputError(f"expected one of {', '.join(seats)}, found {you!r:.60}")
    seat = seats[you] if you is not None else next(iter(seats.values()))
    sitting: dict[Hashable, GamePlayer] = {one: PersonPlayer() if one == seat else opponent for one in seats.values()}
    chosen = randbits(32) if seed is None else seed
    with blame_owner(source):
        payoffs = _play(GameTable(game, sitting, chosen, Limit(seconds)), seat)
    told = {str(one): payoff for one, payoff in payoffs.items()}
    if as_json:
        print_json({"game": source, "you": str(seat), "against": against, "seed": chosen, "payoffs": told})
    else:
        print_text(f"The game is over: {', '.join(f'{one} gets {payoff:g}' for one, payoff in told.items())}")


def _play(table: GameTable, seat: Hashable) -> dict[Hashable, float]:
    """Step by step; before each of his turns the person is shown what he has observed."""
    position = table.game.deal(Random(table.seed))
    table.begin(position)
    number = 0
    while (mover := table.game.to_move(position)) is not None:
        if mover == seat:
            print_text(_describe_position(table.game, position, seat))
        position = table.step(position, number)
        number += 1
    print_text(_describe_observation(table.game, table.game.observe(position, seat), seat))
    return {one: table.game.payoff(position, one) for one in table.players}


def _describe_position(game: AnyGame, position: Any, seat: Hashable) -> str:
    seen, moves = game.observe(position, seat), game.moves(position)
    if isinstance(game, Labelled):
        names = [f"{move}: {game.move_label(position, move)}" for move in moves]
        return f"You have observed: {seen}\n{'; '.join(names)}"
    return _describe_observation(game, seen, seat)


def _describe_observation(game: AnyGame, seen: Any, seat: Hashable) -> str:
    return game.show(seen, seat) if isinstance(game, Shown) else f"You have observed: {seen}"
