"""Declarers who play the same deal, together for as long as they choose alike.

Declarers with the same history see the same, and with the same chances they hold the same worlds possible. So they sit
at one table, share worlds and double-dummy solvers, and part where they choose differently; a table stops when its
outcome is decided. Each declarer makes the contract if and only if he would have made it alone.
"""

from __future__ import annotations

from collections import deque
from copy import copy
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple

from worldwise.bridge.players.simple import DoubleDummyPlayer
from worldwise.bridge.players.table import BridgeTable, seat_seed
from worldwise.bridge.players.world_sample import WorldSample, legal_cards
from worldwise.bridge.rules.goal import Goal
from worldwise.bridge.rules.view import view_of
from worldwise.bridge.solvers.pimc import SolverCache
from worldwise.lab.papers.clv21.games import question

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from worldwise.bridge.players.searchers import AlphaMuPlayer
    from worldwise.bridge.players.seats import AnyPlayer
    from worldwise.bridge.rules.deal import Card
    from worldwise.bridge.rules.play import Play


class Joint(NamedTuple):
    """How a deal came out: who made the contract, and how many cards they had played when they first parted."""

    made: dict[AlphaMuPlayer, bool]
    parted: int | None


@dataclass(frozen=True)
class _Party:
    """Declarers with the same history, their sample of worlds, and the defenders they meet."""

    declarers: tuple[AlphaMuPlayer, ...]
    play: Play
    sample: WorldSample
    defenders: BridgeTable

    def twin(self) -> _Party:
        """The same again, to play on in another way; a sample is never changed, only replaced."""
        return replace(self, sample=copy(self.sample), defenders=self.defenders.twin())


class PlayOut:
    """A deal for several declarers, who all meet the same defence with the same chances.

    ``most`` is the most worlds that any of them looks at.
    """

    def __init__(self, start: Play, defence: AnyPlayer, seed: int, most: int) -> None:
        self._start, self._defence, self._seed = start, defence, seed
        self._solvers = SolverCache(start.contract.strain, 2 * most + 1)

    def play_together(self, declarers: Sequence[AlphaMuPlayer]) -> Joint:
        """Declarers with equally many worlds play the deal."""
        parties = deque([self._seat(tuple(declarers))])
        made: dict[AlphaMuPlayer, bool] = {}
        parted: list[int] = []
        while parties:  # in turns, a card each, so that all ask about a world before it is forgotten
            party = parties.popleft()
            outcome = self._outcome(party.play)
            if outcome is not None:
                made |= dict.fromkeys(party.declarers, outcome)
                continue
            after = list(self._after(party))
            parties += after
            parted += [len(party.play.cards)] if len(after) > 1 else []
        return Joint(made, min(parted, default=None))

    def _seat(self, declarers: tuple[AlphaMuPlayer, ...]) -> _Party:
        contract = self._start.contract
        (worlds,) = {player.worlds for player in declarers}
        defenders = dict.fromkeys((contract.leader, contract.leader.partner), self._defence)
        sample = WorldSample(worlds, seed=seat_seed(self._seed, contract.declarer))
        return _Party(declarers, self._start, sample, BridgeTable.seat_players(defenders, self._seed))

    def _outcome(self, play: Play) -> bool | None:
        """Whether the contract is made; None if that is open."""
        if play.needed <= 0:
            return True
        if play.needed > play.position.tricks_left or self._is_beaten(play):
            return False
        return None

    def _is_beaten(self, play: Play) -> bool:
        """Whether the defence sees how to beat the contract, and so will: double dummy never errs."""
        if not isinstance(self._defence, DoubleDummyPlayer):
            return False
        return not self._solvers(play.deal).can_take(play.position, play.needed, play.contract.declarer)

    def _after(self, party: _Party) -> Iterator[_Party]:
        """The party after the next card; several if its declarers part."""
        play = party.play
        if play.turn != play.contract.declarer:
            yield replace(party, play=party.defenders.next_play(play))
            return
        chosen = self._choose(party)
        for card, declarers in chosen.items():
            own = party.twin() if len(chosen) > 1 else party
            yield replace(own, play=play.then(card), declarers=tuple(declarers))

    def _choose(self, party: _Party) -> dict[Card, Sequence[AlphaMuPlayer]]:
        """The cards that declarers play, and who plays each."""
        view = view_of(party.play, party.play.contract.declarer)
        asked = question(view, party.sample)
        if asked is None:
            return {legal_cards(view)[-1]: party.declarers}
        chosen: dict[Card, list[AlphaMuPlayer]] = {}
        for player in party.declarers:
            card = player.best(view, asked.worlds, Goal.seen_by(view, player.aim), self._solvers)
            chosen.setdefault(card, []).append(player)
        return dict(chosen)
