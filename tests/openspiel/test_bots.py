"""Our players among OpenSpiel's: its matches, its searches on our samples, and nobody peeks."""

from random import Random

import pytest

from own_games import MiniWhist, Phantom, RandomGame, Urn
from worldwise import Limit, game
from worldwise.errors import GameError, InputError
from worldwise.extensive import FormGame, behaviour_of
from worldwise.extensive.conversions import GameForm
from worldwise.openspiel import make_bot, make_resampler, open_spiel_rules
from worldwise.players import RandomGamePlayer
from worldwise.search import nash_conv

pyspiel = pytest.importorskip("pyspiel", reason="OpenSpiel is not installed: pip install 'worldwise[openspiel]'")
numpy = pytest.importorskip("numpy")
REASON = "OpenSpiel's Python part is not installed"
evaluation = pytest.importorskip("open_spiel.python.algorithms.evaluate_bots", reason=REASON)
ismcts = pytest.importorskip("open_spiel.python.algorithms.ismcts", reason=REASON)
mcts = pytest.importorskip("open_spiel.python.algorithms.mcts", reason=REASON)


class TheirIsmcts(ismcts.ISMCTSBot):
    """OpenSpiel's, which has no answer to the first thing that ``evaluate_bots`` asks."""

    def restart_at(self, state):
        self.reset()


def their_ismcts(game, seed=0, resample=True):
    rng = numpy.random.RandomState(seed)
    bot = TheirIsmcts(
        game=game,
        uct_c=2.0,
        max_simulations=20,
        evaluator=mcts.RandomRolloutEvaluator(1, rng),
        random_state=rng,
    )
    if resample:
        bot.set_resampler(make_resampler(game, seed=seed))
    return bot


def their_mcts(game, seed=0):
    rng = numpy.random.RandomState(seed)
    return mcts.MCTSBot(game, 2.0, 20, mcts.RandomRolloutEvaluator(1, rng), random_state=rng)


@pytest.mark.parametrize("theirs", [their_ismcts, their_mcts])
@pytest.mark.parametrize("name", ["phantom_ttt", "leduc_poker", "goofspiel(num_cards=3)"])
@pytest.mark.parametrize("player", ["alphamu:depth=2,worlds=8", "overconfident:depth=2,worlds=8"])
def test_a_match_against_their_searches(name, player, theirs):
    """IS-MCTS draws its worlds from our sampler; MCTS looks at the true state."""
    game = pyspiel.load_game_as_turn_based(name)
    for seat in (0, 1):
        bots = [theirs(game), theirs(game)]
        bots[seat] = make_bot(player, game, seat, limit=Limit(seconds=0.1))
        returns = evaluation.evaluate_bots(game.new_initial_state(), bots, numpy.random.RandomState(3))
        assert sum(returns) == 0


def test_a_bot_of_ours_plays_in_their_compiled_matches():
    game = pyspiel.load_game("kuhn_poker")
    returns = pyspiel.evaluate_bots(
        game.new_initial_state(), [make_bot("exact", game, 0), pyspiel.make_uniform_random_bot(1, 5)], 7
    )
    assert sum(returns) == 0


def test_a_bot_is_as_its_seed_and_plays_one_game_after_another():
    game = pyspiel.load_game("leduc_poker")
    rng = Random(2)
    for _ in range(4):
        state, one, other = (
            game.new_initial_state(),
            make_bot("pimc", game, 0, seed=4),
            make_bot("pimc", game, 0, seed=4),
        )
        one.restart()
        while not state.is_terminal():
            if state.current_player() == 0:
                policy, move = one.step_with_policy(state)
                assert (move, policy) == (other.step(state), other.clone().get_policy(state))
                assert sum(share for _, share in policy) == 1
                state.apply_action(move)
            else:
                state.apply_action(rng.choice(state.legal_actions()))


def test_a_bot_does_not_peek():
    """The other's card differs, the bot's moves do not."""
    game = pyspiel.load_game("kuhn_poker")
    for mine in range(3):
        moves = set()
        for his in {0, 1, 2} - {mine}:
            state = game.new_initial_state()
            for move in (mine, his):
                state.apply_action(move)
            moves.add(make_bot("pimc:worlds=4", game, 0, seed=1).step(state))
        assert len(moves) == 1


@pytest.mark.parametrize("name", ["phantom_ttt", "dark_hex(board_size=3)", "leduc_poker", "kriegspiel(board_size=4)"])
def test_samples_look_the_same_to_the_player_and_vary(name):
    game, rng = pyspiel.load_game(name), Random(5)
    resample, again = make_resampler(game, seed=1, most=30), make_resampler(game, seed=1, most=30)
    state, hidden = game.new_initial_state(), set()
    for _ in range(8):
        if state.is_terminal():
            break
        player = state.current_player()
        if player >= 0:
            samples = [resample(state, player) for _ in range(5)]
            for sample in samples:
                assert sample.information_state_string(player) == state.information_state_string(player)
                assert sample.legal_actions() == state.legal_actions()
            assert [again(state, player).history() for _ in range(5)] == [sample.history() for sample in samples]
            hidden.add(len({tuple(sample.history()) for sample in samples}))
        state.apply_action(rng.choice(state.legal_actions()))
    assert max(hidden) > 1


