"""What the umpire says, what may be tried, and when a game ends."""

from collections import Counter
from dataclasses import replace
from random import Random

import pytest

from kriegspiel_play import GARDNER
from worldwise.errors import InputError
from worldwise.kriegspiel.rules.board import START, ChessBoard
from worldwise.kriegspiel.rules.fen import fen, read_fen
from worldwise.kriegspiel.rules.game import PLAYERS, Kriegspiel
from worldwise.kriegspiel.rules.squares import BLACK, CHESS, WHITE, ChessMove, Geometry, read_uci
from worldwise.kriegspiel.rules.umpire import (
    BERKELEY,
    CINCINNATI,
    RULES,
    UMD,
    WILD16,
    Captured,
    CheckDirection,
    End,
    Message,
    checks,
    message,
    opening,
    rising_is_long,
    rules_named,
)
from worldwise.kriegspiel.rules.view import PlayerView

TYPES = replace(WILD16, name="types", captured=Captured.TYPE)
EVERY_RULES = pytest.mark.parametrize("rules", RULES.values(), ids=RULES)


def played(text, *moves, rules=WILD16):
    game = Kriegspiel(rules)
    state = game.start(read_fen(text))
    for move in moves:
        state = game.play(state, read_uci(move, state.board.geometry))
    return state


def said(text, move, rules):
    return played(text, move, rules=rules).events[-1].message


# ---------------------------------------------------------------------- captures

CAPTURES = {
    "a pawn": ("4k3/8/8/3p4/4P3/8/8/4K3 w", "e4d5", "d5", "P"),
    "a knight": ("4k3/8/8/3n4/4P3/8/8/4K3 w", "e4d5", "d5", "N"),
    "a queen, by the king": ("k7/8/8/8/8/8/3q4/4K3 w", "e1d2", "d2", "Q"),
    "en passant": ("4k3/8/8/3pP3/8/8/8/4K3 w - d6", "e5d6", "d5", "P"),
    "en passant by Black": ("4k3/8/8/8/3pP3/8/8/4K3 b - e3", "d4e3", "e4", "P"),
    "and a promotion": ("1r2k3/P7/8/8/8/8/8/4K3 w", "a7b8n", "b8", "R"),
    "nothing": ("4k3/8/8/8/8/8/8/R3K3 w", "e1d2", None, ""),
}


@pytest.mark.parametrize("name", CAPTURES)
def test_what_is_said_of_captures(name):
    text, move, square, piece = CAPTURES[name]
    kind = {"": "", "P": "pawn"}.get(piece, "piece")
    told = {WILD16: kind, BERKELEY: "", CINCINNATI: kind, UMD: "", TYPES: piece}
    for rules, word in told.items():
        answer = said(text, move, rules)
        assert (answer.taken, answer.piece) == (CHESS.square(square) if square else None, word)


# ---------------------------------------------------------------------- checks

CHECKS = {
    "Q3k3/8/8/8/8/8/8/4K3 b": [CheckDirection.RANK],
    "4k2R/8/8/8/8/8/8/4K3 b": [CheckDirection.RANK],
    "4k3/8/8/4R3/8/8/8/3K4 b": [CheckDirection.FILE],
    "4k3/4Q3/8/8/8/8/8/3K4 b": [CheckDirection.FILE],
    "4k3/8/8/8/B7/8/8/4K3 b": [CheckDirection.LONG],
    "4k3/3P4/8/8/8/8/8/4K3 b": [CheckDirection.LONG],
    "4k3/8/8/7B/8/8/8/4K3 b": [CheckDirection.SHORT],
    "4k3/5P2/8/8/8/8/8/4K3 b": [CheckDirection.SHORT],
    "4k3/8/5N2/8/8/8/8/4K3 b": [CheckDirection.KNIGHT],
    "4k3/8/3N4/8/8/8/8/4K3 b": [CheckDirection.KNIGHT],
    "4k2R/8/8/8/4R3/8/8/3K4 b": [CheckDirection.RANK, CheckDirection.FILE],
    "4k2R/8/5N2/8/8/8/8/4K3 b": [CheckDirection.RANK, CheckDirection.KNIGHT],
    "4k3/8/5N2/8/B7/8/8/4K3 b": [CheckDirection.LONG, CheckDirection.KNIGHT],
    "4k3/8/8/7Q/B7/8/8/4K3 b": [CheckDirection.LONG, CheckDirection.SHORT],
    "4k3/8/8/8/8/8/1q6/K7 w": [CheckDirection.LONG],
    "4k3/8/8/8/8/8/6p1/7K w": [CheckDirection.LONG],
    "4k3/8/8/8/8/6b1/8/4K3 w": [CheckDirection.SHORT],
    "4k3/8/8/8/8/8/8/4K3 w": [],
}


