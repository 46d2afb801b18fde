"""What FB01's algorithms get from suits of the atlas: the rows of ``fb01/all-suits`` that are shipped, by suit."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any, cast

from worldwise.bridge.suit.atlas.combinations import Form
from worldwise.bridge.suit.phrases import count_words, percent
from worldwise.bridge.suit.rules import Suit
from worldwise.lab.papers import load
from worldwise.lab.results import shipped_results
from worldwise.views.words import join_words

if TYPE_CHECKING:
    from collections.abc import Mapping

    from worldwise.runs.rows import Row

EXPERIMENT = "fb01/all-suits"


@cache
def searched_suits() -> Mapping[int, Row]:
    """The suits of the sample that were searched, by the codes that the atlas has for them."""
    found = shipped_results(load(EXPERIMENT))
    rows = found.rows if found else ()
    return {_code(row): row for row in rows}


def _code(row: Row) -> int:
    return Form.of(Suit.of(str(row["north"]), str(row["south"]))).canonical.code


def sample_json() -> dict[str, Any]:
    """How many combinations have been searched, and what searches them."""
    return {"combinations": len(searched_suits()), "experiment": EXPERIMENT}


def sample_words() -> str:
    """The same in a sentence."""
    count = sample_json()["combinations"]
    return f"{count:,} of them, drawn at random, have what FB01's algorithms get: worldwise lab compare {EXPERIMENT}"


def algorithms_json(code: int) -> dict[str, Any] | None:
    """What PIMC and the nine get for the highest uncertain goal of a suit; None if it is not in the sample."""
    row = searched_suits().get(code)
    if row is None:
        return None
    best = cast("float", row["chance"])
    names = [key.removesuffix(".lost") for key in row if key.endswith(".lost")]
    lines = {
        name: {"chance": best - cast("float", row[f"{name}.lost"]), "first_error": row[f"{name}.errs"]}
        for name in names
    }
    return {"tricks": row["tricks"], "best": best, "lines": lines}


def algorithms_words(code: int) -> str:
    """The same in a sentence or two; empty if the suit is not in the sample."""
    found = algorithms_json(code)
    if found is None:
        return ""
    best, lines = found["best"], found["lines"]
    right = [name for name, line in lines.items() if line["first_error"] == "none"]
    lost = [
        f"{name} gives up {percent(best - line['chance'])} ({line['first_error']})"
        for name, line in lines.items()
        if name not in right
    ]
    goal = count_words(found["tricks"], "trick")
    parts = [f"{join_words(right)} {'find' if len(right) > 1 else 'finds'} the best line"] if right else []
    return f"Algorithms, for {goal}: {'; '.join([*parts, *lost])}."
