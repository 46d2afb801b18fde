"""Games of kriegspiel on the command line: a match between players, a game against one, a look at a board."""

from __future__ import annotations

from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path
from secrets import randbits
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Annotated

import typer

from worldwise.cli.kriegspiel.play import KriegspielConversation
from worldwise.cli.kriegspiel.replay import is_game_file, show_game
from worldwise.cli.kriegspiel.saved_games import GameFiles
from worldwise.cli.output import (
    SafeConsole,
    check_distinct,
    check_writable,
    print_json,
    print_text,
    say_left_out,
    speaks_unicode,
    warn,
)
from worldwise.cli.progress import progress_bar
from worldwise.core.durable_files import is_passed_through, write_file
from worldwise.core.reading import read_whole
from worldwise.errors import InputError, say_where
from worldwise.kriegspiel.match import KriegspielMatch, KriegspielSummary
from worldwise.kriegspiel.match_run import KriegspielMatchRun
from worldwise.kriegspiel.players.names import (
    EXAMPLE,
    FORMS,
    LEVELS,
    STRONGEST,
    player_name,
    read_opponent,
    read_player,
)
from worldwise.kriegspiel.players.person_session import PLIES, YOU, KriegspielSession, date_tag
from worldwise.kriegspiel.players.player import Budget
from worldwise.kriegspiel.players.umpire_table import UmpireTable
from worldwise.kriegspiel.records.json import record_json
from worldwise.kriegspiel.records.pgn import pgn
from worldwise.kriegspiel.records.record import Record
from worldwise.kriegspiel.rules.board import START
from worldwise.kriegspiel.rules.fen import fen, read_fen
from worldwise.kriegspiel.rules.game import Kriegspiel
from worldwise.kriegspiel.rules.squares import BLACK, WHITE, Colour, uci
from worldwise.kriegspiel.rules.umpire import MOST_QUIET, RULES, WILD16, opening, rules_named
from worldwise.kriegspiel.rules.view import PlayerView
from worldwise.kriegspiel.views.match import match_json, match_table, match_words
from worldwise.kriegspiel.views.svg import board_svg, view_svg
from worldwise.kriegspiel.views.text import board_text, tries_words, view_text
from worldwise.runs.runners import complete_file, runner
from worldwise.views.estimates import count_words

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from rich.console import RenderableType

    from worldwise.kriegspiel.match import MatchGame
    from worldwise.kriegspiel.players.player import KriegspielPlayer
    from worldwise.kriegspiel.rules.board import ChessBoard
    from worldwise.kriegspiel.rules.game import State
    from worldwise.kriegspiel.rules.umpire import Rules

Json = Annotated[bool, typer.Option("--json", help="Print JSON instead of text.")]
RuleSet = Annotated[str, typer.Option("--rules", metavar="NAME", help=f"The umpire's: {', '.join(RULES)}.")]
Fen = Annotated[str | None, typer.Option("--fen", metavar="FEN", help="The first board, if not that of chess.")]
COLOURS = {str(colour): colour for colour in (WHITE, BLACK)}
PLAYER_HELP = f"{', '.join(FORMS)}, with options as in {EXAMPLE}; or a level: {', '.join(LEVELS)}"
DEFAULT_SECONDS = 2.0
SEED_BITS = 32
"""Of a seed that is drawn: enough that no two games are alike, and short enough to be typed."""

BoardsOption = Annotated[
    int | None, typer.Option(metavar="B", help="Boards looked at for a try; unlike time it is repeatable.")
]
QuietLimit = Annotated[
    int | None,
    typer.Option(
        metavar="N", min=1, max=MOST_QUIET, help="A draw after so many plies without a capture or a pawn's move."
    ),
]
Output = Annotated[
    Path | None, typer.Option(metavar="FILE", help="Keep every finished game here; the same command resumes.")
]
PgnFile = Annotated[
    Path | None, typer.Option("--pgn", metavar="FILE", help="Write all games to this file: a new one, or this match's.")
]
OpponentOption = Annotated[str | None, typer.Option(metavar="PLAYER", help=f"{PLAYER_HELP}; {STRONGEST} if not said.")]
PlayedBy = Annotated[
    str | None, typer.Option("--rules", metavar="NAME", help=f"The umpire's: {', '.join(RULES)}; wild16 if not said.")
]
Save = Annotated[
    Path | None,
    typer.Option(metavar="FILE", help="Write the game after every move: PGN, or .json; a new file."),
]
GameLimit = Annotated[
    int | None,
    typer.Option("--ply-limit", metavar="N", min=1, help=f"A draw after so many plies; {PLIES} if not said."),
]

# ---------------------------------------------------------------------- matches


