"""Double dummy: DDS against the readable solver, in every size and at every place of a trick; tables and par."""

import json
import pickle
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from random import Random

import pytest
from rich.console import Console

from worldwise.bridge.rules.contract import Strain, Vulnerability
from worldwise.bridge.rules.deal import PACK, SEATS, Deal, Seat, cards_in, read_card, set_of
from worldwise.bridge.rules.play import Position
from worldwise.bridge.solvers import readable_double_dummy as readable
from worldwise.bridge.solvers.dds import Dds, DoubleDummyTable, Par, ParContract
from worldwise.bridge.solvers.dds_library import VARIABLE, AnswerRecord, BoardRecord, find, load
from worldwise.bridge.views.double_dummy_text import double_dummy_json, double_dummy_table, par_words
from worldwise.errors import InputError, SolverError


@pytest.fixture(scope="module")
def dds():
    try:
        load()
    except InputError as error:
        pytest.skip(f"without the DDS library nothing can be compared: {error}")
    return Dds()


def random_position(rng, length, on_table=0):
    """Hands of so many cards each, then so many cards played."""
    pack = list(cards_in(PACK))
    rng.shuffle(pack)
    hands = tuple(set_of(pack[place * length : (place + 1) * length]) for place in range(4))
    position = Position(hands, rng.choice(list(Strain)), rng.choice(SEATS))
    for _ in range(on_table):
        position = position.play(rng.choice(list(cards_in(position.legal))))
    return position


def positions(seed, length, count):
    rng = Random(seed)
    return [random_position(rng, length, number % 4) for number in range(count)]


# ---------------------------------------------------------------------- the readable solver


def naive_tricks(position):
    """Minimax without a table, a bound or an idea: the tricks of the side to move."""
    side = position.to_move & 1
    return max((naive_after(position, position.play(card), side) for card in cards_in(position.legal)), default=0)


def naive_after(before, after, side):
    won = after.won[side] - before.won[side]
    later = naive_tricks(after)
    return won + (later if after.to_move & 1 == side else after.tricks_left - later)


@pytest.mark.parametrize(("length", "count"), [(1, 100), (2, 100), (3, 12)])
def test_the_readable_solver_is_minimax(length, count):
    for position in positions(1, length, count):
        assert readable.tricks(position) == naive_tricks(position)


def test_the_readable_solver_answers_every_target():
    for position in positions(2, 3, 40):
        best = readable.tricks(position)
        assert [readable.can_take(position, target) for target in range(-1, 5)] == [best >= t for t in range(-1, 5)]


def test_the_best_card_takes_the_most():
    for position in positions(3, 3, 40):
        found = readable.cards(position)
        assert set(found) == set(cards_in(position.legal))
        assert max(found.values()) == readable.tricks(position)


# ---------------------------------------------------------------------- the library and the readable solver


@pytest.mark.parametrize(("length", "count"), [(1, 160), (2, 160), (3, 120), (4, 80), (5, 24)])
def test_equals_the_readable_solver(dds, length, count):
    asked = positions(length, length, count)
    want = [readable.tricks(position) for position in asked]
    assert [dds.tricks(position) for position in asked] == want
    assert dds.tricks_of_all(asked) == want


@pytest.mark.parametrize("length", [1, 2, 3, 4])
def test_every_card_equals_the_readable_solver(dds, length):
    asked = positions(10 + length, length, 40)
    want = [readable.cards(position) for position in asked]
    assert [dds.cards(position) for position in asked] == want
    assert dds.cards_of_all(asked) == want


@pytest.mark.parametrize("on_table", range(4))
@pytest.mark.parametrize("length", range(1, 14))
def test_the_questions_agree_at_every_size(dds, length, on_table):
    rng = Random(length)
    for _ in range(1 if length > 10 else 5):
        position = random_position(rng, length, on_table)
        best, cards = dds.tricks(position), dds.cards(position)
        assert set(cards) == set(cards_in(position.legal))
        assert max(cards.values()) == best
        assert dds.can_take(position, best)
        assert not dds.can_take(position, best + 1)


def test_a_target_of_nothing_or_too_much_needs_no_search(dds):
    position = random_position(Random(1), 13)
    assert [dds.can_take(position, target) for target in (-1, 0, 14)] == [True, True, False]


