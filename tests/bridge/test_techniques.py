"""Names for what a card does: the classics get theirs, and no name is given that the layouts do not bear out."""

import pytest

from worldwise import catalog
from worldwise.bridge.advice.advise import advise
from worldwise.bridge.advice.differences import Difference, difference
from worldwise.bridge.advice.techniques import NamedTechnique, Technique, technique_between
from worldwise.bridge.rules.board import Board
from worldwise.bridge.rules.contract import Contract
from worldwise.bridge.rules.deal import Deal, Seat, read_card
from worldwise.bridge.solvers.pimc import SolverCache
from worldwise.bridge.views.technique_words import technique_words

pytestmark = pytest.mark.usefixtures("needs_kernels")


def advised(name):
    one = catalog.deal(name) if "/" in name else next(one for one in catalog.problems() if one.name == name)
    return advise(one.view, planning=False, trying=False)


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("deals/two-way-guess", "a finesse against the SQ"),
        ("deals/drop-nine", "a play for the drop of the SQ"),
        ("deals/hold-up", "a hold-up: the HA can wait"),
        ("ducking-2", "a duck: the CA keeps for later"),
        ("avoidance-3", "an avoidance play: West may have the lead, East must not"),
        ("restricted-nine", "a finesse against the SJ"),
        ("restricted-count", "a play for the drop of the HJ"),
        ("fork-2", "a lead towards the DK"),
    ],
)
def test_classics_have_their_names(name, words):
    assert technique_words(advised(name).reasons.technique, ascii=True) == words


@pytest.mark.parametrize(
    "name", ["deals/discovery", "deals/finesse-eight", "squeeze-order", "hold-up-4", "strip-1", "safety-play-1"]
)
def test_what_cannot_be_verified_has_none(name):
    """Hold-up-4 is about not holding up; both leads of finesse-eight are finesses, and one keeps an entry."""
    assert advised(name).reasons.technique is None


def test_every_finesse_has_the_honour_in_front_wherever_it_gains():
    for one in (one for one in catalog.problems() if one.view.cards_left <= 5):
        found = advise(one.view, planning=False, trying=False, algorithm="pimc")
        for rival in found.choices[1:]:
            why = difference(found, found.best, rival)
            solvers = SolverCache(found.view.contract.strain)
            named = technique_between(found.view, found.worlds, found.card, rival.card, why, solvers)
            if named and named.technique is Technique.FINESSE:
                assert all(found.worlds[world][named.seat] >> named.card & 1 for world in why.gains)
                assert named.seat in found.view.hidden


def named(deal, contract, cards, best, other):
    """The technique between two cards if the better one gains in the deal as it is, and nowhere in its mirror."""
    board = Board(Deal.read(deal), contract=Contract.read(contract), cards=tuple(map(read_card, cards.split())))
    view = board.view(board.play.turn)
    north, east, south, west = board.deal.hands
    mirror = Deal((north, west, south, east))
    solvers = SolverCache(view.contract.strain)
    return technique_between(
        view, [board.deal, mirror], read_card(best), read_card(other), Difference((0,), ()), solvers
    )


def test_a_card_led_towards_a_tenace_is_a_finesse_only_against_the_hand_in_front():
    front, behind = "N:AQ..2.2 32..3.3 54..4.A K6..6.5", "N:AQ..2.2 K6..3.3 54..4.A 32..6.5"
    finesse = NamedTechnique(Technique.FINESSE, Seat.WEST, read_card("SK"))
    assert named(front, "1NT by S", "C5 C2 C3 CA", "S4", "D4") == finesse
    assert named(behind, "1NT by S", "C5 C2 C3 CA", "S4", "D4") is None
    assert named(front, "1NT by S", "C5 C2 C3 CA", "S4", "S5") is None  # as good a finesse


def test_an_honour_led_through_the_ace_is_a_ruffing_finesse():
    deal = "N:.32.2.2 53..3.3 KQ.A..A A4..4.5"
    ruffing = NamedTechnique(Technique.RUFFING_FINESSE, Seat.WEST, read_card("SA"))
    assert named(deal, "1H by S", "C5 C2 C3 CA", "SK", "HA") == ruffing
    assert named(deal, "1NT by S", "C5 C2 C3 CA", "SK", "HA") is None


def test_an_honour_thrown_under_the_ace_unblocks():
    unblock = NamedTechnique(Technique.UNBLOCK, None, read_card("SQ"))
    deal = "N:A5...32 K4..3.4 QJ2...A 76..5.5"
    assert named(deal, "1NT by S", "C5 C3 C4 CA S2 S6 SA S4 S5 SK", "SQ", "SJ") == unblock
