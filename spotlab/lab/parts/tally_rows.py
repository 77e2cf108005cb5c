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
from spotlab.errors import SpotlabError
from spotlab.geometry.polygon import Outlines
from spotlab.measures.tally import ALL, NONE, IgnoredArea, Tally
from spotlab.model.run import Run

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


class _JoinedRows:
    """The rows of all parts one after the other; a column is let go of once it was taken.

    Parameters
    ----------
    parts : sequence of PartRows
        Which are empty in the end, so that the rows are never there twice.
    """

    def __init__(self, parts: Sequence[PartRows]) -> None:
        self._parts = parts
        sizes = [[len(part.columns[kind]["query"]) for part in parts] for kind in COLUMNS]
        self.sizes = dict(zip(COLUMNS, sizes, strict=True))

    def take(self, kind: int, name: str) -> NDArray[Any]:
        """A column of all rows of a kind."""
        found = [part.columns[kind].pop(name) for part in self._parts]
        return np.concatenate(found) if found else np.empty(0)

    def ints(self, kind: int, name: str) -> Ints:
        """A column of whole numbers."""
        return self.take(kind, name).astype(np.int64)

    def pages(self) -> tuple[dict[int, Ints], pyarrow.StringArray, Ints]:
        """The page of each row by kind; these pages' names and places among all pages."""
        import pyarrow  # noqa: PLC0415 - takes a quarter of a second

        start = 0
        for part in self._parts:
            for columns in part.columns.values():
                columns["page"] += start
            start += len(part.pages)
        of_rows = {kind: self.take(kind, "page") for kind in COLUMNS}
        used = np.zeros(start, np.bool_)
        for page in of_rows.values():
            used[page.astype(np.int64)] = True
        place = np.cumsum(used) - 1
        named = [pyarrow.array([], pyarrow.string()), *(part.pages for part in self._parts)]
        names = pyarrow.concat_arrays(named).filter(pyarrow.array(used))
        found = {kind: place[page.astype(np.int64)] for kind, page in of_rows.items()}
        places = np.concatenate([np.empty(0, np.int64), *(part.places for part in self._parts)])
        return found, names, places[used]

    def places(self, kind: int, name: str, queries: int) -> Ints:
        """Return what pairs call spots or regions, counted through all parts instead of in a
        query.
        """
        found, before = [np.empty(0, np.int64)], 0
        for part, size in zip(self._parts, self.sizes[kind], strict=True):
            pairs, rows = part.columns[PAIR], part.columns[kind]["query"]
            first = np.searchsorted(rows, np.arange(queries))
            found.append(before + first[pairs["query"]] + pairs.pop(name))
            before += size
        return np.concatenate(found)


