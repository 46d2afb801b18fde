"""What becomes of a part of a record that cannot be read, and what can be put right in it with certainty.

Files are written by many programs, and by hand. A deal whose auction makes no sense is still a deal: it can be shown,
solved and dealt again. So a broken part is *set aside* with a warning, and whatever does not need it goes on; who asks
for strict reading gets an error instead. Three habits of writers are put right without a warning, because only one
reading fits the rest of the record:

- passes before the opening bid that were left out: as many as give the contract to the declarer on record;
- tricks whose cards stand in any order: a card was played by whoever was dealt it, and the winner of a trick leads to
  the next;
- a record without a deal: it is the other table of the deal before.
"""

from __future__ import annotations

from bisect import bisect_left
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from worldwise.bridge.rules.auction import PASS, Auction
from worldwise.bridge.rules.board import check_play
from worldwise.bridge.rules.play import winning_place
from worldwise.errors import InputError, PlacedError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from worldwise.bridge.rules.contract import Contract
    from worldwise.bridge.rules.deal import Card, Deal

PlacedCard = tuple["Card", str]
"""A card, and where it is written."""


@dataclass
class SetAside:
    """What was set aside of a record; a strict one sets nothing aside.

    >>> aside = SetAside()
    >>> with aside.part("line 7"):
    ...     raise InputError("expected a card, found 'H1'")
    >>> [str(warning) for warning in aside.warnings]
    ["line 7: expected a card, found 'H1'"]
    """

    strict: bool = False
    warnings: list[PlacedError] = field(default_factory=list)

    @contextmanager
    def part(self, place: str = "") -> Iterator[None]:
        """A part that the rest can do without."""
        try:
            yield
        except InputError as fault:
            found = fault if isinstance(fault, PlacedError) else PlacedError(str(fault), place)
            if self.strict:
                raise found from None
            self.warnings.append(found)


# ---------------------------------------------------------------------- auctions


def settle_auction(auction: Auction, contract: Contract) -> tuple[Auction, Contract]:
    """The auction with the opening passes that were left out of it, and the contract with the doubles that were.

    >>> from worldwise.bridge.rules.contract import Contract
    >>> auction, contract = settle_auction(Auction.read("N: 1NT X AP"), Contract.read("1NT by S"))
    >>> str(auction), str(contract)
    ('N: Pass Pass 1NT X Pass Pass Pass', '1NTX by S')
    """
    if not auction.over or auction.passed_out:
        return auction, contract
    for found in (_after_passes(auction, passes) for passes in range(4)):
        if (called := found.contract) and contract in (called, replace(called, doubled=0)):
            return found, called
    return auction, contract


def _after_passes(auction: Auction, passes: int) -> Auction:
    """The calls after so many passes: whoever may double whom stays the same."""
    alerts = tuple(replace(alert, place=alert.place + passes) for alert in auction.alerts)
    opening = next(place for place, call in enumerate(auction.calls) if call != PASS)
    return Auction(auction.dealer, (PASS,) * passes + auction.calls, alerts) if opening + passes < 4 else auction


# ---------------------------------------------------------------------- play


def read_play(
    deal: Deal,
    contract: Contract,
    written: Iterable[PlacedCard],
    rows: Sequence[Sequence[PlacedCard]],
    aside: SetAside,
) -> list[PlacedCard]:
    """The cards in the order of play: as written; or, if that breaks the rules, by who was dealt them.

    If neither is a legal play, the cards before the first that cannot be are kept, and the rest is set aside.
    """
    cards: list[PlacedCard] = []
    try:
        cards.extend(written)
        _check(deal, contract, cards)
    except PlacedError as fault:
        if aside.strict:
            raise
        by_holder = list(_order_by_holder(rows, deal, contract))
        if len(by_holder) == sum(map(len, rows)) and not _breaks_a_rule(deal, contract, by_holder):
            return by_holder
        aside.warnings.append(fault)
        return max((_legal_start(deal, contract, found) for found in (cards, by_holder)), key=len)
    return cards


def _check(deal: Deal, contract: Contract, cards: Sequence[PlacedCard]) -> None:
    check_play(deal, contract, [card for card, _ in cards], [place for _, place in cards])


def _breaks_a_rule(deal: Deal, contract: Contract, cards: Sequence[PlacedCard]) -> bool:
    try:
        _check(deal, contract, cards)
    except PlacedError:
        return True
    return False


def _legal_start(deal: Deal, contract: Contract, cards: Sequence[PlacedCard]) -> list[PlacedCard]:
    """The longest beginning of a play that breaks no rule."""
    counts = range(1, len(cards) + 1)
    return list(cards[: bisect_left(counts, True, key=lambda count: _breaks_a_rule(deal, contract, cards[:count]))])


def _order_by_holder(rows: Sequence[Sequence[PlacedCard]], deal: Deal, contract: Contract) -> Iterator[PlacedCard]:
    """Tricks whose cards stand in any order, up to one that cannot be a trick."""
    leader = contract.leader
    for row in rows:
        by_seat = {deal.holder(card): (card, place) for card, place in row}
        trick = [by_seat[seat] for seat in (leader.after(step) for step in range(4)) if seat in by_seat]
        yield from trick
        if len(trick) < 4:
            return
        leader = leader.after(winning_place([card for card, _ in trick], contract.strain))
