"""The plots of a report, drawn by matplotlib without a display."""

from __future__ import annotations

import io
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from matplotlib import rc_context
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from numpy.typing import NDArray

from spotlab.report.colours import RunStyle, run_style

if TYPE_CHECKING:
    from spotlab.measures.figures import RunFigures

GRID = np.linspace(0.0, 1.0, 101)  # of recall
STYLE: dict[Any, Any] = {
    "font.size": 9.0,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "grid.alpha": 0.25,
    "grid.linewidth": 0.6,
    "svg.fonttype": "none",  # letters stay letters: to be searched, copied, and small
    "legend.frameon": False,
}
FEW_BANDS = 2  # runs whose bands do not hide each other
KINDS = ("precision", "fall_out", "f")
TITLES = {
    "precision": "Precision at recall r",
    "fall_out": "Fall-out at recall r",
    "f": "F at recall r",
}

Floats = NDArray[np.float64]


def curves(
    names: Sequence[str], runs: Sequence[RunFigures], styles: Sequence[RunStyle] | None = None
) -> Figure:
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
    figure, axes = _figure(3, (10.5, 3.3))
    for axis, kind in zip(axes, KINDS, strict=True):
        for name, run, style in zip(names, runs, styles, strict=True):
            curve = run.curves.central(kind, GRID)
            draw_curve(axis, GRID, curve.mean, style, name)
            if len(runs) <= FEW_BANDS:
                draw_band(axis, GRID, curve.mean, curve.deviation, style.colour)
        _label(axis, "Area recall r", TITLES[kind], to_one=kind != "fall_out")
    if runs:
        axes[0].legend(loc="best", fontsize=8)
    return figure


def queries(run: RunFigures, style: RunStyle) -> Figure:
    """F(r) of every query of a run behind their mean (Rusiñol & Lladós, Fig. 8b)."""
    figure, (left, right) = _figure(2, (10.5, 3.3))
    for axis, kind in ((left, "precision"), (right, "f")):
        sampled = (
            run.curves.sampled_precision(GRID)
            if kind == "precision"
            else run.curves.sampled_f(GRID)
        )
        for row in sampled:
            axis.plot(GRID, row, color=style.colour, alpha=0.3, linewidth=0.7)
        mean = run.curves.central(kind, GRID).mean
        draw_curve(axis, GRID, mean, style, linewidth=2.2)
        _label(axis, "Area recall r", TITLES[kind])
    return figure


def draw_curve(
    axis: Axes, x: Floats, y: Floats, style: RunStyle, name: str = "", linewidth: float = 2.0
) -> None:
    """A curve in its run's colour and dash."""
    axis.plot(
        x, y, color=style.colour, linestyle=dashes_of(style), linewidth=linewidth,
        label=name or None,
    )  # fmt: skip


def dashes_of(style: RunStyle) -> tuple[float, Sequence[float]] | None:
    """The dash as matplotlib wants it; None for a solid line."""
    return (0.0, style.dash) if style.dash else None


def draw_band(axis: Axes, grid: Floats, mean: Floats, deviation: Floats, colour: str) -> None:
    """What lies within a standard deviation of a curve, cut at 0."""
    low = np.maximum(mean - deviation, 0.0)
    axis.fill_between(grid, low, mean + deviation, color=colour, alpha=0.13, linewidth=0)


def svg(figure: Figure) -> str:
    """The figure as an SVG element to stand in HTML."""
    text = io.StringIO()
    with rc_context({**STYLE, "svg.hashsalt": "spotlab"}):  # else ids differ from time to time
        figure.savefig(text, format="svg", metadata={"Date": None}, transparent=True)
    whole = text.getvalue()
    return whole[whole.index("<svg") :]


def file(figure: Figure, kind: str, dpi: int = 200) -> bytes:
    """The figure as the content of a file of this kind: "svg", "pdf" or "png"."""
    content = io.BytesIO()
    with rc_context({**STYLE, "svg.hashsalt": "spotlab"}):
        metadata = {"CreationDate": None} if kind == "pdf" else {"Date": None}
        figure.savefig(content, format=kind, metadata=None if kind == "png" else metadata, dpi=dpi)
    return content.getvalue()


class ShownFigure(Figure):
    """A figure that a notebook shows, whether or not pyplot is in use there."""

    def _repr_png_(self) -> bytes:
        return file(self, "png", dpi=80)


def _figure(columns: int, size: tuple[float, float]) -> tuple[Figure, list[Axes]]:
    with rc_context(STYLE):
        figure = ShownFigure(figsize=size, layout="constrained")
        FigureCanvasAgg(figure)
        return figure, list(figure.subplots(1, columns, squeeze=False)[0])


def _label(axis: Axes, x: str, y: str, to_one: bool = True) -> None:
    axis.set_xlabel(x)
    axis.set_title(y, fontsize=9.5, loc="left")
    axis.set_xlim(0, 1)
    if to_one:
        axis.set_ylim(0, 1.02)
    else:
        axis.set_ylim(bottom=0)
