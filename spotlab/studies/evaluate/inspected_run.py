"""An open run with its tally, figures and errors: read, tallied, edited, and read again.

A new reading of its file replaces the old one only if it is whole. Of a large run, one page is
evaluated while the rest is still being read.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path

import numpy as np

from spotlab.arrays import Ints
from spotlab.errors import SpotlabError
from spotlab.files import is_file
from spotlab.formats.rows.csv_rows import BadLine
from spotlab.formats.runs.format import ColumnChoice, Naming, ReadRun
from spotlab.formats.runs.reading import read_page_of_run, read_run, run_format_of
from spotlab.formats.runs.side_files import FileState, ends_within_a_line, file_state, size_of
from spotlab.measures.confusion import taken_for
from spotlab.measures.figures import RunFigures, compute_figures
from spotlab.measures.matching import ERROR_KINDS, ErrorPlace, Errors
from spotlab.measures.measure import MeasureSettings
from spotlab.measures.tally import Tally, tally_of_pages
from spotlab.model import Primitive, QueryModel, Run, Truth
from spotlab.model.run import NameColumn
from spotlab.progress import Progress
from spotlab.representation import short_repr
from spotlab.studies.compare.readings import RunChanges, compare_readings
from spotlab.studies.tally.outlines import NOWHERE, OffPage, spots_off_page
from spotlab.studies.tally.tallying import models_by_page, tally, tally_page, tally_without_models
from spotlab.studies.tally.truth import (
    TruthSet,
    check_guesses,
    match_pages,
    misfit,
    naming_for,
    pages_of_truths,
)

MANY = 5_000  # spots whose errors are not found while the window waits
WORTH_THREADS = 20_000  # spots that several threads tally sooner than one


@dataclass(frozen=True)
class Judging:
    """Settings of how runs are judged, and on which pages.

    Attributes
    ----------
    settings : MeasureSettings
    primitive : Primitive or None
        What regions and spots are converted to before they are compared; None: nothing.
    pages : frozenset of str or None
        The pages that figures are of; None for all.
    """

    settings: MeasureSettings = field(default_factory=MeasureSettings)
    primitive: Primitive | None = None
    pages: frozenset[str] | None = None


@dataclass(frozen=True, eq=False)
class InspectedRun:
    """A run that is looked at beside others, before or after it is evaluated.

    Attributes
    ----------
    name, colour : str
    dash : tuple of float
        Of its curves: lengths drawn and left out in turn, in line widths; empty for solid curves.
    shown : bool
        Whether the plots show it.
    run : Run
    bad_lines, remarks : tuple
        Lines that could not be read, and what reading remarked on.
    pages : mapping of str to str or None
        The page with truth that each of the run's pages is; None where there is none.
    naming : Path or None
        The annotation file that names its ids.
    columns : ColumnChoice or None
        Columns of a table as a person named them.
    misfit : str
        Why nothing of it could be evaluated when it was read; empty where something could.
    off_page : OffPage
        Spots that reach beyond their page; only what lies on it counts.
    file_state : FileState
        Of its file when it was read; empty where there is none.
    changes : tuple of RunChanges
        What each later reading of its file changed, the last one at the end.
    whole : Tally or None
        Of all pages with truth; None until it is computed.
    tally, figures
        Of the pages that figures are of; None until they are computed.
    models : mapping of str to tuple of QueryModel
        What its queries were taken from, by page with truth; these regions are ignored.
    counted : Tally or None
        Of all pages, with the models counted; None where there are none.
    so_far : (int, int) or None
        While a large run is being read, of how many pages this is, and of how many there are; None
        once it is of all.
    """

    name: str
    colour: str
    run: Run
    bad_lines: tuple[BadLine, ...] = ()
    remarks: tuple[str, ...] = ()
    pages: Mapping[str, str | None] = field(default_factory=dict)
    off_page: OffPage = NOWHERE
    naming: Path | None = None
    columns: ColumnChoice | None = None
    misfit: str = ""
    shown: bool = True
    whole: Tally | None = None
    dash: tuple[float, ...] = ()
    file_state: FileState = ()
    changes: tuple[RunChanges, ...] = ()
    tally: Tally | None = None
    figures: RunFigures | None = None
    models: Mapping[str, tuple[QueryModel, ...]] = field(default_factory=dict)
    counted: Tally | None = None
    so_far: tuple[int, int] | None = None

    __repr__ = short_repr

    @property
    def errors(self) -> Errors | None:
        """The errors of the pages that figures are of; None until these are computed."""
        return None if self.figures is None else self.figures.lists.errors

    @cached_property
    def with_models(self) -> RunFigures | None:
        """The figures that count the models and the spots on them; None where there are none."""
        if self.counted is None or self.figures is None:
            return None
        pages = self.figures.tally.pages
        return compute_figures(tally_of_pages(self.counted, pages), self.figures.settings)

    @cached_property
    def unknown_pages(self) -> dict[str, int]:
        """Number of spots on each page without truth; they are left out."""
        return {
            name: count
            for name, count in zip(self.run.pages, self.run.page_counts, strict=True)
            if self.pages.get(name) is None
        }

    @cached_property
    def unknown_queries(self) -> tuple[str, ...]:
        """Queries of the run that are the label of no truth region; none before all is read."""
        if self.tally is None or self.so_far is not None:
            return ()
        symbols = dict(zip(self.tally.queries, self.tally.symbols.sum(axis=1), strict=True))
        return tuple(name for name in self.run.queries if not symbols.get(name))

    def misses(self, page: str, region: str) -> bool:
        """Tell whether the run misses this region of a page."""
        tally, errors = self.tally, self.errors
        if tally is None or errors is None or page not in tally.pages:
            return False
        here = np.flatnonzero(errors.missed & (tally.region_page == tally.pages.index(page)))
        return any(tally.region_id[at] == region for at in here.tolist())

    @property
    def has_problems(self) -> bool:
        """True if some of the file could not be used."""
        return bool(
            self.bad_lines
            or self.remarks
            or self.unknown_pages
            or self.unknown_queries
            or self.off_page.count
        )

    def page_of(self, place: ErrorPlace) -> str:
        """The page that an error is on; empty where nothing is tallied."""
        if self.tally is None:
            return ""
        if place.spot is not None:
            return self.tally.pages[int(self.tally.page[place.spot])]
        return self.tally.pages[int(self.tally.region_page[place.region or 0])]

    def describe(self, spot: int) -> str:
        """A spot in a few words: query, rank, score, overlap, kind of error."""
        tally, errors = self.tally, self.errors
        if tally is None or errors is None:
            return ""
        words = [tally.queries[tally.query[spot]], f"rank {int(tally.rank[spot]):,}"]
        if not np.isnan(tally.score[spot]):
            words.append(f"score {tally.score[spot]:.3g}")
        if errors.iou[spot] > 0:
            words.append(f"IoU {errors.iou[spot]:.2f}")
        other = taken_for(errors, spot)
        kind = ERROR_KINDS[errors.kind[spot]].words
        return " · ".join([*words, f"{kind}, on {other}" if other else kind])


@dataclass(frozen=True)
class RunFile:
    """All of a run's file or folder, and its state before it was read."""

    source: ReadRun
    state: FileState  # what is written meanwhile is a change

    @classmethod
    def read(cls, path: Path, naming: Naming, progress: Progress) -> RunFile:
        """Read it.

        Raises
        ------
        BadInput
            Nothing in it can be read.
        """
        state = file_state(path)
        return cls(read_run(path, naming, progress), state)

    def inspected(self, truths: TruthSet) -> InspectedRun:
        """The run, not tallied yet and without a colour."""
        source, unfit = self.source, misfit(self.source.run, truths)
        return InspectedRun(
            source.run.name, "", source.run, source.bad_lines, source.remarks,
            misfit="" if unfit is None else f"{unfit[0]}; expected {unfit[1]}",
            file_state=self.state,
        )  # fmt: skip


