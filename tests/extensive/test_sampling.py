"""The check of samplers: a right one passes, and one that breaks a rule is caught at that rule."""

import json
import random
from collections import Counter
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from random import Random

import pytest

from worldwise.core.game import CHANCE, ExtensiveForm
from worldwise.errors import GameError, InputError
from worldwise.extensive import ImpModel, chance, decision, game_of, leaf
from worldwise.extensive.sampling import (
    ExactSampler,
    FaultKind,
    Sampler,
    check_sampler,
    contradiction,
    worlds_by_set,
)

CARDS = ("H1", "H2", "S1", "S2")
HANDS = tuple(combinations(CARDS, 2))
WEST, EAST = 0, 1


@dataclass(frozen=True)
class FollowSuit:
    """East holds two of four cards. West names a suit, East plays a card of it if he can; West guesses the other card.

    A position is the history itself: the hand dealt, the suit, the card, the guess.
    """

    players = ("West", "East")
    root = ()

    def to_move(self, position):
        return [CHANCE, WEST, EAST, WEST, None][len(position)]

    def moves(self, position):
        if len(position) == 2:
            hand = HANDS[position[0]]
            return [card for card in hand if card[0] == position[1]] or list(hand)
        return [range(len(HANDS)), ["H", "S"], None, CARDS][len(position)]

    def play(self, position, move):
        return (*position, move)

    def chances(self, position):
        return (Fraction(1, len(HANDS)),) * len(HANDS)

    def information_set(self, position):
        return position if len(position) == 2 else position[1:]

    def payoffs(self, position):
        hand, _, card, guess = position
        won = guess != card and guess in HANDS[hand]
        return (1, -1) if won else (-1, 1)


FORM = FollowSuit()
BOTH_HEARTS, MIXED, OTHER_MIXED, BOTH_SPADES = map(
    HANDS.index, [("H1", "H2"), ("H1", "S1"), ("H1", "S2"), ("S1", "S2")]
)


# ---------------------------------------------------------------------- one sample


def test_the_example_is_a_game():
    assert isinstance(FORM, ExtensiveForm)


@pytest.mark.parametrize("sampled", [[BOTH_HEARTS, "H", "H1"], (MIXED, "H", "H1"), [OTHER_MIXED, "H", "H1"]])
def test_worlds_that_the_player_holds_possible(sampled):
    assert contradiction(FORM, WEST, (MIXED, "H", "H1"), sampled) is None


@pytest.mark.parametrize(
    ("truth", "sampled", "words"),
    [
        ((BOTH_SPADES, "H", "S1"), (MIXED, "H", "S1"), "move 3: East cannot make the move S1, legal: H1"),
        ((MIXED, "H", "H1"), (BOTH_SPADES, "H", "H1"), "move 3: East cannot make the move H1, legal: S1, S2"),
        ((MIXED, "H", "H1"), (9, "H", "H1"), "move 1: chance cannot make the move 9, legal: 0, 1, 2, 3, 4, 5"),
        ((MIXED, "H", "H1"), (MIXED, "S", "S1"), "move 2: West makes the move S, but made the move H"),
        (
            (BOTH_HEARTS, "H", "H1"),
            (BOTH_HEARTS, "H", "H2"),
            "after move 3: West knows ('H', 'H2'), but knew ('H', 'H1')",
        ),
        ((MIXED, "H", "H1"), (MIXED, "H"), "after move 2: it is the turn of East, but West is to move"),
        ((MIXED, "H", "H1"), (), "after move 0: it is the turn of chance, but West is to move"),
        ((MIXED, "H", "H1"), (MIXED,), "after move 1: West has made 0 moves, but had made 1"),
        ((MIXED,), (MIXED, "H", "H1"), "move 2: West makes a move, but had made only 0"),
        ((MIXED, "H", "H1"), "MHH", "expected the moves from the root, found 'MHH'"),
        ((MIXED, "H", "H1"), 7, "expected the moves from the root, found 7"),
    ],
)
def test_what_is_wrong_with_a_world_in_words(truth, sampled, words):
    assert contradiction(FORM, WEST, truth, sampled) == words


