"""Players at the bridge table: what they hear, what they keep, what they play."""

from collections import Counter
from dataclasses import dataclass, replace
from itertools import combinations
from random import Random

import pytest

from worldwise.bridge.layouts.sampler import Layouts
from worldwise.bridge.players.names import player_name, read_player
from worldwise.bridge.players.searchers import PimcPlayer
from worldwise.bridge.players.seats import BridgePlayer, SeesAll
from worldwise.bridge.players.session import BridgeSession, read_you
from worldwise.bridge.players.simple import DoubleDummyPlayer, RandomPlayer
from worldwise.bridge.players.table import BridgeTable, play_board
from worldwise.bridge.players.world_sample import WorldSample, fits, follows, legal_cards
from worldwise.bridge.rules.board import Board
from worldwise.bridge.rules.contract import Contract, Strain, Vulnerability
from worldwise.bridge.rules.deal import PACK, SEATS, Deal, Seat, card_name, cards_in, read_card, set_of
from worldwise.bridge.rules.goal import Aim
from worldwise.bridge.rules.play import Play
from worldwise.bridge.rules.view import View, view_of
from worldwise.bridge.solvers.double_dummy import tricks
from worldwise.errors import InputError, UnknownNameError

CONTRACT = Contract.read("1NT by S")
FINESSE = Deal.read("N:AQ4... K53... 876... JT9...")


def ending(rng, size):
    """A random ending of so many cards a hand."""
    cards = rng.sample(list(cards_in(PACK)), 4 * size)
    north, east, south, west = (set_of(cards[place : place + size]) for place in range(0, 4 * size, size))
    return Deal((north, east, south, west))


def some_play(rng, deal, contract, count):
    """So many random cards."""
    play = Play(deal, contract)
    for _ in range(count):
        play = play.then(rng.choice(list(cards_in(play.position.legal))))
    return play


# ---------------------------------------------------------------------- texts


@pytest.mark.parametrize(
    ("text", "player"),
    [
        ("pimc", PimcPlayer()),
        ("pimc:worlds=20", PimcPlayer(20)),
        (" pimc:worlds=5, aim=score ,threads=2", PimcPlayer(5, Aim.SCORE, threads=2)),
        (
            "pimc:constraints=hcp(west)>=12 && shape(west, any 4333 + 5xxx); hascard(east, AS) == 1,worlds=3",
            PimcPlayer(3, constraints=("hcp(west)>=12 && shape(west, any 4333 + 5xxx)", "hascard(east, AS) == 1")),
        ),
        ("dds", DoubleDummyPlayer()),
        ("random", RandomPlayer()),
    ],
)
def test_players_from_texts_and_back(text, player):
    assert read_player(text) == player
    assert read_player(player_name(player)) == replace(player, **({"threads": 1} if "threads" in text else {}))


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("pmc", "did you mean 'pimc'"),
        ("", "unknown player ''"),
        ("pimc:world=3", "did you mean 'worlds'"),
        ("pimc:worlds=many", "pimc, worlds: expected a whole number of up to six digits, found 'many'"),
        ("pimc:worlds=0", "expected at least one for worlds, found 0"),
        ("pimc:aim=trick", "pimc, aim: unknown aim 'trick' (did you mean 'tricks'?)"),
        ("pimc:", "expected options as in pimc:worlds=40,aim=tricks, found ''"),
        ("pimc:worlds", "found 'worlds'"),
        ("pimc:constraints=hcp(wst)>3", "pimc, constraints: column 5: expected a seat"),
        ("dds:worlds=3", "unknown option of dds 'worlds'"),
    ],
)
def test_texts_that_are_no_players(text, words):
    with pytest.raises(InputError) as error:
        read_player(text)
    assert words in str(error.value)


def test_a_player_of_ones_own_is_named_by_its_repr():
    assert player_name(Listener()) == "Listener()"


# ---------------------------------------------------------------------- who hears what


