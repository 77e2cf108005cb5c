"""Areas and counts of every query on every page, and the figures of single pages."""

from __future__ import annotations

from functools import partial

import numpy as np

from spotlab.arrays import Flags, Floats, Ints
from spotlab.measures.figures import RunFigures
from spotlab.measures.measure import SumsFormula, known_measures
from spotlab.measures.recognition import count_by_page
from spotlab.measures.sums import Sums


def page_sums(figures: RunFigures, counts: Ints | None = None) -> Sums:
    """Areas and counts of every query on every page; over the pages they add up to the query's.

    Parameters
    ----------
    figures : RunFigures
        The run, of Q queries and P pages.
    counts : (Q,) int, optional
        How many spots each query keeps; all of them by default.

    Returns
    -------
    Sums
        Of shape (Q, P); areas in px².
    """
    tally, settings = figures.tally, figures.settings
    shape = len(tally.queries), len(tally.pages)
    last = np.diff(tally.starts) if counts is None else np.asarray(counts)
    kept = tally.rank <= last[tally.query]
    cell = (tally.query * shape[1] + tally.page)[kept]
    retrieved, relevant = (
        np.bincount(cell, step[kept], shape[0] * shape[1]).reshape(shape).astype(np.float64)
        for step in tally.steps(settings.overlap)
    )
    ends = np.append(last, 0)  # for regions of no query, -1
    recognised, false = count_by_page(
        tally,
        figures.recognition_rank <= ends[tally.region_query],
        kept & (figures.first_true_positive_rank > last[tally.query]),
    )
    return Sums(
        settings=settings,
        retrieved=retrieved,
        relevant=relevant,
        outside=retrieved - relevant,
        truth=tally.relevant(settings.overlap),
        pages=tally.counted_page_area,
        symbols=tally.symbols.astype(np.float64),
        recognised=recognised.astype(np.float64),
        false_positives=false.astype(np.float64),
        spots=_counted(cell[~figures.lists.ignored[kept]], shape),
        correct=_counted(cell[figures.lists.right[kept]], shape),
    )


def figures_by_page(figures: RunFigures, counts: Ints | None = None) -> dict[str, Floats]:
    """The figures of single pages, the areas and symbols of the truth's queries together.

    Parameters
    ----------
    figures : RunFigures
        The run, of Q queries and P pages.
    counts : (Q,) int, optional
        How many spots each query keeps; all of them by default.

    Returns
    -------
    dict of str to (P,) float
        The figures that are formulas of areas and counts, by name, in their units; NaN where
        undefined: precision where nothing is retrieved, recall where the page has no truth.

    Notes
    -----
    As `RunFigures.pooled`, of a collection that has only the page, but that all queries of the
    collection's truth are asked of it: Rusiñol & Lladós (2009), eqs. 7 to 12.

    Examples
    --------
    >>> from spotlab.geometry.outlines import Outlines
    >>> from spotlab.measures.figures import compute_figures
    >>> from spotlab.measures.tally import Tally
    >>> from spotlab.model.run import Run
    >>> nothing = Run.ordered("nothing", [], [], Outlines.of([]))
    >>> figures_by_page(compute_figures(Tally.of(nothing, {}, [])))["area_recall"]
    array([], dtype=float64)
    """
    every, own = page_sums(figures, counts), figures.in_truth
    of_page = Sums(
        settings=every.settings,
        **{name: _together(getattr(every, name), own) for name in _SUMMED},
    )
    found = {}
    for measure in known_measures():
        formula = measure.formula
        if isinstance(formula, SumsFormula):
            compute = partial(formula.compute, of_page)
            found[measure.name] = measure.values(compute, of_page.truth.shape)
    return found


_SUMMED = (
    "retrieved",
    "relevant",
    "outside",
    "truth",
    "pages",
    "symbols",
    "recognised",
    "false_positives",
    "spots",
    "correct",
)


def _counted(cells: Ints, shape: tuple[int, int]) -> Floats:
    counts = np.bincount(cells, minlength=shape[0] * shape[1])
    return counts.reshape(shape).astype(np.float64)


def _together(values: Floats, own: Flags) -> Floats:
    return np.asarray(values[own].sum(axis=0))
