"""``docs/renames.md``: whoever looks up an old name finds one that is there, and the old one gone."""

from __future__ import annotations

import importlib
import re
from dataclasses import fields, is_dataclass
from pathlib import Path

import pytest

TABLE = Path(__file__).parents[1] / "docs" / "renames.md"
ROWS = re.findall(r"^\| `([\w.*]+)` \| `([\w.*]+)` \|$", TABLE.read_text("utf-8"), re.MULTILINE)


def exists(path):
    """Is it a module of worldwise, or reached from one by its attributes?"""
    parts = path.split(".")
    for cut in range(len(parts), 0, -1):
        try:
            found = importlib.import_module(".".join(["worldwise", *parts[:cut]]))
        except ModuleNotFoundError:
            continue
        return has_chain(found, parts[cut:])
    return False


def has_chain(found, names):
    for name in names:
        if name == "*":
            return True
        if is_dataclass(found) and name in {field.name for field in fields(found)}:
            return True
        if not hasattr(found, name):
            return False
        found = getattr(found, name)
    return True


def test_there_is_a_table():
    assert len(ROWS) > 300


@pytest.mark.parametrize("new", sorted({new for _, new in ROWS}))
def test_the_new_name_exists(new):
    assert exists(new)


def test_a_name_that_is_gone_is_seen():
    assert exists("core.front.drop_dominated")
    assert not exists("core.front.undominated")
    assert not exists("no_such_module.at_all")


def test_nothing_answers_to_an_old_name():
    again = {new for _, new in ROWS} | {new.rpartition(".")[0] for _, new in ROWS}
    assert not [old for old, new in ROWS if "*" not in old and old not in again and exists(old)]
