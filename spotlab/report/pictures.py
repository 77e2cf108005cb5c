"""Pages in a report with layers: an image once for all runs, outlines, areas, and their facts.

What does not fit into a file that can be sent is left out, and the page says so: pages beyond
`MOST_PAGES`, and spots beyond a rank that is the same for all queries and runs.
"""

from __future__ import annotations

import base64
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from io import BytesIO
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from spotlab.arrays import Ints
from spotlab.errors import SpotlabError
from spotlab.geometry.polygon import Outlines
from spotlab.imaging.overlay import (
    FILL_STYLES,
    PERIOD,
    PRECEDENCE,
    AreaKind,
    FillStyles,
    paint_square,
)
from spotlab.imaging.reading.pixels import read_thumbnail
from spotlab.libraries import shapely
from spotlab.measures.matching import ERROR_KINDS
from spotlab.progress import Progress, silent, track
from spotlab.report.images import (
    MOST_WORST,
    KindOfCrops,
    MeasuredPage,
    Overlaid,
    RunErrors,
    data_uri,
    draw_worst,
    error_crops,
    measure_pages,
    page_webp,
    smaller_webp,
)
from spotlab.studies.tally.outlines import outlines_as
from spotlab.studies.tally.page_view import SUM_OVER_QUERIES, AreaSums
from spotlab.studies.tally.truth import labels_of_truths

if TYPE_CHECKING:
    from spotlab.studies.evaluate.evaluation import Evaluation, RunEvaluation

WORST, FEWEST = 20, 2  # pages drawn for paper, shared by the runs; at least so many of each


