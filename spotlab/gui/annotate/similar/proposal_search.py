"""Looks for proposals on a page: what a thread does, with values that nobody changes meanwhile."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np

from spotlab.arrays import Points
from spotlab.errors import SpotlabError
from spotlab.files import exists
from spotlab.formats.collection.folder import PageEntry
from spotlab.formats.truth.page_xml import read
from spotlab.geometry import polygon
from spotlab.geometry.polygon import Outlines
from spotlab.geometry.primitives import is_box
from spotlab.imaging.ink import Ink
from spotlab.model import Truth
from spotlab.progress import Progress, silent
from spotlab.spotting.symbols.engine.method import SymbolSettings, features_of_model
from spotlab.spotting.symbols.engine.page_features import (
    PageFeatures,
    QueryFeatures,
    crop_model,
    draw_model,
)
from spotlab.spotting.symbols.proposals.candidate_classifier import (
    Proposal,
    default_min_score,
    propose,
)
from spotlab.spotting.symbols.proposals.candidates import snap_to_ink
from spotlab.spotting.symbols.proposals.lesson import (
    LabelledExample,
    LabelledExamples,
    make_lesson,
    untypical_example,
)
from spotlab.spotting.symbols.proposals.region_learner import RegionLearner
from spotlab.spotting.symbols.search.index import features_of_page, prepared_page

Ring = tuple[tuple[float, float], ...]
LOWEST = 0.05  # the score below which nobody could want to see a proposal
UNNAMED = "\0"  # stands for no label: the spotter proposes only labels
DOING = "searching for more"


@dataclass(frozen=True)
class Example:
    """A region that is known to be of a label, or not to be.

    Attributes
    ----------
    label : str
    good : bool
    entry : PageEntry or None
        Its page; None for what was drawn on none.
    points : tuple of (x, y)
        Its outline in px of the page.
    strokes : tuple of tuple of (x, y)
        What was drawn.
    """

    label: str
    good: bool
    entry: PageEntry | None
    points: Ring = ()
    strokes: tuple[Ring, ...] = ()

    @property
    def looks(self) -> Example:
        """Equal for examples that look the same, whatever was said of them."""
        return replace(self, label="", good=True)


Queries = Mapping[Example, QueryFeatures]  # by what `Example.looks`


@dataclass(frozen=True, eq=False)
class CachedPage:
    """A page that is worked on.

    Attributes
    ----------
    entry : PageEntry
    settings : SymbolSettings
    seen : PageFeatures
    snaps : dict of bytes to Points
        Outlines that have been fitted to the ink, by what they were.
    """

    entry: PageEntry
    settings: SymbolSettings
    features: PageFeatures
    snaps: dict[bytes, Points] = field(default_factory=dict)

    def fit(self, proposals: Iterable[Proposal], progress: Progress) -> tuple[Proposal, ...]:
        """The proposals with outlines that fit the ink; each outline is fitted once."""
        fitted = []
        ink: Ink | None = None
        for each in proposals:
            key = each.outline.tobytes()
            if key not in self.snaps:
                progress(0, None, DOING)
                ink = self.features.ink if ink is None else ink
                self.snaps[key] = _fitted(each.outline, ink)
            fitted.append(replace(each, outline=self.snaps[key]))
        return tuple(fitted)


@dataclass(frozen=True, eq=False)
class Request:
    """Request to search a page for proposals.

    Attributes
    ----------
    entry : PageEntry
    settings : SymbolSettings
    labels : tuple of str or None
        None for all that there are examples of.
    examples : tuple of Example
    wanted : mapping of PageEntry to frozenset of str
        Pages whose truth has further examples of these labels.
    truths : mapping of PageEntry to Truth
        Those of pages that are open; others are read from their files.
    queries : mapping of Example to QueryFeatures
        Examples that have been seen already.
    sight : CachedPage or None
        What is known of the page.
    cache : Path or None
        Where the index is kept.
    learner : RegionLearner or None
        What the collection's labelled pages teach.
    others : tuple of PageFeatures
        Other pages that are kept as they are seen.
    """

    entry: PageEntry
    settings: SymbolSettings
    labels: tuple[str, ...] | None
    examples: tuple[Example, ...]
    wanted: Mapping[PageEntry, frozenset[str]]
    truths: Mapping[PageEntry, Truth]
    queries: Queries
    sight: CachedPage | None = None
    cache: Path | None = None
    learner: RegionLearner | None = None
    others: tuple[PageFeatures, ...] = ()


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
    queries : mapping of Example to QueryFeatures
        All examples that have been seen so far.
    sight : CachedPage
    taught : bool
        Whether there was any good example to go by.
    untypical : Example or None
        The example of the page that looks least like the others of its label.
    """

    entry: PageEntry
    proposals: tuple[Proposal, ...]
    worth: float
    gathered: tuple[Example, ...]
    queries: Queries
    sight: CachedPage
    taught: bool = True
    untypical: Example | None = None


