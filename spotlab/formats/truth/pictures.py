"""PNG masks, in and out, and crops of regions, out: what training of networks takes.

A mask is a grey picture of the size of its page. A pixel has the number of the class whose region
covers its centre, from 1 on; 0 is background, 255 an ignored region. ``masks.json`` beside the
masks has the classes in the order of their numbers, and the image of each mask. Reading finds the
connected areas of each class.

Crops are the boxes around regions, cut from the images into a folder per label; ``crops.csv`` has
the page, label, text and box of each.
"""

from __future__ import annotations

import csv
import io
import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import count
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from spotlab.errors import BadInput, NotSaved, reason
from spotlab.extras import ndimage
from spotlab.files import is_file
from spotlab.formats.page.foreign_shapes import Ids, make_region
from spotlab.formats.page.images import image_name, image_path
from spotlab.formats.page.masks import mask_outline
from spotlab.formats.rows.files import write_atomically
from spotlab.formats.rows.json_values import Reader, load_object
from spotlab.formats.rows.reading import Reading
from spotlab.formats.truth.format import (
    DatasetLayout,
    Format,
    Holds,
    OutlineKinds,
    Rounding,
    distinct_names,
    label_set,
)
from spotlab.geometry.rings import parts
from spotlab.imaging.page_ink import runs_inside
from spotlab.imaging.reading.pixels import read_page
from spotlab.model import Ignore, LabelSet, Page, Primitive, Region, Truth
from spotlab.progress import Progress, track

INDEX, FOLDER, IMAGES = "masks.json", "masks", "images"
IGNORED = 255
_LONGEST_NAME = 80
_LARGEST = IGNORED - 1  # classes that a byte can tell apart
Grey = NDArray[np.uint8]


def read(path: Path, reading: Reading) -> list[Truth]:
    """The connected areas of each class in the masks that ``masks.json`` names.

    Raises
    ------
    BadInput
        It is not such a file.
    """
    content = load_object(path, "masks.json", partial(reading.remark, path))
    reader = Reader(path)
    names = [reader.text({"name": name}, "name", f"classes[{index}]")
             for index, name in enumerate(reader.list_of(content, "classes"))]  # fmt: skip
    labels = label_set(distinct_names(names))
    truths = []
    for index, value in enumerate(reading.track(reader.list_of(content, "masks"), path)):
        place = f"masks[{index}]"
        with reading.item():
            entry = reader.object(value, place)
            mask = path.parent / reader.text(entry, "mask", place)
            pixels = read_page(mask)
            if pixels.ndim != 2:
                raise reader.fail(f"{mask.name} has colours", place, "a grey picture of numbers")
            height, width = pixels.shape
            page = Page(image_path(path, reader.text(entry, "image", place)), width, height)
            regions = _regions(pixels, labels, path, place, reading)
            truths.append(Truth(page, tuple(regions), labels))
    return truths


def _regions(
    pixels: Grey, labels: LabelSet, path: Path, place: str, reading: Reading
) -> list[Region]:
    names = [label.name for label in labels]
    ids = Ids()
    regions = []
    for number in np.unique(pixels[pixels > 0]).tolist():
        if number != IGNORED and number > len(names):
            with reading.item():
                raise BadInput(path, f"the mask has the number {number}", place=place,
                               expected=f"numbers up to {len(names)}, or 255")  # fmt: skip
            continue
        areas, _ = ndimage.label(pixels == number)
        for index, window in enumerate(ndimage.find_objects(areas), 1):
            top, left = window[0].start, window[1].start
            outline = mask_outline(areas[window] == index, left, top)
            is_ignored = number == IGNORED
            regions.append(make_region(
                outline, path, place, label="" if is_ignored else names[number - 1],
                id=ids.take("area"), ignore=Ignore.AREA if is_ignored else Ignore.NO,
            ))  # fmt: skip
    return regions


def write_masks(parts_of: Mapping[str, Sequence[Truth]], folder: Path, progress: Progress) -> None:
    """Write ``masks.json`` and a mask per page below ``masks``.

    Raises
    ------
    NotSaved
        A file could not be written, or there are more classes than a byte can tell apart.
    """
    truths = [truth for pages in parts_of.values() for truth in pages]
    known = [label.name for truth in truths for label in truth.labels]
    used = {region.label for truth in truths for region in truth.regions if not region.ignored}
    names = list(dict.fromkeys([*known, *sorted(used - {""})]))
    if len(names) > _LARGEST:
        raise NotSaved(f"{folder}: masks have room for {_LARGEST} classes, not {len(names):,}")
    numbers = {name: number for number, name in enumerate(names, 1)}
    entries = []
    for part, pages in parts_of.items():
        for truth in track(pages, progress, "writing masks"):
            file = folder / FOLDER / part / f"{truth.page.name}.png"
            _write_png(file, paint_mask(truth, numbers))
            inside = folder / IMAGES / part / truth.page.image.name
            image = (
                inside.relative_to(folder).as_posix()
                if is_file(inside)
                else image_name(truth.page.image, folder)
            )
            name = file.relative_to(folder).as_posix()
            entries.append({"mask": name, "image": image, **({"part": part} if part else {})})
    content = {"spotlab": "masks", "classes": names, "masks": entries}
    text = json.dumps(content, ensure_ascii=False, indent=2)
    write_atomically(folder / INDEX, text.encode("utf-8", "replace"))


