"""The command line: ``worldwise --help``. It reads, calls and prints; what is computed is computed elsewhere.

Exit codes: 0 fine, 1 a negative answer (or none within the limit), 2 bad input.
"""

from __future__ import annotations

import os
import re
import sys
from typing import Annotated, ClassVar, NoReturn

import typer

import worldwise
from worldwise import kernels
from worldwise.cli.group import LazyGroup, Place
from worldwise.cli.output import SafeConsole, forgive_letters, warn
from worldwise.errors import InputError, WorldwiseError


class MainGroup(LazyGroup):
    """The commands of worldwise, in the order of its help, and where each is defined."""

    places: ClassVar = {
        "suit": Place("worldwise.cli.bridge.suit:suit_command", "suit AKQ9 32 --tricks 4"),
        "drill": Place("worldwise.cli.bridge.drill:drill_command", "drill --level 2"),
        "advise": Place("worldwise.cli.bridge.advise:advise_command", "advise deals/two-way-guess"),
        "play": Place("worldwise.cli.any_game:play_command", "play examples/mini_whist.py:MiniWhist --against alphamu"),
        "match": Place("worldwise.cli.any_game:match_command", "match openspiel:kuhn_poker alphamu random --deals 50"),
        "batch": Place("worldwise.cli.batch:batch_command", "batch suit < suits.txt"),
        "web": Place("worldwise.cli.web:web_command", "web"),
        "demo": Place("worldwise.cli.demo:demo_command", "demo"),
        "tree": Place("worldwise.cli.tree:tree_app"),
        "game": Place("worldwise.cli.game:game_app"),
        "atlas": Place("worldwise.cli.bridge.atlas:atlas_app"),
        "bridge": Place("worldwise.cli.bridge.commands:bridge_app"),
        "kriegspiel": Place("worldwise.cli.kriegspiel.commands:kriegspiel_app"),
        "lab": Place("worldwise.cli.lab:lab_app"),
    }


app = typer.Typer(
    cls=MainGroup,
    no_args_is_help=True,
    rich_markup_mode="markdown",
    pretty_exceptions_enable=False,
)


def main() -> NoReturn:
    """Run the command line; every error of ours is one line on stderr."""
    forgive_letters()
    try:
        _check_completion()
        app(prog_name="worldwise")
    except WorldwiseError as error:
        warn(str(error))
        sys.exit(2 if isinstance(error, InputError) else 1)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # the reader has left: nothing more to say
        sys.exit(0)
    sys.exit(0)


def _check_completion() -> None:
    """A shell that wants a word completed says in its environment which."""
    asked, words, place = (os.environ.get(name, "") for name in ("_WORLDWISE_COMPLETE", "COMP_WORDS", "COMP_CWORD"))
    if asked == "complete_bash" and not (words and re.fullmatch("[0-9]{1,9}", place)):
        raise InputError(f"expected COMP_WORDS and COMP_CWORD as bash sets them, found {words!r} and {place!r}")


def _version(wanted: bool) -> None:
    if wanted:
        SafeConsole().print(f"worldwise {worldwise.__version__} ({kernels.describe()})", highlight=False)
        raise typer.Exit


@app.callback()
def worldwise_command(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Say the version and which kernels run.")
    ] = False,
) -> None:
    """What should I play when I cannot see everything?

    Example: `worldwise suit AQT9 432`
    """