def test_what_is_refused():
    game = pyspiel.load_game("kuhn_poker")
    with pytest.raises(InputError, match="expected a seat from 0 to 1, found 2"):
        make_bot("pimc", game, 2)
    with pytest.raises(InputError, match="unknown player"):
        make_bot("nobody", game, 0)
    with pytest.raises(GameError, match="some who move at once"):
        make_bot("pimc", pyspiel.load_game("matrix_rps"), 0)


# ---------------------------------------------------------------------- our rules as a game of theirs


def our_rules():
    return [MiniWhist(2, 2, 3), MiniWhist(1, 1, 4), RandomGame(3), Urn(), Phantom(), FormGame(game("bmv96/fig-3"))]


@pytest.mark.parametrize("rules", our_rules(), ids=repr)
def test_a_game_of_ours_is_the_same_game_there(rules):
    """Random plays of OpenSpiel's own test, and at every state its players, moves, payoffs and chances are ours."""
    theirs, rng = open_spiel_rules(rules), Random(1)
    pyspiel.random_sim_test(theirs, 3, False, False)
    for _ in range(5):
        state = theirs.new_initial_state()
        while not state.is_terminal():
            if state.is_chance_node():
                moves, shares = zip(*state.chance_outcomes(), strict=True)
                assert sum(shares) == pytest.approx(1)
                state.apply_action(rng.choices(moves, shares)[0])
                continue
            position, seat = state.path[-1], rules.players[state.current_player()]
            assert rules.to_move(position) == seat
            numbers = state.legal_actions()
            assert {theirs.rules.found.numbers.move(number) for number in numbers} == set(rules.moves(position))
            clone, move = state.clone(), rng.choice(numbers)
            state.apply_action(move)
            assert (clone.history(), len(clone.path)) == (state.history()[:-1], len(state.path) - 1)
        last = state.path[-1]
        assert state.returns() == [rules.payoff(last, seat) for seat in rules.players]


@pytest.mark.parametrize("rules", our_rules()[:4], ids=repr)
def test_their_nash_conv_of_our_game_is_ours(rules):
    exploitability = pytest.importorskip("open_spiel.python.algorithms.exploitability", reason=REASON)
    policy = pytest.importorskip("open_spiel.python.policy", reason=REASON)
    theirs = open_spiel_rules(rules)
    form = GameForm(rules, tuple(rules.players))
    ours = nash_conv(form, behaviour_of(RandomGamePlayer(), rules))
    assert exploitability.nash_conv(theirs, policy.UniformRandomPolicy(theirs)) == pytest.approx(ours, abs=1e-9)


@pytest.mark.parametrize("rules", [MiniWhist(3, 2, 4), MiniWhist(), Phantom()], ids=repr)
def test_a_match_at_our_game(rules):
    """Theirs and ours at a game of ours: the samples that their search asks for look the same, and vary."""
    theirs = open_spiel_rules(rules, deals=50)
    for seat in (0, 1):
        bots = [their_ismcts(theirs, resample=False), their_ismcts(theirs)]
        bots[seat] = make_bot("alphamu:depth=2,worlds=5", theirs, seat, limit=Limit(seconds=0.1))
        returns = evaluation.evaluate_bots(theirs.new_initial_state(), bots, numpy.random.RandomState(3))
        assert sum(returns) == 0
    state, rng, kinds = theirs.new_initial_state(), Random(2), set()
    for _ in range(4):
        while state.is_chance_node():
            state.apply_action(rng.choice(state.legal_actions()))
        player = state.current_player()
        for _ in range(5):
            sample = state.resample_from_infostate(player, rng.random)
            assert sample.information_state_string(player) == state.information_state_string(player)
            assert sample.legal_actions() == state.legal_actions()
            kinds.add(str(sample))
        state.apply_action(rng.choice(state.legal_actions()))
    assert len(kinds) > 4


def test_a_game_of_ours_by_name_and_by_pickle():
    registered = open_spiel_rules(MiniWhist(1, 1, 4), "worldwise_test_whist")
    assert pyspiel.load_game("worldwise_test_whist").num_distinct_actions() == registered.num_distinct_actions() == 4
    state = registered.new_initial_state()
    state.apply_action(5)
    other, again = pyspiel.deserialize_game_and_state(pyspiel.serialize_game_and_state(registered, state))
    assert (str(other), again.history(), again.path) == ("worldwise_test_whist()", [5], state.path)
    with pytest.raises(InputError, match="does not have yet"):
        open_spiel_rules(Phantom(), "kuhn_poker")
