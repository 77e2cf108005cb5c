"""Spotting runs evaluated against ground truth."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from spotlab.api.arguments import PathLike, Paths, as_arguments, check_choice, paths_of
from spotlab.api.curves import Curves
from spotlab.api.evaluation_frames import (
    DIFFERENCES,
    NAMES,
    difference_rows,
    mean_columns,
    page_columns,
    query_columns,
    rank_columns,
    spot_table,
    summary_of,
)
from spotlab.api.runs import RunSources, read_runs
from spotlab.api.summary import Summary, html_of, text_of
from spotlab.api.tables import stacked
from spotlab.api.truth import TruthSource, read_truth
from spotlab.measures.settings import MeasureSettings
from spotlab.measures.tally import Overlap
from spotlab.model.region import Primitive
from spotlab.progress import Progress, silent
from spotlab.report.column_files import write_columns
from spotlab.studies.areas import evaluate as study
from spotlab.studies.areas.evaluation import Evaluation
from spotlab.studies.areas.evaluation_json import as_json
from spotlab.studies.areas.ignored_models import without_uncertain
from spotlab.studies.areas.list_cut import parse_rule
from spotlab.studies.areas.spot_table import SPOT_COLUMNS
from spotlab.studies.areas.subset import subset_of

if TYPE_CHECKING:
    from pandas import DataFrame


@dataclass(frozen=True, eq=False, repr=False)
class EvaluationResult:
    """Runs evaluated against ground truth; `evaluate` makes it.

    Attributes
    ----------
    evaluation : Evaluation
        All that is known of the truth and of each run.
    """

    evaluation: Evaluation

    @property
    def remarks(self) -> tuple[str, ...]:
        """What was left out or may surprise, a line each."""
        runs = self.evaluation.runs
        told = (f"{run.name}: {remark}" for run in runs for remark in run.remarks)
        return (*self.evaluation.remarks, *told)

    def frame(self) -> DataFrame:
        """A row for each run and query of the truth.

        Returns
        -------
        DataFrame
            Columns run, query, spots and a column for each figure: area_precision, area_recall, f,
            fall_out, generality, average_precision_hits, average_precision_relevant,
            average_precision_retrieved, precision_at_recall, recall_at_precision, iou_precision,
            iou_precision_50_95, precision_at_iou, recall_at_iou and f_at_iou (shares in [0, 1]),
            symbols, recognised and false_positives (counts), recognition_rate (%). NaN where
            undefined.

        Examples
        --------
        >>> from spotlab.resources import sample_collection
        >>> plans = sample_collection()
        >>> result = evaluate(plans, plans / "runs" / "a_ratios.csv", draws=0)
        >>> result.frame().set_index("query").loc["sofa", "symbols"].item()
        10
        """
        parts = [query_columns(run) for run in self.evaluation.runs]
        return stacked(parts, ("run", "query", "spots", *NAMES))

    def means(self) -> DataFrame:
        """A row for each run and figure.

        Returns
        -------
        DataFrame
            Columns run, figure, mean over the queries, low and high (ends of its 95 % interval, had
            other queries been drawn), queries (over how many the mean goes) and pooled (all
            queries' areas together). NaN where undefined.
        """
        parts = [mean_columns(run) for run in self.evaluation.runs]
        return stacked(parts, ("run", "figure", "mean", "low", "high", "queries", "pooled"))

    def pages(self) -> DataFrame:
        """A row for each run and page: the figures of the truth's queries there together.

        Returns
        -------
        DataFrame
            Columns run, page and the figures that are formulas of areas and counts, as in `frame`;
            NaN where undefined.
        """
        parts = [page_columns(run) for run in self.evaluation.runs]
        return stacked(parts, tuple(parts[0]) if parts else ("run", "page"))

    def differences(self) -> DataFrame:
        """A row for each two runs and figure.

        Returns
        -------
        DataFrame
            Columns first, second, figure, difference (first minus second, the mean over queries),
            low and high (its 95 % interval), p, and p_holm, corrected for all rows (NaN for
            figures of the truth). Without rows where nothing was drawn.
        """
        return stacked(difference_rows(self.evaluation), DIFFERENCES)

    def ranks(self) -> DataFrame:
        """A row for each spot that was evaluated, in order of rank.

        Returns
        -------
        DataFrame
            Columns run, query, page, rank (from 1), score, and what a list that ends there has:
            precision, recall, fall_out, f (shares in [0, 1]), recognised, false_positives.
        """
        names = ("run", "query", "page", "rank", "score", "precision", "recall", "fall_out", "f",
                 "recognised", "false_positives")  # fmt: skip
        return stacked([rank_columns(run) for run in self.evaluation.runs], names)

    def spots(self) -> DataFrame:
        """A row for each spot that was evaluated, and what is wrong with it.

        Returns
        -------
        DataFrame
            Columns run, query, page, rank (from 1), score, kind (of error), region, label and iou
            (of the truth region that it is judged by or lies on), area (px²), own_share,
            other_share and no_truth_share (shares of its area on truth of its query, on truth of
            other labels, and on none). Missing where undefined.

        Examples
        --------
        >>> from spotlab.resources import sample_collection
        >>> plans = sample_collection()
        >>> spots = evaluate(plans, plans / "runs" / "a_ratios.csv", draws=0).spots()
        >>> spots.set_index(["query", "rank"]).loc[("sofa", 1), ["kind", "label"]].tolist()
        ['correct', 'sofa']
        """
        return stacked([spot_table(self.evaluation)], SPOT_COLUMNS)

    def write_spots(self, file: PathLike) -> Path:
        """Write the table of `spots`.

        Parameters
        ----------
        file : path
            Its suffix, ``.csv``, ``.parquet`` or ``.json``, says the format.

        Returns
        -------
        Path
            The file.

        Raises
        ------
        NotSaved
            It cannot be written, or has another suffix.
        """
        write_columns(spot_table(self.evaluation), Path(file))
        return Path(file)

    def curves(self) -> Curves:
        """Mean precision, fall-out and F over recall of each run."""
        return Curves({run.name: run.figures for run in self.evaluation.runs})

    def as_dict(self) -> dict[str, Any]:
        """Everything in the layout of ``spotlab evaluate --json``; None where undefined."""
        built: dict[str, Any] = as_json(self.evaluation)
        return built

    def write_report(
        self, folder: PathLike, *, made: datetime | None = None, progress: Progress = silent
    ) -> Path:
        """Write an HTML report with tables and curves as CSV, LaTeX, SVG and PDF.

        Parameters
        ----------
        folder : path
            Made if it is not there.
        made : datetime, optional
            What the report says of when it was made; now by default.
        progress : callable
            Told how far it is.

        Returns
        -------
        Path
            The page to open.

        Raises
        ------
        NotSaved
            It cannot be written.

        Examples
        --------
        >>> import tempfile
        >>> from spotlab.resources import sample_collection
        >>> plans = sample_collection()
        >>> result = evaluate(plans / "plan_001.png", plans / "runs" / "c_polygons.csv", draws=0)
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     result.write_report(folder).name
        'report.html'
        """
        from spotlab.report.write import write_report  # noqa: PLC0415 - matplotlib takes a second

        return write_report(self.evaluation, Path(folder), progress, made)

    @property
    def summary(self) -> Summary:
        """Means over the queries."""
        return summary_of(self.evaluation, self.remarks)

    __repr__ = text_of
    _repr_html_ = html_of


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
    every = read_truth(truth, words=words, texts=texts, progress=progress).truth_set
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
        models=models,
        progress=progress,
    )
    return EvaluationResult(replace(evaluated, cut=rule))
