"""Groups of commands: each command gets whole numbers that are within bounds, or is not called."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from typer.core import TyperGroup

from worldwise.core.reading import LARGEST, read_whole
from worldwise.errors import placed

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping


class CommandGroup(TyperGroup):
    """A group of commands whose numbers are checked before anything is done with them."""

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """The command of a name, None if there is none."""
        command = super().get_command(ctx, cmd_name)
        if command is not None and not isinstance(command.callback, _Checked) and command.callback is not None:
            options = {parameter.name or "": parameter.opts[0] for parameter in command.params}
            command.callback = _Checked(command.callback, options)
        return command


@dataclass(frozen=True)
class _Checked:
    """A command that is called once its numbers are found to be of a size that kernels and generators take."""

    command: Callable[..., Any]
    options: Mapping[str, str]

    def __call__(self, **values: Any) -> Any:
        for name, value in values.items():
            if isinstance(value, int) and abs(value) > LARGEST:
                with placed(self.options.get(name, name)):
                    read_whole(str(value))
        return self.command(**values)
