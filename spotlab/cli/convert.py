"""`spotlab convert`: truth from any format into any that can be written."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from spotlab.api.settings import ConversionSettings
from spotlab.cli.console import as_options, progress_bar, say
from spotlab.cli.options import EXISTING_PATH, given, options
from spotlab.errors import counted


def _list_formats(context: click.Context, _option: click.Parameter, wanted: bool) -> None:
    if not wanted:
        return
    from spotlab.formats.collection.detect import known_formats  # noqa: PLC0415 - takes half a second

    for name, file_format in known_formats().items():
        direction = "read" if file_format.write is None else "read, written"
        suffixes = " ".join(file_format.suffixes)
        say(f"{name:12} {file_format.title:20} {suffixes:18} {direction}")
    context.exit()


@click.command()
@click.argument("source", metavar="IN", type=EXISTING_PATH)
@click.argument("target", metavar="OUT", type=click.Path(path_type=Path))
@options(
    ConversionSettings,
    {
        "to": "--to FORMAT",
        "file_group": "--file-group NAME",
        "annotator": "--annotator NAME",
        "labels": "--labels LABEL,…",
        "split": "--split TRAIN/VAL/TEST",
    },
    types={"labels": str},
)
@click.option(
    "--formats",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_list_formats,
    help="List the formats and exit.",
)
def convert(source: Path, target: Path, **chosen: Any) -> None:
    """Convert a truth file, or all truth files in a folder.

    OUT is a file, or a folder for one file per page. A name without a suffix is a folder. Contents
    that the target format cannot hold are left out, counted and listed.

    With --split, --images, or YOLO as the format, OUT is a new folder. It appears only when all of
    it is written.
    """
    from spotlab.api.hull_of_stroke import convert as convert_truth  # noqa: PLC0415 - half a second

    with as_options(), progress_bar() as progress:
        done = convert_truth(source, target, progress=progress, **given(chosen))
    findings = [str(finding) for finding in done.findings]
    say(*findings, err=True)
    say(*(remark for remark in done.remarks if remark not in findings))
    say(
        f"wrote {counted(done.regions, 'region')} on {counted(done.pages, 'page')} "
        f"to {target} as {done.format.title}"
    )