@pytest.mark.parametrize("text", CHECKS)
def test_where_checks_come_from(text):
    board = read_fen(text)
    split = tuple(CHECKS[text])
    joined = {
        CheckDirection.DIAGONAL if check in (CheckDirection.LONG, CheckDirection.SHORT) else check for check in split
    }
    for rules in (WILD16, BERKELEY, CINCINNATI):
        assert checks(board, rules) == split
    assert checks(board, UMD) == tuple(check for check in CheckDirection if check in joined)


def test_a_double_check_is_heard_by_both():
    state = played("4k3/8/8/8/4N3/8/8/K3R3 w", "e4f6")
    assert state.events[-1].message.checks == (CheckDirection.FILE, CheckDirection.KNIGHT)
    for player in PLAYERS:
        assert Kriegspiel().observe(state, player).events[-1].message.checks == (
            CheckDirection.FILE,
            CheckDirection.KNIGHT,
        )


@pytest.mark.parametrize("king", range(64), ids=CHESS.name)
def test_the_long_diagonal_is_the_longer_one(king):
    file, rank = CHESS.place(king)
    rising_long = (file < 4) == (rank < 4)
    assert rising_is_long(CHESS, king) is rising_long
    for step in ((1, 1), (-1, -1), (1, -1), (-1, 1)):
        bishop = CHESS.shift(king, step)
        if bishop is not None:
            pieces = "".join("k" if at == king else "B" if at == bishop else "." for at in range(64))
            expected = CheckDirection.LONG if (step[0] == step[1]) is rising_long else CheckDirection.SHORT
            assert checks(ChessBoard(pieces, BLACK), WILD16) == (expected,)
            ways = (CHESS.rays(king, (way,)) for way in ((1, 1), (-1, -1), (1, -1), (-1, 1)))
            up, down, fall, rise = (len(ray[0]) if ray else 0 for ray in ways)
            assert (up + down > fall + rise) is rising_long


def test_diagonals_of_boards_that_have_no_longer_one():
    assert rising_is_long(Geometry(5, 5), 12)


# ---------------------------------------------------------------------- pawn tries

PAWNS = {
    "none": ("4k3/8/8/8/4P3/8/8/4K3 w", 0),
    "two": ("4k3/8/8/3p1p2/4P3/8/8/4K3 w", 2),
    "two pawns on one square": ("4k3/8/8/4p3/3P1P2/8/8/4K3 w", 2),
    "a promotion is one": ("1r2k3/P7/8/8/8/8/8/4K3 w", 1),
    "two promotions": ("r1r1k3/1P6/8/8/8/8/8/4K3 w", 2),
    "en passant": ("4k3/8/8/3pP3/8/8/8/4K3 w - d6", 1),
    "en passant from both sides": ("4k3/8/8/2PpP3/8/8/8/4K3 w - d6", 2),
    "pinned on the file": ("4r2k/8/8/3p1p2/4P3/8/8/4K3 w", 0),
    "pinned on the diagonal, but takes the pinner": ("4k3/8/8/8/1b1p4/2P5/8/4K3 w", 1),
    "en passant, pinned on the rank": ("8/8/8/K2pP2r/8/8/8/4k3 w - d6", 0),
    "in check, and the checker can be taken": ("4k3/8/8/8/8/5n2/4P1P1/4K3 w", 2),
    "in check, and the capture does not help": ("4k3/8/4r3/2p5/3P4/8/8/4K3 w", 0),
    "Black's": ("4k3/8/4p3/3P1P2/8/8/8/4K3 b", 2),
}


