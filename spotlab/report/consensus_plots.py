"""The plots of systems compared without truth, drawn by matplotlib without a display."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from matplotlib import rc_context
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from numpy.typing import NDArray

from spotlab.report.colours import run_colour
from spotlab.report.plots import STYLE

Floats = NDArray[np.float64]

FEW = 12  # systems of which every number is written into a matrix
ROW = 0.23  # inches that a system takes
TRUE = "0.15"


@dataclass(frozen=True, eq=False)
class RankColumn:
    """A ranking: what it is called, and (S,) ranks with NaN where undefined."""

    title: str
    rank: Floats


def slope_chart(
    names: Sequence[str], columns: Sequence[RankColumn], colours: Sequence[int], width: float = 3.0
) -> Figure:
    """Rankings side by side, a line for each system (Lamiroy & Sun, Fig. 3).

    Parameters
    ----------
    names : sequence of str
        S systems.
    columns : sequence of RankColumn
    colours : sequence of int
        The place of each system's colour: one a group.
    width : float
        Inches between two columns.
    """
    figure, (axis,) = _figure(1, (2.8 + width * max(len(columns) - 1, 1), 1.1 + ROW * len(names)))
    draw_slopes(axis, names, columns, colours)
    return figure


def group_chart(groups: Sequence[tuple[str, Sequence[str], Sequence[RankColumn], int]]) -> Figure:
    """The same within groups, a plot each (Lamiroy & Sun, Fig. 4).

    Parameters
    ----------
    groups : sequence of (name, systems, columns, colour)
    """
    across = min(3, len(groups))
    down = -(-len(groups) // across)
    most = max(len(names) for _, names, _, _ in groups)
    figure, axes = _figure(across, (4.4 * across, (1.2 + ROW * most) * down), down)
    for axis, (name, names, columns, colour) in zip(axes, groups, strict=False):
        draw_slopes(axis, names, columns, [colour] * len(names))
        axis.set_title(name, loc="left", fontsize=9.5, fontweight="bold", pad=18)
    for axis in axes[len(groups) :]:
        axis.set_axis_off()
    return figure


def draw_slopes(
    axis: Axes, names: Sequence[str], columns: Sequence[RankColumn], colours: Sequence[int]
) -> None:
    """Draw lines from rank to rank; systems of the same rank stand below each other."""
    places = [_places(column.rank) for column in columns]
    for system, name in enumerate(names):
        heights = [place[system] for place in places]
        axis.plot(
            range(len(columns)), heights, color=run_colour(colours[system]), linewidth=1.6,
            marker="o", markersize=4.5, alpha=0.9,
        )  # fmt: skip
        for side, ha, place in ((0, "right", -0.04), (len(columns) - 1, "left", 0.04)):
            if np.isnan(heights[side]) or (side == 0 and ha == "left"):
                continue
            rank = f"{columns[side].rank[system]:.0f}"
            text = f"{name}  {rank}" if ha == "right" else f"{rank}  {name}"
            axis.text(side + place, heights[side], text, ha=ha, va="center", fontsize=7.5)
    axis.set_xlim(-0.75, max(len(columns) - 1, 0) + 0.75)
    axis.set_ylim(len(names) + 0.5, 0.5)
    axis.set_xticks(range(len(columns)), [column.title for column in columns], fontsize=8)
    axis.xaxis.tick_top()
    axis.tick_params(length=0)
    axis.set_yticks([])
    axis.grid(visible=False)
    for edge in axis.spines.values():
        edge.set_visible(False)


def matrix_chart(
    names: Sequence[str], values: Floats, borders: Sequence[int], title: str, centre: float = 0.0
) -> Figure:
    """Numbers between systems as colours, each written where there are few systems.

    Parameters
    ----------
    names : sequence of str
        S systems in the order of the rows.
    values : (S, S) float
        NaN where undefined.
    borders : sequence of int
        Rows before which a group begins.
    title : str
    centre : float
        What is white; 1 is one end of the colours.
    """
    count = len(names)
    side = 2.2 + max(0.28 if count > FEW else 0.42, ROW) * count
    figure, (axis,) = _figure(1, (side + 0.6, side))
    reach = 1.0 - centre
    image = axis.imshow(values, cmap="PuOr_r", vmin=centre - reach, vmax=centre + reach)
    axis.set_facecolor("0.85")
    axis.set_xticks(range(count), names, rotation=90, fontsize=7.5)
    axis.set_yticks(range(count), names, fontsize=7.5)
    axis.tick_params(length=0)
    axis.grid(visible=False)
    for border in borders:
        axis.axhline(border - 0.5, color="black", linewidth=1.4)
        axis.axvline(border - 0.5, color="black", linewidth=1.4)
    if count <= FEW:
        for row, column in np.ndindex(count, count):
            value = values[row, column]
            text = "–" if np.isnan(value) else f"{value:.2f}".replace("0.", ".", 1)
            dark = not np.isnan(value) and abs(value - centre) > 0.6 * reach
            axis.text(
                column, row, text, ha="center", va="center", fontsize=7,
                color="white" if dark else "black",
            )  # fmt: skip
    axis.set_title(title, fontsize=9.5, loc="left")
    figure.colorbar(image, ax=axis, shrink=0.6)
    return figure


def interval_chart(
    names: Sequence[str], f: Floats, low: Floats, high: Floats, truth: Floats | None,
    colours: Sequence[int], label: str,
) -> Figure:  # fmt: skip
    """F of every system with its interval, and with truth where that is known; the best is first.

    Parameters
    ----------
    names : sequence of str
    f, low, high : (S,) float
    truth : (S,) float or None
    colours : sequence of int
    label : str
        What F without truth is by.
    """
    order = np.argsort(-np.nan_to_num(f, nan=-1.0), kind="stable")
    figure, (axis,) = _figure(1, (7.2, 1.2 + ROW * len(names)))
    for place, system in enumerate(order.tolist()):
        colour = run_colour(colours[system])
        axis.plot([low[system], high[system]], [place, place], color=colour, linewidth=2.4)
        axis.plot(f[system], place, "o", color=colour, markersize=5)
        if truth is not None:
            axis.plot(truth[system], place, "x", color=TRUE, markersize=5)
    axis.set_yticks(range(len(names)), [names[system] for system in order.tolist()], fontsize=7.5)
    axis.set_ylim(len(names) - 0.5, -0.5)
    marks = f"o {label}" + ("" if truth is None else "    x with truth")
    axis.set_title(marks, fontsize=8.5, loc="left")
    axis.set_xlabel("F")
    return figure


def _places(rank: Floats) -> Floats:
    """Where each rank is drawn: the same ranks take the places that follow, undefined ones none."""
    place = np.full(len(rank), np.nan)
    known = np.flatnonzero(~np.isnan(rank))
    place[known[np.argsort(rank[known], kind="stable")]] = np.arange(1, len(known) + 1)
    return place


def _figure(across: int, size: tuple[float, float], down: int = 1) -> tuple[Figure, list[Axes]]:
    with rc_context(STYLE):
        figure = Figure(figsize=size, layout="constrained")
        FigureCanvasAgg(figure)
        return figure, list(figure.subplots(down, across, squeeze=False).ravel())
