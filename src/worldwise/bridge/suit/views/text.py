"""A single suit for a terminal: the diagram, the goals, the layouts that win.

::

         ♠ AKQ9
         ┌─────┐
         │  N  │
         │W   E│  the defenders have JT 87654
         │  S  │
         └─────┘
         ♠ 32

Cards that touch stand together. In a layout ``x`` is any of the lowest ones that touch, and ``×2`` says that other
cards that touch can be shared out in so many ways.
"""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from math import inf
from types import MappingProxyType
from typing import TYPE_CHECKING

from rich.console import Group
from rich.table import Table
from rich.text import Text

from worldwise.bridge.rules.cards import holding_name
from worldwise.bridge.suit.combination import ANY_LENGTH
from worldwise.bridge.suit.layouts import has_spots, layouts_of
from worldwise.bridge.suit.phrases import count_words, percent, percent_difference, signs
from worldwise.bridge.suit.rules import FREE
from worldwise.bridge.suit.words import line_words
from worldwise.views.tables import plain_table

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from rich.console import RenderableType

    from worldwise.bridge.rules.cards import Holding
    from worldwise.bridge.suit.layouts import SuitLayout
    from worldwise.bridge.suit.reasons import Comparison
    from worldwise.bridge.suit.rules import Suit
    from worldwise.bridge.suit.solver import ExpectedAnswer, GoalAnswer, SuitLine
    from worldwise.bridge.suit.trees import SuitResult

MOST_LAYOUTS = 12
"""A longer list of layouts is cut in tables for people."""

MOST_COLUMNS = 3
"""How many columns for numbers of tricks leave room for the line on a terminal of 80 columns."""

NO_COINS: Mapping[int, float] = MappingProxyType({})
"""Mixed strategies were not asked about."""


def combination_name(suit: Suit) -> str:
    """The two hands in a few words."""
    return f"{holding_name(suit.north)} opposite {holding_name(suit.south)}"


# ---------------------------------------------------------------------- the diagram

_FRAMES = {
    False: ("┌─────┐", "│  N  │", "│W   E│", "│  S  │", "└─────┘", "♠ "),
    True: ("+-----+", "|  N  |", "|W   E|", "|  S  |", "+-----+", ""),
}
"""The compass and the sign of the suit; Unicode or not."""

_INDENT = " " * 5


def suit_diagram(suit: Suit, *, ascii: bool = False) -> Text:  # noqa: A002
    """The compass diagram: declarer's hands, and what the defenders have.

    >>> from worldwise.bridge.suit.rules import Suit
    >>> print(suit_diagram(Suit.of("AKQ9", "32"), ascii=True))
         AKQ9
         +-----+
         |  N  |
         |W   E|  the defenders have JT 87654
         |  S  |
         +-----+
         32
    """
    *frame, sign = _FRAMES[ascii]
    frame[2] += f"  {defenders_words(suit)}"
    hands = [f"{sign}{holding_name(hand)}" for hand in (suit.north, suit.south)]
    lines = [hands[0], *frame, hands[1]]
    return Text("\n".join(_INDENT + line for line in lines), no_wrap=True)


def defenders_words(suit: Suit) -> str:
    """What the defenders have; cards that touch stand together."""
    if not suit.classes:
        return "the defenders have none"
    return f"the defenders have {' '.join(map(holding_name, suit.classes))}"


def assumption_words(suit: Suit, entries: tuple[float, float] = FREE) -> list[str]:
    """What is not as usual: cards gone or placed, the room in the defenders' hands, entries, ruffs, who leads."""
    found = []
    if played := set(suit.gone) - set(suit.discards):
        found.append(f"played already: {holding_name(played)}")
    if suit.discards:
        found.append(f"thrown away: {holding_name(suit.discards)}")
    if suit.splits is not None:
        total = sum(chance for _, chance in suit.splits)
        splits = [f"{cards} with {percent(chance / total)}" for cards, chance in suit.splits]
        found.append(f"West holds {', '.join(splits)}")
    found += [f"{whose} has {holding_name(cards)}" for whose, cards in known_cards(suit).items() if cards]
    if suit.west_length != ANY_LENGTH:
        found.append(f"West has {length_words(suit)} of the suit")
    if (suit.west_cards, suit.east_cards) != (13, 13):
        found.append(f"vacant places: West {suit.west_cards}, East {suit.east_cards}")
    if entries != FREE:
        counts = ["any number" if count == inf else f"{count:g}" for count in entries]
        found.append(f"entries outside the suit: North {counts[0]}, South {counts[1]}")
    if suit.ruffs:
        found.append(f"a hand that is out of the suit can ruff: {count_words(suit.ruffs, 'ruff')}")
    if suit.defenders_lead != "never":
        found.append(_LEADS[suit.defenders_lead])
    return found


_LEADS = {
    "first": "the defenders lead the first round, from the hand that suits them",
    "west": "West leads the first round",
    "east": "East leads the first round",
    "always": "the defenders lead every round while they have a card, from the hand that suits them",
}


def known_cards(suit: Suit) -> dict[str, Holding]:
    """The cards that are placed with each defender."""
    return {"West": suit.west, "East": suit.east}


