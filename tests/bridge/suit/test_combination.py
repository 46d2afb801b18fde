"""What is known of the defenders' cards, ruffs, and who leads: both engines against the suit played card by card."""

from fractions import Fraction
from random import Random

import pytest

from suit_by_cards import SuitByCards, small
from worldwise.bridge.rules.cards import read_cards
from worldwise.bridge.suit.combination import DEFENDERS_LEAD, Suit, read_lengths
from worldwise.bridge.suit.layouts import layouts_of
from worldwise.bridge.suit.rules import SuitGame
from worldwise.bridge.suit.solver import CompiledFronts, ReadableFronts, SuitSolver
from worldwise.errors import InputError
from worldwise.search.transposed import Fronts
from worldwise.testing import check_world_game
from worldwise.trees import unroll
from worldwise.trees.solving import solve


def best_chance(game):
    """By fronts over places: exact, and it knows no suit."""
    front = Fronts(game).at(game.root)
    weights = game.weights
    return max(
        Fraction(sum(w for w, won in zip(weights, vector, strict=True) if won), sum(weights)) for vector in front
    )


def compare(north, south, missing, gone, *, lengths=(0, 13), **options):
    """Every goal of both engines, and of the rules without lean plays, against the oracle's."""
    suit = Suit.of(north, south, gone=gone or "-", west_length="{}-{}".format(*lengths), **options)
    quick, slow = (SuitSolver(suit, fronts=fronts) for fronts in (CompiledFronts, ReadableFronts))
    for tricks in range(1, suit.length + 1):
        wanted = best_chance(SuitByCards(north, south, missing, tricks, west_length=lengths, **options))
        assert quick.goal(tricks).chance == slow.goal(tricks).chance == wanted
        tree = unroll(SuitGame(suit, tricks, lean=False))
        assert solve(tree, "exact").value == pytest.approx(float(wanted))
    assert quick.expected.tricks == slow.expected.tricks


@pytest.mark.parametrize("seed", range(40))
def test_cards_and_lengths_placed_with_a_defender(needs_kernels, seed):
    """A card of a class is placed as often as not, so the classes need not be split."""
    rng = Random(seed)
    north, south, missing, gone = small(rng)
    named = rng.sample(missing, rng.randint(0, len(missing)))
    cut = rng.randint(0, len(named))
    west, east = ("".join(cards) or "-" for cards in (named[:cut], named[cut:]))
    least = rng.randint(0, cut)
    lengths = least, rng.randint(cut, len(missing))
    compare(north, south, missing, gone, lengths=lengths, west=west, east=east, west_cards=rng.randint(5, 13))


@pytest.mark.parametrize("seed", range(40))
def test_ruffs(needs_kernels, seed):
    rng = Random(seed)
    compare(*small(rng), ruffs=rng.randint(1, 2))


@pytest.mark.parametrize("defenders_lead", DEFENDERS_LEAD[1:])
@pytest.mark.parametrize("seed", range(12))
def test_who_leads(needs_kernels, seed, defenders_lead):
    """Now and then with a ruff: the hand that is out plays second or fourth."""
    rng = Random(seed)
    compare(*small(rng), defenders_lead=defenders_lead, ruffs=rng.choice([0, 0, 1]))


@pytest.mark.parametrize(
    "options", [{"ruffs": 1}, {"defenders_lead": "first"}, {"defenders_lead": "always"}, {"west": "K"}]
)
def test_they_are_world_games(options):
    check_world_game(SuitGame(Suit.of("AQ", "2", gone="3456789T", **options), 1))


# ---------------------------------------------------------------------- what players know


def chances(north, south, **options):
    return [answer.chance for answer in SuitSolver(Suit.of(north, south, **options)).goals]


def test_a_finesse_when_the_king_is_placed(kernels):
    assert chances("AQ", "32", west="K") == [1, 1]
    assert chances("AQ", "32", east="K")[1] == Fraction(13, 10925)  # alone


def test_a_placed_card_takes_a_vacant_place(kernels):
    """The king with West leaves him twelve places for the queen: 12 of 25; out of seven places, 6 of 19."""
    for places, chance in ((13, Fraction(12, 25)), (7, Fraction(6, 19))):
        suit = Suit.of("AJ", "32", west="K", gone="456789T", west_cards=places)
        assert suit.chance([suit.worlds.index((2,))]) == chance