def look(request: Request, progress: Progress = silent) -> SearchResult:
    """Propose regions of the page.

    Raises
    ------
    SpotlabError
        A page cannot be read.
    """
    progress(0, None, DOING)
    gathered = gather(request, progress)
    sight = request.sight or CachedPage(
        request.entry,
        request.settings,
        prepared_page(request.entry, request.settings, request.cache),
    )
    examples = (*request.examples, *gathered)
    queries = dict(request.queries)
    _see_examples(examples, queries, request, sight, progress)
    lessons = LabelledExamples(
        tuple(_labelled(each, queries[each.looks]) for each in examples if each.looks in queries)
    )
    truth = truth_of(request.entry, request.truths)
    taken = Outlines.of([region.array for region in truth.regions] if truth else [])
    labels = request.labels
    wanted = None if labels is None else [label or UNNAMED for label in labels]
    learner = _taught_here(request, sight.features, truth, examples)
    named = propose(
        sight.features,
        lessons,
        taken,
        wanted,
        progress,
        name=request.entry.name,
        learner=learner,
        others=request.others,
    )
    found = tuple(_unnamed(each) for each in named if each.score >= LOWEST)
    odd = untypical_example(lessons, request.entry.name)
    untypical = next(
        (each for each in examples if odd and queries.get(each.looks) is odd.query), None
    )
    labels_known = {*lessons.labels, *(learner.trusted if learner else ())}
    taught = any(wanted is None or label in wanted for label in labels_known)
    return SearchResult(
        request.entry,
        sight.fit(found, progress),
        default_min_score(named, lessons, learner),
        gathered,
        queries,
        sight,
        taught,
        untypical,
    )


def _taught_here(
    request: Request, page: PageFeatures, truth: Truth | None, examples: Iterable[Example]
) -> RegionLearner | None:
    """Return what the collection teaches, with the regions and the rejected proposals of this
    page.
    """
    if request.learner is None:
        return None
    regions = [region for region in truth.regions if region.label] if truth else []
    wrong = [each.points for each in examples if not each.good and each.entry == request.entry]
    lesson = make_lesson(
        page,
        request.entry.name,
        Outlines.of([region.array for region in regions]),
        [region.label for region in regions],
        rejected=Outlines.of(wrong),
        complete=False,
    )
    return request.learner.with_lesson(lesson)


def gather(request: Request, progress: Progress = silent) -> tuple[Example, ...]:
    """Examples of the wanted labels from other pages; a page that cannot be read has none."""
    found: list[Example] = []
    for entry, labels in request.wanted.items():
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
    if entry in truths:
        return truths[entry]
    if not exists(entry.truth_path):
        return None
    try:
        return read(entry.truth_path)
    except SpotlabError:
        return None


def _see_examples(
    examples: Iterable[Example],
    queries: dict[Example, QueryFeatures],
    request: Request,
    sight: CachedPage,
    progress: Progress,
) -> None:
    """See those that have not been seen; a page that cannot be read teaches nothing."""
    unseen: dict[PageEntry | None, dict[Example, str]] = {}
    for each in examples:
        if each.looks not in queries:
            unseen.setdefault(each.entry, {}).setdefault(each.looks, each.label)
    for entry, group in unseen.items():
        try:
            if entry is None or entry == sight.entry:
                seen = sight.features
            else:
                seen = features_of_page(entry, request.settings, request.cache)
        except SpotlabError:
            continue
        ink = None if entry is None else seen.ink
        for example, label in group.items():
            progress(0, None, DOING)
            if ink is None:
                strokes = [np.array(stroke) for stroke in example.strokes]
                model = draw_model(label, strokes, seen.pen)
            else:
                model = crop_model(label, ink, example.points)
            # ink and contours, no method's arrays
            queries[example] = features_of_model(model, (), request.settings.mend)


def _labelled(example: Example, query: QueryFeatures) -> LabelledExample:
    page = example.entry.name if example.entry else ""
    outline = np.array(example.points, np.float64).reshape(-1, 2)
    return LabelledExample(example.label or UNNAMED, query, example.good, page, outline)


def _unnamed(proposal: Proposal) -> Proposal:
    if proposal.label != UNNAMED:
        return proposal
    return replace(proposal, label="", why=proposal.why.replace(UNNAMED, "example"))


def _fitted(outline: Points, ink: Ink) -> Points:
    """The outline that a sketch there would have; a box stays one."""
    found = snap_to_ink(outline, ink)
    if not is_box(outline):
        return found
    left, top, right, bottom = polygon.bounds(found)
    return np.array([(left, top), (right, top), (right, bottom), (left, bottom)])
