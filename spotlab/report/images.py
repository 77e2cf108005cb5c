"""Images in a report: WebP, pages with painted areas, and crops of errors and query models."""

from __future__ import annotations

import base64
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from io import BytesIO
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from spotlab.errors import SpotlabError
from spotlab.extras import cv2, optional_module, problem_of
from spotlab.geometry.polygon import Outlines
from spotlab.imaging.overlay import (
    COLOURS,
    AreaKind,
    OverlayRaster,
    PageAreas,
    Pixels,
    area_kinds,
    paint_areas,
    paint_outlines,
)
from spotlab.imaging.reading.pixels import read_page, read_thumbnail
from spotlab.measures.matching import ERROR_KINDS, ErrorKind, ErrorPlace, Errors
from spotlab.model import Page, QueryModel, Run, Truth
from spotlab.model.region import next_colour
from spotlab.progress import Progress, silent, track
from spotlab.report.figure_text import written
from spotlab.studies.tally.page_view import AreaSums, area_sums, page_spots
from spotlab.studies.tally.tallying import truth_without_models

if TYPE_CHECKING:
    from spotlab.studies.evaluate.evaluation import Evaluation, RunEvaluation

LEVELS = 16  # of grey, in pages that compress better without loss
PAGE_QUALITY, CROP_QUALITY = 45, 50
_EFFORT = 2  # of 6; twice as fast as 4, for files that are a twentieth larger
_LOSSLESS_EFFORT = 20  # of 100; likewise


def page_webp(pixels: NDArray[np.uint8], quality: int = PAGE_QUALITY) -> bytes:
    """A page, by whichever way gives fewer bytes: lossy, or with few levels of grey and lossless.

    Parameters
    ----------
    pixels : (H, W) or (H, W, 3) uint8
        Grey or RGB.
    quality : int
        Of the lossy way, up to 100.
    """
    image = Image.fromarray(np.ascontiguousarray(pixels))
    lossy = _webp(image, quality=quality)
    if pixels.ndim == 3:
        return lossy
    step = 255 / (LEVELS - 1)
    levels = np.rint(np.rint(pixels / step) * step).astype(np.uint8)
    lossless = _webp(Image.fromarray(levels), quality=_LOSSLESS_EFFORT, lossless=True)
    return min(lossy, lossless, key=len)


def crop_webp(pixels: NDArray[np.uint8]) -> bytes:
    """A small picture, (H, W, 3) uint8 RGB."""
    return _webp(Image.fromarray(np.ascontiguousarray(pixels)), quality=CROP_QUALITY)


def smaller_webp(content: bytes, share: float) -> bytes:
    """The same page with its sides shortened to a share in (0, 1]."""
    with Image.open(BytesIO(content)) as image:
        width, height = (max(1, round(side * share)) for side in image.size)
        pixels = np.asarray(image.convert("RGB").resize((width, height), Image.Resampling.BOX))
    grey = (pixels[..., :1] == pixels).all()
    return page_webp(pixels[..., 0] if grey else pixels)


def data_uri(content: bytes, kind: str = "webp") -> str:
    """The image as an address that holds it.

    Examples
    --------
    >>> data_uri(b"abc")
    'data:image/webp;base64,YWJj'
    """
    return f"data:image/{kind};base64,{base64.b64encode(content).decode()}"


def _webp(image: Image.Image, *, quality: int, lossless: bool = False) -> bytes:
    content = BytesIO()
    image.save(content, "WEBP", quality=quality, lossless=lossless, method=_EFFORT)
    return content.getvalue()


OVERLAY_SIDE = 960  # pixels of a picture's longer side
MOST_WORST = 6
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
    """Areas painted for a run on a page, for all queries together, with their sums."""

    name: str
    areas: PageAreas
    sums: AreaSums


def measure_pages(
    evaluation: Evaluation, run: RunEvaluation, progress: Progress = silent
) -> list[MeasuredPage]:
    """All pages in the order of the tally."""
    return [
        measure_page(evaluation, run, name)
        for name in track(run.tally.pages, progress, f"measuring pages of {run.name}")
    ]


def measure_page(evaluation: Evaluation, run: RunEvaluation, name: str) -> MeasuredPage:
    """A page of a run, by the page's name."""
    truth, counts = evaluation.truths[name], np.diff(run.tally.starts)
    size = truth.page.width, truth.page.height
    judged = truth_without_models(truth, run.ignored_models.get(name, ()))
    spots = page_spots(run.tally, name, None, counts)
    areas = spots.areas(judged.regions, size, evaluation.primitive)
    return MeasuredPage(name, areas, area_sums(areas, size))


