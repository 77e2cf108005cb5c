"""Tallies of some pages as rows of a table, by query: as much of them as figures need.

A row is a spot, a region, a pair of both that share area, or the area of a query's truth on a page.
Rows of a query stand together, so that one query of many parts is read without the others.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from spotlab.arrays import Floats, Ints
from spotlab.measures.tally import Tally

if TYPE_CHECKING:
    import pyarrow

SPOT, REGION, PAIR, PAGE = range(4)  # kinds of rows
ROW_GROUP = 4096  # rows that are read together
FLOATS = ("rank", "score", "area", "gained", "gained_true", "counted")
INTS = ("line", "spot", "region", "ignore")
COLUMNS = {  # what the rows of each kind say
    SPOT: (*FLOATS, "line"),
    REGION: ("area", "counted", "ignore"),
    PAIR: ("area", "gained", "counted", "spot", "region"),
    PAGE: ("area", "counted"),
}


@dataclass(frozen=True, eq=False)
class PartRows:
    """The rows of some queries in one part.

    Attributes
    ----------
    pages : pyarrow.StringArray
        Those that have a row; a third of what text takes in Python.
    columns : dict of int to dict of str to (N,) array
        By kind of row its `COLUMNS`, areas in px², and ``query`` and ``page``: places in the
        queries that were asked for, rising, and in ``pages``.
    ignored_rest : float
        The area in px² that is ignored for every query without rows here.
    places : (P,) int
        The places of ``pages`` among all pages of the collection.
    """

    pages: pyarrow.StringArray
    columns: dict[int, dict[str, NDArray[Any]]]
    ignored_rest: float
    places: Ints

    def queries(self) -> Ints:
        """The places of all queries that have a row."""
        return np.unique(np.concatenate([kind["query"] for kind in self.columns.values()]))


def table_of(tally: Tally, given_rank: Floats) -> pyarrow.Table:
    """The rows of a tally.

    Parameters
    ----------
    tally : Tally
        Of N spots.
    given_rank : (N,) float
        The ranks that the run gives its spots; NaN where it gives none.
    """
    import pyarrow  # noqa: PLC0415 - takes a quarter of a second

    rows = [_spot_rows(tally, given_rank), *_region_and_pair_rows(tally), _page_rows(tally)]
    names = ("query", "row", "page", *FLOATS, *INTS)
    columns = {name: np.concatenate([part[name] for part in rows]) for name in names}
    order = np.lexsort((columns["row"], columns["query"]))
    arrays = {name: values[order] for name, values in columns.items()}
    texts = {"query": tally.queries, "page": tally.pages}
    for name, known in texts.items():
        arrays[name] = pyarrow.DictionaryArray.from_arrays(
            pyarrow.array(arrays[name].astype(np.int32)), pyarrow.array(known, pyarrow.string())
        )
    return pyarrow.table(arrays)


def rows_of(
    table: pyarrow.Table, queries: Sequence[str], ignored_rest: float, places: Mapping[str, int]
) -> PartRows:
    """The rows of some queries in the table of a part.

    Parameters
    ----------
    table : pyarrow.Table
        As `table_of` makes it, or some rows of it; others are left out.
    queries : sequence of str
    ignored_rest : float
        In px²; see `PartRows`.
    places : mapping of str to int
        The place of each page of the part among all pages.
    """
    number = {name: place for place, name in enumerate(queries)}
    names = {name: table[name].combine_chunks() for name in ("query", "page")}
    known = np.array([number.get(name, -1) for name in names["query"].dictionary.to_pylist()], "i4")
    query = known[names["query"].indices.to_numpy()]
    kept = np.flatnonzero(query >= 0)
    codes, page = np.unique(names["page"].indices.to_numpy()[kept], return_inverse=True)
    row, query, page = table["row"].to_numpy()[kept], query[kept], page.astype(np.int32)

    def columns(kind: int) -> dict[str, NDArray[Any]]:
        here = np.flatnonzero(row == kind)
        given = {name: table[name].to_numpy()[kept[here]] for name in COLUMNS[kind]}
        return {**given, "query": query[here], "page": page[here]}

    pages = names["page"].dictionary.take(codes)
    places_of = np.array([places[page] for page in pages.to_pylist()], np.int64)
    return PartRows(pages, {kind: columns(kind) for kind in COLUMNS}, ignored_rest, places_of)


def _blank(count: int, row: int) -> dict[str, Any]:
    """Columns of so many rows of a kind, in which nothing is said."""
    return {
        "row": np.full(count, row, np.int8),
        **{name: np.full(count, np.nan) for name in FLOATS},
        **{name: np.zeros(count, np.int32) for name in INTS},
    }


def _spot_rows(tally: Tally, given_rank: Floats) -> dict[str, Any]:
    return _blank(len(tally), SPOT) | {
        "query": tally.query,
        "page": tally.page,
        "rank": given_rank,
        "score": tally.score,
        "area": tally.area,
        "gained": tally.gained_area,
        "gained_true": tally.gained_true_area,
        "counted": tally.counted_area,
        "line": tally.run.line[tally.spot],
    }


def _region_and_pair_rows(tally: Tally) -> tuple[dict[str, Any], dict[str, Any]]:
    """Regions of queries, and ignored ones for each query whose spots lie on them; their pairs."""
    query = tally.query[tally.pair_spot]
    wanted = tally.own
    if tally.ignored is not None:
        wanted = wanted | tally.ignored.concerns(tally.pair_region, query)
    pairs = np.flatnonzero(wanted)
    own = np.flatnonzero(tally.region_query >= 0)
    total = len(tally.region_area)
    keys = np.concatenate([tally.region_query[own] * total + own,
                           query[pairs] * total + tally.pair_region[pairs]])  # fmt: skip
    keys, place = np.unique(keys, return_inverse=True)
    of_query, region = np.divmod(keys, max(total, 1))
    first = np.searchsorted(of_query, np.arange(len(tally.queries) + 1))
    kind = np.zeros(total, np.int32) if tally.ignored is None else tally.ignored.kind
    regions = _blank(len(keys), REGION) | {
        "query": of_query,
        "page": tally.region_page[region],
        "area": tally.region_area[region],
        "counted": tally.counted_region_area[region],
        "ignore": kind[region].astype(np.int32),
    }
    shared = tally.pair_shared if tally.ignored is None else tally.ignored.pair_shared
    spot = tally.pair_spot[pairs]
    of_pairs = _blank(len(pairs), PAIR) | {
        "query": query[pairs],
        "page": tally.page[spot],
        "area": tally.pair_shared[pairs],
        "gained": tally.pair_gained_area[pairs],
        "counted": shared[pairs],
        "spot": (spot - tally.starts[query[pairs]]).astype(np.int32),
        "region": (place[len(own) :] - first[query[pairs]]).astype(np.int32),
    }
    return regions, of_pairs


def _page_rows(tally: Tally) -> dict[str, Any]:
    ignored = np.zeros_like(tally.truth_area) if tally.ignored is None else tally.ignored.area
    query, page = np.nonzero((tally.truth_area != 0) | (ignored != 0))
    return _blank(len(query), PAGE) | {
        "query": query,
        "page": page,
        "area": tally.truth_area[query, page],
        "counted": ignored[query, page],
    }
