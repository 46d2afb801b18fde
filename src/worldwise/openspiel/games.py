"""OpenSpiel's games as extensive forms, ours as OpenSpiel's, and OpenSpiel's sampler of hidden worlds.

OpenSpiel is not installed with worldwise: ``pip install 'worldwise[openspiel]'``. It gives probabilities and returns as
floats; what was meant by them is found again, so that everything here is exact. On an error it also prints a line of
its own, which cannot be switched off.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property, lru_cache
from hashlib import blake2b
from math import isfinite
from random import Random
from typing import TYPE_CHECKING, Any

from worldwise.core.game import CHANCE
from worldwise.core.result import NO_LIMIT, Limit
from worldwise.core.vector import exact_number
from worldwise.errors import GameError, InputError, UnknownNameError
from worldwise.extensive.building import MOST_NODES, write_out
from worldwise.extensive.efg import efg_text
from worldwise.extras import import_extra

if TYPE_CHECKING:
    from collections.abc import Hashable

    from worldwise.core.game import Rational
    from worldwise.extensive.game import Event, ExtensiveGame

CLOSE = Fraction(1, 10**12)
"""A probability is never further from the float that OpenSpiel gives."""

_TERMINAL = -4  # pyspiel.PlayerId.TERMINAL, a comparison with which takes ten times as long


@dataclass(frozen=True, eq=False)
class OpenSpielForm:
    """A game of OpenSpiel as an ``ExtensiveForm``: by its name, parameters included, or as a ``pyspiel.Game``.

    Positions are OpenSpiel's states, moves its action numbers, information sets its information states. Where players
    move at once they move in turn, none seeing the others' moves. In games of perfect information a player knows the
    whole history. Where the game tells only what can be seen at each moment, a player knows all that he has seen and
    done, and positions are ``Watched``.

    >>> form = OpenSpielForm("liars_dice(dice_sides=3)")
    >>> form.players, form.chances(form.root)
    (('player 0', 'player 1'), (Fraction(1, 3), Fraction(1, 3), Fraction(1, 3)))
    """

    source: Any

    def __post_init__(self) -> None:
        _ = self.game  # refuses what is no game, or none that can be written in extensive form

    @cached_property
    def game(self) -> Any:
        """The ``pyspiel.Game``, with moves in turn."""
        pyspiel = import_extra("pyspiel", "openspiel")
        given = _load_game(pyspiel, self.source) if isinstance(self.source, str) else self.source
        if not isinstance(given, pyspiel.Game):
            raise InputError(f"expected the name of an OpenSpiel game, or a pyspiel.Game, found {given!r}")
        fault = _fault(pyspiel, given.get_type())
        if fault:
            raise GameError(fault, f"OpenSpiel's {_title(given)}")
        simultaneous = given.get_type().dynamics == pyspiel.GameType.Dynamics.SIMULTANEOUS
        return pyspiel.convert_to_turn_based(given) if simultaneous else given

    @property
    def title(self) -> str:
        """The game's name in OpenSpiel, with the parameters that are not as usual."""
        return self.source if isinstance(self.source, str) else _title(self.source)

    # ------------------------------------------------------------------ the game

    @cached_property
    def players(self) -> tuple[str, ...]:
        """OpenSpiel's players have numbers only: ``player 0``, ``player 1`` ..."""
        return tuple(f"player {number}" for number in range(self.game.num_players()))

    @cached_property
    def root(self) -> Any:
        """The first state."""
        state = self.game.new_initial_state()
        if not self.is_watched:
            return state
        return Watched(
            state, tuple(SeenHistory(name, state.observation_string(n)) for n, name in enumerate(self.players))
        )

    def to_move(self, position: Any) -> int | None:
        """The player to move, or ``CHANCE``; None when the game is over."""
        player: int = position.current_player()
        return None if player == _TERMINAL else player

    def moves(self, position: Any) -> list[int]:
        """OpenSpiel's numbers of the legal actions, in its order."""
        legal: list[int] = position.legal_actions()
        return legal

    def play(self, position: Any, move: int) -> Any:
        """The state after a move, which must be legal: OpenSpiel does not look."""
        return position.child(move)

    def chances(self, position: Any) -> tuple[Fraction, ...]:
        """The fractions that are meant by OpenSpiel's floats."""
        outcomes = dict(position.chance_outcomes())
        return meant_probabilities(tuple(outcomes[move] for move in position.legal_actions()))

    def information_set(self, position: Any) -> Hashable:
        """OpenSpiel's information state of the player to move, or all he has seen and done."""
        if self._is_open:
            return tuple(position.history())
        if self.is_watched:
            seen: SeenHistory = position.seen[position.current_player()]
            return seen
        state: str = position.information_state_string()
        return state

    def payoffs(self, position: Any) -> tuple[Rational, ...]:
        """What each player gets."""
        return _exact_returns(tuple(position.returns()))

    def move_label(self, position: Any, move: int) -> str:
        """What OpenSpiel calls a legal move."""
        label: str = position.action_to_string(position.current_player(), move)
        return label

    @cached_property
    def is_watched(self) -> bool:
        """Whether the game has no information states, so that what a player knows is put together from what he sees."""
        return not (self._is_open or self.game.get_type().provides_information_state_string)

    @cached_property
    def _is_open(self) -> bool:
        return _is_open(import_extra("pyspiel", "openspiel"), self.game.get_type())

    def __repr__(self) -> str:
        return f"OpenSpielForm({self.title!r})"


