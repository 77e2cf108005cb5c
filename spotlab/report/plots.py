"""The curves of runs as charts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from spotlab.report.charts import Band, Chart, Line, LinePlot
from spotlab.report.colours import RunStyle, run_style

if TYPE_CHECKING:
    from spotlab.measures.figures import RunFigures

GRID = np.linspace(0.0, 1.0, 101)  # of recall
KINDS = ("precision", "fall_out", "f")
TITLES = {
    "precision": "Precision at recall r",
    "fall_out": "Fall-out at recall r",
    "f": "F at recall r",
}
BANDED = 2  # runs whose bands can still be told apart
RECALL = "Area recall r"


def curves(
    names: Sequence[str], runs: Sequence[RunFigures], styles: Sequence[RunStyle] | None = None
) -> Chart:
    """P–R, fall-out–R and F(r) of every run: means over queries.

    One or two runs have bands of a standard deviation; those of more would hide each other.

    Parameters
    ----------
    names : sequence of str
    runs : sequence of RunFigures
        One for each name.
    styles : sequence of RunStyle, optional
        One for each name; by default that of its place.
    """
    styles = styles or [run_style(number) for number in range(len(runs))]
    return Chart([mean_plot(names, runs, kind, TITLES[kind], styles) for kind in KINDS])


def mean_plot(
    names: Sequence[str], runs: Sequence[RunFigures], kind: str, title: str,
    styles: Sequence[RunStyle], banded: int = BANDED,
) -> LinePlot:  # fmt: skip
    """The mean curve of every run; ``banded``: how many runs may have bands."""
    lines = []
    for name, run, style in zip(names, runs, styles, strict=True):
        curve = run.curves.central(kind, GRID)
        low = np.maximum(curve.mean - curve.deviation, 0.0)
        bands = [Band(low, curve.mean + curve.deviation)] if len(runs) <= banded else []
        link = f"run:{name}"
        lines.append(Line(name, style.colour, curve.mean, bands=bands, link=link, dash=style.dash))
    top = None if kind == "fall_out" else 1.0
    return LinePlot(title, RECALL, GRID, lines, top, x_end=1.0)


def queries(run: RunFigures, style: RunStyle) -> Chart:
    """P(r) and F(r) of every query of a run behind their mean (Rusiñol & Lladós, Fig. 8b)."""
    plots = [query_plot(run, style, kind, TITLES[kind]) for kind in ("precision", "f")]
    return Chart(plots, 2, (5.25, 3.3))


def query_plot(run: RunFigures, style: RunStyle, kind: str, title: str) -> LinePlot:
    """The curves of every query of a run, and their mean."""
    sample = run.curves.sampled_precision if kind == "precision" else run.curves.sampled_f
    lines = [
        Line(name, style.colour, row, link=f"query:{name}", width=1.0, opacity=0.4)
        for name, row, there in zip(run.tally.queries, sample(GRID), run.in_truth, strict=True)
        if there
    ]
    mean = run.curves.central(kind, GRID).mean
    lines.append(Line("mean", style.colour, mean, width=2.4, dash=style.dash))
    return LinePlot(title, RECALL, GRID, lines, x_end=1.0)
