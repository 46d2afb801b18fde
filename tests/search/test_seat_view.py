"""A game of rules as a seat sees it: against the definitions, on random games and on two real ones."""

from dataclasses import dataclass
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from own_games import MiniWhist, Phantom, RandomGame, Urn
from seat_oracle import best_defence, face_up
from worldwise import AlphaMu, Exact, Limit
from worldwise.core import AllHistories
from worldwise.errors import InputError, LimitReachedError
from worldwise.search import FaceUpSolver, PostponedPimc, SeatFaceUp, SeatView, seat_view
from worldwise.testing import check_world_game

seeds = st.integers(0, 10**6)
random_games = st.builds(RandomGame, seeds, st.integers(1, 3), st.integers(1, 5), st.integers(1, 2))


def first_view(game, player="A"):
    belief = AllHistories.start(game, player)
    positions, weights = zip(*belief.histories, strict=True)
    return SeatView(game, player, positions, weights)


@given(random_games)
def test_the_view_is_a_world_game_worth_what_the_definition_says(game):
    view = first_view(game)
    check_world_game(view)
    positions = [position for _, position in view.root.states]
    expected = best_defence(game, "A", positions, view.weights)
    assert Exact().search(view).value == pytest.approx(float(expected))
    assert AlphaMu(10).search(view, face_up=SeatFaceUp(view)).value == pytest.approx(float(expected))


@given(random_games, st.integers(1, 3))
def test_who_sees_unseen_moves_too_believes_in_more(game, depth):
    view = first_view(game)
    clairvoyant = AlphaMu(depth).search(view, face_up=SeatFaceUp(view))
    assert clairvoyant.believed >= AlphaMu(depth).search(view).believed - 1e-9


@given(random_games)
def test_the_face_up_solver_is_minimax(game):
    solver = FaceUpSolver(game, "A")
    for position, _ in game.deals():
        assert solver.value(position) == face_up(game, "A", position)
        assert max(solver.move_values(position).values()) == solver.value(position)


@given(seeds)
def test_a_key_changes_no_value(seed):
    game = MiniWhist(cards=3, suits=2, ranks=4)
    position = game.deal(Random(seed))
    assert FaceUpSolver(game, 0).value(position) == face_up(game, 0, position)


@dataclass(frozen=True)
class Unseen:
    """B moves many times before A observes anything."""

    length: int

    def to_move(self, position):
        return "A" if not position else "B" if len(position) <= self.length else None

    def moves(self, _position):
        return 0, 1

    def play(self, position, move):
        return (*position, move)

    def payoff(self, position, _player):
        return float(sum(position))

    def observe(self, position, _player):
        return position[:1], len(position) > self.length


@pytest.mark.parametrize("find", [PostponedPimc(2).move_values, Exact().search], ids=["epimc", "exact"])
def test_the_others_may_not_move_unseen_for_ever(find):
    """All 2 to the 40th ways from turn to turn used to be followed, whatever the limit."""
    with pytest.raises(InputError, match="expected at most 20,000 unseen ways from turn to turn, found more"):
        find(SeatView(Unseen(40), "A", [()]))


def test_a_limit_holds_while_others_move_unseen(monkeypatch):
    monkeypatch.setattr(seat_view, "MOST_UNSEEN", 10**12)
    with pytest.raises(LimitReachedError):
        PostponedPimc(2).move_values(SeatView(Unseen(40), "A", [()]), Limit(seconds=0.05))


def test_chance_is_the_mean():
    assert FaceUpSolver(Urn(), "you").value(()) == 1
    assert face_up(Urn(), "you", ()) == 1


@given(random_games)
def test_epimc_lies_between_pimc_and_best_defence(game):
    """Whoever sees everything sooner believes in more; one vector at MAX is at most a front."""
    view = first_view(game)
    values = [max(PostponedPimc(depth).move_values(view).values()) for depth in (1, 2, 10)]
    assert values[0] >= values[1] - 1e-9
    assert values[1] >= values[2] - 1e-9
    assert Exact().search(view).value >= values[2] - 1e-9


@given(random_games)
def test_pimc_is_the_mean_of_worlds_face_up(game):
    view = first_view(game)
    found = PostponedPimc(1).move_values(view)
    for move, value in found.items():
        worlds = [face_up(game, "A", game.play(state, move)) for _, state in view.root.states]
        total = sum(view.weights)
        assert value == pytest.approx(float(sum(w * x for w, x in zip(view.weights, worlds, strict=True)) / total))


def test_a_refused_try_is_news():
    game = Phantom()
    mine = game.play((), 4)
    view = SeatView(game, 0, [game.play(mine, square) for square in range(9) if square != 4])
    after = view.play(view.root, 0)
    assert view.worlds == 8  # where his only mark may be
    assert len(view.moves(after)) == 2
    refused = {len(view.play(after, news).worlds) for news in view.moves(after)}
    assert refused == {1, 7}


def test_worlds_that_look_different_are_refused():
    game = MiniWhist(cards=2, suits=2, ranks=3)
    deals = [position for position, _ in game.deals()]
    with pytest.raises(InputError, match="expected positions that look the same to 0"):
        SeatView(game, 0, deals)
    with pytest.raises(InputError, match="expected a weight for each of 1 worlds, found 2"):
        SeatView(game, 0, deals[:1], [1, 2])


def test_limits_stop_the_solver_too():
    game = MiniWhist()
    first = game.deal(Random(1))
    view = SeatView(game, 0, [first])
    with pytest.raises(LimitReachedError):
        PostponedPimc(1).move_values(view, Limit(nodes=20))
