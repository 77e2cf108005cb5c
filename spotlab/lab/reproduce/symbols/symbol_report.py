"""The study of symbol spotting as a report: the tables and figures of Rusiñol & Lladós, §5."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

from spotlab.errors import BadInput, counted
from spotlab.extras import cv2
from spotlab.imaging.reading.pixels import read_page
from spotlab.imaging.reading.pyramid import Pixels
from spotlab.lab.reproduce.symbols.symbol_published import (
    COLLECTION,
    OWN,
    TABLE_2,
    TABLE_3,
    CheckedStatement,
    explain_failure,
)
from spotlab.lab.reproduce.symbols.symbol_study import SymbolStudy
from spotlab.measures.figures import RunFigures
from spotlab.measures.intervals import Interval
from spotlab.model import Truth
from spotlab.report.charts import Chart, LinePlot, styled
from spotlab.report.colours import run_colour, run_style
from spotlab.report.figure_text import UNDEFINED
from spotlab.report.run_plots import TITLES, mean_plot, query_plot
from spotlab.report.studies.scalability import curves, parts_table, sizes
from spotlab.report.studies.study import StudySection, write_study
from spotlab.report.tables import Cell, Column, Table
from spotlab.spotting.symbols.engine.page_features import SymbolModel
from spotlab.studies.evaluate.scalability import as_json as scalability_json

MODELS_IN_A_ROW = 10
SIZE = (4.9, 3.5)  # inches of a plot
PAGE_SIDE = 1100  # px at least, of the longer one


def quality_curves(names: Sequence[str], runs: Sequence[RunFigures]) -> Chart:
    """Fig. 7: precision and fall-out over recall, means over queries."""
    kinds = (("precision", "7a"), ("fall_out", "7b"))
    return Chart([_means(names, runs, kind, number) for kind, number in kinds], 2, SIZE)


def f_curves(names: Sequence[str], runs: Sequence[RunFigures], chosen: str | None) -> Chart:
    """Fig. 8: F(r) of all methods, and of each query of one of them."""
    plots = [_means(names, runs, "f", "8a")]
    if chosen is not None:
        number = list(names).index(chosen)
        title = f"Fig. 8b: F of each query at recall r, method {chosen}"
        plots.append(query_plot(runs[number], run_style(number), "f", title))
    return Chart(plots, 2, SIZE)


def _means(names: Sequence[str], runs: Sequence[RunFigures], kind: str, number: str) -> LinePlot:
    styles = [run_style(place) for place in range(len(runs))]
    return mean_plot(names, runs, kind, f"Fig. {number}: {TITLES[kind]}", styles)


def query_models(models: Sequence[SymbolModel]) -> Figure:
    """Fig. 6: what is searched."""
    columns = min(MODELS_IN_A_ROW, max(len(models), 1))
    rows = -(-max(len(models), 1) // columns)
    with styled():
        figure = Figure(figsize=(1.05 * columns, 1.15 * rows), layout="constrained")
        FigureCanvasAgg(figure)
        axes = figure.subplots(rows, columns, squeeze=False).ravel()
        for axis in axes:
            axis.set_axis_off()
        for axis, model in zip(axes, models, strict=False):
            axis.imshow(~model.ink, cmap="gray", vmin=0, vmax=1, interpolation="antialiased")
            axis.set_title(model.name, fontsize=6.5)
    return figure


def fullest_page(truth: Truth, pixels: Pixels) -> Figure:
    """Fig. 6: a page with its symbols."""
    step = max(1, max(pixels.shape[:2]) // PAGE_SIDE)
    height, width = (side // step for side in pixels.shape[:2])
    small = cv2.resize(np.asarray(pixels), (width, height), interpolation=cv2.INTER_AREA)
    with styled():
        figure = Figure(figsize=(9.8, 9.8 * height / width), layout="constrained")
        FigureCanvasAgg(figure)
        axis = figure.subplots()
        axis.set_axis_off()
        axis.imshow(small, cmap="gray", vmin=0, vmax=255, interpolation="antialiased")
        for region in truth.regions:
            ring = np.vstack([region.array, region.array[:1]]) / step
            axis.plot(ring[:, 0], ring[:, 1], color=run_colour(1), linewidth=1.2)
    return figure


# figure: title, places after the point, scale of its interval
QUALITY = {
    "average_precision_hits": ("AveP (%)", 2, 100.0),
    "f": ("F (%)", 2, 100.0),
    "recognition_rate": ("Rec. rate (%)", 2, 1.0),
    "false_positives": ("AveFP", 2, 1.0),
    "generality": ("AveG (%)", 3, 100.0),
}
FURTHER = {
    "recognition_others": ("Rec. rate, no models (%)", 2, 1.0),
    "best_f": ("Best F(r) (%)", 2, 100.0),
    "iou_precision": ("AP at IoU (%)", 2, 100.0),
    "area_precision": ("Area precision (%)", 2, 100.0),
    "area_recall": ("Area recall (%)", 2, 100.0),
    "fall_out": ("Fall-out (%)", 3, 100.0),
}
DEVIATIONS = {
    "recall_mean": "Recall, mean",
    "recall_maximum": "Recall, max",
    "precision_mean": "Precision, mean",
    "precision_maximum": "Precision, max",
    "f_mean": "F, mean",
    "f_maximum": "F, max",
}
COLLECTION_TITLES = {
    "pages": "Pages",
    "width": "Width (px)",
    "height": "Height (px)",
    "classes": "Classes",
    "symbols": "Symbols",
    "fewest": "Fewest on a page",
    "most": "Most on a page",
}
FIGURE_TITLES = {
    **{name: title for name, (title, _, _) in (QUALITY | FURTHER).items()},
    **{name: f"std of {title} (%)" for name, title in DEVIATIONS.items()},
    "precision_early": "Precision at r = .05 (%)",
    "recognition_range": "Range of recognition rates (points)",
    "false_positive_growth": "Least growth of false positives",
    "false_positive_excess": "Growth of false positives over that of pages",
}
PLACES = {name: places for name, (_, places, _) in (QUALITY | FURTHER).items()}


def collection_table(study: SymbolStudy) -> Table:
    """§5.3: how large the collection is."""
    rows = tuple(
        (Cell(title), _number(study.collection[name], 0), _number(COLLECTION[name], 0))
        for name, title in COLLECTION_TITLES.items()
    )
    columns = (Column("", "what"), Column("Here", "here"), Column("Paper", "paper"))
    return Table("The collection", columns, rows)


def classes_table(study: SymbolStudy) -> Table:
    """Tell how often each class is there, and how well each method finds it."""
    columns = [Column("Class", "class"), Column("Symbols", "symbols"), Column("Pages", "pages")]
    for method in study.methods:
        columns += [
            Column(f"{method}: F (%)", f"{method}_f"),
            Column(f"{method}: rec. (%)", f"{method}_recognition_rate"),
        ]
    rows = []
    for label, (symbols, pages) in study.classes.items():
        cells = [Cell(label), _number(symbols, 0), _number(pages, 0)]
        for method in study.methods:
            figures = study.run(method).figures
            place = figures.tally.queries.index(label)
            share, rate = (
                float(figures.columns[name][place]) for name in ("f", "recognition_rate")
            )
            cells += [_number(100 * share, 1), _number(rate, 0)]
        rows.append(tuple(cells))
    return Table("Classes", tuple(columns), tuple(rows))


def quality_table(study: SymbolStudy) -> Table:
    """Table 2: means over queries with 95 % intervals, and the paper's values."""
    columns = [Column("Method", "method")]
    for name, (title, _, _) in QUALITY.items():
        columns += [Column(title, name), Column("paper", f"{name}_paper")]
    rows = []
    for method in study.methods:
        cells = [Cell(_title(study, method))]
        for name in QUALITY:
            cells.append(_figure(study, method, name))
            cells.append(_number(TABLE_2[name].get(method), 2))
        rows.append(tuple(cells))
    return Table("Table 2: measures of quality", tuple(columns), tuple(rows))


