"""Records of games: written and read again in every form, filtered without a leak, and refused if they contradict."""

import io
import json
import re
from dataclasses import replace
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from garbage import assert_refused_or_read_again
from kriegspiel_play import GARDNER, TINY, last_state, states
from worldwise.errors import InputError
from worldwise.kriegspiel.records.json import read_record_json, record_json
from worldwise.kriegspiel.records.pgn import heard_pgn, info, pgn
from worldwise.kriegspiel.records.pgn_reader import read_pgn
from worldwise.kriegspiel.records.record import Record, read_rules, replay, result_of, rules_line
from worldwise.kriegspiel.rules.board import START
from worldwise.kriegspiel.rules.fen import read_fen
from worldwise.kriegspiel.rules.game import PLAYERS, Event, Kriegspiel
from worldwise.kriegspiel.rules.squares import BLACK, CHESS, WHITE, read_uci, uci
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
    PawnTries,
    Rules,
)

MINE = Rules("mine", True, Captured.TYPE, False, PawnTries.ANY, False, True, 60, 20)
EVERY = [*RULES.values(), replace(WILD16, ply_limit=160, quiet_limit=50), MINE]
FIRST = [
    START,
    GARDNER,
    TINY,
    read_fen("r3k2r/1P4p1/8/3pP3/8/8/1p4P1/R3K2R w KQkq d6 3 20"),
    read_fen("k7/8/8/8/8/8/1R6/K7 b"),
]


def played(*tries, rules=WILD16, first=START):
    game = Kriegspiel(rules)
    state = game.start(first)
    for text in tries:
        state = game.play(state, read_uci(text, first.geometry))
    return state


def random_record(seed, rules=WILD16, first=START, most=60):
    state = last_state(Kriegspiel(rules, (first,)), Random(seed), most)
    return Record.of(state, rules, "Ann", "Bob", (("Date", "2024.02.29"), ("Seed", str(seed))))


records = st.builds(
    random_record, st.integers(0, 2**32), st.sampled_from(EVERY), st.sampled_from(FIRST), st.integers(0, 40)
)

# ---------------------------------------------------------------------- there and back


@given(records)
def test_every_form_gives_the_record_back(record):
    assert read_pgn(pgn(record)) == (record,)
    assert read_record_json(json.loads(json.dumps(record_json(record)))) == record
    state = replay(record)
    assert (state.events, state.first, state.end) == (record.events, record.first, record.end)


@pytest.mark.parametrize("rules", EVERY, ids=rules_line)
def test_whole_games_of_every_rule_set(rules):
    """To the end, which Berkeley's rules may put off for thousands of moves."""
    record = random_record(1, replace(rules, ply_limit=rules.ply_limit or 250), START, 10_000)
    assert record.end is not None
    assert record.result == result_of(replay(record)) != "*"
    assert read_pgn(pgn(record)) == (record,)
    assert read_record_json(record_json(record)) == record


def test_several_games_in_one_file():
    several = [random_record(seed, rules, most=seed) for seed, rules in enumerate(EVERY)]
    assert read_pgn("\n".join(map(pgn, several))) == tuple(several)
    assert read_pgn("") == ()


printable = st.text(st.characters(codec="utf-8").filter(str.isprintable))


@given(st.lists(printable, min_size=3, max_size=3))
def test_names_may_have_any_letters(names):
    white, black, event = names
    record = Record(white=white, black=black, tags=(("Event", event), ("Annotator", event)))
    if "?" not in names:
        assert read_pgn(pgn(record)) == (record,)


@given(st.sampled_from(EVERY), st.integers(0, 999) | st.none(), st.booleans())
def test_rules_in_a_line(rules, limit, fifty):
    changed = replace(rules, ply_limit=limit, fifty=fifty)
    assert read_rules(rules_line(changed)) == changed


def test_a_game_that_was_given_up_has_any_result():
    for result in ("1-0", "0-1", "1/2-1/2", "*"):
        record = replace(random_record(5, most=9), result=result)
        assert record.end is None
        assert read_pgn(pgn(record)) == (record,)
        assert read_record_json(record_json(record)) == record


