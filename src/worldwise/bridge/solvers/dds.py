"""Double dummy by DDS, the solver that bridge programs share: one position, many at once, tables and par.

What is said about a position counts for the side whose turn it is, with the trick on the table included.
"""

from __future__ import annotations

from ctypes import byref, c_int
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

from worldwise.bridge.rules.contract import Strain
from worldwise.bridge.rules.deal import PACK, SEATS, Seat, card_name, cards_in, set_of
from worldwise.bridge.rules.play import Position
from worldwise.bridge.solvers.dds_library import (
    BOARDS,
    TABLES,
    AnswerRecord,
    AnswersRecord,
    BoardRecord,
    BoardsRecord,
    DealsRecord,
    ParRecord,
    TableRecord,
    TablesRecord,
    load,
)
from worldwise.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from worldwise.bridge.rules.contract import Vulnerability
    from worldwise.bridge.rules.deal import Card, Cards, Deal
    from worldwise.bridge.solvers.dds_library import Library

_MOST = -1
"""The target that asks for as many tricks as possible."""

_ANY_CARD, _ALL_CARDS = 1, 3
"""How many cards an answer has: one that does it, or every legal one with its score."""

_ALWAYS_SEARCH = 1
"""The mode; in mode 0 the library does not say what a card is worth when it is the only one."""

_Question = tuple[Position, int, int]
"""A position, a target, and how many cards the answer is to have."""


@dataclass(frozen=True)
class DoubleDummyTable:
    """Tricks for each declarer and strain: a row for each seat, the strains in their order."""

    rows: tuple[tuple[int, ...], ...]

    def __getitem__(self, played: tuple[Seat, Strain]) -> int:
        """The tricks of one declarer in one strain."""
        seat, strain = played
        return self.rows[seat][strain]


@dataclass(frozen=True)
class ParContract:
    """A contract neither side can better; ``result`` is tricks above it, or below it, and then it is doubled.

    >>> print(ParContract(4, Strain.SPADES, (Seat.NORTH, Seat.SOUTH), 1))
    4S+1 by NS
    """

    level: int
    strain: Strain
    declarers: tuple[Seat, ...]
    result: int = 0

    def __str__(self) -> str:
        return f"{self.bid}{self.result_name} by {''.join(seat.letter for seat in self.declarers)}"

    @property
    def bid(self) -> str:
        """The contract without who plays it, as PBN writes it: ``4SX``."""
        return f"{self.level}{self.strain.letter}{'X' if self.result < 0 else ''}"

    @property
    def result_name(self) -> str:
        """``=``, ``+1`` or ``-2``."""
        return f"{self.result:+d}" if self.result else "="


@dataclass(frozen=True)
class Par:
    """The score of best bidding and best play, as North and South count it, and the contracts that reach it.

    There is no contract if nobody gains by bidding.
    """

    score: int
    contracts: tuple[ParContract, ...] = ()


