"""Our players as OpenSpiel's bots, and our samples of hidden worlds for OpenSpiel's searches.

A bot is shown the true state, as OpenSpiel does, and takes nothing from it but its own observations: it follows the
history of the game and asks at every step what its seat has seen. ``make_bot`` plays in ``evaluate_bots`` and wherever
else a ``pyspiel.Bot`` does. ``make_resampler`` goes into ``set_resampler`` of OpenSpiel's IS-MCTS, for games that have
no ``resample_from_infostate`` of their own, such as kriegspiel and phantom tic-tac-toe.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from random import Random
from typing import TYPE_CHECKING, Any

from worldwise.core.numbering import text_of
from worldwise.core.result import NO_LIMIT, Limit
from worldwise.core.tracking import MOST_HISTORIES, TrackedBelief
from worldwise.errors import GameError, InputError
from worldwise.extensive.form_game import FormGame
from worldwise.extras import import_extra
from worldwise.openspiel.games import OpenSpielForm
from worldwise.openspiel.own_rules import GameRules
from worldwise.players.any_game import Turn, game_player

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable

    from worldwise.core.game import AnyGame
    from worldwise.extensive.form_game import Reached
    from worldwise.players.any_game import GamePlayer


@dataclass
class SeatFollower:
    """What one seat of a game of OpenSpiel's holds possible, as the history of a game goes on."""

    game: FormGame
    seat: int
    most: int = MOST_HISTORIES
    seed: int = 0
    followed: list[int] = field(default_factory=list)
    position: Reached | None = None
    belief: TrackedBelief | None = None

    def follow(self, state: Any) -> TrackedBelief:
        """The belief at a state; only what its own seat observes on the way there counts."""
        history: list[int] = list(state.history())
        if self.position is None or self.belief is None or history[: len(self.followed)] != self.followed:
            self.position, self.followed = self.game.start(), []
            seen = self.game.observe(self.position, self.seat)
            self.belief = TrackedBelief.start(self.game, self.seat, seen, most=self.most, seed=self.seed)
        for move in history[len(self.followed) :]:
            self.position = self.game.play(self.position, move)
            self.belief = self.belief.after(self.game.observe(self.position, self.seat))
            self.followed.append(move)
        return self.belief

    def forget(self) -> None:
        """A new game begins."""
        self.position = self.belief = None

    def moves(self, state: Any) -> tuple[Any, ...]:
        """What our game calls the legal actions, in their order."""
        return tuple(state.legal_actions())

    def sample(self, state: Any, rng: Random) -> Any:
        """A state that looks the same to the seat."""
        return self.follow(state).sample(rng).node.clone()

    @property
    def name(self) -> Hashable:
        """What our game calls the seat."""
        return self.seat


@dataclass
class RulesFollower:
    """The same for a game of ours that OpenSpiel plays: its states have the positions."""

    rules: GameRules
    seat: int
    most: int = MOST_HISTORIES
    seed: int = 0

    @property
    def game(self) -> AnyGame:
        """Our own."""
        return self.rules.game

    @property
    def name(self) -> Hashable:
        """What our game calls the seat."""
        return self.rules.seats[self.seat]

    def follow(self, state: Any) -> TrackedBelief:
        """The belief at a state."""
        return self.rules.belief(self.seat, state.observations(self.seat), self.most, self.seed)

    def moves(self, state: Any) -> tuple[Any, ...]:
        """What our game calls the legal actions, in their order."""
        return tuple(map(self.rules.found.numbers.move, state.legal_actions()))

    def sample(self, state: Any, rng: Random) -> Any:
        """A state that looks the same to the seat."""
        return state.replace_position(self.follow(state).sample(rng))

    def forget(self) -> None:
        """A new game begins: nothing is kept."""


Follower = SeatFollower | RulesFollower


def _follower(game: Any, seat: int, most: int, seed: int) -> Follower:
    rules = getattr(game, "rules", None)
    if isinstance(rules, GameRules):
        return RulesFollower(rules, seat, most, seed)
    return SeatFollower(FormGame(_form(game)), seat, most, seed)