# ---------------------------------------------------------------------- what stands there


def test_a_short_game():
    state = played("e2e4", "d7d5", "e4f5", "e4d5", "d8d5", "b1c3", "d5e5", rules=WILD16)
    record = Record.of(state, WILD16, "Ann", "Bob", (("Date", "2024.02.29"), ("Seed", "7")))
    assert (
        pgn(record)
        == """[Event "?"]
[Site "?"]
[Date "2024.02.29"]
[Round "?"]
[White "Ann"]
[Black "Bob"]
[Result "*"]
[Rules "wild16"]
[Seed "7"]

1. e4 {(K::P0)} 1... d5 {(K::P1)} 2. exd5 {(K:e4f5:Td5=pawn,P0)} 2... Qxd5
{(K::Td5=pawn,P0)} 3. Nc3 {(K::P0)} 3... Qe5+ {(K::CF,P0)} *
"""
    )
    assert heard_pgn(record, WHITE).split("\n\n")[1] == (
        "1. e4 {(K::P0)} 1... ?? {(K::P1)} 2. exd5 {(K:e4f5:Td5=pawn,P0)} 2... ??\n"
        "{(K::Td5=pawn,P0)} 3. Nc3 {(K::P0)} 3... ?? {(K::CF,P0)} *\n"
    )
    assert heard_pgn(record, BLACK).split("\n\n")[1] == (
        "1. ?? {(K::P0)} 1... d5 {(K::P1)} 2. ?? {(K::Td5=pawn,P0)} 2... Qxd5\n"
        "{(K::Td5=pawn,P0)} 3. ?? {(K::P0)} 3... Qe5+ {(K::CF,P0)} *\n"
    )
    assert "Seed" not in heard_pgn(record, WHITE)


def test_refusals_that_are_heard_are_counted():
    state = played("e2e4", "d7d5", "e4f5", "e4d5", "d8d5", "a2b3", rules=BERKELEY)
    record = Record.of(state, BERKELEY)
    assert pgn(record).endswith("2. exd5 {(K:e4f5:Td5)} 2... Qxd5 {(K::Td5)}\n{(K:a2b3)} *\n")
    assert heard_pgn(record, BLACK).endswith("2. ?? {(K:?:Td5)} 2... Qxd5 {(K::Td5)} {(K:?)} *\n")
    assert read_pgn(pgn(record)) == (record,)


def test_everything_the_umpire_says():
    several = (
        CheckDirection.RANK,
        CheckDirection.FILE,
        CheckDirection.LONG,
        CheckDirection.SHORT,
        CheckDirection.DIAGONAL,
        CheckDirection.KNIGHT,
    )
    assert info(Message(63, "Q", several, True), CHESS) == "Th8=Q,CR,CF,CL,CS,CD,CK,P+"
    assert info(Message(0, "", (), False, None), CHESS) == "Ta1,P-"
    assert [info(Message(end=end), CHESS) for end in End] == [
        "Emate",
        "Estalemate",
        "Edead",
        "Efifty",
        "Erepetition",
        "Equiet",
        "Eplies",
    ]
    assert info(Message(), CHESS) == ""


def test_a_game_to_the_end_says_how_it_ended():
    record = Record.of(played("f2f3", "e7e5", "g2g4", "d8h4"), WILD16)
    text = pgn(record)
    assert (record.result, record.end) == ("0-1", End.MATE)
    assert '[Termination "mate"]' in text
    assert text.endswith("2... Qh4# {(K::CS,Emate)} 0-1\n")


def test_other_peoples_pgn_is_read_without_our_comments():
    text = '[White "Ann"]\n; a remark\n%escape\n1.e4 $1 {good} e5 2. Nf3!? Nc6 3.Bb5 a6 4.0-0 {why not} 1/2-1/2'
    (record,) = read_pgn(text)
    assert [uci(event.move) for event in record.events] == ["e2e4", "e7e5", "g1f3", "b8c6", "f1b5", "a7a6", "e1g1"]
    assert (record.white, record.result, record.end) == ("Ann", "1/2-1/2", None)


