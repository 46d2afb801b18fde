r"""Gambit's ``.efg`` files, read and written with exact numbers.

::

    EFG 2 R "title" { "player 1" "player 2" } "comment"
    c "name" set "set name" { "heads" 1/2 "tails" 1/2 } outcome
    p "name" player set "set name" { "left" "right" } outcome
    t "name" outcome "outcome name" { 1, -1 }

Nodes come in preorder. A set's actions and an outcome's payoffs may be left out after they were given once; outcome 0
is none. Sets and outcomes may have any numbers, a quote in a name is escaped by ``\``, white space and line ends are
free, and so are commas in lists.

Reading has two steps: a *scanner* tells the nodes and the different pieces of text apart (``efg_scan``; the compiled
one is in ``compiled_efg``), and what those pieces mean is found out here, once for each.

What we write leaves nothing out, and numbers sets 1, 2 ... for each player. Other programs are more particular about
names than we are: ``portable=True`` writes a file that both Gambit and OpenSpiel take. See ``efg_text``.
"""

from __future__ import annotations

import gc
import re
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cache, cached_property
from math import lcm
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from worldwise.core.durable_files import open_to_write
from worldwise.core.game import CHANCE
from worldwise.core.reading import MOST_DIGITS, collect_bytes, read_exact
from worldwise.errors import GameError, InputError
from worldwise.extensive.compiled_efg import compiled_scan
from worldwise.extensive.efg_scan import QUOTED, Complaint, Scanned, head, plain, scan
from worldwise.extensive.game import (
    NONE,
    ChanceMove,
    Event,
    ExtensiveGame,
    InformationSet,
    Outcome,
)
from worldwise.kernels import pick

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from os import PathLike

    from numpy.typing import NDArray

    from worldwise.core.game import Rational
    from worldwise.extensive.efg_scan import Scanner

_WORD = re.compile(QUOTED, re.DOTALL)
_ACTION = re.compile(rf"[\s,]*({QUOTED})\s*([^\s,\"{{}}]+)[\s,]*", re.DOTALL | re.ASCII)
_WHOLE = re.compile(r"\{[-+\d\s,]*\}", re.ASCII)

MOST_BITS = 4096
"""Of the common denominator of one node's chances: a deal of the whole pack needs 226."""


def read_efg(source: str | PathLike[str], scanner: Scanner | None = None) -> ExtensiveGame:
    """Read a game from a ``.efg`` file; a name that is no file is refused with a clear error."""
    path = Path(source)
    try:
        with path.open("rb") as file:
            text = collect_bytes(file).decode("utf-8")
    except UnicodeDecodeError as error:
        raise GameError(f"expected text in UTF-8, found the byte {error.object[error.start]:#04x}", str(path)) from None
    except OSError as error:
        raise GameError(f"cannot read it: {error.strerror}", str(path)) from None
    except InputError as error:
        raise GameError(str(error), str(path)) from None
    return efg_from_text(text, str(path), scanner)


def efg_from_text(text: str, name: str = "", scanner: Scanner | None = None) -> ExtensiveGame:
    """Read a game from the text of a ``.efg`` file; ``name`` is what errors call it.

    >>> efg_from_text('EFG 2 R "A bet" { "Ann" } p "" 1 1 "" { "no" "yes" } 0  t "" 0  t "" 1 "" { 1/2 }').payoffs(2)
    (Fraction(1, 2),)
    """
    match = head(text)
    if not match:
        raise Complaint(text, name).of_head()
    title, players, comment = match.groups()
    start = Complaint(text, name, match.end())
    try:
        names = _names(players)
    except InputError as error:
        raise start.error(str(error), match.start(2)) from None
    scanned = (scanner or pick(compiled_scan, scan))(text[match.end() :])
    if not scanned.whole or not len(scanned.event):
        raise start.of_rest()
    with _many_records():
        return _Meaning(scanned, names, start).game(plain(title), plain(comment))


# ---------------------------------------------------------------------- what the pieces mean


