"""The plots of the study of symbol spotting: Figs. 6, 7 and 8 of Rusiñol & Lladós."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from matplotlib import rc_context
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

from spotlab.imaging.conversion import Pixels
from spotlab.measures.figures import RunFigures
from spotlab.model import Truth
from spotlab.report.colours import run_colour, run_style
from spotlab.report.plots import GRID, STYLE, TITLES, draw_curve
from spotlab.spotting.symbols.engine.query_model import SymbolModel

MODELS_IN_A_ROW = 10
PAGE_SIDE = 1100  # px at least, of the longer one


def quality_curves(names: Sequence[str], runs: Sequence[RunFigures]) -> Figure:
    """Fig. 7: precision and fall-out over recall, means over queries."""
    figure, axes = _figure(2)
    for axis, kind, number in zip(axes, ("precision", "fall_out"), ("7a", "7b"), strict=True):
        _curves(axis, names, runs, kind, number)
    axes[0].legend(fontsize=8)
    return figure


def f_curves(names: Sequence[str], runs: Sequence[RunFigures], chosen: str | None) -> Figure:
    """Fig. 8: F(r) of all methods, and of each query of one of them."""
    figure, axes = _figure(1 if chosen is None else 2)
    _curves(axes[0], names, runs, "f", "8a")
    axes[0].legend(fontsize=8)
    if chosen is not None:
        number = list(names).index(chosen)
        for row in runs[number].curves.sampled_f(GRID):
            axes[1].plot(GRID, row, color=run_colour(number), alpha=0.45, linewidth=0.8)
        mean = runs[number].curves.central("f", GRID).mean
        axes[1].plot(GRID, mean, color=run_colour(number), linewidth=2.4)
        _label(axes[1], f"Fig. 8b: F of each query at recall r, method {chosen}", to_one=True)
    return figure


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


def _curves(
    axis: Axes, names: Sequence[str], runs: Sequence[RunFigures], kind: str, number: str
) -> None:
    for place, (name, run) in enumerate(zip(names, runs, strict=True)):
        curve = run.curves.central(kind, GRID)
        draw_curve(axis, GRID, curve.mean, run_style(place), name, linewidth=1.8)
    _label(axis, f"Fig. {number}: {TITLES[kind]}", to_one=kind != "fall_out")


def _figure(columns: int) -> tuple[Figure, list[Axes]]:
    with rc_context(STYLE):
        figure = Figure(figsize=(4.9 * columns, 3.5), layout="constrained")
        FigureCanvasAgg(figure)
        return figure, list(figure.subplots(1, columns, squeeze=False)[0])


def _label(axis: Axes, title: str, to_one: bool) -> None:
    axis.set_xlabel("Area recall r")
    axis.set_title(title, fontsize=9.5, loc="left")
    axis.set_xlim(0, 1)
    axis.set_ylim(0, 1.02 if to_one else None)
