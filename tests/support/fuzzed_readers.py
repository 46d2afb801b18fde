"""Every reader of text that comes from outside, with valid texts for it: what is fuzzed, and measured as it grows."""

from __future__ import annotations

import json
import re
from collections import Counter
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, partial
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING
from unittest.mock import patch

from worldwise import catalog
from worldwise.bridge.advice.review import ReviewEffort
from worldwise.bridge.advice.review_rows import card_review_json, read_card_review
from worldwise.bridge.advice.review_summary import summarise
from worldwise.bridge.files.any_format import boards_in, boards_text
from worldwise.bridge.files.bbo import hand_link, lin_link, read_link
from worldwise.bridge.files.dds_list import read_dds_list
from worldwise.bridge.files.lin import read_cards, read_lin, read_lin_hand
from worldwise.bridge.files.lin_writer import lin_text
from worldwise.bridge.files.pbn import pbn_text, read_pbn
from worldwise.bridge.layouts.bidding_systems import BiddingSystem
from worldwise.bridge.layouts.constraints import read_constraint
from worldwise.bridge.layouts.meanings import read_explanation
from worldwise.bridge.match import BridgeMatch
from worldwise.bridge.match_run import BridgeMatchRun
from worldwise.bridge.players import names as bridge_names
from worldwise.bridge.players.session import read_you
from worldwise.bridge.players.simple import RandomPlayer
from worldwise.bridge.review_run import ReviewRun
from worldwise.bridge.rules.auction import Auction, read_call
from worldwise.bridge.rules.contract import Contract
from worldwise.bridge.rules.deal import SEATS, Deal, read_card, read_hand
from worldwise.bridge.suit.atlas.atlas import Atlas
from worldwise.bridge.suit.atlas.columns import AtlasFile, AtlasSection, pack
from worldwise.bridge.suit.atlas.combinations import WHOLE, Form
from worldwise.bridge.suit.atlas.finding import read_chances, read_length, read_shape
from worldwise.bridge.suit.atlas.players import Played, play
from worldwise.bridge.suit.atlas.solving import SolvedSuit, solve
from worldwise.bridge.suit.drill import DrillQuestion, read_play, read_seat_and_rank
from worldwise.bridge.suit.drill_reader import read_drill_card, read_wish
from worldwise.bridge.suit.first_lines import Starts
from worldwise.bridge.suit.line_trees import LineTree, line_tree, line_tree_json, read_line_json
from worldwise.bridge.suit.rules import NORTH, SOUTH, Suit, SuitMove
from worldwise.bridge.suit.solver import SuitSolver
from worldwise.bridge.suit.step_reader import read_first_step
from worldwise.bridge.views.deal_json import boards_json
from worldwise.bridge.views.deal_svg import board_svg
from worldwise.bridge.views.deal_text import auction_text, board_text
from worldwise.bridge.views.review_html import review_html
from worldwise.bridge.views.review_json import review_json
from worldwise.bridge.views.review_text import review_lines, review_table, summary_table
from worldwise.cli import game_sources
from worldwise.cli.any_game import SourcedMatch, SourcedMatchRun
from worldwise.cli.bridge import suit_options
from worldwise.cli.game import default_algorithm
from worldwise.cli.lab import read_seeds
from worldwise.cli.tree import worlds_known
from worldwise.core.reading import decode_text, read_duration, read_exact, read_json, read_real, read_whole
from worldwise.core.result import Limit
from worldwise.doors.ben_server import _board as read_ben_question
from worldwise.doors.fields import QuestionFields, expect_object
from worldwise.doors.questions import QUESTIONS
from worldwise.doors.suitc import SuitCCall
from worldwise.doors.table_protocol import (
    read_board_line,
    read_call_line,
    read_connect_line,
    read_hand_line,
    read_play_line,
    read_seat_line,
)
from worldwise.errors import InputError, WorldwiseError
from worldwise.extensive.efg import efg_from_text, efg_text
from worldwise.extensive.efg_scan import scan
from worldwise.extensive.judging import judge_solution, report_on
from worldwise.extensive.solving import solve_game
from worldwise.extensive.views.json import game_json, report_json, solution_json
from worldwise.extensive.views.svg import game_svg
from worldwise.extensive.views.text import game_text as game_outline
from worldwise.extensive.views.text import report_table, solution_table
from worldwise.kriegspiel.players import names as kriegspiel_names
from worldwise.kriegspiel.players.game_so_far import Opponent, StoredGame
from worldwise.kriegspiel.players.game_so_far_json import read_stored_json, stored_json
from worldwise.kriegspiel.players.player import Budget
from worldwise.kriegspiel.players.uci_engine import read_info
from worldwise.kriegspiel.records.game_text import game_text, read_game_text
from worldwise.kriegspiel.records.json import read_record_json, record_json
from worldwise.kriegspiel.records.pgn import pgn
from worldwise.kriegspiel.records.pgn_reader import read_pgn
from worldwise.kriegspiel.records.record import Record, read_rules
from worldwise.kriegspiel.records.san import read_san
from worldwise.kriegspiel.records.try_reader import read_try
from worldwise.kriegspiel.rules.board import START
from worldwise.kriegspiel.rules.fen import fen, read_fen
from worldwise.kriegspiel.rules.game import Kriegspiel
from worldwise.kriegspiel.rules.hidden_pieces import possible_boards
from worldwise.kriegspiel.rules.squares import BLACK, WHITE, read_uci
from worldwise.kriegspiel.rules.umpire import WILD16
from worldwise.kriegspiel.rules.view import PlayerView
from worldwise.kriegspiel.views.json import log_json
from worldwise.lab.papers import load
from worldwise.lab.plan import Plan
from worldwise.lab.results import read_results
from worldwise.lab.views.text import results_json, results_text
from worldwise.players import MatchSummary, game_player
from worldwise.runs.repair import repair_folder
from worldwise.runs.row_files import provenance, whole_lines
from worldwise.runs.row_lines import seal
from worldwise.trees.notation import read_tree, tree_from_dict, write_tree
from worldwise.trees.solving import judge
from worldwise.trees.views.results import comparison_table, result_json
from worldwise.trees.views.svg import tree_svg
from worldwise.trees.views.text import tree_text
from worldwise.web.fields import read_values
from worldwise.web.pages import PAGES

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

