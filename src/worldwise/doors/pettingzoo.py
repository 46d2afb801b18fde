"""Any ``Game`` as a PettingZoo environment, in which agents move in turn (AEC): for whoever wants to learn to play it.

Needs ``pip install 'worldwise[pettingzoo]'``. Agents are ``player_0``, ``player_1`` ... in the order of the game's
players. Moves have numbers (``core/numbering.py``), and an observation is a dictionary: ``observation``, what the
agent has observed, and ``action_mask``, which moves are legal. Chance moves by itself. Rewards are the payoffs, at the
end.
"""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING, Any

import numpy as np

from worldwise.core.game import CHANCE, Shown
from worldwise.core.numbering import survey, text_of
from worldwise.errors import InputError
from worldwise.extras import import_extra
from worldwise.players.game_match import seats_of

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable, Sequence

    from numpy.typing import NDArray

    from worldwise.core.game import AnyGame

    Encoder = Callable[[Any, Any], Sequence[float] | NDArray[np.float32]]


class TextEncoder:
    """An observation as the bytes of its text, zeros behind: enough for tables; for networks give your own."""

    def __init__(self, longest: int) -> None:
        self.longest = longest

    def __call__(self, observation: Any, _player: Any) -> NDArray[np.uint8]:
        """Always equally long."""
        told = np.frombuffer(text_of(observation).encode(), dtype=np.uint8)
        if len(told) > self.longest:
            raise InputError(f"expected observations of {self.longest} bytes at most, found {len(told)}: say longest=")
        return np.pad(told, (0, self.longest - len(told)))


class GameEnvironment:
    """What PettingZoo asks; ``make_environment`` makes an ``AECEnv`` of it."""

    def __init__(self, game: AnyGame, moves: Iterable[Hashable] | None, longest: int, encode: Encoder | None) -> None:
        spaces = import_extra("gymnasium", "pettingzoo").spaces
        self.game, self.seats = game, seats_of(game)
        found = survey(game, self.seats, moves)
        self.numbers = found.numbers
        self.encode: Any = encode or TextEncoder(longest or found.longest_text * (1 if found.complete else 2))
        self.possible_agents = [f"player_{number}" for number in range(len(self.seats))]
        self.metadata = {"name": type(game).__name__, "render_modes": ["ansi"], "is_parallelizable": False}
        self.render_mode = "ansi"
        self._seat_of: dict[str, Any] = dict(zip(self.possible_agents, self.seats, strict=True))
        self._spaces = {agent: self._space(spaces, seat) for agent, seat in self._seat_of.items()}
        self._actions = {agent: spaces.Discrete(len(self.numbers)) for agent in self.possible_agents}
        self._rng = Random()

    def _space(self, spaces: Any, seat: Hashable) -> Any:
        first = np.asarray(self.encode(self.game.observe(self.game.deal(Random(0)), seat), seat))
        is_text = isinstance(self.encode, TextEncoder)
        seen = spaces.Box(0, 255, first.shape, np.uint8) if is_text else spaces.Box(-np.inf, np.inf, first.shape)
        return spaces.Dict({"observation": seen, "action_mask": spaces.Box(0, 1, (len(self.numbers),), np.int8)})

    def observation_space(self, agent: str) -> Any:
        """What observations look like."""
        return self._spaces[agent]

    def action_space(self, agent: str) -> Any:
        """The numbers of all moves."""
        return self._actions[agent]

    # ------------------------------------------------------------------ play

    def reset(self, seed: int | None = None, options: Any = None) -> None:  # noqa: ARG002
        """A new game; the seed says which deal it is, and how chance moves."""
        if seed is not None:
            self._rng = Random(seed)
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.position = self.game.deal(self._rng)
        self._let_chance_move()
        self.agent_selection = self._agent_to_move() or self.agents[0]

    def observe(self, agent: str) -> dict[str, Any]:
        """What an agent has observed, and which moves it has: none while it waits."""
        seat = self._seat_of[agent]
        told = np.asarray(self.encode(self.game.observe(self.position, seat), seat))
        mask = np.zeros(len(self.numbers), np.int8)
        if self._agent_to_move() == agent:
            mask[list(map(self.numbers.number, self.game.moves(self.position)))] = 1
        space = self._spaces[agent]["observation"]
        return {"observation": told.astype(space.dtype), "action_mask": mask}

    def step(self, action: int | None) -> None:
        """The agent whose turn it is moves."""
        agent = self.agent_selection
        if self.terminations[agent]:
            self._was_dead_step(action)  # type: ignore[attr-defined]
            return
        self._cumulative_rewards[agent] = 0.0
        self.position = self.game.play(self.position, self._legal(agent, action))
        self._let_chance_move()
        following = self._agent_to_move()
        if following is None:
            self.rewards = {one: float(self.game.payoff(self.position, self._seat_of[one])) for one in self.agents}
            self.terminations = dict.fromkeys(self.agents, True)
            place = self.possible_agents.index(agent) + 1
            following = self.possible_agents[place % len(self.possible_agents)]
        self.agent_selection = following
        self._accumulate_rewards()  # type: ignore[attr-defined]

    def _legal(self, agent: str, action: int | None) -> Any:
        legal = sorted(map(self.numbers.number, self.game.moves(self.position)))
        if action is None or int(action) not in legal:
            raise InputError(f"expected one of {agent}'s actions {', '.join(map(str, legal))}, found {action!r}")
        return self.numbers.move(int(action))

    def _agent_to_move(self) -> str | None:
        mover = self.game.to_move(self.position)
        return None if mover is None else self.possible_agents[self.seats.index(mover)]

    def _let_chance_move(self) -> None:
        while CHANCE not in self.seats and self.game.to_move(self.position) == CHANCE:
            shares = [float(share) for share in self.game.chances(self.position)]  # type: ignore[attr-defined]
            move = self._rng.choices(list(self.game.moves(self.position)), shares)[0]
            self.position = self.game.play(self.position, move)

    def render(self) -> str:
        """What the agent to move sees."""
        seat = self._seat_of[self.agent_selection]
        seen = self.game.observe(self.position, seat)
        return self.game.show(seen, seat) if isinstance(self.game, Shown) else text_of(seen)

    def close(self) -> None:
        """Nothing is open."""


def make_environment(
    game: AnyGame,
    *,
    moves: Iterable[Hashable] | None = None,
    longest: int = 0,
    encode: Encoder | None = None,
) -> Any:
    """A ``Game`` as a PettingZoo ``AECEnv``.

    ``moves`` are all moves that players have, in the order of their numbers, and ``longest`` is how many bytes the text
    of an observation may have; what is not said is found out, by looking at the whole game if it is small, otherwise by
    random plays. ``encode(observation, player)`` makes numbers of an observation, always equally many.

    >>> from worldwise.phantom import Phantom
    >>> environment = make_environment(Phantom())
    >>> environment.reset(seed=1)
    >>> environment.step(4)
    >>> environment.agent_selection, environment.last()[0]["action_mask"].tolist()
    ('player_1', [1, 1, 1, 1, 1, 1, 1, 1, 1])
    """
    import_extra("pettingzoo", "pettingzoo")
    base = import_extra("pettingzoo.utils.env", "pettingzoo").AECEnv
    return type("WorldwiseEnvironment", (GameEnvironment, base), {})(game, moves, longest, encode)