# ---------------------------------------------------------------------- many at once


def test_one_position_with_many_targets_in_one_call(dds):
    asked = [(position, target) for position in positions(20, 5, 40) for target in range(7)]
    Random(2).shuffle(asked)
    assert dds.can_take_all(*zip(*asked, strict=True)) == [dds.can_take(*question) for question in asked]


def test_relatives_in_one_call_stay_apart(dds):
    family = []
    for position in positions(21, 4, 40)[::4]:
        family += [Position(position.hands, strain, seat) for strain in Strain for seat in SEATS]
        family += [position.play(card) for card in cards_in(position.legal)] * 2
    assert len(family) > 200
    assert dds.tricks_of_all(family) == [dds.tricks(position) for position in family]


def test_the_same_hands_after_another_lead(dds):
    hands = Deal.read("N:A2... K3... Q4... J...").hands
    leads = [Position(hands, Strain.NOTRUMP, Seat.WEST, (read_card(name),)) for name in ("S5", "H5", "ST", "D5")]
    assert dds.tricks_of_all(leads) == [readable.tricks(position) for position in leads]


def test_no_question_no_answer(dds):
    assert dds.tricks_of_all([]) == dds.can_take_all([], []) == dds.cards_of_all([]) == dds.tables([]) == []


def test_threads_do_not_disturb_each_other(dds):
    asked = positions(22, 6, 200)
    want = dds.tricks_of_all(asked)
    with ThreadPoolExecutor(4) as pool:
        batches = [pool.submit(dds.tricks_of_all, asked) for _ in range(2)]
        singles = list(pool.map(dds.tricks, asked))
        assert [batch.result() for batch in batches] == [want, want]
    assert singles == want


def test_a_handle_travels_to_another_process(dds):
    assert dds.version.startswith("2.")
    assert pickle.loads(pickle.dumps(dds)) == dds


# ---------------------------------------------------------------------- tables and par

DEALS = (
    "N:T865.Q653.AJ64.2 72.K97.T9.KQ9874 AK3.T2.KQ875.A65 QJ94.AJ84.32.JT3",
    "N:54.8753.A62.J964 T2.J962.QJ985.K8 AK973.4.T4.AQ753 QJ86.AKQT.K73.T2",
    "N:J732.Q94.J65.K92 AQT.AT653.A4.T63 64.8.KQ98732.Q74 K985.KJ72.T.AJ85",
)


@cache
def tables():
    return Dds().tables([Deal.read(text) for text in DEALS])


def test_tables(dds):
    north_south, east_west = (8, 7, 10, 5, 8), (5, 6, 3, 8, 5)
    assert tables()[0] == DoubleDummyTable((north_south, east_west) * 2)
    assert tables()[0][Seat.SOUTH, Strain.DIAMONDS] == 10


def test_everybody_has_a_suit(dds):
    whole = "AKQJT98765432"
    table = dds.table(Deal.read(f"N:{whole}... .{whole}.. ..{whole}. ...{whole}"))
    assert [table[seat, Strain(seat)] for seat in SEATS] == [13] * 4
    assert [table[seat, Strain.NOTRUMP] for seat in SEATS] == [0] * 4


@pytest.mark.parametrize("length", range(1, 6))
def test_the_table_of_an_ending(dds, length):
    deal = Deal(random_position(Random(length), length).hands)
    for (seat, strain), tricks in table_cells(dds.table(deal)):
        assert tricks == length - readable.tricks(Position(deal.hands, strain, seat.next))


def table_cells(table):
    return [((seat, strain), table[seat, strain]) for seat in SEATS for strain in Strain]


def test_par(dds):
    assert dds.par_of(tables()[0], Vulnerability.BOTH).score == 130
    sacrifice = dds.par_of(tables()[2], Vulnerability.EAST_WEST)
    assert sacrifice == Par(-1400, (ParContract(7, Strain.DIAMONDS, (Seat.NORTH, Seat.SOUTH), -6),))
    assert dds.par(Deal.read(DEALS[2]), Vulnerability.EAST_WEST) == sacrifice


def test_nobody_bids_what_nobody_makes(dds):
    nothing = DoubleDummyTable(((6,) * 5,) * 4)
    assert dds.par_of(nothing, Vulnerability.NONE) == Par(0)