@dataclass(frozen=True, slots=True)
class SeenHistory:
    """What a player has seen and done: what he sees ``now``, and a digest of all before; at first, who he is."""

    before: str
    now: str

    def after(self, move: int | None, now: str) -> SeenHistory:
        """The same, once he has moved, or sees something else."""
        if move is None and now == self.now:
            return self
        told = f"{self.before}|{self.now}|{move}".encode()
        return SeenHistory(blake2b(told, digest_size=16).hexdigest(), now)

    def __str__(self) -> str:
        return self.now


class Watched:
    """A state of OpenSpiel's, with what each player has seen and done on the way; the state says the rest."""

    __slots__ = ("seen", "state")

    def __init__(self, state: Any, seen: tuple[SeenHistory, ...]) -> None:
        self.state, self.seen = state, seen

    def child(self, move: int) -> Watched:
        """The state after a move, and what everybody sees of it."""
        mover, after = self.state.current_player(), self.state.child(move)
        seen = (
            one.after(move if player == mover else None, after.observation_string(player))
            for player, one in enumerate(self.seen)
        )
        return Watched(after, tuple(seen))

    def __getattr__(self, name: str) -> Any:
        return getattr(self.state, name)


def load_open_spiel(name: Any, *, most_nodes: int = MOST_NODES, limit: Limit = NO_LIMIT) -> ExtensiveGame:
    """The whole tree of an OpenSpiel game: by its name, parameters included, or of a ``pyspiel.Game``.

    >>> load_open_spiel("kuhn_poker")
    ExtensiveGame('kuhn_poker', 58 nodes, players 'player 0', 'player 1')
    """
    form = OpenSpielForm(name)
    return write_out(form, title=form.title, most_nodes=most_nodes, limit=limit)


def to_open_spiel(game: ExtensiveGame) -> Any:
    """Our game as a ``pyspiel.Game``, through the text of a ``.efg`` file.

    OpenSpiel takes actions of one name for one action, so where names do not tell them apart they are numbered.

    >>> from worldwise.extensive import from_world_game
    >>> from worldwise import tree
    >>> to_open_spiel(from_world_game(tree("fb01/fig-3"))).num_players()
    2
    """
    pyspiel = import_extra("pyspiel", "openspiel")
    told_apart = replace(game, events=tuple(map(_tell_apart, game.events)))
    try:
        return pyspiel.load_efg_game(efg_text(told_apart, portable=True))
    except pyspiel.SpielError as error:
        raise GameError(f"OpenSpiel does not take it: {error}", game.title) from None


def _tell_apart(event: Event) -> Event:
    if len({" ".join(action.split()) for action in event.actions}) == len(event.actions):
        return event
    return replace(event, actions=tuple(f"{number} {action}".strip() for number, action in enumerate(event.actions, 1)))


# ---------------------------------------------------------------------- exact numbers


