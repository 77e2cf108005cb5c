"""Look through a page's truth the way a careful colleague would."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from spotlab.editing.duplicates import duplicates
from spotlab.editing.operations.outline import CONVEX
from spotlab.editing.similar_labels import similar_labels
from spotlab.errors import counted
from spotlab.geometry import polygon
from spotlab.geometry import polygon as convexity
from spotlab.libraries import shapely
from spotlab.model import LabelSet, Region, Truth
from spotlab.model.region import labels_of

SMALLEST_AREA = 16.0  # px²; nothing that is drawn on a page is smaller than 4 × 4 px
SMALLEST_WIDTH = 3.0  # px; a pen's line is wider


class Severity(StrEnum):
    """Whether the truth is wrong or only looks so."""

    ERROR = "error"
    WARNING = "warning"


class Kind(StrEnum):
    """What may be wrong."""

    IMAGE_MISSING = "image missing"
    IMAGE_SIZE = "image size"
    OUTSIDE = "outside the page"
    NO_AREA = "no area"
    CROSSING = "self-crossing"
    NOT_CONVEX = "not convex"
    DUPLICATE = "duplicate"
    TINY = "tiny"
    NOT_WHOLE = "not whole px"
    UNLABELED = "unlabeled"
    LABEL = "label"
    NOT_IN_SET = "not in the label set"


@dataclass(frozen=True)
class Finding:
    """One thing to look at.

    Attributes
    ----------
    severity : Severity
    region : str or None
        The region's id; None for the page as a whole.
    kind : Kind
    message : str
        One line that names the place.
    """

    severity: Severity
    region: str | None
    kind: Kind
    message: str


def validate(
    truth: Truth, image_size: tuple[int, int] | None, labels: LabelSet | None = None
) -> list[Finding]:
    """All that a careful colleague would remark on, page first, then region by region.

    Errors: the image is missing or has another size; a region reaches beyond the page, has no area,
    crosses itself (rings that join holes by edges that run there and back do not), is a hull, box
    or ellipse but not convex, or covers an earlier one with the same label (the same outline, or
    intersection over union ≥ .95). Warnings: the same with another label; less than 16 px² or
    narrower than 3 px; coordinates between pixels; no label, unless the region is ignored; a label
    that differs from a more frequent one by case, spaces or a typo; a label that the collection's
    label set has not, which is an error where the set is locked.

    Parameters
    ----------
    truth : Truth
    image_size : (width, height) or None
        In px, as the image says it; None where there is no image.
    labels : LabelSet, optional
        Of the collection; without one, or an empty one, every label is in it.

    Examples
    --------
    >>> from pathlib import Path
    >>> from spotlab.model import Page
    >>> bed = Region(((90, 90), (120, 90), (120, 99)), "bed", "r1")
    >>> for finding in validate(Truth(Page(Path("one.png"), 100, 100), (bed,)), (100, 100)):
    ...     print(finding.severity, finding.message, sep=": ")
    error: 'bed' at (105, 94) extends 20 px beyond the page's right edge
    """
    order = {region.id: place for place, region in enumerate(truth.regions)}
    found = [finding for region in truth.regions for finding in _of_region(region, truth)]
    found += _duplicates(truth)
    found += _labels(truth)
    found += _not_in_set(truth, labels)
    found.sort(key=lambda finding: order[finding.region or ""])
    return [*_of_image(truth, image_size), *found]


def place_of(region: Region) -> str:
    """How a message names a region: its label and the centre of its bounds.

    Examples
    --------
    >>> place_of(Region(((0, 0), (40, 0), (40, 20)), "sofa"))
    "'sofa' at (20, 10)"
    """
    left, top, right, bottom = region.bounds
    label = f"'{region.label}'" if region.label else "a region without a label"
    return f"{label} at ({(left + right) // 2:.0f}, {(top + bottom) // 2:.0f})"


def _of_image(truth: Truth, image_size: tuple[int, int] | None) -> Iterator[Finding]:
    page = truth.page
    if image_size is None:
        yield _error(None, Kind.IMAGE_MISSING, f"the image {page.image.name} is missing")
    elif image_size != (page.width, page.height):
        yield _error(
            None,
            Kind.IMAGE_SIZE,
            f"the image {page.image.name} is {image_size[0]} × {image_size[1]} px, but the truth "
            f"is for {page.width} × {page.height} px",
        )


def _of_region(region: Region, truth: Truth) -> Iterator[Finding]:
    place = place_of(region)
    yield from _outside(region, truth)
    if (region.array != region.array.round()).any():
        yield _warning(region, Kind.NOT_WHOLE, f"{place} has coordinates that are not whole pixels")
    if region.area == 0:
        yield _error(region, Kind.NO_AREA, f"{place} encloses no area")
    elif not polygon.winds_once(region.array):
        yield _error(region, Kind.CROSSING, f"{place} crosses itself{_crossing(region)}")
    elif region.primitive in CONVEX and not convexity.is_convex(region.array):
        hull = polygon.area(convexity.convex_hull(region.array))
        yield _error(
            region,
            Kind.NOT_CONVEX,
            f"{place} is marked {region.primitive} but not convex: its hull is "
            f"{hull - region.area:g} px² larger",
        )
    if region.area > 0:
        yield from _tiny(region)
    if not region.label and not region.ignored:
        yield _warning(region, Kind.UNLABELED, f"{place} needs a label")


def _outside(region: Region, truth: Truth) -> Iterator[Finding]:
    left, top, right, bottom = region.bounds
    beyond = {
        "left": -left,
        "top": -top,
        "right": right - truth.page.width,
        "bottom": bottom - truth.page.height,
    }
    edges = [f"{by:g} px beyond the page's {edge} edge" for edge, by in beyond.items() if by > 0]
    if edges:
        yield _error(region, Kind.OUTSIDE, f"{place_of(region)} extends {' and '.join(edges)}")


def _tiny(region: Region) -> Iterator[Finding]:
    if region.area < SMALLEST_AREA:
        yield _warning(
            region, Kind.TINY, f"{place_of(region)} has an area of only {region.area:g} px²"
        )
        return
    left, top, right, bottom = region.bounds
    if region.area >= SMALLEST_WIDTH * (right - left + bottom - top):
        return  # wide enough: no strip that is narrower holds so much
    width = convexity.min_width(region.array)
    if width < SMALLEST_WIDTH:
        yield _warning(region, Kind.TINY, f"{place_of(region)} is only {width:.2g} px wide")


def _crossing(region: Region) -> str:
    """Where, if GEOS can tell."""
    reason = shapely.is_valid_reason(shapely.Polygon(region.array))
    match = re.search(r"\[(\S+) (\S+)\]", reason)
    return f" near ({float(match[1]):.0f}, {float(match[2]):.0f})" if match else ""


def _duplicates(truth: Truth) -> Iterator[Finding]:
    for found in duplicates(truth.regions):
        same = (
            "has the same outline as"
            if found.iou == 1
            else f"shares {found.iou:.1%} of the area with"
        )
        message = f"{place_of(found.region)} {same} {place_of(found.earlier)}"
        if found.region.label == found.earlier.label:
            yield _error(found.region, Kind.DUPLICATE, message)
        else:
            yield _warning(found.region, Kind.DUPLICATE, message)


def _labels(truth: Truth) -> Iterator[Finding]:
    counts = labels_of(truth.regions)
    similar = similar_labels(counts)
    for region in truth.regions:
        meant = similar.get(region.label)
        if meant:
            message = (
                f"{place_of(region)} may be a misspelling of '{meant}' "
                f"({counted(counts[meant], 'region')})"
            )
            yield _warning(region, Kind.LABEL, message)


def _not_in_set(truth: Truth, labels: LabelSet | None) -> Iterator[Finding]:
    """One finding for each label, at its first region."""
    if not labels:
        return
    counts = labels_of(truth.regions)
    unknown = {label for label in counts if label and label not in labels}
    severity = Severity.ERROR if labels.locked else Severity.WARNING
    kind = "locked label set" if labels.locked else "label set"
    for region in truth.regions:
        if region.label in unknown:
            unknown.discard(region.label)
            count = counts[region.label]
            more = f" ({count} regions on the page)" if count > 1 else ""
            message = f"{place_of(region)} has a label that is not in the {kind}{more}"
            yield Finding(severity, region.id, Kind.NOT_IN_SET, message)


def _error(region: Region | None, kind: Kind, message: str) -> Finding:
    return Finding(Severity.ERROR, region.id if region else None, kind, message)


def _warning(region: Region, kind: Kind, message: str) -> Finding:
    return Finding(Severity.WARNING, region.id, kind, message)
