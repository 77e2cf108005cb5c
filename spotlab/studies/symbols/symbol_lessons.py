"""Lessons for symbol spotting: all labelled regions of pages as query models together."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from spotlab.errors import SpotlabError, counted
from spotlab.formats.collection.folder import PageEntry
from spotlab.geometry import polygon
from spotlab.geometry.outlines import Outlines
from spotlab.model import Ignore, Region, Truth
from spotlab.progress import Progress, silent
from spotlab.spotting.symbols.engine.feature_extraction import SymbolSettings
from spotlab.spotting.symbols.engine.query_model import crop_model
from spotlab.spotting.symbols.lessons.lessons import LabelledPage, Lessons, learn_lessons
from spotlab.spotting.symbols.methods import spotting_method_of
from spotlab.spotting.symbols.search.index import features_of_page
from spotlab.studies.symbols.symbol_queries import PlacedModel

MODELS = 20  # of a label, at most: more say little that is new


@dataclass(frozen=True, eq=False)
class LearnedLessons:
    """What was learned, and from what.

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
