"""A person's game against a player in JSON's types: tries, seeds and what the player believed, and nothing that runs.

It has the opponent's moves in it, so it is for whoever is the umpire, and not for the person who plays.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from worldwise.errors import InputError, refuse_failures
from worldwise.kriegspiel.belief.summary import BeliefSummary
from worldwise.kriegspiel.players.game_so_far import Opponent, StoredGame, Thought
from worldwise.kriegspiel.players.names import player_name, read_player
from worldwise.kriegspiel.players.person_session import KriegspielSession
from worldwise.kriegspiel.players.player import Budget
from worldwise.kriegspiel.records.json import record_json, replay_record_json
from worldwise.kriegspiel.records.record import Record
from worldwise.kriegspiel.rules.game import Kriegspiel
from worldwise.kriegspiel.rules.squares import Colour

if TYPE_CHECKING:
    from worldwise.kriegspiel.rules.game import State

Json = dict[str, Any]

FORMAT = 1
"""Of these objects."""

DIGITS = 6
"""Of chances: ten times more than any view shows."""


def stored_json(stored: StoredGame) -> Json:
    """A game in JSON's types.

    >>> from worldwise.kriegspiel.players.player import NO_BUDGET
    >>> from worldwise.kriegspiel.players.random_and_greedy import RandomTriesPlayer
    >>> from worldwise.kriegspiel.rules.squares import BLACK
    >>> from worldwise.kriegspiel.rules.umpire import WILD16
    >>> stored = StoredGame.of(Opponent("rand", RandomTriesPlayer(), BLACK, WILD16, 7, NO_BUDGET))
    >>> stored_json(stored)["opponent"]["seed"], read_stored_json(stored_json(stored)) == stored
    (7, True)
    """
    session, opponent = stored.session, stored.opponent
    return {
        "format": FORMAT,
        "opponent": {
            "name": opponent.name,
            "player": player_name(opponent.player),
            "colour": int(opponent.colour),
            "seed": opponent.seed,
            "boards": opponent.budget.boards,
            "seconds": opponent.budget.seconds,
            "game": opponent.game,
        },
        "record": record_json(replace(session, resigned=False).record),
        "resigned": session.resigned,
        "thoughts": [[thought.tries, _belief_json(thought.belief)] for thought in stored.thoughts],
    }


def _belief_json(belief: BeliefSummary | None) -> Json | None:
    """Most squares have no chance of most pieces."""
    if belief is None:
        return None
    chances = {
        piece: {str(square): round(chance, DIGITS) for square, chance in enumerate(squares) if chance}
        for piece, squares in belief.chances.items()
    }
    return {"boards": belief.boards, "effective": belief.effective, "exact": belief.exact, "chances": chances}


def read_stored_json(data: Any) -> StoredGame:
    """The game that ``stored_json`` has made; the umpire gives every answer again. ``InputError`` if it is another."""
    found = data.get("format") if isinstance(data, dict) else None
    if found != FORMAT or isinstance(found, bool):
        raise InputError(f"expected a game of format {FORMAT}, found {found!r:.20}: another version kept it")
    with refuse_failures("a game as it was kept"):
        return _read(data)


def _read(data: Json) -> StoredGame:
    (record, state), told = replay_record_json(data["record"]), data["opponent"]
    colour, game = Colour(told["colour"]), Kriegspiel(record.rules, (record.first,))
    first = Record(record.rules, record.first, white=record.white, black=record.black, tags=record.tags)
    session = KriegspielSession(game, state, colour.other, first, bool(data["resigned"]))
    budget = Budget(told["boards"], told["seconds"])
    opponent = Opponent(
        told["name"], read_player(told["player"]), colour, record.rules, int(told["seed"]), budget, told["game"]
    )
    return StoredGame(opponent, session, tuple(_read_thought(state, *thought) for thought in data["thoughts"]))


def _read_thought(state: State, tries: int, belief: Json | None) -> Thought:
    squares = range(len(state.first.pieces))
    if belief is None:
        return Thought(int(tries), None)
    chances = {
        piece: tuple(float(told.get(str(square), 0)) for square in squares) for piece, told in belief["chances"].items()
    }
    return Thought(int(tries), BeliefSummary(belief["boards"], belief["effective"], belief["exact"], chances))
