"""Sections of the report: their definition, and the list of all sections."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from typing import TYPE_CHECKING

from jinja2 import Environment
from markupsafe import Markup

from spotlab.progress import Progress, silent, track
from spotlab.registry import discover, guarded
from spotlab.report.colours import line_sample_svg, styles_of

if TYPE_CHECKING:
    from spotlab.report.images import Overlaid
    from spotlab.report.pictures import Pictures
    from spotlab.studies.evaluate.evaluation import Evaluation


@dataclass(frozen=True)
class Evaluated:
    """Data from which a section is made.

    Attributes
    ----------
    evaluation : Evaluation
    overlaid : mapping of str to sequence of Overlaid
        The worst pages of each run, by its name.
    templates : Environment
        The templates of ``resources/report``, with ``sortable`` for tables and ``chart`` for plots.
    pictures : Pictures
        Pages and errors of all runs.
    """

    evaluation: Evaluation
    overlaid: Mapping[str, Sequence[Overlaid]]
    templates: Environment
    pictures: Pictures

    @cached_property
    def samples(self) -> Mapping[str, Markup]:
        """A piece of each run's line, by its name."""
        styles = zip(self.evaluation.runs, styles_of(self.evaluation), strict=True)
        return {run.name: line_sample_svg(style) for run, style in styles}


@dataclass(frozen=True)
class Section:
    """A section of the report on runs.

    Attributes
    ----------
    name : str
    render : callable
        Gives the section as HTML; a plain ``str`` is escaped. Nothing ("") leaves it out. Its
        first ``<h2>`` stands in the contents of the report.
    order : int
        Its place, in increasing order; those of other packages stand before the definitions.

    Examples
    --------
    A section that another package offers as an entry point of the group
    ``spotlab.report.sections``:

    >>> HELLO = Section("hello", lambda evaluated: Markup("<h2>Hello</h2>"))
    >>> HELLO.order
    50
    """

    name: str
    render: Callable[[Evaluated], str]
    order: int = 50


def report_sections() -> list[Section]:
    """All sections in their order: those of spotlab, and those of other packages."""
    every = discover("spotlab.report.sections", Section).values()
    return sorted(every, key=lambda section: section.order)


def render_sections(evaluated: Evaluated, progress: Progress = silent) -> list[Markup]:
    """All sections as HTML; one of another package that fails is left out, and named."""
    rendered = (
        guarded(section, partial(_rendered, section, evaluated))
        for section in track(report_sections(), progress, "writing sections")
    )
    return [html for html in rendered if html]


def _rendered(section: Section, evaluated: Evaluated) -> Markup:
    return Markup.escape(section.render(evaluated))
