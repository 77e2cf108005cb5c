"""Evaluation of runs against truth: tallies, figures, errors, intervals, and what was left out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Literal

import numpy as np

from spotlab.arrays import Floats
from spotlab.compute import each_done
from spotlab.errors import counted
from spotlab.formats.runs.format import ReadRun
from spotlab.measures.figures import RunFigures, compute_figures
from spotlab.measures.intervals import (
    PRIMARY,
    UNITS,
    ComparedRun,
    Interval,
    Over,
    compare_runs,
    ranking_columns,
)
from spotlab.measures.matching import classify_errors
from spotlab.measures.measure import MeasureSettings
from spotlab.model.region import Primitive
from spotlab.model.run import Run
from spotlab.progress import Progress, silent
from spotlab.studies.evaluate.evaluation import Evaluation, LeftOut, RunEvaluation
from spotlab.studies.tally.cluster import tally_on_cluster
from spotlab.studies.tally.outlines import OffPage, notes_on, outline_flaws, spots_off_page
from spotlab.studies.tally.tallying import (
    ModelHandling,
    models_by_page,
    tally_runs,
    tally_without_models,
)
from spotlab.studies.tally.truth import (
    OUTSIDE,
    TruthSet,
    boxes_of_truths,
    explain_unmatched,
    match_pages,
    pages_of_truths,
)

Ties = Literal["file", "pages"]
GROUP = 20_000  # spots of the queries that are handed out together


def rankings_without_pages(
    figures: Sequence[RunFigures], jobs: int, cluster: str | None, progress: Progress
) -> list[Mapping[str, Floats] | None]:
    """Leave pages out of every run for `spotlab.measures.intervals.page_columns`.

    Some queries are handed out at a time, and the figures of all runs are sent once. The result
    does not depend on where this is done.

    Parameters
    ----------
    figures : sequence of RunFigures
    jobs, cluster
        As in `spotlab.compute.executor`.
    progress : Progress
        Told of each group of queries.

    Returns
    -------
    list of mapping of str to (1 + G, Q) float, or None
        For each run, see `spotlab.measures.intervals.ranking_columns`; None leaves the work to
        whoever needs it: one process, or a run on fewer than two pages.
    """
    found: list[Mapping[str, Floats] | None] = [None] * len(figures)
    if jobs == 1 and cluster is None:
        return found
    works = [
        (run, group)
        for run, each in enumerate(figures)
        if len(each.tally.pages) > 1
        for group in _groups(each)
    ]
    doing, common = "Leaving pages out", (tuple(figures),)
    done = dict(each_done(_without_pages, works, jobs, cluster, progress, doing, common=common))
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


def _without_pages(work: tuple[int, range], figures: Sequence[RunFigures]) -> dict[str, Floats]:
    run, queries = work
    return ranking_columns(figures[run], queries)


def evaluate(
    truth_set: TruthSet,
    read_runs: Sequence[ReadRun],
    settings: MeasureSettings | None = None,
    *,
    primitive: Primitive | None = None,
    primary: str = PRIMARY,
    over: Over | None = None,
    draws: int = 1000,
    seed: int = 0,
    jobs: int = 1,
    cluster: str | None = None,
    cache: Path | None = None,
    confusion: bool = True,
    models: ModelHandling = "ignore",
    ties: Ties = "file",
    progress: Progress = silent,
) -> Evaluation:
    """Evaluate runs against the same truth.

    Parameters
    ----------
    truth_set : TruthSet
    read_runs : sequence of ReadRun
    settings : MeasureSettings, optional
    primitive : Primitive, optional
        What all outlines, the truth's and the runs', are turned into before.
    primary, over, draws, seed
        As in `spotlab.measures.intervals.compare_runs`; without draws there are neither intervals
        nor comparisons.
    jobs, cluster
        Where pages are tallied; see `spotlab.compute.executor`.
    cache : Path, optional
        Folder for the tallies that a cluster makes; by default in the user's cache.
    confusion : bool
        Whether a cluster also measures on which labels spots lie, which takes as long again;
        otherwise this is measured here when it is asked for.
    models : {"ignore", "count"}
        Whether the regions that a run's queries were taken from are ignored for these queries, or
        counted like all others.
    ties : {"file", "pages"}
        Order of spots with the same score, see `ranked_by_page`.

    Notes
    -----
    A query of the truth for which a run has no spots has recall 0 and undefined precision. One that
    is not in the truth is listed apart, with the area that it retrieves, and is in no mean. Spots
    on pages without truth take no part, nor do those outside the subset that the truth is of.
    """
    read_runs = [told_of_boxes(each, truth_set, primitive) for each in read_runs]
    settings = settings or MeasureSettings()
    names = distinct_names([each.run for each in read_runs])
    matched = [match_pages(each.run.pages, truth_set) for each in read_runs]
    if ties == "pages":
        read_runs = [
            replace(each, run=ranked_by_page(each.run, truth_set, names_of))
            for each, names_of in zip(read_runs, matched, strict=True)
        ]
    own, truths = [each.run for each in read_runs], truth_set.truths
    if cluster is None:
        tallies = tally_runs(
            own, truths, matched, primitive=primitive, jobs=jobs, progress=progress
        )
        notes = notes_on(truths.items())
    else:
        tallies, notes = tally_on_cluster(
            own, truths, matched, cluster, cache, primitive, confusion, progress
        )
    placed = [
        models_by_page(each.run, match_pages([model.page for model in each.run.models], truth_set))
        for each in read_runs
    ]
    kept = [
        tally_without_models(tallied, truths, of_one, primitive)
        if models == "ignore" and of_one
        else tallied
        for tallied, of_one in zip(tallies, placed, strict=True)
    ]
    figures = [compute_figures(tallied, settings) for tallied in kept]
    compared = [ComparedRun(each) for each in figures]
    if draws:
        rankings = rankings_without_pages(figures, jobs, cluster, progress)
        compared = [ComparedRun(*each) for each in zip(figures, rankings, strict=True)]
    pages = pages_of_truths(truths)
    runs = []
    for number, (name, each) in enumerate(zip(names, read_runs, strict=True)):
        tallied = tallies[number]
        beyond = spots_off_page(each.run, pages, matched[number])
        intervals: dict[Over, Mapping[str, Interval | None]] = {}
        if draws:
            intervals = {unit: compared[number].intervals(unit, progress) for unit in UNITS}
        of_one = _evaluated(name, each, figures[number], beyond, truth_set, intervals)
        counted = compute_figures(tallied, settings) if kept[number] is not tallied else None
        runs.append(replace(of_one, ties=ties, models=placed[number], with_models=counted))
    design, differences = (
        compare_runs(compared, primary, over, draws, seed, progress) if draws else (None, {})
    )
    comparisons = {
        (names[first], names[second]): each for (first, second), each in differences.items()
    }
    return Evaluation(
        settings, primitive, truth_set, tuple(runs), comparisons, design, notes, draws, seed,
        models, primary=primary,
    )  # fmt: skip


def ranked_by_page(run: Run, truth_set: TruthSet, names: Mapping[str, str | None]) -> Run:
    """The run with spots of the same score page by page, as pycocotools orders them.

    Parameters
    ----------
    run : Run
    truth_set : TruthSet
        Its pages are in the order of their image ids in COCO, or in its own where some have none.
    names : mapping of str to str or None
        Which page of the truth each page of the run is.
    """
    pages = pages_of_truths(truth_set.truths)
    ids = {name: page.image_id for name, page in pages.items()}
    known = [each for each in ids.values() if isinstance(each, int)]
    ordered = sorted(ids, key=lambda name: ids[name]) if len(known) == len(ids) else list(ids)  # type: ignore[arg-type,return-value]
    places = {name: place for place, name in enumerate(ordered)}
    place = np.array([places.get(names[page] or "", len(ids)) for page in run.pages], np.int64)
    score = np.nan_to_num(run.score, nan=-np.inf)
    begins = (np.diff(run.query, prepend=-1) != 0) | (np.diff(score, prepend=np.nan) != 0)
    begins |= ~run.tied | np.isnan(run.score)
    order = np.lexsort((place[run.page], np.cumsum(begins)))
    return replace(
        run,
        page=run.page[order],
        outlines=run.outlines.take(order),
        label=run.label[order],
        line=run.line[order],
    )


def distinct_names(runs: Sequence[Run]) -> list[str]:
    """The names of runs; those that share one are told apart by their folders, or by numbers.

    Examples
    --------
    >>> from spotlab.geometry.polygon import Outlines
    >>> def run(path):
    ...     return Run.ordered("a", [], [], Outlines.of([]), source=Path(path))
    >>> distinct_names([run("old/a.csv"), run("new/a.csv"), run("new/a.csv")])
    ['old/a', 'new/a', 'new/a (2)']
    """
    shared = {name for name, times in Counter(run.name for run in runs).items() if times > 1}
    found: list[str] = []
    for run in runs:
        name = run.name
        if name in shared and run.source is not None and run.source.parent.name:
            name = f"{run.source.parent.name}/{name}"
        times, distinct = 1, name
        while distinct in found:
            times += 1
            distinct = f"{name} ({times})"
        found.append(distinct)
    return found


def _evaluated(
    name: str,
    read: ReadRun,
    figures: RunFigures,
    beyond: OffPage,
    truth_set: TruthSet,
    intervals: Mapping[Over, Mapping[str, Interval | None]],
) -> RunEvaluation:
    run, tallied = read.run, figures.tally
    flaws = outline_flaws(run.outlines)
    spots = dict(zip(run.queries, np.diff(run.starts).tolist(), strict=True))
    if truth_set.outside:  # of a subset only what lies on its pages is told
        spots = dict(zip(tallied.queries, np.diff(tallied.starts).tolist(), strict=True))
    symbols = dict(zip(tallied.queries, tallied.symbols.sum(axis=1).tolist(), strict=True))
    covered = float(tallied.gained_area.sum())
    return RunEvaluation(
        name=name,
        run=run,
        tally=tallied,
        figures=figures,
        errors=classify_errors(tallied, figures.settings.iou),
        intervals=intervals,
        bad_lines=read.bad_lines,
        left_out=left_out(run, truth_set),
        unknown_queries={
            query: spots[query]
            for query in run.queries
            if not symbols[query] and (spots[query] or not truth_set.outside)
        },
        unsearched=tuple(query for query in tallied.queries if query not in run.queries),
        without_area=flaws.without_area,
        crossing=flaws.crossing,
        off_page=beyond,
        tied=int(run.tied[tallied.spot].sum()),
        double_share=float(tallied.area.sum()) / covered if covered > 0 else None,
        read_remarks=read.remarks,
    )


def told_of_boxes(read: ReadRun, truth_set: TruthSet, primitive: Primitive | None) -> ReadRun:
    """The run, with a remark if its spots are boxes and regions of the truth are not.

    Then figures compare boxes with outlines, and even a detector that is right is never perfect.
    """
    outlines = read.run.outlines
    if primitive is not None or not len(outlines):
        return read
    if (np.diff(outlines.offsets) != 4).any():
        return read
    x, y = np.moveaxis(outlines.points.reshape(-1, 4, 2), 2, 0)
    upright = (x[:, 0] == x[:, 3]) & (x[:, 1] == x[:, 2]) & (y[:, 0] == y[:, 1])
    if not (upright & (y[:, 2] == y[:, 3])).all():
        return read
    regions, boxes = boxes_of_truths(truth_set.truths)
    if boxes == regions:
        return read
    remark = (
        f"all spots are boxes, and {regions - boxes:,} of {counted(regions, 'region')} of the "
        "truth are not: figures compare boxes with outlines; --primitive box compares boxes with "
        "boxes"
    )
    return replace(read, remarks=(*read.remarks, remark))


def left_out(run: Run, truth_set: TruthSet) -> tuple[LeftOut, ...]:
    """The spots of a run on pages that this truth is not of, but for those outside a subset."""
    spots = np.bincount(run.page, minlength=len(run.pages)).tolist()
    known = match_pages(run.pages, truth_set)
    unknown = [
        LeftOut(page, explain_unmatched(page, truth_set), number)
        for page, number in zip(run.pages, spots, strict=True)
        if known[page] is None
    ]
    return tuple(each for each in unknown if each.reason != OUTSIDE)
