"""Evaluates runs part by part: no process ever holds more than a part, or one query's list.

First each part is tallied and the totals are added up in a tree; then the lists of some queries at
a time are put together from the tallies. Both keep what they have made, so that an evaluation that
was cancelled or killed goes on where it was.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from spotlab.compute import add_up, each_done
from spotlab.errors import BadInput, BadLines, SpotlabError, counted
from spotlab.extras import optional_module
from spotlab.formats.rows.part_folder import PartFolder
from spotlab.lab.parts.part_tally import PartsJob, PartTotals, sum_totals, tally_part
from spotlab.lab.parts.query_figures import (
    FiguresJob,
    GatheredFigures,
    QueryGroup,
    figures_of_group,
    groups_of,
    joined_sums,
    ranked,
)
from spotlab.measures.intervals import Interval, intervals_over_queries
from spotlab.measures.matching import ERROR_KINDS
from spotlab.measures.measure import MeasureSettings, known_measures
from spotlab.measures.scalability import STEP
from spotlab.model.region import Primitive
from spotlab.progress import Progress, silent
from spotlab.representation import short_repr
from spotlab.studies.evaluate.evaluation_json import ends, named, with_whole_counts
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
from spotlab.studies.tally.cluster import check_version, tally_version


def tallied_runs(
    truth: PartFolder,
    runs: Sequence[PartFolder],
    out: PartFolder,
    settings: MeasureSettings,
    primitive: Primitive | None,
    ignore_uncertain: bool,
    strict: bool,
    jobs: int,
    cluster: str | None,
    progress: Progress,
) -> Iterator[tuple[PartTotals, FiguresJob]]:
    """Tally runs one after the other; their parts are handed out, and add up on the way back.

    Parameters
    ----------
    truth, runs, out, settings, primitive, ignore_uncertain, strict, jobs, cluster, progress
        As in `spotlab.lab.parts.evaluate_parts.evaluate_parts`.

    Yields
    ------
    (Totals, FiguresJob)
        What all parts of a run hold, and where their tallies are.

    Raises
    ------
    SpotlabError
        There are no parts, those of a run do not fit the truth's, or two runs have the same name.
    BadLines
        Something of a run cannot be read, and is not to be skipped.
    Cancelled
        From ``progress``; what was finished is kept.
    """
    optional_module("pyarrow")
    names = truth.names()
    if not names:
        raise BadInput(truth.place, "there are no parts", expected="a folder of Parquet files")
    if len({run.name for run in runs}) < len(runs):
        raise SpotlabError("two runs have the same name; name their folders differently")
    for run in runs:
        own = run.names()
        without = sorted(set(own) - set(names))
        if without or not own:
            problem = f"{without[0]} has no truth" if without else "there are no parts"
            expected = f"parts that are called like those of {truth.place}"
            raise BadInput(run.place, problem, expected=expected)
    version = tally_version()
    for run in runs:
        kept = out / run.name
        job = PartsJob(
            run.name, truth, run, kept / "tallies", primitive, ignore_uncertain, settings.iou,
            version,
        )  # fmt: skip
        totals = add_up(
            tally_part, sum_totals, names, jobs, cluster, progress, f"tallying {run.name}",
            common=(job,),
        )  # fmt: skip
        assert totals is not None
        if totals.bad and strict:
            raise BadLines(totals.bad_lines)
        yield totals, FiguresJob(
            run.name, tuple(names), kept / "tallies", kept / "curves", settings, totals.area,
            totals.digest, version,
        )  # fmt: skip


def remarks_on(totals: PartTotals) -> tuple[str, ...]:
    """Return what a person should know of a run in parts, a line each."""
    lines = []
    if totals.left_out:
        pages = ", ".join(totals.left_out_pages[:3])
        lines.append(
            f"{counted(totals.left_out, 'spot')} left out: their pages have no truth in the part "
            f"of the same name, such as {pages}"
        )
    if totals.bad:
        lines.append(f"{counted(totals.bad, 'bad line')} left out: {totals.bad_lines[0]} …")
    if totals.reused:
        lines.append(f"{counted(totals.reused, 'part')} of {totals.parts:,} tallied earlier")
    if totals.damaged:
        lines.append(f"damaged tallies were made anew: {', '.join(totals.damaged)}")
    return tuple(lines)


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
        """Return what a person should know of it, a line each."""
        return remarks_on(self.totals)


@dataclass(frozen=True, eq=False)
class PartsEvaluation:
    """Runs that were evaluated part by part against the same truth.

    Attributes
    ----------
    settings : MeasureSettings
    runs : tuple of RunParts
    """

    settings: MeasureSettings
    runs: tuple[RunParts, ...]

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
    strict: bool = False,
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
    strict : bool
        Evaluate what can be read.
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
        truth, runs, out, settings, primitive, ignore_uncertain, strict, jobs, cluster,
        progress,
    ):  # fmt: skip
        figures = _figures(totals, job, jobs, cluster, progress)
        intervals = intervals_over_queries(figures)
        evaluated.append(RunParts(job.name, totals, figures, intervals))
    return PartsEvaluation(settings, tuple(evaluated))


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


def as_json(evaluation: PartsEvaluation) -> dict[str, Any]:
    """Return what `json.dumps` takes, without NaN.

    Parameters
    ----------
    evaluation : PartsEvaluation
    """
    settings = evaluation.settings
    return {
        "settings": {
            "overlap": str(settings.overlap),
            "beta": settings.beta,
            "recognised": settings.recognised,
            "iou": settings.iou,
            "missing": settings.missing,
            "at_recall": settings.at_recall,
            "at_precision": settings.at_precision,
            "at_rank": settings.at_rank,
        },
        "truth": {"pages": evaluation.pages, "regions": evaluation.regions},
        "runs": [_run(run) for run in evaluation.runs],
    }


def _run(run: RunParts) -> dict[str, Any]:
    figures, totals = run.figures, run.totals
    kinds = [str(kind) for kind in ERROR_KINDS]
    return {
        "name": run.name,
        "spots": totals.spots,
        "evaluated": totals.evaluated,
        "mean": named(figures.mean),
        "defined": named(figures.defined),
        "pooled": named(with_whole_counts(figures.pooled)),
        "intervals": {"queries": ends(run.intervals_over_queries)},
        "notes": {
            "left_out": totals.left_out,
            "bad_lines": totals.bad,
            "remarks": list(run.remarks),
        },
        "queries": {
            query: {
                "spots": totals.queries[query][0],
                "symbols": totals.queries[query][1],
                **named(with_whole_counts(_of_query(run, place))),
                "errors": dict(zip(kinds, totals.queries[query][2:], strict=True)),
            }
            for place, query in enumerate(figures.queries)
            if figures.in_truth[place]
        },
    }


def _of_query(run: RunParts, query: int) -> dict[str, float | None]:
    values = {name: float(column[query]) for name, column in run.figures.columns.items()}
    return {name: None if np.isnan(value) else value for name, value in values.items()}


@dataclass(frozen=True, eq=False)
class SampleJob:
    """Data that workers need to sample the curves of some queries.

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
    strict: bool = False,
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
    truth, runs, out, settings, primitive, ignore_uncertain, strict, jobs, cluster, progress
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
        truth, runs, out, settings, primitive, ignore_uncertain, strict, jobs, cluster,
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
