"""A ``Game`` of rules as a ``pyspiel.Game``: written once here, and every algorithm of OpenSpiel's plays it.

Chance deals first. If the game lists its deals, OpenSpiel has them with their probabilities; otherwise so many deals
are drawn once and for all, by a seed, and each is as likely as another. Moves have numbers (``core/numbering.py``),
and an information state is the text of all that a player has observed.
"""

from __future__ import annotations

from itertools import islice
from random import Random
from typing import TYPE_CHECKING, Any

from worldwise.core.game import CHANCE, Dealt, Labelled
from worldwise.core.numbering import MOST_POSITIONS, Survey, survey, text_of
from worldwise.core.tracking import MOST_HISTORIES, TrackedBelief
from worldwise.errors import InputError, expect_whole
from worldwise.extras import import_extra
from worldwise.players.game_match import seats_of

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Sequence

    from worldwise.core.game import AnyGame

DEALS = 10_000
"""How many deals are drawn of a game that has more than it can list."""

_CHANCE, _TERMINAL = -1, -4  # pyspiel.PlayerId's, a comparison with which takes ten times as long


class GameRules:
    """What a ``pyspiel.Game`` made of our rules is told, beside what OpenSpiel wants of it."""

    def __init__(self, game: AnyGame, name: str, deals: int, moves: Iterable[Hashable] | None, longest: int) -> None:
        expect_whole("deals", deals, 1, 1_000_000)
        self.told = (game, name, deals, moves, longest)
        self.game, self.name, self.seats = game, name, seats_of(game)
        self.found: Survey = survey(game, self.seats, moves)
        self.longest = longest or self.found.longest
        listed = list(islice(game.deals(), MOST_POSITIONS + 1)) if isinstance(game, Dealt) else []
        self.drawn = deals if not 0 < len(listed) <= MOST_POSITIONS else 0
        self.listed: Sequence[tuple[Any, Any]] = () if self.drawn else [one for one in listed if one[1]]
        count = self.drawn or len(self.listed)
        self.shares = [float(share) for _, share in self.listed] or [1 / count] * count
        self.has_deal = count > 1
        self._beliefs: dict[tuple[int, int, int], tuple[tuple[Hashable, ...], TrackedBelief]] = {}

    def deal(self, number: int) -> Any:
        """A first position."""
        return self.game.deal(Random(number)) if self.drawn else self.listed[number][0]

    def kinds(self, pyspiel: Any) -> tuple[Any, Any]:
        """OpenSpiel's records of what the game is."""
        kind, found, count = pyspiel.GameType, self.found, len(self.seats)
        title = self.name or f"worldwise_{type(self.game).__name__}"
        chance = kind.ChanceMode.EXPLICIT_STOCHASTIC if self._has_chance else kind.ChanceMode.DETERMINISTIC
        told = kind(
            short_name=title,
            long_name=title,
            dynamics=kind.Dynamics.SEQUENTIAL,
            chance_mode=chance,
            information=kind.Information.IMPERFECT_INFORMATION,
            utility=kind.Utility.ZERO_SUM if found.is_zero_sum else kind.Utility.GENERAL_SUM,
            reward_model=kind.RewardModel.TERMINAL,
            max_num_players=count,
            min_num_players=count,
            provides_information_state_string=True,
            provides_information_state_tensor=False,
            provides_observation_string=True,
            provides_observation_tensor=False,
        )
        info = pyspiel.GameInfo(
            num_distinct_actions=len(found.numbers),
            max_chance_outcomes=max(len(self.shares), found.most_chances) if self._has_chance else 0,
            num_players=count,
            min_utility=found.payoffs[0],
            max_utility=found.payoffs[1],
            utility_sum=0.0 if found.is_zero_sum else None,
            max_game_length=self.longest,
        )
        return told, info

    def belief(self, player: int, seen: Sequence[Hashable], most: int = MOST_HISTORIES, seed: int = 0) -> TrackedBelief:
        """What a player holds possible who has observed all this; the last one is kept, and goes on where it can."""
        before, belief = self._beliefs.get((player, most, seed), ((), None))
        if belief is None or tuple(seen[: len(before)]) != before:
            before = (seen[0],)
            belief = TrackedBelief.start(self.game, self.seats[player], seen[0], most=most, seed=seed)
        for one in seen[len(before) :]:
            belief = belief.after(one)
        self._beliefs[player, most, seed] = tuple(seen), belief
        return belief

    @property
    def _has_chance(self) -> bool:
        return self.has_deal or self.found.most_chances > 1


class Path(list[Any]):
    """Every position since the deal. OpenSpiel clones a state by a deep copy of what it has: positions never change."""

    def __deepcopy__(self, _memo: Any) -> Path:
        return Path(self)


class Observer:
    """What OpenSpiel asks for text; there are no tensors."""

    tensor: Any = None

    def __init__(self) -> None:
        self.dict: dict[str, Any] = {}

    def set_from(self, state: Any, player: int) -> None:
        """Nothing to fill."""

    def string_from(self, state: Any, player: int) -> str:
        """All that the player has observed."""
        told: str = state.information_state_string(player)
        return told


