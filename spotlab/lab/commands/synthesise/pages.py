"""`spotlab synthesise floorplans` and `manuscript`: pages with known symbols and words."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from spotlab.lab.commands.lab_options import draw_pages, page_options
from spotlab.lab.draw.manuscript import options as manuscript_options
from spotlab.lab.draw.manuscript.options import ManuscriptOptions
from spotlab.lab.draw.plans import options as plan_options
from spotlab.lab.draw.plans.options import FloorPlanOptions

PLAN_MANNERS = {
    "neat": FloorPlanOptions(),
    "clean": plan_options.CLEAN,
    "worn": plan_options.WORN,
    "paper": plan_options.PAPER,
}
MANUSCRIPT_MANNERS = {
    "neat": ManuscriptOptions(),
    "clean": manuscript_options.CLEAN,
    "worn": manuscript_options.WORN,
}


@click.command()
@page_options(
    FloorPlanOptions,
    PLAN_MANNERS,
    "a good scan (neat), a perfect scan (clean), an old scan (worn), or the scans of a published "
    "study (paper)",
)
def floorplans(pages: int, seed: int, out: Path, jobs: int, manner: str, **chosen: Any) -> None:
    """Draw floor plans with the exact truth of their furniture."""
    from spotlab.lab.draw.floorplans import write_collection  # noqa: PLC0415 - takes a second

    draw_pages(write_collection, "symbol", PLAN_MANNERS[manner], pages, seed, out, jobs, chosen)


@click.command()
@page_options(
    ManuscriptOptions,
    MANUSCRIPT_MANNERS,
    "a good scan (neat), ink on plain white (clean), or an old sheet (worn)",
)
def manuscript(pages: int, seed: int, out: Path, jobs: int, manner: str, **chosen: Any) -> None:
    """Draw pages of simulated handwriting with the exact truth of their words."""
    from spotlab.lab.draw.manuscript.pages import write_collection  # noqa: PLC0415 - takes a second

    start = MANUSCRIPT_MANNERS[manner]
    draw_pages(write_collection, "word", start, pages, seed, out, jobs, chosen)