def match_command(
    first: Annotated[str, typer.Argument(metavar="PLAYER", help=f"White in games 1, 3, 5 ...: {PLAYER_HELP}.")],
    second: Annotated[str, typer.Argument(metavar="PLAYER", help="The other, white in games 2, 4, 6 ...")],
    games: Annotated[int, typer.Option(metavar="N", help="How many games.")] = 10,
    seconds: Annotated[float | None, typer.Option(metavar="S", help="Time for a try.")] = None,
    boards: BoardsOption = None,
    seed: Annotated[int, typer.Option(help="The same seed gives the same match.")] = 0,
    rules: RuleSet = WILD16.name,
    ply_limit: Annotated[int | None, typer.Option(metavar="N", min=1, help="A draw after so many plies.")] = None,
    quiet_limit: QuietLimit = None,
    first_fen: Fen = None,
    jobs: Annotated[int, typer.Option(metavar="P", help="How many processes play.")] = 1,
    output: Output = None,
    pgn_file: PgnFile = None,
    quiet: Annotated[bool, typer.Option("--quiet", help="Show no progress.")] = False,
    as_json: Json = False,
) -> None:
    """Two players, many games, colours by turns: who wins how often?"""
    check_distinct({"--output": output, "--pgn": pgn_file})
    played_by = replace(rules_named(rules), ply_limit=ply_limit, quiet_limit=quiet_limit)
    players = (_player("the first player", first), _player("the second player", second))
    run = KriegspielMatchRun(
        KriegspielMatch(*players, played_by, _board(first_fen), Budget(boards, seconds)), games, seed
    )
    if pgn_file:
        _check_pgn(pgn_file, run, output)
    summary = _play_match(run, output, jobs, quiet)
    if pgn_file:
        write_file(pgn_file, _all_pgn(run.match, summary.games, output))
    if as_json:
        print_json(match_json(run.match, summary, seed))
        return
    _print(match_table(run.match, summary), *match_words(summary))
    for written in filter(None, (output, pgn_file)):
        _print(f"wrote {written}")


def _play_match(run: KriegspielMatchRun, output: Path | None, jobs: int, quiet: bool) -> KriegspielSummary:
    """The match played to its end; without a file to keep it in, nothing of it stays behind."""
    with TemporaryDirectory() as folder:
        path = output or Path(folder) / "match.jsonl"
        _play_missing(run, path, jobs, quiet, kept=output is not None)
        return KriegspielSummary(run.read_games(path))


def _all_pgn(match: KriegspielMatch, games: Iterable[MatchGame], output: Path | None) -> str:
    with say_where(str(output or "the match")):
        return "\n".join(pgn(match.record(game)) for game in games)


def _check_pgn(path: Path, run: KriegspielMatchRun, output: Path | None) -> None:
    """Refuse, before the match, a file that cannot be written, or that has anything but games of this match in it."""
    with say_where("--pgn"):
        if path.exists() and not is_passed_through(path) and not _is_begun(path, run, output):
            expected = "expected a new file, or the one that this match was written to with the same --output"
            raise InputError(f"{expected}, found {path}, which is there already")
        check_writable(path)


def _is_begun(path: Path, run: KriegspielMatchRun, output: Path | None) -> bool:
    """Whether a file has nothing but the first games of those kept in ``output``: none of it would be lost."""
    if output is None or not path.is_file():
        return False
    try:
        written = path.read_bytes()
    except OSError as error:
        raise InputError(f"{path}: {error.strerror}") from None
    return _all_pgn(run.match, run.read_games(output), output).encode().startswith(written)


def _play_missing(run: KriegspielMatchRun, path: Path, jobs: int, quiet: bool, *, kept: bool) -> None:
    """Play what is missing; Ctrl-C ends the command, not the match."""
    how = runner(jobs)
    try:
        with progress_bar("match", "games", quiet=quiet) as progress:
            complete_file(path, run, how, progress, say_left_out)
    except KeyboardInterrupt:
        games = (
            f"{len(run.read_games(path))} of {count_words(run.count, 'game')} are in {path}; the same command resumes"
        )
        warn(f"interrupted; {games if kept else 'nothing is kept without --output'}")
        raise typer.Exit(130) from None


# ---------------------------------------------------------------------- playing


def play_command(
    you: Annotated[str | None, typer.Option(metavar="COLOUR", help="white or black; white if not said.")] = None,
    opponent: OpponentOption = None,
    seconds: Annotated[float, typer.Option(metavar="S", help="The opponent's time for a try.")] = DEFAULT_SECONDS,
    rules: PlayedBy = None,
    ply_limit: GameLimit = None,
    quiet_limit: QuietLimit = None,
    seed: Annotated[int | None, typer.Option(min=0, help="Of the opponent's chances; drawn if not said.")] = None,
    first_fen: Fen = None,
    save: Save = None,
    resume: Annotated[Path | None, typer.Option(metavar="FILE", help="Go on with a game that was saved.")] = None,
    ascii_only: Annotated[bool, typer.Option("--ascii", help="Plain dots for what you cannot see.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Show nothing but the game's record at the end.")] = False,
) -> None:
    """Play in the terminal against a player, who hears no more than you do."""
    colour = None if you is None else _colour(you)
    files, show = GameFiles(), ascii_only or not speaks_unicode()
    with nullcontext() if save is None else files.hold(save, resume):
        if resume is None:
            played_by = _with_limits(WILD16 if rules is None else rules_named(rules), ply_limit, quiet_limit)
            record = _new_record(colour or WHITE, STRONGEST if opponent is None else opponent, played_by, first_fen)
            seed = randbits(SEED_BITS) if seed is None else seed
        else:
            _check_nothing_given(
                {"--rules": rules, "--ply-limit": ply_limit, "--quiet-limit": quiet_limit, "--fen": first_fen}
            )
            record = files.read(resume)
        record = record if seed is None else _with_seed(record, seed)
        session = KriegspielSession.of(record, colour)
        player = {session.you.other: _opponent(session.opponent if opponent is None else opponent)}

        def seat(state: State) -> UmpireTable:
            return UmpireTable.of(session.game, state, player, _seed(record), Budget(seconds=seconds))

        _converse(KriegspielConversation(session, seat(session.state), show, as_json, files, save, seat))