class RulesMethods:
    """What OpenSpiel asks of a state; ``open_spiel_rules`` makes a ``pyspiel.State`` of it.

    ``path`` has every position since the deal, which is what observations are made of; before the deal it is empty.
    """

    rules: GameRules

    def __init__(self, owner: Any) -> None:
        import_extra("pyspiel", "openspiel").State.__init__(self, owner)
        self.path = Path([] if self.rules.has_deal else [self.rules.deal(0)])

    # ------------------------------------------------------------------ the game

    def current_player(self) -> int:
        """Whose turn it is."""
        if not self.path:
            return _CHANCE
        mover = self.rules.game.to_move(self.path[-1])
        if mover is None:
            return _TERMINAL
        return _CHANCE if mover == CHANCE and CHANCE not in self.rules.seats else self.rules.seats.index(mover)

    def _legal_actions(self, _player: int) -> list[int]:
        return sorted(map(self.rules.found.numbers.number, self.rules.game.moves(self.path[-1])))

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Deals by number, or the places of chance's moves."""
        if not self.path:
            return list(enumerate(self.rules.shares))
        shares = self.rules.game.chances(self.path[-1])  # type: ignore[attr-defined]
        return [(place, float(share)) for place, share in enumerate(shares)]

    def _apply_action(self, number: int) -> None:
        if not self.path:
            self.path.append(self.rules.deal(number))
            return
        self.path.append(self.rules.game.play(self.path[-1], self._move(number)))

    def _move(self, number: int) -> Any:
        if self.current_player() == _CHANCE:
            return self.rules.game.moves(self.path[-1])[number]
        return self.rules.found.numbers.move(number)

    def _action_to_string(self, _player: int, number: int) -> str:
        if not self.path:
            return f"deal {number}"
        move = self._move(number)
        game = self.rules.game
        return game.move_label(self.path[-1], move) if isinstance(game, Labelled) else str(move)

    def is_terminal(self) -> bool:
        """Whether the game is over."""
        return bool(self.path) and self.rules.game.to_move(self.path[-1]) is None

    def returns(self) -> list[float]:
        """What everybody gets at the end, and nothing before."""
        over = self.is_terminal()
        return [float(self.rules.game.payoff(self.path[-1], seat)) if over else 0.0 for seat in self.rules.seats]

    def __str__(self) -> str:
        return text_of(self.path[-1]) if self.path else "before the deal"

    # ------------------------------------------------------------------ what is known

    def information_state_string(self, player: int | None = None) -> str:
        """All that a player has observed."""
        seat = self.rules.seats[self.current_player() if player is None else player]
        return text_of(self.rules.game.observe(self.path[-1], seat)) if self.path else ""

    observation_string = information_state_string

    def observations(self, player: int) -> list[Hashable]:
        """What a player has observed at every position since the deal, the end of the game left out."""
        seen = [self.rules.game.observe(position, self.rules.seats[player]) for position in self.path]
        return seen[:-1] if self.is_terminal() else seen

    def resample_from_infostate(self, player: int, probability_sampler: Any) -> Any:
        """A state that looks the same to a player; OpenSpiel does not learn by which moves it came about."""
        return self.replace_position(
            self.rules.belief(player, self.observations(player)).sample(Random(probability_sampler()))
        )

    def replace_position(self, position: Any) -> Any:
        """The state at another position that looks the same to whoever is to move."""
        other = type(self)(self.get_game())  # type: ignore[attr-defined]
        other.path = Path([*self.path[:-1], position])
        return other


def open_spiel_rules(
    game: AnyGame,
    name: str = "",
    *,
    deals: int = DEALS,
    moves: Iterable[Hashable] | None = None,
    longest: int = 0,
) -> Any:
    """A ``Game`` as a ``pyspiel.Game``. With a ``name`` it is registered: ``pyspiel.load_game(name)`` finds it.

    ``moves`` are all moves that players have, in the order of their numbers, and ``longest`` is the length of the
    longest play; what is not said is found out, by looking at the whole game if it is small, otherwise by random plays.

    >>> from worldwise.phantom import Phantom
    >>> game = open_spiel_rules(Phantom(2, 2, 2))
    >>> state = game.new_initial_state()
    >>> state.apply_action(0)
    >>> state.current_player(), state.legal_actions(), state.information_state_string(1)
    (1, [0, 1, 2, 3], "(Try(player='x', square=None, made=True))")
    """
    pyspiel = import_extra("pyspiel", "openspiel")
    rules = GameRules(game, name, deals, moves, longest)
    if name in pyspiel.registered_names():
        raise InputError(f"expected a name that OpenSpiel does not have yet, found {name!r}")
    told, info = rules.kinds(pyspiel)
    state_kind = type("RulesState", (RulesMethods, pyspiel.State), {"rules": rules})

    def begin(self: Any, params: Any = None) -> None:
        pyspiel.Game.__init__(self, told, info, params or {})

    members = {
        "__init__": begin,
        "__reduce__": lambda _: (_made_again, rules.told),
        "__deepcopy__": lambda self, _: self,
        "rules": rules,
        "new_initial_state": lambda self: state_kind(self),
        "make_py_observer": lambda *_: Observer(),
    }
    game_kind = type("RulesGame", (pyspiel.Game,), members)
    if name:
        pyspiel.register_game(told, game_kind)
    return game_kind()


def _made_again(game: AnyGame, name: str, *told: Any) -> Any:
    """A pickled game: by its name, where that is known."""
    pyspiel = import_extra("pyspiel", "openspiel")
    if name in pyspiel.registered_names():
        return pyspiel.load_game(name)
    return open_spiel_rules(game, name, **dict(zip(("deals", "moves", "longest"), told, strict=True)))
