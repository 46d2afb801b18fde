"""Whole games of kriegspiel with a sampled belief on either side: none may die, and every board must explain all.

    python benchmarks/kriegspiel_beliefs.py --games 200 --first 0

Players take turns: rand against rand, greedy against rand, rand against greedy, greedy against greedy. A line for each
game says how few boards there ever were after ply 20, the longest that one answer took, and the memory so far. Boards
are checked by playing their stories before the umpire. Exit code 1 if any does not explain what was heard.
"""

from __future__ import annotations

from argparse import ArgumentParser
from dataclasses import dataclass, replace
from random import Random
from sys import exit as leave
from time import perf_counter
from typing import TYPE_CHECKING

from memory import peak
from worldwise.kriegspiel.belief.sampled import SampledBelief
from worldwise.kriegspiel.belief.weighted_boards import identity
from worldwise.kriegspiel.players.names import read_player
from worldwise.kriegspiel.players.umpire_table import UmpireTable
from worldwise.kriegspiel.rules.board import START
from worldwise.kriegspiel.rules.compiled_board import fastest_board
from worldwise.kriegspiel.rules.game import Kriegspiel
from worldwise.kriegspiel.rules.squares import BLACK, WHITE
from worldwise.kriegspiel.rules.umpire import RULES

if TYPE_CHECKING:
    from worldwise.kriegspiel.rules.game import Event
    from worldwise.kriegspiel.rules.squares import Colour

PAIRS = (("rand", "rand"), ("greedy", "rand"), ("rand", "greedy"), ("greedy", "greedy"))
CHECKED = 5
"""Boards whose stories are played at each check."""


@dataclass
class Watcher:
    """A belief of one player's, and how it fares."""

    belief: SampledBelief
    fewest: int = 1 << 30
    slowest: float = 0.0

    def hear(self, event: Event, ply: int) -> None:
        start = perf_counter()
        self.belief = self.belief.after(event)
        self.slowest = max(self.slowest, perf_counter() - start)
        if ply > 20:
            self.fewest = min(self.fewest, len(self.belief.boards))

    def wrong(self, game: Kriegspiel, rng: Random) -> int:
        """How many of some boards do not explain what was heard."""
        boards = self.belief.boards
        return sum(not explains(game, self.belief, rng.randrange(len(boards))) for _ in range(CHECKED))


def explains(game: Kriegspiel, belief: SampledBelief, place: int) -> bool:
    """Whether a board's story is heard as what was heard, and leads to the board."""
    story, state = list(belief.boards.story(place)), game.start(fastest_board(START))
    for event in belief.events:
        if event.colour is not belief.player and event.is_refusal:
            continue
        state = game.play(state, event.move if event.colour is belief.player else story.pop(0))
        if state.events[-1].heard_by(belief.player, game.rules) != event:
            return False
    return identity(state.board) == identity(belief.boards[place])


def play(number: int, size: int) -> int:
    """One game; the number of boards that were wrong."""
    names, rules = PAIRS[number % len(PAIRS)], list(RULES.values())[number // len(PAIRS) % len(RULES)]
    game = Kriegspiel(replace(rules, ply_limit=160, quiet_limit=50, fifty=False, repetition=False))
    state, rng, start = game.start(fastest_board(START)), Random(number), perf_counter()
    table = UmpireTable.of(game, state, dict(zip((WHITE, BLACK), map(read_player, names), strict=True)), number)
    watchers: dict[Colour, Watcher] = {
        colour: Watcher(SampledBelief.start(colour, game.rules, size=size, seed=number)) for colour in (WHITE, BLACK)
    }
    wrong = 0
    while game.to_move(state) is not None:
        state = table.next_state(state)
        for colour, watcher in watchers.items():
            event = state.events[-1].heard_by(colour, game.rules)
            if event:
                watcher.hear(event, state.plies)
        if not state.events[-1].is_refusal and state.plies % 40 == 0:
            wrong += sum(watcher.wrong(game, rng) for watcher in watchers.values())
    wrong += sum(watcher.wrong(game, rng) for watcher in watchers.values())
    fewest = min(watcher.fewest for watcher in watchers.values())
    slowest = max(watcher.slowest for watcher in watchers.values())
    print(f"{number} {names[0]}-{names[1]} {rules.name}: {state.plies} plies, {state.end.name.lower()}, ", end="")
    print(f"{perf_counter() - start:.1f} s, slowest answer {slowest:.1f} s, fewest boards {fewest}, ", end="")
    print(f"{wrong} wrong, {peak() or 0:.0f} MiB", flush=True)
    return wrong


def main() -> None:
    """Play them all."""
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--size", type=int, default=1_000)
    given = parser.parse_args()
    wrong = sum(play(number, given.size) for number in range(given.first, given.first + given.games))
    print(f"{given.games} games, {wrong} boards wrong")
    leave(wrong > 0)


if __name__ == "__main__":
    main()
