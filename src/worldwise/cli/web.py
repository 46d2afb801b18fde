"""The command that opens worldwise in the browser: ``worldwise web --help``."""

from __future__ import annotations

import sys
from pathlib import Path  # noqa: TC003 typer reads the annotations
from typing import Annotated

import typer

from worldwise.extras import needed
from worldwise.lab.results import RESULTS


def web_command(
    host: Annotated[str, typer.Option(help="The address to listen on; this machine alone if not said.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65535, help="The port; 0 for any that is free.")] = 8765,
    results: Annotated[Path, typer.Option(metavar="DIR", help="Where the laboratory finds results.")] = RESULTS,
    browser: Annotated[bool, typer.Option("--browser/--no-browser", help="Open the page in a browser.")] = True,
) -> None:
    """Open worldwise in the browser: pages on your own machine, which work offline."""
    for module in ("starlette", "uvicorn"):
        needed(module, "web")
    from worldwise.web.server import serve

    serve(host, port, results=results, browser=browser, say=_say)


def _say(words: str) -> None:
    """At once, because the command does not end."""
    sys.stdout.write(f"{words}\n")
    sys.stdout.flush()
