"""Guaranteed mates: published problems, solved endings, the kernel against its twin, both against the definition."""

import json
from dataclasses import replace
from functools import lru_cache
from itertools import combinations
from pathlib import Path

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from worldwise.core.result import Limit
from worldwise.errors import InputError, LimitReachedError
from worldwise.kernels import SWITCH
from worldwise.kriegspiel.rules.board import START
from worldwise.kriegspiel.rules.fen import fen, placement, read_fen
from worldwise.kriegspiel.rules.game import Kriegspiel
from worldwise.kriegspiel.rules.hidden_pieces import possible_boards
from worldwise.kriegspiel.rules.squares import BLACK, CHESS, WHITE, uci
from worldwise.kriegspiel.rules.umpire import RULES, WILD16, End, PawnTries, board_end, message
from worldwise.kriegspiel.search import mates
from worldwise.kriegspiel.search.mates import guaranteed_mate, tries_if_refused
from worldwise.search.guaranteed import find_guarantee

PROBLEMS = json.loads((Path(__file__).parents[1] / "data" / "kriegspiel" / "mates.json").read_text("utf-8"))["problems"]
PAWNS = {
    "wild16": WILD16,
    "pawn_tries_yes_no": replace(WILD16, pawn_tries=PawnTries.ANY),
    "no_pawn_information": replace(WILD16, pawn_tries=PawnTries.NOTHING),
}
QUIET = replace(WILD16, name="quiet", quiet_limit=4)
EVERY_RULE = [*RULES.values(), *list(PAWNS.values())[1:], QUIET]


def names(mate):
    return sorted(map(uci, mate.keys))


# ---------------------------------------------------------------------- problems and endings


@pytest.mark.parametrize("pawns", PAWNS)
@pytest.mark.parametrize("problem", PROBLEMS, ids=lambda problem: problem["name"])
def test_every_key_and_no_other(needs_kernels, problem, pawns):
    found = guaranteed_mate([read_fen(problem["fen"])], problem["mate_in"], PAWNS[pawns])
    assert names(found) == sorted(problem["keys"][pawns])
    assert found.shortest == (problem["mate_in"] if problem["keys"][pawns] else None)


def test_a_problem_without_kernels(monkeypatch):
    monkeypatch.setenv(SWITCH, "off")
    problem = next(problem for problem in PROBLEMS if problem["name"] == "Swart 686")
    assert names(guaranteed_mate([read_fen(problem["fen"])], 2)) == problem["keys"]["wild16"]


ENDINGS = [
    ("8/7Q/2K5/8/8/8/8/8 w", "a8 b8", 1),
    ("8/6Q1/2K5/8/8/8/8/8 w", "a8-e8", 5),
    ("8/7R/1K6/8/8/8/8/8 w", "a8 b8", 1),
    ("8/7R/2K5/8/8/8/8/8 w", "a8-c8", 3),
    ("8/7R/2K5/8/8/8/8/8 w", "c8 d8", 7),
    ("8/2K5/8/4B3/4B3/8/8/8 w", "a7", 4),
    ("8/8/1K6/3N1B2/8/8/8/8 w", "a8 b8", 5),
    ("8/R7/1R6/8/8/8/8/4K3 w", "c8-h8", 4),
]


@pytest.mark.parametrize(("pieces", "king", "moves"), ENDINGS, ids=lambda value: str(value))
def test_solved_endings(needs_kernels, pieces, king, moves):
    found = guaranteed_mate(possible_boards(pieces, f"k: {king}"), moves + 1)
    assert found.shortest == moves


@pytest.mark.parametrize(("pieces", "king", "moves"), [ending for ending in ENDINGS if ending[2] == 1])
def test_short_endings_without_kernels(monkeypatch, pieces, king, moves):
    monkeypatch.setenv(SWITCH, "off")
    assert guaranteed_mate(possible_boards(pieces, f"k: {king}"), moves).shortest == moves


