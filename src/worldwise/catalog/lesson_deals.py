"""Bridge deals of our own, played up to the moment that teaches something: the PBN files of ``data/deals``.

The tags ``Title``, ``RightCard`` and, where sampling is known to go wrong, ``PimcCard`` say what, the commentary why.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from worldwise.bridge.files.pbn import read_pbn
from worldwise.bridge.rules.deal import read_card
from worldwise.catalog.decision import Decision
from worldwise.catalog.shelf import data, names
from worldwise.errors import UnknownNameError

if TYPE_CHECKING:
    from worldwise.bridge.rules.board import Board
    from worldwise.bridge.rules.deal import Card


@dataclass(frozen=True)
class LessonDeal(Decision):
    """A deal that teaches something; ``pimc`` is the card that sampling chooses wrongly, where it does."""

    name: str
    board: Board
    title: str
    right: Card
    instruction: str
    pimc: Card | None = None


def deal_names() -> list[str]:
    """The names of the deals; none is read.

    >>> "deals/drop-nine" in deal_names()
    True
    """
    return [f"deals/{name}" for name in names(data("deals"), ".pbn")]


def deals() -> dict[str, LessonDeal]:
    """Every deal that teaches something, by its name.

    >>> deals()["deals/drop-nine"].title
    'Nine cards without the queen: play for the drop'
    """
    return {name: deal(name) for name in deal_names()}


@cache
def deal(name: str) -> LessonDeal:
    """The deal of this name.

    >>> str(deal("deals/two-way-guess").board.contract)
    '6NT by S'
    """
    if name not in deal_names():
        raise UnknownNameError("deal", name, deal_names())
    (board,) = read_pbn(data(f"{name}.pbn").read_text("utf-8"), name)
    title, right, pimc = (board.tag(tag) for tag in ("Title", "RightCard", "PimcCard"))
    why = " ".join(board.comment.split())
    return LessonDeal(name, board, title, read_card(right), why, read_card(pimc) if pimc else None)
