"""`spotlab adapt words`: the network that describes words, adapted to the hand of some pages."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from spotlab.api.settings import WordAdaptationSettings
from spotlab.cli.console import as_options, check_target, json_option, progress_bar, say, tell
from spotlab.cli.options import EXISTING_PATH, given, options


@click.command()
@click.argument("pages", nargs=-1, required=True, type=EXISTING_PATH)
@options(WordAdaptationSettings)
@click.option(
    "--undo",
    is_flag=True,
    help="Remove the network that was adapted to the pages, instead of making one.",
)
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
    from spotlab.api.spot_words import adapt_words  # noqa: PLC0415 - takes a while

    with as_options(), progress_bar() as progress:
        made = adapt_words(pages, progress=progress, **given(chosen))
    tell(json_file, made.as_dict, lambda: str(made).split("\n"))


def _undo(pages: tuple[Path, ...]) -> None:
    from spotlab.spotting.page_entries import page_entries  # noqa: PLC0415
    from spotlab.spotting.words.feature_space import adapted_file, remove_adapted  # noqa: PLC0415

    file = adapted_file(page_entries(list(pages)))
    if file is not None and remove_adapted(file):
        say(f"removed {file}: words are described by the network as it came again")
    else:
        say("no network was adapted to these pages")
