"""alpha-mu (CLV21): exact minimax over fronts for a few moves of MAX, then every world with the cards face up.

With M moves of MAX to look ahead, M = 1 is PIMC, and M as large as the number of MAX's moves left is the exact search.
In between lies what can be had at the table: neither strategies fused nor outcomes thrown away for M moves.

Two things hold everywhere and make every cut below sound. Fronts are a distributive lattice, so where a front x enters
the value of a MAX node above, it does so as ``(x & a) | b``. And more moves ahead, or more moves of MIN tried, can only
make a front smaller: whatever has been found so far is an upper bound. What is returned after a cut is such a bound.

A world's payoff is ``top`` where the position cannot arise (the paper's x), and everything is cut to a *cap*: what is
left to win, the worlds outside it being the paper's useless ones (its -), which count as lost.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, replace
from enum import Enum
from functools import reduce
from operator import and_, or_
from typing import TYPE_CHECKING, Any, Protocol

from worldwise.core.front import Front
from worldwise.core.game import Side, coded, key_of
from worldwise.core.result import NO_LIMIT, Clock, Limit, SearchResult, Stats, Tally
from worldwise.core.worlds import OpenWorlds
from worldwise.errors import InputError, LimitReachedError

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Iterator, Mapping

    from worldwise.core.game import AnyWorldGame
    from worldwise.core.scale import AnyScale
    from worldwise.core.vector import Vector


class FaceUp(Protocol):
    """What alpha-mu asks about a position when it looks no further ahead: double dummy, for bridge.

    Without one of your own, each world is solved by minimax to the end of the game (``Solved``). Yours may know a
    faster way. Its work is not interrupted by the limit of the search, so it should answer at once, or raise
    ``LimitReachedError`` itself. Here everything is won with the cards face up, which is how PIMC sees ``fb01/fig-10``:

    >>> import worldwise
    >>> class Optimist:
    ...     def __init__(self, game):
    ...         self.game = game
    ...     def open(self, position):
    ...         return frozenset(range(self.game.worlds))
    ...     def code(self, position, worlds):
    ...         return self.game.scale.code([1 if world in worlds else None for world in range(self.game.worlds)])
    >>> tree = worldwise.tree("fb01/fig-10")
    >>> worldwise.solve(tree, AlphaMu(1), face_up=Optimist(tree)).value
    1.0
    """

    def open(self, position: Any) -> frozenset[int]:
        """The worlds in which the position can arise.

        Too many only make the search slower, as long as ``code`` is ``top`` where the position cannot arise.
        """

    def code(self, position: Any, worlds: frozenset[int]) -> Any:
        """What each of these worlds is worth with everything seen, on the game's scale; ``top`` in the others.

        ``scale.code`` makes it of a payoff for each world, None being ``top``. At the end of the game it must be true.
        """


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


@dataclass(frozen=True)
class AlphaMuResult(SearchResult):
    """What alpha-mu answers; ``believed`` and ``value`` are both the average of the best vector of its front.

    They say what the line is worth if everything is seen after ``depth`` moves of MAX, which is never too little.
    ``kinds`` says what is known of each move, ``depths`` how many moves ahead it was searched. ``cuts`` counts each
    kind of cut by its name.
    """

    depth: int = 0
    kinds: Mapping[Any, ValueKind] = field(default_factory=dict)
    depths: Mapping[Any, int] = field(default_factory=dict)
    cuts: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True)
class AlphaMu:
    """CLV21 Algorithm 2, ``depth`` being its M. The five switches are the paper's U, E, alpha, W and Win.

    ``score`` is ours: outcomes that cannot become the best are dropped wherever they arise. ``root`` says whether one
    move is to be decided on, or all are to be compared.

    >>> from worldwise.catalog import tree
    >>> [AlphaMu(depth).search(tree("fb01/fig-10")).value for depth in (1, 2)]
    [1.0, 0.8]
    """

    depth: int = 3
    useful: bool = True
    empty_entry: bool = True
    alpha: bool = True
    worlds: bool = True
    win: bool = True
    score: bool = True
    root: Root = Root.DECIDE

    @property
    def name(self) -> str:
        """With the number of moves ahead."""
        return f"alpha-mu-{self.depth}"

    def search(self, game: AnyWorldGame, limit: Limit = NO_LIMIT, face_up: FaceUp | None = None) -> AlphaMuResult:
        """Look one move of MAX ahead, then two, up to ``depth``; when the limit runs out, what was found by then."""
        if game.to_move(game.root) is not Side.MAX:
            raise InputError("expected a game in which MAX moves first")
        if self.depth < 1:
            raise InputError(f"expected a depth of at least 1, found {self.depth}")
        tally = Tally(Clock(limit, self.name))
        walk = Walk(self, game, Solved(game, tally) if face_up is None else face_up, tally)
        root = RootSearch(walk, walk.scale, game.moves(game.root), self.root, score_cut=self.score)
        root.deepen(min(self.depth, limit.depth or self.depth))
        return walk.concluded(root)


class OneMove(Protocol):
    """Searches one move of the root at a time: the readable ``Walk``, or a compiled one."""

    def search(self, move: Any, depth: int, need: Any, *, beside: Front[Any]) -> tuple[Front[Any], bool]:
        """The outcomes after a move that score at least ``need``, and whether they are final.

        ``beside`` is what other moves offer: outcomes that one of these dominates may be missing, or too good.
        """


class RootSearch:
    """Iterative deepening over M at the root, whoever searches the moves: to decide, or to compare.

    Moves stand in the order in which equals are preferred: the best of the depth before, then by what they promise with
    everything seen, then as they were given.
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
                if not self._settled_by(depth):
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
            front, final = self.one.search(move, 1, None, beside=_NOTHING)
            self.values[move] = self._exact(front, 1, final)
        self.seen = dict(self.values)
        self.moves.sort(key=lambda move: self.values[move].score, reverse=True)

    def _compare(self, depth: int) -> None:
        """Every move by itself, whatever the others are worth."""
        for move in self.moves:
            if self.values[move].kind is ValueKind.FINAL:
                continue
            for need in self._floors(self.values[move].score):
                front, final = self.one.search(move, depth, need, beside=_NOTHING)
                if len(front):
                    self.values[move] = self._exact(front, depth, final)
                    break

    def _decide(self, depth: int) -> None:
        """Until one move is proven: as good as the best of the depth before, or better than all others."""
        before = self.values[self.best].score
        for move in self.moves:
            self.values[move] = self.values[move].bound
        for need in self._floors(before):
            if self._found(depth, need, before):
                return

    def _found(self, depth: int, need: Any, before: Any) -> bool:
        """Whether some move has outcomes that score so much; each that has must beat the one before."""
        beside: Front[Any] = _NOTHING
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
            return _NOTHING
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

    def _settled_by(self, depth: int) -> bool:
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


