"""Pictures of the pages on which a run does worst, with the areas that the canvas paints."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from spotlab.errors import SpotlabError
from spotlab.extras import cv2
from spotlab.imaging.overlay import (
    AreaKind,
    OverlayRaster,
    PageAreas,
    Pixels,
    area_kinds,
    paint_areas,
    paint_outlines,
)
from spotlab.imaging.reading.pixels import read_thumbnail
from spotlab.model import Page
from spotlab.progress import Progress, silent, track
from spotlab.report.figure_text import written
from spotlab.report.images import page_webp
from spotlab.studies.tally.page_view import AreaSums, area_sums, page_spots
from spotlab.studies.tally.query_models import truth_without_models

if TYPE_CHECKING:
    from spotlab.studies.evaluate.evaluation import Evaluation, RunEvaluation

SIDE = 960  # pixels of a picture's longer side
MOST = 6
PAINTED_QUALITY = 55  # of WebP: lines of a hatching stay sharp
PAPER = 0.55  # how much of the page's own darkness is left, so that areas stand out
OUTLINE = "#3a3f45"


@dataclass(frozen=True)
class Overlaid:
    """A page of a run.

    Attributes
    ----------
    page, caption : str
        Its name; what is wrong there, in numbers.
    webp : bytes
    sums : AreaSums
        The areas that are painted.
    """

    page: str
    caption: str
    webp: bytes
    sums: AreaSums


class MeasuredPage(NamedTuple):
    """What is painted of a run on a page, all queries together, and how much of it there is."""

    name: str
    areas: PageAreas
    sums: AreaSums


def measure_pages(
    evaluation: Evaluation, run: RunEvaluation, progress: Progress = silent
) -> list[MeasuredPage]:
    """All pages in the order of the tally."""
    tally = run.tally
    counts = np.diff(tally.starts)
    measured = []
    for name in track(tally.pages, progress, f"measuring pages of {run.name}"):
        truth = evaluation.truths[name]
        size = truth.page.width, truth.page.height
        judged = truth_without_models(truth, run.ignored_models.get(name, ()))
        areas = page_spots(tally, name, None, counts).areas(
            judged.regions, size, evaluation.primitive
        )
        measured.append(MeasuredPage(name, areas, area_sums(areas, size)))
    return measured


def draw_worst(
    evaluation: Evaluation,
    run: RunEvaluation,
    measured: Sequence[MeasuredPage],
    most: int = MOST,
    progress: Progress = silent,
) -> list[Overlaid]:
    """Draw the pages with most area painted as an error, the worst first; all queries together.

    A page whose image is not there is drawn on white.
    """
    worst = sorted(measured, key=lambda page: -page.sums.wrong)
    chosen = [page for page in worst[:most] if page.sums.wrong > 0]
    return [
        Overlaid(name, _caption(sums), _picture(evaluation.truths[name].page, areas), sums)
        for name, areas, sums in track(chosen, progress, f"drawing pages of {run.name}")
    ]


def _caption(sums: AreaSums) -> str:
    """Precision and recall of the sums over queries."""
    summed = sums.over_queries
    found = summed[AreaKind.FOUND]
    retrieved = found + summed[AreaKind.OTHER_LABEL] + summed[AreaKind.FALSE]
    precision, recall = (
        _share(found, whole) for whole in (retrieved, found + summed[AreaKind.MISSED])
    )
    return f"precision {written(precision)}, recall {written(recall)} of all queries' areas"


def _share(part: float, whole: float) -> float | None:
    return part / whole if whole > 0 else None


def _picture(page: Page, areas: PageAreas) -> bytes:
    def paint(sheet: OverlayRaster) -> Pixels:
        painted = paint_areas(area_kinds(areas, sheet), sheet, 0.85)
        paint_outlines(painted, areas.spots, sheet, OUTLINE, 1)
        return painted

    return painted_page(page, paint)


def painted_page(page: Page, paint: Callable[[OverlayRaster], Pixels]) -> bytes:
    """A pale picture of a page as WebP, with what is painted over it in premultiplied colours."""
    paper = _paper(page)
    height, width = paper.shape[:2]
    sheet = OverlayRaster((width / page.width, 0, 0, height / page.height, 0, 0), width, height)
    painted = paint(sheet)
    shade = 1 - painted[..., 3:].astype(np.float64) / 255
    mixed = np.rint(paper * shade + painted[..., :3]).astype(np.uint8)
    return page_webp(np.ascontiguousarray(mixed[..., ::-1]), PAINTED_QUALITY)


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
