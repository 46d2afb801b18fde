"""The guided show: a suit and a deal at bridge, then the papers' traps on the papers' own trees and games."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Group, RenderableType
from rich.markdown import Markdown
from rich.text import Text

from worldwise import catalog
from worldwise.bridge.advice.advise import advise
from worldwise.bridge.suit.rules import Suit
from worldwise.bridge.suit.solver import SuitSolver
from worldwise.bridge.suit.trees import suit_algorithms
from worldwise.bridge.suit.tutor import monte_carlo_error
from worldwise.bridge.suit.views.json import algorithm_json
from worldwise.bridge.suit.views.text import algorithms_table, answer_table, suit_diagram
from worldwise.bridge.suit.words import line_in_words
from worldwise.bridge.views.advice_json import advice_json
from worldwise.bridge.views.advice_reasons import why_words
from worldwise.bridge.views.advice_text import advice_table
from worldwise.bridge.views.deal_text import board_text
from worldwise.cli.input import read_line
from worldwise.cli.output import SafeConsole, print_json, speaks_unicode
from worldwise.core.result import Limit
from worldwise.extensive.judging import judge_solution
from worldwise.extensive.solving import solve_game
from worldwise.extensive.views.json import solution_json
from worldwise.extensive.views.text import game_text, solution_table
from worldwise.trees.solving import judge
from worldwise.trees.views.results import comparison_table, result_json
from worldwise.trees.views.text import tree_text

if TYPE_CHECKING:
    from worldwise.bridge.advice.record import Advice
    from worldwise.bridge.rules.board import Board
    from worldwise.bridge.suit.trees import SuitResult
    from worldwise.extensive.judging import JudgedSolution
    from worldwise.trees.solving import Judgement
    from worldwise.trees.world_tree import WorldTree

_SUIT = """\
# What should I play when I cannot see everything?

