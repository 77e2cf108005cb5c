"""The options that say what counts as ink, shared by the commands that binarise pages."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from spotlab.files import is_folder

if TYPE_CHECKING:
    from spotlab.imaging.ink import InkSettings

Command = TypeVar("Command", bound=Callable[..., Any])

NAMES = ("rulings", "specks", "smallest", "colour", "tolerance", "tone", "collection_ink")


def ink_options(command: Command) -> Command:
    """What is removed from the ink, and which colour it has."""
    options = (
        click.option(
            "--remove-rulings",
            "rulings",
            is_flag=True,
            help="Remove the lines of squared and lined paper from the ink.",
        ),
        click.option(
            "--specks",
            type=click.IntRange(0, 10_000),
            default=0,
            help="Remove connected ink of at most this area, in px.  [default: none]",
        ),
        click.option(
            "--smallest",
            type=click.IntRange(0, 10_000),
            default=0,
            help="Remove connected ink whose larger side is shorter than this, in px.  "
            "[default: none]",
        ),
        click.option(
            "--colour",
            metavar="#RRGGBB",
            help="Keep only ink of this colour.  [default: all ink]",
        ),
        click.option(
            "--tolerance",
            type=click.IntRange(1, 90),
            default=30,
            show_default=True,
            help="Largest difference in hue from --colour, in degrees.",
        ),
        click.option(
            "--tone",
            type=click.Choice(("auto", "dark", "light")),
            default="auto",
            show_default=True,
            help="Whether ink is darker or lighter than the paper; auto takes for ink what there "
            "is less of on each page.",
        ),
        click.option(
            "--collection-ink",
            is_flag=True,
            help="Use the ink settings that the window has kept with the pages; the other options "
            "of ink are then ignored.",
        ),
    )
    for option in reversed(options):
        command = option(command)
    return command


def chosen_ink(method: str, pages: Sequence[Path], chosen: dict[str, Any]) -> InkSettings | str:
    """Take the options of `ink_options` out of what was chosen, and make settings of them.

    Returns
    -------
    InkSettings or str
        The name of the method where nothing else is asked for.

    Raises
    ------
    click.BadParameter
        The colour is none, or no settings are kept with the pages.
    """
    from spotlab.formats.collection.label_file import read_ink  # noqa: PLC0415 - takes a while
    from spotlab.imaging.ink import (  # noqa: PLC0415
        InkMethod,
        InkSettings,
        InkTone,
        colour_of_text,
    )

    values = {name: chosen.pop(name) for name in NAMES}
    if values.pop("collection_ink"):
        folders = {page if is_folder(page) else page.parent for page in pages}
        kept = [read_ink(folder) for folder in sorted(folders)]
        if None in kept or len(set(kept)) != 1:
            raise click.BadParameter(
                "the pages have no common ink settings; choose them in the window: "
                "View → Ink, Contrast and Share",
                param_hint="--collection-ink",
            )
        [settings] = {each for each in kept if each is not None}
        return settings
    if values["colour"] is not None:
        colour = colour_of_text(values["colour"])
        if colour is None:
            raise click.BadParameter(
                f"{values['colour']!r} is no colour; expected #rrggbb", param_hint="--colour"
            )
        values["colour"] = colour
    values["tone"] = InkTone(values["tone"])
    settings = InkSettings(InkMethod(method), **values)
    return method if settings == InkSettings(InkMethod(method)) else settings
