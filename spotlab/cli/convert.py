"""`spotlab convert`: truth from any format into any that can be written."""

from __future__ import annotations

from pathlib import Path

import click

from spotlab.cli.progress_bar import progress_bar


def _list_formats(context: click.Context, _option: click.Parameter, wanted: bool) -> None:
    if not wanted:
        return
    from spotlab.formats.truth.detect import known_formats  # noqa: PLC0415 - takes half a second

    for name, file_format in known_formats().items():
        direction = "read" if file_format.write is None else "read, written"
        suffixes = " ".join(file_format.suffixes)
        click.echo(f"{name:8} {file_format.title:15} {suffixes:14} {direction}")
    context.exit()


@click.command()
@click.argument("source", metavar="IN", type=click.Path(exists=True, path_type=Path))
@click.argument("target", metavar="OUT", type=click.Path(path_type=Path))
@click.option(
    "--to", "name", metavar="FORMAT", help="Format to write.  [default: by the suffix of OUT]"
)
@click.option(
    "--words", is_flag=True, help="Convert the words of PAGE files instead of the regions."
)
@click.option(
    "--lines", is_flag=True, help="Convert the text lines of PAGE files instead of the regions."
)
@click.option(
    "--overwrite",
    is_flag=True,
    help="Replace existing files in OUT, for example after an interrupted conversion.",
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
    """Convert a truth file, or all truth files in a folder.

    OUT is a file, or a folder for one file per page. A name without a suffix is a folder. Contents
    that the target format cannot hold are left out, counted and listed.
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
