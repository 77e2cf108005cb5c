"""Agreement of two annotators by area, as `spotlab annotators` has it, label by label."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from spotlab.measures.annotators import Areas
from spotlab.model import Truth
from spotlab.progress import Progress, silent
from spotlab.representation import short_repr
from spotlab.studies.adjudication.differences import (
    ALIKE,
    MATCH,
    PageDifferences,
    compare_regions,
)
from spotlab.studies.areas.annotators import pair_areas


@dataclass(frozen=True, eq=False)
class PageAgreement:
    """How far two annotators agree on a page.

    Attributes
    ----------
    differences : PageDifferences
    labels : tuple of str
        All labels that one of the two uses.
    areas : Areas
        The second annotator as a run against the first, by label: A(R) is what the second has
        marked, A(T) what the first has.
    """

    differences: PageDifferences
    labels: tuple[str, ...]
    areas: Areas

    __repr__ = short_repr

    @property
    def iou(self) -> float:
        """Intersection over union of what both have marked, of all labels' areas together."""
        return self.areas.pooled("iou")

    @property
    def iou_by_label(self) -> dict[str, float]:
        """Intersection over union of the unions of each label's regions."""
        values = self.areas.of_queries("iou").tolist()
        return dict(zip(self.labels, values, strict=True))


def measure_agreement(
    first: Truth,
    second: Truth,
    match: float = MATCH,
    alike: float = ALIKE,
    progress: Progress = silent,
) -> PageAgreement:
    """Compare two annotators' truths of a page, by region and by area.

    Parameters
    ----------
    first, second : Truth
        Of pages of the same size.
    match, alike : float
        See `compare_regions`.

    Raises
    ------
    BadInput
        The two have been drawn on images of different sizes.
    """
    differences = compare_regions(first.regions, second.regions, match=match, alike=alike)
    page: Mapping[str, Truth] = {"page": first}
    labels, areas = pair_areas(page, {"page": second}, progress=progress)
    return PageAgreement(differences, labels, areas)
