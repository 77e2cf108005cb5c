"""`spotlab open`: the window on images, folders, truth files and saved views."""

from __future__ import annotations

from pathlib import Path

import click

from spotlab.cli.window import open_window


@click.command("open")
@click.argument("paths", nargs=-1, type=click.Path(exists=True, path_type=Path))
@click.option(
    "--author",
    default="",
    help="Your name in the history of the regions that you draw and change, until the window is "
    "closed.  [default: the name set in the window, else that of your account]",
)
def open_paths(paths: tuple[Path, ...], author: str) -> None:
    """Open images, folders of images, PDF files or a saved view in the window."""
    open_window(paths, author=author)
