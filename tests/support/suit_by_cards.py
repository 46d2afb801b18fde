"""A single suit card by card: nothing is equal to anything, and every layout is a world. Slow, short, and an oracle.

Nothing here is taken from ``bridge.suit``: no classes, no tables, no lean plays. Free entries only.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import combinations
from math import comb

from worldwise.bridge.rules.cards import RANKS
from worldwise.core.game import Side

OUT, RUFF = 0, 99


def ranks(text):
    return frozenset(RANKS.index(card) + 2 for card in text if card != "-")


def small(rng, most=7):
    """Hands of declarer's and the defenders' cards, of any ranks; the other cards are gone."""
    cards = rng.sample(RANKS, 13)
    north, south, missing = rng.randint(1, 3), rng.randint(0, 2), rng.randint(1, 3)
    missing = min(missing, most - north - south)
    hands = cards[:north], cards[north : north + south], cards[north + south : north + south + missing]
    north, south, missing = ("".join(hand) or "-" for hand in hands)
    gone = "".join(card for card in RANKS if card not in north + south + missing)
    return north, south, missing, gone


@dataclass(frozen=True)
class Place:
    """What everyone has seen; ``trick`` has (seat, card) pairs."""

    hands: tuple[frozenset, frozenset]
    shown: tuple[frozenset, frozenset] = (frozenset(), frozenset())
    out: tuple[bool, bool] = (False, False)
    tricks: int = 0
    trick: tuple = ()
    ruffs: int = 0


@dataclass(frozen=True)
class SuitByCards:
    """Seats go round as N E S W; the worlds are West's hands, in an order of no importance.

    Without a goal every trick counts.
    """

    north: str
    south: str
    missing: str
    goal: int | None = None
    west: str = "-"
    east: str = "-"
    west_length: tuple[int, int] = (0, 13)
    west_cards: int = 13
    east_cards: int = 13
    ruffs: int = 0
    defenders_lead: str = "never"

    @property
    def wests(self):
        cards = ranks(self.missing)
        return [frozenset(west) for count in range(len(cards) + 1) for west in combinations(sorted(cards), count)
                if self.weight(frozenset(west))]  # fmt: skip

    def weight(self, west):
        cards = ranks(self.missing)
        least, most = self.west_length
        least, most = max(least, self.defenders_lead == "west"), min(most, len(cards) - (self.defenders_lead == "east"))
        if not least <= len(west) <= most or not ranks(self.west) <= west or ranks(self.east) & west:
            return 0
        others = self.west_cards + self.east_cards - len(cards)
        room = self.west_cards - len(west)
        return comb(others, room) if 0 <= room <= others else 0

    @property
    def worlds(self):
        return len(self.wests)

    @property
    def weights(self):
        return tuple(map(self.weight, self.wests))

    @property
    def root(self):
        return Place((ranks(self.north), ranks(self.south)), ruffs=self.ruffs)

    def holds(self, seat, west):
        return west if seat == "W" else ranks(self.missing) - west

    def fits(self, place, west):
        for number, seat in enumerate("EW"):
            held, shown = self.holds(seat, west), place.shown[number]
            if not shown <= held or (place.out[number] and held != shown):
                return False
        return True

    def turns(self, place):
        """Who may play next."""
        if place.trick:
            return ["NESW"[("NESW".index(place.trick[0][0]) + len(place.trick)) % 4]]
        if not any(place.hands) or (self.goal is not None and place.tricks >= self.goal):
            return []
        shown = len(place.shown[0] | place.shown[1])
        if (
            self.defenders_lead != "never"
            and shown < len(ranks(self.missing))
            and (self.defenders_lead == "always" or not shown)
        ):
            return {"west": ["W"], "east": ["E"]}.get(self.defenders_lead, ["W", "E"])
        return [seat for seat, hand in zip("NS", place.hands, strict=True) if hand]

    def to_move(self, place):
        seats = self.turns(place)
        return None if not seats else Side.MAX if seats[0] in "NS" else Side.MIN

    def moves(self, place):
        return [(seat, card) for seat in self.turns(place) for card in self.cards(place, seat)]

    def cards(self, place, seat):
        if seat in "NS":
            hand = place.hands["NS".index(seat)]
            return sorted(hand) or [OUT, RUFF][: 1 + (place.ruffs > 0)]
        if place.out["EW".index(seat)]:
            return [OUT] if place.trick else []
        unseen = ranks(self.missing) - place.shown[0] - place.shown[1]
        cards = [*sorted(unseen), *([OUT] if place.trick else [])]
        after = {card: self.play(place, (seat, card), gather=False) for card in cards}
        return [card for card in cards if any(self.fits(after[card], west) for west in self.wests)]

    def play(self, place, move, gather=True):
        seat, card = move
        side = 0 if seat in "NE" else 1
        if seat in "NS":
            hands = tuple(hand - {card} if one == side else hand for one, hand in enumerate(place.hands))
            place = replace(place, hands=hands, ruffs=place.ruffs - (card == RUFF))
        elif card == OUT:
            place = replace(place, out=tuple(flag or one == side for one, flag in enumerate(place.out)))
        else:
            shown = tuple(cards | {card} if one == side else cards for one, cards in enumerate(place.shown))
            place = replace(place, shown=shown)
        trick = (*place.trick, move)
        if len(trick) < 4 or not gather:
            return replace(place, trick=trick)
        winner = max(trick, key=lambda played: played[1])
        return replace(place, trick=(), tricks=place.tricks + (winner[0] in "NS"))

    def key(self, place):
        """Two ways to one place have the same future."""
        return place

    def payoffs(self, place):
        won = place.tricks if self.goal is None else int(place.tricks >= self.goal)
        return [won if self.fits(place, west) else None for west in self.wests]
