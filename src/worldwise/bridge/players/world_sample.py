"""What a seat makes of its view: the cards it may play, the layouts it holds possible, and a sample of these."""

from __future__ import annotations

from dataclasses import dataclass, field
from random import Random
from typing import TYPE_CHECKING

from worldwise.bridge.layouts.bidding_systems import DEFAULT_SYSTEM
from worldwise.bridge.layouts.carding import Carding
from worldwise.bridge.layouts.evidence import Evidence
from worldwise.bridge.layouts.sampler import Layouts
from worldwise.bridge.rules.deal import SUIT_CARDS, cards_in, set_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from worldwise.bridge.rules.deal import Card, Deal
    from worldwise.bridge.rules.view import View


def legal_cards(view: View) -> list[Card]:
    """The cards a player on turn may play.

    >>> from worldwise.bridge.rules.contract import Contract
    >>> from worldwise.bridge.rules.deal import Deal, Seat, card_name, read_card
    >>> from worldwise.bridge.rules.play import Play
    >>> from worldwise.bridge.rules.view import view_of
    >>> deal = Deal.read("N:A2... K3... Q4... J5...")
    >>> view = view_of(Play(deal, Contract.read("1NT by S"), (read_card("SJ"),)), Seat.SOUTH)
    >>> [card_name(card) for card in legal_cards(view)]
    ['SA', 'S2']
    """
    view.expect_turn()
    hand = view.faced[view.to_move] & ~set_of(view.played)
    on_table = len(view.played) % 4
    following = hand & SUIT_CARDS[view.played[-on_table] >> 4] if on_table else 0
    return list(cards_in(following or hand))


def dice(seed: int, view: View) -> Random:
    """Chance for one move: a move taken back and made again is made alike."""
    return Random(f"{seed} {view.seat.letter} {len(view.played)}")


def follows(view: View, earlier: View) -> bool:
    """Whether a view is what an earlier one has become, or still is."""
    before = len(earlier.played)
    same = (view.seat, view.contract, view.hand, view.pack) == (
        earlier.seat,
        earlier.contract,
        earlier.hand,
        earlier.pack,
    )
    return same and view.played[:before] == earlier.played


def fits(view: View, deal: Deal) -> bool:
    """Whether the hands of a deal are what a view shows, hold what was played, and lack what they showed out of."""
    played, void = view.played_by(), view.void_in()
    return all(deal[seat] == hand for seat, hand in view.faced.items()) and not any(
        played[seat] & ~deal[seat] or deal[seat] & ~played[seat] & void[seat] for seat in view.hidden
    )


@dataclass
class WorldSample:
    """A sample of the layouts a seat holds possible, kept from move to move; no layout is in it twice.

    What has been ruled out since the last move is dropped, and as many new layouts are drawn. That stays uniform: a
    random subset of the layouts that were possible, restricted to those that still are, is a random subset of these.
    After a move is taken back it would not be (what is left was chosen by cards nobody has played now), so the sample
    is drawn afresh.

    Where an auction was heard, layouts are drawn as often as it says by the ``system``, and ``heard`` tells how often
    each one came.

    >>> from worldwise.bridge.rules.contract import Contract
    >>> from worldwise.bridge.rules.deal import Deal, Seat, read_card
    >>> from worldwise.bridge.rules.play import Play
    >>> from worldwise.bridge.rules.view import view_of
    >>> play = Play(Deal.read("N:AQ4... K53... 876... JT9..."), Contract.read("1NT by S"), (read_card("SJ"),))
    >>> worlds = WorldSample(8)
    >>> len(worlds.follow(view_of(play, Seat.SOUTH)))
    8
    >>> play = play.then(read_card("SQ")).then(read_card("SK"))
    >>> len(worlds.follow(view_of(play, Seat.SOUTH)))
    6
    """

    number: int
    constraints: Sequence[str] = ()
    seed: int = 0
    system: str = DEFAULT_SYSTEM
    _kept: dict[Deal, int] = field(default_factory=dict)
    _last: View | None = None

    def follow(self, view: View) -> Sequence[Deal]:
        """The worlds for the next move."""
        goes_on = self._last is not None and follows(view, self._last)
        kept = {deal: often for deal, often in self._kept.items() if goes_on and fits(view, deal)}
        if len(kept) < self.number:
            kept = self._draw(view, kept)
        self._kept, self._last = kept, view
        return list(kept)

    def auction_weights(self, worlds: Sequence[Deal]) -> list[int]:
        """How much these worlds, which are the last ones, weigh by the auction."""
        return [self._kept[world] for world in worlds]

    def _draw(self, view: View, kept: Mapping[Deal, int]) -> dict[Deal, int]:
        """What was kept, and as many new ones as are missing."""
        evidence = Evidence(tuple(self.constraints), Carding.NONE, self.system)
        rng, missing = dice(self.seed, view), self.number - len(kept)
        if evidence.belief(view) is None:
            fresh = Layouts(view, self.constraints).sample_different(rng, self.number)
            return {**kept, **dict.fromkeys([deal for deal in fresh if deal not in kept][:missing], 1)}
        drawn = evidence.draw(view, self.number, rng, pool=0)
        new = dict(zip(drawn.worlds, drawn.weights, strict=True))
        return new if drawn.exact else {**dict(list(new.items())[:missing]), **kept}
