"""A game in extensive form of your own: a prospector, her reading, and an office that may not hear of it.

The ground is wet or dry. The prospector takes a reading, which is right four times in five. She quits, or reports at a
cost of 5; after a report they drill, or leave it. If she has her reading in mind until then, the game has perfect
recall, and IMP-minimax solves it. If an office decides that hears of the report and nothing else, then the player, who
is both of them, has forgotten what she knew.

Run it: ``python examples/own_extensive_game.py``; it writes ``office.efg``.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from worldwise import ExtensiveGame, Solution, read_efg, solve_game
from worldwise.core import CHANCE
from worldwise.extensive import find_forgotten, write_efg, write_out

Position = tuple[str, ...]
"""What has happened so far."""

STEPS = (("wet", "dry"), ("good", "bad"), ("quit", "report"), ("leave", "drill"))


@dataclass(frozen=True)
class Prospector:
    """Eight members make an ``ExtensiveForm``; no base class is needed."""

    forgets: bool = False

    players = ("prospector",)
    root = ()

    def to_move(self, position: Position) -> int | None:
        """Chance twice, then player 0."""
        if len(position) < 2:
            return CHANCE
        return None if len(position) == 4 or "quit" in position else 0

    def moves(self, position: Position) -> tuple[str, ...]:
        """Two, at every step."""
        return STEPS[len(position)]

    def play(self, position: Position, move: str) -> Position:
        """Histories are positions."""
        return (*position, move)

    def chances(self, position: Position) -> tuple[Fraction, ...]:
        """Exact, in the order of the moves: of the ground, then of the reading."""
        first = {(): Fraction(2, 5), ("wet",): Fraction(4, 5), ("dry",): Fraction(1, 5)}[position]
        return first, 1 - first

    def information_set(self, position: Position) -> str:
        """All but the ground, which nobody sees; the office knows nothing at all."""
        return "office" if self.forgets and "report" in position else " ".join(position[1:])

    def payoffs(self, position: Position) -> tuple[int]:
        """What is found, less the cost of the report."""
        found = {"wet": 100, "dry": -60}[position[0]] if "drill" in position else 0
        return (found - 5 * ("report" in position),)


def report(rules: Prospector) -> ExtensiveGame:
    """Write a game out, see whether anything is forgotten, and solve it twice."""
    game = write_out(rules, title=str(rules))
    witness = find_forgotten(game)
    nodes = " from ".join(map(game.place, witness.nodes)) if witness else ""
    print(game.title, "forgets: cannot tell " + nodes if witness else "has perfect recall")
    for name in ("imp-minimax", "brute-force"):
        found = solve_game(game, name)
        assert isinstance(found, Solution)
        choices = sorted(found.profile.items())
        plan = [f"{game.set_label(known)}: {game.events[known].actions[move]}" for known, move in choices]
        print(f"  {name:12} believes {found.believed[0]!s:6} is worth {found.value!s:6} by {', '.join(plan)}")
    return game


def main() -> None:
    """Both games; the second one as a file that Gambit and OpenSpiel read too."""
    report(Prospector())
    office = report(Prospector(forgets=True))
    write_efg(office, "office.efg", portable=True)
    print("written and read again:", read_efg("office.efg"))


if __name__ == "__main__":
    main()
