"""Asks method e: labelled regions are laid onto a page, and where they fit are candidates."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from spotlab.arrays import Floats, Points
from spotlab.geometry import polygon
from spotlab.geometry.polygon import Outlines
from spotlab.imaging.ink import Ink
from spotlab.progress import Progress, silent
from spotlab.spotting.symbols.alignment.stroke_alignment import StrokeAlignment
from spotlab.spotting.symbols.engine.method import features_of_model
from spotlab.spotting.symbols.engine.page_features import (
    PageFeatures,
    QueryFeatures,
    SymbolModel,
    crop_model,
)
from spotlab.spotting.symbols.lessons.lessons import (
    NOWHERE as NO_REGION,
)
from spotlab.spotting.symbols.lessons.lessons import (
    SAME,
    UNTAUGHT,
    LabelledPage,
    Lessons,
    learn_and_leave_out,
)
from spotlab.spotting.symbols.lessons.model_spots import ModelSpots, overlaps_of
from spotlab.spotting.symbols.proposals.candidates import (
    ALIGNED,
    ROOM,
    WALL,
    Rows,
    appearance_length,
    described_once,
    find_candidates,
    overlaps,
    page_appearance,
)
from spotlab.spotting.symbols.proposals.lesson import (
    MISSES,
    SHOWS,
    LabelledExample,
    Lesson,
    outlines_in_boxes,
)

METHOD = StrokeAlignment()
PAGES = 4  # whose regions are laid onto others, at most
TRIED, MODELS = 3, 16  # regions of a label on a page that are tried, and that are used at most
ALL_MODELS = 60  # about, of all labels and pages
SERVES = 0.2  # share of a label's regions that are found so, from which the method is asked for it
EXAMPLES = 8  # of a label that are laid onto the page that is worked on, the newest
UNLIKELY = -4.0  # log-odds of what is not aligned, and from which something is a candidate


@dataclass(frozen=True, eq=False)
class Aligned:
    """Places of a page where regions fit.

    Attributes
    ----------
    outlines : Outlines
        N rings in px.
    labels : tuple of str
        Of the regions that fit there, N.
    odds : (N,) float
        Log-odds that the method is right, above `UNLIKELY`.
    rows : (N, D) float32
        See `describe_appearance`.
    """

    outlines: Outlines
    labels: tuple[str, ...]
    odds: Floats
    rows: Rows

    def __len__(self) -> int:
        return len(self.labels)

    def odds_at(self, boxes: Floats, labels: Sequence[str]) -> Floats:
        """Say how likely the method finds each label where something lies.

        Parameters
        ----------
        boxes : (M, 4) float
            Left, top, right, bottom in px.
        labels : sequence of str
            L.

        Returns
        -------
        (M, L) float
            Log-odds of the best place that overlaps by `SAME`, above those of `UNLIKELY`, times the
            overlap (IoU); 0 where there is none.
        """
        iou = overlaps(boxes, self.outlines.bounds)[0]
        near = np.where(iou >= SAME, iou, 0)
        found = np.zeros((len(boxes), len(labels)))
        for number, label in enumerate(labels):
            own = np.array([each == label for each in self.labels], bool)
            above = (self.odds[own] - UNLIKELY).clip(0, _MOST)
            found[:, number] = (near[:, own] * above).max(1, initial=0)
        return found

    def probabilities_at(self, boxes: Floats, labels: Sequence[str]) -> Floats:
        """Compute the probability that the method finds each label where something lies.

        Parameters
        ----------
        boxes : (M, 4) float
            Left, top, right, bottom in px.
        labels : sequence of str
            L.

        Returns
        -------
        (M, L) float
            In [0, 1].
        """
        odds = self.odds_at(boxes, labels) + UNLIKELY
        return np.asarray(1 / (1 + np.exp(-odds)))


_MOST = 9.0  # log-odds above `UNLIKELY` that count
NOWHERE = Aligned(Outlines.of([]), (), np.zeros(0), np.zeros((0, appearance_length()), np.float32))


def learn_alignment(
    lessons: Sequence[Lesson], progress: Progress = silent
) -> tuple[Lessons | None, dict[int, Aligned]]:
    """Learn which labels method e finds, by what it finds on the pages that have their features.

    Parameters
    ----------
    lessons : sequence of Lesson
    progress : Progress

    Returns
    -------
    knowledge : Lessons or None
        Of the labels that it is asked for; None where there is none.
    found : dict of int to Aligned
        By the number of the lesson: what it finds on these pages, no region by itself.
    """
    able = [
        number
        for number, lesson in enumerate(lessons)
        if lesson.names and lesson.features is not None and METHOD.name in lesson.features.arrays
    ]
    places = np.unique(np.linspace(0, len(able) - 1, min(PAGES, len(able))).round().astype(int))
    chosen = [able[place] for place in places.tolist()]
    every = {name for number in chosen for name in lessons[number].names}
    own = [lessons[number] for number in chosen]
    names = sorted(name for name in every if not _are_rooms_or_walls(own, name))
    tried = [_labelled_page(lessons[number], names, TRIED) for number in chosen]
    judged = learn_and_leave_out(tried, METHOD, progress=progress)[1]
    served = [name for name in names if _share_found(tried, judged, name) >= SERVES]
    if not served:
        return None, {}
    most = int(np.clip(ALL_MODELS / (len(served) * len(chosen)), 1, MODELS))
    pages = [_labelled_page(lessons[number], served, most) for number in chosen]
    knowledge, judged = learn_and_leave_out(pages, METHOD, progress=progress)
    found = {
        number: _aligned(page.features, *each, knowledge.labels)
        for number, page, each in zip(chosen, pages, judged, strict=True)
    }
    return knowledge, found


def _are_rooms_or_walls(lessons: Sequence[Lesson], name: str) -> bool:
    """Tell whether most regions of a label are rooms or walls: to align those takes long."""
    experts = [
        bool(row[[ROOM, WALL]].any())
        for lesson in lessons
        for label, row in zip(lesson.names, lesson.rows, strict=False)
        if label == name
    ]
    return 2 * sum(experts) > len(experts)


def align(page: PageFeatures, knowledge: Lessons | None) -> Aligned:
    """Find where labelled regions fit on a page.

    Parameters
    ----------
    page : PageFeatures
    knowledge : Lessons or None
        See `learn_alignment`.
    """
    if knowledge is None or METHOD.name not in page.arrays:
        return NOWHERE
    return _aligned(page, *knowledge.hypotheses(METHOD, page), knowledge.labels)


def with_examples(
    knowledge: Lessons | None, page: PageFeatures, name: str, examples: Sequence[LabelledExample]
) -> Lessons | None:
    """Lay examples onto a page, too: its own, and those of labels that no lesson has.

    Parameters
    ----------
    knowledge : Lessons or None
        See `learn_alignment`.
    page : PageFeatures
    name : str
        The page's.
    examples : sequence of LabelledExample
        Of any pages.
    """
    if METHOD.name not in page.arrays:
        return knowledge
    served = knowledge.labels if knowledge is not None else ()
    good = [each for each in examples if each.is_positive]
    here = [each for each in good if each.page == name]
    regions = Outlines.of([each.outline for each in here])
    rooms = _rooms_and_walls(page, regions, [each.label for each in here])
    mine = _newest([each for each in here if each.label not in rooms])
    known = {*rooms, *served}
    away = _newest([each for each in good if each.page != name and each.label not in known])
    if not mine and not away:
        return knowledge
    inked = outlines_in_boxes(page, regions)
    wrong = [each.outline for each in examples if not each.is_positive and each.page == name]
    ink = page.ink
    queries = [(at, _query(here[at], inked[at], ink)) for at in map(here.index, mine)]
    queries += [(NO_REGION, _query(each)) for each in away]
    own = LabelledPage(page, inked, tuple(each.label for each in here), ())
    before = UNTAUGHT if knowledge is None else knowledge
    return before.with_page(own, queries, Outlines.of(wrong), METHOD)


def _newest(examples: Sequence[LabelledExample]) -> list[LabelledExample]:
    labels = dict.fromkeys(each.label for each in examples)
    return [
        each
        for label in labels
        for each in [other for other in examples if other.label == label][-EXAMPLES:]
    ]


def _query(
    example: LabelledExample, outline: Points | None = None, ink: Ink | None = None
) -> QueryFeatures:
    """Features of an example that the method needs, once: of itself, or of this on its page."""
    query = example.query

    def make() -> QueryFeatures:
        if outline is None or ink is None:
            model = SymbolModel(example.label, query.features.ink, query.outline)
        else:
            model = crop_model(example.label, ink, outline)
        return features_of_model(model, [METHOD])

    kept = f"for {METHOD.name}" + (" on its page" if outline is not None else "")
    return replace(query.features.cached(kept, make), name=example.label)


def _rooms_and_walls(page: PageFeatures, regions: Outlines, names: Sequence[str]) -> set[str]:
    """Labels of which most regions of a page are rooms or walls: to align those takes long."""
    candidates = find_candidates(page)
    plan = candidates.boxes[(candidates.source == ROOM) | (candidates.source == WALL)]
    hit = overlaps(plan, regions.bounds)[0].max(0, initial=0) >= SAME
    return {
        name
        for name in set(names)
        if 2 * sum(hit[n] for n, other in enumerate(names) if other == name) > names.count(name)
    }


def _labelled_page(lesson: Lesson, names: Sequence[str], most: int) -> LabelledPage:
    """A page as the method learns from it, with some regions of each label as models."""
    assert lesson.features is not None
    inked = outlines_in_boxes(lesson.features, lesson.regions)
    ink = lesson.features.cached("own ink", lambda: lesson.features.ink)  # type: ignore[union-attr]
    models = []
    for name in names:
        own = [number for number, label in enumerate(lesson.names) if label == name]
        own.sort(key=lambda number: polygon.area(lesson.regions[number]))
        places = np.linspace(0, len(own) - 1, min(most, len(own))).round().astype(int)
        models += [(own[place], name) for place in np.unique(places).tolist()]
    cropped = tuple((number, crop_model(name, ink, inked[number])) for number, name in models)
    return LabelledPage(lesson.features, inked, lesson.names, cropped)


def _share_found(
    pages: Sequence[LabelledPage], judged: Sequence[tuple[ModelSpots, Floats]], name: str
) -> float:
    """Share of a label's regions that regions of it find, of those that another one could find."""
    labels = tuple(dict.fromkeys(model.name for page in pages for _, model in page.models))
    if name not in labels:
        return 0.0
    there, hit = 0, 0
    for page, (spots, odds) in zip(pages, judged, strict=True):
        own = np.flatnonzero((spots.label == labels.index(name)) & (odds > UNLIKELY))
        pairs = overlaps_of(spots.outlines.take(own), page.outlines)
        regions = {number for number, label in enumerate(page.labels) if label == name}
        there += len(regions)
        hit += len(regions & set(pairs.second[pairs.iou >= SAME].tolist()))
    return hit / there if there > 1 else 0.0