def read_inspected_run(
    path: Path, truths: TruthSet, progress: Progress, columns: ColumnChoice | None = None
) -> InspectedRun:
    """The run in a file or folder, not tallied yet and without a colour.

    Raises
    ------
    BadInput
        Nothing in it can be read, or the truth contradicts what was guessed.
    """
    file = RunFile.read(path, naming_for(truths, columns=columns), progress)
    check_guesses(file.source, truths)
    return replace(file.inspected(truths), columns=columns)


def with_annotation_ids(truths: TruthSet, annotations: Path | None) -> TruthSet:
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


def tally_inspected_run(
    inspected: InspectedRun, truths: TruthSet, judging: Judging, progress: Progress
) -> InspectedRun:
    """The run with its pages tallied, its figures and its errors."""
    run, pages = inspected.run, match_pages(inspected.run.pages, truths)
    jobs = 0 if len(run) >= WORTH_THREADS else 1
    of_run = tally(
        run, truths.truths, pages, primitive=judging.primitive, jobs=jobs, progress=progress
    )
    beyond = spots_off_page(run, pages_of_truths(truths.truths), pages)
    return with_tally(replace(inspected, pages=pages, off_page=beyond), of_run, truths, judging)


def with_tally(
    inspected: InspectedRun, counted: Tally, truths: TruthSet, judging: Judging
) -> InspectedRun:
    """The run with its figures and errors, its models left out.

    Parameters
    ----------
    inspected : InspectedRun
    counted : Tally
        Of all pages, with the models counted.
    truths, judging
        See `tally_inspected_run`.
    """
    named = match_pages([model.page for model in inspected.run.models], truths)
    models = models_by_page(inspected.run, named)
    whole = tally_without_models(counted, truths.truths, models, judging.primitive)
    known = replace(inspected, whole=whole, models=models, counted=counted if models else None)
    return evaluate_inspected_run(known, judging)


