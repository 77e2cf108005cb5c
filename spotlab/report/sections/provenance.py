"""Provenance of each run: method, settings, versions, date, hashes of its input."""

from __future__ import annotations

from markupsafe import Markup

from spotlab.report.section import Evaluated, Section


def _render(evaluated: Evaluated) -> str:
    runs = [
        (run.name, str(run.run.source or ""), sorted(run.run.provenance.items()))
        for run in evaluated.evaluation.runs
        if run.run.provenance
    ]
    if not runs:
        return ""
    return Markup(evaluated.templates.get_template("provenance.html").render(runs=runs))


SECTION = Section("provenance", _render, 80)
