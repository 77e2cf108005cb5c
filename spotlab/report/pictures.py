"""All pictures of a report: pages to look at, the worst pages for paper, and errors."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from spotlab.progress import Progress, silent
from spotlab.report.error_crops import KindOfCrops, error_crops
from spotlab.report.overlays import MOST, Overlaid, draw_worst, measure_pages
from spotlab.report.viewed_pages import ShownAreas, ViewedPages, viewed_pages

if TYPE_CHECKING:
    from spotlab.studies.evaluate.evaluation import Evaluation

WORST, FEWEST = 20, 2  # pages drawn for paper, shared by the runs; at least so many of each


@dataclass(frozen=True, eq=False)
class Pictures:
    """What a report shows of pages.

    Attributes
    ----------
    overlaid : mapping of str to sequence of Overlaid
        The worst pages of each run, by its name.
    errors : mapping of str to sequence of KindOfCrops
        The worst errors of each run, by its name.
    viewed : ViewedPages
    """

    overlaid: Mapping[str, Sequence[Overlaid]]
    errors: Mapping[str, Sequence[KindOfCrops]]
    viewed: ViewedPages


def make_pictures(evaluation: Evaluation, progress: Progress = silent) -> Pictures:
    """Draw and gather all pictures."""
    most = min(MOST, max(FEWEST, WORST // max(len(evaluation.runs), 1)))
    overlaid, sums = {}, {}
    for run in evaluation.runs:
        measured = measure_pages(evaluation, run, progress)
        overlaid[run.name] = draw_worst(evaluation, run, measured, most, progress)
        sums[run.name] = {page.name: ShownAreas.of(page, run.tally.queries) for page in measured}
    crops = error_crops(evaluation, progress)
    return Pictures(overlaid, crops, viewed_pages(evaluation, sums, progress))
