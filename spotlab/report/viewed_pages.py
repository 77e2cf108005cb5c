"""Pages that the report shows with layers: an image once for all runs, outlines, and their facts.

What does not fit into a file that can be sent is left out, and the page says so: pages beyond
`MOST_PAGES`, and spots beyond a rank that is the same for all queries and runs.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from spotlab.arrays import Ints
from spotlab.errors import SpotlabError
from spotlab.geometry.outlines import Outlines
from spotlab.imaging.reading.pixels import read_thumbnail
from spotlab.measures.errors import KINDS
from spotlab.progress import Progress, silent, track
from spotlab.report.area_table import area_table
from spotlab.report.images import data_uri, page_webp, smaller_webp
from spotlab.report.outline_paths import svg_paths
from spotlab.report.overlays import MeasuredPage
from spotlab.studies.tally.outlines import outlines_as
from spotlab.studies.tally.page_view import AreaSums
from spotlab.studies.tally.truth import labels_of_truths

if TYPE_CHECKING:
    from spotlab.studies.evaluate.evaluation import Evaluation, RunEvaluation

SIDE = 1600  # px of an image's longer side, at most
IMAGE_BYTES = 3_300_000  # of all images
POINTS = 700_000  # of all outlines, with what is known of each
FACTS = 6  # points that the facts of a spot count as
MOST_PAGES = 60
UNIT = 0.1  # px that outlines are rounded to
FINEST = 16_000  # units that the longer side of a page has at most
VISIBLE = 0.4  # px of the image by which a simplified outline may be off
SCORE_DIGITS = 5


@dataclass(frozen=True, eq=False)
class ShownAreas:
    """What is painted of a run on a page: how much, and which area is ignored for which query.

    An ignored outline concerns a query, or "" all of them.
    """

    sums: AreaSums
    ignored: Outlines
    queries: Sequence[str]

    @classmethod
    def of(cls, page: MeasuredPage, queries: Sequence[str]) -> ShownAreas:
        """Take it from a measured page; ``queries``: those of the tally."""
        numbers = page.areas.ignored_query.tolist()
        names = [queries[number] if number >= 0 else "" for number in numbers]
        return cls(page.sums, page.areas.ignored, names)


Areas = Mapping[str, Mapping[str, ShownAreas]]


@dataclass(frozen=True)
class ViewedPages:
    """What the viewer shows.

    Attributes
    ----------
    pages : tuple of mapping
        For JSON: size, image, truth and the spots of each run.
    labels : tuple of str
        All queries and labels, by their numbers in the pages.
    last_rank : int or None
        Spots of each query up to this rank are in it; None: all.
    spots, all_spots : int
        Of the pages in it.
    all_pages : int
        How many pages were evaluated.
    """

    pages: tuple[Mapping[str, Any], ...]
    labels: tuple[str, ...]
    last_rank: int | None
    spots: int
    all_spots: int
    all_pages: int


def viewed_pages(evaluation: Evaluation, areas: Areas, progress: Progress = silent) -> ViewedPages:
    """Gather the pages; those with most area painted as an error where there are too many.

    Parameters
    ----------
    evaluation : Evaluation
    areas : mapping of str to mapping of str to ShownAreas
        The areas that are painted, by the names of the run and the page.
    """
    names = _chosen_pages(evaluation, areas)
    images = _images(evaluation, names, progress)
    last_rank = _last_rank(evaluation.runs, names)
    labels = labels_of_truths(evaluation.truths)
    labels |= {query for run in evaluation.runs for query in run.tally.queries}
    number = {label: at for at, label in enumerate(sorted(labels))}
    pages = [
        _page(evaluation, name, images[name], number, last_rank)
        | {"areas": [_areas(areas[run.name][name], number) for run in evaluation.runs]}
        for name in track(names, progress, "gathering pages")
    ]
    spots = sum(len(run["rank"]) for page in pages for run in page["runs"])
    every = sum(run["total"] for page in pages for run in page["runs"])
    return ViewedPages(
        tuple(pages),
        tuple(number),
        None if spots == every else last_rank,
        spots,
        every,
        len(evaluation.truths),
    )


def _chosen_pages(evaluation: Evaluation, areas: Areas) -> list[str]:
    names = list(evaluation.truths)
    if len(names) <= MOST_PAGES:
        return names
    wrong = {name: sum(of_run[name].sums.wrong for of_run in areas.values()) for name in names}
    kept = set(sorted(names, key=lambda name: -wrong[name])[:MOST_PAGES])
    return [name for name in names if name in kept]


def _images(
    evaluation: Evaluation, names: Sequence[str], progress: Progress
) -> dict[str, bytes | None]:
    """The pages' images; None where one cannot be read."""
    images: dict[str, bytes | None] = {}
    for name in track(names, progress, "reading pages"):
        page = evaluation.truths[name].page
        try:
            images[name] = page_webp(read_thumbnail(page.image, page.frame, SIDE))
        except SpotlabError:
            images[name] = None
    while (size := sum(len(each) for each in images.values() if each)) > IMAGE_BYTES:
        share = 0.95 * (IMAGE_BYTES / size) ** 0.5
        for name in track(names, progress, "making pages smaller"):
            if each := images[name]:
                images[name] = smaller_webp(each, share)
    return images


