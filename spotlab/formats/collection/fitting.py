"""Fits truth to what a format can hold, before it is written, and counts what is lost by that.

Every format declares what it `Holds`; the rest is alike for all of them, and said in the same
words. What is written is what comes out of here, so that nothing is lost that is not said.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from spotlab.formats.page.foreign_shapes import Corners, box_points, is_box
from spotlab.formats.page.read import doubled_ids
from spotlab.formats.page.values import rounded
from spotlab.formats.truth.format import Format, OutlineKinds, Rounding, Types, label_set
from spotlab.geometry.polygon import even_odd_geometry, is_convex, signed_area
from spotlab.geometry.primitives import box_frame, smallest_turned_box, there_and_back, turned_frame
from spotlab.geometry.rings import parts, ring_from_geometry
from spotlab.libraries import shapely
from spotlab.model import Attributes, AttributeValue, Ignore, Label, Page, Primitive, Region, Truth
from spotlab.model.attributes import value_text
from spotlab.model.region import with_values

_WORDS = {  # of each loss: what it counts, and what happened to it; in the order of the lines
    "id": ("id", "that another element has {was} changed"),
    "lines": ("line or point", "{was} left out"),
    "unlabelled": ("region", "without a label {was} left out"),
    "labels": ("region", "got the only label that there is"),
    "ignored": ("ignored region", "{was} left out"),
    "areas": ("ignored area", "became {an }ignored symbol{s}"),
    "outside": ("region", "beyond the page's edge {was} left out"),
    "cut": ("outline", "{was} cut at the page's edge"),
    "flat": ("outline", "without area {was} left out"),
    "boxes": ("outline", "became {its} bounding box{es}"),
    "turned": ("outline", "became the smallest turned box{es} around {it}"),
    "parts": ("outline", "of several parts {was} joined by lines"),
    "holes": ("outline", "with holes {was} opened by lines"),
    "masks": ("outline", "with holes became {a }mask{s} of whole px"),
    "pixels": ("outline", "became whole px, one area where regions touch or overlap"),
    "rounded": ("outline", "{was} rounded to whole px"),
    "outwards": ("box", "{was} rounded outwards to whole px"),
    "kinds": ("hull, trace or other kind of outline", "became {a }plain polygon{s}"),
    "alike": ("outline of another kind", "with the corners of a box became {a }box{es}"),
    "characters": ("label, text or other value", "has characters that cannot be written"),
    "texts": ("text", "{was} left out"),
    "comments": ("comment", "{was} left out"),
    "attributes": ("attribute", "{was} left out"),
    "types": ("value of an attribute", "became text"),
    "uncertain": ("uncertain mark", "{was} left out"),
    "histories": ("history of author and time", "{was} left out"),
    "empty": ("page", "without regions {was} written, but {is} not read again"),
    "checked": ("mark of a checked page", "{was} left out"),
    "frames": ("number of a page in its image file", "{was} left out"),
    "order": ("reading order of a page", "{was} left out"),
    "tags": ("tag of a page", "{was} left out"),
    "unused": ("label without regions", "{was} left out"),
    "numbers": ("class", "got {another }number{s} than in {its} file{s}"),
    "colours": ("colour of a label", "{was} left out"),
    "digits": ("digit of a label", "{was} left out"),
}


def _line(loss: str, count: int) -> str:
    """Say how many of something are lost.

    Examples
    --------
    >>> _line("cut", 2), _line("areas", 1)
    ("2 outlines were cut at the page's edge", '1 ignored area became an ignored symbol')
    """
    noun, text = _WORDS[loss]
    several = count != 1
    plural = _PLURALS.get(noun, f"{noun}s")
    words = {
        "was": "were" if several else "was",
        "is": "are" if several else "is",
        "its": "their" if several else "its",
        "it": "them" if several else "it",
        "s": "s" if several else "",
        "es": "es" if several else "",
        "a ": "" if several else "a ",
        "another ": "other " if several else "another ",
        "an ": "" if several else "an ",
    }
    if several:
        text = text.replace("has characters", "have characters")
    return f"{count:,} {plural if several else noun} {text.format_map(words)}"


_PLURALS = {
    "box": "boxes",
    "class": "classes",
    "label, text or other value": "labels, texts or other values",
    "line or point": "lines or points",
    "outline of another kind": "outlines of other kinds",
    "hull, trace or other kind of outline": "hulls, traces or other kinds of outlines",
    "history of author and time": "histories of authors and times",
    "mark of a checked page": "marks of checked pages",
    "value of an attribute": "values of attributes",
    "number of a page in its image file": "numbers of pages in their image files",
    "reading order of a page": "reading orders of pages",
    "tag of a page": "tags of pages",
    "label without regions": "labels without regions",
    "colour of a label": "colours of labels",
    "digit of a label": "digits of labels",
}


def fit(truths: Sequence[Truth], format: Format) -> tuple[list[Truth], list[str]]:
    """Fit pages to a format.

    Parameters
    ----------
    truths : sequence of Truth
    format : Format
        What they will be written in.

    Returns
    -------
    truths : list of Truth
        What the format can hold of them. PAGE that is written as PAGE stays as it is.
    losses : list of str
        A line for each kind of loss, with its number.
    """
    fitter = _Fitter(format, truths)
    fitted = [fitter.page(truth) for truth in truths]
    fitter.labels(truths)
    return fitted, [_line(loss, fitter.lost[loss]) for loss in _WORDS if fitter.lost[loss]]


class _Fitter:
    def __init__(self, format: Format, truths: Sequence[Truth]) -> None:
        self.format = format
        self.kinds: dict[tuple[str, str], set[type]] = {}  # of values, by label and name
        for region in (region for truth in truths for region in truth.regions):
            for name, value in region.attributes:
                self.kinds.setdefault((region.label, name), set()).add(type(value))
        self.holds = format.holds
        self.lost: Counter[str] = Counter()

    def page(self, truth: Truth) -> Truth:
        if truth.source and self.format.name == "page":
            self.lost["id"] += len(doubled_ids(truth.source, truth.page.image))
            return truth
        holds, page = self.holds, truth.page
        self.lost["checked"] += page.checked and not holds.checked
        self.lost["frames"] += page.frames > 1 and not holds.frames
        self.lost["order"] += page.order is not None and not holds.order
        page = self.tagged(page)
        found = [self.region(region, page) for region in truth.regions]
        regions = tuple(region for region in found if region is not None)
        self.lost["empty"] += not regions and not holds.empty
        if page.order is not None:
            gone = set(page.order.ids) - {region.id for region in regions}
            order = page.order.without(gone) if holds.order else None
            page = replace(page, order=order)
        return replace(truth, page=page, regions=regions)

    def tagged(self, page: Page) -> Page:
        """Fit the tags of a page to the format."""
        if not self.holds.tags:
            self.lost["tags"] += len(page.tags)
            return replace(page, tags=()) if page.tags else page
        spelled = tuple(map(self.holds.spelling or str, page.tags))
        self.lost["characters"] += spelled != page.tags
        return replace(page, tags=spelled)

    def region(self, region: Region, page: Page) -> Region | None:
        """Fit a region to the format; None where it cannot hold it at all."""
        holds = self.holds
        if not region.primitive.has_area and not holds.lines:
            self.lost["lines"] += 1
            return None
        is_area = holds.pixels and region.ignore in holds.ignored
        if not region.label and not holds.unlabelled and not is_area:
            self.lost["unlabelled"] += 1
            return None
        if region.ignored and region.ignore not in holds.ignored:
            if not (region.ignore is Ignore.AREA and Ignore.SYMBOL in holds.ignored):
                self.lost["ignored"] += 1
                return None
            self.lost["areas"] += 1
            region = replace(region, ignore=Ignore.SYMBOL)
        fitted = self.outline(region, page)
        return None if fitted is None else self.values(fitted)

    def values(self, region: Region) -> Region:
        """Leave out what stands beside an outline."""
        holds = self.holds
        replaced = holds.replaced(region) if holds.replaced is not None else {}
        values: dict[str, object] = dict(replaced)
        for name, text in replaced.items():
            self.lost[f"{name}s"] += getattr(region, name) != text
        if values.get("text", region.text) and not holds.texts:
            self.lost["texts"] += 1
            values["text"] = ""
        if region.comment and not holds.comments:
            self.lost["comments"] += 1
            values["comment"] = ""
        if region.attributes:
            kept = {name: it for name, it in region.attributes if self.has_name(name)}
            self.lost["attributes"] += len(region.attributes) - len(kept)
            typed = {name: self.typed(region.label, name, it) for name, it in kept.items()}
            self.lost["types"] += sum(type(typed[name]) is not type(kept[name]) for name in kept)
            spelling = holds.spelling or str
            spelled = Attributes((spelling(name), self.spelled(it)) for name, it in typed.items())
            self.lost["characters"] += spelled != Attributes(typed)
            values["attributes"] = spelled
        if region.uncertain and not holds.uncertain:
            self.lost["uncertain"] += 1
            values["uncertain"] = False
        if holds.spelling is not None:
            for name in ("label", "text", "comment"):
                given = str(values.get(name, getattr(region, name)))
                if holds.spelling(given) != given:
                    self.lost["characters"] += 1
                    values[name] = holds.spelling(given)
        if self.outline_kinds(region) in (OutlineKinds.BOXES, OutlineKinds.TURNED_BOXES):
            self.lost["alike"] += region.primitive is not Primitive.BOX
            values["primitive"] = Primitive.BOX
        elif holds.kind is not None:
            kind = holds.kind(region)
            self.lost["kinds"] += kind is Primitive.POLYGON is not region.primitive
            self.lost["alike"] += kind is Primitive.BOX is not region.primitive
            values["primitive"] = kind
        history = region.history
        if values:
            [region] = with_values([region], {name: [value] for name, value in values.items()})
        if history and not holds.histories:
            self.lost["histories"] += 1
            region = region.with_history(())
        return region

    def typed(self, label: str, name: str, value: AttributeValue) -> AttributeValue:
        """Give a value as text where the format does not hold its type."""
        types = self.kinds.get((label, name), set())
        alike = types == {bool} or not types - {int, float}
        if self.holds.types is Types.EACH or (self.holds.types is Types.ALIKE and alike):
            return value
        return value_text(value)

    def spelled(self, value: AttributeValue) -> AttributeValue:
        """Give texts of a value as the format writes them."""
        spelling = self.holds.spelling or str
        if isinstance(value, tuple):
            return tuple(map(spelling, value))
        return spelling(value) if isinstance(value, str) else value

    def has_name(self, name: str) -> bool:
        """Tell whether the format holds an attribute of this name."""
        reserved = self.holds.reserved
        begins = any(name.startswith(each) for each in reserved if each.endswith("."))
        return self.holds.attributes and name not in reserved and not begins

    def outline_kinds(self, region: Region) -> OutlineKinds:
        """Return the kinds of outlines that the format has for a region."""
        kinds = self.holds.outlines
        return kinds if isinstance(kinds, OutlineKinds) else kinds(region)

    def outline(self, region: Region, page: Page) -> Region | None:
        """Fit an outline; None where nothing of it is left."""
        holds, kinds = self.holds, self.outline_kinds(region)
        size = page.width, page.height
        left, top, right, bottom = region.bounds
        leaves = left < 0 or top < 0 or right > size[0] or bottom > size[1]
        if not holds.flat and region.primitive.has_area and _is_flat(region):
            self.lost["flat"] += 1
            return None
        if region.primitive.has_area and len(set(region.points)) < 3 and not holds.repeated:
            self.lost["flat"] += 1
            return None
        if not region.primitive.has_area:
            return self.line(region, page, leaves and not holds.off_page)
        points = list(region.points)
        if leaves and not holds.off_page:
            points = _cut(region, size)
            if not points:
                self.lost["outside"] += 1
                return None
            self.lost["cut"] += 1
            region = _cut_to(region, points)
        if kinds is OutlineKinds.BOXES and not is_box(points):
            self.lost["boxes"] += 1
            points = box_points(*region.bounds)
            region = replace(region, points=tuple(points), primitive=Primitive.BOX)
        elif kinds is OutlineKinds.QUADRILATERALS and len(points) == 4:
            pass
        elif kinds is not OutlineKinds.ANY and box_frame(points) is None:
            self.lost["turned"] += not is_box(points)
            points = _turned(region, size)
            region = replace(region, points=tuple(points), primitive=Primitive.BOX)
        elif kinds is OutlineKinds.ANY:
            self.joined(region)
        self.lost["pixels"] += holds.pixels
        turned = region.primitive is Primitive.BOX and turned_frame(np.array(points)) is not None
        rounding = holds.rounding
        if turned and rounding is Rounding.NEAREST and kinds is OutlineKinds.ANY:
            rounding = Rounding.NONE
        whole = _rounded(points, rounding, size)
        if whole != points:
            self.lost["outwards" if holds.rounding is Rounding.OUTWARDS else "rounded"] += 1
        if whole == list(region.points):
            return region
        return replace(region, points=tuple(whole))

    def line(self, region: Region, page: Page, leaves: bool) -> Region:
        """Fit an open line or a point, whose corners are moved to the page's edge."""
        corners = region.corners
        if leaves:
            self.lost["cut"] += 1
            corners = np.clip(corners, 0, (page.width, page.height))
        if self.holds.rounding is not Rounding.NONE and (corners % 1).any():
            self.lost["rounded"] += 1
            corners = np.floor(corners + 0.5)
        if corners is region.corners:
            return region
        return replace(region, points=tuple(map(tuple, there_and_back(corners).tolist())))

    def joined(self, region: Region) -> None:
        """Count an outline of several parts or with holes."""
        if len(set(region.points)) == len(region.points):  # nearly always: nothing is joined
            return
        apart = parts(region.array)
        if any(len(rings) > 1 for rings in apart) and self.holds.holes:
            self.lost[self.holds.holes] += 1
        elif len(apart) > 1 and not self.holds.parts:
            self.lost["parts"] += 1

    def labels(self, truths: Sequence[Truth]) -> None:
        """Count what is lost of the labels' own list."""
        holds = self.holds
        known: dict[str, Label] = {label.name: label for each in truths for label in each.labels}
        used = {region.label for truth in truths for region in truth.regions}
        kept = known if holds.label_list else {name: known[name] for name in known if name in used}
        self.lost["unused"] += len(known) - len(kept)
        if holds.numbered:
            places = {name: place for place, name in enumerate(known)}
            self.lost["numbers"] += len({
                label.name for each in {truth.labels for truth in truths}
                for place, label in enumerate(each) if places[label.name] != place
            })  # fmt: skip
        if holds.colours and holds.digits:
            return
        own = {  # what labels get by themselves, and so get again
            label.name: label
            for each in {truth.labels for truth in truths}
            for label in label_set([label.name for label in each])
        }
        for name, label in kept.items():
            colour, digit = own[name].colour, own[name].digit
            self.lost["colours"] += not holds.colours and label.colour not in ("", colour)
            self.lost["digits"] += not holds.digits and label.digit not in ("", digit)


