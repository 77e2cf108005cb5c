"""Changes of precision, recall and F from one run to another: as a whole, by label and by page.

All of it is algebra on the two tallies. Differences are the second run's figure minus the first's,
with the intervals of `spotlab.measures.intervals`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from spotlab.arrays import Floats, Ints
from spotlab.measures import area
from spotlab.measures.cuts import CutRun
from spotlab.measures.intervals import (
    FEWEST,
    Difference,
    interval_ends,
    paired_differences,
    pseudo_values,
    weights_without_each,
)
from spotlab.measures.tally import Overlap
from spotlab.progress import Progress, silent, track
from spotlab.representation import short_repr

FIGURES = ("f", "area_precision", "area_recall")


@dataclass(frozen=True, eq=False)
class ChangedFigures:
    """Precision, recall and F of n labels or pages in two runs.

    Attributes
    ----------
    names : tuple of str
        The labels or pages.
    before, after : mapping of str to (n,) float
        By figure, shares in [0, 1]: of the first and of the second run; NaN where undefined.
    ends : mapping of str to (2, n) float
        By figure: both ends of the 95 % interval of ``after − before``; NaN where there is none.
    """

    names: tuple[str, ...]
    before: Mapping[str, Floats]
    after: Mapping[str, Floats]
    ends: Mapping[str, Floats] = field(default_factory=dict)

    __repr__ = short_repr

    def change(self, figure: str) -> Floats:
        """The differences of a figure.

        Parameters
        ----------
        figure : str
            One of `FIGURES`.

        Returns
        -------
        (n,) float
            Second minus first, in [-1, 1]; NaN where either is undefined.

        Examples
        --------
        >>> changed = ChangedFigures(("bed",), {"f": np.array([0.5])}, {"f": np.array([0.75])})
        >>> changed.change("f").tolist()
        [0.25]
        """
        return np.asarray(self.after[figure] - self.before[figure])

    def interval(self, figure: str, row: int) -> tuple[float, float] | None:
        """The 95 % interval of a difference.

        Parameters
        ----------
        figure : str
            One of `FIGURES`.
        row : int
            Place of the label or page in ``names``.

        Returns
        -------
        (float, float) or None
            Its ends, in [-1, 1]; None where there is no interval.

        Examples
        --------
        >>> nothing = {"f": np.array([0.5])}
        >>> ChangedFigures(("bed",), nothing, nothing).interval("f", 0) is None
        True
        """
        if figure not in self.ends or np.isnan(self.ends[figure][0, row]):
            return None
        low, high = self.ends[figure][:, row].tolist()
        return low, high


def common_queries(first: CutRun, second: CutRun) -> tuple[tuple[str, ...], Ints, Ints]:
    """The queries of the truth, and their places in each of two runs.

    Parameters
    ----------
    first, second : CutRun
        Runs against the same truth.

    Returns
    -------
    names : tuple of str
    of_first, of_second : (L,) int
        Places in each tally's queries.

    Examples
    --------
    >>> from types import SimpleNamespace
    >>> parts = ("bath", "bed"), ("bed", "sofa")
    >>> first, second = (
    ...     SimpleNamespace(
    ...         tally=SimpleNamespace(queries=part), figures=SimpleNamespace(in_truth=[True, True]))
    ...     for part in parts
    ... )
    >>> common_queries(first, second)
    (('bed',), array([1]), array([0]))
    """
    places = [
        {name: at for at, name in enumerate(run.tally.queries) if run.figures.in_truth[at]}
        for run in (first, second)
    ]
    names = tuple(name for name in places[0] if name in places[1])
    of_first, of_second = (np.array([of[name] for name in names], np.int64) for of in places)
    return names, of_first, of_second


@dataclass(frozen=True)
class MeanChange:
    """Change of a mean figure, over the queries of the truth that have it in both runs.

    Attributes
    ----------
    queries : int
        How many these are.
    before, after : float or None
        The means, shares in [0, 1]; None where no query has the figure in both runs.
    difference : Difference or None
        Second minus first with its interval, had other queries been asked; None for fewer than two
        queries.
    """

    queries: int
    before: float | None
    after: float | None
    difference: Difference | None

    @property
    def value(self) -> float | None:
        """Second minus first, in the figure's unit, such as a share; None where undefined."""
        if self.before is None or self.after is None:
            return None
        return self.after - self.before


