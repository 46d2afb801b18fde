"""FBM97's q on trees, suits and endings: the games, rows, and claims that can fail."""

from random import Random

import pytest

from worldwise.bridge.layouts.sampler import Layouts
from worldwise.bridge.rules.goal import Aim, Goal
from worldwise.bridge.rules.view import view_of
from worldwise.bridge.solvers.deal_game import DealGame
from worldwise.bridge.suit.rules import Suit, SuitGame
from worldwise.bridge.suit.trees import suit_tree
from worldwise.lab.experiment import ClaimOutcome
from worldwise.lab.papers.clv21.games import start_of
from worldwise.lab.papers.fb01 import measured_similarity as similarity
from worldwise.lab.papers.fb01.measured_similarity import MEASURED_Q, DealFaceUp, SuitFaceUp, SuitTables
from worldwise.runs.rows import Setting
from worldwise.search.face_up import Solved
from worldwise.testing import check_world_game

HOLDS, FAILS, UNDECIDED = ClaimOutcome.HOLDS, ClaimOutcome.FAILS, ClaimOutcome.UNDECIDED


def test_a_suit_over_tables_is_the_suit_as_a_tree():
    game = SuitGame(Suit.of("AQ", "2"), 2)
    tables, whole = SuitTables(game), suit_tree(game.suit, 2)
    seen, walked = SuitFaceUp(tables), Solved(whole)
    pairs = [(tables.root, whole.root)]
    while pairs:
        table, node = pairs.pop()
        worlds = walked.open(node)
        assert seen.open(table) == worlds
        assert seen.code(table, worlds) == walked.code(node, worlds)
        if tables.to_move(table) is not None:
            moves = zip(tables.moves(table), whole.moves(node), strict=True)
            pairs += [(tables.play(table, one), whole.play(node, two)) for one, two in moves]


def test_double_dummy_is_every_world_solved():
    setting = Setting(game="ending", contract="3NT", cards=8, number=1)
    for seed in range(8):
        play = start_of(setting, seed)
        view = view_of(play, play.contract.declarer)
        deals = tuple(Layouts(view).sample_different(Random(seed), 5))
        game = DealGame(view, deals, Goal(Aim.MAKE, view.contract, view.seat))
        assert check_world_game(game, most_positions=2000)
        assert DealFaceUp(game).code(game.root, game.root.open) == Solved(game).code(game.root, game.root.open)


def rows_of(game, shared, rows=50, wrong=None, **names):
    """Rows whose q squared is this, give or take a little that cancels."""
    wobble = [0.01 * (1 - 2 * (number % 2)) for number in range(rows)]
    return [
        {"game": game, "shared": shared + by, "whole": 1.0, **names}
        | ({} if wrong is None else {"wrong": wrong(number)})
        for number, by in enumerate(wobble)
    ]


TREES = [row for q in (0.0, 0.5, 0.9) for row in rows_of("tree", q * q, similarity=q)]
ENDINGS = [row for cards in (16, 24) for row in rows_of("ending", 0.64, cards=cards)]
EASY = rows_of("suit", 0.8, wrong=lambda number: False) + rows_of("suit", 0.2, wrong=lambda number: number % 2 == 0)


@pytest.mark.parametrize(
    ("claim", "rows", "outcome"),
    [
        (similarity.gives_q_back, TREES, HOLDS),
        (similarity.gives_q_back, TREES + rows_of("tree", 0.49, similarity=0.8), FAILS),
        (similarity.gives_q_back, rows_of("tree", 0.25, rows=5, similarity=0.5), UNDECIDED),
        (similarity.is_about("suit"), rows_of("suit", 0.49), HOLDS),
        (similarity.is_about("suit"), rows_of("suit", 0.36), FAILS),
        (similarity.is_about("ending"), rows_of("suit", 0.49), UNDECIDED),
        (similarity.is_about("ending", (48,)), rows_of("ending", 0.49, cards=48) + ENDINGS, HOLDS),
        (similarity.is_about("ending", (16, 24)), rows_of("ending", 0.49, cards=48) + ENDINGS, FAILS),
        (similarity.predicts_errors, EASY, HOLDS),
        (similarity.predicts_errors, [{**row, "shared": 1 - row["shared"]} for row in EASY], FAILS),
        (similarity.predicts_errors, EASY[:1], UNDECIDED),
    ],
)
def test_claims(claim, rows, outcome):
    assert claim(rows).outcome is outcome


def test_a_row_of_each_kind_and_all_that_is_made_of_them(needs_kernels):
    settings = MEASURED_Q.settings["smoke"]
    rows = [{**setting, "seed": 0, **similarity.measure(setting, 3)} for setting in settings]
    assert {row["game"] for row in rows} == {"tree", "suit", "ending"}
    assert [similarity.measure(setting, 3) for setting in settings[::3]] == [
        {key: row[key] for key in row if key not in {*setting, "seed"}}
        for setting, row in zip(settings[::3], rows[::3], strict=True)
    ]
    assert similarity.similarity_table(rows).rows
    assert MEASURED_Q.plot(rows).axes
