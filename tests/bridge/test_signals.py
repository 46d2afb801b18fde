"""Signals: what partner's cards, and opening leads, tell by agreement."""

from random import Random

import pytest

from worldwise.bridge.layouts.carding import AGREEMENTS, Carding, carding_weights
from worldwise.bridge.layouts.drawing import draw_worlds
from worldwise.bridge.layouts.sampler import Layouts
from worldwise.bridge.layouts.signals import find_signals
from worldwise.bridge.rules.contract import Contract
from worldwise.bridge.rules.deal import SUIT_CARDS, Deal, Seat, read_card
from worldwise.bridge.rules.play import Play
from worldwise.bridge.rules.view import view_of


def seen_by(seat, deal, contract, cards):
    play = Play(Deal.read(deal), Contract.read(contract), tuple(map(read_card, cards.split())))
    return view_of(play, seat)


def weights(view, carding, *deals):
    found = carding_weights(view, [Deal.read(deal) for deal in deals], carding)
    return [weight / found[0] for weight in found]


# West leads the ace of spades from AK4; dummy has T53, and East, his partner, follows with the two or the eight.
LIKES = "N:T53.2.. {}.A.. {}.3.. AK4.4.."
QUEEN, NONE = LIKES.format("Q82", "J96"), LIKES.format("J82", "Q96")


def on_the_ace(card):
    return seen_by(Seat.WEST, QUEEN, "2H by S", f"SA S3 {card} S6")


def test_high_encourages():
    view = on_the_ace("S8")
    assert weights(view, Carding.ATTITUDE, QUEEN, NONE) == [1, 0.25]
    assert weights(view, Carding.STANDARD, QUEEN, NONE) == [1, 0.25]
    assert weights(view, Carding.UPSIDE_DOWN, QUEEN, NONE) == [1, 4]
    assert weights(view, Carding.COUNT, QUEEN, NONE) == weights(view, Carding.EQUAL, QUEEN, NONE) == [1, 1]


def test_low_discourages():
    assert weights(on_the_ace("S2"), Carding.ATTITUDE, QUEEN, NONE) == [1, 4]


def test_who_has_no_choice_tells_nothing():
    deals = "N:T53.2.. Q8.A3.. J96.5.. AK4.4..", "N:T53.2.. J8.A3.. Q96.5.. AK4.4.."
    view = seen_by(Seat.WEST, deals[0], "2H by S", "SA S3 S8 S6")
    assert weights(view, Carding.STANDARD, *deals) == [1, 1]


def test_count_is_shown_on_declarers_lead():
    """Declarer leads the king of spades to JT95 in dummy, and West, with the ace, wants to know when to take it."""
    two, three = "N:JT95.2.. 72.QK3.. KQ863.A.. A4.JT98..", "N:JT95.2.. 762.Q3.. KQ83.AK.. A4.JT98.."
    view = seen_by(Seat.WEST, two, "2NT by S", "HJ H2 H3 HA SK S4 S5 S7")
    (signal,) = find_signals(view, AGREEMENTS[Carding.COUNT])
    assert (signal.seat, signal.place) == (Seat.EAST, 7)
    ways = signal.ways([Deal.read(two), Deal.read(three)])
    assert ways == [5, 5 * 4 * 2]  # from two the seven is agreed; from three it is one of two others, once in five
    (upside,) = [one for one in find_signals(view, AGREEMENTS[Carding.UPSIDE_DOWN]) if one.place == 7]
    assert upside.ways([Deal.read(two), Deal.read(three)]) == [5 * 4, 5 * 2]


def test_who_wins_the_trick_or_leads_himself_signals_nothing():
    deal = "N:JT95.2.. A72.3.. KQ863... 4.KJT8.."
    for cards in ("S4 S5 SA S3", "S4 S5 S7 S3"):  # the seven beats what was played so far
        view = seen_by(Seat.WEST, deal, "1NT by S", cards)
        assert not list(find_signals(view, AGREEMENTS[Carding.STANDARD]))


def test_declarer_does_not_read_the_defenders_signals_but_their_leads():
    deal = "N:753.K2.. QJ8.A3.. T96.54.. AK42.Q.."
    view = seen_by(Seat.SOUTH, deal, "1NT by S", "SK S3 S8")
    (lead,) = find_signals(view, AGREEMENTS[Carding.STANDARD])
    assert (lead.seat, lead.place) == (Seat.WEST, 0)


def test_the_fourth_best_says_where_the_honours_are_not():
    """Against notrump the king is from a sequence: without the jack he would have led a low one."""
    sequence, low = "N:753.2.. 62.A.3. A94.3.. KQJ8.4..", "N:753.2.. J2.A.3. A94.3.. KQ86.4.."
    view = seen_by(Seat.EAST, sequence, "1NT by S", "SK S3")
    assert weights(view, Carding.LEADS, sequence, low) == [1, 0.25 / 3]
    assert weights(view, Carding.EQUAL, sequence, low) == [1, 1]


@pytest.mark.parametrize("carding", Carding)
def test_no_layout_is_ruled_out(carding):
    view = seen_by(Seat.WEST, "N:7532.2.. Q8.AK3.. JT96.Q.. AK4.J4..", "1NT by S", "SA S2 S8 S6")
    every = Layouts(view).enumerate()
    assert all(weight > 0 for weight in carding_weights(view, every, carding))


def test_samples_listen_to_a_lead():
    """Who leads the two has no five-card suit: a sample by agreement knows that before anybody else has played."""
    deal = Deal.random(Random(3))
    two = next(card for card in map(read_card, ("S2", "H2", "D2", "C2")) if not deal[Seat.NORTH] >> card & 1)
    seat = next(seat for seat in Seat if deal[seat] >> two & 1)
    contract = Contract.read(f"3NT by {seat.partner.next.letter}")
    view = view_of(Play(deal, contract, (two,)), contract.declarer)
    suit = SUIT_CARDS[two >> 4]
    long = {}
    for carding in (Carding.EQUAL, Carding.LEADS):
        drawn = draw_worlds(Layouts(view), 400, Random(1), carding)
        pairs = zip(drawn.worlds, drawn.weights, strict=True)
        long[carding] = sum(weight for world, weight in pairs if (world[seat] & suit).bit_count() > 4)
    assert 0 < long[Carding.LEADS] < long[Carding.EQUAL] / 2
