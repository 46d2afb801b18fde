"""The command that opens worldwise in the browser: ``worldwise web --help``."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from worldwise.extras import import_extra
from worldwise.lab.results import RESULTS


def web_command(
    host: Annotated[
        str, typer.Option(help="The address to listen on; this machine alone if not said. Any other asks for a token.")
    ] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65535, help="The port; 0 for any that is free.")] = 8765,
    results: Annotated[Path, typer.Option(metavar="DIR", help="Where the laboratory finds results.")] = RESULTS,
    games: Annotated[
        str | None,
        typer.Option(
            metavar="DIR|off",
            envvar="WORLDWISE_GAMES",
            help="Where kriegspiel games are kept, or off; the user's state folder if not said.",
        ),
    ] = None,
    token: Annotated[
        str | None,
        typer.Option(
            envvar="WORLDWISE_WEB_TOKEN",
            help="What whoever opens the page must bring; if not said, a new one where others can reach it, else none. "
            "Better in the environment: other users of this machine may see the command.",
        ),
    ] = None,
    browser: Annotated[bool, typer.Option("--browser/--no-browser", help="Open the page in a browser.")] = True,
) -> None:
    """Open worldwise in the browser: pages on your own machine, which work offline."""
    for module in ("starlette", "uvicorn"):
        import_extra(module, "web")
    from worldwise.web.server import serve

    serve(host, port, results=results, browser=browser, say=_say, warn=_warn, token=token, games=_games_folder(games))


def _games_folder(given: str | None) -> Path | None:
    from worldwise.web.kept_games import state_folder

    if given is None:
        return state_folder() / "games"
    return None if given == "off" else Path(given).expanduser()


def _say(words: str) -> None:
    """At once, because the command does not end."""
    sys.stdout.write(f"{words}\n")
    sys.stdout.flush()


def _warn(words: str) -> None:
    """Where it is seen even if the rest goes into a file."""
    sys.stderr.write(f"{words}\n")
    sys.stderr.flush()
