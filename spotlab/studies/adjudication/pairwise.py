"""How far each two of several annotators agree, region by region."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from spotlab.progress import Progress, silent
from spotlab.studies.adjudication.collection import AnnotatorAgreement, compare_collections
from spotlab.studies.areas.annotator_truths import AnnotatedPages


@dataclass(frozen=True)
class PairwiseAgreement:
    """The agreement of each two annotators; None where they share no page."""

    names: tuple[str, ...]
    pairs: Mapping[tuple[int, int], AnnotatorAgreement | None]

    @property
    def each_two(self) -> dict[str, AnnotatorAgreement]:
        """Each two annotators once, by their names."""
        return {
            f"{self.names[i]} and {self.names[j]}": agreement
            for (i, j), agreement in self.pairs.items()
            if i < j and agreement is not None
        }

    def as_json(self) -> list[list[Any]]:
        """``[i][j]`` is annotator i as the first and j as the second; null on the diagonal."""
        count = range(len(self.names))
        return [[(pair := self.pairs.get((i, j))) and pair.as_json() for j in count] for i in count]


def compare_pairs(annotated: AnnotatedPages, progress: Progress = silent) -> PairwiseAgreement:
    """Compare each two annotators, on the pages that both have seen."""
    count = range(len(annotated.names))
    seen = [
        {annotated.pages[at]: truths[annotated.pages[at]] for at in saw.nonzero()[0].tolist()}
        for saw, truths in zip(annotated.seen, annotated.truths, strict=True)
    ]
    return PairwiseAgreement(
        annotated.names,
        {
            (i, j): compare_collections(seen[i], seen[j], progress=progress)
            for i in count
            for j in count
            if i != j
        },
    )
