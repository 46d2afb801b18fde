"""Valid texts spoilt: the changes that find what a reader has not thought of, each drawn from a seeded generator."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from random import Random

MOST_BYTES = 100_000
"""The longest text that is made."""

TOKENS = tuple(
    token.encode("utf-8", "surrogatepass")
    for token in (
        *("\0", "\n", "\n\n", "\r", "\r\n", "\t", " ", '"', "'", "\\", "|", "[", "]", "{", "}", "(", ")", "<", ">"),
        *(",", ";", ":", "=", "-", "+", "*", "/", "%", "#", "##", "!", "?", "$", "^", ".", "..", "...", "&&", "||"),
        *("0", "-0", "-1", "00", "1e5", "1e999", "1e-999", "1e999999999", "1/0", "0/1", "NaN", "Infinity", "null"),
        *("9" * 19, "9" * 400, "9" * 5000, str(2**31), str(2**31 - 1), str(2**63), str(2**63 - 1), str(2**64)),
        *("²", "٣", "½", "Ⅷ", "①", "\u00a0", "\u2028", "\ufeff", "\u202e", "\ud800", "😀", "ß", "İ", "\x1b[2J", "\x85"),
        *('[Board "1"]', '[Deal "', "[Note ", "md|", "qx|o1|", "pn|", "mb|p|", "an|", "pc|", "?lin=", "&", "%0a"),
        *('"max":', '"min":', '"payoff":', '"root":', '"worlds":', '{"a":', "true", "[[[[", "]]]]", "{{{{", "}}}}"),
        *('p "" 1 1', 'c "" 1', 't "" 0', '{ "a" 1/2 "b" 1/2 }', "EFG 2 R", "(K:", "{(K::P0)}", "*", "1-0", "O-O"),
        *("hcp(", "shape(", "any ", "not ", "worlds=", "depth=", "k: a8", "a1-h8"),
    )
)
_BRACKETS = ((b"[", b"]"), (b"{", b"}"), (b"(", b")"), (b'{"a":', b"}"), (b"1<(", b")"), (b"-", b""), (b"!", b""))
_NUMBER = re.compile(rb"[0-9]+")


def mutate(rng: Random, corpus: Sequence[bytes]) -> bytes:
    """A text of a corpus after one change or a few."""
    text = rng.choice(corpus)
    for _ in range(1 + min(int(rng.expovariate(0.7)), 8)):
        text = rng.choice(_CHANGES)(rng, text, corpus)[:MOST_BYTES]
    return text


def _span(rng: Random, text: bytes, longest: int = 200) -> tuple[int, int]:
    start = rng.randrange(len(text) + 1)
    return start, min(len(text), start + int(longest ** rng.random()))


def _flip(rng: Random, text: bytes, corpus: Sequence[bytes]) -> bytes:
    if not text:
        return text
    place = rng.randrange(len(text))
    return text[:place] + bytes([text[place] ^ 1 << rng.randrange(8)]) + text[place + 1 :]


def _put_byte(rng: Random, text: bytes, corpus: Sequence[bytes]) -> bytes:
    start, end = _span(rng, text, 2)
    return text[:start] + rng.randbytes(1) + text[end:]


def _put_token(rng: Random, text: bytes, corpus: Sequence[bytes]) -> bytes:
    start, end = _span(rng, text, 5)
    return text[:start] + rng.choice(TOKENS) + text[end if rng.random() < 0.3 else start :]


def _remove(rng: Random, text: bytes, corpus: Sequence[bytes]) -> bytes:
    start, end = _span(rng, text)
    return text[:start] + text[end:]


def _truncate(rng: Random, text: bytes, corpus: Sequence[bytes]) -> bytes:
    return text[: rng.randrange(len(text) + 1)]


def _repeat(rng: Random, text: bytes, corpus: Sequence[bytes]) -> bytes:
    start, end = _span(rng, text, 60)
    times = rng.choice((2, 3, 10, 100)) if rng.random() < 0.97 else 5000
    return text[:start] + text[start:end] * times + text[end:]


def _splice(rng: Random, text: bytes, corpus: Sequence[bytes]) -> bytes:
    other = rng.choice(corpus)
    (start, end), (from_, to) = _span(rng, text), _span(rng, other, 2000)
    return text[:start] + other[from_:to] + text[end:]


def _swap(rng: Random, text: bytes, corpus: Sequence[bytes]) -> bytes:
    a, b, c = sorted(rng.randrange(len(text) + 1) for _ in range(3))
    return text[:a] + text[b:c] + text[a:b] + text[c:]


def _blow_up(rng: Random, text: bytes, corpus: Sequence[bytes]) -> bytes:
    """A number becomes another, mostly a monstrous one."""
    numbers = [match.span() for match in _NUMBER.finditer(text)]
    if not numbers:
        return text
    start, end = rng.choice(numbers)
    digits = text[start:end]
    grown = (b"-%s", b"%s" * 50, b"%se9999999", b"%s.5", b"0", str(rng.getrandbits(70)).encode())
    return text[:start] + rng.choice(grown).replace(b"%s", digits) + text[end:]


def _nest(rng: Random, text: bytes, corpus: Sequence[bytes]) -> bytes:
    start, end = _span(rng, text, 60)
    opening, closing = rng.choice(_BRACKETS)
    times = rng.choice((1, 2, 60, 200)) if rng.random() < 0.97 else 20_000
    return text[:start] + opening * times + text[start:end] + closing * times + text[end:]


def _change_case(rng: Random, text: bytes, corpus: Sequence[bytes]) -> bytes:
    start, end = _span(rng, text)
    return text[:start] + text[start:end].swapcase() + text[end:]


_CHANGES: tuple[Callable[[Random, bytes, Sequence[bytes]], bytes], ...] = (
    *(_flip, _put_byte, _put_token, _put_token, _remove, _truncate, _repeat, _splice, _swap, _blow_up, _nest),
    _change_case,
)
