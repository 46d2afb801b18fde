"""Defenders who err: against their definition written out, card by card, in every layout of small suits."""

from fractions import Fraction
from random import Random

import pytest

from suit_by_cards import small
from suit_defenders import most_of_any_line, tricks_face_up, tricks_of_line
from worldwise.bridge.suit.against import AgainstDefenders
from worldwise.bridge.suit.defenders import DEFENCES
from worldwise.bridge.suit.open_cards import OpenSuit
from worldwise.bridge.suit.rules import Suit
from worldwise.bridge.suit.solver import SuitSolver
from worldwise.core.result import Limit
from worldwise.errors import InputError, LimitReachedError

ERRING = DEFENCES[1:]


def small_solver(seed):
    rng = Random(seed)
    north, south, _, gone = small(rng)
    places = {"west_cards": rng.randint(6, 13), "east_cards": rng.randint(6, 13)}
    return SuitSolver(Suit.of(north, south, gone=gone or "-", **places))


def layouts_of(suit):
    """West's and East's cards with their weights."""
    missing = {rank for cards in suit.classes for rank in cards}
    return [(set(west), missing - set(west), weight) for west, weight in suit.deals()]


def vacant(suit):
    return {"E": suit.east_cards, "W": suit.west_cards}


@pytest.mark.parametrize("seed", range(30))
def test_face_up(seed):
    rng = Random(seed)
    cards = rng.sample(range(13), rng.randint(1, 7))
    hands = {seat: set() for seat in "NESW"}
    for card in cards:
        hands[rng.choice("NESW")].add(card)
    masks = tuple(sum(1 << card for card in hands[seat]) for seat in "NESW")
    assert OpenSuit().tricks(masks) == tricks_face_up(hands)


@pytest.mark.parametrize("defence", ERRING)
@pytest.mark.parametrize("seed", range(25))
def test_a_line_in_every_layout(kernels, seed, defence):
    solver = small_solver(seed)
    suit = solver.suit
    for goal in (None, *range(1, suit.length + 1)):
        line = solver.line(goal)
        weights = [0] * (suit.length + 1)
        for west, east, weight in layouts_of(suit):
            weights[tricks_of_line(line, west, east, defence, vacant(suit))] += weight
        assert AgainstDefenders(solver, defence).won(line).weights == tuple(weights)


def touching(hands, seat, trick):
    """As declarer is said to play: of cards that touch the lowest, and to a trick none higher than he needs."""
    rest = set().union(*hands.values(), (card for _, card in trick))
    held = sorted(hands[seat])
    between = [rest & set(range(low + 1, high)) for low, high in zip([0, *held], held, strict=False)]
    return [card for number, card in enumerate(held) if not number or between[number]]


@pytest.mark.parametrize("defence", ERRING)
@pytest.mark.parametrize("seed", range(12))
def test_the_best_line_against_them(kernels, seed, defence):
    """Honest defenders cannot be fooled, so all of declarer's cards may be tried."""
    solver = small_solver(seed)
    suit, against = solver.suit, AgainstDefenders(solver, defence)
    hands = {"N": set(suit.north), "S": set(suit.south)}
    layouts = [
        (dealt, dealt, {seat: [] for seat in "NESW"}, weight)
        for west, east, weight in layouts_of(suit)
        for dealt in [{**hands, "E": east, "W": west}]
    ]
    for goal in range(1, suit.length + 1):
        cards_of = (lambda hands, seat, _: sorted(hands[seat])) if defence == "honest" else touching
        most = most_of_any_line(layouts, goal, defence, vacant(suit), cards_of)
        assert against.most(goal) == suit.share(most)


@pytest.mark.parametrize("defence", DEFENCES)
def test_no_defence_is_better_than_the_best(needs_kernels, defence):
    for names in (("AJ98", "K32", "765"), ("KJ9", "432", "8765"), ("AK543", "J92", "87")):
        solver = SuitSolver(Suit.of(*names[:2], gone=names[2]))
        against = AgainstDefenders(solver, defence)
        for answer in solver.goals:
            won = against.won(answer.line)
            assert all(won.at_least[tricks] >= chance for tricks, chance in answer.line.at_least.items())
            assert won.at_least[answer.tricks] <= against.most(answer.tricks)
            assert answer.chance <= against.most(answer.tricks)
            assert won.average == sum(won.at_least.values())


def test_best_defence_is_what_the_line_promises(kernels):
    solver = SuitSolver(Suit.of("AQ", "32"))
    found = AgainstDefenders(solver, "best").won(solver.line(2))
    assert (found.at_least, found.average) == (solver.line(2).at_least, Fraction(3, 2))


def test_who_never_falsecards_gives_the_show_away(needs_kernels):
    """AJ98 opposite K32: the ten from Tx, or the queen from Qx, is as good as a confession."""
    solver = SuitSolver(Suit.of("AJ98", "K32"))
    assert float(solver.goal(3).chance) == pytest.approx(0.8547, abs=5e-5)
    assert float(AgainstDefenders(solver, "honest").most(3)) == pytest.approx(0.9879, abs=5e-5)


@pytest.mark.parametrize("options", [{"ruffs": 1}, {"defenders_lead": "first"}])
def test_only_plain_suits(options):
    with pytest.raises(InputError, match="honest defenders are for suits that declarer leads"):
        AgainstDefenders(SuitSolver(Suit.of("AQ", "2", **options)), "honest")
    with pytest.raises(InputError, match="entries without end"):
        AgainstDefenders(SuitSolver(Suit.of("AQ", "2"), entries=(1, 1)), "single-dummy")
    with pytest.raises(InputError, match="expected one of best, honest, single-dummy, found 'kind'"):
        AgainstDefenders(SuitSolver(Suit.of("AQ", "2")), "kind")


def test_time_is_kept(needs_kernels):
    solver = SuitSolver(Suit.of("KJ9", "432"), limit=Limit(seconds=0.2))
    with pytest.raises(LimitReachedError):
        AgainstDefenders(solver, "single-dummy").won(solver.line(2))
