"""Words that every view needs: small numbers spelt out, lists, and text that no terminal chokes on."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")


def number_word(number: int) -> str:
    """A small number as a word.

    >>> number_word(3), number_word(26)
    ('three', '26')
    """
    return NUMBERS[number] if number < len(NUMBERS) else str(number)


def join_words(words: Sequence[str], last: str = "and") -> str:
    """Words with commas between them, and another word before the last one.

    >>> join_words(["king", "queen", "ten"], "or"), join_words(["ace"])
    ('king, queen or ten', 'ace')
    """
    return f" {last} ".join(filter(None, [", ".join(words[:-1]), *words[-1:]]))


def printable(text: str) -> str:
    """A text without anything that could move a terminal's cursor or colour what follows.

    >>> printable("a\\x1b[31mb")
    'a\ufffd[31mb'
    """
    return "".join(letter if letter.isprintable() else "\ufffd" for letter in text)
