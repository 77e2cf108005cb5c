"""What `spotlab annotators` says of agreement by region, and of decisions between annotators."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from spotlab.report.aligned import aligned
from spotlab.report.figure_text import written

if TYPE_CHECKING:
    from spotlab.progress import Progress
    from spotlab.studies.adjudication.collection import CollectionAgreement, DecisionReport
    from spotlab.studies.areas.annotator_truths import AnnotatedPages
    from spotlab.studies.areas.truth_files import TruthSet

_HEADS = ("area IoU", "κ", "alike", "other outline", "other label", "only first", "only second")


@dataclass(frozen=True)
class RegionAgreement:
    """The agreement of each two annotators; None where they share no page."""

    names: tuple[str, ...]
    pairs: Mapping[tuple[int, int], CollectionAgreement | None]

    def as_json(self) -> list[list[Any]]:
        """``[i][j]`` is annotator i as the first and j as the second; null on the diagonal."""
        count = range(len(self.names))
        return [
            [(found := self.pairs.get((i, j))) and found.as_json() for j in count] for i in count
        ]

    def lines(self) -> Iterator[str]:
        """A table with a row for each two, if there are two."""
        rows = [
            [f"{self.names[i]} and {self.names[j]}", *_figures(found)]
            for (i, j), found in self.pairs.items()
            if i < j and found is not None
        ]
        if rows:
            yield ""
            yield "agreement by region: matched from an IoU of 0.5 on, outlines alike from 0.9 on"
            yield from aligned([["", *_HEADS], *rows])


@dataclass(frozen=True)
class DecisionText:
    """What is decided between two annotators, and how each agrees with what results."""

    report: DecisionReport
    against: Mapping[str, CollectionAgreement | None]

    def as_json(self) -> dict[str, Any]:
        """The decisions, and by name the agreement with the third truth."""
        against = {name: found and found.as_json() for name, found in self.against.items()}
        return {**self.report.as_json(), "against_decided": against}

    def lines(self) -> Iterator[str]:
        """A line with all verdicts, one for each person, and a table."""
        yield ""
        yield self.report.summary
        yield from (f"  by {name}: {count:,}" for name, count in self.report.authors.items())
        rows = [
            [name, *_figures(found)] for name, found in self.against.items() if found is not None
        ]
        if rows:
            yield ""
            yield "each annotator (first) and what is decided (second)"
            yield from aligned([["", *_HEADS], *rows])


def region_agreement(annotated: AnnotatedPages, progress: Progress) -> RegionAgreement:
    """Compare each two annotators, on the pages that both have seen."""
    from spotlab.studies.adjudication.collection import compare_collections  # noqa: PLC0415

    count = range(len(annotated.names))
    seen = [
        {annotated.pages[at]: truths[annotated.pages[at]] for at in saw.nonzero()[0].tolist()}
        for saw, truths in zip(annotated.seen, annotated.truths, strict=True)
    ]
    return RegionAgreement(
        annotated.names,
        {
            (i, j): compare_collections(seen[i], seen[j], progress=progress)
            for i in count
            for j in count
            if i != j
        },
    )


def report_decisions(
    folder: Path,
    paths: Sequence[Path],
    truths: Mapping[str, TruthSet],
    third: TruthSet,
    progress: Progress,
) -> DecisionText:
    """Count the decisions in a folder between two of the annotators.

    Raises
    ------
    BadInput
        The folder holds no decisions.
    UsageError
        They are between others.
    """
    from spotlab.studies.adjudication.collection import (  # noqa: PLC0415
        DecisionReport,
        compare_collections,
    )
    from spotlab.studies.adjudication.decisions import read_decisions  # noqa: PLC0415

    log = read_decisions(folder)
    by_path = {_folder(path): truth for path, truth in zip(paths, truths.values(), strict=True)}
    sides = [by_path.get(_folder(side.folder)) for side in (log.first, log.second)]
    first, second = sides
    if first is None or second is None:
        told = " and ".join(str(_folder(side.folder)) for side in (log.first, log.second))
        problem = f"--decided holds decisions between {told}; give both with --annotator"
        raise click.UsageError(problem, click.get_current_context())
    agreement = compare_collections(first.truths, second.truths, progress=progress)
    if agreement is None:
        raise click.UsageError("the two annotators share no page", click.get_current_context())
    against = {
        name: compare_collections(truth.truths, third.truths, progress=progress)
        for name, truth in truths.items()
    }
    return DecisionText(DecisionReport(log, agreement), against)


def _folder(path: Path) -> Path:
    found = path.resolve()
    return found if found.is_dir() else found.parent


def _figures(found: CollectionAgreement) -> list[str]:
    from spotlab.studies.adjudication.differences import DifferenceKind  # noqa: PLC0415

    kinds = (
        DifferenceKind.NONE,
        DifferenceKind.OUTLINE,
        DifferenceKind.LABEL,
        DifferenceKind.ONLY_FIRST,
        DifferenceKind.ONLY_SECOND,
    )
    counts = [f"{found.counts[kind]:,}" for kind in kinds]
    return [written(found.iou), written(found.kappa), *counts]
