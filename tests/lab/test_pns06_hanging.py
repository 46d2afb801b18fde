"""What is left to be taken in PNS06's games: static exchange, the counts, and the figures on the page."""

from pathlib import Path
from random import Random

import pytest

from kriegspiel_play import boards
from worldwise.kriegspiel.rules.board import EMPTY
from worldwise.kriegspiel.rules.fen import read_fen
from worldwise.kriegspiel.rules.squares import BLACK, CHESS, WHITE, read_uci
from worldwise.kriegspiel.search.exchange import exchange, left_to_take, most_won
from worldwise.kriegspiel.search.greedy import VALUES
from worldwise.lab.papers.pns06.hanging import (
    Hanging,
    count_games,
    count_hanging,
    early_mates,
    hang_rate,
    played_moves,
    punish_rate,
)
from worldwise.lab.papers.pns06.overconfidence import FIG_5
from worldwise.lab.papers.pns06.sampler import SAMPLER
from worldwise.lab.results import shipped_results

PAGE = Path(__file__).parents[2] / "docs/papers/pns06.md"


@pytest.mark.parametrize(
    ("fen", "square", "worth"),
    [
        ("k7/8/8/3p4/8/8/8/K2R4 w", "d5", 1),
        ("k7/8/2p5/3p4/8/8/8/K2R4 w", "d5", 0),
        ("k7/8/2p5/3q4/8/8/8/K2R4 w", "d5", 4),
        ("k2r4/8/8/3r4/8/8/3R4/K2R4 w", "d5", 5),
        ("k2r4/3r4/8/3p4/8/8/3R4/K2R4 w", "d5", 0),
        ("k2r4/8/8/3p4/4P3/8/8/K7 w", "d5", 0),
        ("8/8/3k4/3p4/4K3/8/8/8 w", "d5", 0),
        ("8/8/8/k2p4/4K3/8/8/8 w", "d5", 1),
        ("k7/8/8/8/8/8/8/K2R4 w", "d5", 0),
    ],
)
def test_exchanges_by_hand(fen, square, worth):
    """Batteries are seen, the cheapest takes first, and nobody goes on at a loss."""
    assert exchange(read_fen(fen), CHESS.square(square)) == worth


def all_exchanges(board, square):
    """The same by trying every attacker at every turn, not the cheapest alone."""
    best = 0.0
    for origin in board.attackers(square, board.turn):
        pieces = list(board.pieces)
        pieces[square], pieces[origin] = pieces[origin], EMPTY
        after = type(board)("".join(pieces), board.turn.other, geometry=board.geometry)
        gain = VALUES[board.pieces[square].upper()] or 100
        best = max(best, gain - all_exchanges(after, square))
    return best


def test_taking_with_the_cheapest_first_is_no_worse():
    rng, looked = Random(2), 0
    for seed in range(12):
        for board, _ in list(boards(seed, most=50))[10::10]:
            square = rng.choice([at for at, piece in board.pieces_of(board.turn.other) if piece not in "Kk"])
            if len(board.attackers(square, WHITE)) + len(board.attackers(square, BLACK)) <= 5:
                assert exchange(board, square) == pytest.approx(all_exchanges(board, square))
                looked += 1
    assert looked > 20


def test_what_a_move_takes_is_its_own():
    board = read_fen("k7/8/4p3/3q4/8/8/8/K2Q4 w")
    assert left_to_take(board, read_uci("d1d5")) == 0
    assert most_won(board.after(read_uci("d1d5"))) == 9
    assert left_to_take(board, read_uci("d1d4")) == 9


def test_moves_are_those_that_were_made():
    moves = played_moves("e2e4 d7d5 e4f5 e4d5 d8d5")
    assert [move for _, move in moves] == list(map(read_uci, ("e2e4", "d7d5", "e4d5", "d8d5")))


@pytest.mark.parametrize(
    ("tries", "colour", "found"),
    [
        ("e2e4 d7d5 d1g4 c8g4", WHITE, Hanging(2, 1, 1)),
        ("e2e4 d7d5 d1g4 a7a6", WHITE, Hanging(2, 1, 0)),
        ("e2e4 d7d5 d1g4 c8g4", BLACK, Hanging(2, 0, 0)),
        ("e2e4 d7d5 d1g4", WHITE, Hanging(2, 1, 0)),
    ],
)
def test_what_hangs_and_what_is_punished(tries, colour, found):
    assert count_hanging(tries, colour) == found


def test_games_are_counted_by_player():
    rows = [{"game": 1, "tries": "e2e4 d7d5 d1g4 c8g4"}, {"game": 2, "tries": "e2e4 d7d5 d1g4 c8g4"}]
    first, second = count_games(rows)
    assert [one.hanging for one in first] == [1, 0]
    assert [one.hanging for one in second] == [0, 1]
    assert hang_rate(first).value == 0.25
    assert punish_rate(first).value == 1


def test_early_mates_are_of_one_side():
    rows = [{"end": "mate", "plies": 15, "score": 1}, {"end": "mate", "plies": 16, "score": 1}]
    assert (early_mates(rows, 1), early_mates(rows, -1)) == (1, 0)


@pytest.mark.usefixtures("needs_kernels")
@pytest.mark.parametrize(
    ("experiment", "words"), [(FIG_5, "as they are"), (SAMPLER, "run out")], ids=["fig-5", "sampler"]
)
def test_the_page_says_what_the_games_say_at_depth_three(experiment, words):
    rows = [row for row in shipped_results(experiment).rows if row["against"] == "paranoid" and row["depth"] == 3]
    rows = [row for row in rows if row.get("against_depth", 3) == 3]
    first, second = count_games(rows)
    line = next(
        one for one in PAGE.read_text().splitlines() if one.startswith(f"| {words} | 3 | {len(rows)} | overconfident |")
    )
    other = next(
        one for one in PAGE.read_text().splitlines() if one.startswith(f"| {words} | 3 | {len(rows)} | paranoid |")
    )
    for games, told, score in ((first, line, 1), (second, other, -1)):
        assert told.endswith(f"| {percent(hang_rate(games))} | {percent(punish_rate(games))} | {wins(rows, score)} |")


def percent(rate):
    return f"{100 * rate.value:.1f} % ({100 * rate.low:.1f} to {100 * rate.high:.1f})"


def wins(rows, score):
    return f"{sum(row['score'] == score for row in rows)}, {early_mates(rows, score)} of them early"
