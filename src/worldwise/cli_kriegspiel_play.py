"""The conversation of ``worldwise kriegspiel play``: it asks, understands, and shows what the umpire says."""

from __future__ import annotations

import json
import sys
from contextlib import nullcontext, suppress
from dataclasses import dataclass, field, replace
from functools import cached_property
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

from rich.console import Console

from worldwise.cli_output import check_writable, write_file
from worldwise.errors import InputError, placed
from worldwise.games.kriegspiel.pgn import pgn
from worldwise.games.kriegspiel.record_json import record_json
from worldwise.games.kriegspiel.squares import uci
from worldwise.lab.signals import remembered_interrupts
from worldwise.players.kriegspiel_seats import Believes
from worldwise.players.kriegspiel_session import Memory
from worldwise.views.kriegspiel_svg import belief_svg
from worldwise.views.kriegspiel_text import (
    belief_text,
    belief_words,
    board_text,
    enemy_words,
    event_words,
    game_words,
    log_lines,
    start_words,
    tried_words,
    tries_words,
    view_text,
)

if TYPE_CHECKING:
    from contextlib import AbstractContextManager

    from rich.text import Text

    from worldwise.engines.kriegspiel_summary import BeliefSummary
    from worldwise.games.kriegspiel.record import Record
    from worldwise.games.kriegspiel.squares import Move
    from worldwise.players.kriegspiel_session import Session
    from worldwise.players.kriegspiel_table import Chair, Table

HELP = """\
a move           e2e4, e7e8q; or as chess players write it: e4, Nf3, exd5, e8=Q, O-O
board            draw your men again
tries [SQUARE]   what you may try, all of it or with one man
log              all that the umpire has said
belief [FILE]    where the enemy may be, by all that you have heard; as an SVG figure in a file
resign           the game is lost
save FILE        write the game so far (PGN, or JSON if the name says so); --resume FILE goes on
quit             stop here; a game that is not saved takes it twice"""


class QuitError(Exception):
    """The person has left."""


def save_record(path: Path, record: Record) -> None:
    """A record in a file, as JSON if the name says so, otherwise as PGN."""
    as_json = path.suffix.lower() == ".json"
    write_file(path, json.dumps(record_json(record), indent=2) + "\n" if as_json else pgn(record))


def saved_words(path: Path, session: Session) -> str:
    """That a game was written, with a warning to whoever means to go on with it."""
    other = session.you.other
    spoiled = "" if session.over else f" ({other}'s moves are in it: do not look into it before the game is over)"
    return f"wrote {path}{spoiled}"


def check_save(path: Path, resume: Path | None) -> None:
    """Refuse, before the game, a file that cannot be written, or that has another game in it."""
    with placed("--save"):
        if path.exists() and (resume is None or path.resolve() != resume.resolve()):
            advice = f"--resume {path} goes on with the game in it, another name keeps both"
            raise InputError(f"expected a new file, found {path}, which is there already: {advice}")
        check_writable(path)


