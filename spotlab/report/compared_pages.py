"""Pictures of the pages that change most between two runs."""

from __future__ import annotations

from dataclasses import dataclass

from spotlab.imaging.overlay import (
    FALSE_KINDS,
    FIRST_COLOUR,
    SECOND_COLOUR,
    TRUTH_KINDS,
    TRUTH_LINE,
    ComparedAreas,
    ComparedKind,
    OverlayRaster,
    Pixels,
    compared_kinds,
    paint_compared,
    paint_outlines,
)
from spotlab.model import Page
from spotlab.report.figure_text import written
from spotlab.report.overlays import painted_page
from spotlab.studies.compare.comparison import RunComparison
from spotlab.studies.compare.overlay import compared_areas, painted_areas
from spotlab.studies.evaluate.evaluation import Evaluation

MOST = 6


@dataclass(frozen=True)
class ComparedPicture:
    """A page of two runs.

    Attributes
    ----------
    page, caption : str
        Its name; how F changes.
    webp : bytes
    areas : tuple of (str, str)
        The kinds in words, and their areas as they are painted.
    """

    page: str
    caption: str
    webp: bytes
    areas: tuple[tuple[str, str], ...]


def most_changed_pages(
    evaluation: Evaluation, compared: RunComparison, most: int = MOST
) -> list[ComparedPicture]:
    """The pages with most truth that only one of the runs found, the most changed first."""
    changed = compared.figures.pages.change("f")
    number = {name: at for at, name in enumerate(compared.figures.pages.names)}
    pages = sorted(compared.pages.values(), key=lambda page: -page.changed)
    pictures = []
    for page in (page for page in pages[:most] if page.changed > 0):
        truth = compared.truths[page.page]
        areas = compared_areas(
            compared.first, compared.second, page.page, truth, None, evaluation.primitive
        )
        change = written(float(changed[number[page.page]]), "change")
        pictures.append(
            ComparedPicture(page.page, f"ΔF {change}", _picture(truth.page, areas), _figures(areas))
        )
    return pictures


def _figures(areas: ComparedAreas) -> tuple[tuple[str, str], ...]:
    painted: dict[ComparedKind, float] = painted_areas(areas)
    kinds = (*TRUTH_KINDS, *FALSE_KINDS)
    return tuple((kind.words, f"{painted[kind]:,.0f} px²") for kind in kinds)


def _picture(page: Page, areas: ComparedAreas) -> bytes:
    def paint(sheet: OverlayRaster) -> Pixels:
        painted = paint_compared(compared_kinds(areas, sheet), sheet, 0.85)
        paint_outlines(painted, areas.first, sheet, FIRST_COLOUR, 1)
        paint_outlines(painted, areas.second, sheet, SECOND_COLOUR, 1)
        paint_outlines(painted, areas.truth, sheet, TRUTH_LINE, 1)
        return painted

    return painted_page(page, paint)
