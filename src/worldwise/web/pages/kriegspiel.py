"""The kriegspiel table: a game against a player, the server being the umpire.

The umpire's board stays with the server (``store``) until the game is over. What a client is told on the way is made of
what its player has seen and heard, and so is the help that he may ask for.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from functools import lru_cache
from secrets import choice, randbits
from typing import TYPE_CHECKING, Any

from worldwise.core.reading import read_json
from worldwise.errors import InputError
from worldwise.kriegspiel.players.game_so_far import MOST_PLAYERS, Opponent, StoredGame
from worldwise.kriegspiel.players.game_so_far_json import read_stored_json, stored_json
from worldwise.kriegspiel.players.names import STRONGEST, read_opponent
from worldwise.kriegspiel.players.person_session import PLIES, date_tag
from worldwise.kriegspiel.players.player import Budget
from worldwise.kriegspiel.records.pgn import heard_pgn, pgn
from worldwise.kriegspiel.records.try_reader import HINT
from worldwise.kriegspiel.rules.squares import BLACK, WHITE
from worldwise.kriegspiel.rules.umpire import RULES
from worldwise.kriegspiel.views.json import belief_json, observed_json, rules_json, story_json
from worldwise.kriegspiel.views.svg import belief_svg
from worldwise.kriegspiel.views.text import enemy_words, game_words
from worldwise.web.endpoint import Endpoint, Page
from worldwise.web.fields import Amount, OneOf, Text, Whole
from worldwise.web.refusal import RefusedError
from worldwise.web.store import Remembered

if TYPE_CHECKING:
    from collections.abc import Iterator

    from worldwise.kriegspiel.players.person_session import KriegspielSession
    from worldwise.kriegspiel.players.player import KriegspielPlayer
    from worldwise.kriegspiel.rules.umpire import Rules

Json = dict[str, Any]

COLOURS = {"white": WHITE, "black": BLACK}
MOST_BOARDS = 5_000
"""Boards that a player may carry along or look at, so that no game takes all the memory."""

SEED_BITS = 48
"""So many that nobody guesses a seed, and so few that any program reads it without loss."""

ANSWER_SECONDS = 60.0
"""Seconds for an answer: a player's tries of one turn, and perhaps hearing a long game again."""

TURN, LEAST_TURN = 2, 0.5
"""What a whole turn takes, in times of what a player may think about its first try, and in seconds at least. Those
after a refused one are thought about less, so there is room for some ten of them."""

PACE = 0.05
"""Every other answer about a game waits for a multiple of so many seconds: it takes longer to read a game with more
tries."""

# ---------------------------------------------------------------------- playing


def umpire(*, rules: str) -> Iterator[Json]:
    """What the umpire says by a rule set."""
    yield rules_json(_rules_with_limit(rules))


def _rules_with_limit(name: str) -> Rules:
    return replace(RULES[name], ply_limit=PLIES)


def start(
    *, game: str, kept: None, colour: str, player: str, rules: str, seconds: float, seed: int | None
) -> Iterator[Remembered]:
    """Sit down; if the player has White, he begins. Every game has chances of its own, unless a seed is given."""
    assert kept is None
    you = COLOURS[colour if colour != "either" else choice(list(COLOURS))]
    chances, budget = randbits(SEED_BITS) if seed is None else seed, Budget(seconds=seconds)
    opponent = Opponent(player, _player(player), you.other, _rules_with_limit(rules), chances, budget, game)
    stored = _with_tags(StoredGame.of(opponent))
    yield _remember(game, stored)
    yield from _play_on(game, stored)


def _with_tags(stored: StoredGame) -> StoredGame:
    """With the day, and the seed by which the game can be repeated; who plays hears of the seed when it is over."""
    tags = (date_tag(), ("Seed", str(stored.opponent.seed)))
    record = replace(stored.session.record_so_far, tags=tags)
    return replace(stored, session=replace(stored.session, record_so_far=record))


