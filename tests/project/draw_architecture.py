"""Draws the layers that pyproject.toml has: ``python -m tests.project.draw_architecture``."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import FancyBboxPatch, Polygon
from PIL import Image

from spotlab.resources import help_folder
from tests.project.draw_pictures import save_small

ROOT = Path(__file__).resolve().parents[2]
SIZE, DPI = (8.0, 7.0), 100  # inches; pixels per inch at scale 1
COLUMNS = ((0.02, 0.44), (0.56, 0.98))  # left and right edges, as shares of the width
NOTE = """A package imports only
packages of rows below it.
Packages in one row
do not import each other."""
HIGHEST = 0.07  # of a row, as a share of the height
INSIDE = "gui"  # the package whose own layers stand in the second column


@dataclass(frozen=True)
class Colours:
    """What a theme is drawn in."""

    ground: str
    box: str
    edge: str
    marked: str
    text: str
    quiet: str


THEMES = {
    "light": Colours("#ffffff", "#eef2f6", "#9aa7b4", "#cfe3fb", "#1f2933", "#5b6773"),
    "dark": Colours("#1e2227", "#2a3038", "#5b6773", "#1f4a7a", "#e6eaee", "#9aa7b4"),
}


def layers(container: str) -> list[list[str]]:
    """The rows of a container's layers, the highest first.

    Raises
    ------
    LookupError
        pyproject.toml has no contract of layers for it.
    """
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    for contract in settings["tool"]["importlinter"]["contracts"]:
        if contract["type"] == "layers" and contract["containers"] == [container]:
            return [row.split(" | ") for row in contract["layers"]]
    raise LookupError(f"no contract for the layers of {container}")


def draw(colours: Colours) -> Figure:
    """Both containers side by side."""
    figure = Figure(figsize=SIZE, dpi=DPI, facecolor=colours.ground)
    axes = figure.add_axes((0, 0, 1, 1))
    axes.set(xlim=(0, 1), ylim=(0, 1))
    axes.axis("off")
    [whole, inside] = [layers(name) for name in ("spotlab", f"spotlab.{INSIDE}")]
    rows = _column(axes, colours, "spotlab", whole, COLUMNS[0], (0.93, 0.03))
    top, bottom = rows[INSIDE]
    height = min(0.93 - 0.03, len(inside) * HIGHEST)
    _column(axes, colours, f"spotlab.{INSIDE}", inside, COLUMNS[1], (0.93, 0.93 - height))
    left, right = COLUMNS[0][1], COLUMNS[1][0]
    corners = [(left, top), (right, 0.93), (right, 0.93 - height), (left, bottom)]
    axes.add_patch(Polygon(corners, color=colours.marked, alpha=0.35, lw=0))
    axes.text(
        (right + 1) / 2, 0.93 - height - 0.05, NOTE, ha="center", va="top", size=10,
        color=colours.quiet,
    )  # fmt: skip
    return figure


def _column(
    axes: Axes,
    colours: Colours,
    title: str,
    rows: list[list[str]],
    edges: tuple[float, float],
    heights: tuple[float, float],
) -> dict[str, tuple[float, float]]:
    """Draw rows between two heights; gives the top and bottom of each package."""
    (left, right), (top, bottom) = edges, heights
    axes.text(left, top + 0.015, title, size=12, weight="bold", color=colours.text)
    step, places = (top - bottom) / len(rows), {}
    for number, row in enumerate(rows):
        low, high = top - (number + 1) * step + 0.1 * step, top - number * step
        width = (right - left + 0.01) / len(row)
        for place, name in enumerate(row):
            start = left + place * width
            box = FancyBboxPatch(
                (start, low), width - 0.01, high - low, boxstyle="round,pad=0,rounding_size=0.006",
                fc=colours.marked if name == INSIDE else colours.box, ec=colours.edge, lw=0.8,
            )  # fmt: skip
            axes.add_patch(box)
            size = 10 if len(row) < 5 else 7
            middle = start + (width - 0.01) / 2, (low + high) / 2
            axes.text(*middle, name, ha="center", va="center", size=size, color=colours.text)
            places[name] = high, low
    return places


def main() -> None:
    """Draw the pictures of the architecture page, light and dark, at scale 1 and 2."""
    for theme, colours in THEMES.items():
        for scale, suffix in ((1, ""), (2, "@2x")):
            target = help_folder() / "pictures" / f"architecture-{theme}{suffix}.png"
            drawn = BytesIO()
            draw(colours).savefig(drawn, dpi=DPI * scale, facecolor=colours.ground)
            save_small(Image.open(drawn), target)


if __name__ == "__main__":
    main()