def test_a_world_that_goes_on_after_the_end():
    truth = game_of(decision("Ann", {"in": decision("Ann", {"a": leaf(1)}), "out": leaf(0)}), ["Ann"])
    assert contradiction(truth, 0, [0], [0]) is None
    assert contradiction(truth, 0, [], [1]) == "move 1: Ann makes a move, but had made only 0"
    over = game_of(chance({"on": ("1/2", decision("Ann", {"a": leaf(1)})), "off": ("1/2", leaf(0))}), ["Ann"])
    assert contradiction(over, 0, [0], [1]) == "after move 1: the game is over, but Ann is to move"
    assert contradiction(over, 0, [0], [1, 0]) == "move 2: the game is over, but goes on with 0"


def test_a_world_that_has_no_chance():
    after = decision("Ann", {"a": leaf(1)}, knows="nothing")
    game = game_of(chance({"often": (1, after), "never": (0, after)}), ["Ann"])
    assert contradiction(game, 0, [0], [1]) == "move 1: never has no chance at all"


def test_long_knowledge_is_shown_where_it_differs():
    deals = {side: ("1/2", decision("Ann", {"a": leaf(1)}, knows=side)) for side in "ab"}
    form = Wordy(game_of(chance(deals), ["Ann"]))
    words = contradiction(form, 0, [0], [1])
    assert (
        words
        == f"after move 1: Ann knows ...{'x' * 20 + '2' + 'y' * 19!r}..., but knew ...{'x' * 20 + '1' + 'y' * 19!r}..."
    )


@dataclass(frozen=True)
class Wordy:
    """A game whose information sets have long names."""

    game: object

    def __getattr__(self, name):
        return getattr(self.game, name)

    def information_set(self, position):
        return "x" * 100 + str(self.game.information_set(position)) + "y" * 100


@pytest.mark.parametrize("truth", [(9,), (MIXED, "H"), (MIXED, "H", "H1", "S1"), (MIXED, "H", "H1", "S1", "S1")])
def test_a_true_history_must_be_one(truth):
    with pytest.raises(InputError, match="expected a true history"):
        contradiction(FORM, WEST, truth, truth)


# ---------------------------------------------------------------------- many samples

RIGHT = ExactSampler(FORM)


def with_true_plays(position, player, rng):
    """Deals anything and keeps the plays, as OpenSpiel's hearts does: East may have failed to follow suit."""
    return (rng.randrange(len(HANDS)), *position[1:])


def with_another_suit(position, player, rng):
    sampled = RIGHT(position, player, rng)
    if player != WEST or len(position) < 3:
        return sampled
    suit = "HS"[position[1] == "H"]
    return (sampled[0], suit, FORM.moves((sampled[0], suit))[0])


def with_another_card(position, player, rng):
    sampled = RIGHT(position, player, rng)
    return (*sampled[:2], rng.choice(FORM.moves(sampled[:2]))) if len(position) == 3 else sampled


def too_early(position, player, rng):
    return RIGHT(position, player, rng)[:2] if player == WEST else RIGHT(position, player, rng)


def not_a_history(position, player, rng):
    return len(position)


@pytest.mark.parametrize(
    ("sampler", "kind"),
    [
        (with_true_plays, FaultKind.ILLEGAL),
        (with_another_suit, FaultKind.OWN_MOVE),
        (with_another_card, FaultKind.KNOWLEDGE),
        (too_early, FaultKind.TURN),
        (not_a_history, FaultKind.NO_HISTORY),
    ],
)
def test_a_sampler_that_breaks_a_rule_is_caught(sampler, kind):
    report = check_sampler(FORM, sampler)
    assert report.faults[kind] > 0
    assert report.consistent == report.samples - report.faults.total()
    assert report.example.fault.kind in report.faults
    assert not report.is_good
    assert f"{kind}: {report.faults[kind]}" in str(report)


def by_no_seed(position, player, rng):
    return RIGHT(position, player, random)


def always_the_first(position, player, rng):
    return worlds_by_set(FORM)[player, FORM.information_set(position)][0][0]


def the_truth(position, player, rng):
    return position


def the_truth_at_times(position, player, rng):
    return position if rng.random() < 0.3 else RIGHT(position, player, rng)


def refusing(position, player, rng):
    return None


def refusing_at_times(position, player, rng):
    return RIGHT(position, player, rng) if len(position) == 3 else None


