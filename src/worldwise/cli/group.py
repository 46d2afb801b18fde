"""Groups of commands: each gets whole numbers that are within bounds, or is not called, and help that reads well."""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, Any, ClassVar

import typer
from typer.core import TyperGroup

from worldwise.core.reading import LARGEST, read_whole
from worldwise.errors import say_where

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping


class CommandGroup(TyperGroup):
    """A group of commands whose numbers are checked before anything is done with them."""

    def get_params(self, ctx: Any) -> Any:
        """The group's own options."""
        return _show_flags_bare(super().get_params(ctx))

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """The command of a name, None if there is none."""
        command = super().get_command(ctx, cmd_name)
        if command is not None:
            _show_example_first(command)
            _show_flags_bare(command.get_params(ctx))
            _check_numbers(command)
        return command


@dataclass(frozen=True)
class Place:
    """Where a command, or an app of commands, is defined: ``module:name``; for a command, how it is called, too."""

    where: str
    example: str = ""

    @property
    def module(self) -> str:
        """The module that defines it."""
        return self.where.partition(":")[0]

    def load(self, name: str) -> Any:
        """The command, as a group would have it under this name."""
        found = getattr(import_module(self.module), self.where.partition(":")[2])
        holder = typer.Typer(rich_markup_mode="markdown")
        if isinstance(found, typer.Typer):
            holder.add_typer(found, name=name)
        else:
            holder.command(name, epilog=f"Example: `worldwise {self.example}`")(found)
        return typer.main.get_group(holder).commands[name]


class LazyGroup(CommandGroup):
    """A group that imports a command when it is asked for: a short one would spend its time importing the others."""

    places: ClassVar[Mapping[str, Place]] = {}

    def __init__(self, **settings: Any) -> None:
        super().__init__(**settings)
        self.commands: dict[str, Any] = dict.fromkeys(self.places)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """The command of a name, imported if it has not been yet."""
        if cmd_name in self.places and self.commands[cmd_name] is None:
            self.commands[cmd_name] = self.places[cmd_name].load(cmd_name)
        return super().get_command(ctx, cmd_name)


def _check_numbers(command: Any) -> None:
    """Put the check before what the command does."""
    if command.callback is not None and not isinstance(command.callback, _Checked):
        options = {parameter.name or "": parameter.opts[0] for parameter in command.params}
        command.callback = _Checked(command.callback, options)


def _show_flags_bare(parameters: Any) -> Any:
    """A flag is its name: help would put ``<bool>`` behind it."""
    for parameter in parameters:
        if getattr(parameter, "is_flag", False):
            parameter.metavar = ""
    return parameters


def _show_example_first(command: Any) -> None:
    """The example, which Typer would put below the last option, comes right after what the command does."""
    if command.epilog:
        command.help, command.epilog = f"{command.help}\n\n{command.epilog}", None


@dataclass(frozen=True)
class _Checked:
    """A command that is called once its numbers are found to be of a size that kernels and generators take."""

    command: Callable[..., Any]
    options: Mapping[str, str]

    def __call__(self, **values: Any) -> Any:
        for name, value in values.items():
            if isinstance(value, int) and abs(value) > LARGEST:
                with say_where(self.options.get(name, name)):
                    read_whole(str(value))
        return self.command(**values)