def test_a_rook_does_not_mate_a_king_who_may_be_anywhere(needs_kernels):
    boards = possible_boards("8/8/8/4K3/8/8/7R/8 w", "k: *")
    assert len(boards) == 40
    assert not guaranteed_mate(boards, 14).is_mate


# ---------------------------------------------------------------------- the definition, in as few words as possible


@lru_cache(10_000)  # another order of tries often leaves the same boards
def wins(boards, moves, rules):
    """Whether there is a first try: every order of tries is looked at."""
    return any(is_key(boards, move, moves, rules) for move in tries(boards))


def tries(boards):
    return {move for board in boards for move in board.legal_moves}


def is_key(boards, move, moves, rules):
    """Whether a try, where it is accepted and where it is refused, leaves a strategy."""
    accepting = [board for board in boards if board.is_legal(move)]
    refusing = tuple(board for board in boards if not board.is_legal(move))
    made = heard([(board, move) for board in accepting], rules)
    won = all(
        said.end is End.MATE or (said.end is None and moves > 1 and is_answered(group, moves - 1, rules))
        for said, group in made
    )
    return won and (not refusing or wins(refusing, moves, rules))


def is_answered(boards, moves, rules):
    replies = [(board, reply) for board in boards for reply in board.legal_moves]
    return all(not said.end and wins(group, moves, rules) for said, group in heard(replies, rules))


def heard(made, rules):
    """The boards after these moves, by what is said."""
    groups = {}
    for board, move in made:
        after, said = umpired(board, move, rules)
        groups.setdefault(said, {})[after] = None
    return [(said, tuple(group)) for said, group in groups.items()]


@lru_cache(10_000)
def umpired(board, move, rules):
    after = replace(board.after(move), number=1)
    return after, message(board, move, after, rules)


def defined(boards, moves, rules):
    """The shortest mate and the keys, by the definition."""
    boards = tuple(boards)
    shortest = next((number for number in range(1, moves + 1) if wins(boards, number, rules)), None)
    return shortest, sorted(uci(move) for move in tries(boards) if is_key(boards, move, moves, rules))


# ---------------------------------------------------------------------- random beliefs

OWN = ("KR", "KQ", "KPP", "KRP", "KRR", "KQP", "KRB", "KQN", "KBP")
HIDDEN = ("", "p", "n", "q", "r")


@st.composite
def beliefs(draw, most=3, own=OWN, others=HIDDEN):
    """A few pieces against a king near the edge, who is on one of up to three squares, with another piece or without.

    Every second time the kings face each other, because otherwise hardly one in a hundred is mated.
    """
    near = [*range(48, 64), 40, 47]
    squares = draw(st.lists(st.integers(0, 63), min_size=7, max_size=7, unique=True))
    if draw(st.booleans()):
        file = squares[0] % 8
        squares = [40 + file, *(square for square in squares[1:] if square != 40 + file), squares[0]]
        near = [56 + other for other in range(8) if abs(other - file) <= 1]
    pieces = ["."] * 64
    for piece, square in zip(draw(st.sampled_from(own)), squares, strict=False):
        pieces[square] = piece
    kings = draw(st.lists(st.sampled_from(near), min_size=1, max_size=min(most, len(near)), unique=True))
    hidden = f"k: {' '.join(map(CHESS.name, kings))}"
    other = draw(st.sampled_from(others))
    if other:
        hidden += f"; {other}: {draw(st.sampled_from(('-', '')))} {CHESS.name(squares[5])} {CHESS.name(squares[6])}"
    quiet = draw(st.sampled_from([0, 0, 1, 97, 98]))
    try:
        return possible_boards(f"{placement(''.join(pieces), CHESS)} w - - {quiet} 1", hidden)[:4]
    except InputError:
        assume(False)


def answer(boards, moves, rules):
    found = guaranteed_mate(boards, moves, rules)
    return found.shortest, names(found)


def over(boards, rules):
    return any(board_end(board, rules) for board in boards)


RULE = st.sampled_from(EVERY_RULE)