def _form(game: Any) -> OpenSpielForm:
    form = OpenSpielForm(game)
    if form.game != game:
        raise GameError("expected players who move in turn, found some who move at once: convert_to_turn_based helps")
    return form


class BotMethods:
    """What a ``pyspiel.Bot`` is asked, answered by a player of ours; ``make_bot`` makes a bot of it."""

    def __init__(self, player: GamePlayer, follower: Follower, limit: Limit) -> None:
        import_extra("pyspiel", "openspiel").Bot.__init__(self)
        self.player, self.follower, self.limit = player, follower, limit

    def restart(self) -> None:
        """A new game."""
        self.follower.forget()

    def restart_at(self, _state: Any) -> None:
        """A new game, some moves of which have been made: they are followed at the next step."""
        self.follower.forget()

    def inform_action(self, _state: Any, _player: int, _action: int) -> None:
        """Nothing to do: the next state has it in its history."""

    def step(self, state: Any) -> int:
        """The player's move; the same seed and the same observations give the same one."""
        belief, moves = self.follower.follow(state), self.follower.moves(state)
        rng = Random(f"{self.follower.seed} {state.move_number()} {text_of(belief.heard[-1])}")
        turn = Turn(self.follower.game, self.follower.name, moves, belief, rng, self.limit)
        legal: list[int] = state.legal_actions()
        return legal[moves.index(self.player.choose(turn))]

    def provides_policy(self) -> bool:
        """Its seed decides what it draws, so its policy is the one move that it makes."""
        return True

    def get_policy(self, state: Any) -> list[tuple[int, float]]:
        """All moves: the one it makes, for certain."""
        return self.step_with_policy(state)[0]

    def step_with_policy(self, state: Any) -> tuple[list[tuple[int, float]], int]:
        """Both."""
        made = self.step(state)
        return [(move, float(move == made)) for move in state.legal_actions()], made

    def clone(self) -> Any:
        """The same player, who follows the game anew."""
        follower = replace(self.follower)
        follower.forget()
        return type(self)(self.player, follower, self.limit)


def make_bot(
    player: GamePlayer | str,
    game: Any,
    seat: int,
    *,
    seed: int = 0,
    limit: Limit = NO_LIMIT,
    most: int = MOST_HISTORIES,
) -> Any:
    """A player of ours, or the name of one, as a ``pyspiel.Bot`` in a seat of a ``pyspiel.Game``.

    The limit is for every move, and the belief holds at most so many histories. The same seed makes the same moves.

    >>> import pyspiel
    >>> kuhn = pyspiel.load_game("kuhn_poker")
    >>> bots = [make_bot("pimc", kuhn, 0), make_bot("random", kuhn, 1)]
    >>> import numpy
    >>> from open_spiel.python.algorithms.evaluate_bots import evaluate_bots
    >>> sum(evaluate_bots(kuhn.new_initial_state(), bots, numpy.random.RandomState(1)))
    0.0
    """
    kind = type("WorldwiseBot", (BotMethods, import_extra("pyspiel", "openspiel").Bot), {})
    chosen = game_player(player) if isinstance(player, str) else player
    return kind(chosen, _follower(game, _check_seat(game, seat), most, seed), limit)


def _check_seat(game: Any, seat: int) -> int:
    if seat not in range(game.num_players()):
        raise InputError(f"expected a seat from 0 to {game.num_players() - 1}, found {seat!r}")
    return seat


def make_resampler(game: Any, *, seed: int = 0, most: int = MOST_HISTORIES) -> Callable[[Any, int], Any]:
    """What draws a state that looks the same to a player: ``bot.set_resampler(make_resampler(game))``.

    It never reads what the player does not see. Samples are drawn from a belief: the others have moved at random.

    >>> import pyspiel
    >>> game = pyspiel.load_game("phantom_ttt")
    >>> state = game.new_initial_state()
    >>> state.apply_action(4)
    >>> other = make_resampler(game)(state, 1)
    >>> other.information_state_string(1) == state.information_state_string(1)
    True
    """
    rng = Random(seed)
    followers = [_follower(game, seat, most, seed) for seat in range(game.num_players())]

    def resample(state: Any, player: int) -> Any:
        return followers[player].sample(state, rng)

    return resample
