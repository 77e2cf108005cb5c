"""Options for the folders of truth parts, run parts and results."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import click

Command = Callable[..., Any]


def place_options(command: Command) -> Command:
    """The options --truth, --run and --out of all studies of parts."""
    options = (
        click.option(
            "--truth",
            required=True,
            metavar="FOLDER",
            help="Folder with parts of the truth, or its address in object storage.",
        ),
        click.option(
            "--run",
            "runs",
            multiple=True,
            required=True,
            metavar="FOLDER",
            help="Folder with parts of a run, called like those of the truth, or its address in "
            "object storage; may be given several times.",
        ),
        click.option(
            "--out",
            required=True,
            metavar="FOLDER",
            help="Folder for tallies and curves as Parquet, or its address in object storage. What "
            "is there already is used again if truth, run and settings are the same.",
        ),
    )
    for option in reversed(options):
        command = option(command)
    return command
