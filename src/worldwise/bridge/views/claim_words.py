"""A claim in a few sentences, and for programs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from worldwise.bridge.advice.review_rows import claim_json as claim_row
from worldwise.bridge.rules.deal import set_of
from worldwise.bridge.views.deal_picture import hand_words
from worldwise.search.alphamu_root import ValueKind
from worldwise.views.words import number_word

if TYPE_CHECKING:
    from collections.abc import Iterator

    from worldwise.bridge.advice.claim_record import PlannedClaim, TrickClaim
    from worldwise.bridge.rules.board import Board
    from worldwise.bridge.rules.deal import Deal


def claim_words(board: Board, claim: TrickClaim) -> Iterator[str]:
    """What is claimed, whether one line takes it, where that fails, and what double dummy says.

    >>> from worldwise.bridge.advice.claims import check_claim
    >>> from worldwise.catalog import deal
    >>> board = deal("deals/two-way-guess").board
    >>> for line in claim_words(board, check_claim(board)):
    ...     print(line)
    Claim at trick 9: all of the last 5 tricks for declarer.
    No line takes them in every layout. The best one fails in 5 of 15 layouts and is good for 67.7 %.
    It fails with West S Q9 H T98 D - C -; East S 876 H - D T C -, for instance.
    As the cards lay, double dummy takes them all.
    """
    yield f"Claim at trick {claim.place // 4 + 1}: {_tricks_words(claim)} for declarer."
    if claim.planned is not None:
        yield from _planned_words(board, claim.place, claim.planned)
    if claim.seen is not None:
        yield f"As the cards lay, double dummy takes {_seen_words(claim)}."


def _tricks_words(claim: TrickClaim) -> str:
    if claim.left == 1:
        return "the last trick" if claim.tricks else "not even the last trick"
    some = {claim.left: "all", 0: "none"}.get(claim.tricks, str(claim.tricks))
    return f"{some} of the last {claim.left} tricks"


def _planned_words(board: Board, place: int, planned: PlannedClaim) -> Iterator[str]:
    final = planned.kind is ValueKind.FINAL
    layouts = f"all {planned.layouts} layouts{'' if planned.exact else ' looked at'}"
    if planned.exact and planned.layouts == 1:
        layouts = "the only layout left"
    if not planned.fails:
        line = f"ne line takes them in {layouts}."
        yield f"The claim is good: o{line}" if final else f"As far as the search saw, o{line}"
        return
    fails = f"{'' if final else 'at least '}{planned.fails} of {planned.layouts} layouts"
    most = "" if final else "at most "
    yield (
        f"No line takes them in every layout. The best one fails in {fails} and is good for "
        f"{most}{100 * planned.chance:.1f} %."
    )
    if planned.telling:
        yield f"It fails with {_layout_words(board, place, planned.telling[0])}, for instance."


def _layout_words(board: Board, place: int, deal: Deal) -> str:
    """What the defenders have left."""
    gone, declarer = set_of(board.cards[:place]), board.play.contract.declarer
    defenders = sorted((declarer.next, declarer.next.partner))
    return "; ".join(f"{seat} {hand_words(deal[seat] & ~gone)}" for seat in reversed(defenders))


def _seen_words(claim: TrickClaim) -> str:
    assert claim.seen is not None
    if claim.seen == claim.tricks:
        return "them all" if claim.tricks == claim.left > 1 else "just as many"
    more = number_word(abs(claim.seen - claim.tricks))
    return f"{more} {'more' if claim.seen > claim.tricks else 'fewer'}"


def claim_json(claim: TrickClaim) -> dict[str, Any]:
    """A claim for programs: plain data with keys that stay, as ``worldwise.bridge.advice.review_rows`` writes it."""
    return {**claim_row(claim), "good": claim.good}
