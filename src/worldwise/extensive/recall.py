"""Perfect recall: does a player ever forget what he knew or did, where, and how many heads would it take?

A player's *history* at a node is the sequence of his own information sets and actions on the way there. He has perfect
recall if all nodes of each of his information sets share one history (Kuhn's definition). BMV96 gives Thompson's, which
looks at two sets at a time: if S follows R, all of S lies below one action of R. They agree, and the second says whom
to split: sets R and S that break it cannot belong to one head, so the fewest heads are a colouring of these conflicts.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import Enum
from heapq import heapify, heappop, heappush
from typing import TYPE_CHECKING

from worldwise.core.game import CHANCE
from worldwise.errors import GameError, InputError
from worldwise.extensive.game import NONE, ChanceMove, Event, ExtensiveGame

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

History = dict[int, int]
"""A player's information sets on the way to a node, each with the action taken; the latest first."""


class Forgetting(Enum):
    """The kinds of imperfect recall: what one knew, what one did, and that one has moved at all."""

    KNEW = "what was known"
    DID = "what was done"
    ABSENT_MINDED = "that a move was made"

    def __repr__(self) -> str:
        return f"Forgetting.{self.name}"


@dataclass(frozen=True)
class Forgotten:
    """What is forgotten: at two ``nodes`` of the set ``later``, the action taken at ``earlier`` differs.

    An action None means that the node does not follow ``earlier`` at all: what was known there is forgotten.
    """

    player: int
    earlier: int
    later: int
    nodes: tuple[int, int]
    actions: tuple[int | None, int | None]

    @property
    def absent_minded(self) -> bool:
        """Whether it is forgotten that a move was made at all: a node and its ancestor are in one set."""
        return self.earlier == self.later

    @property
    def kind(self) -> Forgetting:
        """What kind of forgetting it is."""
        if self.absent_minded:
            return Forgetting.ABSENT_MINDED
        return Forgetting.KNEW if self.actions[0] == self.actions[1] or None in self.actions else Forgetting.DID


def find_forgotten(game: ExtensiveGame, player: int | None = None) -> Forgotten | None:
    """A witness that a player, or any player, lacks perfect recall; None if all is remembered.

    >>> from worldwise.catalog import game
    >>> find_forgotten(game("bmv96/fig-2-g2"))
    Forgotten(player=0, earlier=1, later=2, nodes=(2, 7), actions=(0, None))
    """
    histories = _Histories(game)
    for later in game.information_sets(player):
        witness = histories.witness(later)
        if witness:
            return witness
    return None


def kinds_of_forgetting(game: ExtensiveGame, player: int) -> tuple[Forgotten, ...]:
    """For each kind of forgetting that a player shows, a witness; none if he forgets nothing.

    Two nodes that he cannot tell apart are compared where their histories first part: at one of his sets by different
    actions, which he then has forgotten; at two different sets, or at one that only one of them comes to, and then he
    has forgotten what he knew there.

    >>> from worldwise.catalog import game
    >>> [witness.kind for witness in kinds_of_forgetting(game("bmv96/fig-2-g2"), 0)]
    [Forgetting.KNEW]
    """
    histories, found = _Histories(game), dict[Forgetting, Forgotten]()
    for later in game.information_sets(player):
        for witness in histories.partings(later):
            found.setdefault(witness.kind, witness)
    return tuple(found[kind] for kind in Forgetting if kind in found)


def perfect_recall(game: ExtensiveGame, player: int | None = None) -> bool:
    """Whether a player, or every player, remembers all he knew and did."""
    return find_forgotten(game, player) is None


def agents(game: ExtensiveGame, player: int) -> tuple[tuple[int, ...], ...]:
    """A player's information sets, parted among agents who each have perfect recall: bridge's West and East.

    As few agents as a greedy colouring finds, which is the fewest possible where one or two are enough.

    >>> from worldwise.catalog import game
    >>> agents(game("bmv96/fig-2-g2"), 0)
    ((1, 3), (2,))
    """
    conflicts = _Histories(game).conflicts(player)
    for number, others in conflicts.items():
        if number in others:
            raise GameError(f"no agents can share set {game.set_label(number)}: its player forgets that he has moved")
    colours = _colour(conflicts)
    heads = range(max(colours.values(), default=-1) + 1)
    return tuple(tuple(number for number in conflicts if colours[number] == head) for head in heads)


