"""The figures of some queries, whose lists are put together from the tallies of all parts."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from spotlab.arrays import Floats, Ints
from spotlab.errors import SpotlabError
from spotlab.formats.rows.part_folder import PartFolder
from spotlab.formats.store import about, described, key_of, known
from spotlab.lab.parts.part_tally import PartTotals
from spotlab.lab.parts.tally_rows import PartRows, rows_of, tally_of
from spotlab.measures.figures import (
    RunFigures,
    compute_figures,
    defined_queries,
    means_over_queries,
)
from spotlab.measures.measure import (
    SUMMED,
    MeasureSettings,
    Sums,
    SumsFormula,
    known_measures,
    pooled_sums,
)
from spotlab.processes import release_memory
from spotlab.representation import short_repr
from spotlab.studies.tally.cluster import check_version

if TYPE_CHECKING:
    import pyarrow


AT_ONCE = 10_000  # rows that are written together
SHARES = ("precision", "recall", "fall_out", "f")
COUNTS = ("recognised", "false_positives")


@dataclass(frozen=True, eq=False)
class CurveRows:
    """Curve rows to be written for N spots, by query and rank.

    Attributes
    ----------
    queries : tuple of str
    pages : pyarrow.StringArray
    columns : dict of str to (N,) array
        ``query`` and ``page`` are places in these; ``rank``, ``score``, `SHARES` and `COUNTS`.
    """

    queries: tuple[str, ...]
    pages: pyarrow.StringArray
    columns: Mapping[str, NDArray[Any]]

    @classmethod
    def of(cls, figures: RunFigures, pages: pyarrow.StringArray) -> CurveRows:
        """Those of figures, whose other columns are not held.

        Parameters
        ----------
        figures : RunFigures
        pages : pyarrow.StringArray
            The names of the tally's pages on which spots are.
        """
        tally = figures.tally
        columns = {name: getattr(tally, name) for name in ("query", "rank", "score", "page")}
        columns |= {name: getattr(figures, name) for name in (*SHARES, *COUNTS)}
        columns |= {name: columns[name].astype(np.int32) for name in ("query", "page")}
        return cls(tally.queries, pages, columns)

    def content(self, key: str, said: Mapping[str, Any]) -> memoryview:
        """The content of a Parquet file; rows are made some at a time.

        Parameters
        ----------
        key : str
            As of `described`.
        said : mapping
            What the file says of itself.

        Returns
        -------
        memoryview
        """
        import pyarrow  # noqa: PLC0415 - takes a quarter of a second
        import pyarrow.parquet  # noqa: PLC0415

        content = pyarrow.BufferOutputStream()
        schema = described(self._table(slice(0, 0)).schema, key, said)
        with pyarrow.parquet.ParquetWriter(
            content,
            schema,
            compression="zstd",
            use_dictionary=["query", "page"],  # numbers differ: dictionaries of them take 30 MB
        ) as file:
            for start in range(0, max(len(self.columns["query"]), 1), AT_ONCE):
                file.write_table(self._table(slice(start, start + AT_ONCE)).cast(schema))
        return memoryview(content.getvalue())  # not copied

    def _table(self, some: slice) -> Any:
        import pyarrow  # noqa: PLC0415 - takes a quarter of a second

        rows = {name: column[some] for name, column in self.columns.items()}

        def known(name: str) -> Any:
            return pyarrow.array(rows[name], mask=np.isnan(rows[name]))

        return pyarrow.table(
            {
                "query": pyarrow.DictionaryArray.from_arrays(
                    pyarrow.array(rows["query"].astype(np.int32)),
                    pyarrow.array(self.queries, pyarrow.string()),
                ),
                "rank": rows["rank"],
                "score": known("score"),
                "page": self.pages.take(pyarrow.array(rows["page"])),
                **{name: known(name) for name in SHARES},
                **{name: rows[name] for name in COUNTS},
            }
        )


SPOTS = 100_000  # of the queries of one group together, unless one query alone has more
CELLS = 4_000_000  # queries times pages of a group


@dataclass(frozen=True)
class QueryGroup:
    """Some queries in alphabetical order.

    Attributes
    ----------
    name : str
        Of the file of their curves.
    queries : tuple of str
    """

    name: str
    queries: tuple[str, ...]


@dataclass(frozen=True)
class FiguresJob:
    """Locations of the tallies of all parts, and settings for computing figures.

    Attributes
    ----------
    name : str
        The run's.
    parts : tuple of str
        The names of all parts.
    tallies, curves : PartFolder
        The folders of tallies and of curves.
    settings : MeasureSettings
    area : float
        The area of all pages in px².
    digest, version : str
        Of all tallies, and of what computes figures.
    """

    name: str
    parts: tuple[str, ...]
    tallies: PartFolder
    curves: PartFolder
    settings: MeasureSettings
    area: float
    digest: str
    version: str


def groups_of(totals: PartTotals) -> list[QueryGroup]:
    """The queries of a run in groups whose size does not depend on the number of pages.

    Parameters
    ----------
    totals : PartTotals
    """
    cells = max(CELLS // max(totals.pages, 1), 1)
    found: list[list[str]] = []
    spots = 0
    for query, counts in totals.queries.items():
        if not query:
            continue
        spots += counts[0]
        if not found or spots > SPOTS or len(found[-1]) >= cells:
            found.append([])
            spots = counts[0]
        found[-1].append(query)
    return [QueryGroup(f"part-{place:05}.parquet", tuple(each)) for place, each in enumerate(found)]


def figures_of_group(group: QueryGroup, job: FiguresJob) -> dict[str, Any]:
    """Compute the figures of a group, and keep its curves, unless that is done already.

    Parameters
    ----------
    group : QueryGroup
    job : FiguresJob

    Returns
    -------
    dict
        ``in_truth``, ``columns`` and ``sums`` by name, and ``tied``: lists of Q values.

    Raises
    ------
    SpotlabError
        This process is of another version, a tally is damaged, or a query has no order.
    NotSaved
        The curves cannot be kept.
    """
    check_version(job.version)
    key = key_of(job.version, job.digest, repr(job.settings), *group.queries)
    kept = known(job.curves, group.name, key).about
    if kept is not None:
        figures_of: dict[str, Any] = kept["figures"]
        return figures_of
    release_memory()  # that of tallying, or of the last group
    figures, pages, _ = ranked(group, job)
    release_memory()  # that of the way to them
    values = {
        "in_truth": figures.in_truth.tolist(),
        "columns": {name: column.tolist() for name, column in figures.columns.items()},
        "sums": {
            name: np.broadcast_to(getattr(figures.sums, name), figures.in_truth.shape).tolist()
            for name in SUMMED
        },
    }
    rows = CurveRows.of(figures, pages)
    del figures
    release_memory()  # that of what curves do not need
    job.curves.write(group.name, rows.content(key, {"figures": values}))
    return values


def ranked(group: QueryGroup, job: FiguresJob) -> tuple[RunFigures, pyarrow.StringArray, Ints]:
    """Put the lists of a group together, and compute what is known of each spot.

    Parameters
    ----------
    group : QueryGroup
    job : FiguresJob

    Returns
    -------
    figures : RunFigures
    page_names : pyarrow.StringArray
        Of the P pages on which there is something; one more stands for all others together.
    page_places : (P,) int
        Their places among all pages.

    Raises
    ------
    SpotlabError
        A tally is damaged, or a query has no order.
    """
    rows, before = [], 0
    for name in job.parts:
        part, count = _rows(job.tallies, name, group, before)
        before += count
        if part is not None:
            rows.append(part)
    tallied, names, places = tally_of(job.name, group.queries, rows, job.area)
    del rows
    release_memory()  # that of the rows of each part, between which nothing large has room
    return compute_figures(tallied, job.settings), names, places


def _rows(
    folder: PartFolder, name: str, group: QueryGroup, before: int
) -> tuple[PartRows | None, int]:
    """The rows of the group in a part, None where nothing there concerns it; the part's pages."""
    import pyarrow  # noqa: PLC0415 - takes a quarter of a second
    import pyarrow.parquet  # noqa: PLC0415

    first, last = group.queries[0], group.queries[-1]
    try:
        with pyarrow.parquet.ParquetFile(
            folder.open(name), page_checksum_verification=True, read_dictionary=["query", "page"]
        ) as file:
            said = about(file)
            wanted = list(_row_groups(file, first, last))
            rest, pages = float(said["ignored_rest"]), list(said["pages"])
            if not wanted and not rest:
                return None, len(pages)
            places = {page: before + place for place, page in enumerate(pages)}
            rows = rows_of(file.read_row_groups(wanted), group.queries, rest, places)
            return rows, len(pages)
    except (pyarrow.ArrowException, OSError, ValueError, TypeError, KeyError) as error:
        place = (folder / name).place
        raise SpotlabError(
            f"{place} is gone or damaged; delete it and try again: only this part is tallied again"
        ) from error


