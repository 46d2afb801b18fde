"""A review for a terminal: the choices with their chances, then every mistake and why, then the players."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.table import Table

from worldwise.bridge.advice.review_record import CardVerdict
from worldwise.bridge.advice.review_summary import Role
from worldwise.bridge.views.claim_words import claim_words
from worldwise.bridge.views.deal_picture import card_sign
from worldwise.bridge.views.deal_text import colour_suits
from worldwise.bridge.views.review_words import hindsight_words, mistake_words, percent_words, verdict_words, who_words
from worldwise.search.alphamu_root import ValueKind

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from worldwise.bridge.advice.review_record import BoardReview, CardReview
    from worldwise.bridge.advice.review_summary import PlayerSummary

VERDICTS = {
    CardVerdict.BEST: "",
    CardVerdict.EQUAL: "as good",
    CardVerdict.CLOSE: "close",
    CardVerdict.MISTAKE: "mistake",
}
"""What the table says of a card."""


def review_table(found: BoardReview, *, ascii: bool = False) -> Table:  # noqa: A002
    """Every choice: the chance with the best card, with the card played, and the verdict.

    A chance that was not searched to the end is no more than so much: ≤.
    """
    table = Table()
    table.add_column("trick", justify="right")
    for name in ("who", "card", "best"):
        table.add_column(name, no_wrap=True)
    for name in ("before", "after", "cost", "points"):
        table.add_column(name, justify="right", no_wrap=True)
    table.add_column("")
    for told in found.decisions:
        if told.chosen:
            table.add_row(*map(colour_suits, choice_cells(told, ascii=ascii)))
    return table


def choice_cells(told: CardReview, *, ascii: bool = False) -> list[str]:  # noqa: A002
    """A row of the table."""
    figures = told.figures
    assert figures is not None
    at_most = "" if figures.kind is ValueKind.FINAL else "<= " if ascii else "≤ "
    other = told.verdict in (CardVerdict.CLOSE, CardVerdict.MISTAKE)
    costs = (
        [card_sign(told.best, ascii=ascii), percent_words(told.cost), f"{told.score_cost:.0f}"] if other else [""] * 3
    )
    return [
        str(told.trick),
        "dummy" if told.hand != told.seat else str(told.seat),
        card_sign(told.card, ascii=ascii),
        costs[0],
        at_most + percent_words(figures.before),
        at_most + percent_words(figures.chance),
        *costs[1:],
        VERDICTS[told.verdict],
    ]


def review_lines(found: BoardReview, *, ascii: bool = False) -> Iterator[str]:  # noqa: A002
    """What is to be said below the table."""
    skipped = sum(not told.chosen for told in found.decisions)
    yield f"{len(found.decisions)} cards, {skipped} of them without a choice that mattered."
    yield from verdict_words(found, ascii=ascii)
    for told in found.mistakes:
        yield ""
        first, *rest = mistake_words(found, told, ascii=ascii)
        yield first
        yield from (f"  {line}" for line in rest)
    seen = [told for told in found.decisions if not told.blamed and list(hindsight_words(told))]
    if seen:
        yield ""
        yield "Nobody's fault, as the cards lay:"
    for told in seen:
        name = card_sign(told.card, ascii=ascii)
        yield f"  Trick {told.trick}, {who_words(told)}'s {name}. {' '.join(hindsight_words(told, ascii=ascii))}"
    if found.claim is not None:
        yield ""
        yield from claim_words(found.board, found.claim)


def summary_table(players: Sequence[PlayerSummary]) -> Table:
    """The players: how often each chose well, what mistakes cost a board, and where the points went."""
    head, *rows = summary_rows(players)
    table = Table()
    for name in head:
        table.add_column(name, justify="left" if name == "player" else "right")
    for row in rows:
        table.add_row(*row)
    return table


def summary_rows(players: Sequence[PlayerSummary]) -> list[list[str]]:
    """The same as words: the heading, and a row for every player."""
    head = ["player", "boards", "choices", "mistakes", "accuracy", "chance lost a board", "points lost a board"]
    return [[*head, *(f"points lost, {role.value}" for role in Role)], *map(_player_cells, players)]


def _player_cells(player: PlayerSummary) -> list[str]:
    total = player.total
    return [
        player.name,
        str(player.boards),
        str(total.choices),
        str(total.mistakes),
        "" if total.accuracy is None else f"{100 * total.accuracy:.1f} %",
        f"{100 * player.chance_a_board:.1f} %",
        f"{player.points_a_board:.0f}",
        *(f"{player.roles[role].points:.0f}" for role in Role),
    ]