def _player(text: str) -> KriegspielPlayer:
    try:
        player = read_opponent(text)
    except InputError as error:
        raise RefusedError(400, str(error), "player") from None
    for option in ("seconds", "again"):
        if getattr(player, option, None) is not None:
            said = f"expected no {option}, since how long a turn takes must not tell its tries, found {text!r}"
            raise RefusedError(400, said, "player")
    for option in ("boards", "pool"):
        if (getattr(player, option, None) or 0) > MOST_BOARDS:
            raise RefusedError(400, f"expected at most {MOST_BOARDS:,} {option}, found {text!r}", "player")
    return player


def go(*, game: str, kept: bytes, move: str | None, heard: int | None = None) -> Iterator[Remembered]:
    """A try of yours, if you say one, and then what the player does until it is your turn."""
    stored = _recall(game, kept)
    if move is not None:
        _check_heard(stored, heard)
        stored = _make_try(stored, move)
    yield _remember(game, stored)
    yield from _play_on(game, stored)


def _check_heard(stored: StoredGame, heard: int | None) -> None:
    """A try is meant for the board that its player saw: in another window he may have played on."""
    lines = len(stored.session.observed.events)
    if heard is not None and heard != lines:
        expected = f"expected a try after all {lines} lines of the log, found one after {heard}"
        raise RefusedError(409, f"{expected}: the game went on elsewhere", "heard")


def _make_try(stored: StoredGame, text: str) -> StoredGame:
    if not stored.session.yours:
        found = "it is over" if stored.session.over else "it is not"
        raise RefusedError(400, f"expected a try when it is your turn, found {text!r}: {found}", "move")
    try:
        return stored.after(stored.session.move(text))
    except InputError as error:
        raise RefusedError(400, str(error).replace(HINT, ""), "move") from None


def _play_on(game: str, stored: StoredGame) -> Iterator[Remembered]:
    """The player's tries. There is a step only for what you hear, or their number would tell what you may not know.

    So would the time of the answer, unless you hear of every try: a turn takes the same time however many it has.
    """
    rules, seconds = stored.opponent.rules, stored.opponent.budget.seconds
    pace = 0.0 if rules.refusals_heard or seconds is None else max(LEAST_TURN, TURN * seconds)
    while not stored.session.over and not stored.session.yours:
        stored = stored.reply()
        if stored.session.last_heard:
            yield _remember(game, stored, pace)


def resign(*, game: str, kept: bytes) -> Iterator[Remembered]:
    """Give up."""
    stored = _recall(game, kept)
    if stored.session.over:
        raise RefusedError(400, "expected a game that is not over, found one that is", "game")
    yield _remember(game, stored.resign())


def _remember(game: str, stored: StoredGame, pace: float = 0.0) -> Remembered:
    kept = json.dumps(stored_json(stored)).encode()
    latest = _latest(game)
    latest.kept, latest.stored = kept, stored
    return Remembered({"game": game, **_table(stored)}, kept, pace)


def _recall(game: str, kept: bytes) -> StoredGame:
    """A game as this worker has left it, or another one, or another server, perhaps of another version."""
    latest = _latest(game)
    if latest.stored is None or latest.kept != kept:
        latest.kept, latest.stored = kept, _read_stored(kept)
    return latest.stored


@dataclass
class _Latest:
    """A game that a worker has seen last, for its next request: then the umpire need not say everything again."""

    kept: bytes = b""
    stored: StoredGame | None = None


@lru_cache(MOST_PLAYERS)
def _latest(game: str) -> _Latest:
    del game
    return _Latest()


def _read_stored(kept: bytes) -> StoredGame:
    try:
        return read_stored_json(read_json(kept))
    except InputError as error:
        raise RefusedError(409, f"this game cannot go on: {error}", "game") from None


def _table(stored: StoredGame) -> Json:
    """All that you may know."""
    session = stored.session
    return {
        **observed_json(session.observed, on_turn=session.yours),
        "opponent": stored.opponent.name,
        "rules": stored.opponent.rules.name,
        "seconds": stored.opponent.budget.seconds,
        "yours": session.yours,
        "over": session.over,
        "result": session.record.result,
        "ended": _end_words(session),
        "enemy": enemy_words(session.enemies, session.taken),
    }


def _end_words(session: KriegspielSession) -> str:
    if session.resigned:
        return "you resign"
    return session.state.end.value if session.state.end else ""


