"""A drop-in for SuitC, the single-suit solver that bots such as BEN call: the same questions, the same answers.

``SuitCLib`` has the methods of BEN's class of that name, and ``python -m worldwise.doors.suitc`` takes SuitC's command
line. Nothing runs in a process of its own that has to be killed: there is one solver, which stops when time is up.

Options that mean what they mean in SuitC: ``-wv -ev`` (vacant places), ``-wm -em`` (least lengths), ``-ln -ls`` (free
leads from a hand; the first lead of all is free), ``-L`` (who leads to trick one), ``-Rn -Rs`` (ruffs), ``-M`` (best at
matchpoints). ``-W`` and ``-E`` (cards held) mean the cards themselves; SuitC takes each for any card that touches it.
Options for printing and for SuitC's search are accepted and change nothing. What is refused: ``-D``, because in SuitC
play ends when the defenders are out of the suit and here declarer then leads, and ``-H -I -S -t``, which have no
counterpart.
"""

from __future__ import annotations

import json
import re
import sys
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from math import inf
from typing import TYPE_CHECKING, Any, NamedTuple

import worldwise
from worldwise.bridge.rules.cards import rank_name
from worldwise.bridge.suit.aims import Match, Matchpoints, best_line
from worldwise.bridge.suit.outlook import Outlook
from worldwise.bridge.suit.rules import FREE, NORTH, OUT, RUFF, SEATS, SOUTH, Suit, SuitMove
from worldwise.bridge.suit.solver import SuitSolver
from worldwise.core.game import Side
from worldwise.core.reading import shorten
from worldwise.core.result import Limit
from worldwise.errors import InputError, LimitReachedError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from worldwise.bridge.suit.rules import SuitTable
    from worldwise.bridge.suit.solver import SuitLine

TIMEOUT = 10.0
"""Seconds for a call, unless the caller says otherwise."""

MOST_NODES = 20_000
"""A game tree that is larger is cut off after a trick."""

CARDS = "AKQJT98765432"

Json = dict[str, Any]


class SuitCTimeoutError(Exception):
    """A call took too long."""


SuitCTimeout = SuitCTimeoutError
"""As SuitC's callers know it."""


class SuitCLib:
    """What BEN calls; hands are written ``KT63``, an empty one is a void.

    >>> suitc = SuitCLib(verbose=False)
    >>> suitc.get_suit_tricks("32", "AQ", "KJ9")
    1.5
    >>> suitc.get_trick_potential("AQ.K.AKQ.", "K4.AQ.J2.")
    [2.0, 2.0, 3.0, 0.0]
    >>> suitc.calculate(2, "A4", "Q32", "KJT9")
    ['A']
    """

    def __init__(self, verbose: bool = False, timeout: float | None = None) -> None:
        self.verbose, self.timeout = verbose, TIMEOUT if timeout is None else timeout

    def version(self) -> str:
        """Whose answers these are."""
        return f"worldwise {worldwise.__version__}"

    def get_suit_tricks(self, declarer: str, dummy: str, opponent: str) -> float:
        """The most tricks on average, rounded to two decimals."""
        return round(float(self._analyse(f"{dummy or '.'} {declarer or '.'} {opponent}")["Result"]), 2)

    def get_trick_potential(self, declarer: str, dummy: str) -> list[float]:
        """The same for four suits, of hands such as ``AQ32.K.AKQ.5432``."""
        suits = list(zip(_four_suits(declarer), _four_suits(dummy), strict=True))
        missing = ["".join(card for card in CARDS if card not in one + other) for one, other in suits]
        return [self.get_suit_tricks(*hands, rest) for hands, rest in zip(suits, missing, strict=True)]

    def calculate(
        self,
        max_tricks: int,  # noqa: ARG002 SuitC has no use for it either
        north: str,
        south: str,
        eastwest: str,
        east_vacant: int | None = None,
        west_vacant: int | None = None,
        trump: bool = False,
        entries: int = 1,
    ) -> list[str]:
        """The ranks to lead from North for the most tricks on average; none if South is to lead."""
        options = [] if trump else [f"-ls{entries}"]
        if east_vacant:
            options += [f"-wv{west_vacant}", f"-ev{east_vacant}"]
        found = self._analyse(" ".join([*options, north or ".", south or ".", eastwest]))
        best = [play for play in found["OptimumPlays"] if "MAX" in play["OptimumPlayFor"]]
        leads = [node["T"] for play in best for node in play["GameTree"]]
        return list(dict.fromkeys(lead[-1] for lead in leads if lead.startswith("N:")))

    def make_suitc_call(self, input_str: str) -> tuple[str, str]:
        """The answer to SuitC's command line as JSON, and in a few words."""
        found = self._analyse(input_str, trees=True)
        details = [f"{play['OptimumPlayFor']}: {play['Result']:.4f}" for play in found["OptimumPlays"]]
        return json.dumps({"SuitCAnalysis": found}), "\n".join(details)

    def _analyse(self, text: str, *, trees: bool = False) -> Json:
        if self.verbose:
            sys.stderr.write(f"SuitC input: {text}\n")
        try:
            return analyse(SuitCCall.read(text), Limit(seconds=self.timeout), trees=trees)
        except LimitReachedError as error:
            raise SuitCTimeoutError(f"no answer within {self.timeout:g} s to {shorten(text)}") from error


