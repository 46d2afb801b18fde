"""The guided show: the papers' traps, seen on the papers' own trees and games, and at the bridge table."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.console import Group, RenderableType
from rich.markdown import Markdown
from rich.text import Text

from worldwise.bridge.suit.tutor import monte_carlo_error
from worldwise.bridge.suit.views.text import algorithms_table, answer_table, suit_diagram
from worldwise.bridge.suit.words import line_in_words
from worldwise.bridge.views.advice_reasons import why_words
from worldwise.bridge.views.advice_text import advice_table
from worldwise.bridge.views.deal_text import board_text
from worldwise.extensive.views.text import game_text, solution_table
from worldwise.trees.views.results import comparison_table
from worldwise.trees.views.text import tree_text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from worldwise.bridge.advice.record import Advice
    from worldwise.bridge.rules.board import Board
    from worldwise.bridge.suit.solver import SuitSolver
    from worldwise.bridge.suit.trees import SuitResult
    from worldwise.extensive.judging import JudgedSolution
    from worldwise.trees.solving import Judgement
    from worldwise.trees.world_tree import WorldTree

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

_SUIT = """\
**At the bridge table.** You have AKQ9 opposite 32 and want four tricks. The worlds are the ways in which the other
cards can lie. Best is to lead the two (*S2*) and finesse the nine, and Monte Carlo begins so too. But when West plays
the jack or the ten, it counts on layouts in which West would not have played it.
"""

_DEAL = """\
**A whole deal.** Five tricks are left and you need them all. West opened 1NT, and dummy must throw a card. Keeping the
spades leaves a guess for their queen; throwing one leaves the heart finesse. Solving each layout face up (*PIMC*) never
guesses wrong. *alpha-mu* makes one plan for all layouts.
"""


def demo_text(
    trees: Sequence[tuple[WorldTree, Sequence[Judgement]]],
    solutions: Sequence[JudgedSolution],
    solver: SuitSolver,
    results: Sequence[SuitResult],
    deal: tuple[Board, Advice],
    *,
    ascii: bool = False,  # noqa: A002
) -> RenderableType:
    """The show: trees, a game, a suit and a deal at bridge; for each its story, its picture and what is found."""
    shown: list[RenderableType] = []
    for story, (tree, verdicts) in zip(_STORIES, trees, strict=True):
        shown += [Markdown(story), tree_text(tree, verdicts[-1].result, ascii=ascii), ""]
        shown += [comparison_table(tree, verdicts, "best defence"), ""]
    best = solutions[-1]
    shown += [Markdown(_FORGETTING), game_text(best.game, best.profile, ascii=ascii), ""]
    for solution in solutions:
        shown += [solution_table(solution), ""]
    shown += _suit_step(solver, results, ascii=ascii)
    shown += _deal_step(*deal, ascii=ascii)
    commands = ("tree list", "game list", "suit --drill", "advise --list", "bridge play --help")
    shown.append(Markdown("Next: " + ", ".join(f"`worldwise {command}`" for command in commands)))
    return Group(*shown)


def _deal_step(board: Board, advice: Advice, *, ascii: bool) -> list[RenderableType]:  # noqa: A002
    """A decision of declarer's, and what each card is worth."""
    picture = board_text(board, seen=tuple(advice.view.faced), ascii=ascii)
    table = advice_table(advice, ascii=ascii)
    return [Markdown(_DEAL), picture, "", table, *map(Text, why_words(advice, ascii=ascii)), ""]


def _suit_step(solver: SuitSolver, results: Sequence[SuitResult], *, ascii: bool) -> list[RenderableType]:  # noqa: A002
    """A goal at bridge, and what Monte Carlo makes of it."""
    goal = solver.goal(solver.suit.length)
    answer = answer_table(goal, line_in_words(solver, goal.tricks).text)
    error = monte_carlo_error(solver, goal.tricks)
    pictures: list[RenderableType] = [Markdown(_SUIT), suit_diagram(solver.suit, ascii=ascii), "", answer, ""]
    return [*pictures, algorithms_table(solver.suit, goal, results), error.words if error else "", ""]
