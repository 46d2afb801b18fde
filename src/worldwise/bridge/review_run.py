"""Reviews as long runs: a row for every card of every board. They resume, and spread over processes."""

from __future__ import annotations

import json
from collections import defaultdict
from dataclasses import dataclass, replace
from functools import cached_property
from hashlib import sha256
from typing import TYPE_CHECKING, ClassVar

from worldwise.bridge.advice.claim_record import TrickClaim
from worldwise.bridge.advice.claims import claimed_tricks
from worldwise.bridge.advice.hindsight import look_back
from worldwise.bridge.advice.review import places_of, review_card, review_claim
from worldwise.bridge.advice.review_record import BoardReview, CardReview
from worldwise.bridge.advice.review_rows import card_review_json, claim_json, read_card_review, read_claim
from worldwise.bridge.files.any_format import boards_text
from worldwise.bridge.layouts.bidding_systems import system_identity
from worldwise.core.reading import read_json
from worldwise.errors import InputError, refuse_failures, say_where
from worldwise.runs.job import Pair, Task
from worldwise.runs.row_files import read_run
from worldwise.runs.rows import Setting

if TYPE_CHECKING:
    from collections.abc import Collection
    from pathlib import Path

    from worldwise.bridge.advice.review import ReviewEffort
    from worldwise.bridge.rules.board import Board
    from worldwise.bridge.rules.deal import Seat
    from worldwise.runs.rows import Row, Scalar


@dataclass(frozen=True)
class ReviewRun:
    """Every card of some boards that certain seats chose; None is all of them, ``declarer`` is whoever declared.

    What a card was worth depends on the board, its place and the effort alone.
    """

    boards: tuple[Board, ...]
    effort: ReviewEffort
    seats: tuple[tuple[Seat, ...], ...]
    """Whose cards are reviewed, board by board."""

    timed: ClassVar[bool] = False

    @property
    def name(self) -> str:
        """What people call it."""
        return f"a review of {len(self.boards)} board{'s' * (len(self.boards) != 1)}"

    @property
    def identity(self) -> dict[str, Scalar]:
        """The boards, whose cards, and how hard they are looked at."""
        told = "\n".join((boards_text(self.boards, "pbn"), repr(self.seats), repr(self.effort.constraints)))
        return {
            "run": "bridge review",
            "boards": sha256(told.encode()).hexdigest()[:16],
            "worlds": self.effort.worlds,
            "nodes": self.effort.nodes,
            "carding": self.effort.carding.value,
            "system": system_identity(self.effort.system),
            "seed": self.effort.seed,
        }

    @cached_property
    def pairs(self) -> tuple[Pair, ...]:
        """A row for every card, and for a claim: it stands in the place of the card that was not played."""
        return tuple(
            Pair(Setting(board=number, card=place), 0)
            for number, (board, seats) in enumerate(zip(self.boards, self.seats, strict=True))
            for place in (*places_of(board, seats), *_place_of_claim(board, seats))
        )

    @property
    def task(self) -> Task:
        """What reviews a card."""
        return Task(self.measure, self.effort.seed)

    def measure(self, setting: Setting, _seed: int) -> Row:
        """One card; its seed is the effort's, so that a board alone and in a file is told alike."""
        number, place = _where(setting)
        board = self.boards[number]
        if place == len(board.cards):
            claim = review_claim(board, self.seats[number], self.effort)
            assert claim is not None
            return {"review": json.dumps(claim_json(claim), separators=(",", ":"))}
        told = review_card(board, place, self.effort)
        return {"review": json.dumps(card_review_json(told), separators=(",", ":"))}

    def read_reviews(self, path: Path) -> list[BoardReview]:
        """What a file holds, board by board, with double dummy's opinion beside it."""
        stored = read_run(path, self)
        rows, found = stored.rows if stored else {}, defaultdict[int, list[CardReview | TrickClaim]](list)
        with say_where(str(path)), refuse_failures("rows of a review"):
            for pair in self.pairs:
                if pair in rows:
                    found[int(str(pair.setting["board"]))].append(self._read(pair, str(rows[pair]["review"])))
        return [_with_hindsight(self.boards[number], told) for number, told in sorted(found.items())]

    def _read(self, pair: Pair, text: str) -> CardReview | TrickClaim:
        """What a row says of a card, or of a claim, if it is about this one."""
        data, (number, place) = read_json(text), _where(pair.setting)
        cards = self.boards[number].cards
        told = read_claim(data) if place == len(cards) else read_card_review(data)
        if told.place != place or (isinstance(told, CardReview) and told.card != cards[place]):
            raise InputError(f"expected card {place} of board {number}, found card {told.place}")
        return told


def _where(setting: Setting) -> tuple[int, int]:
    """The board and the card."""
    number, place = (int(str(setting[name])) for name in ("board", "card"))
    return number, place


def _place_of_claim(board: Board, seats: Collection[Seat]) -> list[int]:
    """Where the claim stands, if the play ended with one and it is to be looked at."""
    claimed = claimed_tricks(board) is not None and board.play.contract.declarer in seats
    return [len(board.cards)] if claimed else []


def _with_hindsight(board: Board, told: list[CardReview | TrickClaim]) -> BoardReview:
    reviews = [one for one in told if isinstance(one, CardReview)]
    claim = next((one for one in told if isinstance(one, TrickClaim)), None)
    if board.deal.complete:
        seen = look_back(board.play)
        reviews = [replace(one, hindsight=seen[one.place]) for one in reviews]
    return BoardReview(board, tuple(reviews), claim)
