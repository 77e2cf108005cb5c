"""Spotting runs evaluated against ground truth: as frames, curves and a report."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from spotlab.api.arguments import (
    ResultSummary,
    as_arguments,
    frame_of_rows,
    html_of,
    path_of,
    paths_of,
    stacked,
    text_of,
)
from spotlab.api.job import checked, job
from spotlab.api.read_run import read_runs
from spotlab.api.read_truth import read_truth
from spotlab.api.settings import EvaluationSettings
from spotlab.errors import BadArgument, counted
from spotlab.files import PathLike
from spotlab.formats.rows.json_values import attributes
from spotlab.measures.figures import RunFigures, figures_by_page
from spotlab.measures.measure import MeasureSettings, known_figures
from spotlab.measures.tally import Overlap
from spotlab.measures.thresholds import threshold_curves
from spotlab.model.region import Primitive
from spotlab.progress import Progress, silent
from spotlab.report.colours import styles_of
from spotlab.report.figure_text import written
from spotlab.report.run_tables import figure_columns
from spotlab.report.tables import write_columns
from spotlab.studies.evaluate import evaluate as study
from spotlab.studies.evaluate.cuts import best_thresholds, parse_rule
from spotlab.studies.evaluate.evaluation import (
    SPOT_COLUMNS,
    Evaluation,
    RunEvaluation,
    run_called,
    spot_columns,
)
from spotlab.studies.evaluate.evaluation_json import CURVES, as_json
from spotlab.studies.tally.subset import subset_of
from spotlab.studies.tally.tallying import without_uncertain

if TYPE_CHECKING:
    from matplotlib.figure import Figure
    from pandas import DataFrame

    from spotlab.measures.intervals import Interval


@job(EvaluationSettings)
def evaluate(chosen: EvaluationSettings) -> EvaluationResult:
    """Evaluate spotting runs against ground truth.

    Parameters
    ----------
    chosen : EvaluationSettings
        The parameters are its attributes.

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
    1 run, 1 page, 1 region: means over 1 query
    run   Precision  Recall     F  AP at IoU .5  Recognition rate (75 % of the area), in %, pooled
    mine       .500    .500  .500          .000                                                0.0
    """
    with as_arguments():
        settings = MeasureSettings(
            Overlap(chosen.overlap),
            chosen.beta,
            chosen.recognised,
            chosen.iou,
            chosen.missing,
            chosen.at_recall,
            chosen.at_precision,
            chosen.sizes,
            chosen.at_rank,
        )
        rule = None if chosen.cut is None else parse_rule(chosen.cut)
        primary = primary_of(chosen.primary)
    every = read_truth(
        chosen.truth,
        words=chosen.words,
        texts=chosen.texts,
        file_group=chosen.file_group,
        annotator=chosen.annotator,
        strict=chosen.strict,
        cluster=chosen.cluster,
        progress=chosen.progress,
    ).truth_set
    with as_arguments():
        patterns = [chosen.pages] if isinstance(chosen.pages, str) else list(chosen.pages)
        tags = [chosen.tag] if isinstance(chosen.tag, str) else list(chosen.tag)
        truth_set = subset_of(every, patterns, paths_of(chosen.subset, "subset"), tags)
    if chosen.uncertain == "ignore":
        truth_set = without_uncertain(truth_set)
    read = read_runs(
        chosen.runs,
        truth_set,
        naming=chosen.naming,
        columns=chosen.columns,
        strict=chosen.strict or not chosen.skip_bad_lines,
        progress=chosen.progress,
    )
    wanted = [chosen.in_full] if isinstance(chosen.in_full, str) else list(chosen.in_full)
    with as_arguments():
        names = study.distinct_names([each.run for each in read])
        named = [(name, each.run) for name, each in zip(names, read, strict=True)]
        full = tuple(run_called(named, each, "in_full") for each in wanted)
    evaluated = study.evaluate(
        truth_set,
        read,
        settings,
        primitive=None if chosen.primitive is None else Primitive(chosen.primitive),
        primary=primary,
        over=chosen.over,
        draws=chosen.draws,
        seed=chosen.seed,
        jobs=chosen.jobs,
        cluster=chosen.cluster,
        cache=path_of(chosen.cache),
        models=chosen.models,
        ties=chosen.ties,
        progress=chosen.progress,
    )
    return EvaluationResult(replace(evaluated, cut=rule, chosen=full))


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
        """Return what was left out or may surprise, a line each."""
        runs = self.evaluation.runs
        told = (f"{run.name}: {remark}" for run in runs for remark in run.remarks)
        return (*self.evaluation.remarks, *told)

    def frame(self) -> DataFrame:
        """A row for each run and query of the truth.

        Returns
        -------
        DataFrame
            Columns run, query, spots and a column for each figure: area_precision, area_recall, f,
            fall_out, generality, average_precision_retrieved, average_precision_relevant,
            average_precision_hits, precision_at_rank, precision_at_recall, recall_at_precision,
            iou_precision, iou_precision_50_95, precision_at_iou, recall_at_iou and f_at_iou; by
            size iou_precision_small, …_medium and …_large; average_recall_1, …_10, …_100, …_small,
            …_medium and …_large (shares in [0, 1]); symbols, recognised and false_positives
            (counts), recognition_rate (%). NaN where undefined.

        Examples
        --------
        >>> from spotlab import evaluate
        >>> from spotlab.resources import sample_collection
        >>> plans = sample_collection()
        >>> result = evaluate(plans, plans / "runs" / "a_ratios.csv", draws=0)
        >>> result.frame().set_index("query").loc["sofa", "symbols"].item()
        10
        """
        parts = [query_columns(run) for run in self.evaluation.runs]
        return stacked(parts, ("run", "query", "spots", *FIGURE_NAMES))

    def means(self) -> DataFrame:
        """A row for each run and figure.

        Returns
        -------
        DataFrame
            Columns run, figure, mean over the queries, low and high (ends of its 95 % interval, had
            other queries been drawn), queries (over how many the mean goes) and pooled (all
            queries' areas together). NaN where undefined.
        """
        rows = [
            (
                run.name,
                name,
                run.figures.mean[name],
                *_ends(interval),
                run.figures.defined[name],
                run.figures.pooled[name],
            )
            for run in self.evaluation.runs
            for name in FIGURE_NAMES
            for interval in (run.intervals_of(self.evaluation.design).get(name),)
        ]
        return frame_of_rows(MEANS, rows)

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
            Columns first, second, figure, difference (second minus first, in the mean), low and
            high (its 95 % interval; NaN where there are too few queries or pages), and of the
            figure that is tested p, and p_holm, corrected for all pairs of runs (NaN for all other
            figures). Without rows where nothing was drawn.
        """
        rows = [
            (first, second, name, found.value, *_ends(found.interval), found.p, found.p_holm)
            for (first, second), differences in self.evaluation.comparisons.items()
            for name, found in differences.items()
            if found is not None
        ]
        return frame_of_rows(DIFFERENCES, rows)

    def thresholds(self) -> DataFrame:
        """A row for each run and each way in which a threshold has the highest F.

        Returns
        -------
        DataFrame
            Columns run, of (area: F of areas; iou: of numbers of spots that are right at the IoU),
            over (mean: over queries; pooled: all queries together), by (score, rank), threshold,
            f, precision, recall (shares, on the pages that it was chosen on), held_out (F on pages
            on which a threshold was not chosen), low and high (in which F lies on as many other
            pages with a probability of 95 %). NaN where undefined.

        Examples
        --------
        >>> from spotlab import evaluate
        >>> from spotlab.resources import sample_collection
        >>> plans = sample_collection()
        >>> found = evaluate(plans, plans / "runs" / "e_alignment.csv", draws=0).thresholds()
        >>> found[found.of.eq("iou") & found.over.eq("pooled")]["threshold"].tolist()
        [0.64, 17.0]
        """
        return frame_of_rows(THRESHOLDS, _threshold_rows(self.evaluation.runs))

    @checked
    def over_score(self, *, pooled: bool = True) -> DataFrame:
        """Precision, recall and F at the IoU over the score, with intervals over pages.

        Parameters
        ----------
        pooled : bool
            All queries together, as detectors are reported; else means over queries.

        Returns
        -------
        DataFrame
            Columns run, score, and precision, recall and f (shares), each with the ends of its 95 %
            interval, such as f_low and f_high: 201 rows for each run at most. NaN where undefined.
        """
        parts = []
        for run in self.evaluation.runs:
            curves = threshold_curves(run.figures.by_numbers, pooled=pooled)
            part: dict[str, list[Any]] = {
                "run": [run.name] * len(curves.value), "score": curves.value.tolist()
            }  # fmt: skip
            for name, band in curves.bands.items():
                part[name] = getattr(curves, name).tolist()
                part[f"{name}_low"], part[f"{name}_high"] = band.tolist()
            parts.append(part)
        return stacked(parts, tuple(parts[0]) if parts else ("run", "score"))

    def confused(self) -> DataFrame:
        """A row for each run and pair of labels that it confuses, the worst of each run first.

        Returns
        -------
        DataFrame
            Columns run, query, label (of the truth that spots of the query lie on), spots (their
            number) and share (of all spots of the query, in [0, 1]).
        """
        evaluation = self.evaluation
        rows = [
            (run.name, *pair)
            for run in evaluation.runs
            for pair in evaluation.confusion_by_spots(run).pairs
        ]
        return frame_of_rows(("run", "query", "label", "spots", "share"), rows)

    def ranks(self) -> DataFrame:
        """A row for each spot that was evaluated, in order of rank.

        Returns
        -------
        DataFrame
            Columns run, query, page, rank (from 1), score, and what a list that ends there has:
            precision, recall, fall_out, f (shares in [0, 1]), recognised, false_positives.
        """
        names = ("run", "query", "page", "rank", "score", *CURVES)
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
        >>> from spotlab import evaluate
        >>> from spotlab.resources import sample_collection
        >>> plans = sample_collection()
        >>> spots = evaluate(plans, plans / "runs" / "a_ratios.csv", draws=0).spots()
        >>> spots.set_index(["query", "rank"]).loc[("sofa", 1), ["kind", "label"]].tolist()
        ['correct', 'sofa']
        """
        return stacked([spot_table(self.evaluation)], SPOT_COLUMNS)

    @checked
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

    def plot_critical_difference(self, width: float = 7.16) -> Figure:
        """Draw the critical-difference plot of the tested figure, for print.

        Parameters
        ----------
        width : float
            In inches, such as 7.16 for two columns of a page or 3.5 for one.

        Returns
        -------
        matplotlib.figure.Figure
            Mean ranks of the runs; a bar joins those that do not differ significantly.

        Raises
        ------
        BadArgument
            Nothing is tested: there is only one run, there are no draws, or too few queries and
            pages.

        Notes
        -----
        Demšar (2006), Fig. 1, with the pairs and corrected p of `differences`.
        """
        from spotlab.report.run_plots import rank_figure  # noqa: PLC0415 - matplotlib

        evaluation = self.evaluation
        if evaluation.design is None or not evaluation.ranks:
            raise BadArgument(
                "nothing is tested, so runs have no ranks; expected two runs and draws"
            )
        names, styles = [run.name for run in evaluation.runs], styles_of(evaluation)
        return rank_figure(names, styles, evaluation.design, evaluation.p_of_pairs, width)

    def plot_confusion(
        self, run: str | None = None, by: Literal["spots", "area"] = "spots",
        width: float = 7.16,
    ) -> Figure:  # fmt: skip
        """Draw on which labels the spots of each query lie, for print.

        Parameters
        ----------
        run : str, optional
            Name of the run; may be left out where there is only one.
        by : {"spots", "area"}
            What is counted.
        width : float
            In inches, such as 7.16 for two columns of a page or 3.5 for one.

        Returns
        -------
        matplotlib.figure.Figure

        Raises
        ------
        BadArgument
            There is no such run.

        Examples
        --------
        >>> from spotlab import evaluate
        >>> from spotlab.resources import sample_collection
        >>> plans = sample_collection()
        >>> result = evaluate(plans / "plan_001.png", plans / "runs" / "c_polygons.csv", draws=0)
        >>> float(result.plot_confusion(width=3.5).get_figwidth())
        3.5
        """
        from spotlab.report.run_plots import confusion_figure  # noqa: PLC0415 - matplotlib

        one = self._run(run)
        confusion = self.evaluation.confusion(one)
        drawn = confusion_figure(one.name, confusion, by, width)
        assert drawn is not None  # an evaluation measures areas
        return drawn

    def plot_errors(self, run: str | None = None, rows: int = 1, width: float = 7.16) -> Figure:
        """Draw the worst errors of each kind as pictures cut out of their pages, for print.

        Parameters
        ----------
        run : str, optional
            Name of the run; may be left out where there is only one.
        rows : int
            Number of rows of pictures for each kind, at most.
        width : float
            In inches, such as 7.16 for two columns of a page or 3.5 for one.

        Returns
        -------
        matplotlib.figure.Figure

        Raises
        ------
        BadArgument
            There is no such run.
        """
        from spotlab.report.images import RunErrors, error_crops  # noqa: PLC0415
        from spotlab.report.run_plots import errors_figure  # noqa: PLC0415 - matplotlib

        one = self._run(run)
        errors = [RunErrors(one.name, one.run, one.errors)]
        kinds = error_crops(self.evaluation.truths, errors)[one.name]
        iou = self.evaluation.settings.iou
        return errors_figure(one.name, kinds, iou, width, rows)

    def _run(self, name: str | None) -> RunEvaluation:
        """The run of this name, or the only one."""
        runs = self.evaluation.runs
        if name is None and len(runs) == 1:
            return runs[0]
        with as_arguments():
            called = run_called([(run.name, run.run) for run in runs], name, "run")
        return next(run for run in runs if run.name == called)

    def as_dict(self) -> dict[str, Any]:
        """Everything in the layout of ``spotlab evaluate --json``; None where undefined."""
        built: dict[str, Any] = as_json(self.evaluation)
        return built

    @checked
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
        >>> from spotlab import evaluate
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
    def summary(self) -> ResultSummary:
        """Means over the queries."""
        return summary_of(self.evaluation, self.remarks)

    __repr__ = text_of
    _repr_html_ = html_of


SUMMARY_FIGURES = ("area_precision", "area_recall", "f", "iou_precision", "recognition_rate")
FIGURE_NAMES = tuple(figure.name for figure in known_figures())
MEANS = ("run", "figure", "mean", "low", "high", "queries", "pooled")
DIFFERENCES = ("first", "second", "figure", "difference", "low", "high", "p", "p_holm")
THRESHOLDS = (
    "run", "of", "over", "by", "threshold", "f", "precision", "recall", "held_out", "low", "high",
)  # fmt: skip
COUNTS = frozenset(figure.name for figure in known_figures() if figure.unit == "count")


def primary_of(name: str) -> str:
    """Check that there is such a figure, and that it is better high or low.

    Parameters
    ----------
    name : str
        Name of a figure.

    Returns
    -------
    str
        The same name.

    Raises
    ------
    ValueError
        There is no such figure, or it has no better direction.

    Examples
    --------
    >>> primary_of("f")
    'f'
    """
    names = [figure.name for figure in known_figures() if figure.better]
    if name not in names:
        expected = ", ".join(names)
        raise ValueError(f"the primary figure is {name!r}, expected one of {expected}")
    return name


def query_columns(run: RunEvaluation) -> dict[str, list[Any]]:
    """A row for each query of the truth.

    Parameters
    ----------
    run : RunEvaluation
        A run and its figures.
    """
    figures, tally = run.figures, run.tally
    own = figures.in_truth.nonzero()[0]
    spots = tally.starts[1:] - tally.starts[:-1]
    columns: dict[str, list[Any]] = {
        "run": [run.name] * len(own),
        "query": [tally.queries[place] for place in own.tolist()],
        "spots": spots[own].tolist(),
    }
    for name in FIGURE_NAMES:
        values = figures.columns[name][own]
        columns[name] = (values.astype(int) if name in COUNTS else values).tolist()
    return columns


def _threshold_rows(runs: Sequence[RunEvaluation]) -> Iterator[tuple[Any, ...]]:
    for run in runs:
        for of, over, by, found in best_thresholds(run.figures):
            there = found.threshold, found.f, found.precision, found.recall
            others = found.held_out
            yield (
                run.name, of, over, by, *there,
                *((None,) * 3 if others is None else (others.f, *_ends(others.interval))),
            )  # fmt: skip


def _ends(interval: Interval | None) -> tuple[float | None, float | None]:
    return (None, None) if interval is None else (interval.low, interval.high)


def rank_columns(run: RunEvaluation) -> dict[str, list[Any]]:
    """A row for each spot, with what a list that ends there has.

    Parameters
    ----------
    run : RunEvaluation
        A run and its figures.
    """
    tally, figures = run.tally, run.figures
    return {
        "run": [run.name] * len(tally),
        "query": [tally.queries[place] for place in tally.query.tolist()],
        "page": [tally.pages[place] for place in tally.page.tolist()],
        "rank": tally.rank.tolist(),
        "score": tally.score.tolist(),
        **{name: values.tolist() for name, values in attributes(figures, *CURVES).items()},
    }


def page_columns(run: RunEvaluation) -> dict[str, list[Any]]:
    """A row for each page.

    Parameters
    ----------
    run : RunEvaluation
        A run and its figures.
    """
    return {
        "run": [run.name] * len(run.tally.pages),
        "page": list(run.tally.pages),
        **{name: each.tolist() for name, each in figures_by_page(run.figures).items()},
    }


def summary_of(evaluation: Evaluation, remarks: tuple[str, ...]) -> ResultSummary:
    """Means over the queries, of the best-known figures.

    Parameters
    ----------
    evaluation : Evaluation
        All runs.
    remarks : tuple of str
        Lines below the table.
    """
    truths, runs = evaluation.truths, evaluation.runs
    figures = {figure.name: figure for figure in known_figures()}
    shown = figure_columns(
        [figures[name] for name in SUMMARY_FIGURES], evaluation.settings, over="mean"
    )
    heads = ("run", *(column.title for column in shown))
    rows = tuple(
        (run.name, *(column.cell(run.figures.overall[column.name]).text for column in shown))
        for run in runs
    )
    regions = evaluation.truth_notes.regions
    title = ", ".join(
        (counted(len(runs), "run"), counted(len(truths), "page"), counted(regions, "region"))
    )
    queries = counted(int(runs[0].figures.in_truth.sum()), "query") if runs else "queries"
    return ResultSummary(f"{title}: means over {queries}", heads, rows, remarks)


def spot_table(evaluation: Evaluation) -> dict[str, list[Any]]:
    """A row for each spot of each run, with its kind of error and what it lies on.

    Parameters
    ----------
    evaluation : Evaluation
        All runs.
    """
    found: dict[str, list[Any]] = {name: [] for name in SPOT_COLUMNS}
    for run in evaluation.runs:
        areas = evaluation.confusion(run).areas
        assert areas is not None  # an evaluation measures them
        for name, values in spot_columns(run.name, run.errors, areas).items():
            found[name] += values
    return found


KINDS = ("precision", "fall_out", "f")
SHOWN_RECALLS = (0.0, 0.25, 0.5, 0.75, 1.0)  # recalls in the short form
CURVE_COLUMNS = ("run", "recall", *(name for kind in KINDS for name in (kind, f"{kind}_deviation")))


@dataclass(frozen=True, eq=False, repr=False)
class Curves:
    """Precision, fall-out and F over recall of each run: means over the queries.

    Attributes
    ----------
    figures : mapping of str to RunFigures
        By the names of the runs.
    """

    figures: Mapping[str, RunFigures]

    @checked
    def frame(self, recalls: int = 101) -> DataFrame:
        """A row for each run and recall.

        Parameters
        ----------
        recalls : int
            How many recalls from 0 to 1; 2 or more.

        Returns
        -------
        DataFrame
            Columns run, recall, precision, fall_out and f (shares in [0, 1]), each with its
            standard deviation over the queries, such as precision_deviation. NaN where no query
            counts.

        Raises
        ------
        BadArgument
            There are fewer than two recalls.

        Notes
        -----
        Rusiñol & Lladós (2009), §3.6 and eqs. 7, 10, 11.
        """
        with as_arguments():
            if recalls < 2:
                raise ValueError(f"`recalls` is {recalls}; expected 2 or more")
        grid = np.linspace(0.0, 1.0, recalls)
        parts = []
        for name, figures in self.figures.items():
            part = {"run": [name] * recalls, "recall": grid.tolist()}
            for kind in KINDS:
                curve = figures.curves.central(kind, grid)
                part[kind] = curve.mean.tolist()
                part[f"{kind}_deviation"] = curve.deviation.tolist()
            parts.append(part)
        return stacked(parts, CURVE_COLUMNS)

    @checked
    def plot(
        self,
        runs: Sequence[str] | None = None,
        *,
        query: str | None = None,
        bands: bool | None = None,
        width: float | None = None,
        view: Literal["areas", "detector"] = "areas",
    ) -> Figure:
        """Draw the curves, for print: labelled axes, a legend of all marks, fonts of Type 42.

        Parameters
        ----------
        runs : sequence of str, optional
            Names of the runs to draw; by default all.
        query : str, optional
            Draw the curves of this query; by default the means over all queries.
        bands : bool, optional
            Whether means have their 95 % interval over the queries; by default those of one or two
            runs.
        width : float, optional
            Width in inches, such as 3.5 for one column of a page or 7.16 for two.
        view : {"areas", "detector"}
            Precision, fall-out and F of areas over recall; or precision and recall of spots at the
            IoU, and precision, recall and F over the score.

        Returns
        -------
        matplotlib.figure.Figure
            A notebook shows it; ``savefig`` writes it.

        Raises
        ------
        BadArgument
            There is no such run or query.

        Examples
        --------
        >>> from spotlab import evaluate
        >>> from spotlab.resources import sample_collection
        >>> plans = sample_collection()
        >>> result = evaluate(plans / "plan_001.png", plans / "runs" / "c_polygons.csv", draws=0)
        >>> figure = result.curves().plot(width=3.5)
        >>> float(figure.get_figwidth())
        3.5
        """
        from spotlab.report.colours import run_style  # noqa: PLC0415
        from spotlab.report.run_plots import (  # noqa: PLC0415 - matplotlib takes a second
            KINDS,
            OF_DETECTORS,
            run_curves,
        )

        place = {name: number for number, name in enumerate(self.figures)}
        names = list(place) if runs is None else list(runs)
        for name in names:
            if name not in place:
                raise BadArgument(f"`runs` names {name!r}; expected of {', '.join(place)}")
        chosen = [self.figures[name] for name in names]
        if query is not None and not any(query in each.tally.queries for each in chosen):
            raise BadArgument(f"`query` is {query!r}, which none of the runs has")
        styles = [run_style(place[name]) for name in names]
        kinds = OF_DETECTORS if view == "detector" else KINDS
        chart = run_curves(names, chosen, styles, query=query, bands=bands, kinds=kinds)
        return chart.figure(width)

    @property
    def summary(self) -> ResultSummary:
        """Precision at a few recalls."""
        grid = np.array(SHOWN_RECALLS)
        rows = tuple(
            (
                name,
                *(
                    written(value)
                    for value in figures.curves.central("precision", grid).mean.tolist()
                ),
            )
            for name, figures in self.figures.items()
        )
        title = "Mean precision at recalls; .frame() has all, .plot() draws them"
        return ResultSummary(title, ("run", *(f"{recall:g}" for recall in SHOWN_RECALLS)), rows)

    __repr__ = text_of
    _repr_html_ = html_of
