"""Information-set search on kriegspiel boards: what each try is worth, by PNS06's equations, at speed.

The definition is ``search.information_set`` on ``kriegspiel.rules.replies``, which is what runs on small boards and
without kernels; the kernel does the same on boards of 8 by 8.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from worldwise.core.move_values import first_best
from worldwise.core.result import NO_LIMIT, Clock, Limit, Stats
from worldwise.errors import InputError, LimitReachedError
from worldwise.kernels import kernel_limit, native, pick
from worldwise.kriegspiel.rules.board import ChessBoard
from worldwise.kriegspiel.rules.fen import fen
from worldwise.kriegspiel.rules.game import Kriegspiel
from worldwise.kriegspiel.rules.packing import KINDS, pack_board, pack_move, pack_rules
from worldwise.kriegspiel.rules.replies import LegalReplies
from worldwise.kriegspiel.rules.view import PlayerView
from worldwise.kriegspiel.search.evaluation import KS, BoardEvaluation
from worldwise.search.information_set import InformationSetSearch, InformationSetValues, Model

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from worldwise.kriegspiel.belief.weighted_boards import WeightedBoards
    from worldwise.kriegspiel.rules.game import State
    from worldwise.kriegspiel.rules.squares import ChessMove
    from worldwise.kriegspiel.rules.umpire import Rules

    TryValues = InformationSetValues[ChessMove]
    """For each try what it is worth, and how likely it is to be made."""

MOST_DEPTH = 6
"""Beyond, a single board takes minutes."""

MOST_SETS = 10_000_000
"""What a tree may have, some 600 MiB; no board is folded after that."""

FIRST_BOARD_SHARE = 0.5
"""The part of the time that a deep search may spend on its first board."""

MOST_GREED = 100
"""A reply that takes a pawn is then a hundred times as likely as one that takes nothing."""

SURE_DEPTH, SLOW_SURE_DEPTH = 3, 1
"""No deeper than this, compiled or not, a first board is always searched to its end."""


@dataclass(frozen=True)
class BoardSearch:
    """PNS06's search on boards that look the same to the player to move.

    ``depth`` is in tries and moves: a refused try takes one, as in equation 2. Where a single board is too much for
    time or memory, the search is less deep. ``greed`` makes phi prefer what wins something at once: a reply is likelier
    than a quiet one by so much for each pawn's worth that it takes or promotes. Without it, phi is uniform.

    >>> from worldwise.kriegspiel.belief.weighted_boards import WeightedBoards
    >>> from worldwise.kriegspiel.rules.hidden_pieces import possible_boards
    >>> from worldwise.kriegspiel.rules.squares import uci
    >>> from worldwise.kriegspiel.rules.umpire import WILD16
    >>> from worldwise.kriegspiel.rules.view import PlayerView
    >>> boards = possible_boards("8/7R/1K6/8/8/8/8/8 w", "k: a8 b8")
    >>> view = PlayerView.of(boards[0], boards[0].turn)
    >>> found = BoardSearch(depth=1).search(WeightedBoards.of(boards), view, WILD16)
    >>> uci(found.best), found.values[found.best], found.worlds_searched
    ('h7h8', 100.0, 2)
    """

    depth: int
    caution: float = 0.0
    evaluation: BoardEvaluation = KS
    greed: float = 0.0

    def __post_init__(self) -> None:
        Model(self.caution)
        if not 0 <= self.greed <= MOST_GREED:
            raise InputError(f"expected a greed from 0 to {MOST_GREED}, found {self.greed!r}")
        if self.evaluation.is_two_sided:  # a reply that touches nothing of his own would change what a board is worth
            raise InputError("expected an evaluation that does not look at what the enemy attacks")
        if not isinstance(self.depth, int) or not 1 <= self.depth <= MOST_DEPTH:
            raise InputError(f"expected a depth of 1 to {MOST_DEPTH}, found {self.depth!r}")

    def search(self, boards: WeightedBoards, view: PlayerView, rules: Rules, limit: Limit = NO_LIMIT) -> TryValues:
        """What each of the view's tries is worth on boards folded one after another until the limit.

        What the umpire has said of the pawns the view knows: one that leaves it open tries all their captures too.
        """
        clock = Clock(limit)
        if not len(boards):
            raise InputError("expected at least one board, found none")
        if not view.tries:
            raise InputError("expected something that may be tried, found nothing")
        some = boards if limit.nodes is None else boards.select(np.arange(min(max(limit.nodes, 1), len(boards))))
        others = np.flatnonzero(~_fit(some, view))
        if len(others):
            what = f"boards with {view.colour} to move and the view's pieces and castling rights"
            raise InputError(f"expected {what}, found {fen(some[others[0]])}")
        found = pick(self._compiled, self._readable, fits=boards.is_packed)(some, view, rules, clock.rest)
        return replace(found, complete=found.worlds_searched == len(boards))

    def _compiled(self, boards: WeightedBoards, view: PlayerView, rules: Rules, limit: Limit) -> TryValues:
        tries = np.array([pack_move(move) for move in view.tries], dtype=np.uint16)
        umpire = native.UmpireRules(*pack_rules(rules))
        sets = native.InformationSets(
            umpire,
            self.evaluation.kernel,
            view.colour,
            tries,
            self.depth,
            float(self.caution),
            float(self.greed),
            MOST_SETS,
        )
        clock, (_, seconds), (_, patience) = Clock(limit), kernel_limit(limit), kernel_limit(self._patience(limit))
        try:
            folded = sets.fold(np.ascontiguousarray(boards.items), boards.weights, seconds, patience)
        except (MemoryError, TimeoutError):
            # The first board took more than its time, or a board more than the memory. In the middle of a board some
            # tries have been searched and others not, so nothing is kept, and a shallower search begins again.
            return replace(self, depth=self.depth - 1).search(boards, view, rules, clock.rest)
        values, chances = (dict(zip(view.tries, of.tolist(), strict=True)) for of in (sets.values(), sets.chances()))
        return InformationSetValues(
            algorithm=InformationSetSearch.name,
            values=values,
            best=first_best(values),
            depth=self.depth,
            worlds_searched=folded,
            stats=Stats(leaves=sets.leaves, seconds=clock.seconds),
            value=max(values.values()),
            chances=chances,
        )

    def _readable(self, boards: WeightedBoards, view: PlayerView, rules: Rules, limit: Limit) -> TryValues:
        # Boards tell nothing of how long a game has lasted, or of what was there before.
        lasting = replace(rules, ply_limit=None, repetition=False)
        game, player = LegalReplies(Kriegspiel(lasting), view.colour), view.colour
        clock, patience = Clock(limit), Clock(self._patience(limit, SLOW_SURE_DEPTH))
        each = tuple(boards)
        first = each[0]

        def begin(board: ChessBoard) -> State:
            # What was heard before is the view's to know, whatever this board would have had the umpire say.
            nonlocal patience
            # Only the first board may be given up: later ones are finished once begun, and begun while there is time.
            patience = patience if board is first else Clock(NO_LIMIT)
            return replace(game.resume(board, view.refused), pawn_tries=view.pawn_tries, first=first)

        def evaluate(state: State) -> float:
            if patience.ran_out(0):
                raise LimitReachedError("the search of one board", limit)
            return self.evaluation.of(state.board, player)

        def utility(state: State) -> float:
            return self.evaluation.mate * game.payoff(state, player)

        model = Model(self.caution, self.reply_chances if self.greed else None)
        search = InformationSetSearch(self.depth, model, evaluate, utility)
        states = zip(map(begin, each), boards.weights.tolist(), strict=True)
        try:
            return search.search(game, player, states, Limit(limit.seconds))
        except LimitReachedError:  # as in the kernel: half a board is no answer
            return replace(self, depth=self.depth - 1).search(boards, view, rules, clock.rest)

    def reply_chances(self, state: State) -> tuple[float, ...]:
        """How likely each of the other's legal moves is: phi.

        >>> from worldwise.kriegspiel.rules.fen import read_fen
        >>> state = Kriegspiel().start(read_fen("7k/8/8/8/8/2p5/1P6/K7 b"))
        >>> [round(chance, 3) for chance in BoardSearch(2, greed=3).reply_chances(state)]
        [0.125, 0.125, 0.125, 0.125, 0.5]
        """
        likelihoods = [1 + self.greed * self.evaluation.gain(state.board, move) for move in state.board.legal_moves]
        return tuple(likelihood / sum(likelihoods) for likelihood in likelihoods)

    def _patience(self, limit: Limit, sure: int = SURE_DEPTH) -> Limit:
        """What the first board may take."""
        return Limit(None if limit.seconds is None or self.depth <= sure else FIRST_BOARD_SHARE * limit.seconds)


def _fit(boards: WeightedBoards, view: PlayerView) -> NDArray[np.bool_]:
    """On which boards it is the view's turn, with the view's own pieces and castling rights."""
    if not boards.is_packed:
        seen = replace(view, pawn_tries=None, refused=frozenset())
        return np.array([board.turn is view.colour and PlayerView.of(board, view.colour) == seen for board in boards])
    rows, own = boards.items, pack_board(ChessBoard(view.pieces, view.colour, view.castling, geometry=view.geometry))
    kinds, side = len(KINDS), len(KINDS) + view.colour
    pieces = (rows[:, side] == own[side]) & ((rows[:, :kinds] & own[side]) == own[:kinds]).all(axis=1)
    turn_and_castling = np.uint64(1 | 3 << 8 + 2 * view.colour)
    fit: NDArray[np.bool_] = pieces & ((rows[:, -1] ^ own[-1]) & turn_and_castling == 0)
    return fit