def draw_page(evaluation: Evaluation, run: RunEvaluation, name: str) -> Image.Image:
    """A page with what a run finds there, and the outlines of its spots."""
    areas = measure_page(evaluation, run, name).areas
    return Image.open(BytesIO(_picture(evaluation.truths[name].page, areas)))


def draw_truth(truths: Mapping[str, Truth], labels: Sequence[str]) -> Image.Image:
    """The only page of some truth, with its regions in a colour for each label."""
    [truth] = truths.values()
    names = list(dict.fromkeys((*labels, *(region.label for region in truth.regions))))
    colours: dict[str, str] = {}
    for name in names:
        colours[name] = next_colour(colours.values())

    def paint(sheet: OverlayRaster) -> Pixels:
        painted = np.zeros((sheet.height, sheet.width, 4), np.uint8)
        for name in names:
            rings = [region.array for region in truth.regions if region.label == name]
            paint_outlines(painted, Outlines.of(rings), sheet, colours[name], 2)
        return painted

    return Image.open(BytesIO(painted_page(truth.page, paint)))


def draw_worst(
    evaluation: Evaluation,
    run: RunEvaluation,
    measured: Sequence[MeasuredPage],
    most: int = MOST_WORST,
    progress: Progress = silent,
) -> list[Overlaid]:
    """Draw the pages with most area painted as an error, the worst first; all queries together.

    A page whose image is not there is drawn on white; none is drawn without OpenCV.
    """
    if problem_of("cv2"):
        return []
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
    share = OVERLAY_SIDE / max(page.width, page.height)
    size = max(1, round(page.width * share)), max(1, round(page.height * share))
    try:
        image = read_thumbnail(page.image, page.frame, OVERLAY_SIDE)
    except SpotlabError:
        return np.full((size[1], size[0], 3), 255.0)
    if image.ndim == 2:
        image = np.repeat(image[..., None], 3, axis=2)
    resized = cv2.resize(image, size, interpolation=cv2.INTER_AREA)
    return 255 - (255 - resized[..., ::-1].astype(np.float64)) * PAPER


SHOWN = 48  # of each kind, shared by the runs
FEWEST_ERRORS, MOST_ERRORS = 4, 12  # of each kind and run
ERROR_SIDE = 200  # px of a crop's longer side
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
class _CropRequest:
    """A crop that is still to be cut."""

    place: ErrorPlace
    run: RunErrors
    page: str
    spot: Ring | None
    region: Ring | None


class RunErrors(NamedTuple):
    """A run and its errors, at a cut or of whole lists."""

    name: str
    run: Run
    errors: Errors


