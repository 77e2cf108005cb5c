"""The scalability of runs in parts: no process holds more than a part, or one query's list."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from spotlab.compute import each_done
from spotlab.errors import SpotlabError
from spotlab.formats.rows.part_folder import PartFolder
from spotlab.lab.parts.query_figures import FiguresJob, QueryGroup, groups_of, ranked
from spotlab.lab.parts.tallied_runs import remarks_on, tallied_runs
from spotlab.lab.parts.totals import PartTotals
from spotlab.measures.measure import MeasureSettings
from spotlab.measures.scalability import STEP
from spotlab.model.region import Primitive
from spotlab.progress import Progress, silent
from spotlab.studies.evaluate.scalability import (
    Draws,
    RunScalability,
    Samples,
    Scalability,
    draw,
    joined_samples,
    run_scalability,
    sample,
    scalability_of,
)
from spotlab.studies.tally.cluster import check_version


@dataclass(frozen=True, eq=False)
class SampleJob:
    """What workers need to sample the curves of some queries.

    Attributes
    ----------
    figures : FiguresJob
    classes : tuple of str
    packed : tuple of ((D, B) uint8, int)
        For each flag table of the draws, classes and pages in turns, its bits and its width: an
        eighth of what flags take.
    """

    figures: FiguresJob
    classes: tuple[str, ...]
    packed: tuple[tuple[NDArray[np.uint8], int], ...]

    def drawn(self) -> Draws:
        """The draws without the numbers of classes, which concern all queries together."""
        tables = [
            np.unpackbits(bits, axis=1, count=width).view(np.bool_) for bits, width in self.packed
        ]
        pairs = tuple(zip(tables[::2], tables[1::2], strict=True))
        return Draws(self.classes, (), (), pairs)


def scalability_parts(
    truth: PartFolder,
    runs: Sequence[PartFolder],
    out: PartFolder,
    settings: MeasureSettings | None = None,
    *,
    primitive: Primitive | None = None,
    ignore_uncertain: bool = False,
    skip_bad_lines: bool = False,
    draws: int = 100,
    seed: int = 0,
    step: int = STEP,
    jobs: int = 1,
    cluster: str | None = None,
    progress: Progress = silent,
) -> tuple[Scalability, dict[str, tuple[str, ...]]]:
    """Measure the scalability of runs part by part.

    Parameters
    ----------
    truth, runs, out, settings, primitive, ignore_uncertain, skip_bad_lines, jobs, cluster, progress
        As in `spotlab.lab.parts.evaluate_parts.evaluate_parts`; it shares the tallies.
    draws, seed, step : int
        As in `spotlab.studies.evaluate.scalability.measure_scalability`; classes and pages are
        those that are drawn for the whole collection in one piece.

    Returns
    -------
    scalability : Scalability
    remarks : dict of str to tuple of str
        What a person should know of each run.

    Raises
    ------
    SpotlabError
        As in `evaluate_parts`, or the truth has no labelled region.
    """
    settings = settings or MeasureSettings()
    drawn: Draws | None = None
    found: list[RunScalability] = []
    remarks = {}
    for totals, job in tallied_runs(
        truth, runs, out, settings, primitive, ignore_uncertain, skip_bad_lines, jobs, cluster,
        progress,
    ):  # fmt: skip
        if drawn is None:
            drawn = draw(_classes(totals), totals.pages, draws, seed, step, progress)
        samples = _samples(totals, job, drawn, jobs, cluster, progress)
        found.append(run_scalability(job.name, samples, drawn, progress))
        remarks[job.name] = remarks_on(totals)
    if drawn is None:
        raise SpotlabError("there is no run")
    return scalability_of(settings, drawn, found, draws, seed), remarks


def _classes(totals: PartTotals) -> tuple[str, ...]:
    """The labels of the truth, which are the same whatever the run."""
    classes = tuple(name for name, counts in totals.queries.items() if name and counts[1])
    if not classes:
        raise SpotlabError("the truth has no labelled region, so there is no class to draw")
    return classes


def _samples(
    totals: PartTotals,
    job: FiguresJob,
    drawn: Draws,
    jobs: int,
    cluster: str | None,
    progress: Progress,
) -> Samples:
    tables = [table for pair in drawn.parts for table in pair]
    packed = tuple((np.packbits(table, axis=1), table.shape[1]) for table in tables)
    groups = [each for each in groups_of(totals) if set(each.queries) & set(drawn.classes)]
    common = (SampleJob(job, drawn.classes, packed),)
    doing = f"ranking {job.name}"
    done = dict(each_done(samples_of_group, groups, jobs, cluster, progress, doing, common=common))
    return joined_samples([done[place] for place in range(len(groups))])


def samples_of_group(group: QueryGroup, job: SampleJob) -> Samples:
    """Sample the curves of a group, and count what is drawn of it.

    Parameters
    ----------
    group : QueryGroup
    job : SampleJob

    Raises
    ------
    SpotlabError
        This process is of another version, or a tally is damaged.
    """
    check_version(job.figures.version)
    figures, _, places = ranked(group, job.figures)
    wanted = set(group.queries)
    return sample(figures, job.drawn(), [name for name in job.classes if name in wanted], places)