def _colour(conflicts: dict[int, set[int]]) -> dict[int, int]:
    """A colour for each set, another one than those it conflicts with.

    The set whose neighbours have the most colours has the least choice and comes next (Brelaz), which is optimal where
    two colours are enough.
    """
    colours: dict[int, int] = {}
    waiting = [(0, number) for number in conflicts]
    heapify(waiting)
    while waiting:
        _, number = heappop(waiting)
        if number in colours:
            continue
        taken = {colours[other] for other in conflicts[number] if other in colours}
        colours[number] = next(colour for colour in range(len(taken) + 1) if colour not in taken)
        for other in conflicts[number]:
            if other not in colours:
                seen = {colours[neighbour] for neighbour in conflicts[other] if neighbour in colours}
                heappush(waiting, (-len(seen), other))
    return colours


def split(game: ExtensiveGame) -> ExtensiveGame:
    """The same game with every forgetful player replaced by a team of agents who share his payoffs.

    >>> from worldwise.catalog import game
    >>> split(game("bmv96/fig-2-g2")).players
    ('player (1)', 'player (2)')
    """
    teams = [agents(game, player) or ((),) for player in range(len(game.players))]
    owner = {number: agent for agent, number in _owners(teams)}
    shares = [player for player, team in enumerate(teams) for _ in team]
    names = [
        name if len(team) == 1 else f"{name} ({head + 1})"
        for name, team in zip(game.players, teams, strict=True)
        for head in range(len(team))
    ]
    events: list[Event] = [
        event if isinstance(event, ChanceMove) else replace(event, player=owner[number])
        for number, event in enumerate(game.events)
    ]
    outcomes = (outcome._replace(payoffs=tuple(outcome.payoffs[p] for p in shares)) for outcome in game.outcomes)
    bounds = game.bounds and tuple(game.bounds[player] for player in shares)
    return replace(game, players=tuple(names), events=tuple(events), outcomes=tuple(outcomes), bounds=bounds)


def merge(game: ExtensiveGame, team: Sequence[int], name: str | None = None) -> ExtensiveGame:
    """The same game with some players replaced by one who sees with their eyes, and so may forget; ``split`` undoes it.

    They must be paid alike at every end: bridge's declarer and dummy, the players of Hanabi. The one takes the place of
    the first of them.

    >>> from worldwise.catalog import game
    >>> g2 = game("bmv96/fig-2-g2")
    >>> merge(split(g2), [0, 1], "player") == g2
    True
    """
    members = sorted(set(team))
    if not members or not set(members) <= set(range(len(game.players))):
        raise InputError(f"expected players from 0 to {len(game.players) - 1}, found {list(team)}")
    for payoffs in game.leaf_payoffs():
        if len({payoffs[player] for player in members}) > 1:
            raise InputError(f"expected a team that is paid alike, found an end that pays {payoffs}")
    kept = [player for player in range(len(game.players)) if player == members[0] or player not in members]
    place = {player: kept.index(members[0] if player in members else player) for player in range(len(game.players))}
    together = " and ".join(game.players[player] for player in members) if name is None else name
    names = tuple(together if player == members[0] else game.players[player] for player in kept)
    events = tuple(
        event if isinstance(event, ChanceMove) else replace(event, player=place[event.player]) for event in game.events
    )
    outcomes = tuple(outcome._replace(payoffs=tuple(outcome.payoffs[p] for p in kept)) for outcome in game.outcomes)
    bounds = game.bounds and tuple(game.bounds[player] for player in kept)
    return replace(game, players=names, events=events, outcomes=outcomes, bounds=bounds)


def _owners(teams: list[tuple[tuple[int, ...], ...]]) -> Iterator[tuple[int, int]]:
    agent = 0
    for team in teams:
        for sets in team:
            yield from ((agent, number) for number in sets)
            agent += 1


