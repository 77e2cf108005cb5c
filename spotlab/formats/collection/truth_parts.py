"""Truth as Parquet: a row for each region, and one without points for a page that has none.

Columns: ``page``, ``page_width``, ``page_height`` (px), ``label``, ``points`` (a list x, y, x, y, …
in px) and, where they are wanted, ``id``, ``ignore`` ("no", "symbol", "area") and ``uncertain``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from spotlab.errors import BadInput
from spotlab.formats.store import described
from spotlab.model import Ignore, Page, Primitive, Region, Truth
from spotlab.representation import well_formed

NEEDED = ("page", "page_width", "page_height", "label", "points")
EXPECTED = "a Parquet file with the columns " + ", ".join(NEEDED)


def truth_bytes(truths: Sequence[Truth], key: str = "") -> bytes:
    """The content of a part with these pages.

    Parameters
    ----------
    truths : sequence of Truth
    key : str
        What it says it was made from, see `spotlab.formats.store`.

    Returns
    -------
    bytes
        Labels, outlines, ids, and whether regions are ignored or uncertain; nothing else.
    """
    import pyarrow  # noqa: PLC0415 - takes a quarter of a second
    import pyarrow.parquet  # noqa: PLC0415

    rows = [(truth.page, region) for truth in truths for region in (truth.regions or (None,))]
    points = [None if region is None else region.array.ravel() for _, region in rows]
    table = pyarrow.table(
        {
            "page": [well_formed(page.name) for page, _ in rows],
            "page_width": [page.width for page, _ in rows],
            "page_height": [page.height for page, _ in rows],
            "label": [region and well_formed(region.label) for _, region in rows],
            "points": pyarrow.array(points, pyarrow.list_(pyarrow.float64())),
            "id": [region and well_formed(region.id) for _, region in rows],
            "ignore": [region and str(region.ignore) for _, region in rows],
            "uncertain": [region and region.uncertain for _, region in rows],
        }
    )
    buffer = pyarrow.BufferOutputStream()
    if key:
        table = table.cast(described(table.schema, key, {}))
    pyarrow.parquet.write_table(table, buffer, compression="zstd", write_page_checksum=True)
    content: bytes = buffer.getvalue().to_pybytes()
    return content


def read_truth_part(content: bytes, place: str) -> list[Truth]:
    """The pages in the content of a part.

    Parameters
    ----------
    content : bytes
    place : str
        Where it is from, for messages.

    Returns
    -------
    list of Truth
        In the order in which pages are first named.

    Raises
    ------
    BadInput
        It is no such file, or a row is no region.

    Examples
    --------
    >>> region = Region(((0, 0), (9, 0), (9, 9)), "bed", "r1")
    >>> page = Truth(Page(Path("one.png"), 20, 10), (region,))
    >>> [again] = read_truth_part(truth_bytes([page]), "part-0.parquet")
    >>> again.page.name, again.page.width, again.regions[0].label
    ('one', 20, 'bed')
    """
    import pyarrow  # noqa: PLC0415 - takes a quarter of a second
    import pyarrow.parquet  # noqa: PLC0415

    try:
        table = pyarrow.parquet.read_table(pyarrow.BufferReader(content))
        columns = {name: table[name].to_pylist() for name in table.column_names if name != "points"}
    except (pyarrow.ArrowException, OSError, UnicodeDecodeError) as error:
        problem = str(error).partition("\n")[0].rstrip(". ")
        raise BadInput(place, f"cannot be read: {problem}", expected=EXPECTED) from error
    if "points" in table.column_names and not _is_list(table["points"].type):
        problem = f"the column points holds {table['points'].type}"
        raise BadInput(place, problem, expected="lists of numbers x, y, x, y, …")
    missing = [name for name in NEEDED if name not in table.column_names]
    if missing:
        raise BadInput(place, f"no column {', '.join(missing)}", expected=EXPECTED)
    points = table["points"].combine_chunks().cast(pyarrow.large_list(pyarrow.float64()))
    ends = points.offsets.to_numpy()
    numbers = points.values.to_numpy(zero_copy_only=False)
    is_given = points.is_valid().to_numpy(zero_copy_only=False).tolist()
    pages: dict[str, tuple[Page, list[Region]]] = {}
    names = list(columns)
    for row, values in enumerate(zip(*columns.values(), strict=True)):
        try:
            given = dict(zip(names, values, strict=True))
            name = str(given["page"] or "").strip()
            if name not in pages:
                pages[name] = _page(name, given), []
            known, regions = pages[name]
            if (known.width, known.height) != (given["page_width"], given["page_height"]):
                raise ValueError(f"page {name} has another size in an earlier row")
            if is_given[row]:
                corners = numbers[ends[row] : ends[row + 1]]
                regions.append(_region(given, corners, len(regions)))
        except (ValueError, TypeError) as error:
            expected = "a region as the help on clusters describes it"
            raise BadInput(place, str(error), place=f"row {row + 1}", expected=expected) from error
    try:
        return [Truth(page, tuple(regions)) for page, regions in pages.values()]
    except ValueError as error:
        raise BadInput(place, str(error), expected="ids that differ") from error


def _is_list(type: Any) -> bool:
    from pyarrow import types  # noqa: PLC0415 - takes a quarter of a second

    found = types.is_list(type) or types.is_large_list(type)
    return bool(found and (types.is_floating(type.value_type) or types.is_integer(type.value_type)))


def _page(name: str, given: Mapping[str, Any]) -> Page:
    if not name:
        raise ValueError("page is empty")
    size = int(given["page_width"]), int(given["page_height"])
    return Page(Path(f"{name}.png"), *size, called=name)


def _region(given: Mapping[str, Any], corners: NDArray[np.float64], number: int) -> Region:
    if len(corners) % 2 or len(corners) < 6 or not np.isfinite(corners).all():
        raise ValueError(f"points has {len(corners)} numbers; expected x, y of three or more")
    return Region(
        tuple((x, y) for x, y in corners.reshape(-1, 2).tolist()),
        " ".join(str(given["label"] or "").split()),
        str(given.get("id") or f"r{number + 1}"),
        Primitive.POLYGON,
        bool(given.get("uncertain")),
        ignore=Ignore(given.get("ignore") or "no"),
    )
