"""Each run by itself: curves and figures of queries, errors, the worst pages."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from markupsafe import Markup

from spotlab.errors import counted
from spotlab.measures.matching import ERROR_KINDS
from spotlab.report.charts import Chart
from spotlab.report.colours import RunStyle, styles_of
from spotlab.report.images import ModelCrop, data_uri, model_crops
from spotlab.report.pictures import (
    EXPLAINED,
    MEANINGS,
    AreaTable,
    area_table,
    shown_kinds,
    swatch_png,
)
from spotlab.report.run_plots import query_curves
from spotlab.report.run_tables import models_table, outside_table, pages_table, queries_table
from spotlab.report.section import Evaluated, Section
from spotlab.report.tables import Cell, Column, Table, figure_cell
from spotlab.studies.evaluate.evaluation import RunEvaluation
from spotlab.studies.tally.truth import pages_of_truths


@dataclass(frozen=True)
class WorstPage:
    """A page of a run as the report shows it; its address holds the image."""

    name: str
    caption: str
    image: str
    areas: AreaTable


@dataclass(frozen=True)
class QueryModels:
    """The models that a run's queries were taken from; pictures in base 64."""

    title: str
    figures: Table | None
    crops: Sequence[tuple[ModelCrop, str]]


@dataclass(frozen=True)
class RunDetails:
    """Details of one run in the report."""

    name: str
    full: bool
    sample: Markup
    plot: Chart
    queries: Table
    outside: Table | None
    every_page: Table
    errors: Table
    pages: Sequence[WorstPage]
    listed: Sequence[str]
    models: QueryModels | None


def _render(evaluated: Evaluated) -> Markup:
    if not evaluated.evaluation.runs:
        return Markup("")
    template = evaluated.templates.get_template("run_details.html")
    evaluation = evaluated.evaluation
    styles = dict(zip(evaluation.runs, styles_of(evaluation), strict=True))
    shown = (*evaluation.in_full, *evaluation.in_short)
    runs = [_details(run, styles[run], evaluated) for run in shown]
    ignored = any(run.tally.ignored is not None for run in evaluated.evaluation.runs)
    kinds = [(kind.words, MEANINGS[kind], swatch_png(kind)) for kind in shown_kinds(ignored)]
    return Markup(template.render(runs=runs, kinds=kinds, explained=EXPLAINED))


def _details(run: RunEvaluation, style: RunStyle, evaluated: Evaluated) -> RunDetails:
    return RunDetails(
        run.name,
        run in evaluated.evaluation.in_full,
        evaluated.samples[run.name],
        query_curves(run.figures, style),
        queries_table(run.name, run.figures),
        outside_table(run.name, run.figures),
        pages_table(run.name, run.figures),
        _errors(run),
        [
            WorstPage(each.page, each.caption, data_uri(each.webp), area_table(each.sums))
            for each in evaluated.overlaid.get(run.name, ())
        ],
        run.listed,
        _models(run, evaluated),
    )


def _models(run: RunEvaluation, evaluated: Evaluated) -> QueryModels | None:
    number = sum(map(len, run.models.values()))
    if not number:
        return None
    pages = pages_of_truths(evaluated.evaluation.truths)
    crops = model_crops(pages, run.models)
    with_models = run.with_models
    title = f"{counted(number, 'query model')}, {'counted' if with_models is None else 'left out'}"
    return QueryModels(
        title,
        None if with_models is None else models_table(run.figures, with_models),
        [(crop, data_uri(crop.png, "png")) for crop in crops if crop.png is not None],
    )


def _errors(run: RunEvaluation) -> Table:
    columns = (Column("Query", "query"), *(Column(kind.words, kind.value) for kind in ERROR_KINDS))
    counts = {kind: run.errors.count(kind) for kind in ERROR_KINDS}
    rows = [
        (Cell(query), *(figure_cell(float(counts[kind][number]), "count") for kind in ERROR_KINDS))
        for number, query in enumerate(run.tally.queries)
    ]  # fmt: skip
    return Table("Errors by type", columns, tuple(rows))


SECTION = Section("run_details", _render, 60)
