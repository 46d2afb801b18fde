"""Is my sampler of hidden worlds right? A check that any sampler, for any ``ExtensiveForm``, can be put through.

A player who cannot see everything often samples worlds that he holds possible. A world is a *history*: the moves from
the root, those of chance included. It must be legal, and agree with everything the player has seen: replayed by the
rules, it must show him at each of his turns what he truly saw there, and have him do what he truly did. A good sampler
also varies with the seed, gives the same sample for the same seed, and never reads the true state.

>>> from worldwise.extensive import ImpModel
>>> model = ImpModel(k=2, b=2, d=3)
>>> print(check_sampler(model, ExactSampler(model), games=5))
50 samples at 10 positions of 5 games: 50 consistent (100.0 %)
varied: yes, reproducible: yes, reads the true state: no
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from fractions import Fraction
from functools import cached_property
from random import Random
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from worldwise.core.game import CHANCE, AnyExtensiveForm, Labelled
from worldwise.errors import GameError, InputError, expect_whole

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable, Iterator

History = Sequence[Any]
"""The moves from the root, those of chance included."""

MOST_GAMES, MOST_SAMPLES = 1_000_000, 100_000
"""Of one check, and at one turn: these are all kept, to be compared."""

MOST_POSITIONS = 20_000
"""Up to this size the other worlds of an information set are found by walking through the whole game."""


class Sampler(Protocol):
    """Samples a world that a player holds possible."""

    def __call__(self, position: Any, player: int, rng: Random, /) -> History | None:
        """A history in the information set of a position at which this player is to move; None if it has none to give.

        The position says what the player knows; what else it says is not for him to use.
        """


class FaultKind(StrEnum):
    """What may be wrong with a sampled history."""

    NO_HISTORY = "no history"
    ILLEGAL = "illegal move"
    OWN_MOVE = "own move differs"
    KNOWLEDGE = "knowledge differs"
    TURN = "turns differ"


class Fault(NamedTuple):
    """What is wrong with a sampled history: its kind, and in words."""

    kind: FaultKind
    words: str


class PlayerTurn(NamedTuple):
    """A turn of a player: what he knew, and what he did (None at the turn that the sampling is for)."""

    knows: Hashable
    move: Any = None


# ---------------------------------------------------------------------- one sample


def contradiction(form: AnyExtensiveForm, player: int, true_history: History, sampled_history: History) -> str | None:
    """Why a player to move after the true history cannot believe in the sampled one; None if he can.

    >>> from worldwise.extensive import ImpModel
    >>> model = ImpModel(k=2, b=2, d=3)
    >>> contradiction(model, 0, true_history=[0, 1], sampled_history=[1, 1])
    >>> contradiction(model, 0, true_history=[0, 1], sampled_history=[1, 0])
    'move 2: player makes the move 0, but made the move 1'
    >>> contradiction(model, 0, true_history=[0, 1], sampled_history=[2, 1])
    'after move 2: player knows ((1,), 1), but knew ((1,), 0)'
    """
    replay = _Replay(form, player, _turns(form, player, true_history), true_history)
    fault = replay.fault(sampled_history)
    return fault and fault.words


def _turns(form: AnyExtensiveForm, player: int, history: History) -> list[PlayerTurn]:
    """A player's turns in a true history, the last of which is to come."""
    position, turns = form.root, []
    for number, move in enumerate(history, 1):
        mover = form.to_move(position)
        if mover is None or move not in form.moves(position):
            raise InputError(f"expected a true history, found the illegal move {move!r} as move {number}")
        if mover == player:
            turns.append(PlayerTurn(form.information_set(position), move))
        position = form.play(position, move)
    if form.to_move(position) != player:
        raise InputError(f"expected a true history that ends with {form.players[player]} to move")
    return [*turns, PlayerTurn(form.information_set(position))]


