"""The plan behind a card: what declarer plays next, for each card the defenders may play.

A chance is had only by one who plays on as it was counted, so advice that names a card and a chance should say how the
play goes on. The plan follows one main line, in which a defender plays what he can play in most of the layouts looked
at; and at each place of it it says what each of his other cards would be answered with. Nothing here judges a card:
whoever asks for a plan says how declarer chooses, so a plan never says anything that he would not play.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import TYPE_CHECKING

from worldwise.bridge.rules.deal import cards_in

if TYPE_CHECKING:
    from collections.abc import Iterator

    from worldwise.bridge.rules.deal import Card, Deal, Seat
    from worldwise.bridge.rules.view import View

TRICKS = 2
"""A plan is for so many tricks, beginning with that of the first card, and for what is led after them."""

MOST_PLACES = 6
"""No plan has more places than this."""

MOST_CARDS, RARE = 8, 0.1
"""In one place so many of a defender's cards are looked at, none of them possible in a smaller share of the layouts."""

Chosen = tuple["Card", bool]
"""A card, and whether it matters which is played."""

Chooser = Callable[["View", Sequence["Deal"]], Chosen | None]
"""How declarer chooses, from what he knows and the layouts that are left; None if there is no time to."""


@dataclass(frozen=True)
class Reply:
    """If the defender plays one of the cards ``when``, declarer plays ``play`` from ``seat``."""

    when: tuple[Card, ...]
    play: Card
    seat: Seat


@dataclass(frozen=True)
class PlanPlace:
    """A place of the plan: ``after`` these cards, which follow the one that is advised, ``by`` is to play a card.

    ``by`` is None if no defender plays before declarer does. ``others`` are cards that ``by`` may play and that have no
    reply here: because a defender plays next, or because they were not looked at.
    """

    after: tuple[Card, ...]
    by: Seat | None
    replies: tuple[Reply, ...]
    others: tuple[Card, ...] = ()


def plan(view: View, worlds: Sequence[Deal], first: Card, choose: Chooser) -> tuple[PlanPlace, ...]:
    """What follows the first card, as far as there is time and something to decide."""
    return tuple(islice(_Line(view, worlds, choose).places(first), MOST_PLACES))


def worlds_after(view: View, worlds: Sequence[Deal], cards: Sequence[Card]) -> tuple[View, list[Deal]]:
    """What the player knows once these cards are played too, and the layouts in which they can be."""
    left = list(worlds)
    for card in cards:
        left = [world for world in left if view.position(world).legal >> card & 1]
        view = _then(view, card)
    return view, left


def played_since(view: View, first: Card, place: PlanPlace, before: PlanPlace | None) -> list[tuple[Seat, Card]]:
    """Who played what between two places of a plan, but for the reply that was given at the one ``before``.

    Without one before, all that followed the first card.
    """
    view = replace(view, played=(*view.played, first, *place.after))
    since = view.history()[len(view.played) - len(place.after) :]
    if before is None:
        return since
    given = {(reply.seat, reply.play) for reply in before.replies}
    return [played for number, played in enumerate(since[len(before.after) :]) if number > 1 or played not in given]


def _then(view: View, card: Card) -> View:
    return replace(view, played=(*view.played, card))


class _Line:
    """Follows the main line."""

    def __init__(self, view: View, worlds: Sequence[Deal], choose: Chooser) -> None:
        self.root, self.view, self.worlds, self.choose = view, view, list(worlds), choose
        self.stopped = False

    def places(self, first: Card) -> Iterator[PlanPlace]:
        """Place by place, but for those in which there is nothing to decide."""
        self.play(first)
        while self.going:
            place, matters = self.plan_own_card() if self.view.on_turn else self.plan_replies()
            if matters:
                yield place

    def play(self, *cards: Card) -> None:
        self.view, self.worlds = worlds_after(self.view, self.worlds, cards)

    @property
    def going(self) -> bool:
        """Whether there is time, and the tricks that are planned are not over."""
        played = len(self.view.played)
        planned = played // 4 < len(self.root.played) // 4 + TRICKS
        return not self.stopped and planned and played < self.view.pack.bit_count()

    def plan_own_card(self) -> tuple[PlanPlace, bool]:
        """Declarer plays twice running: he has won the trick with its last card."""
        chosen = self.choose(self.view, self.worlds)
        if chosen is None:
            self.stopped = True
            return PlanPlace(self.after, None, ()), False
        place = PlanPlace(self.after, None, (Reply((), chosen[0], self.view.to_move),))
        self.play(chosen[0])
        return place, chosen[1]

    def plan_replies(self) -> tuple[PlanPlace, bool]:
        """A defender plays, and declarer after him."""
        cards, rare = self.defenders_cards()
        replies: dict[tuple[Card, Seat], list[Card]] = {}
        others, matters = [], False
        for card in cards:
            view, worlds = worlds_after(self.view, self.worlds, [card])
            chosen = self.choose(view, worlds) if view.on_turn and not self.stopped else None
            if chosen is None:
                others.append(card)
                self.stopped |= view.on_turn
            else:
                matters |= chosen[1]
                replies.setdefault((chosen[0], view.to_move), []).append(card)
        given = tuple(Reply(tuple(when), *play) for play, when in replies.items())
        place = PlanPlace(self.after, self.view.to_move, given, (*others, *rare))
        self.play(cards[0], *(reply.play for reply in given if cards[0] in reply.when))
        return place, matters

    @property
    def after(self) -> tuple[Card, ...]:
        """What followed the first card."""
        return self.view.played[len(self.root.played) + 1 :]

    def defenders_cards(self) -> tuple[list[Card], list[Card]]:
        """What the defender may play, first what he can play in most layouts, the lowest first; and what is rare."""
        count = Counter(card for world in self.worlds for card in cards_in(self.view.position(world).legal))
        cards = sorted(count, key=lambda card: (-count[card], card & 15, card))
        often = [card for card in cards[:MOST_CARDS] if count[card] >= RARE * len(self.worlds)]
        often = often or cards[:1]
        return often, cards[len(often) :]