@lru_cache(maxsize=1024)
def meant_probabilities(floats: tuple[float, ...]) -> tuple[Fraction, ...]:
    """The simplest fractions that sum to exactly one and are, but for rounding, these floats.

    >>> meant_probabilities((0.1, 0.7, 0.2))
    (Fraction(1, 10), Fraction(7, 10), Fraction(1, 5))
    >>> set(meant_probabilities((1 / 52,) * 52))
    {Fraction(1, 52)}
    """
    bounds = (len(floats), *(10**digits for digits in range(1, 17))) if all(map(isfinite, floats)) else ()
    for bound in bounds:
        fractions = tuple(Fraction(number).limit_denominator(bound) for number in floats)
        if sum(fractions) == 1 and all(map(_is_close, fractions, floats)):
            return fractions
    raise GameError(f"expected probabilities that sum to 1, found {', '.join(map(str, floats))}")


def _is_close(fraction: Fraction, number: float) -> bool:
    return fraction >= 0 and abs(fraction - Fraction(number)) <= CLOSE


@lru_cache(maxsize=1 << 16)
def _exact_returns(returns: tuple[float, ...]) -> tuple[Rational, ...]:
    return tuple(map(exact_number, returns))


# ---------------------------------------------------------------------- what can be loaded


def _load_game(pyspiel: Any, name: str) -> Any:
    """A game by name. Names are looked up first, as OpenSpiel prints a page about one that it does not know."""
    short = name.partition("(")[0].strip()
    if short not in pyspiel.registered_names():
        raise UnknownNameError("OpenSpiel game", short, sorted(pyspiel.registered_names()))
    try:
        return pyspiel.load_game(name)
    except Exception as error:  # a missing parameter is an IndexError in some games, a SpielError in most
        raise InputError(f"OpenSpiel cannot load {name!r}: {error}{_parameters_hint(pyspiel, short, name)}") from None


def _parameters_hint(pyspiel: Any, short: str, name: str) -> str:
    """Which parameters a game takes that cannot do without."""
    kind = next(kind for kind in pyspiel.registered_games() if kind.short_name == short)
    if kind.default_loadable or name.strip() != short:
        return ""
    return f"; expected {short}({', '.join(f'{parameter}=...' for parameter in kind.parameter_specification)})"


def _fault(pyspiel: Any, kind: Any) -> str | None:
    """Why a game has no extensive form that we could write down; None if it has."""
    told = kind.provides_information_state_string or kind.provides_observation_string or _is_open(pyspiel, kind)
    if kind.dynamics == pyspiel.GameType.Dynamics.MEAN_FIELD:
        return "expected a game of players, found a mean-field game"
    if kind.action_structs_only:
        return "expected moves with numbers, found a game whose moves are structures only"
    if kind.chance_mode == pyspiel.GameType.ChanceMode.SAMPLED_STOCHASTIC:
        return "expected chance moves with probabilities, found a game that draws them unseen"
    return None if told else "expected information states or observations, found a game that tells neither"


def _is_open(pyspiel: Any, kind: Any) -> bool:
    """Whether everybody sees everything, and nobody moves at the same time as another."""
    perfect, sequential = pyspiel.GameType.Information.PERFECT_INFORMATION, pyspiel.GameType.Dynamics.SEQUENTIAL
    return bool(kind.information == perfect and kind.dynamics == sequential)


def _title(game: Any) -> str:
    return str(game).removesuffix("()")


# ---------------------------------------------------------------------- hidden worlds


@dataclass(frozen=True, eq=False)
class OpenSpielSampler:
    """OpenSpiel's own ``resample_from_infostate`` as a sampler; ``worldwise.extensive.sampling`` checks it.

    Most games have none: then every sample is refused (None).
    """

    form: OpenSpielForm

    def __call__(self, position: Any, player: int, rng: Random) -> list[int] | None:
        """The moves that lead to the world sampled, those of chance included."""
        return self._sample(position, player, rng) if self.is_there else None

    @cached_property
    def is_there(self) -> bool:
        """Whether the game has a sampler, found out by asking once: OpenSpiel prints a line whenever it refuses."""
        rng, position = Random(0), self.form.root
        while self.form.to_move(position) == CHANCE:
            position = self.form.play(position, rng.choice(self.form.moves(position)))
        player = self.form.to_move(position)
        return player is not None and self._sample(position, player, rng) is not None

    @staticmethod
    def _sample(position: Any, player: int, rng: Random) -> list[int] | None:
        try:
            history: list[int] = position.resample_from_infostate(player, rng.random).history()
        except import_extra("pyspiel", "openspiel").SpielError:
            return None
        return history
