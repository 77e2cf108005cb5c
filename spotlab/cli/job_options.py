"""Where commands work: on how many processor cores of this machine, or on a cluster."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import click

Command = TypeVar("Command", bound=Callable[..., Any])

CLUSTER = (
    "Address of a Dask scheduler, such as tcp://host:8786, whose workers do the work instead. "
    "Its messages can run any code: trust the scheduler and everyone who can reach it. "
    "tls://host:8786 is encrypted, with the certificates from Dask's settings "
    "(distributed.comm.tls)."
)


def job_options(command: Command) -> Command:
    """``--jobs``, 1 by default, and ``--cluster``."""
    jobs = click.option(
        "--jobs",
        type=click.IntRange(min=0),
        default=1,
        show_default=True,
        help="Number of processor cores to use; 0 means all.",
    )
    return jobs(cluster_option(command))


def cluster_option(command: Command) -> Command:
    """``--cluster`` alone, for commands with a default of their own for ``--jobs``."""
    return click.option("--cluster", metavar="ADDRESS", help=CLUSTER)(command)
