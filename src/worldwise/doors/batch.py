"""Thousands of questions on all cores: ``answer_all`` for Python, ``answer_lines`` for lines of JSON.

Both give an answer for every question, in their order, while more questions arrive; what is wrong with one of them is
told in its answer, under ``error``, and costs the others nothing.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from threading import Event
from typing import TYPE_CHECKING, Any

from worldwise.core.reading import cut_middle, read_json
from worldwise.doors.fields import Json, expect_object
from worldwise.doors.positions import read_source
from worldwise.doors.questions import QUESTIONS, answer_question, question_of_text
from worldwise.errors import UnknownNameError, WorldwiseError
from worldwise.runs.pool import cores
from worldwise.runs.runners import check_jobs
from worldwise.runs.stream import answer_in_order

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from worldwise.doors.positions import Sources


@dataclass
class Cancel:
    """A token: once ``cancel`` is called, from any thread, whoever was given the token stops.

    >>> token = Cancel()
    >>> token.cancel()
    >>> token()
    True
    """

    _set: Event = field(default_factory=Event)

    def cancel(self) -> None:
        """Stop."""
        self._set.set()

    def __call__(self) -> bool:
        """Whether to stop."""
        return self._set.is_set()


def answer_all(
    kind: str,
    questions: Iterable[Mapping[str, Any] | str],
    *,
    jobs: int | None = None,
    cancelled: Callable[[], bool] = lambda: False,
) -> Iterator[Json]:
    """An answer to every question, in order; a text is a question as ``question_of_text`` says.

    ``jobs`` is how many processes answer; as many as there are processors, if not said. ``cancelled``, a ``Cancel`` or
    any function, is asked several times a second; the answers end soon after it says yes, in the middle of a search
    too. Limits are the questions' own: ``seconds``, ``nodes``, ``depth``.

    As always with processes in Python, a script that calls this keeps its own work under ``if __name__ ==
    "__main__"``.
    """
    lines = (question if isinstance(question, str) else json.dumps(dict(question)) for question in questions)
    for answer in answer_lines(kind, lines, jobs=jobs, cancelled=cancelled):
        yield json.loads(answer)


def answer_lines(
    kind: str,
    lines: Iterable[str],
    *,
    usual: Mapping[str, Any] | None = None,
    jobs: int | None = None,
    cancelled: Callable[[], bool] = lambda: False,
    sources: Sources = read_source,
) -> Iterator[str]:
    """A line of JSON for every line; ``usual`` says what a question does not say itself."""
    if kind not in QUESTIONS:
        raise UnknownNameError("question", kind, QUESTIONS)
    check_jobs(jobs)
    return answer_in_order(_Answerer(kind, dict(usual or {}), sources), lines, jobs or cores(), cancelled)


def is_error(answer: str) -> bool:
    """Whether a line of ``answer_lines`` says what is wrong with its question."""
    return answer.startswith('{"error"')


@dataclass(frozen=True)
class _Answerer:
    """Answers a line, in another process."""

    kind: str
    usual: Json
    sources: Sources

    def __call__(self, line: str) -> str:
        return json.dumps(self._answer(line.strip()))

    def _answer(self, line: str) -> Json:
        try:
            told = expect_object(read_json(line)) if line.startswith(("{", "[")) else question_of_text(self.kind, line)
            return answer_question(self.kind, {**self.usual, **told}, self.sources)
        except WorldwiseError as error:
            return {"error": cut_middle(str(error))}
