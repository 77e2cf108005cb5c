"""The symbol level: which symbols are found, and which spots are false positives.

Rusiñol & Lladós (2009), §4.3 and eq. 12. A truth region is *recognised* when the spots of the query
together cover at least the share t of it. A spot is a *false positive* when it overlaps no
recognised region of its query. Both follow from the tally for all ranks at once: a region is
recognised at some rank of its query's list and stays so. A spot therefore stops being a false
positive at its own rank or at the first rank at which some region that it overlaps is recognised,
whichever is later.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from spotlab.arrays import Ints
from spotlab.measures.tally import Tally

NEVER = np.iinfo(np.int64).max
ROUNDING = 1e-9  # of a region's area: a share that is reached but for rounding is reached


def recognition_rank(tally: Tally, share: float) -> Ints:
    """The rank at which each truth region is recognised.

    Parameters
    ----------
    tally : Tally
        Of T truth regions.
    share : float
        t in [0, 1]; with 0 every region that a spot touches is recognised.

    Returns
    -------
    (T,) int
        The rank, from 1, in the list of the region's query; `NEVER` for a region that is not
        recognised. A region without area is never recognised.

    Notes
    -----
    Rusiñol & Lladós (2009), §4.3 and eq. 12: A(T_i ∩ ∪R) ≥ t · A(T_i).

    Examples
    --------
    A region of 100 px², of which the first spot covers a half and the second spot the rest:

    >>> from types import SimpleNamespace
    >>> tally = SimpleNamespace(
    ...     own=np.array([True, True]), pair_gained_area=np.array([50.0, 50.0]),
    ...     pair_spot=np.array([0, 1]), pair_region=np.array([0, 0]),
    ...     region_area=np.array([100.0]), rank=np.array([1, 2]))
    >>> recognition_rank(tally, 0.5).tolist(), recognition_rank(tally, 0.75).tolist()
    ([1], [2])
    """
    own = tally.own & (tally.pair_gained_area > 0)
    spot, region, new = tally.pair_spot[own], tally.pair_region[own], tally.pair_gained_area[own]
    order = np.argsort(region, kind="stable")  # pairs are in order of rank within a query
    spot, region, new = spot[order], region[order], new[order]
    ranks = np.full(len(tally.region_area), NEVER, np.int64)
    if not len(region):
        return ranks
    first = np.flatnonzero(np.diff(region, prepend=-1))
    # in shares of the region, so that large regions do not cost small ones their digits
    covered = np.cumsum(new / tally.region_area[region])
    before = np.concatenate([[0.0], covered])[first]
    covered -= np.repeat(before, np.diff(first, append=len(region)))
    reached = np.flatnonzero(covered >= share - ROUNDING)
    regions, place = np.unique(region[reached], return_index=True)
    ranks[regions] = tally.rank[spot[reached[place]]]
    return ranks


def first_true_positive_rank(tally: Tally, recognised: Ints) -> Ints:
    """The rank from which each spot is no longer a false positive.

    Parameters
    ----------
    tally : Tally
        Of N spots and T truth regions.
    recognised : (T,) int
        The rank at which each region is recognised; see `recognition_rank`.

    Returns
    -------
    (N,) int
        The rank, from 1, in the list of the spot's query; `NEVER` for a spot that stays a false
        positive.

    Notes
    -----
    Rusiñol & Lladós (2009), §4.3.

    Examples
    --------
    Two spots overlap a region that is recognised at rank 2; a third one overlaps nothing:

    >>> class Example:
    ...     own, rank = np.array([True, True]), np.array([1, 2, 3])
    ...     pair_spot, pair_region = np.array([0, 1]), np.array([0, 0])
    ...     def __len__(self): return 3
    >>> ranks = first_true_positive_rank(Example(), np.array([2]))
    >>> ranks[:2].tolist(), int(ranks[2]) == NEVER
    ([2, 2], True)
    """
    ranks = np.full(len(tally), NEVER, np.int64)
    own = tally.own
    np.minimum.at(ranks, tally.pair_spot[own], recognised[tally.pair_region[own]])
    return np.where(ranks < NEVER, np.maximum(ranks, tally.rank), NEVER)


def count_recognised(tally: Tally, recognised: Ints) -> Ints:
    """Number of recognised regions after each spot.

    Parameters
    ----------
    tally : Tally
        Of N spots and T truth regions.
    recognised : (T,) int
        The rank at which each region is recognised; see `recognition_rank`.

    Returns
    -------
    (N,) int
        How many regions of its query are recognised if the list ends after each spot; empty
        without spots.

    Notes
    -----
    The numerator of the recognition rate in Rusiñol & Lladós (2009), eq. 12.

    Examples
    --------
    Three spots of one query, and a region that is recognised at rank 2:

    >>> class Example:
    ...     region_query, starts = np.array([0]), np.array([0, 3])
    ...     def __len__(self): return 3
    >>> count_recognised(Example(), np.array([2])).tolist()
    [0, 1, 1]
    """
    known = (recognised < NEVER) & (tally.region_query >= 0)
    places = tally.starts[tally.region_query[known]] + recognised[known] - 1
    return _accumulated(tally, np.bincount(places, minlength=len(tally)))


def count_false_positives(tally: Tally, cleared: Ints) -> Ints:
    """Number of false positives after each spot.

    Parameters
    ----------
    tally : Tally
        Of N spots.
    cleared : (N,) int
        The rank from which each spot is no longer a false positive; see
        `first_true_positive_rank`.

    Returns
    -------
    (N,) int
        How many spots of its query are false positives if the list ends after each spot; empty
        without spots.

    Notes
    -----
    Rusiñol & Lladós (2009), §4.3.

    Examples
    --------
    Three spots of one query; the first stops being false at rank 2, the last one never does:

    >>> class Example:
    ...     query, rank, starts = np.zeros(3, int), np.array([1, 2, 3]), np.array([0, 3])
    ...     def __len__(self): return 3
    >>> count_false_positives(Example(), np.array([2, 2, NEVER])).tolist()
    [1, 0, 1]
    """
    known = cleared < NEVER
    places = tally.starts[tally.query[known]] + cleared[known] - 1
    return tally.rank - _accumulated(tally, np.bincount(places, minlength=len(tally)))


def count_by_page(
    tally: Tally, chosen_regions: NDArray[np.bool_], chosen_spots: NDArray[np.bool_]
) -> tuple[Ints, Ints]:
    """Count chosen regions and chosen spots of every query on every page.

    Parameters
    ----------
    tally : Tally
        Of Q queries, P pages, T truth regions and N spots.
    chosen_regions : (T,) bool
        Regions to count; those without a label belong to no query and are never counted.
    chosen_spots : (N,) bool
        Spots to count.

    Returns
    -------
    of_regions, of_spots : (Q, P) int
        0 where there is none.

    Examples
    --------
    >>> from types import SimpleNamespace
    >>> tally = SimpleNamespace(
    ...     queries=["bed"], pages=["one", "two"], query=np.array([0, 0]), page=np.array([0, 1]),
    ...     region_query=np.array([0, -1]), region_page=np.array([1, 1]))
    >>> of_regions, of_spots = count_by_page(tally, np.array([True, True]), np.array([True, False]))
    >>> of_regions.tolist(), of_spots.tolist()
    ([[0, 1]], [[1, 0]])
    """
    shape = len(tally.queries), len(tally.pages)
    regions = chosen_regions & (tally.region_query >= 0)
    cells = (
        tally.region_query[regions] * shape[1] + tally.region_page[regions],
        tally.query[chosen_spots] * shape[1] + tally.page[chosen_spots],
    )
    of_regions, of_spots = (np.bincount(cell, minlength=shape[0] * shape[1]) for cell in cells)
    return of_regions.reshape(shape), of_spots.reshape(shape)


def _accumulated(tally: Tally, counts: Ints) -> Ints:
    """(N,) cumulative sums within each query; exact, because counts are whole numbers."""
    sums = np.cumsum(counts)
    before = np.concatenate([[0], sums])[tally.starts[:-1]]
    accumulated: Ints = sums - np.repeat(before, np.diff(tally.starts))
    return accumulated
