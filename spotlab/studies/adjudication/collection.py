"""Two annotators of a collection: agreement over all pages, and what is decided between them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from spotlab.formats.rows.json_values import to_builtins
from spotlab.measures.agreement import Areas
from spotlab.model import Deed, Truth
from spotlab.progress import Progress, silent, track
from spotlab.representation import short_repr
from spotlab.studies.adjudication.decisions import Decision, DecisionFile, verdict_counts
from spotlab.studies.adjudication.differences import (
    ALIKE,
    MATCH,
    DifferenceKind,
    PageDifferences,
    compare_regions,
)
from spotlab.studies.areas.annotators import pair_areas


@dataclass(frozen=True, eq=False)
class AnnotatorAgreement:
    """Agreement of two annotators on the pages that both have seen.

    Attributes
    ----------
    pages : mapping of str to PageDifferences
        By name.
    labels : tuple of str
        All labels that one of the two uses.
    areas : Areas
        The second annotator as a run against the first, by label: A(R) is what the second has
        marked, A(T) what the first has.
    """

    pages: Mapping[str, PageDifferences]
    labels: tuple[str, ...]
    areas: Areas

    __repr__ = short_repr

    @cached_property
    def differences(self) -> PageDifferences:
        """The pairs of all pages together."""
        return PageDifferences(tuple(pair for page in self.pages.values() for pair in page.pairs))

    @property
    def iou(self) -> float:
        """Intersection over union of what both have marked, of all labels' areas together."""
        return self.areas.pooled("iou")

    @property
    def iou_by_label(self) -> dict[str, float]:
        """Intersection over union of the unions of each label's regions."""
        values = self.areas.of_queries("iou").tolist()
        return dict(zip(self.labels, values, strict=True))

    def as_json(self) -> Any:
        """Figures by name as `json.dumps` takes them, null where they are undefined."""
        found = self.differences
        counts = {kind.name.lower(): found.counts[kind] for kind in DifferenceKind}
        figures = {"pages": len(self.pages), "iou": self.iou, "kappa": found.kappa}
        return to_builtins({**figures, **counts})


def compare_collections(
    first: Mapping[str, Truth],
    second: Mapping[str, Truth],
    *,
    match: float = MATCH,
    alike: float = ALIKE,
    progress: Progress = silent,
) -> AnnotatorAgreement | None:
    """Compare two annotators on all pages that both have seen.

    Parameters
    ----------
    first, second : mapping of str to Truth
        What each has drawn, by page.
    match, alike : float
        See `compare_regions`.

    Returns
    -------
    AnnotatorAgreement or None
        None where they have no page in common.
    """
    names = [name for name in first if name in second]
    if not names:
        return None
    pages = {
        name: compare_regions(first[name].regions, second[name].regions, match=match, alike=alike)
        for name in track(names, progress, "comparing annotators")
    }
    common = [{name: side[name] for name in names} for side in (first, second)]
    return AnnotatorAgreement(pages, *pair_areas(*common, progress=progress))


def compare_page(
    first: Truth,
    second: Truth,
    match: float = MATCH,
    alike: float = ALIKE,
    progress: Progress = silent,
) -> AnnotatorAgreement:
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
    found = compare_collections(
        {"page": first}, {"page": second}, match=match, alike=alike, progress=progress
    )
    assert found is not None  # they have this page in common
    return found


@dataclass(frozen=True, eq=False)
class DecisionReport:
    """What is decided between two annotators.

    Attributes
    ----------
    log : DecisionFile
    agreement : AnnotatorAgreement
        Of the two, as they are now.
    """

    log: DecisionFile
    agreement: AnnotatorAgreement

    __repr__ = short_repr

    @cached_property
    def decisions(self) -> tuple[Decision, ...]:
        """The decisions about differences that are there now."""
        found = (
            self.log.get(name, pair.key)
            for name, page in self.agreement.pages.items()
            for pair in page.differences
        )
        return tuple(decision for decision in found if decision is not None)

    @property
    def differences(self) -> int:
        """How many differences there are, decided or not."""
        return len(self.agreement.differences.differences)

    @property
    def decided(self) -> int:
        """How many of them are decided; one that was left undecided is not."""
        return sum(decision.verdict is not Deed.UNDECIDED for decision in self.decisions)

    @property
    def authors(self) -> dict[str, int]:
        """How many decisions each person has made, in alphabetical order."""
        return dict(sorted(Counter(decision.author for decision in self.decisions).items()))

    @property
    def summary(self) -> str:
        """One line for people."""
        verdicts = verdict_counts(self.decisions)
        first, second = self.log.names
        return (
            f"{self.decided:,} of {self.differences:,} differences decided: {verdicts['kept']:,} "
            f"for {first}, {verdicts['taken']:,} for {second}, {verdicts['merged']:,} merged; "
            f"{verdicts['undecided']:,} left undecided"
        )

    def as_json(self) -> Any:
        """All of it as `json.dumps` takes it."""
        first, second = self.log.names
        return {
            "first": first,
            "second": second,
            "differences": self.differences,
            "decided": self.decided,
            "verdicts": verdict_counts(self.decisions),
            "authors": self.authors,
            "decisions": [
                {
                    "page": decision.page,
                    "verdict": decision.verdict.value,
                    "author": decision.author,
                    "time": decision.time.isoformat(),
                }
                for decision in self.decisions
            ],
        }