class _Histories:
    """Every node's history for the player to move there, as the number of a chain of (earlier chain, set, action)."""

    def __init__(self, game: ExtensiveGame) -> None:
        self.game = game
        self.links: list[tuple[int, int, int]] = []
        self.at = self._chains()

    def _chains(self) -> list[int]:
        game, links = self.game, self.links
        known: dict[tuple[int, int, int], int] = {}
        nobody = (NONE,) * len(game.players)
        chains: list[tuple[int, ...]] = [nobody] * len(game)
        own = [NONE] * len(game)
        for node, number in enumerate(game.event.tolist()):
            if number == NONE:
                continue
            player, chain = game.events[number].player, chains[node]
            if player != CHANCE:
                own[node] = chain[player]
            for action in game.moves(node):
                after = chain
                if player != CHANCE:
                    link = (chain[player], number, action)
                    if link not in known:
                        known[link] = len(links)
                        links.append(link)
                    after = (*chain[:player], known[link], *chain[player + 1 :])
                chains[game.play(node, action)] = after
        return own

    def history(self, node: int) -> History:
        chain, history = self.at[node], {}
        while chain != NONE:
            chain, number, action = self.links[chain]
            history[number] = action
        return history

    def witness(self, later: int) -> Forgotten | None:
        one, *others = self.game.nodes_of[later]
        other = next((node for node in others if self.at[node] != self.at[one]), None)
        if other is None:
            return None
        first, second = self.history(one), self.history(other)
        # The earliest thing forgotten says most. If there is none, the same was done in another order.
        passed = [*reversed(first), *reversed(second)]
        earlier = next((number for number in passed if first.get(number) != second.get(number)), passed[0])
        event = self.game.events[later]
        return Forgotten(event.player, earlier, later, (one, other), (first.get(earlier), second.get(earlier)))

    def partings(self, later: int) -> Iterator[Forgotten]:
        """Where the histories of a set's nodes part: after each common beginning, the first way on and every other."""
        ways: dict[int, dict[tuple[int, int] | None, int]] = {}
        for node in {self.at[node]: node for node in reversed(self.game.nodes_of[later])}.values():
            chain, way = self.at[node], None
            while True:
                onward = ways.setdefault(chain, {})
                is_new = way not in onward
                onward.setdefault(way, node)
                if chain == NONE or not is_new:
                    break
                before, number, action = self.links[chain]
                chain, way = before, (number, action)
        for onward in ways.values():
            yield from self._pairs(later, onward)

    def _pairs(self, later: int, onward: dict[tuple[int, int] | None, int]) -> Iterator[Forgotten]:
        """The first way on with each other one; two actions at one set are a pair of their own."""
        first: dict[int, tuple[int, int]] = {}
        ways = sorted(onward.items(), key=lambda way: way[1])
        for way, node in ways:
            if way is not None:
                number, action = way
                if number in first:
                    before, other = first[number]
                    yield Forgotten(self.game.events[later].player, number, later, (other, node), (before, action))
                else:
                    first[number] = action, node
        (one, node), *others = ways
        for way, other in others:
            if way is None or one is None or way[0] != one[0]:
                yield self._compared(later, node, other, (one or way or (0, 0))[0])

    def _compared(self, later: int, node: int, other: int, earlier: int) -> Forgotten:
        actions = self.history(node).get(earlier), self.history(other).get(earlier)
        return Forgotten(self.game.events[later].player, earlier, later, (node, other), actions)

    def conflicts(self, player: int) -> dict[int, set[int]]:
        """For each set of a player, the sets that no agent with perfect recall can own together with it."""
        conflicts: dict[int, set[int]] = {number: set() for number in self.game.information_sets(player)}
        for later, nodes in ((number, self.game.nodes_of[number]) for number in conflicts):
            chains = {self.at[node]: node for node in nodes}
            if len(chains) < 2:
                continue
            histories = [self.history(node) for node in chains.values()]
            for earlier in {number for history in histories for number in history}:
                if len({history.get(earlier) for history in histories}) > 1:
                    conflicts[later].add(earlier)
                    conflicts[earlier].add(later)
        return conflicts