def _four_suits(hand: str) -> list[str]:
    suits = hand.split(".")
    if len(suits) != 4:
        raise InputError(f"expected hands of four suits such as AQ32.K.AKQ.5432, found {shorten(hand)}")
    return suits


# ---------------------------------------------------------------------- the command line


@dataclass(frozen=True)
class SuitCCall:
    """A question as SuitC is asked it; there is no suit if declarer has no card of it.

    >>> call = SuitCCall.read("-F1 -u -c100 -ls1 KT63 972 AQJ854")
    >>> call.suit, call.free_leads
    (Suit.of('KT63', '972'), (inf, 1))
    """

    suit: Suit | None
    free_leads: tuple[float, float] = FREE
    first_leader: int | None = None
    matchpoints: bool = False

    @classmethod
    def read(cls, text: str) -> SuitCCall:
        """The question that a command line asks."""
        options = _Options()
        hands = []
        for word in text.split():
            if word.startswith("-"):
                options.add(word[1:])
            else:
                hands.append("" if word in (".", "=", "#") else word.upper())
        if not 2 <= len(hands) <= 3:
            raise InputError(
                f"expected the cards of North, of South and of the defenders, found {shorten(text.strip())}"
            )
        return options.call(*[*hands, ""][:3])


_PATTERN = re.compile(r"(wv|ev|wm|em|ln|ls|Rn|Rs|L[nesw]|[A-Za-z?])(.*)", re.ASCII)
_PLACES = {"wv": "west_cards", "ev": "east_cards"}
_LENGTHS = {"wm": "west_length", "em": "east_length"}
_HELD = {"W": "west", "E": "east"}
_LEADERS = {"Ln": NORTH, "Ls": SOUTH}
_DEFENDERS = {"Le": "east", "Lw": "west"}
_IGNORED = frozenset("AabCcdFfnoPprsTuz")
_REFUSED = {
    "D": "in SuitC play ends when the defenders are out of the suit, here declarer then leads",
    **dict.fromkeys("HISt", "it has no counterpart here"),
}


@dataclass
class _Options:
    """Options as they are met: what ``Suit.of`` takes, and how often a hand can lead or ruff."""

    given: dict[str, Any] = field(default_factory=dict)
    counts: dict[str, int] = field(default_factory=dict)
    leader: int | None = None
    matchpoints: bool = False

    def add(self, word: str) -> None:
        match = _PATTERN.fullmatch(word)
        name, value = match.groups() if match else ("", "")
        if name in _REFUSED:
            raise InputError(f"-{word}: {_REFUSED[name]}")
        if name in (*_PLACES, *_LENGTHS, "ln", "ls", "Rn", "Rs"):
            self._add_number(word, name, value)
        elif name in _HELD:
            self.given[_HELD[name]] = value.upper()
        elif name in _DEFENDERS and not value:
            self.given["defenders_lead"] = _DEFENDERS[name]
        elif name in _LEADERS and not value:
            self.leader = _LEADERS[name]
        elif name == "M":
            self.matchpoints = True
        elif name not in _IGNORED:
            raise InputError(f"-{word}: expected an option of SuitC's that has a counterpart here")

    def _add_number(self, word: str, name: str, value: str) -> None:
        if not re.fullmatch(r"[0-9]{1,2}", value, re.ASCII):
            raise InputError(f"-{word}: expected a number after -{name}, found {value!r}")
        if name in _PLACES:
            self.given[_PLACES[name]] = int(value)
        elif name in _LENGTHS:
            self.given[_LENGTHS[name]] = f"{int(value)}+"
        else:
            self.counts[name] = int(value)

    def call(self, north: str, south: str, others: str) -> SuitCCall:
        gone = "".join(card for card in CARDS if card not in north + south + others)
        # The hand that is out of the suit first is the shorter one: only that can ruff.
        ruffs = self.counts.get("Rn" if len(north) < len(south) else "Rs", 0)
        own = {"gone": gone or "-", "ruffs": ruffs, **self.given}
        suit = Suit.of(north or "-", south or "-", **own) if north + south else None
        free = self.counts.get("ln", inf), self.counts.get("ls", inf)
        if self.matchpoints and (free != FREE or self.leader is not None):
            raise InputError("-M goes with free leads from both hands")
        return SuitCCall(suit, free, self.leader, self.matchpoints)


