"""The game that a user means: a file, a name, a rule with its parameters, or one of his own."""

from __future__ import annotations

import os
import sys
from fractions import Fraction
from math import log2
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Annotated, Any

import typer

from worldwise import catalog
from worldwise.core.game import ExtensiveForm, WorldGame
from worldwise.core.reading import collect_bytes, read_exact, read_whole
from worldwise.core.result import NO_LIMIT, Limit
from worldwise.errors import InputError, LimitReachedError, UnknownNameError, deep, say_where
from worldwise.extensive import ImpModel, from_world_game, write_out
from worldwise.extensive.building import MOST_NODES
from worldwise.extensive.conversions import GameForm, WorldGameForm
from worldwise.extensive.efg import efg_from_text, read_efg
from worldwise.extensive.imp_model import Uniform
from worldwise.extensive.reductions import satisfiability_game, three_partition_game
from worldwise.lab.user_code import blame, ready_object
from worldwise.openspiel.games import OpenSpielForm, load_open_spiel
from worldwise.players.game_match import seats_of
from worldwise.search.knowledge import known_worlds
from worldwise.trees.notation import read_tree

if TYPE_CHECKING:
    from collections.abc import Callable

    from worldwise.core.game import AnyExtensiveForm
    from worldwise.extensive import ExtensiveGame
    from worldwise.trees.world_tree import WorldTree

SOURCES = (
    "a .efg file, a game or tree by name, a .json tree, FILE.py:NAME or MODULE:NAME of your own, openspiel:NAME, "
    "imp-model:k=2,b=2,d=3, three-partition:6,8,7, clauses:1,-2,3;-1,2"
)

Source = Annotated[str, typer.Argument(metavar="GAME", help=f"{SOURCES[0].upper()}{SOURCES[1:]}; or - for stdin.")]

MOST_OWN_NODES = 300_000
"""The largest tree of a user's own game that is written down: that may take half a minute."""

PLAYS = 20
"""Random plays that tell whether a game is far too large to be written down."""

WANTED = "a Game (with a method observe), an ExtensiveForm (information_set) or a WorldGame (worlds)"


def own_game(place: str) -> Any:
    """What stands at a place, if it is a game of one of the three kinds."""
    return ready_object(place, WANTED, _is_game)


def _is_game(found: object) -> bool:
    members = ("to_move", "moves", "play")
    kinds = ("observe", "information_set", "worlds")
    return all(hasattr(found, name) for name in members) and any(hasattr(found, name) for name in kinds)


def own_form(place: str) -> AnyExtensiveForm:
    """The same as an extensive form."""
    return form_of(own_game(place))


def form_of(game: Any) -> AnyExtensiveForm:
    """Any of the three kinds as an extensive form."""
    if hasattr(game, "observe"):
        return GameForm(game, seats_of(game))
    if isinstance(game, ExtensiveForm):
        return game
    if isinstance(game, WorldGame):
        return WorldGameForm(game, frozenset(range(game.worlds)))
    raise InputError(f"expected {WANTED}, found {game!r:.80}")


# ---------------------------------------------------------------------- any game, by what it is called


def load_game(
    source: str, knowledge: str | None = None, seed: int | None = None, limit: Limit = NO_LIMIT
) -> ExtensiveGame:
    """The game a user means: a file, a name, a rule with its parameters, or standard input.

    The seconds of the limit are those in which a tree is written out.
    """
    found = _tree_or_game(source, Limit(limit.seconds))
    if isinstance(found, tuple):
        tree, title = found
        return from_world_game(tree, _known_worlds(tree, knowledge, seed), title=tree.title or title)
    if knowledge is not None:
        raise InputError(f"--knowledge goes with a possible-world tree, and {source} is a game")
    return found


def _tree_or_game(source: str, limit: Limit) -> ExtensiveGame | tuple[WorldTree, str]:
    """A game, or a tree with its name."""
    if source == "-":
        return _from_stdin()
    kind, _, rest = source.partition(":")
    is_there = os.path.exists(source)  # unlike Path's, it takes a name that no file can have
    if kind in _RULES and not is_there:
        return _RULES[kind](rest, limit)
    if is_own_game(source) and not is_there:
        with deep():
            return _own_game(source, limit)
    path = Path(source)
    if path.suffix == ".json" and is_there:
        return _tree_file(path), path.stem
    if path.suffix == ".efg" or is_there:
        return read_efg(path)
    return _by_name(source)


def is_own_game(source: str) -> bool:
    """Whether a text is the place of a game of the user's own: FILE.py:NAME or MODULE:NAME."""
    kind, colon, name = source.rpartition(":")
    return bool(colon) and name.isidentifier() and kind.partition(":")[0] not in _RULES


def _from_stdin() -> ExtensiveGame | tuple[WorldTree, str]:
    """A tree in JSON begins with a brace, which no ``.efg`` text does."""
    try:
        text = collect_bytes(sys.stdin.buffer).decode("utf-8")
    except UnicodeDecodeError as error:
        raise InputError(f"stdin: expected text in UTF-8, found the byte {error.object[error.start]:#04x}") from None
    if text.lstrip().startswith("{"):
        return read_tree(text), "tree"
    return efg_from_text(text, "stdin")