@dataclass(frozen=True)
class Dds:
    """The DDS library, found as ``dds_library.find`` says and loaded when the first question is asked.

    Any number of Python threads may ask at once: each call has one of the library's threads for itself, and a call for
    many positions has them all.
    """

    path: str | None = None

    def __reduce__(self) -> tuple[Any, ...]:
        # The loaded library stays in its process.
        return Dds, (self.path,)

    @property
    def version(self) -> str:
        """The library's version, such as 2.9.0."""
        return self.library.version

    @cached_property
    def library(self) -> Library:
        """The loaded library."""
        return load(self.path)

    # ------------------------------------------------------------------ one position

    def tricks(self, position: Position) -> int:
        """The most tricks the side to move can still take."""
        return self._answer(position, _MOST, _ANY_CARD).score[0]  # type: ignore[no-any-return]

    def can_take(self, position: Position, tricks: int) -> bool:
        """Whether the side to move can take so many tricks."""
        known = _answer_without_search(position, tricks)
        return self._answer(position, tricks, _ANY_CARD).score[0] >= tricks if known is None else known

    def cards(self, position: Position) -> dict[Card, int]:
        """For every legal card, the most tricks the side to move can still take after it."""
        return _scores(self._answer(position, _MOST, _ALL_CARDS))

    def _answer(self, position: Position, target: int, solutions: int) -> AnswerRecord:
        board, answer = _board(position), AnswerRecord()
        with self.library.one_thread() as thread:
            self.library.call("SolveBoard", board, target, solutions, _ALWAYS_SEARCH, byref(answer), thread)
        return answer

    # ------------------------------------------------------------------ many positions

    def tricks_of_all(self, positions: Sequence[Position]) -> list[int]:
        """``tricks`` of each position, by all the library's threads."""
        questions = ((position, _MOST, _ANY_CARD) for position in positions)
        return [answer.score[0] for answer in self._answers(list(questions))]

    def can_take_all(self, positions: Sequence[Position], tricks: Sequence[int]) -> list[bool]:
        """``can_take`` for each position and number of tricks, by all the library's threads."""
        asked = list(zip(positions, tricks, strict=True))
        known = [_answer_without_search(*question) for question in asked]
        unknown = [question for question, answer in zip(asked, known, strict=True) if answer is None]
        answers = self._answers(list(_questions(unknown)))
        found = (answer.score[0] >= target for answer, (_, target) in zip(answers, unknown, strict=True))
        return [next(found) if answer is None else answer for answer in known]

    def cards_of_all(self, positions: Sequence[Position]) -> list[dict[Card, int]]:
        """``cards`` of each position, by all the library's threads."""
        questions = ((position, _MOST, _ALL_CARDS) for position in positions)
        return [_scores(answer) for answer in self._answers(list(questions))]

    def _answers(self, questions: Sequence[_Question]) -> Iterator[AnswerRecord]:
        for start in range(0, len(questions), BOARDS):
            boards, answers = _boards(questions[start : start + BOARDS]), AnswersRecord()
            with self.library.all_threads():
                self.library.call("SolveAllBoardsBin", byref(boards), byref(answers))
            yield from answers.solvedBoard[: boards.noOfBoards]

    # ------------------------------------------------------------------ deals

    def table(self, deal: Deal) -> DoubleDummyTable:
        """The tricks of each declarer in each strain."""
        return self.tables([deal])[0]

    def tables(self, deals: Sequence[Deal]) -> list[DoubleDummyTable]:
        """``table`` of each deal, by all the library's threads."""
        for deal in deals:
            _check_deal(deal)
        whole = self._whole_tables([deal for deal in deals if deal.cards == PACK])
        return [next(whole) if deal.cards == PACK else self._ending_table(deal) for deal in deals]

    def _whole_tables(self, deals: Sequence[Deal]) -> Iterator[DoubleDummyTable]:
        for start in range(0, len(deals), TABLES):
            asked, found = _deals(deals[start : start + TABLES]), TablesRecord()
            with self.library.all_threads():
                self.library.call("CalcAllTables", byref(asked), _NO_PAR, _EVERY_STRAIN, byref(found), None)
            for record in found.results[: asked.noOfTables]:
                yield DoubleDummyTable(tuple(zip(*record.resTable, strict=True)))

    def _ending_table(self, deal: Deal) -> DoubleDummyTable:
        # The library's tables take thirteen tricks for granted, and are wrong about the last one.
        length = deal[Seat.NORTH].bit_count()
        leads = [Position(deal.hands, strain, seat.next) for seat in SEATS for strain in Strain]
        tricks = [length - defence for defence in self.tricks_of_all(leads)]
        return DoubleDummyTable(tuple(tuple(tricks[start : start + 5]) for start in range(0, 20, 5)))

    def par(self, deal: Deal, vulnerability: Vulnerability, dealer: Seat = Seat.NORTH) -> Par:
        """The par of a whole deal; who deals matters where the side that bids first gains by it, which is rare."""
        if deal.cards != PACK:
            raise InputError(f"expected a deal of 52 cards, since par is about bidding, found {str(deal)!r}")
        return self.par_of(self.table(deal), vulnerability, dealer)

    def par_of(self, table: DoubleDummyTable, vulnerability: Vulnerability, dealer: Seat = Seat.NORTH) -> Par:
        """The par of a deal by its table."""
        record, found = TableRecord(), ParRecord()
        for row, tricks in zip(record.resTable, zip(*table.rows, strict=True), strict=True):
            row[:] = tricks
        self.library.call("DealerParBin", byref(record), byref(found), dealer, _VULNERABLE[vulnerability])
        return Par(found.score, tuple(_par_contracts(found)))


