"""Words that every view needs: small numbers spelt out, and text that no terminal chokes on."""

from __future__ import annotations

NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")


def number_word(number: int) -> str:
    """A small number as a word.

    >>> number_word(3), number_word(26)
    ('three', '26')
    """
    return NUMBERS[number] if number < len(NUMBERS) else str(number)


def printable(text: str) -> str:
    """A text without anything that could move a terminal's cursor or colour what follows.

    >>> printable("a\\x1b[31mb")
    'a\ufffd[31mb'
    """
    return "".join(letter if letter.isprintable() else "\ufffd" for letter in text)