@dataclass
class _Meaning:
    """What the numbers and the pieces of text of one file stand for."""

    scanned: Scanned
    players: tuple[str, ...]
    start: Complaint
    events: list[Event] = field(default_factory=list)
    outcomes: tuple[Outcome, ...] = ()

    def game(self, title: str, comment: str) -> ExtensiveGame:
        event, outcome = self._events(), self._outcomes()
        try:
            return ExtensiveGame(
                self.players,
                tuple(self.events),
                self.outcomes,
                event,
                outcome,
                self.scanned.names,
                title,
                comment,
                absent_minded=True,
            )
        except GameError as error:
            raise GameError(str(error), self.start.name) from None

    # ------------------------------------------------------------------ sets

    def _events(self) -> NDArray[np.int32]:
        """Each node's event; events are made where they are mentioned first."""
        sets = self.scanned.sets
        lists = map([*sets.lists, None].__getitem__, sets.listed.tolist())
        mentions = zip(sets.player.tolist(), sets.number.tolist(), sets.name, lists, strict=True)
        numbers: dict[tuple[int, int], int] = {}
        meaning = []
        for row, (player, number, name, listed) in enumerate(mentions):
            known = numbers.setdefault((player, number), len(self.events))
            try:
                self._enter_event(known, player, number, name, listed)
            except InputError as error:
                raise self.start.of_set(_first(self.scanned.event, row), str(error)) from None
            meaning.append(known)
        return np.array([*meaning, NONE], dtype=np.int32)[self.scanned.event]

    def _enter_event(self, known: int, player: int, number: int, name: str, listed: str | None) -> None:
        """Make an event, or make sure that it is the one made before."""
        if known == len(self.events):
            if listed is None:
                raise InputError(f"expected the actions of set {number}, which is met here first, found none")
            self.events.append(self._event(player, name, listed))
        elif listed is not None and self._event(player, self.events[known].name, listed) != self.events[known]:
            raise InputError(f"expected the actions that set {number} had before, found {listed}")

    def _event(self, player: int, name: str, listed: str) -> Event:
        if player == CHANCE:
            return ChanceMove(*self._chances(listed), name)
        if not 0 < player <= len(self.players):
            raise InputError(f"expected a player from 1 to {len(self.players)}, found player {player}")
        return InformationSet(player - 1, self._actions(listed), name)

    @cached_property
    def _actions(self) -> Callable[[str], tuple[str, ...]]:
        return cache(_names)

    @cached_property
    def _chances(self) -> Callable[[str], tuple[tuple[str, ...], tuple[Fraction, ...]]]:
        return cache(_chances)

    # ------------------------------------------------------------------ outcomes

    def _outcomes(self) -> NDArray[np.int32]:
        """Each node's outcome; outcome 0 is none, unless it has payoffs."""
        rows = self.scanned.outcomes
        number = np.where((rows.number == 0) & (rows.listed == NONE), NONE, rows.number)
        _, first, which = np.unique(number, return_index=True, return_inverse=True)
        given = first[which]  # for every row, the row that mentions its outcome first
        made = np.flatnonzero((given == np.arange(len(given))) & (number != NONE))
        self._check(made, given)
        payoffs = map(self.payoffs.__getitem__, rows.listed[made].tolist())
        names = map(rows.name.__getitem__, made.tolist())
        self.outcomes = tuple(map(Outcome._make, zip(payoffs, names, strict=True)))
        meaning = np.full(len(given), NONE, dtype=np.int32)
        meaning[made] = np.arange(len(made))
        return meaning[given][self.scanned.outcome]

    def _check(self, made: NDArray[np.intp], given: NDArray[np.intp]) -> None:
        """Make sure that outcomes have payoffs when they are met first, and the same ones ever after."""
        rows = self.scanned.outcomes
        for row in made[rows.listed[made] == NONE].tolist():
            number = rows.number[row]
            fault = f"expected the payoffs of outcome {number}, which is met here first, found none"
            raise self._fault_of_outcome(row, fault)
        for row in np.flatnonzero((rows.listed != rows.listed[given]) & (rows.listed != NONE)).tolist():
            if self.payoffs[rows.listed[row]] != self.payoffs[rows.listed[given[row]]]:
                found = rows.lists[rows.listed[row]]
                fault = f"expected the payoffs that outcome {rows.number[row]} had before, found {found}"
                raise self._fault_of_outcome(row, fault)

    @cached_property
    def payoffs(self) -> list[tuple[Rational, ...]]:
        """The payoffs in each list."""
        amounts = []
        for listed, text in enumerate(self.scanned.outcomes.lists):
            try:
                amounts.append(self._amounts(text))
            except InputError as error:
                raise self._fault_of_outcome(_first(self.scanned.outcomes.listed, listed), str(error)) from None
        return amounts

    def _amounts(self, text: str) -> tuple[Rational, ...]:
        words = text[1:-1].replace(",", " ").split()
        if len(words) != len(self.players):
            raise InputError(f"expected {len(self.players)} payoffs, one a player, found {text}")
        if len(text) <= MOST_DIGITS and _WHOLE.fullmatch(text):
            with suppress(ValueError):
                return tuple(map(int, words))
        return tuple(map(read_exact, words))  # which says why

    def _fault_of_outcome(self, row: int, message: str) -> GameError:
        return self.start.of_outcome(_first(self.scanned.outcome, row), message)


