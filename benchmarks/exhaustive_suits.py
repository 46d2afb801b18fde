"""Every combination of up to so many cards of declarer's: the compiled solver against its twin, and against the tree.

    python benchmarks/exhaustive_suits.py --cards 6 --processes 1 --state suits.jsonl

The state has a line for each combination that is done; started again with it, the run goes on where it was. Cases that
take the readable rules longer than ``--patience`` are left out, and counted. Exit code 1 if anything differed.

Two symmetries leave out combinations that are the same game under other names. With the hands swapped, West becomes
East, and the places vacant are as many. And with free entries a card of declarer's only ever has to beat defenders'
cards, so it does not matter which hand holds which of his cards that touch: of each run, North's count as the highest.
"""

from __future__ import annotations

import json
import signal
from argparse import ArgumentParser
from collections import Counter
from contextlib import contextmanager
from fractions import Fraction
from itertools import combinations, groupby, product
from multiprocessing import Pool
from pathlib import Path
from sys import stdout
from time import monotonic
from typing import TYPE_CHECKING, Any, NamedTuple

from worldwise.bridge.rules.cards import holding_name
from worldwise.bridge.suit.rules import Suit, SuitGame
from worldwise.bridge.suit.solver import CompiledFronts, ReadableFronts, SuitSolver
from worldwise.core.result import Limit
from worldwise.errors import LimitReachedError, TreeError
from worldwise.trees import unroll
from worldwise.trees.solving import solve

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

RANKS = range(14, 1, -1)
EQUAL, DIFFERENT, LEFT_OUT = "equal", "DIFFERENT", "left out"

Answers = list[Fraction]
"""The chances of 1, 2, 3 ... tricks, or the most tricks on average alone."""


class Case(NamedTuple):
    """A combination, how long the slow ways may take, and whether its tree is asked too."""

    suit: Suit
    patience: float
    on_tree: bool

    @property
    def name(self) -> str:
        """As people write it."""
        return f"{holding_name(self.suit.north)}/{holding_name(self.suit.south)}"


# ---------------------------------------------------------------------- which combinations


def suits(count: int) -> Iterator[Suit]:
    """Every combination of so many cards, one of those that are the same game."""
    for cards in combinations(RANKS, count):
        for hands in product("NS", repeat=count):
            owners = dict(zip(cards, hands, strict=True))
            if "".join(hands) == _first_of_equals(owners):
                north, south = (tuple(card for card in cards if owners[card] == seat) for seat in "NS")
                yield Suit(north, south)


def _first_of_equals(owners: dict[int, str]) -> str:
    swapped = {card: "S" if seat == "N" else "N" for card, seat in owners.items()}
    return min(_touching_sorted(owners), _touching_sorted(swapped))


def _touching_sorted(owners: dict[int, str]) -> str:
    """The hands of the cards, highest card first, North's first of those that touch."""
    runs = groupby(RANKS, key=owners.__contains__)
    return "".join("".join(sorted(owners[card] for card in run)) for mine, run in runs if mine)


# ---------------------------------------------------------------------- what is compared


def compared(case: Case) -> dict[str, Any]:
    """A line of the state: what each witness says about a combination."""
    start = monotonic()
    kernel, twin = (SuitSolver(case.suit, fronts=fronts) for fronts in (CompiledFronts, ReadableFronts))
    goals, average = _chances(kernel), [kernel.expected.tricks]
    found = {"goals": _verdict(goals, lambda: _chances(twin), case.patience)}
    if found["goals"] is not LEFT_OUT:  # whose fronts are the shorter ones
        found["average"] = _verdict(average, lambda: [twin.expected.tricks], case.patience)
    if case.on_tree:
        found["tree"] = _verdict(goals, lambda: _on_tree(case), case.patience)
    return {"suit": case.name} | found | {"seconds": round(monotonic() - start, 3)}


def _chances(solver: SuitSolver) -> Answers:
    return [answer.chance for answer in solver.goals]


def _on_tree(case: Case) -> Answers:
    """``exact`` knows the tree alone, dominated plays included; its value is a float, near a share of all layouts."""
    games = (SuitGame(case.suit, tricks, lean=False) for tricks in range(1, case.suit.length + 1))
    values = [solve(unroll(game), "exact", limit=Limit(seconds=case.patience)).value for game in games]
    layouts = sum(case.suit.weights)
    return [Fraction(round(value * layouts), layouts) for value in values]


def _verdict(ours: Answers, theirs: Callable[[], Answers], patience: float) -> str:
    try:
        with _at_most(patience):
            return EQUAL if theirs() == ours else DIFFERENT
    except (TimeoutError, LimitReachedError, TreeError):
        return LEFT_OUT


@contextmanager
def _at_most(seconds: float) -> Iterator[None]:
    """Stops Python wherever it is: a single meet of two long fronts may take hours."""
    signal.signal(signal.SIGALRM, _too_late)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)


def _too_late(*_: object) -> None:
    raise TimeoutError


# ---------------------------------------------------------------------- the run


def read_state(path: Path) -> dict[str, dict[str, Any]]:
    """The lines that are done, by combination; one that was cut off in the middle is not."""
    lines = path.read_text().splitlines(keepends=True) if path.exists() else []
    done = [json.loads(line) for line in lines if line.endswith("}\n")]
    return {line["suit"]: line for line in done}


def run(cases: Iterable[Case], state: Path, processes: int) -> None:
    """Works off what is not in the state, smallest first, and adds a line for each."""
    done = read_state(state)
    ahead = [case for case in cases if case.name not in done]
    with state.open("a") as lines, Pool(processes) as pool:
        lines.write("\n" if state.stat().st_size else "")  # should the last line have been cut off
        for number, found in enumerate(pool.imap_unordered(compared, ahead), 1):
            lines.write(json.dumps(found) + "\n")
            lines.flush()
            if number % 100 == 0 or DIFFERENT in found.values():
                print(f"{number:,} of {len(ahead):,}: {found}")
                stdout.flush()


def summary(done: Iterable[dict[str, Any]]) -> str:
    """How many of each verdict, and what differed by name."""
    lines = list(done)
    told = [f"{len(lines):,} combinations"]
    for witness in ("goals", "average", "tree"):
        counts = Counter(line[witness] for line in lines if witness in line)
        told.append(f"{witness}: " + ", ".join(f"{count:,} {verdict}" for verdict, count in sorted(counts.items())))
    different = [line["suit"] for line in lines if DIFFERENT in line.values()]
    return "\n".join([*told, f"different: {different}"])


def main() -> int:
    parser = ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--cards", type=int, default=4, help="declarer's cards at most")
    parser.add_argument("--tree-cards", type=int, default=4, help="up to so many, the whole tree is asked too")
    parser.add_argument("--processes", type=int, default=1)
    parser.add_argument("--patience", type=float, default=5, help="seconds for each slow witness of a combination")
    parser.add_argument("--state", type=Path, default=Path("exhaustive_suits.jsonl"))
    parser.add_argument("--summary", action="store_true", help="only tell what the state says")
    given = parser.parse_args()
    if not given.summary:
        counts = range(1, given.cards + 1)
        cases = (Case(suit, given.patience, n <= given.tree_cards) for n in counts for suit in suits(n))
        run(cases, given.state, given.processes)
    done = read_state(given.state).values()
    print(summary(done))
    return int(any(DIFFERENT in line.values() for line in done))


if __name__ == "__main__":
    raise SystemExit(main())