@dataclass(frozen=True)
class _Replay:
    """Replays sampled histories by the rules, beside the turns that a player truly had."""

    form: AnyExtensiveForm
    player: int
    turns: Sequence[PlayerTurn]
    truth: History

    def fault(self, sampled: Any) -> Fault | None:
        """The first thing that is wrong."""
        if isinstance(sampled, str) or not isinstance(sampled, Sequence):
            return Fault(FaultKind.NO_HISTORY, f"expected the moves from the root, found {_short(sampled)}")
        position, turn = self.form.root, 0
        for number, move in enumerate(sampled, 1):
            mover = self.form.to_move(position)
            fault = self._illegal(position, number, move)
            if not fault and mover == self.player:
                fault = self._own(position, number, move, turn)
                turn += 1
            if fault:
                return fault
            position = self.form.play(position, move)
        return self._end(position, len(sampled), turn)

    def _illegal(self, position: Any, number: int, move: Any) -> Fault | None:
        mover = self.form.to_move(position)
        if mover is None:
            return Fault(FaultKind.ILLEGAL, f"move {number}: the game is over, but goes on with {_short(move)}")
        moves = self.form.moves(position)
        if move not in moves:
            legal = _list_moves(moves, lambda other: self._label(position, other))
            words = f"move {number}: {self._name(mover)} cannot make the move {self._true_label(number, move)}"
            return Fault(FaultKind.ILLEGAL, f"{words}, legal: {legal}")
        if mover == CHANCE and not self.form.chances(position)[list(moves).index(move)]:
            return Fault(FaultKind.ILLEGAL, f"move {number}: {self._label(position, move)} has no chance at all")
        return None

    def _own(self, position: Any, number: int, move: Any, turn: int) -> Fault | None:
        """What is wrong with a turn of the player's own, before he moves."""
        who = self._name(self.player)
        if turn >= len(self.turns) - 1:
            words = f"move {number}: {who} makes a move, but had made only {len(self.turns) - 1}"
            return Fault(FaultKind.TURN, words)
        known, made = self.turns[turn]
        fault = self._knowledge(position, number - 1, known)
        if not fault and move != made:
            made_label, label = self._label(position, made), self._label(position, move)
            words = f"move {number}: {who} makes the move {label}, but made the move {made_label}"
            fault = Fault(FaultKind.OWN_MOVE, words)
        return fault

    def _end(self, position: Any, number: int, turn: int) -> Fault | None:
        mover = self.form.to_move(position)
        who, needed = self._name(self.player), len(self.turns) - 1
        if mover != self.player:
            found = "the game is over" if mover is None else f"it is the turn of {self._name(mover)}"
            return Fault(FaultKind.TURN, f"after move {number}: {found}, but {who} is to move")
        if turn < needed:
            return Fault(FaultKind.TURN, f"after move {number}: {who} has made {turn} moves, but had made {needed}")
        return self._knowledge(position, number, self.turns[-1].knows)

    def _knowledge(self, position: Any, number: int, known: Hashable) -> Fault | None:
        knows = self.form.information_set(position)
        if knows == known:
            return None
        now, before = _difference(knows, known)
        words = f"after move {number}: {self._name(self.player)} knows {now}, but knew {before}"
        return Fault(FaultKind.KNOWLEDGE, words)

    def _name(self, mover: int) -> str:
        return "chance" if mover == CHANCE else self.form.players[mover] or f"player {mover + 1}"

    def _label(self, position: Any, move: Any) -> str:
        if isinstance(self.form, Labelled) and move in self.form.moves(position):
            return self.form.move_label(position, move)
        return str(move)

    def _true_label(self, number: int, move: Any) -> str:
        """What an illegal move is called where it truly was made; the rules need not name it anywhere else."""
        if number > len(self.truth) or self.truth[number - 1] != move:
            return str(move)
        return self._label(_position(self.form, self.truth[: number - 1]), move)


def _position(form: AnyExtensiveForm, history: History) -> Any:
    position = form.root
    for move in history:
        position = form.play(position, move)
    return position


def _short(thing: object, most: int = 60) -> str:
    text = repr(thing)
    return text if len(text) <= most else f"{text[: most - 3]}..."


def _list_moves(moves: Sequence[Any], label: Callable[[Any], str], most: int = 8) -> str:
    return ", ".join([*map(label, moves[:most]), *(["..."] if len(moves) > most else [])])


def _difference(one: object, other: object, around: int = 20) -> tuple[str, str]:
    """Two things in words; of long texts, where they begin to differ."""
    if not (isinstance(one, str) and isinstance(other, str)) or max(len(one), len(other)) <= 2 * around:
        return _short(one), _short(other)
    same = next((at for at, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))
    return _around(one, same, around), _around(other, same, around)


def _around(text: str, at: int, around: int) -> str:
    start = max(0, at - around)
    before, after = "..." if start else "", "..." if at + around < len(text) else ""
    return f"{before}{text[start : at + around]!r}{after}"


# ---------------------------------------------------------------------- many samples


class Example(NamedTuple):
    """Where a fault was met, and what it is."""

    place: str
    fault: Fault


