"""The conversation of ``worldwise bridge play``: it asks, understands, and shows what happens."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from worldwise.bridge.files.any_format import boards_text
from worldwise.bridge.views.deal_picture import card_sign, contract_words, result_words
from worldwise.bridge.views.deal_text import board_text, colour_suits
from worldwise.cli.input import read_line
from worldwise.cli.output import SafeConsole
from worldwise.core.durable_files import write_file
from worldwise.errors import InputError

if TYPE_CHECKING:
    from rich.text import Text

    from worldwise.bridge.players.session import BridgeSession
    from worldwise.bridge.players.table import BridgeTable
    from worldwise.bridge.rules.deal import Card, Seat

HELP = """\
a card       SA, hq, 10d; a rank alone if one card only has it
undo         take back to your turn before
claim N      N of the tricks that are left are yours
hint         what a player who samples worlds would play
save FILE    write the board so far as PBN; open it again to go on
quit         stop here"""


class QuitError(Exception):
    """The person has left."""


@dataclass
class Conversation:
    """A session, the players, and a person at a terminal or a pipe; ``silent`` shows nothing."""

    session: BridgeSession
    table: BridgeTable
    hints: BridgeTable
    ascii: bool = False
    silent: bool = False

    def run(self) -> BridgeSession:
        """Talk until the board is over, or the person leaves; where it stands then."""
        try:
            while not self.session.over:
                self._step()
        except QuitError:
            self._say("stopped; the board is not finished")
            return self.session
        self._show_end()
        return self.session

    def _step(self) -> None:
        if self.session.yours:
            self._show()
            self._ask()
        else:
            mover = self.session.play.position.to_move
            self.session = self.session.others_play(self.table)
            self._tell(mover, self.session.play.cards[-1])

    def _ask(self) -> None:
        """One thing the person says that changes something; what is not understood is asked again."""
        before = self.session
        while self.session is before:
            line = self._read_line().strip()
            try:
                self._obey(line)
            except InputError as error:
                self._say(str(error))

    def _obey(self, line: str) -> None:
        word, _, rest = line.partition(" ")
        commands = {"undo": self._undo, "claim": self._claim, "save": self._save, "hint": self._hint}
        if word.lower() in ("quit", "exit"):  # a q is a queen
            raise QuitError
        if word.lower() in ("help", "?", ""):
            self._say(HELP)
        elif word.lower() in commands:
            commands[word.lower()](rest.strip())
        else:
            self.session = self.session.then(self.session.card(line))

    # ------------------------------------------------------------------ commands

    def _undo(self, rest: str) -> None:  # noqa: ARG002
        self.session = self.session.undo()

    def _claim(self, rest: str) -> None:
        if not (rest.isascii() and rest.isdigit() and len(rest) < 3):
            raise InputError(f"expected a number of tricks as in 'claim 3', found {rest!r}")
        self.session = self.session.claim(int(rest))
        self._say("the claim is accepted")

    def _save(self, rest: str) -> None:
        if not rest:
            raise InputError("expected a file's name as in 'save board.pbn', found none")
        write_file(Path(rest), boards_text([self.session.record], "pbn"))
        self._say(f"wrote {rest}")

    def _hint(self, rest: str) -> None:  # noqa: ARG002
        self._say(f"a player who samples worlds would play {self._sign(self.hints.next_card(self.session.play))}")

    # ------------------------------------------------------------------ words

    def _read_line(self) -> str:
        """The next line; a prompt is for people only."""
        if sys.stdin.isatty():
            sys.stdout.write(f"{self.session.play.position.to_move}> ")
            sys.stdout.flush()
        line = read_line()
        if not line:
            raise QuitError
        return line

    def _show(self) -> None:
        self._say("", board_text(self.session.record, seen=self.session.seen, ascii=self.ascii))
        mover = self.session.play.position.to_move
        if mover != self.session.you:
            self._say(f"you play {mover}'s card, dummy's")

    def _show_end(self) -> None:
        record = self.session.record
        self._say("", board_text(record, dealt=True, tricks=True, ascii=self.ascii))
        assert record.tricks is not None
        over = record.tricks - self.session.play.contract.tricks
        tricks = f"{record.tricks} trick{'s' * (record.tricks != 1)}"
        self._say(f"{contract_words(record)}: {result_words(over).lower()}, {tricks}")

    def _tell(self, seat: Seat, card: Card) -> None:
        self._say(f"{seat} plays {self._sign(card)}")

    def _sign(self, card: Card) -> str:
        return card_sign(card, ascii=self.ascii)

    def _say(self, *things: str | Text) -> None:
        if self.silent:
            return
        for thing in things:
            shown = colour_suits(thing) if isinstance(thing, str) else thing
            SafeConsole().print(shown, highlight=False, soft_wrap=True)
