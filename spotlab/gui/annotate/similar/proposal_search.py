"""Searches for proposals, and lessons of labelled pages: what threads do.

The threads share what they have seen, and add to it; all else that they work on stays as it is.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np

from spotlab.arrays import Points
from spotlab.errors import SpotlabError
from spotlab.files import exists
from spotlab.formats.collection.folder import PageEntry
from spotlab.formats.truth.page_xml import read
from spotlab.geometry.polygon import Outlines
from spotlab.gui.annotate.similar.examples import Example, Looks, Sought
from spotlab.imaging.ink import Ink
from spotlab.model import Region, Truth
from spotlab.progress import Progress, silent, track
from spotlab.spotting.symbols.engine.method import SymbolSettings, features_of_model
from spotlab.spotting.symbols.engine.page_features import (
    PageFeatures,
    QueryFeatures,
    crop_model,
    draw_model,
)
from spotlab.spotting.symbols.proposals.aligned import PAGES as PAGES_ALIGNED
from spotlab.spotting.symbols.proposals.candidate_classifier import (
    Proposal,
    default_min_score,
    propose,
)
from spotlab.spotting.symbols.proposals.candidates import snap_to_ink
from spotlab.spotting.symbols.proposals.lesson import (
    LabelledExample,
    LabelledExamples,
    Lesson,
    lesson_of_truth,
    make_lesson,
    untypical_example,
)
from spotlab.spotting.symbols.proposals.region_learner import RegionLearner, learn_regions
from spotlab.spotting.symbols.search.index import features_of_page, prepared_page

LOWEST = 0.05  # the score below which nobody could want to see a proposal
UNNAMED = "\0"  # stands for no label: the spotter proposes only labels
DOING = "searching for more"
LEARNING = "Learning from labelled pages"


@dataclass(frozen=True, eq=False)
class KnownLesson:
    """A page's lesson, and what it was made of."""

    regions: tuple[Region, ...]
    complete: bool
    lesson: Lesson


@dataclass(eq=False)
class Seen:
    """All that was seen with the same settings, each thing once.

    Attributes
    ----------
    settings : SymbolSettings
    cache : Path or None
        Folder of the index; by default the user's cache.
    pages : dict of PageEntry to PageFeatures
        Few: the open one, and those that come next.
    examples : dict of Looks to QueryFeatures
    lessons : dict of PageEntry to KnownLesson
    learner : RegionLearner or None
        What the lessons ``learned_from`` teach; None where they are too few.
    """

    settings: SymbolSettings
    cache: Path | None = None
    pages: dict[PageEntry, PageFeatures] = field(default_factory=dict)
    examples: dict[Looks, QueryFeatures] = field(default_factory=dict)
    lessons: dict[PageEntry, KnownLesson] = field(default_factory=dict)
    learner: RegionLearner | None = None
    learned_from: dict[PageEntry, KnownLesson] = field(default_factory=dict)


@dataclass(frozen=True, eq=False)
class Request:
    """Request to search a page for proposals.

    Attributes
    ----------
    entry : PageEntry
    sought : Sought
    examples : tuple of Example
    truths : mapping of PageEntry to Truth
        Those of pages that are open; others are read from their files.
    seen : Seen
    """

    entry: PageEntry
    sought: Sought
    examples: tuple[Example, ...]
    truths: Mapping[PageEntry, Truth]
    seen: Seen


@dataclass(frozen=True, eq=False)
class SearchResult:
    """Result of a search for proposals.

    Attributes
    ----------
    entry : PageEntry
    proposals : tuple of Proposal
        Best first.
    worth : float
        The score from which they are worth showing.
    gathered : tuple of Example
        Those that were found in the truth of other pages.
    taught : bool
        Whether there was any good example to go by.
    untypical : Example or None
        The example of the page that looks least like the others of its label.
    """

    entry: PageEntry
    proposals: tuple[Proposal, ...]
    worth: float
    gathered: tuple[Example, ...]
    taught: bool
    untypical: Example | None


def look(request: Request, progress: Progress = silent) -> SearchResult:
    """Propose regions of the page.

    Raises
    ------
    SpotlabError
        A page cannot be read.
    """
    progress(0, None, DOING)
    entry, seen, labels = request.entry, request.seen, request.sought.labels
    gathered = _gathered(request, progress)
    examples = (*request.examples, *gathered)
    page = seen.pages.get(entry) or prepared_page(entry, seen.settings, seen.cache)
    seen.pages[entry] = page
    _see_examples(examples, request, page, progress)
    lessons = LabelledExamples(
        tuple(
            _labelled(each, seen.examples[each.looks])
            for each in examples
            if each.looks in seen.examples
        )
    )
    truth = truth_of(entry, request.truths)
    regions = truth.regions if truth else ()
    wanted = None if labels is None else [label or UNNAMED for label in labels]
    learner = _taught_here(request, page, regions)
    named = propose(
        page,
        lessons,
        Outlines.of([region.array for region in regions]),
        wanted,
        progress,
        name=entry.name,
        learner=learner,
        others=tuple(each for at, each in list(seen.pages.items()) if at != entry),
    )
    found = [_unnamed(each) for each in named if each.score >= LOWEST]
    odd = untypical_example(lessons, entry.name)
    untypical = (each for each in examples if odd and seen.examples.get(each.looks) is odd.query)
    known = {*lessons.labels, *(learner.trusted if learner else ())}
    return SearchResult(
        entry,
        _fitted(found, page, progress),
        default_min_score(named, lessons, learner),
        gathered,
        any(wanted is None or label in wanted for label in known),
        next(untypical, None),
    )


