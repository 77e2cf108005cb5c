"""Draws pages for the intervals of several runs, side by side."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from spotlab.arrays import Floats
from spotlab.compute import each_done
from spotlab.measures.figures import RunFigures
from spotlab.measures.intervals import ranking_columns
from spotlab.progress import Progress

GROUP = 20_000  # spots of the queries that are handed out together


def drawn_rankings(
    figures: Sequence[RunFigures],
    draws: int,
    seed: int,
    jobs: int,
    cluster: str | None,
    progress: Progress,
) -> list[Mapping[str, Floats] | None]:
    """What takes the time of `spotlab.measures.intervals.intervals_over_pages`, for every run.

    Some queries are handed out at a time, and the figures of all runs are sent once. The result
    does not depend on where they are drawn.

    Parameters
    ----------
    figures : sequence of RunFigures
    draws, seed : int
        Of the bootstrap.
    jobs, cluster
        As in `spotlab.compute.executor`.
    progress : Progress
        Told of each group of queries.

    Returns
    -------
    list of mapping of str to (draws, Q) float, or None
        For each run, see `spotlab.measures.intervals.ranking_columns`; None leaves the work to
        whoever needs it: one process, or a run on fewer than two pages.
    """
    found: list[Mapping[str, Floats] | None] = [None] * len(figures)
    if not draws or (jobs == 1 and cluster is None):
        return found
    works = [
        (run, group)
        for run, each in enumerate(figures)
        if len(each.tally.pages) > 1
        for group in _groups(each)
    ]
    common = (tuple(figures), draws, seed)
    done = dict(each_done(_drawn, works, jobs, cluster, progress, "Drawing pages", common=common))
    for run in {run for run, _ in works}:
        parts = [done[place] for place, work in enumerate(works) if work[0] == run]
        found[run] = {
            name: np.concatenate([part[name] for part in parts], axis=1) for name in parts[0]
        }
    return found


def _groups(figures: RunFigures) -> list[range]:
    """The places of all queries, in groups of about `GROUP` spots."""
    starts = figures.tally.starts
    groups, first = [], 0
    for query in range(len(figures.tally.queries)):
        if query + 1 == len(figures.tally.queries) or starts[query + 1] - starts[first] >= GROUP:
            groups.append(range(first, query + 1))
            first = query + 1
    return groups


def _drawn(
    work: tuple[int, range], figures: Sequence[RunFigures], draws: int, seed: int
) -> dict[str, Floats]:
    run, queries = work
    return ranking_columns(figures[run], draws, seed, queries)
