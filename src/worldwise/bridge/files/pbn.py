"""Portable Bridge Notation 2.1: boards from its import format, and its export format from boards.

A game is tags, ``[Dealer "N"]``, and sections of words that follow ``Auction``, ``Play`` and the tags of tables. In the
play section a column is a player and a row a trick, whoever led to it. What has no field in a board is kept as a
``Tag``; commentary in braces is kept in one piece; marks that judge a call (``!?``, ``$1``) are left out.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from worldwise.bridge.files.leniency import SetAside, read_play, settle_auction
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
    agree_contract,
    check_hands,
    dealer_of_board,
    players_of,
)
from worldwise.bridge.rules.contract import Contract, Vulnerability
from worldwise.bridge.rules.deal import SEATS, Deal, Seat, card_name, read_card
from worldwise.bridge.rules.play import winning_place
from worldwise.errors import InputError, PlacedError, say_where

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from worldwise.bridge.files.leniency import PlacedCard
    from worldwise.bridge.rules.auction import Call
    from worldwise.bridge.rules.board import Names
    from worldwise.bridge.rules.deal import Card

_UNKNOWN = ("", "?", "-")
_ALERT = "alert"
"""What the note of an alert says that nobody explained: the standard knows explanations only."""


def read_pbn(text: str, name: str = "", number: int | None = None, *, strict: bool = False) -> BoardFile:
    """The boards of a text; ``name`` is the file's, for errors. If a ``number`` is given, one board of it will do.

    What cannot be read of a board is set aside with a warning; if ``strict``, that costs the board.

    >>> found = read_pbn('[Board "1"]\\n[Deal "N:A2... K3... Q4... J5..."]\\n\\n[Board "2"]\\n[Deal "N:AA... ..."]')
    >>> [board.number for board in found], str(found.faults[0])
    ([1], "line 5, board 2: expected a deal such as 'N:AK2.QJ4.T98.7654 ...' with four hands, found 'N:AA... ...'")
    """
    if number is not None and (found := _find_board(text, name, number, strict)):
        return found
    boards: list[Board] = []
    faults: list[PlacedError] = []
    warnings: list[PlacedError] = []
    inherited: dict[str, str] = {}
    lasting: dict[str, str] = {}
    before: Told | None = None
    for game in games_in(text):
        aside = SetAside(strict)
        try:
            told = take_apart(game, name, aside).inherit(inherited, lasting)
            told = told if strict else told.as_other_table(before)
            before = told if "Deal" in told.values else None
            boards += [_board(told, aside)] if told.is_board else []
            warnings += aside.warnings
        except PlacedError as fault:
            faults.append(aside.warnings[0] if aside.warnings else fault)
    return BoardFile(tuple(boards), tuple(faults), tuple(warnings))


_INHERITS = re.compile(r'"[\s\\]*#')
"""A value that is taken from the game before, or meant for those that follow."""


def _find_board(text: str, name: str, number: int, strict: bool) -> BoardFile | None:
    """The first board of a number, the others unread; None if only reading all of them can tell.

    That is so if a value may come from another game, if there is no such board, and if the first one is broken: then
    another of that number counts, or the error that reading everything gives.
    """
    if _INHERITS.search(text):
        return None
    for game in games_in(text):
        if not game.may_have_number(number):
            continue
        aside = SetAside(strict)
        try:
            told = take_apart(game, name, aside)
            board = _board(told, aside) if told.is_board else None
        except PlacedError:
            return None
        if board is not None and board.number == number:
            return BoardFile((board,), (), tuple(aside.warnings))
    return None


# ---------------------------------------------------------------------- from tags to a board


def _board(told: Told, aside: SetAside) -> Board:
    """The board that a game tells of."""
    number = int(told["Board"]) if PLAIN_NUMBER.fullmatch(told["Board"]) else None
    deal = _deal(told)
    dealer = dealer_of_board(number) if number is not None else Seat.NORTH
    with aside.part():
        dealer = _dealer(told, dealer)
    auction, contract = _bidding(told, dealer, aside)
    vulnerability = Vulnerability.NONE
    with aside.part():
        vulnerability = _vulnerability(told, number)
    cards = [] if contract is None and aside.warnings else _cards(told, deal, contract, aside)
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
    with aside.part(told.at("Result")), say_where(told.at("Result")):
        return replace(board, tricks=board.tricks if (tricks := _tricks(told, contract)) is None else tricks)
    return board


def _bidding(told: Told, dealer: Seat, aside: SetAside) -> tuple[Auction | None, Contract | None]:
    """The auction and the contract; of two that do not agree the contract counts, which the play shows to be right."""
    auction: Auction | None = None
    with aside.part():
        auction = _auction(told, dealer)
    contract = auction.contract if auction is not None and auction.over else None
    with aside.part():
        contract = _contract(told, auction)
    irregular = told["Declarer"].startswith("^")
    if auction is not None and contract is not None and not (irregular or aside.strict):
        auction, contract = settle_auction(auction, contract)
    with aside.part(), say_where(told.at("Contract")):
        agree_contract(dealer, auction, contract)
        if auction is None and told["Contract"].upper() == "PASS":
            return Auction(dealer).all_pass(), None
        return auction, contract
    return None, contract


def _deal(told: Told) -> Deal:
    with say_where(told.at("Deal")):
        if told["Deal"] in _UNKNOWN:
            raise InputError('expected a tag [Deal "N:..."], found none')
        deal = Deal.read(told["Deal"])
        check_hands(deal)
        return deal


def _dealer(told: Told, otherwise: Seat) -> Seat:
    """As told, or as the auction begins, or as the board's number says."""
    for name in ("Dealer", "Auction"):
        if told[name] not in _UNKNOWN:
            with say_where(told.at(name)):
                return Seat.of(told[name].lstrip("^"))
    return otherwise


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
    with say_where(told.at("Vulnerable")):
        if word not in _VULNERABLE:
            raise InputError(f"expected None, NS, EW or All vulnerable, found {told['Vulnerable']!r}")
        return _VULNERABLE[word]


