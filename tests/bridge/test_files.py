"""PBN, LIN and links: read and written, real and broken, beside endplay's parsers."""

import re
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from bridge_strategies import SEEDS, boards, some_auction, some_cards
from endplay_oracle import oracle
from worldwise.bridge.files.any_format import boards_in, boards_text, read_boards, write_boards
from worldwise.bridge.files.bbo import VIEWER, hand_link, lin_link, read_link
from worldwise.bridge.files.lin import read_lin
from worldwise.bridge.files.lin_writer import lin_text
from worldwise.bridge.files.pbn import pbn_text, read_pbn
from worldwise.bridge.rules.auction import Auction, call_name
from worldwise.bridge.rules.board import Board, Tag, dealer_of_board
from worldwise.bridge.rules.contract import Contract, Vulnerability
from worldwise.bridge.rules.deal import Deal, Seat, card_name, hand_name
from worldwise.errors import InputError

DATA = Path(__file__).parents[1] / "data" / "bridge"
FILES = sorted(DATA.iterdir())
TEXTS = {path.name: path.read_bytes().decode("latin-1") for path in FILES}


def sample(name):
    return read_boards(DATA / name)


# ---------------------------------------------------------------------- the samples

WHOLE = {
    "export.pbn": [1, 2, 3],
    "hidden.pbn": [5, 6],
    "inherited.pbn": [21, 21],
    "irregular.pbn": [7, 8],
    "latin.pbn": [40],
    "links.txt": [1, 2, 5, None],
    "loose.pbn": [11, 12, 13],
    "noise.lin": [22],
    "table.lin": [1, 2, 3],
    "tables.pbn": [9, 10],
    "vugraph.lin": [17, 17, 18],
    "windows.pbn": [30, 31],
}


@pytest.mark.parametrize("name", WHOLE)
def test_whole_samples(name):
    found = sample(name)
    assert ([board.number for board in found], found.faults) == (WHOLE[name], ())


def test_every_sample_is_tested():
    assert {path.name for path in FILES} == {*WHOLE, "broken.pbn", "broken.lin"}


@pytest.mark.parametrize("name", WHOLE)
@pytest.mark.parametrize("form", ["pbn", "lin"])
def test_samples_written_and_read(name, form):
    """Twice, since what a notation cannot say is lost the first time."""
    once = boards_in(boards_text(sample(name), form))
    twice = boards_in(boards_text(once, form))
    assert (once.boards, once.faults, twice.faults) == (twice.boards, (), ())
    if name != "irregular.pbn":
        assert [board.contract for board in once] == [board.contract for board in sample(name)]
    assert [board.cards for board in once] == [board.cards for board in sample(name)]
    if form == "pbn":
        assert once.boards == sample(name).boards


def test_export_format():
    first, second, third = sample("export.pbn")
    assert first.names == ("Birch", "Cedar", "Dogwood", "Alder")
    assert (first.tricks, first.score, len(first.cards)) == (6, -150, 52)
    assert first.auction.explanation(0) == "15-17, may have a five-card major"
    assert first.comment.startswith("Nine tricks were there")
    assert [card_name(card) for card in first.cards[8:12]] == ["C8", "CJ", "C4", "C3"]
    assert (str(second.contract), second.tricks, len(second.cards)) == ("4S by E", 10, 30)
    assert [card_name(card) for card in second.cards[-2:]] == ["DT", "D4"]
    assert (third.passed_out, third.score, third.contract) == (True, 0, None)


def test_loose_format():
    first, second, third = sample("loose.pbn")
    assert (str(first.contract), first.vulnerability, first.score) == ("2HX by N", Vulnerability.NONE, -300)
    assert first.auction.explanation(0) == "weak, six hearts"
    assert (str(second.contract), len(second.cards), second.comment) == ("6D by W", 8, "a cue bid")
    assert (third.dealer, third.vulnerability) == (Seat.NORTH, Vulnerability.BOTH)


def test_inheritance():
    first, second = sample("inherited.pbn")
    assert first.deal == second.deal
    assert [tag.value for tag in second.tags] == ["Autumn league", "Hilltop", "2026.11.??", "4", "Closed"]


