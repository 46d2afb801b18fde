"""A valid call of everything in the compiled module, and thousands of calls that are wrong somewhere.

As a script it makes all calls of some groups, one after another, and says what it is about to do: if the process dies
or hangs, the last line names the call. Limits of nodes and time are in every call that has them, so none takes long.
"""

import faulthandler
import sys
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from itertools import combinations
from random import Random

import numpy as np

from worldwise.bridge.suit.rules import Suit, SuitGame
from worldwise.bridge.suit.situations import Packing, Situation
from worldwise.errors import WorldwiseError
from worldwise.kernels import native

PATIENCE = 120
"""Seconds after which a call counts as hanging: calls take milliseconds, on a busy machine a second or two."""

REFUSALS = (ValueError, TypeError, OverflowError, MemoryError, TimeoutError, WorldwiseError)
"""What a wrong call may raise; a limit that runs out is a timeout."""

LIMITS = ("most_nodes", "seconds", "patience", "count", "depth", "moves", "plies")
"""Arguments of which no two are changed at once: a deep search without a limit is not wrong, only long."""


@dataclass(frozen=True)
class Call:
    """A callable with arguments by name; they are passed by place."""

    name: str
    function: object
    arguments: dict

    @property
    def public_name(self):
        """The name in the module that this call covers, with that of a method."""
        return self.name.split("[")[0]

    def make(self, **changed):
        """Call it with fresh copies, so that no call sees what another filled."""
        arguments = self.arguments | changed
        return self.function(*(value.copy() if _is_plain(value) else value for value in arguments.values()))


def _is_plain(value):
    """Whether a copy of an array would be the same kind of array."""
    return isinstance(value, np.ndarray) and value.flags.c_contiguous and value.flags.writeable


# ---------------------------------------------------------------------- valid calls

KIND = np.array([1, 2, 0, 0, 2, 0, 0], dtype=np.uint8)
END = np.array([7, 4, 3, 4, 7, 6, 7], dtype=np.int32)
NO_LIMITS = {"most_nodes": 5000, "seconds": 1.0}


def tree_calls():
    """Possible-world trees on both lattices."""
    masks = np.array([[1], [2], [4], [7]], dtype=np.uint64)
    reals = np.array([[0.5, 1.0], [1.5, np.inf], [2.5, 0.0], [0.0, 3.5]])
    yield from _passes("masks", masks, np.array([1, 2, 3], dtype=np.int64), np.array([7], dtype=np.uint64))
    yield from _passes("reals", reals, np.array([0.25, 0.75]), np.array([np.inf, np.inf]))
    tree = {"kind": KIND, "end": END, "leaves": masks}
    yield Call("tables", native.tables, tree | {"bits": 3} | NO_LIMITS)
    leaves = np.array([[1, 2, 4, 7], [3, 1, 2, 6]], dtype=np.uint64)
    batch = {"kind": KIND, "end": END, "leaves": leaves, "known": 2, "best": np.zeros(2, dtype=np.int16)}
    yield Call("optimum_of_batch", native.optimum_of_batch, batch)


def _passes(lattice, leaves, gains, everything):
    tree, width, word = {"kind": KIND, "end": END, "leaves": leaves}, leaves.shape[1], leaves.dtype
    chosen, nothing = np.zeros(len(KIND), dtype=np.int32), np.zeros(width, dtype=word)
    filled = {"chosen": chosen, "value": np.zeros(width, dtype=word), "first": np.zeros((2, width), dtype=word)}
    every_node = np.zeros((len(KIND), width), dtype=word)
    wish = {"gains": gains, "need": nothing, "rest": everything, "guess_first": True, "bounds": every_node}
    switches = {"beta": True, "fused": False, "seed": 7}
    calls = {
        "back_up": tree | wish | switches | NO_LIMITS | filled | {"values": every_node},
        "alpha_beta": tree | {"gains": gains, "all": everything, "seed": 7} | NO_LIMITS | filled,
        "follow": tree | {"gains": gains, "chosen": chosen, "seen": nothing, "hidden": everything, "value": nothing},
        "realise": tree | {"target": nothing, "seed": None} | NO_LIMITS | {"chosen": chosen},
        "fronts": tree | NO_LIMITS,
    }
    for name, arguments in calls.items():
        yield Call(f"{name}[{lattice}]", getattr(native, name), arguments)


