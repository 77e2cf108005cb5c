"""Each run by itself: curves and figures of queries, errors, the worst pages."""

from __future__ import annotations

import base64
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from markupsafe import Markup

from spotlab.measures.errors import KINDS
from spotlab.report import plots
from spotlab.report.charts import Chart
from spotlab.report.section import Evaluated, Section
from spotlab.report.tables import Cell, Column, Table, outside_table, queries_table
from spotlab.studies.areas.evaluation import RunEvaluation


@dataclass(frozen=True)
class RunDetails:
    """What the report says of one run."""

    name: str
    sample: Markup
    plot: Chart
    queries: Table
    outside: Table | None
    errors: Table
    pages: Sequence[Mapping[str, str]]
    listed: Sequence[str]


def _render(evaluated: Evaluated) -> Markup:
    if not evaluated.evaluation.runs:
        return Markup("")
    template = evaluated.templates.get_template("run_details.html")
    runs = [
        _details(run, number, evaluated) for number, run in enumerate(evaluated.evaluation.runs)
    ]
    return Markup(template.render(runs=runs))


def _details(run: RunEvaluation, number: int, evaluated: Evaluated) -> RunDetails:
    return RunDetails(
        run.name,
        evaluated.samples[run.name],
        plots.queries(run.figures, number),
        queries_table(run.name, run.figures),
        outside_table(run.name, run.figures),
        _errors(run),
        [
            {
                "name": each.page,
                "caption": each.caption,
                "png": base64.b64encode(each.png).decode(),
            }
            for each in evaluated.overlaid.get(run.name, ())
        ],
        run.listed,
    )


def _errors(run: RunEvaluation) -> Table:
    columns = (Column("Query", "query"), *(Column(kind.words, kind.value) for kind in KINDS))
    counts = {kind: run.errors.count(kind) for kind in KINDS}
    rows = [
        (Cell(query), *(Cell(f"{counts[kind][number]:,}", float(counts[kind][number]))
                        for kind in KINDS))
        for number, query in enumerate(run.tally.queries)
    ]  # fmt: skip
    return Table("Errors by type", columns, tuple(rows))


SECTION = Section("run_details", _render, 60)