def test_python_chess_reads_our_records():
    reader = pytest.importorskip("chess.pgn", reason="python-chess is a test oracle: pip install chess")
    for seed in range(8):
        record = random_record(seed, EVERY[seed % len(EVERY)], FIRST[3] if seed % 2 else START, 300)
        game = reader.read_game(io.StringIO(pgn(record)))
        made = [uci(event.move) for event in record.events if not event.is_refusal]
        assert game.errors == []
        assert [move.uci() for move in game.mainline_moves()] == made
        assert game.headers["Result"] == record.result


# ---------------------------------------------------------------------- what a player may read


@pytest.mark.parametrize("rules", EVERY, ids=rules_line)
def test_what_a_player_reads_follows_from_what_he_has_heard(rules):
    """Wherever two games are the same to a player, his records of them are the same text."""
    game = Kriegspiel(rules, (START, replace(START, pieces=START.pieces.replace("p", "."))))
    heard, same = {}, 0
    for seed in range(30):
        for state in states(game, Random(seed), 5):
            for player in PLAYERS:
                known = game.observe(state, player)
                text = heard_pgn(Record.of(state, rules, "Ann", "Bob", (("Seed", str(seed)),)), player)
                other, as_heard = heard.setdefault(known, (state, text))
                assert text == as_heard
                same += other != state
    assert same > 10


@pytest.mark.parametrize("rules", [WILD16, UMD], ids=rules_line)
def test_games_that_differ_only_in_what_a_player_cannot_know(rules):
    """The last try of the other player is exchanged for others that sound the same, deep in the game."""
    game, compared = Kriegspiel(rules), 0
    for seed in range(4):
        *_, state = states(game, Random(seed), 20 + 5 * seed)
        mover = game.to_move(state)
        sounds = {}
        for move in game.moves(state) if mover is not None else ():
            after = game.play(state, move)
            known, text = game.observe(after, mover.other), heard_pgn(Record.of(after, rules), mover.other)
            compared += known in sounds
            assert sounds.setdefault(known, text) == text
    assert compared > 50


def test_san_of_a_player_does_not_tell_of_pins():
    """One of two knights may be pinned: the umpire's Nc2 needs no file, the player's must have one all the same."""
    pinned, loose = (read_fen(f"{rook}/8/8/8/8/4N3/8/N3K3 w") for rook in ("4r1k1", "r5k1"))
    pinned, loose = (Record.of(played("a1c2", first=first), WILD16) for first in (pinned, loose))
    assert "1. Nc2 " in pgn(pinned)
    assert "1. Nac2 " in pgn(loose)
    assert "1. Nac2 " in heard_pgn(pinned, WHITE)
    assert heard_pgn(pinned, WHITE) == heard_pgn(loose, WHITE)
    assert '[Pieces "8/8/8/8/8/4N3/8/N3K3"]' in heard_pgn(pinned, WHITE)


# ---------------------------------------------------------------------- contradictions

