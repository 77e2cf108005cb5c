"""Query models of symbols: cropped from the pages where the truth has them, or whole images."""

from __future__ import annotations

import zlib
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from spotlab.arrays import Points
from spotlab.errors import BadInput, SpotlabError, counted
from spotlab.formats.collection.folder import PageEntry
from spotlab.formats.rows.reading import Reading
from spotlab.formats.truth import page_xml
from spotlab.geometry import polygon
from spotlab.geometry.polygon import Outlines, pair_boxes
from spotlab.imaging.ink import Ink
from spotlab.imaging.outlines import hull, runs_from_mask
from spotlab.imaging.reading.pixels import IMAGE_SUFFIXES, read_page
from spotlab.model import Ignore, QueryModel, Region, Truth
from spotlab.model.run import Run
from spotlab.progress import Progress, silent, track
from spotlab.representation import short_repr
from spotlab.spotting.symbols.engine.method import SymbolSettings, page_ink
from spotlab.spotting.symbols.engine.page_features import SymbolModel, crop_model
from spotlab.spotting.symbols.lessons.lessons import LabelledPage, Lessons, learn_lessons
from spotlab.spotting.symbols.methods import spotting_method_of
from spotlab.spotting.symbols.search.index import features_of_page

_EDGE = 1.0  # px from the page's edge within which a region may be cut off
_ITSELF = 0.5  # intersection over union from which a spot is the model's own place

Box = tuple[float, float, float, float]


@dataclass(frozen=True, eq=False)
class PlacedModel(SymbolModel):
    """A query model whose place on a page is known.

    Attributes
    ----------
    page : str
        Its name.
    place : (N, 2) float
        Open ring, the region in px of the page.
    """

    page: str
    place: Points

    __repr__ = short_repr


@dataclass(frozen=True, eq=False)
class _Instance:
    """A region of a page that may be a model."""

    entry: PageEntry
    label: str
    points: Points
    is_whole: bool


def crop_models(
    entries: Sequence[PageEntry],
    labels: Sequence[str] | None = None,
    per_label: int = 1,
    seed: int | None = None,
    settings: SymbolSettings | None = None,
    *,
    truths: Mapping[str, Truth] | None = None,
    progress: Progress = silent,
) -> list[PlacedModel]:
    """Crop query models from pages, as in Rusiñol & Lladós (2009), §5.3.

    Regions at the page's edge, which may be cut off, and those flagged uncertain or ignored are
    only used where a label has too few others. Ignored areas are never used.

    Parameters
    ----------
    entries : sequence of PageEntry
    labels : sequence of str, optional
        By default all labels of the truth.
    per_label : int
        Number of models of each label, at most.
    seed : int, optional
        Draw models at random; by default they are the regions whose size is nearest to the label's
        median. What is drawn for a label does not depend on the other labels.
    settings : SymbolSettings, optional
        What counts as ink.
    truths : mapping of str to Truth, optional
        By page name; otherwise the files beside the pages.
    progress : Progress

    Returns
    -------
    list of PlacedModel
        In order of the labels, sorted unless given.

    Raises
    ------
    SpotlabError
        There is no region of a label.
    BadInput
        The image of a model's page or a truth file cannot be read.
    """
    settings = settings or SymbolSettings()
    known: dict[str, list[_Instance]] = {}
    for instance in _instances(entries, truths_beside(entries) if truths is None else truths):
        known.setdefault(instance.label, []).append(instance)
    wanted = sorted(known) if labels is None else list(dict.fromkeys(labels))
    if not wanted:
        raise SpotlabError("there is nothing to search for: the truth has no region with a label")
    chosen: list[_Instance] = []
    for label in wanted:
        if label not in known:
            raise SpotlabError(_no_such(label, known))
        chosen += _chosen(known[label], per_label, seed)
    return _cropped(chosen, settings, progress)


def truths_beside(entries: Sequence[PageEntry], reading: Reading | None = None) -> dict[str, Truth]:
    """Read the truth beside each page that has one, by page name.

    Parameters
    ----------
    entries : sequence of PageEntry
    reading : Reading, optional
        Takes the findings on files and regions that cannot be read, and are left out.

    Raises
    ------
    BadInput
        Something cannot be read, and reading is strict.
    """
    reading = reading or Reading()
    truths: dict[str, Truth] = {}
    for entry in entries:
        if not entry.has_truth and entry.others:
            names = " and ".join(map(str, entry.others))
            raise BadInput(entry.image, f"it has truth in {names}",
                           expected="one truth for each image; name it as the truth")  # fmt: skip
        if entry.has_truth:
            with reading.item():
                [truths[entry.name]] = page_xml.FORMAT.read_file(entry.truth_path, reading)
    return truths


