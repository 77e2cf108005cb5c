"""Confusion of labels in each run, and the gain from correcting each kind of error."""

from __future__ import annotations

from markupsafe import Markup

from spotlab.report.error_tables import (
    DEFINITION,
    TIDE_NOTE,
    confusion_pairs,
    confusion_table,
    tide_table,
)
from spotlab.report.section import Evaluated, Section


def _render(evaluated: Evaluated) -> Markup:
    if not evaluated.evaluation.runs:
        return Markup("")
    template = evaluated.templates.get_template("confusion.html")
    runs = []
    full = evaluated.evaluation.in_full
    for run in (*full, *evaluated.evaluation.in_short):
        confusion = evaluated.evaluation.confusion(run)
        pairs, tables = (
            [table for by in ("spots", "area") if (table := make(run.name, confusion, by))]
            for make in (confusion_pairs, confusion_table)
        )
        sample, gains = evaluated.samples[run.name], tide_table(run.name, run.tide)
        runs.append((sample, run.name, run in full, pairs, tables, gains))
    return Markup(template.render(runs=runs, definition=DEFINITION, tide_note=TIDE_NOTE))


SECTION = Section("confusion", _render, 40)
