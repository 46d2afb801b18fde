"""The auction: calls, whose turn it is, which calls the rules allow, and the contract that comes of it.

A call is a number, as a card is: 0 a pass, 1 a double, 2 a redouble, and the bids from 5 (1♣) to 39 (7NT), so that a
higher bid is a greater number. People see names: ``call_name``, ``read_call``.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from worldwise.bridge.rules.contract import Contract, Strain
from worldwise.bridge.rules.deal import Seat
from worldwise.errors import InputError, PlacedError

Call = int
"""0 pass, 1 double, 2 redouble, otherwise a bid: ``5 * level + rank of the strain``, clubs being 0 and notrump 4."""

PASS, DOUBLE, REDOUBLE = 0, 1, 2

_WORDS = {
    **dict.fromkeys(("P", "PASS", "-P-"), PASS),
    **dict.fromkeys(("X", "D", "DBL", "DOUBLE"), DOUBLE),
    **dict.fromkeys(("XX", "R", "RDBL", "REDOUBLE"), REDOUBLE),
}
_ALL_PASS = ("AP", "ALLPASS", "ALL-PASS")


def bid_of(level: int, strain: Strain) -> Call:
    """The bid of a level in a strain.

    >>> call_name(bid_of(3, Strain.NOTRUMP)), bid_of(1, Strain.CLUBS) < bid_of(1, Strain.SPADES)
    ('3NT', True)
    """
    return 5 * level + (3 - strain) % 5


BIDS = tuple(range(bid_of(1, Strain.CLUBS), bid_of(7, Strain.NOTRUMP) + 1))
"""All bids, the lowest first."""


def level_of(bid: Call) -> int:
    """A bid's level, 1 to 7."""
    return bid // 5


def strain_of(bid: Call) -> Strain:
    """A bid's strain."""
    return Strain((3 - bid) % 5)


def call_name(call: Call) -> str:
    """A call as PBN writes it.

    >>> [call_name(call) for call in (PASS, DOUBLE, REDOUBLE, 5, 39)]
    ['Pass', 'X', 'XX', '1C', '7NT']
    """
    if call in BIDS:
        return f"{level_of(call)}{strain_of(call).letter}"
    return ("Pass", "X", "XX")[call]


def read_call(text: str) -> Call:
    """A call from its name, in most of the ways people write it.

    >>> [call_name(read_call(text)) for text in ("p", "1n", "4♥", "dbl", "XX")]
    ['Pass', '1NT', '4H', 'X', 'XX']
    """
    word = text.strip().upper()
    if word in _WORDS:
        return _WORDS[word]
    if word[:1] in tuple("1234567") and len(word) > 1:
        return bid_of(int(word[0]), Strain.of(word[1:]))
    raise InputError(f"expected a call such as 1NT, Pass, X or XX, found {text!r}")


@dataclass(frozen=True)
class Alert:
    """What was said about a call: the number of calls before it, and the explanation, if any was given."""

    place: int
    text: str = ""


@dataclass(frozen=True)
class Auction:
    """The calls from the dealer on, all of them legal; the auction may still be going on.

    >>> auction = Auction.read("N: 1NT Pass 3NT AP")
    >>> str(auction), auction.over, str(auction.contract)
    ('N: 1NT Pass 3NT Pass Pass Pass', True, '3NT by N')
    """

    dealer: Seat
    calls: tuple[Call, ...] = ()
    alerts: tuple[Alert, ...] = ()

    def __post_init__(self) -> None:
        so_far = _Standing()
        for place, call in enumerate(self.calls):
            so_far.check(call, _place_of_call(self.dealer, place))
            so_far = so_far.after(call, place)
        self._check_alerts()
        object.__setattr__(self, "alerts", tuple(sorted(self.alerts, key=lambda alert: alert.place)))

    def _check_alerts(self) -> None:
        places = [alert.place for alert in self.alerts]
        if any(not 0 <= place < len(self.calls) for place in places) or len(set(places)) < len(places):
            raise InputError(f"expected alerts of the {len(self.calls)} calls, one of each at most, found {places!r}")

    def __str__(self) -> str:
        return f"{self.dealer.letter}: " + " ".join(map(call_name, self.calls))

    @classmethod
    def read(cls, text: str) -> Auction:
        """An auction in words: the dealer, a colon, the calls; ``AP`` is all pass."""
        seat, colon, rest = text.partition(":")
        if not colon:
            raise InputError(f"expected an auction such as 'N: 1NT Pass 3NT AP', found {text!r}")
        calls = CallRecorder(Seat.of(seat.strip()))
        for word in re.sub(r"(?i)\ball\s+pass\b", "AP", rest).split():
            if word.upper() in _ALL_PASS:
                calls.take_all_passes()
            else:
                calls.take(read_call(word))
        return calls.auction or cls(calls.dealer)

    @classmethod
    def leading_to(cls, dealer: Seat, contract: Contract) -> Auction:
        """The shortest auction that ends in a contract.

        >>> str(Auction.leading_to(Seat.EAST, Contract.read("2SX by W")))
        'E: Pass Pass 2S X Pass Pass Pass'
        """
        opening = [PASS] * (contract.declarer - dealer & 3) + [bid_of(contract.level, contract.strain)]
        doubles = [DOUBLE, REDOUBLE][: contract.doubled]
        return cls(dealer, (*opening, *doubles, PASS, PASS, PASS))

    # ------------------------------------------------------------------ where it stands

    @property
    def turn(self) -> Seat:
        """Who calls next."""
        return self.dealer.after(len(self.calls))

    @property
    def over(self) -> bool:
        """Whether three passes have followed a call, or four have begun the auction."""
        return len(self.calls) >= 4 and not any(self.calls[-3:])

    @property
    def passed_out(self) -> bool:
        """Whether everybody has passed."""
        return self.over and not any(self.calls)

    @property
    def contract(self) -> Contract | None:
        """What would be played if nobody bid on; None without a bid."""
        standing = self._standing
        if standing.bid == PASS:
            return None
        strain = strain_of(standing.bid)
        return Contract(level_of(standing.bid), strain, self._first_to_name(strain, standing.bidder), standing.doubled)

    def _first_to_name(self, strain: Strain, bidder: int) -> Seat:
        """Who of the bidder's side bid the strain first."""
        ours = range(bidder & 1, len(self.calls), 2)
        first = next(place for place in ours if self.calls[place] in BIDS and strain_of(self.calls[place]) == strain)
        return self.dealer.after(first)

    @property
    def _standing(self) -> _Standing:
        standing = _Standing()
        for place, call in enumerate(self.calls):
            standing = standing.after(call, place)
        return standing

    @property
    def legal(self) -> tuple[Call, ...]:
        """The calls the player to call may make.

        >>> [call_name(call) for call in Auction.read("N: 7D X 7NT").legal]
        ['Pass', 'X']
        """
        standing = self._standing
        return tuple(call for call in (PASS, DOUBLE, REDOUBLE, *BIDS) if not standing.objection(call))

    def by_seat(self) -> tuple[tuple[Seat, Call], ...]:
        """Who made which call, in order."""
        return tuple((self.dealer.after(place), call) for place, call in enumerate(self.calls))

    def explanation(self, place: int) -> str | None:
        """What was said about a call; None if it was not alerted."""
        return next((alert.text for alert in self.alerts if alert.place == place), None)

    # ------------------------------------------------------------------ going on

    def then(self, call: Call, explanation: str | None = None) -> Auction:
        """The auction with one call more; with an explanation, perhaps an empty one, the call is alerted."""
        self._standing.check(call, _place_of_call(self.dealer, len(self.calls)))
        after = replace(self, calls=(*self.calls, call))
        return after if explanation is None else after.alert(explanation)

    def alert(self, explanation: str) -> Auction:
        """The auction with its last call alerted; a second explanation is added to the first."""
        place = len(self.calls) - 1
        said = self.explanation(place)
        kept = tuple(alert for alert in self.alerts if alert.place != place)
        text = "; ".join(filter(None, (said, explanation)))
        return replace(self, alerts=(*kept, Alert(place, text)))

    def all_pass(self) -> Auction:
        """The auction after as many passes as end it."""
        auction = self
        while not auction.over:
            auction = auction.then(PASS)
        return auction


