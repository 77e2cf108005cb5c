"""What the commands that spot something share: their pages, where they work, queries in a box."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any, TypeVar

import click

from spotlab.interruption import noting

Command = TypeVar("Command", bound=Callable[..., Any])
Box = tuple[float, float, float, float]

_NUMBER = r"\s*(-?\d+(?:\.\d+)?)\s*"
_PLACE = re.compile(rf"(.+):{_NUMBER},{_NUMBER},{_NUMBER},{_NUMBER}")

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


def place_of(text: str) -> tuple[str, Box] | None:
    """The page and box of ``PAGE:x,y,width,height``; None where the text is something else.

    Examples
    --------
    >>> place_of("plan_1.png:10,20,30,40")
    ('plan_1.png', (10.0, 20.0, 40.0, 60.0))
    >>> place_of("sofa") is None
    True
    """
    match = _PLACE.fullmatch(text)
    if match is None:
        return None
    x, y, width, height = map(float, match.groups()[1:])
    return match[1], (x, y, x + width, y + height)


def page_among(page: str, names: Sequence[str]) -> str:
    """The name of the page, which may be given with folders and ending; as it is if there is none.

    Examples
    --------
    >>> page_among("scans/plan_1.png", ["plan_1"])
    'plan_1'
    """
    stem = Path(page).stem
    return stem if page not in names and stem in names else page


def resumable() -> AbstractContextManager[None]:
    """Say, should Ctrl+C end it, that nothing is lost."""
    return noting("finished pages are kept, and the same command goes on from there")
