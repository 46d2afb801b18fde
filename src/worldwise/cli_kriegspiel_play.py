"""The conversation of ``worldwise kriegspiel play``: it asks, understands, and shows what the umpire says."""

from __future__ import annotations

import json
import sys
from contextlib import nullcontext
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from rich.console import Console

from worldwise.cli_output import write_file
from worldwise.errors import InputError
from worldwise.games.kriegspiel.pgn import pgn
from worldwise.games.kriegspiel.record_json import record_json
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
    tries_words,
    view_text,
)

if TYPE_CHECKING:
    from contextlib import AbstractContextManager

    from rich.text import Text

    from worldwise.games.kriegspiel.record import Record
    from worldwise.players.kriegspiel_session import Session
    from worldwise.players.kriegspiel_table import Table

HELP = """\
a move           e2e4, e7e8q; or as chess players write it: e4, Nf3, exd5, O-O
tries [SQUARE]   what you may try, all of it or with one man
log              all that the umpire has said
belief [FILE]    where the enemy may be, by all that you have heard; as an SVG figure in a file
resign           the game is lost
save FILE        write the game so far (PGN, or JSON if the name says so); --resume FILE goes on
quit             stop here"""


class QuitError(Exception):
    """The person has left."""


def save_record(path: Path, record: Record) -> None:
    """A record in a file, as JSON if the name says so, otherwise as PGN."""
    as_json = path.suffix.lower() == ".json"
    write_file(path, json.dumps(record_json(record), indent=2) + "\n" if as_json else pgn(record))


@dataclass
class Conversation:
    """A session, the opponent, and a person at a terminal or a pipe; ``silent`` shows nothing."""

    session: Session
    table: Table
    ascii: bool = False
    silent: bool = False

    @cached_property
    def _memory(self) -> Memory:
        return Memory.of(self.session)

    def held(self) -> Session:
        """Talk until the game is over, or the person leaves; where it stands then."""
        try:
            if self.session.yours:
                self._show()
            while not self.session.over:
                self._step()
        except (QuitError, KeyboardInterrupt):
            self._say("stopped; the game is not finished")
            return self.session
        self._show_end()
        return self.session

    def _step(self) -> None:
        if self.session.yours:
            self._ask()
        else:
            with self._thinking():
                state = self.table.next_state(self.session.state)
            self._goes_on(replace(self.session, state=state))
            if self.session.yours:
                self._show()

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
            "tries": self._tries,
            "log": self._log,
            "belief": self._belief,
            "resign": self._resign,
            "save": self._save,
        }
        if word.lower() in ("quit", "exit"):
            raise QuitError
        if word.lower() in ("help", "?", ""):
            self._say(HELP)
        elif word.lower() in commands:
            commands[word.lower()](rest.strip())
        else:
            move = self.session.move(line)
            self._goes_on(replace(self.session, state=self.table.after(self.session.state, move)))

    # ------------------------------------------------------------------ commands

    def _tries(self, rest: str) -> None:
        self._say(tries_words(self.session.view, self.session.tries(rest)))

    def _log(self, rest: str) -> None:  # noqa: ARG002
        first = self.session.state.first
        lines = log_lines(self.session.observed.events, first.geometry, first.number)
        self._say("\n".join(lines) or "nothing has been said")

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
        save_record(Path(rest), self.session.record)
        self._say(f"wrote {rest}")

    # ------------------------------------------------------------------ words

    def _typed(self) -> str:
        """The next line; a prompt is for people only."""
        if sys.stdin.isatty():
            sys.stdout.write(f"{self.session.you}> ")
            sys.stdout.flush()
        line = sys.stdin.readline()
        if not line:
            raise QuitError
        return line

    def _show(self) -> None:
        session = self.session
        self._say("", view_text(session.view, ascii=self.ascii))
        self._say(enemy_words(session.enemies, session.taken))

    def _show_end(self) -> None:
        session = self.session
        result = "you resign" if session.resigned else f"the game is over: {session.record.result}"
        self._say("", result, "the true board:", board_text(session.state.board, session.you))
        for colour, chair in self.table.chairs.items():
            first = session.state.first
            tried = game_words(session.state.events, colour, first.geometry, first.number)
            self._say("", f"what {chair.name} tried (refused): {tried}")
            if isinstance(chair.seated, Believes):
                found, view = chair.seated.believed(), session.state.view(colour)
                self._say("", f"what {chair.name} believed:" if found else f"{chair.name} had lost track")
                if found:
                    self._say(belief_text(found, view, ascii=self.ascii), belief_words(found, view.geometry))

    def _say(self, *things: str | Text) -> None:
        if self.silent:
            return
        for thing in things:
            Console().print(thing, highlight=False, markup=False, soft_wrap=True)
