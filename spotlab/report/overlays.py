"""Pictures of the pages on which a run does worst, with what is found, false and missed."""

from __future__ import annotations

from dataclasses import dataclass
from io import BytesIO
from typing import TYPE_CHECKING

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image

from spotlab.errors import SpotlabError
from spotlab.geometry.outlines import Outlines
from spotlab.imaging.area_overlay import (
    OverlayRaster,
    PageAreas,
    area_kinds,
    paint_areas,
    paint_outlines,
)
from spotlab.imaging.pixels import read_thumbnail
from spotlab.model import Page, Region
from spotlab.progress import Progress, silent, track
from spotlab.report.figure_text import written

if TYPE_CHECKING:
    from spotlab.studies.areas.evaluation import Evaluation, RunEvaluation

SIDE = 960  # pixels of a picture's longer side
MOST = 6
COLOURS = 96  # of a picture's palette: a quarter of the bytes, and nobody sees it
PAPER = 0.55  # how much of the page's own darkness is left, so that areas stand out
OUTLINE = "#3a3f45"


@dataclass(frozen=True)
class Overlaid:
    """A page of a run.

    Attributes
    ----------
    page, caption : str
        Its name; what is wrong there, in numbers.
    png : bytes
    """

    page: str
    caption: str
    png: bytes


def worst_pages(
    evaluation: Evaluation, run: RunEvaluation, most: int = MOST, progress: Progress = silent
) -> list[Overlaid]:
    """The pages with most false and missed area, the worst first; all queries together.

    A page whose image is not there is drawn on white.
    """
    tally = run.tally
    pages = len(tally.pages)
    found = np.bincount(tally.page, tally.gained_true_area, pages)
    false = np.bincount(tally.page, tally.gained_area, pages) - found
    missed = tally.truth_area.sum(axis=0) - found
    wrong = false + missed
    chosen = [at for at in np.argsort(-wrong, kind="stable")[:most].tolist() if wrong[at] > 0]
    overlaid = []
    for at in track(chosen, progress, f"drawing pages of {run.name}"):
        precision, recall = (_share(found[at], of[at]) for of in (found + false, found + missed))
        caption = f"precision {written(precision)}, recall {written(recall)} of all queries' areas"
        name = tally.pages[at]
        overlaid.append(Overlaid(name, caption, _picture(evaluation, run, name)))
    return overlaid


def _share(part: float, whole: float) -> float | None:
    return float(part / whole) if whole > 0 else None


def _picture(evaluation: Evaluation, run: RunEvaluation, name: str) -> bytes:
    truth = evaluation.truths[name]
    page, tally = truth.page, run.tally
    paper = _paper(page)
    height, width = paper.shape[:2]
    sheet = OverlayRaster((width / page.width, 0, 0, height / page.height, 0, 0), width, height)
    number = {query: at for at, query in enumerate(tally.queries)}
    regions: list[Region] = [region for region in truth.regions if region.label]
    spots = np.flatnonzero(tally.page == tally.pages.index(name))
    areas = PageAreas(
        Outlines.of([region.array for region in regions]),
        run.run.outlines.take(tally.spot[spots]),
        np.array([number[region.label] for region in regions], np.int64),
        tally.query[spots],
    )
    painted = paint_areas(area_kinds(areas, sheet), sheet, 0.85)
    paint_outlines(painted, areas.spots, sheet, OUTLINE, 1)
    shade = 1 - painted[..., 3:].astype(np.float64) / 255
    mixed = np.rint(paper * shade + painted[..., :3]).astype(np.uint8)
    png = BytesIO()
    few = Image.fromarray(mixed[..., ::-1]).quantize(COLOURS, Image.Quantize.FASTOCTREE)
    few.save(png, "PNG", optimize=True)
    return png.getvalue()


def _paper(page: Page) -> NDArray[np.float64]:
    """(H, W, 3) the page in blue, green, red, made pale."""
    share = SIDE / max(page.width, page.height)
    size = max(1, round(page.width * share)), max(1, round(page.height * share))
    try:
        image = read_thumbnail(page.image, page.frame, SIDE)
    except SpotlabError:
        return np.full((size[1], size[0], 3), 255.0)
    if image.ndim == 2:
        image = np.repeat(image[..., None], 3, axis=2)
    resized = cv2.resize(image, size, interpolation=cv2.INTER_AREA)
    return 255 - (255 - resized[..., ::-1].astype(np.float64)) * PAPER
