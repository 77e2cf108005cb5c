"""The tables of the study of symbol spotting, with what the paper prints beside what is found."""

from __future__ import annotations

import math
from collections.abc import Sequence

from spotlab.lab.reproduce.symbols.symbol_claims import CheckedStatement
from spotlab.lab.reproduce.symbols.symbol_published import COLLECTION, TABLE_2, TABLE_3
from spotlab.lab.reproduce.symbols.symbol_study import SymbolStudy
from spotlab.measures.intervals import Interval, correct_differences
from spotlab.measures.measure import known_figures
from spotlab.report.figure_text import UNDEFINED
from spotlab.report.tables import Cell, Column, Table

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
    """How often each class is there, and how well each method finds it."""
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
    interval = study.run(method).intervals_over_queries.get(name)
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
    """What is said, whether it holds here, and the figures that say so."""
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
    """Whether chance could make one method better than another: randomisation over queries."""
    chosen = {name: (QUALITY | FURTHER)[name] for name in ("f", "recognition_rate")}
    columns = [Column("Methods", "methods")]
    for name, (title, _, _) in chosen.items():
        columns += [
            Column(f"{title}: difference", name),
            Column("p", f"{name}_p"),
            Column("p (Holm)", f"{name}_p_holm", "p corrected for all comparisons of this table."),
        ]
    rows = []
    compared = study.evaluation.comparisons
    listed = [{name: each.get(name) for name in chosen} for each in compared.values()]
    figures = [figure for figure in known_figures() if figure.name in chosen]
    corrected, _ = correct_differences(listed, figures)
    for (first, second), differences in zip(compared, corrected, strict=True):
        cells = [Cell(f"{first} – {second}")]
        for name, (_, places, scale) in chosen.items():
            found = differences.get(name)
            if found is None:
                cells += [Cell(UNDEFINED)] * 3
                continue
            note = _interval(Interval(found.low, found.high), places, scale)
            cells += [_number(scale * found.value, places, note), _number(found.p, 3)]
            cells.append(_number(found.p_holm, 3))
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