def test_who_deals_matters_when_both_sides_make_it(dds):
    both = DoubleDummyTable(((7,) * 5,) * 4)
    assert [dds.par_of(both, Vulnerability.NONE, dealer).score for dealer in SEATS] == [90, -90, 90, -90]


def duplicate_score(level, strain, tricks, vulnerable):
    """What a contract earns: undoubled if it makes, doubled if not."""
    over = tricks - level - 6
    if over < 0:
        steps = [200] + [300] * 12 if vulnerable else [100, 200, 200] + [300] * 10
        return -sum(steps[:-over])
    each = 20 if strain in (Strain.CLUBS, Strain.DIAMONDS) else 30
    first = 10 if strain == Strain.NOTRUMP else 0
    bonus = (500 if vulnerable else 300) if each * level + first >= 100 else 50
    slam = {6: 500, 7: 1000}.get(level, 0) * (3 if vulnerable else 2) // 2
    return each * (level + over) + first + bonus + slam


BIDS = [(level, strain) for level in range(1, 8) for strain in (3, 2, 1, 0, 4)]


def naive_par(table, vulnerability, dealer):
    """Either side may bid on over the other's contract, or leave it: a minimax over 35 bids, for North and South."""

    def earned(bid, side):
        level, strain = BIDS[bid]
        tricks = max(table[seat, Strain(strain)] for seat in SEATS if seat & 1 == side)
        return duplicate_score(level, strain, tricks, vulnerability.includes(Seat(side)))

    @cache
    def left(bid, side):
        """What ``side`` gets if its bid is the last one so far."""
        return min([earned(bid, side)] + [-left(higher, 1 - side) for higher in range(bid + 1, 35)])

    def opening(side):
        return max(left(bid, side) for bid in range(35))

    first = dealer & 1
    best = max(opening(first), -max(opening(1 - first), 0))
    return -best if first else best


def test_par_is_a_minimax_over_the_bids(dds):
    rng = Random(4)
    for table in [*tables(), *(random_table(rng) for _ in range(60))]:
        for vulnerability in Vulnerability:
            for dealer in SEATS:
                found = dds.par_of(table, vulnerability, dealer)
                assert found.score == naive_par(table, vulnerability, dealer), (table, vulnerability, dealer)


def random_table(rng):
    """Partners take the same tricks, the sides share thirteen or lose one to the lead."""
    north = [rng.randrange(2, 12) for _ in Strain]
    east = [13 - tricks - rng.randrange(2) for tricks in north]
    return DoubleDummyTable((tuple(north), tuple(east)) * 2)


ENDPLAY = """
import json, sys, warnings
warnings.simplefilter("ignore")
from endplay.dds import calc_dd_table, par
from endplay.types import Deal, Denom, Player, Vul
def answer(text):
    table = calc_dd_table(Deal(text))
    strains = (Denom.spades, Denom.hearts, Denom.diamonds, Denom.clubs, Denom.nt)
    seats = (Player.north, Player.east, Player.south, Player.west)
    rows = [[table[strain, seat] for strain in strains] for seat in seats]
    return rows, [par(table, vul, seats[0]).score for vul in (Vul.none, Vul.ns, Vul.ew, Vul.both)]
print(json.dumps([answer(text) for text in sys.argv[1:]]))
"""


def test_tables_and_par_equal_endplay(dds):
    run = subprocess.run([sys.executable, "-c", ENDPLAY, *DEALS], capture_output=True, text=True, check=False)
    if "No module named 'endplay'" in run.stderr:
        pytest.skip("endplay is not installed to compare with")
    assert run.returncode == 0, run.stderr
    for table, (rows, scores) in zip(tables(), json.loads(run.stdout), strict=True):
        assert table.rows == tuple(map(tuple, rows))
        assert [dds.par_of(table, vulnerability).score for vulnerability in Vulnerability] == scores


# ---------------------------------------------------------------------- what is refused


UNEQUAL = Position(Deal.read("N:A2... K3... Q4... J...").hands, Strain.NOTRUMP, Seat.WEST)
OVER = Position((0, 0, 0, 0), Strain.NOTRUMP, Seat.WEST)


