"""OpenSpiel's games as extensive forms, ours as OpenSpiel's, and OpenSpiel's sampler of hidden worlds.

OpenSpiel is not installed with worldwise: ``pip install 'worldwise[openspiel]'``. It gives probabilities and returns as
floats; what was meant by them is found again, so that everything here is exact. On an error it also prints a line of
its own, which cannot be switched off.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property, lru_cache
from math import isfinite
from random import Random
from typing import TYPE_CHECKING, Any

from worldwise.core.game import CHANCE
from worldwise.core.vector import exact_number
from worldwise.errors import GameError, InputError, UnknownNameError
from worldwise.extensive.building import MOST_NODES, written_out
from worldwise.extensive.efg import efg_text
from worldwise.extras import needed

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
    whole history.

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
        pyspiel = needed("pyspiel", "openspiel")
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
        return self.game.new_initial_state()

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
        """OpenSpiel's information state of the player to move."""
        if self._is_open:
            return tuple(position.history())
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
    def _is_open(self) -> bool:
        kinds = needed("pyspiel", "openspiel").GameType.Information
        return bool(self.game.get_type().information == kinds.PERFECT_INFORMATION)

    def __repr__(self) -> str:
        return f"OpenSpielForm({self.title!r})"


def load_open_spiel(name: Any, *, most_nodes: int = MOST_NODES) -> ExtensiveGame:
    """The whole tree of an OpenSpiel game: by its name, parameters included, or of a ``pyspiel.Game``.

    >>> load_open_spiel("kuhn_poker")
    ExtensiveGame('kuhn_poker', 58 nodes, players 'player 0', 'player 1')
    """
    form = OpenSpielForm(name)
    return written_out(form, title=form.title, most_nodes=most_nodes)


def to_open_spiel(game: ExtensiveGame) -> Any:
    """Our game as a ``pyspiel.Game``, through the text of a ``.efg`` file.

    OpenSpiel takes actions of one name for one action, so where names do not tell them apart they are numbered.

    >>> from worldwise.extensive import from_world_game
    >>> from worldwise import tree
    >>> to_open_spiel(from_world_game(tree("fb01/fig-3"))).num_players()
    2
    """
    pyspiel = needed("pyspiel", "openspiel")
    told_apart = replace(game, events=tuple(map(_told_apart, game.events)))
    try:
        return pyspiel.load_efg_game(efg_text(told_apart, portable=True))
    except pyspiel.SpielError as error:
        raise GameError(f"OpenSpiel does not take it: {error}", game.title) from None


def _told_apart(event: Event) -> Event:
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
    except pyspiel.SpielError as error:
        raise InputError(f"OpenSpiel cannot load {name!r}: {error}") from None


def _fault(pyspiel: Any, kind: Any) -> str | None:
    """Why a game has no extensive form that we could write down; None if it has."""
    is_open = (kind.information, kind.dynamics) == (
        pyspiel.GameType.Information.PERFECT_INFORMATION,
        pyspiel.GameType.Dynamics.SEQUENTIAL,
    )
    if kind.dynamics == pyspiel.GameType.Dynamics.MEAN_FIELD:
        return "expected a game of players, found a mean-field game"
    if kind.action_structs_only:
        return "expected moves with numbers, found a game whose moves are structures only"
    if kind.chance_mode == pyspiel.GameType.ChanceMode.SAMPLED_STOCHASTIC:
        return "expected chance moves with probabilities, found a game that draws them unseen"
    if not (kind.provides_information_state_string or is_open):
        return "expected information states, found a game that has none: what a player knows is not told"
    return None


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
        except needed("pyspiel", "openspiel").SpielError:
            return None
        return history