def length_words(suit: Suit) -> str:
    """How many cards West is known to have.

    >>> from worldwise.bridge.suit.rules import Suit
    >>> [length_words(Suit.of("AQ", "2", west_length=length)) for length in ("3", "1+", "3-", "2-4")]
    ['3 cards', 'at least 1 card', 'at most 3 cards', '2 to 4 cards']
    """
    least, most = suit.west_length
    if least == most:
        return count_words(least, "card")
    if most == ANY_LENGTH[1]:
        return f"at least {count_words(least, 'card')}"
    return f"at most {count_words(most, 'card')}" if not least else f"{least} to {count_words(most, 'card')}"


# ---------------------------------------------------------------------- goals


def goals_table(
    suit: Suit, answers: Sequence[GoalAnswer], lines: Sequence[str], mixed: Mapping[int, float] = NO_COINS
) -> Table:
    """A row for every goal: the best chance, the chance if one saw all cards or tossed coins, and how to play.

    A column such as ``4+`` says how often, in percent, the row's line wins so many tricks; there is one for every
    number that some line wins sometimes, but not always. If these are many, they stand below the line.

    >>> from worldwise.bridge.suit.solver import SuitSolver
    >>> from worldwise.bridge.suit.rules import Suit
    >>> solver = SuitSolver(Suit.of("AKQ9", "32"))
    >>> goals_table(solver.suit, solver.goals, ["..."] * 4).row_count
    4
    """
    table = Table(title=f"{combination_name(suit)}, against best defence", title_justify="left")
    for heading in ("tricks", "chance", "cards seen", *(["mixed"] if mixed else [])):
        table.add_column(heading, justify="right", no_wrap=True)
    counts = uncertain_counts([answer.line for answer in answers])
    columns = counts if len(counts) <= MOST_COLUMNS else []
    for count in columns:
        table.add_column(f"{count}+", justify="right", no_wrap=True)
    table.add_column("line")
    for answer, line in zip(answers, lines, strict=True):
        chances: list[Fraction | float] = [answer.chance, answer.double_dummy]
        chances += [mixed[answer.tricks]] if mixed else []
        wins = {f"{count}+": percent(answer.line.at_least[count]).removesuffix(" %") for count in counts}
        below = "" if columns else "\n" + ", ".join(map(" ".join, wins.items()))
        table.add_row(
            str(answer.tricks), *map(percent, chances), *(list(wins.values()) if columns else []), line + below
        )
    return table


def goals_notes(answers: Sequence[GoalAnswer]) -> list[str]:
    """What goes below the table of goals: what its columns say, and lines that it has no row for."""
    counts = uncertain_counts([answer.line for answer in answers])
    names = ", ".join(f"{count}+" for count in counts)
    found = [f"{names}: how often, in percent, the line of that row wins so many tricks"] if counts else []
    return found + overtrick_words(answers)


def uncertain_counts(lines: Iterable[SuitLine]) -> list[int]:
    """The numbers of tricks that some line wins sometimes, but not always."""
    return sorted({count for line in lines for count, chance in line.at_least.items() if 0 < chance < 1})


def wins_words(line: SuitLine) -> str:
    """How often a line wins how many tricks, where that is uncertain, and its average.

    >>> from worldwise.bridge.suit.solver import SuitSolver
    >>> from worldwise.bridge.suit.rules import Suit
    >>> wins_words(SuitSolver(Suit.of("AK543", "J92")).line(4))
    '3 tricks 98.04 %, 4 tricks 87.61 %, 5 tricks 3.39 %; on average 3.8904 tricks'
    """
    found = [f"{count_words(count, 'trick')} {percent(line.at_least[count])}" for count in uncertain_counts([line])]
    return "; ".join([", ".join(found)] * bool(found) + [f"on average {float(line.average):.4f} tricks"])


def expected_words(expected: ExpectedAnswer) -> str:
    """The most tricks on average, and what Monte Carlo would believe instead."""
    tricks, seen = (Decimal(f"{float(count):.4f}") for count in (expected.tricks, expected.double_dummy))
    words = f"tricks on average: {tricks}; {seen} if you saw all cards"
    lost = expected.double_dummy > expected.tricks
    return f"{words}, so the price of strategy fusion is {seen - tricks}" if lost else f"{words}: nothing is lost"


def price_words(answer: GoalAnswer) -> str:
    """A goal's chance beside that of a declarer who sees all cards."""
    words = f"{percent(answer.chance)}; {percent(answer.double_dummy)} if you saw all cards"
    if answer.double_dummy == answer.chance:
        return f"{words}: nothing is lost"
    return f"{words}, so the price of strategy fusion is {percent_difference(answer.double_dummy, answer.chance)}"


def plays_words(answer: GoalAnswer) -> str:
    """Every first play with its chance, the best first."""
    ranked = sorted(answer.plays.items(), key=lambda pair: -pair[1])
    return ", ".join(f"{move} {percent(chance)}" for move, chance in ranked)


