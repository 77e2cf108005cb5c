"""Pages with any regions, for properties of formats, and how far outlines differ."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from hypothesis import strategies as st
from PIL import Image

from spotlab.formats.collection.detect import known_formats
from spotlab.formats.collection.fitting import fit
from spotlab.geometry.polygon import Frame, even_odd_geometry
from spotlab.geometry.primitives import box, ellipse, frame_corners
from spotlab.model import Ignore, Label, LabelSet, Page, Primitive, Region, Truth
from spotlab.progress import silent

WIDTH, HEIGHT = 400, 300
LABELS = LabelSet((Label("sofa", "#102030", "1"), Label("wash basin", "#405060", "2")))

names = st.sampled_from(["sofa", "wash basin", "Tür & <Tor>", "no", 'it\'s "7": #1', "日本"])
texts = st.text(st.characters(codec="utf-8", categories=("L", "N", "P", "Zs")), max_size=8)
sides = st.floats(20, 60)
places = st.tuples(st.floats(80, WIDTH - 80), st.floats(80, HEIGHT - 80))
angles = st.floats(-44, 45)


@st.composite
def outlines(draw: st.DrawFn) -> tuple[tuple[tuple[float, float], ...], Primitive]:
    """An outline on the page, and what kind it is."""
    x, y = draw(places)
    frame = Frame(x, y, draw(sides), draw(sides), draw(angles))
    match draw(st.sampled_from(["box", "turned", "ellipse", "hull"])):
        case "box":
            corners = box(x - frame.width / 2, y - 9, x + frame.width / 2, y + 9).tolist()
            return tuple((a, b) for a, b in corners), Primitive.BOX
        case "turned":
            return tuple(frame_corners(frame)), Primitive.BOX
        case "ellipse":
            return tuple((a, b) for a, b in ellipse(frame).tolist()), Primitive.ELLIPSE
    ring = [(x, y - 30.5), (x + draw(sides), y), (x, y + draw(sides)), (x - 7.25, y)]
    return tuple(ring), Primitive.POLYGON


@st.composite
def regions(draw: st.DrawFn) -> list[Region]:
    """Regions of one page."""
    found = []
    for index in range(draw(st.integers(0, 4))):
        points, primitive = draw(outlines())
        found.append(Region(
            points, draw(names), f"r{index}", primitive, draw(st.booleans()), draw(texts),
            draw(texts), draw(st.sampled_from(Ignore)),
        ))  # fmt: skip
    return found


def blank_page(folder: Path, name: str = "plan.png") -> Page:
    """A page of 400 × 300 px with its image."""
    folder.mkdir(parents=True, exist_ok=True)
    if not (folder / name).exists():
        Image.new("1", (WIDTH, HEIGHT), 1).save(folder / name)
    return Page(folder / name, WIDTH, HEIGHT)


def read(name: str, path: Path) -> list[Truth]:
    """What the format reads."""
    return known_formats()[name].read_file(path)


def write(name: str, truths: list[Truth], path: Path) -> list[str]:
    """Write as the format does, what it can hold; give what it cannot."""
    format = known_formats()[name]
    assert format.write is not None
    fitted, lost = fit(truths, format)
    format.write(fitted, path, silent)
    return lost


def farthest(region: Region, other: Region) -> float:
    """How far one outline is from the other, in px."""
    return float(even_odd_geometry(region.array).hausdorff_distance(even_odd_geometry(other.array)))


def corners_differ(region: Region, other: Region) -> float:
    """How far a corner is from the same one of the other outline, in px."""
    return float(np.abs(region.array - other.array).max())