def further_table(study: SymbolStudy) -> Table:
    """Figures that the paper only draws, or does not have."""
    columns = [Column("Method", "method")]
    columns += [Column(title, name) for name, (title, _, _) in FURTHER.items()]
    rows = tuple(
        (Cell(_title(study, method)), *(_figure(study, method, name) for name in FURTHER))
        for method in study.methods
    )
    return Table("Further measures", tuple(columns), rows)


def _figure(study: SymbolStudy, method: str, name: str) -> Cell:
    """A figure with its interval below."""
    _, places, scale = (QUALITY | FURTHER)[name]
    interval = study.run(method).intervals["queries"].get(name)
    return _number(study.figures[name][method], places, _interval(interval, places, scale))


def deviations_table(study: SymbolStudy) -> Table:
    """Table 3: standard deviations between numbers of classes, in percent."""
    columns = [Column("Method", "method")]
    for name, title in DEVIATIONS.items():
        columns += [Column(title, name), Column("paper", f"{name}_paper")]
    rows = []
    for method in study.methods:
        cells = [Cell(_title(study, method))]
        for name in DEVIATIONS:
            cells.append(_number(study.figures[name][method], 2))
            cells.append(_number(TABLE_3[name].get(method), 2))
        rows.append(tuple(cells))
    title = "Table 3: standard deviation between numbers of classes, in percent"
    return Table(title, tuple(columns), tuple(rows))


