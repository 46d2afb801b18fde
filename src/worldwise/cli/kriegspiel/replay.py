"""A recorded game in the terminal: ``worldwise kriegspiel show GAME.pgn``."""

from __future__ import annotations

from pathlib import Path

from worldwise.cli.kriegspiel.saved_games import GameFiles
from worldwise.cli.output import SafeConsole, print_json, speaks_unicode
from worldwise.errors import InputError
from worldwise.kriegspiel.players.replay import replay_plies
from worldwise.kriegspiel.views.replay import replay_json, replay_texts

ENDINGS = (".pgn", ".json")


def is_game_file(text: str) -> bool:
    """Whether a text names a file with a game, and is no board."""
    return text.lower().endswith(ENDINGS)


def show_game(path: str, number: int | None, ply: int | None, *, as_json: bool) -> None:
    """All moves of a game, or one of them with maps of what each player believed."""
    record = GameFiles().read_game(Path(path), number)
    plies = list(enumerate(replay_plies(record), 1))
    if ply is not None and not 1 <= ply <= len(plies):
        raise InputError(f"--ply: expected a ply from 1 to {len(plies)}, found {ply}")
    shown = plies if ply is None else plies[ply - 1 : ply]
    if as_json:
        print_json({"white": record.white, "black": record.black, "plies": [replay_json(one, at) for at, one in shown]})
        return
    console = SafeConsole()
    for at, one in shown:
        for text in replay_texts(one, at, maps=ply is not None, ascii=not speaks_unicode()):
            console.print(text, highlight=False, soft_wrap=True)