@dataclass(frozen=True)
class Listener:
    """Remembers all that it hears."""

    def sit(self, seed, vulnerability=Vulnerability.NONE):
        return Ear()


class Ear:
    heard: list = []  # noqa: RUF012

    def choose(self, view):
        self.heard.append(view)
        return legal_cards(view)[0]


def test_players_hear_views_of_their_seat_and_nothing_else():
    Ear.heard.clear()
    BridgeTable.of(CONTRACT, Listener(), RandomPlayer()).play_out(Play(FINESSE, CONTRACT))
    assert {type(view) for view in Ear.heard} == {View}
    assert {view.seat for view in Ear.heard} == {Seat.SOUTH}
    assert len(Ear.heard) == 6  # declarer's three cards and dummy's


def test_who_sees_everything_is_another_kind_of_player():
    assert isinstance(DoubleDummyPlayer(), SeesAll)
    assert not isinstance(DoubleDummyPlayer(), BridgePlayer)
    for player in (PimcPlayer(), RandomPlayer()):
        assert isinstance(player, BridgePlayer)
        assert not isinstance(player, SeesAll)


@pytest.mark.parametrize("aim", Aim)
@pytest.mark.parametrize("seat", [Seat.EAST, Seat.SOUTH, Seat.WEST])
def test_a_choice_depends_on_the_view_only(seat, aim):
    """Hidden cards that are dealt in any other way that fits change no choice."""
    contract, rng = Contract(1, Strain.HEARTS, Seat.SOUTH), Random(seat)
    play = some_play(rng, ending(rng, 4), contract, 4)
    while play.turn != seat:
        play = play.then(next(cards_in(play.position.legal)))
    view = view_of(play, seat)
    others = [replace(play, deal=deal) for deal in Layouts(view).enumerate()]
    choices = {
        BridgeTable.seat_players({seat: PimcPlayer(4, aim)}, seed=3).next_card(other) for other in [play, *others]
    }
    assert len(choices) == 1


def test_a_card_against_the_rules_is_refused():
    @dataclass(frozen=True)
    class Cheat:
        def sit(self, seed, vulnerability=Vulnerability.NONE):
            return self

        def choose(self, view):
            return read_card("SA")

    with pytest.raises(InputError, match=r"card 1 of trick 1: expected a card of West's JT9\.\.\., found SA"):
        BridgeTable.of(CONTRACT, RandomPlayer(), Cheat()).play_out(Play(FINESSE, CONTRACT))


def test_nobody_in_a_seat():
    with pytest.raises(InputError, match="expected a player for West, found none"):
        BridgeTable.seat_players({Seat.SOUTH: RandomPlayer()}).play_out(Play(FINESSE, CONTRACT))


# ---------------------------------------------------------------------- worlds


@pytest.mark.parametrize("seat", SEATS)
def test_kept_worlds_fit_and_are_all_different(seat):
    play, worlds = Play(Deal.random(Random(seat)), Contract.read("4S by E")), WorldSample(20, seed=5)
    for _ in range(30):
        view = view_of(play, seat)
        if view.on_turn:
            kept = worlds.follow(view)
            assert len(set(kept)) == len(kept) == 20
            assert all(fits(view, deal) for deal in kept)
            assert fits(view, play.deal)
        play = play.then(next(cards_in(play.position.legal)))


def test_what_fits_is_what_can_be_enumerated():
    rng = Random(8)
    for _ in range(20):
        play = some_play(rng, ending(rng, 3), Contract(1, rng.choice(list(Strain)), Seat.WEST), rng.randint(1, 9))
        view = view_of(play, play.turn)
        found = set(Layouts(view).enumerate())
        assert all(fits(view, deal) for deal in found)
        hidden = [seat for seat in view.hidden if seat != view.contract.dummy]
        for deal in _every_way(play.deal, hidden):
            assert fits(view, deal) == (deal in found)