def claims_table(claims: Sequence[CheckedStatement], title: str) -> Table:
    """Return what is said, whether it holds here, and the figures that say so."""
    columns = (
        Column("Statement", "statement"),
        Column("Paper", "where"),
        Column("Here", "holds"),
        Column("Pairs that satisfy it", "right"),
    )
    verdicts = {True: "holds", False: "does not", None: "undefined"}
    rows = tuple(
        (
            Cell(claim.statement.text, note=_figures(claim)),
            Cell(claim.statement.where),
            Cell(verdicts[claim.holds]),
            Cell(UNDEFINED if claim.holds is None else f"{claim.right} of {claim.total}"),
        )
        for claim in claims
    )
    return Table(title, columns, rows)


def comparisons_table(study: SymbolStudy) -> Table:
    """Tell whether chance could make one method better than another: randomisation over queries."""
    chosen = {name: (QUALITY | FURTHER)[name] for name in ("f", "recognition_rate")}
    columns = [Column("Methods", "methods")]
    for name, (title, _, _) in chosen.items():
        columns += [Column(f"{title}: difference", name)]
    columns.append(Column("p of F", "f_p", "Of the paired randomisation test, corrected by Holm."))
    rows = []
    compared = study.evaluation.comparisons
    for (first, second), differences in compared.items():
        cells = [Cell(f"{second} – {first}")]
        for name, (_, places, scale) in chosen.items():
            found = differences.get(name)
            if found is None:
                cells.append(Cell(UNDEFINED))
                continue
            note = _interval(found.interval, places, scale)
            cells.append(_number(scale * found.value, places, note))
        tested = differences.get("f")
        cells.append(_number(tested.p_holm if tested else None, 3))
        rows.append(tuple(cells))
    return Table("Differences between methods", tuple(columns), tuple(rows))


def _figures(claim: CheckedStatement) -> str:
    """The figures that take part, by their titles: "F (%): a 6.9, b 23.3"."""
    by_name: dict[str, list[str]] = {}
    for name, method, value in claim.values:
        text = UNDEFINED if value is None else f"{value:,.{PLACES.get(name, 2)}f}"
        by_name.setdefault(name, []).append(f"{method} {text}")
    return "; ".join(
        f"{FIGURE_TITLES.get(name, name)}: {', '.join(each)}" for name, each in by_name.items()
    )


def _title(study: SymbolStudy, method: str) -> str:
    return f"{method}: {study.titles[method]}"


def _interval(interval: Interval | None, places: int, scale: float) -> str:
    if interval is None:
        return ""
    return f"{scale * interval.low:,.{places}f} to {scale * interval.high:,.{places}f}"


def _number(value: float | None, places: int, note: str = "") -> Cell:
    if value is None or math.isnan(value):
        return Cell(UNDEFINED)
    return Cell(f"{value:,.{places}f}", value, note)


EACH_QUERY = "b"  # whose queries Fig. 8b shows


def write_symbols(
    study: SymbolStudy, directory: Path, further: Sequence[StudySection] = ()
) -> Path:
    """Write the report; gives its page.

    Parameters
    ----------
    further : sequence of StudySection
        Of other studies, after its own.

    Raises
    ------
    NotSaved
        It could not be written; what was there before is untouched.
    """
    sections = [_claims(study), _quality(study), _scalability(study), _collection(study), *further]
    return write_study(directory, "Symbol spotting", _summary(study), sections, as_json(study))


def as_json(study: SymbolStudy) -> dict[str, Any]:
    """All numbers; undefined ones are None. Shares in percent, as the paper prints them."""
    return {
        "collection": study.collection,
        "classes": {
            label: {"symbols": symbols, "pages": pages}
            for label, (symbols, pages) in study.classes.items()
        },
        "methods": dict(study.titles),
        "figures": study.figures,
        "claims": [_claim(claim) for claim in study.claims],
        "own_claims": [_claim(claim) for claim in study.own_claims],
        "scalability": scalability_json(study.scalability),
    }


