"""`spotlab adapt words`: the network that describes words, adapted to the hand of some pages."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from spotlab.cli.console import say
from spotlab.cli.job_options import jobs_option
from spotlab.cli.json_output import json_option, write_json
from spotlab.cli.judging import check_target
from spotlab.cli.option_errors import as_options
from spotlab.cli.progress_bar import progress_bar

INKS = ("none", "otsu", "sauvola", "wolf")  # a test holds them against the model
_FILE = click.Path(exists=True, dir_okay=False, path_type=Path)


@click.command()
@click.argument("pages", nargs=-1, required=True, type=click.Path(exists=True, path_type=Path))
@click.option(
    "--minutes",
    type=click.FloatRange(min=0, min_open=True),
    default=1,
    show_default=True,
    help="Minutes to learn. Finding, describing and reading the words is not counted.",
)
@click.option(
    "--steps",
    type=click.IntRange(min=0),
    default=0,
    help="Steps to learn instead; the same seed then gives the same network.",
)
@click.option("--seed", type=click.IntRange(min=0), default=0, show_default=True,
              help="Seed of all chance.")  # fmt: skip
@click.option(
    "--words",
    "lexicon",
    type=_FILE,
    help="Text file with a word per line, with its frequency behind it or the most frequent first: "
    "the words that may be written.  [default: frequent English words]",
)
@click.option(
    "--truth",
    type=click.Path(exists=True, path_type=Path),
    multiple=True,
    help="PAGE XML with transcribed words, or a folder of such files.  [default: beside the pages]",
)
@click.option(
    "--fonts",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    help="Folder with fonts of handwriting (.ttf, .otf). Words that they draw are learned beside "
    "those of the pages.",
)
@click.option(
    "--light",
    is_flag=True,
    help="Fit the last layers only. This is also done where PyTorch is not installed, and needs "
    "transcribed or judged words to help.",
)
@click.option(
    "--given-boxes", is_flag=True, help="Take the word boxes of the truth instead of finding words."
)
@click.option(
    "--ink",
    type=click.Choice(INKS),
    default=INKS[0],
    show_default=True,
    help="Binarisation method.",
)
@click.option(
    "--out",
    type=click.Path(dir_okay=False, path_type=Path),
    help="File for the adapted network (.onnx), for spot words --network.  [default: "
    "adapted-words.onnx beside the pages, which searches there use from then on]",
)
@click.option(
    "--undo",
    is_flag=True,
    help="Remove the network that was adapted to the pages, instead of making one.",
)
@click.option(
    "--cache",
    type=click.Path(file_okay=False, path_type=Path),
    help="Folder for the results of finished pages.  [default: in the user's cache folder]",
)
@jobs_option
@json_option
def words(pages: tuple[Path, ...], undo: bool, json_file: str | None, **chosen: Any) -> None:
    """Adapt the network that describes words to the hand of PAGES.

    It learns from the words that it reads surely, and from those that are transcribed or judged.
    Some of these are held out: where they are not found better afterwards, nothing is kept.
    Learning needs PyTorch: pip install spotlab[learn]. Ctrl+C changes nothing.
    """
    check_target(json_file)
    if undo:
        _undo(pages)
        return
    from spotlab.api.word_adaptation import adapt_words  # noqa: PLC0415 - takes a while

    with as_options(), progress_bar() as progress:
        made = adapt_words(pages, progress=progress, **chosen)
    if json_file:
        write_json(made.as_dict(), json_file)
    if json_file != "-":
        say(*str(made).split("\n"))


def _undo(pages: tuple[Path, ...]) -> None:
    from spotlab.spotting.page_entries import page_entries  # noqa: PLC0415
    from spotlab.spotting.words.adaptation import adapted_file, remove_adapted  # noqa: PLC0415

    file = adapted_file(page_entries(list(pages)))
    if file is not None and remove_adapted(file):
        say(f"removed {file}: words are described by the network as it came again")
    else:
        say("no network was adapted to these pages")