def _converse(talk: KriegspielConversation) -> None:
    """To the end; whoever sees nothing is given the record then."""
    try:
        talk.run()
    finally:
        if talk.silent:
            print_json(record_json(talk.session.record))


def _with_limits(rules: Rules, ply_limit: int | None, quiet_limit: int | None) -> Rules:
    """A game with a person ends some day: he cannot agree with a player on a draw."""
    return replace(rules, ply_limit=ply_limit or rules.ply_limit or PLIES, quiet_limit=quiet_limit or rules.quiet_limit)


def _new_record(you: Colour, opponent: str, rules: Rules, first_fen: str | None) -> Record:
    """A game before its first move."""
    other = player_name(_opponent(opponent))
    white, black = (other, YOU) if you else (YOU, other)
    game = Kriegspiel(rules)
    return Record.of(game.start(_board(first_fen)), game.rules, white, black, (date_tag(),))


def _with_seed(record: Record, seed: int) -> Record:
    """A record that has what the opponent's chances come from: a game that goes on another day goes on with them."""
    return replace(record, tags=tuple({**dict(record.tags), "Seed": str(seed)}.items()))


def _seed(record: Record) -> int:
    text = dict(record.tags).get("Seed", "0")
    with say_where("--resume, the seed"):
        return read_whole(text, least=0)


def _check_nothing_given(options: Mapping[str, object]) -> None:
    """A game to go on with has rules and a board of its own."""
    for option, value in options.items():
        if value is not None:
            raise InputError(f"--resume: expected the rules and the board of the file, found {option}")


# ---------------------------------------------------------------------- looking at a board


def show_command(
    board: Annotated[str, typer.Argument(metavar="FEN|FILE", help="A board, or a game to replay: .pgn or .json.")],
    seen_by: Annotated[str | None, typer.Option("--as", metavar="COLOUR", help="What this player sees.")] = None,
    rules: RuleSet = WILD16.name,
    svg: Annotated[Path | None, typer.Option(metavar="FILE", help="Write a figure to this file.")] = None,
    game: Annotated[
        int | None, typer.Option(metavar="N", min=1, help="Which game of a PGN file that has many.")
    ] = None,
    ply: Annotated[int | None, typer.Option(metavar="N", min=1, help="This ply of a game only, with maps.")] = None,
    as_json: Json = False,
) -> None:
    """A board as the umpire sees it, or as one of the players does, with what he may try.

    Or a recorded game once more: every try and answer, the true board, and what each player believed.
    """
    if is_game_file(board):
        show_game(board, game, ply, as_json=as_json)
        return
    found = read_fen(board)
    heard_by = rules_named(rules)
    view = None if seen_by is None else _view(found, _colour(seen_by, "--as"), heard_by)
    if svg:
        write_file(svg, board_svg(found) if view is None else view_svg(view))
    if as_json:
        pieces, tries = (
            (found.pieces, None) if view is None else (view.pieces, [uci(move, view.geometry) for move in view.tries])
        )
        print_json({"fen": fen(found) if view is None else None, "pieces": pieces, "tries": tries})
    elif svg:
        print_text(f"wrote {svg}")
    elif view is None:
        _print(board_text(found))
    else:
        _print(view_text(view, ascii=not speaks_unicode()), tries_words(view, view.tries))


def _view(board: ChessBoard, colour: Colour, rules: Rules) -> PlayerView:
    """Of his pawns a player hears when it is his turn."""
    on_turn = colour is board.turn
    return PlayerView.of(board, colour, opening(board, rules).tries if on_turn else None)


# ---------------------------------------------------------------------- reading and printing


def _board(text: str | None) -> ChessBoard:
    try:
        return START if text is None else read_fen(text)
    except InputError as error:
        raise InputError(f"--fen: {error}") from None


def _colour(text: str, option: str = "--you") -> Colour:
    if text.lower() not in COLOURS:
        raise InputError(f"{option}: expected white or black, found {text!r}")
    return COLOURS[text.lower()]


def _player(place: str, text: str) -> KriegspielPlayer:
    with say_where(place):
        return read_player(text)


def _opponent(text: str) -> KriegspielPlayer:
    with say_where("--opponent"):
        return read_opponent(text)


def _print(*things: RenderableType) -> None:
    for thing in things:
        SafeConsole().print(thing, highlight=False, markup=False, soft_wrap=isinstance(thing, str))
