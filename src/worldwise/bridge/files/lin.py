"""LIN, the notation of Bridge Base Online, read; ``lin_writer.py`` writes it.

A text is commands of two letters with a value each, ``mb|1N|pc|SA|``, in the order things happened. Hands stand in the
order South, West, North, East after the dealer's digit; the last may be left out. Vugraph files hold many boards, each
begun by ``qx|o1|`` (open room) or ``qx|c1|`` (closed), and the players of both rooms once at the top. Commands about
pages and pictures are passed over.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from worldwise.bridge.files.leniency import SetAside, read_play
from worldwise.bridge.rules.auction import CallRecorder, read_call
from worldwise.bridge.rules.board import NOBODY, Board, BoardFile, Tag, check_hands, dealer_of_board
from worldwise.bridge.rules.cards import RANKS
from worldwise.bridge.rules.contract import Contract, Vulnerability
from worldwise.bridge.rules.deal import PACK, SUITS, Deal, Seat, card_name, read_card, read_hand
from worldwise.errors import InputError, PlacedError, say_where

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from worldwise.bridge.files.leniency import PlacedCard
    from worldwise.bridge.rules.auction import Auction
    from worldwise.bridge.rules.board import Names
    from worldwise.bridge.rules.deal import Card, Cards

LIN_SEATS = (Seat.SOUTH, Seat.WEST, Seat.NORTH, Seat.EAST)
"""The order of hands and players; a dealer's digit counts along it from 1."""

ROOMS = {"o": "Open", "c": "Closed"}
"""What a room's letter stands for."""

_RESULT = re.compile(r"([1-7](?:NT?|[SHDC])(?:XX?|R)?[NESW])(=|[+-][0-9]{1,2})", re.IGNORECASE)
"""A table's result in a vugraph's heading: 2HXN-2, 6DW=."""


def read_lin(text: str, name: str = "", *, strict: bool = False) -> BoardFile:
    """The boards of a text; ``name`` is the file's, for errors.

    What cannot be read of a board is set aside with a warning; if ``strict``, that costs the board.

    >>> found = read_lin("md|1SAHKDQCJ,SKHQDJCA,SQHJDACK|ah|Board 3|sv|o|mb|1S|mb|p|mb|p|mb|p|pc|sk|")
    >>> board = found.board(3)
    >>> str(board.deal), str(board.contract), board.play.turn
    ('N:Q.J.A.K - A.K.Q.J K.Q.J.A', '1S by S', Seat.SOUTH)
    """
    heading = _Heading()
    boards: list[Board] = []
    faults: list[PlacedError] = []
    warnings: list[PlacedError] = []
    for piece in _pieces(_commands(text, name)):
        aside = SetAside(strict)
        try:
            if piece.is_board:
                boards.append(_board(piece, heading, aside))
            else:
                heading.take(piece)
            warnings += aside.warnings
        except PlacedError as fault:
            faults.append(aside.warnings[0] if aside.warnings else fault)
    return BoardFile(tuple(boards), tuple(faults), tuple(warnings))


# ---------------------------------------------------------------------- commands, pieces


@dataclass(frozen=True)
class _Command:
    """Two letters and a value; a name that is empty is something else that was found between commands."""

    name: str
    value: str
    place: str
    line: int


_NAME = r"(?:[A-Za-z]{2}|[0-9][bB])"
# What begins the next board, after the last of some line ends. It is looked for after each of them, so it may not look
# beyond the next; and whatever is repeated is possessive: nothing is tried twice.
_NEXT_BOARD = r"[^\S\n]*+(?:pn|qx|md|PN|QX|MD)\s*+\|"
_COMMAND = re.compile(
    # A value that is not closed ends before the next board.
    rf"({_NAME})\s*+\|([^|\n]*+(?:\n(?!{_NEXT_BOARD})[^|\n]*+)*+)(\||\Z|)"
    rf"|([^\s|](?:(?!{_NAME}\s*+\|)[^\n])*+)"
)
_NAMES = ("md", "mb", "pc", "pg", "mc", "an", "sv", "ah", "rh", "qx", "pn")
"""Commands that are never values; ``st`` is, the ten of spades."""
_TELLING = ("qx", "pn", "st", "md", "mb", "an", "pc", "mc")
"""Commands that tell which board they belong to."""


