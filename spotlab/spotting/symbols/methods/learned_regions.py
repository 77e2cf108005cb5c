"""Method f: judges every candidate of a page by all labelled regions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from spotlab.geometry.polygon import Outlines
from spotlab.progress import Progress, silent
from spotlab.spotting.symbols.engine.method import LabelledRegions, LearnedSymbols, LearningMethod
from spotlab.spotting.symbols.engine.page_features import (
    Arrays,
    PageFeatures,
    QueryFeatures,
    QuerySpots,
)
from spotlab.spotting.symbols.proposals.aligned import find_hypotheses
from spotlab.spotting.symbols.proposals.candidates import (
    adopt_candidates,
    bounding_ring,
    candidate_arrays,
)
from spotlab.spotting.symbols.proposals.lesson import (
    Lesson,
    best_of_each_place,
    lesson_of_model,
    make_lesson,
)
from spotlab.spotting.symbols.proposals.region_learner import Effort, RegionLearner, learn_regions

POSSIBLE = 0.01  # probability from which a candidate is a spot at all
THOROUGH = Effort(1600, 16000)  # some seconds


@dataclass(frozen=True, eq=False)
class LearnedRegions(LearnedSymbols):
    """Spots symbols by what labelled regions teach.

    Attributes
    ----------
    learner : RegionLearner
    calibrated : bool
    """

    learner: RegionLearner
    calibrated: bool = True

    @property
    def labels(self) -> tuple[str, ...]:  # type: ignore[override]
        """Those that were learned, in alphabetical order."""
        return self.learner.labels

    @property
    def counts(self) -> Mapping[str, int]:  # type: ignore[override]
        """Number of labelled regions of each label."""
        return self.learner.counts

    @property
    def digest(self) -> str:
        """Digest of all that decides what is found."""
        return self.learner.digest

    def spot(self, page: PageFeatures) -> dict[str, QuerySpots]:
        """Find the spots of each label on a page.

        Parameters
        ----------
        page : PageFeatures

        Returns
        -------
        dict of str to QuerySpots
            Best first, no two of a label at about the same place; scores of shape (N,).
        """
        learner, chances = self.learner, self.learner.probabilities(page)
        candidates = find_hypotheses(page, learner.aligned)
        found = {}
        for number, label in enumerate(learner.labels):
            own = chances[:, number : number + 1]
            chosen = best_of_each_place(candidates.boxes, own, POSSIBLE)
            outlines = [candidates.outlines[place] for place in chosen.tolist()]
            if label in learner.boxed:
                outlines = [bounding_ring(outline) for outline in outlines]
            found[label] = QuerySpots(Outlines.of(outlines), own[chosen, 0])
        return found


class RegionLearning(LearningMethod):
    """Learns from all labelled regions how likely a candidate is of each label."""

    name = "f"
    title = "Learned from all labelled regions"
    definition = (
        "Takes closed shapes, rooms, walls, boxes between long lines and places where labelled "
        "regions fit by their strokes, and judges each by all labelled regions and the background "
        "of the other labelled pages. A page is never searched by its own truth. Scores are "
        "probabilities."
    )
    min_score = 0.3

    def extract(self, page: PageFeatures) -> Arrays:
        """Find and describe the candidates of a page.

        Parameters
        ----------
        page : PageFeatures

        Examples
        --------
        >>> import numpy as np
        >>> from spotlab.spotting.symbols.engine.method import features_of_ink
        >>> page = features_of_ink(np.zeros((20, 20), bool), methods=[])
        >>> RegionLearning().extract(page)["rows"].shape
        (0, 824)
        """
        return candidate_arrays(page)

    def adopt(self, page: PageFeatures, kept: Arrays) -> bool:
        """Give a page its candidates.

        Parameters
        ----------
        page : PageFeatures
        kept : mapping of str to array
            Of any shape.

        Examples
        --------
        >>> import numpy as np
        >>> from spotlab.spotting.symbols.engine.method import features_of_ink
        >>> page = features_of_ink(np.zeros((20, 20), bool), methods=[])
        >>> RegionLearning().adopt(page, {"rows": np.zeros(3)})
        False
        """
        return adopt_candidates(page, kept)

    def page_lesson(self, page: PageFeatures, truth: LabelledRegions) -> Lesson:
        """Choose what a page teaches, see `make_lesson`.

        Parameters
        ----------
        page : PageFeatures
        truth : LabelledRegions

        Examples
        --------
        >>> import numpy as np
        >>> from spotlab.spotting.symbols.engine.method import features_of_ink
        >>> page = features_of_ink(np.zeros((20, 20), bool), methods=[])
        >>> square = Outlines.of([[(2, 2), (12, 2), (12, 12), (2, 12)]])
        >>> truth = LabelledRegions("plan", square, ("bed",), Outlines.of([]))
        >>> RegionLearning().page_lesson(page, truth).labels
        ('bed',)
        """
        return make_lesson(
            page, truth.page, truth.outlines, truth.labels,
            unknown=truth.unknown, complete=truth.complete, keeps_page=truth.keeps_page,
        )  # fmt: skip

    def model_lesson(self, model: QueryFeatures) -> Lesson:
        """Describe a picture of a symbol, see `lesson_of_model`.

        Parameters
        ----------
        model : QueryFeatures
        """
        return lesson_of_model(model)

    def learn(
        self, lessons: Sequence[Lesson], progress: Progress = silent
    ) -> LearnedRegions | None:
        """Learn from lessons, see `learn_regions`.

        Parameters
        ----------
        lessons : sequence of Lesson
        progress : Progress

        Examples
        --------
        >>> print(RegionLearning().learn([]))
        None
        """
        learner = learn_regions(lessons, progress, min_regions=1, effort=THOROUGH)
        return None if learner is None else LearnedRegions(learner.for_search())


METHOD = RegionLearning()