def test_hidden_hands():
    first, second = sample("hidden.pbn")
    assert first.view(Seat.SOUTH).hidden == (Seat.EAST, Seat.WEST)
    assert [call_name(call) for call in second.auction.calls] == ["1NT", "Pass", "2C"]
    assert second.auction.turn == Seat.NORTH


def test_irregularities():
    first, second = sample("irregular.pbn")
    assert (first.auction, str(first.contract), first.tricks, len(first.cards)) == (None, "3NT by N", 9, 8)
    assert (str(second.contract), str(second.auction.contract)) == ("6D by E", "6D by W")


def test_tables_are_kept():
    first, second = sample("tables.pbn")
    assert first.tag("Event") == 'Mitchell, section "A"'
    table = next(tag for tag in first.tags if tag.name == "OptimumResultTable")
    assert table == Tag("OptimumResultTable", r"Declarer;Denomination\2R;Result\2R", table.rows)
    assert table.rows[2] == "E S 10"
    assert second.passed_out


def test_other_alphabets():
    assert sample("windows.pbn").boards[1].tag("Event") == "Fête d’été"
    assert sample("latin.pbn").boards[0].names[Seat.EAST] == "Müller"


def test_vugraph():
    first, second, third = sample("vugraph.lin")
    assert (first.names[Seat.SOUTH], second.names[Seat.SOUTH], third.names[Seat.EAST]) == ("Ash", "Elder", "Damson")
    assert [board.tag("Room") for board in (first, second, third)] == ["Open", "Closed", "Open"]
    assert {board.tag("Event") for board in (first, second, third)} == {"Autumn league final"}
    assert [board.tricks for board in (first, second, third)] == [6, 10, 12]
    assert first.comment == "Good evening everybody, here is board 17.\nEast has a lot."
    assert first.auction.explanation(0) == "5-9, six of them"
    assert first.deal[Seat.EAST] == sample("broken.pbn").board(1).deal[Seat.EAST]


def test_noise():
    (board,) = sample("noise.lin")
    assert (board.dealer, board.vulnerability, str(board.contract)) == (Seat.EAST, Vulnerability.EAST_WEST, "3NT by S")
    assert hand_name(board.deal[Seat.EAST]) == "87542.J65.A4.Q74"
    assert board.auction.explanation(1) == ""


# ---------------------------------------------------------------------- broken records

TWICE = "expected a card that is still there, found C5 of trick 1 again"

FAULTS = {
    "broken.pbn": [
        "broken.pbn, line 10, board 2: expected at most 13 cards in North's hand, found 14",
        "broken.pbn, line 30, board 4: card 2 of trick 3: " + TWICE,
        "broken.pbn, line 47, board 6: card 4 of trick 2: East revokes with D4; expected one of S8, S7, S5, S4, S2",
        "broken.pbn, line 60, board 8: expected a contract such as '3NT by S' or '4HX by W', found '8NT'",
        "broken.pbn, line 74, board 10: call 5 (South): expected a bid above 3NT, found '3C'",
    ],
    "broken.lin": [
        "broken.lin, line 2, board 2: expected at most 13 cards in South's hand, found 14",
        "broken.lin, line 3, board 3: card 4 of trick 1: South revokes with C8; expected one of SA, SK, SQ, S8, S6",
        "broken.lin, line 5, board 5: call 3 (North): expected a bid above 1NT, found '1S'",
        "broken.lin, line 6, board 6: expected o, n, e or b for who is vulnerable, found 'q'",
        "broken.lin, line 7, board 7: expected a command such as mb|1N|, found 'p|'",
    ],
}


@pytest.mark.parametrize("name", FAULTS)
def test_faults_say_where_and_other_boards_are_served(name):
    found = read_boards(DATA / name, strict=True)
    assert list(map(str, found.faults)) == FAULTS[name]
    served = {"broken.pbn": [1, 3, 5, 7, 9, 11], "broken.lin": [1, 4, 8]}[name]
    assert [board.number for board in found] == served


@pytest.mark.parametrize("name", FAULTS)
def test_only_a_broken_deal_costs_its_board(name):
    found = sample(name)
    lost, *set_aside = FAULTS[name]
    assert list(map(str, found.faults)) == [lost]
    assert list(map(str, found.warnings)) == set_aside
    last = {"broken.pbn": 11, "broken.lin": 8}[name]
    assert [board.number for board in found] == [1, *range(3, last + 1)]


