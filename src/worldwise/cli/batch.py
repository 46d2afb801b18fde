"""The command that answers lines of JSON on all cores: ``worldwise batch --help``."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated, Any

import typer

from worldwise.cli.bridge.boards import boards_of
from worldwise.cli.output import warn
from worldwise.core.reading import decode_text, read_json
from worldwise.doors.batch import answer_lines, is_error
from worldwise.doors.fields import expect_object
from worldwise.doors.questions import QUESTIONS
from worldwise.errors import InputError, say_where

if TYPE_CHECKING:
    from collections.abc import Iterator

MOST_LINE = 4 * 2**20
"""Bytes of a question: some devices and pipes have lines that never end."""

PIECE = 2**16


def batch_command(
    question: Annotated[str, typer.Argument(metavar="QUESTION", help=f"One of: {', '.join(QUESTIONS)}.")],
    usual: Annotated[str, typer.Option(metavar="JSON", help="What a line does not say itself.")] = "{}",
    processes: Annotated[
        int | None, typer.Option(metavar="P", help="How many processes; as many as there are processors.")
    ] = None,
) -> None:
    """Answer questions from standard input, a line each, with a line of JSON each, on all cores.

    A line is an object of JSON, or a file, a shipped deal, a link or a LIN text; of a suit, two holdings. A line that
    is no good question is answered with its error, and in the end the exit code is 2.
    """
    with say_where("--usual"):
        known = expect_object(read_json(usual))
    wrong, number = list[int](), 0
    try:
        answers = answer_lines(question, lines_of(sys.stdin.buffer), usual=known, jobs=processes, sources=boards_of)
        for number, answer in enumerate(answers, 1):
            wrong += [number] * is_error(answer)
            sys.stdout.write(f"{answer}\n")
            sys.stdout.flush()
    except KeyboardInterrupt:
        warn("interrupted")
        raise typer.Exit(130) from None
    if wrong:
        raise InputError(f"{len(wrong)} of {number} questions could not be answered, the first is number {wrong[0]}")


def lines_of(stream: Any) -> Iterator[str]:
    """The lines of a stream as they arrive, without empty ones.

    They are read without Python's own buffer: a thread that waits in there would keep the command from ending.
    """
    source, rest = getattr(stream, "raw", stream), b""
    while piece := source.read(PIECE):
        *whole, rest = (rest + piece).split(b"\n")
        if len(rest) > MOST_LINE:
            raise InputError(f"expected lines of at most {MOST_LINE >> 20} MiB, found a longer one")
        yield from filter(None, (decode_text(line).strip() for line in whole))
    if line := decode_text(rest).strip():
        yield line