# ---------------------------------------------------------------------- the answer


def analyse(call: SuitCCall, limit: Limit | None = None, *, trees: bool = True) -> Json:
    """What SuitC's JSON has under ``SuitCAnalysis``; without ``trees`` game trees end with the first card.

    >>> found = analyse(SuitCCall.read("AKQ9 32 JT87654"))
    >>> found["OptimalResults"], found["Result"], found["OptimumPlays"][0]["OptimumPlayFor"]
    ([{'Tricks': 4, 'Percentage': 24.0}], 3.24, 'MAX, N4')
    >>> [node["T"] for node in found["OptimumPlays"][0]["GameTree"]]
    ['S:3']
    """
    if call.suit is None:
        play = {"OptimumPlayFor": "MAX", "Plays": [], "Result": 0.0, "GameTree": [], "Error": "No errors"}
        return {"OptimalResults": [], "Result": 0.0, "OptimumPlays": [play]}
    found = _Analysis(call, call.suit, limit or Limit())
    plays = [found.play(names, lines, trees=trees) for names, lines in found.named_lines]
    plays[-1]["Error"] = "No errors"
    results = [{"Tricks": tricks, "Percentage": _percentage(chance)} for tricks, chance in found.uncertain]
    return {"OptimalResults": results, "Result": _round_tricks(found.best(None)[0].average), "OptimumPlays": plays}


