"""Tables as terminals show them."""

from __future__ import annotations

from rich.table import Table


def plain_table() -> Table:
    """Two columns without lines: what, and its value."""
    table = Table(show_header=False, box=None, pad_edge=False)
    table.add_column(style="bold", no_wrap=True)
    table.add_column()
    return table
