"""Declarer's desk: a deal on the table, card by card, and at each of declarer's turns advice that gets better.

A deal, a contract and the cards played are the whole state, and short enough for an address. Only files are not, so
these are posted, and come back as such states. A deal at random is its seed, so nobody sees by accident what is hidden.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from worldwise import catalog
from worldwise.bridge.advice.advise import advise
from worldwise.bridge.advice.stages import advise_in_stages
from worldwise.bridge.files.any_format import boards_in
from worldwise.bridge.layouts.constraints import read_constraint
from worldwise.bridge.layouts.leads import LEADS
from worldwise.bridge.rules.auction import call_name
from worldwise.bridge.rules.deal import card_name
from worldwise.bridge.rules.goal import Aim
from worldwise.bridge.views.advice_json import advice_json
from worldwise.bridge.views.advice_reasons import why_words
from worldwise.bridge.views.advice_text import heading, losing_lines, plan_words, searched_words
from worldwise.bridge.views.deal_picture import symbols_in
from worldwise.bridge.views.table_json import table_json
from worldwise.core.result import Clock, Limit
from worldwise.web.endpoint import Endpoint, Page
from worldwise.web.fields import OneOf, Text, Whole
from worldwise.web.pages.desk_debrief import DEBRIEF
from worldwise.web.pages.desk_state import STATE, Json, blame_field, board_of, state_json
from worldwise.web.refusal import RefusedError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from worldwise.bridge.advice.record import Advice
    from worldwise.bridge.layouts.constraints import Constraint

DEFENDERS_WORLDS = 10
LONGEST_FILE = 200_000
ENOUGH, MOST_SECONDS = 20.0, 60.0
"""After so many seconds no step is begun; the search is ended only on a machine that has no time for a single one."""

# ---------------------------------------------------------------------- which deal


def open_boards(text: str) -> Iterator[Json]:
    """The boards of a text, and what is wrong with the others."""
    with blame_field("text"):
        found = boards_in(text)
    faults = [str(fault) for fault in found.faults]
    if not found.boards:
        raise RefusedError(400, faults[0], "text")
    yield {"boards": list(map(state_json, found)), "faults": faults}


def lessons(name: str) -> Iterator[Json]:
    """The shipped deals whose names have something in them."""
    found = [deal for deal in catalog.deals().values() if name in deal.name]
    if not found:
        known = ", ".join(catalog.deals())
        raise RefusedError(400, f"expected a part of the name of a shipped deal ({known}), found {name!r}", "name")
    yield {"lessons": [{**state_json(deal.board), "name": deal.title, "lesson": deal.name} for deal in found]}


# ---------------------------------------------------------------------- at the table


def table(*, at: int | None, reveal: int, **state: str) -> Iterator[Json]:
    """The table after so many of the cards."""
    board = board_of(**state)
    if at is not None and at > len(board.cards):
        raise RefusedError(400, f"expected at most the {len(board.cards)} cards played, found {at}", "at")
    calls = board.auction.by_seat() if board.auction else ()
    called = [{"seat": seat.letter, "call": symbols_in(call_name(call))} for seat, call in calls]
    yield {**table_json(board, at, reveal=bool(reveal)), "auction": called}


def defender(*, seed: int, **state: str) -> Iterator[Json]:
    """The card of a defender who knows his own hand, dummy's and the play, and samples the rest."""
    board = board_of(**state)
    turn = board.play.turn
    if board.play.position.over or turn == board.play.contract.declarer:
        raise RefusedError(400, "expected a defender's turn, found none", "cards")
    with blame_field("deal"):
        found = advise(board.view(turn), worlds=DEFENDERS_WORLDS, algorithm="pimc", seed=seed, trying=False)
    yield {"seat": turn.letter, "card": card_name(found.card)}


def advice(*, constraints: str, lead: str | None, aim: str, seed: int, **state: str) -> Iterator[Json]:
    """Advice for declarer, each step from more worlds or from further ahead, as long as a person waits."""
    clock = Clock(Limit(ENOUGH))
    board = board_of(**state)
    view = board.view(board.play.contract.declarer)
    if not view.on_turn:
        raise RefusedError(400, "expected declarer's turn, found none", "cards")
    known: list[Constraint] = [LEADS[lead]] if lead else []
    with blame_field("constraints"):
        known += [read_constraint(constraints)] if constraints else []
        for found in advise_in_stages(view, constraints=known, aim=Aim(aim), seed=seed):
            yield _advice_and_words(found)
            if clock.ran_out(0):
                return


def _advice_and_words(found: Advice) -> Json:
    """Advice with all its words."""
    words = {"heading": heading(found), "why": list(why_words(found)), "how": list(plan_words(found))}
    looked = {"losing": list(losing_lines(found)), "searched": searched_words(found)}
    return {**advice_json(found), **words, **looked, "to_the_end": found.to_the_end}


# ---------------------------------------------------------------------- the table of endpoints

AT = Whole("at", "after how many of the cards; after all if not said", least=0, most=52)
REVEAL = Whole("reveal", "1 shows all hands", least=0, most=1, default=0)
SEED = Whole("seed", "draws the layouts", least=0, most=999_999, default=0)
KNOWN = (
    Text("constraints", "what is known of the hidden hands: 12 <= hcp(west) <= 14", longest=1_000, default=""),
    OneOf("lead", "what the opening lead promises; nothing if not said", tuple(LEADS)),
)
AIM = OneOf("aim", "what to play for", tuple(aim.value for aim in Aim), default=Aim.MAKE.value)
TEXT = Text("text", "boards in PBN, in LIN, or links to the hand viewer", LONGEST_FILE, required=True)
NAME = Text("name", "a part of the name: deals/ is part of all", longest=60, required=True)

DESK = Page(
    path="/desk",
    title="Desk",
    about="Declarer's desk: a deal on the table, and advice at every turn that gets better while you look.",
    files="desk",
    endpoints=(
        Endpoint("/api/desk/open", "The boards of a file or a link.", (TEXT,), open_boards, method="POST"),
        Endpoint("/api/desk/lessons", "The deals that are shipped.", (NAME,), lessons),
        Endpoint("/api/desk/table", "The table as declarer sees it.", (*STATE, AT, REVEAL), table),
        Endpoint("/api/desk/defender", "A card of the defender whose turn it is.", (*STATE, SEED), defender),
        Endpoint(
            "/api/desk/advice",
            "Advice for declarer, better with every step.",
            (*STATE, *KNOWN, AIM, SEED),
            advice,
            seconds=MOST_SECONDS,
            long=True,
        ),
        *DEBRIEF,
    ),
)
