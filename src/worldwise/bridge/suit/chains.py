"""Chains of steps that may be a line of play, and how far each of them goes."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from worldwise.bridge.suit.situations import NONE
from worldwise.bridge.suit.steps import LOW, TEN
from worldwise.bridge.suit.texts import NO_STEPS, STUCK, chain_cost, step_cost

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from worldwise.bridge.suit.line_play import LinePlay
    from worldwise.bridge.suit.situations import Keys
    from worldwise.bridge.suit.steps import Step
from worldwise.bridge.suit.texts import Chain

LONGEST = 4
"""Steps of a chain."""

CANDIDATES = 8
"""How many steps, the most useful ones, are tried at the end of a chain."""

LEAST_CASE = 8.0
"""The words of the shortest exception."""


@dataclass(frozen=True)
class Track:
    """A chain, where it is stuck, where it has been done, and where playing from the top is stuck after that."""

    chain: Chain
    stuck: Keys
    done: Keys
    stuck_later: Keys

    @property
    def all_stuck(self) -> Keys:
        """Where it takes an exception."""
        return self.stuck | self.stuck_later

    @property
    def least(self) -> float:
        """What a text with this chain costs at least."""
        return chain_cost(self.chain) + LEAST_CASE * bool(self.stuck or self.stuck_later)

    @property
    def promise(self) -> float:
        """What it may cost."""
        return max(chain_cost(self.chain) + STUCK * len(self.all_stuck), self.least)


class Chains:
    """Finds chains for some situations."""

    def __init__(self, play: LinePlay, entries: Keys) -> None:
        self.play, self.entries = play, entries
        self.start = self._track(NO_STEPS, NONE, entries)

    def find(self, firsts: Sequence[Step] | None, width: int) -> list[Track]:
        """Chains that may do, the most promising first; so many are made longer at a time.

        If there are first steps, the chain has to begin with one of them.
        """
        found, growing = [] if firsts is not None else [self.start], [self.start]
        for _ in range(LONGEST):
            longer = [more for track in growing for more in self.longer(track, None if track.chain else firsts)]
            longer.sort(key=lambda track: track.promise)
            found += longer
            growing = [track for track in longer if track.stuck_later][:width]
        able = [track for track in found if not track.all_stuck & self.entries]
        return sorted(able, key=lambda track: track.promise)

    def longer(self, track: Track, steps: Sequence[Step] | None = None) -> Iterator[Track]:
        """A chain with one more step, in all ways that are useful."""
        for step in self._useful_steps(track) if steps is None else steps:
            courses = [self.play.course(here, step) for here in track.done]
            stuck = track.stuck.union(*(course.stuck for course in courses))
            done = NONE.union(*(course.done for course in courses))
            if not stuck & self.entries and done != track.done:
                yield self._track((*track.chain, step), stuck, done)

    def _track(self, chain: Chain, stuck: Keys, done: Keys) -> Track:
        return Track(chain, stuck, done, NONE.union(*map(self.play.stuck_on_top, done)))

    def _useful_steps(self, track: Track) -> list[Step]:
        """Steps that help where playing from the top would not, those that help most often first."""
        needy = sorted(here for here in track.done if self.play.stuck_on_top(here))[:CANDIDATES]
        alike = [steps for here in needy for steps in self.play.steps(here)]
        # Names for the same play matter where it has to be the same for several situations.
        helped = Counter(step for steps in alike for step in (steps if len(needy) > 1 else steps[:1]))
        order = sorted(helped, key=lambda step: (-helped[step], step_cost(step), *_plainness(step), step))
        return order if not track.chain else order[:CANDIDATES]


def _plainness(step: Step) -> tuple[bool, int, int]:
    """Of steps that come to the same, the one with the higher cards; nobody leads low to a spot card who may duck."""
    return not step.lead and LOW < step.third < TEN, -step.lead, -step.third