DATA = Path(__file__).parent.parent / "data"


@dataclass(frozen=True)
class Reader:
    """A reader, and what it is meant to read."""

    name: str
    read: Callable[[bytes], object]
    corpus: tuple[bytes, ...]


def readers() -> tuple[Reader, ...]:
    """All of them."""
    return tuple(
        Reader(name, read, tuple(text if isinstance(text, bytes) else text.encode() for text in corpus))
        for name, (read, corpus) in _table().items()
    )


@cache
def _table() -> dict[str, tuple[Callable[[bytes], object], list[str | bytes]]]:
    pbn = [*_files("pbn"), *map(_shipped, sorted(catalog.deals()))]
    lin = [*_files("lin"), lin_text(_boards())]
    links = [link(board) for board in _boards() for link in (hand_link, lin_link)]
    passant = "rnbqkbnr/pp1ppppp/8/2pP4/8/8/PPP1PPPP/RNBQKBNR w KQkq c6 0 3"
    fens = [fen(START), "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", "k1/2/1K b", passant]
    return {
        "pbn": (_text(_read_pbn), pbn),
        "pbn, one board": (_text(partial(read_pbn, number=1)), pbn),
        "pbn, strictly": (_text(partial(read_pbn, strict=True)), pbn),
        "lin": (_text(_read_lin), lin),
        "lin, strictly": (_text(partial(read_lin, strict=True)), lin),
        "link": (_text(read_link), links),
        "boards": (_text(_read_boards), [*pbn, *lin, *links, *_files("txt")]),
        "dds list": (_text(_read_dds_list), [_DDS_LIST]),
        "hand": (_text(read_hand), ["AK2.Q.-.T98", "A10...", "-"]),
        "auction": (_text(_read_auction), ["N: 1NT Pass 3NT AP", "E: 1C X XX 1D all pass"]),
        "deal": (_text(Deal.read), [str(board.deal) for board in _boards()]),
        "lin hand": (_text(read_lin_hand), ["SAK2HQDC10 9", "SAKQJT98765432"]),
        "contract": (_text(Contract.read), ["3NT by S", "4HX by W", "7SXX by N"]),
        "call": (_text(read_call), ["1NT", "pass", "XX", "redouble"]),
        "card": (_text(read_card), ["SA", "10d", "♥q"]),
        "constraint": (_text(_read_constraint), _CONSTRAINTS),
        "bidding system": (_text(_read_system), _SYSTEMS),
        "explanation of a call": (_text(read_explanation), _EXPLANATIONS),
        "suit": (_text(_read_suit), ["AKQ9;32;-", "A10xx;Kx;QJ", "-;AQ2;x"]),
        "placed": (_text(_read_placed), ["K;J;3+;0+", "-;QJ;2-4;0-9"]),
        "splits": (_text(suit_options.read_splits), ["0=1/2,3=0.25,4=1", "2=1"]),
        "entries": (_text(suit_options.read_entries), ["N=1,S=2", "N=inf"]),
        "seat of a person": (_text(lambda text: read_you(text, SEATS[0])), ["declarer", "n", "none", "West"]),
        "first play": (_text(_read_first_play), ["NA", "lead the 3 from South", "n10"]),
        "drill": (_text(_read_drill), ["N9", "a low card from South", "the ten", "take back", "hint"]),
        "line": (_read_line, [json.dumps(line_tree(SuitSolver(_SMALL).line(2)))]),
        "line with its suit": (_read_whole_line, [_whole_line()]),
        "suit's options": (_text(_read_suit_options), ["AQ9;32;8;5;KJ;0=1/2,2=1/2;honest", "A10;Kx;13;13;-;1=1;best"]),
        "first step": (_text(_read_first_step), ["finesse the nine", "NA", "low to the ace", "run the jack", "S2"]),
        "question": (_read_question, _QUESTIONS),
        "SuitC": (_text(SuitCCall.read), ["-F1 -u -ls1 KT63 972 AQJ854", "-wv5 -wm1 -WK -Le AQ 32 KJT9", "-M AQ . KJ"]),
        "BEN's question": (_text(_read_ben_question), _BEN_QUESTIONS),
        "table manager's line": (_text(_read_table_line), _TABLE_LINES),
        "atlas": (_text(SolvedSuit.read), [str(solve(_SMALL))]),
        "atlas, played": (_text(Played.read), [str(play(_SMALL))]),
        "atlas's file": (_read_atlas, [_small_atlas()]),
        "atlas's suits": (_text(_read_wanted), ["8;4-4;45..55", "7..9;5-0;50 %"]),
        "reviewed card": (_read_reviewed, _reviewed()),
        "review": (_read_review, [_sealed_rows(_review_rows().encode())]),
        "review, sealed anew": (_read_review_anew, [_review_rows()]),
        "bridge player": (_text(bridge_names.read_player), _BRIDGE_PLAYERS),
        "kriegspiel player": (_text(kriegspiel_names.read_player), _KRIEGSPIEL_PLAYERS),
        "tree": (_read_tree, [*_tree_texts(), _NAMED]),
        "tree of dicts": (lambda content: tree_from_dict(read_json(content)), _DICTS),
        "tree, solved": (_solve_tree, [*_tree_texts(), _NAMED]),
        "efg": (_text(_read_efg), [*map(_game_text, catalog.game_names()), _NUMBERED]),
        "efg, solved": (_text(_solve_efg), [*map(_game_text, catalog.game_names()), _NUMBERED]),
        "efg, readable": (_text(_scan_efg), [_game_text(name) for name in catalog.game_names()]),
        "game by rule": (_text(_read_rule), _RULES),
        "known worlds": (_text(_read_known), ["1,2,3", "w1, w2"]),
        "knowledge": (_text(_read_knowledge), ["0", "1/2", "0.5", "1e0"]),
        "fen": (_text(_read_fen), fens),
        "hidden": (_text(_read_hidden), ["8/7R/1K6/8/8/8/8/8 w|k: a8 b8 b7", "8/8/8/8/8/8/8/K7 w|k: a7-c8; q: - d8"]),
        "record": (_read_record, [json.dumps(record_json(_game()))]),
        "pgn": (_text(_read_pgn), [pgn(_game()), pgn(_game("e2e4", "e7e5", "f1b5", "d7d6", "a7a6"))]),
        "saved game": (_text(partial(read_game_text, as_json=False)), _saved(as_json=False)),
        "saved game, JSON": (_text(partial(read_game_text, as_json=True)), _saved(as_json=True)),
        "game of the page": (_read_stored, [json.dumps(stored_json(_stored()))]),
        "rules": (_text(read_rules), ["wild16", "berkeley ply_limit=160 fifty=no", "wild16 quiet_limit=none"]),
        "san": (_text(lambda text: read_san(START, text)), ["e4", "Nf3", "Na3+", "h3!?"]),
        "try": (_text(lambda text: read_try(_VIEW, text)), ["e4", "e2-e4", "1. Nf3!", "a2a4"]),
        "rows": (_read_rows, [_unsealed_rows()]),
        "rows, sealed": (_read_rows, [_sealed_rows(_unsealed_rows(2).encode())]),
        "rows, sealed anew": (_read_sealed_anew, [_unsealed_rows(2)]),
        "rows, repaired": (_repair_rows, [_sealed_rows(_unsealed_rows(2).encode()), _unsealed_rows()]),
        "games of a match": (_read_match, [_sealed_rows(_match_rows().encode()), _match_rows(1)]),
        "deals of any game": (_read_deals, [_sealed_rows(_deal_rows().encode())]),
        "deals of any game, sealed anew": (lambda content: _read_deals(_sealed_rows(content)), [_deal_rows()]),
        "chess engine": (_text(read_info), ["info depth 5 score cp 31 pv e2e4 e7e5", "info score mate -2 pv a2a1q"]),
        "game player": (_text(game_player), ["alphamu:depth=2,worlds=8", "overconfident:depth=2", "is-mcts"]),
        "inputs of the page": (_read_inputs, _INPUTS),
        "seeds": (_text(read_seeds), ["0", "0,1,2"]),
        "duration": (_text(read_duration), ["90s", "30m", "1.5h"]),
        "json": (read_json, ['{"a": [1, 0.5, null, true], "b": {"c": "d"}}']),
        "whole number": (_text(read_whole), ["40", "-3"]),
        "exact number": (_text(read_exact), ["1/3", "0.25", "1e-9", "3"]),
        "real number": (_text(read_real), ["0.25", "1e-9", "3"]),
    }  # fmt: skip


