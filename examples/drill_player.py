"""A program that sits the drill: it leads the lowest card from the weaker hand, and plays third hand high.

It talks to ``worldwise drill --json`` as any program can: an object a line comes in, and to each turn a line goes out.
"""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Any

RANKS = "23456789TJQKA"


def choose(turn: dict[str, Any]) -> str:
    """A card of those that may be played: ``S2``."""
    cards = sorted(turn["choices"], key=lambda card: RANKS.index(card[1]))
    if len(turn["to_play"]) == 1:
        return str(cards[-1])
    points = {hand: sum(max(0, RANKS.index(card) - 8) for card in turn[hand]) for hand in ("north", "south")}
    weaker = "N" if points["north"] < points["south"] else "S"
    return str(next(card for card in cards if card[0] == weaker))


def main() -> None:
    """Play three questions, give up after each slip, and print the review."""
    command = [sys.executable, "-m", "worldwise", "drill", "--seed", "1", "--rounds", "3", "--json"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, encoding="utf-8") as drill:
        for event in map(json.loads, drill.stdout or ()):
            if event["event"] in ("turn", "slip"):
                print("next" if event["event"] == "slip" else choose(event), file=drill.stdin, flush=True)
            if event["event"] == "review":
                print(*(question["words"] for question in event["questions"]), event["score"], sep="\n")


if __name__ == "__main__":
    main()
