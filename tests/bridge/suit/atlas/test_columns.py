"""An atlas that somebody else made, or spoilt: one error, however it is packed and whatever it claims to hold."""

import io
import json
import zipfile

import numpy as np
import pytest

from worldwise.bridge.suit.atlas.atlas import SHIPPED, Atlas
from worldwise.bridge.suit.atlas.columns import ABOUT, AtlasFile
from worldwise.bridge.suit.rules import Suit
from worldwise.errors import InputError

SUIT = Suit.of("AKQJT9876", "43")
CHANCE, CODE = "02/chance.npy", "02/code.npy"


def parts():
    """Those of the suits that lack two cards."""
    with zipfile.ZipFile(SHIPPED) as file:
        return {name: file.read(name) for name in file.namelist() if name.startswith("02/") or name == ABOUT}


def packed(packing=zipfile.ZIP_DEFLATED, **changes):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", packing) as file:
        for name, content in {**parts(), **changes}.items():
            file.writestr(name, content)
    return out.getvalue()


def column(name, change):
    file = io.BytesIO()
    np.save(file, change(np.load(io.BytesIO(parts()[name]))))
    return {name: file.getvalue()}


def claiming(length):
    """A column of hardly any bytes."""
    file = io.BytesIO()
    np.lib.format.write_array_header_1_0(file, {"descr": "<u4", "fortran_order": False, "shape": (length,)})
    return {CHANCE: file.getvalue()}


def about(**told):
    return {ABOUT: json.dumps({"format": 1, **told})}


def with_bits_set(content, mark, offset, bits):
    """In every entry of the directory of parts."""
    content, at = bytearray(content), 0
    while (at := content.find(mark, at)) >= 0:
        content[at + offset] |= bits
        at += len(mark)
    return bytes(content)


def torn(content):
    """Rubbish in place of the middle of a column; its length and its checksum stand."""
    content = bytearray(content)
    at = content.find(CHANCE.encode()) + len(CHANCE) + 20
    content[at : at + 40] = b"\xff" * 40
    return bytes(content)


SPOILT = {
    "no archive": lambda: b"PK",
    "torn": lambda: torn(packed()),
    "torn, packed otherwise": lambda: torn(packed(zipfile.ZIP_LZMA)),
    "a password": lambda: with_bits_set(packed(), b"PK\x01\x02", 8, 1),
    "unknown packing": lambda: with_bits_set(packed(), b"PK\x01\x02", 10, 64),
    "nothing about itself": lambda: packed(**about()),
    "words for numbers": lambda: packed(**about(combinations="many", goals=1)),
    "terabytes claimed": lambda: packed(**claiming(10**13)),
    "less than nothing claimed": lambda: packed(**claiming(-5)),
    "other numbers": lambda: packed(**column(CHANCE, lambda chances: chances.astype(float))),
    "a column too short": lambda: packed(**column(CHANCE, lambda chances: chances[:-1])),
    "impossible chances": lambda: packed(**column(CHANCE, lambda chances: chances + 2**31)),
    "no such hands": lambda: packed(**column(CODE, lambda codes: codes + 2**30)),
    "hands of another section": lambda: packed(**column(CODE, lambda codes: codes * 0 + 7)),
    "hands in no order": lambda: packed(**column(CODE, lambda codes: codes[::-1])),
}


@pytest.mark.parametrize("case", SPOILT)
def test_what_is_no_atlas_is_refused(tmp_path, case):
    path = tmp_path / "atlas.npz"
    path.write_bytes(SPOILT[case]())
    with pytest.raises(InputError, match="expected an atlas of suits, found something else"):
        Atlas(AtlasFile(path)).entry(SUIT)


@pytest.mark.parametrize("part", [ABOUT, CHANCE])
def test_no_more_is_unpacked_than_a_part_may_hold(tmp_path, part):
    path = tmp_path / "atlas.npz"
    path.write_bytes(packed(**{part: bytes(2**24)}))
    with pytest.raises(InputError, match=f"{part} is too large"):
        Atlas(AtlasFile(path)).entry(SUIT)


@pytest.mark.parametrize("packing", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_LZMA])
def test_a_part_of_the_shipped_atlas_is_an_atlas(tmp_path, packing):
    path = tmp_path / "atlas.npz"
    path.write_bytes(packed(packing, **{"9" * 5000 + "/note.txt": b""}))
    found = Atlas(AtlasFile(path))
    assert (found.file.missing, found.entry(SUIT)) == ([2], Atlas(AtlasFile(SHIPPED)).entry(SUIT))