def _contract(told: Told, auction: Auction | None) -> Contract | None:
    """The contract that is told; the auction says who plays it if nothing else does."""
    word = told["Contract"].upper()
    called = auction.contract if auction is not None and auction.over else None
    if word in (*_UNKNOWN, "PASS"):
        return called
    with say_where(told.at("Contract")):
        by = told["Declarer"].lstrip("^")
        return Contract.read(word, Seat.of(by) if by not in _UNKNOWN else _declarer(told, called))


def _declarer(told: Told, called: Contract | None) -> Seat | None:
    """Who plays the contract, if no tag says so: as the auction went, or whoever sits before the opening leader."""
    leader = told["Play"].lstrip("^")
    if called is not None:
        return called.declarer
    return Seat.of(leader).after(3) if leader not in _UNKNOWN else None


def _tricks(told: Told, contract: Contract | None) -> int | None:
    """Declarer's tricks; some writers name a side, "NS 9 EW 4"."""
    word = told["Result"].lstrip("^").strip()
    if word in _UNKNOWN:
        return None
    sides = {side.upper(): int(tricks) for side, tricks in _SIDE_TRICKS.findall(word)}
    if sides and contract is not None:
        ours, theirs = ("EW", "NS") if contract.declarer & 1 else ("NS", "EW")
        return sides[ours] if ours in sides else 13 - sides[theirs]
    if not re.fullmatch(r"[0-9]{1,2}", word):
        raise InputError(f"expected declarer's tricks from 0 to 13, found {word!r}")
    return int(word)


_SIDE_TRICKS = re.compile(r"(?i)\b(NS|EW)\s{0,9}([0-9]{1,2})\b")


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
    with say_where(told.at("Auction")):
        begins = Seat.of(first) if first not in (*_UNKNOWN, "#") else dealer
    calls = CallRecorder(begins.after(_empty_columns(section)))
    try:
        return _add_calls(calls, section)
    except PlacedError:
        if any(word.text.startswith("^") for word in _pieces(section.words)):
            return None
        raise


def _empty_columns(section: Section) -> int:
    """How many dashes stand before the first call: PBN 1.0 begins every auction in the same column."""
    return next((place for place, word in enumerate(section.words) if word.text != "-"), 0)


def _add_calls(calls: CallRecorder, section: Section) -> Auction | None:
    """An auction with the calls of a section."""
    for word in _pieces(section.words):
        if word.text in ("*", "+"):
            break
        with say_where(word.place):
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
        calls.take(read_call(word.removesuffix("*")))
        if word.endswith("*"):
            calls.alert("")


# ---------------------------------------------------------------------- play


def _cards(told: Told, deal: Deal, contract: Contract | None, aside: SetAside) -> list[PlacedCard]:
    """The cards in the order they were played, each with its place."""
    words = list(_played_words(told.section("Play")))
    if not words:
        return []
    with aside.part():
        if contract is None:
            raise PlacedError("expected a contract before the play, found none", told.at("Play"))
        written = _in_order(words, _first_column(told, contract), contract)
        return read_play(deal, contract, written, _rows_of_cards(words), aside)
    return []


def _first_column(told: Told, contract: Contract) -> Seat:
    first = told["Play"].lstrip("^")
    with say_where(told.at("Play")):
        return Seat.of(first) if first not in _UNKNOWN else contract.leader


def _rows_of_cards(words: list[Word]) -> list[list[PlacedCard]]:
    """The cards of each row, as they stand."""
    return [
        [(_read_placed(word), word.place) for word in words[start : start + 4] if word.text != "-"]
        for start in range(0, len(words), 4)
    ]


def _read_placed(word: Word) -> Card:
    with say_where(word.place):
        return read_card(word.text)


def _played_words(section: Section) -> Iterator[Word]:
    """Names of cards, and dashes for cards that were not played; up to the end or to a revoke the record owns to."""
    for word in _pieces(section.words):
        if word.text in ("*", "+", "^R"):
            return
        if word.text[0] not in "=$^!?":
            yield word


def _in_order(words: list[Word], column: Seat, contract: Contract) -> Iterator[PlacedCard]:
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


def _trick(row: Mapping[Seat, Word], leader: Seat) -> Iterator[PlacedCard]:
    """A row in the order of play, up to the first card that was not played."""
    played = [row.get(leader.after(step), Word("-", "")) for step in range(4)]
    count = next((step for step, word in enumerate(played) if word.text == "-"), 4)
    for step, word in enumerate(played):
        if step > count and word.text != "-":
            seat = leader.after(count)
            raise PlacedError(f"expected a card of {seat}'s before {word.text!r}, found none", word.place)
        if step < count:
            yield _read_placed(word), word.place


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
        "Declarer": _declarer_text(board),
        "Contract": contract.bid if contract else "Pass" if board.passed_out else "?",
        "Result": "" if board.passed_out else "?" if board.tricks is None else str(board.tricks),
    }
    return {name: known.get(name, board.tag(name)) for name in IDENTIFICATION}


def _declarer_text(board: Board) -> str:
    """Declarer, with the mark of an irregularity if the auction would have made his partner play."""
    if board.contract is None:
        return ""
    called = board.auction.contract if board.auction is not None and board.auction.over else None
    irregular = called is not None and called.declarer != board.contract.declarer
    return "^" * irregular + board.contract.declarer.letter


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
