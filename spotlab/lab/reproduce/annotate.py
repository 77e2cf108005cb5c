"""Replays the truth of a collection as a person would draw it, and counts the actions.

Page after page, the person goes through the proposals of all labels: accepts what is right,
corrects what is nearly right, rejects what is wrong, and draws what is missing by a stroke that is
not quite exact. All that is known of a page teaches the next one, by the functions that the window
calls.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import Any

import numpy as np

from spotlab.arrays import Floats, Points
from spotlab.geometry import polygon
from spotlab.geometry.polygon import Outlines
from spotlab.model import Region, Truth
from spotlab.progress import Progress, silent, track
from spotlab.spotting.symbols.engine.page_features import PageFeatures
from spotlab.spotting.symbols.proposals.aligned import PAGES
from spotlab.spotting.symbols.proposals.candidate_classifier import (
    BESIDE,
    Proposal,
    default_min_score,
    propose,
)
from spotlab.spotting.symbols.proposals.candidates import is_box, snap_to_ink
from spotlab.spotting.symbols.proposals.lesson import LabelledExamples, Lesson, make_lesson
from spotlab.spotting.symbols.proposals.region_learner import RegionLearner, learn_regions
from spotlab.studies.symbols.work_saved import ACCEPTED, CLOSE, region_overlap, region_query

NEXT_PAGE = 1  # action: the page is opened, and proposals are asked for
DRAW = 2  # a stroke and the label's digit
NAME = 1  # more: the first of a label, whose name is typed
CORRECT = 2  # a corner is chosen and moved, or the outline drawn over
PICK = 1  # a click on a proposal that is not the current one
PATIENCE = 3  # wrong proposals after which others are looked for, or the region is drawn
EXAMPLES = 8  # of a label that proposals are compared with, the newest, as in the window
_SHAKE = 0.01  # of an outline's size: how far its points are off


@dataclass
class LabelWork:
    """Answers about the regions of a label, and the actions that they took.

    Attributes
    ----------
    regions, accepted, corrected, renamed, rejected, drawn, actions : int
        Corrected and renamed ones are accepted, too.
    """

    regions: int = 0
    accepted: int = 0
    corrected: int = 0
    renamed: int = 0
    rejected: int = 0
    drawn: int = 0
    actions: int = 0

    def __add__(self, other: LabelWork) -> LabelWork:
        pairs = zip(vars(self).values(), vars(other).values(), strict=True)
        return LabelWork(*(one + another for one, another in pairs))

    @property
    def per_region(self) -> float | None:
        """Actions per region; None without any."""
        return self.actions / self.regions if self.regions else None


@dataclass(frozen=True)
class AnnotatedPage:
    """The work on one page; "" is what belongs to no label, as opening the page.

    Attributes
    ----------
    page : str
    labels : dict of str to LabelWork
    """

    page: str
    labels: dict[str, LabelWork] = field(default_factory=dict)

    @property
    def all(self) -> LabelWork:
        """The work on all labels."""
        return sum(self.labels.values(), LabelWork())


def annotate_again(
    truths: Sequence[Truth],
    features_of: Callable[[Truth], PageFeatures],
    seed: int = 0,
    progress: Progress = silent,
) -> tuple[AnnotatedPage, ...]:
    """Make the truth of pages again, with proposals, one page after the other.

    Parameters
    ----------
    truths : sequence of Truth
        In the order in which they are made; regions without a label are ignored.
    features_of : callable
        Takes a truth and returns the `PageFeatures` of its page.
    seed : int
        Of what makes strokes inexact.
    progress : Progress
        Called after each page.

    Returns
    -------
    tuple of AnnotatedPage
    """
    draw = np.random.default_rng(seed)
    lessons: list[Lesson] = []
    examples, done = LabelledExamples(), []
    waiting, pages = iter(truths), deque[PageFeatures]()  # the page and those that come next
    for truth in track(truths, progress, "making the truth again"):
        pages.extend(map(features_of, islice(waiting, 1 + BESIDE - len(pages))))
        page, others = pages.popleft(), tuple(pages)
        session = _Replay(truth, page, examples, learn_regions(lessons), draw, others)
        done.append(session.work())
        examples = session.examples
        lessons.append(session.lesson(keeps_page=len(lessons) < PAGES))
    return tuple(done)


class _Replay:
    """Work on one page."""

    def __init__(
        self,
        truth: Truth,
        page: PageFeatures,
        examples: LabelledExamples,
        learner: RegionLearner | None,
        draw: np.random.Generator,
        others: tuple[PageFeatures, ...],
    ) -> None:
        self._others = others
        self.name, self.page, self.examples = truth.page.name, page, examples
        self._ink, self._learner, self._random = page.ink, learner, draw
        self._missing = [region for region in truth.regions if region.label]
        self._named = set(examples.labels) | set(learner.labels if learner else ())
        self._taken: list[tuple[str, Points]] = []
        self._wrong: list[Points] = []
        self._work = {"": LabelWork(actions=NEXT_PAGE)}
        for region in self._missing:
            self._of(region.label).regions += 1

    def _of(self, label: str) -> LabelWork:
        return self._work.setdefault(label, LabelWork())

    def work(self) -> AnnotatedPage:
        """Answer what is proposed, and draw what is missing, until nothing is."""
        while self._missing:
            if not self._answer(self._shown()):
                self._draw(self._missing[0])
        return AnnotatedPage(self.name, self._work)

    def lesson(self, *, complete: bool = True, keeps_page: bool = False) -> Lesson:
        """Return what the page teaches."""
        return make_lesson(
            self.page, self.name, Outlines.of([ring for _, ring in self._taken]),
            [label for label, _ in self._taken], rejected=Outlines.of(self._wrong),
            complete=complete, keeps_page=keeps_page,
        )  # fmt: skip

    def _shown(self) -> list[Proposal]:
        """Proposals that the window shows now, without those that are known to be wrong."""
        learner = self._learner and self._learner.with_lesson(self.lesson(complete=False))
        taken = Outlines.of([ring for _, ring in self._taken])
        found = propose(
            self.page, self.examples, taken, name=self.name, learner=learner, others=self._others
        )
        least = default_min_score(found, self.examples, learner)
        wrong = self._wrong
        return [
            each
            for each in found
            if each.score >= least
            and all(region_overlap(each.outline, other) < ACCEPTED for other in wrong)
        ]

    def _answer(self, shown: list[Proposal]) -> bool:
        """Answer proposals: all at once if few are wrong, else one by one; False if none helps."""
        answers = [(each, *self._meant(each)) for each in shown]
        regions = [id(region) for _, region, _, _ in answers if region is not None]
        if not regions:
            for each in shown[:PATIENCE]:
                self._reject(each, 1)
            return False
        wrong = len(shown) - len(set(regions))
        renamed = sum(
            region is not None and region.label != each.label for each, region, _, _ in answers
        )
        at_once = len(shown) > 1 + (1 + PICK) * (wrong + renamed)
        each_takes, picked = (0, 1 + PICK) if at_once else (1, 1)
        self._work[""].actions += at_once
        rejected = 0
        for each, region, outline, fit in answers:
            if region is None or not any(region is other for other in self._missing):
                self._reject(each, picked)
                rejected += 1
                if each_takes and rejected == PATIENCE:
                    return True  # what is proposed has changed by then
                continue
            known = self._of(region.label)
            is_renamed, is_corrected = region.label != each.label, fit < CLOSE
            known.accepted += 1
            known.renamed += is_renamed
            known.corrected += is_corrected
            known.actions += (picked if is_renamed else each_takes) + CORRECT * is_corrected
            self._keep(region, self._shaken(region) if is_corrected else outline)
        return True

    def _meant(self, proposal: Proposal) -> tuple[Region | None, Points, float]:
        """The missing region that a proposal shows, its outline as accepted, and how it fits."""
        outline = snap_to_ink(proposal.outline, self._ink)
        fits = [region_overlap(outline, region.array) for region in self._missing]
        best = int(np.argmax(fits)) if fits else -1
        right = best >= 0 and fits[best] >= ACCEPTED
        return (self._missing[best] if right else None), outline, fits[best] if right else 0.0

    def _reject(self, proposal: Proposal, actions: int) -> None:
        known = self._of(proposal.label)
        known.rejected += 1
        known.actions += actions
        self._wrong.append(proposal.outline)
        query = region_query(proposal.label, self._ink, proposal.outline)
        self.examples = self.examples.with_rejected(
            proposal.label, query, self.name, proposal.outline
        )

    def _draw(self, region: Region) -> None:
        known = self._of(region.label)
        known.drawn += 1
        known.actions += DRAW + NAME * (region.label not in self._named)
        self._named.add(region.label)
        self._keep(region, self._shaken(region))

    def _keep(self, region: Region, outline: Points) -> None:
        self._missing = [each for each in self._missing if each is not region]
        self._taken.append((region.label, outline))
        query = region_query(region.label, self._ink, outline)
        more = self.examples.with_accepted(region.label, query, self.name, outline)
        own = [each for each in more.all if each.label == region.label and each.is_positive]
        gone = {id(each) for each in own[:-EXAMPLES]}
        self.examples = replace(more, all=tuple(each for each in more.all if id(each) not in gone))

    def _shaken(self, region: Region) -> Points:
        """The outline as a hand draws it: a little off, as a whole and at each point."""
        ring = region.array
        left, top, right, bottom = polygon.bounds(ring)
        size = float(np.hypot(right - left, bottom - top))
        off: Floats = self._random.normal(0, _SHAKE * size, 2)
        if is_box(ring):
            edges = np.array([left, top, right, bottom]) + np.tile(off, 2)
            left, top, right, bottom = edges + self._random.normal(0, _SHAKE * size / 2, 4)
            return np.array([(left, top), (right, top), (right, bottom), (left, bottom)])
        return np.asarray(ring + off + self._random.normal(0, _SHAKE * size / 4, ring.shape))


def by_label(pages: Sequence[AnnotatedPage]) -> dict[str, LabelWork]:
    """Add the work of all pages, for each label.

    Parameters
    ----------
    pages : sequence of AnnotatedPage

    Examples
    --------
    >>> one = AnnotatedPage("one", {"sofa": LabelWork(regions=2, drawn=2, actions=5)})
    >>> two = AnnotatedPage("two", {"sofa": LabelWork(regions=2, accepted=2, actions=1)})
    >>> by_label([one, two])["sofa"].per_region
    1.5
    """
    total: dict[str, LabelWork] = {}
    for page in pages:
        for label, work in page.labels.items():
            total[label] = total.get(label, LabelWork()) + work
    return total


def as_json(pages: Sequence[AnnotatedPage]) -> dict[str, Any]:
    """Figures of `annotate_again` for JSON.

    Parameters
    ----------
    pages : sequence of AnnotatedPage
    """

    def figures(work: LabelWork) -> dict[str, Any]:
        return {**vars(work), "actions_per_region": work.per_region}

    return {
        **figures(sum((page.all for page in pages), LabelWork())),
        "pages": [{"page": page.page, **figures(page.all)} for page in pages],
        "labels": {label: figures(work) for label, work in by_label(pages).items() if label},
    }
