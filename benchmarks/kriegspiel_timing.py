"""Whether the time of an answer at the kriegspiel table tells how many tries the player needed, which nobody may hear.

::

    python benchmarks/kriegspiel_timing.py                        300 moves against overconfident, half a second each
    python benchmarks/kriegspiel_timing.py --player rand --seconds 0.1 --moves 100

Plays against ``worldwise web`` at 127.0.0.1 as a program would, with tries at random, and measures from the request to
its last byte. When a game is over its story says how many tries each turn of the player had. Then: Pearson's and
Spearman's coefficient of the two, and how often as large a one comes up when the times are shuffled.
"""

from __future__ import annotations

import argparse
import http.client
import json
import re
import subprocess
import sys
from contextlib import contextmanager
from random import Random
from time import perf_counter
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterator

SHUFFLES = 10_000
MOVES_A_GAME = 30
RULES = "wild16"
"""By these nobody hears of the other's refused tries."""


class Table:
    """A game at a server, and what was measured of its turns."""

    def __init__(self, port: int, player: str, seconds: str, seed: int) -> None:
        self.connection = http.client.HTTPConnection("127.0.0.1", port, timeout=120)
        self.told = self.post("start", player=player, seconds=seconds, rules=RULES, seed=seed)
        self.dice = Random(seed)
        self.turns: list[float] = []

    def post(self, path: str, **inputs: object) -> dict:
        """One request; the time until its last byte is kept."""
        start = perf_counter()
        kind = {"Content-Type": "application/json"}
        self.connection.request("POST", f"/api/kriegspiel/{path}", json.dumps(inputs), kind)
        body = self.connection.getresponse().read()
        self.took = perf_counter() - start
        return json.loads(body)

    def play(self, moves: int) -> list[tuple[float, int]]:
        """Some moves, and for each turn of the player its seconds and its tries."""
        while len(self.turns) < moves and not self.told["over"]:
            move = self.dice.choice(self.told["tries"])
            self.told = self.post("go", game=self.told["game"], move=move)
            if "error" in self.told:
                break
            if self.told["log"][-1]["by"] != self.told["colour"]:
                self.turns.append(self.took)
        if not self.told.get("over"):
            self.post("resign", game=self.told["game"])
        return list(zip(self.turns, self.tries_by_turn(), strict=False))

    def tries_by_turn(self) -> list[int]:
        """How many tries each turn of the player had, refused ones included."""
        counts, refused = [], 0
        for line in self.post("story", game=self.told["game"])["tries"]:
            if line["by"] != self.told["colour"]:
                refused += line["refused"]
                if not line["refused"]:
                    counts.append(refused + 1)
                    refused = 0
        return counts


@contextmanager
def served() -> Iterator[int]:
    """A server of our own, by its port."""
    command = [sys.executable, "-m", "worldwise", "web", "--port", "0", "--no-browser"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        yield int(re.search(r":(\d+)/", server.stdout.readline())[1])
        server.terminate()


def ranks(values: np.ndarray) -> np.ndarray:
    """Ranks from the smallest on; those that are alike share the mean of theirs."""
    _, place, count = np.unique(values, return_inverse=True, return_counts=True)
    return (np.cumsum(count) - (count - 1) / 2)[place]


def correlation(one: np.ndarray, other: np.ndarray) -> tuple[float, float]:
    """Pearson's coefficient, and how often shuffling gives one as far from 0."""
    if not (one.std() and other.std()):
        return 0.0, 1.0
    rng = np.random.default_rng(1)
    found = np.corrcoef(one, other)[0, 1]
    shuffled = [np.corrcoef(rng.permutation(one), other)[0, 1] for _ in range(SHUFFLES)]
    return float(found), float(np.mean(np.abs(shuffled) >= abs(found)))


def measure(port: int, options: argparse.Namespace) -> list[tuple[float, int]]:
    """Games until there are moves enough."""
    found: list[tuple[float, int]] = []
    seed = options.seed
    while len(found) < options.moves:
        table = Table(port, options.player, options.seconds, seed)
        found += table.play(min(MOVES_A_GAME, options.moves - len(found)))
        seed += 1
    return found


def main() -> None:
    """Measure, and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--player", default="overconfident:1")
    parser.add_argument("--seconds", default="0.5")
    parser.add_argument("--moves", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    with served() as port:
        found = measure(port, options)
    print(f"{options.player}, {options.seconds} s")
    print(report(*(np.array(column, dtype=float) for column in zip(*found, strict=True))))


def report(seconds: np.ndarray, tries: np.ndarray) -> str:
    """The times by the number of tries, and how they go together."""
    shown = f"{seconds.min():.3f} to {seconds.max():.3f} s, median {np.median(seconds):.3f}"
    lines = [f"{len(tries)} turns, {int(tries.sum() - len(tries))} refused tries; {shown}"]
    for count in np.unique(tries):
        some = seconds[tries == count]
        lines.append(f"  {int(count):2} tries: {len(some):3} turns, mean {some.mean():.4f} s")
    for name, one, other in (("Pearson", seconds, tries), ("Spearman", ranks(seconds), ranks(tries))):
        lines.append("{}: r = {:+.3f}, p = {:.4f}".format(name, *correlation(one, other)))
    return "\n".join(lines)


if __name__ == "__main__":
    main()
