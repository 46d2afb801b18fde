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
from functools import reduce
from operator import and_, or_
from typing import TYPE_CHECKING, Any, Protocol

from worldwise.core.front import Front
from worldwise.core.game import Side, Transposing, coded, key_of
from worldwise.core.result import NO_LIMIT, Clock, Limit, SearchResult, Tally
from worldwise.core.worlds import OpenWorlds
from worldwise.errors import InputError, LimitReachedError

if TYPE_CHECKING:
    from collections.abc import Hashable, Mapping

    from worldwise.core.game import AnyWorldGame
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


@dataclass(frozen=True)
class AlphaMuResult(SearchResult):
    """What alpha-mu answers; ``believed`` and ``value`` are both the average of the best vector of its front.

    They say what the line is worth if everything is seen after ``depth`` moves of MAX, which is never too little.
    ``cuts`` counts each kind of cut by its name.
    """

    depth: int = 0
    cuts: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True)
class AlphaMu:
    """CLV21 Algorithm 2, ``depth`` being its M. The five switches are the paper's U, E, alpha, W and Win.

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
        walk = _Walk(self, game, Solved(game, tally) if face_up is None else face_up, tally)
        return walk.deepened(min(self.depth, limit.depth or self.depth))


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
    """What is known of a position: an upper bound of its front at some depth, and the move that was best."""

    depth: int
    cap: Any
    front: Front[Any]
    move: Any = None


class _Walk:
    """One search: the table is kept from depth to depth."""

    def __init__(self, how: AlphaMu, game: AnyWorldGame, face_up: FaceUp, tally: Tally) -> None:
        self.how, self.game, self.face_up, self.tally = how, game, face_up, tally
        self.scale = coded(game).scale
        self.known: dict[Hashable, _Entry] = {}
        self.cuts: Counter[str] = Counter()

    # ------------------------------------------------------------------ the root

    def deepened(self, deepest: int) -> AlphaMuResult:
        """Iterative deepening over M."""
        moves = list(self.game.moves(self.game.root))
        fronts: dict[Any, Front[Any]] = {}
        reached = 0
        try:
            for depth in range(1, deepest + 1):
                self.at_root(moves, depth, fronts)
                reached = depth
                moves.sort(key=lambda move: self.best_score(fronts[move]), reverse=True)
        except LimitReachedError:
            if len(fronts) < len(moves):
                raise
        return self.concluded(moves, fronts, reached, complete=reached == deepest)

    def at_root(self, moves: list[Any], depth: int, fronts: dict[Any, Front[Any]]) -> None:
        """Search every move; the fronts of the depth before serve as bounds until they are replaced."""
        before = max((self.best_score(front) for front in fronts.values()), default=None)
        found: Front[Any] = Front([])
        for move in moves:
            after = self.game.play(self.game.root, move)
            fronts[move] = self.visit(after, depth - 1, self.scale.top, (found,))
            found |= fronts[move]
            # Root cut. A deeper search is never worth more, so a move as good as the best before is the best.
            if before is not None and self.best_score(found) == before:
                self.cuts["root"] += 1
                return

    def concluded(self, moves: list[Any], fronts: dict[Any, Front[Any]], reached: int, complete: bool) -> AlphaMuResult:
        """The best move by the average of the best vector it offers."""
        best = max(moves, key=lambda move: self.best_score(fronts[move]))
        whole = reduce(or_, fronts.values())
        vector = self.scale.vector(max(fronts[best], key=self.scale.score))
        value = vector.expected(self.game.weights)
        return AlphaMuResult(
            algorithm=self.how.name,
            believed=value,
            value=value,
            vector=vector,
            strategy={self.game.root: best},
            stats=replace(self.tally.stats, cuts=sum(self.cuts.values())),
            move=best,
            front=self.in_payoffs(whole),
            fronts={move: self.in_payoffs(fronts[move]) for move in moves},
            complete=complete,
            depth=reached,
            cuts=dict(self.cuts),
        )

    def in_payoffs(self, front: Front[Any]) -> Front[Vector]:
        """A front of codes as one of vectors; none of them dominates another here either."""
        return Front.of_undominated(map(self.scale.vector, front))

    def best_score(self, front: Front[Any]) -> Any:
        """The paper's mu: the average of the best vector."""
        return max(map(self.scale.score, front))

    # ------------------------------------------------------------------ the search

    def visit(self, position: Any, depth: int, cap: Any, above: tuple[Front[Any], ...]) -> Front[Any]:
        """The front of a position, cut to the cap, or an upper bound that makes no difference to the fronts above."""
        self.tally.node()
        side = self.game.to_move(position)
        open_ = self.face_up.open(position)
        left = self.winnable(cap, open_)
        if side is None or depth == 0 or (self.how.worlds and len(left) <= 1):
            # World cut. Where one world is left nothing can be fused, where none is there is nothing to win.
            if side is not None and depth > 0:
                self.cuts["worlds"] += 1
            self.tally.leaf()
            return Front([self.face_up.code(position, left) & cap])
        if side is Side.MIN:
            return self.at_min(position, depth, cap, above)
        return self.at_max(position, depth, cap, above)

    def winnable(self, cap: Any, open_: frozenset[int]) -> frozenset[int]:
        """The worlds in which the position can arise and something can still be won."""
        return frozenset(world for world in open_ if cap & self.scale.only([world]) != self.scale.bottom)

    def at_max(self, position: Any, depth: int, cap: Any, above: tuple[Front[Any], ...]) -> Front[Any]:
        """Union over the moves."""
        front: Front[Any] = Front([])
        best = None
        for move in self.ordered(position):
            found = self.visit(self.game.play(position, move), depth - 1, cap, (*above, front))
            if best is None or not found <= front:
                best = move
            front |= found
            # Cut on win. All that can be won is won.
            if self.how.win and cap in front:
                self.cuts["win"] += 1
                break
        self.remember(position, depth, cap, front, best)
        return front

    def at_min(self, position: Any, depth: int, cap: Any, above: tuple[Front[Any], ...]) -> Front[Any]:
        """Intersection over the moves, beginning with what is known already."""
        mini = self.bound(position, depth, cap, above)
        # Early cut. What is known already is no better than what a MAX node above has.
        if self.dominated(mini, above[-1:]):
            self.cuts["early"] += 1
            return mini
        worst = None
        for move in self.ordered(position):
            after = self.game.play(position, move)
            # Useful worlds. What no vector wins so far is lost whatever else MIN can do, and a move that is open in
            # such worlds only need not be tried.
            limit = reduce(or_, mini) if self.how.useful else cap
            if self.how.useful and not self.winnable(limit, self.face_up.open(after)):
                continue
            found = mini & self.visit(after, depth, limit, above)
            if worst is None or found != mini:
                worst = move
            mini = found
            # Alpha cut. No better than what a MAX node above has already, however far above: see the module's words.
            if self.how.alpha and self.dominated(mini, above):
                self.cuts["alpha"] += 1
                break
        self.remember(position, depth, cap, mini, worst)
        return mini

    def bound(self, position: Any, depth: int, cap: Any, above: tuple[Front[Any], ...]) -> Front[Any]:
        """An upper bound from the table; or, for the empty entry, from shallower searches, until one cuts."""
        entry = self.entry(position, depth, cap)
        if entry is not None:
            return Front(code & cap for code in entry.front)
        front: Front[Any] = Front([cap])
        if self.how.empty_entry:
            for shallower in range(depth):
                front &= self.visit(position, shallower, cap, above)
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
        return self.game.key(position) if isinstance(self.game, Transposing) else position

    def entry(self, position: Any, depth: int, cap: Any) -> _Entry | None:
        """What is known of a position if it serves here: it must bound this depth, and all that can be won here."""
        entry = self.known.get(self.key(position))
        return entry if entry is not None and entry.depth <= depth and cap & entry.cap == cap else None

    def remember(self, position: Any, depth: int, cap: Any, front: Front[Any], move: Any) -> None:
        """Keep what was found for deeper searches."""
        self.known[self.key(position)] = _Entry(depth, cap, front, move)

    def ordered(self, position: Any) -> list[Any]:
        """The moves, the one that was best before first."""
        entry = self.known.get(self.key(position))
        moves = list(self.game.moves(position))
        if entry is not None and entry.move in moves:
            moves.remove(entry.move)
            moves.insert(0, entry.move)
        return moves
