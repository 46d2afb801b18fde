"""What a player of any ``Game`` holds possible, from what he has observed alone: exact while small, then particles.

A belief is told every observation, as it changes. Each history it holds is played on with all moves that fit what was
observed, weighted by how likely the others are to make them. While there are no more than ``most`` histories that is
exact. Where there are more, ``most`` are drawn by their weights, and stand for the others. Where the others may have
done too many things unseen, as with refused tries at kriegspiel, what they did is drawn. If hardly any history fits
what happens next, new first positions are drawn and played through everything observed so far.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import islice
from random import Random
from typing import TYPE_CHECKING, Any

from worldwise.core.belief import Phi, deals_of, probabilities
from worldwise.core.game import CHANCE, Dealt, Redealing
from worldwise.core.result import NO_LIMIT, Clock, Limit
from worldwise.errors import InputError, LimitReachedError

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Iterator, Sequence

    from worldwise.core.belief import History
    from worldwise.core.game import AnyGame
    from worldwise.core.vector import Weight

MOST_HISTORIES = 300
"""Histories that a belief holds; it is exact while there are no more."""

MOST_LISTED = 20_000
"""Deals that are looked through for those that fit; where a game has more, they are drawn."""

FEW_LISTED = 1000
"""The same for a game that can draw deals to fit."""

MOST_UNSEEN = 20_000
"""Moves looked at between two observations; where there are more, what the others did unseen is drawn."""

MOST_UNSEEN_ANEW = 500
"""The same for one history that is played through everything observed."""

MOST_DRAWS = 50
"""How many first positions are drawn for every history wanted before a belief is given up."""


class _TooManyWaysError(Exception):
    """More may have happened unseen than is looked through."""


def _lists_all(game: AnyGame) -> bool:
    """Whether a game lists its deals, and they are few enough to look at."""
    most = FEW_LISTED if isinstance(game, Redealing) else MOST_LISTED
    return isinstance(game, Dealt) and next(islice(game.deals(), most, None), None) is None


@dataclass(frozen=True)
class TrackedBelief:
    """The histories a player cannot rule out, with their weights; ``is_exact`` if none is missing.

    >>> from worldwise.phantom import Phantom
    >>> game = Phantom()
    >>> belief = TrackedBelief.start(game, "o", game.observe(game.start(), "o"))
    >>> belief = belief.after(game.observe(game.play(game.start(), 4), "o"))
    >>> len(belief.histories), belief.is_exact
    (9, True)
    """

    game: AnyGame
    player: Hashable
    histories: tuple[History, ...]
    heard: tuple[Hashable, ...]
    is_exact: bool = True
    most: int = MOST_HISTORIES
    seed: int = 0
    phi: Phi | None = None

    @classmethod
    def start(
        cls,
        game: AnyGame,
        player: Hashable,
        observation: Hashable,
        *,
        most: int = MOST_HISTORIES,
        seed: int = 0,
        phi: Phi | None = None,
    ) -> TrackedBelief:
        """What the player holds possible before the first move, having observed this."""
        empty = cls(game, player, (), (observation,), True, most, seed, phi)
        if _lists_all(game):
            return empty._with_histories([one for one in deals_of(game) if one[1] and empty._sees(one[0], observation)])
        drawn: list[History] = [(first, 1) for first in islice(empty._first_positions(Random(seed)), most)]
        return replace(empty._with_histories(drawn), is_exact=False)

    def after(self, observation: Hashable, limit: Limit = NO_LIMIT) -> TrackedBelief:
        """The belief once this has been observed; what was observed already changes nothing.

        ``LimitReachedError`` if the limit runs out while what is held is played on. New histories are drawn only as
        long as there is time.
        """
        if observation == self.heard[-1]:
            return self
        clock = Clock(limit, "a player's belief")
        told = replace(self, heard=(*self.heard, observation))
        try:
            found = list(told._play_on(self.histories, self.heard[-1], observation, clock))
        except _TooManyWaysError:
            told = replace(told, is_exact=False)
            found = told._draw_on(self.histories, self.heard[-1], observation, self.most, clock)
        if not told.is_exact and len(found) * 10 < self.most:
            found = told._draw_anew(self.most * (1 if found else MOST_DRAWS), clock) or found
        if not found:
            clock.check()
        return told._with_histories(found)

    def sample(self, rng: Random) -> Any:
        """A position, drawn by its probability."""
        return self.samples(rng, 1)[0]

    def samples(self, rng: Random, count: int) -> list[Any]:
        """So many positions, drawn by their probabilities."""
        positions, chances = zip(*self.histories, strict=True)
        return rng.choices(positions, [float(chance) for chance in chances], k=count)

    # ------------------------------------------------------------------ what fits

    def _sees(self, position: Any, observation: Hashable) -> bool:
        return bool(self.game.observe(position, self.player) == observation)

    def _with_histories(self, found: Sequence[History]) -> TrackedBelief:
        """With these histories, or where they are too many, with some drawn in proportion to their weights."""
        if not found:
            raise InputError(f"expected what {self.player!r} may observe here, found {self.heard[-1]!r:.200}")
        if len(found) <= self.most:
            return replace(self, histories=tuple(found))
        rng = Random(f"{self.seed} {len(self.heard)}")
        total, start = sum(float(chance) for _, chance in found), rng.random()
        kept: list[History] = []
        reached = 0.0
        for position, chance in found:  # every step of the total one: less noise than separate draws
            reached += float(chance) / total * self.most
            copies = int(reached - start) + 1 - len(kept) if reached > start else 0
            kept.extend([(position, 1)] * copies)
        return replace(self, histories=tuple(kept), is_exact=False)

    def _play_on(
        self,
        histories: Iterable[History],
        before: Hashable,
        now: Hashable,
        clock: Clock,
        most_unseen: int | None = None,
    ) -> Iterator[History]:
        """What the histories become once the player observes something new, and it is this."""
        waiting, looked_at, most = list(histories), 0, most_unseen or MOST_UNSEEN
        while waiting:
            position, chance = waiting.pop()
            for after, share in self._next(position):
                clock.check()
                looked_at += 1
                if looked_at > most:
                    raise _TooManyWaysError
                seen = self.game.observe(after, self.player)
                if seen == now:
                    yield after, chance * share
                elif seen == before:
                    waiting.append((after, chance * share))

    def _next(self, position: Any) -> Iterator[History]:
        """After each move; one's own are no matter of chance."""
        mover = self.game.to_move(position)
        if mover is None:
            return
        moves = self.game.moves(position)
        shares: Iterable[Weight] = (1,) * len(moves)
        if mover == CHANCE:
            shares = self.game.chances(position)  # type: ignore[attr-defined]
        elif mover != self.player:
            shares = probabilities(self.phi, position, moves)
        yield from ((self.game.play(position, move), share) for move, share in zip(moves, shares, strict=True) if share)

    # ------------------------------------------------------------------ drawing

    def _draw_on(
        self, histories: Sequence[History], before: Hashable, now: Hashable, wanted: int, clock: Clock
    ) -> list[History]:
        """So many ways to come from the histories to what is observed now, drawn as likely as they are; or fewer."""
        rng = Random(f"on {self.seed} {len(self.heard)}")
        found: list[History] = []
        weights = [float(chance) for _, chance in histories]
        for _ in range(wanted * MOST_DRAWS):
            if len(found) == wanted or clock.ran_out(0):
                break
            position: Any = rng.choices(histories, weights)[0][0]
            seen = before
            while position is not None and seen == before:
                position = self._draw_next(position, before, now, rng)
                seen = before if position is None else self.game.observe(position, self.player)
            if position is not None and seen == now:
                found.append((position, 1))
        return found

    def _draw_next(self, position: Any, before: Hashable, now: Hashable, rng: Random) -> Any:
        """One more move, drawn; one's own fits what is observed. None if there is none."""
        ways = list(self._next(position))
        if self.game.to_move(position) == self.player:
            ways = [way for way in ways if self.game.observe(way[0], self.player) in (before, now)]
        return rng.choices(ways, [float(share) for _, share in ways])[0][0] if ways else None

    def _first_positions(self, rng: Random) -> Iterator[Any]:
        """First positions that fit what was observed there, one after another; better ones if the game knows how."""
        if isinstance(self.game, Redealing):
            while True:
                yield self.game.redeal(self.heard[-1], self.player, rng)
        first = self.heard[0]
        for tried in range(self.most * MOST_DRAWS):
            position = self.game.deal(rng)
            if self.game.observe(position, self.player) == first:
                yield position
            elif tried == MOST_LISTED:
                raise InputError(
                    f"expected a game that draws deals to fit what a player sees (a method redeal), found "
                    f"{type(self.game).__name__}, of whose deals none in {tried:,} does"
                )

    def _draw_anew(self, draws: int, clock: Clock) -> list[History]:
        """New first positions, each played through all that was observed, until there are a few or time is up."""
        rng = Random(f"anew {self.seed} {len(self.heard)}")
        found: list[History] = []
        with suppress(LimitReachedError):
            for first in islice(self._first_positions(rng), draws):
                found.extend(self._replay(first, rng, clock))
                if len(found) * 10 >= self.most:  # a few are enough to go on with: most draws do not fit
                    break
        return found

    def _replay(self, first: Any, rng: Random, clock: Clock) -> list[History]:
        """One history through all that was observed: where there are several ways one is drawn, for all of them."""
        history: History = first, 1
        for before, now in zip(self.heard, self.heard[1:], strict=False):
            try:
                ways = list(self._play_on([history], before, now, clock, MOST_UNSEEN_ANEW))
            except _TooManyWaysError:
                ways = self._draw_on([history], before, now, 1, clock)
            if not ways:
                return []
            weights = [float(chance) for _, chance in ways]
            history = rng.choices(ways, weights)[0][0], sum(weights)
        return [history]