def _is_flat(region: Region) -> bool:
    return signed_area(region.array) == 0 == region.area  # the first is known much sooner


def _cut_to(region: Region, points: Corners) -> Region:
    """The region with what is left of its outline, of its kind as long as it can be."""
    changed = replace(region, points=tuple(points))
    is_kept = {
        Primitive.BOX: box_frame(changed.points) is not None or is_box(changed.points),
        Primitive.HULL: is_convex(changed.array),
        Primitive.ELLIPSE: False,
    }.get(region.primitive, True)
    return changed if is_kept else replace(changed, primitive=Primitive.POLYGON)


def _cut(region: Region, size: tuple[int, int]) -> Corners:
    """Cut an outline to the page, all edges alike; empty if nothing does."""
    width, height = size
    if is_box(region.points):
        left, top, right, bottom = region.bounds
        left, top = max(left, 0.0), max(top, 0.0)
        right, bottom = min(right, float(width)), min(bottom, float(height))
        return box_points(left, top, right, bottom) if left < right and top < bottom else []
    if region.area == 0:
        inside = np.clip(region.array, 0, size).tolist()
        return [(x, y) for x, y in inside] if len({*map(tuple, inside)}) > 2 else []
    page = shapely.box(0, 0, width, height)
    upright = region.primitive in (Primitive.ISOTHETIC, Primitive.CELLS)
    ring = ring_from_geometry(even_odd_geometry(region.array) & page, isothetic=upright)
    return [(x, y) for x, y in ring.tolist()] if len(ring) >= 3 else []


def _turned(region: Region, size: tuple[int, int]) -> Corners:
    """The smallest turned box around a region, or an upright one where that leaves the page."""
    corners = smallest_turned_box(region.array)
    array = np.array(corners)
    if (array < 0).any() or (array > np.array(size)).any():
        return box_points(*region.bounds)
    return corners


def _rounded(points: Corners, rounding: Rounding, size: tuple[int, int]) -> Corners:
    """The points as whole numbers, if the format wants them."""
    if rounding is Rounding.NONE:
        return points
    if rounding is Rounding.NEAREST:
        return [(float(x), float(y)) for x, y in rounded(points)]
    xs, ys = zip(*points, strict=True)
    left, top = math.floor(min(xs)), math.floor(min(ys))
    right, bottom = math.ceil(max(xs)), math.ceil(max(ys))
    return box_points(float(left), float(top), float(right), float(bottom))
