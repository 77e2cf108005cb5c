"""Plots of lines as values: drawn by matplotlib on paper and in files, by uPlot in the browser."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from matplotlib import rc_context
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

from spotlab.arrays import Floats
from spotlab.report.figure_files import STYLE, ShownFigure

DIGITS = 4  # of a value in the browser
NAMED = 12  # lines that a legend on paper still names
FAINT = 0.6  # opacity below which a line is one of many


@dataclass(frozen=True, eq=False)
class Band:
    """What lies between two curves: (N,) each, and how opaque it is."""

    low: Floats
    high: Floats
    opacity: float = 0.13


@dataclass(frozen=True, eq=False)
class ErrorBars:
    """Bars at every n-th place: (N,) half their lengths, NaN for none; in the browser a band."""

    up: Floats
    every: int = 1
    sideways: Floats | None = None


@dataclass(frozen=True, eq=False)
class Line:
    """A curve.

    Attributes
    ----------
    name : str
        In the legend and the read-out.
    colour : str
        Such as "#009E73".
    y : (N,) float
        NaN where it is undefined.
    x : (N,) float, optional
        Rising; by default that of the plot.
    bands : sequence of Band
    bars : ErrorBars, optional
    link : str
        What it belongs to, such as "run:mine": all that is of the same is highlighted together.
    width, opacity : float
        Width in px.
    dash : sequence of float
        Lengths drawn and left out in turn, in line widths; empty for a solid line.
    marks : {"", "full", "hollow"}
        Marks in place of a line.
    """

    name: str
    colour: str
    y: Floats
    x: Floats | None = None
    bands: Sequence[Band] = ()
    bars: ErrorBars | None = None
    link: str = ""
    width: float = 2.0
    opacity: float = 1.0
    dash: Sequence[float] = ()
    marks: str = ""


@dataclass(frozen=True, eq=False)
class LinePlot:
    """Curves over a common axis.

    Attributes
    ----------
    title, x_title : str
    x : (N,) float
    lines : sequence of Line
    top : float or None
        The upper end of the y axis, which begins at 0; None: where the curves end.
    level : float or None
        A horizontal line.
    x_end : float or None
        The upper end of the x axis, which then begins at 0; None: from the first x to the last.
    x_names : sequence of str
        Of the values of x, where these are places in a list.
    """

    title: str
    x_title: str
    x: Floats
    lines: Sequence[Line]
    top: float | None = 1.0
    level: float | None = None
    x_end: float | None = None
    x_names: Sequence[str] = ()

    def data(self) -> dict[str, Any]:
        """What the browser draws it from, for JSON; undefined values are None."""
        return {
            "title": self.title,
            "xTitle": self.x_title,
            "top": self.top,
            "xEnd": self.x_end,
            "level": self.level,
            "xNames": list(self.x_names),
            "lines": [
                {
                    "name": line.name,
                    "colour": line.colour,
                    "link": line.link,
                    "width": line.width,
                    "opacity": line.opacity,
                    "dash": [line.width * length for length in line.dash],
                    "marks": line.marks,
                    "x": None if line.x is None else _numbers(line.x),
                    "y": _numbers(line.y),
                    "bands": [
                        [_numbers(band.low), _numbers(band.high), band.opacity]
                        for band in (*line.bands, *_bar_band(line))
                    ],
                }
                for line in self.lines
            ],
            "x": _numbers(self.x),
        }


@dataclass(frozen=True, eq=False)
class Chart:
    """Plots side by side.

    Attributes
    ----------
    plots : sequence of LinePlot
    columns : int
        How many stand in a row.
    size : (width, height)
        Of one of them, in inches.
    note : str
        Below them.
    """

    plots: Sequence[LinePlot]
    columns: int = 3
    size: tuple[float, float] = (3.5, 3.2)
    note: str = ""

    def figure(self) -> Figure:
        """Draw it for paper."""
        columns = max(1, min(self.columns, len(self.plots)))
        rows = -(-max(len(self.plots), 1) // columns)
        width, height = self.size
        with rc_context(STYLE):
            figure = ShownFigure(figsize=(width * columns, height * rows), layout="constrained")
            FigureCanvasAgg(figure)
            axes = figure.subplots(rows, columns, squeeze=False).ravel()
        for axis, plot in zip(axes, self.plots, strict=False):
            _draw(axis, plot)
        for axis in axes[len(self.plots) :]:
            axis.set_axis_off()
        if self.plots and any(line.name for line in self.plots[0].lines):
            _add_legend(axes[0], self.plots[0])
        if self.note:
            figure.supxlabel(self.note, fontsize=7)
        return figure

    def data(self) -> list[dict[str, Any]]:
        """The plots for JSON."""
        return [plot.data() for plot in self.plots]


def as_figure(drawn: Figure | Chart) -> Figure:
    """What matplotlib draws of it."""
    return drawn.figure() if isinstance(drawn, Chart) else drawn


def _draw(axis: Axes, plot: LinePlot) -> None:
    many = sum(line.opacity < FAINT for line in plot.lines) > NAMED
    for line in plot.lines:
        x = plot.x if line.x is None else line.x
        for band in line.bands:
            axis.fill_between(
                x, band.low, band.high, color=line.colour, alpha=band.opacity, linewidth=0
            )
        if line.marks:
            face = line.colour if line.marks == "full" else "none"
            axis.scatter(
                x, line.y, s=9, facecolors=face, edgecolors=line.colour, linewidths=0.8,
                label=line.name, zorder=3,
            )  # fmt: skip
            continue
        if line.bars is not None:
            _draw_bars(axis, x, line, line.bars)
        axis.plot(
            x, line.y, color=line.colour, linewidth=line.width, alpha=line.opacity,
            linestyle=(0, tuple(line.dash)) if line.dash else "solid", label=line.name,
            marker="." if np.isfinite(line.y).sum() < 2 else None,
            rasterized=many and line.opacity < FAINT,  # hundreds of faint curves are a picture
        )  # fmt: skip
    if plot.level is not None:
        axis.axhline(plot.level, color="0.4", linewidth=0.8)
    axis.set_title(plot.title, fontsize=9.5, loc="left")
    axis.set_xlabel(plot.x_title)
    if plot.x_names:
        axis.set_xticks(plot.x, [name.replace(", ", "\n") for name in plot.x_names])
    elif plot.x_end is not None:
        axis.set_xlim(0, plot.x_end)
    axis.set_ylim(0, None if plot.top is None else 1.02 * plot.top)


def _draw_bars(axis: Axes, x: Floats, line: Line, bars: ErrorBars) -> None:
    some = slice(bars.every - 1, None, bars.every)
    sideways = None if bars.sideways is None else np.nan_to_num(bars.sideways[some])
    axis.errorbar(
        x[some], line.y[some], np.nan_to_num(bars.up[some]), sideways,
        fmt="none", ecolor=line.colour, elinewidth=1, capsize=2,
    )  # fmt: skip


def _bar_band(line: Line) -> list[Band]:
    return [Band(line.y - line.bars.up, line.y + line.bars.up)] if line.bars else []


def _add_legend(axis: Axes, plot: LinePlot) -> None:
    named = [line for line in plot.lines if line.opacity >= FAINT]
    if 1 < len(named) <= NAMED:
        handles, labels = axis.get_legend_handles_labels()
        wanted = {line.name for line in named}
        pairs = [pair for pair in zip(handles, labels, strict=True) if pair[1] in wanted]
        axis.legend(*zip(*pairs, strict=True), loc="best", fontsize=8)


def _numbers(values: Floats) -> list[float | None]:
    """Rounded to digits that count, None for what is undefined."""
    return [
        None if not np.isfinite(value) else float(f"{value:.{DIGITS}g}")
        for value in np.asarray(values, np.float64).tolist()
    ]
