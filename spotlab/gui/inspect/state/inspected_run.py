"""What the window knows of a run: its tally, figures and errors, made in threads, never changed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from spotlab.formats.rows.bad_lines import BadLine
from spotlab.formats.runs.reading import read_run
from spotlab.geometry.outlines import Outlines
from spotlab.measures.errors import Errors, errors_of
from spotlab.measures.figures import RunFigures, compute_figures
from spotlab.measures.settings import MeasureSettings
from spotlab.measures.tally import Tally
from spotlab.model import Primitive, Run, Truth
from spotlab.progress import Progress
from spotlab.studies.areas.off_page import NOWHERE, OffPage, spots_off_page
from spotlab.studies.areas.run_naming import misfit, naming_for
from spotlab.studies.areas.tallying import tally, tally_page
from spotlab.studies.areas.truth_files import TruthSet, match_pages


@dataclass(frozen=True, eq=False)
class InspectedRun:
    """A run that is open in the window.

    Attributes
    ----------
    name, colour : str
    shown : bool
        Whether the plots show it.
    run : Run
    bad_lines, remarks : tuple
        What reading it passed over, and said.
    pages : mapping of str to str or None
        The collection's page that a page of the run is; None where it is none with truth.
    naming : Path or None
        The annotation file that named its ids.
    misfit : str
        Why nothing of it could be judged when it was read; empty where something could.
    off_page : OffPage
        Spots that leave their page; only what lies on it counts.
    tally, figures, errors
        None while they are being computed.
    """

    name: str
    colour: str
    run: Run
    bad_lines: tuple[BadLine, ...] = ()
    remarks: tuple[str, ...] = ()
    pages: Mapping[str, str | None] = field(default_factory=dict)
    off_page: OffPage = NOWHERE
    naming: Path | None = None
    misfit: str = ""
    shown: bool = True
    tally: Tally | None = None
    figures: RunFigures | None = None
    errors: Errors | None = None

    @property
    def unknown_pages(self) -> dict[str, int]:
        """How many spots lie on each page that has no truth here; they are left out."""
        counts = np.bincount(self.run.page, minlength=len(self.run.pages))
        return {
            name: int(count)
            for name, count in zip(self.run.pages, counts, strict=True)
            if self.pages.get(name) is None
        }

    @property
    def unknown_queries(self) -> tuple[str, ...]:
        """Queries of the run that no truth region is labelled with."""
        if self.tally is None:
            return ()
        symbols = dict(zip(self.tally.queries, self.tally.symbols.sum(axis=1), strict=True))
        return tuple(name for name in self.run.queries if not symbols.get(name))

    def misses(self, page: str, region: str) -> bool:
        """Whether nothing of the run found this region of a page."""
        tally, errors = self.tally, self.errors
        if tally is None or errors is None or page not in tally.pages:
            return False
        here = np.flatnonzero(errors.missed & (tally.region_page == tally.pages.index(page)))
        return any(tally.region_id[at] == region for at in here.tolist())

    @property
    def has_problems(self) -> bool:
        """Whether not everything in the file could be used."""
        return bool(
            self.bad_lines
            or self.remarks
            or self.unknown_pages
            or self.unknown_queries
            or self.off_page.count
        )


@dataclass(frozen=True, eq=False)
class PageSpots:
    """The spots of a run on one page.

    Attributes
    ----------
    spot : (n,) int
        Their places in the tally, rising.
    outlines : Outlines
    query : (n,) int
        Places in the tally's queries.
    kept : (n,) bool
        Whether the cut keeps them.
    """

    spot: NDArray[np.int64]
    outlines: Outlines
    query: NDArray[np.int64]
    kept: NDArray[np.bool_]


def read(path: Path, colour: str, truths: TruthSet, progress: Progress) -> InspectedRun:
    """The run in a file or folder, not tallied yet.

    Raises
    ------
    BadInput
        Nothing in it can be read.
    """
    found = read_run(path, naming_for(truths), progress)
    run = found.run
    unfit = misfit(run, truths)
    return InspectedRun(
        run.name, colour, run, found.bad_lines, found.remarks,
        misfit="" if unfit is None else f"{unfit[0]}; expected {unfit[1]}",
    )  # fmt: skip


def with_ids(truths: TruthSet, annotations: Path | None) -> TruthSet:
    """The truth with the ids that an annotation file names, if there is one.

    Raises
    ------
    BadInput
        The file cannot be read or names nothing.
    """
    if annotations is None:
        return truths
    naming = naming_for(truths, annotations)
    return replace(truths, image_ids=naming.image_ids, categories=naming.categories)


def tallied(
    inspected: InspectedRun,
    truths: TruthSet,
    settings: MeasureSettings,
    primitive: Primitive | None,
    progress: Progress,
) -> InspectedRun:
    """The run with its pages tallied and all that follows from that."""
    pages = match_pages(inspected.run.pages, truths)
    of_run = tally(inspected.run, truths.truths, pages, primitive=primitive, progress=progress)
    beyond = spots_off_page(inspected.run, truths.truths, pages)
    return evaluated(replace(inspected, pages=pages, off_page=beyond, tally=of_run), settings)


def with_truth(
    inspected: InspectedRun,
    page: str,
    truth: Truth,
    settings: MeasureSettings,
    primitive: Primitive | None,
) -> InspectedRun:
    """The run where one page has another truth; no other page is looked at."""
    before = inspected.tally
    if before is None or page not in before.parts:
        return inspected
    part = tally_page(inspected.run, before.parts[page].spot, truth, page, primitive)
    return evaluated(replace(inspected, tally=before.with_page(part)), settings)


def evaluated(inspected: InspectedRun, settings: MeasureSettings) -> InspectedRun:
    """The run with its figures under these settings."""
    if inspected.tally is None:
        return inspected
    return replace(
        inspected,
        figures=compute_figures(inspected.tally, settings),
        errors=errors_of(inspected.tally, settings.iou),
    )
