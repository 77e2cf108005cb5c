"""What `spotlab annotators` says of decisions between annotators."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from spotlab.files import is_folder

if TYPE_CHECKING:
    from spotlab.progress import Progress
    from spotlab.studies.annotators.differences import AnnotatorAgreement, DecisionReport
    from spotlab.studies.tally.truth import TruthSet


@dataclass(frozen=True)
class DecisionText:
    """What is decided between two annotators, and how each agrees with what results."""

    report: DecisionReport
    against: Mapping[str, AnnotatorAgreement | None]

    def as_json(self) -> dict[str, Any]:
        """The decisions, and by name the agreement with the third truth."""
        against = {name: found and found.as_json() for name, found in self.against.items()}
        return {**self.report.as_json(), "against_decided": against}

    @property
    def compared(self) -> dict[str, AnnotatorAgreement]:
        """Those who share a page with what is decided."""
        return {name: pair for name, pair in self.against.items() if pair is not None}

    def lines(self) -> Iterator[str]:
        """A line with all verdicts, and one for each person."""
        yield ""
        yield self.report.summary
        yield from (f"  by {name}: {count:,}" for name, count in self.report.authors.items())


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
    from spotlab.studies.annotators.decisions import read_decisions  # noqa: PLC0415
    from spotlab.studies.annotators.differences import (  # noqa: PLC0415
        DecisionReport,
        compare_collections,
    )

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
    return found if is_folder(found) else found.parent
