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
    "A Dask scheduler, tcp://host:8786, whose workers do it instead. What is exchanged can run any "
    "code: the scheduler and all who reach it must be trusted. tls://host:8786 is encrypted, with "
    "the certificates that Dask's own settings name (distributed.comm.tls)."
)

pages_option = click.option(
    "--pages",
    type=click.Path(exists=True, path_type=Path),
    multiple=True,
    required=True,
    help="Images or folders of them; may be given several times.",
)


def working_options(command: Command) -> Command:
    """On how many processes, where, and which folder keeps what is finished."""
    options = (
        click.option(
            "--jobs",
            type=click.IntRange(min=0),
            default=1,
            show_default=True,
            help="Processes to use; 0 for one a processor.",
        ),
        click.option(
            "--cluster",
            metavar="ADDRESS",
            help=CLUSTER,
        ),
        click.option(
            "--cache",
            type=click.Path(file_okay=False, path_type=Path),
            help="Folder that keeps what is finished.  [default: in the user's cache]",
        ),
    )
    for option in reversed(options):
        command = option(command)
    return command


def resumable() -> AbstractContextManager[None]:
    """Say, should Ctrl+C end it, that nothing is lost."""
    return noting("finished pages are kept, and the same command goes on from there")