def _aligned(
    page: PageFeatures, spots: ModelSpots, odds: Floats, labels: Mapping[int, str] | Sequence[str]
) -> Aligned:
    kept = np.flatnonzero(odds > UNLIKELY)
    outlines = spots.outlines.take(kept)
    names = tuple(labels[number] for number in spots.label[kept].tolist())
    return Aligned(outlines, names, odds[kept], described_once(page, outlines, ALIGNED))


def with_aligned(lesson: Lesson, found: Aligned | None) -> Lesson:
    """Add rows of what method e found: of the right label, background, or unclear.

    Parameters
    ----------
    lesson : Lesson
    found : Aligned or None
    """
    if not found:
        return lesson
    iou = overlaps(found.outlines.bounds, lesson.regions.bounds)[0]
    best, shown = iou.max(1), iou.argmax(1)
    labels = [
        lesson.names[number] if fit >= SHOWS else ""
        for fit, number in zip(best.tolist(), shown.tolist(), strict=True)
    ]
    unclear = (best >= MISSES) & (best < SHOWS)
    return replace(
        lesson,
        boxes=np.vstack([lesson.boxes, found.outlines.bounds]),
        rows=np.vstack([lesson.rows, found.rows]),
        labels=(*lesson.labels, *labels),
        stands_for=np.concatenate([lesson.stands_for, np.ones(len(found))]),
        emphasis=np.concatenate([lesson.emphasis, np.where(unclear, 0.0, 1.0)]),
    )


