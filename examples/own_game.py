"""A game of your own: the three doors of the quiz show, as a ``WorldGame``.

A prize is behind one door; each door is a world. You (MAX) pick a door. The host (MIN), who knows where the prize is,
opens every other door but one, never the one with the prize. You stay with your door or switch to the other.

Run it: ``python examples/own_game.py``
"""

from __future__ import annotations

from dataclasses import dataclass

from worldwise import ALGORITHMS, Side, solve, unroll
from worldwise.testing import check_world_game

Door = int
Position = tuple[Door | str, ...]
"""What has been played so far: the door picked, the other door left closed, then "stay" or "switch"."""


@dataclass(frozen=True)
class ThreeDoors:
    """Seven members make a ``WorldGame``; no base class is needed."""

    worlds: int = 3

    @property
    def weights(self) -> tuple[int, ...]:
        """Every door is equally likely."""
        return (1,) * self.worlds

    @property
    def root(self) -> Position:
        """Nothing has been played."""
        return ()

    def to_move(self, position: Position) -> Side | None:
        """You pick, the host answers, you decide."""
        return (Side.MAX, Side.MIN, Side.MAX, None)[len(position)]

    def moves(self, position: Position) -> tuple[Door | str, ...]:
        """A door to pick; a door to leave closed; whether to switch."""
        if len(position) == 2:
            return ("stay", "switch")
        return tuple(door for door in range(self.worlds) if door not in position)

    def play(self, position: Position, move: Door | str) -> Position:
        """Histories are positions: two ways to get somewhere are two positions."""
        return (*position, move)

    def payoffs(self, position: Position) -> tuple[int | None, ...]:
        """1 if you have the prize. Where it is behind neither door, the host could not have left that one closed."""
        picked, other, decision = position
        taken = picked if decision == "stay" else other
        return tuple(int(world == taken) if world in (picked, other) else None for world in range(self.worlds))


def main() -> None:
    """Check the game, then let every algorithm play it."""
    game = ThreeDoors()
    print(check_world_game(game))
    print(f"{'algorithm':14}{'believes':>9}{'is worth':>9}  strategy")
    for name in ALGORITHMS:
        result = solve(game, name)
        later = [f"{move} if {position[1]} stays closed" for position, move in result.strategy.items() if position]
        print(f"{name:14}{result.believed:9.3f}{result.value:9.3f}  pick {result.move}; {', '.join(later)}")
    print(f"As a tree, which the compiled kernels can search: {unroll(game)}")


if __name__ == "__main__":
    main()
