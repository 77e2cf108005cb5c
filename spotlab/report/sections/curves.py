"""The mean curves of all runs."""

from __future__ import annotations

from markupsafe import Markup

from spotlab.report import plots
from spotlab.report.section import Evaluated, Section
from spotlab.studies.areas.evaluation import Evaluation


def _render(evaluated: Evaluated) -> Markup:
    runs = evaluated.evaluation.runs
    drawn = plots.curves([run.name for run in runs], [run.figures for run in runs])
    template = evaluated.templates.get_template("curves.html")
    text = template.render(
        curves=Markup(plots.svg(drawn)), missing_note=_missing_note(evaluated.evaluation)
    )
    return Markup(text)


def _missing_note(evaluation: Evaluation) -> str:
    if evaluation.settings.missing == "zero":
        return (
            "Where a query's recall never gets so far it counts as 0, in fall-out with that of its "
            "whole list."
        )
    return "Where a query's recall never gets so far it is left out of the mean."


SECTION = Section("curves", _render, 20)
