"""Confusion of labels in each run, and the gain from correcting each kind of error."""

from __future__ import annotations

from markupsafe import Markup

from spotlab.report.error_tables import DEFINITION, TIDE_NOTE, confusion_table, tide_table
from spotlab.report.section import Evaluated, Section


def _render(evaluated: Evaluated) -> Markup:
    if not evaluated.evaluation.runs:
        return Markup("")
    template = evaluated.templates.get_template("confusion.html")
    runs = []
    for run in evaluated.evaluation.runs:
        confusion = evaluated.evaluation.confusion(run)
        tables = [confusion_table(run.name, confusion, by) for by in ("spots", "area")]
        runs.append(
            (
                evaluated.samples[run.name],
                run.name,
                [table for table in tables if table],
                tide_table(run.name, run.tide),
            )
        )
    return Markup(template.render(runs=runs, definition=DEFINITION, tide_note=TIDE_NOTE))


SECTION = Section("confusion", _render, 40)