@pytest.mark.parametrize("ask", [Dds.tricks, Dds.cards, lambda dds, position: dds.can_take(position, 1)])
def test_no_position(dds, ask):
    with pytest.raises(InputError, match=r"equally long, found 2, 2, 2, 1 cards and 0 on the table"):
        ask(dds, UNEQUAL)
    with pytest.raises(InputError, match="a position with cards to play, found none"):
        ask(dds, OVER)


def test_a_card_twice(dds):
    hands = Deal.read("N:A2... K3... Q4... J...").hands
    with pytest.raises(InputError, match="every card once, found SA"):
        dds.tricks(Position(hands, Strain.NOTRUMP, Seat.WEST, (read_card("SA"),)))


def test_the_library_says_what_it_refuses(dds, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)  # DDS leaves a dump.txt behind
    with pytest.raises(SolverError, match=r"could not answer: Target .* \(code -"):
        dds.library.call("SolveBoard", BoardRecord(), 14, 1, 1, AnswerRecord(), 0)


def test_no_deal(dds):
    with pytest.raises(InputError, match="equally long, found the deal 'N:A"):
        dds.table(Deal.read("N:A2... K3... Q4... J..."))
    with pytest.raises(InputError, match="52 cards"):
        dds.par(Deal.read("N:A... K... Q... J..."), Vulnerability.NONE)


def test_a_path_to_nothing(monkeypatch):
    monkeypatch.setenv(VARIABLE, "/no/such/libdds.so")
    with pytest.raises(InputError, match=r"expected the DDS library, found no file '/no/such/libdds.so'"):
        Dds().tricks(random_position(Random(1), 1))


def test_a_file_that_is_no_library(tmp_path):
    path = tmp_path / "libdds.so"
    path.write_text("nothing of the kind")
    with pytest.raises(InputError, match=r"expected the DDS library, version 2.9, found"):
        load(path)


def test_another_library():
    other = sys.modules["_ctypes"].__file__
    with pytest.raises(InputError, match=r"expected the DDS library, version 2.9, found"):
        load(other)


def test_no_library_anywhere(monkeypatch):
    monkeypatch.delenv(VARIABLE, raising=False)
    monkeypatch.setattr("worldwise.bridge.solvers.dds_library.find_spec", lambda name: None)
    monkeypatch.setattr("worldwise.bridge.solvers.dds_library.find_library", lambda name: None)
    with pytest.raises(InputError, match=r"not installed: pip install 'worldwise\[bridge\]', or set WORLDWISE_DDS"):
        find()


def test_endplay_is_not_imported(dds):
    asked = "import sys; from worldwise.bridge.solvers.dds import Dds; Dds().version; print('endplay' in sys.modules)"
    run = subprocess.run([sys.executable, "-c", asked], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "False"


# ---------------------------------------------------------------------- views

PARTNERS = DoubleDummyTable(((8, 7, 10, 5, 9), (5, 6, 3, 8, 4)) * 2)
"""Tricks by strain, S H D C NT: 8 7 10 5 9 for North and South."""


def test_the_table_in_a_terminal():
    console = Console(width=60)
    with console.capture() as capture:
        console.print(double_dummy_table(PARTNERS, ascii=True))
    lines = [line.replace("│", " ").replace("┃", " ").split() for line in capture.get().splitlines()]
    assert ["declarer", "NT", "S", "H", "D", "C"] in lines
    assert ["South", "9", "8", "7", "10", "5"] in lines
    assert ["West", "4", "5", "6", "3", "8"] in lines


def test_par_in_words():
    contracts = (ParContract(5, Strain.HEARTS, (Seat.EAST, Seat.WEST), -3), ParContract(4, Strain.CLUBS, (Seat.EAST,)))
    assert par_words(Par(500, contracts)) == "par: 500 to North-South, 5HX-3 by EW or 4C= by E"


def test_json_twin():
    par = Par(-110, (ParContract(3, Strain.CLUBS, (Seat.EAST, Seat.WEST), 1),))
    found = json.loads(json.dumps(double_dummy_json(PARTNERS, par)))
    assert found["tricks"]["N"] == {"NT": 9, "S": 8, "H": 7, "D": 10, "C": 5}
    assert found["par"] == {
        "score": -110,
        "contracts": [{"contract": "3C", "declarers": ["E", "W"], "result": 1}],
    }