def test_what_is_before_a_broken_card_is_kept():
    found = sample("broken.pbn")
    assert [len(found.board(number).cards) for number in (4, 6)] == [9, 7]
    assert (found.board(8).contract, found.board(10).auction) == (None, None)


GOOD = '[Board "1"]\n[Dealer "S"]\n[Deal "S:KQ.AQT.KQT96.A32 AJT.K8732.J85.65 963.94.732.KJT98 87542.J65.A4.Q74"]\n'
LIN = "md|1SKQHAQTDKQT96CA32,SAJTHK8732DJ85C65,S963H94D732CKJT98|"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('[Board "1"]', 'line 1, board 1: expected a tag [Deal "N:..."], found none'),
        (GOOD.replace('[Dealer "S"]', '[Dealer "X"]'), "line 2, board 1: expected a seat (N, E, S or W), found 'X'"),
        (
            GOOD.replace('[Dealer "S"]', 'Dealer "S"]'),
            "line 2, board 1: expected a tag such as [Dealer \"N\"], found 'Dealer'",
        ),
        (
            GOOD.replace('[Dealer "S"]', '[Dealer "S]'),
            'line 2, board 1: expected a tag such as [Dealer "N"], found \'[Dealer "S]\'',
        ),
        (GOOD + '[Vulnerable "Some"]', "line 4, board 1: expected None, NS, EW or All vulnerable, found 'Some'"),
        (GOOD + "{ never closed", "line 4, board 1: expected a comment closed by '}', found '{ never closed'"),
        (
            GOOD + '[Contract "3NT"]',
            "line 4, board 1: expected a contract such as '3NT by S' or '4HX by W', found '3NT'",
        ),
        (
            GOOD + '[Declarer "S"]\n[Contract "3NT"]\n[Result "14"]',
            "line 6, board 1: expected from 0 to 13 tricks, found 14",
        ),
        (
            GOOD + '[Declarer "S"]\n[Contract "3NT"]\n[Result "ten"]',
            "line 6, board 1: expected declarer's tricks from 0 to 13, found 'ten'",
        ),
        (GOOD + '[Play "W"]\nC5', "line 4, board 1: expected a contract before the play, found none"),
        (GOOD + '[Auction "S"]\n1NT P P 1X', "line 5, board 1: expected a strain (S, H, D, C or NT), found 'X'"),
        (
            GOOD + '[Auction "S"]\n1NT P P frog',
            "line 5, board 1: expected a call such as 1NT, Pass, X or XX, found 'frog'",
        ),
        (GOOD + '[Auction "W"]\nAP', "line 1, board 1: expected South, the dealer, to call first, found West"),
        (
            GOOD + '[Auction "S"]\n1NT AP\n[Contract "2NT"]',
            "line 6, board 1: expected the contract 1NT by S of the auction, found 2NT by S",
        ),
        (
            GOOD + '[Contract "1NT"]\n[Declarer "S"]\n[Play "W"]\nC5 - CQ CA',
            "line 7, board 1: expected a card of North's before 'CQ', found none",
        ),
        (
            GOOD + '[Contract "1NT"]\n[Declarer "S"]\n[Play "W"]\nC5 - - -\nST S9 S2 SK',
            "line 8, board 1: expected no card after a trick that was not finished, found 'ST'",
        ),
        (
            GOOD + '[Contract "1NT"]\n[Declarer "S"]\n[Play "W"]\nC1',
            "line 7, board 1: expected a card such as SA or H10, found 'C1'",
        ),
        ("md|1SAA|", "line 1: expected every card once, found SA twice in the hand 'AA...'"),
        ("md|1SA1|", "line 1: expected a hand such as SAK2HQJ4DT98C7654, found 'SA1'"),
        ("mb|1S|", "line 1: expected hands, md|...|, found none"),
        (LIN + "mb|1Q|", "line 1: expected calls such as 1N, p, d or r, found '1Q'"),
        (LIN + "pc|CA|", "line 1: expected a contract before the play, found CA"),
        (
            LIN + "mb|1N|\nmb|p|mb|p|mb|p|pc|C5|\npc|C8|pc||C7|pc|CA|",
            "line 3: expected a command such as mb|1N|, found 'C7|'",
        ),
        (LIN + "mb|1N|mb|p|mb|p|mb|p|mc|x|", "line 1: expected declarer's tricks from 0 to 13, found 'x'"),
        (LIN.replace("|1", "|1,,"), "line 1: expected at most four hands, found 5"),
        (VIEWER + "?d=n", f"line 1: expected a link with lin= or the hands n=, e=, s=, w=, found '{VIEWER}?d=n'"),
        (VIEWER + "?n=sak&c=q", "line 1: expected declarer's tricks, c=, from 0 to 13, found 'q'"),
        (VIEWER + "?lin=md|1SAA|", "line 1: expected every card once, found SA twice in the hand 'AA...'"),
        (VIEWER + "?n=saa", "line 1: expected every card once, found SA twice in the hand 'AA...'"),
    ],
)
def test_messages(text, message):
    found = boards_in(text, strict=True)
    assert (found.boards, list(map(str, found.faults))) == ((), [message])