def _answer_without_search(position: Position, tricks: int) -> bool | None:
    """The answer that needs no search: to none at all, or to more tricks than are left."""
    _check(position)
    return tricks <= 0 if not 0 < tricks <= position.tricks_left else None


def _questions(asked: Sequence[tuple[Position, int]]) -> Iterator[_Question]:
    """Questions about targets, for one call.

    The library answers a position that comes again in a call as it did the first time, whatever the target is. So one
    that comes with several targets is asked for its tricks.
    """
    boards = [replace(position, won=(0, 0)) for position, _ in asked]
    targets: dict[Position, set[int]] = {board: set() for board in boards}
    for board, (_, target) in zip(boards, asked, strict=True):
        targets[board].add(target)
    for board, (_, target) in zip(boards, asked, strict=True):
        yield board, target if len(targets[board]) == 1 else _MOST, _ANY_CARD


def _scores(answer: AnswerRecord) -> dict[Card, int]:
    """Each card's score, the cards in the order of a hand."""
    scores: dict[Card, int] = {}
    for place in range(answer.cards):
        ranks = answer.equals[place] | 1 << answer.rank[place]
        scores |= dict.fromkeys(cards_in(ranks << 16 * answer.suit[place]), answer.score[place])
    return {card: scores[card] for card in cards_in(set_of(scores))}


def _board(position: Position) -> BoardRecord:
    _check(position)
    board = BoardRecord(position.trumps, position.leader)
    for place, card in enumerate(position.trick):
        board.currentTrickSuit[place], board.currentTrickRank[place] = card >> 4, card & 15
    _put_hands(board.remainCards, position.hands)
    return board


def _put_hands(record: Any, hands: Iterable[Cards]) -> None:
    for row, hand in zip(record, hands, strict=True):
        row[:] = [hand >> 16 * suit & 0x7FFC for suit in range(4)]


def _boards(questions: Sequence[_Question]) -> BoardsRecord:
    boards = BoardsRecord(len(questions))
    for place, (position, target, solutions) in enumerate(questions):
        boards.deals[place] = _board(position)
        boards.target[place], boards.solutions[place], boards.mode[place] = target, solutions, _ALWAYS_SEARCH
    return boards


def _check(position: Position) -> None:
    """The library may crash on what is no position; so it is asked about positions only."""
    table = len(position.trick)
    played = [position.leader.after(step) for step in range(table)]
    lengths = {position.hands[seat].bit_count() + (seat in played) for seat in SEATS}
    if table > 3 or len(lengths) > 1:
        shown = ", ".join(str(hand.bit_count()) for hand in position.hands)
        raise InputError(f"expected four hands that are equally long, found {shown} cards and {table} on the table")
    if position.over:
        raise InputError("expected a position with cards to play, found none")
    _check_once([*position.hands, *(1 << card for card in position.trick)])


def _check_once(sets: Iterable[Cards]) -> None:
    seen = again = 0
    for cards in sets:
        seen, again = seen | cards, again | seen & cards
    if again:
        raise InputError(f"expected every card once, found {', '.join(map(card_name, cards_in(again)))} twice")


def _check_deal(deal: Deal) -> None:
    if not deal.complete:
        raise InputError(f"expected four hands that are equally long, found the deal {str(deal)!r}")


def _deals(deals: Sequence[Deal]) -> DealsRecord:
    record = DealsRecord(len(deals))
    for place, deal in enumerate(deals):
        _put_hands(record.deals[place].cards, deal.hands)
    return record


def _par_contracts(found: ParRecord) -> Iterator[ParContract]:
    for record in found.contracts[: found.number]:
        if record.level:  # That nobody bids is a contract at level 0.
            result = record.overTricks - record.underTricks
            yield ParContract(record.level, _STRAINS[record.denom], _DECLARERS[record.seats], result)


_NO_PAR = -1
"""The vulnerability that asks for tables only."""

_EVERY_STRAIN = (c_int * 5)()
"""No strain is left out."""

_VULNERABLE = (0, 2, 3, 1)
"""The library's numbers for our vulnerabilities: after nobody it has everybody."""

_STRAINS = (Strain.NOTRUMP, *list(Strain)[:4])
"""Our strains in the order that the library has in its par contracts."""

_DECLARERS = (*((seat,) for seat in SEATS), (Seat.NORTH, Seat.SOUTH), (Seat.EAST, Seat.WEST))
"""Who plays a par contract, by the library's numbers."""
