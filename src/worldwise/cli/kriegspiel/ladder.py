"""The command that plays everybody against everybody: ``worldwise kriegspiel ladder --help``."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from itertools import combinations
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Annotated

import typer

from worldwise.cli.output import SafeConsole, print_json, say_left_out, warn
from worldwise.cli.progress import progress_bar
from worldwise.core.reading import shorten
from worldwise.errors import InputError, say_where
from worldwise.kriegspiel.ladder import standings
from worldwise.kriegspiel.match import KriegspielMatch
from worldwise.kriegspiel.match_run import KriegspielMatchRun
from worldwise.kriegspiel.players.names import read_player, short_name
from worldwise.kriegspiel.players.outside_program import OutsidePlayer
from worldwise.kriegspiel.players.player import Budget
from worldwise.kriegspiel.records.record import rules_line
from worldwise.kriegspiel.rules.umpire import RULES, WILD16, rules_named
from worldwise.kriegspiel.views.ladder import ladder_json, ladder_table
from worldwise.runs.runners import complete_file, runner

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from worldwise.kriegspiel.ladder import LadderResult
    from worldwise.kriegspiel.players.player import KriegspielPlayer
    from worldwise.kriegspiel.rules.umpire import Rules

SECONDS, PLIES = 0.2, 200
MOST_TITLE = 60
"""Letters of a program's name, which is in the names of files."""

ROUND = 2
"""Games of a pair in a round: one with each colour."""


def ladder_command(
    players: Annotated[list[str], typer.Argument(metavar="PLAYER...", help="Two or more, as in match.")],
    bots: Annotated[
        list[str] | None,
        typer.Option("--bot", metavar="NAME=COMMAND", help="A program that reads a state as JSON and prints a move."),
    ] = None,
    games: Annotated[int, typer.Option(metavar="N", min=2, help="Games of each pair, colours exchanged: even.")] = 4,
    seconds: Annotated[float | None, typer.Option(metavar="S", help=f"Time for a try; {SECONDS} if not said.")] = None,
    boards: Annotated[int | None, typer.Option(metavar="B", help="Boards for a try, instead of time.")] = None,
    seed: Annotated[int, typer.Option(help="The same seed gives the same chances.")] = 0,
    rules: Annotated[str, typer.Option("--rules", metavar="NAME", help=f"The umpire's: {', '.join(RULES)}.")] = (
        WILD16.name
    ),
    ply_limit: Annotated[int, typer.Option(metavar="N", min=1, help="A draw after so many plies.")] = PLIES,
    jobs: Annotated[int, typer.Option(metavar="P", help="How many processes play.")] = 1,
    out: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Keep every finished game here; the same command resumes.")
    ] = None,
    quiet: Annotated[bool, typer.Option("--quiet", help="Show no progress.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON instead of text.")] = False,
) -> None:
    """Everybody against everybody, colours exchanged: ratings with intervals.

    Played in rounds, so that a ladder that is stopped has about as many games of every pair.
    """
    budget = Budget(boards, SECONDS if seconds is None and boards is None else seconds)
    ladder = _Ladder(_players(players, bots or ()), replace(rules_named(rules), ply_limit=ply_limit), budget, seed)
    with TemporaryDirectory() as folder:
        kept = out or Path(folder)
        ladder.play(kept, games - games % ROUND, jobs, quiet, is_kept=out is not None)
        results = list(ladder.results(kept, games - games % ROUND))
    rungs = standings(list(ladder.players), results)
    if as_json:
        print_json({"rules": rules_line(ladder.rules), "games": len(results), "ladder": ladder_json(rungs)})
        return
    title = f"{rules_line(ladder.rules)}, {len(results):,} games"
    SafeConsole().print(ladder_table(rungs, title), highlight=False, markup=False)


def _players(texts: Sequence[str], bots: Sequence[str]) -> dict[str, KriegspielPlayer]:
    """Who plays, by the name that the table has."""
    with say_where("the players"):
        each = [(short_name(player), player) for player in map(read_player, texts)]
    each += [(title, OutsidePlayer(title, command)) for title, command in map(_bot, bots)]
    found: dict[str, KriegspielPlayer] = dict(each)
    if len({_file_part(title) for title in found}) < len(each) or len(found) < 2:
        raise InputError(f"expected two players or more, all different, found {', '.join(title for title, _ in each)}")
    return found


def _bot(text: str) -> tuple[str, str]:
    title, _, command = (part.strip() for part in text.partition("="))
    if not 0 < len(title) <= MOST_TITLE or not title.isprintable() or not command:
        raise InputError(
            f"--bot: expected a name and a command as in mine='python mine.py', found {shorten(text, 200)}"
        )
    return title, command


@dataclass(frozen=True)
class _Ladder:
    players: Mapping[str, KriegspielPlayer]
    rules: Rules
    budget: Budget
    seed: int

    def play(self, folder: Path, games: int, jobs: int, quiet: bool, *, is_kept: bool) -> None:
        """Play what is missing, round by round; Ctrl-C ends the command, not the ladder."""
        how, pairs = runner(jobs), list(self._pairs())
        total = len(pairs) * games
        for pair in pairs:
            self._run(pair, games)  # too many games are refused before the first
        try:
            folder.mkdir(parents=True, exist_ok=True)
            with progress_bar("ladder", "games", quiet=quiet) as progress:
                for count in range(ROUND, games + 1, ROUND):
                    for number, pair in enumerate(pairs):
                        before = (count - ROUND) * len(pairs) + ROUND * number
                        note = _noting(progress, before - (count - ROUND), total)
                        complete_file(folder / _file_name(pair), self._run(pair, count), how, note, say_left_out)
        except OSError as error:
            raise InputError(f"--out: {folder}: {error.strerror}") from None
        except KeyboardInterrupt:
            where = f"finished games are in {folder}; the same command resumes"
            warn(f"interrupted; {where if is_kept else 'nothing is kept without --out'}")
            raise typer.Exit(130) from None

    def results(self, folder: Path, games: int) -> Iterator[LadderResult]:
        """Every game that was played: who met whom, and who won."""
        for pair in self._pairs():
            for game in self._run(pair, games).read_games(folder / _file_name(pair)):
                yield (*pair, game.score)

    def _pairs(self) -> Iterator[tuple[str, str]]:
        """In an order that is the same however the players are given."""
        return combinations(sorted(self.players), 2)

    def _run(self, pair: tuple[str, str], games: int) -> KriegspielMatchRun:
        one, other = (self.players[name] for name in pair)
        return KriegspielMatchRun(KriegspielMatch(one, other, self.rules, budget=self.budget), games, self.seed)


def _noting(progress: Callable[[int, int], None], before: int, total: int) -> Callable[[int, int], None]:
    return lambda done, _: progress(before + done, total)


def _file_name(pair: tuple[str, str]) -> str:
    return f"{'--'.join(map(_file_part, pair))}.jsonl"


def _file_part(name: str) -> str:
    """A name as files have it; two that are alike there would share their games."""
    return re.sub(r"[^A-Za-z0-9.=-]", "_", name)
