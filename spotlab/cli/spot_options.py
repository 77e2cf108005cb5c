"""What the commands that spot something share: their pages, and where they work."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any, TypeVar

import click

from spotlab.cli.job_options import job_options
from spotlab.interruption import noting

Command = TypeVar("Command", bound=Callable[..., Any])

pages_option = click.option(
    "--pages",
    type=click.Path(exists=True, path_type=Path),
    multiple=True,
    required=True,
    help="Image, or folder of images; may be given several times.",
)


def working_options(command: Command) -> Command:
    """On how many processes, where, and which folder keeps what is finished."""
    options = (
        job_options,
        click.option(
            "--cache",
            type=click.Path(file_okay=False, path_type=Path),
            help="Folder for the results of finished pages.  [default: in the user's cache folder]",
        ),
    )
    for option in reversed(options):
        command = option(command)
    return command


def resumable() -> AbstractContextManager[None]:
    """Say that nothing is lost if Ctrl+C ends the command."""
    return noting("finished pages are kept; run the same command again to continue")