def answer_table(answer: GoalAnswer, line: str, mixed: Mapping[int, float] = NO_COINS) -> Table:
    """One goal in full."""
    table = plain_table()
    table.add_row("goal", count_words(answer.tricks, "trick"))
    table.add_row("chance", price_words(answer))
    if mixed:
        table.add_row("mixed", f"{percent(mixed[answer.tricks])} if you toss coins")
    table.add_row("line", line)
    table.add_row("wins", wins_words(answer.line))
    for words in overtrick_words([answer]):
        table.add_row("or", words)
    if answer.plays:
        table.add_row("plays", plays_words(answer))
    return table


def overtrick_words(answers: Iterable[GoalAnswer]) -> list[str]:
    """Lines as good for their goal that win one trick more likelier, but fewer tricks on average."""
    found = [(answer.tricks, line) for answer in answers if (line := answer.overtrick_line)]
    return [
        f"as good for {count_words(tricks, 'trick')}, and better for {tricks + 1}: "
        f"{line_words(line).summary} That wins {wins_words(line)}."
        for tricks, line in found
    ]


def why_table(
    answer: GoalAnswer,
    found: Comparison,
    line: str,
    monte_carlo: str,
    *,
    ascii: bool = False,  # noqa: A002
) -> Table:
    """A first line beside the best, how it goes on, and where Monte Carlo goes wrong."""
    table = plain_table()
    table.add_row("goal", count_words(answer.tricks, "trick"))
    table.add_row("why", signs("\n".join([found.words, *found.lists]), ascii=ascii))
    table.add_row("line", line)
    table.add_row("plays", plays_words(answer))
    if monte_carlo:
        table.add_row("sampling", monte_carlo)
    return table


def algorithms_table(suit: Suit, answer: GoalAnswer, results: Sequence[SuitResult]) -> Table:
    """What each algorithm believes of its line, what the line is worth, and how much that is less than the best."""
    title = f"{combination_name(suit)} for {count_words(answer.tricks, 'trick')}: worth against best defence"
    table = Table(title=title, title_justify="left")
    for heading in ("algorithm", "first play", "believes", "is worth", "loses"):
        table.add_column(heading, justify="left" if heading in ("algorithm", "first play") else "right", no_wrap=True)
    for result in results:
        lost = answer.chance > result.chance
        loses = percent_difference(answer.chance, result.chance) if lost else "optimal"
        cells = (percent(result.believed), percent(result.chance), loses)
        name = result.algorithm if result.complete else f"{result.algorithm}, cut short"
        table.add_row(name, str(result.move or "none"), *cells, style=None if lost else "bold")
    return table


# ---------------------------------------------------------------------- layouts


def splits_table(suit: Suit, answer: GoalAnswer, *, ascii: bool = False) -> RenderableType:  # noqa: A002
    """Which layouts win, by how the cards are split: a row for each number of cards that West may hold."""
    table = Table(title=f"where {count_words(answer.tricks, 'trick')} can be won", title_justify="left")
    for heading in ("West-East", "chance", "won"):
        table.add_column(heading, justify="right", no_wrap=True)
    table.add_column("winning layouts", min_width=26)
    won = layouts_of(suit, answer.wins)
    for split, every in _by_split(layouts_of(suit)).items():
        wins = [layout for layout in won if layout.cards == split]
        names = _which(wins, every, ascii=ascii)
        table.add_row(f"{split[0]}-{split[1]}", percent(_total(every)), percent(_total(wins)), names)
    spots = spots_words(suit, ascii=ascii)
    return Group(table, spots) if spots else table


def spots_words(suit: Suit, *, ascii: bool = False) -> str:  # noqa: A002
    """What ``x`` and ``×2`` stand for."""
    words = [f"x: any of {holding_name(suit.classes[-1])}"] if has_spots(suit) else []
    if any(len(cards) > 1 for cards in (suit.classes[:-1] if has_spots(suit) else suit.classes)):
        words.append("×2: two layouts, alike but for cards that touch")
    return signs("; ".join(words), ascii=ascii)


def _by_split(layouts: Iterable[SuitLayout]) -> dict[tuple[int, int], list[SuitLayout]]:
    found: dict[tuple[int, int], list[SuitLayout]] = {}
    for layout in sorted(layouts, key=lambda layout: -layout.cards[0]):
        found.setdefault(layout.cards, []).append(layout)
    return found


def _total(layouts: Iterable[SuitLayout]) -> Fraction:
    return sum((layout.chance for layout in layouts), Fraction(0))


def _which(wins: list[SuitLayout], every: list[SuitLayout], *, ascii: bool) -> str:  # noqa: A002
    """The shorter of two lists: those that win, or those that do not."""
    if not wins or len(wins) == len(every):
        return "all" if wins else "none"
    losses = [layout for layout in every if layout not in wins]
    few, before = (losses, "all but ") if len(losses) < len(wins) else (wins, "")
    names = [layout.name(ascii=ascii) for layout in few]
    rest = len(names) - MOST_LAYOUTS
    return before + ", ".join(names[:MOST_LAYOUTS]) + (f" and {rest} more (--json has all)" if rest > 0 else "")
