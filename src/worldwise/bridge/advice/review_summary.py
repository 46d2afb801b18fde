"""What reviews say of the players: how often each chose well, and where the points went."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from worldwise.bridge.advice.review_record import BoardReview, CardReview


class Role(StrEnum):
    """What a player was doing."""

    DECLARER = "declarer"
    LEAD = "opening lead"
    DEFENCE = "defence"


@dataclass(frozen=True)
class CostTally:
    """Choices counted, those called mistakes, and what these cost in chance and in points, all added up."""

    choices: int = 0
    mistakes: int = 0
    chance: float = 0.0
    points: float = 0.0

    def __add__(self, other: CostTally) -> CostTally:
        return CostTally(
            self.choices + other.choices,
            self.mistakes + other.mistakes,
            self.chance + other.chance,
            self.points + other.points,
        )

    @property
    def accuracy(self) -> float | None:
        """The share of choices that were no mistakes; None without choices."""
        return 1 - self.mistakes / self.choices if self.choices else None


@dataclass
class PlayerSummary:
    """A player over some boards, by what he was doing."""

    name: str
    boards: int = 0
    roles: dict[Role, CostTally] = field(default_factory=lambda: dict.fromkeys(Role, CostTally()))

    @property
    def total(self) -> CostTally:
        """All roles together."""
        return sum(self.roles.values(), CostTally())

    @property
    def chance_a_board(self) -> float:
        """What mistakes cost in chance, per board."""
        return self.total.chance / self.boards

    @property
    def points_a_board(self) -> float:
        """The same in points."""
        return self.total.points / self.boards


def summarise(reviews: Iterable[BoardReview]) -> list[PlayerSummary]:
    """Every player who chose a card, by name; where no name is known, by seat."""
    players: dict[str, PlayerSummary] = {}
    for found in reviews:
        for name, role, told in _roles(found):
            player = players.setdefault(name, PlayerSummary(name))
            player.roles[role] += _tally(told)
        for name in {name for name, _, _ in _roles(found)}:
            players[name].boards += 1
    return [players[name] for name in sorted(players)]


def _roles(found: BoardReview) -> Iterator[tuple[str, Role, CardReview]]:
    contract = found.board.play.contract
    for told in found.decisions:
        role = Role.DECLARER if told.seat == contract.declarer else Role.DEFENCE if told.place else Role.LEAD
        yield found.board.names[told.seat] or str(told.seat), role, told


def _tally(told: CardReview) -> CostTally:
    if not told.blamed:
        return CostTally(int(told.chosen))
    return CostTally(1, 1, told.cost, told.score_cost)