@pytest.mark.parametrize("text", ["", "  \n ", "hello", "{}", "<html>", "[Event]\n", "pn|a,b,c,d|", '[Event "x"]'])
def test_nothing_to_read(text):
    with pytest.raises(InputError, match="expected boards in PBN, in LIN, in a list of DDS, or links"):
        boards_in(text)


def test_files_that_are_not_there(tmp_path):
    with pytest.raises(InputError, match=r"nowhere\.pbn': No such file"):
        read_boards(tmp_path / "nowhere.pbn")
    with pytest.raises(InputError, match="expected a file of boards"):
        read_boards(str(tmp_path))
    with pytest.raises(InputError, match=r"ends in \.pbn, \.lin or \.txt"):
        write_boards(tmp_path / "boards.doc", [])


@pytest.mark.parametrize("suffix", ["pbn", "lin", "txt"])
def test_files_written(tmp_path, suffix):
    path = tmp_path / f"boards.{suffix}"
    write_boards(path, sample("export.pbn"))
    found = read_boards(str(path))
    assert [board.cards for board in found] == [board.cards for board in sample("export.pbn")]


# ---------------------------------------------------------------------- there and back


@given(boards())
def test_pbn_there_and_back(board):
    text = pbn_text([board, board])
    found = read_pbn(text)
    assert (found.boards, found.faults) == ((board, board), ())
    assert pbn_text(found) == text


@given(boards(auctions=False))
def test_pbn_without_auctions(board):
    assert read_pbn(pbn_text([board])).boards == (board,)


def for_lin(board):
    """What LIN can say: no tags but the room; of a number that is not known neither."""
    return replace(board, tags=tuple(tag for tag in board.tags if tag == Tag("Room", "Open")))


@given(boards())
def test_lin_there_and_back(board):
    board = for_lin(board)
    text = lin_text([board, board])
    found = read_lin(text)
    assert (found.boards, found.faults) == ((board, board), ())
    assert lin_text(found) == text


@given(boards(auctions=False))
def test_lin_finds_an_auction_for_a_contract(board):
    (found,) = read_lin(lin_text([board]))
    assert (found.contract, found.cards, found.tricks) == (board.contract, board.cards, board.tricks)


@given(boards(tags=False))
def test_links_there_and_back(board):
    assert read_link(lin_link(board)) == board
    assert read_link(hand_link(board)) == replace(board, comment="")
    assert boards_in(hand_link(board) + "\n" + lin_link(board)).faults == ()


# ---------------------------------------------------------------------- beside endplay


def a_record(rng, number):
    deal, dealer = Deal.random(rng), dealer_of_board(number)
    auction = Auction(dealer, some_auction(rng, dealer).calls)
    contract = auction.contract
    cards = some_cards(rng, deal, contract, rng.choice([0, 8, 24, 52])) if contract else ()
    tricks = rng.randint(0, 13) if contract and len(cards) < 52 else None
    return Board(deal, number, dealer, Vulnerability.of_board(number), auction, cards=cards, tricks=tricks)


def theirs(board):
    """A board of endplay's in our words."""
    contract = None
    if board.contract is not None and not board.contract.is_passout():
        made = board.contract
        doubled = "X" * (made.penalty.value.bit_length() - 1)
        contract = f"{made.level}{'SHDC'[made.denom] if made.denom < 4 else 'NT'}{doubled} by {'NESW'[made.declarer]}"
    cards = tuple(f"{'SHDC'[card.suit]}{card.rank.abbr}" for card in board.play)
    vulnerability = {"none": 0, "ns": 1, "ew": 2, "both": 3}[board.vul.name]
    return board.board_num, board.dealer.value, vulnerability, str(board.deal), contract, cards