def _claim(claim: CheckedStatement) -> dict[str, Any]:
    return {
        "statement": claim.statement.text,
        "where": claim.statement.where,
        "holds": claim.holds,
        "right": claim.right,
        "total": claim.total,
        "why_not": explain_failure(claim) or None,
    }


def _summary(study: SymbolStudy) -> str:
    found = study.collection
    held = sum(claim.holds is True for claim in study.claims)
    own = f" Method {OWN} is not the paper's." if OWN in study.methods else ""
    return (
        f"The evaluation of Rusiñol & Lladós (2010, §5) on {found['pages']:,.0f} pages with "
        f"{found['symbols']:,.0f} symbols of {found['classes']:,.0f} classes, searched by "
        f"{counted(len(study.models), 'model')} cropped from the pages.{own} Of "
        f"{len(study.claims)} things "
        f"that the paper says of its methods, {held} hold here."
    )


def _claims(study: SymbolStudy) -> StudySection:
    tables = {"statements": claims_table(study.claims, "The paper's methods")}
    if study.own_claims:
        title = f"Method {OWN} compared with the paper's"
        tables["statements-own"] = claims_table(study.own_claims, title)
    return StudySection(
        "Statements of the paper and whether they hold here",
        [
            "Each statement is a set of comparisons of figures, and holds where all of them do. "
            "The figures printed in the paper satisfy every one that they are enough for."
        ],
        tables,
        {},
        [
            f"{claim.statement.text}: {explain_failure(claim)}"
            for claim in study.claims
            if claim.holds is False
        ],
    )


def _quality(study: SymbolStudy) -> StudySection:
    runs = [run.figures for run in study.evaluation.runs]
    chosen = EACH_QUERY if EACH_QUERY in study.methods else None
    notes = [f"{run.name}: {remark}" for run in study.evaluation.runs for remark in run.remarks]
    return StudySection(
        "Quality (Table 2, Figs. 7 and 8)",
        [
            "Means over the classes searched; below them 95 % intervals, had other classes been "
            "searched. AveP is averaged over the ranks whose region overlaps some truth. A symbol "
            f"is recognised where at least {study.evaluation.settings.recognised:.0%} of its area "
            "is retrieved; a region that overlaps no recognised symbol is a false positive. Every "
            "run is evaluated down to its last region; the best F(r) is the highest point of "
            "Fig. 8a, where lists end at the best recall. A model finds the place that it is from, "
            "as in the paper; “no models” leaves out the symbols that are models."
        ],
        {
            "table-2": quality_table(study),
            "further": further_table(study),
            "differences": comparisons_table(study),
        },
        {
            "fig-7": quality_curves(study.methods, runs),
            "fig-8": f_curves(study.methods, runs, chosen),
        },
        notes,
    )


def _scalability(study: SymbolStudy) -> StudySection:
    scalability = study.scalability
    counts = ", ".join(map(str, scalability.counts))
    return StudySection(
        "Scalability (Table 3, Figs. 9 and 10)",
        [
            f"{counts} classes, each number drawn {scalability.draws:,} times: the deviations are "
            "those between the averaged curves of different numbers of classes. These methods "
            "search every class by itself, so that what remains is the chance of drawing. "
            "Below, growing parts of the collection, in classes and in pages."
        ],
        {"table-3": deviations_table(study), "parts": parts_table(scalability)},
        {
            **{f"fig-9-{name}": chart for name, chart in curves(scalability).items()},
            "fig-10": sizes(scalability),
        },
    )


def _collection(study: SymbolStudy) -> StudySection:
    return StudySection(
        "Collection (§5.3, Fig. 6)",
        ["The query models of each class and the figures of their searches."],
        {"collection": collection_table(study), "classes": classes_table(study)},
        {"fig-6": query_models(study.models), **_page(study)},
        list(study.evaluation.remarks),
    )


def _page(study: SymbolStudy) -> dict[str, Figure]:
    """The page with most symbols; nothing where it cannot be read any more."""
    truth = max(study.evaluation.truths.values(), key=lambda each: len(each.regions))
    try:
        pixels = read_page(truth.page.image, truth.page.frame)
    except BadInput:
        return {}
    return {"fig-6-page": fullest_page(truth, pixels)}
