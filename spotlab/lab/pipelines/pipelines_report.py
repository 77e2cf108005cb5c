"""Pipelines compared with and without truth as a report: Tables 4 to 6 of Lamiroy & Sun (2013)."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from pathlib import Path

import numpy as np

from spotlab.consensus.comparison import SystemFigures
from spotlab.errors import counted
from spotlab.lab.pipelines.pipelines import MethodFigures, PipelineStudy, as_json
from spotlab.report.colours import run_colour
from spotlab.report.figure_text import UNDEFINED, written
from spotlab.report.studies.consensus import RankColumn, slope_chart
from spotlab.report.studies.study import StudySection, write_study
from spotlab.report.tables import Cell, Column, Table

PARTS = (("Precision", "precision"), ("Recall", "recall"), ("F", "f"))
WITHOUT = "Estimated from the votes of all pipelines, ⊤ and ⊥, with equal weights (eqs. 11 and 12)."
WITH = "By the true texts. What no pipeline found counts in recall."
MEAN = "Mean over pages. "
DEFINITION = (
    "Each pipeline votes for the entities that it finds. Figures without truth estimate how far "
    "the other pipelines agree with it; they assume that pipelines err in different ways."
)


def write_pipeline_report(
    study: PipelineStudy, titles: Mapping[str, str], directory: Path, made: datetime | None = None
) -> Path:
    """Write the report; gives its page.

    Parameters
    ----------
    study : PipelineStudy
    titles : mapping of str to str
        What each method of turning texts into votes is called.
    directory : Path
    made : datetime, optional
        When it was made; now by default.

    Raises
    ------
    NotSaved
        It could not be written; what was there before is untouched.
    """
    sections = [_section(each, study.pipelines, titles[each.method]) for each in study.methods]
    sections.append(_entities(study))
    return write_study(
        directory, "Pipelines compared", _summary(study), sections, as_json(study), made
    )


def _summary(study: PipelineStudy) -> str:
    known = len(study.truth)
    truth = f"The true text of {known:,} of them is known." if known else "Truth is not known."
    return (
        f"{counted(len(study.pipelines), 'pipeline')} read "
        f"{counted(len(study.entities), 'page')}. {truth} They are "
        f"compared by {study.finder.title}, after Lamiroy & Sun (2013), §4.2."
    )


def _section(figures: MethodFigures, names: tuple[str, ...], title: str) -> StudySection:
    consensus = figures.consensus
    pooled = SystemFigures(consensus.precision, consensus.recall, consensus.f)
    file = figures.method.replace("_", "-")
    ranks = [RankColumn("Without truth", pooled.rank)]
    if figures.truth is not None:
        by_truth = SystemFigures(figures.truth.precision, figures.truth.recall, figures.truth.f)
        ranks.insert(0, RankColumn("With truth", by_truth.rank))
    drawn = len(ranks) > 1 and len(names) > 1
    colours = [run_colour(place) for place in range(len(names))]
    notes = []
    if figures.kendall is not None:
        notes.append(
            f"Kendall's τ of F without truth and with truth: {written(figures.kendall)}. 1 means "
            "the same order of the pipelines."
        )
    return StudySection(
        title,
        [f"{counted(len(figures.votes), 'item')}. {DEFINITION}"],
        {f"pipelines-{file}": _table(figures, pooled, names, title)},
        {f"ranking-{file}": slope_chart(names, ranks, colours)} if drawn else {},
        notes,
    )


def _table(
    figures: MethodFigures, pooled: SystemFigures, names: tuple[str, ...], title: str
) -> Table:
    """A row for each pipeline, the best first, then ⊤ and ⊥."""
    parts = [
        ("", "", WITHOUT, pooled),
        ("Mean of pages: ", "page_", MEAN + WITHOUT, figures.by_page),
    ]
    if figures.truth is not None:
        parts.append(("With truth: ", "true_", WITH, figures.truth))
    if figures.truth_by_page is not None:
        more = "With truth, mean of pages: ", "true_page_", MEAN + WITH, figures.truth_by_page
        parts.append(more)
    columns = [Column("Pipeline", "pipeline"), Column("Rank", "rank", "1 is the highest F.")]
    for before, short, definition, _ in parts:
        columns += [Column(before + word, f"{short}{part}", definition) for word, part in PARTS]
    rows = []
    for place in np.argsort(
        np.where(np.isnan(pooled.f), np.inf, -pooled.f), kind="stable"
    ).tolist():
        cells = [Cell(names[place]), _cell(float(pooled.rank[place]), "count")]
        for *_, table in parts:
            cells += [_cell(float(getattr(table, part)[place])) for _, part in PARTS]
        rows.append(tuple(cells))
    for name, end in (
        ("⊤, all items", figures.consensus.top),
        ("⊥, none", figures.consensus.bottom),
    ):
        own = [Cell(name), Cell(UNDEFINED)]
        own += [_cell(np.nan if value is None else value) for value in end]
        rows.append((*own, *[Cell("")] * (len(columns) - len(own))))
    return Table(f"Pipelines, {title}", tuple(columns), tuple(rows))


def _entities(study: PipelineStudy) -> StudySection:
    """Tell how many entities each pipeline found on each page."""
    truth = bool(study.truth)
    columns = [Column("Page", "page")]
    columns += [Column(name, name, "Number of entities found.") for name in study.pipelines]
    columns += [Column("Truth", "truth", "Number of entities in the true text.")] if truth else []
    rows = []
    for page, found in study.entities.items():
        cells = [_cell(float(len(found.get(name, ()))), "count") for name in study.pipelines]
        if truth:
            known = len(study.truth[page]) if page in study.truth else np.nan
            cells.append(_cell(float(known), "count"))
        rows.append((Cell(page), *cells))
    table = Table("Entities found", tuple(columns), tuple(rows))
    return StudySection("Pages", [], {"entities-by-page": table}, {}, study.remarks)


def _cell(value: float, unit: str = "") -> Cell:
    return Cell(written(value, unit), None if np.isnan(value) else value)
