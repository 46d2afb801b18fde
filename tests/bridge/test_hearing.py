"""Players and matches that hear the auction, and leads by convention."""

from dataclasses import dataclass, field, replace
from random import Random
from typing import ClassVar

import pytest

from worldwise.bridge.advice.advise import advise
from worldwise.bridge.layouts.meanings import HandFeatures
from worldwise.bridge.layouts.sampler import Layouts
from worldwise.bridge.match import BridgeMatch
from worldwise.bridge.match_run import BridgeMatchRun
from worldwise.bridge.players.searchers import AlphaMuPlayer, PimcPlayer
from worldwise.bridge.players.simple import RandomPlayer
from worldwise.bridge.players.table import BridgeTable
from worldwise.bridge.players.world_sample import WorldSample, legal_cards
from worldwise.bridge.rules.auction import Auction
from worldwise.bridge.rules.board import Board
from worldwise.bridge.rules.contract import Vulnerability
from worldwise.bridge.rules.deal import PACK, SEATS, Deal, Seat, card_name, cards_in, read_hand
from worldwise.bridge.rules.view import View

pytestmark = pytest.mark.usefixtures("needs_kernels")

DEAL = Deal.read("W:K5.AQJ85.K86.J73 A8643.97.QJ.Q864 T97.K32.9754.952 QJ2.T64.AT32.AKT")
BOARD = Board(DEAL, dealer=Seat.WEST, auction=Auction.read("W: 1H 1S 2H 2S AP"))


def _hearts_of_west(view, system):
    """West's hearts and points on average, over what a player samples."""
    sample = WorldSample(60, seed=1, system=system)
    worlds = sample.follow(view)
    weights = sample.auction_weights(worlds)
    hands = HandFeatures.of(world[Seat.WEST] for world in worlds)
    return [sum(map(int.__mul__, weights, row.tolist())) / sum(weights) for row in (hands.lengths[1], hands.points)]


def _led():
    lead = min(cards_in(BOARD.play.position.legal))
    return BOARD.with_cards([lead])


def test_a_sample_has_heard_the_opening_bid():
    view = _led().view(Seat.NORTH)
    heard, deaf = _hearts_of_west(view, "sayc"), _hearts_of_west(view, "none")
    assert heard[0] > 4.6 > 4.4 > deaf[0]
    assert heard[1] > deaf[1] + 1


def test_what_is_kept_goes_on_counting_as_it_did():
    board, sample = _led(), WorldSample(30, seed=2)
    before = dict(zip(sample.follow(board.view(Seat.NORTH)), sample.auction_weights(list(sample._kept)), strict=True))
    board = board.with_cards((*board.cards, *_next_cards(board, 3)))
    after = sample.follow(board.view(Seat.NORTH))
    kept = [world for world in after if world in before]
    assert kept
    assert sample.auction_weights(kept) == [before[world] for world in kept]


def _next_cards(board, number):
    cards = []
    for _ in range(number):
        cards.append(min(cards_in(board.with_cards((*board.cards, *cards)).play.position.legal)))
    return cards


@pytest.mark.parametrize("player", [PimcPlayer(8), AlphaMuPlayer(6, 1)])
@pytest.mark.parametrize("seat", [Seat.NORTH, Seat.EAST, Seat.WEST])
def test_nobody_plays_by_what_he_cannot_see(player, seat):
    board = _led() if seat != Seat.EAST else BOARD
    while board.play.turn != seat:
        board = board.with_cards((*board.cards, *_next_cards(board, 1)))
    view = board.view(seat)
    others = [Layouts(view).sample(Random(number)) for number in range(2)]
    cards = set()
    for deal in (DEAL, *others):
        table = BridgeTable.seat_players(dict.fromkeys(SEATS, player), 3, auction=BOARD.auction)
        cards.add(table.next_card(replace(board, deal=deal).play))
    assert len(cards) == 1


@dataclass(frozen=True)
class _Listener:
    """Keeps every view it is shown."""

    views: list[View] = field(repr=False)
    name: ClassVar[str] = "listener"

    def sit(self, seed: int, vulnerability: Vulnerability = Vulnerability.NONE) -> "_Listener":
        return self

    def choose(self, view: View) -> int:
        self.views.append(view)
        return legal_cards(view)[0]


def test_boards_of_a_match_are_played_as_they_were_bid():
    listener = _Listener([])
    match = BridgeMatch(listener, RandomPlayer(), RandomPlayer(), BOARD.play.contract, (BOARD, BOARD))
    duel = match.duel(2, seed=1)
    assert {view.auction for view in listener.views} == {BOARD.auction}
    assert (duel.number, str(duel.first.board.contract)) == (2, "2S by N")
    assert match.duel_of(2, duel.row).first.board == duel.first.board


def test_other_boards_are_another_match():
    runs = [
        BridgeMatchRun(BridgeMatch(RandomPlayer(), RandomPlayer(), RandomPlayer(), BOARD.play.contract, boards), 1)
        for boards in ((BOARD,), (BOARD, BOARD), ())
    ]
    assert len({str(run.identity) for run in runs}) == 3


@pytest.mark.parametrize(
    ("hand", "auction", "led"),
    [
        ("KQJ97.84.A63.952", "S: 1NT P 3NT AP", "SK"),
        ("QJT9.84.A63.9652", "S: 1NT P 3NT AP", "SQ"),
        ("A7532.K4.863.952", "S: 1NT P 3NT AP", "S3"),
    ],
)
def test_equal_cards_are_led_by_convention(hand, auction, led):
    heard = Auction.read(auction)
    view = View(Seat.WEST, heard.contract, read_hand(hand), None, (), PACK, heard)
    advice = advise(view, worlds=24, algorithm="pimc", seed=1)
    assert card_name(advice.card) == led


def test_touching_honours_are_led_from_the_top():
    """From QJ8 the eight is led by convention; who leads an honour all the same, leads the queen."""
    heard = Auction.read("S: 1NT P 3NT AP")
    view = View(Seat.WEST, heard.contract, read_hand("843.QJ8.AQ62.QJ4"), None, (), PACK, heard)
    found = advise(view, worlds=4, algorithm="pimc", seed=1)
    led = {card_name(choice.card) for choice in found.choices if len(choice.cards) == 2}
    assert led == {"HQ", "CQ", "S3"}
