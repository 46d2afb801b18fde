"""Games of ours as PettingZoo environments: its own tests, the same play as by our rules, and nobody peeks."""

from random import Random

import pytest

from own_games import MiniWhist, Phantom, RandomGame, Urn
from worldwise import game
from worldwise.doors.pettingzoo import make_environment
from worldwise.errors import GameError, InputError
from worldwise.extensive import FormGame

pytest.importorskip("pettingzoo", reason="PettingZoo is not installed: pip install 'worldwise[pettingzoo]'")
numpy = pytest.importorskip("numpy")

from pettingzoo.test import api_test, seed_test  # noqa: E402

GAMES = [MiniWhist(2, 2, 3), MiniWhist(), Phantom(), RandomGame(3), Urn(), FormGame(game("bmv96/fig-3"))]


@pytest.mark.filterwarnings("ignore:Observation is not a NumPy array", "ignore:Observation space for each agent")
@pytest.mark.filterwarnings("ignore:Action mask numpy array is all zeros")
@pytest.mark.parametrize("rules", GAMES, ids=repr)
def test_pettingzoos_own_test(rules):
    api_test(make_environment(rules), num_cycles=60, verbose_progress=False)


def test_a_seed_makes_the_same_game():
    seed_test(lambda: make_environment(MiniWhist(2, 2, 3)), num_cycles=5)


@pytest.mark.parametrize("rules", GAMES, ids=repr)
def test_play_is_as_by_the_rules(rules):
    """Legal are our moves, rewards are our payoffs, and what looks alike to a player looks alike here."""
    environment, rng, looks = make_environment(rules), Random(1), {}
    for seed in range(10):
        environment.reset(seed=seed)
        for agent in environment.agent_iter():
            seen, reward, over, _, _ = environment.last()
            seat = rules.players[int(agent[-1])]
            key = (seat, rules.observe(environment.position, seat))
            assert looks.setdefault(key, seen["observation"].tobytes()) == seen["observation"].tobytes()
            if over:
                assert rules.to_move(environment.position) is None
                assert reward == rules.payoff(environment.position, seat)
                environment.step(None)
                continue
            assert rules.to_move(environment.position) == seat
            legal = numpy.flatnonzero(seen["action_mask"]).tolist()
            assert {environment.numbers.move(number) for number in legal} == set(rules.moves(environment.position))
            environment.step(rng.choice(legal))
    assert len(set(looks.values())) == len({observed for _, observed in looks}) > 1


def test_numbers_of_ones_own():
    """An encoder is told the observation and the player, and says how large an observation is."""
    environment = make_environment(MiniWhist(2, 2, 3), encode=lambda seen, player: [player, len(seen[1])])
    environment.reset(seed=1)
    assert environment.observation_space("player_1")["observation"].shape == (2,)
    assert environment.observe("player_1")["observation"].tolist() == [1, 0]
    assert environment.observe("player_1")["action_mask"].sum() == 0
    environment.step(numpy.flatnonzero(environment.last()[0]["action_mask"])[0])
    assert environment.observe("player_1")["observation"].tolist() == [1, 1]
    assert "(0, " in environment.render()


def test_what_is_refused():
    environment = make_environment(MiniWhist(2, 2, 3))
    environment.reset(seed=1)
    with pytest.raises(InputError, match="expected one of player_0's actions"):
        environment.step(int(numpy.flatnonzero(environment.last()[0]["action_mask"] == 0)[0]))
    short = make_environment(Phantom(), longest=10)
    short.reset()
    short.step(4)
    with pytest.raises(InputError, match="say longest="):
        short.observe("player_0")
    few = make_environment(Phantom(), moves=range(3))
    few.reset()
    with pytest.raises(GameError, match="give them all as moves"):
        few.observe("player_0")