@dataclass(frozen=True, eq=False)
class Pictures:
    """Pictures of pages and errors in a report.

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
    most = min(MOST_WORST, max(FEWEST, WORST // max(len(evaluation.runs), 1)))
    overlaid, sums = {}, {}
    for run in evaluation.runs:
        measured = measure_pages(evaluation, run, progress)
        overlaid[run.name] = draw_worst(evaluation, run, measured, most, progress)
        sums[run.name] = {page.name: ShownAreas.of(page, run.tally.queries) for page in measured}
    runs = [RunErrors(run.name, run.run, run.errors) for run in evaluation.runs]
    crops = error_crops(evaluation.truths, runs, progress)
    return Pictures(overlaid, crops, viewed_pages(evaluation, sums, progress))


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
    """Areas painted for a run on a page: their sums, and the ignored area of each query.

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
    """Pages shown in the viewer.

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
    """Return what is known of them, and of the regions that the run missed."""
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
    return [kind.words for kind in ERROR_KINDS]


SIMPLIFIED = 12  # points from which an outline may have some to spare


def svg_paths(outlines: Outlines, unit: float, tolerance: float = 0.0) -> list[str]:
    """Each outline as a closed path of relative whole numbers, all turning the same way.

    Outlines that turn the same way can stand in one path: where they overlap they are filled.

    Parameters
    ----------
    outlines : Outlines
        In px.
    unit : float
        Px that 1 in the path means.
    tolerance : float
        Farthest that a point may be from a simplified outline in px; 0 keeps all points.

    Returns
    -------
    list of str
        Empty for an outline of fewer than 3 points.

    Examples
    --------
    >>> svg_paths(Outlines.of([[(0, 0), (0, 2), (3, 2)], [(1, 1), (4, 4)]]), 0.1)
    ['M0 0l30 20-30 0z', '']
    """
    rings = [outlines[at] for at in range(len(outlines))]
    if tolerance > 0:
        rings = _simplified(rings, tolerance)
    return [_path(ring, unit) for ring in rings]


def _simplified(rings: list[NDArray[np.float64]], tolerance: float) -> list[NDArray[np.float64]]:
    long = [at for at, ring in enumerate(rings) if len(ring) > SIMPLIFIED]
    closed = [shapely.linearrings(rings[at]) for at in long]
    simple = shapely.simplify(closed, tolerance, preserve_topology=False)
    for at, ring in zip(long, simple, strict=True):
        points = shapely.get_coordinates(ring)[:-1]
        if len(points) >= 3:
            rings[at] = points
    return rings


def _path(ring: NDArray[np.float64], unit: float) -> str:
    if len(ring) < 3 or not np.isfinite(ring).all():
        return ""
    x, y = ring.T
    if np.dot(x, np.roll(y, -1)) < np.dot(y, np.roll(x, -1)):
        ring = np.vstack([ring[:1], ring[:0:-1]])
    whole = np.rint(ring / unit).astype(np.int64)
    steps = np.diff(whole, axis=0).ravel().tolist()
    start, end = whole[0].tolist()
    rest = " ".join(map(str, steps)).replace(" -", "-")
    return f"M{start} {end}l{rest}z"


FINE = 4.0  # pixels of a hatching per px of the screen, so that it can be enlarged
SWATCH = 32  # pixels of a swatch's side, twice what is shown
MEANINGS = {
    AreaKind.FOUND: "retrieved, on truth of its own label",
    AreaKind.OTHER_LABEL: "retrieved, and truth only of another label",
    AreaKind.FALSE: "retrieved, no truth of any label",
    AreaKind.MISSED: "truth that is not retrieved",
    AreaKind.IGNORED: "left out of evaluation, whether it is retrieved or not",
}
EXPLAINED = (
    "Areas on this page as they are painted, each place once, exactly and in px². A sum over "
    "queries counts a place once for each query: area that several queries retrieve, or that is "
    "truth of several labels, counts several times."
)


class AreaRow(NamedTuple):
    """One kind.

    Attributes
    ----------
    kind : AreaKind
    cells : tuple of str
        Its figures.
    """

    kind: AreaKind
    cells: tuple[str, ...]


class AreaTable(NamedTuple):
    """The kinds of areas with their figures.

    Attributes
    ----------
    head : tuple of str
        Names of the columns.
    rows : tuple of AreaRow
    """

    head: tuple[str, ...]
    rows: tuple[AreaRow, ...]


def shown_kinds(ignored: bool) -> tuple[AreaKind, ...]:
    """The kinds to name, in the order of `PRECEDENCE`; ignored area only where there is some.

    Parameters
    ----------
    ignored : bool
        Whether there is ignored area.

    Examples
    --------
    >>> [kind.words for kind in shown_kinds(False)]
    ['found', 'other label', 'false', 'missed']
    """
    return tuple(kind for kind in PRECEDENCE if ignored or kind is not AreaKind.IGNORED)


def area_table(sums: AreaSums) -> AreaTable:
    """Write the areas as a table; sums over queries have a column where they differ.

    Parameters
    ----------
    sums : AreaSums

    Returns
    -------
    AreaTable
        A row for each kind, in the order of `PRECEDENCE`; for ignored area only if there is some.

    Examples
    --------
    >>> areas = dict.fromkeys(PRECEDENCE, 0.0) | {AreaKind.FALSE: 20.0}
    >>> table = area_table(AreaSums(areas, areas | {AreaKind.FALSE: 30.0}, 200.0))
    >>> table.head
    ('as painted', 'of page', 'sum over queries')
    >>> table.rows[2].kind.words, table.rows[2].cells
    ('false', ('20 px²', '10.0 %', '30 px²'))
    """
    kinds = shown_kinds(sums.has_ignored)
    several = any(sums.differs(kind) for kind in kinds)
    head = ("as painted", "of page", *([SUM_OVER_QUERIES] if several else []))
    return AreaTable(head, tuple(AreaRow(kind, _cells(sums, kind, several)) for kind in kinds))


def _cells(sums: AreaSums, kind: AreaKind, several: bool) -> tuple[str, ...]:
    share = sums.share(kind)
    cells = [f"{sums.painted[kind]:,.0f} px²", "–" if share is None else f"{100 * share:.1f} %"]
    if several:
        differs = sums.differs(kind)
        cells.append(f"{sums.over_queries[kind]:,.0f} px²" if differs else "the same")
    return tuple(cells)


@cache
def swatch_png(kind: int, looks: FillStyles = FILL_STYLES) -> str:
    """A square of the kind's colour and hatching on paper, as a PNG in base 64."""
    painted = paint_square(kind, SWATCH, 2.0, looks)
    paper = 255.0 - painted[..., 3:].astype(np.float64)
    pixels = np.rint(paper + painted[..., :3]).astype(np.uint8)
    return _png(pixels[..., ::-1])


@cache
def hatch_png(kind: AreaKind) -> str:
    """A period of the kind's hatching, which the paper is seen through, as a PNG in base 64."""
    painted = paint_square(kind, round(FINE * PERIOD), FINE)
    alpha = np.maximum(painted[..., 3:], 1).astype(np.float64)
    colours = np.rint(255.0 * painted[..., 2::-1] / alpha).astype(np.uint8)
    return _png(np.dstack([colours, painted[..., 3:]]))


def _png(pixels: NDArray[np.uint8]) -> str:
    png = BytesIO()
    Image.fromarray(np.ascontiguousarray(pixels)).save(png, "PNG", optimize=True)
    return base64.b64encode(png.getvalue()).decode()
