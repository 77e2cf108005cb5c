"""Tallies the pages of one part of a run against the same part of the truth, and keeps that."""

from __future__ import annotations

import hashlib
import io
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from spotlab.arrays import Floats
from spotlab.formats.collection.truth_parts import read_truth_part
from spotlab.formats.rows.part_folder import PartFolder
from spotlab.formats.runs import ReadRun
from spotlab.formats.runs.parquet_run import read_rows
from spotlab.formats.store import described, key_of, known
from spotlab.geometry.polygon import Outlines
from spotlab.lab.parts.tally_rows import ROW_GROUP, table_of
from spotlab.measures.matching import ERROR_KINDS, classify_errors
from spotlab.measures.tally import Tally
from spotlab.model.region import Primitive
from spotlab.model.run import Run
from spotlab.progress import silent
from spotlab.studies.tally.cluster import check_version
from spotlab.studies.tally.tallying import tally, without_uncertain
from spotlab.studies.tally.truth import TruthSet, match_pages

SHOWN = 20  # bad lines, and pages without truth, that are named; all are counted

QUERY = ("spots", "symbols")  # what is counted of a query before the kinds of errors


@dataclass(frozen=True)
class PartTotals:
    """Sums over some pages.

    Attributes
    ----------
    parts, reused : int
        Number of parts, and of those that were tallied earlier.
    pages, regions, spots, evaluated : int
        Numbers of pages with truth, of regions, and of spots in the run and on these pages.
    area : float
        The area of the pages in px².
    queries : mapping of str to tuple of int
        By query, or label of the truth: numbers of spots, of symbols, and of each kind of error in
        the order of `spotlab.measures.matching.KINDS`.
    left_out : int
        Number of spots on pages that have no truth in their part.
    left_out_pages : tuple of str
        The first `SHOWN` of these pages.
    bad : int
        Number of rows of the run that could not be read.
    bad_lines : tuple of str
        The first `SHOWN` of them.
    damaged : tuple of str
        The first `SHOWN` parts whose tally was damaged and was made anew.
    digest : str
        Changes with whatever the tallies were made from.
    """

    parts: int = 0
    reused: int = 0
    pages: int = 0
    regions: int = 0
    spots: int = 0
    evaluated: int = 0
    area: float = 0.0
    queries: Mapping[str, Sequence[int]] = field(default_factory=dict)
    left_out: int = 0
    left_out_pages: tuple[str, ...] = ()
    bad: int = 0
    bad_lines: tuple[str, ...] = ()
    damaged: tuple[str, ...] = ()
    digest: str = ""

    def as_dict(self) -> dict[str, Any]:
        """All of it, for JSON."""
        return asdict(self)


def sum_totals(totals: Sequence[PartTotals]) -> PartTotals:
    """The totals of all these pages, in this order.

    Parameters
    ----------
    totals : sequence of PartTotals

    Examples
    --------
    >>> both = sum_totals([PartTotals(pages=1, queries={"bed": (2, 1)}), PartTotals(pages=2)])
    >>> both.pages, both.queries["bed"]
    (3, (2, 1))
    """
    queries: dict[str, tuple[int, ...]] = {}
    for each in totals:
        for name, counts in each.queries.items():
            known = queries.get(name, (0,) * len(counts))
            queries[name] = tuple(a + b for a, b in zip(known, counts, strict=True))
    pages = dict.fromkeys(page for each in totals for page in each.left_out_pages)
    return PartTotals(
        parts=sum(each.parts for each in totals),
        reused=sum(each.reused for each in totals),
        pages=sum(each.pages for each in totals),
        regions=sum(each.regions for each in totals),
        spots=sum(each.spots for each in totals),
        evaluated=sum(each.evaluated for each in totals),
        area=sum(each.area for each in totals),
        queries=dict(sorted(queries.items())),
        left_out=sum(each.left_out for each in totals),
        left_out_pages=tuple(pages)[:SHOWN],
        bad=sum(each.bad for each in totals),
        bad_lines=tuple(line for each in totals for line in each.bad_lines)[:SHOWN],
        damaged=tuple(name for each in totals for name in each.damaged)[:SHOWN],
        digest=hashlib.sha256("\0".join(each.digest for each in totals).encode()).hexdigest(),
    )


def totals_of(values: Mapping[str, Any], **changed: Any) -> PartTotals:
    """The totals that `PartTotals.as_dict` gave, read from JSON."""
    given = dict(values) | changed
    for name in ("left_out_pages", "bad_lines", "damaged"):
        given[name] = tuple(given[name])
    given["queries"] = {name: tuple(counts) for name, counts in given["queries"].items()}
    return PartTotals(**given)


@dataclass(frozen=True)
class PartsJob:
    """Locations of the parts of a run, and settings for tallying them.

    Attributes
    ----------
    name : str
        The run's.
    truth, run : PartFolder
        Parts of the same name are about the same pages.
    tallies : PartFolder
        Keeps what has been tallied.
    primitive : Primitive or None
        See `spotlab.studies.tally.tallying.tally`.
    ignore_uncertain : bool
        Whether regions marked as uncertain are ignored.
    iou : float
        From which a spot is right, for kinds of errors.
    version : str
        That of `tally_version`, which every worker has to have.
    """

    name: str
    truth: PartFolder
    run: PartFolder
    tallies: PartFolder
    primitive: Primitive | None = None
    ignore_uncertain: bool = False
    iou: float = 0.5
    version: str = ""


