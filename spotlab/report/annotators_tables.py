"""Tables of runs held against several annotators, for texts and reports alike."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from spotlab.measures.agreement import MEASURES, AnnotatorFigures
from spotlab.report.figure_text import UNDEFINED, written
from spotlab.report.tables import Cell, Column, Table
from spotlab.studies.annotators.agreement import AnnotatorStudy
from spotlab.studies.annotators.differences import AnnotatorAgreement, DifferenceKind

KINDS = (  # a row of a run's table: its title, and what the figures are called by
    ("expected", "expected_{}"),
    ("mean over annotators", "mean_{}"),
    ("standard deviation over annotators", "{}_spread"),
    ("marked by all", "every_{}"),
    ("marked by any", "any_{}"),
)
_REGION_KINDS = {
    DifferenceKind.NONE: "alike",
    DifferenceKind.OUTLINE: "other outline",
    DifferenceKind.LABEL: "other label",
    DifferenceKind.ONLY_FIRST: "only first",
    DifferenceKind.ONLY_SECOND: "only second",
}
TITLES = dict(zip(MEASURES, ("Precision", "Recall", "F"), strict=True))


def figures_table(figures: AnnotatorFigures, title: str) -> Table:
    """Pooled and mean figures, a row a kind of figure, then each annotator's own."""
    heads = [
        Column(f"{TITLES[measure]}, {of}", f"{measure}_{short}")
        for of, short in (("all areas", "pooled"), ("mean of queries", "mean"))
        for measure in MEASURES
    ]
    pooled, mean = figures.pooled(), figures.mean()
    rows = [
        (
            Cell(kind),
            *_cells([each[name.format(one)] for each in (pooled, mean) for one in MEASURES]),
        )
        for kind, name in KINDS
    ]
    rows += [
        (Cell(name), *_cells([own.pooled(each) for each in MEASURES]), *_cells([None] * 3))
        for name, own in zip(figures.annotators, figures.own, strict=True)
    ]
    return Table(title, (Column("Truth", "truth"), *heads), tuple(rows))


def agreement_table(study: AnnotatorStudy) -> Table:
    """F of each two annotators, then each against all others."""
    names = study.annotated.names
    rows = []
    for one, name in enumerate(names):
        pairs = [study.pair(one, other) for other in range(len(names))]
        figures = study.agreement[one]
        found = {} if figures is None else figures.pooled()
        values = [None if pair is None else pair.pooled("f") for pair in pairs]
        values += [found.get(f"expected_{each}") for each in MEASURES]
        rows.append((Cell(name), *_cells(values)))
    columns = [Column(name, name) for name in ("annotator", *names)]
    columns += [Column(f"{TITLES[each]}, all others", f"{each}_others") for each in MEASURES]
    return Table("Annotators against each other", tuple(columns), tuple(rows))


def region_table(
    agreements: Mapping[str, AnnotatorAgreement], title: str = "Agreement by region"
) -> Table:
    """Area IoU, kappa and the number of regions of each kind, a row for each pair of truths.

    Parameters
    ----------
    agreements : mapping of str to AnnotatorAgreement
        By what the row is called.
    title : str

    Returns
    -------
    Table
    """
    columns = (
        Column("Annotators", "annotators"),
        Column("area IoU", "area_iou"),
        Column("κ", "kappa"),
        *(Column(title, title.replace(" ", "_")) for title in _REGION_KINDS.values()),
    )
    rows = [
        (
            Cell(name),
            *_cells([agreement.iou, agreement.differences.kappa]),
            *(
                Cell(f"{agreement.differences.counts[kind]:,}", agreement.differences.counts[kind])
                for kind in _REGION_KINDS
            ),
        )
        for name, agreement in agreements.items()
    ]
    return Table(title, columns, tuple(rows))


def _cells(values: Sequence[float | None]) -> list[Cell]:
    return [
        Cell(UNDEFINED) if value is None or np.isnan(value) else Cell(written(value), value)
        for value in values
    ]
