"""Every ``Game`` is put through the conformance check, and the check finds what is wrong with games that are none."""

from dataclasses import replace
from fractions import Fraction
from random import Random

import pytest

from kriegspiel_play import GARDNER, TINY
from own_games import MiniWhist
from peek_game import Peek
from worldwise.kriegspiel.rules.board import START
from worldwise.kriegspiel.rules.fen import read_fen
from worldwise.kriegspiel.rules.game import PLAYERS, Kriegspiel
from worldwise.kriegspiel.rules.umpire import RULES, WILD16
from worldwise.testing import ConformanceError, check_game

ENDINGS = tuple(
    read_fen(text) for text in ("4k3/8/8/3p4/4P3/8/8/4K3 w", "4k3/8/8/4p3/4P3/8/8/4K3 w", "3qk3/8/8/8/4P3/8/8/4K3 w")
)
GAMES = {
    **{name: Kriegspiel(rules) for name, rules in RULES.items()},
    "PNS06's limits": Kriegspiel(replace(WILD16, ply_limit=160, quiet_limit=50)),
    "four by four": Kriegspiel(starts=(TINY,)),
    "five by five": Kriegspiel(starts=(GARDNER,)),
    "one of several endings": Kriegspiel(starts=ENDINGS),
    "one of two openings": Kriegspiel(starts=(START, replace(START, pieces=START.pieces.replace("n", ".")))),
}


@pytest.mark.parametrize("name", GAMES)
def test_kriegspiel_is_a_game(name):
    found = check_game(GAMES[name], PLAYERS, seeds=range(3), most_moves=40, branches=2, zero_sum=True)
    assert found.games == 3
    assert found.positions > 100


def test_small_games_are_played_to_the_end():
    found = check_game(GAMES["four by four"], PLAYERS, seeds=range(3), zero_sum=True)
    assert found.ended == 3


def test_the_cards_of_ann_and_bob():
    assert check_game(Peek(), ["Ann", "Bob"], seeds=range(8), zero_sum=True).ended == 8


class TellsAll(Peek):
    """Bob's moves depend on a card that he has not seen."""

    def moves(self, position):
        return ("call",) if len(position) == 2 and position[0] == "A" else super().moves(position)


class Forgets(Peek):
    def observe(self, position, player):
        return position[0] if player == "Ann" else position[1:]


class ForgetsTheCard(Peek):
    def observe(self, position, player):
        return position[1:] if len(position) > 1 else super().observe(position, player)


class HidesTheEnd(Peek):
    """With an ace, low ends the game, and Bob does not notice."""

    def to_move(self, position):
        return None if position == ("A", "low") else super().to_move(position)

    def payoff(self, position, player):
        return 0 if len(position) == 2 else super().payoff(position, player)


class NoMoves(Peek):
    def moves(self, position):
        return ()


class Twice(Peek):
    def moves(self, position):
        return ("high", "high")


class Generous(Peek):
    def payoff(self, position, player):
        return 1


class Boundless(Peek):
    def payoff(self, position, player):
        return float("inf")


class Fickle(Peek):
    count = 0

    def observe(self, position, player):
        self.count += 1
        return position, self.count


class Listed(Peek):
    def observe(self, position, player):
        return (list(position),)


class Stranger(Peek):
    def to_move(self, position):
        return "Carl"


class Unlikely(Peek):
    def deals(self):
        return [(("A",), Fraction(1, 3))]


BROKEN = {
    TellsAll: "expected the moves of 'Bob' to follow from what was observed, found ['call'], and "
    "['call', 'fold'] where",
    Forgets: "expected what 'Ann' has observed to tell that it is his turn, found the same where it is not",
    HidesTheEnd: "expected what 'Bob' has observed to tell that the game is over, found the same where it goes on",
    ForgetsTheCard: "expected 'Ann' to know what he knew before, and his moves, found two ways to know the same",
    NoMoves: "expected at least one move, found none",
    Twice: "expected each move once, found ['high', 'high']",
    Generous: "expected payoffs that sum to nothing, found [1, 1]",
    Boundless: "expected finite payoffs, found [inf, inf]",
    Fickle: "expected the same observation when asked again, found another",
    Listed: "expected a hashable observation, found tuple",
    Stranger: "expected one of ('Ann', 'Bob') or None to move, found Carl",
    Unlikely: "expected deals whose probabilities sum to one, found 1/3",
}


@pytest.mark.parametrize("broken", BROKEN, ids=lambda broken: broken.__name__)
def test_what_is_wrong_is_found(broken):
    with pytest.raises(ConformanceError) as error:
        check_game(broken(), ["Ann", "Bob"], zero_sum=True)
    assert BROKEN[broken] in str(error.value)


# ---------------------------------------------------------------------- what is optional


class LosesTheScore(MiniWhist):
    def key(self, table):
        return super().key(table)[:-1]


class LosesTheTrick(MiniWhist):
    def key(self, table):
        hand, other, turn, _, won = super().key(table)
        return hand, other, turn, won


class DealsAnyHand(MiniWhist):
    def redeal(self, seen, player, rng):
        return self.deal(rng)


class OtherLeads(MiniWhist):
    def redeal(self, seen, player, rng):
        return super().redeal(seen, player, rng)._replace(turn=1)


class ListsOthers(MiniWhist):
    def deals(self):
        return [(self.deal(Random(-1)), Fraction(1))]


class PaysNothing(MiniWhist):
    def payoff(self, table, player):
        return None


@pytest.mark.parametrize(
    ("broken", "culprit"),
    [
        (LosesTheScore, "positions with equal keys to have the same future"),
        (LosesTheTrick, "positions with equal keys to have the same future"),
        (DealsAnyHand, "takes for his own deal"),
        (OtherLeads, "redeal to draw what 0 takes for his own deal"),
        (ListsOthers, "deal to draw one of the deals listed"),
        (PaysNothing, "finite payoffs, found"),
    ],
)
def test_optional_members_are_checked_too(broken, culprit):
    with pytest.raises(ConformanceError, match=culprit):
        check_game(broken(2, 2, 4), MiniWhist.players)