@dataclass(frozen=True)
class SamplerReport:
    """What ``check_sampler`` found. ``unavailable`` counts the samples refused; None is what could not be checked.

    ``varied``: somewhere, different seeds gave different samples. ``reproducible``: everywhere, the same seed gave the
    same sample. ``peeks``: in another world of the same information set, the same seed gave another sample, so the
    sampler reads what its player cannot know, whether or not this changes any chances.
    """

    games: int
    positions: int
    samples: int
    consistent: int
    unavailable: int
    kinds: tuple[tuple[str, int], ...]
    example: Example | None
    varied: bool | None
    reproducible: bool | None
    peeks: bool | None

    @property
    def faults(self) -> Counter[str]:
        """How many samples were faulty, by the kind of fault."""
        return Counter(dict(self.kinds))

    @property
    def rate(self) -> Fraction | None:
        """The share of samples that were consistent."""
        return Fraction(self.consistent, self.samples) if self.samples else None

    @property
    def is_good(self) -> bool:
        """Whether every sample was there and consistent, and the sampler varies, can be repeated and never peeks."""
        whole = self.samples == self.consistent > 0 and not self.unavailable
        return bool(whole and self.varied and self.reproducible and not self.peeks)

    def as_dict(self) -> dict[str, Any]:
        """The report as plain numbers and words, for JSON."""
        plain = {name: value for name, value in vars(self).items() if name not in ("kinds", "example")}
        example = self.example and {"place": self.example.place, "what": self.example.fault.words}
        return plain | {"faults": dict(self.kinds), "example": example, "good": self.is_good}

    def __str__(self) -> str:
        return "\n".join(self._lines())

    def _lines(self) -> Iterator[str]:
        where = f"at {self.positions:,} positions of {self.games:,} games"
        if self.rate is None:
            yield f"no samples {where}: {self.unavailable:,} refused"
            return
        refused = f", {self.unavailable:,} refused" if self.unavailable else ""
        share = f"{self.consistent:,} consistent ({float(self.rate):.1%}"[:-1] + " %)"
        yield f"{self.samples:,} samples {where}: {share}{refused}"
        for kind, count in self.kinds:
            yield f"{kind}: {count:,}"
        if self.example:
            yield f"first: {self.example.place}: {self.example.fault.words}"
        answers = {"varied": self.varied, "reproducible": self.reproducible, "reads the true state": self.peeks}
        yield ", ".join(f"{name}: {_ANSWERS[answer]}" for name, answer in answers.items())


_ANSWERS = {True: "yes", False: "no", None: "not known"}


def check_sampler(
    form: AnyExtensiveForm,
    sampler: Sampler,
    *,
    games: int = 20,
    samples: int = 5,
    seed: int = 0,
    most_moves: int = 1000,
    most_positions: int = MOST_POSITIONS,
) -> SamplerReport:
    """Play random games, ask for samples at every player's turn, and check them all.

    Whether the sampler peeks is found out by asking again in another world of the same information set: one of all that
    there are in a game of at most ``most_positions``, otherwise one that the sampler has given itself.
    """
    expect_whole("the number of games", games, 1, MOST_GAMES)
    expect_whole("the number of samples", samples, 1, MOST_SAMPLES)
    check = _Check(form, sampler, samples, worlds_by_set(form, most_positions))
    for game in range(1, games + 1):
        check.play(f"{seed}/{game}", f"game {game}", most_moves)
    return check.report(games)


