"""Evaluates runs part by part: no process ever holds more than a part, or one query's list.

First each part is tallied and the totals are added up in a tree; then the lists of some queries at
a time are put together from the tallies. Both keep what they have made, so that an evaluation that
was cancelled or killed goes on where it was.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from spotlab.compute import each_done
from spotlab.formats.rows.part_folder import PartFolder
from spotlab.lab.parts.gathered_figures import GatheredFigures
from spotlab.lab.parts.query_figures import (
    FiguresJob,
    figures_of_group,
    groups_of,
    joined_sums,
)
from spotlab.lab.parts.tallied_runs import remarks_on, tallied_runs
from spotlab.lab.parts.totals import PartTotals
from spotlab.measures.intervals import Interval, intervals_over_queries
from spotlab.measures.measure import MeasureSettings, known_measures
from spotlab.model.region import Primitive
from spotlab.progress import Progress, silent
from spotlab.representation import short_repr


@dataclass(frozen=True, eq=False)
class RunParts:
    """All that is known of a run that was evaluated part by part.

    Attributes
    ----------
    name : str
    totals : PartTotals
    figures : GatheredFigures
    intervals_over_queries : dict of str to Interval or None
        By figure: of its mean over queries, had other queries been asked.
    """

    name: str
    totals: PartTotals
    figures: GatheredFigures
    intervals_over_queries: dict[str, Interval | None]

    __repr__ = short_repr

    @property
    def remarks(self) -> tuple[str, ...]:
        """What a person should know of it, a line each."""
        return remarks_on(self.totals)


@dataclass(frozen=True, eq=False)
class PartsEvaluation:
    """Runs that were evaluated part by part against the same truth.

    Attributes
    ----------
    settings : MeasureSettings
    runs : tuple of RunParts
    draws, seed : int
        Of the bootstrap.
    """

    settings: MeasureSettings
    runs: tuple[RunParts, ...]
    draws: int
    seed: int

    __repr__ = short_repr

    @property
    def pages(self) -> int:
        """Number of pages with truth."""
        return self.runs[0].totals.pages

    @property
    def regions(self) -> int:
        """Number of regions of the truth."""
        return self.runs[0].totals.regions


def evaluate_parts(
    truth: PartFolder,
    runs: Sequence[PartFolder],
    out: PartFolder,
    settings: MeasureSettings | None = None,
    *,
    primitive: Primitive | None = None,
    ignore_uncertain: bool = False,
    skip_bad_lines: bool = False,
    draws: int = 1000,
    seed: int = 0,
    jobs: int = 1,
    cluster: str | None = None,
    progress: Progress = silent,
) -> PartsEvaluation:
    """Evaluate runs part by part.

    Parameters
    ----------
    truth : PartFolder
        Parts as `spotlab.formats.collection.truth_parts` reads them.
    runs : sequence of PartFolder
        One for each run: Parquet files with the columns of runs, of which each is about the pages
        of the truth's part of the same name.
    out : PartFolder
        A folder for each run, with its tallies and curves as parts.
    settings : MeasureSettings, optional
    primitive : Primitive, optional
        Into what outlines are turned before.
    ignore_uncertain : bool
        Whether regions marked as uncertain are ignored.
    skip_bad_lines : bool
        Evaluate what can be read.
    draws, seed : int
        Of the bootstrap over queries; 0 draws leave intervals out.
    jobs, cluster
        As in `spotlab.compute.executor`.
    progress : Progress
        Told of each part, and of each group of queries.

    Raises
    ------
    SpotlabError
        There are no parts, those of a run do not fit the truth's, or two runs have the same name.
    BadLines
        Something of a run cannot be read, and is not to be skipped.
    Cancelled
        From ``progress``; what was finished is kept.
    """
    settings = settings or MeasureSettings()
    evaluated = []
    for totals, job in tallied_runs(
        truth, runs, out, settings, primitive, ignore_uncertain, skip_bad_lines, jobs, cluster,
        progress,
    ):  # fmt: skip
        figures = _figures(totals, job, jobs, cluster, progress)
        intervals = intervals_over_queries(figures, draws, seed) if draws else {}
        evaluated.append(RunParts(job.name, totals, figures, intervals))
    return PartsEvaluation(settings, tuple(evaluated), draws, seed)


def _figures(
    totals: PartTotals, job: FiguresJob, jobs: int, cluster: str | None, progress: Progress
) -> GatheredFigures:
    """The figures of all queries, some at a time."""
    groups, doing = groups_of(totals), f"ranking {job.name}"
    done = each_done(figures_of_group, groups, jobs, cluster, progress, doing, common=(job,))
    found = dict(done)
    values = [found[place] for place in range(len(groups))]
    names = [measure.name for measure in known_measures()]
    return GatheredFigures(
        queries=tuple(query for group in groups for query in group.queries),
        in_truth=np.array([flag for each in values for flag in each["in_truth"]], np.bool_),
        columns={
            name: np.array([one for each in values for one in each["columns"][name]], np.float64)
            for name in names
        },
        sums=joined_sums(values, job.settings),
    )
