"""Plots of lines as values: drawn by matplotlib for paper and files, by uPlot in the browser."""

from __future__ import annotations

import io
import re
import textwrap
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from threading import RLock
from typing import Any

import numpy as np
from fontTools import subset
from matplotlib import rc_context, rcParamsDefault
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Patch
from matplotlib.text import Text

from spotlab.arrays import Floats
from spotlab.representation import visible

DIGITS = 4  # of a value in the browser
ONE_COLUMN, TWO_COLUMNS = 3.5, 7.16  # inches, of a page of two columns
LEAST = 2.3  # inches of a plot beside others
BESIDE = 30  # letters beside an axis
LETTERS = 13  # of a legend, an inch
LINE, ROOM = 0.17, 2  # inches of a line of a legend; lines that have room below a plot
MANY = 12  # faint lines that are drawn as a picture
FAINT = 0.6  # opacity below which a line is one of many
GREY = "0.4"  # of what belongs to all runs
MARKS = {
    "full": ("o", 3.0, ""), "hollow": ("o", 3.0, "none"),
    "star": ("*", 9.0, "white"), "diamond": ("D", 5.0, "white"),
}  # fmt: skip


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
    marks : {"", "full", "hollow", "star", "diamond"}
        Marks in place of a line; the last two are hollow, too.
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
        On paper the title stands beside the y axis, unless this has a title of its own.
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
    y_title : str
        Of the y axis, where it is not the title.
    """

    title: str
    x_title: str
    x: Floats
    lines: Sequence[ChartLine]
    top: float | None = 1.0
    level: float | None = None
    x_end: float | None = None
    x_names: Sequence[str] = ()
    y_title: str = ""

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
        Their lines of the same name look alike: one legend is for all.
    columns : int
        How many stand in a row.
    size : (width, height)
        Of one of them, in inches.
    note : str
        Below them.
    bands, faint, bars, level : str
        What bands, faint lines, error bars and the horizontal line mean, where there are any.
    """

    plots: Sequence[LinePlot]
    columns: int = 3
    size: tuple[float, float] = (3.5, 3.2)
    note: str = ""
    bands: str = ""
    faint: str = ""
    bars: str = ""
    level: str = ""

    def figure(self, width: float | None = None) -> Figure:
        """Draw it for paper, of this width in inches; by default as wide as its plots."""
        columns = max(1, min(self.columns, len(self.plots)))
        each_width, height = self.size
        if width is not None:
            columns = min(columns, max(1, round(width / LEAST)))
            height *= width / columns / each_width
            each_width = width / columns
        rows = -(-max(len(self.plots), 1) // columns)
        with styled():
            figure = ShownFigure(
                figsize=(each_width * columns, height * rows), layout="constrained"
            )
            FigureCanvasAgg(figure)
            axes = figure.subplots(rows, columns, squeeze=False).ravel()
            for axis, plot in zip(axes, self.plots, strict=False):
                draw_plot(axis, plot)
            for axis in axes[len(self.plots) :]:
                axis.set_axis_off()
            _add_legend(figure, self)
        return figure

    def data(self) -> list[dict[str, Any]]:
        """The plots for JSON."""
        return [plot.data() for plot in self.plots]


def as_figure(drawn: Figure | Chart) -> Figure:
    """Return what matplotlib draws of it."""
    return drawn.figure() if isinstance(drawn, Chart) else drawn


def draw_plot(axis: Axes, plot: LinePlot) -> None:
    """Draw curves and titles into axes."""
    many = sum(line.opacity < FAINT for line in plot.lines) > MANY
    for line in plot.lines:
        x = plot.x if line.x is None else line.x
        for band in line.bands:
            axis.fill_between(
                x, band.low, band.high, color=line.colour, alpha=band.opacity, linewidth=0
            )
        if line.marks:
            shape, size, face = MARKS[line.marks]
            axis.scatter(
                x, line.y, s=size**2, marker=shape, facecolors=face or line.colour,
                edgecolors=line.colour, linewidths=0.8, label=line.name, zorder=3,
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
        axis.axhline(plot.level, color=GREY, linewidth=0.8)
    if plot.y_title:
        axis.set_title(plot.title, fontsize=9.5, loc="left")
    axis.set_xlabel(plot.x_title)
    axis.set_ylabel("\n".join(textwrap.wrap(plot.y_title or plot.title, BESIDE)))
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


def _add_legend(figure: Figure, chart: Chart) -> None:
    """Explain every mark, below the plots; a line that is alone needs no name.

    What has one name in several colours, such as a mark on every line, is explained in grey.
    """
    lines: dict[str, ChartLine] = {}
    colours: dict[str, str] = {}
    for line in (line for plot in chart.plots for line in plot.lines if line.name):
        one = colours.setdefault(line.name, line.colour)
        lines[line.name], colours[line.name] = line, one if one == line.colour else GREY
    named = [line for line in lines.values() if line.opacity >= FAINT]
    faint = [line for line in lines.values() if line.opacity < FAINT]
    first = named[0] if named else faint[0] if faint else None
    if first is None:
        figure.supxlabel(chart.note, fontsize=7)
        return
    colour = first.colour if len(named) < 2 else GREY
    handles: dict[str, Artist] = {line.name: _sample(line, colours[line.name]) for line in named}
    marks = [line for plot in chart.plots for line in plot.lines]
    if chart.faint and faint:
        handles[chart.faint] = Line2D([], [], color=colour, linewidth=1, alpha=faint[0].opacity)
    if chart.bands and any(line.bands for line in marks):
        handles[chart.bands] = Patch(color=colour, alpha=0.3, linewidth=0)
    if chart.bars and any(line.bars for line in marks):
        handles[chart.bars] = Line2D([], [], color=colour, marker="|", linewidth=1)
    if chart.level and any(plot.level is not None for plot in chart.plots):
        handles[chart.level] = Line2D([], [], color=GREY, linewidth=0.8)
    if len(handles) < 2:
        figure.supxlabel(chart.note, fontsize=7)
        return
    # matplotlib leaves out names that begin like its own
    labels = [visible(f" {name}" if name.startswith("_") else name, kept="") for name in handles]
    longest = max(map(len, labels))
    across = max(1, min(len(labels), int(LETTERS * figure.get_figwidth() / (longest + 7))))
    more = max(-(-len(labels) // across) - ROOM, 0)
    figure.set_figheight(figure.get_figheight() + LINE * more)
    figure.legend(
        list(handles.values()), labels, loc="outside lower center", fontsize=8,
        title=chart.note or None, title_fontsize=8,
        ncols=across,
    )  # fmt: skip


def _sample(line: ChartLine, colour: str) -> Line2D:
    """A piece of a line, or one of its marks, in a colour."""
    if line.marks:
        shape, size, face = MARKS[line.marks]
        return Line2D(
            [], [], linestyle="none", marker=shape, markersize=size, markeredgewidth=0.8,
            markerfacecolor=face or colour, markeredgecolor=colour,
        )  # fmt: skip
    style: Any = (0, tuple(line.dash)) if line.dash else "solid"
    return Line2D([], [], color=colour, linewidth=line.width, linestyle=style,
                  alpha=line.opacity)  # fmt: skip


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
    "svg.hashsalt": "spotlab",  # else ids differ from time to time
    "svg.fonttype": "none",  # letters stay letters: to be searched, copied, and small
    "pdf.fonttype": 42,  # TrueType: publishers refuse Type 3
    "ps.fonttype": 42,
    "legend.frameon": False,
    "text.parse_math": False,  # names may hold dollar signs
}
PRINTED = 200  # dpi of a file
_STYLED = RLock()  # matplotlib has one set of settings for all threads
LINK = re.compile(r'id="((?:run|query|system|word|page):[^"]*)"')


@contextmanager
def styled() -> Iterator[None]:
    """Draw and write figures in `STYLE`, one thread after the other."""
    with _STYLED, rc_context(STYLE):
        yield


class _FontOptions(subset.Options):  # type: ignore[misc]
    """A font in a file needs no tables for shaping, since its glyphs are placed: they cost most."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self.drop_tables += ["GDEF", "GPOS", "GSUB"]


@contextmanager
def _fonts_without_shaping() -> Iterator[None]:
    """Have matplotlib take `_FontOptions`, which it cannot be told; within `styled`."""
    known = subset.Options
    subset.Options = _FontOptions
    try:
        yield
    finally:
        subset.Options = known


def svg(figure: Figure) -> str:
    """The figure as an SVG element to stand in HTML.

    What an artist's ``gid`` links, such as "system:mine", is highlighted with all else of it.
    """
    text = io.StringIO()
    with styled():
        _show_controls(figure)
        figure.savefig(text, format="svg", metadata={"Date": None}, transparent=True)
    whole = text.getvalue()
    return LINK.sub(r'data-link="\1"', whole[whole.index("<svg") :])


def file(figure: Figure, kind: str, dpi: int = PRINTED) -> bytes:
    """The figure as the content of a file of this kind: "svg", "pdf" or "png"."""
    content = io.BytesIO()
    with styled(), _fonts_without_shaping():
        _show_controls(figure)
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
    """Have texts show what no font draws, and what no file in UTF-8 can hold; within `styled`.

    To look for the texts makes the labels of ticks, which take the settings of that moment.
    """
    for text in figure.findobj(Text):
        if isinstance(text, Text) and text.get_text():
            text.set_text(visible(text.get_text(), kept="\n"))


class ShownFigure(Figure):
    """A figure that a notebook shows, whether or not pyplot is in use there."""

    def savefig(self, *arguments: Any, **settings: Any) -> None:
        """Write it with fonts that publishers take."""
        with styled():
            super().savefig(*arguments, **settings)

    def _repr_png_(self) -> bytes:
        return file(self, "png", dpi=80)
