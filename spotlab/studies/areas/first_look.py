"""One page of a large run, evaluated while the rest is still being read."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from spotlab.errors import SpotlabError
from spotlab.files import is_file
from spotlab.formats.runs.format import Naming
from spotlab.formats.runs.reading import read_page_of_run, run_format_of
from spotlab.model import Run, Truth
from spotlab.model.run import Column
from spotlab.progress import Progress
from spotlab.studies.areas.inspected_run import InspectedRun, Judging, RunFile, with_tally
from spotlab.studies.areas.tallying import tally
from spotlab.studies.areas.truth_files import TruthSet, match_pages

LARGE = 2**24  # bytes of a file that takes so long to read that a first look is worth while


@dataclass(frozen=True)
class FirstLook:
    """What is looked at first.

    Attributes
    ----------
    path : Path
        Of the run.
    page : str
        The page in sight.
    pages : int
        How many pages have truth.
    """

    path: Path
    page: str
    pages: int

    def take(self, truth: Truth, judging: Judging, progress: Progress) -> Look | None:
        """The page's spots, with their figures.

        Parameters
        ----------
        truth : Truth
            The page's.
        judging : Judging
        progress : Progress

        Returns
        -------
        Look or None
            None where the page cannot be read sooner than all pages, or nothing is on it.
        """
        whole: RunFile | None = None
        try:
            if run_format_of(self.path).soon_read:
                whole = RunFile.read(self.path, Naming(), progress)
            run = whole.source.run if whole else self._read(truth, progress)
        except SpotlabError:
            return None  # whoever reads all of it says why
        shown = None if run is None else self._tallied(run, truth, judging, progress)
        return Look(shown, whole) if shown or whole else None

    def _read(self, truth: Truth, progress: Progress) -> Run | None:
        return read_page_of_run(self.path, _common(self.page, truth), progress)

    def _tallied(
        self, run: Run, truth: Truth, judging: Judging, progress: Progress
    ) -> InspectedRun | None:
        truths = TruthSet({self.page: truth})
        resolved = match_pages(run.pages, truths)
        here = [at for at, name in enumerate(run.pages) if resolved[name] == self.page]
        run = _only(run, np.isin(run.page, here))
        if not len(run):
            return None
        pages = {name: resolved[name] for name in run.pages}
        counted = tally(run, truths.truths, pages, progress=progress, primitive=judging.primitive)
        inspected = InspectedRun(run.name, "", run, pages=pages, so_far=(1, self.pages))
        return with_tally(inspected, counted, truths, judging)


@dataclass(frozen=True)
class Look:
    """What was found.

    Attributes
    ----------
    run : InspectedRun or None
        What is on the page; None where nothing is.
    whole : RunFile or None
        All of the file, where that was read; it need not be read again.
    """

    run: InspectedRun | None
    whole: RunFile | None = None


def is_large(path: Path) -> bool:
    """Whether a file takes long to read; folders are not looked into."""
    try:
        return is_file(path) and path.stat().st_size >= LARGE
    except OSError:
        return False


def pages_so_far(run: InspectedRun) -> str:
    """Of how many pages a run is while the rest is being read; empty once it is of all.

    Examples
    --------
    >>> from spotlab.geometry.outlines import Outlines
    >>> from spotlab.model import Run
    >>> nothing = Run.ordered("nothing", [], [], Outlines.of([]))
    >>> pages_so_far(InspectedRun("nothing", "", nothing, so_far=(1, 20)))
    '1 of 20 pages so far'
    """
    if run.so_far is None:
        return ""
    done, total = run.so_far
    return f"{done:,} of {total:,} pages so far"


def _common(page: str, truth: Truth) -> str:
    """What every spelling of a page's name has."""
    stem = truth.page.image.stem
    return stem if stem in page else page


def _only(run: Run, kept: np.ndarray[tuple[int], np.dtype[np.bool_]]) -> Run:
    """Some spots of a run; nothing is left of queries and pages that have none."""
    labels = (*run.labels, "")
    number = np.where(run.label < 0, len(run.labels), run.label)[kept]
    return replace(
        Run.of_columns(
            run.name,
            Column(run.queries, run.query[kept]),
            Column(run.pages, run.page[kept]),
            run.outlines.take(np.flatnonzero(kept)),
            rank=run.rank[kept].astype(np.float64),
            score=run.score[kept],
            labels=Column(labels, number),
            line=run.line[kept],
            source=run.source,
            provenance=run.provenance,
        ),
        tied=run.tied[kept],
        models=run.models,
    )