def extensive_calls():
    """A chance node over two nodes of one set, the IMP-model, and a file."""
    numbers = partial(np.array, dtype=np.int32)
    game = {
        "event": numbers([0, 1, -1, -1, 1, -1, -1]),
        "offsets": numbers([0, 2, 4, 4, 4, 6, 6, 6]),
        "children": numbers([1, 4, 2, 3, 5, 6]),
        "probs": np.array([2, 1, 1, 1, 1, 1, 1], dtype=np.int64),
        "worths": np.array([0, 0, 3, 1, 0, 0, 2], dtype=np.int64),
        "players": numbers([-1, 0]),
        "sizes": numbers([2, 2]),
        "upper": 3,
    }
    filled = {"chosen": numbers([-1, -1]), "met": numbers([0, 0])}
    yield Call("imp_game", native.imp_game, game | NO_LIMITS | filled)
    model = {"k": 2, "b": 3, "d": 4, "highest": 10, "seed": 5, "prune": True}
    yield Call("imp_model", native.imp_model, model | NO_LIMITS)
    text = b'p "" 1 1 "set" { "left" "right" } 0\nt "a\\"" 1 "won" { 1, 0 }\nt "" 2 "lost" { 0, 1 }\n'
    yield Call("scan_efg", native.scan_efg, {"text": text})


SITUATION = Packing(2, 2).pack(Situation(SuitGame(Suit.of("AQ", "2")).root.table))


def suit_calls():
    """AQ opposite 2, West and East with the other cards."""
    sizes, tops = np.array([1, 9], dtype=np.uint8), np.array([13, 11], dtype=np.uint8)
    worlds = np.array([[west, low] for west in range(2) for low in range(10)], dtype=np.uint8)
    rules = {"sizes": sizes, "tops": tops, "worlds": worlds, "lean": True, "free": True, "leader": 0}
    yield Call("suit_rules", native.suit_rules, rules)
    table = {
        "north": 1 << 14 | 1 << 12,
        "south": 1 << 2,
        "west": b"\0\0",
        "east": b"\0\0",
        "west_out": False,
        "east_out": False,
        "need": 2,
        "trick": b"",
        "in_hand": native.SUIT_NOBODY,
        "north_entries": native.SUIT_UNLIMITED,
        "south_entries": native.SUIT_UNLIMITED,
        "ruffs": 0,
    }
    yield Call("suit_table", native.suit_table, table)
    ruffed = {"south": 0, "trick": b"\0\14\1\15\2" + bytes([native.SUIT_RUFF]), "ruffs": 1}
    yield Call("suit_table[ruffed]", native.suit_table, table | ruffed)
    yield Call("suit_table[led]", native.suit_table, table | {"south": 0, "trick": b"\2\2\3\0", "west_out": True})
    for kind in (native.SuitRules, native.SuitTable):
        yield Call(kind.__name__, partial(_expect_no_constructor, kind), {})
    made, root = native.suit_rules(*rules.values()), native.suit_table(*table.values())
    yield Call("suit_tree", native.suit_tree, {"rules": made, "root": root, "words": 1, "most_nodes": 5000})
    led = native.suit_rules(*(rules | {"leader": native.SUIT_LEADERS - 1}).values())
    yield Call("suit_tree[led]", native.suit_tree, {"rules": led, "root": root, "words": 1, "most_nodes": 5000})
    for levels in native.SUIT_LEVELS:
        yield from _suit_solver(levels, made, root, len(worlds))
    weights = np.arange(1, len(worlds) + 1, dtype=np.int64)
    sampled = {"rules": made, "weights": weights, "table": root} | NO_LIMITS
    yield Call("suit_sampling", native.suit_sampling, sampled)
    thumb = {"rules": made, "finesses": True, "table": root} | NO_LIMITS
    yield Call("suit_rule_of_thumb", native.suit_rule_of_thumb, thumb)


