"""Options that several commands of the laboratory share."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar, get_type_hints

import click

from spotlab.api.job import setting_texts
from spotlab.cli.console import progress_bar, say
from spotlab.cli.options import FILE, FOLDER, Decorator, jobs_option, together
from spotlab.errors import counted
from spotlab.progress import Progress

if TYPE_CHECKING:
    from spotlab.learning.runs import Trained


Function = TypeVar("Function", bound=Callable[..., Any])


def number_option(
    name: str, text: str, default: int | None = None, least: int = 0
) -> Decorator[Any]:
    """An option that is a whole number from ``least`` on; its help names the default."""
    shows = default is not None
    kind = click.IntRange(min=least)
    return click.option(name, type=kind, default=default, show_default=shows, help=text)


def field_options(kind: type) -> Callable[[Function], Function]:
    """Give a command an option for each field of a dataclass.

    Parameters
    ----------
    kind : type
        A dataclass of numbers and truth values whose docstring has a numpydoc section "Attributes".

    Returns
    -------
    decorator
        The command is called with an argument for every field, None where nothing was said.

    Examples
    --------
    >>> from dataclasses import dataclass
    >>> @dataclass
    ... class Pen:
    ...     '''A pen.
    ...
    ...     Attributes
    ...     ----------
    ...     line_width : float
    ...         In px.
    ...     '''
    ...     line_width: float = 2
    >>> @click.command()
    ... @field_options(Pen)
    ... def draw(line_width):
    ...     pass
    >>> option = draw.params[0]
    >>> option.opts, option.help
    (['--line-width'], 'In px.  [default: 2]')
    """
    texts = setting_texts(kind)
    types = get_type_hints(kind)

    def decorate(function: Function) -> Function:
        for field in reversed(fields(kind)):
            option = field.name.replace("_", "-")
            is_flag = types[field.name] is bool
            text = texts[field.name].text if field.name in texts else ""
            default = {True: "yes", False: "no"}[field.default] if is_flag else field.default
            function = click.option(
                f"--{option}/--no-{option}" if is_flag else f"--{option}",
                field.name,
                type=types[field.name],
                default=None,
                help=f"{text}  [default: {default}]",
            )(function)
        return function

    return decorate


Command = TypeVar("Command", bound=Callable[..., Any])


Write = Callable[[Path, int, int, Any, int, Progress], int]
"""Writes a collection: folder, pages, seed, options, jobs, progress; says how much truth it has."""


def page_options(
    kind: type[Any], manners: Mapping[str, Any], manner_help: str
) -> Callable[[Command], Command]:
    """Tell how many pages, drawn how: an option for every field of ``kind``, a dataclass.

    Parameters
    ----------
    manners : mapping of str to kind
        Presets of the other options; the first is the default.
    manner_help : str
        What these are.
    """
    added = (
        click.option("--pages", type=click.IntRange(min=1), required=True, help="Number of pages."),
        click.option(
            "--seed",
            type=click.IntRange(min=0),
            default=0,
            help="Seed of the random number generator; the same seed gives the same pages.  "
            "[default: 0]",
        ),
        click.option(
            "--out",
            type=FOLDER,
            required=True,
            help="Folder for the images and their truth.",
        ),
        jobs_option,
        click.option(
            "--manner",
            type=click.Choice(list(manners)),
            default=next(iter(manners)),
            show_default=True,
            help=f"Preset of the options below: {manner_help}.",
        ),
        field_options(kind),
    )

    return together(*added)


def draw_pages(
    write: Write,
    thing: str,
    start: Any,
    pages: int,
    seed: int,
    out: Path,
    jobs: int,
    chosen: Mapping[str, Any],
) -> None:
    """Write the pages with what was chosen, and say so.

    Raises
    ------
    UsageError
        The options do not fit together.
    """
    given = {name: value for name, value in chosen.items() if value is not None}
    try:
        options = replace(start, **given)
    except ValueError as error:
        raise click.UsageError(str(error), click.get_current_context()) from error
    with progress_bar() as progress:
        count = write(out, pages, seed, options, jobs, progress)
    say(f"wrote {counted(pages, 'page')} with {counted(count, thing)} to {out}")


def training_options(batch: int, least: int) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Add how long is trained, by what seed, from how many pictures a step, and where to.

    Parameters
    ----------
    batch, least : int
        Pictures in a step: as a rule, and at least.
    """
    options = (
        click.option(
            "--minutes",
            type=click.FloatRange(min=0, min_open=True),
            default=60,
            show_default=True,
            help="Minutes to train.",
        ),
        click.option(
            "--steps",
            type=click.IntRange(min=0),
            default=0,
            help="Steps to train instead; with --jobs 1 the same seed then gives the same network.",
        ),
        click.option("--seed", type=int, default=0, show_default=True, help="Seed of all chance."),
        number_option("--batch", "Pictures in a step.", batch, least=least),
        number_option(
            "--jobs",
            "Processor cores: with more than one, pictures are drawn in a process of their own.",
            2,
            least=1,
        ),
        click.option("--out", type=FILE, required=True, help="File for the network (.onnx)."),
    )

    return together(*options)


def say_trained(made: Trained, drawn: str) -> None:
    """Say what was trained.

    Parameters
    ----------
    made : Trained
    drawn : str
        What its pictures are.
    """
    end = "" if made.ended else "; cancelled: the same command continues it"
    seen = f"{made.steps:,} steps, {made.pictures:,} {drawn}, {made.minutes:.1f} min"
    say(f"wrote {made.file}: {seen}{end}")


# The options --truth, --run and --out of all studies of parts.
place_options = together(
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
