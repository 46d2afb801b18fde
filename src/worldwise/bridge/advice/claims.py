"""A claim, held against all layouts: is there one line that takes the tricks, wherever the hidden cards lie?

Declarer's claim is good in a layout if one plan, made without seeing the hidden hands, takes the tricks there whatever
the defenders play. alpha-mu finds the plan that is good in most layouts. Where a defender is to play first, each of his
cards is looked at, and declarer plans after it. Beside that stands double dummy, which sees all four hands: what it
takes on the deal as it lay.

Fewer than seven tricks in all are never worth a plan, because no contract asks for them: such claims have double
dummy's opinion only.
"""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import TYPE_CHECKING

from worldwise.bridge.advice.claim_record import PlannedClaim, TrickClaim
from worldwise.bridge.layouts.evidence import USUAL, Evidence
from worldwise.bridge.rules.deal import cards_in
from worldwise.bridge.rules.goal import Aim, Goal
from worldwise.bridge.solvers.alphamu import BridgeAlphaMu
from worldwise.bridge.solvers.double_dummy import double_dummy
from worldwise.bridge.solvers.pimc import SolverCache
from worldwise.core.result import Limit
from worldwise.errors import InputError, LimitReachedError
from worldwise.search.alphamu_root import Root, ValueKind

if TYPE_CHECKING:
    from collections.abc import Collection

    from worldwise.bridge.layouts.drawing import WeightedWorlds
    from worldwise.bridge.rules.board import Board
    from worldwise.bridge.rules.view import View

WORLDS, NODES = 60, 200_000
"""On how many layouts a claim is checked, if not on all, and how many nodes each search may visit."""

TELLING = 3
"""How many of the layouts in which a claim fails are kept."""

LEAST = 7
"""Nobody plans for fewer tricks in all."""


def claimed_tricks(board: Board) -> int | None:
    """The tricks that declarer's side was given without playing for them; None if the play is not over, or all played.

    >>> from worldwise.bridge.rules.board import Board
    >>> from worldwise.bridge.rules.contract import Contract
    >>> from worldwise.bridge.rules.deal import Deal, read_card
    >>> deal = Deal.read("N:AK... 43... 52... QJ...")
    >>> claimed_tricks(Board(deal, contract=Contract.read("1NT by S"), cards=(read_card("SQ"),), tricks=2))
    2
    """
    if board.tricks is None or not board.cards or board.play.position.over:
        return None
    more = board.tricks - board.play.declarer_tricks
    return more if 0 <= more <= board.play.position.tricks_left else None


def check_claim(board: Board, tricks: int | None = None, evidence: Evidence = USUAL, seed: int = 0) -> TrickClaim:
    """Whether declarer may claim so many of the tricks that are left, all of them unless one says otherwise.

    >>> from worldwise.catalog import deal
    >>> found = check_claim(deal("deals/two-way-guess").board)
    >>> found.tricks, found.good, found.planned.fails, found.planned.layouts
    (5, False, 5, 15)
    """
    position, declarer = board.play.position, board.play.contract.declarer
    left = position.tricks_left
    if position.over:
        raise InputError("expected a board whose play goes on, found it over")
    tricks = left if tricks is None else tricks
    if not 0 <= tricks <= left:
        raise InputError(f"expected a claim from 0 to {left} tricks, found {tricks}")
    seen = None
    if board.deal.complete:
        seen = double_dummy(board.deal, board.play.contract.strain).tricks(position, declarer)
    total = board.play.declarer_tricks + tricks
    planned = _look_for_plan(board.view(declarer), total, evidence, seed) if total >= LEAST else None
    return TrickClaim(len(board.cards), tricks, left, planned, seen)


def _look_for_plan(view: View, total: int, evidence: Evidence, seed: int) -> PlannedClaim:
    drawn = evidence.draw(view, WORLDS, Random(f"{seed} claim"))
    claimed = replace(view, contract=replace(view.contract, level=total - 6))
    search = _Search(drawn, SolverCache(view.contract.strain, len(drawn.worlds) + 1))
    good = search.good(claimed, range(len(drawn.worlds)))
    fails = [drawn.worlds[world] for world in range(len(drawn.worlds)) if world not in good]
    return PlannedClaim(
        layouts=len(drawn.worlds),
        exact=drawn.exact,
        fails=len(fails),
        chance=sum(drawn.weights[world] for world in good) / sum(drawn.weights),
        kind=ValueKind.FINAL if search.final else ValueKind.DEPTH,
        telling=tuple(fails[:TELLING]),
    )


class _Search:
    """Looks for a plan in the layouts that are left, after each card that a defender may play before declarer."""

    def __init__(self, drawn: WeightedWorlds, solvers: SolverCache) -> None:
        self.drawn, self.solvers, self.final = drawn, solvers, True

    def good(self, view: View, worlds: Collection[int]) -> set[int]:
        """In which of these layouts the tricks are taken."""
        if view.on_turn:
            return self._good_plan(view, sorted(worlds))
        good = set(worlds)
        played = {world: view.position(self.drawn.worlds[world]).legal for world in worlds}
        for card in cards_in(_union(played.values())):
            after = [world for world in worlds if played[world] >> card & 1]
            good -= set(after) - self.good(replace(view, played=(*view.played, card)), after)
        return good

    def _good_plan(self, view: View, worlds: list[int]) -> set[int]:
        deals = [self.drawn.worlds[world] for world in worlds]
        weights = [self.drawn.weights[world] for world in worlds]
        search = BridgeAlphaMu(2 * view.cards_left, root=Root.COMPARE)
        goal = Goal.seen_by(view, Aim.MAKE)
        try:
            found = search.evaluate(view, deals, Limit(nodes=NODES), weights=weights, goal=goal, solvers=self.solvers)
        except LimitReachedError:
            self.final = False
            return set(worlds)
        value = found.found_of(found.best)
        self.final &= value.kind is ValueKind.FINAL
        made = max(value.front, key=lambda front: sum(map(int.__mul__, weights, front)))
        return {world for world, won in zip(worlds, made, strict=True) if won}


def _union(cards: Collection[int]) -> int:
    found = 0
    for some in cards:
        found |= some
    return found
