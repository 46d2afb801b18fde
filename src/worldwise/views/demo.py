"""The guided show: the papers' traps, seen on the papers' own trees and games."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.console import Group, RenderableType
from rich.markdown import Markdown

from worldwise.views.game_text import game_text, solution_table
from worldwise.views.results import comparison_table
from worldwise.views.tree_text import tree_text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from worldwise.engines.solve import Verdict
    from worldwise.games.trees.world_tree import WorldTree
    from worldwise.views.game_words import Judged

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

_FORGETTING = """\
**Forgetting.** A game in extensive form: chance moves first (the diamond), you see whether it went to *A* or *B*, and
move. Then you move again, but can no longer tell *C* from *D*. Minimax decides at each of them by itself, so it
believes in 1; the moves it names cannot all be made. Trying every strategy finds the best there is.
"""


def demo_text(
    trees: Sequence[tuple[WorldTree, Sequence[Verdict]]],
    solutions: Sequence[Judged],
    *,
    ascii: bool = False,  # noqa: A002
) -> RenderableType:
    """The show: each tree, then a game; for each its story, its picture and what the algorithms make of it."""
    shown: list[RenderableType] = []
    for story, (tree, verdicts) in zip(_STORIES, trees, strict=True):
        shown += [Markdown(story), tree_text(tree, verdicts[-1].result, ascii=ascii), ""]
        shown += [comparison_table(tree, verdicts, "best defence"), ""]
    best = solutions[-1]
    shown += [Markdown(_FORGETTING), game_text(best.game, best.profile, ascii=ascii), ""]
    for solution in solutions:
        shown += [solution_table(solution), ""]
    shown.append(Markdown("Next: `worldwise tree list`, `worldwise game list`, `worldwise game check bmv96/fig-2-g2`"))
    return Group(*shown)
