"""The papers' figures as trees and games, by name, with the answers the papers give.

One list feeds tests, documentation and command line: ``figures.json`` beside this file. Names are those of the papers,
``fb01/fig-18``; FBM97's names of the same trees are known too. Names that begin with ``ours/`` are no figures: they are
the smallest trees we know on which a refinement does worse than what it refines.

BMV96's games in extensive form are ``.efg`` files in ``games``, with their stories as comments. ``suit_facts.json`` has
chances of single suits. ``deals`` has bridge deals of our own, played up to the moment that teaches something: the tags
``Title``, ``RightCard`` and, where sampling is known to go wrong, ``PimcCard`` of the PBN say what, the commentary why.
``problems`` has positions to measure advice by: the tags ``Technique``, ``RightCard`` (one card or several) and
``Proof`` say what is right and how that is known. Twenty of them are kept aside: nothing is tuned on those.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from worldwise.bridge.files.pbn import read_pbn
from worldwise.bridge.rules.deal import read_card
from worldwise.core.vector import Vector
from worldwise.errors import UnknownNameError
from worldwise.extensive.efg import efg_from_text
from worldwise.trees import tree_from_dict
from worldwise.trees.reductions import clique_tree

if TYPE_CHECKING:
    from worldwise.bridge.rules.board import Board
    from worldwise.bridge.rules.deal import Card
    from worldwise.bridge.rules.view import View
    from worldwise.extensive import ExtensiveGame
    from worldwise.trees.world_tree import WorldTree


@dataclass(frozen=True)
class Answer:
    """What an algorithm is known to do on a figure; ``choices`` are moves by the names of nodes."""

    algorithm: str
    choices: dict[str, str]
    vector: str | None = None
    believed: str | None = None
    knowledge: float = 1.0


@dataclass(frozen=True)
class Figure:
    """A published tree."""

    name: str
    caption: str
    tree: WorldTree
    answers: tuple[Answer, ...]
    aliases: tuple[str, ...] = ()


@cache
def figures() -> dict[str, Figure]:
    """Every figure, by its first name.

    >>> "fb01/fig-24" in figures()
    True
    """
    entries = json.loads(files(__name__).joinpath("figures.json").read_text("utf-8"))
    return {entry["name"]: _figure(entry) for entry in entries}


def figure(name: str) -> Figure:
    """The figure of this name.

    >>> figure("fbm97/fig-10").name
    'fb01/fig-11'
    """
    for entry in figures().values():
        if name == entry.name or name in entry.aliases:
            return entry
    raise UnknownNameError("figure", name, figures())


def tree(name: str) -> WorldTree:
    """The tree of a figure.

    >>> tree("fb01/fig-9").worlds
    4
    """
    return figure(name).tree


@dataclass(frozen=True)
class SuitFact:
    """What is known of a single suit: the best chance of ``tricks`` in percent; or, without a goal, of most tricks."""

    north: str
    south: str
    tricks: int | None
    percent: float | None = None
    expected_tricks: float | None = None
    published: str | None = None


@cache
def suit_facts() -> tuple[SuitFact, ...]:
    """Combinations that two independent solvers agree on, some of them in print: ``suit_facts.json`` beside this file.

    >>> len(suit_facts()), suit_facts()[0]
    (152, SuitFact(north='AQ', south='32', tricks=2, percent=50.0, expected_tricks=None, published=None))
    """
    entries = json.loads(files(__name__).joinpath("suit_facts.json").read_text("utf-8"))["facts"]
    return tuple(SuitFact(**{**entry, "tricks": _goal(entry["tricks"])}) for entry in entries)


def suit_combinations() -> list[tuple[str, str]]:
    """North's and South's cards of every suit there is a fact about, each once.

    >>> suit_combinations()[:2], len(suit_combinations())
    ([('AQ', '32'), ('KJ', '32')], 56)
    """
    return list(dict.fromkeys((fact.north, fact.south) for fact in suit_facts()))


def _goal(tricks: int | str) -> int | None:
    """A number of tricks; the file says ``expected`` where there is no goal."""
    return tricks if isinstance(tricks, int) else None


@cache
def games() -> dict[str, ExtensiveGame]:
    """Every game in extensive form, by its name.

    >>> games()["bmv96/fig-2-g2"].title
    'G2 (BMV96 Fig 2, right)'
    """
    found = {}
    for paper in sorted(files(__name__).joinpath("games").iterdir(), key=lambda entry: entry.name):
        for file in sorted(paper.iterdir(), key=lambda entry: entry.name):
            name = f"{paper.name}/{file.name.removesuffix('.efg')}"
            found[name] = efg_from_text(file.read_text("utf-8"), file.name)
    return found


def game(name: str) -> ExtensiveGame:
    """The game of this name.

    >>> len(game("bmv96/fig-4"))
    51
    """
    if name not in games():
        raise UnknownNameError("game", name, games())
    return games()[name]


class _Decision:
    """A board whose next card is asked for."""

    board: Board

    @property
    def constraints(self) -> tuple[str, ...]:
        """What the auction told of the hidden hands."""
        return tuple(filter(None, [self.board.tag("Constraints")]))

    @property
    def view(self) -> View:
        """What the player knows who has to choose the card."""
        return self.board.view(self.board.play.turn)


@dataclass(frozen=True)
class LessonDeal(_Decision):
    """A deal that teaches something; ``pimc`` is the card that sampling chooses wrongly, where it does."""

    name: str
    board: Board
    title: str
    right: Card
    instruction: str
    pimc: Card | None = None


@cache
def deals() -> dict[str, LessonDeal]:
    """Every deal that teaches something, by its name.

    >>> deals()["deals/drop-nine"].title
    'Nine cards without the queen: play for the drop'
    """
    found = sorted(files(__name__).joinpath("deals").iterdir(), key=lambda entry: entry.name)
    names = [f"deals/{file.name.removesuffix('.pbn')}" for file in found]
    return {name: _deal(name, file.read_text("utf-8")) for name, file in zip(names, found, strict=True)}


def deal(name: str) -> LessonDeal:
    """The deal of this name.

    >>> str(deal("deals/two-way-guess").board.contract)
    '6NT by S'
    """
    if name not in deals():
        raise UnknownNameError("deal", name, deals())
    return deals()[name]


def _deal(name: str, text: str) -> LessonDeal:
    (board,) = read_pbn(text, name)
    title, right, pimc = (board.tag(tag) for tag in ("Title", "RightCard", "PimcCard"))
    why = " ".join(board.comment.split())
    return LessonDeal(name, board, title, read_card(right), why, read_card(pimc) if pimc else None)


@dataclass(frozen=True)
class Problem(_Decision):
    """A position in which some cards are right and all others wrong.

    ``proof`` is ``search`` where a search to the end over all layouts has shown it, and ``words`` where the comment
    argues it.
    """

    name: str
    board: Board
    technique: str
    title: str
    right: tuple[Card, ...]
    proof: str
    comment: str


@cache
def problems(*, aside: bool = False) -> tuple[Problem, ...]:
    """The positions to measure advice by; or those kept aside.

    >>> len(problems()), len(problems(aside=True)), problems()[0].technique
    (41, 20, 'hold-up')
    """
    name = f"{'aside' if aside else 'problems'}.pbn"
    text = files(__name__).joinpath("problems", name).read_text("utf-8")
    return tuple(_problem(board) for board in read_pbn(text, name))


def _problem(board: Board) -> Problem:
    name, technique, title, right, proof = (
        board.tag(tag) for tag in ("Name", "Technique", "Title", "RightCard", "Proof")
    )
    cards = tuple(map(read_card, right.split()))
    return Problem(name, board, technique, title, cards, proof, " ".join(board.comment.split()))


def _figure(entry: dict[str, Any]) -> Figure:
    answers = tuple(Answer(**answer) for answer in entry["answers"])
    if "clique" in entry:
        shape = replace(clique_tree(map(tuple, entry["clique"])), title=entry["name"])
    else:
        shape = tree_from_dict({"title": entry["name"], "root": _node(entry["root"])})
    return Figure(entry["name"], entry["caption"], shape, answers, tuple(entry.get("aliases", ())))


def _node(node: Any) -> Any:
    """Figures are short: a leaf is a string of digits, branches are left and right unless named."""
    if isinstance(node, str):
        return {"payoff": [None if digit == "-" else int(digit) for digit in node]}
    side = "max" if "max" in node else "min" if "min" in node else "payoff"
    if side == "payoff":
        return {**_node(node["payoff"]), "name": node["name"]}
    children = [_node(child) for child in node[side]]
    moves = node.get("moves", ["left", "right"] if len(children) == 2 else None)
    return {**node, side: children, **({"moves": moves} if moves else {})}


def digits(vector: str) -> Vector:
    """The vector that a figure writes as a string of digits.

    >>> digits("10-")
    Vector(1, 0, None)
    """
    return Vector(None if digit == "-" else int(digit) for digit in vector)