def ours(board):
    cards = tuple(map(card_name, board.cards))
    contract = str(board.contract) if board.contract else None
    return board.number, board.dealer.value, board.vulnerability.value, str(board.deal), contract, cards


@pytest.mark.parametrize("form", ["pbn", "lin"])
def test_endplay_reads_what_we_write_and_we_what_endplay_writes(form):
    parser = oracle(f"endplay.parsers.{form}")
    rng = Random(20261008)
    for number in range(1, 41):
        board = a_record(rng, number)
        text = boards_text([board], form)
        (read,) = parser.loads(text)
        assert theirs(read) == ours(board)
        (back,) = boards_in(parser.dumps([read])).boards
        assert ours(back) == ours(board)
        assert [call_name(call) for call in back.auction.calls] == [call_name(call) for call in board.auction.calls]


def test_export_format_as_endplay_reads_it():
    parser = oracle("endplay.parsers.pbn")
    assert list(map(theirs, parser.loads(TEXTS["export.pbn"]))) == list(map(ours, sample("export.pbn")))


# ---------------------------------------------------------------------- broken at random


def assert_read_or_refused(text):
    """Boards, or an error of ours; anything else is a bug."""
    try:
        found = boards_in(text, "x")
    except InputError:
        return None
    for fault in found.faults:
        assert re.match(r"x, line \d+", str(fault))
    for form in ("pbn", "lin", "links"):
        boards_text(found, form)
    return found


@settings(max_examples=300, deadline=None)
@given(st.sampled_from(sorted(TEXTS)), SEEDS)
def test_every_line_cut(name, seed):
    rng = Random(seed)
    lines = TEXTS[name].split("\n")
    assert_read_or_refused("\n".join(line[: rng.randint(0, len(line))] for line in lines))


@settings(max_examples=500, deadline=None)
@given(st.sampled_from(sorted(TEXTS)), SEEDS)
def test_letters_lost_and_changed(name, seed):
    rng = Random(seed)
    text = TEXTS[name]
    for _ in range(rng.randint(1, 12)):
        place = rng.randrange(len(text))
        letter = rng.choice(["", chr(rng.randint(0, 255)), rng.choice('|[]{}"\\%;#-+*=^\n')])
        text = text[:place] + letter + text[place + 1 :]
    assert_read_or_refused(text)


@settings(max_examples=200, deadline=None)
@given(st.text(alphabet='[]"{}|#*-=+^ \nNESWmdbpcAKQJ.:1') | st.text())
@example('[Deal "N:- - - -"]')
def test_any_text(text):
    assert_read_or_refused(text)
    assert_read_or_refused('[Board "1"]\n' + text)
    assert_read_or_refused("md|" + text)
    assert_read_or_refused(VIEWER + "?" + text)


@pytest.mark.parametrize("name", ["export.pbn", "broken.pbn", "table.lin", "broken.lin"])
def test_one_fault_costs_one_board(name):
    """Cut every line, or take out a letter: boards that do not stand on it are served as before."""
    whole = boards_in(TEXTS[name])
    lines = TEXTS[name].split("\n")
    for place, line in enumerate(lines):
        for cut in range(place % 9, len(line), 9):
            for changed in (line[:cut], line[:cut] + line[cut + 1 :]):
                found = boards_in("\n".join([*lines[:place], changed, *lines[place + 1 :]]))
                assert len([board for board in whole if board not in found.boards]) <= 1, (place, cut, changed)


def test_contract_of_a_link_needs_an_auction():
    board = Board(sample("export.pbn").boards[0].deal, contract=Contract.read("4HX by W"))
    assert read_link(hand_link(board)).contract == board.contract


# ---------------------------------------------------------------------- one board of many


def board_or_error(text, number, wanted):
    """A board, or the words of the error in its place."""
    try:
        return boards_in(text, "a.pbn", wanted).board(number)
    except InputError as error:
        return str(error)


