"""What a position is worth with everything seen: the leaves of alpha-mu."""

from __future__ import annotations

from operator import and_, or_
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

from worldwise.core.game import Side, as_coded, key_of
from worldwise.core.result import Tally
from worldwise.core.worlds import OpenWorlds

if TYPE_CHECKING:
    from collections.abc import Hashable

    from worldwise.core.game import AnyWorldGame


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
    >>> worldwise.solve(tree, worldwise.AlphaMu(1), face_up=Optimist(tree)).value
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


@runtime_checkable
class Clairvoyant(Protocol):
    """An optional power of a ``FaceUp`` that sees more than the world: what MIN does unseen in it.

    Then a single world that is left is not solved by looking at it face up, and alpha-mu looks further ahead.
    """

    unseen_moves: bool


class Solved:
    """Every world of a game solved with everything seen: minimax in each, when it is asked for, once for each position.

    The positions this takes count towards the limit of the tally.
    """

    def __init__(self, game: AnyWorldGame, tally: Tally | None = None) -> None:
        self.game, self.coded, self.tally = game, as_coded(game), tally or Tally()
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
        return self._value(position) | scale.only(elsewhere)

    def _value(self, position: Any) -> Any:
        key = self._key(position)
        if key not in self._codes:
            self._codes[key] = self._solve(position)
        return self._codes[key]

    def _solve(self, position: Any) -> Any:
        self.tally.node()
        side, scale = self.game.to_move(position), self.coded.scale
        if side is None:
            return self.coded.code(position)
        join, worst, best = (or_, scale.bottom, scale.top) if side is Side.MAX else (and_, scale.top, scale.bottom)
        code = worst
        for move in self.game.moves(position):
            code = join(code, self._value(self.game.play(position, move)))
            if code == best:  # in every world, whatever the other moves do
                break
        return code
