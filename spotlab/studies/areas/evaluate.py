"""Evaluates runs against truth: tallies, figures, errors, intervals, and all that was left out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import combinations

import numpy as np

from spotlab.formats.runs.format import ReadRun
from spotlab.geometry.outlines import Outlines
from spotlab.measures.bootstrap import intervals_over_pages, intervals_over_queries
from spotlab.measures.errors import classify_errors
from spotlab.measures.figures import RunFigures, compute_figures
from spotlab.measures.measure import known_figures
from spotlab.measures.multiple_comparisons import correct_differences
from spotlab.measures.settings import MeasureSettings
from spotlab.measures.significance import compare_runs
from spotlab.measures.tally import Floats
from spotlab.model.region import Primitive
from spotlab.model.run import Run
from spotlab.model.truth import Truth
from spotlab.progress import Progress, silent
from spotlab.studies.areas.drawn_pages import drawn_rankings
from spotlab.studies.areas.evaluation import Evaluation, Flawed, LeftOut, RunEvaluation
from spotlab.studies.areas.ignored_models import (
    ModelHandling,
    models_by_page,
    tally_without_models,
)
from spotlab.studies.areas.off_page import OffPage, off_page, spots_off_page
from spotlab.studies.areas.outline_flaws import outline_flaws
from spotlab.studies.areas.tallying import tally_runs
from spotlab.studies.areas.truth_files import OUTSIDE, TruthSet, explain_unmatched, match_pages


def evaluate(
    truth_set: TruthSet,
    read_runs: Sequence[ReadRun],
    settings: MeasureSettings | None = None,
    *,
    primitive: Primitive | None = None,
    draws: int = 1000,
    seed: int = 0,
    jobs: int = 1,
    cluster: str | None = None,
    models: ModelHandling = "ignore",
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
    draws, seed : int
        Of the bootstrap; without draws there are neither intervals nor comparisons.
    jobs, cluster
        Where pages are tallied; see `spotlab.compute.executor`.
    models : {"ignore", "count"}
        Whether the regions that a run's queries were taken from are ignored for these queries, or
        counted like all others.

    Notes
    -----
    A query of the truth for which a run has no spots has recall 0 and undefined precision. One that
    is not in the truth is listed apart, with the area that it retrieves, and is in no mean. Spots
    on pages without truth take no part, nor do those outside the subset that the truth is of.
    """
    settings = settings or MeasureSettings()
    names = distinct_names([each.run for each in read_runs])
    matched = [match_pages(each.run.pages, truth_set) for each in read_runs]
    tallies = tally_runs(
        [each.run for each in read_runs], truth_set.truths, matched,
        primitive=primitive, jobs=jobs, cluster=cluster, progress=progress,
    )  # fmt: skip
    placed = [
        models_by_page(each.run, match_pages([model.page for model in each.run.models], truth_set))
        for each in read_runs
    ]
    kept = [
        tally_without_models(tallied, truth_set.truths, of_one, primitive)
        if models == "ignore" and of_one
        else tallied
        for tallied, of_one in zip(tallies, placed, strict=True)
    ]
    figures = [compute_figures(tallied, settings) for tallied in kept]
    drawn = drawn_rankings(figures, draws, seed, jobs, cluster, progress)
    runs = []
    for number, (name, each) in enumerate(zip(names, read_runs, strict=True)):
        tallied = tallies[number]
        beyond = spots_off_page(each.run, truth_set.truths, matched[number])
        of_one = _evaluated(
            name, each, figures[number], beyond, truth_set, draws, seed, drawn[number], progress
        )
        counted = compute_figures(tallied, settings) if kept[number] is not tallied else None
        runs.append(replace(of_one, models=placed[number], with_models=counted))
    pairs = list(combinations(runs, 2)) if draws else []
    raw = [
        compare_runs(first.figures, second.figures, draws=draws, seed=seed, progress=progress)
        for first, second in pairs
    ]
    corrected, tests = correct_differences(raw, known_figures())
    comparisons = {
        (first.name, second.name): differences
        for (first, second), differences in zip(pairs, corrected, strict=True)
    }
    without_area, crossing, without_label, leaving = _flawed_truth(truth_set)
    return Evaluation(
        settings, primitive, truth_set, tuple(runs), comparisons,
        without_area, crossing, without_label, leaving, draws, seed, models, tests,
    )  # fmt: skip


def distinct_names(runs: Sequence[Run]) -> list[str]:
    """The names of runs; those that share one are told apart by their folders, or by numbers.

    Examples
    --------
    >>> from pathlib import Path
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
    draws: int,
    seed: int,
    drawn: Mapping[str, Floats] | None,
    progress: Progress,
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
        intervals_over_queries=intervals_over_queries(figures, draws, seed, progress=progress)
        if draws
        else {},
        intervals_over_pages=intervals_over_pages(
            figures, draws, seed, progress=progress, ranking=drawn
        )
        if draws
        else {},
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


def _flawed_truth(truth_set: TruthSet) -> tuple[tuple[Flawed, ...], ...]:
    """Regions without area, with outlines that cross themselves, without label, off the page."""
    regions = [
        (Flawed(page, region.id, region.label), region.array)
        for page, truth in truth_set.truths.items()
        for region in truth.regions
    ]
    flaws = outline_flaws(Outlines.of([array for _, array in regions]))
    return (
        tuple(regions[place][0] for place in flaws.without_area),
        tuple(regions[place][0] for place in flaws.crossing),
        tuple(flawed for flawed, _ in regions if not flawed.label),
        tuple(
            Flawed(page, truth.regions[place].id, truth.regions[place].label)
            for page, truth in truth_set.truths.items()
            for place in _leaving(truth)
        ),
    )


def _leaving(truth: Truth) -> list[int]:
    outlines = Outlines.of([region.array for region in truth.regions])
    found = off_page(outlines, (truth.page.width, truth.page.height))
    return sorted([*found.partly.tolist(), *found.wholly.tolist()])
