"""The mean curves of all runs."""

from __future__ import annotations

from markupsafe import Markup

from spotlab.report.charts import BANDED, run_curves
from spotlab.report.colours import styles_of
from spotlab.report.section import Evaluated, Section
from spotlab.studies.evaluate.evaluation import Evaluation


def _render(evaluated: Evaluated) -> Markup:
    runs = evaluated.evaluation.runs
    template = evaluated.templates.get_template("curves.html")
    text = template.render(
        curves=run_curves(
            [run.name for run in runs],
            [run.figures for run in runs],
            styles_of(evaluated.evaluation),
        ),
        banded=0 < len(runs) <= BANDED,
        missing_note=_missing_note(evaluated.evaluation),
    )
    return Markup(text)


def _missing_note(evaluation: Evaluation) -> str:
    if evaluation.settings.missing == "zero":
        return (
            "A query that never reaches a recall counts as 0 there; in fall-out, as the fall-out "
            "of its whole list."
        )
    return "A query that never reaches a recall is left out of the mean there."


SECTION = Section("curves", _render, 10)
