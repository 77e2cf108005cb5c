"""Spotting runs evaluated against ground truth."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Literal

from spotlab.api.arguments import PathLike, Paths, as_arguments, check_choice, paths_of
from spotlab.api.evaluation_result import EvaluationResult
from spotlab.api.runs import RunSources, read_runs
from spotlab.api.truth import TruthSource, read_truth
from spotlab.measures.measure import MeasureSettings
from spotlab.measures.tally import Overlap
from spotlab.model.region import Primitive
from spotlab.progress import Progress, silent
from spotlab.studies.evaluate import evaluate as study
from spotlab.studies.evaluate.cuts import parse_rule
from spotlab.studies.tally.query_models import without_uncertain
from spotlab.studies.tally.subset import subset_of


def evaluate(
    truth: TruthSource,
    runs: RunSources,
    *,
    overlap: Literal["union", "sum"] = "union",
    beta: float = 1.0,
    recognised: float = 0.75,
    iou: float = 0.5,
    at_recall: float = 0.5,
    at_precision: float = 0.5,
    primitive: str | None = None,
    pages: str | Sequence[str] = (),
    subset: Paths = (),
    missing: Literal["zero", "drop"] = "zero",
    models: Literal["ignore", "count"] = "ignore",
    uncertain: Literal["count", "ignore"] = "count",
    draws: int = 1000,
    seed: int = 0,
    cut: str | None = None,
    words: bool = False,
    texts: bool = False,
    naming: PathLike | None = None,
    skip_bad_lines: bool = False,
    jobs: int = 1,
    cluster: str | None = None,
    cache: PathLike | None = None,
    progress: Progress = silent,
) -> EvaluationResult:
    """Evaluate spotting runs against ground truth.

    Parameters
    ----------
    truth : GroundTruth, path, sequence of path, or table
        What `read_truth` gave or takes.
    runs : path, DataFrame, SpottingRun, or several of these
        What `read_run` gave or takes, one or a sequence; a folder of such files; or a mapping of
        names to them. A table has the columns query, page, points (px) and score or rank.
    overlap : "union" or "sum"
        Whether area covered by several spots counts once, or once per spot.
    beta : float
        Weight of recall in F; above 1 recall weighs more.
    recognised : float
        Share in (0, 1] of a symbol's area from which it is recognised.
    iou : float
        Intersection over union in (0, 1] from which a spot is right, for AP, P, R and F at IoU, and
        kinds of errors.
    at_recall, at_precision : float
        The area recall in (0, 1] at which precision is reported, and the area precision at which
        recall is.
    primitive : str, optional
        Convert every outline before measuring: "hull", "polygon", "box", "ellipse", "isothetic",
        "trace" or "cells"; by default outlines are measured as they are.
    pages : str or sequence of str
        Patterns such as "plan_0*": only pages whose names fit one are evaluated.
    subset : path or sequence of path
        Text files with the name of a page on each line: only these pages are evaluated.
    missing : "zero" or "drop"
        How a query that never reaches a recall enters the mean curves: as 0, or left out.
    models : "ignore" or "count"
        Whether the regions that a run's queries were taken from, and the spots on them, are left
        out, or counted like all others. Runs of `spot_symbols` and `spot_words` say where these
        are.
    uncertain : "count" or "ignore"
        Whether truth regions that are marked as uncertain count, or are ignored like difficult
        ones.
    draws : int
        Number of bootstrap draws for intervals and differences; 0 leaves them out.
    seed : int
        Of the bootstrap.
    cut : str, optional
        Also give the figures where each run is cut: at "rank=20" or "score=.7", where it reaches
        "recall=.8", as far as it holds "precision=.9", or at its best F, "best-f".
    words, texts : bool
        See `read_truth`.
    naming : path, optional
        Of COCO results: the COCO file that names images and categories.
    skip_bad_lines : bool
        Evaluate what can be read of the runs.
    jobs : int
        Number of worker processes; 0 means one per CPU core.
    cluster : str, optional
        Address of a Dask scheduler whose workers read and tally the pages; see
        `spotlab.compute.executor`. They find these at the same paths.
    cache : path, optional
        Folder for the tallies that a cluster makes; by default in the user's cache. What is there
        already is used again.
    progress : callable
        Told how far it is.

    Returns
    -------
    EvaluationResult
        Figures of every query and run; NaN where one is undefined: precision where nothing was
        retrieved, recall where there is no truth.

    Raises
    ------
    SpotlabError
        Something cannot be read, nothing of a run fits the truth, or a value is out of range.

    References
    ----------
    M. Rusiñol and J. Lladós, "A performance evaluation protocol for symbol spotting systems in
    terms of recognition and location indices", IJDAR 12(2), 2009, eqs. 7 to 11.

    Examples
    --------
    >>> truth = {"page": ["plan"], "label": ["bed"], "points": ["0,0 20,0 20,10 0,10"],
    ...          "page_width": [100], "page_height": [100]}
    >>> run = {"query": ["bed"], "page": ["plan"], "score": [0.9],
    ...        "points": [[(10, 0), (30, 0), (30, 10), (10, 10)]]}
    >>> evaluate(truth, {"mine": run}, draws=0)
    1 run, 1 page, 1 region: means over queries
    run   Precision  Recall     F  AP at IoU  Recognition rate (%)
    mine       .500    .500  .500       .000                   0.0
    """
    check_choice(overlap, "overlap", [str(each) for each in Overlap])
    check_choice(missing, "missing", ("zero", "drop"))
    check_choice(models, "models", ("ignore", "count"))
    check_choice(uncertain, "uncertain", ("count", "ignore"))
    if primitive is not None:
        check_choice(primitive, "primitive", [str(each) for each in Primitive])
    with as_arguments():
        settings = MeasureSettings(
            Overlap(overlap), beta, recognised, iou, missing, at_recall, at_precision
        )
        rule = None if cut is None else parse_rule(cut)
    every = read_truth(
        truth, words=words, texts=texts, cluster=cluster, progress=progress
    ).truth_set
    with as_arguments():
        patterns = [pages] if isinstance(pages, str) else list(pages)
        truth_set = subset_of(every, patterns, paths_of(subset, "subset"))
    if uncertain == "ignore":
        truth_set = without_uncertain(truth_set)
    read = read_runs(
        runs, truth_set, naming=naming, skip_bad_lines=skip_bad_lines, progress=progress
    )
    evaluated = study.evaluate(
        truth_set,
        read,
        settings,
        primitive=None if primitive is None else Primitive(primitive),
        draws=draws,
        seed=seed,
        jobs=jobs,
        cluster=cluster,
        cache=None if cache is None else Path(cache),
        models=models,
        progress=progress,
    )
    return EvaluationResult(replace(evaluated, cut=rule))