@pytest.mark.parametrize("name", PAWNS)
def test_what_is_said_of_pawns(name):
    text, count = PAWNS[name]
    board = read_fen(text)
    told = {rules.name: opening(board, rules).tries for rules in RULES.values()}
    assert told == {"wild16": count, "berkeley": None, "cincinnati": count > 0, "umd": None}
    assert type(told["cincinnati"]) is bool


def test_pawn_tries_are_about_the_player_to_move_next():
    assert said("4k3/8/3p4/8/4P3/8/8/4K3 w", "e4e5", WILD16).tries == 1
    assert said("4k3/2p5/8/3P4/8/8/8/4K3 b", "c7c5", WILD16).tries == 1


def test_a_pinned_en_passant_is_tried_only_if_pawns_are_not_spoken_of():
    text, move = "8/8/8/K2pP2r/8/8/8/4k3 w - d6", ChessMove(CHESS.square("e5"), CHESS.square("d6"))
    for rules in RULES.values():
        game = Kriegspiel(rules)
        state = game.start(read_fen(text))
        assert (move in game.moves(state)) is (state.pawn_tries is None)
        if move in game.moves(state):
            assert game.play(state, move).events[-1].is_refusal


# ---------------------------------------------------------------------- what may be tried

OWN_PIECES = {
    "an opening": "rnbqkbnr/pppppppp/8/8/3PP3/5N2/PPP2PPP/RNBQKB1R w KQ",
    "castling both ways": "4k3/8/8/8/2P5/1P4P1/P2PPP1P/R3K2R w KQ",
    "pawns far ahead": "4k3/8/1P6/3P1P2/8/2N5/6PP/R5K1 w",
    "Black's": "r3k2r/p1p2p1p/1p2p3/3n4/8/8/8/4K3 b kq",
}
ENEMIES = "PPPPPNBRQ"


def hidden_board(own, colour, castling, rng):
    """A board with these pieces of one player, and the other's anywhere; None if it is impossible."""
    pieces = list(own)
    free = [square for square, piece in enumerate(pieces) if piece == "."]
    for kind in ("K", *rng.sample(ENEMIES, rng.randint(0, 8))):
        square = rng.choice(free)
        free.remove(square)
        pieces[square] = colour.other.piece(kind) if kind != "P" or 8 <= square < 56 else "."
    board = ChessBoard("".join(pieces), colour, castling, _passed("".join(pieces), colour, rng))
    return board if not board.checkers(colour.other) and board.legal_moves else None


def _passed(pieces, colour, rng):
    """Sometimes, a square that an enemy pawn may just have passed."""
    if rng.random() < 0.7:
        return None
    text = fen(ChessBoard(pieces, colour))
    squares = [f"{file}{'63'[colour]}" for file in "abcdefgh"]
    rng.shuffle(squares)
    for square in squares[:3]:
        try:
            return read_fen(text.replace(" - - ", f" - {square} ")).en_passant
        except InputError:
            continue
    return None