def _row_groups(file: Any, first: str, last: str) -> Iterator[int]:
    """The row groups that may have queries from the first to the last."""
    column = file.schema_arrow.names.index("query")
    for number in range(file.metadata.num_row_groups):
        found = file.metadata.row_group(number).column(column).statistics
        known = found is not None and found.has_min_max
        if not known or (found.min <= last and found.max >= first):
            yield number


def joined_sums(groups: Sequence[Mapping[str, Any]], settings: MeasureSettings) -> Sums:
    """The sums of all groups, (Q,) each.

    Parameters
    ----------
    groups : sequence of mapping
        What `figures_of_group` gave, in order.
    settings : MeasureSettings
    """
    values = {
        name: np.array([value for each in groups for value in each["sums"][name]], np.float64)
        for name in SUMMED
    }
    return Sums(settings=settings, **values)


@dataclass(frozen=True, eq=False)
class GatheredFigures:
    """The figures of Q queries; what `spotlab.measures.figures.RunFigures` says of whole lists.

    Attributes
    ----------
    queries : tuple of str
    in_truth : (Q,) bool
        Whether the truth has a region of a query; means and sums go over these.
    columns : mapping of str to (Q,) float
        Each figure by its name, in its unit; NaN where undefined.
    sums : Sums
        (Q,) areas in px² and counts of each query's whole list.
    """

    queries: tuple[str, ...]
    in_truth: NDArray[np.bool_]
    columns: Mapping[str, Floats]
    sums: Sums

    __repr__ = short_repr

    @cached_property
    def mean(self) -> dict[str, float | None]:
        """Each figure's mean over the truth's queries for which it is defined; else None.

        Means are in the unit of the figure, such as a share or px².
        """
        return means_over_queries(self.columns, self.in_truth)

    @cached_property
    def defined(self) -> dict[str, int]:
        """For how many of the truth's queries each figure is defined, by name."""
        return defined_queries(self.columns, self.in_truth)

    @cached_property
    def pooled(self) -> dict[str, float | None]:
        """Each figure of the truth's queries' areas and symbols together, by name.

        In the unit of the figure, such as a share or px²; None if it is undefined, or depends on
        the order of spots.
        """
        together = pooled_sums(self.sums, self.in_truth)
        pooled: dict[str, float | None] = {}
        for measure in known_measures():
            value, formula = math.nan, measure.formula
            if isinstance(formula, SumsFormula):
                value = float(measure.values(partial(formula.compute, together), ()))
            pooled[measure.name] = None if math.isnan(value) else value
        return pooled