_CONSTRAINTS: list[str | bytes] = [
    "hcp(west) >= 12 && hcp(west) <= 14 # weak",
    "shape(north, any 4333 + 5xxx - 54xx) || !(spades(e) + hearts(e) > 7)",
    "12 <= hcp(n) + controls(s, clubs) * 2 and hascard(w, AS) = 1",
    "((-losers(east)) < -(6)) or not top3(south, hearts) == 2",
]
_BRIDGE_PLAYERS: list[str | bytes] = [
    "pimc:worlds=40,aim=tricks,constraints=hcp(west) >= 12; spades(west) >= 5",
    "alphamu:worlds=20,depth=2,threads=1",
    "dds",
    "random",
]
_KRIEGSPIEL_PLAYERS: list[str | bytes] = [
    "overconfident:2,pool=1000,mates=on,leaf=material",
    "mixed:2,0.3,again=1e-5,refill=off",
    "greedy:boards=50",
    "rand",
]
_INPUTS: list[str | bytes] = [
    '{"path": "suit", "north": "AQ", "south": "32", "ruffs": 1}',
    '{"path": "kriegspiel/start", "player": "rand", "seconds": "0.5", "seed": 7}',
    '{"path": "tree/own", "text": "EFG 2 R", "algorithm": "exact"}',
]
_DDS_LIST = f"""NUMBER 2
PBN 0 0 4 0 "N:A2... K3... Q4... J5..."
FUT 2 0 0 2 1 14 2 0 0 0 0
TABLE {"1 " * 20}
PAR "NS 110" "EW -110" "NS:NS 1N" "EW:NS 1N"
PBN 1 2 4 1 "N:A2... K3... Q4... J5..."
"""
_DICTS: list[str | bytes] = ['{"max": [{"min": [{"payoff": [1, 0]}, {"payoff": [0, null]}]}, {"payoff": [0.5, 1]}]}']
_NAMED = '{"worlds": 1, "world_names": ["1/2"], "root": {"max": [{"payoff": [1]}], "name": "0.5", "moves": ["1"]}}'
_RULES = ["imp-model:k=2,b=2,d=3,highest=10,seed=0", "three-partition:4,5,6,5,5,5", "clauses:1,-2;2,3"]
_NUMBERED = 'EFG 2 R "" { "1" } c "" 1 "2" { "1/2" 1/2 "0.5" 1/2 } 0 t "3" 1 "1" { 1 } t "4" 2 "2" { 0.25 }'
"""Names that are numbers, and might be taken for such."""