def _tree_file(path: Path) -> WorldTree:
    try:
        with path.open("rb") as file:
            return read_tree(file)
    except OSError as error:
        raise InputError(f"{path}: {error.strerror}") from None
    except InputError as error:
        raise InputError(f"{path}: {error}") from None


def _by_name(name: str) -> ExtensiveGame | tuple[WorldTree, str]:
    if name in catalog.game_names():
        return catalog.game(name)
    try:
        return catalog.tree(name), name
    except UnknownNameError:
        error = UnknownNameError("game", name, [*catalog.game_names(), *catalog.figure_names()])
        raise InputError(f"no such file, and {error}; or {', '.join(f'{rule}:...' for rule in _RULES)}") from None


def _known_worlds(tree: WorldTree, knowledge: str | None, seed: int | None) -> tuple[int, ...] | None:
    level = 1 if knowledge is None else read_number("--knowledge", knowledge)
    return None if level == 1 else known_worlds(tree.worlds, Fraction(level), seed or 0)


def read_number(option: str, text: str) -> int | Fraction:
    """An exact number; an error names the option."""
    with say_where(option):
        return read_exact(text)


def _imp_model(text: str, limit: Limit) -> ExtensiveGame:
    """BMV96's model by its parameters."""
    given = {"highest": 10, "seed": 0}
    for part in text.split(","):
        key, equals, value = part.strip().partition("=")
        if key not in ("k", "b", "d", *given) or not equals:
            raise InputError(f"imp-model: expected k=2,b=2,d=3 and perhaps highest=10,seed=0, found {part.strip()!r}")
        given[key] = read_whole_number("imp-model", value)
    if lacking := [key for key in "kbd" if key not in given]:
        raise InputError(f"imp-model: expected k=2,b=2,d=3, found no {lacking[0]}")
    with say_where("imp-model"):
        model = ImpModel(given["k"], given["b"], given["d"], Uniform(given["highest"], given["seed"]))
    # Before anything is counted: such numbers may be very long.
    if (model.d - 1) * log2(model.k * model.b) > log2(MOST_NODES):
        raise InputError(f"imp-model: expected at most {MOST_NODES:,} nodes, found {text}")
    return write_out(model, title=f"IMP-model {text}", limit=limit)


def _three_partition(text: str, _limit: Limit) -> ExtensiveGame:
    sizes = [read_whole_number("three-partition", part) for part in text.split(",")]
    if len(sizes) ** 2 > MOST_NODES:
        raise InputError(
            f"three-partition: expected a game of at most {MOST_NODES:,} nodes, found {len(sizes):,} sizes"
        )
    return three_partition_game(sizes)


def _clauses(text: str, _limit: Limit) -> ExtensiveGame:
    clauses = [[read_whole_number("clauses", literal) for literal in clause.split(",")] for clause in text.split(";")]
    nodes = sum(2 * len(clause) + 1 for clause in clauses) + 1
    if nodes > MOST_NODES:
        raise InputError(f"clauses: expected a game of at most {MOST_NODES:,} nodes, found {nodes:,}")
    with say_where("clauses"):
        return satisfiability_game(clauses)


def read_whole_number(kind: str, text: str) -> int:
    """A whole number; an error names what it is part of."""
    with say_where(kind):
        return read_whole(text)


def _load_open_spiel(name: str, limit: Limit) -> ExtensiveGame:
    """The whole tree."""
    form = OpenSpielForm(name)
    _refuse_if(is_far_too_large(form, MOST_NODES), f"openspiel:{name}", MOST_NODES)
    return load_open_spiel(name, limit=limit)


def _own_game(place: str, limit: Limit) -> ExtensiveGame:
    """The whole tree of a game of the user's own."""
    form = own_form(place)
    with blame(place):
        too_large = is_far_too_large(form, MOST_OWN_NODES)
    _refuse_if(too_large, place, MOST_OWN_NODES)
    try:
        with blame(place):
            return write_out(form, title=place.rpartition(":")[2], most_nodes=MOST_OWN_NODES, limit=limit)
    except InputError as error:
        if isinstance(error.__cause__, LimitReachedError):  # not the game's fault
            raise error.__cause__ from None
        raise


def _refuse_if(too_large: bool, name: str, most: int) -> None:
    if too_large:
        raise InputError(f"{name}: expected a game of at most {most:,} nodes, found far more")


def is_far_too_large(form: AnyExtensiveForm, most: int) -> bool:
    """Whether a game has far more nodes than that; so it is refused at once, not after so many of its nodes.

    The number of ways that a random play could have gone is on average the number of leaves (Knuth 1975). So the mean
    of twenty is hardly ever a thousand times greater.
    """
    rng, total = Random(0), 0
    for _ in range(PLAYS):
        position, ways = form.root, 1
        for _ in range(most):  # a play with more moves than that is far too long
            if form.to_move(position) is None or ways > most * 1000 * PLAYS:
                break
            moves = form.moves(position)
            ways *= len(moves)
            position = form.play(position, rng.choice(moves))
        else:
            return True
        total += ways
        if total > most * 1000 * PLAYS:
            return True
    return False


_RULES: dict[str, Callable[[str, Limit], ExtensiveGame]] = {
    "openspiel": _load_open_spiel,
    "imp-model": _imp_model,
    "three-partition": _three_partition,
    "clauses": _clauses,
}
