# What native/bindings exports. Arrays are C-contiguous; a tree is its kinds, ends and leaves; words are uint64 (codes
# of a Thermometer) or float64 (Reals); counts are nodes, leaves and cuts. Outputs are arrays given to be filled, or
# made by the kernel and not to be written to; codes that are long numbers to Python cross as bytes.
#
# Every binding checks what it is given: what does not fit is an InputError, or a TypeError if it is of another type.
# Several threads may use an object: they take turns. `threads` are clamped to 1 to MOST_THREADS.

from typing import TypeAlias

from numpy import bool_, float64, int16, int32, int64, uint8, uint16, uint32, uint64
from numpy.typing import NDArray

Words: TypeAlias = NDArray[uint64] | NDArray[float64]
Gains: TypeAlias = NDArray[int64] | NDArray[float64]
Counts: TypeAlias = tuple[int, int, int]

def back_up(
    kind: NDArray[uint8],
    end: NDArray[int32],
    leaves: Words,
    gains: Gains,
    need: Words,
    rest: Words,
    guess_first: bool,
    bounds: Words | None,
    beta: bool,
    fused: bool,
    seed: int | None,
    most_nodes: int,
    seconds: float,
    chosen: NDArray[int32],
    value: Words,
    first: Words,
    values: Words | None,
    /,
) -> Counts: ...
def alpha_beta(
    kind: NDArray[uint8],
    end: NDArray[int32],
    leaves: Words,
    gains: Gains,
    everything: Words,
    seed: int | None,
    most_nodes: int,
    seconds: float,
    chosen: NDArray[int32],
    value: Words,
    first: Words,
    /,
) -> tuple[int, Counts]: ...
def follow(
    kind: NDArray[uint8],
    end: NDArray[int32],
    leaves: Words,
    gains: Gains,
    chosen: NDArray[int32],
    seen: Words | None,
    hidden: Words | None,
    value: Words,
    /,
) -> tuple[NDArray[int32], Counts]: ...
def realise(
    kind: NDArray[uint8],
    end: NDArray[int32],
    leaves: Words,
    target: Words,
    seed: int | None,
    most_nodes: int,
    seconds: float,
    chosen: NDArray[int32],
    /,
) -> tuple[bool, Counts]: ...
def fronts(
    kind: NDArray[uint8], end: NDArray[int32], leaves: Words, most_nodes: int, seconds: float, /
) -> tuple[Words, list[Words], Counts]: ...
def tables(
    kind: NDArray[uint8], end: NDArray[int32], leaves: NDArray[uint64], bits: int, most_nodes: int, seconds: float, /
) -> tuple[NDArray[uint64], list[NDArray[uint64]], Counts]: ...
def optimum_of_batch(
    kind: NDArray[uint8], end: NDArray[int32], leaves: NDArray[uint64], known: int, best: NDArray[int16], /
) -> None: ...

KINDS_OF_NODES: tuple[int, int, int]
MOST_TABLE_BITS: int
MOST_KNOWN: int
IMP_DEEPEST: int
IMP_LARGEST: int
IMP_MOST_DRAWS: int

ImpAnswer: TypeAlias = tuple[int, int, int, int, int]

def imp_game(
    event: NDArray[int32],
    offsets: NDArray[int32],
    children: NDArray[int32],
    probs: NDArray[int64],
    worths: NDArray[int64],
    players: NDArray[int32],
    sizes: NDArray[int32],
    upper: int | None,
    most_nodes: int,
    seconds: float,
    chosen: NDArray[int32],
    met: NDArray[int32],
    /,
) -> ImpAnswer: ...
def imp_model(
    k: int, b: int, d: int, highest: int, seed: int, prune: bool, most_nodes: int, seconds: float, /
) -> ImpAnswer: ...

Mentioned: TypeAlias = tuple[NDArray[int64], NDArray[int64], list[str], NDArray[int32], list[str]]

