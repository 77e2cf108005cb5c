"""The gallery of errors: pieces of the pages around the worst errors of each kind."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from spotlab.errors import SpotlabError
from spotlab.extras import cv2
from spotlab.imaging.overlay import COLOURS, AreaKind
from spotlab.imaging.reading.pixels import read_page
from spotlab.measures.errors import KINDS, ErrorKind, ErrorPlace
from spotlab.progress import Progress, silent, track
from spotlab.report.figure_text import written
from spotlab.report.images import crop_webp

if TYPE_CHECKING:
    from spotlab.studies.evaluate.evaluation import Evaluation, RunEvaluation

SHOWN = 48  # of each kind, shared by the runs
FEWEST, MOST = 4, 12  # of each kind and run
SIDE = 200  # px of a crop's longer side
AROUND = 0.6  # how much more than the error itself is shown, as a share of its longer side
LARGEST = 3.0  # how many px a px of the page becomes at most
RIGHT = (ErrorKind.CORRECT, ErrorKind.IGNORED)  # kinds that are no errors
Ring = NDArray[np.float64]


@dataclass(frozen=True)
class Crop:
    """An error.

    Attributes
    ----------
    page, query : str
    rank : int or None
        None: a missed region.
    region : str
        Its id; empty for a spot.
    words : str
        What is wrong, beside the kind.
    image : bytes or None
        WebP; None where the page's image cannot be read.
    """

    page: str
    query: str
    rank: int | None
    region: str
    words: str
    image: bytes | None


@dataclass(frozen=True)
class KindOfCrops:
    """The worst errors of a kind, and how many there are in all."""

    kind: ErrorKind
    count: int
    crops: Sequence[Crop]


@dataclass(frozen=True)
class _Wanted:
    """A crop that is still to be cut."""

    place: ErrorPlace
    run: RunEvaluation
    page: str
    spot: Ring | None
    region: Ring | None


def error_crops(
    evaluation: Evaluation, progress: Progress = silent
) -> Mapping[str, Sequence[KindOfCrops]]:
    """The worst errors of each kind of every run, by its name; each page is read once."""
    most = min(MOST, max(FEWEST, SHOWN // max(len(evaluation.runs), 1)))
    wanted: dict[tuple[str, ErrorKind], list[_Wanted]] = defaultdict(list)
    for run in evaluation.runs:
        for place in run.errors.worst:
            chosen = wanted[run.name, place.kind]
            if len(chosen) < most:
                chosen.append(_wanted(evaluation, run, place))
    images = _images(evaluation, [one for each in wanted.values() for one in each], progress)
    return {
        run.name: [
            KindOfCrops(
                kind,
                int(run.errors.count(kind).sum()),
                [_crop(one, images.get(id(one))) for one in wanted[run.name, kind]],
            )
            for kind in KINDS
            if kind not in RIGHT
        ]
        for run in evaluation.runs
    }


def _wanted(evaluation: Evaluation, run: RunEvaluation, place: ErrorPlace) -> _Wanted:
    tally = run.tally
    spot, region = None, place.region
    if place.spot is not None:
        spot = run.run.outlines[int(tally.spot[place.spot])]
        page = tally.pages[tally.page[place.spot]]
        own = int(run.errors.region[place.spot])
        region = own if own >= 0 else None
    else:
        page = tally.pages[tally.region_page[place.region]]
    ring = None
    if region is not None:
        first = int(np.searchsorted(tally.region_page, tally.pages.index(page)))
        ring = evaluation.truths[page].regions[region - first].array
    return _Wanted(place, run, page, spot, ring)


def _crop(wanted: _Wanted, image: bytes | None) -> Crop:
    tally, place = wanted.run.tally, wanted.place
    if place.spot is None:
        assert place.region is not None
        query = tally.queries[tally.region_query[place.region]]
        return Crop(wanted.page, query, None, tally.region_id[place.region], "", image)
    query, words = tally.queries[tally.query[place.spot]], []
    score = float(tally.score[place.spot])
    if not np.isnan(score):
        words.append(f"score {written(score)}")
    region = int(wanted.run.errors.region[place.spot])
    if place.kind is ErrorKind.WRONG_LABEL:
        words.append(f"truth: {tally.queries[tally.region_query[region]]}")
    elif region >= 0:
        words.append(f"IoU {written(float(wanted.run.errors.iou[place.spot]))}")
    return Crop(wanted.page, query, int(tally.rank[place.spot]), "", ", ".join(words), image)


def _images(
    evaluation: Evaluation, wanted: Sequence[_Wanted], progress: Progress
) -> dict[int, bytes]:
    by_page: dict[str, list[_Wanted]] = defaultdict(list)
    for one in wanted:
        by_page[one.page].append(one)
    images = {}
    for name in track(sorted(by_page), progress, "cutting out errors"):
        page = evaluation.truths[name].page
        try:
            pixels = read_page(page.image, page.frame)
        except SpotlabError:
            continue
        for one in by_page[name]:
            images[id(one)] = crop_webp(_cut(pixels, one))
    return images


def _cut(pixels: NDArray[np.uint8], wanted: _Wanted) -> NDArray[np.uint8]:
    """(h, w, 3) the piece of the page, with the outlines of the spot and of its region."""
    rings = [ring for ring in (wanted.spot, wanted.region) if ring is not None and len(ring)]
    height, width = pixels.shape[:2]
    points = np.clip(np.vstack(rings), 0, (width, height)) if rings else np.zeros((1, 2))
    low, high = points.min(axis=0), points.max(axis=0)
    around = max(AROUND / 2 * float((high - low).max()), SIDE / LARGEST / 4)
    left, top = np.maximum(np.floor(low - around), 0).astype(int).tolist()
    right, bottom = np.minimum(np.ceil(high + around), (width, height)).astype(int).tolist()
    piece = pixels[top : max(bottom, top + 1), left : max(right, left + 1)]
    if not piece.size:
        piece = np.full((1, 1), 255, np.uint8)
    scale = min(SIDE / max(piece.shape[:2]), LARGEST)
    size = tuple(max(1, round(side * scale)) for side in piece.shape[1::-1])
    way = cv2.INTER_AREA if scale < 1 else cv2.INTER_CUBIC
    image = cv2.resize(np.ascontiguousarray(piece), size, interpolation=way)
    if image.ndim == 2:
        image = np.repeat(image[..., None], 3, axis=2)
    for ring, kind in ((wanted.region, AreaKind.MISSED), (wanted.spot, AreaKind.FALSE)):
        if ring is not None and len(ring):
            corners = np.rint((ring - (left, top)) * scale * 16).astype(np.int32)
            colour = tuple(bytes.fromhex(COLOURS[kind][1:]))
            cv2.polylines(image, [corners], True, colour, 2, cv2.LINE_AA, 4)
    return np.asarray(image, np.uint8)
