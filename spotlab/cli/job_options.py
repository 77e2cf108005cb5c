"""Where commands work: on how many processor cores of this machine, or on a cluster."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
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
    """``--jobs`` and ``--cluster``."""
    return jobs_option(cluster_option(command))


def jobs_option(command: Command) -> Command:
    """``--jobs``: as many cores, for processes and for the threads in them; all by default."""
    option = click.option(
        "--jobs",
        type=click.IntRange(min=0),
        default=0,
        callback=_use_cores,
        help="Number of processor cores to use.  [default: all]",
    )
    return option(command)


def _use_cores(command: click.Context, _option: click.Parameter, jobs: int) -> int:
    from spotlab.compute.cores import use_cores  # noqa: PLC0415 - not needed to ask for help

    use_cores(jobs)
    command.call_on_close(partial(use_cores, 0))
    return jobs


def cluster_option(command: Command) -> Command:
    """``--cluster``."""
    return click.option("--cluster", metavar="ADDRESS", help=CLUSTER)(command)
