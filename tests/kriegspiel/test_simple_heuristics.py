"""The policy of a public bot, as its description has it."""

from collections import Counter
from dataclasses import replace
from random import Random

import pytest

from kriegspiel_play import GARDNER, TINY, play_game
from worldwise.kriegspiel.players.names import read_player
from worldwise.kriegspiel.players.player import Start
from worldwise.kriegspiel.players.random_and_greedy import RandomTriesPlayer
from worldwise.kriegspiel.players.simple_heuristics import is_pawn_step, longest_first
from worldwise.kriegspiel.rules.fen import read_fen
from worldwise.kriegspiel.rules.game import Event, Kriegspiel
from worldwise.kriegspiel.rules.squares import BLACK, WHITE, read_uci, uci
from worldwise.kriegspiel.rules.umpire import RULES, WILD16, Message
from worldwise.kriegspiel.rules.view import PlayerView


def chosen(board, heard=None, pawn_tries=0, seeds=60):
    """What it tries, by how often, over many seeds."""
    view = PlayerView.of(read_fen(board), WHITE, pawn_tries)
    found = Counter()
    for seed in range(seeds):
        seat = read_player("simple").sit(Start(WHITE, WILD16, seed=seed))
        if heard:
            seat.hear(heard)
        found[uci(seat.choose(view))] += 1
    return found


def took(square, colour=BLACK):
    return Event(colour, None if colour is BLACK else read_uci("h4h5"), Message(taken=square))


BOARD = "4k3/8/8/8/7R/2P5/3P4/4K3 w"


def test_it_takes_back_where_something_was_taken():
    d4 = 27
    assert set(chosen(BOARD, took(d4), pawn_tries=1)) == {"h4d4", "c3d4"}
    assert set(chosen(BOARD, took(d4))) == {"h4d4"}


def test_what_it_took_itself_it_does_not_take_back():
    assert len(chosen(BOARD, took(27, WHITE))) > 2


def test_a_pawn_that_can_becomes_a_queen():
    assert set(chosen("4k3/P7/8/8/8/8/8/4K2R w", seeds=20)) == {"a7a8q"}


def test_half_of_the_time_it_tries_a_capture_by_a_pawn():
    found = chosen(BOARD, pawn_tries=1, seeds=400)
    captures = sum(count for move, count in found.items() if move in ("c3b4", "c3d4", "d2e3"))
    assert 150 < captures < 260
    assert not {"c3b4", "c3d4", "d2e3"} & set(chosen(BOARD))


def test_the_longer_of_two_tries_is_twice_as_likely():
    view = PlayerView.of(read_fen("4k3/8/8/8/8/8/8/R3K3 w"), WHITE)
    found = Counter(uci(longest_first(view, Random(seed))) for seed in range(2000))
    assert 900 < found["a1a8"] < 1100
    assert 420 < found["a1a7"] < 580
    assert 190 < found["a1a6"] < 310


@pytest.mark.parametrize("rules", RULES.values(), ids=RULES)
@pytest.mark.parametrize("first", [TINY, GARDNER], ids=["tiny", "gardner"])
def test_it_plays_whole_games_and_repeats_itself(rules, first):
    game = Kriegspiel(replace(rules, ply_limit=60), (first,))
    one, other = (play_game(game, read_player("simple"), RandomTriesPlayer(), seed=4) for _ in range(2))
    assert one.end is not None
    assert one.events == other.events


def test_steps_are_told_from_captures():
    view = PlayerView.of(read_fen(BOARD), WHITE)
    assert is_pawn_step(view, read_uci("c3c4"))
    assert not is_pawn_step(view, read_uci("c3d4"))
    assert not is_pawn_step(view, read_uci("h4h5"))