@pytest.mark.parametrize("name", OWN_PIECES)
def test_what_may_be_tried_depends_on_the_players_own_view_alone(name):
    first, rng = read_fen(OWN_PIECES[name]), Random(name)
    colour, own = first.turn, PlayerView.of(first, first.turn)
    lists, seen = {}, Counter()
    boards = set()
    while min(seen[False], seen[True]) < 1000:
        board = hidden_board(own.pieces, colour, own.castling, rng)
        some = board is not None and bool(board.pawn_captures)
        if board is None or board in boards or seen[some] >= 1000:
            continue
        boards.add(board)
        seen[some] += 1
        for rules in (WILD16, BERKELEY, CINCINNATI):
            game = Kriegspiel(rules)
            state = game.start(board)
            if game.to_move(state) is not None:
                tries = game.moves(state)
                assert set(board.legal_moves) <= set(tries)
                assert lists.setdefault((rules, state.pawn_tries), tries) == tries
                assert state.view(colour) == replace(own, pawn_tries=state.pawn_tries)
    assert {key for key in lists if key[0] is BERKELEY} == {(BERKELEY, None)}
    assert lists[WILD16, 1] == lists[BERKELEY, None] == lists[CINCINNATI, True]
    assert set(lists[WILD16, 0]) < set(lists[WILD16, 1])


def test_a_refused_try_is_not_to_be_repeated_in_this_turn():
    game = Kriegspiel()
    first = game.start(read_fen("4k3/8/8/8/4p3/8/4P3/4K3 w"))
    double = read_uci("e2e4")
    state = game.play(first, double)
    assert state.events[-1].is_refusal
    assert set(game.moves(first)) - set(game.moves(state)) == {double}
    assert state.board == first.board
    with pytest.raises(InputError, match=r"^expected one of white's tries, found e2e4$"):
        game.play(state, double)
    later = game.play(game.play(state, read_uci("e1d2")), read_uci("e8d8"))
    assert double in game.moves(later)


@EVERY_RULES
def test_refusals_are_heard_if_the_rules_say_so(rules):
    game = Kriegspiel(rules)
    first = game.start(read_fen("4k3/8/8/8/4p3/8/4P3/4K3 w"))
    state = game.play(first, read_uci("e2e4"))
    own, other = game.observe(state, WHITE), game.observe(state, BLACK)
    assert (own.events, own.view.refused) == (state.events, {read_uci("e2e4")})
    assert other.view == game.observe(first, BLACK).view
    assert [(event.colour, event.move) for event in other.events] == [(WHITE, None)] * rules.refusals_heard
    assert (other == game.observe(first, BLACK)) is not rules.refusals_heard


def test_what_was_said_before_the_first_move_is_remembered():
    game = Kriegspiel()
    state = game.play(game.start(read_fen("4k3/8/8/3p4/4P3/8/8/4K3 w")), read_uci("e1d1"))
    assert all(game.observe(state, player).opening == Message(tries=1) for player in PLAYERS)


# ---------------------------------------------------------------------- the end


def test_mate():
    state = played(fen(START), "f2f3", "e7e5", "g2g4", "d8h4")
    game = Kriegspiel()
    assert (state.end, game.to_move(state)) == (End.MATE, None)
    assert state.events[-1].message == Message(checks=(CheckDirection.SHORT,), end=End.MATE)
    assert [game.payoff(state, player) for player in PLAYERS] == [-1, 1]
    with pytest.raises(InputError, match=r"^expected no try after the end \(mate\), found e1f2$"):
        game.play(state, read_uci("e1f2"))


ENDS = {
    "stalemate": ("7k/8/6K1/5Q2/8/8/8/8 w", "f5f7", End.STALEMATE),
    "mate": ("7k/8/6K1/5Q2/8/8/8/8 w", "f5f8", End.MATE),
    "dead: two kings": ("4k3/8/8/8/8/8/4p3/4K3 w", "e1e2", End.DEAD),
    "dead: a knight": ("4k3/8/8/8/8/8/4p3/4K2N w", "e1e2", End.DEAD),
    "dead: bishops on one colour": ("4k3/8/8/8/8/b7/4p3/2B1K3 w", "e1e2", End.DEAD),
    "bishops on two colours": ("4k3/8/8/8/8/b7/4p3/3BK3 w", "e1e2", None),
    "two knights": ("4k3/8/8/8/8/8/4p3/4K1NN w", "e1e2", None),
    "a pawn": ("4k3/8/8/8/8/P7/4p3/4K3 w", "e1e2", None),
}


