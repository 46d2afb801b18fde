"""Beliefs of any game: legal, consistent, varied by seed, reproducible, blind to the truth, with true weights."""

from collections import Counter
from dataclasses import replace
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from own_games import MiniWhist, Phantom, RandomGame, Urn
from worldwise.core import AllHistories, TrackedBelief, tracking
from worldwise.core.belief import probabilities
from worldwise.core.result import NO_LIMIT, Clock, Limit
from worldwise.errors import InputError, LimitReachedError

seeds = st.integers(0, 10**6)


def play_and_believe(game, player, dice, moves, **options):
    """A random play of so many moves, and what the player believes after it."""
    rng = Random(dice)
    position = game.deal(rng)
    belief = TrackedBelief.start(game, player, game.observe(position, player), **options)
    for _ in range(moves):
        if game.to_move(position) is None:
            break
        position = game.play(position, rng.choice(game.moves(position)))
        belief = belief.after(game.observe(position, player))
    return position, belief


def shares(histories):
    total = sum(float(weight) for _, weight in histories)
    found = Counter()
    for position, weight in histories:
        found[position] += float(weight) / total
    return found


@given(seeds, st.integers(0, 4), st.sampled_from("AB"))
def test_exact_beliefs_hold_the_same_as_the_whole_tree(seed, moves, player):
    game = RandomGame(seed)
    position, belief = play_and_believe(game, player, seed, moves)
    seen, expected = game.observe(position, player), Counter()
    waiting = [(first, float(chance)) for first, chance in game.deals()]
    while waiting:
        one, chance = waiting.pop()
        if game.observe(one, player) == seen:
            expected[one] += chance
        if game.to_move(one) is not None:
            own = game.to_move(one) == player
            share = chance / (1 if own else len(game.moves(one)))
            waiting.extend((game.play(one, move), share) for move in game.moves(one))
    total = sum(expected.values())
    assert belief.is_exact
    assert shares(belief.histories) == pytest.approx({one: chance / total for one, chance in expected.items()})


@pytest.mark.parametrize("seed", range(4))
def test_what_was_done_unseen_is_drawn_as_likely_as_it_is(monkeypatch, seed):
    """Where too much may have happened unseen to look at all of it."""
    game = RandomGame(seed, length=6)
    position, exact = play_and_believe(game, "A", seed, 5)
    monkeypatch.setattr(tracking, "MOST_UNSEEN", 2)
    same, drawn = play_and_believe(game, "A", seed, 5, most=3000)
    assert same == position
    assert not drawn.is_exact
    expected, found = shares(exact.histories), shares(drawn.histories)
    assert set(found) <= set(expected)
    assert sum(abs(found[one] - share) for one, share in expected.items()) < 0.2


def test_tries_that_are_refused_unseen_do_not_stop_a_belief(monkeypatch):
    monkeypatch.setattr(tracking, "MOST_UNSEEN", 20)
    monkeypatch.setattr(tracking, "MOST_UNSEEN_ANEW", 20)
    game = Phantom()
    position, belief = play_and_believe(game, 1, 4, 9, most=40)
    seen = game.observe(position, 1)
    assert not belief.is_exact
    assert all(game.observe(one, 1) == seen for one, _ in belief.histories)


@given(seeds, st.integers(0, 8), st.sampled_from([0, 1]))
def test_particles_are_legal_and_consistent_and_hold_the_truth_only_by_luck(seed, moves, player):
    game = MiniWhist()
    position, belief = play_and_believe(game, player, seed, moves, most=25, seed=seed)
    assert not belief.is_exact
    assert len(belief.histories) <= 25
    for found, _ in belief.histories:
        assert game.observe(found, player) == game.observe(position, player)
        assert not found.dealt[0] & found.dealt[1]
        assert replayed(game, found) == found


def replayed(game, position):
    again = position._replace(played=(), turn=0, led=None, won=(0, 0))
    for who, card in position.played:
        assert game.to_move(again) == who
        assert card in game.moves(again)
        again = game.play(again, card)
    return again


def test_the_same_seed_draws_the_same_and_another_other_worlds():
    game = MiniWhist()
    drawn = [play_and_believe(game, 0, 5, 4, most=50, seed=seed)[1].histories for seed in (1, 1, 2)]
    assert drawn[0] == drawn[1] != drawn[2]
    belief = play_and_believe(game, 0, 5, 4, most=50, seed=1)[1]
    assert belief.sample(Random(3)) == belief.sample(Random(3))
    assert len(set(belief.samples(Random(3), 50))) > 3