class _Analysis:
    """All starts, each with the solver that knows what a first lead from there leaves of the free leads."""

    def __init__(self, call: SuitCCall, suit: Suit, limit: Limit) -> None:
        self.call, self.suit = call, suit
        seats = [NORTH, SOUTH] if call.first_leader is None else [call.first_leader]
        if call.free_leads == FREE:
            solver = SuitSolver(suit, limit=limit)
            self.starts = [(solver, lead) for lead in solver.leads if lead is None or lead.seat in seats]
            return
        self.starts = []
        for seat in seats:
            # The first lead of all is free, so that hand has one more.
            entries = [count + (one == seat // 2) for one, count in enumerate(call.free_leads)]
            solver = SuitSolver(suit, entries=(entries[0], entries[1]), limit=limit)
            self.starts += [(solver, lead) for lead in solver.leads if lead is not None and lead.seat == seat]

    def best(self, goal: int | None) -> list[SuitLine]:
        """The best line for a goal, or on average, after each first play that has one."""
        lines = [solver.line(goal, solver.leads[lead]) for solver, lead in self.starts]
        worth = [(line.at_least[goal] if goal else 0, line.average) for line in lines]
        return [line for line, value in zip(lines, worth, strict=True) if value == max(worth)]

    @cached_property
    def uncertain(self) -> list[tuple[int, Fraction]]:
        """The goals that are neither certain nor impossible, the most tricks first."""
        goals = range(self.suit.length, 0, -1)
        found = [
            (goal, max(solver.summary(solver.leads[lead], goal).weight for solver, lead in self.starts))
            for goal in goals
        ]
        return [(goal, share) for goal, weight in found if 0 < (share := self.suit.share(weight)) < 1]

    @property
    def named_lines(self) -> list[tuple[str, list[SuitLine]]]:
        """The lines to tell, those of one outcome together: what they are best for, and one for each first play."""
        found: dict[object, tuple[list[str], list[SuitLine]]] = {}
        for name, lines in self._lines():
            names, kept = found.setdefault(lines[0].levels, ([], []))
            names.append(name)
            kept += [line for line in lines if _first(line) not in map(_first, kept)]
        most = self.best(None)
        for names, lines in found.values():
            names[:0] = ["MAX"] * (lines[0].average == most[0].average)
        every = [(", ".join(names), lines) for names, lines in found.values()]
        return every if any(names.startswith("MAX") for names, _ in every) else [("MAX", most), *every]

    def _lines(self) -> Iterator[tuple[str, list[SuitLine]]]:
        if self.call.matchpoints:
            solver = self.starts[0][0]
            yield "MP", [best_line(solver, Match.against_the_field(solver, Matchpoints())).line]
        for goal, _ in reversed(self.uncertain):
            yield f"N{goal}", self.best(goal)

    def play(self, names: str, lines: Sequence[SuitLine], *, trees: bool) -> Json:
        """One of ``OptimumPlays``; ``Plays`` has the chance of exactly so many tricks."""
        line = lines[0]
        at_least = {0: Fraction(1), **line.at_least, self.suit.length + 1: Fraction(0)}
        exactly = {tricks: at_least[tricks] - at_least[tricks + 1] for tricks in range(self.suit.length, -1, -1)}
        plays = [{"Tricks": tricks, "Percentage": _percentage(chance)} for tricks, chance in exactly.items() if chance]
        tree = [node for one in lines for node in (_GameTree(one).nodes if trees else _GameTree(one).first)]
        return {"OptimumPlayFor": names, "Plays": plays, "Result": _round_tricks(line.average), "GameTree": tree}


def _first(line: SuitLine) -> SuitMove | None:
    root = line.solver.root
    return line.play(root) if line.solver.rules.side(root) is Side.MAX else None


def _percentage(chance: Fraction | float) -> float:
    return round(100 * float(chance), 4)


def _round_tricks(tricks: Fraction) -> float:
    return round(float(tricks), 4)


# ---------------------------------------------------------------------- the game tree


class _Branch(NamedTuple):
    """What is played, and the numbers of the branches that follow."""

    text: str
    then: tuple[int, ...]


class _GameTree:
    """A line as SuitC writes it; defenders' cards after which everything is the same run together."""

    def __init__(self, line: SuitLine) -> None:
        self.line, self.rules = line, line.solver.rules
        self.view = Outlook(line.solver, line.levels, None)
        self.numbers: dict[_Branch, int] = {}
        self.branches: list[_Branch] = []
        self.known: dict[SuitTable, tuple[int, ...]] = {}
        self.sizes: dict[int, int] = {}

    @property
    def first(self) -> list[Json]:
        """The first card alone."""
        solver = self.line.solver
        if solver.rules.side(solver.root) is not Side.MAX:
            return []
        return [{"T": self._card(solver.root, self.line.play(solver.root)), "Vs": []}]

    @property
    def nodes(self) -> list[Json]:
        """The tree, or its first trick if all of it is too large."""
        first = self._after(self.line.solver.root)
        return [self._branch_json(number, None if sum(map(self._size, first)) <= MOST_NODES else 4) for number in first]

    def _after(self, table: SuitTable) -> tuple[int, ...]:
        if table not in self.known:
            self.known[table] = self._branches(table)
        return self.known[table]

    def _branches(self, table: SuitTable) -> tuple[int, ...]:
        """What follows, as long as something is still to be won."""
        side = self.rules.side(table)
        if side is None or (not table.trick and not self.view.open(table)):
            return ()
        return self._declarer(table) if side is Side.MAX else self._defence(table)

    def _declarer(self, table: SuitTable) -> tuple[int, ...]:
        move = self.line.play(table)
        return (self._number(_Branch(self._card(table, move), self._after(self.rules.after(table, move)))),)

    def _card(self, table: SuitTable, move: SuitMove) -> str:
        """A card of declarer's: of those that touch the highest, and whose it is if it is led."""
        name = {OUT: "-", RUFF: "R"}.get(move.card) or rank_name(max(self.view.touching_cards(table, move)))
        return name if table.trick else f"{SEATS[move.seat]}:{name}"

    def _defence(self, table: SuitTable) -> tuple[int, ...]:
        groups: dict[tuple[int, ...], str] = {}
        for move in self.rules.options(table):
            then = self._after(self.rules.after(table, move))
            groups[then] = groups.get(then, "") + ("-" if move.card == OUT else rank_name(move.card))
        return tuple(self._number(_Branch(text, then)) for then, text in groups.items())

    def _number(self, branch: _Branch) -> int:
        if branch not in self.numbers:
            self.numbers[branch] = len(self.branches)
            self.branches.append(branch)
        return self.numbers[branch]

    def _size(self, number: int) -> int:
        if number not in self.sizes:
            self.sizes[number] = 1 + sum(map(self._size, self.branches[number].then))
        return self.sizes[number]

    def _branch_json(self, number: int, depth: int | None) -> Json:
        text, then = self.branches[number]
        below = None if depth is None else depth - 1
        return {"T": text, "Vs": [] if below == 0 else [self._branch_json(one, below) for one in then]}


def main() -> None:
    """Answer SuitC's command line with its JSON; what is wrong with it goes to standard error, exit code 2."""
    try:
        output, _ = SuitCLib(verbose=False).make_suitc_call(" ".join(sys.argv[1:]))
    except (InputError, SuitCTimeoutError) as error:
        sys.stderr.write(f"{error}\n")
        raise SystemExit(2 if isinstance(error, InputError) else 1) from None
    sys.stdout.write(f"{output}\n")


if __name__ == "__main__":
    main()
