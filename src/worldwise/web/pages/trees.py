"""Trees: the papers' figures, or one's own, searched step by step beside the exact answer.

Everything about a tree is one answer: the verdicts on all algorithms, the figure of the chosen one with the steps that
uncover it, and the figure of the best strategy. Stepping is then a matter of showing what is there already.
"""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Any

from worldwise import catalog
from worldwise.core.result import Limit
from worldwise.errors import InputError, LimitReachedError, UnknownNameError, WorldwiseError, deep
from worldwise.extensive.efg import efg_from_text
from worldwise.extensive.judging import judge_solution
from worldwise.extensive.solving import GAME_ALGORITHMS, solve_game
from worldwise.extensive.views.json import solution_json
from worldwise.extensive.views.svg import game_svg
from worldwise.extensive.views.words import belief_words, caption_words, exact_word, verdict_words
from worldwise.search.algorithms import ALGORITHMS, algorithm
from worldwise.search.strategy import trace
from worldwise.trees.notation import read_tree
from worldwise.trees.solving import judge
from worldwise.trees.views.results import result_json, why_words
from worldwise.trees.views.steps import backup_steps, summary_words
from worldwise.trees.views.svg import tree_svg
from worldwise.trees.views.wording import vector_word
from worldwise.trees.world_tree import WorldTree
from worldwise.web.endpoint import Endpoint, Page
from worldwise.web.fields import Text
from worldwise.web.refusal import RefusedError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from worldwise.core.result import SearchResult
    from worldwise.extensive import ExtensiveGame
    from worldwise.extensive.judging import JudgedSolution
    from worldwise.trees.solving import Judgement
    from worldwise.trees.views.steps import BackupStep

Json = dict[str, Any]

SEARCH_LIMIT = Limit(seconds=2)
"""For each search: a tree of one's own may be large."""

LONGEST_TEXT = 200_000
DEEPEST = 200
"""Moves from the root to a leaf: so far the searches in Python reach, and more nobody follows on a page."""

BEST = "the best there is"

# ---------------------------------------------------------------------- which there are


def listing() -> Iterator[Json]:
    """Every tree and game of the papers by name, and the algorithms for both."""
    figures, games = catalog.figures().values(), catalog.games().items()
    yield {
        "trees": [{"name": one.name, "words": one.caption, "aliases": list(one.aliases)} for one in figures],
        "games": [{"name": name, "words": f"{game.title}. {game.comment}"} for name, game in games],
        "algorithms": {"tree": list(ALGORITHMS), "game": list(GAME_ALGORITHMS)},
    }


def known_tree(*, name: str, algorithm: str | None) -> Iterator[Json]:
    """A tree or a game of the papers."""
    if name in catalog.game_names():
        yield {"name": name, **_game(catalog.game(name), algorithm)}
        return
    try:
        figure = catalog.figure(name)
    except UnknownNameError:
        error = UnknownNameError("tree", name, [*catalog.figure_names(), *catalog.game_names()])
        raise RefusedError(400, str(error), "name") from None
    yield {"name": figure.name, "words": figure.caption, **_tree(figure.tree, algorithm)}


def own_tree(*, text: str, algorithm: str | None) -> Iterator[Json]:
    """A tree in our JSON, or a game in Gambit's format; the first begins with a brace, which the second never does."""
    try:
        found = read_tree(text) if text.lstrip().startswith("{") else efg_from_text(text, "the text")
    except InputError as error:
        raise RefusedError(400, str(error), "text") from None
    if found.depth > DEEPEST:
        raise RefusedError(400, f"expected at most {DEEPEST} moves in a row, found {found.depth:,}", "text")
    yield _tree(found, algorithm) if isinstance(found, WorldTree) else _game(found, algorithm)


# ---------------------------------------------------------------------- trees


def _tree(tree: WorldTree, asked: str | None) -> Json:
    """A tree with its verdicts, the search that was asked for, and the best strategy."""
    name = _check_name(asked, ALGORITHMS) or ALGORITHMS[0]
    verdicts = {verdict.result.algorithm: verdict for verdict in judge(tree, limit=SEARCH_LIMIT)}
    best = _best(tree) if "exact" in verdicts else None
    if name not in verdicts:
        raise LimitReachedError("the exact search", SEARCH_LIMIT)
    return {
        "kind": "tree",
        "title": tree.title or "Your tree",
        "sizes": _sizes(len(tree), tree.leaves, tree.worlds, "world"),
        "algorithms": [_row(tree, verdict) for verdict in verdicts.values()],
        "chosen": _search(tree, verdicts[name], best),
        "exact": {"name": "exact", "caption": BEST, **_draw(lambda: tree_svg(tree, best))} if best else None,
    }


def _check_name(asked: str | None, names: tuple[str, ...]) -> str | None:
    if asked is not None and asked not in names:
        raise RefusedError(400, str(UnknownNameError("algorithm", asked, names)), "algorithm")
    return asked


def _best(tree: WorldTree) -> SearchResult | None:
    with suppress(LimitReachedError):
        return trace(algorithm("exact"), tree, SEARCH_LIMIT)
    return None


def _row(tree: WorldTree, verdict: Judgement) -> Json:
    """A line of the table: what an algorithm believes, what it gets, and why not more."""
    result = verdict.result
    unknown = "not known" if verdict.optimal is None else None
    return {
        "name": result.algorithm,
        "believed": f"{result.believed:.3g}",
        "value": f"{result.value:.3g}",
        "vector": vector_word(result.vector),
        "verdict": verdict.failure or unknown or "optimal",
        "optimal": verdict.optimal,
        "result": result_json(tree, verdict),
    }


