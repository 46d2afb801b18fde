"""Players for any game: nobody peeks, everybody keeps to the limit, and who sees better plays better."""

from dataclasses import dataclass
from random import Random
from time import process_time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from own_games import MiniWhist, Phantom, RandomGame, Urn
from seat_oracle import best_defence
from worldwise import Limit, game
from worldwise.core import NO_LIMIT, TrackedBelief
from worldwise.errors import InputError
from worldwise.extensive import FormGame
from worldwise.players import (
    AlphaMuGamePlayer,
    EpimcGamePlayer,
    ExactGamePlayer,
    GameMatch,
    GameTable,
    InformationSetGamePlayer,
    IsmctsGamePlayer,
    MatchSummary,
    PimcGamePlayer,
    RandomGamePlayer,
    Turn,
    game_player,
)
from worldwise.players.any_game import PLAYERS

ALL = [
    RandomGamePlayer(),
    PimcGamePlayer(8),
    EpimcGamePlayer(2, 8),
    AlphaMuGamePlayer(2, 8),
    ExactGamePlayer(8),
    InformationSetGamePlayer(2, 0.0, 8),
    InformationSetGamePlayer(2, 1.0, 8),
    InformationSetGamePlayer(2, 0.3, 8),
    IsmctsGamePlayer(30),
]


def turn_at(rules, player, position, seed=0, limit=NO_LIMIT, **options):
    belief = TrackedBelief.start(rules, player, rules.observe(position, player), **options)
    return Turn(rules, player, tuple(rules.moves(position)), belief, Random(seed), limit)


@pytest.mark.parametrize("player", ALL, ids=repr)
@pytest.mark.parametrize(
    "rules",
    [MiniWhist(3, 2, 4), RandomGame(4), RandomGame(5, length=6), FormGame(game("bmv96/fig-3")), Urn()],
    ids=repr,
)
def test_everybody_plays_every_game_to_its_end(player, rules):
    table = GameTable(rules, dict.fromkeys(rules.players, player), 3)
    last = table.play_out()
    assert rules.to_move(last) is None
    assert GameTable(rules, dict.fromkeys(rules.players, player), 3).play_out() == last


@pytest.mark.parametrize("player", ALL[1:], ids=repr)
def test_nobody_peeks(player):
    """Two true deals that look alike to a player: he makes the same move in both."""
    rules, rng = MiniWhist(4, 2, 5), Random(1)
    for seed in range(3):
        first = rules.deal(rng)
        other = rules.redeal(rules.observe(first, 0), 0, rng)
        chosen = [player.choose(turn_at(rules, 0, deal, seed, most=30)) for deal in (first, other)]
        assert chosen[0] == chosen[1]


@given(st.integers(0, 10**6))
def test_the_exact_player_loses_nothing_at_his_first_move(seed):
    rules = RandomGame(seed, length=4)
    positions = [(number, ()) for number in range(rules.dealt)]
    move = ExactGamePlayer().choose(turn_at(rules, "A", positions[0], seed))
    after = [rules.play(position, move) for position in positions]
    best = best_defence(rules, "A", positions, [1] * len(positions))
    assert best_defence(rules, "A", after, [1] * len(after)) == pytest.approx(best)


@pytest.mark.parametrize(
    "player", [InformationSetGamePlayer(2, 0.0, 8), IsmctsGamePlayer(30), PimcGamePlayer(3)], ids=repr
)
def test_phantom_games_too(player):
    rules = Phantom()
    last = GameTable(rules, {0: player, 1: RandomGamePlayer()}, 3, Limit(seconds=0.5)).play_out()
    assert rules.to_move(last) is None


@settings(max_examples=5)
@given(st.integers(0, 1000))
def test_alpha_mu_is_better_than_chance(seed):
    summary = GameMatch(MiniWhist(3, 2, 4), AlphaMuGamePlayer(2, 6), RandomGamePlayer()).summary(30, seed)
    assert summary.payoff.high > 0


