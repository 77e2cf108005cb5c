"""All errors of a run in columns, worst first, so that many of them are filtered at once."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from spotlab.measures.errors import KINDS, ErrorKind, Errors
from spotlab.measures.tally import Ints
from spotlab.representation import short_repr


@dataclass(frozen=True, eq=False)
class ErrorList:
    """One entry an error; make it with `listed`.

    Attributes
    ----------
    errors : Errors
    kind : (n,) int
        Place in `KINDS`.
    spot, region : (n,) int
        Place in the tally; -1 where the error is a missed region, or a spot.
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
        """The entries that lists of these lengths still have.

        Parameters
        ----------
        counts : (Q,) int
            How many spots each query keeps.
        query : int, optional
            Only those of this query.
        """
        kept = np.ones(len(self), np.bool_)
        spots = self.spot >= 0
        place = self.spot[spots]
        kept[spots] = self.errors.tally.rank[place] <= counts[self.query[spots]]
        if query is not None:
            kept &= self.query == query
        return np.flatnonzero(kept)

    def of_kinds(self, entries: Ints, kinds: Iterable[ErrorKind]) -> Ints:
        """Those of these entries that are of these kinds."""
        wanted = [KINDS.index(kind) for kind in kinds]
        return entries[np.isin(self.kind[entries], wanted)]

    def count(self, entries: Ints) -> dict[ErrorKind, int]:
        """How many of these entries are of each kind."""
        counts = np.bincount(self.kind[entries], minlength=len(KINDS)).tolist()
        return dict(zip(KINDS, counts, strict=True))


def listed(errors: Errors) -> ErrorList:
    """All errors in columns, in the order of `Errors.worst`."""
    tally, worst = errors.tally, errors.worst
    number = {kind: at for at, kind in enumerate(KINDS)}
    kind = np.fromiter((number[each.kind] for each in worst), np.int8, len(worst))
    spot, region = (
        np.fromiter((-1 if place is None else place for place in places), np.int64, len(worst))
        for places in ([each.spot for each in worst], [each.region for each in worst])
    )
    query = np.empty(len(worst), np.int64)
    spots = spot >= 0
    query[spots] = tally.query[spot[spots]]
    query[~spots] = tally.region_query[region[~spots]]
    return ErrorList(errors, kind, spot, region, query)
