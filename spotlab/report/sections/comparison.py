"""Two runs: how figures change, which symbols and false spots are gained and lost, and where."""

from __future__ import annotations

from markupsafe import Markup

from spotlab.imaging.overlay import COMPARED_STYLES, FALSE_KINDS, TRUTH_KINDS
from spotlab.report.comparison import comparison_tables, most_changed_pages
from spotlab.report.images import data_uri
from spotlab.report.pictures import swatch_png
from spotlab.report.section import Evaluated, Section
from spotlab.report.tables import Table

OPEN = ("comparison-means", "comparison-areas")
LONGEST = 200  # rows of a table in the page; the CSV has all


def _render(evaluated: Evaluated) -> Markup | str:
    compared = evaluated.evaluation.compared
    if compared is None:
        return ""
    tables = comparison_tables(compared)
    template = evaluated.templates.get_template("comparison.html")
    pages = most_changed_pages(evaluated.evaluation, compared)
    text = template.render(
        first=compared.first.name,
        second=compared.second.name,
        opened=[tables[name] for name in OPEN],
        folded=[
            _Folded(_shortened(table), len(table.rows), f"{name}.csv")
            for name, table in tables.items()
            if name not in OPEN
        ],
        kinds=[
            (kind.words, swatch_png(kind, COMPARED_STYLES)) for kind in (*TRUTH_KINDS, *FALSE_KINDS)
        ],
        pages=[
            {
                "name": page.page,
                "caption": page.caption,
                "image": data_uri(page.webp),
                "areas": page.areas,
            }
            for page in pages
        ],
    )
    return Markup(text)


class _Folded:
    """A table that is opened by a click, how many rows it has, and the file that holds all."""

    def __init__(self, table: Table, rows: int, file: str) -> None:
        self.table, self.rows, self.file = table, rows, file
        self.shown = len(table.rows)


def _shortened(table: Table) -> Table:
    return Table(table.title, table.columns, table.rows[:LONGEST])


SECTION = Section("comparison", _render, 25)