@dataclass(frozen=True)
class _Standing:
    """All that decides which call is legal: the last bid, who made it, doubles since, passes since."""

    bid: Call = PASS
    bidder: int = 0
    doubled: int = 0
    passes: int = 0
    calls: int = 0

    def after(self, call: Call, place: int) -> _Standing:
        if call == PASS:
            return replace(self, passes=self.passes + 1, calls=place + 1)
        if call in (DOUBLE, REDOUBLE):
            return replace(self, doubled=call, passes=0, calls=place + 1)
        return _Standing(call, place, 0, 0, place + 1)

    @property
    def over(self) -> bool:
        return self.passes == (3 if self.bid else 4)

    def objection(self, call: Call) -> str:
        """What one might have expected instead of a call; empty if the call is legal."""
        theirs = bool(self.bid) and (self.calls - self.bidder) & 1 == 1
        if self.over:
            return "no call after the end of the auction"
        if call == DOUBLE and not (theirs and self.doubled == 0):
            return "a double of the opponents' bid only, once"
        if call == REDOUBLE and (theirs or self.doubled != 1):
            return "a redouble of the opponents' double only"
        if call in BIDS and call <= self.bid:
            return f"a bid above {call_name(self.bid)}"
        return "" if call in (PASS, DOUBLE, REDOUBLE, *BIDS) else "a call"

    def check(self, call: Call, place: str) -> None:
        objection = self.objection(call)
        if objection:
            name = call_name(call) if call in (PASS, DOUBLE, REDOUBLE, *BIDS) else call
            raise PlacedError(f"expected {objection}, found {name!r}", place)


class CallRecorder:
    """Takes calls down one by one, and what is said of them: the way to a long auction, of which ``then`` makes a copy.

    >>> calls = CallRecorder(Seat.NORTH)
    >>> calls.take(read_call("1NT"))
    >>> calls.alert("12-14")
    >>> calls.take_all_passes()
    >>> str(calls.auction)
    'N: 1NT Pass Pass Pass'
    """

    def __init__(self, dealer: Seat) -> None:
        self.dealer = dealer
        self._calls: list[Call] = []
        self._said: dict[int, list[str]] = {}
        self._standing = _Standing()

    def take(self, call: Call) -> None:
        """A call; ``PlacedError`` if it is against the rules."""
        place = len(self._calls)
        self._standing.check(call, _place_of_call(self.dealer, place))
        self._standing = self._standing.after(call, place)
        self._calls.append(call)

    def take_all_passes(self) -> None:
        """As many passes as end the auction."""
        while not self._standing.over:
            self.take(PASS)

    def alert(self, explanation: str) -> None:
        """The last call is alerted, if there is one; a second explanation is added to the first."""
        if self._calls:
            self._said.setdefault(len(self._calls) - 1, []).append(explanation)

    @property
    def auction(self) -> Auction | None:
        """The auction so far; None before the first call."""
        alerts = tuple(Alert(place, "; ".join(filter(None, said))) for place, said in self._said.items())
        return Auction(self.dealer, tuple(self._calls), alerts) if self._calls else None


def _place_of_call(dealer: Seat, place: int) -> str:
    return f"call {place + 1} ({dealer.after(place)})"
