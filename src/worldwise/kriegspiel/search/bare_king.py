"""Endings against a bare king who is hidden: a search on the set of squares where he may stand.

Against a king alone, all that counts is where your own pieces stand and where he may be. Nothing but himself is hidden,
and a king who steps back along a line is still on it, so which squares are attacked does not depend on where he is. A
set of squares is therefore one number of 64 bits, and a move and its answer are a handful of operations on it: the
squares that refuse a try, those that hear each kind of check, those that are mate or stalemate, and from the others all
squares one step away that are not attacked.

The search is an AND-OR search on such sets. A refused try costs no move, so its squares are judged at the same depth.
What is left at the end is judged by how many squares there are, how much room they give, how near they are to the edge,
to a corner and to your king, and how safe your pieces are.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING

from worldwise.kriegspiel.rules.board import SLIDES, STEPS
from worldwise.kriegspiel.rules.squares import CHESS, WHITE, ChessMove, Colour, Square
from worldwise.kriegspiel.rules.umpire import rising_is_long

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from worldwise.kriegspiel.rules.umpire import Rules
    from worldwise.kriegspiel.rules.view import PlayerView

    Mask = int
    """A set of squares: bit 0 is a1."""

    Army = tuple[tuple[str, Square], ...]
    """Kinds and squares in order. They move up the board: Black's are turned over."""

# ---------------------------------------------------------------------- sets of squares

ALL = (1 << 64) - 1
_A_FILE = 0x0101010101010101
_H_FILE = _A_FILE << 7


def mask_of(squares: Iterable[Square]) -> Mask:
    """The set of some squares."""
    found = 0
    for square in squares:
        found |= 1 << square
    return found


def squares_in(mask: Mask) -> Iterator[Square]:
    """The squares of a set, from a1 on."""
    while mask:
        lowest = mask & -mask
        yield lowest.bit_length() - 1
        mask ^= lowest


def next_to(mask: Mask) -> Mask:
    """All squares one king's step away from some square of a set.

    >>> [CHESS.name(square) for square in squares_in(next_to(1))]
    ['b1', 'a2', 'b2']
    """
    right, left = (mask & ~_H_FILE) << 1, (mask & ~_A_FILE) >> 1
    row = mask | right | left
    return right | left | row << 8 & ALL | row >> 8


def _rings(square: Square) -> tuple[Mask, ...]:
    """The squares at one, two, three ... king's steps from a square."""
    rings, seen = [], 1 << square
    while seen != ALL:
        rings.append(next_to(seen) & ~seen)
        seen |= rings[-1]
    return tuple(rings)


def _by_distance(away: Mapping[Square, int]) -> tuple[Mask, ...]:
    """The squares that are one, two, three ... away from something."""
    return tuple(mask_of(at for at, far in away.items() if far == step) for step in range(1, max(away.values()) + 1))


def _sides(square: Square) -> tuple[int, int]:
    """How far a square is from the nearer side, and from the nearer end."""
    file, rank = CHESS.place(square)
    return min(file, 7 - file), min(rank, 7 - rank)


_NEXT = tuple(next_to(1 << square) for square in range(64))
_RINGS = tuple(map(_rings, range(64)))
_FROM_EDGE = _by_distance({square: min(_sides(square)) for square in range(64)})
_FROM_CORNER = _by_distance({square: sum(_sides(square)) for square in range(64)})
_RISING_LONG = mask_of(square for square in range(64) if rising_is_long(CHESS, square))


def _mean_steps(mask: Mask, rings: tuple[Mask, ...]) -> float:
    return sum(step * (mask & ring).bit_count() for step, ring in enumerate(rings, 1)) / mask.bit_count()


# ---------------------------------------------------------------------- what own pieces do

_RANK, _FILE, _RISING, _FALLING, _KNIGHT = range(5)


def _line(step: tuple[int, int]) -> int:
    """The kind of line that a step goes along, or a knight's step."""
    file, rank = step
    if not rank:
        return _RANK
    if not file:
        return _FILE
    if abs(file) != abs(rank):
        return _KNIGHT
    return _RISING if file == rank else _FALLING


@lru_cache(1 << 16)
def _attacks(kind: str, square: Square, occupied: Mask) -> tuple[Mask, ...]:
    """What a piece attacks, by the kind of line."""
    found = [0] * 5
    steps = ((-1, 1), (1, 1)) if kind == "P" else STEPS.get(kind, ())
    for step in steps:
        found[_line(step)] |= mask_of(CHESS.steps(square, (step,)))
    for step in SLIDES.get(kind, ()):
        found[_line(step)] |= _slide(square, step, occupied)
    return tuple(found)


