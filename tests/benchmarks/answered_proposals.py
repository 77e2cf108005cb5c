"""Counts the actions of somebody who answers the proposals of a page and draws what is missing."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

import numpy as np

from spotlab.arrays import Points
from spotlab.geometry import polygon
from spotlab.geometry.polygon import Outlines
from spotlab.imaging.ink import InkMethod, InkSettings
from spotlab.spotting.symbols.engine.method import (
    SymbolSettings,
    extract_features,
    features_of_model,
)
from spotlab.spotting.symbols.engine.page_features import PageFeatures, crop_model
from spotlab.spotting.symbols.proposals.candidate_classifier import (
    Proposal,
    default_min_score,
    propose,
)
from spotlab.spotting.symbols.proposals.candidates import snap_to_ink
from spotlab.spotting.symbols.proposals.lesson import LabelledExamples, make_lesson
from spotlab.spotting.symbols.proposals.region_learner import RegionLearner, likely_share

FITS = 0.7  # IoU with the ink or the outline of an object, from which a proposal is right
PATIENCE = 3  # wrong proposals in a row after which somebody draws instead


@dataclass(frozen=True, eq=False)
class Wanted:
    """An object that has to be drawn: its label, its ink's hull, its outline, actions by hand."""

    label: str
    ink: Points
    outline: Points
    actions: float


class Answering:
    """One page: first all that is likely, then one by one, then by hand."""

    def __init__(
        self, page: PageFeatures, name: str, learner: RegionLearner | None, objects: list[Wanted]
    ) -> None:
        self.page, self.name, self.learner = page, name, learner
        self.missing = list(objects)
        self.tally: Counter[str] = Counter()
        self._examples = LabelledExamples()
        self._taken: list[Points] = []
        self._names: list[str] = []
        self._wrong: list[Points] = []

    def work(self) -> float:
        """Actions in all."""
        shown = self._shown()
        least = likely_share([each.score for each in shown])
        likely = [each for each in shown if each.score >= least]
        actions = 1.0 if likely else 0.0  # a key accepts them all
        for proposal in likely:
            actions += 0 if self._answer(proposal) else 2  # a click and Delete
        actions += self._answer_all()
        while self.missing:
            drawn = self.missing.pop(0)
            actions += drawn.actions
            self.tally["drawn"] += 1
            self._keep(drawn.label, drawn.ink)
            actions += self._answer_all()
        return actions

    def _answer_all(self) -> float:
        """A digit accepts, Delete rejects, until too many in a row are wrong."""
        actions, wrong = 0.0, 0
        while wrong < PATIENCE and self.missing and (shown := self._shown()):
            actions += 1
            wrong = 0 if self._answer(shown[0]) else wrong + 1
        return actions

    def _shown(self) -> list[Proposal]:
        taken, learner = Outlines.of(self._taken), self.learner
        if learner is not None:
            lesson = make_lesson(
                self.page, self.name, taken, self._names,
                rejected=Outlines.of(self._wrong), complete=False,
            )  # fmt: skip
            learner = learner.with_lesson(lesson)
        proposals = propose(self.page, self._examples, taken, name=self.name, learner=learner)
        least = default_min_score(proposals, self._examples, learner)
        return [each for each in proposals if each.score >= least and not self._refused(each)]

    def _keep(self, label: str, outline: Points) -> None:
        """A region of the page, from which further proposals come."""
        self._taken.append(outline)
        self._names.append(label)
        query = features_of_model(crop_model(label, self.page.ink, outline), [])
        self._examples = self._examples.with_accepted(label, query, self.name, outline)

    def _refused(self, proposal: Proposal) -> bool:
        return any(overlap(each, proposal.outline) >= 0.5 for each in self._wrong)

    def _answer(self, proposal: Proposal) -> bool:
        """Take it as the object that it fits best, whatever its label: a digit tells that."""
        outline = snap_to_ink(proposal.outline, self.page.ink)
        fits = [
            max(overlap(outline, each.ink), overlap(outline, each.outline)) for each in self.missing
        ]
        best = int(np.argmax(fits)) if fits else -1
        if best < 0 or fits[best] < FITS:
            self.tally["wrong"] += 1
            self._wrong.append(proposal.outline)
            query = features_of_model(crop_model(proposal.label, self.page.ink, outline), [])
            self._examples = self._examples.with_rejected(
                proposal.label, query, self.name, proposal.outline
            )
            return False
        found = self.missing.pop(best)
        self.tally["right" if found.label == proposal.label else "relabelled"] += 1
        self._keep(found.label, outline)
        return True


def features_of_ink(pixels: np.ndarray, method: InkMethod) -> PageFeatures:
    """What proposals are made of."""
    settings = SymbolSettings(InkSettings(method))
    return extract_features(pixels, [], settings)


def overlap(first: np.ndarray, second: np.ndarray) -> float:
    """Intersection over union; 0 where one of them has no area."""
    if len(first) < 3 or len(second) < 3:
        return 0.0
    one, other = polygon.even_odd_geometry(first), polygon.even_odd_geometry(second)
    return float(one.intersection(other).area / one.union(other).area)