def _suit_solver(levels, rules, table, worlds):
    name = f"SuitSolver{levels}"
    make = getattr(native, name)
    weights = np.arange(1, worlds + 1, dtype=np.int64).reshape(1, worlds)
    new = {"rules": rules, "weights": weights, "counting": levels > 1, "length": 2, "goals": [], "beat": -1}
    yield Call(name, make, new)
    if levels >= 2:
        everything = b"\xff\xff\x0f" + bytes(21)
        bound = {"goals": [(everything, 50, 0), (everything, 40, 7)], "beat": 3}
        yield Call(f"{name}[bounded]", make, new | bound)
        yield Call(f"{name}[a row each]", make, new | bound | {"weights": np.tile(weights, (2, 1))})
    solver = make(*new.values())
    wanted = bytes(8 * native.SUIT_WORDS * levels)
    yield Call(f"{name}.front", solver.front, {"table": table} | NO_LIMITS)
    yield Call(f"{name}.summary", solver.summary, {"tables": [table, table]} | NO_LIMITS)
    yield Call(f"{name}.secures", solver.secures, {"table": table, "wanted": wanted} | NO_LIMITS)
    counting = make(*(new | {"counting": True}).values())
    trick = {"situation": SITUATION, "wanted": wanted, "seat": 2, "card": 2, "thirds": b"\16\14\16", "shown_out": True}
    yield Call(f"{name}.ends", counting.ends, trick | NO_LIMITS)
    yield from _properties(name, solver, "tables", "nodes")


def _properties(name, of, *properties):
    for attribute in properties:
        yield Call(f"{name}.{attribute}", partial(getattr, of, attribute), {})


def _expect_no_constructor(kind):
    """Only the kernel makes one of these."""
    try:
        kind()
    except TypeError:
        return
    raise AssertionError(f"expected no constructor of {kind}")


HANDS = {"north": 0x7000, "east": 0x7000 << 16, "south": 0x0E00, "west": 0x0E00 << 16}
"""Three cards each: spades for North and South, hearts for East and West."""

DEALT = tuple(HANDS.values())
AFTER_A_LEAD = (0x7000, 0x7000 << 16, 0x0E00, 0x0C00 << 16, 3, 1, 25, 0, 0)


def double_dummy_calls():
    """Three cards each."""
    trick = {"leader": 3, "played": 1, "first": 25, "second": 0, "third": 0}
    position = HANDS | {"west": 0x0C00 << 16} | trick
    question = position | {"trumps": 4, "seat": -1, "tricks": 2}
    yield Call("can_take", native.can_take, question)
    yield Call("DoubleDummy", native.DoubleDummy, HANDS | {"trumps": 4, "most_entries": 1000})
    solver = native.DoubleDummy(*DEALT, 4, 1000)
    yield Call("DoubleDummy.can_take", solver.can_take, question)
    rows = np.array([AFTER_A_LEAD, (*DEALT, 0, 0, 0, 0, 0)], dtype=np.uint64)
    targets = np.array([1, 2], dtype=np.int32)
    yield Call("DoubleDummy.can_take_all", solver.can_take_all, {"positions": rows, "targets": targets} | NO_LIMITS)
    yield Call("DoubleDummy.tricks_of_all", solver.tricks_of_all, {"positions": rows} | NO_LIMITS)
    yield from _properties("DoubleDummy", solver, "nodes", "entries")


