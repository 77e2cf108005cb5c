"""Plots of lines as values: drawn by matplotlib for paper and files, by uPlot in the browser."""

from __future__ import annotations

import io
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from matplotlib import rc_context, rcParamsDefault
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.text import Text

from spotlab.arrays import Floats
from spotlab.report.colours import RunStyle, run_style
from spotlab.representation import visible

if TYPE_CHECKING:
    from spotlab.measures.figures import RunFigures

DIGITS = 4  # of a value in the browser
NAMED = 12  # lines that a legend on paper still names
FAINT = 0.6  # opacity below which a line is one of many


@dataclass(frozen=True, eq=False)
class ChartBand:
    """Band between two curves, (N,) each, with its opacity."""

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
class ChartLine:
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
    bands : sequence of ChartBand
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
    bands: Sequence[ChartBand] = ()
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
    lines : sequence of ChartLine
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
    lines: Sequence[ChartLine]
    top: float | None = 1.0
    level: float | None = None
    x_end: float | None = None
    x_names: Sequence[str] = ()

    def data(self) -> dict[str, Any]:
        """Return what the browser draws it from, for JSON; undefined values are None."""
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
    """Return what matplotlib draws of it."""
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


def _draw_bars(axis: Axes, x: Floats, line: ChartLine, bars: ErrorBars) -> None:
    some = slice(bars.every - 1, None, bars.every)
    sideways = None if bars.sideways is None else np.nan_to_num(bars.sideways[some])
    axis.errorbar(
        x[some], line.y[some], np.nan_to_num(bars.up[some]), sideways,
        fmt="none", ecolor=line.colour, elinewidth=1, capsize=2,
    )  # fmt: skip


def _bar_band(line: ChartLine) -> list[ChartBand]:
    return [ChartBand(line.y - line.bars.up, line.y + line.bars.up)] if line.bars else []


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


# of all settings: matplotlib reads a file of them in the current folder, which may be anybody's
STYLE: dict[Any, Any] = {
    **{name: value for name, value in rcParamsDefault.items() if not name.startswith("backend")},
    "font.size": 9.0,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "grid.alpha": 0.25,
    "grid.linewidth": 0.6,
    "svg.fonttype": "none",  # letters stay letters: to be searched, copied, and small
    "legend.frameon": False,
    "text.parse_math": False,  # names may hold dollar signs
}
PRINTED = 200  # dpi of a file
LINK = re.compile(r'id="((?:run|query|system|word|page):[^"]*)"')


def svg(figure: Figure) -> str:
    """The figure as an SVG element to stand in HTML.

    What an artist's ``gid`` links, such as "system:mine", is highlighted with all else of it.
    """
    text = io.StringIO()
    _show_controls(figure)
    with rc_context({**STYLE, "svg.hashsalt": "spotlab"}):  # else ids differ from time to time
        figure.savefig(text, format="svg", metadata={"Date": None}, transparent=True)
    whole = text.getvalue()
    return LINK.sub(r'data-link="\1"', whole[whole.index("<svg") :])


def file(figure: Figure, kind: str, dpi: int = PRINTED) -> bytes:
    """The figure as the content of a file of this kind: "svg", "pdf" or "png"."""
    content = io.BytesIO()
    _show_controls(figure)
    with rc_context({**STYLE, "svg.hashsalt": "spotlab"}):
        metadata = {"CreationDate": None} if kind == "pdf" else {"Date": None}
        figure.savefig(content, format=kind, metadata=None if kind == "png" else metadata, dpi=dpi)
    if kind == "svg":
        return LINK.sub("", content.getvalue().decode()).encode()
    return content.getvalue()


def files(figure: Figure, name: str, *kinds: str) -> dict[str, bytes]:
    """Contents of files of these kinds by their names; where everything stands is found once."""
    contents = {}
    for kind in kinds:
        contents[f"{name}.{kind}"] = file(figure, kind)
        figure.set_layout_engine("none")  # to find it again takes as long as to draw
    return contents


def _show_controls(figure: Figure) -> None:
    """Have texts show what no font draws, and what no file in UTF-8 can hold."""
    for text in figure.findobj(Text):
        if isinstance(text, Text) and text.get_text():
            text.set_text(visible(text.get_text(), kept="\n"))


class ShownFigure(Figure):
    """A figure that a notebook shows, whether or not pyplot is in use there."""

    def _repr_png_(self) -> bytes:
        return file(self, "png", dpi=80)


GRID = np.linspace(0.0, 1.0, 101)  # of recall
KINDS = ("precision", "fall_out", "f")
TITLES = {
    "precision": "Precision at recall r",
    "fall_out": "Fall-out at recall r",
    "f": "F at recall r",
}
BANDED = 2  # runs whose bands can still be told apart
RECALL = "Area recall r"


def run_curves(
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
        bands = [ChartBand(low, curve.mean + curve.deviation)] if len(runs) <= banded else []
        link = f"run:{name}"
        lines.append(
            ChartLine(name, style.colour, curve.mean, bands=bands, link=link, dash=style.dash)
        )
    top = None if kind == "fall_out" else 1.0
    return LinePlot(title, RECALL, GRID, lines, top, x_end=1.0)


def query_curves(run: RunFigures, style: RunStyle) -> Chart:
    """P(r) and F(r) of every query of a run behind their mean (Rusiñol & Lladós, Fig. 8b)."""
    plots = [query_plot(run, style, kind, TITLES[kind]) for kind in ("precision", "f")]
    return Chart(plots, 2, (5.25, 3.3))


def query_plot(run: RunFigures, style: RunStyle, kind: str, title: str) -> LinePlot:
    """The curves of every query of a run, and their mean."""
    sample = run.curves.sampled_precision if kind == "precision" else run.curves.sampled_f
    lines = [
        ChartLine(name, style.colour, row, link=f"query:{name}", width=1.0, opacity=0.4)
        for name, row, there in zip(run.tally.queries, sample(GRID), run.in_truth, strict=True)
        if there
    ]
    mean = run.curves.central(kind, GRID).mean
    lines.append(ChartLine("mean", style.colour, mean, width=2.4, dash=style.dash))
    return LinePlot(title, RECALL, GRID, lines, x_end=1.0)
