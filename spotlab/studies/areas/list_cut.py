"""Where the ranked lists of all queries of a run are cut: at a rank or at a score."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from spotlab.measures.tally import Ints, Tally


@dataclass(frozen=True)
class ListCut:
    """Where the lists of all queries end.

    Attributes
    ----------
    by : str
        "rank": each query keeps its first ``value`` spots; "score": those before the first whose
        score is below ``value``.
    value : float or None
        None keeps everything.
    """

    by: str = "rank"
    value: float | None = None

    def counts(self, tally: Tally | None) -> Ints:
        """(Q,) int: how many spots each query keeps; empty where there is no tally.

        A spot without a score is kept, as are those before it.
        """
        if tally is None:
            return np.zeros(0, np.int64)
        lengths = np.diff(tally.starts)
        if self.value is None:
            return lengths
        if self.by == "rank":
            return np.minimum(lengths, int(self.value))
        below = np.flatnonzero(tally.score < self.value)
        counts = lengths.copy()
        queries, first = np.unique(tally.query[below], return_index=True)
        counts[queries] = below[first] - tally.starts[queries]
        return counts