def test_a_right_sampler():
    report = check_sampler(FORM, RIGHT)
    assert (report.positions, report.samples, report.consistent, report.unavailable) == (60, 300, 300, 0)
    assert (report.varied, report.reproducible, report.peeks) == (True, True, False)
    assert report.is_good
    assert report.rate == 1
    assert report.example is None
    assert report == check_sampler(FORM, RIGHT)
    assert hash(report) == hash(check_sampler(FORM, RIGHT))


def test_a_sampler_that_cannot_be_repeated():
    report = check_sampler(FORM, by_no_seed)
    assert (report.consistent, report.reproducible) == (report.samples, False)
    assert not report.is_good


def test_a_sampler_that_does_not_vary():
    report = check_sampler(FORM, always_the_first)
    assert (report.consistent, report.varied, report.peeks) == (report.samples, False, False)
    assert not report.is_good


@pytest.mark.parametrize("sampler", [the_truth, the_truth_at_times])
def test_a_sampler_that_reads_the_true_state(sampler):
    report = check_sampler(FORM, sampler)
    assert (report.consistent, report.peeks) == (report.samples, True)
    assert not report.is_good


def test_reading_the_true_state_shows_in_large_games_too():
    """Nothing is enumerated here: the worlds that a sampler gives are put to it as the truth."""
    assert check_sampler(FORM, the_truth_at_times, most_positions=0).peeks is True
    assert check_sampler(FORM, RIGHT, most_positions=0).peeks is False
    assert check_sampler(FORM, the_truth, most_positions=0).peeks is None


def test_a_sampler_that_refuses():
    report = check_sampler(FORM, refusing, games=2)
    assert (report.samples, report.unavailable, report.rate, report.varied, report.peeks) == (0, 30, None, None, None)
    assert str(report) == "no samples at 6 positions of 2 games: 30 refused"
    assert not report.is_good


def test_a_sampler_that_refuses_at_times():
    report = check_sampler(FORM, refusing_at_times, games=2)
    assert (report.samples, report.consistent, report.unavailable) == (10, 10, 20)
    assert "10 consistent (100.0 %), 20 refused" in str(report)
    assert not report.is_good


def test_a_report_in_words_and_in_json():
    report = check_sampler(FORM, with_true_plays, games=10, samples=2)
    first, *kinds, example, last = str(report).splitlines()
    assert first.startswith(f"60 samples at 30 positions of 10 games: {report.consistent} consistent (")
    assert kinds == [f"{kind}: {count}" for kind, count in report.faults.most_common()]
    assert example.startswith("first: game ")
    assert last == "varied: yes, reproducible: yes, reads the true state: no"
    plain = json.loads(json.dumps(report.as_dict()))
    assert plain["faults"] == dict(report.faults)
    assert plain["example"]["what"] == report.example.fault.words
    assert plain["consistent"] == report.consistent


def test_a_game_is_left_after_so_many_moves():
    assert check_sampler(FORM, RIGHT, games=3, most_moves=2).positions == 3


# ---------------------------------------------------------------------- the exact sampler


def test_the_exact_sampler_draws_worlds_as_likely_as_they_are():
    """East held two hearts in one of three deals, and then played H1 in one of two: 1 : 2 : 2."""
    drawn = Counter(RIGHT((MIXED, "H", "H1"), WEST, Random(seed))[0] for seed in range(10_000))
    assert set(drawn) == {BOTH_HEARTS, MIXED, OTHER_MIXED}
    assert drawn[BOTH_HEARTS] / 10_000 == pytest.approx(0.2, abs=0.015)
    assert drawn[MIXED] / 10_000 == pytest.approx(0.4, abs=0.015)


def test_the_exact_sampler_is_for_small_games():
    assert worlds_by_set(FORM, most_positions=10) is None
    with pytest.raises(GameError, match="expected a game of at most 10 positions, found more"):
        ExactSampler(FORM, most_positions=10)((MIXED,), WEST, Random(0))


@pytest.mark.parametrize("form", [ImpModel(k=2, b=2, d=4), ImpModel(k=3, b=2, d=3)])
def test_the_exact_sampler_on_other_games(form):
    sampler: Sampler = ExactSampler(form)
    assert check_sampler(form, sampler, games=10).is_good