def _every_way(deal, hidden):
    """Two hands shared out anew in all ways."""
    one, two = hidden
    cards = list(cards_in(deal[one] | deal[two]))
    for chosen in combinations(cards, len(cards) // 2):
        hands = list(deal.hands)
        hands[one], hands[two] = set_of(chosen), set_of(cards) & ~set_of(chosen)
        yield Deal(tuple(hands))


def test_worlds_stay_uniform_from_move_to_move():
    """Two of the layouts are kept at a time; after a trick each that is left is there as often as any other."""
    deal = Deal.read("N:A2.4.. 3.AK.. 4.32.. 5.QJ..")
    before = Play(deal, CONTRACT, (read_card("S5"),))
    after = some_cards(before, "SA S3 S4")
    possible = Layouts(view_of(after, Seat.SOUTH)).enumerate()
    assert len(possible) == 6
    times, counts = 300, Counter()
    for seed in range(times):
        worlds = WorldSample(2, seed=seed)
        worlds.follow(view_of(before, Seat.SOUTH))
        counts.update(worlds.follow(view_of(after, Seat.SOUTH)))
    assert set(counts) == set(possible)
    expected = 2 * times / len(possible)
    assert sum((count - expected) ** 2 / expected for count in counts.values()) < 25


def some_cards(play, names):
    for name in names.split():
        play = play.then(read_card(name))
    return play


def test_after_a_move_is_taken_back_worlds_are_drawn_afresh():
    first = view_of(Play(FINESSE, CONTRACT, (read_card("SJ"),)), Seat.SOUTH)
    later = view_of(some_cards(Play(FINESSE, CONTRACT), "SJ SQ SK"), Seat.SOUTH)
    assert follows(later, first)
    assert not follows(first, later)
    worlds = WorldSample(5)
    drawn = list(worlds.follow(first))
    worlds.follow(later)
    assert worlds.follow(first) == drawn


# ---------------------------------------------------------------------- what they play


def test_double_dummy_players_take_what_double_dummy_says(kernels):
    rng = Random(4)
    for _ in range(8):
        contract = Contract(1, rng.choice(list(Strain)), rng.choice(SEATS))
        play = Play(ending(rng, 4), contract)
        best = tricks(play.position, contract.declarer)
        table = BridgeTable.of(contract, DoubleDummyPlayer(), DoubleDummyPlayer())
        assert table.play_out(play).declarer_tricks == best
        blind = BridgeTable.of(contract, PimcPlayer(6, Aim.TRICKS), DoubleDummyPlayer())
        assert blind.play_out(play).declarer_tricks <= best
        fooled = BridgeTable.of(contract, DoubleDummyPlayer(), PimcPlayer(6, Aim.TRICKS), partner=RandomPlayer())
        assert fooled.play_out(play).declarer_tricks >= best


def test_pimc_takes_the_finesse(kernels):
    play = Play(FINESSE, CONTRACT, (read_card("SJ"),))
    table = BridgeTable.of(CONTRACT, PimcPlayer(aim=Aim.TRICKS), DoubleDummyPlayer())
    assert card_name(table.next_card(play)) in ("SQ", "S4")


def test_the_same_seed_gives_the_same_game_whatever_the_threads():
    play = Play(ending(Random(1), 5), Contract.read("1S by N"))
    games = {
        BridgeTable.of(play.contract, PimcPlayer(8, aim, threads=threads), PimcPlayer(8, aim), seed=7)
        .play_out(play)
        .cards
        for threads in (1, 2)
        for aim in (Aim.SCORE,)
        for _ in range(2)
    }
    assert len(games) == 1


def test_random_players_play_whole_deals():
    play = Play(Deal.random(Random(3)), Contract.read("4HX by W"))
    games = [BridgeTable.of(play.contract, RandomPlayer(), RandomPlayer(), seed).play_out(play) for seed in (1, 1, 2)]
    assert games[0] == games[1] != games[2]
    assert len(games[0].cards) == 52


def test_a_card_that_is_forced_needs_no_world():
    impossible = PimcPlayer(4, constraints=("hcp(west) > 37",))
    play = Play(Deal.read("N:A.2.. K3... Q4... J5..."), CONTRACT, (read_card("SJ"),))
    table = BridgeTable.of(CONTRACT, impossible, RandomPlayer())
    assert card_name(table.next_card(play)) == "SA"
    with pytest.raises(InputError, match="found none for hcp"):
        table.next_card(play.then(read_card("SA")).then(read_card("SK")))


def test_not_on_turn():
    with pytest.raises(InputError, match="expected South to be on turn, found West"):
        PimcPlayer(3).sit(0).choose(view_of(Play(FINESSE, CONTRACT), Seat.SOUTH))


def test_a_board_is_played_from_where_its_record_stands():
    board = Board(FINESSE, number=2, contract=CONTRACT, cards=(read_card("S9"),))
    played = play_board(board, BridgeTable.of(CONTRACT, DoubleDummyPlayer(), DoubleDummyPlayer()))
    assert (played.cards[0], len(played.cards), played.tricks) == (read_card("S9"), 12, 1)
    hidden = Board(Deal.read("N:AQ4... - 876... -"), contract=CONTRACT)
    with pytest.raises(InputError, match="expected all four hands"):
        play_board(hidden, BridgeTable.of(CONTRACT, RandomPlayer(), RandomPlayer()))


# ---------------------------------------------------------------------- sessions


def session(you=Seat.SOUTH, cards="SJ"):
    return BridgeSession.of(Board(FINESSE, contract=CONTRACT, cards=tuple(map(read_card, cards.split()))), you)


@pytest.mark.parametrize("text", ["SQ", "sq", "Q", "qs", "♠q", " q "])
def test_words_for_a_card(text):
    assert session().card(text) == read_card("SQ")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("SK", "expected one of SA, SQ, S4, found SK"),
        ("K", "expected one of SA, SQ, S4, found 'K'"),
        ("queen", "expected a card such as SA"),
    ],
)
def test_words_for_no_card(text, words):
    with pytest.raises(InputError, match=words):
        session().card(text)