def _slide(square: Square, step: tuple[int, int], occupied: Mask) -> Mask:
    found = 0
    for ray in CHESS.rays(square, (step,)):
        for at in ray:
            found |= 1 << at
            if occupied >> at & 1:
                break
    return found


@dataclass(frozen=True)
class BareKingTry:
    """A try, where the pieces stand if it is made, and the king's squares that refuse it."""

    move: ChessMove
    army: Army
    refused_on: Mask


@dataclass(frozen=True)
class OwnArmy:
    """Your own pieces and all that follows from where they stand, whatever square the bare king is on."""

    army: Army

    @cached_property
    def occupied(self) -> Mask:
        """Their squares."""
        return mask_of(square for _, square in self.army)

    @cached_property
    def king(self) -> Square:
        """Your king's square."""
        return next(square for kind, square in self.army if kind == "K")

    @cached_property
    def attacked(self) -> Mask:
        """Squares the bare king may not enter, and on which he is in check; protected pieces are among them."""
        return self._lines[0] | self._lines[1] | self._lines[2] | self._lines[3] | self._lines[4] | _NEXT[self.king]

    @cached_property
    def stuck(self) -> Mask:
        """Squares from which he has no move: mate if they are attacked, or else stalemate."""
        return ALL & ~next_to(ALL & ~self.attacked)

    @cached_property
    def _lines(self) -> tuple[Mask, ...]:
        each = [_attacks(kind, square, self.occupied) for kind, square in self.army if kind != "K"]
        return tuple(mask_of_any(lines) for lines in zip(*each, strict=True)) if each else (0,) * 5

    def directions(self, split: bool) -> tuple[Mask, ...]:
        """The squares that hear each direction of a check; diagonals are told apart or not."""
        rank, file, rising, falling, knight = self._lines
        if not split:
            return rank, file, rising | falling, knight
        long = rising & _RISING_LONG | falling & ~_RISING_LONG
        short = rising & ~_RISING_LONG | falling & _RISING_LONG
        return rank, file, long, short, knight

    def parts(self, kings: Mask, split: bool) -> list[Mask]:
        """The squares of a set, told apart by what the umpire says of check."""
        found = [kings]
        for heard in self.directions(split):
            found = [part for whole in found for part in (whole & heard, whole & ~heard) if part]
        return found

    @cached_property
    def tries(self) -> tuple[BareKingTry, ...]:
        """What is worth trying: all but castling, and promotion to a bishop or a knight."""
        return tuple(one for kind, square in self.army for one in self._tries_of(kind, square))

    def _tries_of(self, kind: str, square: Square) -> Iterator[BareKingTry]:
        if kind == "P":
            yield from self._pawn_tries(square)
        elif kind == "K":
            for target in squares_in(_NEXT[square] & ~self.occupied):
                yield self._try(kind, square, target, _NEXT[target] | 1 << target)
        else:
            # A king who stood in the way would be in check with the other side to move.
            for target in squares_in(mask_of_any(_attacks(kind, square, self.occupied)) & ~self.occupied):
                yield self._try(kind, square, target, 0)

    def _pawn_tries(self, square: Square) -> Iterator[BareKingTry]:
        way = 0
        for target in (square + 8, square + 16)[: 2 if square < 16 else 1]:
            if self.occupied >> target & 1:
                return
            way |= 1 << target
            for becomes in "QR" if target >= 56 else "P":
                yield self._try(becomes, square, target, way)

    def _try(self, kind: str, origin: Square, target: Square, refused_on: Mask) -> BareKingTry:
        rest = tuple(one for one in self.army if one[1] != origin)
        promotes = target >= 56 and ("P", origin) in self.army
        army = tuple(sorted((*rest, (kind, target))))
        return BareKingTry(ChessMove(origin, target, kind if promotes else ""), army, refused_on)


def mask_of_any(masks: Iterable[Mask]) -> Mask:
    """The squares of all sets together."""
    found = 0
    for mask in masks:
        found |= mask
    return found


own_army = lru_cache(1 << 16)(OwnArmy)
"""The same, remembered: a search meets the same pieces again and again."""


def can_mate(kinds: Iterable[str]) -> bool:
    """Whether pieces beside the king are enough: a queen, a rook, a pawn, or two minor pieces.

    >>> can_mate("KR"), can_mate("KB"), can_mate("KBN")
    (True, False, True)
    """
    left = [kind for kind in kinds if kind != "K"]
    return len(left) > 1 or any(kind in "QRP" for kind in left)


