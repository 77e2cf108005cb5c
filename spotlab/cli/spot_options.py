"""What the commands that spot something share: their pages, and where they work."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any, TypeVar

import click

from spotlab.interruption import noting

Command = TypeVar("Command", bound=Callable[..., Any])

CLUSTER = (
    "Address of a Dask scheduler, such as tcp://host:8786, whose workers do the work instead. "
    "Its messages can run any code: trust the scheduler and everyone who can reach it. "
    "tls://host:8786 is encrypted, with the certificates from Dask's settings "
    "(distributed.comm.tls)."
)

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
        click.option(
            "--jobs",
            type=click.IntRange(min=0),
            default=1,
            show_default=True,
            help="Number of worker processes; 0 means one per CPU core.",
        ),
        click.option(
            "--cluster",
            metavar="ADDRESS",
            help=CLUSTER,
        ),
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
