"""The conversation of ``worldwise kriegspiel play``: it asks, understands, and shows what the umpire says."""

from __future__ import annotations

import os
import sys
from contextlib import nullcontext, suppress
from dataclasses import dataclass, field, replace
from functools import cached_property
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

from worldwise.cli.input import read_line
from worldwise.cli.kriegspiel.saved_games import GameFiles
from worldwise.cli.output import SafeConsole, check_writable
from worldwise.core.durable_files import write_file
from worldwise.core.result import Limit
from worldwise.errors import InputError, LimitReachedError, WorldwiseError
from worldwise.kriegspiel.players.advice import BOARDS as HINT_BOARDS
from worldwise.kriegspiel.players.advice import rate_tries
from worldwise.kriegspiel.players.person_session import PersonMemory
from worldwise.kriegspiel.players.player import Believes
from worldwise.kriegspiel.rules.squares import uci
from worldwise.kriegspiel.views.advice import hint_words
from worldwise.kriegspiel.views.svg import belief_svg
from worldwise.kriegspiel.views.text import (
    belief_text,
    belief_words,
    board_text,
    enemy_words,
    game_words,
    last_line,
    log_lines,
    start_words,
    tried_words,
    tries_words,
    view_text,
)
from worldwise.runs.signals import remember_interrupts

if TYPE_CHECKING:
    from collections.abc import Callable
    from contextlib import AbstractContextManager

    from rich.text import Text

    from worldwise.kriegspiel.belief.summary import BeliefSummary
    from worldwise.kriegspiel.players.person_session import KriegspielSession
    from worldwise.kriegspiel.players.umpire_table import KriegspielChair, UmpireTable
    from worldwise.kriegspiel.rules.game import State
    from worldwise.kriegspiel.rules.squares import ChessMove

HELP = """\
a move           e2e4, e7e8q; or as chess players write it: e4, Nf3, exd5, e8=Q, O-O
board            draw your pieces again
tries [SQUARE]   what you may try, all of it or with one piece
log              all that the umpire has said
belief [FILE]    where the enemy may be, by all that you have heard; as an SVG figure in a file
hint             the best tries, by all that you have heard
takeback         your last move, and all that came after it, never happened
resign           the game is lost
save FILE        write the game so far (PGN, or JSON if the name says so); --resume FILE goes on
quit             stop here; a game that is not saved takes it twice"""


HINT_LIMIT = Limit(seconds=5.0)

STOPPED = "stopped; the game is not finished"


class PersonLeftError(Exception):
    """The person has left."""


class TornError(Exception):
    """The opponent was torn away while he was told something: he cannot go on."""


def saved_words(path: Path, session: KriegspielSession) -> str:
    """That a game was written, with a warning to whoever means to go on with it."""
    other = session.you.other
    spoiled = "" if session.over else f" ({other}'s moves are in it: do not look into it before the game is over)"
    return f"wrote {path}{spoiled}"


def _path(name: str) -> Path:
    """A file that is named within a game, where no shell knows what ~ is."""
    return Path(os.path.expanduser(name))