def error_crops(
    truths: Mapping[str, Truth], runs: Sequence[RunErrors], progress: Progress = silent
) -> Mapping[str, Sequence[KindOfCrops]]:
    """The worst errors of each kind of every run, by its name; each page is read once."""
    most = min(MOST_ERRORS, max(FEWEST_ERRORS, SHOWN // max(len(runs), 1)))
    wanted: dict[tuple[str, ErrorKind], list[_CropRequest]] = defaultdict(list)
    for run in runs:
        for place in run.errors.worst:
            chosen = wanted[run.name, place.kind]
            if len(chosen) < most:
                chosen.append(_wanted(truths, run, place))
    images = _images(truths, [one for each in wanted.values() for one in each], progress)
    return {
        run.name: [
            KindOfCrops(
                kind,
                int(run.errors.count(kind).sum()),
                [_crop(one, images.get(id(one))) for one in wanted[run.name, kind]],
            )
            for kind in ERROR_KINDS
            if kind not in RIGHT
        ]
        for run in runs
    }


def _wanted(truths: Mapping[str, Truth], run: RunErrors, place: ErrorPlace) -> _CropRequest:
    tally = run.errors.tally
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
        ring = truths[page].regions[region - first].array
    return _CropRequest(place, run, page, spot, ring)


def _crop(wanted: _CropRequest, image: bytes | None) -> Crop:
    tally, place = wanted.run.errors.tally, wanted.place
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
    truths: Mapping[str, Truth], wanted: Sequence[_CropRequest], progress: Progress
) -> dict[int, bytes]:
    by_page: dict[str, list[_CropRequest]] = defaultdict(list)
    for one in wanted:
        by_page[one.page].append(one)
    images = {}
    for name in track(sorted(by_page), progress, "cutting out errors"):
        page = truths[name].page
        try:
            optional_module("cv2")
            pixels = read_page(page.image, page.frame)
        except SpotlabError:
            continue
        for one in by_page[name]:
            images[id(one)] = crop_webp(_cut_error(pixels, one))
    return images


def _cut_error(pixels: NDArray[np.uint8], wanted: _CropRequest) -> NDArray[np.uint8]:
    """(h, w, 3) the piece of the page, with the outlines of the spot and of its region."""
    rings = [ring for ring in (wanted.spot, wanted.region) if ring is not None and len(ring)]
    height, width = pixels.shape[:2]
    points = np.clip(np.vstack(rings), 0, (width, height)) if rings else np.zeros((1, 2))
    low, high = points.min(axis=0), points.max(axis=0)
    around = max(AROUND / 2 * float((high - low).max()), ERROR_SIDE / LARGEST / 4)
    left, top = np.maximum(np.floor(low - around), 0).astype(int).tolist()
    right, bottom = np.minimum(np.ceil(high + around), (width, height)).astype(int).tolist()
    piece = pixels[top : max(bottom, top + 1), left : max(right, left + 1)]
    if not piece.size:
        piece = np.full((1, 1), 255, np.uint8)
    scale = min(ERROR_SIDE / max(piece.shape[:2]), LARGEST)
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


MODEL_SIDE = 96  # px of a picture's longer side
MARGIN = 0.15  # of the model's longer side, shown around it
MOST_MODELS = 24


@dataclass(frozen=True)
class ModelCrop:
    """A model of a query.

    Attributes
    ----------
    query, page : str
        What it searches, and where it was taken from.
    png : bytes or None
        Its picture; None where the page's image cannot be read.
    size : (int, int)
        Width and height of the picture in px.
    """

    query: str
    page: str
    png: bytes | None
    size: tuple[int, int] = (0, 0)


def model_crops(
    pages: Mapping[str, Page],
    models: Mapping[str, Sequence[QueryModel]],
    progress: Progress = silent,
    most: int = MOST_MODELS,
) -> list[ModelCrop]:
    """Cut models out of their pages; each page is read once.

    Parameters
    ----------
    pages : mapping of str to Page
        By name.
    models : mapping of str to sequence of QueryModel
        By page.
    progress : Progress
    most : int
        Cut out so many at most.

    Returns
    -------
    list of ModelCrop
        In order of queries.
    """
    crops: list[ModelCrop] = []
    for name in track(sorted(models), progress, "cutting out models"):
        wanted = models[name][: most - len(crops)]
        if not wanted:
            break
        pixels = _pixels(pages.get(name))
        for model in wanted:
            image = None if pixels is None else _cut_model(pixels, np.array(model.points))
            crops.append(
                ModelCrop(model.query, name, None)
                if image is None
                else ModelCrop(model.query, name, _png(image), image.size)
            )
    crops.sort(key=lambda crop: crop.query)
    return crops


def _pixels(page: Page | None) -> NDArray[np.uint8] | None:
    if page is None:
        return None
    try:
        optional_module("cv2")
        return read_page(page.image, page.frame)
    except SpotlabError:
        return None


def _cut_model(pixels: NDArray[np.uint8], points: NDArray[np.float64]) -> Image.Image | None:
    height, width = pixels.shape[:2]
    low, high = points.min(axis=0), points.max(axis=0)
    around = MARGIN * float((high - low).max())
    left, top = np.maximum(np.floor(low - around), 0).astype(int).tolist()
    right, bottom = np.minimum(np.ceil(high + around), (width, height)).astype(int).tolist()
    if right <= left or bottom <= top:
        return None
    piece = Image.fromarray(np.ascontiguousarray(pixels[top:bottom, left:right]))
    scale = min(MODEL_SIDE / max(piece.size), LARGEST)
    size = (max(1, round(piece.width * scale)), max(1, round(piece.height * scale)))
    return piece.convert("RGB").resize(size, Image.Resampling.LANCZOS)


def _png(image: Image.Image) -> bytes:
    content = BytesIO()
    image.save(content, "PNG", optimize=True)
    return content.getvalue()