_MACHINE = {"platform": "", "cpus": 1, "python": ""}
_VIEW = PlayerView.of(START, WHITE, 0)
_SMALL = Suit.of("AQ", "32", gone="KJT987")
_PLACED = Suit.of("AQ", "32", gone="JT98", east="K", west_length="1+", splits={2: Fraction(1, 2), 3: Fraction(1, 2)})
_DRILL = DrillQuestion(SuitSolver(Suit.of("AKT9", "32")), 4)
_QUICK = Limit(seconds=0.2, nodes=500)
"""What is solved is solved in no time, or not at all."""


# ---------------------------------------------------------------------- what is read, and shown


def _text(read: Callable[[str], object]) -> Callable[[bytes], object]:
    return lambda content: read(decode_text(content))


def _read_pbn(text: str) -> object:
    found = read_pbn(text, "some.pbn")
    return found, pbn_text(found)


def _read_lin(text: str) -> object:
    found = read_lin(text, "some.lin")
    return found, lin_text(found)


def _read_dds_list(text: str) -> object:
    found = read_dds_list(text, "some.txt")
    return found, boards_in(text, "some.txt"), pbn_text(found)


def _read_boards(text: str) -> object:
    """What can be read can be shown, and written in every form."""
    found = boards_in(text, "file")
    shown = [board_text(board, tricks=True) for board in found]
    shown += [auction_text(board.auction) for board in found if board.auction]
    shown += [board_svg(board) for board in found]
    return shown, boards_json(found), [boards_text(found, form) for form in ("pbn", "lin", "links")]