PARAGRAPHS = [part for name, text in TEXTS.items() if name.endswith(".pbn") for part in re.split(r"\r?\n\r?\n", text)]
NUMBERS = st.sampled_from((1, 2, 3, 5, 7, 9, 11, 21, 40))


@settings(max_examples=150, deadline=None)
@given(parts=st.lists(st.sampled_from(PARAGRAPHS), max_size=12), tags=st.lists(NUMBERS, max_size=4), number=NUMBERS)
@example(parts=[], tags=[3, 3], number=3)
def test_one_board_is_read_as_among_all(parts, tags, number):
    """Whatever stands around it: headings, broken games, values to inherit, the same number twice or not at all."""
    games = [f'[Board "{tag}"]\n[Deal "N:A{tag % 8 + 2}... K... Q... J..."]' for tag in tags]
    for text in ("\n\n".join([*parts, *games]), "\n".join([*games, *parts])):
        assert board_or_error(text, number, number) == board_or_error(text, number, None)


@pytest.mark.parametrize("value", [" 2 ", "02", "\\2", "2" * 5000, "two", "", "²"])
def test_a_number_that_is_written_oddly(value):
    text = f'[Board "{value}"]\n[Deal "N:A... K... Q... J..."]\n\n[Board "2"]\n[Deal "N:3... 4... 5... 6..."]\n'
    assert boards_in(text, number=2).board(2) == boards_in(text).board(2)


def test_the_others_are_not_read():
    text = pbn_text(Board(Deal.random(Random(number)), number=number) for number in range(1, 5))
    assert [board.number for board in boards_in(text, number=3)] == [3]
    broken = text.replace("[Deal ", "[Deal is ", 1)
    assert (len(boards_in(broken).faults), len(boards_in(broken, number=3).faults)) == (1, 0)


def test_values_for_all_games_are_bounded():
    """Every game gets all of them: ten thousand games with ten thousand values would be a hundred million."""
    games = "\n".join(
        f'[Board "{number}"]\n[T{number} "##x"]\n[Deal "N:A2... K3... Q4... J5..."]\n' for number in range(150)
    )
    found = boards_in(games)
    assert len(found) == 100
    assert "expected at most 100 tags with values for all games, found more" in str(found.faults[0])


# ---------------------------------------------------------------------- what writers leave out or muddle

TWO_TABLES = """[Board "5"]
[Dealer "N"]
[Vulnerable "NS"]
[Deal "N:AQ2... K43... J65... T98..."]
[Declarer "S"]
[Contract "1NT"]
[Auction "N"]
1NT X AP
[Play "W"]
S5 ST SQ SK
SJ S4 S9 SA
*

[Declarer "W"]
[Contract "1C"]
[Auction "N"]
1C AP
"""


def test_a_record_without_a_deal_is_the_other_table():
    one, other = boards_in(TWO_TABLES)
    assert (other.deal, other.number, other.dealer, other.vulnerability) == (
        one.deal,
        5,
        Seat.NORTH,
        Vulnerability.NORTH_SOUTH,
    )
    assert [str(board.contract) for board in (one, other)] == ["1NTX by S", "1C by W"]


def test_opening_passes_and_doubles_are_put_back():
    one, other = boards_in(TWO_TABLES)
    assert str(one.auction) == "N: Pass Pass 1NT X Pass Pass Pass"
    assert str(other.auction) == "N: Pass Pass Pass 1C Pass Pass Pass"


def test_cards_of_a_trick_may_stand_in_any_order():
    one, _ = boards_in(TWO_TABLES)
    assert [card_name(card) for card in one.cards] == ["ST", "SQ", "SK", "S5", "S4", "SJ", "S9", "SA"]


def test_strict_reading_refuses_all_three():
    found = boards_in(TWO_TABLES, strict=True)
    assert (len(found), len(found.faults)) == (0, 2)


def test_another_board_without_a_deal_is_not_the_other_table():
    found = boards_in(TWO_TABLES.replace('[Declarer "W"]', '[Board "6"]\n[Declarer "W"]'))
    assert [str(fault) for fault in found.faults] == ['line 14, board 6: expected a tag [Deal "N:..."], found none']


