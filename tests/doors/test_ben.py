"""BEN's plug-ins: calls as BEN makes them, answers in its shapes, and figures that are ours."""

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

from worldwise.bridge.advice.advise import advise
from worldwise.bridge.layouts.constraints import HandRange
from worldwise.bridge.players.simple import RandomPlayer
from worldwise.bridge.players.table import BridgeTable
from worldwise.bridge.rules.contract import Contract, Vulnerability
from worldwise.bridge.rules.deal import Deal, Seat, card_name, cards_in, hand_name, set_of
from worldwise.bridge.rules.play import Play
from worldwise.bridge.rules.view import view_of
from worldwise.catalog import deal
from worldwise.core.result import Limit
from worldwise.doors.ben import (
    ACEDLL,
    BGADLL,
    ACEDefDLL,
    BGADefDLL,
    SuitCLib,
    alphamju,
    alphamju_values,
    card_from_52,
    card_to_52,
    percentages,
)
from worldwise.errors import InputError
from worldwise.search.alphamu_root import ValueKind

pytestmark = pytest.mark.usefixtures("needs_kernels")

DEAL = Deal.read("N:AK84.K75.A64.K32 J97.QJ93.KT8.QJ9 QT62.A4.QJ5.AT75 53.T862.9732.864")
CONTRACT = Contract.read("3NT by S")
PLAYED = BridgeTable.of(CONTRACT, RandomPlayer(), RandomPlayer()).play_out(Play(DEAL, CONTRACT)).cards
MODELS = SimpleNamespace(
    pimc_wait=60, pimc_max_playout=400, pimc_autoplaysingleton=False, pimc_max_threads=4, pimc_use_declaring=True
)

# South plays to the ace-queen in dummy, and West's card is on the table or not yet: a finesse that wins in half.
FINESSE = ["32... AQ... K6... 54...", "K2... AQ... 63... 54..."]
"""West, North, East, South."""


def until(seat):
    """The play until late in it a hand is on turn."""
    return next(Play(DEAL, CONTRACT, PLAYED[:size]) for size in range(30, 48) if _mover(size) == seat)


def _mover(size):
    return Play(DEAL, CONTRACT, PLAYED[:size]).position.to_move


def hear(plugin, play):
    """What BEN tells a plug-in of the play so far: every card with who played it, a new trick, a trick won."""
    for number, card in enumerate(play.cards):
        mover = Play(DEAL, CONTRACT, play.cards[:number]).position.to_move
        plugin.set_card_played(card_to_52(card), (mover - Seat.WEST) & 3, number == 0)
        if number % 4 == 3:
            plugin.reset_trick()
            plugin.update_trick_needed()
    return plugin


def hand(seat):
    return hand_name(DEAL[seat])


def declarer(**changed):
    return BGADLL(MODELS, hand(Seat.NORTH), hand(Seat.SOUTH), "3NS", True, None, False, **changed)


# ---------------------------------------------------------------------- alpha-mu


def test_cards_have_bens_numbers():
    assert [card_name(card_from_52(number)) for number in (0, 12, 13, 51)] == ["SA", "S2", "HA", "C2"]
    assert [card_to_52(card_from_52(number)) for number in range(52)] == list(range(52))


def test_a_card_is_worth_the_share_of_worlds_in_which_its_plan_wins():
    assert alphamju(2, 2, "N", [], FINESSE, None, False) == [("S5", 50), ("S4", 50)]
    assert alphamju(2, 1, "N", [], FINESSE, None, False) == [("S5", 100), ("S4", 100)]


def test_weights_of_worlds_count():
    assert alphamju(2, 2, "N", [], FINESSE, weights=[1, 3]) == [("S5", 75), ("S4", 75)]
    assert alphamju(2, 2, "N", [], FINESSE, weights=[1, 0]) == [("S5", 0), ("S4", 0)]


def test_of_a_shipped_deal_it_says_what_advice_says():
    lesson = deal("deals/two-way-guess")
    told = advise(lesson.view, constraints=lesson.constraints, planning=False, trying=False)
    gone = ~set_of(lesson.view.played)
    worlds = [" ".join(hand_name(world[seat] & gone) for seat in BEN_SEATS) for world in told.worlds]
    suit, trick = lesson.view.contract.strain.letter[0], [card_name(card) for card in trick_of(lesson.view)]
    needed = lesson.board.play.needed
    found = alphamju_values(4, needed, suit, trick, worlds[:100], weights=told.weights[:100])
    chances = {choice.card: choice.chance for choice in told.choices}
    assert {card: found.values[card] for card in chances} == pytest.approx(chances)


