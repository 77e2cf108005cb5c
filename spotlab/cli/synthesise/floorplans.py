"""`spotlab synthesise floorplans`: believable floor plans with every piece of furniture known."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from spotlab.cli.field_options import field_options
from spotlab.cli.progress_bar import progress_bar
from spotlab.synthesis.options import CLEAN, WORN, Options

MANNERS = {"neat": Options(), "clean": CLEAN, "worn": WORN}


@click.command()
@click.option("--pages", type=click.IntRange(min=1), required=True, help="How many.")
@click.option(
    "--seed", type=click.IntRange(min=0), default=0, help="The same draws the same.  [default: 0]"
)
@click.option(
    "--out",
    type=click.Path(file_okay=False, path_type=Path),
    required=True,
    help="Folder for the images and their truth.",
)
@click.option(
    "--jobs",
    type=click.IntRange(min=0),
    default=0,
    help="Processes to use.  [default: one a processor]",
)
@click.option(
    "--manner",
    type=click.Choice(list(MANNERS)),
    default="neat",
    show_default=True,
    help="What the options below start from: a good scan, a perfect one, an old one.",
)
@field_options(Options)
def floorplans(pages: int, seed: int, out: Path, jobs: int, manner: str, **chosen: Any) -> None:
    """Draw floor plans with the exact truth of their furniture."""
    from spotlab.synthesis.floorplans import write_collection  # noqa: PLC0415 - takes a second

    given = {name: value for name, value in chosen.items() if value is not None}
    try:
        options = replace(MANNERS[manner], **given)
    except ValueError as error:
        raise click.UsageError(str(error), click.get_current_context()) from error
    with progress_bar() as progress:
        symbols = write_collection(out, pages, seed, options, jobs, progress)
    click.echo(f"wrote {pages:,} pages with {symbols:,} symbols to {out}")
