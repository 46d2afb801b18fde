"""Numbers, JSON and text from outside: within bounds, or refused in words."""

from fractions import Fraction

import pytest

from worldwise.core.reading import (
    LARGEST,
    MOST_NESTED,
    decode_text,
    read_exact,
    read_json,
    read_real,
    read_whole,
    shorten,
    show_controls,
)
from worldwise.core.result import Limit
from worldwise.core.vector import exact_number
from worldwise.errors import InputError


@pytest.mark.parametrize(
    "text", ["1e9999999999", "1e-99999999", "9" * 100_000, "1/" + "3" * 5000, "1/0", "1/3e5", "²", ""]
)
@pytest.mark.parametrize("read", [read_exact, exact_number])
def test_monstrous_numbers_are_refused_in_few_words(read, text):
    with pytest.raises(InputError, match=r"expected a number such as 3, 0\.25 or 1/3, found '") as error:
        read(text)
    assert len(str(error.value)) < 200


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("3", 3),
        (" -3 ", -3),
        ("0.25", Fraction(1, 4)),
        ("2.0", 2),
        (".5", Fraction(1, 2)),
        ("1/3", Fraction(1, 3)),
        ("1e-3", Fraction(1, 1000)),
        ("1e999", 10**999),
        ("9" * 1000, 10**1000 - 1),
    ],
)
def test_exact_numbers(text, number):
    assert read_exact(text) == number
    assert type(read_exact(text)) is type(number)


@pytest.mark.parametrize("text", ["", "x", "1.5", "²", "٣", "1e3", "9" * 19, "9" * 100_000, "0x1", "1_000"])
def test_what_is_no_whole_number_within_bounds(text):
    with pytest.raises(InputError, match="expected a whole number") as error:
        read_whole(text)
    assert len(str(error.value)) < 200


def test_whole_numbers_to_the_last():
    assert read_whole(str(LARGEST)) == LARGEST
    assert read_whole(" +7 ", 1, 7) == 7
    with pytest.raises(InputError, match="expected a whole number from 1 to 7, found '8'"):
        read_whole("8", 1, 7)


@pytest.mark.parametrize("text", ["nan", "inf", "1e999", "x", "1" * 5000])
def test_real_numbers_are_finite(text):
    with pytest.raises(InputError, match="expected a finite number"):
        read_real(text)


@pytest.mark.parametrize("opening", ["[", '{"a":', "[[{"])
@pytest.mark.parametrize("depth", [200, 900, 100_000])
def test_deep_nesting_is_bad_input(opening, depth):
    with pytest.raises(InputError, match="expected JSON"):
        read_json(opening * depth)
    with pytest.raises(InputError, match="nested at most 100 deep"):
        read_json("[" * depth + "]" * depth)


def test_nesting_to_the_bound():
    assert read_json("[" * MOST_NESTED + "]" * MOST_NESTED)
    with pytest.raises(InputError, match="nested"):
        read_json("[" * (MOST_NESTED + 1) + "]" * (MOST_NESTED + 1))


@pytest.mark.parametrize("text", ["", "{", "[1,]", b"\xff", "NaN", "[1e999]", "[" + "9" * 5000 + "]", "[-Infinity]"])
def test_json_that_is_none(text):
    with pytest.raises(InputError, match="expected"):
        read_json(text)


@pytest.mark.parametrize("name", ["nodes", "depth"])
def test_limits_have_limits(name):
    Limit(**{name: LARGEST})
    with pytest.raises(InputError, match=f"expected at most {LARGEST} as {name}, found more"):
        Limit(**{name: 10**5000})


def test_latin_text_is_read_like_any_other():
    assert decode_text("Žižkov".encode("utf-8-sig")) == "Žižkov"
    assert decode_text("Gösta".encode("latin-1")) == "Gösta"


def test_long_texts_are_shown_by_their_ends():
    assert shorten("a" * 60) == repr("a" * 60)
    assert shorten("a" * 30 + "b" * 1000 + "c" * 30) == f"'{'a' * 30}...{'c' * 30}' (1,060 characters)"


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("\x1b]0;x\x07", "\\x1b]0;x\\x07"),
        ("a\tb\nc", "a\tb\nc"),
        ("\r\x7f\x9b\u202e", "\\r\\x7f\\x9b\\u202e"),
        ("\ud800", "\\ud800"),
        ("Gösta ♠ 😀", "Gösta ♠ 😀"),
    ],
)
def test_controls_are_shown(text, shown):
    assert show_controls(text) == shown
