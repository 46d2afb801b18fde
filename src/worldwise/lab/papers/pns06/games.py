"""Games of kriegspiel for PNS06's experiments: who plays whom with how many boards, by which rules.

A setting names the player and whom he is ``against``, each with the boards that a decision of his rests on, and the
number of the game: the player has White in odd games. The rules are ``wild16`` with the draws of PNS06 if nothing else
is said; the paper's umpire was its authors' own server, and ``umd`` can be chosen instead.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, cast, overload

from worldwise.kriegspiel.belief.sampled import POOL
from worldwise.kriegspiel.match import KriegspielMatch
from worldwise.kriegspiel.players.names import read_player
from worldwise.kriegspiel.players.random_and_greedy import RandomTriesPlayer
from worldwise.kriegspiel.rules.umpire import WILD16, rules_named
from worldwise.lab.table import published_numbers
from worldwise.runs.rows import Setting

if TYPE_CHECKING:
    from collections.abc import Iterable

    from worldwise.kriegspiel.players.player import KriegspielPlayer
    from worldwise.kriegspiel.rules.umpire import Rules
    from worldwise.runs.rows import Row, Scalar

FIG_4_PUBLISHED = published_numbers("worldwise.lab.published", "pns06-fig-4.csv")

SAMPLES = {
    (cast("int", record["depth"]), cast("int", record["seconds"])): cast("int", record["boards"])
    for record in FIG_4_PUBLISHED.records()
}
"""The paper's sample sizes by depth and seconds a move."""

PLIES, QUIET = 160, 50
"""PNS06 calls a game a draw after so many plies, in all or without a capture or a pawn's move."""

PNS06, CHESS = "PNS06", "chess"
"""Whose draws: the paper's two limits, or fifty moves and the third repetition without them."""

LARGEST_POOL = 20_000
"""Boards that a player carries from move to move, at most."""


@dataclass(frozen=True)
class Contender:
    """A player: his kind, how far he looks, on how many boards, for ``mixed`` with how much caution, and what else.

    >>> Contender("overconfident", 2, 321).text
    'overconfident:2,boards=321,pool=1000,mates=off'
    >>> Contender("mixed", 1, 1683, caution=0.3).text
    'mixed:1,0.3,boards=1683,pool=1683,mates=off'
    >>> Contender("HS").text
    'HS:mates=off'
    """

    kind: str
    depth: int = 0
    boards: int = 0
    caution: float | None = None
    mates: str = "off"
    others: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        """As ``read_player`` reads it; of who has no depth nothing else is said."""
        if not self.depth:
            return self.kind if self.kind == RandomTriesPlayer.name else f"{self.kind}:mates={self.mates}"
        caution = "" if self.caution is None else f",{self.caution:g}"
        options = f"boards={self.boards}", f"pool={self.pool}", f"mates={self.mates}", *self.others
        return f"{self.kind}:{self.depth}{caution}," + ",".join(options)

    @property
    def pool(self) -> int:
        """Boards carried from move to move: as many as are looked at, within reason."""
        return max(POOL, min(self.boards, LARGEST_POOL))


OTHERS = ("refill", "again", "leaf")
"""Options of players that a setting may have, for whoever of the two searches."""


def contenders(setting: Setting) -> tuple[Contender, Contender]:
    """The player of a setting, and the other.

    >>> [one.text for one in contenders(Setting(player="rand", against="HS"))]
    ['rand', 'HS:mates=off']
    """
    caution, mates = setting.get("caution"), str(setting.get("mates", "off"))
    others = tuple(f"{name}={setting[name]}" for name in OTHERS if name in setting)
    player = Contender(
        str(setting["player"]),
        _whole(setting.get("depth")),
        _whole(setting.get("boards")),
        None if caution is None else float(cast("float", caution)),
        mates,
        others,
    )
    depth, boards = _whole(setting.get("against_depth")), _whole(setting.get("against_boards"))
    return player, Contender(str(setting["against"]), depth, boards, mates=mates, others=others)


def _whole(value: Scalar) -> int:
    return 0 if value is None else cast("int", value)


def rules_of(setting: Setting) -> Rules:
    """The umpire's rules, with the draws of the setting and its ``ply_limit``.

    >>> rules = rules_of(Setting(rules="umd"))
    >>> rules.name, rules.ply_limit, rules.quiet_limit, rules.fifty
    ('umd', 160, 50, False)
    """
    rules = rules_named(str(setting.get("rules", WILD16.name)))
    if setting.get("draws", PNS06) == CHESS:
        return replace(rules, fifty=True, repetition=True)
    limit = _whole(setting.get("ply_limit", PLIES))
    return replace(rules, fifty=False, repetition=False, ply_limit=limit, quiet_limit=QUIET)


def measure_game(setting: Setting, seed: int) -> Row:
    """One game: who won, why it ended, every try, and the player's score."""
    player, other = (read_player(contender.text) for contender in contenders(setting))
    return play_game(setting, seed, player, other)


def play_game(setting: Setting, seed: int, player: KriegspielPlayer, other: KriegspielPlayer) -> Row:
    """The same, whoever plays."""
    played = KriegspielMatch(player, other, rules_of(setting)).play(_whole(setting["game"]), seed)
    return {**played.row, "score": played.score}


class Numbered(Sequence[Setting]):
    """Games of some cells, made when they are asked for: a paper's worth of them is tens of thousands."""

    def __init__(self, *parts: tuple[Sequence[Setting], range]) -> None:
        self._parts = parts

    def __len__(self) -> int:
        return sum(len(cells) * len(numbers) for cells, numbers in self._parts)

    @overload
    def __getitem__(self, index: int) -> Setting: ...

    @overload
    def __getitem__(self, index: slice) -> tuple[Setting, ...]: ...

    def __getitem__(self, index: int | slice) -> Setting | tuple[Setting, ...]:
        at = range(len(self))[index]
        return self._game(at) if isinstance(at, int) else tuple(map(self._game, at))

    def _game(self, at: int) -> Setting:
        for cells, numbers in self._parts:
            if at < len(cells) * len(numbers):
                return Setting(**cells[at % len(cells)], game=numbers[at // len(cells)])
            at -= len(cells) * len(numbers)
        raise AssertionError("an index within the length is in one of the parts")

    def __add__(self, other: Numbered) -> Numbered:
        return Numbered(*self._parts, *other._parts)


def number_games(cells: Iterable[Setting], games: int, first: int = 1) -> Numbered:
    """Each cell's game 1, then each cell's game 2 and so on: however far a run has come, all cells have as many games.

    >>> listed = number_games([Setting(depth=1), Setting(depth=2)], games=2)
    >>> len(listed), listed[1], listed[-1]
    (4, Setting(depth=2, game=1), Setting(depth=2, game=2))
    """
    return Numbered((tuple(cells), range(first, games + first)))