def _commands(text: str, name: str) -> Iterator[_Command]:
    line, counted = 1, 0
    for found in _COMMAND.finditer(text):
        line, counted = line + text.count("\n", counted, found.start()), found.start()
        place = ", ".join(filter(None, (name, f"line {line}")))
        closed = found[3] == "|" or (found.end() == len(text) and found[1] not in ("md", "MD"))
        if found[1] and closed:
            yield _Command(found[1].lower(), found[2].strip(), place, line)
        else:
            yield _Command("", found[0].strip(), place, line)


@dataclass
class _Piece:
    """The commands of one board, or those above the first."""

    commands: list[_Command] = field(default_factory=list)

    def values(self, name: str) -> list[str]:
        """What a command says, every time."""
        return [command.value for command in self.commands if command.name == name]

    def first(self, name: str) -> _Command | None:
        return next((command for command in self.commands if command.name == name), None)

    def has(self, *names: str) -> bool:
        return any(command.name in names for command in self.commands)

    @property
    def is_board(self) -> bool:
        """Whether there is more than a heading."""
        return self.has("md", "mb", "pc", "qx")

    def ends_before(self, command: _Command) -> bool:
        """Whether a command begins the next board."""
        if command.name == "qx":
            return bool(self.commands)
        if command.name == "md":
            return self.has("md")
        return command.name in ("pn", "st") and self.has(command.name, "mb", "pc", "mc")


def _pieces(commands: Iterable[_Command]) -> Iterator[_Piece]:
    """The boards; what is no command belongs to the board it stands in, or stands alone on a line between two."""
    piece, strange = _Piece(), _Piece()
    for command in commands:
        if not command.name or (strange.commands and command.name not in _TELLING):
            strange.commands.append(command)
            continue
        if piece.ends_before(command) or (strange.commands and command.name in ("pn", "qx")):
            yield piece
            yield _Piece([found for found in strange.commands if found.line < command.line])
            piece = _Piece([found for found in strange.commands if found.line == command.line])
        else:
            piece.commands += strange.commands
        piece.commands.append(command)
        strange = _Piece()
    last = piece.commands[-1].line if piece.commands else 0
    yield _Piece(piece.commands + [found for found in strange.commands if found.line == last])
    yield _Piece([found for found in strange.commands if found.line > last])


@dataclass
class _Heading:
    """What is told once for all boards: the event, and the players of one room or two."""

    event: str = ""
    players: list[str] = field(default_factory=list)
    results: list[str] = field(default_factory=list)
    first: int = 1
    """The number of the first board that results are told of."""

    def take(self, piece: _Piece) -> None:
        _expect_commands(piece)
        for names in piece.values("pn"):
            self.players = names.split(",")
        for results in piece.values("rs"):
            self.results = [result.strip() for result in results.split(",")]
        for title in piece.values("vg"):
            told = [part.strip() for part in title.split(",")]
            self.event = told[0]
            self.first = int(told[3]) if len(told) > 3 and re.fullmatch(r"[0-9]{1,9}", told[3]) else 1

    def result(self, number: int | None, room: str) -> tuple[Contract, int] | None:
        """The contract and declarer's tricks at a table, as the heading has them: open room first, board by board."""
        place = 2 * ((number or 0) - self.first) + "oc".find(room)
        told = self.results[place] if number and room in ROOMS and 0 <= place < len(self.results) else ""
        found = _RESULT.fullmatch(told)
        if found is None:
            return None
        contract = Contract.read(found[1])
        tricks = contract.tricks + (0 if found[2] == "=" else int(found[2]))
        return (contract, tricks) if 0 <= tricks <= 13 else None

    def of_room(self, room: str) -> list[str]:
        return self.players[4:8] if room == "c" and len(self.players) > 4 else self.players[:4]


# ---------------------------------------------------------------------- from commands to a board


def _board(piece: _Piece, heading: _Heading, aside: SetAside) -> Board:
    """The board that a piece tells of."""
    room, number = _room(piece), _number(piece)
    piece = _Piece([_name_board(command, number) for command in piece.commands])
    deal, dealer = _deal(piece, number)
    auction, vulnerability = None, Vulnerability.NONE
    with aside.part():
        _expect_commands(piece)
        auction = _auction(piece, dealer)
    with aside.part():
        vulnerability = _vulnerability(piece, number)
    cards = _cards(piece, deal, auction, aside)
    contract, tricks = heading.result(number, room) or (None, None)
    board = Board(
        deal,
        number,
        dealer,
        vulnerability,
        auction,
        contract if auction is None else None,
        cards=tuple(card for card, _ in cards),
        names=_names(piece.values("pn")[-1].split(",") if piece.has("pn") else heading.of_room(room)),
        tags=tuple(_tags(piece, heading, room)),
        comment="\n".join(filter(None, piece.values("nt"))),
    )
    with aside.part(), say_where(_last_place(piece, "mc")):
        found = _tricks(piece) if piece.has("mc") else board.tricks
        return replace(board, tricks=tricks if found is None and board.contract == contract else found)
    return board