def model_in_box(
    entry: PageEntry, box: Box, name: str, settings: SymbolSettings | None = None
) -> PlacedModel:
    """Make the model of what is in a box on a page.

    Parameters
    ----------
    entry : PageEntry
    box : (float, float, float, float)
        left, top, right, bottom in px.
    name : str
        The label that is searched.
    settings : SymbolSettings, optional

    Raises
    ------
    BadInput
        The page cannot be read, or there is no ink in the box.
    SpotlabError
        The box has no area.
    """
    left, top, right, bottom = box
    if not (left < right and top < bottom):
        raise SpotlabError(f"the box of the query {name!r} has no area")
    points = np.array([(left, top), (right, top), (right, bottom), (left, bottom)])
    [model] = _cropped([_Instance(entry, name, points, True)], settings or SymbolSettings(), silent)
    if not model.ink.any():
        raise BadInput(entry.image, "there is no ink in the query's box")
    return model


def model_of_image(path: Path, settings: SymbolSettings | None = None) -> SymbolModel:
    """Make the model of an image that shows a symbol alone, named like the file.

    Raises
    ------
    BadInput
        It is no image, or nothing on it is ink.
    """
    settings = settings or SymbolSettings()
    ink = page_ink(read_page(path, 0), settings)
    if not ink.any():
        raise BadInput(path, "there is no ink on it", expected="a dark symbol on light paper")
    return crop_model(path.stem, ink, hull(runs_from_mask(ink)))


def models_of_images(folder: Path, settings: SymbolSettings | None = None) -> list[SymbolModel]:
    """Make a model of each image in a folder, in order of their names.

    Raises
    ------
    BadInput
        There is none, or one is no image or empty.
    """
    images = sorted(
        path
        for path in folder.iterdir()
        if path.suffix.lower() in IMAGE_SUFFIXES and not path.name.startswith(".")
    )
    if not images:
        raise BadInput(folder, "there is no image in it", expected="one for each query model")
    return [model_of_image(path, settings) for path in images]


def with_models(run: Run, models: Sequence[SymbolModel]) -> Run:
    """A run that knows where its models were taken from, so that evaluation can leave them out.

    Models that are whole images come from no page.
    """
    placed = tuple(
        QueryModel(model.name, model.page, tuple((x, y) for x, y in model.place.tolist()))
        for model in models
        if isinstance(model, PlacedModel)
    )
    return replace(run, models=placed)


def without_models(run: Run, models: Sequence[SymbolModel]) -> Run:
    """Remove the spots that are the models themselves from a run.

    Those are the spots of a model's query on its page whose bounding box shares half of their union
    with the model's own.
    """
    is_kept = np.ones(len(run), np.bool_)
    bounds = run.outlines.bounds
    for model in models:
        if not isinstance(model, PlacedModel):
            continue
        if model.name in run.queries and model.page in run.pages:
            here = np.flatnonzero(
                (run.query == run.queries.index(model.name))
                & (run.page == run.pages.index(model.page))
            )
            pairs = pair_boxes(bounds[here], [polygon.bounds(model.place)])
            is_kept[here[pairs.first[pairs.iou >= _ITSELF]]] = False
    kept = np.flatnonzero(is_kept)
    names = [run.queries[number] for number in run.query[kept].tolist()]
    pages = [run.pages[number] for number in run.page[kept].tolist()]
    labels = [*run.labels, ""]
    left = Run.ordered(
        run.name, names, pages, run.outlines.take(kept), score=run.score[kept],
        labels=[labels[number] for number in run.label[kept].tolist()],
    )  # fmt: skip
    return replace(left, models=run.models)


def _instances(entries: Sequence[PageEntry], truths: Mapping[str, Truth]) -> list[_Instance]:
    """All regions with a label, in order of the pages."""
    instances = []
    for entry in entries:
        truth = truths.get(entry.name)
        if truth is None or entry.missing:
            continue
        for region in truth.regions:
            left, top, right, bottom = polygon.bounds(region.array)
            is_inside = (
                min(left, top) > _EDGE
                and right < truth.page.width - _EDGE
                and bottom < truth.page.height - _EDGE
            )
            if region.label and region.ignore is not Ignore.AREA:
                is_whole = is_inside and not (region.uncertain or region.ignored)
                instances.append(_Instance(entry, region.label, region.array, is_whole))
    return instances


def _chosen(instances: Sequence[_Instance], count: int, seed: int | None) -> list[_Instance]:
    """At most this many instances of one label, doubtful ones last."""
    if seed is None:
        sizes = np.array([max(polygon.area(instance.points), 1.0) for instance in instances])
        order = np.argsort(np.abs(np.log(sizes / np.median(sizes))), kind="stable")
    else:
        label = zlib.crc32(instances[0].label.encode("utf-8", "surrogatepass"))
        order = np.random.default_rng([seed, label]).permutation(len(instances))
    is_doubtful = np.array([not instances[number].is_whole for number in order.tolist()])
    order = order[np.argsort(is_doubtful, kind="stable")]
    return [instances[number] for number in order[:count].tolist()]


def _cropped(
    instances: Sequence[_Instance], settings: SymbolSettings, progress: Progress
) -> list[PlacedModel]:
    """The models in the same order; each page is read once."""
    on_page: dict[str, list[int]] = {}
    for number, instance in enumerate(instances):
        on_page.setdefault(instance.entry.name, []).append(number)
    models: dict[int, PlacedModel] = {}
    for numbers in track(list(on_page.values()), progress, "cropping models"):
        entry = instances[numbers[0]].entry
        ink = page_ink(read_page(entry.image, entry.frame), settings)
        for number in numbers:
            models[number] = _placed(instances[number], ink)
    return [models[number] for number in range(len(instances))]