@given(beliefs(), RULE)
def test_as_defined_in_one(boards, rules):
    assume(not over(boards, rules))
    assert answer(boards, 1, rules) == defined(boards, 1, rules)


@settings(max_examples=8)
@given(beliefs(2, OWN[:4], HIDDEN[:2]), RULE)
def test_as_defined_in_two(needs_kernels, boards, rules):
    assume(not over(boards, rules))
    assert answer(boards, 2, rules) == defined(boards, 2, rules)


def without_kernels(boards, moves, rules):
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(SWITCH, "off")
        return answer(boards, moves, rules)


@given(beliefs(), RULE)
def test_the_twin_agrees_in_one(boards, rules):
    assert answer(boards, 1, rules) == without_kernels(boards, 1, rules)


@pytest.mark.parametrize("rules", EVERY_RULE, ids=lambda rules: f"{rules.name}-{rules.pawn_tries.name}".lower())
@settings(max_examples=4)
@given(boards=beliefs(most=2))
def test_the_twin_agrees_in_two(needs_kernels, rules, boards):
    assert answer(boards, 2, rules) == without_kernels(boards, 2, rules)


# ---------------------------------------------------------------------- what must hold


@given(beliefs(), RULE, st.integers(1, 2))
def test_more_moves_lose_nothing(needs_kernels, boards, rules, moves):
    few, more = (guaranteed_mate(boards, number, rules) for number in (moves, moves + 1))
    assert few.shortest in (more.shortest, None)
    assert set(few.keys) <= set(more.keys)


@given(beliefs(), RULE)
def test_a_part_is_won_if_all_is(needs_kernels, boards, rules):
    together = guaranteed_mate(boards, 3, rules)
    for size in range(1, len(boards)):
        for part in combinations(boards, size):
            alone = guaranteed_mate(part, 3, rules)
            assert not together.is_mate or alone.shortest <= together.shortest
            legal = {move for board in part for move in board.legal_moves}
            assert {key for key in together.keys if key in legal} <= set(alone.keys)


@given(beliefs())
def test_hearing_more_loses_nothing(needs_kernels, boards):
    said = [PawnTries.COUNT, PawnTries.ANY, PawnTries.NOTHING]
    keys = [set(guaranteed_mate(boards, 2, replace(WILD16, pawn_tries=pawns)).keys) for pawns in said]
    assert keys[0] >= keys[1] >= keys[2]
    undivided = guaranteed_mate(boards, 2, replace(WILD16, split_diagonals=False))
    assert set(undivided.keys) <= keys[0]


@given(beliefs(), RULE)
def test_black_mates_as_white_does(needs_kernels, boards, rules):
    """Upside down, with the colours exchanged."""
    turned = [replace(board, pieces=flipped(board.pieces).swapcase(), turn=BLACK) for board in boards]
    there, back = guaranteed_mate(turned, 2, rules), guaranteed_mate(boards, 2, rules)
    assert there.shortest == back.shortest
    assert sorted((key.origin ^ 56, key.target ^ 56, key.promotion) for key in there.keys) == sorted(back.keys)


def flipped(pieces):
    return "".join(pieces[square ^ 56] for square in range(64))


def test_the_order_of_boards_and_doubles_change_nothing(needs_kernels):
    boards = possible_boards("8/7R/2K5/8/8/8/8/8 w", "k: a8-c8")
    expected = answer(boards, 3, WILD16)
    assert answer([*reversed(boards), *boards], 3, WILD16) == expected
    assert answer([replace(board, number=7) for board in boards], 3, WILD16) == expected


def test_a_small_memory_changes_no_answer(needs_kernels, monkeypatch):
    monkeypatch.setattr(mates, "ENTRIES", 1)
    for pieces, king, moves in ENDINGS:
        if moves <= 4:
            assert guaranteed_mate(possible_boards(pieces, f"k: {king}"), moves).shortest == moves


