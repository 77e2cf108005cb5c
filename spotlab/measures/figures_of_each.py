"""The figures of several runs at once, where each of them alone would take little time."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain
from typing import Any

import numpy as np

from spotlab.arrays import Ints
from spotlab.measures.figure_columns import names_of_sums
from spotlab.measures.figures import RunFigures, compute_figures
from spotlab.measures.settings import MeasureSettings
from spotlab.measures.tally import Tally

_OF_SPOTS = (
    "retrieved", "relevant", "precision", "recall", "fall_out", "f", "first_true_positive_rank",
    "recognised", "false_positives",
)  # fmt: skip


def figures_of_each(tallies: Sequence[Tally], settings: MeasureSettings) -> list[RunFigures]:
    """Compute the figures of several runs.

    Parameters
    ----------
    tallies : sequence of Tally
        Of the runs.
    settings : MeasureSettings
        How figures are computed.

    Returns
    -------
    list of RunFigures
        As `compute_figures` gives them for each. Where the runs are of the same pages, and no
        region is ignored, all their lists are looked at together, as if they were those of one
        run: a hundred runs with few spots then take little longer than one.

    Examples
    --------
    >>> from spotlab.geometry.outlines import Outlines
    >>> from spotlab.model.run import Run
    >>> nothing = Run.ordered("nothing", [], [], Outlines.of([]))
    >>> tallies = [Tally.of(nothing, {}, [], queries=[name]) for name in ("bed", "door")]
    >>> [figures.mean["area_recall"] for figures in figures_of_each(tallies, MeasureSettings())]
    [None, None]
    """
    if len(tallies) < 2 or not all(_are_alike(tallies[0], tally) for tally in tallies):
        return [compute_figures(tally, settings) for tally in tallies]
    whole = compute_figures(_side_by_side(tallies), settings)
    columns = {name: whole.columns[name] for name in names_of_sums()}
    right, ignored, correct = whole.lists.right, whole.lists.ignored, whole.correct
    each = []
    for tally, spots, queries, regions in zip(
        tallies,
        _slices([len(tally) for tally in tallies]),
        _slices([len(tally.queries) for tally in tallies]),
        _slices([len(tally.region_area) for tally in tallies]),
        strict=True,
    ):
        figures = RunFigures(
            tally=tally,
            settings=settings,
            truth=whole.truth[queries],
            recognition_rank=whole.recognition_rank[regions],
            **{name: getattr(whole, name)[spots] for name in _OF_SPOTS},
        )
        figures.lists.take_over(settings.iou, right[spots], ignored[spots])
        figures.columns.take({name: column[queries] for name, column in columns.items()})
        vars(figures)["correct"] = correct[spots]  # the cached property is known already
        each.append(figures)
    return each


def _are_alike(one: Tally, other: Tally) -> bool:
    """Whether two runs can be looked at together."""
    return (
        one.ignored is None
        and other.ignored is None
        and one.pages == other.pages
        and np.array_equal(one.page_area, other.page_area)
    )


def _side_by_side(tallies: Sequence[Tally]) -> Tally:
    """The lists of all runs as those of one, without the ids of regions and the single pages."""
    query = _starts([len(tally.queries) for tally in tallies])
    spot = _starts([len(tally) for tally in tallies])
    region = _starts([len(tally.region_area) for tally in tallies])

    def joined(name: str, first: Ints | None = None) -> Any:
        columns = [getattr(tally, name) for tally in tallies]
        if first is not None:
            pairs = zip(columns, first.tolist(), strict=False)
            columns = [np.where(column >= 0, column + start, -1) for column, start in pairs]
        return np.concatenate(columns)

    ends = [tally.starts[1:] + start for tally, start in zip(tallies, spot.tolist(), strict=False)]
    return Tally(
        run=tallies[0].run,
        queries=tuple(chain.from_iterable(tally.queries for tally in tallies)),
        pages=tallies[0].pages,
        page_area=tallies[0].page_area,
        starts=np.concatenate([np.zeros(1, np.int64), *ends]),
        query=joined("query", query),
        region_query=joined("region_query", query),
        region_id=(),
        pair_spot=joined("pair_spot", spot),
        pair_region=joined("pair_region", region),
        parts={},
        **{
            name: joined(name)
            for name in (
                "spot", "page", "score", "area", "gained_area", "gained_true_area",
                "region_page", "region_area", "truth_area", "pair_shared", "pair_gained_area",
            )
        },
    )  # fmt: skip


def _starts(counts: Sequence[int]) -> Ints:
    """Where each of several parts begins, and where the last one ends."""
    return np.concatenate([np.zeros(1, np.int64), np.cumsum(counts)])


def _slices(counts: Sequence[int]) -> list[slice]:
    starts = _starts(counts).tolist()
    return [slice(*starts[at : at + 2]) for at in range(len(counts))]