def _read_auction(text: str) -> object:
    found = Auction.read(text)
    return str(found), auction_text(found)


_SYSTEMS = [
    "# Ours\n1NT | 15-17, balanced | sure | strong notrump\n... ?x, raise | 3+ x | likely",
    "(1x) 2y, y < x | 9-17, 5+ y; not 15-17, balanced | sure\n1NT (P) 2C | 8+; 4+ H or 4+ S | vague | Stayman",
    "1M (P) 4y, y < M | 9-16, 4+ M, 0-1 y | sure\n2C | 1 ace or 4 aces, 7+ longest | sure",
]
_EXPLANATIONS = ["NT style -- 2-6!C; 2-6!D; 2-5!H; 5=!S; 15-17 HCP", "5+ hearts, 11- pts, unbal", "4- ♠ 12+ points"]


def _read_system(text: str) -> object:
    found = BiddingSystem.read(text)
    calls = Auction.read("N: P 1S 2H 4C P 4NT P 5D AP").calls
    return [found.line_of(calls, place) for place in range(len(calls))]


def _read_constraint(text: str) -> object:
    found = read_constraint(text)
    return str(found), found(catalog.deal("deals/discovery").board.deal), found.conjuncts


def _read_suit(text: str) -> object:
    north, south, gone = [*text.split(";", 2), "-", "-"][:3]
    return Suit.of(north, south, gone=gone)


def _read_placed(text: str) -> object:
    west, east, lengths, others = [*text.split(";", 3), "-", "-", "0+", "0+"][:4]
    return Suit.of("A9", "2", west=west, east=east, west_length=lengths, east_length=others)


def _read_first_play(text: str) -> object:
    return read_play(text, Suit.of("AT", "3"), [SuitMove(NORTH, 14), SuitMove(NORTH, 10), SuitMove(SOUTH, 3)])


def _read_drill(text: str) -> object:
    return read_wish(text) or (read_seat_and_rank(text), read_drill_card(text, _DRILL.begin()))


def _read_line(content: bytes) -> object:
    return LineTree.read(_SMALL, read_json(content)).at_least


def _read_whole_line(content: bytes) -> object:
    return read_line_json(read_json(content)).at_least


def _read_suit_options(text: str) -> object:
    north, south, west, east, gone, splits, defence = [*text.split(";", 6), *[""] * 7][:7]
    places = read_whole(west, 0, 99), read_whole(east, 0, 99)
    return suit_options.read_suit(north, south, *places, gone, splits or None), suit_options.read_defence(defence)


def _read_first_step(text: str) -> object:
    return read_first_step(text, _starts())


@cache
def _starts() -> Starts:
    return Starts(SuitSolver(Suit.of("AJT9", "432")), 3)


