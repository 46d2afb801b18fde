"""BEN's questions over HTTP, ``/play`` and ``/lead``: the same inputs, and answers of the same shape.

The figures are advice's (``worldwise.bridge.advice``): ``p_make_contract`` is declarer's chance to make, a defender's
to beat the contract, ``kind`` and ``depth`` say what figure that is; tricks and score are averages with all cards seen.
``insta_score``, which is a neural network's, is null.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from worldwise.bridge.advice.advise import advise
from worldwise.bridge.files.lin import read_cards
from worldwise.bridge.rules.auction import Auction
from worldwise.bridge.rules.board import Board
from worldwise.bridge.rules.contract import Vulnerability
from worldwise.bridge.rules.deal import Deal, Seat, card_name, read_hand
from worldwise.bridge.rules.goal import Aim
from worldwise.core.result import Limit
from worldwise.errors import InputError, say_where

if TYPE_CHECKING:
    from worldwise.bridge.advice.record import Advice, CardChoice
    from worldwise.bridge.rules.deal import Cards

Json = dict[str, Any]

MATCHPOINTS = "mp"
"""What BEN calls a tournament in which every trick counts."""

THINKING = Limit(seconds=20.0)
"""How long a card may take; on an idle machine hardly any takes so long."""

_CALLS = {"--": "P", "DB": "X", "RD": "XX"}


def ben_play(
    *, hand: str, dummy: str, seat: str, dealer: str, vul: str, ctx: str, played: str, tournament: str, details: bool
) -> Json:
    """Which card to play next for a seat, declarer's also for dummy.

    >>> found = ben_play(
    ...     hand="AKQJT98_AK_AK_AK", dummy="765_432_5432_432", seat="S", dealer="S", vul="", ctx="7S------",
    ...     played="HQH2H5", tournament="", details=False,
    ... )
    >>> found["card"], found["who"], found["player"], found["matchpoint"]
    ('HK', 'worldwise', 3, False)
    """
    board = _board(hand, dummy, seat, dealer, vul, ctx)
    with say_where("played"):
        board = board.with_cards(read_cards(played))
    told = _answer(board, _read_seat("seat", seat), tournament, details=details)
    return {**told, "player": (_read_seat("seat", seat) - board.play.contract.leader) & 3}


def ben_lead(*, hand: str, seat: str, dealer: str, vul: str, ctx: str, tournament: str, details: bool) -> Json:
    """Which card to lead."""
    board = _board(hand, "", seat, dealer, vul, ctx)
    return _answer(board, _read_seat("seat", seat), tournament, details=details)


def _board(hand: str, dummy: str, seat: str, dealer: str, vul: str, ctx: str) -> Board:
    with say_where("ctx"):
        auction = _read_calls(_read_seat("dealer", dealer), ctx)
        if auction.contract is None or not auction.over:
            raise InputError(f"expected an auction that has ended in a contract, found {auction}")
    place, facing = _read_seat("seat", seat), auction.contract.dummy
    hands: dict[Seat, Cards] = {place: _read_ben_hand("hand", hand)}
    if dummy:
        if place == facing:
            raise InputError(f"seat: expected declarer's or a defender's, found dummy's, {seat}")
        hands[facing] = _read_ben_hand("dummy", dummy)
    north, east, south, west = (hands.get(one, 0) for one in Seat)
    deal = Deal((north, east, south, west))
    return Board(deal, dealer=auction.dealer, vulnerability=_read_vulnerability(vul), auction=auction)


def _answer(board: Board, seat: Seat, tournament: str, *, details: bool) -> Json:
    view, by_tricks = board.view(seat), tournament.lower() == MATCHPOINTS
    aim = Aim.TRICKS if by_tricks else Aim.MAKE
    advice = advise(view, aim=aim, vulnerability=board.vulnerability, limit=THINKING, planning=False, trying=False)
    told = {
        "card": card_name(advice.card),
        "who": "worldwise",
        "quality": round(advice.effective / len(advice.worlds), 2),
        "matchpoint": by_tricks,
    }
    return {**told, **_details(advice)} if details else told


def _details(advice: Advice) -> Json:
    return {
        "candidates": [_candidate(choice) for choice in advice.choices],
        "samples": [str(world) for world in advice.worlds],
        "weights": list(advice.weights),
    }


def _candidate(choice: CardChoice) -> Json:
    return {
        "card": card_name(choice.card),
        "insta_score": None,
        "expected_tricks_sd": round(choice.tricks, 2),
        "p_make_contract": round(choice.chance, 4),
        "expected_score_sd": round(choice.score),
        "cards": list(map(card_name, choice.cards)),
        "kind": choice.kind.value,
        "depth": choice.depth,
    }


# ---------------------------------------------------------------------- reading


def _read_seat(name: str, text: str) -> Seat:
    with say_where(name):
        return Seat.of(text)


def _read_ben_hand(name: str, text: str) -> Cards:
    """A hand as dealt, with ``_`` or dots between the suits."""
    with say_where(name):
        cards = read_hand(text.replace("_", "."))
        if cards.bit_count() != 13:
            raise InputError(f"expected the 13 cards of the hand as dealt, found {cards.bit_count()}")
        return cards


def _read_calls(dealer: Seat, ctx: str) -> Auction:
    """Calls of two characters each: ``--``, ``Db``, ``Rd``, ``1N``.

    >>> str(_read_calls(Seat.NORTH, "1SDb4SRd------"))
    Traceback (most recent call last):
    worldwise.errors.PlacedError: call 4 (West): expected a redouble of the opponents' double only, found 'XX'
    """
    if not re.fullmatch(r"(?:[1-7][CDHSNcdhsn]|--|[Dd][Bb]|[Rr][Dd])*", ctx, re.ASCII):
        raise InputError(f"expected calls such as 1S--4S------, found {ctx!r:.80}")
    calls = [ctx[place : place + 2].upper() for place in range(0, len(ctx), 2)]
    return Auction.read(f"{dealer.letter}: {' '.join(_CALLS.get(call, call) for call in calls)}")


def _read_vulnerability(text: str) -> Vulnerability:
    """``@v`` if North-South are vulnerable, ``@V`` if East-West are."""
    if not re.fullmatch(r"(?:@[vV]|None)*", text):
        raise InputError(f"vul: expected @v for North-South, @V for East-West, both or neither, found {text!r}")
    return Vulnerability(("@v" in text) + 2 * ("@V" in text))