**A suit at bridge.** You have AKQ9 opposite 32 and want four tricks. Best is to lead the two (*S2*) and finesse the
nine. Most programs solve each layout of the other cards with all cards face up, and average: *Monte Carlo*. It begins
with the two as well. But when West plays the jack or the ten, it counts on layouts in which West would not have played
it.
"""

_DEAL = """\
**A whole deal.** Five tricks are left and you need them all. West opened 1NT, and dummy must throw a card. Keeping the
spades leaves a guess for their queen; throwing one leaves the heart finesse. Solving each layout face up (*PIMC*) never
guesses wrong. *alpha-mu* makes one plan for all layouts.
"""

_FUSION = """\
**Strategy fusion.** What went wrong there, on the smallest tree that shows it. A square is your move, a circle your
opponent's. You do not know which of five worlds you are in; each leaf says in which of them you win (1) and lose (0).
Your opponent knows. Monte Carlo says that *b* wins them all: below it there is a winning move in every world. But you
must make *one* move in all of them.
"""

_LOCALITY = """\
**Non-locality.** Even with one move for all worlds, the best move at *d* depends on what was chosen at *c*, which is in
another part of the tree. Finding the best strategy is NP-complete; the papers' heuristics get close, and the exact
search gets there.
"""

_FORGETTING = """\
**Forgetting.** A game in extensive form: chance moves first (the diamond), you see whether it went to *A* or *B*, and
move. Then you move again, but can no longer tell *C* from *D*. Minimax decides at each of them by itself, so it
believes in 1; the moves it names cannot all be made. Trying every strategy finds the best there is.
"""

_NEXT = ("suit AKJ65 432", "advise --list", "drill", "kriegspiel play", "tree list", "web")


def demo_command(
    fast: Annotated[bool, typer.Option("--fast", help="Show it all at once, without a pause after each step.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON instead of text.")] = False,
) -> None:
    """A short guided show of what worldwise does, on shipped examples."""
    if as_json:
        print_json(_demo_json())
        return
    steps = (_suit_step, _deal_step, _fusion_step, _locality_step, _forgetting_step)
    console, pausing = SafeConsole(), not fast and sys.stdin.isatty() and sys.stdout.isatty()
    for left, step in zip(reversed(range(len(steps))), steps, strict=True):
        console.print(step(not speaks_unicode()))
        if left and pausing and not _goes_on(console, left):
            break
    console.print(Markdown("Next: " + ", ".join(f"`worldwise {command}`" for command in _NEXT)))


def _goes_on(console: SafeConsole, left: int) -> bool:
    """Whether you want to see the next step, and not the end of input or a q."""
    console.print(f"Enter for the next step ({left} left), q to stop: ", end="", style="bold", highlight=False)
    typed = read_line()
    console.print()
    return bool(typed) and not typed.strip().casefold().startswith("q")


def _demo_json() -> list[object]:
    """What the steps find: trees, a game, a suit and a deal."""
    results = [
        result_json(tree, verdict) for name in _TREES for tree, verdicts in [_judged(name)] for verdict in verdicts
    ]
    solver, tried = _tried_suit()
    suits = [algorithm_json(solver.suit, solver.goal(4), result) for result in tried]
    return [*results, *map(solution_json, _forgetful_game()), *suits, advice_json(_advised_deal()[1])]


# ---------------------------------------------------------------------- what is found

_TREES = ("fb01/fig-10", "fb01/fig-24")


def _judged(name: str) -> tuple[WorldTree, list[Judgement]]:
    tree = catalog.tree(name)
    return tree, judge(tree)


def _forgetful_game() -> list[JudgedSolution]:
    g2 = catalog.game("bmv96/fig-2-g2")
    return [judge_solution(g2, name, solve_game(g2, name)) for name in ("chance-minimax", "brute-force")]


def _tried_suit() -> tuple[SuitSolver, list[SuitResult]]:
    suit = Suit.of("AKQ9", "32")
    return SuitSolver(suit), suit_algorithms(suit, 4, ("monte-carlo", "vector-mm", "iprm-beta", "exact"))


def _advised_deal() -> tuple[Board, Advice]:
    lesson = catalog.deal("deals/discovery")
    enough = Limit(nodes=20_000)  # with kernels and without: the same advice
    return lesson.board, advise(lesson.view, constraints=lesson.constraints, limit=enough, planning=False, trying=False)


# ---------------------------------------------------------------------- how it is shown


def _suit_step(ascii_only: bool) -> RenderableType:
    """A goal at bridge, and what Monte Carlo makes of it."""
    solver, results = _tried_suit()
    goal = solver.goal(solver.suit.length)
    answer = answer_table(goal, line_in_words(solver, goal.tricks).text)
    error = monte_carlo_error(solver, goal.tricks)
    picture = suit_diagram(solver.suit, ascii=ascii_only)
    table = algorithms_table(solver.suit, goal, results)
    return Group(Markdown(_SUIT), picture, "", answer, "", table, error.words if error else "", "")


def _deal_step(ascii_only: bool) -> RenderableType:
    """A decision of declarer's, and what each card is worth."""
    board, advice = _advised_deal()
    picture = board_text(board, seen=tuple(advice.view.faced), ascii=ascii_only)
    reasons = map(Text, why_words(advice, ascii=ascii_only))
    return Group(Markdown(_DEAL), picture, "", advice_table(advice, ascii=ascii_only), *reasons, "")


def _fusion_step(ascii_only: bool) -> RenderableType:
    return _tree_step(_FUSION, _TREES[0], ascii_only)


def _locality_step(ascii_only: bool) -> RenderableType:
    return _tree_step(_LOCALITY, _TREES[1], ascii_only)


def _tree_step(story: str, name: str, ascii_only: bool) -> RenderableType:
    """A tree, and what each algorithm makes of it."""
    tree, verdicts = _judged(name)
    table = comparison_table(tree, verdicts, "best defence")
    return Group(Markdown(story), tree_text(tree, verdicts[-1].result, ascii=ascii_only), "", table, "")


def _forgetting_step(ascii_only: bool) -> RenderableType:
    """A game whose player forgets, and two ways to solve it."""
    solutions = _forgetful_game()
    best = solutions[-1]
    tables = [thing for solution in solutions for thing in (solution_table(solution), "")]
    return Group(Markdown(_FORGETTING), game_text(best.game, best.profile, ascii=ascii_only), "", *tables)