# ---------------------------------------------------------------------- help, the story, the record


def belief(*, game: str, kept: bytes) -> Iterator[Json]:
    """Where the enemy may be, by what you have heard alone; also as a figure."""
    stored = _recall(game, kept)
    if stored.session.over:
        raise RefusedError(400, "expected a game that is not over, found one that is", "game")
    found, view = stored.recall(), stored.session.view
    yield {**belief_json(found, view.geometry), "svg": belief_svg(found, view)}


def story(*, game: str, kept: bytes) -> Iterator[Json]:
    """Everything, once the game is over: the true boards, all tries, and what the player believed at each of his."""
    stored = _recall(game, kept)
    session, state = stored.session, stored.session.state
    if not session.over:
        raise RefusedError(400, "expected a game that is over, found one that is not: the board is hidden", "game")
    geometry = state.first.geometry
    yield {
        "first": state.first.pieces,
        "tries": story_json(state.first, state.events),
        "tried": game_words(state.events, session.you.other, geometry),
        "beliefs": [
            {"after": thought.tries, "belief": belief_json(thought.belief, geometry) if thought.belief else None}
            for thought in stored.thoughts
        ],
    }


def record(*, game: str, kept: bytes) -> Iterator[str]:
    """The game as PGN: all of it when it is over, before that as you have heard it."""
    session = _recall(game, kept).session
    yield pgn(session.record) if session.over else heard_pgn(session.record, session.you)


# ---------------------------------------------------------------------- the table

GAME = Text("game", "the game's name, as it was told at its start", longest=64, required=True)
START = (
    OneOf("colour", "yours", ("white", "black", "either"), default="white"),
    Text("player", "who plays against you: rand, greedy, overconfident:2 ...", longest=80, default=STRONGEST),
    OneOf("rules", "by which the umpire speaks", tuple(RULES), default=next(iter(RULES))),
    Amount("seconds", "how long the player thinks; its turn takes twice that", (0.1, 0.5, 1, 2, 5, 10), default=1),
    Whole("seed", "of the player's chances, to repeat a game; another for each if not said", 0, 2**SEED_BITS - 1),
)
MOVE = Text("move", "your try: e2e4, e7e8q, or e4, Nf3, exd5, O-O; without it, only the player goes on", longest=12)
HEARD = Whole("heard", "how many lines of the log you know: a try is refused if there are others", 0, 1_000_000)

KRIEGSPIEL = Page(
    path="/kriegspiel",
    title="Kriegspiel",
    about="Chess with the enemy hidden: play against a player that cannot see your pieces either.",
    files="kriegspiel",
    endpoints=(
        Endpoint(
            "/api/kriegspiel/rules",
            "What the umpire says by a rule set.",
            (OneOf("rules", "a rule set", tuple(RULES), required=True),),
            umpire,
        ),
        Endpoint(
            "/api/kriegspiel/start",
            "A new game.",
            START,
            start,
            "POST",
            seconds=ANSWER_SECONDS,
            remembers=True,
            long=True,
            pace=PACE,
        ),
        Endpoint(
            "/api/kriegspiel/go",
            "Your try, and the player's turn after it.",
            (GAME, MOVE, HEARD),
            go,
            "POST",
            seconds=ANSWER_SECONDS,
            remembers=True,
            long=True,
            pace=PACE,
        ),
        Endpoint("/api/kriegspiel/resign", "Give up.", (GAME,), resign, "POST", remembers=True, pace=PACE),
        Endpoint(
            "/api/kriegspiel/belief",
            "Where the enemy may be, by what you have heard.",
            (GAME,),
            belief,
            "POST",
            remembers=True,
            pace=PACE,
        ),
        Endpoint(
            "/api/kriegspiel/story",
            "The whole game with the player's beliefs, once it is over.",
            (GAME,),
            story,
            "POST",
            remembers=True,
        ),
        Endpoint(
            "/api/kriegspiel/record",
            "The game as PGN, as you have heard it until it is over.",
            (GAME,),
            record,
            "POST",
            media="application/x-chess-pgn",
            remembers=True,
            pace=PACE,
        ),
    ),
)
