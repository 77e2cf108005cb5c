"""The one way by which commands write lines for people to the terminal."""

from __future__ import annotations

import click

from spotlab.representation import visible


def say(*lines: str, err: bool = False) -> None:
    r"""Print lines; control characters in them, also of names and errors, are shown as escapes.

    Parameters
    ----------
    *lines : str
        One line each: a line break in one of them is a part of a name, and is shown as ``\n``.
    err : bool
        Whether to print to standard error.
    """
    for line in lines:
        click.echo(visible(line), err=err)