def evaluate_inspected_run(inspected: InspectedRun, judging: Judging) -> InspectedRun:
    """The run with its figures, judged like this."""
    whole, pages, settings = inspected.whole, judging.pages, judging.settings
    if whole is None:
        return inspected
    everything = pages is None or pages.issuperset(whole.pages)
    looked_at = whole if everything or pages is None else tally_of_pages(whole, pages)
    figures = compute_figures(looked_at, settings)
    _ = figures.correct  # the figures at a cut need it, and a cut has to move at once
    if len(looked_at) > MANY:
        _ = figures.lists.errors
    return replace(inspected, tally=looked_at, figures=figures)


def retally_page(
    inspected: Sequence[InspectedRun], page: str, truth: Truth, judging: Judging
) -> list[InspectedRun]:
    """Tally a page of several runs again, after its truth was edited.

    Parameters
    ----------
    inspected : sequence of InspectedRun
    page : str
    truth : Truth
        The page's, as it is now.
    judging : Judging

    Returns
    -------
    list of InspectedRun
        A run that has not been tallied, or not on this page, stays as it is.
    """
    return [_with_page(run, page, truth, judging) for run in inspected]


def _with_page(run: InspectedRun, page: str, truth: Truth, judging: Judging) -> InspectedRun:
    """The run with one page tallied again; the other pages' parts stay."""
    if run.whole is None or page not in run.whole.parts:
        return run
    part = tally_page(run.run, run.whole.parts[page].spot, truth, page, judging.primitive)
    models = {page: run.models[page]} if page in run.models else {}
    whole = run.whole.with_page(part)
    changed = replace(
        run,
        whole=tally_without_models(whole, {page: truth}, models, judging.primitive),
        counted=None if run.counted is None else run.counted.with_page(part),
    )
    return evaluate_inspected_run(changed, judging)


LARGE = 2**24  # bytes of a file that takes so long to read that a first look is worth while


@dataclass(frozen=True)
class FirstLook:
    """The page of a large run that is evaluated first.

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

    def take(self, truth: Truth, judging: Judging, progress: Progress) -> FirstPage | None:
        """The page's spots, with their figures.

        Parameters
        ----------
        truth : Truth
            The page's.
        judging : Judging
        progress : Progress

        Returns
        -------
        FirstPage or None
            None where the page cannot be read sooner than all pages, or nothing is on it.
        """
        whole: RunFile | None = None
        try:
            if run_format_of(self.path).soon_read:
                whole = RunFile.read(self.path, Naming(), progress)
                if all(query.isdecimal() for query in whole.source.run.queries):
                    return None  # numbers of classes, which all of the truth gives a meaning
            run = whole.source.run if whole else self._read(truth, progress)
        except SpotlabError:
            return None  # whoever reads all of it says why
        shown = None if run is None else self._tallied(run, truth, judging, progress)
        return FirstPage(shown, whole) if shown or whole else None

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
class FirstPage:
    """The first page of a run, evaluated.

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
    """Tell whether a file takes long to read; folders are not looked into."""
    try:
        return is_file(path) and path.stat().st_size >= LARGE
    except OSError:
        return False


