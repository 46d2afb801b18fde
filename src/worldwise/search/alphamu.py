"""alpha-mu (CLV21): exact minimax over fronts for a few moves of MAX, then every world with the cards face up.

With M moves of MAX to look ahead, M = 1 is PIMC, and M as large as the number of MAX's moves left is the exact search.
In between lies what can be had at the table: neither strategies fused nor outcomes thrown away for M moves.

Two things hold everywhere and make every cut below sound. Fronts are a distributive lattice, so where a front x enters
the value of a MAX node above, it does so as ``(x & a) | b``. And more moves ahead, or more moves of MIN tried, can only
make a front smaller: whatever has been found so far is an upper bound. What is returned after a cut is such a bound.
``alphamu_root`` deepens and compares the moves of the root, ``Walk`` searches below one, ``face_up`` values the leaves.

A world's payoff is ``top`` where the position cannot arise (the paper's x), and everything is cut to a *cap*: what is
left to win, the worlds outside it being the paper's useless ones (its -), which count as lost.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, replace
from functools import reduce
from operator import or_
from typing import TYPE_CHECKING, Any

from worldwise.core.front import Front
from worldwise.core.game import Side, as_coded, key_of
from worldwise.core.result import NO_LIMIT, Clock, Limit, SearchResult, Stats, Tally
from worldwise.errors import InputError, expect_at_least_one
from worldwise.search.alphamu_root import NO_OUTCOME, Root, RootSearch
from worldwise.search.face_up import Clairvoyant, Solved

if TYPE_CHECKING:
    from collections.abc import Hashable, Mapping

    from worldwise.core.game import AnyWorldGame
    from worldwise.core.vector import Vector
    from worldwise.search.alphamu_root import ValueKind
    from worldwise.search.face_up import FaceUp


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

    def __post_init__(self) -> None:
        expect_at_least_one("a depth", self.depth)

    @property
    def name(self) -> str:
        """With the number of moves ahead."""
        return f"alpha-mu-{self.depth}"

    def search(self, game: AnyWorldGame, limit: Limit = NO_LIMIT, face_up: FaceUp | None = None) -> AlphaMuResult:
        """Look one move of MAX ahead, then two, up to ``depth``; when the limit runs out, what was found by then."""
        if game.to_move(game.root) is not Side.MAX:
            raise InputError("expected a game in which MAX moves first")
        tally = Tally(Clock(limit, self.name))
        walk = Walk(self, game, Solved(game, tally) if face_up is None else face_up, tally)
        root = RootSearch(walk, walk.scale, game.moves(game.root), self.root, score_cut=self.score)
        root.deepen(min(self.depth, limit.depth or self.depth))
        return walk.conclude(root)


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
        self.settled = 0 if isinstance(face_up, Clairvoyant) else 1
        self.scale = as_coded(game).scale
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

    def conclude(self, root: RootSearch) -> AlphaMuResult:
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
        if side is None or depth == 0 or (self.how.worlds and len(left) <= self.settled):
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
        return front, ended or not len(front) or len(self.winnable(code, left)) <= self.settled

    def at_max(self, position: Any, depth: int, cap: Any, above: tuple[Front[Any], ...]) -> tuple[Front[Any], bool]:
        """Union over the moves."""
        front, final = NO_OUTCOME, True
        best = None
        for move in self.order_moves(position):
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
        if self.is_dominated(mini, above[-1:]):
            self.cuts["early"] += 1
            return mini, True
        worst, final = None, True
        for move in self.order_moves(position):
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
            if self.how.alpha and self.is_dominated(mini, above):
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
                if self.is_dominated(front, above[-1:]):
                    self.cuts["empty entry"] += 1
                    break
        return front

    def is_dominated(self, front: Front[Any], above: tuple[Front[Any], ...]) -> bool:
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

    def order_moves(self, position: Any) -> list[Any]:
        """The moves, the one that was best before first."""
        entry = self.known.get(self.key(position))
        moves = list(self.game.moves(position))
        if entry is not None and entry.move in moves:
            moves.remove(entry.move)
            moves.insert(0, entry.move)
        return moves