def alpha_mu_calls():
    """The same hands in several worlds, with lanes as wide as it takes for outcomes of so many words."""
    for words, worlds, lane in ((1, 2, 1), (2, 2, 64), (4, 4, 64), (8, 8, 64), (32, 32, 64)):
        solver = native.DoubleDummy(*DEALT, 4, 1000)
        task = {
            "worlds": np.array([DEALT] * worlds, dtype=np.uint64),
            "trumps": 4,
            "leader": 0,
            "side": 0,
            "trick": (0, 0, 0),
            "played": 0,
            "make": lane == 1,
            "first": 1,
            "gains": np.ones(worlds * lane, dtype=np.int64),
            "switches": (True,) * 5,
            "solvers": [solver] * worlds,
            "threads": 2,
        }
        yield Call(f"alpha_mu[{words}]", native.alpha_mu, task)
        search = native.alpha_mu(*task.values())
        beside = bytes(8 * words)
        question = {"card": 14, "depth": 2, "need": native.ANYTHING, "beside": beside} | NO_LIMITS
        yield Call(f"AlphaMu{words}.ask", search.ask, question)
        yield from _properties(f"AlphaMu{words}", search, "counts", "words")
        yield Call(f"AlphaMu{words}", partial(_expect_no_constructor, type(search)), {})


def board_row(pieces, turn=0):
    """A board as the kernels take it, from its pieces by square."""
    row = [0] * native.ROW_WORDS
    for square, piece in pieces.items():
        row[native.PIECES.index(piece.upper())] |= 1 << square
        row[6 + piece.islower()] |= 1 << square
    row[8] = turn | native.NO_SQUARE << 16
    return np.array(row, dtype=np.uint64)


BOARD = board_row({4: "K", 7: "R", 12: "P", 50: "P", 60: "k", 36: "n"})
OTHERS = board_row({4: "K", 7: "R", 12: "P", 50: "P", 60: "k", 36: "n"}, turn=1)
OWN = board_row({4: "K", 7: "R", 12: "P"})
PUSH = 12 | 20 << 6
"""The pawn's step, legal on the board."""


def umpire_rules():
    return native.UmpireRules(1, 2, True, 100, True)


def board_evaluation():
    return native.Evaluation(np.array([1.0, 2.5, 3.5, 5.0, 9.0, 0.0]), 0.05, 0.03, 0.04, 0.3, 100.0, 0.0, 0.0)


def chess_calls():
    """One board, and what is asked of it."""
    row, rules = {"row": BOARD}, umpire_rules()
    for name in ("moves", "pawn_captures", "any_legal", "is_dead", "key"):
        yield Call(f"chess_{name}", getattr(native, f"chess_{name}"), row)
    yield Call("chess_perft", native.chess_perft, row | {"depth": 2, "made": False})
    yield Call("chess_perft[made]", native.chess_perft, row | {"depth": 2, "made": True})
    moves = np.array([PUSH, PUSH], dtype=np.uint16)
    yield Call("chess_after", native.chess_after, {"rows": np.array([BOARD, BOARD]), "moves": moves})
    yield Call("chess_checkers", native.chess_checkers, row | {"colour": 1})
    yield Call("chess_is_legal", native.chess_is_legal, row | {"move": PUSH})
    yield Call("umpire_message", native.umpire_message, row | {"move": PUSH, "rules": rules})
    yield Call("umpire_tries", native.umpire_tries, row | {"rules": rules})
    how = {"captured": 1, "pawn_tries": 2, "split_diagonals": True, "quiet_limit": 100, "quiet_is_fifty": True}
    yield Call("UmpireRules", native.UmpireRules, how)
    yield Call("chess_evaluated", native.chess_evaluated, row | {"player": 0, "evaluation": board_evaluation()})
    weights = {
        "protected": 0.05,
        "threatened": 0.03,
        "advance": 0.04,
        "check": 0.3,
        "mate": 100.0,
        "reach": 0.03,
        "siege": 0.1,
    }
    yield Call("Evaluation", native.Evaluation, {"values": np.array([1.0, 2.5, 3.5, 5.0, 9.0, 0.0])} | weights)