@dataclass
class _Check:
    """The state of a check: what was asked so far, and what came of it."""

    form: AnyExtensiveForm
    sampler: Sampler
    samples: int
    worlds: dict[SetKey, list[World]] | None
    positions: int = 0
    given: int = 0
    unavailable: int = 0
    kinds: Counter[str] = field(default_factory=Counter)
    example: Example | None = None
    varied: bool | None = None
    reproducible: bool | None = None
    peeks: bool | None = None

    def play(self, seed: str, name: str, most_moves: int) -> None:
        """A random game, with samples at every player's turn."""
        rng, position = Random(seed), self.form.root
        history: list[Any] = []
        turns: defaultdict[int, list[PlayerTurn]] = defaultdict(list)
        while len(history) < most_moves:
            mover = self.form.to_move(position)
            if mover is None:
                return
            moves = self.form.moves(position)
            if mover == CHANCE:
                move = rng.choices(moves, list(map(float, self.form.chances(position))))[0]
            else:
                move = rng.choice(moves)
                knows = self.form.information_set(position)
                replay = _Replay(self.form, mover, [*turns[mover], PlayerTurn(knows)], tuple(history))
                self.ask(replay, position, f"{seed}/{len(history)}", f"{name}, {_after(history)}")
                turns[mover].append(PlayerTurn(knows, move))
            history.append(move)
            position = self.form.play(position, move)

    def ask(self, replay: _Replay, position: Any, seed: str, place: str) -> None:
        """Ask for samples at one position, and check them."""
        self.positions += 1
        drawn = self.draw(position, replay.player, seed)
        given = [sample for sample in drawn if sample is not None]
        self.unavailable += len(drawn) - len(given)
        if not given:
            return
        again = self.draw(position, replay.player, seed, most=1)
        self.varied = bool(self.varied) or any(sample != given[0] for sample in given)
        self.reproducible = self.reproducible is not False and again == drawn[:1]
        faults = [replay.fault(sample) for sample in given]
        self.count(faults, f"{place}, {self.form.players[replay.player]} to move")
        consistent = [sample for sample, fault in zip(given, faults, strict=True) if not fault]
        twin = self.twin(replay, consistent, seed)
        if twin is not None:
            elsewhere = self.draw(_position(self.form, twin), replay.player, seed)
            self.peeks = bool(self.peeks) or elsewhere != drawn

    def draw(self, position: Any, player: int, seed: str, most: int | None = None) -> list[Any]:
        """Samples by seeds that are all different."""
        numbers = range(self.samples if most is None else most)
        return [_plain(self.sampler(position, player, Random(f"{seed}/{number}"))) for number in numbers]

    def count(self, faults: Iterable[Fault | None], place: str) -> None:
        """Enter what is wrong with the samples of a position."""
        for fault in faults:
            self.given += 1
            if fault:
                self.kinds[fault.kind] += 1
                self.example = self.example or Example(place, fault)

    def twin(self, replay: _Replay, consistent: Sequence[History], seed: str) -> History | None:
        """Another world of the player's information set, if one is known."""
        others = consistent
        if self.worlds is not None:
            others = [history for history, _ in self.worlds[replay.player, replay.turns[-1].knows]]
            Random(seed).shuffle(others)
        for history in others:
            if tuple(history) != replay.truth and not replay.fault(history):
                return history
        return None

    def report(self, games: int) -> SamplerReport:
        """What was found."""
        wrong = sum(self.kinds.values())
        return SamplerReport(
            games,
            self.positions,
            self.given,
            self.given - wrong,
            self.unavailable,
            tuple((str(kind), count) for kind, count in self.kinds.most_common()),
            self.example,
            self.varied,
            self.reproducible,
            self.peeks,
        )


def _plain(sample: Any) -> Any:
    """A list of moves as a tuple, so that samples compare."""
    return tuple(sample) if isinstance(sample, list) else sample


def _after(history: History) -> str:
    return f"after {len(history)} moves" if len(history) != 1 else "after 1 move"


# ---------------------------------------------------------------------- all worlds of a small game

SetKey = tuple[int, "Hashable"]
"""A player and his information set."""

World = tuple[History, Fraction]
"""A history, and how likely it is."""


def worlds_by_set(form: AnyExtensiveForm, most_positions: int = MOST_POSITIONS) -> dict[SetKey, list[World]] | None:
    """Every information set's histories, each with its probability if all players play at random.

    None if the game has more positions than that.
    """
    found: dict[SetKey, list[World]] = defaultdict(list)
    waiting: list[tuple[Any, tuple[Any, ...], Fraction]] = [(form.root, (), Fraction(1))]
    for _ in range(most_positions):
        if not waiting:
            return dict(found)
        position, history, probability = waiting.pop()
        mover = form.to_move(position)
        if mover is None:
            continue
        moves = form.moves(position)
        if mover != CHANCE:
            found[mover, form.information_set(position)].append((history, probability))
        chances = form.chances(position) if mover == CHANCE else [Fraction(1, len(moves))] * len(moves)
        for move, chance in zip(moves, chances, strict=True):
            if chance:
                waiting.append((form.play(position, move), (*history, move), probability * chance))
    return None if waiting else dict(found)


@dataclass(frozen=True, eq=False)
class ExactSampler:
    """Draws a world from all there are, as likely as it is if all players play at random; for small games.

    Players must have perfect recall, so that an information set says what was known and done before.

    >>> from worldwise.extensive import ImpModel
    >>> ExactSampler(ImpModel(k=2, b=2, d=3))(position=(0, (1,)), player=0, rng=Random(1))
    (1, 1)
    """

    form: AnyExtensiveForm
    most_positions: int = MOST_POSITIONS

    @cached_property
    def _worlds(self) -> dict[SetKey, list[World]]:
        worlds = worlds_by_set(self.form, self.most_positions)
        if worlds is None:
            raise GameError(f"expected a game of at most {self.most_positions:,} positions, found more")
        return worlds

    def __call__(self, position: Any, player: int, rng: Random) -> History:
        """A history in the information set of the position."""
        worlds = self._worlds[player, self.form.information_set(position)]
        return rng.choices(worlds, [float(probability) for _, probability in worlds])[0][0]