@contextmanager
def _many_records() -> Iterator[None]:
    """No search for garbage while a million records are made that are none: it would take longer than making them."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


def _first(numbers: NDArray[np.int32], number: int) -> int:
    """Where a number stands first."""
    return int(np.argmax(numbers == number))


def _names(text: str) -> tuple[str, ...]:
    """The names in a list of players or actions."""
    names = tuple(map(plain, _WORD.findall(text)))
    if _WORD.sub("", text).strip(" \t\n\r\f\v,{}") or not names:
        raise InputError(f'expected names in quotes, as in {{ "a" "b" }}, found {text}')
    return names


def _chances(text: str) -> tuple[tuple[str, ...], tuple[Fraction, ...]]:
    """The actions and the probabilities in a list of chance's."""
    pairs, end = [], 1
    while pair := _ACTION.match(text, end):
        pairs.append((plain(pair[1]), Fraction(read_exact(pair[2]))))
        end = pair.end()
    if text[end:].strip() != "}" or not pairs:
        raise InputError(f'expected actions with probabilities, as in {{ "a" 1/2 "b" 1/2 }}, found {text}')
    actions, chances = zip(*pairs, strict=True)
    if not _is_distribution(chances):
        raise InputError(f"expected probabilities that are not negative and sum to 1, found {text}")
    return actions, chances


def _is_distribution(chances: tuple[Fraction, ...]) -> bool:
    """Whether chances are not negative and sum to 1, with a denominator within reason: sums of any others take ages."""
    common = 1
    for chance in chances:
        common = lcm(common, chance.denominator)
        if common.bit_length() > MOST_BITS:
            raise InputError(
                f"expected probabilities with a common denominator below 2**{MOST_BITS}, found a larger one"
            )
    return sum(int(chance * common) for chance in chances) == common and min(chances) >= 0


# ---------------------------------------------------------------------- writing


def write_efg(game: ExtensiveGame, target: str | PathLike[str], *, portable: bool = False) -> None:
    """Write a game to a ``.efg`` file, all of it or nothing; ``portable`` as in ``efg_text``."""
    path = Path(target)
    try:
        with open_to_write(path) as file:
            file.writelines(line.encode() for line in _lines(_make_portable(game) if portable else game))
    except UnicodeEncodeError as error:
        raise GameError(
            f"expected names that UTF-8 can write, found {error.object[error.start]!r}", str(path)
        ) from None


def efg_text(game: ExtensiveGame, *, portable: bool = False) -> str:
    r"""A game as the text of a ``.efg`` file.

    By default nothing of the game is lost: reading the text gives an equal game. Gambit 17 takes it unless names other
    than the title hold control characters, white space at an end or twice in a row, unless two nodes or two of a
    player's sets have one name, and unless a name ends with a backslash. OpenSpiel takes no quotes in names, no
    outcomes at inner nodes, no leaves without one, and no fractions with more than nine digits above or below; actions
    of one name are one to it.

    What is ``portable`` has the same tree, sets and payoffs, and both take it, except for such fractions: quotes are
    turned into typographic ones, white space is tidied, names that must differ are numbered, actions without a name
    too, and each leaf's outcome is the sum of those on its path.

    >>> from worldwise.extensive import decision, game_of, leaf
    >>> print(efg_text(game_of(decision("Ann", {'"no"': leaf(0), "yes": leaf("1/2")}), ["Ann"], "A bet")))
    EFG 2 R "A bet" { "Ann" }
    ""
    <BLANKLINE>
    p "" 1 1 "" { "\"no\"" "yes" } 0
    t "" 1 "" { 0 }
    t "" 2 "" { 1/2 }
    """
    return "".join(_lines(_make_portable(game) if portable else game))


