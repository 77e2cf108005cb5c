"""The plots of the study of symbol spotting: Figs. 6, 7 and 8 of Rusiñol & Lladós."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from matplotlib import rc_context
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

from spotlab.extras import cv2
from spotlab.imaging.reading.conversion import Pixels
from spotlab.measures.figures import RunFigures
from spotlab.model import Truth
from spotlab.report.charts import STYLE, TITLES, Chart, LinePlot, mean_plot, query_plot
from spotlab.report.colours import run_colour, run_style
from spotlab.spotting.symbols.engine.query_model import SymbolModel

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
    return mean_plot(names, runs, kind, f"Fig. {number}: {TITLES[kind]}", styles, banded=0)


def query_models(models: Sequence[SymbolModel]) -> Figure:
    """Fig. 6: what is searched."""
    columns = min(MODELS_IN_A_ROW, max(len(models), 1))
    rows = -(-max(len(models), 1) // columns)
    with rc_context(STYLE):
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
    with rc_context(STYLE):
        figure = Figure(figsize=(9.8, 9.8 * height / width), layout="constrained")
        FigureCanvasAgg(figure)
        axis = figure.subplots()
        axis.set_axis_off()
        axis.imshow(small, cmap="gray", vmin=0, vmax=255, interpolation="antialiased")
        for region in truth.regions:
            ring = np.vstack([region.array, region.array[:1]]) / step
            axis.plot(ring[:, 0], ring[:, 1], color=run_colour(1), linewidth=1.2)
    return figure
