"""Strains, contracts and vulnerability: what declarer has promised."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import IntEnum

from worldwise.bridge.rules.deal import Seat
from worldwise.errors import InputError


class Strain(IntEnum):
    """The trumps of a contract, numbered as the suits are, then notrump.

    >>> Strain.of("h"), Strain.of("NT"), Strain.NOTRUMP.letter
    (Strain.HEARTS, Strain.NOTRUMP, 'NT')
    """

    SPADES = 0
    HEARTS = 1
    DIAMONDS = 2
    CLUBS = 3
    NOTRUMP = 4

    def __repr__(self) -> str:
        return f"Strain.{self.name}"

    @property
    def letter(self) -> str:
        """S, H, D, C or NT."""
        return "NT" if self is Strain.NOTRUMP else self.name[0]

    @property
    def symbol(self) -> str:
        """♠, ♥, ♦, ♣ or NT."""
        return ("♠", "♥", "♦", "♣", "NT")[self]

    @classmethod
    def of(cls, text: str) -> Strain:
        """The strain of a letter, a symbol or a name."""
        word = text.strip().upper()
        for strain in cls:
            if word in (strain.letter, strain.symbol, strain.name) or (word == "N" and strain is cls.NOTRUMP):
                return strain
        raise InputError(f"expected a strain (S, H, D, C or NT), found {text!r}")


class Vulnerability(IntEnum):
    """Which sides are vulnerable; the values are bits, 1 for North-South and 2 for East-West."""

    NONE = 0
    NORTH_SOUTH = 1
    EAST_WEST = 2
    BOTH = 3

    def __repr__(self) -> str:
        return f"Vulnerability.{self.name}"

    def includes(self, seat: Seat) -> bool:
        """Whether a player is vulnerable."""
        return bool(self >> (seat & 1) & 1)

    @classmethod
    def of_board(cls, number: int) -> Vulnerability:
        """The vulnerability that duplicate boards have by their number.

        >>> [Vulnerability.of_board(number).value for number in range(1, 9)]
        [0, 1, 2, 3, 1, 2, 3, 0]
        """
        place = (number - 1) % 16
        return cls((place + place // 4) % 4)


_CONTRACT = re.compile(r"([1-7])\s*+(NT?|[SHDC♠♥♦♣])\s*+(XX|X|R|)\s*+(?:(?:BY)?\s*+([NESW]))?", re.IGNORECASE)


@dataclass(frozen=True)
class Contract:
    """So many tricks above six, in a strain, by a declarer, perhaps doubled (1) or redoubled (2).

    >>> contract = Contract.read("4SX", Seat.WEST)
    >>> str(contract), contract.tricks, contract.leader, contract.dummy
    ('4SX by W', 10, Seat.NORTH, Seat.EAST)
    """

    level: int
    strain: Strain
    declarer: Seat
    doubled: int = 0

    def __post_init__(self) -> None:
        if not 1 <= self.level <= 7 or not 0 <= self.doubled <= 2:
            raise InputError(f"expected a contract from 1 to 7, not more than redoubled, found {self}")

    def __str__(self) -> str:
        return f"{self.bid} by {self.declarer.letter}"

    @property
    def bid(self) -> str:
        """The contract without its declarer, as PBN writes it: ``4SX``."""
        return f"{self.level}{self.strain.letter}{'X' * self.doubled}"

    @property
    def tricks(self) -> int:
        """How many tricks make it."""
        return self.level + 6

    @property
    def dummy(self) -> Seat:
        """Declarer's partner."""
        return self.declarer.partner

    @property
    def leader(self) -> Seat:
        """Who makes the opening lead."""
        return self.declarer.next

    @classmethod
    def read(cls, text: str, declarer: Seat | None = None) -> Contract:
        """A contract such as ``3NT by S``, ``3NTS`` or, with the declarer given, ``4HX``; R is redoubled, as XX is."""
        match = _CONTRACT.fullmatch(text.strip())
        if match is None or (match[4] is None and declarer is None):
            raise InputError(f"expected a contract such as '3NT by S' or '4HX by W', found {text!r}")
        by = declarer if match[4] is None else Seat.of(match[4])
        assert by is not None
        return cls(int(match[1]), Strain.of(match[2]), by, 2 if match[3].upper() == "R" else len(match[3]))
