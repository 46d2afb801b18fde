"""What the auction says of the hidden hands, in a line for each, and for programs.

======================  =======================================================================================
``system``              by which the calls were read
``hands``               for each hidden ``seat`` that has spoken: ``text``, ``points`` and ``lengths`` by suit from the
                        least to the most (of all types of hand together), whether it is ``balanced`` (null if not
                        told), and its ``calls``
``relaxed``             the calls that no layout fits together with the rest, and that count for little
``seat``, ``place``     of a call: whose it is, and how many calls came before
``call``, ``name``      the call, and what it is called
``text``, ``sure``      what it says; ``sure``, ``likely`` or ``vague``
``explained``           whether that was said at the table
======================  =======================================================================================
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from worldwise.bridge.rules.auction import call_name

if TYPE_CHECKING:
    from collections.abc import Iterator

    from worldwise.bridge.layouts.auction import AuctionBelief, CallMeaning
    from worldwise.bridge.rules.deal import Seat


def belief_lines(belief: AuctionBelief | None) -> Iterator[str]:
    """A line for each hidden hand that has spoken, and one for each call that does not fit.

    >>> from worldwise.bridge.layouts.auction import AuctionBelief, meanings_of
    >>> from worldwise.bridge.layouts.bidding_systems import bidding_system
    >>> from worldwise.bridge.rules.auction import Auction
    >>> said = meanings_of(Auction.read("W: 1H P 2H AP"), bidding_system("sayc"))
    >>> for line in belief_lines(AuctionBelief("sayc", tuple(sorted({one.seat for one in said})), said)):
    ...     print(line)
    North: 0-15 (from Pass)
    East: 5-10, 3+ hearts (from 2H)
    South: 0-15 (from Pass)
    West: 11-16, 5+ hearts (from 1H, Pass)
    """
    if belief is None:
        return
    for seat in belief.hidden:
        said = belief.of_seat(seat)
        if said:
            yield f"{seat}: {belief.narrowed_description(seat)} (from {_calls(said)})"
    for meaning in belief.relaxed:
        yield (
            f"{meaning.seat}'s {call_name(meaning.call)} would show {meaning.description}: "
            "no layout fits that and all the rest, so it counts for little"
        )


def _calls(said: tuple[CallMeaning, ...]) -> str:
    return ", ".join(dict.fromkeys(call_name(meaning.call) for meaning in said))


def belief_json(belief: AuctionBelief | None) -> dict[str, Any] | None:
    """The same for programs; null if no auction was heard."""
    if belief is None:
        return None
    return {
        "system": belief.system,
        "hands": [_hand_json(belief, seat) for seat in belief.hidden if belief.of_seat(seat)],
        "relaxed": list(map(call_json, belief.relaxed)),
    }


def _hand_json(belief: AuctionBelief, seat: Seat) -> dict[str, Any]:
    found = belief.narrowed_description(seat)
    hull = found.hull
    return {
        "seat": seat.letter,
        "text": str(found),
        "points": list(hull.points),
        "lengths": {letter: list(length) for letter, length in zip("SHDC", hull.lengths, strict=True)},
        "balanced": hull.balanced,
        "calls": list(map(call_json, belief.of_seat(seat))),
    }


def call_json(meaning: CallMeaning) -> dict[str, Any]:
    """One call."""
    return {
        "seat": meaning.seat.letter,
        "place": meaning.place,
        "call": call_name(meaning.call),
        "name": meaning.name,
        "text": str(meaning.description),
        "sure": meaning.sure.value,
        "explained": meaning.explained,
    }
