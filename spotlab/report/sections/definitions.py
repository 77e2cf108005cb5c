"""Definitions of the figures."""

from __future__ import annotations

from markupsafe import Markup

from spotlab.measures.measure import known_figures
from spotlab.report.section import Evaluated, Section


def _render(evaluated: Evaluated) -> Markup:
    template = evaluated.templates.get_template("definitions.html")
    return Markup(template.render(figures=known_figures(), settings=evaluated.evaluation.settings))


SECTION = Section("definitions", _render, 90)
