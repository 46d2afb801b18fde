"""Games of bridge for CLV21's experiments: where they start, who plays, what declarer is asked, and how long he thinks.

A game starts with a deal of ``deal_for``, drawn by the row's seed. One with fewer than 52 cards starts later in such a
deal: the tricks before are played by an *opening* player in all four seats, double dummy if not said otherwise, so
that what could be made still can.
"""

from __future__ import annotations

from random import Random
from time import process_time
from typing import TYPE_CHECKING, NamedTuple

from worldwise.bridge.layouts.carding import Carding
from worldwise.bridge.layouts.deals_for_contract import deal_for
from worldwise.bridge.players.searchers import AlphaMuPlayer, PimcPlayer
from worldwise.bridge.players.simple import DoubleDummyPlayer, RandomPlayer
from worldwise.bridge.players.table import BridgeTable
from worldwise.bridge.players.world_sample import WorldSample, legal_cards
from worldwise.bridge.rules.contract import Contract
from worldwise.bridge.rules.play import Play
from worldwise.bridge.rules.view import view_of
from worldwise.bridge.solvers.card_values import choices_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from worldwise.bridge.players.seats import AnyPlayer
    from worldwise.bridge.rules.deal import Deal
    from worldwise.bridge.rules.view import View
    from worldwise.runs.rows import Row, Setting


def papers_declarer(worlds: int, depth: int) -> AlphaMuPlayer:
    """CLV21's declarer, to whom all layouts are alike; with a depth of 1 it is PIMC."""
    return AlphaMuPlayer(worlds, depth, carding=Carding.NONE)


PLAYERS: dict[str, AnyPlayer] = {
    "dds": DoubleDummyPlayer(),
    "pimc": PimcPlayer(20, carding=Carding.NONE),
    "random": RandomPlayer(),
}
"""Who may defend, and who plays the tricks before a game starts; CLV21's PIMC has 20 worlds."""


def start_of(setting: Setting, seed: int) -> Play:
    """A deal for the ``contract``, played by the ``opening`` player until so many ``cards`` are left, if it says so."""
    contract = Contract.read(f"{setting['contract']} by S")
    play, opening = Play(deal_for(contract, Random(seed)), contract), PLAYERS[str(setting.get("opening", "dds"))]
    table = BridgeTable.of(contract, opening, opening, seed)
    left = number(setting, "cards") if "cards" in setting else 52
    while 52 - len(play.cards) > left:
        play = table.next_play(play)
    return play


def number(setting: Setting, name: str) -> int:
    """A whole number of a setting."""
    value = setting[name]
    assert isinstance(value, int)
    return value


def numbers(setting: Row, name: str) -> list[int]:
    """Whole numbers that a setting, or a row of it, lists in one text.

    >>> from worldwise.runs.rows import Setting
    >>> numbers(Setting(depths="1 2"), "depths")
    [1, 2]
    """
    return [int(word) for word in str(setting[name]).split()]


# ---------------------------------------------------------------------- a game by the clock


class PlayedGame(NamedTuple):
    """How a game came out: whether the contract was made, declarer's moves, and his processor time."""

    made: bool
    moves: int
    seconds: float


def play_game(start: Play, declarer: AnyPlayer, defence: AnyPlayer, seed: int) -> PlayedGame:
    """A game from its start to its last card."""
    play, moves, seconds = start, 0, 0.0
    table = BridgeTable.of(start.contract, declarer, defence, seed)
    while not play.position.over:
        mine, started = play.turn == start.contract.declarer, process_time()
        play = table.next_play(play)
        moves, seconds = moves + mine, seconds + mine * (process_time() - started)
    return PlayedGame(play.declarer_tricks >= play.contract.tricks, moves, seconds)


# ---------------------------------------------------------------------- what declarer is asked


class DeclarerQuestion(NamedTuple):
    """A view of declarer's with at least two different cards to choose from, and a sample of worlds that fit."""

    view: View
    worlds: Sequence[Deal]


def question(view: View, sample: WorldSample) -> DeclarerQuestion | None:
    """What declarer is asked in a view of his; None if there is nothing to choose, and he plays his last legal card."""
    if len(legal_cards(view)) == 1:
        return None  # before he looks at worlds: a player at the table does the same, and his sample stays what it was
    asked = DeclarerQuestion(view, sample.follow(view))
    return asked if len(choices_of(view, asked.worlds[0])) > 1 else None


def questions(start: Play, declarer: AlphaMuPlayer, defence: AnyPlayer, seed: int) -> list[DeclarerQuestion]:
    """Every decision of a game in which ``declarer`` decides, with worlds drawn as his are, to ask others the same."""
    sample = WorldSample(declarer.worlds, seed=seed)
    views = _declarers_views(start, BridgeTable.of(start.contract, declarer, defence, seed))
    return [asked for view in views if (asked := question(view, sample))]


def _declarers_views(play: Play, table: BridgeTable) -> Iterator[View]:
    while not play.position.over:
        if play.turn == play.contract.declarer:
            yield view_of(play, play.turn)
        play = table.next_play(play)
