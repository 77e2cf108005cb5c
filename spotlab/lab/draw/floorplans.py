"""Floor plans with exact truth: `spotlab synthesise floorplans`."""

from __future__ import annotations

import io
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from spotlab.formats.collection.label_file import write_labels
from spotlab.formats.rows.files import write_atomically
from spotlab.formats.truth import page_xml
from spotlab.interruption import undisturbed
from spotlab.lab.draw.collection import prepare, symbol_kinds, write_pages
from spotlab.lab.draw.plans.options import FloorPlanOptions, project_of, wanted_symbols
from spotlab.lab.draw.plans.pen import draw_scene, scan_page
from spotlab.lab.draw.plans.scene import compose
from spotlab.model import LabelSet, Page, Primitive, Region, Truth
from spotlab.progress import Progress, silent

# truth files say when they were changed; ours depend on the seed alone
CHANGED = datetime(2020, 1, 1, tzinfo=UTC)
DEFAULT = FloorPlanOptions()
# the ten that are met most often get the digits
FAMILIAR = (
    "bed", "double bed", "sofa", "table", "chair", "washbasin", "toilet", "wardrobe", "desk",
    "plant",
)  # fmt: skip


def page_name(number: int) -> str:
    """Name of the page with this number, from 0, without an ending.

    Examples
    --------
    >>> page_name(0)
    'plan_001'
    """
    return f"plan_{number + 1:03d}"


def labels(options: FloorPlanOptions | None = None) -> LabelSet:
    """All labels that floor plans have, the most usual ones with digits."""
    label_set = LabelSet()
    extra = ["door", "window"] if options and options.openings else []
    further = bool(options and options.further)
    known = {name for name, kind in symbol_kinds().items() if further or not kind.further}
    for name in [*FAMILIAR, *sorted(known - set(FAMILIAR)), *extra]:
        label_set = label_set.with_label(name)
    return label_set


def make_page(
    number: int, seed: int, options: FloorPlanOptions = DEFAULT, folder: Path = Path()
) -> tuple[NDArray[np.uint8], Truth]:
    """Draw one page; it depends on nothing but the number, the seed and the options.

    Parameters
    ----------
    number : int
        Which page of the collection, from 0.
    seed : int
        Not negative.

    Returns
    -------
    (H, W) uint8
        Grey levels.
    Truth
        A region for each symbol: the convex hull of its ink, in whole px.
    """
    rng = np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(number,)))
    design, pen, dirt = rng.spawn(3)  # so that noise does not change what is drawn
    project = project_of(number, seed, options)
    wanted = wanted_symbols(number, seed, options.symbols) if options.symbols else None
    ink, symbols = draw_scene(compose(options, design, project, wanted), options, pen)
    regions = tuple(
        Region(
            tuple((x, y) for x, y in symbol.hull.tolist()),
            symbol.label,
            id=f"s{i + 1:03d}",
            primitive=Primitive.HULL,
        )
        for i, symbol in enumerate(symbols)
    )
    page = Page(folder / f"{page_name(number)}.png", options.width, options.height, checked=True)
    return scan_page(ink, options, dirt), Truth(page, regions, labels(options))


def encoded(pixels: NDArray[np.uint8], bilevel: bool) -> bytes:
    """The page as a PNG file."""
    image = Image.fromarray(pixels)
    if bilevel:
        image = image.convert("1", dither=Image.Dither.NONE)
    buffer = io.BytesIO()
    image.save(buffer, "PNG", optimize=bilevel)
    return buffer.getvalue()


def write_page(number: int, folder: Path, seed: int, options: FloorPlanOptions) -> int:
    """Write one page, its truth first; returns how many symbols are on it."""
    pixels, truth = make_page(number, seed, options, folder)
    image = encoded(pixels, options.bilevel)
    with undisturbed:  # a process that is ended leaves both files or none
        page_xml.write(truth, folder / f"{page_name(number)}.xml", CHANGED)
        write_atomically(folder / f"{page_name(number)}.png", image)
    return len(truth.regions)


def write_collection(
    folder: Path,
    pages: int,
    seed: int,
    options: FloorPlanOptions = DEFAULT,
    jobs: int = 1,
    progress: Progress = silent,
) -> int:
    """Write floor plans with their truth and the label file to a folder.

    The files depend on seed and options alone: page 3 is the same whether 3 or 300 pages are
    written, by one process or by several.

    Parameters
    ----------
    folder : Path
        Made if it is not there; pages that are in it are never overwritten.
    pages : int
        How many.
    jobs : int
        Processes to use; 1 works in this one, 0 uses one a processor.

    Returns
    -------
    int
        How many symbols there are on all pages together.

    Raises
    ------
    SpotlabError
        The number of pages, seed or jobs makes no sense.
    NotSaved
        A file cannot be written, or is there already.
    Cancelled
        From ``progress``; the pages written so far are whole.
    """
    folder = Path(folder)
    files = [
        f"{page_name(number)}{suffix}" for number in range(pages) for suffix in (".png", ".xml")
    ]
    prepare(folder, files, pages, seed, jobs)
    write_labels(folder, labels(options))
    work = partial(write_page, folder=folder, seed=seed, options=options)
    return write_pages(work, pages, jobs, progress, "drawing floor plans")