def paint_mask(truth: Truth, numbers: Mapping[str, int]) -> Grey:
    """Paint the regions of a page with the numbers of their classes, later ones over earlier.

    Parameters
    ----------
    truth : Truth
    numbers : mapping of str to int
        The number of each label; regions without one are left out.

    Returns
    -------
    (height, width) uint8

    Examples
    --------
    >>> region = Region(((0, 0), (2, 0), (2, 1), (0, 1)), "bed")
    >>> paint_mask(Truth(Page(Path("a.png"), 3, 2), (region,)), {"bed": 7}).tolist()
    [[7, 7, 0], [0, 0, 0]]
    """
    page = truth.page
    canvas = np.zeros((page.height, page.width), np.uint8)
    for region in truth.regions:
        number = IGNORED if region.ignored else numbers.get(region.label, 0)
        left, top, right, bottom = _window(region, page)
        if not number or right <= left or bottom <= top:
            continue
        ink = np.zeros((bottom - top, right - left), bool)
        for rings in parts(region.array):
            for index, ring in enumerate(rings):  # the first is the outline, the others are holes
                runs = runs_inside(ring - (left, top), right - left, bottom - top)
                painted = runs.fill(right - left, bottom - top, np.ones(len(runs.rows), np.uint8))
                ink[painted > 0] = index == 0
        canvas[top:bottom, left:right][ink] = number
    return canvas


def _window(region: Region, page: Page) -> tuple[int, int, int, int]:
    """The pixels of the box around a region that are on the page."""
    left, top, right, bottom = region.bounds
    first = max(0, math.floor(left)), max(0, math.floor(top))
    return *first, min(page.width, math.ceil(right)), min(page.height, math.ceil(bottom))


def _write_png(file: Path, pixels: NDArray[np.uint8]) -> None:
    from PIL import Image  # noqa: PLC0415 - takes a tenth of a second

    content = io.BytesIO()
    Image.fromarray(pixels).save(content, "PNG")
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise NotSaved(f"{file.parent} was not created: {reason(error)}") from error
    write_atomically(file, content.getvalue())


def write_crops(parts_of: Mapping[str, Sequence[Truth]], folder: Path, progress: Progress) -> None:
    """Write the box around each region as a PNG file, in a folder per label, and ``crops.csv``.

    Raises
    ------
    BadInput
        An image is missing, cannot be read, or has another size than its page.
    NotSaved
        A file could not be written.
    """
    table = io.StringIO()
    rows = csv.writer(table, lineterminator="\n")
    rows.writerow(("file", "page", "label", "text", "left", "top", "right", "bottom"))
    made: set[Path] = set()
    for part, pages in parts_of.items():
        for truth in track(pages, progress, "cutting out regions"):
            pixels = _page_pixels(truth.page) if truth.regions else None
            for region in truth.regions:
                left, top, right, bottom = _window(region, truth.page)
                if pixels is None or region.ignored or right <= left or bottom <= top:
                    continue
                inside = folder / part / _plain_name(region.label)
                name = _plain_name(f"{truth.page.name}_{region.id}")
                file = next(
                    file for number in count()
                    if (file := inside / f"{name}{f'_{number}' if number else ''}.png") not in made
                )  # fmt: skip
                made.add(file)
                _write_png(file, np.ascontiguousarray(pixels[top:bottom, left:right]))
                rows.writerow((file.relative_to(folder).as_posix(), truth.page.name, region.label,
                               region.text, left, top, right, bottom))  # fmt: skip
    write_atomically(folder / "crops.csv", table.getvalue().encode("utf-8", "replace"))


def _page_pixels(page: Page) -> NDArray[np.uint8]:
    pixels = read_page(page.image, page.frame)
    height, width = pixels.shape[:2]
    if (width, height) != (page.width, page.height):
        problem = f"the image is {width} × {height} px, its truth {page.width} × {page.height}"
        raise BadInput(page.image, problem, expected="the image that the truth is about")
    return pixels


def _plain_name(text: str) -> str:
    """A label or id as the name of a file or folder on any system.

    Examples
    --------
    >>> _plain_name("../wash basin?"), _plain_name("")
    ('_wash basin_', '_')
    """
    plain = "".join(c if c.isalnum() or c in " -_.()" else "_" for c in text).strip(" .")
    return plain[:_LONGEST_NAME] or "_"


def _image_folder(part: str) -> str:
    return f"{IMAGES}/{part}" if part else IMAGES


def _only_written(path: Path, _reading: Reading) -> list[Truth]:
    raise BadInput(path, "crops can only be written, not read", expected="truth of another format")


def _sniff(path: Path, head: bytes) -> bool:
    return b'"spotlab": "masks"' in head


def _never(path: Path, head: bytes) -> bool:
    return False


def _write_masks(truths: Sequence[Truth], folder: Path, progress: Progress) -> None:
    write_masks({"": truths}, folder, progress)


def _write_crops(truths: Sequence[Truth], folder: Path, progress: Progress) -> None:
    write_crops({"": truths}, folder, progress)


_PICTURES = Holds(
    off_page=False, flat=False, parts=True, holes="", comments=False, uncertain=False,
    histories=False, checked=False, frames=False, order=False, tags=False, colours=False,
    digits=False,
)  # fmt: skip
FORMAT = Format(
    "masks", "PNG masks", (".json",), _sniff, read, _write_masks, many_pages=True,
    layout=DatasetLayout(_image_folder, write_masks),
    holds=replace(_PICTURES, pixels=True, kind=lambda _: Primitive.POLYGON, texts=False,
                  unlabelled=False, ignored=frozenset({Ignore.AREA})),
)  # fmt: skip
CROPS = Format(
    "crops", "Crops of regions", (".crops",), _never, _only_written, _write_crops,
    layout=DatasetLayout(_image_folder, write_crops),
    holds=replace(_PICTURES, outlines=OutlineKinds.BOXES, rounding=Rounding.OUTWARDS,
                  ignored=frozenset(), label_list=False),
)  # fmt: skip
