"""The questions of the drill on single suits: ``suit_drill.json``, chosen by ``tests/support/drill_pool.py``."""

from __future__ import annotations

import json
from functools import cache

from worldwise.bridge.suit.drill import DrillEntry
from worldwise.catalog.shelf import data


@cache
def drill_entries(level: int | None = None) -> tuple[DrillEntry, ...]:
    """The questions of the drill, or those of a level, 1 to 3.

    >>> len(drill_entries()), len(drill_entries(3)), drill_entries(3)[0]
    (120, 40, DrillEntry(north='A9xx', south='KJx', tricks=4, level=3))
    """
    entries = json.loads(data("suit_drill.json").read_text("utf-8"))["questions"]
    return tuple(entry for entry in map(DrillEntry._make, entries) if level in (None, entry.level))
