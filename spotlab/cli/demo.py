"""`spotlab demo`: the sample collection in the window, or as pictures."""

from __future__ import annotations

import os
from pathlib import Path

import click

from spotlab.cli.window import open_window, require_qt
from spotlab.resources import own_sample


@click.command()
@click.option("--headless", is_flag=True, help="Draw pictures of the workspaces, show no window.")
@click.option(
    "--out",
    type=click.Path(file_okay=False, path_type=Path),
    default=Path("spotlab-pictures"),
    show_default=True,
    help="Folder for the pictures.",
)
def demo(headless: bool, out: Path) -> None:
    """Open your copy of the sample collection."""
    if not headless:
        open_window([own_sample()], demo=True)
        return
    os.environ["QT_QPA_PLATFORM"] = "offscreen"
    require_qt(display=False)
    from spotlab.gui.headless import render_pictures  # noqa: PLC0415 - Qt may not be installed

    out.mkdir(parents=True, exist_ok=True)
    for picture in render_pictures(out):
        click.echo(f"wrote {picture}")
