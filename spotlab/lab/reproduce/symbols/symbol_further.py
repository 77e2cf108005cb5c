"""What is measured of symbol spotting besides the paper's study, as parts of its report."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from spotlab.lab.reproduce.symbols.descriptor_invariance import (
    DescriptorInvariance,
    DescriptorShift,
    measure_invariance,
)
from spotlab.lab.reproduce.symbols.symbol_robustness import (
    Robustness,
    RobustnessCurve,
    measure_robustness,
)
from spotlab.progress import Progress, silent
from spotlab.report.charts import Chart, ChartLine, LinePlot
from spotlab.report.colours import run_colour
from spotlab.report.figure_text import UNDEFINED
from spotlab.report.study import StudySection
from spotlab.report.tables import Cell, Column, Table

SEED = 102  # of the plan that is damaged
TOUCHING = (0.0, 0.5, 1.0)  # share of the symbols whose ink touches a wall

MOVED = {
    "median": (
        "moved",
        "Median displacement of the contours in descriptor space, in units of the radius",
    ),
    "within": ("within (%)", "Share of contours displaced by no more than the radius"),
    "nearest": (
        "nearest (%)",
        "Share of contours whose nearest contour is the same one, or one of the same shape",
    ),
}


def further_sections(
    methods: Sequence[str],
    *,
    jobs: int = 1,
    cluster: str | None = None,
    progress: Progress = silent,
) -> list[StudySection]:
    """All of them, each measured on little: the studies themselves take more.

    Raises
    ------
    Cancelled
        From ``progress``.
    """
    return [
        invariance_section(measure_invariance(progress=progress)),
        robustness_section(
            measure_robustness(
                1, (SEED,), methods, progress, touching=TOUCHING, jobs=jobs, cluster=cluster
            )
        ),
    ]


def invariance_section(found: DescriptorInvariance) -> StudySection:
    """How far descriptors move when symbols are turned, scaled, mirrored or drawn badly."""
    false = ", ".join(f"{name} {share:.1f}" for name, share in found.false.items())
    return StudySection(
        "Invariance of the descriptors",
        [
            f"{found.drawings:,} drawings with {found.contours:,} contours are drawn anew for each "
            "change, as strokes on pixels, and described again. Left is the share of contours "
            "that the change itself neither opens nor closes; the rest is of these. Of 100 "
            f"contours of another shape, within the radius of one are: {false}."
        ],
        {"invariance": invariance_table(found)},
        {},
    )


def invariance_table(found: DescriptorInvariance) -> Table:
    """A row a change; for each descriptor how far, within its radius, and nearest."""
    names = list(found.false)
    columns = [Column("Change", "change"), Column("Left (%)", "left")]
    for name in names:
        columns += [
            Column(f"{name}: {title}", f"{name}_{key}", definition)
            for key, (title, definition) in MOVED.items()
        ]
    rows = []
    for first in found.rows[:: max(len(names), 1)]:
        place = (first.change, first.amount)
        same = [row for row in found.rows if (row.change, row.amount) == place]
        rows.append((Cell(" ".join(place)), _share(first.left), *_moved(same)))
    return Table("Descriptors after each change of a symbol", tuple(columns), tuple(rows))


DAMAGES = {
    "gaps": "Gaps in strokes per 1,000 px",
    "touching": "Share of the symbols that touch a wall",
}


def robustness_section(found: Robustness) -> StudySection:
    """Recall over broken strokes and wall contact, plain beside mended."""
    return StudySection(
        "Broken strokes and walls",
        [
            f"{found.pages:,} floor plan{'' if found.pages == 1 else 's'}, drawn with ever more "
            "damage. Recall is the share of symbols that a spot of their class overlaps by half "
            "(IoU). Dashed: closed contours as they are drawn; lines: broken strokes are bridged, "
            "and what touches walls is parted from them."
        ],
        {"robustness": robustness_table(found)},
        {"robustness-curves": robustness_curves(found)},
    )


def robustness_table(found: Robustness) -> Table:
    """A row for each kind and amount of damage; for each method plain and mended recall."""
    columns = [Column("Damage", "damage"), Column("Amount", "amount")]
    for name in found.titles:
        columns += [
            Column(f"{name}: not repaired (%)", f"{name}_plain"),
            Column(f"{name}: repaired (%)", f"{name}_mended"),
        ]
    rows = []
    for damage in DAMAGES:
        curves = {(each.method, each.mended): each for each in _of(found, damage)}
        amounts = next(iter(curves.values())).amounts if curves else ()
        for place, amount in enumerate(amounts):
            values = (curves[name, mended] for name in found.titles for mended in (False, True))
            cells = [_share(each.recall[place]) for each in values]
            rows.append((Cell(damage), Cell(f"{amount:g}", amount), *cells))
    return Table("Recall on damaged floor plans", tuple(columns), tuple(rows))


def robustness_curves(found: Robustness) -> Chart:
    """Recall over each kind of damage, a colour a method."""
    plots = []
    for damage, title in DAMAGES.items():
        lines = [_recall_line(found, each) for each in _of(found, damage)]
        amounts = np.unique(np.concatenate([np.zeros(0), *(line.x for line in lines)]))
        plots.append(LinePlot("Recall", title, amounts, lines))
    return Chart(plots, 2, (4.9, 3.5))


def _recall_line(found: Robustness, each: RobustnessCurve) -> ChartLine:
    recall = np.array([np.nan if value is None else value for value in each.recall])
    return ChartLine(
        each.method if each.mended else f"{each.method}, not repaired",
        run_colour(list(found.titles).index(each.method)),
        recall,
        np.asarray(each.amounts, np.float64),
        link=f"run:{each.method}",
        width=1.8 if each.mended else 1.1,
        dash=() if each.mended else (3.7, 1.6),
    )


def _of(found: Robustness, damage: str) -> list[RobustnessCurve]:
    return [each for each in found.curves if each.damage == damage]


def _moved(rows: Sequence[DescriptorShift]) -> list[Cell]:
    cells = []
    for row in rows:
        cells += [_number(row.median), _share(row.within), _share(row.nearest)]
    return cells


def _share(value: float | None) -> Cell:
    return Cell(UNDEFINED) if value is None else Cell(f"{100 * value:.1f}", 100 * value)


def _number(value: float | None) -> Cell:
    return Cell(UNDEFINED) if value is None else Cell(f"{value:.2f}", value)
