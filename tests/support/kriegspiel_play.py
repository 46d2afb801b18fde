"""Kriegspiel played at random or by players: what the tests of its rules, records and players have in common."""

import os
import shutil
from random import Random

import pytest

from worldwise.kriegspiel.players.line_process import GAMES_FOLDER
from worldwise.kriegspiel.players.names import read_player
from worldwise.kriegspiel.players.player import Budget, Start
from worldwise.kriegspiel.players.umpire_table import UmpireTable
from worldwise.kriegspiel.rules.board import START
from worldwise.kriegspiel.rules.fen import read_fen
from worldwise.kriegspiel.rules.game import Kriegspiel
from worldwise.kriegspiel.rules.squares import BLACK, WHITE
from worldwise.kriegspiel.rules.umpire import WILD16

GARDNER = read_fen("rnbqk/ppppp/5/PPPPP/RNBQK w")
"""Chess on 5 by 5."""

TINY = read_fen("rqkr/pppp/PPPP/RQKR w")
"""Chess on 4 by 4, where the pawns meet at once."""


NEEDS_STOCKFISH = pytest.mark.skipif(
    shutil.which("stockfish", path=os.pathsep.join([os.environ["PATH"], GAMES_FOLDER])) is None,
    reason="no Stockfish here: make engine installs one on Debian",
)


def boards(seed, first=START, most=200):
    """The boards of a game of legal moves at random, and the moves between."""
    rng, board = Random(seed), first
    for _ in range(most):
        if not board.legal_moves:
            break
        move = rng.choice(board.legal_moves)
        yield board, move
        board = board.after(move)


def states(game: Kriegspiel, rng: Random, most=10_000):
    """The states of a game of tries at random."""
    state = game.deal(rng)
    yield state
    for _ in range(most):
        if game.to_move(state) is None:
            return
        state = game.play(state, rng.choice(game.moves(state)))
        yield state


def last_state(game, rng, most=10_000):
    *_, state = states(game, rng, most)
    return state


def thorough():
    """Whether there is time for everything."""
    return os.environ.get("HYPOTHESIS_PROFILE") == "thorough"


def play_game(game, white, black, seed=0, budget=None):
    """A game between two players, to its end."""
    state = game.deal(Random(seed))
    table = UmpireTable.of(game, state, {WHITE: white, BLACK: black}, seed, budget or Budget())
    return table.play_out(state)


def seated(name, boards, **start):
    """A player who has White before boards that he holds possible."""
    return read_player(name).sit(Start(WHITE, WILD16, tuple(boards), **start))
