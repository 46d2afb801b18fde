"""One way to write players, whatever the game: texts are read as they are written, and faults are told."""

import re
from dataclasses import dataclass
from enum import Enum
from typing import ClassVar

import pytest
from hypothesis import given
from hypothesis import strategies as st

from worldwise.errors import InputError
from worldwise.players.names import PlayerNames, share, switch


class Mood(Enum):
    CALM = "calm"
    BOLD = "bold"


@dataclass(frozen=True)
class Thinker:
    depth: int = 1
    caution: float = 0.5
    boards: int | None = None
    mates: bool = True
    mood: Mood = Mood.CALM
    notes: tuple[str, ...] = ()
    threads: int = 1

    name: ClassVar[str] = "thinker"


@dataclass(frozen=True)
class Coin:
    name: ClassVar[str] = "coin"


NAMES = PlayerNames(
    {"thinker": Thinker, "coin": Coin},
    "thinker:2,mates=off",
    readers={
        "caution": share,
        "mates": switch,
        "mood": Mood,
        "notes": lambda text: tuple(part.strip() for part in text.split(";")),
    },
    unnamed={"thinker": ("depth", "caution")},
    unwritten=("threads",),
)

thinkers = st.builds(
    Thinker,
    depth=st.integers(0, 999_999),
    caution=st.integers(0, 100).map(lambda percent: percent / 100),
    boards=st.none() | st.integers(0, 999_999),
    mates=st.booleans(),
    mood=st.sampled_from(Mood),
    notes=st.lists(st.text("ab()", min_size=1), max_size=3).map(tuple),
)


@given(thinkers)
def test_what_is_written_is_read(player):
    assert NAMES.player(NAMES.text(player)) == player


@pytest.mark.parametrize(
    ("text", "player"),
    [
        ("coin", Coin()),
        (" thinker ", Thinker()),
        ("thinker:3", Thinker(depth=3)),
        ("thinker:3,0.25,boards=7", Thinker(depth=3, caution=0.25, boards=7)),
        ("thinker:3,boards=7", Thinker(depth=3, boards=7)),
        ("thinker: boards = 7 , depth = 4", Thinker(depth=4, boards=7)),
        ("thinker:threads=2", Thinker(threads=2)),
        ("thinker:1,1e-5", Thinker(caution=1e-5)),
        ("thinker:1,1e-05", Thinker(caution=1e-5)),
    ],
)
def test_texts_that_people_write(text, player):
    assert NAMES.player(text) == player


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("thinkr", r"unknown player 'thinkr' \(did you mean 'thinker'\?\)"),
        ("thinker:", "expected options as in thinker:2,mates=off, found '' in 'thinker:'"),
        ("thinker:1,0.5,7", "expected options as in .* found '7' in 'thinker:1,0.5,7'"),
        ("thinker:boards=7,x", "thinker, caution: expected a number from 0 to 1, found 'x'"),
        ("thinker:boards=", "expected options as in .* found 'boards='"),
        ("thinker:bords=7", r"unknown option of thinker 'bords' \(did you mean 'boards'\?\)"),
        ("thinker:boards=-7", "thinker, boards: expected a whole number of up to six digits, found '-7'"),
        ("thinker:boards=1234567", "thinker, boards: expected a whole number of up to six digits, found '1234567'"),
        ("thinker:caution=1.5.", "thinker, caution: expected a number from 0 to 1, found '1.5.'"),
        ("thinker:mates=yes", "thinker, mates: expected on or off, found 'yes'"),
        ("thinker:2,depth=1", "expected each option once, found depth twice in 'thinker:2,depth=1'"),
        ("thinker:boards=5,boards=7", "expected each option once, found boards twice"),
        ("thinker:boards=5, boards =5", "expected each option once, found boards twice"),
        ("coin:3", "expected options as in .* found '3' in 'coin:3'"),
    ],
)
def test_faults_are_told(text, told):
    with pytest.raises(InputError, match=told):
        NAMES.player(text)


def test_what_changes_nothing_is_not_written():
    assert NAMES.text(Thinker(threads=8)) == NAMES.text(Thinker()) == "thinker:1,0.5,mates=on,mood=calm"
    assert NAMES.text(Coin()) == "coin"


def test_a_stranger_is_shown_as_he_is():
    assert NAMES.text(Mood.BOLD) == repr(Mood.BOLD)


def test_a_game_may_have_other_commas():
    names = PlayerNames(
        {"thinker": Thinker}, "thinker:depth=2", {"notes": lambda text: (text,)}, between=re.compile(r",(?=\w+=)")
    )
    assert names.player("thinker:notes=one, two,depth=2") == Thinker(depth=2, notes=("one, two",))
