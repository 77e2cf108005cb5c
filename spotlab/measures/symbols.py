"""The symbol level (Rusiñol & Lladós, §4.3, eq. 12): is a symbol found or not, and what is false.

A truth region is *recognised* when the query's spots together cover at least the share t of it; a
spot is a *false positive* when it overlaps no recognised region of its query. Both follow from the
tally for every rank at once: a region is recognised at some rank of its query's list and stays so,
so a spot stops being false at the later of its own rank and the first rank at which some region
that it overlaps is recognised.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from spotlab.measures.tally import Ints, Tally

NEVER = np.iinfo(np.int64).max
ROUNDING = 1e-9  # of a region's area: a share that is reached but for rounding is reached


def recognised_at(tally: Tally, share: float) -> Ints:
    """(T,) the rank in its query's list at which each truth region is recognised; else `NEVER`.

    A region without area is recognised by nothing: no spot can cover a part of it.

    Parameters
    ----------
    tally : Tally
    share : float
        t, from 0 to 1. At 0 whatever is touched counts as recognised.
    """
    own = tally.own & (tally.pair_new > 0)
    spot, region, new = tally.pair_spot[own], tally.pair_region[own], tally.pair_new[own]
    order = np.argsort(region, kind="stable")  # pairs are in order of rank within a query
    spot, region, new = spot[order], region[order], new[order]
    found = np.full(len(tally.region_area), NEVER, np.int64)
    if not len(region):
        return found
    first = np.flatnonzero(np.diff(region, prepend=-1))
    # in shares of the region, so that large regions do not cost small ones their digits
    covered = np.cumsum(new / tally.region_area[region])
    before = np.concatenate([[0.0], covered])[first]
    covered -= np.repeat(before, np.diff(first, append=len(region)))
    reached = np.flatnonzero(covered >= share - ROUNDING)
    regions, place = np.unique(region[reached], return_index=True)
    found[regions] = tally.rank[spot[reached[place]]]
    return found


def cleared_at(tally: Tally, recognised: Ints) -> Ints:
    """(N,) the rank at which each spot is no false positive any more, or `NEVER`.

    Parameters
    ----------
    tally : Tally
    recognised : (T,) int
        What `recognised_at` gives.
    """
    found = np.full(len(tally), NEVER, np.int64)
    own = tally.own
    np.minimum.at(found, tally.pair_spot[own], recognised[tally.pair_region[own]])
    return np.where(found < NEVER, np.maximum(found, tally.rank), NEVER)


def recognised_so_far(tally: Tally, recognised: Ints) -> Ints:
    """(N,) how many regions of its query are recognised when the list ends after each spot."""
    known = (recognised < NEVER) & (tally.region_query >= 0)
    places = tally.starts[tally.region_query[known]] + recognised[known] - 1
    return _accumulated(tally, np.bincount(places, minlength=len(tally)))


def false_positives_so_far(tally: Tally, cleared: Ints) -> Ints:
    """(N,) how many spots of its query are false positives when the list ends after each spot."""
    known = cleared < NEVER
    places = tally.starts[tally.query[known]] + cleared[known] - 1
    return tally.rank - _accumulated(tally, np.bincount(places, minlength=len(tally)))


def counts_by_page(
    tally: Tally, chosen_regions: NDArray[np.bool_], chosen_spots: NDArray[np.bool_]
) -> tuple[Ints, Ints]:
    """(Q, P) how many of the chosen regions, and of the chosen spots, are on each page."""
    shape = len(tally.queries), len(tally.pages)
    regions = chosen_regions & (tally.region_query >= 0)
    cells = (
        tally.region_query[regions] * shape[1] + tally.region_page[regions],
        tally.query[chosen_spots] * shape[1] + tally.page[chosen_spots],
    )
    of_regions, of_spots = (np.bincount(cell, minlength=shape[0] * shape[1]) for cell in cells)
    return of_regions.reshape(shape), of_spots.reshape(shape)


def _accumulated(tally: Tally, counts: Ints) -> Ints:
    """(N,) sums within each query; counts are whole, so nothing is lost by summing all at once."""
    sums = np.cumsum(counts)
    before = np.concatenate([[0], sums])[tally.starts[:-1]]
    found: Ints = sums - np.repeat(before, np.diff(tally.starts))
    return found
