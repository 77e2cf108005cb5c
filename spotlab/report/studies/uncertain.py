"""The study of uncertain truth as files: a page, tables as CSV and LaTeX, bands as SVG, JSON."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np

from spotlab.formats.rows.json_values import json_text
from spotlab.progress import Progress, silent
from spotlab.report.charts import Chart, ChartLine, LinePlot, file
from spotlab.report.charts import ChartBand as LineBand
from spotlab.report.colours import run_colour
from spotlab.report.studies.study import (
    PAGE,
    StudySection,
    render_study,
    table_files,
    write_together,
)
from spotlab.report.tables import Cell, Column, Table, csv_text, figure_cell
from spotlab.representation import utf8
from spotlab.studies.uncertain.study import JudgedAnswer, UncertainStudy
from spotlab.studies.uncertain.study_json import as_json
from spotlab.studies.words.displacement import DisplacementStudy
from spotlab.uncertain_truth.answers import Band

SHOWN = 12  # queries whose bands are on the page
ENDS = ("mean", "median", "half_low", "half_high", "most_low", "most_high")


def write_uncertain(
    study: UncertainStudy,
    displacements: Sequence[DisplacementStudy],
    remarks: Sequence[str],
    directory: Path,
    progress: Progress = silent,
    made: datetime | None = None,
) -> Path:
    """Write all files, or none.

    A query's figure has its number in the order of ``bands.csv``; the page shows the first 12.

    Returns
    -------
    Path
        The folder.

    Raises
    ------
    NotSaved
        They could not be written; what was there before is untouched.
    """
    numbers = as_json(study, displacements, remarks)
    contents = {"uncertain.json": utf8(json_text(numbers))}
    queries = list(dict.fromkeys(each.query for each in study.answers))
    contents["bands.csv"] = utf8(bands_csv(study))
    tables = {"means": means_table(study), "comparisons": comparisons_table(study)}
    tables.update(
        {f"displacement-{each.missing}": displacement_table(each) for each in displacements}
    )
    contents |= table_files({name: table for name, table in tables.items() if table.rows})
    drawn: dict[str, Chart] = {}
    for number, query in enumerate(queries):
        progress(number, len(queries), "drawing bands")
        answers = [each for each in study.answers if each.query == query]
        name, figure = f"query-{number + 1}", draw_query(answers, study)
        contents[f"{name}.svg"] = file(figure.figure(), "svg")
        if number < SHOWN:
            drawn[name] = figure
    progress(len(queries), len(queries), "drawing bands")
    sections = _sections(study, tables, drawn, len(queries), remarks)
    page = render_study("Uncertain truth", _summary(study), sections, made or datetime.now(UTC))
    contents[PAGE] = utf8(page)
    write_together(directory, contents)
    return directory


def _summary(study: UncertainStudy) -> str:
    queries = len({each.query for each in study.answers})
    return (
        f"Systems: {len(study.systems):,}, queries: {queries:,}. Evaluated against "
        "judgements that disagree: precision and recall as distributions, after Santini."
    )


def _sections(
    study: UncertainStudy,
    tables: Mapping[str, Table],
    drawn: Mapping[str, Chart],
    queries: int,
    remarks: Sequence[str],
) -> list[StudySection]:
    """The parts of the page; those without a row are left out."""

    def shown(start: str) -> dict[str, Table]:
        return {name: each for name, each in tables.items() if name.startswith(start) and each.rows}

    rest = queries - len(drawn)
    more = [f"{rest:,} more queries are in the files query-N.svg."] if rest > 0 else []
    bands = "The median at each n, and bands that contain 50 % and 95 % of the probability."
    better = (
        "Probability that the precision of the first system is better than, equal to or "
        "worse than that of the second."
    )
    displaced = (
        "Distance of the items from their ranks in the subjects' rankings, weighted by relevance; "
        "smaller is better. Items that an answer lacks are placed directly after it (optimist) or "
        "at the end of the collection (pessimist)."
    )
    found = [
        StudySection("Assumptions", list(study.captions), {}, {}, list(remarks)),
        StudySection("Means", [], shown("means"), {}),
        StudySection("Which is better?", [better], shown("comparisons"), {}),
        StudySection("Precision and recall", [bands], {}, drawn, more),
        StudySection("Weighted displacement", [displaced], shown("displacement"), {}),
    ]
    return [each for number, each in enumerate(found) if not number or each.tables or each.figures]


def bands_csv(study: UncertainStudy) -> str:
    """A row an answer and cut-off; what is undefined is empty."""
    kinds = [f"{kind}_{end}" for kind in ("precision", "recall") for end in ENDS]
    rows: list[list[Any]] = [["system", "query", "n", *kinds]]
    for each in study.answers:
        both = np.hstack([_ends(each.bands.precision), _ends(each.bands.recall)])
        for cut, values in zip(each.bands.cut_off.tolist(), both.tolist(), strict=True):
            known = [None if np.isnan(value) else value for value in values]
            rows.append([each.system, each.query, cut, *known])
    return csv_text(rows)


def means_table(study: UncertainStudy) -> Table:
    """A row a system: its mean precision with bands, and recall."""
    names = ("system", "queries", "recall", *(f"precision_{end}" for end in ENDS))
    rows = []
    for each in study.means:
        values: list[float | None] = [None] * len(ENDS)
        if each.precision is not None:
            found = each.precision
            values = [found.mean, found.median, *found.band(0.5), *found.band(0.95)]
        rows.append((Cell(each.system), *map(_number, (each.queries, each.recall, *values))))
    return Table(f"Means over queries, {study.compared_at} returned", _columns(names), tuple(rows))


def comparisons_table(study: UncertainStudy) -> Table:
    """A row each two systems: how probable it is that one is better."""
    names = ("systems", "better", "equal", "worse", "mean", "low", "high", "common", "queries")
    rows = []
    for each in study.comparisons:
        found = each.comparison
        values: list[float | None] = [None] * (len(names) - 1)
        if found is not None:
            values = [
                found.superiority, found.equality, found.inferiority, found.mean, *found.interval,
                found.common, found.queries,
            ]  # fmt: skip
        rows.append((Cell(f"{each.a} – {each.b}"), *map(_number, values)))
    return Table(f"Precision at {study.compared_at}: differences", _columns(names), tuple(rows))


def displacement_table(study: DisplacementStudy) -> Table:
    """A row a system: the mean over the subjects, then each of them."""
    subjects = dict.fromkeys(one.subject for each in study.systems for one in each.subjects)
    rows = []
    for each in study.systems:
        own = {one.subject: one.displacement for one in each.subjects}
        values = [each.quality, each.displacement, *(own.get(one) for one in subjects)]
        rows.append((Cell(each.system), *map(_number, values)))
    columns = _columns(("system", "quality", "displacement"))
    columns += tuple(Column(one, one) for one in subjects)
    return Table(f"Weighted displacement, {study.missing}", columns, tuple(rows))


def draw_query(answers: Sequence[JudgedAnswer], study: UncertainStudy) -> Chart:
    """Precision and recall of all answers to a query over n: medians, 50 % and 95 % bands."""
    cuts = np.unique(np.concatenate([each.bands.cut_off for each in answers])).astype(np.float64)
    plots = []
    for name in ("precision", "recall"):
        lines = [_line(each, getattr(each.bands, name), study) for each in answers]
        title = f"{answers[0].query}: {name}"
        plots.append(LinePlot(title, "Items returned, n", cuts, lines, top=None))
    return Chart(plots, 2, (4, 3.6), study.captions[0])


def _line(answer: JudgedAnswer, band: Band, study: UncertainStudy) -> ChartLine:
    bands = [(band.middle_50, 0.3), (band.middle_95, 0.12)]
    return ChartLine(
        answer.system,
        run_colour(study.systems.index(answer.system)),
        band.median,
        answer.bands.cut_off.astype(np.float64),
        [LineBand(low, high, opacity) for (low, high), opacity in ((b.T, o) for b, o in bands)],
        link=f"system:{answer.system}",
    )


def _ends(band: Band) -> np.ndarray:
    return np.column_stack([band.mean, band.median, band.middle_50, band.middle_95])


def _columns(names: Sequence[str]) -> tuple[Column, ...]:
    return tuple(Column(name.replace("_", " ").capitalize(), name) for name in names)


def _number(value: float | None) -> Cell:
    return figure_cell(value, spec="," if isinstance(value, int) else ".3f")
