"""Two of the evaluated runs compared in full: figures, symbols, areas and pages."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from spotlab.api.arguments import ResultSummary, as_arguments, frame_of_rows, html_of, text_of
from spotlab.api.evaluate import EvaluationResult
from spotlab.api.job import checked
from spotlab.errors import BadArgument, counted
from spotlab.files import PathLike
from spotlab.formats.rows.json_values import to_builtins
from spotlab.measures.comparison import FIGURES, ChangedFigures
from spotlab.report.comparison import means_table
from spotlab.studies.compare.comparison import ChangeKind, RunComparison
from spotlab.studies.evaluate.evaluation import run_called
from spotlab.studies.evaluate.evaluation_json import (
    areas_as_json,
    change_as_json,
    comparison_as_json,
)

if TYPE_CHECKING:
    from pandas import DataFrame


@dataclass(frozen=True, eq=False, repr=False)
class ComparisonResult:
    """Changes from one run, A, to another, B, as returned by `compare_runs`.

    Attributes
    ----------
    comparison : RunComparison
        All that is known of the two runs.
    result : EvaluationResult
        The evaluation, whose report and dictionary hold the comparison as well.
    """

    comparison: RunComparison
    result: EvaluationResult

    def changes(self) -> DataFrame:
        """A row for each symbol or false spot that is gained or lost, the biggest change first.

        Returns
        -------
        DataFrame
            Columns change ("gained", "lost", "false_gained", "false_lost"), label, page, region,
            area (changed, px²), covered_first, covered_second, iou_first, iou_second (shares in
            [0, 1]; NaN for false spots), rank_first and rank_second (NaN where a run has no spot).
        """
        changes = self.comparison.changes
        rows = [change_as_json(changes, at) for at in range(len(changes))]
        names = ("change", "label", "page", "region", "area")
        pairs = [
            (what, side) for what in ("covered", "iou", "rank") for side in ("first", "second")
        ]
        return frame_of_rows(
            (*names, *(f"{what}_{side}" for what, side in pairs)),
            (
                (*(row[name] for name in names), *(row[side].get(what) for what, side in pairs))
                for row in rows
            ),
        )

    def labels(self) -> DataFrame:
        """A row for each label and figure.

        Returns
        -------
        DataFrame
            Columns label, figure, first, second, change (second minus first), low and high (its
            95 % interval, had other pages been drawn). NaN where undefined.
        """
        return _changed("label", self.comparison.figures.labels)

    def pages(self) -> DataFrame:
        """A row for each page and figure, as `labels`; intervals are over the page's labels.

        Returns
        -------
        DataFrame
            Columns page, figure, first, second, change, low and high.
        """
        return _changed("page", self.comparison.figures.pages)

    def areas(self) -> DataFrame:
        """A row for each page.

        Returns
        -------
        DataFrame
            Columns page, only_first, only_second, both, neither (of the truth), false_only_first,
            false_only_second and false_both, in px²; each query counts by itself.
        """
        pages = self.comparison.pages.items()
        rows = [(name, *areas_as_json(page.sums()).values()) for name, page in pages]
        return frame_of_rows(("page", *areas_as_json({})), rows)

    def as_dict(self) -> dict[str, Any]:
        """Everything, as ``compared`` of ``spotlab evaluate --json``; None where undefined."""
        built: dict[str, Any] = to_builtins(comparison_as_json(self.comparison))
        return built

    @property
    def summary(self) -> ResultSummary:
        """Mean figures of both runs, and how many symbols and false spots change."""
        compared = self.comparison
        table = means_table(compared)
        heads = tuple(column.title for column in table.columns)
        rows = tuple(
            tuple(f"{cell.text} {cell.note}".strip() for cell in row) for row in table.rows
        )
        counts = compared.changes.count()
        said = (
            f"{counted(counts[ChangeKind.GAINED], 'symbol')} gained, "
            f"{counts[ChangeKind.LOST]:,} lost; "
            f"{counts[ChangeKind.FALSE_GAINED]:,} new false spots, "
            f"{counts[ChangeKind.FALSE_LOST]:,} gone"
        )
        return ResultSummary(
            f"{compared.first.name} → {compared.second.name}", heads, rows, (said,)
        )

    __repr__ = text_of
    _repr_html_ = html_of


@checked
def compare_runs(
    result: EvaluationResult, first: PathLike | None = None, second: PathLike | None = None
) -> ComparisonResult:
    """Compare two evaluated runs: what changes from the first, A, to the second, B.

    Parameters
    ----------
    result : EvaluationResult
        What `evaluate` gave.
    first, second : str or path, optional
        The runs' names or files; may be left out where two runs were evaluated.

    Returns
    -------
    ComparisonResult

    Raises
    ------
    BadArgument
        No run has such a name or file, or both are the same run.

    Examples
    --------
    >>> import spotlab
    >>> plans = spotlab.sample_collection()
    >>> runs = [plans / "runs" / "a_ratios.csv", plans / "runs" / "c_polygons.csv"]
    >>> found = compare_runs(spotlab.evaluate(plans, runs, draws=0))
    >>> found.comparison.first.name, found.comparison.second.name
    ('a_ratios', 'c_polygons')
    >>> found.changes().columns[:5].tolist()
    ['change', 'label', 'page', 'region', 'area']
    """
    runs = result.evaluation.runs
    if first is None and second is None and len(runs) == 2:
        names = (runs[0].name, runs[1].name)
    else:
        with as_arguments():
            named = [(run.name, run.run) for run in runs]
            names = (run_called(named, first, "compare"), run_called(named, second, "compare"))
    if names[0] == names[1]:
        raise BadArgument(f"`compare` names {names[0]} twice; expected two runs")
    evaluation = replace(result.evaluation, pair=names)
    compared = evaluation.compared
    assert compared is not None  # both runs are there
    return ComparisonResult(compared, EvaluationResult(evaluation))


def _changed(name: str, changed: ChangedFigures) -> DataFrame:
    rows = [
        (
            label,
            figure,
            float(changed.before[figure][row]),
            float(changed.after[figure][row]),
            float(changed.change(figure)[row]),
            *(changed.interval(figure, row) or (None, None)),
        )
        for row, label in enumerate(changed.names)
        for figure in FIGURES
    ]
    return frame_of_rows((name, "figure", "first", "second", "change", "low", "high"), rows)