def _name_board(command: _Command, number: int | None) -> _Command:
    """A command whose place says of which board it is."""
    return command if number is None else replace(command, place=f"{command.place}, board {number}")


def _expect_commands(piece: _Piece) -> None:
    """A stroke too few or too many turns values into commands, and commands into values."""
    for command in piece.commands:
        if not command.name or (command.value.lower() in _NAMES and command.name not in ("nt", "an", "ah")):
            found = command.value if not command.name else f"{command.name}|{command.value}|"
            raise PlacedError(f"expected a command such as mb|1N|, found {found!r}", command.place)


def _last_place(piece: _Piece, name: str) -> str:
    return (piece.first(name) or piece.commands[-1]).place


def _room(piece: _Piece) -> str:
    return (piece.values("qx") or [""])[0][:1].lower()


def _number(piece: _Piece) -> int | None:
    """As ``ah|Board 5|`` or ``qx|o5|`` says."""
    headers = [re.fullmatch(r"(?i)\s*board\s*#?\s*([0-9]{1,9})\s*", text) for text in piece.values("ah")]
    boards = [re.match(r"(?i)[a-z]\s*([0-9]{1,9})", text) for text in piece.values("qx")]
    return next((int(found[1]) for found in headers + boards if found), None)


def _names(players: Sequence[str]) -> Names:
    by_seat = dict(zip(LIN_SEATS, (*players, *NOBODY), strict=False))
    return (
        by_seat[Seat.NORTH].strip(),
        by_seat[Seat.EAST].strip(),
        by_seat[Seat.SOUTH].strip(),
        by_seat[Seat.WEST].strip(),
    )


def _tags(piece: _Piece, heading: _Heading, room: str) -> Iterator[Tag]:
    if heading.event:
        yield Tag("Event", heading.event)
    if room in ROOMS:
        yield Tag("Room", ROOMS[room])
    header = (piece.values("ah") or [""])[0]
    if header and not re.fullmatch(r"(?i)\s*board\s*#?\s*[0-9]{1,9}\s*", header):
        yield Tag("Header", header)


_VULNERABLE = {"o": 0, "0": 0, "-": 0, "n": 1, "e": 2, "b": 3}


def _vulnerability(piece: _Piece, number: int | None) -> Vulnerability:
    command = piece.first("sv")
    if command is None or not command.value:
        return Vulnerability.of_board(number) if number is not None else Vulnerability.NONE
    return read_vulnerability(command.value, command.place)


def read_vulnerability(text: str, place: str = "") -> Vulnerability:
    """A side's letter: o for none, n, e, or b for both.

    >>> read_vulnerability("B")
    Vulnerability.BOTH
    """
    letter = text.strip().lower()
    if letter not in _VULNERABLE:
        raise PlacedError(f"expected o, n, e or b for who is vulnerable, found {text!r}", place)
    return Vulnerability(_VULNERABLE[letter])


def _tricks(piece: _Piece) -> int | None:
    command = piece.first("mc")
    if command is None or not command.value:
        return None
    if not re.fullmatch(r"[0-9]{1,2}", command.value):
        raise PlacedError(f"expected declarer's tricks from 0 to 13, found {command.value!r}", command.place)
    return int(command.value)


# ---------------------------------------------------------------------- hands


def _deal(piece: _Piece, number: int | None) -> tuple[Deal, Seat]:
    """The hands and the dealer."""
    command = piece.first("md")
    if command is None:
        raise PlacedError("expected hands, md|...|, found none", piece.commands[0].place)
    with say_where(command.place):
        digit = command.value[:1]
        hands = command.value[1:] if digit.isdigit() else command.value
        dealer = LIN_SEATS[int(digit) - 1] if digit in tuple("1234") else dealer_of_board(number or 1)
        return deal_of_hands([read_lin_hand(hand) for hand in hands.split(",")]), dealer


