"""Portable Bridge Notation 2.1: boards from its import format, and its export format from boards.

A game is tags, ``[Dealer "N"]``, and sections of words that follow ``Auction``, ``Play`` and the tags of tables. In the
play section a column is a player and a row a trick, whoever led to it. What has no field in a board is kept as a
``Tag``; commentary in braces is kept in one piece; marks that judge a call (``!?``, ``$1``) are left out.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from worldwise.bridge.files.pbn_tokens import (
    FIELDS,
    IDENTIFICATION,
    PLAIN_NUMBER,
    Section,
    Told,
    Word,
    games_in,
    take_apart,
)
from worldwise.bridge.rules.auction import Auction, CallRecorder, call_name, read_call
from worldwise.bridge.rules.board import (
    Board,
    BoardFile,
    Tag,
    check_hands,
    check_play,
    dealer_of_board,
    players_of,
)
from worldwise.bridge.rules.contract import Contract, Vulnerability
from worldwise.bridge.rules.deal import SEATS, Deal, Seat, card_name, read_card
from worldwise.bridge.rules.play import winning_place
from worldwise.errors import InputError, PlacedError, placed

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from worldwise.bridge.rules.auction import Call
    from worldwise.bridge.rules.board import Names
    from worldwise.bridge.rules.deal import Card

_UNKNOWN = ("", "?", "-")
_ALERT = "alert"
"""What the note of an alert says that nobody explained: the standard knows explanations only."""


def read_pbn(text: str, name: str = "", number: int | None = None) -> BoardFile:
    """The boards of a text; ``name`` is the file's, for errors. If a ``number`` is given, one board of it will do.

    >>> found = read_pbn('[Board "1"]\\n[Deal "N:A2... K3... Q4... J5..."]\\n\\n[Board "2"]\\n[Deal "N:AA... ..."]')
    >>> [board.number for board in found], str(found.faults[0])
    ([1], "line 5, board 2: expected a deal such as 'N:AK2.QJ4.T98.7654 ...' with four hands, found 'N:AA... ...'")
    """
    if number is not None and (board := _find_board(text, name, number)):
        return BoardFile((board,))
    boards: list[Board] = []
    faults: list[PlacedError] = []
    inherited: dict[str, str] = {}
    lasting: dict[str, str] = {}
    for game in games_in(text):
        try:
            told = take_apart(game, name).inherit(inherited, lasting)
            boards += [_board(told)] if told.is_board else []
        except PlacedError as fault:
            faults.append(fault)
    return BoardFile(tuple(boards), tuple(faults))


_INHERITS = re.compile(r'"[\s\\]*#')
"""A value that is taken from the game before, or meant for those that follow."""


def _find_board(text: str, name: str, number: int) -> Board | None:
    """The first board of a number, the others unread; None if only reading all of them can tell.

    That is so if a value may come from another game, if there is no such board, and if the first one is broken: then
    another of that number counts, or the error that reading everything gives.
    """
    if _INHERITS.search(text):
        return None
    for game in games_in(text):
        if not game.may_have_number(number):
            continue
        try:
            told = take_apart(game, name)
            board = _board(told) if told.is_board else None
        except PlacedError:
            return None
        if board is not None and board.number == number:
            return board
    return None


# ---------------------------------------------------------------------- from tags to a board


def _board(told: Told) -> Board:
    """The board that a game tells of."""
    number = int(told["Board"]) if PLAIN_NUMBER.fullmatch(told["Board"]) else None
    deal = _deal(told)
    dealer = _dealer(told, number)
    auction = _auction(told, dealer)
    contract = _contract(told, auction)
    if auction is None and told["Contract"].upper() == "PASS":
        auction = Auction(dealer).all_pass()
    cards = _cards(told, deal, contract)
    vulnerability = _vulnerability(told, number)
    with placed(told.at("Contract")):
        board = Board(
            deal,
            number,
            dealer,
            vulnerability,
            auction,
            contract,
            tuple(card for card, _ in cards),
            names=_names(told),
            tags=tuple(_other_tags(told)),
            comment="\n".join(told.comments + _play_notes(told)),
        )
    with placed(told.at("Result")):
        tricks = _tricks(told)
        return board if tricks is None else replace(board, tricks=tricks)


def _deal(told: Told) -> Deal:
    with placed(told.at("Deal")):
        if told["Deal"] in _UNKNOWN:
            raise InputError('expected a tag [Deal "N:..."], found none')
        deal = Deal.read(told["Deal"])
        check_hands(deal)
        return deal


def _dealer(told: Told, number: int | None) -> Seat:
    """As told, or as the auction begins, or as the board's number says."""
    for name in ("Dealer", "Auction"):
        if told[name] not in _UNKNOWN:
            with placed(told.at(name)):
                return Seat.of(told[name].lstrip("^"))
    return dealer_of_board(number) if number is not None else Seat.NORTH


