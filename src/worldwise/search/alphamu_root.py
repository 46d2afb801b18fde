"""The root of alpha-mu: iterative deepening over M, and what becomes known of each move.

A deeper search is never worth more. So what a shallower one has found bounds a move, and a move that is worth as much
as the best of the depth before is the best.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import Enum
from typing import TYPE_CHECKING, Any, Protocol

from worldwise.core.front import Front
from worldwise.errors import LimitReachedError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from worldwise.core.scale import AnyScale

NO_OUTCOME: Front[Any] = Front([])
"""The front of a move that offers nothing, or of no move at all."""


class ValueKind(Enum):
    """What a figure of a depth-limited search is.

    ``FINAL``  searched to the end of the play: nothing changes it
    ``DEPTH``  exact for so many moves of MAX ahead, with everything seen after them: never too little
    ``BOUND``  not more than this: left over from a smaller depth, or cut because another move is as good
    """

    FINAL = "final"
    DEPTH = "depth"
    BOUND = "bound"


class Root(Enum):
    """What the root is searched for: to ``DECIDE`` on one move, or to ``COMPARE`` them all.

    Who decides ends with one proven move; the others have bounds. Who compares searches every move alike, by itself.
    Both name a move of the best value there is.
    """

    DECIDE = "decide"
    COMPARE = "compare"


@dataclass(frozen=True)
class MoveValue:
    """What is known of a move of the root: its front and the score of its best outcome, as of ``depth`` moves ahead.

    The front of a bound is that of the last search which was not cut.
    """

    front: Front[Any]
    score: Any
    depth: int
    kind: ValueKind

    @property
    def bound(self) -> MoveValue:
        """The same as no more than a bound, unless nothing can change it."""
        return self if self.kind is ValueKind.FINAL else replace(self, kind=ValueKind.BOUND)


class OneMove(Protocol):
    """Searches one move of the root at a time: the readable ``Walk``, or a compiled one."""

    def search(self, move: Any, depth: int, need: Any, *, beside: Front[Any]) -> tuple[Front[Any], bool]:
        """The outcomes after a move that score at least ``need``, and whether they are final.

        ``beside`` is what other moves offer: outcomes that one of these dominates may be missing, or too good.
        """


class RootSearch:
    """Iterative deepening over M at the root, whoever searches the moves: to decide, or to compare.

    Moves stand in the order in which equals are preferred: the best of the depth before, then by what they promise with
    everything seen, then as they were given: at the bridge table the lowest card first (``BridgeAlphaMu``).
    """

    def __init__(self, one: OneMove, scale: AnyScale, moves: Iterable[Any], mode: Root, *, score_cut: bool) -> None:
        self.one, self.scale, self.mode, self.score_cut = one, scale, mode, score_cut
        self.moves = list(moves)
        self.values: dict[Any, MoveValue] = {}
        self.seen: dict[Any, MoveValue] = {}
        self.reached, self.complete, self.cuts = 0, False, 0

    @property
    def best(self) -> Any:
        """The move to choose: the first of the best that are no mere bounds.

        Who compares takes one that is proven to the end before one that looks as good so far.
        """
        exact = [move for move in self.moves if self.values[move].kind is not ValueKind.BOUND]
        return max(exact, key=self._rank)

    def _rank(self, move: Any) -> tuple[Any, bool]:
        value = self.values[move]
        return value.score, self.mode is Root.COMPARE and value.kind is ValueKind.FINAL

    def deepen(self, deepest: int) -> None:
        """Look one move of MAX ahead, then two; a depth that the limit cuts short counts if it settles the choice."""
        for depth in range(1, deepest + 1):
            before = dict(self.values)
            try:
                self._at_depth(depth)
            except LimitReachedError:
                if not before:
                    raise
                if not self._settles_at(depth):
                    self.values = before
                    return
                self.reached = depth
                return
            self.reached = depth
            if self._nothing_left():
                break
        self.complete = True

    def _at_depth(self, depth: int) -> None:
        if depth == 1:
            self._see_all()
        elif self.mode is Root.COMPARE:
            self._compare(depth)
        else:
            self._decide(depth)
        best = self.best
        self.moves.remove(best)
        self.moves.insert(0, best)

    def _see_all(self) -> None:
        """One move ahead: every world with everything seen, which is PIMC."""
        for move in self.moves:
            front, final = self.one.search(move, 1, None, beside=NO_OUTCOME)
            self.values[move] = self._exact(front, 1, final)
        self.seen = dict(self.values)
        self.moves.sort(key=lambda move: self.values[move].score, reverse=True)

    def _compare(self, depth: int) -> None:
        """Every move by itself, whatever the others are worth."""
        for move in self.moves:
            if self.values[move].kind is ValueKind.FINAL:
                continue
            for need in self._floors(self.values[move].score):
                front, final = self.one.search(move, depth, need, beside=NO_OUTCOME)
                if len(front):
                    self.values[move] = self._exact(front, depth, final)
                    break

    def _decide(self, depth: int) -> None:
        """Until one move is proven: as good as the best of the depth before, or better than all others."""
        before = self.values[self.best].score
        for move in self.moves:
            self.values[move] = self.values[move].bound
        for need in self._floors(before):
            if self._prove(depth, need, before):
                return

    def _prove(self, depth: int, need: Any, before: Any) -> bool:
        """Whether some move has outcomes that score so much; each that has must beat the one before."""
        beside: Front[Any] = NO_OUTCOME
        best: Any = None
        for move in self.moves:
            beside |= self._try(move, depth, need, beside)
            value = self.values[move]
            if value.kind is ValueKind.BOUND or not _reaches(value.score, need):
                continue
            best, need = move, _more(value.score) if self.score_cut else None
            # Root cut. A deeper search is never worth more, so a move as good as the best before is the best.
            if value.score == before:
                self.cuts += 1
                break
        return best is not None

    def _try(self, move: Any, depth: int, need: Any, beside: Front[Any]) -> Front[Any]:
        """Search a move beside others: its value is exact if it is worth more than they are, otherwise a bound."""
        known = self.values[move]
        if known.kind is ValueKind.FINAL:
            return known.front
        if need is not None and not _reaches(known.score, need):  # nor will it deeper
            return NO_OUTCOME
        front, final = self.one.search(move, depth, need, beside=beside)
        if not len(front):
            self.values[move] = replace(known, score=min(known.score, _less(need, known.score)))
            return front
        value = self._exact(front, depth, final)
        best = all(value.score > self.scale.score(code) for code in beside)
        self.values[move] = value if best else replace(known, score=min(known.score, value.score))
        return front

    def _exact(self, front: Front[Any], depth: int, final: bool) -> MoveValue:
        kind = ValueKind.FINAL if final else ValueKind.DEPTH
        return MoveValue(front, max(map(self.scale.score, front)), depth, kind)

    def _floors(self, before: Any) -> Iterator[Any]:
        """What to ask for: as much as before, then less and less, until anything will do."""
        if self.score_cut and isinstance(before, int):
            unit, drop = -(-self.scale.score(self.scale.top) // len(self.scale.weights)), 0
            while before - drop > 0:
                yield before - drop
                drop = 2 * drop + unit
        yield None

    def _settles_at(self, depth: int) -> bool:
        """Whether one of the moves that were searched so deep is worth no less than any other can be."""
        for move, value in self.values.items():
            if value.depth < depth:
                self.values[move] = value.bound
        exact = [value.score for value in self.values.values() if value.kind is not ValueKind.BOUND]
        return bool(exact) and max(exact) == max(value.score for value in self.values.values())

    def _nothing_left(self) -> bool:
        """Whether a deeper search can change nothing that was asked for."""
        if self.mode is Root.COMPARE:
            return all(value.kind is ValueKind.FINAL for value in self.values.values())
        best = self.values[self.best]
        return best.kind is ValueKind.FINAL and best.score == max(value.score for value in self.values.values())


def _more(score: Any) -> Any:
    """The least that is more; where scores are no whole numbers, the same."""
    return score + 1 if isinstance(score, int) else score


def _less(need: Any, otherwise: Any) -> Any:
    """What a move has at most that does not reach what was needed."""
    return need - 1 if isinstance(need, int) else otherwise


def _reaches(score: Any, need: Any) -> bool:
    return need is None or bool(score >= need)