def belief_calls():
    """Two boards that may be, and what is heard."""
    rows, rules = np.array([BOARD, BOARD]), umpire_rules()
    boards = {"rows": rows, "weights": np.array([1.0, 0.5])}
    heard = {"move": PUSH, "said": 0, "mask": 0, "refusals": -1, "rules": rules, "most": 1000, "seconds": 1.0}
    yield Call("belief_after", native.belief_after, boards | {"what": native.HEARD[1]} | heard)
    replies = boards | {"rows": np.array([OTHERS, OTHERS]), "what": native.HEARD[2]} | heard | {"refusals": 0}
    yield Call("belief_after[reply]", native.belief_after, replies)
    later = np.array([[native.HEARD[1], PUSH, 0], [native.HEARD[2], 0, 21]], dtype=np.int64)
    yield Call("belief_surprise", native.belief_surprise, {"rows": np.array([OTHERS]), "later": later})
    yield Call("belief_rarities", native.belief_rarities, boards | {"colour": 1})
    refused, pieces = np.array([4 | 12 << 6], dtype=np.uint16), np.array([1, 2, 3, 4], dtype=np.uint8)
    enemy = {"pawns": 2, "pieces": pieces, "pawns_lost": 1, "pieces_lost": 1, "unknown_lost": 1}
    guess = {"own": OWN, "said": 0, "refused": refused} | enemy | {"rules": rules, "count": 3, "seed": 5}
    yield Call("kriegspiel_guesses", native.kriegspiel_guesses, guess)


def search_calls():
    """Searches of boards."""
    rows, rules, evaluation = np.array([BOARD, BOARD]), umpire_rules(), board_evaluation()
    tries = np.array([PUSH, 4 | 5 << 6, 50 | 58 << 6 | 4 << 12, 50 | 58 << 6], dtype=np.uint16)
    how = {"plies": 1, "captures": 1, "rules": rules, "evaluation": evaluation, "seconds": 1.0}
    yield Call("chess_minimax", native.chess_minimax, {"rows": rows, "tries": tries} | how)
    yield Call("Mates", native.Mates, {"rules": rules, "most_entries": 1000})
    mates = native.Mates(rules, 1000)
    for name in ("wins", "keys"):
        yield Call(f"Mates.{name}", getattr(mates, name), {"rows": rows, "moves": 2} | NO_LIMITS)
    yield from _properties("Mates", mates, "nodes")
    for depth in (1, 2, 3):
        settings = {"player": 0, "tries": tries, "depth": depth, "caution": 0.25, "greed": 2.0, "most": 100_000}
        new = {"rules": rules, "evaluation": evaluation} | settings
        yield Call(f"InformationSets[{depth}]", native.InformationSets, new)
        yield Call(f"InformationSets[folded {depth}]", _fold_once, new)
        sets = native.InformationSets(*new.values())
        boards = {"rows": rows, "weights": np.array([1.0, 0.5]), "seconds": 1.0, "patience": 1.0}
        yield Call(f"InformationSets.fold[{depth}]", sets.fold, boards)
        yield Call(f"InformationSets.values[{depth}]", sets.values, {})
        yield Call(f"InformationSets.chances[{depth}]", sets.chances, {})
    yield from _properties("InformationSets", sets, "leaves")


def _fold_once(*arguments):
    """What odd settings make of a board."""
    sets = native.InformationSets(*arguments)
    sets.fold(BOARD[None], np.ones(1), 1.0, 1.0)
    return sets.values(), sets.chances()


GROUPS = {
    "trees": tree_calls,
    "extensive": extensive_calls,
    "suits": suit_calls,
    "double dummy": double_dummy_calls,
    "alpha-mu": alpha_mu_calls,
    "chess": chess_calls,
    "beliefs": belief_calls,
    "searches": search_calls,
}
"""All valid calls; each group is made in a process of its own."""

# ---------------------------------------------------------------------- wrong ones

INTEGERS = (-1, 0, 1, 3, 4, 5, 13, 64, 77, -(2**31), 2**31 - 1, 2**32, -(2**63), 2**63 - 1, 2**64 - 1, 2**64, 10**30)
FLOATS = (float("nan"), float("inf"), float("-inf"), -1.0, 0.0, 1e308, -1e308)
STRANGERS = (None, "text", 1.5, object(), b"\xff", (), np.zeros(3))


