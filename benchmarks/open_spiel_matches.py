"""Our players against OpenSpiel's IS-MCTS, at equal processor time, with an interval for every cell.

``python benchmarks/open_spiel_matches.py ROWS.jsonl --games 200`` plays what is missing there, and prints a table.

Both sit in both seats of every deal. OpenSpiel's bot is its Python ``ISMCTSBot``, the one that takes a sampler from
outside: it has ours where a game has none of its own. At each move it may simulate for as long as our player has
taken for a move so far, on average, in processor time, so that other work on the machine changes nothing; its samples
and the upkeep of our belief count. Our players have no limit but their settings.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from random import Random
from time import process_time
from typing import Any

import numpy as np
import pyspiel
from open_spiel.python.algorithms import ismcts, mcts

sys.path.insert(0, str(Path(__file__).parents[1] / "examples"))

from mini_whist import MiniWhist
from worldwise.core.statistics import mean
from worldwise.openspiel import make_bot, make_resampler, open_spiel_rules

GAMES = {
    "leduc_poker": lambda: pyspiel.load_game("leduc_poker"),
    "mini-whist": lambda: open_spiel_rules(MiniWhist(cards=4, suits=3, ranks=4), deals=10_000),
    "phantom_ttt": lambda: pyspiel.load_game("phantom_ttt"),
}
PLAYERS = ("pimc:worlds=20", "alphamu:depth=2,worlds=20", "overconfident:depth=3,worlds=20", "is-mcts:simulations=200")
FACE_UP = ("pimc", "alphamu")
"""Those who solve worlds face up, which takes many seconds a move at phantom_ttt: they are left out there."""

FIRST = 0.02
"""Seconds for their first move, before ours is known to take any time."""


def players_of(game: str) -> list[str]:
    return [player for player in PLAYERS if game != "phantom_ttt" or player.partition(":")[0] not in FACE_UP]


class TimeIsUpError(Exception):
    """Their time for a move."""


class Stopwatch:
    """Processor time for moves."""

    def __init__(self) -> None:
        self.seconds, self.moves = 0.0, 0

    def measure(self, act: Any) -> Any:
        start = process_time()
        found = act()
        self.seconds, self.moves = self.seconds + process_time() - start, self.moves + 1
        return found

    @property
    def average(self) -> float:
        return self.seconds / self.moves if self.moves else FIRST


class TheirBot(ismcts.ISMCTSBot):
    """OpenSpiel's search, stopped by the clock instead of after so many simulations."""

    seconds = FIRST
    simulations = 0

    def sample_root_state(self, state: Any) -> Any:
        if process_time() > self.until and self._root_node.total_visits > 0:
            raise TimeIsUpError
        self.simulations += 1
        return super().sample_root_state(state)

    def step(self, state: Any) -> int:
        self.until = process_time() + self.seconds
        try:
            moves = self.run_search(state)
        except TimeIsUpError:
            moves = self.get_final_policy(state, self._root_node)
        numbers, shares = zip(*moves, strict=True)
        return int(self._random_state.choice(numbers, p=shares))


def their_bot(game: Any, own_samples: bool, seed: int) -> TheirBot:
    rng = np.random.RandomState(seed)
    bot = TheirBot(game, mcts.RandomRolloutEvaluator(1, rng), 2.0, 10**9, random_state=rng)
    if not own_samples:
        bot.set_resampler(make_resampler(game, seed=seed))
    return bot


def play(game: Any, player: str, deal: int, seat: int, own_samples: bool, ours: Stopwatch, theirs: Stopwatch) -> Any:
    """One game: what our player gets; the deal decides what chance does."""
    bot, other = make_bot(player, game, seat, seed=deal), their_bot(game, own_samples, deal)
    rng, state = Random(deal), game.new_initial_state()
    while not state.is_terminal():
        if state.is_chance_node():
            moves, shares = zip(*state.chance_outcomes(), strict=True)
            state.apply_action(rng.choices(moves, shares)[0])
        elif len(state.legal_actions()) == 1:
            state.apply_action(state.legal_actions()[0])
        elif state.current_player() == seat:
            state.apply_action(ours.measure(lambda: bot.step(state)))
        else:
            other.seconds = ours.average
            state.apply_action(theirs.measure(lambda: other.step(state)))
    return state.returns()[seat], other.simulations


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("rows", type=Path)
    parser.add_argument("--games", type=int, default=200)
    asked = parser.parse_args()
    rows = [json.loads(line) for line in asked.rows.read_text().splitlines()] if asked.rows.exists() else []
    done = {(row["game"], row["player"], row["deal"]) for row in rows}
    with asked.rows.open("a") as file:
        for name, load in GAMES.items():
            game = load()
            for player in players_of(name):
                ours, theirs = Stopwatch(), Stopwatch()
                for deal in range(asked.games // 2):
                    if (name, player, deal) in done:
                        continue
                    played = [play(game, player, deal, seat, name != "phantom_ttt", ours, theirs) for seat in (0, 1)]
                    row = {"game": name, "player": player, "deal": deal, "payoffs": [one[0] for one in played]}
                    row["simulations"] = sum(one[1] for one in played)
                    row["ours"], row["theirs"] = ours.average, theirs.average
                    rows.append(row)
                    file.write(json.dumps(row) + "\n")
                    file.flush()
    for name in GAMES:
        for player in players_of(name):
            tell(name, player, [row for row in rows if (row["game"], row["player"]) == (name, player)])


def tell(name: str, player: str, rows: list[dict[str, Any]]) -> None:
    """A cell: deals are what is independent, the two seats of a deal are not."""
    if len(rows) > 1:
        found, last = mean([sum(row["payoffs"]) / 2 for row in rows]), rows[-1]
        times = f"{1000 * last['ours']:.1f} ms a move, theirs {1000 * last['theirs']:.1f} ms"
        payoff = f"{found.value:+.3f} ({found.low:+.3f} to {found.high:+.3f})"
        print(f"{name} {player}: {payoff}, {2 * len(rows)} games, {times}")


if __name__ == "__main__":
    main()
