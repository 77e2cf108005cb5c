"""The scalability of runs as lines of text."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from spotlab.errors import counted
from spotlab.report.aligned import aligned

if TYPE_CHECKING:
    from spotlab.measures.scalability import CurveFamily
    from spotlab.studies.evaluate.scalability import RunScalability, Scalability


def scalability_lines(study: Scalability, remarks: Mapping[str, tuple[str, ...]]) -> list[str]:
    """What a terminal shows of a study; remarks by the name of the run."""
    counts = ", ".join(map(str, study.counts))
    lines = [
        f"{counted(len(study.classes), 'class', 'classes')}; {counted(study.draws, 'draw')} "
        "for each number of classes: "
        f"{counts}"
    ]
    for run in study.runs:
        lines += ["", run.name, *(f"  {remark}" for remark in remarks[run.name])]
        lines += aligned(_table(run))
        lines += aligned(_sizes(run))
    return lines


def _table(run: RunScalability) -> list[list[str]]:
    """Table 3, in percent as there."""
    heads = ["standard deviation between numbers of classes (%)", "mean", "max", "by chance"]
    rows = (("Recall", run.recall), ("Precision", run.precision), ("F", run.f))
    return [heads, *(_row(title, family) for title, family in rows)]


def _row(title: str, family: CurveFamily) -> list[str]:
    values = (family.mean_deviation, family.largest_deviation, family.mean_by_chance)
    return [title, *("–" if value is None else f"{100 * value:.2f}" for value in values)]


def _sizes(run: RunScalability) -> list[list[str]]:
    rows = [["part of the collection", "recognition rate (%)", "false positives per query"]]
    for part in run.sizes:
        rate = "–"
        if part.recognition_rate is not None and part.recognition_spread is not None:
            rate = f"{part.recognition_rate:.1f} ± {part.recognition_spread:.1f}"
        false = f"{part.false_positives:,.2f} ± {part.false_positives_spread:,.2f}"
        rows.append(
            [
                f"{counted(part.classes, 'class', 'classes')}, {counted(part.pages, 'page')}",
                rate,
                false,
            ]
        )
    return rows
