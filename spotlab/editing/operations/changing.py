"""Change what a region is said to be: its label, flag, comment, primitive."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from spotlab.editing.operations.outline import named, reshaped
from spotlab.errors import SpotlabError
from spotlab.geometry import primitives
from spotlab.geometry.polygon import as_points
from spotlab.model import Ignore, Page, Primitive, Region


def relabel(regions: Iterable[Region], label: str) -> list[Region]:
    """The regions with this label; an empty one takes theirs away.

    Examples
    --------
    >>> [region.label for region in relabel([Region(((0, 0), (4, 0), (4, 4)))], " bed ")]
    ['bed']
    """
    return [replace(region, label=label) for region in regions]


def flag_uncertain(regions: Iterable[Region], uncertain: bool = True) -> list[Region]:
    """The regions with the flag set or taken off."""
    return [replace(region, uncertain=uncertain) for region in regions]


def toggle_uncertain(regions: Iterable[Region]) -> list[Region]:
    """All flagged, or none if all are."""
    regions = list(regions)
    return flag_uncertain(regions, not all(region.uncertain for region in regions))


def set_ignore(regions: Iterable[Region], ignore: Ignore) -> list[Region]:
    """The regions left out of evaluation, as symbols or as areas, or counted again.

    Examples
    --------
    >>> region = Region(((0, 0), (4, 0), (4, 4)))
    >>> [region.ignored for region in set_ignore([region], Ignore.AREA)]
    [True]
    """
    return [replace(region, ignore=ignore) for region in regions]


def toggle_ignore(regions: Iterable[Region], ignore: Ignore) -> list[Region]:
    """All left out in this way, or counted if all are."""
    regions = list(regions)
    all_are = all(region.ignore is ignore for region in regions)
    return set_ignore(regions, Ignore.NO if all_are else ignore)


def set_comment(regions: Iterable[Region], comment: str) -> list[Region]:
    """The regions with this remark, without space around it."""
    return [replace(region, comment=comment.strip()) for region in regions]


def make_free(region: Region) -> Region:
    """The same outline as a free polygon, which need not stay convex."""
    return replace(region, primitive=Primitive.POLYGON)


def make_hull(region: Region, page: Page) -> Region:
    """Its convex hull."""
    return reshaped(region, region.array, page, Primitive.HULL)


def make_turned_box(region: Region, page: Page) -> Region:
    """The smallest box around it in any direction; a box stays as it is.

    Examples
    --------
    >>> from pathlib import Path
    >>> rhombus = Region(((4, 0), (9, 5), (5, 9), (0, 4)))
    >>> make_turned_box(rhombus, Page(Path("one.png"), 10, 10)).primitive.value
    'box'
    """
    corners = primitives.smallest_turned_box(region.array)
    return reshaped(region, as_points(corners), page, Primitive.BOX)


def as_primitive(region: Region, primitive: Primitive, page: Page) -> Region:
    """The region as another primitive.

    A box becomes its bounds, an ellipse has the same centre, area's spread and direction, an
    isothetic polygon replaces slanted edges by two straight ones.

    Raises
    ------
    SpotlabError
        Traces and cells are made from ink and marks, not from an outline; or nothing would be left.
    """
    if primitive is region.primitive and primitive is not Primitive.BOX:  # which may be turned
        return region
    match primitive:
        case Primitive.HULL:
            return make_hull(region, page)
        case Primitive.POLYGON:
            return make_free(region)
        case Primitive.BOX:
            return reshaped(region, primitives.box(*region.bounds), page, Primitive.BOX)
        case Primitive.ELLIPSE:
            frame = primitives.ellipse_from_points(region.array)
            if frame is None:
                raise SpotlabError(f"{named(region).capitalize()} has no area to fit an ellipse to")
            return reshaped(region, primitives.ellipse(frame), page, Primitive.ELLIPSE)
        case Primitive.ISOTHETIC:
            outline = primitives.isothetic_polygon(region.array)
            return reshaped(region, outline, page, Primitive.ISOTHETIC)
    raise SpotlabError(
        f"An outline cannot be converted to {primitive}; draw the region again from the ink"
    )