def mean_changes(first: CutRun, second: CutRun) -> dict[str, MeanChange]:
    """Compare mean precision, recall and F over the truth's queries.

    Parameters
    ----------
    first, second : CutRun
        Runs against the same truth.

    Returns
    -------
    dict of str to MeanChange
        By figure.

    Notes
    -----
    Without a cut the differences are those of `compare_runs`.
    """
    _, mine, theirs = common_queries(first, second)
    before, after = (run.figures.at(run.counts) for run in (first, second))
    changes = {}
    for name in FIGURES:
        one, other = before[name][mine], after[name][theirs]
        both = ~np.isnan(one) & ~np.isnan(other)
        one, other = one[both], other[both]
        changes[name] = MeanChange(
            len(one),
            float(one.mean()) if len(one) else None,
            float(other.mean()) if len(one) else None,
            paired_differences((other - one)[:, None])[0],
        )
    return changes


def label_changes(first: CutRun, second: CutRun) -> ChangedFigures:
    """Compare precision, recall and F of each label of the truth.

    Parameters
    ----------
    first, second : CutRun
        Runs against the same truth.

    Returns
    -------
    ChangedFigures
        A row for each label of the truth, with intervals over pages where there are enough.
    """
    names, mine, theirs = common_queries(first, second)
    cells = [_cells(first, mine), _cells(second, theirs)]
    pages = len(first.tally.pages)
    weights = weights_without_each(pages)
    without = [
        _figures(run, *(weights @ cell.T for cell in of_run))
        for run, of_run in zip((first, second), cells, strict=True)
    ]
    there = weights @ cells[0][2].T > 0
    ends = {
        name: interval_ends(
            pseudo_values(np.where(there, without[1][name] - without[0][name], np.nan), pages)
        )
        for name in FIGURES
    }
    before, after = (run.figures.at(run.counts) for run in (first, second))
    return ChangedFigures(
        names,
        {name: before[name][mine] for name in FIGURES},
        {name: after[name][theirs] for name in FIGURES},
        ends,
    )


def page_changes(
    first: CutRun, second: CutRun, query: str | None = None, progress: Progress = silent
) -> ChangedFigures:
    """Compare precision, recall and F of each page; areas of the truth's labels together.

    Parameters
    ----------
    first, second : CutRun
        Runs against the same truth.
    query : str, optional
        Consider this label only; by default all labels of the truth.
    progress : Progress
        Is told of every page; may raise `Cancelled`.

    Returns
    -------
    ChangedFigures
        A row for each page, with intervals over the labels that have truth or spots on it where
        there are enough.
    """
    names, mine, theirs = common_queries(first, second)
    if query is not None:
        chosen = [at for at, name in enumerate(names) if name == query]
        mine, theirs = mine[chosen], theirs[chosen]
    cells = [_cells(first, mine), _cells(second, theirs)]
    pages = first.tally.pages
    ends = {name: np.full((2, len(pages)), np.nan) for name in FIGURES}
    there = (cells[0][2] > 0) | (cells[0][1] > 0) | (cells[1][1] > 0)
    for page in track(range(len(pages)), progress, "Comparing pages"):
        labels = np.flatnonzero(there[:, page])
        if len(labels) < FEWEST:
            continue
        weights = weights_without_each(len(labels))
        one, other = (
            _figures(run, *(weights @ cell[labels, page] for cell in of_run))
            for run, of_run in zip((first, second), cells, strict=True)
        )
        for name in FIGURES:
            values = pseudo_values(other[name] - one[name], len(labels))
            ends[name][:, page] = interval_ends(values[:, None])[:, 0]
    before, after = (
        _figures(run, *(cell.sum(axis=0) for cell in of_run))
        for run, of_run in zip((first, second), cells, strict=True)
    )
    return ChangedFigures(pages, before, after, ends)


def _cells(run: CutRun, at: Ints) -> tuple[Floats, Floats, Floats]:
    """(L, P) relevant, retrieved and truth areas of some queries in px²."""
    return run.cells.relevant[at], run.cells.retrieved[at], run.cells.truth[at]


def _figures(run: CutRun, relevant: Floats, retrieved: Floats, truth: Floats) -> dict[str, Floats]:
    if run.figures.settings.overlap is Overlap.UNION:  # they are so by definition, not by rounding
        relevant = np.minimum(relevant, np.minimum(retrieved, truth))
    return {
        "f": area.f_score(relevant, retrieved, truth, run.figures.settings.beta),
        "area_precision": area.ratio(relevant, retrieved),
        "area_recall": area.ratio(relevant, truth),
    }