@dataclass
class KriegspielConversation:
    """A session, the opponent, and a person at a terminal or a pipe; ``silent`` shows nothing.

    ``files`` are those that the game was read from or written to. If the game is ``kept`` in one, that is written
    after every move, so that nothing is lost whatever happens, and when the person leaves.
    """

    session: KriegspielSession
    table: UmpireTable
    ascii: bool = False
    silent: bool = False
    files: GameFiles = field(default_factory=GameFiles)
    kept: Path | None = None
    reseat: Callable[[State], UmpireTable] | None = None
    _warned: KriegspielSession | None = field(default=None, init=False)

    def __post_init__(self) -> None:
        # A game that goes on comes from a file, and a new one has nothing that could be lost.
        self._saved = self.session

    @cached_property
    def _memory(self) -> PersonMemory:
        return PersonMemory.of(self.session)

    def run(self) -> KriegspielSession:
        """Talk until the game is over, the person leaves or the opponent fails; where it stands then."""
        with suppress(ImportError):  # where there is one, typed lines can be edited, and come back
            import_module("readline")
        try:
            self._begin()
            while not self.session.over:
                self._step()
            self._show_end()
        except PersonLeftError:
            self._say(STOPPED)
            self._close(asks=False)
        except (KeyboardInterrupt, TornError):
            self._say("", STOPPED)
            self._close()
        except WorldwiseError:
            self._say(f"{self.session.you.other} has failed and cannot go on; the game is not finished")
            self._close()
            raise
        else:
            self._close()
        return self.session

    def _begin(self) -> None:
        """Who plays whom by which rules, and where a game stands that goes on."""
        session = self.session
        (opponent,) = (chair.name for chair in self.table.chairs.values())
        self._say(start_words(session.you, opponent, session.game.rules))
        if latest := list(log_lines(session.latest, session.view.geometry)):
            self._say("what you heard last:", *self._log_lines()[-len(latest) :])
        if session.yours:
            self._show()

    # ------------------------------------------------------------------ turns

    def _step(self) -> None:
        if self.session.yours:
            self._ask()
        else:
            self._reply()

    def _ask(self) -> None:
        """One thing the person says that changes something; what is not understood is asked again."""
        before = self.session
        while self.session is before:
            self._heed(self._read_line().strip())

    def _try(self, text: str) -> None:
        """A try of the person's. The opponent takes in all of the answer: a Ctrl-C meanwhile is heard after it."""
        self._check_turn(text)
        move = self.session.move(text)
        with remember_interrupts() as interrupted:
            self._play_move(move)
            self._say(self._last_line())
            with self._show_thinking():
                self._tell()
        if interrupted() and self._is_others_turn:
            self._pause()

    def _reply(self) -> None:
        """The opponent's turn under one sign that he thinks, and in one line: more would tell of tries not heard."""
        with self._show_thinking():
            self._let_opponent_move()
        if self._is_others_turn:
            self._pause()
            return
        self._say(self._last_line())
        if self.session.yours:
            self._show()

    def _let_opponent_move(self) -> None:
        """The opponent tries until he has moved, or a Ctrl-C stops him."""
        chair, is_stopped = self.table.chairs[self.session.you.other], False
        while self._is_others_turn and not is_stopped:
            try:
                move = chair.choose(self.session.state)
            except KeyboardInterrupt:
                return
            with remember_interrupts() as interrupted:
                self._play_move(move)
                self._tell()
            is_stopped = interrupted()

    def _play_move(self, move: ChessMove) -> None:
        """A try is answered; once a move is made, no accident loses it."""
        state = self.session.game.play(self.session.state, move)
        self.session = replace(self.session, state=state)
        if not state.events[-1].is_refusal:
            try:
                self._keep()
            except InputError as error:
                self._say(f"the game is not saved: {error}")

    def _tell(self) -> None:
        """The opponent hears of the last try; only a second Ctrl-C gets here."""
        state = self.session.state
        try:
            self.table.tell(state.events[-1], state)
        except KeyboardInterrupt:
            raise TornError from None

    def _pause(self) -> None:
        """The opponent is interrupted: the person may say anything but a move, and nothing to let him think on."""
        if not sys.stdin.isatty():  # what comes next is meant for another turn
            raise PersonLeftError
        other = self.session.you.other
        self._say("", f"{other} has not moved yet; an empty line lets it think on, help lists the commands")
        while self._is_others_turn and (line := self._read_line().strip()):
            self._heed(line)

    @property
    def _is_others_turn(self) -> bool:
        return not self.session.over and not self.session.yours

    def _check_turn(self, text: str) -> None:
        if not self.session.yours:
            raise InputError(f"expected a command, for it is {self.session.you.other}'s turn, found {text!r}")

    def _show_thinking(self) -> AbstractContextManager[object]:
        """Something to look at meanwhile, for people only."""
        console = SafeConsole()
        if self.silent or not console.is_terminal:
            return nullcontext()
        return console.status(f"{self.session.you.other} thinks ...")

    # ------------------------------------------------------------------ what is typed

    def _heed(self, line: str) -> None:
        """Do what is said; neither what is wrong with it nor a Ctrl-C meanwhile ends the game."""
        try:
            self._obey(line)
        except (InputError, LimitReachedError) as error:
            self._say(str(error))
        except KeyboardInterrupt:
            if not sys.stdin.isatty():
                raise
            self._say("", "interrupted; the game goes on")

    def _obey(self, line: str) -> None:
        word, _, rest = line.partition(" ")
        commands = {
            "board": self._board,
            "tries": self._tries,
            "log": self._log,
            "belief": self._belief,
            "hint": self._hint,
            "takeback": self._take_back,
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
            self._try(line)

    # ------------------------------------------------------------------ commands

    def _board(self, rest: str) -> None:  # noqa: ARG002
        self._show()

    def _tries(self, rest: str) -> None:
        self._check_turn("tries")
        self._say(tries_words(self.session.view, self.session.tries(rest)))

    def _log(self, rest: str) -> None:  # noqa: ARG002
        self._say("\n".join(self._log_lines()) or "nothing has been said")

    def _log_lines(self) -> list[str]:
        first = self.session.state.first
        return list(log_lines(self.session.observed.events, first.geometry, first.number))

    def _belief(self, rest: str) -> None:
        path = self._figure(rest) if rest else None
        found, view = self._memory.recall(self.session), self.session.view
        if path:
            write_file(path, belief_svg(found, view))
            self._say(f"wrote {path}")
        else:
            self._say(belief_text(found, view, ascii=self.ascii), belief_words(found, view.geometry))

    def _hint(self, rest: str) -> None:  # noqa: ARG002
        self._check_turn("hint")
        session = self.session
        self._memory.recall(session)
        boards = self._memory.some_boards(HINT_BOARDS)
        rated = rate_tries(boards, session.view, session.observed.events, session.game.rules, HINT_LIMIT)
        self._say(hint_words(rated, session.view.geometry))

    def _take_back(self, rest: str) -> None:  # noqa: ARG002
        """The opponent sits down anew, and hears the game up to there again."""
        if self.reseat is None:
            raise InputError("expected a game in which moves can be taken back, found one that cannot begin again")
        session = self.session.before_own_move()
        self.table = self.reseat(session.state)
        self.session = session
        self.__dict__.pop("_memory", None)
        self._keep()
        self._say("your last move is taken back")
        self._show()

    def _figure(self, name: str) -> Path:
        """Where a figure may go: over another figure, but over nothing else, least of all a saved game."""
        path = _path(name)
        if path in self.files or (path.exists() and path.suffix.lower() != ".svg"):
            raise InputError(f"expected a new file or one that ends in .svg, found {name}, which is there already")
        check_writable(path)
        return path

    def _resign(self, rest: str) -> None:  # noqa: ARG002
        self.session = replace(self.session, resigned=True)

    def _save(self, rest: str) -> None:
        if not rest:
            raise InputError("expected a file's name as in 'save game.pgn', found none")
        path = _path(rest)
        self.files.write(path, self.session.record)
        self._saved = self.session
        self._say(saved_words(path, self.session))

    def _quit(self, rest: str) -> None:  # noqa: ARG002
        """Who would lose a game by leaving is told so once."""
        if self._would_be_lost and self.kept is None and self._warned is not self.session:
            self._warned = self.session
            self._say("this game is not saved: 'save FILE' writes it, 'quit' again leaves without")
        else:
            raise PersonLeftError

    def _keep(self) -> None:
        """The game so far in its file, if it has one."""
        if self.kept is not None:
            self.files.write(self.kept, self.session.record)
            self._saved = self.session

    def _close(self, *, asks: bool = True) -> None:
        """The last chance to keep a game: in its file, or where its player says, if he is to be asked."""
        try:
            self._keep()
        except InputError as error:
            self._say(str(error))
            self._offer_to_save()
            if self._saved is not self.session:
                raise
            return
        if self.kept is not None:
            self._say(saved_words(self.kept, self.session))
        elif asks:
            self._offer_to_save()

    def _offer_to_save(self) -> None:
        """A game that is over is gone with the terminal's next screens, unless its player wants to keep it."""
        while self._would_be_lost and sys.stdin.isatty():
            self._say("", "'save FILE' keeps this game, anything else leaves")
            word, _, rest = self._read_line().strip().partition(" ")
            if word.lower() != "save":
                return
            try:
                self._save(rest.strip())
            except InputError as error:
                self._say(str(error))

    @property
    def _would_be_lost(self) -> bool:
        """Whoever sees nothing is given the record at the end."""
        return not self.silent and self.session is not self._saved

    # ------------------------------------------------------------------ words

    def _read_line(self) -> str:
        """The next line; a prompt is for people only, and their Ctrl-C and Ctrl-D are as good as ``quit``."""
        if not sys.stdin.isatty():
            if line := read_line():
                return line
            raise PersonLeftError
        try:
            return input(f"{self.session.you}> ")
        except (KeyboardInterrupt, EOFError):
            self._say("")  # what is said next is not for the line of the prompt
            return "quit"

    def _last_line(self) -> str:
        return last_line(self.session.observed.events, self.session.view.geometry)

    def _show(self) -> None:
        session = self.session
        self._say("", view_text(session.view, ascii=self.ascii))
        self._say(enemy_words(session.enemies, session.taken))

    def _show_end(self) -> None:
        session = self.session
        resigned = "you resign; " if session.resigned else ""
        seed = dict(session.record.tags).get("Seed")
        again = "" if seed is None else f"; --seed {seed} gives the opponent the same chances again"
        self._say("", f"{resigned}the game is over: {session.record.result}{again}")
        self._say("the true board:", board_text(session.state.board, session.you))
        for chair in self.table.chairs.values():
            self._show_tried(chair)
            if isinstance(chair.seated, Believes):
                self._show_belief(chair, chair.seated.belief_summary())

    def _show_tried(self, chair: KriegspielChair) -> None:
        state = self.session.state
        tried = game_words(state.events, chair.colour, state.first.geometry, state.first.number)
        self._say("", tried_words(chair.name, state.events, chair.colour), *([tried] if tried else []))

    def _show_belief(self, chair: KriegspielChair, found: BeliefSummary | None) -> None:
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
        console = SafeConsole()
        for thing in things:  # lines are broken for people only, between words
            console.print(thing, highlight=False, markup=False, soft_wrap=not console.is_terminal)
