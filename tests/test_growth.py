"""Every reader is linear in its input, whatever that is full of.

Each filling stands alone and at several places of a valid text; four times as much of it may take four times as long.
"""

import re
from functools import partial
from pathlib import Path

import pytest

import worldwise
from fuzzed_readers import readers
from growth import grows_too_fast

READERS = {reader.name: reader for reader in readers()}
SIZE = 5_000
"""Bytes of the shorter text."""

FILLINGS = {
    "line ends": "\n",
    "old line ends": "\r",
    "Windows' line ends": "\r\n",
    "spaces": " ",
    "indented lines": "\n \n  ",
    "nothing": "\0",
    "letters": "a",
    "words": "ab ",
    "nines": "9",
    "numbers": "12 ",
    "decimals": ".5",
    "quotes": '"',
    "quoted": '"a" ',
    "escapes": '\\"',
    "backslashes": "\\",
    "open lists": "[",
    "open objects": "{",
    "open keys": '{"a":',
    "closing": "]}",
    "open brackets": "(",
    "in brackets": "(a)",
    "open tags": '[A "',
    "same tags": '[Board "1"]\n',
    "new tags": '[{number} "a"]\n',
    "lasting tags": '[T{number} "##a"]\n\n[Deal "#"]\n\n',
    "comments": "{a} ",
    "open comments": "{a ",
    "lines of comment": "# a\n",
    "notes": "=1= ",
    "strokes": "|",
    "open hands": "\nmd|",
    "spoilt hands": "\nmd ",
    "heads": "pn|a|",
    "calls": "mb|p|",
    "explanations": "(a)!",
    "explained": "an|a|",
    "played": "pc|SA|",
    "suits": "SA",
    "cards": "AKQ",
    "aces": "A",
    "addresses": "handviewer",
    "parameters": "&a=1",
    "commas": ",",
    "options": ",a=1",
    "colons": ":",
    "semicolons": ";",
    "signs": "-",
    "not": "!",
    "comparisons": "1<",
    "nested comparisons": "1<(",
    "sums": "1+",
    "shapes": "any 4333 + ",
    "hidden pieces": "k: *;",
    "places": "a1-h8 ",
    "slashes": "/",
    "ranks": "8/8/",
    "moves": "Nf3 ",
    "to and fro": " Nf3 Nf6 Ng1 Ng8 ",
    "refusals": "{(K:e2d3)}",
    "results": " * ",
    "leaves": 't "" 0 ',
    "nodes": 'p "" 1 {number} "" { "a" "b" } 0 ',
    "chances": '"a" 1/{number} ',
    "payoffs": "0, ",
    "keys": '"a": 1, ',
    "rows": '{"setting": {}, "seed": 0, "row": {}}\n',
    "exponents": "1e9",
    "names": "x.{number}.errors",
    "not ASCII": "é",
}  # fmt: skip


INSIDE = {
    "read_board": "part of a question",
    "read_boards": "opens the file of what is read as boards",
    "read_boards_asked_for": "part of a question",
    "read_claim": "part of a row of a review",
    "read_description": "a column of a bidding system",
    "read_efg": "opens the file of a game",
    "read_file": "opens a file of rows",
    "read_holdings": "part of a suit",
    "read_input": "standard input, whatever it is",
    "read_json_beginning": "what is left of a saved game",
    "read_line": "a line that somebody types, whatever it says",
    "read_lengths": "part of a suit with placed cards",
    "read_opponent": "a player of kriegspiel",
    "read_number": "an exact number of an option",
    "read_packed": "rows that come with the package",
    "read_pgn_beginning": "what is left of a saved game",
    "read_placement": "part of a FEN",
    "read_provenance": "the first line of rows",
    "read_row": "a line of rows",
    "read_run": "all rows of a file",
    "read_sets": "what a kernel answers",
    "read_shipped": "rows that come with the package",
    "read_source": "opens the file of what is read as boards",
    "read_vulnerability": "part of LIN",
    "read_whole_number": "part of a game by rule",
    "read_worlds": "part of a question",
}
"""Readers that the table has as parts of others, or that read nothing from outside."""


def test_every_reader_is_in_the_table():
    """A reader that nobody spoils anything for would escape."""
    sources = "".join(path.read_text("utf-8") for path in Path(worldwise.__file__).parent.rglob("*.py"))
    names = set(re.findall(r"^def (read_\w+)\(", sources, re.M))
    table = Path(readers.__code__.co_filename).read_text("utf-8")
    assert {name for name in names if not re.search(rf"\b{name}\b", table)} == set(INSIDE)


@pytest.mark.parametrize("name", READERS)
def test_what_is_spoilt_was_good(name):
    """Otherwise readers would be fuzzed no further than to their first complaint."""
    for text in READERS[name].corpus:
        READERS[name].read(text)


def fill(filling, size):
    """So much of a filling; in some every piece has a number of its own."""
    if "{number}" not in filling:
        return (filling * (size // len(filling) + 1)).encode()[:size]
    pieces = (filling.replace("{number}", str(number)) for number in range(2, size // len(filling) + 2))
    return "".join(pieces).encode()[:size]


def surround(before, filling, after, size):
    return before + fill(filling, size) + after


def places(corpus):
    """Before what and after what a filling stands: nothing, and the parts of a valid text."""
    text = min(corpus, key=len)
    cuts = {min(3, len(text)), len(text) // 2, len(text) - 1, len(text)}
    return [(b"", b""), *((text[:cut], text[cut:]) for cut in sorted(cuts))]


@pytest.mark.parametrize("name", READERS)
@pytest.mark.parametrize("filling", FILLINGS)
def test_reading_is_linear(name, filling):
    reader = READERS[name]
    for before, after in places(reader.corpus):
        make = partial(surround, before, FILLINGS[filling], after)
        ratio = grows_too_fast(reader.read, make, SIZE)
        assert ratio == 0, f"{name}: four times as many {filling} after {before!r}: {ratio:.1f} times as long"


@pytest.mark.parametrize("name", READERS)
def test_many_records_are_read_in_linear_time(name):
    reader = READERS[name]
    record = min(reader.corpus, key=len) + b"\n"
    ratio = grows_too_fast(reader.read, lambda size: record * (1 + size // len(record)), SIZE)
    assert ratio == 0, f"{name}: four times as many records: {ratio:.1f} times as long"
