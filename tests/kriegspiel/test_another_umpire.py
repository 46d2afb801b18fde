"""Another umpire as a witness: what ours says, what may be tried, and when a game ends.

The witness is the package ``kriegspiel`` of PyPI: its rule sets wild16, berkeley and cincinnati; it does not have umd.
Over 20,000 random plies of each (``HYPOTHESIS_PROFILE=thorough``; a tenth otherwise) both give the same tries, answers,
captures, checks and pawn tries, and players hear of as many refusals, with these differences:

- It lets a pawn try to take en passant although it has said that pawns can take nothing, if the capture is illegal
  because of a pin. That tells the player what he must not know, so ours does not.
- It draws after 2,000 quiet plies by all rules, and never because of repetition. Ours draws after a hundred quiet plies
  and at the third repetition where the rules of chess hold, and never by Berkeley's.
- When a game is over it says how, but no more where a check came from. Ours says both.
"""

from collections import Counter
from dataclasses import replace
from random import Random

import pytest

from kriegspiel_play import thorough
from perft_counts import KNOWN
from worldwise.kriegspiel.rules.fen import read_fen
from worldwise.kriegspiel.rules.game import PLAYERS, Kriegspiel
from worldwise.kriegspiel.rules.squares import CHESS, read_uci, uci
from worldwise.kriegspiel.rules.umpire import (
    RULES,
    CheckDirection,
    End,
    Message,
)

SHARED = ("wild16", "berkeley", "cincinnati")
FIRST = [KNOWN[name][0] for name in ("start", "kiwipete", "position 3", "position 4", "position 5", "position 6")]
LONGEST = 300
"""Plies of a game: what comes later is kings walking about."""


@pytest.fixture(scope="module")
def witness():
    pytest.importorskip("kriegspiel", reason="the package kriegspiel is a test oracle: pip install kriegspiel")
    return Witness


class Witness:
    """The other umpire, asked in our words."""

    def __init__(self, name, text):
        from chess import Board
        from kriegspiel.game import KriegspielGame

        self.game = KriegspielGame(ruleset=name)
        self.game._board = Board(text)
        self.game._generate_possible_to_ask_list()

    @property
    def tries(self):
        return {question.chess_move.uci() for question in self.game.possible_to_ask}

    def ask(self, move):
        from chess import Move
        from kriegspiel.move import KriegspielMove, QuestionAnnouncement

        return self.game.ask_for(KriegspielMove(QuestionAnnouncement.COMMON, Move.from_uci(move)))

    def heard(self, colour):
        """How many answers to the other player a player has on his sheet."""
        sheet = self.game._blacks_scoresheet if colour else self.game._whites_scoresheet
        return sum(len(turn) for turn in sheet.moves_opponent)


DIRECTIONS = {
    "CHECK_RANK": CheckDirection.RANK,
    "CHECK_FILE": CheckDirection.FILE,
    "CHECK_LONG_DIAGONAL": CheckDirection.LONG,
    "CHECK_SHORT_DIAGONAL": CheckDirection.SHORT,
    "CHECK_KNIGHT": CheckDirection.KNIGHT,
}
ENDINGS = {
    "DRAW_STALEMATE": End.STALEMATE,
    "DRAW_INSUFFICIENT": End.DEAD,
    "CHECKMATE_WHITE_WINS": End.MATE,
    "CHECKMATE_BLACK_WINS": End.MATE,
}


def told(answer):
    """Their answer in our words, if it is not a refusal."""
    special = answer.special_announcement
    given = [answer.check_1, answer.check_2] if special.name == "CHECK_DOUBLE" else [special]
    found = {DIRECTIONS[check.name] for check in given if check.name in DIRECTIONS}
    pawns = answer.next_turn_pawn_tries
    piece = answer.captured_piece_announcement
    return Message(
        answer.capture_at_square,
        piece.name.lower() if piece else "",
        tuple(check for check in CheckDirection if check in found),
        answer.next_turn_has_pawn_capture if pawns is None else pawns,
        ENDINGS.get(special.name),
    )


def compare_tries(state, ours, theirs, differences):
    """The same, but for en passant captures that are illegal and not to be tried."""
    if ours != theirs:
        passed = CHESS.name(state.board.en_passant)
        assert not state.pawn_tries
        assert ours < theirs
        assert {move[2:] for move in theirs - ours} == {passed}
        differences["pinned en passant"] += 1


def assert_same_answers(ours, answer, differences):
    assert ours.is_refusal is (answer.main_announcement.name == "ILLEGAL_MOVE")
    if ours.is_refusal:
        return
    theirs, mine = told(answer), ours.message
    if mine.end in (End.FIFTY, End.REPETITION):
        assert theirs.end is None
        differences[mine.end.name.lower()] += 1
        theirs = replace(theirs, end=mine.end, tries=None)
    elif mine.end and mine.checks:
        assert theirs.checks == ()
        differences["the last check"] += 1
        theirs = replace(theirs, checks=mine.checks)
    assert mine == theirs


def assert_same_game(witness, name, text, rng, differences):
    """A random game by both umpires; the number of plies and of tries."""
    game = Kriegspiel(RULES[name])
    other, state = witness(name, text), game.start(read_fen(text))
    while game.to_move(state) is not None and state.plies < LONGEST:
        ours, theirs = {uci(move) for move in game.moves(state)}, other.tries
        compare_tries(state, ours, theirs, differences)
        move = rng.choice(sorted(ours))
        state = game.play(state, read_uci(move))
        assert_same_answers(state.events[-1], other.ask(move), differences)
    for player in PLAYERS:
        events = game.observe(state, player).events
        assert other.heard(player) == sum(event.colour is not player for event in events)
    return state.plies, len(state.events)


@pytest.mark.parametrize("name", SHARED)
def test_another_umpire_says_the_same(name, witness):
    rng, differences = Random(name), Counter()
    plies = tries = games = 0
    while plies < (20_000 if thorough() else 2_000):
        done = assert_same_game(witness, name, FIRST[games % len(FIRST)], rng, differences)
        plies, tries, games = plies + done[0], tries + done[1], games + 1
    print(f"{name}: {games} games, {plies} plies, {tries} tries, {dict(differences)}")  # noqa: T201


@pytest.mark.parametrize("name", SHARED)
def test_the_other_umpire_gives_a_pin_away(name, witness):
    text = "8/8/8/K2pP2r/8/8/8/4k3 w - d6 0 1"
    game = Kriegspiel(RULES[name])
    ours = {uci(move) for move in game.moves(game.start(read_fen(text)))}
    assert witness(name, text).tries - ours == (set() if name == "berkeley" else {"e5d6"})