@cache
def _small_atlas() -> bytes:
    suit = Suit.of("AQ", "32")
    form = Form.of(suit).canonical
    about = {
        "combinations": 1,
        "goals": 2,
        "denominator": WHOLE,
        "built": "2026-11-18",
        "version": "0.1.0",
        "how": "so",
    }
    return pack(about, {form.missing: AtlasSection.of([(form.code, solve(suit), play(suit))])})


def _read_atlas(content: bytes) -> object:
    with _file("atlas.npz", content) as path:
        atlas = Atlas(AtlasFile(path))
        return atlas.table.tolist(), atlas.goals.tolist()


def _read_question(content: bytes) -> object:
    """As another program asks it; what is read is not searched."""
    line = QuestionFields(expect_object(read_json(content)))
    asked = QuestionFields(expect_object(line.rest(["question"]).get("question")))
    search = QUESTIONS[line.one_of("ask", QUESTIONS, "dd")](asked, boards_in)
    asked.refuse_others()
    return search


_ENDING = {"deal": "N:AQ4... K53... 876... JT9...", "contract": "1NT by S", "cards": "SJ"}
_QUESTIONS: list[str | bytes] = [
    json.dumps({"ask": ask, "question": question})
    for ask, question in (
        ("advise", {**_ENDING, "worlds": 20, "nodes": 1000, "constraints": ["hcp(west) >= 1"], "aim": "tricks"}),
        ("values", {**_ENDING, "worlds": ["N:AQ4... K53... 876... JT9..."], "weights": [0.5], "depth": 2}),
        ("review", {**_ENDING, "seat": "declarer", "worlds": 20, "carding": "equal", "hear_auction": False}),
        (
            "dd",
            {"source": "pn|a,b,c,d|st||md|3SAKQHAKQDAKQCAKQ2,SJT9HJT9DJT9CJT98,S876H876D876C7654|sv|o|", "board": None},
        ),
        ("suit", {"north": "AQ", "south": "32", "west_length": "1-3", "ruffs": 1, "tricks": 2, "seconds": 1.5}),
    )
]


_BEN_QUESTIONS: list[str | bytes] = [
    "AKQJT98_AK_AK_AK|765_432_5432_432|S|S|@v@V|7S------|HQH2H5",
    "AKQ_JT9_876_5432||W|N||1NDbRd------|",
]


def _read_ben_question(text: str) -> object:
    hand, dummy, seat, dealer, vul, ctx, cards = [*text.split("|", 6), *[""] * 7][:7]
    return read_ben_question(hand, dummy, seat, dealer, vul, ctx).with_cards(read_cards(cards))


_TABLE_READERS = (
    read_board_line,
    read_hand_line,
    read_call_line,
    read_play_line,
    read_seat_line,
    read_connect_line,
)
_TABLE_LINES: list[str | bytes] = [
    "Board number 8. Dealer WEST. Neither vulnerable.",
    "North's cards : S A T 9 5. H K 6 5 2. D Q J 8 7 6. C -.",
    "EAST bids 2H Alert. spades",
    "North PASSES",
    "West plays ck",
    'WEST ("worldwise") seated',
    'Connecting "a" as ANYPL using protocol version 18',
]


def _read_table_line(text: str) -> object:
    """Whoever listens may be told any line at any time; one of them at least must understand what was not spoilt."""
    found = []
    for read in _TABLE_READERS:
        with suppress(InputError):
            found.append(read(text))
    if not found:
        raise InputError("expected a line of the table manager's protocol")
    return found


def _read_wanted(text: str) -> object:
    length, shape, chance = [*text.split(";", 2), "", ""][:3]
    return read_length(length), read_shape(shape), read_chances(chance)


def _read_reviewed(content: bytes) -> object:
    return card_review_json(read_card_review(read_json(content)))


def _read_review(content: bytes) -> object:
    """What can be read of a review can be shown, in every form."""
    with _file("review.jsonl", content) as path:
        found = _review().read_reviews(path)
    shown = [(review_json(one), review_table(one), list(review_lines(one))) for one in found]
    return shown, review_html(found), summary_table(summarise(found))


def _read_review_anew(content: bytes) -> object:
    return _read_review(_sealed_rows(content))


def _show(*shown: Callable[[], object]) -> list[object]:
    """What can be read can be shown, or is refused: as too large for a figure, for one."""
    found = []
    for show in shown:
        with suppress(WorldwiseError):
            found.append(show())
    return found


