"""All errors of a run in columns, worst first, so that many of them are filtered at once."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from spotlab.arrays import Ints
from spotlab.measures.errors import KINDS, ErrorKind, Errors
from spotlab.representation import short_repr


@dataclass(frozen=True, eq=False)
class ErrorList:
    """The errors of a run, one entry each; make it with `list_errors`.

    Attributes
    ----------
    errors : Errors
        The kinds of all spots, and the missed regions.
    kind : (n,) int
        Place in `KINDS`.
    spot, region : (n,) int
        Place in the tally. ``spot`` is -1 for a missed region, ``region`` is -1 for a spot.
    query : (n,) int
        Place in the tally's queries.
    """

    errors: Errors
    kind: NDArray[np.int8]
    spot: Ints
    region: Ints
    query: Ints

    __repr__ = short_repr

    def __len__(self) -> int:
        return len(self.kind)

    def within(self, counts: Ints, query: int | None = None) -> Ints:
        """The entries that remain when every query keeps only its first spots.

        Parameters
        ----------
        counts : (Q,) int
            How many spots each query keeps.
        query : int, optional
            Keep only the entries of this query, by its place in the tally's queries.

        Returns
        -------
        (m,) int
            Entries in their order; missed regions always remain.

        Examples
        --------
        A false spot at rank 3 and a missed region:

        >>> from types import SimpleNamespace
        >>> errors = SimpleNamespace(tally=SimpleNamespace(rank=np.array([1, 2, 3])))
        >>> kinds = np.array([KINDS.index(ErrorKind.FALSE), KINDS.index(ErrorKind.MISSED)])
        >>> spots, regions = np.array([2, -1]), np.array([-1, 0])
        >>> entries = ErrorList(errors, kinds, spots, regions, np.zeros(2, int))
        >>> entries.within(np.array([3])).tolist(), entries.within(np.array([2])).tolist()
        ([0, 1], [1])
        """
        kept = np.ones(len(self), np.bool_)
        spots = self.spot >= 0
        place = self.spot[spots]
        kept[spots] = self.errors.tally.rank[place] <= counts[self.query[spots]]
        if query is not None:
            kept &= self.query == query
        return np.flatnonzero(kept)

    def of_kinds(self, entries: Ints, kinds: Iterable[ErrorKind]) -> Ints:
        """Those of the given entries that are of the given kinds.

        Parameters
        ----------
        entries : (m,) int
            Entries of the list.
        kinds : iterable of ErrorKind
            Kinds to keep.

        Returns
        -------
        (k,) int
            Entries in their order; empty if none is of these kinds.

        Examples
        --------
        >>> kinds = np.array([KINDS.index(ErrorKind.FALSE), KINDS.index(ErrorKind.MISSED)])
        >>> none = np.full(2, -1)
        >>> ErrorList(None, kinds, none, none, none).of_kinds(np.arange(2), [ErrorKind.MISSED])
        array([1])
        """
        wanted = [KINDS.index(kind) for kind in kinds]
        return entries[np.isin(self.kind[entries], wanted)]

    def count(self, entries: Ints) -> dict[ErrorKind, int]:
        """Count the given entries by kind.

        Parameters
        ----------
        entries : (m,) int
            Entries of the list.

        Returns
        -------
        dict of ErrorKind to int
            All kinds; 0 for a kind that no entry has.
        """
        counts = np.bincount(self.kind[entries], minlength=len(KINDS)).tolist()
        return dict(zip(KINDS, counts, strict=True))


def list_errors(errors: Errors) -> ErrorList:
    """Put all errors in columns, in the order of `Errors.worst`.

    Parameters
    ----------
    errors : Errors
        The kinds of all spots, and the missed regions.

    Returns
    -------
    ErrorList
        Empty if there are no errors.
    """
    tally = errors.tally
    spots, regions = np.flatnonzero(errors.is_error), np.flatnonzero(errors.missed)
    wrong = np.concatenate([errors.wrong_area[spots], tally.region_area[regions]])
    missed = np.full(len(regions), KINDS.index(ErrorKind.MISSED), np.int8)
    none_for_spots, none_for_regions = np.full(len(spots), -1), np.full(len(regions), -1)
    order = np.argsort(-wrong, kind="stable")
    return ErrorList(
        errors,
        np.concatenate([errors.kind[spots], missed])[order],
        np.concatenate([spots, none_for_regions])[order],
        np.concatenate([none_for_spots, regions])[order],
        np.concatenate([tally.query[spots], tally.region_query[regions]])[order],
    )
