"""The gallery of errors."""

from __future__ import annotations

from markupsafe import Markup

from spotlab.report.images import data_uri
from spotlab.report.section import Evaluated, Section


def _render(evaluated: Evaluated) -> Markup:
    full = evaluated.evaluation.in_full
    runs = [
        {"name": run.name, "full": run in full, "sample": evaluated.samples[run.name],
         "kinds": evaluated.pictures.errors.get(run.name, ())}
        for run in (*full, *evaluated.evaluation.in_short)
    ]  # fmt: skip
    if not runs:
        return Markup("")
    template = evaluated.templates.get_template("errors.html")
    iou = f"{evaluated.evaluation.settings.iou:g}"
    return Markup(template.render(runs=runs, data_uri=data_uri, iou=iou))


SECTION = Section("errors", _render, 35)
