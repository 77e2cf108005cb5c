"""A group of commands that finds its commands in the files of a package."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from spotlab.files import exists
from spotlab.registry import discover, modules_of


class FolderGroup(click.Group):
    """A group whose commands are those at the top level of modules.

    Parameters
    ----------
    group : str
        Of entry points, by which other packages add commands.
    *packages : str
        Dotted names of those with the modules; by default the one that is named like the group.
    **settings
        See `click.Group`.
    """

    def __init__(self, group: str, *packages: str, **settings: Any) -> None:
        super().__init__(**settings)
        self._group = group
        self._packages = packages or (group,)

    def _found(self) -> dict[str, click.Command]:
        modules = tuple(module for package in self._packages for module in modules_of(package))
        return discover(self._group, click.Command, modules=modules)

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The names, in alphabetical order."""
        return sorted(self._found())

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command of this name."""
        return self._found().get(cmd_name)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command that comes first; a file or folder in its place is told how to open."""
        given = args[0] if args else ""
        if given and self.get_command(ctx, given) is None and exists(Path(given)):
            ctx.fail(f"{given} is not a command; to open it: spotlab open {given}")
        return super().resolve_command(ctx, args)
