"""What an evaluation of runs gives: frames, a report, and everything as a dictionary."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from spotlab.api.arguments import PathLike
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
from spotlab.api.summary import Summary, html_of, text_of
from spotlab.api.tables import stacked
from spotlab.progress import Progress, silent
from spotlab.report.column_files import write_columns
from spotlab.studies.evaluate.evaluation import SPOT_COLUMNS, Evaluation
from spotlab.studies.evaluate.evaluation_json import as_json

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
        >>> from spotlab import evaluate
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
        >>> from spotlab import evaluate
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
    def summary(self) -> Summary:
        """Means over the queries."""
        return summary_of(self.evaluation, self.remarks)

    __repr__ = text_of
    _repr_html_ = html_of