def scan_efg(
    text: bytes, /
) -> tuple[NDArray[int32], NDArray[int32], NDArray[int32], list[str], Mentioned, Mentioned, bool]: ...

SUIT_LEVELS: tuple[int, ...]
SUIT_WORDS: int
SUIT_CLASSES: int
SUIT_NOBODY: int
SUIT_UNLIMITED: int
SUIT_OUT: int
SUIT_RUFF: int
SUIT_LEADERS: int

class SuitRules: ...
class SuitTable: ...

def suit_rules(
    sizes: NDArray[uint8], tops: NDArray[uint8], worlds: NDArray[uint8], lean: bool, free: bool, leader: int, /
) -> SuitRules: ...
def suit_table(
    north: int,
    south: int,
    west: bytes,
    east: bytes,
    west_out: bool,
    east_out: bool,
    need: int,
    trick: bytes,
    in_hand: int,
    north_entries: int,
    south_entries: int,
    ruffs: int,
    /,
) -> SuitTable: ...
def suit_tree(
    rules: SuitRules, root: SuitTable, words: int, most_nodes: int, /
) -> tuple[NDArray[uint8], NDArray[int32], NDArray[uint8], NDArray[uint64], NDArray[bool_]]: ...
def suit_sampling(
    rules: SuitRules, weights: NDArray[int64], table: SuitTable, most_nodes: int, seconds: float, /
) -> bytes: ...
def suit_rule_of_thumb(
    rules: SuitRules, finesses: bool, table: SuitTable, most_nodes: int, seconds: float, /
) -> bytes: ...

POSITION_WORDS: int

class DoubleDummy:
    nodes: int
    entries: int
    def __init__(self, north: int, east: int, south: int, west: int, trumps: int, most_entries: int, /) -> None: ...
    def can_take(
        self,
        north: int,
        east: int,
        south: int,
        west: int,
        leader: int,
        played: int,
        first: int,
        second: int,
        third: int,
        trumps: int,
        seat: int,
        tricks: int,
        /,
    ) -> bool: ...
    def can_take_all(
        self, positions: NDArray[uint64], targets: NDArray[int32], most_nodes: int, seconds: float, /
    ) -> NDArray[bool_]: ...
    def tricks_of_all(self, positions: NDArray[uint64], most_nodes: int, seconds: float, /) -> NDArray[uint8]: ...

def can_take(
    north: int,
    east: int,
    south: int,
    west: int,
    leader: int,
    played: int,
    first: int,
    second: int,
    third: int,
    trumps: int,
    seat: int,
    tricks: int,
    /,
) -> bool: ...

class AlphaMu:  # AlphaMu1, AlphaMu2 ...: so many words in an outcome
    counts: tuple[int, ...]
    words: int
    def ask(
        self, card: int, depth: int, need: int, beside: bytes, most_nodes: int, seconds: float, /
    ) -> tuple[bytes, bool]: ...

ANYTHING: int
MOST_THREADS: int
ALPHA_MU_BITS: int

def alpha_mu(
    worlds: NDArray[uint64],
    trumps: int,
    leader: int,
    side: int,
    trick: tuple[int, int, int],
    played: int,
    make: bool,
    first: int,
    gains: NDArray[int64],
    switches: tuple[bool, bool, bool, bool, bool],
    solvers: list[DoubleDummy],
    threads: int,
    /,
) -> AlphaMu: ...

# A chess board is nine words: pawns, knights, bishops, rooks, queens, kings, white, black, and turn | castling << 8 |
# en passant square << 16 | quiet plies << 24; a1 is bit 0 and 64 is no square. Moves are packed in 16 bits: from |
# to << 6 | promotion << 12.
PIECES: str
ROW_WORDS: int
NO_SQUARE: int
QUIET_SHIFT: int
MOST_QUIET: int
MESSAGE_SHIFTS: tuple[int, int, int, int]
PAWN_TRIES: int
HEARD: tuple[int, int, int]
USUAL_MOVES: float
LATER: float
LEAST_WORTH: float
WRONG_CAPTURE: float
ATTEMPTS: int