_VULNERABLE = {
    **dict.fromkeys(("NONE", "LOVE", "NIL", "O", "0", "-"), Vulnerability.NONE),
    **dict.fromkeys(("NS", "N-S", "N"), Vulnerability.NORTH_SOUTH),
    **dict.fromkeys(("EW", "E-W", "E"), Vulnerability.EAST_WEST),
    **dict.fromkeys(("ALL", "BOTH", "B"), Vulnerability.BOTH),
}


def _vulnerability(told: Told, number: int | None) -> Vulnerability:
    word = told["Vulnerable"].upper()
    if word in ("", "?"):
        return Vulnerability.of_board(number) if number is not None else Vulnerability.NONE
    with placed(told.at("Vulnerable")):
        if word not in _VULNERABLE:
            raise InputError(f"expected None, NS, EW or All vulnerable, found {told['Vulnerable']!r}")
        return _VULNERABLE[word]


def _contract(told: Told, auction: Auction | None) -> Contract | None:
    """The contract that is told; the auction says who plays it if nothing else does."""
    word = told["Contract"].upper()
    called = auction.contract if auction is not None and auction.over else None
    if word in (*_UNKNOWN, "PASS"):
        return called
    with placed(told.at("Contract")):
        by = told["Declarer"].lstrip("^")
        declarer = Seat.of(by) if by not in _UNKNOWN else called.declarer if called else None
        return Contract.read(word, declarer)


def _tricks(told: Told) -> int | None:
    word = told["Result"].lstrip("^")
    if word in _UNKNOWN:
        return None
    if not re.fullmatch(r"[0-9]{1,2}", word):
        raise InputError(f"expected declarer's tricks from 0 to 13, found {word!r}")
    return int(word)


def _names(told: Told) -> Names:
    north, east, south, west = ("" if told[str(seat)] == "?" else told[str(seat)] for seat in SEATS)
    return (north, east, south, west)


def _other_tags(told: Told) -> Iterator[Tag]:
    """What a board has no field for; a board's number that is no number, too."""
    for name, value in told.values.items():
        rows = tuple(_rows(told.section(name).words))
        odd_number = name == "Board" and not PLAIN_NUMBER.fullmatch(value.text)
        if (name not in FIELDS or odd_number) and (rows or value.text not in ("", "?")):
            yield Tag(name, value.text, rows)


def _rows(words: Iterable[Word]) -> list[str]:
    """Words joined again, line by line."""
    lines: dict[str, list[str]] = {}
    for word in words:
        lines.setdefault(word.place, []).append(word.text)
    return [" ".join(line) for line in lines.values()]


def _play_notes(told: Told) -> list[str]:
    """Notes to cards are kept as commentary: a board has no place for them."""
    notes: Mapping[str, str] = told.section("Play").notes
    return [f"Play, note {number}: {note}" for number, note in notes.items()]


# ---------------------------------------------------------------------- auction

_PIECE = re.compile(r"=(\d+)=|\$\d+|\^[A-Za-z]|[!?]+|[^=$^!?]+|.")


def _pieces(words: Iterable[Word]) -> Iterator[Word]:
    """Words without the marks that may stick to them, which come on their own."""
    for word in words:
        yield from (Word(piece[0], word.place) for piece in _PIECE.finditer(word.text))


def _auction(told: Told, dealer: Seat) -> Auction | None:
    """The auction; one that the record itself calls irregular and the rules cannot follow is left out."""
    if "Auction" not in told.values:
        return None
    section = told.section("Auction")
    first = told["Auction"].lstrip("^")
    with placed(told.at("Auction")):
        calls = CallRecorder(Seat.of(first) if first not in (*_UNKNOWN, "#") else dealer)
    try:
        return _add_calls(calls, section)
    except PlacedError:
        if any(word.text.startswith("^") for word in _pieces(section.words)):
            return None
        raise


def _add_calls(calls: CallRecorder, section: Section) -> Auction | None:
    """An auction with the calls of a section."""
    for word in _pieces(section.words):
        if word.text in ("*", "+"):
            break
        with placed(word.place):
            _take_word(calls, word.text, section.notes)
    return calls.auction or (Auction(calls.dealer) if section.words else None)


def _take_word(calls: CallRecorder, word: str, notes: Mapping[str, str]) -> None:
    if word[0] in "$^!?" or word == "-":
        return
    if word[0] == "=":
        note = notes.get(word.strip("="), "")
        calls.alert("" if note == _ALERT else note)
    elif word.upper() == "AP":
        calls.take_all_passes()
    else:
        calls.take(read_call(word))


# ---------------------------------------------------------------------- play


def _cards(told: Told, deal: Deal, contract: Contract | None) -> list[tuple[Card, str]]:
    """The cards in the order they were played, each with its place."""
    if "Play" not in told.values or not any(_played_words(told.section("Play"))):
        return []
    if contract is None:
        raise PlacedError("expected a contract before the play, found none", told.at("Play"))
    first = told["Play"].lstrip("^")
    with placed(told.at("Play")):
        column = Seat.of(first) if first not in _UNKNOWN else contract.leader
    words = list(_played_words(told.section("Play")))
    cards = list(_in_order(words, column, contract))
    check_play(deal, contract, [card for card, _ in cards], [place for _, place in cards])
    return cards