BEN_SEATS = (Seat.WEST, Seat.NORTH, Seat.EAST, Seat.SOUTH)


def trick_of(view):
    return view.played[len(view.played) // 4 * 4 :]


@pytest.mark.parametrize("dealt", [True, False])
def test_the_trick_on_the_table_may_be_in_the_hands_or_not(dealt):
    """West has led the two, dummy played low, East the ten: with one card on the table fewer hands are shorter."""
    trick = ["SJ", "S3", "S2"]  # West, North, East; South follows
    whole = ["J5... A3... 92... KQ...", "J9... A3... 52... KQ..."]
    left = ["5... A... 9... KQ...", "9... A... 5... KQ..."]
    found = alphamju(2, 2, "N", trick, whole if dealt else left, None, False)
    assert found == [("SK", 100), ("SQ", 100)]
    by_number = [card_to_52(card) for card in map(_card, trick)]
    assert alphamju(2, 2, "N", by_number, whole if dealt else left) == found


def _card(name):
    return next(card for card in cards_in(set_of(range(64)) & sum(DEAL.hands)) if card_name(card) == name)


def test_dummy_is_answered_where_the_hands_say_that_it_is_its_turn():
    """One card is on the table, and only West's hand is a card shorter: North is to play."""
    worlds = ["3... AQ... K6... 54...", "K... AQ... 63... 54..."]
    assert alphamju(2, 2, "N", ["S2"], worlds) == [("SQ", 50), ("SA", 0)]


def test_of_many_worlds_a_hundred_are_drawn_by_bens_generator():
    worlds = [f"K{low}... AQ... {high}... 54..." for low, high in [("2", "63"), ("3", "62")]] * 80
    found = alphamju_values(2, 2, "N", [], worlds, np.random.default_rng(7))
    assert len(found.worlds) == 100
    again = alphamju_values(2, 2, "N", [], worlds, np.random.default_rng(7))
    assert again.worlds == found.worlds


def test_decisions_are_bounded_as_bens_are():
    assert [alphamju_values(asked, 2, "N", [], FINESSE).algorithm for asked in (0, 3, 40)] == [
        "alpha-mu-2",
        "alpha-mu-3",
        "alpha-mu-4",
    ]


def test_figures_that_are_only_bounds_are_not_told():
    found = alphamju_values(2, 2, "N", [], FINESSE)
    bounded = tuple(replace(value, kind=ValueKind.BOUND) for value in found.found)
    assert percentages(found) == [("S5", 50), ("S4", 50)]
    assert percentages(replace(found, found=bounded)) == []


def test_no_answer_in_time_is_an_empty_list(capsys):
    north, east, south, west = map(hand_name, DEAL.hands)
    worlds = [f"{west} {north} {east} {south}"] * 100
    assert alphamju(4, 9, "N", [], worlds, None, True, seconds=0) == []
    assert "no answer in time" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        ({"suit": "T"}, "expected a strain of NSHDC"),
        ({"worlds": []}, "expected at least one world"),
        ({"worlds": ["32... AQ..."]}, "world 0: expected a deal"),
        ({"worlds": [FINESSE[0], "32... A6... KQ... 54..."]}, "world 1: expected hands of one length"),
        ({"cards": [52]}, "expected a card's number"),
        ({"weights": [1]}, "weights: expected one for each"),
        ({"tricks": float("nan")}, "tricks: expected a whole number, found nan"),
        ({"tricks": "2"}, "tricks: expected a whole number, found '2'"),
        ({"decisions": None}, "decisions: expected a whole number, found None"),
    ],
)
def test_what_is_wrong_with_a_call_is_said(changed, words):
    call = {"decisions": 2, "tricks": 2, "suit": "N", "cards": [], "worlds": FINESSE, **changed}
    with pytest.raises(InputError) as error:
        alphamju(**call)
    assert words in str(error.value)


# ---------------------------------------------------------------------- PIMC


def test_every_plug_in_says_its_version_without_a_deal():
    for plugin in (BGADLL(*[None] * 7), BGADefDLL(*[None] * 8), ACEDLL(*[None] * 7), ACEDefDLL(*[None] * 8)):
        assert plugin.version().startswith("worldwise ")
    assert SuitCLib(False).version().startswith("worldwise ")


