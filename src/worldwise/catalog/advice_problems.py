"""Positions to measure advice by: the PBN files of ``data/problems``.

The tags ``Technique``, ``RightCard`` (one card or several) and ``Proof`` say what is right and how that is known.
Twenty of them are kept aside: nothing is tuned on those. Twenty more are a defender's, ten of them opening leads.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from worldwise.bridge.files.pbn import read_pbn
from worldwise.bridge.rules.deal import read_card
from worldwise.catalog.decision import Decision
from worldwise.catalog.shelf import data

if TYPE_CHECKING:
    from worldwise.bridge.rules.board import Board
    from worldwise.bridge.rules.deal import Card


@dataclass(frozen=True)
class Problem(Decision):
    """A position in which some cards are right and all others wrong.

    ``proof`` is ``search`` where a search to the end over all layouts has shown it, for a defender with all cards face
    up, and ``words`` where the comment argues it.
    """

    name: str
    board: Board
    technique: str
    title: str
    right: tuple[Card, ...]
    proof: str
    comment: str


@cache
def problems(*, aside: bool = False, defence: bool = False) -> tuple[Problem, ...]:
    """Declarer's positions to measure advice by, or those kept aside; or a defender's.

    >>> len(problems()), len(problems(aside=True)), problems()[0].technique
    (41, 20, 'hold-up')
    """
    name = f"{'defence' if defence else 'aside' if aside else 'problems'}.pbn"
    text = data("problems", name).read_text("utf-8")
    return tuple(_problem(board) for board in read_pbn(text, name))


def _problem(board: Board) -> Problem:
    name, technique, title, right, proof = (
        board.tag(tag) for tag in ("Name", "Technique", "Title", "RightCard", "Proof")
    )
    cards = tuple(map(read_card, right.split()))
    return Problem(name, board, technique, title, cards, proof, " ".join(board.comment.split()))