def _lines(game: ExtensiveGame) -> Iterator[str]:
    yield f"EFG 2 R {_quote(game.title)} {_list(map(_quote, game.players))}\n"
    yield f"{_quote(game.comment)}\n\n"
    events = [_event_text(game, number) for number in range(len(game.events))]
    outcomes = [
        f"{number} {_quote(outcome.name)} {_list(map(str, outcome.payoffs), ', ')}\n"
        for number, outcome in enumerate(game.outcomes, 1)
    ]
    for node, (event, outcome) in enumerate(zip(game.event.tolist(), game.outcome.tolist(), strict=True)):
        name = _quote(game.names.get(node, ""))
        start = f"t {name} " if event == NONE else f"{events[event][0]} {name} {events[event][1]} "
        yield start + ("0\n" if outcome == NONE else outcomes[outcome])


def _event_text(game: ExtensiveGame, number: int) -> tuple[str, str]:
    event = game.events[number]
    own = f"{game.number_of(number)} {_quote(event.name)}"
    if isinstance(event, ChanceMove):
        pairs = zip(map(_quote, event.actions), event.probabilities, strict=True)
        return "c", f"{own} {_list(f'{action} {chance}' for action, chance in pairs)}"
    return "p", f"{event.player + 1} {own} {_list(map(_quote, event.actions))}"


def _quote(text: str) -> str:
    """A name in quotes. Backslashes are escaped only where it matters, since Gambit reads others as they stand."""
    return '"' + _TO_ESCAPE.sub(r"\\\g<0>", text) + '"'


def _list(items: Iterable[str], between: str = " ") -> str:
    return "{ " + between.join(items) + " }"


# ---------------------------------------------------------------------- what every program reads


def _make_portable(game: ExtensiveGame) -> ExtensiveGame:
    """The same tree and payoffs, with names and outcomes that Gambit and OpenSpiel take."""
    outcome = np.full(len(game), NONE, dtype=np.int32)
    numbers: dict[Outcome, int] = {}
    taken: dict[str, int] = {}
    for leaf in np.flatnonzero(game.event == NONE).tolist():
        own = int(game.outcome[leaf])
        total = Outcome(game.payoffs(leaf), "" if own == NONE else _label(game.outcomes[own].name))
        outcome[leaf] = numbers.setdefault(total, len(numbers))
    return replace(
        game,
        players=tuple(map(_label, game.players)),
        events=tuple(_portable_events(game.events)),
        outcomes=tuple(numbers),
        outcome=outcome,
        names={node: _tell_apart(_label(name), taken) for node, name in game.names.items()},
        title=_soften_quotes(game.title),
        comment=_soften_quotes(game.comment),
    )


def _portable_events(events: Iterable[Event]) -> Iterator[Event]:
    """The events with tidy names: no two sets of a player alike, and no two actions of a set."""
    sets: dict[int, dict[str, int]] = {}
    for event in events:
        labels: dict[str, int] = {}
        actions = [_tell_apart(_label(action) or str(number), labels) for number, action in enumerate(event.actions, 1)]
        name = _tell_apart(_label(event.name), sets.setdefault(event.player, {}))
        yield replace(event, actions=tuple(actions), name=name)


def _tell_apart(name: str, taken: dict[str, int]) -> str:
    """The name, with a number if it is taken; no name never is. ``taken`` keeps the last number of each."""
    chosen = name
    while chosen and chosen in taken:
        taken[name] += 1
        chosen = f"{name} ({taken[name]})"
    taken[chosen] = 1
    return chosen


def _label(text: str) -> str:
    label = " ".join(_CONTROL.sub(" ", _soften_quotes(text)).split())
    return {"{": "(", "}": ")"}.get(label, label)  # OpenSpiel takes a brace in quotes for one that is in none


def _soften_quotes(text: str) -> str:
    """Typographic quotes for straight ones, and a slash for a backslash that would be taken for an escape."""
    return _STRAIGHT.sub("”", _OPENING.sub("“", _DOUBTFUL.sub("/", text)))


_TO_ESCAPE = re.compile(r'"|\\(?=["\\]|\Z)')
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")
_OPENING = re.compile(r'(?<![^\s(\[{])"')
_STRAIGHT = re.compile('"')
_DOUBTFUL = re.compile(r'\\(?=["\\]|\s*\Z)')
