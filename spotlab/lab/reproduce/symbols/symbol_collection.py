"""The collection that symbol spotting is studied on: drawn once and kept."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import spotlab.lab.draw
from spotlab.files import exists
from spotlab.formats.collection.label_file import write_labels
from spotlab.formats.store.entries import code_digest, key_of
from spotlab.lab.draw.collection import prepare, write_pages
from spotlab.lab.draw.floorplans import labels, page_name, write_page
from spotlab.lab.draw.plans.options import PAPER, FloorPlanOptions
from spotlab.progress import Progress, silent

PAGES = 42  # as there, §5.3
SEED = 102  # 344 symbols, and every class on three pages or more


def drawn_pages(
    cache: Path,
    count: int = PAGES,
    seed: int = SEED,
    options: FloorPlanOptions = PAPER,
    *,
    jobs: int = 1,
    progress: Progress = silent,
) -> list[Path]:
    """Draw floor plans with their truth beside them; those that are there already are kept.

    Parameters
    ----------
    cache : Path
        Folder for their folder, whose name depends on all that their content depends on.
    count : int
        Number of pages.
    seed : int
    options : FloorPlanOptions
    jobs : int
        Number of worker processes; 0 means one per CPU core.

    Returns
    -------
    list of Path
        The images.

    Raises
    ------
    SpotlabError
        The number of pages, seed or jobs makes no sense.
    NotSaved
        They cannot be written.
    Cancelled
        From ``progress``; pages that are drawn stay.
    """
    key = key_of(_drawing_version(), repr(options), str(seed))
    folder = cache / f"floorplans-{key[:16]}"
    images = [folder / f"{page_name(number)}.png" for number in range(count)]
    # a page's truth is written before its image
    missing = [number for number, image in enumerate(images) if not exists(image)]
    if missing:
        prepare(folder, (), count, seed, jobs)
        write_labels(folder, labels(options))
        work = partial(_write_one, missing, folder, seed, options)
        write_pages(work, len(missing), jobs, progress, "drawing floor plans")
    return images


def _write_one(
    missing: list[int], folder: Path, seed: int, options: FloorPlanOptions, place: int
) -> int:
    return write_page(missing[place], folder, seed, options)


def _drawing_version() -> str:
    """Changes with the code that draws."""
    own = Path(spotlab.lab.draw.__file__).parent
    return code_digest(sorted(own.rglob("*.py")))