TAGS = '[White "Ann"]\n'
CONTRADICTIONS = {
    "1. e4 {(K::P0)} 1... e4 *": "game 1: move 1, black: expected a legal move of black's, found 'e4'",
    "1. e4 {(K::P0)} 1... Nd4 *": "game 1: move 1, black: expected a legal move of black's, found 'Nd4'",
    "1. e4 {(K::P1)} *": "game 1: move 1, white: expected the umpire to say P0, found P1",
    "1. e4 {(K::)} *": "game 1: move 1, white: expected the umpire to say P0, found nothing",
    "1. e4 d5 2. exd5 {(K::P0)} *": "game 1: move 2, white: expected the umpire to say Td5=pawn,P0, found P0",
    "1. e4 d5 2. exd5 {(K::Te5=pawn,P0)} *": (
        "game 1: move 2, white: expected the umpire to say Td5=pawn,P0, found Te5=pawn,P0"
    ),
    "1. e4 e5 2. Qh5 {(K::CF,P0)} *": "game 1: move 2, white: expected the umpire to say P0, found CF,P0",
    "1. e4 {(K:d2d4:P0)} *": "game 1: move 1, white: expected d2d4 to be made, found it refused",
    "1. e4 {(K:d2d5:P0)} *": "game 1: move 1, white: expected one of white's tries, found d2d5",
    "1. e4 {(K:x:P0)} *": "game 1: move 1, white: expected a move such as e2e4 or e7e8q, found 'x'",
    "1. f3 e5 2. g4 Qh4# {(K::CS)} 0-1": ("game 1: move 2, black: expected the umpire to say CS,Emate, found CS"),
    "1. f3 e5 2. g4 Qh4# 1-0": "game 1: expected the result 0-1 (mate), found '1-0'",
    "1. f3 e5 2. g4 Qh4# 3. Kf2 *": "game 1: move 3, white: expected a legal move of white's, found 'Kf2'",
    "1. ?? {(K::P0)} *": (
        "game 1: move 1, white: expected the umpire's record, found a move that one player has not seen (??)"
    ),
    "1. e4 {(K:P0} *": "expected a comment such as (K:e2e4:Te5,P0) after a move, found '(K:P0'",
    "{(K::P0)} 1. e4 *": "expected a comment such as (K:e2e4:Te5,P0) after a move, found '(K::P0)'",
    "1. e4 {(K::P0)} {(K::P0)} *": "expected a comment such as (K:e2e4:Te5,P0) after a move, found '(K::P0)'",
    "1. e4 (1. d4) *": "line 2: expected tags, moves, comments and results, found '('",
    "1. e4 {(K::P0) *": "line 2: expected tags, moves, comments and results, found '{'",
    "1. e4 * 1. e4 Ke7 *": "game 2: move 1, black: expected a legal move of black's, found 'Ke7'",
    '[Rules "icc"] 1. e4 *': "game 1: unknown rule set 'icc'; known: wild16, berkeley, cincinnati, umd",
    '[Rules "wild16 fifty=perhaps"] 1. e4 *': (
        "game 1: expected rules such as 'wild16 ply_limit=160 fifty=no', found 'fifty=perhaps'"
    ),
    '[FEN "8/8 w"] *': "game 1: expected one king of each colour, found 0 of white's",
    '[Result "1-0"] 1. e4 0-1': "game 1: expected the result 1-0 of the tag after the moves, found 0-1",
    '[Result "2-0"] 1. e4': "game 1: expected a result (1-0, 0-1, 1/2-1/2, *), found '2-0'",
}


@pytest.mark.parametrize("text", CONTRADICTIONS)
def test_records_that_the_umpire_contradicts(text):
    with pytest.raises(InputError) as error:
        read_pgn(TAGS + text)
    assert str(error.value) == CONTRADICTIONS[text]


def changed(record, at, **changes):
    data = record_json(record)
    if at is None:
        return data | changes
    data["tries"][at] |= changes
    return data


def test_json_that_the_umpire_contradicts():
    record = Record.of(played("e2e4", "d7d5", "e4f5", "e4d5"), WILD16)
    answer = {"taken": "d5", "man": "pawn", "checks": [], "tries": 0, "end": None}
    wrong = [
        (changed(record, 0, by="black"), "move 1, white: expected a try of white's"),
        (changed(record, 0, move="e2e5"), "move 1, white: expected one of white's tries, found e2e5"),
        (changed(record, 0, move=None), "move 1, white: expected a try with by, move and answer"),
        (changed(record, 0, answer=None), "move 1, white: expected e2e4 to be made, found it refused"),
        (changed(record, 2, answer=answer), "move 2, white: expected e4f5 to be refused, found it made"),
        (
            changed(record, 3, answer=answer | {"taken": "e5"}),
            "move 2, white: expected the umpire to say {'taken': 'd5'",
        ),
        (changed(record, 3, answer=[]), "move 2, white: expected the umpire to say {'taken': 'd5'"),
        (changed(record, None, end="mate"), "expected the end to be None, found mate"),
        (changed(record, None, result="2-0"), "expected a result (1-0, 0-1, 1/2-1/2, *), found '2-0'"),
        (changed(record, None, white=3), "expected 'white' in a record to be a str, found 3"),
        (changed(record, None, tags={"Seed": 3}), "expected the tags of a record to be text, found {'Seed': 3}"),
        (changed(record, None, more=3), "expected a record with white, black, tags, rules, fen, tries, result, end"),
        (None, "expected a record with white, black, tags, rules, fen, tries, result, end, found None"),
    ]
    for data, text in wrong:
        with pytest.raises(InputError, match=f"^{re.escape(text)}"):
            read_record_json(data)


