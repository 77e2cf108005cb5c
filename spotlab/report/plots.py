"""The curves of runs as charts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from spotlab.report.charts import Band, Chart, Line, LinePlot
from spotlab.report.colours import run_colour

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

Floats = NDArray[np.float64]


def curves(names: Sequence[str], runs: Sequence[RunFigures]) -> Chart:
    """P–R, fall-out–R and F(r) of every run: means over queries.

    Up to two runs have bands of a standard deviation.

    Parameters
    ----------
    names : sequence of str
    runs : sequence of RunFigures
        One for each name.
    """
    return Chart([mean_plot(names, runs, kind, TITLES[kind]) for kind in KINDS])


def mean_plot(
    names: Sequence[str], runs: Sequence[RunFigures], kind: str, title: str, banded: int = BANDED
) -> LinePlot:
    """The mean curve of every run; ``banded``: how many runs may have bands."""
    lines = []
    for number, (name, run) in enumerate(zip(names, runs, strict=True)):
        curve = run.curves.central(kind, GRID)
        low = np.maximum(curve.mean - curve.deviation, 0.0)
        bands = [Band(low, curve.mean + curve.deviation)] if len(runs) <= banded else []
        lines.append(Line(name, run_colour(number), curve.mean, bands=bands, link=f"run:{name}"))
    top = None if kind == "fall_out" else 1.0
    return LinePlot(title, RECALL, GRID, lines, top, x_end=1.0)


def queries(run: RunFigures, number: int) -> Chart:
    """P(r) and F(r) of every query of a run behind their mean (Rusiñol & Lladós, Fig. 8b)."""
    plots = [query_plot(run, number, kind, TITLES[kind]) for kind in ("precision", "f")]
    return Chart(plots, 2, (5.25, 3.3))


def query_plot(run: RunFigures, number: int, kind: str, title: str) -> LinePlot:
    """The curves of every query of a run, and their mean."""
    sample = run.curves.sampled_precision if kind == "precision" else run.curves.sampled_f
    lines = [
        Line(name, run_colour(number), row, link=f"query:{name}", width=1.0, opacity=0.4)
        for name, row, there in zip(run.tally.queries, sample(GRID), run.in_truth, strict=True)
        if there
    ]
    mean = run.curves.central(kind, GRID).mean
    lines.append(Line("mean", run_colour(number), mean, width=2.4))
    return LinePlot(title, RECALL, GRID, lines, x_end=1.0)