@EVERY_RULES
@pytest.mark.parametrize("name", ENDS)
def test_ends_that_the_board_shows(name, rules):
    text, move, end = ENDS[name]
    state = played(text, move, rules=rules)
    assert (state.end, state.events[-1].message.end) == (end, end)
    assert (state.events[-1].message.tries is None) is (end is not None or rules in (BERKELEY, UMD))
    total = sum(Kriegspiel(rules).payoff(state, player) for player in PLAYERS)
    assert total == 0


@EVERY_RULES
def test_fifty_moves(rules):
    quiet = "4k3/8/8/8/8/8/8/R3K3 w - - 98 80"
    expected = None if rules is BERKELEY else End.FIFTY
    assert played(quiet, "a1a2", rules=rules).end is None
    assert played(quiet, "a1a2", "e8e7", rules=rules).end is expected
    assert played("6k1/5ppp/8/8/8/8/8/R3K3 w - - 99 80", "a1a8", rules=rules).end is End.MATE
    assert played("4k3/8/8/8/8/8/P7/R3K3 w - - 99 80", "a2a3", rules=rules).end is None


SHUFFLE = ("g1f3", "g8f6", "f3g1", "f6g8")


@EVERY_RULES
def test_repetition(rules):
    assert played(fen(START), *SHUFFLE, *SHUFFLE[:3], rules=rules).end is None
    state = played(fen(START), *SHUFFLE, *SHUFFLE, rules=rules)
    assert state.end is (None if rules is BERKELEY else End.REPETITION)
    assert state.events[-1].message.end is state.end


def test_a_position_is_another_if_castling_or_en_passant_was_possible():
    shuffle = ("e1e2", "e8e7", "e2e1", "e7e8")
    castling = "4k3/8/8/8/8/8/8/4K2R w K"
    assert played(castling, *shuffle, *shuffle).end is None
    assert played(castling, *shuffle, *shuffle, *shuffle[:1]).end is End.REPETITION
    walk = ("a5a6", "e8e7", "a6a5", "e7e8")
    assert played("4k3/3p4/8/K3P3/8/8/8/8 b", "d7d5", *walk, *walk).end is None
    assert played("4k3/3p4/8/K3P2r/8/8/8/8 b", "d7d5", *walk, *walk).end is End.REPETITION


def test_limits_of_plies():
    pns06 = replace(WILD16, ply_limit=6, quiet_limit=3)
    moves = ("g1f3", "e7e5", "f3g1", "g8f6")
    state = played(fen(START), *moves, rules=pns06)
    assert state.end is None
    assert played(fen(START), *moves, "g1f3", rules=pns06).end is End.QUIET
    assert played(fen(START), *moves, "e2e4", "f6e4", rules=pns06).end is End.PLIES
    assert played(fen(START), "f2f3", "e7e5", "g2g4", "d8h4", rules=replace(pns06, ply_limit=4)).end is End.MATE


def test_a_first_board_may_be_the_last():
    game = Kriegspiel(starts=(read_fen("7k/5Q2/6K1/8/8/8/8/8 b"),))
    ((state, chance),) = game.deals()
    assert (state.end, chance, game.to_move(state)) == (End.STALEMATE, 1, None)


def test_rule_sets_have_names():
    assert [rules_named(name) for name in RULES] == list(RULES.values())
    with pytest.raises(InputError, match=r"^expected a rule set \(wild16, berkeley, cincinnati, umd\), found 'icc'$"):
        rules_named("icc")


def test_messages_on_small_boards():
    move = read_uci("b1c3", GARDNER.geometry)
    assert message(GARDNER, move, GARDNER.after(move), WILD16) == Message(tries=2)