@pytest.mark.parametrize("player", [PimcGamePlayer(200), AlphaMuGamePlayer(9, 200), IsmctsGamePlayer(10**6)], ids=repr)
def test_limits_hold_even_if_nothing_can_be_solved(player):
    """Nothing here is solved face up in so little time, and a move is made all the same."""
    rules = MiniWhist(12, 4, 8)
    position = rules.deal(Random(1))
    turn = turn_at(rules, 0, position, most=50, limit=Limit(seconds=0.3))
    start = process_time()  # other work on the machine does not count
    assert player.choose(turn) in rules.moves(position)
    assert process_time() - start < 3


def test_names():
    assert {type(game_player(name)).name for name in PLAYERS.players} == set(PLAYERS.players)
    assert game_player("overconfident:depth=2") == InformationSetGamePlayer(2, 0.0)
    with pytest.raises(InputError):
        game_player("alphamu:depth=0")
    with pytest.raises(InputError):
        game_player("nobody")


# ---------------------------------------------------------------------- matches


def test_who_plays_himself_comes_out_even_deal_by_deal():
    """The same deals, seats exchanged: luck cancels out."""
    summary = GameMatch(MiniWhist(3, 2, 4), PimcGamePlayer(5), PimcGamePlayer(5)).summary(6, seed=4)
    assert [sum(one) for one in summary.rounds] == [0] * 6
    assert summary.payoff.value == 0
    assert summary.by_seat(0).value == -summary.by_seat(1).value


def test_a_deal_depends_on_its_seed_alone():
    match = GameMatch(MiniWhist(3, 2, 4), AlphaMuGamePlayer(2, 5), RandomGamePlayer())
    assert match.play(11) == match.play(11)
    assert match.summary(3, 5).rounds == match.summary(4, 5).rounds[:3]


def test_the_summary_is_about_the_first_player():
    summary = MatchSummary.of([(1, 0), (1, -1), (3, 2)])
    assert summary.payoff.value == 1
    assert summary.payoff.low < 1 < summary.payoff.high
    assert str(summary).startswith("+1.000 a game, 95 % interval")


def test_a_game_must_say_who_plays():
    class Nameless(MiniWhist):
        players = ()

    with pytest.raises(InputError, match="expected a game that says who plays"):
        GameMatch(Nameless(), RandomGamePlayer(), RandomGamePlayer()).summary(1)


@dataclass(frozen=True)
class Long:
    """So many moves of two, more than Python can recurse; the sum decides."""

    moves_left: int = 3000
    players = (0, 1)

    def deal(self, _rng):
        return 0, 0

    def deals(self):
        return [((0, 0), 1)]

    def to_move(self, position):
        return None if position[0] == self.moves_left else position[0] % 2

    def moves(self, _position):
        return (0, 1)

    def play(self, position, move):
        return position[0] + 1, position[1] + move

    def payoff(self, position, player):
        return float((position[1] + player) % 2)

    def observe(self, position, _player):
        return position


@pytest.mark.parametrize("name", ["pimc", "epimc", "alphamu", "exact"])
def test_a_game_too_deep_to_be_solved_is_left_to_is_mcts(name):
    rules = Long()
    belief = TrackedBelief.start(rules, 0, (0, 0))
    turn = Turn(rules, 0, (0, 1), belief, Random(1), Limit(seconds=0.05))
    assert game_player(name).choose(turn) in (0, 1)


@pytest.mark.parametrize("name", ["overconfident", "paranoid:depth=30", "pimc"])
def test_seconds_hold_in_the_midst_of_one_world(name):
    """One world, thirty moves deep, used to be searched to the end, whatever the limit."""
    rules = MiniWhist(12, 4, 10)
    belief = TrackedBelief.start(rules, 0, rules.observe(rules.deal(Random(2)), 0), most=5)
    start = process_time()
    turn = Turn(rules, 0, tuple(sorted(belief.heard[0][0])), belief, Random(1), Limit(seconds=0.2))
    assert game_player(name).choose(turn) in turn.moves
    assert process_time() - start < 1
