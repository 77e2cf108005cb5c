"""Spotting runs evaluated against ground truth: as frames, curves and a report."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from spotlab.api.arguments import (
    ResultSummary,
    as_arguments,
    frame_of_rows,
    html_of,
    only_name,
    path_of,
    paths_of,
    stacked,
    text_of,
    texts_of,
)
from spotlab.api.curves import Curves
from spotlab.api.job import checked, job
from spotlab.api.read_run import read_runs
from spotlab.api.read_truth import GroundTruth, read_truth
from spotlab.api.settings import AnnotatorSettings, EvaluationSettings, JudgingSettings
from spotlab.errors import BadArgument, UnknownName, counted
from spotlab.files import PathLike
from spotlab.formats.rows.files import make_folder_of
from spotlab.formats.runs import ReadRun
from spotlab.measures.measure import MeasureSettings, known_figures
from spotlab.measures.tally import Overlap
from spotlab.measures.thresholds import threshold_curves
from spotlab.measures.tide import TIDE_KINDS
from spotlab.model.region import Primitive
from spotlab.progress import Progress, silent
from spotlab.report.colours import styles_of
from spotlab.report.run_tables import figure_columns
from spotlab.report.tables import write_columns
from spotlab.studies.evaluate import evaluate as study
from spotlab.studies.evaluate.cuts import parse_rule
from spotlab.studies.evaluate.evaluation import (
    CURVES,
    FIGURE_NAMES,
    SPOT_COLUMNS,
    Evaluation,
    RunEvaluation,
    difference_rows,
    interval_ends,
    page_columns,
    primary_of,
    query_columns,
    rank_columns,
    run_called,
    spot_table,
    threshold_rows,
)
from spotlab.studies.evaluate.evaluation_json import as_json
from spotlab.studies.tally.subset import subset_of
from spotlab.studies.tally.tallying import without_uncertain
from spotlab.studies.tally.truth import TruthSet

if TYPE_CHECKING:
    from matplotlib.figure import Figure
    from pandas import DataFrame
    from PIL.Image import Image


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
    truth_set = judged_truth(chosen)
    if chosen.uncertain == "ignore":
        truth_set = without_uncertain(truth_set)
    read = judged_runs(chosen, truth_set)
    with as_arguments():
        names = study.distinct_names([each.run for each in read])
        named = [(name, each.run) for name, each in zip(names, read, strict=True)]
        full = tuple(run_called(named, each, "in_full") for each in texts_of(chosen.in_full))
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


def judged_truth(chosen: JudgingSettings) -> TruthSet:
    """Read the truth that runs are held against: of the pages that were chosen.

    Parameters
    ----------
    chosen : JudgingSettings

    Raises
    ------
    SpotlabError
        Something cannot be read, or no page is chosen.
    """
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
        subset = paths_of(chosen.subset, "subset")
        return subset_of(every, texts_of(chosen.pages), subset, texts_of(chosen.tag))


def judged_runs(
    chosen: JudgingSettings | AnnotatorSettings,
    truth_set: TruthSet,
    alternatives: Sequence[TruthSet] = (),
) -> list[ReadRun]:
    """Read the runs that are held against some truth.

    Parameters
    ----------
    chosen : JudgingSettings or AnnotatorSettings
    truth_set : TruthSet
    alternatives : sequence of TruthSet
        A run that fits one of these is about the truth, too.

    Raises
    ------
    SpotlabError
        One is no run, or nothing of it fits the truth.
    """
    return read_runs(
        chosen.runs,
        truth_set,
        naming=chosen.naming,
        columns=chosen.columns if isinstance(chosen, JudgingSettings) else "",
        strict=chosen.strict or not chosen.skip_bad_lines,
        alternatives=alternatives,
        progress=chosen.progress,
    )


@dataclass(frozen=True, eq=False, repr=False)
class EvaluationResult(Mapping[str, "EvaluationResult"]):
    """Runs evaluated against ground truth; `evaluate` makes it.

    It is a mapping of the names of runs to the result of each alone: ``result["mine"].f``.

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

    def __len__(self) -> int:
        return len(self.evaluation.runs)

    def __iter__(self) -> Iterator[str]:
        return (run.name for run in self.evaluation.runs)

    def __getitem__(self, name: str) -> EvaluationResult:
        evaluation = self.evaluation
        runs = tuple(run for run in evaluation.runs if run.name == name)
        if not runs:
            raise UnknownName.among(name, "run", list(self))
        return EvaluationResult(
            replace(evaluation, runs=runs, comparisons={}, chosen=(), pair=None)
        )

    @property
    def figures(self) -> dict[str, float | None]:
        """Every figure of the only run by name, as the headline has it; None where undefined.

        The recognition rate is in %, counts are numbers, all others shares in [0, 1].

        Raises
        ------
        BadArgument
            There are several runs.

        Examples
        --------
        >>> from spotlab import evaluate
        >>> from spotlab.resources import sample_collection
        >>> plans = sample_collection()
        >>> result = evaluate(plans, plans / "runs" / "e_alignment.csv", draws=0)
        >>> result["e_alignment"].figures["f"] == result.f
        True
        """
        if len(self) != 1:
            names = ", ".join(self) or "none"
            raise BadArgument(f"there are {len(self)} runs; choose one of {names}: result[name]")
        return dict(self.evaluation.runs[0].figures.overall)

    @property
    def f(self) -> float | None:
        """F of the areas of the only run, mean over the queries; see `figures` for all others."""
        return self.figures["f"]

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
                *interval_ends(interval),
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
        return frame_of_rows(DIFFERENCES, difference_rows(self.evaluation))

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
        return frame_of_rows(THRESHOLDS, threshold_rows(self.evaluation.runs))

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

    def best_f(self) -> DataFrame:
        """The rows of `thresholds` for thresholds on the score; on the rank if there are no scores.

        Returns
        -------
        DataFrame
            Columns as in `thresholds`.
        """
        rows = list(threshold_rows(self.evaluation.runs))
        scores = [row for row in rows if row[3] == "score"]
        return frame_of_rows(THRESHOLDS, scores or rows)

    def errors(self) -> DataFrame:
        """A row for each run and kind of error, as TIDE has them.

        Returns
        -------
        DataFrame
            Columns run, kind, count (of errors) and gain (of mean average precision in [0, 1] if
            these were mended; NaN where undefined).

        References
        ----------
        Bolya et al., "TIDE: A general toolbox for identifying object detection errors", 2020.
        """
        rows = [
            (run.name, str(kind), int(run.tide.count(kind).sum()), run.tide.gain(kind, None))
            for run in self.evaluation.runs
            for kind in TIDE_KINDS
        ]
        return frame_of_rows(("run", "kind", "count", "gain"), rows)

    @checked
    def confusion(self, by: Literal["spots", "area"] = "spots") -> DataFrame:
        """A row for each run and query: what its spots lie on.

        Parameters
        ----------
        by : "spots" or "area"
            Whether spots are counted, or their area in px².

        Returns
        -------
        DataFrame
            Columns run, query ("missed" for regions that no spot finds), and a column for each
            label of the truth, for truth without a label and for no truth.
        """
        rows: list[dict[str, Any]] = []
        for run in self.evaluation.runs:
            confusion = self.evaluation.confusion(run)
            counted_as = confusion.table(by)
            assert counted_as is not None  # an evaluation measures areas
            for query, values in zip(confusion.rows, counted_as.tolist(), strict=True):
                cells = dict(zip(confusion.columns, values, strict=True))
                rows.append({"run": run.name, "query": query, **cells})
        names = list(dict.fromkeys(name for row in rows for name in row)) or ["run", "query"]
        return frame_of_rows(names, [[row.get(name, 0.0) for name in names] for row in rows])

    def show(self, page: str | None = None, run: str | None = None) -> Image:
        """Draw a page with what is found (green), false (orange) and missed (blue) there.

        Parameters
        ----------
        page : str, optional
            Its name; may be left out where there is one page.
        run : str, optional
            Name of the run; may be left out where there is one.

        Returns
        -------
        PIL.Image.Image
            A notebook shows it; ``save`` writes it. White where the image is missing.

        Examples
        --------
        >>> from spotlab import evaluate
        >>> from spotlab.resources import sample_collection
        >>> plans = sample_collection()
        >>> evaluate(plans, plans / "runs" / "a_ratios.csv", draws=0).show("plan_001").size
        (960, 660)
        """
        from spotlab.report.images import draw_page  # noqa: PLC0415 - takes a second

        pages = GroundTruth(self.evaluation.truth_set)
        [name] = pages[only_name(page, pages, "page")]
        return draw_page(self.evaluation, self._run(run), name)

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
        make_folder_of(Path(file))
        write_columns(spot_table(self.evaluation), Path(file))
        return Path(file)

    def curves(self, query: str | None = None) -> Curves:
        """Precision, fall-out and F over recall of each run.

        Parameters
        ----------
        query : str, optional
            The curves of this query; by default the means over all queries.

        Raises
        ------
        UnknownName
            No run has this query.
        """
        runs = self.evaluation.runs
        known = list(dict.fromkeys(name for run in runs for name in run.tally.queries))
        if query in (None, *known):
            return Curves({run.name: run.figures for run in runs}, query)
        raise UnknownName.among(query, "query", known)

    @checked
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

    @checked
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

    @checked
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
MEANS = ("run", "figure", "mean", "low", "high", "queries", "pooled")
DIFFERENCES = ("first", "second", "figure", "difference", "low", "high", "p", "p_holm")
THRESHOLDS = (
    "run", "of", "over", "by", "threshold", "f", "precision", "recall", "held_out", "low", "high",
)  # fmt: skip


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