def test_records_that_are_replayed_and_contradict():
    record = Record.of(played("e2e4", "d7d5"), WILD16)
    first, second = record.events
    wrong = [
        ((second,), "move 1, white: expected a try of white's"),
        ((replace(first, move=None),), "move 1, white: expected a try of white's"),
        ((first, replace(second, message=Message(tries=2))), "move 1, black: expected the umpire to say Message("),
        ((first, replace(second, message=None)), "move 1, black: expected d7d5 to be made, found it refused"),
        ((Event(WHITE, read_uci("a2b3"), None),), "move 1, white: expected one of white's tries, found a2b3"),
    ]
    for events, text in wrong:
        with pytest.raises(InputError, match=f"^{re.escape(text)}"):
            replay(replace(record, events=events))
    with pytest.raises(InputError, match=r"^expected the end to be None, found mate$"):
        replay(replace(record, end=End.MATE))
    mate = Record.of(played("f2f3", "e7e5", "g2g4", "d8h4"), WILD16)
    with pytest.raises(InputError, match=r"^expected the result 0-1 \(mate\), found '1-0'$"):
        replay(replace(mate, result="1-0"))


@pytest.mark.parametrize("tags", [(("White", "Ann"),), (("two words", ""),), (("A", ""), ("A", "")), (("A", "\n"),)])
def test_tags_that_no_record_has(tags):
    with pytest.raises(InputError, match=r"^expected (a tag of one word|printable names and tags)"):
        Record(tags=tags)


@given(st.text() | st.text('[]{}()"\\;$%*:?KQRNBOx-+#=abcdefgh12345678 0/\n'))
def test_garbage_is_bad_input_and_nothing_else(text):
    assert_refused_or_read_again(read_pgn, file_of, text)


def file_of(records):
    """Games as they stand in a file, one after the other."""
    return "\n".join(map(pgn, records))


SHORT = [pgn(random_record(seed, CINCINNATI, most=8)) for seed in range(5)]


@given(st.data())
def test_a_spoilt_record_is_bad_input_or_a_record(data):
    text = data.draw(st.sampled_from(SHORT))
    at = data.draw(st.integers(0, len(text) - 1))
    spoilt = text[:at] + data.draw(st.text('abc12[]{}()":,KQ*-', max_size=2)) + text[at + 1 :]
    assert_refused_or_read_again(read_pgn, file_of, spoilt)


garbage = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.sampled_from(sorted(record_json(Record()))), inner),
)


@given(garbage)
def test_garbage_json_is_bad_input_and_nothing_else(data):
    for given_data in (data, record_json(Record()) | data if isinstance(data, dict) else data):
        assert_refused_or_read_again(read_record_json, record_json, given_data)


def test_a_game_without_end_is_not_played_again(monkeypatch):
    """Every try copies the tries before it: a file of a million would take hours."""
    monkeypatch.setattr("worldwise.kriegspiel.records.record.MOST_TRIES", 20)
    with pytest.raises(InputError, match=r"expected a game of at most 20 tries, found more"):
        read_pgn('[Rules "wild16 fifty=no repetition=no"]' + " Nf3 Nf6 Ng1 Ng8" * 6)
