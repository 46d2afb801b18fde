"""Games in extensive form, BMV96's and FB01 Fig 2, by name: the ``.efg`` files of ``data/games``, with stories."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from worldwise.catalog.shelf import data, names
from worldwise.errors import UnknownNameError
from worldwise.extensive.efg import efg_from_text

if TYPE_CHECKING:
    from worldwise.extensive import ExtensiveGame


def game_names() -> list[str]:
    """The names of the games; none is read.

    >>> "bmv96/fig-4" in game_names()
    True
    """
    return names(data("games"), ".efg")


def games() -> dict[str, ExtensiveGame]:
    """Every game in extensive form, by its name.

    >>> games()["bmv96/fig-2-g2"].title
    'G2 (BMV96 Fig 2, right)'
    """
    return {name: game(name) for name in game_names()}


@cache
def game(name: str) -> ExtensiveGame:
    """The game of this name.

    >>> len(game("bmv96/fig-4"))
    51
    """
    if name not in game_names():
        raise UnknownNameError("game", name, game_names())
    file = data("games", f"{name}.efg")
    return efg_from_text(file.read_text("utf-8"), file.name)