@settings(max_examples=100, deadline=None)
@given(boards(), SEEDS)
def test_muddled_records_are_read_as_the_board_was(board, seed):
    """Leave out opening passes and shuffle every trick: there is one board that fits."""
    assume(board.auction is not None and board.auction.over and board.contract == board.auction.contract)
    assume(board.deal.complete and not board.passed_out)
    rng = Random(seed)
    lines = pbn_text([replace(board, auction=replace(board.auction, alerts=()))]).split("\n")
    start = next((place for place, line in enumerate(lines) if line.startswith("[Play")), len(lines))
    muddled = [" ".join(rng.sample(words := line.split(), len(words))) for line in lines[start + 1 :]]
    text = "\n".join([*lines[: start + 1], *muddled])
    passes = re.search(r'(\[Auction "."\]\n)((?:Pass\s+){0,3})(?=[1-7])', text)
    text = text.replace(passes[0], passes[1], 1) if rng.random() < 0.5 else text
    (found,) = boards_in(text)
    assert (found.auction.calls, found.cards) == (board.auction.calls, board.cards)


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ('[Event Random]\n[Board "1"]', ("Event", "Random")),
        ('[Board "1"]\n[Event  "quoted"]', ("Event", "quoted")),
    ],
)
def test_tags_without_quotes(written, read):
    (board,) = boards_in(written + '\n[Deal "N:A2... K3... Q4... J5..."]')
    assert board.tag(read[0]) == read[1]


def test_a_starred_call_is_an_alert():
    (board,) = boards_in(GOOD + '[Auction "S"]\n1C* Pass 1NT AP\n')
    assert (board.auction.explanation(0), str(board.contract)) == ("", "1NT by N")


def test_the_opening_leader_tells_who_declares():
    (board,) = boards_in(GOOD + '[Contract "3NT"]\n[Play "W"]\nSJ S3 S2 SQ\n')
    assert str(board.contract) == "3NT by S"


@pytest.mark.parametrize(
    ("result", "tricks"), [("9", 9), ("^9", 9), ("NS 9", 9), ("EW 4", 9), ("NS 9 EW 4", 9), ("EW 4 NS 9", 9)]
)
def test_results_that_name_a_side(result, tricks):
    (board,) = boards_in(GOOD + f'[Declarer "S"]\n[Contract "3NT"]\n[Result "{result}"]\n')
    assert board.tricks == tricks


def test_auctions_of_pbn_1_begin_in_one_column():
    (board,) = boards_in(GOOD.replace('"S"]', '"N"]') + '[Auction "W"]\n- 1C Pass 1NT\nAP\n')
    assert str(board.auction) == "N: 1C Pass 1NT Pass Pass Pass"


def test_a_list_of_dds():
    deal = "S:KQ.AQT.KQT96.A32 AJT.K8732.J85.65 963.94.732.KJT98 87542.J65.A4.Q74"
    table = " ".join(["9"] * 20)
    found = boards_in(
        f'NUMBER 2 \nPBN 2 3 0 0 "{deal}" \nTABLE {table} \nPAR "NS 400" "EW -400" \nPBN 0 0 0 0 "N:AA"\n'
    )
    (board,) = found
    assert (board.number, board.dealer, board.vulnerability) == (1, Seat.SOUTH, Vulnerability.EAST_WEST)
    assert board.tag("OptimumScore") == "NS 400"
    assert str(found.faults[0]).startswith("line 5, board 2: expected a deal such as")


def test_a_vugraph_heading_has_results():
    heading = "vg|Final,1,I,17,18,Elms,0,Oaks,0|\nrs|2HXN-2,3NTE=,PASS,6DW+1|\npn|,,,|pg||\n"
    hands = "md|3SQ975HT62DJ62CJT2,SJT8HQ7D954CKQ765,S2HA98543DQT73C98|sv|o|"
    found = boards_in(f"{heading}qx|o17|{hands}\nqx|c17|{hands}\nqx|o18|{hands}\nqx|c18|{hands}\n")
    told = [(str(board.contract), board.tricks) for board in found]
    assert told == [("2HX by N", 6), ("3NT by E", 9), ("None", None), ("6D by W", 13)]


@pytest.mark.parametrize("name", ["myhand", "linurl"])
def test_a_hand_that_is_kept_elsewhere(name):
    with pytest.raises(InputError, match=f"found {name}=, which only says where the hand is kept"):
        read_link(f"{VIEWER}?{name}=M-1-2")