# ---------------------------------------------------------------------- what a set is worth

WIN, RUIN = 1000.0, -1000.0
"""Mate, less ``LATER`` for each move it takes; and a draw that could not be mended."""

LATER = 10.0
LOSS, LOSS_BY_VALUE = -300.0, -20.0
"""A piece that is taken while what is left can still mate, and more of it for a better piece."""

VALUES = {"P": 1, "N": 3, "B": 3, "R": 5, "Q": 9, "K": 0}


@dataclass(frozen=True)
class BareKingWeights:
    """What counts in a set of squares when it is your turn, in points of which a win is ``WIN``.

    ``size``      off for each square
    ``room``      off for each square that he may reach while your pieces stay
    ``edge``      off for each step from the edge, on average
    ``corner``    off for each step from a corner, along both sides
    ``king``      off for each step from your king, on average
    ``exposed``   off if a piece may be taken next; ``FORK`` times as much if it is two
    ``loose``     off for each piece that is not protected
    ``piece``     for each point of a piece's value
    ``advance``   for each rank of a pawn
    """

    size: float = 2.0
    room: float = 1.0
    edge: float = 2.0
    corner: float = 2.0
    king: float = 4.0
    exposed: float = 5.0
    loose: float = 0.5
    piece: float = 10.0
    advance: float = 8.0

    def of(self, own: OwnArmy, kings: Mask) -> float:
        """What a set is worth before your move."""
        return self._of_army(own, kings) - (
            self.size * kings.bit_count()
            + self.room * _room(own, kings).bit_count()
            + self.edge * _mean_steps(kings, _FROM_EDGE)
            + self.corner * _mean_steps(kings, _FROM_CORNER)
            + self.king * _mean_steps(kings, _RINGS[own.king])
        )

    def _of_army(self, own: OwnArmy, kings: Mask) -> float:
        loose = own.occupied & ~own.attacked
        exposed = (loose & next_to(kings)).bit_count()
        worth = sum(
            self.piece * VALUES[kind] + (self.advance * (square // 8) if kind == "P" else 0)
            for kind, square in own.army
        )
        fear = 0.0 if not exposed else self.exposed if exposed == 1 else FORK * self.exposed
        return worth - self.loose * loose.bit_count() - fear


FORK = 8
WEIGHTS = BareKingWeights()


def _room(own: OwnArmy, kings: Mask) -> Mask:
    """All squares that he may reach from a set while nothing else moves."""
    free, room = ALL & ~own.attacked, kings
    while (wider := (room | next_to(room)) & free | kings) != room:
        room = wider
    return room


# ---------------------------------------------------------------------- the search

UNSAFE = 10_000.0
"""Off for a try that may stalemate or lose a piece at once: it comes after every try that cannot."""

ONCE, TWICE = 8.0, 400.0
"""Off for going back to where your pieces stood once before, and twice: a third time is a draw."""

Outcome = tuple[int, float]


@dataclass
class BareKingSearch:
    """What each try is worth, ``depth`` own moves ahead.

    Of what may be heard it takes the mean by the number of squares and the worst, one half each: a defender who sees
    everything does what is worst, but not every bad square is one he can be on.

    >>> kings = mask_of(map(CHESS.square, ("a8", "b8")))
    >>> army = (("K", CHESS.square("b6")), ("R", CHESS.square("h7")))
    >>> found = BareKingSearch().values(army, kings)
    >>> max(found, key=found.get), max(found.values())
    (ChessMove(origin=55, target=63, promotion=''), 1000.0)
    """

    depth: int = 1
    split: bool = True
    caution: float = 0.5
    weights: BareKingWeights = WEIGHTS
    known: dict[tuple[Army, Mask, int], float] = field(default_factory=dict)

    def values(self, army: Army, kings: Mask, seen: Mapping[Army, int] | None = None) -> dict[ChessMove, float]:
        """For each try that some square allows; ``seen`` is how often own pieces have stood where before."""
        return {one.move: self._root_worth(army, one, kings, seen or {}) for one in _possible_tries(army, kings)}

    def _root_worth(self, army: Army, one: BareKingTry, kings: Mask, seen: Mapping[Army, int]) -> float:
        worth = self._worth(army, one, kings, self.depth, 0)
        times = seen.get(one.army, 0)
        again = TWICE if times > 1 else ONCE * times
        return worth - again - (0.0 if is_safe(one, kings) else UNSAFE)

    def _worth(self, army: Army, one: BareKingTry, kings: Mask, depth: int, ply: int) -> float:
        outcomes = list(self._outcomes(own_army(one.army), kings & ~one.refused_on, depth, ply))
        if refused := kings & one.refused_on:
            outcomes.append((refused.bit_count(), self._best(army, refused, depth, ply)))
        mean = sum(count * worth for count, worth in outcomes) / sum(count for count, _ in outcomes)
        return (1 - self.caution) * mean + self.caution * min(worth for _, worth in outcomes)

    def _best(self, army: Army, kings: Mask, depth: int, ply: int) -> float:
        key = army, kings, depth
        if key not in self.known:
            worths = (self._worth(army, one, kings, depth, ply) for one in _possible_tries(army, kings))
            self.known[key] = max(worths, default=RUIN)
        return self.known[key]

    def _outcomes(self, own: OwnArmy, kings: Mask, depth: int, ply: int) -> Iterator[Outcome]:
        """After a move: for each thing that may be heard on how many squares, and what it is worth."""
        for part in own.parts(kings, self.split):
            if ends := part & own.stuck:
                yield ends.bit_count(), WIN - LATER * ply if ends & own.attacked else RUIN
            if moves := part & ~own.stuck:
                yield from self._replies(own, moves, depth, ply)

    def _replies(self, own: OwnArmy, kings: Mask, depth: int, ply: int) -> Iterator[Outcome]:
        reached = next_to(kings) & ~own.attacked
        for taken in squares_in(reached & own.occupied):
            yield (_NEXT[taken] & kings).bit_count(), _loss(own, taken)
        if free := reached & ~own.occupied:
            deeper = depth > 1
            yield (
                kings.bit_count(),
                self._best(own.army, free, depth - 1, ply + 1) if deeper else self.weights.of(own, free),
            )


def _possible_tries(army: Army, kings: Mask) -> Iterator[BareKingTry]:
    """Tries that not every square refuses."""
    return (one for one in own_army(army).tries if kings & ~one.refused_on)


def _loss(own: OwnArmy, taken: Square) -> float:
    """What is left when a piece is taken."""
    kind = next(kind for kind, square in own.army if square == taken)
    left = (kind for kind, square in own.army if square != taken)
    return LOSS + LOSS_BY_VALUE * VALUES[kind] if can_mate(left) else RUIN


def is_safe(one: BareKingTry, kings: Mask) -> bool:
    """Whether a try can neither stalemate nor lose a piece at once, wherever of these squares the king is."""
    own = own_army(one.army)
    made = kings & ~one.refused_on
    return not (made & own.stuck & ~own.attacked or next_to(made) & own.occupied & ~own.attacked)


# ---------------------------------------------------------------------- in a game


def bare_king_values(
    view: PlayerView, kings: Iterable[Square], rules: Rules, before: Iterable[str] = ()
) -> dict[ChessMove, float]:
    """What the tries of a view are worth against a bare king on one of some squares; ``before`` are own pieces earlier.

    >>> from worldwise.kriegspiel.rules.fen import read_fen
    >>> from worldwise.kriegspiel.rules.umpire import WILD16
    >>> from worldwise.kriegspiel.rules.view import PlayerView
    >>> board = read_fen("k7/7R/1K6/8/8/8/8/8 w")
    >>> found = bare_king_values(PlayerView.of(board, WHITE), [56, 57], WILD16)
    >>> max(found, key=found.get)
    ChessMove(origin=55, target=63, promotion='')
    """
    colour = view.colour
    seen: dict[Army, int] = {}
    for pieces in before:
        army = _army(pieces, colour)
        seen[army] = seen.get(army, 0) + 1
    search = BareKingSearch(split=rules.split_diagonals)
    found = search.values(_army(view.pieces, colour), mask_of(_turn(square, colour) for square in kings), seen)
    turned = {_turn_move(move, colour): worth for move, worth in found.items()}
    return {move: turned[move] for move in view.tries if move in turned}


def _army(pieces: str, colour: Colour) -> Army:
    own = ((square, piece) for square, piece in enumerate(pieces) if colour.owns(piece))
    return tuple(sorted((piece.upper(), _turn(square, colour)) for square, piece in own))


def _turn(square: Square, colour: Colour) -> Square:
    """The board turned over for Black, so that pawns go up."""
    return square if colour is WHITE else square ^ 56


def _turn_move(move: ChessMove, colour: Colour) -> ChessMove:
    return ChessMove(_turn(move.origin, colour), _turn(move.target, colour), move.promotion)