def _last_rank(runs: Sequence[RunEvaluation], names: Sequence[str]) -> int:
    """The last rank such that all spots up to it fit."""
    ranks, costs = [np.zeros(1, np.int64)], [np.zeros(1)]
    for run in runs:
        shown = np.isin(run.tally.page, [run.tally.pages.index(name) for name in names])
        points = np.diff(run.run.outlines.offsets)[run.tally.spot]
        ranks.append(run.tally.rank[shown])
        costs.append(np.minimum(points[shown], 40.0) + FACTS)
    per_rank = np.bincount(np.concatenate(ranks), np.concatenate(costs))
    return max(1, int(np.searchsorted(np.cumsum(per_rank), POINTS, "right")) - 1)


def _areas(areas: ShownAreas, number: Mapping[str, int]) -> dict[str, Any]:
    """The table of the areas and the ignored outlines, for JSON."""
    return {
        "rows": [[row.kind.words, *row.cells[:2]] for row in area_table(areas.sums).rows],
        "ignored": svg_paths(areas.ignored, UNIT),
        "unit": UNIT,
        "query": [number[query] if query else -1 for query in areas.queries],
    }


def _page(
    evaluation: Evaluation, name: str, image: bytes | None, number: Mapping[str, int],
    last_rank: int,
) -> dict[str, Any]:  # fmt: skip
    truth = evaluation.truths[name]
    longer = max(truth.page.width, truth.page.height)
    unit = max(UNIT, longer / FINEST)
    tolerance = VISIBLE * longer / SIDE
    size = truth.page.width, truth.page.height
    drawn = Outlines.of([region.array for region in truth.regions])
    outlines = outlines_as(drawn, evaluation.primitive, size)
    return {
        "name": name,
        "width": truth.page.width,
        "height": truth.page.height,
        "unit": unit,
        "image": None if image is None else data_uri(image),
        "truth": {
            "id": [region.id for region in truth.regions],
            "label": [number[region.label] for region in truth.regions],
            "ignored": [at for at, region in enumerate(truth.regions) if region.ignored],
            "d": svg_paths(outlines, unit, tolerance),
        },
        "runs": [
            _spots(run, name, number, last_rank)
            | {"d": svg_paths(_outlines(evaluation, run, name, last_rank), unit, tolerance)}
            for run in evaluation.runs
        ],
    }


def _shown(run: RunEvaluation, name: str, last_rank: int) -> Ints:
    """Places in the tally of the spots of a page that are shown."""
    tally = run.tally
    here = tally.page == tally.pages.index(name)
    return np.flatnonzero(here & (tally.rank <= last_rank))


def _outlines(evaluation: Evaluation, run: RunEvaluation, name: str, last_rank: int) -> Outlines:
    """Their outlines, as they were measured."""
    page = evaluation.truths[name].page
    drawn = run.run.outlines.take(run.tally.spot[_shown(run, name, last_rank)])
    return outlines_as(drawn, evaluation.primitive, (page.width, page.height))


def _spots(
    run: RunEvaluation, name: str, number: Mapping[str, int], last_rank: int
) -> dict[str, Any]:
    """What is known of them, and of the regions that the run missed."""
    tally, errors = run.tally, run.errors
    page = tally.pages.index(name)
    regions = np.flatnonzero(tally.region_page == page)
    first = int(regions[0]) if len(regions) else 0
    shown = _shown(run, name, last_rank)
    region = np.where(errors.region[shown] < 0, -1, errors.region[shown] - first)
    true = np.divide(
        tally.shared_relevant[shown], tally.area[shown],
        out=np.zeros(len(shown)), where=tally.area[shown] > 0,
    )  # fmt: skip
    return {
        "total": int((tally.page == page).sum()),
        "query": [number[tally.queries[at]] for at in tally.query[shown].tolist()],
        "rank": tally.rank[shown].tolist(),
        "score": [
            None if np.isnan(score) else float(f"{score:.{SCORE_DIGITS}g}")
            for score in tally.score[shown].tolist()
        ],
        "kind": errors.kind[shown].tolist(),
        "region": region.tolist(),
        "iou": np.round(errors.iou[shown], 3).tolist(),
        "true": np.round(np.minimum(true, 1.0), 3).tolist(),
        "missed": np.flatnonzero(errors.missed[regions]).tolist(),
    }


def spot_kinds() -> list[str]:
    """The words for the numbers of kinds."""
    return [kind.words for kind in KINDS]
