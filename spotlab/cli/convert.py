"""`spotlab convert`: truth from any format into any that can be written."""

from __future__ import annotations

from pathlib import Path

import click

from spotlab.cli.console import as_options, progress_bar, say
from spotlab.cli.options import strict_option
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


def _names(
    _context: click.Context, _option: click.Parameter, text: str | None
) -> frozenset[str] | None:
    """The labels between commas; None where none are given."""
    return None if text is None else frozenset(" ".join(name.split()) for name in text.split(","))


@click.command()
@click.argument("source", metavar="IN", type=click.Path(exists=True, path_type=Path))
@click.argument("target", metavar="OUT", type=click.Path(path_type=Path))
@click.option(
    "--to", "name", metavar="FORMAT", help="Format to write.  [default: by the suffix of OUT]"
)
@click.option(
    "--words",
    is_flag=True,
    help="Convert words instead of regions; regions that have a text, in formats without words.",
)
@click.option(
    "--lines",
    is_flag=True,
    help="Convert lines of text instead of regions, for example of PAGE, ALTO and hOCR.",
)
@click.option(
    "--blocks",
    is_flag=True,
    help="Convert blocks (zones) of text instead of words, for example of ALTO and hOCR.",
)
@click.option(
    "--file-group",
    metavar="NAME",
    default="",
    help="File group of METS files to read.  [default: the ground truth]",
)
@click.option(
    "--annotator",
    metavar="NAME",
    default="",
    help="Annotator to read, of truth files with the work of several, such as exports of Label "
    "Studio.  [default: the latest of each page]",
)
@click.option(
    "--labels",
    metavar="LABEL,…",
    callback=_names,
    help="Convert regions of these labels only.  [default: all]",
)
@click.option(
    "--labels-as-words",
    is_flag=True,
    help="Labels are what is written: make each region a word with its label as the text.",
)
@click.option("--checked", is_flag=True, help="Convert pages only that are marked as checked.")
@click.option(
    "--split",
    metavar="TRAIN/VAL/TEST",
    help="Divide the pages by chance into parts of these shares, for example 80/10/10.",
)
@click.option(
    "--seed",
    type=click.IntRange(min=0),
    default=0,
    show_default=True,
    help="Seed of --split; the same seed gives the same parts.",
)
@click.option(
    "--images",
    type=click.Choice(["copy", "link", "none"]),
    default="none",
    show_default=True,
    help="Copy or link the images into OUT.",
)
@click.option(
    "--overwrite",
    is_flag=True,
    help="Replace the file OUT, or files in the folder, for example after an interrupted "
    "conversion; or an earlier export with --split, --images or YOLO.",
)
@strict_option
@click.option(
    "--formats",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_list_formats,
    help="List the formats and exit.",
)
def convert(
    source: Path,
    target: Path,
    name: str | None,
    words: bool,
    lines: bool,
    blocks: bool,
    file_group: str,
    annotator: str,
    labels: frozenset[str] | None,
    labels_as_words: bool,
    checked: bool,
    split: str | None,
    seed: int,
    images: str,
    overwrite: bool,
    strict: bool,
) -> None:
    """Convert a truth file, or all truth files in a folder.

    OUT is a file, or a folder for one file per page. A name without a suffix is a folder. Contents
    that the target format cannot hold are left out, counted and listed.

    With --split, --images, or YOLO as the format, OUT is a new folder. It appears only when all of
    it is written.
    """
    from spotlab.formats.collection.convert import convert as convert_truth  # noqa: PLC0415
    from spotlab.formats.collection.dataset import Images, Split  # noqa: PLC0415
    from spotlab.formats.collection.export import ExportSelection  # noqa: PLC0415

    with as_options(), progress_bar() as progress:
        done = convert_truth(
            source, target, name, progress, words=words, lines=lines, blocks=blocks,
            file_group=file_group, annotator=annotator,
            labels_as_words=labels_as_words, strict=strict,
            selection=ExportSelection(checked, labels), images=Images(images), overwrite=overwrite,
            split=None if split is None else Split.parse(split, seed),
        )  # fmt: skip
    findings = [str(finding) for finding in done.findings]
    say(*findings, err=True)
    say(*(remark for remark in done.remarks if remark not in findings))
    say(
        f"wrote {counted(done.regions, 'region')} on {counted(done.pages, 'page')} "
        f"to {target} as {done.format.title}"
    )