def test_it_never_reads_the_true_state():
    """Two true deals that look alike: the beliefs are equal."""
    game, rng = MiniWhist(), Random(0)
    first = game.deal(rng)
    other = game.redeal(game.observe(first, 0), 0, rng)
    assert first != other
    beliefs = [TrackedBelief.start(game, 0, game.observe(deal, 0), most=40) for deal in (first, other)]
    assert beliefs[0] == beliefs[1]


@pytest.mark.parametrize("moves", [2, 4])
def test_weights_of_particles_are_the_posterior(moves, monkeypatch):
    """Many small beliefs together, against exact enumeration: total variation within what chance explains."""
    game, player, total = MiniWhist(cards=3, suits=2, ranks=4), 0, Counter()
    _, exact = play_and_believe(game, player, 3, moves, most=10_000)
    assert exact.is_exact
    monkeypatch.setattr(tracking, "FEW_LISTED", 0)  # as if there were too many deals to list
    runs = 150
    for seed in range(runs):
        belief = play_and_believe(game, player, 3, moves, most=15, seed=seed)[1]
        assert not belief.is_exact
        total.update({one: share / runs for one, share in shares(belief.histories).items()})
    expected = shares(exact.histories)
    distance = sum(abs(total[one] - expected[one]) for one in expected) / 2
    assert set(total) <= set(expected)
    assert distance < 0.1


def test_who_plays_by_a_model_is_believed_to():
    game = RandomGame(2, dealt=2, length=3)
    always_first = lambda position: [1, 0]  # noqa: E731
    belief = TrackedBelief.start(game, "A", game.observe((0, ()), "A"), phi=always_first)
    belief = belief.after(game.observe(game.play((0, ()), 0), "A"))
    for position, _ in belief.histories:
        assert all(move == 0 for move in position[1][1:])


def test_chance_on_the_way_counts_as_it_is_likely():
    belief = TrackedBelief.start(Urn(), "you", ()).after(("light",))
    assert shares(belief.histories) == pytest.approx({("black light",): 0.25, ("white light",): 0.75})


def test_particles_that_die_out_are_draw_anew():
    """A phantom game whose refusals say much: four histories are soon none, and new ones are found."""
    game = Phantom()
    for seed in range(5):
        position, belief = play_and_believe(game, 0, seed, 12, most=4, seed=seed)
        assert all(game.observe(one, 0) == game.observe(position, 0) for one, _ in belief.histories)


def test_what_cannot_be_observed_is_refused():
    belief = TrackedBelief.start(Urn(), "you", ())
    with pytest.raises(InputError, match="expected what 'you' may observe here, found 'thunder'"):
        belief.after("thunder")


def test_all_histories_and_the_tracked_belief_agree_where_both_can():
    game = Phantom()
    position = game.play((), 4)
    both = AllHistories.start(game, 1), TrackedBelief.start(game, 1, game.observe((), 1))
    found = [belief.after(game.observe(position, 1)) for belief in both]
    assert shares(found[0].histories) == pytest.approx(shares(found[1].histories))
    assert probabilities(None, position, [1, 2])[0] == probabilities(None, position, [1, 2])[1]


def test_a_belief_obeys_a_limit():
    """In a large game one observation used to take minutes, however little time a move had."""
    game = Phantom()
    position = game.deal(Random(1))
    belief = TrackedBelief.start(game, 1, game.observe(position, 1))
    after = game.observe(game.play(position, game.moves(position)[0]), 1)
    assert belief.after(after, Limit(seconds=60)) == belief.after(after)
    with pytest.raises(LimitReachedError, match="a player's belief found no answer within 0 seconds"):
        belief.after(after, Limit(seconds=0))


def test_histories_are_draw_anew_only_while_there_is_time():
    game = MiniWhist(4, 2, 6)
    position = game.deal(Random(1))
    belief = TrackedBelief.start(game, 0, game.observe(position, 0), most=20)
    position = game.play(position, game.moves(position)[0])
    told = replace(belief, histories=(), heard=(*belief.heard, game.observe(position, 0)))
    assert told._draw_anew(20, Clock(NO_LIMIT))
    assert told._draw_anew(20, Clock(Limit(seconds=0))) == []
