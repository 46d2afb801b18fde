"""The guided show: the papers' two traps, seen on the papers' own trees."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.console import Group, RenderableType
from rich.markdown import Markdown

from worldwise.views.results import comparison_table
from worldwise.views.tree_text import tree_text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from worldwise.engines.solve import Verdict
    from worldwise.games.trees.world_tree import WorldTree

_STORIES = (
    """\
# What should I play when I cannot see everything?

A square is your move, a circle your opponent's. You do not know which of five worlds you are in; each leaf says in
which of them you win (1) and lose (0). Your opponent knows.

**Strategy fusion.** Solving each world face up and averaging, as Monte Carlo does, says that *b* wins them all:
below it there is a winning move in every world. But you must make *one* move in all of them.
""",
    """\
**Non-locality.** Even with one move for all worlds, the best move at *d* depends on what was chosen at *c*, which is in
another part of the tree. Finding the best strategy is NP-complete; the papers' heuristics get close, and the exact
search gets there.
""",
)


def demo_text(parts: Sequence[tuple[WorldTree, Sequence[Verdict]]], *, ascii: bool = False) -> RenderableType:  # noqa: A002
    """The show: for each tree its story, its picture and what every algorithm makes of it."""
    shown: list[RenderableType] = []
    for story, (tree, verdicts) in zip(_STORIES, parts, strict=True):
        shown += [Markdown(story), tree_text(tree, verdicts[-1].result, ascii=ascii), ""]
        shown += [comparison_table(tree, verdicts, "best defence"), ""]
    shown.append(Markdown("Next: `worldwise tree list`, `worldwise tree solve fb01/fig-15 --algorithm all`"))
    return Group(*shown)
