"""`spotlab convert`: truth from any format into any that can be written."""

from __future__ import annotations

from pathlib import Path

import click

from spotlab.cli.progress_bar import progress_bar


def _list_formats(context: click.Context, _option: click.Parameter, wanted: bool) -> None:
    if not wanted:
        return
    from spotlab.formats.truth.detect import known_formats  # noqa: PLC0415 - takes half a second

    for name, found in known_formats().items():
        direction = "read" if found.write is None else "read, written"
        click.echo(f"{name:8} {found.title:15} {' '.join(found.suffixes):14} {direction}")
    context.exit()


@click.command()
@click.argument("source", metavar="IN", type=click.Path(exists=True, path_type=Path))
@click.argument("target", metavar="OUT", type=click.Path(path_type=Path))
@click.option("--to", "name", metavar="FORMAT", help="By default what the suffix of OUT says.")
@click.option("--words", is_flag=True, help="Of PAGE files, take words instead of regions.")
@click.option("--lines", is_flag=True, help="Of PAGE files, take lines of text instead of regions.")
@click.option(
    "--overwrite",
    is_flag=True,
    help="Replace files of OUT that are there, as after a conversion that was killed.",
)
@click.option(
    "--formats",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_list_formats,
    help="List the formats and exit.",
)
def convert(
    source: Path, target: Path, name: str | None, words: bool, lines: bool, overwrite: bool
) -> None:
    """Convert a truth file, or all those in a folder; what is left out is counted and said.

    OUT is a file, or a folder for a file per page; a name without a suffix is a folder.
    """
    from spotlab.formats.truth.convert import convert as convert_truth  # noqa: PLC0415

    with progress_bar() as progress:
        done = convert_truth(
            source, target, name, progress, words=words, lines=lines, overwrite=overwrite
        )
    for remark in done.remarks:
        click.echo(remark)
    click.echo(
        f"wrote {done.regions:,} regions on {done.pages:,} pages to {target} as {done.format.title}"
    )