def pages_so_far(run: InspectedRun) -> str:
    """Of how many pages a run is while the rest is being read; empty once it is of all.

    Examples
    --------
    >>> from spotlab.geometry.polygon import Outlines
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
    """The part that every spelling of a page's name has."""
    stem = truth.page.image.stem
    return stem if stem in page else page


def _only(run: Run, kept: np.ndarray[tuple[int], np.dtype[np.bool_]]) -> Run:
    """Some spots of a run; nothing is left of queries and pages that have none."""
    labels = (*run.labels, "")
    number = np.where(run.label < 0, len(run.labels), run.label)[kept]
    return replace(
        Run.of_columns(
            run.name,
            NameColumn(run.queries, run.query[kept]),
            NameColumn(run.pages, run.page[kept]),
            run.outlines.take(np.flatnonzero(kept)),
            rank=run.rank[kept].astype(np.float64),
            score=run.score[kept],
            labels=NameColumn(labels, number),
            line=run.line[kept],
            source=run.source,
            provenance=run.provenance,
        ),
        tied=run.tied[kept],
        models=run.models,
    )


MUCH_SHORTER = 0.9  # of the earlier size, below which a file may be half written


@dataclass(frozen=True, eq=False)
class RunReading:
    """The result of reading a run again.

    Attributes
    ----------
    before : InspectedRun
    after : InspectedRun or None
        None where the file cannot be used; the run stays as it is then.
    state : FileState
        Of the file that was read.
    problem : str
        Why it cannot be used.
    places : (N,) int or None
        Where each of the N spots of the earlier run is now; -1 where it is gone.
    """

    before: InspectedRun
    after: InspectedRun | None
    state: FileState
    problem: str = ""
    places: Ints | None = None


def reread_run(
    before: InspectedRun,
    truths: TruthSet,
    judging: Judging,
    progress: Progress,
    *,
    patient: bool = False,
) -> RunReading:
    """Read and tally a run again.

    Parameters
    ----------
    before : InspectedRun
        Tallied against the same truth.
    truths, judging
        See `tally_inspected_run`.
    patient : bool
        Whether the file has been left alone for so long that nobody is writing it any more. Else a
        file that is much shorter than before, or has bad lines where there were none, is not used.
        A file that was moved into its place is another one, which is whole.
    progress : Progress
        Told of each page.
    """
    path = before.run.source
    if path is None:
        return RunReading(before, None, (), "it has no file")
    state = file_state(path)
    try:
        named = with_annotation_ids(truths, before.naming)
        run = read_inspected_run(path, named, progress, before.columns)
    except SpotlabError as error:
        return RunReading(before, None, state, getattr(error, "problem", "") or str(error))
    if file_state(path) != state:
        return RunReading(before, None, state, "it is being written")
    problem = _doubt(before, run, patient)
    if problem:
        return RunReading(before, None, state, problem)
    run = replace(
        run, name=before.name, colour=before.colour, dash=before.dash, shown=before.shown,
        naming=before.naming, changes=before.changes,
    )  # fmt: skip
    after = tally_inspected_run(run, truths, judging, progress)
    changes, places = compare_readings(before.run, before.figures, after.run, after.figures)
    if changes.whole.words or changes.queries:
        after = replace(after, changes=(*before.changes, changes))
    return RunReading(before, after, state, places=places)


def _doubt(before: InspectedRun, run: InspectedRun, patient: bool) -> str:
    """Explain why a reading may be of a file that is half written; empty where it is not."""
    path = run.run.source
    if run.bad_lines and path is not None and ends_within_a_line(path):
        return "it ends in the middle of a line"
    if patient:
        return ""
    if run.bad_lines and not before.bad_lines:
        return str(run.bad_lines[0])
    replaced = run.file_state[0][3] != before.file_state[0][3] if before.file_state else False
    if not replaced and size_of(run.file_state) < MUCH_SHORTER * size_of(before.file_state):
        return "it is much shorter than before"
    return ""
