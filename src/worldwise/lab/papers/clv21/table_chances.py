"""Chances at the table: what each forecaster gives declarer at two moments of a board that experts have played.

The boards are the finals of world and national championships. Their file is not shipped: ``--file`` says where it is,
and its fingerprint says whether it is the one. What is shipped are the rows, which hold chances and results, no cards.
The smoke scale plays with a few boards of our own.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from hashlib import sha256
from importlib.resources import files
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, cast

from worldwise.bridge.advice.calibration import can_be_judged, forecast
from worldwise.bridge.advice.review import ReviewEffort, places_of, review_card
from worldwise.bridge.advice.review_record import CardVerdict
from worldwise.bridge.files.any_format import boards_in
from worldwise.bridge.layouts.auction_scores import events_of, half_of
from worldwise.bridge.layouts.bidding_systems import DEFAULT_SYSTEM, NO_SYSTEM
from worldwise.core.reading import decode_text
from worldwise.errors import InputError

if TYPE_CHECKING:
    from worldwise.bridge.rules.board import Board
    from worldwise.runs.rows import Row, Setting

FINALS = "ecf20fbfd285653d7b5154e89ac1c492964d860ae319c1fe62c399efe64f6548"
"""The fingerprint of the file of finals, SHA-256: 4,678 tables."""

TABLES, STRIDE = 4678, 1789
"""How many tables the finals have, and how many on the next one is that is asked: any so many are spread over all."""

OURS = "tables.pbn"
"""A few boards of our own, bid and played by our players: for tests, not for figures."""

DUMMY, LATER = "dummy", "later"
"""The moments: declarer's first choice, and one of his later ones, drawn by lot."""

LAST_TRICKS = 3
"""Where so few tricks are left, nothing is drawn."""


def measure_ours(setting: Setting, seed: int) -> Row:
    """A moment of one of our own boards; those of the finals are in a file that somebody must name."""
    if setting["boards"] != "ours":
        raise InputError(
            "beyond/calibration reads a file that is not shipped: say where with --file championship_finals.pbn"
        )
    return _measure(_tables_of(None), setting, seed)


@dataclass(frozen=True)
class MeasureFinals:
    """The same for the finals, whose file is at a path."""

    path: str

    def __call__(self, setting: Setting, seed: int) -> Row:
        """A moment of a board of the finals."""
        return _measure(_tables_of(self.path), setting, seed)


def read_finals(path: Path) -> MeasureFinals:
    """What measures the finals; ``InputError`` if the file is another."""
    try:
        found = sha256(path.read_bytes()).hexdigest()
    except OSError as error:
        raise InputError(f"{path}: {error.strerror}") from None
    if found != FINALS:
        raise InputError(
            f"{path}: expected the file of finals, SHA-256 {FINALS[:12]}..., found {found[:12]}...; "
            f"for a file of your own there is worldwise bridge calibration"
        )
    return MeasureFinals(str(path.resolve()))


@lru_cache(maxsize=1)
def _tables_of(path: str | None) -> tuple[tuple[Board, str], ...]:
    """The boards of a file, ours if there is none, each with the half that its event belongs to."""
    content = Path(path).read_bytes() if path else files("worldwise.lab.papers.clv21").joinpath(OURS).read_bytes()
    boards = list(boards_in(decode_text(content)))
    return tuple(zip(boards, map(half_of, events_of(boards)), strict=True))


def _measure(tables: tuple[tuple[Board, str], ...], setting: Setting, seed: int) -> Row:
    board, half = tables[cast("int", setting["number"]) * STRIDE % len(tables)]
    row: dict[str, bool | int | float | str | None] = {"half": half, "asked": False}
    place = _choice(board, str(setting["moment"]), Random(seed)) if can_be_judged(board) else None
    return row if place is None else {**row, **_said(board, place, seed)}


def _choice(board: Board, moment: str, rng: Random) -> int | None:
    """After how many cards somebody is asked; None if there was no such choice while the contract was in doubt."""
    choices = [place for place in places_of(board, [board.play.contract.declarer]) if _is_choice(board, place)]
    if moment == DUMMY:
        return choices[0] if choices else None
    return rng.choice(choices[1:]) if choices[1:] else None


def _is_choice(board: Board, place: int) -> bool:
    play = board.with_cards(board.cards[:place]).play
    left = play.position.tricks_left
    return play.position.legal.bit_count() > 1 and left > LAST_TRICKS and 0 < play.needed <= left


def _said(board: Board, place: int, seed: int) -> dict[str, bool | int | float | str | None]:
    """The chances of every forecaster, what happened, and what the card played at the table cost."""
    told = forecast(board, seed=seed, place=place)
    heard, deaf = (
        review_card(board, place, ReviewEffort(seed=seed, system=one)) for one in (DEFAULT_SYSTEM, NO_SYSTEM)
    )
    if heard.figures is None or deaf.figures is None:  # touching cards only
        return {}
    return {
        "asked": True,
        "trick": place // 4 + 1,
        "made": told.made,
        **{name: told.chances[name] for name in told.chances},
        "alphamu": heard.figures.before,
        "alphamu, no auction": deaf.figures.before,
        "verdict": heard.verdict.value,
        "cost": heard.figures.difference.value if heard.verdict in (CardVerdict.MISTAKE, CardVerdict.CLOSE) else 0.0,
    }