def test_the_search_is_pinned(needs_kernels):
    """Deterministic node counts: a change of the search shows here first."""
    found = [guaranteed_mate(possible_boards(pieces, f"k: {king}"), moves) for pieces, king, moves in ENDINGS]
    assert [mate.stats.nodes for mate in found] == PINNED


PINNED = [4, 7273, 4, 111, 36282, 440, 4724, 5226]
"""Boards looked at in each of the endings."""


# ---------------------------------------------------------------------- particular rules


def test_castling_and_promotion_are_keys(kernels):
    assert "e1g1" in names(guaranteed_mate([read_fen("5k2/R7/4Q3/8/8/8/8/4K2R w K")], 1))
    assert names(guaranteed_mate([read_fen("7k/P7/6K1/8/8/8/8/8 w")], 1)) == ["a7a8q", "a7a8r"]


def test_quiet_plies_are_counted(kernels):
    """A mate in two whose first move would be the hundredth quiet ply."""
    late, early = (f"7k/8/5K2/8/8/8/8/R7 w - - {quiet} 90" for quiet in (99, 97))
    assert guaranteed_mate([read_fen(early)], 2).shortest == 2
    assert guaranteed_mate([read_fen(late)], 2).shortest is None
    assert guaranteed_mate([read_fen(late)], 2, RULES["berkeley"]).shortest == 2


def test_a_game_that_is_over_has_no_mate(kernels):
    assert not guaranteed_mate([read_fen("7k/8/5K2/8/8/8/8/R7 w - - 100 90")], 2).is_mate
    assert not guaranteed_mate([read_fen("7k/8/5K2/8/8/8/8/8 w")], 2).is_mate


@pytest.mark.parametrize(
    ("text", "hidden", "moves"),
    [
        ("7k/1P6/6K1/8/8/8/8/8 w", "r: - c8", 1),
        ("7k/P7/6K1/8/8/8/8/R7 w", "n: - b8 a8", 2),
        ("8/7R/1K6/8/8/8/8/8 w", "k: a8 b8 c8", 3),
    ],
)
def test_what_follows_a_refusal_mates_too(needs_kernels, text, hidden, moves):
    """Each try of the line forces mate on the boards that have refused all before it, and none is left at its end."""
    boards = possible_boards(text, hidden)
    for key in guaranteed_mate(boards, moves).keys:
        left = [board for board in boards if not board.is_legal(key)]
        for move in tries_if_refused(boards, key, moves):
            assert move in guaranteed_mate(left, moves).soonest
            left = [board for board in left if not board.is_legal(move)]
        assert not left


def test_the_soonest_keys_are_those_of_the_shortest_mate(needs_kernels):
    boards = possible_boards("8/7R/1K6/8/8/8/8/8 w", "k: a8 b8")
    found = guaranteed_mate(boards, 3)
    assert found.soonest == guaranteed_mate(boards, found.shortest).keys
    assert set(found.soonest) < set(found.keys) or found.soonest == found.keys


def test_small_boards():
    boards = possible_boards("4/4/1K2/3R w", "k: a4 b4")
    assert all(board.geometry.files == 4 for board in boards)
    assert guaranteed_mate(boards, 1).shortest == 1
    assert [uci(key, boards[0].geometry) for key in guaranteed_mate(boards, 1).keys] == ["d1d4"]


def test_what_was_said_before_is_not_counted_on(kernels):
    """With a rook on c8 or not: the umpire would have told, but to try the capture first tells as well."""
    boards = possible_boards("7k/1P6/6K1/8/8/8/8/8 w", "r: - c8")
    assert answer(boards, 1, WILD16) == (1, ["b7c8q", "b7c8r"])


# ---------------------------------------------------------------------- any game


def test_the_search_wants_the_player_to_move():
    game = Kriegspiel()
    with pytest.raises(InputError, match="expected states with black to move, found white to move"):
        find_guarantee(game, [game.start(START)], BLACK, 1)


