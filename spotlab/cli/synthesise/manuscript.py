"""`spotlab synthesise manuscript`: pages of handwriting with every word known."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from spotlab.cli.field_options import field_options
from spotlab.cli.progress_bar import progress_bar
from spotlab.synthesis.manuscript.options import CLEAN, WORN, Options

MANNERS = {"neat": Options(), "clean": CLEAN, "worn": WORN}


@click.command()
@click.option("--pages", type=click.IntRange(min=1), required=True, help="How many.")
@click.option(
    "--seed", type=click.IntRange(min=0), default=0, help="The same writes the same.  [default: 0]"
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
    help="What the options below start from: a good scan, ink and nothing else, an old sheet.",
)
@field_options(Options)
def manuscript(pages: int, seed: int, out: Path, jobs: int, manner: str, **chosen: Any) -> None:
    """Write letters by hand, with the exact truth of their words."""
    from spotlab.synthesis.manuscript.pages import write_collection  # noqa: PLC0415 - takes a second

    given = {name: value for name, value in chosen.items() if value is not None}
    try:
        options = replace(MANNERS[manner], **given)
    except ValueError as error:
        raise click.UsageError(str(error), click.get_current_context()) from error
    with progress_bar() as progress:
        words = write_collection(out, pages, seed, options, jobs, progress)
    click.echo(f"wrote {pages:,} pages with {words:,} words to {out}")
