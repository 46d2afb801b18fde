"""Beliefs: what a player holds possible, and how it changes with what the player hears."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol, Self, TypeVar

if TYPE_CHECKING:
    from collections.abc import Hashable
    from random import Random

State = TypeVar("State", covariant=True)


class Belief(Protocol[State]):
    """The states a player cannot rule out, weighted by how likely they are. A value: nothing changes in place."""

    def after(self, observation: Hashable) -> Self:
        """The belief once this has been heard."""

    def sample(self, rng: Random) -> State:
        """One state drawn by its probability; the same seed draws the same states."""
