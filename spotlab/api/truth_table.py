"""Ground truth as a table: a row for each region."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from spotlab.api.tables import columns_of, text_of
from spotlab.errors import BadArgument, BadInput, BadLines
from spotlab.files import is_file
from spotlab.formats.collection.folder import scan
from spotlab.formats.runs.gather import check_points, parse_point_list
from spotlab.imaging.reading.pixels import IMAGE_SUFFIXES, read_header
from spotlab.model import Ignore, Page, Primitive, Region, Truth
from spotlab.studies.tally.truth import TruthSet

NEEDED = ("page", "label", "points")
TEXTS = ("comment", "text")
ADVICE = "mend these rows, or leave them out"


def columns_of_truths(truths: Iterable[Truth]) -> dict[str, list[Any]]:
    """The regions of all pages as columns.

    Parameters
    ----------
    truths : iterable of Truth

    Returns
    -------
    dict of str to list
        page, label, points ((N, 2) float in px), id, primitive, uncertain, comment, text, ignore
        ("no", "symbol" or "area"), area (px²), page_width and page_height (px).
    """
    rows = [(truth.page, region) for truth in truths for region in truth.regions]
    return {
        "page": [page.name for page, _ in rows],
        "label": [region.label for _, region in rows],
        "points": [region.array for _, region in rows],
        "id": [region.id for _, region in rows],
        "primitive": [str(region.primitive) for _, region in rows],
        "uncertain": [region.uncertain for _, region in rows],
        "comment": [region.comment for _, region in rows],
        "text": [region.text for _, region in rows],
        "ignore": [str(region.ignore) for _, region in rows],
        "area": [region.area for _, region in rows],
        "page_width": [page.width for page, _ in rows],
        "page_height": [page.height for page, _ in rows],
    }


def truth_set_of(table: Any, images: Path | None) -> TruthSet:
    """The truth in a table.

    Parameters
    ----------
    table : DataFrame or mapping of str to sequence
    images : Path or None
        The folder that has the images, from which sizes of pages are read where the table has none.

    Raises
    ------
    SpotlabError
        A column or a page's size is missing, or a row is no region.

    Examples
    --------
    >>> table = {"page": ["plan"], "label": ["bed"], "points": ["5,5 25,5 25,40"],
    ...          "page_width": [200], "page_height": [100]}
    >>> truth_set_of(table, None).truths["plan"].page.width
    200
    """
    columns = {
        name.strip().casefold(): values for name, values in columns_of(table, "the truth").items()
    }
    missing = [name for name in NEEDED if name not in columns]
    if missing:
        problem = f"the truth has no column {', '.join(missing)}"
        raise BadArgument(f"{problem}; expected the columns page, label, points")
    regions: dict[str, list[Region]] = {}
    places: dict[str, int] = {}
    bad = []
    for row in range(len(columns["page"])):
        values = {name: column[row] for name, column in columns.items()}
        try:
            region = _region(values)
            page = text_of(values["page"]).strip()
            if not page:
                raise ValueError("page is empty")
        except ValueError as error:
            bad.append(f"the truth, row {row + 1}: {error}")
            continue
        regions.setdefault(page, []).append(region)
        places.setdefault(page, row)
    if bad:
        raise BadLines(bad, ADVICE)
    known = {} if images is None else _images(images)
    pages = {name: _page(name, columns, places[name], known) for name in regions}
    truths = [Truth(page, tuple(regions[name])) for name, page in pages.items()]
    return TruthSet({truth.page.name: truth for truth in truths})


def _region(values: Mapping[str, Any]) -> Region:
    points = values["points"]
    if isinstance(points, str):
        outline = parse_point_list(points)
    else:
        array = np.asarray(points, np.float64)
        if array.ndim != 2 or array.shape[1] != 2:
            raise ValueError(f"points have the shape {array.shape}; expected (N, 2)")
        outline = check_points([(x, y) for x, y in array.tolist()])
    more: dict[str, Any] = {
        name: text_of(values[name]) for name in TEXTS if text_of(values.get(name))
    }
    if text_of(values.get("id")):
        more["id"] = text_of(values["id"])
    if text_of(values.get("primitive")):
        more["primitive"] = Primitive(text_of(values["primitive"]))
    else:
        more["primitive"] = Primitive.POLYGON
    if text_of(values.get("ignore")):
        more["ignore"] = Ignore(text_of(values["ignore"]))
    uncertain = text_of(values.get("uncertain")).casefold() in ("1", "true", "yes")
    return Region(tuple(outline), text_of(values["label"]), uncertain=uncertain, **more)


def _images(folder: Path) -> dict[str, Path]:
    """The images in a folder by the names that a table may call them by."""
    images = [entry.image for entry in scan([folder])]
    return {name: image for image in images for name in (image.stem, image.name)}


def _page(name: str, columns: Mapping[str, Any], row: int, known: Mapping[str, Path]) -> Page:
    """The page of this name, with the size that the table has for it or that of its image."""
    path = Path(name)
    image = known.get(name) or known.get(path.stem)
    if image is None and path.suffix.lower() in IMAGE_SUFFIXES and is_file(path):
        image = path
    if "page_width" in columns and "page_height" in columns:
        width, height = columns["page_width"][row], columns["page_height"][row]
        named = path if path.suffix.lower() in IMAGE_SUFFIXES else path.with_name(f"{name}.png")
        return Page(image or named, int(width), int(height))
    if image is None:
        problem = f"nothing says how large the page {name!r} is"
        expected = "the columns page_width and page_height, or `images`: the folder of its image"
        raise BadArgument(f"{problem}; expected {expected}")
    try:
        header = read_header(image)
    except BadInput as error:
        raise BadArgument(str(error)) from error
    return Page(image, header.width, header.height)