_NOTHING: Front[Any] = Front([])


def _more(score: Any) -> Any:
    """The least that is more; where scores are no whole numbers, the same."""
    return score + 1 if isinstance(score, int) else score


def _less(need: Any, otherwise: Any) -> Any:
    """What a move has at most that does not reach what was needed."""
    return need - 1 if isinstance(need, int) else otherwise


def _reaches(score: Any, need: Any) -> bool:
    return need is None or bool(score >= need)


class Solved:
    """Every world of a game solved with everything seen: minimax in each, when it is asked for, once for each position.

    The positions this takes count towards the limit of the tally.
    """

    def __init__(self, game: AnyWorldGame, tally: Tally | None = None) -> None:
        self.game, self.coded, self.tally = game, coded(game), tally or Tally()
        self._worlds = OpenWorlds(game, self.tally)
        self._key = key_of(game)
        self._codes: dict[Hashable, Any] = {}

    def open(self, position: Any) -> frozenset[int]:
        """The worlds in which the position can arise."""
        return self._worlds.at(position)

    def code(self, position: Any, worlds: frozenset[int]) -> Any:
        """The better of MAX's moves and the worse of MIN's, in each world by itself."""
        scale = self.coded.scale
        elsewhere = frozenset(range(self.game.worlds)) - worlds
        return self._solved(position) | scale.only(elsewhere)

    def _solved(self, position: Any) -> Any:
        key = self._key(position)
        if key not in self._codes:
            self._codes[key] = self._made(position)
        return self._codes[key]

    def _made(self, position: Any) -> Any:
        self.tally.node()
        side, scale = self.game.to_move(position), self.coded.scale
        if side is None:
            return self.coded.code(position)
        join, worst, best = (or_, scale.bottom, scale.top) if side is Side.MAX else (and_, scale.top, scale.bottom)
        code = worst
        for move in self.game.moves(position):
            code = join(code, self._solved(self.game.play(position, move)))
            if code == best:  # in every world, whatever the other moves do
                break
        return code


