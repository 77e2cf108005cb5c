"""A group of commands that finds its commands in the files of a package."""

from __future__ import annotations

from typing import Any

import click

from spotlab.registry import discover


class FolderGroup(click.Group):
    """A group whose commands are those at the top level of a package's modules."""

    def __init__(self, package: str, **settings: Any) -> None:
        super().__init__(**settings)
        self._package = package

    def _found(self) -> dict[str, click.Command]:
        return discover(self._package, click.Command)

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The names, in alphabetical order."""
        return sorted(self._found())

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command of this name."""
        return self._found().get(cmd_name)
