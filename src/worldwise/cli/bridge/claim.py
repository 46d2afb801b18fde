"""The command that checks claims: ``worldwise bridge claim --help``."""

from __future__ import annotations

from typing import Annotated

import typer

from worldwise.bridge.advice.claims import check_claim
from worldwise.bridge.layouts.bidding_systems import DEFAULT_SYSTEM
from worldwise.bridge.layouts.carding import Carding
from worldwise.bridge.layouts.evidence import Evidence
from worldwise.bridge.solvers.deal_tables import check_strength
from worldwise.bridge.views.claim_words import claim_json, claim_words
from worldwise.cli.bridge.advise import After, Constraints, Source, boards_asked_for
from worldwise.cli.bridge.hearing import NoAuction, System, system_asked_for
from worldwise.cli.output import SafeConsole, print_json
from worldwise.errors import InputError


def claim_command(
    source: Source = None,
    number: Annotated[int | None, typer.Option("--board", metavar="N", help="The board of this number.")] = None,
    after: After = None,
    tricks: Annotated[int | None, typer.Option(min=0, metavar="N", help="How many; all the rest if left out.")] = None,
    constraints: Constraints = None,
    carding: Annotated[Carding, typer.Option(help="How to read the cards that were played.")] = Carding.EQUAL,
    system: System = DEFAULT_SYSTEM,
    no_auction: NoAuction = False,
    seed: Annotated[int, typer.Option(help="The same seed looks at the same layouts.")] = 0,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON instead of text.")] = False,
) -> None:
    """Are the rest declarer's? One line must take them, wherever the defenders' cards lie and whatever they play."""
    board = boards_asked_for(source, number).board(number)
    if after is not None:
        if after > len(board.cards):
            raise InputError(f"--after: expected at most the {len(board.cards)} cards played, found {after}")
        board = board.with_cards(board.cards[:after])
    check_strength(board.deal.cards.bit_count() - len(board.cards))
    known = tuple(filter(None, (board.tag("Constraints"), *(constraints or ()))))
    evidence = Evidence(known, carding, system_asked_for(system, no_auction))
    claim = check_claim(board, tricks, evidence, seed)
    if as_json:
        print_json(claim_json(claim))
        return
    for line in claim_words(board, claim):
        SafeConsole().print(line, highlight=False, markup=False)