def _search(tree: WorldTree, verdict: Judgement, best: SearchResult | None) -> Json:
    """The figure of a search, the steps that uncover it, and what comes of it."""
    result = trace(algorithm(verdict.result.algorithm), tree, SEARCH_LIMIT)
    steps = backup_steps(tree, result, best if verdict.optimal is False else None)
    why = why_words(tree, verdict.blunder) if verdict.blunder else ""
    return {
        "name": result.algorithm,
        "words": summary_words(result, verdict.failure, best, why),
        "optimal": verdict.optimal,
        "steps": [_step(step) for step in steps],
        **_draw(lambda: tree_svg(tree, result)),
    }


def _step(step: BackupStep) -> Json:
    told = {"node": step.node, "vector": list(step.vector), "words": step.words}
    return {**told, "chosen": step.chosen, "fault": step.fault}


def _draw(draw: Callable[[], str]) -> Json:
    """The figure, or why there is none."""
    try:
        return {"svg": draw(), "undrawn": None}
    except InputError as error:
        return {"svg": None, "undrawn": str(error)}


def _sizes(nodes: int, leaves: int, count: int, noun: str) -> str:
    return f"{nodes:,} nodes, {leaves:,} leaves, {count:,} {noun}{'s' if count != 1 else ''}"


# ---------------------------------------------------------------------- games


def _game(game: ExtensiveGame, asked: str | None) -> Json:
    """A game with what every algorithm makes of it; the first that has an answer, if none was asked for."""
    _check_name(asked, GAME_ALGORITHMS)
    answers = {one: _answer(game, one) for one in GAME_ALGORITHMS}
    solved = [one for one, answer in answers.items() if not isinstance(answer, str)]
    wanted = asked or next(iter(solved), GAME_ALGORITHMS[0])
    exact = next((one for one in _exact(game) if one in solved and _holds(answers[one])), None)
    return {
        "kind": "game",
        "title": game.title or "Your game",
        "words": game.comment,
        "sizes": _sizes(len(game), game.leaves, len(game.players), "player"),
        "algorithms": [_game_row(one, answer) for one, answer in answers.items()],
        "chosen": _solution(game, wanted, answers[wanted]),
        "exact": _solution(game, exact, answers[exact]) if exact else None,
    }


def _exact(game: ExtensiveGame) -> tuple[str, str]:
    """What is sure to be right, the better first: alone one wants the best, together nobody should want to leave."""
    return ("brute-force", "pure-equilibrium") if len(game.players) == 1 else ("pure-equilibrium", "brute-force")


def _holds(answer: JudgedSolution | str) -> bool:
    return not isinstance(answer, str) and answer.holds is True


def _answer(game: ExtensiveGame, name: str) -> JudgedSolution | str:
    """What an algorithm finds, or why it finds nothing."""
    try:
        with deep():
            return judge_solution(game, name, solve_game(game, name, limit=SEARCH_LIMIT), SEARCH_LIMIT)
    except WorldwiseError as error:
        return str(error)


def _game_row(name: str, answer: JudgedSolution | str) -> Json:
    if isinstance(answer, str):
        nothing = {"believed": "–", "value": "–", "vector": "", "optimal": None, "result": None}
        return {"name": name, "verdict": answer, **nothing}
    payoffs = answer.payoffs
    believed = answer.believed or payoffs
    return {
        "name": name,
        "believed": exact_word(believed[0]) if believed else "–",
        "value": exact_word(payoffs[0]) if payoffs else "–",
        "vector": "",
        "verdict": verdict_words(answer).partition(":")[0],
        "optimal": answer.holds,
        "result": solution_json(answer),
    }


def _solution(game: ExtensiveGame, name: str, answer: JudgedSolution | str) -> Json:
    """The figure of a game with the choices of an algorithm; a search of a game is not told in steps."""
    told = None if isinstance(answer, str) else answer
    words = f"{caption_words(told)}; {verdict_words(told)}." if told else f"{answer}."
    reason = belief_words(told) if told else ""
    return {
        "name": name,
        "words": words,
        "why": f"It believes otherwise, because {reason}." if reason else None,
        "optimal": told.holds if told else None,
        "caption": verdict_words(told) if told else "",
        "steps": [],
        **_draw(lambda: game_svg(game, told)),
    }


# ---------------------------------------------------------------------- the table

NAME = Text("name", "a tree or a game of the papers: fb01/fig-10", longest=60, required=True)
TEXT = Text("text", "a tree in JSON, or a game in Gambit's .efg format", longest=LONGEST_TEXT, required=True)
ALGORITHM = Text("algorithm", "what searches it; if not said, the first that can", longest=40)

TREES = Page(
    path="/trees",
    title="Trees",
    about="Watch a search back its vectors up a game tree, and see where it goes wrong.",
    files="trees",
    endpoints=(
        Endpoint("/api/trees", "Every tree and game of the papers, and the algorithms.", (), listing),
        Endpoint("/api/tree", "A tree or game of the papers, searched.", (NAME, ALGORITHM), known_tree),
        Endpoint("/api/tree/own", "A tree or game of your own, searched.", (TEXT, ALGORITHM), own_tree, method="POST"),
    ),
)