def test_a_rank_that_two_suits_have_is_no_card():
    board = Board(Deal.read("N:2.3.. A.K.. Q.Q.. 5.5.."), contract=Contract.read("1NT by E"))
    with pytest.raises(InputError, match="expected one of SQ, HQ, found 'q'"):
        BridgeSession.of(board, Seat.SOUTH).card("q")


def test_undo_goes_back_to_the_turn_before():
    later = session(cards="SJ SA S3")
    assert later.yours
    assert later.undo().play.cards == later.play.cards[:1]
    with pytest.raises(InputError, match="expected a card of yours to take back"):
        session(cards="SJ").undo()


def test_claims_are_judged(kernels):
    south, east = session(), session(Seat.EAST)
    assert south.claim(1).record.tricks == 1
    assert south.claim(0).over
    assert east.claim(1).record.tricks == 2
    with pytest.raises(InputError, match="expected a claim that holds against best defence, found 3 of 3 tricks"):
        south.claim(3)
    with pytest.raises(InputError, match="expected a claim from 0 to 3 tricks, found 4"):
        south.claim(4)
    with pytest.raises(InputError, match="looks on"):
        session(None).claim(1)


def test_what_a_person_sees():
    assert session(Seat.SOUTH, "").seen == (Seat.SOUTH,)
    assert set(session(Seat.WEST).seen) == {Seat.WEST, Seat.NORTH}
    assert session(None).seen == SEATS
    assert session().claim(1).seen == SEATS


def test_seats_for_a_person():
    assert read_you("E", Seat.SOUTH) == Seat.EAST
    with pytest.raises(InputError, match="expected N, E, S, W, declarer or none, found 'X'"):
        read_you("X", Seat.SOUTH)


def test_unknown_players_are_unknown_names():
    with pytest.raises(UnknownNameError):
        read_player("alphamo")