def _read_tree(content: bytes) -> object:
    tree = read_tree(BytesIO(content))
    if len(tree) >= 1000:
        return tree
    return _show(partial(write_tree, tree), partial(tree_text, tree), partial(tree_svg, tree))


def _solve_tree(content: bytes) -> object:
    tree = read_tree(BytesIO(content))
    found = judge(tree, limit=_QUICK)
    return found, [result_json(tree, verdict) for verdict in found], comparison_table(tree, found, "best defence")


def _read_efg(text: str) -> object:
    game = efg_from_text(text, "some.efg")
    if len(game) >= 1000:
        return game
    report = report_on(game)
    shown = (partial(show, game) for show in (efg_text, game_outline, game_json, game_svg))
    return _show(*shown, partial(report_table, report), partial(report_json, report))


def _solve_efg(text: str) -> object:
    game = efg_from_text(text, "some.efg")
    name = default_algorithm(game)
    found = judge_solution(game, name, solve_game(game, name, limit=_QUICK), _QUICK)
    return solution_table(found), solution_json(found), _show(partial(game_svg, game, found))


def _scan_efg(text: str) -> object:
    return efg_from_text(text, scanner=scan)


def _read_rule(text: str) -> object:
    """A game of half a million nodes takes as long as it must, if that is what the rule asks for: such are refused."""
    with patch.object(game_sources, "MOST_NODES", 50_000):
        return game_sources.load_game(text)


def _read_known(text: str) -> object:
    return worlds_known(catalog.tree("fb01/fig-18"), "1", text, 0)


def _read_knowledge(text: str) -> object:
    return worlds_known(catalog.tree("fb01/fig-18"), text, None, 0)


def _read_fen(text: str) -> object:
    return fen(read_fen(text))


def _read_hidden(text: str) -> object:
    board, _, hidden = text.partition("|")
    return possible_boards(board, hidden)


def _read_record(content: bytes) -> object:
    return record_json(read_record_json(read_json(content)))


def _read_pgn(text: str) -> object:
    return [pgn(record) for record in read_pgn(text)]


def _read_stored(content: bytes) -> object:
    stored = read_stored_json(read_json(content))
    return stored_json(stored), list(log_json(stored.session.state.events, stored.session.state.first.geometry))


@contextmanager
def _file(name: str, content: bytes) -> Iterator[Path]:
    with TemporaryDirectory(dir=_memory()) as folder:
        path = Path(folder) / name
        path.write_bytes(content)
        yield path


def _read_rows(content: bytes) -> object:
    with _file(_plan().file_name, content) as path:
        found = read_results(_plan(), path.parent)
        return found and (results_json(found), list(results_text(found, comparison=True)))


def _read_sealed_anew(content: bytes) -> object:
    """As if a forger had seen to the checksums: what they cover is checked all the same."""
    return _read_rows(_sealed_rows(content))


def _repair_rows(content: bytes) -> object:
    """Afterwards nothing is damaged, and nothing is lost."""
    with _file(_plan().file_name, content) as path:
        repaired = list(repair_folder(path.parent))
        again = list(repair_folder(path.parent))
        assert not any(repair.lines for repair in again), again
        kept = b"".join(file.read_bytes() for file in path.parent.iterdir())
        assert Counter(whole_lines(content)) <= Counter(kept.split(b"\n")), repaired
        return repaired


def _read_match(content: bytes) -> object:
    with _file("match.jsonl", content) as path:
        return _match().read_games(path)


def _read_deals(content: bytes) -> object:
    with _file("deals.jsonl", content) as path:
        return MatchSummary.of(_any_match().read_games(path))


def _read_inputs(content: bytes) -> object:
    given = read_json(content)
    if not isinstance(given, dict):
        raise InputError("expected an object")
    path = given.pop("path", None)
    found = [end for page in PAGES for end in page.endpoints if end.path.removeprefix("/api/") == path]
    return [read_values(end.fields, given) for end in found]


@cache
def _memory() -> str | None:
    """A folder without a disk behind it, if there is one: rows are written only to be read."""
    return "/dev/shm" if Path("/dev/shm").is_dir() else None


# ---------------------------------------------------------------------- valid texts