@dataclass(frozen=True)
class _Entry:
    """What is known of a position: an upper bound of its front at some depth, and the move that was best.

    Outcomes that score less than ``need`` are missing.
    """

    depth: int
    cap: Any
    need: Any
    front: Front[Any]
    move: Any = None


class Walk:
    """The readable search below a move of the root: the table is kept from move to move and from depth to depth."""

    def __init__(self, how: AlphaMu, game: AnyWorldGame, face_up: FaceUp, tally: Tally) -> None:
        self.how, self.game, self.face_up, self.tally = how, game, face_up, tally
        self.scale = coded(game).scale
        self._key = key_of(game)
        self.known: dict[Hashable, _Entry] = {}
        self.cuts: Counter[str] = Counter()
        self.need: Any = None

    @property
    def stats(self) -> Stats:
        """What was visited."""
        return self.tally.stats

    def search(self, move: Any, depth: int, need: Any, *, beside: Front[Any]) -> tuple[Front[Any], bool]:
        """What a move of the root offers that scores so much, and whether that is final."""
        self.need = need
        return self.visit(self.game.play(self.game.root, move), depth - 1, self.scale.top, (beside,))

    def concluded(self, root: RootSearch) -> AlphaMuResult:
        """The best move by the average of the best vector it offers."""
        best, values = root.best, root.values
        cuts = self.cuts + Counter(root=root.cuts)
        vector = self.scale.vector(max(values[best].front, key=self.scale.score))
        worth = vector.expected(self.game.weights)
        fronts = {move: self.in_payoffs(values[move].front) for move in root.moves}
        return AlphaMuResult(
            algorithm=self.how.name,
            believed=worth,
            value=worth,
            vector=vector,
            strategy={self.game.root: best},
            stats=replace(self.stats, cuts=cuts.total()),
            move=best,
            front=self.in_payoffs(reduce(or_, (value.front for value in values.values()))),
            fronts=fronts,
            complete=root.complete,
            depth=root.reached,
            kinds={move: values[move].kind for move in root.moves},
            depths={move: values[move].depth for move in root.moves},
            cuts=dict(+cuts),
        )

    def in_payoffs(self, front: Front[Any]) -> Front[Vector]:
        """A front of codes as one of vectors; none of them dominates another here either."""
        return Front.of_undominated(map(self.scale.vector, front))

    # ------------------------------------------------------------------ the search

    def visit(self, position: Any, depth: int, cap: Any, above: tuple[Front[Any], ...]) -> tuple[Front[Any], bool]:
        """The front of a position, cut to the cap, or an upper bound that makes no difference to the fronts above.

        Beside it, whether looking further ahead would leave the fronts above as they are.
        """
        self.tally.node()
        side = self.game.to_move(position)
        open_ = self.face_up.open(position)
        left = self.winnable(cap, open_)
        if side is None or depth == 0 or (self.how.worlds and len(left) <= 1):
            # World cut. Where one world is left nothing can be fused, where none is there is nothing to win.
            if side is not None and depth > 0:
                self.cuts["worlds"] += 1
            self.tally.leaf()
            return self.at_leaf(position, side is None, left, cap)
        if side is Side.MIN:
            return self.at_min(position, depth, cap, above)
        return self.at_max(position, depth, cap, above)

    def winnable(self, cap: Any, open_: frozenset[int]) -> frozenset[int]:
        """The worlds in which the position can arise and something can still be won."""
        return frozenset(world for world in open_ if cap & self.scale.only([world]) != self.scale.bottom)

    def at_leaf(self, position: Any, ended: bool, left: frozenset[int], cap: Any) -> tuple[Front[Any], bool]:
        """Every world with everything seen; that is final where at most one of them can be won, or none is enough."""
        code = self.face_up.code(position, left) & cap
        front = self.enough(Front([code]))
        return front, ended or not len(front) or len(self.winnable(code, left)) <= 1

    def at_max(self, position: Any, depth: int, cap: Any, above: tuple[Front[Any], ...]) -> tuple[Front[Any], bool]:
        """Union over the moves."""
        front, final = _NOTHING, True
        best = None
        for move in self.ordered(position):
            found, proven = self.visit(self.game.play(position, move), depth - 1, cap, (*above, front))
            adds = not found <= front
            if best is None or adds:
                best = move
            final &= proven or not adds
            front |= found
            # Cut on win. All that can be won is won.
            if self.how.win and cap in front:
                self.cuts["win"] += 1
                final = final or (proven and cap in found)
                break
        self.remember(position, depth, cap, front, best)
        return front, final

    def at_min(self, position: Any, depth: int, cap: Any, above: tuple[Front[Any], ...]) -> tuple[Front[Any], bool]:
        """Intersection over the moves, beginning with what is known already."""
        mini = self.bound(position, depth, cap, above)
        # Early cut. What is known already is no better than what a MAX node above has, however far one looks.
        if self.dominated(mini, above[-1:]):
            self.cuts["early"] += 1
            return mini, True
        worst, final = None, True
        for move in self.ordered(position):
            after = self.game.play(position, move)
            # Useful worlds. What no vector wins so far is lost whatever else MIN can do, and a move that is open in
            # such worlds only need not be tried.
            limit = reduce(or_, mini) if self.how.useful else cap
            if self.how.useful and not self.winnable(limit, self.face_up.open(after)):
                continue
            offered, proven = self.visit(after, depth, limit, above)
            found = self.enough(mini & offered)
            final &= proven
            if worst is None or found != mini:
                worst = move
            mini = found
            # Score cut. Whatever comes of this position at the root is no better in any world, so scores no more: no
            # outcome is left that could become the best.
            if not len(mini):
                self.cuts["score"] += 1
                final = True
                break
            # Alpha cut. No better than what a MAX node above has already, however far above: see the module's words.
            if self.how.alpha and self.dominated(mini, above):
                self.cuts["alpha"] += 1
                final = True
                break
        self.remember(position, depth, cap, mini, worst)
        return mini, final

    def enough(self, front: Front[Any]) -> Front[Any]:
        """The outcomes that score as much as is needed."""
        if self.need is None:
            return front
        return Front.of_undominated(code for code in front if self.scale.score(code) >= self.need)

    def bound(self, position: Any, depth: int, cap: Any, above: tuple[Front[Any], ...]) -> Front[Any]:
        """An upper bound from the table; or, for the empty entry, from shallower searches, until one cuts."""
        entry = self.entry(position, depth, cap)
        if entry is not None:
            return self.enough(Front(code & cap for code in entry.front))
        front: Front[Any] = Front([cap])
        if self.how.empty_entry:
            for shallower in range(depth):
                front = self.enough(front & self.visit(position, shallower, cap, above)[0])
                if self.dominated(front, above[-1:]):
                    self.cuts["empty entry"] += 1
                    break
        return front

    def dominated(self, front: Front[Any], above: tuple[Front[Any], ...]) -> bool:
        """Whether a MAX node above offers all of a front already."""
        return any(front <= other for other in above)

    # ------------------------------------------------------------------ the table

    def key(self, position: Any) -> Hashable:
        """What the future depends on."""
        return self._key(position)

    def entry(self, position: Any, depth: int, cap: Any) -> _Entry | None:
        """What is known of a position if it serves here: it must bound this depth, and all that can be won here."""
        entry = self.known.get(self.key(position))
        if entry is None or entry.depth > depth or cap & entry.cap != cap:
            return None
        return entry if entry.need is None or (self.need is not None and entry.need <= self.need) else None

    def remember(self, position: Any, depth: int, cap: Any, front: Front[Any], move: Any) -> None:
        """Keep what was found for deeper searches."""
        self.known[self.key(position)] = _Entry(depth, cap, self.need, front, move)

    def ordered(self, position: Any) -> list[Any]:
        """The moves, the one that was best before first."""
        entry = self.known.get(self.key(position))
        moves = list(self.game.moves(position))
        if entry is not None and entry.move in moves:
            moves.remove(entry.move)
            moves.insert(0, entry.move)
        return moves