def other_values(value, rng):
    """Values of any kind in place of one."""
    if isinstance(value, np.ndarray):
        yield from other_arrays(value, rng)
    elif isinstance(value, bool):
        yield from (not value, 2)
    elif isinstance(value, int):
        yield from (*INTEGERS, value + 1, value - 1, -value)
    elif isinstance(value, float):
        yield from FLOATS
    elif isinstance(value, bytes):
        yield from (b"", value[:-1], value + b"\0", b"\xff" * len(value), b"\x0f" * len(value), value * 50, b"\0" * 7)
        yield from other_bytes(value, rng)
    elif isinstance(value, (list, tuple)):
        yield from (type(value)(), value[:-1], value + value, type(value)([None]) * len(value))
    yield from STRANGERS


def other_bytes(value, rng):
    """As many, with one or two of them changed: where a structure is packed, each means something else."""
    for _ in range(24 if value else 0):
        changed = bytearray(value)
        for place in rng.sample(range(len(value)), min(len(value), rng.choice((1, 1, 2)))):
            changed[place] = rng.choice((0, 1, 2, 3, 13, 14, 15, 16, 64, 127, 128, 255))
        yield bytes(changed)


def other_arrays(array, rng):
    """Of other shapes, types, layouts and contents."""
    yield from (array[:0], array[:-1], np.concatenate([array, array]), array[None], array.reshape(-1), array[::-1])
    yield from (array.astype(np.float32), array.astype(np.int64), array.astype(object), np.asfortranarray(array).T)
    yield np.repeat(array, 2, axis=-1)[..., ::2]
    if not array.size:
        return
    yield from (np.full_like(array, extreme) for extreme in _extremes(array.dtype))
    for place in {0, array.size - 1, *(rng.randrange(array.size) for _ in range(6))}:
        for extreme in (*_extremes(array.dtype), 3, 64):
            changed = array.copy()
            changed.flat[place] = extreme
            yield changed
    frozen = array.copy()
    frozen.flags.writeable = False
    yield frozen
    for _ in range(4):
        yield np.frombuffer(rng.randbytes(array.nbytes), dtype=array.dtype).reshape(array.shape)


def _extremes(dtype):
    if dtype.kind == "f":
        return np.nan, np.inf, -np.inf, -1.0, 1e308
    return 0, 1, np.iinfo(dtype).max, np.iinfo(dtype).min, np.iinfo(dtype).max // 2


def wrong_calls(call, rng):
    """Every argument changed by itself in many ways, then two at once, then swapped, shared, missing and too many."""
    others = {name: list(other_values(value, rng)) for name, value in call.arguments.items()}
    for name, values in others.items():
        for number, value in enumerate(values):
            yield f"{name} {number}: {_show(value)}", partial(call.make, **{name: value})
    for one, two in combinations(others, 2):
        yield f"{one} and {two} swapped", partial(call.make, **{one: call.arguments[two], two: call.arguments[one]})
        yield f"{one} as {two}", partial(call.function, *(call.arguments | {two: call.arguments[one]}).values())
        if one not in LIMITS and two not in LIMITS:
            first, second = rng.choice(others[one]), rng.choice(others[two])
            label = f"{one}: {_show(first)} and {two}: {_show(second)}"
            yield label, partial(call.make, **{one: first, two: second})
    yield "nothing", call.function
    yield "too much", partial(call.function, *call.arguments.values(), 1)


def _show(value):
    return repr(value).replace("\n", "")[:200]


def say(text):
    """Before anything can go wrong."""
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


def check_call(call, rng):
    """Make a valid call, then its wrong ones, and the valid one again; how many that were."""
    say(f"{call.name}: as it should be")
    with suppress(TimeoutError):  # how far a search comes in a second is the machine's affair
        call.make()
    made = 1
    for label, wrong in wrong_calls(call, rng):
        say(f"{call.name}: {label}")
        faulthandler.dump_traceback_later(PATIENCE, exit=True)
        with suppress(*REFUSALS):
            wrong()
        faulthandler.cancel_dump_traceback_later()
        made += 1
    return made


def main(groups):
    """Make all calls of these groups."""
    rng = Random(1)
    made = sum(check_call(call, rng) for group in groups for call in GROUPS[group]())
    say(f"made {made} calls")


if __name__ == "__main__":
    main(sys.argv[1:])