def _files(kind: str) -> list[bytes]:
    return [path.read_bytes() for path in sorted((DATA / "bridge").glob(f"*.{kind}"))]


def _shipped(name: str) -> str:
    return pbn_text([catalog.deal(name).board])


@cache
def _boards() -> tuple[object, ...]:
    found = boards_in(decode_text((DATA / "bridge" / "export.pbn").read_bytes()))
    return (*found.boards[:3], catalog.deal("deals/discovery").board)


def _game_text(name: str) -> str:
    return efg_text(catalog.game(name))


@cache
def _game(*moves: str) -> Record:
    """A game of some tries; those of a pinned pawn are refused."""
    game = Kriegspiel(WILD16)
    state = game.start(START)
    for move in moves or ("e2e4", "d7d5", "e4d5", "d8d5", "b1c3", "d5e5"):
        state = game.play(state, read_uci(move))
    return Record.of(state, WILD16, "Ann", "Bob", (("Date", "2026.01.01"),))


@cache
def _plan() -> Plan:
    return Plan(load("fb01/fig-29"), "smoke")


def _tree_texts() -> list[str]:
    return [write_tree(catalog.tree(name)) for name in catalog.figure_names()]


def _saved(as_json: bool) -> list[str | bytes]:
    """With a checksum, and without one, as older versions have saved it."""
    older = json.dumps(record_json(_game())) if as_json else pgn(_game())
    return [game_text(_game(), as_json=as_json), older]


def _stored() -> StoredGame:
    """A game on the page, after a move and its reply."""
    player = kriegspiel_names.read_player("rand")
    stored = StoredGame.of(Opponent("rand", player, BLACK, WILD16, 7, Budget(seconds=0.1), "game"))
    stored = stored.after(stored.session.move("e2e4"))
    while not stored.session.yours:
        stored = stored.reply()
    return stored


@cache
def _match() -> BridgeMatchRun:
    players = (RandomPlayer(), RandomPlayer(), RandomPlayer())
    return BridgeMatchRun(BridgeMatch(*players, Contract.read("1NT by S")), count=2)


@cache
def _any_match() -> SourcedMatchRun:
    return SourcedMatchRun(SourcedMatch("bmv96/fig-2-g2", "random", "random", None), 2)


@cache
def _deal_rows() -> str:
    return _rows_of(_any_match(), 2)


def _whole_line() -> str:
    return json.dumps(line_tree_json(SuitSolver(_PLACED, entries=(1, 2)).line(2)))


@cache
def _review() -> ReviewRun:
    """Of the last choices of a board, of which only declarer's hands are known."""
    guess = catalog.deal("deals/two-way-guess").board
    board = guess.with_cards((*guess.cards, read_card("SA")))
    return ReviewRun((board,), ReviewEffort(worlds=10, nodes=200), ((guess.play.turn,),))


def _reviewed() -> list[str | bytes]:
    rows = [json.loads(line)["row"]["review"] for line in _review_rows().splitlines()[1:]]
    return [rows[0], rows[-1]]


@cache
def _review_rows() -> str:
    return _rows_of(_review(), 2, last=2)


def _rows_of(run: Plan | BridgeMatchRun | ReviewRun | SourcedMatchRun, form: int, last: int = 0) -> str:
    """A file without checksums, as form 1 has it, or its last rows; on every machine and at any time the same."""
    first = {**provenance(run), "worldwise-lab": form, "machine": _MACHINE, "kernels": "", "started": ""}
    measured = (run.task(pair) for pair in run.pairs[-last:])
    rows = ({"setting": dict(pair.setting), "seed": pair.number, "row": row} for pair, row in measured)
    return "".join(json.dumps(line) + "\n" for line in (first, *rows))


@cache
def _unsealed_rows(form: int = 1) -> str:
    return _rows_of(_plan(), form)


@cache
def _match_rows(form: int = 2) -> str:
    text = _rows_of(_match(), form)
    return re.sub(r'("[a-z.]*seconds": )[^,}]*', r"\g<1>0.5", text)  # how long players have thought


def _sealed_rows(content: bytes) -> bytes:
    """Every line that is JSON with its checksum; others as they are."""
    lines = content.split(b"\n")
    for place, line in enumerate(lines):
        with suppress(ValueError, RecursionError, InputError):
            if isinstance(entry := read_json(line), dict):
                lines[place] = seal(entry).rstrip()
    return b"\n".join(lines)