def _fitted(
    proposals: Sequence[Proposal], page: PageFeatures, progress: Progress
) -> tuple[Proposal, ...]:
    """The proposals with outlines that fit the ink; each outline is fitted once."""
    fitted = page.cached("outlines fitted to ink", dict[bytes, Points])
    ink: Ink | None = None
    for each in proposals:
        if each.outline.tobytes() not in fitted:
            progress(0, None, DOING)
            ink = page.ink if ink is None else ink
            fitted[each.outline.tobytes()] = snap_to_ink(each.outline, ink)
    return tuple(replace(each, outline=fitted[each.outline.tobytes()]) for each in proposals)


def _taught_here(
    request: Request, page: PageFeatures, regions: Iterable[Region]
) -> RegionLearner | None:
    """Return what the collection teaches, with the regions and the rejected proposals of this
    page; None where only a drawing counts.
    """
    learner = request.seen.learner
    if learner is None or request.sought.drawn:
        return None
    entry, labelled = request.entry, [region for region in regions if region.label]
    wrong = [each.points for each in request.examples if not each.good and each.entry == entry]
    lesson = make_lesson(
        page,
        entry.name,
        Outlines.of([region.array for region in labelled]),
        [region.label for region in labelled],
        rejected=Outlines.of(wrong),
        complete=False,
    )
    return learner.with_lesson(lesson)


def _gathered(request: Request, progress: Progress) -> tuple[Example, ...]:
    """Examples of the wanted labels from other pages; a page that cannot be read has none."""
    found: list[Example] = []
    for entry, labels in request.sought.wanted.items():
        progress(0, None, DOING)
        truth = truth_of(entry, request.truths)
        left = set(labels)
        for region in truth.regions if truth else ():
            if region.label in left:
                left.discard(region.label)
                found.append(Example(region.label, True, entry, region.points))
    return tuple(found)


def truth_of(entry: PageEntry, truths: Mapping[PageEntry, Truth]) -> Truth | None:
    """The truth of a page as it is now; None where there is none that could be read."""
    if entry in truths or not exists(entry.truth_path):
        return truths.get(entry)
    try:
        return read(entry.truth_path)
    except SpotlabError:
        return None


def _see_examples(
    examples: Iterable[Example], request: Request, page: PageFeatures, progress: Progress
) -> None:
    """See those that have not been seen; a page that cannot be read teaches nothing."""
    seen = request.seen
    unseen: dict[PageEntry | None, dict[Looks, Example]] = {}
    for each in examples:
        if each.looks not in seen.examples:
            unseen.setdefault(each.entry, {}).setdefault(each.looks, each)
    for entry, group in unseen.items():
        features = page
        if entry is not None and entry != request.entry:
            try:
                features = features_of_page(entry, seen.settings, seen.cache)
            except SpotlabError:
                continue
        ink = None if entry is None else features.ink
        for looks, example in group.items():
            progress(0, None, DOING)
            if ink is None:
                strokes = [np.array(stroke) for stroke in example.strokes]
                model = draw_model(example.label, strokes, features.pen)
            else:
                model = crop_model(example.label, ink, example.points)
            # ink and contours, no method's arrays
            seen.examples[looks] = features_of_model(model, (), seen.settings.mend)


def _labelled(example: Example, query: QueryFeatures) -> LabelledExample:
    page = example.entry.name if example.entry else ""
    outline = np.array(example.points, np.float64).reshape(-1, 2)
    return LabelledExample(example.label or UNNAMED, query, example.good, page, outline)


def _unnamed(proposal: Proposal) -> Proposal:
    if proposal.label != UNNAMED:
        return proposal
    return replace(proposal, label="", why=proposal.why.replace(UNNAMED, "example"))


def learn_pages(
    pages: Mapping[PageEntry, bool],
    truths: Mapping[PageEntry, Truth],
    seen: Seen,
    progress: Progress = silent,
) -> bool:
    """Make the lessons of pages that have changed, and learn from all of them.

    A page that cannot be read teaches nothing. Lessons are kept as soon as they are made, so that
    nothing is lost if this is cancelled.

    Parameters
    ----------
    pages : mapping of PageEntry to bool
        Each page, and whether all its regions are labelled.
    truths : mapping of PageEntry to Truth
        Those of pages that are open; others are read from their files.
    seen : Seen
        Keeps the lessons and what is learned.
    progress : Progress
        Called for each page.

    Returns
    -------
    bool
        Whether something else is learned than before.
    """
    known, before = seen.lessons, seen.learner
    for entry in known.keys() - pages.keys():
        known.pop(entry, None)
    for entry, complete in track(list(pages.items()), progress, LEARNING):
        truth, lesson = truth_of(entry, truths), known.pop(entry, None)
        if truth is None:
            continue
        if not lesson or (lesson.regions, lesson.complete) != (truth.regions, complete):
            try:
                page = prepared_page(entry, seen.settings, seen.cache)
            except SpotlabError:
                continue
            kept = sum(each.lesson.features is not None for each in list(known.values()))
            new = lesson_of_truth(
                page, truth, entry.name, complete=complete, keeps_page=kept < PAGES_ALIGNED
            )
            lesson = KnownLesson(truth.regions, complete, new)
        known[entry] = lesson
    if known != seen.learned_from:
        seen.learner = learn_regions([each.lesson for each in list(known.values())], progress)
        seen.learned_from = dict(known)
    return seen.learner is not before
