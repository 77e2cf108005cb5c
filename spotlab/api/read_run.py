"""Runs: a system's ranked spots, read from files or tables."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from spotlab.api.arguments import (
    ResultSummary,
    Table,
    columns_of,
    data_frame,
    html_of,
    is_path,
    is_table,
    read_table,
    refuse,
    text_of,
)
from spotlab.api.job import checked, unusable
from spotlab.api.read_truth import TruthSource, read_truth
from spotlab.errors import BadInput, SpotlabError, counted
from spotlab.files import PathLike
from spotlab.formats import runs as run_files
from spotlab.formats.rows.files import make_folder_of
from spotlab.formats.runs import Naming, ReadRun, write_csv, write_parquet
from spotlab.formats.runs.format import ColumnChoice, find_roles
from spotlab.formats.runs.reading import runs_in, spelled_alike
from spotlab.model.run import Run
from spotlab.progress import Progress, silent
from spotlab.studies.tally.truth import TruthSet, check_fit, check_guesses, naming_for

if TYPE_CHECKING:
    from pandas import DataFrame

RunSource: TypeAlias = "SpottingRun | ReadRun | Run | PathLike | Table"
RunSources: TypeAlias = "RunSource | Iterable[RunSource] | Mapping[str, RunSource]"

NEEDED = ("query", "page", "points")
EXPECTED = (
    "a path, what read_run gave, a table with the columns query, page, score, points, several of "
    "these, or a mapping of names to them"
)


@dataclass(frozen=True, eq=False, repr=False)
class SpottingRun:
    """One system's ranked spots for all its queries; `read_run` makes it.

    Attributes
    ----------
    read : ReadRun
        The run, lines that are not in it, and remarks on what was read.
    """

    read: ReadRun

    @property
    def run(self) -> Run:
        """The spots in columns."""
        return self.read.run

    @property
    def name(self) -> str:
        """Return what the system is called."""
        return self.run.name

    @property
    def provenance(self) -> dict[str, str]:
        """Return what made the run, as its file says it: method, settings, date, hashes of its
        input.
        """
        return dict(self.run.provenance)

    @property
    def queries(self) -> dict[str, int]:
        """Tell how many spots each query has."""
        counts = (self.run.starts[1:] - self.run.starts[:-1]).tolist()
        return dict(zip(self.run.queries, counts, strict=True))

    @property
    def remarks(self) -> tuple[str, ...]:
        """Return what a person should know of the run, a line each.

        Bad lines that were skipped first.
        """
        return (*map(str, self.read.bad_lines), *self.read.remarks)

    def __len__(self) -> int:
        return len(self.run)

    def frame(self) -> DataFrame:
        """A row for each spot, by query and rank.

        Returns
        -------
        DataFrame
            Columns query, page, rank (from 1), score (NaN where there is none), points
            ((N, 2) float in px) and label. `read_run` and `evaluate` take it back.

        Examples
        --------
        >>> from spotlab.resources import sample_collection
        >>> run = read_run(sample_collection() / "runs" / "a_ratios.csv")
        >>> run.frame().columns.tolist()
        ['query', 'page', 'rank', 'score', 'points', 'label']
        """
        run, labels = self.run, (*self.run.labels, "")
        return data_frame(
            {
                "query": [run.queries[place] for place in run.query.tolist()],
                "page": [run.pages[place] for place in run.page.tolist()],
                "rank": run.rank,
                "score": run.score,
                "points": [run.outlines[spot] for spot in range(len(run))],
                "label": [labels[place] for place in run.label.tolist()],
            }
        )

    @checked
    def write(self, path: PathLike, *, progress: Progress = silent) -> Path:
        """Write the run so that it reads back as the same one.

        Parameters
        ----------
        path : path
            Parquet where it ends in .parquet, else CSV. Its folder is made if it is not there.
        progress : callable
            Told how far it is.

        Raises
        ------
        NotSaved
            The path cannot be written.

        Examples
        --------
        >>> import tempfile
        >>> table = {"query": ["bed"], "page": ["p"], "score": [1], "points": ["0,0 9,0 9,9"]}
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     print(read_run(table).write(Path(folder) / "run.csv").read_text())
        query,page,rank,score,points
        bed,p,1,1,"0,0 9,0 9,9"
        <BLANKLINE>
        """
        target = Path(path)
        make_folder_of(target)
        write = write_parquet if target.suffix.lower() == ".parquet" else write_csv
        write(self.run, target, progress)
        return target

    @property
    def summary(self) -> ResultSummary:
        """Tell how many spots each query has."""
        rows = tuple((query, f"{spots:,}") for query, spots in self.queries.items())
        title = f"Run {self.name!r}: {counted(len(self), 'spot')} of {counted(len(rows), 'query')}"
        return ResultSummary(title, ("query", "spots"), rows, self.remarks)

    __repr__ = text_of
    _repr_html_ = html_of


@checked
def read_run(
    source: RunSource,
    *,
    name: str | None = None,
    truth: TruthSource | None = None,
    naming: PathLike | None = None,
    columns: str = "",
    strict: bool = False,
    skip_bad_lines: bool = True,
    progress: Progress = silent,
) -> SpottingRun:
    """Read a run from a file, a folder or a table.

    Parameters
    ----------
    source : path, DataFrame or mapping
        CSV, Parquet, JSON, files of YOLO, PAGE or VOC with ``conf``, or a folder of such files. Or
        a table with a row for each spot: query, page, score or rank (from 1), points ((N, 2) float
        or "x,y x,y …", in px) or a box under the names that detectors use, and label where the
        system gives one.
    name : str, optional
        What to call the system; the file's name by default, "run" for a table.
    truth : GroundTruth or path, optional
        Its pages and labels give numbers of images and classes, and shares of pages, a meaning.
    naming : path, optional
        The COCO file, data.yaml or list of labels that names images and classes.
    columns : str, optional
        Of a table: what columns are called, as "page=image,query=name,xyxy=x1 y1 x2 y2,score=conf".
    strict : bool
        Raise an error where anything cannot be read. By default it is left out, and listed in
        `SpottingRun.remarks`.
    skip_bad_lines : bool
        Opposite of `strict`, for older scripts.
    progress : callable
        Told how far it is.

    Returns
    -------
    SpottingRun

    Raises
    ------
    BadLines
        There are bad lines, and reading is strict.
    SpotlabError
        It is no run, nothing in it can be read, or a column is missing.

    Examples
    --------
    >>> table = {"query": ["sofa", "sofa"], "page": ["plan", "plan"], "score": [0.3, 0.8],
    ...          "points": ["0,0 9,0 9,9", [(20, 20), (40, 20), (40, 30)]]}
    >>> read_run(table, name="mine")
    Run 'mine': 2 spots of 1 query
    query  spots
    sofa       2
    """
    known = TruthSet({}) if truth is None else read_truth(truth).truth_set
    ids = naming_for(known, None if naming is None else Path(naming), choice_of(columns))
    read = _read(source, "run", name, ids, progress)
    _see_that_some_is_read(read)
    strict = strict or not skip_bad_lines
    refuse((f"{_place(read)}{line}" for line in read.bad_lines), strict)
    return SpottingRun(read)


def read_runs(
    runs: RunSources,
    truth_set: TruthSet,
    *,
    naming: PathLike | None = None,
    columns: str = "",
    strict: bool = False,
    alternatives: Sequence[TruthSet] = (),
    progress: Progress = silent,
) -> list[ReadRun]:
    """Read runs that are about some truth.

    Parameters
    ----------
    runs : path, table, SpottingRun, or several of these
        A folder that is no run itself gives the runs that are files in it. A mapping gives names.
    truth_set : TruthSet
        What the runs are about.
    naming : path, optional
        The COCO file, data.yaml or list of labels that names images and classes.
    columns : str, optional
        Of tables: what columns are called.
    strict : bool
        Refuse runs with bad lines.
    alternatives : sequence of TruthSet
        A run that fits one of these is about the truth, too.
    progress : callable
        Told how far it is.

    Raises
    ------
    BadLines
        There are bad lines, and reading is strict.
    SpotlabError
        One is no run, nothing of it can be read, or nothing of it fits the truth.
    """
    ids = naming_for(truth_set, None if naming is None else Path(naming), choice_of(columns))
    found = [
        _read(source, fallback, name, ids, progress) for source, fallback, name in _sources(runs)
    ]
    bad = [f"{_place(read)}{line}" for read in found for line in read.bad_lines]
    refuse(bad, strict)
    if truth_set.spelling is not None:
        found = [spelled_alike(read, truth_set.spelling) for read in found]
    if truth_set.placed is not None:
        found = [truth_set.placed(read) for read in found]
    for read in found:
        _see_that_some_is_read(read)
        check_fit(read.run, truth_set, alternatives)
        check_guesses(read, truth_set)
    return found


def _see_that_some_is_read(read: ReadRun) -> None:
    """Refuse a run of which every line is bad."""
    if len(read.run) or not read.bad_lines:
        return
    first = read.bad_lines[0]
    if read.run.source is None:
        raise SpotlabError(f"{first}; expected at least one spot")
    more = f"; so are all {len(read.bad_lines):,} lines" if len(read.bad_lines) > 1 else ""
    raise BadInput(
        read.run.source, first.problem + more, place=first.place, expected="at least one spot"
    )


def choice_of(columns: str) -> ColumnChoice | None:
    """Read a person's words on columns; None for none.

    Parameters
    ----------
    columns : str
        Such as "page=image, score=conf".

    Raises
    ------
    BadArgument
        They are not as `ColumnChoice` expects them.
    """
    return ColumnChoice.parse(columns) if columns else None


def _sources(runs: Any) -> list[tuple[Any, str, str | None]]:
    """Each source, what to call it where nothing else does, and what to call it anyway."""
    if isinstance(runs, Mapping) and not _is_columns(runs):
        return [(source, str(name), str(name)) for name, source in runs.items()]
    single = is_path(runs) or is_table(runs) or isinstance(runs, SpottingRun | ReadRun | Run)
    if not single and not isinstance(runs, Iterable):
        raise unusable(runs, "runs", EXPECTED)
    given = [runs] if single else list(runs)
    sources = [source for each in given for source in _files(each)]
    several = len(sources) > 1
    return [(each, f"run {at}" if several else "run", None) for at, each in enumerate(sources, 1)]


def _is_columns(value: Mapping[Any, Any]) -> bool:
    """Tell whether a mapping has the columns of a run, not runs by name."""
    return is_table(value, *NEEDED) or find_roles(list(map(str, value))).box is not None


def _files(source: Any) -> list[Any]:
    """The source itself, or the runs that are files in a folder."""
    return runs_in(Path(source)) if is_path(source) else [source]


def _read(source: Any, fallback: str, name: str | None, ids: Naming, progress: Progress) -> ReadRun:
    if isinstance(source, SpottingRun):
        source = source.read
    if isinstance(source, Run):
        source = ReadRun(source)
    if isinstance(source, ReadRun):
        read = source
    elif is_path(source):
        read = run_files.read_run(Path(source), ids, progress)
    elif is_table(source):
        read = _of_table(source, name or fallback, ids, progress)
    else:
        raise unusable(source, "runs", EXPECTED)
    return read if name is None else replace(read, run=replace(read.run, name=name))


def _of_table(table: Any, name: str, ids: Naming, progress: Progress) -> ReadRun:
    what = f"the run {name!r}"
    read = read_table(
        columns_of(table, what), what, lambda path: run_files.read_run(path, ids, progress)
    )
    return replace(read, run=replace(read.run, name=name, source=None))


def _place(read: ReadRun) -> str:
    """Return what stands before the place of a bad line: the file, which the line does not name."""
    return "" if read.run.source is None else f"{read.run.source}, "
