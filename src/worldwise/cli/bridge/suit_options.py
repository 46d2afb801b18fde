"""The options of ``worldwise suit``, and the combination that they describe."""

from __future__ import annotations

import re
from math import inf
from typing import TYPE_CHECKING, Annotated, Any

import typer

from worldwise.bridge.suit.combination import DEFENDERS_LEAD, MOST_RUFFS
from worldwise.bridge.suit.defenders import DEFENCES
from worldwise.bridge.suit.rules import FREE, Suit
from worldwise.cli.bridge.suit_lines import AIMS, CONTRACT, FIELD, VALUE, exact_value, split_pairs
from worldwise.errors import InputError, PlacedError
from worldwise.search.algorithms import ALGORITHMS

if TYPE_CHECKING:
    from worldwise.bridge.suit.defenders import DefenceName
    from worldwise.core.vector import Number

ENTRIES, SPLITS, COMPARED = "N=1,S=inf", "3=0.4,4=0.6", "3,4"
"""How these options are written."""

North = Annotated[
    str | None, typer.Argument(metavar="NORTH", help="North's cards: AKQ9, A10x; x is a low card, - none.")
]
Algorithm = Annotated[
    str | None,
    typer.Option(help=f"What this algorithm's line is worth: {', '.join(ALGORITHMS)}; or all, side by side."),
]
Why = Annotated[
    str | None,
    typer.Option(
        metavar="PLAY", help='Why (not) this: S2, "finesse the nine", "low to the king", "run the jack", "duck".'
    ),
]
Compared = Annotated[
    str | None,
    typer.Option(
        "--compare",
        metavar="LINE,LINE",
        help=f"Two lines head to head: {COMPARED}; a line is a goal, average, matchpoints, or a first play.",
    ),
]
Entries = Annotated[str | None, typer.Option(help=f"How often each hand can be reached outside the suit: {ENTRIES}.")]
Splits = Annotated[str | None, typer.Option(help=f"How likely it is that West holds so many cards: {SPLITS}.")]
West = Annotated[str, typer.Option("--west", metavar="CARDS", help="Cards that West is known to hold: K, QJ9.")]
East = Annotated[str, typer.Option("--east", metavar="CARDS", help="Cards that East is known to hold.")]
WestLength = Annotated[
    str, typer.Option(metavar="LENGTH", help="How many cards of the suit West holds: 3, 3+, 3- or 2-4.")
]
EastLength = Annotated[str, typer.Option(metavar="LENGTH", help="The same for East.")]
Discards = Annotated[
    str, typer.Option(metavar="CARDS", help="Cards of yours that you throw away elsewhere instead of playing them.")
]
Ruffs = Annotated[int, typer.Option(min=0, max=MOST_RUFFS, help="How often a hand that is out of the suit can ruff.")]
DefendersLeading = Annotated[
    str,
    typer.Option(
        "--defenders-lead",
        metavar="|".join(DEFENDERS_LEAD),
        help="Who leads the suit: never the defenders; one of them, West or East to the first round; or always they.",
    ),
]
Aimed = Annotated[
    str | None,
    typer.Option("--aim", metavar="|".join(AIMS), help="The line that is best for this instead of a goal."),
]
Valued = Annotated[
    str | None,
    typer.Option("--value", metavar="TRICKS=VALUE,...", help=f"The line that is best for such values: {VALUE}."),
]
AgainstWhom = Annotated[
    str | None,
    typer.Option(
        "--against", metavar=f"{FIELD}|LINE", help="--aim matchpoints or imps: against whom; a line as for --compare."
    ),
]
PlayedContract = Annotated[
    str | None,
    typer.Option("--contract", help=f"--aim imps: which --tricks make, {CONTRACT} if left out; 4S, 6HX."),
]
Defence = Annotated[
    str,
    typer.Option(metavar="|".join(DEFENCES), help="What the lines win against such defenders, and what could be won."),
]
Tree = Annotated[bool, typer.Option("--tree", help="Print the whole line, for the goal or the aim, as a JSON tree.")]
Mixed = Annotated[bool, typer.Option("--mixed", help="Also the chance of a declarer who tosses coins (needs SciPy).")]


def read_suit(
    north: str | None,
    south: str | None,
    west_cards: int,
    east_cards: int,
    gone: str,
    splits: str | None,
    **more: Any,
) -> Suit:
    """The combination that the options describe; what is wrong with one of them is said of it."""
    if north is None or south is None:
        raise InputError(f"expected two hands such as AKQ9 32 (- for none), found {north or 'nothing'}")
    if max(west_cards, east_cards) > 13:
        raise InputError(f"expected at most 13 vacant places in a hand, found {max(west_cards, east_cards)}")
    given = None if splits is None else read_splits(splits)
    try:
        return Suit.of(north, south, west_cards=west_cards, east_cards=east_cards, gone=gone, splits=given, **more)
    except PlacedError as error:
        if error.place not in more:
            raise
        option = f"--{error.place.replace('_', '-')}"
        raise InputError(f"{option}{str(error).removeprefix(error.place)}") from None


def read_splits(text: str) -> dict[int, Number]:
    """How likely West is to hold so many cards."""
    found: dict[int, Number] = {}
    for key, value in split_pairs("--splits", text, SPLITS):
        if not re.fullmatch(r"\d|1[0-3]", key, re.ASCII) or not re.fullmatch(
            r"[\d.]{1,20}(/\d{1,20})?", value, re.ASCII
        ):
            raise InputError(f"--splits: expected cards of West's and chances as in {SPLITS}, found {key}={value}")
        found[int(key)] = exact_value("--splits", value)
    return found


def read_entries(text: str | None) -> tuple[float, float]:
    """How often North and South can be reached."""
    if text is None:
        return FREE
    counts = {"N": inf, "S": inf}
    for key, value in split_pairs("--entries", text, ENTRIES):
        if key.upper() not in counts or not re.fullmatch(r"[0-9]{1,3}|inf", value.lower()):
            raise InputError(f"--entries: expected numbers for N and S as in {ENTRIES}, found {key}={value}")
        counts[key.upper()] = inf if value.lower() == "inf" else int(value)
    return counts["N"], counts["S"]


def read_defence(name: str) -> DefenceName:
    """The kind of defenders that are called so."""
    for known in DEFENCES:
        if name == known:
            return known
    raise InputError(f"--defence: expected one of {', '.join(DEFENCES)}, found {name!r}")