@pytest.mark.parametrize("seat", [Seat.SOUTH, Seat.NORTH])
def test_declarer_gets_the_figures_of_advice(seat):
    play = until(seat)
    answer = hear(declarer(), play).nextplay((seat - Seat.WEST) & 3, {}, [])
    told = advise(view_of(play, Seat.SOUTH), worlds=60, vulnerability=Vulnerability.BOTH, planning=False, trying=False)
    won = play.declarer_tricks
    assert answer.keys() == {card_to_52(card) for card in cards_in(play.position.legal)}
    for choice in told.choices:
        for card in choice.cards:
            tricks, score, chance, words = answer[card_to_52(card)]
            assert (tricks, score) == (round(choice.tricks - won, 2), round(choice.score))
            assert chance == round(choice.chance, 2)
            assert words.startswith(choice.kind.value)


@pytest.mark.parametrize(("seat", "player"), [(Seat.WEST, 0), (Seat.EAST, 2)])
def test_a_defender_gets_his_sides_tricks_and_his_own_chances(seat, player):
    play = until(seat)
    plugin = BGADefDLL(MODELS, hand(Seat.NORTH), hand(seat), "3NS", True, player, None, False)
    answer = hear(plugin, play).nextplay(player, {}, [])
    told = advise(view_of(play, seat), worlds=60, vulnerability=Vulnerability.BOTH, planning=False, trying=False)
    won = len(play.cards) // 4 - play.declarer_tricks
    best = told.best
    assert answer[card_to_52(best.card)][:3] == (round(best.tricks - won, 2), round(best.score), round(best.chance, 2))


def test_constraints_narrow_the_layouts_with_bens_margins():
    play = until(Seat.SOUTH)
    plugin = hear(declarer(), play)
    plugin.set_hcp_constraints(8, 9, 2, 3, True)
    plugin.set_shape_constraints([3, 4, 3, 3], [3, 4, 3, 3], [2, 4, 4, 3], [2, 4, 4, 3], True)
    plugin.set_hcp_constraints(30, 37, 30, 37, True)  # too late
    ranges = [plugin._range(seat) for seat in (Seat.WEST, Seat.EAST)]
    assert ranges == [
        HandRange(Seat.WEST, (6, 11), (2, 4), (3, 5), (2, 4), (2, 4)),
        HandRange(Seat.EAST, (0, 5), (1, 3), (3, 5), (3, 5), (2, 4)),
    ]


def test_constraints_that_nothing_fits_are_dropped():
    play = until(Seat.SOUTH)
    free, bound = hear(declarer(), play), hear(declarer(), play)
    bound.set_hcp_constraints(37, 37, 37, 37, True)
    assert bound.nextplay(3, {}, []) == free.nextplay(3, {}, [])


def test_worlds_of_ones_own_count_by_their_weights():
    play = until(Seat.SOUTH)
    told = advise(view_of(play, Seat.SOUTH), worlds=60, planning=False, trying=False, limit=Limit(seconds=60))
    one, other = told.worlds[0], told.worlds[-1]
    answers = [
        hear(declarer(), play).nextplay(3, {}, [], worlds=[str(one), str(other)], weights=weights)
        for weights in ([1, 0], [0, 1], [1, 1])
    ]
    for card in answers[0]:
        tricks = [answer[card][0] for answer in answers]
        assert tricks[2] == pytest.approx((tricks[0] + tricks[1]) / 2, abs=0.01)


def test_a_singleton_is_played_without_thinking():
    play = next(
        play
        for play in (Play(DEAL, CONTRACT, PLAYED[:size]) for size in range(8, 52))
        if play.turn == Seat.SOUTH and play.position.legal.bit_count() == 1
    )
    models = SimpleNamespace(pimc_wait=60, pimc_autoplaysingleton=True)
    plugin = hear(BGADLL(models, hand(Seat.NORTH), hand(Seat.SOUTH), "3NS", False, None, False), play)
    (card,) = cards_in(play.position.legal)
    player = (play.position.to_move - Seat.WEST) & 3
    assert plugin.nextplay(player, {}, []) == {card_to_52(card): (-1, -1, -1, "singleton - no calculation")}


def test_whose_turn_it_is_must_be_right():
    plugin = hear(declarer(), until(Seat.SOUTH))
    with pytest.raises(InputError, match="expected player 3, whose turn it is, found 1"):
        plugin.nextplay(1, {}, [])
    with pytest.raises(InputError, match="expected player 0 or 2"):
        BGADefDLL(MODELS, hand(Seat.NORTH), hand(Seat.EAST), "3NS", True, 3, None, False)
