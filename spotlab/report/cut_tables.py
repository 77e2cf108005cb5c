"""Tables of runs at a cut, and of their best F."""

from __future__ import annotations

from collections.abc import Sequence

from spotlab.measures.cuts import By
from spotlab.measures.measure import SumsFormula, known_measures
from spotlab.report.figure_text import written
from spotlab.report.tables import UNDEFINED, Cell, Column, Table
from spotlab.studies.evaluate.cuts import FiguresAtCut, best_f
from spotlab.studies.evaluate.evaluation import Evaluation, RunEvaluation

BY: tuple[By, ...] = ("score", "rank")


def cut_table(evaluation: Evaluation) -> Table | None:
    """A row for each run: where the rule cuts it, and its means there; None without a rule."""
    rule = evaluation.cut
    if rule is None:
        return None
    figures = [each.figure for each in known_measures() if isinstance(each.formula, SumsFormula)]
    heads = [
        Column("Run", "run"),
        Column("Cut", "cut", "The rank or score where the lists of all queries end."),
        Column("Spots", "kept", "Number of spots that the truth's queries keep."),
        *(Column(f"{each.title} (%)" if each.unit == "%" else each.title, each.name,
                 each.definition) for each in figures),
    ]  # fmt: skip
    rows = []
    for run in evaluation.runs:
        cut = rule.cut_of(run.figures)
        if cut is None:
            rows.append((Cell(run.name), *[Cell(UNDEFINED)] * (len(heads) - 1)))
            continue
        found = FiguresAtCut(run.figures, cut.counts(run.tally))
        cells = [Cell(written(found.mean[each.name], each.unit, mean=True), found.mean[each.name])
                 for each in figures]  # fmt: skip
        where = Cell(written_threshold(cut.by, cut.value or 0.0), cut.value)
        rows.append(
            (Cell(run.name), where, Cell(f"{found.kept_of_truth:,}", found.kept_of_truth), *cells)
        )
    return Table(f"Runs cut at {rule}: means over queries", tuple(heads), tuple(rows))


def best_f_table(runs: Sequence[RunEvaluation]) -> Table:
    """Rows for each run: the score and the rank at which F is highest, in the mean and pooled."""
    heads = (
        Column("Run", "run"),
        Column("F of", "over", "The mean over queries, or all queries' areas together (pooled)."),
        Column("Best cut", "by", "The threshold with the highest F, the same for all queries."),
        Column("Threshold", "threshold"),
        Column("F", "f"),
        Column("Precision", "precision", "There, in the mean or pooled."),
        Column("Recall", "recall", "There, in the mean or pooled."),
    )
    rows = []
    for run in runs:
        for over in ("mean", "pooled"):
            for by in BY:
                found = best_f(run.figures, by, pooled=over == "pooled")
                if found is None:
                    continue
                shares = [found.f, found.precision, found.recall]
                threshold = Cell(written_threshold(by, found.threshold), found.threshold)
                values = [Cell(written(each), each) for each in shares]
                rows.append((Cell(run.name), Cell(over), Cell(by), threshold, *values))
    return Table("Best F", heads, tuple(rows))


def written_threshold(by: str, value: float) -> str:
    """A rank or a score in a table.

    Examples
    --------
    >>> written_threshold("rank", 20.0), written_threshold("score", 0.71239)
    ('rank 20', '≥ 0.7124')
    """
    return f"rank {value:,.0f}" if by == "rank" else f"≥ {value:.4g}"