def _placed(instance: _Instance, ink: Ink) -> PlacedModel:
    model = crop_model(instance.label, ink, instance.points)
    return PlacedModel(model.name, model.ink, model.outline, instance.entry.name, instance.points)


def _no_such(label: str, known: Collection[str]) -> str:
    if not known:
        return f"where a {label!r} is, is not known: the truth has no region with a label"
    return f"there is no region of the label {label!r}; there are {', '.join(sorted(known))}"


MODELS = 20  # of a label, at most: more say little that is new


@dataclass(frozen=True, eq=False)
class LearnedLessons:
    """Knowledge learned from labelled pages, with the names of these pages.

    Attributes
    ----------
    lessons : Lessons
    models : tuple of PlacedModel
        The regions that are searched for.
    regions : dict of str to int
        How many regions of each label the pages have.
    """

    lessons: Lessons
    models: tuple[PlacedModel, ...]
    regions: Mapping[str, int]

    @property
    def remarks(self) -> tuple[str, ...]:
        """Labels of which not every region is a model."""
        used = [model.name for model in self.models]
        return tuple(
            f"{used.count(label):,} of the {counted(count, 'region')} of {label!r} are "
            "models, from the "
            "smallest to the largest"
            for label, count in self.regions.items()
            if used.count(label) < count
        )


def learn_from_pages(
    entries: Sequence[PageEntry],
    truths: Mapping[str, Truth],
    labels: Sequence[str] | None = None,
    method: str = "e",
    per_label: int | None = None,
    settings: SymbolSettings | None = None,
    cache: Path | None = None,
    progress: Progress = silent,
) -> LearnedLessons:
    """Learn from pages all of whose symbols are labelled.

    Parameters
    ----------
    entries : sequence of PageEntry
    truths : mapping of str to Truth
        By page name.
    labels : sequence of str, optional
        What is searched; by default every label of these pages.
    method : str
    per_label : int, optional
        Number of models of each label, at most; `MODELS` by default.
    settings : SymbolSettings, optional
    cache : Path, optional
        As in `features_of_page`.
    progress : Progress

    Raises
    ------
    SpotlabError
        The pages have no region of a label, or none at all.
    BadInput
        A page cannot be read.
    """
    settings = settings or SymbolSettings()
    regions = {
        entry.name: [region for region in truths[entry.name].regions if _is_lesson(region)]
        for entry in entries
        if entry.name in truths and not entry.missing
    }
    counts: dict[str, int] = {}
    for region in (region for own in regions.values() for region in own):
        counts[region.label] = counts.get(region.label, 0) + 1
    wanted = sorted(counts) if labels is None else list(dict.fromkeys(labels))
    missing = [label for label in wanted if label not in counts]
    if missing or not wanted:
        what = f"no region of the label {missing[0]!r}" if missing else "no region with a label"
        raise SpotlabError(f"there is nothing to learn from: the lessons have {what}")
    chosen = {
        (page, number)
        for label in wanted
        for page, number in _typical(regions, label, per_label or MODELS)
    }
    pages, models = [], []
    for entry in entries:
        if entry.name not in regions:
            continue
        page, placed = _labelled_page(entry, regions[entry.name], chosen, settings, cache)
        pages.append(page)
        models += placed
    lessons = learn_lessons(pages, spotting_method_of(method), settings.mend, progress)
    return LearnedLessons(lessons, tuple(models), {label: counts[label] for label in wanted})


def _is_lesson(region: Region) -> bool:
    return bool(region.label) and region.ignore is not Ignore.AREA


def _typical(
    regions: Mapping[str, Sequence[Region]], label: str, count: int
) -> list[tuple[str, int]]:
    """Pages and numbers of a label's regions; of too many those evenly from small to large."""
    own = [
        (polygon.area(region.array), page, number)
        for page, some in regions.items()
        for number, region in enumerate(some)
        if region.label == label
    ]
    own.sort(key=lambda row: row[0])
    places = np.unique(np.linspace(0, len(own) - 1, min(count, len(own))).round().astype(int))
    return [own[place][1:] for place in places.tolist()]


def _labelled_page(
    entry: PageEntry, regions: Sequence[Region], chosen: Collection[tuple[str, int]],
    settings: SymbolSettings, cache: Path | None,
) -> tuple[LabelledPage, list[PlacedModel]]:  # fmt: skip
    features = features_of_page(entry, settings, cache)
    ink = features.ink
    models = []
    for number, region in enumerate(regions):
        if (entry.name, number) in chosen:
            model = crop_model(region.label, ink, region.array)
            placed = PlacedModel(model.name, model.ink, model.outline, entry.name, region.array)
            models.append((number, placed))
    page = LabelledPage(
        features,
        Outlines.of([region.array for region in regions]),
        tuple(region.label for region in regions),
        tuple(models),
    )
    return page, [model for _, model in models]
