"""What readers of foreign formats share: valid ids, boxes, regions that are checked when made."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

import numpy as np

from spotlab.errors import BadInput, counted
from spotlab.formats.page.points import LARGEST
from spotlab.geometry.polygon import as_points
from spotlab.model import Ignore, Primitive, Region, Truth


class Ids:
    """Gives out ids that are valid in XML and different from each other on a page."""

    def __init__(self) -> None:
        self._taken: set[str] = set()

    def take(self, wanted: str) -> str:
        """The wanted id, changed as little as necessary.

        Examples
        --------
        >>> ids = Ids()
        >>> ids.take("7"), ids.take("7"), ids.take("a b")
        ('r7', 'r7_2', 'a_b')
        """
        id = re.sub(r"[^A-Za-z0-9_.\-]", "_", wanted) or "r"
        if not re.match(r"[A-Za-z_]", id):
            id = f"r{id}"
        stem, count = id, 1
        while id in self._taken:
            count += 1
            id = f"{stem}_{count}"
        self._taken.add(id)
        return id


def box_points(left: float, top: float, right: float, bottom: float) -> list[tuple[float, float]]:
    """The corners of a box, clockwise on the screen from the top left."""
    return [(left, top), (right, top), (right, bottom), (left, bottom)]


def is_outline(points: Sequence[tuple[float, float]]) -> bool:
    """Whether these are three corners or more, a repeated last one not counted."""
    return len(points) >= 3 and len(as_points(points)) >= 3


def is_box(points: Sequence[tuple[float, float]]) -> bool:
    """Whether these are the corners of a box along the axes.

    Examples
    --------
    >>> is_box(box_points(0, 0, 2, 1)), is_box([(0, 0), (2, 0), (2, 1)])
    (True, False)
    """
    if len(points) != 4:
        return False
    (x1, y1), (x2, y2), (x3, y3), (x4, y4) = points
    upright = x1 == x4 and x2 == x3 and y1 == y2 and y3 == y4
    return (upright or (x1 == x2 and x3 == x4 and y1 == y4 and y2 == y3)) and ((x1, y1) != (x3, y3))


def counted_losses(
    truths: Sequence[Truth], checks: dict[str, Callable[[Region], bool]]
) -> list[str]:
    """A line for every check that holds for some region, with how many it holds for.

    Examples
    --------
    >>> from spotlab.model import Page
    >>> page = Page(Path("a.png"), 9, 9)
    >>> truth = Truth(page, (Region(((0, 0), (1, 0), (1, 1)), comment="?"),))
    >>> counted_losses([truth], {"comments are left out": lambda region: bool(region.comment)})
    ['comments are left out (1 region)']
    """
    lines = []
    for line, concerns in checks.items():
        count = sum(concerns(region) for truth in truths for region in truth.regions)
        if count:
            lines.append(f"{line} ({counted(count, 'region')})")
    return lines


def page_losses(truths: Sequence[Truth], *, labels: bool = True, checked: bool = True) -> list[str]:
    """Lines for what no other format has: marks of being checked, colours, digits, authors."""
    lines = []
    count = sum(truth.page.checked for truth in truths)
    if checked and count:
        lines.append(f"the mark of a checked page is left out ({counted(count, 'page')})")
    count = len({label.name for truth in truths for label in truth.labels})
    if labels and count:
        lines.append(f"colours and digits of labels are left out ({counted(count, 'label')})")
    return lines + history_losses(truths)


def history_losses(truths: Sequence[Truth]) -> list[str]:
    """A line if regions have a history, which PAGE alone keeps."""
    return counted_losses(
        truths, {"authors and times are left out": lambda region: bool(region.history)}
    )


def passed_over_lines(path: Path, found: Iterable[str]) -> list[str]:
    """A line for each kind of thing that reading a file passes over, with how many there are.

    Examples
    --------
    >>> passed_over_lines(Path("a.xml"), ["Word", "TextLine", "Word"])
    ['a.xml: 2 × Word', 'a.xml: 1 × TextLine']
    """
    return [f"{path.name}: {count:,} × {kind}" for kind, count in Counter(found).items()]


def make_region(
    points: Sequence[tuple[float, float]],
    path: Path,
    place: str,
    *,
    label: str = "",
    id: str,
    primitive: Primitive = Primitive.POLYGON,
    text: str = "",
    comment: str = "",
    uncertain: bool = False,
    ignore: Ignore = Ignore.NO,
) -> Region:
    """A region, or a `BadInput` that names the place where the file has it."""
    if points and not (np.abs(points) <= LARGEST).all():  # NaN, too
        raise BadInput(path, "a corner is beyond ±2³¹", place=place)
    if not is_outline(points):
        raise BadInput(path, f"{len(points)} points are not an outline", place=place,
                       expected="three points")  # fmt: skip
    return Region(tuple(points), label, id, primitive, uncertain, comment, text, ignore)
