"""Profiles of pure strategies that are cheap to come by, and often an equilibrium: what is tried before a search."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from worldwise.core.result import Clock, Tally
from worldwise.errors import InputError, LimitReachedError, deep
from worldwise.search.imp import ImpMinimax
from worldwise.search.mixed_equilibrium import MixedEquilibrium
from worldwise.search.profiles import complete_profile, expected_payoffs
from worldwise.search.responses import best_response

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterator, Sequence

    from worldwise.core.game import AnyExtensiveForm
    from worldwise.core.result import Limit
    from worldwise.core.solution import Profile

PARTS = 4
"""A candidate is given up after one part in so many of the time that is left."""

MOST_TURNS = 50
"""How often somebody may answer the others before that is given up."""


def cheap_profiles(game: AnyExtensiveForm, tally: Tally) -> Iterator[tuple[str, Profile]]:
    """Candidates one after another, each with the name of what it comes from."""
    sources: dict[str, Callable[[AnyExtensiveForm, Limit], Profile | None]] = {
        ImpMinimax.name: _imp_profile,
        "answers by turns": _answers_by_turns,
        MixedEquilibrium.name: _likeliest_moves,
    }
    for source, propose in sources.items():
        try:
            with deep():
                profile = propose(game, tally.share(PARTS))
        except (LimitReachedError, InputError):
            continue  # too large for it, or not the kind of game that it is for, or an extra is not installed
        if profile is not None:
            yield source, profile


def _imp_profile(game: AnyExtensiveForm, limit: Limit) -> Profile:
    return complete_profile(game, ImpMinimax().search(game, limit).profile)


def _likeliest_moves(game: AnyExtensiveForm, limit: Limit) -> Profile:
    """An equilibrium in mixed strategies that is hardly mixed may be one in pure strategies."""
    mixture = MixedEquilibrium().search(game, limit).profile
    moves = _moves_by_set(game)
    return {known: moves[known][_place_of_most(shares)] for known, shares in mixture.items()}


def _place_of_most(shares: Sequence[float]) -> int:
    return max(range(len(shares)), key=shares.__getitem__)


def _answers_by_turns(game: AnyExtensiveForm, limit: Limit) -> Profile | None:
    """Everybody in turn plays best against the others, until nobody has better: in games of common interest it ends."""
    tally = Tally(Clock(limit, "answers by turns"))
    profile: dict[Hashable, Any] = {known: moves[0] for known, moves in _moves_by_set(game).items()}
    content = 0
    for turn in range(MOST_TURNS):
        player = turn % len(game.players)
        best, answer = best_response(game, player, profile, tally.share(1))
        content = content + 1 if best == expected_payoffs(game, profile)[player] else 0
        if content == len(game.players):
            return profile
        if not content:
            profile.update(answer)
        tally.check()
    return None


def _moves_by_set(game: AnyExtensiveForm) -> dict[Hashable, Sequence[Any]]:
    found: dict[Hashable, Sequence[Any]] = {}
    waiting = [game.root]
    while waiting:
        position = waiting.pop()
        mover = game.to_move(position)
        if mover is None:
            continue
        moves = game.moves(position)
        if mover >= 0:
            found.setdefault(game.information_set(position), moves)
        waiting.extend(game.play(position, move) for move in moves)
    return found
