"""Players from texts, and back: a name, and after a colon options with commas between, as in ``greedy:boards=50``.

Which players there are, and how their options are read, each game's own table says; an option is a field of the player.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, fields
from enum import Enum
from typing import TYPE_CHECKING, Any, ClassVar, Generic, Protocol, TypeGuard, TypeVar

from worldwise.errors import InputError, UnknownNameError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from dataclasses import Field


class Named(Protocol):
    """A player who can be written: a dataclass of his options, with a name."""

    name: ClassVar[str]
    __dataclass_fields__: ClassVar[dict[str, Field[Any]]]


P = TypeVar("P", bound=Named)


@dataclass(frozen=True)
class PlayerNames(Generic[P]):
    """A game's players, and how they are written.

    ``example``    a text that errors show
    ``readers``    how options are read that are no whole numbers
    ``unnamed``    for a player, the options that may come first without their names, in this order
    ``between``    the commas between options, if there are others
    ``unwritten``  options that change nothing of what is played
    ``seldom``     options that are written only where they are not as usual
    """

    players: Mapping[str, type[P]]
    example: str
    readers: Mapping[str, Callable[[str], object]] = field(default_factory=dict)
    unnamed: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    between: re.Pattern[str] = re.compile(",")
    unwritten: tuple[str, ...] = ()
    seldom: tuple[str, ...] = ()

    def player(self, text: str) -> P:
        """The player of a text; ``InputError`` says what is wrong with it.

        >>> from worldwise.kriegspiel.players.random_and_greedy import GreedyPlayer
        >>> names = PlayerNames({"greedy": GreedyPlayer}, "greedy:boards=50", unnamed={"greedy": ("boards",)})
        >>> names.player("greedy:20,pool=100")
        GreedyPlayer(boards=20, pool=100)
        """
        name, colon, rest = text.strip().partition(":")
        if name not in self.players:
            raise UnknownNameError("player", name, self.players)
        options: dict[str, Any] = {}
        for place, one in enumerate(self.between.split(rest) if colon else ()):
            key, value = self._option(name, place, one, text)
            if key in options:
                raise InputError(f"expected each option once, found {key} twice in {text!r}")
            options[key] = value
        return self.players[name](**options)

    def _option(self, name: str, place: int, option: str, text: str) -> tuple[str, Any]:
        key, equals, value = (part.strip() for part in option.partition("="))
        unnamed = self.unnamed.get(name, ())
        if key and not equals and place < len(unnamed):
            key, value = unnamed[place], key
        known = [one.name for one in fields(self.players[name])]
        if not value:
            raise InputError(f"expected options as in {self.example}, found {option!r} in {text!r}")
        if key not in known:
            raise UnknownNameError(f"option of {name}", key, known)
        try:
            return key, self.readers.get(key, number)(value)
        except InputError as error:
            raise InputError(f"{name}, {key}: {error}") from None

    def text(self, player: object) -> str:
        """A player as a text with all that matters for what is played; the repr of one who has no name here.

        >>> from worldwise.kriegspiel.players.random_and_greedy import GreedyPlayer
        >>> PlayerNames({"greedy": GreedyPlayer}, "greedy:boards=50").text(GreedyPlayer(boards=20))
        'greedy:boards=20,pool=1000'
        """
        return self._text(player, self.seldom)

    def short(self, player: object) -> str:
        """The same for people: without what is as usual.

        >>> from worldwise.kriegspiel.players.random_and_greedy import GreedyPlayer
        >>> PlayerNames({"greedy": GreedyPlayer}, "greedy:boards=50").short(GreedyPlayer(boards=20))
        'greedy:boards=20'
        """
        return self._text(player, [option.name for kind in self.players.values() for option in fields(kind)])

    def _text(self, player: object, seldom: Sequence[str]) -> str:
        if not self._is_named(player):
            return repr(player)
        unnamed = self.unnamed.get(player.name, ())
        options = [option_text(getattr(player, key)) for key in unnamed]
        for option in fields(player):
            value = getattr(player, option.name)
            is_usual = option.name in seldom and value == option.default
            if option.name not in (*unnamed, *self.unwritten) and value not in (None, ()) and not is_usual:
                options.append(f"{option.name}={option_text(value)}")
        return player.name + (":" + ",".join(options) if options else "")

    def _is_named(self, player: object) -> TypeGuard[P]:
        return isinstance(player, tuple(self.players.values()))


# ---------------------------------------------------------------------- values


def word(text: str) -> str:
    """A name, which the player knows or not.

    >>> word("material")
    'material'
    """
    return text


def number(text: str) -> int:
    """A whole number.

    >>> number("40")
    40
    """
    if not re.fullmatch(r"[0-9]{1,6}", text):
        raise InputError(f"expected a whole number of up to six digits, found {text!r}")
    return int(text)


def share(text: str) -> float:
    """A number from 0 to 1, as far as its digits tell.

    >>> share("0.3"), share("1e-05"), share("1e-5")
    (0.3, 1e-05, 1e-05)
    """
    if not re.fullmatch(r"[01]?\.?[0-9]{1,20}|[0-9]\.?[0-9]{0,20}e-[0-9]{1,3}", text):
        raise InputError(f"expected a number from 0 to 1, found {text!r}")
    return float(text)


def switch(text: str) -> bool:
    """On or off.

    >>> switch("off")
    False
    """
    if text not in ("on", "off"):
        raise InputError(f"expected on or off, found {text!r}")
    return text == "on"


def option_text(value: object) -> str:
    """An option's value as it is read.

    >>> option_text(True), option_text(0.3), option_text(("hcp(west) >= 12", "spades(west) >= 5"))
    ('on', '0.3', 'hcp(west) >= 12; spades(west) >= 5')
    """
    if isinstance(value, bool):
        return "on" if value else "off"
    if isinstance(value, Enum):
        return str(value.value)
    return "; ".join(map(str, value)) if isinstance(value, tuple) else str(value)