def test_a_length_is_a_condition(kernels):
    """AKQ9 opposite 32 for four: three cards each way or fewer with West, and what is left is shared out anew."""
    free, tied = SuitSolver(Suit.of("AKQ9", "32")), SuitSolver(Suit.of("AKQ9", "32", west_length="3-4"))
    kept = [number for number, world in enumerate(free.suit.worlds) if sum(world) in (3, 4)]
    assert tied.suit.worlds == tuple(free.suit.worlds[number] for number in kept)
    total = sum(free.suit.weights[number] for number in kept)
    assert [tied.suit.chance([one]) for one in range(len(kept))] == [
        Fraction(free.suit.weights[number], total) for number in kept
    ]
    assert Suit.of("AKQ9", "32", east_length="3-4") == Suit.of("AKQ9", "32", west_length="3-4")


def test_restricted_choice_disappears(kernels):
    """K2 opposite AT543 once the queen has come from East: if the jack is placed there is nothing to guess."""
    assert chances("AKT9", "432", east="J", east_length="1")[3] == 1


def test_layouts_name_the_card_that_is_placed():
    """West holds the nine of T98: T and 8 are left to be shared out."""
    suit = Suit.of("AKQ7", "65432", gone="J", west="9")
    assert [layout.name() for layout in layouts_of(suit)] == ["9xx–void", "9x–x", "9–xx"]
    assert [layout.ways for layout in layouts_of(suit)] == [1, 2, 1]
    above = Suit.of("AKQ7", "432", west="T")
    assert next(layout.name() for layout in layouts_of(above)) == "JT98xx–void"


def test_a_ruff_sets_up_a_suit(kernels):
    """A5432 opposite 6: without ruffs a trick; with one, a second; the ruffed rounds count."""
    assert chances("A5432", "6")[1] < 1
    assert chances("A5432", "6", ruffs=1)[:2] == [1, 1]
    assert chances("A5432", "6", ruffs=3)[3] == 1
    assert chances("A5432", "76543"[:0] or "-", ruffs=2)[:3] == [1, 1, 1]


def test_hands_of_one_length_never_ruff(kernels):
    assert chances("A32", "654", ruffs=3) == chances("A32", "654")


def test_a_void_opposite_discards(kernels):
    """The longer hand's cards are the tricks there are."""
    assert chances("AKQ", "-") == [1, 1, 1]
    assert len(chances("2", "AKQJ")) == 4


def test_a_suit_that_the_defenders_lead(kernels):
    """Q32 opposite J54 is surely a trick only if they lead it; AQ opposite 32 is two if East leads round to it."""
    assert chances("Q32", "J54")[0] < 1
    assert chances("Q32", "J54", defenders_lead="first")[0] == chances("Q32", "J54", defenders_lead="always")[0] == 1
    assert chances("AQ", "32", defenders_lead="east") == [1, 1]
    assert chances("AQ", "32", defenders_lead="first")[1] < 1


def test_nobody_to_lead_means_that_declarer_does(kernels):
    """The defenders have nothing: what is left is declarer's."""
    assert chances("AKQ", "-", gone="23456789TJ", defenders_lead="always") == [1, 1, 1]
    assert chances("AK5", "-", gone="2346789TJ", defenders_lead="always") == [1, 1, 1]


def test_leading_a_suit_shows_a_card_of_it():
    assert min(map(sum, Suit.of("AQ", "32", defenders_lead="west").worlds)) == 1
    assert max(map(sum, Suit.of("AQ", "32", defenders_lead="east").worlds)) == 8


# ---------------------------------------------------------------------- bad input


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"west": "A"}, "west: expected cards of the defenders' (K JT9876543), found A"),
        ({"east": "x"}, "east: expected cards by name, such as KJ9, found x in 'x'"),
        ({"west": "KK"}, "west: expected every card once, found 'KK'"),
        ({"west": "K", "east": "K"}, "expected every card with one defender, found K with both"),
        ({"west_length": "3*"}, "west_length: expected a number of cards such as 3, 3+, 3- or 2-4, found '3*'"),
        ({"west_length": "4-2"}, "west_length: expected a number of cards such as 3, 3+, 3- or 2-4, found '4-2'"),
        (
            {"west": "KJ", "west_length": "1"},
            "expected a way to deal the defenders' 10 cards, found none in which West has KJ and West has 1 of them",
        ),
        (
            {"west_length": "6+", "east_length": "6+"},
            "expected lengths that go together, found West 6+ and East 6+ of 10 cards",
        ),
        ({"ruffs": 14}, "ruffs: expected 0 to 13 ruffs, found 14"),
        (
            {"defenders_lead": "dummy"},
            "defenders_lead: expected one of never, first, west, east, always, found 'dummy'",
        ),
    ],
)
def test_bad_input(options, words):
    with pytest.raises(InputError) as fault:
        Suit.of("AQ", "2", **options)
    assert str(fault.value) == words


def test_lengths_and_cards():
    assert read_lengths(" 13 ", "west_length") == (13, 13)
    assert read_cards("9 10 A", "west") == (14, 10, 9)