@dataclass
class Conversation:
    """A session, the opponent, and a person at a terminal or a pipe; ``silent`` shows nothing.

    ``files`` are the game's own, which may be written again; if it ``is_kept``, it is written when the person leaves.
    """

    session: Session
    table: Table
    ascii: bool = False
    silent: bool = False
    files: set[Path] = field(default_factory=set)
    is_kept: bool = False
    _warned: Session | None = field(default=None, init=False)

    def __post_init__(self) -> None:
        self.files = {path.resolve() for path in self.files}
        # A game that goes on comes from a file, and a new one has nothing that could be lost.
        self._saved = len(self.session.state.events)

    @cached_property
    def _memory(self) -> Memory:
        return Memory.of(self.session)

    def held(self) -> Session:
        """Talk until the game is over, or the person leaves; where it stands then."""
        with suppress(ImportError):  # where there is one, typed lines can be edited, and come back
            import_module("readline")
        try:
            self._begin()
            while not self.session.over:
                self._step()
        except (QuitError, KeyboardInterrupt):
            self._say("stopped; the game is not finished")
            return self.session
        self._show_end()
        self._offer_to_save()
        return self.session

    def _begin(self) -> None:
        """Who plays whom by which rules, and where a game stands that goes on."""
        session = self.session
        (opponent,) = (chair.name for chair in self.table.chairs.values())
        self._say(start_words(session.you, opponent, session.game.rules))
        if session.latest:
            self._say("what you heard last:", *self._log_lines()[-len(session.latest) :])
        if session.yours:
            self._show()

    def _step(self) -> None:
        if self.session.yours:
            self._ask()
            return
        try:
            with self._thinking():
                move = self.table.chairs[self.session.state.board.turn].choose(self.session.state)
        except KeyboardInterrupt:
            self._say("")  # what is said next is not for the line of the spinner
            self._quit("")
            return
        self._play(move)
        if self.session.yours:
            self._show()

    def _play(self, move: Move) -> None:
        """A try, whosoever's it is. The opponent takes in all of the answer: a Ctrl-C meanwhile is heard after it."""
        with remembered_interrupts() as interrupted:
            with self._thinking():
                state = self.table.after(self.session.state, move)
            self._goes_on(replace(self.session, state=state))
        if interrupted():
            self._quit("")

    def _thinking(self) -> AbstractContextManager[object]:
        """Something to look at meanwhile, for people only."""
        console = Console()
        if self.silent or not console.is_terminal:
            return nullcontext()
        return console.status(f"{self.session.you.other} thinks ...")

    def _goes_on(self, session: Session) -> None:
        """Something was tried, and what you hear of it is said."""
        self.session = session
        if session.last_heard:
            self._say(event_words(session.last_heard, session.view.geometry))

    def _ask(self) -> None:
        """One thing the person says that changes something; what is not understood is asked again."""
        before = self.session
        while self.session is before:
            try:
                self._obey(self._typed().strip())
            except InputError as error:
                self._say(str(error))

    def _obey(self, line: str) -> None:
        word, _, rest = line.partition(" ")
        commands = {
            "board": self._board,
            "tries": self._tries,
            "log": self._log,
            "belief": self._belief,
            "resign": self._resign,
            "save": self._save,
            "quit": self._quit,
            "exit": self._quit,
        }
        if word.lower() in ("help", "?", ""):
            self._say(HELP)
        elif word.lower() in commands:
            commands[word.lower()](rest.strip())
        else:
            self._play(self.session.move(line))

    # ------------------------------------------------------------------ commands

    def _board(self, rest: str) -> None:  # noqa: ARG002
        self._show()

    def _tries(self, rest: str) -> None:
        self._say(tries_words(self.session.view, self.session.tries(rest)))

    def _log(self, rest: str) -> None:  # noqa: ARG002
        self._say("\n".join(self._log_lines()) or "nothing has been said")

    def _log_lines(self) -> list[str]:
        first = self.session.state.first
        return list(log_lines(self.session.observed.events, first.geometry, first.number))

    def _belief(self, rest: str) -> None:
        found, view = self._memory.recalled(self.session), self.session.view
        if rest:
            write_file(Path(rest), belief_svg(found, view))
            self._say(f"wrote {rest}")
        else:
            self._say(belief_text(found, view, ascii=self.ascii), belief_words(found, view.geometry))

    def _resign(self, rest: str) -> None:  # noqa: ARG002
        self.session = replace(self.session, resigned=True)

    def _save(self, rest: str) -> None:
        if not rest:
            raise InputError("expected a file's name as in 'save game.pgn', found none")
        path = Path(rest)
        if path.exists() and path.resolve() not in self.files:
            raise InputError(f"expected a new file or one of this game, found {rest}, which is there already")
        save_record(path, self.session.record)
        self.files.add(path.resolve())
        self._saved = len(self.session.state.events)
        self._say(saved_words(path, self.session))

    def _quit(self, rest: str) -> None:  # noqa: ARG002
        """Who would lose a game by leaving is told so once."""
        if self._would_be_lost and self._warned is not self.session:
            self._warned = self.session
            self._say("this game is not saved: 'save FILE' writes it, 'quit' again leaves without")
        else:
            raise QuitError

    def _offer_to_save(self) -> None:
        """A game that is over is gone with the terminal's next screens, unless its player wants to keep it."""
        while self._would_be_lost and sys.stdin.isatty():
            self._say("", "'save FILE' keeps this game, anything else leaves")
            word, _, rest = self._typed().strip().partition(" ")
            if word.lower() != "save":
                return
            try:
                self._save(rest.strip())
            except InputError as error:
                self._say(str(error))

    @property
    def _would_be_lost(self) -> bool:
        """Whoever sees nothing is given the record at the end."""
        return not self.is_kept and not self.silent and len(self.session.state.events) > self._saved

    # ------------------------------------------------------------------ words

    def _typed(self) -> str:
        """The next line; a prompt is for people only, and their Ctrl-C and Ctrl-D are as good as ``quit``."""
        if not sys.stdin.isatty():
            if line := sys.stdin.readline():
                return line
            raise QuitError
        try:
            return input(f"{self.session.you}> ")
        except (KeyboardInterrupt, EOFError):
            self._say("")  # what is said next is not for the line of the prompt
            return "quit"

    def _show(self) -> None:
        session = self.session
        self._say("", view_text(session.view, ascii=self.ascii))
        self._say(enemy_words(session.enemies, session.taken))

    def _show_end(self) -> None:
        session = self.session
        resigned = "you resign; " if session.resigned else ""
        self._say("", f"{resigned}the game is over: {session.record.result}")
        self._say("the true board:", board_text(session.state.board, session.you))
        for chair in self.table.chairs.values():
            self._show_tried(chair)
            if isinstance(chair.seated, Believes):
                self._show_belief(chair, chair.seated.believed())

    def _show_tried(self, chair: Chair) -> None:
        state = self.session.state
        tried = game_words(state.events, chair.colour, state.first.geometry, state.first.number)
        self._say("", tried_words(chair.name, state.events, chair.colour), *([tried] if tried else []))

    def _show_belief(self, chair: Chair, found: BeliefSummary | None) -> None:
        """From the person's side, like the true board.

        Nobody thinks on once a game is over, so what ended it is not in a belief, unless it was nothing on the board.
        """
        session = self.session
        state = session.state if session.resigned else session.before_last_try
        when = "when you resigned" if session.resigned else f"before the last move, {self._last_move()}"
        if found is None:
            self._say("", f"{chair.name} had lost track {when}")
            return
        view = state.view(chair.colour)
        self._say("", f"what {chair.name} believed {when}:")
        self._say(belief_text(found, view, ascii=self.ascii, side=session.you), belief_words(found, view.geometry))

    def _last_move(self) -> str:
        last = self.session.state.events[-1]
        assert last.move is not None
        return f"{last.colour}'s {uci(last.move, self.session.state.first.geometry)}"

    def _say(self, *things: str | Text) -> None:
        if self.silent:
            return
        console = Console()
        for thing in things:  # lines are broken for people only, between words
            console.print(thing, highlight=False, markup=False, soft_wrap=not console.is_terminal)