def tally_part(name: str, job: PartsJob) -> PartTotals:
    """Tally a part, unless that is kept already.

    Parameters
    ----------
    name : str
        The part's.
    job : PartsJob

    Raises
    ------
    SpotlabError
        This process is of another version.
    BadInput
        The truth cannot be read.
    NotSaved
        The tally cannot be kept.
    """
    check_version(job.version)
    truth = job.truth.read(name)
    run = job.run.read(name) if name in _names_of(job.run) else b""
    digests = (hashlib.sha256(content).hexdigest() for content in (truth, run))
    settings = (str(job.primitive), str(job.ignore_uncertain), str(job.iou))
    key = key_of(job.version, *digests, *settings)
    kept = known(job.tallies, name, key, whole=True)
    if kept.about is not None:
        return totals_of(kept.about["totals"], reused=1)
    made = _made(name, job, truth, run, key)
    return replace(made, damaged=(name,)) if kept.damaged else made


@lru_cache(maxsize=4)
def _names_of(folder: PartFolder) -> frozenset[str]:
    return frozenset(folder.names())


def _made(name: str, job: PartsJob, truth: bytes, run: bytes, key: str) -> PartTotals:
    import pyarrow  # noqa: PLC0415 - takes a quarter of a second
    import pyarrow.parquet  # noqa: PLC0415

    truths = read_truth_part(truth, (job.truth / name).place)
    truth_set = TruthSet({each.page.name: each for each in truths})
    if job.ignore_uncertain:
        truth_set = without_uncertain(truth_set)
    read, given_rank = _read_run(run, job, name)
    of_run = match_pages(read.run.pages, truth_set)
    tallied = tally(read.run, truth_set.truths, of_run, primitive=job.primitive)
    totals = _totals(job, read, tallied, of_run, key)
    ignored = [part.ignored for part in tallied.parts.values()]
    about = {
        "totals": totals.as_dict(),
        "pages": tallied.pages,
        "ignored_rest": sum(each.area[""] for each in ignored if each is not None),
    }
    table = table_of(tallied, given_rank[tallied.spot])
    content = io.BytesIO()
    pyarrow.parquet.write_table(
        table.cast(described(table.schema, key, about)),
        content, row_group_size=ROW_GROUP, compression="zstd", write_page_checksum=True,
        use_dictionary=["query", "page", "row"], write_statistics=["query"],
    )  # fmt: skip
    job.tallies.write(name, content.getvalue())
    return totals


def _read_run(content: bytes, job: PartsJob, name: str) -> tuple[ReadRun, Floats]:
    """The part of the run, and the rank that each of its spots is given; NaN for none."""
    import pyarrow  # noqa: PLC0415 - takes a quarter of a second
    import pyarrow.parquet  # noqa: PLC0415

    if not content:
        return ReadRun(Run.ordered(job.name, [], [], Outlines.of([]))), np.empty(0)
    place = Path(f"{job.run.name}/{name}")
    read = read_rows(pyarrow.BufferReader(content), place, silent)
    schema = pyarrow.parquet.read_schema(pyarrow.BufferReader(content))
    column = next((each for each in schema.names if each.strip().casefold() == "rank"), None)
    if column is None:
        return read, np.full(len(read.run), np.nan)
    table = pyarrow.parquet.read_table(pyarrow.BufferReader(content), columns=[column])
    ranks = table[column].cast(pyarrow.float64()).to_numpy()
    return read, np.asarray(ranks, np.float64)[read.run.line - 1]


def _totals(
    job: PartsJob, read: ReadRun, tallied: Tally, of_run: dict[str, str | None], key: str
) -> PartTotals:
    run = read.run
    errors = classify_errors(tallied, job.iou)
    spots, symbols = np.diff(tallied.starts), tallied.symbols.sum(axis=1)
    counts = np.stack([spots, symbols, *(errors.count(kind) for kind in ERROR_KINDS)]).T
    there: list[bool] = (counts.sum(axis=1) > 0).tolist()
    searched = set(run.queries)
    on_page = np.bincount(run.page, minlength=len(run.pages))
    unknown = [place for place, page in enumerate(run.pages) if of_run[page] is None]
    return PartTotals(
        parts=1,
        pages=len(tallied.pages),
        regions=len(tallied.region_area),
        spots=len(run),
        evaluated=len(tallied),
        area=float(tallied.page_area.sum()),
        queries={
            query: tuple(of_query)
            for query, of_query, is_there in zip(
                tallied.queries, counts.tolist(), there, strict=True
            )
            if is_there or query in searched
        },
        left_out=int(on_page[unknown].sum()),
        left_out_pages=tuple(run.pages[place] for place in unknown[:SHOWN]),
        bad=len(read.bad_lines),
        bad_lines=tuple(f"{job.run.name}: {bad}" for bad in read.bad_lines[:SHOWN]),
        digest=key,
    )