def deal_of_hands(hands: Sequence[Cards]) -> Deal:
    """A deal from hands in LIN's order; if three are whole the fourth is the rest of the pack."""
    if len(hands) > 4:
        raise InputError(f"expected at most four hands, found {len(hands)}")
    by_seat = dict(zip(LIN_SEATS, (*hands, 0, 0, 0, 0), strict=False))
    known = [hand for hand in by_seat.values() if hand]
    rest = PACK & ~sum(set(known))
    if len(known) == 3 and all(hand.bit_count() == 13 for hand in known) and rest.bit_count() == 13:
        by_seat = {seat: hand or rest for seat, hand in by_seat.items()}
    deal = Deal((by_seat[Seat.NORTH], by_seat[Seat.EAST], by_seat[Seat.SOUTH], by_seat[Seat.WEST]))
    check_hands(deal)
    return deal


def read_lin_hand(text: str) -> Cards:
    """A hand with the suits' letters before their ranks, in any order; a suit that is missing is void.

    >>> from worldwise.bridge.rules.deal import hand_name
    >>> hand_name(read_lin_hand("SAK2HQDC10 9")), read_lin_hand("")
    ('AK2.Q..T9', 0)
    """
    word = re.sub(r"\s", "", text).upper().replace("10", "T").replace("-", "")
    if not re.fullmatch(rf"(?:[{SUITS}][{RANKS}]*+)*+", word):
        raise InputError(f"expected a hand such as SAK2HQJ4DT98C7654, found {text!r}")
    ranks: dict[str, list[str]] = {suit: [] for suit in SUITS}
    for suit, held in re.findall(rf"([{SUITS}])([{RANKS}]*)", word):
        ranks[suit].append(held)
    return read_hand(".".join(map("".join, ranks.values())))


# ---------------------------------------------------------------------- auction and play

_CALL = re.compile(
    r"(?:([1-7]\s*+(?:NT|N|S|H|D|C)|PASS|P|REDOUBLE|DOUBLE|RDBL|DBL|XX|X|D|R)|(AP)|([!?]++)|\(([^)]*+)\)|(-)|(.))\s*+",
    re.IGNORECASE | re.DOTALL,
)


def add_calls(calls: CallRecorder, text: str, place: str = "") -> None:
    """Take down calls that are written one after the other; ``!`` alerts, brackets explain.

    >>> calls = CallRecorder(Seat.SOUTH)
    >>> add_calls(calls, "1n!(15-17)pp d")
    >>> str(calls.auction)
    'S: 1NT Pass Pass X'
    """
    for found in _CALL.finditer(text.strip()):
        call, all_pass, mark, words, _, rest = found.groups(default="")
        with say_where(place):
            if rest:
                raise InputError(f"expected calls such as 1N, p, d or r, found {text!r}")
            if call:
                calls.take(read_call(re.sub(r"\s", "", call)))
            if all_pass:
                calls.take_all_passes()
            if "!" in mark or words:
                calls.alert(words.strip())


def _auction(piece: _Piece, dealer: Seat) -> Auction | None:
    calls = CallRecorder(dealer)
    for command in piece.commands:
        if command.name == "mb":
            add_calls(calls, command.value, command.place)
        elif command.name == "an":
            calls.alert(command.value)
    return calls.auction


def read_cards(text: str) -> list[Card]:
    """Cards written one after the other.

    >>> [card_name(card) for card in read_cards("sA s10D2")]
    ['SA', 'ST', 'D2']
    """
    word = re.sub(r"\s", "", text).upper().replace("10", "T")
    if not re.fullmatch(rf"(?:[{SUITS}][{RANKS}])*+", word):
        raise InputError(f"expected a card such as SA or HT, found {text!r}")
    return [read_card(word[start : start + 2]) for start in range(0, len(word), 2)]


def _cards(piece: _Piece, deal: Deal, auction: Auction | None, aside: SetAside) -> list[PlacedCard]:
    """The cards in order, each with its place."""
    contract = auction.contract if auction is not None and auction.over else None
    if contract is None and aside.warnings:
        return []  # it went with the auction
    with aside.part():
        cards = list(_read_all_cards(piece))
        if cards and contract is None:
            raise PlacedError(f"expected a contract before the play, found {card_name(cards[0][0])}", cards[0][1])
        tricks = [cards[start : start + 4] for start in range(0, len(cards), 4)]
        return read_play(deal, contract, cards, tricks, aside) if contract is not None else []
    return []


def _read_all_cards(piece: _Piece) -> Iterator[PlacedCard]:
    for command in piece.commands:
        if command.name == "pc":
            with say_where(command.place):
                yield from ((card, command.place) for card in read_cards(command.value))
