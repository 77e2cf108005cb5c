"""`spotlab synthesise floorplans`: believable floor plans with every piece of furniture known."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from spotlab.lab.commands.lab_options import draw_pages, page_options
from spotlab.lab.draw.plans.options import CLEAN, PAPER, WORN, FloorPlanOptions

MANNERS = {"neat": FloorPlanOptions(), "clean": CLEAN, "worn": WORN, "paper": PAPER}


@click.command()
@page_options(
    FloorPlanOptions,
    MANNERS,
    "a good scan (neat), a perfect scan (clean), an old scan (worn), or the scans of a published "
    "study (paper)",
)
def floorplans(pages: int, seed: int, out: Path, jobs: int, manner: str, **chosen: Any) -> None:
    """Draw floor plans with the exact truth of their furniture."""
    from spotlab.lab.draw.floorplans import write_collection  # noqa: PLC0415 - takes a second

    draw_pages(write_collection, "symbol", MANNERS[manner], pages, seed, out, jobs, chosen)
