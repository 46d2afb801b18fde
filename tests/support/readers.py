"""Every reader of text that comes from outside, with valid texts for it: what is fuzzed, and measured as it grows."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING
from unittest.mock import patch

from worldwise import catalog
from worldwise.bridge.files.any_format import boards_in, boards_text
from worldwise.bridge.files.bbo import hand_link, lin_link, read_link
from worldwise.bridge.files.lin import lin_text, read_lin, read_lin_hand
from worldwise.bridge.files.pbn import pbn_text, read_pbn
from worldwise.bridge.layouts.constraints import read_constraint
from worldwise.bridge.players import names as bridge_names
from worldwise.bridge.rules.auction import read_call
from worldwise.bridge.rules.contract import Contract
from worldwise.bridge.rules.deal import Deal, read_card
from worldwise.bridge.suit.rules import Suit
from worldwise.bridge.views.deal_json import boards_json
from worldwise.bridge.views.deal_text import auction_text, board_text
from worldwise.cli import game as game_options
from worldwise.cli.bridge import suit as suit_options
from worldwise.cli.main import _worlds_known
from worldwise.core.reading import decode_text, read_exact, read_json, read_real, read_whole
from worldwise.extensive.efg import efg_from_text, efg_text
from worldwise.extensive.efg_scan import scan
from worldwise.kriegspiel.players import names as kriegspiel_names
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
from worldwise.kriegspiel.rules.squares import WHITE, read_uci
from worldwise.kriegspiel.rules.umpire import WILD16
from worldwise.kriegspiel.rules.view import PlayerView
from worldwise.lab.papers import load
from worldwise.lab.plan import Plan
from worldwise.lab.results import read_results
from worldwise.runs.row_files import provenance
from worldwise.trees.notation import read_tree, write_tree

if TYPE_CHECKING:
    from collections.abc import Callable

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
        "lin": (_text(_read_lin), lin),
        "link": (_text(read_link), links),
        "boards": (_text(_read_boards), [*pbn, *lin, *links, *_files("txt")]),
        "deal": (_text(Deal.read), [str(board.deal) for board in _boards()]),
        "lin hand": (_text(read_lin_hand), ["SAK2HQDC10 9", "SAKQJT98765432"]),
        "contract": (_text(Contract.read), ["3NT by S", "4HX by W", "7SXX"]),
        "call": (_text(read_call), ["1NT", "pass", "XX", "redouble"]),
        "card": (_text(read_card), ["SA", "10d", "♥q"]),
        "constraint": (_text(_read_constraint), _CONSTRAINTS),
        "suit": (_text(_read_suit), ["AKQ9;32;-", "A10xx;Kx;QJ", "-;AQ2;x"]),
        "placed": (_text(_read_placed), ["K;J;3+;-", "-;QJ;2-4;0-13"]),
        "splits": (_text(suit_options._splits), ["0=1/2,3=0.25,4=1", "2=1"]),
        "entries": (_text(suit_options._entries), ["N=1,S=2", "N=inf"]),
        "bridge player": (_text(bridge_names.read_player), _BRIDGE_PLAYERS),
        "kriegspiel player": (_text(kriegspiel_names.read_player), _KRIEGSPIEL_PLAYERS),
        "tree": (_read_tree, [write_tree(catalog.tree(name)) for name in catalog.figure_names()]),
        "efg": (_text(_read_efg), [_game_text(name) for name in catalog.game_names()]),
        "efg, readable": (_text(_scan_efg), [_game_text(name) for name in catalog.game_names()]),
        "game by rule": (_text(_read_rule), ["imp-model:k=2,b=2,d=3,highest=10,seed=0", "three-partition:1,2,3"]),
        "known worlds": (_text(_read_known), ["1,2,3", "w1, w2"]),
        "knowledge": (_text(_read_knowledge), ["0", "5/9", "0.5", "1e-3"]),
        "fen": (_text(_read_fen), fens),
        "hidden": (_text(_read_hidden), ["8/7R/1K6/8/8/8/8/8 w|k: a8 b8 b7", "8/8/8/8/8/8/8/K7 w|k: a7-c8; q: - d8"]),
        "record": (_read_record, [json.dumps(record_json(_game()))]),
        "pgn": (_text(_read_pgn), [pgn(_game()), '[White "Ann"] 1. e4 {(K:e2d3,e2f3:P0)} e5 *']),
        "rules": (_text(read_rules), ["wild16", "berkeley ply_limit=160 fifty=no", "wild16 quiet_limit=none"]),
        "san": (_text(lambda text: read_san(START, text)), ["e4", "Nf3", "O-O", "exd5", "e8=Q"]),
        "try": (_text(lambda text: read_try(_VIEW, text)), ["e4", "e2-e4", "1. Nf3!", "O-O-O"]),
        "rows": (_read_rows, [_row_file()]),
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
_VIEW = PlayerView.of(START, WHITE, 0)


# ---------------------------------------------------------------------- what is read, and shown


def _text(read: Callable[[str], object]) -> Callable[[bytes], object]:
    return lambda content: read(decode_text(content))


def _read_pbn(text: str) -> object:
    found = read_pbn(text, "some.pbn")
    return found, [read_pbn(text, number=number) for number in (1, 7)], pbn_text(found)


def _read_lin(text: str) -> object:
    found = read_lin(text, "some.lin")
    return found, lin_text(found)


def _read_boards(text: str) -> object:
    """What can be read can be shown, and written in every form."""
    found = boards_in(text, "file")
    shown = [board_text(board, tricks=True) for board in found]
    shown += [auction_text(board.auction) for board in found if board.auction]
    return shown, boards_json(found), [boards_text(found, form) for form in ("pbn", "lin", "links")]


def _read_constraint(text: str) -> object:
    found = read_constraint(text)
    return str(found), found(catalog.deal("deals/discovery").board.deal), found.conjuncts


def _read_suit(text: str) -> object:
    north, south, gone = [*text.split(";", 2), "-", "-"][:3]
    return Suit.of(north, south, gone=gone)


def _read_placed(text: str) -> object:
    west, east, lengths, others = [*text.split(";", 3), "-", "-", "0+", "0+"][:4]
    return Suit.of("A9", "2", west=west, east=east, west_length=lengths, east_length=others)


def _read_tree(content: bytes) -> object:
    tree = read_tree(BytesIO(content))
    return write_tree(tree) if len(tree) < 1000 else tree


def _read_efg(text: str) -> object:
    game = efg_from_text(text, "some.efg")
    return efg_text(game) if len(game) < 1000 else game


def _scan_efg(text: str) -> object:
    return efg_from_text(text, scanner=scan)


def _read_rule(text: str) -> object:
    """A game of half a million nodes takes as long as it must, if that is what the rule asks for: such are refused."""
    with patch.object(game_options, "MOST_NODES", 50_000):
        return game_options.load_game(text)


def _read_known(text: str) -> object:
    return _worlds_known(catalog.tree("fb01/fig-18"), "1", text, 0)


def _read_knowledge(text: str) -> object:
    return _worlds_known(catalog.tree("fb01/fig-18"), text, None, 0)


def _read_fen(text: str) -> object:
    return fen(read_fen(text))


def _read_hidden(text: str) -> object:
    board, _, hidden = text.partition("|")
    return possible_boards(board, hidden)


def _read_record(content: bytes) -> object:
    return record_json(read_record_json(read_json(content)))


def _read_pgn(text: str) -> object:
    return [pgn(record) for record in read_pgn(text)]


def _read_rows(content: bytes) -> object:
    with TemporaryDirectory(dir=_memory()) as folder:
        (Path(folder) / _plan().file_name).write_bytes(content)
        found = read_results(_plan(), Path(folder))
        return found and (found.comparison, found.verdicts)


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
def _game() -> Record:
    game = Kriegspiel(WILD16)
    state = game.start(START)
    for move in ("e2e4", "d7d5", "e4d5", "d8d5", "b1c3", "d5e5"):
        state = game.play(state, read_uci(move))
    return Record.of(state, WILD16, "Ann", "Bob", (("Date", "2026.01.01"),))


@cache
def _plan() -> Plan:
    return Plan(load("fb01/fig-29"), "smoke")


def _row_file() -> str:
    measured = (_plan().task(pair) for pair in _plan().pairs)
    rows = ({"setting": dict(pair.setting), "seed": pair.number, "row": row} for pair, row in measured)
    return "".join(json.dumps(line) + "\n" for line in (provenance(_plan()), *rows))