def test_nothing_is_won_from_nowhere():
    assert not find_guarantee(Kriegspiel(), [], WHITE, 1).wins
    assert not find_guarantee(Kriegspiel(), [Kriegspiel().start(START)], WHITE, 0).wins


# ---------------------------------------------------------------------- limits and bad input


def test_limits_are_honoured(kernels):
    board = read_fen(PROBLEMS[0]["fen"])
    for limit in Limit(nodes=10), Limit(seconds=0):
        with pytest.raises(LimitReachedError, match="the search for a guaranteed mate found no answer within"):
            guaranteed_mate([board], 2, WILD16, limit)


@pytest.mark.parametrize(
    ("boards", "moves", "found"),
    [
        ([], 1, "expected at least one board"),
        ([START], 0, "expected a mate in 1 to 100 moves, found 0"),
        ([START], 101, "expected a mate in 1 to 100 moves, found 101"),
        ([START, replace(START, castling="KQ")], 1, None),
        ([START, replace(START, castling="kq")], 1, "expected boards that look the same to white"),
        ([START, START.after(START.legal_moves[0])], 1, "expected boards that look the same to white"),
    ],
)
def test_boards_must_look_the_same(boards, moves, found):
    if found is None:
        assert not guaranteed_mate(boards, moves).is_mate
    else:
        with pytest.raises(InputError, match=found):
            guaranteed_mate(boards, moves)


@pytest.mark.parametrize(
    ("text", "hidden", "found"),
    [
        ("8/8/8/8/8/8/8/K7 w", "k a8", "expected hidden pieces as in 'k: a8 b8; q: - d8', found 'k a8'"),
        ("8/8/8/8/8/8/8/K7 w", "k:", "expected hidden pieces as in"),
        ("8/8/8/8/8/8/8/K7 w", "x: a8", "expected hidden pieces as in"),
        ("8/8/8/8/8/8/8/K7 w", "k: a9", "expected a square from a1 to h8, found 'a9'"),
        ("8/8/8/8/8/8/8/K7 w", "K: a8", "expected hidden pieces of black, who is not to move, found 'K'"),
        ("8/8/8/8/8/8/8/k7 b", "k: a8", "expected hidden pieces of white, who is not to move, found 'k'"),
        ("8/8/8/8/8/8/8/K7 w", "k: a1", "found none: the squares are taken"),
        ("8/8/8/8/8/8/8/K7 w", "k: b1", "found none: expected the player who has just moved not to be in check"),
        ("8/8/8/8/8/8/8/K7 w", "q: d8", "found none: expected one king of each colour, found 0 of black's"),
        ("8/8/8/8/8/8/8/K7 x", "k: d8", "found none: expected w or b as whose turn it is in a FEN, found 'x'"),
        ("8/8/8/8/8/8/8/K7 w", "k: *; q: *; r: *; n: *", "expected at most 100,000 combinations of hidden pieces"),
        ("8/8/8/8/8/8/8/K8 w", "k: *", "expected 8 squares in every rank of a FEN, found 9 in 'K8'"),
    ],
)
def test_hidden_men_that_make_no_sense(text, hidden, found):
    with pytest.raises(InputError) as error:
        possible_boards(text, hidden)
    assert found in str(error.value)


def test_hidden_men_are_lifted_first():
    boards = possible_boards("3qk3/8/8/8/8/8/8/4K3 w", "k: a8 b8; q: - c8")
    assert [fen(board).split()[0] for board in boards] == [
        f"{rank}/8/8/8/8/8/8/4K3" for rank in ("k7", "k1q5", "1k6", "1kq5")
    ]


def test_hidden_men_who_are_not_at_home_have_lost_their_rights():
    boards = possible_boards("r3k2r/8/8/8/8/8/8/R3K2R w KQkq", "r: a8 b8; r: h8")
    assert [board.castling for board in boards] == ["KQkq", "KQk"]


# ---------------------------------------------------------------------- the command

COMMAND = ("kriegspiel", "mate", "8/7R/1K6/8/8/8/8/8 w", "--moves", "1")