@dataclass(frozen=True, eq=False)
class Hypotheses:
    """All that experts suggest on a page, as one list.

    Attributes
    ----------
    outlines : Outlines
        N rings in px.
    boxes : (N, 4) float
        Left, top, right, bottom.
    rows : (N, D) float32
        See `describe_appearance`.
    aligned : Aligned
        The last of them.
    """

    outlines: Outlines
    boxes: Floats
    rows: Rows
    aligned: Aligned

    def __len__(self) -> int:
        return len(self.boxes)


def find_hypotheses(
    page: PageFeatures,
    knowledge: Lessons | None,
    name: str = "",
    examples: Sequence[LabelledExample] = (),
) -> Hypotheses:
    """Ask all experts about a page.

    Parameters
    ----------
    page : PageFeatures
        Keeps the result.
    knowledge : Lessons or None
        See `learn_alignment`.
    name : str
        The page's.
    examples : sequence of LabelledExample
        See `with_examples`.
    """
    known = page.cached("hypotheses", dict[object, Hypotheses])
    key = (knowledge, name, *examples)
    if key not in known:
        known.clear()
        known[key] = _hypotheses(page, with_examples(knowledge, page, name, examples))
    return known[key]


def _hypotheses(page: PageFeatures, knowledge: Lessons | None) -> Hypotheses:
    candidates, aligned = find_candidates(page), align(page, knowledge)
    return Hypotheses(
        Outlines.joined([candidates.outlines, aligned.outlines]),
        np.vstack([candidates.boxes, aligned.outlines.bounds]),
        np.vstack([page_appearance(page), aligned.rows]),
        aligned,
    )