def chess_perft(row: NDArray[uint64], depth: int, made: bool, /) -> int: ...
def chess_moves(row: NDArray[uint64], /) -> NDArray[uint16]: ...
def chess_after(rows: NDArray[uint64], moves: NDArray[uint16], /) -> NDArray[uint64]: ...
def chess_checkers(row: NDArray[uint64], colour: int, /) -> int: ...
def chess_pawn_captures(row: NDArray[uint64], /) -> int: ...
def chess_any_legal(row: NDArray[uint64], /) -> bool: ...
def chess_is_dead(row: NDArray[uint64], /) -> bool: ...
def chess_is_legal(row: NDArray[uint64], move: int, /) -> bool: ...
def chess_key(row: NDArray[uint64], /) -> int: ...

class UmpireRules:
    def __init__(
        self, captured: int, pawn_tries: int, split_diagonals: bool, quiet_limit: int, quiet_is_fifty: bool, /
    ) -> None: ...

def umpire_message(row: NDArray[uint64], move: int, rules: UmpireRules, /) -> int: ...
def umpire_tries(row: NDArray[uint64], rules: UmpireRules, /) -> NDArray[uint16]: ...
def belief_after(
    rows: NDArray[uint64],
    weights: NDArray[float64],
    what: int,
    move: int,
    said: int,
    mask: int,
    refusals: int,
    rules: UmpireRules,
    most: int,
    seconds: float,
    /,
) -> tuple[NDArray[uint64], NDArray[float64], NDArray[uint32], NDArray[uint16]]: ...

class Mates:
    nodes: int
    def __init__(self, rules: UmpireRules, most_entries: int, /) -> None: ...
    def wins(self, rows: NDArray[uint64], moves: int, most_nodes: int, seconds: float, /) -> bool: ...
    def keys(self, rows: NDArray[uint64], moves: int, most_nodes: int, seconds: float, /) -> NDArray[uint16]: ...

def belief_surprise(rows: NDArray[uint64], later: NDArray[int64], /) -> NDArray[float64]: ...
def belief_rarities(rows: NDArray[uint64], weights: NDArray[float64], colour: int, /) -> NDArray[float64]: ...

class Evaluation:
    def __init__(
        self,
        values: NDArray[float64],
        protected: float,
        threatened: float,
        advance: float,
        check: float,
        mate: float,
        reach: float,
        siege: float,
        /,
    ) -> None: ...

def chess_evaluated(row: NDArray[uint64], player: int, evaluation: Evaluation, /) -> float: ...
def chess_minimax(
    rows: NDArray[uint64],
    tries: NDArray[uint16],
    plies: int,
    captures: int,
    rules: UmpireRules,
    evaluation: Evaluation,
    seconds: float,
    /,
) -> NDArray[float64]: ...
def kriegspiel_guesses(
    own: NDArray[uint64],
    said: int,
    refused: NDArray[uint16],
    pawns: int,
    pieces: NDArray[uint8],
    pawns_lost: int,
    pieces_lost: int,
    unknown_lost: int,
    rules: UmpireRules,
    count: int,
    seed: int,
    /,
) -> NDArray[uint64]: ...

class InformationSets:
    leaves: int
    def __init__(
        self,
        rules: UmpireRules,
        evaluation: Evaluation,
        player: int,
        tries: NDArray[uint16],
        depth: int,
        caution: float,
        greed: float,
        most: int,
        /,
    ) -> None: ...
    def fold(self, rows: NDArray[uint64], weights: NDArray[float64], seconds: float, patience: float, /) -> int: ...
    def values(self) -> NDArray[float64]: ...
    def chances(self) -> NDArray[float64]: ...
