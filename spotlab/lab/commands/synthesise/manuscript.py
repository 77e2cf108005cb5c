"""`spotlab synthesise manuscript`: pages of handwriting with every word known."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from spotlab.lab.commands.lab_options import draw_pages, page_options
from spotlab.lab.draw.manuscript.options import CLEAN, WORN, ManuscriptOptions

MANNERS = {"neat": ManuscriptOptions(), "clean": CLEAN, "worn": WORN}


@click.command()
@page_options(
    ManuscriptOptions,
    MANNERS,
    "a good scan (neat), ink on plain white (clean), or an old sheet (worn)",
)
def manuscript(pages: int, seed: int, out: Path, jobs: int, manner: str, **chosen: Any) -> None:
    """Draw pages of simulated handwriting with the exact truth of their words."""
    from spotlab.lab.draw.manuscript.pages import write_collection  # noqa: PLC0415 - takes a second

    draw_pages(write_collection, "word", MANNERS[manner], pages, seed, out, jobs, chosen)
