"""The report as one HTML page that needs nothing but itself: plots, tables, pages and scripts."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import datetime
from functools import cache
from typing import TYPE_CHECKING

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup
from matplotlib.figure import Figure

from spotlab import __version__
from spotlab.report.charts import Chart, as_figure
from spotlab.report.figure_files import svg
from spotlab.report.section import Evaluated, render_sections
from spotlab.report.table_html import sortable
from spotlab.resources import report_folder

if TYPE_CHECKING:
    from spotlab.report.pictures import Pictures
    from spotlab.studies.evaluate.evaluation import Evaluation

NAMED = 3  # runs that a title still names
HEAD = re.compile(r"<h2[^>]*>(.*?)</h2>", re.DOTALL)


def render(evaluation: Evaluation, pictures: Pictures, made: datetime) -> str:
    """The page as text.

    Parameters
    ----------
    evaluation : Evaluation
    pictures : Pictures
        Of pages and errors.
    made : datetime
        The same arguments give the same page.
    """
    environment = templates()
    sections = render_sections(Evaluated(evaluation, pictures.overlaid, environment, pictures))
    return render_page(_title(evaluation), sections, made, environment)


def _title(evaluation: Evaluation) -> str:
    names = [run.name for run in evaluation.runs]
    if not names:
        return "Evaluation"
    return "Evaluation of " + (", ".join(names) if len(names) <= NAMED else f"{len(names)} runs")


def render_page(
    title: str, sections: Sequence[Markup], made: datetime, environment: Environment
) -> str:
    """A page with a place for each section in its contents, named by the section's heading."""
    contents = [
        (f"section-{number}", section, _heading(section))
        for number, section in enumerate(sections, 1)
    ]
    return environment.get_template("base.html").render(
        title=title, contents=contents, made=made_line(made)
    )


def templates() -> Environment:
    """The templates, which may ask for tables that sort, and for charts."""
    environment = Environment(
        loader=FileSystemLoader(report_folder()), autoescape=True, undefined=StrictUndefined,
        trim_blocks=True, lstrip_blocks=True,
    )  # fmt: skip
    environment.policies["json.dumps_kwargs"] = {"separators": (",", ":"), "allow_nan": False}
    environment.globals["sortable"] = sortable
    environment.globals["chart"] = chart
    environment.globals["shipped"] = shipped
    return environment


def made_line(made: datetime) -> str:
    """When a page was made, and by what."""
    return f"Made by spotlab {__version__} on {made:%Y-%m-%d %H:%M}."


def chart(drawn: Figure | Chart) -> Markup:
    """A plot: an image as it is; curves with a read-out, and drawn for paper."""
    still = Markup(svg(as_figure(drawn)))
    if not isinstance(drawn, Chart):
        return Markup('<div class="plot">{}</div>').format(still)
    template = _own_templates().get_template("chart.html")
    return Markup(template.render(still=still, plots=drawn.data(), columns=drawn.columns))


@cache
def shipped(name: str) -> Markup:
    """A script, a style or a licence that stands in every page as it is."""
    text = (report_folder() / name).read_text("utf-8")
    ends = ("</script", "</style", "*/") if name.endswith("LICENSE") else ("</script", "</style")
    if any(end in text for end in ends):
        raise ValueError(f"{name} would end the element that it stands in")
    return Markup(text)


@cache
def _own_templates() -> Environment:
    return templates()


def _heading(section: Markup) -> str:
    found = HEAD.search(section)
    return Markup(found[1]).striptags() if found else ""
