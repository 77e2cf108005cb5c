"""Holds runs against several annotators, and the annotators against each other."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from spotlab.errors import counted
from spotlab.formats.rows.csv_rows import BadLine
from spotlab.formats.runs.format import ReadRun
from spotlab.geometry.outlines import Outlines
from spotlab.measures.agreement import (
    AnnotatorFigures,
    Areas,
    annotator_figures,
    whole_areas,
)
from spotlab.model import Run, Truth
from spotlab.progress import Progress, silent
from spotlab.representation import short_repr
from spotlab.studies.areas.annotator_truths import AnnotatedPages, put_side_by_side, put_together
from spotlab.studies.areas.evaluate import distinct_names, left_out
from spotlab.studies.areas.evaluation import LeftOut
from spotlab.studies.areas.tallying import tally
from spotlab.studies.areas.truth_files import TruthSet, match_pages


@dataclass(frozen=True, eq=False)
class RunAmongAnnotators:
    """One run.

    Attributes
    ----------
    name : str
        Differs from the names of all other runs here.
    run : Run
    figures : AnnotatorFigures
    left_out : tuple of LeftOut
        Spots on pages that no annotator has seen.
    bad_lines : tuple of BadLine
        What could not be read.
    """

    name: str
    run: Run
    figures: AnnotatorFigures
    left_out: tuple[LeftOut, ...] = ()
    bad_lines: tuple[BadLine, ...] = ()

    __repr__ = short_repr


@dataclass(frozen=True, eq=False)
class AnnotatorStudy:
    """Runs and annotators.

    Attributes
    ----------
    annotated : AnnotatedPages
    runs : tuple of RunAmongAnnotators
        In the order they were given.
    agreement : tuple of AnnotatorFigures or None
        Of each annotator, taken as a run, against the others, on the pages that this one and some
        other have seen: what a person reaches. None where there is no such page.
    """

    annotated: AnnotatedPages
    runs: tuple[RunAmongAnnotators, ...]
    agreement: tuple[AnnotatorFigures | None, ...]

    __repr__ = short_repr

    def pair(self, one: int, other: int) -> Areas | None:
        """An annotator as a run against another one, on the pages that both have seen.

        None where there are none, and for an annotator against itself. Precision and recall change
        places with the two; F is the same for both ways round.
        """
        figures = self.agreement[one]
        if one == other or figures is None:
            return None
        place = other - (other > one)
        return figures.own[place] if figures.seen[place].any() else None

    @property
    def remarks(self) -> tuple[str, ...]:
        """What a person should know of the annotators, a line each."""
        annotated = self.annotated
        found = []
        for name, saw, truths in zip(
            annotated.names, annotated.seen, annotated.truths, strict=True
        ):
            regions = [region for truth in truths.values() for region in truth.regions]
            pages = f"{int(saw.sum())} of {counted(len(saw), 'page')}"
            line = f"{name}: {pages}, {counted(len(regions), 'region')}"
            bare = sum(not region.label for region in regions)
            found.append(
                f"{line}, {bare:,} of them left out because they have no label" if bare else line
            )
        if len(annotated.names) > 1 and not (annotated.seen.sum(axis=0) > 1).any():
            found.append(
                "no page has been seen by two annotators; check that page names are the "
                "same for all"
            )
        return tuple(found)


def measure_annotators(
    annotators: Mapping[str, TruthSet],
    read_runs: Sequence[ReadRun] = (),
    *,
    beta: float = 1.0,
    jobs: int = 1,
    progress: Progress = silent,
) -> AnnotatorStudy:
    """Hold runs against several annotators' regions, and the annotators against each other.

    Parameters
    ----------
    annotators : mapping of str to TruthSet
        By the annotator's name.
    read_runs : sequence of ReadRun
    beta : float
        Of F.
    jobs : int
        Processes to use; 0 for one a processor.

    Raises
    ------
    BadInput
        Two annotators have a page in different sizes.
    """
    annotated = put_side_by_side(annotators, progress)
    together = put_together(annotators.values())
    names = distinct_names([each.run for each in read_runs])
    runs = []
    for name, read in zip(names, read_runs, strict=True):
        of_run = match_pages(read.run.pages, together)
        figures = _figures(read.run, annotated, of_run, beta, jobs, progress)
        lost = left_out(read.run, together)
        runs.append(RunAmongAnnotators(name, read.run, figures, lost, read.bad_lines))
    agreement = tuple(
        _against_others(annotated, number, beta, jobs, progress)
        for number in range(len(annotators))
    )
    return AnnotatorStudy(annotated, tuple(runs), agreement)


def _figures(
    run: Run,
    annotated: AnnotatedPages,
    of_run: Mapping[str, str | None],
    beta: float,
    jobs: int,
    progress: Progress,
) -> AnnotatorFigures:
    *own, every, marked = (
        tally(run, truths, of_run, jobs=jobs, progress=progress)
        for truths in (*annotated.truths, annotated.every, annotated.any)
    )
    return annotator_figures(annotated.names, own, annotated.seen, every, marked, beta)


def _against_others(
    annotated: AnnotatedPages, number: int, beta: float, jobs: int, progress: Progress
) -> AnnotatorFigures | None:
    """One annotator as a run against the others."""
    others = [other for other in range(len(annotated.names)) if other != number]
    if not others:
        return None
    rest = annotated.only(others, np.flatnonzero(annotated.seen[number]).tolist())
    if not rest.pages:
        return None
    drawn = {page: annotated.truths[number][page] for page in rest.pages}
    run = run_of(annotated.names[number], drawn)
    return _figures(run, rest, {page: page for page in rest.pages}, beta, jobs, progress)


def run_of(name: str, truths: Mapping[str, Truth]) -> Run:
    """An annotator's regions as the spots of a run; those without a label are left out."""
    regions = [
        (region.label, page, region.array)
        for page, truth in truths.items()
        for region in truth.regions
        if region.label
    ]
    return Run.ordered(
        name,
        [label for label, _, _ in regions],
        [page for _, page, _ in regions],
        Outlines.of([ring for _, _, ring in regions]),
        rank=np.arange(1.0, len(regions) + 1),
    )


def pair_areas(
    first: Mapping[str, Truth], second: Mapping[str, Truth], *, progress: Progress = silent
) -> tuple[tuple[str, ...], Areas]:
    """Find what two annotators mark alike, label by label.

    Parameters
    ----------
    first, second : mapping of str to Truth
        What each has drawn, by page; the same pages.

    Returns
    -------
    labels : tuple of str
        All that one of the two uses.
    areas : Areas
        The second annotator as a run against the first. Places are counted once, as in
        `measure_annotators`.
    """
    tallied = tally(run_of("second", second), first, {page: page for page in first},
                    progress=progress)  # fmt: skip
    return tuple(tallied.queries), whole_areas(tallied)
