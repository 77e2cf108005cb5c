"""Work saved by proposals, measured by simulating a person who accepts, rejects and draws."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np

from spotlab.arrays import Points
from spotlab.compute import each_done
from spotlab.errors import BadInput
from spotlab.formats.collection.folder import PageEntry
from spotlab.geometry import polygon
from spotlab.geometry.polygon import Outlines
from spotlab.imaging.ink import Ink
from spotlab.model import Region, Truth
from spotlab.progress import Progress, silent, track
from spotlab.representation import short_repr
from spotlab.spotting.page_entries import page_entries
from spotlab.spotting.symbols.engine.method import SymbolSettings, features_of_model
from spotlab.spotting.symbols.engine.page_features import PageFeatures, QueryFeatures, crop_model
from spotlab.spotting.symbols.proposals.aligned import PAGES
from spotlab.spotting.symbols.proposals.candidate_classifier import (
    Proposal,
    default_min_score,
    propose,
)
from spotlab.spotting.symbols.proposals.candidates import snap_to_ink
from spotlab.spotting.symbols.proposals.lesson import (
    LabelledExamples,
    Lesson,
    lesson_of_truth,
    make_lesson,
)
from spotlab.spotting.symbols.proposals.region_learner import RegionLearner, learn_regions
from spotlab.spotting.symbols.search.index import prepared_page

ACCEPTED = 0.5  # overlap (IoU) with a region of its label from which a proposal is accepted
CLOSE = 0.75  # and from which it hardly has to be corrected


@dataclass(frozen=True)
class PageWork:
    """The work of a simulated person on one page.

    Attributes
    ----------
    page : str
    symbols : int
        Labelled regions of the page's truth.
    accepted, rejected : int
        Proposals.
    drawn : int
        Regions that were not proposed.
    close : int
        Accepted ones that overlap their region by `CLOSE` or more.
    overlap : float
        Sum of the IoU of accepted ones with their regions.
    """

    page: str
    symbols: int
    accepted: int = 0
    rejected: int = 0
    drawn: int = 0
    close: int = 0
    overlap: float = 0.0


@dataclass(frozen=True)
class WorkSaved:
    """The work on all pages, in the order in which they were done.

    Attributes
    ----------
    pages : tuple of PageWork
    examples : LabelledExamples
        All that were given; not part of the JSON.
    """

    pages: tuple[PageWork, ...]
    examples: LabelledExamples = field(default_factory=LabelledExamples, compare=False, repr=False)

    __repr__ = short_repr

    @property
    def share(self) -> float | None:
        """Share of symbols that were accepted instead of drawn; None without symbols."""
        return _ratio(self._sum("accepted"), self._sum("symbols"))

    @property
    def close_share(self) -> float | None:
        """Share of symbols that were accepted and hardly have to be corrected."""
        return _ratio(self._sum("close"), self._sum("symbols"))

    @property
    def false_per_accepted(self) -> float | None:
        """Number of rejected proposals per accepted one; None where none was accepted."""
        return _ratio(self._sum("rejected"), self._sum("accepted"))

    @property
    def mean_overlap(self) -> float | None:
        """Mean IoU of the accepted proposals with their regions."""
        return _ratio(self._sum("overlap"), self._sum("accepted"))

    def _sum(self, name: str) -> float:
        return float(sum(getattr(page, name) for page in self.pages))

    def as_json(self) -> dict[str, Any]:
        """Figures for JSON; what is undefined is null."""
        return {
            "share": self.share,
            "close_share": self.close_share,
            "false_per_accepted": self.false_per_accepted,
            "mean_overlap": self.mean_overlap,
            "pages": [asdict(page) for page in self.pages],
        }


def simulate_work(
    truths: Sequence[Truth],
    features_of: Callable[[Truth], PageFeatures],
    examples: LabelledExamples | None = None,
    *,
    draw: bool = True,
    learn: bool = True,
    learner: RegionLearner | None = None,
    progress: Progress = silent,
) -> WorkSaved:
    """Simulate a person who makes the truth of these pages, one after the other.

    On each page they look at the best proposal, accept it where it overlaps a missing region of its
    label by `ACCEPTED` or more, reject it otherwise, and so on while any proposal is shown. Then
    they draw the first region of the truth that is missing, which may bring new proposals, until
    nothing is missing. Each answer and each drawn region is an example for the next proposals.

    Parameters
    ----------
    truths : sequence of Truth
        Of the pages; regions without a label are ignored.
    features_of : callable
        Takes a truth and returns the `PageFeatures` of its page.
    examples : LabelledExamples, optional
        Known before the first page.
    draw : bool
        Draw what is missing. Without, there are only the examples from before: unseen pages.
    learn : bool
        Take rejected proposals as examples.
    learner : RegionLearner, optional
        What the labelled regions of other pages teach; it learns each answer on a page, too.
    progress : Progress
        Called after each page.
    """
    known = examples or LabelledExamples()
    pages: list[PageWork] = []
    for truth in track(truths, progress, "making the truth"):
        session = _Session(truth, features_of(truth), known, learn, learner)
        session.answer_all()
        while draw and session.missing:
            session.draw(min(session.missing))
            session.answer_all()
        known = session.examples
        pages.append(session.work())
    return WorkSaved(tuple(pages), known)


class _Session:
    """Work on one page."""

    def __init__(
        self,
        truth: Truth,
        page: PageFeatures,
        examples: LabelledExamples,
        learn: bool,
        learner: RegionLearner | None,
    ) -> None:
        self.name = truth.page.name
        self.features = page
        self.ink = page.ink
        self.examples = examples
        self.regions: list[Region] = [region for region in truth.regions if region.label]
        self.missing = set(range(len(self.regions)))
        self._learn = learn
        self._learner = learner
        self._names: list[str] = []
        self._taken: list[Points] = []
        self._rejected: list[Proposal] = []
        self._drawn = 0
        self._overlaps: list[float] = []

    def answer_all(self) -> None:
        """Answer proposals, the best first, while any is shown."""
        while (best := self._best()) is not None:
            self._answer(best)

    def draw(self, number: int) -> None:
        """Draw a region that is missing."""
        region = self.regions[number]
        self.missing.discard(number)
        self._drawn += 1
        self._add_accepted(region.label, region.array)

    def work(self) -> PageWork:
        """Return what was done."""
        overlaps = np.array(self._overlaps)
        return PageWork(
            self.name,
            len(self.regions),
            len(overlaps),
            len(self._rejected),
            self._drawn,
            int((overlaps >= CLOSE).sum()),
            float(overlaps.sum()),
        )

    def _best(self) -> Proposal | None:
        taken = Outlines.of(self._taken)
        learner = self._taught(taken)
        proposals = propose(self.features, self.examples, taken, name=self.name, learner=learner)
        least = default_min_score(proposals, self.examples, learner)
        for proposal in proposals:
            if proposal.score < least:
                return None
            if self._learn or not self._was_rejected(proposal):
                return proposal
        return None

    def _taught(self, taken: Outlines) -> RegionLearner | None:
        """Return what is known after the answers on this page."""
        if self._learner is None:
            return None
        wrong = Outlines.of([each.outline for each in self._rejected if self._learn])
        lesson = make_lesson(
            self.features, self.name, taken, self._names, rejected=wrong, complete=False
        )
        return self._learner.with_lesson(lesson)

    def _was_rejected(self, proposal: Proposal) -> bool:
        return any(
            other.label == proposal.label
            and region_overlap(other.outline, proposal.outline) >= ACCEPTED
            for other in self._rejected
        )

    def _answer(self, proposal: Proposal) -> None:
        outline = snap_to_ink(proposal.outline, self.ink)
        overlaps = [
            (region_overlap(outline, self.regions[number].array), -number)
            for number in self.missing
            if self.regions[number].label == proposal.label
        ]
        overlap, number = max(overlaps, default=(0.0, 0))
        if overlap >= ACCEPTED:
            self.missing.discard(-number)
            self._overlaps.append(overlap)
            self._add_accepted(proposal.label, outline)
            return
        self._rejected.append(proposal)
        if self._learn:
            query = region_query(proposal.label, self.ink, proposal.outline)
            self.examples = self.examples.with_rejected(
                proposal.label, query, self.name, proposal.outline
            )

    def _add_accepted(self, label: str, outline: Points) -> None:
        query = region_query(label, self.ink, outline)
        self.examples = self.examples.with_accepted(label, query, self.name, outline)
        self._taken.append(outline)
        self._names.append(label)


def region_query(label: str, ink: Ink, outline: Points) -> QueryFeatures:
    """Crop a region of a page as an example of its label."""
    return features_of_model(crop_model(label, ink, outline), [])


def region_overlap(first: Points, second: Points) -> float:
    """IoU of two outlines."""
    one, other = polygon.even_odd_geometry(first), polygon.even_odd_geometry(second)
    shared = float(one.intersection(other).area)
    return shared / max(float(one.area + other.area) - shared, 1e-9)


def _ratio(part: float, whole: float) -> float | None:
    return part / whole if whole else None


def measure_proposal_work(
    pages: Sequence[Truth],
    lessons: Sequence[Truth],
    settings: SymbolSettings | None = None,
    *,
    cache: Path | None = None,
    jobs: int = 1,
    cluster: str | None = None,
    progress: Progress = silent,
) -> WorkSaved:
    """Simulate a person who makes the truth of pages, helped by lessons from other pages.

    Each page is worked on by itself, see `simulate_work`: what is done on one is no lesson for the
    next. A page is never a lesson for itself, by its name.

    Parameters
    ----------
    pages : sequence of Truth
        Their regions are what has to be made.
    lessons : sequence of Truth
        Pages whose regions are all labelled; without any, the person begins with nothing.
    settings : SymbolSettings, optional
        How features are extracted.
    cache : Path, optional
        Folder for the features of pages; by default the user's cache.
    jobs, cluster
        As in `spotlab.compute.executor`.
    progress : Progress
        Called after each page.

    Returns
    -------
    WorkSaved
        In the order of the pages.

    Raises
    ------
    BadInput
        The image of a page cannot be read.
    Cancelled
        From ``progress``.
    """
    settings = settings or SymbolSettings()
    kept = None if cache is None else cache.absolute()  # workers run in folders of their own
    common = (settings, kept)
    step = -(-len(lessons) // PAGES) if lessons else 1
    asked = [(_with_absolute_path(each), not n % step) for n, each in enumerate(lessons)]
    made = dict(
        each_done(_lesson, asked, jobs, cluster, progress, "reading lessons", common=common)
    )
    taught = [made[number] for number in sorted(made)]
    learned = learn_regions(taught, progress)
    known = {lesson.page for lesson in taught}
    works: list[tuple[Truth, RegionLearner | None]] = []
    for truth in map(_with_absolute_path, pages):
        others = [lesson for lesson in taught if lesson.page != truth.page.name]
        own = truth.page.name in known
        works.append((truth, learn_regions(others, progress) if own else learned))
    done = dict(each_done(_work, works, jobs, cluster, progress, "making the truth", common=common))
    return WorkSaved(tuple(done[number] for number in sorted(done)))


def _with_absolute_path(truth: Truth) -> Truth:
    return replace(truth, page=replace(truth.page, image=truth.page.image.absolute()), source=b"")


def _lesson(work: tuple[Truth, bool], settings: SymbolSettings, cache: Path | None) -> Lesson:
    truth, keeps_page = work
    page = page_features(truth, settings, cache)
    return lesson_of_truth(page, truth, truth.page.name, keeps_page=keeps_page)


def _work(
    work: tuple[Truth, RegionLearner | None], settings: SymbolSettings, cache: Path | None
) -> PageWork:
    truth, learner = work
    seen = page_features(truth, settings, cache)
    return simulate_work([truth], lambda _: seen, learner=learner).pages[0]


def page_features(truth: Truth, settings: SymbolSettings, cache: Path | None) -> PageFeatures:
    """Load the features of the page that a truth is about."""
    return prepared_page(_entry(truth), settings, cache)


def _entry(truth: Truth) -> PageEntry:
    """The page that a truth is about."""
    for entry in page_entries([truth.page.image]):
        if entry.frame == truth.page.frame:
            return entry
    problem = f"it has no page {truth.page.frame + 1}"
    raise BadInput(truth.page.image, problem, expected="the page that the truth is about")