def tally_of(
    name: str, queries: Sequence[str], parts: Sequence[PartRows], pages_area: float
) -> tuple[Tally, pyarrow.StringArray, Ints]:
    """The tally of some queries, from the rows of all parts.

    Parameters
    ----------
    name : str
        The run's.
    queries : sequence of str
        In alphabetical order.
    parts : sequence of PartRows
        In their order. Their columns are gone afterwards: memory holds them once.
    pages_area : float
        The area of all pages in px².

    Returns
    -------
    tally : Tally
        Its pages have no names there. Those without a row of these queries are one together, the
        last.
    page_names : pyarrow.StringArray
        The P names of the tally's pages, but for the last.
    page_places : (P,) int
        Their places among all pages.

    Raises
    ------
    SpotlabError
        A query is ranked in some parts only, so that its spots have no order.
    """
    joined, count = _JoinedRows(parts), len(queries)
    absent = _ignored_in_others(parts, count)
    pair_spot, pair_region = (
        joined.places(SPOT, "spot", count),
        joined.places(REGION, "region", count),
    )
    page_of, names, page_places = joined.pages()
    query = {kind: joined.ints(kind, "query") for kind in (SPOT, REGION, PAGE)}
    score = joined.take(SPOT, "score")
    order = _order(queries, query[SPOT], joined.take(SPOT, "rank"), score,
                   joined.take(SPOT, "line"), joined.sizes[SPOT])  # fmt: skip
    place = np.empty(len(order), np.int64)
    place[order] = np.arange(len(order))
    pair_spot = place[pair_spot]
    del place
    pairs = np.lexsort((pair_region, pair_spot))
    shape = count, len(names) + 1  # the last is all other pages
    truth_area, page_area = np.zeros(shape), np.zeros(shape[1])
    truth_area[query[PAGE], page_of[PAGE]] = joined.take(PAGE, "area")
    page_area[-1] = pages_area
    kind = joined.take(REGION, "ignore").astype(np.int8)
    off = absent + np.bincount(query[PAGE], joined.take(PAGE, "counted"), count)
    region_query = query[REGION]
    ignored = None
    if kind.any() or off.any():
        area = np.zeros(shape)
        area[:, -1] = off
        ignored = IgnoredArea(
            kind=kind,
            query=np.where(kind > 0, region_query, NONE),
            spot_area=joined.take(SPOT, "counted")[order],
            region_area=joined.take(REGION, "counted"),
            pair_shared=joined.take(PAIR, "counted")[pairs],
            area=area,
        )
        region_query = np.where(kind > 0, ALL, region_query)
    spots_query, score = query.pop(SPOT)[order], score[order]
    tally = Tally(
        run=_bare_run(name, queries, spots_query, score),
        queries=tuple(queries),
        pages=("",) * shape[1],
        page_area=page_area,
        starts=np.searchsorted(spots_query, np.arange(count + 1)),
        spot=np.arange(len(order)),
        query=spots_query,
        page=page_of.pop(SPOT)[order],
        score=score,
        area=joined.take(SPOT, "area")[order],
        gained_area=joined.take(SPOT, "gained")[order],
        gained_true_area=joined.take(SPOT, "gained_true")[order],
        region_query=region_query,
        region_page=page_of[REGION],
        region_area=joined.take(REGION, "area"),
        region_id=("",) * len(region_query),
        truth_area=truth_area,
        pair_spot=pair_spot[pairs],
        pair_region=pair_region[pairs],
        pair_shared=joined.take(PAIR, "area")[pairs],
        pair_gained_area=joined.take(PAIR, "gained")[pairs],
        parts={},
        ignored=ignored,
    )
    return tally, names, page_places


def _order(
    queries: Sequence[str], query: Ints, rank: Floats, score: Floats,
    line: Ints, sizes: Sequence[int],
) -> Ints:  # fmt: skip
    """The spots of each query by rank, if all have one, else by score; equal ones as in the run."""
    unranked = np.bincount(query, np.isnan(rank), len(queries))
    unscored = np.bincount(query, np.isnan(score), len(queries))
    spots = np.bincount(query, minlength=len(queries))
    for place in np.flatnonzero((unranked > 0) & ((unscored > 0) | (unranked < spots))).tolist():
        raise SpotlabError(
            f"the query {queries[place]!r} has ranks for some of its spots only, so that parts "
            "cannot be ordered together; expected a rank for each of them, or scores without ranks"
        )
    key = np.where(unranked[query] == 0, rank, -score)
    number = np.repeat(np.arange(len(sizes), dtype=np.int32), sizes)
    return np.lexsort((line, number, key, query))


def _ignored_in_others(parts: Sequence[PartRows], queries: int) -> Floats:
    """(Q,) the area that is ignored for each query in parts where it has no row."""
    off = np.zeros(queries)
    for part in parts:
        if part.ignored_rest:
            absent = np.ones(queries, np.bool_)
            absent[part.queries()] = False
            off[absent] += part.ignored_rest
    return off


def _bare_run(name: str, queries: Sequence[str], query: Ints, score: Floats) -> Run:
    """A run whose outlines are elsewhere."""
    count = len(query)

    def every(value: object, dtype: type[np.generic]) -> NDArray[Any]:
        return np.broadcast_to(np.array(value, dtype), (count,))  # takes no memory

    return Run(
        name, tuple(queries), (), (), query.astype(np.int32), every(0, np.int32), score,
        Outlines.of([]), every(-1, np.int32), every(False, np.bool_), every(0, np.int64),
    )  # fmt: skip
