"""Greed found from games: the number that the search takes, by likelihood."""

from itertools import islice
from math import log
from random import Random

import pytest

from kriegspiel_play import boards
from worldwise.errors import InputError
from worldwise.kriegspiel.records.pgn import pgn
from worldwise.kriegspiel.records.record import Record
from worldwise.kriegspiel.rules.compiled_board import fastest_board
from worldwise.kriegspiel.rules.fen import read_fen
from worldwise.kriegspiel.rules.game import Kriegspiel
from worldwise.kriegspiel.rules.squares import read_uci
from worldwise.kriegspiel.search.evaluation import KS
from worldwise.kriegspiel.search.information_sets import BoardSearch
from worldwise.kriegspiel.search.reply_model import fit_greed


def greedy_moves(greed, games, seed):
    """Moves drawn as the search takes a greedy player to draw them."""
    rng, game = Random(seed), Kriegspiel()
    search = BoardSearch(1, greed=greed)
    for number in range(games):
        for board, _ in islice(boards(1000 * seed + number, fastest_board(read_fen(START)), 80), 0, 80, 4):
            chances = search.reply_chances(game.start(board))
            yield board, rng.choices(board.legal_moves, chances)[0]


START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq"


@pytest.mark.parametrize("greed", [0.0, 0.5, 5.0])
def test_the_greed_that_moves_were_drawn_with_is_found(greed):
    fit = fit_greed(greedy_moves(greed, 25, seed=3))
    assert greed in fit.greed
    assert fit.greed.high - fit.greed.low < 1 + 2 * greed
    assert fit.gained >= 0
    assert (fit.gained > 0.02) == (greed > 0)


def test_it_is_the_likeliest():
    moves = list(greedy_moves(2.0, 4, seed=8))

    def likelihood(greed):
        search, game = BoardSearch(1, greed=greed), Kriegspiel()
        return sum(log(search.reply_chances(game.start(board))[board.legal_moves.index(move)]) for board, move in moves)

    fit = fit_greed(moves)
    best = likelihood(fit.greed.value)
    assert all(best >= likelihood(other) - 1e-6 for other in (0.0, fit.greed.value * 0.9, fit.greed.value * 1.1, 50.0))
    assert fit.gained == pytest.approx((best - likelihood(0.0)) / len(moves))
    assert likelihood(fit.greed.low) == pytest.approx(best - 1.92, abs=0.1)


def test_promotions_are_gains():
    board = read_fen("1n5k/P7/8/8/8/8/8/K7 w")
    assert KS.gain(board, read_uci("a7a8q")) == 8
    assert KS.gain(board, read_uci("a7a8n")) == 1.5
    assert KS.gain(board, read_uci("a1b1")) == 0


def test_nothing_to_find_it_from():
    with pytest.raises(InputError, match="expected at least one move"):
        fit_greed([])


def test_the_command(worldwise_command, tmp_path):
    game = Kriegspiel()
    state = game.start(game.starts[0])
    for text in ("e2e4", "d7d5", "e4f5", "e4d5", "d8d5"):
        state = game.play(state, read_uci(text))
    path = tmp_path / "game.pgn"
    path.write_text(pgn(Record.of(state, game.rules, "ann", "bob")))
    done = worldwise_command("kriegspiel", "fit", str(path), "--json")
    assert (done.returncode, done.json["games"], done.json["moves"]) == (0, 1, 4)
    assert "by 2 moves" in worldwise_command("kriegspiel", "fit", str(path), "--player", "ann").stdout
    assert "found none" in worldwise_command("kriegspiel", "fit", str(path), "--player", "eve").stderr
    assert worldwise_command("kriegspiel", "fit", str(tmp_path / "none.pgn")).returncode == 2


def test_games_in_latin_1_are_read(worldwise_command, tmp_path):
    (tmp_path / "game.pgn").write_bytes('[White "G\xf6sta"]\n\n1. e4 *\n'.encode("latin-1"))
    done = worldwise_command("kriegspiel", "fit", "game.pgn", "--player", "Gösta", "--json")
    assert (done.returncode, done.json["moves"]) == (0, 1)
