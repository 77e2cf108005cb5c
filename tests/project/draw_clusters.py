"""Draws how pages go to the workers of a cluster: ``python -m tests.project.draw_clusters``."""

from __future__ import annotations

from io import BytesIO

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import FancyArrowPatch, FancyBboxPatch
from PIL import Image

from spotlab.resources import help_folder
from tests.project.draw_architecture import DPI, THEMES, Colours
from tests.project.draw_pictures import save_small

SIZE = (7.6, 2.7)  # inches
COMMAND, SCHEDULER, TOTAL = (0.02, 0.36), (0.26, 0.36), (0.8, 0.36)
WORKERS = tuple((0.53, bottom) for bottom in (0.68, 0.36, 0.04))
WIDE, HIGH = 0.18, 0.26


def draw(colours: Colours) -> Figure:
    """The command, the scheduler, three workers and the sum."""
    figure = Figure(figsize=SIZE, dpi=DPI, facecolor=colours.ground)
    axes = figure.add_axes((0, 0, 1, 1))
    axes.set(xlim=(0, 1), ylim=(0, 1))
    axes.axis("off")
    _box(axes, colours, COMMAND, "spotlab\n--cluster", marked=True)
    _box(axes, colours, SCHEDULER, "Dask\nscheduler")
    _box(axes, colours, TOTAL, "figures\nof all pages", marked=True)
    _arrow(axes, colours, COMMAND, SCHEDULER)
    for number, place in enumerate(WORKERS, 1):
        _box(axes, colours, place, f"worker {number}\na few pages")
        _arrow(axes, colours, SCHEDULER, place)
        _arrow(axes, colours, place, TOTAL)
    return figure


def _box(
    axes: Axes, colours: Colours, place: tuple[float, float], text: str, marked: bool = False
) -> None:
    axes.add_patch(FancyBboxPatch(
        place, WIDE, HIGH, boxstyle="round,pad=0,rounding_size=0.01",
        fc=colours.marked if marked else colours.box, ec=colours.edge, lw=0.8,
    ))  # fmt: skip
    middle = place[0] + WIDE / 2, place[1] + HIGH / 2
    axes.text(*middle, text, ha="center", va="center", size=10, color=colours.text)


def _arrow(
    axes: Axes, colours: Colours, start: tuple[float, float], end: tuple[float, float]
) -> None:
    """From the right side of a box to the left side of another."""
    ends = (start[0] + WIDE, start[1] + HIGH / 2), (end[0], end[1] + HIGH / 2)
    axes.add_patch(
        FancyArrowPatch(*ends, arrowstyle="-|>", mutation_scale=10, color=colours.quiet, lw=1)
    )


def main() -> None:
    """Draw the pictures of the page on clusters, light and dark, at scale 1 and 2."""
    for theme, colours in THEMES.items():
        for scale, suffix in ((1, ""), (2, "@2x")):
            drawn = BytesIO()
            draw(colours).savefig(drawn, dpi=DPI * scale, facecolor=colours.ground)
            target = help_folder() / "pictures" / f"clusters-{theme}{suffix}.png"
            save_small(Image.open(drawn), target)


if __name__ == "__main__":
    main()