def _played_words(section: Section) -> Iterator[Word]:
    """Names of cards, and dashes for cards that were not played; up to the end or to a revoke the record owns to."""
    for word in _pieces(section.words):
        if word.text in ("*", "+", "^R"):
            return
        if word.text[0] not in "=$^!?":
            yield word


def _in_order(words: list[Word], column: Seat, contract: Contract) -> Iterator[tuple[Card, str]]:
    """Tricks are written with the same player first, whoever led: turn them round."""
    leader = contract.leader
    for start in range(0, len(words), 4):
        row = {column.after(place): word for place, word in enumerate(words[start : start + 4])}
        trick = list(_trick(row, leader))
        yield from trick
        if len(trick) < 4:
            _expect_no_more(words[start + 4 :])
            return
        leader = leader.after(winning_place([card for card, _ in trick], contract.strain))


def _trick(row: Mapping[Seat, Word], leader: Seat) -> Iterator[tuple[Card, str]]:
    """A row in the order of play, up to the first card that was not played."""
    played = [row.get(leader.after(step), Word("-", "")) for step in range(4)]
    count = next((step for step, word in enumerate(played) if word.text == "-"), 4)
    for step, word in enumerate(played):
        if step > count and word.text != "-":
            seat = leader.after(count)
            raise PlacedError(f"expected a card of {seat}'s before {word.text!r}, found none", word.place)
        if step < count:
            with placed(word.place):
                yield read_card(word.text), word.place


def _expect_no_more(words: list[Word]) -> None:
    later = next((word for word in words if word.text != "-"), None)
    if later is not None:
        raise PlacedError(f"expected no card after a trick that was not finished, found {later.text!r}", later.place)


# ---------------------------------------------------------------------- writing


def pbn_text(boards: Iterable[Board]) -> str:
    """Boards in the export format.

    >>> board = Board(Deal.read("N:A2... K3... Q4... J5..."), number=1, contract=Contract.read("1NT by S"))
    >>> read_pbn(pbn_text([board])).boards == (board,)
    True
    """
    return "\n".join(["% PBN 2.1\n% EXPORT\n", *("\n".join(_game_lines(board)) + "\n" for board in boards)])


def _game_lines(board: Board) -> Iterator[str]:
    for name, value in _identification(board).items():
        yield _tag(name, value)
    if board.comment:
        yield "{" + board.comment.replace("}", ")") + "}"
    for tag in board.tags:
        if tag.name not in IDENTIFICATION:
            yield _tag(tag.name, tag.value)
            yield from tag.rows
    if board.auction is not None:
        yield from _auction_lines(board.auction)
    if board.cards:
        yield from _play_lines(board)


def _identification(board: Board) -> dict[str, str]:
    """The values of the fifteen tags."""
    names = {str(seat): name for seat, name in zip(SEATS, board.names, strict=True)}
    contract = board.contract
    known = names | {
        "Board": board.tag("Board") if board.number is None else str(board.number),
        "Dealer": board.dealer.letter,
        "Vulnerable": ("None", "NS", "EW", "All")[board.vulnerability],
        "Deal": board.deal.as_pbn(board.dealer),
        "Declarer": contract.declarer.letter if contract else "",
        "Contract": contract.bid if contract else "Pass" if board.passed_out else "?",
        "Result": "" if board.passed_out else "?" if board.tricks is None else str(board.tricks),
    }
    return {name: known.get(name, board.tag(name)) for name in IDENTIFICATION}


def _tag(name: str, value: str) -> str:
    text = " ".join(value.split()).replace("\\", "\\\\").replace('"', '\\"')
    return f'[{name} "{text}"]'


def _auction_lines(auction: Auction) -> Iterator[str]:
    """Four calls a line, notes below; an auction that goes on ends in a plus."""
    yield _tag("Auction", auction.dealer.letter)
    words = [_call_word(auction, place, call) for place, call in enumerate(auction.calls)]
    words += [] if auction.over else ["+"]
    yield from (" ".join(words[start : start + 4]) for start in range(0, len(words), 4))
    for number, alert in enumerate(auction.alerts, 1):
        yield _tag("Note", f"{number}:{alert.text or _ALERT}")


def _call_word(auction: Auction, place: int, call: Call) -> str:
    number = next((number for number, alert in enumerate(auction.alerts, 1) if alert.place == place), None)
    return call_name(call) + (f" ={number}=" if number else "")


def _play_lines(board: Board) -> Iterator[str]:
    """A trick a line, the opening leader's card always first."""
    contract = board.play.contract
    yield _tag("Play", contract.leader.letter)
    players = list(players_of(contract, board.cards))
    for start in range(0, len(board.cards), 4):
        row = dict(zip(players[start : start + 4], map(card_name, board.cards[start : start + 4]), strict=True))
        yield " ".join(row.get(contract.leader.after(step), "-") for step in range(4))
    if not board.play.position.over:
        yield "+" if board.tricks is None else "*"
