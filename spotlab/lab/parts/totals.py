"""What tallies of pages add up to: small, whatever the number of pages."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

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
        the order of `spotlab.measures.errors.KINDS`.
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
