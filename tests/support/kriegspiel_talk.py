"""Games of kriegspiel in a terminal or a pipe: what is typed, who types it, and what is looked for in the answers."""

import sys

from worldwise.cli.kriegspiel.play import KriegspielConversation
from worldwise.kriegspiel.players.person_session import KriegspielSession
from worldwise.kriegspiel.players.random_and_greedy import RandomTriesPlayer
from worldwise.kriegspiel.players.umpire_table import KriegspielChair, UmpireTable
from worldwise.kriegspiel.records.record import Record
from worldwise.kriegspiel.rules.board import START
from worldwise.kriegspiel.rules.squares import BLACK
from worldwise.kriegspiel.rules.umpire import WILD16

TINY = "rqkr/pppp/PPPP/RQKR w"
LADDER = "7k/R7/1R6/8/8/8/8/K7 w"
"""White mates by Rb8."""

LOST = "this game is not saved: 'save FILE' writes it, 'quit' again leaves without"
OFFER = "'save FILE' keeps this game, anything else leaves"


def assert_in_order(text, *parts):
    place = 0
    for part in parts:
        place = text.index(part, place) + len(part)


def play(run, *arguments, stdin):
    return run("play", "--opponent", "rand", "--ascii", "--seed", 0, *arguments, stdin=stdin)


class Keyboard:
    """Somebody at a terminal; a ^C is an interrupt, and a ^D the end of the input."""

    def __init__(self, *lines):
        self._lines = iter(lines)

    def isatty(self):
        return True

    def readline(self):
        line = next(self._lines)
        if line == "^C":
            raise KeyboardInterrupt
        return "" if line == "^D" else f"{line}\n"


def talk(monkeypatch, *lines, rules=WILD16, first=START, **options):
    """A conversation with rand, White being at a terminal; where the game stands in the end."""
    monkeypatch.setattr(sys, "stdin", Keyboard(*lines))
    session = KriegspielSession.of(Record(rules, first, white="you", black="rand"))
    return KriegspielConversation(
        session, UmpireTable.of(session.game, session.state, {BLACK: RandomTriesPlayer()}), **options
    ).run()


def moody(monkeypatch, *moods):
    """An opponent that is interrupted whenever its next mood is ^C."""
    choose, left = KriegspielChair.choose, iter(moods)

    def chosen(chair, state):
        if next(left, "") == "^C":
            raise KeyboardInterrupt
        return choose(chair, state)

    monkeypatch.setattr(KriegspielChair, "choose", chosen)
    return left