def test_the_command_for_programs(kernels, worldwise_command):
    done = worldwise_command(*COMMAND, "--hidden", "k: a8 b8", "--json")
    assert done.returncode == 0
    keys = {"keys": ["h7h8"], "soonest": ["h7h8"], "if_refused": {}}
    assert done.json == {"mate": True, "moves": 1, "shortest": 1, **keys, "boards": 2}


def test_the_command_for_people(kernels, worldwise_command):
    done = worldwise_command(*COMMAND, "--hidden", "k: a8 b8")
    assert done.stdout.startswith("8  ? ? . . . . . .\n7  . . . . . . . R\n")
    assert done.stdout.endswith("whatever is hidden.\nFirst moves that force it:\n  rook h7-h8\n")


def test_the_command_says_which_mate_is_soonest_and_what_follows_a_refusal(kernels, worldwise_command):
    promotes = ("kriegspiel", "mate", "7k/1P6/6K1/8/8/8/8/8 w", "--hidden", "r: - c8")
    done = worldwise_command(*promotes, "--moves", "1")
    assert "pawn b7-c8, becoming a queen; if refused, pawn b7-b8, becoming a queen\n" in done.stdout
    assert worldwise_command(*promotes, "--moves", "1", "--json").json["if_refused"]["b7c8q"] == ["b7b8q"]
    slow = worldwise_command("kriegspiel", "mate", "k7/8/1K6/8/8/8/8/2Q5 w", "--moves", "2")
    assert "The shortest mate takes 1." in slow.stdout
    marked = [line for line in slow.stdout.splitlines() if line.endswith("(mates in 1)")]
    assert marked == ["  queen c1-c8 (mates in 1)"]
    _, keys = slow.stdout.split("First moves that force it:\n")
    assert keys.splitlines()[0] == marked[0]
    assert len(keys.splitlines()) > len(marked)


def test_no_mate_is_exit_code_one(kernels, worldwise_command):
    done = worldwise_command(*COMMAND, "--hidden", "k: a8 d8", "--json")
    assert (done.returncode, done.json["mate"], done.json["keys"]) == (1, False, [])
    assert "White has no guaranteed mate in 1" in worldwise_command(*COMMAND, "--hidden", "k: a8 d8").stdout


@pytest.mark.parametrize(
    "arguments",
    [
        (),
        ("--hidden", "k: z9"),
        ("--hidden", "k: a8", "--rules", "chess"),
        ("--hidden", "k: a8", "--pawn-tries", "some"),
        ("--hidden", "k: a8", "--moves", "0"),
    ],
)
def test_bad_input_is_exit_code_two(worldwise_command, arguments):
    assert worldwise_command(*COMMAND, *arguments).returncode == 2


def test_pawn_tries_override_the_rules(needs_kernels, worldwise_command):
    problem = next(problem for problem in PROBLEMS if problem["name"] == "Anderson 5")
    for said, name in (("count", "wild16"), ("any", "pawn_tries_yes_no"), ("nothing", "no_pawn_information")):
        done = worldwise_command("kriegspiel", "mate", problem["fen"], "--moves", "2", "--pawn-tries", said, "--json")
        assert sorted(done.json["keys"]) == sorted(problem["keys"][name])


def test_time_that_is_up_is_exit_code_one(worldwise_command):
    done = worldwise_command(*COMMAND, "--hidden", "k: a8", "--seconds", "0")
    assert done.returncode == 1
    assert "found no answer within 0 seconds" in done.stderr
    told = worldwise_command(*COMMAND, "--hidden", "k: a8", "--seconds", "0", "--json")
    why = "the search for a guaranteed mate found no answer within 0 seconds"
    keys = {"keys": [], "soonest": [], "if_refused": {}}
    assert told.json == {"mate": None, "moves": 1, "shortest": None, **keys, "boards": 1, "why": why}
    assert (told.returncode, why in told.stderr) == (1, True)
    assert "not decided in time" in worldwise_command("kriegspiel", "mate", "--help").stdout
